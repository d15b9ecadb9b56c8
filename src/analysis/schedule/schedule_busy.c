/* schedule_busy.c - when workers worked and when they had run dry, for a picture of the run. */

#include "analysis/schedule/schedule_sums.h"
#include "base/num/order.h"
#include "stats/descriptive/quantile.h"
#include "data/result/worker_name.h"

static const struct gs_column_spec columns[] = {
    GS_COL(WORKER),
    GS_COL(FROM),
    GS_COL(TO),
    GS_COL(STATE, .how = "working, or finished: without a task to the end of the run"),
};

struct worker {
    int64_t last_ns;
    size_t row;
};

/*
 * Ties by row: many workers may end at the same instant, and the figure must not depend on
 * qsort.
 */
GS_COMPARES(by_end, struct worker, GS_BY(last_ns) GS_BY(row));

/* Stretches of a worker in order: they do not overlap, so the k-th begin and the k-th end are of one. */
static enum gs_status spans_of(const struct gs_worker_row *w, struct gs_arena *arena,
                               int64_t **from, int64_t **to, size_t *n, struct gs_err *err)
{
    *n = (size_t)gs_min(w->from.n, w->to.n);
    GS_TRY(gs_values_array(&w->from, arena, from, err));
    GS_TRY(gs_values_array(&w->to, arena, to, err));
    GS_SORT(*from, w->from.n, gs_compare_int64);
    GS_SORT(*to, w->to.n, gs_compare_int64);
    return GS_OK;
}

/* Joins stretches that no gap that could be seen divides. Answers how many are left. */
static size_t join_near(int64_t *from, int64_t *to, size_t n, gs_i128 least)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && (gs_i128)from[i] - to[kept - 1] < least) {
            to[kept - 1] = to[i];
            continue;
        }
        from[kept] = from[i];
        to[kept++] = to[i];
    }
    return kept;
}

static bool has_host(const struct gs_records *workers, size_t row, struct gs_str host)
{
    return row < workers->n &&
           gs_str_eq(gs_records_key(workers, row, GS_N_WORKER_KEYS)[GS_WORKER_HOST].text, host);
}

static struct gs_str name_of(const struct gs_records *workers, size_t row, struct gs_arena *arena)
{
    const union gs_key *const key = gs_records_key(workers, row, GS_N_WORKER_KEYS);
    const struct gs_str host = key[GS_WORKER_HOST].text, gpu = key[GS_WORKER_UUID].text.len > 0
                                                                   ? key[GS_WORKER_UUID].text
                                                                   : key[GS_WORKER_SERIAL].text;
    if (gpu.len == 0 || (!has_host(workers, row - 1, host) && !has_host(workers, row + 1, host)))
        return host;
    const bool one_host = has_host(workers, 0, host) && has_host(workers, workers->n - 1, host);
    return gs_worker_name((struct gs_worker){one_host ? GS_NO_STR : host, gpu}, arena);
}

static void fill(struct gs_frame *f, size_t row, struct gs_str worker, int64_t from, int64_t to,
                 const char *state)
{
    GS_PUT(f, row, GS_TEXT(WORKER, worker), GS_INT(FROM, from), GS_INT(TO, to),
           GS_TEXT(STATE, gs_str(state)));
}

/* What is shown of a worker. */
struct shown {
    size_t row, n;
    int64_t *from, *to;
};

/*
 * Workers are picked evenly from those sorted by their end, always with the first and the last
 * to finish. Picking by name would miss the imbalance that the figure is for.
 */
enum gs_status gs_schedule_busy(const struct gs_records *workers, int64_t first_ns, int64_t last_ns,
                                struct gs_arena *arena, struct gs_frame **busy, struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    struct shown shown[GS_BUSY_WORKERS];
    size_t n = 0, n_rows = 0, row = 0;
    *busy = NULL;
    struct worker *const all = gs_arena_take(&scratch, workers->n, sizeof *all);
    for (size_t r = 0; all != NULL && r < workers->n; r++) {
        const struct gs_worker_row *const w = gs_records_at(workers, r);
        if (w->from.n > 0 && w->to.n > 0)
            all[n++] = (struct worker){w->last_ns, r};
    }
    GS_SORT(all, n, by_end);
    const size_t n_shown = gs_min(n, GS_BUSY_WORKERS);
    enum gs_status s = gs_had_memory(all != NULL, err);
    for (size_t k = 0; k < n_shown && s == GS_OK; k++) {
        struct shown *const w = &shown[k];
        w->row = all[n_shown == 1 ? 0 : k * (n - 1) / (n_shown - 1)].row;
        s = spans_of(gs_records_at(workers, w->row), &scratch, &w->from, &w->to, &w->n, err);
        if (s == GS_OK)
            w->n = join_near(w->from, w->to, w->n, ((gs_i128)last_ns - first_ns) / GS_BUSY_PARTS);
        n_rows += s == GS_OK ? w->n + 1 : 0;
    }
    struct gs_frame *f = NULL;
    if (s == GS_OK && n_shown > 0)
        s = gs_frame_new(arena,
                         GS_HEAD("schedule-busy", "When the workers worked", GS_COLUMNS(columns)),
                         n_rows, NULL, &f, err);
    for (size_t k = 0; k < n_shown && s == GS_OK; k++) {
        const struct gs_str name = name_of(workers, shown[k].row, arena);
        for (size_t i = 0; i < shown[k].n; i++)
            fill(f, row++, name, shown[k].from[i], shown[k].to[i], "working");
        fill(f, row++, name, shown[k].to[shown[k].n - 1], last_ns, "finished");
    }
    if (s == GS_OK && n_shown > 0)
        *busy = f;
    return s;
}
