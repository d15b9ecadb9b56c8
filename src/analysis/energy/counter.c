/* counter.c - energy counters: resets taken out, looked at between instants. */
#include "analysis/energy/counter.h"

#include <math.h>

#include "base/num/dd.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "base/num/whole.h"
#include "analysis/timeline/counts.h"

/* A walk over the readings that are there, one at each instant. */
struct walk {
    const struct gs_power_series *series;
    size_t next;
    int64_t t_ns, value, before; /* before: GS_MISSING for the first */
};

/*
 * Of several readings at one instant the largest counts: a counter only grows, so it is the
 * latest. The order of equal rows then does not matter.
 */
static bool step(struct walk *w)
{
    const int64_t *const t = w->series->t_ns, *const v = w->series->power;
    while (w->next < w->series->n && v[w->next] == GS_MISSING)
        w->next++;
    if (w->next == w->series->n)
        return false;
    w->before = w->value;
    w->t_ns = t[w->next];
    w->value = v[w->next];
    for (w->next++; w->next < w->series->n && t[w->next] == w->t_ns; w->next++)
        if (v[w->next] != GS_MISSING && v[w->next] > w->value)
            w->value = v[w->next];
    return true;
}

/*
 * Does a column say what each interval took, instead of a sum that grows? It falls about as often as
 * it rises, as no counter does, and what it says over its time is a power that a GPU can draw.
 */
static bool is_of_intervals(const struct gs_power_series *series)
{
    enum { FALLS = 5, STEPS_A_FALL = 3 }; /* at least; at most */
    size_t n_steps = 0, n_falls = 0;
    gs_i128 sum = 0;
    int64_t first_ns = 0;
    struct walk w = {.series = series, .value = GS_MISSING};
    if (step(&w))
        first_ns = w.t_ns;
    while (step(&w)) {
        n_steps += w.value != w.before;
        n_falls += w.value < w.before;
        sum += w.value;
    }
    return n_falls >= FALLS && STEPS_A_FALL * n_falls >= n_steps &&
           sum * GS_NS_PER_S <=
               (gs_i128)gs_known_metrics[GS_POWER].high * gs_span(first_ns, w.t_ns);
}

/* Where a counter of 2^32 units begins anew: in mJ, J and uJ. */
static const gs_i128 full[] = {(gs_i128)4294967296 * 1000, (gs_i128)4294967296 * GS_FIXED_ONE,
                               4294967296};

/*
 * What a fall comes to; *anew: the counter began anew, and the power tells what was used. A fall
 * has three causes. A wrap needs both ends near the limit, within what the GPU can have used; a
 * reset needs a new value that small. Anything else is a counter that stepped back, and keeps its
 * sign, or noise would add energy.
 */
static gs_i128 after_fall(const struct walk *w, gs_i128 room, bool *anew)
{
    *anew = false;
    for (size_t k = 0; k < sizeof full / sizeof *full; k++)
        if (w->value <= room && w->before <= full[k] && full[k] - w->before <= room)
            return w->value + full[k] - w->before;
    *anew = w->value <= room;
    return (gs_i128)w->value - w->before;
}

/*
 * What the GPU can have used between two instants: at twice its largest power. Twice, because the
 * largest reading is a mean over the sensor's window and can lie below the largest power.
 */
static gs_i128 room_of(int64_t most, int64_t from_ns, int64_t to_ns)
{
    const uint64_t ns = (uint64_t)to_ns - (uint64_t)from_ns;
    return 2 * (gs_i128)gs_max(most, 0) * ns / GS_NS_PER_S;
}

/* A walk over the renewals of a counter that has no power beside it; all readings, if they are of intervals. */
struct renewal {
    struct walk walk;
    bool of_intervals;
    int64_t before_ns, before; /* when it was last renewed, and to what */
    size_t row;                /* the first of this instant             */
};

static bool next_renewal(struct renewal *r)
{
    r->before_ns = r->walk.t_ns;
    r->before = r->walk.value;
    do {
        r->row = r->walk.next;
        if (!step(&r->walk))
            return false;
    } while (r->walk.value == r->before && !r->of_intervals);
    while (r->walk.series->power[r->row] == GS_MISSING)
        r->row++;
    return true;
}

static gs_i128 used_in(const struct renewal *r)
{
    return r->of_intervals ? r->walk.value : (gs_i128)r->walk.value - r->before;
}

/* Over a time, in W: too much for any GPU is the largest that fits, which is then out of its bounds. */
static int64_t mean_of(gs_i128 used, uint64_t ns)
{
    const gs_i128 w = used / ns;
    return (int64_t)gs_max(-INT64_MAX, gs_min(INT64_MAX, w));
}

/* What a counter's steps are like. */
struct counted_steps {
    size_t n, n_readings;
    int64_t most; /* W that it rose by */
};

static struct counted_steps steps_of(const struct gs_power_series *counter, struct renewal *first)
{
    struct counted_steps s = {0};
    struct renewal r = {.walk = {.series = counter, .value = GS_MISSING},
                        .of_intervals = is_of_intervals(counter)};
    for (struct walk w = r.walk; step(&w);)
        s.n_readings++;
    (void)next_renewal(&r);
    *first = r;
    while (next_renewal(&r)) {
        const gs_i128 used = used_in(&r) * GS_NS_PER_S;
        s.most = gs_max(s.most, mean_of(used, (uint64_t)r.walk.t_ns - (uint64_t)r.before_ns));
        s.n++;
    }
    return s;
}

/*
 * Of a counter in whole Wh or kWh, or decimals of them, the unit: what all its steps are multiples of. Others are finer than what
 * a GPU takes between two readings.
 */
static int64_t unit_of(const struct gs_power_series *counter)
{
    enum { LEAST_J = 36, GREATEST_J = 3600000 };
    struct walk w = {.series = counter, .value = GS_MISSING};
    uint64_t all = 0;
    if (step(&w))
        while (step(&w))
            all = gs_gcd(gs_span(gs_min(w.value, w.before), gs_max(w.value, w.before)), all);
    for (int64_t j = GREATEST_J; all > 0 && j >= LEAST_J; j /= 10)
        if (all % (uint64_t)(j * GS_FIXED_ONE) == 0)
            return j * GS_FIXED_ONE;
    return 0;
}

bool gs_counter_power(const struct gs_power_series *counter, int64_t *power, int64_t *step_j)
{
    struct renewal r;
    const struct counted_steps steps = steps_of(counter, &r);
    const int64_t highest = gs_known_metrics[GS_POWER].high;
    gs_i128 left = 0; /* what whole microwatts did not take so far */
    size_t n = 0, n_resets = 0;
    for (size_t i = 0; i < counter->n; i++)
        power[i] = GS_MISSING;
    /* One that mostly stays is late by what was used since the reading before, not by all of its unit. */
    *step_j = (int64_t)((gs_i128)unit_of(counter) * (gs_i128)steps.n /
                        (gs_i128)gs_max(steps.n_readings, 1));
    if (steps.n == 0 || steps.most <= 0 || (2 * steps.n < steps.n_readings && !next_renewal(&r)))
        return false;
    for (size_t first = r.row; next_renewal(&r);) {
        gs_i128 used = used_in(&r);
        bool anew = false;
        if (used < 0)
            used = after_fall(&r.walk, room_of(steps.most, r.before_ns, r.walk.t_ns), &anew);
        n_resets += anew;
        if (anew)
            continue;
        const uint64_t ns = (uint64_t)r.walk.t_ns - (uint64_t)r.before_ns;
        left += used * GS_NS_PER_S;
        power[r.row] = mean_of(left, ns);
        left -= (gs_i128)power[r.row] * ns;
        if (power[r.row] > highest || power[r.row] < -highest)
            return false;
        if (n++ == 0)
            power[first] = power[r.row];
    }
    return n > 0 && (n_resets < 2 || 10 * n_resets <= steps.n);
}

/*
 * Integrated power up to an instant of the log's clock, fixed-point J. The walker goes forwards
 * only. Calls must come with ascending instants, which the loop over the counter's readings
 * guarantees.
 */
static gs_i128 integrated(struct gs_energy_walker *power, int64_t t_ns)
{
    const gs_i128 per_one = GS_ENERGY_PER_J / GS_FIXED_ONE;
    return gs_energy_at(power, gs_time_moved(t_ns, -power->curve->sensor.shift_ns)).energy /
           per_one;
}

/* The energy beside a counter, over its own time, with its interval; false: there is none. */
static bool beside(const struct gs_counter *c, const struct gs_energy_curve *power,
                   struct gs_energy_sum *sum, double *half)
{
    const int64_t first = c->t_ns[0], last = c->t_ns[c->n - 1];
    /*
     * A counter and a power reading share the log's clock, so the shift of events is taken out
     * again. Where the counter covers the whole log, its ends are the log's and carry no edge
     * error.
     */
    int64_t t[2] = {GS_LOG_START, GS_LOG_END};
    if (first > power->t_ns[0])
        t[0] = gs_time_moved(first, -power->sensor.shift_ns);
    if (last < power->t_ns[power->n - 1])
        t[1] = gs_time_moved(last, -power->sensor.shift_ns);
    struct gs_energy_point at[2];
    double low, high;
    gs_energy_points(power, t, 2, at);
    /*
     * A counter that starts before the first power reading is no event that sticks out of its log:
     * the interval must not be refused for it.
     */
    at[0].out_ns = at[1].out_ns = 0;
    if (!gs_energy_sum_window(sum, power, &at[0], &at[1]))
        return false;
    gs_energy_sum_end_gpu(sum);
    gs_energy_interval(sum, &low, &high);
    *half = high - gs_energy_j(sum->energy);
    return gs_energy_j(sum->energy) > 0.0;
}

static double seconds(int64_t from_ns, int64_t to_ns)
{
    return ((double)to_ns - (double)from_ns) / (double)GS_NS_PER_S;
}

/* Is it the power of a GPU, whatever it did? */
static bool is_usual(double watts)
{
    const struct gs_metric *const power = &gs_known_metrics[GS_POWER];
    return watts * (double)GS_FIXED_ONE >= (double)power->usual_low &&
           watts * (double)GS_FIXED_ONE <= (double)power->usual_high;
}

static void judge(struct gs_counter *c, const struct gs_energy_curve *power, uint64_t n_steps,
                  gs_i128 largest)
{
    /*
     * Ratios of the units that occur: uJ, mJ, kJ and MJ, Wh and kWh taken for J, and the other way
     * round. A factor of 1.5 on each side keeps them apart and is far from 1.
     */
    static const double units[] = {1e-6, 1e-3, 1e3, 1e6, 1 / 3600.0, 3600.0, 1 / 3.6e6, 3.6e6};
    struct gs_energy_sum sum = {0};
    double half = 0.0;
    const bool has_power = power != NULL && power->n > 1;
    c->ratio = (double)NAN;
    if (c->n < 3 || (has_power && !beside(c, power, &sum, &half)))
        return;
    const double counted = (double)c->used[c->n - 1] / (double)GS_FIXED_ONE,
                 energy = gs_energy_j(sum.energy);
    const bool alone = !has_power || power->sensor.rhythm == GS_RHYTHM_COUNTED;
    if (has_power)
        c->ratio = counted / energy;
    if (n_steps == 0)
        c->doubt = GS_COUNTER_STANDS;
    else if (c->n_resets > 1 && 10 * c->n_resets > (alone ? n_steps : c->n - 1))
        c->doubt = GS_COUNTER_FALLS;
    else if (alone && !is_usual(counted / seconds(c->t_ns[0], c->t_ns[c->n - 1])))
        c->doubt = GS_COUNTER_UNIT;
    if (c->doubt != GS_COUNTER_FITS || alone)
        return;
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (c->ratio > units[k] / 1.5 && c->ratio < units[k] * 1.5)
            c->doubt = GS_COUNTER_UNIT;
    /* A counter that is renewed seldom may lack one of its own steps. */
    if (c->doubt == GS_COUNTER_FITS &&
        fabs(counted - energy) > half + (double)largest / (double)GS_FIXED_ONE)
        c->doubt = GS_COUNTER_DIFFERS;
}

enum gs_status gs_counter_read(const struct gs_power_series *series,
                               const struct gs_energy_curve *power, struct gs_arena *arena,
                               struct gs_counter *counter, struct gs_err *err)
{
    GS_NEW_RAW(int64_t, t, series->n, arena, err);
    GS_NEW_RAW(gs_i128, used, series->n, arena, err);
    const bool known = power != NULL && power->n > 1;
    struct gs_energy_walker drawn = {.curve = power};
    struct gs_counter c = {
        .t_ns = t, .used = used, .of_intervals = is_of_intervals(series), .ratio = (double)NAN};
    uint64_t n_steps = 0;
    gs_i128 largest = 0, sum = 0;
    for (struct walk w = {.series = series, .value = GS_MISSING}; step(&w); c.n++) {
        gs_i128 more = 0;
        if (w.before != GS_MISSING)
            more = c.of_intervals ? w.value : (gs_i128)w.value - w.before;
        n_steps += more != 0;
        t[c.n] = w.t_ns;
        if (more < 0) {
            /*
             * Without a power curve nothing bounds the energy of a step. A fall to less than half
             * is then taken for a reset.
             */
            bool anew = 2 * (gs_i128)w.value < w.before;
            if (known)
                more = after_fall(&w, room_of(power->most, t[c.n - 1], w.t_ns), &anew);
            if (anew && known) {
                const gs_i128 before = integrated(&drawn, t[c.n - 1]);
                more = integrated(&drawn, w.t_ns) - before;
            } else if (anew) {
                more = w.value;
            }
            c.n_resets += anew;
            c.n_back += more < 0;
        }
        largest = gs_max(more, largest);
        sum += more;
        used[c.n] = sum;
    }
    judge(&c, power, n_steps, largest);
    *counter = c;
    return GS_OK;
}

enum gs_status gs_gpu_counter_beside(const struct gs_gpu_view *g, uint32_t metric,
                                     const struct gs_energy_curve *power, struct gs_arena *arena,
                                     struct gs_counter *counter, struct gs_err *err)
{
    const struct gs_gpu_view *const log = gs_gpu_log(g);
    struct gs_energy_curve all = *power;
    all.range = NULL;
    return gs_counter_read(&(struct gs_power_series){log->n, log->t_ns, log->value[metric], NULL},
                           &all, arena, counter, err);
}

enum gs_status gs_gpu_counter(const struct gs_gpu_view *g, uint32_t metric, struct gs_arena *arena,
                              struct gs_counter *counter, struct gs_err *err)
{
    struct gs_energy_curve power;
    GS_TRY(gs_gpu_curve(g, -1, arena, &power, err));
    return gs_gpu_counter_beside(g, metric, &power, arena, counter, err);
}

/*
 * num x part / whole to the nearest, part at most whole. The product num x part can pass 2^127, so
 * quotient and remainder are scaled apart. The sign is taken off first, or C division would round
 * the two signs differently.
 */
static gs_i128 share_of(gs_i128 num, uint64_t part, uint64_t whole)
{
    const gs_u128 size = gs_magnitude_i128(num), rest = size % whole * part;
    const gs_u128 v = size / whole * part + rest / whole + (2 * (rest % whole) >= whole);
    return num < 0 ? -(gs_i128)v : (gs_i128)v;
}

/*
 * Outside of its readings a counter is unknown, not constant. At a reading itself no gap matters.
 */
static bool used_until(const struct gs_counter *c, int64_t t_ns, int64_t max_gap_ns, gs_i128 *used)
{
    if (c->n == 0 || t_ns < c->t_ns[0] || t_ns > c->t_ns[c->n - 1])
        return false;
    size_t hi = gs_min(c->n - 1, 1); /* t[lo] <= t_ns <= t[hi] */
    GS_BISECT(hi, c->n - 1, at, c->t_ns[at] <= t_ns);
    const size_t lo = gs_excess(hi, 1);
    if (t_ns == c->t_ns[lo])
        hi = lo;
    if (t_ns == c->t_ns[hi]) {
        *used = c->used[hi];
        return true;
    }
    const uint64_t width = (uint64_t)c->t_ns[hi] - (uint64_t)c->t_ns[lo];
    if (max_gap_ns >= 0 && width > (uint64_t)max_gap_ns)
        return false;
    *used = c->used[lo] +
            share_of(c->used[hi] - c->used[lo], (uint64_t)t_ns - (uint64_t)c->t_ns[lo], width);
    return true;
}

bool gs_counter_between(const struct gs_counter *c, int64_t from_ns, int64_t to_ns,
                        int64_t max_gap_ns, gs_i128 *used)
{
    gs_i128 from, to;
    if (!used_until(c, from_ns, max_gap_ns, &from) || !used_until(c, to_ns, max_gap_ns, &to))
        return false;
    *used = to - from;
    return true;
}

enum gs_status gs_pair_counters_add(const struct gs_host_view *h, uint32_t k,
                                    const struct gs_gpu_view *g, const struct gs_join_options *o,
                                    struct gs_arena *scratch, struct gs_pair_counted *counted,
                                    struct gs_err *err)
{
    GS_REWINDS(scratch);
    struct gs_counter counter;
    GS_TRY(gs_gpu_counter(g, h->counter, scratch, &counter, err));
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        const struct gs_pair *const pair = &h->pair[p];
        gs_i128 one;
        if (!gs_pair_uses(h, pair, k))
            continue;
        if (gs_counter_between(&counter, pair->start_ns, pair->stop_ns, o->max_gap_ns, &one))
            counted[p].used += one;
        else
            /*
             * One GPU without a value makes the whole pair unknown. The sum over the other GPUs
             * would look like a smaller energy of all.
             */
            counted[p].left_out = true;
        counted[p].alone |= g->counted;
    }
    return GS_OK;
}

void gs_pair_counters_end(const struct gs_host_view *h, const struct gs_pair_counted *counted,
                          struct gs_joined *joined)
{
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        const struct gs_pair *const pair = &h->pair[p];
        const struct gs_joined *const j = &joined[p];
        uint32_t first;
        const uint32_t n_used = gs_pair_n_used(h, pair, &first);
        if (counted[p].left_out || n_used == 0)
            continue;
        const gs_i128 window_ns = (gs_i128)gs_pair_ns(pair) * n_used;
        gs_counted_add(&joined[p].counted, counted[p].used, j->used.energy,
                       j->used.n_refused == 0 && !counted[p].alone ? j->used.covered_ns : 0,
                       window_ns);
    }
}

void gs_counted_add(struct gs_counted *sum, gs_i128 used, gs_i128 energy, gs_i128 covered_ns,
                    gs_i128 window_ns)
{
    sum->n++;
    sum->used += used;
    /*
     * Counter and integral are compared only over pairs whose power is known for 99 % of the time.
     * Otherwise the difference would measure the gaps of the log.
     */
    if (covered_ns <= 0 || 100 * covered_ns < 99 * window_ns)
        return;
    sum->n_beside++;
    sum->used_beside += used;
    sum->energy_beside += energy;
}

void gs_counted_add_log(struct gs_counted *sum, const struct gs_counter *c,
                        const struct gs_energy_curve *curve, const struct gs_energy_sum *used)
{
    gs_i128 counted;
    if (c->n < 2)
        return;
    const int64_t from = gs_range_held(curve->range, c->t_ns[0]),
                  to = gs_range_held(curve->range, c->t_ns[c->n - 1]);
    if (!gs_counter_between(c, from, to, -1, &counted))
        return;
    const bool same = curve->n > 0 && curve->sensor.rhythm != GS_RHYTHM_COUNTED &&
                      c->t_ns[0] == curve->t_ns[0] &&
                      c->t_ns[c->n - 1] == curve->t_ns[curve->n - 1];
    gs_counted_add(sum, counted, used->energy, same ? used->covered_ns : 0, (gs_i128)to - from);
}

void gs_counted_merge(struct gs_counted *sum, const struct gs_counted *other)
{
    sum->n += other->n;
    sum->n_beside += other->n_beside;
    sum->used += other->used;
    sum->used_beside += other->used_beside;
    sum->energy_beside += other->energy_beside;
}

double gs_counted_j(const struct gs_counted *sum)
{
    if (sum->n == 0)
        return (double)NAN;
    return gs_ratio(sum->used, GS_FIXED_ONE);
}

double gs_counted_difference_pct(const struct gs_counted *sum)
{
    if (sum->n_beside == 0 || sum->energy_beside <= 0)
        return (double)NAN;
    const struct gs_dd energy = gs_dd_ratio(sum->energy_beside, GS_ENERGY_PER_J);
    const struct gs_dd more = gs_dd_sub(gs_dd_ratio(sum->used_beside, GS_FIXED_ONE), energy);
    return 100.0 * gs_dd_to_double(gs_dd_div(more, energy));
}
