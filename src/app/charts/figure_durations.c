/* figure_durations.c - how durations are distributed, as histograms and boxes. */
#include "app/charts/figures.h"
#include "output/text/cells.h"

static const struct gs_panel histogram = GS_PANEL(
    HISTOGRAM, FROM_MS, SHARE_PCT, .x_end = GS_COL_TO_MS, .cumulative = GS_COL_CUMULATIVE_PCT,
    .only_column = GS_COL_GROUP, .from_zero = true, .y_label = "share of events (%)");

static const struct gs_panel boxes =
    GS_PANEL(BOX, GROUP, P50_MS, .group = GS_COL_GROUP, .by_name = true,
             .box = {GS_COL_P5_MS, GS_COL_P25_MS, GS_COL_P50_MS, GS_COL_P75_MS, GS_COL_P95_MS},
             .count = GS_COL_N, .y_label = "duration (ms)");

/* "zoom level 8 (n = 258)" */
static const char *title_of(const struct gs_durations *d, size_t i, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    gs_buf_text_if(&b, d->by_level, "zoom level ");
    gs_buf_bytes(&b, d->name[i].ptr, d->name[i].len);
    gs_buf_text(&b, " (n = ");
    gs_real_for_people(&b, (double)d->n[i], 0);
    gs_buf_char(&b, ')');
    return gs_buf_whole(&b);
}

/* A histogram for each group of more than a few pairs that do not all last the same. */
static bool fill_histograms(const struct gs_durations *d, struct gs_panel *panel, int *n,
                            struct gs_arena *arena)
{
    *n = 0;
    for (size_t i = 0; i < d->n_groups; i++) {
        if (d->n[i] < GS_DURATION_FEW || d->n_bins[i] == 1)
            continue;
        struct gs_panel *const p = &panel[(*n)++];
        *p = histogram;
        p->only_value = gs_arena_copy(arena, d->name[i].ptr, d->name[i].len);
        p->title = title_of(d, i, arena);
        p->log_x = d->in_ratios[i];
        if (p->only_value == NULL || p->title == NULL)
            return false;
    }
    return true;
}

enum gs_status gs_durations_figures(const struct gs_durations *d, const char *histogram_name,
                                    const char *boxes_name, struct gs_arena *arena,
                                    const struct gs_plot **figures, struct gs_err *err)
{
    GS_NEW(struct gs_plot, plot, 2, arena, err);
    GS_NEW(struct gs_panel, panel, d->n_groups + 1, arena, err);
    int n_histograms;
    *figures = NULL;
    if (!fill_histograms(d, &panel[1], &n_histograms, arena))
        return gs_fail_memory(err);
    panel[0] = boxes;
    panel[0].log_y = d->shapes_in_ratios;
    panel[0].shape = d->shapes;
    if (d->by_level) { /* levels are in an order, not of kinds */
        panel[0].group = GS_COL_NONE;
        panel[0].x_label = "zoom level";
    }
    plot[0] = (struct gs_plot){
        .name = histogram_name,
        .title = "Distribution of durations",
        .caption = "Bars: share of the events by duration. Line: the shares added up.",
        .of = d->bins,
        .n_panels = n_histograms,
        .panels = &panel[1],
        .columns = 2,
        .next = &plot[1]};
    plot[1] = (struct gs_plot){
        .name = boxes_name,
        .title = "Durations at a glance",
        .caption = "The wider the shape, the more events take that long, from the 1st to the 99th "
                   "percentile. The bar in it holds the middle half of them, the dot is the "
                   "median, the line reaches from the 5th to the 95th percentile. Events with "
                   "fewer than 10 runs have no shape.",
        .of = d->boxes,
        .n_panels = 1,
        .panels = panel};
    if (n_histograms > 0) /* the means say what there is to say of a few */
        *figures = plot;
    return GS_OK;
}

enum gs_status gs_with_durations(const struct gs_plot *figures, const struct gs_durations *d,
                                 const char *histogram_name, const char *boxes_name,
                                 struct gs_arena *arena, const struct gs_plot **with,
                                 struct gs_err *err)
{
    struct gs_panel *panels;
    struct gs_plot *const own = gs_plot_copy(figures, arena, &panels), *last = own;
    GS_TRY(gs_had_memory(own != NULL, err));
    for (const struct gs_plot *p = figures; p->next != NULL; p = p->next)
        last++; /* copies stand side by side */
    *with = own;
    return gs_durations_figures(d, histogram_name, boxes_name, arena, &last->next, err);
}
