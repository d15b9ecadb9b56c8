/* op_cost.c - floating-point operations and traffic of the layers, from their arguments and input. */
#include "studies/forest/op_features.h"
#include "base/num/whole.h"

#include <math.h>
#include <string.h>

enum { ELEMENT_BYTES = 4 };

/* One layer being counted. The last `n_spatial` dimensions of the input are space, the one before channels.
 */
struct layer {
    const struct gs_op *op;
    const struct gs_op_size *size;
    struct gs_op_cost *cost;
    size_t n_spatial;
    struct gs_err *err;
};

/* A numeric argument, or `otherwise` where there is none; of a tuple the given item, of a single number it.
 */
static double argument(const struct layer *l, const char *name, int position, size_t item,
                       double otherwise)
{
    const struct gs_op_value *v = gs_op_find(l->op, name, position);
    if (v != NULL && v->kind == GS_OP_TUPLE && v->n_items == 1)
        v = &v->item[0];
    else if (v != NULL && v->kind == GS_OP_TUPLE)
        v = item < v->n_items ? &v->item[item] : NULL;
    return v != NULL && (v->kind == GS_OP_NUMBER || v->kind == GS_OP_BOOL) ? v->number : otherwise;
}

/* What an argument switches on, which is on where it is not given. */
static double only_if(const struct layer *l, const char *name, int position, double amount)
{
    if (argument(l, name, position, 0, 1.0) == 0.0)
        return 0.0;
    return amount;
}

static enum gs_status bad_argument(const struct layer *l, const char *name)
{
    return gs_fail(l->err, GS_ERR_DATA, "%s: %s is missing or out of range", l->op->kind.ptr, name);
}

/* A whole number from `min` up, as every length and count of a layer is. */
static enum gs_status whole(const struct layer *l, const char *name, int position, size_t item,
                            double otherwise, double min, double *value)
{
    *value = argument(l, name, position, item, otherwise);
    if (!(*value >= min && *value <= (double)GS_OP_DIM_MAX) || *value != floor(*value))
        return bad_argument(l, name);
    return GS_OK;
}

static double product(const struct gs_op_size *size, size_t from, size_t to)
{
    double p = 1.0;
    for (size_t i = from; i < to; i++)
        p *= (double)size->dim[i];
    return p;
}

/* Space of the input: its last dimensions, behind channels and perhaps a batch. */
static enum gs_status check_space(const struct layer *l)
{
    if (l->size->n >= l->n_spatial + 1 && l->size->n <= l->n_spatial + 2)
        return GS_OK;
    return gs_fail(l->err, GS_ERR_DATA, "%s takes an input of %zu or %zu dimensions, not %zu",
                   l->op->kind.ptr, l->n_spatial + 1, l->n_spatial + 2, l->size->n);
}

static size_t channel_dim(const struct layer *l)
{
    return l->size->n - l->n_spatial - 1;
}

static double batch(const struct layer *l)
{
    return product(l->size, 0, channel_dim(l));
}

static enum gs_status check_channels(const struct layer *l, double channels)
{
    const double found = (double)l->size->dim[channel_dim(l)];
    if (channels == found)
        return GS_OK;
    return gs_fail(l->err, GS_ERR_DATA, "%s takes %.0f channels, the input has %.0f",
                   l->op->kind.ptr, channels, found);
}

static bool is_word(const struct layer *l, const char *name, int position, const char *word)
{
    const struct gs_op_value *const v = gs_op_find(l->op, name, position);
    return v != NULL && v->kind == GS_OP_TEXT && gs_str_eq(v->text, gs_str(word));
}

/* Positions of arguments in the constructors of torch.nn; -1: by name only. */
struct window_places {
    int kernel, stride, padding, dilation, ceil_mode;
    bool stride_is_kernel; /* pooling: the stride is the kernel's size unless given */
    bool transposed;
};

/* Output length along dimension i, and the kernel's length there. */
static enum gs_status window_out(const struct layer *l, const struct window_places *at, size_t i,
                                 double *kernel, double *out)
{
    double stride, padding, dilation, extra = 0.0;
    GS_TRY(whole(l, "kernel_size", at->kernel, i, -1.0, 1.0, kernel));
    GS_TRY(whole(l, "stride", at->stride, i, at->stride_is_kernel ? *kernel : 1.0, 1.0, &stride));
    GS_TRY(whole(l, "padding", at->padding, i, 0.0, 0.0, &padding));
    GS_TRY(whole(l, "dilation", at->dilation, i, 1.0, 1.0, &dilation));
    if (at->transposed)
        GS_TRY(whole(l, "output_padding", 5, i, 0.0, 0.0, &extra));
    const double in = (double)l->size->dim[channel_dim(l) + 1 + i],
                 reach = dilation * (*kernel - 1.0);
    const bool up = argument(l, "ceil_mode", at->ceil_mode, 0, 0.0) != 0.0;
    if (at->transposed)
        *out = (in - 1.0) * stride - 2.0 * padding + reach + extra + 1.0;
    else if (is_word(l, "padding", at->padding, "same"))
        *out = in;
    else
        *out = (up ? ceil((in + 2.0 * padding - reach - 1.0) / stride)
                   : floor((in + 2.0 * padding - reach - 1.0) / stride)) +
               1.0;
    if (!(*out >= 1.0))
        return gs_fail(l->err, GS_ERR_DATA, "%s: the kernel is larger than the padded input",
                       l->op->kind.ptr);
    return GS_OK;
}

static enum gs_status window(struct layer *l, const struct window_places *at)
{
    GS_TRY(check_space(l));
    l->cost->kernel = l->cost->spatial = 1.0;
    for (size_t i = 0; i < l->n_spatial; i++) {
        double kernel, out;
        GS_TRY(window_out(l, at, i, &kernel, &out));
        l->cost->kernel *= kernel;
        l->cost->spatial *= out;
    }
    return GS_OK;
}

static enum gs_status conv_any(struct layer *l, bool transposed)
{
    const struct window_places at = {2, 3, 4, transposed ? 8 : 5, -1, false, transposed};
    struct gs_op_cost *const c = l->cost;
    double in, out;
    GS_TRY(window(l, &at));
    GS_TRY(whole(l, "in_channels", 0, 0, -1.0, 1.0, &in));
    GS_TRY(whole(l, "out_channels", 1, 0, -1.0, 1.0, &out));
    GS_TRY(whole(l, "groups", 6, 0, 1.0, 1.0, &c->groups));
    GS_TRY(check_channels(l, in));
    if (fmod(in, c->groups) != 0.0 || fmod(out, c->groups) != 0.0)
        return bad_argument(l, "groups");
    c->n_out = batch(l) * out * c->spatial;
    c->n_params = in / c->groups * out * c->kernel + only_if(l, "bias", 7, out);
    c->gemm_m = batch(l) * c->spatial;
    c->gemm_n = out / c->groups;
    c->gemm_k = in / c->groups;
    if (transposed) {
        c->gemm_m = batch(l) * product(l->size, channel_dim(l) + 1, l->size->n);
        c->gemm_n *= c->kernel;
    } else {
        c->gemm_k *= c->kernel;
    }
    c->flop = 2.0 * c->gemm_m * c->gemm_n * c->gemm_k * c->groups;
    return GS_OK;
}

static enum gs_status conv(struct layer *l)
{
    return conv_any(l, false);
}

static enum gs_status conv_transposed(struct layer *l)
{
    return conv_any(l, true);
}

static enum gs_status linear(struct layer *l)
{
    struct gs_op_cost *const c = l->cost;
    double in, out;
    GS_TRY(whole(l, "in_features", 0, 0, -1.0, 1.0, &in));
    GS_TRY(whole(l, "out_features", 1, 0, -1.0, 1.0, &out));
    const double found = (double)l->size->dim[l->size->n - 1];
    if (in != found)
        return gs_fail(l->err, GS_ERR_DATA, "%s takes %.0f features, the input has %.0f",
                       l->op->kind.ptr, in, found);
    c->gemm_m = c->n_in / in;
    c->gemm_n = out;
    c->gemm_k = in;
    c->n_out = c->gemm_m * out;
    c->n_params = in * out + only_if(l, "bias", 2, out);
    c->flop = 2.0 * c->gemm_m * c->gemm_n * c->gemm_k;
    if (l->size->n > 2)
        c->spatial = product(l->size, 1, l->size->n - 1);
    return GS_OK;
}

static enum gs_status pool(struct layer *l)
{
    const bool is_max = strstr(l->op->kind.ptr, "Max") != NULL;
    const struct window_places at = {0, 1, 2, is_max ? 3 : -1, is_max ? -1 : 3, true, false};
    GS_TRY(window(l, &at));
    l->cost->n_out = product(l->size, 0, channel_dim(l) + 1) * l->cost->spatial;
    l->cost->flop = l->cost->n_out * l->cost->kernel;
    return GS_OK;
}

static enum gs_status adaptive_pool(struct layer *l)
{
    GS_TRY(check_space(l));
    l->cost->spatial = 1.0;
    for (size_t i = 0; i < l->n_spatial; i++) {
        double out;
        const double in = (double)l->size->dim[channel_dim(l) + 1 + i];
        GS_TRY(whole(l, "output_size", 0, i, in, 1.0, &out)); /* None: as the input */
        l->cost->spatial *= out;
    }
    l->cost->n_out = product(l->size, 0, channel_dim(l) + 1) * l->cost->spatial;
    l->cost->kernel = ceil(l->cost->n_in / l->cost->n_out);
    l->cost->flop = l->cost->n_in;
    return GS_OK;
}

/* Scale and shift of every element: two operations each, two parameters per channel where affine. */
static enum gs_status norm(struct layer *l)
{
    double channels;
    const bool group = gs_str_eq(l->op->kind, gs_str("GroupNorm"));
    GS_TRY(whole(l, group ? "num_channels" : "num_features", group, 0, -1.0, 1.0, &channels));
    l->n_spatial = (size_t)gs_excess(l->size->n, 2);
    GS_TRY(check_channels(l, channels));
    l->cost->spatial = product(l->size, channel_dim(l) + 1, l->size->n);
    l->cost->n_params = only_if(l, "affine", -1, 2.0 * channels);
    l->cost->flop = 2.0 * l->cost->n_in;
    return GS_OK;
}

static enum gs_status layer_norm(struct layer *l)
{
    const struct gs_op_value *const shape = gs_op_find(l->op, "normalized_shape", 0);
    if (shape == NULL || (shape->kind != GS_OP_TUPLE && shape->kind != GS_OP_NUMBER))
        return bad_argument(l, "normalized_shape");
    double n = 1.0;
    const size_t items = shape->kind == GS_OP_TUPLE ? shape->n_items : 1;
    for (size_t i = 0; i < items; i++) {
        double length;
        GS_TRY(whole(l, "normalized_shape", 0, i, -1.0, 1.0, &length));
        n *= length;
    }
    l->cost->n_params = only_if(l, "elementwise_affine", -1, 2.0 * n);
    l->cost->flop = 5.0 * l->cost->n_in; /* mean, variance, then scale and shift */
    return GS_OK;
}

/* The identity in its usual cases: nothing is computed where the probability is 0. */
static enum gs_status drop(struct layer *l)
{
    l->cost->flop = 0.0;
    if (argument(l, "p", 0, 0, 0.5) > 0.0)
        l->cost->flop = l->cost->n_in;
    return GS_OK;
}

static const struct {
    const char *kind;
    size_t n_spatial;
    enum gs_status (*count)(struct layer *l);
} kinds[] = {
    {"Conv1d", 1, conv},
    {"Conv2d", 2, conv},
    {"Conv3d", 3, conv},
    {"ConvTranspose1d", 1, conv_transposed},
    {"ConvTranspose2d", 2, conv_transposed},
    {"ConvTranspose3d", 3, conv_transposed},
    {"Linear", 0, linear},
    {"NonDynamicallyQuantizableLinear", 0, linear},
    {"BatchNorm1d", 0, norm},
    {"BatchNorm2d", 0, norm},
    {"BatchNorm3d", 0, norm},
    {"InstanceNorm1d", 0, norm},
    {"InstanceNorm2d", 0, norm},
    {"InstanceNorm3d", 0, norm},
    {"GroupNorm", 0, norm},
    {"LayerNorm", 0, layer_norm},
    {"LayerNorm2d", 0, layer_norm},
    {"MaxPool1d", 1, pool},
    {"MaxPool2d", 2, pool},
    {"MaxPool3d", 3, pool},
    {"AvgPool1d", 1, pool},
    {"AvgPool2d", 2, pool},
    {"AvgPool3d", 3, pool},
    {"AdaptiveAvgPool1d", 1, adaptive_pool},
    {"AdaptiveAvgPool2d", 2, adaptive_pool},
    {"AdaptiveAvgPool3d", 3, adaptive_pool},
    {"AdaptiveMaxPool1d", 1, adaptive_pool},
    {"AdaptiveMaxPool2d", 2, adaptive_pool},
    {"AdaptiveMaxPool3d", 3, adaptive_pool},
    {"Dropout", 0, drop},
    {"Dropout2d", 0, drop},
    {"StochasticDepth", 0, drop},
};

enum gs_status gs_op_cost(const struct gs_op *op, const struct gs_op_size *size,
                          struct gs_op_cost *cost, struct gs_err *err)
{
    struct gs_op_cost c = {.kernel = 1.0, .groups = 1.0};
    c.n_in = c.n_out = c.flop = product(size, 0, size->n);
    c.spatial = 1.0;
    if (size->n > 2)
        c.spatial = product(size, 2, size->n);
    struct layer l = {.op = op, .size = size, .cost = &c, .err = err};
    enum gs_status s = GS_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (gs_str_eq(op->kind, gs_str(kinds[i].kind))) {
            l.n_spatial = kinds[i].n_spatial;
            s = kinds[i].count(&l);
            break;
        }
    }
    if (s != GS_OK)
        return s;
    c.bytes = ELEMENT_BYTES * (c.n_in + c.n_out + c.n_params);
    *cost = c;
    return GS_OK;
}
