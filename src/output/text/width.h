/* width.h - how many terminal columns text takes. */
#pragma once

#include "base/core/text.h"

/*
 * Columns that a terminal gives to a code point: 0 for combining marks, 2 for East Asian wide and emoji, else
 * 1. From a table of our own, not wcwidth(): a result must not depend on the locale.
 */
int gs_code_width(unsigned code_point);

/* Columns of UTF-8 text; a byte that is not UTF-8 counts 1. */
size_t gs_text_width(struct gs_str text);

/* The longest start of `text` that takes at most `columns`, whole characters with their combining marks. */
struct gs_str gs_text_start(struct gs_str text, size_t columns);

/* The same from the end. */
struct gs_str gs_text_end(struct gs_str text, size_t columns);
