/* gpustat diff - is B slower, or hungrier, than A? */
#include <string.h>
#include <sys/stat.h>

#include "analysis/aggregate/key_parts.h"
#include "analysis/diff/diff.h"
#include "app/charts/figures.h"
#include "app/passes/fold_command.h"
#include "data/result/plot.h"
#include "base/os/replayable_input.h"
#include "input/bytes/bytes.h"
#include "input/detect/map_build.h"

struct diff_opts {
    struct gs_run_opts run;
    struct gs_list runs; /* the operands: those of B, or A and B                     */
    struct gs_list base, fail_if;
    const char *by, *measure, *per;
    double margin;
    uint64_t skip, number; /* number: no option, see run_of */
    int unsure;
};

static const char *const unsure_words[] = {"pass", "fail", NULL};

/* clang-format off */
static const struct gs_opt opts[] = {
    {0, NULL, GS_OPT_GROUP, 0, .help = "input"},
    {0, "base", GS_OPT_LIST, offsetof(struct diff_opts, base), .arg = "RUN",
     .help = "a run of the baseline, A; given again for several: then all operands are runs of B", .unset = "the first operand"},
    GS_OPTS_RANGE,
    {0, "set", GS_OPT_LIST, offsetof(struct gs_run_opts, dataset.set), .arg = "ROLE.PATH=VALUE",
     .help = "change one thing of what the files mean, in all runs: samples.zone=+01:00"},
    {0, "tz", GS_OPT_ZONE, offsetof(struct gs_run_opts, dataset.zone), .arg = "ZONE",
     .help = "zone of times that name none: UTC, +01:00, Europe/Berlin"},
    {0, "duplicates", GS_OPT_CHOICE, offsetof(struct gs_run_opts, dataset.duplicates), .choices = gs_duplicates_words,
     .help = "whether rows that are exactly equal to another count"},
    {0, "power-column", GS_OPT_TEXT, offsetof(struct gs_run_opts, dataset.power_column), .arg = "NAME",
     .help = "the power column by its header, or draw, average, instant", .unset = "the first of these with values"},
    {0, "max-gap", GS_OPT_DURATION, offsetof(struct gs_run_opts, dataset.max_gap_ns), .arg = "TIME", .min = 1,
     .unset = GS_MAX_GAP_UNSET, .help = "no energy across a longer gap between two samples"},
    {0, "sensor", GS_OPT_TEXT, offsetof(struct gs_run_opts, dataset.sensor.sensor), .arg = "KEY=VALUE,...",
     .help = "what is known of the power sensors of all runs, as in gpustat events"},
    {0, "card", GS_OPT_TEXT, offsetof(struct gs_run_opts, dataset.sensor.card), .arg = "NAME",
     .help = "the cards' exact name, such as 'NVIDIA GeForce RTX 3090'", .unset = "the column of names in the samples"},
    {0, NULL, GS_OPT_GROUP, 0, .help = "comparison"},
    {0, "by", GS_OPT_TEXT, offsetof(struct diff_opts, by), .arg = "KEY[,KEY]",
     .help = "compare each of these: event, host, gpu, job, task, level, x, y, or an attribute"},
    {0, "measure", GS_OPT_TEXT, offsetof(struct diff_opts, measure), .arg = "NAME[,NAME]",
     .help = "what is compared: duration, energy, power, throughput, or a metric of the samples such as sm_clock_mhz",
     .unset = "duration and energy of events, power and sm_clock_mhz of a log"},
    {0, "per", GS_OPT_TEXT, offsetof(struct diff_opts, per), .arg = "NAME",
     .help = "duration and energy of one of what this attribute counts: tokens, samples"},
    {0, "margin", GS_OPT_SHARE, offsetof(struct diff_opts, margin), .arg = "PERCENT",
     .help = "changes within it are the same", .real_max = 1, .below_max = true},
    {0, "skip", GS_OPT_COUNT, offsetof(struct diff_opts, skip), .arg = "N",
     .help = "leave the first N spans of each GPU and group out: a warm-up", .max = 1000000000},
    {0, NULL, GS_OPT_GROUP, 0, .help = "verdict"},
    {0, "fail-if", GS_OPT_LIST, offsetof(struct diff_opts, fail_if), .arg = "CONDITION",
     .help = "exit with 1 where a change is beyond that and its verdict is more or less: 'duration>+5%'; "
             "total_duration is of the mean"},
    {0, "unsure", GS_OPT_CHOICE, offsetof(struct diff_opts, unsure), .choices = unsure_words,
     .help = "whether such a change that is possible, but not sure, passes"},
    GS_OPTS_SCALE,
    {0},
};
/* clang-format on */

static const struct diff_opts defaults = {
    .run = {.dataset = {.duplicates = GS_DUPLICATES_DROP}}, .by = "event", .margin = 0.02};

static enum gs_status parse_measures(const char *text, struct gs_diff_options *d,
                                     struct gs_err *err)
{
    for (const char *p = text; p != NULL;) {
        const size_t n = strcspn(p, ",");
        if (n == 0 || d->n_measures == GS_DIFF_MEASURES_MAX)
            return gs_fail(err, GS_ERR_USAGE,
                           "--measure: '%s' is not a list of up to %d measures such as "
                           "duration,energy",
                           GS_SHOWN(gs_str(text), 120), GS_DIFF_MEASURES_MAX);
        for (size_t k = 0; k < d->n_measures; k++)
            if (gs_str_eq(d->measure[k], (struct gs_str){p, n}))
                return gs_fail(err, GS_ERR_USAGE, "--measure: '%s' is there twice",
                               GS_SHOWN(d->measure[k], 120));
        d->measure[d->n_measures++] = (struct gs_str){p, n};
        p = p[n] == '\0' ? NULL : p + n + 1;
    }
    return GS_OK;
}

static enum gs_status options(const void *parsed, void *of_fold, struct gs_err *err)
{
    const struct diff_opts *const o = parsed;
    struct gs_diff_options *const d = of_fold;
    *d = (struct gs_diff_options){.margin = o->margin,
                                  .skip = o->skip,
                                  .unsure_fails = o->unsure != 0,
                                  .run = (uint32_t)o->number,
                                  .n_base = (uint32_t)(o->base.n > 0 ? o->base.n : 1),
                                  .n_runs = (uint32_t)(o->base.n + o->runs.n)};
    d->by.events.join =
        (struct gs_join_options){.join = GS_JOIN_WINDOW, .tolerance_ns = -1, .max_gap_ns = -1};
    if (o->base.n == 0 && o->runs.n != 2)
        return gs_fail(err, GS_ERR_USAGE,
                       "diff: needs two runs, A and B; for more: --base A1 --base A2 B1 B2");
    GS_TRY(gs_keys_parse(o->by, d->by.key, &d->by.n_keys, err));
    GS_TRY(parse_measures(o->measure, d, err));
    if (o->per != NULL)
        d->by.per = gs_str(o->per);
    if (o->fail_if.n > GS_DIFF_GATES_MAX)
        return gs_fail(err, GS_ERR_USAGE, "--fail-if: at most %d conditions",
                       (int)GS_DIFF_GATES_MAX);
    for (size_t k = 0; k < o->fail_if.n; k++)
        GS_TRY(gs_diff_gate_parse(o->fail_if.item[k], &d->gate[d->n_gates++], err));
    return GS_OK;
}

/*
 * Is it a map, and no table of values? The bound keeps a large table in JSON from being read
 * twice only to find out that it is no map.
 */
static enum gs_status is_map(const char *path, struct gs_arena *arena, bool *map,
                             struct gs_err *err)
{
    static const char schema[] = "\"gpustat.map/";
    const size_t len = strlen(path);
    struct gs_str bytes;
    struct stat st;
    *map = false;
    if (len < 5 || strcmp(path + len - 5, ".json") != 0 || stat(path, &st) != 0 ||
        !S_ISREG(st.st_mode) || st.st_size > 1 << 20)
        return GS_OK;
    const enum gs_status s = gs_bytes_all(path, SIZE_MAX, "", arena, &bytes, err);
    const char *const text = s == GS_OK ? gs_arena_copy(arena, bytes.ptr, bytes.len) : NULL;
    *map = text != NULL && strstr(text, schema) != NULL;
    return s == GS_OK && text == NULL ? gs_fail_memory(err) : s;
}

/* What the map of a run keeps of options is that run's, but what was typed is of all. */
static enum gs_status take_kept(struct diff_opts *o, const char *path,
                                const struct gs_context *context, struct gs_err *err)
{
    struct gs_map map;
    const char *words[GS_MAP_OPTIONS];
    struct gs_list operands = {0};
    struct gs_err wrong = {0};
    size_t n = 0;
    if (!gs_is_regular(path) || gs_map_read(path, context->arena, &map, NULL) != GS_OK)
        return GS_OK; /* who reads it for its files says what is wrong with it */
    for (size_t i = 0; i < GS_MAP_OPTIONS; i++) {
        const struct gs_str value = map.option[i];
        if (value.ptr == NULL || gs_gives(context, gs_map_options[i]))
            continue;
        words[n] =
            gs_format(context->arena, "--%s=%.*s", gs_map_options[i], (int)value.len, value.ptr);
        GS_TRY(gs_had_memory(words[n++] != NULL, err));
    }
    const enum gs_status s = gs_options_parse(&(struct gs_opt_set){.opts = opts, .target = o}, 1,
                                              words, n, &operands, context->arena, &wrong);
    if (s != GS_OK)
        return gs_fail(err, s, "%s: %s", GS_SHOWN(gs_str(path), 200), wrong.text);
    return GS_OK;
}

/*
 * Each run gets options of its own, because it is loaded on its own. The base runs come first;
 * gs_diff_options.n_base relies on that.
 */
static enum gs_status run_of(const void *parsed, size_t k, const struct gs_context *context,
                             const void **of, struct gs_err *err)
{
    struct gs_arena *const arena = context->arena;
    const struct diff_opts *const o = parsed;
    const size_t n_base = o->base.n;
    *of = NULL;
    if (k >= n_base + o->runs.n)
        return GS_OK;
    GS_NEW(struct diff_opts, one, 1, arena, err);
    GS_NEW(const char *, operand, 1, arena, err);
    bool map;
    *one = *o;
    one->number = k;
    *operand = k < n_base ? o->base.item[k] : o->runs.item[k - n_base];
    GS_TRY(is_map(*operand, arena, &map, err));
    one->run.dataset.dir = (struct gs_list){operand, map ? 0 : 1};
    one->run.dataset.map = map ? *operand : NULL;
    const char *const path = map ? *operand : gs_map_path(*operand, arena);
    GS_TRY(gs_had_memory(path != NULL, err));
    GS_TRY(take_kept(one, path, context, err));
    *of = one;
    return GS_OK;
}

enum gs_status gs_diff_figure(const struct gs_frame *f, const char *name, double margin,
                              struct gs_arena *arena, const struct gs_plot **plot,
                              struct gs_err *err)
{
    static const char *const order[] = {"same", "slower", "faster", "more", "less", "unsure", NULL};
    GS_NEW(struct gs_plot, own, 1, arena, err);
    GS_NEW(struct gs_panel, panel, GS_DIFF_MEASURES_MAX, arena, err);
    GS_NEW(struct gs_mark, margins, 3, arena, err);
    const int measure = gs_frame_column(f, GS_COL_MEASURE);
    int n = 0;
    /* Its ends, too, are in sight, whatever the bars are. */
    margins[0] = (struct gs_mark){.kind = GS_MARK_BAND, .at = -100 * margin, .to = 100 * margin};
    margins[1] = (struct gs_mark){.kind = GS_MARK_Y, .at = -100 * margin};
    margins[2] = (struct gs_mark){.kind = GS_MARK_Y, .at = 100 * margin};
    for (size_t i = 0; i < f->n_rows && n < GS_DIFF_MEASURES_MAX; i++) {
        const struct gs_str word = f->columns[measure].text[i];
        const char *const text = gs_arena_copy(arena, word.ptr, word.len);
        int k = 0;
        while (k < n && !gs_str_eq(gs_str(panel[k].only_value), word))
            k++;
        if (k < n)
            continue;
        GS_TRY(gs_had_memory(text != NULL, err));
        panel[n++] = (struct gs_panel){.kind = GS_PLOT_BARS,
                                       .title = text,
                                       .x = f->columns[0].spec->id,
                                       .y = GS_COL_CHANGE_PCT,
                                       .low = GS_COL_LOW_PCT,
                                       .high = GS_COL_HIGH_PCT,
                                       .group = GS_COL_VERDICT,
                                       .order = order,
                                       .only_column = GS_COL_MEASURE,
                                       .only_value = text,
                                       .marks = margins,
                                       .n_marks = 3,
                                       .y_label = "change (%)"};
    }
    *own = (struct gs_plot){.name = name,
                            .title = "Change from A to B, with its 95 % interval",
                            .caption = "Bars are changes from A to B with their 95 % intervals. "
                                       "Changes within the shaded margin are the same.",
                            .of = f,
                            .n_panels = n,
                            .panels = panel};
    *plot = n > 0 ? own : NULL;
    return GS_OK;
}

static enum gs_status draw(const struct gs_figure_of *of, struct gs_frames *out, struct gs_err *err)
{
    const struct diff_opts *const o = of->parsed;
    return gs_diff_figure(out->last, "diff", o->margin, of->context->arena, &out->last->plot, err);
}

static void needs(const void *parsed, bool need[GS_N_TABLES])
{
    const struct diff_opts *const o = parsed;
    struct gs_events_by_options by;
    need[GS_TABLE_TASKS] =
        gs_keys_parse(o->by, by.key, &by.n_keys, NULL) == GS_OK && gs_events_by_needs_tasks(&by);
}

static const struct gs_fold_command folds = {
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .optional = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .needs = needs,
    .fold = &gs_diff_fold,
    .options_size = sizeof(struct gs_diff_options),
    .options = options,
    .run = run_of,
    .draw = draw,
};

const struct gs_command gs_cmd_diff = {
    GS_COMMAND(diff, struct diff_opts, opts, defaults),
    GS_OPERANDS("RUN...", struct diff_opts, runs, 1, 4096),
    .summary = "is B slower or hungrier than A, and is that sure",
    .run = gs_fold_command_run,
    .folds = &folds,
    .group = "the run",
};
