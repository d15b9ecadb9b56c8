# Tables under lines of an instant read the same whether lines end in LF or, as on Windows, in CR LF.
for k in 0 1 2; do
    echo "2024-05-01 12:00:0$k"
    [ $k -gt 0 ] || echo 'device,Current Socket Graphics Package Power (W)'
    echo "card0,$((90 + k))"
done > lf.csv
sed 's/$/\r/' lf.csv > crlf.csv
for file in lf crlf; do gpustat gpus $file.csv -f csv -q | cut -d , -f 3-5; done
