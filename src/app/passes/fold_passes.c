/* fold_passes.c - how many passes, and which hosts in which. */
#include "app/passes/fold_passes.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/paged_memory.h"
#include "base/core/shard.h"
#include "base/num/order.h"
#include "input/import/pass_plan.h"
#include "base/os/dir.h"
#include "base/os/input_meter.h"
#include "base/os/spool.h"

enum { PACKED = 10, BYTES_PER_KEPT = 6 }; /* text to packed text; text to what is kept of it */

#define MIB (UINT64_C(1) << 20)

/* Below this what merging leaves behind is not worth the work of tidying up. */
#define TIDY_FROM MIB

enum { SPOOLED = 256 << 10 }; /* bytes of a state that wait in memory, not in a file */

/* What one thread takes to read whatever it is, before anything is kept. */
#define LEAST_ROOM (4 * MIB)

/* More passes than these are not made in what little room is left beside what has come together. */
enum { CRAWL = 32 };

/* A host that waits for its pass, by where its rows stand. */
struct waiting {
    uint32_t samples, checkpoints; /* the first chunk of each */
    uint32_t host;
    uint64_t n_rows;
};

struct passes {
    const struct gs_query *question;
    struct gs_shard part; /* of the run, all of which is wanted */
    uint64_t max_memory;  /* as was asked */
    uint64_t room;        /* bytes of gs_memory_reserve; 0: no limit */
    unsigned n_threads;
    struct gs_pass_plan pass_plan;
    struct gs_arena learned; /* of the pass_plan and those that wait */
    struct waiting *waiting; /* [n_waiting], neighbours in the files side by side */
    size_t n_waiting;
    size_t tidy;   /* bytes of what has come together when nothing else was with it */
    uint64_t most; /* bytes of gs_memory_reserve that the last pass held at most, or was refused */
    uint64_t held; /* ... and that were left after the last that went well */
    double share;  /* of the bytes of the files, which the last pass came to */
    uint64_t n_kept, n_rows; /* rows that have been folded; all of them */
    struct gs_state_sum *sum;
    bool began;       /* the files were opened */
    bool sum_is_full; /* what has come together takes all room */
    bool limit_met;   /* the last pass asked for more than the room */
    struct gs_frames *out;
};

/*
 * Plain bytes of a file, a packed one's guessed; of a directory's files. Only a first guess of
 * the number of passes. A wrong guess costs one more pass and changes no result. Directories
 * within a directory are not looked into.
 */
static uint64_t bytes_of_path(const char *path, bool inside)
{
    struct stat is;
    uint64_t n = 0;
    if (stat(path, &is) != 0)
        return 0;
    if (S_ISREG(is.st_mode)) {
        const size_t len = strlen(path);
        const bool packed =
            len > 4 && (strcmp(path + len - 3, ".gz") == 0 || strcmp(path + len - 3, ".xz") == 0 ||
                        strcmp(path + len - 4, ".zst") == 0);
        return (uint64_t)is.st_size * (packed ? PACKED : 1);
    }
    DIR *const dir = S_ISDIR(is.st_mode) && !inside ? opendir(path) : NULL;
    /* A guess: what cannot be looked at the reading will say. */
    for (const char *entry; dir != NULL && gs_dir_next(dir, &entry) == 0 && entry != NULL;) {
        char name[4096];
        const int len = snprintf(name, sizeof name, "%s/%s", path, entry);
        if (entry[0] != '.' && len > 0 && (size_t)len < sizeof name)
            n += bytes_of_path(name, true);
    }
    if (dir != NULL)
        (void)closedir(dir);
    return n;
}

/* Bytes of the files that can be looked at; enough to begin with. */
static uint64_t bytes_of_inputs(const struct gs_query *q)
{
    const struct gs_dataset_opts *const o = &q->parsed->dataset;
    const struct gs_list *const lists[] = {&o->checkpoints, &o->gpu, &o->tasks, &o->dir};
    uint64_t n = 0;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (size_t i = 0; i < lists[k]->n; i++)
            n += bytes_of_path(lists[k]->item[i], false);
    return n;
}

/* Where the rows of hosts go that a fold leaves: without a place for a file they are held. */
static enum gs_status open_rows_file(const struct gs_query *q, struct gs_err *err)
{
    struct gs_scratch_file *const file = q->context->scratch;
    if (!gs_question_fold(q)->has_rows || file == NULL || q->context->temp_dir == NULL ||
        file->open)
        return GS_OK;
    return gs_scratch_file_open(file, q->context->temp_dir, err);
}

/* The file that rows of hosts go to; NULL: they are held. */
static struct gs_scratch_file *rows_file(const struct gs_query *q)
{
    struct gs_scratch_file *const file = q->context->scratch;
    if (!gs_question_fold(q)->has_rows || file == NULL || !file->open)
        return NULL;
    return file;
}

/* What waits in the spool comes into memory, at once. */
static enum gs_status release(struct gs_spool *spool, struct gs_buf *bytes, struct gs_err *err)
{
    const uint64_t n = spool->file.open ? atomic_load(&spool->file.end) : spool->memory.len;
    GS_TRY(gs_had_memory(gs_buf_reserve(bytes, (size_t)n), err));
    return gs_spool_send(spool, gs_sink_buf(bytes), err);
}

/*
 * A part with an arena of its own, which is gone afterwards: its state goes over as bytes. They wait in a file, so that
 * there is never room for both.
 */
static enum gs_status fold_apart(struct passes *p, struct gs_shard part, struct gs_buf *bytes,
                                 struct gs_err *err)
{
    struct gs_arena own = {0}, scratch = {0}, waiting = {0};
    struct gs_context context = *p->question->context;
    const struct gs_query question = {p->question->parsed, &context};
    struct gs_spool spool = {.dir = context.temp_dir, .most = SPOOLED};
    struct gs_buf b = {.arena = &waiting};
    const struct gs_sink to = gs_spool_sink(&spool);
    const struct gs_saving how = {.b = &b, .to = &to, .here = true, .scratch = &scratch};
    struct gs_partial_result answer;
    context.arena = &own;
    context.n_threads = p->n_threads;
    /* What there is to say of the files the first pass has said, of all rows. */
    struct gs_frames unsaid = {.notes = {.arena = &own}};
    struct gs_frames *const out = p->pass_plan.learned ? &unsaid : p->out;
    enum gs_status s = gs_fold_part(&question, part, false, &p->pass_plan, &answer, out, err);
    GS_THEN(s, gs_answer_save(&answer, &how, err));
    GS_THEN(s, gs_saving_hand_on(&how, err));
    gs_arena_release(&waiting);
    gs_arena_release(&scratch);
    gs_arena_release(&own);
    GS_THEN(s, release(&spool, bytes, err));
    gs_spool_release(&spool);
    return s;
}

/* A state's bytes come to what has come together. */
static enum gs_status add_state(struct gs_state_sum *sum, const struct gs_buf *bytes,
                                struct gs_err *err)
{
    struct gs_unpacker u = gs_unpack("a state in memory", gs_buf_str(bytes), err);
    return gs_state_sum_add(sum, &u, err);
}

/* What merging left behind goes: what has come together is written down and read again. */
static enum gs_status tidy_up(struct passes *p, struct gs_err *err)
{
    struct gs_state_sum *const sum = p->sum;
    struct gs_arena own = {0}, scratch = {0};
    struct gs_buf bytes = {.arena = &own};
    const struct gs_saving how = {.b = &bytes, .here = true, .scratch = &scratch};
    enum gs_status s = gs_answer_save(&sum->answer, &how, err);
    gs_arena_release(&scratch);
    if (s == GS_OK) {
        gs_arena_release(sum->arena);
        sum->any = false;
        s = add_state(sum, &bytes, err);
    }
    gs_arena_release(&own);
    p->tidy = sum->arena->n_bytes;
    return s;
}

/*
 * Rows that are held are where they were read, and not moved. Merging leaves the old arrays as
 * garbage in the arena. A quarter more than after the last tidying keeps the total work of
 * tidying proportional to what is held.
 */
static bool is_untidy(const struct passes *p)
{
    const bool held = gs_question_fold(p->question)->has_rows && p->sum->file == NULL;
    return !held && p->sum->arena->n_bytes > p->tidy + p->tidy / 4 + TIDY_FROM;
}

/* How far reading came; 1 where that is not known. */
static double share_read(void)
{
    uint64_t total;
    const uint64_t n = gs_input_meter_read(&total);
    return n == 0 || total == 0 ? 1 : (double)n / (double)total;
}

/*
 * The limit holds only inside a pass and is lifted before the function returns, so that
 * reporting a failure cannot fail for lack of memory. Whether the sum or the pass was too large
 * decides what the caller tries next: smaller passes do not help a sum that is full.
 */
static enum gs_status add_pass(struct passes *p, struct gs_shard part, struct gs_err *err)
{
    struct gs_arena own = {0};
    const bool held = gs_question_fold(p->question)->has_rows && p->sum->file == NULL;
    /* rows that are held stay where the bytes are */
    struct gs_buf bytes = {.arena = held ? p->sum->arena : &own};
    p->sum_is_full = false;
    gs_memory_limit((size_t)p->room);
    enum gs_status s = fold_apart(p, part, &bytes, err);
    if (s == GS_OK) {
        s = add_state(p->sum, &bytes, err);
        p->sum_is_full = s == GS_ERR_MEMORY;
    }
    gs_arena_release(&own);
    if (s == GS_OK && is_untidy(p)) {
        s = tidy_up(p, err);
        p->sum_is_full = s == GS_ERR_MEMORY;
    }
    p->limit_met = gs_memory_refused_at() > 0;
    p->most = gs_max(gs_memory_most(), gs_memory_refused_at());
    p->held = s == GS_OK ? gs_memory_held() : p->held;
    p->share = share_read();
    gs_memory_limit(0);
    return s;
}

/*
 * Hosts whose rows are neighbours in the files share a pass, so a pass can skip the other
 * chunks. The host number breaks ties, because qsort is not stable.
 */
GS_COMPARES(by_reach, struct waiting, GS_BY(samples) GS_BY(checkpoints) GS_BY(host));

/* Lines up the hosts of the part that the first pass, of the shard `kept`, has left. */
static enum gs_status line_up(struct passes *p, struct gs_shard kept, struct gs_err *err)
{
    const struct gs_intern *const host = &p->pass_plan.pool[GS_POOL_HOST];
    GS_TAKE(p->waiting, host->n, &p->learned, err);
    p->n_waiting = 0;
    p->n_kept = p->n_rows = 0;
    for (uint32_t h = 0; h < host->n; h++) {
        struct gs_pass_plan_host *const of = &p->pass_plan.of[h];
        const uint64_t n_rows = gs_pass_plan_rows(of);
        of->pass = GS_PASS_NEVER;
        if (gs_shard_of(host->text[h], p->part.n) != p->part.shard)
            continue;
        p->n_rows += n_rows;
        if (gs_shard_of(host->text[h], kept.n) == kept.shard)
            p->n_kept += n_rows;
        else
            p->waiting[p->n_waiting++] =
                (struct waiting){of->reach[1].first, of->reach[0].first, h, n_rows};
    }
    GS_SORT(p->waiting, p->n_waiting, by_reach);
    return GS_OK;
}

/*
 * The first pass: looks at everything and keeps one of n parts of the part. May be called again
 * after a failure: everything learned or summed so far is dropped first. The kept shard of n
 * part.n lies within the part, because both use the same hash modulo.
 */
static enum gs_status first_pass(struct passes *p, uint32_t n, struct gs_err *err)
{
    const struct gs_shard kept = {p->part.shard, p->part.n * n, p->part.first_input,
                                  p->part.n_inputs};
    gs_arena_release(p->sum->arena);
    gs_arena_release(&p->learned);
    p->sum->any = false;
    p->tidy = 0;
    p->pass_plan = (struct gs_pass_plan){.arena = &p->learned,
                                         .seed = p->question->context->seed,
                                         .again = p->began,
                                         .shard = p->part.shard,
                                         .n_shards = p->part.n};
    p->began = true;
    GS_TRY(add_pass(p, kept, err));
    return line_up(p, kept, err);
}

/*
 * A pass of the first n hosts that wait. A pass that fails has added nothing to the sum unless
 * the sum itself was full, so its hosts go back in line and may be tried in smaller numbers.
 */
static enum gs_status next_pass(struct passes *p, size_t n, struct gs_err *err)
{
    p->pass_plan.present++;
    for (size_t i = 0; i < n; i++)
        p->pass_plan.of[p->waiting[i].host].pass = p->pass_plan.present;
    const enum gs_status s = add_pass(p, p->part, err);
    for (size_t i = 0; i < n && s == GS_OK; i++)
        p->n_kept += p->waiting[i].n_rows;
    for (size_t i = 0; i < n && s != GS_OK; i++)
        p->pass_plan.of[p->waiting[i].host].pass = GS_PASS_NEVER;
    if (s == GS_OK) {
        p->waiting += n;
        p->n_waiting -= n;
    }
    return s;
}

/* The next hosts of up to `most` rows, evenly over the passes that this takes; one at least. */
static size_t next_hosts(const struct passes *p, uint64_t most)
{
    const uint64_t left = p->n_rows - p->n_kept, n_passes = left / gs_max(most, 1) + 1;
    uint64_t n_rows = 0;
    size_t n = 0;
    while (n < p->n_waiting && (n == 0 || n_rows + p->waiting[n].n_rows <= left / n_passes + 1))
        n_rows += p->waiting[n++].n_rows;
    return n;
}

/* As many rows as the room would hold, by what the last pass took of some; a tenth stays free for uneven ones. */
static uint64_t rows_that_fit(const struct passes *p, uint64_t n_rows)
{
    const double fit = 0.9 * (double)n_rows * (double)p->room / (double)(p->most > 0 ? p->most : 1);
    return fit < 1 ? 1 : (uint64_t)fit;
}

/* Is the limit met by what has come together, or by passes that become many because of it? */
static bool is_cramped(const struct passes *p, uint64_t most)
{
    return p->sum_is_full ||
           (p->room < p->held + LEAST_ROOM && (p->n_rows - p->n_kept) / gs_max(most, 1) > CRAWL);
}

/* Ends: a failed pass of several hosts is halved, and a failed pass of one host is an error. */
static enum gs_status later_passes(struct passes *p, uint64_t most, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    while (s == GS_OK && p->n_waiting > 0) {
        if (is_cramped(p, most)) {
            p->sum_is_full = true;
            return gs_fail_memory(err);
        }
        const size_t n = next_hosts(p, most);
        const uint64_t before = p->n_kept;
        s = next_pass(p, n, err);
        if (s == GS_OK) {
            most = rows_that_fit(p, p->n_kept - before);
        } else if (s == GS_ERR_MEMORY && n > 1 && !p->sum_is_full) {
            uint64_t n_rows = 0;
            for (size_t i = 0; i < n; i++)
                n_rows += p->waiting[i].n_rows;
            most = n_rows / 2;
            s = GS_OK;
        }
    }
    return s;
}

/* The first pass keeps no host: nearly as little as a pass can take. */
static enum gs_status look(struct passes *p, struct gs_err *err)
{
    p->n_threads = 1; /* each reads with names of its own */
    return first_pass(p, GS_SHARDS_MAX / p->part.n, err);
}

/* All passes under a limit: the first keeps a part that should fit, or where it does not none. */
static enum gs_status try_limit(struct passes *p, struct gs_err *err)
{
    p->room = gs_memory_room(p->max_memory);
    p->n_threads = gs_memory_threads(p->max_memory, p->question->context->n_threads);
    const uint64_t guess = bytes_of_inputs(p->question) / BYTES_PER_KEPT / p->part.n / p->room + 1;
    const uint32_t n = (uint32_t)gs_min(guess, GS_SHARDS_MAX / p->part.n);
    enum gs_status s = first_pass(p, n, err);
    if (s == GS_ERR_MEMORY)
        s = look(p, err);
    const uint64_t fit = p->room <= p->most ? 1 : p->n_rows / n / 4;
    return s == GS_OK ? later_passes(p, p->n_kept > 0 ? rows_that_fit(p, p->n_kept) : fit, err) : s;
}

/* From now on what is large lies in a file. */
static bool begin_file(const struct passes *p)
{
    return gs_memory_in_file(p->question->context->temp_dir, p->max_memory);
}

/*
 * What does not fit host by host: all that is left in one pass, from the start where the sum broke off. By one thread: while it
 * gives back what is too much, another would bring in as much again.
 */
static enum gs_status fold_in_file(struct passes *p, struct gs_err *err)
{
    if (!begin_file(p))
        return GS_ERR_MEMORY;
    p->n_threads = 1;
    const enum gs_status s =
        p->n_rows == 0 || p->sum_is_full ? first_pass(p, 1, err) : next_pass(p, p->n_waiting, err);
    return s == GS_ERR_MEMORY && gs_paged_memory_error() != 0 ? gs_memory_in_file_failed(err) : s;
}

/*
 * What the pass that was refused would have held, had it gone on. What has come together grows
 * with the rows in it; what a pass holds, beside what any takes, with the share that it has read.
 */
static uint64_t room_for_all(const struct passes *p)
{
    const uint64_t fixed = gs_min(p->most, LEAST_ROOM), more = p->most - fixed;
    if (p->sum_is_full)
        return p->most + (uint64_t)((double)p->held * (double)(p->n_rows + 1) /
                                    (double)gs_max(p->n_kept, p->n_rows / 16 + 1));
    return fixed + (uint64_t)((double)more / p->share);
}

/*
 * A limit that is too small is an error that names one to type: with a file that is known. Without one it is told by what was
 * read until then: nothing is read a second time to find it, and it is not found to hold.
 */
static enum gs_status refuse(const struct passes *p, struct gs_err *err)
{
    const char *const dir = p->question->context->temp_dir;
    const int fd = p->max_memory < GS_MEMORY_IN_FILE_FROM ? gs_memory_file(dir) : -1;
    if (fd < 0)
        return gs_memory_bound_refuse(gs_max(room_for_all(p), p->room + p->room / 4), err);
    (void)close(fd);
    return gs_memory_bound_refuse(0, err);
}

enum gs_status gs_fold_passes(struct gs_shard part, uint64_t max_memory, struct gs_state_sum *sum,
                              struct gs_memory_bound *bound, struct gs_frames *out,
                              struct gs_err *err)
{
    struct passes p = {
        .question = &sum->question, .part = part, .max_memory = max_memory, .sum = sum, .out = out};
    struct gs_arena own = {0};
    struct gs_frames unsaid = {.notes = {.arena = &own}}; /* each attempt would repeat them */
    *bound = (struct gs_memory_bound){.max = max_memory};
    enum gs_status s = open_rows_file(p.question, err);
    sum->file = rows_file(p.question);
    GS_THEN(s, try_limit(&p, err));
    if (p.n_rows > 0)
        p.out = &unsaid;
    if (s == GS_ERR_MEMORY && (p.limit_met || p.sum_is_full))
        s = fold_in_file(&p, err);
    if (s == GS_ERR_MEMORY && (p.limit_met || p.sum_is_full)) {
        s = refuse(&p, err);
    } else if (s == GS_OK && p.pass_plan.present > 0) {
        gs_note(&out->notes, GS_NOTE_INFO, "the files were read in %u passes for --max-memory",
                (unsigned)p.pass_plan.present + 1);
    }
    if (s == GS_OK && gs_paged_memory_is_on())
        gs_note(&out->notes, GS_NOTE_INFO,
                "a file in TMPDIR holds what does not fit in --max-memory");
    else if (s == GS_OK)
        (void)begin_file(&p); /* frames and pictures may be large as well */
    gs_arena_release(&own);
    gs_arena_release(&p.learned);
    return s;
}
