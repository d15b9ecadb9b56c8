/* man_formats.c - gpustat-formats(5): the forms of files, the names and times in them, the mapping. */
#include <string.h>

#include "app/cli/help.h"
#include "app/cli/roff.h"
#include "input/schema/units.h"

/* A form: what it is, and the beginning of such a file. */
static const struct {
    const char *title, *text, *example;
} forms[] = {
    {"nvidia-smi --query-gpu (table)",
     "Any columns in any order, units in the header, in the values or nowhere; a header again, the "
     "same or another "
     "order of columns, [N/A] and its kin, 10:12:46,483 without quotes, a "
     "byte-order mark, "
     "UTF-16, a last line that is torn off or ends in NULs are taken as they come. power_w is "
     "power.draw, else "
     "power.draw.instant, "
     "else power.draw.average, whichever has values.",
     "timestamp, index, uuid, power.draw [W], utilization.gpu [%]\n"
     "2024/05/01 12:00:00.000, 0, GPU-8f1c, 22.19 W, 5 %\n"
     "2024/05/01 12:00:00.100, 0, GPU-8f1c, 24.02 W, 7 %"},
    {"wide tables (table)",
     "One column per GPU: the number behind gpu, card or device is the GPU. total, sum, mean, min "
     "and max are no GPU.",
     "time;host;gpu0_power_w;gpu1_power_w;total_power_w\n"
     "2024-05-01T12:00:00Z;n1;101;212;313\n"
     "2024-05-01T12:00:01Z;n1;103;210;313"},
    {"long tables (table)",
     "A column of names (metric, field) and one of values; rows of one instant and GPU are one "
     "sample.",
     "timestamp,host,gpu,metric,value\n"
     "2024-05-01T12:00:00Z,n1,0,power_w,101\n"
     "2024-05-01T12:00:00Z,n1,0,temp_c,40"},
    {"nvidia-smi dmon, dcgmi dmon (dmon)",
     "With -o DT it has times, dcgmi where somebody put one in front of each line; without, --set "
     "samples.time.every "
     "says how far its rows lie apart. Instances of MIG are passed over beside their GPU.",
     "#Date       Time        gpu   pwr gtemp    sm   mem\n"
     "#YYYYMMDD   HH:MM:SS    Idx     W     C     %     %\n"
     " 20240501   12:00:00      0    27    23     0     0"},
    {"nvidia-smi, its table in a loop (nvidia-smi)", "The date above each table is its time.",
     "Wed May  1 12:00:00 2024\n"
     "|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |\n"
     "| N/A   38C    P0    26W /  70W |    105MiB / 15109MiB |      5%      Default |"},
    {"tables under lines of time (timed)",
     "What a loop of date and a tool's --format=csv writes: rocm-smi, nvidia-smi, amd-smi, with "
     "the header under each "
     "time or once above all. The column row is a row's "
     "place under "
     "its time: --set samples.gpu=row where nothing else names the GPU.",
     "Wed May  1 12:00:00 UTC 2024\n"
     "device,Average Graphics Package Power (W),GPU use (%)\n"
     "card0,101.0,90"},
    {"amd-smi monitor (amd-smi)",
     "As the terminal shows it: units beside the values, a column of times with -w, else lines of "
     "time in between.",
     "TIMESTAMP   GPU  POWER  GPU_TEMP  GFX_UTIL  GFX_CLOCK\n"
     "1714564800    0  182 W     42 C       83 %   1613 MHz\n"
     "1714564800    1  143 W     40 C       13 %    358 MHz"},
    {"nvidia-smi -q (nvidia-smi-q)",
     "Sections and keys are joined by points: Power Readings.Power Draw.",
     "Timestamp                           : Wed May  1 12:00:00 2024\n"
     "GPU 00000000:00:04.0\n"
     "    Power Readings"},
    {"marks: START and STOP in any words (table)",
     "A column of them beside the event's, or an event that ends or begins with one: start and "
     "stop, begin and end, "
     "enter and exit, "
     "started and finished, init and end, B and E ...",
     "time,event,phase\n"
     "2024-05-01T12:00:00Z,load,begin\n"
     "2024-05-01T12:00:09Z,load,end"},
    {"marks in a log (marks)",
     "Where no file is a table of events, the one log that has such marks: an instant in front of "
     "a line or at its "
     "end, and "
     "START or STOP, in one of their words, first or last of what is left. Other lines are passed "
     "over; of several "
     "such logs "
     "--events names one.",
     "2024-05-01 12:00:00,125 INFO START load\n"
     "loss 0.31\n"
     "2024-05-01 12:00:09,250 INFO STOP load"},
    {"spans (table)", "Two of start, stop and duration; with all three start and stop count.",
     "name,start,duration_ms\n"
     "step,2024-05-01T12:00:00Z,500\n"
     "step,2024-05-01T12:00:01Z,480"},
    {"instants that start and stop in turn (table)",
     "One column, named with --events; equal ones count once.",
     "timestamp\n"
     "1714564800000000\n"
     "1714564801500000"},
    {"MLPerf training and inference (mllog)",
     "Lines of :::MLLOG {json} among any other output. Training: intervals by key, readings of "
     "power_reading. "
     "Inference: the window from "
     "power_begin to power_end.",
     ":::MLLOG {\"key\": \"run_start\", \"time_ms\": 1714564800000, \"event_type\": "
     "\"INTERVAL_START\", \"metadata\": "
     "{}}\n"
     ":::MLLOG {\"key\": \"power_reading\", \"value\": 6131, \"time_ms\": 1714564801000}\n"
     ":::MLLOG {\"key\": \"run_stop\", \"time_ms\": 1714564900000, \"event_type\": "
     "\"INTERVAL_END\", \"metadata\": "
     "{}}"},
    {"SPEC PTDaemon (spl)",
     "Name and value in turn; the first Watts is the total. An instrument: its energies are known "
     "to 1 %.",
     "Time,05-01-2024 12:00:00.430,Watts,11.470000,Volts,206.70,Amps,0.173,PF,0.319,Mark,test\n"
     "Time,05-01-2024 12:00:01.446,Watts,12.510000,Volts,206.69,Amps,0.190,PF,0.316,Mark,test\n"
     "Time,05-01-2024 12:00:02.446,Watts,12.780000,Volts,206.70,Amps,0.192,PF,0.320,Mark,test"},
    {"Slurm's sacct (sacct)",
     "With -P, with --json, with another delimiter, as a spreadsheet writes it, or as people see "
     "it, in columns over a "
     "line of "
     "dashes; a list of nodes that a column was too narrow for "
     "is an error. "
     "Allocation rows where there are any, else steps; node lists are hosts. Columns Job and Step "
     "are the number "
     "before the point and what "
     "follows it, gpus the GPUs of AllocTRES or ReqTRES.",
     "JobID|JobName|NodeList|Start|End|State\n"
     "12|train|n[01-04,07]|2024-05-01T12:00:00|2024-05-01T13:00:00|COMPLETED\n"
     "12.batch|batch|n01|2024-05-01T12:00:00|2024-05-01T13:00:00|COMPLETED"},
    {"Chrome trace events (chrome)",
     "PyTorch's profiler and others: X, and B with E, b with e. baseTimeNanoseconds is added. "
     "Where there are kernels, "
     "these and user "
     "annotations are the events.",
     "{\"baseTimeNanoseconds\": 1710000000000000000, \"traceEvents\": [\n"
     "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"ts\": 4203669604595.407, \"dur\": "
     "12.5, \"args\": "
     "{\"device\": 0}},\n"
     "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"step\", \"ts\": 4203669604000.0, "
     "\"dur\": 1000}]}"},
    {"Prometheus (prometheus)",
     "The JSON of query_range, and an exporter's text where its samples have times: DCGM, "
     "omnistat, AMD's and others' "
     "names.",
     "{\"status\": \"success\", \"data\": {\"resultType\": \"matrix\", \"result\": [\n"
     "{\"metric\": {\"__name__\": \"DCGM_FI_DEV_POWER_USAGE\", \"UUID\": \"GPU-8f1c\", "
     "\"instance\": \"n1:9400\"},\n"
     "\"values\": [[1714564800, \"70.5\"], [1714564815, \"71\"]]}]}}"},
    {"InfluxDB lines (influx)",
     "Telegraf's nvidia_smi and amd_rocm_smi, and any other fields that are known.",
     "nvidia_smi,host=n1,index=0,uuid=GPU-8f1c power_draw=26.5,utilization_gpu=100i "
     "1714564800000000000\n"
     "nvidia_smi,host=n1,index=0,uuid=GPU-8f1c power_draw=27.0,utilization_gpu=100i "
     "1714564810000000000\n"
     "nvidia_smi,host=n1,index=0,uuid=GPU-8f1c power_draw=26.0,utilization_gpu=99i "
     "1714564820000000000"},
    {"JSON lines (json)",
     "Objects one after the other, or a list of them; keys below others are joined by points, and "
     "what "
     "stands in front and says nothing (metrics, span, labels ...) does not count for a name. A "
     "list of GPUs in an "
     "object (gpus, gpu_data, devices: amd-smi, gpustat of Python) makes a record of each; other "
     "lists are passed "
     "over. wandb's events are known.",
     "{\"_timestamp\": 1714564800.5, \"system.gpu.0.powerWatts\": 27.79, \"system.gpu.0.gpu\": "
     "4.07}\n"
     "{\"_timestamp\": 1714564802.5, \"system.gpu.0.powerWatts\": 31.02, \"system.gpu.0.gpu\": "
     "55.1}\n"
     "{\"_timestamp\": 1714564804.5, \"system.gpu.0.powerWatts\": 30.10, \"system.gpu.0.gpu\": "
     "51.0}"},
    {"tegrastats (tegrastats)",
     "GR3D_FREQ, GPU@ and RAM; power is VDD_IN, else POM_5V_IN, both of the whole module, else the "
     "GPU's rail: "
     "VDD_GPU_SOC, or GPU beside "
     "GPU@, whose column is \"GPU mW\". -256C is a sensor that is off.",
     "05-01-2024 12:00:00 RAM 2274/6834MB (lfb 100x4MB) GR3D_FREQ 22%@[305] GPU@38C VDD_IN "
     "5542mW/5542mW\n"
     "05-01-2024 12:00:01 RAM 2275/6834MB (lfb 100x4MB) GR3D_FREQ 25%@[305] GPU@38C VDD_IN "
     "5600mW/5570mW\n"
     "05-01-2024 12:00:02 RAM 2275/6834MB (lfb 100x4MB) GR3D_FREQ 21%@[305] GPU@38C VDD_IN "
     "5510mW/5550mW"},
    {"CSV of Grafana's panels (table)",
     "A column of each series, NAME{labels} or the labels alone, or rows of Series, Time and "
     "Value: host and GPU are "
     "labels.",
     "\"Time\",\"DCGM_FI_DEV_POWER_USAGE{gpu=\"\"0\"\", instance=\"\"n1:9400\"\"}\"\n"
     "2024-05-01 12:00:00,100\n"
     "2024-05-01 12:00:15,104"},
    {"rocm-smi as it is printed (rocm-smi)",
     "The table, or the lists of --showpower, --showuse, --showtemp: a record per GPU and round. "
     "It prints no "
     "times; those on lines of their own hold for what follows, else --set samples.time.every.",
     "Wed May  1 12:00:00 UTC 2024\n"
     "GPU[0]          : Average Graphics Package Power (W): 30.0\n"
     "GPU[1]          : Average Graphics Package Power (W): 42.0"},
    {"rocm-smi --json (rocm-smi)",
     "An object per card; it has no time but what somebody wrote beside the cards.",
     "{\"card0\": {\"Unique ID\": \"0x79cc\",\n"
     "\"Average Graphics Package Power (W)\": \"36.0\",\n"
     "\"GPU use (%)\": \"0\"}}"},
    {"ClusterCockpit's job archive (clustercockpit)",
     "data.json has no time of its own: the job's start is read from meta.json beside it. "
     "Accelerators' metrics are "
     "GPUs'; where there are "
     "none, those of nodes stand under their own names.",
     "{\"acc_power\": {\"accelerator\": {\"unit\": {\"base\": \"W\"}, \"timestep\": 60,\n"
     "\"series\": [{\"hostname\": \"n1\", \"id\": \"0\", \"data\": [101.5, 99.0, null]}]}}}\n"
     "(meta.json) {\"jobId\": 7, \"startTime\": 1714564800, \"duration\": 180, \"resources\": "
     "[{\"hostname\": "
     "\"n1\"}]}"},
    {"OpenTelemetry (otlp)", "JSON of spans, and of gauges and sums.",
     "{\"resourceSpans\": [{\"resource\": {}, \"scopeSpans\": [{\"spans\": [{\"name\": \"step\",\n"
     "\"startTimeUnixNano\": \"1714564800000000000\",\n"
     "\"endTimeUnixNano\": \"1714564801000000000\"}]}]}]}"},
    {"Nsight Systems (nsys)",
     "nsys export -t sqlite: NVTX ranges, kernels, copies and fills are the events, at the "
     "session's UTC start; GPU "
     "metrics in W, where there are any, the samples. The file is read in place, so neither "
     "compressed nor from "
     "standard input. Columns: kind, name, short_name, start_ns, end_ns, pid, device, gpu_uuid, "
     "host.",
     "$ nsys export -t sqlite -o report.sqlite report.nsys-rep\n"
     "$ gpustat events report.sqlite nvidia-smi.csv --tz UTC --join window\n"
     "  (--set events.gpu=gpu_uuid where the samples have UUIDs)"},
    {"others (table)",
     "codecarbon's emissions.csv, Nextflow's raw trace, amd-smi metric --csv, xpu-smi dump, jtop's "
     "log, GEOPM's trace, "
     "MLflow's system metrics, EnergiBridge, PowerJoular, pyJoules, nvitop's collector, Flux "
     "tables, nsys stats (with "
     "--set "
     "events.origin, for its "
     "clock begins with the session), Zeus: tables whose columns are known.",
     "Start (ns),End (ns),Duration (ns),Name\n"
     "26940649047,26940822025,172978,step\n"
     "26940828778,27024149063,83320285,step"},
};

static void put_names(struct gs_buf *b, const char *title, const char *names)
{
    gs_buf_text(b, ".TP\n\\fB");
    gs_roff_literal(b, title);
    gs_buf_text(b, "\\fR\n");
    for (const char *p = names; *p != '\0';) {
        const size_t n = strcspn(p, " ");
        const bool asks = *p == '?';
        gs_roff(b, (struct gs_str){p + asks, n - asks}, GS_ROFF_LITERAL, p == names);
        gs_buf_text(b, asks ? "*" : "");
        p += n;
        p += *p == ' ';
        gs_buf_text(b, *p == '\0' ? "\n" : ", ");
    }
    if (names[0] == '\0')
        gs_buf_text(b, "its own name only\n");
}

static void names_section(struct gs_buf *b)
{
    static const struct {
        enum gs_meaning means;
        const char *title;
    } keys[] = {{GS_MEANS_TIME, "time"},        {GS_MEANS_HOST, "host"},
                {GS_MEANS_UUID, "GPU, UUID"},   {GS_MEANS_SERIAL, "GPU, serial"},
                {GS_MEANS_INDEX, "GPU, index"}, {GS_MEANS_JOB, "job"},
                {GS_MEANS_TASK, "task"},        {GS_MEANS_EVENT, "event"},
                {GS_MEANS_PHASE, "phase"},      {GS_MEANS_START, "start"},
                {GS_MEANS_STOP, "stop"},        {GS_MEANS_DURATION, "duration"}};
    gs_buf_text(b, ".SH NAMES\n");
    gs_roff_paragraphs(b, "A column is known by its whole name, letters and digits only, in any "
                          "case: power.draw [W], powerDraw and "
                          "power_draw are one name. Never by a part of it: cpu_power is no GPU's. "
                          "A unit may stand in brackets or at the "
                          "end: Power (mW), power_mw, powerWatts. With a star: only where a unit "
                          "stands with it, in the name or in the "
                          "values; else the column is left out; a warning names the options "
                          "that give it a unit, or is an error where "
                          "there is no other power. The best name stands first.");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        put_names(b, keys[i].title, gs_meaning_names(keys[i].means));
    for (uint32_t i = 0; i < gs_n_known_metrics; i++)
        put_names(b, gs_known_metrics[i].name, gs_known_metrics[i].aliases);
    gs_roff_paragraphs(b, "Units: W mW uW kW; J mJ uJ kJ MJ Wh mWh uWh kWh; % and share (0 to 1); "
                          "B KiB MiB GiB KB MB "
                          "GB; C; Hz kHz MHz GHz; B/s KB/s MB/s MiB/s; "
                          "ns us ms s min h. Power or energy without any is an error; nothing is "
                          "corrected silently.");
}

/* clang-format off */
static const char times[] =
    "RFC 3339 with T or a blank, up to 9 digits of a fraction, Z, an offset or no zone; YYYY/MM/DD HH:MM:SS.mmm; a comma for the point; "
    "DD.MM.YYYY HH:MM:SS; what `date` prints, where its zone is UTC; a month by its name; AM and PM behind a year that stands first; "
    "seconds since 1970 with a fraction; milliseconds, microseconds and nanoseconds since 1970, told by the unit in the column's name "
    "(time_ms, Start (ns)), else by their size, which a note reports.\n\n"
    "Other forms are given with unit: a date form of YYYY, MM, Mon, DD, hh, mm, ss, AM, UTC and what stands between, * for a word that does not "
    "count, a fraction behind the seconds.\n\n"
    "  --set 'samples.time.unit=DD.MM.YYYY hh:mm:ss'\n"
    "  --set 'samples.time.unit=MM/DD/YYYY hh:mm:ss AM'\n\n"
    "A date and a time of day in two columns are one time: [\"Date\", \"Time\"]. A time without a zone is that of --tz (UTC), or of zone in the map. A time of day alone, and a clock of its own (an instant outside of "
    "2000 to 2100), need origin. Lengths of time: 500ms, 1m 3s, 2 (seconds), 1-02:03:04.";

static const char mapping[] =
    "gpustat map prints what was understood as JSON; --map FILE reads it back, and DIR/gpustat.json is read by itself. A string in it is a "
    "column, verbatim; everything else is an object.\n\n"
    "  {\"schema\": \"gpustat.map/1\", \"sources\": [\n"
    "    {\"role\": \"samples\", \"files\": [\"nvidia-smi.csv\"], \"form\": \"table\", \"zone\": \"+01:00\",\n"
    "     \"time\": \"timestamp\", \"metrics\": {\"power_w\": \"power.draw [W]\"}},\n"
    "    {\"role\": \"events\", \"files\": [\"bursts.csv\"], \"form\": \"table\",\n"
    "     \"event\": {\"column\": \"event\", \"like\": \"{} *\"}, \"start\": \"start\", \"stop\": \"stop\"}]}\n\n"
    "Every source: role (samples, events, tasks); files, from the directory that is the operand, else from the map's folder, a name that "
    "exists before a pattern; form; of tables separator (one byte or blanks), skip (lines), header (rows), columns (names by place); zone; "
    "origin (an instant, or {\"file\": P}); shift (a duration to add); where {COLUMN: P or [P, ...]} for the rows that count; ignored (columns "
    "that no pattern matches).\n\n"
    "Samples: time, host, gpu, job, metrics {NAME: V}. Events: event; time and phase, or two of start, stop, duration; host, gpu, job, task; "
    "attributes {NAME: V}; metrics, the tool's own readings. Tasks: task, job, attributes. Where samples and events both name jobs, the "
    "events of a job draw from a GPU's samples of that job, else from those without job; GPUs stay one row each.\n\n"
    "phase is {\"column\": C, \"start\": P, \"stop\": P}, where {} is the event's name and the column is the event's unless it is given; or "
    "\"points\" (each lasts to the next); or \"turns\" (instants that start and stop in turn).\n\n"
    "V, a value, is \"COLUMN\", or [\"COLUMN\", ...] joined by a blank, or an object with one of column, columns (P with {gpu} or {host}, for "
    "wide tables), file (P on the file's name), text (the same for all rows), count (true: the k-th of its event), every (rows without "
    "times), turns (N: rows of N GPUs in turn); and any of unit, like (P: the part that counts), many (true: a list such as n[01-04,07]), names {FROM: TO}, where (for long "
    "tables).\n\n"
    "P, a pattern: * is any text, {} the part that is kept, the shortest and never empty, a backslash takes the meaning of what follows. On "
    "files it sees the last components of the path, without .gz, .xz and .zst, and nothing crosses a slash.\n\n"
    "--set ROLE[GLOB].PATH=VALUE says one thing: the first = outside of brackets ends the path, commas part lists, an empty value removes, "
    "[GLOB] splits those files off into a source of their own.\n\n"
    "  --set samples.zone=+01:00\n"
    "  --set 'events.event.like={} *'\n"
    "  --set 'samples[power_RPi5_*].metrics.power_w.unit=W'\n"
    "  --set events.columns=time,event,sent,received";

static const char joined[] =
    "host: its column, else the part in which the paths of several files differ; events without a host hold for all. GPU: UUID, else serial, "
    "else index. Rows without a time or an event are skipped and counted; a reading that is empty, [N/A], ERR! or the like is "
    "missing, not zero. What lies between files is an error that names the option: two sources of one metric, two columns that are the same metric of a GPU with other values, no instant or no host in "
    "common, a zone on one side only, files of one host cut by time.\n\n"
    "--rejects keeps malformed rows as they stand in their file; of a document the piece that is the row's own: an item, a pair of a "
    "query_range, a point of OTLP, the list of a GPU in nvidia-smi -q. A value in ClusterCockpit's lists and a row of an nsys .sqlite "
    "have no bytes of their own: of these the cells are kept, with commas between.";
/* clang-format on */

void gs_man_formats(struct gs_buf *b, const char *program)
{
    gs_buf_text(b,
                ".\\\" Made from the tables of names by `gpustat man formats`; do not edit.\n.TH ");
    for (const char *p = program; *p != '\0'; p++)
        gs_buf_char(b, *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p);
    gs_buf_text(b, "\\-FORMATS 5 " GPUSTAT_RELEASED " \"gpustat " GPUSTAT_VERSION
                   "\" \"File Formats\"\n.SH NAME\n");
    gs_roff_literal(b, program);
    gs_buf_text(
        b, "\\-formats \\- files of telemetry and events that gpustat reads\n.SH DESCRIPTION\n");
    gs_roff_paragraphs(
        b, "The operands of a command are a directory or files; --samples, --events and --tasks "
           "name single ones. What "
           "a file is "
           "is told by its content: its container first, then its separator (comma, semicolon, "
           "tab, bar or blanks), "
           "then its "
           "columns. Each may be packed with gzip, zstd or xz. gpustat map shows what was "
           "understood. The study's "
           "application-checkpoints.csv, gpu.csv and task-x-y.csv are known by their names.");
    gs_buf_text(b, ".SH FORMS\n");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        gs_roff_subsection(b, forms[i].title);
        gs_roff_paragraphs(b, forms[i].text);
        gs_buf_text(b, ".PP\n");
        gs_roff_preformatted(b, gs_str(forms[i].example));
    }
    names_section(b);
    gs_buf_text(b, ".SH TIMES\n");
    gs_roff_paragraphs(b, times);
    gs_buf_text(b, ".SH HOSTS, GPUS AND WHAT IS MISSING\n");
    gs_roff_paragraphs(b, joined);
    gs_buf_text(b, ".SH MAPPING\n");
    gs_roff_paragraphs(b, mapping);
    gs_buf_text(b, ".SH SEE ALSO\n.BR ");
    gs_roff_literal(b, program);
    gs_buf_text(b, " (1),\n.BR ");
    gs_roff_literal(b, program);
    gs_buf_text(b, "\\-map (1)\n");
}

/* The forms alone: the manual page has the names in them, times, units and mapping. */
void gs_help_formats(struct gs_buf *b, unsigned width)
{
    const unsigned columns = gs_help_width(width);
    gs_buf_text(b, "gpustat formats: files that gpustat detects by their content\n");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        gs_buf_format(b, "\n%s\n    ", forms[i].title);
        (void)gs_wrap(b, forms[i].text, 4, 4, columns);
        gs_buf_char(b, '\n');
    }
    gs_buf_text(b,
                "\ngpustat map FILE shows what a file was understood to be. gpustat-formats(5) has "
                "examples,\nnames, times, units and mapping.\n");
}
