/* op_features.c - operations as vectors of numbers. */
#include "studies/forest/op_features.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/intern.h"
#include "base/num/order.h"

/* In the order of the vector. Each is ln(1 + x): trees only see order, but splits lie half-way between. */
static const struct {
    const char *name;
    size_t offset;
} derived[GS_FOREST_DERIVED] = {
    {"ln flop", offsetof(struct gs_op_cost, flop)},
    {"ln bytes", offsetof(struct gs_op_cost, bytes)},
    {"ln outputs", offsetof(struct gs_op_cost, n_out)},
    {"ln inputs", offsetof(struct gs_op_cost, n_in)},
    {"ln parameters", offsetof(struct gs_op_cost, n_params)},
    {"ln intensity", 0}, /* flop / bytes, see derived_value */
    {"ln gemm m", offsetof(struct gs_op_cost, gemm_m)},
    {"ln gemm n", offsetof(struct gs_op_cost, gemm_n)},
    {"ln gemm k", offsetof(struct gs_op_cost, gemm_k)},
    {"ln positions", offsetof(struct gs_op_cost, spatial)},
    {"ln kernel", offsetof(struct gs_op_cost, kernel)},
    {"ln groups", offsetof(struct gs_op_cost, groups)},
};

enum { INTENSITY = 5 };

static double derived_value(const struct gs_op_cost *cost, size_t i)
{
    double v;
    memcpy(&v, (const char *)cost + derived[i].offset, sizeof v);
    return log1p(i == INTENSITY ? cost->flop / cost->bytes : v);
}

/* Takes one attribute of an operation. `value` is NaN for a word, whose name holds it. */
typedef enum gs_status attribute_fn(void *context, struct gs_str name, double value,
                                    struct gs_err *err);

struct walk {
    attribute_fn *take;
    void *context;
    struct gs_arena *scratch;
    struct gs_err *err;
};

static enum gs_status walk_value(const struct walk *w, struct gs_str name,
                                 const struct gs_op_value *v, bool top)
{
    struct gs_buf b = {.arena = w->scratch};
    switch (v->kind) {
    case GS_OP_NONE:
        return GS_OK;
    case GS_OP_BOOL:
    case GS_OP_NUMBER:
        return w->take(w->context, name, v->number, w->err);
    case GS_OP_TEXT:
        gs_buf_bytes(&b, name.ptr, name.len);
        gs_buf_char(&b, '=');
        gs_buf_bytes(&b, v->text.ptr, v->text.len);
        GS_TRY(gs_had_memory(!b.failed, w->err));
        return w->take(w->context, gs_buf_str(&b), (double)NAN, w->err);
    case GS_OP_TUPLE:
        break;
    }
    enum gs_status s = GS_OK;
    for (size_t i = 0; i < v->n_items && s == GS_OK; i++) {
        /* The first item shares its name with a single number: stride=2 and stride=(2, 2) are one attribute.
         */
        struct gs_buf item = {.arena = w->scratch};
        gs_buf_bytes(&item, name.ptr, name.len);
        if (!top || i > 0 || v->item[i].kind == GS_OP_TUPLE)
            gs_buf_format(&item, ".%zu", i);
        GS_TRY(gs_had_memory(!item.failed, w->err));
        s = walk_value(w, gs_buf_str(&item), &v->item[i], false);
    }
    return s;
}

static enum gs_status walk_attributes(const struct walk *w, const struct gs_op *op)
{
    for (size_t i = 0; i < op->n_args; i++) {
        struct gs_buf name = {.arena = w->scratch};
        if (op->arg[i].name.ptr != NULL)
            gs_buf_bytes(&name, op->arg[i].name.ptr, op->arg[i].name.len);
        else
            gs_buf_format(&name, "arg%zu", i);
        GS_TRY(gs_had_memory(!name.failed, w->err));
        GS_TRY(walk_value(w, gs_buf_str(&name), &op->arg[i].value, true));
    }
    return GS_OK;
}

/*
 * The number of attributes is the width of the feature matrix; the bound keeps a broken table
 * from taking all memory.
 */
static enum gs_status learn_attribute(void *context, struct gs_str name, double value,
                                      struct gs_err *err)
{
    (void)value;
    struct gs_intern *const seen = context;
    GS_TRY(gs_had_memory(gs_intern_add(seen, name) != GS_INTERN_NONE, err));
    if (seen->n > GS_FOREST_ATTRIBUTES_MAX)
        return gs_fail(err, GS_ERR_DATA, "more than %d different attributes",
                       GS_FOREST_ATTRIBUTES_MAX);
    return GS_OK;
}

GS_COMPARES(compare_texts, struct gs_str, GS_DIFFER(gs_str_compare(*x, *y)););

static void sort_texts(struct gs_intern *in)
{
    GS_SORT(in->text, in->n, compare_texts);
}

enum gs_status gs_op_encoding_learn(const struct gs_operation *row, size_t n, bool clock,
                                    bool with_derived, struct gs_arena *arena,
                                    struct gs_op_encoding *encoding, struct gs_err *err)
{
    struct gs_intern kinds = {.arena = arena}, attributes = {.arena = arena};
    const struct walk w = {learn_attribute, &attributes, arena, err};
    struct gs_op_encoding e = {.clock = clock, .derived = with_derived};
    for (size_t i = 0; i < n; i++) {
        const struct gs_op *const op = &row[i].op;
        /* Rows are sorted: the same operation again adds nothing. */
        if (i > 0 && gs_str_eq(row[i - 1].op.canonical, op->canonical) &&
            row[i - 1].size.n == row[i].size.n)
            continue;
        GS_TRY(gs_had_memory(gs_intern_add(&kinds, op->kind) != GS_INTERN_NONE, err));
        if (kinds.n > GS_FOREST_KINDS_MAX)
            return gs_fail(err, GS_ERR_DATA, "more than %d different operators",
                           GS_FOREST_KINDS_MAX);
        GS_TRY(walk_attributes(&w, op));
        if (row[i].size.n > e.n_dims)
            e.n_dims = row[i].size.n;
    }
    /* The numbers of the texts are not used any more, so they may be put in order in place. */
    sort_texts(&kinds);
    sort_texts(&attributes);
    e.kind = kinds.text;
    e.n_kinds = kinds.n;
    e.attribute = attributes.text;
    e.n_attributes = attributes.n;
    *encoding = e;
    return GS_OK;
}

/* Place of a text in a sorted list, or n. */
static size_t place_of(const struct gs_str *list, size_t n, struct gs_str text)
{
    if (n == 0)
        return n;
    const struct gs_str *const found = bsearch(&text, list, n, sizeof *list, compare_texts);
    if (found == NULL)
        return n;
    return (size_t)(found - list);
}

bool gs_op_encoding_has(const struct gs_op_encoding *e, const struct gs_op *op)
{
    return place_of(e->kind, e->n_kinds, op->kind) < e->n_kinds;
}

/* Feature vectors are single precision; what is beyond it is as large as it gets. */
static float single(double v)
{
    if (v > (double)FLT_MAX)
        return FLT_MAX;
    if (v < -(double)FLT_MAX)
        return -FLT_MAX;
    return (float)v;
}

struct filling {
    const struct gs_op_encoding *e;
    const size_t *at; /* where each attribute begins */
    float *x;
};

static enum gs_status fill_attribute(void *context, struct gs_str name, double value,
                                     struct gs_err *err)
{
    (void)err;
    const struct filling *const f = context;
    const size_t i = place_of(f->e->attribute, f->e->n_attributes, name);
    if (i == f->e->n_attributes)
        return GS_OK;
    float *const x = f->x + f->at[i];
    if (gs_op_encoding_is_word(name)) {
        x[0] = 1.0f;
    } else {
        x[0] = single(value);
        x[1] = 1.0f;
    }
    return GS_OK;
}

enum gs_status gs_op_encode(const struct gs_op_encoding *e, const struct gs_operation *o,
                            const struct gs_op_cost *cost, struct gs_arena *scratch, float *x,
                            struct gs_err *err)
{
    GS_REWINDS(scratch);
    GS_NEW_RAW(size_t, at, e->n_attributes, scratch, err);
    size_t n = 0;
    const size_t kind = place_of(e->kind, e->n_kinds, o->op.kind);
    for (size_t i = 0; i < e->n_kinds; i++)
        x[n++] = (float)(i == kind);
    for (size_t i = 0; i < e->n_dims; i++) {
        x[n++] = i < o->size.n ? (float)o->size.dim[i] : -1.0f;
        x[n++] = (float)(i < o->size.n);
    }
    for (size_t i = 0; i < e->n_attributes; i++) {
        at[i] = n;
        if (!gs_op_encoding_is_word(e->attribute[i]))
            x[n++] = -1.0f;
        x[n++] = 0.0f;
    }
    if (e->clock)
        x[n++] = isnan(o->clock_mhz) ? -1.0f : single(o->clock_mhz);
    for (size_t i = 0; e->derived && i < GS_FOREST_DERIVED; i++)
        x[n++] = single(derived_value(cost, i));
    struct filling f = {e, at, x};
    const struct walk w = {fill_attribute, &f, scratch, err};
    return walk_attributes(&w, &o->op);
}

void gs_op_encoding_feature_name(const struct gs_op_encoding *e, size_t i, struct gs_buf *name)
{
    if (i < e->n_kinds) {
        gs_buf_text(name, "kind=");
        gs_buf_bytes(name, e->kind[i].ptr, e->kind[i].len);
        return;
    }
    i -= e->n_kinds;
    if (i < 2 * e->n_dims) {
        gs_buf_format(name, "dim%zu%s", i / 2, gs_text_if(i % 2 == 1, "?"));
        return;
    }
    i -= 2 * e->n_dims;
    for (size_t a = 0; a < e->n_attributes; a++) {
        const size_t width = gs_op_encoding_is_word(e->attribute[a]) ? 1 : 2;
        if (i < width) {
            gs_buf_bytes(name, e->attribute[a].ptr, e->attribute[a].len);
            gs_buf_text_if(name, i == 1, "?");
            return;
        }
        i -= width;
    }
    if (e->clock && i-- == 0)
        gs_buf_text(name, "clock_mhz");
    else if (i < GS_FOREST_DERIVED)
        gs_buf_text(name, derived[i].name);
}
