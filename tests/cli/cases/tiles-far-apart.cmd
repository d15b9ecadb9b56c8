# Tiles come by x, then y, also where both do not fit one word; the tile that two tasks share is one row.
mkdir wide
{ echo taskId,jobId,x,y,level
  echo a,j,9000000000000,-5,4
  echo b,j,-9000000000000,7,4
  echo c,j,0,9000000000000,4
  echo d,j,0,-9000000000000,4
  echo e,j,0,3,4
  echo f,j,0,3,4; } > wide/task-x-y.csv
{ echo timestamp,hostname,eventName,eventType,jobId,taskId
  for task in a b c d e f; do
      echo "2024-01-01T00:00:00Z,h,Render,START,j,$task"
      echo "2024-01-01T00:00:02Z,h,Render,STOP,j,$task"
  done; } > wide/application-checkpoints.csv
gpustat tiles wide --value duration --event Render -f csv
sed -i 's/9000000000000/12/' wide/task-x-y.csv
gpustat tiles wide --value duration --event Render -f csv -q
