/* counts.c - names and numbers of a run that several analyses look up. */
#include "analysis/timeline/counts.h"
#include "stats/descriptive/quantile.h"
#include "base/num/order.h"

#include <stdio.h>
#include <string.h>

int64_t gs_reading_of_several(const struct gs_gpu_view *g, unsigned metric, uint32_t first)
{
    gs_i128 sum = 0;
    int64_t n = 0;
    for (uint32_t i = first; i < g->n && g->t_ns[i] == g->t_ns[first]; i++) {
        const int64_t v = g->value[metric][i];
        sum += gs_or_zero(v);
        n += v != GS_MISSING;
    }
    if (n == 0)
        return GS_MISSING;
    /*
     * Rounded to the nearest, ties away from zero: the same rule as for the readings of an energy
     * curve, so both see one power at an instant.
     */
    return (int64_t)gs_div_nearest(sum, n);
}

uint32_t gs_gpu_named(const struct gs_dataset *d, uint32_t host, struct gs_str name)
{
    const uint32_t first = d->host_first_gpu[host], n = d->host_first_gpu[host + 1] - first;
    if (gs_is_missing_word(name))
        return GS_NONE;
    for (uint32_t g = 0; g < n; g++)
        if (gs_str_eq(name, d->gpu[first + g].uuid))
            return g;
    for (uint32_t g = 0; g < n; g++)
        if (gs_str_eq(name, d->gpu[first + g].serial))
            return g;
    for (uint32_t g = 0; g < n; g++)
        if (gs_str_eq(name, d->gpu[first + g].index))
            return g;
    return GS_NONE;
}

bool gs_gpu_has_job(const struct gs_host_view *h, uint32_t k, uint32_t job)
{
    const uint32_t first = h->gpu[k].gpu - h->first_gpu;
    /* They are in the jobs' order, that without job first. */
    const size_t end = (size_t)first + h->gpu[k].n_series;
    size_t low = first;
    if (h->job == NULL)
        return false;
    GS_BISECT(low, end, at, h->job[at] == GS_NONE || h->job[at] < job);
    return low < end && h->job[low] == job;
}

bool gs_pair_uses_job(const struct gs_host_view *h, const struct gs_pair *p, uint32_t k)
{
    if (p->gpu != GS_NONE && !gs_pair_names(h, p, k))
        return false;
    if (p->job == GS_NONE || p->job == h->no_job || gs_gpu_has_job(h, k, p->job))
        return true;
    if (h->job[h->gpu[k].gpu - h->first_gpu] != GS_NONE)
        return false;
    /* Its samples do not name the job: it is this one's only if no GPU of the host is known to be. */
    bool elsewhere = false;
    for (uint32_t i = 0; i < h->n_gpus && !elsewhere; i++)
        elsewhere |= gs_gpu_has_job(h, i, p->job);
    return !elsewhere;
}

uint32_t gs_pair_n_used_job(const struct gs_host_view *h, const struct gs_pair *p, uint32_t *first)
{
    uint32_t n = 0;
    *first = 0;
    for (uint32_t k = 0; k < h->n_gpus; k++)
        if (gs_pair_uses_job(h, p, k) && n++ == 0)
            *first = k;
    return n;
}

uint32_t gs_pair_gpu(const struct gs_dataset *d, uint32_t host, const struct gs_pair *p)
{
    const uint32_t first = d->host_first_gpu[host], n = d->host_first_gpu[host + 1] - first;
    if (p->gpu < n)
        return first + p->gpu;
    if (p->gpu == GS_NONE && n > 0 && gs_is_same_gpu(&d->gpu[first], &d->gpu[first + n - 1]))
        return first;
    return GS_NONE;
}

/* Adds a text to a list that is shown in a message; false when it is full, which it then says. */
static bool list_text(char *list, size_t size, size_t *used, struct gs_str text)
{
    const char *const comma = *used > 0 ? ", " : "";
    const size_t room = size - *used;
    const int w = snprintf(list + *used, room, "%s%s", comma, GS_SHOWN(text, 96));
    /*
     * 6 bytes are ", ..." and the terminator: a list always has room left to show that it goes on.
     */
    if (w < 0 || (size_t)w + 6 > room) {
        (void)snprintf(list + *used, room, "%s", room > 6 ? ", ..." : "");
        return false;
    }
    *used += (size_t)w;
    return true;
}

static enum gs_status fail_unknown(const struct gs_dataset *d, struct gs_err *err)
{
    char named[200] = "", known[240] = "";
    size_t used = 0;
    for (uint32_t k = 0; k < d->gpu_name.n;
         k++) /* the least come first: they are numbered in their order */
        if (!gs_is_missing_word(d->gpu_name.text[k]) &&
            !list_text(named, sizeof named, &used, d->gpu_name.text[k]))
            break;
    used = 0;
    for (uint32_t g = 0; g < d->n_gpus; g++)
        if (gs_gpu_name(&d->gpu[g]).ptr != NULL &&
            !list_text(known, sizeof known, &used, gs_gpu_name(&d->gpu[g])))
            break;
    return gs_fail(err, GS_ERR_DATA, GS_GPU_NAMES_APART, named,
                   used == 0 ? GS_GPU_NO_NAMES : known);
}

/*
 * A hash set, because names times GPUs comparisons are too many on a large fleet. It reports
 * memory by its result and leaves *meet for the answer, which can be "no".
 */
bool gs_gpu_names_meet(const struct gs_dataset *d, bool *meet)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_intern known = {.arena = &own, .seed = d->seed};
    bool failed = false, any_known = false;
    for (uint32_t g = 0; g < d->n_gpus && !failed; g++) {
        const struct gs_str names[] = {d->gpu[g].uuid, d->gpu[g].serial, d->gpu[g].index};
        for (size_t k = 0; k < sizeof names / sizeof *names && !failed; k++)
            failed = names[k].ptr != NULL && gs_intern_add(&known, names[k]) == GS_INTERN_NONE;
    }
    for (uint32_t k = 0; k < d->gpu_name.n && !any_known; k++)
        any_known = !gs_is_missing_word(d->gpu_name.text[k]) &&
                    gs_intern_find(&known, d->gpu_name.text[k]) != GS_INTERN_NONE;
    *meet = any_known;
    return !failed;
}

enum gs_status gs_gpu_names_check(const struct gs_dataset *d, struct gs_err *err)
{
    bool meet, any_named = false;
    for (uint32_t k = 0; k < d->gpu_name.n; k++)
        any_named |= !gs_is_missing_word(d->gpu_name.text[k]);
    if (d->n_gpus == 0 || !any_named)
        return GS_OK;
    GS_TRY(gs_had_memory(gs_gpu_names_meet(d, &meet), err));
    if (!meet)
        return fail_unknown(d, err);
    return GS_OK;
}

size_t gs_level_at(const struct gs_dataset *d, uint32_t row, const int64_t *level, size_t n)
{
    if (row == GS_NONE)
        return n;
    return gs_count_below(level, n, gs_task_value(d, row, GS_TASK_LEVEL));
}

size_t gs_pair_level_at(const struct gs_dataset *d, const struct gs_pair *p, const int64_t *level,
                        size_t n)
{
    return gs_level_at(d, gs_dataset_task_row(d, p->task, p->job), level, n);
}

/* Few levels are expected: a sorted list with binary search, bounded against nonsense. */
enum gs_status gs_levels(const struct gs_dataset *d, struct gs_arena *arena, int64_t **level,
                         size_t *n, struct gs_err *err)
{
    const struct gs_table *const t = &d->table[GS_TABLE_TASKS];
    size_t n_kept = 0, capacity = 64;
    int64_t *kept = gs_arena_take_raw(arena, capacity, sizeof *kept);
    for (uint32_t k = 0; kept != NULL && k < t->n_segments; k++)
        for (uint32_t i = 0; kept != NULL && i < t->segment[k].n_rows; i++) {
            const int64_t v = gs_segment_value(&t->segment[k], i, GS_TASK_LEVEL);
            /*
             * Insertion keeps the list sorted, so a level's number does not depend on the order of
             * the task table. The limit of 4096 bounds the quadratic cost of the moves.
             */
            const size_t lo = gs_count_below(kept, n_kept, v);
            if (lo < n_kept && kept[lo] == v)
                continue;
            if (n_kept == 4096)
                return gs_fail(err, GS_ERR_DATA, "more than 4096 levels in the task table");
            if (n_kept == capacity) {
                kept = gs_arena_grow(arena, kept, n_kept, capacity * 2, sizeof *kept);
                capacity *= 2;
            }
            if (kept != NULL) {
                memmove(kept + lo + 1, kept + lo, (n_kept - lo) * sizeof *kept);
                kept[lo] = v;
                n_kept++;
            }
        }
    GS_TRY(gs_had_memory(kept != NULL, err));
    *level = kept;
    *n = n_kept;
    return GS_OK;
}

static bool is_scheduler_word(struct gs_str key)
{
    static const char *const words[] = {
        "user",   "account",  "project",   "partition", "qos",  "state",        "status",
        "submit", "nodelist", "alloctres", "jobstate",  "gpus", "gpus_per_node"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (gs_str_eq_nocase(key, gs_str(words[i])))
            return true;
    return false;
}

/* Do these attributes have two words that only a scheduler gives? */
static bool is_of_scheduler(struct gs_str set)
{
    uint64_t len[2];
    int n = 0;
    for (size_t at = 0; at < set.len; at += sizeof len + len[0] + len[1]) {
        memcpy(len, set.ptr + at, sizeof len);
        n += is_scheduler_word((struct gs_str){set.ptr + at + sizeof len, len[0]});
    }
    return n >= 2;
}

bool gs_is_job(const struct gs_dataset *d, uint32_t attributes)
{
    return attributes != GS_NONE && is_of_scheduler(d->attributes.text[attributes]);
}

bool gs_has_jobs(const struct gs_dataset *d)
{
    for (uint32_t i = 0; i < d->attributes.n; i++)
        if (gs_is_job(d, i))
            return true;
    return false;
}

bool gs_is_all_jobs(const char *event)
{
    return event != NULL && strcmp(event, GS_ALL_JOBS) == 0;
}

const char *gs_equal_tasks_event(const char *event)
{
    return gs_is_all_jobs(event) ? "" : event;
}

enum gs_status gs_event_number(const struct gs_dataset *d, const char *event, uint32_t *number,
                               struct gs_err *err)
{
    const uint32_t k = gs_intern_find(&d->event, gs_str(event));
    if (gs_is_all_jobs(event)) {
        *number = GS_EVENT_JOBS;
        return GS_OK;
    }
    if (k != GS_INTERN_NONE) {
        *number = k;
        return GS_OK;
    }
    /*
     * In one part of a run an event may be absent although another part has it. The number behind
     * all events matches no pair, nor does an empty name; whether the event exists at all is checked when the parts are
     * merged.
     */
    if (d->is_part || d->event.n == 0 || event[0] == '\0') {
        *number = d->event.n;
        return GS_OK;
    }
    char known[512] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < d->event.n && list_text(known, sizeof known, &used, d->event.text[i]);)
        i++;
    return gs_fail(err, GS_ERR_DATA, "no event is called '%s'; found %s",
                   GS_SHOWN(gs_str(event), 128), known);
}
