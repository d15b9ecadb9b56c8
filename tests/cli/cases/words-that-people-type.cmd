# A short word is the column that the table shows; a word that looks like a file is looked for as one; no text is written under a name that opens elsewhere.
gpustat events data -q --show event,energy,power
gpustat gpus data -q --show hostname,energy,temp -f csv --top 2
for word in compare cost nope.csv evnts; do gpustat $word; echo "$word: $?"; done
gpustat events data -q -o table.xlsx
gpustat events data -q -o table.csv && head -n 1 table.csv
