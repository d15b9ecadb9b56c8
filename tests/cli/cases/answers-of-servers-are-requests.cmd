# 300 W for 6 s, 60 W for 4 s, twelve times: a request each, whose line is written when it is answered. 12 x 1.8 kJ = 21.6 kJ.
awk 'BEGIN { print "timestamp,power.draw [W]"; for (i = 0; i < 1400; i++) { on = i % 100 >= 40 && i < 1200; printf "%.1f,%d W\n", 1735689480 + i / 10, on ? 300 : 60 } }' > gpu.csv
answers() { for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf "$1\n" "$(date -u -d @$((1735689480 + 10 * i)) +%Y-%m-%dT%H:%M:%S)"; done; }
answers '{"timestamp": "%s.001000Z", "level": "INFO", "message": "Success", "target": "text_generation_router::server", "total_time": "6.000000001s", "validation_time": "1.1ms", "queue_time": "0.1ms", "inference_time": "5.9s", "time_per_token": "20ms"}' > tgi.jsonl
answers '{"model": "llama3", "created_at": "%s.001000Z", "response": "x", "done": true, "total_duration": 6000000000, "load_duration": 1000000, "prompt_eval_count": 20, "prompt_eval_duration": 100000000, "eval_count": 100, "eval_duration": 5800000000}' > ollama.jsonl
for f in tgi ollama; do
    gpustat gpu.csv $f.jsonl | grep Read
    gpustat events gpu.csv --events $f.jsonl --format csv --show event,n,duration_mean_ms,energy_sum_j
done 2> /dev/null
