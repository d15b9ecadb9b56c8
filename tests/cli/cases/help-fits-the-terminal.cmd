command -v script > /dev/null || { echo yes; exit; }
script -qec "stty cols 60 rows 20; gpustat help" typescript > /dev/null < /dev/null
tr -d "\r" < typescript | sed "/^Script /d" | awk "length > 60 { bad = 1 } length > 50 { wide = 1 } END { print (!bad && wide) ? \"yes\" : \"no\" }"
