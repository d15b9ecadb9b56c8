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
    cat > "$dir/html/pages.css" <<'END'
:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.1rem; } a.permalink { color: inherit; text-decoration: none; }
pre { overflow-x: auto; font-size: .8125rem; line-height: 1.3; } table.head, table.foot { width: 100%; }
td.head-vol, td.foot-date { text-align: center; } td.head-rtitle, td.foot-os { text-align: right; }
END
    for page in "$dir/man/"*; do
        mandoc -T html -O man=%N.%S.html,style=pages.css "$page" > "$dir/html/${page##*/}.html"
    done
fi
"$program" completion bash "$name" > "$dir/completions/$name.bash"
"$program" completion zsh "$name" > "$dir/completions/_$name"
"$program" completion fish "$name" > "$dir/completions/$name.fish"
