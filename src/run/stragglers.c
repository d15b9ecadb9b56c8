/* stragglers.c - each GPU's task times against those of its population. */
#include "run/stragglers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/dd.h"
#include "stats/quantile.h"
#include "stats/rank.h"
#include "base/timestamp.h"
#include "run/prose.h"

enum { COL_HOST, COL_SERIAL, COL_UUID, COL_CLUSTER, COL_VERDICT, COL_TASKS, COL_MEDIAN, COL_SCALE, COL_CLUSTER_MEDIAN,
       COL_SLOWDOWN, COL_Z, COL_SUPERIORITY, COL_P, COL_Q, COL_COST, COL_HOT, N_COLUMNS };

static const struct gs_column_spec columns[N_COLUMNS] = {
    {"hostname", "host", "", GS_TYPE_TEXT, 0, "hostname of the samples", false},
    {"gpu_serial", "serial", "", GS_TYPE_TEXT, 0, "gpuSerial of the samples", false},
    {"gpu_uuid", "UUID", "", GS_TYPE_TEXT, 0, "gpuUUID of the samples", false},
    {"cluster", "cluster", "", GS_TYPE_INT, 0, "its population, see gpustat clusters", true},
    {"verdict", "verdict", "", GS_TYPE_TEXT, 0,
     "slow: q_value at most --fdr and a median above the cluster's; hot: samples at or above --hot; else ok", false},
    {"tasks", "tasks", "", GS_TYPE_INT, 0, "tasks of the GPU, or of its host where checkpoints name no GPU", false},
    {"task_median_s", "median", "s", GS_TYPE_REAL, 3, "median of its task times (type 7)", false},
    {"task_scale_s", "scale", "s", GS_TYPE_REAL, 3,
     "median absolute deviation of its task times from their median, times 1.4826", false},
    {"cluster_median_s", "cluster median", "s", GS_TYPE_REAL, 3, "median of the task times of its whole cluster",
     false},
    {"slowdown_pct", "slower", "%", GS_TYPE_REAL, 2, "task_median_s over cluster_median_s, minus 1", false},
    {"robust_z", "z", "", GS_TYPE_REAL, 1,
     "its median minus the median of its cluster's medians, over 1.4826 times their median absolute deviation", false},
    {"superiority", "slower than", "", GS_TYPE_REAL, 3,
     "probability that one of its tasks takes longer than one of another GPU of its cluster, ties half", false},
    {"p_value", "p", "", GS_TYPE_REAL, 4, 
     "rank-sum test of its task times being greater than the rest of its cluster's", false},
    {"q_value", "q", "", GS_TYPE_REAL, 4, "p_value adjusted by Benjamini and Hochberg over all GPUs", false},
    {"cost_gpu_s", "cost", "GPU s", GS_TYPE_REAL, 1,
     "tasks times (task_median_s - cluster_median_s): what it takes longer than its population would", false},
    {"hot_pct", "hot", "%", GS_TYPE_REAL, 2, "share of its samples with a temperature at or above --hot", false},
};

/* One GPU and what is found out about it; NaN where it is not known. */
struct judged {
    uint32_t gpu, cluster; /* cluster: GS_NONE where it belongs to none */
    bool slow;
    double median, scale, cluster_median, z, superiority, p, q, cost, hot_pct;
};

struct judging {
    const struct gs_dataset *d;
    const struct gs_stragglers_options *o;
    const struct gs_gpu_profile *profile;
    struct judged *gpu; /* [n_gpus] */
    size_t n_clusters;
};

static enum gs_status describe(struct judged *j, const struct gs_gpu_profile *p, int64_t *spare)
{
    j->median = j->scale = j->cluster_median = j->z = j->superiority = j->p = j->cost = j->hot_pct = NAN;
    if (p->n[GS_TEMP] > 0)
        j->hot_pct = gs_dd_to_double(gs_dd_ratio(100 * (gs_i128)p->n_hot, (gs_i128)p->n[GS_TEMP]));
    if (p->n_tasks == 0)
        return GS_OK;
    double mad;
    memcpy(spare, p->duration_ns, p->n_tasks * sizeof *spare);
    const enum gs_status s = gs_mad(spare, p->n_tasks, GS_NS_PER_S, &j->median, &mad, NULL);
    j->scale = mad * GS_MAD_TO_SD;
    return s;
}

/* Where a cluster's GPUs stand among their own: medians of the pool and of the medians. */
static enum gs_status place_in_cluster(const struct judging *g, uint32_t cluster, int64_t *pool, size_t n_pool,
                                       struct gs_arena *scratch, struct gs_err *err)
{
    double *const medians = gs_arena_take_raw(scratch, g->d->n_gpus, sizeof *medians);
    int64_t *const spare = gs_arena_take_raw(scratch, n_pool, sizeof *spare);
    double median, mad, centre, spread;
    size_t n = 0;
    if (medians == NULL || spare == NULL)
        return gs_fail_memory(err);
    memcpy(spare, pool, n_pool * sizeof *spare);
    enum gs_status s = gs_mad(spare, n_pool, GS_NS_PER_S, &median, &mad, err);
    for (uint32_t k = 0; k < g->d->n_gpus; k++)
        if (g->gpu[k].cluster == cluster && !isnan(g->gpu[k].median))
            medians[n++] = g->gpu[k].median;
    if (s == GS_OK)
        s = gs_real_mad(medians, n, scratch, &centre, &spread, err);
    for (uint32_t k = 0; s == GS_OK && k < g->d->n_gpus; k++) {
        struct judged *const j = &g->gpu[k];
        if (j->cluster != cluster || isnan(j->median))
            continue;
        j->cluster_median = median;
        /* Medians of whole nanoseconds are whole halves: so the product is rounded once. */
        const gs_i128 halves = (gs_i128)llround(j->median * 2 * GS_NS_PER_S) - llround(median * 2 * GS_NS_PER_S);
        j->cost = gs_dd_to_double(gs_dd_ratio(halves * g->profile[k].n_tasks, 2 * GS_NS_PER_S));
        if (spread > 0)
            j->z = (j->median - centre) / (spread * GS_MAD_TO_SD);
    }
    return s;
}

/* The rank-sum test of each GPU of a cluster against the others, from ranks taken once. */
static enum gs_status test_cluster(const struct judging *g, uint32_t cluster, const int64_t *pool, size_t n_pool,
                                   struct gs_arena *scratch, struct gs_err *err)
{
    int64_t *const twice_rank = gs_arena_take_raw(scratch, n_pool, sizeof *twice_rank);
    gs_u128 ties;
    size_t at = 0;
    enum gs_status s = twice_rank == NULL ? gs_fail_memory(err)
                                          : gs_mid_ranks(pool, n_pool, twice_rank, &ties, scratch, err);
    for (uint32_t k = 0; s == GS_OK && k < g->d->n_gpus; k++) {
        const size_t n = g->profile[k].n_tasks;
        struct gs_rank_sum test;
        gs_u128 sum = 0;
        if (g->gpu[k].cluster != cluster || n == 0)
            continue;
        for (size_t i = 0; i < n; i++)
            sum += (uint64_t)twice_rank[at++];
        s = gs_rank_sum_of_ranks(sum, n, n_pool - n, ties, scratch, &test, NULL);
        if (s == GS_OK) {
            g->gpu[k].p = test.p_greater;
            g->gpu[k].superiority = test.superiority;
        } else if (s == GS_ERR_RANGE) {
            s = GS_OK; /* alone, or all task times are equal: nothing to be found */
        } else {
            return gs_fail_memory(err);
        }
    }
    return s;
}

static enum gs_status judge_cluster(const struct judging *g, uint32_t cluster, struct gs_arena *scratch,
                                    struct gs_err *err)
{
    size_t n_pool = 0, at = 0;
    for (uint32_t k = 0; k < g->d->n_gpus; k++)
        n_pool += g->gpu[k].cluster == cluster ? g->profile[k].n_tasks : 0;
    if (n_pool == 0)
        return GS_OK;
    int64_t *const pool = gs_arena_take_raw(scratch, n_pool, sizeof *pool);
    if (pool == NULL)
        return gs_fail_memory(err);
    for (uint32_t k = 0; k < g->d->n_gpus; k++)
        if (g->gpu[k].cluster == cluster && g->profile[k].n_tasks > 0) {
            memcpy(pool + at, g->profile[k].duration_ns, g->profile[k].n_tasks * sizeof *pool);
            at += g->profile[k].n_tasks;
        }
    enum gs_status s = place_in_cluster(g, cluster, pool, n_pool, scratch, err);
    return s == GS_OK ? test_cluster(g, cluster, pool, n_pool, scratch, err) : s;
}

static enum gs_status adjust(const struct judging *g, struct gs_arena *scratch, struct gs_err *err)
{
    double *const p = gs_arena_take_raw(scratch, g->d->n_gpus, sizeof *p);
    if (p == NULL)
        return gs_fail_memory(err);
    for (uint32_t k = 0; k < g->d->n_gpus; k++)
        p[k] = g->gpu[k].p;
    const enum gs_status s = gs_fdr_adjust(p, g->d->n_gpus, p, scratch, err);
    for (uint32_t k = 0; s == GS_OK && k < g->d->n_gpus; k++) {
        struct judged *const j = &g->gpu[k];
        j->q = p[k];
        j->slow = j->q <= g->o->fdr && j->median > j->cluster_median;
    }
    return s;
}

static enum gs_status assign(struct judging *g, struct gs_frames *out, struct gs_arena *arena, struct gs_err *err)
{
    struct gs_clusters clusters;
    struct gs_err why = {0};
    const enum gs_status s = gs_clusters_find(g->d, g->profile, g->o->k, arena, &clusters, &why);
    if (s != GS_OK && (s != GS_ERR_DATA || g->o->k != 0))
        return gs_fail(err, s, "%s", why.text);
    g->n_clusters = s == GS_OK ? clusters.fit.k : 1;
    if (s != GS_OK)
        gs_note(&out->notes, GS_NOTE_INFO,
                "all GPUs are taken as one population: too few have utilisation, memory utilisation and tasks");
    for (uint32_t k = 0; k < g->d->n_gpus; k++) {
        const uint32_t alone = g->profile[k].n_tasks > 0 ? 0 : GS_NONE;
        g->gpu[k] = (struct judged){.gpu = k, .cluster = s == GS_OK ? clusters.of_gpu[k] : alone};
    }
    return GS_OK;
}

static enum gs_status judge(struct judging *g, struct gs_arena *own, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    for (uint32_t k = 0; s == GS_OK && k < g->d->n_gpus; k++) {
        const struct gs_arena_mark mark = gs_arena_mark(own);
        int64_t *const spare = gs_arena_take_raw(own, g->profile[k].n_tasks, sizeof *spare);
        s = spare == NULL ? gs_fail_memory(err) : describe(&g->gpu[k], &g->profile[k], spare);
        gs_arena_rewind(own, mark);
    }
    for (uint32_t c = 0; s == GS_OK && c < g->n_clusters; c++) {
        const struct gs_arena_mark mark = gs_arena_mark(own);
        s = judge_cluster(g, c, own, err);
        gs_arena_rewind(own, mark);
    }
    return s == GS_OK ? adjust(g, own, err) : s;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static int descending(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (a < b) - (a > b);
}

static int worst_first(const void *a, const void *b)
{
    const struct judged *const x = a, *const y = b;
    if (x->slow != y->slow)
        return x->slow ? -1 : 1;
    int order = x->slow ? descending(x->cost, y->cost) : descending(x->hot_pct, y->hot_pct);
    if (order == 0)
        order = x->slow ? descending(x->hot_pct, y->hot_pct) : descending(x->cost, y->cost);
    return order != 0 ? order : (x->gpu > y->gpu) - (x->gpu < y->gpu);
}

static void fill_row(const struct judging *g, struct gs_frame *f, size_t i, const struct judged *j)
{
    const struct gs_gpu *const gpu = &g->d->gpu[j->gpu];
    const bool hot = j->hot_pct > 0;
    const char *const verdict = j->slow ? (hot ? "slow, hot" : "slow") : hot ? "hot" : "ok";
    gs_frame_set_text(f, i, COL_HOST, g->d->host.text[gpu->host]);
    gs_frame_set_text(f, i, COL_SERIAL, gpu->serial);
    gs_frame_set_text(f, i, COL_UUID, gpu->uuid);
    if (j->cluster != GS_NONE)
        gs_frame_set_int(f, i, COL_CLUSTER, (int64_t)j->cluster + 1);
    gs_frame_set_text(f, i, COL_VERDICT, gs_str(verdict));
    gs_frame_set_int(f, i, COL_TASKS, (int64_t)g->profile[j->gpu].n_tasks);
    gs_frame_set_real(f, i, COL_MEDIAN, j->median);
    gs_frame_set_real(f, i, COL_SCALE, j->scale);
    gs_frame_set_real(f, i, COL_CLUSTER_MEDIAN, j->cluster_median);
    if (j->cluster_median > 0)
        gs_frame_set_real(f, i, COL_SLOWDOWN, 100 * (j->median / j->cluster_median - 1));
    gs_frame_set_real(f, i, COL_Z, j->z);
    gs_frame_set_real(f, i, COL_SUPERIORITY, j->superiority);
    gs_frame_set_real(f, i, COL_P, j->p);
    gs_frame_set_real(f, i, COL_Q, j->q);
    gs_frame_set_real(f, i, COL_COST, j->cost);
    gs_frame_set_real(f, i, COL_HOT, j->hot_pct);
}

static const char *title_of(const struct judging *g, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    uint64_t n_slow = 0, n_hot = 0;
    double cost = 0;
    for (uint32_t k = 0; k < g->d->n_gpus; k++) {
        n_slow += g->gpu[k].slow;
        n_hot += g->gpu[k].hot_pct > 0;
        cost += g->gpu[k].slow ? g->gpu[k].cost : 0;
    }
    gs_words_count(&b, n_slow);
    gs_buf_text(&b, " of ");
    gs_words_counted(&b, g->d->n_gpus, "GPU");
    gs_buf_text(&b, n_slow == 1 ? " is slow for its own population" : " are slow for their own population");
    if (n_slow > 0) {
        gs_buf_text(&b, n_slow == 1 ? " and costs " : " and cost ");
        gs_words_real(&b, cost, 0);
        gs_buf_text(&b, " GPU-seconds");
    }
    gs_buf_text(&b, "; ");
    gs_words_count(&b, n_hot);
    gs_buf_text(&b, " ran at or above ");
    gs_words_real(&b, (double)g->o->hot / (double)GS_FIXED_ONE, 0);
    gs_buf_text(&b, " \xc2\xb0" "C");
    return b.failed ? NULL : b.ptr;
}

/* The first n of the judged, who stand worst first. */
static enum gs_status make_frame(const struct judging *g, const char *title, size_t n, struct gs_arena *arena,
                                 struct gs_frames *out, struct gs_frame **f, struct gs_err *err)
{
    const enum gs_status s = gs_frame_new(arena, "stragglers", title, columns, N_COLUMNS, n, out, f, err);
    for (size_t i = 0; s == GS_OK && i < n; i++)
        fill_row(g, *f, i, &g->gpu[i]);
    return s;
}

static enum gs_status to_frame(const struct judging *g, struct gs_arena *arena, struct gs_frames *out,
                               struct gs_frame **all, struct gs_err *err)
{
    const char *const title = title_of(g, arena);
    struct gs_frame *findings;
    size_t n = 0;
    if (title == NULL)
        return gs_fail_memory(err);
    qsort(g->gpu, g->d->n_gpus, sizeof *g->gpu, worst_first);
    while (n < g->d->n_gpus && (g->gpu[n].slow || g->gpu[n].hot_pct > 0))
        n++;
    enum gs_status s = make_frame(g, title, g->d->n_gpus, arena, g->o->all ? out : NULL, all, err);
    if (s == GS_OK && !g->o->all)
        s = make_frame(g, title, n, arena, out, &findings, err);
    if (s == GS_OK)
        gs_note(&out->notes, GS_NOTE_INFO, "%s", title);
    return s;
}

enum gs_status gs_stragglers(const struct gs_dataset *d, const struct gs_stragglers_options *o, unsigned n_threads,
                             struct gs_arena *arena, struct gs_frames *out, struct gs_frame **all, struct gs_err *err)
{
    const struct gs_profile_options options = {.event = o->event, .hot = o->hot, .keep_durations = true};
    struct gs_arena own = {0}, kept = {0};
    struct gs_gpu_profile *profile = NULL;
    struct gs_view_totals totals;
    struct judging g = {.d = d, .o = o};
    enum gs_status s = gs_profiles(d, &options, n_threads, &kept, &profile, &totals, err);
    g.profile = profile;
    if (s == GS_OK && (g.gpu = gs_arena_take(&kept, d->n_gpus, sizeof *g.gpu)) == NULL)
        s = gs_fail_memory(err);
    if (s == GS_OK)
        s = assign(&g, out, &kept, err);
    if (s == GS_OK)
        s = judge(&g, &own, err);
    if (s == GS_OK) {
        gs_view_notes(&totals, d->duplicates, &out->notes);
        s = to_frame(&g, arena, out, all, err);
    }
    gs_arena_release(&own);
    gs_arena_release(&kept);
    return s;
}
