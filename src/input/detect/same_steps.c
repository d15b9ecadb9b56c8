/* same_steps.c - see same_steps.h. */
#include "input/detect/same_steps.h"

#include <math.h>
#include <stdio.h>

bool gs_same_steps_add(struct gs_step_lists *lists, const struct gs_map *map, size_t source,
                       const struct gs_preview *h, struct gs_str file, struct gs_arena *arena)
{
    const struct gs_source *const s = &map->source[source];
    const uint32_t step = gs_preview_plain_column(h, &s->task),
                   length = gs_preview_plain_column(h, &s->duration);
    if (s->role != GS_ROLE_EVENTS || step == UINT32_MAX || length == UINT32_MAX)
        return true;
    if (!GS_HAS_ROOM(arena, lists->item, lists->n))
        return false;
    struct gs_step_list *const l = &lists->item[lists->n++];
    *l = (struct gs_step_list){.file = file, .source = source, .n_rows = h->n_rows};
    for (size_t i = 0; i < h->n_rows && l->n < GS_STEPS_COMPARED; i++) {
        const struct gs_str number = gs_preview_cell(h, i, step);
        const struct gs_str seconds = gs_preview_cell(h, i, length);
        if (number.ptr != NULL && seconds.ptr != NULL &&
            gs_fixed_parse(number, &l->step[l->n], NULL) == GS_NUMBER_OK &&
            gs_real_parse(seconds, &l->length[l->n]) == GS_NUMBER_OK)
            l->n++;
    }
    return true;
}

/* Seconds in one file may be milliseconds in the other, and rounded: each length is to be the same share of the first. */
static bool are_same(const struct gs_step_list *a, const struct gs_step_list *b)
{
    enum { FEWEST = 3 };
    static const double rounding = 0.005;
    bool same = a->source != b->source && a->n == b->n && a->n_rows == b->n_rows &&
                a->n >= FEWEST && a->length[0] > 0 && b->length[0] > 0;
    const double factor = same ? b->length[0] / a->length[0] : 1;
    const double thousands = log10(factor) / 3;
    same = same && fabs(thousands - round(thousands)) * 3 < rounding;
    for (size_t i = 0; same && i < a->n; i++)
        same = a->step[i] == b->step[i] &&
               fabs(a->length[i] * factor - b->length[i]) <= rounding * b->length[i];
    return same;
}

/* The source of events that has a file, and where in it; NULL: it was dropped. */
static struct gs_source *source_of(struct gs_map *map, struct gs_str file, size_t *at)
{
    for (size_t i = 0; i < map->n_sources; i++)
        for (size_t k = 0; map->source[i].role == GS_ROLE_EVENTS && k < map->source[i].files.n; k++)
            if (gs_str_eq(map->source[i].files.item[k], file)) {
                *at = k;
                return &map->source[i];
            }
    return NULL;
}

static void take_out(struct gs_texts *list, size_t at)
{
    for (list->n--; at < list->n; at++)
        list->item[at] = list->item[at + 1];
}

static void drop(struct gs_map *map, struct gs_source *s, size_t at, struct gs_str kept,
                 struct gs_arena *arena)
{
    char why[200];
    (void)snprintf(why, sizeof why, "holds the same steps as %s: not used (--events FILE chooses)",
                   GS_SHOWN(gs_file_called(kept), 124));
    gs_map_add_unused(
        map, (struct gs_unused_file){.path = s->files.item[at], .why = why, .same_steps = true},
        arena);
    take_out(&s->files, at);
    take_out(&s->path, at);
    if (s->files.n > 0)
        return;
    for (struct gs_source *const end = &map->source[--map->n_sources]; s < end; s++)
        *s = s[1];
}

void gs_same_steps_drop(const struct gs_step_lists *lists, struct gs_map *map,
                        struct gs_arena *arena)
{
    for (size_t i = 0; i < lists->n; i++)
        for (size_t k = i + 1; k < lists->n; k++) {
            size_t at[2] = {0};
            if (!are_same(&lists->item[i], &lists->item[k]))
                continue;
            struct gs_source *const a = source_of(map, lists->item[i].file, &at[0]);
            struct gs_source *const b = source_of(map, lists->item[k].file, &at[1]);
            if (a == NULL || b == NULL)
                continue;
            const bool second = !gs_source_is_chain(a) || gs_source_is_chain(b);
            drop(map, second ? b : a, at[second], lists->item[second ? i : k].file, arena);
        }
}
