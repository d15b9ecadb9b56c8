/* tiles.h - what each tile of a zoom level took: a map of the picture. */
#pragma once

#include "analysis/gpus/clusters.h"
#include "analysis/energy/energy.h"
#include "data/result/frame.h"

enum gs_tile_value {
    GS_TILE_DURATION,
    GS_TILE_ENERGY,
    GS_TILE_POWER,
    GS_TILE_HOST,
    GS_TILE_CLUSTER
};

struct gs_tiles_options {
    enum gs_tile_value value;
    int64_t level;      /* GS_MISSING: the level of most tasks, of several the deepest */
    const char *event;  /* the event that is a task                                    */
    int64_t max_gap_ns; /* energy and power: none across a longer gap                  */
    uint64_t k;         /* cluster: how many; 0: found, see gs_populations_find        */
};

/*
 * The frame "tiles": one row per tile (x, y) of the level in the task table, by x, then y. A tile that several pairs
 * rendered has their mean, and the host of the first (by START, then host). Options: struct gs_tiles_options.
 *
 * Missing: the value of a tile that no pair rendered, or of which no power is known.
 * Errors:  GS_ERR_USAGE for a level that has no tasks; GS_ERR_DATA as gs_energy_check and gs_clusters_find;
 *          GS_ERR_MEMORY.
 * Memory:  a state takes some 190 bytes per tile; with clusters the profiles besides.
 */
extern const struct gs_fold gs_tiles_fold;

/* What tiles are asked for, and the frame that says it. */
struct gs_tile_picture {
    enum gs_tile_value value;
    struct gs_frame *frame;
};

/*
 * Makes the frames of several pictures in one look at a state of gs_tiles_fold (of `of`: state, threads, arena), with populations that are known:
 * `clusters` of `fleet`, NULL where no value is GS_TILE_CLUSTER. Energies are in the state if its options asked for them.
 */
enum gs_status gs_tiles_frames(struct gs_tile_picture *picture, size_t n_pictures,
                               const struct gs_finish *of, const struct gs_gpu_list *fleet,
                               const struct gs_clusters *clusters, struct gs_frames *out,
                               struct gs_err *err);
