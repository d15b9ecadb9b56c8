#!/bin/bash
# Debian packages of the tree: the program, the library, its header.
#   deb.sh BUILD VERSION RELEASED
# Everything happens in BUILD/deb; scripts/debian is copied there. Needs dpkg-dev, and lintian to look at them.
# The last line is "N passed, N failed": packages built without a word of lintian's.
set -eu
unset MAKEFLAGS MAKELEVEL MFLAGS # a make of its own, not a part of the one that may have called
build=$(realpath -m "$1") version=$2 released=$3
deb=$build/deb tree=$(realpath "$(dirname "$0")/..")
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
# Packages that leave this machine need the address of whoever answers for them: DEBFULLNAME, DEBEMAIL.
by="${DEBFULLNAME-gpustat maintainers} <${DEBEMAIL-maintainers@localhost}>"
without=bogus-mail-host,bogus-mail-host-in-debian-changelog
[ -z "${DEBEMAIL-}" ] || without=none
passed=0 failed=0

rm -rf "$deb/debian" "$deb/all" "$deb"/*.deb
mkdir -p "$deb"
cp -r "$tree/scripts/debian" "$deb/debian"
printf 'gpustat (%s) stable; urgency=medium\n\n  * Version %s, built from its tree.\n\n -- %s  %s\n' \
    "$version" "$version" "$by" "$(date -R -u -d "$released")" > "$deb/debian/changelog"
sed -i "s|^Maintainer: .*|Maintainer: $by|" "$deb/debian/control"
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: gpustat\n\nFiles: *\n'
    sed -n 's/^Copyright (c) /Copyright: /p' "$tree/LICENSE"
    printf 'License: Expat\n'
    sed '1,/^Copyright/d; s/^$/./; s/^/ /' "$tree/LICENSE" | sed '1{/^ \.$/d}'
} > "$deb/debian/copyright"

make -s -C "$tree" BUILD="$deb/obj" PREFIX=/usr LIBDIR="/usr/lib/$multiarch" DESTDIR="$deb/all" ${CC+CC="$CC"} \
    CFLAGS="$(dpkg-buildflags --get CFLAGS) $(dpkg-buildflags --get CPPFLAGS)" \
    LDFLAGS="$(dpkg-buildflags --get LDFLAGS) -Wl,-z,now" install > /dev/null
find "$deb/all/usr/share/man" -type f -exec gzip -9n {} +

# put PACKAGE PATTERN...: moves what was installed into the package's tree.
put()
{
    local package=$1 path
    shift
    # shellcheck disable=SC2068 # patterns of our own
    for path in $(cd "$deb/all" && printf '%s\n' $@); do
        mkdir -p "$deb/debian/$package/$(dirname "$path")"
        mv "$deb/all/$path" "$deb/debian/$package/$path"
    done
}
put gpustat usr/bin/gpustat usr/share/bash-completion usr/share/zsh usr/share/fish usr/share/man/man1 usr/share/man/man5 \
    usr/share/man/man7
put libgpustat0 usr/lib/"$multiarch"/libgpustat.so.*
put libgpustat-dev usr/lib usr/include usr/share/man/man3
strip --remove-section=.comment --remove-section=.note "$deb/debian/gpustat/usr/bin/gpustat"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$deb/debian/libgpustat0/usr/lib/$multiarch"/libgpustat.so.*.*
strip --strip-debug --enable-deterministic-archives "$deb/debian/libgpustat-dev/usr/lib/$multiarch/libgpustat.a"
left=$(find "$deb/all" -type f)
[ -z "$left" ] || { echo "in no package: $left"; failed=1; }

cd "$deb"
for package in gpustat libgpustat0 libgpustat-dev; do
    root=debian/$package
    mkdir -p "$root/DEBIAN" "$root/usr/share/doc/$package"
    cp debian/copyright "$root/usr/share/doc/$package/"
    gzip -9nc debian/changelog > "$root/usr/share/doc/$package/changelog.gz"
    rm -f debian/substvars
    case $package in
    gpustat) dpkg-shlibdeps -Tdebian/substvars "$root/usr/bin/gpustat" ;;
    libgpustat0)
        dpkg-shlibdeps -Tdebian/substvars "$root"/usr/lib/*/libgpustat.so.0
        echo "libgpustat 0 libgpustat0 (>= $version)" > "$root/DEBIAN/shlibs"
        echo 'activate-noawait ldconfig' > "$root/DEBIAN/triggers"
        ;;
    *) : > debian/substvars ;;
    esac
    dpkg-gencontrol -p"$package" -P"$root" -Tdebian/substvars
    (cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum > DEBIAN/md5sums)
    chmod -R u+rwX,go+rX,go-w "$root"
    dpkg-deb --root-owner-group --build "$root" . > /dev/null
    if ! command -v lintian > /dev/null 2>&1; then
        echo "lintian is not installed: $package is not looked at"
    elif said=$(lintian --allow-root --suppress-tags "$without" --fail-on error,warning "$package"_*.deb 2>&1) && [ -z "$said" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$said"
    fi
done
ls -1 "$deb"/*.deb
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
