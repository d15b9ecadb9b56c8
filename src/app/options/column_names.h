/* column_names.h - the names of columns that users type, held against those that results have. */
#pragma once

#include "app/options/options.h"
#include "data/result/frame.h"

/* Is that its name, a pattern of it, the first words of it, or its heading? */
bool gs_column_is_called(const struct gs_column_spec *spec, struct gs_str name);

/* Which columns a result may have, before it is there. */
struct gs_column_names {
    const char *command;          /* of whose first frame there is a default table      */
    const struct gs_list *given;  /* the options as given: attributes are named in them */
    const struct gs_frame *first; /* of a run without files; NULL: it is not known      */
};

/*
 * Refuses, before files are read, what no result can have. Patterns pass, and so do names that data may have:
 * attributes, means of metrics.
 * Errors: GS_ERR_USAGE, with the nearest name, else with those that there are; GS_ERR_MEMORY.
 */
enum gs_status gs_column_name_check(const char *option, struct gs_str name,
                                    const struct gs_column_names *names, struct gs_err *err);

/* Fails with GS_ERR_USAGE: no frame has it. Names the nearest column, else all that there are. */
enum gs_status gs_column_name_fail(const char *option, struct gs_str name,
                                   const struct gs_frame *first, struct gs_err *err);
