/* metric.c - the table of metrics. A new one is a row here; its place is the place of its columns. */
#include "data/tables/metric.h"

#include <string.h>

#define ONE      GS_FIXED_ONE
#define ANY_LOW  (-INT64_C(9000000000000) * ONE)
#define ANY_HIGH (INT64_C(9000000000000) * ONE)

/* clang-format off */
#define NEVER_STUCK    {0, GS_MISSING, GS_POWER}
#define TEMP_STUCK     {30 * ONE, GS_MISSING, GS_POWER}
#define POWER_STUCK    {60 * ONE, GS_MISSING, GS_GPU_UTIL}
#define GPU_UTIL_STUCK {60 * ONE, 100 * ONE, GS_POWER} /* a busy GPU may keep 100 % */
#define MEM_UTIL_STUCK {50 * ONE, 0, GS_GPU_UTIL}      /* a kernel out of its caches may keep 0 */

/* name, stem, label, words, unit, decimals, of means, counter, possible, usual, stuck, aliases */
#define POWER(name, stem, label, words, stuck, aliases) \
    {name, stem, label, words, "W", 2, 2, GS_METRIC_GAUGE, 0, 30000 * ONE, ONE / 2, 3000 * ONE, stuck, aliases}
#define TEMP(name, stem, label, words, stuck, aliases) \
    {name, stem, label, words, "\xc2\xb0" "C", 1, 2, GS_METRIC_GAUGE, -60 * ONE, 160 * ONE, 5 * ONE, 115 * ONE, stuck, aliases}
#define SHARE(name, stem, label, words, stuck, aliases) \
    {name, stem, label, words, "%", 1, 2, GS_METRIC_GAUGE, 0, 100 * ONE, 0, 100 * ONE, stuck, aliases}
#define MEMORY(name, stem, label, words, aliases) \
    {name, stem, label, words, "MiB", 0, 1, GS_METRIC_GAUGE, 0, 100000000 * ONE, 0, 2000000 * ONE, NEVER_STUCK, aliases}
#define CLOCK(name, stem, label, words, aliases) \
    {name, stem, label, words, "MHz", 0, 1, GS_METRIC_GAUGE, 0, 100000 * ONE, 1 * ONE, 15000 * ONE, NEVER_STUCK, aliases}
#define RATE(name, stem, label, words, aliases) \
    {name, stem, label, words, "MiB/s", 1, 2, GS_METRIC_GAUGE, 0, 100000000 * ONE, 0, 5000000 * ONE, NEVER_STUCK, aliases}
/* clang-format on */

/* What a board says of its clock, yes or no: means are shares of the samples. */
/* clang-format off */
#define REASON(name, label, words, aliases) \
    {name, name, label, words, "", 0, 3, GS_METRIC_GAUGE, 0, ONE, 0, ONE, NEVER_STUCK, aliases}
/* clang-format on */

/* clang-format off */
const struct gs_metric gs_known_metrics[] = {
    [GS_POWER] = POWER("power_w", "power", "power", "power", NEVER_STUCK, /* a run of equal readings tells more: see check */
                       "powerdraw powerdrawwatt ?powerusage dcgmfidevpowerusage boardpowerdraw gpupowerdraw ?gpupowerusage ?power ?gpupower "
                       "?pwr ?socketpower ?currentsocketpower ?averagesocketpower ?averagegraphicspackagepower "
                       "?currentsocketgraphicspackagepower ?averagegraphicspackage ?leistung"),
    [GS_TEMP] = TEMP("temp_c", "temp", "temp", "temperature", TEMP_STUCK,
                     "temperaturegpu temperature temp gputemp tempgpu gputempc gputemperature tmptr ?gtemp dcgmfidevgputemp "
                     "temperaturesensoredge gpucoretemperature temperatur gputemperatur edgetemp tempedge edgetemperature "
                     "temperatureedge tempcore coretemp gpucoretemp gpuedgetemp edge ?core"),
    [GS_GPU_UTIL] = SHARE("gpu_util_pct", "gpu_util", "GPU util", "GPU utilisation", GPU_UTIL_STUCK,
                          "utilizationgpu gpuutil gpuutilperc gpuutilization gpuutilisation utilgpu gpuload gpuutl gputl gpuuse "
                          "dcgmfidevgpuutil gpuutilizationgpu utilization utilisation util auslastung gpuauslastung ?sm"),
    [GS_MEM_UTIL] = SHARE("mem_util_pct", "mem_util", "mem util", "memory utilisation", MEM_UTIL_STUCK,
                          "utilizationmemory gpumemutil gpumemutilperc memutil utilmem memoryutilization memoryutilisation "
                          "gpumemoryutilization gpumemoryutilisation memorycontrollerload mcutl memcopyutil memcopyutilization dcgmfidevmemcopyutil ?mem"),
    MEMORY("mem_used_mib", "mem_used", "mem used", "memory used",
           "memoryused memused usedmemory usedmem gpumemoryused gpumemused fbused fbusd ?fb fbmemoryusageused memoryuseddedicated "
           "dcgmfidevfbused vramused usedvram ?gpumemoryusage ?gpumemusage ?vramusage ?mem ?memory ?vram ?gpumem ?gpumemory ?gpuvram ?gpumemoryallocated"),
    CLOCK("sm_clock_mhz", "sm_clock", "SM clock", "SM clock",
          "clockscurrentsm clockssm smclock smclk ?pclk ?sclk gpuclock gpuclk gpucoreclock ?coreclock ?clock dcgmfidevsmclock clockscursm"),
    CLOCK("mem_clock_mhz", "mem_clock", "mem clock", "memory clock",
          "clockscurrentmemory clocksmem memclock memoryclock ?mclk memclk dcgmfidevmemclock clockscurmem gpumemoryclock"),
    {"fan_pct", "fan", "fan", "fan speed", "%", 0, 1, GS_METRIC_GAUGE, 0, 200 * ONE, 0, 130 * ONE, NEVER_STUCK,
     "fanspeed gpufanspeed ?fan"},
    {"energy_j", "energy", "energy", "energy", "J", 1, 1, GS_METRIC_COUNTER, 0, ANY_HIGH, 0, ANY_HIGH, NEVER_STUCK,
     "?totalenergyconsumption ?dcgmfidevtotalenergyconsumption ?energy ?totalenergy ?energyconsumption ?gpuenergy "
     "?energycounter ?energyconsumed ?energyaccumulator"},
    POWER("power_instant_w", "power_instant", "instant power", "instant power", POWER_STUCK,
          "powerdrawinstant powerusageinstant dcgmfidevpowerusageinstant ?powerinstant ?instantpower"),
    POWER("power_average_w", "power_average", "average power", "average power", POWER_STUCK,
          "powerdrawaverage ?poweraverage ?averagepower ?poweravg"),
    POWER("power_limit_w", "power_limit", "power limit", "power limit", NEVER_STUCK,
          "powerlimit enforcedpowerlimit powermanagementlimit dcgmfidevpowermgmtlimit ?powercap"),
    MEMORY("mem_total_mib", "mem_total", "mem total", "total memory",
           "memorytotal memtotal totalmemory gpumemorytotal fbtotal fbttl dcgmfidevfbtotal vramtotal totalvram"),
    MEMORY("mem_free_mib", "mem_free", "mem free", "free memory",
           "memoryfree memfree freememory gpumemoryfree fbfree dcgmfidevfbfree vramfree freevram"),
    TEMP("mem_temp_c", "mem_temp", "mem temp", "memory temperature", TEMP_STUCK,
         "temperaturememory tempmem tempmemory gpumemtemp gpumemorytemp memtemp memorytemp memorytemperature ?mtemp dcgmfidevmemorytemp temperaturesensormemory"),
    TEMP("hotspot_temp_c", "hotspot_temp", "hot spot", "hot-spot temperature", TEMP_STUCK,
         "temperaturesensorjunction hotspot temperaturehotspot hotspottemp hotspottemperature junctiontemp junctiontemperature "
         "tempjunction temphotspot temperaturejunction gpujunctiontemp gpuhotspottemp gpuhotspot ?junction"),
    CLOCK("graphics_clock_mhz", "graphics_clock", "graphics clock", "graphics clock",
          "clockscurrentgraphics clocksgr clocksgraphics graphicsclock gfxclock"),
    CLOCK("video_clock_mhz", "video_clock", "video clock", "video clock",
          "clockscurrentvideo clocksvideo videoclock dcgmfidevvideoclock"),
    SHARE("enc_util_pct", "enc_util", "encoder", "encoder utilisation", NEVER_STUCK,
          "utilizationencoder encutil encoderutil encoderutilization ?enc dcgmfidevencutil"),
    SHARE("dec_util_pct", "dec_util", "decoder", "decoder utilisation", NEVER_STUCK,
          "utilizationdecoder decutil decoderutil decoderutilization ?dec dcgmfidevdecutil"),
    SHARE("jpeg_util_pct", "jpeg_util", "JPEG", "JPEG engine utilisation", NEVER_STUCK, "utilizationjpeg jpegutil ?jpg"),
    SHARE("ofa_util_pct", "ofa_util", "OFA", "optical flow utilisation", NEVER_STUCK, "utilizationofa ofautil ?ofa"),
    SHARE("sm_active_pct", "sm_active", "SM active", "share of SMs active", NEVER_STUCK,
          "?smactive ?smact ?dcgmfiprofsmactive"),
    SHARE("sm_occupancy_pct", "sm_occupancy", "occupancy", "SM occupancy", NEVER_STUCK,
          "?smoccupancy ?smocc ?dcgmfiprofsmoccupancy"),
    SHARE("tensor_active_pct", "tensor_active", "tensor", "tensor pipe activity", NEVER_STUCK,
          "?tensoractive ?tenso ?dcgmfiprofpipetensoractive"),
    SHARE("dram_active_pct", "dram_active", "DRAM", "DRAM activity", NEVER_STUCK,
          "?dramactive ?drama ?dcgmfiprofdramactive"),
    RATE("pcie_tx_mibps", "pcie_tx", "PCIe tx", "PCIe bytes sent", "pcietx txpci pcietxthroughput"),
    RATE("pcie_rx_mibps", "pcie_rx", "PCIe rx", "PCIe bytes received", "pcierx rxpci pcierxthroughput"),
    {"pcie_gen", "pcie_gen", "PCIe gen", "PCIe generation", "", 0, 1, GS_METRIC_GAUGE, 0, 20 * ONE, 1 * ONE, 10 * ONE, NEVER_STUCK,
     "pcielinkgencurrent pcielinkgengpucurrent pciegen"},
    {"pcie_width", "pcie_width", "PCIe width", "PCIe lanes", "", 0, 1, GS_METRIC_GAUGE, 0, 64 * ONE, 1 * ONE, 32 * ONE, NEVER_STUCK,
     "pcielinkwidthcurrent pciewidth"},
    {"throttle_reasons", "throttle_reasons", "reasons", "throttle reasons", "", 0, 0, GS_METRIC_MASK, 0, ANY_HIGH, 0, ANY_HIGH, NEVER_STUCK,
     "clocksthrottlereasonsactive clockseventreasonsactive throttlereasons dcgmfidevclockthrottlereasons "
     "dcgmfidevclockseventreasons dcgmfidevclockeventreasons dvcctr"},
    REASON("sw_power_cap", "power cap", "power cap", "clocksthrottlereasonsswpowercap clockseventreasonsswpowercap"),
    REASON("hw_slowdown", "HW slowdown", "hardware slowdown", "clocksthrottlereasonshwslowdown clockseventreasonshwslowdown"),
    REASON("sw_thermal_slowdown", "SW thermal", "software thermal slowdown",
           "clocksthrottlereasonsswthermalslowdown clockseventreasonsswthermalslowdown"),
    REASON("hw_thermal_slowdown", "HW thermal", "hardware thermal slowdown",
           "clocksthrottlereasonshwthermalslowdown clockseventreasonshwthermalslowdown"),
    REASON("hw_power_brake", "power brake", "power brake", "clocksthrottlereasonshwpowerbrakeslowdown clockseventreasonshwpowerbrakeslowdown"),
};
/* clang-format on */
const uint32_t gs_n_known_metrics = sizeof gs_known_metrics / sizeof *gs_known_metrics;
const char *const gs_power_stand_ins[GS_N_STAND_INS] = {"power_instant_w", "power_average_w"};

const struct gs_metric *gs_metric_find(struct gs_str name)
{
    for (uint32_t k = 0; k < gs_n_known_metrics; k++)
        if (gs_str_eq(name, gs_str(gs_known_metrics[k].name)))
            return &gs_known_metrics[k];
    return NULL;
}

bool gs_metric_tells_load(const struct gs_metric *m)
{
    static const char *const names[] = {
        "sm_clock_mhz",        "graphics_clock_mhz",  "power_limit_w",
        "throttle_reasons",    "sw_power_cap",        "hw_slowdown",
        "sw_thermal_slowdown", "hw_thermal_slowdown", "hw_power_brake"};
    bool tells = m == &gs_known_metrics[GS_TEMP] || m == &gs_known_metrics[GS_GPU_UTIL];
    for (size_t k = 0; !tells && k < sizeof names / sizeof *names; k++)
        tells = strcmp(m->name, names[k]) == 0;
    return tells;
}

/* Units that may end the name of a metric that is not known, and how they are written. */
static const struct {
    const char *ending, *unit;
} endings[] = {
    {"w", "W"},
    {"mw", "mW"},
    {"j", "J"},
    {"c", "\xc2\xb0"
          "C"},
    {"pct", "%"},
    {"mhz", "MHz"},
    {"hz", "Hz"},
    {"mib", "MiB"},
    {"mb", "MB"},
    {"gib", "GiB"},
    {"gb", "GB"},
    {"s", "s"},
    {"ms", "ms"},
    {"us", "us"},
    {"ns", "ns"},
    {"v", "V"},
    {"mv", "mV"},
    {"a", "A"},
    {"rpm", "rpm"},
    {"kwh", "kWh"},
    {"wh", "Wh"},
    {"mibps", "MiB/s"},
    {"mbps", "MB/s"},
    {"fps", "1/s"},
};

const struct gs_metric *gs_metric_new(struct gs_str name, struct gs_arena *arena)
{
    struct gs_metric *const m = gs_arena_take(arena, 1, sizeof *m);
    char *const copy = gs_arena_copy(arena, name.ptr, name.len);
    if (m == NULL || copy == NULL)
        return NULL;
    *m = (struct gs_metric){.name = copy,
                            .stem = copy,
                            .label = copy,
                            .words = copy,
                            .unit = "",
                            .decimals = 3,
                            .mean_decimals = 3,
                            .low = ANY_LOW,
                            .high = ANY_HIGH,
                            .usual_low = ANY_LOW,
                            .usual_high = ANY_HIGH,
                            .stuck = NEVER_STUCK,
                            .aliases = ""};
    const char *const ending = strrchr(copy, '_');
    for (size_t k = 0; ending != NULL && ending > copy && k < sizeof endings / sizeof *endings; k++)
        if (strcmp(ending + 1, endings[k].ending) == 0) {
            m->unit = endings[k].unit;
            m->stem = m->label = m->words = gs_arena_copy(arena, copy, (size_t)(ending - copy));
        }
    return m->stem == NULL ? NULL : m;
}

const char *gs_metric_column(const struct gs_metric *m, const char *what, struct gs_arena *arena)
{
    return gs_format(arena, "%s_%s%s", m->stem, what, m->name + strlen(m->stem)); /* "_w" */
}

enum gs_status gs_metrics_init(struct gs_metrics *list, struct gs_arena *arena, struct gs_err *err)
{
    *list = (struct gs_metrics){.arena = arena};
    for (uint32_t k = 0; k < GS_FIXED_METRICS; k++)
        GS_TRY(gs_metrics_add(list, &gs_known_metrics[k], err));
    return GS_OK;
}

uint32_t gs_metrics_find(const struct gs_metric *const *metric, uint32_t n, struct gs_str name)
{
    for (uint32_t k = 0; k < n; k++)
        if (gs_str_eq(name, gs_str(metric[k]->name)))
            return k;
    return UINT32_MAX;
}

static uint32_t rank_of(const struct gs_metric *m)
{
    for (uint32_t k = 0; k < gs_n_known_metrics; k++)
        if (m == &gs_known_metrics[k])
            return k;
    return gs_n_known_metrics;
}

static bool comes_before(const struct gs_metric *a, const struct gs_metric *b)
{
    const uint32_t x = rank_of(a), y = rank_of(b);
    return x != y ? x < y : x == gs_n_known_metrics && strcmp(a->name, b->name) < 0;
}

enum gs_status gs_metrics_add(struct gs_metrics *list, const struct gs_metric *m,
                              struct gs_err *err)
{
    if (gs_metrics_find(list->metric, list->n, gs_str(m->name)) != UINT32_MAX)
        return GS_OK;
    GS_TRY(gs_had_memory(GS_HAS_ROOM(list->arena, list->metric, list->n), err));
    uint32_t at = list->n++;
    for (; at > 0 && comes_before(m, list->metric[at - 1]); at--)
        list->metric[at] = list->metric[at - 1];
    list->metric[at] = m;
    return GS_OK;
}
