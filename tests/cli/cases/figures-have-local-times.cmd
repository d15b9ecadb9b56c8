# An axis along time has the zone of --tz, here of times that name none; UTC without it.
for zone in Asia/Kolkata UTC; do gpustat timeline data/own --tz $zone -q --format gnuplot | grep -e 'xtics (' -e xlabel.*time; done
