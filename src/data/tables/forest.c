/* forest.c - the layout of a forest, and the checks before one is evaluated. */
#include "data/tables/forest.h"

#include <math.h>
#include <string.h>

const char *const gs_forest_target_names[GS_FOREST_TARGETS] = {
    [GS_FOREST_TIME] = "time", [GS_FOREST_POWER] = "power"};

bool gs_op_encoding_is_word(struct gs_str attribute)
{
    return attribute.len > 0 && memchr(attribute.ptr, '=', attribute.len) != NULL;
}

size_t gs_op_encoding_n_features(const struct gs_op_encoding *e)
{
    size_t n = e->n_kinds + 2 * e->n_dims + e->clock + (e->derived ? (size_t)GS_FOREST_DERIVED : 0);
    for (size_t i = 0; i < e->n_attributes; i++)
        n += gs_op_encoding_is_word(e->attribute[i]) ? 1 : 2;
    return n;
}

/* What the parser of operations lets through, and what can be written to JSON as it is. */
static bool is_plain(struct gs_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] < ' ' || name.ptr[i] > '~' || name.ptr[i] == '"' || name.ptr[i] == '\\')
            return false;
    return name.len > 0;
}

static enum gs_status check_names(const struct gs_str *name, size_t n, size_t max, const char *what,
                                  struct gs_err *err)
{
    if (n > max)
        return gs_fail(err, GS_ERR_DATA, "%s: %zu of them, at most %zu are allowed", what, n, max);
    for (size_t i = 0; i < n; i++) {
        if (!is_plain(name[i]))
            return gs_fail(err, GS_ERR_DATA, "%s: number %zu is not a name", what, i);
        if (i > 0 && gs_str_compare(name[i - 1], name[i]) >= 0)
            return gs_fail(err, GS_ERR_DATA, "%s: number %zu is not in order", what, i);
    }
    return GS_OK;
}

static enum gs_status check_tree(const struct gs_tree *t, size_t n_features, const char *target,
                                 size_t tree, struct gs_err *err)
{
    if (t->n < 1 || t->n > GS_FOREST_NODES_MAX)
        return gs_fail(err, GS_ERR_DATA, "%s: tree %zu: %u nodes, expected 1 to %d", target, tree,
                       (unsigned)t->n, GS_FOREST_NODES_MAX);
    for (uint32_t i = 0; i < t->n; i++) {
        const bool leaf = t->feature[i] < 0;
        const char *wrong = NULL;
        if (!isfinite(t->value[i]))
            wrong = "its value is not a finite number";
        else if (!leaf && (size_t)t->feature[i] >= n_features)
            wrong = "its feature is beyond the last one";
        else if (!leaf && (t->right[i] <= i + 1 || t->right[i] >= t->n))
            wrong = "its right child is not a later node";
        if (wrong != NULL)
            return gs_fail(err, GS_ERR_DATA, "%s: tree %zu: node %u: %s", target, tree, (unsigned)i,
                           wrong);
    }
    return GS_OK;
}

static enum gs_status check_ensemble(const struct gs_ensemble *e, size_t n_features,
                                     const char *target, struct gs_err *err)
{
    if (e->n_trees > GS_FOREST_TREES_MAX)
        return gs_fail(err, GS_ERR_DATA, "%s: %zu trees, at most %d are allowed", target,
                       e->n_trees, GS_FOREST_TREES_MAX);
    if (!isfinite(e->offset) || !isfinite(e->scale))
        return gs_fail(err, GS_ERR_DATA, "%s: offset or scale is not a finite number", target);
    if (e->roofline &&
        !(e->bytes_per_s > 0.0 && isfinite(e->bytes_per_s) && e->flop_per_s > 0.0 &&
          isfinite(e->flop_per_s) && e->overhead_s >= 0.0 && isfinite(e->overhead_s)))
        return gs_fail(err, GS_ERR_DATA, "%s: the roofline's rates must be finite and above 0",
                       target);
    for (size_t i = 0; i < e->n_trees; i++)
        GS_TRY(check_tree(&e->tree[i], n_features, target, i, err));
    return GS_OK;
}

enum gs_status gs_forest_check(const struct gs_forest *f, struct gs_err *err)
{
    const struct gs_op_encoding *const e = &f->encoding;
    enum gs_status s = check_names(e->kind, e->n_kinds, GS_FOREST_KINDS_MAX, "kinds", err);
    GS_THEN(
        s, check_names(e->attribute, e->n_attributes, GS_FOREST_ATTRIBUTES_MAX, "attributes", err));
    if (s == GS_OK && (e->n_kinds == 0 || e->n_dims == 0 || f->target[GS_FOREST_TIME].n_trees == 0))
        s = gs_fail(err, GS_ERR_DATA, "a forest needs kinds, dimensions and trees for time");
    const size_t n_features = s == GS_OK ? gs_op_encoding_n_features(e) : 0;
    for (int q = 0; q < GS_FOREST_QUANTITIES && s == GS_OK; q++)
        if (!(f->error[q].factor >= 0 && f->error[q].factor <= 1e6 && f->error[q].floor >= 0 &&
              f->error[q].floor <= 1e6))
            s = gs_fail(err, GS_ERR_DATA, "interval: factor and floor must be from 0 to 1000000");
    for (int t = 0; t < GS_FOREST_TARGETS && s == GS_OK; t++)
        s = check_ensemble(&f->target[t], n_features, gs_forest_target_names[t], err);
    return s;
}

float gs_tree_walk(const struct gs_tree *t, const float *x)
{
    uint32_t i = 0;
    while (t->feature[i] >= 0)
        i = x[t->feature[i]] < t->value[i] ? i + 1 : t->right[i];
    return t->value[i];
}
