/* gnuplot_ranges.c - what extends: histograms, boxes with whiskers, spans of time. */

#include "output/chart/canvas.h"

/* The cumulative share on a scale of its own, right of the boxes: from nothing before the first to all after the last. */
static void append_cumulative(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    gs_canvas_open_block(c, 1);
    for (size_t i = 0; i < d->n; i++) {
        const size_t row = d->rows[i];
        if (i == 0) {
            gs_canvas_number(c->data, gs_drawn_x(d, row));
            gs_buf_text(c->data, "0\n");
        }
        GS_CANVAS_LINE(c, gs_drawn_number(d, row, d->x_end),
                       gs_drawn_number(d, row, d->cumulative));
    }
    gs_canvas_close_block(c);
}

static void set_cumulative_axis(const struct gs_canvas *c)
{
    gs_buf_text(c->body, "set y2range [0:105] noextend\nset border 11\n"
                         "set y2tics ('0 %%' 0, '25 %%' 25, '50 %%' 50, '75 %%' 75, '100 %%' 100) "
                         "scale 0.5 noenhanced textcolor rgb gs_fg\n");
}

void gs_canvas_histogram(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    struct gs_axis ax = d->ax, ay = d->ay;
    bool first = true;
    gs_canvas_axes(c, &ax, &ay);
    gs_canvas_marks(c, false);
    if (d->cumulative >= 0)
        set_cumulative_axis(c);
    gs_canvas_open_block(c, 0);
    gs_canvas_separator(c, &first);
    for (size_t i = 0; i < d->n; i++) {
        const size_t row = d->rows[i];
        GS_CANVAS_LINE(c, gs_drawn_x(d, row), gs_drawn_number(d, row, d->x_end),
                       gs_drawn_number(d, row, d->y));
        gs_canvas_hover(c, row);
    }
    gs_canvas_close_block(c);
    gs_buf_format(c->body,
                  "$gs%d_0 using (($1+$2)/2):3:1:2:(0):3 with boxxyerror fill solid 1 border rgb "
                  "gs_bg lt 1 notitle",
                  c->number);
    if (d->cumulative >= 0) {
        append_cumulative(c);
        gs_canvas_plot(c, &first, 1, "1:2 axes x1y2 with lines dt 1 lw 2 lc rgb gs_second notitle");
    }
    gs_buf_char(c->body, '\n');
}

#define SHAPE_HALF 0.4 /* of a row's height */

/* The outline of a row, up one side and down the other. False where it has none. */
static bool append_shape(const struct gs_canvas *c, size_t i, size_t block)
{
    const struct gs_drawn *const d = c->d;
    const struct gs_frame *const shape = d->panel->shape;
    const struct gs_column *const x = &d->frame->columns[d->x];
    size_t begin = 0, end;
    if (shape == NULL || x->spec->type != GS_TYPE_TEXT)
        return false;
    while (begin < shape->n_rows && !gs_str_eq(shape->columns[0].text[begin], x->text[d->rows[i]]))
        begin++;
    for (end = begin; end < shape->n_rows; end++)
        if (!gs_str_eq(shape->columns[0].text[end], x->text[d->rows[i]]))
            break;
    if (begin == end)
        return false;
    gs_canvas_open_block(c, block);
    const double *const x_of = shape->columns[1].real, *const width = shape->columns[2].real;
    for (size_t row = begin; row < end; row++)
        GS_CANVAS_LINE(c, x_of[row], (double)i - SHAPE_HALF * width[row]);
    for (size_t row = end; row-- > begin;)
        GS_CANVAS_LINE(c, x_of[row], (double)i + SHAPE_HALF * width[row]);
    gs_canvas_close_block(c);
    return true;
}

static void append_box_block(const struct gs_canvas *c, size_t block)
{
    const struct gs_drawn *const d = c->d;
    gs_canvas_open_block(c, block);
    for (size_t i = 0; i < d->n; i++) {
        gs_buf_format(c->data, "%zu ", i);
        for (size_t k = 0; k < GS_BOX_COLUMNS; k++)
            gs_canvas_number(c->data, gs_drawn_number(d, d->rows[i], d->box[k]));
        gs_buf_format(c->data, "%zu\n", gs_drawn_group(d, d->rows[i]) + 1);
    }
    gs_canvas_close_block(c);
}

/* The whisker, the box and its middle, each an element, over the shapes where there are any: then the box is slim. */
void gs_canvas_boxes(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    struct gs_axis value = d->ay;
    const size_t name_chars = gs_canvas_row_names(c);
    bool first = true;
    size_t block = 1;
    for (size_t i = 0; d->panel->shape != NULL && i < d->panel->shape->n_rows; i++)
        gs_axis_see(&value, d->panel->shape->columns[1].real[i]);
    gs_axis_pad(&value, 0.04, 0.06);
    gs_canvas_value_axis(c, &value, name_chars);
    gs_canvas_marks(c, true);
    gs_buf_text(c->body, "set grid noytics xtics\n");
    append_box_block(c, 0);
    for (size_t i = 0; i < d->n; i++) {
        if (!append_shape(c, i, block))
            continue;
        gs_canvas_plot(c, &first, block++,
                       "1:2 with filledcurves closed fill solid 1 noborder lt %zu notitle",
                       gs_drawn_group(d, d->rows[i]) + 1);
        gs_canvas_hover(c, d->rows[i]);
    }
    static const struct {
        const char *whisker, *half, *of_block, *box;
    } looks[] = {{"gs_dim", "0.3", ":7", "variable"}, {"gs_fg", "0.08", "", "rgb gs_fg"}};
    const bool shaped = block > 1;
    const char *const half = looks[shaped].half;
    gs_canvas_plot(c, &first, 0, "4:1:2:6 with xerrorbars pt 0 dt 1 lw 1.5 lc rgb %s notitle",
                   looks[shaped].whisker);
    gs_canvas_plot(c, &first, 0,
                   "4:1:3:5:($1-%s):($1+%s)%s with boxxyerror fill solid 1 noborder lc %s notitle",
                   half, half, looks[shaped].of_block, looks[shaped].box);
    for (size_t i = 0; i < d->n && i < GS_HOVER_MAX; i++)
        gs_canvas_hover(c, d->rows[i]);
    gs_canvas_separator(c, &first);
    if (shaped)
        gs_buf_format(c->body,
                      "$gs%d_0 using 4:1 with points pt 7 ps 0.7 lc rgb gs_bg notitle, \\\n"
                      "     $gs%d_0 using 4:1 with points pt 6 ps 0.7 lw 1 lc rgb gs_fg notitle\n",
                      c->number, c->number);
    else
        gs_buf_format(c->body,
                      "$gs%d_0 using 4:($1-0.3):(0):(0.6) with vectors nohead dt 1 lw 2 lc rgb "
                      "gs_bg notitle\n",
                      c->number);
}

/* A bar for each span, as high as the line of its name. */
void gs_canvas_spans(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    struct gs_axis ax = d->ax, ay = d->ay;
    bool first = true;
    gs_canvas_axes(c, &ax, &ay);
    gs_buf_text(c->body, "set yrange [] reverse\nset grid noytics xtics\n");
    gs_canvas_marks(c, false);
    gs_canvas_key(c);
    for (size_t s = 0; s < gs_drawn_n_series(d); s++) {
        if (gs_drawn_series_start(d, s) == d->series_end[s])
            continue;
        gs_canvas_open_block(c, s);
        gs_canvas_separator(c, &first);
        for (size_t i = gs_drawn_series_start(d, s); i < d->series_end[s]; i++) {
            GS_CANVAS_LINE(c, gs_drawn_x(d, d->rows[i]), gs_drawn_number(d, d->rows[i], d->x_end),
                           gs_drawn_y(d, d->rows[i]));
            if (d->n <= GS_HOVER_MAX)
                gs_canvas_hover(c, d->rows[i]);
        }
        gs_canvas_close_block(c);
        gs_buf_format(c->body,
                      "$gs%d_%zu using 1:3:1:2:($3-0.4):($3+0.4) with boxxyerror fill solid 1 "
                      "noborder lt %zu notitle",
                      c->number, s, s + 1);
        if (gs_drawn_has_group(d, s))
            gs_canvas_key_entry(c, s, "boxes fill solid 1 noborder");
    }
    gs_buf_char(c->body, '\n');
}
