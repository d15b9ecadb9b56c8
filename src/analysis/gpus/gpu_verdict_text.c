/* gpu_verdict_text.c - verdicts on GPUs as cells, sentences and notes. */
#include "analysis/gpus/gpu_verdict.h"

#include <math.h>
#include <string.h>

#include "base/num/calendar.h"
#include "data/result/number_text.h"

#define UUID_BEGIN "GPU-"

/* Throttle reasons in the log show a throttled GPU; without any, clock, temperature and power only suggest it. */
enum evidence { MEASURED, THROTTLED, UNTRUSTED /* its readings are wrong or missing */ };

/* What a verdict is called, what the GPU does, and what to look at next. */
/* clang-format off */
static const struct {
    const char *word, *does, *next;
    enum evidence by;
} words[GS_N_VERDICTS] = {
    [GS_VERDICT_OK] = {"ok", NULL, NULL, MEASURED},
    [GS_VERDICT_SILENT] = {"silent", "stopped answering while its siblings work",
        "look for its last Xid error in the host's kernel log (dmesg)", UNTRUSTED},
    [GS_VERDICT_STUCK] = {"stuck", "repeats one power reading at work",
        "reset it, or have its sensor tested", UNTRUSTED},
    [GS_VERDICT_IDLE] = {"idle", "idles while its siblings work",
        "is the process on it running?", MEASURED},
    [GS_VERDICT_HOT_AND_SLOW] = {"hot-and-slow", "thermally throttled",
        "look at its fan, air flow and dust, then have it serviced", THROTTLED},
    [GS_VERDICT_POWER_LIMITED] = {"power-limited", "held back by its power",
        "compare its power limit (nvidia-smi -q -d POWER), power supply and cabling", THROTTLED},
    [GS_VERDICT_SLOW_CLOCK] = {"slow-clock", "has a low clock without heat or lack of power",
        "compare its application clocks (nvidia-smi -q -d CLOCK), then have the board tested",
        MEASURED},
    [GS_VERDICT_SOMETIMES_SLOW] = {"sometimes-slow", "has a low clock part of the time",
        "add clocks_event_reasons.active to the log", MEASURED},
    [GS_VERDICT_WAITING] = {"waiting", "has less to do than its siblings",
        "look at its data loading and its share of the work", MEASURED},
    [GS_VERDICT_STARVED] = {"starved", "is busy but does little",
        "look for a collective that spins, slow input, or a PCIe link that fell back", MEASURED},
    [GS_VERDICT_HOT] = {"hot", "is hot beside its siblings",
        "look at its fan, air flow and dust", MEASURED},
};
/* clang-format on */

const struct gs_column_spec gs_verdict_columns[GS_N_VERDICT_COLUMNS] = {
    GS_COL(GPU_VERDICT),
    GS_COL(SIBLINGS),
    GS_COL(LOADED_S),
    GS_COL(SM_CLOCK_LOADED_MHZ),
    GS_COL(SM_CLOCK_DIFF_PCT),
    GS_COL(SM_CLOCK_Z),
    GS_COL(POWER_DIFF_PCT),
    GS_COL(POWER_Z),
    GS_COL(TEMP_DIFF_C),
    GS_COL(TEMP_Z),
    GS_COL(GPU_UTIL_DIFF_POINTS),
    GS_COL(GPU_UTIL_Z),
    GS_COL(SLOW_TIME_PCT),
    GS_COL(THERMAL_PCT),
    GS_COL(POWER_CAP_PCT),
    GS_COL(Q_GPU),
    GS_COL(SLOW_SINCE),
};

void gs_verdict_cells(struct gs_frame *f, size_t row, const struct gs_gpu_verdict *v)
{
    if (v == NULL)
        return;
    GS_PUT_SHOWN(
        f, row, GS_TEXT(GPU_VERDICT, gs_str(words[v->verdict].word)), GS_INT(SIBLINGS, v->siblings),
        GS_REAL(LOADED_S, v->loaded_s), GS_REAL(SM_CLOCK_LOADED_MHZ, v->sm_clock_mhz),
        GS_REAL(SM_CLOCK_DIFF_PCT, v->difference[GS_LOAD_CLOCK]),
        GS_REAL(SM_CLOCK_Z, v->z[GS_LOAD_CLOCK]),
        GS_REAL(POWER_DIFF_PCT, v->difference[GS_LOAD_POWER]),
        GS_REAL(POWER_Z, v->z[GS_LOAD_POWER]), GS_REAL(TEMP_DIFF_C, v->difference[GS_LOAD_TEMP]),
        GS_REAL(TEMP_Z, v->z[GS_LOAD_TEMP]),
        GS_REAL(GPU_UTIL_DIFF_POINTS, v->difference[GS_LOAD_UTIL]),
        GS_REAL(GPU_UTIL_Z, v->z[GS_LOAD_UTIL]), GS_REAL(SLOW_TIME_PCT, v->slow_time_pct),
        GS_REAL(THERMAL_PCT, v->thermal_pct), GS_REAL(POWER_CAP_PCT, v->power_cap_pct),
        GS_REAL(Q_GPU, v->q), GS_INT(SLOW_SINCE, v->since_ns));
}

/* --- sentences ---------------------------------------------------------------------------------------- */

bool gs_gpu_verdict_is_bad(const struct gs_gpu_verdict *v)
{
    return v->verdict > GS_VERDICT_OK;
}

/* What of a list stands before the next item. */
static void add(struct gs_buf *b, const char **between, const char *before, double value,
                int decimals, const char *unit)
{
    gs_buf_format(b, "%s%s%s%s", *between, before, gs_real_text(b, value, decimals), unit);
    *between = ", ";
}

static void add_difference(struct gs_buf *b, const char **between, double value, int decimals,
                           const char *unit)
{
    if (!isnan(value))
        add(b, between, gs_text_if(value > 0, "+"), value, decimals, unit);
}

static void write_clock(const struct gs_gpu_verdict *v, const char **between, struct gs_buf *b)
{
    const double *const more = v->told;
    if (v->verdict == GS_VERDICT_SOMETIMES_SLOW) { /* its median hides what it has a word for */
        add(b, between, "SM clock ", v->low_by_pct, 0, " %");
        *between = " ";
    } else if (!isnan(v->sm_clock_mhz) && !isnan(more[GS_LOAD_CLOCK])) {
        add(b, between, "SM clock ", v->sm_clock_mhz, 0, " MHz");
        *between = " (";
        add_difference(b, between, more[GS_LOAD_CLOCK], 1, " %)");
    }
    /* All of it: from the start. A clock that is always a little low is far below by chance. */
    if (v->slow_time_pct > 0 && v->slow_time_pct < 99.5 &&
        (v->verdict == GS_VERDICT_SOMETIMES_SLOW || v->told[GS_LOAD_CLOCK] <= GS_SLOW_CLOCK_PCT))
        add(b, between, "for ", v->slow_time_pct, 0, " % of its load");
    if (v->is_hotter)
        add(b, between, "thermal reasons in ", v->thermal_pct, 0, " %");
    if (v->is_capped)
        add(b, between, "power cap or brake in ", v->power_cap_pct, 0, " %");
}

static void write_temp_and_power(const struct gs_gpu_verdict *v, const char **between,
                                 struct gs_buf *b)
{
    if (!isnan(v->hotter_host))
        add(b, between, "its host +", v->hotter_host, 0, " K");
    else
        add_difference(b, between, v->told[GS_LOAD_TEMP], 0, " K");
    add_difference(b, between, v->told[GS_LOAD_POWER], 0, " % power");
}

static void write_measured(const struct gs_gpu_verdict *v, struct gs_buf *b)
{
    const char *first = "", **const between = &first;
    if (v->verdict != GS_VERDICT_IDLE) /* the clock of a GPU that does nothing is none */
        write_clock(v, between, b);
    if (v->verdict != GS_VERDICT_SOMETIMES_SLOW) /* nor are medians those of a part of the time */
        write_temp_and_power(v, between, b);
    if (fabs(v->told[GS_LOAD_UTIL]) >= 5)
        add_difference(b, between, v->told[GS_LOAD_UTIL], 0, " points of utilisation");
}

bool gs_gpu_list_has_one_host(const struct gs_gpu_list *fleet)
{
    for (uint32_t g = 1; g < fleet->n_gpus; g++)
        if (!gs_str_eq(fleet->gpu[g].host, fleet->gpu[0].host))
            return false;
    return true;
}

static struct gs_str first_block(struct gs_str uuid)
{
    const struct gs_str rest = gs_str_after(uuid, strlen(UUID_BEGIN));
    const char *const end = memchr(rest.ptr, '-', rest.len);
    return (struct gs_str){uuid.ptr, end == NULL ? uuid.len : (size_t)(end - uuid.ptr)};
}

/* The first block of a UUID is enough beside the index, or where no other GPU has it; CSV has all of it. */
static struct gs_str brief_uuid(const struct gs_gpu_list *fleet, size_t g, struct gs_str uuid)
{
    const struct gs_str block = first_block(uuid);
    for (uint32_t i = 0; i < fleet->n_gpus; i++)
        if (i != g && fleet->gpu[i].uuid.len >= block.len &&
            memcmp(fleet->gpu[i].uuid.ptr, block.ptr, block.len) == 0)
            return uuid;
    return block;
}

void gs_gpu_verdict_name(const struct gs_gpu_list *fleet, size_t g, struct gs_buf *b)
{
    const struct gs_gpu_name *const name = &fleet->gpu[g];
    const struct gs_str gpu = name->uuid.len > 0 ? name->uuid : name->serial;
    const bool host = name->host.len > 0 && (gpu.len == 0 || !gs_gpu_list_has_one_host(fleet));
    const uint64_t index = fleet->verdicts == NULL ? UINT64_MAX : fleet->verdicts->gpu[g].index;
    if (host)
        gs_buf_escaped(b, name->host, 64);
    if (gpu.len == 0)
        return;
    gs_buf_text_if(b, host, " ");
    const bool uuid = gs_str_begins(gpu, UUID_BEGIN);
    if (uuid && index != UINT64_MAX) {
        gs_buf_format(b, "GPU %llu (", (unsigned long long)index);
        gs_buf_escaped(b, first_block(gpu), 48);
        gs_buf_text(b, ")");
        return;
    }
    gs_buf_text_if(b, !uuid, "GPU ");
    gs_buf_escaped(b, uuid ? brief_uuid(fleet, g, gpu) : gpu, 48);
}

/* Why a GPU has no verdict, in the order in which the reasons are tried. */
enum lack { NO_SAMPLES, NO_SIBLINGS, NO_LOAD, TOO_FEW, ALONE, N_LACKS };

static enum lack lack_of(const struct gs_gpu_list *fleet, uint32_t g)
{
    const struct gs_gpu_verdict *const v = &fleet->verdicts->gpu[g];
    if (fleet->profile[g].n_samples == 0)
        return NO_SAMPLES;
    if (v->siblings == 0)
        return NO_SIBLINGS;
    if (v->is_alone)
        return ALONE;
    return v->loaded_s > 0 ? TOO_FEW : NO_LOAD;
}

void gs_gpu_verdicts_write_missing(const struct gs_gpu_list *fleet, const char *before,
                                   const char *after, struct gs_buf *b)
{
    static const char *const lacks[N_LACKS][2] = {
        [NO_SAMPLES] = {"had no samples", "had no samples"},
        [NO_SIBLINGS] = {"had no siblings", "had no siblings"},
        [NO_LOAD] = {"was never under load", "were never under load"},
        [TOO_FEW] = {"had too few readings under load", "had too few readings under load"},
        [ALONE] = {"had no sibling under load", "had no siblings under load"}};
    const bool one_host = gs_gpu_list_has_one_host(fleet);
    const char *between = before;
    for (int why = 0; why < N_LACKS; why++) {
        struct gs_str first = GS_NO_STR, last = GS_NO_STR;
        uint64_t n = 0, n_hosts = 0;
        for (uint32_t g = 0; g < fleet->n_gpus; g++) {
            const struct gs_str host = fleet->gpu[g].host;
            if (fleet->verdicts->gpu[g].verdict != GS_VERDICT_NONE ||
                lack_of(fleet, g) != (enum lack)why)
                continue;
            if (n++ == 0)
                first = host;
            n_hosts += n == 1 || !gs_str_eq(host, last); /* a host's GPUs stand together */
            last = host;
        }
        if (n == 0)
            continue;
        gs_buf_format(b, "%s%s", between, gs_count_text(b, n));
        if (!one_host) {
            gs_buf_text(b, " on ");
            gs_buf_escaped(b, first, 64);
        }
        if (n_hosts > 1)
            gs_buf_format(b, " and %s", gs_counted_text(b, n_hosts - 1, "other host"));
        gs_buf_format(b, " %s", gs_plural(n, lacks[why][0], lacks[why][1]));
        between = "; ";
    }
    gs_buf_text_if(b, between != before, after);
}

/* What to look at where a clock is low a part of the time: as its throttle reasons say, else add them. */
static const char *next_of_dips(const struct gs_gpu_verdict *v)
{
    enum gs_verdict cause = GS_VERDICT_SOMETIMES_SLOW;
    if (!isnan(v->thermal_pct))
        cause = GS_VERDICT_SLOW_CLOCK;
    if (v->is_capped)
        cause = GS_VERDICT_POWER_LIMITED;
    if (v->is_hotter)
        cause = GS_VERDICT_HOT_AND_SLOW;
    return words[cause].next;
}

const char *gs_gpu_verdict_words(const struct gs_gpu_list *fleet, size_t g, struct gs_buf *is,
                                 struct gs_buf *since, struct gs_buf *measured)
{
    const struct gs_gpu_verdict *const v = &fleet->verdicts->gpu[g];
    char time[GS_LOCAL_TEXT_MAX];
    const bool unseen = v->verdict == GS_VERDICT_STARVED && isnan(v->difference[GS_LOAD_UTIL]);
    gs_gpu_verdict_name(fleet, g, is);
    const bool throttled = words[v->verdict].by == THROTTLED,
               inferred = throttled && isnan(v->thermal_pct);
    gs_buf_text_if(is, throttled, " is");
    gs_buf_text_if(is, inferred, " probably");
    gs_buf_format(is, " %s", unseen ? "draws less than its siblings" : words[v->verdict].does);
    if (v->since_ns != GS_MISSING)
        gs_buf_format(since, " %s %s", v->at_times ? "at times, first at" : "since",
                      gs_time_words(time, NULL, v->since_ns / GS_NS_PER_S * GS_NS_PER_S));
    else
        gs_buf_text(since, v->at_times ? " at times" : " from the start");
    if (words[v->verdict].by != UNTRUSTED)
        write_measured(v, measured);
    gs_buf_text_if(measured, inferred && gs_gpu_verdict_alike(fleet, g) == 0,
                   "; log clocks_event_reasons.active to confirm");
    if (unseen) /* it may do less, or idle */
        return "add utilization.gpu to the log, which tells why";
    return v->verdict == GS_VERDICT_SOMETIMES_SLOW ? next_of_dips(v) : words[v->verdict].next;
}

size_t gs_gpu_verdict_alike(const struct gs_gpu_list *fleet, size_t g)
{
    const struct gs_gpu_verdict *const v = fleet->verdicts->gpu;
    const struct gs_str host = fleet->gpu[g].host;
    size_t n = 0;
    if (gs_gpu_list_has_one_host(fleet) || (g > 0 && gs_str_eq(fleet->gpu[g - 1].host, host)))
        return 0;
    while (g + n + 1 < fleet->n_gpus && gs_str_eq(fleet->gpu[g + n + 1].host, host)) {
        n++;
        if (v[g + n].verdict != v[g].verdict)
            return 0;
    }
    return n;
}

void gs_gpu_verdicts_write_alike(size_t n, struct gs_buf *b)
{
    if (n > 0)
        gs_buf_format(b, "; so are its host's %s", gs_counted_text(b, n, "other GPU"));
}

void gs_gpu_verdicts_note(const struct gs_gpu_list *fleet, struct gs_notes *notes)
{
    const struct gs_gpu_verdicts *const verdicts = fleet->verdicts;
    enum { N_NOTES = 5 };
    size_t n_bad = 0, n_named = 0, n_judged = 0;
    if (verdicts == NULL)
        return;
    for (uint32_t g = 0; g < fleet->n_gpus; g++) {
        const struct gs_gpu_verdict *const v = &verdicts->gpu[g];
        struct gs_buf b = {.arena = notes->arena}, since = b, measured = b;
        n_judged += v->verdict != GS_VERDICT_NONE;
        if (!gs_gpu_verdict_is_bad(v))
            continue;
        n_bad++;
        if (n_named >= N_NOTES)
            continue;
        const size_t n_alike = gs_gpu_verdict_alike(fleet, g);
        const char *const next = gs_gpu_verdict_words(fleet, g, &b, &since, &measured);
        gs_buf_bytes(&b, since.ptr, since.len);
        gs_buf_text_if(&b, measured.len > 0, ": ");
        gs_buf_bytes(&b, measured.ptr, measured.len);
        gs_buf_text_if(&b, v->siblings == 1, ". It has one sibling");
        gs_gpu_verdicts_write_alike(n_alike, &b);
        n_named += 1 + n_alike;
        n_bad += n_alike;
        g += (uint32_t)n_alike;
        if (!b.failed) {
            gs_note(notes, GS_NOTE_WARNING, "%s", b.ptr);
            gs_note(notes, GS_NOTE_INFO, "next for it: %s", next);
        }
    }
    if (n_bad > n_named)
        gs_note(notes, GS_NOTE_INFO, "%zu more %s not ok: see gpu_verdict", n_bad - n_named,
                gs_plural(n_bad - n_named, "GPU is", "GPUs are"));
    if (n_judged > 0 && !verdicts->has_clock)
        gs_note(notes, GS_NOTE_INFO,
                "no SM clocks in the log: throttling cannot be seen; add clocks.sm");
}
