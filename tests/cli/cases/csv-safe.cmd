# A name that a spreadsheet would run as a formula: verbatim in CSV, with a quote before it on request.
cat > log.csv << 'END'
timestamp,hostname,gpu_index,power_draw_w
2024-05-01T12:00:00Z,"=cmd|' /C calc'!""A0""",0,100
2024-05-01T12:00:01Z,"=cmd|' /C calc'!""A0""",0,100
2024-05-01T12:00:00Z,@b,0,100
2024-05-01T12:00:01Z,@b,0,100
2024-05-01T12:00:00Z,c,0,100
2024-05-01T12:00:01Z,c,0,100
END
gpustat gpus log.csv -q -f csv | cut -d, -f 1
gpustat gpus log.csv -q -f csv --csv-safe | cut -d, -f 1
gpustat gpus log.csv -q -f tsv --csv-safe | cut -f 1
gpustat gpus log.csv -q -f json --csv-safe | grep -o '"hostname": "[^,]*'
