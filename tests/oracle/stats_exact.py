#!/usr/bin/env python3
"""Expected numbers of the statistics tests from exact fractions and 60-digit arithmetic (needs mpmath).

    python3 tests/oracle/stats_exact.py > tests/oracle/stats_exact.h
"""
from fractions import Fraction

import mpmath as mp

mp.mp.dps = 60
MASK = (1 << 64) - 1


def splitmix(seed):
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def ints(seed, n, bits):
    """Signed integers of `bits` bits, as the test draws them."""
    g = splitmix(seed)
    return [(next(g) >> (64 - bits)) - (1 << (bits - 1)) for _ in range(n)]


def real(q):
    """The double nearest to a fraction or mpf."""
    if isinstance(q, (int, Fraction)):
        q = Fraction(q)
        return q.numerator / q.denominator if q.denominator else 0.0
    return float(q)


def text(v):
    return float.hex(real(v))


def mpq(q):
    return mp.mpf(q.numerator) / q.denominator


def root(q):
    return mp.sqrt(mpq(Fraction(q)))


def moments(v, scale):
    n, s = len(v), sum(v)
    var = Fraction(n * sum(a * a for a in v) - s * s, n * (n - 1) * scale * scale)
    return [Fraction(s, n * scale), var, root(var)]


def corr(x, y, level="0.95"):
    n = len(x)
    sx, sy = sum(x), sum(y)
    xx = n * sum(a * a for a in x) - sx * sx
    yy = n * sum(a * a for a in y) - sy * sy
    xy = n * sum(a * b for a, b in zip(x, y)) - sx * sy
    r = mp.mpf(xy) / mp.sqrt(mp.mpf(xx) * yy)
    rest = mpq(Fraction(xx * yy - xy * xy, xx * yy))
    p = mp.betainc(mp.mpf(n - 2) / 2, mp.mpf(1) / 2, 0, rest, regularized=True)
    half = mp.sqrt(2) * mp.erfinv(mp.mpf(level)) / mp.sqrt(n - 3)
    return [r, mp.tanh(mp.atanh(r) - half), mp.tanh(mp.atanh(r) + half), p]


def line(x, y, xs, ys):
    n = len(x)
    x, y = [Fraction(a, xs) for a in x], [Fraction(a, ys) for a in y]
    mx, my = sum(x) / n, sum(y) / n
    xx = sum((a - mx) ** 2 for a in x)
    b = sum((u - mx) * (v - my) for u, v in zip(x, y)) / xx
    a = my - b * mx
    sse = sum((v - a - b * u) ** 2 for u, v in zip(x, y))
    s2 = sse / (n - 2)
    return [b, a, 1 - sse / sum((v - my) ** 2 for v in y), root(s2), root(s2 / xx), root(s2 * (Fraction(1, n) + mx * mx / xx))]


def array(name, values, note):
    print("/* %s */" % note)
    print("static const double %s[] = {" % name)
    for v in values:
        print("    %s, /* %.17g */" % (text(v), real(v)))
    print("};\n")


def rows(name, table, note):
    print("/* %s */" % note)
    print("static const double %s[][%d] = {" % (name, len(table[0])))
    for r in table:
        print("    {%s}," % ", ".join("%.17g" % real(v) for v in r))
    print("};\n")


def student(t, df):
    t, df = mp.mpf(t), mp.mpf(df)
    return beta(df / 2, mp.mpf(1) / 2, df / (df + t * t), t * t / (df + t * t))


def beta(a, b, x, y=None):
    """By the series x^a y^b / (a B) * sum (a+b)_k / (a+1)_k x^k, all terms positive."""
    a, b, x = mp.mpf(a), mp.mpf(b), mp.mpf(x)
    y = 1 - x if y is None else y
    if x > (a + 1) / (a + b + 2):
        return 1 - beta(b, a, y, x)
    term = total = mp.mpf(1)
    k = 0
    while term > total * mp.mpf(10) ** -40:
        term *= (a + b + k) / (a + 1 + k) * x
        total += term
        k += 1
    return mp.exp(a * mp.log(x) + b * mp.log(y) - mp.loggamma(a) - mp.loggamma(b) + mp.loggamma(a + b)) / a * total


def quantile7(v, num, den, scale):
    v = sorted(v)
    k, part = divmod((len(v) - 1) * num, den)
    low, high = v[k], v[min(k + 1, len(v) - 1)]
    return Fraction(low * (den - part) + high * part, den * scale)


def median(v):
    v = sorted(v)
    return (Fraction(v[(len(v) - 1) // 2]) + v[len(v) // 2]) / 2


def main():
    print("/* stats_exact.h - written by stats_exact.py: exact expectations, correctly rounded. */")
    print("#ifndef GPUSTAT_TEST_STATS_EXACT_H\n#define GPUSTAT_TEST_STATS_EXACT_H\n")
    cases = [(1, 1000, 50, 10**6), (2, 1001, 64, 1), (3, 2, 33, 10**9), (4, 4097, 20, 7)]
    for seed, n, bits, scale in cases:
        array("exact_moments_%d" % seed, moments(ints(seed, n, bits), scale),
              "mean, variance, deviation: seed %d, n %d, %d bits, scale %d" % (seed, n, bits, scale))
    x, y = ints(11, 400, 40), ints(12, 400, 40)
    y = [b + a // 2 for a, b in zip(x, y)]
    array("exact_corr_weak", corr(x, y), "r, interval, p: 400 pairs, y = noise + x / 2 rounded down")
    array("exact_line_weak", line(x, y, 10**6, 10**3), "slope, intercept, r^2, residual sd, errors; scales 10^6, 10^3")
    y = [3 * a + b for a, b in zip(x, ints(13, 400, 12))]
    array("exact_corr_tight", corr(x, y), "y = 3 x + 12 bits of noise: 1 - r^2 is 1e-17")
    array("exact_line_tight", line(x, y, 1, 1), "the same as a line")
    y = [b - a // 2 for a, b in zip(x, ints(14, 400, 40))]
    array("exact_corr_falling", corr(x, y, "0.99"), "y = 40 bits of noise - x / 2 rounded down, interval at 99 %")
    y = [a + b for a, b in zip(x, ints(15, 400, 40))]
    array("exact_corr_five", corr(x[:5], y[:5], "0.8"), "5 pairs, y = x + noise, interval at 80 %")
    x = ints(16, 4, 60)
    array("exact_corr_hair", corr(x, [a + b for a, b in zip(x, ints(17, 4, 2))]),
          "4 pairs, y = x + 2 bits of noise: 1 - r^2 is 1e-36")
    v = ints(21, 997, 64)
    array("exact_quantiles", [quantile7(v, p, 1000, 10**6) for p in (0, 1, 250, 333, 500, 950, 999, 1000)],
          "type 7 at 0, 1, 250, 333, 500, 950, 999, 1000 per mille; seed 21, n 997, 64 bits, scale 10^6")
    for n in (996, 997):
        m = median(v[:n])
        array("exact_mad_%d" % n, [m / 10**6, median([abs(a - m) for a in v[:n]]) / 10**6], "median, deviation")
    g = ints(31, 3000, 40)
    dens = [1 + (d % 700) for d in (a & 0xFFFFF for a in ints(32, 3000, 40))]
    array("exact_ratio", [sum(Fraction(a, d) for a, d in zip(g, dens)) / (3000 * 10**6)], "mean of 3000 fractions")
    rows("exact_student", [(t, df, student(t, df)) for t, df in
                           [(0.1, 3), (0.5, 1), (2.5, 10), (1.7, 2.5), (12, 4), (40, 1000), (1e10, 5), (37, 66038),
                            (36, 1e5), (1e-5, 30), (1.96, 1e6),
                             (0.01, 1), (1.7320508075688772, 1), (1.7, 2), (0.3, 12), (4.2, 12), (1.25, 17), (1e3, 17),
                             (2.2, 29.75), (10.9, 1022), (6.3, 1022), (1.3, 1022), (1e-9, 1022), (38.4, 1e5),
                             (1.224744871391589, 99999), (1e60, 4.5), (3, 0.0625)]], "t, df, two-sided p")
    rows("exact_beta", [(a, b, x, beta(a, b, x)) for a, b, x in
                        [(0.5, 0.5, 0.25), (20, 30, 0.3), (2.5, 1e5, 1e-5), (1e5, 1e5, 0.495), (12, 11, 0.9),
                         (3, 200, 0.001), (1000, 1500, 0.2), (10, 10, 1e-9), (150, 9.5, 0.99)]], "a, b, x, I_x(a, b)")
    rows("exact_normal", [(z, mp.erfc(mp.mpf(z) / mp.sqrt(2)) / 2) for z in (-3, -0.5, 0, 0.1, 1.5, 6, 12.25, 30, 37)],
         "z, upper tail")
    rows("exact_normal_quantile", [(p, mp.findroot(lambda z: mp.log(mp.erfc(-z / mp.sqrt(2)) / 2 / mp.mpf(p)), g0))
                                   for p, g0 in ((0.975, 1.96), (0.5 + 2**-20, 0.0), (0.3, -0.5), (1e-10, -6.3), (1e-300, -37))],
         "p, z")
    print("#endif")


if __name__ == "__main__":
    main()
