/* report_truth.c - beside the study's figures, what really happened: inside the events, not at their ends. */
#include <string.h>

#include "data/result/plot.h"
#include "app/report/report.h"

/* clang-format off */
static const struct gs_panel panels[] = {
    {.kind = GS_PLOT_BARS, .title = "Mean power inside", .x = GS_COL_EVENT, .y = GS_COL_POWER_WINDOW_W, .group = GS_COL_EVENT, .by_name = true,
     .count = GS_COL_N_SAMPLED, .of = GS_COL_N, .ascending = true, .y_label = "mean power (W)"},
    {.kind = GS_PLOT_BARS, .title = "Mean GPU utilisation inside", .x = GS_COL_EVENT, .y = GS_COL_GPU_UTIL_WINDOW_PCT,
     .group = GS_COL_EVENT, .by_name = true, .count = GS_COL_N_SAMPLED, .of = GS_COL_N, .ascending = true, .y_label = "mean GPU utilisation (%)"},
};
/* clang-format on */

static const struct gs_plot figure = {
    .name = "figure-1-inside",
    .title = "Mean power and utilisation inside each event",
    .n_panels = 2,
    .panels = panels,
};

static const struct gs_frame *bias_of(const struct gs_report *r)
{
    for (const struct gs_report_table *t = r->section[GS_PART_BIAS].tables; t != NULL; t = t->next)
        if (strcmp(t->stem, "bias") == 0)
            return t->frame;
    return NULL;
}

/* "Saving Config has a sample inside only 124 of 66,040 pairs: its bar is an outline." of the first events of which few have. */
static void write_few(struct gs_buf *b, const struct gs_frame *f)
{
    enum { NAMED = 3 };
    const int sampled = gs_frame_column(f, GS_COL_N_SAMPLED), n = gs_frame_column(f, GS_COL_N);
    size_t n_few = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        if (!(gs_write_value(f, i, sampled) < 0.05 * gs_write_value(f, i, n)) || n_few++ >= NAMED)
            continue;
        gs_buf_char(b, ' ');
        gs_write_cell(b, f, i, 0);
        if (!(gs_write_value(f, i, sampled) > 0)) {
            gs_buf_text(b, " has no sample inside any of its pairs, and no bar.");
            continue;
        }
        gs_buf_text(b, " has a sample inside only ");
        gs_write_cell(b, f, i, sampled);
        gs_buf_text(b, " of ");
        gs_write_cell(b, f, i, n);
        gs_buf_text(b, " pairs: its bar is an outline.");
    }
    if (n_few > NAMED) {
        gs_buf_text(b, " Of ");
        gs_write_number(b, (double)(n_few - NAMED), 0);
        gs_buf_text(b, " more events as few pairs, or none, hold a sample.");
    }
}

enum gs_status gs_report_truth(struct gs_report *r, struct gs_err *err)
{
    struct gs_report_section *const s = &r->section[GS_PART_EVENTS];
    const struct gs_frame *const f = bias_of(r);
    if (f == NULL || s->figures == NULL || r->join.join == GS_JOIN_WINDOW)
        return GS_OK;
    struct gs_report_figure *const inside = gs_arena_take(r->context->arena, 1, sizeof *inside);
    struct gs_buf b = {.arena = r->context->arena};
    if (inside == NULL)
        return gs_fail_memory(err);
    *inside = (struct gs_report_figure){.next = s->figures->next, .plot = &figure, .frame = f};
    s->figures->next = inside;
    gs_buf_text(&b, "The same by all samples inside each event.");
    gs_write_range(&b, f, 0, gs_frame_column(f, GS_COL_POWER_WINDOW_W),
                   (struct gs_range_words){"draws", "draws most", "draws least"});
    gs_write_range(&b, f, 0, gs_frame_column(f, GS_COL_GPU_UTIL_WINDOW_PCT),
                   (struct gs_range_words){"keeps the GPUs busy for", "keeps the GPUs busiest",
                                           "keeps the GPUs least busy"});
    write_few(&b, f);
    return gs_paragraph_end(&inside->text, &b, false, err);
}
