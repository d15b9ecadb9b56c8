# A power that names no GPU may be a host's: 6.5 kW is no wrong unit there, but of one GPU it is. Without a unit W and mW both fit.
python3 - <<'END'
for name, head, place in (("host", "timestamp,node,power_w", "n1"), ("bare", "timestamp,node,power", "n1"), ("gpu", "timestamp,gpu,power_w", "0"), ("far", "timestamp,node,power_w", "n1")):
    with open(name + ".csv", "w") as f:
        print(head, file=f)
        for k in range(120):
            print(f"2025-05-07T14:{k // 60:02}:{k % 60:02}Z,{place},{(26000 if name == 'far' else 6000) + k * 9}", file=f)
END
for log in host bare gpu far; do
    gpustat power $log.csv -f csv 2> err | cut -d, -f 1-2,15
    grep -E 'median|unit' err
done
