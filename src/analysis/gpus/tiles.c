/* tiles.c - pairs brought to the tiles of one zoom level. */
#include "analysis/gpus/tile_sums.h"

#include <stdlib.h>

#include "analysis/timeline/counts.h"
#include "analysis/energy/pair_energy.h"
#include "base/core/key_sort.h"
#include "base/num/order.h"

/* Where in the picture something is. */
struct place {
    int64_t x, y;
    uint32_t number; /* of what */
};

static const struct gs_field place_fields[] = {
    {GS_FIELD_GREATEST, offsetof(struct gs_tile_place, there)}};
static const struct gs_field level_fields[] = {
    {GS_FIELD_GREATEST, offsetof(struct gs_tile_level, level)}};

static const struct gs_records_spec place_spec = {
    GS_RECORDS("places", "ii", struct gs_tile_place, place_fields)};
static const struct gs_records_spec level_spec = {
    GS_RECORDS("level", "", struct gs_tile_level, level_fields)};

/* For adding. */
struct plan {
    uint32_t event;
    int64_t level;
    struct gs_frame *rows; /* without any */
    struct gs_profile_options profile_options;
    struct gs_profile_plan profiles;
};

static bool wants_samples(const struct gs_tiles_options *o)
{
    return o->value == GS_TILE_ENERGY || o->value == GS_TILE_POWER;
}

/* --- the level ---------------------------------------------------------------------------------------- */

static enum gs_status unknown_level(const int64_t *level, size_t n, int64_t wanted,
                                    struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf b = {.arena = &own};
    for (size_t k = 0; k < n && k < 20; k++)
        gs_buf_format(&b, "%s%lld", gs_text_if(k > 0, ", "), (long long)level[k]);
    gs_buf_text_if(&b, n > 20, ", ...");
    const char *levels = gs_buf_whole(&b);
    if (n == 0)
        levels = "none";
    else if (levels == NULL)
        levels = "others";
    return gs_fail(err, GS_ERR_USAGE, "--level: no tasks at level %lld; the task table has %s",
                   (long long)wanted, levels);
}

static size_t find(const int64_t *level, size_t n, int64_t v)
{
    size_t lo = 0;
    while (lo < n && level[lo] < v)
        lo++;
    if (lo < n && level[lo] == v)
        return lo;
    return n;
}

static enum gs_status choose_level(const struct gs_dataset *d, int64_t wanted, struct gs_arena *own,
                                   int64_t *chosen, struct gs_err *err)
{
    const struct gs_table *const t = &d->table[GS_TABLE_TASKS];
    int64_t *level;
    size_t n, most = 0;
    GS_TRY(gs_levels(d, own, &level, &n, err));
    if (n == 0)
        return gs_fail(err, GS_ERR_DATA,
                       "the task table has no row with a level: there are no tiles to map");
    if (wanted != GS_MISSING) {
        *chosen = wanted;
        if (find(level, n, wanted) == n)
            return unknown_level(level, n, wanted, err);
        return GS_OK;
    }
    GS_NEW(uint64_t, count, n, own, err);
    for (uint32_t k = 0; k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++)
            count[find(level, n, gs_segment_value(&t->segment[k], i, GS_TASK_LEVEL))]++;
    for (size_t k = 1; k < n; k++)
        /*
         * The level with the most tasks; of equals the highest, because later ones replace earlier
         * ones.
         */
        if (count[k] >= count[most])
            most = k;
    *chosen = level[most];
    return GS_OK;
}

GS_COMPARES(by_place, struct place, GS_BY(x) GS_BY(y));

/* Sorts places by (x, y). A picture is small: both, and which place it was, mostly fit one word. */
static enum gs_status sort_places(struct place *all, size_t n, struct gs_arena *own,
                                  struct gs_err *err)
{
    int64_t least[2] = {INT64_MAX, INT64_MAX}, most[2] = {INT64_MIN, INT64_MIN};
    for (size_t i = 0; i < n; i++) {
        least[0] = gs_min(all[i].x, least[0]);
        most[0] = gs_max(all[i].x, most[0]);
        least[1] = gs_min(all[i].y, least[1]);
        most[1] = gs_max(all[i].y, most[1]);
    }
    unsigned bits[2] = {0}, number_bits = 0;
    for (int k = 0; k < 2; k++)
        while (n > 0 && bits[k] < 64 && ((uint64_t)most[k] - (uint64_t)least[k]) >> bits[k] != 0)
            bits[k]++;
    while (n >> number_bits != 0)
        number_bits++;
    /*
     * Coordinates from a file can span all of int64. Then nothing fits one word and qsort does the
     * work; equal places may come in any order, since their sums do not depend on it.
     */
    if (bits[0] + bits[1] + number_bits > 63 || n > UINT32_MAX) {
        qsort(all, n, sizeof *all, by_place);
        return GS_OK;
    }
    GS_NEW_RAW(uint64_t, key, n * 2, own, err);
    GS_NEW_RAW(struct place, unsorted, n, own, err);
    for (size_t i = 0; i < n; i++) {
        unsorted[i] = all[i];
        key[i] = (((uint64_t)all[i].x - (uint64_t)least[0]) << bits[1] |
                  ((uint64_t)all[i].y - (uint64_t)least[1]))
                     << number_bits |
                 i;
    }
    gs_key_sort(key, key + n, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        all[i] = unsorted[key[i] & ((UINT64_C(1) << number_bits) - 1)];
    return GS_OK;
}

/* The distinct places of the level. */
static enum gs_status plan_places(const struct gs_dataset *d, int64_t level,
                                  struct gs_records *places, struct gs_arena *arena,
                                  struct gs_arena *own, struct gs_err *err)
{
    const struct gs_table *const t = &d->table[GS_TABLE_TASKS];
    GS_NEW_RAW(struct place, all, t->n_rows, own, err);
    uint32_t n = 0, n_distinct = 0;
    for (uint32_t k = 0; k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            const struct gs_segment *const s = &t->segment[k];
            if (gs_segment_value(s, i, GS_TASK_LEVEL) == level)
                all[n++] = (struct place){gs_segment_value(s, i, GS_TASK_X),
                                          gs_segment_value(s, i, GS_TASK_Y), 0};
        }
    enum gs_status s = sort_places(all, n, own, err);
    for (uint32_t i = 0; s == GS_OK && i < n; i++)
        if (n_distinct == 0 || by_place(&all[n_distinct - 1], &all[i]) != 0)
            all[n_distinct++] = all[i];
    union gs_key *const key = gs_arena_take_raw(arena, (size_t)n_distinct * 2, sizeof *key);
    GS_THEN(s, gs_had_memory(key != NULL, err));
    GS_THEN(s, gs_records_plan(places, key, n_distinct, arena, err));
    for (uint32_t i = 0; s == GS_OK && i < n_distinct; i++) {
        key[2 * (size_t)i].number = all[i].x;
        key[2 * (size_t)i + 1].number = all[i].y;
        ((struct gs_tile_place *)gs_records_at(places, i))->there = 1;
    }
    return s;
}

static enum gs_status make_plan(const void *options, const struct gs_dataset *d,
                                struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_tiles_options *const o = options;
    GS_OWN struct gs_arena own = {0};
    GS_NEW(struct plan, plan, 1, arena, err);
    state->plan = plan;
    GS_TRY(gs_event_number(d, o->event, &plan->event, err));
    GS_TRY(choose_level(d, o->level, &own, &plan->level, err));
    /*
     * Places come from the task table. With a memory limit several passes read the same files, and
     * an earlier pass has planned them already.
     */
    if (!d->is_rest)
        GS_TRY(plan_places(d, plan->level, &state->table[GS_TILE_PLACES], arena, &own, err));
    ((struct gs_tile_level *)gs_records_at(&state->table[GS_TILE_LEVEL], 0))->level = plan->level;
    plan->profile_options = (struct gs_profile_options){.event = o->event, .hot = INT64_MAX};
    GS_TRY(gs_tile_rows_new(wants_samples(o), arena, &plan->rows, err));
    state->rows.types = gs_row_types(plan->rows, arena);
    GS_TRY(gs_had_memory(state->rows.types != NULL, err));
    if (o->value != GS_TILE_CLUSTER)
        return GS_OK;
    return gs_profiles_plan(&plan->profile_options, d, &state->table[GS_TILE_PROFILES],
                            &plan->profiles, arena, err);
}

/* --- the visit ---------------------------------------------------------------------------------------- */

/* The pairs that rendered a tile of the level, by its place; NULL without memory. */
static struct place *places_of(const struct plan *plan, const struct gs_fold_host *host,
                               uint32_t *n, struct gs_err *err)
{
    const struct gs_dataset *const d = host->d;
    const struct gs_host_view *const h = host->view;
    const struct gs_table *const tasks = &d->table[GS_TABLE_TASKS];
    struct place *const place = gs_arena_take_raw(host->scratch, h->n_pairs, sizeof *place);
    *n = 0;
    for (uint32_t p = 0; place != NULL && p < h->n_pairs; p++) {
        const struct gs_pair *const pair = &h->pair[p];
        if (!gs_pair_is(d, pair, plan->event))
            continue;
        const uint32_t row = gs_dataset_task_row(d, pair->task, pair->job);
        if (row != GS_NONE && gs_table_value(tasks, row, GS_TASK_LEVEL) == plan->level)
            place[(*n)++] = (struct place){gs_table_value(tasks, row, GS_TASK_X),
                                           gs_table_value(tasks, row, GS_TASK_Y), p};
    }
    if (place == NULL)
        (void)gs_fail_memory(err);
    return place == NULL || sort_places(place, *n, host->scratch, err) != GS_OK ? NULL : place;
}

static void add_pair(struct gs_tile_sums *t, const struct gs_fold_host *host,
                     const struct gs_pair *pair)
{
    const struct gs_dataset *const d = host->d;
    const uint32_t number = gs_pair_gpu(d, host->view->host, pair);
    struct gs_first first = {true, pair->start_ns, {d->host.text[host->view->host]}};
    if (number != GS_NONE) {
        first.name[1] = d->gpu[number].serial;
        first.name[2] = d->gpu[number].uuid;
    }
    t->n++;
    t->duration_ns += gs_pair_ns(pair);
    gs_first_merge(&t->first, &first);
}

/* A pair is one, however many GPUs it uses: its energy is a mean over pairs. */
static void add_use(struct gs_energy_sum *sum, struct gs_energy_sum one)
{
    one.n = one.n > 0;
    one.n_cut = one.n_cut > 0;
    gs_energy_sum_merge(sum, &one);
}

/* The host's tiles as rows; `use`: of each pair, NULL where nothing is asked of the samples. */
static enum gs_status add_rows(struct gs_state *state, const struct gs_fold_host *host,
                               const struct place *place, uint32_t n, const struct gs_joined *use,
                               struct gs_err *err)
{
    const struct plan *const plan = state->plan;
    struct gs_column *const cells = gs_rows_append(plan->rows, n, host->scratch);
    size_t n_tiles = 0;
    GS_TRY(gs_had_memory(cells != NULL, err));
    for (uint32_t i = 0, end; i < n; i = end) {
        struct gs_tile_sums sums = {0};
        struct gs_energy_sum energy = {0};
        for (end = i; end < n && by_place(&place[i], &place[end]) == 0; end++) {
            add_pair(&sums, host, &host->view->pair[place[end].number]);
            if (use != NULL)
                add_use(&energy, gs_joined_alone(host->view, &use[place[end].number]));
        }
        gs_tile_row_set(cells, n_tiles++, place[i].x, place[i].y, &sums,
                        use == NULL ? NULL : &energy);
    }
    return gs_host_rows_add(&state->rows, host->d->host.text[host->view->host], cells, n_tiles,
                            host->arena, err);
}

static enum gs_status add_host(const void *options, struct gs_state *state,
                               struct gs_fold_host *host, struct gs_err *err)
{
    const struct gs_tiles_options *const o = options;
    const struct plan *const plan = state->plan;
    const struct gs_host_view *const h = host->view;
    const struct gs_join_options join = {.join = GS_JOIN_WINDOW, .max_gap_ns = o->max_gap_ns};
    struct gs_joined *use = NULL;
    uint32_t n;
    if (wants_samples(o)) {
        GS_TAKE(use, h->n_pairs, host->scratch, err);
        GS_TRY(gs_pair_energies(h, &join, host->scratch, use, err));
    }
    const struct place *const place = places_of(plan, host, &n, err);
    if (place == NULL)
        return GS_ERR_MEMORY;
    GS_TRY(add_rows(state, host, place, n, use, err));
    if (o->value == GS_TILE_CLUSTER)
        GS_TRY(gs_profiles_add(&plan->profile_options, &plan->profiles,
                               &state->table[GS_TILE_PROFILES], host, err));
    return GS_OK;
}

static const struct gs_records_spec *const tables[GS_N_TILE_TABLES] = {
    [GS_TILE_PLACES] = &place_spec,
    [GS_TILE_LEVEL] = &level_spec,
    [GS_TILE_PROFILES + GS_PROFILE_GPUS] = &gs_profile_specs[GS_PROFILE_GPUS],
    [GS_TILE_PROFILES + GS_PROFILE_TASKS] = &gs_profile_specs[GS_PROFILE_TASKS],
    [GS_TILE_PROFILES + GS_PROFILE_LEVELS] = &gs_profile_specs[GS_PROFILE_LEVELS],
    [GS_TILE_PROFILES + GS_PROFILE_LOADS] = &gs_load_spec,
};

/* clang-format off */
const struct gs_fold gs_tiles_fold = {
    .name = "tiles", .views = GS_VIEW_SAMPLES | GS_VIEW_SERIES | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = tables, .n_tables = GS_N_TILE_TABLES, .has_rows = true, .layout = 1,
    .plan = make_plan, .add = add_host, .finish = gs_tiles_finish,
};
/* clang-format on */
