/* report_answer.c - the answer first: what the sections found, as at most eight sentences with their numbers. */
#include <math.h>
#include <string.h>

#include "show/si.h"
#include "report/report.h"
#include "model/prose.h"

#define HALF       0.5  /* of the run: tasks that fill less of it do not stand for it                */
#define UNSEEN_PCT 1    /* of the time: less of it changes nothing that is said */
#define FEW        0.05 /* of the pairs with a sample inside: of fewer nothing is said of the others */

/* A table of a section by its stem; NULL where it is not there. */
static const struct gs_frame *table_of(const struct gs_report *r, enum gs_report_part part, const char *stem)
{
    for (const struct gs_report_table *t = r->section[part].tables; t != NULL; t = t->next)
        if (strcmp(t->stem, stem) == 0 && t->frame->n_rows > 0)
            return t->frame;
    return NULL;
}

static double cell(const struct gs_frame *f, size_t row, const char *column)
{
    return f == NULL ? (double)NAN : gs_say_value(f, row, gs_frame_find(f, column));
}

static bool text_is(const struct gs_frame *f, size_t row, const char *column, const char *text)
{
    const int c = gs_frame_find(f, column);
    return c >= 0 && f->columns[c].spec->type == GS_TYPE_TEXT && gs_str_eq(f->columns[c].text[row], gs_str(text));
}

/* The row whose texts in two columns are these; n_rows where there is none. */
static size_t row_of(const struct gs_frame *f, const char *column, const char *text, const char *other,
                     const char *also)
{
    for (size_t i = 0; i < f->n_rows; i++)
        if (text_is(f, i, column, text) && (other == NULL || text_is(f, i, other, also)))
            return i;
    return f->n_rows;
}

static struct gs_answer *begin(struct gs_report *r, const char *id, enum gs_report_part part)
{
    struct gs_answer *const a = &r->answer[r->n_answers];
    *a = (struct gs_answer){.id = id, .section = r->section[part].id};
    return a;
}

static void keep(struct gs_answer *a, const char *name, double value)
{
    if (a->n_values < GS_ANSWER_VALUES && isfinite(value))
        a->value[a->n_values++] = (struct gs_answer_value){name, value};
}

/* Nothing is said where a number is missing. */
static void end(struct gs_report *r, struct gs_answer *a, const struct gs_buf *text)
{
    r->answers_failed |= text->failed;
    if (text->len == 0)
        return;
    a->text = gs_buf_str(text);
    r->n_answers++;
}

static void say_name(struct gs_buf *b, const struct gs_frame *f, size_t row, const char *column)
{
    const struct gs_str name = f->columns[gs_frame_find(f, column)].text[row];
    gs_buf_bytes(b, name.ptr, name.len);
}

/* What most GPU time went into, and whether that is what bounds the run. */
static void say_bound(struct gs_buf *b, struct gs_answer *a, const struct gs_frame *parts)
{
    size_t most = SIZE_MAX;
    for (size_t i = 0; parts != NULL && i < parts->n_rows; i++)
        if (text_is(parts, i, "state", "task") &&
            (most == SIZE_MAX || cell(parts, i, "time_pct") > cell(parts, most, "time_pct")))
            most = i;
    if (parts == NULL || most == SIZE_MAX)
        return;
    const double share = cell(parts, most, "time_pct");
    if (!isfinite(share))
        return;
    gs_buf_text(b, share >= 50  ? "; what bounds it is "
                   : share >= 5 ? "; most GPU time went into "
                                : "; no event took more of the GPU time than ");
    say_name(b, parts, most, "part");
    gs_buf_text(b, ", ");
    gs_say_number(b, share, 1);
    gs_buf_text(b, share >= 5 ? " % of the GPU time" : " %");
    keep(a, "bound_time_pct", share);
}

/* How long, and what bounds it. The tasks are the run where they fill at least half of it. */
static void answer_time(struct gs_report *r)
{
    const struct gs_frame *const f = table_of(r, GS_PART_SCHEDULE, "schedule");
    struct gs_answer *const a = begin(r, "time", GS_PART_SCHEDULE);
    struct gs_buf b = {.arena = r->context->arena};
    if (f == NULL)
        return;
    const size_t all = f->n_rows - 1; /* all jobs together */
    const double makespan = cell(f, all, "makespan_s"), busy = cell(f, all, "busy_pct"), tasks = cell(f, all, "tasks"),
                 workers = cell(f, all, "workers"), span = gs_report_quantity(r, "checkpoint_span_s");
    const bool part_only = makespan < HALF * span;
    gs_buf_text(&b, "The run took ");
    gs_words_time(&b, part_only ? span : makespan);
    if (part_only) {
        gs_buf_text(&b, ", of which the events taken for its tasks (");
        gs_buf_text(&b, r->opts->event);
        gs_buf_text(&b, ", --event) fill ");
        gs_words_time(&b, makespan);
    }
    gs_buf_text(&b, part_only ? ": " : " for ");
    gs_words_counted(&b, (uint64_t)tasks, "task");
    gs_buf_text(&b, " on ");
    gs_words_counted(&b, (uint64_t)workers, "worker");
    if (isfinite(busy)) {
        gs_buf_text(&b, ", busy ");
        gs_say_number(&b, busy, 1);
        gs_buf_text(&b, part_only ? " % of that" : " % of the time");
    }
    say_bound(&b, a, table_of(r, GS_PART_BALANCE, "balance"));
    gs_buf_char(&b, '.');
    keep(a, "makespan_s", makespan);
    keep(a, "tasks", tasks);
    keep(a, "workers", workers);
    keep(a, "busy_pct", busy);
    end(r, a, &b);
}

#define WH_BELOW_J 360000

/* " (75.49 kWh; 95 % interval 206.1 to 337.4 MJ)" */
static void say_kwh(struct gs_buf *b, struct gs_answer *a, const struct gs_frame *f, size_t row)
{
    const double joules = cell(f, row, "energy_j"), low = cell(f, row, "energy_low_j"),
                 high = cell(f, row, "energy_high_j");
    gs_buf_text(b, " (");
    gs_buf_four(b, joules < WH_BELOW_J ? joules / 3600 : joules / 3.6e6);
    gs_buf_text(b, joules < WH_BELOW_J ? " Wh" : " kWh");
    if (isfinite(low) && isfinite(high)) {
        const struct gs_si unit = gs_si_of("J", high);
        gs_buf_text(b, "; 95 % interval ");
        gs_buf_four(b, low / unit.factor);
        gs_buf_text(b, " to ");
        gs_buf_four(b, high / unit.factor);
        gs_buf_format(b, " %s", unit.unit);
        keep(a, "energy_low_j", low);
        keep(a, "energy_high_j", high);
    }
    gs_buf_char(b, ')');
}

static void answer_energy(struct gs_report *r)
{
    const bool events = gs_report_has(r, GS_TABLE_CHECKPOINTS);
    const struct gs_frame *const f = r->energy;
    struct gs_answer *const a = begin(r, "energy", events ? GS_PART_BALANCE : GS_PART_GPUS);
    struct gs_buf b = {.arena = r->context->arena};
    if (f == NULL || f->n_rows == 0)
        return;
    const size_t all = row_of(f, "state", "total", "part", "all"), idle = row_of(f, "state", "total", "part", "idle");
    const double joules = all == f->n_rows ? (double)NAN : cell(f, all, "energy_j");
    if (!(joules > 0))
        return;
    keep(a, "energy_j", joules);
    keep(a, "energy_kwh", joules / 3.6e6);
    keep(a, "power_mean_w", cell(f, all, "power_mean_w"));
    const bool one = gs_report_quantity(r, "gpus") < 2;
    gs_buf_text(&b, one ? "The GPU used " : "The GPUs used ");
    gs_buf_si(&b, joules, "J", 0);
    say_kwh(&b, a, f, all);
    gs_buf_text(&b, ", ");
    gs_say_number(&b, cell(f, all, "power_mean_w"), 1);
    gs_buf_text(&b, one ? " W on average" : " W each on average");
    const double unseen = 100 * cell(f, all, "unseen_s") / (cell(f, all, "unseen_s") + cell(f, all, "time_s"));
    if (unseen >= UNSEEN_PCT) {
        gs_buf_text(&b, ", without ");
        gs_say_number(&b, unseen, 1);
        gs_buf_text(&b, " % of the time, which lies in gaps between samples");
        keep(a, "unseen_pct", unseen);
    }
    if (events && idle < f->n_rows && cell(f, idle, "time_s") > 0) {
        gs_buf_text(&b,
                    one ? "; idle, with no event running, it spent " : "; idle, with no event running, they spent ");
        gs_say_number(&b, cell(f, idle, "time_pct"), 2);
        gs_buf_text(&b, one ? " % of its time and " : " % of their time and ");
        gs_say_number(&b, cell(f, idle, "energy_pct"), 2);
        gs_buf_text(&b, " % of the energy");
        keep(a, "idle_energy_pct", cell(f, idle, "energy_pct"));
        keep(a, "idle_time_pct", cell(f, idle, "time_pct"));
    }
    gs_buf_char(&b, '.');
    end(r, a, &b);
}

/* The fastest population and the slowest by their median GPU, with their difference. */
static void answer_populations(struct gs_report *r)
{
    const struct gs_frame *const f = table_of(r, GS_PART_CLUSTERS, "clusters");
    struct gs_answer *const a = begin(r, "populations", GS_PART_CLUSTERS);
    struct gs_buf b = {.arena = r->context->arena};
    size_t fast = 0, slow = 0;
    if (f == NULL || f->n_rows < 2 || !gs_say_extremes(f, gs_frame_find(f, "task_median_s"), &fast, &slow) ||
        fast == slow)
        return;
    const double more = 100 * (cell(f, slow, "task_median_s") / cell(f, fast, "task_median_s") - 1);
    const double means = 100 * (cell(f, slow, "task_mean_s") / cell(f, fast, "task_mean_s") - 1);
    gs_buf_text(&b, "There are ");
    gs_words_counted(&b, f->n_rows, "population");
    gs_buf_text(&b, " of GPUs: ");
    gs_words_count(&b, (uint64_t)cell(f, fast, "gpus"));
    gs_buf_text(&b, " take ");
    gs_say_number(&b, cell(f, fast, "task_median_s"), 2);
    gs_buf_text(&b, " s a task, ");
    gs_words_count(&b, (uint64_t)cell(f, slow, "gpus"));
    gs_buf_text(&b, " take ");
    gs_say_number(&b, cell(f, slow, "task_median_s"), 2);
    gs_buf_text(&b, " s, ");
    gs_say_number(&b, more, 1);
    gs_buf_text(&b, " % more by their medians");
    const double watts = cell(f, slow, "power_mean_w") - cell(f, fast, "power_mean_w");
    if (isfinite(watts)) {
        gs_buf_text(&b, ", at ");
        gs_say_number(&b, fabs(watts), 1);
        gs_buf_text(&b, watts < 0 ? " W less" : " W more");
    }
    gs_buf_char(&b, '.');
    keep(a, "populations", (double)f->n_rows);
    keep(a, "task_difference_pct", means);
    keep(a, "fast_gpus", cell(f, fast, "gpus"));
    keep(a, "fast_task_s", cell(f, fast, "task_mean_s"));
    keep(a, "slow_gpus", cell(f, slow, "gpus"));
    keep(a, "slow_task_s", cell(f, slow, "task_mean_s"));
    keep(a, "fast_task_median_s", cell(f, fast, "task_median_s"));
    keep(a, "slow_task_median_s", cell(f, slow, "task_median_s"));
    keep(a, "task_median_difference_pct", more);
    keep(a, "power_difference_w", watts);
    end(r, a, &b);
}

/* What the GPUs were found to be: slow, judged at all, hot, with a temperature. */
struct verdicts {
    size_t n_slow, n_judged, n_hot, n_felt, worst;
    double cost_s;
};

static struct verdicts count_verdicts(const struct gs_frame *f, int verdict)
{
    struct verdicts n = {0};
    for (size_t i = 0; i < f->n_rows; i++) {
        const struct gs_str v = f->columns[verdict].text[i];
        const bool slow = v.len >= 4 && memcmp(v.ptr, "slow", 4) == 0;
        n.n_hot += v.len >= 3 && memcmp(v.ptr + v.len - 3, "hot", 3) == 0;
        n.n_felt += isfinite(cell(f, i, "hot_pct")) ? 1 : 0;
        n.n_judged += isfinite(cell(f, i, "slowdown_pct")) ? 1 : 0;
        if (!slow)
            continue;
        n.worst = n.n_slow == 0 || cell(f, i, "slowdown_pct") > cell(f, n.worst, "slowdown_pct") ? i : n.worst;
        n.n_slow++;
        n.cost_s += cell(f, i, "cost_gpu_s");
    }
    return n;
}

static void say_slow(struct gs_buf *b, const struct gs_frame *f, const struct verdicts *n)
{
    if (n->n_slow == 0) {
        gs_buf_text(b, "No GPU is slow for its population");
        return;
    }
    gs_words_counted(b, n->n_slow, "GPU");
    gs_buf_text(b, n->n_slow == 1 ? " is slow for its population: " : " are slow for their population, the worst ");
    say_name(b, f, n->worst, "hostname");
    gs_buf_text(b, ", ");
    gs_say_number(b, cell(f, n->worst, "slowdown_pct"), 1);
    gs_buf_text(b, n->n_slow == 1 ? " % slower, at a cost of " : " % slower; they cost ");
    gs_say_number(b, n->cost_s, 0);
    gs_buf_text(b, " GPU seconds");
}

/* Slow only where there are others to be slower than, hot only where a temperature was read. */
static void answer_stragglers(struct gs_report *r)
{
    const struct gs_report_section *const s = &r->section[GS_PART_STRAGGLERS];
    const struct gs_frame *const f = s->figures == NULL ? NULL : s->figures->frame;
    struct gs_answer *const a = begin(r, "stragglers", GS_PART_STRAGGLERS);
    struct gs_buf b = {.arena = r->context->arena};
    const int verdict = f == NULL ? -1 : gs_frame_find(f, "verdict");
    if (verdict < 0)
        return;
    const struct verdicts n = count_verdicts(f, verdict);
    const bool judged = n.n_judged > 1;
    if (judged) {
        say_slow(&b, f, &n);
        keep(a, "slow_gpus", (double)n.n_slow);
        keep(a, "cost_gpu_s", n.cost_s);
    }
    if (n.n_felt > 0) {
        gs_buf_text(&b, judged ? "; " : "");
        if (n.n_hot == 0)
            gs_buf_text(&b, judged ? "none" : "No GPU");
        else if (judged)
            gs_words_count(&b, n.n_hot);
        else
            gs_words_counted(&b, n.n_hot, "GPU");
        gs_buf_format(&b,
                      " ran at %d \xc2\xb0"
                      "C or more",
                      GS_REPORT_HOT_C);
        keep(a, "hot_gpus", (double)n.n_hot);
    }
    gs_buf_text(&b, b.len > 0 ? "." : "");
    end(r, a, &b);
}

static void answer_tail(struct gs_report *r)
{
    const struct gs_frame *const f = table_of(r, GS_PART_SCHEDULE, "schedule");
    struct gs_answer *const a = begin(r, "tail", GS_PART_SCHEDULE);
    struct gs_buf b = {.arena = r->context->arena};
    if (f == NULL)
        return;
    const size_t all = f->n_rows - 1;
    const double tail = cell(f, all, "tail_s"), lost = cell(f, all, "tail_lost_gpu_h"),
                 total = cell(f, all, "makespan_s") / 3600 * cell(f, all, "gpus");
    const bool part_only = cell(f, all, "makespan_s") < HALF * gs_report_quantity(r, "checkpoint_span_s");
    if (!(tail > 0) || !(cell(f, all, "workers") > 1) || part_only)
        return;
    gs_buf_text(&b, "The tail: after the first worker ran dry the run took another ");
    gs_say_number(&b, tail, 1);
    gs_buf_text(&b, " s, in which ");
    gs_say_number(&b, lost < 0.1 ? 3600 * lost : lost, lost < 0.1 ? 1 : 2);
    gs_buf_text(&b, lost < 0.1 ? " GPU-seconds stood idle, " : " GPU-hours stood idle, ");
    gs_say_number(&b, 100 * lost / total, 2);
    gs_buf_text(&b, " % of the run's.");
    keep(a, "tail_s", tail);
    keep(a, "tail_lost_gpu_h", lost);
    keep(a, "tail_lost_pct", 100 * lost / total);
    end(r, a, &b);
}

/* The first findings with their counts, and how many tasks count twice. */
static void answer_data(struct gs_report *r)
{
    enum { NAMED = 4 };
    const struct gs_frame *const f = r->check, *const jobs = table_of(r, GS_PART_SCHEDULE, "schedule");
    const int severity = gs_frame_find(f, "severity"), finding = gs_frame_find(f, "finding"),
              hint = gs_frame_find(f, "hint");
    struct gs_answer *const a = begin(r, "data", GS_PART_CHECK);
    struct gs_buf b = {.arena = r->context->arena};
    size_t n = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        const struct gs_str s = f->columns[severity].text[i];
        if (!gs_str_eq(s, gs_str("error")) && !gs_str_eq(s, gs_str("warning")))
            continue;
        if (n++ >= NAMED)
            continue;
        gs_buf_text(&b, n == 1 ? "Wrong with the data: " : ", ");
        gs_say_finding(&b, (uint64_t)cell(f, i, "count"), f->columns[finding].text[i]);
        gs_say_hosts(&b, f->columns[hint].text[i]);
    }
    if (n > NAMED)
        gs_buf_format(&b, " and %zu more", n - NAMED);
    const double twice = gs_report_quantity(r, "total_render_pairs") -
                         (jobs == NULL ? (double)NAN : cell(jobs, jobs->n_rows - 1, "tasks"));
    if (n > 0 && twice > 0 && r->data.duplicates == GS_DUPLICATES_KEEP) {
        gs_buf_text(&b, "; the study's own figures count ");
        gs_words_counted(&b, (uint64_t)twice, "task");
        gs_buf_text(&b, " twice");
        keep(a, "pairs_twice", twice);
    }
    gs_buf_text(&b, n > 0 ? "." : "Nothing wrong was found in the data.");
    keep(a, "findings", (double)n);
    end(r, a, &b);
}

/* Of the events sampled inside, the one whose power the two ends understate most. */
static void answer_method(struct gs_report *r)
{
    const struct gs_frame *const f = table_of(r, GS_PART_BIAS, "bias");
    struct gs_answer *const a = begin(r, "method", GS_PART_BIAS);
    struct gs_buf b = {.arena = r->context->arena};
    const size_t task = f == NULL ? 0 : row_of(f, "event", r->opts->event, NULL, NULL);
    if (f == NULL || task == f->n_rows)
        return;
    const double ends = cell(f, task, "power_nearest_w"), inside = cell(f, task, "power_window_w");
    if (!(inside > 0) || !isfinite(ends) || cell(f, task, "n_sampled") < FEW * cell(f, task, "n"))
        return;
    const double hidden = 100 * (1 - ends / inside);
    gs_buf_text(&b, "Read only at its two ends, the study's method, ");
    say_name(&b, f, task, "event");
    gs_buf_text(&b, " seems to draw ");
    gs_say_number(&b, ends, 1);
    gs_buf_text(&b, " W; all samples inside say ");
    gs_say_number(&b, inside, 1);
    if (fabs(hidden) < 1) {
        gs_buf_text(&b, " W: here the two agree within 1 %.");
    } else {
        gs_buf_text(&b, " W: the method ");
        gs_buf_text(&b, hidden > 0 ? "hides " : "adds ");
        gs_say_number(&b, fabs(hidden), 0);
        gs_buf_text(&b, " % of its power.");
    }
    keep(a, "power_ends_w", ends);
    keep(a, "power_inside_w", inside);
    keep(a, "hidden_pct", hidden);
    end(r, a, &b);
}

/* The metric whose correlation with task time owes most to the populations: one line through all of them misleads. */
static void answer_relation(struct gs_report *r)
{
    const struct gs_frame *const f = table_of(r, GS_PART_GPUS, "correlate"), *const populations = table_of(
                                                                                 r, GS_PART_CLUSTERS, "clusters");
    struct gs_answer *const a = begin(r, "relation", GS_PART_GPUS);
    struct gs_buf b = {.arena = r->context->arena};
    size_t most = SIZE_MAX;
    for (size_t i = 0; f != NULL && i < f->n_rows; i++) {
        const double lost = fabs(cell(f, i, "pearson_r")) - fabs(cell(f, i, "r_within"));
        if (lost > 0.1 &&
            (most == SIZE_MAX || lost > fabs(cell(f, most, "pearson_r")) - fabs(cell(f, most, "r_within"))))
            most = i;
    }
    if (most == SIZE_MAX || populations == NULL || populations->n_rows < 2)
        return;
    gs_buf_text(&b, "What goes along with slow tasks is mostly the population: ");
    gs_say_metric(&b, f->columns[gs_frame_find(f, "metric")].text[most], false);
    gs_buf_text(&b, " correlates with task time by r = ");
    gs_say_number(&b, cell(f, most, "pearson_r"), 2);
    gs_buf_text(&b, " over all GPUs, by ");
    gs_say_number(&b, cell(f, most, "r_within"), 2);
    gs_buf_text(&b, " within the populations.");
    keep(a, "r", cell(f, most, "pearson_r"));
    keep(a, "r_within", cell(f, most, "r_within"));
    end(r, a, &b);
}

/* What the run is without, and what that leaves out. */
static void answer_missing(struct gs_report *r)
{
    struct gs_answer *const a = begin(r, "missing", GS_PART_CHECK);
    struct gs_buf b = {.arena = r->context->arena};
    if (!gs_report_has(r, GS_TABLE_CHECKPOINTS))
        gs_buf_text(&b, "There are no events: only the GPUs are described, not what they worked on.");
    else if (!gs_report_has(r, GS_TABLE_SAMPLES))
        gs_buf_text(&b, "There are no samples: only times are described, not power, energy or utilisation.");
    end(r, a, &b);
}

/* Without events: how much of the GPUs' time was active by their power alone. */
static void answer_phases(struct gs_report *r)
{
    const struct gs_frame *const f = table_of(r, GS_PART_GPUS, "power");
    struct gs_answer *const a = begin(r, "phases", GS_PART_GPUS);
    struct gs_buf b = {.arena = r->context->arena};
    double active = 0, idle = 0, idle_j = 0, active_j = 0;
    uint64_t n = 0, of = 0;
    for (size_t i = 0; f != NULL && i < f->n_rows; i++) {
        if (i > 0 && i + 1 == f->n_rows && text_is(f, i, "gpu", "total"))
            continue;
        of++;
        if (!isfinite(cell(f, i, "active_s")))
            continue;
        n++;
        active += cell(f, i, "active_s");
        idle += cell(f, i, "idle_s");
        active_j += cell(f, i, "active_j");
        idle_j += cell(f, i, "idle_j");
    }
    if (!(active + idle > 0) || !(active_j + idle_j > 0))
        return;
    gs_buf_text(&b, "By their power ");
    gs_words_count(&b, n);
    gs_buf_text(&b, " of ");
    gs_words_counted(&b, of, "GPU");
    gs_buf_text(&b, " worked and waited in turn, idle for ");
    gs_say_number(&b, 100 * idle / (active + idle), 1);
    gs_buf_text(&b, " % of their time and ");
    gs_say_number(&b, 100 * idle_j / (active_j + idle_j), 1);
    gs_buf_text(&b, " % of their energy.");
    keep(a, "gpus_with_phases", (double)n);
    keep(a, "idle_time_pct", 100 * idle / (active + idle));
    keep(a, "idle_energy_pct", 100 * idle_j / (active_j + idle_j));
    end(r, a, &b);
}

enum gs_status gs_report_answer(struct gs_report *r, struct gs_err *err)
{
    answer_missing(r);
    answer_time(r);
    answer_energy(r);
    answer_phases(r);
    answer_populations(r);
    answer_relation(r);
    answer_stragglers(r);
    answer_tail(r);
    answer_data(r);
    answer_method(r);
    return r->answers_failed ? gs_fail_memory(err) : GS_OK;
}
