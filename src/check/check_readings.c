/* check_readings.c - readings that cannot be or are not there, names of GPUs that lead nowhere: any order of rows. */
#include "check/check_parts.h"

#include <stdio.h>

#include "base/parallel.h"
#include "view/counts.h"

/* Two kinds of finding for each metric. */
enum { IMPOSSIBLE, ABSENT, N_KINDS };

struct scan {
    const struct gs_dataset *d;
    const struct gs_table *table;
    struct gs_tallies tallies;
};

static int scan_segment(void *context, size_t item, unsigned thread)
{
    const struct scan *const c = context;
    const struct gs_segment *const s = &c->table->segment[item];
    const struct gs_cells place = gs_cells_of(s, c->d->has_places ? gs_sample_place(c->d->n_metrics) : GS_SAMPLE_TIME);
    for (uint32_t m = 0; m < c->d->n_metrics; m++) {
        const struct gs_metric *const metric = c->d->metric[m];
        const struct gs_cells cell = gs_cells_of(s, GS_SAMPLE_METRIC + m);
        struct gs_tally found[N_KINDS] = {GS_TALLY_NONE, GS_TALLY_NONE};
        for (uint32_t i = 0; i < s->n_rows; i++) {
            const int64_t v = gs_cell(&cell, i);
            if (v < metric->low || v > metric->high)
                gs_tally_add(&found[v == GS_MISSING ? ABSENT : IMPOSSIBLE], 1,
                             c->d->has_places ? gs_cell(&place, i) : GS_MISSING);
        }
        for (size_t k = 0; k < N_KINDS; k++)
            gs_tally_add(gs_tallies_at(&c->tallies, thread, m * N_KINDS + k), found[k].n, found[k].place);
    }
    return 0;
}

static void report_readings(struct gs_check_report *r, const struct scan *c)
{
    char finding[160], hint[160];
    for (uint32_t m = 0; m < r->d->n_metrics; m++) {
        const struct gs_metric *const metric = r->d->metric[m];
        (void)snprintf(finding, sizeof finding, "impossible %s readings", metric->words);
        (void)snprintf(hint, sizeof hint, "below %lld or above %lld; they are in every mean",
                       (long long)(metric->low / GS_FIXED_ONE), (long long)(metric->high / GS_FIXED_ONE));
        gs_check_add(r, GS_FINDING_IMPOSSIBLE_READINGS, GS_SEVERITY_ERROR, finding,
                     *gs_tallies_at(&c->tallies, 0, m * N_KINDS + IMPOSSIBLE), hint);
    }
    for (uint32_t m = 0; m < r->d->n_metrics; m++) {
        (void)snprintf(finding, sizeof finding, "missing %s readings", r->d->metric[m]->words);
        if (r->d->has_metric[m])
            gs_check_add(r, GS_FINDING_MISSING_READINGS, GS_SEVERITY_WARNING, finding,
                         *gs_tallies_at(&c->tallies, 0, m * N_KINDS + ABSENT),
                         "means leave them out; they are never taken as zero");
    }
}

/* The GPU column of the checkpoints, where there is one. */
static struct gs_tally unknown_gpus(const struct gs_dataset *d)
{
    const struct gs_table *const t = &d->table[GS_TABLE_CHECKPOINTS];
    struct gs_tally found = GS_TALLY_NONE;
    int64_t last_host = GS_MISSING, last_name = GS_MISSING;
    bool known = true;
    for (uint32_t k = 0; d->checkpoints_name_gpu && k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            const struct gs_segment *const s = &t->segment[k];
            const int64_t host = s->owner, name = gs_segment_value(s, i, GS_CHECKPOINT_GPU);
            if (name == GS_MISSING || gs_is_missing_word(d->gpu_name.text[name]))
                continue;
            if (host != last_host || name != last_name)
                known = gs_gpu_named(d, (uint32_t)host, d->gpu_name.text[name]) != GS_NONE;
            last_host = host;
            last_name = name;
            if (!known)
                gs_tally_add(&found, 1,
                             d->has_places ? gs_segment_value(s, i, GS_CHECKPOINT_PLACE) : GS_MISSING);
        }
    return found;
}

enum gs_status gs_check_readings(struct gs_check_report *r, unsigned n_threads, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct scan c = {.d = r->d, .table = &r->d->table[GS_TABLE_SAMPLES]};
    const enum gs_status s = gs_tallies_init(&c.tallies, (size_t)r->d->n_metrics * N_KINDS, n_threads, &own, err);
    if (s == GS_OK) {
        (void)gs_parallel_for(n_threads, c.table->n_segments, scan_segment, &c);
        gs_tallies_merge(&c.tallies, n_threads);
        report_readings(r, &c);
        gs_check_add(r, GS_FINDING_UNKNOWN_GPU, GS_SEVERITY_WARNING, "checkpoints that name an unknown GPU",
                     unknown_gpus(r->d),
                     "no sample of their host has this UUID or serial: their readings are missing");
    }
    gs_arena_release(&own);
    return s;
}
