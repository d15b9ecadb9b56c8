/* clusters.c - the frames of the populations and their members. */
#include "run/clusters.h"

#include <math.h>

#include "stats/moments.h"
#include "run/prose.h"

enum { N_FEATURES = 3 };
enum { C_CLUSTER, C_GPUS, C_FEATURE, PER_FEATURE = 3, C_POWER = C_FEATURE + PER_FEATURE * N_FEATURES, C_SILHOUETTE,
       C_COLUMNS };
enum { M_HOST, M_SERIAL, M_UUID, M_FEATURE, M_POWER = M_FEATURE + N_FEATURES, M_TASKS, M_CLUSTER, M_COLUMNS };

#define MEAN_HOW(what) "mean of " what " over all samples of the GPU"
#define CENTRE_HOW(what) "mean over the cluster's GPUs of each GPU's mean " what
#define LEAST_HOW(what) "least of each GPU's mean " what
#define GREATEST_HOW(what) "greatest of each GPU's mean " what

static const struct gs_column_spec cluster_columns[C_COLUMNS] = {
    {"cluster", "cluster", "", GS_TYPE_INT, 0,
     "k-means on each GPU's mean GPU utilisation, memory utilisation and task time, standardised; numbered by "
     "ascending utilisation",
     true},
    {"gpus", "GPUs", "", GS_TYPE_INT, 0, "GPUs of the cluster", false},
    {"gpu_util_mean_pct", "GPU util", "%", GS_TYPE_REAL, 2, CENTRE_HOW("GPU utilisation"), false},
    {"gpu_util_min_pct", "min", "%", GS_TYPE_REAL, 2, LEAST_HOW("GPU utilisation"), false},
    {"gpu_util_max_pct", "max", "%", GS_TYPE_REAL, 2, GREATEST_HOW("GPU utilisation"), false},
    {"mem_util_mean_pct", "mem util", "%", GS_TYPE_REAL, 2, CENTRE_HOW("memory utilisation"), false},
    {"mem_util_min_pct", "min", "%", GS_TYPE_REAL, 2, LEAST_HOW("memory utilisation"), false},
    {"mem_util_max_pct", "max", "%", GS_TYPE_REAL, 2, GREATEST_HOW("memory utilisation"), false},
    {"task_mean_s", "task", "s", GS_TYPE_REAL, 3, CENTRE_HOW("task time"), false},
    {"task_min_s", "min", "s", GS_TYPE_REAL, 3, LEAST_HOW("task time"), false},
    {"task_max_s", "max", "s", GS_TYPE_REAL, 3, GREATEST_HOW("task time"), false},
    {"power_mean_w", "power", "W", GS_TYPE_REAL, 2, CENTRE_HOW("power"), false},
    {"silhouette", "silhouette", "", GS_TYPE_REAL, 3,
     "mean silhouette of the whole clustering, -1 to 1: how much nearer GPUs are to their own cluster than to the next",
     false},
};

static const struct gs_column_spec member_columns[M_COLUMNS] = {
    {"hostname", "host", "", GS_TYPE_TEXT, 0, "hostname of the samples", false},
    {"gpu_serial", "serial", "", GS_TYPE_TEXT, 0, "gpuSerial of the samples", false},
    {"gpu_uuid", "UUID", "", GS_TYPE_TEXT, 0, "gpuUUID of the samples", false},
    {"gpu_util_mean_pct", "GPU util", "%", GS_TYPE_REAL, 2, MEAN_HOW("GPU utilisation"), false},
    {"mem_util_mean_pct", "mem util", "%", GS_TYPE_REAL, 2, MEAN_HOW("memory utilisation"), false},
    {"task_mean_s", "task", "s", GS_TYPE_REAL, 3, "mean duration of the GPU's tasks, or of its host's", false},
    {"power_mean_w", "power", "W", GS_TYPE_REAL, 2, MEAN_HOW("power"), false},
    {"tasks", "tasks", "", GS_TYPE_INT, 0, "tasks of the GPU, or of its host where checkpoints name no GPU", false},
    {"cluster", "cluster", "", GS_TYPE_INT, 0, "number of its cluster; missing: it lacks a feature", true},
};

/* A GPU's features and power in the order of the columns. */
static void values_of(const struct gs_gpu_profile *p, double x[N_FEATURES + 1])
{
    x[0] = gs_profile_mean(p, GS_GPU_UTIL);
    x[1] = gs_profile_mean(p, GS_MEM_UTIL);
    x[2] = gs_profile_task_s(p);
    x[3] = gs_profile_mean(p, GS_POWER);
}

static enum gs_status fill_cluster(struct gs_frame *f, uint32_t cluster, const struct gs_dataset *d,
                                   const struct gs_gpu_profile *profile, const struct gs_clusters *c,
                                   struct gs_arena *scratch, struct gs_err *err)
{
    double *column[N_FEATURES + 1], x[N_FEATURES + 1];
    size_t n = 0;
    for (size_t k = 0; k <= N_FEATURES; k++)
        if ((column[k] = gs_arena_take_raw(scratch, c->fit.size[cluster], sizeof *column[k])) == NULL)
            return gs_fail_memory(err);
    for (uint32_t g = 0; g < d->n_gpus; g++) {
        if (c->of_gpu[g] != cluster)
            continue;
        values_of(&profile[g], x);
        for (size_t k = 0; k <= N_FEATURES; k++)
            column[k][n] = x[k];
        n++;
    }
    gs_frame_set_int(f, cluster, C_CLUSTER, (int64_t)cluster + 1);
    gs_frame_set_int(f, cluster, C_GPUS, (int64_t)n);
    gs_frame_set_real(f, cluster, C_SILHOUETTE, c->fit.silhouette);
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

static void fill_member(struct gs_frame *f, uint32_t g, const struct gs_dataset *d, const struct gs_gpu_profile *p,
                        uint32_t cluster)
{
    double x[N_FEATURES + 1];
    values_of(p, x);
    gs_frame_set_text(f, g, M_HOST, d->host.text[d->gpu[g].host]);
    gs_frame_set_text(f, g, M_SERIAL, d->gpu[g].serial);
    gs_frame_set_text(f, g, M_UUID, d->gpu[g].uuid);
    for (size_t k = 0; k <= N_FEATURES; k++)
        gs_frame_set_real(f, g, M_FEATURE + k, x[k]);
    gs_frame_set_int(f, g, M_TASKS, (int64_t)p->n_tasks);
    if (cluster != GS_NONE)
        gs_frame_set_int(f, g, M_CLUSTER, (int64_t)cluster + 1);
}

/* "2 populations of GPUs: 541 at 62.0 % GPU and 31.1 % memory utilisation, ..." */
static const char *title_of(const struct gs_clusters *c, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    gs_words_counted(&b, c->fit.k, "population");
    gs_buf_text(&b, " of GPUs: ");
    for (size_t k = 0; k < c->fit.k && k < 4; k++) {
        const double *const centre = c->fit.centre + k * c->fit.n_columns;
        gs_buf_text(&b, k > 0 ? ", " : "");
        gs_words_count(&b, c->fit.size[k]);
        gs_buf_text(&b, " at ");
        gs_words_real(&b, centre[0], 1);
        gs_buf_text(&b, " % GPU and ");
        gs_words_real(&b, centre[1], 1);
        gs_buf_text(&b, " % memory utilisation, ");
        gs_words_real(&b, centre[2], 1);
        gs_buf_text(&b, " s a task");
    }
    gs_buf_text(&b, c->fit.k > 4 ? ", ..." : "");
    if (!isnan(c->fit.silhouette)) {
        gs_buf_text(&b, " (silhouette ");
        gs_words_real(&b, c->fit.silhouette, 2);
        gs_buf_text(&b, ")");
    }
    return b.failed ? NULL : b.ptr;
}

enum gs_status gs_clusters_frame(const struct gs_dataset *d, const char *event, size_t k, bool by_gpu,
                                 unsigned n_threads, struct gs_arena *arena, struct gs_frames *out,
                                 struct gs_clusters_frames *frames, struct gs_err *err)
{
    const struct gs_profile_options options = {.event = event, .hot = INT64_MAX};
    struct gs_gpu_profile *profile;
    struct gs_clusters c;
    struct gs_clusters_frames f;
    struct gs_view_totals totals;
    const char *title = NULL;
    enum gs_status s = gs_profiles(d, &options, n_threads, arena, &profile, &totals, err);
    if (s == GS_OK)
        s = gs_clusters_find(d, profile, k, arena, &c, err);
    if (s == GS_OK && (title = title_of(&c, arena)) == NULL)
        s = gs_fail_memory(err);
    if (s == GS_OK)
        s = gs_frame_new(arena, "clusters", title, cluster_columns, C_COLUMNS, c.fit.k, by_gpu ? NULL : out,
                         &f.clusters, err);
    if (s == GS_OK)
        s = gs_frame_new(arena, "cluster-members", title, member_columns, M_COLUMNS, d->n_gpus, by_gpu ? out : NULL,
                         &f.members, err);
    for (uint32_t j = 0; s == GS_OK && j < c.fit.k; j++)
        s = fill_cluster(f.clusters, j, d, profile, &c, arena, err);
    for (uint32_t g = 0; s == GS_OK && g < d->n_gpus; g++)
        fill_member(f.members, g, d, &profile[g], c.of_gpu[g]);
    if (s != GS_OK)
        return s;
    gs_view_notes(&totals, d->duplicates, &out->notes);
    gs_note(&out->notes, GS_NOTE_INFO, "%s", title);
    *frames = f;
    return GS_OK;
}
