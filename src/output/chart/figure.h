/* figure.h - a panel with its columns found, its rows chosen and its axes measured. */
#pragma once

#include <stdint.h>

#include "output/chart/axis.h"
#include "output/chart/draw.h"

/* Distinct texts of a column in order of appearance; numbered groups in order of their numbers. */
struct gs_names {
    size_t n;
    struct gs_str *name; /* [n]                                                      */
    uint32_t *of_row;    /* [rows of the frame]; GS_NO_NAME where the cell is missing */
};
#define GS_NO_NAME UINT32_MAX

enum { GS_HEAT_MAX_COLOURS = 8 }; /* of a heat map of names or codes, one colour each */

/* One of the values that a panel is repeated for. */
struct gs_facet {
    const struct gs_names *names;
    size_t which;
};

struct gs_drawn {
    const struct gs_frame *frame;
    const struct gs_panel *panel;
    struct gs_str facet; /* its value; missing where the panel has no facets */
    struct gs_str facet_title;
    int x, y, value, group, x_error, y_error, label, smooth; /* columns, -1 for none */
    int low, high, count, of, x_end, cumulative, box[GS_BOX_COLUMNS];
    size_t *rows;       /* [n] to draw, series by series, in order within each */
    size_t n, n_all;    /* n_all: with those that were left out, see gs_drawn_thin */
    size_t *series_end; /* [gs_drawn_n_series] into rows                       */
    /* n == 0 where that column is absent or numeric */
    struct gs_names x_names, y_names, groups, values;
    bool has_others; /* the last of `values` is all that have no colour of their own         */
    struct gs_axis ax, ay;
    double px_width, px_height; /* about what the panel gets, for the room that text needs */
    double px_char;             /* width of a character                                    */
};

/* Names of a column's cells as people read them. */
enum gs_status gs_names_of(struct gs_names *names, const struct gs_frame *f, size_t column,
                           struct gs_arena *arena, struct gs_err *err);

/* Columns that the longest of the names takes. */
size_t gs_names_longest(const struct gs_names *names);

/* Puts the names of numbers in their order, so that a group keeps its colour whatever row is first. */
enum gs_status gs_names_order(struct gs_names *names, const struct gs_frame *f, size_t column,
                              struct gs_arena *arena, struct gs_err *err);

/* Numbers names in the order of their texts, those with `first` [names->n] set before all others. */
enum gs_status gs_names_by_text(struct gs_names *names, size_t n_rows, const bool *first,
                                struct gs_arena *arena, struct gs_err *err);

/* Gives the texts of a NULL-ended list the first numbers, there or not. */
enum gs_status gs_names_begin_with(struct gs_names *names, size_t n_rows, const char *const *order,
                                   struct gs_arena *arena, struct gs_err *err);

/*
 * The commonest names keep a colour each, in their order; all others together are the last: names in no order that
 * shared shades would look as if they had one.
 */
enum gs_status gs_names_store(struct gs_names *names, size_t n_rows, bool *has_others,
                              struct gs_arena *arena, struct gs_err *err);

/*
 * Finds columns, chooses rows and orders them, measures the axes. `facet` NULL: no facet.
 * Errors: GS_ERR_INTERNAL for a column that is not there; GS_ERR_MEMORY.
 */
enum gs_status gs_drawn_open(struct gs_drawn *d, const struct gs_frame *f,
                             const struct gs_panel *panel, const struct gs_facet *facet,
                             const struct gs_draw_options *options, struct gs_arena *arena,
                             struct gs_err *err);

/*
 * Leaves out of a measured panel what could not be seen in it: points that lie on one another, bars beyond the
 * largest. Cost: O(rows), and sorting the sizes of bars.
 */
enum gs_status gs_drawn_thin(struct gs_drawn *d, struct gs_arena *arena, struct gs_err *err);

/* Appends what was left out, in brackets; nothing where all is shown. */
void gs_drawn_note_thinned(const struct gs_drawn *d, struct gs_buf *b);

/* The number behind a cell: times as seconds, names by their place; NaN for missing. */
double gs_drawn_x(const struct gs_drawn *d, size_t row);
double gs_drawn_y(const struct gs_drawn *d, size_t row);
double gs_drawn_value(const struct gs_drawn *d, size_t row);
double gs_drawn_number(const struct gs_drawn *d, size_t row, int column);

/* Where a bar ends, or its interval where that reaches further. */
double gs_drawn_end(const struct gs_drawn *d, size_t row);

/* Do colours say what the names of the bars do not? */
bool gs_drawn_bars_are_keyed(const struct gs_drawn *d);

/* The distance between the cells of a map along an axis, whole numbers or times: all lie whole steps apart. 1 where
 * there is one. */
double gs_drawn_step(const struct gs_drawn *d, bool x);

/* The group of a row; 0 where there are no groups. */
size_t gs_drawn_group(const struct gs_drawn *d, size_t row);

/* Is there a row of that group to be seen? Names may be listed that no row has; spans may have no length. */
bool gs_drawn_has_group(const struct gs_drawn *d, size_t group);

/* Has no row anything to be drawn? */
bool gs_drawn_is_empty(const struct gs_drawn *d);

/* Cells of a map along an axis. */
double gs_drawn_cells(const struct gs_drawn *d, bool x);

/* How many series there are, 1 without groups, and where one starts in `rows`. */
size_t gs_drawn_n_series(const struct gs_drawn *d);
size_t gs_drawn_series_start(const struct gs_drawn *d, size_t series);

/* Is so little behind this row that its bar only hints at a value: under 10, or under 5 % of what there is? */
bool gs_drawn_is_thin(const struct gs_drawn *d, size_t row);

/*
 * "39.09", "72.15 kWh": what a row's y is, in the unit of the axis, so that bars side by side compare; the unit where it
 * is a multiple. A number alone, likewise.
 */
void gs_drawn_value_text(const struct gs_drawn *d, size_t row, struct gs_buf *b);
void gs_drawn_number_text(const struct gs_drawn *d, double value, struct gs_buf *b);

/* Appends a name of that column; one of digits alone behind what it numbers: "GPU 0". */
void gs_drawn_name(const struct gs_drawn *d, int column, struct gs_str name, struct gs_buf *b);

/* Appends the name of a row of bars or boxes. */
void gs_drawn_row_name(const struct gs_drawn *d, size_t row, struct gs_buf *b);

/* Appends what stands behind it in brackets: the label's column or, where little is behind the row, " (n = 12)". */
void gs_drawn_label_text(const struct gs_drawn *d, size_t row, struct gs_buf *b);

/* What the mouse is told over a row's mark: "Render: 95.42 W (n = 66,040)". */
void gs_drawn_hover(const struct gs_drawn *d, size_t row, struct gs_buf *b);

/* Chooses the multiple of its column's unit that an axis is labelled in. */
void gs_drawn_factor(const struct gs_drawn *d, struct gs_axis *a, int column);

/* How the names under a panel stand: too long to stand side by side they are aslant, too many for that upright. */
enum gs_slant { GS_SLANT_NONE, GS_SLANT_ASLANT, GS_SLANT_UPRIGHT };
enum gs_slant gs_drawn_slant(const struct gs_drawn *d);

/* Every how manieth of them has room. */
size_t gs_drawn_names_apart(const struct gs_drawn *d);

/* Lines that the key under the panel takes; at least 1. */
size_t gs_drawn_key_lines(const struct gs_drawn *d);

/* Is there a fitted line to draw? */
bool gs_drawn_has_fit(const struct gs_drawn *d);

/*
 * The label that a panel gives an axis, in the axis's multiple of its unit; without one that of the column, and of times
 * the day, because tics show times of day.
 */
void gs_drawn_axis_label(const struct gs_drawn *d, struct gs_buf *b, const char *given, int column,
                         const struct gs_axis *axis);

/*
 * What the mouse is told over the marks of a picture: a form feed begins each plotted element, then a line of HTML
 * for each of its marks in the order in which they are drawn.
 */
enum {
    GS_HOVER_MAX = 2000
}; /* marks of an element that say something; a cloud of more says nothing */

/* Lines that a panel's own title and its fit take. */
int gs_panel_title_lines(const struct gs_drawn *d);

/*
 * Appends a panel: datablocks whose names start with `$gs<number>_` to `data`, commands to `body`, what its marks
 * say to `hover`. Above its own title are `blank` lines; it has the room of `lines`, or of its own where they are more.
 */
void gs_panel_append(const struct gs_drawn *d, int number, int blank, int lines,
                     struct gs_buf *data, struct gs_buf *body, struct gs_buf *hover);

/* The panel's own title with the value of its facet; nothing where it has neither. */
void gs_panel_title(struct gs_buf *b, const struct gs_drawn *d);

/* Appends gnuplot's SVG with a <title> in every mark that `hover` has words for, and without gnuplot's own. */
void gs_svg_hover(struct gs_buf *b, struct gs_str svg, struct gs_str hover);

/* What a script turned out to want. */
struct gs_figure_size {
    int width_px, height_px;
    int rows;   /* of panels                           */
    bool empty; /* there is nothing in any of its panels */
};

/* Every panel of a figure, measured and laid out: a panel with facets is one for each value. */
struct gs_figure {
    struct gs_drawn *drawn;
    size_t n, capacity;
    int grid_columns, grid_rows;
    int *row_px; /* [grid_rows] high, where rows of panels want different heights; else NULL */
    int width, height;
    const char *title; /* NULL or empty: none */
    bool is_cut;       /* panels without data were left out */
};

enum gs_status gs_figure_open(struct gs_figure *fig, const struct gs_frame *f,
                              const struct gs_plot *plot, const struct gs_draw_options *options,
                              struct gs_arena *arena, struct gs_err *err);

/*
 * gs_plot_script for one figure among several in one script, which its number tells apart in windows and file names.
 * Answers the figure's size and what its marks say (`hover`, NULL: not wanted).
 */
enum gs_status gs_figure_script(const struct gs_frame *f, const struct gs_plot *plot,
                                const struct gs_draw_options *options, struct gs_figure_size *size,
                                struct gs_buf *script, struct gs_buf *hover, struct gs_err *err);
