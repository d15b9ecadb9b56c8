/* line_reader.c - reads a form line by line, and the rows of tables whose columns a line names. */
#include "input/formats/formats.h"

enum gs_status gs_read_lines(const struct gs_line_reader *reader, struct gs_text_in *in,
                             struct gs_record_sink *out, struct gs_err *err)
{
    GS_NEW(struct gs_lines, l, 1, in->arena, err);
    struct gs_str line;
    enum gs_status s = GS_OK;
    l->in = in;
    l->out = out;
    l->time.arena = in->arena;
    l->own = gs_arena_take(in->arena, 1, reader->own_bytes);
    GS_TRY(gs_had_memory(l->own != NULL, err));
    if (reader->begin != NULL)
        s = reader->begin(l, err);
    while (s == GS_OK && gs_text_next(in, &line, &s, err))
        s = reader->line(l, line, err);
    if (s == GS_OK && reader->end != NULL)
        s = reader->end(l, err);
    gs_arena_release(&l->record);
    gs_arena_release(&l->kept);
    return s;
}

size_t gs_lines_cut(struct gs_lines *l, struct gs_str line, char separator)
{
    return gs_cut_fields(line, separator, l->cell, GS_LINE_CELLS);
}

size_t gs_lines_cut_words(struct gs_lines *l, struct gs_str line)
{
    return gs_cut_words(line, l->cell, GS_LINE_CELLS);
}

void gs_lines_name(struct gs_lines *l, size_t n)
{
    l->n_columns = n;
    for (size_t i = 0; i < n; i++)
        l->column[i] = gs_record_sink_column(l->out, l->cell[i]);
}

void gs_lines_put(struct gs_lines *l, size_t n)
{
    for (size_t i = 0; i < n; i++)
        gs_record_sink_put(l->out, l->column[i], l->cell[i]);
}

void gs_lines_set_time(struct gs_lines *l, struct gs_str time)
{
    gs_buf_set(&l->time, time);
    l->out->full |= l->time.failed;
}

void gs_lines_put_time(struct gs_lines *l, const char *column)
{
    if (l->time.len > 0)
        gs_record_sink_set(l->out, gs_str(column), gs_buf_str(&l->time));
}

/* A row that has more cells than its header is broken, and one with fewer too, but at the end of a file that broke off. */
bool gs_lines_fits(struct gs_lines *l, size_t n, const char *what, struct gs_str line,
                   enum gs_status *s, struct gs_err *err)
{
    *s = GS_OK;
    if (n == l->n_columns)
        return true;
    if (n < l->n_columns && !l->in->line_ended)
        l->out->n_torn++;
    else
        *s =
            gs_record_sink_miscounted(l->out, l->in->line_number, what, n, l->n_columns, line, err);
    return false;
}

enum gs_status gs_lines_end(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    l->out->line = l->in->line_number;
    l->out->raw = line;
    return gs_record_sink_end(l->out, err);
}
