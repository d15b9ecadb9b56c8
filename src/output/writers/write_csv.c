/* write_csv.c - comma and tab separated values. */
#include "output/text/cells.h"
#include "output/escape/escape.h"
#include "output/writers/writer.h"

#include <string.h>

/* A text and how it was written: in the rows of a host or a task it comes again and again. */
enum { REMEMBERED = 24 }; /* columns */
struct written {
    struct gs_str text;
    size_t at, len; /* in the buffer */
};

/* Spreadsheets run a cell that begins so; with the quote before it they show it. */
static bool is_formula(struct gs_str text)
{
    return text.len > 0 && memchr("=+-@\t\r", text.ptr[0], 6) != NULL;
}

/*
 * Pointers are compared, not bytes: interned names are the same pointer. The room is reserved
 * before the copy, because growing the buffer moves its bytes.
 */
static void append_text(struct gs_buf *b, struct gs_str text, char separator, struct written *last)
{
    if (text.ptr == last->text.ptr && text.len == last->text.len && gs_buf_reserve(b, last->len)) {
        memcpy(b->ptr + b->len, b->ptr + last->at, last->len);
        b->len += last->len;
        return;
    }
    *last = (struct written){text, b->len, 0};
    if (separator == ',')
        gs_buf_csv(b, text);
    else
        gs_buf_tsv(b, text);
    last->len = b->len - last->at;
}

/* As a text with a quote before it: for --csv-safe. */
static void append_formula(struct gs_buf *b, struct gs_str text, char separator)
{
    if (separator == '\t') {
        gs_buf_char(b, '\'');
        gs_buf_tsv(b, text);
        return;
    }
    gs_buf_text(b, "\"'");
    gs_buf_doubled(b, text, '"');
    gs_buf_char(b, '"');
}

/*
 * In CSV a missing cell is empty and an empty text is a pair of quotes, so that a reader can
 * tell them apart.
 */
static void append_rows(struct gs_buf *b, const struct gs_frame *f, char separator, bool safe)
{
    struct written last[REMEMBERED] = {0};
    for (size_t r = 0; r < f->n_rows; r++) {
        for (size_t c = 0; c < f->n_columns; c++) {
            const struct gs_column *const column = &f->columns[c];
            if (c > 0)
                gs_buf_char(b, separator);
            if (column->spec->type != GS_TYPE_TEXT)
                gs_buf_bare(b, f, r, c);
            else if (safe && is_formula(column->text[r]))
                append_formula(b, column->text[r], separator);
            else if (column->text[r].ptr != NULL)
                append_text(b, column->text[r], separator,
                            c < REMEMBERED ? &last[c] : &(struct written){0});
        }
        /* A reader passes over a blank line, so the missing cell of a one-column frame must show. */
        if (f->n_columns == 1 && separator == ',' && gs_frame_is_missing(f, r, 0))
            gs_buf_text(b, "\"\"");
        gs_buf_char(b, '\n');
    }
}

static void csv_rows(struct gs_buf *b, const struct gs_frame *part, const void *context)
{
    append_rows(b, part, ',', ((const struct gs_render_options *)context)->csv_safe);
}

static void tsv_rows(struct gs_buf *b, const struct gs_frame *part, const void *context)
{
    append_rows(b, part, '\t', ((const struct gs_render_options *)context)->csv_safe);
}

static enum gs_status write_separated(struct gs_writer *w, const struct gs_frame *f, size_t index,
                                      char separator, struct gs_err *err)
{
    struct gs_buf b = {.arena = w->arena};
    if (index > 0)
        gs_buf_char(&b, '\n');
    for (size_t c = 0; c < f->n_columns; c++) {
        if (c > 0)
            gs_buf_char(&b, separator);
        if (separator == ',')
            gs_buf_csv(&b, gs_str(f->columns[c].spec->name));
        else
            gs_buf_tsv(&b, gs_str(f->columns[c].spec->name));
    }
    gs_buf_char(&b, '\n');
    GS_TRY(gs_writer_flush(w, &b, err));
    return gs_writer_rows(w, f, separator == ',' ? csv_rows : tsv_rows, w->options, err);
}

enum gs_status gs_write_csv(struct gs_writer *w, const struct gs_frame *f, size_t index,
                            struct gs_err *err)
{
    return write_separated(w, f, index, ',', err);
}

enum gs_status gs_write_tsv(struct gs_writer *w, const struct gs_frame *f, size_t index,
                            struct gs_err *err)
{
    return write_separated(w, f, index, '\t', err);
}
