/* write_html.c - HTML tables: a page that needs nothing from outside, or only the tables. */
#include "output/escape/escape.h"
#include "output/writers/writer.h"
#include "output/text/cells.h"

/* The class of a column's cells: n number (a text with a unit is one with its ±), t time, none for text. */
static const char *class_of(const struct gs_column_spec *spec)
{
    if (spec->type == GS_TYPE_TEXT && (spec->unit == NULL || spec->unit[0] == '\0'))
        return "";
    if (spec->type == GS_TYPE_TIME)
        return " class=\"t\"";
    return " class=\"n\"";
}

/* `room` is scratch for the text of a cell before it is escaped: a chance may be "<0.0001". */
static void append_cell(struct gs_buf *b, struct gs_buf *room, const struct gs_frame *f, size_t row,
                        size_t column)
{
    const enum gs_type type = f->columns[column].spec->type;
    /* The first column names the row where it is text; a screen reader says it with each cell. */
    const bool names_row = column == 0 && type == GS_TYPE_TEXT;
    gs_buf_text(b, names_row ? "<th scope=\"row\"" : "<td");
    gs_buf_text(b, class_of(f->columns[column].spec));
    gs_buf_char(b, '>');
    if (gs_frame_is_missing(f, row, column) && f->columns[column].spec->missing == NULL) {
        gs_buf_text(b, "<span class=\"m\" title=\"missing\">-</span>");
    } else {
        room->len = 0;
        gs_cell_for_people(room, f, row, column);
        gs_buf_html(b, gs_buf_str(room));
    }
    gs_buf_text(b, names_row ? "</th>" : "</td>");
}

/*
 * Called by several threads at once, each with its own buffer. Nothing here may write to the
 * frame.
 */
static void html_rows(struct gs_buf *b, const struct gs_frame *f, const void *context)
{
    struct gs_buf room = {.arena = b->arena};
    (void)context;
    for (size_t r = 0; r < f->n_rows; r++) {
        gs_buf_text(b, "<tr>");
        for (size_t c = 0; c < f->n_columns; c++)
            append_cell(b, &room, f, r, c);
        gs_buf_text(b, "</tr>\n");
    }
    b->failed |= room.failed;
}

enum gs_status gs_open_html(struct gs_writer *w, struct gs_err *err)
{
    if (w->options->fragment)
        return GS_OK;
    struct gs_buf b = {.arena = w->arena};
    gs_buf_text(&b, gs_text_head);
    gs_buf_text(&b, "<title>gpustat");
    if (w->first != NULL) {
        gs_buf_text(&b, " ");
        gs_buf_html(&b, gs_str(w->first->name));
    }
    gs_buf_text(&b, "</title>\n");
    gs_buf_text(&b, gs_text_table);
    gs_buf_text(&b, "</head>\n<body>\n<main>\n");
    return gs_writer_flush(w, &b, err);
}

enum gs_status gs_close_html(struct gs_writer *w, struct gs_err *err)
{
    static const char page_end[] = "</main>\n</body>\n</html>\n";
    if (w->options->fragment)
        return GS_OK;
    return gs_sink_write(w->sink, page_end, sizeof page_end - 1, err);
}

/*
 * All texts of a frame go through gs_buf_html: host names and labels are data and may hold
 * markup.
 */
enum gs_status gs_write_html(struct gs_writer *w, const struct gs_frame *f, size_t index,
                             struct gs_err *err)
{
    (void)index;
    struct gs_buf b = {.arena = w->arena};
    if (f->lead != NULL) {
        gs_buf_text(&b, "<p>");
        gs_buf_html(&b, gs_str(f->lead));
        gs_buf_text(&b, "</p>\n");
    }
    /* A wide table scrolls within itself; tabindex lets the keyboard do that too. */
    gs_buf_text(&b, "<div class=\"gs-table\" role=\"region\" tabindex=\"0\" aria-label=\"");
    gs_buf_html(&b, gs_str(gs_frame_heading(f)));
    gs_buf_text(&b, "\">\n<table>\n<caption>");
    gs_buf_html(&b, gs_str(gs_frame_heading(f)));
    gs_buf_text(&b, "</caption>\n<thead>\n<tr>");
    for (size_t c = 0; c < f->n_columns; c++) {
        const struct gs_column_spec *const spec = f->columns[c].spec;
        gs_buf_format(&b, "<th scope=\"col\"%s>", class_of(spec));
        gs_buf_html(&b, gs_str(gs_column_title(spec)));
        if (spec->unit != NULL && spec->unit[0] != '\0') {
            gs_buf_text(&b, " <span class=\"u\">(");
            gs_buf_html(&b, gs_str(spec->unit));
            gs_buf_text(&b, ")</span>");
        }
        gs_buf_text(&b, "</th>");
    }
    gs_buf_text(&b, "</tr>\n</thead>\n<tbody>\n");
    enum gs_status s = gs_writer_flush(w, &b, err);
    GS_THEN(s, gs_writer_rows(w, f, html_rows, NULL, err));
    static const char table_end[] = "</tbody>\n</table>\n</div>\n";
    gs_buf_text(&b, table_end);
    if (f->below != NULL) {
        gs_buf_text(&b, "<p style=\"white-space: pre-line\">");
        gs_buf_html(&b, gs_str(f->below));
        gs_buf_text(&b, "</p>\n");
    }
    return s == GS_OK ? gs_writer_flush(w, &b, err) : s;
}
