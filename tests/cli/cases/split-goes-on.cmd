# What an interrupted split leaves is gone on with, and comes to the same bytes.
gpustat split data/ -o whole --parts 2 -q -f csv > whole.csv
cp -r whole parts
cd parts
rm gpu-* task-*
for f in *.zst; do mv $f $f.partial; done
echo "what a killed run had not settled" > gpu-0001.csv.zst.partial
python3 - << 'END'
import json
state = json.load(open("split.json"))
state["complete"] = False
state["input"] = 1
state["parts"] = state["parts"][:2]
for part in state["parts"]: # the mark and the digest come at the end
    part["bytes"] -= 24
    del part["sha256"]
json.dump(state, open("split.json", "w"))
END
cd ..
gpustat split data/ -o parts --parts 2 -f csv | cmp - whole.csv && diff -r whole parts && echo same
gpustat split data/ -o parts --parts 2 -q -f csv | cmp - whole.csv && echo done already
gpustat split data/ -o parts --parts 3
echo $?
cd parts
truncate -s -5 gpu-0001.csv.zst
for f in *.zst; do mv $f $f.partial; done
sed -i 's/"complete": true/"complete": false/' split.json
cd ..
gpustat split data/ -o parts --parts 2
echo $?
mkdir full
touch full/precious
gpustat split data/ -o full
echo $?
# Killed while it wrote its first split.json; and while another split is at work, which the lock tells.
mkdir early
touch early/.gpustat-1-0.tmp
gpustat split data/ -o early --parts 2 -q -f csv | cmp - whole.csv && echo begun again
mkdir busy
(flock -x 9; gpustat split data/ -o busy; echo $?) 9< busy
# A disk that is full names the file, whichever it was.
(trap '' XFSZ; ulimit -f 8; gpustat split data/ -o small; echo $?) 2>&1 | sed 's/[a-z-]*-[0-9]*/PART/'
