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
    {"gpustat merge shard-*.state", "the result, from the states of all shards"},
    {"gpustat merge shard-*.state --format csv -o events.csv",
     "every option of output is merge's own"},
    {0},
};

/* clang-format off */
const struct gs_command gs_cmd_merge = {
    .name = "merge",
    .summary = "the result of a command from the states of its shards",
    .description =
        "A command that looks at a run host by host can be given a shard of it, and leave its state instead of its result: "
        "gpustat events run/ --shard 3/8 --partial 3.state. Merge puts the states of all shards together and prints, to "
        "the byte, what the command prints for the whole run; sorting, format, figures and output are merge's own "
        "options.\n\n"
        "All states must be of one command with the same options, of the same version, and of every shard once; what is "
        "missing or there twice is named. With --partial the merged state is written instead, for a later merge.",
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
