# A run of one job, or of none that is named, has one row for people; CSV has both as ever.
unset GPUSTAT_SHOW GPUSTAT_VERBOSE
for job in '' run-7; do
    { echo 'timestamp,hostname,eventName,eventType,jobId,taskId'
      for i in 1 2 3 4; do
          echo "2024-05-01T12:00:0$i.000Z,n1,work,START,$job,$i"
          echo "2024-05-01T12:00:0$i.500Z,n1,work,STOP,$job,$i"
      done; } > events.csv
    gpustat schedule --events events.csv -q --show job_id,tasks,busy_pct
    gpustat schedule --events events.csv -q -f csv | cut -d, -f 1-3
done
