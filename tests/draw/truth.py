#!/usr/bin/env python3
"""What the files of the draw come to, read apart from gpustat: rows, first and last instant, GPUs, mean of each metric.

truth.py FOLDER [LIST] prints a line of JSON for each file of draw.tsv, or of LIST, that lies in FOLDER (named OWNER+REPO__PATH), by the shape that
its row of draw.tsv names. A shape is written here by hand after reading the file: what a person sees in it.
"""
import csv, io, json, math, os, re, sys
from datetime import datetime, timezone, timedelta

def number(text):
    m = re.match(r'\s*(-?\d*\.?\d+(?:[eE][-+]?\d+)?)\s*([A-Za-z%]*)\s*$', text or '')
    return (float(m.group(1)), m.group(2)) if m else (None, '')

SCALE = {'mW': 1e-3, 'kW': 1e3}

def instant(text, form):
    text = text.strip()
    if form == 'epoch':
        return float(text)
    if form == 'iso':
        t = datetime.fromisoformat(text.replace('Z', '+00:00').replace('/', '-'))
    else:
        t = datetime.strptime(text, form)
        t = t if '%Y' in form else t.replace(year=1970)
    return (t if t.tzinfo else t.replace(tzinfo=timezone.utc)).timestamp()

def text_of(path):
    raw = open(path, 'rb').read()
    if raw[:2] in (b'\xff\xfe', b'\xfe\xff'):
        return raw.decode('utf-16')
    try:
        return raw.decode('utf-8-sig', 'replace' if raw[:3] == b'\xef\xbb\xbf' else 'strict')
    except UnicodeDecodeError:
        return raw.decode('latin-1')

def table(path, time, form, metrics, gpu=None, header=None, skip=lambda f: False, sep=',', scale={}, time_scale=1, counter=None, begin='', joules=False):
    """metrics: {name: column}; columns by name, or by place where there is no header. The table stands from `begin` on."""
    text = re.sub('\0+', '\n', text_of(path))
    text = text[text.index(begin):]
    rows, columns = [], header
    for f in csv.reader(io.StringIO(text), delimiter=sep, skipinitialspace=True):
        f = [c.strip() for c in f]
        if not f or f == ['']:
            continue
        if columns is None or (header is None and f[:len(columns)] == columns):
            columns = f
            continue
        if skip(f) or len(f) == 1 < len(columns):  # a line that broke off
            continue
        rows.append(dict(zip(columns, f)))
    out = {'rows': 0, 'means': {}}
    sums, times, gpus = {}, [], set()
    for r in rows:
        out['rows'] += 1
        if time:
            times.append(instant(re.sub(r' ?[a-z]+$', '', ' '.join(r[c] for c in time)), form) * time_scale)
        if gpu and r[gpu]:
            gpus.add(r[gpu])
        for name, column in metrics.items():
            v, unit = number((r.get(column) or '').split('\n')[0])
            if v is not None:
                n, s = sums.get(name, (0, 0.0))
                sums[name] = (n + 1, s + v * SCALE.get(unit, 1) * scale.get(name, 1))
    out['means'] = {k: s / n for k, (n, s) in sums.items()}
    if counter:  # joules from the first reading to the last
        out['counter'] = number(rows[-1][counter])[0] - number(rows[0][counter])[0]
    if times:
        out['from'], out['to'] = min(times), max(times)
    if joules:  # of one GPU: straight lines between its readings, those of one instant as their mean
        at = {}
        for t, r in zip(times, rows):
            v, unit = number(r[metrics['power_w']])
            if v is not None:
                at.setdefault(t, []).append(v * SCALE.get(unit, 1) * scale.get('power_w', 1))
        line = sorted((t, sum(v) / len(v)) for t, v in at.items())
        out['joules'] = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(line, line[1:]))
    out['gpus'] = len(gpus)
    return out

def smi_tables(path):
    """nvidia-smi as printed, in a loop: a line of time, then two lines a GPU."""
    out, times, sums, gpus = 0, [], {'power_w': [], 'temp_c': [], 'gpu_util_pct': []}, set()
    index = at = None
    for line in re.sub('\0+', '\n', text_of(path)).splitlines():
        m = re.match(r'\w{3} (\w{3}) +(\d+) (\d\d:\d\d:\d\d) (\d{4})\s*$', line)
        if m:
            at = datetime.strptime(' '.join(m.groups()), '%b %d %H:%M:%S %Y').replace(tzinfo=timezone.utc).timestamp()
        m = re.match(r'\|\s+(\d+)\s+\S.*\|.*\|.*\|', line)
        if m and 'MiB |' not in line:
            index = m.group(1)
        m = re.match(r'\|\s*(?:N/A|ERR!|\d+%)\s+(\d+)C\s+P\d+\s+(\d+|N/A)W?\s*/\s*\S+\s*\|\s*(?:\d+MiB\s*/\s*\d+MiB|Not Supported)\s*\|\s*(\d+)%', line)
        if m:
            out += 1
            times += [at] if at else []
            gpus.add(index)
            sums['temp_c'].append(float(m.group(1)))
            if m.group(2) != 'N/A':
                sums['power_w'].append(float(m.group(2)))
            sums['gpu_util_pct'].append(float(m.group(3)))
    return {'rows': out, 'from': min(times), 'to': max(times), 'gpus': len(gpus),
            'means': {k: sum(v) / len(v) for k, v in sums.items() if v}}

def powermetrics(path):
    times, sums = [], {}
    open_ = False
    for line in text_of(path).splitlines():
        if line.startswith('*** Lifetime'):
            open_ = False
        m = re.match(r'\*\*\* Sampled system activity \((.*?)\)(?: \(([\d.]+)ms)?', line)
        if m:
            open_ = True
            t = datetime.strptime(m.group(1), '%a %b %d %H:%M:%S %Y %z').timestamp()
            # samples of one second lie as far apart as each took
            within = int(times[-1]) == t and m.group(2) and times[-1] + float(m.group(2)) / 1e3 < t + 1 if times else False
            times.append(times[-1] + float(m.group(2)) / 1e3 if within else max(t, times[-1]) if times and int(times[-1]) == t else t)
        for name, p, k in (('power_w', r'GPU Power: ([\d.]+) mW', 1e-3), ('gpu_util_pct', r'GPU HW active residency:\s+([\d.]+)%', 1),
                           ('power_w', r'Intel energy model derived package power \(CPUs\+GT\+SA\): ([\d.]+)W', 1)):
            m = re.match(p, line) if open_ else None
            if m and len(sums.setdefault(name, [])) < len(times):  # some samples say it twice
                sums[name].append(float(m.group(1)) * k)
    return {'rows': len(times), 'from': min(times), 'to': max(times), 'gpus': 0, 'means': {k: sum(v) / len(v) for k, v in sums.items()}}

def tegrastats(path, rail='(?:VDD_IN|POM_5V_IN)'):
    rows, sums = 0, {}
    for line in text_of(path).splitlines():
        if 'RAM ' not in line or 'MB (' not in line:
            continue
        rows += 1
        for name, p, k in (('power_w', rail + r' (\d+)(?:mW)?/', 1e-3), ('temp_c', r'(?:GPU|gpu)@([\d.]+)C', 1), ('gpu_util_pct', r'GR3D_FREQ (\d+)%', 1)):
            m = re.search(p, line)
            if m:
                sums.setdefault(name, []).append(float(m.group(1)) * k)
    return {'rows': rows, 'gpus': 0, 'means': {k: sum(v) / len(v) for k, v in sums.items()}}

def dmon(path, columns={'power_w': 1, 'temp_c': 2, 'gpu_util_pct': 4, 'mem_util_pct': 5}):
    rows, sums, gpus = 0, {}, set()
    for line in text_of(path).splitlines():
        if line.startswith('#') or not line.split():
            continue
        f = line.split()
        rows += 1
        gpus.add(f[0])
        for name, k in columns.items():
            if f[k] != '-':
                sums.setdefault(name, []).append(float(f[k]))
    return {'rows': rows, 'gpus': len(gpus), 'means': {k: sum(v) / len(v) for k, v in sums.items()}}

def hml(path):
    """MSI Afterburner: 02 names, 80 readings; metrics by the names that people know."""
    of = {'Power': 'power_w', 'GPU temperature': 'temp_c', 'GPU usage': 'gpu_util_pct', 'GPU1 temperature': 'temp_c', 'GPU1 usage': 'gpu_util_pct'}
    rows, times, sums, names, units = 0, [], {}, [], {}
    for line in text_of(path).splitlines():
        f = [c.strip() for c in line.split(',')]
        if f[0] == '02':
            names, units = f[2:], {}
        if f[0] == '03' and f[2].isdigit():
            units[int(f[2])] = f[3]
        if f[0] == '80':
            rows += 1
            times.append(instant(f[1], '%d-%m-%Y %H:%M:%S'))
            for i, (name, cell) in enumerate(zip(names, f[2:])):
                v, _ = number(cell)
                if name in of and v is not None and (name != 'Power' or units.get(i) == 'W'):
                    sums.setdefault(of[name], []).append(v)
    return {'rows': rows, 'from': min(times), 'to': max(times), 'gpus': 1, 'means': {k: sum(v) / len(v) for k, v in sums.items()}}

def json_rows(path, metrics, time=None):
    """A list of objects, objects line by line, or one object."""
    text = text_of(path)
    try:
        rows = json.loads(text)
        rows = rows if isinstance(rows, list) else [rows]
    except ValueError:
        rows = [json.loads(l) for l in text.splitlines() if l.strip()]
    out = {'rows': len(rows), 'gpus': 0, 'means': {}}
    for name, key in metrics.items():
        v = [float(r[key]) for r in rows if r.get(key) is not None]
        out['means'][name] = sum(v) / len(v)
    if time:
        t = [r[time] if isinstance(r[time], (int, float)) else instant(r[time], 'iso') for r in rows]
        out['from'], out['to'] = min(t), max(t)
    return out

def dcgm_long(path):
    """metric_name and value: rows of one instant and GPU are one sample."""
    of = {'DCGM_FI_DEV_POWER_USAGE': 'power_w', 'DCGM_FI_DEV_GPU_TEMP': 'temp_c', 'DCGM_FI_DEV_GPU_UTIL': 'gpu_util_pct'}
    sums, times, gpus = {}, [], {}
    for r in csv.DictReader(io.StringIO(text_of(path))):
        if r['metric_name'] in of:
            sums.setdefault(of[r['metric_name']], []).append(float(r['value']))
        times.append(instant(r['timestamp'], 'iso'))
        gpus[r['uuid']] = 1
    return {'rows': 0, 'from': min(times), 'to': max(times), 'gpus': len(gpus), 'means': {k: sum(v) / len(v) for k, v in sums.items()}}

def labelled(path, time, form, metrics):
    """Lines whose cells say what they are: metrics are patterns of a number."""
    times, sums = [], {}
    for line in text_of(path).splitlines():
        times.append(instant(re.match(time, line).group(1), form))
        for name, pattern in metrics.items():
            sums.setdefault(name, []).append(float(re.search(pattern, line).group(1)))
    return {'rows': len(times), 'from': min(times), 'to': max(times), 'gpus': 0, 'means': {k: sum(v) / len(v) for k, v in sums.items()}}

def labelled_lines(path, time, form, metrics):
    """The same of those lines that have a time."""
    times, sums = [], {}
    for line in text_of(path).splitlines():
        t = re.match(time, line)
        if not t:
            continue
        times.append(instant(t.group(1), form))
        for name, pattern in metrics.items():
            sums.setdefault(name, []).append(float(re.search(pattern, line).group(1)))
    return {'rows': len(times), 'from': min(times), 'to': max(times), 'gpus': 0, 'means': {k: sum(v) / len(v) for k, v in sums.items()}}

def wide_gpus(path, time, name):
    """A column of powers for each GPU."""
    rows = list(csv.DictReader(io.StringIO(text_of(path))))
    t = [float(r[time]) for r in rows]
    gpus = [c for c in rows[0] if c and re.match(name, c)]
    v = [float(r[c]) for r in rows for c in gpus if r[c]]
    return {'rows': len(rows), 'from': min(t), 'to': max(t), 'gpus': len(gpus), 'means': {'power_w': sum(v) / len(v)}}

def energibridge(path, counter):
    """A processor's counter of joules, times in ms: its power is what it rose by over the time."""
    rows = list(csv.DictReader(io.StringIO(text_of(path))))
    t = [float(r['Time']) / 1e3 for r in rows]
    joules = float(rows[-1][counter]) - float(rows[0][counter])
    return {'rows': len(rows), 'from': t[0], 'to': t[-1], 'gpus': 1, 'counter': joules, 'means': {}}

def power_gadget(path, power='Processor Power_0(Watt)', elapsed='Elapsed Time (sec)'):
    """Intel Power Gadget: the table ends at an empty line, the summary is none."""
    text = text_of(path).split('\n\n')[0]
    rows = list(csv.DictReader(io.StringIO(text), skipinitialspace=True))
    v = [float(r[power]) for r in rows]
    return {'rows': len(rows), 'gpus': 1, 'means': {'power_w': sum(v) / len(v)}}

def column(path, metric):
    """Numbers alone, one on each line."""
    v = [float(x) for x in text_of(path).split()]
    return {'rows': len(v), 'gpus': 0, 'means': {metric: sum(v) / len(v)}}

def labelled_file(path, metrics, scale=1):
    """Readings wherever their patterns fit; how many rows they make is left open."""
    found = {k: [float(x) * scale for x in re.findall(p, text_of(path))] for k, p in metrics.items()}
    return {'rows': max(len(v) for v in found.values()), 'gpus': 0, 'means': {k: sum(v) / len(v) for k, v in found.items()}}

def spans_json(path):
    """One run of codecarbon as an object."""
    r = json.loads(text_of(path))
    return {'spans': 1, 'duration': r['duration'], 'energy': r['energy_consumed'] * 3.6e6}

def sacct(path, separator='\t'):
    """The jobs' own rows, steps left out."""
    took = [instant(r['End'], 'iso') - instant(r['Start'], 'iso')
            for r in csv.DictReader(io.StringIO(text_of(path)), delimiter=separator) if '.' not in r['JobID']]
    return {'spans': len(took), 'duration': sum(took) / len(took), 'energy': 0}

def spans(path, stop='timestamp', duration='duration', start=None, energy='energy_consumed'):
    """Rows of runs: how many, their mean duration, and the sum of their energies in J."""
    n, took, joules = 0, 0.0, 0.0
    for r in csv.DictReader(io.StringIO(text_of(path))):
        if not r[stop]:
            continue
        n += 1
        took += instant(r[stop], 'iso') - instant(r[start], 'iso') if start else float(r[duration])
        joules += float(r.get(energy) or 0) * 3.6e6
    return {'spans': n, 'duration': took / n, 'energy': joules}

def shape(text, path):
    """A shape: a call of one of the functions above, its keywords as JSON behind the name; "none" where it is no telemetry."""
    name, _, rest = text.partition(' ')
    options = json.loads(rest) if rest else {}
    words = options.pop('skip', None)
    if words is not None:
        options['skip'] = (lambda f: any(c.startswith(w) for w in words for c in f)) if words else \
            (lambda f: not re.match(r'[\d-]', f[0]))
    return globals()[name](path, **options)

def main():
    folder, here = sys.argv[1], os.path.dirname(os.path.abspath(__file__))
    for line in open(os.path.join(here, sys.argv[2] if len(sys.argv) > 2 else 'draw.tsv')):
        if line.startswith('#'):
            continue
        repo, commit, path, size, digest, how, verdict = line.rstrip('\n').split('\t')[:7]
        name = repo.replace('/', '+') + '__' + path.replace('/', '_').replace(' ', '_')
        full = os.path.join(folder, name)
        if how in ('none', 'prose') or not os.path.exists(full):
            continue
        print(json.dumps({'file': name, **shape(how, full)}))

if __name__ == '__main__':
    main()
