/* xgboost.c - the one file that knows libxgboost: found at run time, and run where its end is not ours. */
#define _GNU_SOURCE /* pipe2 */
#include "studies/forest/xgboost.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/num/decimal.h"
#include "base/os/cleanup.h"
#include "base/os/output.h"

typedef void *matrix_handle;
typedef void *booster_handle;
typedef uint64_t bst_length;

/* The functions used, as the library's header declares them: it need not be there when gpustat is built. */
#define FUNCTIONS(USE)                                                                             \
    USE(const char *, XGBGetLastError, void)                                                       \
    USE(int, XGDMatrixCreateFromMat_omp, const float *, bst_length, bst_length, float,             \
        matrix_handle *, int)                                                                      \
    USE(int, XGDMatrixSetFloatInfo, matrix_handle, const char *, const float *, bst_length)        \
    USE(int, XGDMatrixFree, matrix_handle)                                                         \
    USE(int, XGBoosterCreate, const matrix_handle *, bst_length, booster_handle *)                 \
    USE(int, XGBoosterSetParam, booster_handle, const char *, const char *)                        \
    USE(int, XGBoosterUpdateOneIter, booster_handle, int, matrix_handle)                           \
    USE(int, XGBoosterDumpModelEx, booster_handle, const char *, int, const char *, bst_length *,  \
        const char ***)                                                                            \
    USE(int, XGBoosterFree, booster_handle)

#define AS_FIELD(result, name, ...) result (*name)(__VA_ARGS__);
#define AS_TEXT(result, name, ...)  #name,

struct library {
    FUNCTIONS(AS_FIELD)
};

/* Where the header is there after all, a signature that changed is a compile error. */
#if __has_include(<xgboost/c_api.h>)
#include <xgboost/c_api.h>
#define AS_CHECK(result, name, ...)                                                                \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&(name)), result (*)(__VA_ARGS__)),     \
                   #name);
FUNCTIONS(AS_CHECK)
#endif

static struct library library;

/* In the child alone: the library's own beginning aborts where memory runs out. */
static enum gs_status load(struct gs_err *err)
{
    static const char *const names[] = {FUNCTIONS(AS_TEXT)};
    static const char *const files[] = {"libxgboost.so.0", "libxgboost.so"};
    void *handle = NULL;
    bool memory = false; /* what the loader could not have it does not always call memory */
    for (size_t i = 0; i < 2 && handle == NULL && !memory; i++) {
        handle = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
        const char *const why = handle == NULL ? dlerror() : NULL;
        memory = handle == NULL &&
                 (why == NULL || strstr(why, "emory") != NULL || strstr(why, "cannot c") != NULL ||
                  strstr(why, "failed to map") != NULL || strstr(why, "cannot a") != NULL);
    }
    if (memory)
        return gs_fail(err, GS_ERR_MEMORY, "out of memory: libxgboost cannot be loaded");
    if (handle == NULL)
        return gs_fail(err, GS_ERR_UNAVAILABLE,
                       "training needs libxgboost, which cannot be loaded: install "
                       "libxgboost0 (Debian)");
    /* Never closed: it keeps threads and thread-local state of its own. */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *const symbol = dlsym(handle, names[i]);
        if (symbol == NULL)
            return gs_fail(err, GS_ERR_UNAVAILABLE,
                           "libxgboost has no %s: version 1.3 or later is needed", names[i]);
        memcpy((char *)&library + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return GS_OK;
}

_Static_assert(sizeof(struct library) % sizeof(void *) == 0,
               "a table of pointers and nothing else");

static enum gs_status failed(const char *doing, struct gs_err *err)
{
    const char *const why = library.XGBGetLastError();
    return gs_fail(err, strstr(why, "bad_alloc") != NULL ? GS_ERR_MEMORY : GS_ERR_INTERNAL,
                   "libxgboost: %s: %s", doing, GS_SHOWN(gs_str(why), 512));
}

static enum gs_status set_options(booster_handle booster, const struct gs_xgboost_options *o,
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

static bool parse_number(const char **p, const char *before, uint32_t *value)
{
    const size_t len = strlen(before);
    uint64_t v = 0;
    if (strncmp(*p, before, len) != 0)
        return false;
    const char *q = *p + len;
    if (!gs_is_digit(*q))
        return false;
    for (; gs_is_digit(*q); q++)
        if ((v = v * 10 + (uint64_t)(*q - '0')) > UINT32_MAX)
            return false;
    *value = (uint32_t)v;
    *p = q;
    return true;
}

static bool parse_float(const char **p, const char *before, const char *stops, float *value)
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
    if (!parse_number(&p, "", &id) || id >= n_nodes)
        return false;
    if (!parse_float(&p, ":leaf=", ",\n", &node.value)) {
        if (!parse_number(&p, ":[f", &feature) || feature >= n_features ||
            !parse_float(&p, "<", "]", &node.value) || !parse_number(&p, "] yes=", &node.yes) ||
            !parse_number(&p, ",no=", &node.no) || node.yes >= n_nodes || node.no >= n_nodes)
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
                *t = (struct gs_tree){
                    .n = n + 1, .feature = feature, .value = value, .right = right};
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
    GS_NEW_RAW(int32_t, feature, n_nodes, arena, err);
    GS_NEW_RAW(float, value, n_nodes, arena, err);
    GS_NEW_RAW(uint32_t, right, n_nodes, arena, err);
    const struct gs_arena_mark mark = gs_arena_mark(arena);
    GS_NEW_RAW(struct node, nodes, n_nodes, arena, err);
    GS_NEW_RAW(uint32_t, stack, n_nodes, arena, err);
    for (uint32_t i = 0; i < n_nodes; i++)
        nodes[i] = (struct node){.feature = -2};
    bool good = n_nodes > 0;
    for (const char *p = dump; good && *p != '\0'; p = strchr(p, '\n') + 1)
        good = parse_line(p, n_nodes, n_features, nodes);
    good = good && lay_out(nodes, n_nodes, stack, t, feature, value, right);
    gs_arena_rewind(arena, mark);
    if (!good)
        return gs_fail(err, GS_ERR_INTERNAL, "libxgboost: a tree in an unknown form");
    return GS_OK;
}

static enum gs_status parse_trees(booster_handle booster, size_t n_trees, size_t n_features,
                                  struct gs_arena *arena, struct gs_tree *trees, struct gs_err *err)
{
    bst_length n = 0;
    const char **dump = NULL; /* belongs to the booster */
    if (library.XGBoosterDumpModelEx(booster, "", 0, "text", &n, &dump) != 0)
        return failed("reading the trees", err);
    if (n != n_trees)
        return gs_fail(err, GS_ERR_INTERNAL, "libxgboost: %llu trees, expected %zu",
                       (unsigned long long)n, n_trees);
    for (size_t i = 0; i < n_trees; i++)
        GS_TRY(parse_tree(dump[i], n_features, arena, &trees[i], err));
    return GS_OK;
}

/* Grows the trees here and now. */
static enum gs_status grow(const struct gs_xgboost_data *data,
                           const struct gs_xgboost_options *options, struct gs_arena *arena,
                           struct gs_tree *trees, struct gs_err *err)
{
    matrix_handle matrix = NULL;
    booster_handle booster = NULL;
    enum gs_status s = GS_OK;
    if (library.XGDMatrixCreateFromMat_omp(data->x, data->n_rows, data->n_features, (float)NAN,
                                           &matrix, 1) != 0)
        return failed("taking the data", err);
    if (library.XGDMatrixSetFloatInfo(matrix, "label", data->y, data->n_rows) != 0) {
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
    GS_THEN(s, parse_trees(booster, options->n_trees, data->n_features, arena, trees, err));
    (void)library.XGBoosterFree(booster);
free_matrix:
    (void)library.XGDMatrixFree(matrix);
    return s;
}

/* What the child answers first; then text_len bytes of the failure, or the trees. */
struct answer {
    enum gs_status status;
    size_t text_len;
};

static enum gs_status send_trees(int fd, const struct gs_tree *trees, size_t n)
{
    const struct gs_sink out = gs_sink_fd(&fd);
    for (size_t i = 0; i < n; i++) {
        const struct gs_tree *const t = &trees[i];
        GS_TRY(gs_sink_write(out, (const char *)&t->n, sizeof t->n, NULL));
        GS_TRY(gs_sink_write(out, (const char *)t->feature, t->n * sizeof *t->feature, NULL));
        GS_TRY(gs_sink_write(out, (const char *)t->value, t->n * sizeof *t->value, NULL));
        GS_TRY(gs_sink_write(out, (const char *)t->right, t->n * sizeof *t->right, NULL));
    }
    return GS_OK;
}

/* True where all of `size` bytes came. */
static bool receive(int fd, void *room, size_t size)
{
    char *at = room;
    while (size > 0) {
        const ssize_t n = read(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* False where the child fell silent; a failure that it or this side had is in *status and err. */
static bool receive_trees(int fd, size_t n, struct gs_arena *arena, struct gs_tree *trees,
                          enum gs_status *status, struct gs_err *err)
{
    struct answer a;
    char text[GS_ERR_TEXT_MAX] = "";
    if (!receive(fd, &a, sizeof a) || a.text_len >= sizeof text || !receive(fd, text, a.text_len))
        return false;
    *status = a.status == GS_OK ? GS_OK : gs_fail(err, a.status, "%s", text);
    for (size_t i = 0; i < n && *status == GS_OK; i++) {
        uint32_t n_nodes;
        if (!receive(fd, &n_nodes, sizeof n_nodes))
            return false;
        int32_t *const feature = gs_arena_take_raw(arena, n_nodes, sizeof *feature);
        float *const value = gs_arena_take_raw(arena, n_nodes, sizeof *value);
        uint32_t *const right = gs_arena_take_raw(arena, n_nodes, sizeof *right);
        if (feature == NULL || value == NULL || right == NULL)
            *status = gs_fail_memory(err);
        else if (!receive(fd, feature, n_nodes * sizeof *feature) ||
                 !receive(fd, value, n_nodes * sizeof *value) ||
                 !receive(fd, right, n_nodes * sizeof *right))
            return false;
        trees[i] =
            (struct gs_tree){.n = n_nodes, .feature = feature, .value = value, .right = right};
    }
    return true;
}

/* How a child that fell silent ended. Where memory runs out libxgboost aborts, the loader exits with 127, libgomp with 1. */
static enum gs_status fell_silent(int status, struct gs_err *err)
{
    const int signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal_number == SIGABRT || signal_number == SIGKILL ||
        (WIFEXITED(status) && (WEXITSTATUS(status) == 127 || WEXITSTATUS(status) == 1)))
        return gs_fail(err, GS_ERR_MEMORY, "out of memory: libxgboost gave up");
    if (signal_number != 0)
        return gs_fail(err, GS_ERR_INTERNAL, "libxgboost: ended with signal %d", signal_number);
    return gs_fail(err, GS_ERR_IO, "libxgboost: its answer did not arrive whole");
}

/* The child: grows, answers, and ends without a word of its own. */
static _Noreturn void answer(int fd, pid_t parent, const struct gs_xgboost_data *data,
                             const struct gs_xgboost_options *options)
{
    struct gs_arena arena = {0};
    struct gs_err err = {0};
    sigset_t none;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(2);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0)
        (void)dup2(nowhere, STDERR_FILENO);
    struct gs_tree *const trees = gs_arena_take(&arena, options->n_trees, sizeof *trees);
    enum gs_status s = trees == NULL ? gs_fail_memory(&err) : load(&err);
    GS_THEN(s, grow(data, options, &arena, trees, &err));
    const struct answer a = {s, s == GS_OK ? 0 : strlen(err.text)};
    const struct gs_sink out = gs_sink_fd(&fd);
    enum gs_status sent = gs_sink_write(out, (const char *)&a, sizeof a, NULL);
    if (sent == GS_OK)
        sent = s == GS_OK ? send_trees(fd, trees, options->n_trees)
                          : gs_sink_write(out, err.text, a.text_len, NULL);
    _exit(sent == GS_OK ? 0 : 2);
}

enum gs_status gs_xgboost_forest(const struct gs_xgboost_data *data,
                                 const struct gs_xgboost_options *options, struct gs_arena *arena,
                                 struct gs_tree *trees, struct gs_err *err)
{
    struct gs_cleanup alive = {0};
    int fd[2], ended = 0;
    enum gs_status s = GS_OK;
    if (pipe2(fd, O_CLOEXEC) != 0)
        return gs_fail(err, GS_ERR_MEMORY, "libxgboost cannot be run: %s", strerror(errno));
    const pid_t parent = getpid();
    gs_cleanup_block();
    alive.pid = fork();
    if (alive.pid == 0)
        answer(fd[1], parent, data, options);
    const int e = errno;
    if (alive.pid > 0)
        gs_cleanup_add(&alive);
    gs_cleanup_unblock();
    (void)close(fd[1]);
    const bool told =
        alive.pid > 0 && receive_trees(fd[0], options->n_trees, arena, trees, &s, err);
    (void)close(fd[0]);
    if (alive.pid < 0)
        return gs_fail(err, GS_ERR_MEMORY, "libxgboost cannot be run: %s", strerror(e));
    const int lost = gs_cleanup_wait(&alive, &ended);
    if (told || s != GS_OK)
        return s;
    return lost != 0 ? gs_fail(err, GS_ERR_IO, "libxgboost: %s", strerror(lost))
                     : fell_silent(ended, err);
}
