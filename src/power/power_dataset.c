/* power_dataset.c - a run's samples copied GPU by GPU into logs. */
#include "power/power_dataset.h"

#include <string.h>

#include "view/host_view.h"

/* Where a log's field stands among a run's metrics. */
static const char *const metric_of[GS_LOG_FIELDS] = {
    [GS_LOG_POWER] = "power_w",
    [GS_LOG_TEMP] = "temp_c",
    [GS_LOG_GPU_UTIL] = "gpu_util_pct",
    [GS_LOG_MEM_UTIL] = "mem_util_pct",
    [GS_LOG_MEMORY_USED] = "mem_used_mib",
    [GS_LOG_MEMORY_TOTAL] = "mem_total_mib",
    [GS_LOG_CLOCK] = "sm_clock_mhz",
    [GS_LOG_ENERGY] = "energy_j",
};

struct copying {
    const struct gs_dataset *d;
    struct gs_arena *arena;
    struct gs_log *log;             /* [n_gpus]                                        */
    uint32_t metric[GS_LOG_FIELDS]; /* UINT32_MAX: the run has none                    */
    uint64_t *n_powers;             /* [n_metrics] readings, while the power is chosen */
};

static enum gs_status count_host(void *context, const struct gs_host_view *h, unsigned thread, struct gs_arena *scratch,
                                 struct gs_err *err)
{
    (void)thread, (void)scratch, (void)err;
    struct copying *const c = context;
    for (uint32_t g = 0; g < h->n_gpus; g++)
        for (uint32_t m = 0; m < h->n_metrics; m++)
            for (uint32_t i = 0; i < h->gpu[g].n; i++)
                c->n_powers[m] += h->gpu[g].value[m][i] != GS_MISSING;
    return GS_OK;
}

static enum gs_status copy_gpu(const struct copying *c, const struct gs_gpu_view *g, struct gs_log *log,
                               struct gs_err *err)
{
    const int64_t *const power = g->value[c->metric[GS_LOG_POWER]];
    int64_t *const t = gs_arena_take_raw(c->arena, g->n, sizeof *t);
    size_t n = 0;
    if (t == NULL)
        return gs_fail_memory(err);
    for (uint32_t i = 0; i < g->n; i++)
        if (power[i] != GS_MISSING)
            t[n++] = g->t_ns[i];
    log->t_ns = t;
    log->n = n;
    log->n_dropped = g->n - n;
    for (int f = 0; f < GS_LOG_FIELDS; f++) {
        if (c->metric[f] == UINT32_MAX)
            continue;
        const int64_t *const from = g->value[c->metric[f]];
        int64_t *const to = gs_arena_take_raw(c->arena, n, sizeof *to);
        bool any = f == GS_LOG_POWER;
        if (to == NULL)
            return gs_fail_memory(err);
        for (size_t i = 0, k = 0; i < g->n; i++)
            if (power[i] != GS_MISSING) {
                any |= from[i] != GS_MISSING;
                to[k++] = from[i];
            }
        log->value[f] = any ? to : NULL;
    }
    return GS_OK;
}

static enum gs_status copy_host(void *context, const struct gs_host_view *h, unsigned thread, struct gs_arena *scratch,
                                struct gs_err *err)
{
    (void)thread, (void)scratch;
    const struct copying *const c = context;
    enum gs_status s = GS_OK;
    for (uint32_t g = 0; s == GS_OK && g < h->n_gpus; g++)
        s = copy_gpu(c, &h->gpu[g], &c->log[h->gpu[g].gpu], err);
    return s;
}

static struct gs_str label_of(const struct gs_dataset *d, uint32_t gpu, struct gs_arena *arena)
{
    const struct gs_gpu *const g = &d->gpu[gpu];
    const struct gs_str own = g->uuid.len > 0 ? g->uuid : g->serial;
    struct gs_buf b = {.arena = arena};
    if (d->host.n < 2 && own.len > 0)
        return own;
    gs_buf_bytes(&b, d->host.text[g->host].ptr, d->host.text[g->host].len);
    if (own.len > 0) {
        gs_buf_char(&b, '/');
        gs_buf_bytes(&b, own.ptr, own.len);
    }
    return gs_buf_str(&b);
}

/* The power column that counts; false: there is none with a reading. */
static bool choose_power(struct copying *c, bool prefer_instant, struct gs_log_table *t)
{
    static const struct {
        const char *name;
        enum gs_power_column column;
    } kinds[] = {
        {"power_w", GS_COLUMN_DRAW}, {"power_average_w", GS_COLUMN_AVERAGE}, {"power_instant_w", GS_COLUMN_INSTANT}};
    for (size_t i = 0; i < 3; i++) {
        const size_t k = prefer_instant ? (i + 2) % 3 : i;
        const uint32_t m = gs_metrics_find(c->d->metric, c->d->n_metrics, gs_str(kinds[k].name));
        if (m == UINT32_MAX || c->n_powers[m] == 0)
            continue;
        c->metric[GS_LOG_POWER] = m;
        t->column = kinds[k].column;
        return true;
    }
    return false;
}

enum gs_status gs_power_of_dataset(const struct gs_dataset *d, const char *name, bool prefer_instant,
                                   struct gs_arena *arena, struct gs_notes *notes, struct gs_log_table *table,
                                   struct gs_err *err)
{
    const char *const slash = strrchr(name, '/');
    struct gs_buf shown = {.arena = arena};
    gs_buf_escaped(&shown, gs_str(name), 512);
    struct gs_log_table t = {.name = gs_buf_str(&shown).ptr,
                             .stem = gs_str(slash == NULL || slash[1] == '\0' ? name : slash + 1),
                             .n_logs = d->n_gpus,
                             .zoneless = d->zoneless};
    struct copying c = {.d = d, .arena = arena};
    struct gs_view_totals totals;
    c.log = gs_arena_take(arena, d->n_gpus, sizeof *c.log);
    c.n_powers = gs_arena_take(arena, d->n_metrics, sizeof *c.n_powers);
    if (c.log == NULL || c.n_powers == NULL || shown.failed)
        return gs_fail_memory(err);
    for (int f = 0; f < GS_LOG_FIELDS; f++)
        c.metric[f] = gs_metrics_find(d->metric, d->n_metrics, gs_str(metric_of[f]));
    enum gs_status s = gs_hosts_visit(d, NULL, 1, GS_VIEW_SAMPLES, count_host, &c, &totals, err);
    if (s == GS_OK && !choose_power(&c, prefer_instant, &t))
        s = gs_fail(err, GS_ERR_DATA, "%s: no sample has a power", t.name);
    if (s == GS_OK)
        s = gs_hosts_visit(d, NULL, 1, GS_VIEW_SAMPLES, copy_host, &c, &totals, err);
    for (uint32_t g = 0; s == GS_OK && g < d->n_gpus; g++) {
        c.log[g].gpu = label_of(d, g, arena);
        if (c.log[g].gpu.ptr == NULL)
            s = gs_fail_memory(err);
        t.n_rows += c.log[g].n + c.log[g].n_dropped;
        t.n_dropped += c.log[g].n_dropped;
    }
    if (s != GS_OK)
        return s;
    if (t.n_dropped > 0)
        gs_note(notes, GS_NOTE_WARNING, "%s: %llu of %llu samples have no power", t.name,
                (unsigned long long)t.n_dropped, (unsigned long long)t.n_rows);
    t.log = c.log;
    *table = t;
    return GS_OK;
}
