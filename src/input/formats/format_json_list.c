/*
 * format_json_list.c - a list of GPUs within an object of JSON: one record for each of them, with what stands around the list.
 * amd-smi metric --json, gpustat --json and people's own logs nest them so. Other lists are of readings or of jobs,
 * where their objects say times. Or the object is a table by columns, {"time": [...], "power": [...]}.
 */
#include <stddef.h>
#include <string.h>

#include "base/num/decimal.h"
#include "base/num/order.h"
#include "input/formats/formats.h"
#include "input/schema/column_meaning.h"

enum { KEYS_MAX = 8, KEY_BYTES_MAX = 64 };

/* What the objects of a list are: GPUs, or what says its own times, readings or spans. */
enum listed { LISTED_NOTHING, LISTED_GPUS, LISTED_TIMES, LISTED_SPANS };

/* A place in the text: the objects that are open, and the key at which each stands. */
struct finder {
    struct gs_str text;
    size_t at;
    struct gs_str key[GS_JSON_DEPTH_MAX + 1];
    unsigned depth;
    enum listed listed; /* the objects of the list that is found */
    bool columns;       /* a list of values is called a time     */
};

/* Keys under which lists of GPUs stand. Other lists of objects (tags, processes) do not make records. */
static bool names_gpus(struct gs_str key)
{
    if (GS_IS_ONE_OF(key, "cards", "devices", "accelerators", "xpus"))
        return true;
    for (size_t i = 0; i + 3 <= key.len; i++)
        if (gs_str_eq_nocase((struct gs_str){key.ptr + i, 3}, gs_str("gpu")))
            return true;
    return false;
}

/* The text between quotes, as it is written; behind it afterwards. */
static struct gs_str parse_quoted(struct finder *f)
{
    const size_t from = ++f->at;
    while (f->at < f->text.len && f->text.ptr[f->at] != '"')
        f->at += f->text.ptr[f->at] == '\\' ? 2 : 1;
    const size_t to = gs_min(f->at, f->text.len);
    f->at = to + 1;
    return (struct gs_str){f->text.ptr + from, to - from};
}

/*
 * Behind the array or object that opens here. Texts are passed as a whole, since they may hold
 * brackets.
 */
static void pass_value(struct finder *f)
{
    for (unsigned open = 0; f->at < f->text.len;) {
        const char c = f->text.ptr[f->at];
        if (c == '"') {
            (void)parse_quoted(f);
            continue;
        }
        f->at++;
        open += c == '[' || c == '{';
        open -= c == ']' || c == '}';
        if (open == 0)
            return;
    }
}

/* What the keys of the first object of the list that begins here mean, as bits. */
static unsigned meanings_of(struct finder list)
{
    unsigned meanings = 0;
    bool key = true;
    for (list.at = gs_str_find(gs_str_after(list.text, list.at), "{") + list.at + 1;
         list.at < list.text.len && list.text.ptr[list.at] != '}';) {
        const char c = list.text.ptr[list.at];
        if (c == '{' || c == '[') {
            pass_value(&list);
        } else if (c == '"') {
            const struct gs_str text = parse_quoted(&list);
            if (key)
                meanings |= 1u << gs_column_meaning(text);
        } else {
            key = c == ',' || (key && c != ':');
            list.at++;
        }
    }
    return meanings;
}

/*
 * Do the objects of the list that begins here say when they were, under whatever key? Then they are readings, or runs from
 * a start to an end.
 */
static enum listed records_of(const struct finder *f)
{
    if (f->depth == 0 || f->depth > KEYS_MAX)
        return LISTED_NOTHING;
    if (names_gpus(f->key[f->depth]))
        return LISTED_GPUS;
    const unsigned m = meanings_of(*f);
    const unsigned start = m >> GS_MEANS_START & 1, stop = m >> GS_MEANS_STOP & 1,
                   length = m >> GS_MEANS_DURATION & 1;
    if ((m >> GS_MEANS_TIME & 1) != 0)
        return LISTED_TIMES;
    return start + stop + length > 1 ? LISTED_SPANS : LISTED_NOTHING;
}

/* What the list that begins here is of. A list of values may be a column. */
static enum listed look_at_list(struct finder *f)
{
    const size_t first = gs_str_skip(f->text, f->at + 1, " \t\r\n");
    const bool objects = first < f->text.len && f->text.ptr[first] == '{';
    f->columns |= !objects && f->depth > 0 && f->depth <= KEYS_MAX &&
                  gs_column_meaning(f->key[f->depth]) == GS_MEANS_TIME;
    return objects ? records_of(f) : LISTED_NOTHING;
}

/* Opens or closes an object; false where it is too deep, or none is open. */
static bool follow_brace(struct finder *f, char c)
{
    if (c == '{')
        return ++f->depth <= GS_JSON_DEPTH_MAX;
    return c != '}' || f->depth-- != 0;
}

/*
 * Finds the first list of objects whose key names GPUs, or which say their times, else the first of spans, below objects
 * only; f->key[1] to f->key[f->depth] lead to it. Keys and brackets only are looked at here:
 * gs_json_read_lists parses what is found, so damage is reported there.
 */
static bool find_list(struct finder *f)
{
    struct finder spans = {.depth = 0};
    bool value = false; /* a key and its colon are behind us */
    while (f->at < f->text.len) {
        const char c = f->text.ptr[f->at];
        if (c == '"') {
            const struct gs_str text = parse_quoted(f);
            if (!value && f->depth > 0 && f->depth <= GS_JSON_DEPTH_MAX)
                f->key[f->depth] = text;
            continue;
        }
        if (c == '[') {
            f->listed = look_at_list(f);
            if (f->listed == LISTED_GPUS || f->listed == LISTED_TIMES)
                return true;
            if (f->listed == LISTED_SPANS && spans.depth == 0)
                spans = *f;
            pass_value(f);
            continue;
        }
        f->at++;
        value = c == ':' || (value && c != ',' && c != '{' && c != '}');
        if (!follow_brace(f, c))
            break;
    }
    if (spans.depth == 0 || f->columns)
        return false;
    *f = spans;
    return true;
}

struct lister {
    struct gs_json_lists *lists;
    struct gs_str
        whole; /* the object around the list; ptr == NULL: it tells nothing of its items */
    uint64_t line, n;
    bool gpus; /* they are GPUs */
};

/*
 * In a list of GPUs "id" is the GPU, where nothing else says which one it is. "id" alone means
 * many things; only within a list of GPUs is it one's number.
 */
static void put_id(struct gs_record_sink *out)
{
    struct gs_str id = {NULL, 0};
    for (uint32_t i = 0; i < out->n_put; i++) {
        const struct gs_str name = out->column.text[out->put[i]];
        if (gs_str_eq(name, gs_str("id")))
            id = out->value[out->put[i]];
        if (GS_IS_ONE_OF(name, "gpu", "gpu_id", "gpu_index", "index", "uuid", "gpu_uuid"))
            return;
    }
    if (id.ptr != NULL)
        gs_record_sink_set(out, gs_str("gpu_id"), id);
}

/* What stands in the item counts before what stands around it. */
static enum gs_status parse_gpu(void *context, const struct gs_json_item *item, struct gs_err *err)
{
    struct lister *const l = context;
    const uint64_t line = l->line + item->line - 1;
    l->n++;
    GS_TRY(gs_json_put(&l->lists->item, item->text, line, err));
    if (l->gpus)
        put_id(l->lists->item.out);
    if (!l->gpus)
        gs_tres_put(l->lists->item.out);
    if (l->whole.ptr != NULL)
        GS_TRY(gs_json_put(&l->lists->around, l->whole, l->line, err));
    l->lists->item.out->line = line;
    l->lists->item.out->raw = item->text;
    return gs_record_sink_end(l->lists->item.out, err);
}

/* A list of values below one key: a column. */
struct list {
    struct gs_buf values; /* of struct gs_str */
    size_t n;
    struct gs_str name;
    uint32_t column; /* where it is one */
    bool times;
};

struct columns {
    struct gs_record_sink *out;
    struct gs_arena own;
    struct list *item; /* [n] */
    size_t n;
    struct gs_buf around; /* of struct beside */
};

/* A value beside the lists, which holds for each of their items. */
struct beside {
    uint32_t column;
    struct gs_str value;
};

static bool put_beside(struct columns *c, struct gs_str path, struct gs_str value)
{
    struct beside one = {.column = gs_record_sink_column(c->out, path)};
    const bool copied = gs_str_copy(&c->own, value, &one.value);
    gs_buf_bytes(&c->around, (const char *)&one, sizeof one);
    return copied && !c->around.failed && !c->out->full;
}

/* An item of a list: what stands in one follows one another. Lists within lists are no columns. */
static bool put_item(void *context, struct gs_str path, struct gs_str value)
{
    struct columns *const c = context;
    const size_t dot = gs_str_until_back(path, path.len, ".");
    uint64_t at;
    if (dot == 0 || gs_count_parse(gs_str_after(path, dot), UINT32_MAX, &at) != GS_NUMBER_OK)
        return put_beside(c, path, value);
    if (at == 0) {
        const struct gs_str name = {path.ptr, dot - 1};
        struct list *const more = gs_arena_one_more(&c->own, c->item, c->n, sizeof *more);
        if (more == NULL)
            return false;
        c->item = more;
        more[c->n++] = (struct list){.values.arena = &c->own,
                                     .name = {gs_arena_copy(&c->own, name.ptr, name.len), name.len},
                                     .times = gs_column_meaning(name) == GS_MEANS_TIME};
    }
    if (c->n == 0 || c->item[c->n - 1].n != at)
        return true;
    struct list *const to = &c->item[c->n - 1];
    struct gs_str copy;
    const bool copied = gs_str_copy(&c->own, value, &copy);
    gs_buf_bytes(&to->values, (const char *)&copy, sizeof copy);
    to->n++;
    return copied && !to->values.failed && !c->out->full;
}

/* One record for each item of the first list of times, of all lists that are as long. */
static enum gs_status put_columns(struct columns *c, struct gs_str text, struct gs_err *err)
{
    size_t first = 0, n_columns = 0;
    while (first < c->n && !c->item[first].times)
        first++;
    const size_t n = first < c->n ? c->item[first].n : 0;
    for (size_t k = 0; k < c->n; k++)
        if (c->item[k].n == n && n > 0) {
            c->item[n_columns] = c->item[k];
            c->item[n_columns].column = gs_record_sink_column(c->out, c->item[k].name);
            n_columns++;
        } else {
            c->out->n_unequal += n > 0;
        }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n_columns; k++) {
            struct gs_str value;
            memcpy(&value, c->item[k].values.ptr + i * sizeof value, sizeof value);
            gs_record_sink_put(c->out, c->item[k].column, value);
        }
        for (size_t k = 0; k < c->around.len; k += sizeof(struct beside)) {
            struct beside one;
            memcpy(&one, c->around.ptr + k, sizeof one);
            gs_record_sink_put(c->out, one.column, one.value);
        }
        c->out->raw = text;
        GS_TRY(gs_record_sink_end(c->out, err));
    }
    return GS_OK;
}

static enum gs_status read_columns(struct gs_json_record *j, struct gs_str text, uint64_t line,
                                   struct gs_err *err)
{
    struct columns c = {.out = j->out};
    c.around.arena = &c.own;
    bool ok;
    j->out->line = line;
    (void)gs_json_walk(text, GS_JSON_ITEM_BY_ITEM, &j->room, put_item, &c, &ok);
    enum gs_status s = gs_had_memory(!c.own.failed && !j->room.path.failed, err);
    if (s == GS_OK && j->out->full)
        s = gs_record_sink_full(j->out, err);
    if (s == GS_OK && !ok)
        s = gs_fail_at(err, j->out->name, line, "not JSON");
    GS_THEN(s, put_columns(&c, text, err));
    gs_arena_release(&c.own);
    return s;
}

enum gs_status gs_json_read_lists(struct gs_json_lists *lists, struct gs_str text, uint64_t line,
                                  bool *any, struct gs_err *err)
{
    *any = false;
    if (memchr(text.ptr, '[', text.len) == NULL)
        return GS_OK;
    struct finder f = {.text = text};
    char key[KEYS_MAX][KEY_BYTES_MAX];
    const char *path[KEYS_MAX + 1] = {NULL};
    if (!find_list(&f)) {
        *any = f.columns;
        return f.columns ? read_columns(&lists->item, text, line, err) : GS_OK;
    }
    for (unsigned k = 1; k <= f.depth; k++) {
        if (f.key[k].len >= KEY_BYTES_MAX || memchr(f.key[k].ptr, '\\', f.key[k].len) != NULL)
            return GS_OK;
        memcpy(key[k - 1], f.key[k].ptr, f.key[k].len);
        key[k - 1][f.key[k].len] = '\0';
        path[k - 1] = key[k - 1];
    }
    struct lister l = {lists, text, line, 0, f.listed == LISTED_GPUS};
    if (!l.gpus) /* when the run began, say */
        l.whole = GS_NO_STR;
    struct gs_json_cut *const items = &lists->items;
    const struct gs_buf room = {
        .arena = items->item.arena, .ptr = items->item.ptr, .capacity = items->item.capacity};
    memset(items, 0, offsetof(struct gs_json_cut, key)); /* its keys are large, and overwritten */
    items->name = lists->item.out->name;
    items->path = path;
    items->take = parse_gpu;
    items->context = &l;
    items->item = room;
    enum gs_status s = gs_json_cut_feed(items, text, err);
    GS_THEN(s, gs_json_cut_finish(items, err));
    *any = l.n > 0;
    return s;
}
