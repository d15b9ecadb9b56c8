# A model file knows its bytes: a damaged one is refused, one without the line, as version 0.2 wrote it, is read.
head -n 41 data/operations.csv > o.csv
gpustat forest train o.csv --model m.json -q -f csv | cut -d, -f 1-3
gpustat forest predict o.csv --model m.json -q -f csv > whole
sed 2d m.json > old.json
gpustat forest predict o.csv --model old.json -q -f csv | cmp - whole && echo same
sed '3s/"seed": 1/"seed": 2/' m.json > damaged.json
gpustat forest predict o.csv --model damaged.json -q
echo $?
head -c -1 m.json > short.json
gpustat forest predict o.csv --model short.json -q
