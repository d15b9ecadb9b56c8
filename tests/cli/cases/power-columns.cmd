printf '%s\n' '0;unused' '0,1.5 W,20' '1,2.5 W,21' | gpustat power - --columns gpu,power,temp --interval 1 -f csv
