/* gpustat check - what is wrong with the data, with counts, places and hints. */
#include "args/dataset_opts.h"
#include "check/check.h"

struct check_opts {
    struct gs_dataset_opts dataset;
};

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET(struct check_opts, dataset),
    {0},
};

static const struct check_opts defaults = {0};

static enum gs_status run(const void *parsed, const struct gs_context *context, struct gs_frames *out,
                          struct gs_err *err)
{
    static const bool need[GS_N_TABLES] = {true, true, true}, optional[GS_N_TABLES] = {[GS_TABLE_TASKS] = true};
    const struct check_opts *const o = parsed;
    struct gs_dataset data;
    const enum gs_status s = gs_dataset_opts_load(&o->dataset, context, need, optional, true, &data, out, err);
    return s == GS_OK ? gs_check(&data, context->n_threads, context->arena, out, err) : s;
}

static const struct gs_example examples[] = {
    {"gpustat check data/", "what is wrong with the data, and where"},
    {"gpustat check data/ --format json", "the same for a pipeline; the exit status is 1 where something is wrong"},
    {0},
};

const struct gs_command gs_cmd_check = {
    .name = "check",
    .summary = "what is wrong with the data: duplicates, orphans, gaps, stuck sensors, missing tiles",
    .description =
        "Looks for exact duplicate rows, START without STOP and the reverse, hosts without samples, "
        "checkpoints outside the sampled time, gaps in the sampling, impossible and missing readings, "
        "sensors stuck at one value, tasks in one table and not in the other, tasks on several hosts, several GPUs on "
        "a host, and tiles that are missing or given twice. Each finding has a count, the place of the first row "
        "concerned, and a hint.\n\n"
        "The exit status is 1 where there is an error or a warning, 0 where there is only information.",
    .operands = "[DIR]",
    .operands_offset = offsetof(struct check_opts, dataset.dir),
    .operands_max = 1,
    .opts = opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .run = run,
    .examples = examples,
    .group = "the run",
};
