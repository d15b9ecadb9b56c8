/* terminal_parts.h - private to terminal: the pieces of a panel in characters. */
#pragma once

#include "output/chart/figure.h"
#include "output/terminal_plots/terminal.h"

/* The signs that a terminal can show: one set of Unicode, one of ASCII. Each takes one column. */
struct gs_signs {
    const char *horizontal, *horizontal_tic, *vertical, *vertical_tic;
    const char *rule_across, *rule_up; /* of marks                              */
    const char *dot;                   /* of the line of equals                 */
    const char *band, *hollow, *box;   /* shaded times, thin bars, boxes        */
    const char *cut;                   /* in place of the middle of a long name */
    const char *cell;                  /* of a map in 256 colours; a format     */
};

/* A panel being written. */
struct gs_page {
    const struct gs_terminal *to;
    const struct gs_signs *sign;
    const struct gs_drawn *d;
    struct gs_buf *b;
    size_t columns; /* of the whole line */
};

enum { GS_TERMINAL_COLOURS = 8 };

/* Begins and ends text in a group's colour; nothing without colour. */
void gs_page_paint(const struct gs_page *p, size_t group);
void gs_page_plain(const struct gs_page *p);

/* A letter for a group, where colour alone would carry it. */
char gs_page_letter(size_t group);

void gs_page_blanks(const struct gs_page *p, size_t n);

/* Text from data, safe and in exactly so many columns, cut in its middle; at the right end where `right`. */
void gs_page_name(const struct gs_page *p, struct gs_str name, size_t columns, bool right);

/* Columns that it takes where it is safe. */
size_t gs_page_width(struct gs_str name);

/* The line of a horizontal axis and the numbers under it, from column `left` on over `width` columns. */
void gs_page_axis(const struct gs_page *p, const struct gs_axis *a, size_t left, size_t width,
                  const char *label, int column);

enum {
    GS_PAGE_MARGIN = 9
}; /* columns before a plane: numbers of the vertical axis, and its line */

/* The number of a tic in this line of a plane, right-aligned, and the axis; blanks where there is none. */
void gs_page_margin(const struct gs_page *p, const struct gs_tics *tics, const struct gs_axis *a,
                    size_t line, size_t height);

/* "* name  + other": what the groups look like; nothing where there is one or they are too many. */
void gs_page_key(const struct gs_page *p, const struct gs_names *names);

/* Panels of rows: bars, clusters of bars, boxes, spans. */
void gs_page_bars(const struct gs_page *p);
void gs_page_boxes(const struct gs_page *p);
void gs_page_spans(const struct gs_page *p);

/* Panels of a plane: points and lines, histograms, maps. */
void gs_page_points(const struct gs_page *p);
void gs_page_histogram(const struct gs_page *p);
void gs_page_map(const struct gs_page *p);
