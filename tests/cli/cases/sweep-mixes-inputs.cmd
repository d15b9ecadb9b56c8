# Three inputs of 1, 4 and 9 s under one name, three runs each: their times at one frequency differ too much for one work.
awk 'BEGIN {
    print "benchmark,core_frequency,input,rep,time_s,power_w,temp"
    for (f = 900; f <= 1500; f += 100)
        for (i = 1; i <= 3; i++)
            for (r = 1; r <= 3; r++)
                printf "a,%d,in%d,%d,%.4f,%d,%d\nb,%d,in1,%d,%.4f,%d,%d\n", f, i, r, i * i * (1000 / f + r / 1000), 50 + f / 10 + r, 40 + (f + 7 * i + r) % 5, f, 3 * i + r, 2000 / f + (i + r) / 1000, 60 + f / 10 + r, 50
}' > sweep.csv
gpustat sweep sweep.csv -f csv | cut -d, -f 1-4,10
gpustat sweep sweep.csv --group benchmark,input -f csv | cut -d, -f 1-5
