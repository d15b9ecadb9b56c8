/* task_event.c - which event is the task of a run that calls none TotalRender. */
#include <stdlib.h>
#include <string.h>

#include "view/counts.h"

/* What an event adds up to on the hosts of one thread. */
struct standing {
    gs_i128 time_ns;
    uint64_t n, n_inside; /* pairs; those inside a pair of another event */
};

struct looking {
    const struct gs_dataset *d;
    struct standing **event; /* [n_threads][n_events] */
};

/* By start, the longer first: what may enclose a pair comes before it. */
static int enclosing_first(const void *a, const void *b)
{
    const struct gs_pair *const x = a, *const y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->stop_ns < y->stop_ns) - (x->stop_ns > y->stop_ns);
}

/* The latest STOP so far of one event, and the latest of all others. */
struct reach {
    uint32_t event;
    int64_t stop_ns, other_ns; /* GS_MISSING, before all, where there is none */
};

static void extend(struct reach *r, const struct gs_pair *p)
{
    if (p->event == r->event) {
        r->stop_ns = p->stop_ns > r->stop_ns ? p->stop_ns : r->stop_ns;
    } else if (p->stop_ns > r->stop_ns) {
        r->other_ns = r->stop_ns;
        r->event = p->event;
        r->stop_ns = p->stop_ns;
    } else if (p->stop_ns > r->other_ns) {
        r->other_ns = p->stop_ns;
    }
}

static enum gs_status look_at_host(void *context, const struct gs_host_view *h, unsigned thread,
                                   struct gs_arena *scratch, struct gs_err *err)
{
    struct standing *const event = ((const struct looking *)context)->event[thread];
    struct gs_pair *const pair = gs_arena_take_raw(scratch, h->n_pairs, sizeof *pair);
    struct reach before = {GS_NONE, GS_MISSING, GS_MISSING};
    if (pair == NULL)
        return gs_fail_memory(err);
    if (h->n_pairs > 0) {
        memcpy(pair, h->pair, h->n_pairs * sizeof *pair);
        qsort(pair, h->n_pairs, sizeof *pair, enclosing_first);
    }
    for (uint32_t i = 0, end; i < h->n_pairs; i = end) {
        /* Pairs of the same instants do not lie inside one another. */
        for (end = i; end < h->n_pairs && enclosing_first(&pair[end], &pair[i]) == 0; end++) {
            struct standing *const e = &event[pair[end].event];
            e->time_ns += gs_pair_ns(&pair[end]);
            e->n++;
            e->n_inside += (before.event == pair[end].event ? before.other_ns : before.stop_ns) >= pair[end].stop_ns;
        }
        for (uint32_t k = i; k < end; k++)
            extend(&before, &pair[k]);
    }
    return GS_OK;
}

static uint32_t longest(const struct standing *event, uint32_t n, bool outermost)
{
    uint32_t best = GS_NONE;
    for (uint32_t e = 0; e < n; e++)
        if (event[e].n > 0 && (!outermost || 2 * event[e].n_inside <= event[e].n) &&
            (best == GS_NONE || event[e].time_ns > event[best].time_ns))
            best = e;
    return best;
}

static enum gs_status look(const struct gs_dataset *d, unsigned n_threads, struct gs_arena *own, uint32_t *found,
                           struct gs_err *err)
{
    struct looking l = {d, gs_arena_take(own, n_threads, sizeof *l.event)};
    for (unsigned t = 0; l.event != NULL && t < n_threads; t++)
        if ((l.event[t] = gs_arena_take(own, d->event.n, sizeof **l.event)) == NULL)
            l.event = NULL;
    if (l.event == NULL)
        return gs_fail_memory(err);
    const enum gs_status s = gs_hosts_visit(d, NULL, n_threads, GS_VIEW_PAIRS, look_at_host, &l, NULL, err);
    for (unsigned t = 1; s == GS_OK && t < n_threads; t++)
        for (uint32_t e = 0; e < d->event.n; e++) {
            l.event[0][e].time_ns += l.event[t][e].time_ns;
            l.event[0][e].n += l.event[t][e].n;
            l.event[0][e].n_inside += l.event[t][e].n_inside;
        }
    *found = longest(l.event[0], d->event.n, true);
    if (*found == GS_NONE)
        *found = longest(l.event[0], d->event.n, false);
    return s;
}

enum gs_status gs_task_event(const struct gs_dataset *d, const char *usual, unsigned n_threads, const char **event,
                             struct gs_notes *notes, struct gs_err *err)
{
    struct gs_arena own = {0};
    uint32_t found = GS_NONE;
    *event = usual;
    if (d->event.n == 0 || gs_intern_find(&d->event, gs_str(usual)) != GS_INTERN_NONE)
        return GS_OK;
    const enum gs_status s = look(d, n_threads, &own, &found, err);
    gs_arena_release(&own);
    if (s != GS_OK || found == GS_NONE)
        return s;
    char shown[96];
    const struct gs_str name = d->event.text[found];
    const char *const copy = gs_arena_copy(d->arena, name.ptr, name.len);
    if (copy == NULL)
        return gs_fail_memory(err);
    gs_note(notes, GS_NOTE_INFO,
            "no event is called %s: %s, which runs longest and in no other, is taken for the task "
            "(--event names another)",
            usual, gs_escape(shown, sizeof shown, name));
    *event = copy;
    return GS_OK;
}
