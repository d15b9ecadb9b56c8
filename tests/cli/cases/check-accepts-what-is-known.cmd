printf '# seen in May\n\nduplicate-samples # the logger was started twice\r\n' > known
gpustat check data/ --accept duplicate-checkpoints, --accept-file known -f csv
gpustat check data/ --accept duplicate-checkpoints,missing-tiles --accept-file known -f csv
