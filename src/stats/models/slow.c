/* slow.c - every population's times sorted once; each unit's own are taken out by their places. */
#include "stats/models/slow.h"

#include <math.h>

#include "base/num/order.h"
#include "stats/descriptive/rank.h"
#include "stats/descriptive/rank_tail.h"

/* How many times of a pool are less than one, and how many not greater. */
struct place {
    size_t below, up_to;
};

/* The times of one population, made comparable, ascending. */
struct pool {
    double *time;
    size_t n;
    double *type_median; /* [n_types], NaN: none; NULL: times stand as they are */
    gs_u128 ties;        /* sum of t^3 - t over groups of equal times           */
    /* by number of times, of own and of foreign units */
    struct gs_rank_tail tail[2][GS_RANK_EXACT_TIMES + 1];
};

struct finding {
    const struct gs_slow_input *in;
    struct gs_slow_unit *unit;
    double *second_p;                  /* [n_units]                                */
    double *own;                       /* room for the times of any unit, ascending */
    double *shifted;                   /* the same, divided by 1 + least            */
    struct place *own_at, *shifted_at; /* where they stand in the pool */
    struct gs_arena *scratch;
};

static double middle(const double *sorted, size_t n)
{
    if (n == 0)
        return NAN;
    return n % 2 == 1 ? sorted[n / 2] : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

/*
 * How many times are less than v, with `too` also those like it. Without a branch that depends on the times, which no
 * processor foresees.
 */
static inline size_t count_less(const double *x, size_t n, double v, bool too)
{
    size_t lo = 0;
    for (size_t half; n > 1; n -= half) {
        half = n / 2;
        lo += half * ((x[lo + half - 1] < v) | (too & (x[lo + half - 1] <= v)));
    }
    return lo + (n == 1 && ((x[lo] < v) | (too & (x[lo] <= v))));
}

static gs_u128 cubed_less(gs_u128 t)
{
    return t * t * t - t;
}

/* A time as the population measures it; NaN: it has nothing to measure it by. */
static double comparable(const struct finding *f, const struct pool *p, size_t i)
{
    if (p->type_median == NULL)
        return f->in->time[i];
    const double median = p->type_median[f->in->type[i]];
    return median > 0 ? f->in->time[i] / median : (double)NAN;
}

/* --- the pool ----------------------------------------------------------------------------------------- */

static enum gs_status collect_type_medians(const struct finding *f, uint32_t population,
                                           struct pool *p, size_t n, struct gs_err *err)
{
    const struct gs_slow_input *const in = f->in;
    const size_t n_types = in->n_types;
    GS_NEW(size_t, first, n_types + 1, f->scratch, err);
    GS_NEW(size_t, filled, n_types, f->scratch, err);
    GS_NEW_RAW(double, time, n, f->scratch, err);
    GS_TAKE_RAW(p->type_median, n_types, f->scratch, err);
    for (size_t u = 0; u < in->n_units; u++)
        for (size_t i = in->first[u]; in->population[u] == population && i < in->first[u + 1]; i++)
            first[in->type[i] + 1]++;
    for (size_t t = 0; t < n_types; t++)
        first[t + 1] += first[t];
    for (size_t u = 0; u < in->n_units; u++)
        for (size_t i = in->first[u]; in->population[u] == population && i < in->first[u + 1]; i++)
            time[first[in->type[i]] + filled[in->type[i]]++] = in->time[i];
    for (size_t t = 0; t < n_types; t++) {
        GS_TRY(gs_sort_reals(time + first[t], filled[t], f->scratch, err));
        p->type_median[t] = middle(time + first[t], filled[t]);
    }
    return GS_OK;
}

static enum gs_status fill_pool(const struct finding *f, uint32_t population, struct pool *p,
                                struct gs_err *err)
{
    const struct gs_slow_input *const in = f->in;
    size_t n = 0;
    for (size_t u = 0; u < in->n_units; u++)
        n += in->population[u] == population ? in->first[u + 1] - in->first[u] : 0;
    *p = (struct pool){0};
    GS_TAKE_RAW(p->time, n, f->scratch, err);
    if (in->n_types > 1)
        GS_TRY(collect_type_medians(f, population, p, n, err));
    for (size_t u = 0; u < in->n_units; u++)
        for (size_t i = in->first[u]; in->population[u] == population && i < in->first[u + 1];
             i++) {
            const double t = comparable(f, p, i);
            if (!isnan(t))
                p->time[p->n++] = t;
        }
    GS_TRY(gs_sort_reals(p->time, p->n, f->scratch, err));
    for (size_t i = 0, end; i < p->n; i = end) {
        for (end = i + 1; end < p->n && !(p->time[i] < p->time[end]); end++)
            ;
        p->ties += cubed_less(end - i);
    }
    return GS_OK;
}

/* --- one unit against one pool ------------------------------------------------------------------------- */

/* A unit's times and the pool without them. */
struct match {
    const struct pool *pool;
    const double *own, *shifted;             /* [n], ascending */
    const struct place *own_at, *shifted_at; /* [n] in the pool */
    size_t n, n_others;
    bool inside; /* its times are of the pool */
};

static void find_places(const struct pool *p, const double *x, size_t n, struct place *at)
{
    for (size_t i = 0; i < n; i++)
        at[i] = i > 0 && !(x[i - 1] < x[i]) ? at[i - 1]
                                            : (struct place){count_less(p->time, p->n, x[i], false),
                                                             count_less(p->time, p->n, x[i], true)};
}

/*
 * The same among the others, of a time v with this place in the pool. A unit is compared with the
 * others only. Its own times are subtracted from places in the full pool, so that the pool is
 * sorted once and not once per unit.
 */
static struct place among_others(const struct match *m, const struct place *at, double v)
{
    if (!m->inside)
        return *at;
    return (struct place){at->below - count_less(m->own, m->n, v, false),
                          at->up_to - count_less(m->own, m->n, v, true)};
}

/* The k-th smallest, from 0, of the others: the k-th of the pool, moved up by each own time that stands before it. */
static double other(const struct match *m, size_t k)
{
    for (size_t i = 0, equal = 0; m->inside && i < m->n; i++) {
        equal = i > 0 && !(m->own[i - 1] < m->own[i]) ? equal + 1 : 0;
        if (m->own_at[i].below + equal > k)
            break;
        k++;
    }
    return m->pool->time[k];
}

static double others_median(const struct match *m)
{
    const double high = other(m, m->n_others / 2);
    if (m->n_others % 2 == 1)
        return high;
    const double low = other(m, m->n_others / 2 - 1);
    return low + (high - low) / 2;
}

/* Sum of t^3 - t over the equal times of the others and the shifted own together. */
static gs_u128 ties_of(const struct match *m)
{
    gs_u128 ties = m->pool->ties;
    for (size_t i = 0, end; m->inside && i < m->n; i = end) {
        end = count_less(m->own, m->n, m->own[i], true);
        const size_t all = m->own_at[i].up_to - m->own_at[i].below;
        ties -= cubed_less(all) - cubed_less(all - (end - i));
    }
    for (size_t i = 0, end; i < m->n; i = end) {
        end = count_less(m->shifted, m->n, m->shifted[i], true);
        const struct place others = among_others(m, &m->shifted_at[i], m->shifted[i]);
        const size_t there = others.up_to - others.below;
        ties += cubed_less(there + (end - i)) - cubed_less(there);
    }
    return ties;
}

/* P of a rank sum as great as that of the shifted times. */
static enum gs_status test(const struct match *m, struct gs_rank_tail *tails,
                           struct gs_arena *scratch, double *p, struct gs_err *err)
{
    gs_u128 twice_u = 0, below = 0;
    for (size_t i = 0; i < m->n; i++) {
        const struct place others = among_others(m, &m->shifted_at[i], m->shifted[i]);
        below += others.below;
        twice_u += others.below + others.up_to;
    }
    /*
     * Few times have an exact distribution; the normal one is off in the tail, where the decision
     * is made. Tables are kept for each number of times, because most units have the same.
     */
    if (m->n <= GS_RANK_EXACT_TIMES) {
        struct gs_rank_tail *const t = &tails[m->n];
        if (t->n_a != m->n || t->n_b != m->n_others)
            GS_TRY(gs_rank_tail_init(t, m->n, m->n_others, scratch, err));
        *p = gs_rank_tail_at_least(t, below);
        return GS_OK;
    }
    struct gs_rank_sum sum;
    const enum gs_status s = gs_rank_sum_of_ranks(twice_u + (gs_u128)m->n * (m->n + 1), m->n,
                                                  m->n_others, ties_of(m), scratch, &sum, NULL);
    *p = s == GS_OK ? sum.p_greater : (double)NAN; /* all times are equal: nothing to be found */
    return s == GS_ERR_RANGE ? GS_OK : s;
}

static double superiority_of(const struct match *m)
{
    gs_u128 twice_u = 0;
    for (size_t i = 0; i < m->n; i++) {
        const struct place others = among_others(m, &m->own_at[i], m->own[i]);
        twice_u += others.below + others.up_to;
    }
    return (double)twice_u / (2 * (double)m->n * (double)m->n_others);
}

/* Holds unit u against a pool; *slowdown and *p stay NaN where there is nothing to hold it against. */
static enum gs_status retain(const struct finding *f, size_t u, struct pool *p, bool inside,
                             double *slowdown, double *pv, struct gs_err *err)
{
    const struct gs_slow_input *const in = f->in;
    struct match m = {.pool = p,
                      .own = f->own,
                      .shifted = f->shifted,
                      .own_at = f->own_at,
                      .shifted_at = f->shifted_at,
                      .inside = inside};
    for (size_t i = in->first[u]; i < in->first[u + 1]; i++) {
        const double t = comparable(f, p, i);
        if (!isnan(t))
            f->own[m.n++] = t;
    }
    m.n_others = p->n - (inside ? m.n : 0);
    if (m.n == 0 || m.n_others == 0)
        return GS_OK;
    GS_TRY(gs_sort_reals(f->own, m.n, f->scratch, err));
    for (size_t i = 0; i < m.n; i++)
        f->shifted[i] = f->own[i] / (1 + in->least);
    find_places(p, f->own, m.n, f->own_at);
    find_places(p, f->shifted, m.n, f->shifted_at);
    const double theirs = others_median(&m);
    *slowdown = theirs > 0 ? middle(f->own, m.n) / theirs - 1 : (double)NAN;
    if (inside)
        f->unit[u].superiority = superiority_of(&m);
    return test(&m, p->tail[!inside], f->scratch, pv, err);
}

static enum gs_status judge_population(const struct finding *f, uint32_t population,
                                       struct gs_err *err)
{
    GS_REWINDS(f->scratch);
    const struct gs_slow_input *const in = f->in;
    struct pool p;
    GS_TRY(fill_pool(f, population, &p, err));
    for (size_t u = 0; u < in->n_units; u++) {
        struct gs_slow_unit *const j = &f->unit[u];
        if (in->population[u] == population)
            GS_TRY(retain(f, u, &p, true, &j->slowdown, &j->p, err));
        else if (in->population[u] != GS_SLOW_NONE && in->second[u] == population)
            GS_TRY(retain(f, u, &p, false, &j->second_slowdown, &f->second_p[u], err));
    }
    return GS_OK;
}

static enum gs_status decide(const struct finding *f, struct gs_err *err)
{
    const struct gs_slow_input *const in = f->in;
    GS_NEW_RAW(double, p, in->n_units, f->scratch, err);
    for (size_t u = 0; u < in->n_units; u++) {
        struct gs_slow_unit *const j = &f->unit[u];
        /*
         * A unit between two groups must be slow in both, so the larger p counts. The negated
         * comparison takes a missing second p as missing.
         */
        if (in->second[u] != GS_SLOW_NONE && !isnan(j->p) && !(j->p > f->second_p[u]))
            j->p = f->second_p[u];
        p[u] = j->p;
    }
    GS_TRY(gs_fdr_adjust(p, in->n_units, p, f->scratch, err));
    for (size_t u = 0; u < in->n_units; u++) {
        struct gs_slow_unit *const j = &f->unit[u];
        j->q = p[u];
        j->slow = j->q < in->fdr && j->slowdown >= in->least &&
                  (in->second[u] == GS_SLOW_NONE || j->second_slowdown >= in->least);
    }
    return GS_OK;
}

enum gs_status gs_slow_find(const struct gs_slow_input *in, struct gs_slow_unit *unit,
                            struct gs_arena *scratch, struct gs_err *err)
{
    GS_REWINDS(scratch);
    size_t most = 0;
    for (size_t u = 0; u < in->n_units; u++) {
        const size_t n = in->first[u + 1] - in->first[u];
        most = gs_max(n, most);
        unit[u] = (struct gs_slow_unit){NAN, NAN, NAN, NAN, NAN, false};
    }
    struct finding f = {.in = in, .unit = unit, .scratch = scratch};
    GS_TAKE_RAW(f.second_p, in->n_units, scratch, err);
    GS_TAKE_RAW(f.own, most, scratch, err);
    GS_TAKE_RAW(f.shifted, most, scratch, err);
    GS_TAKE_RAW(f.own_at, most, scratch, err);
    GS_TAKE_RAW(f.shifted_at, most, scratch, err);
    for (size_t u = 0; u < in->n_units; u++)
        f.second_p[u] = NAN;
    for (uint32_t k = 0; k < in->n_populations; k++)
        GS_TRY(judge_population(&f, k, err));
    return decide(&f, err);
}
