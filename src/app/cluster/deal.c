/*
 * deal.c - a stretch of bytes is cut into one piece per thread where a line seems to end; rows are found in all
 * pieces at once, and pieces that began inside a quoted field are looked at again. Then every part takes its rows
 * from the pieces in their order, all parts at once.
 */
#include "app/cluster/deal.h"

#include <string.h>

#include "base/os/parallel.h"
#include "base/core/shard.h"

enum { HOST_BYTES_MAX = 4096 };

struct dealt_row {
    uint32_t at, len, part; /* at: behind the stretch's begin */
};

/* Why a piece has no more rows. */
enum stop { STOP_LIMIT, STOP_GOES_ON, STOP_QUOTE, STOP_NO_HOST, STOP_LONG_HOST, STOP_MEMORY };

struct gs_deal_piece {
    struct gs_arena rows, orders; /* one array each, so that it grows in place                    */
    const char *begin, *end;      /* of its rows: from the first's begin to behind the last       */
    const char *limit;            /* rows that begin before it are this piece's                   */
    struct dealt_row *row;
    size_t n, capacity;
    uint32_t *order, *first; /* [n] rows by part; [n_parts + 1] into order                   */
    uint64_t n_lines;
    enum stop stop;
};

struct stretch {
    const struct gs_deal *d;
    const char *begin, *end;
    bool at_end;
    struct gs_part *part;
};

enum gs_status gs_deal_init(struct gs_deal *d, struct gs_arena *arena, struct gs_err *err)
{
    GS_TAKE(d->piece, d->n_threads, arena, err);
    for (unsigned t = 0; t < d->n_threads; t++)
        GS_TAKE(d->piece[t].first, (size_t)d->n_parts + 2, arena, err);
    return GS_OK;
}

void gs_deal_release(struct gs_deal *d)
{
    for (unsigned t = 0; d->piece != NULL && t < d->n_threads; t++) {
        gs_arena_release(&d->piece[t].rows);
        gs_arena_release(&d->piece[t].orders);
    }
}

/* The host's name with its quotes single. */
static bool plain_host(const struct gs_row_place *row, char room[HOST_BYTES_MAX],
                       struct gs_str *host)
{
    *host = row->field;
    if (!row->doubled)
        return true;
    size_t n = 0;
    for (size_t i = 0; i < row->field.len; i++) {
        if (n == HOST_BYTES_MAX)
            return false;
        room[n++] = row->field.ptr[i];
        i += row->field.ptr[i] == '"';
    }
    *host = (struct gs_str){room, n};
    return true;
}

/* The part of a row; false with the reason in *stop. */
static bool part_of(const struct gs_deal *d, const struct gs_row_place *row, uint32_t *part,
                    enum stop *stop)
{
    char room[HOST_BYTES_MAX];
    struct gs_str host;
    *part = 0;
    if (d->host_column == NULL)
        return true;
    if (row->field.len == 0) { /* no such field, or an empty one */
        *stop = STOP_NO_HOST;
        return false;
    }
    if (!plain_host(row, room, &host)) {
        *stop = STOP_LONG_HOST;
        return false;
    }
    *part = gs_shard_of(host, d->n_parts);
    return true;
}

/* The array is alone in its arena, so growing it never copies while the block has room. */
static bool add_row(struct gs_deal_piece *c, struct dealt_row row)
{
    if (c->n == c->capacity) {
        const size_t capacity = c->capacity * 2 + 4096;
        struct dealt_row *const grown =
            gs_arena_grow(&c->rows, c->row, c->n, capacity, sizeof *grown);
        if (grown == NULL)
            return false;
        c->row = grown;
        c->capacity = capacity;
    }
    c->row[c->n++] = row;
    return true;
}

/*
 * Finds the rows that begin in [c->begin, c->limit). A row belongs to the piece where it begins
 * and may end in the next one. No row is lost or found twice if the cut was at a true row end.
 */
static void find_rows(const struct stretch *s, struct gs_deal_piece *c)
{
    const struct gs_deal *const d = s->d;
    const char *p = c->begin;
    c->n = 0;
    c->n_lines = 0;
    c->stop = STOP_LIMIT;
    while (p < c->limit && c->stop == STOP_LIMIT) {
        struct gs_row_place row;
        uint32_t part;
        const enum gs_row_end e = gs_row_find(p, s->end, s->at_end, &d->rules, d->host_field, &row);
        if (e == GS_ROW_GOES_ON || e == GS_ROW_QUOTE) {
            c->stop = e == GS_ROW_QUOTE ? STOP_QUOTE : STOP_GOES_ON;
            break;
        }
        if (e == GS_ROW_FOUND) {
            if (!part_of(d, &row, &part, &c->stop))
                break;
            if (!add_row(c, (struct dealt_row){(uint32_t)(p - s->begin), (uint32_t)(row.next - p),
                                               part}))
                c->stop = STOP_MEMORY;
        }
        c->n_lines += row.n_lines;
        p = row.next;
    }
    c->end = p;
}

/*
 * Sorts a piece's rows by part, those of one part in their order: counting. Stable, so rows of
 * a host keep their order in the file.
 */
static void order_rows(const struct gs_deal *d, struct gs_deal_piece *c)
{
    const struct gs_arena_mark mark = gs_arena_mark(&c->orders);
    c->order = gs_arena_take_raw(&c->orders, c->n, sizeof *c->order);
    gs_arena_rewind(&c->orders, mark); /* the room stays until the next stretch takes it again */
    if (c->order == NULL) {
        c->stop = STOP_MEMORY;
        return;
    }
    memset(c->first, 0, ((size_t)d->n_parts + 2) * sizeof *c->first);
    for (size_t i = 0; i < c->n; i++)
        c->first[c->row[i].part + 2]++;
    for (uint32_t k = 2; k < d->n_parts + 2; k++)
        c->first[k] += c->first[k - 1];
    for (size_t i = 0; i < c->n; i++)
        c->order[c->first[c->row[i].part + 1]++] = (uint32_t)i;
}

static int find_piece(void *context, size_t k, unsigned thread)
{
    const struct stretch *const s = context;
    struct gs_deal_piece *const c = &s->d->piece[k];
    (void)thread;
    find_rows(s, c);
    order_rows(s->d, c);
    return 0;
}

/*
 * One thread writes one part, so the parts need no lock. Pieces are taken in the order of the
 * file: the output is the same for any number of threads.
 */
static int fill_part(void *context, size_t k, unsigned thread)
{
    const struct stretch *const s = context;
    const struct gs_deal *const d = s->d;
    struct gs_part *const part = &s->part[k];
    (void)thread;
    for (unsigned t = 0; t < d->n_threads; t++) {
        const struct gs_deal_piece *const c = &d->piece[t];
        for (uint32_t i = c->first[k]; i < c->first[k + 1]; i++) {
            const struct dealt_row row = c->row[c->order[i]];
            const char *const bytes = s->begin + row.at;
            enum gs_status status = gs_part_add(part, bytes, row.len);
            if (status == GS_OK && bytes[row.len - 1] != '\n' && bytes[row.len - 1] != '\r')
                status = gs_part_add(part, "\n", 1); /* the last line of a file may lack its end */
            if (status != GS_OK)
                return (int)status;
        }
        part->n_rows += c->first[k + 1] - c->first[k];
    }
    return 0;
}

/* Cuts behind line ends: only guesses, since a line end may stand inside quotes. */
static void cut(const struct stretch *s)
{
    const struct gs_deal *const d = s->d;
    const size_t size = (size_t)(s->end - s->begin);
    for (unsigned t = 0; t < d->n_threads; t++) {
        struct gs_deal_piece *const c = &d->piece[t];
        c->begin = s->begin + size / d->n_threads * t;
        c->limit = s->begin + size / d->n_threads * (t + 1);
        if (t + 1 == d->n_threads)
            c->limit = s->end;
        if (t == 0)
            continue;
        const char *const line = memchr(c->begin - 1, '\n', (size_t)(c->limit - (c->begin - 1)));
        c->begin = c->limit;
        if (line != NULL)
            c->begin = line + 1;
    }
}

static enum gs_status fail_at(const struct gs_deal *d, uint64_t line, enum stop stop,
                              struct gs_err *err)
{
    GS_TRY(gs_had_memory(stop != STOP_MEMORY, err));
    if (stop == STOP_QUOTE)
        return gs_fail_at(err, d->name, line,
                          "a quote inside a field, expected it doubled or around the field");
    if (stop == STOP_LONG_HOST)
        return gs_fail_at(err, d->name, line, "%s: more than %d bytes, expected the name of a host",
                          d->host_column, (int)HOST_BYTES_MAX);
    return gs_fail_at(err, d->name, line, "%s: is empty, expected the name of a host",
                      d->host_column);
}

/*
 * A piece whose start was guessed wrongly is searched again, one after the other, before
 * anything is written. The guess therefore decides the time and never the rows.
 */
enum gs_status gs_deal_rows(struct gs_deal *d, const char *p, const char *end, bool at_end,
                            struct gs_part *part, const char **next, struct gs_err *err)
{
    struct stretch s = {d, p, end, at_end, part};
    cut(&s);
    (void)gs_parallel_for(d->n_threads, d->n_threads, find_piece, &s);
    uint64_t line = d->line;
    const char *at = p;
    bool goes_on = false; /* a row that is not whole: nothing behind it is looked at */
    for (unsigned t = 0; t < d->n_threads; t++) {
        struct gs_deal_piece *const c = &d->piece[t];
        if (goes_on || at > c->limit)
            c->limit = at;
        if (c->begin != at || c->limit == at) { /* the cut was no row end */
            c->begin = at;
            (void)find_piece(&s, t, 0);
        }
        line += c->n_lines;
        if (c->stop != STOP_LIMIT && c->stop != STOP_GOES_ON)
            return fail_at(d, line, c->stop, err);
        goes_on = goes_on || c->stop == STOP_GOES_ON;
        d->n_rows += c->n;
        at = c->end;
    }
    d->line = line;
    *next = at;
    if (at_end && at != end)
        return gs_fail_at(err, d->name, line, "a quoted field that nothing closes");
    (void)gs_parallel_for(d->n_threads, d->n_parts, fill_part, &s);
    for (uint32_t k = 0; k < d->n_parts; k++)
        if (part[k].err.status != GS_OK) {
            if (err != NULL)
                *err = part[k].err;
            return part[k].err.status;
        }
    return GS_OK;
}
