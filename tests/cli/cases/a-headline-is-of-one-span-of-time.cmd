# Events of 57 s in a log of 63 s: the energy is of the log, and the headline names both.
gpustat report data/own -o own > own.out
grep -h '^\*\*' own/report.md
gpustat report data/own -o part --from 09:30:10 --to 09:30:50 > part.out
grep -h '^\*\*' part/report.md
