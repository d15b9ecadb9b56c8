# What is rounded is told of, whatever reads the file.
printf 'timestamp,gpu,power.draw [W]\n2024-05-01T12:00:00.1234567891Z,0,100.12345678\n2024-05-01T12:00:01Z,0,101\n' > a.csv
iconv -f utf-8 -t utf-16 a.csv > b.csv
gpustat gpus a.csv -f csv
gpustat gpus b.csv -f csv
