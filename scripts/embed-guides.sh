#!/bin/sh
# Prints C source that holds the guides, for the help and the manual pages.
#   embed-guides.sh GUIDE.md...
set -eu
echo '#include "app/cli/guide.h"'
for file; do
    name=$(basename "$file" .md)
    echo "static const char *const ${name}[] = {"
    sed 's/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g; s/.*/    "&",/' "$file"
    echo "    0};"
done
echo 'const struct gs_guide gs_guides[] = {'
for file; do
    name=$(basename "$file" .md)
    echo "    {\"$name\", $name},"
done
echo '    {0, 0}};'
