#!/bin/bash
# Holds every #include to the layers of the house, room by room, and every foreign library to one door.
#
# A room is a folder of src/. It may include its own headers and those of the rooms named here; nothing includes
# upward, and no files call each other in a circle.
set -u
cd "$(dirname "$0")/.." || exit 1

declare -A may=(
    [base]=""
    [num]="base"
    [os]="base"
    [model]="base num"
    [stats]="base num"
    [fit]="base num stats"
    [csv]="base num"
    [map]="base num model csv"
    [form]="base num model csv map"
    [gather]="base num os model csv map"
    [scan]="base num os model csv map gather"
    [mapper]="base num os model stats csv map form gather"
    [recognise]="base num os model csv map form gather mapper"
    [read]="base num os model csv map form gather scan mapper recognise"
    [split]="base num os model csv map form gather scan mapper recognise read"
    [sensor]="base num model stats"
    [view]="base num os model stats fit sensor"
    [fold]="base num os model stats sensor view"
    [run]="base num os model stats fit sensor view fold"
    [fleet]="base num os model stats fit sensor view fold run"
    [schedule]="base num model stats sensor view fold"
    [check]="base num os model stats sensor view fold"
    [power]="base num os model stats fit csv map form gather scan mapper recognise read sensor view fold"
    [study]="base num os model stats fit csv"
    [forest]="base num os model stats csv"
    [show]="base num model"
    [draw]="base num os model show"
    [gnuplot]="base num os model show draw"
    [terminal]="base num os model show draw gnuplot"
    [render]="base num os model show draw gnuplot"
    [batch]="base num os"
    [args]="base num os model csv map form gather scan mapper recognise read sensor view fold show draw gnuplot render"
    [figures]="base num model run fleet schedule power show draw gnuplot render args"
    [cmd]="base num os model stats fit csv map form gather scan mapper recognise read split sensor view fold run fleet schedule check power study forest show draw gnuplot render terminal batch args figures"
    [report]="base num os model stats fit csv map form gather scan mapper recognise read split sensor view fold run fleet schedule check power study forest show draw gnuplot render terminal batch args figures cmd"
    [cli]="base num os model stats fit csv map form gather scan mapper recognise read split sensor view fold run fleet schedule check power study forest show draw gnuplot render terminal batch args figures cmd report"
    [lib]="base num os model stats fit csv map form gather scan mapper recognise read split sensor view fold run fleet schedule check power study forest show draw gnuplot render terminal batch args figures cmd report cli"
)
doors="csv.h cjson/cJSON.h zlib.h zstd.h lzma.h xgboost/c_api.h sqlite3.h"
passed=0 failed=0

includes()
{
    sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/\1/p' "$1"
}

complain()
{
    echo "$*"
    bad=1
}

check_file()
{
    local file=$1 own=$2 included
    bad=0
    while read -r included; do
        case $included in
        gpustat/*) [ -e "include/$included" ] || complain "$file: includes $included, which does not exist" ;;
        */*)
            [ -e "src/$included" ] || complain "$file: includes $included, which does not exist"
            [[ " $own ${may[$own]} " == *" ${included%%/*} "* ]] || complain "$file: $own may not include $included"
            ;;
        *) complain "$file: write $included with its room" ;;
        esac
    done < <(includes "$file")
    if [ "$bad" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

for file in src/*/*.[ch]; do
    own=${file#src/}
    own=${own%%/*}
    if [ -z "${may[$own]+there}" ]; then
        echo "$file: no room is called $own"
        failed=$((failed + 1))
        continue
    fi
    check_file "$file" "$own"
done

# A public header stands alone: a program that is no part of gpustat includes it.
for file in include/gpustat/*.h; do
    [ -e "$file" ] || continue
    bad=0
    while read -r included; do
        case $included in
        gpustat/*) ;;
        *) complain "$file: includes $included, which is not installed" ;;
        esac
    done < <(includes "$file")
    if [ "$bad" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done

# By the symbols of the object files: who calls whom, "CALLER HOME" as room/file.c. No call leads to a room that the
# caller's may not include, and tsort names the files of each circle.
build=${1:-build}
if [ -e "$build/src/base/arena.o" ]; then
    calls=$(for file in src/*/*.c; do
        object=$build/${file%.c}.o
        [ ! -e "$object" ] || nm -g "$object" | sed "s|^|${file#src/} |"
    done | awk 'NF == 3 && $2 == "U" { uses[$1, $3] = 1; next }
                NF == 4 { home[$4] = $1 }
                END { for (k in uses) { split(k, p, SUBSEP); if (p[2] in home && home[p[2]] != p[1]) print p[1], home[p[2]] } }' |
        sort -u)
    bad=0
    while read -r caller home; do
        own=${caller%%/*}
        [[ " $own ${may[$own]-} " == *" ${home%%/*} "* ]] || complain "src/$caller: $own may not call into $home"
    done <<< "$calls"
    if [ "$bad" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    circle=$(tsort <<< "$calls" 2>&1 > /dev/null)
    if [ -n "$circle" ]; then
        printf '%s\n' "$circle" | sed 's/^tsort: -: input contains a loop:$/files that call each other in a circle:/; s/^tsort: /    /'
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
fi

for name in $(printf '%s\n' src/*/*.[ch] | sed 's|.*/||' | sort | uniq -d); do
    echo "two files are called $name"
    failed=$((failed + 1))
done

for door in $doors; do
    users=$(grep -l "#[ \t]*include[ \t]*<$door>" src/*/*.[ch] 2> /dev/null)
    n=$(printf '%s' "$users" | grep -c .)
    if [ "$n" -gt 1 ] || printf '%s' "$users" | grep -q '\.h$'; then
        echo "<$door> is for one .c file, but is included by:" $users
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
