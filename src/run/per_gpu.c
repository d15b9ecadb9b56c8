/* per_gpu.c - sums per GPU, and correlations over GPUs. */
#include "run/per_gpu.h"

#include <math.h>

#include "stats/dd.h"
#include "run/metric_columns.h"
#include "view/counts.h"
#include "base/int128.h"
#include "base/timestamp.h"

/* Each GPU belongs to one host and each host to one call, so the sums need no thread of their own. */
struct gpu_sums {
    uint64_t n_samples, n_tasks;
    gs_i128 task_ns;
};

/* One metric of one GPU. */
struct metric_sum {
    gs_i128 sum;
    uint64_t n;
};

struct collection {
    uint32_t event;
    const struct gs_dataset *d;
    struct gpu_sums *sums;     /* [n_gpus of the dataset]            */
    struct metric_sum *metric; /* [n_gpus][n_metrics] of the dataset */
};

static enum gs_status add_host(void *context, const struct gs_host_view *h, unsigned thread, struct gs_arena *scratch,
                               struct gs_err *err)
{
    (void)thread, (void)scratch, (void)err;
    const struct collection *const c = context;
    struct gpu_sums *const first = c->sums + c->d->host_first_gpu[h->host];
    struct metric_sum *metric = c->metric + (size_t)c->d->host_first_gpu[h->host] * h->n_metrics;
    for (uint32_t g = 0; g < h->n_gpus; g++) {
        first[g].n_samples = h->gpu[g].n;
        for (unsigned m = 0; m < h->n_metrics; m++) {
            const int64_t *const v = h->gpu[g].value[m];
            struct metric_sum one = {0};
            for (uint32_t i = 0; i < h->gpu[g].n; i++)
                if (v[i] != GS_MISSING) {
                    one.sum += v[i];
                    one.n++;
                }
            *metric++ = one;
        }
    }
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        const struct gs_pair *const pair = &h->pair[p];
        for (uint32_t g = 0; pair->event == c->event && g < h->n_gpus; g++)
            if (gs_pair_uses(pair, g)) {
                first[g].n_tasks++;
                first[g].task_ns += gs_pair_ns(pair);
            }
    }
    return GS_OK;
}

enum gs_status gs_gpu_means(const struct gs_dataset *d, const char *event, unsigned n_threads, struct gs_arena *arena,
                            struct gs_gpu_means **means, struct gs_notes *notes, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct collection c = {.d = d};
    struct gs_view_totals totals;
    enum gs_status s = gs_event_number(d, event, &c.event, err);
    if (s != GS_OK)
        return s;
    struct gs_gpu_means *const result = gs_arena_take(arena, d->n_gpus, sizeof *result);
    double *const mean = gs_arena_take(arena, (size_t)d->n_gpus * d->n_metrics, sizeof *mean);
    c.sums = gs_arena_take(&own, d->n_gpus, sizeof *c.sums);
    c.metric = gs_arena_take(&own, (size_t)d->n_gpus * d->n_metrics, sizeof *c.metric);
    s = result == NULL || mean == NULL || c.sums == NULL || c.metric == NULL
            ? gs_fail_memory(err)
            : gs_hosts_visit(d, n_threads, GS_VIEW_SAMPLES | GS_VIEW_PAIRS, add_host, &c, &totals, err);
    for (uint32_t g = 0; s == GS_OK && g < d->n_gpus; g++) {
        const struct gpu_sums *const sum = &c.sums[g];
        const struct metric_sum *const metric = c.metric + (size_t)g * d->n_metrics;
        result[g] = (struct gs_gpu_means){sum->n_samples, sum->n_tasks, mean + (size_t)g * d->n_metrics, (double)NAN};
        for (unsigned m = 0; m < d->n_metrics; m++)
            result[g].metric[m] = metric[m].n == 0 ? (double)NAN
                                                   : gs_dd_to_double(gs_dd_ratio(metric[m].sum, (gs_i128)metric[m].n * GS_FIXED_ONE));
        if (sum->n_tasks > 0)
            result[g].task_s = gs_dd_to_double(gs_dd_ratio(sum->task_ns, (gs_i128)sum->n_tasks * GS_NS_PER_S));
    }
    gs_arena_release(&own);
    if (s != GS_OK)
        return s;
    gs_view_notes(&totals, d->duplicates, notes);
    *means = result;
    return GS_OK;
}

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct gs_column_spec gpus_columns[] = {
    {"hostname", "host", "", GS_TYPE_TEXT, 0, "hostname of the samples", false},
    {"gpu_serial", "serial", "", GS_TYPE_TEXT, 0, "gpuSerial of the samples", false},
    {"gpu_uuid", "UUID", "", GS_TYPE_TEXT, 0, "gpuUUID of the samples", false},
    {"samples", "samples", "", GS_TYPE_INT, 0, "samples of the GPU in the whole run", false},
};

/* Behind the metrics. */
static const struct gs_column_spec task_columns[] = {
    {"tasks", "tasks", "", GS_TYPE_INT, 0, "pairs of the event (TotalRender) on the GPU's host", false},
    {"total_render_mean_s", "mean task", "s", GS_TYPE_REAL, 3,
     "mean duration of the event's (TotalRender) pairs on the GPU's host", false},
};

enum { GPUS_HOST, GPUS_SERIAL, GPUS_UUID, GPUS_SAMPLES, GPUS_METRIC, GPUS_TASKS = GPUS_METRIC + GS_FIXED_METRICS, GPUS_TASK_S };

enum gs_status gs_gpus_frame(const struct gs_dataset *d, const struct gs_gpu_means *means, struct gs_arena *arena,
                             struct gs_frames *out, struct gs_err *err)
{
    static const struct gs_metric_shown shown = {gpus_columns, task_columns, COUNT(gpus_columns), COUNT(task_columns), "mean",
                                                 "mean of %s over all samples of the GPU"};
    struct gs_metric_columns columns;
    struct gs_frame *f;
    enum gs_status s = gs_metric_columns(&shown, d->metric, d->n_metrics, arena, &columns, err);
    if (s == GS_OK)
        s = gs_frame_new(arena, "gpus", "GPUs", columns.spec, columns.n, d->n_gpus, out, &f, err);
    for (uint32_t g = 0; s == GS_OK && g < d->n_gpus; g++) {
        gs_frame_set_text(f, g, GPUS_HOST, d->host.text[d->gpu[g].host]);
        gs_frame_set_text(f, g, GPUS_SERIAL, d->gpu[g].serial);
        gs_frame_set_text(f, g, GPUS_UUID, d->gpu[g].uuid);
        gs_frame_set_int(f, g, GPUS_SAMPLES, (int64_t)means[g].n_samples);
        for (size_t m = 0; m < columns.n_shown; m++)
            gs_frame_set_real(f, g, columns.column[m], means[g].metric[columns.metric[m]]);
        gs_frame_set_int(f, g, GPUS_TASKS, (int64_t)means[g].n_tasks);
        gs_frame_set_real(f, g, GPUS_TASK_S, means[g].task_s);
    }
    return s;
}

/* What is undefined for these data stays NaN; only memory is a failure. */
static enum gs_status relate(const double *x, const double *y, size_t n, double level, struct gs_arena *scratch,
                             struct gs_metric_relation *r, struct gs_err *err)
{
    const double nan = (double)NAN;
    uint64_t used = 0;
    for (size_t i = 0; i < n; i++)
        used += !isnan(x[i]) && !isnan(y[i]);
    struct gs_corr_test spearman;
    *r = (struct gs_metric_relation){.pearson = {used, nan, nan, nan, nan},
                                     .spearman_rho = nan,
                                     .line = {used, nan, nan, nan, nan, nan, nan}};
    enum gs_status s = gs_real_corr_test(x, y, n, level, &r->pearson, err);
    if (s == GS_OK || s == GS_ERR_RANGE)
        s = gs_real_spearman(x, y, n, level, scratch, &spearman, err);
    if (s == GS_OK)
        r->spearman_rho = spearman.r;
    if (s == GS_OK || s == GS_ERR_RANGE)
        s = gs_real_line(x, y, n, &r->line, err);
    return s == GS_ERR_RANGE ? GS_OK : s;
}

enum gs_status gs_correlate(const struct gs_dataset *d, const struct gs_gpu_means *means, double level,
                            struct gs_arena *arena, struct gs_metric_relation **relation, struct gs_err *err)
{
    double *const x = gs_arena_take_raw(arena, d->n_gpus, sizeof *x);
    double *const y = gs_arena_take_raw(arena, d->n_gpus, sizeof *y);
    struct gs_metric_relation *const r = gs_arena_take(arena, d->n_metrics, sizeof *r);
    if (x == NULL || y == NULL || r == NULL)
        return gs_fail_memory(err);
    enum gs_status s = GS_OK;
    for (uint32_t g = 0; g < d->n_gpus; g++)
        y[g] = means[g].task_s;
    for (unsigned m = 0; s == GS_OK && m < d->n_metrics; m++) {
        for (uint32_t g = 0; g < d->n_gpus; g++)
            x[g] = means[g].metric[m];
        s = relate(x, y, d->n_gpus, level, arena, &r[m], err);
    }
    if (s == GS_OK)
        *relation = r;
    return s;
}

static const struct gs_column_spec correlate_columns[] = {
    {"metric", "metric", "", GS_TYPE_TEXT, 0, "the metric whose per-GPU means are x; y is total_render_mean_s", false},
    {"n", "n", "", GS_TYPE_INT, 0, "GPUs that have both", false},
    {"pearson_r", "r", "", GS_TYPE_REAL, 4, "Pearson correlation of x and y over the GPUs", false},
    {"pearson_ci_low", "CI low", "", GS_TYPE_REAL, 4, "lower end of r's interval by Fisher's z", false},
    {"pearson_ci_high", "CI high", "", GS_TYPE_REAL, 4, "upper end of r's interval by Fisher's z", false},
    {"p_value", "p", "", GS_TYPE_REAL, 4, "two-sided t test of r = 0 with n - 2 degrees of freedom", false},
    {"spearman_rho", "rho", "", GS_TYPE_REAL, 4, "Spearman correlation with mid-ranks", false},
    {"slope", "slope", "s/unit", GS_TYPE_REAL, 4, "slope of the least-squares line of y on x", false},
    {"intercept", "intercept", "s", GS_TYPE_REAL, 4, "y of that line at x = 0", false},
    {"r_squared", "r\xc2\xb2", "", GS_TYPE_REAL, 4, "share of y's variance that the line explains", false},
};

enum gs_status gs_correlate_frame(const struct gs_dataset *d, const struct gs_metric_relation *relation, double level,
                                  struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    struct gs_frame *f;
    struct gs_buf title = {.arena = arena};
    gs_buf_format(&title, "Per-GPU means against mean task time, %g %% intervals", 100 * level);
    if (title.failed)
        return gs_fail_memory(err);
    const enum gs_status s = gs_frame_new(arena, "correlate", title.ptr, correlate_columns,
                                          sizeof correlate_columns / sizeof *correlate_columns, d->n_metrics, out, &f, err);
    for (unsigned m = 0; s == GS_OK && m < d->n_metrics; m++) {
        const struct gs_metric_relation *const r = &relation[m];
        const double values[] = {r->pearson.r,   r->pearson.ci_low, r->pearson.ci_high, r->pearson.p_value,
                                 r->spearman_rho, r->line.slope,     r->line.intercept,  r->line.r_squared};
        gs_frame_set_text(f, m, 0, gs_str(d->metric[m]->name));
        gs_frame_set_int(f, m, 1, (int64_t)r->pearson.n);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            gs_frame_set_real(f, m, 2 + k, values[k]);
    }
    return s;
}

struct gs_fit gs_relation_fit(const struct gs_metric_relation *r)
{
    return (struct gs_fit){r->line.slope, r->line.intercept, r->pearson.r, r->pearson.ci_low, r->pearson.ci_high,
                           r->pearson.n};
}
