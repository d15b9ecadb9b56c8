/* spans_csv.h - reads a CSV of time spans that accompanies a log: bursts, phases, events. */
#pragma once

#include "base/core/notes.h"
#include "base/core/status.h"
#include "data/tables/log_table.h"
#include "base/num/timestamp.h"

/*
 * Reads stretches of time from a CSV with a header, in one of three forms:
 *   start and stop (or end) columns, one row each, with an optional event, eventName or name, host and gpu;
 *   timestamp and eventType columns (START, STOP), paired in order of time per event name, host and GPU;
 *   one timestamp column: in order of time, equal stamps counted once, starts and stops alternate.
 * Errors: GS_ERR_DATA with file, line and column for a bad time, a stop before its start, no stretch at all;
 *         what gs_csv_read lists. A mark left over at the end is noted.
 */
enum gs_status gs_spans_read(const char *path, const struct gs_zone *zone, struct gs_arena *arena,
                             struct gs_notes *notes, struct gs_span_list *spans,
                             struct gs_err *err);
