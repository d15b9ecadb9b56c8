/* cockpit_apply.c - maps ClusterCockpit's data.json; the start of the job is in meta.json beside it. */
#include <stdio.h>
#include <string.h>

#include "base/num/timestamp.h"
#include "base/os/path.h"
#include "input/bytes/json.h"
#include "input/bytes/json_cut.h"
#include "input/detect/names_parts.h"

enum { DOCUMENT_BYTES_MAX = 16 << 20 };

/* "data" becomes "meta" in the name of the file: data.json, data-JOB.json. */
static bool meta_path(const char *path, struct gs_buf *out)
{
    const char *const name = gs_path_last(path);
    const char *const data = strstr(name, "data");
    if (data == NULL)
        return false;
    gs_buf_bytes(out, path, (size_t)(data - path));
    gs_buf_text(out, "meta");
    gs_buf_text(out, data + 4);
    return !out->failed;
}

/* The job's start as an instant; ptr == NULL where no meta.json says it. */
static struct gs_str find_origin(const char *path, struct gs_arena *arena)
{
    GS_OWN struct gs_arena scratch = {0};
    struct gs_buf meta = {.arena = &scratch};
    GS_FREES_JSON struct gs_json *doc = NULL;
    double start;
    struct gs_str text, origin = {NULL, 0};
    if (meta_path(path, &meta) &&
        gs_text_all(meta.ptr, DOCUMENT_BYTES_MAX, "", &scratch, &text, NULL) == GS_OK &&
        gs_json_parse(text, meta.ptr, &doc, NULL) == GS_OK &&
        gs_json_number(gs_json_member(doc, "startTime"), &start) && start > 946684800.0 &&
        start < 4102444800.0) {
        char shown[GS_TIME_TEXT_MAX];
        const int n = gs_time_format(shown, (int64_t)start * GS_NS_PER_S);
        origin = gs_str(gs_arena_copy(arena, shown, (size_t)n));
    }
    return origin;
}

/* The unit as it ends a metric's name: "_w", "_mhz"; "" for none that is known. */
static const char *ending_of(const struct gs_json *scope)
{
    static const struct {
        const char *unit, *ending;
    } endings[] = {{"W", "_w"},   {"MHz", "_mhz"}, {"GHz", "_ghz"}, {"%", "_pct"},
                   {"GB", "_gb"}, {"MB", "_mb"},   {"J", "_j"}};
    const struct gs_json *const unit = gs_json_member(scope, "unit");
    struct gs_str prefix = {"", 0}, base = {"", 0};
    char whole[32];
    (void)gs_json_text(gs_json_member(unit, "prefix"), &prefix);
    (void)gs_json_text(gs_json_member(unit, "base"), &base);
    if (prefix.len + base.len >= sizeof whole)
        return "";
    (void)snprintf(whole, sizeof whole, "%.*s%.*s", (int)prefix.len, prefix.ptr, (int)base.len,
                   base.ptr);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(whole, endings[i].unit) == 0)
            return endings[i].ending;
    return "";
}

/* What accelerators' metrics are called here. */
static const struct {
    const char *theirs, *ours, *unit;
} accelerator[] = {{"acc_power", "power_w", "W"},
                   {"acc_utilization", "gpu_util_pct", "%"},
                   {"acc_mem_used", "mem_used_mib", "GB"},
                   {"acc_temp", "temp_c", "C"},
                   {"acc_mem_util", "mem_util_pct", "%"}};

static void add(struct gs_source *s, const char *name, const char *unit, struct gs_str metric,
                const char *scope, struct gs_arena *arena)
{
    struct gs_map_where *const where = gs_arena_take(arena, 2, sizeof *where);
    struct gs_map_value value = {.unit = gs_str(unit), .where = {where, 2}};
    if (where == NULL)
        return;
    where[0].column = gs_str("metric");
    where[1].column = gs_str("scope");
    (void)gs_texts_add(&where[0].pattern, metric, arena);
    (void)gs_texts_add(&where[1].pattern, gs_str(scope), arena);
    gs_infer_column(&value, gs_str("value"), arena);
    gs_infer_add(&s->metrics, gs_arena_copy(arena, name, strlen(name)), value, arena);
}

/* A scope of a metric at a time. */
struct scopes {
    struct gs_source *source;
    struct gs_arena *arena;
    const char *name; /* of the file, escaped */
    bool has_accelerators;
};

static bool wants_scope(void *context, const struct gs_str *key, unsigned n_keys)
{
    (void)context;
    return n_keys == 2 && key[0].ptr != NULL && key[1].ptr != NULL;
}

/* Accelerators' metrics where there are any: a node's would stand beside them as one GPU more. */
static enum gs_status parse_scope(void *context, const struct gs_json_item *item,
                                  struct gs_err *err)
{
    struct scopes *const c = context;
    const struct gs_str name = item->key[0], scope = item->key[item->n_keys - 1];
    GS_FREES_JSON struct gs_json *doc = NULL;
    char own[160];
    struct gs_str kept; /* keys live as long as the walk */
    GS_TRY(gs_had_memory(gs_str_copy(c->arena, name, &kept), err));
    if (gs_str_eq(scope, gs_str("accelerator"))) {
        for (size_t i = 0; i < sizeof accelerator / sizeof *accelerator; i++)
            if (gs_str_eq(name, gs_str(accelerator[i].theirs)))
                add(c->source, accelerator[i].ours, accelerator[i].unit, kept, "accelerator",
                    c->arena);
    } else if (gs_str_eq(scope, gs_str("node")) && !c->has_accelerators && name.len <= 100) {
        GS_TRY(gs_json_parse(item->text, c->name, &doc, err));
        (void)snprintf(own, sizeof own, "%.*s%s", (int)name.len, name.ptr, ending_of(doc));
        add(c->source, own, NULL, kept, "node", c->arena);
    }
    return gs_had_memory(!c->arena->failed, err);
}

static enum gs_status find_metrics(struct gs_source *s, const char *path, bool has_accelerators,
                                   struct gs_arena *arena, struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    GS_CLOSES_TEXT struct gs_text_in in = {0};
    GS_NEW(struct gs_json_cut, cut, 1, &scratch, err);
    GS_TRY(gs_text_open(&in, path, 0, &scratch, err));
    struct scopes scopes = {s, arena, in.name, has_accelerators};
    cut->wants = wants_scope;
    cut->take = parse_scope;
    cut->context = &scopes;
    return gs_json_cut_read(cut, &in, err);
}

enum gs_status gs_cockpit_apply(const struct gs_preview *h, const char *path, struct gs_map *map,
                                struct gs_arena *arena, struct gs_err *err)
{
    struct gs_source s = {.role = GS_ROLE_SAMPLES, .skip = -1, .header = -1};
    if (h->form != &gs_form_clustercockpit || gs_preview_find(h, "value") == UINT32_MAX)
        return GS_OK;
    const bool gpus = gs_preview_find(h, "gpu") != UINT32_MAX;
    s.origin.text = find_origin(path, arena);
    if (s.origin.text.ptr != NULL)
        s.origin.kind = GS_VALUE_TEXT;
    s.time.unit = gs_str("s");
    gs_infer_column(&s.time, gs_str("time"), arena);
    gs_infer_column(&s.host, gs_str("hostname"), arena);
    if (gpus)
        gs_infer_column(&s.gpu, gs_str("gpu"), arena);
    GS_TRY(find_metrics(&s, path, gpus, arena, err));
    struct gs_source *const to = s.metrics.n > 0 ? gs_map_add(map, arena) : NULL;
    if (to != NULL)
        *to = s;
    return gs_had_memory(!arena->failed, err);
}

static bool is_cockpit(const struct gs_source *s)
{
    return gs_source_form(s) == &gs_form_clustercockpit;
}

void gs_cockpit_settle(struct gs_map *map)
{
    bool any = false;
    for (size_t i = 0; i < map->n_sources; i++)
        any |= map->source[i].role == GS_ROLE_SAMPLES && is_cockpit(&map->source[i]) &&
               map->source[i].gpu.kind != GS_VALUE_NONE;
    for (size_t i = 0; i < map->n_sources && !any; i++)
        if (map->source[i].role == GS_ROLE_EVENTS && is_cockpit(&map->source[i]))
            map->source[i].gpu = (struct gs_map_value){0};
}
