/* timeline.c - steps of equal length, filled by one visit of the hosts. */
#include "run/timeline.h"

#include "stats/dd.h"
#include "run/events.h"
#include "base/timestamp.h"
#include "run/prose.h"

enum { COL_TIME, COL_ACTIVE, COL_STARTED, COL_FINISHED, COL_RATE, COL_GPUS, COL_ENERGY, COL_FLEET, COL_POWER, COL_TEMP,
       COL_TEMP_MAX, COL_GPU_UTIL, COL_MEM_UTIL, COL_SAMPLES, N_COLUMNS };

static const struct gs_column_spec columns[N_COLUMNS] = {
    {"time", "time", "", GS_TYPE_TIME, 0, "begin of the step; steps begin at multiples of --every since 1970 UTC",
     false},
    {"active_tasks", "active tasks", "", GS_TYPE_REAL, 1,
     "tasks running, on average over the step: their time inside it over its length", false},
    {"started_tasks", "started", "", GS_TYPE_INT, 0, "tasks whose START is in the step", false},
    {"finished_tasks", "finished", "", GS_TYPE_INT, 0, "tasks whose STOP is in the step", false},
    {"tasks_per_s", "tasks/s", "1/s", GS_TYPE_REAL, 2, "finished_tasks over the length of the step", false},
    {"gpus_seen", "GPUs", "", GS_TYPE_REAL, 1,
     "GPUs whose power is known, on average over the step: their covered time over its length", false},
    {"energy_j", "energy", "J", GS_TYPE_REAL, 0,
     "sum over the GPUs of the trapezoid of power over the step, no gap longer than --max-gap bridged", false},
    {"fleet_power_w", "fleet power", "W", GS_TYPE_REAL, 0, "energy_j over the length of the step: power of all GPUs",
     false},
    {"power_mean_w", "power", "W", GS_TYPE_REAL, 2, "mean over the samples in the step", false},
    {"temp_mean_c", "temp", "\xc2\xb0" "C", GS_TYPE_REAL, 2, "mean over the samples in the step", false},
    {"temp_max_c", "hottest", "\xc2\xb0" "C", GS_TYPE_REAL, 0, "greatest temperature among the samples in the step",
     false},
    {"gpu_util_mean_pct", "GPU util", "%", GS_TYPE_REAL, 2, "mean over the samples in the step", false},
    {"mem_util_mean_pct", "mem util", "%", GS_TYPE_REAL, 2, "mean over the samples in the step", false},
    {"samples", "samples", "", GS_TYPE_INT, 0, "samples with begin <= t < end of the step", false},
};

/* What one step adds up to. */
struct step {
    gs_i128 energy, covered_ns;
    gs_i128 sum[GS_N_METRICS];
    uint64_t n[GS_N_METRICS], n_samples;
    uint64_t n_started, n_finished;
    gs_i128 running_ns;  /* of tasks that begin or end here                                  */
    int64_t n_through;   /* change, at this step, of the number of tasks that fill steps     */
    int64_t temp_max;
};

struct timeline {
    const struct gs_timeline_options *o;
    uint32_t event;
    int64_t first_step; /* begin of the first step over every_ns */
    size_t n_steps;
    struct step **step; /* [n_threads][n_steps] */
};

static int64_t floor_div(int64_t t, int64_t every)
{
    return t / every - (t % every < 0);
}

static size_t step_of(const struct timeline *l, int64_t t)
{
    return (size_t)(floor_div(t, l->o->every_ns) - l->first_step);
}

/* Beyond the range of int64 only before the first step's and after the last step's data. */
static int64_t begin_of(const struct timeline *l, size_t step)
{
    const gs_i128 t = ((gs_i128)l->first_step + (gs_i128)step) * l->o->every_ns;
    return t < INT64_MIN + 1 ? INT64_MIN + 1 : t > INT64_MAX ? INT64_MAX : (int64_t)t;
}

static void add_samples(const struct timeline *l, struct step *step, const struct gs_gpu_view *g)
{
    int64_t end = 0;
    struct step *s = NULL;
    for (uint32_t i = 0; i < g->n; i++) {
        if (s == NULL || g->t_ns[i] >= end) {
            const size_t k = step_of(l, g->t_ns[i]);
            s = &step[k];
            end = begin_of(l, k + 1);
        }
        s->n_samples++;
        for (unsigned m = 0; m < GS_N_METRICS; m++) {
            const int64_t v = g->value[m][i];
            if (v == GS_MISSING)
                continue;
            if (m == GS_TEMP && (s->n[m] == 0 || v > s->temp_max))
                s->temp_max = v;
            s->sum[m] += v;
            s->n[m]++;
        }
    }
}

static void add_energy(const struct timeline *l, struct step *step, const struct gs_gpu_view *g)
{
    if (g->n == 0)
        return;
    const size_t first = step_of(l, g->t_ns[0]), last = step_of(l, g->t_ns[g->n - 1]);
    struct gs_energy_walker walk = gs_energy_walk(g, l->o->max_gap_ns);
    struct gs_energy past = {0};
    for (size_t k = first; k <= last; k++) {
        const struct gs_energy now = gs_energy_at(&walk, k == last ? g->t_ns[g->n - 1] : begin_of(l, k + 1));
        step[k].energy += now.energy - past.energy;
        step[k].covered_ns += now.covered_ns - past.covered_ns;
        past = now;
    }
}

static void add_task(const struct timeline *l, struct step *step, const struct gs_pair *p)
{
    const size_t a = step_of(l, p->start_ns), b = step_of(l, p->stop_ns);
    step[a].n_started++;
    step[b].n_finished++;
    if (p->stop_ns <= p->start_ns)
        return;
    if (a == b) {
        step[a].running_ns += (gs_i128)p->stop_ns - p->start_ns;
        return;
    }
    step[a].running_ns += (gs_i128)begin_of(l, a + 1) - p->start_ns;
    step[b].running_ns += (gs_i128)p->stop_ns - begin_of(l, b);
    step[a + 1].n_through++;
    step[b].n_through--;
}

static enum gs_status add_host(void *context, const struct gs_host_view *h, unsigned thread, struct gs_arena *scratch,
                               struct gs_err *err)
{
    (void)scratch;
    const struct timeline *const l = context;
    struct step *const step = l->step[thread];
    const enum gs_status s = gs_energy_check(h, err);
    for (uint32_t g = 0; s == GS_OK && g < h->n_gpus; g++) {
        add_samples(l, step, &h->gpu[g]);
        add_energy(l, step, &h->gpu[g]);
    }
    for (uint32_t p = 0; s == GS_OK && p < h->n_pairs; p++)
        if (h->pair[p].event == l->event)
            add_task(l, step, &h->pair[p]);
    return s;
}

static void merge(struct step *sum, const struct step *s)
{
    if (s->n[GS_TEMP] > 0 && (sum->n[GS_TEMP] == 0 || s->temp_max > sum->temp_max))
        sum->temp_max = s->temp_max;
    for (unsigned m = 0; m < GS_N_METRICS; m++) {
        sum->sum[m] += s->sum[m];
        sum->n[m] += s->n[m];
    }
    sum->energy += s->energy;
    sum->covered_ns += s->covered_ns;
    sum->n_samples += s->n_samples;
    sum->n_started += s->n_started;
    sum->n_finished += s->n_finished;
    sum->running_ns += s->running_ns;
    sum->n_through += s->n_through;
}

/* The steps from the first instant of the data to the last. */
static enum gs_status lay_out(struct timeline *l, const struct gs_dataset *d, struct gs_err *err)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    gs_table_widen_range(&d->table[GS_TABLE_CHECKPOINTS], GS_CHECKPOINT_TIME, &first, &last);
    gs_table_widen_range(&d->table[GS_TABLE_SAMPLES], GS_SAMPLE_TIME, &first, &last);
    if (first > last)
        return GS_OK;
    l->first_step = floor_div(first, l->o->every_ns);
    const gs_i128 n = (gs_i128)floor_div(last, l->o->every_ns) - l->first_step + 1;
    if (n > GS_TIMELINE_STEPS_MAX) {
        const double span = gs_dd_to_double(gs_dd_ratio((gs_i128)last - first, GS_NS_PER_S));
        return gs_fail(err, GS_ERR_USAGE,
                       "--every: the run spans %.0f s, which gives more than %d steps; choose longer ones", span,
                       GS_TIMELINE_STEPS_MAX);
    }
    l->n_steps = (size_t)n;
    return GS_OK;
}

static double ratio(gs_i128 num, gs_i128 den)
{
    return gs_dd_to_double(gs_dd_ratio(num, den));
}

static void fill_row(const struct timeline *l, struct gs_frame *f, size_t row, const struct step *s, int64_t n_through)
{
    static const size_t metric_column[GS_N_METRICS] = {COL_POWER, COL_TEMP, COL_GPU_UTIL, COL_MEM_UTIL};
    const int64_t every = l->o->every_ns;
    gs_frame_set_time(f, row, COL_TIME, begin_of(l, row));
    gs_frame_set_real(f, row, COL_ACTIVE, ratio(s->running_ns + (gs_i128)n_through * every, every));
    gs_frame_set_int(f, row, COL_STARTED, (int64_t)s->n_started);
    gs_frame_set_int(f, row, COL_FINISHED, (int64_t)s->n_finished);
    gs_frame_set_real(f, row, COL_RATE, ratio((gs_i128)s->n_finished * GS_NS_PER_S, every));
    gs_frame_set_real(f, row, COL_GPUS, ratio(s->covered_ns, every));
    gs_frame_set_real(f, row, COL_ENERGY, gs_energy_j(s->energy));
    if (s->covered_ns > 0)
        gs_frame_set_real(f, row, COL_FLEET,
                          gs_dd_to_double(gs_dd_div(gs_dd_ratio(s->energy, GS_ENERGY_PER_J),
                                                    gs_dd_ratio(every, GS_NS_PER_S))));
    for (unsigned m = 0; m < GS_N_METRICS; m++)
        if (s->n[m] > 0)
            gs_frame_set_real(f, row, metric_column[m], ratio(s->sum[m], (gs_i128)s->n[m] * GS_FIXED_ONE));
    if (s->n[GS_TEMP] > 0)
        gs_frame_set_real(f, row, COL_TEMP_MAX, ratio(s->temp_max, GS_FIXED_ONE));
    gs_frame_set_int(f, row, COL_SAMPLES, (int64_t)s->n_samples);
}

static const char *title_of(const struct timeline *l, struct gs_arena *arena)
{
    uint64_t finished = 0;
    gs_i128 energy = 0;
    for (size_t k = 0; k < l->n_steps; k++) {
        finished += l->step[0][k].n_finished;
        energy += l->step[0][k].energy;
    }
    struct gs_buf b = {.arena = arena};
    gs_buf_text(&b, "The run over time: ");
    gs_words_counted(&b, finished, "task");
    gs_buf_text(&b, " finished, ");
    gs_words_energy(&b, gs_energy_j(energy));
    return b.failed ? NULL : b.ptr;
}

static enum gs_status to_frame(const struct timeline *l, struct gs_arena *arena, struct gs_frames *out,
                               struct gs_err *err)
{
    struct gs_frame *f;
    const char *const title = title_of(l, arena);
    if (title == NULL)
        return gs_fail_memory(err);
    const enum gs_status s =
        gs_frame_new(arena, "timeline", title, columns, N_COLUMNS, l->n_steps, out, &f, err);
    int64_t n_through = 0;
    for (size_t k = 0; s == GS_OK && k < l->n_steps; k++) {
        n_through += l->step[0][k].n_through;
        fill_row(l, f, k, &l->step[0][k], n_through);
    }
    return s;
}

enum gs_status gs_timeline(const struct gs_dataset *d, const struct gs_timeline_options *o, unsigned n_threads,
                           struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct gs_view_totals totals;
    struct timeline l = {.o = o};
    enum gs_status s = gs_event_number(d, o->event, &l.event, err);
    if (s == GS_OK)
        s = lay_out(&l, d, err);
    if (s == GS_OK && (l.step = gs_arena_take(&own, n_threads, sizeof *l.step)) == NULL)
        s = gs_fail_memory(err);
    for (unsigned t = 0; s == GS_OK && t < n_threads; t++)
        if ((l.step[t] = gs_arena_take(&own, l.n_steps, sizeof **l.step)) == NULL)
            s = gs_fail_memory(err);
    if (s == GS_OK)
        s = gs_hosts_visit(d, n_threads, GS_VIEW_SAMPLES | GS_VIEW_PAIRS, add_host, &l, &totals, err);
    for (unsigned t = 1; s == GS_OK && t < n_threads; t++)
        for (size_t k = 0; k < l.n_steps; k++)
            merge(&l.step[0][k], &l.step[t][k]);
    if (s == GS_OK) {
        gs_view_notes(&totals, d->duplicates, &out->notes);
        s = to_frame(&l, arena, out, err);
    }
    gs_arena_release(&own);
    return s;
}
