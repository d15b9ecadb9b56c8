/* format_chrome.c - Chrome trace events (PyTorch's profiler and others), streamed. */
#include "input/formats/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num/order.h"
#include "input/times/clock.h"

/* A B that waits for its E. */
struct open_event {
    struct open_event *below;
    struct gs_str name, cat;
    int64_t ts_ns;
};

struct chrome {
    struct gs_json_record j;
    struct gs_text_in *in;
    struct gs_intern thread; /* "pid/tid" or "id/cat/name" */
    struct open_event **top; /* [thread.n] */
    uint32_t n_top;
    struct open_event *spare;
    uint32_t ph, ts, dur, name, cat, pid, tid, id;
    char dur_text[32], ts_text[32];
    struct gs_buf key;
};

static struct gs_str value_of(const struct gs_record_sink *r, uint32_t column)
{
    return gs_str_or(r->value[column], gs_str(""));
}

/*
 * What pairs a begin with its end: the thread, or for asynchronous ones id, category and name.
 * Synchronous events nest per thread, asynchronous ones pair by id across threads. A line feed
 * parts the fields.
 */
static uint32_t key_of(struct chrome *c, bool async)
{
    const uint32_t columns[2][3] = {{c->pid, c->tid, c->tid}, {c->id, c->cat, c->name}};
    c->key.len = 0;
    gs_buf_char(&c->key, async ? 'a' : 't');
    for (int i = 0; i < 3; i++) {
        const struct gs_str v = value_of(c->j.out, columns[async][i]);
        gs_buf_char(&c->key, '\n');
        gs_buf_add(&c->key, v);
    }
    return gs_intern_add_buf(&c->thread, &c->key);
}

static void write_us(char out[32], int64_t ns)
{
    (void)snprintf(out, 32, "%s%lld.%03lld", ns < 0 ? "-" : "", llabs(ns / 1000), llabs(ns % 1000));
}

/*
 * A begin is kept, an end makes a record of both; both count as one event. Begins of one thread
 * form a stack, as the format defines. Entries are reused, so memory follows the depth of the
 * nesting and not the length of the trace.
 */
static enum gs_status begin_or_end(struct chrome *c, char ph, struct gs_err *err)
{
    struct gs_record_sink *const out = c->j.out;
    const bool async = ph == 'b' || ph == 'e', begins = ph == 'b' || ph == 'B';
    const uint32_t key = key_of(c, async);
    int64_t ts_ns;
    GS_TRY(gs_had_memory(key != GS_INTERN_NONE, err));
    if (key >= c->n_top) {
        const uint32_t n = gs_max(c->n_top * 2, 64);
        struct open_event **const grown =
            gs_arena_grow(c->in->arena, c->top, c->n_top, n, sizeof *grown);
        GS_TRY(gs_had_memory(grown != NULL, err));
        memset(grown + c->n_top, 0, (n - c->n_top) * sizeof *grown);
        c->top = grown;
        c->n_top = n;
    }
    if (!gs_duration_read(value_of(out, c->ts), gs_unit_find(gs_str("us")), &ts_ns) || ts_ns < 0) {
        gs_record_sink_forget(out);
        out->n_torn++;
        return GS_OK;
    }
    if (begins) {
        struct open_event *e = c->spare;
        if (e != NULL)
            c->spare = e->below;
        else
            e = gs_arena_take(c->in->arena, 1, sizeof *e);
        GS_TRY(gs_had_memory(e != NULL, err));
        if (!gs_str_copy(c->in->arena, out->value[c->name], &e->name) ||
            !gs_str_copy(c->in->arena, out->value[c->cat], &e->cat))
            return gs_fail_memory(err);
        e->ts_ns = ts_ns;
        e->below = c->top[key];
        c->top[key] = e;
        gs_record_sink_forget(out);
        return GS_OK;
    }
    struct open_event *const e = c->top[key];
    gs_record_sink_forget(out);
    if (e == NULL) { /* an end without a beginning */
        out->n_torn++;
        return GS_OK;
    }
    c->top[key] = e->below;
    e->below = c->spare;
    c->spare = e;
    write_us(c->ts_text, e->ts_ns);
    write_us(c->dur_text, ts_ns - e->ts_ns);
    gs_record_sink_put(out, c->ph, gs_str("X"));
    gs_record_sink_put(out, c->name, e->name);
    gs_record_sink_put(out, c->cat, e->cat);
    gs_record_sink_put(out, c->ts, gs_str(c->ts_text));
    gs_record_sink_put(out, c->dur, gs_str(c->dur_text));
    return gs_record_sink_end(out, err);
}

static enum gs_status parse_event(void *context, const struct gs_json_item *item,
                                  struct gs_err *err)
{
    struct chrome *const c = context;
    GS_TRY(gs_json_put(&c->j, item->text, item->line, err));
    const struct gs_str ph = value_of(c->j.out, c->ph);
    if (ph.len == 1 && strchr("BEbe", ph.ptr[0]) != NULL)
        return begin_or_end(c, ph.ptr[0], err);
    c->j.out->raw = item->text;
    return gs_record_sink_end(c->j.out, err);
}

/* The clock's base may stand behind the events: the file is looked through for it first. */
static enum gs_status find_base(const char *path, struct gs_arena *arena, int64_t *base_ns,
                                struct gs_err *err)
{
    static const char key[] = "\"baseTimeNanoseconds\"";
    GS_CLOSES_TEXT struct gs_text_in in = {0};
    struct gs_buf tail = {.arena = arena};
    struct gs_str piece;
    GS_TRY(gs_text_open(&in, path, 0, arena, err));
    enum gs_status s;
    while ((s = gs_text_piece(&in, &piece, err)) == GS_OK && piece.len > 0) {
        /* The last bytes of the piece before, so that a key cut in two is found. */
        const size_t head = gs_min(piece.len, 64);
        gs_buf_bytes(&tail, piece.ptr, head);
        const struct gs_str parts[] = {gs_buf_str(&tail), piece};
        for (int i = 0; i < 2; i++) {
            const struct gs_str part = parts[i];
            const size_t behind = gs_str_find(part, key) + sizeof key - 1,
                         at = gs_str_skip(part, gs_min(behind, part.len), ": \t\r\n"),
                         end = gs_str_skip(part, at, GS_ALL_DIGITS);
            uint64_t v;
            if (end < part.len &&
                gs_count_parse(gs_str_part(part, at, end), INT64_MAX, &v) == GS_NUMBER_OK)
                *base_ns = (int64_t)v;
        }
        const size_t keep = gs_min(piece.len, 64);
        tail.len = 0;
        gs_buf_bytes(&tail, piece.ptr + piece.len - keep, keep);
    }
    GS_TRY(s);
    return gs_had_memory(!tail.failed, err);
}

/*
 * An object needs "traceEvents", since other tools also write "ph" and "ts"; a bare list has no
 * such key.
 */
static bool is_chrome(struct gs_str head)
{
    if (gs_first_byte(head) == '{')
        return gs_str_holds(head, "\"traceEvents\"");
    return gs_str_holds(head, "\"ph\"") && gs_str_holds(head, "\"ts\"");
}

static enum gs_status read_chrome(struct gs_text_in *in, struct gs_record_sink *out,
                                  struct gs_err *err)
{
    static const char *const path[] = {"traceEvents", NULL};
    struct chrome c = {.in = in,
                       .thread = {.arena = in->arena, .seed = out->column.seed},
                       .key = {.arena = in->arena}};
    c.j = gs_json_record_of(in, out);
    struct gs_json_cut items = {.path = path,
                                .take = parse_event,
                                .torn = gs_json_reject_torn,
                                .torn_context = out,
                                .context = &c};
    const struct {
        const char *name;
        uint32_t *id;
    } columns[] = {{"ph", &c.ph},   {"ts", &c.ts},   {"dur", &c.dur}, {"name", &c.name},
                   {"cat", &c.cat}, {"pid", &c.pid}, {"tid", &c.tid}, {"id", &c.id}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        *columns[i].id = gs_record_sink_column(out, gs_str(columns[i].name));
    if (out->full) /* their values are looked at below */
        return gs_record_sink_full(out, err);
    if (in->path != NULL && in->limit == 0)
        GS_TRY(find_base(in->path, in->arena, &out->base_ns, err));
    GS_TRY(gs_json_cut_read(&items, in, err));
    for (uint32_t k = 0; !in->cut && k < c.thread.n; k++)
        /* begun and never ended */
        for (const struct open_event *e = c.top[k]; e != NULL; e = e->below)
            out->n_torn++;
    /* A list within an object is closed, unless the file is cut off; one that is the whole need not be. */
    out->n_torn += !in->cut && (items.gathering || items.depth > 1);
    return GS_OK;
}

const struct gs_form gs_form_chrome = {.name = "chrome",
                                       .container = GS_CONTAINER_JSON,
                                       .is_trace = true,
                                       .device = "args.device",
                                       .matches = is_chrome,
                                       .read = read_chrome};
