/* tile_sums.h - the state of tiles' fold: the places of the picture, and what hosts did there. */
#pragma once

#include "analysis/gpus/tiles.h"

/*
 * Tables: the tiles of the level by (x, y), of the task table and the same in every state that has read it; the level;
 * the profiles where clusters are asked for. What pairs come to stands in rows of their hosts, one for each of a host's
 * tiles, by x, then y: mostly a tile is one host's.
 */
enum {
    GS_TILE_PLACES,
    GS_TILE_LEVEL,
    GS_TILE_PROFILES,
    GS_N_TILE_TABLES = GS_TILE_PROFILES + GS_N_PROFILE_TABLES
};

struct gs_tile_place {
    int64_t there; /* 1 */
};

/* The same in every state. */
struct gs_tile_level {
    int64_t level;
};

/* Who was first. Valid when zeroed: nobody. */
struct gs_first {
    bool any;
    int64_t t_ns;
    struct gs_str name[3];
};

/* Makes `first` the earlier of both. */
void gs_first_merge(struct gs_first *first, const struct gs_first *other);

/* What the pairs of a tile come to. Valid when zeroed. */
struct gs_tile_sums {
    uint64_t n;
    gs_i128 duration_ns;
    struct gs_first first; /* pair: host, and serial and UUID where it is known which GPU */
};

/* Is that value of what the pairs drew? */
bool gs_tile_needs_samples(enum gs_tile_value value);

/* Makes the frame of a host's rows, without any. */
enum gs_status gs_tile_rows_new(struct gs_arena *arena, struct gs_frame **rows, struct gs_err *err);

/*
 * Sets the cells of a row of such columns; `energy`: what the pairs drew, NULL where that was not asked for. Bytes live
 * in `scratch`. False without memory.
 */
bool gs_tile_row_set(struct gs_column *columns, size_t row, const union gs_key *place,
                     const struct gs_tile_sums *sums, const struct gs_energy_sum *energy,
                     struct gs_arena *scratch);

/* The tile that a row is of: its key in GS_TILE_PLACES. */
void gs_tile_row_key(const struct gs_column *columns, size_t row, union gs_key key[2]);

/*
 * Adds a row to the sums of its tile, and to its energy, NULL where it was not asked for; texts are kept in `names`.
 * Errors: GS_ERR_DATA for bytes that are no such sums; GS_ERR_MEMORY.
 */
enum gs_status gs_tile_row_add(const struct gs_column *columns, size_t row, struct gs_intern *names,
                               struct gs_tile_sums *sums, struct gs_energy_sum *energy,
                               struct gs_err *err);

/* The finish of gs_tiles_fold. */
enum gs_status gs_tiles_finish(const struct gs_finish *of, struct gs_frames *out,
                               struct gs_err *err);
