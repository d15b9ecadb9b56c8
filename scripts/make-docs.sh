#!/bin/sh
# Writes the manual pages, also as HTML, and the shell completions that PROGRAM prints about itself.
#   make-docs.sh PROGRAM DIR NAME      into DIR/man, DIR/html and DIR/completions, for a program installed as NAME
set -eu
program=$1 dir=$2 name=$3

rm -rf "$dir/man" "$dir/completions"
mkdir -p "$dir/man" "$dir/completions"
"$program" man - "$name" > "$dir/man/$name.1"
"$program" commands > "$dir/man/.commands"
while IFS="$(printf '\t')" read -r command _; do
    "$program" man "$command" "$name" > "$dir/man/$name-$command.1"
done < "$dir/man/.commands"
rm "$dir/man/.commands"
"$program" man formats "$name" > "$dir/man/$name-formats.5"
for guide in $("$program" guides); do
    "$program" man "$guide" "$name" > "$dir/man/$name-$guide.7"
done
rm -rf "$dir/html"
mkdir -p "$dir/html"
if command -v mandoc > /dev/null; then # HTML is for those who have no man; without mandoc there is none
    for page in "$dir/man/"*; do
        mandoc -T html -O man=%N.%S.html "$page" > "$dir/html/${page##*/}.html"
    done
fi
"$program" completion bash "$name" > "$dir/completions/$name.bash"
"$program" completion zsh "$name" > "$dir/completions/_$name"
"$program" completion fish "$name" > "$dir/completions/$name.fish"
