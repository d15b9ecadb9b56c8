/* power_log.h - reads what nvidia-smi, dmon, DCGM and GPU-Z write about a GPU's power. */
#ifndef GPUSTAT_POWER_LOG_H
#define GPUSTAT_POWER_LOG_H

#include "num/timestamp.h"
#include "base/arena.h"
#include "model/log_table.h"
#include "base/notes.h"
#include "base/status.h"

struct gs_power_log_options {
    const char *columns;      /* names of a headerless CSV's columns, comma-separated; NULL: from the header */
    const char *power_column; /* header name, or draw, average, instant; NULL: the first of them with values */
    struct gs_zone zone;      /* of times that name none                                                     */
    bool prefer_instant;      /* of several power columns the instant one first                     */
    uint64_t n_gpus;          /* the rows of a log without GPU column are those of so many in turn; 0: not said */
    int64_t interval_ns;      /* between the rows of one GPU in a log without times; 0: they have no time    */
};

struct gs_power_log_parser; /* push parser: bytes in any pieces, then the table */

/*
 * Opens a parser for one log. The form is known by its content:
 *   CSV of nvidia-smi --query-gpu or GPU-Z: columns found by name whatever their order, units in header or
 *     values or nowhere, the header at the top, repeated, or before every row; "10:12:46,483" split at its
 * comma; CSV without header: with options.columns, or as the study's five: time, GPU %, W, MiB used, MiB in
 * all; CSV in DCGM's long form: GPUId, TimeStamp, Field, Value; a power reading takes the other fields'
 * latest values; text of nvidia-smi dmon or dcgmi dmon: lines of '#' name the columns, '-' is no value; also
 * with commas. Missing: a row without a readable time or power, with too few or too many fields, or whose
 * power is no number is dropped, counted and noted with its reason and first line. Other values may be
 * missing. Rows of several GPUs without a column that tells them apart (times that repeat, or come in clusters) are
 * an error that asks. Errors:  GS_ERR_USAGE for unknown names in the options; GS_ERR_DATA where no power column is found
 * (with those that there are), for a log without a row or without a reading, and what csv.h lists; GS_ERR_MEMORY. Memory:
 * everything lives in `arena`; `notes` may be NULL. Close releases what libcsv holds.
 */
enum gs_status gs_power_log_open(const char *name, const struct gs_power_log_options *options, struct gs_arena *arena,
                                 struct gs_notes *notes, struct gs_power_log_parser **parser, struct gs_err *err);
enum gs_status gs_power_log_feed(struct gs_power_log_parser *p, const char *bytes, size_t len, struct gs_err *err);
enum gs_status gs_power_log_finish(struct gs_power_log_parser *p, struct gs_log_table *table, struct gs_err *err);
void gs_power_log_close(struct gs_power_log_parser *p); /* NULL allowed */

/* Reads a whole log: path or "-", plain or compressed. Errors: those above, GS_ERR_NOINPUT, GS_ERR_IO. */
enum gs_status gs_power_log_read(const char *path, const struct gs_power_log_options *options, struct gs_arena *arena,
                                 struct gs_notes *notes, struct gs_log_table *table, struct gs_err *err);

/*
 * Reads stretches of time from a CSV with a header, in one of three forms:
 *   start and stop (or end) columns, one row each, with an optional event, eventName or name, host and gpu;
 *   timestamp and eventType columns (START, STOP), paired in order of time per event name, host and GPU;
 *   one timestamp column: in order of time, equal stamps counted once, starts and stops alternate.
 * Errors: GS_ERR_DATA with file, line and column for a bad time, a stop before its start, no stretch at all;
 *         what gs_csv_read lists. A mark left over at the end is noted.
 */
enum gs_status gs_spans_read(const char *path, const struct gs_zone *zone, struct gs_arena *arena,
                             struct gs_notes *notes, struct gs_span_list *spans, struct gs_err *err);

#endif
