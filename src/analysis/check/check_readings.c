/* check_readings.c - readings that cannot be or are not there, names of GPUs that lead nowhere: any order of rows. */
#include "analysis/check/check_parts.h"

#include <stdio.h>

#include "analysis/timeline/counts.h"
#include "base/num/order.h"
#include "stats/descriptive/quantile.h"

enum {
    SPIKE = 10,     /* times the median */
    JUMP = 4,       /* times the reading before, and the one behind */
    JUMP_MAX = 2,   /* readings in a row: more are a load */
    FEW_JUMPS = 500 /* one in so many: more are bursts between two polls */
};

static const char impossible[] = "impossible", absent[] = "absent", unknown_gpu[] = "unknown-gpu",
                  isolated[] = "isolated";

/* Two tallies of one metric over the rows of a segment. */
static void inspect_at(const struct gs_dataset *d, const struct gs_segment *s, uint32_t m,
                       struct gs_tally found[2])
{
    const struct gs_cells cell = gs_cells_of(s, GS_SAMPLE_METRIC + m);
    const int64_t low = d->metric[m]->low, high = d->metric[m]->high;
    for (uint32_t i = 0; i < s->n_rows; i++) {
        const int64_t v = gs_cell(&cell, i);
        if (v < low || v > high)
            gs_tally_add(&found[v == GS_MISSING], 1,
                         gs_segment_value_if(d->has_places, s, i, gs_sample_place(d->n_metrics)));
    }
}

/*
 * Readings above what any card of the kind has, and ten times the GPU's median: a glitch that the bounds, which are those
 * of whole nodes, let through.
 */
static bool add_spikes(const struct gs_gpu_view *g, const struct gs_metric *metric, uint32_t m,
                       struct gs_arena *scratch, struct gs_tally *found)
{
    const int64_t *const v = g->value[m];
    uint32_t n = 0, n_high = 0;
    for (uint32_t i = 0; i < g->n; i++)
        n_high += v[i] > metric->usual_high && v[i] <= metric->high;
    if (n_high == 0)
        return true;
    int64_t *const known = gs_arena_take_raw(scratch, g->n, sizeof *known);
    if (known == NULL)
        return false;
    for (uint32_t i = 0; i < g->n; i++)
        if (v[i] != GS_MISSING)
            known[n++] = v[i];
    gs_select(known, n, n / 2);
    for (uint32_t i = 0; i < g->n; i++)
        if (v[i] > metric->usual_high && v[i] <= metric->high && v[i] / SPIKE > known[n / 2])
            gs_tally_add(found, 1, gs_place_at(g->place, i));
    return true;
}

/* What contradicts a reading of power: its card's limit, or that the GPU did nothing then, before and afterwards. */
static bool is_contradicted(const struct gs_gpu_view *g, const int64_t *limit, uint32_t before,
                            uint32_t i, uint32_t behind)
{
    const int64_t *const v = g->value[GS_POWER], *const util = g->value[GS_GPU_UTIL];
    if (limit != NULL && limit[i] > 0)
        return v[i] / 3 > limit[i] / 2;
    return util[before] == 0 && util[i] == 0 && util[behind] == 0;
}

static uint32_t next_known(const int64_t *v, uint32_t i, uint32_t n)
{
    while (i < n && v[i] == GS_MISSING)
        i++;
    return i;
}

/*
 * Power that jumps up and back within one or two readings: impossible where something contradicts it. Where nothing tells,
 * it is worth a look if the GPU never drew nearly as much otherwise.
 */
static void add_jumps(const struct gs_dataset *d, const struct gs_gpu_view *g,
                      struct gs_tally *contradicted, struct gs_tally *alone)
{
    const uint32_t of_limit = gs_metrics_find(d->metric, d->n_metrics, gs_str("power_limit_w"));
    const int64_t *const v = g->value[GS_POWER];
    const int64_t *const limit = of_limit == UINT32_MAX ? NULL : g->value[of_limit];
    int64_t most = 0, least_open = INT64_MAX; /* of what is no jump, and of what may be one */
    struct gs_tally open = GS_TALLY_NONE;
    uint32_t before = next_known(v, 0, g->n);
    for (uint32_t i = before, behind; i < g->n; i = behind) {
        uint32_t n = 0;
        for (behind = i;
             behind < g->n && n <= JUMP_MAX && v[before] > 0 && v[behind] / JUMP > v[before]; n++)
            behind = next_known(v, behind + 1, g->n);
        if (n == 0 || n > JUMP_MAX || behind == g->n) {
            most = gs_max(v[i], most);
            before = i;
            behind = next_known(v, i + 1, g->n);
            continue;
        }
        for (uint32_t k = i; k < behind; k = next_known(v, k + 1, g->n)) {
            const int64_t place = gs_place_at(g->place, k);
            if (is_contradicted(g, limit, before, k, behind)) {
                gs_tally_add(contradicted, 1, place);
            } else if (g->value[GS_GPU_UTIL][k] == GS_MISSING) {
                gs_tally_add(&open, 1, place);
                least_open = gs_min(v[k], least_open);
            } else {
                most = gs_max(v[k], most);
            }
        }
    }
    if (open.n > 0 && open.n <= g->n / FEW_JUMPS + JUMP_MAX && least_open / JUMP > most)
        *alone = open;
}

/* Every row counts, as it was read; what another row of the same sample has is not missing. */
static bool add_gpu(struct gs_state *state, const struct gs_fold_host *host,
                    const struct gs_gpu_view *g)
{
    const struct gs_dataset *const d = host->d;
    const struct gs_table *const t = &d->table[GS_TABLE_SAMPLES];
    const uint32_t gpu = g->gpu;
    struct gs_tally alone = GS_TALLY_NONE;
    bool fits = true;
    for (uint32_t m = 0; m < d->n_metrics && fits; m++) {
        const struct gs_str name = gs_str(d->metric[m]->name);
        struct gs_tally found[2] = {GS_TALLY_NONE, GS_TALLY_NONE};
        /* A GPU that served several jobs has a series for each, one behind the other. */
        for (uint32_t k = t->first[gpu]; k < t->first[gpu + gs_max(g->n_series, 1)]; k++)
            inspect_at(d, &t->segment[k], m, found);
        if (g->n_joined > 0)
            found[1] = GS_TALLY_NONE;
        for (uint32_t i = 0; g->n_joined > 0 && i < g->n; i++)
            if (g->value[m][i] == GS_MISSING)
                gs_tally_add(&found[1], 1, gs_place_at(g->place, i));
        fits = add_spikes(g, d->metric[m], m, host->scratch, &found[0]);
        if (m == GS_POWER)
            add_jumps(d, g, &found[0], &alone);
        for (int k = 0; k < 2; k++)
            found[k].line = gs_dataset_line(d, found[k].line);
        fits = fits && gs_check_count(state, host, impossible, name, found[0]) &&
               gs_check_count(state, host, absent, name, found[1]);
    }
    alone.line = gs_dataset_line(d, alone.line);
    return fits && gs_check_count(state, host, isolated, (struct gs_str){0}, alone);
}

/* The GPU column of the checkpoints, where there is one. */
static struct gs_tally unknown_gpus(const struct gs_dataset *d, uint32_t host)
{
    const struct gs_segments of_host = gs_table_segments(&d->table[GS_TABLE_CHECKPOINTS], host);
    struct gs_tally found = GS_TALLY_NONE;
    int64_t last_name = GS_MISSING;
    bool known = true;
    for (uint32_t k = 0; k < of_host.n; k++)
        for (uint32_t i = 0; i < of_host.segment[k].n_rows; i++) {
            const struct gs_segment *const s = &of_host.segment[k];
            const int64_t name = gs_segment_value(s, i, GS_CHECKPOINT_GPU);
            if (name == GS_MISSING || gs_is_missing_word(d->gpu_name.text[name]))
                continue;
            if (name != last_name)
                known = gs_gpu_named(d, host, d->gpu_name.text[name]) != GS_NONE;
            last_name = name;
            if (!known)
                gs_tally_add(&found, 1,
                             gs_segment_value_if(d->has_places, s, i, GS_CHECKPOINT_PLACE));
        }
    found.line = gs_dataset_line(d, found.line);
    return found;
}

bool gs_check_add_readings(struct gs_state *state, const struct gs_fold_host *host)
{
    const struct gs_host_view *const h = host->view;
    bool fits = true;
    for (uint32_t g = 0; g < h->n_gpus && fits; g++)
        fits = add_gpu(state, host, &h->gpu[g]);
    if (fits && host->d->checkpoints_name_gpu)
        fits = gs_check_count(state, host, unknown_gpu, (struct gs_str){0},
                              unknown_gpus(host->d, h->host));
    return fits;
}

void gs_check_report_readings(struct gs_check_report *r)
{
    char finding[160], hint[160];
    for (uint32_t m = 0; m < r->facts->n_metrics; m++) {
        const struct gs_metric *const metric = r->facts->metric[m];
        (void)snprintf(finding, sizeof finding, "impossible %s readings", metric->words);
        const char *also = "";
        if (m == GS_POWER)
            also = ", 10 times the median, or a jump that limit or utilisation contradict";
        else if (metric->usual_high < metric->high)
            also = ", or 10 times the GPU's median";
        (void)snprintf(hint, sizeof hint, "below %lld or above %lld%s; they are in every mean",
                       (long long)(metric->low / GS_FIXED_ONE),
                       (long long)(metric->high / GS_FIXED_ONE), also);
        gs_check_add(r, GS_FINDING_IMPOSSIBLE_READINGS, GS_SEVERITY_ERROR, finding,
                     gs_check_tally(r->state, impossible, gs_str(metric->name)), hint);
    }
    gs_check_add(
        r, GS_FINDING_ISOLATED_READINGS, GS_SEVERITY_INFO, "power readings that stand alone",
        gs_check_tally(r->state, isolated, (struct gs_str){0}),
        "4 times those around them and more than the GPU ever drew otherwise: a glitch, or "
        "a burst between two polls");
    for (uint32_t m = 0; m < r->facts->n_metrics; m++) {
        (void)snprintf(finding, sizeof finding, "missing %s readings", r->facts->metric[m]->words);
        if (r->facts->has_metric[m])
            gs_check_add(r, GS_FINDING_MISSING_READINGS, GS_SEVERITY_WARNING, finding,
                         gs_check_tally(r->state, absent, gs_str(r->facts->metric[m]->name)),
                         "means leave them out; they are never taken as zero");
    }
    gs_check_add(r, GS_FINDING_UNKNOWN_GPU, GS_SEVERITY_WARNING,
                 "starts and stops that name an unknown GPU",
                 gs_check_tally(r->state, unknown_gpu, (struct gs_str){0}),
                 "no sample of their host has this UUID or serial: their readings are missing");
}
