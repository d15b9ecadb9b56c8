#!/usr/bin/env python3
"""Compares a CSV of gpustat with a stored result of the oracle, as `oracle.py --verify` does.

    compare_csv.py EXPECTED.csv RESULT.csv [--ulp N] [--loose COLUMN=N]...
"""
import argparse
import csv
import sys

import oracle


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("expected")
    p.add_argument("result")
    p.add_argument("--ulp", type=int, default=0)
    p.add_argument("--loose", type=lambda v: (v.split("=")[0], int(v.split("=")[1])), action="append", default=[])
    opt = p.parse_args()
    with open(opt.expected, encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f, strict=True))
    return oracle.verify((tuple(rows[0]), rows[1:]), opt.result, opt.ulp, opt.loose)


if __name__ == "__main__":
    sys.exit(main())
