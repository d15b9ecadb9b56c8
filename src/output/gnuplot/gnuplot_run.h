/* gnuplot_run.h - one run of the gnuplot program. Private to gnuplot. */
#pragma once

#include "output/gnuplot/gnuplot.h"

/*
 * Runs gnuplot (`program`; NULL: found along PATH) on a script and appends what it writes to its standard output. It
 * is started without a shell and without start-up files, does not see the user's gnuplot settings, and dies with us.
 * Errors: GS_ERR_UNAVAILABLE where there is none; GS_ERR_INTERNAL with gnuplot's own words where it refused; GS_ERR_IO
 *         where its output could not be read to the end; GS_ERR_MEMORY, also for descriptors and processes.
 */
enum gs_status gs_gnuplot_run(const char *program, const struct gs_buf *script,
                              struct gs_buf *drawn, struct gs_arena *scratch, struct gs_err *err);

/* Does it end as such a picture must? What gnuplot did not finish is no figure. */
bool gs_picture_is_whole(enum gs_picture picture, struct gs_str bytes);
