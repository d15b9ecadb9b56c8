mkdir run
printf 'timestamp,hostname,power.draw [W]\n%s\n' '2024-01-01T00:00:00Z,a,100' > run/gpu.csv
printf '2024-01-01T00:00:0%sZ,a,%s\n' 1 200 2 300 3 100 >> run/gpu.csv
cat > run/application-checkpoints.csv <<'END'
timestamp,hostname,eventName,eventType,jobId,taskId
2024-01-01T00:00:00.000Z,a,TotalRender,START,j,t
2024-01-01T00:00:02.000Z,a,TotalRender,STOP,j,t
END
printf 'taskId,jobId,x,y,level\nt,j,0,0,4\n' > run/task-x-y.csv
for command in events 'events --join window' zoom gpus correlate join check; do
    echo "== $command"
    gpustat $command run --format csv 2>&1
    echo "exit $?"
done
for command in summary bias balance timeline schedule tiles clusters stragglers 'report -o page'; do
    gpustat $command run > out 2>&1
    echo "$command: exit $?"
done
