/* fold_command.c - the run in shards and passes: each looks at some hosts, what they come to is added up. */
#include "args/fold_command.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "num/decimal.h"
#include "base/shard.h"
#include "view/counts.h"

/* What the program itself takes beside what gs_memory_take counts: its code, stacks, small change of libraries. */
enum { PACKED = 10, BYTES_PER_KEPT = 6 }; /* text to packed text; text to what is kept of it */
#define OWN_MEMORY (UINT64_C(6) << 20)

static const struct gs_scale_opts *scale_of(const struct gs_command *c, const void *parsed)
{
    return (const struct gs_scale_opts *)(const void *)((const char *)parsed + c->folds->scale);
}

static const struct gs_dataset_opts *dataset_of(const struct gs_command *c, const void *parsed)
{
    return (const struct gs_dataset_opts *)(const void *)((const char *)parsed + c->folds->dataset);
}

/* Which part of the run: shard (from 0) of n. */
struct part {
    uint32_t shard, n;
};

/* "3/8" */
static enum gs_status parse_shard(const char *text, struct part *part, struct gs_err *err)
{
    char shown[64];
    uint64_t i, n;
    const char *const slash = text == NULL ? NULL : strchr(text, '/');
    *part = (struct part){0, 1};
    if (text == NULL)
        return GS_OK;
    if (slash == NULL ||
        gs_count_parse((struct gs_str){text, (size_t)(slash - text)}, GS_SHARDS_MAX, &i) != GS_NUMBER_OK ||
        gs_count_parse(gs_str(slash + 1), GS_SHARDS_MAX, &n) != GS_NUMBER_OK || i < 1 || i > n)
        return gs_fail(err, GS_ERR_USAGE, "--shard: '%s' must be I/N, I from 1 to N, N at most %d",
                       gs_escape(shown, sizeof shown, gs_str(text)), (int)GS_SHARDS_MAX);
    *part = (struct part){(uint32_t)i - 1, (uint32_t)n};
    return GS_OK;
}

/* --- states that come together ------------------------------------------------------------------------------ */

enum gs_status gs_state_sum_add(struct gs_state_sum *sum, struct gs_state_reader *reader, struct gs_err *err)
{
    struct gs_fold_job job = sum->job;
    struct gs_facts facts;
    enum gs_status s = gs_state_take(reader, &facts, &job, sum->arena, err);
    if (s != GS_OK)
        return s;
    if (!sum->any) {
        sum->job = job;
        sum->facts = facts;
        sum->any = true;
        return GS_OK;
    }
    s = gs_facts_merge(&sum->facts, &facts, err);
    return s == GS_OK ? gs_state_merge(job.fold, &sum->job.state, &job.state, sum->arena, err) : s;
}

/* The frames of the state that everything came to, and the figure of the last. */
static enum gs_status finish(const struct gs_state_sum *sum, const struct gs_fold_command *f, const void *parsed,
                             const struct gs_context *context, struct gs_frames *out, struct gs_err *err)
{
    const struct gs_fold_job *const job = &sum->job;
    void *also = NULL;
    if (context->draws && f->also_size > 0 && (also = gs_arena_take(context->arena, 1, f->also_size)) == NULL)
        return gs_fail_memory(err);
    const enum gs_status s =
        job->fold->finish(job->options, &job->state, &sum->facts, context->n_threads, context->arena, out, also, err);
    if (s == GS_OK && f->plot != NULL)
        out->last->plot = f->plot;
    return s == GS_OK && context->draws && f->draw != NULL ? f->draw(parsed, context, also, out, err) : s;
}

/* Columns of energies say, for --explain, what the sensors are like that they come from. */
static enum gs_status tell_sensors(const struct gs_sensor_tally *t, const struct gs_frames *out, struct gs_arena *arena,
                                   struct gs_err *err)
{
    for (struct gs_frame *f = t->n == 0 ? NULL : out->first; f != NULL; f = f->next)
        for (size_t c = 0; c < f->n_columns; c++) {
            const struct gs_column_spec *const old = f->columns[c].spec;
            struct gs_buf how = {.arena = arena};
            if (strcmp(old->name, "energy_low_j") != 0)
                continue;
            struct gs_column_spec *const spec = gs_arena_take(arena, 1, sizeof *spec);
            gs_buf_format(&how, "%s; sensors of %llu %s: ", old->how, (unsigned long long)t->n,
                          t->n == 1 ? "GPU" : "GPUs");
            gs_sensor_tally_describe(t, &how);
            if (spec == NULL || how.failed)
                return gs_fail_memory(err);
            *spec = *old;
            spec->how = how.ptr;
            f->columns[c].spec = spec;
        }
    return GS_OK;
}

enum gs_status gs_state_sum_finish(const struct gs_state_sum *sum, const struct gs_command *command, const void *parsed,
                                   const struct gs_state_head *head, const char *partial,
                                   const struct gs_context *context, struct gs_frames *out, struct gs_err *err)
{
    if (partial == NULL) {
        const enum gs_status told = finish(sum, command->folds, parsed, context, out, err);
        return told == GS_OK ? tell_sensors(&sum->facts.totals.sensors, out, context->arena, err) : told;
    }
    const enum gs_status s = gs_state_write(partial, head, &sum->facts, &sum->job, err);
    char shown[200];
    if (s == GS_OK)
        gs_note(&out->notes, GS_NOTE_INFO, "the state of %u of %u shards is in %s", (unsigned)head->n,
                (unsigned)head->n_shards, gs_escape(shown, sizeof shown, gs_str(partial)));
    return s;
}

/* --- one pass ----------------------------------------------------------------------------------------------- */

/* The options as what a state says of itself; operands first. */
static enum gs_status make_head(const struct gs_context *context, const void *parsed, struct part part,
                                struct gs_state_head *head, struct gs_err *err)
{
    const struct gs_dataset_opts *const d = dataset_of(context->command, parsed);
    *head = (struct gs_state_head){
        .version = gs_str(context->version), .command = gs_str(context->command->name), .n_shards = part.n, .n = 1};
    head->argument = gs_arena_take(context->arena, context->given.n + d->dir.n, sizeof *head->argument);
    head->shard = gs_arena_take(context->arena, 1, sizeof *head->shard);
    if (head->argument == NULL || head->shard == NULL)
        return gs_fail_memory(err);
    head->shard[0] = part.shard + 1;
    for (size_t i = 0; i < context->given.n; i++)
        head->argument[head->n_arguments++] = gs_str(context->given.item[i]);
    for (size_t i = 0; i < d->dir.n; i++)
        head->argument[head->n_arguments++] = gs_str(d->dir.item[i]);
    return GS_OK;
}

/* The hosts of a part among those of the dataset; NULL: all. */
static enum gs_status hosts_of(const struct gs_dataset *d, struct part part, struct gs_arena *arena, bool **takes,
                               struct gs_err *err)
{
    *takes = NULL;
    if (part.n == 1)
        return GS_OK;
    *takes = gs_arena_take(arena, d->host.n, sizeof **takes);
    if (*takes == NULL)
        return gs_fail_memory(err);
    for (uint32_t h = 0; h < d->host.n; h++)
        (*takes)[h] = gs_shard_of(d->host.text[h], part.n) == part.shard;
    return GS_OK;
}

/* The options with the event that is the task, if none was given. */
static enum gs_status settle_task_event(const struct gs_context *context, const struct gs_dataset *d,
                                        const void **parsed, struct gs_notes *notes, struct gs_err *err)
{
    const struct gs_command *const c = context->command;
    const size_t at = c->folds->task_event;
    const char *usual, *given, *event;
    if (at == 0)
        return GS_OK;
    memcpy(&usual, (const char *)c->defaults + at, sizeof usual);
    memcpy(&given, (const char *)*parsed + at, sizeof given);
    if (given != usual)
        return GS_OK;
    char *const copy = gs_arena_take(context->arena, c->opts_size, 1);
    if (copy == NULL)
        return gs_fail_memory(err);
    const enum gs_status s = gs_task_event(d, usual, context->n_threads, &event, notes, err);
    if (s != GS_OK)
        return s;
    memcpy(copy, *parsed, c->opts_size);
    memcpy(copy + at, &event, sizeof event);
    *parsed = copy;
    return GS_OK;
}

enum gs_status gs_fold_command_job(const void *parsed, const struct gs_context *context, struct gs_fold_job *job,
                                   struct gs_err *err)
{
    const struct gs_fold_command *const f = context->command->folds;
    void *const options = gs_arena_take(context->arena, 1, f->options_size);
    if (options == NULL)
        return gs_fail_memory(err);
    *job = (struct gs_fold_job){.fold = f->choose == NULL ? f->fold : f->choose(parsed), .options = options};
    return f->options == NULL ? GS_OK : f->options(parsed, options, err);
}

/* Reads a part of the run into `context`'s arena and folds it. */
static enum gs_status fold_part(const void *parsed, const struct gs_context *context, struct part part,
                                struct gs_fold_job *job, struct gs_facts *facts, struct gs_frames *out,
                                struct gs_err *err)
{
    const struct gs_fold_command *const f = context->command->folds;
    struct gs_dataset_opts o = *dataset_of(context->command, parsed);
    struct gs_dataset d;
    bool *takes, need[GS_N_TABLES];
    memcpy(need, f->need, sizeof need);
    if (f->needs != NULL)
        f->needs(parsed, need);
    o.shard = part.shard;
    o.n_shards = part.n;
    enum gs_status s = gs_dataset_opts_load(&o, context, need, f->optional, f->places, &d, out, err);
    if (s == GS_OK && part.n == 1)
        s = settle_task_event(context, &d, &parsed, &out->notes, err);
    if (s == GS_OK)
        s = gs_fold_command_job(parsed, context, job, err);
    if (s == GS_OK)
        s = hosts_of(&d, part, context->arena, &takes, err);
    return s == GS_OK ? gs_folds_run(&d, takes, job, 1, context->n_threads, context->arena, facts, err) : s;
}

/* --- passes ------------------------------------------------------------------------------------------------- */

struct passes {
    const void *parsed;
    const struct gs_context *context;
    struct gs_state_head head;
    struct gs_state_sum sum;
    struct gs_frames *out;
};

/* A part with an arena of its own, which is gone afterwards: its state goes over as bytes. */
static enum gs_status add_pass(struct passes *p, struct part part, struct gs_err *err)
{
    struct gs_arena own = {0}, scratch = {0};
    struct gs_context context = *p->context;
    struct gs_fold_job job;
    struct gs_buf bytes = {.arena = p->sum.arena};
    struct gs_facts facts;
    struct gs_state_reader reader;
    context.arena = &own;
    enum gs_status s = fold_part(p->parsed, &context, part, &job, &facts, p->out, err);
    if (s == GS_OK) {
        gs_facts_save(&facts, &bytes);
        gs_state_save(job.fold, &job.state, &bytes, &scratch);
        s = bytes.failed ? gs_fail_memory(err) : GS_OK;
    }
    gs_arena_release(&scratch);
    gs_arena_release(&own);
    if (s != GS_OK)
        return s;
    reader.rest = gs_unpack("a state in memory", gs_buf_str(&bytes), err);
    return gs_state_sum_add(&p->sum, &reader, err);
}

/* All parts of a part in n_passes passes. */
static enum gs_status add_passes(struct passes *p, struct part part, uint32_t n_passes, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    gs_arena_release(p->sum.arena);
    p->sum.any = false;
    s = gs_fold_command_job(p->parsed, p->context, &p->sum.job, err);
    for (uint32_t k = 0; k < n_passes && s == GS_OK; k++)
        s = add_pass(p, (struct part){part.shard + k * part.n, part.n * n_passes}, err);
    return s;
}

/* Plain bytes of a file, a packed one's guessed; of a directory's files. */
static uint64_t bytes_of_path(const char *path, bool inside)
{
    struct stat is;
    uint64_t n = 0;
    if (stat(path, &is) != 0)
        return 0;
    if (S_ISREG(is.st_mode)) {
        const size_t len = strlen(path);
        const bool packed = len > 4 && (strcmp(path + len - 3, ".gz") == 0 || strcmp(path + len - 3, ".xz") == 0 ||
                                        strcmp(path + len - 4, ".zst") == 0);
        return (uint64_t)is.st_size * (packed ? PACKED : 1);
    }
    DIR *const dir = S_ISDIR(is.st_mode) && !inside ? opendir(path) : NULL;
    for (const struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        char name[4096];
        const int len = snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        if (e->d_name[0] != '.' && len > 0 && (size_t)len < sizeof name)
            n += bytes_of_path(name, true);
    }
    if (dir != NULL)
        (void)closedir(dir);
    return n;
}

/* Bytes of the files that can be looked at; enough to begin with. */
static uint64_t bytes_of_inputs(const void *parsed, const struct gs_context *context)
{
    const struct gs_dataset_opts *const o = dataset_of(context->command, parsed);
    const struct gs_list *const lists[] = {&o->checkpoints, &o->gpu, &o->tasks, &o->dir};
    uint64_t n = 0;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (size_t i = 0; i < lists[k]->n; i++)
            n += bytes_of_path(lists[k]->item[i], false);
    return n;
}

/*
 * As few passes as the limit allows: the first guess is from the sizes of the files, rows take about a sixth of
 * their text; where it was too few, half as many more. The limit is held by gs_memory_take itself, and an attempt
 * that meets it ends there.
 */
static enum gs_status run_in_passes(struct passes *p, struct part part, uint64_t max_memory, struct gs_err *err)
{
    const uint64_t room = max_memory > 2 * OWN_MEMORY ? max_memory - OWN_MEMORY : max_memory / 2;
    const uint64_t guess = bytes_of_inputs(p->parsed, p->context) / BYTES_PER_KEPT / part.n / room + 1;
    const uint32_t n_most = GS_PASSES_MAX < GS_SHARDS_MAX / part.n ? GS_PASSES_MAX : GS_SHARDS_MAX / part.n;
    uint32_t n = guess < n_most ? (uint32_t)guess : n_most;
    enum gs_status s;
    for (;; n += n / 2 + 1) {
        gs_memory_limit((size_t)room);
        s = add_passes(p, part, n, err);
        gs_memory_limit(0);
        if (s != GS_ERR_MEMORY || n + n / 2 + 1 > n_most)
            break;
    }
    if (s != GS_ERR_MEMORY)
        return s;
    gs_memory_limit(0);
    s = add_passes(p, part, n, err);
    const uint64_t least = gs_memory_most() + OWN_MEMORY;
    return s != GS_OK ? s
                      : gs_fail(err, GS_ERR_USAGE, "--max-memory: this run takes at least %lluM",
                                (unsigned long long)(least >> 20) + 1);
}

static enum gs_status run_whole(struct passes *p, struct part part, struct gs_err *err)
{
    const enum gs_status s = fold_part(p->parsed, p->context, part, &p->sum.job, &p->sum.facts, p->out, err);
    p->sum.any = s == GS_OK;
    return s;
}

enum gs_status gs_fold_command_run(const void *parsed, const struct gs_context *context, struct gs_frames *out,
                                   struct gs_err *err)
{
    const struct gs_scale_opts *const o = scale_of(context->command, parsed);
    struct gs_arena states = {0};
    struct passes p = {.parsed = parsed, .context = context, .out = out, .sum.arena = &states};
    struct part part;
    if (context->command->folds->tell != NULL)
        context->command->folds->tell(parsed, &out->notes);
    enum gs_status s = parse_shard(o->shard, &part, err);
    if (s == GS_OK)
        s = make_head(context, parsed, part, &p.head, err);
    if (s == GS_OK)
        s = o->max_memory == 0 ? run_whole(&p, part, err) : run_in_passes(&p, part, o->max_memory, err);
    if (s == GS_OK)
        s = gs_state_sum_finish(&p.sum, context->command, parsed, &p.head, o->partial, context, out, err);
    gs_arena_adopt(context->arena, &states); /* frames may point to texts of the states */
    return s;
}
