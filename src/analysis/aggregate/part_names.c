/* part_names.c - see part_names.h. */
#include "analysis/aggregate/part_names.h"

#include "base/num/decimal.h"
#include "analysis/timeline/counts.h"

bool gs_part_names_of(const struct gs_dataset *d, const char *event, struct gs_part_names *names)
{
    *names = (struct gs_part_names){.has_gpus = d->n_gpus > 0};
    names->event_seen =
        event != NULL &&
        (gs_is_all_jobs(event) || gs_intern_find(&d->event, gs_str(event)) != GS_INTERN_NONE);
    for (uint32_t e = 0; e < d->event.n && e < GS_LEAST_NAMES_KEPT;
         e++) /* numbered in their order */
        gs_least_names_add(&names->event, d->event.text[e]);
    if (!d->is_part) { /* has been checked */
        names->gpu_met = true;
        return true;
    }
    for (uint32_t k = 0; k < d->gpu_name.n; k++)
        if (!gs_is_missing_word(d->gpu_name.text[k]))
            gs_least_names_add(&names->gpu_named, d->gpu_name.text[k]);
    for (uint32_t g = 0; g < d->n_gpus; g++)
        if (gs_gpu_name(&d->gpu[g]).ptr != NULL)
            gs_least_names_add(&names->gpu_known, gs_gpu_name(&d->gpu[g]));
    return gs_gpu_names_meet(d, &names->gpu_met);
}

/*
 * A part alone cannot tell whether a name is wrong: its event or GPU may be in another part. So
 * each part records what it has, and the check runs on the union.
 */
void gs_part_names_add(struct gs_part_names *names, const struct gs_part_names *other)
{
    names->event_seen |= other->event_seen;
    names->has_gpus |= other->has_gpus;
    names->gpu_met |= other->gpu_met;
    gs_least_names_unite(&names->event, &other->event);
    gs_least_names_unite(&names->gpu_named, &other->gpu_named);
    gs_least_names_unite(&names->gpu_known, &other->gpu_known);
}

enum gs_status gs_part_names_check(const struct gs_part_names *names, const char *event,
                                   struct gs_err *err)
{
    char list[GS_LEAST_NAMES_TEXT_MAX], other[GS_LEAST_NAMES_TEXT_MAX];
    if (event != NULL && !names->event_seen && names->event.n > 0)
        return gs_fail(err, GS_ERR_DATA, "no event is called '%s'; found %s",
                       GS_SHOWN(gs_str(event), 128), gs_least_names_list(list, &names->event));
    if (names->has_gpus && names->gpu_named.n > 0 && !names->gpu_met)
        return gs_fail(err, GS_ERR_DATA, GS_GPU_NAMES_APART,
                       gs_least_names_list(list, &names->gpu_named),
                       names->gpu_known.n == 0 ? GS_GPU_NO_NAMES
                                               : gs_least_names_list(other, &names->gpu_known));
    return GS_OK;
}

void gs_part_names_save(const struct gs_part_names *names, struct gs_buf *b)
{
    gs_pack_count(b, names->event_seen);
    gs_pack_count(b, names->has_gpus);
    gs_pack_count(b, names->gpu_met);
    gs_least_names_save(&names->event, b);
    gs_least_names_save(&names->gpu_named, b);
    gs_least_names_save(&names->gpu_known, b);
}

void gs_part_names_load(struct gs_part_names *names, struct gs_unpacker *u, struct gs_arena *arena)
{
    *names = (struct gs_part_names){0};
    names->event_seen = gs_unpack_flag(u);
    names->has_gpus = gs_unpack_flag(u);
    names->gpu_met = gs_unpack_flag(u);
    gs_least_names_load(&names->event, u, arena);
    gs_least_names_load(&names->gpu_named, u, arena);
    gs_least_names_load(&names->gpu_known, u, arena);
}
