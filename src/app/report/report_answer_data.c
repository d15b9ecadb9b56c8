/* report_answer_data.c - the answer's sentences on the data: what is missing, what is wrong, what the method hides. */
#include <math.h>

#include "app/report/report_answer.h"

#define FEW 0.05 /* of the pairs with a sample inside: of fewer nothing is said of the others */
#define DELAYED                                                                                    \
    0.1 /* of the power: what an event drew by its energy differs by more                */

/* What the run is without, and what that leaves out. */
void gs_answer_missing(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    (void)a;
    if (!gs_report_has(r, GS_TABLE_CHECKPOINTS))
        gs_buf_format(b,
                      "There are no events: only the %ss are described, not what they worked on.",
                      gs_report_device(r));
    else if (!gs_report_has(r, GS_TABLE_SAMPLES))
        gs_buf_text(
            b, "There are no samples: only times are described, not power, energy or utilisation.");
}

bool gs_answer_told_so(const struct gs_report *r, size_t finding)
{
    return !gs_report_has(r, GS_TABLE_SAMPLES) &&
           gs_answer_text_is(r->check, finding, GS_COL_ID, "hosts-without-samples");
}

/* What changed against the other run. */
void gs_answer_against(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    (void)a;
    gs_buf_text(b, gs_or_empty(r->against));
}

/* The first findings with their counts, and how many tasks count twice. */
void gs_answer_data(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    enum { NAMED = 4 };
    const struct gs_frame *const f = r->check;
    const struct gs_frame *const jobs = gs_answer_table(r, GS_PART_SCHEDULE, "schedule");
    const int severity = gs_frame_column(f, GS_COL_SEVERITY),
              finding = gs_frame_column(f, GS_COL_FINDING), hint = gs_frame_column(f, GS_COL_HINT);
    size_t n = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        const struct gs_str s = f->columns[severity].text[i];
        if (!gs_str_eq(s, gs_str("error")) && !gs_str_eq(s, gs_str("warning")))
            continue;
        if (gs_answer_told_so(r, i))
            continue;
        if (n++ >= NAMED)
            continue;
        if (n == 1)
            gs_buf_text(b, "Wrong with the data: ");
        else
            gs_buf_text(b, ", ");
        gs_write_finding(b, (uint64_t)gs_cell_value(f, i, GS_COL_COUNT),
                         f->columns[finding].text[i]);
        gs_write_hosts(b, f->columns[hint].text[i]);
    }
    if (n > NAMED)
        gs_buf_format(b, " and %zu more", n - NAMED);
    double twice = 0; /* the tasks of the study's own figures; the schedule counts each once */
    if (jobs != NULL)
        twice = gs_answer_of_task(r, GS_PART_EVENTS, "events", GS_COL_N) -
                gs_cell_value(jobs, jobs->n_rows - 1, GS_COL_TASKS);
    if (n > 0 && twice > 0 && r->data.duplicates == GS_DUPLICATES_KEEP) {
        gs_buf_format(b, ". The study's own figures count %s twice",
                      gs_counted_text(b, (uint64_t)twice, "task"));
        GS_ANSWER_STORE(a, {"pairs_twice", twice});
    }
    if (n == 0)
        gs_buf_text(b, r->n_warnings > 0 ? "The checks found no fault"
                                         : "Nothing wrong was found in the data");
    if (r->n_warnings > 0)
        gs_buf_format(b, ". %s how the data were read",
                      gs_plural(r->n_warnings, "A warning explains", "Warnings explain"));
    gs_buf_char(b, '.');
    GS_ANSWER_STORE(a, {"findings", (double)n});
}

/* What the sensor saw of it came later than it ran: its energy, moved by that delay, is another. */
static void write_energy(struct gs_buf *b, struct gs_report_sentence *a, const struct gs_report *r,
                         double inside)
{
    const double power = gs_answer_of_task(r, GS_PART_BIAS, "events-window", GS_COL_POWER_TIME_W);
    if (!(fabs(power / inside - 1) > DELAYED))
        return;
    gs_buf_format(b, " By its energy, with the delay of the sensor taken out, it drew %s W.",
                  gs_number_text(b, power, 1));
    GS_ANSWER_STORE(a, {"power_by_energy_w", power});
}

/* What the two ends of a task say of its power, against all samples inside, of the tasks that have both. */
void gs_answer_method(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b)
{
    const struct gs_frame *const f = gs_answer_table(r, GS_PART_BIAS, "bias");
    const size_t task = gs_answer_row(f, GS_COL_EVENT, r->opts->run.event, GS_COL_NONE, NULL);
    const double n = gs_cell_value(f, task, GS_COL_N),
                 sampled = gs_cell_value(f, task, GS_COL_N_SAMPLED),
                 inside = gs_cell_value(f, task, GS_COL_POWER_WINDOW_W),
                 ends = inside + gs_cell_value(f, task, GS_COL_POWER_BIAS_W);
    if (!(inside > 0) || !isfinite(ends) || sampled < FEW * n)
        return;
    const double hidden = 100 * (1 - ends / inside);
    gs_buf_text(b, "Read only at its two ends, the study's method, ");
    gs_answer_name(b, f, task, GS_COL_EVENT);
    gs_buf_format(b, " seems to draw %s W. The samples inside average %s W: ",
                  gs_number_text(b, ends, 1), gs_number_text(b, inside, 1));
    if (fabs(hidden) < 1)
        gs_buf_text(b, "here the two agree within 1 %");
    else
        gs_buf_format(b, "the method %s %s %% of its power", hidden > 0 ? "hides" : "adds",
                      gs_number_text(b, fabs(hidden), 0));
    if (sampled < n)
        gs_buf_format(b, ", in the %s of %s that hold a sample",
                      gs_count_text(b, (uint64_t)sampled), gs_count_text(b, (uint64_t)n));
    gs_buf_char(b, '.');
    GS_ANSWER_STORE(a, {"power_ends_w", ends}, {"power_inside_w", inside}, {"hidden_pct", hidden});
    write_energy(b, a, r, inside);
}
