/* state_sum.c - parts come together. */
#include "app/passes/state_sum.h"

#include "data/result/plot.h"

/*
 * Bytes behind the last state are an error: a file that another version wrote must not be taken
 * for a shorter one.
 */
enum gs_status gs_state_sum_add(struct gs_state_sum *sum, struct gs_unpacker *bytes,
                                struct gs_err *err)
{
    struct gs_partial_result one;
    bytes->err = err;
    GS_TRY(gs_answer_load(&sum->question, sum->file, bytes, &one, sum->arena));
    if (bytes->at != bytes->end)
        GS_TRY(gs_unpack_fail(bytes, "found more behind the last state"));
    if (sum->any)
        return gs_answer_add(&sum->question, &sum->answer, &one, sum->arena, err);
    sum->answer = one;
    sum->any = true;
    return GS_OK;
}

/* The frames of the state that everything came to, and the figure of the last. */
static enum gs_status finish(const struct gs_state_sum *sum, struct gs_frames *out,
                             struct gs_err *err)
{
    const struct gs_context *const context = sum->question.context;
    const struct gs_fold_command *const f = context->command->folds;
    const struct gs_fold_job *job;
    const void *parsed;
    void *also = NULL;
    GS_TRY(gs_answer_settle(&sum->question, &sum->answer, &job, &parsed, &out->notes, err));
    gs_question_noun(&(struct gs_query){parsed, context}, out);
    if (context->draws && f->also_size > 0 &&
        (also = gs_arena_take(context->arena, 1, f->also_size)) == NULL)
        return gs_fail_memory(err);
    enum gs_status s =
        job->fold->finish(&(struct gs_finish){job->options, &job->state, &sum->answer.facts,
                                              context->n_threads, context->arena, also},
                          out, err);
    if (s == GS_OK && f->plot != NULL)
        out->last->plot = f->plot;
    if (s == GS_OK && f->plot != NULL && also != NULL) {
        out->last->plot = gs_plot_over(f->plot, *(struct gs_frame *const *)also, context->arena);
        s = gs_had_memory(out->last->plot != NULL, err);
    }
    return s == GS_OK && context->draws && f->draw != NULL
               ? f->draw(&(struct gs_figure_of){parsed, context, also}, out, err)
               : s;
}

/* The column of a frame that says how its energies come about: their lower bound's, else their own; n_columns: none. */
static size_t energy_column(const struct gs_frame *f)
{
    const int low = gs_frame_column(f, GS_COL_ENERGY_LOW_J);
    const int own = low < 0 ? gs_frame_column(f, GS_COL_ENERGY_J) : low;
    return own < 0 ? f->n_columns : (size_t)own;
}

/*
 * Columns of energies say, for --explain, what the sensors are like that they come from; gains
 * of cards are a note. Column specifications are constants of the program. The one that changes
 * is copied into the arena.
 */
static enum gs_status note_sensors(const struct gs_sensor_tally *t, struct gs_frames *out,
                                   struct gs_arena *arena, struct gs_err *err)
{
    for (struct gs_frame *f = t->n == 0 ? NULL : out->first; f != NULL; f = f->next) {
        const size_t c = energy_column(f);
        if (c == f->n_columns)
            continue;
        const struct gs_column_spec *const old = f->columns[c].spec;
        struct gs_buf how = {.arena = arena};
        gs_sensor_tally_note(t, &out->notes);
        GS_NEW(struct gs_column_spec, spec, 1, arena, err);
        gs_buf_format(&how, "%s; sensors of %llu %s: ", old->how, (unsigned long long)t->n,
                      gs_plural(t->n, "GPU", "GPUs"));
        gs_sensor_tally_describe(t, &how);
        GS_TRY(gs_had_memory(!how.failed, err));
        *spec = *old;
        spec->how = how.ptr;
        f->columns[c].spec = spec;
    }
    return GS_OK;
}

/*
 * The memory bound is checked before the file is committed: a run over its bound leaves no
 * state.
 */
static enum gs_status write_state(const char *path, const struct gs_state_head *head,
                                  const struct gs_partial_result *a,
                                  const struct gs_memory_bound *bound, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0}, scratch = {0};
    struct gs_buf b = {.arena = &own};
    struct gs_state_writer file = {0};
    enum gs_status s = gs_state_begin(&file, path, head, err);
    const struct gs_sink to = gs_state_sink(&file);
    const struct gs_saving how = {.b = &b, .to = &to, .scratch = &scratch};
    GS_THEN(s, gs_answer_save(a, &how, err));
    GS_THEN(s, gs_saving_hand_on(&how, err));
    GS_THEN(s, gs_memory_bound_check(bound, err));
    GS_THEN(s, gs_state_end(&file, err));
    gs_state_abandon(&file);
    return s;
}

enum gs_status gs_state_sum_finish(const struct gs_state_sum *sum, const struct gs_state_head *head,
                                   const char *partial, const struct gs_memory_bound *bound,
                                   struct gs_frames *out, struct gs_err *err)
{
    if (partial == NULL) {
        GS_TRY(finish(sum, out, err));
        return note_sensors(&sum->answer.facts.totals.sensors, out, sum->question.context->arena,
                            err);
    }
    GS_TRY(write_state(partial, head, &sum->answer, bound, err));
    gs_note(&out->notes, GS_NOTE_INFO, "%s holds the partial result of %u of %u %s",
            GS_SHOWN(gs_str(partial), 200), (unsigned)head->n, (unsigned)head->n_shards,
            head->is_parts ? "parts" : "shards");
    return GS_OK;
}
