# What merge prints is what the command prints on the whole run, in the zone that its parts were told.
unset GPUSTAT_SHOW
for shard in 1 2; do gpustat timeline data/own --tz +05:30 --every 30s --shard $shard/2 --partial $shard.part -q; done
gpustat merge 1.part 2.part -q
gpustat merge 1.part 2.part -q --show all > merged
gpustat timeline data/own --tz +05:30 --every 30s -q --show all | cmp - merged && echo same
