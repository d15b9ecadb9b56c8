/* heads.c - headers before rows: how many columns a table has must be known before its first row is stored. */
#include "input/scanner/heads.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "input/bytes/csv.h"
#include "input/import/form_rows.h"
#include "input/scanner/row_split.h"

enum {
    FIRST_BYTES = 4 << 10,
    KEPT_OPEN = 256,            /* files of a run, at most: descriptors are few */
    HEADER_BYTES_MAX = 8 << 20, /* beyond all that libcsv takes as one row */
};

struct heads {
    const struct gs_load_options *o;
    struct gs_dataset *d;
    struct gs_metrics metrics;
    struct gs_split_row *split;
};

/*
 * Reads on, at least a byte unless the input is at its end; the room doubles. A plain file is
 * read with pread, so that the stream behind the same descriptor still stands at its beginning if
 * it is needed later.
 */
static enum gs_status more(struct gs_head *h, struct gs_arena *arena, struct gs_err *err)
{
    const size_t wanted = h->n == 0 ? FIRST_BYTES : h->n;
    char *const grown = gs_arena_grow(arena, h->bytes, h->n, h->n + wanted, 1);
    GS_TRY(gs_had_memory(grown != NULL, err));
    h->bytes = grown;
    size_t got = 0;
    if (h->fd < 0) {
        GS_TRY(gs_bytes_read(h->source, h->bytes + h->n, wanted, &got, err));
    } else {
        ssize_t n;
        do
            n = pread(h->fd, h->bytes + h->n, wanted, (off_t)h->n);
        while (n < 0 && errno == EINTR);
        if (n < 0)
            return gs_fail(err, GS_ERR_IO, "%s: %s", gs_bytes_name(h->source), strerror(errno));
        got = (size_t)n;
    }
    h->n += got;
    h->at_end = got == 0;
    return GS_OK;
}

static char delimiter_of(const struct gs_input *in)
{
    return in->form->delimiter == 0 ? ',' : in->form->delimiter;
}

/*
 * The header as the scanner splits it; GS_SPLIT_MORE: it may go on behind the bytes. Blank lines
 * may stand before the header, as in libcsv. At the end of the file a header without a line end
 * is refused, so that the strict reader words the error.
 */
static enum gs_split split_header(const struct heads *r, const struct gs_input *in,
                                  struct gs_head *h)
{
    const char *p = h->bytes, *const end = h->bytes + h->n;
    enum gs_split s = h->at_end ? GS_SPLIT_REFUSE : GS_SPLIT_MORE;
    if (h->n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    h->n_lines = 0;
    while (p < end) {
        s = gs_row_split(p, end, h->at_end, delimiter_of(in), r->split);
        if (s != GS_SPLIT_ROW && s != GS_SPLIT_BLANK)
            return s;
        if (memchr(p, '\0', (size_t)(r->split->next - p)) != NULL)
            return GS_SPLIT_REFUSE;
        h->n_lines += r->split->n_lines;
        p = r->split->next;
        h->behind = (size_t)(p - h->bytes);
        if (s == GS_SPLIT_ROW)
            break;
        s = h->at_end ? GS_SPLIT_REFUSE : GS_SPLIT_MORE;
    }
    return s;
}

/* The host of the form is set last: its own way of binding does not know of it. */
static enum gs_status bind(const struct gs_input *in, const struct gs_str *field, size_t n_fields,
                           struct gs_arena *arena, struct gs_binding *b, struct gs_err *err)
{
    GS_TRY(in->form->bind(in->form->context, in, field, n_fields, arena, b, err));
    b->delimiter = delimiter_of(in);
    b->host = in->form->host;
    return GS_OK;
}

struct strict_header {
    const struct heads *r;
    const struct gs_input *in;
    struct gs_head *h;
    enum gs_status status;
    struct gs_err *err;
};

/*
 * Ends the reading after the first row, whatever that says. Any status other than GS_OK stops
 * libcsv; the one that counts is kept in `status`.
 */
static enum gs_status parse_header(void *context, const struct gs_csv_row *row, struct gs_err *err)
{
    struct strict_header *const s = context;
    (void)err;
    s->h->has_header = true;
    s->status = bind(s->in, row->field, row->n_fields, s->r->d->arena, &s->h->binding, s->err);
    return GS_ERR_RANGE;
}

/*
 * A header that the scanner refuses, through libcsv. Errors of the parser itself are ignored here
 * (err is NULL): the rows are read by the strict reader later, which meets the same error and
 * reports it.
 */
static enum gs_status bind_strictly(const struct heads *r, const struct gs_input *in,
                                    struct gs_head *h, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    GS_CLOSES_CSV struct gs_csv_parser *parser = NULL;
    const struct gs_csv_options options = {
        .name = in->name, .name_is_escaped = true, .delimiter = delimiter_of(in)};
    struct strict_header s = {r, in, h, GS_OK, err};
    GS_TRY(gs_csv_open(&options, parse_header, &s, &own, &parser, err));
    for (size_t fed = 0;; fed = h->n) {
        if (fed > 0)
            GS_TRY(more(h, r->d->arena, err));
        if ((fed < h->n && gs_csv_feed(parser, h->bytes + fed, h->n - fed, NULL) != GS_OK) ||
            h->n > HEADER_BYTES_MAX)
            break;
        if (h->at_end) {
            (void)gs_csv_finish(parser, NULL);
            break;
        }
    }
    return s.status;
}

/*
 * A machine that went down leaves NULs where the end of its log was to be: nothing but NULs and line ends from the first
 * of them on. The size of the file without them.
 * Reads backwards from the end, so a sound file costs one read of 4 KiB. Any other byte among the
 * NULs stops the search: then they are damage in the middle, which stays an error.
 */
static uint64_t size_without_nuls(int fd, uint64_t size)
{
    char room[FIRST_BYTES];
    uint64_t kept = size;
    for (uint64_t end = size; end > 0;) {
        const uint64_t from = end > sizeof room ? end - sizeof room : 0;
        size_t n = (size_t)(end - from);
        if (pread(fd, room, n, (off_t)from) != (ssize_t)n)
            return size;
        for (; n > 0 && (room[n - 1] == '\0' || room[n - 1] == '\n' || room[n - 1] == '\r'); n--)
            if (room[n - 1] == '\0')
                kept = from + n - 1;
        end = n > 0 ? 0 : from;
    }
    return kept;
}

/*
 * Row groups are read through a descriptor of their own: of very many files each is read as a
 * stream instead. The path is opened a second time, so the stamp decides whether it is still the
 * file whose header was read. If not, no groups are set, and gs_head_open reports the change.
 */
static enum gs_status open_groups(struct heads *r, const struct gs_input *in, struct gs_head *h,
                                  struct gs_err *err)
{
    struct gs_file_stamp now;
    struct gs_parquet *const p = gs_arena_take(r->d->arena, 1, sizeof *p);
    const int fd = r->d->n_inputs > KEPT_OPEN || p == NULL
                       ? -1
                       : open(in->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || !gs_stamp_of(fd, &now) || gs_stamp_is_other(&h->stamp, &now)) {
        if (fd >= 0)
            (void)close(fd);
        return gs_had_memory(p != NULL, err);
    }
    h->parquet_fd = fd;
    h->parquet = p;
    return gs_parquet_open(p, fd, h->stamp.size, in->name, r->d->arena, err);
}

/* *again: it can be opened once more. */
static enum gs_status open_source(const struct heads *r, const struct gs_input *in,
                                  struct gs_head *h, bool *again, struct gs_err *err)
{
    *again = false;
    GS_TRY(gs_bytes_open(in->path, r->d->arena, &h->source, err));
    h->stamp = gs_bytes_stamp(h->source);
    h->is_parquet = gs_bytes_is_parquet(h->source);
    *again = !r->o->strict_reader && gs_bytes_repeats(h->source);
    if (*again || !r->o->digest)
        return GS_OK;
    return gs_bytes_digest(h->source, r->d->arena, err);
}

/* Finds the columns of a plain file of lines in its first record. */
static enum gs_status bind_lines(const struct heads *r, const struct gs_input *in,
                                 struct gs_head *h, struct gs_err *err)
{
    const struct gs_str *field;
    size_t n = 0;
    while (n == 0 && h->fd >= 0 && !h->at_end && h->n <= HEADER_BYTES_MAX) {
        GS_TRY(more(h, r->d->arena, err));
        GS_TRY(gs_form_rows_header(in->form->lines, (struct gs_str){h->bytes, h->n}, r->d->seed,
                                   r->d->arena, &field, &n, err));
    }
    if (n == 0)
        return gs_fail(err, GS_ERR_DATA, "%s: no record in a plain file", in->name);
    GS_TRY(bind(in, field, n, r->d->arena, &h->binding, err));
    h->has_header = h->scans = true;
    h->field = field;
    return GS_OK;
}

/* Finds the columns of a table in its header. */
static enum gs_status bind_head(const struct heads *r, struct gs_input *in, struct gs_head *h,
                                struct gs_err *err)
{
    if (in->form->lines != NULL)
        return bind_lines(r, in, h, err);
    enum gs_split split = GS_SPLIT_MORE;
    while (split == GS_SPLIT_MORE) {
        GS_TRY(more(h, r->d->arena, err));
        split = split_header(r, in, h);
    }
    if (split != GS_SPLIT_ROW)
        return bind_strictly(r, in, h, err);
    GS_TRY(bind(in, r->split->field, r->split->n_fields, r->d->arena, &h->binding, err));
    h->has_header = h->scans = true;
    if (h->binding.header != NULL && h->fd >= 0 && !r->o->digest) {
        const uint64_t size = size_without_nuls(h->fd, h->size);
        in->nul_tail = size < h->size && size >= h->behind;
        h->size = in->nul_tail ? size : h->size;
    }
    return GS_OK;
}

/*
 * Of many files each is closed after its header, since a run may have more of them than the
 * system allows descriptors; so is a packed one. Only what can be read again: pipes and standard
 * input must stay open, with the bytes that were read kept.
 */
static void close_head(const struct heads *r, struct gs_head *h)
{
    if (h->fd >= 0 && h->scans && r->d->n_inputs > KEPT_OPEN) {
        gs_head_close(h);
        h->fd = GS_HEAD_CLOSED;
    }
    if (h->fd < 0) {
        gs_head_close(h);
        h->n = 0; /* they come again */
        h->at_end = false;
    }
}

/*
 * The metrics of all files together are the columns of the table, so they are collected
 * before any row is stored; gs_binding_settle then numbers them.
 */
static enum gs_status add_metrics(struct heads *r, const struct gs_head *h, struct gs_err *err)
{
    for (size_t i = 0; h->has_header && i < h->binding.n_bound; i++)
        if (h->binding.bound[i].metric != NULL)
            GS_TRY(gs_metrics_add(&r->metrics, h->binding.bound[i].metric, err));
    return GS_OK;
}

static enum gs_status read_head(struct heads *r, struct gs_input *in, struct gs_head *h,
                                struct gs_err *err)
{
    bool again = false;
    h->fd = -1;
    for (uint32_t m = 0; m < in->form->n_metrics; m++)
        GS_TRY(gs_metrics_add(&r->metrics, in->form->metric[m], err));
    if (in->left_out)
        return GS_OK;
    enum gs_status s = open_source(r, in, h, &again, err);
    if (s != GS_OK || in->form->read != NULL) {
        if (again)
            gs_head_close(h);
        return s;
    }
    h->fd = r->o->strict_reader ? -1 : gs_bytes_plain_fd(h->source, &h->size);
    s = bind_head(r, in, h, err);
    if (s == GS_OK && again && h->scans && !r->o->digest && h->is_parquet)
        s = open_groups(r, in, h, err);
    GS_THEN(s, add_metrics(r, h, err));
    if (s == GS_OK && again)
        close_head(r, h);
    return s;
}

enum gs_status gs_heads_read(const struct gs_load_options *o, struct gs_dataset *d,
                             struct gs_head **head, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct heads r = {.o = o, .d = d, .split = gs_arena_take_raw(&own, 1, sizeof *r.split)};
    struct gs_head *const h = *head = gs_arena_take(d->arena, d->n_inputs, sizeof *h);
    GS_TRY(gs_had_memory(h != NULL && r.split != NULL, err));
    GS_TRY(gs_metrics_init(&r.metrics, d->arena, err));
    for (size_t i = 0; i < d->n_inputs; i++)
        GS_TRY(read_head(&r, &d->input[i], &h[i], err));
    GS_NEW(bool, has, r.metrics.n, d->arena, err);
    d->metric = r.metrics.metric;
    d->n_metrics = r.metrics.n;
    d->has_metric = has;
    for (size_t i = 0; i < d->n_inputs; i++) {
        const struct gs_input_form *const form = d->input[i].form;
        for (uint32_t m = 0; m < form->n_metrics; m++)
            has[gs_metrics_find(d->metric, d->n_metrics, gs_str(form->metric[m]->name))] = true;
        if (!h[i].has_header)
            continue;
        GS_TRY(gs_binding_settle(&h[i].binding, d, d->arena, err));
        for (size_t k = 0; k < h[i].binding.n_bound; k++)
            if (h[i].binding.bound[k].metric != NULL)
                has[h[i].binding.bound[k].column - GS_SAMPLE_METRIC] = true;
    }
    return GS_OK;
}

enum gs_status gs_head_open(const struct gs_load_options *o, const struct gs_input *in,
                            struct gs_head *h, struct gs_err *err)
{
    const enum gs_status s =
        h->source != NULL ? GS_OK : gs_bytes_open(in->path, &h->own, &h->source, err);
    const struct gs_file_stamp now = s == GS_OK ? gs_bytes_stamp(h->source) : h->stamp;
    if (s == GS_OK && gs_stamp_is_other(&h->stamp, &now))
        return gs_fail(err, GS_ERR_IO, GS_BYTES_CHANGED, in->name);
    if (s == GS_OK && o->digest)
        return gs_bytes_digest(h->source, &h->own, err);
    return s;
}

void gs_head_close(struct gs_head *h)
{
    gs_bytes_close(h->source);
    h->source = NULL;
    gs_arena_release(&h->own);
}

void gs_heads_close(struct gs_head *head, size_t n)
{
    for (size_t i = 0; head != NULL && i < n; i++) {
        gs_head_close(&head[i]);
        if (head[i].parquet != NULL)
            (void)close(head[i].parquet_fd);
        head[i].parquet = NULL;
    }
}
