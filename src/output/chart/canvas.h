/* canvas.h - a panel being written, and the pieces that several kinds of panel share. */
#pragma once

#include "output/chart/figure.h"

#define GS_STEEP_SHARE 0.35        /* of the width, for names written aslant under an axis */
#define GS_NAMES_SHARE 0.28        /* of the width, for names beside an axis               */
enum { GS_MAX_GROUPS_KEYED = 16 }; /* lines of a key; beyond, it would be longer than the panel */

/* Where a panel is written: its numbers to `data`, its commands to `body`. */
struct gs_canvas {
    const struct gs_drawn *d;
    int number; /* starts the names of its datablocks */
    struct gs_buf *data, *body;
    struct gs_buf *hover; /* see gs_panel_append */
};

/* Kinds of panel. */
void gs_canvas_bars(const struct gs_canvas *c);
void gs_canvas_clusters(const struct gs_canvas *c);
void gs_canvas_points(const struct gs_canvas *c); /* scatter, lines, points with errors */
void gs_canvas_heat(const struct gs_canvas *c);
void gs_canvas_histogram(const struct gs_canvas *c);
void gs_canvas_boxes(const struct gs_canvas *c);
void gs_canvas_spans(const struct gs_canvas *c);

/* A number and a blank, for a line of a datablock; a whole line of numbers. */
void gs_canvas_number(struct gs_buf *b, double value);
void gs_canvas_numbers(const struct gs_canvas *c, const double *value, size_t n);
#define GS_CANVAS_LINE(c, ...)                                                                     \
    gs_canvas_numbers(c, (const double[]){__VA_ARGS__},                                            \
                      sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* Begins the command that writes a text at a place: "set label 'TEXT' at first X, first Y". */
void gs_canvas_label(const struct gs_canvas *c, const struct gs_buf *text, double x, double y);

/* The lines around a datablock, which is $gs<panel>_<series>. */
void gs_canvas_open_block(const struct gs_canvas *c, size_t series);
void gs_canvas_close_block(const struct gs_canvas *c);

/* Appends text as a string of gnuplot, broken at blanks into lines of at most so many columns. Answers how many. */
int gs_buf_gnuplot_lines(struct gs_buf *b, struct gs_str text, size_t columns);

/* Commands for an axis: "x", "y" or "cb" (range: 'x' or 'y', and its scale). */
void gs_canvas_range(struct gs_buf *b, char axis, const struct gs_axis *a);
void gs_canvas_cbrange(struct gs_buf *b, double lo, double hi);
void gs_canvas_tics(const struct gs_canvas *c, const char *axis, const struct gs_axis *a,
                    double room_px, double px_per_tic);
void gs_canvas_name_tics(const struct gs_canvas *c, const char *axis, const struct gs_names *names,
                         size_t columns, const char *rotate);

/* The names under a panel, as they have room: side by side, aslant or upright. `scale`: "" or "scale 0 ". */
void gs_canvas_names_under(const struct gs_canvas *c, const char *scale);

/* A name of at most so many columns: cut in the middle, because names of hosts and tasks differ at their ends. */
struct gs_str gs_canvas_short(const struct gs_canvas *c, struct gs_str name, size_t columns);

/* Where names begin alike and are longer than `columns`: how many bytes of that may go; 0: none. */
size_t gs_canvas_alike(const struct gs_str *name, size_t n, size_t columns);

/* A name without what all begin with, and short. */
struct gs_str gs_canvas_name(const struct gs_canvas *c, struct gs_str name, size_t alike,
                             size_t columns);

/* Columns that these names beside an axis may take, and the width that they do take. */
size_t gs_canvas_names_room(const struct gs_canvas *c, const struct gs_str *name, size_t n);
double gs_canvas_names_px(const struct gs_canvas *c, const struct gs_names *names);

/* Columns that names beside an axis may take: a share of the panel's width. */
size_t gs_canvas_room(const struct gs_canvas *c, double share);
void gs_canvas_axis_label(const struct gs_canvas *c, const char *command, const char *given,
                          int column, const struct gs_axis *axis);

/* Both axes of a panel whose x runs right and y up: pads them, then ranges, tics and labels. */
void gs_canvas_axes(const struct gs_canvas *c, struct gs_axis *ax, struct gs_axis *ay);

/* Lines across the panel with their texts; `swapped` where y runs to the right, as for bars. */
void gs_canvas_marks(const struct gs_canvas *c, bool swapped);

/* The key, and a line of it with a sample that can be seen however small the points are. */
void gs_canvas_key(const struct gs_canvas *c);
void gs_canvas_key_entry(const struct gs_canvas *c, size_t group, const char *sample);

/* How a bar is filled; one with little behind it is hollow. */
static inline const char *gs_canvas_fill(bool thin)
{
    return thin ? "transparent solid 0 border" : "solid 1 noborder";
}

/* Begins an element of the plot command; the marks that gs_canvas_hover tells of next are its. */
void gs_canvas_separator(const struct gs_canvas *c, bool *first);

/* The same of what is in a block: how gnuplot draws its columns, "1:2 with lines". */
void gs_canvas_plot(const struct gs_canvas *c, bool *first, size_t block, const char *how, ...)
    __attribute__((format(printf, 4, 5)));
void gs_canvas_hover(const struct gs_canvas *c, size_t row);

/* The names of rows down the left side, for panels whose y is a place: bars and boxes. Answers the longest. */
size_t gs_canvas_row_names(const struct gs_canvas *c);

/* The axis of values under such a panel. */
void gs_canvas_value_axis(const struct gs_canvas *c, struct gs_axis *value, size_t name_chars);
