/*
 * jobs_divide.c - goes through a host's time once, with all its GPUs side by side, and gives each stretch of each GPU to who
 * held it. Everything is a whole number and every division hands its rest on, so that nothing is lost or made.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/jobs/jobs.h"
#include "analysis/timeline/counts.h"
#include "base/core/row_order.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "stats/descriptive/quantile.h"

enum { ONE_GPU = 1000000 };
enum { HOLDS = 1, SEEN = 2, WORKED = 4 }; /* of a pair and a GPU */
enum { UNUSED_BELOW = GS_FIXED_ONE / 2 }; /* mean utilisation that rounds to 0 % */

/* What is divided: of one GPU in one stretch, or of several together. */
enum quantity {
    ENERGY,
    BRIDGED,
    LOGGED,
    TIME,
    COVERED,
    UTIL2,
    UTIL_NS,
    IDLE2,
    IDLE_NS,
    IDLE_ENERGY,
    N_QUANTITIES
};

enum { IDLE_READINGS = 1 << 14 }; /* of one GPU, that tell its idle power */

/* One GPU: the interval between two readings that the sweep is in, the piece of it, and the part of it between boundaries of jobs. */
struct lane {
    const struct gs_gpu_view *gpu;
    struct gs_energy_curve curve;
    struct gs_energy_walker walker;
    struct gs_energy used; /* up to the end of the interval */
    uint32_t at, next; /* samples of the instants around the interval; gpu->n: there is none more */
    int64_t start_ns, end_ns; /* of it, inside the range, in the clock of the jobs */
    int64_t start_power, end_power;
    int64_t from_ns, to_ns; /* of its piece between two of the instants that cut all intervals */
    int64_t first_power, last_power;
    size_t cut;                  /* the first of these instants that is behind from_ns */
    gs_i128 energy, energy_left; /* of the interval; of what its parts have not taken */
    gs_u128 weights;
    size_t boundary; /* the first behind the present part's beginning */
    int64_t part_from_ns, part_to_ns;
    gs_i128 part_left; /* of its energy and time what stretches have not taken */
    int64_t part_left_ns;
    int64_t rank;                /* twice the part's power */
    gs_i128 util2;               /* twice its utilisation; -1: not known */
    int n_idle;                  /* of the two readings that tell of the part; -1: nothing tells */
    gs_u128 idle_weight, weight; /* power of those that idle, and of both */
    int64_t idle_power;          /* less is idle, without utilisation; GS_MISSING: nothing tells */
    bool counts, covered;        /* counts: no gap that is left out */
    bool begins;                 /* a reading stands at the present instant */
    gs_i128 held[GS_N_DOUBTED];  /* since the holders last changed */
    gs_i128 free_energy;         /* that nobody held */
};

struct sweep {
    const struct gs_jobs_options *o;
    const struct gs_fold_host *host;
    const struct gs_host_view *view;
    struct gs_job_sum *of_pair;
    struct gs_job_sum *nobody; /* [1], or by time [GS_N_FREE]       */
    struct gs_job_sum *fleet;  /* `used` takes the logs; NULL: none */
    struct lane *lane;         /* [n_gpus] */
    uint32_t n_gpus;
    gs_u128 most;           /* that the energies may add up to */
    int64_t from_ns, to_ns; /* that any sample covers */
    int64_t *boundary;      /* [n_boundaries] ascending, each once */
    size_t n_boundaries, n_counted;
    /* [n_counted] pairs; those of one start by job and what else tells them apart */
    uint32_t *by_start, *by_stop;
    size_t started, stopped;
    uint8_t *mark;       /* [n_pairs * n_gpus] */
    int64_t *above;      /* [n_pairs * n_gpus] utilisation less UNUSED_BELOW, over the readings */
    gs_i128 *want;       /* [n_pairs] 10^-6 GPUs on this host */
    bool *pooled, *told; /* [n_pairs] divides what is left over; something says how many it holds */
    bool *assumed;       /* [n_pairs] the GPUs that it holds were free when it started           */
    uint32_t *active;    /* [n_active] in the order of by_start */
    size_t n_active;
    gs_i128 (*share_of)[GS_N_DOUBTED]; /* [rows] of the pool since the holders last changed */
    gs_i128 free_share[GS_N_DOUBTED];  /* likewise, nobody's */
    gs_i128 *want_of;                  /* [rows] what the active pairs of a row want of the pool */
    uint32_t *first;    /* [rows] the active pair that stands for its row: its doubt counts once */
    uint32_t *order;    /* [n_gpus] room */
    uint32_t *n_owners; /* [n_gpus] active pairs that hold the GPU for sure */
    gs_i128 pool_want;
    uint32_t n_pool, n_pool_pairs;
    uint32_t mem_used, mem_total; /* metrics; UINT32_MAX: not there */
};

/* --- the readings of a GPU ----------------------------------------------------------------------------- */

/*
 * The sample of the first instant with a power from `from` on; gpu->n: none. Several samples at
 * one instant are one reading, their mean, as they are for the energy curve: otherwise the
 * intervals here would not be the curve's.
 */
static uint32_t find_power(const struct gs_gpu_view *g, uint32_t from, int64_t *power)
{
    for (uint32_t i = from; i < g->n; i++) {
        if (i > from && g->t_ns[i] == g->t_ns[i - 1])
            continue;
        *power = gs_reading_at(g, g->drawn, i);
        if (*power != GS_MISSING)
            return i;
    }
    return g->n;
}

static uint32_t behind(const struct gs_gpu_view *g, uint32_t i)
{
    uint32_t next = i + 1;
    while (next < g->n && g->t_ns[next] == g->t_ns[i])
        next++;
    return next;
}

/* Both weights lose the same bits, so that no product overflows. */
gs_i128 gs_jobs_portion(gs_i128 e, gs_u128 w, gs_u128 whole)
{
    w = gs_min(w, whole); /* of a damaged partial result it may be more */
    if (w == 0 || w == whole)
        return w == 0 ? 0 : e;
    while (whole >> 40 != 0) {
        whole >>= 8;
        w >>= 8;
    }
    const gs_i128 by = (gs_i128)whole, times = (gs_i128)w;
    return e / by * times + e % by * times / by;
}

/*
 * Do the powers at both ends of an interval divide it? Negative weights could make a part larger than the whole, and two zeros
 * would divide by 0: then time alone does.
 */
static bool divides(int64_t first, int64_t last)
{
    return first >= 0 && last >= 0 && (first > 0 || last > 0);
}

/* Weighs the part of the interval from `from` to `to`: who ends inside it has used what the reading at that side says. */
static gs_u128 weigh(const struct lane *l, int64_t from, int64_t to)
{
    gs_i128 p = (gs_i128)l->first_power + l->last_power;
    if (from == l->from_ns && to < l->to_ns)
        p = 2 * (gs_i128)l->first_power;
    else if (to == l->to_ns && from > l->from_ns)
        p = 2 * (gs_i128)l->last_power;
    if (!divides(l->first_power, l->last_power))
        p = 1;
    return (gs_u128)p * (uint64_t)(to - from);
}

/* Of a GPU without utilisation its power tells whether it idles, and how much it does is not known. */
static void set_utilisation(struct lane *l, const struct gs_jobs_options *o, bool first, bool last)
{
    const struct gs_gpu_view *const g = l->gpu;
    const bool by_power = l->idle_power != GS_MISSING;
    int64_t u[2] = {gs_reading_at(g, GS_GPU_UTIL, l->at), gs_reading_at(g, GS_GPU_UTIL, l->next)};
    int64_t limit = o->idle_below;
    if (by_power) {
        u[0] = l->start_power;
        u[1] = l->end_power;
        limit = l->idle_power;
    }
    if (first != last && u[!first] != GS_MISSING)
        u[first] = u[!first]; /* one reading tells of the part that touches it, where it is there */
    for (int k = 0; k < 2; k++)
        if (u[k] == GS_MISSING)
            u[k] = u[!k];
    const bool tells = u[0] != GS_MISSING;
    l->util2 = tells && !by_power ? (gs_i128)u[0] + u[1] : -1;
    l->n_idle = tells ? (u[0] < limit) + (u[1] < limit) : -1;
    gs_u128 w[2] = {1, 1};
    if (divides(l->start_power, l->end_power)) {
        w[0] = (gs_u128)l->start_power;
        w[1] = (gs_u128)l->end_power;
    }
    l->weight = w[0] + w[1];
    l->idle_weight = (u[0] < limit ? w[0] : 0) + (u[1] < limit ? w[1] : 0);
}

/* Has a GPU any reading of its utilisation? */
static bool has_utilisation(const struct gs_gpu_view *g)
{
    uint32_t i = 0;
    while (i < g->n && gs_reading_at(g, GS_GPU_UTIL, i) == GS_MISSING)
        i++;
    return i < g->n;
}

/* Adds the readings of a GPU's power, of a long log some. */
static size_t add_power(const struct gs_gpu_view *g, int64_t *power, size_t n)
{
    const uint32_t step = g->n / IDLE_READINGS + 1;
    for (uint32_t i = 0; i < g->n; i += step)
        if ((power[n] = gs_reading_at(g, g->drawn, i)) != GS_MISSING)
            n++;
    return n;
}

/* Of a GPU without utilisation, below which power it idles: by its own readings, or where these are steady by all of its model on the host. */
static enum gs_status find_idle_power(struct sweep *s, struct lane *of, struct gs_err *err)
{
    const struct gs_dataset *const d = s->host->d;
    GS_REWINDS(s->host->scratch);
    GS_NEW_RAW(int64_t, power, ((size_t)s->n_gpus + 1) * IDLE_READINGS, s->host->scratch, err);
    size_t n = add_power(of->gpu, power, 0);
    of->idle_power = gs_idle_power(power, n);
    if (of->idle_power != GS_MISSING)
        return GS_OK;
    n = 0;
    for (uint32_t k = 0; k < s->n_gpus; k++) {
        const struct gs_gpu_view *const g = gs_gpu_log(&s->view->gpu[k]);
        if (gs_str_eq(d->gpu[g->gpu].card, d->gpu[of->gpu->gpu].card))
            n = add_power(g, power, n);
    }
    of->idle_power = gs_idle_power(power, n);
    return GS_OK;
}

/* The part that begins at `from`: up to the next boundary, or the end of the interval. */
static void begin_part(struct sweep *s, struct lane *l, int64_t from)
{
    while (l->boundary < s->n_boundaries && s->boundary[l->boundary] <= from)
        l->boundary++;
    const bool cut = l->boundary < s->n_boundaries && s->boundary[l->boundary] < l->to_ns;
    const bool first = from == l->from_ns;
    l->part_from_ns = from;
    l->part_to_ns = l->to_ns;
    if (cut)
        l->part_to_ns = s->boundary[l->boundary];
    const gs_u128 w = weigh(l, from, l->part_to_ns);
    /*
     * The last part takes what is left, so the parts of an interval add up to it whatever was
     * rounded.
     */
    l->part_left = l->energy_left;
    if (cut)
        l->part_left = gs_jobs_portion(l->energy, w, l->weights);
    l->energy_left -= l->part_left;
    l->part_left_ns = l->part_to_ns - from;
    if (first == !cut)
        l->rank = l->first_power / 2 + l->last_power / 2;
    else if (first)
        l->rank = l->first_power;
    else
        l->rank = l->last_power;
    set_utilisation(l, s->o, first, !cut);
}

/* The readings behind the present ones with time between them inside the range; false: there are none. */
static bool pass_readings(struct lane *l)
{
    const struct gs_gpu_view *const g = l->gpu;
    const struct gs_range *const range = l->curve.range;
    const int64_t shift_ns = gs_sensor_event_shift_ns(&l->curve.sensor);
    do {
        l->at = l->next;
        l->start_power = l->end_power;
        if (l->at < g->n)
            l->next = find_power(g, behind(g, l->at), &l->end_power);
        if (l->next == g->n || (range != NULL && l->start_ns == range->to_ns)) {
            l->next = g->n;
            return false;
        }
        l->start_ns = gs_range_held(range, g->t_ns[l->at] - shift_ns);
        l->end_ns = gs_range_held(range, g->t_ns[l->next] - shift_ns);
    } while (l->end_ns == l->start_ns);
    if (g->counted) /* a mean over the interval, of which each part has as much */
        l->start_power = l->end_power;
    return true;
}

/* Power at an instant of the interval, straight between its readings. */
static int64_t power_at(const struct lane *l, int64_t t_ns)
{
    if (t_ns == l->start_ns)
        return l->start_power;
    if (t_ns == l->end_ns)
        return l->end_power;
    const double x = (double)(t_ns - l->start_ns) / (double)(l->end_ns - l->start_ns);
    return l->start_power + (int64_t)(x * ((double)l->end_power - (double)l->start_power));
}

/* What is behind the present piece: the rest of the interval up to the next cut, or the next interval; false: neither. */
static bool begin_interval(struct sweep *s, struct lane *l)
{
    const struct gs_instants *const cuts = s->o->cuts;
    const bool rest = l->to_ns < l->end_ns;
    if (!rest && !pass_readings(l))
        return false;
    l->from_ns = rest ? l->to_ns : l->start_ns;
    while (cuts != NULL && l->cut < cuts->n && cuts->t_ns[l->cut] <= l->from_ns)
        l->cut++;
    l->to_ns = l->end_ns;
    if (cuts != NULL && l->cut < cuts->n)
        l->to_ns = gs_min(l->to_ns, cuts->t_ns[l->cut]);
    l->first_power = power_at(l, l->from_ns);
    l->last_power = power_at(l, l->to_ns);
    /* Differences of what the curve has used up to each reading: they add up to that of the log, whatever it scales. */
    const struct gs_energy before = l->used;
    l->used = gs_energy_at(&l->walker, l->to_ns);
    l->energy = l->energy_left = l->used.energy - before.energy;
    /* Only where a held reading was renewed unseen does a gap end between samples: the longer side tells then. */
    const uint64_t half = (uint64_t)(l->to_ns - l->from_ns) / 2;
    l->counts = l->used.time_ns - before.time_ns > half;
    l->covered = l->used.covered_ns - before.covered_ns > half;
    l->weights = 0;
    int64_t from = l->from_ns;
    size_t b = l->boundary;
    for (; b < s->n_boundaries && s->boundary[b] < l->to_ns; b++)
        if (s->boundary[b] > from) {
            l->weights += weigh(l, from, s->boundary[b]);
            from = s->boundary[b];
        }
    l->weights += weigh(l, from, l->to_ns);
    begin_part(s, l, l->from_ns);
    return true;
}

static enum gs_status begin_lane(struct sweep *s, struct lane *l, struct gs_err *err)
{
    const struct gs_gpu_view *const seen = &s->view->gpu[l - s->lane], *const g = gs_gpu_log(seen);
    enum gs_status status = GS_OK;
    l->gpu = g;
    l->rank = INT64_MIN;
    l->next = g->n;
    if (g->n > 0)
        status = gs_energy_check_gpu(g, &s->most, err);
    if (status == GS_OK && g->n > 0)
        status = gs_gpu_curve(seen, -1, s->host->scratch, &l->curve, err);
    l->curve.sensor.cut_ns = gs_pairs_cut_ns(s->view);
    if (status != GS_OK || g->n == 0)
        return status;
    l->walker.curve = &l->curve;
    l->used = gs_energy_at(&l->walker, GS_LOG_START);
    l->next = find_power(g, 0, &l->end_power);
    if (l->next == g->n)
        return GS_OK;
    if (!begin_interval(s, l))
        return GS_OK;
    const int64_t last_ns = g->t_ns[g->n - 1] - gs_sensor_event_shift_ns(&l->curve.sensor),
                  end = gs_range_held(l->curve.range, last_ns);
    gs_time_widen(&s->from_ns, &s->to_ns, l->from_ns);
    gs_time_widen(&s->from_ns, &s->to_ns, end);
    return GS_OK;
}

/* --- who holds what ------------------------------------------------------------------------------------ */

/* Do samples of the GPU name the job of a pair between two instants? */
static bool names_between(const struct sweep *s, uint32_t k, uint32_t job, gs_i128 from, gs_i128 to)
{
    const struct gs_gpu_view *const g = &s->view->gpu[k];
    if (!gs_gpu_has_job(s->view, k, job) || g->job == NULL) /* all of them do, or none */
        return gs_gpu_has_job(s->view, k, job);
    size_t i = gs_count_below(g->t_ns, g->n, (int64_t)gs_max(from, INT64_MIN));
    while (i < g->n && g->t_ns[i] <= to && g->job[i] != job)
        i++;
    return i < g->n && g->t_ns[i] <= to;
}

/* The GPUs of this host that a job asked for, in 10^-6; false: nothing tells how many. */
static bool asked_for(const struct sweep *s, uint32_t p, gs_i128 *want)
{
    uint64_t gpus, nodes;
    if (!gs_job_gpus(s->host->d, s->view->pair[p].attributes, &gpus, &nodes))
        return false;
    *want = (gs_i128)gpus * ONE_GPU / (gs_i128)nodes;
    return true;
}

/*
 * Marks the GPUs that a pair names, or that samples name its job on: while it runs, an interval around, or ever, until there
 * are as many as it asked for. A requeued job has one name on whatever GPUs it gets.
 */
static uint32_t mark_named(struct sweep *s, uint32_t p, gs_i128 want)
{
    const struct gs_pair *const pair = &s->view->pair[p];
    const bool labelled =
        s->view->job != NULL && pair->job != s->view->no_job && pair->gpu == GS_NONE;
    uint32_t n = 0;
    for (int around = 0; around < 3 && (n == 0 || n * ONE_GPU < want); around++)
        for (uint32_t k = 0; k < s->n_gpus; k++) {
            const gs_i128 slack =
                around < 2 ? (gs_i128)around * s->view->gpu[k].interval_ns : (gs_i128)INT64_MAX * 2;
            uint8_t *const mark = &s->mark[(size_t)p * s->n_gpus + k];
            if (*mark != HOLDS &&
                (gs_pair_names(s->view, pair, k) ||
                 (labelled &&
                  names_between(s, k, pair->job, pair->start_ns - slack, pair->stop_ns + slack)))) {
                *mark = HOLDS;
                n++;
            }
        }
    return n;
}

/* How many GPUs of this host a pair holds, and whether it is known which. */
static void settle_want(struct sweep *s, uint32_t p)
{
    gs_i128 asked = ONE_GPU;
    const bool told = asked_for(s, p, &asked);
    const uint32_t n = mark_named(s, p, asked);
    const bool named = n > 0 || s->view->pair[p].gpu != GS_NONE;
    s->want[p] = (gs_i128)gs_max(n, 1) * ONE_GPU; /* the one that it names may have no samples */
    if (told && asked == 0 && n == 0)
        s->want[p] = 0;
    s->told[p] = named;
    if (named && s->o->share != GS_SHARE_NODE)
        return;
    /*
     * Without a name for its GPUs the job takes part in a pool: the GPUs of the node that nobody
     * holds for sure are divided by how many each job asked for.
     */
    s->pooled[p] = true;
    for (uint32_t k = 0; k < s->n_gpus; k++)
        s->mark[(size_t)p * s->n_gpus + k] = 0;
    s->want[p] = (gs_i128)s->n_gpus * ONE_GPU;
    if (s->o->share == GS_SHARE_NODE || !told)
        return;
    s->want[p] = asked;
    s->told[p] = true;
}

/* A job that starts gets the lowest indices that are free. */
static void take_first_free(struct sweep *s, uint32_t p)
{
    gs_i128 left = s->want[p];
    for (uint32_t k = 0; k < s->n_gpus && left > 0; k++) {
        bool held = false;
        for (size_t i = 0; i < s->n_active; i++)
            held |= (s->mark[(size_t)s->active[i] * s->n_gpus + k] & HOLDS) != 0;
        if (held)
            continue;
        s->mark[(size_t)p * s->n_gpus + k] |= HOLDS;
        left -= ONE_GPU;
    }
    s->pooled[p] = left >= ONE_GPU; /* fewer are free than it holds: nothing is sure then */
    s->assumed[p] = !s->pooled[p] && s->want[p] < (gs_i128)s->n_gpus * ONE_GPU;
    for (uint32_t k = 0; s->pooled[p] && k < s->n_gpus; k++)
        s->mark[(size_t)p * s->n_gpus + k] &= (uint8_t)~HOLDS;
}

/* A piece of a job holds what the piece before it held. */
static void keep_holding(struct sweep *s, uint32_t p)
{
    s->pooled[p] = s->pooled[p - 1];
    s->assumed[p] = s->assumed[p - 1];
    for (uint32_t k = 0; k < s->n_gpus; k++)
        s->mark[(size_t)p * s->n_gpus + k] |= s->mark[(size_t)(p - 1) * s->n_gpus + k] & HOLDS;
}

GS_COMPARES(compare_shares, gs_i128, GS_DIFFER(gs_cmp(*x, *y)););

/* Of what the GPUs of a pool had, ascending, somebody with `gpus` (10^-6) took `own`: it may have been the least or the most. */
static void widen(struct gs_job_sum *sum, enum gs_doubted what, const gs_i128 *pool, size_t n,
                  gs_i128 gpus, gs_i128 own)
{
    /*
     * With a fraction of a GPU the bound must hold whichever GPUs it was: fewer, rounded down, for
     * the least and more, rounded up, for the most.
     */
    const size_t floor = (size_t)(gpus / ONE_GPU), ceil = (size_t)((gpus + ONE_GPU - 1) / ONE_GPU);
    const size_t least = gs_min(floor, n), most = gs_min(ceil, n);
    gs_i128 low = 0, high = 0;
    for (size_t k = 0; k < least; k++)
        low += pool[k];
    for (size_t k = n - most; k < n; k++)
        high += pool[k];
    sum->low[what] += gs_min(low, own);
    sum->high[what] += gs_max(high, own);
}

/* The sum that takes what nobody holds until the holders change. */
static struct gs_job_sum *nobody_now(const struct sweep *s)
{
    enum gs_free when = GS_FREE_BETWEEN;
    if (!s->o->by_time)
        return s->nobody;
    if (s->started == 0)
        when = GS_FREE_BEFORE;
    else if (s->stopped == s->n_counted)
        when = GS_FREE_AFTER;
    return &s->nobody[when];
}

/* Of one quantity: what each row and nobody had of the pool, and might have had. */
static void widen_rows(struct sweep *s, enum gs_doubted what, gs_i128 *pool)
{
    size_t n = 0;
    for (uint32_t k = 0; k < s->n_gpus; k++) {
        if (s->n_owners[k] == 0)
            pool[n++] = s->lane[k].held[what];
        s->lane[k].held[what] = 0;
    }
    GS_SORT(pool, n, compare_shares);
    for (size_t i = 0; i < s->n_active; i++) {
        const uint32_t p = s->active[i], row = s->of_pair[p].row;
        if (!s->pooled[p] || s->first[row] != p)
            continue;
        widen(&s->of_pair[p], what, pool, n, s->want_of[row], s->share_of[row][what]);
        s->share_of[row][what] = 0;
    }
    const gs_i128 left = (gs_i128)n * ONE_GPU - s->pool_want;
    widen(nobody_now(s), what, pool, n, gs_max(left, 0), s->free_share[what]);
    s->free_share[what] = 0;
}

/* Ends a time in which the same jobs held GPUs. */
static enum gs_status end_holders(struct sweep *s, struct gs_err *err)
{
    GS_REWINDS(s->host->scratch);
    GS_NEW(gs_i128, pool, s->n_gpus, s->host->scratch, err);
    for (size_t i = s->n_active; i-- > 0;)
        if (s->pooled[s->active[i]])
            s->first[s->of_pair[s->active[i]].row] = s->active[i];
    for (int what = 0; what < GS_N_DOUBTED; what++)
        widen_rows(s, (enum gs_doubted)what, pool);
    return GS_OK;
}

static void find_owners(struct sweep *s)
{
    s->pool_want = 0;
    s->n_pool = s->n_pool_pairs = 0;
    for (uint32_t k = 0; k < s->n_gpus; k++) {
        s->n_owners[k] = 0;
        for (size_t i = 0; i < s->n_active; i++)
            s->n_owners[k] += !s->pooled[s->active[i]] &&
                              (s->mark[(size_t)s->active[i] * s->n_gpus + k] & HOLDS) != 0;
        s->n_pool += s->n_owners[k] == 0;
    }
    for (size_t i = 0; i < s->n_active; i++)
        if (s->pooled[s->active[i]]) {
            s->pool_want += s->want[s->active[i]];
            s->n_pool_pairs++;
        }
}

/* Of a pair that divides the GPUs of the host: does its row have all of them for itself? */
static void judge(struct sweep *s)
{
    for (size_t i = 0; i < s->n_active; i++) {
        const uint32_t p = s->active[i];
        struct gs_job_sum *const sum = &s->of_pair[p];
        if (!s->pooled[p]) {
            for (uint32_t k = 0; k < s->n_gpus; k++)
                if ((s->mark[(size_t)p * s->n_gpus + k] & HOLDS) != 0)
                    sum->n_parts[s->assumed[p] ? GS_ATTRIBUTION_ASSUMED : GS_ATTRIBUTION_EXACT] = 1;
            continue;
        }
        const bool alone = s->pool_want == s->want_of[sum->row] &&
                           s->pool_want >= (gs_i128)s->n_pool * ONE_GPU && s->n_pool == s->n_gpus;
        if (s->pool_want > (gs_i128)s->n_pool * ONE_GPU)
            sum->n_over = 1;
        if (!s->told[p])
            sum->n_parts[GS_ATTRIBUTION_WHOLE] = 1;
        else
            sum->n_parts[alone ? GS_ATTRIBUTION_EXACT : GS_ATTRIBUTION_SHARED] = 1;
    }
}

/* Jobs that have stopped by `t_ns` go, those that have started by then come, in the order of time. */
static enum gs_status change_holders(struct sweep *s, int64_t t_ns, struct gs_err *err)
{
    const struct gs_pair *const pair = s->view->pair;
    bool changed = false;
    while ((s->started < s->n_counted && pair[s->by_start[s->started]].start_ns <= t_ns) ||
           (s->stopped < s->n_counted && pair[s->by_stop[s->stopped]].stop_ns <= t_ns)) {
        if (!changed) {
            GS_TRY(end_holders(s, err));
            changed = true;
        }
        /*
         * Stops before starts at one instant: the GPUs of a job that ends are free for one that
         * begins.
         */
        const bool stop = s->started == s->n_counted ||
                          (s->stopped < s->n_counted && pair[s->by_stop[s->stopped]].stop_ns <=
                                                            pair[s->by_start[s->started]].start_ns);
        const uint32_t p = stop ? s->by_stop[s->stopped++] : s->by_start[s->started++];
        size_t i = s->n_active;
        gs_i128 *const want = &s->want_of[s->of_pair[p].row];
        if (stop) {
            *want -= s->pooled[p] ? s->want[p] : 0;
            for (i = 0; s->active[i] != p;)
                i++;
            for (s->n_active--; i < s->n_active; i++)
                s->active[i] = s->active[i + 1];
            continue;
        }
        if (s->o->share == GS_SHARE_FIRST_FIT && pair[p].continues)
            keep_holding(s, p);
        else if (s->o->share == GS_SHARE_FIRST_FIT && s->pooled[p])
            take_first_free(s, p);
        *want += s->pooled[p] ? s->want[p] : 0;
        s->active[s->n_active++] = p; /* in the order of by_start */
    }
    if (changed) {
        find_owners(s);
        judge(s);
    }
    return GS_OK;
}

/* --- dividing ------------------------------------------------------------------------------------------ */

static void add_quantities(struct gs_job_sum *sum, const gs_i128 q[N_QUANTITIES])
{
    sum->used.energy += q[ENERGY];
    sum->used.bridged += q[BRIDGED];
    sum->used.time_ns += q[TIME];
    sum->logged_ns += q[LOGGED];
    sum->used.covered_ns += q[COVERED];
    sum->util2_ns += q[UTIL2];
    sum->util_ns += q[UTIL_NS];
    sum->idle2_ns += q[IDLE2];
    sum->idle_ns += q[IDLE_NS];
    sum->idle_energy += q[IDLE_ENERGY];
}

/* Does a reading at the instant that the interval of a GPU begins with name the job? */
static bool is_labelled(const struct lane *l, uint32_t job)
{
    const struct gs_gpu_view *const g = l->gpu;
    bool named = false;
    for (uint32_t i = l->at; i < g->n && g->t_ns[i] == g->t_ns[l->at]; i++)
        named |= g->job[i] == job;
    return named;
}

/* Does an active pair hold GPU `k` (GS_NONE: the pool), as its readings say too where `labelled`? */
static bool holds(const struct sweep *s, uint32_t p, uint32_t k, bool labelled)
{
    if (k == GS_NONE)
        return s->pooled[p];
    return !s->pooled[p] && (s->mark[(size_t)p * s->n_gpus + k] & HOLDS) != 0 &&
           (!labelled || is_labelled(&s->lane[k], s->view->pair[p].job));
}

/* Of several that hold a GPU those do that its readings name, if any. How many do, and is it so? */
static uint32_t count_holders(const struct sweep *s, uint32_t k, bool *labelled)
{
    const struct lane *const l = &s->lane[k];
    uint32_t n = 0;
    *labelled = l->gpu->job != NULL && s->n_owners[k] > 1 && l->next < l->gpu->n;
    for (size_t i = 0; *labelled && i < s->n_active; i++)
        n += holds(s, s->active[i], k, true);
    *labelled = n > 0;
    if (n == 0)
        return s->n_owners[k];
    return n;
}

/* Do pairs of several rows hold GPU `k`? Of each row the first stands for it. */
static bool is_shared(struct sweep *s, uint32_t k, bool labelled)
{
    uint32_t row = GS_NONE;
    bool several = false;
    for (size_t i = s->n_active; i-- > 0;) {
        const uint32_t p = s->active[i];
        if (!holds(s, p, k, labelled))
            continue;
        several |= row != GS_NONE && row != s->of_pair[p].row;
        row = s->of_pair[p].row;
        s->first[row] = p;
    }
    return several;
}

/* What a pair takes of GPU `k`: sure, unless it is of the pool or nothing tells which of several rows used it. */
static void add_bounds(struct sweep *s, uint32_t p, uint32_t k, bool shared,
                       const gs_i128 own[GS_N_DOUBTED], const gs_i128 all[GS_N_DOUBTED])
{
    struct gs_job_sum *const sum = &s->of_pair[p];
    if (shared)
        sum->n_parts[GS_ATTRIBUTION_SHARED] = 1;
    for (int what = 0; what < GS_N_DOUBTED; what++) {
        if (k == GS_NONE) {
            s->share_of[sum->row][what] += own[what];
        } else if (!shared) {
            sum->low[what] += own[what];
            sum->high[what] += own[what];
        } else if (s->first[sum->row] == p) {
            sum->low[what] += gs_min(all[what], 0);
            sum->high[what] += gs_max(all[what], 0);
        }
    }
}

/* Divides among those that hold GPU `k` (GS_NONE: that share the pool) by weight; the last takes the rest. */
static void divide(struct sweep *s, uint32_t k, gs_i128 q[N_QUANTITIES], gs_i128 weights)
{
    bool labelled = false;
    if (k != GS_NONE)
        weights = count_holders(s, k, &labelled);
    const bool shared = k != GS_NONE && weights > 1 && is_shared(s, k, labelled);
    const gs_i128 all[GS_N_DOUBTED] = {q[ENERGY], q[IDLE2], q[IDLE_ENERGY]};
    for (size_t i = 0; i < s->n_active && weights > 0; i++) {
        const uint32_t p = s->active[i];
        if (!holds(s, p, k, labelled))
            continue;
        const gs_i128 weight = k == GS_NONE ? s->want[p] : 1;
        gs_i128 part[N_QUANTITIES];
        for (int c = 0; c < N_QUANTITIES; c++) {
            /*
             * Each takes its share of what is left, not of the whole, and the last takes
             * everything: nothing is lost to rounding.
             */
            part[c] = weight == weights ? q[c] : q[c] * weight / weights;
            q[c] -= part[c];
        }
        weights -= weight;
        add_quantities(&s->of_pair[p], part);
        const gs_i128 own[GS_N_DOUBTED] = {part[ENERGY], part[IDLE2], part[IDLE_ENERGY]};
        add_bounds(s, p, k, shared, own, all);
    }
}

/* What a lane has in the next `ns`; nothing where no part is on. */
static void take_stretch(struct lane *l, int64_t t_ns, int64_t ns, gs_i128 q[N_QUANTITIES])
{
    for (int c = 0; c < N_QUANTITIES; c++)
        q[c] = 0;
    l->begins = false;
    if (l->next == l->gpu->n || t_ns < l->part_from_ns)
        return;
    l->begins = t_ns == l->gpu->t_ns[l->at] - gs_sensor_event_shift_ns(&l->curve.sensor);
    /*
     * Quotient and remainder are scaled apart, because the product with nanoseconds could pass 127
     * bits.
     */
    q[ENERGY] = l->part_left;
    if (ns != l->part_left_ns)
        q[ENERGY] = l->part_left / l->part_left_ns * ns +
                    l->part_left % l->part_left_ns * ns / l->part_left_ns;
    l->part_left -= q[ENERGY];
    l->part_left_ns -= ns;
    l->held[GS_DOUBTED_ENERGY] += q[ENERGY];
    q[BRIDGED] = l->covered ? 0 : q[ENERGY];
    q[LOGGED] = ns;
    q[TIME] = l->counts ? ns : 0;
    q[COVERED] = l->covered ? ns : 0;
    if (l->util2 >= 0) {
        q[UTIL2] = l->util2 * ns;
        q[UTIL_NS] = ns;
    }
    if (l->n_idle >= 0) {
        q[IDLE_NS] = ns;
        q[IDLE2] = l->n_idle * (gs_i128)ns;
        q[IDLE_ENERGY] = gs_jobs_portion(q[ENERGY], l->idle_weight, l->weight);
        l->held[GS_DOUBTED_IDLE] += q[IDLE2];
        l->held[GS_DOUBTED_IDLE_ENERGY] += q[IDLE_ENERGY];
    }
}

/* A reading of GPU k at the present instant, for those who hold it or may. */
static void note_reading(struct sweep *s, uint32_t k)
{
    const struct lane *const l = &s->lane[k];
    const int64_t util = gs_reading_at(l->gpu, GS_GPU_UTIL, l->at);
    int64_t mem = GS_MISSING;
    if (s->mem_used != UINT32_MAX && s->mem_total != UINT32_MAX) {
        const int64_t u = gs_reading_at(l->gpu, s->mem_used, l->at),
                      t = gs_reading_at(l->gpu, s->mem_total, l->at);
        if (u != GS_MISSING && t > 0)
            mem = (int64_t)((gs_i128)u * 100 * GS_FIXED_ONE / t);
    }
    for (size_t i = 0; i < s->n_active; i++) {
        const uint32_t p = s->active[i];
        uint8_t *const mark = &s->mark[(size_t)p * s->n_gpus + k];
        const bool holds = (*mark & HOLDS) != 0 && !s->pooled[p];
        if (!holds && (!s->pooled[p] || s->n_owners[k] > 0))
            continue;
        if (util != GS_MISSING) {
            *mark |= util >= s->o->idle_below ? SEEN | WORKED : SEEN;
            s->above[(size_t)p * s->n_gpus + k] += util - UNUSED_BELOW;
        }
        if (mem != GS_MISSING && (holds || s->n_pool_pairs == 1) && mem > s->of_pair[p].mem_pct)
            s->of_pair[p].mem_pct = mem;
    }
}

/* The part of a GPU, 10^-6, that jobs leave free where the GPUs of one are no whole number on each of its nodes. */
static gs_i128 free_part(const struct sweep *s)
{
    const gs_i128 part = (ONE_GPU - s->pool_want % ONE_GPU) % ONE_GPU;
    return s->pool_want + part <= (gs_i128)s->n_pool * ONE_GPU ? part : 0;
}

/*
 * Puts the pool's lanes in the order of their power, those without any first, and says how many
 * are free. GPUs that nobody asked for are taken to be those with the least power: an idle GPU is
 * more likely free than a busy one. Ties keep the GPUs' order.
 */
static size_t order_pool(struct sweep *s)
{
    size_t n = 0;
    const gs_i128 free = (gs_i128)s->n_pool - (s->pool_want + ONE_GPU - 1) / ONE_GPU;
    for (uint32_t k = 0; k < s->n_gpus; k++) {
        const struct lane *const l = &s->lane[k];
        if (s->n_owners[k] > 0)
            continue;
        size_t i = n++;
        if ((free > 0 || free_part(s) > 0) && s->pool_want > 0)
            for (; i > 0 && s->lane[s->order[i - 1]].rank > l->rank; i--)
                s->order[i] = s->order[i - 1];
        s->order[i] = k;
    }
    if (s->pool_want == 0)
        return n;
    if (free > 0)
        return (size_t)free;
    return 0;
}

/* Twice the time that GPU `k` idles in the hands of a job that is only assumed to hold it. */
static gs_i128 assumed_idle(const struct sweep *s, uint32_t k, const gs_i128 q[N_QUANTITIES])
{
    for (size_t i = 0; i < s->n_active; i++)
        if (s->assumed[s->active[i]] && holds(s, s->active[i], k, false))
            return q[IDLE2];
    return 0;
}

static void divide_stretch(struct sweep *s, int64_t t_ns, int64_t ns)
{
    gs_i128 q[N_QUANTITIES], held[N_QUANTITIES] = {0}, idle2 = 0, worked2 = 0;
    const size_t n_free = order_pool(s); /* before parts end */
    for (uint32_t k = 0; k < s->n_gpus; k++) {
        struct lane *const l = &s->lane[k];
        if (s->n_owners[k] == 0)
            continue;
        take_stretch(l, t_ns, ns, q);
        if (l->begins)
            note_reading(s, k);
        idle2 += assumed_idle(s, k, q);
        divide(s, k, q, 0);
    }
    for (size_t i = 0; i < s->n_pool; i++) {
        struct lane *const l = &s->lane[s->order[i]];
        gs_i128 part = 0, unheld[N_QUANTITIES];
        take_stretch(l, t_ns, ns, q);
        if (l->begins)
            note_reading(s, s->order[i]);
        if (i < n_free)
            part = ONE_GPU;
        else if (i == n_free && s->pool_want > 0)
            part = free_part(s);
        for (int c = 0; c < N_QUANTITIES; c++) {
            unheld[c] = gs_jobs_portion(q[c], (gs_u128)part, ONE_GPU);
            held[c] += q[c] - unheld[c];
        }
        if (part == 0)
            continue;
        add_quantities(nobody_now(s), unheld);
        s->free_share[GS_DOUBTED_ENERGY] += unheld[ENERGY];
        s->free_share[GS_DOUBTED_IDLE] += unheld[IDLE2];
        s->free_share[GS_DOUBTED_IDLE_ENERGY] += unheld[IDLE_ENERGY];
        l->free_energy += unheld[ENERGY];
        worked2 += 2 * unheld[IDLE_NS] - unheld[IDLE2];
    }
    nobody_now(s)->refuted2_ns += gs_min(idle2, worked2);
    divide(s, GS_NONE, held, s->pool_want);
}

/*
 * The end of the stretch that begins at `t_ns`: of a part, of what no lane covers yet, of who
 * holds. Always after t_ns: what has started or stopped by then has been passed by
 * change_holders(), so the sweep makes progress.
 */
static int64_t stretch_end(struct sweep *s, int64_t t_ns)
{
    const struct gs_pair *const pair = s->view->pair;
    int64_t end = s->to_ns;
    for (uint32_t k = 0; k < s->n_gpus; k++) {
        struct lane *const l = &s->lane[k];
        if (l->next == l->gpu->n)
            continue;
        if (l->part_left_ns == 0 && l->part_to_ns < l->to_ns)
            begin_part(s, l, l->part_to_ns);
        else if (l->part_left_ns == 0 && !begin_interval(s, l)) {
            l->rank = INT64_MIN;
            continue;
        }
        const int64_t next = t_ns < l->part_from_ns ? l->part_from_ns : l->part_to_ns;
        end = gs_min(next, end);
    }
    if (s->started < s->n_counted && pair[s->by_start[s->started]].start_ns < end)
        end = pair[s->by_start[s->started]].start_ns;
    if (s->stopped < s->n_counted && pair[s->by_stop[s->stopped]].stop_ns < end)
        end = pair[s->by_stop[s->stopped]].stop_ns;
    return end;
}

/* --- around -------------------------------------------------------------------------------------------- */

/* Pairs of one start, or one stop, by what else tells them apart, never by number. */
static int compare_pairs(const void *of, uint32_t a, uint32_t b)
{
    const struct sweep *const s = of;
    const struct gs_pair *const x = &s->view->pair[a], *const y = &s->view->pair[b];
    const struct gs_dataset *const d = s->host->d;
    const int64_t left[] = {!x->continues, x->job, x->start_ns, x->stop_ns, x->event, x->gpu};
    const int64_t right[] = {!y->continues, y->job, y->start_ns, y->stop_ns, y->event, y->gpu};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        GS_DIFFER(gs_cmp(left[i], right[i]));
    GS_DIFFER(gs_str_compare(gs_intern_text(&d->attributes, x->attributes),
                             gs_intern_text(&d->attributes, y->attributes)));
    return gs_str_compare(d->task.text[x->task], d->task.text[y->task]);
}

/* The pairs that count by the instants in `code`, which hold their places; NULL without memory. */
static uint32_t *order_pairs(struct sweep *s, const uint64_t *code)
{
    uint32_t *const order =
        gs_rows_in_order(code, 64, s->view->n_pairs, compare_pairs, s, s->host->scratch);
    size_t n = 0;
    for (uint32_t i = 0; order != NULL && i < s->view->n_pairs; i++)
        if (gs_pair_ns(&s->view->pair[order[i]]) > 0)
            order[n++] = order[i];
    s->n_counted = n;
    return order;
}

static enum gs_status reserve(struct sweep *s, struct gs_err *err)
{
    struct gs_arena *const a = s->host->scratch;
    const uint32_t n_pairs = s->view->n_pairs;
    s->n_gpus = s->view->n_gpus;
    GS_TAKE(s->lane, s->n_gpus, a, err);
    GS_TAKE(s->active, n_pairs, a, err);
    GS_TAKE(s->boundary, 2 * (size_t)n_pairs, a, err);
    GS_TAKE(s->mark, (size_t)n_pairs * s->n_gpus, a, err);
    GS_TAKE(s->above, (size_t)n_pairs * s->n_gpus, a, err);
    GS_TAKE(s->want, n_pairs, a, err);
    GS_TAKE(s->pooled, n_pairs, a, err);
    GS_TAKE(s->told, n_pairs, a, err);
    GS_TAKE(s->assumed, n_pairs, a, err);
    GS_TAKE(s->share_of, n_pairs, a, err);
    GS_TAKE(s->want_of, n_pairs, a, err);
    GS_TAKE(s->first, n_pairs, a, err);
    GS_TAKE(s->order, s->n_gpus, a, err);
    GS_TAKE(s->n_owners, s->n_gpus, a, err);
    return GS_OK;
}

static enum gs_status collect(struct sweep *s, struct gs_err *err)
{
    const uint32_t n_pairs = s->view->n_pairs;
    uint64_t *const code = gs_arena_take(s->host->scratch, n_pairs, 2 * sizeof *code);
    GS_TRY(gs_had_memory(code != NULL, err));
    GS_TRY(reserve(s, err));
    for (uint32_t p = 0; p < n_pairs; p++) {
        code[p] = (uint64_t)s->view->pair[p].start_ns ^ UINT64_C(1) << 63;
        code[n_pairs + p] = (uint64_t)s->view->pair[p].stop_ns ^ UINT64_C(1) << 63;
    }
    s->by_start = order_pairs(s, code);
    s->by_stop = order_pairs(s, code + n_pairs);
    return gs_had_memory(s->by_start != NULL && s->by_stop != NULL, err);
}

/* Where jobs that hold GPUs start and stop: those without cut no interval. */
static void find_boundaries(struct sweep *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_counted; i++) {
        const struct gs_pair *const pair = &s->view->pair[s->by_start[i]];
        if (s->want[s->by_start[i]] == 0)
            continue;
        s->boundary[n++] = pair->start_ns;
        s->boundary[n++] = pair->stop_ns;
    }
    GS_SORT(s->boundary, n, gs_compare_int64);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || s->boundary[i] != s->boundary[i - 1])
            s->boundary[s->n_boundaries++] = s->boundary[i];
}

enum gs_attribution gs_job_attribution(const struct gs_job_sum *sum)
{
    enum gs_attribution worst = GS_ATTRIBUTION_NONE;
    for (int k = 0; k < GS_N_ATTRIBUTIONS; k++)
        if (sum->n_parts[k] > 0)
            worst = (enum gs_attribution)k;
    return worst;
}

/* What a pair held of the time that the samples cover, and which of its GPUs never did anything. */
static void end_pair(struct sweep *s, uint32_t p)
{
    const struct gs_pair *const pair = &s->view->pair[p];
    struct gs_job_sum *const sum = &s->of_pair[p];
    /* Of jobs alone all is known but what their GPUs did. */
    const bool alone = s->host->d->table[GS_TABLE_SAMPLES].n_columns == 0;
    const bool any = alone || (s->from_ns != GS_MISSING && pair->stop_ns > s->from_ns &&
                               pair->start_ns < s->to_ns);
    const int64_t from = alone ? pair->start_ns : gs_max(pair->start_ns, s->from_ns);
    const int64_t to = alone ? pair->stop_ns : gs_min(pair->stop_ns, s->to_ns);
    sum->gpus = s->want[p];
    enum gs_attribution how = gs_job_attribution(sum);
    if (alone && !s->told[p])
        how = GS_ATTRIBUTION_WHOLE;
    else if (!any || s->want[p] == 0 || s->n_gpus == 0)
        how = GS_ATTRIBUTION_NONE;
    memset(sum->n_parts, 0, sizeof sum->n_parts);
    sum->n_parts[how] = 1;
    if (!any)
        return;
    const gs_i128 wall = (gs_i128)to - from;
    sum->wall_ns = pair->is_copy ? 0 : wall;
    sum->held = s->want[p] * wall;
    sum->n_cut_start = from > pair->start_ns || pair->cut_start;
    sum->n_cut_stop = to < pair->stop_ns || pair->cut_stop;
    gs_i128 seen = 0, worked = 0;
    for (uint32_t k = 0; k < s->n_gpus; k++) {
        const size_t at = (size_t)p * s->n_gpus + k;
        const bool is_seen = (s->mark[at] & SEEN) != 0;
        seen += is_seen;
        worked += is_seen && ((s->mark[at] & WORKED) != 0 || s->above[at] >= 0);
    }
    /* Which of the pool's were its own is not known: so many at least never did anything. */
    gs_i128 unused = (seen - worked) * ONE_GPU;
    if (s->pooled[p])
        unused -= gs_max(seen * ONE_GPU - s->want[p], 0);
    sum->unused = gs_max(unused, 0) * wall;
}

/*
 * Adds what makes a window's energy uncertain, of `part` in `whole` of it; the energy itself has been divided. What is of
 * the GPU's card stays in *w, for it is of all that a GPU has of a row.
 */
static void add_doubt(struct gs_energy_sum *sum, struct gs_energy_sum *w, gs_u128 part,
                      gs_u128 whole)
{
    gs_i128 *const linear[] = {&w->scale,      &w->zero,  &w->unknown,
                               &w->unknown_ns, &w->edges, &w->blind};
    for (size_t i = 0; i < sizeof linear / sizeof *linear; i++)
        *linear[i] = gs_jobs_portion(*linear[i], part, whole);
    /* Squares scale with the square of the share. */
    w->sampling_uj2 = gs_jobs_portion(gs_jobs_portion(w->sampling_uj2, part, whole), part, whole);
    w->edges_uj2 = gs_jobs_portion(gs_jobs_portion(w->edges_uj2, part, whole), part, whole);
    w->energy = w->bridged = w->time_ns = w->covered_ns = 0;
    w->n = 0;
    gs_energy_sum_merge(sum, w);
}

/*
 * Nobody's doubt about a GPU, of `left` of its log, by what each of the sums has of what nobody held. Where a job has too much
 * at its ends, nobody has too little: `edges`.
 */
static void add_free_doubt(struct sweep *s, const struct gs_energy_sum *log,
                           const struct gs_energy_sum *edges, gs_i128 left)
{
    const int n = s->o->by_time ? GS_N_FREE : 1;
    gs_i128 all = 0;
    for (int k = 0; k < n; k++)
        all += gs_max(s->nobody[k].used.energy, 0);
    for (int k = 0; k < n; k++) {
        struct gs_energy_sum *const used = &s->nobody[k].used;
        struct gs_energy_sum w = *log, ends = *edges;
        gs_i128 part = left;
        if (n > 1)
            part = gs_jobs_portion(left, (gs_u128)gs_max(used->energy, 0), (gs_u128)all);
        if (part <= 0)
            continue;
        add_doubt(used, &w, (gs_u128)part, (gs_u128)log->energy);
        add_doubt(used, &ends, (gs_u128)part, (gs_u128)left);
        used->own_uj2 += gs_energy_own_uj2(w.unknown, w.unknown_ns);
    }
}

/* The doubt about the sensor of a GPU in what each held of it: of a pool its part, and nobody what is left. */
static void add_doubts(struct sweep *s, const struct lane *l, struct gs_energy_point *at)
{
    const struct gs_host_view *const h = s->view;
    const size_t k = (size_t)(l - s->lane);
    struct gs_energy_sum log = {0}, edges = {0};
    gs_energy_points(&l->curve, h->time, h->n_times, at);
    for (uint32_t i = 0; i < h->n_times; i++)
        at[i].out_ns = 0; /* what reaches beyond the log is cut there, and said to be */
    (void)gs_energy_sum_log(&log, &l->curve);
    struct gs_energy_sum all = log;
    if (log.n > 0)
        gs_energy_sum_end_gpu(&all);
    if (s->fleet != NULL)
        gs_energy_sum_merge(&s->fleet->used, &all);
    for (size_t i = 0; i < s->n_counted; i++) {
        const uint32_t p = s->by_start[i];
        const struct gs_pair *const pair = &h->pair[p];
        if (!s->pooled[p] && (s->mark[(size_t)p * s->n_gpus + k] & HOLDS) == 0)
            continue;
        const gs_u128 whole = (gs_u128)s->n_gpus * ONE_GPU;
        const gs_u128 want = (gs_u128)s->want[p],
                      part = s->pooled[p] && want < whole ? want : whole;
        struct gs_energy_sum w = {0};
        if (!gs_energy_sum_window(&w, &l->curve, &at[pair->start_at], &at[pair->stop_at]))
            continue;
        add_doubt(&s->of_pair[p].used, &w, part, whole);
        edges.edges -= w.edges;
        edges.edges_uj2 += w.edges_uj2;
        s->of_pair[p].use[k] = (struct gs_energy_use){w.unknown, w.unknown_ns};
    }
    if (l->free_energy > 0 && log.energy >= l->free_energy)
        add_free_doubt(s, &log, &edges, l->free_energy);
}

enum gs_status gs_jobs_divide(const struct gs_jobs_options *o, const struct gs_fold_host *host,
                              struct gs_job_sum *of_pair, struct gs_job_sum *nobody,
                              struct gs_job_sum *fleet, struct gs_err *err)
{
    const struct gs_dataset *const d = host->d;
    struct sweep s = {.o = o,
                      .host = host,
                      .view = host->view,
                      .of_pair = of_pair,
                      .nobody = nobody,
                      .fleet = fleet,
                      .from_ns = GS_MISSING,
                      .to_ns = GS_MISSING,
                      .mem_used = gs_metrics_find(d->metric, d->n_metrics, gs_str("mem_used_mib")),
                      .mem_total =
                          gs_metrics_find(d->metric, d->n_metrics, gs_str("mem_total_mib"))};
    GS_NEW_RAW(struct gs_energy_point, at, host->view->n_times, host->scratch, err);
    GS_TRY(collect(&s, err));
    for (size_t i = 0; i < s.n_counted; i++)
        settle_want(&s, s.by_start[i]);
    find_boundaries(&s);
    for (uint32_t k = 0; k < s.n_gpus; k++) {
        s.lane[k].gpu = gs_gpu_log(&s.view->gpu[k]);
        s.lane[k].idle_power = GS_MISSING;
        if (!has_utilisation(s.lane[k].gpu))
            GS_TRY(find_idle_power(&s, &s.lane[k], err));
        GS_TRY(begin_lane(&s, &s.lane[k], err));
    }
    find_owners(&s);
    for (int64_t t = s.from_ns, end; s.from_ns != GS_MISSING && t < s.to_ns; t = end) {
        GS_TRY(change_holders(&s, t, err));
        end = stretch_end(&s, t);
        divide_stretch(&s, t, end - t);
    }
    GS_TRY(end_holders(&s, err));
    for (size_t i = 0; i < s.n_counted; i++)
        end_pair(&s, s.by_start[i]);
    for (uint32_t k = 0; k < s.n_gpus; k++)
        if (s.lane[k].curve.n > 1)
            add_doubts(&s, &s.lane[k], at);
    return GS_OK;
}
