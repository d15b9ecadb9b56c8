# A report of Nsight Systems beside a log of nvidia-smi: CUDA's device 0 is the second GPU, which draws 300 W.
python3 - << 'END'
import sqlite3
db = sqlite3.connect("report.sqlite")
db.executescript("""
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, textId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, globalPid INTEGER,
    demangledName INTEGER, shortName INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, globalPid INTEGER,
    copyKind INTEGER);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT, uuid TEXT);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);
INSERT INTO StringIds VALUES (1, 'forward'), (2, 'void gemm<float>(int)'), (3, 'gemm');
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1714564800000000000, '', '');
INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('Hostname', 'node7');
INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'A100', 'GPU-aaaaaaaa'), (0, 1, 'A100', 'bbbbbbbb-1111-2222-3333-444444444444');
INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (1, 0, 100);
""")
process, second = 100 << 24, 10**9
db.executemany("INSERT INTO NVTX_EVENTS VALUES (?, ?, ?, ?, ?, ?)",
               [(1 * second, 5 * second, 59, None, process | 7, 1), (5 * second, 9 * second, 60, "back", process, None),
                (100, None, 34, "a mark", process, None), (9 * second, None, 59, "never ended", process, None)])
db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, ?, 2, 3)",
               [(2 * second, 4 * second, process), (6 * second, 8 * second, process)])
db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?, ?, 0, ?, 1)", (1 * second, 2 * second, process))
db.commit()
db.executescript("VACUUM INTO 'sampled.sqlite'")
db = sqlite3.connect("sampled.sqlite")
db.executescript("""
CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);
CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, metricId INTEGER, metricName TEXT);
""")
for gpu in 0, 1:
    kind = 1 << 40 | gpu
    db.execute("INSERT INTO TARGET_INFO_GPU_METRICS VALUES (?, 1, 'SMs Active [Throughput %]')", (kind,))
    db.execute("INSERT INTO TARGET_INFO_GPU_METRICS VALUES (?, 2, 'GPU Power [W]')", (kind,))
    for k in range(11):
        db.execute("INSERT INTO GPU_METRICS VALUES (?, ?, 1, 50)", (k * second, kind))
        db.execute("INSERT INTO GPU_METRICS VALUES (?, ?, 2, ?)", (k * second, kind, 100 + 200 * gpu))
db.commit()
db.executescript("CREATE TABLE x (a)")
sqlite3.connect("other.db").executescript("CREATE TABLE t (a)")
with open("smi.csv", "w") as log:
    log.write("timestamp, index, uuid, power.draw [W]\n")
    for k in range(11):
        log.write("2024/05/01 12:00:%02d.000, 0, GPU-aaaaaaaa, 100.00 W\n" % k)
        log.write("2024/05/01 12:00:%02d.000, 1, GPU-bbbbbbbb-1111-2222-3333-444444444444, 300.00 W\n" % k)
END
gpustat map report.sqlite 2>&1
for what in "report.sqlite smi.csv --tz UTC" "report.sqlite smi.csv --tz UTC --set events.gpu=device --set samples.gpu=index" \
    sampled.sqlite; do
    gpustat events $what --join window -f csv -q | cut -d, -f 1-3,10,15
done
head -c 5000 report.sqlite > torn.sqlite
gzip -k report.sqlite
for file in torn.sqlite report.sqlite.gz other.db; do gpustat map $file 2>&1; done
gpustat map - 2>&1 < report.sqlite
ls
