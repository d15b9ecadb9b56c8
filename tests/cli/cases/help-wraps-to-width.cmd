gpustat help -a --width 60 | sed -n "/^Options/,/^  -o/p"; gpustat help --width 40 | awk "length > 45"
