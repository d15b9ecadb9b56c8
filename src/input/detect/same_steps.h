/* same_steps.h - inside recognition: one list of steps that a run holds in two forms. */
#pragma once

#include "input/detect/preview.h"

enum { GS_STEPS_COMPARED = 32 };

/* The first steps of a file's list. */
struct gs_step_list {
    struct gs_str file; /* as the map shows it */
    size_t source;      /* files of one source are never the same list */
    size_t n_rows, n;
    int64_t step[GS_STEPS_COMPARED];
    double length[GS_STEPS_COMPARED];
};

struct gs_step_lists {
    struct gs_step_list *item;
    size_t n;
};

/* Keeps what a file's list of steps begins with, where its source (an index) is one; false without memory. */
bool gs_same_steps_add(struct gs_step_lists *lists, const struct gs_map *map, size_t source,
                       const struct gs_preview *h, struct gs_str file, struct gs_arena *arena);

/*
 * Training scripts log each step twice, to a table and to JSON lines. Of two such files in sources of their own only one
 * stays, the one that has times: both would count every joule twice. The other is listed in map->unused, and said.
 */
void gs_same_steps_drop(const struct gs_step_lists *lists, struct gs_map *map,
                        struct gs_arena *arena);
