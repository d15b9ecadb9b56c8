/* map_needed.h - selects the sources of a map that a command needs. */
#pragma once

#include "input/import/load.h"
#include "input/detect/map_build.h"

/* The table that the files of a role make. */
enum gs_table_kind gs_table_of_role(enum gs_role role);

/*
 * Leaves out the sources of tables that options->need does not ask for. Where one that the command can do without is not
 * there, the files that were not understood are noted: it may stand in one of them. Jobs of samples are left out where no
 * events name any, which is noted.
 * Errors: GS_ERR_NOINPUT for a needed table without a source, with the files that are none; those of gs_map_agree_roles.
 */
enum gs_status gs_map_prune(struct gs_map *map, const struct gs_load_options *options,
                            struct gs_notes *notes, struct gs_err *err);
