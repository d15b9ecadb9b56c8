#!/bin/bash
# Manual pages and completions: without a linter's warning, and working.
#   docs.sh BUILD
set -u
# shellcheck source=tests/tally.sh
. "$(dirname "$0")/../tally.sh"
build=$1

have() { command -v "$1" > /dev/null 2>&1; }

roff_clean() { [ -z "$(groff -ww -man -Tutf8 "$1" 2>&1 > /dev/null | tee /dev/stderr)" ]; }

# complete WORD...: what bash would offer for the last word.
complete()
{
    bash -c '
        source "$1"
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
        _gpustat 2> /dev/null
        echo "${COMPREPLY[@]}"' - "$build/completions/gpustat.bash" "$@"
}

offers()
{
    local wanted=$1
    shift
    [[ " $(complete "$@") " == *" $wanted "* ]] || { echo "not offered: $wanted"; false; }
}

for page in "$build"/man/*.[157]; do
    ! have mandoc || check "mandoc on $page" mandoc -T lint -W warning "$page"
    ! have groff || check "groff on $page" roff_clean "$page"
done
n_commands=$("$build/gpustat" commands | wc -l)
check "a page for every command and one for all" test "$(find "$build/man" -name '*.1' | wc -l)" -eq $((n_commands + 1))

check "bash reads its completion" bash -n "$build/completions/gpustat.bash"
! have shellcheck || check "shellcheck on the bash completion" shellcheck -S warning -e SC2034 "$build/completions/gpustat.bash"
! have zsh || check "zsh reads its completion" zsh -n "$build/completions/_gpustat"
! have fish || check "fish reads its completion" fish --no-execute "$build/completions/gpustat.fish"
for command in $("$build/gpustat" commands | cut -f 1); do
    check "bash completes $command" offers "$command" gpustat "${command:0:2}"
    check "bash completes the options of $command" offers --format gpustat "$command" --fo
    check "bash completes formats of $command" offers markdown gpustat "$command" --format m
    check "bash completes formats after an equals sign" offers csv gpustat "$command" --format = c
done

# The console blocks of README and guides are run, in one folder per page; README's table of commands is the program's.
program=$(realpath "$build/gpustat")
mkdir "$scratch/bin"
ln -s "$program" "$scratch/bin/gpustat"
reproduces()
{
    (cd "${1%/*}" && PATH="$scratch/bin:$PATH" LC_ALL=C HOME="$scratch" bash "$1" 2>&1) | diff "${1%.cmd}.expected" -
}
for page in README.md src/app/cli/guides/*.md; do
    here=$scratch/$(basename "$page" .md)
    mkdir "$here"
    ln -s "$PWD/data" "$here/data"
    awk -v to="$here/block" '
        /^```console$/ { inside = 1; n++; file = sprintf("%s%02d", to, n); printf "" > (file ".expected"); next }
        /^```$/ { inside = 0; next }
        inside && /^\$ / { print substr($0, 3) > (file ".cmd"); next }
        inside { print > (file ".expected") }' "$page"
    for block in "$here"/block*.cmd; do
        [ ! -e "$block" ] || check "$page: $(cat "$block")" reproduces "$block"
    done
done
check "README has at most 150 lines" test "$(wc -l < README.md)" -le 150
check "README lists the commands" diff <(sed -n '/^## Commands/,/^## What/s/^| `\([a-z]*\)` |.*/\1/p' README.md | LC_ALL=C sort) \
    <("$program" commands | cut -f 1 | LC_ALL=C sort)

check "words that a stranger understands" python3 tests/cli/words.py "$build/gpustat"

"$build/gpustat" man - xgpustat > "$scratch/renamed.1"
check "a renamed program has its name in its page" grep -q '^xgpustat \\- ' "$scratch/renamed.1"
tally
