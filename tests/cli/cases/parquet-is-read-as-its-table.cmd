# The same rows as Parquet and as a table give the same bytes, by columns, options and maps; what is not read is named.
files=$CASES/../../parquet
unit='--set samples.metrics.power_w.column=power --set samples.metrics.power_w.unit=W'
same()
{
    "${@//EXT/parquet}" 2>&1 | sed 's/[.]parquet/.csv/g' > as-parquet
    "${@//EXT/csv}" > as-csv 2>&1
    cmp as-parquet as-csv && echo "same: $(wc -l < as-csv) lines"
}
cp "$files/polars-zstd.parquet" log.parquet
cp "$files/polars.csv" log.csv
for c in map gpus 'check -f csv' 'power -f csv' 'gpus --max-memory 64M' 'gpus --shard 1/2'; do
    same gpustat $c log.EXT $unit
done
same gpustat gpus log.EXT --set samples.metrics.power_w.column=power --set samples.metrics.power_w.unit=mW
gpustat gpus log.parquet $unit -q --show hostname,gpu_serial,samples,power_mean_w,temp_mean_c -f csv
cp "$files/wasm-delta.parquet" run.parquet
cp "$files/wasm.csv" run.csv
same gpustat events --events run.EXT --set events.event=host --set events.start=t --set events.duration=util --set events.duration.unit=ms
same gpustat events --events run.EXT --set events.event=nothing --set events.start=t
mkdir study && cp "$files/samples-typed.parquet" study/gpu.parquet && cp "$files/events.parquet" study/application-checkpoints.parquet &&
    cp "$files/tasks.parquet" study/task-x-y.parquet
gpustat gpus study --event Render -q -f csv --show hostname,gpu_serial,gpu_uuid,samples,power_mean_w,temp_mean_c | head -4
cp "$files/refused-lz4.parquet" lz4.parquet && gpustat gpus lz4.parquet
echo $?
head -c 3000 log.parquet > cut.parquet && gpustat gpus cut.parquet
echo $?
cat log.parquet | gpustat gpus - $unit -q -f csv | cmp - <(gpustat gpus log.parquet $unit -q -f csv) && echo from a pipe
cp log.parquet study/gpu-1.parquet && cp log.csv study/gpu-1.csv && gpustat gpus study
echo $?
