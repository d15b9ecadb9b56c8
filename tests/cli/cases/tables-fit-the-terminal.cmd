command -v script > /dev/null || { echo yes; exit; }
script -qec "stty cols 80 rows 20; NO_COLOR=1 gpustat events data/ -q" typescript > /dev/null < /dev/null
tr -d "\r" < typescript | sed "/^Script /d; s/°/d/g" | awk "length > 80 { bad = 1 } END { print (bad || NR < 10) ? \"no\" : \"yes\" }"
