/* gpu_verdict.c - siblings, loaded instants, differences, scores and what they amount to. */
#include "analysis/gpus/gpu_verdict.h"

#include <math.h>
#include <string.h>

#include "base/core/intern.h"
#include "base/num/order.h"
#include "base/num/whole.h"
#include "stats/descriptive/quantile.h"
#include "stats/descriptive/rank.h"
#include "stats/descriptive/special.h"

/*
 * What is bad, how much healthy GPUs differ, and what difference is worth a word. Clock and power are relative to the
 * siblings'. Found on simulated fleets; see tests/oracle/verdicts.py.
 */
static const struct {
    bool relative;
    double sign, healthy, least;
} loads[GS_N_LOADS] = {
    [GS_LOAD_CLOCK] = {true, -1, 0.015, 0.05},
    [GS_LOAD_POWER] = {true, -1, 0.04, 0.15},
    [GS_LOAD_TEMP] = {false, 1, 3.5, 10},
    [GS_LOAD_UTIL] = {false, -1, 2.5, 10},
};

#define Q_LIMIT         0.01
#define LOADED_PCT      20.0 /* utilisation from which an instant is loaded */
#define IDLE_POINTS     60.0
#define HOTTER_K        6.0  /* beside a low clock */
#define HOTTER_HOST_K   10.0 /* likewise, of a whole host: chassis differ by more */
#define LESS_POWER      0.08 /* likewise */
#define MORE_REASONS    10.0 /* points more of the time than the siblings */
#define LOWER_LIMIT     0.99 /* of the siblings' power limit */
#define SLOW_INSTANT    (GS_SLOW_CLOCK_PCT / 100)
#define OFTEN           0.05
#define MEAN_DEFICIT    (-0.01)
#define ALWAYS          0.1 /* what begins within this share of the loaded time was there from the start */
#define IN_STEP         0.5 /* share of the instants with load that siblings have in common, but for: */
#define ALIKE_BY_CHANCE 0.4 /* half of what chance gives, at most */
#define LASTS           0.2 /* of the loaded time: what differs for as long, to the end, is no early end */

enum {
    FEW_SIBLINGS = 16,
    FEW_UNITS = 4,
    N_BATCHES = 8,
    SLOW_INSTANTS_MIN = 10,
    INSTANTS_MIN = 60,
    CHASSIS_MIN = 4,
    SLOT_MIN = 4,
    LOADED_MIN = 10,   /* instants: from fewer nothing is said */
    STUCK_MIN = 30,    /* instants of one reading that are too many, */
    STUCK_FACTOR = 10, /* and this many times what is usual for the siblings */
    HALVES_MIN = 3
};

struct side {
    double m, se, z, q;
    double m_since; /* as m, from `since` on */
    double judged;  /* m_since where it lasts since then, else m: a change is not noise */
    double looks;   /* stretches as long as the one judged */
    int64_t since;  /* cell; INT64_MAX: never */
    bool returns;   /* since then it was fine again for a good part of the time */
};

/* A GPU of the run. */
struct unit {
    uint32_t gpu;    /* in the fleet */
    size_t from, to; /* its series among the records */
    struct gs_str card, job;
    uint64_t jobs; /* hash of the labels of its series; 0: they have none               */
    bool of_jobs;  /* its work changed with every job: only its host's GPUs did the same */
    bool is_part;  /* some of the samples are of times when jobs held parts of its host   */
    bool is_mixed; /* its siblings did other work: only what no work explains is told     */
    uint64_t slot;
    uint32_t group, n_siblings; /* GS_NONE: none */
    struct side side[GS_N_LOADS];
    double own[GS_N_LOADS]; /* its median under load */
    /* is of the lower half of siblings that fall into two, see find_halves */
    bool lower[GS_N_LOADS];
    double hotter_host, low_by; /* K of its host above the run; its clock where it dips */
    /* shares of the loaded time; limit in W */
    double part, deficit, hot, thermal, capped, limit;
    double thermal_more, capped_more, limit_share; /* against the siblings */
    uint64_t n_loaded, n_running, n_slow, n_dips;  /* dips: slow, and lower than usual for it */
    int64_t first_loaded, part_since;
    int64_t last, repeats_from; /* cells: its last reading, -1: none; from where one repeats */
    bool has_more;              /* throttle reasons, or temperatures that are hot by any standard */
    uint64_t n_repeats;         /* instants under load with the same reading, the most */
    int64_t silent_since, stuck_since, stopped_since; /* INT64_MAX: never */
};

/* The readings of one GPU in one cell of the run. */
struct tally {
    gs_i128 sum[GS_N_LOADS];
    uint64_t n[GS_N_LOADS];
};

struct group {
    size_t first, n;      /* in member[] */
    bool apart;           /* siblings that nothing keeps in step */
    bool by_chassis;      /* each has siblings on its own host   */
    bool any[GS_N_LOADS]; /* has such readings              */
};

struct judging {
    const struct gs_records *loads;
    const struct gs_gpu_list *fleet;
    const uint32_t *population;
    struct unit *unit;
    uint32_t *member; /* [n], group by group, in the order of the GPUs */
    struct group *group;
    size_t n, n_groups;
    struct gs_fleet_grid grid;
    int64_t first; /* number of the first cell */
    size_t n_cells;
    struct tally *tally; /* [n_cells], zeroed: room for one GPU's cells */
    int64_t *key;        /* room for a median of cells or units         */
    bool has_clock;
};

/*
 * The median of doubles as keys, which are reordered; NaN of nothing. Medians and not means
 * throughout this file: one GPU that is far off must not move what its siblings are compared with.
 * Doubles are selected as integer keys, which have a total order.
 */
static double middle(int64_t *key, size_t n)
{
    if (n == 0)
        return NAN;
    gs_select(key, n, n / 2);
    const double high = gs_real_of_key(key[n / 2]);
    if (n % 2 == 1)
        return high;
    int64_t low = key[0];
    for (size_t i = 1; i < n / 2; i++)
        low = gs_max(key[i], low);
    /* Halved before adding, so that two large values cannot overflow to infinity. */
    return gs_real_of_key(low) / 2 + high / 2;
}

/* The median of what is known of n values that stand `step` apart. */
static double middle_of(const double *x, size_t n, size_t step, int64_t *key)
{
    size_t n_known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i * step]))
            key[n_known++] = gs_real_key(x[i * step]);
    return middle(key, n_known);
}

/* --- units and groups --------------------------------------------------------------------------------- */

/* Series and GPUs are in one order, by host, serial and UUID. */
static enum gs_status collect_units(struct judging *j, struct gs_err *err)
{
    const struct gs_gpu_list *const fleet = j->fleet;
    int64_t first = INT64_MAX, last = INT64_MIN, interval = 0;
    size_t at = 0;
    for (uint32_t g = 0; g < fleet->n_gpus; g++) {
        const struct gs_gpu_name *const name = &fleet->gpu[g];
        const union gs_key key[] = {
            {.text = name->host}, {.text = name->serial}, {.text = name->uuid}};
        struct unit *const u = &j->unit[j->n];
        *u = (struct unit){.gpu = g,
                           .group = GS_NONE,
                           .own = {NAN, NAN, NAN, NAN},
                           .hotter_host = NAN,
                           .low_by = NAN,
                           .limit = NAN,
                           .part_since = INT64_MAX,
                           .stuck_since = INT64_MAX,
                           .stopped_since = INT64_MAX,
                           .silent_since = INT64_MAX};
        for (int k = 0; k < GS_N_LOADS; k++)
            u->side[k] = (struct side){
                .m = NAN, .z = NAN, .m_since = NAN, .judged = NAN, .since = INT64_MAX};
        while (at < j->loads->n && gs_keys_compare("ttt", gs_records_key(j->loads, at, 4), key) < 0)
            at++;
        u->from = at;
        for (;
             at < j->loads->n && gs_keys_compare("ttt", gs_records_key(j->loads, at, 4), key) == 0;
             at++) {
            struct gs_load_series s;
            GS_TRY(gs_load_open(j->loads, at, &s, err));
            u->card = s.card;
            /*
             * A GPU that served several jobs has no siblings by job; it is then compared within
             * its host, with those that served the same ones, or group.
             */
            const struct gs_str label = gs_records_key(j->loads, at, 4)[3].text;
            if (label.len > 0)
                u->jobs = gs_hash(label.ptr, label.len, u->jobs);
            u->of_jobs |= s.of_jobs || label.len > 0;
            u->is_part |= s.is_part;
            if (at == u->from)
                u->job = s.job;
            else if (!gs_str_eq(u->job, s.job))
                u->job = GS_NO_STR;
            if (gs_count_parse(s.index, UINT32_MAX, &u->slot) != GS_NUMBER_OK)
                u->slot = UINT64_MAX;
            if (s.power_limit != GS_MISSING)
                u->limit = (double)s.power_limit;
            first = gs_min(s.first_ns, first);
            last = gs_max(s.last_ns, last);
            interval = gs_max(s.interval_ns, interval);
        }
        u->to = at;
        j->n += u->to > u->from;
    }
    if (j->n == 0)
        return GS_OK;
    j->grid = gs_load_grid(first, last, interval, j->loads->n);
    j->first = gs_floor_div(first, j->grid.width_ns);
    j->n_cells = (size_t)(gs_floor_div(last, j->grid.width_ns) - j->first + 1);
    return GS_OK;
}

/* What a unit is grouped by. */
struct place {
    struct gs_str card, name;
    uint64_t number;
    uint32_t unit;
};

GS_COMPARES(by_place, struct place, GS_BY_TEXT(card) GS_BY_TEXT(name) GS_BY(number) GS_BY(unit));

enum sibling { OF_JOB, OF_HOST, OF_POPULATION, OF_SHARED_HOST, OF_SITE, N_SIBLING };

/* Is a unit grouped like that? On a host that jobs share they did other work, unless there was one job. */
static bool may_join(const struct unit *u, enum sibling how)
{
    static const bool by_work[N_SIBLING] = {[OF_HOST] = true, [OF_POPULATION] = true};
    if (u->group != GS_NONE || (how == OF_JOB && u->job.len == 0) ||
        (how == OF_POPULATION && u->of_jobs))
        return false;
    return !by_work[how] || !u->is_part;
}

/*
 * Groups of two and more of the units that have none yet. The order matters: GPUs of one job do
 * the same work at the same time and are the best comparison, then those of one host, then the
 * whole group; last, whatever jobs they served, those of one host and of the site. Each unit keeps
 * the first group that it gets.
 */
static void group_by(struct judging *j, enum sibling how, struct place *place)
{
    size_t n = 0, n_members = 0;
    if (j->n_groups > 0)
        n_members = j->group[j->n_groups - 1].first + j->group[j->n_groups - 1].n;
    for (uint32_t i = 0; i < j->n; i++) {
        const struct unit *const u = &j->unit[i];
        if (!may_join(u, how))
            continue;
        place[n] = (struct place){.card = u->card, .unit = i};
        if (how == OF_JOB) {
            place[n].name = u->job;
        } else if (how == OF_HOST || how == OF_SHARED_HOST) {
            place[n].name = j->fleet->gpu[u->gpu].host;
            place[n].number = how == OF_HOST ? u->jobs : 0;
        } else if (how == OF_POPULATION && j->population != NULL) {
            place[n].number = j->population[u->gpu];
        }
        n++;
    }
    GS_SORT(place, n, by_place);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && gs_str_eq(place[end].card, place[i].card) &&
                          gs_str_eq(place[end].name, place[i].name) &&
                          place[end].number == place[i].number;)
            end++;
        /*
         * A GPU alone has nothing to be compared with. It may still find siblings in the next
         * round.
         */
        if (end - i < 2)
            continue;
        j->group[j->n_groups] =
            (struct group){.first = n_members, .n = end - i, .apart = how >= OF_POPULATION};
        for (size_t k = i; k < end; k++) {
            j->member[n_members++] = place[k].unit;
            j->group[j->n_groups].apart |= j->unit[place[k].unit].is_part;
            j->unit[place[k].unit].is_mixed = how >= OF_SHARED_HOST;
            j->unit[place[k].unit].group = (uint32_t)j->n_groups;
            j->unit[place[k].unit].n_siblings = (uint32_t)(end - i - 1);
        }
        j->n_groups++;
    }
}

static struct unit *member(const struct judging *j, const struct group *g, size_t i)
{
    return &j->unit[j->member[g->first + i]];
}

static bool on_one_host(const struct judging *j, const struct unit *a, const struct unit *b)
{
    return gs_str_eq(j->fleet->gpu[a->gpu].host, j->fleet->gpu[b->gpu].host);
}

/* The members of one host, which stand side by side: where those of member i end. */
static size_t chassis_end(const struct judging *j, const struct group *g, size_t i)
{
    size_t end = i + 1;
    while (end < g->n && on_one_host(j, member(j, g, i), member(j, g, end)))
        end++;
    return end;
}

/* --- rows --------------------------------------------------------------------------------------------- */

/* Calls `take` for every cell of a unit with its column in the run. */
typedef void take_fn(void *context, size_t column, const struct gs_load_cell *cell);

static enum gs_status each_cell(const struct judging *j, const struct unit *u, take_fn *take,
                                void *context, struct gs_err *err)
{
    for (size_t i = u->from; i < u->to; i++) {
        struct gs_load_series s;
        struct gs_load_cell cell;
        GS_TRY(gs_load_open(j->loads, i, &s, err));
        const int finer = j->grid.doublings - s.doublings; /* never below 0 in states of one run */
        while (finer >= 0 && gs_load_next(&s, &cell)) {
            const int64_t at = gs_floor_div(cell.at, (int64_t)1 << finer) - j->first;
            if (at >= 0 && (size_t)at < j->n_cells)
                take(context, (size_t)at, &cell);
        }
        if (s.cells.status != GS_OK)
            return s.cells.status;
    }
    return GS_OK;
}

struct row {
    struct tally *tally;
    bool has_more;
};

static void take_loads(void *context, size_t column, const struct gs_load_cell *cell)
{
    struct row *const row = context;
    for (int k = 0; k < GS_N_LOADS; k++) {
        row->tally[column].sum[k] += cell->sum[k];
        row->tally[column].n[k] += cell->n[k];
    }
    row->has_more |= cell->n_reasons > 0 || cell->n_hot > 0;
}

/*
 * Nothing is kept of a metric before its first reading: most logs lack one, and rows are most of the memory. Power is
 * looked at in any case where there is no utilisation.
 */
static void add_mean(struct group *g, int k, double *x, size_t at, const struct tally *cell)
{
    if (cell->n[k] > 0 && !g->any[k]) {
        for (size_t i = 0; i < at; i++)
            x[i] = NAN;
        g->any[k] = true;
    }
    if (g->any[k] || k == GS_LOAD_POWER)
        x[at] = cell->n[k] == 0
                    ? (double)NAN
                    : gs_i128_real(cell->sum[k]) / ((double)cell->n[k] * (double)GS_FIXED_ONE);
}

/* The means of all metrics in every cell of the run, NaN where there is no reading, of each member of a group. */
static enum gs_status read_rows(const struct judging *j, struct group *g,
                                double *const x[GS_N_LOADS], struct gs_err *err)
{
    for (size_t i = 0; i < g->n; i++) {
        struct row row = {.tally = j->tally};
        GS_TRY(each_cell(j, member(j, g, i), take_loads, &row, err));
        member(j, g, i)->has_more = row.has_more;
        for (size_t t = 0; t < j->n_cells; t++) {
            const struct tally *const at = &j->tally[t];
            for (int k = 0; k < GS_N_LOADS; k++)
                add_mean(g, k, x[k], i * j->n_cells + t, at);
        }
        memset(j->tally, 0, j->n_cells * sizeof *j->tally);
    }
    return GS_OK;
}

/* --- loaded instants ---------------------------------------------------------------------------------- */

/* When the group as a whole works, and each of its members. */
struct load {
    bool *group;    /* [n_cells]     */
    int8_t *member; /* [n * n_cells], 1: it works, 0: it does not, -1: not known */
};

/* The readings of a group's members under one load, and each held against its siblings. */
struct readings {
    double *x[GS_N_LOADS]; /* [n * n_cells] as they are           */
    double *d;             /* [n * n_cells] their difference from the others */
    double *own;           /* [n] room: each member's median                */
    bool *lower;           /* [n] what find_halves finds of this load        */
};

/* The power above which a GPU works: a quarter of the way up from idle; without a range all of it is work. */
static enum gs_status power_threshold(const struct judging *j, const double *centre, double *least,
                                      struct gs_arena *scratch, struct gs_err *err)
{
    static const struct gs_prob ends[] = {{2, 100}, {98, 100}};
    double q[2];
    const enum gs_status s = gs_real_quantiles(centre, j->n_cells, ends, 2, scratch, q, NULL);
    if (s == GS_OK)
        *least = q[1] - q[0] > 0.1 * q[1] ? q[0] + 0.25 * (q[1] - q[0]) : -INFINITY;
    return gs_had_memory(s != GS_ERR_MEMORY, err); /* of no power at all nothing is load */
}

/*
 * How much of the instants when a member or its group works both do, of what chance leaves of it: two that work for most of
 * their time do so together often, though nothing keeps them in step.
 */
static double share_in_step(const struct judging *j, const struct load *load, const int8_t *own)
{
    double n = 0, n_own = 0, n_group = 0, n_both = 0;
    for (size_t t = 0; t < j->n_cells; t++) {
        if (own[t] == -1)
            continue;
        n++;
        n_own += own[t] == 1;
        n_group += load->group[t];
        n_both += own[t] == 1 && load->group[t];
    }
    if (n_both == 0)
        return 0;
    const double chance = n_own * n_group / (n * (n_own + n_group) - n_own * n_group);
    return n_both / (n_own + n_group - n_both) - gs_min(ALIKE_BY_CHANCE, chance / 2);
}

/* Are the siblings in step? Then half of them or more have most of their loaded instants in common with the group. */
static bool are_in_step(const struct judging *j, const struct group *g, const struct load *load)
{
    for (size_t i = 0; i < g->n; i++)
        j->key[i] = gs_real_key(share_in_step(j, load, load->member + i * j->n_cells));
    /*
     * The median, not the least: one sibling that idles all the time must not turn a group in step
     * into one that is not.
     */
    gs_select(j->key, g->n, g->n / 2);
    return gs_real_of_key(j->key[g->n / 2]) >= IN_STEP;
}

/* The middle of the group in every cell. Of siblings that nothing keeps in step it is asked for their power's range only. */
static void find_centre(const struct judging *j, const struct group *g, const double *x,
                        double *centre)
{
    const bool needed = !g->apart || !g->any[GS_LOAD_UTIL];
    for (size_t t = 0; t < j->n_cells; t++)
        centre[t] = needed ? middle_of(x + t, g->n, j->n_cells, j->key) : (double)NAN;
}

/* When a GPU worked last, if its siblings go on for long and it never works again. */
static void find_stop(const struct judging *j, struct unit *u, const struct load *load,
                      const int8_t *own)
{
    int64_t last = -1;
    uint64_t n_idle = 0;
    for (size_t t = 0; t < j->n_cells; t++) {
        n_idle += own[t] == 0 && load->group[t];
        if (own[t] == 1) {
            last = (int64_t)t;
            n_idle = 0;
        }
    }
    if (last >= 0 && n_idle >= LOADED_MIN && (double)n_idle >= LASTS * (double)u->n_loaded)
        u->stopped_since = last + 1;
}

static enum gs_status find_load(const struct judging *j, struct group *g, const struct readings *r,
                                const struct load *load, struct gs_arena *scratch,
                                struct gs_err *err)
{
    GS_NEW_RAW(double, centre, j->n_cells, scratch, err);
    const bool by_power = !g->any[GS_LOAD_UTIL];
    const double *const x = r->x[by_power ? GS_LOAD_POWER : GS_LOAD_UTIL];
    double least = LOADED_PCT;
    enum gs_status s = GS_OK;
    find_centre(j, g, x, centre);
    if (by_power)
        s = power_threshold(j, centre, &least, scratch, err);
    for (size_t t = 0; s == GS_OK && t < j->n_cells; t++) {
        load->group[t] = centre[t] >= least;
        for (size_t i = 0; i < g->n; i++) {
            const double own = x[i * j->n_cells + t];
            load->member[i * j->n_cells + t] = isnan(own) ? -1 : (int8_t)(own >= least);
        }
    }
    g->apart = g->apart || !are_in_step(j, g, load);
    for (size_t i = 0; s == GS_OK && i < g->n; i++) {
        struct unit *const u = member(j, g, i);
        /*
         * In step, the group's load counts for all: a GPU that idles while its siblings work is
         * exactly what is looked for. Without step each GPU's own load counts.
         */
        u->first_loaded = INT64_MAX;
        for (size_t t = 0; t < j->n_cells; t++) {
            const bool loaded = g->apart ? load->member[i * j->n_cells + t] == 1 : load->group[t];
            u->n_loaded += loaded;
            if (loaded && u->first_loaded == INT64_MAX)
                u->first_loaded = (int64_t)t;
        }
        if (!g->apart)
            find_stop(j, u, load, load->member + i * j->n_cells);
    }
    return s;
}

/* --- differences -------------------------------------------------------------------------------------- */

/* Keeps the readings under load. The clock of a GPU that does not work says nothing: that it idles is its utilisation's. */
static void mask_row(const struct judging *j, const struct group *g, const struct load *load,
                     size_t i, enum gs_load k, double *x)
{
    for (size_t t = 0; t < j->n_cells; t++) {
        const int8_t own = load->member[i * j->n_cells + t];
        const bool counts =
            g->apart ? own == 1 : load->group[t] && !(k == GS_LOAD_CLOCK && own == 0);
        if (!counts)
            x[t] = NAN;
    }
}

static double difference(double x, double of, bool relative)
{
    if (!relative)
        return x - of;
    return of > 0 ? x / of - 1 : (double)NAN;
}

/*
 * Where half of the siblings are far below the other half, the middle of the others is the lower half for each of the
 * upper one, and between both where they are odd: what is compared then is the upper half. Far: by what is worth a
 * word, and more than each half differs within itself.
 */
static void find_halves(const struct judging *j, const struct group *g, enum gs_load k,
                        const struct readings *r)
{
    size_t n = 0;
    memset(r->lower, 0, g->n * sizeof *r->lower);
    for (size_t i = 0; i < g->n; i++) {
        r->own[i] = middle_of(r->x[k] + i * j->n_cells, j->n_cells, 1, j->key);
        n += isnan(r->own[i]) == 0;
    }
    if (n < HALVES_MIN || k == GS_LOAD_TEMP || g->apart)
        return;
    n = 0;
    for (size_t i = 0; i < g->n; i++)
        if (!isnan(r->own[i]))
            j->key[n++] = gs_real_key(r->own[i]);
    GS_SORT(j->key, n, gs_compare_int64);
    const double least = gs_real_of_key(j->key[0]), low = gs_real_of_key(j->key[n / 2 - 1]),
                 high = gs_real_of_key(j->key[n / 2]), most = gs_real_of_key(j->key[n - 1]);
    const double gap = high - low;
    if (gap <= low - least || gap <= most - high ||
        -difference(low, high, loads[k].relative) < loads[k].least)
        return;
    for (size_t i = 0; i < g->n; i++)
        member(j, g, i)->lower[k] = r->lower[i] = r->own[i] <= low;
}

/* The middle, at one instant, of members [from, to) but for those of the lower half and `except`. */
static double reference(const struct judging *j, size_t from, size_t to, size_t except,
                        const struct readings *r, const double *x)
{
    size_t n = 0;
    for (size_t o = from; o < to; o++)
        if (o != except && !r->lower[o] && !isnan(x[o * j->n_cells]))
            j->key[n++] = gs_real_key(x[o * j->n_cells]);
    return middle(j->key, n);
}

/*
 * Members [from, to) against one another, instant by instant. A GPU is left out of
 * its own comparison, or two siblings would each be compared with their mean. Beyond 16 siblings
 * its own value hardly moves the median, and leaving it out would cost O(n^2).
 */
static void pair_in_step(const struct judging *j, size_t from, size_t to, const struct readings *r,
                         enum gs_load k)
{
    const size_t width = j->n_cells;
    const bool few = to - from <= FEW_SIBLINGS;
    for (size_t t = 0; t < width; t++) {
        const double *const x = r->x[k] + t;
        double of = few ? 0 : reference(j, from, to, SIZE_MAX, r, x);
        for (size_t i = from; i < to; i++) {
            if (few)
                of = reference(j, from, to, i, r, x);
            r->d[i * width + t] = difference(x[i * width], of, loads[k].relative);
        }
    }
}

/* The same where nothing keeps them in step: against the median of the others' medians. */
static void pair_apart(const struct judging *j, size_t from, size_t to, const struct readings *r,
                       enum gs_load k)
{
    const size_t n = to - from, width = j->n_cells;
    const double *const x = r->x[k];
    double *const own = r->own;
    for (size_t i = 0; i < n; i++)
        own[i] = middle_of(x + (from + i) * width, width, 1, j->key);
    const double all = middle_of(own, n, 1, j->key);
    for (size_t i = 0; i < n; i++) {
        const double kept = own[i];
        double of = all;
        if (n <= FEW_SIBLINGS) {
            own[i] = NAN;
            of = middle_of(own, n, 1, j->key);
            own[i] = kept;
        }
        for (size_t t = 0; t < width; t++)
            r->d[(from + i) * width + t] =
                difference(x[(from + i) * width + t], of, loads[k].relative);
    }
}

/*
 * How much a median of neighbouring, dependent differences is worth: from the medians of eight
 * stretches. Neighbouring instants depend on each other, so their number says little. Medians of
 * eight long stretches are nearly independent; 1.25 is the standard error of a median over that of
 * a mean.
 */
static double error_of(const struct judging *j, const double *d, size_t width)
{
    const size_t n_batches = gs_min(width, N_BATCHES);
    double batch[N_BATCHES], sum = 0, squares = 0;
    size_t n = 0, from = 0;
    for (size_t b = 0; b < n_batches; b++) {
        const size_t len = width / n_batches + (b < width % n_batches);
        const double m = middle_of(d + from, len, 1, j->key);
        if (!isnan(m))
            sum += batch[n++] = m;
        from += len;
    }
    if (n < 2 || n_batches < 3)
        return 0;
    for (size_t b = 0; b < n; b++)
        squares += (batch[b] - sum / (double)n) * (batch[b] - sum / (double)n);
    return 1.25 * sqrt(squares / (double)(n - 1)) / sqrt((double)n_batches);
}

/* The running median of five instants: when a difference began, and how often the clock was far below. */
static void find_instants(const struct judging *j, struct unit *u, enum gs_load k, const double *d)
{
    double sum = 0, dips = 0;
    size_t bad = 0; /* the first bad instant from `from` on: without one no median is, either */
    for (size_t t = 0; t < j->n_cells; t++) {
        /* Five instants: a single outlying cell is no throttling and sets no start time. */
        const size_t from = gs_excess(t, 2), to = gs_min(t + 3, j->n_cells);
        for (bad = gs_max(bad, from); bad < to && !(loads[k].sign * d[bad] >= loads[k].least);)
            bad++;
        if (isnan(d[t]) || (k != GS_LOAD_CLOCK && (u->side[k].since != INT64_MAX || bad == to)))
            continue;
        const double m = middle_of(d + from, to - from, 1, j->key);
        if (loads[k].sign * m >= loads[k].least && u->side[k].since == INT64_MAX)
            u->side[k].since = (int64_t)t;
        if (k != GS_LOAD_CLOCK)
            continue;
        u->n_running++;
        sum += gs_min(m, 0);
        u->n_slow += m < SLOW_INSTANT;
        /* A GPU whose clock is always a little low is not slow for a part of the time. */
        if (m < SLOW_INSTANT && m < u->side[k].m - loads[k].least) {
            if (u->n_dips++ == 0)
                u->part_since = (int64_t)t;
            dips += m;
        }
    }
    if (k == GS_LOAD_CLOCK && u->n_running > 0) {
        u->part = (double)u->n_slow / (double)u->n_running;
        u->deficit = sum / (double)u->n_running;
        u->low_by = dips / (double)u->n_dips; /* NaN without any */
    }
}

/* Where a GPU's readings end, and its longest repetition of one of them while the siblings work. */
static void find_repeats(const struct judging *j, struct unit *u, const bool *loaded,
                         const double *x)
{
    uint64_t n = 0;
    int64_t from = 0;
    u->last = -1;
    u->n_repeats = 0;
    for (size_t t = 0; t < j->n_cells; t++) {
        if (isnan(x[t]))
            continue;
        if (!loaded[t] || u->last < 0 || x[t] != x[u->last])
            n = 0;
        if (n == 0)
            from = (int64_t)t;
        n += loaded[t];
        if (n > u->n_repeats) {
            u->n_repeats = n;
            u->repeats_from = from;
        }
        u->last = (int64_t)t;
    }
}

/* Which members stop answering, or repeat one power reading, while their siblings' go on and change. */
static void find_silent(struct judging *j, const struct group *g, enum gs_load k,
                        const bool *loaded, const double *x)
{
    for (size_t i = 0; i < g->n; i++) {
        struct unit *const u = member(j, g, i);
        find_repeats(j, u, loaded, x + i * j->n_cells);
        j->key[i] = u->last;
    }
    /* The middle one: neither does one that outlives all others make these silent, nor one that ends early hide it. */
    gs_select(j->key, g->n, g->n / 2);
    const int64_t last = j->key[g->n / 2];
    for (size_t i = 0; i < g->n; i++)
        j->key[i] = (int64_t)member(j, g, i)->n_repeats;
    gs_select(j->key, g->n, (g->n - 1) / 2);
    const uint64_t usual = (uint64_t)gs_max(j->key[(g->n - 1) / 2], 1);
    for (size_t i = 0; i < g->n; i++) {
        struct unit *const u = member(j, g, i);
        uint64_t n = 0;
        for (int64_t t = u->last + 1; u->last >= 0 && t <= last; t++)
            n += loaded[t];
        if (n >= LOADED_MIN)
            u->silent_since = gs_min(u->last + 1, u->silent_since);
        if (k == GS_LOAD_POWER && u->n_repeats >= STUCK_MIN && u->n_repeats >= STUCK_FACTOR * usual)
            u->stuck_since = u->repeats_from;
    }
}

/* How much hotter than the run each whole host is: where it lacks cooling, its GPUs are alike and their chassis hides it. */
static void compare_hosts(struct judging *j, const struct group *g, const struct readings *r)
{
    if (g->apart || chassis_end(j, g, 0) == g->n)
        return;
    pair_in_step(j, 0, g->n, r, GS_LOAD_TEMP);
    for (size_t i = 0; i < g->n; i++)
        r->own[i] = middle_of(r->d + i * j->n_cells, j->n_cells, 1, j->key);
    for (size_t i = 0, end; i < g->n; i = end) {
        end = chassis_end(j, g, i);
        const double hotter = middle_of(r->own + i, end - i, 1, j->key);
        for (size_t k = i; k < end; k++)
            member(j, g, k)->hotter_host = hotter;
    }
}

/*
 * What a difference is: of all its time or, where it began and is there to the end, for a fifth of the load, since then. Of
 * siblings that are not in step only all of it counts: what is different to the end is the last of their jobs. It returns
 * where more than one in ten of the differences since it began is less than half of what counts.
 */
static void judge_side(const struct judging *j, bool apart, struct side *side, enum gs_load k,
                       const double *d)
{
    const size_t since = (size_t)gs_min(side->since, (int64_t)j->n_cells),
                 left = j->n_cells - since;
    uint64_t n = 0, n_all = 0, n_fine = 0;
    for (size_t t = 0; t < j->n_cells; t++) {
        if (isnan(d[t]))
            continue;
        n_all++;
        n += t >= since;
        n_fine += t >= since && 2 * loads[k].sign * d[t] < loads[k].least;
    }
    side->judged = side->m;
    side->m_since = middle_of(d + since, left, 1, j->key);
    side->returns = 10 * n_fine > n;
    side->se = error_of(j, d, j->n_cells);
    side->looks = 1;
    if (apart || side->returns || n < LOADED_MIN || (double)n < LASTS * (double)n_all)
        return;
    /* A short stretch wanders far by chance: as far as the time before tells, and in one of several as long. */
    side->judged = side->m_since;
    side->looks = (double)n_all / (double)n;
    side->se = fmax(error_of(j, d + since, left),
                    error_of(j, d, since) * sqrt((double)(n_all - n) / (double)n));
}

static void compare(struct judging *j, const struct group *g, enum gs_load k,
                    const struct load *load, const struct readings *r)
{
    double *const x = r->x[k];
    if (!g->any[k])
        return;
    j->has_clock |= k == GS_LOAD_CLOCK;
    if (k != GS_LOAD_TEMP && !g->apart)
        find_silent(j, g, k, load->group, x);
    for (size_t i = 0; i < g->n; i++)
        mask_row(j, g, load, i, k, x + i * j->n_cells);
    if (k == GS_LOAD_TEMP && g->by_chassis)
        compare_hosts(j, g, r);
    find_halves(j, g, k, r);
    for (size_t i = 0, end; i < g->n; i = end) {
        /* Heat is a matter of the chassis: there a GPU is held against its own. */
        end = k == GS_LOAD_TEMP && g->by_chassis ? chassis_end(j, g, i) : g->n;
        if (g->apart)
            pair_apart(j, i, end, r, k);
        else
            pair_in_step(j, i, end, r, k);
    }
    for (size_t i = 0; i < g->n; i++) {
        struct unit *const u = member(j, g, i);
        const double *const row = r->d + i * j->n_cells;
        u->own[k] = middle_of(x + i * j->n_cells, j->n_cells, 1, j->key);
        u->side[k].m = middle_of(row, j->n_cells, 1, j->key);
        find_instants(j, u, k, row);
        judge_side(j, g->apart, &u->side[k], k, row);
    }
}

/* --- reasons ------------------------------------------------------------------------------------------ */

struct reasons {
    const bool *group;
    const int8_t *own; /* NULL: the group's instants count */
    uint64_t n, n_thermal, n_capped, n_temps, n_hot;
};

static void take_reasons(void *context, size_t column, const struct gs_load_cell *cell)
{
    struct reasons *const r = context;
    if ((r->own != NULL && r->own[column] != 1) || (r->own == NULL && !r->group[column]))
        return;
    r->n += cell->n_reasons;
    r->n_thermal += cell->n_thermal;
    r->n_capped += cell->n_capped;
    r->n_temps += cell->n[GS_LOAD_TEMP];
    r->n_hot += cell->n_hot;
}

static double share(uint64_t n, uint64_t of)
{
    return of == 0 ? (double)NAN : (double)n / (double)of;
}

/* What each has more than the median of the others: thermal and power reasons; and its power limit's share of theirs. */
static enum gs_status compare_reasons(struct judging *j, const struct group *g,
                                      const struct load *load, struct gs_arena *scratch,
                                      struct gs_err *err)
{
    enum { THERMAL, CAPPED, LIMIT, N_COMPARED };
    double *const x = gs_arena_take_raw(scratch, g->n, N_COMPARED * sizeof *x);
    double of[N_COMPARED] = {NAN, NAN, NAN};
    GS_TRY(gs_had_memory(x != NULL, err));
    for (size_t i = 0; i < g->n; i++) {
        struct unit *const u = member(j, g, i);
        struct reasons r = {
            load->group, g->apart ? load->member + i * j->n_cells : NULL, 0, 0, 0, 0, 0};
        if (u->has_more)
            GS_TRY(each_cell(j, u, take_reasons, &r, err));
        u->thermal = x[i * N_COMPARED + THERMAL] = share(r.n_thermal, r.n);
        u->capped = x[i * N_COMPARED + CAPPED] = share(r.n_capped, r.n);
        u->hot = share(r.n_hot, r.n_temps);
        x[i * N_COMPARED + LIMIT] = u->limit;
    }
    for (size_t i = 0; i < g->n; i++) {
        struct unit *const u = member(j, g, i);
        /* Of few siblings the median is the others'; of many it is everybody's, and found once. */
        for (size_t k = 0; k < N_COMPARED && (i == 0 || g->n <= FEW_SIBLINGS); k++) {
            const double own = x[i * N_COMPARED + k];
            if (g->n <= FEW_SIBLINGS)
                x[i * N_COMPARED + k] = NAN; /* missing values are skipped */
            of[k] = middle_of(x + k, g->n, N_COMPARED, j->key);
            x[i * N_COMPARED + k] = own;
        }
        u->thermal_more = 100 * (u->thermal - of[THERMAL]);
        u->capped_more = 100 * (u->capped - of[CAPPED]);
        u->limit_share = u->limit / of[LIMIT];
    }
    return GS_OK;
}

static enum gs_status judge_group(struct judging *j, struct group *g, struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    /*
     * The arena lives as long as one group, so memory is bounded by the largest group times its
     * cells.
     */
    const size_t n = g->n * j->n_cells;
    double *const x = gs_arena_take_raw(&scratch, n, (GS_N_LOADS + 1) * sizeof *x);
    struct readings r = {.own = gs_arena_take_raw(&scratch, g->n, sizeof *r.own),
                         .lower = gs_arena_take(&scratch, g->n, sizeof *r.lower)};
    const struct load load = {gs_arena_take_raw(&scratch, j->n_cells, sizeof *load.group),
                              gs_arena_take_raw(&scratch, n, 1)};
    if (x == NULL || r.own == NULL || r.lower == NULL || load.group == NULL || load.member == NULL)
        return gs_fail_memory(err);
    r.d = x + GS_N_LOADS * n;
    for (int k = 0; k < GS_N_LOADS; k++)
        r.x[k] = x + (size_t)k * n;
    enum gs_status s = read_rows(j, g, r.x, err);
    GS_THEN(s, find_load(j, g, &r, &load, &scratch, err));
    g->by_chassis = true;
    for (size_t i = 0, end; s == GS_OK && i < g->n; i = end) {
        end = chassis_end(j, g, i);
        g->by_chassis &= end - i > 1;
    }
    for (int k = 0; s == GS_OK && k < GS_N_LOADS; k++)
        compare(j, g, (enum gs_load)k, &load, &r);
    GS_THEN(s, compare_reasons(j, g, &load, &scratch, err));
    return s;
}

/* --- scores ------------------------------------------------------------------------------------------- */

/*
 * The units of one card whose siblings did the same work, or did not: healthy ones differ as the least difference says,
 * or as they do here.
 */
struct scope {
    const uint32_t *unit; /* [n] */
    size_t n;
    bool placed;          /* the same slot is there in other chassis */
    double part, deficit; /* medians */
};

GS_COMPARES(by_slot, struct place, GS_BY(number) GS_BY(unit)); /* the number is the slot */

/* What is usual is no difference. */
static void take_off(struct side *side, double usual)
{
    side->m -= usual;
    side->m_since -= usual;
    side->judged -= usual;
}

/* A slot is hotter than the next by its place in the chassis: with enough chassis that is taken out. */
static void take_slots_out(struct judging *j, struct scope *p, struct place *place)
{
    size_t n = 0, n_chassis = 0;
    uint64_t rank = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct unit *const u = &j->unit[p->unit[i]];
        const bool again = i > 0 && on_one_host(j, u, &j->unit[p->unit[i - 1]]);
        rank++;
        if (!again)
            rank = 0;
        n_chassis += rank == 1; /* with two GPUs or more */
        if (j->group[u->group].by_chassis)
            place[n++] = (struct place){
                .number = (uint32_t)(u->slot == UINT64_MAX ? rank : u->slot), .unit = p->unit[i]};
    }
    p->placed = n > 0 && n_chassis >= CHASSIS_MIN;
    if (!p->placed)
        return;
    GS_SORT(place, n, by_slot);
    for (size_t i = 0, end; i < n; i = end) {
        size_t n_known = 0;
        for (end = i; end < n && place[end].number == place[i].number; end++) {
            const double m = j->unit[place[end].unit].side[GS_LOAD_TEMP].m;
            if (!isnan(m))
                j->key[n_known++] = gs_real_key(m);
        }
        /*
         * A slot with few GPUs has no typical temperature. Then "hot" needs an absolute
         * temperature as well.
         */
        p->placed &= end - i >= SLOT_MIN;
        const double typical = end - i >= SLOT_MIN ? middle(j->key, n_known) : 0;
        for (size_t k = i; k < end; k++)
            take_off(&j->unit[place[k].unit].side[GS_LOAD_TEMP], typical);
    }
}

/* The median over the scope's units whose clock was seen at work. */
static double middle_running(const struct judging *j, const struct scope *p, bool deficit)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct unit *const u = &j->unit[p->unit[i]];
        if (u->n_running > 0)
            j->key[n++] = gs_real_key(deficit ? u->deficit : u->part);
    }
    return middle(j->key, n);
}

/* The middle over the scope of how far a difference lies from `centre`, or of the differences themselves. */
static double middle_side(const struct judging *j, const struct scope *p, enum gs_load k,
                          const double *centre, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct unit *const u = &j->unit[p->unit[i]];
        const double m = u->side[k].m;
        if (!isnan(m) && !u->lower[k])
            j->key[(*n)++] = gs_real_key(centre == NULL ? m : fabs(m - *centre));
    }
    return middle(j->key, *n);
}

static void score(struct judging *j, const struct scope *p, enum gs_load k)
{
    size_t n = 0;
    double centre = middle_side(j, p, k, NULL, &n), spread = 0;
    if (n > FEW_UNITS)
        spread = GS_MAD_TO_SD * middle_side(j, p, k, &centre, &n);
    else
        centre = 0;
    for (size_t i = 0; i < p->n; i++) {
        struct unit *const u = &j->unit[p->unit[i]];
        struct side *const side = &u->side[k];
        double inflation = 1; /* the siblings' median is uncertain, too, where they are few */
        if (p->n <= FEW_SIBLINGS)
            inflation = sqrt(1 + (u->n_siblings == 1 ? 1 : 1.57 / u->n_siblings));
        /*
         * Never below what healthy GPUs differ by: in a fleet of nearly equal GPUs the spread is
         * tiny, and any difference would look significant.
         */
        const double sd = fmax(loads[k].healthy * inflation, spread);
        take_off(side, centre);
        side->z = loads[k].sign * side->judged / sqrt(sd * sd + side->se * side->se);
        if (u->is_mixed && (k == GS_LOAD_POWER || k == GS_LOAD_UTIL))
            side->z = NAN; /* they are the work's */
    }
}

static enum gs_status adjust(struct judging *j, struct gs_arena *scratch, struct gs_err *err)
{
    const size_t n = j->n * GS_N_LOADS;
    GS_NEW_RAW(double, p, n, scratch, err);
    for (size_t i = 0; i < n; i++) {
        const struct side *const side = &j->unit[i / GS_N_LOADS].side[i % GS_N_LOADS];
        p[i] = isnan(side->z) ? (double)NAN : fmin(gs_normal_tail(side->z) * side->looks, 1);
    }
    /*
     * All GPUs and metrics are adjusted together: a fleet of 1000 GPUs makes 4000 tests, 40 of
     * which would be below 1 % by chance.
     */
    GS_TRY(gs_fdr_adjust(p, n, p, scratch, err));
    for (size_t i = 0; i < n; i++)
        j->unit[i / GS_N_LOADS].side[i % GS_N_LOADS].q = p[i];
    return GS_OK;
}

/* --- verdicts ---------------------------------------------------------------------------------------- */

/*
 * Significant and large: with many samples a difference of 0.1 % is significant, but nobody acts
 * on it. A NaN q fails the comparison.
 */
static bool is_found(const struct unit *u, enum gs_load k)
{
    const struct side *const s = &u->side[k];
    return s->q < Q_LIMIT && loads[k].sign * s->judged >= loads[k].least;
}

static bool is_partly_slow(const struct unit *u, const struct group *g, const struct scope *p)
{
    return !g->apart && u->n_running >= INSTANTS_MIN && u->n_dips >= SLOW_INSTANTS_MIN &&
           (double)u->n_dips >= OFTEN * (double)u->n_running && u->part - p->part >= OFTEN &&
           u->deficit - p->deficit <= MEAN_DEFICIT;
}

static void begin_of(const struct side *side, int64_t *since, bool *returns)
{
    *since = side->since;
    *returns = side->returns;
}

/*
 * What no other work of its siblings explains: a board that says so, heat at no more power, or a lower power limit. A
 * heavier job is hotter and has a lower clock, too, but then it draws more.
 */
static enum gs_verdict verdict_beside_other_work(const struct unit *u, int64_t *since,
                                                 bool *returns)
{
    const struct side *const side = u->side;
    const bool more_power = side[GS_LOAD_POWER].judged > 0,
               less_power = side[GS_LOAD_POWER].judged <= -LESS_POWER;
    begin_of(&side[GS_LOAD_CLOCK], since, returns);
    if (is_found(u, GS_LOAD_CLOCK)) {
        if (u->thermal_more >= MORE_REASONS ||
            (side[GS_LOAD_TEMP].judged >= HOTTER_K && !more_power))
            return GS_VERDICT_HOT_AND_SLOW;
        if (u->limit_share < LOWER_LIMIT || (u->capped_more >= MORE_REASONS && less_power))
            return GS_VERDICT_POWER_LIMITED;
    }
    begin_of(&side[GS_LOAD_TEMP], since, returns);
    if (is_found(u, GS_LOAD_TEMP) && u->hot >= 0.1 && !more_power)
        return GS_VERDICT_HOT;
    *since = INT64_MAX;
    return GS_VERDICT_OK;
}

/* Does its board say that power held it back, or has it a lower limit than its siblings? */
static bool is_held_by_power(const struct unit *u)
{
    return u->capped_more >= MORE_REASONS || u->limit_share < LOWER_LIMIT;
}

/* Hotter than its siblings or, with its host, than the run; or its board says that heat held it back. */
static bool is_held_by_heat(const struct unit *u)
{
    return u->side[GS_LOAD_TEMP].judged >= HOTTER_K || u->hotter_host >= HOTTER_HOST_K ||
           u->thermal_more >= MORE_REASONS;
}

/* Of a GPU that draws less: where no clock was logged, reasons, or heat in spite of less power, tell what it did. */
static enum gs_verdict verdict_of_less_power(const struct unit *u)
{
    const bool unclocked = isnan(u->side[GS_LOAD_CLOCK].m);
    if (unclocked && is_held_by_heat(u))
        return GS_VERDICT_HOT_AND_SLOW;
    if (unclocked && is_held_by_power(u))
        return GS_VERDICT_POWER_LIMITED;
    return GS_VERDICT_STARVED;
}

/* The first verdict that holds, when it began to, and whether it stopped at times since then. */
static enum gs_verdict verdict_of(const struct unit *u, const struct group *g,
                                  const struct scope *p, int64_t *since, bool *returns)
{
    const struct side *const side = u->side;
    if (u->is_mixed)
        return verdict_beside_other_work(u, since, returns);
    /*
     * The order of the verdicts is that of cause before effect: a throttled GPU is also slow, draws
     * less and may be hot, and only the first tells what to repair.
     */
    *since = u->silent_since;
    if (*since != INT64_MAX)
        return GS_VERDICT_SILENT;
    begin_of(&side[GS_LOAD_UTIL], since, returns);
    if (side[GS_LOAD_UTIL].judged <= -IDLE_POINTS)
        return GS_VERDICT_IDLE;
    *since = u->stopped_since;
    *returns = false;
    if (*since != INT64_MAX)
        return GS_VERDICT_IDLE;
    begin_of(&side[GS_LOAD_CLOCK], since, returns);
    if (is_found(u, GS_LOAD_CLOCK)) {
        if (is_held_by_heat(u))
            return GS_VERDICT_HOT_AND_SLOW;
        if (side[GS_LOAD_POWER].judged <= -LESS_POWER || is_held_by_power(u))
            return GS_VERDICT_POWER_LIMITED;
        return GS_VERDICT_SLOW_CLOCK;
    }
    *since = u->part_since;
    *returns = false; /* the verdict says so */
    if (is_partly_slow(u, g, p))
        return GS_VERDICT_SOMETIMES_SLOW;
    *since = u->stuck_since;
    if (*since != INT64_MAX)
        return GS_VERDICT_STUCK;
    begin_of(&side[GS_LOAD_UTIL], since, returns);
    if (is_found(u, GS_LOAD_UTIL))
        return GS_VERDICT_WAITING;
    begin_of(&side[GS_LOAD_POWER], since, returns);
    if (is_found(u, GS_LOAD_POWER))
        return verdict_of_less_power(u);
    begin_of(&side[GS_LOAD_TEMP], since, returns);
    if (is_found(u, GS_LOAD_TEMP) && (p->placed || u->hot >= 0.1))
        return GS_VERDICT_HOT;
    *since = INT64_MAX;
    return GS_VERDICT_OK;
}

static void fill(const struct judging *j, const struct unit *u, const struct scope *p,
                 struct gs_gpu_verdict *v)
{
    const struct group *const g = &j->group[u->group];
    bool judged = false; /* a GPU that answers nothing is not known to be fine */
    for (int k = 0; k < GS_N_LOADS; k++)
        judged |= u->n_loaded >= LOADED_MIN && !isnan(u->side[k].m);
    int64_t since = INT64_MAX;
    v->siblings = u->n_siblings;
    v->index = u->slot;
    v->loaded_s = (double)u->n_loaded * ((double)j->grid.width_ns / (double)GS_NS_PER_S);
    v->sm_clock_mhz = u->own[GS_LOAD_CLOCK];
    v->hotter_host = u->hotter_host >= HOTTER_HOST_K ? u->hotter_host : (double)NAN;
    v->low_by_pct = 100 * u->low_by;
    v->deficit_pct = -100 * u->deficit;
    v->is_hotter = u->thermal_more >= MORE_REASONS;
    v->is_capped = u->capped_more >= MORE_REASONS;
    v->is_alone = !judged && u->n_loaded >= LOADED_MIN;
    if (judged)
        v->verdict = verdict_of(u, g, p, &since, &v->at_times);
    for (int k = 0; k < GS_N_LOADS; k++) {
        const struct side *const side = &u->side[k];
        const double unit = loads[k].relative ? 100 : 1;
        /* What begins late is half hidden in a median of all its time. */
        const bool late = since > 0 && since != INT64_MAX && gs_magnitude(side->since - since) <= 5;
        v->difference[k] = unit * side->m;
        v->told[k] = unit * (late ? side->m_since : side->m);
        v->z[k] = u->side[k].z;
        v->q = fmin(v->q, u->side[k].q); /* of those that are known */
    }
    if (u->n_running > 0)
        v->slow_time_pct = 100 * u->part;
    v->thermal_pct = 100 * u->thermal;
    v->power_cap_pct = 100 * u->capped;
    if (since != INT64_MAX && (double)(since - u->first_loaded) > ALWAYS * (double)u->n_loaded)
        v->since_ns = (j->first + since) * j->grid.width_ns;
}

/* May the host's GPUs, which are siblings of one another alone, be held against those of other hosts? Their jobs are not known. */
static bool is_own_group(const struct judging *j, const struct unit *u)
{
    const struct group *const g = &j->group[u->group];
    return u->job.len == 0 && !u->of_jobs && chassis_end(j, g, 0) == g->n;
}

/* A host whose GPUs are siblings of one another alone, and the middle of their readings under load. */
struct whole_host {
    double own[GS_N_LOADS];
    size_t from, to; /* units of the scope */
};

/* The hosts of a scope, in room for as many as it has units; how many there are. */
static size_t list_hosts(struct judging *j, const struct scope *p, struct whole_host *host)
{
    size_t n = 0;
    for (size_t i = 0, end; i < p->n; i = end) {
        const struct unit *const u = &j->unit[p->unit[i]];
        for (end = i; end < p->n && on_one_host(j, u, &j->unit[p->unit[end]]);)
            end++;
        if (!is_own_group(j, u))
            continue;
        for (int k = 0; k < GS_N_LOADS; k++) {
            size_t n_known = 0;
            for (size_t m = i; m < end; m++)
                if (!isnan(j->unit[p->unit[m]].own[k]))
                    j->key[n_known++] = gs_real_key(j->unit[p->unit[m]].own[k]);
            host[n].own[k] = middle(j->key, n_known);
        }
        for (size_t m = i; m < end; m++) /* one that is fast shows that its host is */
            host[n].own[GS_LOAD_CLOCK] =
                fmax(host[n].own[GS_LOAD_CLOCK], j->unit[p->unit[m]].own[GS_LOAD_CLOCK]);
        host[n].from = i;
        host[n++].to = end;
    }
    return n;
}

/*
 * Which hosts run at a low clock as a whole: siblings on one host are alike then, and none is slow beside them. They are
 * held against the middle of the hosts. Heavier work lowers the clock, too, but does not draw less.
 */
static enum gs_status find_slow_hosts(struct judging *j, const struct scope *p,
                                      struct gs_arena *scratch, struct gs_err *err)
{
    double of[GS_N_LOADS];
    GS_NEW_RAW(struct whole_host, host, p->n, scratch, err);
    const size_t n = list_hosts(j, p, host);
    for (int k = 0; k < GS_N_LOADS && n > 1; k++) {
        size_t n_known = 0;
        for (size_t h = 0; h < n; h++)
            if (!isnan(host[h].own[k]))
                j->key[n_known++] = gs_real_key(host[h].own[k]);
        const size_t at =
            loads[k].sign < 0 ? n_known / 2 : (n_known - 1) / 2; /* the better of two */
        if (n_known > 0)
            gs_select(j->key, n_known, at);
        of[k] = n_known > 0 ? gs_real_of_key(j->key[at]) : (double)NAN;
    }
    for (size_t h = 0; h < n && n > 1; h++) {
        double by[GS_N_LOADS];
        for (int k = 0; k < GS_N_LOADS; k++)
            by[k] = difference(host[h].own[k], of[k], loads[k].relative);
        if (!(-by[GS_LOAD_CLOCK] >= loads[GS_LOAD_CLOCK].least) || by[GS_LOAD_POWER] > -LESS_POWER)
            continue; /* also where the clock is not known */
        for (size_t i = host[h].from; i < host[h].to; i++)
            for (int k = 0; k <= GS_LOAD_TEMP; k++) {
                struct side *const side = &j->unit[p->unit[i]].side[k];
                take_off(side, -by[k]);
                side->z = loads[k].sign * side->judged / loads[k].healthy;
            }
    }
    return GS_OK;
}

/* Scores the units of each card, which stand together in the order of `place`. */
static enum gs_status judge_cards(struct judging *j, struct place *place,
                                  struct gs_gpu_verdict *verdict, struct gs_arena *scratch,
                                  struct gs_err *err)
{
    GS_NEW_RAW(uint32_t, unit, j->n, scratch, err);
    GS_NEW_RAW(struct place, slots, j->n, scratch, err);
    GS_NEW(struct scope, scopes, j->n, scratch, err);
    size_t n = 0, n_scopes = 0;
    for (uint32_t i = 0; i < j->n; i++)
        if (j->unit[i].group != GS_NONE)
            place[n++] =
                (struct place){.card = j->unit[i].card, .number = j->unit[i].is_mixed, .unit = i};
    GS_SORT(place, n, by_place);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && place[end].number == place[i].number &&
                      gs_str_eq(place[end].card, place[i].card);
             end++)
            unit[end] = place[end].unit;
        struct scope *const p = &scopes[n_scopes++];
        *p = (struct scope){.unit = unit + i, .n = end - i};
        take_slots_out(j, p, slots);
        for (int k = 0; k < GS_N_LOADS; k++)
            score(j, p, (enum gs_load)k);
        GS_TRY(find_slow_hosts(j, p, scratch, err));
        p->part = middle_running(j, p, false);
        p->deficit = middle_running(j, p, true);
    }
    GS_TRY(adjust(j, scratch, err));
    for (size_t k = 0; k < n_scopes; k++)
        for (size_t i = 0; i < scopes[k].n; i++) {
            const struct unit *const u = &j->unit[scopes[k].unit[i]];
            fill(j, u, &scopes[k], &verdict[u->gpu]);
        }
    return GS_OK;
}

static enum gs_status judge(struct judging *j, struct gs_gpu_verdict *verdict, struct gs_arena *own,
                            struct gs_err *err)
{
    const size_t n_gpus = j->fleet->n_gpus;
    GS_TAKE(j->unit, n_gpus, own, err);
    GS_TAKE_RAW(j->member, n_gpus, own, err);
    GS_TAKE(j->group, n_gpus, own, err);
    GS_NEW_RAW(struct place, place, n_gpus, own, err);
    GS_TRY(collect_units(j, err));
    const size_t n_keys = gs_max(j->n_cells, n_gpus);
    GS_TAKE(j->tally, j->n_cells, own, err);
    GS_TAKE_RAW(j->key, n_keys, own, err);
    for (int how = 0; how < N_SIBLING; how++)
        group_by(j, (enum sibling)how, place);
    for (size_t g = 0; g < j->n_groups; g++)
        GS_TRY(judge_group(j, &j->group[g], err));
    return judge_cards(j, place, verdict, own, err);
}

static enum gs_status find(const struct gs_records *cells, const struct gs_gpu_list *fleet,
                           const uint32_t *of_gpu, struct gs_arena *arena,
                           struct gs_gpu_verdicts *verdicts, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct judging j = {.loads = cells, .fleet = fleet, .population = of_gpu};
    GS_NEW(struct gs_gpu_verdict, v, fleet->n_gpus, arena, err);
    for (uint32_t g = 0; g < fleet->n_gpus; g++) {
        v[g] = (struct gs_gpu_verdict){.loaded_s = NAN,
                                       .sm_clock_mhz = NAN,
                                       .slow_time_pct = NAN,
                                       .thermal_pct = NAN,
                                       .power_cap_pct = NAN,
                                       .q = NAN,
                                       .index = UINT64_MAX,
                                       .since_ns = GS_MISSING};
        for (int k = 0; k < GS_N_LOADS; k++)
            v[g].difference[k] = v[g].z[k] = NAN;
    }
    GS_TRY(judge(&j, v, &own, err));
    *verdicts = (struct gs_gpu_verdicts){v, j.has_clock};
    return GS_OK;
}

enum gs_status gs_fleet_judge(const struct gs_records *table, const uint32_t *of_gpu,
                              struct gs_arena *arena, struct gs_gpu_list *fleet, struct gs_err *err)
{
    GS_NEW(struct gs_gpu_verdicts, v, 1, arena, err);
    const enum gs_status s = find(&table[GS_PROFILE_LOADS], fleet, of_gpu, arena, v, err);
    fleet->verdicts = v;
    return s;
}
