# Lists of jobs whose own words name GPUs, hosts, users and lengths: two GPU-hours of ann (of one GPU 1.5), half of one of bob. The first row
# of a list has one number, so that the column could count.
{
    echo time,host,gpu,power_w
    for t in 08:00:00 08:30:00 09:00:00 09:30:00; do
        for h in n1 n2; do echo "2026-03-01 $t,$h,0,300"; echo "2026-03-01 $t,$h,1,300"; done
    done
} > gpu.csv
mkdir visible named marked hours
for d in visible named marked hours; do cp gpu.csv $d; done
cat > visible/jobs.csv <<'J'
JOB_ID,USER,HOSTNAME,CUDA_VISIBLE_DEVICES,BEGIN,END
1,bob,n2,0,2026-03-01 08:00:00,2026-03-01 08:30:00
2,ann,n1,"0,1",2026-03-01 08:00:00,2026-03-01 09:00:00
J
cat > named/jobs.csv <<'J'
job,user,devices,start,end
1,bob,n2:0,2026-03-01 08:00:00,2026-03-01 08:30:00
2,ann,n1:0 n2:1,2026-03-01 08:00:00,2026-03-01 09:00:00
J
cat > marked/log.csv <<'J'
time,event,job,user,host,gpus
2026-03-01 08:00:00,start,1,bob,n2,1
2026-03-01 08:00:00,start,2,ann,n1,2
2026-03-01 08:30:00,end,1,bob,n2,1
2026-03-01 09:00:00,end,2,ann,n1,2
J
cat > hours/jobs.csv <<'J'
job,user,host,device,begin,hours
1,bob,n2,cuda:0,2026-03-01 08:00:00,0.5
2,ann,n1,cuda:1,2026-03-01 08:00:00,1.5
J
for d in visible named marked hours; do
    echo "== $d"
    gpustat jobs $d -f csv --show job,user,gpu_h 2> err || cat err
    grep -v 'note:' err
    gpustat $d | grep 'Read as'
done
true
