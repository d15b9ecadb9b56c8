/* fold_part.c - reading some hosts of a run and folding them. */
#include "app/passes/fold_part.h"

#include <string.h>

#include "base/core/shard.h"
#include "analysis/aggregate/task_event.h"
#include "analysis/run_kind/kind.h"
#include "analysis/timeline/counts.h"
#include "input/import/pass_plan.h"
#include "base/num/order.h"

/*
 * The hosts of a part among those of the dataset; NULL: all. NULL instead of an array of true
 * saves the fold a test per row in the usual run.
 */
static enum gs_status hosts_of(const struct gs_dataset *d, struct gs_shard part,
                               const struct gs_pass_plan *pass_plan, struct gs_arena *arena,
                               bool **takes, struct gs_err *err)
{
    *takes = NULL;
    if (part.n == 1 && pass_plan == NULL)
        return GS_OK;
    GS_TAKE(*takes, d->host.n, arena, err);
    for (uint32_t h = 0; h < d->host.n; h++)
        (*takes)[h] = pass_plan != NULL ? gs_pass_plan_keeps(pass_plan, d->host.text[h])
                                        : gs_shard_of(d->host.text[h], part.n) == part.shard;
    return GS_OK;
}

GS_COMPARES(by_text, struct gs_str, GS_DIFFER(gs_str_compare(*x, *y)););

/*
 * The events that may be the task, in the order of their names: all, or of many the likeliest.
 * A part cannot know which event is the task of the whole run. It therefore answers for every
 * candidate, and the merge picks one. The order by name is what lets two parts be merged in one
 * walk.
 */
static enum gs_status list_tasks(const struct gs_query *q, const struct gs_dataset *d,
                                 const bool *takes, struct gs_partial_result *a,
                                 struct gs_str event[GS_TASK_EVENTS_MAX], size_t *n,
                                 struct gs_err *err)
{
    struct gs_facts facts;
    *n = 0;
    a->tally = (struct gs_fold_job){.fold = &gs_task_event_fold};
    if (gs_intern_find(&d->event, gs_str(gs_question_event(q))) != GS_INTERN_NONE)
        return gs_task_event_none(&a->tally.state, q->context->arena, err);
    GS_TRY(gs_folds_run(&(struct gs_fold_way){d, &a->tally, 1, &facts}, 1, takes,
                        q->context->n_threads, q->context->arena, err));
    *n = gs_task_event_list(&a->tally.state, event, GS_TASK_EVENTS_MAX);
    GS_SORT(event, *n, by_text);
    return GS_OK;
}

/*
 * A job for each of them, and one for any other. Job 0 asks for the usual event, which this
 * part may not have. It is also the state that stands for an event that one part has and
 * another has not.
 */
static enum gs_status make_jobs(const struct gs_query *q, const struct gs_str *event, size_t n,
                                struct gs_partial_result *a, struct gs_err *err)
{
    GS_TRY(gs_had_memory(gs_answer_collect_jobs(a, n + 1, q->context->arena), err));
    for (size_t i = 0; i < a->n; i++) {
        const void *const parsed = i == 0 ? q->parsed : gs_question_about(q, event[i - 1]);
        a->event[i] = i == 0 ? (struct gs_str){0} : event[i - 1];
        GS_TRY(gs_had_memory(parsed != NULL, err));
        GS_TRY(gs_question_job(q, parsed, &a->job[i], err));
    }
    return GS_OK;
}

/* Whose hosts a partial result is of; they are numbered in the order of their names. */
static enum gs_status list_hosts(const struct gs_dataset *d, const bool *takes,
                                 struct gs_arena *arena, struct gs_facts *facts, struct gs_err *err)
{
    GS_TAKE(facts->host, d->host.n, arena, err);
    for (uint32_t h = 0; h < d->host.n; h++)
        if (takes == NULL || takes[h])
            facts->host[facts->n_hosts++] = d->host.text[h];
    return GS_OK;
}

/* Files of a part are numbered within a range of its own, so that places of parts can be told apart and merged. */
static enum gs_status check_numbers(const struct gs_dataset *d, struct gs_shard part,
                                    struct gs_err *err)
{
    const size_t last = d->n_inputs > 0 ? d->n_inputs - 1 : 0;
    if (part.n_inputs == 0 ||
        (d->n_inputs <= part.n_inputs && gs_input_number(d, last) < GS_INPUTS_MAX))
        return GS_OK;
    return gs_fail(err, GS_ERR_USAGE, "--part: %zu input files, expected at most %u", d->n_inputs,
                   (unsigned)part.n_inputs);
}

static void note_jobs(const struct gs_fold_command *f, const struct gs_dataset *d,
                      struct gs_frames *out)
{
    const bool jobs = gs_has_jobs(d);
    if (jobs)
        out->noun = "job";
    if (jobs && (f->equal_tasks == GS_TASKS_LIKE || f->equal_tasks == GS_TASKS_EQUAL))
        gs_note(&out->notes, f->equal_tasks == GS_TASKS_EQUAL ? GS_NOTE_WARNING : GS_NOTE_INFO,
                "these events are a scheduler's jobs, not equal tasks; who used what: gpustat jobs "
                "--by user");
    if (!jobs && d->event.n > 0 && f->equal_tasks == GS_TASKS_JOBS) {
        out->noun = "";
        gs_note(
            &out->notes, GS_NOTE_WARNING,
            "no event is a scheduler's job (two of user, account, partition, state, nodes, gpus): "
            "each counts as one, on all GPUs unless it names some; or: gpustat events");
    }
}

/* What is no equal tasks has no columns of them, and nothing that compares their times means much. */
static enum gs_status note_kind(const struct gs_query *q, const struct gs_dataset *d,
                                struct gs_frames *out, struct gs_err *err)
{
    struct gs_kind_found found;
    struct gs_dataset whole = *d; /* a part of a run is of its kind */
    whole.range = NULL;
    if (gs_has_jobs(d))
        return GS_OK;
    GS_TRY(gs_kind_find(&whole, NULL, q->context->n_threads, q->context->arena, &found, err));
    if (found.kind != GS_KIND_LOG && found.kind != GS_KIND_PHASES && found.kind != GS_KIND_TRACE)
        return GS_OK;
    out->noun = "";
    if (found.kind == GS_KIND_TRACE && q->context->command->folds->equal_tasks == GS_TASKS_EQUAL)
        gs_note(
            &out->notes, GS_NOTE_WARNING,
            "these events are a profiler's calls, not equal tasks; what each took: gpustat events");
    return GS_OK;
}

/* The options with the event that is the task, found in the whole run, and what it is to be called. */
static enum gs_status find_task(struct gs_query *q, const struct gs_dataset *d,
                                struct gs_frames *out, struct gs_err *err)
{
    const char *const usual = gs_question_event(q), *event;
    GS_TRY(gs_task_event(d, usual, q->context->n_threads, &event, &out->notes, err));
    if (event == usual && d->event.n > 0)
        return GS_OK;
    if (event != usual)
        q->parsed = gs_question_about(q, gs_str(event));
    GS_TRY(gs_had_memory(q->parsed != NULL, err));
    return note_kind(q, d, out, err);
}

/* Rows of hosts, which are as many as the input's, go to a file where memory is bounded. */
static void set_rows_file(struct gs_partial_result *a, struct gs_scratch_file *scratch)
{
    for (size_t i = 0; i < a->n; i++)
        a->job[i].rows_file = scratch != NULL && scratch->open ? scratch : NULL;
}

/*
 * `alone`: this part is the whole run, so the task can be decided now. The digest of the inputs
 * is computed in the first pass only; later passes read the same files again. *answer is
 * written at the very end, so a failure leaves the caller's copy intact.
 */
enum gs_status gs_fold_part(const struct gs_query *question, struct gs_shard part, bool alone,
                            struct gs_pass_plan *pass_plan, struct gs_partial_result *answer,
                            struct gs_frames *out, struct gs_err *err)
{
    struct gs_query q = *question;
    const struct gs_context *const context = q.context;
    const struct gs_fold_command *const f = context->command->folds;
    const struct gs_pass_plan *const before = gs_pass_plan_learned(pass_plan);
    const bool finds = gs_question_finds_task(&q);
    struct gs_dataset_opts o = q.parsed->dataset;
    struct gs_str event[GS_TASK_EVENTS_MAX];
    struct gs_partial_result a = {0};
    struct gs_dataset d;
    size_t n_events = 0;
    bool *takes, need[GS_N_TABLES];
    memcpy(need, f->need, sizeof need);
    if (f->needs != NULL)
        f->needs(q.parsed, need);
    const bool partial = q.parsed->scale.partial != NULL;
    o.shard = part.shard;
    o.n_shards = part.n;
    o.first_input = part.first_input;
    o.digest = partial && before == NULL;
    o.own_tasks = !f->all_tasks || before != NULL;
    o.pass_plan = pass_plan;
    GS_TRY(gs_dataset_opts_load(
        &o, context, (struct gs_wanted_tables){need, f->optional, f->places}, &d, out, err));
    note_jobs(f, &d, out);
    GS_TRY(check_numbers(&d, part, err));
    GS_TRY(hosts_of(&d, part, before, context->arena, &takes, err));
    if (finds)
        GS_TRY(alone ? find_task(&q, &d, out, err)
                     : list_tasks(&q, &d, takes, &a, event, &n_events, err));
    if (alone)
        gs_question_noun(&q, out);
    d.is_rest = before != NULL;
    /* the first job is of an event that is not here; another part may have the event that is asked for */
    d.is_part |= a.tally.fold != NULL || part.first_input > 0;
    GS_TRY(make_jobs(&q, event, n_events, &a, err));
    if (pass_plan != NULL)
        set_rows_file(&a, context->scratch);
    GS_TRY(gs_folds_run(&(struct gs_fold_way){&d, a.job, a.n, &a.facts}, 1, takes,
                        context->n_threads, context->arena, err));
    if (partial)
        GS_TRY(list_hosts(&d, takes, context->arena, &a.facts, err));
    GS_TRY(gs_had_memory(gs_part_names_of(&d, gs_question_event(&q), &a.facts.names), err));
    *answer = a;
    return GS_OK;
}
