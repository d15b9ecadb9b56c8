# Rows before a logger's clock was set, days since the year 0, a clock that goes back: none of them gives an energy in silence.
energy() { gpustat power "$@" -f csv 2>&1 | grep -v note: | cut -d, -f1,2,5,15; }
rows() { for t in "$@"; do echo "$t,100"; done; }
(echo time,power_w; rows 1970-01-01T00:00:{10..12} 2026-05-31T13:20:{13..29}) > boot.csv
energy boot.csv
(echo time,power_w; rows 740130.9305{5556,6713,7870,9028}) > matlab.csv
energy matlab.csv
gpustat gpus matlab.csv --set samples.time.unit=s -q -f csv --show samples
(echo time,power_w; rows 2026-05-30T06:20:{10..29} 2026-05-30T05:20:{30..49}) > hour.csv
energy hour.csv
energy hour.csv --set samples.time= --interval 1s -q
# late rows, and an older log behind a newer one, are what they say
(echo time,power_w; rows 2026-05-30T06:20:{10..29} 2026-05-30T06:20:{31,30} 2026-05-30T06:20:{32..41}) > late.csv
energy late.csv -q
(echo time,power_w; rows 2026-05-30T06:20:{10..29} 2026-05-30T05:13:{22..41}) > two.csv
energy two.csv -q --max-gap 5s
(echo time,power_w; rows 2026-05-30T06:{00..59}:00 2026-05-30T05:{00..59}:00) > hourly.csv
energy hourly.csv -q
# one model is the name of no GPU where two read at a time
(echo time,gpu,power_w; for s in {10..29}; do for w in 100 200; do echo "2026-05-30T06:20:$s,NVIDIA A100-SXM4-80GB,$w"; done; done) > model.csv
energy model.csv
energy model.csv --set samples.gpu.turns=2 -q
(echo time,gpu,power_w; for s in {10..29}; do echo "2026-05-30T06:20:$s,NVIDIA A100-SXM4-80GB,100"; done) > one.csv
energy one.csv -q
