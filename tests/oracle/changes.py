#!/usr/bin/env python3
"""Expected numbers of the comparison of runs (needs mpmath).

    python3 tests/oracle/changes.py > tests/oracle/changes.h

Written from the definitions alone: medians of logarithms per unit, a paired or Welch t interval, Holm's adjustment,
and for tasks that moved the rounds of means. The values are drawn as tests/unit/test_change.c draws them.
"""
import mpmath as mp

from stats_exact import splitmix

mp.mp.dps = 40
NAN = mp.nan

# runs A, runs B, workers, first worker of B, spans per worker and run, tasks, moved
CASES = [
    (1, 1, 8, 0, 20, 0, 0),
    (1, 1, 5, 5, 21, 0, 0),
    (1, 1, 1, 0, 57, 0, 0),
    (1, 1, 2, 0, 30, 0, 0),
    (1, 1, 6, 0, 15, 1, 0),
    (1, 1, 6, 0, 15, 1, 1),
    (1, 1, 6, 3, 15, 1, 1),
    (1, 1, 1, 0, 40, 1, 0),
    (3, 3, 4, 0, 9, 0, 0),
    (5, 1, 4, 0, 9, 0, 0),
    (2, 2, 4, 0, 9, 0, 0),
    (1, 1, 1, 0, 3, 0, 0),
]


def draw(case):
    """The spans of both sides as (worker, run, start, task, value)."""
    n_a, n_b, workers, first, each, tasks, moved = case
    g = splitmix(4711)
    sides = []
    for side, runs in enumerate((n_a, n_b)):
        spans = []
        for run in range(runs):
            shift = next(g) % 20000
            for worker in range(workers):
                for i in range(each):
                    task = worker * each + i
                    on = (task * 5 + 3 if moved and side else worker) % workers
                    value = 1000000 + 7919 * on + shift + next(g) % 50000 + 30000 * side
                    value += task * 1777 % 90000 if tasks else 0
                    spans.append((on + first * side, run, i, task if tasks else None, value))
        sides.append(sorted(spans, key=lambda s: (s[0], s[1], s[2], s[3] or 0)))
    return sides


def median(v):
    v = sorted(v)
    return (v[(len(v) - 1) // 2] + v[len(v) // 2]) / 2


def student_p(t, df):
    return mp.betainc(mp.mpf(df) / 2, mp.mpf(1) / 2, 0, df / (df + t * t), regularized=True)


def student_quantile(p, df):
    low, high = mp.mpf(0), mp.mpf(1)
    while student_p(high, df) > p:
        high *= 2
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if student_p(middle, df) > p else (low, middle)
    return low


def mean(v):
    return mp.fsum(v) / len(v)


def variance(v):
    m = mean(v)
    return mp.fsum((x - m) ** 2 for x in v) / (len(v) - 1)


def paired(d, least=4):
    if len(d) < least:
        return mean(d), NAN, NAN, len(d), len(d)
    return mean(d), mp.sqrt(variance(d) / len(d)), len(d) - 1, len(d), len(d)


def welch(a, b, least=4):
    if len(a) < least or len(b) < least:
        return mean(b) - mean(a), NAN, NAN, len(a), len(b)
    va, vb = variance(a) / len(a), variance(b) / len(b)
    df = (va + vb) ** 2 / (va ** 2 / (len(a) - 1) + vb ** 2 / (len(b) - 1))
    return mean(b) - mean(a), mp.sqrt(va + vb), df, len(a), len(b)


def groups(rows, key):
    out = {}
    for row in rows:
        out.setdefault(key(row), []).append(row)
    return [out[k] for k in sorted(out)]


def blocks(v):
    n = min(max(len(v) // 10, 4), 10, len(v))
    return [v[len(v) * k // n:len(v) * (k + 1) // n] for k in range(n)]


def moved_tasks(pairs):
    """pairs: (d, worker in A, worker in B)."""
    d = [p[0] for p in pairs]
    middle = median(d)
    reach = 4 * mp.mpf("1.4826022185056018") * median([abs(x - middle) for x in d])
    d = [min(max(x, middle - reach), middle + reach) if reach > 0 else x for x in d]
    alpha = {p[1]: mp.mpf(0) for p in pairs}
    beta = {}
    for round_ in range(13):
        for w in {p[2] for p in pairs}:
            beta[w] = mean([x + alpha[p[1]] for x, p in zip(d, pairs) if p[2] == w])
        if round_ == 12:
            break
        for w in alpha:
            alpha[w] = mean([beta[p[2]] - x for x, p in zip(d, pairs) if p[1] == w])
        centre = mean(list(alpha.values()))
        alpha = {w: a - centre for w, a in alpha.items()}
    if sorted(alpha) == sorted(beta):
        return paired([beta[w] - alpha[w] for w in sorted(alpha)])
    return welch([alpha[w] for w in sorted(alpha)], [beta[w] for w in sorted(beta)])


def compare(case):
    n_a, n_b, workers, first, _, tasks, moved = case
    a, b = ([(*s[:4], mp.log(s[4])) for s in side] for side in draw(case))
    if (n_a >= 3 and n_b >= 3) or (n_a >= 3 and n_b == 1):
        ua, ub = ([median([s[4] for s in g]) for g in groups(x, lambda s: s[1])] for x in (a, b))
        if len(ub) == 1:
            return mean(ub) - mean(ua), mp.sqrt(variance(ua) * (1 + mp.mpf(1) / len(ua))), len(ua) - 1, len(ua), 1
        return welch(ua, ub, 3)
    if tasks:
        of_b = {s[3]: s for s in b}
        pairs = [(of_b[s[3]][4] - s[4], s[0], of_b[s[3]][0]) for s in a]
        if moved:
            return moved_tasks(pairs)
        if workers >= 4:
            return paired([median([p[0] for p in g]) for g in groups(pairs, lambda p: p[1])])
        return paired([median(x) for x in blocks([p[0] for p in pairs])])
    if workers >= 4:
        ua, ub = ([median([s[4] for s in g]) for g in groups(x, lambda s: s[0])] for x in (a, b))
        return paired([y - x for x, y in zip(ua, ub)]) if first == 0 else welch(ua, ub)
    ua, ub = ([median(k) for g in groups(x, lambda s: s[0]) for k in blocks([s[4] for s in g])] for x in (a, b))
    return welch(ua, ub)


def show(x):
    return "NAN" if mp.isnan(x) else float(x).hex()


def main():
    print("/* changes.h - expected numbers of test_change.c: made by changes.py. */")
    print("static const struct {\n    unsigned shape[7]; /* as in changes.py */")
    print("    double change, low, high, p, total, df;\n    size_t units[2];\n} expected_change[] = {")
    for case in CASES:
        change, se, df, k, l = compare(case)
        half = NAN if mp.isnan(se) else se * student_quantile(mp.mpf("0.05"), df)
        p = NAN if mp.isnan(se) else student_p(change / se, df)
        a, b = ([s[4] for s in side] for side in draw(case))
        total = mp.log(mp.mpf(sum(b)) / len(b) / (mp.mpf(sum(a)) / len(a)))
        numbers = ", ".join(show(x) for x in (change, change - half, change + half, p, total, df))
        print(f"    {{{{{', '.join(map(str, case))}}}, {numbers}, {{{k}, {l}}}}},")
    print("};")
    print("static const double expected_quantile[][3] = { /* p, df, t */")
    for p in ("0.05", "0.01", "0.5", "1e-9"):
        for df in ("1", "2.5", "3", "9", "31.7", "1000", "1000000"):
            print(f"    {{{p}, {df}, {show(student_quantile(mp.mpf(float(p)), mp.mpf(float(df))))}}},")
    print("};")


if __name__ == "__main__":
    main()
