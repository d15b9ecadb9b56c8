/* mapper_late.c - what other rows tell: times and GPUs by counting, readings of one instant, events in order of time. */
#include "input/import/mapper_parts.h"

#include <stdlib.h>
#include <string.h>

/*
 * Rows of one GPU lie `every` apart from the origin on. Each GPU has its own count: in a log
 * without times the GPUs' rows alternate.
 */
enum gs_status gs_mapper_next_tick(struct gs_mapper *m, struct gs_str host, struct gs_str gpu,
                                   int64_t *t_ns, struct gs_err *err)
{
    const uint32_t n = m->ticking.n, id = gs_mapper_number_gpu(m, &m->ticking, host, gpu);
    if (id == GS_INTERN_NONE)
        return gs_fail_memory(err);
    if (id == n) {
        int64_t *const grown = gs_arena_one_more(m->arena, m->next_ns, n, sizeof *grown);
        if (grown == NULL)
            return gs_fail_memory(err);
        m->next_ns = grown;
        m->next_ns[id] = m->clock.origin_ns;
    }
    *t_ns = m->next_ns[id] + m->clock.shift_ns;
    if (__builtin_add_overflow(m->next_ns[id], m->every_ns, &m->next_ns[id]))
        return gs_fail(err, GS_ERR_DATA, "%s: time.every: the clock runs beyond 2262",
                       m->records.name);
    return GS_OK;
}

/* Rows that are none have had their turn too. */
struct gs_str gs_mapper_turn(struct gs_mapper *m)
{
    const int n = snprintf(m->turn, sizeof m->turn, "%llu",
                           (unsigned long long)((m->file->n_rows - 1) % m->n_turns));
    return (struct gs_str){m->turn, (size_t)n};
}

static bool store_text(struct gs_arena *arena, struct gs_str *text)
{
    if (text->ptr == NULL)
        return true;
    const char *const copy = gs_arena_copy(arena, text->ptr, text->len);
    text->ptr = copy;
    return copy != NULL;
}

/* Names of a merged row by their numbers: there are as many rows as readings of a fleet. */
enum {
    NAME_HOST,
    NAME_GPU,
    NAME_JOB,
    N_KEY_NAMES,
    NAME_SERIAL = N_KEY_NAMES,
    NAME_INDEX,
    NAME_CARD,
    N_NAMES
};

/* One row for all records of one of these; no padding, for it is compared by its bytes. */
struct merged_key {
    int64_t t_ns;
    uint32_t name[N_KEY_NAMES];
    uint32_t zero;
};

/* A row of a long table, put together from records of one instant. */
struct merged_row {
    struct merged_key key;
    uint64_t line;
    uint32_t other[N_NAMES - N_KEY_NAMES];
};

/* Rows come in blocks, which stay where they are: a fleet's readings are too many to be copied as they grow. */
enum { BLOCK_BITS = 12, BLOCK = 1 << BLOCK_BITS };

static struct merged_row *row_at(const struct gs_mapper *m, uint32_t i)
{
    return &m->merged_row[i >> BLOCK_BITS][i & (BLOCK - 1)];
}

static int64_t *values_at(const struct gs_mapper *m, uint32_t i)
{
    return m->merged_value[i >> BLOCK_BITS] + (i & (BLOCK - 1)) * m->source->metrics.n;
}

/*
 * The table is at most half full, so the search ends. Hashed with the run's seed, so that a file
 * cannot be made to collide on purpose.
 */
static uint32_t *slot_of(const struct gs_mapper *m, const struct merged_key *key)
{
    uint64_t at = gs_hash((const char *)key, sizeof *key, m->options->seed);
    for (;; at++) {
        uint32_t *const slot = &m->merged_slot[at & (m->n_merged_slots - 1)];
        if (*slot == 0 || memcmp(&row_at(m, *slot - 1)->key, key, sizeof *key) == 0)
            return slot;
    }
}

/*
 * Room for one row more; false without memory. The slots hold row numbers plus one in 32 bits;
 * 2^30 rows is the limit that keeps their table's size within 32 bits as well.
 */
static bool make_row(struct gs_mapper *m)
{
    const uint32_t n = m->n_merged;
    if (n >= UINT32_C(1) << 30)
        return false;
    if (n % BLOCK == 0) {
        struct merged_row **const rows =
            gs_arena_one_more(m->arena, m->merged_row, n / BLOCK, sizeof *rows);
        int64_t **const values =
            gs_arena_one_more(m->arena, m->merged_value, n / BLOCK, sizeof *values);
        if (rows == NULL || values == NULL)
            return false;
        m->merged_row = rows;
        m->merged_value = values;
        rows[n / BLOCK] = gs_arena_take_raw(m->arena, BLOCK, sizeof **rows);
        values[n / BLOCK] =
            gs_arena_take_raw(m->arena, BLOCK * m->source->metrics.n, sizeof **values);
        if (rows[n / BLOCK] == NULL || values[n / BLOCK] == NULL)
            return false;
    }
    if (n < m->n_merged_slots / 2)
        return true;
    m->n_merged_slots = n == 0 ? 2 * BLOCK : m->n_merged_slots * 2;
    m->merged_slot = gs_arena_take(m->arena, m->n_merged_slots, sizeof *m->merged_slot);
    for (uint32_t i = 0; m->merged_slot != NULL && i < n; i++)
        *slot_of(m, &row_at(m, i)->key) = i + 1;
    return m->merged_slot != NULL;
}

/* The number of a name, most often that of the record before; false without memory. */
static bool number_name(struct gs_mapper *m, int which, struct gs_str text, uint32_t *number)
{
    uint32_t *const last = &m->last_name[which];
    if (text.ptr == NULL) {
        *number = GS_INTERN_NONE;
        return true;
    }
    if (*last >= m->merged_name.n || !gs_str_eq(m->merged_name.text[*last], text))
        *last = gs_intern_add(&m->merged_name, text);
    *number = *last;
    return *last != GS_INTERN_NONE;
}

/*
 * Records of one instant may lie anywhere in the file, so rows are given out at its end only. Of
 * several readings of one metric the first counts.
 */
enum gs_status gs_mapper_merge(struct gs_mapper *m, const struct gs_mapped_sample *row,
                               struct gs_err *err)
{
    const size_t n_metrics = m->source->metrics.n;
    const struct gs_str names[] = {row->host,   row->gpu,   row->job,
                                   row->serial, row->index, row->card};
    struct merged_key key = {.t_ns = row->t_ns};
    bool ok = true;
    for (int i = 0; i < N_KEY_NAMES; i++)
        ok = ok && number_name(m, i, names[i], &key.name[i]);
    if (!ok || !make_row(m))
        return gs_fail_memory(err);
    uint32_t *const slot = slot_of(m, &key);
    if (*slot == 0) {
        struct merged_row *const new_row = row_at(m, m->n_merged);
        int64_t *const values = values_at(m, m->n_merged);
        *new_row = (struct merged_row){.key = key, .line = row->line};
        for (int i = N_KEY_NAMES; i < N_NAMES; i++)
            if (!number_name(m, i, names[i], &new_row->other[i - N_KEY_NAMES]))
                return gs_fail_memory(err);
        for (size_t k = 0; k < n_metrics; k++)
            values[k] = GS_MISSING;
        *slot = ++m->n_merged;
    }
    int64_t *const values = values_at(m, *slot - 1);
    for (size_t k = 0; k < n_metrics; k++) /* of several at one instant the first */
        values[k] = values[k] == GS_MISSING ? row->value[k] : values[k];
    return GS_OK;
}

/* In the order in which the rows were first met, so results do not depend on the hash's seed. */
static enum gs_status give_merged(struct gs_mapper *m, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    for (uint32_t i = 0; s == GS_OK && i < m->n_merged; i++) {
        const struct merged_row *const r = row_at(m, i);
        struct gs_mapped_sample row = {
            .t_ns = r->key.t_ns, .line = r->line, .value = values_at(m, i)};
        struct gs_str *const name[N_NAMES] = {&row.host,   &row.gpu,   &row.job,
                                              &row.serial, &row.index, &row.card};
        for (int k = 0; k < N_NAMES; k++) {
            const uint32_t id = k < N_KEY_NAMES ? r->key.name[k] : r->other[k - N_KEY_NAMES];
            if (id != GS_INTERN_NONE)
                *name[k] = m->merged_name.text[id];
        }
        s = gs_mapper_give_sample(m, &row, err);
    }
    return s;
}

/* An event that waits. Texts live in the file's arena. */
struct kept_event {
    struct gs_mapped_event row;
    size_t number; /* in the file */
    uint64_t count;
    size_t partner;
};

static enum gs_status store_list(struct gs_mapper *m, const struct gs_str **list, size_t n,
                                 struct gs_err *err)
{
    struct gs_str *const copy = gs_arena_take(m->arena, n, sizeof *copy);
    if (copy == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        copy[i] = (*list)[i];
        if (!store_text(m->arena, &copy[i]))
            return gs_fail_memory(err);
    }
    *list = copy;
    return GS_OK;
}

/* Everything is copied: the texts of a record last until the next one only. */
enum gs_status gs_mapper_store_event(struct gs_mapper *m, const struct gs_mapped_event *row,
                                     struct gs_err *err)
{
    if ((m->n_kept & (m->n_kept - 1)) == 0) {
        struct kept_event *const grown = gs_arena_grow(
            m->arena, m->kept, m->n_kept, m->n_kept == 0 ? 1 : m->n_kept * 2, sizeof *grown);
        if (grown == NULL)
            return gs_fail_memory(err);
        m->kept = grown;
    }
    struct kept_event *const e = &m->kept[m->n_kept];
    *e = (struct kept_event){.row = *row, .number = m->n_kept};
    if (!store_text(m->arena, &e->row.event) || !store_text(m->arena, &e->row.job) ||
        !store_text(m->arena, &e->row.task))
        return gs_fail_memory(err);
    enum gs_status s = store_list(m, &e->row.host, row->n_hosts, err);
    if (s == GS_OK)
        s = store_list(m, &e->row.gpu, row->n_gpus, err);
    if (s == GS_OK)
        s = store_list(m, &e->row.attribute, m->source->attributes.n, err);
    int64_t *const own =
        s == GS_OK ? gs_arena_take(m->arena, m->source->metrics.n, sizeof *own) : NULL;
    if (s == GS_OK && own == NULL)
        return gs_fail_memory(err);
    if (own != NULL && m->source->metrics.n > 0)
        memcpy(own, row->own, m->source->metrics.n * sizeof *own);
    e->row.own = own;
    m->n_kept += s == GS_OK;
    return s;
}

static int compare_lists(const struct gs_str *a, size_t n_a, const struct gs_str *b, size_t n_b)
{
    for (size_t i = 0; i < n_a && i < n_b; i++) {
        const int c = gs_str_compare(a[i], b[i]);
        if (c != 0)
            return c;
    }
    return (n_a > n_b) - (n_a < n_b);
}

/* Whose events follow one another: one place's. */
static int by_place(const struct gs_mapped_event *a, const struct gs_mapped_event *b)
{
    int c = compare_lists(a->host, a->n_hosts, b->host, b->n_hosts);
    c = c != 0 ? c : compare_lists(a->gpu, a->n_gpus, b->gpu, b->n_gpus);
    return c != 0 ? c : gs_str_compare(a->job, b->job);
}

/*
 * At one instant a STOP comes before a START: the next event often starts in the same millisecond
 * in which the one before stops. The order in the file breaks the remaining ties.
 */
static int by_time(const struct kept_event *x, const struct kept_event *y)
{
    if (x->row.start_ns != y->row.start_ns)
        return x->row.start_ns < y->row.start_ns ? -1 : 1;
    if (x->row.is_stop != y->row.is_stop)
        return x->row.is_stop ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_place_and_time(const void *a, const void *b)
{
    const struct kept_event *const x = a, *const y = b;
    const int c = by_place(&x->row, &y->row);
    return c != 0 ? c : by_time(x, y);
}

static int by_event_and_time(const void *a, const void *b)
{
    const struct kept_event *const x = a, *const y = b;
    int c = by_place(&x->row, &y->row);
    c = c != 0 ? c : gs_str_compare(x->row.event, y->row.event);
    return c != 0 ? c : by_time(x, y);
}

/* Every instant begins an event that lasts to the next of its place. */
static enum gs_status give_points(struct gs_mapper *m, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    qsort(m->kept, m->n_kept, sizeof *m->kept, by_place_and_time);
    for (size_t i = 0; s == GS_OK && i < m->n_kept; i++) {
        struct gs_mapped_event row = m->kept[i].row;
        if (i + 1 == m->n_kept || by_place(&row, &m->kept[i + 1].row) != 0) {
            m->file->n_set_aside++; /* nothing says how long the last one lasts */
            continue;
        }
        row.stop_ns = m->kept[i + 1].row.start_ns;
        s = gs_mapper_give_event(m, &row, err);
    }
    return s;
}

/*
 * Instants that start and stop in turn; equal ones count once. An instant that is written twice
 * would otherwise turn all later starts into stops.
 */
static enum gs_status give_turns(struct gs_mapper *m, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    const struct kept_event *open = NULL;
    qsort(m->kept, m->n_kept, sizeof *m->kept, by_event_and_time);
    for (size_t i = 0; s == GS_OK && i < m->n_kept; i++) {
        const struct kept_event *const e = &m->kept[i];
        const bool same =
            i > 0 && by_place(&e[-1].row, &e->row) == 0 && gs_str_eq(e[-1].row.event, e->row.event);
        if (!same) {
            m->file->n_set_aside += open != NULL;
            open = NULL;
        }
        if (same && e[-1].row.start_ns == e->row.start_ns) {
            m->file->n_ignored++;
        } else if (open == NULL) {
            open = e;
        } else {
            struct gs_mapped_event row = open->row;
            row.stop_ns = e->row.start_ns;
            s = gs_mapper_give_event(m, &row, err);
            open = NULL;
        }
    }
    m->file->n_set_aside += open != NULL;
    return s;
}

/*
 * The k-th of its event in its place: a STOP has the number of the START that it closes. Starts
 * that are open form a stack (`partner`), so nested events of one name get their own numbers. A
 * STOP without a START has no number and stays without a task.
 */
static enum gs_status give_counted(struct gs_mapper *m, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    uint64_t count = 0;
    size_t open = SIZE_MAX;
    qsort(m->kept, m->n_kept, sizeof *m->kept, by_event_and_time);
    for (size_t i = 0; s == GS_OK && i < m->n_kept; i++) {
        struct kept_event *const e = &m->kept[i];
        if (i > 0 &&
            (by_place(&e[-1].row, &e->row) != 0 || !gs_str_eq(e[-1].row.event, e->row.event))) {
            count = 0;
            open = SIZE_MAX;
        }
        char text[24];
        if (!e->row.is_stop) {
            e->count = ++count;
            e->partner = open;
            open = e->row.is_mark ? i : open;
        } else if (open != SIZE_MAX) {
            e->count = m->kept[open].count;
            open = m->kept[open].partner;
        }
        struct gs_mapped_event row = e->row;
        (void)snprintf(text, sizeof text, "%llu", (unsigned long long)e->count);
        row.task = e->count > 0 ? gs_str(text) : (struct gs_str){NULL, 0};
        s = gs_mapper_give_event(m, &row, err);
    }
    return s;
}

enum gs_status gs_mapper_finish(struct gs_mapper *m, struct gs_err *err)
{
    const enum gs_status s = give_merged(m, err);
    if (s != GS_OK || m->n_kept == 0)
        return s;
    return m->source->phase.kind == GS_PHASE_POINTS  ? give_points(m, err)
           : m->source->phase.kind == GS_PHASE_TURNS ? give_turns(m, err)
                                                     : give_counted(m, err);
}
