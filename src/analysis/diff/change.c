/* change.c - one number per unit, then Student's t: spans of one GPU are not independent, GPUs nearly are. */
#include "analysis/diff/change.h"

#include <math.h>
#include <string.h>

#include "base/num/ddmath.h"
#include "base/num/order.h"
#include "stats/descriptive/quantile.h"
#include "stats/descriptive/special.h"

enum { UNITS_MIN = 4, RUNS_MIN = 3, BLOCKS_MAX = 10, SPANS_PER_BLOCK = 10, ROUNDS = 12 };

static const double level = 0.05, most_share = 0.9, clip_at = 4.0;

/*
 * The natural logarithm to about one unit in the last place. libm's may differ between machines, and a result must not:
 * here every operation is one that IEEE 754 rounds in one way only.
 */
static double ln(double x)
{
    enum { TERMS = 12 }; /* of z^k / (2k + 1): z is below 0.03, so that 12 are enough */
    int e;
    double m = frexp(x, &e), sum = 0.0;
    if (m < 0.70710678118654752440) {
        m *= 2.0;
        e--;
    }
    const double s = (m - 1.0) / (m + 1.0), z = s * s;
    for (int k = TERMS; k > 0; k--)
        sum = (sum + 1.0 / (2 * k + 1)) * z;
    const double low = e * 1.90821492927058770002e-10 + 2.0 * s * sum;
    return e * 6.93147180369123816490e-01 + (low + 2.0 * s);
}

/*
 * Double-double, for the same reason as ln: the printed percentage must be the same on every
 * machine.
 */
static struct gs_dd exponential(double x)
{
    int e;
    const struct gs_dd v = gs_dd_exp(gs_dd_of(x), &e);
    return (struct gs_dd){ldexp(v.hi, e), ldexp(v.lo, e)};
}

double gs_change_pct(double x)
{
    const struct gs_dd e = exponential(x);
    if (isnan(x))
        return x;
    return 100.0 * gs_dd_to_double(gs_dd_sub(e, gs_dd_of(1.0)));
}

/* A side whose values are all known, with their logarithms. */
struct side {
    const struct gs_change_value *v;
    double *y; /* first the values, then their logarithms */
    size_t n;
};

/* What each unit of a side comes to. */
struct units {
    size_t n;
    uint32_t *worker; /* [n] ascending where units are workers */
    double *median;   /* [n] */
    size_t *n_spans;  /* [n] */
};

static enum gs_status take_units(struct units *u, size_t most, struct gs_arena *scratch,
                                 struct gs_err *err)
{
    u->n = 0;
    GS_TAKE_RAW(u->worker, most, scratch, err);
    GS_TAKE_RAW(u->median, most, scratch, err);
    GS_TAKE_RAW(u->n_spans, most, scratch, err);
    return GS_OK;
}

static enum gs_status add_unit(struct units *u, uint32_t worker, const double *y, size_t n,
                               struct gs_arena *scratch, struct gs_err *err)
{
    u->worker[u->n] = worker;
    u->n_spans[u->n] = n;
    return gs_real_quantiles(y, n, &GS_PROB_MEDIAN, 1, scratch, &u->median[u->n++], err);
}

static bool is_known(double value)
{
    return value > 0.0 && isfinite(value);
}

/*
 * Keeps what has a value, all of it for a throughput, and counts the rest. Logarithms, because
 * changes are ratios: twice as slow and twice as fast are equally far from no change. A value
 * that is not positive has none; it is counted and left out.
 */
static enum gs_status keep_known(const struct gs_change_side *from, bool throughput, struct side *s,
                                 size_t *n_left_out, struct gs_arena *scratch, struct gs_err *err)
{
    GS_NEW_RAW(double, y, from->n, scratch, err);
    GS_NEW_RAW(struct gs_change_value, v, from->n, scratch, err);
    *s = (struct side){v, y, 0};
    for (size_t i = 0; i < from->n; i++) {
        if (!throughput && !is_known(from->v[i].value))
            continue;
        v[s->n] = from->v[i];
        y[s->n++] = from->v[i].value;
    }
    *n_left_out += from->n - s->n;
    return GS_OK;
}

static uint32_t count_runs(const struct side *s, struct gs_arena *scratch)
{
    uint32_t most = 0, n = 0;
    for (size_t i = 0; i < s->n; i++)
        most = gs_max(s->v[i].run, most);
    bool *const seen = gs_arena_take(scratch, (size_t)most + 1, sizeof *seen);
    for (size_t i = 0; seen != NULL && i < s->n; i++) {
        n += !seen[s->v[i].run];
        seen[s->v[i].run] = true;
    }
    return n;
}

static uint32_t count_workers(const struct side *s)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += i == 0 || s->v[i].worker != s->v[i - 1].worker;
    return n;
}

/* One run against a set of at least three asks whether it could be one more of them. */
static bool compares_runs(uint32_t a, uint32_t b)
{
    return (a >= RUNS_MIN && (b >= RUNS_MIN || b == 1)) || (a == 1 && b >= RUNS_MIN);
}

/*
 * The largest unit that there is enough of. Spans of one worker share its GPU, its node and its
 * hour; taking each as independent would find a change in every comparison.
 */
static enum gs_change_unit choose_unit(const struct side s[2], struct gs_arena *scratch)
{
    if (compares_runs(count_runs(&s[0], scratch), count_runs(&s[1], scratch)))
        return GS_CHANGE_RUN;
    if (count_workers(&s[0]) >= UNITS_MIN && count_workers(&s[1]) >= UNITS_MIN)
        return GS_CHANGE_WORKER;
    return GS_CHANGE_BLOCK;
}

static size_t end_of_worker(const struct side *s, size_t from, bool by_run)
{
    size_t to = from;
    while (to < s->n && s->v[to].worker == s->v[from].worker &&
           (!by_run || s->v[to].run == s->v[from].run))
        to++;
    return to;
}

/*
 * How many blocks n consecutive spans make: of each block the median is one number. Blocks are
 * consecutive in time, so a slow drift shows as a difference between blocks and not as noise
 * within one.
 */
static size_t blocks_of(size_t n)
{
    size_t blocks = n / SPANS_PER_BLOCK;
    blocks = gs_max(UNITS_MIN, blocks);
    blocks = gs_min(BLOCKS_MAX, blocks);
    return gs_min(blocks, n);
}

/* Units of values that are in the order of workers, then of time. */
static enum gs_status units_in_order(const struct side *s, const double *y,
                                     enum gs_change_unit kind, struct units *u,
                                     struct gs_arena *scratch, struct gs_err *err)
{
    size_t most = 0;
    for (size_t i = 0; i < s->n; i = end_of_worker(s, i, kind == GS_CHANGE_BLOCK))
        most += kind == GS_CHANGE_BLOCK ? BLOCKS_MAX : 1;
    GS_TRY(take_units(u, most, scratch, err));
    for (size_t from = 0, to; from < s->n; from = to) {
        to = end_of_worker(s, from, kind == GS_CHANGE_BLOCK);
        const size_t n = to - from, parts = kind == GS_CHANGE_BLOCK ? blocks_of(n) : 1;
        for (size_t k = 0; k < parts; k++) {
            const size_t first = from + n * k / parts, end = from + n * (k + 1) / parts;
            GS_TRY(add_unit(u, s->v[from].worker, y + first, end - first, scratch, err));
        }
    }
    return GS_OK;
}

static enum gs_status units_of_runs(const struct side *s, struct units *u, struct gs_arena *scratch,
                                    struct gs_err *err)
{
    GS_NEW_RAW(double, y, s->n, scratch, err);
    size_t done = 0;
    GS_TRY(take_units(u, s->n, scratch, err));
    for (uint32_t run = 0; done < s->n; run++) {
        size_t n = 0;
        for (size_t i = 0; i < s->n; i++)
            if (s->v[i].run == run)
                y[n++] = s->y[i];
        done += n;
        if (n > 0)
            GS_TRY(add_unit(u, run, y, n, scratch, err));
    }
    return GS_OK;
}

/* Puts the rates of stretches of spans in place of them: of each worker in each run, or of its blocks. */
static enum gs_status to_rates(struct side *s, bool blocks, struct gs_arena *scratch,
                               struct gs_err *err)
{
    GS_NEW_RAW(struct gs_change_value, v, s->n, scratch, err);
    size_t n = 0;
    for (size_t from = 0, to; from < s->n; from = to) {
        to = end_of_worker(s, from, true);
        const size_t spans = to - from, parts = blocks ? blocks_of(spans) : 1;
        for (size_t k = 0; k < parts; k++) {
            const size_t first = from + spans * k / parts, end = from + spans * (k + 1) / parts;
            struct gs_change_value one = s->v[first];
            for (size_t i = first; i < end; i++)
                one.stop_ns = gs_max(s->v[i].stop_ns, one.stop_ns);
            const uint64_t ns = (uint64_t)one.stop_ns - (uint64_t)one.start_ns;
            if (ns == 0)
                continue; /* everything at one instant has no rate */
            one.value = (double)(end - first) * 1e9 / (double)ns;
            v[n] = one;
            s->y[n++] = one.value;
        }
    }
    s->v = v;
    s->n = n;
    return GS_OK;
}

static enum gs_status make_units(const struct side *s, enum gs_change_unit kind, bool rates,
                                 struct units *u, struct gs_arena *scratch, struct gs_err *err)
{
    if (kind == GS_CHANGE_RUN)
        return units_of_runs(s, u, scratch, err);
    if (kind == GS_CHANGE_WORKER || !rates)
        return units_in_order(s, s->y, kind, u, scratch, err);
    GS_TRY(take_units(u, s->n, scratch, err));
    for (size_t i = 0; i < s->n; i++) /* each rate is that of a block */
        GS_TRY(add_unit(u, s->v[i].worker, &s->y[i], 1, scratch, err));
    return GS_OK;
}

/* --- from units to an interval ------------------------------------------------------------------------ */

struct spread {
    double mean, variance; /* with n - 1; exactly 0 where all are equal */
};

/*
 * Two passes in double-double, for many units differ only in their last digits. Equal values
 * give a variance of exactly 0, without rounding.
 */
static struct spread spread_of(const double *x, size_t n)
{
    struct gs_dd sum = {0}, squares = {0};
    bool equal = true;
    for (size_t i = 0; i < n; i++) {
        sum = gs_dd_add(sum, gs_dd_of(x[i]));
        equal &= !(x[i] < x[0] || x[i] > x[0]);
    }
    const struct gs_dd mean = gs_dd_div(sum, gs_dd_of((double)n));
    for (size_t i = 0; i < n; i++) {
        const struct gs_dd d = gs_dd_sub(gs_dd_of(x[i]), mean);
        squares = gs_dd_add(squares, gs_dd_mul(d, d));
    }
    if (equal)
        return (struct spread){x[0], 0.0};
    return (struct spread){gs_dd_to_double(mean),
                           gs_dd_to_double(gs_dd_div(squares, gs_dd_of((double)n - 1.0)))};
}

enum gs_status gs_change_odd(const double *d, size_t n, struct gs_arena *scratch, size_t *which,
                             double *others, struct gs_err *err)
{
    const double far = 5.0 * 1.4826;
    double *const apart = gs_arena_take_raw(scratch, n, sizeof *apart), mad;
    size_t most = 0;
    *which = n;
    *others = (double)NAN;
    if (n < UNITS_MIN)
        return GS_OK;
    GS_TRY(gs_had_memory(apart != NULL, err));
    GS_TRY(gs_real_quantiles(d, n, &GS_PROB_MEDIAN, 1, scratch, others, err));
    for (size_t i = 0; i < n; i++) {
        apart[i] = fabs(d[i] - *others);
        if (apart[i] > apart[most])
            most = i;
    }
    GS_TRY(gs_real_quantiles(apart, n, &GS_PROB_MEDIAN, 1, scratch, &mad, err));
    if (apart[most] > far * mad)
        *which = most;
    return GS_OK;
}

/* The change of units that both sides have; of workers, too, which of them changed unlike the others. */
static enum gs_status set_paired(struct gs_change *c, const double *d, const uint32_t *worker,
                                 size_t n, struct gs_arena *scratch, struct gs_err *err)
{
    const struct spread s = spread_of(d, n);
    size_t odd;
    c->change = n > 0 ? s.mean : (double)NAN;
    c->units[0] = c->units[1] = n;
    if (n >= UNITS_MIN) {
        c->se = sqrt(s.variance / (double)n);
        c->df = (double)n - 1.0;
    }
    if (c->unit != GS_CHANGE_WORKER)
        return GS_OK;
    GS_TRY(gs_change_odd(d, n, scratch, &odd, &c->others, err));
    if (odd < n) {
        c->odd_worker = worker[odd];
        c->odd = d[odd];
    }
    return GS_OK;
}

/*
 * Welch's test does not assume equal variances: a change of the system often changes its noise
 * too. With too few units the change is given and its interval stays unknown.
 */
static void set_welch(struct gs_change *c, const double *a, size_t n_a, const double *b, size_t n_b)
{
    if (n_a == 0 || n_b == 0)
        return;
    const struct spread x = spread_of(a, n_a), y = spread_of(b, n_b);
    const double k = (double)n_a, l = (double)n_b;
    c->change = y.mean - x.mean;
    c->units[0] = n_a;
    c->units[1] = n_b;
    if (c->unit == GS_CHANGE_RUN && (n_a == 1 || n_b == 1)) {
        const struct spread *const set = n_a == 1 ? &y : &x; /* could the one be one of the set? */
        const double n = n_a == 1 ? l : k;
        c->se = sqrt(set->variance * (1.0 + 1.0 / n));
        c->df = n - 1.0;
        return;
    }
    const size_t least = c->unit == GS_CHANGE_RUN ? RUNS_MIN : UNITS_MIN;
    if (n_a < least || n_b < least)
        return;
    const double va = x.variance / k, vb = y.variance / l;
    c->se = sqrt(va + vb);
    c->df = va + vb > 0.0 ? (va + vb) * (va + vb) / (va * va / (k - 1.0) + vb * vb / (l - 1.0))
                          : k + l - 2.0;
}

/* --- tasks -------------------------------------------------------------------------------------------- */

/* Where a task is on either side; empty where its number is GS_CHANGE_NO_TASK. */
#define NOWHERE UINT32_MAX
#define TWICE   (UINT32_MAX - 1)
struct task_place {
    uint32_t task, at[2];
};

struct task_places {
    struct task_place *slot; /* [1 << bits] */
    unsigned bits;
};

static struct task_place *place_of(const struct task_places *t, uint32_t task)
{
    const uint32_t mask = (UINT32_C(1) << t->bits) - 1;
    uint32_t at = task & mask;
    while (t->slot[at].task != task && t->slot[at].task != GS_CHANGE_NO_TASK)
        at = (at + 1) & mask;
    return &t->slot[at];
}

/*
 * A task that ran twice on a side was retried or is ambiguous. Pairing it would need a guess, so it
 * counts as unpaired.
 */
static enum gs_status place_tasks(const struct side s[2], struct task_places *t,
                                  struct gs_arena *scratch, struct gs_err *err)
{
    t->bits = 4;
    while (t->bits < 31 && ((size_t)1 << t->bits) / 3 * 2 < s[0].n)
        t->bits++;
    const size_t n_slots = (size_t)1 << t->bits;
    if (s[0].n >= n_slots || s[1].n >= TWICE)
        return gs_fail_memory(err);
    GS_TAKE_RAW(t->slot, n_slots, scratch, err);
    for (size_t i = 0; i < n_slots; i++)
        t->slot[i] = (struct task_place){GS_CHANGE_NO_TASK, {NOWHERE, NOWHERE}};
    for (uint32_t k = 0; k < 2; k++)
        for (size_t i = 0; i < s[k].n; i++) {
            const uint32_t task = s[k].v[i].task;
            struct task_place *const p = place_of(t, task);
            if (task == GS_CHANGE_NO_TASK || (k == 1 && p->task != task))
                continue; /* what A does not have pairs with nothing */
            p->task = task;
            if (p->at[k] != NOWHERE)
                p->at[k] = TWICE;
            else
                p->at[k] = (uint32_t)i;
        }
    return GS_OK;
}

/* The tasks of both sides, in the order of A's spans. */
struct matched {
    size_t n;
    uint32_t *at[2]; /* [n] places in the sides */
    double *d;       /* [n] */
};

/*
 * The order of A's spans is kept, because the workers are numbered by walking them and must
 * ascend.
 */
static enum gs_status match_tasks(const struct side s[2], struct matched *m,
                                  struct gs_arena *scratch, struct gs_err *err)
{
    struct task_places t = {0};
    GS_TAKE_RAW(m->at[0], s[0].n, scratch, err);
    GS_TAKE_RAW(m->at[1], s[0].n, scratch, err);
    GS_TAKE_RAW(m->d, s[0].n, scratch, err);
    m->n = 0;
    GS_TRY(place_tasks(s, &t, scratch, err));
    for (size_t i = 0; i < s[0].n; i++) {
        const struct task_place *const p = place_of(&t, s[0].v[i].task);
        if (p->at[0] != i || p->at[1] >= TWICE)
            continue;
        m->at[0][m->n] = (uint32_t)i;
        m->at[1][m->n] = p->at[1];
        m->d[m->n++] = s[1].y[p->at[1]] - s[0].y[i];
    }
    return GS_OK;
}

/* Workers of a side and what each of them adds to the logarithm of its tasks. */
struct effects {
    size_t n;
    uint32_t *number, *worker;    /* [of tasks], [n]; workers ascend */
    double *effect, *sum, *count; /* [n] */
};

static enum gs_status take_effects(struct effects *e, const struct side *s, const uint32_t *at,
                                   size_t n, struct gs_arena *scratch, struct gs_err *err)
{
    GS_NEW_RAW(uint32_t, rank, s->n, scratch, err);
    GS_TAKE_RAW(e->number, n, scratch, err);
    GS_TAKE_RAW(e->worker, s->n, scratch, err);
    e->n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (i == 0 || s->v[i].worker != s->v[i - 1].worker)
            e->worker[e->n++] = s->v[i].worker;
        rank[i] = (uint32_t)e->n - 1;
    }
    for (size_t i = 0; i < n; i++)
        e->number[i] = rank[at[i]];
    GS_TAKE(e->effect, e->n, scratch, err);
    GS_TAKE(e->sum, e->n, scratch, err);
    GS_TAKE(e->count, e->n, scratch, err);
    return GS_OK;
}

/* The mean, over the tasks of each worker, of d shifted by the effect that the other side's worker has. */
static void update_effects(struct effects *e, const struct effects *other, const double *d,
                           size_t n, double sign)
{
    for (size_t g = 0; g < e->n; g++)
        e->sum[g] = e->count[g] = 0.0;
    for (size_t i = 0; i < n; i++) {
        e->sum[e->number[i]] += sign * d[i] + other->effect[other->number[i]];
        e->count[e->number[i]] += 1.0;
    }
    for (size_t g = 0; g < e->n; g++)
        e->effect[g] = e->count[g] > 0.0 ? e->sum[g] / e->count[g] : 0.0;
}

/* Workers without a matched task have no effect that is known. */
static void drop_idle(struct effects *e)
{
    size_t n = 0;
    for (size_t g = 0; g < e->n; g++)
        if (e->count[g] > 0.0) {
            e->worker[n] = e->worker[g];
            e->effect[n++] = e->effect[g];
        }
    e->n = n;
}

/* d = beta of B's worker - alpha of A's, by rounds of means over clipped differences. */
static enum gs_status set_moved(struct gs_change *c, const struct side s[2],
                                const struct matched *m, struct gs_arena *scratch,
                                struct gs_err *err)
{
    struct effects alpha, beta;
    double middle, mad;
    GS_TRY(take_effects(&alpha, &s[0], m->at[0], m->n, scratch, err));
    GS_TRY(take_effects(&beta, &s[1], m->at[1], m->n, scratch, err));
    GS_TRY(gs_real_mad(m->d, m->n, scratch, &middle, &mad, err));
    const double reach = clip_at * GS_MAD_TO_SD * mad;
    for (size_t i = 0; i < m->n && reach > 0.0; i++) /* one in thirty may be a stall */
        m->d[i] = fmin(fmax(m->d[i], middle - reach), middle + reach);
    for (int round = 0; round <= ROUNDS; round++) {
        update_effects(&beta, &alpha, m->d, m->n, 1.0);
        if (round == ROUNDS)
            break;
        update_effects(&alpha, &beta, m->d, m->n, -1.0);
        const double centre = spread_of(alpha.effect, alpha.n).mean;
        for (size_t g = 0; g < alpha.n; g++)
            alpha.effect[g] -= centre;
    }
    drop_idle(&alpha);
    drop_idle(&beta);
    c->same_units =
        alpha.n == beta.n && memcmp(alpha.worker, beta.worker, alpha.n * sizeof *alpha.worker) == 0;
    if (!c->same_units) {
        set_welch(c, alpha.effect, alpha.n, beta.effect, beta.n);
        return GS_OK;
    }
    for (size_t g = 0; g < beta.n; g++)
        beta.effect[g] -= alpha.effect[g];
    return set_paired(c, beta.effect, beta.worker, beta.n, scratch, err);
}

/* *done: the sides have the same tasks, and the change is that of the tasks. */
static enum gs_status compare_tasks(struct gs_change *c, const struct side s[2],
                                    struct gs_arena *scratch, bool *done, struct gs_err *err)
{
    struct matched m;
    struct side a = s[0];
    struct units u;
    GS_TRY(match_tasks(s, &m, scratch, err));
    *done = (double)m.n >= most_share * (double)s[0].n &&
            (double)m.n >= most_share * (double)s[1].n && m.n > 0;
    if (!*done)
        return GS_OK;
    c->same_tasks = true;
    for (size_t i = 0; i < m.n; i++)
        c->moved |= s[0].v[m.at[0][i]].worker != s[1].v[m.at[1][i]].worker;
    if (c->moved && c->unit == GS_CHANGE_WORKER)
        return set_moved(c, s, &m, scratch, err);
    if (m.n < s[0].n) {
        GS_NEW_RAW(struct gs_change_value, v, m.n, scratch, err);
        for (size_t i = 0; i < m.n; i++)
            v[i] = s[0].v[m.at[0][i]];
        a = (struct side){.v = v, .n = m.n};
    }
    GS_TRY(units_in_order(&a, m.d, c->unit, &u, scratch, err));
    return set_paired(c, u.median, u.worker, u.n, scratch, err);
}

/* --- all of it ---------------------------------------------------------------------------------------- */

/* The units that both sides have come first, in `common`; do they hold nearly all spans? */
static bool same_units(const struct units u[2], double *d, uint32_t *who, size_t *n)
{
    size_t all[2] = {0, 0}, shared[2] = {0, 0}, k = 0;
    *n = 0;
    for (size_t i = 0; i < u[1].n; i++)
        all[1] += u[1].n_spans[i];
    for (size_t i = 0; i < u[0].n; i++) {
        all[0] += u[0].n_spans[i];
        while (k < u[1].n && u[1].worker[k] < u[0].worker[i])
            k++;
        if (k == u[1].n || u[1].worker[k] != u[0].worker[i])
            continue;
        shared[0] += u[0].n_spans[i];
        shared[1] += u[1].n_spans[k];
        who[*n] = u[0].worker[i];
        d[(*n)++] = u[1].median[k] - u[0].median[i];
    }
    return *n > 0 && (double)shared[0] > most_share * (double)all[0] &&
           (double)shared[1] > most_share * (double)all[1];
}

/* Of the product one logarithm is taken, its exponent apart: it may be far out of a double's reach. */
static double geometric_mean(const double *x, size_t n)
{
    struct gs_dd product = gs_dd_of(1.0);
    double exponent = 0.0;
    int e;
    for (size_t i = 0; i < n; i++) {
        product = gs_dd_mul(product, gs_dd_of(frexp(x[i], &e)));
        exponent += e;
        (void)frexp(product.hi, &e);
        product = (struct gs_dd){ldexp(product.hi, -e), ldexp(product.lo, -e)};
        exponent += e;
    }
    const struct gs_dd log_2 = gs_dd_log(gs_dd_of(2.0));
    const struct gs_dd sum = gs_dd_add(gs_dd_log(product), gs_dd_mul(gs_dd_of(exponent), log_2));
    const struct gs_dd mean = gs_dd_exp(gs_dd_div(sum, gs_dd_of((double)n)), &e);
    return ldexp(gs_dd_to_double(mean), e);
}

/* From the values, not their logarithms: what is the same everywhere is shown as it was measured. */
static enum gs_status set_typical(const struct side *s, bool rates, int k, struct gs_change *c,
                                  struct gs_arena *scratch, struct gs_err *err)
{
    struct units u;
    if (s->n == 0)
        return GS_OK;
    GS_TRY(make_units(s, c->unit, rates, &u, scratch, err));
    c->units[k] = u.n;
    c->typical[k] = geometric_mean(u.median, u.n);
    return GS_OK;
}

static double mean_value(const struct side *s)
{
    struct gs_dd sum = {0};
    for (size_t i = 0; i < s->n; i++) {
        const struct gs_dd next = gs_dd_two_sum(sum.hi, s->v[i].value);
        sum = (struct gs_dd){next.hi, sum.lo + next.lo};
    }
    return gs_dd_to_double(gs_dd_div(sum, gs_dd_of((double)s->n)));
}

/* The interval from the standard error; what the clock and the sensors leave open widens it. */
static void set_interval(struct gs_change *c, const struct gs_change_side side[2], double extra)
{
    double clock = 0.0;
    if (isnan(c->se))
        return;
    for (int k = 0; k < 2; k++)
        clock = fmax(clock, side[k].resolution / c->typical[k]);
    const bool varies = c->se > 0.0;
    const double half = varies ? c->se * gs_student_quantile(level, c->df) : 0.0;
    const double wide = sqrt(half * half + extra * extra) + clock;
    c->low = c->change - wide;
    c->high = c->change + wide;
    c->clock_decides = clock > wide / 2.0;
    c->width_decides = extra > wide / 2.0;
    if (varies)
        c->p = gs_student_p(c->change / c->se, c->df);
    else
        c->p = c->change < 0.0 || c->change > 0.0 ? 0.0 : 1.0;
}

static enum gs_status compare_units(struct gs_change *c, const struct side s[2], bool rates,
                                    struct gs_arena *scratch, struct gs_err *err)
{
    struct units u[2];
    size_t n = 0;
    for (int k = 0; k < 2; k++)
        GS_TRY(make_units(&s[k], c->unit, rates, &u[k], scratch, err));
    GS_NEW_RAW(double, d, u[0].n, scratch, err);
    GS_NEW_RAW(uint32_t, who, u[0].n, scratch, err);
    c->same_units = c->unit == GS_CHANGE_WORKER && same_units(u, d, who, &n);
    if (c->same_units)
        return set_paired(c, d, who, n, scratch, err);
    set_welch(c, u[0].median, u[0].n, u[1].median, u[1].n);
    return GS_OK;
}

static enum gs_status find(const struct gs_change_side side[2], const struct gs_change_options *o,
                           struct gs_arena *scratch, struct gs_change *c, struct gs_err *err)
{
    struct side s[2];
    bool by_task = false;
    for (int k = 0; k < 2; k++) {
        GS_TRY(keep_known(&side[k], o->throughput, &s[k], &c->n_left_out, scratch, err));
        c->n[k] = s[k].n;
    }
    c->unit = choose_unit(s, scratch);
    for (int k = 0; k < 2; k++) {
        if (o->throughput)
            GS_TRY(to_rates(&s[k], c->unit == GS_CHANGE_BLOCK, scratch, err));
        GS_TRY(set_typical(&s[k], o->throughput, k, c, scratch, err));
        for (size_t i = 0; i < s[k].n; i++)
            s[k].y[i] = ln(s[k].y[i]);
    }
    if (s[0].n == 0 || s[1].n == 0)
        return GS_OK;
    c->total = ln(mean_value(&s[1]) / mean_value(&s[0]));
    if (c->unit != GS_CHANGE_RUN && !o->throughput)
        GS_TRY(compare_tasks(c, s, scratch, &by_task, err));
    if (!by_task)
        GS_TRY(compare_units(c, s, o->throughput, scratch, err));
    set_interval(c, side, o->half_width);
    return GS_OK;
}

enum gs_status gs_change_find(const struct gs_change_side side[2],
                              const struct gs_change_options *options, struct gs_arena *scratch,
                              struct gs_change *change, struct gs_err *err)
{
    const double none = (double)NAN;
    struct gs_change c = {.typical = {none, none}};
    GS_REWINDS(scratch);
    c.change = c.low = c.high = c.total = c.p = c.df = c.se = c.odd = c.others = none;
    GS_TRY(find(side, options, scratch, &c, err));
    *change = c;
    return GS_OK;
}

enum gs_change_verdict gs_change_judge(const struct gs_change *c, double margin, double p)
{
    const double more = ln(1.0 + margin), less = ln(1.0 - margin);
    if (c->n[1] == 0 && c->n[0] > 0)
        return GS_CHANGE_ONLY_A;
    if (c->n[0] == 0 && c->n[1] > 0)
        return GS_CHANGE_ONLY_B;
    if (c->low > 0.0 && c->high > more && p < level)
        return GS_CHANGE_MORE;
    if (c->high < 0.0 && c->low < less && p < level)
        return GS_CHANGE_LESS;
    if (c->low >= less && c->high <= more)
        return GS_CHANGE_SAME;
    return GS_CHANGE_UNSURE;
}
