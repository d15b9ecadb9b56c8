/* report_truth.c - what really happened: inside the events, not at their ends. */
#include "data/result/plot.h"
#include "app/report/report.h"

static const struct gs_panel panels[] = {
    GS_PANEL(BARS, EVENT, POWER_WINDOW_W, .title = "Mean power inside", .group = GS_COL_EVENT,
             .by_name = true, .count = GS_COL_N_SAMPLED, .of = GS_COL_N, .largest_first = true,
             .y_label = "mean power (W)"),
    GS_PANEL(BARS, EVENT, GPU_UTIL_WINDOW_PCT, .title = "Mean GPU utilisation inside",
             .group = GS_COL_EVENT, .by_name = true, .count = GS_COL_N_SAMPLED, .of = GS_COL_N,
             .largest_first = true, .y_label = "mean GPU utilisation (%)"),
};

static const struct gs_plot figure =
    GS_FIGURE(panels, "figure-1-inside", "Mean power and utilisation inside each event");

/* "Saving Config has a sample inside only 124 of 66,040 pairs: its bar is an outline." of the first events of which few have. */
static void write_few(struct gs_buf *b, const struct gs_frame *f)
{
    enum { NAMED = 3 };
    size_t n_few = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        if (!(gs_cell_value(f, i, GS_COL_N_SAMPLED) < 0.05 * gs_cell_value(f, i, GS_COL_N)) ||
            n_few++ >= NAMED)
            continue;
        const char *const name = gs_cell_text(b, f, i, GS_COL_EVENT);
        if (gs_cell_value(f, i, GS_COL_N_SAMPLED) > 0)
            gs_buf_format(b, " %s has a sample inside only %s of %s pairs: its bar is an outline.",
                          name, gs_cell_text(b, f, i, GS_COL_N_SAMPLED),
                          gs_cell_text(b, f, i, GS_COL_N));
        else
            gs_buf_format(b, " %s has no sample inside any of its pairs, and no bar.", name);
    }
    if (n_few > NAMED)
        gs_buf_format(b, " Of %s more events as few pairs, or none, hold a sample.",
                      gs_number_text(b, (double)(n_few - NAMED), 0));
}

void gs_report_inside(struct gs_report *r, struct gs_report_section *s, const struct gs_frame *f)
{
    struct gs_buf b = {.arena = r->context->arena};
    gs_buf_text(&b, "By all samples inside each event.");
    gs_write_range(&b, f, GS_COL_EVENT, GS_COL_POWER_WINDOW_W,
                   (struct gs_range_words){"draws", "draws most", "draws least"});
    gs_write_range(&b, f, GS_COL_EVENT, GS_COL_GPU_UTIL_WINDOW_PCT,
                   (struct gs_range_words){"keeps the GPUs busy for", "keeps the GPUs busiest",
                                           "keeps the GPUs least busy"});
    write_few(&b, f);
    (void)gs_report_add_figure(r, s, &figure, f, &b);
}
