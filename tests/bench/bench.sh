#!/bin/sh
# Times gpustat beside other engines on the same work; see README.md here and bench.py --help.
#   bench.sh BUILD [OPTION]...
set -eu
[ "$#" -ge 1 ] || { echo "usage: bench.sh BUILD [OPTION]..." >&2; exit 2; }
command -v python3 > /dev/null || { echo "bench.sh: python3 is not installed" >&2; exit 1; }
export PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8 TZ=UTC
exec python3 "$(dirname "$0")/bench.py" "$@"
