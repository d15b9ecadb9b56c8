mkdir run
cat > run/gpu.csv <<'END'
timestamp,hostname,gpuSerial,gpuUUID,power.draw [mW],temperature.gpu,utilization.gpu [%],utilization.memory [%],clocks.current.sm [MHz],memory.used [MiB],fan.speed [%],power.draw.instant [W],temperature.memory,pstate
2024-01-01T00:00:00.000Z,a,1,G1,100500,40,0,0,1410,1000,30,101,50,P0
2024-01-01T00:00:01.000Z,a,1,G1,200000,41,100,50,1420,[N/A],31,201,51,P0
2024-01-01T00:00:02.000Z,a,1,G1,300001,42,50,25,1430,3000,32,301,52,P0
2024-01-01T00:00:03.000Z,a,1,G1,400000,43,0,0,1440,4000,33,401,53,P0
2024-01-01T00:00:00.000Z,b,2,G2,100000,50,0,0,1210,1000,30,100,60,P0
2024-01-01T00:00:01.000Z,b,2,G2,100000,50,10,5,1220,1000,30,100,60,P0
2024-01-01T00:00:02.000Z,b,2,G2,100000,50,20,10,1230,1000,30,100,60,P0
END
cat > run/application-checkpoints.csv <<'END'
timestamp,hostname,eventName,eventType,jobId,taskId
2024-01-01T00:00:00.000Z,a,TotalRender,START,j,t
2024-01-01T00:00:02.000Z,a,TotalRender,STOP,j,t
2024-01-01T00:00:00.000Z,b,TotalRender,START,j,u
2024-01-01T00:00:01.000Z,b,TotalRender,STOP,j,u
END
printf 'taskId,jobId,x,y,level\nt,j,0,0,4\nu,j,0,1,4\n' > run/task-x-y.csv
for command in events 'events --join window' zoom gpus correlate join check; do
    echo "== $command"
    gpustat $command run --format csv 2>&1
    echo "exit $?"
done
for command in summary bias balance timeline schedule tiles clusters stragglers 'report -o page'; do
    gpustat $command run > out 2>&1
    echo "$command: exit $?"
done
# Every metric but counters in bias and timeline, behind the four that were always there.
for command in bias timeline; do
    echo "== $command"
    gpustat $command run -q --format csv | cut -d, -f 1,2,15-
done
