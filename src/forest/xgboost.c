/* xgboost.c - the one file that knows libxgboost. */
#include "forest/xgboost.h"

#if __has_include(<xgboost/c_api.h>)

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <xgboost/c_api.h>

#include "base/decimal.h"

/* The functions used, with the prototypes of the header: a changed signature is a compile error. */
#define FUNCTIONS(USE)                                                                                       \
    USE(XGBGetLastError)                                                                                     \
    USE(XGDMatrixCreateFromMat_omp)                                                                          \
    USE(XGDMatrixSetFloatInfo)                                                                               \
    USE(XGDMatrixFree)                                                                                       \
    USE(XGBoosterCreate)                                                                                     \
    USE(XGBoosterSetParam)                                                                                   \
    USE(XGBoosterUpdateOneIter)                                                                              \
    USE(XGBoosterDumpModelEx)                                                                                \
    USE(XGBoosterFree)

#define AS_FIELD(name) __typeof__(&name) name;
#define AS_TEXT(name)  #name,

struct library {
    FUNCTIONS(AS_FIELD)
};

static struct library library;
static char load_failure[256]; /* empty: loaded */
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static void load(void)
{
    static const char *const names[] = {FUNCTIONS(AS_TEXT)};
    void *handle = dlopen("libxgboost.so.0", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        handle = dlopen("libxgboost.so", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        (void)snprintf(load_failure, sizeof load_failure,
                       "training needs libxgboost, which cannot be loaded: install libxgboost0 (Debian)");
        return;
    }
    /* Never closed: it keeps threads and thread-local state of its own. */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *const symbol = dlsym(handle, names[i]);
        if (symbol == NULL) {
            (void)snprintf(load_failure, sizeof load_failure,
                           "libxgboost has no %s: version 1.3 or later is needed", names[i]);
            return;
        }
        memcpy((char *)&library + i * sizeof symbol, &symbol, sizeof symbol);
    }
}

_Static_assert(sizeof(struct library) % sizeof(void *) == 0, "a table of pointers and nothing else");

static enum gs_status failed(const char *doing, struct gs_err *err)
{
    char shown[512];
    return gs_fail(err, GS_ERR_INTERNAL, "libxgboost: %s: %s", doing,
                   gs_escape(shown, sizeof shown, gs_str(library.XGBGetLastError())));
}

static enum gs_status set_options(BoosterHandle booster, const struct gs_xgboost_options *o,
                                  struct gs_err *err)
{
    char n_trees[32], depth[32], seed[32], rows[GS_REAL_TEXT_MAX], features[GS_REAL_TEXT_MAX];
    (void)snprintf(n_trees, sizeof n_trees, "%zu", o->n_trees);
    (void)snprintf(depth, sizeof depth, "%u", o->depth_max);
    (void)snprintf(seed, sizeof seed, "%lu", (unsigned long)o->seed);
    rows[gs_real_format(rows, o->row_share)] = '\0';
    features[gs_real_format(features, o->feature_share)] = '\0';
    const char *const set[][2] = {
        {"verbosity", "0"},
        {"nthread", "1"},
        {"booster", "gbtree"},
        {"tree_method", "exact"},
        {"objective", "reg:squarederror"},
        {"base_score", "0"},
        {"learning_rate", "1"},
        {"lambda", "0"},
        {"min_child_weight", "1"},
        {"num_parallel_tree", n_trees},
        {"max_depth", depth},
        {"seed", seed},
        {"seed_per_iteration", "1"},
        {"subsample", rows},
        {"colsample_bynode", features},
    };
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        if (library.XGBoosterSetParam(booster, set[i][0], set[i][1]) != 0)
            return failed(set[i][0], err);
    return GS_OK;
}

/* A node as the dump names it: children by number. */
struct node {
    int64_t feature; /* -1: a leaf; -2: not seen */
    float value;
    uint32_t yes, no;
};

static bool take_number(const char **p, const char *before, uint32_t *value)
{
    const size_t len = strlen(before);
    uint64_t v = 0;
    if (strncmp(*p, before, len) != 0)
        return false;
    const char *q = *p + len;
    if (*q < '0' || *q > '9')
        return false;
    for (; *q >= '0' && *q <= '9'; q++)
        if ((v = v * 10 + (uint64_t)(*q - '0')) > UINT32_MAX)
            return false;
    *value = (uint32_t)v;
    *p = q;
    return true;
}

static bool take_float(const char **p, const char *before, const char *stops, float *value)
{
    const size_t len = strlen(before);
    if (strncmp(*p, before, len) != 0)
        return false;
    const struct gs_str text = {*p + len, strcspn(*p + len, stops)};
    double v;
    if (gs_real_parse(text, &v) != GS_NUMBER_OK)
        return false;
    *value = (float)v; /* nine digits: reads back as the same single */
    *p = text.ptr + text.len;
    return true;
}

/* One line: `3:[f12<0.5] yes=5,no=6,missing=5` or `4:leaf=0.25`. */
static bool parse_line(const char *p, uint32_t n_nodes, size_t n_features, struct node *nodes)
{
    uint32_t id, feature;
    struct node node = {.feature = -1};
    p += strspn(p, "\t");
    if (!take_number(&p, "", &id) || id >= n_nodes)
        return false;
    if (!take_float(&p, ":leaf=", ",\n", &node.value)) {
        if (!take_number(&p, ":[f", &feature) || feature >= n_features ||
            !take_float(&p, "<", "]", &node.value) || !take_number(&p, "] yes=", &node.yes) ||
            !take_number(&p, ",no=", &node.no) || node.yes >= n_nodes || node.no >= n_nodes)
            return false;
        node.feature = feature;
    }
    nodes[id] = node;
    return true;
}

/* Lays the nodes out in pre-order: what is behind the stack's top is the next to write. */
static bool lay_out(const struct node *nodes, uint32_t n_nodes, uint32_t *stack, struct gs_tree *t,
                    int32_t *feature, float *value, uint32_t *right)
{
    uint32_t n = 0, depth = 0;
    /* A stack entry is the parent whose right child is yet to come; it holds that child's number meanwhile.
     */
    for (uint32_t id = 0; n < n_nodes && nodes[id].feature != -2;) {
        const struct node *const node = &nodes[id];
        feature[n] = (int32_t)node->feature;
        value[n] = node->value;
        right[n] = node->no;
        if (node->feature >= 0) {
            stack[depth++] = n;
            id = node->yes;
        } else {
            right[n] = 0;
            if (depth == 0) {
                *t = (struct gs_tree){.n = n + 1, .feature = feature, .value = value, .right = right};
                return true;
            }
            const uint32_t parent = stack[--depth];
            id = right[parent];
            right[parent] = n + 1;
        }
        n++;
    }
    return false;
}

static enum gs_status parse_tree(const char *dump, size_t n_features, struct gs_arena *arena,
                                 struct gs_tree *t, struct gs_err *err)
{
    uint32_t n_nodes = 0;
    for (const char *p = dump; *p != '\0'; p++)
        n_nodes += *p == '\n';
    int32_t *const feature = gs_arena_take_raw(arena, n_nodes, sizeof *feature);
    float *const value = gs_arena_take_raw(arena, n_nodes, sizeof *value);
    uint32_t *const right = gs_arena_take_raw(arena, n_nodes, sizeof *right);
    const struct gs_arena_mark mark = gs_arena_mark(arena);
    struct node *const nodes = gs_arena_take_raw(arena, n_nodes, sizeof *nodes);
    uint32_t *const stack = gs_arena_take_raw(arena, n_nodes, sizeof *stack);
    if (feature == NULL || value == NULL || right == NULL || nodes == NULL || stack == NULL)
        return gs_fail_memory(err);
    for (uint32_t i = 0; i < n_nodes; i++)
        nodes[i] = (struct node){.feature = -2};
    bool good = n_nodes > 0;
    for (const char *p = dump; good && *p != '\0'; p = strchr(p, '\n') + 1)
        good = parse_line(p, n_nodes, n_features, nodes);
    good = good && lay_out(nodes, n_nodes, stack, t, feature, value, right);
    gs_arena_rewind(arena, mark);
    return good ? GS_OK : gs_fail(err, GS_ERR_INTERNAL, "libxgboost: a tree in an unknown form");
}

static enum gs_status take_trees(BoosterHandle booster, size_t n_trees, size_t n_features,
                                 struct gs_arena *arena, struct gs_tree *trees, struct gs_err *err)
{
    bst_ulong n = 0;
    const char **dump = NULL; /* belongs to the booster */
    if (library.XGBoosterDumpModelEx(booster, "", 0, "text", &n, &dump) != 0)
        return failed("reading the trees", err);
    if (n != n_trees)
        return gs_fail(err, GS_ERR_INTERNAL, "libxgboost: %llu trees, expected %zu", (unsigned long long)n,
                       n_trees);
    enum gs_status s = GS_OK;
    for (size_t i = 0; i < n_trees && s == GS_OK; i++)
        s = parse_tree(dump[i], n_features, arena, &trees[i], err);
    return s;
}

enum gs_status gs_xgboost_forest(const float *x, const float *y, size_t n_rows, size_t n_features,
                                 const struct gs_xgboost_options *options, struct gs_arena *arena,
                                 struct gs_tree *trees, struct gs_err *err)
{
    (void)pthread_once(&load_once, load);
    if (load_failure[0] != '\0')
        return gs_fail(err, GS_ERR_MEMORY, "%s", load_failure);

    DMatrixHandle matrix = NULL;
    BoosterHandle booster = NULL;
    enum gs_status s = GS_OK;
    if (library.XGDMatrixCreateFromMat_omp(x, n_rows, n_features, (float)NAN, &matrix, 1) != 0)
        return failed("taking the data", err);
    if (library.XGDMatrixSetFloatInfo(matrix, "label", y, n_rows) != 0) {
        s = failed("taking the targets", err);
        goto free_matrix;
    }
    if (library.XGBoosterCreate(&matrix, 1, &booster) != 0) {
        s = failed("starting", err);
        goto free_matrix;
    }
    s = set_options(booster, options, err);
    if (s == GS_OK && library.XGBoosterUpdateOneIter(booster, 0, matrix) != 0)
        s = failed("growing the forest", err);
    if (s == GS_OK)
        s = take_trees(booster, options->n_trees, n_features, arena, trees, err);
    (void)library.XGBoosterFree(booster);
free_matrix:
    (void)library.XGDMatrixFree(matrix);
    return s;
}

#else

enum gs_status gs_xgboost_forest(const float *x, const float *y, size_t n_rows, size_t n_features,
                                 const struct gs_xgboost_options *options, struct gs_arena *arena,
                                 struct gs_tree *trees, struct gs_err *err)
{
    (void)x, (void)y, (void)n_rows, (void)n_features, (void)options, (void)arena, (void)trees;
    return gs_fail(err, GS_ERR_MEMORY,
                   "training needs libxgboost, which this gpustat was built without: install "
                   "libxgboost-dev (Debian) and build again");
}

#endif
