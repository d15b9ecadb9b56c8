# A pattern names all shards of a table. One that the shell expanded leaves its second file as the operand: no result.
head -n 1 data/gpu.csv | tee shard-1.csv > shard-2.csv
sed -n '2,3000p' data/gpu.csv >> shard-1.csv
sed -n '3001,$p' data/gpu.csv >> shard-2.csv
gpustat gpus data/ -q -f csv > whole
gpustat gpus data/ -q -f csv --gpu 'shard-*.csv' | cmp whole - && echo same
gpustat events --checkpoints data/application-checkpoints.csv --gpu shard-*.csv; echo $?
gpustat events data/ --gpu 'none-*.csv'
