/* fleet_cells.h - the power of each GPU in cells of time: what a map of the fleet is drawn from. */
#pragma once

#include "analysis/aggregate/fold.h"
#include "analysis/energy/energy.h"

enum {
    GS_FLEET_COLUMNS = 240, /* cells along time, at most      */
    GS_FLEET_LINES = 256,   /* lines of GPUs, at most         */
    GS_FLEET_NAMED = 40,    /* GPUs that have a line by name  */
};

enum { GS_GRID_DOUBLINGS_MAX = 36 }; /* 2^32 s: no two times lie further apart than two cells */

/* Cells are 2^-4 s long, or 2^k times that: coarser cells are whole numbers of finer ones, wherever they came from. */
struct gs_fleet_grid {
    int64_t width_ns;
    int doublings;
};

/* The finest grid with fewer than `most` steps over this time and cells of at least `least_ns`. */
struct gs_fleet_grid gs_time_grid(int64_t first_ns, int64_t last_ns, int64_t most,
                                  int64_t least_ns);
int64_t gs_grid_width(int doublings);

/* The finest grid whose cells over this time are few enough for so many GPUs. */
struct gs_fleet_grid gs_fleet_grid_of(int64_t first_ns, int64_t last_ns, uint64_t n_gpus);

/* Cells by GPU and stretch of time: a table of a fold's state, found as they come. */
extern const struct gs_records_spec gs_fleet_cells_spec;

/* Adds the energy of a GPU to its cells; gs_energy_check has passed. Errors: GS_ERR_MEMORY. */
enum gs_status gs_fleet_cells_add(struct gs_records *cells, const struct gs_fleet_grid *grid,
                                  const struct gs_fold_host *host, const struct gs_gpu_view *gpu,
                                  const struct gs_energy_curve *curve, struct gs_err *err);

/* The frame "fleet-power", in no list: one row per line of GPUs and cell of time in which power is known. */
struct gs_fleet_map {
    struct gs_frame *frame;  /* NULL: no power is known  */
    size_t n_gpus, per_line; /* GPUs with a known power  */
    int64_t width_ns;        /* of a cell                */
};

/*
 * GPUs are in the order of their mean power; beyond GS_FLEET_NAMED a line may be several of them, and then has their
 * mean. `first_ns` and `last_ns` are those of the whole run. Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_fleet_cells_map(const struct gs_records *cells, int64_t first_ns, int64_t last_ns,
                                  struct gs_arena *arena, struct gs_fleet_map *map,
                                  struct gs_err *err);
