/* gpu_profile.c - profiles in a state, and what is made of them. */
#include "analysis/gpus/gpu_profile.h"

#include <string.h>

#include "base/num/timestamp.h"
#include "analysis/energy/counter.h"
#include "analysis/timeline/counts.h"
#include "base/num/dd.h"
#include "stats/descriptive/quantile.h"
#include "base/num/order.h"

/* A GPU in the state, and each of its metrics. */
struct gpu_record {
    uint64_t n_samples, n_hot, n_shared, n_tasks, n_named, n_task_power;
    gs_i128 task_ns, named_ns, task_power;
    struct gs_energy_sum used;
    gs_i128 span_ns; /* from its first sample to its last */
    struct gs_counted counted;
    struct gs_str card;
};

/* Task times of a GPU on one level, all of them named or none. */
struct times_record {
    struct gs_values ns;
};

/* A level of the task table. */
struct level_record {
    int64_t there;
};

enum { TIMES_LEVEL = 3, TIMES_NAMED, N_TIMES_KEYS };

static const struct gs_field gpu_fields[] = {
    {GS_FIELD_COUNT, offsetof(struct gpu_record, n_samples)},
    {GS_FIELD_COUNT, offsetof(struct gpu_record, n_hot)},
    {GS_FIELD_COUNT, offsetof(struct gpu_record, n_shared)},
    {GS_FIELD_COUNT, offsetof(struct gpu_record, n_tasks)},
    {GS_FIELD_COUNT, offsetof(struct gpu_record, n_named)},
    {GS_FIELD_COUNT, offsetof(struct gpu_record, n_task_power)},
    {GS_FIELD_SUM, offsetof(struct gpu_record, task_ns)},
    {GS_FIELD_SUM, offsetof(struct gpu_record, named_ns)},
    {GS_FIELD_SUM, offsetof(struct gpu_record, task_power)},
    GS_ENERGY_SUM_FIELDS(struct gpu_record, used),
    {GS_FIELD_SUM, offsetof(struct gpu_record, span_ns)},
    GS_COUNTED_FIELDS(struct gpu_record, counted),
    {GS_FIELD_BYTES, offsetof(struct gpu_record, card)},
};
static const struct gs_field metric_fields[] = {
    {GS_FIELD_COUNT, offsetof(struct gs_profile_sum, n)},
    {GS_FIELD_SUM, offsetof(struct gs_profile_sum, sum)},
};
static const struct gs_field times_fields[] = {
    {GS_FIELD_VALUES, offsetof(struct times_record, ns)}};
static const struct gs_field level_fields[] = {
    {GS_FIELD_GREATEST, offsetof(struct level_record, there)}};

const struct gs_records_spec gs_profile_specs[GS_PROFILE_LOADS] = {
    [GS_PROFILE_GPUS] = {GS_RECORDS("gpus", "ttt", struct gpu_record, gpu_fields),
                         GS_RECORDS_TAIL(struct gs_profile_sum, metric_fields)},
    [GS_PROFILE_TASKS] = {GS_RECORDS("task times", "tttii", struct times_record, times_fields)},
    [GS_PROFILE_LEVELS] = {GS_RECORDS("levels", "i", struct level_record, level_fields)},
};
const struct gs_records_spec *const gs_profile_tables[GS_N_PROFILE_TABLES] = {
    &gs_profile_specs[0], &gs_profile_specs[1], &gs_profile_specs[2], &gs_load_spec};

/* --- adding ------------------------------------------------------------------------------------------- */

static void add_samples(struct gpu_record *p, struct gs_profile_sum *metric,
                        const struct gs_gpu_view *g, uint32_t n_metrics, int64_t hot)
{
    const int64_t *const temp = g->n > 0 ? g->value[GS_TEMP] : NULL;
    p->n_samples += g->n;
    for (uint32_t m = 0; m < n_metrics; m++) {
        metric[m].sum += g->sum[m].sum;
        metric[m].n += g->sum[m].n;
    }
    for (uint32_t i = 0; temp != NULL && i < g->n; i++)
        p->n_hot += gs_is_hot(temp[i], hot);
}

/* That of the GPU's log, and of its energy counter where `metric` is one. */
static enum gs_status add_energy(struct gpu_record *p, const struct gs_gpu_view *g, uint32_t metric,
                                 struct gs_arena *scratch, struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    struct gs_energy_curve curve;
    struct gs_counter counter = {0};
    if (gs_gpu_log(g)->n == 0)
        return GS_OK;
    enum gs_status s = gs_gpu_curve(g, -1, scratch, &curve, err);
    if (metric != 0)
        GS_THEN(s, gs_gpu_counter_beside(g, metric, &curve, scratch, &counter, err));
    if (s == GS_OK) {
        (void)gs_energy_sum_log(&p->used, &curve);
        gs_counted_add_log(&p->counted, &counter, &curve, &p->used);
    }
    if (g->range == NULL)
        p->span_ns += (gs_i128)g->t_ns[g->n - 1] - g->t_ns[0];
    else if (s == GS_OK && curve.n > 0)
        p->span_ns += (gs_i128)gs_energy_curve_last(&curve) - gs_energy_curve_first(&curve);
    gs_arena_rewind(scratch, mark);
    return s;
}

/* Is a task of the GPU at `g` of a host the GPU's, so that it counts where the tasks of the GPU before it are the host's? */
static bool is_named(const struct gs_host_view *h, const struct gs_pair *pair, uint32_t g)
{
    uint32_t first;
    return pair->gpu != GS_NONE ||
           (h->job != NULL && g > 0 && gs_pair_n_used(h, pair, &first) > 0 && first == g);
}

/*
 * Named tasks are counted a second time by themselves. When the GPUs of a host become one subject,
 * tasks that name no GPU are on each of them and must be taken from the first only.
 */
static void add_task(struct gpu_record *p, const struct gs_gpu_view *g, const struct gs_pair *pair,
                     bool named)
{
    const int64_t ns = gs_pair_duration_ns(pair);
    p->task_ns += ns;
    p->n_tasks++;
    if (named)
        p->named_ns += ns;
    p->n_named += named;
    for (size_t i = gs_count_below(g->t_ns, g->n, pair->start_ns);
         i < g->n && g->t_ns[i] <= pair->stop_ns; i++)
        if (g->value[GS_POWER][i] != GS_MISSING) {
            p->task_power += g->value[GS_POWER][i];
            p->n_task_power++;
        }
}

static enum gs_status store_time(struct gs_records *times, const union gs_key *gpu,
                                 const struct gs_profile_plan *plan,
                                 const struct gs_fold_host *host, const struct gs_pair *pair,
                                 bool named, struct gs_err *err)
{
    const size_t level = gs_pair_level_at(host->d, pair, plan->level, plan->n_levels);
    const union gs_key key[N_TIMES_KEYS] = {
        gpu[0],
        gpu[1],
        gpu[2],
        [TIMES_LEVEL] = {.number = level < plan->n_levels ? plan->level[level] : GS_MISSING},
        [TIMES_NAMED] = {.number = named},
    };
    struct times_record *const t = gs_records_find(times, key, host->arena);
    GS_TRY(gs_had_memory(t != NULL, err));
    return gs_values_add(&t->ns, gs_pair_duration_ns(pair), host->arena, err);
}

enum gs_status gs_profiles_add(const struct gs_profile_options *o,
                               const struct gs_profile_plan *plan, struct gs_records *table,
                               const struct gs_fold_host *host, struct gs_err *err)
{
    const struct gs_host_view *const h = host->view;
    bool shares = false;
    if (o->energy)
        GS_TRY(gs_energy_check(h, err));
    for (uint32_t k = 0; k < h->n_pairs; k++)
        /*
         * A task without a GPU cannot be given to one of several. All GPUs of such a host become
         * one point of the statistics.
         */
        shares |= h->pair[k].gpu == GS_NONE && gs_pair_is(host->d, &h->pair[k], plan->event);
    for (uint32_t g = h->from_gpu; g < h->to_gpu; g++) {
        const uint32_t gpu = plan->record[h->gpu[g].gpu];
        struct gpu_record *const p = gs_records_at(&table[GS_PROFILE_GPUS], gpu);
        add_samples(p, gs_records_tail(&table[GS_PROFILE_GPUS], gpu), &h->gpu[g], h->n_metrics,
                    o->hot);
        p->n_shared += shares && h->n_gpus > 1;
        if (o->loads)
            GS_TRY(gs_load_add(&table[GS_PROFILE_LOADS], host, g, err));
        if (o->energy)
            GS_TRY(add_energy(p, &h->gpu[g], h->counter, host->scratch, err));
        for (uint32_t k = 0; k < h->n_pairs; k++) {
            const struct gs_pair *const pair = &h->pair[k];
            if (!gs_pair_is(host->d, pair, plan->event) || !gs_pair_uses(h, pair, g))
                continue;
            const bool named = is_named(h, pair, g);
            add_task(p, &h->gpu[g], pair, named);
            if (o->keep_tasks)
                GS_TRY(store_time(&table[GS_PROFILE_TASKS],
                                  gs_records_key(&table[GS_PROFILE_GPUS], gpu, 3), plan, host, pair,
                                  named, err));
        }
    }
    return GS_OK;
}

enum gs_status gs_profiles_plan(const struct gs_profile_options *o, const struct gs_dataset *d,
                                struct gs_records *table, struct gs_profile_plan *plan,
                                struct gs_arena *arena, struct gs_err *err)
{
    *plan = (struct gs_profile_plan){0};
    GS_TRY(gs_event_number(d, o->event, &plan->event, err));
    GS_NEW_RAW(union gs_key, gpu, (size_t)d->n_gpus * 3, arena, err);
    uint32_t n = 0;
    GS_TAKE_RAW(plan->record, d->n_gpus, arena, err);
    if (o->keep_tasks && d->task_first != NULL)
        GS_TRY(gs_levels(d, arena, &plan->level, &plan->n_levels, err));
    GS_NEW_RAW(union gs_key, level, plan->n_levels, arena, err);
    for (uint32_t g = 0; g < d->n_gpus; g++) {
        n += g == 0 || !gs_is_same_gpu(&d->gpu[g - 1], &d->gpu[g]);
        /*
         * The jobs of a GPU are neighbouring series of the dataset; they share one record. The
         * keys come out sorted because the dataset is.
         */
        plan->record[g] = n - 1;
        union gs_key *const key = gpu + 3 * (size_t)(n - 1);
        key[0].text = d->host.text[d->gpu[g].host];
        key[1].text = d->gpu[g].serial;
        key[2].text = d->gpu[g].uuid;
    }
    GS_TRY(gs_records_plan(&table[GS_PROFILE_GPUS], gpu, n, arena, err));
    GS_TRY(gs_records_plan(&table[GS_PROFILE_LEVELS], level, (uint32_t)plan->n_levels, arena, err));
    for (uint32_t g = 0; g < d->n_gpus; g++)
        ((struct gpu_record *)gs_records_at(&table[GS_PROFILE_GPUS], plan->record[g]))->card =
            d->gpu[g].card;
    for (size_t k = 0; k < plan->n_levels; k++) {
        level[k].number = plan->level[k];
        ((struct level_record *)gs_records_at(&table[GS_PROFILE_LEVELS], k))->there = 1;
    }
    return GS_OK;
}

enum gs_status gs_profiles_fold_plan(const void *options, const struct gs_dataset *d,
                                     struct gs_state *state, struct gs_arena *arena,
                                     struct gs_err *err)
{
    GS_NEW(struct gs_profile_plan, plan, 1, arena, err);
    state->plan = plan;
    return gs_profiles_plan(options, d, state->table, plan, arena, err);
}

enum gs_status gs_profiles_fold_add(const void *options, struct gs_state *state,
                                    struct gs_fold_host *host, struct gs_err *err)
{
    return gs_profiles_add(options, state->plan, state->table, host, err);
}

/* clang-format off */
const struct gs_fold gs_profiles_fold = {
    .name = "profiles", .views = GS_VIEW_SERIES | GS_VIEW_LOAD | GS_VIEW_PAIRS | GS_VIEW_BY_GPU, .table = gs_profile_tables,
    .n_tables = GS_N_PROFILE_TABLES, .plan = gs_profiles_fold_plan, .add = gs_profiles_fold_add,
};
/* clang-format on */

/* --- the fleet ---------------------------------------------------------------------------------------- */

/* The task times of one GPU, whose records begin at *at; moves *at behind them. */
static enum gs_status collect_tasks(const struct gs_records *table, const union gs_key *gpu,
                                    uint32_t *at, struct gs_gpu_profile *p, struct gs_arena *arena,
                                    struct gs_err *err)
{
    const struct gs_records *const times = &table[GS_PROFILE_TASKS];
    const struct gs_records *const levels = &table[GS_PROFILE_LEVELS];
    /* Both tables are sorted by GPU, so all GPUs together take one pass: `at` never moves back. */
    uint32_t end = *at;
    uint64_t n = 0;
    while (end < times->n &&
           gs_keys_compare("ttt", gs_records_key(times, end, N_TIMES_KEYS), gpu) < 0)
        end = ++*at;
    for (; end < times->n &&
           gs_keys_compare("ttt", gs_records_key(times, end, N_TIMES_KEYS), gpu) == 0;
         end++)
        n += ((const struct times_record *)gs_records_at(times, end))->ns.n;
    GS_TAKE_RAW(p->task, (size_t)n, arena, err);
    if (n > UINT32_MAX)
        return gs_fail_memory(err);
    p->n_tasks = p->n_named = 0;
    for (; *at < end; ++*at) {
        const union gs_key *const key = gs_records_key(times, *at, N_TIMES_KEYS);
        const struct level_record *const level = gs_records_lookup(levels, &key[TIMES_LEVEL]);
        uint32_t kind = levels->n;
        if (level != NULL)
            kind = (uint32_t)(((const char *)level - levels->record) / (ptrdiff_t)levels->stride);
        const struct gs_values *const ns =
            &((const struct times_record *)gs_records_at(times, *at))->ns;
        const bool named = key[TIMES_NAMED].number == 1;
        for (const struct gs_values_block *b = ns->block; b != NULL; b = b->older)
            for (uint32_t i = 0; i < b->n; i++)
                p->task[p->n_tasks++] = (struct gs_profile_task){b->value[i], kind, named};
        if (named)
            p->n_named += (uint32_t)ns->n;
    }
    return GS_OK;
}

enum gs_status gs_fleet_of(const struct gs_records *table, const struct gs_facts *facts,
                           struct gs_arena *arena, struct gs_gpu_list *fleet, struct gs_err *err)
{
    const struct gs_records *const gpus = &table[GS_PROFILE_GPUS];
    const bool kept = table[GS_PROFILE_TASKS].n > 0;
    struct gs_gpu_name *const gpu = gs_arena_take_raw(arena, gpus->n, sizeof *gpu);
    struct gs_gpu_profile *const profile = gs_arena_take(arena, gpus->n, sizeof *profile);
    enum gs_status s = gs_had_memory(gpu != NULL && profile != NULL, err);
    uint32_t n = 0, at = 0;
    for (uint32_t g = 0; s == GS_OK && g < gpus->n; g++) {
        const struct gpu_record *const r = gs_records_at(gpus, g);
        const union gs_key *const key = gs_records_key(gpus, g, 3);
        if (r->n_samples == 0 && r->used.n == 0) /* of a host that was not visited */
            continue;
        gpu[n] = (struct gs_gpu_name){key[0].text, key[1].text, key[2].text};
        struct gs_gpu_profile *const p = &profile[n++];
        *p = (struct gs_gpu_profile){.n_samples = r->n_samples,
                                     .metric = gs_records_tail(gpus, g),
                                     .n_hot = r->n_hot,
                                     .shares_tasks = r->n_shared > 0,
                                     .n_tasks = (uint32_t)r->n_tasks,
                                     .n_named = (uint32_t)r->n_named,
                                     .task_ns = r->task_ns,
                                     .named_ns = r->named_ns,
                                     .n_task_power = r->n_task_power,
                                     .task_power = r->task_power,
                                     .used = r->used,
                                     .span_ns = r->span_ns,
                                     .counted = r->counted,
                                     .card = r->card};
        gs_energy_sum_end_gpu(&p->used); /* all series of a GPU are one */
        if (kept)
            s = collect_tasks(table, key, &at, p, arena, err);
    }
    if (s == GS_OK)
        *fleet = (struct gs_gpu_list){facts, n, gpu, profile, table[GS_PROFILE_LEVELS].n, NULL};
    return s;
}

static int compare_names(const struct gs_gpu_name *a, const struct gs_gpu_name *b)
{
    GS_DIFFER(gs_str_compare(a->host, b->host));
    GS_DIFFER(gs_str_compare(a->serial, b->serial));
    return gs_str_compare(a->uuid, b->uuid);
}

uint32_t gs_fleet_find(const struct gs_gpu_list *fleet, const struct gs_gpu_name *name)
{
    const bool whole = name->serial.ptr == NULL && name->uuid.ptr == NULL;
    size_t lo = 0;
    GS_BISECT(lo, fleet->n_gpus, at, compare_names(&fleet->gpu[at], name) < 0);
    if (lo == fleet->n_gpus || !gs_str_eq(fleet->gpu[lo].host, name->host))
        return GS_NONE;
    if (whole || (gs_str_eq(fleet->gpu[lo].serial, name->serial) &&
                  gs_str_eq(fleet->gpu[lo].uuid, name->uuid)))
        return (uint32_t)lo;
    return GS_NONE;
}

double gs_profile_mean(const struct gs_gpu_profile *p, unsigned m)
{
    const struct gs_profile_sum *const s = &p->metric[m];
    return gs_ratio(s->sum, (gs_i128)s->n * GS_FIXED_ONE);
}

double gs_profile_task_s(const struct gs_gpu_profile *p)
{
    return gs_ratio(p->task_ns, (gs_i128)p->n_tasks * GS_NS_PER_S);
}

/* --- subjects ----------------------------------------------------------------------------------------- */

/* Gives a sum its own metrics, which were those of the host's first GPU. */
static enum gs_status begin_host(struct gs_gpu_profile *sum, uint32_t n_metrics,
                                 struct gs_arena *arena, struct gs_err *err)
{
    GS_NEW_RAW(struct gs_profile_sum, metric, n_metrics, arena, err);
    memcpy(metric, sum->metric, n_metrics * sizeof *metric);
    sum->metric = metric;
    return GS_OK;
}

/* Adds another GPU of a host: of its tasks those that name it, as the first has those that name none. */
static enum gs_status add_gpu(struct gs_gpu_profile *sum, const struct gs_gpu_profile *p,
                              uint32_t n_metrics, struct gs_arena *arena, struct gs_err *err)
{
    sum->n_samples += p->n_samples;
    sum->n_hot += p->n_hot;
    for (uint32_t m = 0; m < n_metrics; m++) {
        sum->metric[m].n += p->metric[m].n;
        sum->metric[m].sum += p->metric[m].sum;
    }
    sum->n_task_power += p->n_task_power;
    sum->task_power += p->task_power;
    if (sum->task != NULL && p->n_named > 0) {
        GS_NEW_RAW(struct gs_profile_task, all, (size_t)sum->n_tasks + p->n_named, arena, err);
        size_t n = sum->n_tasks;
        memcpy(all, sum->task, n * sizeof *all);
        for (uint32_t i = 0; i < p->n_tasks; i++)
            if (p->task[i].named)
                all[n++] = p->task[i];
        sum->task = all;
    }
    sum->n_tasks += p->n_named;
    sum->task_ns += p->named_ns;
    return GS_OK;
}

enum gs_status gs_subjects_of(const struct gs_gpu_list *fleet, struct gs_arena *arena,
                              struct gs_subjects *subjects, struct gs_err *err)
{
    const struct gs_gpu_profile *const profile = fleet->profile;
    const uint32_t n_metrics = fleet->facts->n_metrics;
    struct gs_subjects u = {.subject = gs_arena_take_raw(arena, fleet->n_gpus, sizeof *u.subject)};
    GS_TRY(gs_had_memory(u.subject != NULL, err));
    for (uint32_t g = 0; g < fleet->n_gpus; g++) {
        /* GPUs are sorted by host, so the GPUs of a host are neighbours. */
        const bool again = g > 0 && profile[g].shares_tasks &&
                           gs_str_eq(fleet->gpu[g - 1].host, fleet->gpu[g].host);
        if (again) {
            struct gs_subject *const subject = &u.subject[u.n - 1];
            if (subject->n_gpus == 1)
                GS_TRY(begin_host(&subject->sum, n_metrics, arena, err));
            u.n_hosts += subject->n_gpus == 1;
            subject->n_gpus++;
            GS_TRY(add_gpu(&subject->sum, &profile[g], n_metrics, arena, err));
        } else {
            u.subject[u.n++] = (struct gs_subject){.first_gpu = g, .n_gpus = 1, .sum = profile[g]};
        }
    }
    *subjects = u;
    return GS_OK;
}

void gs_subject_name(const struct gs_gpu_list *fleet, const struct gs_subject *u,
                     struct gs_frame *f, size_t row, size_t column)
{
    const struct gs_gpu_name *const gpu = &fleet->gpu[u->first_gpu];
    gs_frame_set_text(f, row, column, gpu->host);
    if (u->n_gpus > 1)
        return;
    gs_frame_set_text(f, row, column + 1, gpu->serial);
    gs_frame_set_text(f, row, column + 2, gpu->uuid);
}

void gs_subjects_note(const struct gs_subjects *subjects, struct gs_frames *out)
{
    if (subjects->n_hosts > 0)
        gs_note(
            &out->notes, GS_NOTE_INFO,
            "%zu %s several GPUs and events that name none: each host is one point, not its GPUs",
            subjects->n_hosts, gs_plural(subjects->n_hosts, "host has", "hosts have"));
}
