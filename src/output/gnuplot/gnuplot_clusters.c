/* gnuplot_clusters.c - clusters of bars. */
#include <math.h>

#include "output/chart/canvas.h"
#include "output/chart/cluster.h"

/* The middle of a bar: those of a cluster stand side by side. */
static double place_of(const struct gs_drawn *d, size_t row, double width)
{
    return gs_drawn_x(d, row) - 0.4 + ((double)gs_drawn_group(d, row) + 0.5) * width;
}

static void append_cluster_values(const struct gs_canvas *c, double width,
                                  enum gs_cluster_values how)
{
    const struct gs_drawn *const d = c->d;
    for (size_t i = 0; i < d->n && how != GS_CLUSTER_NONE; i++) {
        const size_t row = d->rows[i];
        const double y = gs_drawn_number(d, row, d->y);
        struct gs_buf text = {.arena = c->body->arena};
        gs_cluster_value(&text, d, row);
        gs_canvas_label(c, &text, place_of(d, row, width), gs_drawn_end(d, row));
        static const char *const places[2][2] = {
            {" rotate by 90 left offset 0,char 0.4", " rotate by 90 right offset 0,char -0.4"},
            {" center offset 0,char 0.6", " center offset 0,char -0.6"}};
        gs_buf_text(c->body, places[how == GS_CLUSTER_FLAT][y < 0]);
        gs_buf_text(c->body, " noenhanced front textcolor rgb gs_fg font gs_small\n");
    }
}

/* The bars of a series that have much, or little, behind them. */
static void append_series(const struct gs_canvas *c, size_t s, bool thin, double width,
                          size_t *block, bool *first)
{
    const struct gs_drawn *const d = c->d;
    size_t n = 0;
    for (size_t i = gs_drawn_series_start(d, s); i < d->series_end[s]; i++)
        n += gs_drawn_is_thin(d, d->rows[i]) == thin;
    if (n == 0)
        return;
    gs_canvas_separator(c, first);
    gs_canvas_open_block(c, *block);
    for (size_t i = gs_drawn_series_start(d, s); i < d->series_end[s]; i++) {
        if (gs_drawn_is_thin(d, d->rows[i]) != thin)
            continue;
        GS_CANVAS_LINE(c, place_of(d, d->rows[i], width), gs_drawn_number(d, d->rows[i], d->y),
                       width * 0.92);
        gs_canvas_hover(c, d->rows[i]);
    }
    gs_canvas_close_block(c);
    gs_buf_format(c->body, "$gs%d_%zu using 1:2:3 with boxes fill %s lt %zu dt 1 notitle",
                  c->number, (*block)++, gs_canvas_fill(thin), s + 1);
}

/* The interval of each bar that has one. */
static void append_intervals(const struct gs_canvas *c, const struct gs_axis *ay, double width,
                             size_t block, bool *first)
{
    const struct gs_drawn *const d = c->d;
    if (d->low < 0 || d->high < 0)
        return;
    gs_canvas_open_block(c, block);
    for (size_t i = 0; i < d->n; i++) {
        const size_t row = d->rows[i];
        double low = gs_drawn_number(d, row, d->low);
        const double high = gs_drawn_number(d, row, d->high), y = gs_drawn_number(d, row, d->y);
        if (!isfinite(low) || !isfinite(high))
            continue;
        if (d->ay.kind == GS_AXIS_LOG && low <= 0) /* down to the axis */
            low = ay->lo;
        GS_CANVAS_LINE(c, place_of(d, row, width), y, low, high);
    }
    gs_canvas_close_block(c);
    /* On a ground of their own, to be seen on light and on dark bars; yerrorbars would blank out a disc. */
    static const char *const lines[] = {"lw 4 lc rgb gs_bg", "lw 1.5 lc rgb gs_fg"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        gs_canvas_plot(c, first, block, "1:2:1:1:3:4 with xyerrorbars pt 0 dt 1 %s notitle",
                       lines[i]);
    }
}

void gs_canvas_clusters(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    struct gs_axis ax, ay = d->ay;
    const double width = 0.8 / (double)gs_drawn_n_series(d);
    const enum gs_cluster_values values = gs_cluster_values_of(d);
    const bool raised = values == GS_CLUSTER_UPRIGHT && ay.kind == GS_AXIS_LINEAR;
    double room = 0.1;
    if (raised)
        room = 0.02;
    else if (values == GS_CLUSTER_UPRIGHT)
        room = 0.28;
    if (raised)
        gs_cluster_room(d, &ay);
    const bool logarithmic = ay.kind == GS_AXIS_LOG, down = logarithmic || ay.lo < 0,
               up = logarithmic || ay.hi > 0;
    gs_axis_pad(&ay, down * room, up * room);
    ax = (struct gs_axis){.lo = -0.6, .hi = (double)d->x_names.n - 0.4};
    gs_canvas_range(c->body, 'x', &ax);
    gs_canvas_range(c->body, 'y', &ay);
    gs_canvas_names_under(c, "scale 0 ");
    gs_canvas_tics(c, "y", &ay, d->px_height, 45);
    /* names say what they are */
    if (d->panel->x_label != NULL || d->frame->columns[d->x].spec->type != GS_TYPE_TEXT)
        gs_canvas_axis_label(c, "xlabel", d->panel->x_label, d->x, &ax);
    gs_canvas_axis_label(c, "ylabel", d->panel->y_label, d->y, &ay);
    append_cluster_values(c, width, values);
    gs_canvas_marks(c, false);
    gs_canvas_key(c);
    bool first = true;
    size_t block = 0;
    for (size_t s = 0; s < gs_drawn_n_series(d); s++) {
        if (gs_drawn_series_start(d, s) == d->series_end[s])
            continue;
        for (int thin = 0; thin < 2; thin++)
            append_series(c, s, thin != 0, width, &block, &first);
        gs_canvas_key_entry(c, s, "boxes fill solid 1 noborder");
    }
    append_intervals(c, &ay, width, block, &first);
    gs_buf_char(c->body, '\n');
}
