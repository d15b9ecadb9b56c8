/* forest_fit.c - features, targets and roofline of a training, and its trees in independent batches. */
#include "studies/forest/forest_fit.h"

#include <math.h>
#include <string.h>

#include "base/num/order.h"
#include "studies/forest/op_features.h"
#include "base/os/parallel.h"
#include "stats/descriptive/quantile.h"
#include "studies/forest/forest_random.h"
#include "studies/forest/xgboost.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FORKS_BESIDE_THREADS 0
#elif defined(__has_feature)
#define FORKS_BESIDE_THREADS !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define FORKS_BESIDE_THREADS 1
#endif

/* Trees are grown this many at a time, each batch from its own seed: the work of one thread, and the same
   batches for any number of threads. */
enum { BATCH = 25 };

/* Everything that the batches share and only read. */
struct training {
    const struct gs_forest_options *options;
    const float *x;
    const float *y[GS_FOREST_TARGETS]; /* standardised; NULL: not trained */
    size_t n_rows, n_features, n_batches;
    struct gs_tree *tree[GS_FOREST_TARGETS];
};

static enum gs_status place(const struct gs_operation *o, const char *name,
                            const struct gs_err *why, struct gs_err *err)
{
    if (why->status != GS_ERR_DATA)
        return gs_fail(err, why->status, "%s", why->text);
    return gs_fail_at(err, name, o->line, "%s with input %s: %s", o->op.canonical.ptr,
                      o->size.canonical.ptr, why->text);
}

static enum gs_status count_cost(const struct gs_operation *o, const char *name,
                                 struct gs_op_cost *cost, struct gs_err *err)
{
    struct gs_err why = {0};
    if (gs_op_cost(&o->op, &o->size, cost, &why) != GS_OK)
        return place(o, name, &why, err);
    return GS_OK;
}

/*
 * Memory and arithmetic overlap on a GPU, so the slower of the two counts; the launch comes on
 * top.
 */
static double roofline_s(const struct gs_ensemble *e, const struct gs_op_cost *c)
{
    const double memory = c->bytes / e->bytes_per_s, arithmetic = c->flop / e->flop_per_s;
    return (gs_max(memory, arithmetic)) + e->overhead_s;
}

/* Percentiles rather than extremes, so that one wrong measurement does not lift the roof. */
static enum gs_status fit_roofline(const struct gs_operations *ops, const struct gs_op_cost *cost,
                                   struct gs_arena *scratch, struct gs_ensemble *e,
                                   struct gs_err *err)
{
    const struct gs_operation *const row = ops->row;
    const size_t n = ops->n;
    static const struct gs_prob high = {19, 20}, low = {1, 20};
    GS_NEW_RAW(double, v, n, scratch, err);
    for (size_t i = 0; i < n; i++)
        v[i] = cost[i].bytes / row[i].time_s;
    GS_TRY(gs_real_quantiles(v, n, &high, 1, scratch, &e->bytes_per_s, err));
    for (size_t i = 0; i < n; i++)
        v[i] = cost[i].flop / row[i].time_s;
    GS_TRY(gs_real_quantiles(v, n, &high, 1, scratch, &e->flop_per_s, err));
    for (size_t i = 0; i < n; i++)
        v[i] = row[i].time_s;
    GS_TRY(gs_real_quantiles(v, n, &low, 1, scratch, &e->overhead_s, err));
    e->roofline = true;
    /* Where nearly nothing computes, arithmetic bounds nothing. */
    if (!(e->flop_per_s > 0.0))
        e->flop_per_s = e->bytes_per_s;
    return GS_OK;
}

/* The target as the trees see it: about 0, spread 1. The sums run in the order of the sorted rows. */
static enum gs_status standardise(double *v, size_t n, struct gs_ensemble *e,
                                  struct gs_arena *arena, const float **target, struct gs_err *err)
{
    GS_NEW_RAW(float, y, n, arena, err);
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++)
        mean += v[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (v[i] - mean) * (v[i] - mean) / (double)n;
    e->offset = mean;
    e->scale = squares > 0.0 ? sqrt(squares) : 1.0;
    for (size_t i = 0; i < n; i++)
        y[i] = (float)((v[i] - mean) / e->scale);
    *target = y;
    return GS_OK;
}

/*
 * With derived features the trees learn the ratio to the roofline. Trees cannot extrapolate,
 * the roofline can: an operation larger than any of the training keeps a plausible time.
 */
static enum gs_status make_target(const struct gs_operations *ops, const struct gs_op_cost *cost,
                                  enum gs_forest_target target, struct gs_arena *arena,
                                  struct gs_ensemble *e, const float **y, struct gs_err *err)
{
    GS_NEW_RAW(double, v, ops->n, arena, err);
    if (e->log && target == GS_FOREST_TIME)
        GS_TRY(fit_roofline(ops, cost, arena, e, err));
    for (size_t i = 0; i < ops->n; i++) {
        v[i] = ops->row[i].power_w;
        if (target == GS_FOREST_TIME)
            v[i] = ops->row[i].time_s;
        if (e->roofline)
            v[i] /= roofline_s(e, &cost[i]);
        if (e->log)
            v[i] = log(v[i]);
    }
    return standardise(v, ops->n, e, arena, y, err);
}

/*
 * The seed depends on target and batch and not on the thread: the forest is the same for any
 * number of threads.
 */
static enum gs_status grow_batch(void *context, size_t item, struct gs_arena *arena,
                                 struct gs_err *err)
{
    struct training *const t = context;
    const size_t target = item / t->n_batches, batch = item % t->n_batches;
    if (t->y[target] == NULL)
        return GS_OK;
    uint64_t state = t->options->seed;
    /* the same sequence for no two batches */
    state = gs_splitmix64(&state) ^ (target << 32 | batch);
    const size_t first = batch * BATCH, left = t->options->n_trees - first;
    const struct gs_xgboost_options o = {
        .n_trees = gs_min(left, BATCH),
        .depth_max = t->options->depth_max,
        .row_share = t->options->row_share,
        .feature_share = t->options->feature_share,
        .seed = (uint32_t)(gs_splitmix64(&state) >> 33),
    };
    const struct gs_xgboost_data data = {t->x, t->y[target], t->n_rows, t->n_features};
    return gs_xgboost_forest(&data, &o, arena, t->tree[target] + first, err);
}

/*
 * Brings a tree grown in a batch's arena home; its answers are of its own batch's size. The
 * leaves of a batch are divided by its own size. The factor undoes that, so that a last batch
 * of fewer trees does not weigh more.
 */
static enum gs_status adopt(struct gs_tree *t, float factor, struct gs_arena *arena,
                            struct gs_err *err)
{
    GS_NEW_RAW(int32_t, feature, t->n, arena, err);
    GS_NEW_RAW(float, value, t->n, arena, err);
    GS_NEW_RAW(uint32_t, right, t->n, arena, err);
    memcpy(feature, t->feature, t->n * sizeof *feature);
    memcpy(right, t->right, t->n * sizeof *right);
    for (uint32_t i = 0; i < t->n; i++) {
        value[i] = t->value[i];
        if (feature[i] < 0)
            value[i] *= factor;
    }
    *t = (struct gs_tree){t->n, feature, value, right};
    return GS_OK;
}

static enum gs_status grow(struct training *t, struct gs_arena *arena, struct gs_forest *f,
                           struct gs_err *err)
{
    const size_t n_trees = t->options->n_trees, n_items = GS_FOREST_TARGETS * t->n_batches;
    GS_OWN struct gs_arena grown = {0};
    for (size_t k = 0; k < GS_FOREST_TARGETS; k++)
        GS_TAKE(t->tree[k], n_trees, arena, err);
    /* The sanitizers' allocators do not survive a fork beside another thread: there one at a time. */
    GS_TRY(gs_parallel_tasks(FORKS_BESIDE_THREADS ? t->options->n_threads : 1, n_items, grow_batch,
                             t, &grown, err));
    for (size_t k = 0; k < GS_FOREST_TARGETS; k++) {
        if (t->y[k] == NULL)
            continue;
        for (size_t i = 0; i < n_trees; i++) {
            const size_t left = n_trees - i / BATCH * BATCH;
            GS_TRY(adopt(&t->tree[k][i], (float)gs_min(left, BATCH), arena, err));
        }
        f->target[k].tree = t->tree[k];
        f->target[k].n_trees = n_trees;
        f->target[k].scale /= (double)n_trees;
    }
    return GS_OK;
}

bool gs_operation_is_new(const struct gs_operations *ops, size_t i)
{
    const struct gs_operation *const o = &ops->row[i];
    return i == 0 || !gs_str_eq(o->op.canonical, o[-1].op.canonical) ||
           !gs_str_eq(o->size.canonical, o[-1].size.canonical);
}

enum gs_status gs_forest_train(const struct gs_operations *ops,
                               const struct gs_forest_options *options, struct gs_arena *arena,
                               struct gs_forest *forest, struct gs_err *err)
{
    const size_t n = ops->n;
    struct gs_forest f = {.n_rows = n, .seed = options->seed};
    GS_NEW_RAW(struct gs_op_cost, cost, n, arena, err);
    for (size_t i = 0; i < n; i++) {
        f.n_operations += gs_operation_is_new(ops, i);
        if (options->derived)
            GS_TRY(count_cost(&ops->row[i], ops->name, &cost[i], err));
    }
    GS_TRY(gs_op_encoding_learn(ops->row, n, ops->has_clock, options->derived, arena, &f.encoding,
                                err));
    struct training t = {.options = options,
                         .n_rows = n,
                         .n_features = gs_op_encoding_n_features(&f.encoding),
                         .n_batches = (options->n_trees + BATCH - 1) / BATCH};
    float *const x = gs_arena_take_raw(arena, n, t.n_features * sizeof *x);
    GS_TRY(gs_had_memory(x != NULL, err));
    t.x = x;
    for (size_t i = 0; i < n; i++)
        GS_TRY(gs_op_encode(&f.encoding, &ops->row[i], &cost[i], arena, x + i * t.n_features, err));
    for (int k = 0; k < GS_FOREST_TARGETS; k++)
        if (k == GS_FOREST_TIME || ops->has_power) {
            f.target[k].log = options->derived;
            GS_TRY(make_target(ops, cost, (enum gs_forest_target)k, arena, &f.target[k], &t.y[k],
                               err));
        }
    GS_TRY(grow(&t, arena, &f, err));
    *forest = f;
    return GS_OK;
}

/*
 * The prediction, and in *spread how much single trees, each as if it were the whole forest,
 * differ in ln(y). The difference of squares may round below 0 where all trees agree; fmax
 * keeps the root defined.
 */
static double answer(const struct gs_ensemble *e, const float *x, const struct gs_op_cost *cost,
                     double *spread)
{
    *spread = NAN;
    if (e->n_trees == 0)
        return (double)NAN;
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < e->n_trees; i++) {
        const double v = (double)gs_tree_walk(&e->tree[i], x);
        sum += v;
        squares += v * v;
    }
    const double n = (double)e->n_trees, variance = fmax(0, squares / n - sum / n * (sum / n));
    double y = e->offset + e->scale * sum;
    *spread = fabs(e->scale) * n * sqrt(variance);
    if (e->log)
        y = exp(y);
    else
        *spread = y > 0 ? *spread / y : (double)NAN;
    if (e->roofline)
        y *= roofline_s(e, cost);
    return isfinite(y) ? y : (double)NAN;
}

/*
 * An operation of a kind that the training never had gets no answer. A forest would give one,
 * without any ground.
 */
enum gs_status gs_forest_predict(const struct gs_forest *forest, const struct gs_operations *ops,
                                 struct gs_arena *scratch, struct gs_forest_answer *answers,
                                 struct gs_err *err)
{
    GS_REWINDS(scratch);
    const struct gs_op_encoding *const e = &forest->encoding;
    GS_NEW_RAW(float, x, gs_op_encoding_n_features(e), scratch, err);
    enum gs_status s = GS_OK;
    for (size_t i = 0; i < ops->n && s == GS_OK; i++) {
        const struct gs_operation *const o = &ops->row[i];
        struct gs_op_cost cost = {0};
        struct gs_forest_answer *const a = &answers[i];
        *a = (struct gs_forest_answer){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
        if (!gs_op_encoding_has(e, &o->op))
            continue;
        if (e->derived)
            s = count_cost(o, ops->name, &cost, err);
        GS_THEN(s, gs_op_encode(e, o, &cost, scratch, x, err));
        if (s != GS_OK)
            break;
        a->time_s = answer(&forest->target[GS_FOREST_TIME], x, &cost, &a->time_spread);
        a->power_w = answer(&forest->target[GS_FOREST_POWER], x, &cost, &a->power_spread);
    }
    return s;
}
