/* power_frames.c - an evaluated power log as frames: readings, metrics. */
#include "analysis/power_logs/power.h"

#include <math.h>

#include "stats/exact/moments.h"
#include "base/num/timestamp.h"

static size_t count_rows(const struct gs_log_table *logs, size_t n_logs)
{
    size_t n = 0;
    for (size_t l = 0; l < n_logs; l++)
        n += logs[l].n_logs;
    return n;
}

enum {
    R_GPU,
    R_TIME,
    R_T,
    R_POWER,
    R_STANDING,
    R_UTIL,
    R_MEM_UTIL,
    R_MEMORY,
    R_TEMP,
    R_CLOCK,
    R_COLUMNS
};

static const struct gs_column_spec point_columns[R_COLUMNS] = {
    [R_GPU] = GS_COL(GPU),
    [R_TIME] = GS_COL(TIMESTAMP),
    [R_T] = GS_COL(T_S),
    [R_POWER] = GS_COL(POWER_W, .digits = GS_DIGITS(2)),
    [R_STANDING] = GS_COL(STANDING),
    [R_UTIL] = GS_COL(GPU_UTIL_PCT),
    [R_MEM_UTIL] = GS_COL(MEM_UTIL_PCT),
    [R_MEMORY] = GS_COL(MEMORY_USED_MIB),
    [R_TEMP] = GS_COL(TEMP_C),
    [R_CLOCK] = GS_COL(CLOCK_MHZ, .digits = GS_DIGITS(0), .how = "from the log"),
};

static void set_field(struct gs_frame *f, size_t row, size_t column, const struct gs_log *log,
                      enum gs_log_field field, size_t i)
{
    if (log->value[field] != NULL && log->value[field][i] != GS_MISSING)
        gs_frame_set_real(f, row, column, (double)log->value[field][i] / (double)GS_FIXED_ONE);
}

static void fill_points(struct gs_frame *f, size_t row, const struct gs_log *log,
                        const struct gs_power_result *r, struct gs_str label)
{
    for (size_t i = 0; i < log->n; i++, row++) {
        gs_frame_set_text(f, row, R_GPU, label);
        if (log->t_ns != NULL) {
            gs_frame_set_time(f, row, R_TIME, log->t_ns[i]);
            gs_frame_set_real(f, row, R_T,
                              (double)((gs_i128)log->t_ns[i] - log->t_ns[0]) / (double)GS_NS_PER_S);
        }
        set_field(f, row, R_POWER, log, GS_LOG_POWER, i);
        gs_frame_set_text(f, row, R_STANDING, gs_str(r->kept[i] ? "kept" : "beyond 3 sigma"));
        set_field(f, row, R_UTIL, log, GS_LOG_GPU_UTIL, i);
        set_field(f, row, R_MEM_UTIL, log, GS_LOG_MEM_UTIL, i);
        set_field(f, row, R_MEMORY, log, GS_LOG_MEMORY_USED, i);
        set_field(f, row, R_TEMP, log, GS_LOG_TEMP, i);
        set_field(f, row, R_CLOCK, log, GS_LOG_CLOCK, i);
    }
}

enum gs_status gs_power_points(const struct gs_log_table *logs, size_t n_logs,
                               const struct gs_power_result *result, struct gs_arena *arena,
                               struct gs_frames *out, struct gs_err *err)
{
    size_t n = 0;
    for (size_t l = 0; l < n_logs; l++)
        for (size_t g = 0; g < logs[l].n_logs; g++)
            n += logs[l].log[g].n;
    struct gs_frame *f;
    const enum gs_status s =
        gs_frame_new(arena, "power-points", "Readings and their standing in the 3-sigma filter",
                     point_columns, R_COLUMNS, n, out, &f, err);
    if (s != GS_OK)
        return s;
    size_t row = 0, k = 0;
    for (size_t l = 0; l < n_logs; l++)
        for (size_t g = 0; g < logs[l].n_logs; g++, k++) {
            struct gs_str label;
            if (!gs_power_label(&logs[l], &logs[l].log[g], n_logs, arena, &label))
                return gs_fail_memory(err);
            fill_points(f, row, &logs[l].log[g], &result[k], label);
            row += logs[l].log[g].n;
        }
    return GS_OK;
}

enum {
    M_GPU,
    M_READINGS,
    M_DROPPED_PCT,
    M_START,
    M_STOP,
    M_TIME,
    M_UTIL,
    M_MEM_UTIL,
    M_MEMORY_MEAN,
    M_MEMORY_MAX,
    M_MEMORY_FREE,
    M_POWER_MEAN,
    M_POWER_MAX,
    M_TEMP_MEAN,
    M_TEMP_MAX,
    M_HOT,
    M_CLOCK,
    M_THROUGHPUT,
    M_ENERGY_ITEM,
    M_COLUMNS
};

static const struct gs_column_spec metric_columns[M_COLUMNS] = {
    [M_GPU] = GS_COL(GPU),
    [M_READINGS] = GS_COL(READINGS, .how = "rows with a readable time and power"),
    [M_DROPPED_PCT] = GS_COL(DROPPED_PCT),
    [M_START] = GS_COL(START, .how = "first reading"),
    [M_STOP] = GS_COL(STOP, .how = "last reading"),
    [M_TIME] = GS_COL(TIME_TO_SOLUTION_S),
    [M_UTIL] = GS_COL(GPU_UTIL_MEAN_PCT, .label = "GPU utilisation", .digits = GS_DIGITS(1),
                      .how = "mean over the readings"),
    [M_MEM_UTIL] = GS_COL(MEM_UTIL_MEAN_PCT, .label = "memory utilisation", .digits = GS_DIGITS(1),
                          .how = "mean over the readings"),
    [M_MEMORY_MEAN] = GS_COL(MEMORY_USED_MEAN_MIB),
    [M_MEMORY_MAX] = GS_COL(MEMORY_USED_MAX_MIB),
    [M_MEMORY_FREE] = GS_COL(MEMORY_FREE_MIN_MIB),
    [M_POWER_MEAN] = GS_COL(POWER_MEAN_W, .how = "mean over the readings"),
    [M_POWER_MAX] = GS_COL(POWER_MAX_W),
    [M_TEMP_MEAN] = GS_COL(TEMP_MEAN_C, .label = "mean temperature", .digits = GS_DIGITS(1),
                           .how = "mean over the readings"),
    [M_TEMP_MAX] = GS_COL(TEMP_MAX_C, .label = "greatest temperature", .how = "greatest reading"),
    [M_HOT] = GS_COL(HOT_PCT, .digits = GS_DIGITS(1), .how = "share of readings at or above --hot"),
    [M_CLOCK] = GS_COL(CLOCK_MEAN_MHZ),
    [M_THROUGHPUT] = GS_COL(THROUGHPUT_PER_S),
    [M_ENERGY_ITEM] = GS_COL(ENERGY_PER_ITEM_J),
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
    const int64_t *const used = log->value[GS_LOG_MEMORY_USED], *const total =
                                                                    log->value[GS_LOG_MEMORY_TOTAL];
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

static void set_mean(struct gs_frame *f, size_t row, size_t column, const struct gs_moments *m)
{
    double mean;
    if (gs_moments_mean(m, GS_FIXED_ONE, &mean, NULL) == GS_OK)
        gs_frame_set_real(f, row, column, mean);
}

static void set_max(struct gs_frame *f, size_t row, size_t column, const struct gs_moments *m)
{
    double max;
    if (gs_moments_max(m, GS_FIXED_ONE, &max, NULL) == GS_OK)
        gs_frame_set_real(f, row, column, max);
}

static void fill_metrics(struct gs_frame *f, size_t row, const struct gs_log *log,
                         const struct gs_power_use *use, const struct gs_power_result *r,
                         const struct gs_power_options *o)
{
    static const struct {
        enum gs_log_field field;
        int mean, max; /* columns; -1: none */
    } wanted[] = {
        {GS_LOG_GPU_UTIL, M_UTIL, -1},
        {GS_LOG_MEM_UTIL, M_MEM_UTIL, -1},
        {GS_LOG_MEMORY_USED, M_MEMORY_MEAN, M_MEMORY_MAX},
        {GS_LOG_POWER, M_POWER_MEAN, M_POWER_MAX},
        {GS_LOG_TEMP, M_TEMP_MEAN, M_TEMP_MAX},
        {GS_LOG_CLOCK, M_CLOCK, -1},
    };
    gs_frame_set_int(f, row, M_READINGS, (int64_t)log->n);
    if (log->n + log->n_dropped > 0)
        gs_frame_set_real(f, row, M_DROPPED_PCT,
                          100.0 * (double)log->n_dropped / (double)(log->n + log->n_dropped));
    if (use->timed) {
        gs_frame_set_time(f, row, M_START, use->start_ns);
        gs_frame_set_time(f, row, M_STOP, use->stop_ns);
    }
    gs_frame_set_real(f, row, M_TIME, r->runtime_s);
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        set_mean(f, row, (size_t)wanted[k].mean, &use->of[wanted[k].field]);
        if (wanted[k].max >= 0)
            set_max(f, row, (size_t)wanted[k].max, &use->of[wanted[k].field]);
    }
    if (use->free_least != GS_MISSING)
        gs_frame_set_real(f, row, M_MEMORY_FREE, (double)use->free_least / (double)GS_FIXED_ONE);
    if (use->of[GS_LOG_TEMP].n > 0)
        gs_frame_set_real(f, row, M_HOT,
                          100.0 * (double)use->n_hot / (double)use->of[GS_LOG_TEMP].n);
    if (o->iterations > 0 && r->n > 0) {
        if (r->runtime_s > 0)
            gs_frame_set_real(f, row, M_THROUGHPUT, (double)o->iterations / r->runtime_s);
        gs_frame_set_real(f, row, M_ENERGY_ITEM, r->energy_j / (double)o->iterations);
    }
}

enum gs_status gs_power_metrics(const struct gs_log_table *logs, size_t n_logs,
                                const struct gs_power_use *use,
                                const struct gs_power_result *result,
                                const struct gs_power_options *o, struct gs_arena *arena,
                                struct gs_frames *out, struct gs_err *err)
{
    struct gs_frame *f;
    const enum gs_status s =
        gs_frame_new(arena, "power-metrics", "The five metrics of a run, per GPU", metric_columns,
                     M_COLUMNS, count_rows(logs, n_logs), out, &f, err);
    if (s != GS_OK)
        return s;
    size_t row = 0;
    for (size_t l = 0; l < n_logs; l++)
        for (size_t g = 0; g < logs[l].n_logs; g++, row++) {
            struct gs_str label;
            if (!gs_power_label(&logs[l], &logs[l].log[g], n_logs, arena, &label))
                return gs_fail_memory(err);
            gs_frame_set_text(f, row, M_GPU, label);
            fill_metrics(f, row, &logs[l].log[g], &use[row], &result[row], o);
        }
    return GS_OK;
}
