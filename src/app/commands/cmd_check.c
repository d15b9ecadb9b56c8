/* gpustat check - what is wrong with the data, with counts, places and hints. */
#include "app/passes/fold_command.h"
#include "analysis/check/check.h"
#include "app/commands/accept.h"

struct check_opts {
    struct gs_run_opts run;
    struct gs_list accept, accept_file;
};

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    {0, NULL, GS_OPT_GROUP, 0, .help = "known findings"},
    {0, "accept", GS_OPT_LIST, offsetof(struct check_opts, accept), .arg = "ID[,ID]",
     .help = "findings that are known: shown as accepted, and no reason for exit status 1"},
    {0, "accept-file", GS_OPT_FILES, offsetof(struct check_opts, accept_file), .arg = "FILE",
     .help = "the same from a file, one ID a line, # begins a comment"},
    GS_OPTS_SCALE,
    {0},
};

static const struct check_opts defaults = {
    .run = {.dataset = {.duplicates = GS_DUPLICATES_DROP, .counts_once = true}}};

static enum gs_status options(const void *parsed, void *of_fold, struct gs_err *err)
{
    const struct check_opts *const o = parsed;
    GS_OWN struct gs_arena scratch = {0};
    return gs_accept(&o->accept, &o->accept_file, &scratch, of_fold, err);
}

static const struct gs_fold_command folds = {
    .all_tasks = true,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .optional = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .places = true,
    .fold = &gs_check_fold,
    .options_size = sizeof(struct gs_accepted),
    .options = options,
};

const struct gs_command gs_cmd_check = {
    GS_FOLD_COMMAND(check, struct check_opts, opts, defaults, folds),
    .summary =
        "what is wrong with the data: duplicates, orphans, gaps, stuck sensors, missing tiles",
    .no_figure = "findings are words with places; the table lists them all",
};
