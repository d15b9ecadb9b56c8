/* gnuplot_heat.c - heat maps. */
#include <math.h>
#include <stdio.h>

#include "base/num/order.h"
#include "output/chart/canvas.h"
#include "output/text/cells.h"

enum {
    MAX_VALUED_CELLS = 100, /* beyond, values are left out   */
    MAX_HEAT_SIDE = 1024,   /* cells of a heat map's side; more rows share one, by their mean */
    MAX_COLOUR_NAME = 20,   /* columns beside the colour box */
    BOX_CHARS = 14,         /* columns that it takes with its numbers */
};

#define BRIGHT 0.47 /* of cividis; from there on black can be read better than white */

/* The cells of a heat map: a grid from (x0, y0) in steps. */
struct grid {
    double x0, y0, step_x, step_y;
    size_t n_x, n_y;
};

static struct grid grid_of(const struct gs_drawn *d)
{
    struct grid g = {.x0 = d->ax.lo, .y0 = d->ay.lo};
    g.step_x = gs_drawn_step(d, true);
    g.step_y = gs_drawn_step(d, false);
    /* Too fine a grid for its extent is drawn with several rows of data to a cell. */
    while ((d->ax.hi - d->ax.lo) / g.step_x >= MAX_HEAT_SIDE)
        g.step_x *= 2;
    while ((d->ay.hi - d->ay.lo) / g.step_y >= MAX_HEAT_SIDE)
        g.step_y *= 2;
    g.n_x = (size_t)((d->ax.hi - d->ax.lo) / g.step_x + 0.5) + 1;
    g.n_y = (size_t)((d->ay.hi - d->ay.lo) / g.step_y + 0.5) + 1;
    return g;
}

/* Values printed in the cells, dark on light and light on dark. */
static void append_cell_values(const struct gs_canvas *c, const struct gs_axis *range)
{
    const struct gs_drawn *const d = c->d;
    for (size_t i = 0; i < d->n && d->n <= MAX_VALUED_CELLS; i++) {
        const size_t row = d->rows[i];
        const double v = gs_drawn_value(d, row);
        if (!isfinite(v))
            continue;
        struct gs_buf text = {.arena = c->body->arena};
        if (d->values.n == 0 && gs_axis_is_scaled(range))
            gs_buf_four(&text, v / range->shown.factor);
        else
            gs_cell_for_people(&text, d->frame, row, (size_t)d->value);
        gs_canvas_label(c, &text, gs_drawn_x(d, row), gs_drawn_y(d, row));
        const bool bright = d->values.n > 0 || v > range->lo + BRIGHT * (range->hi - range->lo);
        gs_buf_text(c->body, " center noenhanced front textcolor rgb ");
        gs_buf_text(c->body, bright ? "'#000000'\n" : "'#ffffff'\n");
    }
}

static void append_heat_palette(const struct gs_canvas *c, const struct gs_axis *range)
{
    const struct gs_drawn *const d = c->d;
    /* gnuplot leaves no room for the label beside the tics. */
    struct gs_buf longest = {.arena = c->body->arena};
    double factor = 1;
    if (d->values.n == 0)
        factor = gs_axis_factor(range); /* numbers are in it */
    gs_real_for_people(&longest, range->hi / factor, (range->hi - range->lo) / factor < 20);
    const size_t usual = gs_canvas_room(c, 0.3), most = gs_min(usual, MAX_COLOUR_NAME);
    size_t tic_chars = longest.len;
    if (d->values.n > 0)
        tic_chars = gs_names_longest(&d->values);
    gs_buf_text(c->body, "set colorbox\n");
    if (!d->panel->aligned)
        gs_buf_format(c->body, "set rmargin %zu\n", (gs_min(most, tic_chars)) + 5);
    if (d->values.n > 0 && d->values.n <= GS_HEAT_MAX_COLOURS) {
        gs_buf_text(c->body, "set palette defined (");
        for (size_t i = 0; i < d->values.n; i++) {
            char colour[32] = "gs_grid"; /* all others */
            if (i + 1 < d->values.n || !d->has_others)
                (void)snprintf(colour, sizeof colour, "gs_colour[%zu]", i + 1);
            gs_buf_text_if(c->body, i > 0, ", ");
            gs_buf_format(c->body, "%zu %s, %zu %s", i, colour, i + 1, colour);
        }
        gs_buf_format(c->body, ")\nset cbrange [-0.5:%zu.5]\n", d->values.n - 1);
        gs_canvas_name_tics(c, "cb", &d->values, most, "");
        return;
    }
    /* cividis: read the same by every eye, and in grey. Source: Nuñez, Anderton, Renslow, PLOS ONE 2018. */
    gs_buf_text(c->body,
                "set palette defined (0 '#00224e', 1 '#123570', 2 '#3b496c', 3 '#575d6d', 4 "
                "'#707173', 5 '#8a8678', 6 '#a59c74', 7 '#c3b369', 8 '#e1cc55', 9 '#fee838')\n");
    gs_canvas_cbrange(c->body, range->lo, range->hi);
    struct gs_axis tics = *range;
    gs_axis_pad(&tics, 0, 0);
    gs_canvas_tics(c, "cb", &tics, d->px_height, 50);
}

/* gnuplot draws no image of one row or column: such a one is given twice, each half as wide. */
static size_t drawn_cells(size_t n)
{
    return n == 1 ? 2 : n;
}

/*
 * To the decimal place that is a hundred-thousandth of the scale or finer: more than a colour tells, and read in half
 * the time of all digits.
 */
static double rounded_on(const struct gs_axis *range, double value)
{
    enum { PLACES = 5, MOST = 15 };
    const double length = range->hi - range->lo;
    if (!(length > 0) || !isfinite(length))
        return value;
    const double places = PLACES - floor(log10(length)), power = pow(10, fabs(places));
    if (fabs(places) > MOST)
        return value;
    return places < 0 ? round(value / power) * power : round(value * power) / power;
}

static enum gs_status fill_grid(const struct gs_canvas *c, const struct grid *g,
                                struct gs_axis *range)
{
    const struct gs_drawn *const d = c->d;
    GS_OWN struct gs_arena arena = {0};
    double *const cell = gs_arena_take(&arena, g->n_x * g->n_y, sizeof *cell);
    uint32_t *const n = gs_arena_take(&arena, g->n_x * g->n_y, sizeof *n);
    if (cell == NULL || n == NULL)
        return GS_ERR_MEMORY;
    for (size_t i = 0; i < d->n; i++) {
        const size_t row = d->rows[i];
        const size_t x = (size_t)((gs_drawn_x(d, row) - g->x0) / g->step_x + 0.5);
        const size_t y = (size_t)((gs_drawn_y(d, row) - g->y0) / g->step_y + 0.5);
        const double v = gs_drawn_value(d, row);
        if (!isfinite(v))
            continue;
        double *const at = &cell[y * g->n_x + x];
        if (d->values.n > 0) /* of names the last: they have no mean */
            *at = 0;
        *at += v;
        n[y * g->n_x + x] += d->values.n == 0 || n[y * g->n_x + x] == 0;
    }
    for (size_t i = 0; i < g->n_x * g->n_y; i++) {
        cell[i] = n[i] > 0 ? cell[i] / n[i] : (double)NAN;
        gs_axis_see(range, cell[i]);
    }
    gs_canvas_open_block(c, 0);
    for (size_t y = 0; y < drawn_cells(g->n_y); y++) {
        for (size_t x = 0; x < drawn_cells(g->n_x); x++)
            gs_canvas_number(c->data, rounded_on(range, cell[y % g->n_y * g->n_x + x % g->n_x]));
        gs_buf_char(c->data, '\n');
    }
    gs_canvas_close_block(c);
    return GS_OK;
}

/*
 * The cells are counted on axes of their own, that lie on the others: to move each to its place gnuplot would evaluate
 * an expression, with a handler of signals set and unset around it.
 */
static void append_cells(const struct gs_canvas *c, const struct grid *g)
{
    gs_buf_format(c->body, "set x2range [-0.5:%zu.5] noextend\n", drawn_cells(g->n_x) - 1);
    const size_t last = drawn_cells(g->n_y) - 1;
    if (c->d->panel->down)
        gs_buf_format(c->body, "set y2range [%zu.5:-0.5] noextend\n", last);
    else
        gs_buf_format(c->body, "set y2range [-0.5:%zu.5] noextend\n", last);
    gs_buf_format(c->body, "plot $gs%d_0 matrix using 1:2:3 axes x2y2 with image notitle\n",
                  c->number);
}

void gs_canvas_heat(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    const struct grid g = grid_of(d);
    struct gs_axis range = gs_axis_empty(GS_AXIS_LINEAR);
    if (fill_grid(c, &g, &range) != GS_OK) {
        c->body->failed = true;
        return;
    }
    const bool timed = d->ax.kind == GS_AXIS_TIME; /* a cell is what follows its time */
    struct gs_axis ax = {.kind = d->ax.kind, .offset_s = d->ax.offset_s, .whole = true},
                   ay = {.whole = true};
    ax.lo = g.x0;
    if (!timed)
        ax.lo -= g.step_x / 2;
    ax.hi = ax.lo + (double)g.n_x * g.step_x;
    ay.lo = g.y0 - g.step_y / 2;
    ay.hi = ay.lo + (double)g.n_y * g.step_y;
    if (d->values.n == 0)
        gs_drawn_factor(d, &range, d->value);
    double names = 6 * d->px_char;
    if (d->y_names.n > 0)
        names = gs_canvas_names_px(c, &d->y_names);
    double x_room = d->px_width - names - BOX_CHARS * d->px_char, y_room = d->px_height;
    if (g.n_x < 6)
        x_room = (double)g.n_x * 80;
    if (g.n_y < 6)
        y_room = (double)g.n_y * 45;
    append_heat_palette(c, &range);
    gs_canvas_range(c->body, 'x', &ax);
    const struct gs_axis down = {
        .lo = ay.hi, .hi = ay.lo}; /* "reverse" does nothing to an axis without a plot */
    gs_canvas_range(c->body, 'y', d->panel->down ? &down : &ay);
    if (d->panel->down || (g.n_x > 8 && g.n_y > 8 && !timed))
        gs_buf_text(c->body, "set size ratio -1\n");
    if (d->x_names.n > 0)
        gs_canvas_name_tics(c, "x", &d->x_names, gs_canvas_room(c, 0.8 / (double)d->x_names.n),
                            "scale 0 ");
    else
        gs_canvas_tics(c, "x", &ax, x_room, 65);
    if (d->y_names.n > 0)
        gs_canvas_name_tics(c, "y", &d->y_names,
                            gs_canvas_names_room(c, d->y_names.name, d->y_names.n), "scale 0 ");
    else
        gs_canvas_tics(c, "y", &ay, y_room, 45);
    gs_canvas_axis_label(c, "xlabel", d->panel->x_label, d->x, &ax);
    if (d->y_names.n == 0 || d->panel->y_label != NULL)
        gs_canvas_axis_label(c, "ylabel", d->panel->y_label, d->y, &ay);
    /* names say what they are */
    if (d->values.n == 0 || d->frame->columns[d->value].spec->type != GS_TYPE_TEXT)
        gs_canvas_axis_label(c, "cblabel", NULL, d->value, &range);
    append_cell_values(c, &range);
    gs_buf_text(c->body, "unset grid\n");
    append_cells(c, &g);
}
