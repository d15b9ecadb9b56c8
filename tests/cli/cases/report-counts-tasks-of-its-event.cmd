awk -F, 'NR == 1 || !($3 == "\"Uploading\"" && $2 ~ /00000[12345]"$/)' data/application-checkpoints.csv > events.csv
for event in Uploading TotalRender
do
    gpustat report data/ --events events.csv --event $event -o page -q > /dev/null
    grep -o "The study's own figures count [^.]*\." page/report.md
    for rows in keep drop
    do
        gpustat events data/ --events events.csv --duplicates $rows -q -f csv | grep "^$event," | cut -d , -f 1,2
    done
done
gpustat report data/ --events events.csv --duplicates drop -o page -q > /dev/null
! grep 'own figures count' page/report.md
