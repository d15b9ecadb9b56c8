#!/usr/bin/env python3
"""Holds --tz to Python's zoneinfo: random local times of random zones, and the hours around every change of a year.

  zones.py PROGRAM [SEED [ZONES]]

Local times that occur once must become the same instants; those that occur twice or never must be refused.
"""
import csv
import datetime
import io
import os
import random
import subprocess
import sys
import tempfile
import zoneinfo

UTC = datetime.timezone.utc


def instants(local, zone):
    """What a local time may mean: one instant, two, or none."""
    found = set()
    for fold in (0, 1):
        at = local.replace(tzinfo=zone, fold=fold).astimezone(UTC)
        if at.astimezone(zone).replace(tzinfo=None) == local:
            found.add(at)
    return sorted(found)


def some_times(rnd, zone):
    times = [datetime.datetime(2000, 1, 2) + datetime.timedelta(seconds=rnd.randrange(99 * 365 * 86400)) for _ in range(60)]
    t = datetime.datetime(rnd.choice((2005, 2018, 2024, 2037, 2040, 2099)), 1, 1)
    for _ in range(366 * 24):                         # around each change of that year
        t += datetime.timedelta(hours=1)
        if t.replace(tzinfo=zone).utcoffset() != (t + datetime.timedelta(hours=1)).replace(tzinfo=zone).utcoffset():
            times += [t + datetime.timedelta(minutes=m) for m in range(-61, 200, 29)]
    return times


def ask(program, zone, times):
    with tempfile.TemporaryDirectory() as d:
        with open(os.path.join(d, "application-checkpoints.csv"), "w") as f:
            f.write("timestamp,hostname,eventName,eventType,jobId,taskId\n")
            for i, t in enumerate(times):
                text = t.strftime("%Y-%m-%d %H:%M:%S") + ("" if i % 3 else ".000")  # the scanner reads some by itself
                f.write("".join("%s,h,E,%s,j,%d\n" % (text, what, i) for what in ("START", "STOP")))
        with open(os.path.join(d, "gpu.csv"), "w") as f:
            f.write("timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n")
        p = subprocess.run([program, "join", d, "--tz", zone, "-q", "-f", "csv"], capture_output=True, text=True, check=False)
    return p.returncode, {int(r["task_id"]): r["start"] for r in csv.DictReader(io.StringIO(p.stdout))}, p.stderr


def main():
    program = sys.argv[1]
    seed, n = (int(sys.argv[k]) if len(sys.argv) > k else default for k, default in ((2, 1), (3, 25)))
    rnd = random.Random(seed)
    names = sorted(z for z in zoneinfo.available_timezones() if os.path.exists("/usr/share/zoneinfo/" + z))
    if not names:
        print("no time zones on this system")
        return
    checked = refused = 0
    for name in rnd.sample(names, min(n, len(names))):
        zone = zoneinfo.ZoneInfo(name)
        times = some_times(rnd, zone)
        once = [t for t in times if len(instants(t, zone)) == 1]
        code, got, said = ask(program, name, once)
        assert code == 0, (name, said)
        for i, t in enumerate(once):
            want = instants(t, zone)[0].strftime("%Y-%m-%dT%H:%M:%S.000Z")
            assert got[i] == want, (name, t, got[i], want)
            checked += 1
        for t in [t for t in times if len(instants(t, zone)) != 1][:4]:
            code, _, said = ask(program, name, [t])
            word = "occurs twice" if instants(t, zone) else "does not occur"
            assert code == 65 and word in said, (name, t, said)
            refused += 1
    print("%d local times are the instants of zoneinfo, %d are refused" % (checked, refused))


if __name__ == "__main__":
    main()
