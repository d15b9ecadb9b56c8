#!/bin/bash
# Checks every #include and every call against the one law of the house:
#
#   base < stats < data < { input, analysis, studies, output } < app < capi
#
# A storey includes and calls storeys below it; the four in braces neither include nor call one another. Every foreign
# library has one .c file that includes it. One line per storey, with the storeys that it does include or call: an arrow
# each. src/README.md draws the house.
set -u
cd "$(dirname "$0")/.." || exit 1

storeys="base stats data input analysis studies output app capi"
below_four="base stats data"
declare -A may=(
    [base]="" [stats]="base" [data]="base stats"
    [input]="$below_four" [analysis]="$below_four" [studies]="$below_four" [output]="$below_four"
    [app]="$below_four input analysis studies output"
    [capi]="$below_four input analysis studies output app"
)
doors="csv.h cjson/cJSON.h zlib.h zstd.h lzma.h xgboost/c_api.h sqlite3.h nettle/sha2.h"
passed=0 failed=0
declare -A faults=() arrow=()

includes()
{
    sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/\1/p' "$1"
}

# complain STOREY TEXT
complain()
{
    echo "$2"
    faults[$1]=$((${faults[$1]:-0} + 1))
}

# cross FROM TO TEXT: an arrow between storeys, or a fault
cross()
{
    [ "$1" == "$2" ] && return
    if [[ " ${may[$1]} " == *" $2 "* ]]; then arrow[$1 $2]=1; else complain "$1" "$3"; fi
}

for entry in src/*; do
    [[ " $storeys README.md " == *" ${entry#src/} "* ]] || complain house "$entry: src holds nine storeys and README.md"
done

while read -r file included; do
    own=${file#src/} own=${own%%/*} storey=${included%%/*}
    case $included in
    gpustat/*) [ -e "include/$included" ] || complain "$own" "$file: includes $included, which does not exist" ;;
    */*)
        [ -e "src/$included" ] || complain "$own" "$file: includes $included, which does not exist"
        cross "$own" "$storey" "$file: $own may not include $included"
        ;;
    *) complain "$own" "$file: write $included with its storey and room" ;;
    esac
done < <(find src -name '*.[ch]' | sort | while read -r f; do includes "$f" | sed "s|^|$f |"; done)

# A public header stands alone: a program that is no part of gpustat includes it.
for file in include/gpustat/*.h; do
    while read -r included; do
        [[ $included == gpustat/* ]] || complain capi "$file: includes $included, which is not installed"
    done < <(includes "$file")
done

# By the symbols of the object files: who calls whom, "CALLER HOME". tsort names the files of each circle.
build=${1:-build}
if [ -e "$build/src/base/core/arena.o" ]; then
    calls=$(find src -name '*.c' | while read -r file; do
        object=$build/${file%.c}.o
        [ ! -e "$object" ] || nm -g "$object" | sed "s|^|$file |"
    done | awk 'NF == 3 && $2 == "U" { uses[$1, $3] = 1; next }
                NF == 4 { home[$4] = $1 }
                END { for (k in uses) { split(k, p, SUBSEP); if (p[2] in home && home[p[2]] != p[1]) print p[1], home[p[2]] } }' |
        sort -u)
    while read -r caller home; do
        own=${caller#src/} own=${own%%/*} storey=${home#src/} storey=${storey%%/*}
        cross "$own" "$storey" "$caller: $own may not call into $home"
    done <<< "$calls"
    circle=$(tsort <<< "$calls" 2>&1 > /dev/null)
    [ -z "$circle" ] || complain house "files that call each other in a circle: $circle"
fi

for name in $(find src -name '*.[ch]' | sed 's|.*/||' | sort | uniq -d); do
    complain house "two files are called $name"
done

for door in $doors; do
    users=$(grep -rl "#[ \t]*include[ \t]*<$door>" src 2> /dev/null)
    n=$(printf '%s' "$users" | grep -c .)
    if [ "$n" -gt 1 ] || printf '%s' "$users" | grep -q '\.h$'; then
        complain house "<$door> is for one .c file, but is included by: $users"
    fi
done

for storey in $storeys house; do
    case $storey in
    house) what="unique names, one door for each library, no circle" ;;
    base) what="knows nothing above it" ;;
    *)
        what="includes and calls:"
        for lower in ${may[$storey]}; do [ -z "${arrow[$storey $lower]:-}" ] || what+=" $lower"; done
        ;;
    esac
    if [ "${faults[$storey]:-0}" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1)) what="${faults[$storey]} faults; $what"
    fi
    printf '%-9s %s\n' "$storey" "$what"
done
echo "${#arrow[@]} arrows between storeys"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
