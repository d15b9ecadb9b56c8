# What a compact document gives is what the same gives over many lines, whatever its lines look like.
python3 - <<'P'
import json
phases = {"measurements": {k: {"gpu_mw": 62000, "n": n} for n, k in enumerate("abc")}, "phases": {"a": [1, 2], "b": [3, 4]}}
jobs = {"meta": {"v": 1}, "data": {"attributes": {"time": "2025-12-17T14:26:55Z", "jobs": [
    {"job_id": i, "user": "u", "start_time": f"2025-12-16T1{i}:00:00Z", "end_time": f"2025-12-16T1{i}:30:00Z",
     "held": "cpu=4,gres/gpu:a100=2,gres/gpu=2,node=1", "nodes": ["n1"]} for i in range(3)]}}}
slurm = {"slurm_jobs": [{"JobID": i, "User": "u", "State": "COMPLETED", "Start": f"2025-03-24T0{k}:00:00", "End": f"2025-03-24T0{k}:30:00",
    "AllocTRES": "billing=4,cpu=4,gres/gpu=4,node=1", "JobName": "a"} for k, i in enumerate(("7", "7.batch", "8"))]}
for name, what in ("phases", phases), ("jobs", jobs), ("slurm", slurm):
    json.dump(what, open(name + ".json", "w"))
    json.dump(what, open(name + "-pretty.json", "w"), indent=1)
P
for f in phases jobs slurm; do
    gpustat jobs $f.json --show job,user,name,gpu_h > a 2> a.err
    gpustat jobs $f-pretty.json --show job,user,name,gpu_h > b 2> b.err
    cmp a b
    cat b
    head -1 b.err | cut -c1-60
done
