#!/bin/sh
# Installs the Debian packages that are missing of the named sets, and nothing where none is.
#   install-packages.sh build test extras
# As root or through sudo. Elsewhere it says what is needed and goes on: the compiler has the last word.
set -eu

packages=
for set in "$@"; do
    case $set in
    build) packages="$packages gcc make libc6-dev libcsv-dev libcjson-dev libsqlite3-dev nettle-dev zlib1g-dev libzstd-dev
        liblzma-dev libxgboost0 libsnappy1v5 gnuplot-nox" ;;
    test) packages="$packages libcmocka-dev pkg-config python3 python3-numpy libgsl-dev mandoc gzip zstd xz-utils" ;;
    extras) packages="$packages clang clang-format clang-tidy cppcheck shellcheck valgrind llvm chromium r-base-core" ;;
    slurm) packages="$packages slurmctld slurmd slurm-client munge" ;;
    *) echo "install-packages.sh: no set '$set'; there are build, test, extras and slurm" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query > /dev/null 2>&1 || ! command -v apt-get > /dev/null 2>&1; then
    echo "install-packages.sh: no apt here; on Debian these would be needed:" >&2
    echo "$packages" | tr -s ' \n' ' ' | sed 's/^/ /' >&2
    exit 0
fi

missing=
for package in $packages; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo > /dev/null 2>&1; then
    as_root=sudo
else
    echo "install-packages.sh: neither root nor sudo; please install:$missing" >&2
    exit 0
fi
echo "installing:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
if ! $as_root apt-get install -y --no-install-recommends $missing < /dev/null >&2; then
    $as_root apt-get update < /dev/null >&2
    $as_root apt-get install -y --no-install-recommends $missing < /dev/null >&2 ||
        echo "install-packages.sh: could not install:$missing" >&2
fi
