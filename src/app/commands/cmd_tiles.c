/* gpustat tiles - a map of what each tile took. */
#include "app/passes/fold_command.h"
#include "app/charts/figures.h"
#include "data/result/plot.h"
#include "analysis/gpus/tiles.h"
#include "stats/models/kmeans.h"

struct tiles_opts {
    struct gs_run_opts run;
    uint64_t level; /* LEVEL_NOT_GIVEN */
    struct gs_tiles_options fold;
};

enum { LEVEL_MAX = 1000000 };
#define LEVEL_NOT_GIVEN UINT64_MAX

static const char *const value_words[] = {"duration", "energy", "power", "host", "cluster", NULL};

/* clang-format off */
static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    {0, NULL, GS_OPT_GROUP, 0, .help = "map"},
    {0, "level", GS_OPT_COUNT, offsetof(struct tiles_opts, level), .arg = "N", .help = "zoom level", .max = LEVEL_MAX,
     .unset = "the one of most tiles"},
    {0, "value", GS_OPT_CHOICE, offsetof(struct tiles_opts, fold.value), .choices = value_words,
     .help = "what is shown of each tile"},
    {0, "event", GS_OPT_TEXT, offsetof(struct gs_run_opts, event), .arg = "NAME", .help = "the event that renders a tile"},
    {'k', "k", GS_OPT_COUNT, offsetof(struct tiles_opts, fold.k), .arg = "K", .help = "cluster: number of clusters", .min = 1,
     .max = GS_KMEANS_K_MAX, .unset = "found, 1 to 4"},
    GS_OPTS_SCALE,
    {0},
};
/* clang-format on */

static const struct tiles_opts defaults = {
    .run = {.dataset = {.duplicates = GS_DUPLICATES_DROP}, .event = GS_USUAL_TASK},
    .level = LEVEL_NOT_GIVEN,
    .fold = {.level = GS_MISSING, .max_gap_ns = -1},
};

#define MAP(column, stem, words)                                                                   \
    {                                                                                              \
        .name = "tiles-" stem, .title = "Tiles by " words, .n_panels = 1,                          \
        .caption = "One cell per tile, where it lies in the picture.",                             \
        .panels = (const struct gs_panel[]){                                                       \
            {.kind = GS_PLOT_HEAT, .x = GS_COL_X, .y = GS_COL_Y, .value = column, .down = true}},  \
    }

const struct gs_plot gs_tiles_figures[] = {
    [GS_TILE_DURATION] = MAP(GS_COL_DURATION_MS, "duration", "duration"),
    [GS_TILE_ENERGY] = MAP(GS_COL_ENERGY_J, "energy", "energy"),
    [GS_TILE_POWER] = MAP(GS_COL_POWER_MEAN_W, "power", "power"),
    [GS_TILE_HOST] = MAP(GS_COL_HOSTNAME, "host", "host"),
    [GS_TILE_CLUSTER] = MAP(GS_COL_CLUSTER, "cluster", "group"),
};

static void needs(const void *parsed, bool need[GS_N_TABLES])
{
    const struct tiles_opts *const o = parsed;
    need[GS_TABLE_SAMPLES] |= o->fold.value == GS_TILE_ENERGY || o->fold.value == GS_TILE_POWER ||
                              o->fold.value == GS_TILE_CLUSTER;
}

static enum gs_status options(const void *parsed, void *of_fold, struct gs_err *err)
{
    const struct tiles_opts *const o = parsed;
    (void)err;
    if (o->level != LEVEL_NOT_GIVEN)
        ((struct gs_tiles_options *)of_fold)->level = (int64_t)o->level;
    return GS_OK;
}

static enum gs_status draw(const struct gs_figure_of *of, struct gs_frames *out, struct gs_err *err)
{
    const struct tiles_opts *const o = of->parsed;
    (void)err;
    out->last->plot = &gs_tiles_figures[o->fold.value];
    return GS_OK;
}

static const struct gs_fold_command folds = {
    .event = GS_EVENT_TASK,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_TASKS] = true},
    .needs = needs,
    .fold = &gs_tiles_fold,
    .options_at = offsetof(struct tiles_opts, fold),
    .options_size = sizeof(struct gs_tiles_options),
    .task = offsetof(struct gs_tiles_options, event),
    .options = options,
    .draw = draw,
};

const struct gs_command gs_cmd_tiles = {
    GS_FOLD_COMMAND(tiles, struct tiles_opts, opts, defaults, folds),
    .summary = "a map of one zoom level: duration, energy, power, host or cluster of each tile",
};
