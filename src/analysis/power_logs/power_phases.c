/* power_phases.c - the phases of a power log, with their energies. */
#include "analysis/power_logs/power_phases.h"

#include "base/num/timestamp.h"
#include "base/num/dd.h"

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
        from[i] = gs_time_moved(out->phase[i].at.start_ns, -m->curve.sensor.shift_ns);
        to[i] = gs_time_moved(out->phase[i].at.stop_ns, -m->curve.sensor.shift_ns);
    }
    const enum gs_status s = gs_power_stretches(m, out->n, from, to, arena, used, err);
    for (size_t i = 0; s == GS_OK && i < out->n; i++) {
        struct gs_power_phase *const p = &out->phase[i];
        p->used = used[i];
        ns[p->at.active] += p->at.stop_ns - p->at.start_ns;
        gs_energy_sum_merge(&of[p->at.active], &used[i]);
    }
    out->idle_s = seconds(0, ns[0]);
    out->active_s = seconds(0, ns[1]);
    out->idle_j = gs_energy_j(of[0].energy);
    out->active_j = gs_energy_j(of[1].energy);
    return s;
}

enum gs_status gs_power_split(const struct gs_power_meter *m, struct gs_arena *arena,
                              struct gs_power_phases *phases, struct gs_err *err)
{
    const double nan = (double)NAN;
    const struct gs_log *const log = m->log;
    *phases =
        (struct gs_power_phases){.idle_s = nan, .idle_j = nan, .active_s = nan, .active_j = nan};
    if (log->t_ns == NULL || log->n < 2)
        return GS_OK;
    const struct gs_load_readings readings = {.n = log->n,
                                              .t_ns = log->t_ns,
                                              .power = log->value[GS_LOG_POWER],
                                              .util = log->value[GS_LOG_GPU_UTIL],
                                              .first_ns = gs_energy_curve_first(&m->curve),
                                              .last_ns = gs_energy_curve_last(&m->curve),
                                              .counted = log->counted};
    struct gs_load_phase *found;
    struct gs_power_phases out = {0};
    GS_TRY(gs_load_phases(&readings, arena, &found, &out.n, err));
    if (out.n == 0)
        return GS_OK;
    GS_TAKE_RAW(out.phase, out.n, arena, err);
    for (size_t i = 0; i < out.n; i++)
        out.phase[i].at = found[i];
    GS_TRY(add_up(m, arena, &out, err));
    *phases = out;
    return GS_OK;
}

static const struct gs_column_spec phase_columns[] = {
    GS_COL(GPU),
    GS_COL(PHASE),
    GS_COL(STATE, .how = GS_LOAD_HOW),
    GS_COL(START,
           .how =
               "half way between the readings around the crossing, earlier by the sensor's delay"),
    GS_COL(STOP, .how = "start of the next phase"),
    GS_COL(DURATION_S),
    GS_COL(POWER_MEAN_W, .how = "energy divided by duration"),
    GS_COL(ENERGY_J, .digits = GS_DIGITS(2),
           .how = "integral of power over the phase, linear between readings, corrected for "
                  "gain and offset if known"),
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
        const int64_t from = gs_time_moved(p->phase[i].at.start_ns, -shift_ns),
                      to = gs_time_moved(p->phase[i].at.stop_ns, -shift_ns);
        double low, high;
        gs_energy_interval(used, &low, &high);
        GS_PUT(f, row, GS_TEXT(GPU, of->label), GS_INT(PHASE, (int64_t)i + 1),
               GS_TEXT(STATE, gs_str(p->phase[i].at.active ? "active" : "idle")),
               GS_INT(START, from), GS_INT(STOP, to), GS_REAL(DURATION_S, seconds(from, to)),
               GS_REAL(POWER_MEAN_W, gs_energy_power_w(used)),
               GS_REAL(ENERGY_J, gs_energy_j(used->energy)), GS_REAL(ENERGY_LOW_J, low),
               GS_REAL(ENERGY_HIGH_J, high),
               GS_REAL(COVERAGE_PCT, gs_energy_coverage_pct(used, (gs_i128)p->phase[i].at.stop_ns -
                                                                      p->phase[i].at.start_ns)));
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
