# Every example of gpustat-formats(5) that is a file is read in the form that its title names: the form, its rows, what they are.
awk '/^## /{n++; title = substr($0, 4)} /^```/{open = !open; if (open) {f = sprintf("%02d.txt", n); print title > f ".title"} next} open{print > f}' "$CASES/../../../src/app/cli/texts/forms.md"
for f in *.txt; do
    title=$(cat "$f.title")
    case $title in Parquet* | Nsight* | ClusterCockpit*) continue ;; esac
    printf '%s\n    ' "$title"
    gpustat map "$f" -q 2>&1 | tr -d '\n' | grep -oE '"form": "[^"]*"|"rows": [0-9]*|"medians": \{[^}]*\}|"(event|start|phase)": |^gpustat: .*' | sort -u | tr '\n' ' '
    echo
done
