/* json_cut.c - a byte-by-byte parser that holds only the keys above the present place. */
#include "input/bytes/json_cut.h"

#include "input/bytes/text_in.h"
#include "input/scanner/masks.h"

enum { ITEM_BYTES_MAX = 256 << 20 };

static enum gs_status refuse(const struct gs_json_cut *c, const char *what, struct gs_err *err)
{
    return gs_fail_at(err, c->name, c->line, "%s", what);
}

/* One bit per level: open_bracket keeps the depth below GS_JSON_DEPTH_MAX, which is 64. */
static bool is_array(const struct gs_json_cut *c)
{
    return (c->is_array >> (c->depth & 63) & 1) != 0;
}

/*
 * Is the value that begins with this byte an item of the array? Without a path the items are the
 * top-level values, or the items of one top-level array: JSON lines and a list of objects are
 * read alike.
 */
static bool is_item(const struct gs_json_cut *c, char byte)
{
    unsigned k = 1;
    if (c->depth == 0)
        return c->path[0] == NULL && byte != '[';
    if (c->key[c->depth].ptr != NULL)
        return false;
    while (k < c->depth && c->path[k - 1] != NULL && c->key[k].ptr != NULL &&
           gs_str_eq(c->key[k], gs_str(c->path[k - 1])))
        k++;
    return c->depth == 1 || (k == c->depth && c->path[k - 1] == NULL);
}

/*
 * A value begins: are its bytes wanted? The outermost ones stand below no key. Inside a value
 * that is gathered nothing is asked: its inner values are part of it.
 */
static void begin(struct gs_json_cut *c, char byte)
{
    if (c->gathering)
        return;
    if (c->depth > 0 && is_array(c))
        c->key[c->depth] = GS_NO_STR;
    c->gathering = c->wants == NULL ? is_item(c, byte) : c->wants(c->context, c->key + 1, c->depth);
    c->item_depth = c->depth;
    c->item_line = c->line;
    c->item.len = 0;
}

/* A value ended; behind it there may be another. */
static enum gs_status end(struct gs_json_cut *c, struct gs_err *err)
{
    if (!c->gathering || c->depth != c->item_depth)
        return GS_OK;
    c->gathering = false;
    GS_TRY(gs_had_memory(!c->item.failed, err));
    const struct gs_json_item item = {c->key + 1, c->depth, gs_buf_str(&c->item), c->item_line};
    return c->take(c->context, &item, err);
}

/*
 * Brackets and commas inside a text mean nothing, so texts must be followed even where they are
 * not wanted. Keys longer than GS_JSON_KEY_MAX are cut: they fit none that a caller asks for.
 */
static enum gs_status step_in_text(struct gs_json_cut *c, char byte, struct gs_err *err)
{
    if (c->gathering)
        gs_buf_char(&c->item, byte);
    if (c->escaped) {
        c->escaped = false;
    } else if (byte == '\\') {
        c->escaped = true;
    } else if (byte == '"') {
        c->in_text = false;
        if (c->in_key)
            c->in_key = false;
        else
            return end(c, err);
        return GS_OK;
    }
    struct gs_str *const key = &c->key[c->depth];
    if (c->in_key && !c->gathering && key->len < GS_JSON_KEY_MAX)
        c->room[c->depth][key->len++] = byte;
    return GS_OK;
}

/* The depth is bounded because `room` and `key` have a fixed number of levels. */
static enum gs_status open_bracket(struct gs_json_cut *c, char byte, struct gs_err *err)
{
    begin(c, byte);
    if (c->gathering)
        gs_buf_char(&c->item, byte);
    if (++c->depth > GS_JSON_DEPTH_MAX - 1)
        return refuse(c, "values nested too deep", err);
    const uint64_t bit = UINT64_C(1) << (c->depth & 63);
    c->is_array = byte == '[' ? c->is_array | bit : c->is_array & ~bit;
    c->key_next = byte == '{';
    return GS_OK;
}

/*
 * A trace that was cut off and continued has one bracket too many. Forms with a path tolerate
 * that; forms with `wants` rely on the keys above a value and refuse it.
 */
static enum gs_status close_bracket(struct gs_json_cut *c, char byte, struct gs_err *err)
{
    if (c->depth == 0 || is_array(c) != (byte == ']')) {
        if (c->wants != NULL)
            return refuse(c, "not JSON", err);
        if (c->depth == 0)
            return GS_OK;
    }
    if (c->gathering)
        gs_buf_char(&c->item, byte);
    c->depth--;
    c->key_next = false;
    return end(c, err);
}

static inline bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static void begin_text(struct gs_json_cut *c)
{
    c->in_key = c->key_next;
    c->in_text = true;
    if (c->in_key && !c->gathering)
        c->key[c->depth] = (struct gs_str){c->room[c->depth], 0};
    if (!c->in_key)
        begin(c, '"');
}

static enum gs_status step(struct gs_json_cut *c, char byte, struct gs_err *err)
{
    const bool blank = is_blank(byte);
    const bool opens = byte == '{' || byte == '[', closes = byte == '}' || byte == ']';
    if (c->in_text)
        return step_in_text(c, byte, err);
    if (c->bare && (blank || byte == ',' || closes)) { /* the end of a number or word */
        c->bare = false;
        GS_TRY(end(c, err));
    }
    if (opens)
        return open_bracket(c, byte, err);
    if (closes)
        return close_bracket(c, byte, err);
    if (byte == '"') {
        begin_text(c);
    } else if (byte == ',') {
        c->key_next = c->depth > 0 && !is_array(c);
    } else if (byte == ':') {
        c->key_next = false;
    } else if (!blank && !c->bare) {
        begin(c, byte);
        c->bare = true;
    }
    if (c->gathering)
        gs_buf_char(&c->item, byte);
    return GS_OK;
}

/*
 * How many of the 64 bytes at p, inside an object or array that is gathered, need no closer look: all, or those in front
 * of the bracket that ends it. There only the depth counts, unless somebody asks for the keys, and an escape is rare.
 */
static size_t pass_block(struct gs_json_cut *c, const char *p)
{
    uint64_t text = gs_bits_of(p, '"', 0);
    for (int shift = 1; shift < 64; shift *= 2) /* from each quote to the next */
        text ^= text << shift;
    text ^= c->in_text ? UINT64_MAX : 0;
    const uint64_t opens = gs_bits_of(p, '{', ' ') & ~text,
                   closes = gs_bits_of(p, '}', ' ') & ~text;
    const unsigned n_opens = (unsigned)__builtin_popcountll(opens),
                   n_closes = (unsigned)__builtin_popcountll(closes);
    if (gs_bits_of(p, '\\', 0) != 0 || c->depth + n_opens >= GS_JSON_DEPTH_MAX)
        return 0;
    const uint64_t lines = gs_bits_of(p, '\n', 0);
    if (c->depth > c->item_depth + n_closes) {
        c->depth += n_opens - n_closes;
        c->line += (uint64_t)__builtin_popcountll(lines);
        c->in_text = text >> 63 != 0;
        return 64;
    }
    for (uint64_t left = opens | closes; left != 0; left &= left - 1) {
        const uint64_t bit = left & -left;
        if ((closes & bit) != 0 && c->depth == c->item_depth + 1) {
            c->line += (uint64_t)__builtin_popcountll(lines & (bit - 1));
            c->in_text = false;
            return (size_t)__builtin_ctzll(bit);
        }
        c->depth += (opens & bit) != 0 ? 1 : -1u;
    }
    c->line += (uint64_t)__builtin_popcountll(lines);
    c->in_text = text >> 63 != 0;
    return 64;
}

/*
 * The bytes at p that need no look here: they are most of a file. Where blocks do not serve, all from '-' on except
 * brackets, braces and the backslash; the comma, the quote and blanks are below '-'.
 */
static size_t plain_bytes(struct gs_json_cut *c, const char *p, size_t len)
{
    size_t n = 0, passed = 64;
    if (!c->gathering || c->escaped)
        return 0;
    while (passed == 64 && c->wants == NULL && c->depth > c->item_depth && len - n >= 64)
        n += passed = pass_block(c, p + n);
    for (; passed == 64 && n < len; n++)
        if ((unsigned char)p[n] < '-' || p[n] == '[' || p[n] == '\\' || p[n] == ']' || p[n] >= '{')
            break;
    return n;
}

/* The limit on one value bounds memory, however large the file is. */
enum gs_status gs_json_cut_feed(struct gs_json_cut *c, struct gs_str piece, struct gs_err *err)
{
    c->line += c->line == 0;
    for (size_t i = 0; i < piece.len; i++) {
        const size_t n = plain_bytes(c, piece.ptr + i, piece.len - i);
        if (n > 0) {
            gs_buf_bytes(&c->item, piece.ptr + i, n);
            i += n - 1;
            continue;
        }
        GS_TRY(step(c, piece.ptr[i], err));
        c->line += piece.ptr[i] == '\n';
        if (c->item.len > ITEM_BYTES_MAX)
            return refuse(c, "one value of more than 256 MiB", err);
    }
    return gs_had_memory(!c->item.failed, err);
}

static bool pass_leaf(void *context, struct gs_str path, struct gs_str value)
{
    (void)context, (void)path, (void)value;
    return true;
}

static bool is_whole_object(struct gs_str line)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_json_room room = {.path.arena = &own, .text.arena = &own};
    bool whole = false;
    if (gs_str_begins(line, "{"))
        (void)gs_json_walk(gs_str_strip(line, " \t\r\n,"), GS_JSON_PASSED_OVER, &room, pass_leaf,
                           NULL, &whole);
    return whole;
}

/* Can no object stand at the beginning of this line, so that the value that is gathered was left open? */
static bool is_left_open(const struct gs_json_cut *c, struct gs_str line)
{
    if (!c->gathering)
        return false;
    if (c->in_text)
        return gs_str_eq(gs_str_strip(line, " \t\r\n"), gs_str("{")) || is_whole_object(line);
    const struct gs_str held = gs_str_strip(gs_buf_str(&c->item), " \t\r\n");
    return held.len > 0 && strchr(":,[", held.ptr[held.len - 1]) == NULL;
}

/* Where its last line, which is an object, begins in what was gathered; 0: that is none. */
static size_t last_object(struct gs_str held)
{
    size_t at = gs_str_strip(held, " \t\r\n").len;
    while (at > 0 && held.ptr[at - 1] != '\n')
        at--;
    return is_whole_object(gs_str_after(held, at)) ? at : 0;
}

/* Where its second line begins if one of the others is an object; 0: none is, so that nothing but the first value is torn. */
static size_t first_line_of_objects(struct gs_str held)
{
    struct gs_str rest = held;
    const size_t first = gs_str_take(&rest, '\n').len + 1;
    while (rest.len > 0)
        if (is_whole_object(gs_str_take(&rest, '\n')))
            return first;
    return 0;
}

static enum gs_status feed_lines(struct gs_json_cut *c, struct gs_str piece, struct gs_err *err);

/* What was gathered up to `end` is torn; what is behind it begins anew. */
static enum gs_status tear(struct gs_json_cut *c, size_t end, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_str held;
    GS_TRY(gs_had_memory(gs_str_copy(&own, gs_buf_str(&c->item), &held), err));
    struct gs_str torn = gs_str_part(held, 0, end);
    c->line = c->item_line;
    c->depth = c->item_depth;
    c->item.len = 0;
    c->gathering = c->in_text = c->in_key = c->escaped = c->bare = c->key_next = false;
    if (c->torn == NULL)
        return refuse(c, "not JSON: it ends within a value", err);
    for (; torn.len > 0; c->line++) {
        const struct gs_str line = gs_str_take(&torn, '\n');
        GS_TRY(c->torn(c->torn_context, c->line, line, err));
    }
    return feed_lines(c, gs_str_after(held, end), err);
}

/* *taken: the line, which has its end, was an object by itself. */
static enum gs_status begin_line(struct gs_json_cut *c, struct gs_str line, bool *taken,
                                 struct gs_err *err)
{
    *taken = false;
    if (c->wants != NULL || line.ptr[0] != '{')
        return GS_OK;
    if (is_left_open(c, line)) {
        const struct gs_str held = gs_buf_str(&c->item);
        const size_t at = last_object(held);
        GS_TRY(tear(c, at > 0 ? at : held.len, err));
    }
    if (c->line_alone == NULL || c->depth > 0 || c->in_text || c->bare || !gs_str_ends(line, "\n"))
        return GS_OK;
    line.len -= gs_str_ends(line, "\r\n") ? 2 : 1;
    GS_TRY(c->line_alone(c->context, c->line, line, taken, err));
    c->line += *taken;
    return GS_OK;
}

static enum gs_status feed_lines(struct gs_json_cut *c, struct gs_str piece, struct gs_err *err)
{
    while (piece.len > 0) {
        const char *const end = memchr(piece.ptr, '\n', piece.len);
        const size_t n = end == NULL ? piece.len : (size_t)(end - piece.ptr) + 1;
        const struct gs_str line = gs_str_part(piece, 0, n);
        bool taken;
        GS_TRY(begin_line(c, line, &taken, err));
        if (!taken)
            GS_TRY(gs_json_cut_feed(c, line, err));
        piece = gs_str_after(piece, n);
    }
    return GS_OK;
}

/*
 * With a path, an end inside a value is accepted: a profiler that is killed leaves such files,
 * and all whole items have been handed out.
 */
enum gs_status gs_json_cut_finish(struct gs_json_cut *c, struct gs_err *err)
{
    size_t at;
    while (c->wants == NULL && c->gathering &&
           (at = first_line_of_objects(gs_buf_str(&c->item))) > 0)
        GS_TRY(tear(c, at, err));
    if ((c->in_text || c->depth > 0) && c->wants != NULL)
        return refuse(c, "not JSON: it ends within a value", err);
    if (c->bare && !c->in_text)
        return end(c, err);
    return GS_OK;
}

enum gs_status gs_json_cut_read(struct gs_json_cut *c, struct gs_text_in *in, struct gs_err *err)
{
    struct gs_str piece;
    enum gs_status s;
    c->name = in->name;
    c->item.arena = in->arena;
    c->line = 1;
    while ((s = gs_text_piece(in, &piece, err)) == GS_OK && piece.len > 0)
        GS_TRY(feed_lines(c, piece, err));
    if (s == GS_OK && !in->cut)
        s = gs_json_cut_finish(c, err);
    return s;
}
