/* power_frames.c - an evaluated power log as frames: readings, metrics. */
#include "analysis/power/power.h"

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
    [R_GPU] = {"gpu", "GPU", "", GS_TYPE_TEXT, 0, "name of the GPU", false},
    [R_TIME] = {"timestamp", "time", "", GS_TYPE_TIME, 0, "time of the reading", false},
    [R_T] = {"t_s", "time from start", "s", GS_TYPE_REAL, 3,
             "time since the first reading of this GPU", false},
    [R_POWER] = {"power_w", "power", "W", GS_TYPE_REAL, 2, "the reading", false},
    [R_STANDING] = {"standing", "reading", "", GS_TYPE_TEXT, 0,
                    "kept where |W - mean| < 3 sd, else beyond 3 sigma", false},
    [R_UTIL] = {"gpu_util_pct", "GPU utilisation", "%", GS_TYPE_REAL, 0, "from the log", false},
    [R_MEM_UTIL] = {"mem_util_pct", "memory utilisation", "%", GS_TYPE_REAL, 0, "from the log",
                    false},
    [R_MEMORY] = {"memory_used_mib", "memory used", "MiB", GS_TYPE_REAL, 0, "from the log", false},
    [R_TEMP] = {"temp_c", "temperature", "°C", GS_TYPE_REAL, 0, "from the log", false},
    [R_CLOCK] = {"clock_mhz", "clock", "MHz", GS_TYPE_REAL, 0, "from the log", false},
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
    [M_GPU] = {"gpu", "GPU", "", GS_TYPE_TEXT, 0, "name of the GPU", false},
    [M_READINGS] = {"readings", "readings", "", GS_TYPE_INT, 0,
                    "rows with a readable time and power", false},
    [M_DROPPED_PCT] = {"dropped_pct", "dropped", "%", GS_TYPE_REAL, 2,
                       "dropped rows as a share of all rows of this GPU", false},
    [M_START] = {"start", "start", "", GS_TYPE_TIME, 0, "first reading", false},
    [M_STOP] = {"stop", "stop", "", GS_TYPE_TIME, 0, "last reading", false},
    [M_TIME] = {"time_to_solution_s", "time to solution", "s", GS_TYPE_REAL, 3,
                "--runtime, or the time from the first reading to the last", false},
    [M_UTIL] = {"gpu_util_mean_pct", "GPU utilisation", "%", GS_TYPE_REAL, 1,
                "mean over the readings", false},
    [M_MEM_UTIL] = {"mem_util_mean_pct", "memory utilisation", "%", GS_TYPE_REAL, 1,
                    "mean over the readings", false},
    [M_MEMORY_MEAN] = {"memory_used_mean_mib", "memory used", "MiB", GS_TYPE_REAL, 0,
                       "mean over the readings", false},
    [M_MEMORY_MAX] = {"memory_used_max_mib", "most used", "MiB", GS_TYPE_REAL, 0,
                      "greatest reading", false},
    [M_MEMORY_FREE] = {"memory_free_min_mib", "least free", "MiB", GS_TYPE_REAL, 0,
                       "least of memory in all less memory used", false},
    [M_POWER_MEAN] = {"power_mean_w", "mean power", "W", GS_TYPE_REAL, 2, "mean over the readings",
                      false},
    [M_POWER_MAX] = {"power_max_w", "greatest power", "W", GS_TYPE_REAL, 2, "greatest reading",
                     false},
    [M_TEMP_MEAN] = {"temp_mean_c", "mean temperature", "°C", GS_TYPE_REAL, 1,
                     "mean over the readings", false},
    [M_TEMP_MAX] = {"temp_max_c", "greatest temperature", "°C", GS_TYPE_REAL, 0, "greatest reading",
                    false},
    [M_HOT] = {"hot_pct", "hot", "%", GS_TYPE_REAL, 1, "share of readings at or above --hot",
               false},
    [M_CLOCK] = {"clock_mean_mhz", "clock", "MHz", GS_TYPE_REAL, 0, "mean over the readings",
                 false},
    [M_THROUGHPUT] = {"throughput_per_s", "throughput", "1/s", GS_TYPE_REAL, 2,
                      "--iterations divided by the time to solution", false},
    [M_ENERGY_ITEM] = {"energy_per_item_j", "energy per item", "J", GS_TYPE_REAL, 6,
                       "energy (filtered mean times run time) divided by --iterations", false},
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
