/* clusters.c - the frames of the populations and their members. */
#include "analysis/gpus/clusters.h"

#include <math.h>

#include "data/result/number_text.h"
#include "stats/exact/moments.h"
#include "stats/exact/quantile.h"

enum { N_FEATURES = 3, C_TASK_FEATURE = 2 };
/* clang-format off */
enum { C_CLUSTER, C_GPUS, C_FEATURE, PER_FEATURE = 3, C_POWER = C_FEATURE + PER_FEATURE * N_FEATURES, C_SILHOUETTE,
       C_TASK_MEDIAN, C_COLUMNS };
enum { M_HOST, M_SERIAL, M_UUID, M_FEATURE, M_POWER = M_FEATURE + N_FEATURES, M_TASKS, M_CLUSTER, M_SILHOUETTE,
       M_COLUMNS };
/* clang-format on */

/* clang-format off */
static const struct gs_column_spec cluster_columns[C_COLUMNS] = {
    GS_COL(CLUSTER),
    GS_COL(GPUS),
    GS_COL(GPU_UTIL_MEAN_PCT, .how = "mean over the cluster's GPUs of each GPU's mean GPU utilisation"),
    GS_COL(GPU_UTIL_MIN_PCT),
    GS_COL(GPU_UTIL_MAX_PCT),
    GS_COL(MEM_UTIL_MEAN_PCT),
    GS_COL(MEM_UTIL_MIN_PCT),
    GS_COL(MEM_UTIL_MAX_PCT),
    GS_COL(TASK_MEAN_S),
    GS_COL(TASK_MIN_S),
    GS_COL(TASK_MAX_S),
    GS_COL(POWER_MEAN_W, .label = "power", .how = "mean over the cluster's GPUs of each GPU's mean power"),
    GS_COL(SILHOUETTE),
    GS_COL(TASK_MEDIAN_S),
};
/* clang-format on */

static const struct gs_column_spec member_columns[M_COLUMNS] = {
    GS_COL(HOSTNAME),
    GS_COL(GPU_SERIAL, .how = "gpuSerial of the samples; missing: a host with several GPUs"),
    GS_COL(GPU_UUID, .how = "gpuUUID of the samples, or the index that alone tells GPUs apart; "
                            "missing: a host with several GPUs"),
    GS_COL(GPU_UTIL_MEAN_PCT, .how = "mean of GPU utilisation over all samples of the GPU"),
    GS_COL(MEM_UTIL_MEAN_PCT, .how = "mean of memory utilisation over all samples of the GPU"),
    GS_COL(TASK_MEAN_S, .how = "mean duration of the GPU's tasks, or of its host's"),
    GS_COL(POWER_MEAN_W, .label = "power", .how = "mean of power over all samples of the GPU"),
    GS_COL(TASKS),
    GS_COL(CLUSTER, .how = "number of its cluster; missing: its utilisation is not known"),
    GS_COL(SILHOUETTE, .how = "-1 to 1: how much nearer it is to its own cluster than to the next; "
                              "missing: there is one"),
};

enum gs_status gs_clusters_find(const struct gs_gpu_list *fleet, size_t k, struct gs_arena *arena,
                                struct gs_clusters *clusters, struct gs_err *err)
{
    static const uint32_t metric[] = {GS_GPU_UTIL, GS_MEM_UTIL};
    struct gs_arena scratch = {0};
    struct gs_clusters c = {.of_gpu = gs_arena_take_raw(arena, fleet->n_gpus, sizeof *c.of_gpu)};
    if (c.of_gpu == NULL)
        return gs_fail_memory(err);
    enum gs_status s = gs_subjects_of(fleet, arena, &c.subjects, err);
    if (s != GS_OK)
        return s;
    const size_t n = c.subjects.n;
    uint32_t used[2];
    size_t n_used = 0;
    for (size_t m = 0; m < 2; m++) {
        bool any = false;
        for (size_t i = 0; i < n; i++)
            any |= c.subjects.subject[i].sum.metric[metric[m]].n > 0;
        if (any)
            used[n_used++] = metric[m];
    }
    double *const x = gs_arena_take_raw(arena, n * n_used, sizeof *x);
    if (x == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < n_used; m++)
            x[i * n_used + m] = gs_profile_mean(&c.subjects.subject[i].sum, used[m]);
    s = gs_populations_find(x, n, n_used, k, arena, &scratch, &c.found, err);
    gs_arena_release(&scratch);
    if (s == GS_ERR_RANGE)
        return gs_fail(err, GS_ERR_DATA,
                       "of %zu GPUs too few differ in utilisation for %zu clusters", n, k);
    if (s != GS_OK)
        return s;
    for (size_t i = 0; i < n; i++)
        for (uint32_t g = 0; g < c.subjects.subject[i].n_gpus; g++)
            c.of_gpu[c.subjects.subject[i].first_gpu + g] = c.found.of[i];
    *clusters = c;
    return GS_OK;
}

/* A GPU's features and power in the order of the columns. */
static void values_of(const struct gs_gpu_profile *p, double x[N_FEATURES + 1])
{
    x[0] = gs_profile_mean(p, GS_GPU_UTIL);
    x[1] = gs_profile_mean(p, GS_MEM_UTIL);
    x[2] = gs_profile_task_s(p);
    x[3] = gs_profile_mean(p, GS_POWER);
}

static enum gs_status fill_cluster(struct gs_frame *f, uint32_t cluster,
                                   const struct gs_clusters *c, struct gs_arena *scratch,
                                   struct gs_err *err)
{
    double *column[N_FEATURES + 1], x[N_FEATURES + 1], median = NAN;
    size_t n = 0;
    int64_t n_gpus = 0;
    for (size_t k = 0; k <= N_FEATURES; k++)
        if ((column[k] = gs_arena_take_raw(scratch, c->subjects.n, sizeof *column[k])) == NULL)
            return gs_fail_memory(err);
    for (size_t i = 0; i < c->subjects.n; i++) {
        if (c->found.of[i] != cluster)
            continue;
        values_of(&c->subjects.subject[i].sum, x);
        for (size_t k = 0; k <= N_FEATURES; k++)
            column[k][n] = x[k];
        n++;
        n_gpus += c->subjects.subject[i].n_gpus;
    }
    const enum gs_status s =
        gs_real_quantiles(column[C_TASK_FEATURE], n, &GS_PROB_MEDIAN, 1, scratch, &median, err);
    if (s == GS_ERR_MEMORY)
        return s;
    gs_frame_set_int(f, cluster, C_CLUSTER, (int64_t)cluster + 1);
    gs_frame_set_int(f, cluster, C_GPUS, n_gpus);
    gs_frame_set_real(f, cluster, C_SILHOUETTE, c->found.mean_silhouette);
    gs_frame_set_real(f, cluster, C_TASK_MEDIAN, median);
    for (size_t k = 0; k <= N_FEATURES; k++) {
        const struct gs_real_moments m = gs_real_describe(column[k], n);
        const size_t at = k < N_FEATURES ? C_FEATURE + PER_FEATURE * k : C_POWER;
        gs_frame_set_real(f, cluster, at, m.mean);
        if (k == N_FEATURES)
            break;
        gs_frame_set_real(f, cluster, at + 1, m.min);
        gs_frame_set_real(f, cluster, at + 2, m.max);
    }
    return GS_OK;
}

static void fill_member(struct gs_frame *f, size_t i, const struct gs_gpu_list *fleet,
                        const struct gs_clusters *c)
{
    const struct gs_subject *const u = &c->subjects.subject[i];
    double x[N_FEATURES + 1];
    values_of(&u->sum, x);
    gs_subject_name(fleet, u, f, i, M_HOST);
    for (size_t k = 0; k <= N_FEATURES; k++)
        gs_frame_set_real(f, i, M_FEATURE + k, x[k]);
    gs_frame_set_int(f, i, M_TASKS, (int64_t)u->sum.n_tasks);
    if (c->found.of[i] != GS_NONE)
        gs_frame_set_int(f, i, M_CLUSTER, (int64_t)c->found.of[i] + 1);
    gs_frame_set_real(f, i, M_SILHOUETTE, c->found.silhouette[i]);
}

/* Nothing of a value that is missing. */
static void title_part(struct gs_buf *b, const char *before, double value, const char *unit)
{
    if (isnan(value))
        return;
    gs_buf_text(b, before);
    gs_words_real(b, value, 1);
    gs_buf_text(b, unit);
}

/* "2 populations of GPUs: 541 at 62.0 % GPU and 31.1 % memory utilisation, ..." */
static const char *title_of(const struct gs_clusters *c, const struct gs_frame *f,
                            struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    gs_words_counted(&b, c->found.k, "population");
    gs_buf_text(&b, " of GPUs: ");
    for (size_t k = 0; k < c->found.k && k < 4; k++) {
        const bool has_feature = !isnan(f->columns[C_FEATURE].real[k]) ||
                                 !isnan(f->columns[C_FEATURE + PER_FEATURE].real[k]);
        gs_buf_text(&b, k > 0 ? ", " : "");
        gs_words_count(&b, (uint64_t)f->columns[C_GPUS].integer[k]);
        title_part(&b, " at ", f->columns[C_FEATURE].real[k], " % GPU");
        title_part(&b, isnan(f->columns[C_FEATURE].real[k]) ? " at " : " and ",
                   f->columns[C_FEATURE + PER_FEATURE].real[k], " % memory");
        gs_buf_text(&b, has_feature ? " utilisation" : " whose utilisation is not known");
        title_part(&b, ", ", f->columns[C_TASK_MEDIAN].real[k], " s a task");
    }
    gs_buf_text(&b, c->found.k > 4 ? ", ..." : "");
    if (!isnan(c->found.mean_silhouette)) {
        gs_buf_text(&b, " (silhouette ");
        gs_words_real(&b, c->found.mean_silhouette, 2);
        gs_buf_text(&b, ")");
    }
    return b.failed ? NULL : b.ptr;
}

enum gs_status gs_clusters_frame(const struct gs_gpu_list *fleet, const struct gs_clusters *c,
                                 bool by_gpu, struct gs_arena *arena, struct gs_frames *out,
                                 struct gs_clusters_frames *frames, struct gs_err *err)
{
    struct gs_clusters_frames f;
    struct gs_arena scratch = {0};
    const char *title = NULL;
    enum gs_status s = gs_frame_new(arena, "clusters", "", cluster_columns, C_COLUMNS, c->found.k,
                                    NULL, &f.clusters, err);
    if (s == GS_OK)
        s = gs_frame_new(arena, "cluster-members", "", member_columns, M_COLUMNS, c->subjects.n,
                         NULL, &f.members, err);
    for (uint32_t j = 0; s == GS_OK && j < c->found.k; j++)
        s = fill_cluster(f.clusters, j, c, &scratch, err);
    for (size_t i = 0; s == GS_OK && i < c->subjects.n; i++)
        fill_member(f.members, i, fleet, c);
    if (s == GS_OK && (title = title_of(c, f.clusters, arena)) == NULL)
        s = gs_fail_memory(err);
    gs_arena_release(&scratch);
    if (s != GS_OK)
        return s;
    f.clusters->title = f.members->title = title;
    gs_frame_append(out, by_gpu ? f.members : f.clusters);
    gs_view_notes(&fleet->facts->totals, fleet->facts->duplicates, &out->notes);
    gs_subjects_note(&c->subjects, &out->notes);
    gs_note(&out->notes, GS_NOTE_INFO, "%s", title);
    if (frames != NULL)
        *frames = f;
    return GS_OK;
}

/* --- the fold ----------------------------------------------------------------------------------------- */

static enum gs_status make_plan(const void *options, const struct gs_dataset *d,
                                struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    return gs_profiles_fold.plan(&((const struct gs_clusters_options *)options)->profile, d, state,
                                 arena, err);
}

static enum gs_status add_host(const void *options, struct gs_state *state,
                               struct gs_fold_host *host, struct gs_err *err)
{
    return gs_profiles_fold.add(&((const struct gs_clusters_options *)options)->profile, state,
                                host, err);
}

static enum gs_status finish(const void *options, const struct gs_state *state,
                             const struct gs_facts *facts, unsigned n_threads,
                             struct gs_arena *arena, struct gs_frames *out, void *also,
                             struct gs_err *err)
{
    (void)n_threads;
    const struct gs_clusters_options *const o = options;
    struct gs_arena own = {0};
    struct gs_gpu_list fleet;
    struct gs_clusters clusters;
    enum gs_status s = gs_fleet_of(state->table, facts, &own, &fleet, err);
    if (s == GS_OK)
        s = gs_clusters_find(&fleet, o->k, &own, &clusters, err);
    if (s == GS_OK)
        s = gs_clusters_frame(&fleet, &clusters, o->by_gpu, arena, out, also, err);
    gs_arena_release(&own);
    return s;
}

/* clang-format off */
const struct gs_fold gs_clusters_fold = {
    .name = "clusters", .views = GS_VIEW_SERIES | GS_VIEW_PAIRS | GS_VIEW_BY_GPU, .table = gs_profile_tables,
    .n_tables = GS_N_PROFILE_TABLES, .plan = make_plan, .add = add_host, .finish = finish,
};
/* clang-format on */
