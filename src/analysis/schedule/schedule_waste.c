/* schedule_waste.c - what GPUs drew while their worker had no task: in gaps, and after its last one. */
#include "analysis/schedule/schedule_sums.h"

#include <math.h>

#include "base/num/whole.h"
#include "stats/exact/quantile.h"
#include "analysis/timeline/counts.h"
#include "analysis/timeline/pair_energy.h"
#include "analysis/timeline/pair_burst.h"

struct gs_waste_gpu {
    struct gs_sensor sensor;
    struct gs_pair_bursts trains;
};

enum gs_status gs_waste_prepare(const struct gs_host_view *h, struct gs_arena *scratch,
                                struct gs_waste_gpu **gpus, struct gs_err *err)
{
    struct gs_waste_gpu *const made = gs_arena_take(scratch, h->n_gpus, sizeof *made);
    enum gs_status s = made == NULL ? gs_fail_memory(err) : gs_energy_check(h, err);
    for (uint32_t g = 0; s == GS_OK && g < h->n_gpus; g++)
        if (h->gpu[g].n > 0)
            s = gs_pair_bursts_find(h, g, &h->gpu[g], scratch, &made[g].sensor, &made[g].trains,
                                    err);
    *gpus = made;
    return s;
}

static enum gs_status add_gpu(const struct gs_gpu_view *g, const struct gs_waste_gpu *w,
                              const int64_t *t, size_t n, struct gs_arena *scratch,
                              struct gs_waste *waste, struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    struct gs_energy_point *const at = gs_arena_take_raw(scratch, 2 * n, sizeof *at);
    const enum gs_status s =
        at == NULL ? gs_fail_memory(err)
                   : gs_energy_points(g, &w->sensor, -1, t, (uint32_t)(2 * n), scratch, at, err);
    for (size_t i = 0; s == GS_OK && i < 2 * n; i += 2) {
        const struct gs_energy *const from = &at[i].used, *const to = &at[i + 1].used;
        const gs_i128 energy = to->energy - from->energy;
        if (to->covered_ns == from->covered_ns)
            continue;
        waste->energy += energy;
        waste->covered_ns += to->covered_ns - from->covered_ns;
        gs_energy_error_add(&waste->error, &w->sensor, energy,
                            (int64_t)(to->covered_ns - from->covered_ns), &at[i].edge,
                            &at[i + 1].edge);
        gs_energy_error_smear(&waste->error, &w->sensor,
                              (int64_t)(to->covered_ns - from->covered_ns), &at[i].edge,
                              &at[i + 1].edge);
        waste->error.n_refused += gs_pair_bursts_refused(&w->trains, t[i], t[i + 1]);
    }
    gs_arena_rewind(scratch, mark);
    return s;
}

enum gs_status gs_waste_add(const struct gs_host_view *h, const struct gs_waste_gpu *gpus,
                            const struct gs_pair *run, const int64_t *t, size_t n,
                            struct gs_arena *scratch, struct gs_waste *waste, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    for (uint32_t g = 0; s == GS_OK && n > 0 && g < h->n_gpus; g++)
        if (h->gpu[g].n > 0 && gs_pair_uses(h, run, g))
            s = add_gpu(&h->gpu[g], &gpus[g], t, n, scratch, waste, err);
    return s;
}

void gs_waste_merge(struct gs_waste *w, const struct gs_waste *other)
{
    w->energy += other->energy;
    w->covered_ns += other->covered_ns;
    gs_energy_error_merge(&w->error, &other->error);
}

/* --- the tail ----------------------------------------------------------------------------------------- */

/* Where a sensor's whole numbers stand, in the order of their bytes. */
static int64_t *number_of(struct gs_sensor *s, size_t i)
{
    int64_t *const number[] = {&s->interval_ns, &s->period_ns, &s->window_ns,
                               &s->shift_ns,    &s->reach_ns,  &s->offset_uw};
    return i < sizeof number / sizeof *number ? number[i] : NULL;
}

static void pack_sensor(struct gs_buf *b, const struct gs_sensor *sensor)
{
    struct gs_sensor s = *sensor;
    for (size_t i = 0; number_of(&s, i) != NULL; i++)
        gs_pack_i64(b, *number_of(&s, i));
    gs_pack_i64(b, s.gain_ppm);
    gs_pack_real(b, s.gain);
    gs_pack_real(b, s.offset_w);
}

/* What gs_sensor_find may give, and no sum of it overflows. */
static struct gs_sensor unpack_sensor(struct gs_unpacker *u)
{
    struct gs_sensor s = {0};
    bool fits = true;
    for (size_t i = 0; number_of(&s, i) != NULL; i++) {
        *number_of(&s, i) = gs_unpack_i64(u);
        fits &= *number_of(&s, i) >= 0;
    }
    const int64_t ppm = gs_unpack_i64(u), most = GS_FIXED_ONE;
    s.gain_ppm = ppm >= 0 && ppm <= most ? (int32_t)ppm : 0;
    s.gain = gs_unpack_real(u);
    s.offset_w = gs_unpack_real(u);
    fits &= ppm == s.gain_ppm && s.offset_uw <= most * most && s.gain >= 0.1 && s.gain <= 10.0 &&
            fabs(s.offset_w) <= 1000.0;
    if (!fits && u->status == GS_OK)
        (void)gs_unpack_fail(u, "found what no sensor is like");
    return s;
}

/* The trains that reach behind `from_ns`: of those that end before it all have begun before it, so any are left out. */
static void pack_refused(struct gs_buf *b, const struct gs_pair_bursts *t, int64_t from_ns)
{
    const size_t over =
        t->n_refused == 0 ? 0 : gs_count_below(t->refused_to, t->n_refused, from_ns);
    gs_pack_sorted(b, over == t->n_refused ? NULL : t->refused_from + over, t->n_refused - over);
    gs_pack_sorted(b, over == t->n_refused ? NULL : t->refused_to + over, t->n_refused - over);
}

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
        unit = gs_gcd(unit, step < 0 ? 0 - (uint64_t)step : (uint64_t)step);
    }
    unit = unit == 0 || unit > INT64_MAX ? 1 : unit;
    gs_pack_i64(b, v[0]);
    gs_pack_count(b, unit);
    for (size_t i = 1; i < n; i++)
        gs_pack_count(b, folded((int64_t)((uint64_t)v[i] - (uint64_t)v[i - 1]) / (int64_t)unit));
}

static void unpack_steps(struct gs_unpacker *u, int64_t *v, size_t n)
{
    v[0] = gs_unpack_i64(u);
    const uint64_t unit = gs_unpack_count(u);
    for (size_t i = 1; i < n; i++)
        v[i] = (int64_t)((uint64_t)v[i - 1] + (uint64_t)unfolded(gs_unpack_count(u)) * unit);
}

/* The first sample that an edge at an instant looks at: within its reach, or the last with a power before it. */
static uint32_t first_needed(const struct gs_gpu_view *g, const struct gs_sensor *s,
                             int64_t from_ns)
{
    int64_t at, least;
    if (__builtin_add_overflow(from_ns, s->shift_ns, &at))
        at = INT64_MAX;
    if (__builtin_sub_overflow(at, s->reach_ns, &least))
        least = INT64_MIN;
    uint32_t first = (uint32_t)gs_count_below(g->t_ns, g->n, least),
             last = (uint32_t)gs_count_below(g->t_ns, g->n, at);
    while (last > 0 && g->value[g->drawn][last - 1] == GS_MISSING)
        last--;
    first = last > 0 && last - 1 < first ? last - 1 : first;
    while (first > 0 && first < g->n && g->t_ns[first - 1] == g->t_ns[first])
        first--;
    return first;
}

enum gs_status gs_tail_keep(const struct gs_host_view *h, const struct gs_waste_gpu *gpus,
                            uint32_t gpu, int64_t from_ns, struct gs_arena *arena,
                            struct gs_arena *scratch, struct gs_str *packed, struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    const struct gs_gpu_view *const g = &h->gpu[gpu];
    const struct gs_waste_gpu *const w = &gpus[gpu];
    int64_t *const t = gs_arena_take_raw(scratch, g->n, sizeof *t);
    int64_t *const power = gs_arena_take_raw(scratch, g->n, sizeof *power);
    struct gs_buf b = {.arena = scratch};
    size_t n = 0;
    *packed = (struct gs_str){0};
    if (t == NULL || power == NULL)
        return gs_fail_memory(err);
    for (uint32_t i = first_needed(g, &w->sensor, from_ns); i < g->n; i++) {
        if (g->value[g->drawn][i] == GS_MISSING)
            continue;
        t[n] = g->t_ns[i];
        power[n++] = g->value[g->drawn][i];
    }
    if (n > 0) {
        pack_sensor(&b, &w->sensor);
        gs_pack_i64(&b, g->max_gap_ns);
        pack_refused(&b, &w->trains, from_ns);
        gs_pack_count(&b, n);
        pack_steps(&b, t, n);
        pack_steps(&b, power, n);
        *packed = (struct gs_str){b.failed ? NULL : gs_arena_copy(arena, b.ptr, b.len), b.len};
    }
    const bool had = n == 0 || packed->ptr != NULL;
    gs_arena_rewind(scratch, mark);
    return had ? GS_OK : gs_fail_memory(err);
}

/* Readings of a state: in order, there, and as few as can be added up. */
static enum gs_status check_readings(const struct gs_gpu_view *g, struct gs_unpacker *u)
{
    bool fits = g->max_gap_ns >= 0;
    for (uint32_t i = 0; i < g->n; i++)
        fits &= g->value[0][i] != GS_MISSING && (i == 0 || g->t_ns[i] >= g->t_ns[i - 1]);
    if (u->status == GS_OK && !fits)
        return gs_unpack_fail(u, "found readings that are in no order");
    return u->status == GS_OK
               ? gs_energy_check(&(struct gs_host_view){.n_gpus = 1, .gpu = g}, u->err)
               : u->status;
}

enum gs_status gs_tail_add(struct gs_str packed, int64_t from_ns, int64_t to_ns,
                           struct gs_waste *waste, struct gs_err *err)
{
    struct gs_arena scratch = {0};
    struct gs_unpacker u = gs_unpack("the readings after a worker's last STOP", packed, err);
    struct gs_waste_gpu w = {.sensor = unpack_sensor(&u)};
    struct gs_gpu_view g = {.max_gap_ns = gs_unpack_i64(&u)};
    size_t n_to;
    w.trains.refused_from = gs_unpack_sorted(&u, &w.trains.n_refused, &scratch);
    w.trains.refused_to = gs_unpack_sorted(&u, &n_to, &scratch);
    if (u.status == GS_OK && n_to != w.trains.n_refused)
        (void)gs_unpack_fail(&u, "found trains without an end");
    const size_t n = gs_unpack_length(&u, 1);
    int64_t *const t = gs_arena_take_raw(&scratch, n, sizeof *t);
    int64_t *const power = gs_arena_take_raw(&scratch, n, sizeof *power);
    const int64_t *const value[] = {power};
    enum gs_status s = u.status;
    if (s == GS_OK && (t == NULL || power == NULL))
        s = gs_fail_memory(err);
    if (s == GS_OK && n > 0 && n <= UINT32_MAX && to_ns >= from_ns) {
        unpack_steps(&u, t, n);
        unpack_steps(&u, power, n);
        g.n = (uint32_t)n;
        g.t_ns = t;
        g.value = value;
        s = check_readings(&g, &u);
        if (s == GS_OK)
            s = add_gpu(&g, &w, (const int64_t[]){from_ns, to_ns}, 1, &scratch, waste, err);
    }
    gs_arena_release(&scratch);
    return s;
}
