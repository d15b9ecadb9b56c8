/* balance_add.c - the balance of a host, added to the state. */
#include "base/core/key_sort.h"
#include "analysis/energy/counter.h"
#include "analysis/gpus/balance_sums.h"
#include "analysis/jobs/jobs.h"
#include "analysis/timeline/counts.h"

/* Levels of the task table, where they are asked for. */
struct plan {
    const int64_t *level;
    size_t n_levels;
};

/* The names of events, with their levels, that a host has: its slots, in the order of name and level. */
struct slots {
    uint32_t n;
    uint32_t *of_pair; /* [n_pairs] */
    uint32_t *event;   /* [n]       */
    int64_t *level;    /* [n]       */
};

static enum gs_status number_slots(const struct gs_balance_options *o, const struct plan *plan,
                                   const struct gs_fold_host *host, struct slots *slots,
                                   struct gs_err *err)
{
    const struct gs_host_view *const h = host->view;
    struct gs_arena *const scratch = host->scratch;
    const size_t n_groups = plan->n_levels + 1;
    GS_NEW_RAW(uint64_t, key, (size_t)h->n_pairs * 2, scratch, err);
    GS_TAKE_RAW(slots->of_pair, h->n_pairs, scratch, err);
    GS_TAKE_RAW(slots->event, h->n_pairs, scratch, err);
    GS_TAKE_RAW(slots->level, h->n_pairs, scratch, err);
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        size_t group = plan->n_levels;
        if (o->by == GS_BALANCE_LEVEL)
            group = gs_pair_level_at(host->d, &h->pair[p], plan->level, group);
        /* a view has fewer than 2^31 pairs */
        key[p] = ((uint64_t)h->pair[p].event * n_groups + group) << 31 | p;
    }
    gs_key_sort(key, key + h->n_pairs, h->n_pairs);
    slots->n = 0;
    for (uint32_t i = 0; i < h->n_pairs; i++) {
        const uint64_t what = key[i] >> 31;
        if (i == 0 || what != key[i - 1] >> 31) {
            const size_t group = (size_t)(what % n_groups);
            slots->event[slots->n] = (uint32_t)(what / n_groups);
            slots->level[slots->n] = GS_MISSING;
            if (group < plan->n_levels)
                slots->level[slots->n] = plan->level[group];
            slots->n++;
        }
        /*
         * The key carries the pair in its low 31 bits and (event, level) above, so one radix sort
         * groups and numbers the pairs. The plan has checked that event x level stays below 2^32.
         */
        slots->of_pair[key[i] & INT32_MAX] = slots->n - 1;
    }
    return GS_OK;
}

/* Where at least half of the tasks of either name are tasks of both, an ID is of what both serve: a request, a tile. */
static enum gs_status find_shared_ids(const struct gs_fold_host *host, const struct slots *slots,
                                      const struct gs_balance_owner *owner, bool *share,
                                      struct gs_err *err)
{
    const struct gs_host_view *const h = host->view;
    const size_t n = slots->n;
    uint32_t n_keys = 0;
    GS_NEW_RAW(uint64_t, key, (size_t)h->n_pairs * 2, host->scratch, err);
    GS_NEW(uint32_t, both, n * n, host->scratch, err);
    for (uint32_t p = 0; p < h->n_pairs; p++)
        if (owner[p].task != GS_NONE)
            key[n_keys++] = (uint64_t)owner[p].task << 32 | slots->of_pair[p];
    gs_key_sort(key, key + h->n_pairs, n_keys);
    for (uint32_t i = 0, first = 0; i < n_keys; i++) {
        if (i > 0 && key[i] == key[i - 1])
            continue;
        if (key[i] >> 32 != key[first] >> 32)
            first = i;
        for (uint32_t k = first; k <= i; k++) /* other names of the task, and this one */
            if (k == first || key[k] != key[k - 1])
                both[(size_t)(uint32_t)key[i] * n + (uint32_t)key[k]]++;
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < a; b++)
            share[a * n + b] = share[b * n + a] =
                2 * both[a * n + b] >= gs_max(both[a * n + a], both[b * n + b]) &&
                both[a * n + b] > 0;
    return GS_OK;
}

/* Whose the pairs of a host are. */
static enum gs_status find_owners(const struct gs_fold_host *host, const struct slots *slots,
                                  struct gs_balance_sweep *to, struct gs_err *err)
{
    const struct gs_dataset *const d = host->d;
    const uint32_t n_pairs = host->view->n_pairs;
    const size_t n_names = (size_t)slots->n * slots->n;
    const uint32_t no_job = gs_intern_find(&d->job, gs_str("")),
                   no_task = gs_intern_find(&d->task, gs_str(""));
    GS_NEW(struct gs_balance_owner, owner, n_pairs, host->scratch, err);
    for (uint32_t p = 0; p < n_pairs; p++) {
        const struct gs_pair *const pair = &host->view->pair[p];
        owner[p] = (struct gs_balance_owner){pair->job, pair->task, {0}};
        if (pair->job == no_job)
            owner[p].job = GS_NONE;
        if (pair->task == no_task)
            owner[p].task = GS_NONE;
        if (pair->attributes != GS_NONE)
            owner[p].user = gs_attribute(d, pair->attributes, gs_str("user"));
    }
    to->owner = owner;
    if (to->inside_ns == NULL)
        return GS_OK;
    GS_NEW(bool, share, n_names, host->scratch, err);
    to->share_ids = share;
    return find_shared_ids(host, slots, owner, share, err);
}

/* Brings parts of slots and idle time to the state; `gpu` NULL: the run's. */
static bool store_parts(struct gs_state *state, const struct gs_fold_host *host,
                        const struct slots *slots, const struct gs_balance_part *part,
                        const struct gs_gpu *gpu)
{
    for (uint32_t k = 0; k < slots->n + GS_N_IDLE; k++) {
        const bool idle = k >= slots->n;
        union gs_key key[GS_N_PART_KEYS] = {0};
        if (idle) {
            key[GS_PART_IDLE].number = 1 + (int64_t)(k - slots->n);
            key[GS_PART_LEVEL].number = GS_MISSING;
        } else {
            key[GS_PART_LEVEL].number = slots->level[k];
        }
        /*
         * A slot that another GPU of the host uses is empty here. It is left out, so that a state
         * does not depend on which slots a host happens to have.
         */
        if (part[k].span_ns == 0 && part[k].inclusive == 0)
            continue;
        if (!idle)
            key[GS_PART_EVENT].text = host->d->event.text[slots->event[k]];
        if (gpu != NULL) {
            key[GS_PART_HOST].text = host->d->host.text[gpu->host];
            key[GS_PART_SERIAL].text = gpu->serial;
            key[GS_PART_UUID].text = gpu->uuid;
        }
        struct gs_balance_part *const sum =
            gs_records_find(&state->table[GS_BALANCE_PARTS], key, host->arena);
        if (sum == NULL)
            return false;
        gs_balance_part_add(sum, &part[k]);
    }
    return true;
}

static bool store_inside(struct gs_state *state, const struct gs_fold_host *host,
                         const struct slots *slots, const uint64_t *inside_ns)
{
    for (uint32_t k = 0; k < slots->n; k++)
        for (uint32_t outer = 0; outer < slots->n; outer++) {
            const union gs_key key[GS_N_INSIDE_KEYS] = {
                [GS_INSIDE_EVENT] = {.text = host->d->event.text[slots->event[k]]},
                [GS_INSIDE_LEVEL] = {.number = slots->level[k]},
                [GS_INSIDE_OUTER] = {.text = host->d->event.text[slots->event[outer]]},
            };
            const uint64_t ns = inside_ns[(size_t)k * slots->n + outer];
            struct gs_balance_time *const sum =
                ns == 0 ? NULL
                        : gs_records_find(&state->table[GS_BALANCE_INSIDE], key, host->arena);
            if (ns > 0 && sum == NULL)
                return false;
            if (ns > 0)
                sum->ns += ns;
        }
    return true;
}

static bool store_gpu(struct gs_state *state, const struct gs_fold_host *host,
                      const struct gs_gpu *gpu, uint64_t n_samples,
                      const struct gs_balance_part *whole)
{
    const union gs_key key[] = {
        {.text = host->d->host.text[gpu->host]}, {.text = gpu->serial}, {.text = gpu->uuid}};
    struct gs_balance_gpu_row *const row =
        gs_records_find(&state->table[GS_BALANCE_GPUS], key, host->arena);
    if (row == NULL)
        return false;
    row->n_samples += n_samples;
    gs_energy_sum_merge(&row->whole, &whole->used);
    gs_counted_merge(&row->counted, &whole->counted);
    return true;
}

/* What one GPU of a host comes to. */
struct gpu_parts {
    struct gs_balance_part *part;
    size_t n;
    struct gs_balance_part whole; /* of its log */
};

/* Ends a GPU's log, and brings it to that of the run. */
static void end_log(struct gs_state *state, struct gs_balance_part *whole)
{
    struct gs_balance_total *const total = gs_records_at(&state->table[GS_BALANCE_TOTAL], 0);
    gs_energy_sum_end_gpu(&whole->used);
    gs_energy_sum_merge(&total->whole, &whole->used);
    gs_counted_merge(&total->counted, &whole->counted);
    total->n_gpus++;
}

/* Ends a GPU: by GPU its parts are stored, else they come to the host's. False without memory. */
static bool end_gpu(const struct gs_balance_options *o, struct gs_state *state,
                    const struct gs_fold_host *host, const struct slots *slots,
                    const struct gs_gpu_view *g, struct gpu_parts *one, struct gs_balance_part *all)
{
    const struct gs_gpu *const gpu = &host->d->gpu[g->gpu];
    const bool by_gpu = o->by == GS_BALANCE_GPU;
    for (size_t k = 0; k < one->n; k++) {
        gs_energy_sum_end_gpu(&one->part[k].used);
        one->part[k].least = one->part[k].most = one->part[k].used.energy;
    }
    end_log(state, &one->whole);
    if (by_gpu && (!store_parts(state, host, slots, one->part, gpu) ||
                   !store_gpu(state, host, gpu, g->n, &one->whole)))
        return false;
    for (size_t k = 0; k < one->n; k++) {
        if (!by_gpu)
            gs_balance_part_add(&all[k], &one->part[k]);
        one->part[k] = (struct gs_balance_part){0};
    }
    one->whole = (struct gs_balance_part){0};
    return true;
}

static enum gs_status add_gpus(const struct gs_balance_options *o, struct gs_state *state,
                               const struct gs_fold_host *host, const struct slots *slots,
                               struct gs_err *err)
{
    const struct gs_host_view *const h = host->view;
    /*
     * The table of inner by outer events is quadratic in the slots. Beyond the limit it is left
     * out rather than exhausting the memory.
     */
    const bool by_gpu = o->by == GS_BALANCE_GPU, inside = slots->n <= GS_BALANCE_INSIDE_MAX;
    const size_t n_parts = (size_t)slots->n + GS_N_IDLE;
    GS_NEW(struct gs_balance_part, all, n_parts, host->scratch, err);
    struct gpu_parts one = {.n = n_parts};
    GS_TAKE(one.part, n_parts, host->scratch, err);
    uint64_t *inside_ns = NULL;
    if (inside)
        GS_TAKE(inside_ns, (size_t)slots->n * slots->n, host->scratch, err);
    GS_TRY(gs_energy_check(h, err));
    struct gs_balance_sweep sweep = {.n_slots = slots->n,
                                     .slot = slots->of_pair,
                                     .part = one.part,
                                     .by_load = host->d->table[GS_TABLE_CHECKPOINTS].n_columns == 0,
                                     .inside_ns = inside_ns};
    GS_TRY(find_owners(host, slots, &sweep, err));
    for (uint32_t g = 0; g < h->n_gpus; g++) {
        GS_REWINDS(host->scratch);
        GS_TRY(gs_balance_gpu(h, g, o->max_gap_ns, &sweep, &one.whole, host->scratch, err));
        GS_TRY(gs_had_memory(end_gpu(o, state, host, slots, &h->gpu[g], &one, all), err));
    }
    if ((!by_gpu && !store_parts(state, host, slots, all, NULL)) ||
        (inside && !store_inside(state, host, slots, inside_ns)))
        return gs_fail_memory(err);
    return GS_OK;
}

/* Brings what jobs, or nobody, had of a host to a part of it. */
static void add_held(struct gs_balance_part *part, const struct gs_job_sum *held)
{
    struct gs_balance_part more = {.used = held->used,
                                   .inclusive = held->used.energy,
                                   .span_ns = held->logged_ns,
                                   .least = held->low[GS_DOUBTED_ENERGY],
                                   .most = held->high[GS_DOUBTED_ENERGY]};
    more.used.n = held->used.time_ns > 0;
    gs_balance_part_add(part, &more);
}

/* As jobs divides the GPUs of a host, which its jobs held a number of: a part for each name. */
static enum gs_status add_jobs(const struct gs_balance_options *o, struct gs_state *state,
                               const struct gs_fold_host *host, const struct slots *slots,
                               struct gs_err *err)
{
    static const struct gs_jobs_options alloc = {.share = GS_SHARE_ALLOC, .by_time = true};
    const struct gs_host_view *const h = host->view;
    struct gs_balance_part whole = {0};
    struct gs_job_sum nobody[GS_N_FREE] = {{0}};
    GS_NEW(struct gs_balance_part, part, (size_t)slots->n + GS_N_IDLE, host->scratch, err);
    GS_NEW(struct gs_gpu_uses, uses, slots->n, host->scratch, err);
    GS_NEW(struct gs_job_sum, held, h->n_pairs, host->scratch, err);
    GS_NEW(struct gs_energy_use, use, (size_t)h->n_pairs * h->n_gpus, host->scratch, err);
    GS_NEW(uint32_t, first, slots->n, host->scratch, err);
    for (uint32_t p = h->n_pairs; p-- > 0;)
        first[slots->of_pair[p]] = p;
    for (uint32_t p = 0; p < h->n_pairs; p++)
        held[p] = (struct gs_job_sum){.row = first[slots->of_pair[p]],
                                      .use = use + (size_t)p * h->n_gpus};
    GS_TRY(gs_jobs_divide(&alloc, host, held, nobody, NULL, err));
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        const uint32_t slot = slots->of_pair[p];
        add_held(&part[slot], &held[p]);
        for (uint32_t g = 0; g < h->n_gpus; g++)
            GS_TRY(gs_gpu_use_add(&uses[slot], &part[slot].used, h, g, &held[p].use[g],
                                  host->scratch, err));
    }
    add_held(&part[slots->n + GS_IDLE_BEFORE], &nobody[GS_FREE_BEFORE]);
    add_held(&part[slots->n + GS_IDLE_BETWEEN], &nobody[GS_FREE_BETWEEN]);
    add_held(&part[slots->n + GS_IDLE_AFTER], &nobody[GS_FREE_AFTER]);
    for (uint32_t g = 0; g < h->n_gpus; g++) {
        GS_REWINDS(host->scratch);
        GS_TRY(gs_balance_log(h, g, o->max_gap_ns, &whole, host->scratch, err));
        end_log(state, &whole);
        whole = (struct gs_balance_part){0};
    }
    return gs_had_memory(store_parts(state, host, slots, part, NULL), err);
}

/* Which of a node's GPUs a job held is not known: a balance of each takes it to be on all, as of any other event. */
static bool are_jobs(const struct gs_balance_options *o, const struct gs_fold_host *host)
{
    const struct gs_host_view *const h = host->view;
    bool any = false;
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        if (!gs_is_job(host->d, h->pair[p].attributes))
            return false;
        any |= gs_pair_ns(&h->pair[p]) > 0;
    }
    return any && o->by != GS_BALANCE_GPU;
}

static enum gs_status add_host(const void *options, struct gs_state *state,
                               struct gs_fold_host *host, struct gs_err *err)
{
    const struct gs_host_view *const h = host->view;
    struct slots slots;
    GS_TRY(number_slots(options, state->plan, host, &slots, err));
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        struct gs_balance_time *const time =
            gs_records_at(&state->table[GS_BALANCE_EVENTS], h->pair[p].event);
        time->ns += gs_pair_ns(&h->pair[p]);
    }
    if (are_jobs(options, host))
        return add_jobs(options, state, host, &slots, err);
    return add_gpus(options, state, host, &slots, err);
}

/* --- the fold ----------------------------------------------------------------------------------------- */

static const struct gs_field part_fields[] = {
    GS_ENERGY_SUM_FIELDS(struct gs_balance_part, used),
    {GS_FIELD_SUM, offsetof(struct gs_balance_part, inclusive)},
    {GS_FIELD_SUM, offsetof(struct gs_balance_part, span_ns)},
    {GS_FIELD_SUM, offsetof(struct gs_balance_part, least)},
    {GS_FIELD_SUM, offsetof(struct gs_balance_part, most)},
    GS_COUNTED_FIELDS(struct gs_balance_part, counted),
    {GS_FIELD_SUM, offsetof(struct gs_balance_part, counted_ns)},
};
static const struct gs_field time_fields[] = {{GS_FIELD_SUM, offsetof(struct gs_balance_time, ns)}};
static const struct gs_field gpu_fields[] = {
    {GS_FIELD_COUNT, offsetof(struct gs_balance_gpu_row, n_samples)},
    GS_ENERGY_SUM_FIELDS(struct gs_balance_gpu_row, whole),
    GS_COUNTED_FIELDS(struct gs_balance_gpu_row, counted)};
static const struct gs_field total_fields[] = {
    GS_ENERGY_SUM_FIELDS(struct gs_balance_total, whole),
    GS_COUNTED_FIELDS(struct gs_balance_total, counted),
    {GS_FIELD_COUNT, offsetof(struct gs_balance_total, n_gpus)},
};
static const struct gs_records_spec specs[GS_N_BALANCE_TABLES] = {
    [GS_BALANCE_PARTS] = {GS_RECORDS("parts", "tttiit", struct gs_balance_part, part_fields)},
    [GS_BALANCE_EVENTS] = {GS_RECORDS("events", "t", struct gs_balance_time, time_fields)},
    [GS_BALANCE_INSIDE] = {GS_RECORDS("inside", "tit", struct gs_balance_time, time_fields)},
    [GS_BALANCE_GPUS] = {GS_RECORDS("gpus", "ttt", struct gs_balance_gpu_row, gpu_fields)},
    [GS_BALANCE_TOTAL] = {GS_RECORDS("total", "", struct gs_balance_total, total_fields)},
};
static const struct gs_records_spec *const tables[GS_N_BALANCE_TABLES] = {
    &specs[0], &specs[1], &specs[2], &specs[3], &specs[4]};

static enum gs_status make_plan(const void *options, const struct gs_dataset *d,
                                struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    GS_NEW(struct plan, plan, 1, arena, err);
    union gs_key *const event = gs_keys_of_texts(&d->event, arena);
    GS_TRY(gs_had_memory(event != NULL, err));
    int64_t *level;
    if (((const struct gs_balance_options *)options)->by == GS_BALANCE_LEVEL) {
        GS_TRY(gs_levels(d, arena, &level, &plan->n_levels, err));
        plan->level = level;
    }
    if ((uint64_t)d->event.n * (plan->n_levels + 1) > UINT32_MAX)
        return gs_fail(err, GS_ERR_DATA, "too many event names (%u) and levels (%zu)", d->event.n,
                       plan->n_levels);
    state->plan = plan;
    return gs_records_plan(&state->table[GS_BALANCE_EVENTS], event, d->event.n, arena, err);
}

/* clang-format off */
const struct gs_fold gs_balance_fold = {
    .name = "balance", .views = GS_VIEW_SAMPLES | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = tables, .n_tables = GS_N_BALANCE_TABLES,
    .plan = make_plan, .add = add_host, .finish = gs_balance_finish,
};
/* clang-format on */
