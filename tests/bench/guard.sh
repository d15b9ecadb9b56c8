#!/bin/bash
# Counts the instructions that gpustat itself executes on a fixed input and holds them to the figures in guard.txt.
#   guard.sh BUILD [--update]
# Time on a shared machine says little; the count is the same to 0.01 % (what is left is the random seed of the hash
# tables). Only gpustat's own code counts: which memcpy the C library or which code the linker runs differs by machine.
# A figure holds for one compiler, its flags and one way of reading (AVX2): elsewhere nothing is compared, which is said.
# Fails above +3 %; below -3 % it says that the figure should follow, which --update does. Last line: "N passed, N failed".
set -u
if [ "$#" -lt 1 ] || [ "$#" -gt 2 ] || [ "${2---update}" != --update ]; then
    echo "usage: guard.sh BUILD [--update]" >&2
    exit 2
fi
build=$1 update=${2-}
here=$(cd "$(dirname "$0")" && pwd)
record=$here/guard.txt
tolerance=3 # per cent
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1

simulated=(--hosts 64 --tasks 2500 --seed 2018 --jobs 1)
# What is counted; the first word names the input.
commands=("plain events" "shuffled events" "plain gpus" "plain join" "plain events --join window")

skip()
{
    echo "guard: $1: nothing was compared"
    echo "0 passed, 0 failed"
    exit 0
}

# "Debian gcc 12.2.0, x86_64, -O2 -ffp-contract=off": all that decides which instructions there are.
made_with()
{
    local version flags
    version=$(sed -n '1{s/^[^ ]* (\(Debian\) [^)]*) /\1 gcc /;p}' "$build/flags")
    flags=$(grep -E '^(-O|-f|-m|-D_FORTIFY)' "$build/flags" | grep -v '^-ffile-prefix-map=' | sort | paste -sd ' ')
    echo "$version, $(uname -m), $flags"
}

# Sums the cost lines of one object in a callgrind file. The line after `calls=` is the callee's cost, which its own
# lines hold already. Names are given in full once and by number afterwards.
own_instructions()
{
    awk -v own="$1" '
        /^ob=/ {
            id = $0; sub(/^ob=/, "", id); sub(/\).*/, ")", id)
            name = $0; if (sub(/^ob=\([0-9]+\) /, "", name)) object[id] = name
            counting = object[id] == own
            next
        }
        /^calls=/ { getline; next }
        /^[-+*0-9]/ && counting { n += $2 }
        # A callee may be the first to name an object.
        /^cob=\([0-9]+\) / { id = $0; sub(/^cob=/, "", id); sub(/\).*/, ")", id); sub(/^cob=\([0-9]+\) /, ""); object[id] = $0 }
        END { printf "%.0f\n", n }' "$2"
}

fail()
{
    echo "guard: $1"
    echo "0 passed, 1 failed"
    exit 1
}

command -v valgrind > /dev/null 2>&1 || skip "valgrind is not installed"
[ -e "$build/flags" ] || fail "no gpustat in the build directory"
grep -qw avx2 /proc/cpuinfo || skip "this machine has no AVX2"
compiler=$(made_with)
if [ -z "$update" ]; then
    recorded=$(sed -n 's/^compiler: //p' "$record")
    [ "$compiler" = "$recorded" ] || skip "built with $compiler, the figures are of $recorded"
fi

simulate()
{
    python3 "$here/../../scripts/simulate.py" "${simulated[@]}" "$@" > /dev/null 2>&1 || fail "the input could not be made"
}
simulate --out "$scratch/plain"
simulate --shuffle --out "$scratch/shuffled"
input=$(cat "$scratch"/plain/*.csv "$scratch"/shuffled/*.csv | cksum)
if [ -z "$update" ] && [ "$input" != "$(sed -n 's/^input: //p' "$record")" ]; then
    fail "scripts/simulate.py makes another input than the figures are of: record both programs' with guard.sh BUILD --update"
fi

if [ -n "$update" ]; then
    {
        echo "# Instructions of gpustat's own code, by tests/bench/guard.sh BUILD --update; see there."
        echo "compiler: $compiler"
        echo "input: $input"
    } > "$scratch/record"
fi

passed=0 failed=0
program=$(realpath "$build/gpustat")
for line in "${commands[@]}"; do
    read -r -a word <<< "$line"
    data=${word[0]}
    if ! valgrind --tool=callgrind --callgrind-out-file="$scratch/counts" "$program" "${word[@]:1}" "$scratch/$data" -j1 -q -f csv \
        > /dev/null 2> "$scratch/said"; then
        printf '%-28s failed\n' "$line"
        tail -n 5 "$scratch/said"
        failed=$((failed + 1))
        continue
    fi
    count=$(own_instructions "$program" "$scratch/counts")
    if [ -n "$update" ]; then
        echo "$line: $count" >> "$scratch/record"
        printf '%-28s %12d instructions, recorded\n' "$line" "$count"
        passed=$((passed + 1))
        continue
    fi
    figure=$(sed -n "s/^$line: //p" "$record")
    verdict=$(awk -v n="$count" -v was="${figure:-0}" -v tolerance="$tolerance" 'BEGIN {
        if (was <= 0 || n <= 0) { print "no figure to compare with"; exit 1 }
        change = 100 * (n - was) / was
        printf "%+.2f %%", change
        if (change > tolerance) { printf ": more than %d %% above the figure", tolerance; exit 1 }
        if (change < -tolerance) printf ": fewer; guard.sh BUILD --update would keep the gain"
    }') && passed=$((passed + 1)) || failed=$((failed + 1))
    printf '%-28s %12d instructions, %s\n' "$line" "$count" "$verdict"
done
[ -z "$update" ] || [ "$failed" -gt 0 ] || cp "$scratch/record" "$record"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
