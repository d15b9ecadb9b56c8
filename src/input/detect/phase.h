/* phase.h - internal to input/detect: words that mark START and STOP, and column names of long tables. */
#pragma once

#include "input/detect/preview.h"

/*
 * Finds the phase and the event of a table of marks in its first values: a column of START and STOP in any vocabulary
 * beside the event's, or events that end or begin with such a word. Leaves source->phase none where there is none.
 */
void gs_phase_find(const struct gs_preview *h, uint32_t time_column, struct gs_source *source,
                   struct gs_arena *arena);

/* The metric of a DCGM field by its number ("155"), or NULL. */
const struct gs_metric *gs_dcgm_field(struct gs_str text);

/* The unit of a name in a long table: in the name, or the exporter's own; NULL where it is not known. */
const char *gs_long_unit(struct gs_str text, const struct gs_name *name);
