/* figure_run.c - the workers over the whole run. */
#include "app/charts/figures.h"
#include "data/result/number_text.h"

static const struct gs_panel panel =
    GS_PANEL(SPANS, FROM, WORKER, .x_end = GS_COL_TO, .group = GS_COL_STATE);

static int64_t least_last_stop(const struct gs_frame *workers)
{
    const int last = gs_frame_column(workers, GS_COL_LAST_STOP);
    int64_t least = INT64_MAX;
    for (size_t r = 0; r < workers->n_rows; r++)
        if (!gs_frame_is_missing(workers, r, (size_t)last) &&
            workers->columns[last].integer[r] < least)
            least = workers->columns[last].integer[r];
    return least;
}

/* What is shown, and of how many. */
static void write_workers(size_t n, struct gs_buf *title, struct gs_buf *caption)
{
    if (n < 2) {
        gs_buf_text(title, "The run: when its worker worked");
        gs_buf_text(caption, "A gap shorter than a thousandth of the run is not shown.");
        return;
    }
    gs_buf_text(title, "The run: when each worker worked");
    gs_buf_text(caption, "Workers in the order in which they finished");
    if (n > GS_BUSY_WORKERS) {
        gs_buf_format(title, " (%d of %s)", GS_BUSY_WORKERS, gs_count_text(title, n));
        gs_buf_format(caption, ", %d of %s from the first to the last", GS_BUSY_WORKERS,
                      gs_count_text(caption, n));
    }
    gs_buf_text(caption, ". A gap shorter than a thousandth of the run is not shown. The tail "
                         "begins where the first has finished its last task.");
}

enum gs_status gs_run_figure(const struct gs_schedule_frames *frames, const char *name,
                             const struct gs_plot *next, struct gs_arena *arena,
                             const struct gs_plot **plot, struct gs_err *err)
{
    *plot = next;
    if (frames->busy == NULL)
        return GS_OK;
    GS_NEW(struct gs_plot, own, 1, arena, err);
    GS_NEW(struct gs_panel, p, 1, arena, err);
    GS_NEW(struct gs_mark, mark, 1, arena, err);
    /* its last task is the run's: there is no tail */
    const bool alone = frames->workers->n_rows < 2;
    struct gs_buf title = {.arena = arena}, caption = {.arena = arena};
    write_workers(frames->workers->n_rows, &title, &caption);
    if (title.failed || caption.failed)
        return gs_fail_memory(err);
    *mark = (struct gs_mark){.kind = GS_MARK_X,
                             .at = (double)least_last_stop(frames->workers) / 1e9,
                             .text = "the tail"};
    *p = panel;
    p->marks = mark;
    p->n_marks = !alone;
    *own = (struct gs_plot){
        .name = name,
        .title = title.ptr,
        .caption = caption.ptr,
        .of = frames->busy,
        .n_panels = 1,
        .panels = p,
        .width_px = 900,
        .next = next,
    };
    *plot = own;
    return GS_OK;
}
