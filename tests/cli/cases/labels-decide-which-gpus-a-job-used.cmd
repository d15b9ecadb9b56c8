# Where samples of a host name a job, its events use those GPUs by every door; a GPU without a label is not everybody's.
mkdir run
(echo timestamp,hostname,gpu,power_w,job_id; for t in 00 10 20 30; do echo "2025-03-04T09:30:${t}Z,n1,0,100,7"; echo "2025-03-04T09:30:${t}Z,n1,1,300,"; done) > run/samples.csv
printf 'job_id,name,hostname,start,end\n7,a,n1,2025-03-04T09:30:00Z,2025-03-04T09:30:30Z\n' > run/jobs.csv
gpustat events run -q -f csv --show event,energy_sum_j
gpustat jobs run -q -f csv --show job,energy_j
gpustat balance run -q -f csv --show part,energy_j | head -n 2
