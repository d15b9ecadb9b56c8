/* power_phases.c - two states of a power log: Otsu's cut, crossings with hysteresis, phases. */
#include "analysis/power/power_phases.h"

#include <math.h>

#include "base/core/key_sort.h"
#include "base/num/timestamp.h"
#include "base/num/dd.h"

enum { LEAST_READINGS = 10 };
static const double clear_split = 0.8;

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
    *had = v != NULL && spare != NULL &&
           n <= UINT32_MAX; /* more of one GPU is more than any memory holds */
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
    return squares > 0 && best >= clear_split * squares;
}

static int64_t middle(int64_t a, int64_t b)
{
    return a + (int64_t)(((uint64_t)b - (uint64_t)a) / 2);
}

static double seconds(int64_t from_ns, int64_t to_ns)
{
    return gs_dd_to_double(gs_dd_ratio((gs_i128)to_ns - from_ns, GS_NS_PER_S));
}

static void close_phase(const struct gs_power_meter *m, int64_t max_gap_ns,
                        struct gs_power_phases *out, int64_t *idle_ns, int64_t *active_ns,
                        struct gs_power_phase p)
{
    int64_t covered;
    gs_power_integrate(m->log, p.start_ns, p.stop_ns, max_gap_ns, &p.energy_j, &covered);
    p.energy_j =
        (p.energy_j - m->sensor.offset_w * (double)covered / (double)GS_NS_PER_S) / m->sensor.gain;
    *(p.active ? active_ns : idle_ns) += p.stop_ns - p.start_ns;
    *(p.active ? &out->active_j : &out->idle_j) += p.energy_j;
    out->phase[out->n++] = p;
}

enum gs_status gs_power_split(const struct gs_power_meter *m, int64_t max_gap_ns,
                              struct gs_arena *arena, struct gs_power_phases *phases,
                              struct gs_err *err)
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
    const bool clear = cut(power, log->n, &scratch, &low, &high, &had);
    gs_arena_release(&scratch);
    struct gs_power_phase *const phase =
        clear ? gs_arena_take_raw(arena, log->n, sizeof *phase) : NULL;
    if (!had || (clear && phase == NULL))
        return gs_fail_memory(err);
    if (!clear)
        return GS_OK;
    struct gs_power_phases out = {.phase = phase};
    int64_t idle_ns = 0, active_ns = 0;
    const double up = low + (high - low) * 2 / 3, down = low + (high - low) / 3;
    struct gs_power_phase now = {.start_ns = log->t_ns[0],
                                 .active = (double)power[0] >= (low + high) / 2};
    for (size_t i = 1; i < log->n; i++) {
        if (now.active ? (double)power[i] > down : (double)power[i] < up)
            continue;
        now.stop_ns = middle(log->t_ns[i - 1], log->t_ns[i]);
        close_phase(m, max_gap_ns, &out, &idle_ns, &active_ns, now);
        now = (struct gs_power_phase){.start_ns = now.stop_ns, .active = !now.active};
    }
    now.stop_ns = log->t_ns[log->n - 1];
    close_phase(m, max_gap_ns, &out, &idle_ns, &active_ns, now);
    out.idle_s = seconds(0, idle_ns);
    out.active_s = seconds(0, active_ns);
    *phases = out;
    return GS_OK;
}

enum {
    H_GPU,
    H_PHASE,
    H_STATE,
    H_START,
    H_STOP,
    H_DURATION,
    H_POWER,
    H_ENERGY,
    H_LOW,
    H_HIGH,
    H_COLUMNS
};

static const struct gs_column_spec phase_columns[H_COLUMNS] = {
    [H_GPU] = GS_COL(GPU),
    [H_PHASE] = GS_COL(PHASE),
    [H_STATE] =
        GS_COL(STATE, .how = "idle or active: the side of the cut between the readings at which "
                             "most of their variance lies between the two sides; left when a "
                             "reading crosses two thirds of the way to the other side's mean"),
    [H_START] = GS_COL(
        START,
        .how =
            "half way between the readings around the crossing, earlier by what the sensor lags"),
    [H_STOP] = GS_COL(STOP, .how = "start of the next phase"),
    [H_DURATION] = GS_COL(DURATION_S),
    [H_POWER] = GS_COL(POWER_MEAN_W, .how = "energy divided by duration"),
    [H_ENERGY] = GS_COL(ENERGY_J, .digits = GS_DIGITS(2),
                        .how = "trapezoid over the phase, the sensor's gain and offset taken out "
                               "where they are known"),
    [H_LOW] = GS_COL(ENERGY_LOW_J, .digits = GS_DIGITS(2)),
    [H_HIGH] = GS_COL(ENERGY_HIGH_J, .digits = GS_DIGITS(2)),
};

static int64_t earlier(int64_t t_ns, int64_t by_ns)
{
    int64_t v;
    return __builtin_sub_overflow(t_ns, by_ns, &v) ? INT64_MIN + 1 : v;
}

static enum gs_status fill_phases(struct gs_frame *f, size_t row, const struct gs_power_meter *m,
                                  const struct gs_power_phases *p, struct gs_str label,
                                  struct gs_arena *arena, struct gs_err *err)
{
    int64_t *const from = gs_arena_take_raw(arena, p->n, sizeof *from);
    int64_t *const to = gs_arena_take_raw(arena, p->n, sizeof *to);
    struct gs_power_stretch *const e = gs_arena_take_raw(arena, p->n, sizeof *e);
    if (from == NULL || to == NULL || e == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < p->n; i++) {
        from[i] = earlier(p->phase[i].start_ns, m->sensor.shift_ns);
        to[i] = earlier(p->phase[i].stop_ns, m->sensor.shift_ns);
    }
    const enum gs_status s = gs_power_stretches(m, p->n, from, to, arena, e, err);
    for (size_t i = 0; s == GS_OK && i < p->n; i++, row++) {
        const double length_s = seconds(from[i], to[i]);
        double low, high;
        gs_power_interval(&e[i].error, p->phase[i].energy_j, &low, &high);
        gs_frame_set_text(f, row, H_GPU, label);
        gs_frame_set_int(f, row, H_PHASE, (int64_t)i + 1);
        gs_frame_set_text(f, row, H_STATE, gs_str(p->phase[i].active ? "active" : "idle"));
        gs_frame_set_time(f, row, H_START, from[i]);
        gs_frame_set_time(f, row, H_STOP, to[i]);
        gs_frame_set_real(f, row, H_DURATION, length_s);
        if (length_s > 0)
            gs_frame_set_real(f, row, H_POWER, p->phase[i].energy_j / length_s);
        gs_frame_set_real(f, row, H_ENERGY, p->phase[i].energy_j);
        gs_frame_set_real(f, row, H_LOW, low);
        gs_frame_set_real(f, row, H_HIGH, high);
    }
    return s;
}

enum gs_status gs_power_phases(const struct gs_log_table *logs, size_t n_logs,
                               const struct gs_power_meter *meter, const struct gs_power_options *o,
                               struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    size_t n = 0, k = 0, n_rows = 0, n_whole = 0, n_gpus = 0;
    for (size_t l = 0; l < n_logs; l++)
        n += logs[l].n_logs;
    struct gs_power_phases *const p = gs_arena_take(arena, n, sizeof *p);
    if (p == NULL)
        return gs_fail_memory(err);
    enum gs_status s = GS_OK;
    for (; s == GS_OK && k < n; k++) {
        s = gs_power_split(&meter[k], o->max_gap_ns, arena, &p[k], err);
        n_rows += p[k].n;
        n_whole += p[k].n == 0 && meter[k].log->n > 0;
        n_gpus += meter[k].log->n > 0;
    }
    struct gs_frame *f = NULL;
    if (s == GS_OK)
        s = gs_frame_new(arena, "power-phases", "Idle and active phases of each GPU", phase_columns,
                         H_COLUMNS, n_rows, out, &f, err);
    size_t row = 0;
    k = 0;
    for (size_t l = 0; s == GS_OK && l < n_logs; l++)
        for (size_t g = 0; s == GS_OK && g < logs[l].n_logs; g++, k++) {
            struct gs_str label;
            s = gs_power_label(&logs[l], &logs[l].log[g], n_logs, arena, &label)
                    ? fill_phases(f, row, &meter[k], &p[k], label, arena, err)
                    : gs_fail_memory(err);
            row += p[k].n;
        }
    if (s == GS_OK && n_whole > 0)
        gs_note(&out->notes, GS_NOTE_INFO,
                "the power of %zu of %zu GPUs does not split into idle and active", n_whole,
                n_gpus);
    return s;
}
