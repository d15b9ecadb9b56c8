/* sanity.c - see sanity.h. Rows are picked by their time, so that the picks do not depend on their order. */
#include "data/tables/sanity.h"

#include <stdio.h>
#include <string.h>

#include "base/num/order.h"
#include "stats/descriptive/quantile.h"
#include "base/num/calendar.h"
#include "base/num/whole.h"

enum {
    PICKS = 4096, /* about as many samples of a GPU are looked at whole ...                     */
    /* ... at least as many, where GPUs are many: all of a GPU's are hardly needed */
    PICKS_MIN = 16,
    PICKS_ALL = 8 * PICKS,
    SERIES_MIN = 10, /* samples below which equal series say nothing */
};

/* A GPU's series. Sums over its rows do not depend on their order. */
struct series {
    uint32_t gpu, n;
    uint64_t print[2];
    uint64_t head; /* of the rows of its first instant */
    int64_t from_ns, to_ns;
    bool varies;
};

/* A picked row: its time, and a sum of what stands in it. */
struct picked_row {
    int64_t time;
    uint64_t row;
};

/* What is collected of one GPU: the picked readings of each metric, and the picked rows. */
struct picks {
    int64_t **value;        /* [n_metrics] */
    uint32_t *n;            /* [n_metrics] */
    struct picked_row *row; /* [2 * PICKS] */
    uint32_t n_rows;
};

static uint32_t rows_of(const struct gs_table *t, uint32_t gpu)
{
    uint64_t n = 0;
    for (uint32_t k = t->first[gpu]; k < t->first[gpu + 1]; k++)
        n += t->segment[k].n_rows;
    return (uint32_t)gs_min(n, UINT32_MAX);
}

/* Which times are picked: those whose product with an odd number has none of its upper bits. */
struct picked {
    uint64_t base, unit; /* the product is base + code * unit */
    uint64_t most;
};

#define PICK_BY UINT64_C(0x9e3779b97f4a7c15)

/*
 * Multiplication is linear modulo 2^64, so the product of a time follows from its code by one
 * multiplication and an addition, without the time itself being decoded.
 */
static struct picked picked_of(const struct gs_encoded_column *time, unsigned bits)
{
    const uint64_t unit = (uint64_t)time->unit,
                   first = (uint64_t)time->base - time->nullable * unit;
    return (struct picked){first * PICK_BY, unit * PICK_BY, UINT64_MAX >> bits};
}

/* A sum of all that stands in a row; its readings are added to the picks (NULL: to none). */
static uint64_t print_row(const struct gs_dataset *d, const struct gs_segment *g, uint32_t i,
                          int64_t time, struct picks *picks)
{
    uint64_t row = gs_mix64((uint64_t)time);
    for (uint32_t m = 0; m < d->n_metrics; m++) {
        const int64_t v =
            d->has_metric[m] ? gs_segment_value(g, i, GS_SAMPLE_METRIC + m) : GS_MISSING;
        row = gs_mix64(row + (uint64_t)v + m);
        if (picks != NULL && v != GS_MISSING && picks->n[m] < 2 * PICKS)
            picks->value[m][picks->n[m]++] = v;
    }
    return row;
}

/* Another row that none before it is below, in its segment: of the GPU's first instant so far? */
static void add_to_head(const struct gs_dataset *d, const struct gs_segment *g, uint32_t i,
                        int64_t at, struct series *s)
{
    if (at > s->from_ns)
        return;
    if (at < s->from_ns)
        s->head = 0;
    s->from_ns = at;
    s->head += print_row(d, g, i, at, NULL);
}

/*
 * Sums up the rows of a GPU at the 2^-bits of the times that are picked; all of them where bits
 * is 0. Picking by time and not by row number makes two equal series pick the same rows, in
 * whatever order they are stored. The limits of 2 * PICKS hold if times are unevenly spread.
 */
static void sum_up(const struct gs_dataset *d, unsigned bits, int64_t until_ns, struct series *s,
                   struct picks *picks)
{
    const struct gs_table *const t = &d->table[GS_TABLE_SAMPLES];
    s->print[0] = s->print[1] = s->head = 0;
    s->from_ns = INT64_MAX;
    for (uint32_t k = t->first[s->gpu]; k < t->first[s->gpu + 1]; k++) {
        const struct gs_segment *const g = &t->segment[k];
        const struct gs_cells time = gs_cells_of(g, GS_SAMPLE_TIME);
        const struct picked p = picked_of(&time.column, bits);
        uint64_t least = UINT64_MAX;
        if (k + 2 < t->first[s->gpu + 1])
            gs_segment_prefetch(&t->segment[k + 2]);
        for (uint32_t i = 0; i < g->n_rows; i++) {
            const uint64_t code = gs_code(&time, i);
            if (code <= least) {
                least = code;
                add_to_head(d, g, i, gs_cell(&time, i), s);
            }
            if (p.base + code * p.unit > p.most || gs_cell(&time, i) > until_ns)
                continue;
            const uint64_t row = print_row(d, g, i, gs_cell(&time, i), picks);
            if (picks != NULL && picks->n_rows < 2 * PICKS)
                picks->row[picks->n_rows++] = (struct picked_row){gs_cell(&time, i), row};
            s->to_ns = gs_max(s->to_ns, gs_cell(&time, i));
            s->print[0] += row;
            s->print[1] += gs_mix64(row + 1);
        }
    }
}

/*
 * Series that begin alike become neighbours, and equal ones among them. The GPU's number breaks ties, so that messages are the same on
 * every run.
 */
GS_COMPARES(by_print, struct series,
            GS_BY(head) GS_BY(n) GS_BY(print[0]) GS_BY(print[1]) GS_BY(gpu));

static bool names_gpu(const struct gs_dataset *d, uint32_t number)
{
    return gs_gpu_name(&d->gpu[number]).len > 0;
}

/* "GPU 0 of host n1"; names come from the data and are escaped. */
static const char *show_gpu(const struct gs_dataset *d, uint32_t number, char *out, size_t size)
{
    const struct gs_str host = d->host.text[d->gpu[number].host],
                        gpu = gs_gpu_name(&d->gpu[number]);
    (void)snprintf(out, size, "%s%s%s%s%s", gpu.len > 0 ? "GPU " : "", GS_SHOWN(gpu, 100),
                   gpu.len > 0 && host.len > 0 ? " of " : "", host.len > 0 ? "host " : "",
                   GS_SHOWN(host, 100));
    return out;
}

/* " and 3 more": of n that are alike the first is named; empty where it is the only one. */
static const char *and_more(uint32_t n, char out[40])
{
    out[0] = '\0';
    if (n > 1)
        (void)snprintf(out, 40, " and %u more", n - 1);
    return out;
}

/* Many rows of one instant: a clock that was written too coarsely. */
static void note_instant(const struct gs_dataset *d, struct gs_notes *notes)
{
    const struct gs_table *const t = &d->table[GS_TABLE_SAMPLES];
    char text[GS_LOCAL_TEXT_MAX];
    int64_t at = GS_MISSING;
    if (t->n_rows < (uint64_t)SERIES_MIN * d->n_gpus)
        return;
    for (uint32_t k = 0; k < t->n_segments; k++) {
        const struct gs_cells time = gs_cells_of(&t->segment[k], GS_SAMPLE_TIME);
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            if (at == GS_MISSING)
                at = gs_cell(&time, i);
            if (gs_cell(&time, i) != at)
                return;
        }
    }
    gs_note(notes, GS_NOTE_WARNING, "all %llu samples have one time, %s: they have no energy",
            (unsigned long long)t->n_rows, gs_time_words(text, NULL, at));
}

/* Medians outside of what GPUs have: by metric the first GPU, and how many. */
struct strange {
    uint32_t n, gpu;
    int64_t median;
};

static void note_strange(const struct gs_dataset *d, const struct strange *strange,
                         struct gs_notes *notes)
{
    for (uint32_t m = 0; m < d->n_metrics; m++) {
        const struct gs_metric *const k = d->metric[m];
        char shown[260], more[40];
        if (strange[m].n == 0)
            continue;
        gs_note(notes, GS_NOTE_WARNING,
                "the median of %s is %.6g %s (%s%s), expected %.6g to %.6g: is its unit right "
                "(--set samples.metrics.%s.unit=)?",
                k->name, (double)strange[m].median / (double)GS_FIXED_ONE, k->unit,
                show_gpu(d, strange[m].gpu, shown, sizeof shown), and_more(strange[m].n, more),
                (double)k->usual_low / (double)GS_FIXED_ONE,
                (double)gs_metric_usual_high(k, names_gpu(d, strange[m].gpu)) /
                    (double)GS_FIXED_ONE,
                k->name);
    }
}

/* Zeros among other powers: a logger wrote what it could not read, for nothing that runs draws none. */
static void note_zeros(const struct gs_dataset *d, const struct strange *zeros,
                       struct gs_notes *notes)
{
    char shown[260], more[40];
    if (zeros->n > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%s%s: readings of 0 W beside a median of %.6g W count in every mean and energy: "
                "were these not read?",
                show_gpu(d, zeros->gpu, shown, sizeof shown), and_more(zeros->n, more),
                (double)zeros->median / (double)GS_FIXED_ONE);
}

static bool has_zeros(const int64_t *power, uint32_t n)
{
    uint32_t n_zero = 0;
    for (uint32_t i = 0; i < n; i++)
        n_zero += power[i] == 0;
    return n_zero >= 3 && 100 * (uint64_t)n_zero >= n;
}

/*
 * A median, because single wrong readings must not warn; a wrong unit shifts all of them.
 * gs_select reorders the values, so the check for variation comes first.
 */
static void inspect_medians(const struct gs_dataset *d, struct series *s, struct picks *picks,
                            struct strange *strange, struct strange *zeros)
{
    for (uint32_t m = 0; m < d->n_metrics; m++) {
        const uint32_t n = picks->n[m];
        const bool zero = m == GS_POWER && has_zeros(picks->value[m], n);
        if (n == 0)
            continue;
        for (uint32_t i = 1; i < n && !s->varies; i++)
            s->varies = picks->value[m][i] != picks->value[m][0];
        gs_select(picks->value[m], n, (n - 1) / 2);
        const int64_t median = picks->value[m][(n - 1) / 2];
        if (zero && median >= GS_FIXED_ONE && zeros->n++ == 0)
            *zeros = (struct strange){1, s->gpu, median};
        const struct gs_metric *const k = gs_metric_find(gs_str(d->metric[m]->name));
        if (k != NULL &&
            (median < k->usual_low || median > gs_metric_usual_high(k, names_gpu(d, s->gpu))) &&
            strange[m].n++ == 0) {
            strange[m].gpu = s->gpu;
            strange[m].median = median;
        }
    }
}

GS_COMPARES(by_time, struct picked_row, GS_BY(time) GS_BY(row));

/*
 * Do most instants of a GPU have several readings that differ? All rows of a picked instant are
 * picked. Half as many readings again as instants: a few repeated rows after a restart of a
 * logger do not reach that, two hosts in one file do.
 */
static bool is_crowded(struct picks *picks)
{
    enum { INSTANTS_MIN = 4 };
    uint32_t n_times = 0, n_different = 0;
    GS_SORT(picks->row, picks->n_rows, by_time);
    for (uint32_t i = 0; i < picks->n_rows; i++) {
        const bool again = i > 0 && picks->row[i].time == picks->row[i - 1].time;
        n_times += !again;
        n_different += !again || picks->row[i].row != picks->row[i - 1].row;
    }
    return n_times >= INSTANTS_MIN && 2 * (uint64_t)n_different >= 3 * (uint64_t)n_times;
}

/* GPUs known by a number only, which those of several hosts share. */
static void note_crowded(const struct gs_dataset *d, uint32_t n, uint32_t first,
                         struct gs_notes *notes)
{
    char shown[260], more[40];
    if (n == 0)
        return;
    gs_note(notes, GS_NOTE_WARNING,
            "%s%s: several readings at most instants, whose mean counts: GPUs of several hosts "
            "would be one (--set samples.host=COLUMN names them)",
            show_gpu(d, first, shown, sizeof shown), and_more(n, more));
}

/*
 * Has one of two series all rows of the other, or all before it was copied? Prints of the picked rows only suggest it; the rows
 * decide. Constant series are left out: idle GPUs are often equal.
 */
static bool is_copy(const struct gs_dataset *d, struct series a, struct series b)
{
    const struct gs_gpu *const x = &d->gpu[a.gpu], *const y = &d->gpu[b.gpu];
    const bool one_in_two_jobs = x->host == y->host && gs_str_eq(gs_gpu_name(x), gs_gpu_name(y));
    if (gs_min(a.n, b.n) < SERIES_MIN || !a.varies || !b.varies || a.head != b.head ||
        (a.n == b.n && memcmp(a.print, b.print, sizeof a.print) != 0) || one_in_two_jobs)
        return false;
    bool same = false;
    for (int k = 0; k < 2 && !same; k++) { /* of all, to find which ends first, and up to there */
        const int64_t until_ns = k == 0 ? INT64_MAX : gs_min(a.to_ns, b.to_ns);
        sum_up(d, 0, until_ns, &a, NULL);
        sum_up(d, 0, until_ns, &b, NULL);
        same = memcmp(a.print, b.print, sizeof a.print) == 0;
    }
    return same;
}

static void note_equal(const struct gs_dataset *d, struct series *s, uint32_t n,
                       struct gs_notes *notes)
{
    uint32_t n_equal = 0, first[2] = {0, 0};
    GS_SORT(s, n, by_print);
    for (uint32_t i = 1; i < n; i++)
        if (is_copy(d, s[i - 1], s[i]) && n_equal++ == 0) {
            first[0] = s[i - 1].gpu;
            first[1] = s[i].gpu;
        }
    char one[260], other[260], more[40] = "";
    if (n_equal > 1)
        (void)snprintf(more, sizeof more, ", and so %s %u more",
                       gs_plural(n_equal - 1, "has", "have"), n_equal - 1);
    if (n_equal > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%s has the same readings at the same times as %s%s: is one a copy of the other?",
                show_gpu(d, first[1], other, sizeof other), show_gpu(d, first[0], one, sizeof one),
                more);
}

/* Could a column as it is stored hold values outside of a range? One look at it spares the rows. */
static bool may_leave(const struct gs_encoded_column *c, int64_t low, int64_t high)
{
    return c->base < low ||
           (c->mask - c->nullable) > (uint64_t)(high - c->base) / (uint64_t)c->unit;
}

/* Powers that no GPU draws: they stay in what is made of them, as nobody knows what they should have been. */
static void note_impossible(const struct gs_dataset *d, struct gs_notes *notes)
{
    const struct gs_table *const t = &d->table[GS_TABLE_SAMPLES];
    const struct gs_metric *const power = d->metric[GS_POWER];
    uint64_t n = 0;
    for (uint32_t k = 0; d->has_metric[GS_POWER] && k < t->n_segments; k++) {
        const struct gs_cells cell = gs_cells_of(&t->segment[k], GS_SAMPLE_METRIC + GS_POWER);
        for (uint32_t i = 0;
             may_leave(&cell.column, power->low, power->high) && i < t->segment[k].n_rows; i++) {
            const int64_t v = gs_cell(&cell, i);
            n += v != GS_MISSING && (v < power->low || v > power->high);
        }
    }
    if (n > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%llu reading%s of %s %s impossible (below %.6g or above %.6g %s) and in every "
                "mean and energy: gpustat check tells where",
                (unsigned long long)n, gs_plural(n, "", "s"), power->name,
                gs_plural(n, "is", "are"), (double)power->low / (double)GS_FIXED_ONE,
                (double)power->high / (double)GS_FIXED_ONE, power->unit);
}

/*
 * The picks bound the cost: about PICKS_ALL rows are looked at in all, however large the dataset
 * is.
 */
static enum gs_status inspect_samples(const struct gs_dataset *d, bool complete,
                                      struct gs_arena *scratch, struct gs_notes *notes,
                                      struct gs_err *err)
{
    GS_NEW(struct series, series, d->n_gpus, scratch, err);
    GS_NEW(struct strange, strange, d->n_metrics, scratch, err);
    struct strange zeros = {0};
    struct picks picks = {0};
    GS_TAKE(picks.value, d->n_metrics, scratch, err);
    GS_TAKE(picks.n, d->n_metrics, scratch, err);
    GS_TAKE_RAW(picks.row, 2 * PICKS, scratch, err);
    uint32_t n_crowded = 0, crowded = 0;
    for (uint32_t m = 0; m < d->n_metrics; m++)
        if (d->has_metric[m])
            GS_TAKE_RAW(picks.value[m], 2 * PICKS, scratch, err);
    const uint32_t share = PICKS_ALL / gs_max(d->n_gpus, 1u);
    const uint32_t wanted = gs_max(gs_min(share, (uint32_t)PICKS), (uint32_t)PICKS_MIN);
    for (uint32_t g = 0; g < d->n_gpus; g++) {
        series[g] = (struct series){
            .gpu = g, .n = rows_of(&d->table[GS_TABLE_SAMPLES], g), .to_ns = INT64_MIN};
        unsigned bits = 0;
        while (series[g].n >> bits > wanted)
            bits++;
        memset(picks.n, 0, d->n_metrics * sizeof *picks.n);
        picks.n_rows = 0;
        sum_up(d, bits, INT64_MAX, &series[g], &picks);
        inspect_medians(d, &series[g], &picks, strange, &zeros);
        const bool numbered = gs_gpu_has_index_only(&d->gpu[g]);
        if (numbered && is_crowded(&picks) && n_crowded++ == 0)
            crowded = g;
    }
    note_crowded(d, n_crowded, crowded, notes);
    note_strange(d, strange, notes);
    note_zeros(d, &zeros, notes);
    if (strange[GS_POWER].n == 0)
        note_impossible(d, notes);
    if (complete)
        note_equal(d, series, d->n_gpus, notes);
    return GS_OK;
}

/* A UUID of two hosts is one GPU: hosts that are the names of files whose logs overlap, or an exporter that moved. */
static enum gs_status note_twice(const struct gs_dataset *d, struct gs_arena *scratch,
                                 struct gs_notes *notes, struct gs_err *err)
{
    struct gs_intern names = {.arena = scratch, .seed = d->seed};
    GS_NEW(uint32_t, first, d->n_gpus, scratch, err);
    uint32_t n = 0, at[2] = {0, 0};
    for (uint32_t g = 0; g < d->n_gpus; g++) {
        if (!gs_str_begins(d->gpu[g].uuid, "GPU-"))
            continue;
        const uint32_t met = names.n, id = gs_intern_add(&names, d->gpu[g].uuid);
        GS_TRY(gs_had_memory(id != GS_INTERN_NONE, err));
        if (id == met)
            first[id] = g;
        else if (d->gpu[first[id]].host != d->gpu[g].host && n++ == 0) {
            at[0] = first[id];
            at[1] = g;
        }
    }
    if (n > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%s is on %s and on %s (%u such GPUs): what both have counts twice; --set "
                "samples.host= if they are one host",
                GS_SHOWN(d->gpu[at[0]].uuid, 24), GS_SHOWN(d->host.text[d->gpu[at[0]].host], 40),
                GS_SHOWN(d->host.text[d->gpu[at[1]].host], 40), n);
    return GS_OK;
}

/* --- jobs that got fewer GPUs than they are joined with ------------------------------------------------ */

struct job_gpus {
    int64_t got, joined;
    struct gs_str job;
};

/*
 * The GPUs of a host that an event of this job is joined with: those that its label is on, else those without one. One
 * GPU may be listed once per job; the list is sorted, so its entries stand together and count once.
 */
static uint64_t gpus_for(const struct gs_dataset *d, uint32_t host, struct gs_str job)
{
    uint64_t n[2] = {0}; /* without a label, with the job's */
    bool counted[2] = {false};
    for (uint32_t g = d->host_first_gpu[host]; g < d->host_first_gpu[host + 1]; g++) {
        const bool labelled = d->gpu[g].job.ptr != NULL;
        if (g == d->host_first_gpu[host] || !gs_is_same_gpu(&d->gpu[g - 1], &d->gpu[g]))
            counted[0] = counted[1] = false;
        if (counted[labelled] || (labelled && !gs_str_eq(d->gpu[g].job, job)))
            continue;
        counted[labelled] = true;
        n[labelled]++;
    }
    return n[1] > 0 ? n[1] : n[0];
}

/*
 * The copies of a span on several hosts are one job: its GPUs are those of all of them. Copies
 * are told by equal columns: the key holds all of a span but its host and GPU.
 */
static enum gs_status add_span(const struct gs_dataset *d, const struct gs_segment *s, uint32_t i,
                               uint32_t host, struct gs_intern *seen, struct job_gpus **jobs,
                               struct gs_err *err)
{
    static const unsigned columns[] = {GS_SPAN_START, GS_SPAN_STOP, GS_SPAN_EVENT,
                                       GS_SPAN_JOB,   GS_SPAN_TASK, GS_SPAN_ATTRIBUTES};
    int64_t key[sizeof columns / sizeof *columns];
    int64_t got = 0;
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        key[c] = gs_segment_value(s, i, columns[c]);
    const int64_t set = gs_segment_value(s, i, GS_SPAN_ATTRIBUTES);
    const struct gs_str text = set == GS_MISSING ? GS_NO_STR : gs_attribute(d, set, gs_str("gpus"));
    if (text.ptr == NULL || gs_segment_value(s, i, GS_SPAN_GPU) != GS_MISSING ||
        gs_fixed_parse(text, &got, NULL) != GS_NUMBER_OK)
        return GS_OK;
    const uint32_t n = seen->n,
                   id = gs_intern_add(seen, (struct gs_str){(const char *)key, sizeof key});
    GS_TRY(gs_had_memory(id != GS_INTERN_NONE, err));
    GS_TRY(gs_had_memory(id < n || GS_HAS_ROOM(seen->arena, *jobs, n), err));
    const struct gs_str job = d->job.text[(uint32_t)gs_segment_value(s, i, GS_SPAN_JOB)];
    if (id == n)
        (*jobs)[id] = (struct job_gpus){got / GS_FIXED_ONE, 0, job};
    (*jobs)[id].joined += (int64_t)gpus_for(d, host, job);
    return GS_OK;
}

enum gs_status gs_sanity_shared(const struct gs_dataset *d, struct gs_notes *notes,
                                struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    const struct gs_table *const t = &d->table[GS_TABLE_SPANS];
    struct gs_intern seen = {.arena = &scratch, .seed = d->seed};
    struct job_gpus *jobs = NULL, first = {0, 0, {NULL, 0}};
    uint32_t n = 0;
    bool any = false;
    if (d->table[GS_TABLE_SAMPLES].n_columns == 0)
        return GS_OK;
    for (uint32_t set = 0; set < d->attributes.n && !any; set++)
        any = gs_attribute(d, set, gs_str("gpus")).ptr != NULL;
    for (uint32_t host = 0; any && host < t->n_owners; host++)
        for (uint32_t k = t->first[host]; k < t->first[host + 1]; k++)
            for (uint32_t i = 0; i < t->segment[k].n_rows; i++)
                GS_TRY(add_span(d, &t->segment[k], i, host, &seen, &jobs, err));
    for (uint32_t i = 0; i < seen.n; i++)
        if (jobs[i].got > 0 && jobs[i].got < jobs[i].joined && n++ == 0)
            first = jobs[i];
    if (n > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%u job%s used part of a node (%s: %lld of %lld GPUs): its energy counts for each; "
                "gpustat jobs divides it; --set samples.job=COLUMN names their GPUs",
                n, gs_plural(n, "", "s"), GS_SHOWN(first.job, 80), (long long)first.got,
                (long long)first.joined);
    return GS_OK;
}

/* --- jobs of the samples that no event names --------------------------------------------------------------- */

/* Marks the jobs of a table's events; *any: there is one that is named. */
static void mark_jobs(const struct gs_dataset *d, enum gs_table_kind kind, unsigned column,
                      bool *named, bool *any)
{
    const struct gs_table *const t = &d->table[kind];
    for (uint32_t k = 0; t->n_columns > 0 && k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            const uint32_t job = (uint32_t)gs_segment_value(&t->segment[k], i, column);
            named[job] = true;
            *any |= d->job.text[job].len > 0;
        }
}

enum gs_status gs_sanity_jobs(const struct gs_dataset *d, struct gs_notes *notes,
                              struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    const struct gs_gpu *first = NULL;
    bool any = false, common = false, labelled = false;
    for (uint32_t g = 0; g < d->n_gpus && !labelled; g++)
        labelled = d->gpu[g].job.ptr != NULL;
    if (!labelled)
        return GS_OK;
    GS_NEW(bool, named, d->job.n, &scratch, err);
    mark_jobs(d, GS_TABLE_SPANS, GS_SPAN_JOB, named, &any);
    mark_jobs(d, GS_TABLE_CHECKPOINTS, GS_CHECKPOINT_JOB, named, &any);
    for (uint32_t g = 0; any && g < d->n_gpus && !common; g++) {
        const uint32_t job =
            d->gpu[g].job.ptr == NULL ? GS_NONE : gs_intern_find(&d->job, d->gpu[g].job);
        if (first == NULL && job != GS_NONE)
            first = &d->gpu[g];
        common = job != GS_NONE && job < d->job.n && named[job];
    }
    uint32_t event = 0;
    while (event < d->job.n && (!named[event] || d->job.text[event].len == 0))
        event++;
    if (first != NULL && !common && event < d->job.n)
        gs_note(notes, GS_NOTE_WARNING,
                "no job in common: the samples name %s, the events %s, so that no job has samples "
                "of its own (--set samples.job= looks at no job of theirs)",
                GS_SHOWN(first->job, 80), GS_SHOWN(d->job.text[event], 80));
    return GS_OK;
}

/* --- instances of MIG ------------------------------------------------------------------------------------- */

/* Are the first powers of two series the same, at the same times? */
static bool begin_equal(const struct gs_table *t, uint32_t a, uint32_t b)
{
    enum { LOOKED_AT = 64, ENOUGH = 4 };
    uint32_t n = 0;
    if (t->first[a] == t->first[a + 1] || t->first[b] == t->first[b + 1])
        return false;
    const struct gs_segment *const x = &t->segment[t->first[a]], *const y =
                                                                     &t->segment[t->first[b]];
    static const unsigned columns[] = {GS_SAMPLE_TIME, GS_SAMPLE_METRIC + GS_POWER};
    for (; n < LOOKED_AT && n < x->n_rows && n < y->n_rows; n++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            if (gs_segment_value(x, n, columns[c]) != gs_segment_value(y, n, columns[c]))
                return false;
    return n >= ENOUGH;
}

/* Exporters repeat the power of a whole GPU for each of its instances, whose sum is no energy of anything. */
static void note_instances(const struct gs_dataset *d, struct gs_notes *notes)
{
    uint32_t n = 0, first = 0;
    char shown[260];
    if (!d->has_metric[GS_POWER])
        return;
    for (uint32_t g = 0; g < d->n_gpus; g++)
        for (uint32_t k = g + 1; gs_str_begins(d->gpu[g].uuid, "MIG-") && k < d->n_gpus &&
                                 d->gpu[k].host == d->gpu[g].host;
             k++)
            if (gs_str_begins(d->gpu[k].uuid, "MIG-") &&
                begin_equal(&d->table[GS_TABLE_SAMPLES], g, k)) {
                first = n++ == 0 ? g : first;
                break; /* each counts once, with the next that is like it */
            }
    if (n > 0)
        gs_note(
            notes, GS_NOTE_WARNING,
            "%s and %u more MIG instance%s have the power of the whole GPU, which counts several "
            "times; keep one by its column: --set samples.where.GPU_I_ID=0",
            show_gpu(d, first, shown, sizeof shown), n, gs_plural(n, "", "s"));
}

enum gs_status gs_sanity_check(const struct gs_dataset *d, bool complete, struct gs_notes *notes,
                               struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    if (d->table[GS_TABLE_SAMPLES].n_columns == 0)
        return GS_OK;
    GS_TRY(note_twice(d, &scratch, notes, err));
    note_instances(d, notes);
    note_instant(d, notes);
    return inspect_samples(d, complete, &scratch, notes, err);
}
