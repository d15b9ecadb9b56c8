/* escape.h - one escaper per door: text from data as each output language needs it. */
#pragma once

#include "base/core/text.h"

/* For the terminal see gs_buf_escaped in text.h. Every function appends and never fails but for memory. */

/* One CSV field: quoted only where it must be (comma, quote, CR, LF, blanks at an end, empty). */
void gs_buf_csv(struct gs_buf *b, struct gs_str text);

/* One TSV field: tab, LF, CR and backslash as \t \n \r \\. */
void gs_buf_tsv(struct gs_buf *b, struct gs_str text);

/* What stands between single quotes of sh, which expands nothing there. */
void gs_buf_sh(struct gs_buf *b, const char *text);

/* A JSON string with its quotes; what is not UTF-8 becomes U+FFFD. */
void gs_buf_json(struct gs_buf *b, struct gs_str text);

/*
 * Text of HTML, also inside a quoted attribute: & < > " ' as entities, control characters as their pictures
 * (U+2400...), what is not UTF-8 and what reorders or hides text as U+FFFD.
 */
void gs_buf_html(struct gs_buf *b, struct gs_str text);

/*
 * A cell or line of GitHub Markdown: marks that would have a meaning where they stand behind a backslash, & < > as
 * entities, what GitHub would link as &#NN;; control characters as in HTML.
 */
void gs_buf_markdown(struct gs_buf *b, struct gs_str text);

/*
 * A gnuplot string in single quotes, where gnuplot expands nothing: quotes doubled (or, where gnuplot cannot read
 * that, typographic), control characters and what is not UTF-8 replaced, and the > of ]]>, which would break its
 * SVG, full-width. `tic` doubles per cent signs too, because tic labels are formats.
 */
void gs_buf_gnuplot(struct gs_buf *b, struct gs_str text);
void gs_buf_gnuplot_tic(struct gs_buf *b, struct gs_str text);
