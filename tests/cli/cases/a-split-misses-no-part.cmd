# A part that is removed, changed or another split's, and a split.json that is damaged or missing: an error for all.
gpustat split data/ -o parts --parts 4 -q > files
gpustat split data/ -o others --parts 3 -q > files
gpustat events data/ -q -f csv > whole
gpustat events parts -q -f csv | cmp - whole && echo same
for file in parts/*.zst; do zstd -q -d -c "$file" > /dev/null || echo "$file is not for zstd"; done
try()
{
    for more in "" "--shard 1/4 --partial x.state"; do
        gpustat events changed -q $more
        echo $?
    done
    rm -rf changed
    cp -r parts changed
}
cp -r parts changed
rm changed/application-checkpoints-0002.csv.zst; try
cp others/gpu-0001.csv.zst changed; try
# Of the same size, with another byte in the mark behind the rows, which no reader of zstd looks at.
printf x | dd of=changed/gpu-0001.csv.zst bs=1 seek=$(($(stat -c %s changed/gpu-0001.csv.zst) - 2)) conv=notrunc status=none; try
echo '{' > changed/split.json; try
rm changed/split.json; try
sed -i 's/"complete": true/"complete": false/' changed/split.json; try
sed -i 's/gpu-0003/gpu-0009/' changed/split.json; try
# Files by their names: some of the parts may be asked for, but none may be lost.
gpustat events --checkpoints 'parts/app*' --gpu 'parts/gpu-000[12]*' -q -f csv | cut -d, -f 1,2 | head -n 2
rm changed/application-checkpoints-0002.csv.zst
gpustat events --checkpoints 'changed/app*' --gpu 'changed/gpu*' -q; echo $?
gpustat events changed/app* changed/gpu* -q; echo $?
cp parts/application-checkpoints-0002.csv.zst changed
# A file by its name is held against the digest, too.
printf x | dd of=changed/gpu-0001.csv.zst bs=1 seek=$(($(stat -c %s changed/gpu-0001.csv.zst) - 2)) conv=notrunc status=none
gpustat power changed/gpu-0001.csv.zst -q -f csv
echo $?
# A table beside the parts would count its rows twice; one that the split has not is read.
cp data/gpu.csv parts
gpustat events parts -q; echo $?
gpustat events parts --shard 1/3 --partial one -q; echo $?
rm parts/gpu.csv
cp data/power-log.csv parts && gpustat events parts -q -f csv | cmp - whole && echo same
rm parts/power-log.csv
# Somebody else's split.json does no harm.
cp -rL data run
echo '{"mine": 1}' > run/split.json
gpustat events run -q -f csv | cmp - whole && echo same
# One that was interrupted where a frame of zstd had ended looks whole to who unpacks it.
rm -rf changed; cp -r parts changed
sed -i 's/"complete": true/"complete": false/' changed/split.json
for file in changed/*.zst; do zstd -q -d -c "$file" | head -n 900 | zstd -q > "$file.partial"; rm "$file"; done
gpustat events changed -q; echo $?
gpustat gpus changed/gpu-0001* -q; echo $?
