/* host_view.c - gathers one host's rows, sorts them where need be, pairs START with STOP. */
#include "analysis/timeline/host_view.h"

#include <stdlib.h>

#include "base/core/row_order.h"
#include "data/tables/packed_rows.h"
#include "analysis/timeline/counts.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"

struct checkpoint {
    int64_t t_ns, place;            /* place: GS_MISSING where none is kept              */
    uint32_t event, job, task, gpu; /* gpu: number of a text, GS_NONE: no such column    */
    uint32_t at;                    /* place in the host's time[]                        */
    uint32_t attributes;            /* number of their set, GS_NONE: none                */
    uint32_t span : 28;             /* which span of the host it is an end of, 0: none, a mark  */
    uint32_t is_stop : 1, is_copy : 1;
    uint32_t runs : 1, ran : 1; /* its span has no end yet; a job's that ran when it was listed */
};

/*
 * The number of rows of an owner; false where they are too many for one view. A sixteenth of 2^32
 * leaves room for the two marks of a span and for a hash table of twice as many slots, all in
 * uint32_t. The caller reports more rows as running out of memory.
 */
static bool count_rows(const struct gs_table *t, uint32_t owner, uint32_t *n)
{
    const uint64_t count = gs_table_rows_of(t, owner);
    *n = (uint32_t)count;
    return count <= UINT32_MAX / 16;
}

/*
 * `span` is part of the key so that an end given as a span closes only its own start. Marks have
 * span 0 and pair by name alone.
 */
static bool same_key(const struct checkpoint *a, const struct checkpoint *b)
{
    return a->task == b->task && a->event == b->event && a->job == b->job && a->gpu == b->gpu &&
           a->span == b->span;
}

/* Numbers the pair keys of a host 0, 1, ...: one small hash table. Rows of one key mostly come side by side. */
static uint32_t *number_keys(const struct checkpoint *c, uint32_t n, uint32_t *n_keys,
                             struct gs_arena *scratch)
{
    uint32_t n_slots = 64;
    while (n_slots < n * 2)
        n_slots *= 2;
    /* first checkpoint of a key, plus one */
    uint32_t *const slot = gs_arena_take(scratch, n_slots, sizeof *slot);
    uint32_t *const key = gs_arena_take_raw(scratch, n, sizeof *key);
    if (slot == NULL || key == NULL)
        return NULL;
    uint32_t n_found = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0 && same_key(&c[i - 1], &c[i])) {
            key[i] = key[i - 1];
            continue;
        }
        /*
         * The hash decides no output order: keys are numbered by their first row. It needs no
         * random seed either, because its inputs are dense numbers and not text from a file.
         */
        const uint64_t h =
            (c[i].task * UINT64_C(0x9e3779b97f4a7c15)) ^ (c[i].job * UINT64_C(0xc2b2ae3d27d4eb4f)) ^
            (c[i].event * UINT64_C(0x165667b19e3779f9)) ^
            (c[i].gpu * UINT64_C(0x27d4eb2f165667c5)) ^ (c[i].span * UINT64_C(0xff51afd7ed558ccd));
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

/*
 * Brings the checkpoints of each key together, in the order that `index` has them in. A counting
 * sort, stable in the order of `index`: within one key the rows stay in time order. The offset of
 * 2 leaves first[k] as the start of group k once all rows are placed.
 */
static uint32_t *group_by_key(const uint32_t *index, const uint32_t *key, uint32_t n,
                              uint32_t n_keys, uint32_t **first, struct gs_arena *scratch)
{
    uint32_t *const at = gs_arena_take(scratch, (size_t)n_keys + 2, sizeof *at);
    uint32_t *const g = gs_arena_take_raw(scratch, n, sizeof *g);
    if (at == NULL || g == NULL)
        return NULL;
    for (uint32_t i = 0; i < n; i++)
        at[key[i] + 2]++;
    for (uint32_t k = 2; k < n_keys + 2; k++)
        at[k] += at[k - 1];
    for (uint32_t i = 0; i < n; i++)
        g[at[key[index[i]] + 1]++] = index[i];
    *first = at;
    return g;
}

/*
 * Counts equal neighbours of one key's group and drops them where asked; returns how many stay.
 * Equal rows are neighbours because the group is sorted by time, then START before STOP. The key
 * is equal within a group, so time and kind are all that is left to compare.
 */
static uint32_t settle_duplicates(const struct gs_view_way *v, const struct checkpoint *c,
                                  uint32_t *g, uint32_t n, struct gs_view_totals *totals)
{
    uint32_t kept = n == 0 ? 0 : 1;
    for (uint32_t i = 1; i < n; i++) {
        const struct checkpoint *const one = &c[g[i]], *const before = &c[g[kept - 1]];
        const bool repeat = one->t_ns == before->t_ns && one->is_stop == before->is_stop;
        if (repeat)
            gs_repeats_add(&totals->checkpoints, one->t_ns, one->place);
        if (!repeat || v->d->duplicates == GS_DUPLICATES_KEEP)
            g[kept++] = g[i];
    }
    return kept;
}

/* What stands in gs_pair.gpu for a name. */
static uint32_t gpu_of_pair(const struct gs_view_way *v, uint32_t host, uint32_t name)
{
    if (name == GS_NONE || gs_is_missing_word(v->d->gpu_name.text[name]))
        return GS_NONE;
    const uint32_t gpu = gs_gpu_named(v->d, host, v->d->gpu_name.text[name]);
    const uint32_t n = v->d->host_first_gpu[host + 1] - v->d->host_first_gpu[host];
    if (gpu != GS_NONE)
        return gpu;
    /*
     * A GPU that the samples do not know still needs a number of its own: two pairs on unknown
     * GPUs must not look like one GPU. GS_NONE would mean "all GPUs of the host".
     */
    if (name < GS_NONE - n)
        return n + name;
    return GS_NO_GPU;
}

struct pairing {
    struct gs_pair *pair;
    struct gs_orphan *orphan;
    /* of one key: its open STARTs, last on top; the STOP of each START and the other way round */
    uint32_t *open, *partner;
    uint32_t n_pairs, n_orphans;
};

/* Does any of the time between two instants lie in the range, or, of none between them, do they? */
static bool is_in_range(const struct gs_range *r, int64_t start_ns, int64_t stop_ns)
{
    if (r == NULL || (start_ns < r->to_ns && stop_ns > r->from_ns))
        return true;
    return start_ns == stop_ns && start_ns == r->from_ns;
}

static void add_orphan(const struct gs_range *range, struct pairing *p, const struct checkpoint *c,
                       struct gs_view_totals *totals)
{
    if (!is_in_range(range, c->t_ns, c->t_ns))
        return;
    p->orphan[p->n_orphans++] =
        (struct gs_orphan){c->t_ns, c->place, c->event, c->job, c->task, c->is_stop};
    if (c->is_stop)
        totals->n_orphan_stops++;
    else
        totals->n_orphan_starts++;
}

/* Closes as many of the open STARTs as there are STOPs in [stop, end); returns the first STOP that closes none. */
static uint32_t close_open(struct pairing *p, uint32_t *n_open, uint32_t stop, uint32_t end)
{
    while (stop<end && * n_open> 0) {
        const uint32_t start = p->open[--*n_open];
        p->partner[start] = stop;
        p->partner[stop++] = start;
    }
    return stop;
}

/*
 * Each STOP of one key, whose checkpoints are c[g[0]] .. c[g[n - 1]], with the latest START that is open. Within an
 * instant, where STARTs stand before STOPs, what was open before is closed first.
 */
static void find_partners(const struct checkpoint *c, const uint32_t *g, uint32_t n,
                          struct pairing *p)
{
    uint32_t n_open = 0;
    if (n == 2 && !c[g[0]].is_stop && c[g[1]].is_stop) { /* nearly all: an event that came once */
        p->partner[0] = 1;
        p->partner[1] = 0;
        return;
    }
    for (uint32_t i = 0, stops, end; i < n; i = end) {
        for (stops = i; stops < n && !c[g[stops]].is_stop && c[g[stops]].t_ns == c[g[i]].t_ns;
             stops++)
            p->partner[stops] = GS_NONE;
        for (end = stops; end < n && c[g[end]].is_stop && c[g[end]].t_ns == c[g[i]].t_ns; end++)
            p->partner[end] = GS_NONE;
        const uint32_t left = close_open(p, &n_open, stops, end);
        for (uint32_t start = stops;
             start-- > i;) /* of equal rows the first in the file pairs first */
            p->open[n_open++] = start;
        (void)close_open(p, &n_open, left, end);
    }
}

/* A job of no GPU uses one that has no samples, not all of its host. */
static uint32_t gpu_held(const struct gs_view_way *v, uint32_t attributes, uint32_t gpu)
{
    if (attributes == GS_NONE || gpu != GS_NONE ||
        !gs_str_eq(gs_attribute(v->d, attributes, gs_str("gpus")), gs_str("0")))
        return gpu;
    return GS_NO_GPU;
}

static void pair_group(const struct gs_view_way *v, uint32_t host, const struct checkpoint *c,
                       const uint32_t *g, uint32_t n, struct pairing *p,
                       struct gs_view_totals *totals)
{
    if (n == 0)
        return;
    const struct gs_range *const range = v->d->range;
    const uint32_t gpu = gpu_of_pair(v, host, c[g[0]].gpu), n_before = p->n_pairs;
    find_partners(c, g, n, p);
    for (uint32_t i = 0; i < n; i++) {
        const struct checkpoint *const a = &c[g[i]];
        if (p->partner[i] == GS_NONE) {
            add_orphan(range, p, a, totals);
        } else if (!a->is_stop) {
            const struct checkpoint *const b = &c[g[p->partner[i]]];
            if (!is_in_range(range, a->t_ns, b->t_ns))
                continue;
            const int64_t start_ns = gs_range_held(range, a->t_ns),
                          stop_ns = gs_range_held(range, b->t_ns);
            totals->n_range_cut += !a->is_copy && (start_ns > a->t_ns || stop_ns < b->t_ns);
            const uint32_t set = /* what it handled is known when it stops */
                b->attributes != GS_NONE ? b->attributes : a->attributes;
            p->pair[p->n_pairs++] = (struct gs_pair){
                .start_ns = start_ns,
                .stop_ns = stop_ns,
                .event = a->event,
                .job = a->job,
                .task = a->task,
                .gpu = gpu_held(v, set, gpu),
                .start_at = a->at,
                .stop_at = b->at,
                .attributes = set,
                .is_copy = a->is_copy,
                .cut_start = start_ns > a->t_ns,
                .cut_stop = stop_ns < b->t_ns,
                .runs = a->runs,
            };
        }
    }
    if (gpu != GS_NONE && gpu >= v->d->host_first_gpu[host + 1] - v->d->host_first_gpu[host] &&
        p->n_pairs > n_before) {
        totals->n_unknown_gpu += p->n_pairs - n_before;
        gs_least_names_add(&totals->unknown_gpu, v->d->gpu_name.text[c[g[0]].gpu]);
    }
}

static uint32_t number_if(bool there, const struct gs_segment *s, uint32_t row, unsigned column)
{
    const int64_t number = gs_segment_value_if(there, s, row, column);
    return number == GS_MISSING ? GS_NONE : (uint32_t)number;
}

/* The host's checkpoints as they are stored. */
static void gather_checkpoints(const struct gs_view_way *v, uint32_t host, struct checkpoint *c)
{
    const struct gs_table *const t = &v->d->table[GS_TABLE_CHECKPOINTS];
    const bool has_copies = gs_table_varies(t, GS_CHECKPOINT_IS_COPY),
               has_sets = v->d->attributes.n > 0;
    for (uint32_t k = t->first[host]; k < t->first[host + 1]; k++) {
        const struct gs_segment *const s = &t->segment[k];
        const struct gs_cells cell[] = {
            gs_cells_of(s, GS_CHECKPOINT_TIME), gs_cells_of(s, GS_CHECKPOINT_IS_STOP),
            gs_cells_of(s, GS_CHECKPOINT_EVENT), gs_cells_of(s, GS_CHECKPOINT_JOB),
            gs_cells_of(s, GS_CHECKPOINT_TASK)};
        if (k + 2 < t->first[host + 1])
            gs_segment_prefetch(&t->segment[k + 2]);
        for (uint32_t i = 0; i < s->n_rows; i++)
            *c++ = (struct checkpoint){
                .t_ns = gs_cell(&cell[GS_CHECKPOINT_TIME], i),
                .place = gs_segment_value_if(v->d->has_places, s, i, GS_CHECKPOINT_PLACE),
                .event = (uint32_t)gs_cell(&cell[GS_CHECKPOINT_EVENT], i),
                .job = (uint32_t)gs_cell(&cell[GS_CHECKPOINT_JOB], i),
                .task = (uint32_t)gs_cell(&cell[GS_CHECKPOINT_TASK], i),
                .gpu = number_if(v->d->checkpoints_name_gpu, s, i, GS_CHECKPOINT_GPU),
                .attributes = number_if(has_sets, s, i, GS_CHECKPOINT_ATTRIBUTES),
                .is_stop = gs_cell(&cell[GS_CHECKPOINT_IS_STOP], i) != 0,
                .is_copy = has_copies && gs_segment_value(s, i, GS_CHECKPOINT_IS_COPY) == 1};
    }
}

/* The time of a host's last sample; before all times where it has none. */
static int64_t last_sample(const struct gs_dataset *d, uint32_t host)
{
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN + 1;
    for (uint32_t g = d->host_first_gpu[host]; g < d->host_first_gpu[host + 1]; g++)
        gs_table_widen_range_of(&d->table[GS_TABLE_SAMPLES], g, GS_SAMPLE_TIME, &first_ns,
                                &last_ns);
    return last_ns;
}

/*
 * The host's spans, each as the two marks that only it has. `span` has 28 bits. count_rows admits
 * at most 2^28 rows, so the number never wraps to 0, which would pair by name. What has no end yet runs until the host's last
 * sample.
 */
static void gather_spans(const struct gs_view_way *v, uint32_t host, struct checkpoint *c)
{
    const struct gs_table *const t = &v->d->table[GS_TABLE_SPANS];
    uint32_t number = 0;
    int64_t last_ns = GS_MISSING;
    for (uint32_t k = t->first[host]; k < t->first[host + 1]; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            const struct gs_segment *const s = &t->segment[k];
            struct checkpoint start = {
                .t_ns = gs_segment_value(s, i, GS_SPAN_START),
                .place = gs_segment_value_if(v->d->has_places, s, i, GS_SPAN_PLACE),
                .event = (uint32_t)gs_segment_value(s, i, GS_SPAN_EVENT),
                .job = (uint32_t)gs_segment_value(s, i, GS_SPAN_JOB),
                .task = (uint32_t)gs_segment_value(s, i, GS_SPAN_TASK),
                .gpu = number_if(true, s, i, GS_SPAN_GPU),
                .attributes = number_if(true, s, i, GS_SPAN_ATTRIBUTES),
                .span = ++number & ((1u << 28) - 1),
                .is_copy = gs_segment_value(s, i, GS_SPAN_IS_COPY) == 1,
                .runs = gs_segment_value(s, i, GS_SPAN_RUNS) == 1};
            start.ran = v->d->job.text[start.job].len > 0 &&
                        (start.runs ||
                         (start.attributes != GS_NONE &&
                          gs_job_runs(gs_attribute(v->d, start.attributes, gs_str("state")))));
            *c++ = start;
            *c = start;
            c->t_ns = gs_segment_value(s, i, GS_SPAN_STOP);
            if (start.runs && last_ns == GS_MISSING)
                last_ns = last_sample(v->d, host);
            if (start.runs)
                c->t_ns = gs_max(c->t_ns, last_ns);
            c++->is_stop = 1;
        }
}

/*
 * The order depends on the contents alone, so that equal spans are neighbours whatever order the
 * files came in. The number decides last and makes the order total, which qsort does not
 * guarantee.
 */
GS_COMPARES(by_span, struct checkpoint, /* each the first of two */
            GS_BY(t_ns) GS_BY(event) GS_BY(job) GS_BY(task) GS_BY(gpu) GS_DOWN(ran)
                GS_DIFFER(gs_cmp(x[1].t_ns, y[1].t_ns));
            GS_BY(is_copy) GS_BY(attributes) GS_BY(span));

/* Is a span a job that ran still when it was listed, and `later` the same one, from a later list? */
static bool is_earlier_state(const struct checkpoint *one, const struct checkpoint *later)
{
    return one->ran && one->t_ns == later->t_ns && one->event == later->event &&
           one->job == later->job && one->task == later->task && one->gpu == later->gpu;
}

/* Counts equal spans, and jobs that are listed again as they went on, and drops them where asked; returns how many of the n stay. */
static uint32_t settle_spans(const struct gs_view_way *v, struct checkpoint *c, uint32_t n,
                             struct gs_view_totals *totals)
{
    uint32_t kept = 0;
    if (n > 1)
        qsort(c, n, 2 * sizeof *c, by_span);
    for (uint32_t i = 0; i < n; i++) {
        struct checkpoint one[2] = {c[2 * (size_t)i], c[2 * (size_t)i + 1]};
        if (kept > 0) {
            struct checkpoint before[2] = {c[2 * (size_t)kept - 2], c[2 * (size_t)kept - 1]};
            /*
             * The numbers differ by construction; with equal ones the comparison means "equal in
             * everything else".
             */
            before->span = one->span;
            const bool repeat = by_span(before, one) == 0, earlier = is_earlier_state(before, one);
            if (repeat || earlier)
                gs_repeats_add(&totals->checkpoints, one->t_ns, one->place);
            if (repeat && v->d->duplicates == GS_DUPLICATES_DROP)
                continue;
            kept -= earlier && v->d->duplicates == GS_DUPLICATES_DROP;
        }
        c[2 * (size_t)kept] = one[0];
        c[2 * (size_t)kept++ + 1] = one[1];
    }
    return kept;
}

/* The marks of a host, those of its spans behind them, with codes in whose order they are. */
struct marks {
    struct checkpoint *mark;
    uint64_t *code;
    uint32_t n;
    unsigned bits; /* of a code */
};

/*
 * A code is the time as an unsigned number with the kind in its lowest bit, so one radix sort orders both. Where the range
 * of times leaves no bit free, the comparison of what is equal decides instead; the result is the same.
 */
static enum gs_status gather_all(const struct gs_view_way *v, uint32_t host, struct marks *all,
                                 struct gs_view_totals *totals, struct gs_arena *scratch,
                                 struct gs_err *err)
{
    const struct gs_table *const marks = &v->d->table[GS_TABLE_CHECKPOINTS],
                                 *const spans = &v->d->table[GS_TABLE_SPANS];
    uint32_t n_marks, n_spans = 0;
    *all = (struct marks){0};
    if (!count_rows(marks, host, &n_marks) ||
        (spans->n_rows > 0 && !count_rows(spans, host, &n_spans)))
        return gs_fail_memory(err);
    if (n_marks + n_spans == 0)
        return GS_OK;
    const size_t most = n_marks + 2 * (size_t)n_spans;
    GS_NEW_RAW(struct checkpoint, c, most, scratch, err);
    GS_NEW_RAW(uint64_t, code, most, scratch, err);
    uint32_t n = n_marks;
    uint64_t unit = 1; /* of codes: the fewer bits they have, the quicker they are sorted */
    if (n_marks > 0)
        gather_checkpoints(v, host, c);
    if (n_spans > 0) {
        gather_spans(v, host, c + n_marks);
        n += 2 * settle_spans(v, c + n_marks, n_spans, totals);
    } else {
        unit = (uint64_t)gs_table_unit(marks, GS_CHECKPOINT_TIME);
    }
    int64_t first = c[0].t_ns, last = first;
    for (uint32_t i = 1; i < n; i++) {
        first = gs_min(c[i].t_ns, first);
        last = gs_max(c[i].t_ns, last);
    }
    const uint64_t ticks = ((uint64_t)last - (uint64_t)first) / unit;
    const unsigned kind = ticks >> 63 == 0; /* a bit for it, where one is free */
    for (uint32_t i = 0; i < n; i++)
        code[i] = ((uint64_t)c[i].t_ns - (uint64_t)first) / unit << kind | (kind & c[i].is_stop);
    *all = (struct marks){c, code, n, 64 - (unsigned)__builtin_clzll(ticks << kind | 1)};
    return GS_OK;
}

/* Of one instant START before STOP, then the place in the file, where places are kept. */
static int by_stop_and_place(const void *rows, uint32_t a, uint32_t b)
{
    const struct checkpoint *const c = rows;
    GS_DIFFER((int)c[a].is_stop - (int)c[b].is_stop);
    return gs_cmp(c[a].place, c[b].place);
}

int64_t gs_pairs_cut_ns(const struct gs_host_view *h)
{
    for (uint32_t k = 0; k < h->n_pairs; k++) {
        const struct gs_pair *const p = &h->pair[k];
        const bool has_stop = !p->cut_stop && !p->runs; /* else a border's, or a reading's */
        if ((!p->cut_start && p->start_ns % GS_NS_PER_S != 0) ||
            (has_stop && p->stop_ns % GS_NS_PER_S != 0))
            return 0;
    }
    return h->n_pairs > 0 ? GS_NS_PER_S : 0;
}

static enum gs_status view_pairs(const struct gs_view_way *v, struct gs_host_view *h,
                                 struct gs_view_totals *totals, struct gs_arena *scratch,
                                 struct gs_err *err)
{
    const bool has_place = v->d->has_places;
    uint32_t n_keys = 0, *first;
    struct marks all;
    GS_TRY(gather_all(v, h->host, &all, totals, scratch, err));
    if (all.n == 0)
        return GS_OK;
    struct checkpoint *const c = all.mark;
    const uint32_t n = all.n;
    struct pairing p = {0};
    GS_NEW_RAW(int64_t, time, n, scratch, err);
    int64_t *place = NULL;
    if (has_place)
        GS_TAKE_RAW(place, n, scratch, err);
    GS_TAKE_RAW(p.pair, n / 2 + 1, scratch, err);
    GS_TAKE_RAW(p.orphan, n, scratch, err);
    GS_TAKE_RAW(p.open, n, scratch, err);
    GS_TAKE_RAW(p.partner, n, scratch, err);
    const uint32_t *const key = number_keys(c, n, &n_keys, scratch);
    gs_row_order_fn *const order[] = {NULL, by_stop_and_place}; /* what codes do not tell */
    const uint32_t *const index =
        gs_rows_in_order(all.code, all.bits, n, order[has_place || all.bits == 64], c, scratch);
    GS_TRY(gs_had_memory(key != NULL && index != NULL, err));
    uint32_t *const g = group_by_key(index, key, n, n_keys, &first, scratch);
    GS_TRY(gs_had_memory(g != NULL, err));
    for (uint32_t i = 0; i < n; i++) {
        struct checkpoint *const one = &c[index[i]];
        one->at = i;
        time[i] = gs_range_held(v->d->range, one->t_ns);
        if (has_place)
            place[i] = one->place;
    }
    for (uint32_t k = 0; k < n_keys; k++) {
        const uint32_t kept =
            settle_duplicates(v, c, g + first[k], first[k + 1] - first[k], totals);
        pair_group(v, h->host, c, g + first[k], kept, &p, totals);
    }
    h->time = time;
    h->n_times = n;
    h->place = place;
    h->pair = p.pair;
    h->n_pairs = p.n_pairs;
    h->orphan = p.orphan;
    h->n_orphans = p.n_orphans;
    return GS_OK;
}

/* The samples of GPUs h->from_gpu to h->to_gpu - 1 into gpu[], the host's. */
static enum gs_status view_samples(const struct gs_view_way *v, const struct gs_host_view *h,
                                   struct gs_gpu_view *gpu, struct gs_view_totals *totals,
                                   struct gs_arena *scratch, struct gs_err *err)
{
    for (uint32_t g = h->from_gpu; g < h->to_gpu; g++)
        GS_TRY(gs_gpu_prepare(v, gpu[g].gpu, gpu[g].n_series, &gpu[g], totals, scratch, err));
    return GS_OK;
}

/* Metric 0 is never the counter, so 0 can stand for "no counter". */
struct gs_view_way gs_view_way_of(const struct gs_dataset *d, unsigned what)
{
    const uint32_t counter = gs_metrics_find(d->metric, d->n_metrics, gs_str("energy_j"));
    return (struct gs_view_way){d, what, counter == UINT32_MAX ? 0 : counter};
}

enum gs_status gs_host_gpu(const struct gs_host_view *h, uint32_t k, struct gs_gpu_view *room,
                           const struct gs_gpu_view **gpu, struct gs_arena *scratch,
                           struct gs_err *err)
{
    struct gs_gpus_apart *const apart = h->apart;
    struct gs_view_totals again;
    *gpu = &h->gpu[k];
    if (apart == NULL)
        return GS_OK;
    gs_view_totals_init(&again);
    /*
     * A GPU may be prepared several times, once for each analysis that asks. Only the first time
     * counts its repeats; later ones go to totals that are thrown away.
     */
    struct gs_view_totals *const totals = apart->noticed[k] ? &again : apart->totals;
    apart->noticed[k] = true;
    *gpu = room;
    return gs_gpu_prepare(&apart->way, h->gpu[k].gpu, h->gpu[k].n_series, room, totals, scratch,
                          err);
}

/*
 * Prepares the GPUs that no analysis asked for. Without this the notes about duplicates would
 * depend on which command runs.
 */
enum gs_status gs_host_notice(const struct gs_host_view *h, struct gs_arena *scratch,
                              struct gs_err *err)
{
    for (uint32_t k = 0; h->apart != NULL && k < h->n_gpus; k++) {
        GS_REWINDS(scratch);
        const struct gs_gpu_view *gpu;
        struct gs_gpu_view room;
        if (!h->apart->noticed[k])
            GS_TRY(gs_host_gpu(h, k, &room, &gpu, scratch, err));
    }
    return GS_OK;
}

/*
 * Samples that joins alone want are left where they are where a host has several GPUs. False
 * without memory. A join walks the GPUs one after the other, so only one GPU's samples need to be
 * in memory. With 8 or 16 GPUs on a host this is most of what a visit takes.
 */
static bool set_apart(const struct gs_view_way *v, struct gs_host_view *h,
                      struct gs_view_totals *totals, struct gs_arena *scratch)
{
    if ((v->what & (GS_VIEW_JOINS | GS_VIEW_SAMPLES | GS_VIEW_SERIES)) != GS_VIEW_JOINS ||
        h->n_gpus < 2)
        return true;
    struct gs_gpus_apart *const apart = gs_arena_take(scratch, 1, sizeof *apart);
    bool *const noticed = gs_arena_take(scratch, h->n_gpus, sizeof *noticed);
    if (apart == NULL || noticed == NULL)
        return false;
    *apart = (struct gs_gpus_apart){*v, totals, noticed};
    h->apart = apart;
    return true;
}

/*
 * The GPUs of a host, each with its series, and the jobs of these where they have any; NULL
 * without memory. Relies on the dataset's order: the series of one GPU are neighbours, sorted by
 * job. Everything that finds a GPU's series by `gpu` and `n_series` depends on it.
 */
static struct gs_gpu_view *list_gpus(const struct gs_dataset *d, struct gs_host_view *h,
                                     struct gs_arena *scratch)
{
    const uint32_t first = d->host_first_gpu[h->host], n = d->host_first_gpu[h->host + 1] - first;
    struct gs_gpu_view *const gpu = gs_arena_take(scratch, n, sizeof *gpu);
    uint32_t *job = NULL;
    for (uint32_t k = 0; gpu != NULL && k < n; k++) {
        if (k == 0 || !gs_is_same_gpu(&d->gpu[first + k - 1], &d->gpu[first + k]))
            gpu[h->n_gpus++].gpu = first + k;
        gpu[h->n_gpus - 1].n_series++;
        if (job == NULL && d->gpu[first + k].job.ptr != NULL &&
            (job = gs_arena_take_raw(scratch, n, sizeof *job)) == NULL)
            return NULL;
    }
    for (uint32_t k = 0; job != NULL && k < n; k++)
        job[k] = gs_series_job(d, first + k);
    h->gpu = gpu;
    h->first_gpu = first;
    h->job = job;
    if (job != NULL)
        h->no_job = gs_intern_find(&d->job, gs_str(""));
    return gpu;
}

enum gs_status gs_host_prepare(const struct gs_view_way *v, uint32_t host, struct gs_host_view *h,
                               struct gs_gpu_view **gpus, struct gs_view_totals *totals,
                               struct gs_arena *scratch, struct gs_err *err)
{
    const struct gs_dataset *const d = v->d;
    const unsigned what = v->what;
    struct gs_gpu_view *gpu = NULL;
    *h = (struct gs_host_view){.host = host,
                               .n_metrics = d->n_metrics,
                               .counter = (what & GS_VIEW_RHYTHM) != 0 ? v->counter : 0};
    if ((what & (GS_VIEW_SAMPLES | GS_VIEW_SERIES | GS_VIEW_JOINS)) != 0) {
        *gpus = gpu = list_gpus(d, h, scratch);
        GS_TRY(gs_had_memory(gpu != NULL && set_apart(v, h, totals, scratch), err));
    }
    /* Where the GPUs come one by one, the host itself is prepared with none of them. */
    h->to_gpu = (what & GS_VIEW_BY_GPU) != 0 || h->apart != NULL ? 0 : h->n_gpus;
    enum gs_status s = view_samples(v, h, gpu, totals, scratch, err);
    if ((what & GS_VIEW_PAIRS) != 0)
        GS_THEN(s, view_pairs(v, h, totals, scratch, err));
    bool for_all = false;
    for (uint32_t p = 0; p < h->n_pairs && !for_all; p++)
        for_all = h->pair[p].gpu == GS_NONE;
    totals->n_hosts++;
    totals->n_hosts_shared += h->n_gpus > 1 && for_all;
    return s;
}

enum gs_status gs_host_prepare_gpu(const struct gs_view_way *v, uint32_t g, struct gs_host_view *h,
                                   struct gs_gpu_view *gpus, struct gs_view_totals *totals,
                                   struct gs_arena *scratch, struct gs_err *err)
{
    /*
     * The samples of the GPU before are gone with the scratch. Its entry is cleared so that a
     * stale pointer cannot be followed; the number and the series are of the host and stay.
     */
    for (uint32_t i = h->from_gpu; i < h->to_gpu; i++)
        gpus[i] = (struct gs_gpu_view){.gpu = gpus[i].gpu, .n_series = gpus[i].n_series};
    h->from_gpu = g;
    h->to_gpu = g + 1;
    return view_samples(v, h, gpus, totals, scratch, err);
}
