# Events marked START and STOP under any column names: the scanner's reading is the row by row one, which a pipe gets.
{
    printf 'time,node,util,gpu,power.draw [W]\n'
    for s in 0 1 2 3 4 5 6 7 8 9; do
        printf '2024-05-01T12:00:0%sZ,n1,50,0,%s\n2024-05-01T12:00:0%sZ,n2,60,0,%s\n' "$s" $((100 + s)) "$s" $((200 + s))
    done
} > gpu.csv
head='when,node,mark,region,work,step'
a='2024-05-01T12:00:01Z,n1,START,Load,j1,t1
2024-05-01T12:00:03Z,n1,STOP,Load,j1,t1'
b='2024-05-01T12:00:04Z,n2,START,Train,,t2
2024-05-01T12:00:08Z,n2,STOP,Train,,t2'
ask()
{
    gpustat join --samples gpu.csv --events "$1" --set events.event=region --set events.time=when --set events.host=node \
        --set events.phase.column=mark --set events.phase.start=START --set events.phase.stop=STOP \
        --set events.job=work --set events.task=step "${@:2}" -f csv 2>&1 | sed 's/standard input/events.csv/'
}
both()
{
    local what=$1 first second
    shift
    first=$(ask events.csv "$@")
    second=$(ask - "$@" < events.csv)
    if [ "$first" = "$second" ]; then
        printf '%s: the same, %s lines\n' "$what" "$(grep -c . <<< "$first")"
    else
        printf '%s: differs\n' "$what"
        diff <(echo "$first") <(echo "$second")
    fi
}
printf '%s\n%s\n%s\n' "$head" "$a" "$b" > events.csv
both 'plain rows'
both 'without jobs and tasks' --set events.job= --set events.task=
both 'of all hosts' --set events.host=
printf '%s\n%s\n%s\n' "$head" "$a" "${b//j1/j2}" | sed 's/Z,/,/' > events.csv
both 'times without a zone'
both 'times of another zone' --tz +01:00
printf '%s\n%s\n2024-05-01T12:00:05Z,n1,begin,Load,j1,t1\n%s\n' "$head" "$a" "$b" > events.csv
both 'a mark that is no START'
printf '%s\n%s\n%s\n' "$head" "$a" "${b/,,/,N\/A,}" > events.csv
both 'a word for no job'
printf '%s\n%s\n%s\n' "$head" "$a" "${b//Train/}" > events.csv
both 'an event without a name'
printf '%s\n%s\n%s\n' "$head" "$a" "${b//n2/}" > events.csv
both 'an event without a host'
printf '%s\n%s\n%s\n%s\n' "$head" "$a" "$head" "$b" > events.csv
both 'the header again'
printf '%s\n%s\n%s\n2024-05-01T12:0' "$head" "$a" "$b" > events.csv
both 'a last row that broke off'
printf '%s\n%s\n%s\n' "$head" "$a" "${b/12:00:04Z/noon}" > events.csv
both 'a time that is none'
both 'set aside' --rejects rejects.csv
printf '%s\n%s\n%s\n' "$head" "${a//2024/1970}" "${b//2024/1970}" > events.csv
both 'times before 2000'
