/* report_answer_gpus.c - the answer's sentences on the GPUs: populations, what goes along with slow tasks, slow and hot ones. */
#include <math.h>

#include "app/report/report_answer.h"
#include "data/result/number_text.h"
#include "data/result/worker_name.h"

/* "2 of 8 GPUs have idle and active phases, 1 was active all the time, 5 were idle all the time" */
static void write_phases(struct gs_buf *b, const uint64_t n[3], uint64_t of)
{
    static const char *const words[][2] = {
        {"has idle and active phases by its power", "have idle and active phases by their power"},
        {"was active all the time", "were active all the time"},
        {"was idle all the time", "were idle all the time"}};
    const char *between = "";
    for (size_t k = 0; k < 3; k++) {
        if (n[k] == 0)
            continue;
        gs_buf_text(b, between);
        if (of == 1)
            gs_buf_text(b, "It");
        else if (between[0] == '\0')
            gs_buf_format(b, "%s of %s", gs_count_text(b, n[k]), gs_counted_text(b, of, "GPU"));
        else
            gs_words_count(b, n[k]);
        gs_buf_format(b, " %s", gs_plural(n[k], words[k][0], words[k][1]));
        between = ", ";
    }
}

/* Without events: how much of the GPUs' time was active by their power or utilisation. */
void gs_answer_phases(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    enum { BOTH, ACTIVE, IDLE, N_STATES };
    const struct gs_frame *const f = gs_answer_table(r, GS_PART_GPUS, "power");
    double active = 0, idle = 0, idle_j = 0, active_j = 0;
    uint64_t n[N_STATES] = {0}, of = 0;
    for (size_t i = 0; f != NULL && i < f->n_rows; i++) {
        if (i > 0 && i + 1 == f->n_rows && gs_answer_text_is(f, i, GS_COL_GPU, "total"))
            continue;
        const double active_s = gs_cell_value(f, i, GS_COL_ACTIVE_S),
                     idle_s = gs_cell_value(f, i, GS_COL_IDLE_S);
        of++;
        if (!isfinite(active_s))
            continue;
        n[BOTH] += active_s > 0 && idle_s > 0;
        n[ACTIVE] += !(idle_s > 0);
        n[IDLE] += !(active_s > 0) && idle_s > 0;
        active += active_s;
        idle += idle_s;
        active_j += gs_cell_value(f, i, GS_COL_ACTIVE_J);
        idle_j += gs_cell_value(f, i, GS_COL_IDLE_J);
    }
    if (!(active + idle > 0) || !(active_j + idle_j > 0))
        return;
    const double time_pct = 100 * idle / (active + idle),
                 energy_pct = 100 * idle_j / (active_j + idle_j);
    const char *const whose = gs_plural(of, "the", "their");
    write_phases(b, n, of);
    if (active > 0 && idle > 0)
        gs_buf_format(b, ": idle for %s %% of %s time, with %s %% of %s energy",
                      gs_number_text(b, time_pct, 1), whose, gs_number_text(b, energy_pct, 1),
                      whose);
    gs_buf_char(b, '.');
    GS_ANSWER_STORE(a, {"gpus_with_phases", (double)(n[BOTH] + n[ACTIVE] + n[IDLE])},
                    {"idle_time_pct", time_pct}, {"idle_energy_pct", energy_pct});
}

/* The fastest population and the slowest by their median GPU, with their difference. */
void gs_answer_populations(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    const struct gs_frame *const f = gs_answer_table(r, GS_PART_CLUSTERS, "clusters");
    size_t fast = 0, slow = 0;
    if (f == NULL || f->n_rows < 2 || !gs_cell_extremes(f, GS_COL_TASK_MEDIAN_S, &fast, &slow) ||
        fast == slow)
        return;
    const double n_fast = gs_cell_value(f, fast, GS_COL_GPUS),
                 n_slow = gs_cell_value(f, slow, GS_COL_GPUS),
                 mean_fast = gs_cell_value(f, fast, GS_COL_TASK_MEAN_S),
                 mean_slow = gs_cell_value(f, slow, GS_COL_TASK_MEAN_S),
                 median_fast = gs_cell_value(f, fast, GS_COL_TASK_MEDIAN_S),
                 median_slow = gs_cell_value(f, slow, GS_COL_TASK_MEDIAN_S),
                 more = 100 * (median_slow / median_fast - 1);
    gs_buf_format(
        b, "There are %s of GPUs: %s take %s s a task, %s take %s s. The medians differ by %s %%",
        gs_counted_text(b, f->n_rows, "group"), gs_count_text(b, (uint64_t)n_fast),
        gs_number_text(b, median_fast, 2), gs_count_text(b, (uint64_t)n_slow),
        gs_number_text(b, median_slow, 2), gs_number_text(b, more, 1));
    const double watts =
        gs_cell_value(f, slow, GS_COL_POWER_MEAN_W) - gs_cell_value(f, fast, GS_COL_POWER_MEAN_W);
    if (isfinite(watts))
        gs_buf_format(b, "; the slower GPUs draw %s W %s", gs_number_text(b, fabs(watts), 1),
                      watts < 0 ? "less" : "more");
    gs_buf_char(b, '.');
    GS_ANSWER_STORE(a, {"populations", (double)f->n_rows},
                    {"task_difference_pct", 100 * (mean_slow / mean_fast - 1)},
                    {"fast_gpus", n_fast}, {"fast_task_s", mean_fast}, {"slow_gpus", n_slow},
                    {"slow_task_s", mean_slow}, {"fast_task_median_s", median_fast},
                    {"slow_task_median_s", median_slow}, {"task_median_difference_pct", more},
                    {"power_difference_w", watts});
}

/* What the GPUs were found to be: slow, judged at all, hot, with a temperature. */
struct verdicts {
    size_t n_slow, n_judged, n_hot, n_felt;
    size_t hot;   /* the first that is */
    size_t worst; /* of those that are slow; of all that were judged where none is */
    double cost_s;
};

#define FAR_PCT 10 /* slower than its population: worth a word where nothing is proved */

static struct verdicts count_verdicts(const struct gs_frame *f, int verdict)
{
    struct verdicts n = {0};
    for (size_t i = 0; i < f->n_rows; i++) {
        const struct gs_str v = f->columns[verdict].text[i];
        const bool slow = gs_str_begins(v, "slow");
        if (gs_str_ends(v, "hot") && n.n_hot++ == 0)
            n.hot = i;
        n.n_felt += isfinite(gs_cell_value(f, i, GS_COL_HOT_PCT)) != 0;
        const double slower = gs_cell_value(f, i, GS_COL_SLOWDOWN_PCT);
        const bool first = (slow && n.n_slow == 0) || n.n_judged == 0;
        n.n_judged += isfinite(slower) != 0;
        if (isfinite(slower) && (slow || n.n_slow == 0) &&
            (first || slower > gs_cell_value(f, n.worst, GS_COL_SLOWDOWN_PCT)))
            n.worst = i;
        if (!slow)
            continue;
        n.n_slow++;
        n.cost_s += gs_cell_value(f, i, GS_COL_COST_GPU_S);
    }
    return n;
}

void gs_answer_subject(struct gs_buf *b, const struct gs_frame *f, size_t row, size_t most)
{
    gs_write_brief(b, gs_worker_name(gs_frame_worker(f, row), b->arena), most);
}

/* A GPU may be far behind in too few tasks to tell. One that lies between two populations is not behind. */
static void write_unproved(struct gs_buf *b, const struct gs_frame *f, size_t row)
{
    if (!(gs_cell_value(f, row, GS_COL_SLOWDOWN_PCT) >= FAR_PCT) ||
        isfinite(gs_cell_value(f, row, GS_COL_SECOND_SLOWDOWN_PCT)))
        return;
    gs_buf_text(b, ", as far as can be told: ");
    gs_answer_subject(b, f, row, 64);
    gs_buf_format(b, " takes %s %% longer in %s, which may be chance (q = %s)",
                  gs_number_text(b, gs_cell_value(f, row, GS_COL_SLOWDOWN_PCT), 1),
                  gs_counted_text(b, (uint64_t)gs_cell_value(f, row, GS_COL_TASKS), "task"),
                  gs_number_text(b, gs_cell_value(f, row, GS_COL_Q_VALUE), 2));
}

static void write_slow(struct gs_buf *b, const struct gs_frame *f, const struct verdicts *n)
{
    if (n->n_slow == 0) {
        gs_buf_text(b, "No GPU is slow within its group");
        write_unproved(b, f, n->worst);
        return;
    }
    gs_words_counted(b, n->n_slow, "GPU");
    gs_buf_text(b, gs_plural(n->n_slow, " is slow within its group: ",
                             " are slow within their groups, the worst "));
    gs_answer_subject(b, f, n->worst, 64);
    gs_buf_format(b, ", %s %% slower%s %s GPU-seconds",
                  gs_number_text(b, gs_cell_value(f, n->worst, GS_COL_SLOWDOWN_PCT), 1),
                  gs_plural(n->n_slow, ", at a cost of", "; they cost"),
                  gs_number_text(b, n->cost_s, 0));
}

/* The slowest by its tasks goes before what is hot. */
static void head_slow(struct gs_report *r, const struct gs_frame *f, const struct verdicts *n)
{
    struct gs_buf name = {.arena = r->context->arena}, more = name, words = name;
    gs_answer_subject(&name, f, n->worst, 16);
    gs_buf_format(&more, "%s %% slower than its group",
                  gs_number_text(&more, gs_cell_value(f, n->worst, GS_COL_SLOWDOWN_PCT), 1));
    gs_buf_format(&words, "%s is %s.", gs_buf_str(&name).ptr, gs_buf_str(&more).ptr);
    r->failed |= name.failed || more.failed || words.failed;
    r->worst =
        (struct gs_report_card){"stragglers", "Slow GPU", gs_buf_str(&name), gs_buf_str(&more)};
    r->worst_words = gs_buf_str(&words);
}

/* Slow only where there are others to be slower than, hot only where a temperature was read. */
void gs_answer_stragglers(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    const struct gs_frame *const f = r->verdicts;
    if (f == NULL)
        return;
    const int verdict = gs_frame_column(f, GS_COL_VERDICT);
    if (verdict < 0)
        return;
    const struct verdicts n = count_verdicts(f, verdict);
    const bool judged = n.n_judged > 1;
    if (judged) {
        write_slow(b, f, &n);
        if (n.n_slow > 0)
            head_slow(r, f, &n);
        GS_ANSWER_STORE(a, {"slow_gpus", (double)n.n_slow}, {"cost_gpu_s", n.cost_s});
    }
    if (n.n_felt > 0) {
        gs_buf_text_if(b, judged, "; ");
        if (n.n_hot == 0)
            gs_buf_text(b, judged ? "none" : "No GPU");
        else if (n.n_hot == 1)
            gs_answer_subject(b, f, n.hot, 64);
        else
            gs_words_counted(b, n.n_hot, "GPU");
        gs_buf_format(b,
                      " ran at %d \xc2\xb0"
                      "C or more",
                      GS_REPORT_HOT_C);
        GS_ANSWER_STORE(a, {"hot_gpus", (double)n.n_hot});
    }
    gs_buf_text_if(b, b->len > 0, ".");
}

/* The metric whose correlation with task time owes most to the populations: one line through all of them misleads. */
void gs_answer_relation(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    const struct gs_frame *const f = gs_answer_table(r, GS_PART_GPUS, "correlate"),
                                 *const populations =
                                     gs_answer_table(r, GS_PART_CLUSTERS, "clusters");
    size_t most = SIZE_MAX;
    for (size_t i = 0; f != NULL && i < f->n_rows; i++) {
        const double lost = fabs(gs_cell_value(f, i, GS_COL_PEARSON_R)) -
                            fabs(gs_cell_value(f, i, GS_COL_R_WITHIN));
        if (lost > 0.1 &&
            (most == SIZE_MAX || lost > fabs(gs_cell_value(f, most, GS_COL_PEARSON_R)) -
                                            fabs(gs_cell_value(f, most, GS_COL_R_WITHIN))))
            most = i;
    }
    if (most == SIZE_MAX || populations == NULL || populations->n_rows < 2)
        return;
    gs_write_metric(b, gs_frame_cells(f, GS_COL_METRIC)->text[most], true);
    const double of_all = gs_cell_value(f, most, GS_COL_PEARSON_R),
                 within = gs_cell_value(f, most, GS_COL_R_WITHIN);
    gs_buf_format(b,
                  " correlates with task time by r = %s over all GPUs, by %s within the groups, "
                  "which differ in both.",
                  gs_number_text(b, of_all, 2), gs_number_text(b, within, 2));
    GS_ANSWER_STORE(a, {"r", of_all}, {"r_within", within});
}
