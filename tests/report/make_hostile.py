"""Writes a small data set whose names have all hurt somebody: quotes, shells, markup, formats, terminals.

    make_hostile.py DIR
"""
import os
import sys

NAMES = [
    "TotalRender",
    'quote " and \' and \'\' ones',
    "`touch pwned-backtick`",
    "$(touch pwned-dollar)",
    "'; system('touch pwned-system'); print '",
    '"; system("touch pwned-double"); "',
    "\n!touch pwned-bang\n",
    "@{} @pwned {/Symbol a} x^2 y_1",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "</style></title></svg></textarea>--><!--",
    "]]><![CDATA[ &amp; &lt; &#60; &bogus;",
    "END_OF_NUMBERS",
    "\nEND_OF_NUMBERS\nsystem('touch pwned-tag')\n$x << END_OF_NUMBERS",
    "100% %s %n %d %g %%",
    "back\\slash \\ at end\\",
    "| pipe | [link](javascript:alert(1)) ![x](y) *b* _i_ #1",
    "\033[31mred\033[0m\007",
    "bidi \u202etxt.exe \u2066",
    "=cmd|' /C calc'!A0",
    "../../etc/passwd",
    "javascript:alert(1)",
    "日本語 naïve 😀",
]


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def stamp(seconds):
    return '"2018-11-08T%02d:%02d:%06.3fZ"' % (7 + int(seconds) // 3600, int(seconds) // 60 % 60, seconds % 60)


def main():
    directory = sys.argv[1]
    checkpoints = ['"timestamp","hostname","eventName","eventType","jobId","taskId"']
    samples = ['"timestamp","hostname","gpuSerial","gpuUUID","powerDrawWatt","gpuTempC","gpuUtilPerc","gpuMemUtilPerc"']
    tasks = ["taskId,jobId,x,y,level"]
    n = len(NAMES)
    for h, host in enumerate(NAMES):
        for k in range(4):
            task, job = "%s %d" % (NAMES[(h + k) % n], 4 * h + k), NAMES[k % 2]
            begin = 10.0 + 50 * k + h / 10
            tasks.append("%s,%s,%d,%d,%d" % (quoted(task), quoted(job), h, k, 12 if k else 8))
            for e, event in enumerate(NAMES):
                inside = event != "TotalRender"
                start = begin + (1 + e * 0.5 if inside else 0)
                stop = begin + (1 + e * 0.5 + 0.3 + e / 50 if inside else 30 + h % 2 * 4 + k)
                for at, kind in ((start, "START"), (stop, "STOP")):
                    if e == 8 and h == 3 and k == 0 and kind == "STOP":
                        continue  # an orphan, which a finding names
                    checkpoints.append(",".join([stamp(at), quoted(host), quoted(event), '"%s"' % kind, quoted(job),
                                                 quoted(task)]))
        for i in range(120):
            busy = i % 25 > 4
            samples.append(",".join([stamp(2.0 * i + h / 20), quoted(host), quoted("0" + host), quoted("GPU-" + host),
                                     "%.2f" % (27 + 60 * busy + h % 2 * 3 + i % 7), str(35 + h % 9 + i % 4),
                                     str(busy * (60 + h % 2 * 20 + h % 3)), str(busy * (30 + h % 2 * 10 + h % 4))]))
    for name, lines in (("application-checkpoints.csv", checkpoints), ("gpu.csv", samples), ("task-x-y.csv", tasks)):
        with open(os.path.join(directory, name), "w", encoding="utf-8", newline="") as f:
            f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
