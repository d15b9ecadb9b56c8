/* gnuplot.h - frames as gnuplot scripts, and pictures of them: the only door to gnuplot. */
#pragma once

#include "output/chart/draw.h"
#include "base/os/output.h"

/*
 * Appends a self-contained script for one figure: numbers in datablocks, text only in single quotes, terminal
 * and output left to whoever runs it (`gnuplot -p FILE`, `gnuplot -e "out='x.svg'" FILE`).
 * Missing: rows without x or y are not drawn; a figure without any row says "no data".
 * Errors:  GS_ERR_INTERNAL for a panel that names a column the frame lacks; GS_ERR_MEMORY.
 * Cost:    O(rows log rows).
 */
enum gs_status gs_plot_script(const struct gs_frame *f, const struct gs_plot *plot,
                              const struct gs_draw_options *options, struct gs_buf *script,
                              struct gs_err *err);

/*
 * Draws one figure with gnuplot, started without a shell and without its start-up files, and hands the
 * picture's bytes to `sink`. The same bytes for the same frame and the same gnuplot.
 * Errors:  GS_ERR_UNAVAILABLE where there is no gnuplot ("gnuplot: not found ..."); GS_ERR_INTERNAL with gnuplot's
 *          own words where it refused, or where the picture has no end; GS_ERR_IO where it cannot be read;
 *          GS_ERR_MEMORY; what the sink answers.
 * Memory:  script and picture in a scratch arena, released.
 */
enum gs_status gs_plot_draw(const struct gs_frame *f, const struct gs_plot *plot,
                            enum gs_picture picture, const struct gs_draw_options *options,
                            struct gs_sink sink, struct gs_err *err);

/* One of several pictures. */
struct gs_svg_request {
    const struct gs_frame *frame;
    const struct gs_plot *plot;
    enum gs_theme theme;
    bool log_scale;
    int height_px; /* 0: the figure's own                                             */
    const struct gs_zone *zone; /* of axes along time; NULL: UTC                      */
    bool empty; /* from gs_svg_request_write: nothing is known of any panel        */
    /* from gs_svg_request_write; the script is that of gs_plot_script */
    struct gs_str head, script, hover;
    struct gs_str svg; /* the answer                                                      */
};

/* Writes what gnuplot is told of one request. Several may be written at once. Errors and cost as gs_plot_script. */
enum gs_status gs_svg_request_write(struct gs_svg_request *request, struct gs_arena *arena,
                                    struct gs_err *err);

/*
 * Draws request[0..n), all written, with one gnuplot, because starting it costs more than most pictures. Each looks as
 * gs_plot_draw would draw it; the bytes are the same for the same list. Memory: the answers live in `arena`. Errors: as gs_plot_draw.
 */
enum gs_status gs_plot_draw_svgs(struct gs_svg_request *request, size_t n, const char *program,
                                 struct gs_arena *arena, struct gs_err *err);

/* The picture that a file name asks for: .svg, .png, .pdf. Errors: GS_ERR_USAGE for any other. */
enum gs_status gs_picture_of(const char *path, enum gs_picture *picture, struct gs_err *err);

/* gs_plot_draw into a file that appears whole or not at all. Errors: also GS_ERR_CANTCREATE, GS_ERR_IO. */
enum gs_status gs_plot_draw_file(const struct gs_frame *f, const struct gs_plot *plot,
                                 const char *path, const struct gs_draw_options *options,
                                 struct gs_err *err);
