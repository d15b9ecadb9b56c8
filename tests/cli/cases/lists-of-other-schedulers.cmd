# Lists of jobs as other schedulers write them: whose, which nodes and GPUs, from when to when; rows and "(no job)" add up to
# the fleet, in any order of rows, by shards and threads. What a list does not say is not guessed.
awk 'BEGIN { print "timestamp,hostname,index,power.draw [W]"
    for (k = 0; k < 240; k++) for (n = 1; n <= 2; n++) for (g = 0; g < 4; g++)
        printf "2025-03-10T%02d:%02d:00Z,n%d,%d,%d.25\n", 20 + k / 60, k % 60, n, g, 100 * n + (k * 7 + g * 3) % 11 }' > gpu.csv
{ head -n 1 gpu.csv; tail -n +2 gpu.csv | sort -t, -k 4; } > turned.csv
total() { awk -F, 'NR > 1 {sum += $NF} END {printf "%.6f\n", sum}'; }
fleet=$(gpustat gpus gpu.csv -q -f csv --show gpu_uuid,energy_j | total)
ask()
{
    echo "== $1"
    gpustat jobs gpu.csv "$1" --tz UTC -q -f csv --show job,user,account,partition,name,state,start,stop,gpus,gpu_h,attribution
    gpustat jobs gpu.csv "$1" --tz UTC -q -f csv > one.csv
    gpustat jobs turned.csv "$1" --tz UTC -q -f csv -j 4 | cmp - one.csv
    for i in 1 2; do gpustat jobs gpu.csv "$1" --tz UTC -q --shard $i/2 --partial $i.part; done
    gpustat merge 1.part 2.part -q -f csv | cmp - one.csv
    for by in job state host; do
        [ "$(gpustat jobs gpu.csv "$1" --tz UTC --by $by -q -f csv --show $by,energy_j 2> /dev/null | total)" = "$fleet" ] || echo "$1 by $by is not the fleet"
    done
}
cat > pbs.acct <<'END'
03/10/2025 20:00:01;Q;11.srv;queue=workq
03/10/2025 20:00:02;S;11.srv;user=alice group=g account="SC 1" project=_pbs_project_default jobname=train queue=gpu ctime=1741636800 qtime=1741636800 etime=1741636800 start=1741636800 exec_host=n1/0*8+n2/0*8 exec_vnode=(n1:ncpus=8:ngpus=4:mem=1kb)+(n2:ncpus=8:ngpus=4) Resource_List.ncpus=16 Resource_List.ngpus=8 Resource_List.nodect=2 Resource_List.select=2:ncpus=8:ngpus=4 Resource_List.walltime=02:00:00
03/10/2025 21:00:00;E;11.srv;user=alice group=g account="SC 1" project=_pbs_project_default jobname=train queue=gpu ctime=1741636800 qtime=1741636800 etime=1741636800 start=1741636800 exec_host=n1/0*8+n2/0*8 exec_vnode=(n1:ncpus=8:ngpus=4:mem=1kb)+(n2:ncpus=8:ngpus=4) Resource_List.ncpus=16 Resource_List.ngpus=8 Resource_List.nodect=2 Resource_List.place=scatter:excl Resource_List.select=2:ncpus=8:ngpus=4 session=1 end=1741640400 Exit_status=0 resources_used.walltime=01:00:00 run_count=1
03/10/2025 22:00:00;E;12.srv;user=bob group=g jobname=old queue=gpu ctime=1741636800 start=1741640400 exec_host=n2/0+n2/1 Resource_List.nodes=1:ppn=2:gpus=2 session=1 end=1741644000 Exit_status=271
03/10/2025 22:30:00;S;13[4].srv;user=cy jobname=run queue=gpu start=1741645800 exec_host=n1/0 exec_vnode=(n1:ncpus=1:ngpus=1) Resource_List.select=1:ncpus=1:ngpus=1
03/10/2025 22:30:00;E;14.srv;user=dan jobname=cpu queue=cpu start=1741636800 exec_host=n2/0 Resource_List.select=1:ncpus=1 end=1741645800 Exit_status=0
END
ask pbs.acct
cat > qacct.txt <<'END'
==============================================================
qname        gpu.q
hostname     n1
group        staff
owner        alice
project      NONE
department   defaultdepartment
jobname      train
jobnumber    77672
taskid       1
account      sge
priority     0
qsub_time    Mon Mar 10 19:59:13 2025
start_time   Mon Mar 10 20:00:00 2025
end_time     Mon Mar 10 21:00:00 2025
granted_pe   NONE
slots        1
failed       0
exit_status  0
ru_wallclock 3600s
category     -l gpu=2,h_rt=7200
==============================================================
qname        gpu.q
hostname     n2
owner        bob
jobname      eval
jobnumber    77673
taskid       undefined
account      sge
start_time   03/10/2025 21:00:00.123
end_time     03/10/2025 22:00:00.123
granted_pe   smp
slots        8
failed       100 : assumedly after job
exit_status  137
category     -pe smp 8 -l gpu=1
==============================================================
qname        gpu.q
hostname     n2
owner        eve
jobname      never
jobnumber    77674
taskid       undefined
start_time   -/-
end_time     -/-
slots        1
exit_status  0
Total System Usage
    WALLCLOCK         UTIME         STIME           CPU             MEMORY                 IO                IOW
================================================================================================================
          7200         1.0         1.0           2.0             1.0                 0.0               0.0
END
ask qacct.txt
cat > condor.long <<'END'
AccountingGroup = "group_a.alice"
Args = "a = b"
ClusterId = 5
Cmd = "/home/alice/train.sh"
CompletionDate = 1741640400
JobCurrentStartDate = 1741636800
JobStatus = 4
LastRemoteHost = "slot1_1@n1"
Owner = "alice"
ProcId = 0
RequestCpus = 4
RequestGPUs = 2

ClusterId = 5
Cmd = "/home/alice/train.sh"
CompletionDate = 0
EnteredCurrentStatus = 1741644000
JobCurrentStartDate = 1741640400
JobStatus = 3
LastRemoteHost = "slot1_2@n2"
Owner = "alice"
ProcId = 1
RequestCpus = 4

ClusterId = 6
Cmd = "/home/bob/x.sh"
CompletionDate = 0
JobCurrentStartDate = 1741644000
JobStatus = 2
RemoteHost = "slot1@n2"
Owner = "bob"
ProcId = 0
RequestCpus = 4
RequestGPUs = 1

ClusterId = 7
JobStatus = 1
Owner = "bob"
ProcId = 0
RequestCpus = 4
RequestGPUs = 1
END
ask condor.long
cat > condor.table <<'END'
ClusterId ProcId Owner JobStartDate CompletionDate LastRemoteHost RequestGPUs JobStatus
5 0 alice 1741636800 1741640400 slot1_1@n1 2 4
6 0 bob 1741640400 1741644000 slot1_1@n2 1 4
7 0 bob undefined undefined undefined 1 1
END
ask condor.table
cat > qstat.txt <<'END'
Job Id: 123456.srv.example.com
    Job_Name = example_job_1
    Job_Owner = alice@EXAMPLE
    resources_used.walltime = 01:00:00
    job_state = R
    queue = gpu
    ctime = Mon Mar 10 19:00:00 2025
    Resource_List.ncpus = 4
    Resource_List.ngpus = 8
    Resource_List.nodect = 2
    exec_host = n1/4*4+
	n2/4*4
    exec_vnode = (n1:ncpus=4:ngpus=4:mem=4096mb)+(n2:ncpus=4:ng
	pus=4)
    stime = Mon Mar 10 20:00:00 2025
    Variable_List = PBS_O_HOME=/home/x,
	PBS_O_LANG=en

Job Id: 123457.srv.example.com
    Job_Name = wait
    Job_Owner = bob@EXAMPLE
    job_state = Q
    queue = gpu
    Resource_List.ngpus = 1
END
ask qstat.txt
cat > squeue.txt <<'END'
JOBID|PARTITION|NAME|USER|STATE|START_TIME|TIME|NODES|NODELIST|TRES_PER_NODE
9078433|gpu|wrap it|alice|RUNNING|2025-03-10T20:00:00|1:00:00|2|n[1-2]|gres/gpu:a100:4
9078434|gpu|wrap|bob|PENDING|2025-03-12T20:00:00|0:00|1||gres/gpu:1
9078435|gpu|x|cy|RUNNING|2025-03-10T21:00:00|1:00:00|1|n2|N/A
END
ask squeue.txt
cat > scontrol.txt <<'END'
JobId=501 JobName=train
   UserId=alice(1001) GroupId=g(100) MCS_label=N/A
   Priority=1 Nice=0 Account=phys QOS=normal
   JobState=RUNNING Reason=None Dependency=(null)
   RunTime=01:00:00 TimeLimit=1-00:00:00 TimeMin=N/A
   StartTime=2025-03-10T20:00:00 EndTime=2025-03-11T20:00:00 Deadline=N/A
   Partition=gpu AllocNode:Sid=login:1
   NodeList=n[1-2]
   NumNodes=2 NumCPUs=16 NumTasks=2
   AllocTRES=cpu=16,mem=64G,node=2,billing=16,gres/gpu=8

JobId=502 JobName=w
   UserId=bob(1002) GroupId=g(100)
   JobState=PENDING Reason=Priority
   StartTime=Unknown EndTime=Unknown
   Partition=gpu
   NodeList=(null)
   NumNodes=1 NumCPUs=1
END
ask scontrol.txt
cat > condor.json <<'END'
[
{"AccountingGroup": "group_a.alice", "Args": "a = b", "ClusterId": 5, "Cmd": "/home/alice/train.sh", "CompletionDate": 1741640400, "JobCurrentStartDate": 1741636800, "JobStatus": 4, "LastRemoteHost": "slot1_1@n1", "Owner": "alice", "ProcId": 0, "RequestCpus": 4, "RequestGPUs": 2},
{"ClusterId": 5, "Cmd": "/home/alice/train.sh", "CompletionDate": 0, "EnteredCurrentStatus": 1741644000, "JobCurrentStartDate": 1741640400, "JobStatus": 3, "LastRemoteHost": "slot1_2@n2", "Owner": "alice", "ProcId": 1, "RequestCpus": 4},
{"ClusterId": 6, "Cmd": "/home/bob/x.sh", "CompletionDate": 0, "JobCurrentStartDate": 1741644000, "JobStatus": 2, "RemoteHost": "slot1@n2", "Owner": "bob", "ProcId": 0, "RequestCpus": 4, "RequestGPUs": 1},
{"ClusterId": 7, "JobStatus": 1, "Owner": "bob", "ProcId": 0, "RequestCpus": 4, "RequestGPUs": 1}
]
END
ask condor.json
cat > qstat.json <<'END'
{"Jobs": {"21.srv": {"Job_Name": "train", "Job_Owner": "alice@login1", "resources_used": {"walltime": "01:00:00"}, "job_state": "F", "queue": "gpu", "exec_host": "n1/0*8", "exec_vnode": "(n1:ncpus=8:ngpus=4)", "Resource_List": {"ncpus": 8, "ngpus": 4, "nodect": 1, "select": "1:ncpus=8:ngpus=4"}, "stime": "Mon Mar 10 20:00:00 2025"}}}
END
ask qstat.json
cat > rest.json <<'END'
{"jobs": [
{"account": "phys", "job_id": 101, "name": "a", "user_name": "alice", "partition": "gpu", "job_state": ["COMPLETED"], "start_time": {"set": true, "infinite": false, "number": 1741636800}, "end_time": {"set": true, "infinite": false, "number": 1741640400}, "nodes": "n[1-2]", "node_count": {"set": true, "infinite": false, "number": 2}, "tres_alloc_str": "cpu=16,mem=64G,node=2,billing=16,gres/gpu=8", "gres_detail": ["gpu:4(IDX:0-3)", "gpu:4(IDX:0-3)"]},
{"account": "phys", "job_id": 102, "name": "b", "user_name": "bob", "partition": "gpu", "job_state": ["RUNNING"], "start_time": {"set": true, "infinite": false, "number": 1741644000}, "end_time": {"set": true, "infinite": false, "number": 1741726800}, "nodes": "n2", "node_count": {"set": true, "infinite": false, "number": 1}, "tres_alloc_str": "cpu=16,mem=64G,node=1,billing=16,gres/gpu:a100=2,gres/gpu=2"},
{"account": "phys", "job_id": 103, "name": "c", "user_name": "bob", "partition": "gpu", "job_state": ["PENDING"], "start_time": {"set": true, "infinite": false, "number": 1741654000}, "end_time": {"set": true, "infinite": false, "number": 0}, "nodes": "", "node_count": {"set": true, "infinite": false, "number": 1}, "tres_alloc_str": "", "tres_req_str": "gres/gpu=2"}
]}
END
ask rest.json
cat > pods.json <<'END'
{"items": [
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "train-0", "namespace": "team-a", "labels": {"app": "x"}, "creationTimestamp": "2025-03-10T19:59:00Z"}, "spec": {"containers": [{"name": "a", "image": "i", "resources": {"limits": {"cpu": "4", "nvidia.com/gpu": "4"}, "requests": {"cpu": "4", "nvidia.com/gpu": "4"}}}, {"name": "sidecar", "resources": {}}], "nodeName": "n1"}, "status": {"phase": "Succeeded", "startTime": "2025-03-10T20:00:00Z", "containerStatuses": [{"name": "a", "state": {"terminated": {"exitCode": 0, "finishedAt": "2025-03-10T21:00:00Z", "startedAt": "2025-03-10T20:00:00Z", "reason": "Completed"}}}]}},
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "infer-0", "namespace": "team-b", "labels": {"app": "x"}, "creationTimestamp": "2025-03-10T19:59:00Z"}, "spec": {"containers": [{"name": "a", "image": "i", "resources": {"limits": {"cpu": "4", "nvidia.com/gpu": "1"}, "requests": {"cpu": "4", "nvidia.com/gpu": "1"}}}, {"name": "sidecar", "resources": {}}], "nodeName": "n2"}, "status": {"phase": "Running", "startTime": "2025-03-10T21:00:00Z", "containerStatuses": [{"name": "a", "state": {"running": {"startedAt": "2025-03-10T21:00:00Z"}}}]}},
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "exporter", "namespace": "monitoring", "labels": {"app": "x"}, "creationTimestamp": "2025-03-10T19:59:00Z"}, "spec": {"containers": [{"name": "a", "image": "i", "resources": {}}, {"name": "sidecar", "resources": {}}], "nodeName": "n2"}, "status": {"phase": "Running", "startTime": "2025-03-10T19:00:00Z", "containerStatuses": [{"name": "a", "state": {"running": {"startedAt": "2025-03-10T19:00:00Z"}}}]}},
{"kind": "Pod", "metadata": {"name": "wait", "namespace": "team-b"}, "spec": {"containers": [{"name": "a", "resources": {"limits": {"nvidia.com/gpu": "8"}}}]}, "status": {"phase": "Pending"}}
]}
END
ask pods.json
# squeue's own columns say how long a job has run, not since when.
printf '%18s %9s %8s %8s %2s %10s %6s %s\n' JOBID PARTITION NAME USER ST TIME NODES 'NODELIST(REASON)' 78 gpu wrap a270 R 1:00:04 1 n1 > queue.txt
gpustat jobs gpu.csv queue.txt
# Cells of a log may stand where records of PBS have theirs.
printf 'data_ora;gpu;potenza (W)\n05/05/2026 07:20:00;0;64,5\n05/05/2026 07:20:05;0;64,5\n05/05/2026 07:20:10;0;64,5\n' > it.csv
gpustat power it.csv -q -f csv --show gpu,rows,power_mean_w
