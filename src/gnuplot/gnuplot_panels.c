/* gnuplot_panels.c - a panel: its title and whatever its kind draws. */
#include <math.h>

#include "draw/canvas.h"
#include "show/escape.h"
#include "show/cells.h"
#include "show/width.h"

/* " s/W" */
static void append_slope_unit(struct gs_buf *b, const struct gs_drawn *d)
{
    const struct gs_column_spec *const x = d->frame->columns[d->x].spec, *const y = d->frame->columns[d->y].spec;
    if (x->unit == NULL || y->unit == NULL)
        return;
    if (x->unit[0] != '\0' && y->unit[0] != '\0')
        gs_buf_format(b, " %s/%s", y->unit, x->unit);
}

/* Title, and beneath it what the fit says; above it so many blank lines, where the figure's title stands. */
static void append_title(const struct gs_canvas *c, int blank)
{
    const struct gs_drawn *const d = c->d;
    const struct gs_panel *const p = d->panel;
    struct gs_buf title = {.arena = c->body->arena}, fit = {.arena = c->body->arena};
    gs_panel_title(&title, d);
    if (gs_drawn_has_fit(d)) {
        gs_buf_text(&fit, "r = ");
        gs_real_for_people(&fit, p->fit->r, 3);
        if (isfinite(p->fit->r_low) && isfinite(p->fit->r_high)) {
            gs_buf_text(&fit, " [");
            gs_real_for_people(&fit, p->fit->r_low, 3);
            gs_buf_text(&fit, ", ");
            gs_real_for_people(&fit, p->fit->r_high, 3);
            gs_buf_char(&fit, ']');
        }
        gs_buf_text(&fit, ", slope ");
        gs_real_for_people(&fit, p->fit->slope, 4);
        append_slope_unit(&fit, d);
        struct gs_buf n = {.arena = c->body->arena};
        gs_buf_text(&n, ", n = ");
        gs_real_for_people(&n, (double)p->fit->n, 0);
        /* The title's font is a little smaller than the tics'. */
        if ((double)(gs_text_width(gs_buf_str(&fit)) + n.len) * d->px_char * 0.92 < d->px_width)
            gs_buf_bytes(&fit, n.ptr, n.len);
    }
    if (title.len == 0 && fit.len == 0 && blank == 0)
        return;
    gs_buf_text(c->body, "set title ");
    const bool own = title.len > 0 || fit.len > 0; /* without, the last blank line needs no end */
    for (int i = 0; i < blank; i++)
        gs_buf_text(c->body, own || i + 1 < blank ? "\" \\n\"." : "' '.");
    /* It stands over the middle of what is drawn, right of the names. */
    const bool beside = d->panel->kind == GS_PLOT_BARS || d->panel->kind == GS_PLOT_BOX || d->y_names.n > 0;
    const double room = d->px_width * (beside ? 0.7 : 0.95);
    if (title.len > 0)
        (void)gs_buf_gnuplot_lines(c->body, gs_buf_str(&title), (size_t)(room / (0.92 * d->px_char)));
    else
        gs_buf_text(c->body, "''");
    if (fit.len > 0) {
        gs_buf_text(c->body, title.len > 0 ? ".\"\\n\"." : ".");
        gs_buf_gnuplot(c->body, gs_buf_str(&fit));
    }
    gs_buf_char(c->body, '\n');
}

static void append_no_data(const struct gs_canvas *c)
{
    gs_buf_text(c->body, "set xrange [0:1]\nset yrange [0:1]\nunset xtics\nunset ytics\n"
                         "set label 'no data' at graph 0.5, graph 0.5 center textcolor rgb gs_dim\n"
                         "plot NaN notitle\n");
}

void gs_panel_append(const struct gs_drawn *d, int n, int blank, struct gs_buf *data, struct gs_buf *body,
                     struct gs_buf *hover)
{
    const struct gs_canvas c = {d, n, data, body, hover};
    append_title(&c, blank);
    if (d->n == 0 || isnan(d->ay.lo)) {
        append_no_data(&c);
        return;
    }
    switch (d->panel->kind) {
    case GS_PLOT_BARS:
        gs_canvas_bars(&c);
        return;
    case GS_PLOT_SCATTER:
    case GS_PLOT_LINES:
    case GS_PLOT_POINTS_ERROR:
        gs_canvas_points(&c);
        return;
    case GS_PLOT_HISTOGRAM_GROUPED:
        gs_canvas_clusters(&c);
        return;
    case GS_PLOT_HEAT:
        gs_canvas_heat(&c);
        return;
    case GS_PLOT_HISTOGRAM:
        gs_canvas_histogram(&c);
        return;
    case GS_PLOT_BOX:
        gs_canvas_boxes(&c);
        return;
    case GS_PLOT_SPANS:
        gs_canvas_spans(&c);
        return;
    }
}
