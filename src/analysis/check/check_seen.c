/* check_seen.c - tasks that checkpoints name against those that the table lists: by digests, for there are many. */
#include "analysis/check/check_parts.h"

#include "base/core/sha256.h"
#include "base/num/order.h"

/* What a host's rows hold: a task and the first row of the host that names it. */
enum { COL_HIGH, COL_LOW, COL_LINE, N_COLUMNS };

static const struct gs_column_spec columns[N_COLUMNS] = {
    [COL_HIGH] = {.name = "digest_high", .type = GS_TYPE_INT},
    [COL_LOW] = {.name = "digest_low", .type = GS_TYPE_INT},
    [COL_LINE] = {.name = "line", .type = GS_TYPE_INT},
};

enum gs_status gs_check_rows_new(struct gs_arena *arena, struct gs_frame **rows, struct gs_err *err)
{
    return gs_frame_new(arena, GS_HEAD("check-rows", "", columns, N_COLUMNS), 0, NULL, rows, err);
}

/* --- digests ------------------------------------------------------------------------------------------ */

static void add_text(struct gs_sha256 *sum, struct gs_str text)
{
    unsigned char length[8];
    for (unsigned i = 0; i < sizeof length; i++)
        length[i] = (unsigned char)((uint64_t)text.len >> 8 * i);
    gs_sha256_add(sum, length, sizeof length);
    gs_sha256_add(sum, text.ptr, text.len);
}

static int64_t word_of(const unsigned char *bytes)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 8; i++)
        v = v << 8 | bytes[i];
    return (int64_t)v;
}

static struct gs_check_sighting sighting_of(const struct gs_dataset *d, uint32_t task, uint32_t job,
                                            int64_t line)
{
    struct gs_sha256 sum;
    unsigned char bytes[GS_SHA256_BYTES];
    gs_sha256_begin(&sum);
    add_text(&sum, d->job.text[job]);
    add_text(&sum, d->task.text[task]);
    gs_sha256_end_bytes(&sum, bytes);
    return (struct gs_check_sighting){word_of(bytes), word_of(bytes + 8), line};
}

static bool same_task(const struct gs_check_sighting *a, const struct gs_check_sighting *b)
{
    return a->high == b->high && a->low == b->low;
}

GS_COMPARES(by_digest, struct gs_check_sighting, GS_BY(high) GS_BY(low) GS_BY(line));

static void sort(struct gs_check_sighting *s, size_t n)
{
    GS_SORT(s, n, by_digest);
}

/* --- the table ---------------------------------------------------------------------------------------- */

struct gs_check_sighting *gs_check_list_tasks(const struct gs_dataset *d,
                                              const struct gs_task_entry *task, size_t n,
                                              struct gs_arena *arena, size_t *n_tasks)
{
    struct gs_check_sighting *const all = gs_arena_take_raw(arena, n, sizeof *all);
    size_t n_all = 0;
    for (size_t i = 0; all != NULL && i < n; i++) {
        const int64_t line = gs_dataset_line(d, task[i].place);
        if (i > 0 && gs_task_entry_same_task(&task[i - 1], &task[i]))
            all[n_all - 1].line = gs_min(line, all[n_all - 1].line);
        else
            all[n_all++] = sighting_of(d, task[i].task, task[i].job, line);
    }
    *n_tasks = n_all;
    return all;
}

enum gs_status gs_check_store_tasks(struct gs_records *listed, struct gs_check_sighting *task,
                                    size_t n, struct gs_arena *arena, struct gs_err *err)
{
    GS_NEW_RAW(union gs_key, key, n * 2, arena, err);
    if (n > UINT32_MAX / 4)
        return gs_fail_memory(err);
    sort(task, n);
    GS_TRY(gs_records_plan(listed, key, (uint32_t)n, arena, err));
    for (size_t i = 0; i < n; i++) {
        key[2 * i].number = task[i].high;
        key[2 * i + 1].number = task[i].low;
        ((struct gs_check_listed *)gs_records_at(listed, i))->line =
            task[i].line == GS_MISSING ? GS_CHECK_NO_LINE : task[i].line;
    }
    return GS_OK;
}

/* --- checkpoints -------------------------------------------------------------------------------------- */

/* A task as one host's checkpoints show it. */
struct seen {
    uint32_t task, job;
    int64_t place; /* the least of its rows */
};

GS_COMPARES(by_task, struct seen, GS_BY(task) GS_BY(job) GS_BY(place));

static bool same_seen(const struct seen *a, const struct seen *b)
{
    return a->task == b->task && a->job == b->job;
}

/* The rows of a host, those that stand together and are of one task as one; *n of them. */
static struct seen *gather(const struct gs_dataset *d, uint32_t host, struct gs_arena *scratch,
                           size_t *n)
{
    const struct gs_table *const t = &d->table[GS_TABLE_CHECKPOINTS];
    const struct gs_segments of_host = gs_table_segments(t, host);
    struct seen *const seen = gs_arena_take_raw(scratch, gs_table_rows_of(t, host), sizeof *seen);
    size_t n_seen = 0;
    for (uint32_t k = 0; seen != NULL && k < of_host.n; k++)
        for (uint32_t i = 0; i < of_host.segment[k].n_rows; i++) {
            const struct gs_segment *const part = &of_host.segment[k];
            if (gs_segment_value(part, i, GS_CHECKPOINT_IS_COPY) == 1)
                continue; /* an event on several hosts is one */
            const struct seen s = {
                (uint32_t)gs_segment_value(part, i, GS_CHECKPOINT_TASK),
                (uint32_t)gs_segment_value(part, i, GS_CHECKPOINT_JOB),
                gs_segment_value_if(d->has_places, part, i, GS_CHECKPOINT_PLACE)};
            if (n_seen > 0 && same_seen(&seen[n_seen - 1], &s))
                seen[n_seen - 1].place = gs_min(s.place, seen[n_seen - 1].place);
            else if (d->task.text[s.task].len > 0)
                seen[n_seen++] = s;
        }
    GS_SORT(seen, n_seen, by_task);
    *n = n_seen;
    return seen;
}

/* The distinct tasks of a host; checkpoints that name none are no task's. */
enum gs_status gs_check_add_tasks(struct gs_state *state, const struct gs_fold_host *host,
                                  struct gs_err *err)
{
    const struct gs_dataset *const d = host->d;
    size_t n_seen = 0, n = 0;
    const struct seen *const seen = gather(d, host->view->host, host->scratch, &n_seen);
    GS_NEW_RAW(struct gs_check_sighting, s, n_seen, host->scratch, err);
    struct gs_column *const cells = gs_rows_append(state->plan, n_seen, host->scratch);
    GS_TRY(gs_had_memory(seen != NULL && cells != NULL, err));
    for (size_t i = 0; i < n_seen; i++)
        if (i == 0 || !same_seen(&seen[i - 1], &seen[i]))
            s[n++] = sighting_of(d, seen[i].task, seen[i].job, gs_dataset_line(d, seen[i].place));
    sort(s, n);
    for (size_t i = 0; i < n; i++) {
        cells[COL_HIGH].integer[i] = s[i].high;
        cells[COL_LOW].integer[i] = s[i].low;
        cells[COL_LINE].integer[i] = s[i].line;
    }
    return gs_host_rows_add(&state->rows, d->host.text[host->view->host], cells, n, host->arena,
                            err);
}

/* --- one against the other ---------------------------------------------------------------------------- */

enum { SLICE_BITS = 3 };

/* Those whose digests begin with some bits. */
struct slice {
    unsigned n_bits;
    uint64_t bits;
    struct gs_arena *arena;
    struct gs_check_sighting *seen; /* [n] */
    size_t n, capacity;
};

static bool is_in(const struct slice *s, int64_t high)
{
    return s->n_bits == 0 || (uint64_t)high >> (64 - s->n_bits) == s->bits;
}

static enum gs_status collect_some(void *context, const struct gs_frame *part, struct gs_err *err)
{
    struct slice *const s = context;
    const struct gs_column *const c = part->columns;
    for (size_t r = 0; r < part->n_rows; r++) {
        if (!is_in(s, c[COL_HIGH].integer[r]))
            continue;
        if (s->n == s->capacity) {
            const size_t room = s->n + s->n / 2 + 1024;
            struct gs_check_sighting *const grown =
                gs_arena_grow(s->arena, s->seen, s->n, room, sizeof *grown);
            GS_TRY(gs_had_memory(grown != NULL, err));
            s->seen = grown;
            s->capacity = room;
        }
        s->seen[s->n++] = (struct gs_check_sighting){c[COL_HIGH].integer[r], c[COL_LOW].integer[r],
                                                     c[COL_LINE].integer[r]};
    }
    return GS_OK;
}

/* Keeps the least two of what are in it and `value`. */
static void add_least(int64_t least[2], int64_t value)
{
    if (value == GS_MISSING)
        return;
    if (least[0] == GS_MISSING || value < least[0]) {
        least[1] = least[0];
        least[0] = value;
    } else if (least[1] == GS_MISSING || value < least[1]) {
        least[1] = value;
    }
}

/* What was seen of a task: [from, to) of the slice; its place in the table, NULL: it is not there. */
static void count_seen(struct gs_check_seen *found, const struct slice *s, size_t from, size_t to,
                       const struct gs_check_listed *listed)
{
    int64_t first[2] = {GS_MISSING, GS_MISSING};
    for (size_t i = from; i < to; i++)
        add_least(first, s->seen[i].line);
    if (to - from > 1)
        gs_tally_add(&found->several, 1, first[1]);
    if (listed == NULL)
        gs_tally_add(&found->unlisted, 1, first[0]);
}

static void count_idle(struct gs_check_seen *found, const struct gs_check_listed *listed)
{
    gs_tally_add(&found->idle, 1, listed->line == GS_CHECK_NO_LINE ? GS_MISSING : listed->line);
}

/* What is listed and in the slice stands side by side. */
static void compare(struct gs_check_seen *found, const struct slice *s,
                    const struct gs_records *listed)
{
    uint32_t k = 0, last;
    while (k < listed->n && !is_in(s, gs_records_key(listed, k, 2)->number))
        k++;
    for (last = k; last < listed->n && is_in(s, gs_records_key(listed, last, 2)->number);)
        last++;
    for (size_t i = 0, end; i < s->n || k < last; i = end) {
        const union gs_key *const key = gs_records_key(listed, k, 2);
        const struct gs_check_sighting of =
            k < last ? (struct gs_check_sighting){key[0].number, key[1].number, GS_MISSING}
                     : (struct gs_check_sighting){INT64_MAX, INT64_MAX, INT64_MAX};
        const bool both = k < last && i < s->n && same_task(&of, &s->seen[i]);
        end = i;
        if (k < last && !both && (i == s->n || by_digest(&of, &s->seen[i]) < 0)) {
            count_idle(found, gs_records_at(listed, k++));
            continue;
        }
        while (end < s->n && same_task(&s->seen[i], &s->seen[end]))
            end++;
        count_seen(found, s, i, end, both ? gs_records_at(listed, k) : NULL);
        k += both;
    }
}

/* All at once where the rows are in memory, else in eight parts, each from all rows. */
enum gs_status gs_check_seen_tasks(const struct gs_state *state, struct gs_check_seen *found,
                                   struct gs_err *err)
{
    struct gs_arena own = {0}, kept = {0};
    struct gs_frame *rows;
    const unsigned n_bits = state->rows.file == NULL ? 0 : SLICE_BITS;
    struct gs_check_seen all = {GS_TALLY_NONE, GS_TALLY_NONE, GS_TALLY_NONE};
    enum gs_status s = gs_check_rows_new(&own, &rows, err);
    GS_THEN(s, gs_host_rows_frame(&state->rows, rows, &own, err));
    for (uint64_t bits = 0; bits < UINT64_C(1) << n_bits && s == GS_OK; bits++) {
        struct slice slice = {.n_bits = n_bits, .bits = bits, .arena = &kept};
        s = gs_frame_parts(rows, collect_some, &slice, err);
        if (s == GS_OK) {
            sort(slice.seen, slice.n);
            compare(&all, &slice, &state->table[GS_CHECK_LISTED]);
        }
        gs_arena_release(&kept);
    }
    gs_arena_release(&own);
    if (s == GS_OK)
        *found = all;
    return s;
}
