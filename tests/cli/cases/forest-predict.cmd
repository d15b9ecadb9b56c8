cat > m.json <<'M'
{"schema": "gpustat.forest/1", "trained": {"operations": 2, "different": 2, "seed": 1},
"encoding": {"dimensions": 1, "clock": true, "derived": false, "kinds": ["Linear", "ReLU"], "attributes": ["inplace"]},
"time": {"log": false, "roofline": null, "offset": 1, "scale": 2, "trees": [
{"feature": [6,-1,-1], "value": [1000,1,0.25], "right": [2,0,0]},
{"feature": [1,-1,0,-1,-1], "value": [0.5,1.5,0.5,0,0.5], "right": [2,0,4,0,0]}]},
"power": {"log": false, "roofline": null, "offset": 100, "scale": 1, "trees": [
{"feature": [-1], "value": [25], "right": [0]}]}}
M
cat > o.csv <<'O'
model,op,input_size,clock,count
net,ReLU(inplace=True),"(32, 8)",900,3
net,"Linear(in_features=8, out_features=4)","(32, 8)",900,2
net,ReLU(inplace=True),"(32, 8)",1500,3
net,"Linear(in_features=8, out_features=4)","(32, 8)",1500,2
odd,GELU(),"(32, 8)",900,1
O
gpustat forest predict o.csv --model m.json --format csv
sed 's/^"encoding"/"interval": {"time": [2, 0.05], "energy": [1.5, 0.1]},\n&/' m.json > with.json
gpustat forest predict o.csv --model with.json --format csv
sed 's/^"encoding"/"interval": {"time": [2]},\n&/' m.json > bad.json
gpustat forest predict o.csv --model bad.json
sed 's/^"encoding"/"interval": {"time": [-2, 1]},\n&/' m.json > bad.json
gpustat forest predict o.csv --model bad.json
