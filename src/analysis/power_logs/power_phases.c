/* power_phases.c - two states of a power log: Otsu's cut, crossings with hysteresis, phases. */
#include "analysis/power_logs/power_phases.h"

#include <math.h>

#include "base/core/key_sort.h"
#include "base/num/timestamp.h"
#include "base/num/dd.h"

enum { LEAST_READINGS = 10 };
static const double clear_split = 0.8, least_rise = 0.1; /* of the lower, as in balance */

/* Readings as words in the same order, and back. */
static uint64_t word_of(int64_t value)
{
    return (uint64_t)value ^ UINT64_C(1) << 63;
}

static double value_of(uint64_t word)
{
    return (double)(int64_t)(word ^ UINT64_C(1) << 63);
}

/* The means on both sides of the cut with the most variance between them; false: no clear cut. */
static bool cut(const int64_t *power, size_t n, struct gs_arena *scratch, double *low, double *high,
                bool *had)
{
    uint64_t *const v = gs_arena_take_raw(scratch, n, sizeof *v);
    uint64_t *const spare = gs_arena_take_raw(scratch, n, sizeof *spare);
    /* more of one GPU is more than any memory holds */
    *had = v != NULL && spare != NULL && n <= UINT32_MAX;
    if (!*had)
        return false;
    double total = 0, squares = 0, below = 0, best = -1;
    for (size_t i = 0; i < n; i++)
        v[i] = word_of(power[i]);
    gs_key_sort(v, spare, (uint32_t)n);
    for (size_t i = 0; i < n / 100; i++) { /* a glitch is no state */
        v[i] = v[n / 100];
        v[n - 1 - i] = v[n - 1 - n / 100];
    }
    for (size_t i = 0; i < n; i++)
        total += value_of(v[i]);
    /*
     * The cut maximises the variance between two classes (Otsu). Sorted readings make every
     * possible cut one step of a single pass.
     */
    const double mean = total / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (value_of(v[i]) - mean) * (value_of(v[i]) - mean);
    for (size_t i = 1; i < n; i++) {
        below += value_of(v[i - 1]);
        if (v[i] == v[i - 1])
            continue;
        const double k = (double)i, rest = (double)(n - i), m1 = below / k,
                     m2 = (total - below) / rest;
        const double between = k * rest / (double)n * (m2 - m1) * (m2 - m1);
        if (between > best) {
            best = between;
            *low = m1;
            *high = m2;
        }
    }
    /*
     * A steady load also has a best cut. Only where the two sides explain 80 % of the variance are
     * there two states, and where they differ by more than what is noise: whole watts have two values, too.
     */
    return squares > 0 && best >= clear_split * squares && *high - *low > least_rise * fabs(*low);
}

static int64_t middle(int64_t a, int64_t b)
{
    return a + (int64_t)(((uint64_t)b - (uint64_t)a) / 2);
}

static double seconds(int64_t from_ns, int64_t to_ns)
{
    return gs_ratio((gs_i128)to_ns - from_ns, GS_NS_PER_S);
}

/* The energies of the phases, which come to that of the log, and their times. */
static enum gs_status add_up(const struct gs_power_meter *m, struct gs_arena *arena,
                             struct gs_power_phases *out, struct gs_err *err)
{
    GS_NEW_RAW(int64_t, from, out->n, arena, err);
    GS_NEW_RAW(int64_t, to, out->n, arena, err);
    GS_NEW_RAW(struct gs_energy_sum, used, out->n, arena, err);
    int64_t ns[2] = {0};
    struct gs_energy_sum of[2] = {{0}};
    for (size_t i = 0; i < out->n; i++) {
        /*
         * Phases are found on the log's clock, energies are asked for on that of the events. The
         * shift that gs_power_stretches adds is taken off first, so the phases add up to the log.
         */
        from[i] = gs_time_moved(out->phase[i].start_ns, -m->curve.sensor.shift_ns);
        to[i] = gs_time_moved(out->phase[i].stop_ns, -m->curve.sensor.shift_ns);
    }
    const enum gs_status s = gs_power_stretches(m, out->n, from, to, arena, used, err);
    for (size_t i = 0; s == GS_OK && i < out->n; i++) {
        struct gs_power_phase *const p = &out->phase[i];
        p->used = used[i];
        ns[p->active] += p->stop_ns - p->start_ns;
        gs_energy_sum_merge(&of[p->active], &used[i]);
    }
    out->idle_s = seconds(0, ns[0]);
    out->active_s = seconds(0, ns[1]);
    out->idle_j = gs_energy_j(of[0].energy);
    out->active_j = gs_energy_j(of[1].energy);
    return s;
}

/* Does the utilisation show load from a reading to the next, at either, as in balance? Where kernels alternate with rests it flickers. */
static bool is_busy(const struct gs_log *log, size_t i)
{
    const int64_t limit = 10 * GS_FIXED_ONE, *const util = log->value[GS_LOG_GPU_UTIL];
    return util[i] >= limit || (i + 1 < log->n && util[i + 1] >= limit);
}

/*
 * Did the GPU work between two readings, where its power was at least so much, as most of its utilisation shows? A braked
 * GPU that works draws little. -1: it shows nothing.
 */
static int worked(const struct gs_log *log, size_t from, size_t to, double least)
{
    const int64_t *const util = log->value[GS_LOG_GPU_UTIL];
    size_t n = 0, n_busy = 0;
    for (size_t i = from; util != NULL && i < to; i++) {
        if (util[i] == GS_MISSING || (double)log->value[GS_LOG_POWER][i] < least)
            continue;
        n++;
        n_busy += is_busy(log, i);
    }
    if (n == 0)
        return -1;
    return 2 * n_busy > n;
}

/* Phases being found: of the readings of a log, between two instants. */
struct finding {
    struct gs_power_phases *out;
    const struct gs_log *log;
    int64_t first_ns, last_ns;
};

/* Ends at an instant a phase that begins where the last one ended, or goes on with it where that is of the same state. */
static void end_phase(const struct finding *f, int64_t stop_ns, bool active)
{
    struct gs_power_phases *const out = f->out;
    struct gs_power_phase *const last = out->n > 0 ? &out->phase[out->n - 1] : NULL;
    const int64_t start_ns = last == NULL ? f->first_ns : last->stop_ns;
    stop_ns = gs_min(stop_ns, f->last_ns);
    if (last != NULL && last->active == active)
        last->stop_ns = gs_max(stop_ns, start_ns);
    else if (stop_ns > start_ns)
        out->phase[out->n++] =
            (struct gs_power_phase){.start_ns = start_ns, .stop_ns = stop_ns, .active = active};
}

/* Where a state ends whose first reading after it is i: a counter's power is of the interval before its reading. */
static int64_t border(const struct finding *f, size_t i)
{
    const int64_t *const t = f->log->t_ns;
    return i == 0 ? f->first_ns : middle(t[i - 1], t[i - f->log->counted]);
}

/*
 * Adds the readings [from, to), whose power is of one state. A utilisation that says the other one for long enough is
 * right: it is itself a mean over up to a second, and one kernel or pause makes no phase.
 */
static void add_phase(const struct finding *f, size_t from, size_t to, bool active)
{
    enum { LEAST_RUN = 3 };
    static const int64_t least_run_ns = 2 * GS_NS_PER_S;
    const struct gs_log *const log = f->log;
    const int64_t *const util = log->value[GS_LOG_GPU_UTIL];
    size_t first = from, n = 0; /* of those that say so since one said otherwise */
    active |= worked(log, from, to, -HUGE_VAL) > 0;
    for (size_t i = from; util != NULL && i < to; i++) {
        if (util[i] == GS_MISSING)
            continue;
        if (is_busy(log, i) == active) {
            n = 0;
            continue;
        }
        if (n++ == 0)
            first = i;
        if (n < LEAST_RUN || log->t_ns[i] - log->t_ns[first] < least_run_ns)
            continue;
        end_phase(f, log->t_ns[first], active);
        active = !active;
        n = 0;
    }
    end_phase(f, to == log->n ? f->last_ns : border(f, to), active);
}

enum gs_status gs_power_split(const struct gs_power_meter *m, struct gs_arena *arena,
                              struct gs_power_phases *phases, struct gs_err *err)
{
    const double nan = (double)NAN;
    const struct gs_log *const log = m->log;
    const int64_t *const power = log->value[GS_LOG_POWER];
    *phases =
        (struct gs_power_phases){.idle_s = nan, .idle_j = nan, .active_s = nan, .active_j = nan};
    if (log->t_ns == NULL || log->n < LEAST_READINGS)
        return GS_OK;
    struct gs_arena scratch = {0};
    double low = 0, high = 0;
    bool had;
    bool clear = cut(power, log->n, &scratch, &low, &high, &had);
    clear = clear && worked(log, 0, log->n, (low + high) / 2) != 0; /* an idle GPU has steps, too */
    const int steady = worked(log, 0, log->n, -HUGE_VAL);
    gs_arena_release(&scratch);
    if (had && !clear && steady < 0)
        return GS_OK;
    struct gs_power_phases out = {.phase = had ? gs_arena_take_raw(arena, log->n, sizeof *out.phase)
                                               : NULL};
    GS_TRY(gs_had_memory(out.phase != NULL, err));
    /*
     * Two thresholds: with one, a reading that flickers around it would make a phase of every
     * sample.
     */
    const double up = low + (high - low) * 2 / 3, down = low + (high - low) / 3;
    const struct finding f = {&out, log, gs_energy_curve_first(&m->curve),
                              gs_energy_curve_last(&m->curve)};
    size_t from = 0;
    bool active = clear ? (double)power[0] >= (low + high) / 2 : steady > 0;
    for (size_t i = 1; clear && i < log->n; i++) {
        if (active ? (double)power[i] > down : (double)power[i] < up)
            continue;
        add_phase(&f, from, i, active);
        active = !active;
        from = i;
    }
    add_phase(&f, from, log->n, active);
    GS_TRY(add_up(m, arena, &out, err));
    *phases = out;
    return GS_OK;
}

static const struct gs_column_spec phase_columns[] = {
    GS_COL(GPU),
    GS_COL(PHASE),
    GS_COL(STATE,
           .how = "idle or active: the side of the cut between the readings at which "
                  "most of their variance lies between the two sides, left when a "
                  "reading crosses two thirds of the way to the other side's mean; "
                  "active where the utilisation is 10 % or more at either end of most intervals"),
    GS_COL(
        START,
        .how =
            "half way between the readings around the crossing, earlier by what the sensor lags"),
    GS_COL(STOP, .how = "start of the next phase"),
    GS_COL(DURATION_S),
    GS_COL(POWER_MEAN_W, .how = "energy divided by duration"),
    GS_COL(ENERGY_J, .digits = GS_DIGITS(2),
           .how = "energy over the phase: straight lines between readings, gain and "
                  "offset taken out where they are known"),
    GS_COL(ENERGY_LOW_J, .digits = GS_DIGITS(2)),
    GS_COL(ENERGY_HIGH_J, .digits = GS_DIGITS(2)),
    GS_COL(COVERAGE_PCT),
};

static size_t fill_phases(struct gs_frame *f, size_t row, const struct gs_power_gpu *of,
                          const struct gs_power_phases *p)
{
    const int64_t shift_ns = of->meter.curve.sensor.shift_ns;
    for (size_t i = 0; i < p->n; i++, row++) {
        const struct gs_energy_sum *const used = &p->phase[i].used;
        const int64_t from = gs_time_moved(p->phase[i].start_ns, -shift_ns),
                      to = gs_time_moved(p->phase[i].stop_ns, -shift_ns);
        double low, high;
        gs_energy_interval(used, &low, &high);
        GS_PUT(f, row, GS_TEXT(GPU, of->label), GS_INT(PHASE, (int64_t)i + 1),
               GS_TEXT(STATE, gs_str(p->phase[i].active ? "active" : "idle")), GS_INT(START, from),
               GS_INT(STOP, to), GS_REAL(DURATION_S, seconds(from, to)),
               GS_REAL(POWER_MEAN_W, gs_energy_power_w(used)),
               GS_REAL(ENERGY_J, gs_energy_j(used->energy)), GS_REAL(ENERGY_LOW_J, low),
               GS_REAL(ENERGY_HIGH_J, high),
               GS_REAL(COVERAGE_PCT, gs_energy_coverage_pct(used, (gs_i128)p->phase[i].stop_ns -
                                                                      p->phase[i].start_ns)));
    }
    return row;
}

enum gs_status gs_power_phases(const struct gs_power_gpus *gpus, struct gs_arena *arena,
                               struct gs_frames *out, struct gs_err *err)
{
    size_t n_rows = 0, n_whole = 0, n_gpus = 0, row = 0;
    GS_NEW(struct gs_power_phases, p, gpus->n, arena, err);
    for (size_t k = 0; k < gpus->n; k++) {
        GS_TRY(gs_power_split(&gpus->gpu[k].meter, arena, &p[k], err));
        n_rows += p[k].n;
        n_whole += p[k].n == 0 && gpus->gpu[k].log->n > 0;
        n_gpus += gpus->gpu[k].log->n > 0;
    }
    struct gs_frame *f = NULL;
    GS_TRY(gs_frame_new(
        arena,
        GS_HEAD("power-phases", "Idle and active phases of each GPU", GS_COLUMNS(phase_columns)),
        n_rows, out, &f, err));
    for (size_t k = 0; k < gpus->n; k++)
        row = fill_phases(f, row, &gpus->gpu[k], &p[k]);
    if (n_whole > 0)
        gs_note(&out->notes, GS_NOTE_INFO,
                "the power of %zu of %zu GPUs does not split into idle and active", n_whole,
                n_gpus);
    return GS_OK;
}
