/* fold.c - the visit that many folds share, and their states. */
#include "analysis/aggregate/fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/parallel.h"
#include "base/num/order.h"

/* --- one host ----------------------------------------------------------------------------------------- */

struct gs_host_joins {
    struct gs_host_joins *next;
    struct gs_join_options join;
    struct gs_joined *joined;
};

/*
 * Decides which folds share one join of a host. A new join option must be compared here, or two
 * commands of a report would silently share the wrong readings.
 */
static bool serves(const struct gs_join_options *has, const struct gs_join_options *wanted)
{
    if (has->max_gap_ns != wanted->max_gap_ns)
        return false;
    if (wanted->join == GS_JOIN_ENERGY)
        return true; /* energies are of the window under any join */
    return has->join == wanted->join &&
           (has->join == GS_JOIN_WINDOW ||
            (has->ties_later == wanted->ties_later && has->tolerance_ns == wanted->tolerance_ns));
}

enum gs_status gs_fold_joined(struct gs_fold_host *h, const struct gs_join_options *join,
                              const struct gs_joined **joined, struct gs_err *err)
{
    struct gs_host_joins *j = h->joins;
    while (j != NULL && !serves(&j->join, join))
        j = j->next;
    if (j == NULL) {
        GS_TAKE(j, 1, h->scratch, err);
        GS_TRY(gs_join_host(h->view, join, h->scratch, &j->joined, err));
        j->join = *join;
        j->next = h->joins;
        h->joins = j;
    }
    *joined = j->joined;
    return GS_OK;
}

enum gs_status gs_fold_task_rows(struct gs_fold_host *h, struct gs_err *err)
{
    if (h->task_row != NULL)
        return GS_OK;
    GS_NEW_RAW(uint32_t, row, h->view->n_pairs, h->scratch, err);
    for (uint32_t p = 0; p < h->view->n_pairs; p++)
        row[p] = gs_dataset_task_row(h->d, h->view->pair[p].task, h->view->pair[p].job);
    h->task_row = row;
    return GS_OK;
}

/* --- the visit ---------------------------------------------------------------------------------------- */

/* What ended one job on one thread: hosts come in ascending order, so it is the least that failed there. */
struct job_failure {
    uint32_t host;
    struct gs_err err; /* status GS_OK: nothing did */
};

struct visit {
    const struct gs_dataset *d;
    struct gs_fold_job *job;
    size_t n_jobs;
    unsigned n_threads;
    struct gs_state *planned;    /* [n_jobs] as each state begins */
    struct gs_state *state;      /* [n_threads][n_jobs]           */
    struct job_failure *failure; /* [n_threads][n_jobs]           */
    struct gs_arena *arena;      /* [n_threads]                   */
    bool *begun; /* [n_threads] its states are there: another thread's begin with its first host */
    struct gs_arena *job_arena; /* [n_jobs] for what is done job by job */
    struct gs_err *job_err;     /* [n_jobs]                             */
    struct gs_fold_host *host;  /* [n_threads] of all ways: what they found of the host at hand */
    struct gs_facts facts;
};

/* A state without anything in it, of the same tables, for its share of what is expected. */
static enum gs_status begin_like(struct gs_state *state, const struct gs_state *planned,
                                 unsigned n_threads, struct gs_arena *arena, struct gs_err *err)
{
    *state = *planned;
    for (size_t k = 0; k < planned->n_tables; k++) {
        const struct gs_records *const t = &planned->table[k];
        /*
         * A table whose keys are planned is shared by key array: every thread's table has the same
         * keys in the same order, which lets gs_records_merge add record by record. A table that
         * finds its keys starts empty.
         */
        const bool found = t->slot != NULL; /* what the plan has put in stays in the one state */
        GS_TRY(gs_records_init(&state->table[k], t->spec, found ? NULL : t->key, found ? 0 : t->n,
                               t->n_tail, arena, err));
        state->table[k].unordered = t->unordered;
        if (found && !gs_records_reserve(&state->table[k], t->capacity / n_threads, arena))
            GS_TRY(gs_fail_memory(err));
    }
    return GS_OK;
}

static enum gs_status begin_thread(const struct visit *v, unsigned thread, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    for (size_t k = 0; k < v->n_jobs && s == GS_OK; k++)
        if (v->job[k].own_err == NULL || v->job[k].own_err->status == GS_OK)
            s = begin_like(&v->state[thread * v->n_jobs + k], &v->planned[k], v->n_threads,
                           &v->arena[thread], err);
    v->begun[thread] = s == GS_OK;
    return s;
}

static enum gs_status visit_host(void *context, const struct gs_host_view *view, unsigned thread,
                                 struct gs_arena *scratch, struct gs_err *err)
{
    const struct visit *const v = context;
    struct gs_fold_host *const host = &v->host[thread];
    if (!view->shown_before)
        /*
         * A host that is shown again keeps its joins and task rows: they live in scratch that was
         * not rewound.
         */
        *host = (struct gs_fold_host){.view = view, .scratch = scratch};
    host->d = v->d;
    host->arena = &v->arena[thread];
    if (!v->begun[thread])
        GS_TRY(begin_thread(v, thread, err));
    for (size_t k = 0; k < v->n_jobs; k++) {
        const struct gs_fold_job *const job = &v->job[k];
        struct job_failure *const f = &v->failure[thread * v->n_jobs + k];
        const bool alone = job->own_err != NULL;
        if (alone && (job->own_err->status != GS_OK || f->err.status != GS_OK))
            continue;
        const enum gs_status s = job->fold->add(job->options, &v->state[thread * v->n_jobs + k],
                                                host, alone ? &f->err : err);
        f->host = view->host;
        /*
         * A job with an error of its own fails alone where its data are wrong; the other jobs of a
         * report go on. No memory is nobody's data: it ends the visit.
         */
        if (s != GS_OK && (!alone || !gs_status_is_of_data(s))) {
            if (alone && err != NULL)
                *err = f->err;
            return s;
        }
    }
    return GS_OK;
}

static int plan_job(void *context, size_t k, unsigned thread)
{
    const struct visit *const v = context;
    struct gs_fold_job *const job = &v->job[k];
    (void)thread;
    v->state[k].n_tables = job->fold->n_tables;
    v->state[k].rows.file = job->rows_file;
    enum gs_status s = GS_OK;
    for (size_t t = 0; t < job->fold->n_tables && s == GS_OK; t++) {
        const struct gs_records_spec *const spec = job->fold->table[t];
        v->state[k].table[t].seed = v->d->seed;
        s = gs_records_init(&v->state[k].table[t], spec, NULL, spec->key[0] == '\0',
                            v->d->n_metrics, &v->job_arena[k], &v->job_err[k]);
    }
    if (s == GS_OK && job->fold->plan != NULL)
        s = job->fold->plan(job->options, v->d, &v->state[k], &v->job_arena[k], &v->job_err[k]);
    if (job->own_err != NULL)
        *job->own_err = s == GS_OK ? (struct gs_err){0} : v->job_err[k];
    if (s != GS_OK && job->own_err != NULL && gs_status_is_of_data(s))
        v->job_err[k] = (struct gs_err){0};
    v->planned[k] = v->state[k];
    return (int)v->job_err[k].status;
}

/* Does something for every job of every way, several at a time. The failure of the first that has one is handed on. */
struct each_job {
    struct visit *way; /* [n_ways] */
    size_t n_ways;
    gs_item_fn *fn;
};

static struct visit *way_of(const struct each_job *e, size_t *item)
{
    struct visit *v = e->way;
    for (; *item >= v->n_jobs; v++)
        *item -= v->n_jobs;
    return v;
}

static int do_job(void *context, size_t item, unsigned thread)
{
    const struct each_job *const e = context;
    struct visit *const v = way_of(e, &item);
    return e->fn(v, item, thread);
}

static enum gs_status for_jobs(struct visit *way, size_t n_ways, gs_item_fn *fn, struct gs_err *err)
{
    struct each_job e = {way, n_ways, fn};
    size_t n = 0;
    for (size_t w = 0; w < n_ways; w++)
        n += way[w].n_jobs;
    (void)gs_parallel_for(way->n_threads, n, do_job, &e);
    for (size_t i = 0; i < n; i++) {
        size_t k = i;
        const struct gs_err *const failed = &way_of(&e, &k)->job_err[k];
        if (failed->status != GS_OK)
            return gs_fail(err, failed->status, "%s", failed->text);
    }
    return GS_OK;
}

/*
 * Of what failed on the threads the failure at the first host becomes the job's own. The first
 * host decides, so the message does not depend on the thread count: each thread gets its hosts in
 * ascending order and keeps its first failure.
 */
static void settle_failures(struct visit *v, unsigned n_threads)
{
    for (size_t k = 0; k < v->n_jobs; k++) {
        const struct job_failure *first = NULL;
        for (unsigned t = 0; t < n_threads; t++) {
            const struct job_failure *const f = &v->failure[t * v->n_jobs + k];
            if (f->err.status != GS_OK && (first == NULL || f->host < first->host))
                first = f;
        }
        if (first != NULL)
            *v->job[k].own_err = first->err;
    }
}

/* Tables whose keys were found on the way are put in order before they are merged, unless no order is wanted. */
static enum gs_status settle(struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    for (size_t k = 0; k < state->n_tables; k++)
        if (state->table[k].slot != NULL && !state->table[k].spec->any_order)
            GS_TRY(gs_records_settle(&state->table[k], arena, err));
    return GS_OK;
}

/* The states of one job become one. */
static int unite_job(void *context, size_t k, unsigned thread)
{
    const struct visit *const v = context;
    const struct gs_fold_job *const job = &v->job[k];
    enum gs_status s = GS_OK;
    (void)thread;
    if (job->own_err != NULL && job->own_err->status != GS_OK)
        return 0;
    /*
     * Merging is exact, so thread order is only a convention. States of threads that never got a
     * host were not begun and are skipped.
     */
    for (unsigned t = 0; t < v->n_threads && s == GS_OK; t++) {
        if (!v->begun[t])
            continue;
        s = settle(&v->state[t * v->n_jobs + k], &v->job_arena[k], &v->job_err[k]);
        if (s == GS_OK && t > 0)
            s = gs_state_merge(job->fold, &v->state[k], &v->state[t * v->n_jobs + k],
                               &v->job_arena[k], &v->job_err[k]);
    }
    return (int)s;
}

GS_COMPARES(by_number, struct gs_facts_input, GS_BY(number));

static enum gs_status collect_facts(struct gs_facts *f, struct gs_arena *arena, struct gs_err *err)
{
    GS_TAKE(f->input, f->n_inputs, arena, err);
    GS_TAKE(f->metric, f->n_metrics, arena, err);
    GS_TAKE(f->has_metric, f->n_metrics, arena, err);
    return GS_OK;
}

static enum gs_status state_facts(const struct gs_dataset *d, struct gs_arena *arena,
                                  struct gs_facts *f, struct gs_err *err)
{
    f->duplicates = d->duplicates;
    f->checkpoints_name_gpu = d->checkpoints_name_gpu;
    f->zoneless = d->zoneless;
    f->seed = d->seed;
    for (int k = 0; k < GS_N_TABLES; k++)
        f->has_table[k] = d->table[k].n_columns > 0;
    f->n_inputs = d->n_inputs;
    f->n_metrics = d->n_metrics;
    GS_TRY(collect_facts(f, arena, err));
    memcpy(f->metric, d->metric, d->n_metrics * sizeof *d->metric);
    memcpy(f->has_metric, d->has_metric, d->n_metrics * sizeof *d->has_metric);
    for (size_t i = 0; i < d->n_inputs; i++) {
        const struct gs_input *const in = &d->input[i];
        f->input[i] = (struct gs_facts_input){.name = gs_str(in->name),
                                              .number = gs_input_number(d, i),
                                              .kind = in->kind,
                                              .n_rows = in->n_rows};
        if (in->split_sha256 != NULL)
            f->input[i].n_rows = in->split_rows;
        if (in->sha256 != NULL)
            f->input[i].sha256 = gs_str(in->sha256);
    }
    /*
     * gs_facts_input() searches by number, and gs_facts_merge compares shards by position: both
     * need this order.
     */
    GS_SORT(f->input, f->n_inputs, by_number);
    f->is_part = d->first_input > 0;
    return GS_OK;
}

bool gs_facts_have(const struct gs_facts *facts, enum gs_table_kind kind)
{
    size_t i = 0;
    while (i < facts->n_inputs && facts->input[i].kind != kind)
        i++;
    return i < facts->n_inputs;
}

const struct gs_facts_input *gs_facts_input(const struct gs_facts *facts, uint64_t number)
{
    const struct gs_facts_input wanted = {.number = number};
    if (facts->n_inputs == 0)
        return NULL;
    return bsearch(&wanted, facts->input, facts->n_inputs, sizeof wanted, by_number);
}

const char *gs_facts_line(const struct gs_facts *facts, int64_t line, struct gs_arena *arena)
{
    if (line < 0)
        return "";
    const struct gs_facts_input *const input = gs_facts_input(facts, gs_line_input(line));
    if (input == NULL)
        return "";
    return gs_or_empty(gs_format(arena, "%.*s:%llu", (int)input->name.len, input->name.ptr,
                                 (unsigned long long)gs_line_number(line)));
}

static enum gs_status collect_visit(struct visit *v, struct gs_arena *own, struct gs_err *err)
{
    GS_TAKE(v->planned, v->n_jobs, own, err);
    GS_TAKE(v->state, v->n_threads * v->n_jobs, own, err);
    GS_TAKE(v->failure, v->n_threads * v->n_jobs, own, err);
    GS_TAKE(v->arena, v->n_threads, own, err);
    GS_TAKE(v->begun, v->n_threads, own, err);
    GS_TAKE(v->job_arena, v->n_jobs, own, err);
    GS_TAKE(v->job_err, v->n_jobs, own, err);
    v->begun[0] = true; /* its states are those of the plan */
    return GS_OK;
}

/* The states of a way that has been visited, and the facts, go to who asked. */
static void hand_over(const struct visit *v, const struct gs_view_totals *totals,
                      struct gs_facts *facts)
{
    for (size_t k = 0; k < v->n_jobs; k++)
        v->job[k].state = v->state[k];
    *facts = v->facts;
    facts->totals = *totals;
    /*
     * Places are internal row numbers; a state leaves with lines of files, which still mean
     * something in another process.
     */
    facts->totals.checkpoints.first_place = gs_dataset_line(v->d, totals->checkpoints.first_place);
    facts->totals.at_once.first_place = gs_dataset_line(v->d, totals->at_once.first_place);
    facts->totals.samples.first_place = gs_dataset_line(v->d, totals->samples.first_place);
}

/* What the hosts are looked at for. By GPU only where there is one way and every fold of it allows that. */
static unsigned views_of(const struct gs_fold_way *way, size_t n_ways)
{
    unsigned views = 0;
    bool by_gpu = n_ways == 1;
    for (size_t w = 0; w < n_ways; w++)
        for (size_t k = 0; k < way[w].n_jobs; k++) {
            views |= way[w].job[k].fold->views;
            by_gpu = by_gpu && (way[w].job[k].fold->views & GS_VIEW_BY_GPU) != 0;
        }
    if (!by_gpu)
        views &= ~(unsigned)GS_VIEW_BY_GPU;
    return views;
}

/* States point into what threads and jobs took: it stays, also after a failure, which may name what is in there. */
static void keep_arenas(struct visit *v, unsigned n_threads, struct gs_arena *arena)
{
    for (unsigned t = 0; v->arena != NULL && t < n_threads; t++)
        gs_arena_adopt(arena, &v->arena[t]);
    for (size_t k = 0; v->job_arena != NULL && k < v->n_jobs; k++)
        gs_arena_adopt(arena, &v->job_arena[k]);
}

enum gs_status gs_folds_run(const struct gs_fold_way *way, size_t n_ways, const bool *takes,
                            unsigned n_threads, struct gs_arena *arena, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    GS_NEW(struct visit, v, n_ways, &own, err);
    GS_NEW(struct gs_host_way, hosts, n_ways, &own, err);
    GS_NEW(struct gs_fold_host, host, n_threads, &own, err);
    enum gs_status s = GS_OK;
    for (size_t w = 0; w < n_ways && s == GS_OK; w++) {
        v[w] = (struct visit){
            .d = way[w].d, .job = way[w].job, .n_jobs = way[w].n_jobs, .n_threads = n_threads};
        v[w].host = host;
        hosts[w] = (struct gs_host_way){.d = way[w].d, .fn = visit_host, .context = &v[w]};
        s = collect_visit(&v[w], &own, err);
        GS_THEN(s, state_facts(way[w].d, arena, &v[w].facts, err));
    }
    GS_THEN(s, for_jobs(v, n_ways, plan_job, err));
    GS_THEN(s, gs_hosts_visit(hosts, n_ways, takes, n_threads, views_of(way, n_ways), err));
    for (size_t w = 0; w < n_ways && s == GS_OK; w++)
        settle_failures(&v[w], n_threads);
    GS_THEN(s, for_jobs(v, n_ways, unite_job, err));
    for (size_t w = 0; w < n_ways && s == GS_OK; w++)
        hand_over(&v[w], &hosts[w].totals, way[w].facts);
    for (size_t w = 0; v != NULL && w < n_ways; w++)
        keep_arenas(&v[w], n_threads, arena);
    return s;
}

enum gs_status gs_fold_frames(const struct gs_dataset *d, const struct gs_fold *fold,
                              struct gs_finish of, struct gs_frames *out, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_fold_job job = {.fold = fold, .options = of.options};
    struct gs_facts facts;
    const struct gs_fold_way way = {d, &job, 1, &facts};
    enum gs_status s = gs_folds_run(&way, 1, NULL, of.n_threads, &own, err);
    of.state = &job.state;
    of.facts = &facts;
    GS_THEN(s, fold->finish(&of, out, err));
    if (fold->has_rows)
        gs_arena_adopt(of.arena, &own); /* frames read from it */
    return s;
}

/* --- states ------------------------------------------------------------------------------------------- */

enum gs_status gs_state_merge(const struct gs_fold *fold, struct gs_state *state,
                              struct gs_state *other, struct gs_arena *arena, struct gs_err *err)
{
    if (fold->has_rows)
        GS_TRY(gs_host_rows_merge(&state->rows, &other->rows, arena, err));
    for (size_t k = 0; k < state->n_tables; k++)
        GS_TRY(gs_records_merge(&state->table[k], &other->table[k], arena, err));
    return GS_OK;
}

/*
 * Is it the same file? Passes after the first make no digests. Parts of a run may be on machines
 * that mount a file under different names, so names are compared only for shards of one command.
 */
static bool is_same_input(const struct gs_facts *f, const struct gs_facts_input *a,
                          const struct gs_facts_input *b)
{
    const bool digests = a->sha256.ptr != NULL && b->sha256.ptr != NULL;
    return (f->is_part || gs_str_eq(a->name, b->name)) && a->kind == b->kind &&
           a->n_rows == b->n_rows && (!digests || gs_str_eq(a->sha256, b->sha256));
}

/*
 * In parts of a run no file of samples or events may be twice, under whatever names. The same
 * bytes in two parts would count every sample twice. The set of digests grows with each merge, so
 * merging n parts stays linear in n.
 */
static enum gs_status refuse_repeated(struct gs_facts *f, const struct gs_facts *other,
                                      struct gs_arena *arena, struct gs_err *err)
{
    const bool first = f->seen.arena == NULL;
    if (first)
        f->seen = (struct gs_intern){.arena = arena, .seed = f->seed};
    for (size_t i = 0; first && i < f->n_inputs; i++)
        if (f->input[i].kind != GS_TABLE_TASKS &&
            gs_intern_add(&f->seen, f->input[i].sha256) == GS_INTERN_NONE)
            return gs_fail_memory(err);
    for (size_t i = 0; i < other->n_inputs; i++)
        if (other->input[i].kind != GS_TABLE_TASKS && other->input[i].n_rows > 0 &&
            gs_intern_find(&f->seen, other->input[i].sha256) != GS_INTERN_NONE)
            return gs_fail(err, GS_ERR_DATA, "%s: another part has a file of the same bytes",
                           other->input[i].name.ptr);
    for (size_t i = 0; i < other->n_inputs; i++)
        if (other->input[i].kind != GS_TABLE_TASKS &&
            gs_intern_add(&f->seen, other->input[i].sha256) == GS_INTERN_NONE)
            return gs_fail_memory(err);
    return GS_OK;
}

static enum gs_status refuse_input(const struct gs_facts *f, const struct gs_facts_input *a,
                                   const struct gs_facts_input *b, struct gs_err *err)
{
    return gs_fail(
        err, GS_ERR_DATA, "made from other data: %s has %llu rows%s, expected %llu%s", b->name.ptr,
        (unsigned long long)b->n_rows, gs_text_if(a->n_rows == b->n_rows, " and other bytes"),
        (unsigned long long)a->n_rows, gs_text_if(f->is_part, ": all parts need one task table"));
}

/* Room is doubled: many states come together in little memory. */
static void *room_for(void *items, size_t n, size_t wanted, size_t *room, size_t size,
                      struct gs_arena *arena)
{
    if (items != NULL && wanted <= *room)
        return items;
    *room = gs_max(wanted, 2 * *room);
    return gs_arena_grow(arena, items, n, *room, size);
}

/* The files of both: of shards the same, of parts those of each. */
static enum gs_status unite_inputs(struct gs_facts *f, const struct gs_facts *other,
                                   struct gs_arena *arena, struct gs_err *err)
{
    const size_t n = f->n_inputs;
    bool ascends = true;
    if (!f->is_part && n != other->n_inputs)
        return gs_fail(err, GS_ERR_DATA, "made from other data: %zu input files, expected %zu",
                       other->n_inputs, n);
    for (size_t k = 0; k < other->n_inputs; k++) {
        const struct gs_facts_input *const b = &other->input[k];
        struct gs_facts_input *const a =
            f->is_part ? bsearch(b, f->input, n, sizeof *a, by_number) : &f->input[k];
        if (a != NULL && !is_same_input(f, a, b))
            return refuse_input(f, a, b, err);
        if (a != NULL) {
            if (a->sha256.ptr == NULL)
                a->sha256 = b->sha256;
            if (gs_str_compare(b->name, a->name) < 0) /* whatever the order of merges */
                a->name = b->name;
            continue;
        }
        f->input =
            room_for(f->input, f->n_inputs, f->n_inputs + 1, &f->input_room, sizeof *a, arena);
        GS_TRY(gs_had_memory(f->input != NULL, err));
        ascends = ascends && f->n_inputs > 0 && by_number(&f->input[f->n_inputs - 1], b) < 0;
        f->input[f->n_inputs++] = *b;
    }
    if (!ascends)
        GS_SORT(f->input, f->n_inputs, by_number);
    return GS_OK;
}

/* A host counts once. The room is filled from its end. */
static enum gs_status unite_hosts(struct gs_facts *f, const struct gs_facts *other,
                                  struct gs_arena *arena, struct gs_err *err)
{
    const size_t n = f->n_hosts + other->n_hosts;
    f->host = room_for(f->host, f->n_hosts, n, &f->host_room, sizeof *f->host, arena);
    GS_TRY(gs_had_memory(f->host != NULL, err));
    for (size_t i = f->n_hosts, k = other->n_hosts, at = n; k > 0;) {
        const int order = i == 0 ? -1 : gs_str_compare(f->host[i - 1], other->host[k - 1]);
        if (order == 0)
            return gs_fail(err, GS_ERR_DATA, "host %s is in another state, too",
                           GS_SHOWN(other->host[k - 1], 200));
        f->host[--at] = order > 0 ? f->host[--i] : other->host[--k];
    }
    f->n_hosts = n;
    return GS_OK;
}

/*
 * On failure `f` may hold some of `other`: a merge that fails ends the command, and nobody reads f
 * after that.
 */
enum gs_status gs_facts_merge(struct gs_facts *f, const struct gs_facts *other,
                              struct gs_arena *arena, struct gs_err *err)
{
    bool same = f->is_part == other->is_part;
    if (same && f->is_part)
        GS_TRY(refuse_repeated(f, other, arena, err));
    GS_TRY(unite_inputs(f, other, arena, err));
    GS_TRY(unite_hosts(f, other, arena, err));
    same = same && f->duplicates == other->duplicates && f->n_metrics == other->n_metrics &&
           memcmp(f->has_table, other->has_table, sizeof f->has_table) == 0;
    for (uint32_t m = 0; m < f->n_metrics && same; m++)
        same = strcmp(f->metric[m]->name, other->metric[m]->name) == 0 &&
               f->has_metric[m] == other->has_metric[m];
    if (!same)
        return gs_fail(err, GS_ERR_DATA, "was read in another way, or has other columns");
    f->zoneless |= other->zoneless;
    f->checkpoints_name_gpu |= other->checkpoints_name_gpu;
    gs_part_names_add(&f->names, &other->names);
    gs_view_totals_add(&f->totals, &other->totals);
    return GS_OK;
}

/* A line of another run's file, whose number is counted on. */
static void shift_line(int64_t *line, uint64_t by)
{
    if (*line >= 0) /* GS_MISSING is below */
        *line += gs_place(by, 0, 0);
}

/* The hosts of either; one may be in both runs. False without memory. */
static bool join_hosts(struct gs_facts *f, const struct gs_facts *other, struct gs_arena *arena)
{
    struct gs_str *const host = gs_arena_take(arena, f->n_hosts + other->n_hosts, sizeof *host);
    size_t n = 0;
    for (size_t i = 0, k = 0; host != NULL && (i < f->n_hosts || k < other->n_hosts);) {
        int order = i == f->n_hosts ? 1 : -1;
        if (i < f->n_hosts && k < other->n_hosts)
            order = gs_str_compare(f->host[i], other->host[k]);
        host[n++] = order <= 0 ? f->host[i] : other->host[k];
        i += order <= 0;
        k += order >= 0;
    }
    f->host = host;
    f->n_hosts = f->host_room = n;
    return host != NULL;
}

enum gs_status gs_facts_join(struct gs_facts *f, const struct gs_facts *other,
                             struct gs_arena *arena, struct gs_err *err)
{
    struct gs_view_totals totals = other->totals;
    /*
     * Unlike a merge of shards, this puts two runs side by side: the files of the second are
     * numbered on, so that a line number keeps naming one file.
     */
    const uint64_t by = f->n_inputs > 0 ? f->input[f->n_inputs - 1].number + 1 : 0;
    const size_t n = f->n_inputs + other->n_inputs;
    GS_NEW(struct gs_facts_input, input, n, arena, err);
    GS_TRY(gs_had_memory(join_hosts(f, other, arena), err));
    if (other->n_inputs > 0 && by + other->input[other->n_inputs - 1].number >= GS_INPUTS_MAX)
        return gs_fail(err, GS_ERR_DATA, "the runs have more than %d files in all",
                       (int)GS_INPUTS_MAX);
    for (size_t i = 0; i < n; i++) {
        if (i < f->n_inputs) {
            input[i] = f->input[i];
            continue;
        }
        input[i] = other->input[i - f->n_inputs];
        input[i].number += by;
    }
    shift_line(&totals.checkpoints.first_place, by);
    shift_line(&totals.samples.first_place, by);
    shift_line(&totals.at_once.first_place, by);
    f->input = input;
    f->n_inputs = f->input_room = n;
    for (int k = 0; k < GS_N_TABLES; k++)
        f->has_table[k] |= other->has_table[k];
    f->zoneless |= other->zoneless;
    f->checkpoints_name_gpu |= other->checkpoints_name_gpu;
    gs_part_names_add(&f->names, &other->names);
    gs_view_totals_add(&f->totals, &totals);
    return GS_OK;
}

/* Of facts, to be counted up as a fold's: what gs_facts_save writes is in no table. */
enum { FACTS_LAYOUT = 8 };

/*
 * A digest of names, keys and kinds of all fields. A state of another layout is refused before its
 * bytes are read as something else; 64 bits are enough against accidents.
 */
void gs_fold_layout(const struct gs_fold *fold, char text[GS_FOLD_LAYOUT_MAX])
{
    struct gs_sha256 sum;
    char hex[GS_SHA256_HEX];
    const unsigned layouts[] = {FACTS_LAYOUT, fold->layout};
    gs_sha256_begin(&sum);
    gs_sha256_add(&sum, layouts, sizeof layouts);
    gs_sha256_add(&sum, fold->name, strlen(fold->name) + 1);
    for (size_t k = 0; k < fold->n_tables; k++)
        gs_records_describe(fold->table[k], &sum);
    gs_sha256_end(&sum, hex);
    (void)snprintf(text, GS_FOLD_LAYOUT_MAX, "%.16s", hex);
}

enum gs_status gs_saving_hand_on(const struct gs_saving *how, struct gs_err *err)
{
    GS_TRY(gs_had_memory(!how->b->failed, err));
    /*
     * With a sink the buffer is only a stage and is emptied; without one it is the result and
     * keeps growing.
     */
    if (how->to == NULL)
        return GS_OK;
    const enum gs_status s = gs_sink_write(*how->to, how->b->ptr, how->b->len, err);
    how->b->len = 0;
    return s;
}

enum gs_status gs_state_save(const struct gs_fold *fold, const struct gs_state *state,
                             const struct gs_saving *how, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    gs_pack_text(how->b, gs_str(fold->name));
    for (size_t k = 0; k < state->n_tables && s == GS_OK; k++) {
        const struct gs_arena_mark mark = gs_arena_mark(how->scratch);
        s = gs_records_save(&state->table[k], how->b, how->to, how->scratch, err);
        gs_arena_rewind(how->scratch, mark);
        GS_THEN(s, gs_saving_hand_on(how, err));
    }
    if (s == GS_OK && fold->has_rows)
        s = gs_host_rows_save(&state->rows, how->here,
                              how->to == NULL ? gs_sink_buf(how->b) : *how->to, err);
    return s;
}

enum gs_status gs_state_load(const struct gs_fold *fold, const struct gs_facts *facts,
                             struct gs_state *state, struct gs_scratch_file *file,
                             struct gs_unpacker *u, struct gs_arena *arena)
{
    if (!gs_str_eq(gs_unpack_text(u), gs_str(fold->name)))
        return gs_unpack_fail(u, "found the state of another analysis");
    *state = (struct gs_state){.n_tables = fold->n_tables};
    for (size_t k = 0; k < fold->n_tables; k++) {
        state->table[k].seed = facts->seed;
        GS_TRY(gs_records_load(&state->table[k], fold->table[k], facts->n_metrics, u, arena));
    }
    if (fold->has_rows)
        GS_TRY(gs_host_rows_load(&state->rows, file, u, arena));
    return GS_OK;
}

void gs_facts_save(const struct gs_facts *f, struct gs_buf *b)
{
    gs_view_totals_save(&f->totals, b);
    gs_part_names_save(&f->names, b);
    gs_pack_count(b, (uint64_t)f->duplicates);
    gs_pack_count(b, f->checkpoints_name_gpu);
    gs_pack_count(b, f->zoneless);
    for (int k = 0; k < GS_N_TABLES; k++)
        gs_pack_count(b, f->has_table[k]);
    gs_pack_count(b, f->n_metrics);
    gs_pack_count(b, f->n_inputs);
    for (uint32_t m = 0; m < f->n_metrics; m++) {
        gs_pack_text(b, gs_str(f->metric[m]->name));
        gs_pack_count(b, f->has_metric[m]);
    }
    for (size_t i = 0; i < f->n_inputs; i++) {
        const struct gs_facts_input *const in = &f->input[i];
        gs_pack_text(b, in->name);
        gs_pack_count(b, in->number);
        gs_pack_count(b, (uint64_t)in->kind);
        gs_pack_count(b, in->n_rows);
        gs_pack_text(b, in->sha256);
    }
    gs_pack_count(b, f->is_part);
    gs_pack_count(b, f->n_hosts);
    for (size_t i = 0; i < f->n_hosts; i++)
        gs_pack_text(b, f->host[i]);
}

static void load_inputs(struct gs_facts *f, struct gs_unpacker *u, struct gs_arena *arena)
{
    for (size_t i = 0; i < f->n_inputs && u->status == GS_OK; i++) {
        struct gs_facts_input *const in = &f->input[i];
        in->name = gs_unpack_copy(u, arena);
        in->number = gs_unpack_count(u);
        const uint64_t kind = gs_unpack_count(u);
        in->kind = (enum gs_table_kind)kind;
        in->n_rows = gs_unpack_count(u);
        in->sha256 = gs_unpack_copy(u, arena);
        if (u->status == GS_OK && (in->name.ptr == NULL || in->number >= GS_INPUTS_MAX ||
                                   /*
                                    * The bytes come from a file. Every number that later serves as
                                    * an index or an order is checked here, once, so that no other
                                    * code need doubt it.
                                    */
                                   kind >= GS_N_TABLES || (i > 0 && by_number(in - 1, in) >= 0)))
            (void)gs_unpack_fail(u, "found an input that cannot be");
    }
}

static void load_hosts(struct gs_facts *f, struct gs_unpacker *u, struct gs_arena *arena)
{
    f->is_part = gs_unpack_flag(u);
    f->n_hosts = gs_unpack_length(u, 1);
    f->host = gs_arena_take(arena, f->n_hosts, sizeof *f->host);
    if (u->status == GS_OK && f->host == NULL)
        u->status = gs_fail_memory(u->err);
    for (size_t i = 0; i < f->n_hosts && u->status == GS_OK; i++) {
        f->host[i] = gs_unpack_copy(u, arena);
        if (u->status == GS_OK &&
            (f->host[i].ptr == NULL || (i > 0 && gs_str_compare(f->host[i - 1], f->host[i]) >= 0)))
            (void)gs_unpack_fail(u, "found hosts that do not ascend");
    }
}

/* The fixed ones are in their places, others where the dataset had them. */
static void load_metric(struct gs_facts *f, uint32_t m, struct gs_unpacker *u,
                        struct gs_arena *arena)
{
    const struct gs_str name = gs_unpack_text(u);
    f->has_metric[m] = gs_unpack_flag(u);
    f->metric[m] = gs_metric_find(name);
    if (u->status == GS_OK &&
        (name.ptr == NULL || (m < GS_FIXED_METRICS && f->metric[m] != &gs_known_metrics[m])))
        (void)gs_unpack_fail(u, "found another metric in the place of one that every run has");
    if (u->status == GS_OK && f->metric[m] == NULL &&
        (f->metric[m] = gs_metric_new(name, arena)) == NULL)
        u->status = gs_fail_memory(u->err);
}

enum gs_status gs_facts_load(struct gs_facts *facts, struct gs_unpacker *u, struct gs_arena *arena)
{
    struct gs_facts f = {0};
    gs_view_totals_load(&f.totals, u, arena);
    gs_part_names_load(&f.names, u, arena);
    f.duplicates = gs_unpack_flag(u) ? GS_DUPLICATES_DROP : GS_DUPLICATES_KEEP;
    f.checkpoints_name_gpu = gs_unpack_flag(u);
    f.zoneless = gs_unpack_flag(u);
    for (int k = 0; k < GS_N_TABLES; k++)
        f.has_table[k] = gs_unpack_flag(u);
    const size_t n_metrics = gs_unpack_length(u, 2);
    f.n_metrics = (uint32_t)n_metrics;
    f.n_inputs = gs_unpack_length(u, 1);
    if (n_metrics > UINT16_MAX || (u->status == GS_OK && n_metrics < GS_FIXED_METRICS))
        return gs_unpack_fail(u, "found too many metrics, or fewer than every run has");
    if (u->status == GS_OK)
        u->status = collect_facts(&f, arena, u->err);
    for (uint32_t m = 0; m < f.n_metrics && u->status == GS_OK; m++)
        load_metric(&f, m, u, arena);
    load_inputs(&f, u, arena);
    load_hosts(&f, u, arena);
    if (u->status == GS_OK)
        *facts = f;
    return u->status;
}
