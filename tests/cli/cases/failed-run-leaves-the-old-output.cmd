echo old > r.csv; gpustat events missing -o r.csv; code=$?; cat r.csv; ls; exit $code
