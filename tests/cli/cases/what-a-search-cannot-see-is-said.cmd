# A link to nothing and a folder thirteen deep: neither is read, and both are named, also beside files that are.
deep=run/1/2/3/4/5/6/7/8/9/10/11/12
mkdir -p $deep/13
printf 'time,gpu_idx,power_draw_w\n2024-05-01T12:00:00Z,0,100\n2024-05-01T12:00:01Z,0,100\n' > run/node1.csv
cp run/node1.csv $deep/node2.csv
cp run/node1.csv $deep/13/node3.csv
ln -s gone.csv run/node4.csv
gpustat gpus run -f csv | cut -d, -f1-5
gpustat map run -f csv | cut -d, -f1-3
