/* gpustat merge - the result of shards from their states. */
#include "app/passes/merge_states.h"

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

const struct gs_command gs_cmd_merge = {
    GS_COMMAND(merge, struct merge_opts, opts, defaults),
    GS_OPERANDS("PART...", struct merge_opts, parts, 1, 65536),
    .summary = "the result of a command from partial results",
    .run = run,
    .group = "scale",
};
