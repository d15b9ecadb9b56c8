/* gnuplot_points.c - scatter, lines and points with errors, with fits and smooths over them. */
#include <math.h>

#include "draw/canvas.h"

/* Two points of the fitted line, at the ends of the axis and inside the panel's height. */
static void append_fit(const struct gs_canvas *c, size_t series, const struct gs_axis *ax)
{
    const struct gs_fit *const fit = c->d->panel->fit;
    gs_canvas_open_block(c, series);
    for (int i = 0; i < 2; i++) {
        const double x = i == 0 ? ax->lo : ax->hi;
        gs_canvas_number(c->data, x);
        gs_canvas_number(c->data, fit->intercept + fit->slope * x);
        gs_buf_char(c->data, '\n');
    }
    gs_canvas_close_block(c);
}

/* The least-squares line of a group, from its least x to its greatest. False where it has none. */
static bool append_own_line(const struct gs_canvas *c, size_t s, size_t block)
{
    const struct gs_drawn *const d = c->d;
    const size_t begin = gs_drawn_series_start(d, s), end = d->series_end[s];
    double mx = 0, my = 0, sxx = 0, sxy = 0, lo = (double)INFINITY, hi = -lo;
    const double n = (double)(end - begin);
    for (size_t i = begin; i < end; i++) {
        mx += gs_drawn_x(d, d->rows[i]) / n;
        my += gs_drawn_y(d, d->rows[i]) / n;
    }
    for (size_t i = begin; i < end; i++) {
        const double dx = gs_drawn_x(d, d->rows[i]) - mx;
        sxx += dx * dx;
        sxy += dx * (gs_drawn_y(d, d->rows[i]) - my);
        lo = fmin(lo, mx + dx);
        hi = fmax(hi, mx + dx);
    }
    if (!(sxx > 0) || !isfinite(sxy) || end - begin < 3)
        return false;
    gs_canvas_open_block(c, block);
    for (int i = 0; i < 2; i++) {
        const double x = i == 0 ? lo : hi;
        gs_canvas_number(c->data, x);
        gs_canvas_number(c->data, my + sxy / sxx * (x - mx));
        gs_buf_char(c->data, '\n');
    }
    gs_canvas_close_block(c);
    return true;
}

/* The lines that lie over points and curves: fit, smooth, identity. Blocks are numbered from `series`. */
static void append_overlays(const struct gs_canvas *c, size_t series, const struct gs_axis *ax,
                            const struct gs_axis *ay, bool *first)
{
    const struct gs_drawn *const d = c->d;
    if (d->smooth >= 0) {
        gs_canvas_open_block(c, series);
        for (size_t i = 0; i < d->n; i++) {
            gs_canvas_number(c->data, gs_drawn_x(d, d->rows[i]));
            gs_canvas_number(c->data, gs_drawn_number(d, d->rows[i], d->smooth));
            gs_buf_char(c->data, '\n');
        }
        gs_canvas_close_block(c);
        gs_canvas_separator(c, first);
        gs_buf_format(c->body, "$gs%d_%zu using 1:2 smooth unique with lines dt 1 lw 2.5 lc rgb gs_second notitle",
                      c->number, series++);
    }
    for (size_t s = 0; d->panel->line_each && d->groups.n > 1 && s < gs_drawn_n_series(d); s++) {
        if (!append_own_line(c, s, series))
            continue;
        gs_canvas_separator(c, first);
        gs_buf_format(c->body, "$gs%d_%zu using 1:2 with lines dt 1 lw 3 lc rgb gs_bg notitle", c->number, series);
        gs_canvas_separator(c, first);
        gs_buf_format(c->body, "$gs%d_%zu using 1:2 with lines lt %zu dt 1 lw 2 notitle", c->number, series++, s + 1);
    }
    if (gs_drawn_has_fit(d) && ax->kind != GS_AXIS_LOG && ay->kind != GS_AXIS_LOG) {
        append_fit(c, series, ax);
        gs_canvas_separator(c, first);
        gs_buf_format(c->body, "$gs%d_%zu using 1:2 with lines dt 2 lw 1.5 lc rgb gs_dim notitle", c->number, series++);
    }
    if (d->panel->identity) {
        gs_canvas_open_block(c, series);
        const double lo = fmax(ax->lo, ay->lo), hi = fmin(ax->hi, ay->hi);
        gs_buf_number(c->data, lo);
        gs_buf_char(c->data, ' ');
        gs_canvas_number(c->data, lo);
        gs_buf_char(c->data, '\n');
        gs_canvas_number(c->data, hi);
        gs_canvas_number(c->data, hi);
        gs_buf_char(c->data, '\n');
        gs_canvas_close_block(c);
        gs_canvas_separator(c, first);
        gs_buf_format(c->body, "$gs%d_%zu using 1:2 with lines dt 2 lw 1.5 lc rgb gs_dim title 'equal'", c->number,
                      series++);
    }
}

static double or_zero(double v)
{
    return isfinite(v) ? v : 0;
}

static bool has_interval(const struct gs_drawn *d)
{
    return d->panel->kind == GS_PLOT_POINTS_ERROR && d->low >= 0 && d->high >= 0;
}

static void append_points_block(const struct gs_canvas *c, size_t series)
{
    const struct gs_drawn *const d = c->d;
    gs_canvas_open_block(c, series);
    for (size_t i = gs_drawn_series_start(d, series); i < d->series_end[series]; i++) {
        const size_t row = d->rows[i];
        const double y = gs_drawn_y(d, row);
        if (isfinite(y)) {
            gs_canvas_number(c->data, gs_drawn_x(d, row));
            gs_canvas_number(c->data, y);
            if (d->x_error >= 0)
                gs_canvas_number(c->data, or_zero(gs_drawn_number(d, row, d->x_error)));
            if (d->y_error >= 0)
                gs_canvas_number(c->data, or_zero(gs_drawn_number(d, row, d->y_error)));
            if (has_interval(d)) {
                const double low = gs_drawn_number(d, row, d->low), high = gs_drawn_number(d, row, d->high);
                gs_canvas_number(c->data, isfinite(low) ? low : y);
                gs_canvas_number(c->data, isfinite(high) ? high : y);
            }
        }
        gs_buf_char(c->data, '\n'); /* alone, where y is missing, it breaks the line */
    }
    gs_canvas_close_block(c);
}

/* Readings far beyond the axis, as triangles at its edge. False where there are none. */
static bool append_far(const struct gs_canvas *c, size_t block, const struct gs_axis *ay)
{
    const struct gs_drawn *const d = c->d;
    bool any = false;
    for (size_t i = 0; i < d->n; i++) {
        const double y = gs_drawn_y(d, d->rows[i]);
        if (!(y > ay->hi) && !(y < ay->lo))
            continue;
        if (!any)
            gs_canvas_open_block(c, block);
        any = true;
        gs_canvas_number(c->data, gs_drawn_x(d, d->rows[i]));
        gs_canvas_number(c->data, y > ay->hi ? ay->hi : ay->lo);
        gs_buf_char(c->data, '\n');
    }
    if (any)
        gs_canvas_close_block(c);
    return any;
}

static const char *style_of(const struct gs_drawn *d, size_t n)
{
    if (d->panel->kind == GS_PLOT_LINES)
        return n < 3 ? "using 1:2 with linespoints pt 7 ps 0.5 lw 2" : "using 1:2 with lines lw 2";
    if (has_interval(d))
        return "using 1:2:3:4 with yerrorbars dt 1 lw 1.2 ps 0.8";
    const bool dx = d->x_error >= 0, dy = d->y_error >= 0;
    if (d->panel->kind == GS_PLOT_POINTS_ERROR && (dx || dy))
        return dx && dy ? "using 1:2:3:4 with xyerrorbars dt 1 lw 1.2 ps 0.8"
               : dx     ? "using 1:2:3 with xerrorbars dt 1 lw 1.2 ps 0.8"
                        : "using 1:2:3 with yerrorbars dt 1 lw 1.2 ps 0.8";
    return n > 2000  ? "using 1:2 with points ps 0.25"
           : n > 200 ? "using 1:2 with points ps 0.4"
                     : "using 1:2 with points ps 0.8";
}

/* Points that can be hit with a mouse say what they are; a line has no marks. */
static bool tells(const struct gs_drawn *d)
{
    return d->panel->kind != GS_PLOT_LINES && d->n <= GS_HOVER_MAX;
}

/* Scatter, lines and points with errors differ only in their style. */
void gs_canvas_points(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    struct gs_axis ax = d->ax, ay = d->ay;
    gs_canvas_axes(c, &ax, &ay);
    gs_canvas_marks(c, false);
    gs_canvas_key(c);
    bool first = true;
    for (size_t s = 0; s < gs_drawn_n_series(d); s++) {
        if (gs_drawn_series_start(d, s) == d->series_end[s])
            continue;
        append_points_block(c, s);
        gs_canvas_separator(c, &first);
        for (size_t i = gs_drawn_series_start(d, s); i < d->series_end[s] && tells(d); i++)
            gs_canvas_hover(c, d->rows[i]);
        /* gs_lt cycles through the palette, points and dashes: colour is never alone. */
        gs_buf_format(c->body, "$gs%d_%zu %s lt %zu notitle", c->number, s, style_of(d, d->n), s + 1);
        gs_canvas_key_entry(c, s, d->panel->kind == GS_PLOT_LINES ? "lines lw 2.5" : "points ps 1");
    }
    size_t block = gs_drawn_n_series(d);
    if (d->panel->far_column != NULL && append_far(c, block, &ay)) {
        gs_canvas_separator(c, &first);
        gs_buf_format(c->body, "$gs%d_%zu using 1:2 with points pt 9 ps 0.9 lc rgb gs_second notitle", c->number,
                      block++);
    }
    append_overlays(c, block, &ax, &ay, &first);
    gs_buf_char(c->body, '\n');
}
