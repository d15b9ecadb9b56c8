# --fail-if: exit status 1 where a row of the whole result holds the condition, whatever is shown of it; the result is printed.
cat > log.csv <<'CSV'
time,gpu,power_w,temp_c
2025-01-01T00:00:00Z,a,100,40
2025-01-01T00:00:10Z,a,100,
2025-01-01T00:00:00Z,b,300,60
2025-01-01T00:00:10Z,b,300,60
CSV
try() { gpustat gpus log.csv -q --format csv --top 1 --fail-if "$1" > out 2>&1; echo "$? $(wc -l < out) $1"; grep -h gpustat: out; }
try 'power_mean_w>200'
try 'power_mean_w > 300'
try 'power_mean_w>=300'
try 'power_mean_w<100.5'
try 'samples=2'
try 'gpu_uuid=b'
try 'gpu_uuid!=b'
try 'gpu_uuid!=a'
try 'gpu_verdict!=ok'
try 'samples<=2'
try 'tasks<=0' # without events tasks are missing, not zero
try 'nothing=1'
try 'power_mean_w>many'
try 'power_mean_w'
try 'power_mean_w=>3'
