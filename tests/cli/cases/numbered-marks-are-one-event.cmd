# "step 7 START" is one event of many, whose number pairs those that overlap; other numbers tell different things apart.
printf '2024-05-01 12:00:%s\n' '00 INFO epoch 3 start' '01 step 1 START' '04 step 2 START' '05 step 1 END' '09 step 2 END' '30 epoch 3/4 finished, loss 2.3' '31 request_8 begin' '32 request_9 begin' '33 request_8 end' '35 request_9 end' '40 layer 1 START' '42 layer 1 END' '43 layer 2 START' '44 layer 2 END' '50 step=3 start' '52 step=3 end' > train.log
gpustat map train.log 2> /dev/null | grep '"task"\|"event"'
gpustat events train.log -q -f csv --show event,n,duration_mean_ms
gpustat events train.log -q -f csv --by event,task --show event,task,duration_mean_ms
