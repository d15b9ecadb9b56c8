#!/bin/bash
# The same bytes everywhere: other processors by qemu-user, other compilers and -O here.
#   portability.sh BUILD
# An architecture needs its cross compiler (Debian: gcc-aarch64-linux-gnu, gcc-s390x-linux-gnu), qemu-user and the
# libraries with :arm64 or :s390x; one that is not there is named and left out. ARCHES and CASES choose: names of
# architectures, names of golden cases. The last line is "N passed, N failed".
set -u
unset MAKEFLAGS MAKELEVEL MFLAGS # a make of its own, not a part of the one that may have called
build=$(realpath -m "$1")
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0

# tally WHAT COMMAND...: adds up the last line of what a suite said.
tally()
{
    local what=$1 last
    shift
    "$@" > "$build/portability/$what.log" 2>&1
    last=$(tail -n 1 "$build/portability/$what.log")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
    else
        failed=$((failed + 1)) last=failed
    fi
    echo "$what: $last"
    [[ $last = *" 0 failed" ]] || tail -n 40 "$build/portability/$what.log"
}

other_processor()
{
    local arch=$1 gnu=$2 dir=$build/portability/$1 units=() cases
    if ! command -v "$gnu-gcc" > /dev/null 2>&1 || ! command -v "qemu-${gnu%%-*}" > /dev/null 2>&1; then
        echo "$arch: $gnu-gcc or qemu-${gnu%%-*} is not installed: left out"
        return
    fi
    mapfile -t units < <(printf '%s\n' tests/unit/test_*.c | sed "s|\(.*\)\.c|$dir/\1|")
    mkdir -p "$dir"
    if ! make -s BUILD="$dir" CC="$gnu-gcc" CFLAGS="${OPTIMISED--O2} -Werror" gpustat "${units[@]}" > "$dir.build" 2>&1; then
        tail -n 40 "$dir.build"
        failed=$((failed + 1))
        return
    fi
    printf '#!/bin/sh\nexec qemu-%s -0 "$0" %s "$@"\n' "${gnu%%-*}" "$dir/gpustat" > "$dir/run-gpustat"
    chmod +x "$dir/run-gpustat"
    UNDER=qemu-${gnu%%-*} tally "$arch-unit" scripts/run-programs.sh "${units[@]}"
    read -ra cases <<< "${CASES-}"
    tally "$arch-cli" tests/cli/run.sh "$dir/run-gpustat" "${cases[@]}"
}

# What every command says of data/, as one digest.
answers()
{
    local name
    for name in events zoom gpus correlate summary join check bias balance jobs timeline schedule tiles clusters stragglers; do
        "$1" "$name" data/ -f csv --show all 2>&1
    done | sha256sum
}

other_builds()
{
    local first='' said way dir
    for way in "gcc -O0" "gcc -O1" "gcc -O2" "gcc -O3" "clang -O2"; do
        command -v "${way% *}" > /dev/null 2>&1 || { echo "${way% *} is not installed: left out"; continue; }
        dir="$build/portability/${way// /}"
        if make -s BUILD="$dir" CC="${WRAP-}${way% *}" CFLAGS="${way#* }" gpustat > "$dir.build" 2>&1; then
            said=$(answers "$dir/gpustat")
            first=${first:-$said}
            if [ "$said" = "$first" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
            echo "$way: $said"
        else
            tail -n 20 "$dir.build"
            failed=$((failed + 1))
        fi
    done
}

mkdir -p "$build/portability"
for arch in ${ARCHES-arm64 s390x}; do
    case $arch in
    arm64) other_processor arm64 aarch64-linux-gnu ;;
    s390x) other_processor s390x s390x-linux-gnu ;;
    here) other_builds ;;
    *) echo "no architecture $arch"; failed=$((failed + 1)) ;;
    esac
done
[ -n "${ARCHES-}" ] || other_builds
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
