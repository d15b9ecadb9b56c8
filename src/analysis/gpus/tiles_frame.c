/* tiles_frame.c - the picture from the tiles' places and the rows of the hosts. */
#include "analysis/gpus/tile_sums.h"

#include <math.h>
#include <string.h>

#include "data/result/number_text.h"
#include "base/num/dd.h"
#include "base/num/timestamp.h"
#include "base/os/parallel.h"
#include "analysis/timeline/counts.h"
#include "base/num/order.h"

enum { COL_N = 2, COL_VALUE, N_COLUMNS, N_COLUMNS_ENERGY = N_COLUMNS + 2 };

static const struct gs_column_spec columns[] = {
    GS_COL(X, .how = "column of the tile in the task table"),
    GS_COL(Y, .how = "row of the tile in the task table"),
    GS_COL(N, .how = "pairs of --event that rendered the tile"),
};
static const struct gs_column_spec value_columns[] = {
    [GS_TILE_DURATION] = GS_COL(DURATION_MS, .how = "mean of STOP - START over the tile's pairs"),
    [GS_TILE_ENERGY] = GS_COL(ENERGY_J, .how = "mean over the tile's pairs that have one of the "
                                               "energy over [START, STOP]: " GS_ENERGY_HOW),
    [GS_TILE_POWER] =
        GS_COL(POWER_MEAN_W, .label = "power", .how = "energy of the tile's pairs over its time"),
    [GS_TILE_HOST] = GS_COL(HOSTNAME, .how = "host that rendered the tile, of several the first"),
    [GS_TILE_CLUSTER] = GS_COL(CLUSTER, .how = "cluster (see gpustat clusters) of the GPU that "
                                               "rendered the tile, of several the first"),
};

/* Behind an energy. */
/* clang-format off */
static const struct gs_column_spec interval_columns[N_COLUMNS_ENERGY - N_COLUMNS] = {
    GS_COL(ENERGY_LOW_J, .digits = GS_DIGITS(1), .how = "lower end of the 95 % interval of energy_j: " GS_ENERGY_INTERVAL_HOW),
    GS_COL(ENERGY_HIGH_J, .digits = GS_DIGITS(1)),
};
/* clang-format on */

/* --- what hosts did ----------------------------------------------------------------------------------- */

enum { SLICES = 8 };

/* Some tiles of the picture, side by side in its order. */
struct slice {
    const struct gs_records *places;
    size_t first, n;
    struct gs_tile_sums *sums;    /* [n]                                   */
    struct gs_energy_sum *energy; /* [n]; NULL: no picture is of it        */
    struct gs_intern *names;
};

/* Where in the slice the tile of a row is; n: it is not there. */
static size_t find_in(const struct slice *s, const struct gs_column *cells, size_t row)
{
    const char *const parts = s->places->spec->key;
    union gs_key key[2];
    gs_tile_row_key(cells, row, key);
    if (s->n == 0 || gs_keys_compare(parts, key, gs_records_key(s->places, s->first, 2)) < 0 ||
        gs_keys_compare(parts, key, gs_records_key(s->places, s->first + s->n - 1, 2)) > 0)
        return s->n;
    const uint32_t at = gs_records_from(s->places, key);
    if (gs_keys_compare(parts, key, gs_records_key(s->places, at, 2)) != 0)
        return s->n;
    return at - s->first;
}

/* Adds to the tiles of the slice what rows of hosts say of them. */
static enum gs_status add_up(void *context, const struct gs_frame *part, struct gs_err *err)
{
    const struct slice *const slice = context;
    for (size_t r = 0; r < part->n_rows; r++) {
        const size_t k = find_in(slice, part->columns, r);
        if (k < slice->n)
            GS_TRY(gs_tile_row_add(part->columns, r, slice->names, &slice->sums[k],
                                   slice->energy == NULL ? NULL : &slice->energy[k], err));
    }
    return GS_OK;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static double number_of(enum gs_tile_value value, const struct gs_tile_sums *t,
                        const struct gs_energy_sum *e)
{
    switch (value) {
    case GS_TILE_DURATION:
        return gs_ratio(t->duration_ns, (gs_i128)t->n * GS_NS_PER_MS);
    case GS_TILE_ENERGY:
        if (e != NULL && e->n > 0)
            return gs_dd_to_double(
                gs_dd_div(gs_dd_ratio(e->energy, GS_ENERGY_PER_J), gs_dd_of((double)e->n)));
        break;
    case GS_TILE_POWER:
        if (e != NULL)
            return gs_energy_power_w(e);
        break;
    case GS_TILE_HOST:
    case GS_TILE_CLUSTER:
        break;
    }
    return NAN;
}

/* Where rows come from, and go to. */
struct filling {
    const struct gs_gpu_list *fleet;
    const struct gs_clusters *clusters; /* NULL unless asked for */
    struct gs_tile_picture *picture;    /* [n_pictures] filled side by side */
    size_t n_pictures;
    struct slice slice;
};

/* All GPUs of a host whose tasks name none are of one cluster. */
static uint32_t cluster_of(const struct filling *f, const struct gs_tile_sums *t)
{
    const struct gs_gpu_name name = {t->first.name[0], t->first.name[1], t->first.name[2]};
    if (t->n == 0)
        return GS_NONE;
    const uint32_t gpu = gs_fleet_find(f->fleet, &name);
    if (gpu == GS_NONE)
        return GS_NONE;
    return f->clusters->of_gpu[gpu];
}

static void set_value(const struct filling *f, const struct gs_tile_picture *to, size_t row,
                      const struct gs_tile_sums *t, const struct gs_energy_sum *e)
{
    const uint32_t cluster = to->value != GS_TILE_CLUSTER ? GS_NONE : cluster_of(f, t);
    if (to->value == GS_TILE_HOST && t->n > 0)
        gs_frame_set_text(to->frame, row, COL_VALUE, t->first.name[0]);
    else if (cluster != GS_NONE)
        gs_frame_set_int(to->frame, row, COL_VALUE, (int64_t)cluster + 1);
    else if (to->value < GS_TILE_HOST)
        gs_frame_set_real(to->frame, row, COL_VALUE, number_of(to->value, t, e));
    double low, high;
    if (to->value != GS_TILE_ENERGY || e == NULL || e->n == 0)
        return;
    gs_energy_interval(e, &low, &high);
    GS_PUT(to->frame, row, GS_REAL(ENERGY_LOW_J, low / (double)e->n),
           GS_REAL(ENERGY_HIGH_J, high / (double)e->n));
}

/* What is to be said of the tiles, once their rows are there. */
static const char *title_of(const struct gs_tile_picture *p, int64_t level, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    uint64_t n_none = 0;
    double least = INFINITY, greatest = -INFINITY;
    for (size_t k = 0; k < p->frame->n_rows; k++) {
        n_none += p->frame->columns[COL_N].integer[k] == 0;
        if (p->value >= GS_TILE_HOST)
            continue;
        const double v = p->frame->columns[COL_VALUE].real[k];
        least = gs_min(v, least);
        greatest = gs_max(v, greatest);
    }
    gs_buf_format(&b, "Level %lld: %s", (long long)level,
                  gs_counted_text(&b, p->frame->n_rows, "tile"));
    if (n_none > 0)
        gs_buf_format(&b, ", %s of them never rendered", gs_count_text(&b, n_none));
    if (least <= greatest) {
        const struct gs_column_spec *const spec = p->frame->columns[COL_VALUE].spec;
        if (strcmp(spec->unit, "ms") == 0)
            gs_buf_format(&b, "; %s from %s to %s", spec->label, gs_time_text(&b, least / 1000),
                          gs_time_text(&b, greatest / 1000));
        else
            gs_buf_format(&b, "; %s from %s to %s %s", spec->label,
                          gs_real_text(&b, least, spec->decimals),
                          gs_real_text(&b, greatest, spec->decimals), spec->unit);
    }
    return gs_buf_whole(&b);
}

enum { TILES_AT_ONCE = 1024 };

/*
 * Each item fills its own rows of every picture, and the sums are only read: threads share no
 * cell.
 */
static int fill_some(void *context, size_t item, unsigned thread)
{
    (void)thread;
    const struct filling *const f = context;
    const struct slice *const s = &f->slice;
    const size_t first = item * TILES_AT_ONCE, left = s->n - first;
    for (size_t i = first; i < first + gs_min(left, TILES_AT_ONCE); i++) {
        const size_t row = s->first + i;
        const union gs_key *const key = gs_records_key(s->places, row, 2);
        for (size_t k = 0; k < f->n_pictures; k++) {
            struct gs_frame *const frame = f->picture[k].frame;
            GS_PUT(frame, row, GS_INT(X, key[0].number), GS_INT(Y, key[1].number),
                   GS_INT(N, (int64_t)s->sums[i].n));
            set_value(f, &f->picture[k], row, &s->sums[i],
                      s->energy == NULL ? NULL : &s->energy[i]);
        }
    }
    return 0;
}

/*
 * All tiles: at once where the hosts' rows are in memory; else an eighth at a time, each from all rows, so that their
 * sums are no more than what is known of the picture anyway.
 */
static enum gs_status fill(struct filling *f, const struct gs_host_rows *of, size_t *n_refused,
                           unsigned n_threads, struct gs_arena *arena, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_intern names = {.arena = arena, .seed = f->slice.places->seed};
    struct gs_frame *rows;
    const size_t n = f->slice.places->n, n_slices = of->file == NULL ? 1 : SLICES;
    const size_t most = (n + n_slices - 1) / n_slices;
    bool has_energy = false;
    for (size_t k = 0; k < f->n_pictures; k++)
        has_energy |= gs_tile_needs_samples(f->picture[k].value);
    f->slice.names = &names;
    GS_TRY(gs_tile_rows_new(&own, &rows, err));
    GS_TRY(gs_host_rows_frame(of, rows, &own, err));
    for (size_t first = 0; first < n; first += most) {
        GS_REWINDS(&own);
        f->slice.first = first;
        f->slice.n = gs_min(n - first, most);
        GS_TAKE(f->slice.sums, f->slice.n, &own, err);
        f->slice.energy = NULL;
        if (has_energy)
            GS_TAKE(f->slice.energy, f->slice.n, &own, err);
        GS_TRY(gs_frame_parts(rows, add_up, &f->slice, err));
        (void)gs_parallel_for(n_threads, (f->slice.n + TILES_AT_ONCE - 1) / TILES_AT_ONCE,
                              fill_some, f);
        for (size_t i = 0; has_energy && i < f->slice.n; i++)
            *n_refused += gs_energy_is_refused(&f->slice.energy[i]);
    }
    return GS_OK;
}

static enum gs_status new_frame(enum gs_tile_value value, size_t n, struct gs_arena *arena,
                                struct gs_frame **frame, struct gs_err *err)
{
    GS_NEW(struct gs_column_spec, specs, N_COLUMNS_ENERGY, arena, err);
    const size_t n_columns = value == GS_TILE_ENERGY ? N_COLUMNS_ENERGY : N_COLUMNS;
    for (size_t k = 0; k < N_COLUMNS; k++)
        specs[k] = k < COL_VALUE ? columns[k] : value_columns[value];
    for (size_t k = N_COLUMNS; k < n_columns; k++)
        specs[k] = interval_columns[k - N_COLUMNS];
    return gs_frame_new(arena, GS_HEAD("tiles", "", specs, n_columns), n, NULL, frame, err);
}

enum gs_status gs_tiles_frames(struct gs_tile_picture *picture, size_t n_pictures,
                               const struct gs_finish *of, const struct gs_gpu_list *fleet,
                               const struct gs_clusters *clusters, struct gs_frames *out,
                               struct gs_err *err)
{
    const struct gs_state *const state = of->state;
    const struct gs_tile_level *const level = gs_records_at(&state->table[GS_TILE_LEVEL], 0);
    struct filling f = {.fleet = fleet,
                        .clusters = clusters,
                        .picture = picture,
                        .n_pictures = n_pictures,
                        .slice.places = &state->table[GS_TILE_PLACES]};
    /*
     * Tiles that were never rendered are rows too: the picture is the task table's, not that of
     * the events.
     */
    const size_t n = f.slice.places->n;
    size_t n_refused = 0;
    for (size_t k = 0; k < n_pictures; k++)
        GS_TRY(new_frame(picture[k].value, n, of->arena, &picture[k].frame, err));
    GS_TRY(fill(&f, &state->rows, &n_refused, of->n_threads, of->arena, err));
    for (size_t k = 0; k < n_pictures; k++) {
        struct gs_frame *const frame = picture[k].frame;
        frame->title = title_of(&picture[k], level->level, of->arena);
        GS_TRY(gs_had_memory(frame->title != NULL, err));
        gs_frame_append(out, frame);
    }
    gs_energy_refused_note(n_refused, n, &out->notes);
    return GS_OK;
}

enum gs_status gs_tiles_finish(const struct gs_finish *of, struct gs_frames *out,
                               struct gs_err *err)
{
    const struct gs_tiles_options *const o = of->options;
    const bool by_cluster = o->value == GS_TILE_CLUSTER;
    GS_OWN struct gs_arena own = {0};
    struct gs_gpu_list fleet;
    struct gs_clusters clusters;
    if (by_cluster)
        GS_TRY(gs_fleet_of(&of->state->table[GS_TILE_PROFILES], of->facts, &own, &fleet, err));
    if (by_cluster)
        GS_TRY(
            gs_clusters_find(&fleet, &(struct gs_clusters_how){.k = o->k}, &own, &clusters, err));
    gs_view_notes(&of->facts->totals, of->facts->duplicates, &out->notes);
    return gs_tiles_frames(&(struct gs_tile_picture){.value = o->value}, 1, of, &fleet,
                           by_cluster ? &clusters : NULL, out, err);
}
