/* accept.h - the findings of gpustat check that are known, from options and files. */
#pragma once

#include "app/options/options.h"
#include "analysis/check/finding.h"

/*
 * Adds the ids of `ids` (each ID or ID,ID...) and those of `files`: one a line, blank lines and what follows a '#'
 * aside.
 * Errors: GS_ERR_USAGE for an id that is none, GS_ERR_DATA with FILE:LINE for one in a file, both with the nearest;
 *         those of gs_bytes_open and gs_bytes_read.
 * Memory: `scratch` is rewound.
 */
enum gs_status gs_accept(const struct gs_list *ids, const struct gs_list *files,
                         struct gs_arena *scratch, struct gs_accepted *accepted,
                         struct gs_err *err);
