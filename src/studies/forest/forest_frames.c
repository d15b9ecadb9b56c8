/* forest_frames.c - what a forest is, and what it predicts, as frames. */
#include "studies/forest/forest_fit.h"

#include <math.h>

#include "studies/forest/op_features.h"
#include "data/result/plot.h"

static const struct gs_column_spec forest_specs[] = {
    GS_COL(TARGET, .how = "what this forest predicts"),
    GS_COL(OPERATIONS, .how = "rows of the training file that were used"),
    GS_COL(DIFFERENT),
    GS_COL(FEATURES),
    GS_COL(TREES),
    GS_COL(NODES),
    GS_COL(ROOFLINE_GB_PER_S),
    GS_COL(ROOFLINE_GFLOP_PER_S),
    GS_COL(OVERHEAD_US),
};

enum gs_status gs_forest_describe(const struct gs_forest *forest, struct gs_arena *arena,
                                  struct gs_frames *out, struct gs_err *err)
{
    size_t n = 0;
    for (int t = 0; t < GS_FOREST_TARGETS; t++)
        n += forest->target[t].n_trees > 0;
    struct gs_frame *f;
    GS_TRY(gs_frame_new(arena, GS_HEAD("forest", "Forests", GS_COLUMNS(forest_specs)), n, out, &f,
                        err));
    size_t r = 0;
    for (int t = 0; t < GS_FOREST_TARGETS; t++) {
        const struct gs_ensemble *const e = &forest->target[t];
        if (e->n_trees == 0)
            continue;
        int64_t nodes = 0;
        for (size_t i = 0; i < e->n_trees; i++)
            nodes += e->tree[i].n;
        GS_PUT(f, r, GS_TEXT(TARGET, gs_str(gs_forest_target_names[t])),
               GS_INT(OPERATIONS, (int64_t)forest->n_rows),
               GS_INT(DIFFERENT, (int64_t)forest->n_operations),
               GS_INT(FEATURES, (int64_t)gs_op_encoding_n_features(&forest->encoding)),
               GS_INT(TREES, (int64_t)e->n_trees), GS_INT(NODES, nodes));
        if (e->roofline) {
            GS_PUT(f, r, GS_REAL(ROOFLINE_GB_PER_S, e->bytes_per_s * 1e-9),
                   GS_REAL(ROOFLINE_GFLOP_PER_S, e->flop_per_s * 1e-9),
                   GS_REAL(OVERHEAD_US, e->overhead_s * 1e6));
        }
        r++;
    }
    return GS_OK;
}

static const struct gs_column_spec feature_specs[] = {
    GS_COL(FEATURE),
    GS_COL(TIME_SPLITS_PCT),
    GS_COL(POWER_SPLITS_PCT),
};

static const struct gs_panel feature_panels[] = {
    GS_PANEL(BARS, FEATURE, TIME_SPLITS_PCT, .title = "Splits for time"),
    GS_PANEL(BARS, FEATURE, POWER_SPLITS_PCT, .title = "Splits for power"),
};

static const struct gs_plot feature_plot =
    GS_FIGURE(feature_panels, "forest-features", "What the trees ask");

/* Splits per feature; returns their sum. */
static uint64_t count_splits(const struct gs_ensemble *e, uint64_t *splits)
{
    uint64_t n = 0;
    for (size_t i = 0; i < e->n_trees; i++) {
        for (uint32_t k = 0; k < e->tree[i].n; k++) {
            if (e->tree[i].feature[k] < 0)
                continue;
            splits[e->tree[i].feature[k]]++;
            n++;
        }
    }
    return n;
}

enum gs_status gs_forest_features(const struct gs_forest *forest, struct gs_arena *arena,
                                  struct gs_frames *out, struct gs_err *err)
{
    static const enum gs_column_id shares[] = {
        [GS_FOREST_TIME] = GS_COL_TIME_SPLITS_PCT, [GS_FOREST_POWER] = GS_COL_POWER_SPLITS_PCT};
    const size_t n_features = gs_op_encoding_n_features(&forest->encoding);
    uint64_t *splits[GS_FOREST_TARGETS], sum[GS_FOREST_TARGETS];
    for (int t = 0; t < GS_FOREST_TARGETS; t++) {
        GS_TAKE(splits[t], n_features, arena, err);
        sum[t] = count_splits(&forest->target[t], splits[t]);
    }
    size_t n = 0, row = 0;
    for (size_t i = 0; i < n_features; i++)
        n += splits[GS_FOREST_TIME][i] + splits[GS_FOREST_POWER][i] > 0;
    struct gs_frame *f;
    GS_TRY(gs_frame_new(arena,
                        GS_HEAD("forest-features", "What the trees ask", GS_COLUMNS(feature_specs)),
                        n, out, &f, err));
    for (size_t i = 0; i < n_features; i++) {
        if (splits[GS_FOREST_TIME][i] + splits[GS_FOREST_POWER][i] == 0)
            continue;
        struct gs_buf name = {.arena = arena};
        gs_op_encoding_feature_name(&forest->encoding, i, &name);
        GS_TRY(gs_had_memory(!name.failed, err));
        GS_PUT(f, row, GS_TEXT(FEATURE, gs_buf_str(&name)));
        for (int t = 0; t < GS_FOREST_TARGETS; t++)
            if (sum[t] > 0)
                gs_frame_put_real(f, row, shares[t], (double)splits[t][i] * 100.0 / (double)sum[t]);
        row++;
    }
    f->plot = &feature_plot;
    return gs_frame_sort(f, "time_splits_pct:desc,power_splits_pct:desc,feature", arena, err);
}

static const struct gs_column_spec operation_specs[] = {
    GS_COL(MODEL),
    GS_COL(OP),
    GS_COL(INPUT_SIZE),
    GS_COL(CLOCK_MHZ),
    GS_COL(COUNT, .type = GS_TYPE_REAL, .digits = GS_DIGITS(-1),
           .how = "how often the model does it, 1 where not given"),
    GS_COL(TIME_S, .how = "predicted run time of one operation"),
    GS_COL(POWER_W, .how = "predicted mean power"),
    GS_COL(ENERGY_J, .digits = GS_DIGITS(5), .how = "predicted time times predicted power"),
    GS_COL(TIME_LOW_S),
    GS_COL(TIME_HIGH_S),
    GS_COL(POWER_LOW_W),
    GS_COL(POWER_HIGH_W),
    GS_COL(ENERGY_LOW_J, .label = "energy low", .digits = GS_DIGITS(5),
           .how = "low end of a 95 % interval: from operations that were predicted when training "
                  "without having been seen, wider where the trees disagree"),
    GS_COL(ENERGY_HIGH_J, .digits = GS_DIGITS(5), .how = "high end of that interval"),
};

static const struct gs_column_spec model_specs[] = {
    GS_COL(MODEL),
    GS_COL(CLOCK_MHZ),
    GS_COL(OPERATIONS, .how = "rows of the model"),
    GS_COL(UNKNOWN, .how = "rows whose operator the forest was not taught"),
    GS_COL(COUNT, .type = GS_TYPE_REAL, .digits = GS_DIGITS(-1), .how = "sum of the counts"),
    GS_COL(TIME_S, .digits = GS_DIGITS(6), .how = "sum of count times predicted time"),
    GS_COL(POWER_W, .how = "energy_j / time_s"),
    GS_COL(ENERGY_J, .digits = GS_DIGITS(3), .how = "sum of count times predicted energy"),
    GS_COL(TIME_LOW_S, .digits = GS_DIGITS(6),
           .how = "sum of the low ends: as if all errors went one way"),
    GS_COL(TIME_HIGH_S, .digits = GS_DIGITS(6), .how = "sum of the high ends"),
    GS_COL(ENERGY_LOW_J, .label = "energy low", .digits = GS_DIGITS(3),
           .how = "sum of the low ends: as if all errors went one way"),
    GS_COL(ENERGY_HIGH_J, .digits = GS_DIGITS(3), .how = "sum of the high ends"),
};

static const struct gs_panel model_panels[] = {
    GS_PANEL(BARS, MODEL, TIME_S, .title = "Predicted run time"),
    GS_PANEL(BARS, MODEL, ENERGY_J, .title = "Predicted energy"),
};

static const struct gs_plot model_plot =
    GS_FIGURE(model_panels, "forest-models", "Predicted models");

/* With a clock a model has one bar for each. */
static const struct gs_panel clock_panels[] = {
    GS_PANEL(HISTOGRAM_GROUPED, MODEL, TIME_S, .title = "Predicted run time",
             .group = GS_COL_CLOCK_MHZ),
    GS_PANEL(HISTOGRAM_GROUPED, MODEL, ENERGY_J, .title = "Predicted energy",
             .group = GS_COL_CLOCK_MHZ),
};

static const struct gs_plot clock_plot =
    GS_FIGURE(clock_panels, "forest-models", "Predicted models at each clock", .columns = 1,
              .width_px = 800, .height_px = 1000);

/* The intervals of the quantities. */
static const struct {
    enum gs_column_id low, high;
} intervals[GS_FOREST_QUANTITIES] = {
    [GS_FOREST_OF_TIME] = {GS_COL_TIME_LOW_S, GS_COL_TIME_HIGH_S},
    [GS_FOREST_OF_POWER] = {GS_COL_POWER_LOW_W, GS_COL_POWER_HIGH_W},
    [GS_FOREST_OF_ENERGY] = {GS_COL_ENERGY_LOW_J, GS_COL_ENERGY_HIGH_J},
};

static enum gs_status fill_operations(const struct gs_forest *forest,
                                      const struct gs_operations *ops,
                                      const struct gs_forest_answer *a, struct gs_arena *arena,
                                      struct gs_frames *out, struct gs_frame **frame,
                                      struct gs_err *err)
{
    struct gs_frame *f;
    GS_TRY(gs_frame_new(
        arena, GS_HEAD("forest-operations", "Predicted operations", GS_COLUMNS(operation_specs)),
        ops->n, out, &f, err));
    for (size_t i = 0; i < ops->n; i++) {
        const struct gs_operation *const o = &ops->row[i];
        GS_PUT(f, i, GS_TEXT(MODEL, o->model), GS_TEXT(OP, o->op.canonical),
               GS_TEXT(INPUT_SIZE, o->size.canonical), GS_REAL(CLOCK_MHZ, o->clock_mhz),
               GS_REAL(COUNT, o->count), GS_REAL(TIME_S, a[i].time_s),
               GS_REAL(POWER_W, a[i].power_w), GS_REAL(ENERGY_J, a[i].time_s * a[i].power_w));
        for (size_t q = 0; q < GS_FOREST_QUANTITIES; q++) {
            const struct gs_forest_interval v =
                gs_forest_interval(forest, (enum gs_forest_quantity)q, &a[i]);
            gs_frame_put_real(f, i, intervals[q].low, v.low);
            gs_frame_put_real(f, i, intervals[q].high, v.high);
        }
    }
    *frame = f;
    return gs_frame_sort(f, "model,op,input_size,clock_mhz,count", arena, err);
}

static bool same_model(const struct gs_frame *f, size_t a, size_t b)
{
    const struct gs_str *const model = gs_frame_cells(f, GS_COL_MODEL)->text;
    const double *const clock = gs_frame_cells(f, GS_COL_CLOCK_MHZ)->real;
    return gs_str_eq(model[a], model[b]) &&
           (clock[a] == clock[b] || (isnan(clock[a]) && isnan(clock[b])));
}

/* One row of the sums: rows [from, to) of `ops`, which is in the order of model and clock. */
static void add_up(const struct gs_frame *ops, size_t from, size_t to, struct gs_frame *f,
                   size_t row)
{
    static const enum gs_column_id ends[] = {GS_COL_TIME_LOW_S, GS_COL_TIME_HIGH_S,
                                             GS_COL_ENERGY_LOW_J, GS_COL_ENERGY_HIGH_J};
    double count = 0.0, time_s = 0.0, energy_j = 0.0, end[4] = {0};
    int64_t unknown = 0;
    for (size_t i = from; i < to; i++) {
        const double c = gs_frame_cells(ops, GS_COL_COUNT)->real[i],
                     t = gs_frame_cells(ops, GS_COL_TIME_S)->real[i];
        count += c;
        time_s += c * t;
        energy_j += c * gs_frame_cells(ops, GS_COL_ENERGY_J)->real[i];
        unknown += isnan(t);
        for (size_t k = 0; k < 4; k++)
            end[k] += c * gs_frame_cells(ops, ends[k])->real[i];
    }
    for (size_t k = 0; k < 4; k++)
        gs_frame_put_real(f, row, ends[k], end[k]);
    GS_PUT(f, row, GS_TEXT(MODEL, gs_frame_cells(ops, GS_COL_MODEL)->text[from]),
           GS_REAL(CLOCK_MHZ, gs_frame_cells(ops, GS_COL_CLOCK_MHZ)->real[from]),
           GS_INT(OPERATIONS, (int64_t)(to - from)), GS_INT(UNKNOWN, unknown),
           GS_REAL(COUNT, count), GS_REAL(TIME_S, time_s), GS_REAL(POWER_W, energy_j / time_s),
           GS_REAL(ENERGY_J, energy_j));
}

static enum gs_status fill_models(struct gs_frame *ops, bool clock, struct gs_arena *arena,
                                  struct gs_frames *out, struct gs_err *err)
{
    /* The sums want models and clocks together; afterwards the rows go back to their own order. */
    GS_TRY(gs_frame_sort(ops, "model,clock_mhz,op,input_size,count", arena, err));
    size_t n = 0, from = 0, row = 0;
    for (size_t i = 0; i < ops->n_rows; i++)
        n += i == 0 || !same_model(ops, i - 1, i);
    struct gs_frame *f;
    GS_TRY(gs_frame_new(arena,
                        GS_HEAD("forest-models", "Predicted models", GS_COLUMNS(model_specs)), n,
                        out, &f, err));
    for (size_t i = 1; i <= ops->n_rows; i++) {
        if (i == ops->n_rows || !same_model(ops, i - 1, i)) {
            add_up(ops, from, i, f, row++);
            from = i;
        }
    }
    f->plot = clock ? &clock_plot : &model_plot;
    return gs_frame_sort(ops, "model,op,input_size,clock_mhz,count", arena, err);
}

/* Operators that the forest was not taught are said, with the first of them. */
static void note_unknown(const struct gs_forest *forest, const struct gs_operations *ops,
                         struct gs_frames *out)
{
    size_t n = 0;
    struct gs_str first = {NULL, 0};
    for (size_t i = 0; i < ops->n; i++) {
        if (gs_op_encoding_has(&forest->encoding, &ops->row[i].op))
            continue;
        if (n++ == 0)
            first = ops->row[i].op.kind;
    }
    if (n > 0)
        gs_note(&out->notes, GS_NOTE_WARNING,
                "%s: %zu of %zu operations are not predicted: the forest was not taught their "
                "operator (%s)",
                ops->name, n, ops->n, GS_SHOWN(first, 64));
}

enum gs_status gs_forest_predict_frames(const struct gs_forest *forest,
                                        const struct gs_operations *ops, struct gs_arena *arena,
                                        struct gs_frames *out, struct gs_err *err)
{
    if (forest->encoding.clock && !ops->has_clock)
        return gs_fail(err, GS_ERR_DATA,
                       "%s: no clock column, but the forest was trained with the GPU clock",
                       ops->name);
    GS_NEW_RAW(struct gs_forest_answer, a, ops->n, arena, err);
    if (ops->has_clock && !forest->encoding.clock)
        gs_note(&out->notes, GS_NOTE_WARNING,
                "%s: the forest was trained without a clock: the clock is not used", ops->name);
    note_unknown(forest, ops, out);
    struct gs_frame *operations = NULL;
    GS_TRY(gs_forest_predict(forest, ops, arena, a, err));
    GS_TRY(fill_operations(forest, ops, a, arena, out, &operations, err));
    if (ops->has_model)
        GS_TRY(fill_models(operations, ops->has_clock, arena, out, err));
    return GS_OK;
}
