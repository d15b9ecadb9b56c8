/* write_markdown.c - GitHub Markdown tables. */
#include "output/escape/escape.h"
#include "output/writers/writer.h"
#include "output/text/cells.h"

static void markdown_rows(struct gs_buf *b, const struct gs_frame *f, const void *context)
{
    (void)context;
    for (size_t r = 0; r < f->n_rows; r++) {
        gs_buf_char(b, '|');
        for (size_t c = 0; c < f->n_columns; c++) {
            gs_buf_char(b, ' ');
            if (f->columns[c].spec->type == GS_TYPE_TEXT && f->columns[c].text[r].ptr != NULL)
                gs_buf_markdown(b, f->columns[c].text[r]);
            else
                gs_cell_for_people(b, f, r, c);
            gs_buf_text(b, " |");
        }
        gs_buf_char(b, '\n');
    }
}

enum gs_status gs_write_markdown(struct gs_writer *w, const struct gs_frame *f, size_t index,
                                 struct gs_err *err)
{
    struct gs_buf b = {.arena = w->arena};
    if (index > 0)
        gs_buf_char(&b, '\n');
    if (w->several || w->options->titles) {
        gs_buf_text(&b, "### ");
        gs_buf_markdown(&b, gs_str(gs_frame_heading(f)));
        gs_buf_text(&b, "\n\n");
    }
    if (f->lead != NULL) {
        gs_buf_markdown(&b, gs_str(f->lead));
        gs_buf_text(&b, "\n\n");
    }
    gs_buf_char(&b, '|');
    for (size_t c = 0; c < f->n_columns; c++) {
        const struct gs_column_spec *const spec = f->columns[c].spec;
        gs_buf_char(&b, ' ');
        gs_buf_markdown(&b, gs_str(gs_column_title(spec)));
        if (spec->unit != NULL && spec->unit[0] != '\0') {
            gs_buf_text(&b, " (");
            gs_buf_markdown(&b, gs_str(spec->unit));
            gs_buf_char(&b, ')');
        }
        gs_buf_text(&b, " |");
    }
    gs_buf_text(&b, "\n|");
    for (size_t c = 0; c < f->n_columns; c++) {
        const enum gs_type type = f->columns[c].spec->type;
        gs_buf_text(&b, type == GS_TYPE_TEXT || type == GS_TYPE_TIME ? " :--- |" : " ---: |");
    }
    gs_buf_char(&b, '\n');
    enum gs_status s = gs_writer_flush(w, &b, err);
    GS_THEN(s, gs_writer_rows(w, f, markdown_rows, NULL, err));
    if (s != GS_OK || f->below == NULL)
        return s;
    gs_buf_char(&b, '\n');
    gs_buf_text(&b, f->below); /* a list in Markdown, too */
    return gs_writer_flush(w, &b, err);
}
