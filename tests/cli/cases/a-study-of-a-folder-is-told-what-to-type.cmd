# A study reads one table, no folder: the message has the command to type.
gpustat sweep data || echo "exit $?"
gpustat forest train data --model m || echo "exit $?"
gpustat sweep data/sweep.csv --csv-safe -q > rows && wc -l < rows
