# A chance below the least that is printed begins with a sign that HTML must not see; a star within a code span is kept.
mkdir run
awk 'BEGIN { print "timestamp,hostname,gpu,power_w,temp_c"
    for (i = 0; i < 60; i++) for (h = 0; h < 40; h++)
        printf "2025-03-04T10:00:%02dZ,n%02d,0,%d,%d\n", i, h, 200, 40 + h }' > run/gpu.csv
awk 'BEGIN { print "event,host,start,duration_s"
    for (h = 0; h < 40; h++) printf "step,n%02d,2025-03-04T10:00:05Z,%g\n", h, 20 + h / 2 + h % 3 }' > run/steps.csv
gpustat correlate run -q -f html | grep -o '<td[^>]*>&lt;0.0001</td>' | sort -u
gpustat correlate run -q -f html | grep -c '<0\.0001'
gpustat help columns | grep -c 'energy\* shows'
