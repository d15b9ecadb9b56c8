/* host_view.c - gathers one host's rows, sorts them where need be, pairs START with STOP. */
#include "gpustat/host_view.h"

#include <stdatomic.h>

#include "gpustat/parallel.h"
#include "time_sort.h"

enum { PREFETCH_AHEAD = 40 };

struct checkpoint {
    int64_t t_ns;
    uint32_t event, job, task, gpu; /* gpu: number of a text, GS_NONE: no such column */
    uint32_t row, at;               /* at: place in the host's time[]                  */
    bool is_stop;
};

struct visit {
    const struct gs_dataset *d;
    unsigned what;
    gs_host_fn *fn;
    void *context;
    bool has_place[GS_N_TABLES]; /* the table keeps where each row stood */
    struct gs_arena *scratch;      /* [n_threads] */
    struct gs_view_totals *totals; /* [n_threads] */
    struct gs_err *errors;         /* [n_threads] */
};

static bool rows_of(const struct gs_row_index *x, uint32_t owner, const uint32_t **row, uint32_t *n)
{
    if (owner >= x->n_owners || x->first == NULL)
        return *n = 0, true;
    const uint64_t count = x->first[owner + 1] - x->first[owner];
    *row = x->row + x->first[owner];
    *n = (uint32_t)count;
    return count <= UINT32_MAX / 4;
}

/* The place of a row, GS_MISSING where none is kept. */
static int64_t place_of(const struct visit *v, enum gs_table_kind kind, uint32_t row)
{
    static const unsigned column[] = {[GS_TABLE_CHECKPOINTS] = GS_CHECKPOINT_PLACE, [GS_TABLE_SAMPLES] = GS_SAMPLE_PLACE};
    return v->has_place[kind] ? gs_table_value(&v->d->table[kind], row, column[kind]) : GS_MISSING;
}

/* The order of two rows of one instant. */
typedef int row_order_fn(const struct visit *v, uint32_t a, uint32_t b);

static int order_places(const struct visit *v, enum gs_table_kind kind, uint32_t a, uint32_t b)
{
    const int64_t x = place_of(v, kind, a), y = place_of(v, kind, b);
    return (x > y) - (x < y);
}

/* By values, so that row order never matters; rows equal in all of them by place. */
static int order_samples(const struct visit *v, uint32_t a, uint32_t b)
{
    const struct gs_table *const t = &v->d->table[GS_TABLE_SAMPLES];
    for (unsigned m = 0; m < GS_N_METRICS; m++) {
        const int64_t x = gs_table_value(t, a, GS_SAMPLE_METRIC + m), y = gs_table_value(t, b, GS_SAMPLE_METRIC + m);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static int order_samples_placed(const struct visit *v, uint32_t a, uint32_t b)
{
    const int order = order_samples(v, a, b);
    return order != 0 ? order : order_places(v, GS_TABLE_SAMPLES, a, b);
}

/* START before STOP. */
static int order_checkpoints(const struct visit *v, uint32_t a, uint32_t b)
{
    const struct gs_table *const t = &v->d->table[GS_TABLE_CHECKPOINTS];
    const int64_t x = gs_table_value(t, a, GS_CHECKPOINT_IS_STOP), y = gs_table_value(t, b, GS_CHECKPOINT_IS_STOP);
    return x != y ? (x > y) - (x < y) : order_places(v, GS_TABLE_CHECKPOINTS, a, b);
}

/* A stable merge sort: an instant may have a million rows where a clock is coarse. */
static void sort_instant(const struct visit *v, row_order_fn *order, struct gs_timed_row *r, struct gs_timed_row *spare,
                         uint32_t n)
{
    for (uint32_t width = 1; width < n; width *= 2) {
        for (uint32_t lo = 0; lo < n; lo += 2 * width) {
            const uint32_t mid = n - lo < width ? n : lo + width, hi = n - mid < width ? n : mid + width;
            uint32_t i = lo, j = mid;
            for (uint32_t k = lo; k < hi; k++)
                spare[k] = j == hi || (i < mid && order(v, r[i].row, r[j].row) <= 0) ? r[i++] : r[j++];
        }
        memcpy(r, spare, n * sizeof *r);
    }
}

/* The rows of an owner in time order, those of one instant as `order` says. */
static struct gs_timed_row *sorted_rows(const struct visit *v, enum gs_table_kind kind, row_order_fn *order,
                                        const uint32_t *row, uint32_t n, struct gs_arena *scratch)
{
    static const unsigned time_column[] = {[GS_TABLE_CHECKPOINTS] = GS_CHECKPOINT_TIME, [GS_TABLE_SAMPLES] = GS_SAMPLE_TIME};
    const struct gs_table *const t = &v->d->table[kind];
    struct gs_timed_row *const r = gs_arena_take_raw(scratch, n, sizeof *r);
    struct gs_timed_row *const spare = gs_arena_take_raw(scratch, n, sizeof *spare);
    if (r == NULL || spare == NULL)
        return NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (i + PREFETCH_AHEAD < n)
            gs_table_prefetch(t, row[i + PREFETCH_AHEAD]);
        r[i] = (struct gs_timed_row){gs_table_value(t, row[i], time_column[kind]), row[i]};
    }
    gs_time_sort(r, spare, n);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && r[end].t_ns == r[i].t_ns;)
            end++;
        if (end - i > 1)
            sort_instant(v, order, r + i, spare, end - i);
    }
    return r;
}

/* Keeps the least; GS_MISSING is none. */
static void note_place(int64_t *first, int64_t place)
{
    if (place != GS_MISSING && (*first == GS_MISSING || place < *first))
        *first = place;
}

/* Counts repeats, which stand side by side; drops them where asked. */
static uint32_t settle_samples(const struct visit *v, struct gs_timed_row *r, uint32_t n, struct gs_view_totals *totals)
{
    uint32_t kept = n == 0 ? 0 : 1;
    for (uint32_t i = 1; i < n; i++) {
        const bool repeat = r[i].t_ns == r[kept - 1].t_ns && order_samples(v, r[i].row, r[kept - 1].row) == 0;
        if (repeat) {
            totals->n_duplicate_samples++;
            note_place(&totals->first_duplicate_sample, place_of(v, GS_TABLE_SAMPLES, r[i].row));
        }
        if (!repeat || v->d->duplicates == GS_DUPLICATES_KEEP)
            r[kept++] = r[i];
    }
    return kept;
}

/* The places of rows in their order; NULL, which is a result, where none are kept. */
static bool gather_places(const struct visit *v, enum gs_table_kind kind, const struct gs_timed_row *r, uint32_t n,
                          struct gs_arena *scratch, const int64_t **places)
{
    int64_t *const p = v->has_place[kind] ? gs_arena_take_raw(scratch, n, sizeof *p) : NULL;
    for (uint32_t i = 0; p != NULL && i < n; i++)
        p[i] = place_of(v, kind, r[i].row);
    *places = p;
    return p != NULL || !v->has_place[kind];
}

static bool view_gpu(const struct visit *v, uint32_t gpu, struct gs_gpu_view *g, struct gs_view_totals *totals,
                     struct gs_arena *scratch)
{
    const struct gs_table *const t = &v->d->table[GS_TABLE_SAMPLES];
    const uint32_t *row = NULL;
    uint32_t n;
    if (!rows_of(&v->d->samples_of_gpu, gpu, &row, &n))
        return false;
    row_order_fn *const order = v->has_place[GS_TABLE_SAMPLES] ? order_samples_placed : order_samples;
    struct gs_timed_row *const r = sorted_rows(v, GS_TABLE_SAMPLES, order, row, n, scratch);
    if (r == NULL)
        return false;
    n = settle_samples(v, r, n, totals);
    int64_t *const values = gs_arena_take_raw(scratch, (size_t)n * (1 + GS_N_METRICS), sizeof *values);
    if (values == NULL)
        return false;
    *g = (struct gs_gpu_view){.gpu = gpu, .n = n, .t_ns = values};
    for (unsigned m = 0; m < GS_N_METRICS; m++)
        g->value[m] = values + (size_t)n * (1 + m);
    for (uint32_t i = 0; i < n; i++) {
        const struct gs_segment *const s = &t->segment[r[i].row >> GS_SEGMENT_BITS];
        const uint32_t k = r[i].row & (GS_SEGMENT_ROWS - 1);
        values[i] = r[i].t_ns;
        for (unsigned m = 0; m < GS_N_METRICS; m++)
            values[(size_t)n * (1 + m) + i] = gs_segment_value(s, k, GS_SAMPLE_METRIC + m);
    }
    return gather_places(v, GS_TABLE_SAMPLES, r, n, scratch, &g->place);
}

static bool same_key(const struct checkpoint *a, const struct checkpoint *b)
{
    return a->task == b->task && a->event == b->event && a->job == b->job && a->gpu == b->gpu;
}

/* Numbers the pair keys of a host 0, 1, ... in order of appearance: one small hash table. */
static uint32_t *number_keys(const struct checkpoint *c, uint32_t n, uint32_t *n_keys, struct gs_arena *scratch)
{
    uint32_t n_slots = 64;
    while (n_slots < n * 2)
        n_slots *= 2;
    uint32_t *const slot = gs_arena_take(scratch, n_slots, sizeof *slot); /* first checkpoint of a key, plus one */
    uint32_t *const key = gs_arena_take_raw(scratch, n, sizeof *key);
    if (slot == NULL || key == NULL)
        return NULL;
    uint32_t n_found = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t h = (c[i].task * UINT64_C(0x9e3779b97f4a7c15)) ^ (c[i].job * UINT64_C(0xc2b2ae3d27d4eb4f)) ^
                           (c[i].event * UINT64_C(0x165667b19e3779f9)) ^ (c[i].gpu * UINT64_C(0x27d4eb2f165667c5));
        uint32_t s = (uint32_t)(h >> 32) & (n_slots - 1);
        while (slot[s] != 0 && !same_key(&c[slot[s] - 1], &c[i]))
            s = (s + 1) & (n_slots - 1);
        if (slot[s] == 0) {
            slot[s] = i + 1;
            key[i] = n_found++;
        } else {
            key[i] = key[slot[s] - 1];
        }
    }
    *n_keys = n_found;
    return key;
}

/* Brings the checkpoints of each key together, in the order that they come in. */
static struct checkpoint *group_by_key(const struct checkpoint *c, const uint32_t *key, uint32_t n, uint32_t n_keys,
                                       uint32_t **first, struct gs_arena *scratch)
{
    uint32_t *const at = gs_arena_take(scratch, (size_t)n_keys + 2, sizeof *at);
    struct checkpoint *const g = gs_arena_take_raw(scratch, n, sizeof *g);
    if (at == NULL || g == NULL)
        return NULL;
    for (uint32_t i = 0; i < n; i++)
        at[key[i] + 2]++;
    for (uint32_t k = 2; k < n_keys + 2; k++)
        at[k] += at[k - 1];
    for (uint32_t i = 0; i < n; i++)
        g[at[key[i] + 1]++] = c[i];
    *first = at;
    return g;
}

/* Counts equal neighbours of one key's group and drops them where asked; returns how many stay. */
static uint32_t settle_duplicates(const struct visit *v, struct checkpoint *g, uint32_t n, struct gs_view_totals *totals)
{
    uint32_t kept = n == 0 ? 0 : 1;
    for (uint32_t i = 1; i < n; i++) {
        const bool repeat = g[i].t_ns == g[kept - 1].t_ns && g[i].is_stop == g[kept - 1].is_stop;
        if (repeat) {
            totals->n_duplicate_checkpoints++;
            note_place(&totals->first_duplicate_checkpoint, place_of(v, GS_TABLE_CHECKPOINTS, g[i].row));
        }
        if (!repeat || v->d->duplicates == GS_DUPLICATES_KEEP)
            g[kept++] = g[i];
    }
    return kept;
}

/* The index of the named GPU among the host's, GS_NONE for "all" or for a name that is not known. */
static uint32_t resolve_gpu(const struct visit *v, uint32_t host, uint32_t name, struct gs_view_totals *totals)
{
    if (name == GS_NONE || v->d->gpu_name.text[name].len == 0)
        return GS_NONE;
    const struct gs_str text = v->d->gpu_name.text[name];
    const uint32_t first = v->d->host_first_gpu[host], n = v->d->host_first_gpu[host + 1] - first;
    for (uint32_t g = 0; g < n; g++)
        if (gs_str_eq(text, v->d->gpu[first + g].uuid) || gs_str_eq(text, v->d->gpu[first + g].serial))
            return g;
    uint64_t index;
    if (text.len < 4 && gs_count_parse(text, UINT32_MAX, &index) == GS_NUMBER_OK && index < n)
        return (uint32_t)index;
    totals->n_unknown_gpu++;
    return GS_NONE;
}

struct pairing {
    struct gs_pair *pair;
    struct gs_orphan *orphan;
    uint32_t n_pairs, n_orphans;
};

static void add_orphan(const struct visit *v, struct pairing *p, const struct checkpoint *c, struct gs_view_totals *totals)
{
    const int64_t place = place_of(v, GS_TABLE_CHECKPOINTS, c->row);
    p->orphan[p->n_orphans++] = (struct gs_orphan){c->t_ns, place, c->event, c->job, c->task, c->is_stop};
    if (c->is_stop)
        totals->n_orphan_stops++;
    else
        totals->n_orphan_starts++;
}

/* The k-th START with the k-th STOP of one key. */
static void pair_group(const struct visit *v, uint32_t host, const struct checkpoint *g, uint32_t n, struct pairing *p,
                       struct gs_view_totals *totals)
{
    if (n == 0)
        return;
    const uint32_t gpu = resolve_gpu(v, host, g[0].gpu, totals);
    uint32_t start = 0, stop = 0;
    for (;;) {
        while (start < n && g[start].is_stop)
            start++;
        while (stop < n && !g[stop].is_stop)
            stop++;
        if (start == n || stop == n)
            break;
        p->pair[p->n_pairs++] =
            (struct gs_pair){g[start].t_ns, g[stop].t_ns, g[0].event, g[0].job, g[0].task, gpu, g[start].at, g[stop].at};
        totals->n_negative += g[stop].t_ns < g[start].t_ns;
        start++;
        stop++;
    }
    for (; start < n; start++)
        if (!g[start].is_stop)
            add_orphan(v, p, &g[start], totals);
    for (; stop < n; stop++)
        if (g[stop].is_stop)
            add_orphan(v, p, &g[stop], totals);
}

static struct checkpoint *gather_checkpoints(const struct visit *v, const struct gs_timed_row *r, uint32_t n,
                                             int64_t *time, struct gs_arena *scratch)
{
    const struct gs_table *const t = &v->d->table[GS_TABLE_CHECKPOINTS];
    struct checkpoint *const c = gs_arena_take_raw(scratch, n, sizeof *c);
    for (uint32_t i = 0; c != NULL && i < n; i++) {
        const struct gs_segment *const s = &t->segment[r[i].row >> GS_SEGMENT_BITS];
        const uint32_t k = r[i].row & (GS_SEGMENT_ROWS - 1);
        const int64_t gpu = v->d->checkpoints_name_gpu ? gs_segment_value(s, k, GS_CHECKPOINT_GPU) : GS_MISSING;
        time[i] = r[i].t_ns;
        c[i] = (struct checkpoint){.t_ns = r[i].t_ns,
                                   .event = (uint32_t)gs_segment_value(s, k, GS_CHECKPOINT_EVENT),
                                   .job = (uint32_t)gs_segment_value(s, k, GS_CHECKPOINT_JOB),
                                   .task = (uint32_t)gs_segment_value(s, k, GS_CHECKPOINT_TASK),
                                   .gpu = gpu == GS_MISSING ? GS_NONE : (uint32_t)gpu,
                                   .row = r[i].row,
                                   .at = i,
                                   .is_stop = gs_segment_value(s, k, GS_CHECKPOINT_IS_STOP) != 0};
    }
    return c;
}

static bool view_pairs(const struct visit *v, struct gs_host_view *h, struct gs_view_totals *totals,
                       struct gs_arena *scratch)
{
    const uint32_t *row = NULL;
    uint32_t n, n_keys, *first;
    if (!rows_of(&v->d->checkpoints_of_host, h->host, &row, &n))
        return false;
    struct gs_timed_row *const r = sorted_rows(v, GS_TABLE_CHECKPOINTS, order_checkpoints, row, n, scratch);
    int64_t *const time = gs_arena_take_raw(scratch, n, sizeof *time);
    struct pairing p = {gs_arena_take_raw(scratch, n / 2 + 1, sizeof *p.pair),
                        gs_arena_take_raw(scratch, n, sizeof *p.orphan), 0, 0};
    struct checkpoint *const c = r == NULL || time == NULL ? NULL : gather_checkpoints(v, r, n, time, scratch);
    uint32_t *const key = c == NULL ? NULL : number_keys(c, n, &n_keys, scratch);
    struct checkpoint *const g = key == NULL ? NULL : group_by_key(c, key, n, n_keys, &first, scratch);
    if (g == NULL || p.pair == NULL || p.orphan == NULL ||
        !gather_places(v, GS_TABLE_CHECKPOINTS, r, n, scratch, &h->place))
        return false;
    for (uint32_t k = 0; k < n_keys; k++) {
        const uint32_t kept = settle_duplicates(v, g + first[k], first[k + 1] - first[k], totals);
        pair_group(v, h->host, g + first[k], kept, &p, totals);
    }
    h->time = time;
    h->n_times = n;
    h->pair = p.pair;
    h->n_pairs = p.n_pairs;
    h->orphan = p.orphan;
    h->n_orphans = p.n_orphans;
    return true;
}

static int visit_host(void *context, size_t host, unsigned thread)
{
    const struct visit *const v = context;
    struct gs_arena *const scratch = &v->scratch[thread];
    struct gs_view_totals *const totals = &v->totals[thread];
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    struct gs_host_view h = {.host = (uint32_t)host};
    bool fits = true;
    if ((v->what & GS_VIEW_SAMPLES) != 0) {
        const uint32_t first = v->d->host_first_gpu[host];
        h.n_gpus = v->d->host_first_gpu[host + 1] - first;
        struct gs_gpu_view *const gpu = gs_arena_take(scratch, h.n_gpus, sizeof *gpu);
        h.gpu = gpu;
        fits = gpu != NULL;
        for (uint32_t g = 0; fits && g < h.n_gpus; g++)
            fits = view_gpu(v, first + g, &gpu[g], totals, scratch);
    }
    if (fits && (v->what & GS_VIEW_PAIRS) != 0)
        fits = view_pairs(v, &h, totals, scratch);
    bool for_all = false;
    for (uint32_t p = 0; fits && p < h.n_pairs && !for_all; p++)
        for_all = h.pair[p].gpu == GS_NONE;
    totals->n_hosts_shared += h.n_gpus > 1 && for_all;
    const enum gs_status s = fits ? v->fn(v->context, &h, thread, scratch, &v->errors[thread])
                                  : gs_fail_memory(&v->errors[thread]);
    gs_arena_rewind(scratch, mark);
    return (int)s;
}

static void add_totals(struct gs_view_totals *sum, const struct gs_view_totals *t)
{
    sum->n_duplicate_checkpoints += t->n_duplicate_checkpoints;
    sum->n_duplicate_samples += t->n_duplicate_samples;
    sum->n_orphan_starts += t->n_orphan_starts;
    sum->n_orphan_stops += t->n_orphan_stops;
    sum->n_negative += t->n_negative;
    sum->n_unknown_gpu += t->n_unknown_gpu;
    sum->n_hosts_shared += t->n_hosts_shared;
    note_place(&sum->first_duplicate_checkpoint, t->first_duplicate_checkpoint);
    note_place(&sum->first_duplicate_sample, t->first_duplicate_sample);
}

enum gs_status gs_hosts_visit(const struct gs_dataset *d, unsigned n_threads, unsigned what, gs_host_fn *fn,
                              void *context, struct gs_view_totals *totals, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct visit v = {.d = d, .what = what, .fn = fn, .context = context};
    v.has_place[GS_TABLE_CHECKPOINTS] = d->table[GS_TABLE_CHECKPOINTS].n_columns == GS_CHECKPOINT_COLUMNS;
    v.has_place[GS_TABLE_SAMPLES] = d->table[GS_TABLE_SAMPLES].n_columns == GS_SAMPLE_COLUMNS;
    v.scratch = gs_arena_take(&own, n_threads, sizeof *v.scratch);
    v.totals = gs_arena_take(&own, n_threads, sizeof *v.totals);
    v.errors = gs_arena_take(&own, n_threads, sizeof *v.errors);
    if (v.scratch == NULL || v.totals == NULL || v.errors == NULL) {
        gs_arena_release(&own);
        return gs_fail_memory(err);
    }
    for (unsigned t = 0; t < n_threads; t++)
        v.totals[t].first_duplicate_checkpoint = v.totals[t].first_duplicate_sample = GS_MISSING;
    const enum gs_status s = (enum gs_status)gs_parallel_for(n_threads, d->host.n, visit_host, &v);
    struct gs_view_totals sum = {.first_duplicate_checkpoint = GS_MISSING, .first_duplicate_sample = GS_MISSING};
    bool told = false;
    for (unsigned t = 0; t < n_threads; t++) {
        add_totals(&sum, &v.totals[t]);
        if (s != GS_OK && !told && v.errors[t].status == s && err != NULL) {
            *err = v.errors[t];
            told = true;
        }
        gs_arena_release(&v.scratch[t]);
    }
    if (s == GS_OK && totals != NULL)
        *totals = sum;
    gs_arena_release(&own);
    return s;
}

void gs_view_notes(const struct gs_view_totals *t, const struct gs_dataset *d, struct gs_notes *notes)
{
    const char *const done = d->duplicates == GS_DUPLICATES_DROP ? "dropped" : "kept (--duplicates drop removes them)";
    if (t->n_duplicate_checkpoints > 0)
        gs_note(notes, GS_NOTE_WARNING, "%llu checkpoint %s, %s", (unsigned long long)t->n_duplicate_checkpoints,
                t->n_duplicate_checkpoints == 1 ? "row is an exact duplicate" : "rows are exact duplicates", done);
    if (t->n_duplicate_samples > 0)
        gs_note(notes, GS_NOTE_WARNING, "%llu sample %s, %s", (unsigned long long)t->n_duplicate_samples,
                t->n_duplicate_samples == 1 ? "row is an exact duplicate" : "rows are exact duplicates", done);
    if (t->n_orphan_starts + t->n_orphan_stops > 0)
        gs_note(notes, GS_NOTE_WARNING, "%llu START and %llu STOP rows have no partner and are left out (see check)",
                (unsigned long long)t->n_orphan_starts, (unsigned long long)t->n_orphan_stops);
    if (t->n_negative > 0)
        gs_note(notes, GS_NOTE_WARNING, "%llu %s STOP before %s START and %s", (unsigned long long)t->n_negative,
                t->n_negative == 1 ? "pair has its" : "pairs have their",
                t->n_negative == 1 ? "its" : "their", t->n_negative == 1 ? "is kept as it is" : "are kept as they are");
    if (t->n_unknown_gpu > 0)
        gs_note(notes, GS_NOTE_WARNING, "%llu %s a GPU that has no samples; all GPUs of %s host were joined",
                (unsigned long long)t->n_unknown_gpu, t->n_unknown_gpu == 1 ? "event names" : "events name",
                t->n_unknown_gpu == 1 ? "its" : "their");
    if (t->n_hosts_shared > 0)
        gs_note(notes, GS_NOTE_INFO,
                "%llu %s several GPUs and events that name none: readings are means over the host's GPUs",
                (unsigned long long)t->n_hosts_shared, t->n_hosts_shared == 1 ? "host has" : "hosts have");
}
