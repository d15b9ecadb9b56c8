# --filter keeps rows by what their columns hold, as numbers or texts, before --fail-if, --sort and --top look; rows kept in files, too.
gpustat events data -q -f csv --filter 'n>60' --show event,n
gpustat events data -q -f csv --filter 'event != Render' --filter 'duration_mean_ms<1000' --show event,duration_mean_ms
gpustat gpus data -q --filter 'gpu_verdict=hot' -f csv | wc -l
gpustat events data -q --filter 'event=Render' --fail-if 'event=Tiling' > /dev/null; echo $?
gpustat join data -q -f csv --filter event=Tiling --sort duration_ms:desc --top 3 | cut -d, -f 9,14
gpustat join data -q -f csv --filter event=Tiling --max-memory 40M | cksum
gpustat join data -q -f csv --filter event=Tiling | cksum
gpustat events data -q --filter 'evnt=Render'
gpustat events data -q --filter 'n>many'
gpustat events data -q --filter 'n'
# A condition has no patterns: one that is typed as elsewhere is refused, not compared letter by letter.
for op in '=~' '!~'; do gpustat gpus data/ --filter "host$op[" 2>&1 | head -n 1; done
gpustat gpus data/ -q --filter 'host= ~x'
