try() { gpustat "$@" > out 2> err; echo "$? $(grep -vE 'warning|note' err | head -n 1)"; }
try events data/ --gpu ''
try events data/ --checkpoints= --gpu x
try summary data/ -f gnuplot
mkdir d && cp data/*.csv d && head -n 1 data/task-x-y.csv > d/task-x-y.csv
try tiles d
try tiles d --level 4
try events data/ --tolerance 9000000000001ns
try events data/ --sort duraton_mean_ms:desc
try events data/ --sort n,powr_mean_w
try events data/ --sort nothing_like_it
try help forest train
try help forest trian
try help events data
