/* sensor.c - the doubt about an energy: edges, renewals, scale and zero, in whole numbers. */
#include "analysis/sensor/sensor.h"

#include <math.h>

#include "base/num/timestamp.h"
#include "base/num/dd.h"

/* Standard errors are held below this, 1.4e8 J: their squares then add up over 2^33 edges. */
static const double apart_max_uj = 0x1p47;

enum { FEW = 8 }; /* sampling intervals within reach */

static int64_t later(int64_t t_ns, int64_t by_ns)
{
    int64_t v;
    if (__builtin_add_overflow(t_ns, by_ns, &v))
        return by_ns < 0 ? INT64_MIN + 1 : INT64_MAX;
    return v;
}

static gs_u128 squared(double uj)
{
    const double size = fabs(uj), v = size > apart_max_uj ? apart_max_uj : size;
    const double square = v * v;
    return square < 0x1p52 ? (gs_u128)(uint64_t)(square + 0.5)
                           : (gs_u128)square; /* the usual way is much cheaper */
}

gs_i128 gs_sensor_scale(const struct gs_sensor *s, gs_i128 energy, gs_i128 covered_ns)
{
    if (s->gain == 1.0 && s->offset_w == 0.0)
        return energy;
    const struct gs_dd per_ns =
        gs_dd_of(s->offset_w * ((double)GS_ENERGY_PER_J / (double)GS_NS_PER_S));
    struct gs_dd e = gs_dd_sub(gs_dd_of_int(energy), gs_dd_mul(per_ns, gs_dd_of_int(covered_ns)));
    e = gs_dd_div(e, gs_dd_of(s->gain));
    return fabs(e.hi) < 0x1p126 ? (gs_i128)e.hi + (gs_i128)nearbyint(e.lo) : energy;
}

/* The readings within reach of a moving instant: their extremes stand at the heads of two queues. */
struct extremes {
    const struct gs_power_series *series;
    uint32_t *up,
        *down; /* places of readings: falling values for the maximum, rising for the minimum */
    size_t up_head, up_tail, down_head, down_tail;
    size_t next; /* the first reading not taken in yet */
};

/* Readings before an instant are in no reach to come: those not taken in yet are passed over. */
static void pass_over(struct extremes *x, int64_t from_ns)
{
    const struct gs_power_series *const s = x->series;
    if (x->next == s->n || s->t_ns[x->next] >= from_ns)
        return;
    size_t first = x->next + 1, behind = s->n;
    while (first < behind) {
        const size_t middle = first + (behind - first) / 2;
        if (s->t_ns[middle] < from_ns)
            first = middle + 1;
        else
            behind = middle;
    }
    x->next = first;
}

static void collect_in(struct extremes *x, int64_t from_ns, int64_t until_ns)
{
    const int64_t *const p = x->series->power;
    pass_over(x, from_ns);
    for (; x->next < x->series->n && x->series->t_ns[x->next] <= until_ns; x->next++) {
        const int64_t v = p[x->next];
        if (v == GS_MISSING)
            continue;
        while (x->up_tail > x->up_head && p[x->up[x->up_tail - 1]] <= v)
            x->up_tail--;
        x->up[x->up_tail++] = (uint32_t)x->next;
        while (x->down_tail > x->down_head && p[x->down[x->down_tail - 1]] >= v)
            x->down_tail--;
        x->down[x->down_tail++] = (uint32_t)x->next;
    }
}

static uint64_t range_from(struct extremes *x, int64_t from_ns)
{
    const int64_t *const t = x->series->t_ns, *const p = x->series->power;
    while (x->up_head < x->up_tail && t[x->up[x->up_head]] < from_ns)
        x->up_head++;
    while (x->down_head < x->down_tail && t[x->down[x->down_head]] < from_ns)
        x->down_head++;
    if (x->up_head == x->up_tail)
        return 0;
    return (uint64_t)p[x->up[x->up_head]] - (uint64_t)p[x->down[x->down_head]];
}

/* The same where only a few readings are within reach: they are looked at one by one. `first` moves forward.
 */
static uint64_t range_among(const struct gs_power_series *s, size_t *first, int64_t from_ns,
                            int64_t until_ns)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    while (*first < s->n && s->t_ns[*first] < from_ns)
        (*first)++;
    for (size_t i = *first; i < s->n && s->t_ns[i] <= until_ns; i++) {
        const int64_t v = s->power[i];
        if (v == GS_MISSING)
            continue;
        least = v < least ? v : least;
        most = v > most ? v : most;
    }
    return most < least ? 0 : (uint64_t)most - (uint64_t)least;
}

/* The last reading up to an instant, else the first; `at` moves forward with it. */
static int64_t reading_until(const struct gs_power_series *s, size_t *at, int64_t *reading,
                             int64_t until_ns)
{
    for (; *at < s->n && (s->t_ns[*at] <= until_ns || *reading == GS_MISSING); (*at)++)
        if (s->power[*at] != GS_MISSING)
            *reading = s->power[*at];
    return *reading == GS_MISSING ? 0 : *reading;
}

/* What a renewal hides: the sensor looks away for period - window, and the power may have changed in it. */
static double hidden_ns(const struct gs_sensor *s)
{
    const int64_t period = s->period_ns > s->interval_ns ? s->period_ns : s->interval_ns;
    return period > s->window_ns ? (double)(period - s->window_ns) : 0.0;
}

enum gs_status gs_sensor_edges(const struct gs_power_series *series, const struct gs_sensor *s,
                               const int64_t *t, size_t n, struct gs_arena *scratch,
                               struct gs_sensor_edge *edge, struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    struct extremes x = {.series = series};
    const bool few = s->interval_ns > 0 && s->reach_ns / FEW < s->interval_ns;
    x.up = gs_arena_take_raw(scratch, few ? 0 : series->n, sizeof *x.up);
    x.down = gs_arena_take_raw(scratch, few ? 0 : series->n, sizeof *x.down);
    if (x.up == NULL || x.down == NULL || series->n > UINT32_MAX) {
        gs_arena_rewind(scratch, mark);
        return gs_fail_memory(err);
    }
    const double per_uw = hidden_ns(s) / (double)GS_NS_PER_S / s->gain / sqrt(12.0);
    gs_u128 renewals = 0;
    int64_t last = GS_MISSING;
    size_t r = 0, first = 0, passed[3] = {0};
    int64_t reading[3] = {GS_MISSING, GS_MISSING, GS_MISSING};
    for (size_t k = 0; k < n; k++) {
        if (k > 0 && t[k] == t[k - 1]) {
            edge[k] = edge[k - 1];
            continue;
        }
        const int64_t at = later(t[k], s->shift_ns);
        const int64_t from = later(at, -s->reach_ns), until = later(at, s->reach_ns);
        if (few) {
            edge[k].range_uw = range_among(series, &first, from, until);
        } else {
            collect_in(&x, from, until);
            edge[k].range_uw = range_from(&x, from);
        }
        for (; r < series->n && series->t_ns[r] <= at; r++) {
            if (series->power[r] == GS_MISSING)
                continue;
            if (last != GS_MISSING && last != series->power[r] && per_uw > 0.0)
                renewals += squared(((double)series->power[r] - (double)last) * per_uw);
            last = series->power[r];
        }
        edge[k].renewals_uj2 = renewals;
        edge[k].before_uw = edge[k].level_uw = edge[k].after_uw = 0;
        if (s->shift_ns == 0)
            continue;
        edge[k].before_uw = reading_until(series, &passed[0], &reading[0], from);
        edge[k].level_uw = reading_until(series, &passed[1], &reading[1], at);
        edge[k].after_uw = reading_until(series, &passed[2], &reading[2], until);
    }
    gs_arena_rewind(scratch, mark);
    return GS_OK;
}

void gs_energy_error_add(struct gs_energy_error *e, const struct gs_sensor *s, gs_i128 energy,
                         int64_t length_ns, const struct gs_sensor_edge *start,
                         const struct gs_sensor_edge *stop)
{
    const gs_i128 size = energy < 0 ? -energy : energy, one = GS_FIXED_ONE;
    const double per_uw = (double)s->reach_ns / (double)GS_NS_PER_S / s->gain / 4.0;
    e->scale += size / one * s->gain_ppm + size % one * s->gain_ppm / one;
    e->zero += length_ns > 0 ? (gs_i128)s->offset_uw * 2 * length_ns : 0;
    e->apart_uj2 += (gs_i128)(squared((double)start->range_uw * per_uw) +
                              squared((double)stop->range_uw * per_uw));
    e->apart_uj2 += (gs_i128)(stop->renewals_uj2 - start->renewals_uj2);
}

void gs_energy_error_smear(struct gs_energy_error *e, const struct gs_sensor *s, int64_t length_ns,
                           const struct gs_sensor_edge *start, const struct gs_sensor_edge *stop)
{
    if (s->shift_ns == 0 || length_ns <= 0)
        return;
    /*
     * Through a running mean over the reach K a step D leaves D K / 8 on the other side of each edge. A burst shorter than
     * K stands K - L too long at h = D L / K: between both lies K - 3/4 L for the two edges. Half of that is taken as the
     * standard error.
     */
    const bool inside = length_ns >= s->reach_ns;
    const double reach_s = (double)s->reach_ns / (double)GS_NS_PER_S;
    const double length_s = inside ? reach_s : (double)length_ns / (double)GS_NS_PER_S;
    const double middle = ((double)start->level_uw + (double)stop->level_uw) / 2.0;
    const double rise = (inside ? (double)start->after_uw : middle) - (double)start->before_uw;
    const double fall = (inside ? (double)stop->before_uw : middle) - (double)stop->after_uw;
    const double sd_uj = (rise + fall) / 2.0 * (reach_s - 0.75 * length_s) / 2.0 / s->gain;
    if (!(fabs(sd_uj) < apart_max_uj))
        return;
    gs_energy_error_misplaced(e, sd_uj * 1e-6);
    if (inside)
        e->apart_uj2 -= (gs_i128)squared(sd_uj);
}

void gs_energy_error_apart(struct gs_energy_error *e, double sd_j)
{
    e->apart_uj2 += (gs_i128)squared(sd_j * 1e6);
}

void gs_energy_error_merge(struct gs_energy_error *e, const struct gs_energy_error *other)
{
    e->scale += other->scale;
    e->zero += other->zero;
    e->misplaced += other->misplaced;
    e->apart_uj2 += other->apart_uj2;
    e->n_refused += other->n_refused;
}

static double joule(gs_i128 energy)
{
    return gs_dd_to_double(gs_dd_ratio(energy, GS_ENERGY_PER_J));
}

void gs_energy_error_misplaced(struct gs_energy_error *e, double sd_j)
{
    e->misplaced +=
        fabs(sd_j) < apart_max_uj * 1e-6 ? (gs_i128)(sd_j * (double)GS_ENERGY_PER_J) : 0;
}

void gs_energy_refused_note(size_t n, size_t n_rows, struct gs_notes *notes)
{
    if (n > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "the energies of %zu of %zu rows have no interval: a power sensor sees only part "
                "of events that repeat "
                "about as fast as it reads",
                n, n_rows);
}

void gs_energy_interval(const struct gs_energy_error *e, gs_i128 energy, double *low_j,
                        double *high_j)
{
    *low_j = *high_j = (double)NAN;
    if (e->n_refused > 0)
        return;
    const double value = joule(energy), scale = joule(e->scale), zero = joule(e->zero),
                 misplaced = joule(e->misplaced);
    const double half = 2.0 * sqrt(scale * scale + zero * zero + misplaced * misplaced +
                                   (double)e->apart_uj2 * 1e-12);
    *low_j = value >= 0.0 && value - half < 0.0 ? 0.0 : value - half;
    *high_j = value + half;
}
