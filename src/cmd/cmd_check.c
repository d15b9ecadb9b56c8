/* gpustat check - what is wrong with the data, with counts, places and hints. */
#include "args/dataset_opts.h"
#include "check/check.h"
#include "cmd/accept.h"

struct check_opts {
    struct gs_dataset_opts dataset;
    struct gs_list accept, accept_file;
};

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET(struct check_opts, dataset),
    {0, NULL, GS_OPT_GROUP, 0, .help = "known findings"},
    {0, "accept", GS_OPT_LIST, offsetof(struct check_opts, accept), .arg = "ID[,ID]",
     .help = "findings that are known: shown as accepted, and no reason for exit status 1"},
    {0, "accept-file", GS_OPT_FILES, offsetof(struct check_opts, accept_file), .arg = "FILE",
     .help = "the same from a file, one ID a line, # begins a comment"},
    {0},
};

static const struct check_opts defaults = {0};

static enum gs_status run(const void *parsed, const struct gs_context *context, struct gs_frames *out,
                          struct gs_err *err)
{
    static const bool need[GS_N_TABLES] = {true, true, true}, optional[GS_N_TABLES] = {[GS_TABLE_TASKS] = true};
    const struct check_opts *const o = parsed;
    struct gs_dataset data;
    struct gs_accepted accepted = {0};
    struct gs_arena scratch = {0};
    enum gs_status s = gs_accept(&o->accept, &o->accept_file, &scratch, &accepted, err);
    gs_arena_release(&scratch);
    if (s == GS_OK)
        s = gs_dataset_opts_load(&o->dataset, context, need, optional, true, &data, out, err);
    return s == GS_OK ? gs_fold_frames(&data, &gs_check_fold, &accepted, context->n_threads, context->arena, out, NULL, err)
                      : s;
}

static const struct gs_example examples[] = {
    {"gpustat check data/", "what is wrong with the data, and where"},
    {"gpustat check data/ --format json", "the same for a pipeline; the exit status is 1 where something is wrong"},
    {"gpustat check data/ --accept duplicate-checkpoints,duplicate-samples", "exit status 1 for anything else"},
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
        "concerned, a hint, and an id that never changes.\n\n"
        "The exit status is 1 where there is an error or a warning, 0 where there is only information. Findings that "
        "are known and accepted are named by their ids with --accept or in a file: they are shown as accepted and do "
        "not count. Duplicate rows that --duplicates drop has dropped are information.",
    .operands = "[DIR|FILE...]",
    .operands_offset = offsetof(struct check_opts, dataset.dir),
    .operands_max = 4096,
    .opts = opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .run = run,
    .examples = examples,
    .no_figure = "its findings are words with places; the table says them all",
    .group = "the run",
};
