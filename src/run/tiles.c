/* tiles.c - pairs brought to the tiles of one zoom level. */
#include "run/tiles.h"

#include <math.h>
#include <stdlib.h>

#include "stats/dd.h"
#include "view/counts.h"
#include "base/parallel.h"
#include "base/timestamp.h"
#include "base/key_sort.h"
#include "run/prose.h"

enum { COL_X, COL_Y, COL_N, COL_VALUE, N_COLUMNS };

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
    [GS_TILE_CLUSTER] = {"cluster", "cluster", "", GS_TYPE_INT, 0,
                         "cluster (see gpustat clusters) of the GPU that rendered the tile, of several the first",
                         true},
};

struct place {
    int64_t x, y;
    uint32_t row;
};

/* What one tile has. */
struct tile {
    uint64_t n, n_energy;
    gs_i128 duration_ns, energy, covered_ns;
    int64_t start_ns;   /* of the first pair, by (start_ns, host, gpu) */
    uint32_t host, gpu; /* gpu: number in the dataset, GS_NONE: not known which */
};

struct tiling {
    const struct gs_dataset *d;
    const struct gs_tiles_options *o;
    uint32_t event;
    size_t n_tiles;
    struct place *place;      /* [n_tiles] by (x, y)                          */
    uint32_t *tile_of_row;    /* [rows of the task table], GS_NONE: elsewhere */
    struct tile **tile;       /* [n_threads][n_tiles]                         */
    uint32_t *cluster_of_gpu; /* NULL unless asked for                        */
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
    const enum gs_status s = gs_fail(err, GS_ERR_USAGE, "--level: no tasks at level %lld; the task table has %s",
                                     (long long)wanted, n == 0 ? "none" : b.failed ? "others" : b.ptr);
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
        key[i] = (((uint64_t)all[i].x - (uint64_t)least[0]) << bits[1] | ((uint64_t)all[i].y - (uint64_t)least[1])) << number_bits | i;
    }
    gs_key_sort(key, key + n, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        all[i] = unsorted[key[i] & ((UINT64_C(1) << number_bits) - 1)];
    return GS_OK;
}

/* The distinct places of the level, and which of them each row of the task table is. */
static enum gs_status lay_out(struct tiling *g, int64_t level, struct gs_arena *own, struct gs_err *err)
{
    const struct gs_table *const t = &g->d->table[GS_TABLE_TASKS];
    const size_t n_rows = (size_t)t->n_segments << GS_SEGMENT_BITS;
    struct place *const all = gs_arena_take_raw(own, t->n_rows, sizeof *all);
    g->tile_of_row = gs_arena_take_raw(own, n_rows, sizeof *g->tile_of_row);
    if (all == NULL || g->tile_of_row == NULL)
        return gs_fail_memory(err);
    size_t n = 0;
    for (size_t row = 0; row < n_rows; row++)
        g->tile_of_row[row] = GS_NONE;
    for (uint32_t k = 0; k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            const struct gs_segment *const s = &t->segment[k];
            if (gs_segment_value(s, i, GS_TASK_LEVEL) == level)
                all[n++] = (struct place){gs_segment_value(s, i, GS_TASK_X), gs_segment_value(s, i, GS_TASK_Y),
                                          k << GS_SEGMENT_BITS | i};
        }
    const enum gs_status s = sort_places(all, n, own, err);
    if (s != GS_OK)
        return s;
    for (size_t i = 0; i < n; i++) {
        if (g->n_tiles == 0 || by_place(&all[g->n_tiles - 1], &all[i]) != 0)
            all[g->n_tiles++] = all[i];
        g->tile_of_row[all[i].row] = (uint32_t)(g->n_tiles - 1);
    }
    g->place = all;
    return GS_OK;
}

/* --- the visit ---------------------------------------------------------------------------------------- */

static bool is_before(const struct tile *a, const struct tile *b)
{
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns;
    return a->host != b->host ? a->host < b->host : a->gpu < b->gpu;
}

static void merge(struct tile *sum, const struct tile *t)
{
    if (t->n == 0)
        return;
    if (sum->n == 0 || is_before(t, sum)) {
        sum->start_ns = t->start_ns;
        sum->host = t->host;
        sum->gpu = t->gpu;
    }
    sum->n += t->n;
    sum->n_energy += t->n_energy;
    sum->duration_ns += t->duration_ns;
    sum->energy += t->energy;
    sum->covered_ns += t->covered_ns;
}

/* What one pair used, summed over its GPUs; as gs_join_host, without the samples' means. */
struct use {
    gs_i128 energy, covered_ns;
};

static bool has_energy(const struct tiling *g, const struct gs_pair *pair)
{
    return pair->event == g->event && gs_pair_ns(pair) > 0;
}

static enum gs_status measure(const struct tiling *g, const struct gs_host_view *h, struct gs_arena *scratch,
                              struct use *use, struct gs_err *err)
{
    struct gs_energy *const curve = gs_arena_take_raw(scratch, h->n_times, sizeof *curve);
    bool *const wanted = gs_arena_take(scratch, h->n_times, sizeof *wanted); /* the ends of the event's pairs */
    if (curve == NULL || wanted == NULL)
        return gs_fail_memory(err);
    for (uint32_t p = 0; p < h->n_pairs; p++)
        if (has_energy(g, &h->pair[p]))
            wanted[h->pair[p].start_at] = wanted[h->pair[p].stop_at] = true;
    const enum gs_status s = gs_energy_check(h, err);
    for (uint32_t k = 0; s == GS_OK && k < h->n_gpus; k++) {
        struct gs_energy_walker walker = gs_energy_walk(&h->gpu[k], g->o->max_gap_ns);
        for (uint32_t i = 0; i < h->n_times; i++)
            if (wanted[i])
                curve[i] = gs_energy_at(&walker, h->time[i]);
        for (uint32_t p = 0; p < h->n_pairs; p++) {
            const struct gs_pair *const pair = &h->pair[p];
            if (!has_energy(g, pair) || !gs_pair_uses(pair, k))
                continue;
            use[p].energy += curve[pair->stop_at].energy - curve[pair->start_at].energy;
            use[p].covered_ns += curve[pair->stop_at].covered_ns - curve[pair->start_at].covered_ns;
        }
    }
    return s;
}

static enum gs_status add_host(void *context, const struct gs_host_view *h, unsigned thread, struct gs_arena *scratch,
                               struct gs_err *err)
{
    const struct tiling *const g = context;
    struct use *const use = gs_arena_take(scratch, h->n_pairs, sizeof *use);
    const enum gs_status s = use == NULL               ? gs_fail_memory(err)
                             : wants_samples(g->o) ? measure(g, h, scratch, use, err)
                                                   : GS_OK;
    for (uint32_t p = 0; s == GS_OK && p < h->n_pairs; p++) {
        const struct gs_pair *const pair = &h->pair[p];
        const uint32_t row = pair->event == g->event ? gs_dataset_task_row(g->d, pair->task, pair->job) : GS_NONE;
        if (row == GS_NONE || g->tile_of_row[row] == GS_NONE)
            continue;
        const struct tile one = {.n = 1,
                                 .n_energy = use[p].covered_ns > 0,
                                 .duration_ns = gs_pair_ns(pair),
                                 .energy = use[p].energy,
                                 .covered_ns = use[p].covered_ns,
                                 .start_ns = pair->start_ns,
                                 .host = h->host,
                                 .gpu = gs_pair_gpu(g->d, h->host, pair)};
        merge(&g->tile[thread][g->tile_of_row[row]], &one);
    }
    return s;
}

static enum gs_status collect(struct tiling *g, unsigned n_threads, struct gs_arena *own,
                              struct gs_view_totals *totals, struct gs_err *err)
{
    g->tile = gs_arena_take(own, n_threads, sizeof *g->tile);
    for (unsigned t = 0; g->tile != NULL && t < n_threads; t++)
        if ((g->tile[t] = gs_arena_take(own, g->n_tiles, sizeof **g->tile)) == NULL)
            g->tile = NULL;
    if (g->tile == NULL)
        return gs_fail_memory(err);
    const unsigned what = wants_samples(g->o) ? GS_VIEW_SAMPLES | GS_VIEW_PAIRS | GS_VIEW_RHYTHM : GS_VIEW_PAIRS;
    return gs_hosts_visit(g->d, n_threads, what, add_host, g, totals, err);
}

static enum gs_status find_clusters(struct tiling *g, unsigned n_threads, struct gs_arena *own, struct gs_err *err)
{
    const struct gs_profile_options options = {.event = g->o->event, .hot = INT64_MAX};
    struct gs_gpu_profile *profile;
    struct gs_clusters clusters;
    enum gs_status s = gs_profiles(g->d, &options, n_threads, own, &profile, NULL, err);
    if (s == GS_OK)
        s = gs_clusters_find(g->d, profile, g->o->k, own, &clusters, err);
    if (s == GS_OK)
        g->cluster_of_gpu = clusters.of_gpu;
    return s;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static double number_of(const struct tiling *g, const struct tile *t)
{
    switch (g->o->value) {
    case GS_TILE_DURATION:
        return t->n == 0 ? (double)NAN : gs_dd_to_double(gs_dd_ratio(t->duration_ns, (gs_i128)t->n * GS_NS_PER_MS));
    case GS_TILE_ENERGY:
        return t->n_energy == 0 ? (double)NAN
                                : gs_dd_to_double(gs_dd_div(gs_dd_ratio(t->energy, GS_ENERGY_PER_J),
                                                            gs_dd_of((double)t->n_energy)));
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

/* All GPUs of a host whose tasks name none are of one cluster. */
static uint32_t cluster_of(const struct tiling *g, const struct tile *t)
{
    const uint32_t first = g->d->host_first_gpu[t->host];
    if (t->gpu != GS_NONE)
        return g->cluster_of_gpu[t->gpu];
    return first < g->d->host_first_gpu[t->host + 1] ? g->cluster_of_gpu[first] : GS_NONE;
}

static void set_value(const struct tiling *g, struct gs_frame *f, size_t row, const struct tile *t)
{
    const uint32_t cluster = g->cluster_of_gpu == NULL || t->n == 0 ? GS_NONE : cluster_of(g, t);
    if (g->o->value == GS_TILE_HOST && t->n > 0)
        gs_frame_set_text(f, row, COL_VALUE, g->d->host.text[t->host]);
    else if (g->o->value == GS_TILE_CLUSTER && cluster != GS_NONE)
        gs_frame_set_int(f, row, COL_VALUE, (int64_t)cluster + 1);
    else if (g->o->value < GS_TILE_HOST)
        gs_frame_set_real(f, row, COL_VALUE, number_of(g, t));
}

/* What is to be said of the tiles, once their rows are there. */
static const char *title_of(const struct tiling *g, const struct gs_frame *f, int64_t level, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    uint64_t n_none = 0;
    double least = INFINITY, greatest = -INFINITY;
    for (size_t k = 0; k < g->n_tiles; k++) {
        const double v = g->o->value < GS_TILE_HOST ? f->columns[COL_VALUE].real[k] : (double)NAN;
        n_none += f->columns[COL_N].integer[k] == 0;
        least = v < least ? v : least;
        greatest = v > greatest ? v : greatest;
    }
    gs_buf_format(&b, "Level %lld: ", (long long)level);
    gs_words_counted(&b, g->n_tiles, "tile");
    if (n_none > 0) {
        gs_buf_text(&b, ", ");
        gs_words_count(&b, n_none);
        gs_buf_text(&b, " of them never rendered");
    }
    if (least <= greatest) {
        const struct gs_column_spec *const spec = &value_columns[g->o->value];
        gs_buf_format(&b, "; %s from ", spec->label);
        gs_words_real(&b, least, spec->decimals);
        gs_buf_text(&b, " to ");
        gs_words_real(&b, greatest, spec->decimals);
        gs_buf_format(&b, " %s", spec->unit);
    }
    return b.failed ? NULL : b.ptr;
}

enum { TILES_AT_ONCE = 1024 };

struct filling {
    const struct tiling *g;
    struct gs_frame *frame;
    unsigned n_threads;
};

/* Brings together what the threads found of some tiles, and sets their rows. */
static int fill_some(void *context, size_t item, unsigned thread)
{
    (void)thread;
    const struct filling *const f = context;
    const struct tiling *const g = f->g;
    const size_t first = item * TILES_AT_ONCE, left = g->n_tiles - first;
    for (size_t k = first; k < first + (left < TILES_AT_ONCE ? left : TILES_AT_ONCE); k++) {
        struct tile sum = g->tile[0][k];
        for (unsigned t = 1; t < f->n_threads; t++)
            merge(&sum, &g->tile[t][k]);
        gs_frame_set_int(f->frame, k, COL_X, g->place[k].x);
        gs_frame_set_int(f->frame, k, COL_Y, g->place[k].y);
        gs_frame_set_int(f->frame, k, COL_N, (int64_t)sum.n);
        set_value(g, f->frame, k, &sum);
    }
    return 0;
}

static enum gs_status to_frame(const struct tiling *g, int64_t level, unsigned n_threads, struct gs_arena *arena,
                               struct gs_frames *out, struct gs_err *err)
{
    struct gs_column_spec *const specs = gs_arena_take(arena, N_COLUMNS, sizeof *specs);
    struct gs_frame *f;
    if (specs == NULL)
        return gs_fail_memory(err);
    for (size_t k = 0; k < COL_VALUE; k++)
        specs[k] = columns[k];
    specs[COL_VALUE] = value_columns[g->o->value];
    const enum gs_status s = gs_frame_new(arena, "tiles", "", specs, N_COLUMNS, g->n_tiles, out, &f, err);
    if (s != GS_OK)
        return s;
    struct filling filling = {g, f, n_threads};
    (void)gs_parallel_for(n_threads, (g->n_tiles + TILES_AT_ONCE - 1) / TILES_AT_ONCE, fill_some, &filling);
    f->title = title_of(g, f, level, arena);
    return f->title == NULL ? gs_fail_memory(err) : GS_OK;
}

enum gs_status gs_tiles(const struct gs_dataset *d, const struct gs_tiles_options *o, unsigned n_threads,
                        struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct tiling g = {.d = d, .o = o};
    struct gs_view_totals totals;
    int64_t level = GS_MISSING;
    enum gs_status s = gs_event_number(d, o->event, &g.event, err);
    if (s == GS_OK)
        s = choose_level(d, o->level, &own, &level, err);
    if (s == GS_OK)
        s = lay_out(&g, level, &own, err);
    if (s == GS_OK && o->value == GS_TILE_CLUSTER)
        s = find_clusters(&g, n_threads, &own, err);
    if (s == GS_OK)
        s = collect(&g, n_threads, &own, &totals, err);
    if (s == GS_OK) {
        gs_view_notes(&totals, d->duplicates, &out->notes);
        s = to_frame(&g, level, n_threads, arena, out, err);
    }
    gs_arena_release(&own);
    return s;
}
