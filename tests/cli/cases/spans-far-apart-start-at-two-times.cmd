# Starts that lie 2^63 ns apart are not at one time, so that their rows are not said to count twice; others are.
mkdir run
look()
{
    printf 'name,start_ns,end_ns\nload,%s\nload,%s\n' "$1" "$2" > run/spans.csv
    gpustat map run --set events.origin=1970-01-01T00:00:00Z 2>&1 | grep -E 'found|warning'
}
look -4611686018427387904,-4611686018427000000 4611686018427387904,4611686018427487904
look 1000000000,2000000000 1000000000,3000000000
