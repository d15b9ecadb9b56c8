/* cmd_power.c - gpustat power: what a power log says about each GPU. */
#include <errno.h>
#include <math.h>
#include <sys/stat.h>

#include "app/options/dataset_opts.h"
#include "app/charts/power_figures.h"
#include "analysis/power_logs/power_calibrate.h"
#include "app/passes/memory_bound.h"
#include "app/passes/power_load.h"
#include "analysis/power_logs/power_phases.h"
#include "base/core/intern.h"
#include "input/import/spans_csv.h"

struct power_opts {
    struct gs_run_opts run;
    int64_t interval_ns;
    double runtime_s, runtime_sd_s;
    uint64_t iterations;
    int error;
    double hot_c;
    const char *windows, *load;
    int64_t shift_ns; /* GS_SHIFT_UNSET, GS_SHIFT_WORD: auto */
    uint64_t n_gpus;
    const char *calibrate;
    uint64_t max_memory;
    bool bursts, phases, points, metrics;
};

static const struct power_opts defaults = {.runtime_s = (double)NAN,
                                           .runtime_sd_s = (double)NAN,
                                           .hot_c = 80.0,
                                           .shift_ns = GS_SHIFT_UNSET};

static const char *const shift_words[] = {"auto", NULL};
static const char *const error_words[] = {"study", "full", NULL};

static const struct gs_opt opts[] = {
    {.kind = GS_OPT_GROUP, .help = "input"},
    GS_OPTS_LOG,
    {.kind = GS_OPT_GROUP, .help = "the log"},
    {0, "interval", GS_OPT_DURATION, offsetof(struct power_opts, interval_ns), .arg = "TIME",
     .min = 1, .help = "time between the rows of one GPU in a log without times",
     .unset = "such a log has no times"},
    {0, "gpus", GS_OPT_COUNT, offsetof(struct power_opts, n_gpus), .arg = "N", .min = 1,
     .max = 4096,
     .help = "the rows of a log without GPU column are those of N GPUs in turn; 1: of one"},
    {.kind = GS_OPT_GROUP, .help = "run time and cost"},
    {0, "runtime", GS_OPT_REAL, offsetof(struct power_opts, runtime_s), .arg = "S", .real_min = 0,
     .real_max = 1e12, .above_min = true, .help = "run time in seconds, as measured",
     .unset = "first reading to last"},
    {0, "runtime-sd", GS_OPT_REAL, offsetof(struct power_opts, runtime_sd_s), .arg = "S",
     .real_min = 0, .real_max = 1e12, .help = "its standard deviation"},
    {'N', "iterations", GS_OPT_COUNT, offsetof(struct power_opts, iterations), .arg = "N", .min = 1,
     .max = UINT64_C(1000000000000000),
     .help = "iterations (work items) of the run: adds time and energy of one"},
    {0, "error", GS_OPT_CHOICE, offsetof(struct power_opts, error), .choices = error_words,
     .help = "energy_sd_j, the spread of power times run time: the study's formula, or with the "
             "run time's own sd"},
    {.kind = GS_OPT_GROUP, .help = "what is shown"},
    {0, "windows", GS_OPT_FILE, offsetof(struct power_opts, windows), .arg = "CSV",
     .help = "one row per stretch of time in this table: start and stop columns, START and STOP "
             "events, or instants that start and stop in turn"},
    {0, "load", GS_OPT_FILE, offsetof(struct power_opts, load), .arg = "CSV",
     .help = "a table like that of --windows of what ran, where the windows are others: repeated "
             "stretches in it show what the sensor misses",
     .unset = "the windows themselves"},
    {0, "shift", GS_OPT_SHIFT, offsetof(struct power_opts, shift_ns), .arg = "TIME|auto",
     .choices = shift_words,
     .help = "what to add to the windows' times; auto finds it from the utilisation", .unset = "0"},
    {0, "bursts", GS_OPT_FLAG, offsetof(struct power_opts, bursts),
     .help = "with --windows: the energy of repeated windows too short for the sensor, from a fit "
             "to all of them"},
    {0, "phases", GS_OPT_FLAG, offsetof(struct power_opts, phases),
     .help = "one row per idle or active phase, as the power splits in two"},
    {0, "calibrate", GS_OPT_FILE, offsetof(struct power_opts, calibrate), .arg = "METER.csv",
     .help = "the sensor's window, delay, gain and offset against the log of an external meter, as "
             "an argument of --sensor"},
    {0, "points", GS_OPT_FLAG, offsetof(struct power_opts, points),
     .help = "one row per reading, with its standing in the filter"},
    {0, "metrics", GS_OPT_FLAG, offsetof(struct power_opts, metrics),
     .help = "utilisation, memory, power, temperature, time to solution, throughput"},
    {0, "hot", GS_OPT_REAL, offsetof(struct power_opts, hot_c), .arg = "C", .real_min = -273,
     .real_max = 1000, .help = "with --metrics: a reading at or above this is hot"},
    {.kind = GS_OPT_GROUP, .help = "logs of any size"},
    {0, "max-memory", GS_OPT_SIZE, offsetof(struct power_opts, max_memory), .arg = "SIZE",
     .min = GS_MEMORY_IN_FILE_FROM, .apart = true, .unset = "what the logs take",
     .help = "stay below it: what does not fit waits in a file in TMPDIR"},
    {0},
};

static enum gs_status find_shift(const struct gs_power_gpus *gpus, const struct gs_span_list *spans,
                                 int64_t *shift_ns, struct gs_notes *notes, struct gs_err *err)
{
    struct gs_power_shift found;
    struct gs_err own = {0};
    const enum gs_status s = gs_power_find_shift(gpus, spans, &found, &own);
    if (s != GS_OK)
        return gs_fail(err, s == GS_ERR_RANGE ? GS_ERR_DATA : s, "--shift auto: %s", own.text);
    const double seconds = (double)found.shift_ns / (double)GS_NS_PER_S, quarter = 900.0;
    const double near = quarter * nearbyint(seconds / quarter);
    gs_note(notes, GS_NOTE_INFO,
            "windows shifted by %.3f s: there their correlation with %s is greatest, r = %.3f",
            seconds, found.matched == GS_LOG_POWER ? "power" : "GPU utilisation", found.r);
    if (near != 0 && fabs(seconds - near) < 2.0)
        gs_note(
            notes, GS_NOTE_INFO,
            "that is close to %g h, as between two time zones: --shift %gm would take just that",
            near / 3600.0, near / 60.0);
    if (found.r < 0.5)
        gs_note(notes, GS_NOTE_WARNING,
                "--shift auto: a correlation of %.2f is weak; check the shift", found.r);
    *shift_ns = found.shift_ns;
    return GS_OK;
}

static enum gs_status run_windows(const struct power_opts *o, const struct gs_power_gpus *given,
                                  const struct gs_context *context, struct gs_frames *out,
                                  struct gs_err *err)
{
    struct gs_span_list spans, load;
    struct gs_power_options options = *given->options;
    const struct gs_power_gpus gpus = {given->gpu, given->n, given->n_logs, &options};
    int64_t shift_ns = o->shift_ns == GS_SHIFT_UNSET ? 0 : o->shift_ns;
    enum gs_status s =
        gs_spans_read(o->windows, &o->run.dataset.zone, context->arena, &out->notes, &spans, err);
    if (s == GS_OK && o->load != NULL) {
        s = gs_spans_read(o->load, &o->run.dataset.zone, context->arena, &out->notes, &load, err);
        options.load = &load;
    }
    if (s == GS_OK && o->shift_ns == GS_SHIFT_WORD)
        s = find_shift(&gpus, &spans, &shift_ns, &out->notes, err);
    GS_THEN(s, gs_power_windows(&gpus, &spans, shift_ns, context->arena, out, err));
    if (s == GS_OK)
        out->last->plot = &gs_power_windows_plot;
    return s;
}

/*
 * Options that ask for other things than each other, or need another beside them. Before any
 * file is read: a combination that makes no sense is reported at once and not after minutes.
 */
static enum gs_status check_options(const struct power_opts *o, struct gs_err *err)
{
    const bool windows = o->windows != NULL, calibrates = o->calibrate != NULL;
    const int n_parts = windows + calibrates + o->phases + o->points + o->metrics;
    const struct {
        bool wrong;
        const char *why;
    } rules[] = {
        {n_parts > 1,
         "--windows, --phases, --calibrate, --points and --metrics exclude each other"},
        {o->shift_ns != GS_SHIFT_UNSET && !windows && !calibrates,
         "--shift moves windows: give them with --windows"},
        {calibrates && o->shift_ns == GS_SHIFT_WORD,
         "--shift auto finds the clock of windows; a meter's must be given"},
        {o->load != NULL && !windows, "--load stands beside windows: give them with --windows"},
        {o->bursts && !windows, "--bursts is about windows: give them with --windows"},
        {o->error == GS_POWER_ERROR_FULL && isnan(o->runtime_sd_s),
         "--error full needs the run time's standard deviation: --runtime-sd"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].wrong)
            return gs_fail(err, GS_ERR_USAGE, "%s", rules[i].why);
    return GS_OK;
}

/* A meter's log beside the card's, its times moved by --shift. */
static enum gs_status run_calibration(const struct power_opts *o, const struct gs_power_gpus *gpus,
                                      const struct gs_context *context, struct gs_frames *out,
                                      struct gs_err *err)
{
    const struct gs_power_loading loading = {.options.zone = o->run.dataset.zone,
                                             .gives_zone = gs_gives(context, "tz"),
                                             .n_gpus = 1,
                                             .claims = context->claims,
                                             .n_threads = context->n_threads,
                                             .seed = context->seed};
    const int64_t shift_ns = o->shift_ns == GS_SHIFT_UNSET ? 0 : o->shift_ns;
    struct gs_power_run reference;
    GS_TRY(gs_power_load(o->calibrate, &loading, context->arena, &out->notes, &reference, err));
    GS_TRY(gs_power_run_store(&reference, context->n_threads, context->arena, err));
    gs_power_run_note(&reference, &out->notes);
    return gs_power_calibrate(gpus, &reference.table, shift_ns, context->arena, out, err);
}

/*
 * The summary and the metrics: one look at each GPU, nothing of it kept but its row. The
 * readings of one GPU are dropped before the next, so the memory depends on the largest log of
 * a GPU and not on their number.
 */
static enum gs_status run_rows(const struct power_opts *o, struct gs_power_run *runs,
                               struct gs_power_gpus *gpus, const struct gs_context *context,
                               struct gs_frames *out, struct gs_err *err)
{
    const struct gs_power_gpu *of = gpus->gpu;
    size_t n_said = 0;
    GS_TRY(gs_power_visit(runs, gpus->n_logs,
                          o->metrics ? GS_POWER_LOOK_METRICS : GS_POWER_LOOK_SUMMARY,
                          context->n_threads, context->arena, gpus, err));
    for (size_t l = 0; l < gpus->n_logs; of += runs[l++].table.n_logs) {
        gs_power_run_note(&runs[l], &out->notes);
        if (!o->metrics)
            gs_power_meters_note(of, runs[l].table.n_logs, &n_said, &out->notes);
    }
    GS_TRY(gs_power_copies_note(gpus, &out->notes, err));
    if (o->metrics) {
        GS_TRY(gs_power_metrics(gpus, context->arena, out, err));
        return gs_power_draw_metrics(out->last, context->arena, err);
    }
    gs_power_meters_note_rest(gpus, n_said, &out->notes);
    return gs_power_summary(gpus, context->arena, out, err);
}

/* The readings of all logs, kept. */
static enum gs_status store_logs(struct gs_power_run *runs, size_t n_runs, bool noted,
                                 const struct gs_context *context, struct gs_frames *out,
                                 struct gs_err *err)
{
    for (size_t l = 0; l < n_runs; l++) {
        GS_TRY(gs_power_run_store(&runs[l], context->n_threads, context->arena, err));
        if (noted)
            gs_power_run_note(&runs[l], &out->notes);
    }
    return GS_OK;
}

/* What asks for the readings of all logs at once. */
static enum gs_status run_kept(const struct power_opts *o, struct gs_power_run *runs,
                               struct gs_power_gpus *gpus, const struct gs_context *context,
                               struct gs_frames *out, struct gs_err *err)
{
    struct gs_arena *const arena = context->arena;
    GS_TRY(store_logs(runs, gpus->n_logs, true, context, out, err));
    GS_TRY(gs_power_copies_note(gpus, &out->notes, err));
    if (o->points)
        GS_TRY(gs_power_evaluate_all(gpus, arena, err));
    else
        GS_TRY(gs_power_meters(gpus, arena, &out->notes, err));
    if (o->windows != NULL)
        return run_windows(o, gpus, context, out, err);
    if (o->calibrate != NULL)
        return run_calibration(o, gpus, context, out, err);
    GS_TRY(o->points ? gs_power_points(gpus, arena, out, err)
                     : gs_power_phases(gpus, arena, out, err));
    if (context->draws)
        GS_TRY(gs_power_draw_log(gpus, o->points ? out->last : NULL, arena, &out->last->plot, err));
    return GS_OK;
}

/*
 * Operands and --samples alike are logs; a map alone says which files its log has. A log with several names, such as a
 * link to the latest, is one: its energy would count again.
 */
static enum gs_status list_logs(struct gs_dataset_opts *o, struct gs_arena *arena,
                                struct gs_notes *notes, struct gs_err *err)
{
    const struct gs_list *const lists[] = {&o->dir, &o->gpu};
    struct gs_intern met = {.arena = arena};
    GS_NEW(const char *, log, o->dir.n + o->gpu.n + 1, arena, err);
    size_t n = 0;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->n; i++) {
            const char *const path = lists[k]->item[i];
            struct stat st;
            if (stat(path, &st) != 0) /* standard input, or its reader says why */
                st = (struct stat){.st_dev = n};
            const uint64_t key[] = {(uint64_t)st.st_dev, (uint64_t)st.st_ino};
            log[n] = path;
            const uint32_t id = gs_intern_add(&met, (struct gs_str){(const char *)key, sizeof key});
            GS_TRY(gs_had_memory(id != GS_INTERN_NONE, err));
            if (id < n)
                gs_note(notes, GS_NOTE_WARNING, "%s: is %s, given before: read once",
                        GS_SHOWN(gs_str(path), 200), GS_SHOWN(gs_str(log[id]), 200));
            else
                n++;
        }
    if (n == 0 && o->map != NULL)
        log[n++] = o->map;
    o->dir = (struct gs_list){log, n};
    return n > 0 ? GS_OK
                 : gs_fail(err, GS_ERR_USAGE, "power: needs a log: a file, a directory or --map");
}

/*
 * All logs; rows that are no rows go to the file of --rejects, whole or not there. The rejects
 * file is committed or abandoned on every path; s carries the failure through its closing.
 */
static enum gs_status load_logs(const struct power_opts *o, struct gs_power_loading *loading,
                                struct gs_arena *arena, struct gs_notes *notes,
                                struct gs_power_run *runs, struct gs_err *err)
{
    struct gs_load_options sink = {0};
    struct gs_rejects_file rejects = {0};
    enum gs_status s = gs_rejects_open(&rejects, o->run.dataset.rejects, &sink, err);
    loading->reject = sink.reject;
    loading->reject_context = sink.reject_context;
    for (size_t l = 0; s == GS_OK && l < o->run.dataset.dir.n; l++)
        s = gs_power_load(o->run.dataset.dir.item[l], loading, arena, notes, &runs[l], err);
    return gs_rejects_close(&rejects, s, err);
}

static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    struct power_opts own = *(const struct power_opts *)parsed;
    const struct power_opts *const o = &own;
    GS_TRY(list_logs(&own.run.dataset, context->arena, &out->notes, err));
    const size_t n_logs = o->run.dataset.dir.n;
    struct gs_power_loading loading = {.options = o->run.dataset,
                                       .gives_zone = gs_gives(context, "tz"),
                                       .n_gpus = o->n_gpus,
                                       .interval_ns = o->interval_ns,
                                       .claims = context->claims,
                                       .n_threads = context->n_threads,
                                       .seed = context->seed};
    const struct gs_sensor_spec *sensor = NULL;
    GS_TRY(check_options(o, err));
    GS_TRY(gs_sensor_opts_get(&o->run.dataset.sensor, context->arena, &sensor, err));
    const struct gs_power_options options = {.runtime_s = o->runtime_s,
                                             .runtime_sd_s = o->runtime_sd_s,
                                             .iterations = o->iterations,
                                             .error = (enum gs_power_error)o->error,
                                             .max_gap_ns = o->run.dataset.max_gap_ns,
                                             .hot_c = o->hot_c,
                                             .sensor = sensor,
                                             .card = gs_str(o->run.dataset.sensor.card),
                                             .bursts = o->bursts,
                                             .seed = context->seed};
    GS_NEW(struct gs_power_run, runs, n_logs, context->arena, err);
    struct gs_power_gpus gpus;
    GS_TRY(load_logs(o, &loading, context->arena, &out->notes, runs, err));
    GS_TRY(gs_power_gpus_of(runs, n_logs, &options, context->arena, &gpus, err));
    if (o->windows != NULL || o->phases || o->calibrate != NULL || o->points)
        return run_kept(o, runs, &gpus, context, out, err);
    enum gs_status s = run_rows(o, runs, &gpus, context, out, err);
    if (s != GS_OK || o->metrics || !context->draws)
        return s;
    s = store_logs(runs, n_logs, false, context, out, err);
    GS_THEN(s, gs_power_draw_summary(&gpus, out->last, context->arena, &out->last->plot, err));
    return s;
}

/* With a bound one thread works: see gs_memory_in_file. */
static enum gs_status run_bounded(const void *parsed, const struct gs_context *context,
                                  struct gs_frames *out, struct gs_err *err)
{
    const struct power_opts *const o = parsed;
    struct gs_context alone = *context;
    if (o->max_memory == 0)
        return run(parsed, context, out, err);
    errno = 0;
    if (!gs_memory_in_file(context->temp_dir, o->max_memory)) {
        if (errno == ENOMEM || errno == EAGAIN)
            return gs_fail_memory(err);
        return gs_fail(err, GS_ERR_IO,
                       "--max-memory: no file can be had in TMPDIR, or it is memory");
    }
    if (context->bound != NULL)
        context->bound->max = o->max_memory;
    alone.n_threads = 1;
    gs_memory_limit((size_t)gs_memory_room(o->max_memory)); /* of what is too small for the file */
    const enum gs_status s = run(parsed, &alone, out, err);
    gs_memory_limit(0);
    return s == GS_ERR_MEMORY ? gs_memory_in_file_failed(err) : s;
}

const struct gs_command gs_cmd_power = {
    GS_COMMAND(power, struct power_opts, opts, defaults),
    GS_OPERANDS("[LOG...]", struct gs_run_opts, dataset.dir, 0, SIZE_MAX),
    .summary = "power, energy with an interval and the sensor behind it, from a GPU power log",
    .run = run_bounded,
    .registered_columns = true,
    .no_figure = "a calibration is one row of numbers; readings are drawn where they have times, "
                 "up to 200,000 of at most 32 GPUs",
    .group = "power and prediction",
};
