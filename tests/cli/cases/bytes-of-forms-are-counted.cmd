# What a form read counts as much as what the scanner read.
printf ':::MLLOG {"namespace": "", "time_ms": 1736935200000, "event_type": "INTERVAL_START", "key": "run_start", "value": null, "metadata": {}}\n:::MLLOG {"namespace": "", "time_ms": 1736935210000, "event_type": "INTERVAL_END", "key": "run_stop", "value": null, "metadata": {}}\n' > result.txt
wc -c < result.txt
gpustat summary result.txt -q -f csv | grep checkpoint_bytes
gzip -k result.txt
gpustat summary result.txt.gz -q -f csv | grep checkpoint_bytes
