/* stragglers.c - each GPU's task times against those of its population. */
#include "analysis/gpus/stragglers.h"

#include <math.h>
#include <string.h>

#include "analysis/gpus/gpu_verdict.h"
#include "base/num/timestamp.h"
#include "data/result/number_text.h"
#include "base/num/dd.h"
#include "stats/descriptive/quantile.h"
#include "stats/models/slow.h"
#include "base/num/order.h"

/* clang-format off */
enum { N_NEAREST = 5 };       /* shown where nothing is slow                                       */
#define UNCERTAIN_SILHOUETTE 0.4 /* below, a subject may belong to the next population as well as to its own */
#define J_PER_WH 3600.0

static const struct gs_column_spec columns[] = {
    GS_COL(HOSTNAME),
    GS_COL(GPU_SERIAL, .how = "gpuSerial of the samples; missing: a host with several GPUs"),
    GS_COL(GPU_UUID, .how = "gpuUUID of the samples, or the index that alone tells GPUs apart; missing: a host with several GPUs"),
    GS_COL(CLUSTER, .how = "its group, see gpustat clusters"),
    GS_COL(VERDICT, .label = "task verdict"),
    GS_COL(TASKS),
    GS_COL(TASK_MEDIAN_S, .label = "median", .how = "median of its task times (type 7)"),
    GS_COL(TASK_SCALE_S),
    GS_COL(CLUSTER_MEDIAN_S),
    GS_COL(SLOWDOWN_PCT),
    GS_COL(ROBUST_Z),
    GS_COL(SUPERIORITY),
    GS_COL(P_VALUE, .how = "one-sided rank-sum test of its task times over (1 + --least) being greater than those of the others of its cluster; exact up to 12 tasks"),
    GS_COL(Q_VALUE),
    GS_COL(COST_GPU_S),
    GS_COL(HOT_PCT),
    GS_COL(COST_WH),
    GS_COL(SILHOUETTE, .how = "-1 to 1: how much nearer its utilisation is to its own cluster than to the next; missing: there is one"),
    GS_COL(SECOND_CLUSTER),
    GS_COL(SECOND_SLOWDOWN_PCT),
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };
/* clang-format on */

/* One subject and what is found out about it; NaN where it is not known. */
struct judged {
    const struct gs_subject *subject;
    uint32_t cluster, second; /* GS_NONE where it belongs to none */
    bool nearest;             /* of those that are not slow       */
    struct gs_slow_unit found;
    bool bad; /* its siblings say so */
    double silhouette, median, scale, cluster_median, z, cost, cost_wh, hot_pct;
};

struct judging {
    const struct gs_gpu_list *fleet;
    const struct gs_stragglers_options *o;
    struct gs_clusters clusters;
    struct judged *judged; /* [clusters.subjects.n] */
    size_t n_levels;       /* kinds of tasks that were told apart */
};

/* What its siblings say of it; NULL of a host, which has several. */
static const struct gs_gpu_verdict *verdict_of(const struct gs_gpu_list *fleet,
                                               const struct judged *j)
{
    if (fleet->verdicts == NULL || j->subject->n_gpus > 1)
        return NULL;
    return &fleet->verdicts->gpu[j->subject->first_gpu];
}

/*
 * How much slower it is than all that it is held against. A GPU between two groups must be slow
 * beside both: otherwise a healthy GPU that was put into the faster group would look slow.
 */
static double least_slowdown(const struct judged *j)
{
    if (j->second == GS_NONE)
        return j->found.slowdown;
    return fmin(j->found.slowdown, j->found.second_slowdown); /* a NaN there is passed over */
}

/* GPUs are hot, not the host that has several: they have rows of their own. */
static bool is_hot(const struct judged *j)
{
    return j->hot_pct > 0 && j->subject->n_gpus == 1;
}

static void collect_times(const struct gs_gpu_profile *p, int64_t *ns)
{
    for (uint32_t i = 0; i < p->n_tasks; i++)
        ns[i] = p->task[i].ns;
}

/* Everything that needs no other subject. */
static enum gs_status describe(struct judged *j, struct gs_arena *scratch, struct gs_err *err)
{
    GS_REWINDS(scratch);
    const struct gs_gpu_profile *const p = &j->subject->sum;
    GS_NEW_RAW(int64_t, ns, p->n_tasks, scratch, err);
    double mad;
    j->median = j->scale = j->cluster_median = j->z = j->cost = j->cost_wh = j->hot_pct = NAN;
    if (p->metric[GS_TEMP].n > 0)
        j->hot_pct =
            gs_dd_to_double(gs_dd_ratio(100 * (gs_i128)p->n_hot, (gs_i128)p->metric[GS_TEMP].n));
    if (p->n_tasks > 0) {
        collect_times(p, ns);
        GS_TRY(gs_mad(ns, p->n_tasks, GS_NS_PER_S, &j->median, &mad, err));
        j->scale = mad * GS_MAD_TO_SD;
    }
    return GS_OK;
}

/* Where a cluster's subjects stand among their own: medians of the pool and of the medians. */
static enum gs_status place_in_cluster(struct judging *g, uint32_t cluster,
                                       struct gs_arena *scratch, struct gs_err *err)
{
    size_t n_pool = 0, n = 0;
    const size_t n_subjects = g->clusters.subjects.n;
    for (size_t k = 0; k < n_subjects; k++)
        if (g->judged[k].cluster == cluster)
            n_pool += g->judged[k].subject->sum.n_tasks;
    if (n_pool == 0)
        return GS_OK;
    GS_NEW_RAW(double, medians, n_subjects, scratch, err);
    GS_NEW_RAW(int64_t, pool, n_pool, scratch, err);
    double median, mad, centre, spread;
    n_pool = 0;
    for (size_t k = 0; k < n_subjects; k++) {
        const struct judged *const j = &g->judged[k];
        if (j->cluster != cluster || isnan(j->median))
            continue;
        collect_times(&j->subject->sum, pool + n_pool);
        n_pool += j->subject->sum.n_tasks;
        medians[n++] = j->median;
    }
    GS_TRY(gs_mad(pool, n_pool, GS_NS_PER_S, &median, &mad, err));
    GS_TRY(gs_real_mad(medians, n, scratch, &centre, &spread, err));
    for (size_t k = 0; k < n_subjects; k++) {
        struct judged *const j = &g->judged[k];
        if (j->cluster != cluster || isnan(j->median))
            continue;
        j->cluster_median = median;
        if (spread > 0)
            j->z = (j->median - centre) / (spread * GS_MAD_TO_SD);
    }
    return GS_OK;
}

/* What a subject took longer than the others of its population would have. */
static void add_cost(struct judged *j)
{
    const struct gs_gpu_profile *const p = &j->subject->sum;
    const double ratio = 1 + j->found.slowdown;
    if (!(ratio > 0))
        return;
    const double busy_s =
        gs_dd_to_double(gs_dd_ratio(p->task_ns, GS_NS_PER_S)) * j->subject->n_gpus;
    /*
     * At slowdown s the same work would have taken 1 / (1 + s) of the time; the rest is the cost.
     * A host with several GPUs holds all of them for that long.
     */
    j->cost = busy_s * (1 - 1 / ratio);
    if (p->n_task_power > 0)
        j->cost_wh =
            j->cost / J_PER_WH *
            gs_dd_to_double(gs_dd_ratio(p->task_power, (gs_i128)p->n_task_power * GS_FIXED_ONE));
}

static enum gs_status find_slow(struct judging *g, struct gs_arena *own, struct gs_err *err)
{
    const size_t n = g->clusters.subjects.n;
    const size_t n_levels = g->fleet->n_levels;
    size_t n_times = 0;
    for (size_t k = 0; k < n; k++)
        n_times += g->judged[k].subject->sum.n_tasks;
    GS_NEW_RAW(size_t, first, n + 1, own, err);
    GS_NEW_RAW(double, time, n_times, own, err);
    GS_NEW_RAW(uint32_t, type, n_times, own, err);
    GS_NEW_RAW(uint32_t, population, n, own, err);
    GS_NEW_RAW(uint32_t, second, n, own, err);
    GS_NEW_RAW(struct gs_slow_unit, found, n, own, err);
    n_times = 0;
    for (size_t k = 0; k < n; k++) {
        const struct gs_gpu_profile *const p = &g->judged[k].subject->sum;
        first[k] = n_times;
        population[k] = g->judged[k].cluster;
        second[k] = g->judged[k].second;
        for (uint32_t i = 0; i < p->n_tasks; i++, n_times++) {
            time[n_times] = (double)p->task[i].ns;
            type[n_times] = p->task[i].kind;
        }
    }
    first[n] = n_times;
    g->n_levels = n_levels;
    const struct gs_slow_input in = {.n_units = n,
                                     .n_populations = g->clusters.found.k,
                                     .first = first,
                                     .time = time,
                                     .type = type,
                                     .n_types = n_levels + 1,
                                     .population = population,
                                     .second = second,
                                     .least = g->o->least,
                                     .fdr = g->o->fdr};
    GS_TRY(gs_slow_find(&in, found, own, err));
    for (size_t k = 0; k < n; k++) {
        g->judged[k].found = found[k];
        add_cost(&g->judged[k]);
    }
    return GS_OK;
}

/*
 * Marks the subjects that come nearest to being slow, where none is. So that "no GPU is slow"
 * comes with evidence: the reader sees how far the worst ones are from it.
 */
static void mark_nearest(struct judging *g)
{
    const size_t n = g->clusters.subjects.n;
    for (size_t k = 0; k < n; k++)
        if (g->judged[k].found.slow)
            return;
    for (int i = 0; i < N_NEAREST; i++) {
        struct judged *next = NULL;
        for (size_t k = 0; k < n; k++) {
            struct judged *const j = &g->judged[k];
            if (!j->nearest && !is_hot(j) && least_slowdown(j) > 0 && !isnan(j->found.p) &&
                (next == NULL || least_slowdown(j) > least_slowdown(next)))
                next = j;
        }
        if (next == NULL)
            return;
        next->nearest = true;
    }
}

static enum gs_status judge(struct judging *g, struct gs_arena *own, struct gs_err *err)
{
    const struct gs_populations *const p = &g->clusters.found;
    for (size_t k = 0; k < g->clusters.subjects.n; k++) {
        g->judged[k] = (struct judged){
            .subject = &g->clusters.subjects.subject[k],
            .cluster = p->of[k],
            .second = p->silhouette[k] < UNCERTAIN_SILHOUETTE ? p->next[k] : GS_NONE,
            .silhouette = p->silhouette[k]};
        GS_TRY(describe(&g->judged[k], own, err));
    }
    for (uint32_t c = 0; c < p->k; c++) {
        GS_REWINDS(own);
        GS_TRY(place_in_cluster(g, c, own, err));
    }
    GS_TRY(find_slow(g, own, err));
    mark_nearest(g);
    return GS_OK;
}

/* --- rows --------------------------------------------------------------------------------------------- */

/*
 * NaN sorts last: an order in which NaN equals everything is not transitive, and qsort may then do
 * anything.
 */
static int descending(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (a < b) - (a > b);
}

/* Slow by its tasks, not ok for its siblings, hot, nearest to slow, others. */
enum rank { RANK_SLOW, RANK_BAD, RANK_HOT, RANK_NEAREST, RANK_OK };

static enum rank rank_of(const struct judged *j)
{
    if (j->found.slow)
        return RANK_SLOW;
    if (j->bad)
        return RANK_BAD;
    if (is_hot(j))
        return RANK_HOT;
    return j->nearest ? RANK_NEAREST : RANK_OK;
}

/* The position in the fleet decides last, so the order is total and the same with every qsort. */
static int worst_first(const void *a, const void *b)
{
    const struct judged *const x = a, *const y = b;
    const enum rank rank = rank_of(x);
    if (rank != rank_of(y))
        return (int)rank - (int)rank_of(y);
    int order;
    if (rank == RANK_SLOW)
        order = descending(x->cost, y->cost);
    else if (rank == RANK_NEAREST)
        order = descending(least_slowdown(x), least_slowdown(y));
    else
        order = descending(x->hot_pct, y->hot_pct);
    if (order == 0)
        order =
            rank == RANK_SLOW ? descending(x->hot_pct, y->hot_pct) : descending(x->cost, y->cost);
    if (order == 0)
        order = gs_cmp(x->subject->first_gpu, y->subject->first_gpu);
    return order;
}

static void fill_row(const struct judging *g, struct gs_frame *f, size_t i, const struct judged *j)
{
    const bool hot = is_hot(j);
    const char *verdict = "ok";
    if (j->found.slow && hot)
        verdict = "slow, hot";
    else if (j->found.slow)
        verdict = "slow";
    else if (hot)
        verdict = "hot";
    else if (j->nearest)
        verdict = "not slow";
    gs_subject_name(g->fleet, j->subject, f, i, 0);
    if (j->cluster != GS_NONE)
        GS_PUT(f, i, GS_INT(CLUSTER, (int64_t)j->cluster + 1));
    GS_PUT(f, i, GS_TEXT(VERDICT, gs_str(verdict)));
    if (gs_facts_have(g->fleet->facts, GS_TABLE_CHECKPOINTS) && g->o->profile.event[0] != '\0')
        GS_PUT(f, i, GS_INT(TASKS, (int64_t)j->subject->sum.n_tasks));
    GS_PUT(f, i, GS_REAL(TASK_MEDIAN_S, j->median), GS_REAL(TASK_SCALE_S, j->scale),
           GS_REAL(CLUSTER_MEDIAN_S, j->cluster_median),
           GS_REAL(SLOWDOWN_PCT, 100 * j->found.slowdown), GS_REAL(ROBUST_Z, j->z),
           GS_REAL(SUPERIORITY, j->found.superiority), GS_REAL(P_VALUE, j->found.p),
           GS_REAL(Q_VALUE, j->found.q), GS_REAL(COST_GPU_S, j->cost), GS_REAL(HOT_PCT, j->hot_pct),
           GS_REAL(COST_WH, j->cost_wh), GS_REAL(SILHOUETTE, j->silhouette));
    if (j->second != GS_NONE)
        GS_PUT(f, i, GS_INT(SECOND_CLUSTER, (int64_t)j->second + 1));
    GS_PUT(f, i, GS_REAL(SECOND_SLOWDOWN_PCT, 100 * j->found.second_slowdown));
    gs_verdict_cells(f, i, verdict_of(g->fleet, j));
}

/* What the slow ones cost: "and cost 812 GPU-seconds, 20.3 Wh". */
static void note_cost(const struct judging *g, uint64_t n_slow, struct gs_buf *b)
{
    double cost = 0, wh = 0;
    bool power = true;
    for (size_t k = 0; k < g->clusters.subjects.n; k++) {
        const struct judged *const j = &g->judged[k];
        if (!j->found.slow)
            continue;
        cost += j->cost;
        if (isnan(j->cost_wh))
            power = false;
        else
            wh += j->cost_wh;
    }
    gs_buf_format(b, " and %s %s GPU-seconds", gs_plural(n_slow, "costs", "cost"),
                  gs_real_text(b, cost, 0));
    if (power)
        gs_buf_format(b, ", %s Wh", gs_real_text(b, wh, 1));
}

/* "2 of 24 GPUs are slow by their steps and cost 812 GPU-seconds, 20.3 Wh", "No GPU is slow by its steps". */
static void note_slow(const struct judging *g, const char *noun, const char *task, struct gs_buf *b)
{
    uint64_t n_slow = 0;
    for (size_t k = 0; k < g->clusters.subjects.n; k++)
        n_slow += g->judged[k].found.slow;
    if (n_slow == 0) {
        gs_buf_format(b, "No %s is slow by its %ss", noun, task);
        return;
    }
    gs_buf_format(b, "%s of %s %s %ss", gs_count_text(b, n_slow),
                  gs_counted_text(b, g->clusters.subjects.n, noun),
                  gs_plural(n_slow, "is slow by its", "are slow by their"), task);
    note_cost(g, n_slow, b);
}

static const char *title_of(const struct judging *g, const struct judged *row, size_t n_rows,
                            const char *task, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    const size_t n = g->clusters.subjects.n, n_hosts = g->clusters.subjects.n_hosts;
    const char *noun = "GPU or host";
    if (n_hosts == 0)
        noun = "GPU";
    else if (n_hosts == n)
        noun = "host";
    uint64_t n_hot = 0, n_felt = 0, n_judged = 0, n_held = 0, n_bad = 0;
    for (size_t k = 0; k < n; k++)
        n_judged += (uint64_t)!isnan(g->judged[k].found.slowdown);
    for (size_t k = 0; k < n_rows; k++) {
        n_hot += is_hot(&row[k]);
        n_felt += (uint64_t)(!isnan(row[k].hot_pct) && row[k].subject->n_gpus == 1);
    }
    const struct gs_gpu_list *const fleet = g->fleet;
    for (uint32_t i = 0; fleet->verdicts != NULL && i < fleet->n_gpus; i++) {
        n_held += fleet->verdicts->gpu[i].verdict != GS_VERDICT_NONE;
        n_bad += gs_gpu_verdict_is_bad(&fleet->verdicts->gpu[i]);
    }
    if (n_judged > 0)
        note_slow(g, noun, task, &b);
    if (n_held > 0) {
        gs_buf_text_if(&b, n_judged > 0, ". ");
        gs_buf_format(&b, "%s of %s compared%s, ", gs_count_text(&b, n_held),
                      gs_counted_text(&b, fleet->n_gpus, "GPU"), n_judged > 0 ? " by sensors" : "");
        if (n_bad > 0)
            gs_buf_format(&b, "%s not ok", gs_count_text(&b, n_bad));
        else
            gs_buf_text(&b, "all ok");
        gs_gpu_verdicts_write_missing(fleet, "; ", "", &b);
    }
    if (n_judged + n_held == 0) {
        gs_buf_format(&b, "No %s could be compared", noun);
        if (fleet->verdicts != NULL)
            gs_gpu_verdicts_write_missing(fleet, ": ", "", &b);
    }
    if (n_felt == 0) /* none is hot where no temperature was read, nor cool */
        return gs_buf_whole(&b);
    gs_buf_format(&b,
                  ". %s ran at %s \xc2\xb0"
                  "C or above",
                  n_hot == 0 ? "None" : gs_count_text(&b, n_hot),
                  gs_real_text(&b, (double)g->o->profile.hot / (double)GS_FIXED_ONE, 0));
    return gs_buf_whole(&b);
}

/* The first n of the rows, which stand worst first. */
static enum gs_status make_frame(const struct judging *g, const char *title,
                                 const struct judged *row, size_t n, struct gs_arena *arena,
                                 struct gs_frame **f, struct gs_err *err)
{
    GS_NEW_RAW(struct gs_column_spec, specs, N_COLUMNS + GS_N_VERDICT_COLUMNS, arena, err);
    memcpy(specs, columns, sizeof columns);
    memcpy(specs + N_COLUMNS, gs_verdict_columns, sizeof gs_verdict_columns);
    GS_TRY(gs_frame_new(arena,
                        GS_HEAD("stragglers", title, specs, N_COLUMNS + GS_N_VERDICT_COLUMNS), n,
                        NULL, f, err));
    for (size_t i = 0; i < n; i++)
        fill_row(g, *f, i, &row[i]);
    return GS_OK;
}

/* The subjects, and the GPUs of hosts that are judged as a whole by their tasks: each has siblings of its own. */
static enum gs_status collect_rows(const struct judging *g, struct gs_arena *own,
                                   struct judged **row, size_t *n_rows, struct gs_err *err)
{
    const size_t n = g->clusters.subjects.n;
    struct judged *const rows = gs_arena_take(own, n + g->fleet->n_gpus, sizeof *rows);
    struct gs_subject *const alone = gs_arena_take(own, g->fleet->n_gpus, sizeof *alone);
    enum gs_status s = gs_had_memory(rows != NULL && alone != NULL, err);
    size_t at = 0;
    for (size_t k = 0; s == GS_OK && k < n; k++) {
        const struct gs_subject *const u = g->judged[k].subject;
        rows[at++] = g->judged[k];
        for (uint32_t i = u->first_gpu; s == GS_OK && u->n_gpus > 1 && i < u->first_gpu + u->n_gpus;
             i++) {
            alone[i] = (struct gs_subject){i, 1, g->fleet->profile[i]};
            alone[i].sum.n_tasks = 0; /* they are the host's */
            rows[at] = (struct judged){
                .subject = &alone[i],
                .cluster = GS_NONE,
                .second = GS_NONE,
                .found = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN, false},
                .silhouette = NAN};
            s = describe(&rows[at++], own, err);
        }
    }
    for (size_t i = 0; s == GS_OK && i < at; i++) {
        const struct gs_gpu_verdict *const v = verdict_of(g->fleet, &rows[i]);
        rows[i].bad = v != NULL && gs_gpu_verdict_is_bad(v);
    }
    *row = rows;
    *n_rows = at;
    return s;
}

static enum gs_status to_frame(const struct judging *g, struct gs_arena *own,
                               struct gs_arena *arena, struct gs_frames *out, struct gs_frame **all,
                               struct gs_err *err)
{
    struct judged *row;
    size_t n_rows, n = 0, n_slow = 0;
    struct gs_frame *findings = NULL;
    GS_TRY(collect_rows(g, own, &row, &n_rows, err));
    const char *const title = title_of(g, row, n_rows, gs_frames_noun(out), arena);
    GS_TRY(gs_had_memory(title != NULL, err));
    GS_SORT(row, n_rows, worst_first);
    for (; n < n_rows && rank_of(&row[n]) < RANK_OK; n++)
        n_slow += row[n].found.slow;
    GS_TRY(make_frame(g, title, row, n_rows, arena, all, err));
    if (!g->o->all)
        GS_TRY(make_frame(g, title, row, n, arena, &findings, err));
    gs_frame_append(out, g->o->all ? *all : findings);
    gs_note(&out->notes, GS_NOTE_INFO, "%s", title);
    gs_gpu_verdicts_note(g->fleet, &out->notes);
    if (n_slow > 0 && g->n_levels < 2)
        gs_note(&out->notes, GS_NOTE_INFO,
                "%ss are compared as of one kind; GPUs with longer ones look slow: a task table "
                "with levels tells them apart",
                gs_frames_noun(out));
    return GS_OK;
}

enum gs_status gs_stragglers_frame(const struct gs_gpu_list *fleet,
                                   const struct gs_clusters *clusters,
                                   const struct gs_stragglers_options *o, struct gs_arena *arena,
                                   struct gs_frames *out, struct gs_frame **all, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0}, kept = {0};
    struct judging g = {.fleet = fleet, .o = o, .clusters = *clusters};
    /* Few GPUs may be of several kinds without proof; held against others of another kind, one would look slow. */
    if (g.clusters.found.doubted && g.clusters.found.k == 1)
        GS_TRY(gs_clusters_find(fleet, &(struct gs_clusters_how){.lenient = true}, &kept,
                                &g.clusters, err));
    GS_TAKE(g.judged, g.clusters.subjects.n, &kept, err);
    GS_TRY(judge(&g, &own, err));
    gs_view_notes(&fleet->facts->totals, fleet->facts->duplicates, &out->notes);
    gs_subjects_note(&g.clusters.subjects, out);
    return to_frame(&g, &own, arena, out, all, err);
}

/* --- the fold ----------------------------------------------------------------------------------------- */

static enum gs_status finish(const struct gs_finish *of, struct gs_frames *out, struct gs_err *err)
{
    const struct gs_stragglers_options *const o = of->options;
    GS_OWN struct gs_arena own = {0};
    struct gs_gpu_list fleet;
    struct gs_clusters clusters;
    struct gs_frame *all;
    GS_TRY(gs_fleet_of(of->state->table, of->facts, &own, &fleet, err));
    for (uint32_t g = 0; g < fleet.n_gpus; g++)
        /* as no state is that this fold has added to */
        if (fleet.profile[g].n_tasks > 0 && fleet.profile[g].task == NULL)
            return gs_fail(err, GS_ERR_DATA, "the state counts tasks whose times it does not have");
    GS_TRY(gs_clusters_find(&fleet, &(struct gs_clusters_how){.k = o->k}, &own, &clusters, err));
    GS_TRY(gs_fleet_judge(of->state->table, clusters.of_gpu, &own, &fleet, err));
    GS_TRY(gs_stragglers_frame(&fleet, &clusters, o, of->arena, out, &all, err));
    if (of->also != NULL)
        *(struct gs_frame **)of->also = all;
    return GS_OK;
}

/* clang-format off */
const struct gs_fold gs_stragglers_fold = {
    .name = "stragglers", .views = GS_VIEW_SERIES | GS_VIEW_LOAD | GS_VIEW_PAIRS | GS_VIEW_BY_GPU, .table = gs_profile_tables,
    .n_tables = GS_N_PROFILE_TABLES, .layout = 2, .plan = gs_profiles_fold_plan, .add = gs_profiles_fold_add, .finish = finish,
};
/* clang-format on */
