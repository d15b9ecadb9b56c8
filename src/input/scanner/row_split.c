/* row_split.c - the exact CSV rules, byte by byte: reference and fallback of the fast paths. */
#include "input/scanner/row_split.h"

#include <string.h>

/* A tab that parts fields is no blank. */
static bool is_blank(char c, char delimiter)
{
    return c == ' ' || (c == '\t' && delimiter != '\t');
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* Where one field stands: the cursor goes from its first byte to the separator or line end behind it. */
struct field_cursor {
    const char *p, *end;
    char *room; /* for text whose quotes were doubled */
    size_t room_left;
    uint32_t n_lines;
    char delimiter;
};

/* Passes a line end; CRLF is one. */
static const char *pass_line_end(const char *p, const char *end)
{
    return p + (p[0] == '\r' && p + 1 < end && p[1] == '\n' ? 2 : 1);
}

static void pass_blanks(struct field_cursor *c)
{
    while (c->p < c->end && is_blank(*c->p, c->delimiter))
        c->p++;
}

/*
 * A quoted field: `c->p` is behind the opening quote. Without a doubled quote the field points
 * into the file's bytes and nothing is copied. Behind the closing quote only blanks may follow,
 * as in libcsv's strict mode.
 */
static enum gs_split quoted_field(struct field_cursor *c, struct gs_str *field)
{
    const char *const start = c->p;
    char *copy = NULL;
    size_t n_copied = 0;
    for (; c->p < c->end; c->p++) {
        if (*c->p == '"') {
            if (c->p + 1 < c->end && c->p[1] == '"') {
                if (copy == NULL) {
                    n_copied = (size_t)(c->p - start);
                    if (n_copied >= c->room_left)
                        return GS_SPLIT_REFUSE;
                    copy = c->room;
                    memcpy(copy, start, n_copied);
                }
                c->p++;
            } else {
                break;
            }
        }
        if (*c->p == '\n' || (*c->p == '\r' && !(c->p + 1 < c->end && c->p[1] == '\n')))
            c->n_lines++;
        if (copy != NULL) {
            if (n_copied >= c->room_left)
                return GS_SPLIT_REFUSE;
            copy[n_copied++] = *c->p;
        }
    }
    if (c->p == c->end)
        return GS_SPLIT_MORE;
    *field = copy == NULL ? (struct gs_str){start, (size_t)(c->p - start)}
                          : (struct gs_str){copy, n_copied};
    if (copy != NULL) {
        c->room += n_copied;
        c->room_left -= n_copied;
    }
    c->p++;
    pass_blanks(c);
    return c->p < c->end && *c->p != c->delimiter && !is_line_end(*c->p) ? GS_SPLIT_REFUSE
                                                                         : GS_SPLIT_ROW;
}

/*
 * A quote inside a bare field is an error in strict mode; the strict reader reports it with its
 * line.
 */
static enum gs_split bare_field(struct field_cursor *c, struct gs_str *field)
{
    const char *const start = c->p;
    while (c->p < c->end && *c->p != c->delimiter && !is_line_end(*c->p)) {
        if (*c->p == '"')
            return GS_SPLIT_REFUSE;
        c->p++;
    }
    const char *stop = c->p;
    while (stop > start && is_blank(stop[-1], c->delimiter))
        stop--;
    *field = (struct gs_str){start, (size_t)(stop - start)};
    return GS_SPLIT_ROW;
}

static enum gs_split next_field(struct field_cursor *c, struct gs_str *field)
{
    if (c->p == c->end || *c->p != '"')
        return bare_field(c, field);
    c->p++;
    return quoted_field(c, field);
}

struct gs_str gs_row_raw(const char *p, const char *next)
{
    if (next > p && next[-1] == '\n')
        next--;
    if (next > p && next[-1] == '\r')
        next--;
    return (struct gs_str){p, (size_t)(next - p)};
}

static enum gs_split end_row(struct field_cursor *c, enum gs_split beyond, struct gs_split_row *row)
{
    if (c->p + 1 == c->end && *c->p == '\r' && beyond != GS_SPLIT_ROW)
        return beyond; /* a line feed may follow */
    if (c->p < c->end) {
        c->p = pass_line_end(c->p, c->end);
        c->n_lines++;
    }
    row->next = c->p;
    row->n_lines = c->n_lines;
    return row->n_fields == 0 ? GS_SPLIT_BLANK : GS_SPLIT_ROW;
}

/*
 * The limit bounds the time that a hostile file can cost: an opened quote that is never closed is
 * followed for 64 KiB, not to the end of the file.
 */
enum gs_split gs_row_split(const char *p, const char *end, bool at_end, char delimiter,
                           struct gs_split_row *row)
{
    const char *const limit = end - p > GS_SPLIT_ROW_BYTES_MAX ? p + GS_SPLIT_ROW_BYTES_MAX : end;
    const enum gs_split last = at_end ? GS_SPLIT_ROW : GS_SPLIT_MORE,
                        beyond = limit < end ? GS_SPLIT_REFUSE : last;
    struct field_cursor c = {p, limit, row->room, sizeof row->room, 0, delimiter};
    row->n_fields = 0;
    for (;;) {
        pass_blanks(&c);
        if (c.p == limit && beyond != GS_SPLIT_ROW)
            return beyond;
        if (row->n_fields == 0 && (c.p == limit || is_line_end(*c.p)))
            break; /* blanks, perhaps without a line end: no row */
        if (row->n_fields == GS_SPLIT_FIELDS_MAX)
            return GS_SPLIT_REFUSE;
        const enum gs_split s = next_field(&c, &row->field[row->n_fields]);
        if (s == GS_SPLIT_MORE && beyond != GS_SPLIT_MORE)
            return GS_SPLIT_REFUSE; /* an open quote: at the end the strict reader says so */
        if (s != GS_SPLIT_ROW)
            return s;
        row->n_fields++;
        if (c.p == limit && beyond != GS_SPLIT_ROW)
            return beyond;
        if (c.p == limit || *c.p != delimiter)
            break;
        c.p++;
    }
    return end_row(&c, beyond, row);
}
