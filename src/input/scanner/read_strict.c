/* read_strict.c - rows from libcsv, bound and gathered one by one. */
#include "input/scanner/read_strict.h"

#include "input/bytes/bytes.h"
#include "input/bytes/csv.h"

enum { READ_BYTES = 256 << 10 };

struct strict_reader {
    const struct gs_load_options *options;
    struct gs_input *input;
    size_t input_number;
    struct gs_reader *reader;
    const struct gs_head *head;
    bool has_header; /* is behind */
};

/*
 * The header comes again here when the file is read from its start; heads.c has bound it already.
 */
static enum gs_status parse_row(void *context, const struct gs_csv_row *row, struct gs_err *err)
{
    struct strict_reader *const r = context;
    if (!r->has_header) {
        r->has_header = true;
        return r->head->has_header
                   ? GS_OK
                   : gs_fail(err, GS_ERR_DATA, "%s:1: a header too long to be one", r->input->name);
    }
    struct gs_row_fault fault;
    const int64_t place = gs_place(r->input_number, 0, row->line);
    if (gs_reader_row(r->reader, &r->head->binding, row->field, row->n_fields, place, &fault)) {
        r->input->n_rows++;
        r->input->bad_line = r->input->n_bad == 0 ? row->line : r->input->bad_line;
        r->input->n_bad += r->reader->n_bad;
        return GS_OK;
    }
    if (fault.status != GS_ERR_DATA)
        return gs_fail(err, fault.status, "%s", fault.text);
    const struct gs_reject reject = {.name = r->input->name,
                                     .line = row->line,
                                     .reason = fault.text,
                                     .raw = row->raw,
                                     .kind = fault.kind};
    return gs_set_aside(r->options, r->input, &reject, err);
}

/*
 * Reads a source to its end; what `first` holds goes before. `first_line` of 0 means the
 * beginning of a file, where a byte-order mark may stand; in the middle of a file the same bytes
 * are data.
 */
static enum gs_status read_on(struct strict_reader *r, struct gs_bytes *source, struct gs_str first,
                              uint64_t first_line, struct gs_err *err)
{
    GS_OWN struct gs_arena arena = {0};
    GS_CLOSES_CSV struct gs_csv_parser *parser = NULL;
    const struct gs_csv_options options = {.name = r->input->name,
                                           .name_is_escaped = true,
                                           .delimiter = r->head->binding.delimiter,
                                           .keep_raw = r->options->reject != NULL,
                                           .first_line = first_line};
    char *const room = gs_arena_take_raw(&arena, READ_BYTES, 1);
    GS_TRY(gs_had_memory(room != NULL, err));
    GS_TRY(gs_csv_open(&options, parse_row, r, &arena, &parser, err));
    if (first.len > 0)
        GS_TRY(gs_csv_feed(parser, first.ptr, first.len, err));
    for (size_t n = 1; n > 0;) {
        GS_TRY(gs_bytes_read(source, room, READ_BYTES, &n, err));
        r->input->n_bytes += n;
        GS_TRY(n > 0 ? gs_csv_feed(parser, room, n, err) : gs_csv_finish(parser, err));
    }
    if (!r->has_header)
        return gs_fail(err, GS_ERR_DATA, "%s: is empty, expected a header line", r->input->name);
    return GS_OK;
}

/* One chunk that begins at line 0: a place within it is the line itself. */
enum gs_status gs_places_are_lines(struct gs_input *input, struct gs_reader *g, struct gs_err *err)
{
    input->chunk_line = gs_arena_take(&g->arena, 1, sizeof *input->chunk_line);
    input->n_chunks = 1;
    return gs_had_memory(input->chunk_line != NULL, err);
}

enum gs_status gs_read_strict(const struct gs_load_options *o, struct gs_input *input,
                              size_t input_number, const struct gs_head *head, struct gs_reader *g,
                              struct gs_err *err)
{
    const struct gs_strict_start all = {head->bytes, head->n, 0, 0, 0};
    input->n_bytes = head->n;
    GS_TRY(gs_places_are_lines(input, g, err));
    g->time.zoneless = false;
    GS_TRY(gs_read_strict_rest(o, input, input_number, head, &all, g, err));
    input->zoneless = g->time.zoneless;
    return GS_OK;
}

enum gs_status gs_read_strict_rest(const struct gs_load_options *o, struct gs_input *input,
                                   size_t input_number, const struct gs_head *head,
                                   const struct gs_strict_start *start, struct gs_reader *g,
                                   struct gs_err *err)
{
    struct strict_reader r = {o, input, input_number, g, head, start->line > 1};
    input->n_rows = start->n_rows;
    input->n_rejected = start->n_rejected;
    if (head->has_header)
        gs_reader_file(g, &head->binding);
    return read_on(&r, head->source, (struct gs_str){start->bytes, start->n_bytes}, start->line,
                   err);
}
