/* last_line.h - a file that broke off within a number still ends in a number, another one. */
#pragma once

#include "data/tables/dataset.h"

/*
 * Notes files whose last line has no line end and ends in a number, which counts: a warning where the lines before end in
 * longer numbers, such as 217.5 before 21. A list of JSON without its closing bracket is warned of, too. Of files that
 * cannot be read twice, or that are no text, nothing is known.
 */
void gs_note_last_lines(const struct gs_dataset *d, struct gs_notes *notes);
