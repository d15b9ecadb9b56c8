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
flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -DGPUSTAT_VERSION=\"\" -DGPUSTAT_RELEASED=\"\" -Iinclude -Isrc)

try shellcheck shellcheck -x -S warning "${scripts[@]}"
mkdir -p "$build/cppcheck"
# zerodiv, zerodivcond, uninitvar, ctuuninitvar, internalAstError: cppcheck 2.10 does not see that a loop runs at least once or that
# a status stands for what was set, which gcc, valgrind and UBSan do, and stumbles
# over `(struct s){0}` in a conditional.
try cppcheck cppcheck -q --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
    --cppcheck-build-dir="$build/cppcheck" -j "$(nproc)" --suppress=missingIncludeSystem --suppress=zerodiv --suppress=zerodivcond --suppress=uninitvar \
    --suppress=internalAstError --suppress=ctuuninitvar -D__SIZEOF_INT128__=16 \
    "${flags[@]:1}" "${sources[@]}"
try bounds scripts/bounds.py --quiet
mapfile -t formatted < <(git ls-files -co --exclude-standard '*.[ch]')
try clang-format clang-format --dry-run -Werror "${formatted[@]}"
# The checks are listed in .clang-tidy.
tidy()
{
    printf '%s\0' "${sources[@]}" | FLAGS="${flags[*]}" xargs -0 -P "$(nproc)" -n 4 sh -c 'clang-tidy --quiet "$@" -- $FLAGS 2> /dev/null' sh
}
if command -v clang-tidy > /dev/null 2>&1; then
    try clang-tidy tidy
else
    echo "clang-tidy: not installed"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
