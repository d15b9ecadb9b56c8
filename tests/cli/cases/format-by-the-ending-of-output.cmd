for name in x.csv x.tsv x.json x.jsonl X.MD x.html x.gp x.txt x.unknown; do
    gpustat zoom data/ -q -o "$name" && head -c 30 "$name" | head -n 1 | cut -c 1-22
done
gpustat zoom data/ -q -o x.csv -f json && head -c 9 x.csv && echo
gpustat zoom data/ -q -o x.csv -f table && head -c 9 x.csv | head -n 1
