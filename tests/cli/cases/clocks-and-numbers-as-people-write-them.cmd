# Minutes and seconds since the begin, years of two digits, an epoch with a comma, thousands in groups.
python3 - <<'END'
def log(name, head, row): open(name, "w").write(head + "\n" + "".join(row(k) + "\n" for k in range(0, 130)))
log("mmss.csv", "elapsed,watts", lambda k: f"{k // 60 + 59:02}:{k % 60:02},100")
log("wraps.csv", "time,watts", lambda k: f"{(k // 60 + 59) % 60:02}:{k % 60:02}.250,100")
log("hhmm.csv", "time,power_w", lambda k: f"{14 + k // 60}:{k % 60:02},100")
log("mdy.csv", "time,power_w", lambda k: f"05/27/25 14:{k // 60:02}:{k % 60:02},100")
log("dmy.csv", "time;power_w", lambda k: f"27.05.25 14:{k // 60:02}:{k % 60:02};100,0")
log("both.csv", "time,power_w", lambda k: f"05/07/25 14:{k // 60:02}:{k % 60:02},100")
log("epoch.csv", "timestamp;watt", lambda k: f"{1746626590 + k},25;100,0")
log("seconds.csv", "t;watt", lambda k: f"{k // 8},{k % 8 * 125:03};100,0")
log("groups.csv", "timestamp,power_mw", lambda k: f'{1746626590 + k},"100,{k % 2:03}"')
log("bare.csv", "timestamp,power", lambda k: f'{1746626590 + k},"100,{k % 2:03}"')
log("mixed.csv", "timestamp,power_mw", lambda k: f'{1746626590 + k},"100,{k % 2 + 10}"')
open("run.csv", "w").write("event,start,stop\nwarm,59:10,59:20\nrun,59:20,60:50\n")
END
for log in *s.csv h*.csv d*.csv both.csv epoch.csv bare.csv m*.csv; do
    echo "$log $(gpustat map $log 2> err | grep -oE '("time"|"metrics"): .*|"from".*Z"' | tr '\n' ' ')"
    gpustat power $log -q -f csv | cut -d, -f 1-2,12 | tail -1
    grep -v 'note: .*power' err
done
gpustat events run.csv mmss.csv -q -f csv --set events.origin=2025-05-27T00:00:00Z --set samples.origin=2025-05-27T00:00:00Z | cut -d, -f 1-3,10,15
# A time in one number, parts of a second behind a colon, watt-seconds, a counter that nothing names, whole mW without a header.
python3 - <<'END'
def log(name, head, row): open(name, "w").write(head + "".join(row(k) + "\n" for k in range(60)))
log("compact.csv", "timestamp,gpu,watt\n", lambda k: f"202505071403{k:02},0,100")
log("compactT.csv", "timestamp,watt\n", lambda k: f"20250507T1403{k:02},100")
log("colon.csv", "timestamp,watt\n", lambda k: f"2025-05-07 14:03:{k:02}:250,100")
log("ws.csv", "timestamp,gpu_energy_ws\n", lambda k: f"2025-05-07 14:03:{k:02},{100 * k}.0")
log("counter.csv", "Time,gpu0,gpu1\n", lambda k: f"2025-05-07T14:03:{k:02},{100000 * k},{200000 * k}")
log("nvml.txt", "", lambda k: f"{1746626590 + k}.000 {100000 + k % 2} 0 40")
END
for log in compact*.csv colon.csv ws.csv; do
    echo "$log $(gpustat power $log -q -f csv | cut -d, -f 1-2,15 | tail -1)"
done
gpustat power counter.csv
gpustat power counter.csv --set 'samples.metrics.energy_j.columns=gpu{gpu}' --set samples.metrics.energy_j.unit=mJ -q -f csv | cut -d, -f 1-2,15
gpustat power nvml.txt
gpustat power nvml.txt --columns timestamp,power_mw,-,- -q -f csv | cut -d, -f 1-2,15 | tail -1
