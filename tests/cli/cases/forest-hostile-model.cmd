printf '{"schema": "gpustat.forest/1", "trained": {"operations": 1, "different": 1, "seed": 1}, "encoding": {"dimensions": 1,
"clock": false, "derived": false, "kinds": ["A"], "attributes": []}, "power": null, "time": {"log": false, "roofline": null,
"offset": 0, "scale": 1, "trees": [{"feature": [0,-1,-1], "value": [1,2,3], "right": [4000000000,0,0]}]}}' > m.json
gpustat forest predict data/operations.csv --model m.json
