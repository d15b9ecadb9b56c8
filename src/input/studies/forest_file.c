/* forest_file.c - writes forests and reads them back, trusting nothing in the file. */
#define _GNU_SOURCE /* memmem */
#include "input/studies/forest_file.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "input/bytes/bytes.h"
#include "base/core/sha256.h"
#include "base/num/decimal.h"
#include "input/bytes/json.h"

static const char *const quantity_names[GS_FOREST_QUANTITIES] = {"time", "power", "energy"};

static void put_real(struct gs_buf *b, const char *before, double v)
{
    char room[GS_REAL_TEXT_MAX];
    (void)gs_real_format(room, v);
    gs_buf_format(b, "%s%s", before, room);
}

/*
 * The decimal text of the largest single is a little beyond it. A cast of a double beyond the
 * range of float is undefined behaviour; this clamps it first.
 */
static float single(double v)
{
    if (v > (double)FLT_MAX)
        return FLT_MAX;
    return v < -(double)FLT_MAX ? -FLT_MAX : (float)v;
}

/*
 * The fewest digits, at most nine, that read back as the same single: half the bytes of a
 * double's. Nine digits always suffice for a float, so the loop ends with a text that reads back
 * as itself.
 */
static void put_single(struct gs_buf *b, float v)
{
    char room[32];
    for (int digits = 6; digits <= 9; digits++) {
        const int len = snprintf(room, sizeof room, "%.*g", digits, (double)v);
        /* The locale's decimal point, if a caller of the library has set one. */
        for (int i = 0; i < len; i++)
            if (strchr("+-0123456789e", room[i]) == NULL)
                room[i] = '.';
        double back;
        if (gs_real_parse((struct gs_str){room, (size_t)len}, &back) == GS_NUMBER_OK &&
            single(back) == v)
            break;
    }
    gs_buf_text(b, room);
}

/* Names are of printable ASCII without quotes and backslashes, see gs_forest_check: nothing to escape. */
static void put_names(struct gs_buf *b, const char *key, const struct gs_str *name, size_t n)
{
    gs_buf_format(b, "\"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        gs_buf_text(b, i == 0 ? "\"" : ", \"");
        gs_buf_add(b, name[i]);
        gs_buf_char(b, '"');
    }
    gs_buf_char(b, ']');
}

static void put_tree(struct gs_buf *b, const struct gs_tree *t)
{
    gs_buf_text(b, "{\"feature\": [");
    for (uint32_t i = 0; i < t->n; i++)
        gs_buf_format(b, "%s%d", i == 0 ? "" : ",", (int)t->feature[i]);
    gs_buf_text(b, "], \"value\": [");
    for (uint32_t i = 0; i < t->n; i++) {
        gs_buf_text_if(b, i > 0, ",");
        put_single(b, t->value[i]);
    }
    gs_buf_text(b, "], \"right\": [");
    for (uint32_t i = 0; i < t->n; i++)
        gs_buf_format(b, "%s%u", i == 0 ? "" : ",", (unsigned)t->right[i]);
    gs_buf_text(b, "]}");
}

static void put_ensemble(struct gs_buf *b, const char *key, const struct gs_ensemble *e)
{
    gs_buf_format(b, ",\n\"%s\": ", key);
    if (e->n_trees == 0) {
        gs_buf_text(b, "null");
        return;
    }
    gs_buf_format(b, "{\"log\": %s, \"roofline\": ", e->log ? "true" : "false");
    if (e->roofline) {
        put_real(b, "{\"bytes_per_s\": ", e->bytes_per_s);
        put_real(b, ", \"flop_per_s\": ", e->flop_per_s);
        put_real(b, ", \"overhead_s\": ", e->overhead_s);
        gs_buf_char(b, '}');
    } else {
        gs_buf_text(b, "null");
    }
    put_real(b, ", \"offset\": ", e->offset);
    put_real(b, ", \"scale\": ", e->scale);
    gs_buf_text(b, ", \"trees\": [\n");
    for (size_t i = 0; i < e->n_trees; i++) {
        gs_buf_text_if(b, i > 0, ",\n");
        put_tree(b, &e->tree[i]);
    }
    gs_buf_text(b, "\n]}");
}

/* "interval": {"time": [FACTOR, FLOOR], ...}, nothing where it is not known. */
static void put_interval(struct gs_buf *b, const struct gs_forest *f)
{
    const char *before = "\"interval\": {";
    for (int q = 0; q < GS_FOREST_QUANTITIES; q++) {
        if (!(f->error[q].factor > 0))
            continue;
        gs_buf_format(b, "%s\"%s\": [", before, quantity_names[q]);
        put_real(b, "", f->error[q].factor);
        put_real(b, ", ", f->error[q].floor);
        gs_buf_char(b, ']');
        before = ", ";
    }
    gs_buf_text_if(b, before[0] == ',', "},\n");
}

/* A byte that changed on a disk would be another forest: all that follows this line is under its digest. */
static const char seal[] = "\"sha256\": \"", behind_seal[] = "\",\n";

static void digest_of(struct gs_str rest, char hex[GS_SHA256_HEX])
{
    struct gs_sha256 sum;
    gs_sha256_begin(&sum);
    gs_sha256_add(&sum, rest.ptr, rest.len);
    gs_sha256_end(&sum, hex);
}

/* This finds damage, not forgery: whoever changes the file can write a new digest. */
static bool seal_holds(struct gs_str text)
{
    char hex[GS_SHA256_HEX];
    const char *const at = memmem(text.ptr, text.len, seal, sizeof seal - 1);
    const size_t line = sizeof seal - 1 + sizeof hex - 1 + sizeof behind_seal - 1;
    if (at == NULL || (size_t)(text.ptr + text.len - at) < line)
        return false;
    digest_of((struct gs_str){at + line, (size_t)(text.ptr + text.len - at) - line}, hex);
    return memcmp(at + sizeof seal - 1, hex, sizeof hex - 1) == 0;
}

/* The digest is of what follows it, so it is written as zeros first and filled in at the end. */
enum gs_status gs_forest_write(const struct gs_forest *f, struct gs_buf *out, struct gs_err *err)
{
    const struct gs_op_encoding *const e = &f->encoding;
    char hex[GS_SHA256_HEX];
    gs_buf_format(out, "{\"schema\": \"" GS_FOREST_SCHEMA "\",\n%s%064d%s", seal, 0, behind_seal);
    const size_t begin = out->len;
    gs_buf_format(out,
                  "\"trained\": {\"operations\": %llu, \"different\": %llu, \"seed\": %llu},\n",
                  (unsigned long long)f->n_rows, (unsigned long long)f->n_operations,
                  (unsigned long long)f->seed);
    put_interval(out, f);
    gs_buf_format(out, "\"encoding\": {\"dimensions\": %zu, \"clock\": %s, \"derived\": %s,\n",
                  e->n_dims, e->clock ? "true" : "false", e->derived ? "true" : "false");
    put_names(out, "kinds", e->kind, e->n_kinds);
    gs_buf_text(out, ",\n");
    put_names(out, "attributes", e->attribute, e->n_attributes);
    gs_buf_char(out, '}');
    for (int t = 0; t < GS_FOREST_TARGETS; t++)
        put_ensemble(out, gs_forest_target_names[t], &f->target[t]);
    gs_buf_text(out, "}\n");
    GS_TRY(gs_had_memory(!out->failed, err));
    digest_of((struct gs_str){out->ptr + begin, out->len - begin}, hex);
    memcpy(out->ptr + begin - (sizeof hex - 1 + sizeof behind_seal - 1), hex, sizeof hex - 1);
    return GS_OK;
}

struct reading {
    struct gs_arena *arena;
    struct gs_err *err;
};

static enum gs_status bad(const struct reading *r, const char *where, const char *what)
{
    return gs_fail(r->err, GS_ERR_DATA, "%s: %s", where, what);
}

static enum gs_status get_real(const struct reading *r, const struct gs_json *object,
                               const char *key, double *value)
{
    if (gs_json_number(gs_json_member(object, key), value) && isfinite(*value))
        return GS_OK;
    return bad(r, key, "a finite number was expected");
}

/* `max` bounds what is allocated by this number. */
static enum gs_status get_count(const struct reading *r, const struct gs_json *object,
                                const char *key, double max, uint64_t *value)
{
    double v;
    if (!gs_json_number(gs_json_member(object, key), &v) || !(v >= 0.0 && v <= max) ||
        v != floor(v))
        return gs_fail(r->err, GS_ERR_DATA, "%s: a whole number from 0 to %.0f was expected", key,
                       max);
    *value = (uint64_t)v;
    return GS_OK;
}

static enum gs_status get_bool(const struct reading *r, const struct gs_json *object,
                               const char *key, bool *value)
{
    return gs_json_bool(gs_json_member(object, key), value)
               ? GS_OK
               : bad(r, key, "true or false was expected");
}

/* The texts are copied: the document is freed when the reading ends. */
static enum gs_status get_names(const struct reading *r, const struct gs_json *object,
                                const char *key, const struct gs_str **names, size_t *n)
{
    const struct gs_json *const list = gs_json_member(object, key);
    if (!gs_json_is_array(list))
        return bad(r, key, "an array was expected");
    const size_t length = gs_json_length(list);
    GS_NEW(struct gs_str, name, length, r->arena, r->err);
    size_t i = 0;
    for (const struct gs_json *v = gs_json_first(list); v != NULL; v = gs_json_next(v), i++) {
        struct gs_str text;
        if (!gs_json_text(v, &text))
            return bad(r, key, "an array of texts was expected");
        GS_TRY(gs_had_memory(gs_str_copy(r->arena, text, &name[i]), r->err));
    }
    *names = name;
    *n = length;
    return GS_OK;
}

static enum gs_status get_encoding(const struct reading *r, const struct gs_json *object,
                                   struct gs_op_encoding *e)
{
    uint64_t n_dims = 0;
    GS_TRY(get_count(r, object, "dimensions", 64.0, &n_dims));
    e->n_dims = (size_t)n_dims;
    GS_TRY(get_bool(r, object, "clock", &e->clock));
    GS_TRY(get_bool(r, object, "derived", &e->derived));
    GS_TRY(get_names(r, object, "kinds", &e->kind, &e->n_kinds));
    return get_names(r, object, "attributes", &e->attribute, &e->n_attributes);
}

/* Node by node from three arrays of one length. What the numbers mean is gs_forest_check's to judge. */
static enum gs_status get_tree(const struct reading *r, const struct gs_json *object,
                               struct gs_tree *t)
{
    const struct gs_json *f = gs_json_member(object, "feature"),
                         *v = gs_json_member(object, "value"), *c = gs_json_member(object, "right");
    const size_t n = gs_json_length(f);
    if (n < 1 || n > GS_FOREST_NODES_MAX || gs_json_length(v) != n || gs_json_length(c) != n)
        return bad(r, "trees", "feature, value and right must be arrays of one length, at least 1");
    GS_NEW_RAW(int32_t, feature, n, r->arena, r->err);
    GS_NEW_RAW(float, value, n, r->arena, r->err);
    GS_NEW_RAW(uint32_t, right, n, r->arena, r->err);
    f = gs_json_first(f);
    v = gs_json_first(v);
    c = gs_json_first(c);
    for (size_t i = 0; i < n; i++) {
        double a, b, d;
        if (!gs_json_number(f, &a) || !gs_json_number(v, &b) || !gs_json_number(c, &d))
            return bad(r, "trees", "arrays of numbers were expected");
        if (!(a >= -1.0 && a <= 1e9) || a != floor(a) || !(d >= 0.0 && d <= 4e9) || d != floor(d) ||
            !(fabs(b) <= 3.4028235e38))
            return gs_fail(r->err, GS_ERR_DATA, "trees: a number of node %zu is out of range", i);
        feature[i] = (int32_t)a;
        value[i] = single(b);
        right[i] = (uint32_t)d;
        f = gs_json_next(f);
        v = gs_json_next(v);
        c = gs_json_next(c);
    }
    *t = (struct gs_tree){(uint32_t)n, feature, value, right};
    return GS_OK;
}

static enum gs_status get_ensemble(const struct reading *r, const struct gs_json *object,
                                   struct gs_ensemble *e)
{
    GS_TRY(get_bool(r, object, "log", &e->log));
    GS_TRY(get_real(r, object, "offset", &e->offset));
    GS_TRY(get_real(r, object, "scale", &e->scale));
    const struct gs_json *const roofline = gs_json_member(object, "roofline");
    e->roofline = !gs_json_is_null(roofline);
    if (e->roofline) {
        GS_TRY(get_real(r, roofline, "bytes_per_s", &e->bytes_per_s));
        GS_TRY(get_real(r, roofline, "flop_per_s", &e->flop_per_s));
        GS_TRY(get_real(r, roofline, "overhead_s", &e->overhead_s));
    }
    const struct gs_json *const trees = gs_json_member(object, "trees");
    const size_t n = gs_json_length(trees);
    if (n < 1 || n > GS_FOREST_TREES_MAX)
        return gs_fail(r->err, GS_ERR_DATA, "trees: an array of 1 to %d was expected",
                       GS_FOREST_TREES_MAX);
    GS_NEW(struct gs_tree, tree, n, r->arena, r->err);
    for (const struct gs_json *v = gs_json_first(trees); v != NULL; v = gs_json_next(v))
        GS_TRY(get_tree(r, v, &tree[e->n_trees++]));
    e->tree = tree;
    return GS_OK;
}

/* Files of before have none. */
static enum gs_status get_interval(const struct reading *r, const struct gs_json *object,
                                   struct gs_forest *f)
{
    for (int q = 0; q < GS_FOREST_QUANTITIES; q++) {
        const struct gs_json *const pair = gs_json_member(object, quantity_names[q]),
                                    *const factor = gs_json_first(pair);
        if (pair == NULL || gs_json_is_null(pair))
            continue;
        if (gs_json_length(pair) != 2 || !gs_json_number(factor, &f->error[q].factor) ||
            !gs_json_number(gs_json_next(factor), &f->error[q].floor))
            return bad(r, "interval", "pairs of numbers were expected");
    }
    return GS_OK;
}

static enum gs_status get_forest(const struct reading *r, const struct gs_json *document,
                                 struct gs_forest *f)
{
    struct gs_str schema;
    if (!gs_json_text(gs_json_member(document, "schema"), &schema))
        return bad(r, "schema", "missing: this is no forest, expected \"" GS_FOREST_SCHEMA "\"");
    if (!gs_str_eq(schema, gs_str(GS_FOREST_SCHEMA)))
        return gs_fail(r->err, GS_ERR_DATA, "schema: '%s', expected \"" GS_FOREST_SCHEMA "\"",
                       GS_SHOWN(schema, 64));
    const struct gs_json *const trained = gs_json_member(document, "trained");
    GS_TRY(get_count(r, trained, "operations", 0x1p53, &f->n_rows));
    GS_TRY(get_count(r, trained, "different", 0x1p53, &f->n_operations));
    GS_TRY(get_count(r, trained, "seed", 0x1p53, &f->seed));
    GS_TRY(get_encoding(r, gs_json_member(document, "encoding"), &f->encoding));
    GS_TRY(get_interval(r, gs_json_member(document, "interval"), f));
    for (int t = 0; t < GS_FOREST_TARGETS; t++) {
        const struct gs_json *const v = gs_json_member(document, gs_forest_target_names[t]);
        if (!gs_json_is_null(v))
            GS_TRY(get_ensemble(r, v, &f->target[t]));
    }
    return gs_forest_check(f, r->err);
}

enum gs_status gs_forest_parse(struct gs_str text, const char *name, struct gs_arena *arena,
                               struct gs_forest *forest, struct gs_err *err)
{
    GS_FREES_JSON struct gs_json *document = NULL;
    struct gs_err why = {0};
    struct gs_forest f = {0};
    const struct reading r = {arena, &why};
    GS_TRY(gs_json_parse(text, name, &document, err));
    /* Forests of version 0.2 have none. */
    const bool damaged = gs_json_member(document, "sha256") != NULL && !seal_holds(text);
    const enum gs_status s =
        damaged ? bad(&r, "sha256",
                      "the file was damaged or edited; remove that line to read it all the same")
                : get_forest(&r, document, &f);
    if (s != GS_OK)
        return gs_fail(err, s, "%s: %s", name, why.text);
    *forest = f;
    return GS_OK;
}

enum gs_status gs_forest_read(const char *path, struct gs_arena *arena, struct gs_forest *forest,
                              struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    struct gs_str text;
    const char *const name = gs_escaped(&scratch, gs_file_called(gs_str(path)), 512);
    GS_TRY(gs_had_memory(name != NULL, err));
    GS_TRY(gs_bytes_all(path, GS_FOREST_FILE_MAX, "more than 256 MiB: this is no forest", &scratch,
                        &text, err));
    return gs_forest_parse(text, name, arena, forest, err);
}
