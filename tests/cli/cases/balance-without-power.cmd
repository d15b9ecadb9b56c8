# Temperatures alone: no integral is known, and none is zero.
cat > gpu.csv << 'END'
timestamp,gpu,temp_c
2026-01-01T00:00:00Z,0,50
2026-01-01T00:00:10Z,0,60
2026-01-01T00:00:20Z,0,70
END
cat > spans.csv << 'END'
event,start,stop
step,2026-01-01T00:00:05Z,2026-01-01T00:00:15Z
END
gpustat balance gpu.csv spans.csv -f csv 2>&1
