/* common.h - the options that every command takes. */
#pragma once

#include "app/options/rates.h"

enum gs_color { GS_COLOR_AUTO, GS_COLOR_ALWAYS, GS_COLOR_NEVER };

struct gs_common {
    bool help, explain, quiet, log_scale, csv_safe;
    bool verbose;          /* every note, not their number alone            */
    bool pager;            /* may be used: not --no-pager                   */
    const char *show;      /* columns, NULL: the default of the format      */
    int format;            /* enum gs_format; -1: not given                 */
    int theme;             /* enum gs_theme                                 */
    int color;             /* enum gs_color                                 */
    const char *output;    /* -o, NULL: standard output                     */
    const char *plot;      /* --plot, NULL: no figure; "-": on the terminal */
    const char *sort;      /* NULL: key order                               */
    struct gs_list filter; /* conditions of the rows that are shown      */
    const char *fail_if;   /* NULL: nothing                                */
    uint64_t top;          /* rows shown, 0: all                            */
    uint64_t threads;      /* 0: all processors                             */
    uint64_t width;        /* columns of a table, 0: the terminal's; pixels of a picture */
    uint64_t height;       /* pixels of a picture, 0: the figure's own      */
    struct gs_rate_opts rates;
    const char *title; /* of a picture or report, NULL: its own         */
};

extern const struct gs_opt gs_common_opts[];

/* Those without the ones that the command has itself, which go first; all of them without memory. */
const struct gs_opt *gs_common_opts_beside(const struct gs_opt *own, struct gs_arena *arena);
extern const struct gs_common gs_common_defaults;
