/* fold_command.c - the run in shards and passes: each looks at some hosts, what they come to is added up. */
#include "app/passes/fold_command.h"

#include <string.h>

#include "app/passes/fold_passes.h"

#include "base/core/shard.h"
#include "base/num/decimal.h"

/* "3/8" */
static enum gs_status parse_shard(const char *option, const char *text, struct gs_shard *part,
                                  struct gs_err *err)
{
    uint64_t i, n;
    const char *const slash = text == NULL ? NULL : strchr(text, '/');
    if (text == NULL)
        return GS_OK;
    if (slash == NULL ||
        gs_count_parse((struct gs_str){text, (size_t)(slash - text)}, GS_SHARDS_MAX, &i) !=
            GS_NUMBER_OK ||
        gs_count_parse(gs_str(slash + 1), GS_SHARDS_MAX, &n) != GS_NUMBER_OK || i < 1 || i > n)
        return gs_fail(err, GS_ERR_USAGE,
                       "%s: '%s' must be I/N, such as 1/8: I from 1 to N, N at most %d", option,
                       GS_SHOWN(gs_str(text), 64), (int)GS_SHARDS_MAX);
    part->shard = (uint32_t)i - 1;
    part->n = (uint32_t)n;
    return GS_OK;
}

/* What is looked at: a shard of the files' hosts, or all of them as a part of a run. */
static enum gs_status parse_part(const struct gs_scale_opts *o, struct gs_shard *part,
                                 struct gs_err *err)
{
    *part = (struct gs_shard){.n = 1};
    if (o->part != NULL && o->shard != NULL)
        return gs_fail(err, GS_ERR_USAGE,
                       "--part: takes all hosts of its files, --shard some; give one of them");
    if (o->part != NULL && o->partial == NULL)
        return gs_fail(err, GS_ERR_USAGE,
                       "--part: the result is of all parts; add --partial FILE, then run merge");
    GS_TRY(parse_shard("--shard", o->shard, part, err));
    GS_TRY(parse_shard("--part", o->part, part, err));
    if (o->part != NULL) {
        part->n_inputs = (GS_INPUTS_MAX - GS_TASK_INPUTS_MAX) / (part->n + 1);
        part->first_input = (part->shard + 1) * part->n_inputs;
    }
    return GS_OK;
}

/* Does this option name files of the run? Each part has its own. */
static bool names_input(const char *given)
{
    static const char *const options[] = {
        "--checkpoints=", "--events=", "--gpu=", "--samples=", "--tasks=", "--map="};
    bool names = false;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        names |= gs_str_begins(gs_str(given), options[i]);
    return names;
}

/* The options as what a state says of itself; operands first. */
static enum gs_status make_head(const struct gs_query *q, struct gs_shard part,
                                struct gs_state_head *head, struct gs_err *err)
{
    const struct gs_context *const context = q->context;
    struct gs_fold_job job;
    GS_NEW(char, layout, GS_FOLD_LAYOUT_MAX, context->arena, err);
    GS_TRY(gs_question_job(q, q->parsed, &job, err));
    gs_fold_layout(job.fold, layout);
    const struct gs_list *const operands =
        (const void *)((const char *)q->parsed + context->command->operands_offset);
    *head = (struct gs_state_head){.version = gs_str(context->version),
                                   .command = gs_str(context->command->name),
                                   .layout = gs_str(layout),
                                   .is_parts = part.first_input > 0,
                                   .n_shards = part.n,
                                   .n = 1};
    GS_TAKE(head->argument, context->given.n + operands->n, context->arena, err);
    GS_TAKE(head->shard, 1, context->arena, err);
    head->shard[0] = part.shard + 1;
    for (size_t i = 0; i < context->given.n; i++) {
        const char *const given = context->given.item[i];
        if (!gs_opt_is_written(context->command->opts, given) &&
            (part.first_input == 0 || !names_input(given)))
            head->argument[head->n_arguments++] = gs_str(given);
    }
    for (size_t i = 0; part.first_input == 0 && i < operands->n; i++)
        head->argument[head->n_arguments++] = gs_str(operands->item[i]);
    return GS_OK;
}

/* The answer of one run; `alone`: nothing is added to it. */
static enum gs_status gather(struct gs_shard part, bool alone, struct gs_state_sum *sum,
                             struct gs_memory_bound *bound, struct gs_frames *out,
                             struct gs_err *err)
{
    const struct gs_query *const q = &sum->question;
    const uint64_t max = q->parsed->scale.max_memory;
    if (max > 0)
        return gs_fold_passes(part, max, sum, bound, out, err);
    const enum gs_status s = gs_fold_part(q, part, alone, NULL, &sum->answer, out, err);
    sum->any = s == GS_OK;
    return s;
}

/* The answers of all runs, added up. What is known beside the states is that of all of them. */
static enum gs_status gather_runs(struct gs_shard part, struct gs_state_sum *sum,
                                  struct gs_memory_bound *bound, struct gs_frames *out,
                                  struct gs_err *err)
{
    const struct gs_query all = sum->question;
    const struct gs_fold_command *const f = all.context->command->folds;
    enum gs_status s = GS_OK;
    for (size_t k = 0; s == GS_OK; k++) {
        struct gs_arena own = {0};
        struct gs_state_sum one = {.question = all, .arena = &own};
        const void *parsed;
        s = f->run(all.parsed, k, all.context, &parsed, err);
        if (s != GS_OK || parsed == NULL)
            break;
        one.question.parsed = parsed;
        s = gather(part, false, &one, bound, out, err);
        gs_arena_adopt(sum->arena, &own);
        if (s == GS_OK && k == 0)
            sum->answer = one.answer;
        else if (s == GS_OK)
            s = gs_facts_join(&sum->answer.facts, &one.answer.facts, sum->arena, err);
        if (s == GS_OK && k > 0)
            s = gs_state_merge(one.answer.job[0].fold, &sum->answer.job[0].state,
                               &one.answer.job[0].state, sum->arena, err);
    }
    sum->any = s == GS_OK;
    return s;
}

enum gs_status gs_fold_command_run(const void *parsed, const struct gs_context *context,
                                   struct gs_frames *out, struct gs_err *err)
{
    const struct gs_scale_opts *const o = &((const struct gs_run_opts *)parsed)->scale;
    struct gs_arena states = {0};
    struct gs_state_sum sum = {.question = {parsed, context}, .arena = &states};
    struct gs_state_head head;
    struct gs_shard part;
    struct gs_memory_bound own = {0}, *const bound = context->bound != NULL ? context->bound : &own;
    gs_join_opts_notes(context->command, parsed, &out->notes);
    enum gs_status s = parse_part(o, &part, err);
    if (s == GS_OK && part.first_input > 0 && context->command->folds->run != NULL)
        s = gs_fail(err, GS_ERR_USAGE, "--part: %s reads several runs; use --shard",
                    context->command->name);
    GS_THEN(s, make_head(&sum.question, part, &head, err));
    if (part.first_input > 0) /* all hosts of its files */
        part = (struct gs_shard){0, 1, part.first_input, part.n_inputs};
    GS_THEN(s, context->command->folds->run != NULL
                   ? gather_runs(part, &sum, bound, out, err)
                   : gather(part, part.n == 1 && o->partial == NULL, &sum, bound, out, err));
    GS_THEN(s, gs_state_sum_finish(&sum, &head, o->partial, bound, out, err));
    if ((s == GS_OK || s == GS_FINDINGS) && context->bound == NULL &&
        gs_memory_bound_check(bound, err) != GS_OK)
        s = GS_ERR_USAGE;
    gs_arena_adopt(context->arena, &states); /* frames may point to texts of the states */
    return s;
}
