/* tiles.c - pairs brought to the tiles of one zoom level. */
#include "analysis/gpus/tile_sums.h"

#include "analysis/timeline/counts.h"
#include "analysis/energy/pair_energy.h"
#include "base/num/order.h"

static const struct gs_field place_fields[] = {
    {GS_FIELD_GREATEST, offsetof(struct gs_tile_place, there)}};
static const struct gs_field level_fields[] = {
    {GS_FIELD_GREATEST, offsetof(struct gs_tile_level, level)}};

/* What a host did on a tile, while it is visited. */
struct tile {
    struct gs_tile_sums sums;
    struct gs_energy_sum used;
};

static const struct gs_records_spec place_spec = {
    GS_RECORDS("places", "ii", struct gs_tile_place, place_fields)};
static const struct gs_records_spec level_spec = {
    GS_RECORDS("level", "", struct gs_tile_level, level_fields)};
static const struct gs_records_spec tile_spec = {
    .name = "tiles", .key = "ii", .size = sizeof(struct tile)};

/* For adding. */
struct plan {
    uint32_t event;
    int64_t level;
    struct gs_frame *rows; /* without any */
    struct gs_profile_options profile_options;
    struct gs_profile_plan profiles;
};

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

/* The distinct places of the level. */
static enum gs_status plan_places(const struct gs_dataset *d, int64_t level,
                                  struct gs_records *places, struct gs_arena *arena,
                                  struct gs_err *err)
{
    const struct gs_table *const t = &d->table[GS_TABLE_TASKS];
    for (uint32_t k = 0; k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            const struct gs_segment *const s = &t->segment[k];
            if (gs_segment_value(s, i, GS_TASK_LEVEL) != level)
                continue;
            const union gs_key key[] = {{.number = gs_segment_value(s, i, GS_TASK_X)},
                                        {.number = gs_segment_value(s, i, GS_TASK_Y)}};
            struct gs_tile_place *const place = gs_records_find(places, key, arena);
            GS_TRY(gs_had_memory(place != NULL, err));
            place->there = 1;
        }
    return GS_OK;
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
        GS_TRY(plan_places(d, plan->level, &state->table[GS_TILE_PLACES], arena, err));
    ((struct gs_tile_level *)gs_records_at(&state->table[GS_TILE_LEVEL], 0))->level = plan->level;
    plan->profile_options = (struct gs_profile_options){.event = o->event, .hot = INT64_MAX};
    GS_TRY(gs_tile_rows_new(arena, &plan->rows, err));
    state->rows.types = gs_row_types(plan->rows, arena);
    GS_TRY(gs_had_memory(state->rows.types != NULL, err));
    if (o->value != GS_TILE_CLUSTER)
        return GS_OK;
    return gs_profiles_plan(&plan->profile_options, d, &state->table[GS_TILE_PROFILES],
                            &plan->profiles, arena, err);
}

/* --- the visit ---------------------------------------------------------------------------------------- */

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

/* The pairs of a host that rendered a tile of the level, by its place; `use`: of each pair, NULL where it was not asked for. */
static enum gs_status find_tiles(const struct plan *plan, const struct gs_fold_host *host,
                                 const struct gs_joined *use, struct gs_records *tiles,
                                 struct gs_err *err)
{
    const struct gs_dataset *const d = host->d;
    const struct gs_host_view *const h = host->view;
    GS_TRY(gs_records_init(tiles, &tile_spec, NULL, 0, 0, host->scratch, err));
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        const struct gs_pair *const pair = &h->pair[p];
        if (!gs_pair_is(d, pair, plan->event))
            continue;
        const uint32_t row = gs_dataset_task_row(d, pair->task, pair->job);
        if (row == GS_NONE || gs_task_value(d, row, GS_TASK_LEVEL) != plan->level)
            continue;
        const union gs_key key[] = {{.number = gs_task_value(d, row, GS_TASK_X)},
                                    {.number = gs_task_value(d, row, GS_TASK_Y)}};
        struct tile *const tile = gs_records_find(tiles, key, host->scratch);
        GS_TRY(gs_had_memory(tile != NULL, err));
        add_pair(&tile->sums, host, pair);
        if (use != NULL)
            add_use(&tile->used, gs_joined_alone(h, &use[p]));
    }
    return gs_records_settle(tiles, host->scratch, err);
}

/* The host's tiles as rows. */
static enum gs_status add_rows(struct gs_state *state, const struct gs_fold_host *host,
                               const struct gs_records *tiles, bool energy, struct gs_err *err)
{
    const struct plan *const plan = state->plan;
    struct gs_column *const cells = gs_rows_append(plan->rows, tiles->n, host->scratch);
    bool had = cells != NULL;
    for (uint32_t i = 0; had && i < tiles->n; i++) {
        const struct tile *const tile = gs_records_at(tiles, i);
        had = gs_tile_row_set(cells, i, gs_records_key(tiles, i, 2), &tile->sums,
                              energy ? &tile->used : NULL, host->scratch);
    }
    GS_TRY(gs_had_memory(had, err));
    return gs_host_rows_add(&state->rows, host->d->host.text[host->view->host], cells, tiles->n,
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
    struct gs_records tiles = {.seed = host->d->seed};
    if (gs_tile_needs_samples(o->value)) {
        GS_TAKE(use, h->n_pairs, host->scratch, err);
        GS_TRY(gs_pair_energies(h, &join, host->scratch, use, err));
    }
    GS_TRY(find_tiles(plan, host, use, &tiles, err));
    GS_TRY(add_rows(state, host, &tiles, use != NULL, err));
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
    .name = "tiles", .views = GS_VIEW_SAMPLES | GS_VIEW_SERIES | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = tables, .n_tables = GS_N_TILE_TABLES, .has_rows = true, .layout = 2,
    .plan = make_plan, .add = add_host, .finish = gs_tiles_finish,
};
/* clang-format on */
