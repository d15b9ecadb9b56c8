/* plot.h - how a frame is drawn, as data: kept in tables beside the commands, read by the gnuplot renderer. */
#ifndef GPUSTAT_PLOT_H
#define GPUSTAT_PLOT_H

#include <stdbool.h>

enum gs_plot_kind {
    GS_PLOT_BARS,    /* one bar per row: x is a text column, y a number; value printed on each bar       */
    GS_PLOT_SCATTER, /* points (x, y), coloured by `group` where given; `line` draws least squares        */
    GS_PLOT_LINES,   /* lines through (x, y) in row order, one per value of `group`                       */
    GS_PLOT_POINTS_ERROR, /* points with error bars: y and y_error, x and x_error                         */
    GS_PLOT_HEAT,    /* cells at integer (x, y), shaded by `value`                                        */
    GS_PLOT_HISTOGRAM_GROUPED, /* grouped bars: x text, one bar per value of `group`                      */
};

/* One panel. Columns are named as in the frame; NULL: not used. */
struct gs_panel {
    enum gs_plot_kind kind;
    const char *title;
    const char *x, *y, *value, *group;
    const char *x_error, *y_error;
    const char *label;     /* text column or count shown at each bar ("n")          */
    const char *shade;     /* number column that shades bars                        */
    bool ascending;        /* bars in ascending order of y                          */
    bool log_y, log_x;
    bool line;             /* least-squares line with r and its interval            */
    bool loess;            /* a smooth through the points from column `smooth`      */
    const char *smooth;
};

/* A figure: panels side by side or in a grid. */
struct gs_plot {
    const char *name;      /* file stem: "figure-1"                                 */
    const char *title;
    int n_panels;
    const struct gs_panel *panels;
    int columns;           /* of the grid; 0: chosen                                */
    int width_px, height_px; /* 0: chosen                                           */
    const struct gs_plot *next; /* a frame may have several figures                 */
};

#endif
