# A pattern names all shards of a table, in quotes or expanded by the shell; one that names none is an error.
head -n 1 data/gpu.csv | tee shard-1.csv > shard-2.csv
sed -n '2,3000p' data/gpu.csv >> shard-1.csv
sed -n '3001,$p' data/gpu.csv >> shard-2.csv
gpustat gpus data/ -q -f csv > whole
gpustat gpus data/ -q -f csv --gpu 'shard-*.csv' | cmp whole - && echo same
gpustat gpus --checkpoints data/application-checkpoints.csv --tasks data/task-x-y.csv -q -f csv --gpu shard-*.csv | cmp whole - && echo same
gpustat events data/ --gpu 'none-*.csv'
