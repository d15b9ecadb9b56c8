# The same bytes whole, in shards, in passes, by threads and from rows in any order.
gpustat diff data data -q --format csv --by event,host > whole.csv
for i in 1 2 3; do gpustat diff data data -q --by event,host --shard $i/3 --partial $i.part; done
gpustat merge 2.part 3.part 1.part -q --format csv | cmp - whole.csv && echo shards
gpustat diff data data -q --format csv --by event,host --max-memory 8M | cmp - whole.csv && echo passes
gpustat diff data data -q --format csv --by event,host -j 1 | cmp - whole.csv && echo threads
mkdir turned
for f in application-checkpoints gpu task-x-y; do
    head -n 1 data/$f.csv > turned/$f.csv
    tail -n +2 data/$f.csv | tac >> turned/$f.csv
done
gpustat diff turned data -q --format csv --by event,host | cmp - whole.csv && echo order
gpustat diff --base data turned -q --format csv --by event,host | cmp - whole.csv && echo base
