/* json_text.c - a walk over JSON in memory, and the cutting of a stream into items. */
#include "input/bytes/json_text.h"

#include <string.h>

enum { ITEM_BYTES_MAX = 256 << 20 };

struct walk {
    const char *p, *end;
    struct gs_json_room *room;
    gs_json_leaf_fn *leaf;
    void *context;
    bool arrays, stopped;
};

static void skip_blanks(struct walk *w)
{
    while (w->p < w->end && (*w->p == ' ' || *w->p == '\t' || *w->p == '\n' || *w->p == '\r'))
        w->p++;
}

static bool hex4(const char *p, unsigned *u)
{
    unsigned v = 0;
    for (int i = 0; i < 4; i++) {
        const char c = p[i];
        const int d = gs_is_digit(c)         ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
        if (d < 0)
            return false;
        v = v << 4 | (unsigned)d;
    }
    *u = v;
    return true;
}

static void put_code_point(struct gs_buf *b, unsigned c)
{
    if (c < 0x80) {
        gs_buf_char(b, (char)c);
        return;
    }
    if (c >= 0x10000) {
        gs_buf_char(b, (char)(0xf0 | c >> 18));
        gs_buf_char(b, (char)(0x80 | (c >> 12 & 0x3f)));
    } else if (c >= 0x800) {
        gs_buf_char(b, (char)(0xe0 | c >> 12));
    }
    gs_buf_char(b, c < 0x800 ? (char)(0xc0 | c >> 6) : (char)(0x80 | (c >> 6 & 0x3f)));
    gs_buf_char(b, (char)(0x80 | (c & 0x3f)));
}

/* \uXXXX, perhaps a pair of them. */
static bool unicode_escape(struct walk *w, struct gs_buf *out)
{
    unsigned u, low;
    if (w->end - w->p < 4 || !hex4(w->p, &u))
        return false;
    w->p += 4;
    if (u >= 0xd800 && u < 0xdc00 && w->end - w->p >= 6 && w->p[0] == '\\' && w->p[1] == 'u' &&
        hex4(w->p + 2, &low) && low >= 0xdc00 && low < 0xe000) {
        u = 0x10000 + ((u - 0xd800) << 10) + (low - 0xdc00);
        w->p += 6;
    }
    put_code_point(out, u >= 0xd800 && u < 0xe000 ? 0xfffd : u);
    return true;
}

/* Appends the text behind an opening quote, unescaped. */
static bool parse_text(struct walk *w, struct gs_buf *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    for (;;) {
        const char *const start = w->p;
        while (w->p < w->end && *w->p != '"' && *w->p != '\\' && (unsigned char)*w->p >= 0x20)
            w->p++;
        gs_buf_bytes(out, start, (size_t)(w->p - start));
        if (w->p == w->end || (unsigned char)*w->p < 0x20)
            return false;
        if (*w->p++ == '"')
            return true;
        if (w->p == w->end)
            return false;
        const char c = *w->p++;
        const char *const known = c == '\0' ? NULL : strchr(from, c);
        if (known != NULL)
            gs_buf_char(out, to[known - from]);
        else if (c != 'u' || !unicode_escape(w, out))
            return false;
    }
}

static bool digits(struct walk *w)
{
    const char *const start = w->p;
    while (w->p < w->end && gs_is_digit(*w->p))
        w->p++;
    return w->p > start;
}

static bool parse_number(struct walk *w)
{
    if (w->p < w->end && *w->p == '-')
        w->p++;
    const bool zero = w->p < w->end && *w->p == '0';
    if (zero)
        w->p++;
    else if (!digits(w))
        return false;
    if (w->p < w->end && *w->p == '.') {
        w->p++;
        if (!digits(w))
            return false;
    }
    if (w->p < w->end && (*w->p == 'e' || *w->p == 'E')) {
        w->p++;
        if (w->p < w->end && (*w->p == '+' || *w->p == '-'))
            w->p++;
        return digits(w);
    }
    return true;
}

static bool parse_word(struct walk *w, const char *word)
{
    const size_t n = strlen(word);
    if ((size_t)(w->end - w->p) < n || memcmp(w->p, word, n) != 0)
        return false;
    w->p += n;
    return true;
}

static bool give(struct walk *w, const char *start, struct gs_str value, bool quiet)
{
    w->room->leaf = (struct gs_str){start, (size_t)(w->p - start)};
    if (!quiet && !w->stopped)
        w->stopped = !w->leaf(w->context, gs_buf_str(&w->room->path), value);
    return true;
}

static bool parse_scalar(struct walk *w, bool quiet)
{
    const char *const start = w->p;
    if (*w->p == '"') {
        const size_t mark = w->room->text.len;
        w->p++;
        if (!parse_text(w, &w->room->text))
            return false;
        const struct gs_str all = gs_buf_str(&w->room->text);
        return give(w, start, (struct gs_str){all.ptr + mark, all.len - mark}, quiet);
    }
    if (*w->p == 'n')
        return parse_word(w, "null") && give(w, start, (struct gs_str){NULL, 0}, quiet);
    /* Python's json writes these, and so do its users. */
    const bool ok = *w->p == 't'   ? parse_word(w, "true")
                    : *w->p == 'f' ? parse_word(w, "false")
                    : *w->p == 'N' ? parse_word(w, "NaN")
                    : *w->p == 'I' ? parse_word(w, "Infinity")
                                   : parse_word(w, "-Infinity") || parse_number(w);
    return ok && give(w, start, (struct gs_str){start, (size_t)(w->p - start)}, quiet);
}

static bool parse_value(struct walk *w, unsigned depth, bool quiet);

static bool parse_members(struct walk *w, unsigned depth, bool quiet, bool array)
{
    const char close = array ? ']' : '}';
    const size_t path = w->room->path.len;
    unsigned long long index = 0;
    w->p++;
    skip_blanks(w);
    if (w->p < w->end && *w->p == close) {
        w->p++;
        return true;
    }
    for (;;) {
        w->room->path.len = path;
        if (path > 0)
            gs_buf_char(&w->room->path, '.');
        if (array) {
            if (!quiet)
                gs_buf_format(&w->room->path, "%llu", index++);
        } else {
            skip_blanks(w);
            if (w->p == w->end || *w->p++ != '"' || !parse_text(w, &w->room->path))
                return false;
            skip_blanks(w);
            if (w->p == w->end || *w->p++ != ':')
                return false;
        }
        if (!parse_value(w, depth + 1, quiet))
            return false;
        w->room->path.len = path;
        skip_blanks(w);
        if (w->p == w->end)
            return false;
        if (*w->p == close) {
            w->p++;
            return true;
        }
        if (*w->p++ != ',')
            return false;
    }
}

static bool parse_value(struct walk *w, unsigned depth, bool quiet)
{
    skip_blanks(w);
    if (w->p == w->end || depth > GS_JSON_DEPTH_MAX)
        return false;
    if (*w->p == '{')
        return parse_members(w, depth, quiet, false);
    if (*w->p == '[')
        return parse_members(w, depth, quiet || !w->arrays, true);
    return parse_scalar(w, quiet);
}

size_t gs_json_walk(struct gs_str text, bool arrays, struct gs_json_room *room,
                    gs_json_leaf_fn *leaf, void *context, bool *ok)
{
    struct walk w = {text.ptr, text.ptr + text.len, room, leaf, context, arrays, false};
    room->path.len = 0;
    room->text.len = 0;
    *ok = parse_value(&w, 0, false);
    if (*ok) {
        skip_blanks(&w);
        *ok = w.p == w.end;
    }
    return (size_t)(w.p - text.ptr);
}

/* Does the object at this depth lie on the way to the array? */
static bool on_path(const struct gs_json_items *j)
{
    return j->item_depth == 0 && !j->found && j->depth == j->matched + 1 && j->matched < j->n_path;
}

/* A bracket opens outside of an item. */
static void open_outside(struct gs_json_items *j, char c)
{
    const bool array = c == '[';
    /* An array that is the whole, or that the last key of the path names. */
    if (array && !j->found &&
        ((j->depth == 0) || (j->depth == j->n_path && j->matched == j->n_path && j->key_fits))) {
        j->item_depth = j->depth + 1;
        j->found = true;
    }
    j->depth++;
    j->is_array = array ? j->is_array | UINT64_C(1) << (j->depth & 63)
                        : j->is_array & ~(UINT64_C(1) << (j->depth & 63));
    j->key_next = !array && on_path(j);
}

static enum gs_status end_item(struct gs_json_items *j, gs_json_item_fn *take, void *context,
                               struct gs_err *err)
{
    j->gathering = false;
    if (j->item.failed)
        return gs_fail_memory(err);
    const enum gs_status s = take(context, gs_buf_str(&j->item), j->item_line, err);
    j->item.len = 0;
    return s;
}

/* A key on the way to the array ended: does it fit? */
static void end_key(struct gs_json_items *j)
{
    j->in_key = false;
    j->key_fits = gs_str_eq(gs_buf_str(&j->key), gs_str(j->path[j->matched]));
    if (j->key_fits)
        j->matched++;
    j->key_next = false;
}

static void step_in_text(struct gs_json_items *j, char c)
{
    if (j->gathering)
        gs_buf_char(&j->item, c);
    if (j->escaped) {
        j->escaped = false;
    } else if (c == '\\') {
        j->escaped = true;
        return;
    } else if (c == '"') {
        j->in_text = false;
        if (j->in_key)
            end_key(j);
        return;
    }
    if (j->in_key && j->key.len < 256)
        gs_buf_char(&j->key, c);
}

/* One byte outside of quotes and outside of an item. */
static void step_outside(struct gs_json_items *j, char c)
{
    if (c == '"') {
        j->in_text = true;
        j->in_key = j->key_next;
        j->key.len = 0;
    } else if (c == '{' || c == '[') {
        open_outside(j, c);
    } else if (c == '}' || c == ']') {
        j->depth -= j->depth > 0;
        if (j->item_depth > j->depth)
            j->item_depth = 0;
        if (j->matched > j->depth)
            j->matched = j->depth;
        if (j->depth == 0) /* another document may follow */
            j->found = j->key_fits = false;
    } else if (c == ',') {
        /* The value of a key that fitted is behind us: it was no object, no array. */
        if (!j->found && j->matched >= j->depth && j->depth > 0)
            j->matched = j->depth - 1;
        j->key_fits = false;
        j->key_next = on_path(j);
    }
}

static enum gs_status step(struct gs_json_items *j, char c, gs_json_item_fn *take, void *context,
                           struct gs_err *err)
{
    const bool whole_values = j->n_path == 0 && j->item_depth == 0;
    const unsigned at = whole_values ? 0 : j->item_depth;
    if (j->in_text) {
        step_in_text(j, c);
        return GS_OK;
    }
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!j->gathering) {
        const bool here = whole_values ? j->depth == 0 && !j->found && c != '['
                                       : j->item_depth > 0 && j->depth == at;
        if (blank || !here || c == ',' || c == ']') {
            step_outside(j, c);
            return GS_OK;
        }
        j->gathering = true;
        j->item_line = j->line;
    } else if (j->depth == at &&
               (blank || c == ',' || c == ']')) { /* the end of a bare number or word */
        const enum gs_status s = end_item(j, take, context, err);
        if (s == GS_OK)
            step_outside(j, c);
        return s;
    }
    gs_buf_char(&j->item, c);
    if (c == '"')
        j->in_text = true;
    else if (c == '{' || c == '[')
        j->depth++;
    else if ((c == '}' || c == ']') && j->depth > at && --j->depth == at)
        return end_item(j, take, context, err);
    return GS_OK;
}

enum gs_status gs_json_items_feed(struct gs_json_items *j, struct gs_str piece, const char *name,
                                  gs_json_item_fn *take, void *context, struct gs_err *err)
{
    if (j->line == 0)
        j->line = 1;
    for (size_t i = 0; i < piece.len; i++) {
        /* Long runs of text inside an item are copied at once: most of a trace is that. */
        size_t n = 0;
        while (j->gathering && i + n < piece.len && (unsigned char)piece.ptr[i + n] >= '-' &&
               piece.ptr[i + n] != '[' && piece.ptr[i + n] != '\\' && piece.ptr[i + n] != ']' &&
               piece.ptr[i + n] < '{' && !j->escaped)
            n++;
        if (n > 0) {
            gs_buf_bytes(&j->item, piece.ptr + i, n);
            i += n - 1;
            continue;
        }
        const enum gs_status s = step(j, piece.ptr[i], take, context, err);
        if (s != GS_OK)
            return s;
        j->line += piece.ptr[i] == '\n';
        if (j->item.len > ITEM_BYTES_MAX)
            return gs_fail(err, GS_ERR_DATA, "%s:%llu: one value of more than 256 MiB", name,
                           (unsigned long long)j->item_line);
    }
    return j->item.failed || j->key.failed ? gs_fail_memory(err) : GS_OK;
}

enum gs_status gs_json_items_finish(struct gs_json_items *j, gs_json_item_fn *take, void *context,
                                    struct gs_err *err)
{
    return j->gathering && !j->in_text &&
                   j->depth == (j->n_path == 0 && j->item_depth == 0 ? 0 : j->item_depth)
               ? end_item(j, take, context, err)
               : GS_OK;
}
