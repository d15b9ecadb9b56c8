/* column_meaning.c - tables of names. A new name is a word here or in the metric's own row. */
#include "input/schema/column_meaning.h"

#include <string.h>

/* Appends the letters and digits of a text, in lower case. */
static size_t fold(char *out, size_t n, struct gs_str text)
{
    for (size_t i = 0; i < text.len && n + 1 < GS_NAME_MAX; i++)
        if (gs_is_alnum(text.ptr[i]))
            out[n++] = gs_lower(text.ptr[i]);
    out[n] = '\0';
    return n;
}

/* The part in brackets at the end, [W] or (mW), and the name before it; nothing before it where that is a unit. */
static bool bracketed(struct gs_str column, struct gs_str *before, struct gs_str *inside)
{
    if (column.len < 3)
        return false;
    size_t i = column.len - 1;
    if (column.ptr[i] != ']' && column.ptr[i] != ')')
        return false;
    const char open = column.ptr[i] == ']' ? '[' : '(';
    while (i > 0 && column.ptr[i] != open)
        i--;
    *before = (struct gs_str){column.ptr, i};
    *inside = gs_trimmed((struct gs_str){column.ptr + i + 1, column.len - i - 2});
    return i > 0 || (column.ptr[0] == open && gs_unit_find(*inside).quantity != GS_Q_NONE);
}

/*
 * The last word of a name: behind the last sign that is no letter, or where capitals begin.
 * Column names carry their unit as power_w, powerDrawWatt or power-mW; all three end in a word. GPU% ends in a sign.
 */
static bool last_word(struct gs_str column, struct gs_str *before, struct gs_str *word)
{
    const bool sign = gs_str_ends(column, "%");
    size_t i =
        sign ? column.len - 1 : gs_str_skip_back(column, column.len, GS_ALL_LETTERS GS_ALL_DIGITS);
    const bool foreign = i > 0 && i == column.len && (column.ptr[i - 1] & 0x80) != 0;
    while (foreign && i > 0 && column.ptr[i - 1] != ' ')
        i--;
    size_t k = i; /* a word that begins with a capital behind a small letter: powerDrawWatt */
    for (size_t j = i + 1; j < column.len; j++)
        if (column.ptr[j] >= 'A' && column.ptr[j] <= 'Z' && column.ptr[j - 1] >= 'a' &&
            column.ptr[j - 1] <= 'z')
            k = j;
    const bool whole = gs_unit_find(gs_str_after(column, i)).quantity != GS_Q_NONE;
    const size_t at = whole || k == i ? i : k; /* power_mW ends in mW, not in W */
    if (at == 0 || at == column.len)
        return false;
    *before = (struct gs_str){column.ptr, at};
    *word = gs_str_after(column, at);
    return true;
}

/*
 * Keys of JSON lie below others: metrics.gpu_power_w is gpu_power_w, span.start_time is start_time. Only words that say nothing
 * themselves are left out: cpu.power is no power of a GPU.
 */
static struct gs_str below_containers(struct gs_str column)
{
    static const char containers[] =
        "metric metrics stat stats sample samples data label labels tag tags attribute attributes "
        "field fields payload record telemetry nvidia amd nvml dcgm span event info";
    for (;;) {
        const size_t n = gs_str_until(column, 0, "./");
        if (n + 1 >= column.len || !gs_is_word_of((struct gs_str){column.ptr, n}, containers))
            return column;
        column = gs_str_after(column, n + 1);
    }
}

/* "/gpu-nvidia/0/power/0/GPU Package": what LibreHardwareMonitor's kinds of sensors are measured in. */
static struct gs_unit sensor_unit(struct gs_str column)
{
    static const char *const kinds[][2] = {
        {"/power/", "W"}, {"/load/", "%"}, {"/temperature/", "C"}, {"/clock/", "MHz"}};
    for (size_t i = 0; column.len > 0 && column.ptr[0] == '/' && i < sizeof kinds / sizeof *kinds;
         i++)
        for (size_t k = 0, n = strlen(kinds[i][0]); k + n <= column.len; k++)
            if (memcmp(column.ptr + k, kinds[i][0], n) == 0)
                return gs_unit_find(gs_str(kinds[i][1]));
    return GS_UNIT_NONE;
}

void gs_name_split(struct gs_str column, struct gs_name *name)
{
    struct gs_str before = {NULL, 0}, unit = {NULL, 0};
    const struct gs_unit sensor = sensor_unit(column);
    column = below_containers(gs_trimmed(column));
    *name = (struct gs_name){.unit = GS_UNIT_NONE};
    (void)fold(name->whole, 0, column);
    if (bracketed(column, &before, &unit)) {
        name->unit = gs_unit_find(unit);
        name->is_measured = column.ptr[column.len - 1] == ']';
        (void)fold(name->stem, 0, before);
        (void)fold(name->whole, 0, before);
        return;
    }
    if (last_word(column, &before, &unit) &&
        (name->unit = gs_unit_find(unit)).quantity != GS_Q_NONE)
        (void)fold(name->stem, 0, before);
    else
        memcpy(name->stem, name->whole, sizeof name->stem);
    if (sensor.quantity != GS_Q_NONE)
        name->unit = sensor;
    const struct gs_unit own = gs_unit_find(column);
    if (own.quantity == GS_Q_POWER) { /* the unit is the name: Watts, and the W of gpu0_W */
        name->unit = own;
        memcpy(name->stem, "power", sizeof "power");
    } else if (own.quantity == GS_Q_TIME && strlen(name->whole) > sizeof "min") { /* hours */
        name->unit = own;
    }
}

/* The best name first: its place is its rank. */
/* clang-format off */
static const char *const meanings[GS_N_MEANINGS] = {
    [GS_MEANS_TIME] = "timestamp datetime time timestamputc timeutc timestampunix timestampsystemepoch unixtime tunix unixts unixtimestamp querytime "
                      "epochtime epoch date ts t wallclock wallclocktime localtime sampletime relativetime relativetimeprocess "
                      "relativetimewall timerelative timeelapsed timestamps times perfcounter monotonic clock",
    [GS_MEANS_HOST] = "hostname host node nodename nodeid hostid hostip machineid machine machinename server servername serverid "
                      "kubernetesnode k8snodename instance computer worker workernode exechost ip ipaddress",
    [GS_MEANS_UUID] = "gpuuuid gpuuuids uuid deviceuuid",
    [GS_MEANS_SERIAL] = "gpuserial serial serialnumber gpuserialnumber gpuuniqueid uniqueid",
    [GS_MEANS_INDEX] = "gpuindex gpuidx gpuid gpu index idx deviceid deviceindex device card dev entity localrank pcibusid gpupcibusid gpubusid busid minornumber minor hwid",
    [GS_MEANS_JOB] = "hpcjob jobid job slurmjobid",
    [GS_MEANS_EVENT] = "event eventname name label windowname spanname stepname phasename stagename taskname regionname region section stage activity operation kernel "
                       "kernelname functionname step phase task jobname process rule pod podname",
    [GS_MEANS_PHASE] = "eventtype phase type kind state action status marker edge event eventname name label",
    [GS_MEANS_START] = "start starttime begin begintime tbegin runningstart started starttimestamp startedat startts startutc tstart tstartrel tstartunix timestart timestampstart startdate datetimestart startunix startepoch arrivaltime from stime dispatchtime launchtime launchedat beginn",
    [GS_MEANS_STOP] = "stop end stoptime endtime finish finishtime finished stoptimestamp endtimestamp endedat complete "
                      "completed ended endts endutc stoputc tend tendrel tendunix timeend timestampend tstop enddate datetimecomplete finishedtime endunix endepoch stopunix until etime completiontime completedat terminationtime terminatedat finishedat etimeend ende to",
    [GS_MEANS_DURATION] = "duration dur elapsed elapsedtime elapsedraw runtime walltime wall realtime executiontime "
                          "exectime jobruntime timetaken latency e2elatency totallatency requestlatency responsetime",
    [GS_MEANS_TASK] = "taskid task step epoch iteration iter batch round epochnum globalstep requestid request trialid trial rank",
    [GS_MEANS_CARD] = "gpuname name cardname productname modelname devicename",
};
/* clang-format on */

const char *gs_meaning_names(enum gs_meaning means)
{
    return gs_or_empty(meanings[means]);
}

/* Prometheus calls a label of the exporter "exported_..." where its own has the name: what is asked for is the exporter's. */
static bool rank_in(const char *list, const char *word, unsigned *rank)
{
    static const char exported[] = "exported";
    const bool own = strncmp(word, exported, sizeof exported - 1) == 0;
    word += own ? sizeof exported - 1 : 0;
    *rank = !own;
    for (struct gs_str rest = gs_str(list); rest.len > 0; *rank += 2)
        if (gs_str_eq(gs_str_take(&rest, ' '), gs_str(word)))
            return true;
    return false;
}

bool gs_name_fits(const struct gs_name *name, enum gs_meaning m, unsigned *rank)
{
    const bool timed =
        m == GS_MEANS_TIME || m == GS_MEANS_START || m == GS_MEANS_STOP || m == GS_MEANS_DURATION;
    if (timed ? name->unit.quantity != GS_Q_NONE && name->unit.quantity != GS_Q_TIME
              : name->is_measured || name->unit.quantity != GS_Q_NONE)
        return false; /* what is measured names nobody, and what is in MHz is no time */
    return rank_in(meanings[m], name->whole, rank) ||
           (timed && name->unit.quantity == GS_Q_TIME && rank_in(meanings[m], name->stem, rank));
}

enum gs_meaning gs_name_meaning(const struct gs_name *name, unsigned *rank)
{
    for (int m = GS_MEANS_TIME; m < GS_N_MEANINGS; m++)
        if (gs_name_fits(name, (enum gs_meaning)m, rank))
            return (enum gs_meaning)m;
    return GS_MEANS_NOTHING;
}

enum gs_meaning gs_column_meaning(struct gs_str header)
{
    struct gs_name name;
    unsigned rank;
    gs_name_split(header, &name);
    return gs_name_meaning(&name, &rank);
}

/* Names of single tools, beside those in the metrics' own rows. */
static const struct {
    const char *metric, *names;
} tool_names[] = {
    {"power_w", "nvmlpower nvidiagpupowerusage rocmaveragesocketpower accpower gpupackagepower "
                "gpuaveragepackagepower hwpower watts keplernodegpu vddin nvgpupowerusage"},
    {"power_instant_w", "gpuinstantpower"},
    {"temp_c", "nvidiagputemperature rocmtemperature temperaturec temperatureaip"},
    {"gpu_util_pct",
     "gfxactivity nvidiagpudutycycle rocmutilization gpuusage utilizationgpupercent accutilization "
     "utilizationaip gpucoreload usedgr3d nvgpuutilization"},
    {"mem_used_mib", "nvgpumemoryused"},
    {"mem_util_pct", "umcactivity gpumemoryuse"},
    {"energy_j", "nvmlintegratedenergy keplernodegpujoulestotal nvenergyconsumption"},
};

static bool matches(const char *aliases, const struct gs_name *n, bool *needs_unit)
{
    for (struct gs_str rest = gs_str(aliases); rest.len > 0;) {
        struct gs_str alias = gs_str_take(&rest, ' ');
        const bool asks = gs_str_begins(alias, "?");
        alias = gs_str_after(alias, asks);
        if (gs_str_eq(alias, gs_str(n->whole)) || gs_str_eq(alias, gs_str(n->stem))) {
            *needs_unit = asks;
            return true;
        }
    }
    return false;
}

/* gpu_watts, "GPU [W]", sm_mhz: the unit is what the name says of the GPU. */
static const struct gs_metric *metric_by_unit(const struct gs_name *name)
{
    static const struct {
        enum gs_quantity quantity;
        const char *stems, *metric;
    } of[] = {{GS_Q_POWER, "gpu", "power_w"},
              {GS_Q_SHARE, "gpu", "gpu_util_pct"},
              {GS_Q_TEMPERATURE, "gpu", "temp_c"},
              {GS_Q_CLOCK, "gpu sm gpusm clocksm gpucore", "sm_clock_mhz"},
              {GS_Q_CLOCK, "mem memory gpumem gpumemory clockmem", "mem_clock_mhz"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (name->unit.quantity == of[i].quantity && gs_is_word_of(gs_str(name->stem), of[i].stems))
            return gs_metric_find(gs_str(of[i].metric));
    return NULL;
}

const struct gs_metric *gs_name_metric(const struct gs_name *name, bool *needs_unit)
{
    const struct gs_metric *m = NULL;
    for (uint32_t k = 0; m == NULL && k < gs_n_known_metrics; k++) {
        char own[GS_NAME_MAX];
        (void)fold(own, 0, gs_str(gs_known_metrics[k].name));
        *needs_unit = false;
        const enum gs_quantity quantity = gs_metric_quantity(&gs_known_metrics[k]);
        /* "mem" in % is a load, in MiB what is used */
        const bool fits = name->unit.quantity == GS_Q_NONE || quantity == GS_Q_NONE ||
                          name->unit.quantity == quantity;
        if (fits && (strcmp(own, name->whole) == 0 ||
                     matches(gs_known_metrics[k].aliases, name, needs_unit)))
            m = &gs_known_metrics[k];
    }
    for (size_t k = 0; m == NULL && k < sizeof tool_names / sizeof *tool_names; k++)
        if (matches(tool_names[k].names, name, needs_unit)) {
            m = gs_metric_find(gs_str(tool_names[k].metric));
            *needs_unit =
                gs_metric_quantity(m) == GS_Q_POWER || gs_metric_quantity(m) == GS_Q_ENERGY;
        }
    if (m == NULL)
        m = metric_by_unit(name);
    /* A unit of another quantity: mem_used [%] is no memory in MiB. */
    if (m != NULL && name->unit.quantity != GS_Q_NONE && gs_metric_quantity(m) != GS_Q_NONE &&
        name->unit.quantity != gs_metric_quantity(m))
        return NULL;
    return m;
}

/* The next word of a name: letters alone, parted also where capitals begin; empty at its end. */
static struct gs_str next_word(struct gs_str *name)
{
    const size_t from = gs_str_until(*name, 0, GS_ALL_LETTERS);
    size_t to;
    for (to = from; to < name->len; to++) {
        const char c = name->ptr[to], before = to > from ? name->ptr[to - 1] : 'a';
        const bool capital = c >= 'A' && c <= 'Z', was_small = before >= 'a' && before <= 'z';
        if ((c | 0x20) < 'a' || (c | 0x20) > 'z' || (to > from && capital && was_small))
            break;
        /* The P of GPUPower: small letters follow, capitals stand before. */
        if (to > from + 1 && capital && !was_small && to + 1 < name->len &&
            name->ptr[to + 1] >= 'a' && name->ptr[to + 1] <= 'z')
            break;
    }
    const struct gs_str word = {name->ptr + from, to - from};
    name->ptr += to;
    name->len -= to;
    return word;
}

/* What a name's words are about; nothing of a processor, a memory or a limit is a GPU's. */
static const char other_parts[] =
    "cpu cpus ram dram mem memory limit cap tdp max min fan peak uncore "
    "disk std sd target mode ia cor pl source supplier carbon "
    "intensity battery apparent reactive",
                  gpu_parts[] = "gpu gpus graphics gfx gt card accelerator",
                  all_parts[] = "total system node processor package pkg sum all";

enum gs_device_part gs_words_part(struct gs_str text)
{
    enum gs_device_part part = GS_PART_UNKNOWN;
    for (struct gs_str word = next_word(&text); word.len > 0; word = next_word(&text)) {
        if (gs_is_word_of(word, other_parts))
            return GS_PART_OTHER;
        if (gs_is_word_of(word, gpu_parts))
            part = GS_PART_GPU;
        else if (part == GS_PART_UNKNOWN && gs_is_word_of(word, all_parts))
            part = GS_PART_ALL;
    }
    return part;
}

bool gs_words_have(struct gs_str column, const char *words)
{
    for (struct gs_str word = next_word(&column); word.len > 0; word = next_word(&column))
        if (gs_is_word_of(word, words))
            return true;
    return false;
}

bool gs_words_gpu(struct gs_str column)
{
    return gs_words_have(column, "gpu gpus");
}

bool gs_words_meter(struct gs_str column)
{
    return gs_words_have(
               column,
               "wall plug outlet meter wattmeter wattsup pdu psu ups ipmi dcmi bmc redfish "
               "idrac ilo shelly kasa tapo tasmota apower rapl cpu cpus dram package pkg") &&
           !gs_words_have(column, gpu_parts);
}

bool gs_is_numbered_gpu(struct gs_str cell)
{
    struct gs_str word = cell;
    word.len = gs_str_skip_back(word, word.len, GS_ALL_DIGITS);
    return word.len < cell.len && word.len < sizeof "gpu-" && gs_words_gpu(word);
}

bool gs_is_gpu_range(struct gs_str cell, struct gs_str *before, struct gs_str *low,
                     struct gs_str *high)
{
    const size_t dash = gs_str_find(cell, "-"), n = gs_str_until(cell, 0, GS_ALL_DIGITS);
    if (dash <= n || dash >= cell.len)
        return false;
    *before = gs_str_part(cell, 0, n);
    *low = gs_str_part(cell, n, dash);
    *high = gs_str_after(cell, dash + 1);
    if (n > 0 && high->len > n && memcmp(high->ptr, cell.ptr, n) == 0)
        *high = gs_str_after(*high, n);
    return high->len > 0 && gs_str_skip(*low, 0, GS_ALL_DIGITS) == low->len &&
           gs_str_skip(*high, 0, GS_ALL_DIGITS) == high->len &&
           (n == 0 || gs_is_numbered_gpu(gs_str_part(cell, 0, dash)));
}

bool gs_words_summary(struct gs_str column)
{
    return gs_words_have(column, "avg average mean median max min peak");
}

const struct gs_metric *gs_words_metric(struct gs_str column, unsigned *rank)
{
    static const struct {
        const char *words, *within; /* within: of a part of the GPU */
        enum gs_quantity quantity;
        const char *metric;
    } of[] = {
        {"power apower watt watts pwr leistung leistungsaufnahme wirkleistung",
         "core cores soc rail input vr vrm", GS_Q_POWER, "power_w"},
        {"temp temperature temps temperatur", "hot hotspot spot junction vr vrm", GS_Q_TEMPERATURE,
         "temp_c"},
        {"util utilization utilisation usage load busy activity auslastung",
         "video bus engine decode encode d computing copy overlay", GS_Q_SHARE, "gpu_util_pct"},
        {"clock clk freq frequency takt", "video soc effective uvd", GS_Q_CLOCK, "sm_clock_mhz"},
    };
    enum { WITHIN_GPU = 1, WITHIN = 4, SUMMARY = 8 };
    enum { N = sizeof of / sizeof *of };
    struct gs_name name;
    bool said[N] = {false}, part_of[N] = {false};
    const unsigned summary = gs_words_summary(column) ? SUMMARY : 0;
    const enum gs_device_part part = gs_words_part(column);
    gs_name_split(column, &name);
    for (struct gs_str word = next_word(&column); word.len > 0; word = next_word(&column))
        for (size_t i = 0; i < N; i++) {
            said[i] |= gs_is_word_of(word, of[i].words);
            part_of[i] |= gs_is_word_of(word, of[i].within);
        }
    static const unsigned ranks[] = {
        [GS_PART_GPU] = 0, [GS_PART_UNKNOWN] = 2, [GS_PART_OTHER] = 2, [GS_PART_ALL] = 3};
    *rank = ranks[part];
    for (size_t i = 0; i < N && part != GS_PART_OTHER; i++) {
        const bool fits = name.unit.quantity == of[i].quantity,
                   open = name.unit.quantity == GS_Q_NONE;
        /* Power has its unit all to itself; heat and shares are of anything but where a GPU is named. */
        if (i == 0 ? fits || (said[0] && open) : said[i] && part == GS_PART_GPU && (fits || open)) {
            if (part_of[i])
                *rank += part == GS_PART_GPU ? WITHIN_GPU : WITHIN;
            *rank += summary;
            return gs_metric_find(gs_str(of[i].metric));
        }
    }
    return NULL;
}

bool gs_is_aggregate(struct gs_str name)
{
    return GS_IS_ONE_OF(name, "total", "sum", "all", "mean", "avg", "average", "min", "max", "-1");
}

bool gs_is_other_device(struct gs_str gpu)
{
    const size_t n = gs_str_skip(gpu, 0, GS_ALL_LETTERS);
    const struct gs_str device = {gpu.ptr, n};
    const bool numbered = gs_str_skip(gpu, n, GS_ALL_DIGITS "_-: ") == gpu.len; /* package-0 */
    /* node1 may be how a host's only GPU is called */
    return (numbered &&
            GS_IS_ONE_OF(device, "cpu", "ram", "dram", "package", "psys", "uncore", "psu")) ||
           GS_IS_ONE_OF(gpu, "node", "system", "host", "server", "chassis", "limit", "power_limit",
                        "power.limit");
}

bool gs_names_no_one(struct gs_str part)
{
    for (size_t from = 0; from < part.len;) {
        const size_t to = gs_str_until(part, from, "._: /");
        /* the dash of mini-max is its own */
        const struct gs_str word = gs_str_strip(gs_str_part(part, from, to), "-");
        if (gs_is_aggregate(word) ||
            /* the s of power_gpus is no GPU's either */
            GS_IS_ONE_OF(word, "median", "std", "peak", "limit", "cap", "process", "s"))
            return true;
        from = to + 1;
    }
    return false;
}
