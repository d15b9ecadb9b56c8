/* json_text.c - a recursive walk over JSON in memory. */
#include "input/bytes/json_text.h"

#include <string.h>

#include "base/num/decimal.h"

struct walk {
    const char *p, *end;
    struct gs_json_room *room;
    gs_json_leaf_fn *leaf;
    void *context;
    struct gs_str key; /* of a member of the outermost object, while nothing stands in room->path */
    enum gs_json_arrays arrays;
    bool stopped;
};

static void skip_blanks(struct walk *w)
{
    while (w->p < w->end && (*w->p == ' ' || *w->p == '\t' || *w->p == '\n' || *w->p == '\r'))
        w->p++;
}

/* The caller makes sure that 4 bytes are there. */
static bool hex4(const char *p, unsigned *u)
{
    unsigned v = 0;
    for (int i = 0; i < 4; i++) {
        const int digit = gs_hex_digit(gs_lower(p[i]));
        if (digit < 0)
            return false;
        v = v << 4 | (unsigned)digit;
    }
    *u = v;
    return true;
}

/*
 * \uXXXX, perhaps a pair of them. Half a surrogate pair has no UTF-8; it becomes U+FFFD, so that
 * every text stays valid.
 */
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
    gs_buf_code_point(out, u >= 0xd800 && u < 0xe000 ? 0xfffd : u);
    return true;
}

static struct gs_str plain_run(struct walk *w)
{
    const char *const start = w->p;
    w->p = gs_json_plain_end(w->p, w->end);
    return (struct gs_str){start, (size_t)(w->p - start)};
}

/*
 * Appends the text behind an opening quote, unescaped. Control characters are not allowed in
 * JSON's texts. Runs without an escape are copied at once.
 */
static bool parse_text(struct walk *w, struct gs_buf *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    for (;;) {
        const struct gs_str run = plain_run(w);
        gs_buf_bytes(out, run.ptr, run.len);
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

static bool begins_text(const struct walk *w)
{
    return w->p < w->end && (*w->p == '"' || *w->p == '\'');
}

/* 'loss' as Python prints the texts of a dictionary, without escapes. */
static bool parse_single(struct walk *w, struct gs_str *text)
{
    const struct gs_str rest = {w->p, (size_t)(w->end - w->p)};
    const size_t n = gs_str_until(rest, 0, "'\\\n");
    *text = (struct gs_str){w->p, n};
    w->p += n + 1;
    return n < rest.len && rest.ptr[n] == '\'';
}

/* The text at the quote where p stands: as it is in the document, or unescaped at the end of `out`, which never moves. */
static bool parse_quoted(struct walk *w, struct gs_buf *out, struct gs_str *text)
{
    const size_t mark = out->len;
    if (*w->p++ == '\'')
        return parse_single(w, text);
    *text = plain_run(w);
    if (w->p < w->end && *w->p == '"') {
        w->p++;
        return true;
    }
    w->p = text->ptr;
    if (!parse_text(w, out))
        return false;
    *text = (struct gs_str){out->ptr + mark, out->len - mark};
    return true;
}

static bool digits(struct walk *w)
{
    const char *const start = w->p;
    while (w->p < w->end && gs_is_digit(*w->p))
        w->p++;
    return w->p > start;
}

/*
 * The number is checked and left as text: readings are fixed-point, and a double would round
 * them.
 */
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

/*
 * After `stopped` the walk goes on without calling anybody, so *ok still says whether all of the
 * text is JSON.
 */
static bool give(struct walk *w, const char *start, struct gs_str value, bool quiet)
{
    w->room->leaf = (struct gs_str){start, (size_t)(w->p - start)};
    if (!quiet && !w->stopped)
        w->stopped = !w->leaf(w->context,
                              w->room->path.len > 0 ? gs_buf_str(&w->room->path) : w->key, value);
    return true;
}

/* Callers keep pointers to all leaves of a walk: gs_json_walk has reserved the bytes of all texts, so none moves. */
static bool parse_scalar(struct walk *w, bool quiet)
{
    const char *const start = w->p;
    if (begins_text(w)) {
        struct gs_str text;
        return parse_quoted(w, &w->room->text, &text) && give(w, start, text, quiet);
    }
    if (parse_word(w, "null") || parse_word(w, "None"))
        return give(w, start, GS_NO_STR, quiet);
    /* Python's json writes NaN and the next two, and so do its users; its print the others. */
    static const char *const words[] = {"true", "false", "NaN", "Infinity", "-Infinity",
                                        "True", "False", "nan", "inf",      "-inf"};
    bool ok = false;
    for (size_t i = 0; !gs_is_digit(*w->p) && !ok && i < sizeof words / sizeof *words; i++)
        ok = *w->p == words[i][0] && parse_word(w, words[i]);
    ok = ok || parse_number(w);
    return ok && give(w, start, (struct gs_str){start, (size_t)(w->p - start)}, quiet);
}

static bool parse_value(struct walk *w, unsigned depth, bool quiet);

/* Of the outermost object it is the whole path of a leaf, which most are: then nothing is copied. */
static bool parse_key(struct walk *w)
{
    struct gs_buf *const path = &w->room->path;
    const size_t mark = path->len;
    if (!parse_quoted(w, path, &w->key))
        return false;
    if (mark > 0 && path->len == mark)
        gs_buf_bytes(path, w->key.ptr, w->key.len);
    return true;
}

/* The path is one buffer that is cut back behind each member, so nothing is allocated per leaf. */
static bool parse_members(struct walk *w, unsigned depth, bool quiet, bool array)
{
    const char close = array ? ']' : '}';
    if (w->room->path.len == 0)
        gs_buf_bytes(&w->room->path, w->key.ptr, w->key.len);
    const size_t path = w->room->path.len;
    int64_t index = 0;
    char number[GS_REAL_TEXT_MAX];
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
                gs_buf_bytes(&w->room->path, number, (size_t)gs_int_format(number, index++));
        } else {
            skip_blanks(w);
            if (!begins_text(w) || !parse_key(w))
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

/* Gives the array from `start` to p, which was checked, as one leaf; not where an array or an object is in it. */
static bool give_joined(struct walk *w, const char *start)
{
    struct gs_buf *const out = &w->room->text;
    const size_t mark = out->len;
    struct walk in = *w;
    in.end = w->p;
    for (in.p = start; in.p + 1 < w->p; skip_blanks(&in)) {
        const bool first = in.p++ == start;
        skip_blanks(&in);
        if (in.p == in.end || *in.p == '[' || *in.p == '{')
            return true;
        if (!first)
            gs_buf_char(out, ',');
        if (*in.p == '"') {
            in.p++;
            (void)parse_text(&in, out);
            continue;
        }
        struct gs_str value = {in.p, (size_t)(w->p - in.p)};
        if (*in.p == '\'') {
            in.p++;
            (void)parse_single(&in, &value);
        } else {
            value.len = gs_str_until(value, 0, ",]");
            in.p += value.len;
        }
        if (!gs_str_begins(value, "null") && !gs_str_begins(value, "None"))
            gs_buf_add(out, gs_str_strip(value, " \t\r\n"));
    }
    const struct gs_str joined = {out->ptr + mark, out->len - mark};
    return give(w, start, joined.len == 0 ? GS_NO_STR : joined, false);
}

/*
 * The recursion is bounded by GS_JSON_DEPTH_MAX: a hostile file of brackets cannot exhaust the
 * stack.
 */
static bool parse_value(struct walk *w, unsigned depth, bool quiet)
{
    skip_blanks(w);
    if (w->p == w->end || depth > GS_JSON_DEPTH_MAX)
        return false;
    if (*w->p == '{')
        return parse_members(w, depth, quiet, false);
    if (*w->p != '[')
        return parse_scalar(w, quiet);
    const char *const start = w->p;
    const bool passed = quiet || w->arrays != GS_JSON_ITEM_BY_ITEM;
    return parse_members(w, depth, passed, true) &&
           (quiet || w->arrays != GS_JSON_JOINED || give_joined(w, start));
}

size_t gs_json_walk(struct gs_str text, enum gs_json_arrays arrays, struct gs_json_room *room,
                    gs_json_leaf_fn *leaf, void *context, bool *ok)
{
    struct walk w = {text.ptr, text.ptr + text.len, room, leaf, context, gs_str(""), arrays, false};
    room->path.len = 0;
    room->text.len = 0;
    /* Unescaped texts are no longer than the document: leaves point into what never moves. */
    *ok = gs_buf_reserve(&room->text, text.len) && parse_value(&w, 0, false);
    if (*ok) {
        skip_blanks(&w);
        *ok = w.p == w.end;
    }
    return (size_t)(w.p - text.ptr);
}
