# A split of several files in another form goes on with the first that was not done, and comes to the same bytes.
mkdir run
for n in 1 2 3; do
    {
        echo "timestamp,host,gpu,power_w"
        for k in $(seq 40); do
            echo "2024-05-01T12:00:$((k % 50 + 10))Z,n$((k % 5)),0,$((100 * n + k))"
        done
    } > run/samples-$n.csv
done
echo "name,host,start,end
a,n1,2024-05-01T12:00:20Z,2024-05-01T12:00:30Z
b,,2024-05-01T12:00:20Z,2024-05-01T12:00:40Z" > run/spans.csv
gpustat split run -o whole --parts 3 -f csv > whole.csv
# The third file of samples cannot be read to its end the first time; its time is put back, so that it is the same file.
cp -p run/samples-3.csv good
sed -i '20s/.*/2024-05-01T12:00:4XZ,n1,0,7/' run/samples-3.csv
truncate -s "$(stat -c %s good)" run/samples-3.csv
touch -r good run/samples-3.csv
gpustat split run -o parts --parts 3 -f csv
echo $?
grep -o '"complete": [a-z]*' parts/split.json
gpustat events parts
echo $?
cp -p good run/samples-3.csv
gpustat split run -o parts --parts 3 -f csv | cmp - whole.csv && diff <(sed 's/"inputs.*//' whole/split.json) <(sed 's/"inputs.*//' parts/split.json) &&
    diff -r -x split.json whole parts && echo same
gpustat split run -o parts --parts 3 -q -f csv | cmp - whole.csv && echo done already
gpustat split run -o parts --parts 3 --tz +01:00
echo $?
