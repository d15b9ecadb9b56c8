/* tiles.c - pairs brought to the tiles of one zoom level. */
#include "fleet/tiles.h"

#include <math.h>
#include <stdlib.h>

#include "num/dd.h"
#include "view/counts.h"
#include "view/pair_energy.h"
#include "os/parallel.h"
#include "num/timestamp.h"
#include "base/key_sort.h"
#include "model/prose.h"

enum { COL_X, COL_Y, COL_N, COL_VALUE, N_COLUMNS, COL_LOW = N_COLUMNS, COL_HIGH, N_COLUMNS_ENERGY };

static const struct gs_column_spec columns[] = {
    {"x", "x", "", GS_TYPE_INT, 0, "column of the tile in the task table", true},
    {"y", "y", "", GS_TYPE_INT, 0, "row of the tile in the task table", true},
    {"n", "n", "", GS_TYPE_INT, 0, "pairs of --event that rendered the tile", false},
};
static const struct gs_column_spec value_columns[] = {
    [GS_TILE_DURATION] = {"duration_ms", "duration", "ms", GS_TYPE_REAL, 0,
                          "mean of STOP - START over the tile's pairs", false},
    [GS_TILE_ENERGY] = {"energy_j", "energy", "J", GS_TYPE_REAL, 1,
                        "mean over the tile's pairs that have one of the trapezoid of power over [START, STOP], no gap "
                        "longer than --max-gap bridged",
                        false},
    [GS_TILE_POWER] = {"power_mean_w", "power", "W", GS_TYPE_REAL, 2,
                       "energy of the tile's pairs over their covered time", false},
    [GS_TILE_HOST] = {"hostname", "host", "", GS_TYPE_TEXT, 0, "host that rendered the tile, of several the first",
                      false},
    [GS_TILE_CLUSTER] = {"cluster", "population", "", GS_TYPE_INT, 0,
                         "cluster (see gpustat clusters) of the GPU that rendered the tile, of several the first",
                         true},
};

/* Behind an energy. */
/* clang-format off */
static const struct gs_column_spec interval_columns[N_COLUMNS_ENERGY - N_COLUMNS] = {
    {"energy_low_j", "low", "J", GS_TYPE_REAL, 1, "lower end of the 95 % interval of energy_j: " GS_ENERGY_INTERVAL_HOW, false},
    {"energy_high_j", "high", "J", GS_TYPE_REAL, 1, "upper end of that interval", false},
};
/* clang-format on */

struct place {
    int64_t x, y;
    uint32_t row;
};

/* What one tile has. */
struct tile {
    uint64_t n, n_energy;
    gs_i128 duration_ns, energy, covered_ns;
    struct gs_energy_error error;
    int64_t there;         /* 1: the task table has it */
    struct gs_first first; /* pair: host, and serial and UUID where it is known which GPU */
};

/* The level, the same in every state. */
struct chosen {
    int64_t level;
};

/* Tiles by (x, y), the level, and the profiles where clusters are asked for. */
enum { TILES, LEVEL, PROFILES, N_TABLES = PROFILES + GS_N_PROFILE_TABLES };

static const struct gs_field tile_fields[] = {
    {GS_FIELD_COUNT, offsetof(struct tile, n)},         {GS_FIELD_COUNT, offsetof(struct tile, n_energy)},
    {GS_FIELD_SUM, offsetof(struct tile, duration_ns)}, {GS_FIELD_SUM, offsetof(struct tile, energy)},
    {GS_FIELD_SUM, offsetof(struct tile, covered_ns)},  GS_ENERGY_ERROR_FIELDS(struct tile, error),
    {GS_FIELD_GREATEST, offsetof(struct tile, there)},  {GS_FIELD_FIRST, offsetof(struct tile, first)},
};
static const struct gs_field chosen_fields[] = {{GS_FIELD_GREATEST, offsetof(struct chosen, level)}};

/* clang-format off */
static const struct gs_records_spec tile_spec = {
    .name = "tiles", .key = "ii", .size = sizeof(struct tile), GS_FIELDS(tile_fields),
};
static const struct gs_records_spec chosen_spec = {
    .name = "level", .key = "", .size = sizeof(struct chosen), GS_FIELDS(chosen_fields),
};
/* clang-format on */

/* For adding. */
struct plan {
    uint32_t event;
    uint32_t *tile_of_row; /* [rows of the task table], GS_NONE: elsewhere */
    struct gs_profile_options profile_options;
    struct gs_profile_plan profiles;
};

static bool wants_samples(const struct gs_tiles_options *o)
{
    return o->value == GS_TILE_ENERGY || o->value == GS_TILE_POWER;
}

/* --- the level ---------------------------------------------------------------------------------------- */

static enum gs_status unknown_level(const int64_t *level, size_t n, int64_t wanted, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct gs_buf b = {.arena = &own};
    for (size_t k = 0; k < n && k < 20; k++)
        gs_buf_format(&b, "%s%lld", k > 0 ? ", " : "", (long long)level[k]);
    if (n > 20)
        gs_buf_text(&b, ", ...");
    const enum gs_status s =
        gs_fail(err, GS_ERR_USAGE, "--level: no tasks at level %lld; the task table has %s", (long long)wanted,
                n == 0     ? "none"
                : b.failed ? "others"
                           : b.ptr);
    gs_arena_release(&own);
    return s;
}

static size_t find(const int64_t *level, size_t n, int64_t v)
{
    size_t lo = 0;
    while (lo < n && level[lo] < v)
        lo++;
    return lo < n && level[lo] == v ? lo : n;
}

static enum gs_status choose_level(const struct gs_dataset *d, int64_t wanted, struct gs_arena *own, int64_t *chosen,
                                   struct gs_err *err)
{
    const struct gs_table *const t = &d->table[GS_TABLE_TASKS];
    int64_t *level;
    size_t n, most = 0;
    const enum gs_status s = gs_levels(d, own, &level, &n, err);
    if (s != GS_OK)
        return s;
    if (n == 0)
        return gs_fail(err, GS_ERR_DATA, "the task table has no row with a level: there are no tiles to map");
    if (wanted != GS_MISSING) {
        *chosen = wanted;
        return find(level, n, wanted) < n ? GS_OK : unknown_level(level, n, wanted, err);
    }
    uint64_t *const count = gs_arena_take(own, n, sizeof *count);
    if (count == NULL)
        return gs_fail_memory(err);
    for (uint32_t k = 0; k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++)
            count[find(level, n, gs_segment_value(&t->segment[k], i, GS_TASK_LEVEL))]++;
    for (size_t k = 1; k < n; k++)
        most = count[k] >= count[most] ? k : most;
    *chosen = level[most];
    return GS_OK;
}

static int by_place(const void *a, const void *b)
{
    const struct place *const p = a, *const q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Sorts places by (x, y). A picture is small: both, and which place it was, mostly fit one word. */
static enum gs_status sort_places(struct place *all, size_t n, struct gs_arena *own, struct gs_err *err)
{
    int64_t least[2] = {INT64_MAX, INT64_MAX}, most[2] = {INT64_MIN, INT64_MIN};
    for (size_t i = 0; i < n; i++) {
        least[0] = all[i].x < least[0] ? all[i].x : least[0];
        most[0] = all[i].x > most[0] ? all[i].x : most[0];
        least[1] = all[i].y < least[1] ? all[i].y : least[1];
        most[1] = all[i].y > most[1] ? all[i].y : most[1];
    }
    unsigned bits[2] = {0}, number_bits = 0;
    for (int k = 0; k < 2; k++)
        while (n > 0 && bits[k] < 64 && ((uint64_t)most[k] - (uint64_t)least[k]) >> bits[k] != 0)
            bits[k]++;
    while (n >> number_bits != 0)
        number_bits++;
    if (bits[0] + bits[1] + number_bits > 63 || n > UINT32_MAX) {
        qsort(all, n, sizeof *all, by_place);
        return GS_OK;
    }
    uint64_t *const key = gs_arena_take_raw(own, n * 2, sizeof *key);
    struct place *const unsorted = gs_arena_take_raw(own, n, sizeof *unsorted);
    if (key == NULL || unsorted == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        unsorted[i] = all[i];
        key[i] = (((uint64_t)all[i].x - (uint64_t)least[0]) << bits[1] | ((uint64_t)all[i].y - (uint64_t)least[1]))
                     << number_bits |
                 i;
    }
    gs_key_sort(key, key + n, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        all[i] = unsorted[key[i] & ((UINT64_C(1) << number_bits) - 1)];
    return GS_OK;
}

/* The distinct places of the level, as keys, and which of them each row of the task table is. */
static enum gs_status lay_out(struct plan *plan, const struct gs_dataset *d, int64_t level, struct gs_records *tiles,
                              struct gs_arena *arena, struct gs_arena *own, struct gs_err *err)
{
    const struct gs_table *const t = &d->table[GS_TABLE_TASKS];
    const size_t n_rows = (size_t)t->n_segments << GS_SEGMENT_BITS;
    struct place *const all = gs_arena_take_raw(own, t->n_rows, sizeof *all);
    plan->tile_of_row = gs_arena_take_raw(arena, n_rows, sizeof *plan->tile_of_row);
    if (all == NULL || plan->tile_of_row == NULL)
        return gs_fail_memory(err);
    size_t n = 0, n_tiles = 0;
    for (size_t row = 0; row < n_rows; row++)
        plan->tile_of_row[row] = GS_NONE;
    for (uint32_t k = 0; k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            const struct gs_segment *const s = &t->segment[k];
            if (gs_segment_value(s, i, GS_TASK_LEVEL) == level)
                all[n++] = (struct place){gs_segment_value(s, i, GS_TASK_X), gs_segment_value(s, i, GS_TASK_Y),
                                          k << GS_SEGMENT_BITS | i};
        }
    const enum gs_status s = sort_places(all, n, own, err);
    union gs_key *const key = gs_arena_take_raw(arena, n * 2, sizeof *key);
    if (s == GS_OK && key == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; s == GS_OK && i < n; i++) {
        if (n_tiles == 0 || key[2 * n_tiles - 2].number != all[i].x || key[2 * n_tiles - 1].number != all[i].y) {
            key[2 * n_tiles].number = all[i].x;
            key[2 * n_tiles + 1].number = all[i].y;
            n_tiles++;
        }
        plan->tile_of_row[all[i].row] = (uint32_t)(n_tiles - 1);
    }
    return s == GS_OK ? gs_records_init(tiles, &tile_spec, key, (uint32_t)n_tiles, 0, arena, err) : s;
}

static enum gs_status make_plan(const void *options, const struct gs_dataset *d, struct gs_state *state,
                                struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_tiles_options *const o = options;
    struct gs_arena own = {0};
    struct plan *const plan = gs_arena_take(arena, 1, sizeof *plan);
    int64_t level = GS_MISSING;
    enum gs_status s = plan == NULL ? gs_fail_memory(err) : gs_event_number(d, o->event, &plan->event, err);
    state->plan = plan;
    if (s == GS_OK)
        s = choose_level(d, o->level, &own, &level, err);
    if (s == GS_OK)
        s = lay_out(plan, d, level, &state->table[TILES], arena, &own, err);
    if (s == GS_OK)
        s = gs_records_init(&state->table[LEVEL], &chosen_spec, NULL, 1, 0, arena, err);
    for (uint32_t k = 0; s == GS_OK && k < state->table[TILES].n; k++)
        ((struct tile *)gs_records_at(&state->table[TILES], k))->there = 1;
    if (s == GS_OK) {
        ((struct chosen *)gs_records_at(&state->table[LEVEL], 0))->level = level;
        plan->profile_options = (struct gs_profile_options){.event = o->event, .hot = INT64_MAX};
    }
    for (int k = 0; s == GS_OK && k < GS_N_PROFILE_TABLES; k++)
        s = gs_records_init(&state->table[PROFILES + k], &gs_profile_specs[k], NULL, 0, d->n_metrics, arena, err);
    if (s == GS_OK && o->value == GS_TILE_CLUSTER)
        s = gs_profiles_plan(&plan->profile_options, d, &state->table[PROFILES], &plan->profiles, arena, err);
    gs_arena_release(&own);
    return s;
}

/* --- the visit ---------------------------------------------------------------------------------------- */

static enum gs_status add_host(const void *options, struct gs_state *state, struct gs_fold_host *host,
                               struct gs_err *err)
{
    const struct gs_tiles_options *const o = options;
    const struct plan *const plan = state->plan;
    const struct gs_dataset *const d = host->d;
    const struct gs_host_view *const h = host->view;
    const struct gs_join_options join = {.join = GS_JOIN_WINDOW, .max_gap_ns = o->max_gap_ns};
    struct gs_joined *const use = gs_arena_take(host->scratch, h->n_pairs, sizeof *use);
    enum gs_status s = use == NULL        ? gs_fail_memory(err)
                       : wants_samples(o) ? gs_pair_energies(h, &join, host->scratch, use, err)
                                          : GS_OK;
    for (uint32_t p = 0; s == GS_OK && p < h->n_pairs; p++) {
        const struct gs_pair *const pair = &h->pair[p];
        const uint32_t row = pair->event == plan->event ? gs_dataset_task_row(d, pair->task, pair->job) : GS_NONE;
        if (row == GS_NONE || plan->tile_of_row[row] == GS_NONE)
            continue;
        struct tile *const tile = gs_records_at(&state->table[TILES], plan->tile_of_row[row]);
        const uint32_t gpu = gs_pair_gpu(d, h->host, pair);
        const struct gs_first first = {true,
                                       pair->start_ns,
                                       {d->host.text[h->host], gpu == GS_NONE ? (struct gs_str){0} : d->gpu[gpu].serial,
                                        gpu == GS_NONE ? (struct gs_str){0} : d->gpu[gpu].uuid}};
        tile->n++;
        tile->n_energy += use[p].covered_ns > 0;
        tile->duration_ns += gs_pair_ns(pair);
        tile->energy += use[p].energy;
        tile->covered_ns += use[p].covered_ns;
        gs_energy_error_merge(&tile->error, &use[p].error);
        gs_first_merge(&tile->first, &first);
    }
    if (s == GS_OK && o->value == GS_TILE_CLUSTER)
        s = gs_profiles_add(&plan->profile_options, &plan->profiles, &state->table[PROFILES], host, err);
    return s;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static double number_of(enum gs_tile_value value, const struct tile *t)
{
    switch (value) {
    case GS_TILE_DURATION:
        return t->n == 0 ? (double)NAN : gs_dd_to_double(gs_dd_ratio(t->duration_ns, (gs_i128)t->n * GS_NS_PER_MS));
    case GS_TILE_ENERGY:
        return t->n_energy == 0
                   ? (double)NAN
                   : gs_dd_to_double(gs_dd_div(gs_dd_ratio(t->energy, GS_ENERGY_PER_J), gs_dd_of((double)t->n_energy)));
    case GS_TILE_POWER:
        return t->covered_ns <= 0 ? (double)NAN
                                  : gs_dd_to_double(gs_dd_div(gs_dd_ratio(t->energy, GS_ENERGY_PER_J),
                                                              gs_dd_ratio(t->covered_ns, GS_NS_PER_S)));
    case GS_TILE_HOST:
    case GS_TILE_CLUSTER:
        break;
    }
    return NAN;
}

/* Where rows come from. */
struct filling {
    const struct gs_tiles_options *o;
    const struct gs_records *tiles;
    const struct gs_fleet *fleet;
    const struct gs_clusters *clusters; /* NULL unless asked for */
    struct gs_frame *frame;
    uint32_t *tile; /* [n_rows] those that the table has */
    size_t n_rows;
};

/* All GPUs of a host whose tasks name none are of one cluster. */
static uint32_t cluster_of(const struct filling *f, const struct tile *t)
{
    const struct gs_gpu_name name = {t->first.name[0], t->first.name[1], t->first.name[2]};
    const uint32_t gpu = t->n == 0 ? GS_NONE : gs_fleet_find(f->fleet, &name);
    return gpu == GS_NONE ? GS_NONE : f->clusters->of_gpu[gpu];
}

static void set_value(const struct filling *f, size_t row, const struct tile *t)
{
    const uint32_t cluster = f->clusters == NULL ? GS_NONE : cluster_of(f, t);
    if (f->o->value == GS_TILE_HOST && t->n > 0)
        gs_frame_set_text(f->frame, row, COL_VALUE, t->first.name[0]);
    else if (f->o->value == GS_TILE_CLUSTER && cluster != GS_NONE)
        gs_frame_set_int(f->frame, row, COL_VALUE, (int64_t)cluster + 1);
    else if (f->o->value < GS_TILE_HOST)
        gs_frame_set_real(f->frame, row, COL_VALUE, number_of(f->o->value, t));
    double low, high;
    if (f->o->value != GS_TILE_ENERGY || t->n_energy == 0)
        return;
    gs_energy_interval(&t->error, t->energy, &low, &high);
    gs_frame_set_real(f->frame, row, COL_LOW, low / (double)t->n_energy);
    gs_frame_set_real(f->frame, row, COL_HIGH, high / (double)t->n_energy);
}

/* What is to be said of the tiles, once their rows are there. */
static const char *title_of(const struct filling *f, int64_t level, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    uint64_t n_none = 0;
    double least = INFINITY, greatest = -INFINITY;
    for (size_t k = 0; k < f->n_rows; k++) {
        const double v = f->o->value < GS_TILE_HOST ? f->frame->columns[COL_VALUE].real[k] : (double)NAN;
        n_none += f->frame->columns[COL_N].integer[k] == 0;
        least = v < least ? v : least;
        greatest = v > greatest ? v : greatest;
    }
    gs_buf_format(&b, "Level %lld: ", (long long)level);
    gs_words_counted(&b, f->n_rows, "tile");
    if (n_none > 0) {
        gs_buf_text(&b, ", ");
        gs_words_count(&b, n_none);
        gs_buf_text(&b, " of them never rendered");
    }
    if (least <= greatest) {
        const struct gs_column_spec *const spec = &value_columns[f->o->value];
        gs_buf_format(&b, "; %s from ", spec->label);
        gs_words_real(&b, least, spec->decimals);
        gs_buf_text(&b, " to ");
        gs_words_real(&b, greatest, spec->decimals);
        gs_buf_format(&b, " %s", spec->unit);
    }
    return b.failed ? NULL : b.ptr;
}

enum { TILES_AT_ONCE = 1024 };

static int fill_some(void *context, size_t item, unsigned thread)
{
    (void)thread;
    const struct filling *const f = context;
    const size_t first = item * TILES_AT_ONCE, left = f->n_rows - first;
    for (size_t k = first; k < first + (left < TILES_AT_ONCE ? left : TILES_AT_ONCE); k++) {
        const union gs_key *const key = gs_records_key(f->tiles, f->tile[k], 2);
        const struct tile *const t = gs_records_at(f->tiles, f->tile[k]);
        gs_frame_set_int(f->frame, k, COL_X, key[0].number);
        gs_frame_set_int(f->frame, k, COL_Y, key[1].number);
        gs_frame_set_int(f->frame, k, COL_N, (int64_t)t->n);
        set_value(f, k, t);
    }
    return 0;
}

enum gs_status gs_tiles_frame(const struct gs_tiles_options *o, const struct gs_state *state,
                              const struct gs_fleet *fleet, const struct gs_clusters *clusters, unsigned n_threads,
                              struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct gs_column_spec *const specs = gs_arena_take(arena, N_COLUMNS_ENERGY, sizeof *specs);
    struct filling f = {.o = o, .tiles = &state->table[TILES], .fleet = fleet, .clusters = clusters};
    f.tile = gs_arena_take_raw(&own, f.tiles->n, sizeof *f.tile);
    enum gs_status s = specs == NULL || f.tile == NULL ? gs_fail_memory(err) : GS_OK;
    for (uint32_t k = 0; s == GS_OK && k < f.tiles->n; k++)
        if (((const struct tile *)gs_records_at(f.tiles, k))->there == 1)
            f.tile[f.n_rows++] = k;
    for (size_t k = 0; s == GS_OK && k < N_COLUMNS; k++)
        specs[k] = k < COL_VALUE ? columns[k] : value_columns[o->value];
    const size_t n_columns = o->value == GS_TILE_ENERGY ? N_COLUMNS_ENERGY : N_COLUMNS;
    for (size_t k = N_COLUMNS; s == GS_OK && k < n_columns; k++)
        specs[k] = interval_columns[k - N_COLUMNS];
    if (s == GS_OK)
        s = gs_frame_new(arena, "tiles", "", specs, n_columns, f.n_rows, out, &f.frame, err);
    if (s == GS_OK) {
        (void)gs_parallel_for(n_threads, (f.n_rows + TILES_AT_ONCE - 1) / TILES_AT_ONCE, fill_some, &f);
        f.frame->title = title_of(&f, ((const struct chosen *)gs_records_at(&state->table[LEVEL], 0))->level, arena);
        s = f.frame->title == NULL ? gs_fail_memory(err) : GS_OK;
        size_t n_refused = 0;
        for (size_t k = 0; k < f.n_rows; k++)
            n_refused += ((const struct tile *)gs_records_at(f.tiles, f.tile[k]))->error.n_refused > 0;
        gs_energy_refused_note(n_refused, f.n_rows, &out->notes);
    }
    gs_arena_release(&own);
    return s;
}

static enum gs_status finish(const void *options, const struct gs_state *state, const struct gs_facts *facts,
                             unsigned n_threads, struct gs_arena *arena, struct gs_frames *out, void *also,
                             struct gs_err *err)
{
    (void)also;
    const struct gs_tiles_options *const o = options;
    const bool by_cluster = o->value == GS_TILE_CLUSTER;
    struct gs_arena own = {0};
    struct gs_fleet fleet;
    struct gs_clusters clusters;
    enum gs_status s = by_cluster ? gs_fleet_of(&state->table[PROFILES], facts, &own, &fleet, err) : GS_OK;
    if (s == GS_OK && by_cluster)
        s = gs_clusters_find(&fleet, o->k, &own, &clusters, err);
    if (s == GS_OK) {
        gs_view_notes(&facts->totals, facts->duplicates, &out->notes);
        s = gs_tiles_frame(o, state, &fleet, by_cluster ? &clusters : NULL, n_threads, arena, out, err);
    }
    gs_arena_release(&own);
    return s;
}

static const struct gs_records_spec *const tables[N_TABLES] = {
    [TILES] = &tile_spec,
    [LEVEL] = &chosen_spec,
    [PROFILES + GS_PROFILE_GPUS] = &gs_profile_specs[GS_PROFILE_GPUS],
    [PROFILES + GS_PROFILE_TASKS] = &gs_profile_specs[GS_PROFILE_TASKS],
    [PROFILES + GS_PROFILE_LEVELS] = &gs_profile_specs[GS_PROFILE_LEVELS],
};

/* clang-format off */
const struct gs_fold gs_tiles_fold = {
    .name = "tiles", .views = GS_VIEW_SAMPLES | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = tables, .n_tables = N_TABLES,
    .plan = make_plan, .add = add_host, .finish = finish,
};
/* clang-format on */
