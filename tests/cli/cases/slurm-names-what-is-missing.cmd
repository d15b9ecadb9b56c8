# A run in place of a command, and what sbatch says in several lines.
mkdir farm bin
gpustat slurm farm
printf '#!/bin/sh\nprintf "error: no account\\nerror: see the docs\\n" >&2\nexit 1\n' > bin/sbatch
chmod +x bin/sbatch
PATH=$PWD/bin:$PATH gpustat slurm --shards 2 -- events data
