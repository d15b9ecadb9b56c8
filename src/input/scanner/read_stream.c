/* read_stream.c - reads an input once, in order, on one thread. */
#include <string.h>

#include "input/import/rows.h"
#include "input/scanner/read_chunks.h"
#include "input/scanner/read_strict.h"
#include "input/scanner/scan.h"

enum { STREAM_BYTES = 1 << 20 };

/*
 * Fills the room behind `n` bytes; *at_end where the source is. Fills the room as far as it goes:
 * a pipe hands out small pieces, and each call of the scanner has a cost of its own.
 */
static enum gs_status refill(struct gs_bytes *source, char *room, size_t size, size_t *n,
                             uint64_t *n_bytes, bool *at_end, struct gs_err *err)
{
    while (*n < size) {
        size_t got;
        GS_TRY(gs_bytes_read(source, room + *n, size - *n, &got, err));
        *n += got;
        *n_bytes += got;
        if (got == 0) {
            *at_end = true;
            break;
        }
    }
    return GS_OK;
}

/* An input that is no table, by its form. n_bytes are unpacked bytes, as the form has read them. */
static enum gs_status read_form(const struct gs_load_options *o, const struct gs_dataset *d,
                                size_t number, const struct gs_head *head, struct gs_reader *g,
                                struct gs_err *err)
{
    struct gs_input *const input = &d->input[number];
    struct gs_rows rows;
    input->n_bytes = input->n_rows = 0;
    GS_TRY(gs_places_are_lines(input, g, err));
    GS_TRY(gs_rows_open(&rows, o, d, number, g, err));
    GS_TRY(input->form->read(input->form->context, head->source, &rows, err));
    input->n_bytes = gs_bytes_given(head->source);
    return GS_OK;
}

/*
 * The scanner for as long as it takes the rows, then the strict reader. The room holds any row
 * that the scanner takes (64 KiB), with a margin; a longer one is refused and goes to the strict
 * reader, which continues at exactly that row and stays in charge to the end.
 */
static enum gs_status read_table(const struct gs_load_options *o, struct gs_input *input,
                                 size_t number, const struct gs_head *head, struct gs_reader *g,
                                 struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_scanner *const scanner = gs_arena_take(&own, 1, sizeof *scanner);
    size_t n = head->fd < 0 ? head->n : 0, at = head->behind;
    const size_t room_bytes = n > STREAM_BYTES / 2 ? n * 2 : STREAM_BYTES;
    char *const room = gs_arena_take_raw(&own, room_bytes + GS_SCAN_PADDING, 1);
    bool at_end = false;
    uint64_t line = 1 + head->n_lines;
    input->n_bytes = n;
    input->n_rows = input->n_rejected = input->n_headers = input->n_bad = 0;
    input->torn = false;
    enum gs_status s =
        scanner == NULL || room == NULL ? gs_fail_memory(err) : gs_places_are_lines(input, g, err);
    if (s == GS_OK && n > 0)
        memcpy(room, head->bytes, n);
    GS_THEN(s, refill(head->source, room, room_bytes, &n, &input->n_bytes, &at_end, err));
    if (s == GS_OK && !head->scans) {
        const struct gs_strict_start all = {room, n, 0, 0, 0};
        s = gs_read_strict_rest(o, input, number, head, &all, g, err);
        return s;
    }
    if (s == GS_OK)
        gs_scanner_file(scanner, g, &head->binding, number);
    while (s == GS_OK) {
        struct gs_scan_result got;
        memset(room + n, '\n', GS_SCAN_PADDING);
        const struct gs_scan_bytes bytes = {room + at, room + n, room + n, at_end, 0, line};
        const enum gs_split k = gs_scan(scanner, &bytes, &got);
        input->n_rows += got.n_rows;
        input->n_headers += got.n_headers;
        if (input->n_bad == 0)
            input->bad_line = got.bad_line;
        input->n_bad += got.n_bad;
        input->torn |= got.torn;
        line += got.n_lines;
        at = (size_t)(got.next - room);
        if (k == GS_SPLIT_REFUSE && scanner->has_fault) {
            const struct gs_reject row = {.name = input->name,
                                          .line = line,
                                          .reason = scanner->fault.text,
                                          .raw = gs_row_raw(got.next, scanner->split.next),
                                          .kind = scanner->fault.kind};
            s = gs_set_aside(o, input, &row, err);
            line += scanner->split.n_lines;
            at = (size_t)(scanner->split.next - room);
            continue;
        }
        if (k == GS_SPLIT_REFUSE) {
            const struct gs_strict_start rest = {room + at, n - at, line, input->n_rows,
                                                 input->n_rejected};
            s = gs_read_strict_rest(o, input, number, head, &rest, g, err);
            break;
        }
        if (k == GS_SPLIT_ROW && at_end)
            break;
        memmove(room, room + at, n - at);
        n -= at;
        at = 0;
        s = refill(head->source, room, room_bytes, &n, &input->n_bytes, &at_end, err);
    }
    return s;
}

enum gs_status gs_read_stream(const struct gs_load_options *o, const struct gs_dataset *d,
                              size_t number, const struct gs_head *head, struct gs_reader *g,
                              struct gs_err *err)
{
    struct gs_input *const input = &d->input[number];
    g->time.zoneless = false;
    if (head->field != NULL) /* its lines are no rows of a table: the mapper reads them */
        return gs_fail(err, GS_ERR_DATA, "%s: is no table", input->name);
    if (input->form->read != NULL)
        GS_TRY(read_form(o, d, number, head, g, err));
    else
        GS_TRY(read_table(o, input, number, head, g, err));
    input->zoneless = g->time.zoneless;
    return GS_OK;
}
