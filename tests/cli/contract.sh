#!/bin/bash
# What every command promises, tried on every command that the program itself names (or on those named here).
#   contract.sh PROGRAM [COMMAND...]
# The valid use of a command is its first example that reads only data/; the broken ones replace data/ in it.
set -u
[ "$#" -ge 1 ] || { echo "usage: contract.sh PROGRAM [COMMAND...]" >&2; exit 2; }
program=$(realpath "$1")
shift
self=$(realpath "$0")
# Without names: every command, side by side, and the sum.
if [ "$#" -eq 0 ]; then
    logs=$(mktemp -d)
    trap 'rm -rf "$logs"' EXIT
    "$program" commands | cut -f 1 | xargs -P "$(nproc)" -I NAME sh -c '"$1" "$2" NAME > "$3/NAME" 2>&1' - "$self" "$program" "$logs"
    # A run that died says nothing at its end and counts as a failure.
    awk 'FNR == 1 { files++ }
        /^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3; ended++; next }
        { print }
        END { f += files - ended + (files == 0); printf "%d passed, %d failed\n", p, f; exit f > 0 }' "$logs"/* /dev/null
    exit
fi
# shellcheck source=tests/tally.sh
. "$(dirname "$self")/../tally.sh"
chmod 755 "$scratch"
cd "$scratch" || exit 1
ln -s "$root/data" data
code=0 example=() words=()

# A command that asks for the whole memory of the machine has failed. Sanitizers reserve more than that themselves.
grep -qE '__(asan|tsan)_init' "$program" || ulimit -v 4194304

# A directory that the command makes is made anew.
afresh() { [ -z "${directory-}" ] || rm -rf -- "$directory"; }

# run ARGUMENT...: leaves `out`, `err` and $code.
run()
{
    afresh
    timeout -k 5 900 "$program" "$@" > out 2> err < /dev/null
    code=$?
}

is() { [ "$code" -eq "$1" ]; }
is_one_of() { [[ " $* " == *" $code "* ]]; }
silent() { [ ! -s out ]; }
says() { grep -qF -- "$1" err; }
no_stray_files() { [ -z "$(find . -maxdepth 1 -name '*tmp*' -o -maxdepth 1 -name '.*.*' | grep -v '^\.$')" ]; }
# Every line of an error begins with the program's name or is the pointer to the help.
well_formed() { [ -s err ] && ! grep -qvE "^(gpustat: |see 'gpustat help)" err && ! grep -qE 'gpustat: .*\.$' err; }

# The words of the example with what stands in data/ replaced: a directory by $1, a file by $2.
replaced()
{
    words=()
    local word
    for word in "${example[@]}"; do
        case $word in
        data | data/) words+=("$1") ;;
        data/*) words+=("$2") ;;
        *) words+=("$word") ;;
        esac
    done
}

refused()
{
    local what=$1
    shift
    run "${words[@]}"
    check "$what exits with $*" is_one_of "$@"
    check "$what prints nothing on standard output" silent
    check "$what says what is wrong" well_formed
    check "$what proposes what can be typed" hints_are_there
}

# Each option that a message names is the command's own, or stands behind the command that has it.
hints_are_there()
{
    local option
    for option in $(sed -E 's/gpustat [a-z]+ --[a-z-]+//g; s/[^ (]--[a-z-]+//g' err | grep -oE -- '--[a-z][a-z-]+' | sort -u); do
        grep -qE -- "(^| )$option( |,|$)" help || return 1
    done
}

# Fixtures: the three tables and a foreign file, each broken in one way.
tables="application-checkpoints.csv gpu.csv task-x-y.csv"
mkdir empty headers directories nothing unreadable binary lists
printf 'timestamp,host,power_w\n2024-01-01T00:00:00Z,a,100\n2024-01-01T00:00:01Z,a,90\n' > lists/gpu.csv
printf 'event,start,stop\na,2024-01-01T00:00:00Z,2024-01-01T00:00:01Z\n' > lists/one.csv
echo '{"step": 0, "end": "2024-01-01T00:00:01Z", "duration": 0.9}' > lists/two.jsonl
for table in $tables; do
    : > "empty/$table"
    head -n 1 "$root/data/$table" > "headers/$table"
    mkdir "directories/$table"
    echo x > "unreadable/$table"
    head -c 4096 /dev/zero > "binary/$table"
done
: > empty.csv
head -c 4096 /dev/zero > binary.csv
echo x > unreadable.csv
chmod 000 unreadable.csv unreadable/*.csv

# As root every file can be read; as nobody not.
as_nobody=()
if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null 2>&1 &&
    setpriv --reuid=65534 --regid=65534 --clear-groups "$program" --version > /dev/null 2>&1; then
    as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi

try_usage()
{
    run "$command" --help
    check "--help exits with 0" is 0
    check "--help names the command" grep -q "^Usage: gpustat $command" out
    check "--help prints nothing on standard error" test ! -s err
    check "--help fits 80 columns" test "$(grep -v '^  gpustat ' out | LC_ALL=C.UTF-8 grep -cE '.{81}')" -eq 0
    cp out help
    run help "$command"
    check "help and --help are the same" cmp -s out help
    run "$command" --formta=csv
    check "an unknown option exits with 2" is 2
    check "an unknown option names the nearest" says "did you mean '--format'?"
    check "an unknown option points to the help" says "see 'gpustat help $command'"
    check "an unknown option prints nothing on standard output" silent
    run "$command" -j 0
    check "a value out of bounds exits with 2" is 2
    check "a value out of bounds is named" says "-j: '0' must be a whole number from 1 to 256"
    run man "$command"
    check "there is a manual page" grep -q '^\.SH SYNOPSIS' out
}

try_inputs()
{
    replaced missing missing.csv
    refused "a missing input" 66
    if grep -q -- ' --set ROLE' help; then
        replaced lists lists/gpu.csv
        run "${words[@]}"
        check "two lists of events: $(head -n 1 err)" hints_are_there
    fi
    replaced empty empty.csv
    refused "an empty input" 65
    replaced binary binary.csv
    refused "an input of zero bytes" 65
    replaced directories nothing
    refused "a directory in place of a file" 66
    replaced headers "$first_header"
    run "${words[@]}"
    check "an input of a header alone is refused or answered" is_one_of 0 1 65
    [ "$code" -le 1 ] || check "a refusal prints nothing on standard output" silent
    replaced unreadable unreadable.csv
    if [ "${#as_nobody[@]}" -gt 0 ]; then
        "${as_nobody[@]}" "$program" "${words[@]}" > out 2> err < /dev/null
        code=$?
        check "an unreadable input exits with 66" is 66
    elif [ "$(id -u)" -ne 0 ]; then
        refused "an unreadable input" 66
    fi
}

try_outputs()
{
    afresh
    "$program" "${example[@]}" > /dev/full 2> err < /dev/null
    code=$?
    check "a full disk exits with 74" is 74
    check "a full disk is named" says "gpustat: standard output: No space left on device"
    # A pipe whose reader is gone before the first byte.
    afresh
    mkfifo pipe
    exec 3<> pipe 4> pipe 3>&-
    rm pipe
    (exec "$program" "${example[@]}" >&4 2> err < /dev/null)
    code=$?
    exec 4>&-
    check "a closed pipe ends by SIGPIPE" is 141
    check "a closed pipe is not complained about" test "$(grep -c 'Broken pipe' err)" -eq 0
    [ -z "$directory" ] || return
    run "${example[@]}" -o missing/result.csv
    check "-o into a missing directory exits with 73" is 73
    check "-o into a missing directory prints nothing" silent
    run "${example[@]}" -f csv
    cp out expected
    local expected_code=$code
    run "${example[@]}" -f csv -o result.csv
    check "-o exits as without it" is "$expected_code"
    check "-o prints nothing on standard output" silent
    # A map's paths are relative to where it lies; that it reads back from there has a golden case of its own.
    [ "$command" = map ] || check "-o writes the same bytes" cmp -s expected result.csv
    rm -f result.csv
    check "no temporary file stays" no_stray_files
}

try_results()
{
    local format
    [ -z "$directory" ] || return
    for format in table csv tsv json jsonl markdown html; do
        run "${example[@]}" -f "$format" -q
        check "--format $format works" is_one_of 0 1
        check "--format $format prints something" test -s out
        check "-q is quiet" test ! -s err
        cp out expected
        case $format in table | csv) ;; *) continue ;; esac
        for way in "env LC_ALL=C.UTF-8 TZ=Asia/Kathmandu" "env LC_ALL=de_DE.UTF-8 TZ=America/St_Johns COLUMNS=40" "env -j1" "env -j2" "env -j7"; do
            case $way in
            *-j*) timeout -k 5 900 "$program" "${example[@]}" -f "$format" -q "${way#env }" > out 2> err < /dev/null ;;
            *) timeout -k 5 900 $way "$program" "${example[@]}" -f "$format" -q > out 2> err < /dev/null ;;
            esac
            code=$?
            check "--format $format gives the same bytes with ${way#env }" cmp -s expected out
        done
    done
    run "${example[@]}" --explain -f csv -q
    check "--explain works" is_one_of 0 1
    check "--explain says how each column is computed" grep -q '^frame,column,unit,how$' out
    check "every column is explained" test "$(grep -v '^options,' out | grep -cE ',$')" -eq 0
    run "${example[@]}" --sort no_such_column
    check "--sort by an unknown column exits with 2" is 2
}

# What reads samples has the same input options, and what a message proposes to type is there to be typed.
try_options()
{
    local option asked case
    "$program" help "$command" > help
    if grep -q -- ' --samples FILE' help; then
        for option in map set columns power-column tz duplicates rejects sensor card max-gap; do
            check "--$option is there, as in all that read samples" grep -qE -- " --$option " help
        done
    fi
    # The options in the messages of the golden tests that run this command alone; `gpustat X ...` is about X, and
    # what a command line had wrong is no proposal.
    for case in "$root"/tests/cli/cases/*.err; do
        [ "$(grep -ohE 'gpustat [a-z]+' "${case%.err}.cmd" | sort -u)" = "gpustat $command" ] || continue
        [ "$(cat "${case%.err}.code" 2> /dev/null)" != 2 ] || continue
        asked=$(sed -e 's/`[^`]*`//g; s/pack it again.*//; s/\(dcgm-exporter\|sacct\) --[a-z0-9-]*//g' "$case" | grep -oE -- '--[a-z][a-z-]+' | sort -u)
        for option in $asked; do
            check "$option, which $(basename "$case") proposes, is there" grep -qE -- "(^| )$option( |,|$)" help
        done
    done
}

for command in "$@"; do
    subject="$command: " directory=''
    try_options
    line=$("$program" examples | grep -E "^gpustat $command( |\$)" | grep -vE '[|<>;]' | grep -F ' data/')
    # One that writes to standard output where there is one.
    line=$(printf '%s\n' "$line" | grep -vE -- ' (-o|--output)' || printf '%s\n' "$line")
    line=${line%%$'\n'*}
    try_usage
    code=-
    case $command in merge | slurm) continue ;; esac # what they read others leave: see tests/cli/{shards,slurm}.sh
    check "has an example that reads data/" test -n "$line"
    [ -n "$line" ] || continue
    # Examples are our own words, quoted as in a shell.
    eval "example=(${line#gpustat })"
    directory='' before=''
    for word in "${example[@]}"; do
        case $word in
        data/?*) head -n 1 "$word" > header.csv 2> /dev/null ;;
        esac
        [ "$before" != -o ] || directory=$word
        before=$word
    done
    first_header=header.csv
    run "${example[@]}"
    check "the example runs" is_one_of 0 1
    check "the example prints a result" test -s out -o -n "$directory"
    is_one_of 0 1 || continue
    try_inputs
    try_outputs
    try_results
done
tally
