/* power_frames.c - an evaluated power log as frames: readings, metrics. */
#include "analysis/power_logs/power_gpus.h"

#include <math.h>

#include "stats/descriptive/moments.h"
#include "base/num/timestamp.h"

static const struct gs_column_spec point_columns[] = {
    GS_COL(GPU),          GS_COL(TIMESTAMP),
    GS_COL(T_S),          GS_COL(POWER_W, .digits = GS_DIGITS(2)),
    GS_COL(STANDING),     GS_COL(GPU_UTIL_PCT),
    GS_COL(MEM_UTIL_PCT), GS_COL(MEMORY_USED_MIB),
    GS_COL(TEMP_C),       GS_COL(CLOCK_MHZ, .digits = GS_DIGITS(0), .how = "from the log"),
};

static void set_field(struct gs_frame *f, size_t row, enum gs_column_id id,
                      const struct gs_log *log, enum gs_log_field field, size_t i)
{
    if (log->value[field] != NULL && log->value[field][i] != GS_MISSING)
        gs_frame_put_real(f, row, id, (double)log->value[field][i] / (double)GS_FIXED_ONE);
}

static void fill_points(struct gs_frame *f, size_t row, const struct gs_power_gpu *of)
{
    const struct gs_log *const log = of->log;
    for (size_t i = 0; i < log->n; i++, row++) {
        GS_PUT(f, row, GS_TEXT(GPU, of->label));
        if (log->t_ns != NULL) {
            GS_PUT(
                f, row, GS_INT(TIMESTAMP, log->t_ns[i]),
                GS_REAL(T_S, (double)((gs_i128)log->t_ns[i] - log->t_ns[0]) / (double)GS_NS_PER_S));
        }
        set_field(f, row, GS_COL_POWER_W, log, GS_LOG_POWER, i);
        GS_PUT(f, row, GS_TEXT(STANDING, gs_str(of->result.kept[i] ? "kept" : "beyond 3 sigma")));
        set_field(f, row, GS_COL_GPU_UTIL_PCT, log, GS_LOG_GPU_UTIL, i);
        set_field(f, row, GS_COL_MEM_UTIL_PCT, log, GS_LOG_MEM_UTIL, i);
        set_field(f, row, GS_COL_MEMORY_USED_MIB, log, GS_LOG_MEMORY_USED, i);
        set_field(f, row, GS_COL_TEMP_C, log, GS_LOG_TEMP, i);
        set_field(f, row, GS_COL_CLOCK_MHZ, log, GS_LOG_CLOCK, i);
    }
}

enum gs_status gs_power_points(const struct gs_power_gpus *gpus, struct gs_arena *arena,
                               struct gs_frames *out, struct gs_err *err)
{
    size_t n = 0, row = 0;
    for (size_t k = 0; k < gpus->n; k++)
        n += gpus->gpu[k].log->n;
    struct gs_frame *f;
    GS_TRY(gs_frame_new(arena,
                        GS_HEAD("power-points", "Readings and their standing in the 3-sigma filter",
                                GS_COLUMNS(point_columns)),
                        n, out, &f, err));
    for (size_t k = 0; k < gpus->n; k++) {
        fill_points(f, row, &gpus->gpu[k]);
        row += gpus->gpu[k].log->n;
    }
    return GS_OK;
}

static const struct gs_column_spec metric_columns[] = {
    GS_COL(GPU),
    GS_COL(READINGS, .how = "rows with a readable time and power"),
    GS_COL(DROPPED_PCT),
    GS_COL(START, .how = "first reading"),
    GS_COL(STOP, .how = "last reading"),
    GS_COL(TIME_TO_SOLUTION_S),
    GS_COL(GPU_UTIL_MEAN_PCT, .label = "GPU utilisation", .digits = GS_DIGITS(1),
           .how = "mean over the readings"),
    GS_COL(MEM_UTIL_MEAN_PCT, .label = "memory utilisation", .digits = GS_DIGITS(1),
           .how = "mean over the readings"),
    GS_COL(MEMORY_USED_MEAN_MIB),
    GS_COL(MEMORY_USED_MAX_MIB),
    GS_COL(MEMORY_FREE_MIN_MIB),
    GS_COL(POWER_MEAN_W, .how = "mean over the readings"),
    GS_COL(POWER_MAX_W),
    GS_COL(TEMP_MEAN_C, .label = "mean temperature", .digits = GS_DIGITS(1),
           .how = "mean over the readings"),
    GS_COL(TEMP_MAX_C, .label = "greatest temperature", .how = "greatest reading"),
    GS_COL(HOT_PCT, .digits = GS_DIGITS(1), .how = "share of readings at or above --hot"),
    GS_COL(CLOCK_MEAN_MHZ),
    GS_COL(THROUGHPUT_PER_S),
    GS_COL(ENERGY_PER_ITEM_J),
};

static struct gs_moments moments_of(const struct gs_log *log, enum gs_log_field field)
{
    struct gs_moments m = {0};
    for (size_t i = 0; log->value[field] != NULL && i < log->n; i++)
        gs_moments_add(&m, log->value[field][i]);
    return m;
}

void gs_power_use_of(const struct gs_log *log, double hot_c, struct gs_power_use *use)
{
    const int64_t *const used = log->value[GS_LOG_MEMORY_USED];
    const int64_t *const total = log->value[GS_LOG_MEMORY_TOTAL];
    const int64_t *const temp = log->value[GS_LOG_TEMP];
    *use =
        (struct gs_power_use){.timed = log->t_ns != NULL && log->n > 0, .free_least = GS_MISSING};
    if (use->timed) {
        use->start_ns = log->t_ns[0];
        use->stop_ns = log->t_ns[log->n - 1];
    }
    for (int f = 0; f < GS_LOG_FIELDS; f++)
        use->of[f] = moments_of(log, (enum gs_log_field)f);
    for (size_t i = 0; i < log->n; i++) {
        if (used != NULL && total != NULL && used[i] != GS_MISSING && total[i] != GS_MISSING &&
            /*
             * The least free memory, not total less the greatest use: both must be of one reading.
             */
            (use->free_least == GS_MISSING || total[i] - used[i] < use->free_least))
            use->free_least = total[i] - used[i];
        use->n_hot += temp != NULL && temp[i] != GS_MISSING &&
                      (double)temp[i] >= hot_c * (double)GS_FIXED_ONE;
    }
}

static void fill_metrics(struct gs_frame *f, size_t row, const struct gs_power_gpu *of,
                         const struct gs_power_options *o)
{
    static const struct {
        enum gs_log_field field;
        enum gs_column_id mean, max; /* GS_COL_NONE: not shown */
    } wanted[] = {
        {GS_LOG_GPU_UTIL, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_NONE},
        {GS_LOG_MEM_UTIL, GS_COL_MEM_UTIL_MEAN_PCT, GS_COL_NONE},
        {GS_LOG_MEMORY_USED, GS_COL_MEMORY_USED_MEAN_MIB, GS_COL_MEMORY_USED_MAX_MIB},
        {GS_LOG_POWER, GS_COL_POWER_MEAN_W, GS_COL_POWER_MAX_W},
        {GS_LOG_TEMP, GS_COL_TEMP_MEAN_C, GS_COL_TEMP_MAX_C},
        {GS_LOG_CLOCK, GS_COL_CLOCK_MEAN_MHZ, GS_COL_NONE},
    };
    const struct gs_log *const log = of->log;
    const struct gs_power_use *const use = of->use;
    const struct gs_power_result *const r = &of->result;
    GS_PUT(f, row, GS_TEXT(GPU, of->label), GS_INT(READINGS, (int64_t)log->n));
    if (log->n + log->n_dropped > 0)
        GS_PUT(f, row,
               GS_REAL(DROPPED_PCT,
                       100.0 * (double)log->n_dropped / (double)(log->n + log->n_dropped)));
    if (use->timed)
        GS_PUT(f, row, GS_INT(START, use->start_ns), GS_INT(STOP, use->stop_ns));
    GS_PUT(f, row, GS_REAL(TIME_TO_SOLUTION_S, r->runtime_s));
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        double mean = (double)NAN, max = (double)NAN;
        (void)gs_moments_mean(&use->of[wanted[k].field], GS_FIXED_ONE, &mean, NULL);
        (void)gs_moments_max(&use->of[wanted[k].field], GS_FIXED_ONE, &max, NULL);
        gs_frame_put_real(f, row, wanted[k].mean, mean);
        if (wanted[k].max != GS_COL_NONE)
            gs_frame_put_real(f, row, wanted[k].max, max);
    }
    if (use->free_least != GS_MISSING)
        GS_PUT(f, row,
               GS_REAL(MEMORY_FREE_MIN_MIB, (double)use->free_least / (double)GS_FIXED_ONE));
    if (use->of[GS_LOG_TEMP].n > 0)
        GS_PUT(f, row,
               GS_REAL(HOT_PCT, 100.0 * (double)use->n_hot / (double)use->of[GS_LOG_TEMP].n));
    if (o->iterations > 0 && r->n > 0) {
        if (r->runtime_s > 0)
            GS_PUT(f, row, GS_REAL(THROUGHPUT_PER_S, (double)o->iterations / r->runtime_s));
        GS_PUT(f, row, GS_REAL(ENERGY_PER_ITEM_J, r->energy_j / (double)o->iterations));
    }
}

enum gs_status gs_power_metrics(const struct gs_power_gpus *gpus, struct gs_arena *arena,
                                struct gs_frames *out, struct gs_err *err)
{
    struct gs_frame *f;
    GS_TRY(gs_frame_new(
        arena,
        GS_HEAD("power-metrics", "The five metrics of a run, per GPU", GS_COLUMNS(metric_columns)),
        gpus->n, out, &f, err));
    for (size_t k = 0; k < gpus->n; k++)
        fill_metrics(f, k, &gpus->gpu[k], gpus->options);
    return GS_OK;
}
