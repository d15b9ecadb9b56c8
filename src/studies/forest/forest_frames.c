/* forest_frames.c - what a forest is, and what it predicts, as frames. */
#include "studies/forest/forest_fit.h"

#include <math.h>

#include "studies/forest/op_features.h"
#include "data/result/plot.h"

/* clang-format off */
enum {
    F_TARGET,
    F_ROWS,
    F_DIFFERENT,
    F_FEATURES,
    F_TREES,
    F_NODES,
    F_BYTES_RATE,
    F_FLOP_RATE,
    F_OVERHEAD,
    F_COLUMNS
};
/* clang-format on */

static const struct gs_column_spec forest_specs[F_COLUMNS] = {
    [F_TARGET] = GS_COL(TARGET, .how = "what this forest predicts"),
    [F_ROWS] = GS_COL(OPERATIONS, .how = "rows of the training file that were used"),
    [F_DIFFERENT] = GS_COL(DIFFERENT),
    [F_FEATURES] = GS_COL(FEATURES),
    [F_TREES] = GS_COL(TREES),
    [F_NODES] = GS_COL(NODES),
    [F_BYTES_RATE] = GS_COL(ROOFLINE_GB_PER_S),
    [F_FLOP_RATE] = GS_COL(ROOFLINE_GFLOP_PER_S),
    [F_OVERHEAD] = GS_COL(OVERHEAD_US),
};

enum gs_status gs_forest_describe(const struct gs_forest *forest, struct gs_arena *arena,
                                  struct gs_frames *out, struct gs_err *err)
{
    size_t n = 0;
    for (int t = 0; t < GS_FOREST_TARGETS; t++)
        n += forest->target[t].n_trees > 0;
    struct gs_frame *f;
    const enum gs_status s =
        gs_frame_new(arena, "forest", "Forests", forest_specs, F_COLUMNS, n, out, &f, err);
    if (s != GS_OK)
        return s;
    size_t r = 0;
    for (int t = 0; t < GS_FOREST_TARGETS; t++) {
        const struct gs_ensemble *const e = &forest->target[t];
        if (e->n_trees == 0)
            continue;
        int64_t nodes = 0;
        for (size_t i = 0; i < e->n_trees; i++)
            nodes += e->tree[i].n;
        gs_frame_set_text(f, r, F_TARGET, gs_str(gs_forest_target_names[t]));
        gs_frame_set_int(f, r, F_ROWS, (int64_t)forest->n_rows);
        gs_frame_set_int(f, r, F_DIFFERENT, (int64_t)forest->n_operations);
        gs_frame_set_int(f, r, F_FEATURES, (int64_t)gs_op_encoding_n_features(&forest->encoding));
        gs_frame_set_int(f, r, F_TREES, (int64_t)e->n_trees);
        gs_frame_set_int(f, r, F_NODES, nodes);
        if (e->roofline) {
            gs_frame_set_real(f, r, F_BYTES_RATE, e->bytes_per_s * 1e-9);
            gs_frame_set_real(f, r, F_FLOP_RATE, e->flop_per_s * 1e-9);
            gs_frame_set_real(f, r, F_OVERHEAD, e->overhead_s * 1e6);
        }
        r++;
    }
    return GS_OK;
}

enum { S_FEATURE, S_TIME, S_POWER, S_COLUMNS };

static const struct gs_column_spec feature_specs[S_COLUMNS] = {
    [S_FEATURE] = GS_COL(FEATURE),
    [S_TIME] = GS_COL(TIME_SPLITS_PCT),
    [S_POWER] = GS_COL(POWER_SPLITS_PCT),
};

static const struct gs_panel feature_panels[] = {
    {.kind = GS_PLOT_BARS,
     .title = "Splits for time",
     .x = GS_COL_FEATURE,
     .y = GS_COL_TIME_SPLITS_PCT},
    {.kind = GS_PLOT_BARS,
     .title = "Splits for power",
     .x = GS_COL_FEATURE,
     .y = GS_COL_POWER_SPLITS_PCT},
};

static const struct gs_plot feature_plot = {.name = "forest-features",
                                            .title = "What the trees ask",
                                            .n_panels = 2,
                                            .panels = feature_panels};

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
    const size_t n_features = gs_op_encoding_n_features(&forest->encoding);
    uint64_t *splits[GS_FOREST_TARGETS], sum[GS_FOREST_TARGETS];
    for (int t = 0; t < GS_FOREST_TARGETS; t++) {
        splits[t] = gs_arena_take(arena, n_features, sizeof *splits[t]);
        if (splits[t] == NULL)
            return gs_fail_memory(err);
        sum[t] = count_splits(&forest->target[t], splits[t]);
    }
    size_t n = 0, row = 0;
    for (size_t i = 0; i < n_features; i++)
        n += splits[GS_FOREST_TIME][i] + splits[GS_FOREST_POWER][i] > 0;
    struct gs_frame *f;
    const enum gs_status s = gs_frame_new(arena, "forest-features", "What the trees ask",
                                          feature_specs, S_COLUMNS, n, out, &f, err);
    if (s != GS_OK)
        return s;
    for (size_t i = 0; i < n_features; i++) {
        if (splits[GS_FOREST_TIME][i] + splits[GS_FOREST_POWER][i] == 0)
            continue;
        struct gs_buf name = {.arena = arena};
        gs_op_encoding_feature_name(&forest->encoding, i, &name);
        if (name.failed)
            return gs_fail_memory(err);
        gs_frame_set_text(f, row, S_FEATURE, gs_buf_str(&name));
        for (int t = 0; t < GS_FOREST_TARGETS; t++)
            if (sum[t] > 0)
                gs_frame_set_real(f, row, t == GS_FOREST_TIME ? S_TIME : S_POWER,
                                  (double)splits[t][i] * 100.0 / (double)sum[t]);
        row++;
    }
    f->plot = &feature_plot;
    return gs_frame_sort(f, "time_splits_pct:desc,power_splits_pct:desc,feature", arena, err);
}

enum {
    O_MODEL,
    O_OP,
    O_SIZE,
    O_CLOCK,
    O_COUNT,
    O_TIME,
    O_POWER,
    O_ENERGY,
    O_LOW,
    O_COLUMNS = O_LOW + 6
};

#define HIGH "high end of that interval"

static const struct gs_column_spec operation_specs[O_COLUMNS] = {
    [O_MODEL] = GS_COL(MODEL),
    [O_OP] = GS_COL(OP),
    [O_SIZE] = GS_COL(INPUT_SIZE),
    [O_CLOCK] = GS_COL(CLOCK_MHZ),
    [O_COUNT] = GS_COL(COUNT, .type = GS_TYPE_REAL, .digits = GS_DIGITS(-1),
                       .how = "how often the model does it, 1 where not given"),
    [O_TIME] = GS_COL(TIME_S, .how = "predicted run time of one operation"),
    [O_POWER] = GS_COL(POWER_W, .how = "predicted mean power"),
    [O_ENERGY] =
        GS_COL(ENERGY_J, .digits = GS_DIGITS(5), .how = "predicted time times predicted power"),
    [O_LOW] = GS_COL(TIME_LOW_S),
    GS_COL(TIME_HIGH_S),
    GS_COL(POWER_LOW_W),
    GS_COL(POWER_HIGH_W),
    GS_COL(ENERGY_LOW_J, .label = "energy low", .digits = GS_DIGITS(5),
           .how = "low end of a 95 % interval: from operations that were predicted when training "
                  "without having been seen, wider where the trees disagree"),
    GS_COL(ENERGY_HIGH_J, .digits = GS_DIGITS(5), .how = "high end of that interval"),
};

enum {
    M_MODEL,
    M_CLOCK,
    M_ROWS,
    M_UNKNOWN,
    M_COUNT,
    M_TIME,
    M_POWER,
    M_ENERGY,
    M_LOW,
    M_COLUMNS = M_LOW + 4
};

static const struct gs_column_spec model_specs[M_COLUMNS] = {
    [M_MODEL] = GS_COL(MODEL),
    [M_CLOCK] = GS_COL(CLOCK_MHZ),
    [M_ROWS] = GS_COL(OPERATIONS, .how = "rows of the model"),
    [M_UNKNOWN] = GS_COL(UNKNOWN, .how = "rows whose operator the forest was not taught"),
    [M_COUNT] =
        GS_COL(COUNT, .type = GS_TYPE_REAL, .digits = GS_DIGITS(-1), .how = "sum of the counts"),
    [M_TIME] = GS_COL(TIME_S, .digits = GS_DIGITS(6), .how = "sum of count times predicted time"),
    [M_POWER] = GS_COL(POWER_W, .how = "energy_j / time_s"),
    [M_ENERGY] =
        GS_COL(ENERGY_J, .digits = GS_DIGITS(3), .how = "sum of count times predicted energy"),
    [M_LOW] = GS_COL(TIME_LOW_S, .digits = GS_DIGITS(6),
                     .how = "sum of the low ends: as if all errors went one way"),
    GS_COL(TIME_HIGH_S, .digits = GS_DIGITS(6), .how = "sum of the high ends"),
    GS_COL(ENERGY_LOW_J, .label = "energy low", .digits = GS_DIGITS(3),
           .how = "sum of the low ends: as if all errors went one way"),
    GS_COL(ENERGY_HIGH_J, .digits = GS_DIGITS(3), .how = "sum of the high ends"),
};

static const struct gs_panel model_panels[] = {
    {.kind = GS_PLOT_BARS, .title = "Predicted run time", .x = GS_COL_MODEL, .y = GS_COL_TIME_S},
    {.kind = GS_PLOT_BARS, .title = "Predicted energy", .x = GS_COL_MODEL, .y = GS_COL_ENERGY_J},
};

static const struct gs_plot model_plot = {
    .name = "forest-models", .title = "Predicted models", .n_panels = 2, .panels = model_panels};

/* With a clock a model has one bar for each. */
static const struct gs_panel clock_panels[] = {
    {.kind = GS_PLOT_HISTOGRAM_GROUPED,
     .title = "Predicted run time",
     .x = GS_COL_MODEL,
     .y = GS_COL_TIME_S,
     .group = GS_COL_CLOCK_MHZ},
    {.kind = GS_PLOT_HISTOGRAM_GROUPED,
     .title = "Predicted energy",
     .x = GS_COL_MODEL,
     .y = GS_COL_ENERGY_J,
     .group = GS_COL_CLOCK_MHZ},
};

static const struct gs_plot clock_plot = {.name = "forest-models",
                                          .title = "Predicted models at each clock",
                                          .n_panels = 2,
                                          .panels = clock_panels,
                                          .columns = 1,
                                          .width_px = 800,
                                          .height_px = 1000};

static enum gs_status fill_operations(const struct gs_forest *forest,
                                      const struct gs_operations *ops,
                                      const struct gs_forest_answer *a, struct gs_arena *arena,
                                      struct gs_frames *out, struct gs_frame **frame,
                                      struct gs_err *err)
{
    struct gs_frame *f;
    const enum gs_status s = gs_frame_new(arena, "forest-operations", "Predicted operations",
                                          operation_specs, O_COLUMNS, ops->n, out, &f, err);
    if (s != GS_OK)
        return s;
    for (size_t i = 0; i < ops->n; i++) {
        const struct gs_operation *const o = &ops->row[i];
        gs_frame_set_text(f, i, O_MODEL, o->model);
        gs_frame_set_text(f, i, O_OP, o->op.canonical);
        gs_frame_set_text(f, i, O_SIZE, o->size.canonical);
        gs_frame_set_real(f, i, O_CLOCK, o->clock_mhz);
        gs_frame_set_real(f, i, O_COUNT, o->count);
        gs_frame_set_real(f, i, O_TIME, a[i].time_s);
        gs_frame_set_real(f, i, O_POWER, a[i].power_w);
        gs_frame_set_real(f, i, O_ENERGY, a[i].time_s * a[i].power_w);
        for (size_t q = 0; q < GS_FOREST_QUANTITIES; q++) {
            const struct gs_forest_interval v =
                gs_forest_interval(forest, (enum gs_forest_quantity)q, &a[i]);
            gs_frame_set_real(f, i, O_LOW + 2 * q, v.low);
            gs_frame_set_real(f, i, O_LOW + 2 * q + 1, v.high);
        }
    }
    *frame = f;
    return gs_frame_sort(f, "model,op,input_size,clock_mhz,count", arena, err);
}

static bool same_model(const struct gs_frame *f, size_t a, size_t b)
{
    const double x = f->columns[O_CLOCK].real[a], y = f->columns[O_CLOCK].real[b];
    return gs_str_eq(f->columns[O_MODEL].text[a], f->columns[O_MODEL].text[b]) &&
           (x == y || (isnan(x) && isnan(y)));
}

/* One row of the sums: rows [from, to) of `ops`, which is in the order of model and clock. */
static void add_up(const struct gs_frame *ops, size_t from, size_t to, struct gs_frame *f,
                   size_t row)
{
    static const size_t ends[] = {O_LOW, O_LOW + 1, O_LOW + 4, O_LOW + 5}; /* of time and energy */
    double count = 0.0, time_s = 0.0, energy_j = 0.0, end[4] = {0};
    int64_t unknown = 0;
    for (size_t i = from; i < to; i++) {
        const double c = ops->columns[O_COUNT].real[i], t = ops->columns[O_TIME].real[i];
        count += c;
        time_s += c * t;
        energy_j += c * ops->columns[O_ENERGY].real[i];
        unknown += isnan(t);
        for (size_t k = 0; k < 4; k++)
            end[k] += c * ops->columns[ends[k]].real[i];
    }
    for (size_t k = 0; k < 4; k++)
        gs_frame_set_real(f, row, M_LOW + k, end[k]);
    gs_frame_set_text(f, row, M_MODEL, ops->columns[O_MODEL].text[from]);
    gs_frame_set_real(f, row, M_CLOCK, ops->columns[O_CLOCK].real[from]);
    gs_frame_set_int(f, row, M_ROWS, (int64_t)(to - from));
    gs_frame_set_int(f, row, M_UNKNOWN, unknown);
    gs_frame_set_real(f, row, M_COUNT, count);
    gs_frame_set_real(f, row, M_TIME, time_s);
    gs_frame_set_real(f, row, M_POWER, energy_j / time_s);
    gs_frame_set_real(f, row, M_ENERGY, energy_j);
}

static enum gs_status fill_models(struct gs_frame *ops, bool clock, struct gs_arena *arena,
                                  struct gs_frames *out, struct gs_err *err)
{
    /* The sums want models and clocks together; afterwards the rows go back to their own order. */
    enum gs_status s = gs_frame_sort(ops, "model,clock_mhz,op,input_size,count", arena, err);
    if (s != GS_OK)
        return s;
    size_t n = 0, from = 0, row = 0;
    for (size_t i = 0; i < ops->n_rows; i++)
        n += i == 0 || !same_model(ops, i - 1, i);
    struct gs_frame *f;
    s = gs_frame_new(arena, "forest-models", "Predicted models", model_specs, M_COLUMNS, n, out, &f,
                     err);
    if (s != GS_OK)
        return s;
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
    char shown[64];
    if (n > 0)
        gs_note(&out->notes, GS_NOTE_WARNING,
                "%s: %zu of %zu operations are not predicted: the forest was not taught their "
                "operator (%s)",
                ops->name, n, ops->n, gs_escape(shown, sizeof shown, first));
}

enum gs_status gs_forest_predict_frames(const struct gs_forest *forest,
                                        const struct gs_operations *ops, struct gs_arena *arena,
                                        struct gs_frames *out, struct gs_err *err)
{
    if (forest->encoding.clock && !ops->has_clock)
        return gs_fail(err, GS_ERR_DATA,
                       "%s: no clock column, but the forest was trained with the GPU clock",
                       ops->name);
    const struct gs_operation **const row = gs_arena_take_raw(arena, ops->n, sizeof *row);
    struct gs_forest_answer *const a = gs_arena_take_raw(arena, ops->n, sizeof *a);
    if (row == NULL || a == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < ops->n; i++)
        row[i] = &ops->row[i];
    if (ops->has_clock && !forest->encoding.clock)
        gs_note(&out->notes, GS_NOTE_WARNING,
                "%s: the forest was trained without a clock: the clock is not used", ops->name);
    note_unknown(forest, ops, out);
    struct gs_frame *operations = NULL;
    enum gs_status s = gs_forest_predict(forest, row, ops->n, ops->name, arena, a, err);
    if (s == GS_OK)
        s = fill_operations(forest, ops, a, arena, out, &operations, err);
    if (s == GS_OK && ops->has_model)
        s = fill_models(operations, ops->has_clock, arena, out, err);
    return s;
}
