#!/bin/sh
# Prints C source that holds what users read, so that texts stand in text files and not between quotes:
#   guides/NAME.md   a row of gs_guides, for the help and the manual pages of section 7
#   manual/NAME.md   gs_about_NAME, and gs_examples_NAME from what follows its line "## Examples": pairs of lines,
#                    a command and what it shows
#   forms.md         gs_form_texts: "## title", what the format is, and an example between fences
#   profiles.txt     gs_profiles: the lines of conditions each with the source behind them
#   NAME.txt         gs_text_NAME, without the last line end
#   NAME.css         gs_text_NAME, as an element of a page, without lines that are a comment
#   NAME.html        gs_text_NAME
#   embed-texts.sh FILE...
set -eu
quote='s/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g'
guides=
echo '#include "app/cli/guide.h"'
echo '#include "app/cli/texts.h"'
echo '#include "app/options/command.h"'
echo '#include "input/schema/profiles.h"'
for file; do
    stem=$(basename "$file") stem=${stem%.*}
    case $file in
    */guides/*)
        guides="$guides $stem"
        echo "static const char *const guide_${stem}[] = {"
        sed "$quote"'; s/.*/    "&",/' "$file"
        echo "    0};"
        continue
        ;;
    */manual/*)
        echo "const char gs_about_${stem}[] ="
        sed '/^## Examples$/,$d' "$file" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' | sed "$quote"'; s/.*/    "&\\n"/; $s/\\n"$/"/'
        echo "    ;"
        echo "const struct gs_example gs_examples_${stem}[] = {"
        sed '1,/^## Examples$/d; /^$/d' "$file" | sed "$quote" | sed 'N; s/\(.*\)\n\(.*\)/    {"\1", "\2"},/'
        echo "    {0, 0}};"
        continue
        ;;
    */forms.md)
        echo 'const struct gs_form_text gs_form_texts[] = {'
        sed "$quote" "$file" | awk '
            function part(line) { printf "%s\"%s\"", begun ? "\"\\n\"" : "", line; begun = 1 }
            /^## / { printf "    {\"%s\",\n", substr($0, 4); begun = 0; next }
            /^```/ { printf open ? "},\n" : ",\n"; open = !open; begun = 0; next }
            open || NF { part($0) }'
        echo "    {0, 0, 0}};"
        continue
        ;;
    */profiles.txt)
        echo 'const struct gs_profile gs_profiles[] = {'
        sed '/^#/d; /^$/d; '"$quote" "$file" | awk '
            function rows(  i) { for (i = 1; i <= n; i++) printf "    {%s,%s},\n", row[i], source; n = 0; source = "" }
            /^[ {]/ { source = source "\n     \"" $0 "\""; next }
            source != "" { rows() }
            {
                form = substr($0, 1, index($0, ": ") - 1)
                needs = substr($0, length(form) + 3)
                unless = ""
                if (at = index(needs, " unless ")) { unless = substr(needs, at + 8); needs = substr(needs, 1, at - 1) }
                row[++n] = "\"" form "\", \"" needs "\", \"" unless "\""
            }
            END { rows() }'
        echo "    {0, 0, 0, 0}};"
        continue
        ;;
    esac
    echo "extern const char gs_text_${stem}[];"
    echo "const char gs_text_${stem}[] ="
    case $file in
    *.txt) sed "$quote"'; s/.*/    "&\\n"/; $s/\\n"$/"/' "$file" ;;
    *.css)
        printf '%s\n' '    "<style>\n"'
        sed '/^ *\/\*.*\*\/$/d; '"$quote"'; s/.*/    "&\\n"/' "$file"
        printf '%s\n' '    "</style>\n"'
        ;;
    *) sed "$quote"'; s/.*/    "&\\n"/' "$file" ;;
    esac
    echo "    ;"
done
echo 'const struct gs_guide gs_guides[] = {'
for stem in $guides; do
    echo "    {\"$stem\", guide_$stem},"
done
echo '    {0, 0}};'
