/* plot_default.c - a figure for a frame whose command describes none. */
#include "draw/gnuplot.h"

enum {
    MAX_PANELS = 6,
    MAX_BARS = 60, /* more rows than this are points, not bars */
};

static bool is_number(const struct gs_column *c)
{
    return c->spec->type == GS_TYPE_REAL || (c->spec->type == GS_TYPE_INT && !c->spec->is_id);
}

/* Has the column a value to draw? */
static bool has_values(const struct gs_frame *f, size_t column)
{
    for (size_t r = 0; r < f->n_rows; r++)
        if (!gs_frame_is_missing(f, r, column))
            return true;
    return false;
}

/* The first column that can stand along x: names for few rows, else time, else any number. */
static int choose_x(const struct gs_frame *f, bool bars)
{
    for (size_t c = 0; c < f->n_columns; c++)
        if (bars ? !is_number(&f->columns[c]) : f->columns[c].spec->type == GS_TYPE_TIME)
            return (int)c;
    for (size_t c = 0; c < f->n_columns; c++)
        if (is_number(&f->columns[c]))
            return (int)c;
    return -1;
}

const struct gs_plot *gs_plot_of(const struct gs_frame *f, struct gs_arena *arena)
{
    if (f->plot != NULL)
        return f->plot;
    const bool bars = f->n_rows <= MAX_BARS;
    const int x = choose_x(f, bars);
    struct gs_panel *const panels = gs_arena_take(arena, MAX_PANELS, sizeof *panels);
    struct gs_plot *const plot = gs_arena_take(arena, 1, sizeof *plot);
    if (x < 0 || panels == NULL || plot == NULL)
        return NULL;
    const bool over_time = f->columns[x].spec->type == GS_TYPE_TIME && !bars;
    int n = 0;
    for (size_t c = 0; c < f->n_columns && n < MAX_PANELS; c++) {
        if (c == (size_t)x || !is_number(&f->columns[c]) || !has_values(f, c))
            continue;
        panels[n++] = (struct gs_panel){
            .kind = bars        ? GS_PLOT_BARS
                    : over_time ? GS_PLOT_LINES
                                : GS_PLOT_SCATTER,
            .x = f->columns[x].spec->name,
            .y = f->columns[c].spec->name,
            .may_log = true,
        };
    }
    if (n == 0)
        return NULL;
    *plot = (struct gs_plot){
        .name = f->name, .title = f->title, .n_panels = n, .panels = panels, .columns = n == 1 ? 1 : 2};
    return plot;
}
