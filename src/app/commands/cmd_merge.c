/* gpustat merge - the result of shards from their states. */
#include "app/engine/merge_states.h"

struct merge_opts {
    struct gs_list parts;
    const char *partial;
};

static const struct gs_opt opts[] = {
    {0, NULL, GS_OPT_GROUP, 0, .help = "output"},
    {0, "partial", GS_OPT_FILE, offsetof(struct merge_opts, partial), .arg = "FILE",
     .use = GS_FILE_WRITTEN,
     .help = "write the merged state there, for a later merge, instead of printing the result"},
    {0},
};

static const struct merge_opts defaults = {0};

static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    const struct merge_opts *const o = parsed;
    return gs_merge_states(&o->parts, o->partial, context, out, err);
}

static const struct gs_example examples[] = {
    {"gpustat merge shard-*.state", "the result, from the partial results of all shards"},
    {"gpustat merge shard-*.state --format csv -o events.csv",
     "every option of output is merge's own"},
    {0},
};

/* clang-format off */
const struct gs_command gs_cmd_merge = {
    .name = "merge",
    .summary = "the result of a command from partial results",
    .description =
        "Prints what a command prints for a whole run, to the byte, from partial results of it. There are two ways to make "
        "them. --shard 3/8 --partial FILE takes the hosts of shard 3 out of the files, which all shards read. --part 3/8 "
        "--partial FILE takes all hosts of its own files: data that lie in parts already, such as a log per rack, need no "
        "split; each part also gets the task table of the run, if there is one. Sorting, format, figures and output are "
        "merge's own options.\n\n"
        "A partial result holds the SHA-256 of every file it was made from, the rows of each, and its hosts. merge refuses, "
        "by name, partial results of different commands, options, versions or data, a shard or part that is missing or "
        "there twice, and a host that is in two. With --partial the merged result is written for a later merge.",
    .operands = "PART...",
    .operands_offset = offsetof(struct merge_opts, parts),
    .operands_min = 1,
    .operands_max = 65536,
    .opts = opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .run = run,
    .examples = examples,
    .group = "scale",
};
/* clang-format on */
