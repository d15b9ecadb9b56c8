# A key, and what energy is divided by, are refused with the attributes that there are.
printf 'request_id,start,end,prompt_tokens,user\n1,2024-05-01T12:00:01Z,2024-05-01T12:00:03Z,10,ann\n2,2024-05-01T12:00:04Z,2024-05-01T12:00:05Z,30,bob\n3,2024-05-01T12:00:06Z,2024-05-01T12:00:08Z,20,ann\n' > requests.csv
for t in 0 1 2 3 4 5 6 7 8 9; do echo "2024-05-01T12:00:0${t}Z,0,300"; done | sed '1i timestamp,gpu,power_w' > gpu.csv
for option in '--per tokens' '--per prompt_token' '--by usr' '--by team'; do
    gpustat events gpu.csv requests.csv -q $option
done
gpustat events data/ --per tokens
