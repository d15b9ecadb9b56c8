/* terminal.h - figures in characters: blocks and colour, down to plain ASCII. */
#pragma once

#include "base/os/output.h"
#include "data/result/frame.h"
#include "data/result/plot.h"

/* What the terminal can. Zeroed: 80 columns of plain ASCII. */
struct gs_terminal {
    int columns;                /* 0: 80                                                        */
    bool unicode;               /* blocks and dots, else # and letters                          */
    bool colour;                /* 256 colours; without, groups differ by their letters         */
    bool log_scale;             /* panels with may_log are logarithmic                          */
    const char *title;          /* in place of the figure's own; NULL: that                     */
    const struct gs_zone *zone; /* of axes along time; NULL: UTC                       */
};

/*
 * Draws one figure in as many lines as it has bars, maps and clouds in a few more. Text from data is escaped.
 * Missing: as in pictures, see gs_plot_script.
 * Errors:  GS_ERR_INTERNAL for a panel that names a column the frame lacks; GS_ERR_MEMORY; what the sink answers.
 */
enum gs_status gs_plot_terminal(const struct gs_frame *f, const struct gs_plot *plot,
                                const struct gs_terminal *to, struct gs_sink sink,
                                struct gs_err *err);
