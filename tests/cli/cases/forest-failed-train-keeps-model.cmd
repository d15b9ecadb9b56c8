echo old > m.json
printf 'op,input_size,time_s\nReLU(),"(1, 2)",fast\n' > o.csv
gpustat forest train o.csv --model m.json
code=$?
cat m.json
exit $code
