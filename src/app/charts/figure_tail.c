/* figure_tail.c - who worked how long while the run came to its end. */

#include "base/num/int128.h"
#include "app/charts/figures.h"
#include "base/num/order.h"
#include "data/result/worker_name.h"

enum { LINES = 40, TIMES = 3 }; /* workers shown; how many tails long the picture is */

static const struct gs_column_spec columns[] = {
    GS_COL(WORKER, .how = "host and GPU of the worker, as far as they tell it from others"),
    GS_COL(FROM, .how = "begin of the state, within the time shown"),
    GS_COL(TO),
    GS_COL(STATE, .how = "working, with gaps between its tasks, or finished"),
};

static const struct gs_panel panel =
    GS_PANEL(SPANS, FROM, WORKER, .x_end = GS_COL_TO, .group = GS_COL_STATE);

struct worker {
    int64_t last_ns, first_ns;
    size_t row;
};

GS_COMPARES(compare, struct worker, GS_BY(last_ns) GS_BY(row));

static void fill(struct gs_frame *f, const struct gs_frame *workers, const struct worker *w,
                 size_t line, int64_t begin, int64_t end, struct gs_arena *arena)
{
    const int64_t from[] = {gs_max(w->first_ns, begin), gs_max(w->last_ns, begin)},
                  to[] = {w->last_ns, end};
    static const char *const words[] = {"working", "finished"};
    const struct gs_str name = gs_worker_name(gs_frame_worker(workers, w->row), arena);
    for (size_t k = 0; k < 2; k++) {
        GS_PUT(f, 2 * line + k, GS_TEXT(WORKER, name), GS_INT(FROM, from[k]),
               GS_INT(TO, gs_max(to[k], begin)), GS_TEXT(STATE, gs_str(words[k])));
    }
}

enum gs_status gs_tail_figure(const struct gs_frame *workers, const char *name,
                              struct gs_arena *arena, const struct gs_plot **plot,
                              struct gs_err *err)
{
    const int first = gs_frame_column(workers, GS_COL_FIRST_START),
              last = gs_frame_column(workers, GS_COL_LAST_STOP);
    GS_NEW(struct worker, all, workers->n_rows, arena, err);
    GS_NEW(struct gs_plot, own, 1, arena, err);
    struct gs_frame *f;
    size_t n = 0;
    *plot = NULL;
    for (size_t r = 0; r < workers->n_rows; r++)
        if (!gs_frame_is_missing(workers, r, (size_t)last) &&
            !gs_frame_is_missing(workers, r, (size_t)first))
            all[n++] = (struct worker){workers->columns[last].integer[r],
                                       workers->columns[first].integer[r], r};
    GS_SORT(all, n, compare);
    if (n < 2 || all[n - 1].last_ns <= all[0].last_ns)
        return GS_OK;
    const size_t shown = gs_min(n, LINES);
    const int64_t end = all[n - 1].last_ns;
    const gs_i128 early = end - TIMES * ((gs_i128)end - all[0].last_ns);
    const int64_t begin = (int64_t)gs_max(early, (gs_i128)INT64_MIN + 1);
    GS_TRY(gs_frame_new(arena, GS_HEAD("tail", "The end of the run", columns, 4), 2 * shown, NULL,
                        &f, err));
    /* The first and the last, and those between at equal distances in their order. */
    for (size_t k = 0; k < shown; k++)
        fill(f, workers, &all[k * (n - 1) / (shown - 1)], k, begin, end, arena);
    *own = (struct gs_plot){.name = name,
                            .title = "The tail: who still worked while the run came to its end",
                            .caption =
                                "Workers in the order in which they finished, from the first to "
                                "the last; the picture begins two tails before the first finished.",
                            .of = f,
                            .n_panels = 1,
                            .panels = &panel};
    *plot = own;
    return GS_OK;
}
