/* writer.h - private to writers: what the formats share. */
#pragma once

#include "output/writers/render.h"

/* The writing of one list of frames. */
struct gs_writer {
    struct gs_sink sink;
    const struct gs_render_options *options;
    const struct gs_frame *first;
    bool several;           /* more than one frame                        */
    struct gs_arena *arena; /* scratch; released when all is written       */
    int n_figures;          /* GNUPLOT: written so far                      */
};

/* Writes one frame; `index` counts from 0. */
typedef enum gs_status gs_frame_writer_fn(struct gs_writer *w, const struct gs_frame *f,
                                          size_t index, struct gs_err *err);

/* Writes what stands before the first frame or after the last. */
typedef enum gs_status gs_edge_writer_fn(struct gs_writer *w, struct gs_err *err);

/* Appends all rows of a part of the frame. Called on any thread, so it may only read what `context` points to. */
typedef void gs_rows_fn(struct gs_buf *b, const struct gs_frame *part, const void *context);

/* Hands a buffer's bytes to the sink and empties it. */
enum gs_status gs_writer_flush(struct gs_writer *w, struct gs_buf *b, struct gs_err *err);

/* Formats all rows in blocks, several threads at once, and writes the blocks in order. */
enum gs_status gs_writer_rows(struct gs_writer *w, const struct gs_frame *f, gs_rows_fn *rows,
                              const void *context, struct gs_err *err);

/* The frame's title, or its name where it has none. */
const char *gs_frame_heading(const struct gs_frame *f);

gs_frame_writer_fn gs_write_csv, gs_write_tsv, gs_write_json, gs_write_jsonl, gs_write_markdown,
    gs_write_html, gs_write_table, gs_write_gnuplot;
gs_edge_writer_fn gs_open_json, gs_close_json, gs_open_html, gs_close_html;
