/* gnuplot_points.c - scatter, lines and points with errors, with fits and smooths over them. */
#include <math.h>

#include "output/chart/canvas.h"
#include "base/num/order.h"

/* The two ends of a line. */
static void append_ends(const struct gs_canvas *c, size_t block, double x0, double y0, double x1,
                        double y1)
{
    gs_canvas_open_block(c, block);
    GS_CANVAS_LINE(c, x0, y0);
    GS_CANVAS_LINE(c, x1, y1);
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
    const double slope = sxy / sxx;
    append_ends(c, block, lo, my + slope * (lo - mx), hi, my + slope * (hi - mx));
    return true;
}

/* The lines that lie over points and curves: fit, smooth, identity. Blocks are numbered from `series`. */
static void append_overlays(const struct gs_canvas *c, size_t series, const struct gs_axis *ax,
                            const struct gs_axis *ay, bool *first)
{
    const struct gs_drawn *const d = c->d;
    if (d->smooth >= 0) {
        gs_canvas_open_block(c, series);
        for (size_t i = 0; i < d->n; i++)
            GS_CANVAS_LINE(c, gs_drawn_x(d, d->rows[i]), gs_drawn_number(d, d->rows[i], d->smooth));
        gs_canvas_close_block(c);
        gs_canvas_plot(c, first, series++,
                       "1:2 smooth unique with lines dt 1 lw 2.5 lc rgb gs_second notitle");
    }
    for (size_t s = 0; d->panel->line_each && d->groups.n > 1 && s < gs_drawn_n_series(d); s++) {
        if (!append_own_line(c, s, series))
            continue;
        gs_canvas_plot(c, first, series, "1:2 with lines dt 1 lw 3 lc rgb gs_bg notitle");
        gs_canvas_plot(c, first, series++, "1:2 with lines lt %zu dt 1 lw 2 notitle", s + 1);
    }
    if (gs_drawn_has_fit(d) && ax->kind != GS_AXIS_LOG && ay->kind != GS_AXIS_LOG) {
        const struct gs_fit *const fit = d->panel->fit;
        append_ends(c, series, ax->lo, fit->intercept + fit->slope * ax->lo, ax->hi,
                    fit->intercept + fit->slope * ax->hi);
        gs_canvas_plot(c, first, series++, "1:2 with lines dt 2 lw 1.5 lc rgb gs_dim notitle");
    }
    if (d->panel->identity) {
        const double lo = fmax(ax->lo, ay->lo), hi = fmin(ax->hi, ay->hi);
        append_ends(c, series, lo, lo, hi, hi);
        gs_canvas_plot(c, first, series++,
                       "1:2 with lines dt 2 lw 1.5 lc rgb gs_dim title 'equal'");
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

/* Points with errors of several series at whole places stand side by side, each a little beside its place. */
static bool are_side_by_side(const struct gs_drawn *d)
{
    return d->panel->kind == GS_PLOT_POINTS_ERROR && gs_drawn_n_series(d) > 1 && d->ax.whole &&
           d->ax.kind == GS_AXIS_LINEAR;
}

static double beside(const struct gs_drawn *d, size_t series)
{
    if (!are_side_by_side(d))
        return 0;
    const double n = (double)gs_drawn_n_series(d), apart = fmin(0.16, 0.6 / n);
    return ((double)series - (n - 1) / 2) * apart;
}

static void append_points_block(const struct gs_canvas *c, size_t series)
{
    const struct gs_drawn *const d = c->d;
    gs_canvas_open_block(c, series);
    for (size_t i = gs_drawn_series_start(d, series); i < d->series_end[series]; i++) {
        const size_t row = d->rows[i];
        const double y = gs_drawn_y(d, row);
        if (isfinite(y)) {
            gs_canvas_number(c->data, gs_drawn_x(d, row) + beside(d, series));
            gs_canvas_number(c->data, y);
            if (d->x_error >= 0)
                gs_canvas_number(c->data, or_zero(gs_drawn_number(d, row, d->x_error)));
            if (d->y_error >= 0)
                gs_canvas_number(c->data, or_zero(gs_drawn_number(d, row, d->y_error)));
            if (has_interval(d)) {
                const double low = gs_drawn_number(d, row, d->low),
                             high = gs_drawn_number(d, row, d->high);
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
        GS_CANVAS_LINE(c, gs_drawn_x(d, d->rows[i]), fmin(fmax(y, ay->lo), ay->hi));
    }
    if (any)
        gs_canvas_close_block(c);
    return any;
}

/* The size of points among so many. */
static const char *size_of(size_t n)
{
    if (n > 2000)
        return "0.25";
    if (n > 200)
        return "0.4";
    return "0.8";
}

/* Series of points lie among each other: of two clouds drawn one after the other the second would hide the first. */
static bool are_mixed(const struct gs_drawn *d)
{
    return d->panel->kind == GS_PLOT_SCATTER && gs_drawn_n_series(d) > 1;
}

/* Tells of a row whose mark can be hit with a mouse; a line has no marks. */
static void note_result(const struct gs_canvas *c, size_t row)
{
    if (c->d->panel->kind != GS_PLOT_LINES && c->d->n <= GS_HOVER_MAX)
        gs_canvas_hover(c, row);
}

/* A point and where it comes among all. */
struct turn {
    double at;
    size_t series, row;
};

GS_COMPARES(compare_turns, struct turn, GS_BY(at) GS_BY(series));

#define GOLDEN                                                                                     \
    0.6180339887498949 /* the fractions of its multiples fill 0 to 1 evenly, however many there are */

/* All points, so that from any of them on as large a share is left of each series and of each part of it. */
static struct turn *mix(const struct gs_drawn *d, struct gs_arena *arena)
{
    struct turn *const turn = gs_arena_take_raw(arena, d->n, sizeof *turn);
    for (size_t s = 0, k = 0; turn != NULL && s < gs_drawn_n_series(d); s++) {
        const size_t begin = gs_drawn_series_start(d, s), n = d->series_end[s] - begin;
        for (size_t i = 0; i < n; i++)
            turn[k++] = (struct turn){fmod((double)i * GOLDEN + (double)s * GOLDEN / 2, 1), s,
                                      d->rows[begin + i]};
    }
    GS_SORT(turn, d->n, compare_turns);
    return turn;
}

/* All points in one block, each with its shape and its colour. The shapes are those of the linetypes. */
static void append_mixed(const struct gs_canvas *c, bool *first)
{
    static const int shape[] = {7, 5, 9, 11, 13, 15, 6, 4};
    enum { SHAPES = sizeof shape / sizeof *shape };
    const struct gs_drawn *const d = c->d;
    GS_OWN struct gs_arena arena = {0};
    const struct turn *const turn = mix(d, &arena);
    c->body->failed |= turn == NULL;
    gs_canvas_separator(c, first);
    gs_canvas_open_block(c, 0);
    for (size_t i = 0; turn != NULL && i < d->n; i++) {
        gs_canvas_number(c->data, gs_drawn_x(d, turn[i].row));
        gs_canvas_number(c->data, gs_drawn_y(d, turn[i].row));
        gs_buf_format(c->data, "%d %zu\n", shape[turn[i].series % SHAPES],
                      turn[i].series % SHAPES + 1);
        note_result(c, turn[i].row);
    }
    gs_canvas_close_block(c);
    gs_buf_format(c->body,
                  "$gs%d_0 using 1:2:3:4 with points ps %s pt variable lc variable notitle",
                  c->number, size_of(d->n));
    for (size_t s = 0; s < gs_drawn_n_series(d); s++)
        if (gs_drawn_series_start(d, s) < d->series_end[s])
            gs_canvas_key_entry(c, s, "points ps 1");
}

static const char *style_of(const struct gs_drawn *d, size_t n)
{
    if (d->panel->kind == GS_PLOT_LINES && n < 3)
        return "1:2 with linespoints pt 7 ps 0.5 lw 2";
    if (d->panel->kind == GS_PLOT_LINES)
        return "1:2 with lines lw 2";
    if (has_interval(d))
        return "1:2:3:4 with yerrorbars dt 1 lw 1.2 ps 0.8";
    const bool dx = d->x_error >= 0, dy = d->y_error >= 0;
    const bool bars = d->panel->kind == GS_PLOT_POINTS_ERROR;
    if (bars && dx && dy)
        return "1:2:3:4 with xyerrorbars dt 1 lw 1.2 ps 0.8";
    if (bars && dx)
        return "1:2:3 with xerrorbars dt 1 lw 1.2 ps 0.8";
    if (bars && dy)
        return "1:2:3 with yerrorbars dt 1 lw 1.2 ps 0.8";
    return NULL;
}

/* Each series in its own colour, points and dashes: colour is never alone. */
static void append_apart(const struct gs_canvas *c, bool *first)
{
    const struct gs_drawn *const d = c->d;
    for (size_t s = 0; s < gs_drawn_n_series(d); s++) {
        if (gs_drawn_series_start(d, s) == d->series_end[s])
            continue;
        append_points_block(c, s);
        gs_canvas_separator(c, first);
        for (size_t i = gs_drawn_series_start(d, s); i < d->series_end[s]; i++)
            note_result(c, d->rows[i]);
        const char *const style = style_of(d, d->n);
        gs_buf_format(c->body, "$gs%d_%zu using ", c->number, s);
        if (style != NULL)
            gs_buf_text(c->body, style);
        else
            gs_buf_format(c->body, "1:2 with points ps %s", size_of(d->n));
        gs_buf_format(c->body, " lt %zu notitle", s + 1);
        const bool lines = d->panel->kind == GS_PLOT_LINES;
        gs_canvas_key_entry(c, s, lines ? "lines lw 2.5" : "points ps 1");
    }
}

/* Scatter, lines and points with errors differ only in their style. */
void gs_canvas_points(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    struct gs_axis ax = d->ax, ay = d->ay;
    if (are_side_by_side(d)) { /* the first and the last have room, too */
        ax.lo -= 0.5;
        ax.hi += 0.5;
    }
    gs_canvas_axes(c, &ax, &ay);
    gs_canvas_marks(c, false);
    gs_canvas_key(c);
    bool first = true;
    if (are_mixed(d))
        append_mixed(c, &first);
    else
        append_apart(c, &first);
    size_t block = gs_drawn_n_series(d);
    if (d->panel->far_column != GS_COL_NONE && append_far(c, block, &ay)) {
        gs_canvas_plot(c, &first, block++, "1:2 with points pt 9 ps 0.9 lc rgb gs_second notitle");
    }
    append_overlays(c, block, &ax, &ay, &first);
    gs_buf_char(c->body, '\n');
}
