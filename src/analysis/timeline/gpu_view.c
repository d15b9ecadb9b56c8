/* gpu_view.c - the samples of a GPU, taken from its rows in order; those that name no GPU are of one, unless they look so. */
#include "analysis/energy/counter.h"
#include "analysis/timeline/host_view.h"
#include "analysis/timeline/scrapes.h"

#include <stdio.h>
#include <string.h>

#include "base/core/row_order.h"
#include "data/tables/row_stream.h"
#include "base/num/calendar.h"
#include "stats/descriptive/quantile.h"

enum { ROOM_ROWS = 64 };

/* A GPU's rows while they come. */
struct taking {
    const struct gs_dataset *d;
    struct gs_view_totals *totals;
    int64_t **column;            /* [n_columns] where they go; NULL: nowhere            */
    unsigned n_columns;          /* with the place                                      */
    struct gs_metric_sum *sum;   /* [n_metrics], NULL: not wanted                       */
    struct gs_rows_at last;      /* the last row that was taken                         */
    uint64_t *last_words, *room; /* room for it, and for rows without repeats         */
    bool *has;                   /* [n_metrics] readings of sample has_n - 1            */
    uint32_t n, has_n, n_joined; /* taken; see has; rows that completed another sample  */
    int64_t differ_ns;           /* the first instant with different readings; GS_MISSING: none */
    struct gs_repeats held;      /* rows equal to the first of the instant, see release()     */
    bool differs;                /* the instant has different readings                        */
};

/*
 * The last row is copied because the stream reuses its buffer: the next block must still be
 * compared with it.
 */
static void collect(struct taking *t, const struct gs_rows_at *rows)
{
    if (rows->n == 0)
        return;
    for (unsigned c = 0; c < t->n_columns; c++)
        if (t->column[c] != NULL)
            gs_rows_column(rows, c, t->column[c] + t->n);
    for (unsigned m = 0; t->sum != NULL && m < t->d->n_metrics; m++)
        if (t->d->has_metric[m])
            gs_rows_sum(rows, GS_SAMPLE_METRIC + m, &t->sum[m].sum, &t->sum[m].n);
    const size_t n_words = rows->encoding->n_words;
    memcpy(t->last_words, rows->word + (rows->n - 1) * n_words, n_words * sizeof *t->last_words);
    t->last = (struct gs_rows_at){rows->encoding, t->last_words, 1};
    t->n += rows->n;
}

/*
 * Is each row of a later time than the one before? Decides between two ways with the same result.
 * A block of distinct instants cannot hold repeats, so it is copied by columns; this is nearly
 * every block. A time of no bits (mask 0) means that all rows share one instant.
 */
static bool are_apart(const struct taking *t, const struct gs_rows_at *rows)
{
    const struct gs_encoded_column *const time = &rows->encoding->column[GS_SAMPLE_TIME];
    const size_t n_words = rows->encoding->n_words;
    const uint64_t *word = rows->word;
    bool apart = rows->n == 1 || time->mask != 0;
    if (t->n > 0)
        apart &= gs_encoded_value(t->last.encoding, t->last.word, GS_SAMPLE_TIME) <
                 gs_encoded_value(rows->encoding, word, GS_SAMPLE_TIME);
    for (uint32_t i = 1; i < rows->n;
         i++, word += n_words) /* nothing is above the time in the first word */
        apart &= word[0] >> time->shift < word[n_words] >> time->shift;
    return apart;
}

/* The reading of a row by number of its metric. */
static int64_t reading_of(const struct gs_rows_at *row, unsigned m)
{
    return gs_encoded_value(row->encoding, row->word, GS_SAMPLE_METRIC + m);
}

/*
 * Rows of one GPU and instant that have no metric in common are one sample: Prometheus and Grafana export a metric each (those
 * of instants that differ a little are joined later, see scrapes.h). All metrics tell, so that every view has as many samples.
 */
static bool completes(struct taking *t, const struct gs_rows_at *row)
{
    bool apart = true;
    for (unsigned m = 0; t->has_n != t->n && m < t->d->n_metrics; m++)
        t->has[m] = reading_of(&t->last, m) != GS_MISSING;
    t->has_n = t->n;
    for (unsigned m = 0; m < t->d->n_metrics && apart; m++)
        apart = !t->has[m] || reading_of(row, m) == GS_MISSING;
    return apart;
}

/*
 * Puts what a row has into the last sample, which has been collected. Only metrics that the sample
 * lacked are stored: completes() has made sure that no reading is overwritten, so the order of the
 * files does not matter.
 */
static void complete(struct taking *t, const struct gs_rows_at *row)
{
    const size_t n_words = row->encoding->n_words;
    for (unsigned m = 0; m < t->d->n_metrics; m++) {
        const int64_t v = reading_of(row, m);
        if (v == GS_MISSING)
            continue;
        t->has[m] = true;
        if (t->column[GS_SAMPLE_METRIC + m] != NULL)
            t->column[GS_SAMPLE_METRIC + m][t->n - 1] = v;
        if (t->sum != NULL && t->d->has_metric[m]) {
            t->sum[m].sum += v;
            t->sum[m].n++;
        }
    }
    memcpy(t->last_words, row->word, n_words * sizeof *t->last_words);
    t->last.encoding = row->encoding;
    t->n_joined++;
}

/*
 * Decides about the rows held back. An instant whose rows are all equal has one reading, written several times. Where they
 * differ, stamps are coarser than polls: equal rows are then readings too, which the mean of the instant must weigh.
 */
static void release(struct taking *t)
{
    const bool again = t->differs && t->d->duplicates != GS_DUPLICATES_KEEP;
    const struct gs_rows_at copy = {t->last.encoding, t->room, 1};
    if (again && t->held.n > 0)
        memcpy(t->room, t->last_words, t->last.encoding->n_words * sizeof *t->room);
    for (uint64_t i = 0; i < t->held.n; i++) {
        gs_repeats_add(t->differs ? &t->totals->at_once : &t->totals->samples, t->held.first_ns,
                       t->held.first_place);
        if (again)
            collect(t, &copy);
    }
    t->held = (struct gs_repeats){.first_ns = GS_MISSING, .first_place = GS_MISSING};
}

/* A row more among those that wait in the room to be collected together. */
static void append(struct taking *t, struct gs_rows_at *kept, const struct gs_rows_at *row)
{
    const size_t n_words = row->encoding->n_words;
    memcpy(t->room + kept->n++ * n_words, row->word, n_words * sizeof *row->word);
    if (kept->n < ROOM_ROWS)
        return;
    collect(t, kept);
    kept->n = 0;
}

/* Counts repeats, which stand side by side; drops them where asked. */
static void settle(struct taking *t, const struct gs_rows_at *rows)
{
    const size_t n_words = rows->encoding->n_words;
    const unsigned place = gs_sample_place(t->d->n_metrics);
    struct gs_rows_at kept = {rows->encoding, t->room, 0};
    for (uint32_t i = 0; i < rows->n; i++) {
        const struct gs_rows_at row = {rows->encoding, rows->word + i * n_words, 1};
        const struct gs_rows_at inside = {rows->encoding,
                                          t->room + (kept.n > 0 ? kept.n - 1 : 0) * n_words, 1};
        const struct gs_rows_at *const before = kept.n > 0 ? &inside : &t->last;
        /*
         * A repeat equals the row before in time and all metrics; the place in the file may
         * differ. `at_once` compares only the columns up to the time.
         */
        const bool at_once = t->n + kept.n > 0 && gs_rows_same(&row, before, GS_SAMPLE_TIME + 1);
        const bool repeat = at_once && gs_rows_same(&row, before, place);
        const int64_t t_ns = at_once ? gs_encoded_value(row.encoding, row.word, GS_SAMPLE_TIME) : 0;
        const int64_t at =
            t->d->has_places ? gs_encoded_value(row.encoding, row.word, place) : GS_MISSING;
        if (!at_once) {
            release(t);
            t->differs = false;
        } else if (repeat && !t->differs) {
            gs_repeats_add(&t->held, t_ns, at);
            if (t->d->duplicates != GS_DUPLICATES_KEEP)
                continue;
        } else {
            /*
             * What is kept must be in the view before it is completed or repeated: both take the
             * last row from there.
             */
            if (!t->differs || t->d->rows_complete) {
                collect(t, &kept);
                kept.n = 0;
            }
            if (!repeat && t->d->rows_complete && completes(t, &row)) {
                release(t);
                complete(t, &row);
                continue;
            }
            t->differs = true;
            release(t);
            gs_repeats_add(&t->totals->at_once, t_ns, at);
            if (t->differ_ns == GS_MISSING)
                t->differ_ns = t_ns;
        }
        append(t, &kept, &row);
    }
    collect(t, &kept);
}

/*
 * Does the view have the readings of a metric, beside those of the instant? Each unpacked metric
 * costs 8 bytes a sample, so a view of energies unpacks power, the counter and what was asked for,
 * nothing else.
 */
static bool is_wanted(const struct gs_view_way *v, const struct gs_dataset *d, unsigned m)
{
    if ((v->what & (GS_VIEW_SAMPLES | GS_VIEW_JOINS)) != 0 || m == GS_POWER || d->rows_complete ||
        d->range != NULL)
        return true; /* what rows of other metrics complete, or a range keeps, is seen by all of them alone */
    if (v->counter != 0 && m == v->counter)
        return true;
    if (!d->has_metric[m])
        return false;
    return (m == GS_TEMP && (v->what & GS_VIEW_TEMP) != 0) ||
           ((v->what & GS_VIEW_LOAD) != 0 && gs_metric_tells_load(d->metric[m]));
}

/* Where the columns go of which a view has the readings: all, or those of GS_VIEW_SERIES. False without memory. */
static bool collect_columns(struct taking *t, const struct gs_view_way *v, uint32_t n,
                            const int64_t **value, struct gs_arena *scratch)
{
    const struct gs_dataset *const d = t->d;
    const uint32_t instant = gs_metrics_find(d->metric, d->n_metrics, gs_str("power_instant_w"));
    int64_t *missing = NULL;
    bool taken = true;
    for (unsigned c = 0; taken && c < t->n_columns; c++) {
        const unsigned m = c - GS_SAMPLE_METRIC;
        const bool is_metric = c >= GS_SAMPLE_METRIC && m < d->n_metrics;
        if (is_metric && m != instant && !is_wanted(v, d, m))
            continue;
        if (!is_metric || d->has_metric[m]) {
            t->column[c] = gs_arena_take_raw(scratch, n, sizeof **t->column);
            taken = t->column[c] != NULL;
            /*
         * A metric that no sample has reads as GS_MISSING everywhere. The values are never
         * written, so all such metrics share one column.
         */
        } else if (missing == NULL) { /* one for all that the samples do not have */
            missing = gs_arena_take_raw(scratch, n, sizeof *missing);
            taken = missing != NULL;
            for (uint32_t i = 0; taken && i < n; i++)
                missing[i] = GS_MISSING;
        }
        if (is_metric)
            value[m] = d->has_metric[m] ? t->column[c] : missing;
    }
    return taken;
}

/*
 * How many samples come at a time, where nine tenths of the groups have as many, 2 to 16; else 1. What lies closer than a
 * twentieth of the mean step to the sample before is of its group: bursts of one GPU's logger are longer, or differ.
 */
static uint32_t group_size(const struct gs_gpu_view *g)
{
    /*
     * 16 is the largest number of GPUs in one host that is looked for. With fewer than 4 groups a
     * regular pattern is chance.
     */
    enum { LARGEST = 16, GROUPS_MIN = 4 };
    uint32_t of_size[LARGEST + 1] = {0}, n_groups = 0, n = 1, most = 1;
    if (g->n < 2 * GROUPS_MIN)
        return 1;
    const uint64_t span_ns = (uint64_t)g->t_ns[g->n - 1] - (uint64_t)g->t_ns[0];
    /* that whole numbers are at most */
    const uint64_t close_ns = span_ns / ((uint64_t)20 * (g->n - 1));
    for (uint32_t i = 1; i <= g->n; i++) {
        if (i < g->n && (uint64_t)g->t_ns[i] - (uint64_t)g->t_ns[i - 1] <= close_ns) {
            n++;
            continue;
        }
        n_groups++;
        of_size[n <= LARGEST ? n : 0]++;
        n = 1;
    }
    for (uint32_t k = 2; k <= LARGEST; k++)
        if (of_size[k] > of_size[most])
            most = k;
    if (n_groups >= GROUPS_MIN && (uint64_t)of_size[most] * 10 >= (uint64_t)n_groups * 9)
        return most;
    return 1;
}

/*
 * An error, not a warning: readings of several GPUs in one series give a power and an energy that
 * no GPU had. n: how many come at a time; 1: not always as many.
 */
static enum gs_status refuse(const char *what, const char *host, uint32_t n, struct gs_err *err)
{
    char turns[80] = "";
    if (n > 1)
        (void)snprintf(turns, sizeof turns, ", --set samples.gpu.turns=%u numbers them in turn", n);
    return gs_fail(err, GS_ERR_DATA,
                   "the samples of host %s %s and no column names the GPU of each: --set "
                   "samples.gpu=COLUMN names it%s, --set samples.gpu.text=0 if there is one GPU",
                   host, what, turns);
}

/* Does one sample in ten at most repeat an instant? That is a logger whose step is not quite its clock's, or that stumbled. */
static bool repeats_rarely(const struct gs_gpu_view *g)
{
    uint64_t n_twice = 0;
    for (uint32_t i = 1; i < g->n; i++)
        n_twice += g->t_ns[i] == g->t_ns[i - 1];
    return n_twice * 10 <= g->n;
}

/*
 * Looks at the samples of a GPU without a name: different readings at many instants are those of several GPUs, and so are
 * readings that come several at a time, always as many, each within a twentieth of the mean step.
 */
static enum gs_status check_alone(const struct gs_dataset *d, const struct gs_gpu_view *g,
                                  int64_t differ_ns, struct gs_err *err)
{
    const struct gs_gpu *const gpu = &d->gpu[g->gpu];
    char what[120], when[GS_LOCAL_TEXT_MAX];
    /*
     * A named GPU is never doubted. For the others the user may state that there is one, with
     * samples.gpu.text=0.
     */
    if (gs_gpu_name(gpu).ptr != NULL || d->trusts_one_gpu)
        return GS_OK;
    const char *const host = GS_SHOWN(d->host.text[gpu->host], 96);
    const uint32_t n = group_size(g);
    if (differ_ns != GS_MISSING && !repeats_rarely(g)) {
        (void)snprintf(what, sizeof what, "have different readings at %s",
                       gs_time_words(when, NULL, differ_ns));
        return refuse(what, host, n, err);
    }
    if (n == 1)
        return GS_OK;
    (void)snprintf(what, sizeof what, "come %u at a time", n);
    return refuse(what, host, n, err);
}

/* The samples of the series g->gpu. */
static enum gs_status collect_series(const struct gs_view_way *v, struct gs_gpu_view *g,
                                     int64_t *differ_ns, struct gs_view_totals *totals,
                                     struct gs_arena *scratch, struct gs_err *err)
{
    const struct gs_table *const table = &v->d->table[GS_TABLE_SAMPLES];
    const unsigned n_metrics = v->d->n_metrics, place = gs_sample_place(n_metrics);
    GS_NEW(const int64_t *, value, n_metrics, scratch, err);
    GS_NEW(struct gs_metric_sum, sum, n_metrics, scratch, err);
    const uint64_t n = gs_table_rows_of(table, g->gpu);
    /*
     * More than 2^30 samples of one series do not fit the 32-bit counts of a view; it is reported
     * as memory, which runs out first.
     */
    if (n > UINT32_MAX / 4)
        return gs_fail_memory(err);
    g->value = value;
    if ((v->what & GS_VIEW_SERIES) != 0)
        g->sum = sum;
    if (n == 0)
        return GS_OK;
    struct taking t = {.d = v->d,
                       .totals = totals,
                       .n_columns = place + v->d->has_places,
                       .differ_ns = GS_MISSING,
                       .held = {.first_ns = GS_MISSING, .first_place = GS_MISSING}};
    struct gs_row_stream stream;
    struct gs_rows_at rows;
    if (g->sum != NULL)
        t.sum = sum;
    GS_TAKE(t.column, t.n_columns, scratch, err);
    GS_TAKE(t.has, n_metrics, scratch, err);
    if (!collect_columns(&t, v, (uint32_t)n, value, scratch))
        return gs_fail_memory(err);
    /* what is taken from here on is used again for the next GPU */
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    GS_TAKE_RAW(t.last_words, table->encoding->n_words, scratch, err);
    GS_TAKE_RAW(t.room, (size_t)ROOM_ROWS * table->encoding->n_words, scratch, err);
    if (!gs_row_stream_begin(&stream, table, g->gpu, scratch))
        return gs_fail_memory(err);
    while (gs_row_stream_next(&stream, &rows))
        if (t.held.n == 0 && !t.differs && are_apart(&t, &rows))
            collect(&t, &rows);
        else
            settle(&t, &rows);
    release(&t);
    gs_arena_rewind(scratch, mark);
    struct gs_scrapes scrapes = {.n = t.n,
                                 .n_metrics = n_metrics,
                                 .metric = t.column + GS_SAMPLE_METRIC,
                                 .column = t.column,
                                 .n_columns = t.n_columns,
                                 .t_ns = t.column[GS_SAMPLE_TIME]};
    if (v->d->rows_complete)
        GS_TRY(gs_scrapes_join(&scrapes, scratch, err));
    g->n = scrapes.n;
    g->n_joined = t.n_joined + t.n - scrapes.n;
    g->t_ns = t.column[GS_SAMPLE_TIME];
    if (v->d->has_places)
        g->place = t.column[place];
    *differ_ns = t.differ_ns;
    return GS_OK;
}

/* --- the series of a GPU as one log ------------------------------------------------------------------ */

/* Samples are numbered series by series: of one instant they stand in their jobs' order. */
static int by_number(const void *rows, uint32_t a, uint32_t b)
{
    (void)rows;
    return (a > b) - (a < b);
}

/*
 * A column of all series, one behind the other, in the samples' order; NULL without memory. One
 * column at a time goes through a temporary of its size, so joining the series of a GPU never
 * holds all columns twice.
 */
static int64_t *join_column(const struct gs_gpu_view *series, uint32_t n_series, size_t column,
                            const uint32_t *order, uint32_t n, struct gs_arena *scratch)
{
    int64_t *const joined = gs_arena_take_raw(scratch, n, sizeof *joined);
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    int64_t *const all = gs_arena_take_raw(scratch, n, sizeof *all);
    if (joined == NULL || all == NULL)
        return NULL;
    for (uint32_t i = 0, at = 0; i < n_series; at += series[i++].n) {
        const struct gs_gpu_view *const g = &series[i];
        const int64_t *from;
        if (column == 0)
            from = g->t_ns;
        else if (column == 1)
            from = g->place;
        else
            from = g->value[column - 2];
        if (g->n > 0)
            memcpy(all + at, from, g->n * sizeof *all);
    }
    for (uint32_t k = 0; k < n; k++)
        joined[k] = all[order[k]];
    gs_arena_rewind(scratch, mark);
    return joined;
}

/*
 * Samples of different series at one instant that differ: counted as those of one series are. One
 * GPU cannot have two powers at one instant. Where two jobs both logged it, equal readings are the
 * same look; different ones are counted and kept.
 */
static void note_meetings(const struct gs_gpu_view *g, uint32_t n_metrics, int64_t *differ_ns,
                          struct gs_view_totals *totals)
{
    for (uint32_t k = 1; k < g->n; k++) {
        bool differ = false;
        if (g->t_ns[k] != g->t_ns[k - 1] || g->job[k] == g->job[k - 1])
            continue;
        for (uint32_t m = 0; m < n_metrics && !differ; m++)
            differ = g->value[m] != NULL && g->value[m][k] != g->value[m][k - 1];
        if (differ)
            gs_repeats_add(&totals->at_once, g->t_ns[k], gs_place_at(g->place, k));
        if (differ && *differ_ns == GS_MISSING)
            *differ_ns = g->t_ns[k];
    }
}

/* The columns of all series in the order of time. Times, places, then values; false without memory. */
static bool join_columns(struct gs_gpu_view *g, const struct gs_gpu_view *any, size_t n_metrics,
                         const uint32_t *order, const int64_t **value, struct gs_arena *scratch)
{
    for (size_t c = 0; c < n_metrics + 2; c++) {
        if ((c == 1 && any->place == NULL) || (c > 1 && any->value[c - 2] == NULL))
            continue;
        const int64_t *const joined = join_column(g->series, g->n_series, c, order, g->n, scratch);
        if (joined == NULL)
            return false;
        if (c == 0)
            g->t_ns = joined;
        else if (c == 1)
            g->place = joined;
        else
            value[c - 2] = joined;
    }
    return true;
}

static enum gs_status join_series(const struct gs_view_way *v, const struct gs_gpu_view *series,
                                  struct gs_gpu_view *g, int64_t *differ_ns,
                                  struct gs_view_totals *totals, struct gs_arena *scratch,
                                  struct gs_err *err)
{
    const unsigned n_metrics = v->d->n_metrics;
    const struct gs_gpu_view *any = NULL; /* series of one visit have the same columns */
    uint64_t total = 0;
    for (uint32_t i = 0; i < g->n_series; i++) {
        total += series[i].n;
        g->n_joined += series[i].n_joined;
        if (series[i].n > 0)
            any = &series[i];
    }
    GS_NEW(const int64_t *, value, n_metrics, scratch, err);
    GS_NEW(struct gs_metric_sum, sum, n_metrics, scratch, err);
    GS_NEW_RAW(uint64_t, code, total, scratch, err);
    GS_NEW_RAW(uint32_t, of, total, scratch, err);
    GS_NEW_RAW(uint32_t, job, total, scratch, err);
    if (total > UINT32_MAX / 4)
        return gs_fail_memory(err);
    g->n = (uint32_t)total;
    g->value = value;
    g->series = series;
    for (uint32_t i = 0, at = 0; i < g->n_series; at += series[i++].n) {
        const uint32_t own = gs_series_job(v->d, g->gpu + i);
        for (uint32_t k = 0; k < series[i].n; k++) {
            /*
             * Flipping the sign bit makes unsigned order equal to signed order: times before 1970
             * sort first.
             */
            code[at + k] = (uint64_t)series[i].t_ns[k] ^ UINT64_C(1) << 63;
            of[at + k] = own;
        }
        for (unsigned m = 0; series[i].sum != NULL && m < n_metrics; m++) {
            sum[m].sum += series[i].sum[m].sum;
            sum[m].n += series[i].sum[m].n;
        }
        if (series[i].sum != NULL)
            g->sum = sum;
    }
    if (any == NULL)
        return GS_OK;
    const uint32_t *const order = gs_rows_in_order(code, 64, g->n, by_number, NULL, scratch);
    if (order == NULL || !join_columns(g, any, n_metrics, order, value, scratch))
        return gs_fail_memory(err);
    for (uint32_t k = 0; k < g->n; k++)
        job[k] = of[order[k]];
    g->job = job;
    note_meetings(g, n_metrics, differ_ns, totals);
    return GS_OK;
}

static enum gs_status collect_samples(const struct gs_view_way *v, struct gs_gpu_view *g,
                                      int64_t *differ_ns, struct gs_view_totals *totals,
                                      struct gs_arena *scratch, struct gs_err *err)
{
    if (g->n_series < 2)
        return collect_series(v, g, differ_ns, totals, scratch, err);
    struct gs_gpu_view *const series = gs_arena_take(scratch, g->n_series, sizeof *series);
    enum gs_status s = gs_had_memory(series != NULL, err);
    for (uint32_t i = 0; s == GS_OK && i < g->n_series; i++) {
        int64_t own_ns = GS_MISSING;
        series[i].gpu = g->gpu + i;
        s = collect_series(v, &series[i], &own_ns, totals, scratch, err);
        if (*differ_ns == GS_MISSING)
            *differ_ns = own_ns;
    }
    GS_THEN(s, join_series(v, series, g, differ_ns, totals, scratch, err));
    return s;
}

static bool has_reading(const struct gs_gpu_view *g, uint32_t metric)
{
    uint32_t i = 0;
    while (metric != UINT32_MAX && i < g->n && g->value[metric][i] == GS_MISSING)
        i++;
    return metric != UINT32_MAX && i < g->n;
}

/*
 * A GPU that logs its energy counter and no power has the power that the counter tells. It is put
 * where every analysis looks for power, so that each has an energy, and the same one.
 */
static enum gs_status take_power_of_counter(const struct gs_view_way *v, struct gs_gpu_view *g,
                                            struct gs_arena *scratch, struct gs_err *err)
{
    const uint32_t n_metrics = v->d->n_metrics,
                   instant = gs_metrics_find(v->d->metric, n_metrics, gs_str("power_instant_w"));
    if (v->counter == 0 || has_reading(g, GS_POWER) || has_reading(g, instant))
        return GS_OK;
    GS_NEW_RAW(const int64_t *, value, n_metrics, scratch, err);
    GS_NEW_RAW(struct gs_metric_sum, sum, n_metrics, scratch, err);
    GS_NEW_RAW(int64_t, power, g->n, scratch, err);
    const struct gs_power_series counter = {g->n, g->t_ns, g->value[v->counter], NULL};
    g->counted = gs_counter_power(&counter, power, &g->counted_step);
    if (!g->counted)
        return GS_OK;
    memcpy(value, g->value, n_metrics * sizeof *value);
    value[GS_POWER] = power;
    g->value = value;
    if (g->sum == NULL)
        return GS_OK;
    memcpy(sum, g->sum, n_metrics * sizeof *sum);
    for (uint32_t i = 0; i < g->n; i++)
        if (power[i] != GS_MISSING) {
            sum[GS_POWER].sum += power[i];
            sum[GS_POWER].n++;
        }
    g->sum = sum;
    return GS_OK;
}

/* Leaves in a view the samples inside the range; false without memory. */
static bool keep_inside(const struct gs_range *range, uint32_t n_metrics, struct gs_gpu_view *g,
                        struct gs_arena *scratch)
{
    const size_t first = gs_count_below(g->t_ns, g->n, range->from_ns),
                 n = gs_count_below(g->t_ns, g->n, range->to_ns) - first;
    const int64_t **const value = gs_arena_take(scratch, n_metrics, sizeof *value);
    struct gs_metric_sum *const sum = gs_arena_take(scratch, n_metrics, sizeof *sum);
    if (value == NULL || sum == NULL)
        return false;
    for (uint32_t m = 0; m < n_metrics; m++) {
        if (g->value[m] == NULL)
            continue;
        value[m] = g->value[m] + first;
        for (size_t i = 0; g->sum != NULL && i < n; i++)
            if (value[m][i] != GS_MISSING) {
                sum[m].sum += value[m][i];
                sum[m].n++;
            }
    }
    g->n = (uint32_t)n;
    g->t_ns += first;
    g->value = value;
    g->sum = g->sum == NULL ? NULL : sum;
    if (g->place != NULL)
        g->place += first;
    if (g->job != NULL)
        g->job += first;
    return true;
}

/* Cuts a GPU's samples and those of its series at the borders of the range; energies still know the others. */
static enum gs_status cut_to_range(const struct gs_dataset *d, struct gs_gpu_view *g,
                                   struct gs_arena *scratch, struct gs_err *err)
{
    GS_NEW(struct gs_gpu_view, log, 1, scratch, err);
    GS_NEW(struct gs_gpu_view, series, g->n_series, scratch, err);
    *log = *g;
    g->log = log;
    g->range = d->range;
    bool had = keep_inside(d->range, d->n_metrics, g, scratch);
    for (uint32_t i = 0; log->series != NULL && i < g->n_series; i++) {
        series[i] = log->series[i];
        if (series[i].n > 0)
            had = had && keep_inside(d->range, d->n_metrics, &series[i], scratch);
        g->series = series;
    }
    return gs_had_memory(had, err);
}

enum gs_status gs_gpu_prepare(const struct gs_view_way *v, uint32_t gpu, uint32_t n_series,
                              struct gs_gpu_view *g, struct gs_view_totals *totals,
                              struct gs_arena *scratch, struct gs_err *err)
{
    int64_t differ_ns = GS_MISSING;
    *g = (struct gs_gpu_view){.gpu = gpu, .n_series = n_series};
    enum gs_status s = collect_samples(v, g, &differ_ns, totals, scratch, err);
    if (s == GS_OK && g->n > 0)
        s = take_power_of_counter(v, g, scratch, err);
    if (s != GS_OK || g->n == 0)
        return s;
    if ((v->what & GS_VIEW_RHYTHM) != 0) {
        GS_TRY(gs_gpu_find_sampling(v->d, g, scratch, err));
        const struct gs_arena_mark mark = gs_arena_mark(scratch);
        if (g->n > 1 && !g->counted)
            gs_view_totals_sensor(totals, &g->sensor);
        struct gs_counter counter;
        if (v->counter != 0) {
            GS_TRY(gs_gpu_counter(g, v->counter, scratch, &counter, err));
            gs_view_totals_counter(totals, &counter);
        }
        /* The counter needs memory that the view does not, given back before the analysis runs. */
        gs_arena_rewind(scratch, mark);
        totals->n_instant += g->n > 1 && g->drawn != GS_POWER;
        totals->n_counted += g->counted;
    }
    GS_TRY(check_alone(v->d, g, differ_ns, err));
    return v->d->range == NULL ? GS_OK : cut_to_range(v->d, g, scratch, err);
}
