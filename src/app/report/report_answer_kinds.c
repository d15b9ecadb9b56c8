/* report_answer_kinds.c - the sentences that only some kinds of run have: steps, jobs and who wastes. */
#include <math.h>

#include "app/report/report_answer.h"
#include "analysis/events/events_by.h"
#include "analysis/jobs/jobs.h"
#include "analysis/timeline/host_view.h"
#include "base/num/order.h"
#include "data/result/number_text.h"
#include "output/text/cells.h"

/* " 3 steps took at least twice the median of 3.615 s: 299 (2.7 times), 199 (2.7) and 99 (2.6)." */
static void write_long_steps(struct gs_buf *b, const char *event, const struct gs_kind_found *of)
{
    if (of->n_in_event > 1)
        event = "event";
    const size_t n = gs_min(of->n_long, GS_LONG_STEPS_NAMED);
    if (n == 0)
        return;
    gs_buf_format(b, " %zu %s%s took at least twice the median of %s: ", of->n_long, event,
                  gs_plural(of->n_long, "", "s"), gs_time_text(b, of->median_s));
    gs_buf_text_if(b, of->n_long > n, "most in ");
    for (size_t k = 0; k < n; k++) {
        const char *before = k > 0 ? ", " : "";
        if (k > 0 && k + 1 == n)
            before = " and ";
        gs_buf_format(b, "%s%s (%s%s)", before, of->long_step[k].name,
                      gs_number_text(b, of->long_step[k].seconds / of->median_s, 1),
                      k == 0 ? " times" : "");
    }
    gs_buf_char(b, '.');
}

/* Of an event of a row that has energy: what it takes where those that run at once divide it. */
static double energy_each(const struct gs_frame *f, size_t row)
{
    return gs_cell_value(f, row, GS_COL_ENERGY_MEAN_J) * gs_events_energy_j(f, row) /
           gs_cell_value(f, row, GS_COL_ENERGY_SUM_J);
}

/* How many tokens the events of a name handled, by an attribute. */
struct tokens {
    struct gs_events_by_options by;
    const struct gs_dataset *d;
    const char *event;
    double sum;
    bool missing;
};

static enum gs_status add_tokens(void *context, const struct gs_host_view *h, unsigned thread,
                                 struct gs_arena *scratch, struct gs_err *err)
{
    struct tokens *const t = context;
    (void)thread, (void)scratch, (void)err;
    for (uint32_t i = 0; i < h->n_pairs; i++) {
        const struct gs_pair *const p = &h->pair[i];
        if (p->is_copy || !gs_str_eq(t->d->event.text[p->event], gs_str(t->event)))
            continue;
        const int64_t n = gs_by_items(
            &t->by,
            &(struct gs_by_pair){.d = t->d, .host = h->host, .task_row = GS_NONE, .pair = p});
        t->missing |= n == GS_MISSING;
        t->sum += (double)n / GS_FIXED_ONE;
    }
    return GS_OK;
}

/* ", 1.679 J per completion token": of the tokens that were made, where each request has their number. */
static void write_per_token(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b,
                            double energy)
{
    static const char *const names[][2] = {{"completion_tokens", "completion token"},
                                           {"output_tokens", "output token"},
                                           {"generated_tokens", "generated token"},
                                           {"tokens", "token"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct tokens t = {
            .by.per = gs_str(names[k][0]), .d = &r->data, .event = r->opts->run.event};
        struct gs_host_way way = {.d = &r->data, .fn = add_tokens, .context = &t};
        r->failed |= gs_hosts_visit(&way, 1, NULL, 1, GS_VIEW_PAIRS, NULL) != GS_OK;
        if (t.missing || !(t.sum > 0))
            continue;
        struct gs_buf each = {.arena = b->arena};
        gs_buf_four(&each, energy / t.sum);
        gs_buf_format(&each, " J per %s", names[k][1]);
        gs_buf_format(b, ", %s", gs_or_empty(gs_buf_whole(&each)));
        gs_buf_char(&each, '.');
        r->failed |= each.failed;
        r->compared = gs_buf_str(&each);
        GS_ANSWER_STORE(a, {"tokens", t.sum}, {"energy_per_token_j", energy / t.sum});
        return;
    }
}

/* How long a step takes, what it uses, and whether that changes over the run. */
void gs_answer_steps(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    enum { FEW_PCT = 1 };
    const struct gs_frame *const f = gs_answer_table(r, GS_PART_EVENTS, "events");
    const size_t row = gs_answer_row(f, GS_COL_EVENT, r->opts->run.event, GS_COL_NONE, NULL);
    const double steps = (double)r->kind_found.n, drift = r->kind_found.drift_pct;
    if (f == NULL || !gs_report_is_of_steps(r) || row == f->n_rows || !(steps > 0))
        return;
    /* Of the rows with an energy: where the samples cover a part of the steps, theirs is that of these. */
    const double energy = gs_events_energy_j(f, row), n = gs_cell_value(f, row, GS_COL_N),
                 each = energy_each(f, row) * n / steps;
    const uint64_t of = r->kind_found.n_in_event;
    const char *const event = of > 1 ? r->kind_found.noun : r->opts->run.event;
    double mean_ms = gs_cell_value(f, row, GS_COL_DURATION_MEAN_MS);
    gs_buf_format(b, "Each %s takes ", event);
    if (of > 1) {
        mean_ms *= n / steps;
        gs_buf_text(b, gs_time_text(b, mean_ms / 1000));
    } else {
        gs_buf_text(b, gs_cell_text(b, f, row, GS_COL_DURATION_MEAN_MS));
    }
    gs_buf_text(b, " on average");
    const double whole_s = r->kind_found.whole_s;
    if (of == 1 && whole_s > 1.02 * mean_ms / 1000)
        gs_buf_format(b, " on one worker, %s until the last is done,", gs_time_text(b, whole_s));
    if (each > 0) {
        gs_buf_format(b, " and %s", gs_joules_text(b, each));
        write_per_token(r, a, b, energy);
        GS_ANSWER_STORE(a, {"energy_per_step_j", each}, {"energy_j", energy},
                        {"energy_known_pct", 100 * energy / (each * steps)});
    }
    const double p99_s = gs_cell_value(f, row, GS_COL_DURATION_P99_MS) / 1000,
                 beyond_s = p99_s - r->kind_found.median_s;
    if (of > 1)
        gs_buf_format(b, "; the log has one event for %llu", (unsigned long long)of);
    else if (beyond_s < 1e-6 || beyond_s > r->kind_found.clock_s)
        gs_buf_format(b, "; 99 in 100 end within %s",
                      gs_cell_text(b, f, row, GS_COL_DURATION_P99_MS));
    gs_buf_char(b, '.');
    write_long_steps(b, r->opts->run.event, &r->kind_found);
    if (fabs(drift) >= FEW_PCT)
        gs_buf_format(b, " By medians the last quarter takes %s %% %s than the first.",
                      gs_number_text(b, fabs(drift), 1), drift > 0 ? "longer" : "less");
    else if (isfinite(drift))
        gs_buf_text(b, " By medians the last quarter takes as long as the first, within 1 %.");
    GS_ANSWER_STORE(a, {"steps", steps}, {"duration_mean_ms", mean_ms}, {"drift_pct", drift},
                    {"long_steps", (double)r->kind_found.n_long});
}

/* "resnet50 takes least energy each time: 2.842 Wh in 35.27 s" */
static void write_each(struct gs_buf *b, const struct gs_frame *f, size_t row,
                       const char *least_or_most)
{
    gs_answer_name(b, f, row, GS_COL_EVENT);
    gs_buf_format(b, " takes %s each time: %s in %s", least_or_most,
                  gs_joules_text(b, energy_each(f, row)),
                  gs_cell_text(b, f, row, GS_COL_DURATION_MEAN_MS));
}

/* Of several things that ran: which takes most energy each time, and of configurations of a benchmark first which least. */
void gs_answer_events(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    enum { FEWEST = 3 };
    const struct gs_frame *const f = gs_answer_table(r, GS_PART_EVENTS, "events");
    size_t most = 0, least = 0, n = 0;
    bool again = true;
    for (size_t i = 0; f != NULL && r->kind == GS_KIND_PHASES && i < f->n_rows; i++) {
        const double each = energy_each(f, i);
        if (!(each > 0))
            continue;
        again &= gs_cell_value(f, i, GS_COL_N) > 1;
        if (n == 0 || each > energy_each(f, most))
            most = i;
        if (n++ == 0 || each < energy_each(f, least))
            least = i;
    }
    if (n < FEWEST)
        return;
    const double high = energy_each(f, most), low = energy_each(f, least);
    gs_buf_format(b, "Of %zu kinds of events, ", n);
    if (again) { /* as a benchmark's */
        write_each(b, f, least, "least energy");
        gs_buf_text(b, ". ");
        write_each(b, f, most, "most");
        gs_buf_format(b, " (%s times as much).", gs_number_text(b, high / low, 1));
        r->compared = gs_buf_str(b);
    } else {
        write_each(b, f, most, "most energy");
        gs_buf_format(b, ", %s times that of ", gs_number_text(b, high / low, 1));
        gs_answer_name(b, f, least, GS_COL_EVENT);
        gs_buf_char(b, '.');
    }
    GS_ANSWER_STORE(a, {"energy_least_j", low}, {"energy_most_j", high});
}

/* What jobs came to: rows of users or jobs, and the last for what no job held. */
struct held {
    double jobs, gpu_h, wasted_h, wasted_j;
    double util, util_h; /* per cent times hours, of the rows that know it */
    size_t n_rows;
};

static struct held add_up(const struct gs_frame *f)
{
    struct held sum = {0};
    for (size_t i = 0; i < f->n_rows; i++) {
        const bool none =
            i + 1 == f->n_rows && gs_str_eq(f->columns[0].text[i], gs_str("(no job)"));
        if (none)
            continue;
        const double jobs = gs_cell_value(f, i, GS_COL_JOBS);
        sum.n_rows++;
        sum.jobs += isfinite(jobs) ? jobs : 1;
        const double util = gs_cell_value(f, i, GS_COL_GPU_UTIL_MEAN_PCT),
                     gpu_h = gs_cell_value(f, i, GS_COL_GPU_H);
        sum.gpu_h += isfinite(gpu_h) ? gpu_h : 0;
        sum.util_h += isfinite(util) ? gpu_h : 0;
        sum.util += isfinite(util) ? util * gpu_h : 0;
        sum.wasted_h += gs_max(gs_cell_value(f, i, GS_COL_WASTED_GPU_H), 0);
        sum.wasted_j += gs_max(gs_cell_value(f, i, GS_COL_WASTED_ENERGY_J), 0);
    }
    return sum;
}

/* Of hours: what is small is told more closely. */
static int decimals_of(double hours)
{
    return hours < 10 ? 2 : 0;
}

/* Of jobs without samples: who held most. */
static void name_most(struct gs_report *r, struct gs_buf *b, const struct gs_frame *f)
{
    const char *const who = gs_cell_text(b, f, 0, f->columns[0].spec->id),
                      *const held = gs_number_text(b, gs_cell_value(f, 0, GS_COL_GPU_H), 1);
    const char *const more = gs_format(b->arena, "held %s GPU-hours", held),
                      *const words = gs_format(b->arena, "%s held most, %s.", who, held);
    gs_buf_format(b, ", %s the most: %s h", who, held);
    r->worst = (struct gs_report_card){"jobs", "Most GPU-hours", gs_str(gs_or_empty(who)),
                                       gs_str(gs_or_empty(more))};
    r->worst_words = gs_str(gs_or_empty(words));
}

void gs_answer_jobs(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    const struct gs_frame *const f = r->jobs;
    if (f == NULL)
        return;
    const struct held sum = add_up(f);
    const double idle = 100 * sum.wasted_h / sum.gpu_h;
    gs_words_counted(b, (uint64_t)sum.jobs, "job");
    if (f->columns[0].spec->id == GS_COL_USER)
        gs_buf_format(b, " of %s", gs_counted_text(b, sum.n_rows, "user"));
    gs_buf_format(b, " held %s GPU-hours", gs_number_text(b, sum.gpu_h, decimals_of(sum.gpu_h)));
    if (sum.util_h > 0)
        gs_buf_format(b, ". %s %% of them were idle, below %d %% of utilisation",
                      gs_number_text(b, idle, 1), GS_IDLE_BELOW_PCT);
    else if (sum.n_rows > 1) /* without energies the greatest comes first */
        name_most(r, b, f);
    if (sum.util_h > 0)
        gs_buf_format(b, "; the mean utilisation is %s %%",
                      gs_number_text(b, sum.util / sum.util_h, 1));
    gs_buf_char(b, '.');
    GS_ANSWER_STORE(a, {"jobs", sum.jobs}, {"gpu_h", sum.gpu_h});
    if (sum.wasted_j > 0) {
        gs_buf_format(b, " GPUs held idle used %s", gs_joules_text(b, sum.wasted_j));
        gs_answer_cost(b, a, r, sum.wasted_j);
        gs_buf_char(b, '.');
        GS_ANSWER_STORE(a, {"wasted_energy_j", sum.wasted_j});
    }
    if (sum.util_h > 0)
        GS_ANSWER_STORE(a, {"wasted_gpu_h", sum.wasted_h}, {"idle_pct", idle});
}

void gs_answer_free(const struct gs_report *r, double *time_pct, double *energy_pct)
{
    const struct gs_frame *const f = r->jobs;
    const size_t last = f->n_rows - 1; /* "(no job)" */
    double hours = 0, joules = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        hours += gs_cell_value(f, i, GS_COL_GPU_H);
        joules += gs_cell_value(f, i, GS_COL_ENERGY_J);
    }
    *time_pct = 100 * gs_cell_value(f, last, GS_COL_GPU_H) / hours;
    *energy_pct = 100 * gs_cell_value(f, last, GS_COL_ENERGY_J) / joules;
}

/* Which call of a trace takes most time. */
void gs_answer_trace(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    const struct gs_frame *const f = gs_answer_table(r, GS_PART_EVENTS, "events");
    struct gs_buf name = {.arena = b->arena}, more = name, words = name;
    double most_ms = 0, calls = 0;
    size_t most = 0;
    if (f == NULL || r->kind != GS_KIND_TRACE)
        return;
    for (size_t i = 0; i < f->n_rows; i++) {
        const double n = gs_cell_value(f, i, GS_COL_N),
                     ms = n * gs_cell_value(f, i, GS_COL_DURATION_MEAN_MS);
        calls += n;
        if (ms > most_ms)
            most = i;
        most_ms = fmax(ms, most_ms);
    }
    gs_write_brief(&name, gs_frame_cells(f, GS_COL_EVENT)->text[most], 32);
    gs_buf_format(&more, "%s in %s", gs_time_text(&more, most_ms / 1000),
                  gs_counted_text(&more, (uint64_t)gs_cell_value(f, most, GS_COL_N), "call"));
    r->failed |= name.failed || more.failed;
    if (r->failed)
        return;
    gs_buf_format(&words, "%s takes most time, %s.", gs_buf_str(&name).ptr, gs_buf_str(&more).ptr);
    gs_words_counted(b, (uint64_t)calls, "call");
    gs_buf_format(b, " of %zu names. ", f->n_rows);
    gs_buf_bytes(b, words.ptr, words.len);
    r->worst = (struct gs_report_card){"events", "Most time", gs_buf_str(&name), gs_buf_str(&more)};
    r->worst_words = gs_buf_str(&words);
    GS_ANSWER_STORE(a, {"calls", calls}, {"most_time_s", most_ms / 1000});
}

#define LEAST_H 0.01 /* idle for less than half a minute is no waste */

/* What a row surely held idle: on shared nodes its GPUs may be those that worked. */
static double surely_wasted(const struct gs_frame *f, size_t row)
{
    return gs_cell_value(f, row, GS_COL_WASTED_LOW_GPU_H);
}

/* "at least ", where a row may have held more idle than is sure. */
static const char *at_least(const struct gs_frame *f, size_t row)
{
    const double sure = surely_wasted(f, row);
    return gs_text_if(gs_cell_value(f, row, GS_COL_WASTED_HIGH_GPU_H) > 1.01 * sure, "at least ");
}

/* What a row of jobs is of: a user, or a job by its number, else by its name. */
static void write_holder(struct gs_buf *b, const struct gs_frame *f, size_t row)
{
    const enum gs_column_id first = f->columns[0].spec->id;
    gs_write_cell(b, f, row, gs_cell_is_there(f, row, first) ? first : GS_COL_NAME);
}

/* The rows that surely left most GPU-hours idle, by name: nobody is named for what others of the node may have wasted. */
void gs_answer_waste(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    enum { NAMED = 5 };
    const struct gs_frame *const f = r->jobs;
    struct gs_buf words = {.arena = b->arena}, more = words;
    size_t worst[NAMED], n = 0;
    if (f == NULL)
        return;
    for (size_t i = 0; i < f->n_rows; i++) { /* the most, in order; ties keep the table's */
        const double wasted = surely_wasted(f, i);
        size_t k = n;
        if (!(wasted >= LEAST_H) || gs_str_eq(f->columns[0].text[i], gs_str("(no job)")))
            continue;
        while (k > 0 && surely_wasted(f, worst[k - 1]) < wasted)
            k--;
        n += n < NAMED;
        for (size_t j = n; j-- > k + 1;)
            worst[j] = worst[j - 1];
        if (k < NAMED)
            worst[k] = i;
    }
    if (n == 0)
        return;
    struct gs_buf name = {.arena = r->context->arena};
    const double wasted = surely_wasted(f, worst[0]);
    const int decimals = decimals_of(wasted);
    write_holder(&name, f, worst[0]);
    gs_buf_format(b, "%s left most GPU-hours idle, %s%s", gs_buf_str(&name).ptr,
                  at_least(f, worst[0]), gs_number_text(b, wasted, decimals));
    for (size_t k = 1; k < n; k++) {
        if (k == 1)
            gs_buf_text(b, "; then ");
        else if (k + 1 < n)
            gs_buf_text(b, ", ");
        else
            gs_buf_text(b, " and ");
        const double hours = surely_wasted(f, worst[k]);
        write_holder(b, f, worst[k]);
        gs_buf_format(b, " (%s%s)", at_least(f, worst[k]), gs_number_text(b, hours, decimals));
    }
    gs_buf_char(b, '.');
    a->table = "jobs";
    a->row = worst[0] + 1;
    GS_ANSWER_STORE(a, {"wasted_gpu_h", wasted});
    gs_buf_format(&more, "%s%s GPU-hours held idle", at_least(f, worst[0]),
                  gs_number_text(&more, wasted, decimals));
    const double joules = gs_cell_value(f, worst[0], GS_COL_WASTED_ENERGY_J);
    if (joules > 0) {
        gs_buf_format(b, " The idle GPUs of %s used %s", gs_buf_str(&name).ptr,
                      gs_joules_text(b, joules));
        gs_answer_interval(b, a, joules, gs_cell_value(f, worst[0], GS_COL_WASTED_ENERGY_LOW_J),
                           gs_cell_value(f, worst[0], GS_COL_WASTED_ENERGY_HIGH_J));
        gs_answer_cost(b, a, r, joules);
        gs_buf_char(b, '.');
        gs_buf_format(&more, ", %s", gs_joules_text(&more, joules));
        gs_answer_cost(&more, a, r, joules);
    }
    gs_buf_format(&words, "%s left most GPU-hours idle.", gs_buf_str(&name).ptr);
    r->failed |= more.failed || words.failed || name.failed;
    r->worst =
        (struct gs_report_card){"jobs", "Most wasteful", gs_buf_str(&name), gs_buf_str(&more)};
    r->worst_words = gs_buf_str(&words);
}

/* The hosts of one job. */
struct job_hosts {
    const struct gs_dataset *d;
    struct gs_str job;
    int64_t start_ns;
    struct gs_str name; /* of one of them */
    size_t n;
};

static enum gs_status add_host(void *context, const struct gs_host_view *h, unsigned thread,
                               struct gs_arena *scratch, struct gs_err *err)
{
    struct job_hosts *const hosts = context;
    (void)thread, (void)scratch, (void)err;
    for (uint32_t i = 0; i < h->n_pairs; i++) {
        const struct gs_pair *const p = &h->pair[i];
        if (p->start_ns != hosts->start_ns || !gs_str_eq(hosts->d->job.text[p->job], hosts->job))
            continue;
        hosts->name = hosts->d->host.text[h->host];
        hosts->n++;
        break;
    }
    return GS_OK;
}

/* " on gpu024", " on 4 hosts": where to look for the GPUs that a job held. */
static void write_hosts(struct gs_report *r, struct gs_buf *b, size_t row)
{
    const struct gs_frame *const f = r->allocations;
    struct job_hosts hosts = {.d = &r->data,
                              .job = gs_frame_cells(f, GS_COL_JOB)->text[row],
                              .start_ns = gs_frame_cells(f, GS_COL_START)->integer[row]};
    struct gs_host_way way = {.d = &r->data, .fn = add_host, .context = &hosts};
    r->failed |= gs_hosts_visit(&way, 1, NULL, 1, GS_VIEW_PAIRS, NULL) != GS_OK;
    if (hosts.n == 1 && hosts.name.len > 0)
        gs_buf_format(b, " on %s", GS_SHOWN(hosts.name, 40));
    else if (hosts.n > 1)
        gs_buf_format(b, " on %zu hosts", hosts.n);
}

/* The one job that held most GPU-hours idle: a shell that somebody forgot, a GPU that was asked for and not used. */
void gs_answer_waste_job(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    const struct gs_frame *const f = r->allocations;
    size_t worst = SIZE_MAX;
    double most = LEAST_H;
    for (size_t i = 0; f != NULL && i < f->n_rows; i++) {
        const double wasted = surely_wasted(f, i); /* NaN of what no job held */
        if (wasted > most) {
            most = wasted;
            worst = i;
        }
    }
    if (worst == SIZE_MAX)
        return;
    const double held = gs_cell_value(f, worst, GS_COL_GPU_H);
    const bool is_numbered = gs_cell_is_there(f, worst, GS_COL_JOB);
    gs_buf_format(b, "The largest single waste is job %s",
                  gs_cell_text(b, f, worst, is_numbered ? GS_COL_JOB : GS_COL_NAME));
    if (is_numbered && gs_cell_is_there(f, worst, GS_COL_NAME))
        gs_buf_format(b, " (%s)", gs_cell_text(b, f, worst, GS_COL_NAME));
    if (gs_cell_is_there(f, worst, GS_COL_USER))
        gs_buf_format(b, " of %s", gs_cell_text(b, f, worst, GS_COL_USER));
    write_hosts(r, b, worst);
    gs_buf_format(b, ": idle for %s%s of its %s GPU-hours.", at_least(f, worst),
                  gs_number_text(b, most, decimals_of(most)),
                  gs_number_text(b, held, decimals_of(held)));
    a->table = "allocations";
    a->row = worst + 1;
    GS_ANSWER_STORE(a, {"wasted_gpu_h", most});
}
