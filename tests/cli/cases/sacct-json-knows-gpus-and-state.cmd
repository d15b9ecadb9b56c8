# sacct --json lists what a job holds as objects, and its state as a list: two of six GPUs and four of them.
python3 - <<'P'
import json
job = lambda i, n, state: {
    "job_id": i, "name": "ab"[i], "user": "u", "account": "x", "partition": "gpu", "nodes": "h1", "allocation_nodes": 1,
    "time": {"start": 1773144000, "end": 1773147600, "elapsed": 3600}, "state": state,
    "steps": [{"tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 1}]}}],
    "tres": {"allocated": [{"type": "cpu", "name": "", "id": 1, "count": 8}, {"type": "gres", "name": "gpu:a100", "count": n},
                           {"type": "gres", "name": "gpu", "id": 1001, "count": n}],
             "requested": [{"type": "gres", "name": "gpu", "count": 8}]}}
json.dump({"jobs": [job(0, 2, {"current": ["COMPLETED"], "reason": "None"}), job(1, 4, {"current": "FAILED"})], "meta": {}},
          open("sacct.json", "w"), indent=1)
P
gpustat jobs sacct.json --show job,user,name,state,gpu_h
