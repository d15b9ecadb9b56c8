# What a FIFO said is kept elsewhere; people read its own name.
mkfifo samples.fifo
printf 'timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n%s\n' \
    '2018-11-08T07:41:30.000Z,h,1,U,40,forty,1,1' > samples.fifo &
gpustat gpus --gpu samples.fifo --checkpoints data/application-checkpoints.csv
