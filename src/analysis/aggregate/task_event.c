/* task_event.c - see task_event.h. */
#include "analysis/aggregate/task_event.h"

#include <assert.h>
#include <string.h>

#include "base/num/decimal.h"
#include "analysis/timeline/counts.h"
#include "base/num/order.h"

/* What an event adds up to. */
struct standing {
    uint64_t n, n_inside; /* pairs; those inside a pair of another event */
    gs_i128 time_ns;
};

static const struct gs_field fields[] = {{GS_FIELD_COUNT, offsetof(struct standing, n)},
                                         {GS_FIELD_COUNT, offsetof(struct standing, n_inside)},
                                         {GS_FIELD_SUM, offsetof(struct standing, time_ns)}};
static const struct gs_records_spec standings_spec = {
    GS_RECORDS("standings", "t", struct standing, fields)};
static const struct gs_records_spec *const tables[] = {&standings_spec};

/* By start, the longer first: what may enclose a pair comes before it. */
GS_COMPARES(enclosing_first, struct gs_pair, GS_BY(start_ns) GS_DOWN(stop_ns));

/* The latest STOP so far of one event, and the latest of all others. */
struct reach {
    uint32_t event;
    int64_t stop_ns, other_ns; /* GS_MISSING, before all, where there is none */
};

/*
 * Two values are enough. For a pair of any event, the latest STOP of the other events is other_ns
 * where the leader is its own event, else stop_ns.
 */
static void extend(struct reach *r, const struct gs_pair *p)
{
    if (p->event == r->event) {
        r->stop_ns = gs_max(p->stop_ns, r->stop_ns);
    } else if (p->stop_ns > r->stop_ns) {
        r->other_ns = r->stop_ns;
        r->event = p->event;
        r->stop_ns = p->stop_ns;
    } else if (p->stop_ns > r->other_ns) {
        r->other_ns = p->stop_ns;
    }
}

/* Where a pair counts: jobs of a scheduler together, whatever each is called. */
static struct standing *standing_of(struct gs_state *state, const struct gs_fold_host *host,
                                    const struct gs_pair *pair)
{
    union gs_key name = {.text = host->d->event.text[pair->event]};
    if (gs_is_job(host->d, pair->attributes))
        name.text = gs_str(GS_ALL_JOBS);
    return gs_records_find(&state->table[0], &name, host->arena);
}

static enum gs_status add_host(const void *options, struct gs_state *state,
                               struct gs_fold_host *host, struct gs_err *err)
{
    const struct gs_host_view *const h = host->view;
    GS_NEW_RAW(struct gs_pair, pair, h->n_pairs, host->scratch, err);
    struct reach before = {GS_NONE, GS_MISSING, GS_MISSING};
    (void)options;
    if (h->n_pairs > 0) {
        memcpy(pair, h->pair, h->n_pairs * sizeof *pair);
        GS_SORT(pair, h->n_pairs, enclosing_first);
    }
    for (uint32_t i = 0, end; i < h->n_pairs; i = end) {
        /* Pairs of the same instants do not lie inside one another. */
        for (end = i; end < h->n_pairs && enclosing_first(&pair[end], &pair[i]) == 0; end++) {
            struct standing *const e = standing_of(state, host, &pair[end]);
            GS_TRY(gs_had_memory(e != NULL, err));
            e->time_ns += gs_pair_ns(&pair[end]);
            e->n++;
            e->n_inside += (before.event == pair[end].event ? before.other_ns : before.stop_ns) >=
                           pair[end].stop_ns;
        }
        for (uint32_t k = i; k < end; k++)
            extend(&before, &pair[k]);
    }
    return GS_OK;
}

const struct gs_fold gs_task_event_fold = {
    .name = "task event", .views = GS_VIEW_PAIRS, .table = tables, .n_tables = 1, .add = add_host};

enum gs_status gs_task_event_none(struct gs_state *state, struct gs_arena *arena,
                                  struct gs_err *err)
{
    *state = (struct gs_state){.n_tables = 1};
    return gs_records_init(&state->table[0], &standings_spec, NULL, 0, 0, arena, err);
}

/*
 * Is the first further up the list of those that may be the task: outermost ones, then the
 * longest-running? A task is an outermost event: one with more than half of its pairs inside
 * others is a phase of something else. Among equals the caller's order, by name, stays.
 */
static bool is_before(const struct standing *a, const struct standing *b)
{
    const bool a_outermost = 2 * a->n_inside <= a->n, b_outermost = 2 * b->n_inside <= b->n;
    if (a_outermost != b_outermost)
        return a_outermost;
    return a->time_ns > b->time_ns;
}

size_t gs_task_event_list(const struct gs_state *state, struct gs_str *event, size_t most)
{
    const struct gs_records *const r = &state->table[0];
    const struct standing *at[GS_TASK_EVENTS_MAX];
    size_t n = 0;
    assert(most <= GS_TASK_EVENTS_MAX);
    for (uint32_t e = 0; e < r->n; e++) {
        const struct standing *const one = gs_records_at(r, e);
        size_t k = n;
        if (one->n == 0)
            continue;
        /*
         * Insertion behind equal ones: events come in the order of their names, so a tie goes to
         * the first name.
         */
        while (k > 0 && is_before(one, at[k - 1]))
            k--;
        if (k >= most)
            continue;
        n += n < most;
        memmove(at + k + 1, at + k, (n - k - 1) * sizeof(struct standing *));
        memmove(event + k + 1, event + k, (n - k - 1) * sizeof *event);
        at[k] = one;
        event[k] = gs_records_key(r, e, 1)->text;
    }
    return n;
}

void gs_task_event_note(const char *event, struct gs_notes *notes)
{
    if (gs_is_all_jobs(event)) {
        gs_note(notes, GS_NOTE_INFO, "all jobs are counted; --event NAME takes those of one name");
        return;
    }
    gs_note(notes, GS_NOTE_INFO, "using %s (--event chooses another)", GS_SHOWN(gs_str(event), 96));
}

enum gs_status gs_task_event(const struct gs_dataset *d, const char *usual, unsigned n_threads,
                             const char **event, struct gs_notes *notes, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_fold_job job = {.fold = &gs_task_event_fold};
    struct gs_facts facts;
    struct gs_str found;
    *event = usual;
    if (d->event.n == 0 || gs_intern_find(&d->event, gs_str(usual)) != GS_INTERN_NONE)
        return GS_OK;
    struct gs_dataset all = *d; /* which event is the task does not depend on the range */
    all.range = NULL;
    GS_TRY(
        gs_folds_run(&(struct gs_fold_way){&all, &job, 1, &facts}, 1, NULL, n_threads, &own, err));
    if (gs_task_event_list(&job.state, &found, 1) > 0) {
        /* The name outlives this visit, whose arena is released below. */
        const char *const copy = gs_arena_copy(d->arena, found.ptr, found.len);
        GS_TRY(gs_had_memory(copy != NULL, err));
        gs_task_event_note(*event = copy, notes);
    }
    return GS_OK;
}
