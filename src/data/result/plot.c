/* plot.c - copies figures whose texts depend on a run. */
#include "data/result/plot.h"

#include <string.h>

struct gs_plot *gs_plot_copy(const struct gs_plot *plot, struct gs_arena *arena,
                             struct gs_panel **panels)
{
    size_t n_plots = 0, n_panels = 0;
    for (const struct gs_plot *p = plot; p != NULL; p = p->next) {
        n_plots++;
        n_panels += (size_t)p->n_panels;
    }
    struct gs_plot *const copies = gs_arena_take(arena, n_plots, sizeof *copies);
    struct gs_panel *const all = gs_arena_take(arena, n_panels, sizeof *all);
    if (copies == NULL || all == NULL)
        return NULL;
    struct gs_panel *next = all;
    size_t i = 0;
    for (const struct gs_plot *p = plot; p != NULL; p = p->next, i++) {
        copies[i] = *p;
        copies[i].panels = next;
        copies[i].next = p->next == NULL ? NULL : &copies[i + 1];
        memcpy(next, p->panels, (size_t)p->n_panels * sizeof *next);
        next += p->n_panels;
    }
    *panels = all;
    return n_plots == 0 ? NULL : copies;
}

struct gs_plot *gs_plot_over(const struct gs_plot *plot, const struct gs_frame *of,
                             struct gs_arena *arena)
{
    struct gs_panel *panels;
    struct gs_plot *const own = gs_plot_copy(plot, arena, &panels);
    if (own != NULL)
        own->of = of;
    return own;
}
