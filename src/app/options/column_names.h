/* column_names.h - the names of columns that users type, held against those that results have. */
#pragma once

#include "app/options/options.h"
#include "data/result/frame.h"

/*
 * Refuses, before files are read, what no result can have. `frame`: what the command's first is called. `given`: the
 * options as given. Patterns pass, and so do names that data may have: attributes, means of metrics.
 * Errors: GS_ERR_USAGE, with the nearest name, else with those of the default table; GS_ERR_MEMORY.
 */
enum gs_status gs_column_name_check(const char *option, struct gs_str name, const char *frame,
                                    const struct gs_list *given, struct gs_err *err);

/* Fails with GS_ERR_USAGE: no frame has it. Names the nearest column, else all that there are. */
enum gs_status gs_column_name_fail(const char *option, struct gs_str name,
                                   const struct gs_frame *first, struct gs_err *err);
