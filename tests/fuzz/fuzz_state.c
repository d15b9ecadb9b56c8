/*
 * State files of any bytes: refused with a reason, or merged and made into frames without a fault, the same twice. An
 * input is one state or several, each without its magic, version, layout and checksum, which are added; "\n--8<--\n"
 * parts them. state_seeds.py makes the corpus.
 */
#include "target.h"

#include "app/passes/merge_states.h"
#include "base/core/sha256.h"
#include "base/core/pack.h"
#include "app/cli/commands.h"
#include "analysis/aggregate/fold.h"
#include "base/os/output.h"

enum { STATES_MAX = 4 };

static const char version[] = "fuzz", scissors[] = "\n--8<--\n";

/* The fold of a command with the options that follow in the body; NULL: there is none. */
static const struct gs_fold *fold_of(struct gs_str word, struct gs_unpacker u,
                                     struct gs_arena *arena)
{
    char name[32] = "";
    const char *args[8];
    struct gs_list operands = {0};
    if (word.ptr != NULL && word.len < sizeof name)
        memcpy(name, word.ptr, word.len);
    const struct gs_command *const c = gs_command_find(name);
    const size_t n = gs_unpack_length(&u, 1);
    if (c == NULL || c->folds == NULL || n > sizeof args / sizeof *args)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        const struct gs_str arg = gs_unpack_text(&u);
        args[i] = gs_arena_copy(arena, arg.ptr == NULL ? "" : arg.ptr, arg.len);
    }
    void *const parsed = gs_arena_take(arena, 1, c->opts_size);
    MUST(parsed != NULL);
    if (c->defaults != NULL)
        memcpy(parsed, c->defaults, c->opts_size);
    const struct gs_opt_set set = {c->opts, parsed, NULL, false, NULL};
    const bool ok = gs_options_parse(&set, 1, args, n, &operands, arena, NULL) == GS_OK;
    return c->folds->choose != NULL && ok ? c->folds->choose(parsed) : c->folds->fold;
}

static void add_layout(struct gs_buf *b, const struct gs_fold *fold)
{
    char layout[GS_FOLD_LAYOUT_MAX] = "";
    if (fold != NULL)
        gs_fold_layout(fold, layout);
    gs_pack_text(b, gs_str(layout));
}

/* The file that says it is of this version and layout, and whole. */
static int make_file(struct gs_str body, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    struct gs_sha256 sum;
    char hex[GS_SHA256_HEX];
    struct gs_unpacker u = gs_unpack("the input", body, NULL);
    const struct gs_str command = gs_unpack_text(&u);
    const size_t rest = (size_t)(u.end - u.at);
    gs_buf_text(&b, "gpustat state 2\n");
    gs_pack_text(&b, gs_str(version));
    gs_pack_text(&b, command);
    add_layout(&b, fold_of(command, u, arena));
    gs_buf_bytes(&b, (const char *)u.at, rest);
    gs_sha256_begin(&sum);
    gs_sha256_add(&sum, b.ptr, b.len);
    gs_sha256_end(&sum, hex);
    for (size_t i = 0; i < GS_SHA256_HEX - 1; i += 2) {
        const char digits[] = {hex[i], hex[i + 1], '\0'};
        gs_buf_char(&b, (char)strtoul(digits, NULL, 16));
    }
    MUST(!b.failed);
    int fd = memfd_create("state", MFD_CLOEXEC);
    MUST(fd >= 0 && gs_sink_write(gs_sink_fd(&fd), b.ptr, b.len, NULL) == GS_OK);
    return fd;
}

/* Merges the files and prints what that comes to. */
static enum gs_status merge(const struct gs_list *paths, struct gs_arena *arena,
                            struct gs_str *printed)
{
    struct gs_err err = {0};
    struct gs_frames out = {.notes = {.arena = arena}};
    struct gs_buf b = {.arena = arena};
    const struct gs_context context = {
        .find = gs_command_find, .arena = arena, .n_threads = 1, .version = version, .draws = true};
    const enum gs_status s = gs_merge_states(paths, NULL, &context, &out, &err);
    MUST(s == GS_OK || s == GS_FINDINGS || err.text[0] != '\0');
    for (const struct gs_frame *f = out.first; f != NULL && (s == GS_OK || s == GS_FINDINGS);
         f = f->next)
        gs_buf_format(&b, "%s %zu %zu\n", f->name, f->n_rows, f->n_columns);
    *printed = gs_buf_str(&b);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gs_arena arena = {0};
    char name[STATES_MAX][64];
    const char *item[STATES_MAX];
    int fd[STATES_MAX];
    struct gs_list paths = {item, 0};
    struct gs_str rest = {(const char *)data, size}, once, twice;
    for (bool more = true; more && paths.n < STATES_MAX;) {
        const char *const cut = memmem(rest.ptr, rest.len, scissors, sizeof scissors - 1);
        const struct gs_str body = {rest.ptr, cut == NULL ? rest.len : (size_t)(cut - rest.ptr)};
        fd[paths.n] = make_file(body, &arena);
        (void)snprintf(name[paths.n], sizeof name[0], "/proc/self/fd/%d", fd[paths.n]);
        item[paths.n] = name[paths.n];
        paths.n++;
        more = cut != NULL;
        if (more) {
            rest.len -= body.len + sizeof scissors - 1;
            rest.ptr = cut + sizeof scissors - 1;
        }
    }
    const enum gs_status s = merge(&paths, &arena, &once);
    MUST(merge(&paths, &arena, &twice) == s && gs_str_eq(once, twice));
    for (size_t k = 0; k < paths.n; k++)
        (void)close(fd[k]);
    gs_arena_release(&arena);
    return 0;
}
