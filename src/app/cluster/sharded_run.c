/*
 * sharded_run.c - what is done is what lies in the folder: a state is written whole or not at all, so a task that runs
 * twice, or again after its machine was lost, does no harm, and a run that is given again goes on with what is there.
 */
#include "app/cluster/sharded_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/os/dir.h"
#include "base/os/output.h"
#include "app/cluster/slurm.h"
#include "base/num/order.h"
#include "output/escape/escape.h"

/* clang-format off */
enum {
    LOOK_FIRST_MS = 300, /* between two looks at the queue, growing by half each time */
    LOOK_LAST_MS = 5000,
    MINUTE_MS = 60000,
    GRACE_MS = 30000,    /* for a state to show up in a folder that other machines write to */
    NAMED_MAX = 5,       /* shards that a message names */
};
/* clang-format on */

/* The jobs of a run, kept in the folder: "ARRAY MERGE\n". */
struct jobs {
    char array[GS_SLURM_ID_MAX], merge[GS_SLURM_ID_MAX]; /* empty: none */
};

static const char *in_folder(const struct gs_sharded_run *r, struct gs_arena *arena,
                             const char *name, unsigned i)
{
    return i > 0 ? gs_format(arena, "%s/shard-%u%s", r->folder, i, name)
                 : gs_format(arena, "%s/%s", r->folder, name);
}

const char *gs_sharded_state(const struct gs_sharded_run *r, uint32_t i, struct gs_arena *arena)
{
    return in_folder(r, arena, ".state", i);
}

const char *gs_sharded_merged(const struct gs_sharded_run *r, struct gs_arena *arena)
{
    return in_folder(r, arena, "merged.state", 0);
}

/* --- whose folder it is -------------------------------------------------------------------------------------- */

static const char folder_magic[] = "gpustat slurm 1\n";

static enum gs_status refuse_folder(const struct gs_sharded_run *r, enum gs_status s,
                                    const char *why, struct gs_err *err)
{
    return gs_fail(err, s, "%s: %s; name another folder with --folder",
                   GS_SHOWN(gs_str(r->folder), 200), why);
}

/* A folder with files and without a question is somebody's. */
static bool is_foreign(const struct gs_sharded_run *r, const char *question)
{
    const char *entry = NULL;
    DIR *const d = opendir(r->folder);
    const bool any = d != NULL && gs_dir_next(d, &entry) == 0 && entry != NULL;
    if (d != NULL)
        (void)closedir(d);
    return any && access(question, F_OK) != 0;
}

/*
 * The question that the folder is of, written if there is none. Three parts are compared: the
 * format, the data and the question. Each that differs has its own message, because the remedy
 * differs.
 */
static enum gs_status check_question(struct gs_sharded_run *r, struct gs_arena *arena,
                                     struct gs_err *err)
{
    struct gs_buf own = {.arena = arena};
    const bool any_question = r->question.ptr == NULL;
    struct stat is;
    gs_buf_text(&own, folder_magic);
    gs_buf_text(&own, r->data);
    gs_buf_char(&own, '\n');
    gs_buf_bytes(&own, r->question.ptr, r->question.len);
    const size_t n_magic = sizeof folder_magic - 1, n_data = n_magic + strlen(r->data);
    GS_TRY(gs_had_memory(!own.failed, err));
    if (fstat(r->held, &is) != 0)
        return refuse_folder(r, GS_ERR_CANTCREATE, strerror(errno), err);
    r->is_new = is.st_size == 0 && !any_question;
    if (r->is_new) {
        if (pwrite(r->held, own.ptr, own.len, 0) != (ssize_t)own.len)
            return refuse_folder(r, GS_ERR_CANTCREATE, strerror(errno), err);
        return GS_OK;
    }
    GS_NEW_RAW(char, there, own.len + 1, arena, err);
    const ssize_t n = pread(r->held, there, own.len + 1, 0);
    if (n < (ssize_t)n_data || memcmp(there, folder_magic, n_magic) != 0)
        return refuse_folder(r, GS_ERR_CANTCREATE, "holds files that are not of gpustat slurm",
                             err);
    if (any_question)
        return GS_OK;
    if ((size_t)n != own.len || memcmp(there + n_data, own.ptr + n_data, own.len - n_data) != 0)
        return refuse_folder(r, GS_ERR_CANTCREATE, "holds the results of another question", err);
    if (memcmp(there, own.ptr, own.len) != 0)
        return refuse_folder(r, GS_ERR_DATA,
                             "holds results of other data: the files have changed since", err);
    return GS_OK;
}

/*
 * Opens and locks; *again where whoever held it before has removed it meanwhile. Two locks: a
 * shared one for as long as the folder is used, so that nobody removes it, and an exclusive one
 * while jobs are submitted, so that two runs do not submit the same shards. O_NOFOLLOW, because
 * the folder may be in a directory that others write to.
 */
static enum gs_status lock_folder(struct gs_sharded_run *r, struct gs_arena *arena, bool *again,
                                  struct gs_err *err)
{
    const char *const question = in_folder(r, arena, "question", 0);
    const char *const lock = in_folder(r, arena, "lock", 0);
    struct stat is;
    *again = false;
    GS_TRY(gs_had_memory(question != NULL && lock != NULL, err));
    if (r->question.ptr == NULL && access(question, F_OK) != 0)
        return gs_fail(err, GS_ERR_NOINPUT, "%s: no jobs of gpustat slurm",
                       GS_SHOWN(gs_str(r->folder), 200));
    if (mkdir(r->folder, 0777) != 0 && errno != EEXIST)
        return refuse_folder(r, GS_ERR_CANTCREATE, strerror(errno), err);
    if (is_foreign(r, question))
        return refuse_folder(r, GS_ERR_CANTCREATE, "holds files that are not of gpustat slurm",
                             err);
    r->held = open(question, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (r->held < 0)
        return refuse_folder(r, GS_ERR_CANTCREATE, strerror(errno), err);
    /* A file system without locks has none to wait for. */
    (void)flock(r->held, LOCK_SH);
    *again = fstat(r->held, &is) == 0 && is.st_nlink == 0;
    if (*again)
        return GS_OK;
    r->submits = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (r->submits < 0)
        return refuse_folder(r, GS_ERR_CANTCREATE, strerror(errno), err);
    (void)flock(r->submits, LOCK_EX);
    return GS_OK;
}

/* In the name of a log sbatch takes a backslash away, and leaves %a as it is. */
static enum gs_status check_backslash(const struct gs_sharded_run *r, struct gs_err *err)
{
    char cwd[4096];
    const bool whole = r->folder[0] == '/' || getcwd(cwd, sizeof cwd) == NULL;
    if (strchr(r->folder, '\\') == NULL && (whole || strchr(cwd, '\\') == NULL))
        return GS_OK;
    return refuse_folder(r, GS_ERR_USAGE, "sbatch writes no logs below a backslash", err);
}

enum gs_status gs_sharded_open(struct gs_sharded_run *r, struct gs_arena *arena, struct gs_err *err)
{
    enum { TRIES = 10 };
    bool again = true;
    r->held = r->submits = -1;
    enum gs_status s = check_backslash(r, err);
    for (int i = 0; s == GS_OK && again && i < TRIES; i++) {
        gs_sharded_close(r);
        s = lock_folder(r, arena, &again, err);
    }
    if (s == GS_OK && again)
        s = refuse_folder(r, GS_ERR_CANTCREATE, "is removed again and again", err);
    GS_THEN(s, check_question(r, arena, err));
    if (s != GS_OK && r->is_new)
        gs_sharded_remove(r, arena);
    if (s != GS_OK)
        gs_sharded_close(r);
    return s;
}

/* Others may look what is in the queue, and join it. */
static void end_submitting(struct gs_sharded_run *r)
{
    if (r->submits >= 0)
        (void)close(r->submits);
    r->submits = -1;
}

void gs_sharded_close(struct gs_sharded_run *r)
{
    gs_cleanup_drop(&r->at_end);
    end_submitting(r);
    if (r->held >= 0)
        (void)close(r->held);
    r->held = -1;
}

/* Is the file there and not empty? A folder that other machines write to is read anew first. */
static bool is_there(const char *path)
{
    struct stat is;
    return path != NULL && stat(path, &is) == 0 && S_ISREG(is.st_mode) && is.st_size > 0;
}

/*
 * missing[0..*n): the shards without a state. The files decide, not the queue's memory: a job
 * that is reported as done may have been lost with its node.
 */
static enum gs_status find_missing(const struct gs_sharded_run *r, struct gs_arena *arena,
                                   uint32_t *missing, uint32_t *n, struct gs_err *err)
{
    DIR *const d = opendir(r->folder); /* makes a network file system look again */
    if (d != NULL)
        (void)closedir(d);
    *n = 0;
    for (uint32_t i = 1; i <= r->n_shards; i++) {
        GS_REWINDS(arena);
        const char *const path = gs_sharded_state(r, i, arena);
        GS_TRY(gs_had_memory(path != NULL, err));
        if (!is_there(path))
            missing[(*n)++] = i;
    }
    return GS_OK;
}

/* "1,4-6" */
static void show_shards(const uint32_t *shard, uint32_t n, struct gs_buf *b)
{
    for (uint32_t i = 0; i < n;) {
        uint32_t k = i;
        while (k + 1 < n && shard[k + 1] == shard[k] + 1)
            k++;
        gs_buf_text_if(b, i > 0, ",");
        gs_buf_format(b, "%u", (unsigned)shard[i]);
        if (k > i)
            gs_buf_format(b, "-%u", (unsigned)shard[k]);
        i = k + 1;
    }
}

/* --- scripts ------------------------------------------------------------------------------------------------ */

/*
 * A word of sh that stands for exactly these bytes. Paths may hold any byte but NUL. Inside
 * single quotes sh expands nothing.
 */
static void quote(struct gs_buf *b, const char *text)
{
    gs_buf_char(b, '\'');
    gs_buf_sh(b, text);
    gs_buf_char(b, '\'');
}

/* A file of the folder as a pattern of sbatch, where % begins something; whole, as --chdir may be given. */
static const char *log_pattern(const struct gs_sharded_run *r, const char *cwd, const char *name,
                               struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    const char *const part[] = {r->folder[0] == '/' ? "" : cwd, "/", r->folder, "/"};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        for (const char *p = part[i]; *p != '\0'; p++) {
            gs_buf_text_if(&b, *p == '%', "%");
            gs_buf_char(&b, *p);
        }
    gs_buf_text(&b, name);
    return gs_buf_whole(&b);
}

/*
 * The folder and the data may be relative paths. 66 is the code of a missing input, and the
 * waiting run reports it as such.
 */
static void begin_script(struct gs_buf *b, const char *cwd)
{
    gs_buf_text(b, "#!/bin/sh\ncd ");
    quote(b, cwd);
    gs_buf_text(b, " || exit 66\n");
}

/*
 * One task of the array: the shard of its number, unless its state is there already. A task
 * that is requeued finds its state and ends at once. exec lets the batch system's signal reach
 * gpustat itself, which removes its temporary files.
 */
static void shard_script(const struct gs_sharded_run *r, const char *cwd, struct gs_buf *b)
{
    begin_script(b, cwd);
    gs_buf_text(b, "state=");
    quote(b, r->folder);
    gs_buf_text(b, "/shard-$SLURM_ARRAY_TASK_ID.state\n[ ! -s \"$state\" ] || exit 0\nexec");
    for (size_t i = 0; i < r->n_words; i++) {
        gs_buf_char(b, ' ');
        quote(b, r->word[i]);
        if (i == 1) /* behind the command's name, so that what was given counts */
            gs_buf_text(b, " -j \"${SLURM_CPUS_PER_TASK:-1}\"");
    }
    gs_buf_format(b, " --shard \"$SLURM_ARRAY_TASK_ID/%u\" --partial \"$state\"\n",
                  (unsigned)r->n_shards);
}

/* Of all shards or of none: a state that another machine does not see yet would be left out. */
static void merge_script(const struct gs_sharded_run *r, const char *cwd, struct gs_buf *b)
{
    begin_script(b, cwd);
    gs_buf_text(b, "set -- ");
    quote(b, r->folder);
    gs_buf_format(b, "/shard-*.state\n[ $# -eq %u ] || exit 75\nexec ", (unsigned)r->n_shards);
    quote(b, r->word[0]);
    gs_buf_text(b, " merge -q --partial ");
    quote(b, r->folder);
    gs_buf_text(b, "/merged.state \"$@\"\n");
}

static enum gs_status write_scripts(const struct gs_sharded_run *r, struct gs_arena *arena,
                                    struct gs_slurm_request *shard, struct gs_slurm_request *merge,
                                    struct gs_err *err)
{
    char cwd[4096];
    struct gs_buf one = {.arena = arena}, other = {.arena = arena};
    if (getcwd(cwd, sizeof cwd) == NULL)
        return gs_fail(err, GS_ERR_IO, "the current folder: %s", strerror(errno));
    shard_script(r, cwd, &one);
    merge_script(r, cwd, &other);
    shard->script = in_folder(r, arena, "shard.sh", 0);
    shard->log = log_pattern(r, cwd, "shard-%a.log", arena);
    merge->script = in_folder(r, arena, "merge.sh", 0);
    merge->log = log_pattern(r, cwd, "merge.log", arena);
    GS_TRY(gs_had_memory(!one.failed && !other.failed && shard->script != NULL &&
                             shard->log != NULL && merge->script != NULL && merge->log != NULL,
                         err));
    GS_TRY(gs_output_file(shard->script, gs_buf_str(&one), err));
    return gs_output_file(merge->script, gs_buf_str(&other), err);
}

/* --- jobs --------------------------------------------------------------------------------------------------- */

/*
 * A file that is missing or cut counts as no jobs; the states in the folder still do. Only
 * digits are accepted, because the text becomes an argument of scancel.
 */
static void read_jobs(const struct gs_sharded_run *r, struct gs_arena *arena, struct jobs *j)
{
    const char *const path = in_folder(r, arena, "jobs", 0);
    *j = (struct jobs){{0}, {0}};
    if (path == NULL)
        return;
    FILE *const f = fopen(path, "r");
    if (f == NULL)
        return;
    if (fscanf(f, "%31[0-9] %31[0-9]", j->array, j->merge) != 2)
        *j = (struct jobs){{0}, {0}};
    (void)fclose(f);
}

static enum gs_status write_jobs(const struct gs_sharded_run *r, struct gs_arena *arena,
                                 const struct jobs *j, struct gs_err *err)
{
    const char *const path = in_folder(r, arena, "jobs", 0);
    const char *const text = gs_format(arena, "%s %s\n", j->array, j->merge);
    GS_TRY(gs_had_memory(text != NULL && path != NULL, err));
    return gs_output_file(path, gs_str(text), err);
}

/* Tasks of the run that Slurm still has to do. */
static enum gs_status inspect(const struct jobs *j, struct gs_arena *arena,
                              struct gs_slurm_queue *shards, struct gs_slurm_queue *merge,
                              struct gs_err *err)
{
    *shards = *merge = (struct gs_slurm_queue){0};
    if (j->array[0] == '\0')
        return GS_OK;
    GS_TRY(gs_slurm_poll(j->array, arena, shards, err));
    return gs_slurm_poll(j->merge, arena, merge, err);
}

static bool is_busy(const struct gs_slurm_queue *q)
{
    return q->n_waiting + q->n_running > 0;
}

static void tell(const struct gs_sharded_run *r, const char *text)
{
    if (r->context->tell != NULL)
        r->context->tell(r->context->tell_to, text);
}

/* At once: whoever waits wants to look at the jobs. n: shards that were submitted; 0: the jobs were there. */
static void tell_jobs(const struct gs_sharded_run *r, const struct jobs *j, uint32_t n,
                      struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    if (n > 0)
        gs_buf_format(&b, "%u of %u shards submitted as job %s, the merge as %s", (unsigned)n,
                      (unsigned)r->n_shards, j->array, j->merge);
    else
        gs_buf_format(&b, "joined jobs %s and %s, which are in the queue", j->array, j->merge);
    gs_buf_text(&b, "; states and logs are in ");
    gs_buf_escaped(&b, gs_str(r->folder), 200);
    if (!b.failed)
        tell(r, b.ptr);
}

/*
 * The array is cancelled if anything after its submission fails: jobs that no file names could
 * never be joined or cancelled by a later run.
 */
static enum gs_status submit_missing(const struct gs_sharded_run *r, const uint32_t *missing,
                                     uint32_t n, struct gs_arena *arena, struct jobs *j,
                                     struct gs_err *err)
{
    struct gs_buf array = {.arena = arena};
    const char *const merged = gs_sharded_merged(r, arena);
    show_shards(missing, n, &array);
    GS_TRY(gs_had_memory(merged != NULL && !array.failed, err));
    struct gs_slurm_request shards = {.name = "gpustat",
                                      .array = array.ptr,
                                      .option = r->option,
                                      .n_options = r->n_options},
                            merge = {.name = "gpustat-merge",
                                     .after = j->array,
                                     .option = r->merge_option,
                                     .n_options = r->n_merge_options};
    GS_TRY(write_scripts(r, arena, &shards, &merge, err));
    (void)unlink(merged); /* without what is missing, if it is there */
    GS_TRY(gs_slurm_submit(&shards, arena, j->array, err));
    enum gs_status s = gs_slurm_submit(&merge, arena, j->merge, err);
    GS_THEN(s, write_jobs(r, arena, j, err));
    if (s == GS_OK)
        tell_jobs(r, j, n, arena);
    else
        (void)gs_slurm_cancel(j->array, arena, NULL);
    return s;
}

/* Where Ctrl-C ends this run, the jobs go on: says so. */
static void announce(struct gs_sharded_run *r, const struct jobs *j, struct gs_arena *arena)
{
    if (j->array[0] == '\0')
        return;
    const char *const words =
        gs_format(arena,
                  "\ngpustat: jobs %s and %s go on; the same command fetches the result; to end "
                  "them: gpustat slurm --cancel --folder %s\n",
                  j->array, j->merge, gs_or_empty(gs_escaped(arena, gs_str(r->folder), 200)));
    if (words == NULL)
        return;
    gs_cleanup_block();
    r->at_end = (struct gs_cleanup){.words = gs_str(words)};
    gs_cleanup_add(&r->at_end);
    gs_cleanup_unblock();
}

/* States that are complete stay. The next run of the same question computes only the rest. */
enum gs_status gs_sharded_cancel(struct gs_sharded_run *r, struct gs_arena *arena,
                                 struct gs_err *err)
{
    struct jobs j;
    char text[200];
    read_jobs(r, arena, &j);
    end_submitting(r);
    if (j.array[0] != '\0')
        GS_TRY(gs_slurm_cancel(j.array, arena, err));
    if (j.merge[0] != '\0')
        GS_TRY(gs_slurm_cancel(j.merge, arena, err));
    if (j.array[0] == '\0')
        (void)snprintf(text, sizeof text, "nothing to cancel: no jobs were submitted");
    else
        (void)snprintf(text, sizeof text,
                       "cancelled jobs %s and %s; what is computed is kept for the next run",
                       j.array, j.merge);
    tell(r, text);
    return GS_OK;
}

/*
 * The exclusive lock is held from the look at the queue until the new jobs are written down. A
 * second run that waits for it then finds these jobs and joins them. A signal waits, too: --cancel
 * takes back only what is written down.
 */
enum gs_status gs_sharded_submit(struct gs_sharded_run *r, struct gs_arena *arena,
                                 size_t *n_submitted, struct gs_err *err)
{
    struct jobs j;
    struct gs_slurm_queue shards, merge;
    uint32_t n = 0;
    GS_NEW(uint32_t, missing, r->n_shards, arena, err);
    *n_submitted = 0;
    read_jobs(r, arena, &j);
    enum gs_status s = inspect(&j, arena, &shards, &merge, err);
    GS_THEN(s, find_missing(r, arena, missing, &n, err));
    gs_cleanup_delay();
    if (s == GS_OK && is_busy(&shards)) {
        tell_jobs(r, &j, 0, arena);
    } else if (s == GS_OK && n > 0) {
        if (j.merge[0] != '\0')
            (void)gs_slurm_cancel(j.merge, arena, NULL); /* it waits for an array that failed */
        *n_submitted = n;
        s = submit_missing(r, missing, n, arena, &j, err);
    }
    if (s == GS_OK && (n > 0 || is_busy(&merge)))
        announce(r, &j, arena);
    gs_cleanup_allow();
    end_submitting(r);
    return s;
}

/* --- waiting ------------------------------------------------------------------------------------------------ */

static void sleep_ms(unsigned ms)
{
    struct timespec t = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};
    while (nanosleep(&t, &t) != 0 && errno == EINTR)
        continue;
}

/*
 * The last line of a task's log that says something, escaped; empty where there is none. At
 * most 4 KiB from the end are read: a log may be large, and the cause of a failure is its last
 * line. The text is escaped because a log may hold anything.
 */
static void last_words(const char *path, char *out, size_t size)
{
    char room[4096];
    out[0] = '\0';
    if (path == NULL)
        return;
    FILE *const f = fopen(path, "r");
    if (f == NULL)
        return;
    if (fseek(f, 0, SEEK_END) == 0 && ftell(f) > (long)sizeof room)
        (void)fseek(f, -(long)sizeof room, SEEK_END);
    else
        rewind(f);
    size_t n = fread(room, 1, sizeof room, f);
    (void)fclose(f);
    while (n > 0 && (room[n - 1] == '\n' || room[n - 1] == '\r'))
        n--;
    size_t begin = n;
    while (begin > 0 && room[begin - 1] != '\n')
        begin--;
    struct gs_str last = {room + begin, n - begin};
    static const char own[] = "gpustat: ";
    if (gs_str_begins(last, own) && last.len > strlen(own))
        last = gs_str_after(last, strlen(own));
    (void)gs_escape(out, size, last);
}

/* The status whose exit code this is. */
static enum gs_status status_of(int code)
{
    static const enum gs_status known[] = {GS_ERR_USAGE,       GS_ERR_DATA,     GS_ERR_NOINPUT,
                                           GS_ERR_UNAVAILABLE, GS_ERR_INTERNAL, GS_ERR_MEMORY,
                                           GS_ERR_CANTCREATE,  GS_ERR_IO,       GS_ERR_AGAIN};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (gs_exit_code(known[i]) == code)
            return known[i];
    return GS_ERR_AGAIN; /* killed, lost, or never begun: the cluster's doing */
}

/*
 * The exit status is that of the first shard that failed, so a script sees the same code as for
 * a run on one machine.
 */
static enum gs_status fail_missing(const struct gs_sharded_run *r, const struct jobs *j,
                                   const uint32_t *missing, uint32_t n, struct gs_arena *arena,
                                   struct gs_err *err)
{
    struct gs_slurm_end end;
    struct gs_buf which = {.arena = arena};
    char words[300], log[400];
    (void)gs_slurm_end_of(j->array, missing[0], arena, &end, NULL);
    const char *const path = in_folder(r, arena, ".log", missing[0]);
    last_words(path, words, sizeof words);
    show_shards(missing, gs_min(n, NAMED_MAX), &which);
    (void)gs_escape(log, sizeof log, gs_str(gs_or_empty(path)));
    return gs_fail(
        err, status_of(end.exit_code),
        "shard %s%s of %u has no state: %s%s%s%s%s; see %s; given again, the "
        "command runs only what is missing",
        which.failed ? "?" : which.ptr, n > NAMED_MAX ? " ..." : "", (unsigned)r->n_shards,
        end.state[0] == '\0' ? "Slurm has no record of the reason" : end.state,
        end.node[0] == '\0' ? "" : " on ", end.node, words[0] == '\0' ? "" : ": ", words, log);
}

/* How far it is: in the progress line, or without a terminal in a line a minute. */
static void note_result(const struct gs_sharded_run *r, uint32_t n_missing,
                        const struct gs_slurm_queue *shards, bool minute)
{
    char text[160];
    const struct gs_context *const c = r->context;
    char why[sizeof shards->reason + 3] = "";
    if (shards->n_waiting > 0 && shards->reason[0] != '\0')
        (void)snprintf(why, sizeof why, " (%s)", shards->reason);
    (void)snprintf(text, sizeof text, "%u of %u shards done, %u running, %u waiting%s",
                   (unsigned)(r->n_shards - n_missing), (unsigned)r->n_shards,
                   (unsigned)shards->n_running, (unsigned)shards->n_waiting, why);
    if (c->progress != NULL)
        c->progress(c->progress_line, text);
    if (minute && !c->watched)
        tell(r, text);
}

/*
 * A shard that the queue reports as completed may lack its state for a while on a network file
 * system; GRACE_MS bounds that wait. The intervals grow, so thousands of waiting users do not
 * burden the scheduler.
 */
enum gs_status gs_sharded_wait(const struct gs_sharded_run *r, struct gs_arena *arena,
                               struct gs_err *err)
{
    struct jobs j;
    uint32_t n = 0;
    GS_NEW(uint32_t, missing, r->n_shards, arena, err);
    const char *const merged = gs_sharded_merged(r, arena);
    unsigned ms = LOOK_FIRST_MS, waited_ms = 0, untold_ms = 0;
    GS_TRY(gs_had_memory(merged != NULL, err));
    read_jobs(r, arena, &j);
    for (;;) {
        struct gs_slurm_queue shards, merge;
        /* the queue first: what is gone from it has written */
        GS_TRY(inspect(&j, arena, &shards, &merge, err));
        GS_TRY(find_missing(r, arena, missing, &n, err));
        note_result(r, n, &shards, untold_ms >= MINUTE_MS);
        if (untold_ms >= MINUTE_MS)
            untold_ms = 0;
        if (n == 0 && (is_there(merged) || !is_busy(&merge)))
            return GS_OK;
        if (!is_busy(&shards) && n > 0) {
            struct gs_slurm_end end;
            (void)gs_slurm_end_of(j.array, missing[0], arena, &end, NULL);
            waited_ms += ms;
            if (strcmp(end.state, "COMPLETED") != 0 || waited_ms > GRACE_MS)
                break;
        }
        sleep_ms(ms);
        untold_ms += ms;
        ms = gs_min(ms + ms / 2, LOOK_LAST_MS);
    }
    (void)gs_slurm_cancel(j.merge, arena, NULL);
    return fail_missing(r, &j, missing, n, arena, err);
}

/*
 * "question" goes last: a removal that is interrupted leaves a folder that a later run still
 * recognises as its own. Only files with our names are removed, and rmdir keeps a folder that
 * holds others.
 */
void gs_sharded_remove(const struct gs_sharded_run *r, struct gs_arena *arena)
{
    if (flock(r->held, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return; /* another run of the question reads the states: it removes them */
    static const char *const files[] = {"merged.state", "shard.sh", "merge.sh", "merge.log",
                                        "jobs",         "lock",     "question"};
    for (uint32_t i = 1; i <= r->n_shards; i++) {
        GS_REWINDS(arena);
        const char *const state = gs_sharded_state(r, i, arena);
        const char *const log = in_folder(r, arena, ".log", i);
        if (state != NULL && log != NULL) {
            (void)unlink(state);
            (void)unlink(log);
        }
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *const path = in_folder(r, arena, files[i], 0);
        if (path != NULL)
            (void)unlink(path);
    }
    (void)rmdir(r->folder);
}
