/* schedule_waste.c - what GPUs drew while their worker had no task: in gaps, and after its last one. */
#include "analysis/schedule/schedule_sums.h"

#include <math.h>

#include "base/num/whole.h"
#include "stats/descriptive/quantile.h"
#include "analysis/timeline/pair_burst.h"
#include "base/num/timestamp.h"

struct gs_waste_gpu {
    struct gs_energy_curve curve;
    struct gs_pair_bursts trains;
};

enum gs_status gs_waste_prepare(const struct gs_host_view *h, struct gs_arena *scratch,
                                struct gs_waste_gpu **gpus, struct gs_err *err)
{
    GS_NEW(struct gs_waste_gpu, made, h->n_gpus, scratch, err);
    GS_TRY(gs_energy_check(h, err));
    for (uint32_t g = 0; g < h->n_gpus; g++) {
        GS_TRY(gs_gpu_curve(&h->gpu[g], -1, scratch, &made[g].curve, err));
        if (h->gpu[g].n > 0)
            GS_TRY(gs_pair_bursts_find(h, g, &h->gpu[g], scratch, &made[g].curve.sensor,
                                       &made[g].trains, err));
    }
    *gpus = made;
    return GS_OK;
}

enum gs_status gs_waste_add(const struct gs_waste_gpu *gpus, uint32_t gpu, const int64_t *t,
                            size_t n, struct gs_arena *scratch, struct gs_energy_sum *waste,
                            struct gs_err *err)
{
    const struct gs_waste_gpu *const w = &gpus[gpu];
    GS_REWINDS(scratch);
    GS_NEW_RAW(struct gs_energy_point, at, 2 * n, scratch, err);
    struct gs_energy_sum one = {0};
    gs_energy_points(&w->curve, t, 2 * n, at);
    for (size_t i = 0; i < 2 * n; i += 2)
        if (gs_energy_sum_window(&one, &w->curve, &at[i], &at[i + 1]))
            one.n_refused += gs_pair_bursts_refused(&w->trains, t[i], t[i + 1]);
    gs_energy_sum_end_gpu(&one);
    gs_energy_sum_merge(waste, &one);
    return GS_OK;
}

/* --- the tail ----------------------------------------------------------------------------------------- */

/* Where whole numbers and reals of a curve stand, in the order of their bytes. */
static int64_t *number_of(struct gs_energy_curve *c, size_t i)
{
    struct gs_sensor *const s = &c->sensor;
    int64_t *const number[] = {&s->shift_ns,     &s->reach_ns,  &s->cut_ns,    &s->log_cut_ns,
                               &s->counted_step, &s->unseen_ns, &s->offset_uw, &c->step_ns,
                               &c->near_ns,      &c->least,     &c->most,      NULL};
    return number[i];
}

static double *real_of(struct gs_energy_curve *c, size_t i)
{
    double *const real[] = {&c->sensor.gain, &c->sensor.offset_w, &c->variance,
                            &c->white,       &c->drift,           NULL};
    return real[i];
}

/*
 * The order of the bytes is that of number_of and real_of. A change there changes the format of
 * partial results.
 */
static void pack_curve(struct gs_buf *b, const struct gs_energy_curve *curve)
{
    struct gs_energy_curve c = *curve;
    for (size_t i = 0; number_of(&c, i) != NULL; i++)
        gs_pack_i64(b, *number_of(&c, i));
    for (size_t i = 0; real_of(&c, i) != NULL; i++)
        gs_pack_real(b, *real_of(&c, i));
    gs_pack_i64(b, c.sensor.gain_ppm);
    gs_pack_i64(b, (int64_t)c.sensor.scale_from);
    gs_pack_i64(b, (int64_t)c.sensor.rhythm);
}

/* Is it what gs_sensor_find may give? Then no sum of it overflows. */
static bool curve_fits(const struct gs_energy_curve *c, int64_t ppm, int64_t from, int64_t rhythm)
{
    const struct gs_sensor *const s = &c->sensor;
    const int64_t most = GS_FIXED_ONE;
    const int64_t lengths[] = {s->reach_ns,     s->cut_ns,  s->log_cut_ns, s->unseen_ns,
                               s->counted_step, c->step_ns, c->near_ns};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (lengths[i] < 0)
            return false;
    if (ppm < 0 || ppm > most || s->offset_uw < 0 || s->offset_uw > most * most)
        return false;
    if (from < 0 || from > GS_SENSOR_METER || rhythm < 0 || rhythm > GS_RHYTHM_COUNTED)
        return false;
    /* Written so that NaN does not pass. */
    return s->gain >= 0.1 && s->gain <= 10.0 && fabs(s->offset_w) <= 1000.0 && c->variance >= 0.0 &&
           c->white >= 0.0 && c->drift >= 0.0;
}

static struct gs_energy_curve unpack_curve(struct gs_unpacker *u)
{
    struct gs_energy_curve c = {.max_gap_ns = -1};
    struct gs_sensor *const s = &c.sensor;
    for (size_t i = 0; number_of(&c, i) != NULL; i++)
        *number_of(&c, i) = gs_unpack_i64(u);
    for (size_t i = 0; real_of(&c, i) != NULL; i++)
        *real_of(&c, i) = gs_unpack_real(u);
    const int64_t ppm = gs_unpack_i64(u), from = gs_unpack_i64(u), rhythm = gs_unpack_i64(u);
    const bool fits = curve_fits(&c, ppm, from, rhythm);
    if (!fits && u->status == GS_OK)
        (void)gs_unpack_fail(u, "found what no sensor is like");
    if (fits) {
        s->gain_ppm = (int32_t)ppm;
        s->scale_from = (enum gs_sensor_source)from;
        s->rhythm = (enum gs_rhythm)rhythm;
    }
    return c;
}

/* The trains that reach behind `from_ns`: of those that end before it all have begun before it, so any are left out. */
static void pack_refused(struct gs_buf *b, const struct gs_pair_bursts *t, int64_t from_ns)
{
    if (t->n_refused == 0) {
        gs_pack_sorted(b, NULL, 0);
        gs_pack_sorted(b, NULL, 0);
        return;
    }
    const size_t over = gs_count_below(t->refused_to, t->n_refused, from_ns);
    gs_pack_sorted(b, t->refused_from + over, t->n_refused - over);
    gs_pack_sorted(b, t->refused_to + over, t->n_refused - over);
}

/* Small steps of either sign become small counts, which take one byte each. */
static uint64_t folded(int64_t step)
{
    return (uint64_t)step << 1 ^ (step < 0 ? UINT64_MAX : 0);
}

static int64_t unfolded(uint64_t v)
{
    return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

/* v[0..n) as the first and the steps, in their greatest common unit: readings are rounded. Steps wrap. */
static void pack_steps(struct gs_buf *b, const int64_t *v, size_t n)
{
    uint64_t unit = 0;
    for (size_t i = 1; i < n; i++) {
        const int64_t step = (int64_t)((uint64_t)v[i] - (uint64_t)v[i - 1]);
        unit = gs_gcd(unit, gs_magnitude(step));
    }
    if (unit == 0 || unit > INT64_MAX)
        unit = 1;
    gs_pack_i64(b, v[0]);
    gs_pack_count(b, unit);
    for (size_t i = 1; i < n; i++)
        gs_pack_count(b, folded((int64_t)((uint64_t)v[i] - (uint64_t)v[i - 1]) / (int64_t)unit));
}

/*
 * Unsigned arithmetic: a forged file may make any step, and wrapping is then defined. The
 * caller checks the order afterwards.
 */
static void unpack_steps(struct gs_unpacker *u, int64_t *v, size_t n)
{
    v[0] = gs_unpack_i64(u);
    const uint64_t unit = gs_unpack_count(u);
    for (size_t i = 1; i < n; i++)
        v[i] = (int64_t)((uint64_t)v[i - 1] + (uint64_t)unfolded(gs_unpack_count(u)) * unit);
}

/*
 * The first reading that an edge at an instant looks at. It looks around where it shows in the log, which is before the
 * instant by less than half of the reach, and by no more than that.
 */
static size_t first_needed(const struct gs_energy_curve *c, const int64_t *t, size_t n,
                           int64_t from_ns)
{
    return gs_excess(gs_count_below(t, n, gs_time_moved(from_ns, -c->sensor.reach_ns)), 1);
}

static void pack_readings(struct gs_buf *b, const struct gs_energy_curve *c, const int64_t *t,
                          const int64_t *power, size_t n, int64_t from_ns)
{
    const size_t first = n == 0 ? 0 : first_needed(c, t, n, from_ns);
    gs_pack_count(b, n - first);
    if (n > 0) {
        pack_steps(b, t + first, n - first);
        pack_steps(b, power + first, n - first);
    }
}

/*
 * When the run ends is known only after all hosts are read. The readings after the last STOP
 * are kept until then, and no others.
 */
enum gs_status gs_tail_keep(const struct gs_waste_gpu *gpus, uint32_t gpu, int64_t from_ns,
                            struct gs_arena *arena, struct gs_arena *scratch, struct gs_str *packed,
                            struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    const struct gs_waste_gpu *const w = &gpus[gpu];
    const struct gs_energy_curve *const c = &w->curve;
    struct gs_buf b = {.arena = scratch};
    *packed = (struct gs_str){0};
    if (c->n == 0)
        return GS_OK;
    pack_curve(&b, c);
    pack_refused(&b, &w->trains, from_ns);
    pack_readings(&b, c, c->t_ns, c->power, c->n, from_ns);
    /* Where all readings are renewed ones there is one list. */
    const bool one = c->renewed_ns == c->t_ns;
    pack_readings(&b, c, c->renewed_ns, c->renewed, one ? 0 : c->n_renewed, from_ns);
    *packed = (struct gs_str){b.failed ? NULL : gs_arena_copy(arena, b.ptr, b.len), b.len};
    gs_arena_rewind(scratch, mark);
    return gs_had_memory(packed->ptr != NULL, err);
}

/* Readings of a state: in order, there, and as few as can be added up. */
static enum gs_status unpack_readings(struct gs_unpacker *u, struct gs_arena *scratch, size_t *n,
                                      const int64_t **t_ns, const int64_t **readings)
{
    const size_t there = gs_unpack_length(u, 1);
    int64_t *const t = gs_arena_take_raw(scratch, there, sizeof *t);
    int64_t *const power = gs_arena_take_raw(scratch, there, sizeof *power);
    const int64_t *const value[] = {power};
    if (u->status == GS_OK && (t == NULL || power == NULL))
        u->status = gs_fail_memory(u->err);
    if (u->status != GS_OK || there == 0)
        return u->status;
    unpack_steps(u, t, there);
    unpack_steps(u, power, there);
    bool fits = there <= UINT32_MAX;
    for (size_t i = 0; i < there; i++)
        fits &= power[i] != GS_MISSING && (i == 0 || t[i] > t[i - 1]);
    if (u->status == GS_OK && !fits)
        return gs_unpack_fail(u, "found readings that are in no order");
    const struct gs_gpu_view g = {.n = (uint32_t)there, .t_ns = t, .value = value};
    *n = there;
    *t_ns = t;
    *readings = power;
    if (u->status != GS_OK)
        return u->status;
    return gs_energy_check(&(struct gs_host_view){.to_gpu = 1, .gpu = &g}, u->err);
}

enum gs_status gs_tail_add(struct gs_str packed, int64_t from_ns, int64_t to_ns,
                           struct gs_energy_sum *waste, struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    struct gs_unpacker u = gs_unpack("the readings after a worker's last STOP", packed, err);
    struct gs_waste_gpu w = {.curve = unpack_curve(&u)};
    struct gs_energy_curve *const c = &w.curve;
    size_t n_to;
    w.trains.refused_from = gs_unpack_sorted(&u, &w.trains.n_refused, &scratch);
    w.trains.refused_to = gs_unpack_sorted(&u, &n_to, &scratch);
    if (u.status == GS_OK && n_to != w.trains.n_refused)
        (void)gs_unpack_fail(&u, "found trains without an end");
    GS_TRY(unpack_readings(&u, &scratch, &c->n, &c->t_ns, &c->power));
    GS_TRY(unpack_readings(&u, &scratch, &c->n_renewed, &c->renewed_ns, &c->renewed));
    if (c->n_renewed == 0) {
        c->n_renewed = c->n;
        c->renewed_ns = c->t_ns;
        c->renewed = c->power;
    }
    if (to_ns >= from_ns)
        GS_TRY(gs_waste_add(&w, 0, (const int64_t[]){from_ns, to_ns}, 1, &scratch, waste, err));
    return GS_OK;
}
