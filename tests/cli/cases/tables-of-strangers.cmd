# What the second draw of strangers' files taught, a small table each.
exec 2>&1
say() { echo "$* ::"; gpustat "$@"; }
time='2024-05-01T12:00:0'
# Points and commas before the tenths: which are thousands cannot be known.
printf 'time;power_w\n%s0Z;1.234\n%s1Z;12,5\n' $time $time > mixed.csv; say power mixed.csv; say gpus mixed.csv
printf 'time;power_w;note\n%s0Z;12,25;1.5\n%s1Z;12,5;2.5\n' $time $time > commas.csv; gpustat gpus commas.csv -q -f csv | cut -d, -f 5
# A first row of decimals, or of words and decimals, is no header; whole numbers may be names.
printf '2.22357,1.39899,0,0,0.100519\n1.74237,0.691232,0.158065,0,0.200915\n' > rapl.csv; say power rapl.csv
printf 'bert,1.56,12868\nxlnet,2.5,7380\n' > words.csv; say gpus words.csv
# A logger's own instant before nvidia-smi's, for which the header has no name.
printf 'time,gpu_index,power_w\r\n2026-05-06 10:06:45,2026/05/06 10:06:45.521, 0, 2.5\r\n2026-05-06 10:06:46,2026/05/06 10:06:46.593, 0, 3.5\r\n' > twice.csv
gpustat gpus twice.csv -q -f csv | cut -d, -f 1-5; gpustat map twice.csv 2> /dev/null | grep -E 'columns"|found'
# A known column without any value is known all the same.
printf 'timestamp, memory.used [MiB]\n2025/12/20 14:50:42.034, [N/A]\n2025/12/20 14:50:47.035, [N/A]\n' > na.csv
gpustat gpus na.csv -q -f csv | cut -d, -f 1-5; say power na.csv
# Comments with a GPU in them are no header of dmon.
printf '#Warming up the GPU\n5.1 ms\t164.6 W\t68 C\t0\t-15.0 ms\n20.2 ms\t163.0 W\t68 C\t0\t0.0 ms\n' > warm.tsv; say power warm.tsv
# EnergiBridge where it has a processor's counter alone.
printf 'Delta,Time,CORE0_ENERGY (J),CPU_ENERGY (J)\n0,1714564800000,10,1000.5\n100,1714564800100,11,1010.5\n' > bridge.csv
gpustat gpus bridge.csv -q -f csv | cut -d, -f 1-4,15
# A torn last row makes no GPU.
printf 'timestamp, index, power.draw [W]\n2024/05/01 12:00:00.000, 0, 100 W\n2024/05/01 12:00:00.000, 1, 100 W\n2024/05/01 12:00:01.000, 0, 100 W\n2024/05/01 12:00:01.000,' > torn.csv
gpustat power torn.csv -q -f csv | cut -d, -f 1-4
printf 'Time,GPU,Util (%%),gpu_mem_usage (MiB)\n%sZ,RTX 3070,55,909\n' ${time}0 > util.csv; gpustat gpus util.csv -q -f csv | cut -d, -f 1-8
# Rows without times: means need none; a power waits for how far they lie apart, and needs no origin without events.
printf 'utilization.gpu [%%], temperature.gpu\n10 %%, 50\n30 %%, 52\n' > untimed.csv; gpustat gpus untimed.csv -f csv | cut -d, -f 1-7
printf 'utilization.gpu [%%], power.draw [W]\n10 %%, 50 W\n30 %%, 52 W\n' > counted.csv; say gpus counted.csv
gpustat gpus counted.csv --set samples.time.every=2s -f csv | cut -d, -f 1-7,12
# A header alone has no rows.
printf 'timestamp,gpu_id,temperature\n' > bare.csv; say gpus bare.csv
