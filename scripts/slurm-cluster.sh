#!/bin/bash
# A real Slurm on this one machine, for tests: a controller, munge, and nodes of one core each.
#   slurm-cluster.sh up NODES DIR   starts it in DIR; prints the line that makes Slurm's commands find it
#   slurm-cluster.sh down DIR       stops it
# Needs root and Debian's slurmctld, slurmd, slurm-client and munge; no service of the machine is touched.
set -eu

usage()
{
    echo "usage: slurm-cluster.sh up NODES DIR | down DIR" >&2
    exit 2
}

stop()
{
    local file
    for file in "$dir"/*.pid; do
        [ ! -s "$file" ] || kill "$(cat "$file")" 2> /dev/null || true
    done
}

case ${1-} in
up)
    [ $# -eq 3 ] || usage
    nodes=$2 dir=$3
    ;;
down)
    [ $# -eq 2 ] || usage
    dir=$2
    stop
    exit 0
    ;;
*) usage ;;
esac

for tool in munged slurmctld slurmd sbatch; do
    command -v "$tool" > /dev/null || { echo "slurm-cluster.sh: no $tool" >&2; exit 69; }
done
mkdir -p "$dir"/{state,log,munge}
host=$(hostname)
base=$((17000 + $$ % 500 * 10)) # ports of its own, so that two of them do not meet

(umask 077 && head -c 1024 /dev/urandom > "$dir/munge/key")
chmod 700 "$dir/munge"
munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munged.pid" \
    --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" 2>> "$dir/log/munged"
chmod 711 "$dir/munge"

cat > "$dir/slurm.conf" << END
ClusterName=gpustat
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$base
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
SlurmUser=root
MaxArraySize=9
SlurmdUser=root
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool-%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd-%n.pid
SlurmctldLogFile=$dir/log/slurmctld
SlurmdLogFile=$dir/log/slurmd-%n
SlurmctldTimeout=10
SlurmdTimeout=10
KillWait=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerParameters=sched_interval=1,bf_interval=1
NodeName=n[1-$nodes] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((base + 1))-$((base + nodes))] CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$dir/slurm.conf
slurmctld -f "$SLURM_CONF" 2>> "$dir/log/slurmctld.start"
for i in $(seq "$nodes"); do
    mkdir -p "$dir/spool-n$i"
    slurmd -N "n$i" -f "$SLURM_CONF" 2>> "$dir/log/slurmd.start"
done
for _ in $(seq 120); do
    if [ "$(sinfo -h -t idle -o %D 2> /dev/null)" = "$nodes" ]; then
        echo "export SLURM_CONF=$SLURM_CONF"
        exit 0
    fi
    sleep 0.25
done
echo "slurm-cluster.sh: the nodes did not come up; see $dir/log" >&2
stop
exit 1
