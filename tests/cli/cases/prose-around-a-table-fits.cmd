# Sentences above and below a table break between words where the table has a width; a list's lines are indented.
gpustat diff data data -q --width 60 --show event,measure,change_pct | tail -n +2 | awk 'length > 60'
gpustat diff data data -q --width 60 --show event,measure,change_pct | tail -n 4
