/* roff.h - text as man(7) wants it: escaped, in paragraphs, as it is typed. */
#pragma once

#include <stdbool.h>

#include "base/core/text.h"

enum gs_roff_kind {
    GS_ROFF_PROSE,   /* hyphens stay hyphens but for those of options */
    GS_ROFF_LITERAL, /* every character is the one that is typed       */
};

/* Text without line ends; `line_start` where it begins an input line, at which roff reads requests. */
void gs_roff(struct gs_buf *b, struct gs_str text, enum gs_roff_kind kind, bool line_start);

void gs_roff_prose(struct gs_buf *b, const char *text); /* a line of it */

/* For a template of gs_buf_format, within a line, as it is typed. Lives in b's arena; "" without memory, which b says. */
const char *gs_roff_literal(struct gs_buf *b, const char *text);

/* the first letter becomes a capital */
void gs_roff_subsection(struct gs_buf *b, const char *text);
void gs_roff_preformatted(struct gs_buf *b, struct gs_str text);

/* Paragraphs as help.h describes them; a line end within one is a blank. */
void gs_roff_paragraphs(struct gs_buf *b, const char *text);
