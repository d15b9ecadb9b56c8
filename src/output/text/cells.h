/* cells.h - numbers and cells as text: for people, and bare for programs. */
#pragma once

#include "data/result/frame.h"

/*
 * Appends the cell as the PEOPLE formats show it, unescaped text excluded: rounded to the column's decimals,
 * thousands separated by commas except in codes, `-` for missing. A number that would round to zero keeps
 * one digit more than it needs, so that 0.0026 is not shown as 0.00. Text is appended as it is.
 */
void gs_cell_for_people(struct gs_buf *b, const struct gs_frame *f, size_t row, size_t column);

/* A double the same way: `decimals` digits after the point, -1 for the shortest text. Not for NaN. */
void gs_real_for_people(struct gs_buf *b, double value, int decimals);

/* Appends a number or time as CSV and JSON show it; nothing for missing. Not for text. */
void gs_buf_bare(struct gs_buf *b, const struct gs_frame *f, size_t row, size_t column);

/* Appends a number with four significant digits, thousands separated. */
void gs_buf_four(struct gs_buf *b, double value);

/* The power of ten of a number's first digit: 2 of 950, -3 of 0.0026; 0 of 0 and of what is no number. */
int gs_leading_decade(double value);
