# Two files, each of a host of its own, whose GPUs are called alike: they are two.
mkdir run
for h in 1 2; do
    echo 'timestamp, index, serial, power.draw [W]'
    for s in 0 1 2 3; do echo "2024/03/05 10:00:0$s.000, 0, [N/A], ${h}0$s.00 W"; done
done | split -l 5 --numeric-suffixes=1 -a 1 --additional-suffix=.csv - run/node
printf 'event,start,stop\ntrain,2024-03-05 10:00:00,2024-03-05 10:00:03\n' > run/steps.csv
for j in 1 2; do gpustat gpus run --event train -q -f csv -j $j | cut -d, -f 1-5; done
