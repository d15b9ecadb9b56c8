/* map_agree.h - do the sources of a map belong together? */
#pragma once

#include "input/import/mapper.h"

/*
 * Two sources for one role or metric, before anything is read: files that were detected, nobody named them.
 * Errors: GS_ERR_DATA with both and the option that names one.
 */
enum gs_status gs_map_agree_roles(const struct gs_map *map, struct gs_err *err);

/*
 * What only their rows tell: instants and hosts in common, zones on both sides, hosts that are parts of files' names.
 * `zone_given`: by --tz.
 */
enum gs_status gs_map_agree(const struct gs_mapped_source *list, size_t n, bool zone_given,
                            struct gs_arena *scratch, struct gs_err *err);

/*
 * Where samples and events have no host in common until the domains of one side, or the case of the samples' letters, are left
 * out: changes the map so that they are, says so, and *changed: the files are to be read again.
 */
enum gs_status gs_map_match_hosts(struct gs_map *map, const struct gs_mapped_source *list,
                                  struct gs_arena *arena, bool *changed, struct gs_notes *notes,
                                  struct gs_err *err);

/*
 * Two files of a source whose hosts were guessed from their names, though they have no instant in common: other runs, or
 * parts of one log. False where all overlap.
 */
bool gs_map_find_apart(const struct gs_mapped_source *m, size_t pair[2]);

/* Puts the operand to type for the run that a file of such a source is of: a folder, or a pattern in quotes. */
void gs_map_put_run(struct gs_buf *b, const struct gs_source *s, size_t file, size_t other);
