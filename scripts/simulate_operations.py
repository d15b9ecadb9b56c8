#!/usr/bin/env python3
"""Simulates measured operations of four small networks on a GPU that does not exist.

    python3 scripts/simulate_operations.py > data/operations.csv

The GPU has a peak rate that follows its clock, a memory that does not, and a fixed cost for every launch. Each
layer reaches a share of the peak that depends on its shape; power is idle power plus what arithmetic, memory and
clock ask for. Times and powers carry 1 % and 0.5 % of noise. Plausible, not physics.
"""
import argparse
import csv
import math
import random
import sys

PEAK_FLOP_PER_S_PER_MHZ = 9.0e9  # 13.5 TFLOP/s at 1500 MHz
BYTES_PER_S = 6.0e11
LAUNCH_S = 6.0e-6
IDLE_W, ARITHMETIC_W, MEMORY_W = 42.0, 150.0, 75.0
FULL_CLOCK_MHZ = 1500


def conv(n, cin, cout, side, kernel=3, stride=1, groups=1):
    pad = kernel // 2
    out = (side + 2 * pad - kernel) // stride + 1
    text = f"Conv2d({cin}, {cout}, kernel_size=({kernel}, {kernel}), stride=({stride}, {stride})"
    text += f", padding=({pad}, {pad})" if pad else ""
    text += f", groups={groups}" if groups > 1 else ""
    text += ", bias=False)"
    per_output = cin // groups * kernel * kernel
    outputs = n * cout * out * out
    # Few channels per group leave most of the machine idle; so do few outputs.
    share = 0.75 * min(1.0, per_output / 256 + 0.04) * outputs / (outputs + 2.0e5)
    return text, (n, cin, side, side), 2.0 * outputs * per_output, (n * cin * side * side + outputs + cout * per_output), share


def norm(n, channels, side):
    text = f"BatchNorm2d({channels}, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)"
    elements = n * channels * side * side
    return text, (n, channels, side, side), 2.0 * elements, 3.0 * elements, 0.2


def relu(n, channels, side):
    elements = n * channels * side * side
    return "ReLU(inplace=True)", (n, channels, side, side), 1.0 * elements, 2.0 * elements, 0.2


def pool(n, channels, side):
    elements = n * channels * side * side
    return "AdaptiveAvgPool2d(output_size=(1, 1))", (n, channels, side, side), 1.0 * elements, elements + n * channels, 0.05


def linear(n, inputs, outputs):
    text = f"Linear(in_features={inputs}, out_features={outputs}, bias=True)"
    share = 0.6 * n / (n + 24)
    return text, (n, inputs), 2.0 * n * inputs * outputs, n * (inputs + outputs) + inputs * outputs, share


def stage(n, channels, side, blocks):
    yield blocks, conv(n, channels, channels, side)
    yield blocks, norm(n, channels, side)
    yield blocks, relu(n, channels, side)


def networks():
    """(model, count, operation) of plain, residual, wide and separable networks."""
    for model, n, width, side, blocks in (("plain", 16, 32, 64, 2), ("residual", 32, 64, 56, 4), ("wide", 8, 128, 56, 3)):
        yield model, 1, conv(n, 3, width, 4 * side, 7, 4)
        for k in range(3):
            w, s = width << k, side >> k
            for count, op in stage(n, w, s, blocks):
                yield model, count, op
            if k < 2:
                yield model, 1, conv(n, w, 2 * w, s, 1, 2)
        yield model, 1, pool(n, 4 * width, side >> 2)
        yield model, 1, linear(n, 4 * width, 1000)
    n = 32
    yield "separable", 1, conv(n, 3, 32, 112, 3, 2)
    for k in range(3):
        w, s = 32 << k, 56 >> k
        yield "separable", 3, conv(n, w, w, s, 3, 1, w)
        yield "separable", 3, conv(n, w, 2 * w, s, 1, 1)
        yield "separable", 6, norm(n, w, s)
        yield "separable", 6, relu(n, w, s)
    yield "separable", 1, pool(n, 256, 7)
    yield "separable", 1, linear(n, 256, 1000)


def measure(flop, elements, share, clock, rng):
    arithmetic = flop / (PEAK_FLOP_PER_S_PER_MHZ * clock * share)
    memory = 4.0 * elements / (0.85 * BYTES_PER_S)
    time = LAUNCH_S + math.hypot(arithmetic, memory)
    busy = clock / FULL_CLOCK_MHZ
    power = IDLE_W + ARITHMETIC_W * busy**2.2 * min(1.0, arithmetic / time) + MEMORY_W * min(1.0, memory / time)
    return time * rng.gauss(1.0, 0.01), power * rng.gauss(1.0, 0.005)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clocks", default="900,1200,1500", help="GPU clocks in MHz")
    parser.add_argument("--seed", type=int, default=2024)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["model", "op", "input_size", "clock_mhz", "count", "time_s", "power_mean_W"])
    for clock in map(int, options.clocks.split(",")):
        for model, count, (text, size, flop, elements, share) in networks():
            time, power = measure(flop, elements, share, clock, rng)
            out.writerow([model, text, "(" + ", ".join(map(str, size)) + ")", clock, count, f"{time:.4e}", f"{power:.2f}"])


if __name__ == "__main__":
    main()
