/* slurm.c - the scheduler's commands and what they print. */
#include "app/cluster/slurm.h"

#include <string.h>

#include "base/num/decimal.h"
#include "base/os/process.h"

/*
 * Runs a command of Slurm's in `scratch`. Started without a shell: names of folders and the
 * user's own sbatch options are arguments and are never expanded.
 */
static enum gs_status run(const char *const *argv, struct gs_arena *scratch, struct gs_process *p,
                          struct gs_err *err)
{
    *p = (struct gs_process){.out.arena = scratch, .complaints.arena = scratch};
    const enum gs_status s = gs_process_run(argv, p, err);
    if (s == GS_ERR_UNAVAILABLE)
        return gs_fail(err, s, "%s: not found; slurm needs Slurm's commands (Debian: slurm-client)",
                       argv[0]);
    return s;
}

/*
 * What a command that failed had to say, in one line. GS_ERR_AGAIN, because most failures of a
 * scheduler pass: a controller that restarts, a queue that is full.
 */
static enum gs_status complain(const char *program, const struct gs_process *p, struct gs_err *err)
{
    struct gs_str said = gs_buf_str(&p->complaints);
    while (said.len > 0 && (said.ptr[said.len - 1] == '\n' || said.ptr[said.len - 1] == '.'))
        said.len--;
    if (said.len == 0)
        return gs_fail(err, GS_ERR_AGAIN, "%s: failed and printed nothing", program);
    struct gs_buf line = {.arena = p->complaints.arena};
    while (said.len > 0) {
        gs_buf_text_if(&line, line.len > 0, "; ");
        gs_buf_add(&line, gs_str_take(&said, '\n'));
    }
    return gs_fail(err, GS_ERR_AGAIN, "%s: %s", program, GS_SHOWN(gs_buf_str(&line), 400));
}

/*
 * "123" or "123;cluster". Anything else is refused. The number goes into later command lines
 * and into a file.
 */
static bool parse_id(struct gs_str text, char id[GS_SLURM_ID_MAX])
{
    size_t n = 0;
    while (n < text.len && n < GS_SLURM_ID_MAX - 1 && gs_is_digit(text.ptr[n])) {
        id[n] = text.ptr[n];
        n++;
    }
    id[n] = '\0';
    return n > 0 && (n == text.len || text.ptr[n] == '\n' || text.ptr[n] == ';');
}

/* The user's options come after our own and therefore win, as sbatch takes the last of each. */
enum gs_status gs_slurm_submit(const struct gs_slurm_request *r, struct gs_arena *scratch,
                               char id[GS_SLURM_ID_MAX], struct gs_err *err)
{
    enum { OWN = 10 };
    GS_REWINDS(scratch);
    const char **const argv = gs_arena_take(scratch, r->n_options + OWN, sizeof *argv);
    struct gs_process p;
    size_t n = 0;
    bool whole = argv != NULL;
    const char *const words[][2] = {{"--job-name=", r->name},
                                    {"--output=", r->log},
                                    {"--array=", r->array},
                                    {"--kill-on-invalid-dep=", r->after == NULL ? NULL : "yes"},
                                    {"--dependency=afterok:", r->after}};
    if (whole) {
        argv[n++] = "sbatch";
        argv[n++] = "--parsable";
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            if (words[i][1] == NULL)
                continue;
            argv[n] = gs_format(scratch, "%s%s", words[i][0], words[i][1]);
            whole = whole && argv[n++] != NULL;
        }
        for (size_t i = 0; i < r->n_options; i++)
            argv[n++] = r->option[i];
        argv[n] = r->script;
    }
    GS_TRY(gs_had_memory(whole, err));
    GS_TRY(run(argv, scratch, &p, err));
    if (p.exit_code != 0 || !parse_id(gs_buf_str(&p.out), id))
        GS_TRY(complain("sbatch", &p, err));
    return GS_OK;
}

static bool contains(struct gs_str text, const char *word)
{
    return gs_str_find(text, word) < text.len;
}

/*
 * squeue fails for a job that has left its memory. That is the normal end of a job and counts
 * as an empty queue.
 */
enum gs_status gs_slurm_poll(const char *id, struct gs_arena *scratch, struct gs_slurm_queue *queue,
                             struct gs_err *err)
{
    GS_REWINDS(scratch);
    const char *const argv[] = {"squeue", "--noheader", "--array", "--format=%T %r",
                                "--jobs", id,           NULL};
    struct gs_process p;
    GS_TRY(run(argv, scratch, &p, err));
    *queue = (struct gs_slurm_queue){0};
    if (p.exit_code != 0 && !contains(gs_buf_str(&p.complaints), "Invalid job id"))
        GS_TRY(complain("squeue", &p, err));
    struct gs_str text = gs_buf_str(&p.out);
    while (text.len > 0) {
        struct gs_str line = gs_str_take(&text, '\n');
        if (contains(line, "DependencyNeverSatisfied")) /* it waits for ever */
            continue;
        if (contains(line, "PENDING") || contains(line, "REQUEUED")) {
            (void)gs_str_take(&line, ' ');
            if (queue->n_waiting++ == 0)
                (void)gs_escape(queue->reason, sizeof queue->reason, line);
        } else if (line.len > 0) {
            queue->n_running++;
        }
    }
    return GS_OK;
}

/*
 * The value of "NAME=" in what scontrol prints, up to a blank. The name must begin a word:
 * "JobState=" also stands inside other keys of scontrol's output.
 */
static void parse_value(struct gs_str text, const char *name, char *out, size_t size)
{
    const size_t n = strlen(name);
    out[0] = '\0';
    for (size_t i = 0; i + n <= text.len; i++) {
        if (memcmp(text.ptr + i, name, n) != 0 ||
            (i > 0 && text.ptr[i - 1] != ' ' && text.ptr[i - 1] != '\n'))
            continue;
        size_t len = 0;
        while (i + n + len < text.len && (unsigned char)text.ptr[i + n + len] > ' ')
            len++;
        (void)gs_escape(out, size, (struct gs_str){text.ptr + i + n, len});
        return;
    }
}

enum gs_status gs_slurm_end_of(const char *id, uint32_t task, struct gs_arena *scratch,
                               struct gs_slurm_end *end, struct gs_err *err)
{
    GS_REWINDS(scratch);
    struct gs_process p;
    char code[16];
    *end = (struct gs_slurm_end){.exit_code = 0};
    const char *const one = gs_format(scratch, "%s_%u", id, (unsigned)task);
    const char *const argv[] = {"scontrol", "--oneliner", "show", "job", one, NULL};
    GS_TRY(gs_had_memory(one != NULL, err));
    GS_TRY(run(argv, scratch, &p, err));
    if (p.exit_code == 0) {
        parse_value(gs_buf_str(&p.out), "JobState=", end->state, sizeof end->state);
        parse_value(gs_buf_str(&p.out), "NodeList=", end->node, sizeof end->node);
        parse_value(gs_buf_str(&p.out), "ExitCode=", code, sizeof code);
        uint64_t number;
        /* such as "65:0" */
        if (gs_count_parse((struct gs_str){code, strcspn(code, ":")}, 255, &number) == GS_NUMBER_OK)
            end->exit_code = (int)number;
    }
    return GS_OK;
}

/* scancel's exit code is ignored: a job that is gone already is as good as cancelled. */
enum gs_status gs_slurm_cancel(const char *id, struct gs_arena *scratch, struct gs_err *err)
{
    GS_REWINDS(scratch);
    const char *const argv[] = {"scancel", id, NULL};
    struct gs_process p;
    return run(argv, scratch, &p, err);
}

/*
 * Indices run below MaxArraySize, and shards are numbered from 1: one less is the most. Without
 * an answer there is no bound, and sbatch itself refuses what is too large.
 */
uint64_t gs_slurm_array_max(struct gs_arena *scratch)
{
    static const char key[] = "MaxArraySize";
    GS_REWINDS(scratch);
    const char *const argv[] = {"scontrol", "show", "config", NULL};
    struct gs_process p;
    uint64_t most = UINT64_MAX;
    struct gs_str text = {0};
    if (run(argv, scratch, &p, NULL) == GS_OK)
        text = gs_buf_str(&p.out);
    while (text.len > 0) {
        const struct gs_str line = gs_str_take(&text, '\n');
        size_t at = strlen(key), n = 0;
        if (!gs_str_begins(line, key))
            continue;
        while (at < line.len && (line.ptr[at] == ' ' || line.ptr[at] == '='))
            at++;
        while (at + n < line.len && gs_is_digit(line.ptr[at + n]))
            n++;
        uint64_t size;
        if (gs_count_parse((struct gs_str){line.ptr + at, n}, UINT32_MAX, &size) == GS_NUMBER_OK &&
            size > 0)
            most = size - 1;
    }
    return most;
}
