/* per_gpu.c - the frame of the GPUs, and correlations over them. */
#include "analysis/gpus/per_gpu.h"

#include <float.h>
#include <math.h>

#include "analysis/events/metric_columns.h"
#include "analysis/gpus/gpu_verdict.h"
#include "analysis/energy/energy.h"
#include "stats/descriptive/rank.h"
#include "stats/descriptive/special.h"
#include "stats/models/kmeans.h"
#include "stats/descriptive/within.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { CORRELATED_MIN = 3 }; /* two points are always on a line */

static const struct gs_column_spec gpus_columns[] = {GS_COL(HOSTNAME), GS_COL(GPU_SERIAL),
                                                     GS_COL(GPU_UUID), GS_COL(SAMPLES)};

/* Behind the metrics. */
/* clang-format off */
static const struct gs_column_spec task_columns[] = {
    GS_COL(TASKS, .how = "pairs of the task's event on the GPU's host"),
    GS_COL(TOTAL_RENDER_MEAN_S),
    GS_COL(TASK_MEAN_S, .label = "mean task", .how = "mean duration of its tasks, whatever their event is called: total_render_mean_s under a name that fits"),
    GS_COL(ENERGY_J, .digits = GS_DIGITS(0), .how = "integral of power from the GPU's first sample to its last, linear between readings and across gaps"),
    GS_COL(ENERGY_LOW_J, .how = "lower end of the 95 % interval of energy_j: " GS_ENERGY_INTERVAL_HOW),
    GS_COL(ENERGY_HIGH_J),
};
/* clang-format on */

/* Behind the further metrics. */
static const struct gs_column_spec last_columns[] = {
    GS_COL(COVERAGE_PCT),      GS_COL(GPU_VERDICT), GS_COL(SM_CLOCK_LOADED_MHZ),
    GS_COL(SM_CLOCK_DIFF_PCT), GS_COL(TEMP_DIFF_C), GS_COL(SLOW_TIME_PCT),
    GS_COL(SLOW_SINCE),
};

enum gs_status gs_gpus_frame(const struct gs_gpu_list *fleet, struct gs_arena *arena,
                             struct gs_frames *out, struct gs_err *err)
{
    static const struct gs_metric_shown shown = {.before = gpus_columns,
                                                 .behind = task_columns,
                                                 .n_before = COUNT(gpus_columns),
                                                 .n_behind = COUNT(task_columns),
                                                 .last = last_columns,
                                                 .n_last = COUNT(last_columns),
                                                 .what = "mean",
                                                 .counted = true,
                                                 .how = "mean of %s over all samples of the GPU"};
    struct gs_metric_columns columns;
    struct gs_energy_sum all = {0};
    gs_i128 span_ns = 0;
    struct gs_frame *f;
    const bool has_events = gs_facts_have(fleet->facts, GS_TABLE_CHECKPOINTS);
    GS_TRY(gs_metric_columns(&shown, fleet->facts->metric, fleet->facts->n_metrics, arena, &columns,
                             err));
    GS_TRY(gs_frame_new(arena, GS_HEAD("gpus", "GPUs", columns.spec, columns.n), fleet->n_gpus, out,
                        &f, err));
    for (uint32_t g = 0; g < fleet->n_gpus; g++) {
        const struct gs_gpu_profile *const p = &fleet->profile[g];
        GS_PUT(f, g, GS_TEXT(HOSTNAME, fleet->gpu[g].host),
               GS_TEXT(GPU_SERIAL, fleet->gpu[g].serial), GS_TEXT(GPU_UUID, fleet->gpu[g].uuid),
               GS_INT(SAMPLES, (int64_t)p->n_samples));
        for (size_t m = 0; m < columns.n_shown; m++)
            gs_frame_set_real(f, g, columns.column[m], gs_profile_mean(p, columns.metric[m]));
        if (has_events)
            GS_PUT(f, g, GS_INT(TASKS, (int64_t)p->n_tasks));
        GS_PUT(f, g, GS_REAL(TOTAL_RENDER_MEAN_S, gs_profile_task_s(p)),
               GS_REAL(TASK_MEAN_S, gs_profile_task_s(p)));
        gs_counter_cells(f, g, columns.counter, &p->counted);
        gs_verdict_cells(f, g, fleet->verdicts == NULL ? NULL : &fleet->verdicts->gpu[g]);
        if (p->used.n == 0)
            continue;
        double low, high;
        gs_energy_interval(&p->used, &low, &high);
        GS_PUT(f, g, GS_REAL(COVERAGE_PCT, gs_energy_coverage_pct(&p->used, p->span_ns)),
               GS_REAL(ENERGY_J, gs_energy_j(p->used.energy)), GS_REAL(ENERGY_LOW_J, low),
               GS_REAL(ENERGY_HIGH_J, high));
        gs_energy_sum_merge(&all, &p->used);
        span_ns += p->span_ns;
    }
    gs_energy_gaps_note(&all, span_ns, &out->notes);
    gs_energy_width_note(&all, &fleet->facts->totals.sensors, &out->notes);
    return GS_OK;
}

/*
 * Fisher's interval of a correlation inside groups, and its test: each group's means took a degree of freedom. Rows
 * count as in gs_real_within.
 */
static void test_within(const double *x, const double *y, const struct gs_populations *p,
                        double level, struct gs_metric_relation *r)
{
    bool there[GS_KMEANS_K_MAX] = {false};
    int64_t rest = -2;
    for (size_t i = 0; i < p->n; i++)
        if (!isnan(x[i]) && !isnan(y[i]) && p->of[i] < p->k) {
            rest += there[p->of[i]];
            there[p->of[i]] = true;
        }
    r->within_low = r->within_high = r->within_p = NAN;
    /*
     * `rest` is n - groups - 2, the degrees of freedom that the interval is made of; without any
     * there is no interval. The test has one more.
     */
    if (isnan(r->r_within) || rest <= 0)
        return;
    const double w = r->r_within, df = (double)rest + 1;
    r->within_p = fmax(gs_student_p(w * sqrt(df / ((1 - w) * (1 + w))), df), DBL_MIN);
    const double half = -gs_normal_quantile(0.5 * (1 - level)) / sqrt((double)rest);
    r->within_low = tanh(atanh(r->r_within) - half);
    r->within_high = tanh(atanh(r->r_within) + half);
}

/*
 * What is undefined for these data stays NaN; only memory is a failure. Each of the statistics may
 * be undefined by itself (a constant column, too few GPUs); the others are still computed.
 */
static enum gs_status relate(const double *x, const double *y, size_t n, double level,
                             struct gs_arena *scratch, struct gs_metric_relation *r,
                             struct gs_err *err)
{
    const double nan = (double)NAN;
    uint64_t used = 0;
    for (size_t i = 0; i < n; i++)
        used += !isnan(x[i]) && !isnan(y[i]);
    struct gs_corr_test spearman;
    *r = (struct gs_metric_relation){.pearson = {used, nan, nan, nan, nan},
                                     .spearman_rho = nan,
                                     .line = {used, nan, nan, nan},
                                     .r_within = nan,
                                     .slope_within = nan,
                                     .within_low = nan,
                                     .within_high = nan,
                                     .within_p = nan};
    enum gs_status s = gs_real_corr_test(x, y, n, level, &r->pearson, err);
    if (s == GS_OK || s == GS_ERR_RANGE)
        s = gs_real_spearman(x, y, n, level, scratch, &spearman, err);
    /* What a double cannot hold is printed as the bound that it stays below; only a perfect line has 0. */
    if (r->pearson.p_value < DBL_MIN && fabs(r->pearson.r) < 1)
        r->pearson.p_value = DBL_MIN;
    if (s == GS_OK)
        r->spearman_rho = spearman.r;
    if (s == GS_OK || s == GS_ERR_RANGE)
        s = gs_real_line(x, y, n, &r->line, err);
    if (s == GS_ERR_RANGE)
        s = GS_OK;
    return s;
}

enum gs_status gs_correlate(const struct gs_clusters *clusters, uint32_t n_metrics, double level,
                            struct gs_arena *arena, struct gs_metric_relation **relation,
                            struct gs_err *err)
{
    const size_t n = clusters->subjects.n;
    GS_NEW_RAW(double, x, n, arena, err);
    GS_NEW_RAW(double, y, n, arena, err);
    GS_NEW(struct gs_metric_relation, r, n_metrics, arena, err);
    enum gs_status s = GS_OK;
    for (uint32_t m = 0; s == GS_OK && m < n_metrics; m++) {
        for (size_t i = 0; i < n; i++) {
            x[i] = gs_profile_mean(&clusters->subjects.subject[i].sum, m);
            y[i] = gs_profile_task_s(&clusters->subjects.subject[i].sum);
        }
        s = relate(x, y, n, level, arena, &r[m], err);
        if (s != GS_OK)
            break;
        gs_real_within(x, y, clusters->found.of, n, clusters->found.k, &r[m].r_within,
                       &r[m].slope_within);
        test_within(x, y, &clusters->found, level, &r[m]);
    }
    if (s == GS_OK)
        *relation = r;
    return s;
}

static const struct gs_column_spec correlate_columns[] = {
    GS_COL(METRIC),
    GS_COL(N, .how = "GPUs that have both; a host with several whose tasks name none is one"),
    GS_COL(PEARSON_R),
    GS_COL(PEARSON_CI_LOW),
    GS_COL(PEARSON_CI_HIGH),
    GS_COL(P_VALUE),
    GS_COL(SPEARMAN_RHO),
    GS_COL(SLOPE),
    GS_COL(INTERCEPT),
    GS_COL(R_SQUARED, .label = "r²"),
    GS_COL(R_WITHIN),
    GS_COL(SLOPE_WITHIN),
    GS_COL(P_HOLM, .how = "p, adjusted by Holm's method for the number of metrics"),
    GS_COL(R_WITHIN_LOW),
    GS_COL(R_WITHIN_HIGH),
    GS_COL(R_WITHIN_P),
    GS_COL(R_WITHIN_P_HOLM),
};

enum gs_status gs_correlate_frame(const struct gs_facts *facts,
                                  const struct gs_metric_relation *relation, double level,
                                  struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    struct gs_frame *f;
    size_t n_rows = 0, row = 0;
    const char *const title =
        gs_format(arena, "Per-GPU means against mean task time, %g %% intervals", 100 * level);
    const size_t most = facts->n_metrics;
    GS_NEW_RAW(double, p, 2 * most, arena, err);
    GS_TRY(gs_had_memory(title != NULL, err));
    double *const within_p = p + most;
    for (unsigned m = 0; m < facts->n_metrics; m++)
        if (gs_metric_has_mean(facts->metric[m])) {
            within_p[n_rows] = relation[m].within_p;
            p[n_rows++] = relation[m].pearson.p_value;
        }
    GS_TRY(gs_holm(p, n_rows, p, arena, err));
    GS_TRY(gs_holm(within_p, n_rows, within_p, arena, err));
    GS_TRY(gs_frame_new(arena, GS_HEAD("correlate", title, GS_COLUMNS(correlate_columns)), n_rows,
                        out, &f, err));
    for (unsigned m = 0; m < facts->n_metrics; m++) {
        const struct gs_metric_relation *const r = &relation[m];
        if (!gs_metric_has_mean(facts->metric[m]))
            continue;
        const double values[] = {r->pearson.r,
                                 r->pearson.ci_low,
                                 r->pearson.ci_high,
                                 r->pearson.p_value,
                                 r->spearman_rho,
                                 r->line.slope,
                                 r->line.intercept,
                                 r->line.r_squared,
                                 r->r_within,
                                 r->slope_within,
                                 p[row],
                                 r->within_low,
                                 r->within_high,
                                 r->within_p,
                                 within_p[row]};
        GS_PUT(f, row, GS_TEXT(METRIC, gs_str(facts->metric[m]->name)),
               GS_INT(N, (int64_t)r->pearson.n));
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            gs_frame_set_real(f, row, 2 + k, values[k]);
        row++;
    }
    return GS_OK;
}

/* --- the folds ---------------------------------------------------------------------------------------- */

static enum gs_status gpus_finish(const struct gs_finish *of, struct gs_frames *out,
                                  struct gs_err *err)
{
    const double level = ((const struct gs_per_gpu_options *)of->options)->level;
    struct gs_gpus_found *const found = of->also;
    struct gs_gpu_list fleet;
    struct gs_clusters clusters;
    gs_view_notes(&of->facts->totals, of->facts->duplicates, &out->notes);
    enum gs_status s = gs_fleet_of(of->state->table, of->facts, of->arena, &fleet, err);
    GS_THEN(s, gs_clusters_find(&fleet, &(struct gs_clusters_how){0}, of->arena, &clusters, err));
    GS_THEN(s, gs_fleet_judge(of->state->table, clusters.of_gpu, of->arena, &fleet, err));
    GS_THEN(s, gs_gpus_frame(&fleet, of->arena, out, err));
    if (s == GS_OK)
        gs_gpu_verdicts_note(&fleet, &out->notes);
    if (s != GS_OK || found == NULL)
        return s;
    s = gs_correlate(&clusters, of->facts->n_metrics, level, of->arena, &found->relation, err);
    if (s == GS_OK) {
        found->of_gpu = clusters.of_gpu;
        found->n_clusters = clusters.found.k;
    }
    return s;
}

static enum gs_status correlate_finish(const struct gs_finish *of, struct gs_frames *out,
                                       struct gs_err *err)
{
    const double level = ((const struct gs_per_gpu_options *)of->options)->level;
    GS_OWN struct gs_arena own = {0};
    struct gs_gpu_list fleet;
    struct gs_clusters clusters;
    struct gs_metric_relation *relation;
    gs_view_notes(&of->facts->totals, of->facts->duplicates, &out->notes);
    GS_TRY(gs_fleet_of(of->state->table, of->facts, &own, &fleet, err));
    GS_TRY(gs_clusters_find(&fleet, &(struct gs_clusters_how){0}, &own, &clusters, err));
    GS_TRY(gs_correlate(&clusters, of->facts->n_metrics, level, &own, &relation, err));
    gs_subjects_note(&clusters.subjects, out);
    if (clusters.subjects.n < CORRELATED_MIN)
        gs_note(&out->notes, GS_NOTE_WARNING,
                "%zu %s %s times: a correlation needs at least %d of them; gpustat join prints "
                "the readings of each %s",
                clusters.subjects.n,
                clusters.subjects.n_hosts > 0
                    ? gs_plural(clusters.subjects.n, "host has", "hosts have")
                    : gs_plural(clusters.subjects.n, "GPU has", "GPUs have"),
                gs_frames_noun(out), CORRELATED_MIN, gs_frames_noun(out));
    return gs_correlate_frame(of->facts, relation, level, of->arena, out, err);
}

/* clang-format off */
const struct gs_fold gs_gpus_fold = {
    .name = "gpus", .views = GS_VIEW_SERIES | GS_VIEW_LOAD | GS_VIEW_PAIRS | GS_VIEW_RHYTHM | GS_VIEW_BY_GPU, .table = gs_profile_tables,
    .n_tables = GS_N_PROFILE_TABLES, .layout = 2, .plan = gs_profiles_fold_plan, .add = gs_profiles_fold_add, .finish = gpus_finish,
};
const struct gs_fold gs_correlate_fold = {
    .name = "correlate", .views = GS_VIEW_SERIES | GS_VIEW_PAIRS | GS_VIEW_BY_GPU, .table = gs_profile_tables,
    .n_tables = GS_N_PROFILE_TABLES, .plan = gs_profiles_fold_plan, .add = gs_profiles_fold_add, .finish = correlate_finish,
};
/* clang-format on */

struct gs_fit gs_relation_fit(const struct gs_metric_relation *r)
{
    return (struct gs_fit){r->line.slope,     r->line.intercept,  r->pearson.r,
                           r->pearson.ci_low, r->pearson.ci_high, r->pearson.n};
}
