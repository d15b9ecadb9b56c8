/* partial_result.c - one state, or while the task is not known one for each event that it may be. */
#include "app/passes/partial_result.h"

#include <string.h>

#include "analysis/aggregate/task_event.h"
#include "analysis/timeline/counts.h"
#include "base/num/order.h"

const char *gs_question_event(const struct gs_query *q)
{
    return q->context->command->folds->event == GS_EVENT_UNUSED ? NULL : q->parsed->event;
}

void gs_question_noun(const struct gs_query *q, struct gs_frames *out)
{
    static const char *const known[] = {"step", "epoch", "iteration", "request"};
    const char *const event = gs_question_event(q);
    struct gs_buf b = {.arena = q->context->arena};
    if (event == NULL)
        return;
    if (gs_is_all_jobs(event)) {
        out->noun = "job";
        return;
    }
    if (out->noun != NULL && strcmp(out->noun, "job") == 0 && !gs_question_finds_task(q)) {
        /* jobs of the name that was given */
        gs_buf_escaped(&b, gs_str(event), 24);
        gs_buf_text(&b, " job");
        out->noun = b.failed ? out->noun : gs_buf_str(&b).ptr;
    }
    for (size_t i = 0; out->noun == NULL && i < sizeof known / sizeof *known; i++)
        if (strstr(event, known[i]) != NULL)
            out->noun = known[i];
}

/*
 * Pointers are compared, not texts: an --event that names the default event is the user's
 * choice and is not replaced.
 */
bool gs_question_finds_task(const struct gs_query *q)
{
    const struct gs_command *const c = q->context->command;
    const struct gs_run_opts *const usual = c->defaults;
    return c->folds->event == GS_EVENT_TASK && q->parsed->event == usual->event;
}

const void *gs_question_about(const struct gs_query *q, struct gs_str event)
{
    const struct gs_command *const c = q->context->command;
    struct gs_run_opts *const copy = gs_arena_take(q->context->arena, c->opts_size, 1);
    const char *const name = gs_arena_copy(q->context->arena, event.ptr, event.len);
    if (copy == NULL || name == NULL)
        return NULL;
    memcpy(copy, q->parsed, c->opts_size);
    copy->event = name;
    return copy;
}

const struct gs_fold *gs_question_fold(const struct gs_query *q)
{
    const struct gs_fold_command *const f = q->context->command->folds;
    if (f->choose == NULL)
        return f->fold;
    return f->choose(q->parsed);
}

enum gs_status gs_question_job(const struct gs_query *q, const void *parsed,
                               struct gs_fold_job *job, struct gs_err *err)
{
    const struct gs_fold_command *const f = q->context->command->folds;
    void *const options = gs_arena_take(q->context->arena, 1, f->options_size);
    GS_TRY(gs_had_memory(options != NULL, err));
    *job = (struct gs_fold_job){.fold = gs_question_fold(&(struct gs_query){parsed, q->context}),
                                .options = options};
    if (f->options_at > 0)
        memcpy(options, (const char *)parsed + f->options_at, f->options_size);
    if (f->options_at > 0 && f->event == GS_EVENT_TASK) {
        const char *event = ((const struct gs_run_opts *)parsed)->event;
        if (f->compares_tasks)
            event = gs_equal_tasks_event(event);
        memcpy((char *)options + f->task, &event, sizeof event);
    }
    enum gs_status s = GS_OK;
    if (f->options != NULL)
        s = f->options(parsed, options, err);
    if (f->draws > 0) { /* who merges a state may want a figure */
        const bool draws = q->context->draws || q->parsed->scale.partial != NULL;
        memcpy((char *)options + f->draws, &draws, sizeof draws);
    }
    if (f->brief > 0)
        memcpy((char *)options + f->brief, &q->context->brief, sizeof q->context->brief);
    if (f->for_people > 0)
        memcpy((char *)options + f->for_people, &q->context->for_people,
               sizeof q->context->for_people);
    return s;
}

bool gs_answer_collect_jobs(struct gs_partial_result *a, size_t n, struct gs_arena *arena)
{
    a->job = gs_arena_take(arena, n, sizeof *a->job);
    a->event = gs_arena_take(arena, n, sizeof *a->event);
    a->n = n;
    return a->job != NULL && a->event != NULL;
}

/* --- bytes ---------------------------------------------------------------------------------------------------- */

enum gs_status gs_answer_save(const struct gs_partial_result *a, const struct gs_saving *how,
                              struct gs_err *err)
{
    const bool open = a->tally.fold != NULL;
    gs_facts_save(&a->facts, how->b);
    gs_pack_count(how->b, open ? a->n : 0);
    if (open)
        GS_TRY(gs_state_save(a->tally.fold, &a->tally.state, how, err));
    for (size_t i = 0; i < a->n; i++) {
        if (i > 0)
            gs_pack_text(how->b, a->event[i]);
        GS_TRY(gs_state_save(a->job[i].fold, &a->job[i].state, how, err));
    }
    return GS_OK;
}

/*
 * The state of the event that stands at `i`, for its own question. Ascending names are required
 * and not just expected: unite() walks two lists by name, and a forged file with a name twice
 * would otherwise count states twice.
 */
static enum gs_status load_one(const struct gs_query *q, struct gs_scratch_file *file,
                               struct gs_unpacker *u, struct gs_partial_result *a, size_t i,
                               struct gs_arena *arena)
{
    const void *parsed = q->parsed;
    if (i > 0) {
        a->event[i] = gs_unpack_copy(u, arena);
        if (u->status == GS_OK &&
            (a->event[i].ptr == NULL || gs_str_compare(a->event[i - 1], a->event[i]) >= 0))
            return gs_unpack_fail(u, "found events that do not ascend");
        if (u->status == GS_OK && (parsed = gs_question_about(q, a->event[i])) == NULL)
            return u->status = gs_fail_memory(u->err);
    }
    if (u->status == GS_OK)
        u->status = gs_question_job(q, parsed, &a->job[i], u->err);
    return u->status == GS_OK
               ? gs_state_load(a->job[i].fold, &a->facts, &a->job[i].state, file, u, arena)
               : u->status;
}

enum gs_status gs_answer_load(const struct gs_query *q, struct gs_scratch_file *file,
                              struct gs_unpacker *u, struct gs_partial_result *answer,
                              struct gs_arena *arena)
{
    struct gs_partial_result a = {0};
    enum gs_status s = gs_facts_load(&a.facts, u, arena);
    a.facts.seed = q->context->seed;
    const size_t n_open = s == GS_OK ? gs_unpack_length(u, 4) : 0;
    a.n = gs_max(n_open, 1);
    if (u->status == GS_OK && (n_open > 0) != gs_question_finds_task(q))
        return gs_unpack_fail(u, n_open > 0 ? "found states of several events"
                                            : "found no states of several events");
    if (u->status == GS_OK && !gs_answer_collect_jobs(&a, a.n, arena))
        u->status = gs_fail_memory(u->err);
    if (u->status == GS_OK && n_open > 0) {
        a.tally.fold = &gs_task_event_fold;
        s = gs_state_load(a.tally.fold, &a.facts, &a.tally.state, NULL, u, arena);
    }
    for (size_t i = 0; s == GS_OK && u->status == GS_OK && i < a.n; i++)
        s = load_one(q, file, u, &a, i, arena);
    if (s == GS_OK && u->status == GS_OK)
        *answer = a;
    return u->status;
}

/* --- adding --------------------------------------------------------------------------------------------------- */

/* A state of its own like that of `from`, for another event's question. */
static enum gs_status copy_job(const struct gs_query *q, const struct gs_partial_result *from,
                               struct gs_str event, struct gs_fold_job *job, struct gs_arena *arena,
                               struct gs_err *err)
{
    GS_OWN struct gs_arena bytes = {0}, scratch = {0};
    const struct gs_fold *const fold = from->job[0].fold;
    /* rows stay where the bytes are */
    struct gs_buf b = {.arena = fold->has_rows ? arena : &bytes};
    const struct gs_saving how = {.b = &b, .here = true, .scratch = &scratch};
    const void *const parsed = gs_question_about(q, event);
    GS_TRY(gs_had_memory(parsed != NULL, err));
    GS_TRY(gs_question_job(q, parsed, job, err));
    GS_TRY(gs_state_save(fold, &from->job[0].state, &how, err));
    struct gs_unpacker u = gs_unpack("a state in memory", gs_buf_str(&b), err);
    return gs_state_load(job->fold, &from->facts, &job->state, from->job[0].state.rows.file, &u,
                         arena);
}

/*
 * States of the events of both; one that has none of an event has the state of any other for
 * it. Where only one side has an event, the other side's job 0 is copied: it holds what the
 * other hosts have without that event. The copy is needed because a merge consumes its second
 * state.
 */
static enum gs_status unite(const struct gs_query *q, struct gs_partial_result *a,
                            const struct gs_partial_result *other, struct gs_arena *arena,
                            struct gs_err *err)
{
    struct gs_partial_result both = *a;
    enum gs_status s =
        gs_answer_collect_jobs(&both, a->n + other->n, arena) ? GS_OK : gs_fail_memory(err);
    both.n = 1;
    if (s == GS_OK)
        both.job[0] = a->job[0];
    for (size_t i = 1, k = 1; s == GS_OK && (i < a->n || k < other->n); both.n++) {
        int order;
        if (i == a->n)
            order = 1;
        else if (k == other->n)
            order = -1;
        else
            order = gs_str_compare(a->event[i], other->event[k]);
        struct gs_fold_job *const job = &both.job[both.n];
        both.event[both.n] = order <= 0 ? a->event[i] : other->event[k];
        struct gs_fold_job from = order > 0 ? other->job[k] : (struct gs_fold_job){0};
        if (order > 0) {
            s = copy_job(q, a, both.event[both.n], job, arena, err);
        } else {
            *job = a->job[i];
            if (order == 0)
                from = other->job[k];
            else
                s = copy_job(q, other, both.event[both.n], &from, arena, err);
        }
        GS_THEN(s, gs_state_merge(job->fold, &job->state, &from.state, arena, err));
        i += order <= 0;
        k += order >= 0;
    }
    if (s == GS_OK)
        *a = both;
    return s;
}

/* Job 0 is merged last, because unite() still copies it for events that one side lacks. */
enum gs_status gs_answer_add(const struct gs_query *q, struct gs_partial_result *a,
                             struct gs_partial_result *other, struct gs_arena *arena,
                             struct gs_err *err)
{
    const bool open = a->tally.fold != NULL;
    enum gs_status s = gs_facts_merge(&a->facts, &other->facts, arena, err);
    if (s == GS_OK && open)
        s = gs_state_merge(a->tally.fold, &a->tally.state, &other->tally.state, arena, err);
    if (open && a->facts.names.event_seen) /* by its usual name: that is the first state of both */
        a->n = other->n = 1;
    if (s == GS_OK && open)
        s = unite(q, a, other, arena, err);
    return s == GS_OK
               ? gs_state_merge(a->job[0].fold, &a->job[0].state, &other->job[0].state, arena, err)
               : s;
}

/*
 * Only here, after all parts have been added, is it known whether the usual event occurs
 * anywhere.
 */
enum gs_status gs_answer_settle(const struct gs_query *q, const struct gs_partial_result *a,
                                const struct gs_fold_job **job, const void **parsed,
                                struct gs_notes *notes, struct gs_err *err)
{
    const bool open = a->tally.fold != NULL && !a->facts.names.event_seen;
    const char *const asked = gs_question_event(q);
    struct gs_str task;
    *job = &a->job[0];
    *parsed = q->parsed;
    if (!open || gs_task_event_list(&a->tally.state, &task, 1) == 0)
        return gs_part_names_check(&a->facts.names, asked, err);
    for (size_t i = 1; i < a->n; i++)
        if (gs_str_eq(a->event[i], task))
            *job = &a->job[i];
    if (*job == &a->job[0])
        return gs_fail(err, GS_ERR_DATA,
                       "no event is called %s, and a part of the run has no counts of %s: it has "
                       "more than %d kinds of events. Name the task with --event",
                       asked, GS_SHOWN(task, 96), (int)GS_TASK_EVENTS_MAX);
    *parsed = gs_question_about(q, task);
    GS_TRY(gs_had_memory(*parsed != NULL, err));
    gs_task_event_note(gs_question_event(&(struct gs_query){*parsed, q->context}), notes);
    return gs_part_names_check(&a->facts.names, NULL, err);
}
