/* kind.c - see kind.h. */
#include "analysis/run_kind/kind.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/timeline/counts.h"
#include "base/num/dd.h"
#include "base/num/decimal.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "data/result/number_text.h"
#include "stats/descriptive/quantile.h"

#define FAR 0.05 /* of a median: a length that differs by so much is named */

/* The limits of the rule; each is a plateau, not a peak: half or twice of it gives the same kinds on real runs. */
enum {
    TRACE_MEDIAN_NS = 10 * GS_NS_PER_MS,
    TRACE_NAMES = 5,
    TRACE_EVENTS = 100,
    REPEATS = 3,
    STEPS = 10,
    /* of steps: a fifth of what all events last; less is one configuration of a benchmark */
    SHARE = 5,
    WORKERS_COMPARED = 50,
    UNITS_COMPARED = 300,
    MANY = 20, /* enough to say what one in 20 is */
    NEAR = 10, /* together: within a tenth of a unit */
    REST_S = 600,
};

const char *const gs_kind_words[] = {"log",  "steps", "phases", "farm",
                                     "jobs", "trace", "mixed",  NULL};

static const struct gs_kind_found nothing_repeats = {
    .kind = GS_KIND_LOG, .noun = "step", .drift_pct = (double)NAN, .whole_s = (double)NAN};

/* "a training run": what a person calls a run of this kind. */
static const char *kind_title(enum gs_kind kind)
{
    static const char *const titles[GS_N_KINDS] = {[GS_KIND_LOG] = "a GPU log",
                                                   [GS_KIND_STEPS] = "a training run",
                                                   [GS_KIND_PHASES] = "a run in phases",
                                                   [GS_KIND_FARM] = "a farm of tasks",
                                                   [GS_KIND_JOBS] = "jobs of a scheduler",
                                                   [GS_KIND_TRACE] = "a profiler's trace",
                                                   [GS_KIND_MIXED] = "jobs with events inside"};
    return titles[kind];
}

static bool holds_one_of(struct gs_str text, const char *const *word, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0, len = strlen(word[k]); i + len <= text.len; i++)
            if (gs_str_eq_nocase(gs_str_part(text, i, i + len), gs_str(word[k])))
                return true;
    return false;
}

/*
 * What answers requests in turn, or where one worker does tasks, runs as evenly as training does.
 */
static const char *noun_of(struct gs_str event, size_t n_workers)
{
    static const char *const requests[] = {"request", "infer",  "query",
                                           "predict", "prompt", "generate"};
    static const char *const steps[] = {"step", "epoch", "iter", "batch", "round", "train"};
    if (holds_one_of(event, requests, sizeof requests / sizeof *requests))
        return "request";
    if (holds_one_of(event, &(const char *const){"epoch"}, 1))
        return "epoch";
    return n_workers > 1 || holds_one_of(event, steps, sizeof steps / sizeof *steps) ? "step"
                                                                                     : "task";
}

void gs_kind_put(struct gs_buf *b, const struct gs_kind_found *found)
{
    const char *title = kind_title(found->kind);
    if (strcmp(found->noun, "request") == 0 &&
        (found->kind == GS_KIND_STEPS || found->kind == GS_KIND_PHASES))
        title = "an inference run";
    else if (found->kind == GS_KIND_STEPS && strcmp(found->noun, "task") == 0)
        title = "tasks in turn";
    gs_buf_format(b, "Read as %s: %s.", title, found->why);
}

struct span {
    int64_t start_ns, stop_ns;
    uint32_t event, task, attributes;
    uint64_t worker; /* host and, where it names one, GPU */
};

struct spans {
    const struct gs_dataset *d;
    struct span *span; /* [n] of all hosts, in the order in which threads come to them */
    atomic_size_t n;
    uint32_t event; /* what repeats, where it was given; else GS_NONE */
};

static enum gs_status add_host(void *context, const struct gs_host_view *h, unsigned thread,
                               struct gs_arena *scratch, struct gs_err *err)
{
    struct spans *const s = context;
    uint32_t n = 0;
    (void)thread;
    (void)scratch;
    (void)err;
    for (uint32_t i = 0; i < h->n_pairs; i++)
        n += !h->pair[i].is_copy;
    struct span *to = s->span + atomic_fetch_add(&s->n, n);
    for (uint32_t i = 0; i < h->n_pairs; i++) {
        const struct gs_pair *const p = &h->pair[i];
        if (!p->is_copy)
            *to++ = (struct span){.start_ns = p->start_ns,
                                  .stop_ns = p->stop_ns,
                                  .event = p->event,
                                  .task = p->task,
                                  .attributes = p->attributes,
                                  .worker = (uint64_t)h->host << 32 | p->gpu};
    }
    return GS_OK;
}

/* By worker, then start: the order in which threads found them is gone. */
GS_COMPARES(by_worker, struct span, GS_BY(worker) GS_BY(start_ns) GS_BY(stop_ns));

GS_COMPARES(by_task, struct span, GS_BY(task));

/* That of `of` lengths in 100 how far they lie from `around`. */
static double quantile_length(const struct span *s, size_t n, int64_t around, unsigned of,
                              struct gs_arena *arena)
{
    const struct gs_prob prob[] = {{of, 100}};
    int64_t *const v = gs_arena_take(arena, n, sizeof *v);
    double length = (double)NAN;
    for (size_t i = 0; v != NULL && i < n; i++)
        v[i] = llabs(s[i].stop_ns - s[i].start_ns - around);
    if (v != NULL)
        (void)gs_quantiles(v, n, prob, 1, 1, &length, NULL);
    return length;
}

static double median_length(const struct span *s, size_t n, int64_t around, struct gs_arena *arena)
{
    return quantile_length(s, n, around, 50, arena);
}

static bool counts_steps(struct gs_str name)
{
    static const char *const words[] = {"step", "iter", "batch"};
    return holds_one_of(name, words, sizeof words / sizeof *words);
}

/* "10 steps": of how many is an event of that name? 1: of one. */
static uint64_t steps_in(struct gs_str event)
{
    const size_t digits = gs_str_skip(event, 0, GS_ALL_DIGITS);
    uint64_t n;
    if (digits + 1 >= event.len || event.ptr[digits] != ' ' || !counts_steps(event) ||
        gs_count_parse(gs_str_part(event, 0, digits), UINT32_MAX, &n) != GS_NUMBER_OK)
        return 1;
    return gs_max(n, 1);
}

/* What repeats, and how. */
struct unit {
    uint32_t event;
    struct span *span; /* [n] by worker and start */
    size_t n, n_workers, n_tasks, n_overlaps;
    size_t *first; /* [n_workers + 1] */
    double median_ns, spread, together;
    double far;       /* one in twenty, of fewer one, differs from the median by so much of it */
    bool is_small;    /* of what all events last */
    size_t n_rests;   /* how often it begins anew after ten minutes and longer than it ran */
    size_t n_copies;  /* a step of several ranks: each wrote a row of it                   */
    uint64_t of;      /* as many at most are one event, "10 steps"                         */
    uint64_t n_steps; /* in all of these                                                  */
    double clock_s;   /* 1: lengths vary by a clock of whole seconds, 0: it is finer       */
};

/* What the spans of one name add up to. */
struct name_sum {
    size_t n, n_workers;
    uint64_t last_worker;
    gs_i128 ns;
    size_t n_inside; /* of the longest */
};

/* Is it done again and again? A span around everything is there once for each worker. */
static bool repeats(const struct name_sum *of)
{
    return of->n >= REPEATS * of->n_workers;
}

/* An epoch is made of steps: where most of its time is theirs, they are what repeats. */
static uint32_t steps_within(const struct spans *s, const struct span *all, size_t n,
                             struct name_sum *of, uint32_t outer)
{
    const struct span *around = NULL;
    uint32_t best = outer;
    if (counts_steps(s->d->event.text[outer]))
        return outer;
    for (size_t i = 0; i < n; i++) {
        if (around == NULL || around->worker != all[i].worker || all[i].event == outer)
            around = all[i].event == outer ? &all[i] : NULL;
        else
            of[all[i].event].n_inside += all[i].stop_ns <= around->stop_ns;
    }
    for (uint32_t e = 0; e < s->d->event.n; e++)
        if (of[e].n >= REPEATS * of[outer].n && 2 * of[e].n_inside >= of[e].n &&
            2 * of[e].ns >= of[outer].ns && counts_steps(s->d->event.text[e]) &&
            (best == outer || of[e].ns > of[best].ns))
            best = e;
    return best;
}

/*
 * The name with most time of those that occur at least three times, on each worker if one does; GS_NONE: there is none.
 */
static uint32_t longest_repeated(const struct spans *s, const struct span *all, size_t n,
                                 uint32_t *names, bool *is_small, struct gs_arena *arena)
{
    const uint32_t n_events = s->d->event.n;
    struct name_sum *const of = gs_arena_take(arena, n_events, sizeof *of);
    uint32_t best = GS_NONE;
    gs_i128 all_ns = 0;
    *names = 0;
    *is_small = false;
    if (of == NULL)
        return GS_NONE;
    for (size_t i = 0; i < n; i++) {
        struct name_sum *const e = &of[all[i].event];
        *names += e->n == 0;
        e->n_workers += e->n++ == 0 || e->last_worker != all[i].worker;
        e->last_worker = all[i].worker;
        e->ns += (gs_i128)all[i].stop_ns - all[i].start_ns;
        all_ns += (gs_i128)all[i].stop_ns - all[i].start_ns;
    }
    for (uint32_t e = 0; e < n_events; e++)
        if (of[e].n >= REPEATS &&
            (best == GS_NONE || repeats(&of[e]) > repeats(&of[best]) ||
             (repeats(&of[e]) == repeats(&of[best]) && of[e].ns > of[best].ns)))
            best = e;
    if (best == GS_NONE)
        return GS_NONE;
    best = steps_within(s, all, n, of, best);
    *is_small = SHARE * of[best].ns < all_ns;
    return best;
}

/* Does a worker begin a unit near that instant? */
static bool begins_near(const struct unit *u, size_t worker, int64_t t_ns, int64_t near_ns)
{
    size_t low = u->first[worker];
    GS_BISECT(low, u->first[worker + 1], at, u->span[at].start_ns < t_ns - near_ns);
    return low < u->first[worker + 1] && u->span[low].start_ns <= t_ns + near_ns;
}

/* The share of units that begin together with one on at least half of the other workers. */
static double share_together(const struct unit *u)
{
    const size_t workers = gs_min(u->n_workers, WORKERS_COMPARED);
    const size_t every = gs_max(u->n / UNITS_COMPARED, 1);
    const int64_t near_ns = (int64_t)(u->median_ns / NEAR);
    size_t n = 0, n_together = 0, own = 0;
    if (u->n_workers < 2)
        return 1;
    for (size_t i = 0; i < u->n; i += every, n++) {
        size_t others = 0, near = 0;
        while (i >= u->first[own + 1])
            own++;
        for (size_t w = 0; w < workers; w++)
            if (w != own) {
                others++;
                near += begins_near(u, w, u->span[i].start_ns, near_ns);
            }
        n_together += 2 * near >= others;
    }
    return (double)n_together / (double)n;
}

/* Does a worker's span tell of the step that the one before it does? Another rank wrote it. */
static bool is_copy(const struct unit *u, size_t i, uint32_t no_task)
{
    const struct span *const x = &u->span[i - 1], *const y = &u->span[i];
    return y->task != no_task && y->task == x->task &&
           (double)y->start_ns - (double)x->start_ns <= u->median_ns / NEAR;
}

/*
 * Of how many steps is an event of "10 steps"? Of those since the number of the event before; of the first, and where a run was
 * resumed, from 0 or 1 on.
 */
static uint64_t steps_since(const struct unit *u, struct gs_str task, uint64_t *before)
{
    uint64_t now;
    if (u->of == 1 || gs_count_parse(gs_str_part(task, 0, gs_str_skip(task, 0, GS_ALL_DIGITS)),
                                     INT64_MAX, &now) != GS_NUMBER_OK)
        return u->of;
    const uint64_t since = now > *before ? now - *before : now;
    *before = now;
    return gs_min(u->of, gs_max(since, 1));
}

/* How far from the median one in twenty lies at least, of fewer the farthest. */
static double far_length(const struct unit *u, struct gs_arena *arena)
{
    return quantile_length(u->span, u->n, (int64_t)u->median_ns, u->n < MANY ? 100 : 95, arena);
}

static enum gs_status measure(struct unit *u, const struct gs_dataset *d, uint32_t no_task,
                              struct gs_arena *arena, struct gs_err *err)
{
    uint64_t before = 0;
    GS_NEW(struct span, tasks, u->n, arena, err);
    GS_TAKE(u->first, u->n + 1, arena, err);
    u->median_ns = median_length(u->span, u->n, 0, arena);
    const double mad = median_length(u->span, u->n, (int64_t)u->median_ns, arena);
    u->spread = u->median_ns > 0 ? GS_MAD_TO_SD * mad / u->median_ns : (double)INFINITY;
    u->far = far_length(u, arena) / u->median_ns;
    bool whole = true, both = true, varies = false;
    for (size_t i = 0; i < u->n; i++) {
        const struct span *const x = &u->span[i];
        const bool start = x->start_ns % GS_NS_PER_S == 0, stop = x->stop_ns % GS_NS_PER_S == 0;
        whole &= start || stop;
        both &= start && stop;
        varies |= i > 0 && x->worker == x[-1].worker &&
                  x->stop_ns - x->start_ns != x[-1].stop_ns - x[-1].start_ns;
    }
    u->clock_s = both && varies;
    /* Rounding of clocks is no overlap: a logger may stamp ends to a second only. */
    const double clock_ns =
        whole ? gs_min((double)GS_NS_PER_S, u->median_ns / 4) : u->median_ns / 100;
    for (size_t i = 0; i < u->n; i++) {
        const bool same = i > 0 && u->span[i].worker == u->span[i - 1].worker;
        if (!same) {
            u->first[u->n_workers++] = i;
            before = 0;
        } else if (is_copy(u, i, no_task)) {
            u->n_copies++;
            continue;
        }
        u->n_steps += steps_since(u, d->task.text[u->span[i].task], &before);
        if (!same)
            continue;
        const double rest_ns = (double)u->span[i].start_ns - (double)u->span[i - 1].stop_ns;
        u->n_overlaps += rest_ns < -clock_ns;
        u->n_rests += rest_ns >= (double)REST_S * GS_NS_PER_S && rest_ns > u->median_ns;
    }
    u->first[u->n_workers] = u->n;
    memcpy(tasks, u->span, u->n * sizeof *tasks);
    GS_SORT(tasks, u->n, by_task);
    for (size_t i = 0; i < u->n; i++)
        u->n_tasks += tasks[i].task != no_task && (i == 0 || tasks[i].task != tasks[i - 1].task);
    u->together = share_together(u);
    return GS_OK;
}

GS_COMPARES(by_start, struct span, GS_BY(start_ns) GS_BY(worker) GS_BY(stop_ns));

/* Seconds until the last worker is done with a step, on average; NaN where steps do not begin together. */
static double whole_step_s(const struct unit *u, uint64_t n_steps)
{
    gs_i128 sum = 0;
    size_t n = 0;
    for (size_t i = 0, end; i < u->n; i = end, n++) {
        int64_t last = u->span[i].stop_ns;
        for (end = i + 1;
             end < u->n &&
             (double)u->span[end].start_ns - (double)u->span[i].start_ns <= u->median_ns / NEAR;
             end++)
            last = gs_max(u->span[end].stop_ns, last);
        sum += (gs_i128)last - u->span[i].start_ns;
    }
    return n == n_steps ? gs_ratio(sum, n) / GS_NS_PER_S : (double)NAN;
}

/* The last quarter against the first, by medians: a single long step moves neither. */
static double drift_of(const struct unit *u, struct gs_arena *arena)
{
    const size_t quarter = u->n / 4;
    GS_SORT(u->span, u->n, by_start);
    if (u->of > 1 && quarter < REPEATS) /* the first event may be of one step alone */
        return (double)NAN;
    const double last = median_length(u->span + u->n - quarter, quarter, 0, arena),
                 first = median_length(u->span, quarter, 0, arena);
    if (last != first && fabs(last - first) <= u->clock_s * GS_NS_PER_S)
        return (double)NAN;
    return 100 * (last / first - 1);
}

/*
 * The steps that a median and a drift do not show, such as those that write a checkpoint. All workers run a step
 * together, so that the first one's stand for all.
 */
static void find_long_steps(const struct unit *u, const struct gs_dataset *d, uint32_t no_task,
                            struct gs_kind_found *found)
{
    struct gs_long_step *const to = found->long_step;
    found->median_s = u->median_ns / GS_NS_PER_S;
    /* Whole seconds may make two of one and a half. */
    const double limit_s = 2 * (found->median_s + u->clock_s) + u->clock_s;
    for (size_t i = 0; i < u->first[1]; i++) {
        const struct span *const s = &u->span[i];
        struct gs_long_step one = {.seconds = (double)(s->stop_ns - s->start_ns) / GS_NS_PER_S};
        if (one.seconds < limit_s || (i > 0 && is_copy(u, i, no_task)))
            continue;
        if (s->task == no_task)
            (void)snprintf(one.name, sizeof one.name, "%zu", i + 1);
        else
            (void)gs_escape(one.name, sizeof one.name, d->task.text[s->task]);
        size_t k = gs_min(found->n_long++, GS_LONG_STEPS_NAMED);
        for (; k > 0 && to[k - 1].seconds < one.seconds; k--)
            if (k < GS_LONG_STEPS_NAMED)
                to[k] = to[k - 1];
        if (k < GS_LONG_STEPS_NAMED)
            to[k] = one;
    }
}

static void explain_lengths(const struct unit *u, struct gs_buf *why)
{
    if (isfinite(u->spread))
        gs_buf_format(why, "%c durations vary by %s %%", u->n_workers > 1 ? ',' : ';',
                      u->spread < 0.005 ? "less than 1" : gs_real_text(why, 100 * u->spread, 0));
    /* The spread is of most: it does not show the fourth GPU whose every step is longer. */
    if (u->far >= FAR && u->far > 3 * u->spread && u->far * u->median_ns > u->clock_s * GS_NS_PER_S)
        gs_buf_format(why, u->n < MANY ? ", one by %.0f %%" : ", one in 20 by %.0f %% or more",
                      100 * u->far);
}

static void explain_unit(const struct unit *u, struct gs_str event, struct gs_buf *why)
{
    gs_buf_format(why, "%s runs %s", GS_SHOWN(event, 96),
                  gs_counted_text(why, u->n - u->n_copies, "time"));
    if (u->of > 1)
        gs_buf_format(why, ", %llu steps in all", (unsigned long long)u->n_steps / u->n_workers);
    const size_t again = u->n - u->n_copies - gs_min(u->n_tasks, u->n - u->n_copies);
    if (u->n_workers == 1 && again > 0 && 2 * again < u->n_tasks) /* else a loop begins anew */
        gs_buf_format(why, ", %zu of them again after a restart", again);
    if (u->n_copies >= u->n - u->n_copies) /* fewer are repeated rows, which check counts */
        gs_buf_format(why, ", logged in %.3g rows each",
                      (double)u->n / (double)(u->n - u->n_copies));
    if (u->n_workers > 1)
        gs_buf_format(why, " on %s; %.0f %% begin together",
                      gs_counted_text(why, u->n_workers, "worker"), 100 * u->together);
    gs_buf_text_if(why, 2 * u->n_overlaps >= u->n, ", several at once");
    explain_lengths(u, why);
}

static enum gs_kind kind_of_unit(const struct unit *u, bool of_requests)
{
    const bool apart = u->together < 0.5, distinct = u->n_tasks == 0 || 10 * u->n_tasks >= 9 * u->n;
    if (u->n_workers >= 2 && u->n >= REPEATS * u->n_workers && distinct && apart)
        return GS_KIND_FARM;
    if (u->n >= STEPS && distinct && 2 * u->n_overlaps >= u->n && !of_requests)
        return GS_KIND_FARM; /* on GPUs that nothing names */
    if (u->n >= STEPS && !u->is_small && u->spread <= 0.5 && 20 * u->n_overlaps < u->n && !apart &&
        2 * u->n_rests < u->n)
        return GS_KIND_STEPS;
    return GS_KIND_PHASES;
}

/* Does hardly any event of a worker begin before the one in front of it ends, whatever their names? */
static bool run_in_turn(const struct span *all, size_t n)
{
    size_t n_overlaps = 0;
    for (size_t i = 1; i < n; i++)
        n_overlaps += all[i].worker == all[i - 1].worker && all[i].start_ns < all[i - 1].stop_ns;
    return 20 * n_overlaps < n;
}

/* Events that no scheduler gave. */
static enum gs_status kind_of_events(const struct spans *s, struct span *all, size_t n,
                                     struct gs_arena *arena, struct gs_kind_found *found,
                                     struct gs_buf *why, struct gs_err *err)
{
    struct unit u = {.span = all};
    uint32_t names;
    const double median_ns = median_length(all, n, 0, arena);
    *found = nothing_repeats;
    u.event = longest_repeated(s, all, n, &names, &u.is_small, arena);
    if (s->event != GS_NONE) {
        u.event = s->event;
        u.is_small = false;
    }
    /* Below a millisecond only a profiler looks, however few calls a file has of it. */
    if (names >= TRACE_NAMES &&
        ((median_ns < TRACE_MEDIAN_NS && n >= TRACE_EVENTS) || median_ns < (double)GS_NS_PER_MS)) {
        found->kind = GS_KIND_TRACE;
        gs_buf_format(why, "it has %s of %u names, half of them below %.3g ms",
                      gs_counted_text(why, n, "event"), names, median_ns / GS_NS_PER_MS);
        return GS_OK;
    }
    found->kind = GS_KIND_PHASES;
    if (u.event == GS_NONE) {
        gs_buf_text(why, "no event occurs three times");
        return GS_OK;
    }
    const bool in_turn = run_in_turn(all, n);
    for (size_t i = 0; i < n; i++) /* in place, in order */
        if (all[i].event == u.event)
            all[u.n++] = all[i];
    const uint32_t no_task = gs_intern_find(&s->d->task, gs_str(""));
    u.of = steps_in(s->d->event.text[u.event]);
    GS_TRY(measure(&u, s->d, no_task, arena, err));
    found->noun = noun_of(s->d->event.text[u.event], u.n_workers);
    found->kind = kind_of_unit(&u, strcmp(found->noun, "request") == 0);
    found->event = s->d->event.text[u.event];
    found->n = u.n_steps / u.n_workers;
    found->n_in_event = u.of;
    found->clock_s = u.clock_s;
    if (found->kind == GS_KIND_PHASES && names > 1)
        found->noun = nothing_repeats.noun; /* other events are no requests */
    if (found->kind == GS_KIND_FARM && in_turn && names > 1) {
        found->n_names = names;
        found->n_named = n;
    }
    if (found->kind == GS_KIND_STEPS) {
        find_long_steps(&u, s->d, no_task, found);
        found->drift_pct = drift_of(&u, arena); /* from here on by start */
        found->whole_s = whole_step_s(&u, (u.n - u.n_copies) / u.n_workers);
    }
    if (u.is_small && found->kind == GS_KIND_PHASES)
        gs_buf_format(why, "it has %s of %u names", gs_counted_text(why, n, "event"), names);
    else
        explain_unit(&u, s->d->event.text[u.event], why);
    return GS_OK;
}

/* Jobs by their attributes; the rest by what repeats. */
static enum gs_status kind_of_spans(const struct spans *s, struct span *all, size_t n,
                                    struct gs_arena *arena, struct gs_kind_found *found,
                                    struct gs_buf *why, struct gs_err *err)
{
    const uint32_t n_sets = s->d->attributes.n;
    GS_NEW(bool, scheduled, n_sets, arena, err);
    size_t n_jobs = 0, rest = 0;
    for (uint32_t i = 0; i < n_sets; i++)
        scheduled[i] = gs_is_job(s->d, i);
    for (size_t i = 0; i < n; i++)
        if (all[i].attributes != GS_NONE && scheduled[all[i].attributes])
            n_jobs++;
        else
            all[rest++] = all[i];
    if (n_jobs == 0)
        return kind_of_events(s, all, n, arena, found, why, err);
    *found = nothing_repeats;
    found->kind = rest == 0 ? GS_KIND_JOBS : GS_KIND_MIXED;
    found->n = n_jobs;
    gs_buf_format(why, "%s %s a scheduler's attributes", gs_counted_text(why, n_jobs, "job"),
                  gs_plural(n_jobs, "carries", "carry"));
    if (rest > 0)
        gs_buf_format(why, ", %s %s not", gs_counted_text(why, rest, "event"),
                      gs_plural(rest, "does", "do"));
    return GS_OK;
}

enum gs_status gs_kind_find(const struct gs_dataset *d, const char *event, unsigned n_threads,
                            struct gs_arena *arena, struct gs_kind_found *found, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf text = {.arena = arena};
    struct spans s = {.d = d,
                      .event = event == NULL ? GS_NONE : gs_intern_find(&d->event, gs_str(event))};
    struct gs_host_way way = {.d = d, .fn = add_host, .context = &s};
    /* A pair is a row of spans, or two of marks of which at least one is there. */
    GS_TAKE_RAW(s.span, d->table[GS_TABLE_SPANS].n_rows + d->table[GS_TABLE_CHECKPOINTS].n_rows,
                &own, err);
    enum gs_status status = gs_hosts_visit(&way, 1, NULL, n_threads, GS_VIEW_PAIRS, err);
    const size_t n = s.n;
    if (status == GS_OK && n == 0) {
        *found = nothing_repeats;
        gs_buf_text(&text, "it has no events");
    } else if (status == GS_OK) {
        GS_SORT(s.span, n, by_worker);
        status = kind_of_spans(&s, s.span, n, &own, found, &text, err);
    }
    GS_THEN(status, gs_had_memory(!text.failed, err));
    if (status == GS_OK)
        found->why = gs_buf_str(&text).ptr;
    return status;
}
