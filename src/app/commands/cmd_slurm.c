/* gpustat slurm - a command over the shards of a run, on a cluster. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/passes/merge_states.h"
#include "base/core/sha256.h"
#include "base/core/shard.h"
#include "base/os/path.h"
#include "app/cluster/sharded_run.h"
#include "app/cluster/slurm.h"

struct slurm_opts {
    struct gs_list words;
    uint64_t n_shards;
    const char *sbatch, *sbatch_merge, *folder;
    bool wait, keep, cancel;
};

static const struct gs_opt opts[] = {
    {0, NULL, GS_OPT_GROUP, 0, .help = "cluster"},
    {0, "shards", GS_OPT_COUNT, offsetof(struct slurm_opts, n_shards), .arg = "N", .min = 1,
     .max = GS_SHARDS_MAX,
     .help = "how many shards the hosts of the run are partitioned into, a task each"},
    {0, "sbatch", GS_OPT_TEXT, offsetof(struct slurm_opts, sbatch), .arg = "OPTIONS",
     .help = "further options for sbatch, parted by blanks or in quotes: partition, account, time"},
    {0, "sbatch-merge", GS_OPT_TEXT, offsetof(struct slurm_opts, sbatch_merge), .arg = "OPTIONS",
     .unset = "those of --sbatch, without --array", .help = "the same for the merge"},
    {0, "folder", GS_OPT_TEXT, offsetof(struct slurm_opts, folder), .arg = "DIR",
     .unset = "one of this question", .help = "where states and logs go; all machines must see it"},
    {0, "no-wait", GS_OPT_CLEAR, offsetof(struct slurm_opts, wait),
     .help = "submit and return; the same command without it fetches the result"},
    {0, "keep", GS_OPT_FLAG, offsetof(struct slurm_opts, keep),
     .help = "keep the folder when the result is there"},
    {0, "cancel", GS_OPT_FLAG, offsetof(struct slurm_opts, cancel),
     .help = "take the jobs of this command back, or those of --folder, which then needs no "
             "command; what is computed is kept for the next run"},
    {0},
};

static const struct slurm_opts defaults = {.n_shards = 8, .wait = true};

/* --- whose states these are --------------------------------------------------------------------------------- */

/* A fault of the system, 0: none. What is not there, or may not be read, its reader will say. */
static int fault_of(int e)
{
    return e == EIO || e == ENOMEM || e == EMFILE || e == ENFILE ? e : 0;
}

static void add_text(struct gs_sha256 *sum, const char *text)
{
    gs_sha256_add(sum, text, strlen(text) + 1);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

enum { DEEPEST = 8 }; /* folders in folders, as detection searches them */

static int add_path(struct gs_sha256 *sum, const char *path, int depth);

/*
 * The files of a folder, in the order of their names. Sorted, because the order of a directory
 * differs between file systems and the digest must not. Every entry is freed even after a
 * fault.
 */
static int add_folder(struct gs_sha256 *sum, const char *path, int depth)
{
    struct dirent **entry;
    const int n = depth >= DEEPEST ? 0 : scandir(path, &entry, NULL, by_name);
    int e = n < 0 ? fault_of(errno) : 0;
    for (int i = 0; i < n; i++) {
        char name[4096];
        const int len = snprintf(name, sizeof name, "%s/%s", path, entry[i]->d_name);
        if (e == 0 && entry[i]->d_name[0] != '.' && len > 0 && (size_t)len < sizeof name) {
            add_text(sum, entry[i]->d_name);
            e = add_path(sum, name, depth + 1);
        }
        free(entry[i]);
    }
    if (n > 0)
        free(entry);
    return e;
}

/* A file's size and time, those of a folder's files, or of those that a pattern matches: other data is another digest. */
static int add_path(struct gs_sha256 *sum, const char *path, int depth)
{
    struct stat is;
    char text[96];
    if (stat(path, &is) == 0) {
        if (S_ISDIR(is.st_mode))
            return add_folder(sum, path, depth);
        (void)snprintf(text, sizeof text, "%lld %lld.%09ld", (long long)is.st_size,
                       (long long)is.st_mtim.tv_sec, is.st_mtim.tv_nsec);
        add_text(sum, text);
        return 0;
    }
    glob_t found;
    int e = fault_of(errno);
    if (e != 0 || depth > 0)
        return e;
    const int matched = gs_path_match(path, &found);
    for (size_t i = 0; e == 0 && i < found.gl_pathc; i++) {
        add_text(sum, found.gl_pathv[i]);
        e = add_path(sum, found.gl_pathv[i], 1);
    }
    globfree(&found);
    if (matched == GLOB_NOSPACE)
        return ENOMEM;
    if (matched == GLOB_ABORTED)
        return EIO;
    return e;
}

/*
 * The digest of all files that the command names. Sizes and times instead of contents: reading
 * everything once would take as long as the analysis. A file that is changed without either
 * goes unnoticed.
 */
static enum gs_status digest_data(const struct gs_inner_command *inner, char hex[GS_SHA256_HEX],
                                  struct gs_err *err)
{
    struct gs_sha256 sum;
    int e = 0;
    gs_sha256_begin(&sum);
    for (size_t i = 0; e == 0 && i < inner->given.n; i++) {
        const char *const value = strchr(inner->given.item[i], '=');
        if (value != NULL && !gs_opt_is_written(inner->command->opts, inner->given.item[i]))
            e = add_path(&sum, value + 1, 0);
    }
    for (size_t i = 0; e == 0 && i < inner->operands.n; i++)
        e = add_path(&sum, inner->operands.item[i], 0);
    gs_sha256_end(&sum, hex);
    return e == 0 ? GS_OK
                  : gs_fail(err, e == EIO ? GS_ERR_IO : GS_ERR_MEMORY,
                            "the inputs of slurm cannot be looked at: %s", strerror(e));
}

/*
 * The command, its options, the number of shards and the version, a word a line. The version is
 * part of the question: states of another version cannot be merged with these.
 */
static bool describe_question(const struct gs_context *context, uint64_t n_shards,
                              struct gs_str *question)
{
    const struct gs_inner_command *const inner = &context->inner;
    struct gs_buf b = {.arena = context->arena};
    gs_buf_format(&b, "%s\n%llu\n%s\n", context->version, (unsigned long long)n_shards,
                  inner->command->name);
    for (size_t i = 0; i < inner->given.n + inner->operands.n; i++) {
        const char *const word =
            i < inner->given.n ? inner->given.item[i] : inner->operands.item[i - inner->given.n];
        gs_buf_escaped(&b, gs_str(word), 0);
        gs_buf_char(&b, '\n');
    }
    *question = gs_buf_str(&b);
    return !b.failed;
}

/*
 * A folder of this question's and this data's own. The same command over the same data finds
 * the same folder again, from any shell and without a file that remembers it.
 */
static const char *own_folder(const struct gs_sharded_run *r, struct gs_arena *arena)
{
    struct gs_sha256 sum;
    char hex[GS_SHA256_HEX];
    gs_sha256_begin(&sum);
    add_text(&sum, r->data);
    gs_sha256_add(&sum, r->question.ptr, r->question.len);
    gs_sha256_end(&sum, hex);
    return gs_format(arena, "gpustat-slurm-%.12s", hex);
}

/* --- the run ------------------------------------------------------------------------------------------------ */

/*
 * This program, the command, its options and operands. The path of this very program: PATH on
 * another machine may lead to another version.
 */
static enum gs_status make_words(const struct gs_context *context, struct gs_sharded_run *r,
                                 struct gs_err *err)
{
    const struct gs_inner_command *const inner = &context->inner;
    GS_NEW(const char *, word, inner->given.n + inner->operands.n + 4, context->arena, err);
    char self[4096];
    const ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    if (len < 0)
        return gs_fail(err, GS_ERR_IO, "/proc/self/exe: %s", strerror(errno));
    word[r->n_words++] = gs_arena_copy(context->arena, self, (size_t)len);
    word[r->n_words++] = inner->command->name;
    for (size_t i = 0; i < inner->given.n; i++)
        word[r->n_words++] = inner->given.item[i];
    word[r->n_words++] = "--quiet";
    for (size_t i = 0; i < inner->operands.n; i++)
        word[r->n_words++] = inner->operands.item[i];
    r->word = word;
    return gs_had_memory(word[0] != NULL, err);
}

/*
 * The words of --sbatch, parted by blanks; quotes and backslashes mean what they do in sh.
 * Quotes are understood but nothing is expanded. The room is bounded by the text: words only
 * get shorter, and every two need a blank between them.
 */
static enum gs_status split_options(const char *option, const char *text, const char *const **words,
                                    size_t *n_words, struct gs_arena *arena, struct gs_err *err)
{
    const size_t len = strlen(text);
    GS_NEW(const char *, word, len / 2 + 1, arena, err);
    GS_NEW(char, room, len + 1, arena, err);
    size_t n = 0, at = 0;
    char quote = '\0';
    bool in_word = false;
    for (const char *p = text;; p++) {
        const bool ends = quote == '\0' ? strchr(" \t\n", *p) != NULL : *p == '\0';
        if (ends && in_word) {
            room[at++] = '\0';
            in_word = false;
            n++;
        }
        if (*p == '\0')
            break;
        if (ends)
            continue;
        if (!in_word)
            word[n] = room + at;
        in_word = true;
        if (quote == '\0' && (*p == '\'' || *p == '"'))
            quote = *p;
        else if (quote != '\0' && *p == quote)
            quote = '\0';
        else if (*p == '\\' && quote != '\'' && p[1] != '\0')
            room[at++] = *++p;
        else
            room[at++] = *p;
    }
    if (quote != '\0')
        return gs_fail(err, GS_ERR_USAGE, "%s: a quote is not closed", option);
    *words = word;
    *n_words = n;
    return GS_OK;
}

static enum gs_status make_options(const struct slurm_opts *o, struct gs_sharded_run *r,
                                   struct gs_arena *arena, struct gs_err *err)
{
    GS_TRY(
        split_options("--sbatch", gs_or_empty(o->sbatch), &r->option, &r->n_options, arena, err));
    if (o->sbatch_merge != NULL)
        return split_options("--sbatch-merge", o->sbatch_merge, &r->merge_option,
                             &r->n_merge_options, arena, err);
    /* An option that limits how many tasks run at once would make an array of the merge, which is one job. */
    GS_NEW(const char *, word, r->n_options, arena, err);
    for (size_t i = 0; i < r->n_options; i++) {
        const char *const option = r->option[i];
        if (strcmp(option, "-a") == 0 || strcmp(option, "--array") == 0)
            i++; /* its value is the next */
        else if (strncmp(option, "--array=", 8) != 0 && strncmp(option, "-a", 2) != 0)
            word[r->n_merge_options++] = option;
    }
    r->merge_option = word;
    return GS_OK;
}

/* Shards and states are this command's own. */
static enum gs_status check_inner(const struct gs_inner_command *inner, struct gs_err *err)
{
    const struct gs_scale_opts *const o = &((const struct gs_run_opts *)inner->parsed)->scale;
    const char *option = NULL;
    if (o->shard != NULL)
        option = "--shard";
    else if (o->part != NULL)
        option = "--part";
    else if (o->partial != NULL)
        option = "--partial";
    return option == NULL
               ? GS_OK
               : gs_fail(err, GS_ERR_USAGE,
                         "%s: slurm gives it to each task; leave it out behind --", option);
}

/* The merged state where the cluster made one, else the shards'. */
static enum gs_status list_states(const struct gs_sharded_run *r, const struct gs_context *context,
                                  struct gs_list *paths, struct gs_err *err)
{
    struct stat is;
    const char *const merged = gs_sharded_merged(r, context->arena);
    GS_TAKE(paths->item, r->n_shards, context->arena, err);
    GS_TRY(gs_had_memory(merged != NULL, err));
    if (stat(merged, &is) == 0 && is.st_size > 0) {
        paths->item[paths->n++] = merged;
        return GS_OK;
    }
    for (uint32_t i = 1; i <= r->n_shards; i++) {
        const char *const path = gs_sharded_state(r, i, context->arena);
        GS_TRY(gs_had_memory(path != NULL, err));
        paths->item[paths->n++] = path;
    }
    return GS_OK;
}

/*
 * What stands in the folder to begin with, and jobs for what is missing. A new folder in which
 * nothing was submitted is removed, so that a failure leaves no trace. An old one stays,
 * because it may hold states.
 */
static enum gs_status begin(const struct slurm_opts *o, struct gs_sharded_run *r,
                            struct gs_arena *arena, struct gs_err *err)
{
    size_t n_submitted = 0;
    enum gs_status s = gs_sharded_open(r, arena, err);
    GS_THEN(s, o->cancel ? gs_sharded_cancel(r, arena, err)
                         : gs_sharded_submit(r, arena, &n_submitted, err));
    if (s != GS_OK && r->is_new && r->held >= 0)
        gs_sharded_remove(r, arena); /* nothing came of it */
    return s;
}

/* Waits for the states and merges them; the folder is removed only after the merge succeeded. */
static enum gs_status await(const struct slurm_opts *o, struct gs_sharded_run *r,
                            struct gs_frames *out, struct gs_err *err)
{
    const struct gs_context *const context = r->context;
    struct gs_list paths = {0};
    GS_TRY(gs_sharded_wait(r, context->arena, err));
    GS_TRY(list_states(r, context, &paths, err));
    GS_TRY(gs_merge_states(&paths, NULL, context, out, err));
    if (!o->keep)
        gs_sharded_remove(r, context->arena);
    return GS_OK;
}

/*
 * The number of shards is settled before the question is described, because it is part of it.
 * Everything is checked before the folder is opened: from there on other runs may wait for the
 * lock.
 */
static enum gs_status answer(const struct slurm_opts *o, struct gs_sharded_run *r, char *data,
                             struct gs_frames *out, struct gs_err *err)
{
    const struct gs_context *const context = r->context;
    if (o->cancel && o->folder != NULL) {
        r->folder = o->folder; /* whose jobs these are, and of how many shards, does not matter */
        return begin(o, r, context->arena, err);
    }
    if (context->inner.command == NULL)
        return gs_fail(err, GS_ERR_USAGE, "slurm: needs a command: gpustat slurm -- events DIR");
    GS_TRY(digest_data(&context->inner, data, err));
    GS_TRY(check_inner(&context->inner, err));
    const uint64_t most = gs_slurm_array_max(context->arena);
    if (most > 0 && o->n_shards > most) {
        r->n_shards = (uint32_t)most;
        gs_note(&out->notes, GS_NOTE_INFO,
                "%u shards: the cluster allows no larger array (MaxArraySize)",
                (unsigned)r->n_shards);
    }
    GS_TRY(gs_had_memory(describe_question(context, r->n_shards, &r->question), err));
    r->folder = o->folder != NULL ? o->folder : own_folder(r, context->arena);
    if (r->folder != NULL && r->folder[0] == '-') /* no option of whoever is given its files */
        r->folder = gs_format(context->arena, "./%s", r->folder);
    GS_TRY(gs_had_memory(r->folder != NULL, err));
    if (o->cancel && access(r->folder, F_OK) != 0)
        return gs_fail(err, GS_ERR_NOINPUT, "--cancel: this command has no jobs");
    GS_TRY(make_words(context, r, err));
    GS_TRY(make_options(o, r, context->arena, err));
    GS_TRY(begin(o, r, context->arena, err));
    return o->wait && !o->cancel ? await(o, r, out, err) : GS_OK;
}

static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    const struct slurm_opts *const o = parsed;
    char data[GS_SHA256_HEX] = "";
    struct gs_sharded_run r = {.n_shards = (uint32_t)o->n_shards,
                               .context = context,
                               .data = data,
                               .held = -1,
                               .submits = -1};
    const enum gs_status s = answer(o, &r, data, out, err);
    gs_sharded_close(&r);
    return s;
}

const struct gs_command gs_cmd_slurm = {
    GS_COMMAND(slurm, struct slurm_opts, opts, defaults),
    GS_OPERANDS("-- COMMAND ...", struct slurm_opts, words, 0, 65536),
    .summary = "a command over the shards of a run, on a cluster",
    .run = run,
    .wraps_command = true,
    .no_figure = "it draws what the command behind -- draws",
    .group = "scale",
};
