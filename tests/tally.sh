# Sourced by the test runners, from any folder: a place to work in, surroundings that change no byte, and the count.
# Leaves $root, the checkout, and $scratch, an empty folder that goes when the runner ends.
# shellcheck shell=bash disable=SC2034 # what the runners use
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'chmod -R u+rwx "$scratch"; rm -rf "$scratch"' EXIT
export LC_ALL=C TZ=UTC PAGER=cat PYTHONDONTWRITEBYTECODE=1
unset XDG_CONFIG_HOME COLUMNS LINES NO_COLOR TERM
passed=0 failed=0

# check WHAT COMMAND...: counts, and where it fails shows what the command said, $code, and what the program wrote to `err`.
check()
{
    local what=$1
    shift
    if "$@" > "$scratch/said" 2>&1; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "${subject-}$what${code+ (exit status $code)}"
    head -n 20 "$scratch/said" | sed 's/^/    /'
    [ ! -s err ] || head -c 2000 err | sed 's/^/    /'
}

# The last line of a runner, and its exit status.
tally()
{
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}

# The end of a runner that lacks what it needs: say WHY, with STATUS 0 (nothing was tested) or 1 (that is a failure).
give_up()
{
    echo "$2"
    failed=$1
    tally
    exit
}
