/* gpustat bias - what the nearest join hides, event by event. */
#include "args/fold_command.h"
#include "figures/figures.h"
#include "run/bias.h"
#include "model/plot.h"

struct bias_opts {
    struct gs_dataset_opts dataset;
    struct gs_scale_opts scale;
    struct gs_join_opts join; /* ties_later and tolerance_ns */
};

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET(struct bias_opts, dataset),
    {0, NULL, GS_OPT_GROUP, 0, .help = "nearest join"},
    {0, "tolerance", GS_OPT_DURATION, offsetof(struct bias_opts, join.tolerance_ns), .arg = "TIME",
     .unset = "any distance", .help = "take no sample further away than this"},
    {0, "ties", GS_OPT_CHOICE, offsetof(struct bias_opts, join.ties), .choices = gs_ties_words,
     .help = "of two samples equally near, take the earlier or the later"},
    GS_OPTS_SCALE(struct bias_opts, scale),
    {0},
};

static const struct bias_opts defaults = {.dataset = {.duplicates = GS_DUPLICATES_DROP}, .join = GS_JOIN_DEFAULTS};

/* clang-format off */
static const struct gs_panel panels[] = {
    {.kind = GS_PLOT_HISTOGRAM_GROUPED, .title = "Mean power", .x = "event", .y = "power_mean_w", .group = "join", .count = "sampled", .of = "n"},
    {.kind = GS_PLOT_HISTOGRAM_GROUPED, .title = "Mean GPU utilisation", .x = "event", .y = "gpu_util_mean_pct",
     .group = "join", .count = "sampled", .of = "n"},
};
/* clang-format on */

const struct gs_plot gs_bias_figures = {
    .name = "bias",
    .title = "Nearest against window join",
    .caption = "Each event by the samples nearest to its two ends, and by all samples inside it.",
    .n_panels = 2,
    .panels = panels,
};

static enum gs_status jobs(const void *parsed, const struct gs_context *context, struct gs_fold_job *job,
                           size_t *n_jobs, struct gs_err *err)
{
    const struct bias_opts *const o = parsed;
    struct gs_join_options *const options = gs_arena_take(context->arena, 1, sizeof *options);
    if (options == NULL)
        return gs_fail_memory(err);
    *options = gs_join_opts_get(&o->join);
    job[0] = (struct gs_fold_job){.fold = &gs_bias_fold, .options = options};
    *n_jobs = 1;
    return GS_OK;
}

static enum gs_status finish(const void *parsed, const struct gs_context *context, const struct gs_fold_job *job,
                             const struct gs_facts *facts, struct gs_frames *out, struct gs_err *err)
{
    struct gs_bias_frames frames;
    struct gs_panel *copied;
    (void)parsed;
    const enum gs_status s =
        job->fold->finish(job->options, &job->state, facts, context->n_threads, context->arena, out, &frames, err);
    if (s != GS_OK)
        return s;
    struct gs_plot *const own = gs_plot_copy(&gs_bias_figures, context->arena, &copied);
    if (own == NULL)
        return gs_fail_memory(err);
    own->of = frames.by_join;
    frames.bias->plot = own;
    return GS_OK;
}

static const struct gs_fold_command folds = {
    .dataset = offsetof(struct bias_opts, dataset),
    .scale = offsetof(struct bias_opts, scale),
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .jobs = jobs,
    .finish = finish,
};

static const struct gs_example examples[] = {
    {"gpustat bias data/", "what sampling each event only at its two ends hides"},
    {"gpustat bias data/ --format csv --sort power_bias_w", "the most understated event first"},
    {0},
};

const struct gs_command gs_cmd_bias = {
    .name = "bias",
    .summary = "what the nearest join hides: events at their ends against all samples inside",
    .description =
        "The nearest join looks at an event only at its START and its STOP. GPUs idle at these moments, so the event "
        "seems to draw little. This puts both joins side by side: per event and metric the mean by the nearest join, "
        "by all samples inside, and the mean difference over the pairs that have both; and the share of pairs that are "
        "too short to have a sample inside at all.",
    .operands = "[DIR|FILE...]",
    .operands_offset = offsetof(struct bias_opts, dataset.dir),
    .operands_max = 4096,
    .opts = opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .run = gs_fold_command_run,
    .folds = &folds,
    .examples = examples,
    .group = "the run",
};
