# The folder of a run on a cluster, with a stand-in for Slurm's commands that does each job at once.
mkdir bin
cat > bin/sbatch << 'END'
#!/bin/bash
for a in "$@"; do
    case $a in --array=*) [ -n "$array" ] || array=${a#*=} ;; --*) ;; *) script=$a ;; esac
    printf '%s\n' "$a" >> sbatch.args
done
echo "$(($(wc -l < sbatch.args) + 100))"
for i in ${array/-/ }; do first=${first:-$i} last=$i; done
for i in $(seq ${first:-1} ${last:-1}); do SLURM_ARRAY_TASK_ID=$i sh "$script" >&2; done
END
printf '#!/bin/sh\n' > bin/squeue
printf '#!/bin/sh\necho "$@" >> scancel.args\n' > bin/scancel
printf '#!/bin/sh\n[ "$2" != config ] || echo "MaxArraySize            = 5"\n' > bin/scontrol
chmod +x bin/*
own=$PATH
export PATH=$PWD/bin:$PATH
ask() { gpustat slurm --shards 3 "$@"; echo $?; }
gpustat events data -q -f csv > whole
gpustat slurm --shards 3 --folder F --keep -- events data -f csv 2> err | cmp - whole && echo same
head -n 1 err
gpustat slurm --shards 3 --folder F --keep -q -- events data -f csv | cmp - whole && echo kept
# The file of malformed rows is no input: given again, the command goes on, though the first has written it.
for i in 1 2; do
    gpustat slurm --shards 3 --folder R --keep -q -- events data --rejects rows.csv -f csv | cmp - whole && echo same
done
# Another question, other data behind one pattern, a folder of somebody's.
ask --folder F -- zoom data
ask --folder F -- events data --join window
cp -rL data run
gpustat slurm --shards 3 --folder P --keep -q -- events --checkpoints 'run/app*.csv' --gpu 'run/g*.csv' -f csv | cmp - whole && echo same
sed -i 700d run/gpu.csv
ask --folder P -- events --checkpoints 'run/app*.csv' --gpu 'run/g*.csv'
mkdir mine
echo precious > mine/shard.sh
ask --folder mine -- events data
ls mine; cat mine/shard.sh
# sbatch writes no logs below a backslash.
ask --folder 'a\b' -- events data
mkdir 'c\d' && (cd 'c\d' && ask -- events ../data 2>&1 | sed 's/slurm-[0-9a-f]*:/slurm-X:/'); ls -A 'c\d'
# Options of sbatch, names with a percent sign, what slurm gives itself, arrays that are too large.
rm sbatch.args
gpustat slurm --shards 3 --folder 'a%j' --sbatch "--comment='a b' --array=1-3%1" -q -- events data -f csv | cmp - whole && echo same
grep -v -e dependency sbatch.args | sed "s|$PWD|.|"
gpustat slurm --shards 3 --sbatch-merge --mem=1G -q -- events data -f csv | cmp - whole; tail -n 2 sbatch.args | head -n 1
ask --sbatch "--comment='a" -- events data
ask -- events data --shard 1/3
ask -- events data --partial x
gpustat slurm --shards 2000 -q -- events data -f csv | cmp - whole && grep -e --array sbatch.args | tail -n 1
ask --cancel -- gpus data
ask --cancel --folder P -- events --checkpoints 'run/app*.csv' --gpu 'run/g*.csv'
# The folder is enough: no command, and other shards, which another run may have had.
gpustat slurm --cancel --folder F; echo $?
mkdir empty; gpustat slurm --cancel --folder empty; echo $?; ls -A empty
gpustat slurm --cancel --folder mine; echo $?
: > empty/question; gpustat slurm --cancel --folder empty; echo $?; wc -c < empty/question
gpustat slurm --cancel; echo $?
wc -l < scancel.args
# A cluster that fails is 75, one that is not there 69; nothing is left of either.
printf '#!/bin/sh\necho "sbatch: error: Unable to contact slurm controller" >&2\nexit 1\n' > bin/sbatch
ask -- events data
rm bin/sbatch
mkdir alone
for tool in gpustat; do ln -s "$(PATH=$own command -v $tool)" alone; done
PATH=$PWD/alone ask -- events data
ls -d gpustat-slurm-* 2> /dev/null
