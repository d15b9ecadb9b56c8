# A map that is kept beside the data, a model and the list of a split are listed as such and change no answer.
mkdir run
echo start,stop,event > run/steps.csv
echo timestamp,hostname,gpu,power_w > run/log.csv
for s in 0 1 2 3 4; do
    echo "2026-01-01T00:00:0${s}Z,2026-01-01T00:00:0$((s + 1))Z,step" >> run/steps.csv
    echo "2026-01-01T00:00:0${s}Z,n1,0,100" >> run/log.csv
done
gpustat events run -q -f csv > alone
gpustat map run > run/kept.json
gpustat forest train data/operations.csv --model run/model.json -q > said
gpustat split run -o parts -q > said && cp parts/split.json run/list.json
gpustat events run -q -f csv | cmp - alone && echo same
gpustat map run | grep why
gpustat events run/kept.json
