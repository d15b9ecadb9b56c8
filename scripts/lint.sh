#!/bin/bash
# Linters over the tree; those that are not installed are named. Last line "N passed, N failed".
set -u
build=$1
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0

# try NAME COMMAND...: a linter passes when it says nothing and exits 0.
try()
{
    local name=$1 said
    shift
    if ! command -v "$1" > /dev/null 2>&1; then
        echo "$name: $1 is not installed"
        return
    fi
    if said=$("$@" 2>&1) && [ -z "$said" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s:\n%s\n' "$name" "$said" | head -n 60
    fi
}

mapfile -t scripts < <(git ls-files -co --exclude-standard '*.sh' .ci/run)
mapfile -t sources < <(git ls-files -co --exclude-standard 'src/*.c')
flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -DGPUSTAT_VERSION='""' -DGPUSTAT_RELEASED='""' -Iinclude -Isrc/cli)

try shellcheck shellcheck -S warning "${scripts[@]}"
mkdir -p "$build/cppcheck"
try cppcheck cppcheck -q --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
    --cppcheck-build-dir="$build/cppcheck" -j "$(nproc)" --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches \
    "${flags[@]:1}" "${sources[@]}"
tidy()
{
    printf '%s\0' "${sources[@]}" | xargs -0 -P "$(nproc)" -n 4 clang-tidy --quiet --warnings-as-errors='*' \
        --checks='-*,bugprone-*,-bugprone-easily-swappable-parameters,-bugprone-assignment-in-if-condition,-bugprone-narrowing-conversions,-bugprone-implicit-widening-of-multiplication-result,-bugprone-branch-clone,-bugprone-reserved-identifier,misc-redundant-expression,misc-misplaced-const,performance-*,cert-err34-c,cert-fio38-c,cert-str34-c' \
        "$@" 2> /dev/null
}
if command -v clang-tidy > /dev/null 2>&1; then
    try clang-tidy tidy -- "${flags[@]}"
else
    echo "clang-tidy: not installed"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
