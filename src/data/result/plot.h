/* plot.h - descriptions of figures: which columns of a frame are drawn, and how. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "data/result/columns.h"

struct gs_frame;

enum gs_theme { GS_THEME_LIGHT, GS_THEME_DARK };

/* clang-format off */
enum gs_plot_kind {
    GS_PLOT_BARS,    /* one horizontal bar per row: x names it, y is its length; value printed at its end; */
                     /* coloured by `group` where given                                                    */
    GS_PLOT_SCATTER, /* points (x, y), coloured and shaped by `group` where given                          */
    GS_PLOT_LINES,   /* lines through (x, y) in row order, one per value of `group`                        */
    GS_PLOT_POINTS_ERROR,      /* points with error bars: y and y_error, x and x_error (half widths)       */
    GS_PLOT_HEAT,              /* cells at integer (x, y), shaded by `value`; text is a colour per name    */
    GS_PLOT_HISTOGRAM_GROUPED, /* clusters of bars: x names the cluster, one bar per value of `group`      */
    GS_PLOT_HISTOGRAM, /* boxes from x to x_end, y high; `cumulative` as a line on a scale of its own      */
    GS_PLOT_BOX,       /* a box per row: x names it, `box` holds whisker, box, middle, box, whisker        */
    GS_PLOT_SPANS,     /* a line per row from x to x_end at the height that y names, coloured by `group`   */
};
/* clang-format on */

enum { GS_BOX_COLUMNS = 5, GS_BAR_FEW = 10 }; /* of fewer rows a bar is an outline */

/* Numbers of a fitted line, computed by the analysis and shown by the renderer. Missing: NaN. */
struct gs_fit {
    double slope, intercept; /* y = intercept + slope * x, in the units of the columns */
    double r, r_low, r_high; /* Pearson correlation and its 95 % interval              */
    uint64_t n;              /* points behind it                                       */
};

enum gs_mark_kind {
    GS_MARK_X,    /* a vertical line at x = at   */
    GS_MARK_Y,    /* a horizontal line at y = at */
    GS_MARK_BAND, /* shaded from x = at to x = to, without a text */
};

/* A value worth pointing out: a knee, a threshold, a mean. Where `facet` is set, only in that facet. */
struct gs_mark {
    enum gs_mark_kind kind;
    double at, to;
    const char *text; /* shown at the line; may come from data: the renderer escapes it */
    const char *facet;
    bool loose; /* not worth widening the axis for; bands never are */
};

/* One panel. Columns are those of the frame; GS_COL_NONE: not used. A row missing x or y is not drawn. */
struct gs_panel {
    enum gs_plot_kind kind;
    const char *title;
    enum gs_column_id x, y, value, group, x_error, y_error;
    enum gs_column_id label;      /* text or count beside a bar's value: "39.09 (n = 66,040)" */
    enum gs_column_id low, high;  /* the interval that holds the true y, drawn across the end */
    enum gs_column_id count, of;  /* rows behind a bar, of how many: with few it is hollow */
    enum gs_column_id x_end;      /* HISTOGRAM, SPANS: where the row ends along x */
    enum gs_column_id cumulative; /* HISTOGRAM: per cent up to x_end */
    enum gs_column_id box[GS_BOX_COLUMNS]; /* BOX: columns, ascending; y is the third */
    /* BOX: the outline of each row: its x, places along y, widths from 0 to 1 */
    const struct gs_frame *shape;
    enum gs_column_id smooth; /* number column drawn as a line over the points: a loess */
    enum gs_column_id facet;  /* one panel like this for every value of that column */
    bool largest_first;       /* bars in descending order of y; else in the frame's order */
    bool log_x, log_y;        /* for BARS log_y is the scale of the bars */
    bool may_log;  /* --log may turn log_y on: durations that span decades                        */
    bool identity; /* the line y = x                                                              */
    bool shared;   /* the panels of a facet have the same axes                                    */
    bool from_zero; /* y starts at 0 (bars always do) */
    bool down; /* HEAT: y grows downwards, as rows of tiles and tables do                     */
    bool line_each; /* SCATTER: the least-squares line of each group, in its colour */
    bool line;    /* draws `fit` where set                                                       */
    bool by_name; /* groups are numbered by their names, not by their rows: an event keeps its   */
                  /* colour from picture to picture                                              */
    bool aligned; /* its left and right ends lie where those of all such panels do               */
    bool plain;   /* BARS: in grey, where colours stand for something else                       */
    /* NULL-ended: these groups come first, there or not: a verdict keeps its colour */
    const char *const *order;
    const struct gs_fit *fit;    /* set in the run's own copy, see gs_plot_copy */
    const struct gs_mark *marks; /* [n_marks], likewise */
    size_t n_marks;
    /* NULL: the columns' labels with their units; of bars x goes unlabelled */
    const char *x_label, *y_label;
    enum gs_column_id only_column, far_column;
    const char *only_value; /* draws only rows whose text in only_column has this value */
    const char *far_value;  /* rows with this text in far_column do not widen y */
};

/* A figure: panels side by side or in a grid. */
struct gs_plot {
    const char *name; /* file stem: "figure-1"; letters, digits, dashes       */
    const char *title;
    const char *caption; /* what it shows, for the report; NULL                  */
    /* draws this frame, not the one it hangs on: the points behind a summary */
    const struct gs_frame *of;
    int n_panels;
    const struct gs_panel *panels;
    int columns;                /* of the grid; 0: chosen                               */
    int width_px, height_px;    /* 0: chosen                                            */
    const struct gs_plot *next; /* a frame may have several figures                  */
};

/* A panel of that kind over columns x and y, and what else it has: GS_PANEL(BARS, EVENT, ENERGY_J, .log_y = true). */
#define GS_PANEL(how, across, ...)                                                                 \
    {                                                                                              \
        .kind = GS_PLOT_##how, .x = GS_COL_##across, .y = GS_COL_##__VA_ARGS__                     \
    }

/* A figure of the panels in an array: its name, its title, and what else it has. */
#define GS_FIGURE(array, stem, ...)                                                                \
    {                                                                                              \
        .panels = array, .n_panels = sizeof(array) / sizeof *(array), .name = stem,                \
        .title = __VA_ARGS__                                                                       \
    }

/*
 * A copy whose panels may be changed (fit, marks, titles computed from the run); of all figures in the list.
 * Cast-free: the k-th panel of the first figure is (*panels)[k], those of the next follow. NULL when memory
 * ran out. Memory: lives in `arena`; what the panels point to is shared.
 */
struct gs_plot *gs_plot_copy(const struct gs_plot *plot, struct gs_arena *arena,
                             struct gs_panel **panels);

/* The same, drawn over the rows of `of`, which is not the frame that it hangs on. */
struct gs_plot *gs_plot_over(const struct gs_plot *plot, const struct gs_frame *of,
                             struct gs_arena *arena);
