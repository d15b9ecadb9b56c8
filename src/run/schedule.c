/* schedule.c - tasks of each worker in order, added up per job and for the whole run. */
#include "run/schedule_sums.h"

#include <stdlib.h>

#include "run/events.h"
#include "run/schedule.h"

static int64_t gap_between(int64_t end, int64_t start)
{
    int64_t gap;
    if (start <= end)
        return 0;
    return __builtin_sub_overflow(start, end, &gap) ? INT64_MAX : gap;
}

struct gs_worker_sum gs_worker_add_up(const struct gs_task_time *task, size_t n, int64_t *gap)
{
    struct gs_worker_sum w = {.n_tasks = n, .first_ns = task[0].start_ns, .last_ns = task[0].stop_ns};
    w.busy_ns = (gs_i128)task[0].stop_ns - task[0].start_ns;
    for (size_t i = 1; i < n; i++) {
        const int64_t start = task[i].start_ns > w.last_ns ? task[i].start_ns : w.last_ns;
        gap[i - 1] = gap_between(w.last_ns, task[i].start_ns);
        w.gap_ns += (gs_i128)start - w.last_ns;
        if (task[i].stop_ns > start)
            w.busy_ns += (gs_i128)task[i].stop_ns - start;
        if (task[i].stop_ns > w.last_ns)
            w.last_ns = task[i].stop_ns;
    }
    return w;
}

/* --- one host ----------------------------------------------------------------------------------------- */

static int compare_times(const struct gs_task_time *a, const struct gs_task_time *b)
{
    if (a->worker != b->worker)
        return a->worker < b->worker ? -1 : 1;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return (a->stop_ns > b->stop_ns) - (a->stop_ns < b->stop_ns);
}

static int by_worker(const void *a, const void *b)
{
    return compare_times(a, b);
}

static int by_job(const void *a, const void *b)
{
    const struct gs_task_time *const x = a, *const y = b;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    return compare_times(x, y);
}

static enum gs_status list_add(struct gs_job_values *l, uint32_t job, int64_t value, struct gs_arena *arena,
                               struct gs_err *err)
{
    if (l->n == l->capacity) {
        const size_t capacity = l->capacity == 0 ? 1024 : l->capacity * 2;
        struct gs_job_value *const grown = gs_arena_grow(arena, l->item, l->n, capacity, sizeof *grown);
        if (grown == NULL)
            return gs_fail_memory(err);
        l->item = grown;
        l->capacity = capacity;
    }
    l->item[l->n++] = (struct gs_job_value){value, job};
    return GS_OK;
}

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

/* GPUs that stand still when the worker does; a host without samples counts as one. */
static uint32_t gpus_of(const struct gs_dataset *d, uint32_t host, uint32_t worker)
{
    if (worker != GS_NONE)
        return 1;
    const uint32_t n = d->host_first_gpu[host + 1] - d->host_first_gpu[host];
    return n == 0 ? 1 : n;
}

/* One run of tasks of one worker; `job` is n_jobs for all jobs together. */
static enum gs_status add_run(const struct gs_schedule_sums *s, unsigned thread, uint32_t host, uint32_t job,
                              const struct gs_task_time *task, size_t n, struct gs_arena *scratch, struct gs_err *err)
{
    struct gs_schedule_thread *const t = &s->thread[thread];
    const uint32_t n_gpus = gpus_of(s->d, host, task[0].worker);
    int64_t *const gap = gs_arena_take_raw(scratch, n, sizeof *gap);
    if (gap == NULL)
        return gs_fail_memory(err);
    const struct gs_worker_sum w = gs_worker_add_up(task, n, gap);
    add_to_job(&t->job[job], &w, n_gpus);
    enum gs_status status = list_add(&t->tasks, job, (int64_t)n, &t->arena, err);
    for (size_t i = 0; status == GS_OK && i + 1 < n; i++)
        status = list_add(&t->gaps, job, gap[i], &t->arena, err);
    if (status != GS_OK || job != s->n_jobs)
        return status;
    if (t->n_workers == t->workers_capacity) {
        const size_t capacity = t->workers_capacity == 0 ? 256 : t->workers_capacity * 2;
        struct gs_worker_row *const grown = gs_arena_grow(&t->arena, t->worker, t->n_workers, capacity, sizeof *grown);
        if (grown == NULL)
            return gs_fail_memory(err);
        t->worker = grown;
        t->workers_capacity = capacity;
    }
    struct gs_worker_row *const row = &t->worker[t->n_workers++];
    *row = (struct gs_worker_row){.host = host, .gpu = task[0].worker, .n_gpus = n_gpus, .sum = w};
    static const struct gs_prob median[] = {{1, 2}, {1, 1}};
    row->has_gaps = gs_quantiles(gap, n - 1, median, 2, GS_NS_PER_S, row->gap_s, NULL) == GS_OK;
    return GS_OK;
}

static enum gs_status add_host(void *context, const struct gs_host_view *h, unsigned thread, struct gs_arena *scratch,
                               struct gs_err *err)
{
    const struct gs_schedule_sums *const s = context;
    struct gs_task_time *const task = gs_arena_take_raw(scratch, h->n_pairs, sizeof *task);
    size_t n = 0, from;
    if (task == NULL)
        return gs_fail_memory(err);
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        const struct gs_pair *const pair = &h->pair[p];
        if (pair->event == s->event && pair->stop_ns >= pair->start_ns)
            task[n++] = (struct gs_task_time){pair->start_ns, pair->stop_ns, pair->gpu, pair->job};
    }
    enum gs_status status = GS_OK;
    qsort(task, n, sizeof *task, by_worker);
    from = 0;
    for (size_t i = 1; status == GS_OK && i <= n; i++)
        if (i == n || task[i].worker != task[from].worker) {
            status = add_run(s, thread, h->host, s->n_jobs, task + from, i - from, scratch, err);
            from = i;
        }
    qsort(task, n, sizeof *task, by_job);
    from = 0;
    for (size_t i = 1; status == GS_OK && i <= n; i++)
        if (i == n || task[i].worker != task[from].worker || task[i].job != task[from].job) {
            status = add_run(s, thread, h->host, task[from].job, task + from, i - from, scratch, err);
            from = i;
        }
    return status;
}

/* --- all of them -------------------------------------------------------------------------------------- */

static void merge_job(struct gs_job_sum *sum, const struct gs_job_sum *j)
{
    if (j->n_workers == 0)
        return;
    if (sum->n_workers == 0) {
        *sum = *j;
        return;
    }
    sum->first_ns = j->first_ns < sum->first_ns ? j->first_ns : sum->first_ns;
    sum->last_ns = j->last_ns > sum->last_ns ? j->last_ns : sum->last_ns;
    sum->first_idle_ns = j->first_idle_ns < sum->first_idle_ns ? j->first_idle_ns : sum->first_idle_ns;
    sum->n_workers += j->n_workers;
    sum->n_tasks += j->n_tasks;
    sum->n_gpus += j->n_gpus;
    sum->busy_ns += j->busy_ns;
    sum->gpu_gap_ns += j->gpu_gap_ns;
    sum->gpu_ends_ns += j->gpu_ends_ns;
}

enum gs_status gs_schedule_collect(struct gs_schedule_sums *s, struct gs_arena *own, struct gs_view_totals *totals,
                                   struct gs_err *err)
{
    s->thread = gs_arena_take(own, s->n_threads, sizeof *s->thread);
    if (s->thread == NULL)
        return gs_fail_memory(err);
    for (unsigned t = 0; t < s->n_threads; t++)
        if ((s->thread[t].job = gs_arena_take(own, (size_t)s->n_jobs + 1, sizeof *s->thread[t].job)) == NULL)
            return gs_fail_memory(err);
    const enum gs_status status = gs_hosts_visit(s->d, s->n_threads, GS_VIEW_PAIRS, add_host, s, totals, err);
    for (unsigned t = 1; status == GS_OK && t < s->n_threads; t++)
        for (uint32_t j = 0; j <= s->n_jobs; j++)
            merge_job(&s->thread[0].job[j], &s->thread[t].job[j]);
    return status;
}

/* Brings the values of each job together: first[j] .. first[j + 1]. */
enum gs_status gs_schedule_values(const struct gs_schedule_sums *s, bool gaps, struct gs_arena *own, int64_t **value,
                                  size_t **first, struct gs_err *err)
{
    size_t *const at = gs_arena_take(own, (size_t)s->n_jobs + 3, sizeof *at), total = 0;
    for (unsigned t = 0; t < s->n_threads; t++)
        total += gaps ? s->thread[t].gaps.n : s->thread[t].tasks.n;
    int64_t *const v = gs_arena_take_raw(own, total, sizeof *v);
    if (at == NULL || v == NULL)
        return gs_fail_memory(err);
    for (unsigned t = 0; t < s->n_threads; t++) {
        const struct gs_job_values *const l = gaps ? &s->thread[t].gaps : &s->thread[t].tasks;
        for (size_t i = 0; i < l->n; i++)
            at[l->item[i].job + 2]++;
    }
    for (uint32_t j = 2; j < s->n_jobs + 3; j++)
        at[j] += at[j - 1];
    for (unsigned t = 0; t < s->n_threads; t++) {
        const struct gs_job_values *const l = gaps ? &s->thread[t].gaps : &s->thread[t].tasks;
        for (size_t i = 0; i < l->n; i++)
            v[at[l->item[i].job + 1]++] = l->item[i].value;
    }
    *value = v;
    *first = at;
    return GS_OK;
}

void gs_schedule_release(struct gs_schedule_sums *s)
{
    for (unsigned t = 0; s->thread != NULL && t < s->n_threads; t++)
        gs_arena_release(&s->thread[t].arena);
}
