# Rows of one second, in milliseconds: their sizes tell; JMeter's instants are those of starts; nobody knows of runs.
python3 - <<'P'
T = 1773144000
rows = lambda head, f, n: "\n".join([head] + [",".join(map(str, f(i))) for i in range(n)]) + "\n"
write = lambda name, text: open(name, "w").write(text)
write("jmeter.csv", rows("timeStamp,elapsed,label,success", lambda i: (1000 * (T + i), 900 + i, "get", "true"), 40))
write("ms.csv", rows("start,duration,name", lambda i: (1000 * (T + i), 1000, "get"), 40))
write("s.csv", rows("start,duration,name", lambda i: (1000 * (T + 10 * i), 10, "get"), 40))
write("requests.csv", rows("start,latency", lambda i: (T + i, 1000), 40))
write("runs.csv", rows("start,elapsed,name", lambda i: (f"2026-03-10T12:00:0{i}", 3600, "job"), 8))
P
for f in jmeter ms s requests runs; do gpustat events $f.csv --show event,n,duration_mean_ms --format csv 2>&1 | grep -v -e 'more columns' -e 'no file holds' -e 'without a zone' -e 'told by their size'; done
gpustat events runs.csv --set events.duration.unit=s --show event,n,duration_mean_ms --format csv 2> err
