# Requests that overlap are an inference run; with the tokens of each, what a token takes. 2 GPUs of 300 W, 60 s: 36 kJ for 6,000 tokens.
{ echo 'time,gpu,power_w'; for ((s = 0; s <= 60; s++)); do for g in 0 1; do echo "$((1773144000 + s)),$g,300"; done; done; } > gpu.csv
for ((i = 0; i < 60; i++)); do
    s=$((1773144000 + i / 3 * 3))
    echo "{\"request_id\": \"r$i\", \"start_time\": $s, \"end_time\": $((s + 3)), \"prompt_tokens\": 20, \"completion_tokens\": 100}"
done > requests.jsonl
gpustat report gpu.csv requests.jsonl -o page -q > /dev/null
grep -oE '^\*\*.*|Read as [a-z ]+|^- Each .*' page/report.md
# A list of jobs alone: who held most; no power is no finding of its own.
printf '%s\n' 'JobID|User|Start|End|NodeList|AllocTRES|State' '1|ann|2026-03-10T12:00:00|2026-03-10T14:00:00|n1|gres/gpu=4|COMPLETED' '2|bob|2026-03-10T12:00:00|2026-03-10T13:00:00|n2|gres/gpu=2|COMPLETED' > sacct.txt
gpustat report sacct.txt -o jobs -q --tz UTC > /dev/null
grep -E '^\*\*|of the data|^- ' jobs/report.md
