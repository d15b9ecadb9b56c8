/* gnuplot_panels.c - a panel: its title and whatever its kind draws. */
#include <math.h>

#include "base/num/order.h"
#include "output/chart/canvas.h"
#include "output/escape/escape.h"
#include "output/text/cells.h"
#include "output/text/width.h"

#define TITLE_LETTER 0.92 /* of a letter of the tics */

/* " s/W" */
static void append_slope_unit(struct gs_buf *b, const struct gs_drawn *d)
{
    const struct gs_column_spec *const x = d->frame->columns[d->x].spec;
    const struct gs_column_spec *const y = d->frame->columns[d->y].spec;
    if (x->unit == NULL || y->unit == NULL)
        return;
    if (x->unit[0] != '\0' && y->unit[0] != '\0')
        gs_buf_format(b, " %s/%s", y->unit, x->unit);
}

/* "r = 0.323 [0.267, 0.377], slope 0.1922 s/W, n = 1,024"; nothing without a fit. */
static void append_fit_text(struct gs_buf *b, const struct gs_drawn *d)
{
    const struct gs_fit *const fit = d->panel->fit;
    if (!gs_drawn_has_fit(d))
        return;
    gs_buf_text(b, "r = ");
    gs_real_for_people(b, fit->r, 3);
    if (isfinite(fit->r_low) && isfinite(fit->r_high)) {
        gs_buf_text(b, " [");
        gs_real_for_people(b, fit->r_low, 3);
        gs_buf_text(b, ", ");
        gs_real_for_people(b, fit->r_high, 3);
        gs_buf_char(b, ']');
    }
    gs_buf_text(b, ", slope ");
    gs_real_for_people(b, fit->slope, 4);
    append_slope_unit(b, d);
    struct gs_buf n = {.arena = b->arena};
    gs_buf_text(&n, ", n = ");
    gs_real_for_people(&n, (double)fit->n, 0);
    if ((double)(gs_text_width(gs_buf_str(b)) + n.len) * TITLE_LETTER * d->px_char < d->px_width)
        gs_buf_bytes(b, n.ptr, n.len);
}

enum { FACET_LINES = 2 };

/* The panel's title as a string of gnuplot, and beneath it what the fit says. Answers how many lines. */
static int write_title(struct gs_buf *b, const struct gs_drawn *d)
{
    struct gs_buf title = {.arena = b->arena}, fit = {.arena = b->arena};
    gs_panel_title(&title, d);
    append_fit_text(&fit, d);
    /* It stands over the middle of what is drawn, right of the names. */
    const bool beside =
        d->panel->kind == GS_PLOT_BARS || d->panel->kind == GS_PLOT_BOX || d->y_names.n > 0;
    const double room = d->px_width * (beside ? 0.7 : 0.95);
    const size_t columns = (size_t)(room / (TITLE_LETTER * d->px_char));
    struct gs_str text = gs_buf_str(&title);
    /* a name of any length, of many panels */
    if (d->facet.ptr != NULL && gs_text_width(text) > FACET_LINES * columns)
        text = gs_canvas_short(&(struct gs_canvas){.d = d, .body = b}, text, FACET_LINES * columns);
    int n = gs_buf_gnuplot_lines(b, text, columns);
    if (fit.len > 0) {
        gs_buf_text_if(b, n++ > 0, ".\"\\n\".");
        gs_buf_gnuplot(b, gs_buf_str(&fit));
    }
    return n;
}

int gs_panel_title_lines(const struct gs_drawn *d)
{
    GS_OWN struct gs_arena arena = {0};
    struct gs_buf unread = {.arena = &arena};
    const int n = write_title(&unread, d);
    return n;
}

/* The title under so many blank lines, where the figure's stands, and over as many as others beside it have more. */
static void append_title(const struct gs_canvas *c, int blank, int lines)
{
    struct gs_buf title = {.arena = c->body->arena};
    const int own = write_title(&title, c->d);
    c->body->failed |= title.failed;
    const int under = gs_max(lines, own) - own;
    if (blank + own + under == 0)
        return;
    gs_buf_text(c->body, "set title ");
    for (int i = 0; i < blank; i++) /* the last line has no end */
        gs_buf_text(c->body, own > 0 || i + 1 < blank ? "\" \\n\"." : "' '");
    gs_buf_bytes(c->body, title.ptr, title.len);
    for (int i = 0; i < under; i++)
        gs_buf_text(c->body, blank + own + i > 0 ? ".\"\\n \"" : "' '");
    gs_buf_char(c->body, '\n');
}

static void append_no_data(const struct gs_canvas *c)
{
    gs_buf_text(c->body,
                "set xrange [0:1]\nset yrange [0:1]\nunset xtics\nunset ytics\nunset border\n"
                "set label 'no data' at graph 0.5, graph 0.5 center textcolor rgb gs_dim\n"
                "plot NaN notitle\n");
}

void gs_panel_append(const struct gs_drawn *d, int n, int blank, int lines, struct gs_buf *data,
                     struct gs_buf *body, struct gs_buf *hover)
{
    const struct gs_canvas c = {d, n, data, body, hover};
    append_title(&c, blank, lines);
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
