/* mapper_late.c - rows that need other rows first: counted times, merged readings, events in order of time. */
#include "input/import/mapper_parts.h"

#include <string.h>

#include "base/num/order.h"

/*
 * Rows of one GPU lie `every` apart from the origin on. Each GPU has its own count: in a log
 * without times the GPUs' rows alternate.
 */
enum gs_status gs_mapper_next_tick(struct gs_mapper *m, struct gs_str host, struct gs_str gpu,
                                   int64_t *t_ns, struct gs_err *err)
{
    const uint32_t n = m->ticking.n, id = gs_mapper_number_gpu(m, &m->ticking, host, gpu);
    GS_TRY(gs_had_memory(id != GS_INTERN_NONE, err));
    if (id == n) {
        GS_TRY(gs_had_memory(GS_HAS_ROOM(m->arena, m->next_ns, n), err));
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

/* Names of a merged row by their numbers: there are as many rows as readings of a fleet. */
enum { NAME_HOST, NAME_GPU, NAME_JOB, N_KEY_NAMES };

/* A row of a long table, put together from records of one place and instant. */
struct merged_row {
    int64_t t_ns;
    uint64_t line;
    uint32_t place, other[N_MERGED_NAMES - N_KEY_NAMES];
};

struct late_row {
    int64_t t_ns;
    uint32_t row;
};

/*
 * A host, GPU and job. Most files have the instants of each in order, once or for one metric after
 * the other, so rows are found by their time; one that is out of order waits among the late ones.
 */
struct merged_place {
    uint32_t name[N_KEY_NAMES];
    uint32_t *row;                     /* numbers of rows by time, each time once */
    struct late_row *late;             /* as they came */
    uint32_t n_rows, n_late, at, last; /* at: in `row`, met before; last: number of that row */
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

/* A row more of a place; false without memory. */
static bool make_row(struct gs_mapper *m, struct merged_place *p,
                     const struct gs_mapped_sample *row)
{
    const size_t n_metrics = m->source->metrics.n;
    const uint32_t n = m->n_merged;
    if (n == UINT32_MAX)
        return false;
    if (n % BLOCK == 0) {
        if (!GS_HAS_ROOM(m->arena, m->merged_row, n / BLOCK) ||
            !GS_HAS_ROOM(m->arena, m->merged_value, n / BLOCK))
            return false;
        struct merged_row **const rows = &m->merged_row[n / BLOCK];
        int64_t **const values = &m->merged_value[n / BLOCK];
        *rows = gs_arena_take_raw(m->arena, BLOCK, sizeof **rows);
        *values = gs_arena_take_raw(m->arena, BLOCK * n_metrics, sizeof **values);
        if (*rows == NULL || *values == NULL)
            return false;
    }
    struct merged_row *const made = row_at(m, n);
    *made = (struct merged_row){
        .t_ns = row->t_ns, .line = row->line, .place = (uint32_t)(p - m->merged_place)};
    memcpy(made->other, m->merged_number + N_KEY_NAMES, sizeof made->other);
    for (size_t k = 0; k < n_metrics; k++)
        values_at(m, n)[k] = GS_MISSING;
    p->last = m->n_merged++;
    return true;
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

/* The place of the record's names; NULL without memory. */
static struct merged_place *place_of(struct gs_mapper *m, const struct gs_mapped_sample *row)
{
    if (m->merged_known) /* names of the record before */
        return &m->merged_place[m->merged_last];
    const struct gs_str names[N_KEY_NAMES] = {row->host, row->gpu, row->job};
    for (int i = 0; i < N_MERGED_NAMES; i++)
        if (!number_name(m, i, i < N_KEY_NAMES ? names[i] : row->other[i - N_KEY_NAMES],
                         &m->merged_number[i]))
            return NULL;
    const uint32_t n = m->merged_key.n;
    const uint32_t id =
        gs_intern_add(&m->merged_key, (struct gs_str){(const char *)m->merged_number,
                                                      N_KEY_NAMES * sizeof *m->merged_number});
    if (id == GS_INTERN_NONE || (id == n && !GS_HAS_ROOM(m->arena, m->merged_place, n)))
        return NULL;
    struct merged_place *const place = &m->merged_place[id];
    if (id == n) {
        *place = (struct merged_place){.last = UINT32_MAX};
        memcpy(place->name, m->merged_number, sizeof place->name);
    }
    m->merged_known = true;
    m->merged_last = id;
    return place;
}

/* Is there a row of this time among those in order? */
static bool find_row(const struct gs_mapper *m, struct merged_place *p, int64_t t_ns)
{
    const uint32_t n = p->n_rows;
    size_t low = 0;
    if (n == 0 || t_ns > row_at(m, p->row[n - 1])->t_ns)
        return false;
    if (p->at + 1 < n && row_at(m, p->row[p->at + 1])->t_ns == t_ns)
        low = p->at + 1;
    else
        GS_BISECT(low, n, at, row_at(m, p->row[at])->t_ns < t_ns);
    if (low == n || row_at(m, p->row[low])->t_ns != t_ns)
        return false;
    p->at = (uint32_t)low;
    p->last = p->row[low];
    return true;
}

/* The last row made, among those in order or the late ones; false without memory. */
static bool list_row(struct gs_mapper *m, struct merged_place *p, int64_t t_ns)
{
    if (p->n_rows == 0 || t_ns > row_at(m, p->row[p->n_rows - 1])->t_ns) {
        if (!GS_HAS_ROOM(m->arena, p->row, p->n_rows))
            return false;
        p->row[p->n_rows++] = p->last;
    } else {
        if (!GS_HAS_ROOM(m->arena, p->late, p->n_late))
            return false;
        p->late[p->n_late++] = (struct late_row){t_ns, p->last};
    }
    return true;
}

/* Of several readings of one metric the first counts; powers and energies that differ are counted. */
static void take_values(struct gs_mapper *m, uint32_t row, const int64_t *value, uint64_t line)
{
    int64_t *const values = values_at(m, row);
    for (size_t k = 0; k < m->source->metrics.n; k++) {
        if (values[k] == GS_MISSING) {
            values[k] = value[k];
            continue;
        }
        const bool other = value[k] != GS_MISSING && value[k] != values[k] &&
                           gs_is_measure(gs_metric_find(m->source->metrics.item[k].name));
        if (other && m->n_others == 0)
            m->others_line = line;
        m->n_others += other;
    }
}

/* Readings of several series that became one's would be lost: a GPU has one power at a time. */
static enum gs_status refuse_others(const struct gs_mapper *m, struct gs_err *err)
{
    enum { FEW = 2, SHARE = 10 }; /* a clock may be a little too coarse */
    if (m->n_others <= FEW + m->n_merged / SHARE || m->source->gpu.kind == GS_VALUE_TEXT)
        return GS_OK;
    return gs_fail_at(err, m->records.name, m->others_line,
                      "a second power of one GPU at one time, with another value (%llu such rows): "
                      "no label that is read tells them apart; --set samples.gpu=LABEL names one, "
                      "--set samples.where.LABEL=VALUE keeps some, --set samples.gpu.text=0 says "
                      "that there is one GPU",
                      (unsigned long long)m->n_others);
}

/* Records of one instant may lie anywhere in the file, so rows are given out at its end only. */
enum gs_status gs_mapper_merge(struct gs_mapper *m, const struct gs_mapped_sample *row,
                               struct gs_err *err)
{
    struct merged_place *const p = place_of(m, row);
    bool ok = p != NULL;
    if (ok && (p->last == UINT32_MAX || row_at(m, p->last)->t_ns != row->t_ns) &&
        !find_row(m, p, row->t_ns))
        ok = make_row(m, p, row) && list_row(m, p, row->t_ns);
    GS_TRY(gs_had_memory(ok, err));
    take_values(m, p->last, row->value, row->line);
    return GS_OK;
}

GS_COMPARES(by_time_and_number, struct late_row, GS_BY(t_ns) GS_BY(row));

/* Late rows of one instant become one. None has the time of a row in order: it would have been found. */
static void join_late(struct gs_mapper *m, struct merged_place *p)
{
    GS_SORT(p->late, p->n_late, by_time_and_number);
    for (uint32_t i = 1, first = 0; i < p->n_late; i++) {
        if (p->late[i].t_ns != p->late[first].t_ns) {
            first = i;
            continue;
        }
        take_values(m, p->late[first].row, values_at(m, p->late[i].row),
                    row_at(m, p->late[i].row)->line);
        row_at(m, p->late[i].row)->place = GS_INTERN_NONE;
    }
}

static struct gs_str merged_name(const struct gs_mapper *m, uint32_t number)
{
    if (number == GS_INTERN_NONE)
        return GS_NO_STR;
    return m->merged_name.text[number];
}

/* In the order in which the rows were first met, so results do not depend on the hash's seed. */
static enum gs_status give_merged(struct gs_mapper *m, struct gs_err *err)
{
    for (uint32_t i = 0; i < m->merged_key.n; i++)
        join_late(m, &m->merged_place[i]);
    GS_TRY(refuse_others(m, err));
    const struct merged_row *before = NULL;
    struct gs_mapped_sample row = {0};
    for (uint32_t i = 0; i < m->n_merged; i++) {
        const struct merged_row *const r = row_at(m, i);
        if (r->place == GS_INTERN_NONE)
            continue;
        row.same_names = before != NULL && before->place == r->place &&
                         memcmp(before->other, r->other, sizeof r->other) == 0;
        if (!row.same_names) {
            const uint32_t *const name = m->merged_place[r->place].name;
            row.host = merged_name(m, name[NAME_HOST]);
            row.gpu = merged_name(m, name[NAME_GPU]);
            row.job = merged_name(m, name[NAME_JOB]);
            for (int k = 0; k < GS_OTHER_NAMES; k++)
                row.other[k] = merged_name(m, r->other[k]);
        }
        row.t_ns = r->t_ns;
        row.line = r->line;
        row.value = values_at(m, i);
        GS_TRY(gs_mapper_give_sample(m, &row, err));
        before = r;
    }
    return GS_OK;
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
    GS_NEW(struct gs_str, copy, n, m->arena, err);
    for (size_t i = 0; i < n; i++)
        GS_TRY(gs_had_memory(gs_str_copy(m->arena, (*list)[i], &copy[i]), err));
    *list = copy;
    return GS_OK;
}

/* Everything is copied: the texts of a record last until the next one only. */
enum gs_status gs_mapper_store_event(struct gs_mapper *m, const struct gs_mapped_event *row,
                                     struct gs_err *err)
{
    GS_TRY(gs_had_memory(GS_HAS_ROOM(m->arena, m->kept, m->n_kept), err));
    struct kept_event *const e = &m->kept[m->n_kept];
    *e = (struct kept_event){.row = *row, .number = m->n_kept};
    GS_TRY(gs_had_memory(gs_str_copy(m->arena, row->event, &e->row.event) &&
                             gs_str_copy(m->arena, row->job, &e->row.job) &&
                             gs_str_copy(m->arena, row->task, &e->row.task),
                         err));
    GS_TRY(store_list(m, &e->row.host, row->n_hosts, err));
    GS_TRY(store_list(m, &e->row.gpu, row->n_gpus, err));
    GS_TRY(store_list(m, &e->row.attribute, m->source->attributes.n, err));
    GS_NEW(int64_t, own, m->source->metrics.n, m->arena, err);
    if (m->source->metrics.n > 0)
        memcpy(own, row->own, m->source->metrics.n * sizeof *own);
    e->row.own = own;
    m->n_kept++;
    return GS_OK;
}

static int compare_lists(const struct gs_str *a, size_t n_a, const struct gs_str *b, size_t n_b)
{
    for (size_t i = 0; i < n_a && i < n_b; i++)
        GS_DIFFER(gs_str_compare(a[i], b[i]));
    return gs_cmp(n_a, n_b);
}

/* Whose events follow one another: one place's. */
static int by_place(const struct gs_mapped_event *a, const struct gs_mapped_event *b)
{
    GS_DIFFER(compare_lists(a->host, a->n_hosts, b->host, b->n_hosts));
    GS_DIFFER(compare_lists(a->gpu, a->n_gpus, b->gpu, b->n_gpus));
    return gs_str_compare(a->job, b->job);
}

/*
 * At one instant a STOP comes before a START: the next event often starts in the same millisecond
 * in which the one before stops. The order in the file breaks the remaining ties.
 */
static int by_time(const struct kept_event *x, const struct kept_event *y)
{
    GS_DIFFER(gs_cmp(x->row.start_ns, y->row.start_ns));
    GS_DIFFER(gs_cmp(y->row.is_stop, x->row.is_stop));
    return gs_cmp(x->number, y->number);
}

GS_COMPARES(by_place_and_time, struct kept_event, GS_DIFFER(by_place(&x->row, &y->row));
            GS_DIFFER(by_time(x, y)););
GS_COMPARES(by_event_and_time, struct kept_event, GS_DIFFER(by_place(&x->row, &y->row));
            GS_BY_TEXT(row.event) GS_DIFFER(by_time(x, y)););

/* Has a step a number below that of the row before? Then the run was restarted, and nothing says when it began. */
static bool is_restart(const struct kept_event *before, const struct kept_event *step)
{
    uint64_t a, b;
    return gs_count_parse(before->row.task, UINT64_MAX, &a) == GS_NUMBER_OK &&
           gs_count_parse(step->row.task, UINT64_MAX, &b) == GS_NUMBER_OK && b < a;
}

/*
 * Is a row none of a list of steps, which have one name? One without a step, and one of the step before, as loggers write what an
 * evaluation found: it ends what ran since that step.
 */
static bool is_between(const struct gs_mapper *m, const struct kept_event *before,
                       const struct kept_event *e)
{
    return m->source->phase.kind == GS_PHASE_ENDS && m->source->event.kind == GS_VALUE_TEXT &&
           m->source->task.kind == GS_VALUE_COLUMN &&
           (e->row.task.ptr == NULL || (before != NULL && before->row.task.ptr != NULL &&
                                        gs_str_eq(before->row.task, e->row.task)));
}

GS_COMPARES(by_length, int64_t, GS_DIFFER(gs_cmp(*x, *y)););

/* How long most steps last that begin where the one before ended, with no other row between; GS_MISSING: there is none. */
static enum gs_status find_usual(struct gs_mapper *m, int64_t *usual_ns, struct gs_err *err)
{
    GS_NEW(int64_t, length, m->n_kept, m->arena, err);
    size_t n = 0;
    *usual_ns = GS_MISSING;
    for (size_t i = 1; i < m->n_kept; i++) {
        const struct kept_event *const e = &m->kept[i];
        if (by_place(&e[-1].row, &e->row) == 0 && !is_between(m, NULL, e - 1) &&
            !is_between(m, e - 1, e) && !is_restart(e - 1, e) &&
            !__builtin_sub_overflow(e->row.start_ns, e[-1].row.start_ns, &length[n]))
            n++;
    }
    GS_SORT(length, n, by_length);
    if (n > 0)
        *usual_ns = length[n / 2];
    return GS_OK;
}

/*
 * When a step began of which the one before ended at from_ns, and the last of other rows between them is of other_ns: there, if
 * what is left is more like other steps than the whole is. GS_MISSING: as neither is.
 */
static int64_t begin_of(int64_t from_ns, int64_t other_ns, int64_t to_ns, int64_t usual_ns)
{
    if (other_ns == GS_MISSING)
        return from_ns;
    if (usual_ns == GS_MISSING)
        return other_ns;
    const gs_i128 whole = (gs_i128)to_ns - from_ns, left = (gs_i128)to_ns - other_ns,
                  off_whole = gs_max(whole - usual_ns, usual_ns - whole),
                  off_left = gs_max(left - usual_ns, usual_ns - left);
    if (2 * gs_min(off_whole, off_left) > usual_ns && whole > usual_ns)
        return GS_MISSING;
    return off_left < off_whole ? other_ns : from_ns;
}

/* Does the first step last from the start that its clock counts from, as long as others? A GPU may have been idle before it. */
static bool begins_clock(const struct gs_mapper *m, const struct kept_event *e, int64_t usual_ns)
{
    const gs_i128 since = (gs_i128)e->row.start_ns - m->clock.origin_ns;
    return m->source->own_clock && m->clock.origin_ns != GS_MISSING && usual_ns != GS_MISSING &&
           2 * since >= usual_ns && 2 * since <= 3 * (gs_i128)usual_ns;
}

/*
 * The stretches between instants of a place are events, each of the instant that it begins with (POINTS) or ends with. What
 * nothing says the length of is set aside: the last, the first, the first of a restart, one that an evaluation is part of.
 */
static enum gs_status give_points(struct gs_mapper *m, struct gs_err *err)
{
    const bool ends = m->source->phase.kind == GS_PHASE_ENDS;
    const struct kept_event *before = NULL;
    int64_t usual_ns, other_ns = GS_MISSING;
    GS_SORT(m->kept, m->n_kept, by_place_and_time);
    GS_TRY(find_usual(m, &usual_ns, err));
    for (size_t i = 0; i < m->n_kept; i++) {
        const struct kept_event *const e = &m->kept[i];
        if (before != NULL && by_place(&before->row, &e->row) != 0)
            before = NULL;
        if (is_between(m, before, e)) {
            other_ns = e->row.start_ns;
            m->file->n_ignored++;
            continue;
        }
        struct gs_mapped_event row = ends || before == NULL ? e->row : before->row;
        row.start_ns = GS_MISSING;
        if (before != NULL && !(ends && is_restart(before, e)))
            row.start_ns = begin_of(before->row.start_ns, other_ns, e->row.start_ns, usual_ns);
        else if (ends && before == NULL && begins_clock(m, e, usual_ns))
            row.start_ns = m->clock.origin_ns;
        row.stop_ns = e->row.start_ns;
        m->file->n_unbounded += row.start_ns == GS_MISSING;
        m->file->n_set_aside += row.start_ns == GS_MISSING;
        if (row.start_ns != GS_MISSING)
            GS_TRY(gs_mapper_give_event(m, &row, err));
        before = e;
        other_ns = GS_MISSING;
    }
    return GS_OK;
}

/*
 * Instants that start and stop in turn; equal ones count once. An instant that is written twice
 * would otherwise turn all later starts into stops.
 */
static enum gs_status give_turns(struct gs_mapper *m, struct gs_err *err)
{
    const struct kept_event *open = NULL;
    GS_SORT(m->kept, m->n_kept, by_event_and_time);
    for (size_t i = 0; i < m->n_kept; i++) {
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
            GS_TRY(gs_mapper_give_event(m, &row, err));
            open = NULL;
        }
    }
    m->file->n_set_aside += open != NULL;
    return GS_OK;
}

/*
 * The k-th of its event in its place: a STOP has the number of the START that it closes. Starts
 * that are open form a stack (`partner`), so nested events of one name get their own numbers. A
 * STOP without a START has no number and stays without a task.
 */
static enum gs_status give_counted(struct gs_mapper *m, struct gs_err *err)
{
    uint64_t count = 0;
    size_t open = SIZE_MAX;
    GS_SORT(m->kept, m->n_kept, by_event_and_time);
    for (size_t i = 0; i < m->n_kept; i++) {
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
            if (e->row.is_mark)
                open = i;
        } else if (open != SIZE_MAX) {
            e->count = m->kept[open].count;
            open = m->kept[open].partner;
        }
        struct gs_mapped_event row = e->row;
        (void)snprintf(text, sizeof text, "%llu", (unsigned long long)e->count);
        if (e->count > 0)
            row.task = gs_str(text);
        GS_TRY(gs_mapper_give_event(m, &row, err));
    }
    return GS_OK;
}

/* Jobs that have no end yet ran at least until the last time of the list. */
static enum gs_status give_running(struct gs_mapper *m, struct gs_err *err)
{
    int64_t last_ns = m->file->to_ns;
    for (size_t i = 0; i < m->n_kept; i++)
        last_ns = gs_max(m->kept[i].row.start_ns, last_ns);
    m->file->n_running += m->n_kept;
    for (size_t i = 0; i < m->n_kept; i++) {
        struct gs_mapped_event row = m->kept[i].row;
        row.stop_ns = last_ns;
        row.runs = true;
        GS_TRY(gs_mapper_give_event(m, &row, err));
    }
    return GS_OK;
}

enum gs_status gs_mapper_finish(struct gs_mapper *m, struct gs_err *err)
{
    const enum gs_status s = give_merged(m, err);
    if (s != GS_OK || m->n_kept == 0)
        return s;
    switch (m->source->phase.kind) {
    case GS_PHASE_POINTS:
    case GS_PHASE_ENDS:
        return give_points(m, err);
    case GS_PHASE_TURNS:
        return give_turns(m, err);
    default:
        return m->source->task.kind == GS_VALUE_COUNT ? give_counted(m, err) : give_running(m, err);
    }
}
