/* energy.c - the cumulative energy curve of a GPU, walked in whole numbers. */
#include "analysis/timeline/energy.h"

#include "base/num/dd.h"
#include "analysis/timeline/counts.h"
#include "base/num/timestamp.h"

static uint64_t distance(int64_t from, int64_t to)
{
    return (uint64_t)to - (uint64_t)from;
}

static uint64_t magnitude(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/*
 * Twice the area from the left end to x: x * (2 * p1 + (p2 - p1) * x / width). (p2 - p1) * x * x can pass 2^127,
 * so it is divided by width in two steps; the product of the second is below 2^128 because both factors are
 * below 2^64.
 */
static gs_i128 area_to(int64_t p1, int64_t p2, uint64_t width, uint64_t x)
{
    const gs_i128 slope = (gs_i128)p2 - p1;
    const gs_u128 rise = (gs_u128)(slope < 0 ? -slope : slope) * x;
    gs_u128 bent;
    uint64_t left;
    if (rise >> 64 == 0 && width >> 32 == 0) { /* x is at most width: all the steps fit 64 bits */
        const uint64_t whole = (uint64_t)rise / width, rest = (uint64_t)rise % width * x;
        bent = (gs_u128)whole * x + rest / width;
        left = rest % width;
    } else {
        const gs_u128 rest = rise % width * x;
        bent = rise / width * x + rest / width;
        left = (uint64_t)(rest % width);
    }
    /* Ties upwards: a half is rounded away from zero on a rising segment, towards it on a falling one. */
    if (slope < 0 ? left > width - left : left >= width - left)
        bent += left != 0;
    return 2 * (gs_i128)p1 * x + (slope < 0 ? -(gs_i128)bent : (gs_i128)bent);
}

/* Twice the area of a whole segment, whose width is no longer than the longest gap. */
static gs_i128 area_of(int64_t p1, int64_t p2, uint64_t width)
{
    int64_t sum;
    if (__builtin_add_overflow(p1, p2, &sum))
        return ((gs_i128)p1 + p2) * width;
    return (gs_i128)sum * (int64_t)width; /* one multiplication */
}

/* The first instant with a power from sample `from` on, which is the first of its instant; n: there is none. */
static inline uint32_t inspect(const struct gs_gpu_view *g, uint32_t from, uint32_t *after,
                               int64_t *power)
{
    const int64_t *const t = g->t_ns, *const value = g->value[g->drawn];
    for (uint32_t i = from; i < g->n; i = *after) {
        *after = i + 1;
        *power = value[i];
        if (i + 1 < g->n && t[i + 1] == t[i]) {
            while (*after < g->n && t[*after] == t[i])
                ++*after;
            *power = gs_reading_of_several(g, g->drawn, i);
        }
        if (*power != GS_MISSING)
            return i;
    }
    return g->n;
}

struct gs_energy_walker gs_energy_walk(const struct gs_gpu_view *gpu, int64_t max_gap_ns)
{
    struct gs_energy_walker w = {
        .gpu = gpu, .max_gap_ns = (uint64_t)(max_gap_ns < 0 ? gpu->max_gap_ns : max_gap_ns)};
    if (gpu->sensor.gain > 0.0 &&
        (gpu->sensor.shift_ns != 0 || gpu->sensor.scale_from != GS_SENSOR_UNKNOWN))
        w.sensor = &gpu->sensor;
    w.next = inspect(gpu, 0, &w.after, &w.next_power);
    return w;
}

/* Passes the instants up to t_ns: every analysis of energy comes by here with every sample. */
static void pass_until(struct gs_energy_walker *w, int64_t t_ns)
{
    const struct gs_gpu_view *const g = w->gpu;
    const int64_t *const t = g->t_ns;
    struct gs_energy passed = w->passed;
    uint32_t next = w->next, after = w->after;
    int64_t last = w->t_ns, power = w->power, next_power = w->next_power;
    if (next == g->n || t[next] > t_ns)
        return;
    if (!w->begun) {
        w->begun = true;
        w->first_ns = last = t[next];
        power = next_power;
        next = inspect(g, after, &after, &next_power);
    }
    while (next < g->n && t[next] <= t_ns) {
        const uint64_t width = distance(last, t[next]);
        if (width <= w->max_gap_ns) {
            passed.energy += area_of(power, next_power, width);
            passed.covered_ns += width;
        }
        last = t[next];
        power = next_power;
        next = inspect(g, after, &after, &next_power);
    }
    passed.span_ns = distance(w->first_ns, last);
    w->passed = passed;
    w->next = next;
    w->after = after;
    w->t_ns = last;
    w->power = power;
    w->next_power = next_power;
}

static struct gs_energy reading_at(struct gs_energy_walker *w, int64_t t_ns)
{
    pass_until(w, t_ns);
    struct gs_energy e = w->passed;
    if (!w->begun || w->next == w->gpu->n)
        return e;
    const uint64_t width = distance(w->t_ns, w->gpu->t_ns[w->next]), x = distance(w->t_ns, t_ns);
    e.span_ns += x;
    if (width > w->max_gap_ns || x == 0)
        return e;
    e.energy += area_to(w->power, w->next_power, width, x);
    e.covered_ns += x;
    return e;
}

struct gs_energy gs_energy_at(struct gs_energy_walker *w, int64_t t_ns)
{
    if (w->sensor == NULL)
        return reading_at(w, t_ns);
    int64_t later;
    if (__builtin_add_overflow(t_ns, w->sensor->shift_ns, &later))
        later = INT64_MAX;
    struct gs_energy e = reading_at(w, later);
    e.energy = gs_sensor_scale(w->sensor, e.energy, (gs_i128)e.covered_ns);
    return e;
}

void gs_energy_curve(const struct gs_gpu_view *gpu, int64_t max_gap_ns, const int64_t *t,
                     uint32_t n, struct gs_energy *at)
{
    struct gs_energy_walker w = gs_energy_walk(gpu, max_gap_ns);
    for (uint32_t i = 0; i < n; i++)
        at[i] = i > 0 && t[i] == t[i - 1] ? at[i - 1] : gs_energy_at(&w, t[i]);
}

double gs_energy_j(gs_i128 energy)
{
    return gs_dd_to_double(gs_dd_ratio(energy, GS_ENERGY_PER_J));
}

/* The largest reading in magnitude; GS_NONE where there is none. */
static uint32_t largest(const struct gs_gpu_view *g, uint64_t *size)
{
    uint32_t at = GS_NONE;
    *size = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const int64_t p = g->value[g->drawn][i];
        if (p != GS_MISSING && (at == GS_NONE || magnitude(p) > *size)) {
            *size = magnitude(p);
            at = i;
        }
    }
    return at;
}

enum gs_status gs_energy_check_gpu(const struct gs_gpu_view *g, gs_u128 *total, struct gs_err *err)
{
    const gs_u128 max = (gs_u128)GS_ENERGY_HOST_MAX;
    uint64_t size;
    const uint32_t at = largest(g, &size);
    if (at == GS_NONE)
        return GS_OK;
    const uint64_t span = distance(g->t_ns[0], g->t_ns[g->n - 1]);
    /* Twice the largest reading all the time; what even the half of it cannot hold is beyond any doubt. */
    const gs_u128 half = (gs_u128)size * span;
    *total += half > max ? max : 2 * half;
    if (*total < max)
        return GS_OK;
    char when[GS_TIME_TEXT_MAX];
    (void)gs_time_format(when, g->t_ns[at]);
    return gs_fail(
        err, GS_ERR_DATA,
        "power_w: %lld W at %s: too much to add up; a host's largest reading times the time of "
        "its samples must be below 19,800,000,000,000 J",
        (long long)(g->value[g->drawn][at] / GS_FIXED_ONE), when);
}

enum gs_status gs_energy_check(const struct gs_host_view *host, struct gs_err *err)
{
    gs_u128 total = 0;
    enum gs_status s = GS_OK;
    for (uint32_t k = 0; s == GS_OK && k < host->n_gpus; k++)
        s = gs_energy_check_gpu(&host->gpu[k], &total, err);
    return s;
}

enum gs_status gs_gpu_sensor(const struct gs_gpu_view *g, struct gs_arena *scratch,
                             struct gs_sensor *sensor, struct gs_err *err)
{
    const struct gs_power_series series = {g->n, g->t_ns, g->value[g->drawn]};
    if (g->sensor.gain > 0.0) {
        *sensor = g->sensor;
        return GS_OK;
    }
    return gs_sensor_find(&series, &(struct gs_sensor_hint){0}, scratch, sensor, err);
}
