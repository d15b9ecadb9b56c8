/* run_load.c - loads a run: builds its map, then fills its tables. */
#include "input/import/run_load.h"

#include "input/detect/run_map.h"
#include "input/import/align_steps.h"
#include "input/import/gpu_names.h"
#include "input/import/held_rejects.h"
#include "input/import/jobs_zone.h"
#include "input/import/last_line.h"
#include "input/import/map_load.h"
#include "data/tables/sanity.h"
#include "input/import/pass_plan.h"

/* The study's own tables: the scanner finds their columns by name, and every row counts as it stands. */
static enum gs_status load_study(const struct gs_map *map, const struct gs_load_options *options,
                                 struct gs_arena *arena, struct gs_dataset *dataset,
                                 struct gs_notes *notes, struct gs_err *err)
{
    struct gs_load_options o = *options;
    struct gs_input *input = NULL;
    GS_TRY(gs_run_map_inputs(map, arena, &input, &o.n_inputs, err));
    o.input = input;
    return gs_load(&o, arena, dataset, notes, err);
}

/*
 * Are there rows of GPUs that are none, or of hosts without a name? Such rows would count as GPUs
 * of their own: the energy of a total would be added to that of its parts.
 */
static bool has_no_gpus(const struct gs_dataset *d)
{
    bool any = false;
    for (uint32_t g = 0; g < d->n_gpus && !any; g++)
        any = gs_is_no_gpu(&d->gpu[g], d->host.text[d->gpu[g].host]);
    return any;
}

/* Whatever detection or a map made of the files. Of a part of a run nothing is doubted: others hold the rest. */
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

/* The rows are read a second time only if the first reading shows sums over GPUs. */
static enum gs_status load_run(const struct gs_map_request *r, const struct gs_load_options *o,
                               bool zone_given, struct gs_arena *arena, struct gs_dataset *dataset,
                               struct gs_notes *notes, struct gs_err *err)
{
    struct gs_load_options own = *o;
    struct gs_held_rejects held = {.arena = arena};
    struct gs_notes said = {.arena = arena};
    struct gs_dataset d = {0};
    struct gs_map map = {0};
    const bool is_first = gs_pass_plan_learned(o->pass_plan) == NULL;
    const bool detects = !is_first && o->pass_plan->mapped;
    enum gs_status s =
        detects ? gs_map_build(r, arena, &map, err) : gs_run_map(r, o, arena, &map, err);
    if (s == GS_OK && map.n_sources > 0 && gs_source_is_study(&map.source[0])) {
        if (o->reject !=
            NULL) { /* rows are handed on once it is clear that the scanner's reading counts */
            own.reject = gs_reject_defer;
            own.reject_context = &held;
        }
        s = load_study(&map, &own, arena, &d, &said, err);
        if (s == GS_OK && o->n_shards <= 1 &&
            o->pass_plan == NULL) /* a shard may have either alone */
            s = gs_sanity_common(&d, err);
        /* Only the mapper tells rows of sums over GPUs from those of GPUs. */
        bool detected = false;
        if (s == GS_OK && has_no_gpus(&d))
            s = gs_run_map_detected(r, o, arena, &map, &detected, err);
        if (!detected) {
            gs_notes_add(notes, &said);
            const enum gs_status handed = gs_rejects_hand_on(&held, o, s == GS_OK ? err : NULL);
            GS_THEN(s, handed);
            if (s == GS_OK)
                *dataset = d;
            return s;
        }
        if (is_first && o->pass_plan != NULL) {
            o->pass_plan->learned = false; /* what the scanner had taken is taken again */
            o->pass_plan->mapped = true;
        }
    }
    GS_TRY(s);
    return load_mapped(&map, o, zone_given, arena, dataset, notes, err);
}

enum gs_status gs_run_load(const struct gs_map_request *r, const struct gs_load_options *o,
                           bool zone_given, struct gs_arena *arena, struct gs_dataset *dataset,
                           struct gs_notes *notes, struct gs_err *err)
{
    const bool is_first = gs_pass_plan_learned(o->pass_plan) == NULL;
    GS_TRY(load_run(r, o, zone_given, arena, dataset, notes, err));
    if (is_first)
        gs_note_last_lines(dataset, notes);
    return GS_OK;
}
