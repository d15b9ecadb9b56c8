/* terminal.c - a figure in characters: its panels one under the other. */
#include "terminal/terminal.h"

#include <math.h>

#include "terminal/terminal_parts.h"

static void append_heading(const struct gs_page *p, struct gs_str text, bool bold)
{
    if (text.len == 0)
        return;
    const size_t width = gs_page_width(text);
    gs_buf_text(p->b, bold && p->to->colour ? "\033[1m" : "");
    gs_page_name(p, text, width < p->columns ? width : p->columns, false);
    gs_buf_text(p->b, bold && p->to->colour ? "\033[0m" : "");
    gs_buf_char(p->b, '\n');
}

static void append_panel(const struct gs_page *p, struct gs_arena *arena)
{
    const struct gs_drawn *const d = p->d;
    struct gs_buf title = {.arena = arena};
    gs_panel_title(&title, d);
    append_heading(p, gs_buf_str(&title), false);
    if (d->n == 0 || isnan(d->ay.lo)) {
        gs_buf_text(p->b, "no data\n");
        return;
    }
    switch (d->panel->kind) {
    case GS_PLOT_BARS:
    case GS_PLOT_HISTOGRAM_GROUPED:
        gs_page_bars(p);
        return;
    case GS_PLOT_BOX:
        gs_page_boxes(p);
        return;
    case GS_PLOT_SPANS:
        gs_page_spans(p);
        return;
    case GS_PLOT_HISTOGRAM:
        gs_page_histogram(p);
        return;
    case GS_PLOT_HEAT:
        gs_page_map(p);
        return;
    case GS_PLOT_SCATTER:
    case GS_PLOT_LINES:
    case GS_PLOT_POINTS_ERROR:
        gs_page_points(p);
        return;
    }
}

enum gs_status gs_plot_terminal(const struct gs_frame *f, const struct gs_plot *plot, const struct gs_terminal *to,
                                struct gs_sink sink, struct gs_err *err)
{
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    struct gs_figure fig;
    const struct gs_draw_options options = {.log_scale = to->log_scale, .title = to->title};
    const int columns = to->columns == 0 ? 80 : to->columns < 30 ? 30 : to->columns;
    enum gs_status s = gs_figure_open(&fig, f, plot, &options, &arena, err);
    for (size_t i = 0; i < fig.n && s == GS_OK; i++) {
        const struct gs_page p = {to, &fig.drawn[i], &b, (size_t)columns};
        if (i == 0 && fig.title != NULL)
            append_heading(&p, gs_str(fig.title), true);
        if (i > 0)
            gs_buf_char(&b, '\n');
        append_panel(&p, &arena);
    }
    if (s == GS_OK && fig.n == 0)
        gs_buf_text(&b, "no data\n");
    if (s == GS_OK && b.failed)
        s = gs_fail_memory(err);
    if (s == GS_OK)
        s = gs_sink_write(sink, b.ptr, b.len, err);
    gs_arena_release(&arena);
    return s;
}
