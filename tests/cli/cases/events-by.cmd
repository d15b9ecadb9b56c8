# --by event is events, --by level is zoom; pairs and energies of any keys add up to those of all.
gpustat events data/ --by event -q -f csv | cmp - <(gpustat events data/ -q -f csv) && echo same as events
gpustat events data/ --by level --event TotalRender -q -f csv | cmp - <(gpustat zoom data/ -q -f csv) && echo same as zoom
for by in event host,event gpu job level,x,y task; do
    gpustat events data/ --by $by -q -f csv | awk -F, -v by="$by" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "n") c = i } NR > 1 { n += $c } END { print by, NR - 1, n }'
done
# An attribute of the tasks, GPUs named by the index that the samples have, an event on two hosts.
printf 'time,host,index,power_w\n2024-05-01T12:00:00Z,n1,0,100\n2024-05-01T12:00:00Z,n1,1,300\n2024-05-01T12:00:02Z,n1,0,100\n2024-05-01T12:00:02Z,n1,1,300\n2024-05-01T12:00:00Z,n2,0,50\n2024-05-01T12:00:02Z,n2,0,50\n' > g.csv
printf 'name,node,gpu,task,start,stop\na,n1,1,t1,2024-05-01T12:00:00Z,2024-05-01T12:00:02Z\nb,"n1,n2",,t2,2024-05-01T12:00:00Z,2024-05-01T12:00:02Z\n' > e.csv
printf 'taskId,jobId,x,y,level,scene\nt1,,0,0,1,dark\nt2,,0,1,1,light\n' > t.csv
ask='--samples g.csv --events e.csv --tasks t.csv --set events.host.column=node --set events.host.many=true --set tasks.attributes.scene=scene --join window -q -f csv'
gpustat events $ask --by scene | cut -d, -f 1-3,10,15
gpustat events $ask --by event,host,gpu | cut -d, -f 1-5,12,17
gpustat events data/ --by host,; gpustat events data/ --by host,host; gpustat events data/ --by weather
# Attributes of the events: of spans, of marks (those of the START, else of the STOP), before those of their task.
printf 'name,node,model,scene,task,start,stop\na,n1,llama,own,t1,2024-05-01T12:00:00Z,2024-05-01T12:00:01Z\na,n1,bert,,t2,2024-05-01T12:00:01Z,2024-05-01T12:00:02Z\n' > s.csv
printf 'time,name,phase,node,model\n2024-05-01T12:00:00Z,m,start,n1,llama\n2024-05-01T12:00:01Z,m,stop,n1,\n2024-05-01T12:00:01Z,m,start,n1,\n2024-05-01T12:00:02Z,m,stop,n1,bert\n' > m.csv
ask='--samples g.csv --set events.host.column=node --set events.attributes.model=model --join window -q -f csv'
gpustat events $ask --events s.csv --by model | cut -d, -f 1-3,10,15
gpustat events $ask --events m.csv --by model | cut -d, -f 1-3,10,15
gpustat events $ask --events s.csv --tasks t.csv --set tasks.attributes.scene=scene --set events.attributes.scene=scene --by scene | cut -d, -f 1-3,10,15
gpustat events $ask --events s.csv --by level
echo $?
