/* draw.h - what every picture may be asked for. */
#pragma once

#include <stdbool.h>

#include "data/result/frame.h"
#include "data/result/plot.h"

enum gs_picture {
    GS_PICTURE_SVG,
    GS_PICTURE_PNG,
    GS_PICTURE_PDF,
};

/* Valid when zeroed. */
struct gs_draw_options {
    enum gs_theme theme;
    bool log_scale;          /* panels with may_log are logarithmic                             */
    bool transparent;        /* no background: SVG that stands in a page                         */
    int width_px, height_px; /* 0: the figure's own                                              */
    int number;              /* of the figure among several in one script; 0 and 1: the first    */
    const char *title;       /* in place of the figure's own; NULL: that                         */
    const struct gs_zone *zone; /* of axes along time; NULL: UTC                                 */
    const char *program; /* gnuplot's name or path; NULL: "gnuplot", found along PATH        */
};
