/* jobs.c - the fold: rows by allocation or by keys, energies in whole microjoules that add up to the fleet's. */
#include "analysis/jobs/jobs.h"

#include <math.h>

#include "analysis/timeline/counts.h"
#include "base/num/calendar.h"
#include "base/num/dd.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "base/num/whole.h"
#include "stats/descriptive/quantile.h"

enum { BY_KEY, NOBODY, FLEET, LABELS, N_JOBS_TABLES };

/* A job in a row, where only samples tell of it: from its first to its last on any host. */
struct label {
    int64_t from_ns, to_ns;
};

#define COUNT(field)                                                                               \
    {                                                                                              \
        GS_FIELD_COUNT, offsetof(struct gs_job_sum, field)                                         \
    }
#define SUM(field)                                                                                 \
    {                                                                                              \
        GS_FIELD_SUM, offsetof(struct gs_job_sum, field)                                           \
    }
/* clang-format off */
static const struct gs_field fields[] = {
    COUNT(n_jobs), COUNT(n_parts[0]), COUNT(n_parts[1]), COUNT(n_parts[2]), COUNT(n_parts[3]), COUNT(n_parts[4]), COUNT(n_cut_start),
    COUNT(n_cut_stop), COUNT(n_over), SUM(wall_ns), SUM(gpus), SUM(held), SUM(low[0]), SUM(low[1]), SUM(low[2]), SUM(high[0]), SUM(high[1]),
    SUM(high[2]), SUM(util2_ns), SUM(util_ns), SUM(idle2_ns), SUM(idle_ns), SUM(idle_energy), SUM(logged_ns), SUM(unused), SUM(refuted2_ns), {GS_FIELD_GREATEST, offsetof(struct gs_job_sum, mem_pct)},
    GS_ENERGY_SUM_FIELDS(struct gs_job_sum, used),
};
static const struct gs_field label_fields[] = {{GS_FIELD_LEAST, offsetof(struct label, from_ns)},
                                               {GS_FIELD_GREATEST, offsetof(struct label, to_ns)}};
static const struct gs_records_spec specs[N_JOBS_TABLES] = {
    [BY_KEY] = {GS_RECORDS("jobs", "t", struct gs_job_sum, fields)},
    [NOBODY] = {GS_RECORDS("no job", "", struct gs_job_sum, fields)},
    [FLEET] = {GS_RECORDS("fleet", "", struct gs_job_sum, fields)},
    [LABELS] = {GS_RECORDS("labels", "t", struct label, label_fields)},
};
/* clang-format on */
static const struct gs_records_spec *const tables[N_JOBS_TABLES] = {&specs[BY_KEY], &specs[NOBODY],
                                                                    &specs[FLEET], &specs[LABELS]};

static void add_sum(struct gs_job_sum *sum, const struct gs_job_sum *o)
{
    struct gs_job_sum other = *o;
    /* Sums and a bound take no memory. */
    (void)gs_fields_merge(fields, sizeof fields / sizeof *fields, sum, &other, NULL, NULL);
}

/* What tells allocations apart, in the order of their columns. */
enum by {
    BY_JOB,
    BY_USER,
    BY_ACCOUNT,
    BY_PARTITION,
    BY_NAME,
    BY_STATE,
    BY_START,
    BY_STOP,
    BY_HOST,
    BY_HOUR,
    BY_DAY,
    BY_WEEK,
    BY_ATTRIBUTE
};

enum { N_ALLOCATION = BY_STOP + 1 };
/* clang-format off */
static const struct gs_column_spec key_columns[] = {
    [BY_JOB] = GS_COL(JOB, .how = "the job's number, of what is no job the task's"), [BY_USER] = GS_COL(USER), [BY_ACCOUNT] = GS_COL(ACCOUNT), [BY_PARTITION] = GS_COL(PARTITION),
    [BY_NAME] = GS_COL(NAME), [BY_STATE] = GS_COL(STATE, .how = "the attribute state of the event"),
    [BY_START] = GS_COL(START, .how = "when the job started, also where that is before the samples"),
    [BY_STOP] = GS_COL(STOP, .how = "when it ended, also where that is after them; none yet where it runs"),
    [BY_HOST] = GS_COL(HOSTNAME, .how = "the host"),
    [BY_HOUR] = {.name = "hour", .label = "hour", .unit = "", .how = "of the zone of --tz; a job has its part in each that it runs in"},
    [BY_DAY] = {.name = "day", .label = "day", .unit = "", .how = "of the zone of --tz; a job has its part in each that it runs in"},
    [BY_WEEK] = {.name = "week", .label = "week", .unit = "", .how = "its Monday, in the zone of --tz; a job has its part in each that it runs in"},
};
static const char *const key_words[] = {
    [BY_JOB] = "job", [BY_USER] = "user", [BY_ACCOUNT] = "account", [BY_PARTITION] = "partition", [BY_NAME] = "name",
    [BY_STATE] = "state", [BY_START] = "", [BY_STOP] = "", [BY_HOST] = "host",
    [BY_HOUR] = "hour", [BY_DAY] = "day", [BY_WEEK] = "week",
};
/* clang-format on */

static enum by by_of(struct gs_str key)
{
    for (int k = 0; k < BY_ATTRIBUTE; k++)
        if (gs_str_eq(key, gs_str(key_words[k])))
            return (enum by)k;
    return BY_ATTRIBUTE;
}

static bool is_period(enum by by)
{
    return by >= BY_HOUR && by <= BY_WEEK;
}

static bool is_attribute(enum by by)
{
    return (by >= BY_USER && by <= BY_PARTITION) || by == BY_STATE || by == BY_ATTRIBUTE;
}

/* Do only the samples tell of jobs? */
static bool is_labelled(const struct gs_dataset *d)
{
    return d->table[GS_TABLE_CHECKPOINTS].n_columns == 0;
}

/* Do samples that name jobs say of which user, or of which account, each is? */
static bool has_owners(const struct gs_dataset *d, enum by by)
{
    bool has = false;
    for (uint32_t g = 0; g < d->n_gpus && is_labelled(d); g++)
        has |= (by == BY_USER && d->gpu[g].user.ptr != NULL) ||
               (by == BY_ACCOUNT && d->gpu[g].account.ptr != NULL);
    return has;
}

static enum gs_status make_plan(const void *options, const struct gs_dataset *d,
                                struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    (void)state;
    (void)arena;
    const struct gs_jobs_options *const o = options;
    bool labelled = !is_labelled(d) || d->is_part;
    for (uint32_t g = 0; g < d->n_gpus && !labelled; g++)
        labelled = d->gpu[g].job.ptr != NULL;
    if (!labelled)
        return gs_fail(err, GS_ERR_NOINPUT,
                       "no file holds events, and no sample names its job (--events FILE names a "
                       "list of jobs, --set samples.job=COLUMN a column)");
    for (size_t k = 0; k < o->n_keys; k++)
        if (is_attribute(by_of(o->key[k])) && !has_owners(d, by_of(o->key[k])))
            GS_TRY(gs_keys_check_attribute(d, "--by", o->key[k], "job, name, host, hour, day, week",
                                           err));
    return GS_OK;
}

/* Where the period of the calendar begins that an instant is in, and where it ends. */
static int64_t period_begin(const struct gs_zone *zone, enum by by, int64_t t_ns)
{
    const int64_t day = gs_day_of(zone, t_ns), monday = gs_floor_div(day + 3, 7) * 7 - 3;
    if (by == BY_HOUR)
        return gs_hour_begin(zone, t_ns);
    return gs_day_begin(zone, by == BY_WEEK ? monday : day);
}

static int64_t period_end(const struct gs_zone *zone, enum by by, int64_t begin_ns)
{
    if (by == BY_HOUR)
        return begin_ns + GS_DAY_NS / 24;
    return gs_day_begin(zone, gs_day_of(zone, begin_ns) + (by == BY_WEEK ? 7 : 1));
}

/* The shortest period among the keys; BY_ATTRIBUTE: there is none. Longer ones begin where one of these does. */
static enum by period_of(const struct gs_jobs_options *o)
{
    enum by period = BY_ATTRIBUTE;
    for (size_t k = 0; k < o->n_keys; k++) {
        const enum by by = by_of(o->key[k]);
        if (is_period(by) && by < period)
            period = by;
    }
    return period;
}

/* Whose a job is that samples name, as those of its GPU say. */
static struct gs_str of_label(const struct gs_fold_host *host, const struct gs_pair *p, enum by by)
{
    const struct gs_host_view *const h = host->view;
    uint32_t i = p->gpu;
    while (h->job[i] != p->job)
        i++;
    const struct gs_gpu *const gpu = &host->d->gpu[h->first_gpu + i];
    if (by == BY_USER)
        return gpu->user;
    return by == BY_ACCOUNT ? gpu->account : GS_NO_STR;
}

/* The first instant of a piece that is in the periods with samples, or its start where it ends before them. */
static int64_t first_instant(const struct gs_instants *cuts, const struct gs_pair *p)
{
    const bool in_periods = cuts->n > 0 && cuts->t_ns[0] < p->stop_ns;
    return in_periods ? gs_max(p->start_ns, cuts->t_ns[0]) : p->start_ns;
}

static void put_part(struct gs_buf *b, const struct gs_jobs_options *o,
                     const struct gs_fold_host *host, const struct gs_pair *p, enum by by,
                     struct gs_str key)
{
    const struct gs_dataset *const d = host->d;
    if (by == BY_START)
        gs_key_put_number(b, is_labelled(d) ? GS_MISSING : p->start_ns);
    else if (by == BY_STOP)
        gs_key_put_number(b, p->runs || is_labelled(d) ? GS_MISSING : p->stop_ns);
    else if (is_period(by))
        gs_key_put_number(b, period_begin(&o->zone, by, first_instant(o->cuts, p)));
    else if (by == BY_JOB) /* else a task's name tells the rows apart */
        gs_key_put(b, d->job.text[p->job].len > 0 ? d->job.text[p->job] : d->task.text[p->task]);
    else if (by == BY_NAME)
        gs_key_put(b, p->event == GS_NONE ? GS_NO_STR : d->event.text[p->event]);
    else if (by == BY_HOST)
        gs_key_put(b, d->host.text[host->view->host]);
    else if (is_labelled(d))
        gs_key_put(b, of_label(host, p, by));
    else if (gs_str_eq(key, gs_str("array"))) /* what is of none stands for itself */
        gs_key_put(b, gs_str_or(gs_attribute(d, p->attributes, key), d->job.text[p->job]));
    else
        gs_key_put(b, gs_attribute(d, p->attributes, key));
}

/*
 * The jobs of a host: those that its samples name, where nothing else does, else the pairs of a scheduler's, if there are any:
 * what runs inside them holds no GPU of its own.
 */
static enum gs_status keep_jobs(struct gs_host_view *h, const struct gs_dataset *d,
                                struct gs_arena *scratch, struct gs_err *err)
{
    if (is_labelled(d))
        return gs_label_pairs(h, d, scratch, err);
    GS_NEW_RAW(struct gs_pair, kept, h->n_pairs, scratch, err);
    uint32_t n = 0;
    for (uint32_t p = 0; p < h->n_pairs; p++)
        if (gs_is_job(d, h->pair[p].attributes))
            kept[n++] = h->pair[p];
    if (n > 0) {
        h->pair = kept;
        h->n_pairs = n;
    }
    return GS_OK;
}

/*
 * Instants at which periods begin while a host has samples: what lies outside has no energy to divide. The first is that of
 * the period in which they begin. Of jobs alone, while it has jobs.
 */
static enum gs_status list_cuts(const struct gs_jobs_options *o, const struct gs_dataset *d,
                                const struct gs_host_view *h, struct gs_arena *scratch,
                                struct gs_instants *cuts, struct gs_err *err)
{
    enum { CUTS_MAX = 1000000 };
    const enum by by = period_of(o);
    int64_t from = GS_MISSING, to = GS_MISSING, *t = NULL;
    size_t n = 0;
    for (uint32_t k = 0; k < h->n_gpus; k++)
        if (gs_gpu_log(&h->gpu[k])->n > 0) {
            gs_time_widen(&from, &to, gs_gpu_first_ns(&h->gpu[k]));
            gs_time_widen(&from, &to, gs_gpu_last_ns(&h->gpu[k]));
        }
    for (uint32_t p = 0; d->table[GS_TABLE_SAMPLES].n_columns == 0 && p < h->n_pairs; p++) {
        gs_time_widen(&from, &to, h->pair[p].start_ns);
        gs_time_widen(&from, &to, h->pair[p].stop_ns);
    }
    *cuts = (struct gs_instants){0};
    if (by == BY_ATTRIBUTE || from == GS_MISSING)
        return GS_OK;
    for (int64_t at = period_begin(&o->zone, by, from); at < to;
         at = period_end(&o->zone, by, at), n++) {
        if (n == CUTS_MAX)
            return gs_fail(err, GS_ERR_DATA, "--by: the run spans more than %d periods", CUTS_MAX);
        GS_TRY(gs_had_memory(GS_HAS_ROOM(scratch, t, n), err));
        t[n] = at;
    }
    *cuts = (struct gs_instants){t, n};
    return GS_OK;
}

/* Cuts the pairs into pieces that lie in one period each. */
static enum gs_status cut_pairs(const struct gs_instants *cuts, struct gs_host_view *h,
                                struct gs_arena *scratch, struct gs_err *err)
{
    size_t n = 0, n_times = 0;
    if (cuts->n == 0)
        return GS_OK;
    for (uint32_t p = 0; p < h->n_pairs; p++)
        n += 1 + gs_excess(gs_count_below(cuts->t_ns, cuts->n, h->pair[p].stop_ns),
                           gs_count_below(cuts->t_ns, cuts->n, h->pair[p].start_ns + 1));
    if (n > UINT32_MAX / 4)
        return gs_fail_memory(err);
    GS_NEW_RAW(struct gs_pair, piece, n, scratch, err);
    GS_NEW_RAW(int64_t, time, h->n_times + cuts->n, scratch, err);
    for (size_t i = 0, c = 0; i < h->n_times || c < cuts->n;)
        time[n_times++] = c == cuts->n || (i < h->n_times && h->time[i] < cuts->t_ns[c])
                              ? h->time[i++]
                              : cuts->t_ns[c++];
    n = 0;
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        struct gs_pair rest = h->pair[p];
        /* What a job has before the first period with samples is of that one: the sensor lags. */
        for (size_t c = gs_max(gs_count_below(cuts->t_ns, cuts->n, rest.start_ns + 1), 1);
             c < cuts->n && cuts->t_ns[c] < h->pair[p].stop_ns; c++) {
            piece[n] = rest;
            piece[n++].stop_ns = rest.start_ns = cuts->t_ns[c];
            rest.continues = true;
        }
        piece[n++] = rest;
    }
    for (size_t i = 0; i < n; i++) {
        piece[i].start_at = (uint32_t)gs_count_below(time, n_times, piece[i].start_ns);
        piece[i].stop_at = (uint32_t)gs_count_below(time, n_times, piece[i].stop_ns);
    }
    h->pair = piece;
    h->n_pairs = (uint32_t)n;
    h->time = time;
    h->n_times = (uint32_t)n_times;
    h->place = NULL;
    return GS_OK;
}

/* The record of each pair, and the first pair of the host that is in the same. */
static enum gs_status find_rows(const struct gs_jobs_options *o, struct gs_state *state,
                                struct gs_fold_host *host, uint32_t *record,
                                struct gs_job_sum *of_pair, struct gs_err *err)
{
    const struct gs_host_view *const h = host->view;
    struct gs_records *const rows = &state->table[BY_KEY];
    struct gs_buf text = {.arena = host->scratch};
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        text.len = 0;
        for (int k = 0; o->n_keys == 0 && k < N_ALLOCATION; k++)
            put_part(&text, o, host, &h->pair[p], (enum by)k, gs_str(key_words[k]));
        for (size_t k = 0; k < o->n_keys; k++)
            put_part(&text, o, host, &h->pair[p], by_of(o->key[k]), o->key[k]);
        union gs_key key = {.text = gs_buf_str(&text)};
        GS_TRY(gs_had_memory(!text.failed, err));
        struct gs_job_sum *const sum = gs_records_find_text(rows, &key, 0, host->arena);
        GS_TRY(gs_had_memory(sum != NULL, err));
        record[p] =
            (uint32_t)((size_t)((char *)sum - (char *)gs_records_at(rows, 0)) / rows->stride);
        /* What another host left there is told from this one's by its record. */
        if (sum->row >= p || record[sum->row] != record[p])
            sum->row = p;
        of_pair[p].row = sum->row;
    }
    return GS_OK;
}

/*
 * Notes how long a job of samples lasted in its row, which no host knows alone, and its GPU, which counts once however often
 * the job came back to it.
 */
static enum gs_status add_label(struct gs_state *state, const struct gs_fold_host *host,
                                const struct gs_pair *p, uint32_t record, struct gs_intern *held,
                                struct gs_job_sum *sum, struct gs_err *err)
{
    const uint32_t of[] = {record, p->job, p->gpu}, n_held = held->n;
    struct gs_buf text = {.arena = host->scratch};
    gs_buf_add(&text, gs_records_key(&state->table[BY_KEY], record, 1)->text);
    gs_key_put(&text, host->d->job.text[p->job]);
    union gs_key key = {.text = gs_buf_str(&text)};
    GS_TRY(gs_had_memory(!text.failed, err));
    struct label *const l = gs_records_find_text(&state->table[LABELS], &key, 0, host->arena);
    const uint32_t id = gs_intern_add(held, (struct gs_str){(const char *)of, sizeof of});
    GS_TRY(gs_had_memory(l != NULL && id != GS_INTERN_NONE, err));
    gs_time_widen(&l->from_ns, &l->to_ns, p->start_ns);
    gs_time_widen(&l->from_ns, &l->to_ns, p->stop_ns);
    sum->wall_ns = 0;
    if (id < n_held)
        sum->gpus = 0;
    return GS_OK;
}

/* Of all jobs how many there are, once each, and how their GPUs were found; one that got no GPU lacks none. */
static void count_job(struct gs_job_sum *fleet, const struct gs_job_sum *job, bool is_copy)
{
    fleet->n_jobs += job->n_jobs;
    fleet->gpus += job->gpus;
    for (int k = job->gpus == 0; k < GS_N_ATTRIBUTIONS && !is_copy; k++)
        fleet->n_parts[k] += job->n_parts[k];
}

static enum gs_status add_host(const void *options, struct gs_state *state, struct gs_fold_host *of,
                               struct gs_err *err)
{
    struct gs_jobs_options own = *(const struct gs_jobs_options *)options;
    const struct gs_jobs_options *const o = &own;
    struct gs_instants cuts;
    struct gs_host_view jobs = *of->view;
    struct gs_fold_host shown = *of, *const host = &shown;
    const struct gs_host_view *const h = shown.view = &jobs;
    struct gs_intern held = {.arena = of->scratch, .seed = of->d->seed};
    GS_TRY(keep_jobs(&jobs, of->d, of->scratch, err));
    GS_TRY(list_cuts(o, of->d, h, host->scratch, &cuts, err));
    GS_TRY(cut_pairs(&cuts, &jobs, host->scratch, err));
    own.cuts = &cuts;
    struct gs_job_sum *const fleet = gs_records_at(&state->table[FLEET], 0);
    GS_NEW(struct gs_job_sum, of_pair, h->n_pairs, host->scratch, err);
    GS_NEW(struct gs_energy_use, use, (size_t)h->n_pairs * h->n_gpus, host->scratch, err);
    GS_NEW_RAW(uint32_t, record, h->n_pairs, host->scratch, err);
    struct gs_job_sum nobody = {.mem_pct = GS_MISSING};
    bool by_host = false;
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        of_pair[p].mem_pct = GS_MISSING;
        of_pair[p].use = use + (size_t)p * h->n_gpus;
    }
    for (size_t k = 0; k < o->n_keys; k++)
        by_host |= by_of(o->key[k]) == BY_HOST;
    GS_TRY(find_rows(o, state, host, record, of_pair, err));
    GS_TRY(gs_jobs_divide(o, host, of_pair, &nobody, fleet, err));
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        struct gs_job_sum *const sum = gs_records_at(&state->table[BY_KEY], record[p]);
        /* A job on several hosts is one job. Grouped by host it counts once on each. */
        of_pair[p].n_jobs = (by_host || !h->pair[p].is_copy) && !is_labelled(of->d);
        if (is_labelled(of->d))
            GS_TRY(add_label(state, host, &h->pair[p], record[p], &held, &of_pair[p], err));
        add_sum(sum, &of_pair[p]);
        if (!h->pair[p].continues)
            count_job(fleet, &of_pair[p], h->pair[p].is_copy);
        for (uint32_t g = 0; g < h->n_gpus; g++)
            GS_TRY(gs_gpu_use_add(&sum->uses, &sum->used, h, g, &of_pair[p].use[g], host->scratch,
                                  err));
    }
    add_sum(gs_records_at(&state->table[NOBODY], 0), &nobody);
    return GS_OK;
}

/* --- the frame ----------------------------------------------------------------------------------------- */

/* clang-format off */
static const struct gs_column_spec measures[] = {
    GS_COL(JOBS), GS_COL(WALL_H),
    GS_COL(GPUS, .type = GS_TYPE_REAL, .digits = GS_DIGITS(0), .how =
                "GPUs that a job holds: those that it or the samples name, else AllocTRES over its nodes, else all of them; of "
                "a group the mean, in the total of all jobs the sum"),
    GS_COL(GPU_H), GS_COL(COVERED_PCT),
    GS_COL(ENERGY_J, .how =
                  "of the GPUs held, trapezoids between readings; the boundary of a job divides one as power before x time "
                  "before : power after x time after; rows add up to the fleet's energy"),
    GS_COL(ENERGY_LOW_J, .how =
               "lower end of its 95 % interval: what is not known of the sensors, and, of a shared node, its GPUs could be "
               "those that used least"),
    GS_COL(ENERGY_HIGH_J, .how = "upper end: they could be those that used most"),
    GS_COL(POWER_MEAN_W, .how = "energy_j over the GPU time that has readings"),
    GS_COL(GPU_UTIL_MEAN_PCT, .how = "over the time of the GPUs held"),
    GS_COL(IDLE_PCT), GS_COL(WASTED_GPU_H), GS_COL(UNUSED_GPU_H),
    GS_COL(MEM_USED_MAX_PCT),     GS_COL(ATTRIBUTION), GS_COL(CUT),
    GS_COL(WASTED_LOW_GPU_H), GS_COL(WASTED_HIGH_GPU_H),
    GS_COL(WASTED_ENERGY_J), GS_COL(WASTED_ENERGY_LOW_J), GS_COL(WASTED_ENERGY_HIGH_J),
};
/* clang-format on */
enum { N_MEASURES = sizeof measures / sizeof *measures };

/* `part` of `whole`, `times` as large; NaN where a damaged state holds more than any run has. */
static double share(gs_i128 part, int64_t times, gs_i128 whole)
{
    gs_i128 num;
    return __builtin_mul_overflow(part, (gs_i128)times, &num) ? (double)NAN : gs_ratio(num, whole);
}

/* Joules of whole microjoules. */
static double joules(gs_i128 energy)
{
    return gs_ratio(energy, 1000000);
}

/*
 * Energy up to a row in whole microjoules, the nearest: what rows show are differences of these,
 * which add up. Rounding each row by itself would let rows miss the total by up to half a
 * microjoule each. Differences of rounded running sums add up exactly.
 */
static gs_i128 microjoules(gs_i128 energy)
{
    const gs_i128 one = GS_ENERGY_PER_J / 1000000;
    const gs_i128 up = energy + one / 2;
    return up / one - (up % one < 0);
}

static void set_text(struct gs_frame *f, size_t row, size_t column, const char *text)
{
    gs_frame_set_text(f, row, column, gs_str(text));
}

static void fill_energy(struct gs_frame *f, size_t row, const struct gs_job_sum *j, gs_i128 uj)
{
    double low, high;
    gs_energy_interval_between(&j->used, j->low[GS_DOUBTED_ENERGY], j->high[GS_DOUBTED_ENERGY],
                               &low, &high);
    GS_PUT(f, row, GS_REAL(ENERGY_J, joules(uj)), GS_REAL(ENERGY_LOW_J, low),
           GS_REAL(ENERGY_HIGH_J, high), GS_REAL(POWER_MEAN_W, gs_energy_power_w(&j->used)));
}

/*
 * The energy of the idle time with what is not known of the sensors in it: a gain errs with the energy, an offset with the
 * time, and what is independent from one reading to the next with the time.
 */
static struct gs_energy_sum idle_part(const struct gs_job_sum *j)
{
    struct gs_energy_sum s = j->used;
    gs_i128 *const by_energy[] = {&s.scale, &s.unknown, &s.edges, &s.blind}, *const by_time[] = {
                                                                                 &s.zero,
                                                                                 &s.unknown_ns,
                                                                                 &s.own_uj2,
                                                                                 &s.sampling_uj2,
                                                                                 &s.edges_uj2};
    for (size_t i = 0; s.energy > 0 && i < sizeof by_energy / sizeof *by_energy; i++)
        *by_energy[i] =
            gs_jobs_portion(*by_energy[i], (gs_u128)gs_max(j->idle_energy, 0), (gs_u128)s.energy);
    for (size_t i = 0; i < sizeof by_time / sizeof *by_time; i++)
        *by_time[i] = gs_jobs_portion(*by_time[i], (gs_u128)j->idle2_ns, 2 * (gs_u128)j->idle_ns);
    s.energy = j->idle_energy;
    return s;
}

static const gs_i128 hour = (gs_i128)3600 * GS_NS_PER_S;

/* Hours of the time held, of twice the time that its GPUs idled. */
static double wasted_h(const struct gs_job_sum *j, gs_i128 idle2_ns)
{
    const gs_i128 held = j->held > 0 ? j->held / 1000000 : j->used.time_ns;
    return gs_ratio(held, hour) / 2 * gs_ratio(idle2_ns, j->idle_ns);
}

static void fill_waste(struct gs_frame *f, size_t row, const struct gs_job_sum *j)
{
    const struct gs_energy_sum idle = idle_part(j);
    double low, high;
    gs_energy_interval_between(&idle, j->low[GS_DOUBTED_IDLE_ENERGY],
                               j->high[GS_DOUBTED_IDLE_ENERGY], &low, &high);
    GS_PUT(f, row, GS_REAL(WASTED_GPU_H, wasted_h(j, j->idle2_ns)),
           GS_REAL(WASTED_LOW_GPU_H, wasted_h(j, j->low[GS_DOUBTED_IDLE])),
           GS_REAL(WASTED_HIGH_GPU_H, wasted_h(j, j->high[GS_DOUBTED_IDLE])),
           GS_REAL(WASTED_ENERGY_J, gs_energy_j(j->idle_energy)), GS_REAL(WASTED_ENERGY_LOW_J, low),
           GS_REAL(WASTED_ENERGY_HIGH_J, high));
}

static void fill_use(struct gs_frame *f, size_t row, const struct gs_job_sum *j)
{
    if (j->util_ns > 0)
        GS_PUT(f, row,
               GS_REAL(GPU_UTIL_MEAN_PCT, gs_ratio(j->util2_ns, 2 * j->util_ns) / GS_FIXED_ONE));
    if (j->util_ns > 0 && j->n_jobs > 0)
        GS_PUT(f, row, GS_REAL(UNUSED_GPU_H, gs_ratio(j->unused, hour * 1000000)));
    if (j->idle_ns > 0) {
        GS_PUT(f, row, GS_REAL(IDLE_PCT, share(j->idle2_ns, 50, j->idle_ns)));
        if (j->n_jobs > 0)
            fill_waste(f, row, j);
    }
    if (j->mem_pct != GS_MISSING)
        GS_PUT(f, row, GS_REAL(MEM_USED_MAX_PCT, gs_ratio(j->mem_pct, GS_FIXED_ONE)));
}

static void fill_row(struct gs_frame *f, size_t row, const struct gs_job_sum *j, gs_i128 uj,
                     bool any_sampled)
{
    static const char *const words[] = {"n/a", "exact", "whole node", "assumed", "shared"};
    static const char *const cuts[2][2] = {{NULL, "stop"}, {"start", "both"}};
    const enum gs_attribution worst = gs_job_attribution(j);
    GS_PUT(f, row, GS_INT(JOBS, (int64_t)j->n_jobs));
    if (j->n_jobs > 0) {
        GS_PUT(f, row, GS_REAL(WALL_H, gs_ratio(j->wall_ns, hour)),
               GS_TEXT(CUT, gs_str(cuts[j->n_cut_start > 0][j->n_cut_stop > 0])));
        if (j->gpus > 0 || worst != GS_ATTRIBUTION_WHOLE) /* else nothing tells how many */
            GS_PUT(f, row, GS_REAL(GPUS, gs_ratio(j->gpus, 1000000 * (gs_i128)j->n_jobs)),
                   GS_REAL(GPU_H, gs_ratio(j->held, hour * 1000000)));
        if (j->held > 0 && any_sampled)
            GS_PUT(f, row, GS_REAL(COVERED_PCT, share(j->used.covered_ns, 100000000, j->held)));
        if (any_sampled)
            GS_PUT(f, row, GS_TEXT(ATTRIBUTION, gs_str(words[worst])));
    } else {
        GS_PUT(f, row, GS_REAL(GPU_H, gs_ratio(j->used.time_ns, hour)));
    }
    if (j->used.time_ns <= 0)
        return;
    fill_energy(f, row, j, uj);
    fill_use(f, row, j);
}

/* The columns of the keys, then the measures that there are. */
static struct gs_column_spec *list_columns(const struct gs_jobs_options *o, struct gs_arena *arena,
                                           size_t *n_keys)
{
    const size_t n = o->n_keys == 0 ? N_ALLOCATION : o->n_keys;
    struct gs_column_spec *const spec = gs_arena_take(arena, n + N_MEASURES, sizeof *spec);
    for (size_t k = 0; spec != NULL && k < n; k++) {
        const enum by by = o->n_keys == 0 ? (enum by)k : by_of(o->key[k]);
        if (by != BY_ATTRIBUTE) {
            spec[k] = key_columns[by];
            continue;
        }
        const char *const name = gs_arena_copy(arena, o->key[k].ptr, o->key[k].len);
        if (name == NULL)
            return NULL;
        spec[k] = (struct gs_column_spec){
            .name = name, .label = name, .unit = "", .how = "an attribute of the event"};
    }
    for (size_t c = 0; spec != NULL && c < N_MEASURES; c++)
        spec[n + c] = measures[c];
    *n_keys = n;
    return spec;
}

struct row {
    const struct gs_job_sum *sum;
    struct gs_str key;
    gs_i128 uj;
    int64_t first;      /* the period of its first key, 0: that is none */
    double waste;       /* that is sure, where it orders the rows; else 0 */
    struct label label; /* of the job of a row whose samples alone tell of it */
};

/*
 * By period where there is one, then most waste first. Most energy first, then most GPU time, then by key: without samples, too, the largest lead. Keys
 * are unique, so the order is total and does not depend on qsort.
 */
GS_COMPARES(compare_rows, struct row,
            GS_BY(first) GS_DOWN(waste) GS_DOWN(uj) GS_DOWN(sum->held)
                GS_DIFFER(gs_str_compare_natural(x->key, y->key)););

/* GPUs that nobody holds have no work: where they worked and the jobs' own idled, the jobs held others. */
static void tell_refuted(gs_i128 refuted2_ns, gs_i128 held, struct gs_notes *notes)
{
    if (refuted2_ns > held / 1000000 * 2 / 100)
        gs_note(notes, GS_NOTE_WARNING,
                "GPUs that no job holds worked for %.3g h while GPUs that first-fit gives to jobs "
                "idled: the jobs held others; --share alloc has an interval for that",
                gs_ratio(refuted2_ns, 2 * hour));
}

/* `scheduled`: a scheduler gave them GPUs, so that what it gave twice or left open is news. */
static void tell(const struct gs_records *sums, const struct gs_job_sum *fleet, gs_i128 refuted2_ns,
                 bool scheduled, struct gs_notes *notes)
{
    const uint64_t n_shared = fleet->n_parts[GS_ATTRIBUTION_SHARED],
                   n_whole = fleet->n_parts[GS_ATTRIBUTION_WHOLE],
                   n_none = fleet->n_parts[GS_ATTRIBUTION_NONE];
    const bool any_sampled = fleet->used.time_ns > 0;
    uint64_t n_over = 0;
    bool cut = false;
    gs_i128 held = 0;
    for (uint32_t i = 0; i < sums->n; i++) {
        const struct gs_job_sum *const j = gs_records_at(sums, i);
        n_over += j->n_over;
        cut |= j->n_cut_start + j->n_cut_stop > 0;
        held += j->held;
    }
    if (n_shared > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%llu job%s some GPUs of a node, not known which: energy is divided by GPUs held, "
                "see \xc2\xb1; hpc_job labels make it exact (dcgm-exporter --hpc-job-mapping-dir)",
                (unsigned long long)n_shared, gs_plural(n_shared, " holds", "s hold"));
    tell_refuted(refuted2_ns, held, notes);
    if (n_over > 0 && n_whole == 0 && scheduled)
        gs_note(notes, GS_NOTE_WARNING,
                "jobs that hold more GPUs of a node at once than it has: %llu; all of it is "
                "divided among them",
                (unsigned long long)n_over);
    if (n_whole > 0 && scheduled)
        gs_note(
            notes, any_sampled ? GS_NOTE_WARNING : GS_NOTE_INFO,
            "jobs without a number of GPUs: %llu; %s (sacct --format=AllocTRES,... adds it, but "
            "for shards of a GPU)",
            (unsigned long long)n_whole,
            any_sampled ? "each counts as all GPUs of its nodes" : "they have no GPU-hours");
    if (n_none > 0 && any_sampled)
        gs_note(notes, GS_NOTE_WARNING,
                "jobs without a GPU that has samples: %llu; they have no GPU-hours here",
                (unsigned long long)n_none);
    if (cut && any_sampled)
        gs_note(notes, GS_NOTE_INFO,
                "some jobs began before their host's first sample or ended after its last: the "
                "rest has no GPU-hours and no energy (column cut)");
}

/*
 * What all jobs wasted lies between bounds that do not depend on how the jobs are grouped: what one may have had less another
 * had more, and all of them together what nobody had.
 */
static struct gs_job_sum waste_of_all(const struct gs_job_sum *all, const struct gs_job_sum *nobody)
{
    const gs_i128 idle[GS_N_DOUBTED] = {
        [GS_DOUBTED_IDLE] = all->idle2_ns, [GS_DOUBTED_IDLE_ENERGY] = all->idle_energy};
    struct gs_job_sum waste = *all;
    waste.idle2_ns -= nobody->idle2_ns;
    waste.idle_energy -= nobody->idle_energy;
    for (int what = GS_DOUBTED_IDLE; what <= GS_DOUBTED_IDLE_ENERGY; what++) {
        waste.low[what] = idle[what] - nobody->high[what];
        waste.high[what] = idle[what] - nobody->low[what];
    }
    return waste;
}

/*
 * A last row for people: the fleet, whose interval is that of its logs, however its energy was divided. Nobody wasted
 * what no job held, so that the waste is that of the rows above, where all of these are known.
 */
static void fill_total(const struct row *row, uint32_t n, const struct gs_job_sum *nobody,
                       bool by_job, const struct gs_job_sum *fleet, struct gs_frame *f)
{
    static const enum gs_column_id sums[] = {GS_COL_WASTED_GPU_H, GS_COL_UNUSED_GPU_H},
                                   bounds[] = {GS_COL_WASTED_LOW_GPU_H, GS_COL_WASTED_HIGH_GPU_H},
                                   energy[] = {GS_COL_WASTED_ENERGY_J, GS_COL_WASTED_ENERGY_LOW_J,
                                               GS_COL_WASTED_ENERGY_HIGH_J};
    const size_t last = f->n_rows - 1;
    struct gs_job_sum all = {.mem_pct = GS_MISSING};
    gs_i128 uj = 0;
    for (uint32_t i = 0; i < n; i++) {
        add_sum(&all, row[i].sum);
        uj += row[i].uj;
        if (row[i].sum->n_jobs == 0)
            all.held += row[i].sum->used.time_ns * 1000000;
    }
    all.n_jobs = fleet->n_jobs; /* one in several rows is one */
    all.gpus = fleet->gpus;
    all.used = fleet->used;
    all.low[GS_DOUBTED_ENERGY] = all.high[GS_DOUBTED_ENERGY] = fleet->used.energy;
    fill_row(f, last, &all, uj, fleet->used.time_ns > 0);
    set_text(f, last, 0, "total");
    GS_PUT(f, last, GS_TEXT(ATTRIBUTION, (struct gs_str){0}),
           GS_REAL(GPUS, by_job && all.gpus > 0 ? gs_ratio(all.gpus, 1000000) : (double)NAN));
    const struct gs_job_sum waste = waste_of_all(&all, nobody);
    if (waste.idle_ns > 0)
        fill_waste(f, last, &waste);
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) {
        const double *const of = gs_frame_cells(f, sums[k])->real;
        double sum = 0;
        uint32_t n_known = 0, n_unknown = 0; /* of jobs whose GPUs have samples */
        for (uint32_t i = 0; i < n; i++)
            if (!isnan(of[i])) {
                sum += of[i];
                n_known++;
            } else {
                n_unknown += row[i].sum->n_jobs > 0 && row[i].sum->used.time_ns > 0;
            }
        gs_frame_put_real(f, last, sums[k], n_known > 0 && n_unknown == 0 ? sum : NAN);
    }
    /* The rows' hours are rounded each by itself. */
    const double sum = gs_frame_cells(f, GS_COL_WASTED_GPU_H)->real[last],
                 divided = wasted_h(&waste, waste.idle2_ns);
    for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++)
        gs_frame_cells(f, bounds[k])->real[last] += sum - divided;
    for (size_t k = 0; isnan(sum) && k < sizeof energy / sizeof *energy; k++)
        gs_frame_put_real(f, last, energy[k], NAN);
}

static enum gs_status fill_keys(const struct gs_jobs_options *o, struct gs_frame *f, size_t at,
                                const struct row *row, struct gs_arena *arena, struct gs_err *err)
{
    for (size_t k = 0; k < f->n_columns - N_MEASURES; k++) {
        const struct gs_str part = gs_key_part(row->key, k);
        const enum by by = o->n_keys > 0 ? by_of(o->key[k]) : BY_ATTRIBUTE;
        char period[GS_LOCAL_TEXT_MAX];
        if (is_period(by)) {
            const int n = gs_time_format_local(period, &o->zone, gs_key_number(part),
                                               by == BY_HOUR ? GS_LOCAL_MINUTE : GS_LOCAL_DAY);
            const char *const text = gs_arena_copy(arena, period, (size_t)n);
            GS_TRY(gs_had_memory(text != NULL, err));
            set_text(f, at, k, text);
        } else if (f->columns[k].spec->type == GS_TYPE_TIME) {
            gs_frame_set_time(f, at, k, gs_key_number(part));
        } else {
            gs_frame_set_text(f, at, k, part);
        }
    }
    if (o->n_keys == 0 && row->label.from_ns < row->label.to_ns) {
        gs_frame_set_time(f, at, BY_START, row->label.from_ns);
        gs_frame_set_time(f, at, BY_STOP, row->label.to_ns);
    }
    return GS_OK;
}

/*
 * Counts the jobs that samples name, in their rows and in all, and for how long there were samples that do. Keys of labels
 * begin with those of their rows, in whose order they are.
 */
static enum gs_status count_labels(const struct gs_finish *of, size_t n_keys, struct row *row,
                                   struct gs_job_sum *fleet, struct gs_notes *notes,
                                   struct gs_err *err)
{
    const struct gs_records *const labels = &of->state->table[LABELS], *const sums =
                                                                           &of->state
                                                                                ->table[BY_KEY];
    struct gs_intern jobs = {.arena = of->arena, .seed = sums->seed};
    GS_NEW(struct gs_job_sum, own, labels->n > 0 ? sums->n : 0, of->arena, err);
    for (uint32_t i = 0, r = 0; i < labels->n; i++) {
        const struct gs_str key = gs_records_key(labels, i, 1)->text,
                            job = gs_key_part(key, n_keys);
        const struct label *const l = gs_records_at(labels, i);
        while (!gs_str_eq(row[r].key, gs_str_part(key, 0, key.len - job.len - 1)))
            r++;
        if (own[r].n_jobs == 0)
            own[r] = *row[r].sum;
        row[r].sum = &own[r];
        row[r].label = *l;
        own[r].n_jobs++;
        own[r].wall_ns += (gs_i128)l->to_ns - l->from_ns;
        GS_TRY(gs_had_memory(gs_intern_add(&jobs, job) != GS_INTERN_NONE, err));
    }
    fleet->n_jobs += jobs.n;
    if (jobs.n > 0)
        gs_note(notes, GS_NOTE_INFO,
                "no list of jobs: each is what samples name, from the first that does to an "
                "interval after the last, on the GPUs that do");
    return GS_OK;
}

/* The rows in the order of their keys, what nobody held last, and their sum; returns the time of all logs. */
static gs_i128 list_rows(const struct gs_finish *of, struct gs_energy_sum *total, struct row *row)
{
    const struct gs_jobs_options *const o = of->options;
    const struct gs_records *const sums = &of->state->table[BY_KEY];
    gs_i128 logged_ns = 0;
    for (uint32_t i = 0; i <= sums->n; i++) {
        const gs_i128 before = total->energy;
        row[i].sum = gs_records_at(&of->state->table[NOBODY], 0);
        if (i < sums->n) {
            row[i].sum = gs_records_at(sums, i);
            row[i].key = gs_records_key(sums, i, 1)->text;
        }
        gs_energy_sum_merge(total, &row[i].sum->used);
        logged_ns += row[i].sum->logged_ns;
        row[i].uj = microjoules(total->energy) - microjoules(before);
        if (o->for_people && row[i].sum->idle_ns > 0)
            row[i].waste = wasted_h(row[i].sum, row[i].sum->low[GS_DOUBTED_IDLE]);
        if (i < sums->n && o->n_keys > 0 && is_period(by_of(o->key[0]))) /* in the calendar's */
            row[i].first = gs_key_number(gs_key_part(row[i].key, 0));
    }
    return logged_ns;
}

static enum gs_status finish(const struct gs_finish *of, struct gs_frames *out, struct gs_err *err)
{
    const struct gs_jobs_options *const o = of->options;
    const struct gs_records *const sums = &of->state->table[BY_KEY];
    struct gs_job_sum all = *(const struct gs_job_sum *)gs_records_at(&of->state->table[FLEET], 0);
    const struct gs_job_sum *const fleet = &all;
    size_t n_keys;
    const struct gs_column_spec *const spec = list_columns(o, of->arena, &n_keys);
    GS_NEW(struct row, row, (size_t)sums->n + 1, of->arena, err);
    struct gs_frame *f;
    GS_TRY(gs_had_memory(spec != NULL, err));
    struct gs_energy_sum total = {0};
    const gs_i128 logged_ns = list_rows(of, &total, row);
    GS_TRY(count_labels(of, n_keys, row, &all, &out->notes, err));
    GS_SORT(row, sums->n, compare_rows);
    const bool any = row[sums->n].sum->used.time_ns > 0;
    const uint32_t n_rows = sums->n + any, n_total = o->brief && n_rows > 1;
    GS_TRY(
        gs_frame_new(of->arena,
                     GS_HEAD(o->n_keys == 0 ? "jobs" : "jobs-by",
                             o->n_keys == 0 ? "Jobs" : "Jobs by group", spec, n_keys + N_MEASURES),
                     n_rows + n_total, out, &f, err));
    for (uint32_t i = 0; i < n_rows; i++) {
        if (i < sums->n)
            GS_TRY(fill_keys(o, f, i, &row[i], of->arena, err));
        if (i == sums->n)
            set_text(f, i, 0, "(no job)");
        fill_row(f, i, row[i].sum, row[i].uj, fleet->used.time_ns > 0);
    }
    if (n_total > 0)
        fill_total(row, n_rows, row[sums->n].sum, o->n_keys == 0, fleet, f);
    tell(sums, fleet, row[sums->n].sum->refuted2_ns, out->noun == NULL || *out->noun != '\0',
         &out->notes);
    gs_energy_gaps_note(&total, logged_ns, &out->notes);
    struct gs_view_totals totals = of->facts->totals;
    totals.n_hosts_shared = 0; /* nothing here is a mean over the GPUs of a host */
    gs_view_notes(&totals, of->facts->duplicates, &out->notes);
    return GS_OK;
}

/* clang-format off */
const struct gs_fold gs_jobs_fold = {
    .name = "jobs", .views = GS_VIEW_SAMPLES | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = tables, .n_tables = N_JOBS_TABLES,
    .plan = make_plan, .add = add_host, .finish = finish,
};
/* clang-format on */
