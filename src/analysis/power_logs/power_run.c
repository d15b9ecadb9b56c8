/* power_run.c - the host views of a run, GPU by GPU, as power logs. */
#include "analysis/power_logs/power_run.h"

#include <string.h>

#include "stats/descriptive/quantile.h"
#include "analysis/timeline/host_view.h"
#include "base/num/order.h"
#include "base/num/whole.h"

const struct gs_power_kind gs_power_kinds[GS_N_POWER_KINDS] = {
    {"instant", "power_instant_w", GS_COLUMN_INSTANT},
    {"draw", "power_w", GS_COLUMN_DRAW},
    {"average", "power_average_w", GS_COLUMN_AVERAGE}};

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

static uint64_t count_values(const struct gs_table *t, unsigned column)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < t->n_segments; k++) {
        const struct gs_cells cell = gs_cells_of(&t->segment[k], column);
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++)
            n += gs_cell(&cell, i) != GS_MISSING;
    }
    return n;
}

static bool has_values(const struct gs_table *t, unsigned column)
{
    return count_values(t, column) > 0;
}

/* The power that was asked for; false: it has no reading. */
static bool collect_power(struct gs_power_run *run, const struct gs_power_choice *choice)
{
    const uint32_t m = gs_metrics_find(run->d->metric, run->d->n_metrics, gs_str(choice->metric));
    const bool other =
        m == GS_POWER && choice->column == GS_COLUMN_DRAW && run->d->power_metric != GS_POWER;
    run->metric[GS_LOG_POWER] = m;
    run->table.column = choice->column;
    return m != UINT32_MAX && !other &&
           has_values(&run->d->table[GS_TABLE_SAMPLES], GS_SAMPLE_METRIC + m);
}

/*
 * The power column that counts, as views choose it for every other command: the instant one if it has as many readings as
 * the draw. False: there is none with a reading.
 */
static bool choose_power(struct gs_power_run *run, struct gs_notes *notes)
{
    const struct gs_dataset *const d = run->d;
    uint64_t n_readings[GS_N_POWER_KINDS] = {0};
    int n = 0, chosen = -1;
    for (int k = 0; k < GS_N_POWER_KINDS; k++) {
        const uint32_t m =
            gs_metrics_find(d->metric, d->n_metrics, gs_str(gs_power_kinds[k].metric));
        if (m == UINT32_MAX || (m == GS_POWER && d->power_metric != GS_POWER))
            continue;
        n_readings[k] = count_values(&d->table[GS_TABLE_SAMPLES], GS_SAMPLE_METRIC + m);
        n += n_readings[k] > 0;
        const bool fuller = chosen == 0 && k == 1 && n_readings[1] > n_readings[0];
        if (n_readings[k] == 0 || (chosen >= 0 && !fuller))
            continue;
        chosen = k;
        run->metric[GS_LOG_POWER] = m;
        run->table.column = gs_power_kinds[k].column;
    }
    if (n == 0) {
        /* Views take the power from the energy counter where nothing else has it. */
        run->metric[GS_LOG_POWER] = GS_POWER;
        run->table.column = GS_COLUMN_COUNTER;
        /* What a counter rises by is power only over a time that is known: rows in no more than an order have none. */
        return run->has_times && run->metric[GS_LOG_ENERGY] != UINT32_MAX &&
               has_values(&d->table[GS_TABLE_SAMPLES],
                          GS_SAMPLE_METRIC + run->metric[GS_LOG_ENERGY]);
    }
    if (n > 1)
        gs_note(notes, GS_NOTE_INFO, "%s: power taken from %s, one of %d (--power-column)",
                run->table.name, gs_power_kinds[chosen].metric, n);
    return true;
}

static bool is_number(struct gs_str text, uint64_t *value)
{
    for (size_t i = 0; i < text.len; i++)
        if (!gs_is_digit(text.ptr[i]))
            return false;
    return text.len > 0 && gs_count_parse(text, UINT64_MAX, value) == GS_NUMBER_OK;
}

/* What a GPU is called; without memory *had becomes false. */
static struct gs_str label_of(const struct gs_dataset *d, uint32_t gpu, bool is_directory,
                              struct gs_arena *arena, bool *had)
{
    const struct gs_gpu *const g = &d->gpu[gpu];
    const struct gs_str host = d->host.text[g->host],
                        unique = g->uuid.len > 0 ? g->uuid : g->serial;
    uint64_t number;
    const bool by_index = g->index.len > 0 && (gs_gpu_has_index_only(g) ||
                                               (!is_directory && is_number(g->index, &number)));
    const struct gs_str own = by_index ? g->index : unique;
    if (own.len == 0)
        return d->hosts_assumed && d->host.n == 1 ? (struct gs_str){NULL, 0} : host;
    if (by_index ? d->hosts_assumed && d->host.n == 1 : !is_directory || d->host.n == 1)
        return own;
    const struct gs_str both = gs_str_joined(arena, host, "/", own);
    *had &= both.ptr != NULL;
    return both;
}

struct named {
    struct gs_str name;
    uint32_t gpu;
};

/*
 * Numbers by value, then texts; GPUs of one name in the dataset's order. The order of the rows:
 * GPU 10 comes after GPU 9. A name that is no number sorts behind all numbers, or the order would
 * not be transitive.
 */
static int compare_names(const void *a, const void *b)
{
    const struct named *const p = a, *const q = b;
    uint64_t x = 0, y = 0;
    const bool nx = is_number(p->name, &x), ny = is_number(q->name, &y);
    if (nx != ny)
        return nx ? -1 : 1;
    if (nx && x != y)
        return gs_cmp(x, y);
    const int c = gs_str_compare(p->name, q->name);
    return c != 0 ? c : gs_cmp(p->gpu, q->gpu);
}

/* A log of each GPU, whatever jobs its samples name. */
static bool name_logs(struct gs_power_run *run, bool is_directory, struct gs_arena *arena)
{
    const struct gs_dataset *const d = run->d;
    GS_OWN struct gs_arena scratch = {0};
    struct named *const list = gs_arena_take(&scratch, d->n_gpus, sizeof *list);
    bool had = list != NULL;
    uint32_t n = 0;
    for (uint32_t g = 0; had && g < d->n_gpus; g++)
        if (g == 0 || !gs_is_same_gpu(&d->gpu[g - 1], &d->gpu[g]))
            list[n++] = (struct named){label_of(d, g, is_directory, arena, &had), g};
    if (had)
        GS_SORT(list, n, compare_names);
    for (uint32_t k = 0; had && k < n; k++) {
        run->table.log[k].gpu = list[k].name;
        run->table.log[k].card = d->gpu[list[k].gpu].card;
        run->log_of[list[k].gpu] = k;
    }
    run->table.n_logs = n;
    return had;
}

/* What was asked for and what there is. */
static enum gs_status refuse_powerless(const struct gs_power_run *run,
                                       const struct gs_power_choice *choice, struct gs_err *err)
{
    const struct gs_dataset *const d = run->d;
    const struct gs_table *const t = &d->table[GS_TABLE_SAMPLES];
    GS_OWN struct gs_arena own = {0};
    struct gs_buf found = {.arena = &own};
    if (t->n_rows == 0)
        return gs_fail(err, GS_ERR_DATA, "%s: has no rows that are samples", run->table.name);
    for (uint32_t m = 0; m < d->n_metrics; m++)
        if (has_values(t, GS_SAMPLE_METRIC + m))
            gs_buf_format(&found, "%s%s", found.len == 0 ? "; found " : ", ", d->metric[m]->name);
    GS_TRY(gs_had_memory(!found.failed, err));
    return gs_fail(err, GS_ERR_DATA,
                   "%s: no sample of %llu has %s (--power-column names its column)%s",
                   run->table.name, (unsigned long long)t->n_rows,
                   choice->metric != NULL ? choice->metric : "a power",
                   found.len == 0 ? "" : gs_buf_str(&found).ptr);
}

enum gs_status gs_power_run_open(const struct gs_dataset *d, const char *name,
                                 const struct gs_power_choice *choice, struct gs_arena *arena,
                                 struct gs_notes *notes, struct gs_power_run *run,
                                 struct gs_err *err)
{
    const struct gs_str called = gs_file_called(gs_str(name));
    const char *const slash = strrchr(called.ptr, '/');
    struct gs_power_run r = {
        .d = d,
        .table = {.name = gs_escaped(arena, called, 512),
                  .stem = slash == NULL || slash[1] == '\0' ? called : gs_str(slash + 1),
                  .log = gs_arena_take(arena, d->n_gpus, sizeof *r.table.log)},
        .has_times = choice->has_times,
        .log_of = gs_arena_take(arena, d->n_gpus, sizeof *r.log_of)};
    if (r.table.log == NULL || r.log_of == NULL || r.table.name == NULL ||
        !name_logs(&r, choice->is_directory, arena))
        return gs_fail_memory(err);
    for (int f = 0; f < GS_LOG_FIELDS; f++)
        r.metric[f] = gs_metrics_find(d->metric, d->n_metrics, gs_str(metric_of[f]));
    if (choice->metric != NULL ? !collect_power(&r, choice) : !choose_power(&r, notes))
        return refuse_powerless(&r, choice, err);
    *run = r;
    return GS_OK;
}

static bool any_value(const int64_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] != GS_MISSING)
            return true;
    return false;
}

enum { TIMES = GS_LOG_FIELDS, N_SERIES }; /* a log's fields, and behind them its times */

/*
 * Of a field that comes in rows of its own the latest value stands beside each power. Prometheus
 * exports one metric per row, so utilisation and power never share one. Elsewhere a missing value
 * stays missing, because a stale one would look measured.
 */
static void keep_powered(const int64_t *v, const int64_t *power, size_t n, bool own_rows,
                         int64_t *kept)
{
    int64_t latest = GS_MISSING;
    for (size_t i = 0, k = 0; i < n; i++) {
        if (v[i] != GS_MISSING || !own_rows)
            latest = v[i];
        if (power[i] != GS_MISSING)
            kept[k++] = latest;
    }
}

/* Leaves out of from[] the samples without power, all but the n of them; counters have steps of their own. */
static enum gs_status drop_powerless(const struct gs_gpu_view *g, const int64_t *power, size_t n,
                                     bool own_rows, const int64_t *from[N_SERIES],
                                     struct gs_arena *scratch, struct gs_err *err)
{
    for (int f = 0; f < N_SERIES; f++) {
        if (from[f] == NULL || f == GS_LOG_ENERGY)
            continue;
        GS_NEW_RAW(int64_t, kept, n, scratch, err);
        keep_powered(from[f], power, g->n, own_rows, kept);
        from[f] = kept;
    }
    return GS_OK;
}

/* Without the samples that have no power; nothing is copied where all have one. False without memory. */
static enum gs_status log_of_view(const struct gs_power_run *run, const struct gs_gpu_view *g,
                                  struct gs_arena *scratch, struct gs_log *log, struct gs_err *err)
{
    const int64_t *const power = g->n == 0 ? NULL : g->value[run->metric[GS_LOG_POWER]];
    size_t n = 0;
    for (uint32_t i = 0; i < g->n; i++)
        n += power[i] != GS_MISSING;
    log->n = n;
    log->n_dropped = (run->d->has_long_rows || g->counted ? 0 : g->n - n) +
                     (run->table.n_logs == 1 ? run->d->n_set_aside : 0);
    const int64_t *from[N_SERIES] = {[TIMES] = g->t_ns};
    for (int f = 0; f < GS_LOG_FIELDS && g->n > 0; f++)
        from[f] = run->metric[f] == UINT32_MAX ? NULL : g->value[run->metric[f]];
    if (n < g->n)
        GS_TRY(drop_powerless(g, power, n, run->d->has_long_rows, from, scratch, err));
    for (int f = 0; f < GS_LOG_FIELDS; f++) {
        const size_t n_there = f == GS_LOG_ENERGY ? g->n : n;
        log->value[f] =
            from[f] != NULL && (f == GS_LOG_POWER || any_value(from[f], n_there)) ? from[f] : NULL;
    }
    log->n_with_time = g->n;
    log->row_t_ns = run->has_times ? g->t_ns : NULL;
    log->t_ns = run->has_times ? from[TIMES] : NULL;
    log->counted = g->counted;
    log->counted_step = g->counted_step;
    return GS_OK;
}

/* Leaves in a log the readings inside the range; `all` takes the whole of it. */
static void keep_inside(const struct gs_range *range, struct gs_log *all, struct gs_log *log)
{
    *all = *log;
    if (range == NULL || log->row_t_ns == NULL)
        return;
    const size_t first = gs_count_below(log->t_ns, log->n, range->from_ns),
                 row = gs_count_below(log->row_t_ns, log->n_with_time, range->from_ns);
    log->n = gs_count_below(log->t_ns, log->n, range->to_ns) - first;
    log->n_with_time = gs_count_below(log->row_t_ns, log->n_with_time, range->to_ns) - row;
    log->t_ns += first;
    log->row_t_ns += row;
    for (int f = 0; f < GS_LOG_FIELDS; f++)
        if (log->value[f] != NULL)
            log->value[f] += f == GS_LOG_ENERGY ? row : first;
    log->all = all;
    log->range = range;
}

struct showing {
    struct gs_power_run *run;
    gs_power_look_fn *look;
    void *context;
};

/* Copies have the same; a power that stays as it is has none, as idle GPUs are often equal. */
static uint64_t print_of(const struct gs_log *log)
{
    enum { READINGS_MIN = 10 };
    const int64_t *const power = log->value[GS_LOG_POWER];
    uint64_t print = 0;
    bool varies = false;
    for (size_t i = 0; i < log->n && log->t_ns != NULL; i++) {
        print += gs_mix64(gs_mix64((uint64_t)log->t_ns[i]) + (uint64_t)power[i]);
        varies |= power[i] != power[0];
    }
    return log->n < READINGS_MIN || !varies ? 0 : print;
}

/*
 * Threads write to different logs: a GPU is on one host, and one thread has a host. The log's
 * columns live in scratch and are gone after `look` returns.
 */
static enum gs_status show_host(void *context, const struct gs_host_view *h, unsigned thread,
                                struct gs_arena *scratch, struct gs_err *err)
{
    const struct showing *const s = context;
    for (uint32_t g = 0; g < h->n_gpus; g++) {
        GS_REWINDS(scratch);
        const size_t k = s->run->log_of[h->gpu[g].gpu];
        struct gs_log *const head = &s->run->table.log[k];
        struct gs_log log = *head, all;
        GS_TRY(log_of_view(s->run, gs_gpu_log(&h->gpu[g]), scratch, &log, err));
        keep_inside(s->run->d->range, &all, &log);
        head->n = log.n;
        head->print = log.print = print_of(&log);
        head->n_dropped = log.n_dropped;
        head->counted = log.counted;
        head->counted_step = log.counted_step;
        GS_TRY(s->look(s->context, k, &log, thread, scratch, err));
    }
    return GS_OK;
}

/* Logs whose readings are there already. */
static enum gs_status show_kept(const struct showing *s, struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    const struct gs_log_table *const t = &s->run->table;
    for (size_t k = 0; k < t->n_logs; k++) {
        GS_REWINDS(&scratch);
        GS_TRY(s->look(s->context, k, &t->log[k], 0, &scratch, err));
    }
    return GS_OK;
}

enum gs_status gs_power_run_visit(struct gs_power_run *run, unsigned n_threads,
                                  gs_power_look_fn *look, void *context, struct gs_err *err)
{
    struct showing s = {run, look, context};
    if (run->d == NULL)
        return show_kept(&s, err);
    struct gs_log_table *const t = &run->table;
    struct gs_host_way way = {.d = run->d, .fn = show_host, .context = &s};
    enum gs_status status = gs_hosts_visit(&way, 1, NULL, n_threads, GS_VIEW_SAMPLES, err);
    /* rows that are no samples: of several GPUs nothing says whose they were */
    t->n_rows = t->n_dropped = t->n_logs > 1 ? run->d->n_set_aside : 0;
    for (size_t k = 0; status == GS_OK && k < t->n_logs; k++) {
        t->n_rows += t->log[k].n + t->log[k].n_dropped;
        t->n_dropped += t->log[k].n_dropped;
    }
    return status;
}

void gs_power_run_note(const struct gs_power_run *run, struct gs_notes *notes)
{
    const struct gs_log_table *const t = &run->table;
    const uint64_t n =
        run->d == NULL ? 0 : t->n_dropped - run->d->n_set_aside; /* those have notes */
    if (n > 0)
        gs_note(notes, GS_NOTE_WARNING, "%s: %llu of %llu rows %s no power (%.3g %%)", t->name,
                (unsigned long long)n, (unsigned long long)t->n_rows, gs_plural(n, "has", "have"),
                100.0 * (double)n / (double)t->n_rows);
}

struct keeping {
    struct gs_log *log;
    struct gs_arena *arena; /* [threads] */
};

/* Copies [n] of a column, where it is there. */
static enum gs_status keep_values(const int64_t **column, size_t n, struct gs_arena *arena,
                                  struct gs_err *err)
{
    if (*column == NULL)
        return GS_OK;
    GS_NEW_RAW(int64_t, v, n, arena, err);
    if (n > 0)
        memcpy(v, *column, n * sizeof *v);
    *column = v;
    return GS_OK;
}

/* Its values, and those of the whole log, where it is a part. */
static enum gs_status keep_log(struct gs_log *kept, struct gs_arena *arena, struct gs_err *err)
{
    GS_TRY(keep_values(&kept->t_ns, kept->n, arena, err));
    GS_TRY(keep_values(&kept->row_t_ns, kept->n_with_time, arena, err));
    for (int f = 0; f < GS_LOG_FIELDS; f++)
        GS_TRY(keep_values(&kept->value[f], f == GS_LOG_ENERGY ? kept->n_with_time : kept->n, arena,
                           err));
    if (kept->all == NULL)
        return GS_OK;
    GS_NEW(struct gs_log, all, 1, arena, err);
    *all = *kept->all;
    kept->all = all;
    return keep_log(all, arena, err);
}

static enum gs_status store_log(void *context, size_t k, const struct gs_log *log, unsigned thread,
                                struct gs_arena *scratch, struct gs_err *err)
{
    (void)scratch;
    const struct keeping *const to = context;
    struct gs_log kept = *log;
    GS_TRY(keep_log(&kept, &to->arena[thread], err));
    to->log[k] = kept;
    return GS_OK;
}

enum gs_status gs_power_run_store(struct gs_power_run *run, unsigned n_threads,
                                  struct gs_arena *arena, struct gs_err *err)
{
    if (run->d == NULL)
        return GS_OK;
    struct keeping to = {.log = run->table.log};
    GS_TAKE(to.arena, n_threads, arena, err);
    const enum gs_status s = gs_power_run_visit(run, n_threads, store_log, &to, err);
    for (unsigned t = 0; t < n_threads; t++)
        gs_arena_adopt(arena, &to.arena[t]);
    return s;
}
