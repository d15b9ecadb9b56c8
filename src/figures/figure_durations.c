/* figure_durations.c - how durations are distributed, as histograms and boxes. */
#include "figures/figures.h"

/* clang-format off */
static const struct gs_panel histogram = {.kind = GS_PLOT_HISTOGRAM, .x = "from_ms", .x_end = "to_ms", .y = "share_pct",
                                          .cumulative = "cumulative_pct", .only_column = "group", .from_zero = true,
                                          .y_label = "share of pairs (%)"};

static const struct gs_panel boxes = {.kind = GS_PLOT_BOX, .x = "group", .y = "p50_ms", .group = "group",
                                      .box = {"p5_ms", "p25_ms", "p50_ms", "p75_ms", "p95_ms"},
                                      .y_label = "duration (ms): 5, 25, 50, 75, 95 in 100"};
/* clang-format on */

const struct gs_plot *gs_durations_figures(const struct gs_durations *d, const char *histogram_name,
                                           const char *boxes_name, struct gs_arena *arena)
{
    struct gs_plot *const plot = gs_arena_take(arena, 2, sizeof *plot);
    struct gs_panel *const panel = gs_arena_take(arena, d->n_groups + 1, sizeof *panel);
    bool in_ratios = false;
    if (plot == NULL || panel == NULL || d->n_groups == 0)
        return NULL;
    for (size_t i = 0; i < d->n_groups; i++) {
        const char *const name = gs_arena_copy(arena, d->name[i].ptr, d->name[i].len);
        if (name == NULL)
            return NULL;
        panel[i + 1] = histogram;
        panel[i + 1].title = panel[i + 1].only_value = name;
        panel[i + 1].log_x = d->in_ratios[i];
        in_ratios |= d->in_ratios[i];
    }
    const double least = d->boxes->columns[gs_frame_find(d->boxes, "p5_ms")].real[0];
    panel[0] = boxes;
    for (size_t i = 0; i < d->n_groups; i++)
        in_ratios |= d->boxes->columns[gs_frame_find(d->boxes, "p95_ms")].real[i] > 20 * least;
    panel[0].log_y = in_ratios;
    plot[0] = (struct gs_plot){.name = histogram_name,
                               .title = "Distribution of durations",
                               .caption = "Shares of the pairs by duration; the line is the share up to there.",
                               .of = d->bins,
                               .n_panels = (int)d->n_groups,
                               .panels = &panel[1],
                               .columns = 2,
                               .next = &plot[1]};
    plot[1] =
        (struct gs_plot){.name = boxes_name,
                         .title = "Durations at a glance",
                         .caption = "The box holds the middle half of the pairs, its gap is the median; the whiskers "
                                    "reach from the 5th to the 95th percentile.",
                         .of = d->boxes,
                         .n_panels = 1,
                         .panels = panel};
    return plot;
}

const struct gs_plot *gs_with_durations(const struct gs_plot *figures, const struct gs_durations *d,
                                        const char *histogram_name, const char *boxes_name, struct gs_arena *arena)
{
    struct gs_panel *panels;
    struct gs_plot *const own = gs_plot_copy(figures, arena, &panels), *last = own;
    if (own == NULL)
        return NULL;
    for (const struct gs_plot *p = figures; p->next != NULL; p = p->next)
        last++; /* copies stand side by side */
    last->next = gs_durations_figures(d, histogram_name, boxes_name, arena);
    return own;
}
