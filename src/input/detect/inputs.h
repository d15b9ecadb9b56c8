/* inputs.h - finds the input files of a run by name or pattern. */
#pragma once

#include "input/detect/map_build.h"
#include "input/import/load_options.h"

/*
 * Lists the files of the needed tables: those named by option, else those in the directory that is the operand, by name
 * (stem.csv, stem-N.csv, each also .gz .zst .xz), in the order of table, then name.
 * Errors: GS_ERR_NOINPUT for a directory or a needed table that is not there; GS_ERR_DATA where a table
 *         is there both plain and compressed.
 */
enum gs_status gs_inputs_find(const struct gs_map_request *r, const struct gs_load_options *o,
                              struct gs_arena *arena, struct gs_input **input, size_t *n_inputs,
                              struct gs_err *err);

/* The role of a table's files. */
enum gs_role gs_role_of_table(enum gs_table_kind kind);

/* The table that a file of this name is, GS_N_TABLES for none. */
enum gs_table_kind gs_inputs_kind(const char *name);
