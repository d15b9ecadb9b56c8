#!/bin/bash
# What `gpustat report` promises, on data/ and on a data set whose every name is hostile.
#   run.sh BUILD
# tests/cli/golden-report holds the .gp and .csv of data/'s report; UPDATE=1 writes what came out: look at the diff.
set -u
# shellcheck source=tests/tally.sh
. "$(dirname "$0")/../tally.sh"
build=$1
program=$(realpath "$build/gpustat")
here=$root/tests/report golden=$root/tests/cli/golden-report
code=0
cd "$scratch" || exit 1
ln -s "$root/data" data

# Adds the counts of a Python program that checks many things.
checked()
{
    python3 "$@" > said 2>&1
    local last
    last=$(tail -n 1 said)
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
        [ "${BASH_REMATCH[2]}" -eq 0 ] || head -n 30 said | sed 's/^/    /'
    else
        failed=$((failed + 1))
        sed 's/^/    /' said | tail -n 20
    fi
}

report()
{
    timeout -k 5 300 "$program" report "$@" > out 2> err < /dev/null
    code=$?
}

is() { [ "$code" -eq "$1" ]; }
says() { grep -qF -- "$1" err; }
nothing_left() { [ -z "$(find . -maxdepth 1 -name '.gpustat*')" ]; }

command -v gnuplot > /dev/null 2>&1 || give_up 1 "gnuplot is not installed: a report cannot be tested"

report data/ -o first -f csv
check "a report of data/ is made" is 0
check "its list of files is files.csv" cmp -s out first/files.csv
check "no temporary directory stays" nothing_left
cut -d , -f 1,4 out | sed 1d | awk -F , '{ print $2 "  first/" $1 }' > sums
check "every digest of files.csv is right" sha256sum --quiet -c sums
check "every file is listed" diff <(cd first && find . -type f | sed 's|^\./||' | grep -v '^files.csv$' | sort) <(cut -d , -f 1 out | sed 1d | sort)
cut -d , -f 1,6 first/inputs.csv | sed 1d | awk -F , '{ print $2 "  data/" $1 }' > sums
check "every digest of the inputs is right" sha256sum --quiet -c sums
check "all three inputs are digested" test "$(wc -l < sums)" -eq 3

if [ -n "${UPDATE-}" ]; then
    rm -rf "$golden"
    mkdir -p "$golden"
    cp first/*.gp first/*.csv "$golden"
    # The digests of pictures are those of one gnuplot; definitions are words, not results.
    rm -f "$golden/files.csv" "$golden/columns.csv"
fi
for file in "$golden"/*; do
    check "${file##*/} is as it was" diff -a "$file" "first/${file##*/}"
done
check "there is a golden file of every script and table" test "$(find "$golden" -type f | wc -l)" -eq "$(find first -name '*.gp' -o -name '*.csv' | grep -vcE '/(files|columns).csv$')"

# The same bytes: again, on other numbers of threads, from other places, packed and in shards.
for way in "-j 1" "-j 2" "-j 7"; do
    # shellcheck disable=SC2086
    report data/ -o second $way
    check "$way gives the same bytes" diff -r first second
done
mkdir elsewhere
cp data/*.csv elsewhere
report "$scratch/elsewhere" -o second --title data
check "another directory gives the same bytes" diff -r first second
gzip elsewhere/gpu.csv
report elsewhere -o second
check "packed input gives the same tables" diff first/events.csv second/events.csv
check "a digest is of the file as it lies on disk" grep -q "$(sha256sum < elsewhere/gpu.csv.gz | cut -c 1-64)" second/inputs.csv
TZ=Asia/Kathmandu LC_ALL=C.UTF-8 report data/ -o second
check "another time zone and locale give the same bytes" diff -r first second
gpu_from_stdin() { "$program" report data/ --gpu - -o second > out 2> err < data/gpu.csv; }
check "samples may come from standard input" gpu_from_stdin
gpu_digest=$(sha256sum < data/gpu.csv | cut -c 1-64) gpu_bytes=$(wc -c < data/gpu.csv)
check "standard input has the digest of what was read" grep -qx "standard input,samples,6835,0,$gpu_bytes,$gpu_digest" second/inputs.csv
# A pipe can be read once only, and its bytes are gone then.
gpu_from_fifo() { mkfifo pipe && { cat data/gpu.csv > pipe & } && timeout 60 "$program" report data/ --gpu pipe -o second > out 2> err; }
check "samples may come from a pipe" gpu_from_fifo
check "a pipe has the digest of what was read" grep -qx "pipe,samples,6835,0,$gpu_bytes,$gpu_digest" second/inputs.csv

checked "$here/check_report.py" first
checked "$here/check_words.py" first
checked "$root/tests/oracle/report.py" data first
mkdir runs
checked "$here/check_runs.py" "$program" runs

# Without events the GPUs are described, without samples the times, and what is missing is said.
mkdir watched timed
cp data/gpu.csv watched
cp data/application-checkpoints.csv data/task-x-y.csv timed
report watched -o watched-report
check "a run without events is reported" is 0
check "which is said" grep -qx -- '- There are no events: only the GPUs are described, not what they worked on\.' watched-report/report.md
check "with the energy of each GPU and its phases, as power has them" \
    diff <("$program" power watched -f csv 2> err) watched-report/power.csv
check "no task is counted" test -z "$(sed 1d watched-report/timeline.csv | cut -d , -f 4 | tr -d '\n')"
check "nor drawn in an empty panel" test "$(grep -c "^set title 'Active tasks\|^set title 'Tasks finished" watched-report/figure-timeline.gp)" -eq 0
check "and no event is drawn" test ! -e watched-report/figure-1.svg
report timed -o timed-report
check "a run without samples is reported" is 0
check "which is said, too" grep -qx -- '- There are no samples: only times are described, not power, energy or utilisation\.' timed-report/report.md
check "with the durations that it has with samples" diff <(cut -d , -f 1-9 first/events.csv) <(cut -d , -f 1-9 timed-report/events.csv)
check "no power is drawn" test ! -e timed-report/figure-1.svg -a -e timed-report/figure-2.svg
mkdir neither
cp data/task-x-y.csv neither
report neither -o neither-report
check "a run without both is refused" is 66
check "which names both" says "neither events"

# All rows where they are asked for; a page that stays short whatever the number of events.
report data/ -o every --all
check "a report with all rows is made" is 0
check "the page has every row of the timeline" test "$(grep -c '<tr id="timeline-' every/index.html)" -ge "$(($(wc -l < first/timeline.csv) - 1))"
check "without it some are shown" grep -q '>The first 50 of [0-9,]* rows; ' first/index.html
mkdir many
awk 'BEGIN { print "timestamp,hostname,eventName,eventType,jobId,taskId"
    for (i = 0; i < 3000; i++) for (k = 0; k < 2; k++)
        printf "2024-01-01T00:%02d:%02d.%03dZ,h%d,name %d,%s,j,t%d\n", i / 60, i % 60, 900 * k, i % 3, i, k ? "STOP" : "START", i }' > many/application-checkpoints.csv
awk 'BEGIN { print "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc"
    for (h = 0; h < 3; h++) for (i = 0; i < 300; i++)
        printf "2024-01-01T00:%02d:%02dZ,h%d,s%d,u%d,%d,40,50,20\n", i / 6, i % 6 * 10, h, h, h, 50 + i % 7 }' > many/gpu.csv
report many -o many-report --kind farm
check "3000 kinds of event are reported" is 0
check "in a page of bounded length" test "$(wc -c < many-report/index.html)" -lt 1000000
check "that counts those without samples" grep -q 'Of [0-9,]* more names as few events, or none, hold a sample' many-report/index.html

# What stands in the way is said, and nothing is touched.
mkdir mine
echo precious > mine/notes.txt
report data/ -o mine
check "a directory that no report wrote is refused" is 73
check "the refusal names what is in it" says "mine: cannot be replaced: no report wrote 'notes.txt' in it"
check "what is in it stays" test "$(cat mine/notes.txt)" = precious
report data/ -o second
echo precious > second/notes.txt
report data/ -o second
check "a report with a file of somebody else is refused" is 73
check "the refusal names that file" says "no report wrote 'notes.txt' in it"
check "that file stays" test "$(cat second/notes.txt)" = precious
rm second/notes.txt
echo 'A note of mine.' >> second/report.md
report data/ -o second
check "a report of which somebody changed a file is refused" is 73
check "the refusal names that file" says "'report.md' in it was changed since a report wrote it"
check "that file stays" grep -q 'A note of mine' second/report.md
sed -i '$d' second/report.md
cp second/files.csv kept
printf 'file,kind,bytes,sha256\n../mine/notes.txt,table,1,x\n' >> second/files.csv
report data/ -o second
check "a forged list of files harms nobody" test -f mine/notes.txt
echo x > file
report data/ -o file
check "a file in the way is refused" is 73
check "that file stays as it is" test "$(cat file)" = x
report data/ -o missing/report
check "a parent that is not there is an error" is 73
report missing/ -o fresh
check "missing data is an error" is 66
check "missing data leaves no report" test ! -e fresh
check "and no temporary directory" nothing_left
report data/ -o first/../fresh/
check "an output may end in a slash" test -f fresh/index.html
mkdir empty
ln -s empty link
report data/ -o link
check "a link is followed and stays" test -L link -a -f empty/index.html
mkdir nowhere
env PATH="$scratch/nowhere" "$program" report data/ -o fresher > out 2> err
code=$?
check "without gnuplot there is no report" is 69
check "it says what to install" says "gnuplot: not found; install gnuplot"
check "and nothing is left of it" test ! -e fresher -a -z "$(find . -maxdepth 1 -name '.gpustat*')"
(trap '' XFSZ && ulimit -f 200 && "$program" report data/ -o full > out 2> err)
code=$?
check "a disk that is full is an error" is 74
check "and leaves nothing" test ! -e full -a ! -s out
check "nor a temporary directory" nothing_left
if [ -c /dev/full ]; then
    "$program" report data/ -o full > /dev/full 2> err
    code=$?
    check "a full standard output is an error" is 74
fi

# Less than a whole run.
# Stopped half-way: nothing stays, and what was there is there.
cp -r first stopped

timeout -s TERM 0.3 "$program" report data/ -o stopped > out 2> err
check "a run that is stopped leaves the earlier report" diff -r first stopped
check "and nothing beside it" nothing_left
mkdir part
cp data/application-checkpoints.csv data/gpu.csv part
report part -o partial
check "without tasks there is a report" is 0
check "it says what is missing" grep -q '<p>Not shown, because there is no table of tasks: ' partial/index.html
check "each section that it lacks by its name" grep -q '<span id="zoom">Zoom levels</span>' partial/index.html
checked "$here/check_report.py" partial
head -n 1 data/gpu.csv > part/gpu.csv
head -n 1 data/application-checkpoints.csv > part/application-checkpoints.csv
report part -o partial
check "headers alone are a report or bad data" grep -qE '^(0|65)$' <(echo "$code")
report data/ -o partial --event Nothing
check "an event that is not there leaves its sections out" is 0
check "... and no number of its tasks is made up" grep -q '^\*\*The run took 15.4 min' partial/report.md
report data/ -o dark --png --theme dark --height 321 --note "<b>a \"note\"</b> & 'more'" --join window --duplicates drop
check "options are taken" is 0
check "the note is text" grep -qF '&lt;b&gt;a &quot;note&quot;&lt;/b&gt; &amp; &#39;more&#39;' dark/index.html
check "the options are in the report" grep -q '^--join,window$' dark/options.csv
check "every figure is as high as asked" grep -qE 'viewBox="0 0 [0-9]+ 321"' dark/figure-1.svg dark/figure-run.svg
check "the dark theme is drawn" grep -q '#14171c' dark/figure-1.svg
check "PNG is drawn where it is asked for" test -s dark/figure-1.png -a ! -e first/figure-1.png
checked "$here/check_report.py" dark

# Beside another run: what diff says, and both on the same axes.
report data/ --against elsewhere -o beside
check "a report beside another run is made" is 0
check "it has the rows of diff" diff <("$program" diff elsewhere data/ -q -f csv) beside/diff.csv
check "its figure is that of diff" diff <(grep -A 99 '^\$gs1_0' beside/figure-diff.gp | sed '/^END/q') \
    <("$program" diff elsewhere data/ -q -f gnuplot | grep -A 99 '^\$gs1_0' | sed '/^END/q')
check "the margin is shaded" grep -q 'set object rectangle from first -2, graph 0 to first 2, graph 1' beside/figure-diff.gp
check "both runs are in it over time" test "$(sed 1d beside/figure-against.csv | cut -d , -f 1 | sort | uniq -c | awk '{ print $1 }' | sort -u | wc -l)" -eq 1
check "a run of equal rows is the same" test "$(grep -c ',same,' beside/diff.csv)" -ge 4
checked "$here/check_report.py" beside
report data/ --against nowhere-at-all -o beside-none
check "a run that is not there is an error" is 66

# Jobs of a scheduler: who used what, and that the users' rows are those of the command.
mkdir site
awk 'BEGIN { print "event,host,start,stop,user,state"
    for (i = 0; i < 12; i++) printf "job%d,n%d,2025-11-21T10:%02d:00Z,2025-11-21T10:%02d:00Z,u%d,COMPLETED\n", i, i % 4, i * 4, i * 4 + 4, i % 3 }' > site/jobs.csv
awk 'BEGIN { print "timestamp,hostname,power_w,utilization"
    for (i = 0; i < 1200; i++) for (h = 0; h < 4; h++)
        printf "2025-11-21T10:%02d:%02dZ,n%d,%d,%d\n", i * 3 / 60, i * 3 % 60, h, 200 + (i * 7 + h) % 50, h % 2 ? 95 : 3 }' > site/samples.csv
site() { report --samples site/samples.csv --events site/jobs.csv --set events.attributes.user=user --set events.attributes.state=state "$@"; }
site -o site-report --price 0.5/kWh
check "jobs are reported" is 0
check "by their users, as the command has them" diff <("$program" jobs --samples site/samples.csv --events site/jobs.csv \
    --set events.attributes.user=user --set events.attributes.state=state --by user --price 0.5/kWh -q -f csv) site-report/jobs.csv
check "the most wasteful is named first" grep -q "$(sed 1d site-report/jobs.csv | grep -v '^(no job)' | sort -s -t , -k 13,13gr | head -n 1 | cut -d , -f 1) left most GPU-hours idle" site-report/report.md
check "the cost is said" grep -q 'at a cost of [0-9.]*' site-report/report.md
checked "$here/check_report.py" site-report

# A GPU log alone: the slow one is named, with what to look at.
awk 'BEGIN { print "timestamp,index,power.draw [W],clocks.current.sm [MHz],temperature.gpu,utilization.gpu [%]"
    for (i = 0; i < 600; i++) for (g = 0; g < 8; g++)
        printf "2025/11/21 10:%02d:%02d.000, %d, %d.5, %d, %d, 97\n", i / 60, i % 60, g, g == 5 ? 540 : 600 + (i * 7 + g) % 9, g == 5 ? 1300 : 1700, g == 5 ? 84 : 62 + g }' > eight.csv
report eight.csv -o eight-report
check "a log of eight GPUs is reported" is 0
check "the slow GPU is named in the first line" grep -qx '\*\*8 GPUs used .* GPU 5 is probably thermally throttled\.\*\*' eight-report/report.md
check "and linked to its row" grep -q '<li id="answer-gpu"><a href="#gpu-verdicts-6">' eight-report/index.html
check "each GPU has a picture of its own" test "$(grep -c '^set title .*GPU [0-7]' eight-report/figure-gpus.gp)" -eq 8
checked "$here/check_report.py" eight-report

# Names that have hurt somebody, through every door.
mkdir hostile traps
python3 "$here/make_hostile.py" hostile
check "no hostile name hides in the program's way" test -s hostile/gpu.csv
cd traps || exit 1
cp -r ../hostile h
for command in events zoom gpus correlate summary join check bias balance timeline schedule tiles clusters stragglers; do
    for format in table csv tsv json jsonl markdown html gnuplot; do
        "$program" "$command" h -q -f "$format" > "../$command.$format" 2> ../err
        code=$?
        case $command.$format in
        summary.gnuplot | check.gnuplot) check "$command says why it has no figure" grep -q 'has no figure: ' ../err ;;
        *) check "$command -f $format answers hostile names" grep -qE '^[01]$' <(echo "$code") ;;
        esac
    done
    "$program" "$command" h -q --plot "../$command.svg" > /dev/null 2> ../err
    gnuplot -d < "../$command.gnuplot" > /dev/null 2> ../err
done
"$program" tiles h -q --value host --plot ../hosts.svg > /dev/null 2> ../err
"$program" report h -o ../hostile-report > ../out 2> ../err
code=$?
check "a report of hostile names is made" is 0
file='`touch pwned-file` $(touch pwned-file) <script>alert(1)</script>'"'"'.csv'
mkdir ../odd
cp h/gpu.csv "../odd/${file//\//_}"
"$program" report --checkpoints h/application-checkpoints.csv --gpu "../odd/${file//\//_}" -o ../odd-report \
    --event '<script>alert(1)</script><img src=x onerror=alert(1)>' --note '</p><script>alert(1)</script>' > ../out 2> ../err
code=$?
check "a report of hostile files and options is made" is 0
cd "$scratch" || exit 1
check "no name has run" diff <(cd traps && find . | sort) <(printf '.\n./h\n./h/application-checkpoints.csv\n./h/gpu.csv\n./h/task-x-y.csv\n')
check "nothing was written beside it" test -z "$(find . -name '*pwned*' -not -path './odd/*')"
checked "$here/check_report.py" hostile-report
checked "$here/check_report.py" odd-report
check "a file's odd name is shown as text" grep -qF '&lt;script&gt;alert(1)&lt;_script&gt;&#39;.csv' odd-report/index.html
checked "$here/check_hostile.py" "$scratch"

tally
