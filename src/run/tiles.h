/* tiles.h - what each tile of a zoom level took: a map of the picture. */
#ifndef GPUSTAT_TILES_H
#define GPUSTAT_TILES_H

#include "run/clusters.h"
#include "view/energy.h"
#include "model/frame.h"

enum gs_tile_value { GS_TILE_DURATION, GS_TILE_ENERGY, GS_TILE_POWER, GS_TILE_HOST, GS_TILE_CLUSTER };

struct gs_tiles_options {
    enum gs_tile_value value;
    int64_t level;         /* GS_MISSING: the level of most tasks, of several the deepest */
    const char *event;     /* the event that is a task                                    */
    int64_t max_gap_ns;    /* energy and power: none across a longer gap                  */
    size_t k;              /* cluster: how many; 0: found, see gs_populations_find        */
};

/*
 * Appends the frame "tiles": one row per tile (x, y) of the level in the task table, by x, then y. A tile that
 * several pairs rendered has their mean, and the host of the first (by START, then host).
 *
 * Missing: the value of a tile that no pair rendered, or of which no power is known.
 * Errors:  GS_ERR_USAGE for a level that has no tasks; GS_ERR_DATA as gs_energy_check and gs_clusters_find;
 *          GS_ERR_MEMORY.
 * Memory:  the frame lives in `arena`; each thread takes 96 bytes per tile.
 * Cost:    one visit of the hosts; clusters another.
 */
enum gs_status gs_tiles(const struct gs_dataset *d, const struct gs_tiles_options *o, unsigned n_threads,
                        struct gs_arena *arena, struct gs_frames *out, struct gs_err *err);

#endif
