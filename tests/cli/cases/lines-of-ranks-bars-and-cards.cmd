# What launchers and bars write around a step: a rank in front of the time, the loop between two bars, a tag with a colon.
titled() { echo "== $1"; }
for i in 0 1 2 3 4 5 6 7; do
    echo "[rank0]:2024-05-01 12:0$i:00 step: $i loss: 2.$i" >> rank.log
    echo "[default0]:[2024-05-01 12:0$i:00,123] INFO step: $i/8 loss: 2.$i" >> elastic.log
    echo "3: 2024-05-01 12:0$i:00 step: $i loss: 2.$i" >> srun.log
    echo "| train | step $i/8 | 225 ms/step |" >> bars.log
    printf '2024-05-01 12:0%s:00 START: train batch: 32\n2024-05-01 12:0%s:30 END: train batch: 32\n' $i $i >> tag.log
    echo "{\"datetime\": \"2024-05-01 12:00:0$i\", \"card0\": {\"Average Graphics Package Power (W)\": \"10$i.0\"}, \"card1\": {\"Average Graphics Package Power (W)\": \"20$i.0\"}}" >> rocm.jsonl
done
echo '| eval | step 1/4 | 50 ms/step |' >> bars.log
for log in rank elastic srun bars tag; do titled $log; gpustat events $log.log --show event,n,duration_mean_ms -f csv -q; done
titled rocm; gpustat power rocm.jsonl --show gpu,energy_j -f csv -q
# Text between tabs is seldom quoted.
printf 'timestamp\tpower_w\tnote\n1754586056\t100\tplain\n1754586061\t100\ta 12" disk\n1754586066\t100\tplain\n' > note.tsv
titled note; gpustat power note.tsv --set samples.gpu=note --show gpu,rows -f csv -q
# Archives are no logs: in a folder they are named, by themselves they are to be unpacked.
mkdir run && cp rocm.jsonl run && printf 'event,start,stop\na,1714564800,1714564805\n' > ev.csv && tar -czf run/code.tar.gz ev.csv
titled archive; gpustat power run --show gpu,energy_j -f csv 2>&1 | grep -v -e uncertain -e sensor
gpustat events run/code.tar.gz 2>&1
# Prose is named so, and nothing is proposed for it.
printf '2025-12-27 22:11:53.985\tINFO\tstarted\n2025-12-27 22:11:54.985\tINFO\tread\n2025-12-27 22:11:55.985\tINFO\twrote\n' > prose.log
printf 'Loading model\n  Peak memory: 329.44 KB\nLoading data\n  Peak memory: 330.1 KB\n' > sizes.log
echo '{"date": "2026-06-28", "model": "m", "power_limit_w": 220, "power_w": 200}' > day.jsonl
titled prose; for f in prose.log sizes.log day.jsonl; do gpustat power $f 2>&1; done
