/* text_in.c - detects and decodes the encoding, then cuts lines. */
#include "input/bytes/text_in.h"

#include "base/num/order.h"

#include <string.h>

#include "input/bytes/bytes.h"

enum { RAW_BYTES = 256 << 10, RAW_BYTES_MIN = 2 << 10, UTF8 = 0, UTF16LE = 1, UTF16BE = 2 };

enum gs_status gs_text_open_bytes(struct gs_text_in *in, struct gs_bytes *source, const char *path,
                                  struct gs_arena *arena, struct gs_err *err)
{
    struct gs_text_in t = {.arena = arena, .piece = {.arena = arena}, .line = {.arena = arena}};
    uint64_t size = RAW_BYTES;
    (void)gs_bytes_plain_fd(source, &size);
    /* With room to see that it ends. Of many small files the room would cost more than they do. */
    t.room = (size_t)gs_min(size + RAW_BYTES_MIN, (uint64_t)RAW_BYTES);
    t.raw = gs_arena_take_raw(arena, t.room, 1);
    GS_TRY(gs_had_memory(t.raw != NULL, err));
    t.source = source;
    t.name = gs_bytes_name(source);
    t.path = path == NULL || strcmp(path, "-") == 0 ? NULL : path;
    *in = t;
    return GS_OK;
}

enum gs_status gs_text_open(struct gs_text_in *in, const char *path, uint64_t limit,
                            struct gs_arena *arena, struct gs_err *err)
{
    struct gs_bytes *source = NULL;
    GS_TRY(gs_bytes_open(path, arena, &source, err));
    enum gs_status s = gs_text_open_bytes(in, source, path, arena, err);
    if (s != GS_OK) {
        gs_bytes_close(source);
        return s;
    }
    in->owns_source = true;
    in->limit = limit;
    return GS_OK;
}

void gs_text_of(struct gs_text_in *in, struct gs_str text, const char *name, struct gs_arena *arena)
{
    *in = (struct gs_text_in){.arena = arena,
                              .name = name,
                              .begun = true,
                              .ended = true,
                              .peeked = true,
                              .piece = {arena, (char *)(uintptr_t)text.ptr, text.len, 0, false},
                              .line = {.arena = arena}};
}

void gs_text_close(struct gs_text_in *in)
{
    if (in->owns_source)
        gs_bytes_close(in->source);
    in->source = NULL;
    in->owns_source = false;
}

enum gs_status gs_text_all(const char *path, size_t most, const char *more, struct gs_arena *arena,
                           struct gs_str *text, struct gs_err *err)
{
    GS_CLOSES_TEXT struct gs_text_in in = {0};
    struct gs_buf all = {.arena = arena};
    struct gs_str piece = {"", 1};
    GS_TRY(gs_text_open(&in, path, 0, arena, err));
    while (piece.len > 0) {
        GS_TRY(gs_text_piece(&in, &piece, err));
        gs_buf_add(&all, piece);
        if (all.len > most)
            return gs_fail(err, GS_ERR_DATA, "%s: %s", in.name, more);
    }
    *text = gs_buf_str(&all);
    return gs_had_memory(!all.failed, err);
}

/*
 * Returns the bytes of `raw` that were used: all but half a unit. PowerShell's `>` writes UTF-16,
 * so logs of nvidia-smi on Windows come like this. A high surrogate is kept across pieces in
 * `high`; a low one alone becomes U+FFFD.
 */
static size_t from_utf16(struct gs_text_in *in)
{
    size_t i = 0;
    for (; i + 2 <= in->raw_len; i += 2) {
        const unsigned a = (unsigned char)in->raw[i], b = (unsigned char)in->raw[i + 1];
        const unsigned u = in->encoding == UTF16LE ? b << 8 | a : a << 8 | b;
        if (u >= 0xd800 && u < 0xdc00) {
            in->high = u;
        } else if (u >= 0xdc00 && u < 0xe000) {
            gs_buf_code_point(&in->piece,
                              in->high == 0 ? 0xfffd
                                            : 0x10000 + ((in->high - 0xd800) << 10) + (u - 0xdc00));
            in->high = 0;
        } else {
            gs_buf_code_point(&in->piece, u);
            in->high = 0;
        }
    }
    return i;
}

/*
 * Returns the bytes of `raw` that were used: all but what may be the beginning of a character.
 * Bytes that are not UTF-8 are read as Latin-1 one by one, so a degree sign of an old tool does
 * not make the file unreadable; callers report `latin1`. A character may be cut at the end of a
 * piece: up to 3 bytes then wait for the next.
 */
static size_t from_utf8(struct gs_text_in *in, bool at_end)
{
    size_t i = 0;
    char any = 0;
    for (size_t k = 0; k < in->raw_len; k++)
        any |= in->raw[k];
    if ((any & 0x80) == 0 && in->piece.len == 0 && gs_buf_reserve(&in->piece, in->room - 1)) {
        char *const raw = in->piece.ptr; /* all of it is text as it is: the two change places */
        in->piece.ptr = in->raw;
        in->piece.len = in->raw_len;
        in->piece.capacity = in->room;
        in->raw = raw;
        return in->raw_len;
    }
    while (i < in->raw_len) {
        size_t n = 0;
        while (i + n < in->raw_len && (unsigned char)in->raw[i + n] < 0x80)
            n++;
        gs_buf_bytes(&in->piece, in->raw + i, n);
        i += n;
        if (i == in->raw_len)
            break;
        unsigned c;
        n = gs_utf8_next((struct gs_str){in->raw + i, in->raw_len - i}, &c);
        if (n == 0 && !at_end && in->raw_len - i < 4)
            return i;
        if (n == 0) {
            gs_buf_code_point(&in->piece, (unsigned char)in->raw[i++]);
            in->latin1 = true;
        } else {
            gs_buf_bytes(&in->piece, in->raw + i, n);
            i += n;
        }
    }
    return i;
}

/* Knows the encoding by the mark in front; returns the bytes that the mark takes. */
static size_t skip_mark(struct gs_text_in *in)
{
    const unsigned char *const p = (const unsigned char *)in->raw;
    in->begun = true;
    if (in->raw_len >= 3 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf)
        return 3;
    if (in->raw_len >= 2 && ((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff))) {
        in->encoding = p[0] == 0xff ? UTF16LE : UTF16BE;
        return 2;
    }
    return 0;
}

/*
 * Fills `raw` behind what is left of it, of a beginning with not much more than that; the first time until a mark would be
 * whole. The loop matters for pipes, which may hand out a single byte at first.
 */
static enum gs_status fill(struct gs_text_in *in, bool *at_end, struct gs_err *err)
{
    const uint64_t few = gs_max(in->limit, (uint64_t)RAW_BYTES_MIN);
    const size_t room = in->limit > 0 ? (size_t)gs_min(few, (uint64_t)in->room) : in->room;
    size_t n;
    do {
        GS_TRY(gs_bytes_read(in->source, in->raw + in->raw_len, room - in->raw_len, &n, err));
        in->raw_len += n;
    } while (n > 0 && in->raw_len < 4);
    *at_end = n == 0;
    return GS_OK;
}

/*
 * A machine that went down leaves NULs at the end of its log, a log that is truncated while it is written in front of the
 * next row, GPU-Z in place of the end of its header: a run of them is the end of a line. Bytes that no text has beside them
 * are another thing: the caller says where it found a NUL.
 */
static void end_at_nuls(struct gs_text_in *in)
{
    size_t kept = gs_str_find_byte(gs_buf_str(&in->piece), '\0');
    if (kept == in->piece.len)
        return;
    for (size_t i = 0; i < in->piece.len; i++) {
        const unsigned char c = (unsigned char)in->piece.ptr[i];
        if (c != 0 && c < ' ' && strchr("\t\n\v\f\r\b\x1b", c) == NULL)
            return;
    }
    for (size_t i = kept; i < in->piece.len; i++)
        if (in->piece.ptr[i] != '\0')
            in->piece.ptr[kept++] = in->piece.ptr[i];
        else if (kept > 0 && in->piece.ptr[kept - 1] != '\n')
            in->piece.ptr[kept++] = '\n';
    in->n_bytes += in->piece.len - kept;
    in->piece.len = kept;
    in->has_nuls = true;
}

/*
 * Does a byte go on in the escape sequence that began with `*in`, which is told what it is in then? ESC [ 31 m and ESC ( B, as
 * terminals know them (ECMA-48), are no text; an ESC before anything else is dropped alone.
 */
static bool goes_on(char *in, unsigned char c)
{
    const char before = *in;
    *in = 0;
    if (c == '\x1b' || (before == '\x1b' && (c == '[' || c == '(')))
        *in = (char)c;
    else if (before == '[' && c >= ' ' && c < '@')
        *in = before;
    else
        return (before == '[' || before == '(') && c >= ' ' && c <= '~';
    return true;
}

/* Leaves out the colours of a terminal. A sequence may begin in this piece and end in the next. */
static void drop_escapes(struct gs_text_in *in)
{
    const struct gs_str piece = gs_buf_str(&in->piece);
    size_t kept = in->escape != 0 ? 0 : gs_str_find_byte(piece, '\x1b');
    for (size_t i = kept; i < piece.len; i++) {
        const unsigned char c = (unsigned char)piece.ptr[i];
        if (!goes_on(&in->escape, c))
            in->piece.ptr[kept++] = (char)c;
    }
    in->n_bytes += piece.len - kept;
    in->piece.len = kept;
}

/* Lets a form look at the beginning without reading it twice: a pipe cannot be rewound. */
enum gs_status gs_text_peek(struct gs_text_in *in, struct gs_str *piece, struct gs_err *err)
{
    const enum gs_status s = gs_text_piece(in, piece, err);
    in->peeked = s == GS_OK;
    return s;
}

/*
 * A piece may come out empty although the file goes on (a mark alone, NULs alone), and length 0
 * means the end to callers; hence the loop.
 */
enum gs_status gs_text_piece(struct gs_text_in *in, struct gs_str *piece, struct gs_err *err)
{
    if (in->peeked) {
        in->peeked = false;
        *piece = gs_buf_str(&in->piece);
        return GS_OK;
    }
    in->piece.len = 0;
    while (in->piece.len == 0 && !in->ended) {
        bool at_end = false;
        if (in->limit > 0 && in->n_bytes >= in->limit) {
            in->cut = in->ended = true;
            break;
        }
        GS_TRY(fill(in, &at_end, err));
        if (!in->begun) {
            const size_t n = skip_mark(in);
            memmove(in->raw, in->raw + n, in->raw_len -= n);
        }
        const size_t used = in->encoding == UTF8 ? from_utf8(in, at_end) : from_utf16(in);
        memmove(in->raw, in->raw + used, in->raw_len - used);
        in->raw_len -= used;
        in->ended = at_end;
        GS_TRY(gs_had_memory(!in->piece.failed, err));
        end_at_nuls(in);
        drop_escapes(in);
        in->n_bytes += in->piece.len;
    }
    *piece = gs_buf_str(&in->piece);
    return GS_OK;
}

/*
 * Lines are bounded by GS_LINE_BYTES_MAX, so a file without line ends cannot take all memory. An
 * empty line has a pointer; only the end of the text has none.
 */
enum gs_status gs_text_line(struct gs_text_in *in, struct gs_str *line, struct gs_err *err)
{
    in->line.len = 0;
    in->line_ended = false;
    in->peeked = false; /* the piece is taken from here on */
    bool any = false;
    struct gs_str whole = GS_NO_STR; /* the line, where it lies in one piece */
    while (!in->line_ended) {
        if (in->piece_at == in->piece.len) {
            struct gs_str piece;
            GS_TRY(gs_text_piece(in, &piece, err));
            in->piece_at = 0;
            if (piece.len == 0)
                break;
        }
        const char *const from = in->piece.ptr + in->piece_at;
        const char *const end = memchr(from, '\n', in->piece.len - in->piece_at);
        const size_t n = end == NULL ? in->piece.len - in->piece_at : (size_t)(end - from);
        any = true;
        in->line_ended = end != NULL;
        in->piece_at += n + in->line_ended;
        if (n + in->line.len > GS_LINE_BYTES_MAX)
            return gs_fail_at(err, in->name, in->line_number + 1, "a line of more than %d bytes",
                              GS_LINE_BYTES_MAX);
        if (in->line_ended && in->line.len == 0)
            whole = (struct gs_str){from, n};
        else
            gs_buf_bytes(&in->line, from, n);
    }
    GS_TRY(gs_had_memory(!in->line.failed, err));
    in->line_number += any;
    if (any && whole.ptr == NULL)
        whole = gs_buf_str(&in->line);
    *line = whole;
    if (any && memchr(line->ptr, '\0', line->len) != NULL)
        return gs_fail_at(err, in->name, in->line_number, "a NUL byte, expected text");
    line->len -= gs_str_ends(*line, "\r");
    return GS_OK;
}
