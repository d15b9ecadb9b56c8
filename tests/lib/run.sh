#!/bin/bash
# The public library as others get it: installed into a staging directory, found by pkg-config, linked both ways.
#   run.sh BUILD
# The last line is "N passed, N failed".
set -u
# shellcheck source=tests/tally.sh
. "$(dirname "$0")/../tally.sh"
cd "$root" || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS # a make of its own, not a part of the one that may have called
build=$1
program=$(realpath "$build/gpustat")
stage=$scratch/stage
mkdir "$stage"
# What the build was made with, so that nothing is built again: see ALL_CFLAGS in the Makefile.
cc=$(sed '1d; /^-std=/,$d' "$build/flags" | tr '\n' ' ')
cflags=$(sed '1,/^-Wconversion$/d; /^-pthread$/,$d' "$build/flags" | tr '\n' ' ')
ldflags=$(sed '1,/^-MP$/d; /^-lcsv$/,$d' "$build/flags" | tr '\n' ' ')
read -ra compiler <<< "$cc"

check "the library is built and installed" make -s BUILD="$build" CC="${cc% }" CFLAGS="${cflags% }" LDFLAGS="${ldflags% }" DESTDIR="$stage" PREFIX=/usr LIBDIR=/usr/lib install-lib
export PKG_CONFIG_PATH=$stage/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$stage
lib=$stage/usr/lib
read -ra compile < <(pkg-config --cflags gpustat)
read -ra shared < <(pkg-config --libs gpustat)
read -ra private < <(pkg-config --static --libs gpustat)
static=()
for word in "${private[@]}"; do
    case $word in
    -lgpustat) static+=("$lib/libgpustat.a") ;;
    *) static+=("$word") ;;
    esac
done
extra=()
case $cflags in *-fsanitize*) read -ra extra <<< "$cflags" ;; esac

links_and_runs()
{
    local out=$1
    shift
    "${compiler[@]}" -std=c11 -Wall -Wextra -Werror "${extra[@]}" "${compile[@]}" -o "$out" tests/lib/example.c "$@" || return 1
    LD_LIBRARY_PATH=$lib "$out" data/ > "$out.txt" 2> "$out.err"
}
prints_what_the_program_prints()
{
    "$program" events data/ -v --join window --sort energy_sum_j:desc -f csv > "$stage/want" 2> "$stage/want.err"
    sed "1,$(($(wc -l < "$stage/want") - 1))d" "$1.txt" | cmp - "$stage/want" &&
        sed 's/^gpustat: \(warning\|note\): //' "$stage/want.err" | cmp - "$1.err"
}
only_ours() { [ "$(grep -c ' gpustat_' "$1")" -ge 20 ] && ! grep -v ' gpustat_\| GPUSTAT_0$\|^$\|:$' "$1"; }
fails_as_the_program() { LD_LIBRARY_PATH=$lib "$stage/shared" "$1" > "$stage/out" 2> "$stage/err"; [ "$?" -eq "$2" ] && [ ! -s "$stage/out" ] && grep -q "$3" "$stage/err"; }

check "a program links the shared library and runs" links_and_runs "$stage/shared" "${shared[@]}"
check "a program links the static library and runs" links_and_runs "$stage/static" "${static[@]}"
check "the shared one prints what the program prints" prints_what_the_program_prints "$stage/shared"
check "the static one prints what the program prints" prints_what_the_program_prints "$stage/static"
check "the static one needs no libgpustat.so" test -z "$(readelf -d "$stage/static" | grep libgpustat)"
check "the shared one needs libgpustat.so.0" grep -q 'libgpustat.so.0' <(readelf -d "$stage/shared")
check "the shared library is called libgpustat.so.0" grep -q 'SONAME.*libgpustat.so.0' <(readelf -d "$lib/libgpustat.so.0")
nm -D --defined-only "$lib/libgpustat.so.0" > "$stage/symbols"
check "the shared library exports only its own names" only_ours "$stage/symbols"
nm -g --defined-only "$lib/libgpustat.a" > "$stage/symbols"
check "the static library has only its own names" only_ours "$stage/symbols"
check "missing data is the program's failure" fails_as_the_program "$stage/nowhere" 66 'No such file'
echo '#include <gpustat/gpustat.h>' > "$stage/alone.c"
check "the header stands alone in C99" "${compiler[@]}" -std=c99 -pedantic -Wall -Wextra -Werror "${compile[@]}" -fsyntax-only "$stage/alone.c"
if command -v g++ > /dev/null; then
    check "the header stands alone in C++" g++ -pedantic -Wall -Wextra -Werror "${compile[@]}" -fsyntax-only -x c++ "$stage/alone.c"
fi
survives_wrong_calls()
{
    "${compiler[@]}" -std=c11 -Wall -Wextra -Werror "${extra[@]}" "${compile[@]}" -o "$stage/wrong" tests/lib/wrong_calls.c "${static[@]}" || return 1
    for seed in 1 2 3; do "$stage/wrong" data/ "$seed" 20 || return 1; done
}
check "calls that make no sense are answered" survives_wrong_calls
stops_where_it_is_told()
{
    "${compiler[@]}" -std=c11 -Wall -Wextra -Werror "${extra[@]}" "${compile[@]}" -o "$stage/stopped" tests/lib/stopped.c "${static[@]}" &&
        "$stage/stopped" data/
}
check "an analysis stops wherever it is told to, and can be asked again" stops_where_it_is_told
reads_columns()
{
    /usr/bin/python3 tests/lib/columns.py "$lib/libgpustat.so.0" data/ > "$stage/columns" || return 1
    "$program" gpus data/ -f csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { p = $at["power_mean_w"]; sum += p; rows += $at["samples"]; n++; if (p > most) { most = p; host = $at["hostname"] } }
        END { gsub(/"/, "", host); printf "%s %.6f %.6f %d\n", host, most, sum / n, rows }' | cmp - "$stage/columns"
}
case $cflags in
*-fsanitize*) ;; # a sanitized library cannot be loaded into Python
*) ! /usr/bin/python3 -c 'import numpy' 2> /dev/null || check "Python reads columns without a copy" reads_columns ;;
esac
page=$stage/usr/share/man/man3/gpustat.3
check "the manual page has no fault" test -z "$(mandoc -T lint -W warning "$page" 2>&1)"
sed -n '/^\.\\" example$/,/^\.\\" end$/p' "$page" | sed '1d;$d' | sed 's/^\\&//; s/\\(aq/'"'"'/g; s/\\-/-/g; s/\\e/\\/g' > "$stage/example.c"
check "the example of the manual is the one that was run" diff "$stage/example.c" tests/lib/example.c
tally
