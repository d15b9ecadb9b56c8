# What a worker draws after its last task is kept until the end of the run is known: it is the energy of an event of that time.
python3 - << 'END'
import random
draw = random.Random(7)
first, last = 31234, 47891


def at(ms):
    return f"2024-01-01T00:00:{ms / 1000:06.3f}Z"


def events(name, rows):
    with open(name, "w", encoding="utf-8") as f:
        f.write("timestamp,hostname,eventName,eventType,jobId,taskId\n")
        for host, event, start, stop in rows:
            f.write(f"{at(start)},{host},{event},START,j,{host}\n{at(stop)},{host},{event},STOP,j,{host}\n")


with open("gpu.csv", "w", encoding="utf-8") as f:
    f.write("timestamp,hostname,gpuUUID,power_w\n")
    f.writelines(f"{at(ms)},{host},G-{host},{draw.randrange(600, 4000) / 10}\n" for host in ("n1", "n2") for ms in range(0, 60000, 100))
events("tasks.csv", [("n1", "Task", 5000, first), ("n2", "Task", 5000, last)])
events("tail.csv", [("n1", "Tail", first, last)])
END
for sensor in window=0s window=1s,period=100ms delay=700ms,window=200ms delay=3s,window=5s; do
    gpustat schedule tasks.csv --gpu gpu.csv --sensor $sensor -q -f csv --show tail_energy_j,tail_energy_low_j,tail_energy_high_j | tail -n 1 > tail
    gpustat events tail.csv --gpu gpu.csv --join window --sensor $sensor -q -f csv --show energy_sum_j,energy_low_j,energy_high_j | tail -n 1 > event
    cmp tail event && cut -d, -f 1 tail
done
