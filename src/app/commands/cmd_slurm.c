/* gpustat slurm - a command over the shards of a run, on a cluster. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/engine/merge_states.h"
#include "base/core/sha256.h"
#include "base/core/shard.h"
#include "app/cluster/sharded_run.h"

struct slurm_opts {
    struct gs_list words;
    uint64_t n_shards;
    const char *sbatch, *folder;
    bool wait, keep;
};

static const struct gs_opt opts[] = {
    {0, NULL, GS_OPT_GROUP, 0, .help = "cluster"},
    {0, "shards", GS_OPT_COUNT, offsetof(struct slurm_opts, n_shards), .arg = "N", .min = 1,
     .max = GS_SHARDS_MAX,
     .help = "how many shards the hosts of the run are dealt out to, a task each"},
    {0, "sbatch", GS_OPT_TEXT, offsetof(struct slurm_opts, sbatch), .arg = "OPTIONS",
     .help = "further options for sbatch, parted by blanks: partition, account, memory, time"},
    {0, "folder", GS_OPT_TEXT, offsetof(struct slurm_opts, folder), .arg = "DIR",
     .unset = "one of this question", .help = "where states and logs go; all machines must see it"},
    {0, "no-wait", GS_OPT_CLEAR, offsetof(struct slurm_opts, wait),
     .help = "submit and return; the same command without it fetches the result"},
    {0, "keep", GS_OPT_FLAG, offsetof(struct slurm_opts, keep),
     .help = "keep the folder when the result is there"},
    {0},
};

static const struct slurm_opts defaults = {.n_shards = 8, .wait = true};

/* --- whose states these are --------------------------------------------------------------------------------- */

static void add_text(struct gs_sha256 *sum, const char *text)
{
    gs_sha256_add(sum, text, strlen(text) + 1);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* A file's size and time, or those of a folder's files: other data is another question. */
static void add_path(struct gs_sha256 *sum, const char *path, bool inside)
{
    struct stat is;
    char text[96];
    struct dirent **entry;
    if (stat(path, &is) != 0)
        return;
    if (!S_ISDIR(is.st_mode)) {
        (void)snprintf(text, sizeof text, "%lld %lld.%09ld", (long long)is.st_size,
                       (long long)is.st_mtim.tv_sec, is.st_mtim.tv_nsec);
        add_text(sum, text);
        return;
    }
    const int n = inside ? 0 : scandir(path, &entry, NULL, by_name);
    for (int i = 0; i < n; i++) {
        char name[4096];
        const int len = snprintf(name, sizeof name, "%s/%s", path, entry[i]->d_name);
        if (entry[i]->d_name[0] != '.' && len > 0 && (size_t)len < sizeof name) {
            add_text(sum, entry[i]->d_name);
            add_path(sum, name, true);
        }
        free(entry[i]);
    }
    if (n > 0)
        free(entry);
}

/* A folder of this question's own: the command, its options, its data, the number of shards, this version. */
static const char *own_folder(const struct gs_context *context, uint64_t n_shards)
{
    const struct gs_inner_command *const inner = &context->inner;
    struct gs_sha256 sum;
    char hex[GS_SHA256_HEX], number[24];
    struct gs_buf b = {.arena = context->arena};
    gs_sha256_begin(&sum);
    add_text(&sum, context->version);
    add_text(&sum, inner->command->name);
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)n_shards);
    add_text(&sum, number);
    for (size_t i = 0; i < inner->given.n; i++) {
        const char *const value = strchr(inner->given.item[i], '=');
        add_text(&sum, inner->given.item[i]);
        if (value != NULL)
            add_path(&sum, value + 1, false);
    }
    for (size_t i = 0; i < inner->operands.n; i++) {
        add_text(&sum, inner->operands.item[i]);
        add_path(&sum, inner->operands.item[i], false);
    }
    gs_sha256_end(&sum, hex);
    gs_buf_format(&b, "gpustat-slurm-%.12s", hex);
    return b.failed ? NULL : b.ptr;
}

/* --- the run ------------------------------------------------------------------------------------------------ */

/* This program, the command, its options and operands. */
static enum gs_status make_words(const struct gs_context *context, struct gs_sharded_run *r,
                                 struct gs_err *err)
{
    const struct gs_inner_command *const inner = &context->inner;
    const char **const word =
        gs_arena_take(context->arena, inner->given.n + inner->operands.n + 4, sizeof *word);
    char self[4096];
    const ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    if (word == NULL)
        return gs_fail_memory(err);
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
    return word[0] == NULL ? gs_fail_memory(err) : GS_OK;
}

/* The words of --sbatch, parted by blanks. */
static enum gs_status make_options(const char *text, struct gs_sharded_run *r,
                                   struct gs_arena *arena, struct gs_err *err)
{
    if (text == NULL)
        return GS_OK;
    const char **const option = gs_arena_take(arena, strlen(text) / 2 + 1, sizeof *option);
    char *p = gs_arena_copy(arena, text, strlen(text)), *save = NULL;
    if (option == NULL || p == NULL)
        return gs_fail_memory(err);
    for (char *one = strtok_r(p, " \t\n", &save); one != NULL; one = strtok_r(NULL, " \t\n", &save))
        option[r->n_options++] = one;
    r->option = option;
    return GS_OK;
}

/* The merged state where the cluster made one, else the shards'. */
static enum gs_status list_states(const struct gs_sharded_run *r, const struct gs_context *context,
                                  struct gs_list *paths, struct gs_err *err)
{
    struct stat is;
    const char *const merged = gs_sharded_merged(r, context->arena);
    paths->item = gs_arena_take(context->arena, r->n_shards, sizeof *paths->item);
    if (merged == NULL || paths->item == NULL)
        return gs_fail_memory(err);
    if (stat(merged, &is) == 0 && is.st_size > 0) {
        paths->item[paths->n++] = merged;
        return GS_OK;
    }
    for (uint32_t i = 1; i <= r->n_shards; i++) {
        const char *const path = gs_sharded_state(r, i, context->arena);
        if (path == NULL)
            return gs_fail_memory(err);
        paths->item[paths->n++] = path;
    }
    return GS_OK;
}

static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    const struct slurm_opts *const o = parsed;
    struct gs_sharded_run r = {.folder =
                                   o->folder != NULL ? o->folder : own_folder(context, o->n_shards),
                               .n_shards = (uint32_t)o->n_shards,
                               .progress = context->progress,
                               .progress_line = context->progress_line};
    struct gs_list paths = {0};
    size_t n_submitted = 0;
    char shown[200];
    if (r.folder == NULL)
        return gs_fail_memory(err);
    enum gs_status s = make_words(context, &r, err);
    if (s == GS_OK)
        s = make_options(o->sbatch, &r, context->arena, err);
    if (s == GS_OK)
        s = gs_sharded_submit(&r, context->arena, &n_submitted, err);
    if (s != GS_OK) {
        (void)rmdir(r.folder); /* where nothing came of it */
        return s;
    }
    (void)gs_escape(shown, sizeof shown, gs_str(r.folder));
    if (n_submitted > 0)
        gs_note(&out->notes, GS_NOTE_INFO, "%zu of %u shards submitted; states and logs are in %s",
                n_submitted, (unsigned)r.n_shards, shown);
    if (!o->wait)
        return GS_OK;
    s = gs_sharded_wait(&r, context->arena, err);
    if (s == GS_OK)
        s = list_states(&r, context, &paths, err);
    if (s == GS_OK)
        s = gs_merge_states(&paths, NULL, context, out, err);
    if (s == GS_OK && !o->keep)
        gs_sharded_remove(&r, context->arena);
    return s;
}

static const struct gs_example examples[] = {
    {"gpustat slurm --shards 64 -- events run/",
     "events of a run that is too large for one machine"},
    {"gpustat slurm --shards 64 --sbatch '--mem=4G --time=30' -- balance run/ -f csv",
     "with limits for each task"},
    {0},
};

/* clang-format off */
const struct gs_command gs_cmd_slurm = {
    .name = "slurm",
    .summary = "a command over the shards of a run, on a cluster",
    .description =
        "Submits the command that stands behind -- as an array of jobs, one shard of the run's hosts each, and a merge that "
        "depends on it; waits, and prints what the command prints for the whole run, to the byte. Options of output may "
        "stand on either side. Slurm schedules, retries and places; every machine must see the data, this program and the "
        "current folder.\n\n"
        "States and logs lie in a folder of the question's own. What lies there is not computed again: the command given "
        "again waits for jobs that are still in the queue, and submits only the shards whose state is missing. A task that "
        "failed or was lost is named with what Slurm says of it and its log. When the result is printed the folder goes, "
        "unless --keep is given.",
    .operands = "-- COMMAND ...",
    .operands_offset = offsetof(struct slurm_opts, words),
    .operands_min = 1,
    .operands_max = 65536,
    .opts = opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .run = run,
    .wraps_command = true,
    .examples = examples,
    .no_figure = "it draws what the command behind -- draws",
    .group = "scale",
};
/* clang-format on */
