/* balance_frame.c - the balance of all GPUs, added up and made into rows. */
#include <stdlib.h>

#include "run/balance.h"
#include "stats/dd.h"
#include "view/counts.h"
#include "base/timestamp.h"
#include "run/prose.h"

enum { INSIDE_SLOTS_MAX = 64 };
enum { COL_STATE, COL_PART, COL_INSIDE, COL_ENERGY, COL_ENERGY_PCT, COL_TIME, COL_TIME_PCT, COL_POWER, COL_INCLUSIVE,
       COL_UNSEEN, N_VALUES };

#define VALUE_COLUMNS                                                                                                 \
    {"state", "state", "", GS_TYPE_TEXT, 0, "task: an event runs; idle: none does; total: a sum of rows above",       \
     false},                                                                                                          \
        {"part", "part", "", GS_TYPE_TEXT, 0,                                                                         \
         "every instant of a GPU between its first and last sample belongs to one part: to the innermost running "   \
         "event, the one whose name takes the least time over the run, or to idle time before the first START on "   \
         "it, after the last STOP, or between",                                                                       \
         false},                                                                                                      \
        {"inside", "inside", "", GS_TYPE_TEXT, 0, "the next outer event during most of this part's time", false},     \
        {"energy_j", "energy", "J", GS_TYPE_REAL, 0,                                                                  \
         "trapezoids of power over the part's instants, no gap longer than --max-gap bridged; exact, so that parts "  \
         "add up to their total",                                                                                     \
         false},                                                                                                      \
        {"energy_pct", "share", "%", GS_TYPE_REAL, 2, "energy_j over the total (with --by gpu: of the GPU)", false},  \
        {"time_s", "GPU time", "s", GS_TYPE_REAL, 0, "time of the part with a known power, over all GPUs", false},    \
        {"time_pct", "share", "%", GS_TYPE_REAL, 2, "time_s over the total (with --by gpu: of the GPU)", false},      \
        {"power_mean_w", "power", "W", GS_TYPE_REAL, 2, "energy_j over time_s", false},                               \
        {"energy_with_inner_j", "with inner", "J", GS_TYPE_REAL, 0,                                                   \
         "energy while the part's event runs at all, also where an inner event counts", false},                       \
    {                                                                                                                 \
        "unseen_s", "in gaps", "s", GS_TYPE_REAL, 0, "time of the part in gaps longer than --max-gap, power unknown", \
            false                                                                                                     \
    }

static const struct gs_column_spec run_columns[] = {VALUE_COLUMNS};
static const struct gs_column_spec level_columns[] = {
    {"level", "level", "", GS_TYPE_INT, 0, "level of the running task in the task table; missing: none, or idle", true},
    VALUE_COLUMNS};
static const struct gs_column_spec gpu_columns[] = {
    {"hostname", "host", "", GS_TYPE_TEXT, 0, "hostname of the samples", false},
    {"gpu_serial", "serial", "", GS_TYPE_TEXT, 0, "gpuSerial of the samples", false},
    {"gpu_uuid", "UUID", "", GS_TYPE_TEXT, 0, "gpuUUID of the samples", false},
    VALUE_COLUMNS};

static const char *const idle_names[GS_N_IDLE] = {"before the first event", "between events", "after the last event",
                                                  "no event at all"};

struct balance {
    const struct gs_dataset *d;
    int64_t max_gap_ns;
    enum gs_balance_by by;
    uint32_t n_events, n_groups, n_slots, n_parts; /* slots: event rank * groups + group; parts: and idle      */
    uint32_t *rank, *by_rank;                      /* [n_events] 0 is the innermost                            */
    const int64_t *level;                          /* [n_groups - 1], by level; the last group: none           */
    struct gs_part **part;                         /* [n_threads][n_parts], by GPU [0][n_gpus * n_parts]       */
    uint64_t **inside_ns;                          /* [n_threads][n_slots * n_slots], NULL where not kept      */
    gs_i128 **total;                               /* [n_threads][1] the integral over all samples, taken apart */
};

/* --- nesting ------------------------------------------------------------------------------------------ */

static enum gs_status add_durations(void *context, const struct gs_host_view *h, unsigned thread,
                                    struct gs_arena *scratch, struct gs_err *err)
{
    (void)scratch, (void)err;
    gs_i128 *const sum = ((gs_i128 **)context)[thread];
    for (uint32_t p = 0; p < h->n_pairs; p++)
        sum[h->pair[p].event] += gs_pair_ns(&h->pair[p]);
    return GS_OK;
}

struct event_time {
    gs_i128 time;
    uint32_t event;
};

static int by_time(const void *a, const void *b)
{
    const struct event_time *const x = a, *const y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

static enum gs_status rank_events(struct balance *b, unsigned n_threads, struct gs_arena *own,
                                  struct gs_view_totals *totals, struct gs_err *err)
{
    gs_i128 **const sum = gs_arena_take(own, n_threads, sizeof *sum);
    struct event_time *const order = gs_arena_take(own, b->n_events, sizeof *order);
    b->rank = gs_arena_take(own, b->n_events, sizeof *b->rank);
    b->by_rank = gs_arena_take(own, b->n_events, sizeof *b->by_rank);
    if (sum == NULL || order == NULL || b->rank == NULL || b->by_rank == NULL)
        return gs_fail_memory(err);
    for (unsigned t = 0; t < n_threads; t++)
        if ((sum[t] = gs_arena_take(own, b->n_events, sizeof **sum)) == NULL)
            return gs_fail_memory(err);
    const enum gs_status s = gs_hosts_visit(b->d, n_threads, GS_VIEW_PAIRS, add_durations, sum, totals, err);
    for (uint32_t e = 0; e < b->n_events; e++) {
        order[e].event = e;
        for (unsigned t = 0; t < n_threads; t++)
            order[e].time += sum[t][e];
    }
    qsort(order, b->n_events, sizeof *order, by_time);
    for (uint32_t r = 0; r < b->n_events; r++) {
        b->by_rank[r] = order[r].event;
        b->rank[order[r].event] = r;
    }
    return s;
}

/* --- the visit ---------------------------------------------------------------------------------------- */

static uint32_t group_of(const struct balance *b, const struct gs_pair *p)
{
    if (b->by != GS_BALANCE_LEVEL)
        return 0;
    return (uint32_t)gs_pair_level_at(b->d, p, b->level, b->n_groups - 1);
}

static enum gs_status add_host(void *context, const struct gs_host_view *h, unsigned thread, struct gs_arena *scratch,
                               struct gs_err *err)
{
    const struct balance *const b = context;
    uint32_t *const slot = gs_arena_take_raw(scratch, h->n_pairs, sizeof *slot);
    if (slot == NULL)
        return gs_fail_memory(err);
    for (uint32_t p = 0; p < h->n_pairs; p++)
        slot[p] = b->rank[h->pair[p].event] * b->n_groups + group_of(b, &h->pair[p]);
    enum gs_status s = gs_energy_check(h, err);
    for (uint32_t g = 0; s == GS_OK && g < h->n_gpus; g++) {
        const struct gs_gpu_view *const gpu = &h->gpu[g];
        const struct gs_arena_mark mark = gs_arena_mark(scratch);
        struct gs_part *const part =
            b->by == GS_BALANCE_GPU ? b->part[0] + (size_t)gpu->gpu * b->n_parts : b->part[thread];
        const struct gs_balance_sweep sweep = {
            b->n_slots, slot, part, b->inside_ns == NULL ? NULL : b->inside_ns[thread]};
        s = gs_balance_gpu(h, g, b->max_gap_ns, &sweep, scratch, err);
        if (gpu->n > 0) {
            struct gs_energy_walker walk = gs_energy_walk(gpu, b->max_gap_ns);
            *b->total[thread] += gs_energy_at(&walk, gpu->t_ns[gpu->n - 1]).energy;
        }
        gs_arena_rewind(scratch, mark);
    }
    return s;
}

static enum gs_status take_room(struct balance *b, unsigned n_threads, struct gs_arena *own, struct gs_err *err)
{
    const bool keep_inside = b->n_slots <= INSIDE_SLOTS_MAX;
    const size_t n_parts = b->by == GS_BALANCE_GPU ? (size_t)b->n_parts * b->d->n_gpus : b->n_parts;
    b->part = gs_arena_take(own, n_threads, sizeof *b->part);
    b->total = gs_arena_take(own, n_threads, sizeof *b->total);
    b->inside_ns = keep_inside ? gs_arena_take(own, n_threads, sizeof *b->inside_ns) : NULL;
    if (b->part == NULL || b->total == NULL || (keep_inside && b->inside_ns == NULL))
        return gs_fail_memory(err);
    for (unsigned t = 0; t < n_threads; t++) {
        const bool shared = b->by == GS_BALANCE_GPU && t > 0;
        b->part[t] = shared ? b->part[0] : gs_arena_take(own, n_parts, sizeof **b->part);
        b->total[t] = gs_arena_take(own, 1, sizeof **b->total);
        if (b->part[t] == NULL || b->total[t] == NULL)
            return gs_fail_memory(err);
        if (!keep_inside)
            continue;
        b->inside_ns[t] = gs_arena_take(own, (size_t)b->n_slots * b->n_slots, sizeof **b->inside_ns);
        if (b->inside_ns[t] == NULL)
            return gs_fail_memory(err);
    }
    return GS_OK;
}

static void add_part(struct gs_part *sum, const struct gs_part *p)
{
    sum->energy += p->energy;
    sum->inclusive += p->inclusive;
    sum->covered_ns += p->covered_ns;
    sum->span_ns += p->span_ns;
}

static void merge(struct balance *b, unsigned n_threads)
{
    for (unsigned t = 1; t < n_threads; t++) {
        for (uint32_t k = 0; b->by != GS_BALANCE_GPU && k < b->n_parts; k++)
            add_part(&b->part[0][k], &b->part[t][k]);
        for (size_t k = 0; b->inside_ns != NULL && k < (size_t)b->n_slots * b->n_slots; k++)
            b->inside_ns[0][k] += b->inside_ns[t][k];
        *b->total[0] += *b->total[t];
    }
}

/* --- rows --------------------------------------------------------------------------------------------- */

/* A row to be: what it is called and what is in it. */
struct row {
    const char *state;
    struct gs_str part, inside;
    struct gs_part sum;
    uint32_t owner; /* GPU, or group of a level */
};

struct rows {
    struct row *row;
    size_t n;
};

static struct gs_str outer_event(const struct balance *b, uint32_t slot)
{
    const uint64_t *const ns = b->inside_ns == NULL ? NULL : b->inside_ns[0] + (size_t)slot * b->n_slots;
    uint32_t most = GS_NONE;
    for (uint32_t k = slot + 1; ns != NULL && k < b->n_slots; k++)
        if (ns[k] > 0 && (most == GS_NONE || ns[k] > ns[most]))
            most = k;
    return most == GS_NONE ? (struct gs_str){0} : b->d->event.text[b->by_rank[most / b->n_groups]];
}

static bool is_empty(const struct gs_part *p)
{
    return p->span_ns == 0 && p->inclusive == 0;
}

static void add_row(struct rows *rows, const char *state, struct gs_str part, const struct gs_part *sum, uint32_t owner)
{
    rows->row[rows->n++] = (struct row){.state = state, .part = part, .sum = *sum, .owner = owner};
}

/* Events of one group from the outermost inwards. */
static void add_event_rows(const struct balance *b, const struct gs_part *part, uint32_t group, uint32_t owner,
                           struct rows *rows, struct gs_part *all)
{
    for (uint32_t r = b->n_events; r-- > 0;) {
        const struct gs_part *const p = &part[r * b->n_groups + group];
        add_part(all, p);
        if (is_empty(p))
            continue;
        add_row(rows, "task", b->d->event.text[b->by_rank[r]], p, owner);
        rows->row[rows->n - 1].inside = outer_event(b, r * b->n_groups + group);
    }
}

static void add_idle_rows(const struct balance *b, const struct gs_part *part, uint32_t owner, struct rows *rows,
                          struct gs_part *idle)
{
    for (uint32_t k = 0; k < GS_N_IDLE; k++) {
        const struct gs_part *const p = &part[b->n_slots + k];
        add_part(idle, p);
        if (p->span_ns != 0)
            add_row(rows, "idle", gs_str(idle_names[k]), p, owner);
    }
}

/* One run's or GPU's rows, or all levels'; returns the sum over them. */
static struct gs_part add_group(const struct balance *b, const struct gs_part *part, uint32_t owner, struct rows *rows)
{
    struct gs_part all = {0}, idle = {0};
    for (uint32_t g = 0; g < b->n_groups; g++) {
        const uint32_t key = b->by == GS_BALANCE_LEVEL ? g : owner;
        struct gs_part sum = {0};
        const size_t before = rows->n;
        add_event_rows(b, part, g, key, rows, &sum);
        add_part(&all, &sum);
        sum.inclusive = sum.energy;
        if (b->by == GS_BALANCE_LEVEL && rows->n > before)
            add_row(rows, "total", gs_str(g + 1 < b->n_groups ? "level" : "no level"), &sum, key);
    }
    add_idle_rows(b, part, b->by == GS_BALANCE_LEVEL ? b->n_groups - 1 : owner, rows, &idle);
    add_part(&all, &idle);
    idle.inclusive = idle.energy;
    all.inclusive = all.energy;
    add_row(rows, "total", gs_str("idle"), &idle, b->by == GS_BALANCE_LEVEL ? b->n_groups - 1 : owner);
    add_row(rows, "total", gs_str("all"), &all, b->by == GS_BALANCE_LEVEL ? b->n_groups - 1 : owner);
    return all;
}

static void set_share(struct gs_frame *f, size_t row, size_t column, gs_i128 part, gs_i128 whole)
{
    if (whole != 0)
        gs_frame_set_real(f, row, column, gs_dd_to_double(gs_dd_mul(gs_dd_ratio(part, whole), gs_dd_of(100.0))));
}

static double seconds(gs_i128 ns)
{
    return gs_dd_to_double(gs_dd_ratio(ns, GS_NS_PER_S));
}

static void fill_row(const struct balance *b, struct gs_frame *f, size_t i, size_t n_keys, const struct row *row,
                     const struct gs_part *whole)
{
    const struct gs_part *const p = &row->sum;
    if (b->by == GS_BALANCE_GPU) {
        const struct gs_gpu *const g = &b->d->gpu[row->owner];
        gs_frame_set_text(f, i, 0, b->d->host.text[g->host]);
        gs_frame_set_text(f, i, 1, g->serial);
        gs_frame_set_text(f, i, 2, g->uuid);
    }
    if (b->by == GS_BALANCE_LEVEL && row->owner + 1 < b->n_groups)
        gs_frame_set_int(f, i, 0, b->level[row->owner]);
    gs_frame_set_text(f, i, n_keys + COL_STATE, gs_str(row->state));
    gs_frame_set_text(f, i, n_keys + COL_PART, row->part);
    gs_frame_set_text(f, i, n_keys + COL_INSIDE, row->inside);
    gs_frame_set_real(f, i, n_keys + COL_ENERGY, gs_energy_j(p->energy));
    set_share(f, i, n_keys + COL_ENERGY_PCT, p->energy, whole->energy);
    gs_frame_set_real(f, i, n_keys + COL_TIME, seconds(p->covered_ns));
    set_share(f, i, n_keys + COL_TIME_PCT, p->covered_ns, whole->covered_ns);
    if (p->covered_ns > 0)
        gs_frame_set_real(f, i, n_keys + COL_POWER,
                          gs_dd_to_double(gs_dd_div(gs_dd_ratio(p->energy, GS_ENERGY_PER_J),
                                                    gs_dd_ratio(p->covered_ns, GS_NS_PER_S))));
    gs_frame_set_real(f, i, n_keys + COL_INCLUSIVE, gs_energy_j(p->inclusive));
    gs_frame_set_real(f, i, n_keys + COL_UNSEEN, seconds(p->span_ns - p->covered_ns));
}

static const char *title_of(const struct balance *b, const struct gs_part *all, const struct gs_part *idle,
                            struct gs_arena *arena)
{
    struct gs_buf t = {.arena = arena};
    gs_buf_text(&t, "The run took ");
    gs_words_energy(&t, gs_energy_j(all->energy));
    gs_buf_text(&t, " in ");
    gs_words_counted(&t, b->d->n_gpus, "GPU");
    if (all->energy != 0) {
        gs_buf_text(&t, "; ");
        gs_words_real(&t, 100.0 * gs_dd_to_double(gs_dd_ratio(idle->energy, all->energy)), 2);
        gs_buf_text(&t, " % of it while no event ran");
    }
    return t.failed ? NULL : t.ptr;
}

static enum gs_status to_frame(const struct balance *b, struct gs_arena *own, struct gs_arena *arena,
                               struct gs_frames *out, struct gs_err *err)
{
    static const struct {
        const struct gs_column_spec *specs;
        size_t n_keys;
    } layouts[] = {[GS_BALANCE_RUN] = {run_columns, 0},
                   [GS_BALANCE_GPU] = {gpu_columns, 3},
                   [GS_BALANCE_LEVEL] = {level_columns, 1}};
    const size_t n_keys = layouts[b->by].n_keys;
    const uint32_t n_owners = b->by == GS_BALANCE_GPU ? b->d->n_gpus : 1;
    size_t room = 0;
    for (size_t k = 0; k < (size_t)n_owners * b->n_parts; k++)
        room += !is_empty(&b->part[0][k]);
    room += (size_t)n_owners * (2 + GS_N_IDLE) + b->n_groups;
    struct rows rows = {gs_arena_take(own, room, sizeof *rows.row), 0};
    struct gs_part *const whole = gs_arena_take(own, n_owners, sizeof *whole), run = {0}, idle = {0};
    if (rows.row == NULL || whole == NULL)
        return gs_fail_memory(err);
    for (uint32_t o = 0; o < n_owners; o++) {
        whole[o] = add_group(b, b->part[0] + (size_t)o * b->n_parts, o, &rows);
        add_part(&run, &whole[o]);
        add_part(&idle, &rows.row[rows.n - 2].sum);
    }
    if (run.energy != *b->total[0])
        return gs_fail(err, GS_ERR_INTERNAL, "balance: the parts do not add up to the integral over all samples");
    const char *const title = title_of(b, &run, &idle, arena);
    struct gs_frame *f;
    enum gs_status s = title == NULL ? gs_fail_memory(err) : GS_OK;
    if (s == GS_OK)
        s = gs_frame_new(arena, "balance", title, layouts[b->by].specs, n_keys + N_VALUES, rows.n, out, &f, err);
    if (s == GS_OK)
        gs_note(&out->notes, GS_NOTE_INFO, "%s", title);
    for (size_t i = 0; s == GS_OK && i < rows.n; i++)
        fill_row(b, f, i, n_keys, &rows.row[i], &whole[b->by == GS_BALANCE_GPU ? rows.row[i].owner : 0]);
    return s;
}

enum gs_status gs_balance(const struct gs_dataset *d, int64_t max_gap_ns, enum gs_balance_by by, unsigned n_threads,
                          struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct balance b = {.d = d, .max_gap_ns = max_gap_ns, .by = by, .n_events = d->event.n, .n_groups = 1};
    struct gs_view_totals pairs, samples;
    enum gs_status s = rank_events(&b, n_threads, &own, &pairs, err);
    if (s == GS_OK && by == GS_BALANCE_LEVEL) {
        int64_t *level;
        size_t n;
        s = gs_levels(d, &own, &level, &n, err);
        if (s == GS_OK) {
            b.level = level;
            b.n_groups = (uint32_t)n + 1;
        }
    }
    if (s == GS_OK && (uint64_t)b.n_events * b.n_groups > UINT32_MAX - GS_N_IDLE)
        s = gs_fail(err, GS_ERR_DATA, "too many event names (%u) and levels (%u)", b.n_events, b.n_groups);
    if (s == GS_OK) {
        b.n_slots = b.n_events * b.n_groups;
        b.n_parts = b.n_slots + GS_N_IDLE;
        s = take_room(&b, n_threads, &own, err);
    }
    if (s == GS_OK)
        s = gs_hosts_visit(d, n_threads, GS_VIEW_SAMPLES | GS_VIEW_PAIRS, add_host, &b, &samples, err);
    if (s == GS_OK) {
        merge(&b, n_threads);
        gs_view_notes(&samples, d->duplicates, &out->notes);
        s = to_frame(&b, &own, arena, out, err);
    }
    gs_arena_release(&own);
    return s;
}
