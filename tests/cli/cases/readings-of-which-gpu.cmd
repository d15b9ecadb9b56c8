mkdir d one
cat > d/gpu.csv <<'CSV'
timestamp,hostname,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc
2018-11-08 07:00:00,b,100,30,5,6
2018-11-08 07:00:00,b,100,30,5,6
2018-11-08 07:00:00,a,300,40,5,6
2018-11-08 07:00:09,a,300,40,5,6
2018-11-08 07:00:00,a,100,30,5,6
2018-11-08 07:00:09,a,100,30,5,6
CSV
cat > d/application-checkpoints.csv <<'CSV'
timestamp,hostname,eventName,eventType,jobId,taskId
2018-11-08 07:00:01,a,E,START,j,t
2018-11-08 07:00:02,a,E,STOP,j,t
CSV
grep -v a,100 d/gpu.csv > one/gpu.csv
cp d/application-checkpoints.csv one
gpustat gpus one --event E -q -f csv # equal rows are one row twice
gpustat gpus d --event E
# Two GPUs of 100 and 200 W in turn, that no column tells apart, by file, in a folder, and in other commands.
mkdir turns; { echo timestamp,power_w; for i in $(seq 0 20); do printf '%d,%d\n' $((1714564800 + i)) 100 $((1714564800 + i)) 200; done; } > turns/two.csv
gpustat power turns/two.csv --gpus 2 -q -f csv --show gpu,energy_j
gpustat power turns --gpus 2 -q -f csv --show gpu,energy_j
gpustat gpus turns
gpustat gpus turns --set samples.gpu.turns=2 -q -f csv --show gpu_serial,energy_j
