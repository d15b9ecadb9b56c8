# One file, as UTF-8 for the scanner and as UTF-16 for the mapper: the same bytes, by name, in a directory and as an
# operand. Sums over GPUs are no GPU; 2147483632 and its like are no readings; N/A is no host; a UUID is one whatever
# its column is called, and the index beside it is not lost.
table() { # COLUMNS ROW...: each row ten times, a second apart
    echo "hostname,timestamp,$1,power_w"
    for s in {0..9}; do
        printf '%s\n' "${@:2}" | sed "s/@/2024-05-01 12:00:0$s/"
    done
}
twins() { # WHAT ARGUMENT...: of table
    mkdir -p u8 u16
    table "${@:2}" > u8/samples.csv
    iconv -f utf-8 -t utf-16 u8/samples.csv > u16/samples.csv
    for how in "--samples samples.csv" . samples.csv; do
        for d in u8 u16; do
            (cd $d && gpustat gpus $how -f csv > ../$d.out 2> ../$d.err || cat ../$d.err)
        done
        cmp u8.out u16.out
        cmp <(sort u8.err) <(sort u16.err)
    done
    echo "== $1"
    cut -d, -f1-6 u8.out
    grep missing u8.err
}
twins "blanks of DCGM" gpu_index n1,@,0,100 n1,@.5,0,2147483632 n1,@,1,50 n1,@.5,1,9223372036854775794.000
twins "sums" gpu n1,@,0,100 n1,@,1,50 n1,@,all,150 total,@,0,150
twins "hosts without a name" gpu n1,@,0,100 N/A,@,0,50 unknown,@,1,70
twins "UUIDs" gpu n1,@,GPU-aa,100 n1,@,MIG-bb,50
twins "UUIDs beside indices" gpu,index n1,@,GPU-aa,0,100 n1,@,GPU-bb,1,50
twins "no names of GPUs" gpu n1,@,unknown,100 n2,@,[N/A],50
