/* gpustat jobs - what each job, user or account held, used and left idle. */
#include "app/passes/fold_command.h"
#include "app/charts/figures.h"
#include "analysis/jobs/jobs.h"
#include "data/result/plot.h"

struct jobs_opts {
    struct gs_run_opts run;
    const char *by;
    int share; /* enum gs_jobs_share */
    double idle_below_pct;
};

static const char *const share_words[] = {"alloc", "first-fit", "node", NULL};

/* clang-format off */
static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    {0, NULL, GS_OPT_GROUP, 0, .help = "jobs"},
    {0, "by", GS_OPT_TEXT, offsetof(struct jobs_opts, by), .arg = "KEY[,KEY]", .unset = "each job",
     .help = "one row for each of these: user, account, partition, name, state, host, job, an attribute of the jobs, or day, hour, week in the zone of --tz"},
    {0, "share", GS_OPT_CHOICE, offsetof(struct jobs_opts, share), .choices = share_words,
     .help = "GPUs of a shared node, where neither labels nor jobs name them: the free ones are those of lowest power and the "
             "rest is divided; or a job got the lowest free indices; or each job holds the whole node"},
    {0, "idle-below", GS_OPT_REAL, offsetof(struct jobs_opts, idle_below_pct), .arg = "PCT", .real_min = 0, .real_max = 100,
     .above_min = true, .help = "a GPU is idle at a utilisation below this"},
    GS_OPTS_SCALE,
    {0},
};
/* clang-format on */

static const struct jobs_opts defaults = {
    .run = {.dataset = {.duplicates = GS_DUPLICATES_DROP, .counts_once = true}},
    .idle_below_pct = GS_IDLE_BELOW_PCT};

static const struct gs_panel panels[] = {
    GS_PANEL(BARS, NONE, WASTED_GPU_H, .title = "GPU-hours held idle", .largest_first = true,
             .low = GS_COL_WASTED_LOW_GPU_H, .high = GS_COL_WASTED_HIGH_GPU_H,
             .y_label = "wasted GPU time (h)"),
    GS_PANEL(BARS, NONE, ENERGY_J, .title = "Energy, with its 95 % interval",
             .low = GS_COL_ENERGY_LOW_J, .high = GS_COL_ENERGY_HIGH_J, .y_label = "energy (J)"),
};

static const struct gs_panel held_panels[] = {
    GS_PANEL(BARS, NONE, GPU_H, .title = "GPU-hours held", .largest_first = true,
             .y_label = "GPU-hours"),
};

static const struct gs_plot figure = GS_FIGURE(
    panels, "jobs", "Waste and energy",
    .caption = "GPU-hours that each held idle, and the energy of all GPU-hours that each held.");

static const struct gs_plot held_figure =
    GS_FIGURE(held_panels, "jobs", "GPU-hours held",
              .caption = "GPUs held times hours; without samples, what the GPUs did is not known.");

enum gs_status gs_jobs_figure(const struct gs_frame *f, const char *name, struct gs_arena *arena,
                              const struct gs_plot **plot, struct gs_err *err)
{
    struct gs_panel *own;
    const bool sampled = gs_frame_has_values(f, GS_COL_ENERGY_J);
    struct gs_plot *const copy = gs_plot_copy(sampled ? &figure : &held_figure, arena, &own);
    *plot = copy;
    GS_TRY(gs_had_memory(copy != NULL, err));
    copy->name = name;
    copy->of = f;
    for (int i = 0; i < copy->n_panels; i++) {
        own[i].x = f->columns[0].spec->id;
        own[i].x_label = f->columns[0].spec->label;
    }
    return GS_OK;
}

static enum gs_status draw(const struct gs_figure_of *of, struct gs_frames *out, struct gs_err *err)
{
    return gs_jobs_figure(out->last, figure.name, of->context->arena, &out->last->plot, err);
}

static enum gs_status options(const void *parsed, void *of_fold, struct gs_err *err)
{
    const struct jobs_opts *const o = parsed;
    struct gs_jobs_options *const jobs = of_fold;
    *jobs =
        (struct gs_jobs_options){.share = (enum gs_jobs_share)o->share,
                                 .idle_below = (int64_t)(o->idle_below_pct * GS_FIXED_ONE + 0.5),
                                 .zone = o->run.dataset.zone};
    return o->by == NULL ? GS_OK : gs_keys_parse(o->by, jobs->key, &jobs->n_keys, err);
}

static const struct gs_fold_command folds = {
    .equal_tasks = GS_TASKS_JOBS,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .optional = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .fold = &gs_jobs_fold,
    .options_size = sizeof(struct gs_jobs_options),
    .options = options,
    .brief = offsetof(struct gs_jobs_options, brief),
    .for_people = offsetof(struct gs_jobs_options, for_people),
    .draw = draw,
};

const struct gs_command gs_cmd_jobs = {
    GS_FOLD_COMMAND(jobs, struct jobs_opts, opts, defaults, folds),
    .summary = "what each job, user or account held, used and left idle",
};
