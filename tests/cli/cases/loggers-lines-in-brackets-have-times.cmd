# Lines of a logger: a time in brackets, words, and labels with units a blank away. The first is data, no header. 100 W for 9 s are
# 900 J. Comet's columns sys.gpu.N.power_usage are those of GPUs: 100 and 200 W.
for time in '[2025-05-07 14:03:0' '[2025-05-07T14:03:0'; do
    for i in 0 1 2 3 4 5 6 7 8 9; do echo "$time$i] INFO GPU 0: power=100.0 W temp=40 C util=5%"; done > run.log
    gpustat balance run.log -q -f csv | cut -d , -f 1-4 | tail -1
done
{ echo timestamp,sys.gpu.0.power_usage,sys.gpu.1.power_usage; for i in 0 1 2 3 4 5 6 7 8 9; do echo "174662659${i}000,100.5,200.5"; done; } > comet.csv
gpustat gpus comet.csv -q -f csv --show power_mean_w
