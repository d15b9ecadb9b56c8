/* format_tree.c - forms whose records lie deep in a tree of JSON: ClusterCockpit's job archive, OTLP. */
#include <string.h>

#include "base/num/decimal.h"
#include "input/bytes/json.h"
#include "input/formats/formats.h"

/* A stream of documents being taken apart; what is wanted of it is parsed value by value. */
struct tree {
    struct gs_text_in *in;
    struct gs_record_sink *out;
    struct gs_json *resource; /* OTLP: of the entry that is open */
    struct gs_arena
        kept; /* OTLP: points of a metric as they stand in it, where they are asked for */
    struct gs_str *point; /* [n_points] */
    size_t n_points;
    bool any;    /* OTLP: the entry had spans or metrics */
    bool is_job; /* ClusterCockpit: meta.json, not data.json */
};

static void put(const struct tree *t, const char *name, struct gs_str text)
{
    if (text.ptr != NULL)
        gs_record_sink_set(t->out, gs_str(name), text);
}

/* A number, text or boolean as text; ptr == NULL for anything else. */
static struct gs_str text_of(struct tree *t, const struct gs_json *v)
{
    struct gs_str text = {NULL, 0};
    double d;
    bool yes;
    if (gs_json_text(v, &text))
        return text;
    if (gs_json_bool(v, &yes))
        return gs_str(yes ? "true" : "false");
    if (!gs_json_number(v, &d))
        return text;
    char shown[GS_REAL_TEXT_MAX];
    text = (struct gs_str){shown, (size_t)gs_real_format(shown, d)};
    t->out->full |= !gs_str_copy(&t->out->kept, text, &text);
    return text;
}

static enum gs_status read_tree(struct tree *t, gs_json_wants_fn *wants, gs_json_take_fn *take,
                                struct gs_err *err)
{
    GS_NEW(struct gs_json_cut, c, 1, t->in->arena, err);
    c->wants = wants;
    c->take = take;
    c->context = t;
    return gs_json_cut_read(c, t->in, err);
}

/*
 * Do the keys fit the path? "*": any key, "[]": an item of an array. An item of an array has a
 * key without a pointer, which no name equals.
 */
static bool fits(const struct gs_str *key, unsigned n_keys, const char *const *path)
{
    for (unsigned i = 0; i < n_keys; i++)
        if (path[i] == NULL || (strcmp(path[i], "[]") == 0
                                    ? key[i].ptr != NULL
                                    : key[i].ptr == NULL || (strcmp(path[i], "*") != 0 &&
                                                             !gs_str_eq(key[i], gs_str(path[i])))))
            return false;
    return path[n_keys] == NULL;
}

/* --- ClusterCockpit: {"METRIC": {"SCOPE": {"unit", "timestep", "series": [{"hostname", "id", "data"}]}}} --- */

/* ClusterCockpit stores no times: the k-th value is k timesteps after the job's start. */
static enum gs_status parse_series(struct tree *t, struct gs_str metric, struct gs_str scope,
                                   double timestep, const struct gs_json *series,
                                   struct gs_err *err)
{
    uint64_t k = 0;
    for (const struct gs_json *v = gs_json_first(gs_json_member(series, "data")); v != NULL;
         v = gs_json_next(v), k++) {
        char time[GS_REAL_TEXT_MAX];
        (void)gs_real_format(time, timestep * (double)k);
        put(t, "time", gs_str(time));
        put(t, "metric", metric);
        put(t, "scope", scope);
        put(t, "hostname", text_of(t, gs_json_member(series, "hostname")));
        put(t, gs_str_eq(scope, gs_str("accelerator")) ? "gpu" : "id",
            text_of(t, gs_json_member(series, "id")));
        put(t, "value", text_of(t, v)); /* null: missing */
        GS_TRY(gs_record_sink_end(t->out, err));
    }
    return GS_OK;
}

static void add_to_list(struct gs_buf *list, struct gs_str text)
{
    gs_buf_text_if(list, list->len > 0, ",");
    gs_buf_add(list, text);
}

/*
 * The job itself: one record, its hosts as a list, and its accelerators where every host says
 * which ones it had. If one host lists no accelerators, the job may have had all of its GPUs; a
 * partial list would leave them out.
 */
static enum gs_status parse_job(struct tree *t, const struct gs_json *doc, struct gs_err *err)
{
    struct gs_buf hosts = {.arena = t->in->arena}, gpus = {.arena = t->in->arena};
    bool all = true;
    for (const struct gs_json *r = gs_json_first(gs_json_member(doc, "resources")); r != NULL;
         r = gs_json_next(r)) {
        const struct gs_json *const own = gs_json_member(r, "accelerators");
        add_to_list(&hosts, text_of(t, gs_json_member(r, "hostname")));
        all &= gs_json_length(own) > 0;
        for (const struct gs_json *a = gs_json_first(own); a != NULL; a = gs_json_next(a))
            add_to_list(&gpus, text_of(t, a));
    }
    static const char *const names[] = {"jobId",   "startTime", "duration", "user",
                                        "project", "cluster",   "jobState"};
    t->out->full |= hosts.failed || gpus.failed;
    put(t, "hosts", gs_buf_str(&hosts));
    if (all && gpus.len > 0)
        put(t, "accelerators", gs_buf_str(&gpus));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        put(t, names[i], text_of(t, gs_json_member(doc, names[i])));
    return gs_record_sink_end(t->out, err);
}

static enum gs_status parse_scope(struct tree *t, struct gs_str metric, struct gs_str scope,
                                  const struct gs_json *c, struct gs_err *err)
{
    double timestep;
    if (!gs_json_number(gs_json_member(c, "timestep"), &timestep) ||
        !(timestep > 0 && timestep < 1e9))
        return GS_OK;
    for (const struct gs_json *q = gs_json_first(gs_json_member(c, "series")); q != NULL;
         q = gs_json_next(q))
        GS_TRY(parse_series(t, metric, scope, timestep, q, err));
    return GS_OK;
}

static const char *const one_scope[] = {"*", "*", NULL};

/* A metric's scope at a time; of meta.json, which is small and has a job's number, the whole. */
static bool wants_cockpit(void *context, const struct gs_str *key, unsigned n_keys)
{
    const struct tree *const t = context;
    if (t->is_job)
        return n_keys == 0;
    return fits(key, n_keys, one_scope);
}

static enum gs_status parse_cockpit(void *context, const struct gs_json_item *item,
                                    struct gs_err *err)
{
    struct tree *const t = context;
    GS_FREES_JSON struct gs_json *doc = NULL;
    t->out->line = item->line;
    GS_TRY(gs_json_parse(item->text, t->in->name, &doc, err));
    return t->is_job ? parse_job(t, doc, err)
                     : parse_scope(t, item->key[0], item->key[item->n_keys - 1], doc, err);
}

static bool is_meta(struct gs_str head)
{
    return gs_str_holds(head, "\"jobId\"") && gs_str_holds(head, "\"startTime\"") &&
           gs_str_holds(head, "\"resources\"");
}

static bool is_cockpit(struct gs_str head)
{
    const bool data = gs_str_holds(head, "\"timestep\"") && gs_str_holds(head, "\"series\"");
    return data || is_meta(head);
}

static enum gs_status read_cockpit(struct gs_text_in *in, struct gs_record_sink *out,
                                   struct gs_err *err)
{
    struct tree t = {.in = in, .out = out};
    struct gs_str head = {NULL, 0};
    const enum gs_status s = gs_text_peek(in, &head, err);
    t.is_job = s == GS_OK && is_meta(head);
    GS_TRY(s);
    return read_tree(&t, wants_cockpit, parse_cockpit, err);
}

const struct gs_form gs_form_clustercockpit = {.name = "clustercockpit",
                                               .is_archive = true,
                                               .container = GS_CONTAINER_JSON,
                                               .matches = is_cockpit,
                                               .read = read_cockpit};

/* --- OTLP: resourceSpans and resourceMetrics ----------------------------------------------------------- */

static void put_attributes(struct tree *t, const struct gs_json *list)
{
    static const char *const types[] = {"stringValue", "intValue", "doubleValue", "boolValue"};
    for (const struct gs_json *a = gs_json_first(list); a != NULL; a = gs_json_next(a)) {
        struct gs_str key;
        if (!gs_json_text(gs_json_member(a, "key"), &key))
            continue;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            const struct gs_json *const v = gs_json_member(gs_json_member(a, "value"), types[i]);
            if (v != NULL)
                gs_record_sink_set(t->out, key, text_of(t, v));
        }
    }
}

static enum gs_status parse_span(struct tree *t, const struct gs_json *span,
                                 const struct gs_json *resource, struct gs_err *err)
{
    static const char *const names[] = {"name",   "startTimeUnixNano", "endTimeUnixNano", "traceId",
                                        "spanId", "parentSpanId"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        put(t, names[i], text_of(t, gs_json_member(span, names[i])));
    put_attributes(t, gs_json_member(span, "attributes"));
    put_attributes(t, gs_json_member(resource, "attributes"));
    return gs_record_sink_end(t->out, err);
}

static enum gs_status store_point(void *context, const struct gs_json_item *item,
                                  struct gs_err *err)
{
    struct tree *const t = context;
    GS_TRY(gs_had_memory(GS_HAS_ROOM(&t->kept, t->point, t->n_points), err));
    return gs_had_memory(gs_str_copy(&t->kept, item->text, &t->point[t->n_points++]), err);
}

/* The points of a metric as they stand in its text: what malformed ones were. */
static enum gs_status store_points(struct tree *t, struct gs_str text, bool gauge,
                                   struct gs_err *err)
{
    const char *const path[] = {gauge ? "gauge" : "sum", "dataPoints", NULL};
    gs_arena_rewind(&t->kept, (struct gs_arena_mark){0});
    t->point = NULL;
    t->n_points = 0;
    if (t->out->reject == NULL)
        return GS_OK;
    struct gs_json_cut items = {.name = t->in->name,
                                .path = path,
                                .take = store_point,
                                .context = t,
                                .item.arena = &t->kept};
    GS_TRY(gs_json_cut_feed(&items, text, err));
    return gs_json_cut_finish(&items, err);
}

static enum gs_status parse_points(struct tree *t, const struct gs_json *metric, struct gs_str text,
                                   const struct gs_json *resource, struct gs_err *err)
{
    const bool gauge = gs_json_member(metric, "gauge") != NULL;
    const struct gs_json *const kind = gs_json_member(metric, gauge ? "gauge" : "sum");
    size_t n = 0;
    GS_TRY(store_points(t, text, gauge, err));
    for (const struct gs_json *p = gs_json_first(gs_json_member(kind, "dataPoints")); p != NULL;
         p = gs_json_next(p), n++) {
        const struct gs_json *const value = gs_json_member(p, "asDouble") != NULL
                                                ? gs_json_member(p, "asDouble")
                                                : gs_json_member(p, "asInt");
        put(t, "metric", text_of(t, gs_json_member(metric, "name")));
        put(t, "unit", text_of(t, gs_json_member(metric, "unit")));
        put(t, "timeUnixNano", text_of(t, gs_json_member(p, "timeUnixNano")));
        put(t, "value", text_of(t, value));
        put_attributes(t, gs_json_member(p, "attributes"));
        put_attributes(t, gs_json_member(resource, "attributes"));
        if (n < t->n_points)
            t->out->raw = t->point[n];
        GS_TRY(gs_record_sink_end(t->out, err));
    }
    return GS_OK;
}

static const char *const otlp_entry[2][3] = {{"resourceSpans", "[]", NULL},
                                             {"resourceMetrics", "[]", NULL}};
static const char *const otlp_resource[2][4] = {{"resourceSpans", "[]", "resource", NULL},
                                                {"resourceMetrics", "[]", "resource", NULL}};
static const char *const otlp_item[2][7] = {
    {"resourceSpans", "[]", "scopeSpans", "[]", "spans", "[]", NULL},
    {"resourceMetrics", "[]", "scopeMetrics", "[]", "metrics", "[]", NULL}};

/* A span or metric at a time, and the resource that stands before those of its entry. */
static bool wants_otlp(void *context, const struct gs_str *key, unsigned n_keys)
{
    struct tree *const t = context;
    bool wanted = false;
    for (int k = 0; k < 2; k++) {
        if (n_keys == 2 && fits(key, n_keys, otlp_entry[k])) {
            gs_json_free(t->resource);
            t->resource = NULL;
            t->any = false;
        }
        wanted |= (n_keys == 3 && fits(key, n_keys, otlp_resource[k])) ||
                  (n_keys == 6 && fits(key, n_keys, otlp_item[k]));
    }
    return wanted;
}

static enum gs_status parse_otlp(void *context, const struct gs_json_item *item, struct gs_err *err)
{
    struct tree *const t = context;
    GS_FREES_JSON struct gs_json *doc = NULL;
    t->out->line = item->line;
    GS_TRY(gs_json_parse(item->text, t->in->name, &doc, err));
    if (item->n_keys == 3) {
        if (t->any)
            return gs_fail_at(err, t->in->name, item->line,
                              "a resource behind its spans or metrics, expected before them");
        gs_json_free(t->resource);
        t->resource = doc;
        doc = NULL;
        return GS_OK;
    }
    t->any = true;
    if (!gs_str_eq(item->key[0], gs_str("resourceSpans")))
        return parse_points(t, doc, item->text, t->resource, err);
    t->out->raw = item->text;
    return parse_span(t, doc, t->resource, err);
}

static enum gs_status read_otlp(struct gs_text_in *in, struct gs_record_sink *out,
                                struct gs_err *err)
{
    struct tree t = {.in = in, .out = out};
    const enum gs_status s = read_tree(&t, wants_otlp, parse_otlp, err);
    gs_json_free(t.resource);
    gs_arena_release(&t.kept);
    return s;
}

const struct gs_form gs_form_otlp = {.name = "otlp",
                                     .container = GS_CONTAINER_JSON,
                                     .series = "metric",
                                     .time = {"timeUnixNano"},
                                     .time_unit = "ns",
                                     .sign = {"\"resourceSpans\"", "\"resourceMetrics\""},
                                     .read = read_otlp};
