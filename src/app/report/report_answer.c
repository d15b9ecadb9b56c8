/* report_answer.c - the answer first: what the sections found, as a few sentences with their numbers. */
#include <math.h>

#include "app/report/report_answer.h"

#define HALF        0.5 /* of the run: tasks that fill less of it do not stand for it                */
#define WHOLE       0.99 /* of the run: tasks that fill less of it are not its length                 */
#define COVERED_PCT 99 /* of the tail: of less its energy is not told */
#define UNSEEN_PCT  1  /* of the time: less of it changes nothing that is said */

/* A length of GPU time with the gaps between samples in it: what filled them is known. */
static double time_of(const struct gs_frame *f, size_t row)
{
    return gs_cell_value(f, row, GS_COL_TIME_S) + gs_cell_value(f, row, GS_COL_UNSEEN_S);
}

/* What most GPU time went into, and whether that is what bounds the run. Of a single event there is nothing to say. */
static void write_bound(struct gs_buf *b, struct gs_report_sentence *a,
                        const struct gs_frame *parts)
{
    enum { BOUNDS_PCT = 50 };
    size_t most = SIZE_MAX, n = 0;
    for (size_t i = 0; parts != NULL && i < parts->n_rows; i++) {
        if (!gs_answer_text_is(parts, i, GS_COL_STATE, "task"))
            continue;
        n++;
        if (most == SIZE_MAX || time_of(parts, i) > time_of(parts, most))
            most = i;
    }
    if (n < 2)
        return;
    const size_t all = gs_answer_row(parts, GS_COL_STATE, "total", GS_COL_PART, "all");
    const double share = 100 * time_of(parts, most) / time_of(parts, all);
    if (!isfinite(share))
        return;
    const bool bounds = share >= BOUNDS_PCT;
    gs_buf_text(b, bounds ? ". " : ". No event took more of the GPU time than ");
    gs_answer_name(b, parts, most, GS_COL_PART);
    gs_buf_format(b, bounds ? " took %s %% of the GPU time" : ", %s %%",
                  gs_number_text(b, share, 1));
    GS_ANSWER_STORE(a, {"bound_time_pct", share});
}

/* The share of the workers' time that tasks of all names fill, which do not run inside one another. */
static double busy_of(const struct gs_report *r, double span_s, double workers)
{
    const struct gs_frame *const f = gs_answer_table(r, GS_PART_EVENTS, "events");
    double ms = 0;
    for (size_t i = 0; f != NULL && i < f->n_rows; i++)
        ms += gs_cell_value(f, i, GS_COL_N) * gs_cell_value(f, i, GS_COL_DURATION_MEAN_MS);
    return f == NULL ? (double)NAN : 100 * ms / 1000 / (span_s * workers);
}

/* How long, and what bounds it. The tasks are the run where they fill all of it. */
static void answer_time(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    const struct gs_frame *const f = gs_answer_table(r, GS_PART_SCHEDULE, "schedule");
    if (f == NULL)
        return;
    const size_t all = f->n_rows - 1;            /* all jobs together */
    const bool many = r->kind_found.n_names > 0; /* the schedule is of the tasks of one name */
    const double span = gs_report_quantity(r, "checkpoint_span_s"),
                 workers = gs_cell_value(f, all, GS_COL_WORKERS);
    double makespan = gs_cell_value(f, all, GS_COL_MAKESPAN_S),
           busy = gs_cell_value(f, all, GS_COL_BUSY_PCT),
           tasks = gs_cell_value(f, all, GS_COL_TASKS);
    if (many) {
        makespan = span;
        busy = busy_of(r, span, workers);
        tasks = (double)r->kind_found.n_named;
    }
    const bool part_only = makespan < WHOLE * span;
    const char *of = "the time";
    if (part_only) {
        gs_buf_format(b, "The run took %s. Its tasks (%s, see --event) fill %s: ",
                      gs_time_text(b, span), r->opts->run.event, gs_time_text(b, makespan));
        of = "that";
    } else {
        gs_buf_format(b, "The run took %s for ", gs_time_text(b, makespan));
    }
    gs_words_counted(b, (uint64_t)tasks, "task");
    if (many)
        gs_buf_format(b, " of %u names", r->kind_found.n_names);
    gs_buf_format(b, " on %s", gs_counted_text(b, (uint64_t)workers, "worker"));
    if (isfinite(busy) && tasks > 1) /* one is busy from its start to its end */
        gs_buf_format(b, ", busy %s %% of %s", gs_number_text(b, busy, 1), of);
    write_bound(b, a, gs_answer_table(r, GS_PART_BALANCE, "balance"));
    gs_buf_char(b, '.');
    GS_ANSWER_STORE(a, {"makespan_s", makespan}, {"tasks", tasks}, {"workers", workers},
                    {"busy_pct", busy});
}

/* An energy, its time and its interval, from whatever table has them. */
struct spent {
    double joules, low, high, power_w;
};

/* Of the parts of the run; without events of its GPUs, as their own table has it. */
static struct spent spent_of(const struct gs_report *r, size_t all)
{
    const struct gs_frame *const gpus = gs_answer_table(r, GS_PART_GPUS, "power"),
                                 *from = r->energy;
    const double seconds = gs_cell_value(r->energy, all, GS_COL_TIME_S);
    size_t row = all;
    enum gs_column_id energy = GS_COL_ENERGY_J;
    if (gpus != NULL) {
        from = gpus;
        row = gpus->n_rows - 1; /* the only one, or the total */
        energy = GS_COL_ENERGY_SENSOR_J;
    }
    const double joules = gs_cell_value(from, row, energy);
    return (struct spent){joules, gs_cell_value(from, row, GS_COL_ENERGY_LOW_J),
                          gs_cell_value(from, row, GS_COL_ENERGY_HIGH_J), joules / seconds};
}

/* What ran while no event did. Of the time all of it is known, of the energy what was sampled. */
static void write_idle(struct gs_buf *b, struct gs_report_sentence *a, const struct gs_report *r,
                       size_t all, bool seen)
{
    const struct gs_frame *const f = r->energy;
    const size_t idle = gs_answer_row(f, GS_COL_STATE, "total", GS_COL_PART, "idle");
    if (idle == f->n_rows || !(time_of(f, idle) > 0))
        return;
    double time_pct = 100 * time_of(f, idle) / time_of(f, all),
           energy_pct = gs_cell_value(f, idle, GS_COL_ENERGY_PCT);
    const char *of = "logged GPU time"; /* which may be longer than the run */
    if (r->jobs != NULL) {
        gs_answer_free(r, &time_pct, &energy_pct);
        gs_buf_text(b, ". No job held them for ");
    } else if (gs_report_quantity(r, "checkpoint_span_s") > 0) {
        gs_buf_text(b, ". No event ran for ");
    } else {
        gs_buf_text(b, gs_report_quantity(r, "gpus") < 2 ? ". It was idle " : ". They were idle ");
        of = "time";
    }
    gs_buf_format(b, "%s %% of the %s (%s %% of the %senergy)", gs_number_text(b, time_pct, 2), of,
                  gs_number_text(b, energy_pct, 2), seen ? "" : "measured ");
    GS_ANSWER_STORE(a, {"idle_energy_pct", energy_pct}, {"idle_time_pct", time_pct});
}

/* Without two samples of a GPU there is no energy, but there is what it drew. */
static void write_power(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    const struct gs_frame *const f = gs_answer_table(r, GS_PART_GPUS, "power");
    double sum = 0, n = 0;
    for (size_t i = 0; f != NULL && i < f->n_rows; i++)
        if (isfinite(gs_cell_value(f, i, GS_COL_POWER_MEAN_W))) {
            sum += gs_cell_value(f, i, GS_COL_POWER_MEAN_W) * gs_cell_value(f, i, GS_COL_ROWS);
            n += gs_cell_value(f, i, GS_COL_ROWS);
        }
    if (!(n > 0))
        return;
    a->section = r->section[GS_PART_GPUS].id;
    gs_buf_format(
        b, "The mean of %s is %s W; no GPU has two that are close enough in time for an energy.",
        gs_counted_text(b, (uint64_t)n, "reading"), gs_number_text(b, sum / n, 1));
    GS_ANSWER_STORE(a, {"power_mean_w", sum / n});
}

static void answer_energy(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    const bool events = gs_report_has(r, GS_TABLE_CHECKPOINTS);
    const struct gs_frame *const f = r->energy;
    if (!events)
        a->section = r->section[GS_PART_GPUS].id;
    else if (r->kind == GS_KIND_JOBS)
        a->section = r->section[GS_PART_JOBS].id;
    const size_t all = gs_answer_row(f, GS_COL_STATE, "total", GS_COL_PART, "all");
    if (f == NULL || all == f->n_rows)
        return;
    const struct spent e = spent_of(r, all);
    if (!(e.joules > 0)) {
        write_power(r, a, b);
        return;
    }
    GS_ANSWER_STORE(a, {"energy_j", e.joules}, {"energy_kwh", e.joules / 3.6e6},
                    {"power_mean_w", e.power_w});
    const bool one = gs_report_quantity(r, "gpus") < 2;
    gs_buf_format(b, "The %s%s used %s", gs_report_device(r), one ? "" : "s",
                  gs_joules_text(b, e.joules));
    gs_answer_interval(b, a, e.joules, e.low, e.high);
    gs_answer_cost(b, a, r, e.joules);
    gs_buf_format(b, ", %s W%s on average", gs_number_text(b, e.power_w, 1), one ? "" : " each");
    const double unseen = 100 * gs_cell_value(f, all, GS_COL_UNSEEN_S) / time_of(f, all);
    if (unseen >= UNSEEN_PCT) {
        gs_buf_format(b, ". This leaves out %s %% of the time, which lies in gaps between samples",
                      gs_number_text(b, unseen, 1));
        GS_ANSWER_STORE(a, {"unseen_pct", unseen});
    }
    if (events && r->kind != GS_KIND_TRACE) /* between traced calls a GPU may work */
        write_idle(b, a, r, all, unseen < UNSEEN_PCT);
    gs_buf_char(b, '.');
}

static void answer_tail(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    const struct gs_frame *const f = gs_answer_table(r, GS_PART_SCHEDULE, "schedule");
    if (f == NULL)
        return;
    const size_t all = f->n_rows - 1;
    const double tail = gs_cell_value(f, all, GS_COL_TAIL_S),
                 lost = gs_cell_value(f, all, GS_COL_TAIL_LOST_GPU_H),
                 total = gs_cell_value(f, all, GS_COL_MAKESPAN_S) / 3600 *
                         gs_cell_value(f, all, GS_COL_GPUS);
    const double joules = gs_cell_value(f, all, GS_COL_TAIL_ENERGY_J);
    const bool part_only = gs_cell_value(f, all, GS_COL_MAKESPAN_S) <
                           HALF * gs_report_quantity(r, "checkpoint_span_s");
    if (!(tail > 0) || !(gs_cell_value(f, all, GS_COL_WORKERS) > 1) || part_only ||
        r->kind_found.n_names > 0)
        return;
    gs_buf_format(b,
                  "The tail: the run continued for %s s after the first worker finished its last "
                  "task. In it ",
                  gs_number_text(b, tail, 1));
    if (lost < 0.1)
        gs_buf_format(b, "%s GPU-seconds", gs_number_text(b, 3600 * lost, 1));
    else
        gs_buf_format(b, "%s GPU-hours", gs_number_text(b, lost, 2));
    gs_buf_format(b, " were idle, %s %% of the run's", gs_number_text(b, 100 * lost / total, 2));
    if (gs_cell_value(f, all, GS_COL_TAIL_COVERAGE_PCT) >= COVERED_PCT && joules > 0) {
        gs_buf_format(b, ", and drew %s", gs_joules_text(b, joules));
        GS_ANSWER_STORE(a, {"tail_energy_j", joules});
    }
    gs_buf_char(b, '.');
    GS_ANSWER_STORE(a, {"tail_s", tail}, {"tail_lost_gpu_h", lost},
                    {"tail_lost_pct", 100 * lost / total});
}

/* At most a sentence each, in the order of the answer. */
static const struct {
    const char *id; /* a lasting name */
    enum gs_report_part part;
    gs_answer_fn *write;
} answers[] = {
    {"against", GS_PART_AGAINST, gs_answer_against},
    {"time", GS_PART_SCHEDULE, answer_time},
    {"steps", GS_PART_EVENTS, gs_answer_steps},
    {"events", GS_PART_EVENTS, gs_answer_events},
    {"jobs", GS_PART_JOBS, gs_answer_jobs},
    {"waste", GS_PART_JOBS, gs_answer_waste},
    {"largest", GS_PART_JOBS, gs_answer_waste_job},
    {"trace", GS_PART_EVENTS, gs_answer_trace},
    {"energy", GS_PART_BALANCE, answer_energy},
    {"phases", GS_PART_GPUS, gs_answer_phases},
    {"gpu", GS_PART_STRAGGLERS, gs_answer_gpu},
    {"populations", GS_PART_CLUSTERS, gs_answer_populations},
    {"relation", GS_PART_GPUS, gs_answer_relation},
    {"stragglers", GS_PART_STRAGGLERS, gs_answer_stragglers},
    {"tail", GS_PART_SCHEDULE, answer_tail},
    {"missing", GS_PART_CHECK, gs_answer_missing},
    {"data", GS_PART_CHECK, gs_answer_data},
    {"method", GS_PART_BIAS, gs_answer_method},
};

/* Where a number is missing nothing is written, and then nothing is said. */
enum gs_status gs_report_answer(struct gs_report *r, struct gs_err *err)
{
    const size_t n = sizeof answers / sizeof *answers;
    GS_TAKE(r->answer, n, r->context->arena, err);
    for (size_t i = 0; i < n; i++) {
        struct gs_report_sentence a = {.id = answers[i].id,
                                       .section = r->section[answers[i].part].id};
        struct gs_buf text = {.arena = r->context->arena};
        answers[i].write(r, &a, &text);
        r->failed |= text.failed;
        a.text = gs_buf_str(&text);
        if (text.len > 0)
            r->answer[r->n_answers++] = a;
    }
    return gs_had_memory(!r->failed, err);
}
