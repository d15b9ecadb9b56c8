# Every figure is the same from the states of shards: what is drawn beside the rows is kept in them.
for question in events zoom gpus correlate bias balance "timeline --every 1min" schedule "schedule --by host" tiles \
    clusters stragglers join; do
    gpustat $question data/ -q -f gnuplot > whole 2> err
    [ $? -le 1 ] || { echo "$question: $(cat err)"; continue; }
    for i in 1 2 3; do gpustat $question data/ -q --shard $i/3 --partial $i.state; done
    gpustat merge 3.state 1.state 2.state -q -f gnuplot | cmp whole - && echo "$question: $(grep -c '^plot\|^splot' whole) plots, the same"
    gpustat $question data/ -q -f gnuplot --max-memory 20M | cmp whole -
done
