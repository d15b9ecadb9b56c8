/* schedule_frame.c - the schedule as rows, per job and per worker. */
#include <math.h>

#include "base/num/timestamp.h"
#include "base/num/dd.h"
#include "stats/descriptive/quantile.h"
#include "analysis/schedule/schedule_sums.h"
#include "data/result/number_text.h"

/* clang-format off */
#define WASTE_COLUMNS(what)                                                                                             \
    GS_COL(GAP_ENERGY_J, .how = "what " what " drew in the gaps between tasks, by their sensors"),                                          \
    GS_COL(ENERGY_LOW_J, .how = "lower end of the 95 % interval of gap_energy_j: " GS_ENERGY_INTERVAL_HOW), \
    GS_COL(ENERGY_HIGH_J)

#define TAIL_COLUMNS(what, of)                                                                                          \
    GS_COL(TAIL_ENERGY_J, .how = "what " what " drew from their worker's last STOP to the last of the run, by their sensors" of),            \
    GS_COL(TAIL_ENERGY_LOW_J),                                                                                                            \
    GS_COL(TAIL_ENERGY_HIGH_J),                          \
    GS_COL(TAIL_COVERAGE_PCT),                    \
    GS_COL(GAP_COVERAGE_PCT)

static const struct gs_column_spec job_columns[] = {
    GS_COL(JOB_ID, .missing = "all jobs", .empty = "no job", .how = "job of the events; missing: all jobs together"),
    GS_COL(TASKS, .how = "pairs of --event whose STOP is not before their START"),
    GS_COL(WORKERS),
    GS_COL(GPUS, .how = "GPUs of the workers; 1 for a host without samples"),
    GS_COL(FIRST_START),
    GS_COL(LAST_STOP),
    GS_COL(MAKESPAN_S),
    GS_COL(TASKS_PER_S, .how = "tasks over makespan_s"),
    GS_COL(TASKS_PER_WORKER_MIN),
    GS_COL(TASKS_PER_WORKER_P50),
    GS_COL(TASKS_PER_WORKER_MAX),
    GS_COL(BUSY_PCT),
    GS_COL(GAPS),
    GS_COL(GAP_P50_S),
    GS_COL(GAP_P95_S),
    GS_COL(GAP_MAX_S),
    GS_COL(GAP_LOST_GPU_H),
    GS_COL(TAIL_S),
    GS_COL(TAIL_LOST_GPU_H),
    WASTE_COLUMNS("the workers' GPUs"),
    TAIL_COLUMNS("the workers' GPUs", "; missing for a job whose tail is not the run's, because others run in it"),
};
/* clang-format on */

static const struct gs_column_spec worker_columns[] = {
    GS_COL(HOSTNAME, .how = "host of the events"),
    GS_COL(GPU_UUID, .how = "the GPU that the events name, or the host's only one; missing: a "
                            "host with several or none"),
    GS_COL(GPUS, .how = "GPUs of the worker; 1 for a host without samples"),
    GS_COL(TASKS, .how = "pairs of --event on the worker"),
    GS_COL(FIRST_START),
    GS_COL(LAST_STOP),
    GS_COL(BUSY_S),
    GS_COL(BUSY_PCT, .how = "busy_s over the makespan of the run"),
    GS_COL(GAP_SUM_S),
    GS_COL(GAP_P50_S, .how = "median gap between a task and the next (type 7)"),
    GS_COL(GAP_MAX_S),
    GS_COL(LEAD_S),
    GS_COL(TAIL_S, .how = "from the worker's last STOP to the last of the run"),
    WASTE_COLUMNS("the worker's GPUs"),
    TAIL_COLUMNS("the worker's GPUs", ""),
};

static double seconds(int64_t from, int64_t to)
{
    return gs_ratio((gs_i128)to - from, GS_NS_PER_S);
}

static double busy_pct(const struct gs_job_sum *j)
{
    const struct gs_dd span = gs_dd_of_int((gs_i128)j->last_ns - j->first_ns);
    const struct gs_dd room = gs_dd_mul(span, gs_dd_of((double)j->n_workers));
    return gs_dd_to_double(gs_dd_div(gs_dd_mul(gs_dd_of_int(j->busy_ns), gs_dd_of(100.0)), room));
}

static gs_i128 tail_lost(const struct gs_job_sum *j)
{
    return (gs_i128)j->last_ns * (gs_i128)j->n_gpus - j->gpu_ends_ns;
}

/* GPU-hours of GPU-nanoseconds. */
static double gpu_hours(gs_i128 ns)
{
    return gs_ratio(ns, 3600 * GS_NS_PER_S);
}

/* What the gaps between tasks used, and the tail (NULL: not known), and how much of both times, times GPUs, has a power. */
static void fill_waste(struct gs_frame *f, size_t row, const struct gs_energy_sum *gaps,
                       gs_i128 gap_ns, const struct gs_energy_sum *tail, gs_i128 tail_ns)
{
    double low, high;
    if (gaps->n > 0) {
        gs_energy_interval(gaps, &low, &high);
        GS_PUT(f, row, GS_REAL(GAP_ENERGY_J, gs_energy_j(gaps->energy)), GS_REAL(ENERGY_LOW_J, low),
               GS_REAL(ENERGY_HIGH_J, high));
    }
    if (gap_ns > 0)
        GS_PUT(f, row, GS_REAL(GAP_COVERAGE_PCT, gs_energy_coverage_pct(gaps, gap_ns)));
    if (tail != NULL && tail->n > 0) {
        gs_energy_interval(tail, &low, &high);
        GS_PUT(f, row, GS_REAL(TAIL_ENERGY_J, gs_energy_j(tail->energy)),
               GS_REAL(TAIL_ENERGY_LOW_J, low), GS_REAL(TAIL_ENERGY_HIGH_J, high));
    }
    if (tail != NULL && tail_ns > 0)
        GS_PUT(f, row, GS_REAL(TAIL_COVERAGE_PCT, gs_energy_coverage_pct(tail, tail_ns)));
}

static void fill_job(struct gs_frame *f, size_t row, const struct gs_job_sum *j,
                     const struct gs_energy_sum *tail, int64_t *tasks, int64_t *gaps)
{
    const size_t n_tasks = (size_t)j->tasks.n, n_gaps = (size_t)j->gaps.n;
    static const struct gs_prob per_worker[] = {{0, 1}, {1, 2}, {1, 1}},
                                gap[] = {{1, 2}, {95, 100}, {1, 1}};
    double q[3];
    GS_PUT(f, row, GS_INT(TASKS, (int64_t)j->n_tasks), GS_INT(WORKERS, (int64_t)j->n_workers),
           GS_INT(GPUS, (int64_t)j->n_gpus), GS_INT(GAPS, (int64_t)n_gaps));
    if (j->n_workers == 0)
        return;
    GS_PUT(f, row, GS_INT(FIRST_START, j->first_ns), GS_INT(LAST_STOP, j->last_ns),
           GS_REAL(MAKESPAN_S, seconds(j->first_ns, j->last_ns)));
    if (j->last_ns > j->first_ns) {
        const gs_i128 span_ns = (gs_i128)j->last_ns - j->first_ns;
        GS_PUT(f, row, GS_REAL(TASKS_PER_S, gs_ratio((gs_i128)j->n_tasks * GS_NS_PER_S, span_ns)),
               GS_REAL(BUSY_PCT, busy_pct(j)));
    }
    if (gs_quantiles(tasks, n_tasks, per_worker, 3, 1, q, NULL) == GS_OK)
        GS_PUT(f, row, GS_REAL(TASKS_PER_WORKER_MIN, q[0]), GS_REAL(TASKS_PER_WORKER_P50, q[1]),
               GS_REAL(TASKS_PER_WORKER_MAX, q[2]));
    if (gs_quantiles(gaps, n_gaps, gap, 3, GS_NS_PER_S, q, NULL) == GS_OK)
        GS_PUT(f, row, GS_REAL(GAP_P50_S, q[0]), GS_REAL(GAP_P95_S, q[1]),
               GS_REAL(GAP_MAX_S, q[2]));
    GS_PUT(f, row, GS_REAL(GAP_LOST_GPU_H, gpu_hours(j->gpu_gap_ns)),
           GS_REAL(TAIL_S, seconds(j->first_idle_ns, j->last_ns)),
           GS_REAL(TAIL_LOST_GPU_H, gpu_hours(tail_lost(j))));
    fill_waste(f, row, &j->waste, j->gpu_gap_ns, tail, tail_lost(j));
}

/* Is a job's tail that of the run? No worker's last STOP in it is behind the worker's own, so that sums tell. */
static bool same_tail(const struct gs_job_sum *j, const struct gs_job_sum *run)
{
    return j->n_gpus == run->n_gpus && j->last_ns == run->last_ns &&
           j->gpu_ends_ns == run->gpu_ends_ns;
}

/* Is the power known for nearly all of a time? */
static bool is_known(gs_i128 time_ns, gs_i128 lost_ns)
{
    return time_ns > 0 && 100 * time_ns >= 99 * lost_ns;
}

static const char *title_of(const char *noun, const struct gs_job_sum *j,
                            const struct gs_energy_sum *tail, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    if (j->n_workers == 0)
        return gs_format(arena, "Nothing to compare; --event NAME takes %ss of one name", noun);
    gs_buf_format(&b, "%s in %s on %s", gs_counted_text(&b, j->n_tasks, noun),
                  gs_time_text(&b, seconds(j->first_ns, j->last_ns)),
                  gs_counted_text(&b, j->n_workers, "worker"));
    if (j->last_ns > j->first_ns)
        gs_buf_format(&b, ", busy %s %%", gs_real_text(&b, busy_pct(j), 1));
    if (j->n_workers > 1 && j->last_ns > j->first_ns) {
        gs_buf_format(&b, ". Tail of %s after the first worker's last %s: %s of GPU time idle",
                      gs_time_text(&b, seconds(j->first_idle_ns, j->last_ns)), noun,
                      gs_time_text(&b, 3600 * gpu_hours(tail_lost(j))));
        if (is_known(tail->time_ns, tail_lost(j)))
            gs_buf_format(&b, ", %s", gs_energy_text(&b, gs_energy_j(tail->energy)));
    }
    return gs_buf_whole(&b);
}

static enum gs_status set_job(struct gs_frame *f, size_t row, struct gs_str name,
                              const struct gs_job_sum *sum, const struct gs_energy_sum *tail,
                              struct gs_arena *own, struct gs_err *err)
{
    GS_REWINDS(own);
    int64_t *gaps, *tasks;
    GS_TRY(gs_values_array(&sum->gaps, own, &gaps, err));
    GS_TRY(gs_values_array(&sum->tasks, own, &tasks, err));
    GS_PUT(f, row, GS_TEXT(JOB_ID, name));
    fill_job(f, row, sum, tail, tasks, gaps);
    return GS_OK;
}

/* All jobs together come last, though their key is the first. */
static enum gs_status job_frame(const struct gs_finish *of, const struct gs_job_sum *run,
                                const struct gs_energy_sum *tail, const char *title,
                                struct gs_frames *out, struct gs_frame **f, struct gs_err *err)
{
    const struct gs_records *const jobs = &of->state->table[GS_SCHEDULE_JOBS];
    GS_OWN struct gs_arena own = {0};
    size_t n_rows = run->n_workers > 0, row = 0;
    for (uint32_t j = 1; j < jobs->n; j++)
        n_rows += ((const struct gs_job_sum *)gs_records_at(jobs, j))->n_workers > 0;
    GS_TRY(gs_frame_new(of->arena, GS_HEAD("schedule", title, GS_COLUMNS(job_columns)), n_rows, out,
                        f, err));
    for (uint32_t j = 1; j < jobs->n; j++) {
        const struct gs_job_sum *const sum = gs_records_at(jobs, j);
        if (sum->n_workers > 0)
            GS_TRY(set_job(*f, row++, gs_records_key(jobs, j, 1)->text, sum,
                           same_tail(sum, run) ? tail : NULL, &own, err));
    }
    if (run->n_workers == 0)
        return GS_OK;
    return set_job(*f, row, (struct gs_str){0}, run, tail, &own, err);
}

static void fill_worker(struct gs_frame *f, size_t i, const union gs_key *key,
                        const struct gs_worker_row *w, const struct gs_energy_sum *tail,
                        const struct gs_job_sum *run)
{
    GS_PUT(f, i, GS_TEXT(HOSTNAME, key[GS_WORKER_HOST].text),
           GS_TEXT(GPU_UUID, key[GS_WORKER_UUID].text), GS_INT(GPUS, (int64_t)w->n_gpus),
           GS_INT(TASKS, (int64_t)w->n_tasks), GS_INT(FIRST_START, w->first_ns),
           GS_INT(LAST_STOP, w->last_ns), GS_REAL(BUSY_S, gs_ratio(w->busy_ns, GS_NS_PER_S)),
           GS_REAL(GAP_SUM_S, gs_ratio(w->gap_ns, GS_NS_PER_S)),
           GS_REAL(LEAD_S, seconds(run->first_ns, w->first_ns)),
           GS_REAL(TAIL_S, seconds(w->last_ns, run->last_ns)));
    if (run->last_ns > run->first_ns)
        GS_PUT(
            f, i,
            GS_REAL(BUSY_PCT, gs_ratio(100 * w->busy_ns, (gs_i128)run->last_ns - run->first_ns)));
    if (w->gap_max_ns != GS_MISSING) {
        int64_t middle[] = {w->gap_low_ns, w->gap_high_ns};
        double median = NAN;
        (void)gs_quantiles(middle, 2, &GS_PROB_MEDIAN, 1, GS_NS_PER_S, &median, NULL);
        GS_PUT(f, i, GS_REAL(GAP_P50_S, median),
               GS_REAL(GAP_MAX_S, gs_ratio(w->gap_max_ns, GS_NS_PER_S)));
    }
    /* The gaps wrap: what a state claims may be anything. */
    fill_waste(f, i, &w->waste, (gs_i128)((gs_u128)w->gap_ns * w->n_gpus), tail,
               ((gs_i128)run->last_ns - w->last_ns) * (gs_i128)w->n_gpus);
}

static enum gs_status worker_frame(const struct gs_finish *of, const struct gs_energy_sum *tail,
                                   const struct gs_job_sum *run, const char *title,
                                   struct gs_frames *out, struct gs_frame **f, struct gs_err *err)
{
    const struct gs_records *const workers = &of->state->table[GS_SCHEDULE_WORKERS];
    GS_TRY(gs_frame_new(of->arena, GS_HEAD("schedule-workers", title, GS_COLUMNS(worker_columns)),
                        workers->n, out, f, err));
    for (uint32_t i = 0; i < workers->n; i++)
        fill_worker(*f, i, gs_records_key(workers, i, GS_N_WORKER_KEYS), gs_records_at(workers, i),
                    &tail[i], run);
    return GS_OK;
}

/* What each worker's GPUs drew in the tail: tail[workers->n]; and all together. Both tables are in order of the worker. */
static enum gs_status add_tails(const struct gs_state *state, int64_t last_ns,
                                struct gs_energy_sum *tail, struct gs_energy_sum *all,
                                struct gs_err *err)
{
    const struct gs_records *const workers = &state->table[GS_SCHEDULE_WORKERS];
    const struct gs_records *const tails = &state->table[GS_SCHEDULE_TAILS];
    enum gs_status s = GS_OK;
    uint32_t at = 0;
    for (uint32_t i = 0; s == GS_OK && i < workers->n; i++) {
        const union gs_key *const own = gs_records_key(workers, i, GS_N_WORKER_KEYS);
        int order = -1;
        for (; s == GS_OK && at < tails->n; at += order <= 0) {
            const struct gs_tail_row *const row = gs_records_at(tails, at);
            order = gs_keys_compare("titt", gs_records_key(tails, at, GS_N_TAIL_KEYS), own);
            if (order > 0)
                break;
            if (order == 0)
                s = gs_tail_add(row->packed,
                                ((const struct gs_worker_row *)gs_records_at(workers, i))->last_ns,
                                last_ns, &tail[i], err);
        }
        gs_energy_sum_merge(all, &tail[i]);
    }
    return s;
}

/* Where the power is not known for all of the time that was lost. */
static void note_coverage(const struct gs_job_sum *run, const struct gs_energy_sum *tail,
                          struct gs_notes *notes)
{
    const struct {
        const char *what, *column;
        gs_i128 time_ns, lost_ns;
    } part[] = {{"gaps between tasks", "gap_energy_j", run->waste.time_ns, run->gpu_gap_ns},
                {"tail", "tail_energy_j", tail->time_ns, tail_lost(run)}};
    for (size_t k = 0; run->n_workers > 0 && k < 2; k++)
        if (part[k].time_ns > 0 && !is_known(part[k].time_ns, part[k].lost_ns))
            gs_note(notes, GS_NOTE_WARNING, "samples cover %.1f %% of the %s: %s is of that",
                    gs_ratio(100 * part[k].time_ns, part[k].lost_ns), part[k].what, part[k].column);
}

/* The record of all jobs together, which is the first where any pair was added. */
static const struct gs_job_sum *all_jobs(const struct gs_records *jobs)
{
    static const struct gs_job_sum none = {
        .first_ns = GS_MISSING, .last_ns = GS_MISSING, .first_idle_ns = GS_MISSING};
    if (jobs->n > 0 && gs_records_key(jobs, 0, 1)->text.ptr == NULL)
        return gs_records_at(jobs, 0);
    return &none;
}

enum gs_status gs_schedule_finish(const struct gs_finish *of, struct gs_frames *out,
                                  struct gs_err *err)
{
    const struct gs_schedule_options *const o = of->options;
    const bool by_worker = o->by_worker != 0;
    const struct gs_job_sum *const run = all_jobs(&of->state->table[GS_SCHEDULE_JOBS]);
    GS_OWN struct gs_arena own = {0};
    struct gs_schedule_frames f = {0};
    const struct gs_records *const workers = &of->state->table[GS_SCHEDULE_WORKERS];
    struct gs_energy_sum *const tail = gs_arena_take(&own, workers->n, sizeof *tail), all = {0};
    GS_TRY(gs_had_memory(tail != NULL, err));
    GS_TRY(add_tails(of->state, run->last_ns, tail, &all, err));
    const char *const title = title_of(gs_frames_noun(out), run, &all, of->arena);
    GS_TRY(gs_had_memory(title != NULL, err));
    GS_TRY(job_frame(of, run, &all, title, by_worker ? NULL : out, &f.jobs, err));
    GS_TRY(worker_frame(of, tail, run, title, by_worker ? out : NULL, &f.workers, err));
    if (o->spans && of->also != NULL)
        GS_TRY(gs_schedule_busy(&of->state->table[GS_SCHEDULE_WORKERS], run->first_ns, run->last_ns,
                                of->arena, &f.busy, err));
    gs_view_notes(&of->facts->totals, of->facts->duplicates, &out->notes);
    if (run->n_workers > 0)
        gs_note(&out->notes, GS_NOTE_INFO, "%s", title);
    note_coverage(run, &all, &out->notes);
    gs_energy_sum_merge(&all, &run->waste);
    gs_energy_width_note(&all, &of->facts->totals.sensors, &out->notes);
    if (of->also != NULL)
        *(struct gs_schedule_frames *)of->also = f;
    return GS_OK;
}
