#!/usr/bin/env python3
"""Holds `gpustat forest evaluate` to an independent computation.

    forest.py PROGRAM FILE [--derived no] [--seed N] ...

Takes the folds from `--points`, checks that no operation is in two of them, and does the rest again from the file:
parses the operations with Python's own parser (ast), counts their work, encodes them, fits the roofline, trains with
libxgboost through ctypes and predicts with libxgboost's own predictor rather than with trees taken out of it.
Then the errors in per cent, from their definitions. Exit 1 where a prediction is off by more than 1e-5, or an error
by more than 1e-6 of itself. Python 3 and libxgboost.so.0.
"""
import argparse
import ast
import csv
import ctypes
import io
import math
import subprocess
import sys

ap = argparse.ArgumentParser()
ap.add_argument("program")
ap.add_argument("file")
ap.add_argument("--derived", default="yes")
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--trees", type=int, default=100)
ap.add_argument("--folds", type=int, default=5)
ap.add_argument("--feature-share", type=float, default=0.5)
ap.add_argument("--median-time", type=float, default=math.inf, help="bound on the median error of time, per cent")
ap.add_argument("--median-power", type=float, default=math.inf, help="the same for power")
opt = ap.parse_args()
MASK = (1 << 64) - 1
xgb = ctypes.CDLL("libxgboost.so.0")
xgb.XGBGetLastError.restype = ctypes.c_char_p


def must(code):
    if code != 0:
        sys.exit(xgb.XGBGetLastError().decode())


def splitmix(state):
    state = (state + 0x9E3779B97F4A7C15) & MASK
    z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return state, z ^ z >> 31


def value(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Tuple):
        return tuple(value(n) for n in node.elts)
    return ast.literal_eval(node)


class Operation:
    def __init__(self, row):
        call = ast.parse(row["op"], mode="eval").body
        self.kind = call.func.id
        self.args = [(f"arg{i}", value(a)) for i, a in enumerate(call.args)]
        self.args += [(k.arg, value(k.value)) for k in call.keywords]
        self.size = ast.literal_eval(row["input_size"])
        self.clock = float(row["clock_mhz"]) if row.get("clock_mhz") else None
        self.time, self.power = float(row["time_s"]), float(row["power_mean_W"])
        self.sizes = str(self.size)
        self.key = (shown(self), self.sizes)
        self.order = (self.key[0].encode(), self.sizes.encode(), self.clock if self.clock is not None else -math.inf,
                      self.time, self.power)

    def get(self, name, position=None, default=None):
        d = dict(self.args)
        return d.get(name, d.get(f"arg{position}", default))

    def flat(self):
        """Numbers and words under their names."""
        for name, v in self.args:
            items = [(name if i == 0 else f"{name}.{i}", x) for i, x in enumerate(v)] if isinstance(v, tuple) else [(name, v)]
            for n, x in items:
                if isinstance(x, str):
                    yield f"{n}={x}", None
                elif x is not None:
                    yield n, float(x)


def number(x):
    """The canonical spelling of a number: plain from 1e-5 to 1e17."""
    if x == int(x):
        return str(int(x))
    text = repr(x)
    if "e-05" in text:
        mantissa = text[: text.index("e")]
        text = "0.0000" + mantissa.replace(".", "")
    return text


def shown(o):
    def one(v):
        if isinstance(v, tuple):
            return "(" + ", ".join(map(one, v)) + (",)" if len(v) == 1 else ")")
        return str(v) if isinstance(v, (bool, str)) or v is None else number(v)
    return o.kind + "(" + ", ".join(one(v) if n.startswith("arg") else f"{n}={one(v)}" for n, v in o.args) + ")"


def pair(v):
    return v if isinstance(v, tuple) else (v, v)


def cost(o):
    size, n_in = o.size, math.prod(o.size)
    out, params, flop, m, n, k, kernel, groups = n_in, 0, n_in, 0, 0, 0, 1, 1
    spatial = math.prod(size[2:])
    if o.kind == "Conv2d":
        cin, cout, groups = o.get("in_channels", 0), o.get("out_channels", 1), o.get("groups", 6, 1)
        ks, st, pd = pair(o.get("kernel_size", 2)), pair(o.get("stride", 3, 1)), pair(o.get("padding", 4, 0))
        sides = [(size[2 + i] + 2 * pd[i] - ks[i]) // st[i] + 1 for i in (0, 1)]
        kernel, spatial = ks[0] * ks[1], sides[0] * sides[1]
        out = size[0] * cout * spatial
        params = cout * cin // groups * kernel + (cout if o.get("bias", 7, True) else 0)
        m, n, k = size[0] * spatial, cout / groups, cin / groups * kernel
        flop = 2 * out * k
    elif o.kind == "Linear":
        k, n = o.get("in_features", 0), o.get("out_features", 1)
        m = n_in / k
        out, params, flop = m * n, k * n + (n if o.get("bias", 2, True) else 0), 2 * m * n * k
        spatial = math.prod(size[1:-1])
    elif o.kind == "BatchNorm2d":
        params, flop = 2 * o.get("num_features", 0), 2 * n_in
    elif o.kind == "AvgPool2d":
        ks = pair(o.get("kernel_size", 0))
        st, pd = pair(o.get("stride", 1, ks)), pair(o.get("padding", 2, 0))
        spatial = math.prod((size[2 + i] + 2 * pd[i] - ks[i]) // st[i] + 1 for i in (0, 1))
        kernel, out = ks[0] * ks[1], size[0] * size[1] * spatial
        flop = out * kernel
    elif o.kind == "AdaptiveAvgPool2d":
        spatial = math.prod(pair(o.get("output_size", 0)))
        out = size[0] * size[1] * spatial
        kernel = -(-n_in // out)
    elif o.kind == "StochasticDepth":
        flop = n_in if o.get("p", 0) > 0 else 0
    bytes_ = 4 * (n_in + out + params)
    return dict(flop=flop, bytes=bytes_, out=out, n_in=n_in, params=params, intensity=flop / bytes_, m=m, n=n, k=k,
                spatial=spatial, kernel=kernel, groups=groups)


def quantile(v, p):
    v = sorted(v)
    h = (len(v) - 1) * p
    i = min(int(h), len(v) - 2)
    return v[i] + (h - i) * (v[i + 1] - v[i])


def encoder(train, clock):
    kinds = sorted({o.kind for o in train})
    dims = max(len(o.size) for o in train)
    names = sorted({name for o in train for name, _ in o.flat()})

    def encode(o):
        x = [float(o.kind == kind) for kind in kinds]
        for i in range(dims):
            x += [float(o.size[i]), 1.0] if i < len(o.size) else [-1.0, 0.0]
        have = dict(o.flat())
        for name in names:
            if "=" in name:
                x.append(float(name in have))
            else:
                x += [have[name], 1.0] if name in have else [-1.0, 0.0]
        if clock:
            x.append(-1.0 if o.clock is None else o.clock)
        if opt.derived == "yes":
            x += [math.log1p(v) for v in cost(o).values()]
        return x
    return encode


def matrix(rows):
    n, m = len(rows), len(rows[0])
    h = ctypes.c_void_p()
    must(xgb.XGDMatrixCreateFromMat_omp((ctypes.c_float * (n * m))(*[v for r in rows for v in r]), ctypes.c_ulong(n),
                                        ctypes.c_ulong(m), ctypes.c_float(math.nan), ctypes.byref(h), 1))
    return h


def forest(x, y, tests, target):
    """Mean over the batches of what libxgboost itself predicts."""
    n = len(y)
    mean = sum(y) / n
    spread = math.sqrt(sum((v - mean) ** 2 for v in y) / n) or 1.0
    train, test = matrix(x), matrix(tests)
    must(xgb.XGDMatrixSetFloatInfo(train, b"label", (ctypes.c_float * n)(*[(v - mean) / spread for v in y]), ctypes.c_ulong(n)))
    total = [0.0] * len(tests)
    for batch in range((opt.trees + 24) // 25):
        size = min(25, opt.trees - 25 * batch)
        _, first = splitmix(opt.seed)
        _, second = splitmix(first ^ (target << 32 | batch))
        settings = dict(verbosity=0, nthread=1, booster="gbtree", tree_method="exact", objective="reg:squarederror",
                        base_score=0, learning_rate=1, min_child_weight=1, num_parallel_tree=size, max_depth=24,
                        seed=second >> 33, seed_per_iteration=1, subsample=0.8, colsample_bynode=opt.feature_share)
        settings["lambda"] = 0
        b, length, out = ctypes.c_void_p(), ctypes.c_ulong(), ctypes.POINTER(ctypes.c_float)()
        must(xgb.XGBoosterCreate((ctypes.c_void_p * 1)(train), ctypes.c_ulong(1), ctypes.byref(b)))
        for k, v in settings.items():
            must(xgb.XGBoosterSetParam(b, k.encode(), str(v).encode()))
        must(xgb.XGBoosterUpdateOneIter(b, 0, train))
        must(xgb.XGBoosterPredict(b, test, 0, 0, 0, ctypes.byref(length), ctypes.byref(out)))
        for i in range(len(tests)):
            total[i] += out[i] * size
        xgb.XGBoosterFree(b)
    for h in (train, test):
        xgb.XGDMatrixFree(h)
    return [mean + spread * t / opt.trees for t in total]


def predict(train, test, clock):
    encode = encoder(train, clock)
    x, tests = [encode(o) for o in train], [encode(o) for o in test]
    if opt.derived == "no":
        return forest(x, [o.time for o in train], tests, 0), forest(x, [o.power for o in train], tests, 1)
    rate = quantile([cost(o)["bytes"] / o.time for o in train], 0.95)
    peak = quantile([cost(o)["flop"] / o.time for o in train], 0.95)
    overhead = quantile([o.time for o in train], 0.05)

    def roof(o):
        return max(cost(o)["bytes"] / rate, cost(o)["flop"] / peak) + overhead
    times = forest(x, [math.log(o.time / roof(o)) for o in train], tests, 0)
    powers = forest(x, [math.log(o.power) for o in train], tests, 1)
    return [math.exp(t) * roof(o) for t, o in zip(times, test)], [math.exp(p) for p in powers]


def gpustat(*more):
    words = [opt.program, "forest", "evaluate", opt.file, "--format", "csv", "--derived", opt.derived, "--seed", str(opt.seed),
             "--trees", str(opt.trees), "--folds", str(opt.folds), "--feature-share", str(opt.feature_share), *more]
    return list(csv.DictReader(io.StringIO(subprocess.run(words, check=True, capture_output=True, text=True).stdout)))


def main():
    with open(opt.file, newline="") as f:
        rows = list(csv.DictReader(f))
    ops = sorted((Operation(r) for r in rows), key=lambda o: o.order)
    clock = "clock_mhz" in rows[0]
    points, scores = gpustat("--points"), gpustat()
    bad = 0
    fold_of = {}
    for o, p in zip(ops, points, strict=True):
        if (p["op"], p["input_size"]) != o.key or float(p["time_s"]) != o.time or float(p["power_w"]) != o.power:
            sys.exit(f"rows differ: {o.key} and {p['op']} {p['input_size']}")
        o.fold = int(p["fold"])
        bad += fold_of.setdefault(o.key, o.fold) != o.fold
    sizes = [sum(f == k for f in fold_of.values()) for k in range(1, opt.folds + 1)]
    bad += max(sizes) - min(sizes) > 1
    for k in range(1, opt.folds + 1):
        train, test = [o for o in ops if o.fold != k], [o for o in ops if o.fold == k]
        for o, t, w in zip(test, *predict(train, test, clock)):
            o.t, o.w = t, w
    worst = max(max(abs(float(p["time_predicted_s"]) / o.t - 1), abs(float(p["power_predicted_w"]) / o.w - 1))
                for o, p in zip(ops, points))
    bad += worst > 1e-5
    medians = {}
    for row, measured, predicted in zip(scores, ([o.time for o in ops], [o.power for o in ops], [o.time * o.power for o in ops]),
                                        ([float(p[c]) for p in points] for c in
                                         ("time_predicted_s", "power_predicted_w", "energy_predicted_j")), strict=True):
        ape = [abs(q / m - 1) * 100 for m, q in zip(measured, predicted)]
        mean = math.fsum(measured) / len(measured)
        want = dict(median_ape_pct=quantile(ape, 0.5), p90_ape_pct=quantile(ape, 0.9), mean_ape_pct=math.fsum(ape) / len(ape),
                    r_squared=1 - math.fsum((m - q) ** 2 for m, q in zip(measured, predicted)) /
                    math.fsum((m - mean) ** 2 for m in measured))
        medians[row["target"]] = want["median_ape_pct"]
        for name, w in want.items():
            if abs(float(row[name]) - w) > 1e-6 * abs(w):
                print(f"{row['target']} {name}: {row[name]}, expected {w!r}")
                bad += 1
        print(f"{row['target']}: median {want['median_ape_pct']:.2f} %, mean {want['mean_ape_pct']:.2f} %, "
              f"R2 {want['r_squared']:.4f}")
    bad += medians["time"] > opt.median_time
    bad += medians["power"] > opt.median_power
    print(f"{len(ops)} operations, folds of {sizes}, predictions within {worst:.1e} of libxgboost's own: "
          f"{'ok' if bad == 0 else 'WRONG'}")
    return bad > 0


sys.exit(main())
