# Marks in somebody's log are the events where no file is a table of them. "truth": 20 samples, the marks at 4 s and 13 s.
exec 2>&1
cat > make.py <<'P'
import os
from datetime import datetime, timezone
T0 = 1736935200  # 2025-01-15T10:00:00Z
def at(t, form): return datetime.fromtimestamp(t, timezone.utc).strftime(form)
rows = [(T0 + k, 100 + 7 * k) for k in range(20)]
inside = [w for t, w in rows if T0 + 4 <= t <= T0 + 13]
print("truth", 1, (13 - 4) * 1000, sum(inside) / len(inside), len(inside))
FORMS = {
    "blanks": lambda t, end: f"{at(t, '%F %T.000')} {('START', 'STOP')[end]} load",
    "brackets": lambda t, end: f"[{at(t, '%F %T')}] [INFO] load {('started', 'finished')[end]}.",
    "logging": lambda t, end: f"{at(t, '%F %T,000')} - INFO - {('Begin', 'End')[end]} load",
    "logger": lambda t, end: f"{at(t, '%F %T.000')} | INFO     | __main__:main:33 - {('start', 'done')[end]} load",
    "behind": lambda t, end: f"{('START', 'END')[end]} load {t}.000",
    "bare": lambda t, end: f"{('START', 'STOP')[end]}: {at(t, '%a %b %d %T UTC %Y')}",
    "joined": lambda t, end: f"{at(t, '%FT%TZ')} load_{('begin', 'end')[end]}",
    "table": lambda t, end: f"{at(t, '%F %T')},load,{('START', 'STOP')[end]}",
}
for name, form in FORMS.items():
    os.mkdir(name)
    open(name + "/smi.csv", "w").write("timestamp, power.draw [W]\n" + "".join(f"{at(t, '%Y/%m/%d %T.000')}, {w} W\n" for t, w in rows))
    noise = "" if name == "table" else "Loading the model, which takes a while to start\n"
    open(name + "/run.log", "w").write(f"{noise}{form(T0 + 4, 0)}\n{noise}{form(T0 + 13, 1)}\n{noise}")
P
python3 make.py
for run in blanks brackets logging logger behind bare joined table; do
    gpustat events $run --join window --tz UTC -q -f csv | cut -d, -f 1-3,10,14 | tail -n 1
done
gpustat map logging -q | tail -n 10
# Prose that begins and never ends marks nothing; of two logs one is to be named; a table of events comes before any log.
mkdir prose two both; cp blanks/smi.csv prose; cp blanks/smi.csv two; cp blanks/* both
printf '2025-01-15 10:00:04 START load\n2025-01-15 10:00:05 a loss\n' > prose/run.log
gpustat events prose --tz UTC
cp blanks/run.log two/a.log; cp brackets/run.log two/b.log
gpustat events two --tz UTC
gpustat events two --events two/b.log --join window --tz UTC -q -f csv | cut -d, -f 1-3,10,14 | tail -n 1
printf 'name,start,stop\nall,2025-01-15T10:00:00,2025-01-15T10:00:19\n' > both/spans.csv
gpustat events both --join window --tz UTC -q -f csv | cut -d, -f 1-3,10,14 | tail -n 1
gpustat events blanks/smi.csv blanks/run.log --join window --tz UTC -q -f csv | cut -d, -f 1-3,10,14 | tail -n 1
