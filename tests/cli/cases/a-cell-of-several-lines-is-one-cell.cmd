# Prompts and answers in quotes go over lines: the row ends where the quote is closed, also below a title, and in a table of spans.
cat > log.csv <<'END'
timestamp,prompt,power_w
2024-05-01T10:00:00Z,"What is
a ""GPU"", then?",100
2024-05-01T10:00:01Z,"a

b",110
2024-05-01T10:00:02Z,c,120
END
gpustat power log.csv -q -f csv --show gpu,rows,power_mean_w,energy_trapezoid_j
{ echo 'My run'; echo; cat log.csv; echo 'done'; } > titled.csv
gpustat power titled.csv -q -f csv --show gpu,rows,power_mean_w,energy_trapezoid_j
printf 't_start_rel_s,t_end_rel_s,answer,phase\n0,2,"one\n\ntwo",warm\n2,5,"%s",run\n5,9,x,run\n' "$(seq 20)" > runs.csv
gpustat events runs.csv -q -f csv --show event,n,duration_mean_ms
# A quote that is never closed holds nothing together.
printf 'time,note,power_w\n2024-05-01T10:00:00Z,"4 inch,100\n2024-05-01T10:00:01Z,b,110\n2024-05-01T10:00:02Z,c,120\n' > open.csv
gpustat power open.csv -q
