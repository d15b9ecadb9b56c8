# Two outputs of one name, there or not: the second would replace the first.
try() { gpustat "$@" > out 2> err; echo "$? $(grep -vE 'warning|note' err | head -n 1)"; [ ! -s out ] || echo "printed something"; }
try events data/ --rejects x.csv -o x.csv
try events data/ --rejects x.csv -o ./x.csv
ln -s x.csv link.csv
try events data/ --rejects x.csv -o link.csv
try forest train data/operations.csv --model m -o m
try events data/ --plot z.svg -o z.svg
try events data/ --plot z.svg -o z-2.svg
mkdir r
try report data/ --rejects r/x.csv -o r
try events data/ --rejects /dev/null -o /dev/null
ls
