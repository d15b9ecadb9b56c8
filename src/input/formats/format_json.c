/* format_json.c - JSON lines, MLPerf's lines, rocm-smi: objects as records with dotted columns. */
#include "input/formats/formats.h"
#include "input/schema/column_meaning.h"

#include <string.h>

static enum gs_status parse_object(void *context, const struct gs_json_item *item,
                                   struct gs_err *err)
{
    struct gs_json_lists *const l = context;
    bool any = false;
    enum gs_status s = gs_json_read_lists(l, item->text, item->line, &any, err);
    if (s != GS_OK || any)
        return s;
    GS_TRY(gs_json_put(&l->item, item->text, item->line, err));
    l->item.out->raw = item->text;
    return gs_record_sink_end(l->item.out, err);
}

static bool begins_object(struct gs_str head)
{
    return gs_first_byte(head) == '{';
}

/* Objects one after the other, or a list of them. */
static bool is_json_lines(struct gs_str head)
{
    head = gs_str_after(head, gs_str_skip(head, 0, " \t\r\n"));
    return begins_object(gs_str_after(head, gs_str_begins(head, "[")));
}

/* An object that is a whole line needs no cutting; of what is none the cutter says what is wrong with it. */
static enum gs_status parse_line(void *context, uint64_t number, struct gs_str line, bool *taken,
                                 struct gs_err *err)
{
    struct gs_json_lists *const l = context;
    if (memchr(line.ptr, '[', line.len) != NULL)
        return GS_OK;
    if (gs_json_put(&l->item, line, number, NULL) != GS_OK) {
        gs_record_sink_forget(l->item.out);
        return GS_OK;
    }
    *taken = true;
    l->item.out->raw = line;
    return gs_record_sink_end(l->item.out, err);
}

static enum gs_status read_json_lines(struct gs_text_in *in, struct gs_record_sink *out,
                                      struct gs_err *err)
{
    static const char *const whole[] = {NULL};
    struct gs_json_lists l = {
        gs_json_record_of(in, out), gs_json_record_of(in, out), {.item.arena = in->arena}};
    struct gs_json_cut items = {.path = whole,
                                .take = parse_object,
                                .line_alone = parse_line,
                                .torn = gs_json_reject_torn,
                                .torn_context = out,
                                .context = &l};
    const enum gs_status s = gs_json_cut_read(&items, in, err);
    out->n_torn += s == GS_OK && !in->cut && items.gathering;
    return s;
}

const struct gs_form gs_form_json = {.name = "json",
                                     .skips_lists = true,
                                     .is_of_lines = true,
                                     .container = GS_CONTAINER_JSON,
                                     .matches = is_json_lines,
                                     .read = read_json_lines};

/* MLPerf: ":::MLLOG {...}" somewhere within a line; all else is somebody's output. */
static bool is_mllog_line(struct gs_str line)
{
    return gs_str_find(line, ":::MLLOG {") < line.len;
}

/*
 * A line with the mark. Two processes may write into one line: then the last of its objects may
 * be whole. Each mark in the line is tried in turn: what a second process wrote into the first
 * one's line makes only the last object whole.
 */
static enum gs_status parse_mllog(struct gs_json_record *j, struct gs_text_in *in,
                                  struct gs_str line, struct gs_err *err)
{
    static const char mark[] = ":::MLLOG ";
    struct gs_record_sink *const out = j->out;
    struct gs_str rest = line;
    enum gs_status s = GS_OK;
    struct gs_err fault = {GS_OK, ""};
    for (size_t at; (at = gs_str_find(rest, ":::MLLOG {")) < rest.len;) {
        rest = gs_str_after(rest, at + sizeof mark - 1);
        s = gs_json_put(j, rest, in->line_number, &fault);
        if (s != GS_ERR_DATA)
            break;
        gs_record_sink_forget(out);
    }
    out->raw = line;
    if (s == GS_OK)
        return gs_record_sink_end(out, err);
    if (s == GS_ERR_DATA &&
        !in->line_ended) { /* cut off by a crash, or by the head that is looked at */
        out->n_torn += !in->cut;
        return GS_OK;
    }
    if (s == GS_ERR_DATA && out->reject != NULL)
        return out->reject(out->context, in->line_number, "not JSON", line, err);
    return gs_fail_again(err, &fault);
}

static enum gs_status mllog_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct gs_json_record *const j = l->own;
    if (j->out == NULL)
        *j = gs_json_record_of(l->in, l->out);
    if (is_mllog_line(line))
        return parse_mllog(j, l->in, line, err);
    l->out->n_other++;
    return GS_OK;
}

const struct gs_form gs_form_mllog = {.name = "mllog",
                                      .sign = {":::MLLOG {"},
                                      .lines = {sizeof(struct gs_json_record), .line = mllog_line}};

/* rocm-smi --json: an object of cards, each an object of texts. One record per card. */
enum { AROUND_MAX = 16 };

struct rocm {
    struct gs_json_record j;
    struct gs_buf card;
    struct gs_text_in *in;
    struct gs_arena kept;        /* texts of the item that stand beside the cards */
    struct gs_str item;          /* all cards of an instant */
    uint32_t around[AROUND_MAX]; /* columns of what stands beside the cards */
    struct gs_str around_value[AROUND_MAX];
    size_t n_around;
    bool open;
    enum gs_status status;
    struct gs_err *err;
};

/* The card that a path leads into; ptr == NULL: none. */
static struct gs_str card_of(struct gs_str path)
{
    const struct gs_str card = {path.ptr, gs_str_find(path, ".")};
    return card.len < path.len && gs_str_begins(card, "card") ? card : GS_NO_STR;
}

/* What somebody wrote beside the cards, before or behind them, holds for each of them: the time. */
static bool put_around(void *context, struct gs_str name, struct gs_str value)
{
    struct rocm *const r = context;
    if (gs_str_find(name, ".") < name.len)
        return true;
    const bool time = gs_column_meaning(name) == GS_MEANS_TIME;
    const uint32_t column = gs_record_sink_column(r->j.out, time ? gs_str("timestamp") : name);
    r->j.out->full |= !gs_str_copy(&r->kept, value, &value);
    if (r->n_around == AROUND_MAX || r->j.out->full)
        return !r->j.out->full;
    r->around[r->n_around] = column;
    r->around_value[r->n_around++] = value;
    return true;
}

static enum gs_status end_card(struct rocm *r)
{
    for (size_t i = 0; i < r->n_around; i++)
        gs_record_sink_put(r->j.out, r->around[i], r->around_value[i]);
    r->open = false;
    return gs_record_sink_end(r->j.out, r->err);
}

/*
 * A change of the card's key ends the record, so the cards of an instant need not be held
 * together.
 */
static bool put_card(void *context, struct gs_str path, struct gs_str value)
{
    struct rocm *const r = context;
    const struct gs_str card = card_of(path);
    if (card.ptr == NULL)
        return true;
    if (!gs_str_eq(card, gs_buf_str(&r->card)) && r->open) {
        r->j.out->raw = r->item;
        r->status = end_card(r);
    }
    if (r->status != GS_OK)
        return false;
    if (!r->open) {
        r->card.len = 0;
        gs_buf_bytes(&r->card, card.ptr, card.len);
        r->j.out->full |= r->card.failed;
        r->open = true;
        gs_record_sink_set_copy(r->j.out, gs_str("device"), card);
    }
    return gs_json_put_leaf(&r->j, gs_str_after(path, card.len + 1), value);
}

static enum gs_status parse_cards(void *context, const struct gs_json_item *item,
                                  struct gs_err *err)
{
    struct rocm *const r = context;
    bool ok;
    r->j.out->line = item->line;
    r->item = item->text;
    r->err = err;
    (void)gs_json_walk(item->text, GS_JSON_JOINED, &r->j.room, put_around, r, &ok);
    if (ok && !r->j.out->full)
        (void)gs_json_walk(item->text, GS_JSON_JOINED, &r->j.room, put_card, r, &ok);
    if (r->status != GS_OK)
        return r->status;
    if (r->j.out->full)
        return gs_record_sink_full(r->j.out, err);
    if (!ok)
        return gs_fail_at(err, r->in->name, item->line, "not JSON");
    r->j.out->raw = item->text;
    if (r->open)
        r->status = end_card(r);
    r->n_around = 0;
    gs_arena_rewind(&r->kept, (struct gs_arena_mark){0});
    return r->status;
}

/* "card0": { near the beginning: a label "card": "0" is another tool's. */
static bool is_rocm_json(struct gs_str head)
{
    size_t at = gs_str_find(head, "\"card");
    if (!begins_object(head) || at >= 256 || at == head.len)
        return false;
    const size_t number = at + strlen("\"card"), end = gs_str_skip(head, number, GS_ALL_DIGITS);
    if (end == number || end == head.len || head.ptr[end] != '"')
        return false;
    at = gs_str_skip(head, end + 1, " \t\r\n:");
    return at < head.len && head.ptr[at] == '{';
}

static bool is_rocm(struct gs_str head)
{
    return is_rocm_json(head) || (!begins_object(head) && gs_is_rocm_text(head));
}

static enum gs_status read_rocm(struct gs_text_in *in, struct gs_record_sink *out,
                                struct gs_err *err)
{
    static const char *const whole[] = {NULL};
    struct rocm r = {.j = gs_json_record_of(in, out), .card = {.arena = in->arena}, .in = in};
    struct gs_str head;
    enum gs_status s = gs_text_peek(in, &head, err);
    GS_TRY(s);
    if (!begins_object(head))
        return gs_read_lines(&gs_rocm_text_lines, in, out, err);
    struct gs_json_cut items = {.path = whole,
                                .take = parse_cards,
                                .torn = gs_json_reject_torn,
                                .torn_context = out,
                                .context = &r};
    s = gs_json_cut_read(&items, in, err);
    out->n_torn += s == GS_OK && !in->cut && items.gathering;
    gs_arena_release(&r.kept);
    return s;
}

const struct gs_form gs_form_rocm = {
    .name = "rocm-smi", .sign = {"[", "SCLK", "\"card"}, .matches = is_rocm, .read = read_rocm};
