# --show names the columns whose panels are drawn; one panel, two, none.
unset GPUSTAT_SHOW GPUSTAT_VERBOSE
titles() { grep -v '[|+-]' | grep -E '^(Active|Tasks|Power|Hottest|GPU|Memory)'; }
gpustat timeline data -q --plot - --width 60 --show fleet_power_w | head -n 2
gpustat timeline data -q --plot - --width 60 --show 'temp_*,active_tasks' | titles
gpustat timeline data -q --plot - --width 60 | titles
gpustat timeline data -q --plot one.svg --show fleet_power_w > rows && ls -- *.svg
gpustat timeline data --plot two.svg > rows && ls -- two*.svg
gpustat timeline data -q --plot none.svg --show samples || echo "$?"
gpustat timeline data -q --plot --show fleet_power_w || echo "$?" # the name of the picture is forgotten
