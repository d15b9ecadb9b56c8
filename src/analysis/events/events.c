/* events.c - the frames of events and zoom levels: pairs grouped, means taken once at the end. */
#include "analysis/events/events.h"

#include <math.h>
#include <string.h>

#include "analysis/events/durations.h"

#include "base/num/dd.h"
#include "data/result/number_text.h"
#include "base/os/parallel.h"
#include "stats/descriptive/quantile.h"
#include "base/num/timestamp.h"
#include "analysis/events/metric_columns.h"
#include "analysis/timeline/counts.h"
#include "analysis/aggregate/pair_stats.h"
#include "base/num/order.h"

static const char metric_how[] =
    "mean over the events of %s: under the nearest, backward and forward join the mean of the "
    "samples taken at START and at STOP, under the window join the mean of the samples inside";

#define FIRST_COLUMNS                                                                              \
    GS_COL(N, .how = "events of the group, each from START to STOP"), GS_COL(DURATION_MEAN_MS),    \
        GS_COL(DURATION_SD_MS), GS_COL(DURATION_MIN_MS), GS_COL(DURATION_P50_MS),                  \
        GS_COL(DURATION_P95_MS), GS_COL(DURATION_P99_MS), GS_COL(DURATION_MAX_MS)

static const struct gs_column_spec divided_column = GS_COL(ENERGY_DIVIDED_J);
static const struct gs_column_spec events_columns[] = {GS_COL(EVENT), FIRST_COLUMNS};
static const struct gs_column_spec zoom_columns[] = {GS_COL(LEVEL), FIRST_COLUMNS};

/* clang-format off */
#define INTERVAL                                                                                                       \
    GS_COL(ENERGY_LOW_J, .how = "lower end of the 95 % interval of energy_sum_j: " GS_ENERGY_INTERVAL_HOW), GS_COL(ENERGY_HIGH_J)

/* Behind the metrics: those of the window join, of which the others show a part. */
static const struct gs_column_spec window_columns[] = {
    GS_COL(SAMPLES_MEAN), GS_COL(ENERGY_SUM_J), GS_COL(ENERGY_MEAN_J), GS_COL(COVERAGE_PCT), GS_COL(POWER_TIME_W), INTERVAL};
static const struct gs_column_spec other_columns[] = {
    GS_COL(ENERGY_SUM_J), GS_COL(COVERAGE_PCT), GS_COL(POWER_TIME_W), INTERVAL};
/* clang-format on */

/* --- adding ------------------------------------------------------------------------------------------- */

/* For adding: the number of the event, GS_NONE: all; the levels of the task table, where the groups are these. */
struct plan {
    uint32_t only_event;
    bool by_level;
    const int64_t *level;
    size_t n_levels;
};

/* The record of a pair by level: the first is for tasks that are not in the table. */
static size_t level_of(const struct plan *plan, const struct gs_dataset *d, uint32_t task_row)
{
    return (gs_level_at(d, task_row, plan->level, plan->n_levels) + 1) % (plan->n_levels + 1);
}

/* Sums only. A mean taken here would depend on how hosts are split over shards. */
static enum gs_status add(const void *options, struct gs_state *state, struct gs_fold_host *host,
                          struct gs_err *err)
{
    const struct gs_events_options *const o = options;
    const struct plan *const plan = state->plan;
    const struct gs_host_view *const h = host->view;
    const struct gs_joined *joined;
    GS_TRY(gs_fold_joined(host, &o->join, &joined, err));
    if (plan->by_level)
        GS_TRY(gs_fold_task_rows(host, err));
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        size_t k = h->pair[p].event;
        if (plan->only_event != GS_NONE && k != plan->only_event)
            continue;
        if (plan->by_level)
            k = level_of(plan, host->d, host->task_row[p]);
        GS_TRY(gs_pair_stats_add(gs_records_at(&state->table[0], k), h, &h->pair[p], &joined[p],
                                 host->arena, host->scratch, err));
    }
    return GS_OK;
}

static const struct gs_records_spec events_spec = GS_PAIR_STATS_SPEC("events", "t"),
                                    zoom_spec = GS_PAIR_STATS_SPEC("levels", "i");

/*
 * A name that no event has fails before the first host is visited. In a part of a run it passes:
 * another part may have the event, and the merge decides.
 */
static enum gs_status make_plan(const struct gs_events_options *o, const struct gs_dataset *d,
                                struct gs_arena *arena, struct plan **plan, struct gs_err *err)
{
    GS_NEW(struct plan, made, 1, arena, err);
    made->only_event = GS_NONE;
    *plan = made;
    if (o->event == NULL)
        return GS_OK;
    return gs_event_number(d, o->event, &made->only_event, err);
}

static enum gs_status events_plan(const void *options, const struct gs_dataset *d,
                                  struct gs_state *state, struct gs_arena *arena,
                                  struct gs_err *err)
{
    struct plan *plan = NULL;
    GS_TRY(make_plan(options, d, arena, &plan, err));
    union gs_key *const key = gs_keys_of_texts(&d->event, arena);
    GS_TRY(gs_had_memory(key != NULL, err));
    state->plan = plan;
    return gs_records_plan(&state->table[0], key, d->event.n, arena, err);
}

static enum gs_status zoom_plan(const void *options, const struct gs_dataset *d,
                                struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    struct plan *plan = NULL;
    int64_t *level = NULL;
    GS_TRY(make_plan(options, d, arena, &plan, err));
    GS_TRY(gs_levels(d, arena, &level, &plan->n_levels, err));
    GS_NEW(union gs_key, key, plan->n_levels + 1, arena, err);
    key[0].number = GS_MISSING;
    for (size_t k = 0; k < plan->n_levels; k++)
        key[k + 1].number = level[k];
    plan->level = level;
    plan->by_level = true;
    state->plan = plan;
    return gs_records_plan(&state->table[0], key, (uint32_t)plan->n_levels + 1, arena, err);
}

/* --- rows --------------------------------------------------------------------------------------------- */

/* Groups without pairs get no row; each row's quantiles are a thread's work. */
struct filling {
    const struct gs_records *groups;
    enum gs_join join;
    bool by_level, all; /* all: no event was chosen */
    struct gs_frame *frame;
    struct gs_metric_columns columns;
    uint32_t *group;          /* [n_rows] */
    struct gs_arena *scratch; /* [n_threads] */
};

/*
 * Without a pair that has energy the cells stay missing. A sum of 0 J would look like a
 * measurement.
 */
static void fill_energy(struct gs_frame *f, size_t row, const struct gs_pair_stats *s)
{
    double low, high;
    GS_PUT_SHOWN(f, row, GS_REAL(SAMPLES_MEAN, gs_ratio(s->n_samples, s->duration.n)),
                 GS_REAL(COVERAGE_PCT, gs_energy_coverage_pct(&s->used, s->window_ns)));
    if (s->n_energy == 0)
        return;
    gs_energy_interval(&s->used, &low, &high);
    GS_PUT_SHOWN(f, row, GS_REAL(ENERGY_SUM_J, gs_energy_j(s->used.energy)),
                 GS_REAL(ENERGY_DIVIDED_J, gs_energy_j(s->used.energy - s->again_alike)),
                 GS_REAL(ENERGY_MEAN_J,
                         gs_dd_to_double(gs_dd_div(gs_dd_ratio(s->used.energy, GS_ENERGY_PER_J),
                                                   gs_dd_of((double)s->n_energy)))),
                 GS_REAL(POWER_TIME_W, gs_energy_power_w(&s->used)), GS_REAL(ENERGY_LOW_J, low),
                 GS_REAL(ENERGY_HIGH_J, high));
}

/*
 * One row of results; what is undefined stays missing. GS_ERR_RANGE of a mean or deviation
 * means "undefined", as for a single pair, and leaves the cell missing. Only memory is a
 * failure.
 */
static enum gs_status fill_row(const struct filling *filling, size_t row,
                               const struct gs_pair_stats *s, struct gs_arena *scratch,
                               struct gs_err *err)
{
    static const struct gs_prob prob[] = {{50, 100}, {95, 100}, {99, 100}};
    double mean = NAN, sd = NAN, min = NAN, max = NAN, quantile[] = {NAN, NAN, NAN};
    struct gs_frame *const f = filling->frame;
    int64_t *duration;
    GS_TRY(gs_values_array(&s->durations, scratch, &duration, err));
    (void)gs_moments_mean(&s->duration, GS_NS_PER_MS, &mean, NULL);
    (void)gs_moments_ssd(&s->duration, GS_NS_PER_MS, &sd, NULL);
    (void)gs_moments_min(&s->duration, GS_NS_PER_MS, &min, NULL);
    (void)gs_moments_max(&s->duration, GS_NS_PER_MS, &max, NULL);
    (void)gs_quantiles(duration, (size_t)s->durations.n, prob, 3, GS_NS_PER_MS, quantile, NULL);
    GS_PUT(f, row, GS_INT(N, (int64_t)s->duration.n), GS_REAL(DURATION_MEAN_MS, mean),
           GS_REAL(DURATION_SD_MS, sd), GS_REAL(DURATION_MIN_MS, min),
           GS_REAL(DURATION_P50_MS, quantile[0]), GS_REAL(DURATION_P95_MS, quantile[1]),
           GS_REAL(DURATION_P99_MS, quantile[2]), GS_REAL(DURATION_MAX_MS, max));
    for (size_t m = 0; m < filling->columns.n_shown; m++) {
        double of_metric = NAN;
        const enum gs_status status = gs_ratio_mean(&s->metric[filling->columns.metric[m]],
                                                    GS_FIXED_ONE, scratch, &of_metric, err);
        if (status != GS_OK && status != GS_ERR_RANGE)
            return status;
        gs_frame_set_real(f, row, filling->columns.column[m], of_metric);
    }
    fill_energy(f, row, s);
    gs_counter_cells(f, row, filling->columns.counter, &s->counted);
    return GS_OK;
}

/* Do events of one name count a good part of their energy more than once? A few that were logged twice are no such run. */
static bool are_divided(const struct gs_records *groups)
{
    gs_i128 again = 0, energy = 0;
    for (uint32_t k = 0; k < groups->n; k++) {
        const struct gs_pair_stats *const s = gs_records_at(groups, k);
        again += s->again_alike;
        energy += s->used.energy;
    }
    return again > energy / 20;
}

/* Events inside others are how runs are logged; of those of one event at once a reader may add up or divide wrongly. */
static void note_overlap(gs_i128 again, gs_i128 energy, bool alike, struct gs_notes *notes)
{
    struct gs_buf b = {.arena = notes->arena};
    const char *const all = gs_energy_text(&b, gs_energy_j(energy));
    const char *const some = gs_energy_text(&b, gs_energy_j(again));
    if (!b.failed)
        gs_note(notes, alike ? GS_NOTE_WARNING : GS_NOTE_INFO,
                "events overlap: the rows add up to %s, of which %s count more than once "
                "(%s)",
                all, some,
                alike ? "energy_divided_j divides those of one name, balance all"
                      : "balance divides them");
}

/* What the pairs of all groups are like. */
/*
 * Of events that a log barely sees its readings are half of what is around them, wherever the polls fall. Where they
 * follow each other without a pause that is the same, and the power does not change with their ends.
 */
static bool is_mixed(const struct gs_pair_stats *s)
{
    enum { CHANGE_PCT = 2 };
    return s->n_samples < 2 * s->used.n && !gs_energy_is_refused(&s->used) &&
           100 * gs_magnitude_i128(s->used.edges) > CHANGE_PCT * gs_magnitude_i128(s->used.energy);
}

static void note_mixed(gs_i128 mixed, gs_i128 energy, struct gs_notes *notes)
{
    enum { SHARE_PCT = 10 };
    if (100 * mixed > SHARE_PCT * energy)
        gs_note(notes, GS_NOTE_WARNING,
                "%.0f %% of the energy is of events with fewer than two readings each: it is mixed "
                "with what is around them, more than \xc2\xb1 says (sample faster)",
                100 * gs_ratio(mixed, energy));
}

static void note_result(const struct filling *f, const struct gs_facts *facts,
                        struct gs_notes *notes)
{
    struct gs_pairs_told told = {0};
    size_t n_refused = 0;
    uint64_t n_counted = 0, n_pairs = 0;
    gs_i128 again = 0, alike = 0, mixed = 0;
    for (uint32_t k = 0; k < f->groups->n; k++) {
        const struct gs_pair_stats *const s = gs_records_at(f->groups, k);
        told.n += s->duration.n;
        told.n_missing += s->metric[GS_POWER].n_missing;
        told.n_stale += s->n_stale;
        gs_energy_sum_merge(&told.used, &s->used);
        told.window_ns += s->window_ns;
        mixed += is_mixed(s) ? s->used.energy : 0;
        n_refused += gs_energy_is_refused(&s->used);
        n_counted += s->counted.n;
        again += s->again;
        alike += s->again_alike;
        n_pairs += s->metric[GS_POWER].n + s->metric[GS_POWER].n_missing;
    }
    gs_pairs_notes(&told, f->join, notes);
    if (f->columns.counter != 0 && n_counted < n_pairs)
        gs_note(notes, GS_NOTE_INFO,
                "energy counters reach over %llu of %llu events: energy_counter_j is of these",
                (unsigned long long)n_counted, (unsigned long long)n_pairs);
    const bool divided = f->columns.last < f->columns.n;
    if (divided || /* less is rounding of clocks */
        (f->all && again > told.used.energy / 1000))
        note_overlap(f->all ? again : alike, told.used.energy, divided, notes);
    gs_energy_refused_note(n_refused, f->frame->n_rows, notes);
    if (f->join == GS_JOIN_WINDOW)
        note_mixed(mixed, told.used.energy, notes);
    gs_energy_width_note(&told.used, &facts->totals.sensors, notes);
}

/*
 * The two columns measure different things. The warning is for readers who would take the power at
 * the ends of events for their average. NaN compares false, so rows without either are passed over,
 * and so are those whose energy is of instant readings that agree with it: that is said elsewhere.
 */
void gs_events_distinguish(const struct gs_frame *frame, enum gs_join join, struct gs_notes *notes)
{
    const double *const power = frame->columns[gs_frame_column(frame, GS_COL_POWER_MEAN_W)].real;
    const double *const over_time =
        frame->columns[gs_frame_column(frame, GS_COL_POWER_TIME_W)].real;
    const int instant = gs_frame_find(frame, "power_instant_mean_w");
    bool differ = false;
    for (size_t r = 0; r < frame->n_rows; r++) {
        const double least = 0.1 * fabs(over_time[r]);
        differ |= fabs(power[r] - over_time[r]) > least &&
                  !(instant >= 0 && fabs(frame->columns[instant].real[r] - over_time[r]) <= least);
    }
    if (!differ)
        return;
    if (join == GS_JOIN_WINDOW)
        gs_note(notes, GS_NOTE_INFO,
                "power_mean_w, the mean of samples, differs by more than 10 %% from power_time_w, "
                "which weights samples by time");
    else
        gs_note(notes, GS_NOTE_WARNING,
                "means are of the samples at the ends of events; power over time and energy are of "
                "all inside (--join window: all are)");
}

/*
 * Each row is written by one thread and each thread has its own scratch arena; the frame needs
 * no lock.
 */
static int fill_one(void *context, size_t row, unsigned thread)
{
    const struct filling *const f = context;
    struct gs_arena *const scratch = &f->scratch[thread];
    const uint32_t k = f->group[row];
    GS_REWINDS(scratch);
    const union gs_key *const key = gs_records_key(f->groups, k, 1);
    if (!f->by_level)
        gs_frame_set_text(f->frame, row, 0, key->text);
    else
        gs_frame_set_int(f->frame, row, 0, key->number);
    const enum gs_status s = fill_row(f, row, gs_records_at(f->groups, k), scratch, NULL);
    return (int)s;
}

/*
 * The groups that have pairs, in their order; that without a level comes last. Groups are in
 * the order of their keys, never of a hash, so rows come out the same for any number of hosts
 * and threads.
 */
static size_t choose_rows(struct filling *f)
{
    size_t n = 0;
    bool none = false;
    for (uint32_t k = 0; k < f->groups->n; k++) {
        const struct gs_pair_stats *const s = gs_records_at(f->groups, k);
        if (s->duration.n == 0)
            continue;
        if (f->by_level && gs_records_key(f->groups, k, 1)->number == GS_MISSING)
            none = true;
        else
            f->group[n++] = k;
    }
    if (none)
        f->group[n++] = 0;
    return n;
}

/* For people power over time stands beside the power. */
static const size_t *order_of(const struct filling *f, struct gs_arena *arena)
{
    const size_t moved = (size_t)gs_frame_column(f->frame, GS_COL_POWER_TIME_W),
                 power = (size_t)gs_frame_column(f->frame, GS_COL_POWER_MEAN_W);
    size_t *const order = gs_arena_take_raw(arena, f->columns.n, sizeof *order), n = 0;
    for (size_t c = 0; order != NULL && c < f->columns.n; c++) {
        if (c != moved)
            order[n++] = c;
        if (c == power)
            order[n++] = moved;
    }
    return order;
}

static enum gs_status to_frame(struct filling *f, const struct gs_finish *of, const char *name,
                               const char *title, struct gs_frames *out, struct gs_err *err)
{
    const struct gs_facts *const facts = of->facts;
    const unsigned n_threads = of->n_threads;
    struct gs_arena *const arena = of->arena;
    GS_OWN struct gs_arena own = {0};
    f->group = gs_arena_take_raw(&own, f->groups->n, sizeof *f->group);
    f->scratch = gs_arena_take(&own, n_threads, sizeof *f->scratch);
    enum gs_status s = gs_had_memory(f->group != NULL && f->scratch != NULL, err);
    const size_t n = s == GS_OK ? choose_rows(f) : 0;
    const bool window = f->join == GS_JOIN_WINDOW;
    struct gs_column_spec behind[sizeof window_columns / sizeof *window_columns];
    const size_t size = window ? sizeof window_columns : sizeof other_columns;
    memcpy(behind, window ? window_columns : other_columns, size);
    /* Beside a duration, it would be taken for that of the whole host, as the energy is. */
    for (size_t k = 0; k < size / sizeof *behind; k++)
        if (behind[k].id == GS_COL_POWER_TIME_W && facts->totals.n_hosts_shared > 0)
            behind[k].label = "power per GPU";
    const struct gs_metric_shown shown = {.before = f->by_level ? zoom_columns : events_columns,
                                          .n_before = sizeof events_columns / sizeof *behind,
                                          .behind = behind,
                                          .n_behind = size / sizeof *behind,
                                          .what = "mean",
                                          .where = window ? NULL : " at ends",
                                          .counted = true,
                                          .last = &divided_column,
                                          .n_last = are_divided(f->groups),
                                          .how = metric_how};
    GS_THEN(s, gs_metric_columns(&shown, facts->metric, facts->n_metrics, arena, &f->columns, err));
    GS_THEN(s, gs_frame_new(arena, GS_HEAD(name, title, f->columns.spec, f->columns.n), n, out,
                            &f->frame, err));
    GS_THEN(s, gs_had_memory((f->frame->order = order_of(f, arena)) != NULL, err));
    /* Nothing but memory can be wrong with a row. */
    if (s == GS_OK && gs_parallel_for(n_threads, n, fill_one, f) != 0)
        s = gs_fail_memory(err);
    if (s == GS_OK)
        note_result(f, facts, &out->notes);
    for (unsigned t = 0; f->scratch != NULL && t < n_threads; t++)
        gs_arena_release(&f->scratch[t]);
    return s;
}

double gs_events_energy_j(const struct gs_frame *frame, size_t row)
{
    const int divided = gs_frame_column(frame, GS_COL_ENERGY_DIVIDED_J);
    if (divided >= 0)
        return frame->columns[divided].real[row];
    return gs_frame_cells(frame, GS_COL_ENERGY_SUM_J)->real[row];
}

static enum gs_status to_rows(const struct gs_finish *of, bool by_level, const char *title,
                              struct gs_frames *out, struct gs_err *err)
{
    const struct gs_events_options *const o = of->options;
    struct filling f = {.groups = &of->state->table[0],
                        .join = o->join.join,
                        .by_level = by_level,
                        .all = o->event == NULL};
    gs_view_notes(&of->facts->totals, of->facts->duplicates, &out->notes);
    if (of->also != NULL)
        GS_TRY(gs_durations_of(f.groups, by_level, of->arena, of->also, err));
    return to_frame(&f, of, by_level ? "zoom" : "events", title, out, err);
}

enum gs_status gs_events_rows(const struct gs_finish *of, struct gs_frames *out, struct gs_err *err)
{
    const struct gs_events_options *const o = of->options;
    const bool window = o->join.join == GS_JOIN_WINDOW;
    return to_rows(of, false, window ? "Events, all samples inside each" : "Events", out, err);
}

static enum gs_status events_finish(const struct gs_finish *of, struct gs_frames *out,
                                    struct gs_err *err)
{
    const struct gs_events_options *const o = of->options;
    GS_TRY(gs_events_rows(of, out, err));
    gs_events_distinguish(out->last, o->join.join, &out->notes);
    return GS_OK;
}

static enum gs_status zoom_finish(const struct gs_finish *of, struct gs_frames *out,
                                  struct gs_err *err)
{
    const struct gs_events_options *const o = of->options;
    struct gs_buf title = {.arena = of->arena};
    gs_buf_text(&title, "Zoom levels, ");
    gs_buf_escaped(&title, gs_str(o->event), 80);
    GS_TRY(gs_had_memory(!title.failed, err));
    GS_TRY(to_rows(of, true, title.ptr, out, err));
    gs_events_distinguish(out->last, o->join.join, &out->notes);
    return GS_OK;
}

static const struct gs_records_spec *const events_tables[] = {&events_spec}, *const zoom_tables[] =
                                                                                 {&zoom_spec};

/* clang-format off */
const struct gs_fold gs_events_fold = {
    .name = "events", .views = GS_VIEW_JOINS | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = events_tables, .n_tables = 1,
    .plan = events_plan, .add = add, .finish = events_finish,
};
const struct gs_fold gs_zoom_fold = {
    .name = "zoom", .views = GS_VIEW_JOINS | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = zoom_tables, .n_tables = 1,
    .plan = zoom_plan, .add = add, .finish = zoom_finish,
};
/* clang-format on */
