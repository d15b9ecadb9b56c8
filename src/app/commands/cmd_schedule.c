/* gpustat schedule - how well the GPUs were kept busy. */
#include "app/passes/fold_command.h"
#include "app/charts/figures.h"
#include "data/result/plot.h"
#include "analysis/schedule/schedule.h"

struct schedule_opts {
    struct gs_run_opts run;
    struct gs_schedule_options fold;
};

static const char *const by_words[] = {"job", "host", NULL};

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    {0, NULL, GS_OPT_GROUP, 0, .help = "tasks"},
    GS_OPT_TASK,
    {0, "by", GS_OPT_CHOICE, offsetof(struct schedule_opts, fold.by_worker), .choices = by_words,
     .help = "one row per job and one for all, or one per host"},
    GS_OPTS_SCALE,
    {0},
};

static const struct schedule_opts defaults = {
    .run = {.dataset = {.duplicates = GS_DUPLICATES_DROP, .counts_once = true},
            .event = GS_USUAL_TASK}};

static const struct gs_panel panels[] = {
    GS_PANEL(SCATTER, BUSY_PCT, TASKS, .title = "Tasks and busy share"),
    GS_PANEL(SCATTER, LAST_STOP, TASKS, .title = "When each worker finished"),
};

const struct gs_plot gs_schedule_figures = GS_FIGURE(
    panels, "schedule", "How the workers were kept busy",
    .caption = "One point per worker: its share of the makespan with a task, and when its last "
               "task stopped.");

static enum gs_status draw(const struct gs_figure_of *of, struct gs_frames *out, struct gs_err *err)
{
    const struct gs_schedule_frames *const frames = of->also;
    struct gs_plot *const own =
        gs_plot_over(&gs_schedule_figures, frames->workers, of->context->arena);
    GS_TRY(gs_had_memory(own != NULL, err));
    out->last->plot = own;
    const struct gs_plot *tail;
    GS_TRY(gs_tail_figure(frames->workers, "schedule-tail", of->context->arena, &tail, err));
    return gs_run_figure(frames, "schedule-run", tail, of->context->arena, &own->next, err);
}

static const struct gs_fold_command folds = {
    .equal_tasks = GS_TASKS_EQUAL,
    .event = GS_EVENT_TASK,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .optional = {[GS_TABLE_SAMPLES] = true},
    .fold = &gs_schedule_fold,
    .options_at = offsetof(struct schedule_opts, fold),
    .options_size = sizeof(struct gs_schedule_options),
    .task = offsetof(struct gs_schedule_options, event),
    .compares_tasks = true,
    .draws = offsetof(struct gs_schedule_options, spans),
    .also_size = sizeof(struct gs_schedule_frames),
    .draw = draw,
};

const struct gs_command gs_cmd_schedule = {
    GS_FOLD_COMMAND(schedule, struct schedule_opts, opts, defaults, folds),
    .summary = "how well the GPUs were kept busy: makespan, gaps between tasks, the tail",
};
