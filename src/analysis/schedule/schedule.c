/* schedule.c - tasks of each worker in order, added up per job and for the whole run. */
#include "analysis/schedule/schedule_sums.h"

#include "stats/descriptive/quantile.h"
#include "analysis/timeline/counts.h"
#include "base/num/order.h"
#include "base/num/whole.h"

/*
 * Tasks must be sorted by START and n be at least 1. Overlapping tasks count once in busy_ns: a
 * worker with two tasks at a time is not twice as busy.
 */
struct gs_worker_sum gs_worker_add_up(const struct gs_task_time *task, size_t n, int64_t *gap)
{
    struct gs_worker_sum w = {
        .n_tasks = n, .first_ns = task[0].start_ns, .last_ns = task[0].stop_ns};
    w.busy_ns = (gs_i128)task[0].stop_ns - task[0].start_ns;
    for (size_t i = 1; i < n; i++) {
        const int64_t start = gs_max(task[i].start_ns, w.last_ns);
        gap[i - 1] = gs_max(gs_difference(task[i].start_ns, w.last_ns), 0);
        w.gap_ns += (gs_i128)start - w.last_ns;
        if (task[i].stop_ns > start)
            w.busy_ns += (gs_i128)task[i].stop_ns - start;
        if (task[i].stop_ns > w.last_ns)
            w.last_ns = task[i].stop_ns;
    }
    return w;
}

/* --- one host ----------------------------------------------------------------------------------------- */

/* qsort is not stable, so every field that a result depends on takes part in the order. */
GS_COMPARES(by_worker, struct gs_task_time, GS_BY(worker) GS_BY(start_ns) GS_BY(stop_ns));
GS_COMPARES(by_job, struct gs_task_time, GS_BY(job) GS_DIFFER(by_worker(x, y)););

/* n_workers == 0 marks a fresh record, in which 0 ns is not yet a time. */
static void add_to_job(struct gs_job_sum *j, const struct gs_worker_sum *w, uint32_t n_gpus)
{
    if (j->n_workers == 0 || w->first_ns < j->first_ns)
        j->first_ns = w->first_ns;
    if (j->n_workers == 0 || w->last_ns > j->last_ns)
        j->last_ns = w->last_ns;
    if (j->n_workers == 0 || w->last_ns < j->first_idle_ns)
        j->first_idle_ns = w->last_ns;
    j->n_workers++;
    j->n_tasks += w->n_tasks;
    j->n_gpus += n_gpus;
    j->busy_ns += w->busy_ns;
    j->gpu_gap_ns += w->gap_ns * n_gpus;
    j->gpu_ends_ns += (gs_i128)w->last_ns * n_gpus;
}

/* The GPU that the worker is, for its row: the one that was named, or the only one of its host. */
static struct gs_gpu gpu_shown(const struct gs_dataset *d, uint32_t host, uint32_t worker)
{
    const uint32_t gpu = gs_pair_gpu(d, host, &(struct gs_pair){.gpu = worker});
    if (gpu != GS_NONE)
        return d->gpu[gpu];
    if (worker >= GS_NO_GPU)
        return (struct gs_gpu){0};
    const uint32_t n_gpus = d->host_first_gpu[host + 1] - d->host_first_gpu[host];
    return (struct gs_gpu){.uuid = d->gpu_name.text[worker - n_gpus]};
}

static void key_of_worker(const struct gs_fold_host *host, uint32_t worker,
                          union gs_key key[GS_N_TAIL_KEYS])
{
    const struct gs_gpu gpu = gpu_shown(host->d, host->view->host, worker);
    key[GS_WORKER_HOST].text = host->d->host.text[host->view->host];
    key[GS_WORKER_IS_HOST].number = worker >= GS_NO_GPU;
    key[GS_WORKER_SERIAL].text = gpu.serial;
    key[GS_WORKER_UUID].text = gpu.uuid;
    key[GS_TAIL_GPU].number = 0;
}

/* NULL without memory. */
static struct gs_worker_row *add_worker(struct gs_state *state, const struct gs_fold_host *host,
                                        uint32_t worker, const struct gs_worker_sum *w,
                                        uint32_t n_gpus, int64_t *gap,
                                        const struct gs_energy_sum *waste)
{
    const size_t n = (size_t)w->n_tasks - 1;
    union gs_key key[GS_N_TAIL_KEYS];
    key_of_worker(host, worker, key);
    struct gs_worker_row *const row =
        gs_records_find(&state->table[GS_SCHEDULE_WORKERS], key, host->arena);
    if (row == NULL)
        return NULL;
    *row = (struct gs_worker_row){.n_gpus = n_gpus,
                                  .n_tasks = w->n_tasks,
                                  .n_gaps = n,
                                  .first_ns = w->first_ns,
                                  .last_ns = w->last_ns,
                                  .busy_ns = w->busy_ns,
                                  .gap_ns = w->gap_ns,
                                  .gap_low_ns = GS_MISSING,
                                  .gap_high_ns = GS_MISSING,
                                  .gap_max_ns = GS_MISSING,
                                  .waste = *waste};
    if (n == 0)
        return row;
    gs_select(gap, n, (n - 1) / 2);
    row->gap_low_ns = gap[(n - 1) / 2];
    gs_select(gap, n, n / 2);
    row->gap_high_ns = gap[n / 2];
    gs_select(gap, n, n - 1);
    row->gap_max_ns = gap[n - 1];
    return row;
}

/* The GPUs of a worker from its last STOP on; those that `run` uses. */
static enum gs_status store_tails(struct gs_state *state, const struct gs_fold_host *host,
                                  const struct gs_pair *run, int64_t last_ns,
                                  const struct gs_waste_gpu *gpus, struct gs_err *err)
{
    const struct gs_host_view *const h = host->view;
    union gs_key key[GS_N_TAIL_KEYS];
    enum gs_status s = GS_OK;
    key_of_worker(host, run->gpu, key);
    for (uint32_t g = 0; s == GS_OK && g < h->n_gpus; g++) {
        struct gs_str packed;
        if (h->gpu[g].n == 0 || !gs_pair_uses(h, run, g))
            continue;
        s = gs_tail_keep(gpus, g, last_ns, host->arena, host->scratch, &packed, err);
        if (s != GS_OK || packed.ptr == NULL)
            continue;
        key[GS_TAIL_GPU].number = g;
        struct gs_tail_row *const row =
            gs_records_find(&state->table[GS_SCHEDULE_TAILS], key, host->arena);
        GS_TRY(gs_had_memory(row != NULL, err));
        row->packed = packed;
    }
    return s;
}

/* Stretches in which at least one of the tasks ran. */
static enum gs_status store_spans(struct gs_worker_row *row, const struct gs_task_time *task,
                                  size_t n, struct gs_arena *arena, struct gs_err *err)
{
    int64_t from = task[0].start_ns, to = task[0].stop_ns;
    for (size_t i = 1; i <= n; i++) {
        if (i < n && task[i].start_ns <= to) {
            to = gs_max(task[i].stop_ns, to);
            continue;
        }
        GS_TRY(gs_values_add(&row->from, from, arena, err));
        GS_TRY(gs_values_add(&row->to, to, arena, err));
        if (i < n) {
            from = task[i].start_ns;
            to = task[i].stop_ns;
        }
    }
    return GS_OK;
}

struct plan {
    uint32_t event; /* of the tasks                     */
    bool spans;     /* of each worker are kept          */
};

/*
 * One run of tasks of one worker, of a job or, `job` 0, of all jobs together. Job 0 stands for
 * all jobs. Only there is a gap between two jobs a gap of the worker, and only there are tails
 * and spans kept.
 */
static enum gs_status add_run(struct gs_state *state, const struct gs_fold_host *host, size_t job,
                              const struct gs_task_time *task, size_t n,
                              const struct gs_waste_gpu *gpus, struct gs_err *err)
{
    const struct plan *const plan = state->plan;
    const struct gs_pair run = {.gpu = task[0].worker,
                                .job = job == 0 ? host->view->no_job : task[0].job};
    const uint32_t n_gpus = gs_pair_n_gpus(host->view, &run); /* that stand still when it does */
    struct gs_job_sum *const sum = gs_records_at(&state->table[GS_SCHEDULE_JOBS], job);
    GS_NEW_RAW(int64_t, gap, n, host->scratch, err);
    GS_NEW_RAW(int64_t, t, 2 * n, host->scratch, err);
    struct gs_energy_sum waste = {0};
    const struct gs_worker_sum w = gs_worker_add_up(task, n, gap);
    size_t n_open = 0;
    for (size_t i = 1; i < n; i++)
        if (gap[i - 1] > 0) {
            t[2 * n_open] = task[i].start_ns - gap[i - 1];
            t[2 * n_open++ + 1] = task[i].start_ns;
        }
    add_to_job(sum, &w, n_gpus);
    enum gs_status s = GS_OK;
    for (uint32_t g = 0; s == GS_OK && n_open > 0 && g < host->view->n_gpus; g++)
        if (host->view->gpu[g].n > 0 && gs_pair_uses(host->view, &run, g))
            s = gs_waste_add(gpus, g, t, n_open, host->scratch, &waste, err);
    gs_energy_sum_merge(&sum->waste, &waste);
    GS_THEN(s, gs_values_add(&sum->tasks, (int64_t)n, host->arena, err));
    for (size_t i = 0; s == GS_OK && i + 1 < n; i++)
        s = gs_values_add(&sum->gaps, gap[i], host->arena, err);
    if (s != GS_OK || job != 0)
        return s;
    struct gs_worker_row *const row = add_worker(state, host, run.gpu, &w, n_gpus, gap, &waste);
    GS_TRY(gs_had_memory(row != NULL, err));
    s = store_tails(state, host, &run, w.last_ns, gpus, err);
    if (s == GS_OK && plan->spans)
        s = store_spans(row, task, n, host->arena, err);
    return s;
}

/*
 * The tasks are walked twice, by worker and by job. A gap within a job is not the sum of the
 * gaps of its worker, so one walk cannot give both.
 */
static enum gs_status add_host(const void *options, struct gs_state *state,
                               struct gs_fold_host *host, struct gs_err *err)
{
    (void)options;
    const struct gs_host_view *const h = host->view;
    const uint32_t event = ((const struct plan *)state->plan)->event;
    GS_NEW_RAW(struct gs_task_time, task, h->n_pairs, host->scratch, err);
    size_t n = 0, from;
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        const struct gs_pair *const pair = &h->pair[p];
        if (gs_pair_is(host->d, pair, event))
            task[n++] = (struct gs_task_time){pair->start_ns, pair->stop_ns, pair->gpu, pair->job};
    }
    struct gs_waste_gpu *gpus;
    enum gs_status s = gs_waste_prepare(h, host->scratch, &gpus, err);
    GS_SORT(task, n, by_worker);
    from = 0;
    for (size_t i = 1; s == GS_OK && i <= n; i++)
        if (i == n || task[i].worker != task[from].worker) {
            s = add_run(state, host, 0, task + from, i - from, gpus, err);
            from = i;
        }
    GS_SORT(task, n, by_job);
    from = 0;
    for (size_t i = 1; s == GS_OK && i <= n; i++)
        if (i == n || task[i].worker != task[from].worker || task[i].job != task[from].job) {
            s = add_run(state, host, (size_t)task[from].job + 1, task + from, i - from, gpus, err);
            from = i;
        }
    return s;
}

/* --- the fold ----------------------------------------------------------------------------------------- */

static const struct gs_field job_fields[] = {
    {GS_FIELD_COUNT, offsetof(struct gs_job_sum, n_tasks)},
    {GS_FIELD_COUNT, offsetof(struct gs_job_sum, n_workers)},
    {GS_FIELD_COUNT, offsetof(struct gs_job_sum, n_gpus)},
    {GS_FIELD_LEAST, offsetof(struct gs_job_sum, first_ns)},
    {GS_FIELD_GREATEST, offsetof(struct gs_job_sum, last_ns)},
    {GS_FIELD_LEAST, offsetof(struct gs_job_sum, first_idle_ns)},
    {GS_FIELD_SUM, offsetof(struct gs_job_sum, busy_ns)},
    {GS_FIELD_SUM, offsetof(struct gs_job_sum, gpu_gap_ns)},
    {GS_FIELD_SUM, offsetof(struct gs_job_sum, gpu_ends_ns)},
    {GS_FIELD_VALUES, offsetof(struct gs_job_sum, gaps)},
    {GS_FIELD_VALUES, offsetof(struct gs_job_sum, tasks)},
    GS_ENERGY_SUM_FIELDS(struct gs_job_sum, waste),
};
static const struct gs_field worker_fields[] = {
    {GS_FIELD_COUNT, offsetof(struct gs_worker_row, n_gpus)},
    {GS_FIELD_COUNT, offsetof(struct gs_worker_row, n_tasks)},
    {GS_FIELD_COUNT, offsetof(struct gs_worker_row, n_gaps)},
    {GS_FIELD_LEAST, offsetof(struct gs_worker_row, first_ns)},
    {GS_FIELD_GREATEST, offsetof(struct gs_worker_row, last_ns)},
    {GS_FIELD_SUM, offsetof(struct gs_worker_row, busy_ns)},
    {GS_FIELD_SUM, offsetof(struct gs_worker_row, gap_ns)},
    {GS_FIELD_LEAST, offsetof(struct gs_worker_row, gap_low_ns)},
    {GS_FIELD_GREATEST, offsetof(struct gs_worker_row, gap_high_ns)},
    {GS_FIELD_GREATEST, offsetof(struct gs_worker_row, gap_max_ns)},
    GS_ENERGY_SUM_FIELDS(struct gs_worker_row, waste),
    {GS_FIELD_VALUES, offsetof(struct gs_worker_row, from)},
    {GS_FIELD_VALUES, offsetof(struct gs_worker_row, to)},
};
static const struct gs_field tail_fields[] = {
    {GS_FIELD_BYTES, offsetof(struct gs_tail_row, packed)}};
static const struct gs_records_spec job_spec = {
    GS_RECORDS("jobs", "t", struct gs_job_sum, job_fields)};
static const struct gs_records_spec worker_spec = {
    GS_RECORDS("workers", "titt", struct gs_worker_row, worker_fields)};
static const struct gs_records_spec tail_spec = {
    GS_RECORDS("tails", "titti", struct gs_tail_row, tail_fields)};

static enum gs_status make_plan(const void *options, const struct gs_dataset *d,
                                struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    GS_NEW(union gs_key, key, (size_t)d->job.n + 1, arena, err);
    GS_NEW(struct plan, plan, 1, arena, err);
    const struct gs_schedule_options *const o = options;
    for (uint32_t j = 0; j < d->job.n; j++)
        key[j + 1].text = d->job.text[j];
    plan->spans = o->spans;
    state->plan = plan;
    GS_TRY(gs_event_number(d, o->event, &plan->event, err));
    return gs_records_plan(&state->table[GS_SCHEDULE_JOBS], key, d->job.n + 1, arena, err);
}

static const struct gs_records_spec *const tables[] = {&job_spec, &worker_spec, &tail_spec};

/* clang-format off */
const struct gs_fold gs_schedule_fold = {
    .name = "schedule", .views = GS_VIEW_SAMPLES | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = tables, .n_tables = GS_N_SCHEDULE_TABLES,
    .plan = make_plan, .add = add_host, .finish = gs_schedule_finish,
};
/* clang-format on */
