/* spans_csv.c - CSV files of time spans in three layouts: pairs, marks with a type, alternating marks. */
#include "input/import/spans_csv.h"

#include "base/num/order.h"
#include "input/bytes/csv_find.h"

struct mark {
    int64_t t_ns;
    struct gs_str name, host, gpu;
    bool stop;
    size_t row;
};

struct columns {
    int start, stop, time, type, name, host, gpu;
};

/* The first name of a list that the file has is taken, wherever its column stands. */
static struct columns find_columns(const struct gs_csv_table *t)
{
    static const char start[] = "start|begin|start_time";
    static const char stop[] = "stop|end|stop_time|end_time";
    static const char time[] = "timestamp|time";
    static const char type[] = "eventType|event_type|type";
    static const char name[] = "eventName|event_name|event|name|label";
    static const char host[] = "hostname|host|node";
    static const char gpu[] =
        "gpu|gpuUUID|gpu_uuid|uuid|gpuSerial|gpu_serial|gpuIndex|gpu_index|gpu_id|gpuId|index";
    return (struct columns){gs_csv_find_any(t, start), gs_csv_find_any(t, stop),
                            gs_csv_find_any(t, time),  gs_csv_find_any(t, type),
                            gs_csv_find_any(t, name),  gs_csv_find_any(t, host),
                            gs_csv_find_any(t, gpu)};
}

static enum gs_status read_time(const struct gs_csv_table *t, size_t row, int column,
                                struct gs_time_reader *r, int64_t *t_ns, struct gs_err *err)
{
    const struct gs_str cell = gs_csv_cell(t, row, (size_t)column);
    if (gs_time_parse(r, cell, t_ns))
        return GS_OK;
    char name[80], why[GS_ZONE_FAULT_MAX];
    const char *const of_zone = gs_time_zone_fault(r, true, why);
    return gs_fail_at(err, t->name, t->line[row], "%s: '%s' %s",
                      gs_escape(name, sizeof name, t->header[column]), GS_SHOWN(cell, 128),
                      of_zone == NULL ? "is not a time" : of_zone);
}

static struct gs_str name_of(const struct gs_csv_table *t, size_t row, int column)
{
    if (column == GS_CSV_NONE)
        return GS_NO_STR;
    return gs_csv_cell(t, row, (size_t)column);
}

/* A host or GPU that a cell leaves out means all of them. */
static struct gs_str place_of(const struct gs_csv_table *t, size_t row, int column)
{
    const struct gs_str text = name_of(t, row, column);
    if (text.len == 0 || gs_is_missing_word(text))
        return GS_NO_STR;
    return text;
}

static enum gs_status read_pairs(const struct gs_csv_table *t, const struct columns *c,
                                 struct gs_time_reader *r, struct gs_span_list *spans,
                                 struct gs_err *err)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        struct gs_span *const s = &spans->span[spans->n];
        GS_TRY(read_time(t, i, c->start, r, &s->start_ns, err));
        GS_TRY(read_time(t, i, c->stop, r, &s->stop_ns, err));
        if (s->stop_ns < s->start_ns)
            return gs_fail_at(err, t->name, t->line[i], "stops before it starts");
        s->name = name_of(t, i, c->name);
        s->host = place_of(t, i, c->host);
        s->gpu = place_of(t, i, c->gpu);
        spans->n++;
    }
    return GS_OK;
}

static int compare_keys(const struct mark *x, const struct mark *y)
{
    GS_DIFFER(gs_str_compare(x->name, y->name));
    GS_DIFFER(gs_str_compare(x->host, y->host));
    return gs_str_compare(x->gpu, y->gpu);
}

/* By name and place, then time; at one instant a START comes first, then the order of the file. */
GS_COMPARES(compare_marks, struct mark, GS_DIFFER(compare_keys(x, y));
            GS_BY(t_ns) GS_BY(stop) GS_BY(row));

static enum gs_status read_marks(const struct gs_csv_table *t, const struct columns *c,
                                 struct gs_time_reader *r, struct mark *mark, struct gs_err *err)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        mark[i] = (struct mark){.row = i};
        GS_TRY(read_time(t, i, c->time, r, &mark[i].t_ns, err));
        if (c->type == GS_CSV_NONE)
            continue;
        mark[i].name = name_of(t, i, c->name);
        mark[i].host = place_of(t, i, c->host);
        mark[i].gpu = place_of(t, i, c->gpu);
        const struct gs_str type = gs_csv_cell(t, i, (size_t)c->type);
        mark[i].stop =
            gs_str_eq_nocase(type, gs_str("STOP")) || gs_str_eq_nocase(type, gs_str("END"));
        char name[80];
        if (!mark[i].stop && !gs_str_eq_nocase(type, gs_str("START")))
            return gs_fail_at(err, t->name, t->line[i], "%s: '%s' is neither START nor STOP",
                              gs_escape(name, sizeof name, t->header[c->type]),
                              GS_SHOWN(type, 128));
    }
    GS_SORT(mark, t->n_rows, compare_marks);
    return GS_OK;
}

/*
 * The k-th START with the k-th STOP of each name and place; returns how many marks are left over.
 * By rank and not by nesting: the bursts of a benchmark follow one another. A STOP before its
 * START leaves both out, since nothing says which of the two is wrong.
 */
static size_t pair_events(const struct mark *mark, size_t n, size_t *stops,
                          struct gs_span_list *spans)
{
    size_t left = 0;
    for (size_t lo = 0, hi; lo < n; lo = hi) {
        size_t n_stops = 0, n_starts = 0;
        for (hi = lo; hi < n && compare_keys(&mark[hi], &mark[lo]) == 0; hi++)
            if (mark[hi].stop)
                stops[n_stops++] = hi;
        for (size_t i = lo; i < hi; i++) {
            if (mark[i].stop)
                continue;
            if (n_starts < n_stops && mark[stops[n_starts]].t_ns >= mark[i].t_ns)
                spans->span[spans->n++] =
                    (struct gs_span){mark[i].name, mark[i].host, mark[i].gpu, mark[i].t_ns,
                                     mark[stops[n_starts]].t_ns};
            else
                left += n_starts < n_stops ? 2 : 1;
            n_starts++;
        }
        if (n_stops > n_starts)
            left += n_stops - n_starts;
    }
    return left;
}

/* One column of instants: equal ones once, then start, stop, start, stop ... */
static size_t alternate(const struct mark *mark, size_t n, struct gs_span_list *spans)
{
    size_t n_distinct = 0;
    int64_t start = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && mark[i].t_ns == mark[i - 1].t_ns)
            continue;
        if (n_distinct++ % 2 == 0)
            start = mark[i].t_ns;
        else
            spans->span[spans->n++] = (struct gs_span){.start_ns = start, .stop_ns = mark[i].t_ns};
    }
    return n_distinct % 2;
}

/* All fields take part, so the order does not depend on qsort, which is not stable. */
GS_COMPARES(compare_spans, struct gs_span,
            GS_BY(start_ns) GS_BY(stop_ns) GS_BY_TEXT(name) GS_BY_TEXT(host) GS_BY_TEXT(gpu));

enum gs_status gs_spans_read(const char *path, const struct gs_zone *zone, struct gs_arena *arena,
                             struct gs_notes *notes, struct gs_span_list *spans, struct gs_err *err)
{
    struct gs_csv_table t;
    GS_TRY(gs_csv_read(path, arena, &t, err));
    const struct columns c = find_columns(&t);
    struct gs_time_reader reader = {.zone = *zone};
    struct gs_span_list list = {gs_arena_take(arena, t.n_rows, sizeof *list.span), 0};
    GS_NEW(struct mark, mark, t.n_rows, arena, err);
    GS_NEW(size_t, stops, t.n_rows, arena, err);
    GS_TRY(gs_had_memory(list.span != NULL, err));
    size_t left = 0;
    if (c.start != GS_CSV_NONE && c.stop != GS_CSV_NONE)
        GS_TRY(read_pairs(&t, &c, &reader, &list, err));
    else if (c.time != GS_CSV_NONE) {
        GS_TRY(read_marks(&t, &c, &reader, mark, err));
        left = c.type != GS_CSV_NONE ? pair_events(mark, t.n_rows, stops, &list)
                                     : alternate(mark, t.n_rows, &list);
    } else
        return gs_fail(
            err, GS_ERR_DATA,
            "%s:1: no columns 'start' and 'stop', nor 'timestamp' with or without 'eventType'",
            t.name);
    if (list.n == 0)
        return gs_fail(err, GS_ERR_DATA, "%s: holds no stretch of time with a start and a stop",
                       t.name);
    GS_SORT(list.span, list.n, compare_spans);
    if (left > 0)
        gs_note(notes, GS_NOTE_WARNING, "%s: %zu mark%s without a partner left out", t.name, left,
                gs_plural(left, "", "s"));
    if (reader.zoneless)
        gs_note(notes, GS_NOTE_INFO, "%s: times without a zone were read in the zone of --tz",
                t.name);
    *spans = list;
    return GS_OK;
}
