echo old > r.csv; chmod 600 r.csv; gpustat events data/ -q -f csv -n1 -o r.csv; cut -d, -f1 r.csv; ls | cat; stat -c %a r.csv
