/* gpustat split - deals a run's rows out to files by host. */
#include "app/options/dataset_opts.h"
#include "input/detect/run_map.h"
#include "app/cluster/split_mapped.h"
#include "input/import/map_agree.h"

struct split_opts {
    struct gs_run_opts run;
    uint64_t n_parts;
};

/* clang-format off */
static const struct gs_opt opts[] = {
    {.kind = GS_OPT_GROUP, .help = "input"},
    GS_OPTS_FILES,
    {0, NULL, GS_OPT_GROUP, 0, .help = "output"},
    {0, "parts", GS_OPT_COUNT, offsetof(struct split_opts, n_parts), .arg = "N",
     .help = "how many parts the hosts are partitioned into", .min = 1, .max = GS_SPLIT_PARTS_MAX},
    {0},
};
/* clang-format on */

static const struct split_opts defaults = {.n_parts = 16};

static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    const struct split_opts *const o = parsed;
    struct gs_split_options split = {
        .inputs = {.n_threads = context->n_threads, .seed = context->seed},
        .out = context->output,
        .n_parts = (uint32_t)o->n_parts};
    if (split.out == NULL)
        return gs_fail(err, GS_ERR_USAGE, "split: needs -o OUT, a directory for the parts");
    for (int k = 0; k < GS_N_TABLES; k++)
        split.inputs.need[k] = split.inputs.optional[k] = true;
    struct gs_map_request request;
    gs_dataset_opts_request(&o->run.dataset, context, &out->notes, &request);
    struct gs_map map = {0};
    struct gs_err fault = {GS_OK, ""};
    split.inputs.zone = o->run.dataset.zone;
    enum gs_status s = gs_run_map(&request, &split.inputs, context->arena, &map, &fault);
    if (s == GS_OK && gs_split_keeps_rows(&map))
        return gs_split(&map, &split, context->arena, out, err);
    if (s == GS_OK && map.n_sources == 0 && map.n_unused > 0) {
        return gs_fail(err, GS_ERR_DATA, "%s: %s", GS_SHOWN(map.unused[0].path, 300),
                       map.unused[0].why);
    }
    if (s != GS_OK)
        return gs_fail(err, s, "%s", fault.text);
    const struct gs_mapper_options mapper = {.zone = o->run.dataset.zone, .seed = context->seed};
    s = gs_map_agree_roles(&map, err);
    return s == GS_OK ? gs_split_mapped(&map, &split, &mapper, gs_gives(context, "tz"),
                                        context->arena, out, err)
                      : s;
}

const struct gs_command gs_cmd_split = {
    GS_COMMAND(split, struct split_opts, opts, defaults),
    GS_OPERANDS_RUN,
    .summary = "partition a run by host into packed files",
    .run = run,
    .no_figure = "it deals rows out and measures nothing",
    .group = "scale",
    .writes_directory = true,
};
