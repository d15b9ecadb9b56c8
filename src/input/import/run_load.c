/* run_load.c - loads a run: builds its map, then fills its tables. */
#include "input/import/run_load.h"

#include "input/detect/run_map.h"
#include "input/import/align_steps.h"
#include "input/import/jobs_zone.h"
#include "input/import/last_line.h"
#include "input/import/map_load.h"
#include "input/import/pass_plan.h"

/* Of a part of a run nothing is doubted: others hold the rest. */
static enum gs_status load_mapped(struct gs_map *map, const struct gs_load_options *o,
                                  bool zone_given, struct gs_arena *arena,
                                  struct gs_dataset *dataset, struct gs_notes *notes,
                                  struct gs_err *err)
{
    GS_TRY(gs_align_steps(map, o, arena, notes, err));
    GS_TRY(gs_map_load(map, o, zone_given, arena, dataset, notes, err));
    const bool whole = o->n_shards <= 1 && o->pass_plan == NULL && !dataset->is_part;
    if (!zone_given)
        GS_TRY(gs_doubt_jobs_zone(dataset, map, whole, notes, err));
    if (zone_given || !whole)
        return GS_OK;
    return gs_doubt_zone(dataset, notes, err);
}

enum gs_status gs_run_load(const struct gs_map_request *r, const struct gs_load_options *o,
                           bool zone_given, struct gs_arena *arena, struct gs_dataset *dataset,
                           struct gs_notes *notes, struct gs_err *err)
{
    const bool is_first = gs_pass_plan_learned(o->pass_plan) == NULL;
    struct gs_map map = {0};
    GS_TRY(gs_run_map(r, o, arena, &map, err));
    GS_TRY(load_mapped(&map, o, zone_given, arena, dataset, notes, err));
    if (is_first)
        gs_note_last_lines(dataset, notes);
    return GS_OK;
}
