#!/usr/bin/env python3
"""Holds gpustat against truth.py on the files of the draw: draw.py GPUSTAT FOLDER [LIST]

Prints a line per file: right, refused (with the message), or what differs; then how many. What a refusal is worth - does its
option help, does it mislead - is judged by people and kept in the last column of draw.tsv.
"""
import csv, io, json, os, subprocess, sys
import truth

def run(*args):
    p = subprocess.run(args, capture_output=True, text=True, timeout=60)
    return p.returncode, p.stdout, p.stderr

def means_of(gpustat, path):
    """The mean of each metric over all samples: by gpus, and where rows have no time, by power."""
    code, out, err = run(gpustat, 'gpus', path, '-q', '-f', 'csv')
    sums, n = {}, {}
    if code == 0:
        for r in csv.DictReader(io.StringIO(out)):
            for k, v in r.items():
                m = k.replace('_mean_', '_')
                if '_mean_' in k and v and k != 'total_render_mean_s' and not k.startswith('task_'):
                    sums[m] = sums.get(m, 0) + float(v) * int(r['samples'])
                    n[m] = n.get(m, 0) + int(r['samples'])
        return {k: sums[k] / n[k] for k in sums}, ''
    code, out, err2 = run(gpustat, 'power', path, '-q', '-f', 'csv')
    if code != 0:
        return None, err2 if 'no sample of' not in err2 else err
    rows = [r for r in csv.DictReader(io.StringIO(out)) if r['gpu'] != 'total' and r['power_mean_w']]
    if not rows:
        return None, err
    kept = sum(int(r['kept']) for r in rows)
    return {'power_w': sum(float(r['power_mean_w']) * int(r['kept']) for r in rows) / kept}, ''

def compare_spans(true, gpustat, path):
    code, out, err = run(gpustat, 'events', path, '-q', '-f', 'csv', '--show', 'all')
    if code != 0:
        return 'refused: ' + err.strip().split('\n')[-1].replace(path, 'FILE')[:230]
    rows = list(csv.DictReader(io.StringIO(out)))
    n = sum(int(r['n']) for r in rows)
    took = sum(float(r['duration_mean_ms']) / 1e3 * int(r['n']) for r in rows) / n
    joules = sum(float(r.get('energy_consumed_j_sum') or 0) for r in rows)
    wrong = ['%d spans for %d' % (n, true['spans'])] if n != true['spans'] else []
    if abs(took - true['duration']) > 1e-4 * true['duration']:
        wrong.append('%.6f s for %.6f' % (took, true['duration']))
    if 'energy_consumed_j_sum' in rows[0] and abs(joules - true['energy']) > 1e-4 * true['energy'] + 1e-3 * n:
        wrong.append('%.3f J for %.3f' % (joules, true['energy']))
    return 'differs: ' + '; '.join(wrong) if wrong else 'right'

def compare(true, gpustat, path):
    if 'spans' in true:
        return compare_spans(true, gpustat, path)
    means, err = means_of(gpustat, path)
    if means is None:
        return 'refused: ' + err.strip().split('\n')[-1].replace(path, 'FILE')[:230]
    code, out, _ = run(gpustat, 'map', path)
    wrong = []
    source = [s for s in json.loads(out)['sources'] if s['role'] == 'samples'] if code == 0 else []
    if source:
        found = source[0]['found']
        rows = found['rows']
        if found['gpus'] != true['gpus'] and true['gpus'] > 1:
            wrong.append('%d GPUs for %d' % (found['gpus'], true['gpus']))
        if true['gpus'] < 2 and rows != true['rows']:
            wrong.append('%d rows for %d' % (rows, true['rows']))
        for k in ('from', 'to'):
            if k in true and found.get(k):
                t = truth.instant(found[k], 'iso')
                if abs(t - true[k]) > 0.001:
                    wrong.append('%s %s for %.3f' % (k, found[k], true[k]))
    if 'counter' in true:
        _, out, _ = run(gpustat, 'gpus', path, '-q', '-f', 'csv')
        joules = float(next(csv.DictReader(io.StringIO(out)))['energy_counter_j'] or 'nan')
        if not abs(joules - true['counter']) <= 2e-4 * true["counter"]:
            wrong.append('%.6f J for %.6f' % (joules, true['counter']))
    if 'joules' in true:
        _, out, _ = run(gpustat, 'power', path, '-q', '-f', 'csv')
        joules = float(list(csv.DictReader(io.StringIO(out)))[-1]['energy_trapezoid_j'] or 'nan')
        if not abs(joules - true['joules']) <= 1e-5 * true['joules']:
            wrong.append('%.3f J for %.3f' % (joules, true['joules']))
    for k, v in true['means'].items():
        if 'from' not in true and 'power_w' in true['means'] and k != 'power_w':
            continue  # rows without a time: power alone answers
        if k not in means:
            wrong.append('no ' + k)
        elif abs(means[k] - v) > 1e-6 * max(1, abs(v)):
            wrong.append('%s %.6f for %.6f' % (k, means[k], v))
    return 'differs: ' + '; '.join(wrong) if wrong else 'right'

def main():
    gpustat, folder = sys.argv[1:3]
    listed = sys.argv[3] if len(sys.argv) > 3 else 'draw.tsv'
    here = os.path.dirname(os.path.abspath(__file__))
    counts = {}
    for line in open(os.path.join(here, listed)):
        if line.startswith('#'):
            continue
        repo, commit, path, size, digest, how = line.rstrip('\n').split('\t')[:6]
        name = repo.replace('/', '+') + '__' + path.replace('/', '_').replace(' ', '_')
        full = os.path.join(folder, name)
        if not os.path.exists(full):
            continue
        if how in ('none', 'prose'):
            means, err = means_of(gpustat, full)
            answer = 'read, though no telemetry' if means is not None else 'refused: ' + err.strip().replace(full, 'FILE')[:160]
        else:
            answer = compare(truth.shape(how, full), gpustat, full)
        key = ('no telemetry, ' if how == 'none' else '') + answer.split(':')[0]
        counts[key] = counts.get(key, 0) + 1
        print('%s\t%s' % (name, answer))
    print(json.dumps(counts))

if __name__ == '__main__':
    main()
