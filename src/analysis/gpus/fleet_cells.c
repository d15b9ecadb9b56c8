/* fleet_cells.c - energy by GPU and cell of time, and lines of GPUs made of them. */
#include "analysis/gpus/fleet_cells.h"

#include "base/num/dd.h"
#include "base/num/timestamp.h"
#include "analysis/energy/energy.h"
#include "base/num/order.h"
#include "base/num/whole.h"

enum {
    BLOCK = 16,          /* cells of a record                                     */
    FEWEST = 8,          /* cells along time, however many GPUs there are         */
    CELLS_MAX = 1 << 20, /* of all GPUs                                           */
    WIDTH_NS = 62500000, /* 2^-4 s                                                */
};

enum { KEY_HOST, KEY_SERIAL, KEY_UUID, KEY_DOUBLINGS, KEY_BLOCK, N_KEYS };

struct cell {
    gs_i128 energy;
    uint64_t time_ns;
};

/* A record is its cells alone; that it is there at all is said by one field. */
struct block {
    uint64_t n;
};

static const struct gs_field block_fields[] = {{GS_FIELD_COUNT, offsetof(struct block, n)}};
static const struct gs_field cell_fields[] = {
    {GS_FIELD_SUM, offsetof(struct cell, energy)},
    {GS_FIELD_COUNT, offsetof(struct cell, time_ns)},
};

const struct gs_records_spec gs_fleet_cells_spec = {
    GS_RECORDS("fleet cells", "tttii", struct block[2], block_fields),
    GS_RECORDS_TAIL(struct cell, cell_fields),
    .n_tail = BLOCK,
};

/*
 * Widths are a fixed unit times a power of two, and cells start at multiples of the width. The
 * cells of any two hosts or shards then nest, so a finer one can be added to a coarser one
 * exactly.
 */
struct gs_fleet_grid gs_time_grid(int64_t first_ns, int64_t last_ns, int64_t most, int64_t least_ns)
{
    struct gs_fleet_grid g = {WIDTH_NS, 0};
    while (g.doublings < GS_GRID_DOUBLINGS_MAX &&
           (g.width_ns < least_ns ||
            gs_floor_div(last_ns, g.width_ns) - gs_floor_div(first_ns, g.width_ns) >= most)) {
        g.width_ns *= 2;
        g.doublings++;
    }
    return g;
}

int64_t gs_grid_width(int doublings)
{
    return (int64_t)WIDTH_NS << doublings;
}

struct gs_fleet_grid gs_fleet_grid_of(int64_t first_ns, int64_t last_ns, uint64_t n_gpus)
{
    const uint64_t room = CELLS_MAX / gs_max(n_gpus, 1);
    const int64_t most = (int64_t)gs_max(FEWEST, gs_min(GS_FLEET_COLUMNS, room));
    return gs_time_grid(first_ns, last_ns, most, 0);
}

/* --- adding ------------------------------------------------------------------------------------------- */

static struct cell *cells_of(struct gs_records *cells, const struct gs_fleet_grid *grid,
                             const struct gs_fold_host *host, const struct gs_gpu *gpu,
                             int64_t block)
{
    const union gs_key key[N_KEYS] = {
        [KEY_HOST] = {.text = host->d->host.text[gpu->host]},
        [KEY_SERIAL] = {.text = gpu->serial},
        [KEY_UUID] = {.text = gpu->uuid},
        [KEY_DOUBLINGS] = {.number = grid->doublings},
        [KEY_BLOCK] = {.number = block},
    };
    struct block *const found = gs_records_find(cells, key, host->arena);
    if (found == NULL)
        return NULL;
    found->n = 1;
    return (struct cell *)(void *)((char *)found + cells->spec->size);
}

enum gs_status gs_fleet_cells_add(struct gs_records *cells, const struct gs_fleet_grid *grid,
                                  const struct gs_fold_host *host, const struct gs_gpu_view *gpu,
                                  const struct gs_energy_curve *curve, struct gs_err *err)
{
    if (curve->n == 0)
        return GS_OK;
    const int64_t first = gs_floor_div(gs_gpu_first_ns(gpu), grid->width_ns),
                  last = gs_floor_div(gs_gpu_last_ns(gpu), grid->width_ns);
    struct gs_energy_walker walk = {.curve = curve};
    struct gs_energy past = gs_energy_at(&walk, GS_LOG_START);
    struct cell *cell = NULL;
    int64_t block = 0;
    for (int64_t k = first; k <= last; k++) {
        if (cell == NULL || gs_floor_div(k, BLOCK) != block) {
            block = gs_floor_div(k, BLOCK);
            cell = cells_of(cells, grid, host, &host->d->gpu[gpu->gpu], block);
            GS_TRY(gs_had_memory(cell != NULL, err));
        }
        const struct gs_energy now =
            /*
             * The last cell ends with the log and not at the cell's end: GS_LOG_END is not shifted
             * by the sensor's lag, so no energy is lost.
             */
            gs_energy_at(&walk, k == last ? GS_LOG_END : (k + 1) * grid->width_ns);
        cell[k - block * BLOCK].energy += now.energy - past.energy;
        cell[k - block * BLOCK].time_ns += now.time_ns - past.time_ns;
        past = now;
    }
    return GS_OK;
}

/* --- the map ------------------------------------------------------------------------------------------ */

static const struct gs_column_spec columns[] = {
    GS_COL(TIME),
    GS_COL(GPU, .how =
                    "host of the GPU, with its name where the host has several, that alone where "
                    "all are of one host; missing of a "
                    "line of several"),
    GS_COL(RANK),
    GS_COL(GPUS, .how = "GPUs of the line whose power is known"),
    GS_COL(POWER_MEAN_W, .label = "power", .digits = GS_DIGITS(1),
           .how = "mean power of a GPU of the line: energy over covered time"),
};

/* A GPU: its records in a row, and what they add up to. */
struct gpu {
    size_t begin, end, order;
    struct cell all;
    double power;
    bool shares; /* the host has several */
};

/* A map while it is filled: cells of lines one after the other. */
struct map {
    const struct gs_records *cells;
    struct gpu *gpu; /* [n_gpus] */
    /* n_all: with those whose power is not known */
    size_t n_gpus, n_all, per_line, n_lines, n_columns;
    int64_t first; /* number of the first column's cell */
    bool one_host;
    struct gs_fleet_grid grid;
    struct cell *cell; /* [n_lines * n_columns] */
    uint32_t *n_known; /* [n_lines * n_columns] */
};

static const union gs_key *key_at(const struct gs_records *cells, size_t i)
{
    return gs_records_key(cells, i, N_KEYS);
}

/* GPUs of equal power keep the order of their names, which makes the map the same on every machine. */
GS_COMPARES(by_power, struct gpu, GS_BY(power) GS_BY(order));

static double mean_w(const struct cell *c)
{
    return gs_dd_to_double(
        gs_dd_div(gs_dd_ratio(c->energy, GS_ENERGY_PER_J), gs_dd_ratio(c->time_ns, GS_NS_PER_S)));
}

/* The GPUs of the table in the order of their mean power; those of which none is known are left out. */
static enum gs_status find_gpus(struct map *m, struct gs_arena *scratch, struct gs_err *err)
{
    const struct gs_records *const cells = m->cells;
    GS_TAKE(m->gpu, cells->n, scratch, err);
    struct gpu before = {0};
    m->one_host = true;
    for (size_t i = 0, next; i < cells->n; i = next) {
        struct gpu g = {.begin = i, .order = i};
        for (next = i;
             next < cells->n && gs_keys_compare("ttt", key_at(cells, i), key_at(cells, next)) == 0;
             next++) {
            const struct cell *const c = gs_records_tail(cells, next);
            for (size_t k = 0; k < BLOCK; k++) {
                g.all.energy += c[k].energy;
                g.all.time_ns += c[k].time_ns;
            }
        }
        g.end = next;
        const bool same = i > 0 && gs_str_eq(key_at(cells, before.begin)[KEY_HOST].text,
                                             key_at(cells, i)[KEY_HOST].text);
        g.shares = same;
        m->one_host &= i == 0 || same;
        if (same && m->n_gpus > 0)
            m->gpu[m->n_gpus - 1].shares |= m->gpu[m->n_gpus - 1].begin == before.begin;
        before = g;
        m->n_all++;
        if (g.all.time_ns == 0)
            continue;
        g.power = mean_w(&g.all);
        m->gpu[m->n_gpus++] = g;
    }
    GS_SORT(m->gpu, m->n_gpus, by_power);
    return GS_OK;
}

/* Adds the cells of a GPU to those of its line, coarser where its part of the run was looked at more finely. */
static void add_gpu(struct map *m, size_t which)
{
    const struct gpu *const g = &m->gpu[which];
    const size_t line = which / m->per_line * m->n_columns;
    size_t counted = SIZE_MAX;
    for (size_t i = g->begin; i < g->end; i++) {
        const union gs_key *const key = key_at(m->cells, i);
        const struct cell *const c = gs_records_tail(m->cells, i);
        const int64_t finer = m->grid.doublings - key[KEY_DOUBLINGS].number,
                      block = key[KEY_BLOCK].number;
        if (finer < 0 || finer > GS_GRID_DOUBLINGS_MAX || block < INT64_MIN / BLOCK ||
            block > INT64_MAX / BLOCK - 1)
            continue; /* a state may come from anywhere */
        for (int64_t k = 0; k < BLOCK; k++) {
            const int64_t at = gs_floor_div(block * BLOCK + k, (int64_t)1 << finer) - m->first;
            if (c[k].time_ns == 0 || at < 0 || (size_t)at >= m->n_columns)
                continue;
            m->cell[line + (size_t)at].energy += c[k].energy;
            m->cell[line + (size_t)at].time_ns += c[k].time_ns;
            /*
             * Several finer cells of one GPU fall into one column; the GPU is counted there once.
             * They come in order, so comparing with the last is enough.
             */
            m->n_known[line + (size_t)at] += counted != (size_t)at;
            counted = (size_t)at;
        }
    }
}

/* "nid01", "nid01 GPU-3f…" where the host has several, "GPU-3f…" where there is no other host. */
static struct gs_str name_of(const struct map *m, const struct gpu *g, struct gs_arena *arena)
{
    const union gs_key *const key = key_at(m->cells, g->begin);
    const struct gs_str gpu =
        key[KEY_SERIAL].text.len > 0 ? key[KEY_SERIAL].text : key[KEY_UUID].text;
    struct gs_buf b = {.arena = arena};
    if (!g->shares || gpu.len == 0)
        return key[KEY_HOST].text;
    if (m->one_host || key[KEY_HOST].text.len == 0)
        return gpu;
    gs_buf_bytes(&b, key[KEY_HOST].text.ptr, key[KEY_HOST].text.len);
    gs_buf_char(&b, ' ');
    gs_buf_bytes(&b, gpu.ptr, gpu.len);
    return gs_buf_str(&b);
}

static enum gs_status fill(const struct map *m, struct gs_arena *arena, struct gs_frame **out,
                           struct gs_err *err)
{
    struct gs_frame *f;
    size_t n = 0, row = 0;
    for (size_t i = 0; i < m->n_lines * m->n_columns; i++)
        n += m->cell[i].time_ns > 0;
    GS_TRY(gs_frame_new(arena,
                        GS_HEAD("fleet-power", "Power of each GPU over time", GS_COLUMNS(columns)),
                        n, NULL, &f, err));
    for (size_t line = 0; line < m->n_lines; line++) {
        struct gs_str name = GS_NO_STR;
        if (m->per_line == 1)
            name = name_of(m, &m->gpu[line], arena);
        for (size_t k = 0; k < m->n_columns; k++) {
            const size_t i = line * m->n_columns + k;
            if (m->cell[i].time_ns == 0)
                continue;
            const gs_i128 begin = (gs_i128)(m->first + (int64_t)k) * m->grid.width_ns;
            GS_PUT(f, row, GS_INT(TIME, (int64_t)gs_max(begin, INT64_MIN + 1)), GS_TEXT(GPU, name),
                   GS_INT(RANK, (int64_t)(line * m->per_line)), GS_INT(GPUS, m->n_known[i]));
            GS_PUT(f, row++, GS_REAL(POWER_MEAN_W, mean_w(&m->cell[i])));
        }
    }
    *out = f;
    return GS_OK;
}

enum gs_status gs_fleet_cells_map(const struct gs_records *cells, int64_t first_ns, int64_t last_ns,
                                  struct gs_arena *arena, struct gs_fleet_map *map,
                                  struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    struct map m = {.cells = cells};
    struct gs_frame *f = NULL;
    GS_TRY(find_gpus(&m, &scratch, err));
    m.grid = gs_fleet_grid_of(first_ns, last_ns, m.n_all);
    for (size_t i = 0; i < cells->n;
         i++) /* GPUs without a sample counted where the cells were chosen */
        while (m.grid.doublings < key_at(cells, i)[KEY_DOUBLINGS].number &&
               m.grid.doublings < GS_GRID_DOUBLINGS_MAX) {
            m.grid.doublings++;
            m.grid.width_ns *= 2;
        }
    m.per_line = 1;
    if (m.n_gpus > GS_FLEET_NAMED)
        m.per_line = (m.n_gpus + GS_FLEET_LINES - 1) / GS_FLEET_LINES;
    m.n_lines = (m.n_gpus + m.per_line - 1) / m.per_line;
    m.first = gs_floor_div(first_ns, m.grid.width_ns);
    m.n_columns = (size_t)(gs_floor_div(last_ns, m.grid.width_ns) - m.first + 1);
    GS_TAKE(m.cell, m.n_lines * m.n_columns, &scratch, err);
    GS_TAKE(m.n_known, m.n_lines * m.n_columns, &scratch, err);
    for (size_t g = 0; g < m.n_gpus; g++)
        add_gpu(&m, g);
    if (m.n_gpus > 0)
        GS_TRY(fill(&m, arena, &f, err));
    *map = (struct gs_fleet_map){f, m.n_gpus, m.per_line, m.grid.width_ns};
    return GS_OK;
}
