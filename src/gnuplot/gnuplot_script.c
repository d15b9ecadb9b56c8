/* gnuplot_script.c - a figure as a gnuplot script. */
#include "gnuplot/gnuplot.h"

#include <math.h>
#include <string.h>

#include "draw/canvas.h"
#include "show/escape.h"

/*
 * The series are Okabe and Ito's palette, told apart by every kind of eye, in an order that keeps neighbours apart
 * in lightness too; points and dashes differ with them. Source: M. Okabe, K. Ito, Color Universal Design, 2008.
 */
/* clang-format off */
const struct gs_colour gs_colours[GS_N_COLOURS] = {
    {"gs_fg", "#1b1f24", "#e6edf3"},        {"gs_dim", "#57606a", "#9aa4af"},       {"gs_grid", "#d8dee4", "#39414b"},
    {"gs_bg", "#ffffff", "#14171c"},        {"gs_second", "#c75400", "#ff9d5c"},    {"gs_colour[1]", "#0072b2", "#56b4e9"},
    {"gs_colour[2]", "#e69f00", "#e6a000"}, {"gs_colour[3]", "#009e73", "#00a878"}, {"gs_colour[4]", "#cc79a7", "#cd7aa8"},
    {"gs_colour[5]", "#d55e00", "#f0e442"}, {"gs_colour[6]", "#56b4e9", "#4f8fd0"}, {"gs_colour[7]", "#b8a800", "#d55e00"},
    {"gs_colour[8]", "#50575e", "#c0c8d0"}, {"gs_band", "#e4edf6", "#222d3a"},
};
/* clang-format on */

/* Colours are variables, so that `theme` alone turns a script dark. */
static void append_style(struct gs_buf *b)
{
    gs_buf_text(b, "gs_dark = (theme eq 'dark')\narray gs_colour[8]\n");
    for (size_t i = 0; i < GS_N_COLOURS; i++)
        gs_buf_format(b, "%s = gs_dark ? '%s' : '%s'\n", gs_colours[i].name, gs_colours[i].dark, gs_colours[i].light);
    gs_buf_text(b, "set linetype 1 lc rgb gs_colour[1] pt 7 dt 1 lw 1\n"
                   "set linetype 2 lc rgb gs_colour[2] pt 5 dt (18,4) lw 1\n"
                   "set linetype 3 lc rgb gs_colour[3] pt 9 dt (8,3) lw 1\n"
                   "set linetype 4 lc rgb gs_colour[4] pt 11 dt (3,3) lw 1\n"
                   "set linetype 5 lc rgb gs_colour[5] pt 13 dt (18,4,3,4) lw 1\n"
                   "set linetype 6 lc rgb gs_colour[6] pt 15 dt 1 lw 1\n"
                   "set linetype 7 lc rgb gs_colour[7] pt 6 dt (18,4) lw 1\n"
                   "set linetype 8 lc rgb gs_colour[8] pt 4 dt (8,3) lw 1\n"
                   "set linetype cycle 8\n");
}

/* out='FILE.svg' on the command line chooses terminal and file; else both are whatever the caller set. */
static void append_terminal(struct gs_buf *b, int width, int height, int figure)
{
    gs_buf_format(b,
                  "if (exists('out')) {\n"
                  "    gs_ext = strlen(out) > 4 ? out[strlen(out)-3:] : ''\n"
                  "    gs_out = %d == 1 ? out : out[:strlen(out)-4].'-%d'.gs_ext\n"
                  "    if (gs_ext eq '.svg') {\n"
                  "        set terminal svg size %d,%d dynamic noenhanced font 'sans-serif,12' background gs_bg\n"
                  "    } else { if (gs_ext eq '.pdf') {\n"
                  "        set terminal pdfcairo size %d/96.0,%d/96.0 noenhanced font 'sans-serif,9' background gs_bg\n"
                  "    } else {\n"
                  "        set terminal pngcairo size 2*%d,2*%d noenhanced font 'sans-serif,12' fontscale 2 "
                  "linewidth 2 pointscale 2 background gs_bg\n"
                  "    } }\n"
                  "    set output gs_out\n"
                  "}\n",
                  figure, figure, width, height, width, height, width, height);
    /* In a window every figure gets its own. */
    if (figure > 1)
        gs_buf_format(b,
                      "if (!exists('out') && strstrt('|qt|wxt|x11|', '|'.GPVAL_TERM.'|') > 0) {\n"
                      "    eval sprintf('set terminal %%s %%d', GPVAL_TERM, %d)\n"
                      "}\n",
                      figure);
}

/* Brings every setting that a panel may change back to what panels start from. */
static const char panel_script[] =
    "unset label\nunset arrow\nunset object\nunset key\nunset title\nunset logscale\nunset colorbox\n"
    "unset xlabel\nunset ylabel\nunset cblabel\nunset y2tics\nset size noratio\n"
    "set border 3 lw 1 lc rgb gs_dim\n"
    "set xtics nomirror norotate scale 0.5 noenhanced textcolor rgb gs_fg autofreq\n"
    "set ytics nomirror norotate scale 0.5 noenhanced textcolor rgb gs_fg autofreq\n"
    "set cbtics scale 0.5 noenhanced textcolor rgb gs_fg autofreq\n"
    "set grid xtics ytics back lt 1 lw 0.6 lc rgb gs_grid\n"
    "set title noenhanced textcolor rgb gs_fg font gs_large\n"
    "set xlabel noenhanced textcolor rgb gs_fg offset 0,char 0.5\n"
    "set ylabel noenhanced textcolor rgb gs_fg\n"
    "set cblabel noenhanced textcolor rgb gs_fg offset char 1.2,0\nset rmargin -1\n"
    "set key noenhanced textcolor rgb gs_fg samplen 1.5 width 2\nunset key\n"
    "set xrange [*:*] noreverse\nset yrange [*:*] noreverse\nset cbrange [*:*]\n";

static enum gs_status add_panel(struct gs_figure *fig, const struct gs_frame *f, const struct gs_panel *panel,
                                const struct gs_facet *facet, const struct gs_draw_options *options,
                                struct gs_arena *arena, struct gs_err *err)
{
    if (fig->n == fig->capacity) {
        const size_t more = fig->capacity == 0 ? 8 : fig->capacity * 2;
        struct gs_drawn *const grown = gs_arena_grow(arena, fig->drawn, fig->capacity, more, sizeof *grown);
        if (grown == NULL)
            return gs_fail_memory(err);
        fig->drawn = grown;
        fig->capacity = more;
    }
    struct gs_drawn *const d = &fig->drawn[fig->n++];
    const enum gs_status s = gs_drawn_open(d, f, panel, facet, options, arena, err);
    return s == GS_OK ? gs_drawn_thin(d, arena, err) : s;
}

/* The first sees what the second saw. */
static void share_axes(struct gs_drawn *d, const struct gs_drawn *other)
{
    gs_axis_see(&d->ax, other->ax.lo);
    gs_axis_see(&d->ax, other->ax.hi);
    gs_axis_see(&d->ay, other->ay.lo);
    gs_axis_see(&d->ay, other->ay.hi);
}

static enum gs_status add_facets(struct gs_figure *fig, const struct gs_frame *f, const struct gs_panel *panel,
                                 const struct gs_draw_options *options, struct gs_arena *arena, struct gs_err *err)
{
    enum { MAX_FACETS = 64 };
    struct gs_names names = {0};
    const int column = gs_frame_find(f, panel->facet);
    if (column < 0)
        return gs_fail(err, GS_ERR_INTERNAL, "frame %s has no column '%s' to draw", f->name, panel->facet);
    enum gs_status s = gs_names_of(&names, f, (size_t)column, arena, err);
    const size_t first = fig->n;
    for (size_t i = 0; i < names.n && i < MAX_FACETS && s == GS_OK; i++)
        s = add_panel(fig, f, panel, &(struct gs_facet){&names, i}, options, arena, err);
    for (size_t i = first; panel->shared && i < fig->n; i++)
        for (size_t k = first; k < fig->n; k++)
            share_axes(&fig->drawn[i], &fig->drawn[k]);
    return s;
}

/* What a panel would like, alone or among others. */
static int panel_height(const struct gs_drawn *d, const struct gs_figure *fig)
{
    const bool alone = fig->n == 1;
    if (d->panel->kind == GS_PLOT_SPANS && d->y_names.n > 0)
        return 120 + (int)(d->y_names.n > 60 ? 60 : d->y_names.n) * 18;
    if (d->panel->kind == GS_PLOT_BOX && d->panel->shape != NULL)
        return 110 + (int)(d->n < 3 ? 3 : d->n) * 56;
    if (d->panel->kind == GS_PLOT_BARS || d->panel->kind == GS_PLOT_BOX) {
        const size_t bars = d->n < 3 ? 3 : d->n > 120 ? 120 : d->n;
        return 110 + (int)bars * (bars > 40 ? 18 : bars > 12 ? 22 : 30);
    }
    if (d->panel->kind == GS_PLOT_HEAT) {
        const double across = gs_drawn_cells(d, true), down = gs_drawn_cells(d, false);
        const size_t names = gs_names_longest(&d->values);
        const double beside = 170 + (names > 20 ? 20 : (double)names) * d->px_char;
        const double square = (fig->width / (double)fig->grid_columns - beside) * down / across + 110;
        if (alone && across > 8 && down > 8 && d->ax.kind != GS_AXIS_TIME)
            return (int)fmin(fmax(square, 320), 900);
        return alone ? 600 : 400;
    }
    return alone ? 430 : fig->grid_columns > 3 ? 240 : 330;
}

static int default_height(const struct gs_figure *fig)
{
    int tallest = 200;
    for (size_t i = 0; i < fig->n; i++) {
        const int height = panel_height(&fig->drawn[i], fig);
        tallest = height > tallest ? height : tallest;
    }
    return tallest * fig->grid_rows + (fig->n > 1 ? 30 : 0);
}

static void lay_out(struct gs_figure *fig, const struct gs_plot *plot, const struct gs_draw_options *options)
{
    enum { LEAST_PANEL_PX = 260 };
    const int n = fig->n < 1 ? 1 : (int)fig->n;
    int columns = plot->columns > 0 ? plot->columns : n <= 3 ? n : n == 4 ? 2 : (int)ceil(sqrt(n));
    columns = columns > 5 ? 5 : columns > n ? n : columns;
    while (columns > 1 && options->width_px > 0 && options->width_px / columns < LEAST_PANEL_PX)
        columns--;
    fig->grid_columns = columns;
    fig->grid_rows = (n + columns - 1) / columns;
    fig->width = options->width_px > 0 ? options->width_px
                 : plot->width_px > 0  ? plot->width_px
                 : columns == 1        ? 720
                 : columns == 2        ? 900
                                       : columns * 300;
    for (size_t i = 0; i < fig->n; i++) {
        fig->drawn[i].px_width = fig->width / (double)columns - 40;
        fig->drawn[i].px_char = 8.6; /* of digits, which names of hosts are made of as much as numbers */
    }
    const bool own = plot->height_px > 0 && fig->grid_columns >= plot->columns; /* laid out as it was meant to be */
    fig->height = options->height_px > 0 ? options->height_px : own ? plot->height_px : default_height(fig);
    for (size_t i = 0; i < fig->n; i++)
        fig->drawn[i].px_height = fig->height / (double)fig->grid_rows - 80;
}

#define TITLE_PX 11 /* width of a character of the title */

static void append_figure(const struct gs_figure *fig, struct gs_buf *data, struct gs_buf *body, struct gs_buf *hover)
{
    const bool several = fig->n > 1;
    const bool titled = fig->title != NULL && fig->title[0] != '\0';
    struct gs_buf title = {.arena = body->arena};
    const int lines = titled ? gs_buf_gnuplot_lines(&title, gs_str(fig->title), (size_t)(fig->width / TITLE_PX)) : 0;
    if (several) {
        /* multiplot draws its title in black whatever the theme, so it only keeps the room for ours. */
        gs_buf_format(body, "set multiplot layout %d,%d", fig->grid_rows, fig->grid_columns);
        for (int i = 0; i < lines; i++)
            gs_buf_text(body, i == 0 ? " title ' '" : ".\"\\n \"");
        gs_buf_text(body, titled ? " font gs_title\n" : "\n");
    }
    for (size_t i = 0; i < fig->n; i++) {
        gs_buf_text(body, panel_script);
        if (i == 0 && titled) {
            gs_buf_text(body, "set label ");
            gs_buf_bytes(body, title.ptr, title.len);
            gs_buf_text(body, " at screen 0.5, screen 1.0 center offset 0,char -0.9 front noenhanced "
                              "textcolor rgb gs_fg font gs_title\n");
        }
        /* A lone panel keeps the room itself. */
        gs_panel_append(&fig->drawn[i], (int)i + 1, several ? 0 : lines, data, body, hover);
    }
    if (several)
        gs_buf_text(body, "unset multiplot\n");
    if (fig->n == 0)
        gs_buf_text(body, "set label 'no data' at graph 0.5, graph 0.5 center\nset xrange [0:1]\nset yrange [0:1]\n"
                          "plot NaN notitle\n");
}

enum gs_status gs_figure_open(struct gs_figure *fig, const struct gs_frame *f, const struct gs_plot *plot,
                              const struct gs_draw_options *options, struct gs_arena *arena, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    *fig = (struct gs_figure){.title = options->title != NULL ? options->title : plot->title};
    if (plot->of != NULL)
        f = plot->of;
    for (int i = 0; i < plot->n_panels && s == GS_OK; i++) {
        const struct gs_panel *const p = &plot->panels[i];
        s = p->facet != NULL ? add_facets(fig, f, p, options, arena, err)
                             : add_panel(fig, f, p, NULL, options, arena, err);
    }
    if (s == GS_OK)
        lay_out(fig, plot, options);
    return s;
}

enum gs_status gs_figure_script(const struct gs_frame *f, const struct gs_plot *plot,
                                const struct gs_draw_options *options, int number, struct gs_figure_size *size,
                                struct gs_buf *script, struct gs_buf *hover, struct gs_err *err)
{
    struct gs_arena arena = {0};
    struct gs_figure fig;
    enum gs_status s = gs_figure_open(&fig, f, plot, options, &arena, err);
    if (s == GS_OK) {
        struct gs_buf data = {.arena = &arena}, body = {.arena = &arena}, unheard = {.arena = &arena};
        append_figure(&fig, &data, &body, hover != NULL ? hover : &unheard);
        gs_buf_text(script, "# Drawn by gpustat. `gnuplot -p FILE` shows it; `gnuplot -e \"out='x.svg'\" FILE` writes\n"
                            "# .svg, .png or .pdf; theme='dark' before it makes it dark.\n"
                            "set encoding utf8\n");
        gs_buf_format(script, "if (!exists('theme')) { theme = '%s' }\n",
                      options->theme == GS_THEME_DARK ? "dark" : "light");
        gs_buf_text(script, "gs_small = ',10'\ngs_large = ',11'\ngs_title = ',14'\n");
        append_style(script);
        append_terminal(script, fig.width, fig.height, number);
        gs_buf_bytes(script, data.ptr, data.len);
        gs_buf_bytes(script, body.ptr, body.len);
        gs_buf_text(script, "if (exists('out')) { unset output }\n");
        *size = (struct gs_figure_size){fig.width, fig.height, fig.grid_rows};
        if (data.failed || body.failed || script->failed)
            s = gs_fail_memory(err);
    }
    gs_arena_release(&arena);
    return s;
}

enum gs_status gs_plot_script(const struct gs_frame *f, const struct gs_plot *plot,
                              const struct gs_draw_options *options, struct gs_buf *script, struct gs_err *err)
{
    struct gs_figure_size size;
    return gs_figure_script(f, plot, options, 1, &size, script, NULL, err);
}
