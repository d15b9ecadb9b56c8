/* state_sum.c - parts come together. */
#include "args/state_sum.h"

#include <string.h>

#include "args/fold_part.h"

enum gs_status gs_state_sum_add(struct gs_state_sum *sum, struct gs_state_reader *reader, struct gs_err *err)
{
    struct gs_fold_job job = sum->job;
    struct gs_facts facts;
    enum gs_status s = gs_state_take(reader, &facts, &job, sum->arena, err);
    if (s != GS_OK)
        return s;
    if (!sum->any) {
        sum->job = job;
        sum->facts = facts;
        sum->any = true;
        return GS_OK;
    }
    s = gs_facts_merge(&sum->facts, &facts, err);
    return s == GS_OK ? gs_state_merge(job.fold, &sum->job.state, &job.state, sum->arena, err) : s;
}

/* The frames of the state that everything came to, and the figure of the last. */
static enum gs_status finish(const struct gs_state_sum *sum, const struct gs_fold_command *f, const void *parsed,
                             const struct gs_context *context, struct gs_frames *out, struct gs_err *err)
{
    const struct gs_fold_job *const job = &sum->job;
    void *also = NULL;
    const enum gs_status named = gs_part_names_check(&sum->facts.names, gs_fold_command_event(f, parsed), err);
    if (named != GS_OK)
        return named;
    if (context->draws && f->also_size > 0 && (also = gs_arena_take(context->arena, 1, f->also_size)) == NULL)
        return gs_fail_memory(err);
    const enum gs_status s =
        job->fold->finish(job->options, &job->state, &sum->facts, context->n_threads, context->arena, out, also, err);
    if (s == GS_OK && f->plot != NULL)
        out->last->plot = f->plot;
    return s == GS_OK && context->draws && f->draw != NULL ? f->draw(parsed, context, also, out, err) : s;
}

/* Columns of energies say, for --explain, what the sensors are like that they come from. */
static enum gs_status tell_sensors(const struct gs_sensor_tally *t, const struct gs_frames *out, struct gs_arena *arena,
                                   struct gs_err *err)
{
    for (struct gs_frame *f = t->n == 0 ? NULL : out->first; f != NULL; f = f->next)
        for (size_t c = 0; c < f->n_columns; c++) {
            const struct gs_column_spec *const old = f->columns[c].spec;
            struct gs_buf how = {.arena = arena};
            if (strcmp(old->name, "energy_low_j") != 0)
                continue;
            struct gs_column_spec *const spec = gs_arena_take(arena, 1, sizeof *spec);
            gs_buf_format(&how, "%s; sensors of %llu %s: ", old->how, (unsigned long long)t->n,
                          t->n == 1 ? "GPU" : "GPUs");
            gs_sensor_tally_describe(t, &how);
            if (spec == NULL || how.failed)
                return gs_fail_memory(err);
            *spec = *old;
            spec->how = how.ptr;
            f->columns[c].spec = spec;
        }
    return GS_OK;
}

enum gs_status gs_state_sum_finish(const struct gs_state_sum *sum, const struct gs_command *command, const void *parsed,
                                   const struct gs_state_head *head, const char *partial,
                                   const struct gs_context *context, struct gs_frames *out, struct gs_err *err)
{
    if (partial == NULL) {
        const enum gs_status told = finish(sum, command->folds, parsed, context, out, err);
        return told == GS_OK ? tell_sensors(&sum->facts.totals.sensors, out, context->arena, err) : told;
    }
    const enum gs_status s = gs_state_write(partial, head, &sum->facts, &sum->job, err);
    char shown[200];
    if (s == GS_OK)
        gs_note(&out->notes, GS_NOTE_INFO, "the state of %u of %u shards is in %s", (unsigned)head->n,
                (unsigned)head->n_shards, gs_escape(shown, sizeof shown, gs_str(partial)));
    return s;
}
