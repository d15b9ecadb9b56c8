/* gnuplot_script.c - a figure as a gnuplot script. */
#include "output/gnuplot/gnuplot.h"

#include "base/num/order.h"
#include "output/chart/colours.h"
#include "output/chart/canvas.h"

/* Colours are variables, so that `theme` alone turns a script dark. */
static void append_style(struct gs_buf *b)
{
    gs_buf_text(b, "gs_dark = (theme eq 'dark')\narray gs_colour[8]\n");
    for (size_t i = 0; i < GS_N_COLOURS; i++)
        gs_buf_format(b, "%s = gs_dark ? '%s' : '%s'\n", gs_colours[i].name, gs_colours[i].dark,
                      gs_colours[i].light);
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

/*
 * out='FILE.svg' on the command line chooses terminal and file; else both are whatever the
 * caller set. `noenhanced` everywhere: in enhanced text gnuplot gives _ ^ { } and @ a meaning,
 * and names from logs hold them.
 */
static void append_terminal(struct gs_buf *b, int width, int height, int figure)
{
    gs_buf_format(b,
                  "if (exists('out')) {\n"
                  "    gs_ext = strlen(out) > 4 ? out[strlen(out)-3:] : ''\n"
                  "    gs_out = %d == 1 ? out : out[:strlen(out)-4].'-%d'.gs_ext\n"
                  "    if (gs_ext eq '.svg') {\n"
                  "        set terminal svg size %d,%d dynamic noenhanced font 'sans-serif,12' "
                  "background gs_bg\n"
                  "    } else { if (gs_ext eq '.pdf') {\n"
                  "        set terminal pdfcairo size %d/96.0,%d/96.0 noenhanced font "
                  "'sans-serif,9' background gs_bg\n"
                  "    } else {\n"
                  "        set terminal pngcairo size 2*%d,2*%d noenhanced font 'sans-serif,12' "
                  "fontscale 2 linewidth 2 pointscale 2 background gs_bg\n"
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
    "unset label\nunset arrow\nunset object\nunset key\nunset title\nunset logscale\nunset "
    "colorbox\n"
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
    "set key noenhanced textcolor rgb gs_fg samplen 1.5 width 0\nunset key\n"
    "set xrange [*:*] noreverse\nset yrange [*:*] noreverse\nset cbrange [*:*]\n";

#define TITLE_PX 9.5                       /* width of a character of the title */
enum { TITLE_FONT = 14, PANEL_FONT = 11 }; /* gs_title and gs_large              */

/* Lines of the longest title in a panel's row: side by side panels begin at one height. */
static int lines_of_row(const struct gs_figure *fig, size_t panel)
{
    const size_t columns = (size_t)fig->grid_columns, begin = panel / columns * columns;
    int most = 0;
    for (size_t i = begin; i < begin + columns && i < fig->n; i++) {
        const int n = gs_panel_title_lines(&fig->drawn[i]);
        most = gs_max(n, most);
    }
    return most;
}

/* Where a panel lies in a figure whose rows are not of one height: all of them beneath the title's lines. */
static void append_place(const struct gs_figure *fig, size_t panel, int lines, struct gs_buf *body)
{
    enum { LINE_PX = 20, EDGE_PX = 10 };
    const size_t columns = (size_t)fig->grid_columns, row = panel / columns;
    double all = 0, above = 0;
    for (size_t r = 0; r < (size_t)fig->grid_rows; r++) {
        all += fig->row_px[r];
        if (r <= row)
            above += fig->row_px[r];
    }
    const double title_px = LINE_PX * lines + EDGE_PX * (lines > 0),
                 room = 1 - title_px / (double)fig->height;
    gs_buf_text(body, "set size ");
    gs_buf_number(body, 1 / (double)columns);
    gs_buf_char(body, ',');
    gs_buf_number(body, room * fig->row_px[row] / all);
    gs_buf_text(body, "\nset origin ");
    gs_buf_number(body, (double)(panel % columns) / (double)columns);
    gs_buf_char(body, ',');
    gs_buf_number(body, room * (1 - above / all));
    gs_buf_char(body, '\n');
}

static void append_figure(const struct gs_figure *fig, struct gs_buf *data, struct gs_buf *body,
                          struct gs_buf *hover)
{
    const bool several = fig->n > 1;
    const bool titled = fig->title != NULL && fig->title[0] != '\0';
    struct gs_buf title = {.arena = body->arena};
    int lines = 0;
    if (titled)
        lines = gs_buf_gnuplot_lines(&title, gs_str(fig->title), (size_t)(fig->width / TITLE_PX));
    /* The letters of a lone panel's title are smaller, so that it takes more lines of it to keep the room. */
    const int blank = (TITLE_FONT * lines + PANEL_FONT / 2) / PANEL_FONT;
    if (several && fig->row_px != NULL) {
        gs_buf_text(body, "set multiplot\n");
    } else if (several) {
        /* multiplot draws its title in black whatever the theme, so it only keeps the room for ours. */
        gs_buf_format(body, "set multiplot layout %d,%d", fig->grid_rows, fig->grid_columns);
        for (int i = 0; i < lines; i++)
            gs_buf_text(body, i == 0 ? " title ' '" : ".\"\\n \"");
        gs_buf_text_if(body, titled, " font gs_title");
        gs_buf_char(body, '\n');
    }
    for (size_t i = 0; i < fig->n; i++) {
        gs_buf_text(body, panel_script);
        if (several && fig->row_px != NULL)
            append_place(fig, i, lines, body);
        if (fig->drawn[i].panel->aligned)
            gs_buf_text(body, "set lmargin at screen 0.18\nset rmargin at screen 0.84\n");
        if (i == 0 && titled) {
            gs_buf_text(body, "set label ");
            gs_buf_bytes(body, title.ptr, title.len);
            gs_buf_text(body, " at screen 0.5, screen 1.0 center offset 0,char -0.9 front "
                              "noenhanced textcolor rgb gs_fg font gs_title\n");
        }
        int own = 0;
        if (fig->grid_columns > 1)
            own = lines_of_row(fig, i);
        gs_panel_append(&fig->drawn[i], (int)i + 1, several ? 0 : blank, own, data, body, hover);
    }
    if (several)
        gs_buf_text(body, "unset multiplot\n");
    if (several && fig->row_px != NULL)
        gs_buf_text(body, "set origin 0,0\nset size 1,1\n");
    if (fig->n == 0)
        gs_buf_text(body, "set label 'no data' at graph 0.5, graph 0.5 center\nset xrange "
                          "[0:1]\nset yrange [0:1]\n"
                          "plot NaN notitle\n");
}

enum gs_status gs_figure_script(const struct gs_frame *f, const struct gs_plot *plot,
                                const struct gs_draw_options *options, struct gs_figure_size *size,
                                struct gs_buf *script, struct gs_buf *hover, struct gs_err *err)
{
    GS_OWN struct gs_arena arena = {0};
    struct gs_figure fig;
    GS_TRY(gs_figure_open(&fig, f, plot, options, &arena, err));
    struct gs_buf data = {.arena = &arena}, body = {.arena = &arena}, unheard = {.arena = &arena};
    append_figure(&fig, &data, &body, hover != NULL ? hover : &unheard);
    gs_buf_text(
        script,
        "# Drawn by gpustat. `gnuplot -p FILE` shows it; `gnuplot -e \"out='x.svg'\" FILE` writes\n"
        "# .svg, .png or .pdf; theme='dark' before it makes it dark.\n"
        "set encoding utf8\n");
    gs_buf_format(script, "if (!exists('theme')) { theme = '%s' }\n",
                  options->theme == GS_THEME_DARK ? "dark" : "light");
    gs_buf_text(script, "gs_small = ',10'\ngs_large = ',11'\ngs_title = ',14'\n");
    append_style(script);
    append_terminal(script, fig.width, fig.height, gs_max(options->number, 1));
    gs_buf_bytes(script, data.ptr, data.len);
    gs_buf_bytes(script, body.ptr, body.len);
    gs_buf_text(script, "if (exists('out')) { unset output }\n");
    *size = (struct gs_figure_size){fig.width, fig.height, fig.grid_rows,
                                    fig.n == 0 || (fig.n == 1 && gs_drawn_is_empty(&fig.drawn[0]))};
    return gs_had_memory(!data.failed && !body.failed && !script->failed, err);
}

enum gs_status gs_plot_script(const struct gs_frame *f, const struct gs_plot *plot,
                              const struct gs_draw_options *options, struct gs_buf *script,
                              struct gs_err *err)
{
    struct gs_figure_size size;
    return gs_figure_script(f, plot, options, &size, script, NULL, err);
}
