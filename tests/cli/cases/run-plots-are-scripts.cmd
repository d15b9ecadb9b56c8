for c in bias balance timeline schedule tiles clusters stragglers; do
    gpustat $c data/ -q --format gnuplot > $c.gp && gnuplot -e "out='$c.svg'" $c.gp 2> /dev/null && grep -c '</svg>' $c.svg
done
