/* load_cells.c - one pass over a GPU's samples; a series is a few bytes a cell. */
#include "analysis/gpus/load_cells.h"

#include "analysis/timeline/counts.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "base/num/whole.h"
#include "stats/descriptive/quantile.h"

/* A run has at most CELLS_MAX cells a GPU, fewer where its GPUs are many, and never fewer than CELLS_MIN: rule H.5 wants
 * 60 instants, and a fleet of a million is told by its medians. */
enum { CELLS_MAX = 1024, CELLS_MIN = 16, CELLS_OF_RUN = 1 << 22 };

/* Of one reading in one cell: so many of the greatest possible reading still fit an int64. */
#define READINGS_MAX (UINT32_C(1) << 25)

/* NVML's and DCGM's bits. HW slowdown is thermal unless the power brake says otherwise. */
enum {
    POWER_CAP = 0x4,
    HW_SLOWDOWN = 0x8,
    SW_THERMAL = 0x20,
    HW_THERMAL = 0x40,
    POWER_BRAKE = 0x80
};

struct series_record {
    struct gs_str bytes;
};

static const struct gs_field series_fields[] = {
    {GS_FIELD_BYTES, offsetof(struct series_record, bytes)}};

const struct gs_records_spec gs_load_spec = {
    GS_RECORDS("load cells", "tttt", struct series_record, series_fields)};

/* Where the readings of a GPU stand; NULL: it has none. */
struct readings {
    const int64_t *load[GS_N_LOADS], *limit, *mask;
    int64_t low[GS_N_LOADS], high[GS_N_LOADS]; /* of what a metric can be */
    struct {
        const int64_t *value;
        unsigned bits;
    } flag[5];
    bool any_reasons;
    const int32_t *holders; /* see find_holders */
    bool is_part;
};

static const int64_t *column_of(const struct gs_dataset *d, const struct gs_gpu_view *g,
                                const char *name)
{
    const uint32_t m = gs_metrics_find(d->metric, d->n_metrics, gs_str(name));
    if (m == UINT32_MAX || (!d->has_metric[m] && !(m == GS_POWER && g->counted)))
        return NULL;
    return g->value[m];
}

/* The same of a load, with the metric's bounds: a reading outside of them is a faulty sensor's. */
static void find_load(struct readings *r, enum gs_load k, const struct gs_dataset *d,
                      const struct gs_gpu_view *g, const char *name)
{
    r->load[k] = column_of(d, g, name);
    if (r->load[k] == NULL)
        return;
    const struct gs_metric *const m =
        d->metric[gs_metrics_find(d->metric, d->n_metrics, gs_str(name))];
    r->low[k] = gs_max(m->low, GS_MISSING + 1);
    r->high[k] = m->high;
}

/*
 * Throttle reasons come as one bit mask (NVML, DCGM) or as one column per reason (nvidia-smi).
 * Both end as the same bits, so the judgement knows one form.
 */
static struct readings readings_of(const struct gs_dataset *d, const struct gs_gpu_view *g)
{
    static const char *const loads[GS_N_LOADS] = {"sm_clock_mhz", "power_w", "temp_c",
                                                  "gpu_util_pct"};
    static const struct {
        const char *name;
        unsigned bits;
    } flags[] = {{"sw_power_cap", POWER_CAP},
                 {"hw_slowdown", HW_SLOWDOWN},
                 {"sw_thermal_slowdown", SW_THERMAL},
                 {"hw_thermal_slowdown", HW_THERMAL},
                 {"hw_power_brake", POWER_BRAKE}};
    struct readings r = {.limit = column_of(d, g, "power_limit_w"),
                         .mask = column_of(d, g, "throttle_reasons")};
    r.any_reasons = r.mask != NULL;
    for (unsigned k = 0; k < GS_N_LOADS; k++)
        find_load(&r, k, d, g, loads[k]);
    if (r.load[GS_LOAD_CLOCK] == NULL)
        find_load(&r, GS_LOAD_CLOCK, d, g, "graphics_clock_mhz");
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
        r.flag[k].value = column_of(d, g, flags[k].name);
        r.flag[k].bits = flags[k].bits;
        r.any_reasons |= r.flag[k].value != NULL;
    }
    return r;
}

struct gs_fleet_grid gs_load_grid(int64_t first_ns, int64_t last_ns, int64_t interval_ns,
                                  uint64_t n_gpus)
{
    const uint64_t room = CELLS_OF_RUN / gs_max(n_gpus, 1);
    const int64_t most = (int64_t)gs_max(CELLS_MIN, gs_min(CELLS_MAX, room));
    /* A second at least: faster logs tell no more of a slow GPU, and would take the memory of many. */
    return gs_time_grid(first_ns, last_ns, most, gs_max(interval_ns, GS_NS_PER_S));
}

/* --- adding ------------------------------------------------------------------------------------------- */

static void add_reasons(struct gs_load_cell *c, const struct readings *r, uint32_t i)
{
    unsigned bits = 0;
    bool any = false;
    if (r->mask != NULL && r->mask[i] >= 0) {
        bits = (unsigned)(r->mask[i] / GS_FIXED_ONE);
        any = true;
    }
    for (size_t k = 0; k < sizeof r->flag / sizeof *r->flag; k++)
        if (r->flag[k].value != NULL && r->flag[k].value[i] != GS_MISSING) {
            if (r->flag[k].value[i] > 0)
                bits |= r->flag[k].bits;
            any = true;
        }
    const bool brake = (bits & POWER_BRAKE) != 0;
    c->n_reasons += any;
    c->n_thermal +=
        (bits & (SW_THERMAL | HW_THERMAL)) != 0 || ((bits & HW_SLOWDOWN) != 0 && !brake);
    c->n_capped += brake || (bits & POWER_CAP) != 0;
}

static void add_sample(struct gs_load_cell *c, const struct readings *r, uint32_t i)
{
    const bool counts =
        r->holders == NULL || r->holders[i] == 1 || (r->is_part && r->holders[i] > 1);
    for (int k = 0; counts && k < GS_N_LOADS; k++) {
        const int64_t v = r->load[k] == NULL ? GS_MISSING : r->load[k][i];
        /* The count is limited because the sum must fit an int64. */
        if (v < r->low[k] || v > r->high[k] || c->n[k] == READINGS_MAX)
            continue;
        c->sum[k] += v;
        c->n[k]++;
        c->n_hot += k == GS_LOAD_TEMP && v >= GS_LOAD_HOT_C * GS_FIXED_ONE;
    }
    if (r->any_reasons)
        add_reasons(c, r, i);
}

static void pack_cell(struct gs_buf *b, const struct gs_load_cell *c, int64_t before)
{
    gs_pack_count(b, (uint64_t)(c->at - before));
    for (int k = 0; k < GS_N_LOADS; k++) {
        gs_pack_count(b, c->n[k]);
        if (c->n[k] > 0) /* the sign goes last, so that small sums are short */
            gs_pack_count(b, (uint64_t)c->sum[k] << 1 ^ (uint64_t)(c->sum[k] < 0 ? -1 : 0));
    }
    gs_pack_count(b, c->n_hot);
    gs_pack_count(b, c->n_reasons);
    if (c->n_reasons > 0) {
        gs_pack_count(b, c->n_thermal);
        gs_pack_count(b, c->n_capped);
    }
}

static int64_t middle_of(const int64_t *x, uint32_t n, int64_t *room)
{
    uint32_t n_known = 0;
    for (uint32_t i = 0; x != NULL && i < n; i++)
        if (x[i] != GS_MISSING)
            room[n_known++] = x[i];
    if (n_known == 0)
        return GS_MISSING;
    gs_select(room, n_known, n_known / 2);
    return room[n_known / 2];
}

/* What the GPUs of all hosts work at together is one job, though nobody gave it an ID. */
#define WHOLE_RUN "*"

/* The job of a series of a GPU, or the only one of the events that use it. */
static struct gs_str job_of(const struct gs_fold_host *host, uint32_t g, const struct gs_gpu *gpu)
{
    const struct gs_host_view *const h = host->view;
    bool shared = host->d->has_shared_events && h->n_pairs > 0;
    uint32_t job = GS_NONE;
    if (gpu->job.len > 0)
        return gpu->job;
    for (uint32_t k = 0; k < h->n_pairs; k++) {
        const struct gs_pair *const p = &h->pair[k];
        shared &= !gs_is_job(host->d, p->attributes);
        if (p->job == GS_NONE || p->job == h->no_job || p->job == job || !gs_pair_uses(h, p, g))
            continue;
        if (job != GS_NONE)
            return (struct gs_str){NULL, 0};
        job = p->job;
    }
    return job == GS_NONE && shared ? gs_str(WHOLE_RUN) : gs_intern_text(&host->d->job, job);
}

/* The cell of an instant: nearly always that of the instant before, or the next, which takes no division. */
static int64_t cell_of(int64_t before, int64_t t_ns, int64_t width_ns)
{
    const uint64_t width = (uint64_t)width_ns, past = (uint64_t)t_ns - (uint64_t)before * width;
    if (past < 2 * width)
        return before + (past >= width);
    return gs_floor_div(t_ns, width_ns);
}

/*
 * Does a scheduler's job hold every GPU of this host? One that says nothing of GPUs holds what there is. One that names
 * them does not, but those are siblings by its name where they served no other.
 */
static bool holds_all(const struct gs_fold_host *host, const struct gs_pair *p, struct gs_str only)
{
    if (p->gpu != GS_NONE)
        return only.len > 0;
    const struct gs_str gpus = gs_attribute(host->d, p->attributes, gs_str("gpus")),
                        nodes = gs_attribute(host->d, p->attributes, gs_str("nodes"));
    int64_t n_gpus, n_nodes;
    bool rounded;
    if (gpus.ptr == NULL || gs_fixed_parse(gpus, &n_gpus, &rounded) != GS_NUMBER_OK)
        return true;
    if (nodes.ptr == NULL || gs_fixed_parse(nodes, &n_nodes, &rounded) != GS_NUMBER_OK)
        n_nodes = GS_FIXED_ONE;
    return n_gpus >= host->view->n_gpus * (gs_i128)n_nodes;
}

/*
 * For each sample, 1 where one job alone holds the host and so all its GPUs are at the same work;
 * more where it holds a part of them, or several do: GPUs of several users, or held and free ones,
 * say little of each other, and count only where a host is hardly ever held whole. NULL: no
 * scheduler's jobs were here, and GPUs of a host are siblings at all times.
 */
static enum gs_status find_holders(const struct gs_fold_host *host, uint32_t g,
                                   const struct gs_gpu_view *view, struct gs_str only,
                                   struct readings *r, struct gs_err *err)
{
    enum { WHOLE_MIN = 10 }; /* percent of the held samples */
    size_t n_whole = 0, n_held = 0;
    const struct gs_host_view *const h = host->view;
    int32_t *n = NULL;
    for (uint32_t k = 0; k < h->n_pairs; k++) {
        const struct gs_pair *const p = &h->pair[k];
        if (!gs_pair_uses(h, p, g) || !gs_is_job(host->d, p->attributes))
            continue;
        if (n == NULL)
            n = gs_arena_take(host->scratch, (size_t)view->n + 1, sizeof *n);
        GS_TRY(gs_had_memory(n != NULL, err));
        const int32_t step = holds_all(host, p, only) ? 1 : 2; /* a part is never alone */
        n[gs_count_below(view->t_ns, view->n, p->start_ns)] += step;
        n[gs_count_below(view->t_ns, view->n, p->stop_ns)] -= step;
    }
    for (uint32_t i = 0; n != NULL && i < view->n; i++) {
        n[i] += i == 0 ? 0 : n[i - 1];
        n_whole += n[i] == 1;
        n_held += n[i] > 0;
    }
    r->holders = n;
    r->is_part = 100 * n_whole < WHOLE_MIN * n_held;
    return GS_OK;
}

/*
 * Steps between cells are stored, not times: most are 1 and take one byte. The number of cells
 * precedes them.
 */
static void pack_cells(struct gs_buf *b, const struct gs_gpu_view *g, const struct readings *r,
                       const struct gs_fleet_grid *grid)
{
    struct gs_load_cell cell = {.at = gs_floor_div(g->t_ns[0], grid->width_ns)};
    struct gs_buf cells = {.arena = b->arena};
    int64_t before = cell.at; /* the first stands where the first sample is */
    uint32_t n_cells = 1;
    for (uint32_t i = 0; i < g->n; i++) {
        const int64_t at = cell_of(cell.at, g->t_ns[i], grid->width_ns);
        if (at != cell.at) {
            pack_cell(&cells, &cell, before);
            n_cells++;
            before = cell.at;
            cell = (struct gs_load_cell){.at = at};
        }
        add_sample(&cell, r, i);
    }
    pack_cell(&cells, &cell, before);
    gs_pack_count(b, n_cells);
    gs_buf_add(b, (struct gs_str){cells.ptr, cells.len});
    b->failed |= cells.failed;
}

/* Siblings are those of one job: what several jobs did on one GPU stays apart. */
static enum gs_status add_series(struct gs_records *loads, const struct gs_fold_host *host,
                                 uint32_t g, const struct gs_gpu_view *view, struct gs_err *err)
{
    const struct gs_gpu *const gpu = &host->d->gpu[view->gpu];
    const struct gs_arena_mark mark = gs_arena_mark(host->scratch);
    struct gs_buf b = {.arena = host->scratch};
    if (view->n == 0)
        return GS_OK;
    GS_NEW_RAW(int64_t, room, view->n, host->scratch, err);
    struct readings r = readings_of(host->d, view);
    const struct gs_str job = job_of(host, g, gpu);
    if (gpu->job.len == 0)
        GS_TRY(find_holders(host, g, view, job, &r, err));
    const int64_t first = view->t_ns[0], last = view->t_ns[view->n - 1];
    const struct gs_fleet_grid grid = gs_load_grid(first, last, 0, host->d->n_gpus);
    gs_pack_text(&b, gpu->card);
    gs_pack_text(&b, gpu->index);
    gs_pack_text(&b, job);
    gs_pack_count(&b, r.holders != NULL);
    gs_pack_count(&b, r.is_part);
    gs_pack_i64(&b, first);
    gs_pack_i64(&b, last);
    gs_pack_i64(&b, gs_median_step(view->t_ns, view->n, room));
    gs_pack_i64(&b, middle_of(r.limit, view->n, room));
    gs_pack_count(&b, (uint64_t)grid.doublings);
    pack_cells(&b, view, &r, &grid);
    const char *const bytes = b.failed ? NULL : gs_arena_copy(host->arena, b.ptr, b.len);
    const union gs_key key[] = {{.text = host->d->host.text[gpu->host]},
                                {.text = gpu->serial},
                                {.text = gpu->uuid},
                                {.text = gpu->job}};
    gs_arena_rewind(host->scratch, mark);
    struct series_record *const found = gs_records_find(loads, key, host->arena);
    GS_TRY(gs_had_memory(bytes != NULL && found != NULL, err));
    found->bytes = (struct gs_str){bytes, b.len};
    return GS_OK;
}

enum gs_status gs_load_add(struct gs_records *loads, const struct gs_fold_host *host, uint32_t g,
                           struct gs_err *err)
{
    const struct gs_gpu_view *const gpu = &host->view->gpu[g];
    for (uint32_t i = 0; i < gpu->n_series; i++)
        GS_TRY(add_series(loads, host, g, gpu->series == NULL ? gpu : &gpu->series[i], err));
    return GS_OK;
}

/* --- reading ------------------------------------------------------------------------------------------ */

enum gs_status gs_load_open(const struct gs_records *loads, size_t i, struct gs_load_series *series,
                            struct gs_err *err)
{
    const struct series_record *const r = gs_records_at(loads, i);
    struct gs_unpacker u = gs_unpack("load cells", r->bytes, err);
    struct gs_load_series s = {.card = gs_unpack_text(&u)};
    s.index = gs_unpack_text(&u);
    s.job = gs_unpack_text(&u);
    s.of_jobs = gs_unpack_count(&u) > 0;
    s.is_part = gs_unpack_count(&u) > 0;
    s.first_ns = gs_unpack_i64(&u);
    s.last_ns = gs_unpack_i64(&u);
    s.interval_ns = gs_unpack_i64(&u);
    s.power_limit = gs_unpack_i64(&u);
    const uint64_t doublings = gs_unpack_count(&u), n_cells = gs_unpack_count(&u);
    if (u.status == GS_OK && (doublings > GS_GRID_DOUBLINGS_MAX || n_cells > CELLS_MAX ||
                              s.first_ns > s.last_ns || s.interval_ns < 0))
        (void)gs_unpack_fail(&u, "found cells that no run has");
    /* of a damaged state nothing is computed: a width may not be shifted so far */
    if (u.status != GS_OK)
        return u.status;
    s.doublings = (int)doublings;
    s.at = gs_floor_div(s.first_ns, gs_grid_width(s.doublings));
    s.last = gs_floor_div(s.last_ns, gs_grid_width(s.doublings));
    s.n_cells = (uint32_t)n_cells;
    s.cells = u;
    *series = s;
    return GS_OK;
}

static uint32_t unpack_n(struct gs_unpacker *u)
{
    return (uint32_t)gs_min(gs_unpack_count(u), UINT32_MAX);
}

bool gs_load_next(struct gs_load_series *series, struct gs_load_cell *cell)
{
    struct gs_unpacker *const u = &series->cells;
    struct gs_load_cell c = {0};
    if (series->n_cells == 0)
        return false;
    series->n_cells--;
    const uint64_t further = gs_unpack_count(u);
    /*
     * Bytes may come from another machine. A cell outside of the series would become an index
     * outside of an array.
     */
    if (further > (uint64_t)series->last - (uint64_t)series->at)
        (void)gs_unpack_fail(u, "found a cell behind the last sample");
    else
        c.at = series->at += (int64_t)further;
    for (int k = 0; k < GS_N_LOADS; k++) {
        c.n[k] = unpack_n(u);
        if (c.n[k] > 0) {
            const uint64_t sum = gs_unpack_count(u);
            c.sum[k] = (int64_t)(sum >> 1 ^ (0 - (sum & 1)));
        }
    }
    c.n_hot = unpack_n(u);
    c.n_reasons = unpack_n(u);
    if (c.n_reasons > 0) {
        c.n_thermal = unpack_n(u);
        c.n_capped = unpack_n(u);
    }
    *cell = c;
    return u->status == GS_OK;
}
