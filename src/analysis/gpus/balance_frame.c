/* balance_frame.c - the balance of all GPUs, added up and made into rows. */
#include <math.h>
#include <string.h>

#include "analysis/gpus/balance_sums.h"
#include "base/num/dd.h"
#include "base/num/timestamp.h"
#include "data/result/number_text.h"
#include "analysis/events/metric_columns.h"
#include "base/num/order.h"

/* clang-format off */
enum { N_VALUES = 12 };

static const struct gs_column_spec coverage_column =
    GS_COL(COVERAGE_PCT);

#define VALUE_COLUMNS                                                                                                 \
    GS_COL(STATE),                                                                                                          \
        GS_COL(PART),                                                                                                      \
        GS_COL(INSIDE),     \
        GS_COL(ENERGY_J, .digits = GS_DIGITS(0), .how = GS_ENERGY_HOW "; exact, so that parts add up to their total"),                                                                                                      \
        GS_COL(ENERGY_PCT),  \
        GS_COL(TIME_S, .label = "GPU time", .digits = GS_DIGITS(0)),    \
        GS_COL(TIME_PCT),      \
        GS_COL(POWER_MEAN_W, .label = "power", .how = "energy_j over time_s"),                               \
        GS_COL(ENERGY_WITH_INNER_J),                       \
        GS_COL(UNSEEN_S),                                     \
        GS_COL(ENERGY_LOW_J, .how = "lower end of the 95 % interval of energy_j: " GS_ENERGY_INTERVAL_HOW),                               \
    GS_COL(ENERGY_HIGH_J)
/* clang-format on */

static const struct gs_column_spec run_columns[] = {VALUE_COLUMNS};
static const struct gs_column_spec level_columns[] = {
    GS_COL(LEVEL, .how = "level of the running task in the task table; missing: none, or idle"),
    VALUE_COLUMNS};
static const struct gs_column_spec gpu_columns[] = {GS_COL(HOSTNAME), GS_COL(GPU_SERIAL),
                                                    GS_COL(GPU_UUID), VALUE_COLUMNS};

static const char *const idle_names[GS_N_IDLE] = {"before the first event",
                                                  "between events",
                                                  "after the last event",
                                                  "no event at all",
                                                  "under load",
                                                  "without load",
                                                  "steady power"};

/* A row to be: what it is called and what is in it. */
struct row {
    const char *state;
    struct gs_str part, inside;
    struct gs_balance_part sum;
    int64_t level; /* GS_MISSING: none */
    uint32_t owner;
};

/* One part of a group, for putting in order: events by their time over the run, then idle time. */
struct entry {
    const union gs_key *key;
    const struct gs_balance_part *part;
    uint32_t rank; /* 0 is the event that takes the most time */
};

struct rows {
    const struct gs_state *state;
    const struct gs_balance_options *o;
    struct row *row;
    size_t n;
    uint32_t *rank;  /* of the events */
    bool counted;    /* energy counters are shown */
    bool add_up;     /* parts come to their whole */
    size_t coverage; /* column */
};

/* --- order -------------------------------------------------------------------------------------------- */

struct event_time {
    gs_i128 ns;
    uint32_t event;
};

/* Most time first; at a tie the last by name. */
GS_COMPARES(by_time, struct event_time, GS_DOWN(ns) GS_DOWN(event));

static bool rank_events(struct rows *rows, struct gs_arena *own)
{
    const struct gs_records *const events = &rows->state->table[GS_BALANCE_EVENTS];
    struct event_time *const order = gs_arena_take_raw(own, events->n, sizeof *order);
    rows->rank = gs_arena_take_raw(own, events->n, sizeof *rows->rank);
    if (order == NULL || rows->rank == NULL)
        return false;
    for (uint32_t e = 0; e < events->n; e++)
        order[e] =
            (struct event_time){((const struct gs_balance_time *)gs_records_at(events, e))->ns, e};
    GS_SORT(order, events->n, by_time);
    for (uint32_t r = 0; r < events->n; r++)
        rows->rank[order[r].event] = r;
    return true;
}

/* The rank of an event of a part; events of no length take no time and are not in the state. */
static uint32_t rank_of(const struct rows *rows, struct gs_str event)
{
    const struct gs_records *const events = &rows->state->table[GS_BALANCE_EVENTS];
    const uint32_t lo = gs_records_from(events, &(union gs_key){.text = event});
    if (lo == events->n)
        return UINT32_MAX;
    return rows->rank[lo];
}

/* Events level by level, those without one last, then idle time. */
static int by_place(const void *a, const void *b)
{
    const struct entry *const x = a, *const y = b;
    const int64_t idle[] = {x->key[GS_PART_IDLE].number, y->key[GS_PART_IDLE].number};
    const int64_t level[] = {x->key[GS_PART_LEVEL].number, y->key[GS_PART_LEVEL].number};
    GS_DIFFER(gs_cmp(idle[0], idle[1]));
    if ((level[0] == GS_MISSING) != (level[1] == GS_MISSING))
        return gs_cmp(level[0] == GS_MISSING, level[1] == GS_MISSING);
    GS_DIFFER(gs_cmp(level[0], level[1]));
    GS_DIFFER(gs_cmp(x->rank, y->rank));
    return gs_str_compare(x->key[GS_PART_EVENT].text, y->key[GS_PART_EVENT].text);
}

/* --- rows --------------------------------------------------------------------------------------------- */

/* Of the events outside the one with most time; at a tie the one that takes the least time over the run. */
static struct gs_str outer_event(const struct rows *rows, struct gs_str event, int64_t level)
{
    const struct gs_records *const inside = &rows->state->table[GS_BALANCE_INSIDE];
    const union gs_key first[GS_N_INSIDE_KEYS] = {
        {.text = event}, {.number = level}, {.text = {0}}};
    struct gs_str most = {0};
    gs_i128 most_ns = 0;
    for (uint32_t lo = gs_records_from(inside, first); lo < inside->n; lo++) {
        const union gs_key *const key = gs_records_key(inside, lo, GS_N_INSIDE_KEYS);
        const gs_i128 ns = ((const struct gs_balance_time *)gs_records_at(inside, lo))->ns;
        const struct gs_str outer = key[GS_INSIDE_OUTER].text;
        if (!gs_str_eq(key[GS_INSIDE_EVENT].text, event) || key[GS_INSIDE_LEVEL].number != level)
            break;
        if (ns > most_ns ||
            (ns == most_ns && most.ptr != NULL && rank_of(rows, outer) > rank_of(rows, most))) {
            most = outer;
            most_ns = ns;
        }
    }
    return most;
}

static void add_row(struct rows *rows, const char *state, struct gs_str part,
                    const struct gs_balance_part *sum, int64_t level, uint32_t owner)
{
    rows->row[rows->n++] =
        (struct row){.state = state, .part = part, .sum = *sum, .level = level, .owner = owner};
}

/* Sums are of what is in their parts, so an inner event counts once. */
static void add_total(struct rows *rows, const char *name, const struct gs_balance_part *sum,
                      int64_t level, uint32_t owner)
{
    struct gs_balance_part total = *sum;
    total.inclusive = total.used.energy;
    add_row(rows, "total", gs_str(name), &total, level, owner);
}

/* One run's or GPU's rows, or all levels', from its parts in order; returns the sum over them. */
static struct gs_balance_part add_owner(struct rows *rows, const struct entry *entry, size_t n,
                                        uint32_t owner, const struct gs_balance_part *log,
                                        struct gs_balance_part *idle_sum, bool *add_up)
{
    struct gs_balance_part all = {0}, idle = {0}, level_sum = {0};
    for (size_t i = 0; i < n; i++) {
        const union gs_key *const key = entry[i].key;
        const int64_t what = key[GS_PART_IDLE].number, level = key[GS_PART_LEVEL].number;
        gs_balance_part_add(&all, entry[i].part);
        if (what > 0 && what <= GS_N_IDLE) {
            static const char *const states[GS_N_IDLE] = {
                [GS_ACTIVE] = "active", [GS_STEADY] = "unknown"};
            const char *const state = states[what - 1];
            if (state == NULL)
                gs_balance_part_add(&idle, entry[i].part);
            add_row(rows, state == NULL ? "idle" : state, gs_str(idle_names[what - 1]),
                    entry[i].part, GS_MISSING, owner);
            continue;
        }
        gs_balance_part_add(&level_sum, entry[i].part);
        add_row(rows, "task", key[GS_PART_EVENT].text, entry[i].part, level, owner);
        rows->row[rows->n - 1].inside = outer_event(rows, key[GS_PART_EVENT].text, level);
        const bool ends = i + 1 == n || entry[i + 1].key[GS_PART_IDLE].number != what ||
                          entry[i + 1].key[GS_PART_LEVEL].number != level;
        if (rows->o->by == GS_BALANCE_LEVEL && ends) {
            add_total(rows, level != GS_MISSING ? "level" : "no level", &level_sum, level, owner);
            level_sum = (struct gs_balance_part){0};
        }
    }
    add_total(rows, "idle", &idle, GS_MISSING, owner);
    if (all.used.energy != log->used.energy)
        *add_up = false;
    /*
     * Adding up the parts' intervals would count the edges inside the log. The whole has none of
     * these: its interval is the one that `gpus` prints, and so is what its counter differs by.
     */
    all.used = log->used;
    all.counted = log->counted;
    all.least = all.most = log->used.energy;
    add_total(rows, "all", &all, GS_MISSING, owner);
    gs_balance_part_add(idle_sum, &idle);
    return all;
}

static double share_pct(gs_i128 part, gs_i128 whole)
{
    if (whole == 0)
        return (double)NAN;
    return gs_dd_to_double(gs_dd_mul(gs_dd_ratio(part, whole), gs_dd_of(100.0)));
}

static double seconds(gs_i128 ns)
{
    return gs_dd_to_double(gs_dd_ratio(ns, GS_NS_PER_S));
}

static void fill_row(const struct rows *rows, struct gs_frame *f, size_t i, size_t n_keys,
                     const struct row *row, const struct gs_balance_part *whole)
{
    const struct gs_balance_part *const p = &row->sum;
    const struct gs_records *const gpus = &rows->state->table[GS_BALANCE_GPUS];
    for (size_t k = 0; rows->o->by == GS_BALANCE_GPU && k < n_keys; k++)
        gs_frame_set_text(f, i, k, gs_records_key(gpus, row->owner, n_keys)[k].text);
    if (rows->o->by == GS_BALANCE_LEVEL && row->level != GS_MISSING)
        gs_frame_set_int(f, i, 0, row->level);
    double low, high;
    gs_energy_interval_between(&p->used, p->least, p->most, &low, &high);
    GS_PUT(f, i, GS_TEXT(STATE, gs_str(row->state)), GS_TEXT(PART, row->part),
           GS_TEXT(INSIDE, row->inside),
           GS_REAL(ENERGY_PCT, share_pct(p->used.energy, whole->used.energy)),
           GS_REAL(TIME_S, seconds(p->used.time_ns)),
           GS_REAL(TIME_PCT, share_pct(p->used.time_ns, whole->used.time_ns)),
           GS_REAL(POWER_MEAN_W, gs_energy_power_w(&p->used)),
           GS_REAL(UNSEEN_S, seconds(gs_max(p->span_ns - p->used.time_ns, 0))),
           GS_REAL(ENERGY_LOW_J, low), GS_REAL(ENERGY_HIGH_J, high));
    if (whole->used.n > 0) /* of a GPU without power nothing is zero */
        GS_PUT(f, i, GS_REAL(ENERGY_J, gs_energy_j(p->used.energy)),
               GS_REAL(ENERGY_WITH_INNER_J, gs_energy_j(p->inclusive)));
    if (p->used.n > 0)
        GS_PUT(f, i, GS_REAL(COVERAGE_PCT, gs_energy_coverage_pct(&p->used, p->span_ns)));
    gs_counter_cells(f, i, rows->counted ? n_keys + N_VALUES : 0, &p->counted);
}

/* `noun`: of what runs; NULL: nothing is known of that, so that idle is without load. */
static const char *title_of(uint64_t n_gpus, const struct gs_balance_part *all,
                            const struct gs_balance_part *idle, const char *noun,
                            struct gs_arena *arena)
{
    struct gs_buf t = {.arena = arena};
    const char *const gpus = gs_counted_text(&t, n_gpus, "GPU");
    if (all->used.n == 0)
        gs_buf_format(&t, "What the run used is not known: there is no power over any time of %s",
                      gpus);
    else
        gs_buf_format(&t, "The run used %s in %s",
                      gs_energy_text(&t, gs_energy_j(all->used.energy)), gpus);
    if (all->used.n > 0 && all->used.energy != 0 && (noun != NULL || idle->used.n > 0)) {
        const double share = gs_dd_to_double(gs_dd_ratio(idle->used.energy, all->used.energy));
        gs_buf_format(&t, "; %s %% of it while ", gs_real_text(&t, 100.0 * share, 2));
        if (noun != NULL)
            gs_buf_format(&t, "no %s ran", noun);
        else
            gs_buf_text(&t, "idle");
    }
    return gs_buf_whole(&t);
}

/* Does a part belong to the GPU of this row of the table? Of the run, and with levels, all parts do. */
static bool belongs(const struct rows *rows, const union gs_key *part, uint32_t owner)
{
    const struct gs_records *const gpus = &rows->state->table[GS_BALANCE_GPUS];
    return rows->o->by != GS_BALANCE_GPU ||
           gs_keys_compare("ttt", part, gs_records_key(gpus, owner, 3)) == 0;
}

/* The rows of all owners, and their sums: parts come in the order of the GPUs. */
static bool make_rows(struct rows *rows, uint32_t n_owners, struct gs_balance_part *whole,
                      struct gs_balance_part *run, struct gs_balance_part *idle,
                      struct gs_arena *own)
{
    const struct gs_records *const parts = &rows->state->table[GS_BALANCE_PARTS];
    const struct gs_balance_total *const total =
        gs_records_at(&rows->state->table[GS_BALANCE_TOTAL], 0);
    /*
     * Each part gives its own row and at most one level total; each owner adds the rows "idle" and
     * "all".
     */
    const size_t room = (size_t)parts->n * 2 + (size_t)n_owners * 2;
    struct entry *const entry = gs_arena_take_raw(own, parts->n, sizeof *entry);
    rows->row = gs_arena_take_raw(own, room, sizeof *rows->row);
    if (entry == NULL || rows->row == NULL || !rank_events(rows, own))
        return false;
    for (uint32_t i = 0; i < parts->n; i++) {
        const union gs_key *const key = gs_records_key(parts, i, GS_N_PART_KEYS);
        entry[i] = (struct entry){
            key, gs_records_at(parts, i),
            key[GS_PART_IDLE].number == 0 ? rank_of(rows, key[GS_PART_EVENT].text) : 0};
    }
    uint32_t at = 0;
    for (uint32_t o = 0; o < n_owners; o++) {
        const uint32_t from = at;
        while (at < parts->n && belongs(rows, entry[at].key, o))
            at++;
        GS_SORT(entry + from, at - from, by_place);
        const struct gs_balance_gpu_row *const gpu =
            rows->o->by == GS_BALANCE_GPU ? gs_records_at(&rows->state->table[GS_BALANCE_GPUS], o)
                                          : NULL;
        const struct gs_balance_part log = {.used = gpu != NULL ? gpu->whole : total->whole,
                                            .counted = gpu != NULL ? gpu->counted : total->counted};
        whole[o] = add_owner(rows, entry + from, at - from, o, &log, idle, &rows->add_up);
        gs_balance_part_add(run, &whole[o]);
    }
    return true;
}

struct layout {
    const struct gs_column_spec *specs;
    size_t n_keys;
};

/* Columns of a layout, and behind them those of energy counters where the run has any. */
static enum gs_status make_frame(const struct layout *layout, const struct rows *rows,
                                 const char *title, struct gs_arena *arena, struct gs_frames *out,
                                 struct gs_frame **f, struct gs_err *err)
{
    const size_t n = layout->n_keys + N_VALUES;
    GS_NEW_RAW(struct gs_column_spec, specs, n + GS_COUNTER_COLUMNS + 1, arena, err);
    memcpy(specs, layout->specs, n * sizeof *specs);
    memcpy(specs + n, gs_counter_columns, sizeof gs_counter_columns);
    specs[rows->coverage] = coverage_column;
    return gs_frame_new(arena, GS_HEAD("balance", title, specs, rows->coverage + 1), rows->n, out,
                        f, err);
}

/* Where energy counters do not reach over all of the time. */
static void note_counters(const struct rows *rows, const struct gs_balance_part *run,
                          struct gs_notes *notes)
{
    const double share =
        gs_dd_to_double(gs_dd_mul(gs_dd_ratio(run->counted_ns, run->span_ns), gs_dd_of(100.0)));
    if (rows->counted && share < 99.0)
        gs_note(notes, GS_NOTE_INFO,
                "energy counters reach over %.1f %% of the time of the GPUs: energy_counter_j is "
                "of that",
                share);
}

static enum gs_status to_frame(const struct gs_state *state, const struct gs_balance_options *o,
                               const struct gs_facts *facts, struct gs_arena *own,
                               struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    static const struct layout layouts[] = {[GS_BALANCE_RUN] = {run_columns, 0},
                                            [GS_BALANCE_GPU] = {gpu_columns, 3},
                                            [GS_BALANCE_LEVEL] = {level_columns, 1}};
    const size_t n_keys = layouts[o->by].n_keys;
    const struct gs_balance_total *const total = gs_records_at(&state->table[GS_BALANCE_TOTAL], 0);
    const uint32_t n_owners = o->by == GS_BALANCE_GPU ? state->table[GS_BALANCE_GPUS].n : 1;
    struct rows rows = {.state = state,
                        .o = o,
                        .counted = gs_metrics_count(facts->metric, facts->n_metrics),
                        .add_up = true};
    rows.coverage = n_keys + N_VALUES + (rows.counted ? GS_COUNTER_COLUMNS : 0);
    struct gs_balance_part *const whole = gs_arena_take(own, n_owners, sizeof *whole), run = {0},
                                  idle = {0};
    if (whole == NULL || !make_rows(&rows, n_owners, whole, &run, &idle, own))
        return gs_fail_memory(err);
    /*
     * An invariant, checked on every run: integer energies of the parts equal the integral
     * exactly. A difference is a defect of gpustat, never of the data.
     */
    if (!rows.add_up || run.used.energy != total->whole.energy)
        return gs_fail(err, GS_ERR_INTERNAL,
                       "balance: the parts do not add up to the integral over all samples");
    const bool events = facts->has_table[GS_TABLE_CHECKPOINTS];
    const char *noun = NULL;
    if (events)
        noun = out->noun != NULL ? out->noun : "event";
    const char *const title = title_of(total->n_gpus, &run, &idle, noun, arena);
    struct gs_frame *f;
    GS_TRY(gs_had_memory(title != NULL, err));
    GS_TRY(make_frame(&layouts[o->by], &rows, title, arena, out, &f, err));
    gs_note(&out->notes, GS_NOTE_INFO, "%s", title);
    for (size_t i = 0; i < rows.n; i++)
        fill_row(&rows, f, i, n_keys, &rows.row[i], &whole[rows.row[i].owner]);
    size_t n_refused = 0;
    for (size_t i = 0; i < rows.n; i++)
        n_refused += gs_energy_is_refused(&rows.row[i].sum.used);
    gs_energy_refused_note(n_refused, rows.n, &out->notes);
    gs_energy_gaps_note(&total->whole, run.span_ns, &out->notes);
    note_counters(&rows, &run, &out->notes);
    gs_energy_width_note(&total->whole, &facts->totals.sensors, &out->notes);
    return GS_OK;
}

enum gs_status gs_balance_finish(const struct gs_finish *of, struct gs_frames *out,
                                 struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    gs_view_notes(&of->facts->totals, of->facts->duplicates, &out->notes);
    return to_frame(of->state, of->options, of->facts, &own, of->arena, out, err);
}
