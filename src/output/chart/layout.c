/* layout.c - which panels a figure has, and how they share its picture. */
#include <math.h>

#include "base/num/order.h"
#include "output/chart/cluster.h"
#include "output/text/cells.h"

/* Growing moves the panels: pointers to one may be kept only after the last was added. */
static enum gs_status add_panel(struct gs_figure *fig, const struct gs_frame *f,
                                const struct gs_panel *panel, const struct gs_facet *facet,
                                const struct gs_draw_options *options, struct gs_arena *arena,
                                struct gs_err *err)
{
    if (fig->n == fig->capacity) {
        const size_t more = gs_max(8, fig->capacity * 2);
        struct gs_drawn *const grown =
            gs_arena_grow(arena, fig->drawn, fig->capacity, more, sizeof *grown);
        GS_TRY(gs_had_memory(grown != NULL, err));
        fig->drawn = grown;
        fig->capacity = more;
    }
    struct gs_drawn *const d = &fig->drawn[fig->n++];
    GS_TRY(gs_drawn_open(d, f, panel, facet, options, arena, err));
    return gs_drawn_thin(d, arena, err);
}

/* Appends a remark to the figure's title. */
static enum gs_status remark(struct gs_figure *fig, struct gs_arena *arena,
                             const struct gs_buf *text, struct gs_err *err)
{
    struct gs_buf title = {.arena = arena};
    gs_buf_text(&title, gs_or_empty(fig->title));
    gs_buf_text_if(&title, title.len > 0, " ");
    gs_buf_char(&title, '(');
    gs_buf_bytes(&title, text->ptr, text->len);
    gs_buf_char(&title, ')');
    GS_TRY(gs_had_memory(!title.failed && !text->failed, err));
    fig->title = title.ptr;
    return GS_OK;
}

/* The first sees what the second saw. */
static void share_axes(struct gs_drawn *d, const struct gs_drawn *other)
{
    gs_axis_see(&d->ax, other->ax.lo);
    gs_axis_see(&d->ax, other->ax.hi);
    gs_axis_see(&d->ay, other->ay.lo);
    gs_axis_see(&d->ay, other->ay.hi);
}

/*
 * A column may have a value for every GPU of a cluster. The bound keeps gnuplot's run time
 * finite, and the title gives the number that was left out.
 */
static enum gs_status add_facets(struct gs_figure *fig, const struct gs_frame *f,
                                 const struct gs_panel *panel,
                                 const struct gs_draw_options *options, struct gs_arena *arena,
                                 struct gs_err *err)
{
    enum { MAX_FACETS = 64 };
    struct gs_names names = {0};
    const int column = gs_frame_column(f, panel->facet);
    if (column < 0)
        return gs_fail(err, GS_ERR_INTERNAL, "frame %s has no column to draw panels by", f->name);
    GS_TRY(gs_names_of(&names, f, (size_t)column, arena, err));
    const size_t first = fig->n;
    for (size_t i = 0; i < names.n && i < MAX_FACETS; i++)
        GS_TRY(add_panel(fig, f, panel, &(struct gs_facet){&names, i}, options, arena, err));
    if (names.n > MAX_FACETS) {
        struct gs_buf cut = {.arena = arena};
        gs_buf_format(&cut, "the first %d of ", MAX_FACETS);
        gs_real_for_people(&cut, (double)names.n, 0);
        GS_TRY(remark(fig, arena, &cut, err));
    }
    for (size_t i = first; panel->shared && i < fig->n; i++)
        for (size_t k = first; k < fig->n; k++)
            share_axes(&fig->drawn[i], &fig->drawn[k]);
    return GS_OK;
}

/* A panel of which nothing is known would be an empty frame: it is named in the title. Of nothing but such the first stays. */
static enum gs_status leave_out_empty(struct gs_figure *fig, struct gs_arena *arena,
                                      struct gs_err *err)
{
    enum { NAMED = 3 };
    struct gs_buf names = {.arena = arena};
    size_t kept = 0, left = 0;
    for (size_t i = 0; i < fig->n; i++)
        kept += !gs_drawn_is_empty(&fig->drawn[i]);
    if (kept == fig->n)
        return GS_OK;
    const bool none = kept == 0;
    kept = 0;
    for (size_t i = 0; i < fig->n; i++) {
        struct gs_buf title = {.arena = arena};
        if (!gs_drawn_is_empty(&fig->drawn[i])) {
            fig->drawn[kept++] = fig->drawn[i];
            continue;
        }
        gs_panel_title(&title, &fig->drawn[i]);
        if (left == 0)
            gs_buf_text(&names, "no data: ");
        else if (left <= NAMED)
            gs_buf_text(&names, ", ");
        if (left < NAMED)
            gs_buf_bytes(&names, title.ptr, title.len);
        else if (left == NAMED)
            gs_buf_text(&names, "...");
        left++;
        names.failed |= title.failed;
    }
    fig->n = none ? 1 : kept;
    fig->is_cut = true;
    return remark(fig, arena, &names, err);
}

/* A lone map of places has square cells; any other map has a height of its own. */
static int heat_height(const struct gs_drawn *d, const struct gs_figure *fig)
{
    const bool alone = fig->n == 1;
    enum { NUMBERS = 4 }; /* columns beside the colours */
    const double across = gs_drawn_cells(d, true), down = gs_drawn_cells(d, false);
    const size_t names = d->values.n > 0 ? gs_names_longest(&d->values) : NUMBERS;
    const double beside = 170 + (double)gs_min(names, 20) * d->px_char;
    const double square = (fig->width / (double)fig->grid_columns - beside) * down / across + 110;
    if (alone && (d->panel->down || (across > 8 && down > 8 && d->ax.kind != GS_AXIS_TIME)))
        return (int)fmin(fmax(square, 320), 900);
    return alone ? 600 : 400;
}

static int bars_height(size_t bars)
{
    int each = 30;
    if (bars > 40)
        each = 18;
    else if (bars > 12)
        each = 22;
    return 110 + (int)bars * each;
}

/* What a panel would like, alone or among others. */
static int panel_height(const struct gs_drawn *d, const struct gs_figure *fig)
{
    const bool alone = fig->n == 1;
    if (d->panel->kind == GS_PLOT_SPANS && d->y_names.n > 0)
        return 120 + (int)gs_min(60, d->y_names.n) * 18;
    if (d->panel->kind == GS_PLOT_BOX && d->panel->shape != NULL)
        return 110 + (int)gs_max(3, d->n) * 56;
    if (d->panel->kind == GS_PLOT_BARS || d->panel->kind == GS_PLOT_BOX)
        return bars_height(gs_max(3, gs_min(120, d->n)));
    if (d->panel->kind == GS_PLOT_HISTOGRAM_GROUPED)
        return (int)fmax(gs_cluster_height(d), alone ? 400 : 330);
    if (d->panel->kind == GS_PLOT_HEAT)
        return heat_height(d, fig);
    if (alone)
        return 430;
    if (fig->grid_columns > 3)
        return 240;
    return 330;
}

/* Every row is as high as its highest panel wants; rows that want much the same are equal. Answers the sum of them. */
static enum gs_status choose_heights(struct gs_figure *fig, int *sum, struct gs_arena *arena,
                                     struct gs_err *err)
{
    enum { LEAST_PX = 200 };
    int *const row = gs_arena_take(arena, (size_t)fig->grid_rows, sizeof *row), tallest = LEAST_PX,
               lowest = 0;
    GS_TRY(gs_had_memory(row != NULL, err));
    *sum = 0;
    for (int r = 0; r < fig->grid_rows; r++) {
        row[r] = LEAST_PX;
        for (int c = 0; c < fig->grid_columns && r * fig->grid_columns + c < (int)fig->n; c++) {
            const int wanted = panel_height(&fig->drawn[r * fig->grid_columns + c], fig);
            row[r] = gs_max(wanted, row[r]);
        }
        tallest = gs_max(row[r], tallest);
        if (r == 0 || row[r] < lowest)
            lowest = row[r];
        *sum += row[r];
    }
    if (4 * lowest < 3 * tallest)
        fig->row_px = row;
    else
        *sum = tallest * fig->grid_rows;
    return GS_OK;
}

static int columns_of(const struct gs_plot *plot, int n)
{
    if (plot->columns > 0)
        return plot->columns;
    if (n == 4)
        return 2;
    return n <= 3 ? n : (int)ceil(sqrt(n));
}

/* The user's width wins over the figure's own. */
static int width_of(const struct gs_plot *plot, const struct gs_draw_options *options, int columns)
{
    if (options->width_px > 0)
        return options->width_px;
    if (plot->width_px > 0)
        return plot->width_px;
    if (columns == 1)
        return 720;
    return columns == 2 ? 900 : columns * 300;
}

static enum gs_status lay_out(struct gs_figure *fig, const struct gs_plot *plot,
                              const struct gs_draw_options *options, struct gs_arena *arena,
                              struct gs_err *err)
{
    enum { LEAST_PANEL_PX = 260, TITLE_PX = 30, AROUND_PX = 80 };
    const int n = gs_max(1, (int)fig->n);
    int columns = columns_of(plot, n);
    columns = columns > 5 ? 5 : gs_min(n, columns);
    const int meant = columns;
    while (columns > 1 && options->width_px > 0 && options->width_px / columns < LEAST_PANEL_PX)
        columns--;
    fig->grid_columns = columns;
    fig->grid_rows = (n + columns - 1) / columns;
    fig->width = width_of(plot, options, columns);
    for (size_t i = 0; i < fig->n; i++) {
        fig->drawn[i].px_width = fig->width / (double)columns - 40;
        /* of digits, which names of hosts are made of as much as numbers */
        fig->drawn[i].px_char = 8.6;
    }
    /* laid out as it was meant to be */
    const bool own = plot->height_px > 0 && columns == meant && !fig->is_cut;
    if (options->height_px > 0)
        fig->height = options->height_px;
    else if (own)
        fig->height = plot->height_px;
    else
        fig->height = 0;
    if (fig->height == 0) {
        GS_TRY(choose_heights(fig, &fig->height, arena, err));
        if (fig->n > 1)
            fig->height += TITLE_PX;
    }
    for (size_t i = 0; i < fig->n; i++) {
        const size_t row = i / (size_t)columns;
        double row_px = fig->height / (double)fig->grid_rows;
        if (fig->row_px != NULL)
            row_px = fig->row_px[row];
        fig->drawn[i].px_height = row_px - AROUND_PX;
    }
    return GS_OK;
}

enum gs_status gs_figure_open(struct gs_figure *fig, const struct gs_frame *f,
                              const struct gs_plot *plot, const struct gs_draw_options *options,
                              struct gs_arena *arena, struct gs_err *err)
{
    *fig = (struct gs_figure){.title = options->title != NULL ? options->title : plot->title};
    if (plot->of != NULL)
        f = plot->of;
    for (int i = 0; i < plot->n_panels; i++) {
        const struct gs_panel *const p = &plot->panels[i];
        if (p->facet != GS_COL_NONE)
            GS_TRY(add_facets(fig, f, p, options, arena, err));
        else
            GS_TRY(add_panel(fig, f, p, NULL, options, arena, err));
    }
    GS_TRY(leave_out_empty(fig, arena, err));
    return lay_out(fig, plot, options, arena, err);
}
