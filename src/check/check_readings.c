/* check_readings.c - readings that cannot be or are not there, names of GPUs that lead nowhere: any order of rows. */
#include "check/check_parts.h"

#include <stdio.h>

#include "base/parallel.h"

static const struct {
    const char *name;
    int64_t min, max; /* what the quantity can be, fixed-point */
} metrics[GS_N_METRICS] = {
    [GS_POWER] = {"power", 0, 100000 * GS_FIXED_ONE},
    [GS_TEMP] = {"temperature", -60 * GS_FIXED_ONE, 160 * GS_FIXED_ONE},
    [GS_GPU_UTIL] = {"GPU utilisation", 0, 100 * GS_FIXED_ONE},
    [GS_MEM_UTIL] = {"memory utilisation", 0, 100 * GS_FIXED_ONE},
};

enum { IMPOSSIBLE, ABSENT = IMPOSSIBLE + GS_N_METRICS, N_KINDS = ABSENT + GS_N_METRICS };

struct scan {
    const struct gs_table *table;
    bool places;
    struct gs_tallies tallies;
};

static int scan_segment(void *context, size_t item, unsigned thread)
{
    const struct scan *const c = context;
    const struct gs_segment *const s = &c->table->segment[item];
    struct gs_tally found[N_KINDS];
    for (size_t k = 0; k < N_KINDS; k++)
        found[k] = GS_TALLY_NONE;
    for (uint32_t i = 0; i < s->n_rows; i++)
        for (unsigned m = 0; m < GS_N_METRICS; m++) {
            const int64_t v = gs_segment_value(s, i, GS_SAMPLE_METRIC + m);
            if (v >= metrics[m].min && v <= metrics[m].max)
                continue;
            gs_tally_add(&found[(v == GS_MISSING ? ABSENT : IMPOSSIBLE) + m], 1,
                         c->places ? gs_segment_value(s, i, GS_SAMPLE_PLACE) : GS_MISSING);
        }
    for (size_t k = 0; k < N_KINDS; k++)
        gs_tally_add(gs_tallies_at(&c->tallies, thread, k), found[k].n, found[k].place);
    return 0;
}

static void report_readings(struct gs_check_report *r, const struct scan *c)
{
    char finding[96], hint[160];
    for (unsigned m = 0; m < GS_N_METRICS; m++) {
        (void)snprintf(finding, sizeof finding, "impossible %s readings", metrics[m].name);
        (void)snprintf(hint, sizeof hint, "below %lld or above %lld; they are in every mean",
                       (long long)(metrics[m].min / GS_FIXED_ONE), (long long)(metrics[m].max / GS_FIXED_ONE));
        gs_check_add(r, GS_FINDING_IMPOSSIBLE_READINGS, GS_SEVERITY_ERROR, finding,
                     *gs_tallies_at(&c->tallies, 0, IMPOSSIBLE + m), hint);
    }
    for (unsigned m = 0; m < GS_N_METRICS; m++) {
        (void)snprintf(finding, sizeof finding, "missing %s readings", metrics[m].name);
        gs_check_add(r, GS_FINDING_MISSING_READINGS, GS_SEVERITY_WARNING, finding,
                     *gs_tallies_at(&c->tallies, 0, ABSENT + m), "means leave them out; they are never taken as zero");
    }
}

/* Is this one of the host's GPUs, by UUID, serial or index? */
static bool names_gpu(const struct gs_dataset *d, uint32_t host, struct gs_str name)
{
    uint64_t index;
    const uint32_t first = d->host_first_gpu[host], n = d->host_first_gpu[host + 1] - first;
    for (uint32_t g = 0; g < n; g++)
        if (gs_str_eq(name, d->gpu[first + g].uuid) || gs_str_eq(name, d->gpu[first + g].serial))
            return true;
    return name.len < 4 && gs_count_parse(name, UINT32_MAX, &index) == GS_NUMBER_OK && index < n;
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
            if (name == GS_MISSING || d->gpu_name.text[name].len == 0)
                continue;
            if (host != last_host || name != last_name)
                known = names_gpu(d, (uint32_t)host, d->gpu_name.text[name]);
            last_host = host;
            last_name = name;
            if (!known)
                gs_tally_add(&found, 1,
                             t->n_columns == GS_CHECKPOINT_COLUMNS ? gs_segment_value(s, i, GS_CHECKPOINT_PLACE) : GS_MISSING);
        }
    return found;
}

enum gs_status gs_check_readings(struct gs_check_report *r, unsigned n_threads, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct scan c = {.table = &r->d->table[GS_TABLE_SAMPLES]};
    c.places = c.table->n_columns == GS_SAMPLE_COLUMNS;
    const enum gs_status s = gs_tallies_init(&c.tallies, N_KINDS, n_threads, &own, err);
    if (s == GS_OK) {
        (void)gs_parallel_for(n_threads, c.table->n_segments, scan_segment, &c);
        gs_tallies_merge(&c.tallies, n_threads);
        report_readings(r, &c);
        gs_check_add(r, GS_FINDING_UNKNOWN_GPU, GS_SEVERITY_WARNING, "checkpoints that name an unknown GPU",
                     unknown_gpus(r->d),
                     "no sample of their host has this UUID, serial or index; all GPUs of the host are joined instead");
    }
    gs_arena_release(&own);
    return s;
}
