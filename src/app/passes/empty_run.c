/* empty_run.c - see empty_run.h. */
#include "app/passes/empty_run.h"

enum gs_status gs_empty_run(const struct gs_query *q, struct gs_frames *out, struct gs_err *err)
{
    struct gs_arena *const arena = q->context->arena;
    struct gs_metrics metrics = {0};
    struct gs_fold_job job;
    struct gs_facts facts;
    GS_TRY(gs_metrics_init(&metrics, arena, err));
    GS_NEW(const bool, has, metrics.n, arena, err);
    GS_NEW(uint32_t, first_gpu, 1, arena, err);
    const struct gs_dataset none = {.arena = arena,
                                    .seed = q->context->seed,
                                    .metric = metrics.metric,
                                    .has_metric = has,
                                    .n_metrics = metrics.n,
                                    .host_first_gpu = first_gpu,
                                    .host = {.arena = arena},
                                    .event = {.arena = arena},
                                    .job = {.arena = arena},
                                    .task = {.arena = arena},
                                    .gpu_name = {.arena = arena},
                                    .attributes = {.arena = arena}};
    GS_TRY(gs_question_job(q, q->parsed, &job, err));
    GS_TRY(gs_folds_run(&(struct gs_fold_way){&none, &job, 1, &facts}, 1, NULL, 1, arena, err));
    return job.fold->finish(&(struct gs_finish){job.options, &job.state, &facts, 1, arena, NULL},
                            out, err);
}
