/* fold_part.c - reading some hosts of a run and folding them. */
#include "args/fold_part.h"

#include <string.h>

#include "base/shard.h"
#include "gather/survey.h"
#include "view/counts.h"

/* The hosts of a part among those of the dataset; NULL: all. */
static enum gs_status hosts_of(const struct gs_dataset *d, struct gs_shard part, const struct gs_survey *survey,
                               struct gs_arena *arena, bool **takes, struct gs_err *err)
{
    *takes = NULL;
    if (part.n == 1 && survey == NULL)
        return GS_OK;
    *takes = gs_arena_take(arena, d->host.n, sizeof **takes);
    if (*takes == NULL)
        return gs_fail_memory(err);
    for (uint32_t h = 0; h < d->host.n; h++)
        (*takes)[h] = survey != NULL ? gs_survey_keeps(survey, d->host.text[h])
                                     : gs_shard_of(d->host.text[h], part.n) == part.shard;
    return GS_OK;
}

/* The options with the event that is the task, if none was given. */
static enum gs_status settle_task_event(const struct gs_context *context, const struct gs_dataset *d,
                                        const void **parsed, struct gs_notes *notes, struct gs_err *err)
{
    const struct gs_command *const c = context->command;
    const size_t at = c->folds->task_event;
    const char *usual, *given, *event;
    if (at == 0)
        return GS_OK;
    memcpy(&usual, (const char *)c->defaults + at, sizeof usual);
    memcpy(&given, (const char *)*parsed + at, sizeof given);
    if (given != usual)
        return GS_OK;
    char *const copy = gs_arena_take(context->arena, c->opts_size, 1);
    if (copy == NULL)
        return gs_fail_memory(err);
    const enum gs_status s = gs_task_event(d, usual, context->n_threads, &event, notes, err);
    if (s != GS_OK)
        return s;
    memcpy(copy, *parsed, c->opts_size);
    memcpy(copy + at, &event, sizeof event);
    *parsed = copy;
    return GS_OK;
}

const char *gs_fold_command_event(const struct gs_fold_command *f, const void *parsed)
{
    const char *event = NULL;
    const size_t at = f->task_event > 0 ? f->task_event : f->event;
    if (at > 0)
        memcpy(&event, (const char *)parsed + at, sizeof event);
    return event;
}

enum gs_status gs_fold_command_job(const void *parsed, const struct gs_context *context, struct gs_fold_job *job,
                                   struct gs_err *err)
{
    const struct gs_fold_command *const f = context->command->folds;
    void *const options = gs_arena_take(context->arena, 1, f->options_size);
    if (options == NULL)
        return gs_fail_memory(err);
    *job = (struct gs_fold_job){.fold = f->choose == NULL ? f->fold : f->choose(parsed), .options = options};
    if (f->options == NULL)
        return GS_OK;
    const enum gs_status s = f->options(parsed, options, err);
    if (f->draws > 0)
        memcpy((char *)options + f->draws, &context->draws, sizeof context->draws);
    return s;
}

enum gs_status gs_fold_part(const void *parsed, const struct gs_context *context, struct gs_shard part,
                            struct gs_survey *survey, struct gs_fold_job *job, struct gs_facts *facts,
                            struct gs_frames *out, struct gs_err *err)
{
    const struct gs_fold_command *const f = context->command->folds;
    const struct gs_survey *const before = gs_survey_learned(survey);
    struct gs_dataset_opts o = *gs_fold_command_dataset(f, parsed);
    struct gs_dataset d;
    bool *takes, need[GS_N_TABLES];
    memcpy(need, f->need, sizeof need);
    if (f->needs != NULL)
        f->needs(parsed, need);
    o.shard = part.shard;
    o.n_shards = part.n;
    o.own_tasks = !f->all_tasks;
    o.survey = survey;
    enum gs_status s = gs_dataset_opts_load(&o, context, need, f->optional, f->places, &d, out, err);
    if (s == GS_OK && part.n == 1 && survey == NULL)
        s = settle_task_event(context, &d, &parsed, &out->notes, err);
    if (s == GS_OK)
        s = gs_fold_command_job(parsed, context, job, err);
    if (s == GS_OK)
        s = hosts_of(&d, part, before, context->arena, &takes, err);
    if (s == GS_OK)
        s = gs_folds_run(&d, takes, job, 1, context->n_threads, context->arena, facts, err);
    return s == GS_OK && !gs_part_names_of(&d, gs_fold_command_event(f, parsed), &facts->names) ? gs_fail_memory(err)
                                                                                                : s;
}
