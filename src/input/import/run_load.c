/* run_load.c - loads a run: builds its map, then fills its tables. */
#include "input/import/run_load.h"

#include "input/detect/run_map.h"
#include "input/import/align_steps.h"
#include "data/tables/activity.h"
#include "data/tables/jobs_zone.h"
#include "input/import/last_line.h"
#include "input/import/map_load.h"
#include "input/import/pass_plan.h"

/* Is there a source of this role, of jobs where it is that of events, whose times are in a zone that nothing names? */
static const struct gs_source *find_open(const struct gs_map *map, const struct gs_dataset *d,
                                         enum gs_role role)
{
    for (size_t i = 0, at = 0; i < map->n_sources; at += map->source[i++].path.n)
        for (size_t k = 0; k < map->source[i].path.n && at + k < d->n_inputs; k++)
            if (map->source[i].role == role && map->source[i].zone.ptr == NULL &&
                d->input[at + k].zoneless)
                return &map->source[i];
    return NULL;
}

static bool are_jobs(const struct gs_map *map)
{
    for (size_t i = 0; i < map->n_sources; i++)
        if (map->source[i].role == GS_ROLE_EVENTS && gs_source_form(&map->source[i])->is_of_jobs)
            return true;
    return false;
}

/* Of jobs and samples one names its zone, the other does not. */
static enum gs_status doubt_jobs_zone(const struct gs_dataset *d, const struct gs_map *map,
                                      bool whole, struct gs_notes *notes, struct gs_err *err)
{
    const struct gs_source *const jobs = find_open(map, d, GS_ROLE_EVENTS),
                                  *const samples = find_open(map, d, GS_ROLE_SAMPLES);
    char name[80];
    if (!are_jobs(map) || (jobs == NULL) == (samples == NULL))
        return GS_OK;
    (void)gs_escape(name, sizeof name,
                    gs_file_called((jobs != NULL ? jobs : samples)->files.item[0]));
    return gs_doubt_jobs_zone(d, name, jobs != NULL, whole, notes, err);
}

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
        GS_TRY(doubt_jobs_zone(dataset, map, whole, notes, err));
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
