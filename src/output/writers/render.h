/* render.h - frames to text: one table of formats, one function that writes them all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "data/result/frame.h"
#include "base/os/output.h"
#include "data/result/plot.h"

enum gs_format {
    GS_FORMAT_TABLE, /* for people at a terminal                                       */
    GS_FORMAT_CSV,   /* RFC 4180, bare numbers, LF                                      */
    GS_FORMAT_TSV,   /* tab separated; tab, line ends and backslash as \t \n \r \\      */
    GS_FORMAT_JSON,  /* one document: an object, or an array of them for several frames */
    GS_FORMAT_JSONL, /* one object per row                                             */
    GS_FORMAT_MARKDOWN,
    GS_FORMAT_HTML,
    GS_FORMAT_GNUPLOT, /* a self-contained script                                       */
    GS_N_FORMATS,
};

struct gs_format_info {
    const char *name;   /* as --format takes it */
    const char *suffix; /* of files, ".csv"     */
};

/* The row of the table of formats. */
const struct gs_format_info *gs_format_info(enum gs_format format);

/* The names in order, ending in NULL: the choices of --format, indexed by enum gs_format. */
extern const char *const gs_format_names[GS_N_FORMATS + 1];

/* Valid when zeroed: no terminal, plain ASCII decoration, no titles, one thread. */
struct gs_render_options {
    int width;    /* columns of the terminal; 0: not a terminal, nothing is shortened or split  */
    bool colour;  /* headings bold, missing dim; never the only carrier                         */
    bool unicode; /* rules and ellipsis in Unicode. Text from data is shown as it is either way */
    bool titles;  /* each frame under its title (PEOPLE formats); also where there are several  */
    /* CSV, TSV: a text that a spreadsheet would run as a formula gets a quote before it */
    bool csv_safe;
    bool fragment;  /* HTML: only the tables, without page, style and head                        */
    bool log_scale; /* GNUPLOT: bars that may be logarithmic are                                  */
    enum gs_theme theme; /* GNUPLOT: default of the script's variable `theme` */
    /*
     * TABLE: not NULL: columns go from the right until a line is wide enough, and are counted here. Not for frames
     * with an order of columns
     */
    size_t *n_left_out;
    unsigned n_threads; /* 0 counts as 1; bytes are the same for any number */
};

/*
 * Writes `first` and the frames after it to `sink`.
 *
 * Several frames: TABLE, MARKDOWN, HTML one under the other, titled. CSV, TSV one after the other, a blank
 *          line between. JSON an array. JSONL every row of every frame, each object starting with
 *          "frame": NAME. GNUPLOT every figure in turn, each opened with its own number.
 * Missing: empty (CSV, TSV), null (JSON), `-` (TABLE, MARKDOWN, HTML), not drawn (GNUPLOT). In CSV an empty
 *          text is "" and so is told from a missing one; a row that is one missing cell is "" too, because
 *          a blank line is no row.
 * Text:    control characters are shown escaped (TABLE), as U+2400.. pictures (MARKDOWN, HTML), escaped by
 *          the format's own rules (TSV, JSON) or kept inside quotes (CSV); bytes that are not UTF-8 become
 *          U+FFFD where the format must be UTF-8 (JSON, HTML, MARKDOWN). Infinite numbers are null in JSON.
 * Errors:  what the sink answers; GS_ERR_MEMORY.
 * Memory:  bounded by rows of a block, except GNUPLOT, which holds its script.
 * Cost:    O(cells), spread over options->n_threads.
 */
enum gs_status gs_render(const struct gs_frame *first, enum gs_format format,
                         const struct gs_render_options *options, struct gs_sink sink,
                         struct gs_err *err);

/*
 * The <style> element that the tables of GS_FORMAT_HTML want, for a page that holds fragments. Colours are the
 * custom properties --fg, --bg, --dim, --rule, --band, which follow light and dark mode: table.css.
 */
extern const char gs_text_table[];

/*
 * How every page begins, up to and without its title: head.html. No script and no request: its policy says so and
 * the browser holds us to it. Styles are ours alone, so 'unsafe-inline' for them lets nothing in.
 */
extern const char gs_text_head[];
