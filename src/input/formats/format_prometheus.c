/* format_prometheus.c - Prometheus: the text that exporters serve, and the JSON of query_range. */
#include "input/formats/formats.h"
#include "input/scanner/byte_words.h"

#include <string.h>

static size_t name_end(struct gs_str line, size_t at)
{
    while (at < line.len &&
           (gs_is_alnum(line.ptr[at]) || line.ptr[at] == '_' || line.ptr[at] == ':'))
        at++;
    return at;
}

static bool is_sample_line(struct gs_str line)
{
    const size_t n = name_end(line, 0);
    const size_t close = gs_str_find(line, "} ");
    return n > 0 && n < line.len && !gs_is_digit(line.ptr[0]) && line.ptr[n] == '{' &&
           gs_str_find(line, "=\"") < line.len && close < line.len;
}

/*
 * {name="value",...}: returns the place behind it, or 0. `text` was reserved for the whole line,
 * so earlier labels do not move while later ones are added.
 */
static size_t labels(struct gs_record_sink *out, struct gs_str line, size_t at, struct gs_buf *text)
{
    at++;
    while (at < line.len && line.ptr[at] != '}') {
        const size_t from = gs_str_skip(line, at, " ,");
        at = name_end(line, from);
        const struct gs_str name = {line.ptr + from, at - from};
        if (name.len == 0 || line.len - at < 3 || line.ptr[at] != '=' || line.ptr[at + 1] != '"')
            return 0;
        at += 2;
        const size_t mark = text->len;
        for (; at < line.len && line.ptr[at] != '"'; at++) {
            if (line.ptr[at] == '\\' && at + 1 < line.len)
                at++, gs_buf_char(text, line.ptr[at] == 'n' ? '\n' : line.ptr[at]);
            else
                gs_buf_char(text, line.ptr[at]);
        }
        if (at == line.len)
            return 0;
        at++;
        gs_record_sink_set(out, name, gs_str_after(gs_buf_str(text), mark));
    }
    if (at == line.len)
        return 0;
    return at + 1;
}

/*
 * name{label="value",...} number milliseconds: a record; OpenMetrics has seconds there. What somebody fetched again and again has
 * the time on a line of its own.
 */
static enum gs_status parse_sample(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct gs_record_sink *const out = l->out;
    struct gs_buf *const text = l->own;
    size_t at = name_end(line, 0);
    struct gs_str instant = GS_NO_STR;
    if (line.len > 0 && (gs_is_digit(line.ptr[0]) || gs_str_find_byte(line, ':') < line.len))
        instant = gs_instant_of_line(line);
    if (instant.ptr != NULL) {
        gs_lines_set_time(l, instant);
        return GS_OK;
    }
    if (line.len == 0 || line.ptr[0] == '#' || gs_str_eq(line, gs_str("...")))
        return GS_OK;
    text->arena = l->in->arena;
    text->len = 0;
    bool ok = at > 0;
    out->full |= !gs_buf_reserve(text, line.len + 1);
    if (ok)
        gs_record_sink_set(out, gs_str("__name__"), (struct gs_str){line.ptr, at});
    if (ok && at < line.len && line.ptr[at] == '{')
        ok = (at = labels(out, line, at, text)) > 0;
    struct gs_str value = GS_NO_STR, time = GS_NO_STR;
    if (ok) {
        value = gs_next_word(line, &at);
        time = gs_next_word(line, &at);
    }
    if (value.ptr == NULL && !l->in->line_ended) {
        out->n_torn++;
        return GS_OK;
    }
    if (value.ptr == NULL)
        return gs_fail_at(err, l->in->name, l->in->line_number,
                          "not a sample of Prometheus, expected name{label=\"value\"} number");
    gs_record_sink_set(out, gs_str("value"), value);
    if (time.ptr != NULL)
        gs_record_sink_set(out, gs_str(gs_str_until(time, 0, ".") <= 10 ? "time" : "time_ms"),
                           time);
    else
        gs_lines_put_time(l, "time");
    return gs_lines_end(l, line, err);
}

/* query_range: {"data":{"result":[{"metric":{...},"values":[[1700000000,"2.5"],...]}]}}; instants have "value". */
struct range {
    struct gs_record_sink *out;
    struct gs_json_record labels; /* read as usual; its room is that of walks, too */
    struct gs_text_in *in;
    struct gs_str item;  /* the series */
    struct gs_str time;  /* the instant of a value ... */
    const char *time_at; /* ... and where it stands in the series */
    uint32_t own[2];     /* the columns of instants and of values, which no label is put into */
    enum gs_status status;
    struct gs_err *err;
    bool second, first; /* the walk that takes the values; no pair with the labels was handed out */
    uint64_t n_given, n_skip; /* pairs of the series handed out; before the walk began    */
};

/* [1700000000,"2.5"], from its instant to its value, with the brackets around. */
static struct gs_str pair_of(const struct range *r)
{
    static const char blanks[] = " \t\r\n";
    const char *from = r->time_at, *to = r->labels.room.leaf.ptr + r->labels.room.leaf.len;
    while (from > r->item.ptr && memchr(blanks, from[-1], sizeof blanks - 1) != NULL)
        from--;
    while (to < r->item.ptr + r->item.len && memchr(blanks, *to, sizeof blanks - 1) != NULL)
        to++;
    from -= from > r->item.ptr && from[-1] == '[';
    to += to < r->item.ptr + r->item.len && *to == ']';
    return (struct gs_str){from, (size_t)(to - from)};
}

/* Labels in the first walk, pairs of time and value in the second: either may stand before the other. */
static bool range_leaf(void *context, struct gs_str path, struct gs_str value)
{
    struct range *const r = context;
    if (gs_str_begins(path, "metric.")) {
        if (!r->second && value.ptr != NULL)
            gs_record_sink_set_copy(r->out, gs_str_after(path, 7), value);
        return !r->out->full;
    }
    if (!r->second || !gs_str_begins(path, "value"))
        return true;
    if (gs_str_begins((struct gs_str){path.ptr + path.len - 2, 2}, ".0")) {
        r->time = value;
        r->time_at = r->labels.room.leaf.ptr;
        return true;
    }
    if (r->n_skip > 0) {
        r->n_skip--;
        return true;
    }
    const struct gs_str text[2] = {r->time, value};
    if (r->time_at != NULL && r->time_at < r->labels.room.leaf.ptr)
        r->out->raw = pair_of(r);
    r->status = gs_record_sink_next(r->out, r->own, text, r->first, r->err);
    r->first = false;
    r->n_given++;
    return r->status == GS_OK;
}

static inline const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
        p++;
    return p;
}

/* The digits of a number, perhaps with a fraction; NULL: JSON has them otherwise. */
static const char *parse_digits(const char *p, const char *end)
{
    const char *point = NULL;
    if (p == end || *p < '1' || *p > '9')
        return NULL;
    if (end - p >= 8 && !not_digits(gs_load64(p) ^ UINT64_C(0x3030303030303030)))
        p += 8;
    for (; p < end && (gs_is_digit(*p) || (*p == '.' && point == NULL)); p++)
        if (*p == '.')
            point = p;
    if (p - 1 == point)
        return NULL;
    return p;
}

/* Behind a byte at p and the blanks around it; NULL: it does not stand there. */
static const char *skip_byte(const char *p, const char *end, char byte)
{
    p = skip_blanks(p, end);
    return p < end && *p == byte ? skip_blanks(p + 1, end) : NULL;
}

/* [1700000000.5,"2.5"] at p, as Prometheus writes it; NULL: written otherwise. */
static const char *parse_pair(const char *p, const char *end, struct gs_str text[2])
{
    const char *from = skip_byte(p, end, '[');
    if (from == NULL || (p = parse_digits(from, end)) == NULL)
        return NULL;
    text[0] = (struct gs_str){from, (size_t)(p - from)};
    from = skip_byte(p, end, ',');
    if (from == NULL || from == end || *from != '"')
        return NULL;
    p = gs_json_plain_end(++from, end);
    text[1] = (struct gs_str){from, (size_t)(p - from)};
    p = p < end && *p == '"' ? skip_blanks(p + 1, end) : end;
    return p < end && *p == ']' ? p + 1 : NULL;
}

/* Behind all of `word` at p and the blanks around it; NULL: it does not stand there. */
static const char *skip_word(const char *p, const char *end, const char *word)
{
    const size_t n = strlen(word);
    if (p == NULL)
        return NULL;
    p = skip_blanks(p, end);
    if ((size_t)(end - p) < n || memcmp(p, word, n) != 0)
        return NULL;
    return skip_blanks(p + n, end);
}

/* {"metric":{...},"values":[ with the labels put into the record; returns the first pair, NULL: written otherwise. */
static const char *parse_labels(struct range *r, struct gs_str item, const char *name)
{
    const char *const end = item.ptr + item.len;
    const size_t at = gs_str_find(item, name);
    const char *const stop = item.ptr + at;
    const char *const from =
        skip_word(skip_word(skip_word(item.ptr, stop, "{"), stop, "\"metric\""), stop, ":");
    const char *const to = item.ptr + gs_str_skip_back(item, at, " \t\r\n");
    if (at == item.len || from == NULL || to - 1 <= from || *from != '{' || to[-1] != ',' ||
        gs_json_put(&r->labels, (struct gs_str){from, (size_t)(to - 1 - from)}, r->out->line,
                    NULL) != GS_OK)
        return NULL;
    return skip_word(skip_word(stop, end, name), end, ":");
}

/* Are there as many records of the series as are wanted? */
static bool has_enough(const struct range *r)
{
    return r->out->of_series > 0 && r->n_given >= r->out->of_series;
}

/* Hands out the pairs of a series from p on, as long as they are written as usual; returns what follows. */
static const char *parse_pairs(struct range *r, const char *p, const char *end)
{
    struct gs_str text[2];
    const char *from = skip_blanks(p, end), *behind;
    while ((behind = parse_pair(from, end, text)) != NULL) {
        r->out->raw = (struct gs_str){from, (size_t)(behind - from)};
        r->status = gs_record_sink_next(r->out, r->own, text, r->first, r->err);
        r->first = false;
        r->n_given++;
        p = skip_blanks(behind, end);
        if (r->status != GS_OK || p == end || *p != ',' || has_enough(r))
            break;
        from = skip_blanks(p + 1, end);
    }
    return p;
}

/*
 * A series as Prometheus writes it: the labels, then pairs of time and value, of which most of a file consists. The names
 * cannot stand in a text, where their quotes would be escaped. False: from r->n_given pairs on it is written otherwise.
 */
static bool parse_usual(struct range *r, struct gs_str item)
{
    const char *const end = item.ptr + item.len;
    const bool many = gs_str_find(item, "\"values\"") < item.len;
    const char *p = parse_labels(r, item, many ? "\"values\"" : "\"value\"");
    if (many)
        p = skip_word(p, end, "[");
    if (p == NULL || r->out->full)
        return false;
    p = parse_pairs(r, p, end);
    if (has_enough(r))
        return true;
    return skip_word(many ? skip_word(p, end, "]") : p, end, "}") == end &&
           (many || r->n_given == 1);
}

/* Two walks where it is written otherwise, because "values" may stand before "metric" in JSON. */
static enum gs_status parse_series(void *context, const struct gs_json_item *item,
                                   struct gs_err *err)
{
    struct range *const r = context;
    bool ok = true;
    r->out->line = item->line;
    r->err = err;
    r->n_given = 0;
    r->first = true;
    r->item = item->text;
    r->time_at = NULL;
    r->own[0] = gs_record_sink_column(r->out, gs_str("time"));
    r->own[1] = gs_record_sink_column(r->out, gs_str("value"));
    const bool usual = parse_usual(r, item->text);
    r->n_skip = r->n_given;
    r->first = true;
    for (int walk = 0; walk < 2 && !usual && ok && r->status == GS_OK && !r->out->full; walk++) {
        if (walk == 0)
            gs_record_sink_forget(r->out);
        r->second = walk > 0;
        const enum gs_json_arrays arrays = r->second ? GS_JSON_ITEM_BY_ITEM : GS_JSON_PASSED_OVER;
        (void)gs_json_walk(item->text, arrays, &r->labels.room, range_leaf, r, &ok);
    }
    if (r->status == GS_OK && r->out->full)
        return gs_record_sink_full(r->out, err);
    gs_record_sink_forget(r->out);
    if (r->status == GS_OK && !ok)
        return gs_fail_at(err, r->in->name, item->line, "not JSON");
    return r->status;
}

static bool is_range(struct gs_str head)
{
    return gs_str_find(head, "\"resultType\"") < head.len &&
           gs_str_find(head, "\"result\"") < head.len;
}

static bool is_prometheus(struct gs_str head)
{
    return is_range(head) ||
           (head.len > 0 && head.ptr[0] != '{' && gs_head_has_line(head, is_sample_line));
}

static enum gs_status read_prometheus(struct gs_text_in *in, struct gs_record_sink *out,
                                      struct gs_err *err)
{
    static const char *const path[] = {"data", "result", NULL};
    static const struct gs_line_reader text_lines = {sizeof(struct gs_buf), .line = parse_sample};
    struct range r = {.out = out, .labels = gs_json_record_of(in, out), .in = in};
    struct gs_json_cut items = {.path = path, .take = parse_series, .context = &r};
    struct gs_str piece;
    GS_TRY(gs_text_peek(in, &piece, err));
    if (gs_first_byte(piece) != '{')
        return gs_read_lines(&text_lines, in, out, err);
    GS_TRY(gs_json_cut_read(&items, in, err));
    /* An answer that was fetched in part lacks whole series, which nobody would miss. */
    if (items.depth > 0 && !in->cut)
        return gs_fail_at(err, in->name, items.line,
                          "the JSON ends here but is not closed: cut off, it lacks series");
    return GS_OK;
}

const struct gs_form gs_form_prometheus = {
    .name = "prometheus",
    .sign = {"=\"", "\"resultType\""},
    .series = "__name__",
    .by_metric = true,
    .time = {"time", "time_ms"},
    .time_absent =
        "its samples have no time: Prometheus gives it by query_range, an exporter does not",
    .matches = is_prometheus,
    .read = read_prometheus};
