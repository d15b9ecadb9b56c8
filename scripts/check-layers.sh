#!/bin/bash
# Holds every #include to the layers of the design, and every foreign library to one door.
#
#   base < model, stats < ingest | analysis | render < cli
#
# A public header belongs to the layer of the .c file of its name; one without such a file to the highest
# layer among those that it includes. A private header (src/LAYER/x.h) is seen by its own layer only.
set -u
cd "$(dirname "$0")/.." || exit 1

declare -A may=(
    [base]="base"
    [model]="base model"
    [stats]="base stats"
    [ingest]="base model ingest"
    [analysis]="base model stats analysis"
    [render]="base model render"
    [cli]="base model stats ingest analysis render cli"
)
declare -A height=([base]=0 [stats]=1 [model]=2 [ingest]=3 [analysis]=4 [render]=5 [cli]=6)
doors="csv.h cjson/cJSON.h zlib.h zstd.h lzma.h xgboost/c_api.h"
passed=0 failed=0
declare -A layer_of=()

includes()
{
    sed -n 's/^[ \t]*#[ \t]*include[ \t]*["<]\([^">]*\)[">].*/\1/p' "$1"
}

# Sets `layer` to that of include/gpustat/$1.h.
find_layer()
{
    local name=$1 source deepest=base inner
    layer=${layer_of[$name]-}
    [ -z "$layer" ] || return
    for source in src/*/"$name".c; do
        if [ -e "$source" ]; then
            source=${source#src/}
            layer=${source%%/*}
            layer_of[$name]=$layer
            return
        fi
    done
    layer_of[$name]=base # ends a circle
    for inner in $(includes "include/gpustat/$name.h" | sed -n 's|^gpustat/\(.*\)\.h$|\1|p'); do
        find_layer "$inner"
        [ "${height[$layer]}" -le "${height[$deepest]}" ] || deepest=$layer
    done
    layer=$deepest
    layer_of[$name]=$layer
}

complain()
{
    echo "$*"
    bad=1
}

check_file()
{
    local file=$1 own=$2 included name
    bad=0
    while read -r included; do
        case $included in
        gpustat/*.h)
            name=${included#gpustat/}
            if [ ! -e "include/$included" ]; then
                complain "$file: includes $included, which does not exist"
                continue
            fi
            find_layer "${name%.h}"
            [[ " ${may[$own]} " == *" $layer "* ]] || complain "$file: $own may not include $included, which is of $layer"
            ;;
        *.h)
            for private in src/*/"$included"; do
                [ -e "$private" ] || continue
                private=${private#src/}
                [ "${private%%/*}" = "$own" ] || [ -e "src/$own/$included" ] ||
                    complain "$file: $included is private to src/${private%%/*}"
            done
            ;;
        esac
    done < <(includes "$file")
    if [ "$bad" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

for file in src/*/*.[ch]; do
    own=${file#src/}
    own=${own%%/*}
    if [ -z "${may[$own]-}" ]; then
        echo "$file: no layer is called $own"
        failed=$((failed + 1))
        continue
    fi
    check_file "$file" "$own"
done
for file in include/gpustat/*.h; do
    name=${file##*/}
    find_layer "${name%.h}"
    check_file "$file" "$layer"
done
for door in $doors; do
    users=$(grep -l "#[ \t]*include[ \t]*<$door>" src/*/*.[ch] include/gpustat/*.h 2> /dev/null)
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
