gpustat validate data/operations-validate.csv -f csv
gpustat validate data/operations-validate.csv -f markdown
