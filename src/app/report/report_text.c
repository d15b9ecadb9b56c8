/* report_text.c - sentences from numbers: what the figures of the study show. */
#include <math.h>
#include <string.h>

#include "output/text/cells.h"
#include "output/text/si.h"
#include "output/text/width.h"
#include "data/result/number_text.h"
#include "data/tables/metric.h"
#include "app/report/report.h"

enum gs_status gs_paragraph_end(struct gs_text *t, const struct gs_buf *b, bool warning,
                                struct gs_err *err)
{
    GS_TRY(gs_had_memory(!b->failed, err));
    if (b->len == 0)
        return GS_OK;
    GS_NEW(struct gs_paragraph, p, 1, b->arena, err);
    *p = (struct gs_paragraph){.text = gs_buf_str(b), .warning = warning};
    if (t->last == NULL)
        t->first = p;
    else
        t->last->next = p;
    t->last = p;
    return GS_OK;
}

void gs_write_brief(struct gs_buf *b, struct gs_str name, size_t columns)
{
    const size_t end = columns / 3;
    if (gs_text_width(name) <= columns) {
        gs_buf_escaped(b, name, 0);
        return;
    }
    gs_buf_escaped(b, gs_text_start(name, columns - end - 1), 0);
    gs_buf_text(b, "\xe2\x80\xa6");
    gs_buf_escaped(b, gs_text_end(name, end), 0);
}

/* Names of kernels are longer than a sentence. */
static void write_name(struct gs_buf *b, const struct gs_frame *f, size_t row, enum gs_column_id id)
{
    enum { LONGEST = 48 };
    const struct gs_column *const c = gs_frame_cells(f, id);
    if (c->spec->type == GS_TYPE_TEXT)
        gs_write_brief(b, c->text[row], LONGEST);
    else
        gs_cell_for_people(b, f, row, (size_t)(c - f->columns));
}

bool gs_cell_is_there(const struct gs_frame *f, size_t row, enum gs_column_id id)
{
    const int column = gs_frame_column(f, id);
    return column >= 0 && !gs_frame_is_missing(f, row, (size_t)column);
}

void gs_write_cell(struct gs_buf *b, const struct gs_frame *f, size_t row, enum gs_column_id id)
{
    const struct gs_column *const c = gs_frame_cells(f, id);
    const struct gs_column_spec *const spec = c->spec;
    const bool is_there = gs_cell_is_there(f, row, id);
    if (spec->type == GS_TYPE_REAL && is_there &&
        gs_unit_takes_four(spec->unit, gs_si_of(spec->unit, c->real[row]).factor)) {
        gs_buf_si(b, c->real[row], spec->unit, spec->decimals);
        return;
    }
    gs_cell_for_people(b, f, row, (size_t)(c - f->columns));
    if (spec->unit != NULL && spec->unit[0] != '\0' && is_there) {
        const bool rate = strcmp(spec->unit, "1/s") == 0;
        gs_buf_format(b, " %s", rate ? "a second" : spec->unit);
    }
}

void gs_write_number(struct gs_buf *b, double value, int decimals)
{
    if (isnan(value))
        gs_buf_char(b, '-');
    else
        gs_real_for_people(b, value, decimals);
}

const char *gs_number_text(struct gs_buf *b, double value, int decimals)
{
    struct gs_buf text = {.arena = b->arena};
    gs_write_number(&text, value, decimals);
    return gs_buf_piece(b, &text);
}

const char *gs_joules_text(struct gs_buf *b, double joules)
{
    struct gs_buf text = {.arena = b->arena};
    gs_buf_si(&text, joules, "J", 0);
    return gs_buf_piece(b, &text);
}

const char *gs_cell_text(struct gs_buf *b, const struct gs_frame *f, size_t row,
                         enum gs_column_id id)
{
    struct gs_buf text = {.arena = b->arena};
    gs_write_cell(&text, f, row, id);
    return gs_buf_piece(b, &text);
}

static const char *name_text(struct gs_buf *b, const struct gs_frame *f, size_t row,
                             enum gs_column_id id)
{
    struct gs_buf text = {.arena = b->arena};
    write_name(&text, f, row, id);
    return gs_buf_piece(b, &text);
}

double gs_cell_value(const struct gs_frame *f, size_t row, enum gs_column_id id)
{
    if (f == NULL || row >= f->n_rows || !gs_cell_is_there(f, row, id))
        return (double)NAN;
    const struct gs_column *const c = gs_frame_cells(f, id);
    if (c->spec->type == GS_TYPE_REAL)
        return c->real[row];
    if (c->spec->type == GS_TYPE_TEXT)
        return (double)NAN;
    return (double)c->integer[row];
}

bool gs_cell_extremes(const struct gs_frame *f, enum gs_column_id id, size_t *least,
                      size_t *greatest)
{
    bool any = false;
    for (size_t r = 0; r < f->n_rows; r++) {
        const double v = gs_cell_value(f, r, id);
        if (isnan(v))
            continue;
        if (!any || v < gs_cell_value(f, *least, id))
            *least = r;
        if (!any || v > gs_cell_value(f, *greatest, id))
            *greatest = r;
        any = true;
    }
    return any;
}

/* "3.6", "2,030", "11 million": three digits are enough to compare by. */
static const char *factor_text(struct gs_buf *b, double factor)
{
    struct gs_buf text = {.arena = b->arena};
    const double unit = pow(10, floor(log10(factor)) - 2);
    if (factor >= 1e6)
        gs_buf_format(&text, "%s million", gs_number_text(&text, factor / 1e6, factor < 1e7));
    else
        gs_write_number(&text, unit * nearbyint(factor / unit), factor < 100);
    return gs_buf_piece(b, &text);
}

/* ", 16.8 % less", or by a factor where per cent would not be read; of degrees only the difference means something. */
static void write_difference(struct gs_buf *b, const struct gs_column_spec *spec, double more,
                             double less)
{
    static const char degree[] = "\xc2\xb0";
    if (spec->unit != NULL && strncmp(spec->unit, degree, sizeof degree - 1) == 0)
        gs_buf_format(b, ", %s %s less", gs_number_text(b, more - less, spec->decimals),
                      spec->unit);
    else if (less > 0 && more / less < 3)
        gs_buf_format(b, ", %s %% less", gs_number_text(b, 100 * (1 - less / more), 1));
    else if (less > 0)
        gs_buf_format(b, ", less by a factor of %s", factor_text(b, more / less));
}

void gs_write_range(struct gs_buf *b, const struct gs_frame *f, enum gs_column_id name,
                    enum gs_column_id id, struct gs_range_words words)
{
    size_t lo = 0, hi = 0;
    if (!gs_cell_extremes(f, id, &lo, &hi))
        return;
    gs_buf_text_if(b, b->len > 0, " ");
    write_name(b, f, hi, name);
    if (f->n_rows == 1)
        gs_buf_format(b, " %s ", words.only);
    else
        gs_buf_format(b, " %s, ", words.most);
    gs_write_cell(b, f, hi, id);
    const double v_lo = gs_cell_value(f, lo, id), v_hi = gs_cell_value(f, hi, id);
    if (v_lo < v_hi) {
        gs_buf_format(b, "; %s %s, %s", name_text(b, f, lo, name), words.least,
                      gs_cell_text(b, f, lo, id));
        write_difference(b, gs_frame_cells(f, id)->spec, v_hi, v_lo);
    }
    gs_buf_char(b, '.');
}

/* "Each ran 66,040 times." or how they differ. */
static void write_counts(struct gs_buf *b, const struct gs_frame *f)
{
    size_t lo = 0, hi = 0;
    if (!gs_cell_extremes(f, GS_COL_N, &lo, &hi))
        return;
    gs_buf_text_if(b, b->len > 0, " ");
    if (gs_cell_value(f, lo, GS_COL_N) >= gs_cell_value(f, hi, GS_COL_N)) {
        gs_buf_format(b, "%s ran %s time%s.", gs_plural(f->n_rows, "It", "Each"),
                      gs_cell_text(b, f, lo, GS_COL_N),
                      gs_cell_value(f, lo, GS_COL_N) > 1 ? "s" : "");
    } else {
        gs_buf_format(b, "Counts: from %s of %s to %s of %s.", gs_cell_text(b, f, lo, GS_COL_N),
                      name_text(b, f, lo, GS_COL_EVENT), gs_cell_text(b, f, hi, GS_COL_N),
                      name_text(b, f, hi, GS_COL_EVENT));
    }
    if (f->n_rows > 1 && gs_cell_value(f, lo, GS_COL_N) < GS_BAR_FEW)
        gs_buf_format(b, " Outlined bars have fewer than %d events.", GS_BAR_FEW);
}

/* How the readings came about decides what they mean. */
static void write_join(struct gs_buf *b, const struct gs_report *r, const struct gs_frame *f)
{
    size_t lo = 0, hi = 0;
    if (r->join.join == GS_JOIN_WINDOW) {
        gs_buf_text(b, " Readings are the means of all samples inside each event.");
        return;
    }
    const char *where = "first after";
    if (r->join.join == GS_JOIN_NEAREST)
        where = "nearest to";
    else if (r->join.join == GS_JOIN_BACKWARD)
        where = "last before";
    gs_buf_format(b, " Readings are the samples %s the two ends of each event", where);
    if (gs_cell_extremes(f, GS_COL_GPU_UTIL_MEAN_PCT, &lo, &hi))
        gs_buf_format(b, ", where the GPUs are on average %s busy at most",
                      gs_cell_text(b, f, hi, GS_COL_GPU_UTIL_MEAN_PCT));
    gs_buf_text(b, ". What this hides is shown below.");
}

/* One event is no average. */
static bool is_single(const struct gs_frame *f)
{
    return f->n_rows == 1 && !(gs_cell_value(f, 0, GS_COL_N) > 1);
}

void gs_write_events(struct gs_buf *b, const struct gs_report *r, const struct gs_frame *f)
{
    struct gs_range_words power = {"draws on average", "draws most power on average",
                                   "draws least"},
                          temp = {"is on average at", "is the warmest", "is the coolest"};
    if (is_single(f)) {
        power.only = "draws";
        temp.only = "is at";
    }
    gs_write_range(b, f, GS_COL_EVENT, GS_COL_POWER_MEAN_W, power);
    gs_write_range(b, f, GS_COL_EVENT, GS_COL_TEMP_MEAN_C, temp);
    write_counts(b, f);
    if (b->len > 0)
        write_join(b, r, f);
}

void gs_write_durations(struct gs_buf *b, const struct gs_frame *f)
{
    const char *const only = is_single(f) ? "takes" : "takes on average";
    size_t lo = 0, hi = 0;
    gs_write_range(b, f, GS_COL_EVENT, GS_COL_DURATION_MEAN_MS,
                   (struct gs_range_words){only, "takes longest on average", "is the shortest"});
    if (!gs_cell_extremes(f, GS_COL_DURATION_MEAN_MS, &lo, &hi) ||
        !(gs_cell_value(f, hi, GS_COL_N) > 2) ||
        strcmp(gs_cell_text(b, f, hi, GS_COL_DURATION_P50_MS),
               gs_cell_text(b, f, hi, GS_COL_DURATION_MAX_MS)) == 0)
        return;
    gs_buf_format(b, " Half of %s is done within %s", name_text(b, f, hi, GS_COL_EVENT),
                  gs_cell_text(b, f, hi, GS_COL_DURATION_P50_MS));
    if (gs_cell_value(f, hi, GS_COL_N) >= 100)
        gs_buf_format(b, ", 99 in 100 within %s", gs_cell_text(b, f, hi, GS_COL_DURATION_P99_MS));
    gs_buf_format(b, ", all within %s.", gs_cell_text(b, f, hi, GS_COL_DURATION_MAX_MS));
}

/* "Level 4 has a single record, level 8 258, level 12 65,781." */
static void write_records(struct gs_buf *b, const struct gs_frame *f)
{
    bool single = false;
    for (size_t r = 0; r < f->n_rows && r < 8; r++) {
        const bool one = !(gs_cell_value(f, r, GS_COL_N) > 1);
        gs_buf_text_if(b, r > 0, ", ");
        if (!gs_cell_is_there(f, r, GS_COL_LEVEL)) {
            gs_buf_text(b, "no level");
        } else {
            gs_buf_text(b, r == 0 ? "Level " : "level ");
            write_name(b, f, r, GS_COL_LEVEL);
        }
        gs_buf_text_if(b, r == 0, " has");
        gs_buf_char(b, ' ');
        if (one)
            gs_buf_text(b, "a single record");
        else
            write_name(b, f, r, GS_COL_N);
        if (!one && r == 0)
            gs_buf_text(b, " records");
        single |= one;
    }
    if (f->n_rows > 8)
        gs_buf_text(b, ", ...");
    else if (f->n_rows > 0)
        gs_buf_char(b, '.');
    if (single)
        gs_buf_text(b, " A bar of a single record is that record, not an average of its level.");
}

void gs_write_levels(struct gs_buf *b, const struct gs_frame *f)
{
    size_t lo = 0, hi = 0;
    write_records(b, f);
    if (gs_cell_extremes(f, GS_COL_POWER_MEAN_W, &lo, &hi) && lo != hi)
        gs_buf_format(
            b, " Power goes from %s at level %s to %s at level %s",
            gs_cell_text(b, f, lo, GS_COL_POWER_MEAN_W), gs_cell_text(b, f, lo, GS_COL_LEVEL),
            gs_cell_text(b, f, hi, GS_COL_POWER_MEAN_W), gs_cell_text(b, f, hi, GS_COL_LEVEL));
    if (gs_cell_extremes(f, GS_COL_TEMP_MEAN_C, &lo, &hi) && lo != hi)
        gs_buf_format(b, ", temperature from %s to %s.", gs_cell_text(b, f, lo, GS_COL_TEMP_MEAN_C),
                      gs_cell_text(b, f, hi, GS_COL_TEMP_MEAN_C));
}

void gs_write_level_durations(struct gs_buf *b, const struct gs_frame *f, const char *event)
{
    const enum gs_column_id mean = GS_COL_DURATION_MEAN_MS;
    size_t lo = 0, hi = 0;
    if (!gs_cell_extremes(f, mean, &lo, &hi))
        return;
    gs_buf_format(b, "%s takes longest at level %s, %s", event,
                  gs_cell_text(b, f, hi, GS_COL_LEVEL), gs_cell_text(b, f, hi, mean));
    if (lo != hi) {
        gs_buf_format(b, " on average, and is shortest at level %s, %s",
                      gs_cell_text(b, f, lo, GS_COL_LEVEL), gs_cell_text(b, f, lo, mean));
        write_difference(b, gs_frame_cells(f, mean)->spec, gs_cell_value(f, hi, mean),
                         gs_cell_value(f, lo, mean));
    }
    gs_buf_char(b, '.');
}

/* Words in wide use for the size of r. Source: D. E. Hinkle and others, Applied Statistics, 2003. */
static const char *strength_of(double r)
{
    const double a = fabs(r);
    if (a >= 0.9)
        return "very strong";
    if (a >= 0.7)
        return "strong";
    if (a >= 0.5)
        return "moderate";
    if (a >= 0.3)
        return "weak";
    return "very weak";
}

const char *gs_write_metric(struct gs_buf *b, struct gs_str name, bool begins_sentence)
{
    const struct gs_metric *const m = gs_metric_find(name);
    if (m == NULL) {
        gs_buf_bytes(b, name.ptr, name.len);
        return "unit";
    }
    if (gs_or_empty(m->words)[0] == '\0')
        gs_buf_bytes(b, name.ptr, name.len);
    else if (begins_sentence)
        gs_buf_capital(b, m->words);
    else
        gs_buf_text(b, m->words);
    return m->unit;
}

static const char *less_or_more(double slope)
{
    return slope < 0 ? "less" : "more";
}

/* What is left of it inside the populations, where there are several. */
static void write_within(struct gs_buf *b, const struct gs_frame *f, size_t row, double r,
                         const char *unit)
{
    const double within = gs_cell_value(f, row, GS_COL_R_WITHIN),
                 slope = gs_cell_value(f, row, GS_COL_SLOPE_WITHIN);
    if (isnan(within) || fabs(within - r) < 1e-6)
        return;
    gs_buf_format(b, " Within the groups of GPUs r is %s, and 1 %s more goes with %s s %s.",
                  gs_number_text(b, within, 3), unit, gs_number_text(b, fabs(slope), 3),
                  less_or_more(slope));
}

void gs_write_correlation(struct gs_buf *b, const struct gs_frame *f, size_t row, double level)
{
    const double r = gs_cell_value(f, row, GS_COL_PEARSON_R),
                 low = gs_cell_value(f, row, GS_COL_PEARSON_CI_LOW),
                 high = gs_cell_value(f, row, GS_COL_PEARSON_CI_HIGH);
    const double slope = gs_cell_value(f, row, GS_COL_SLOPE);
    const char *const unit = gs_write_metric(b, f->columns[0].text[row], true);
    if (gs_cell_value(f, row, GS_COL_N) < 3) { /* two points are always on a line */
        gs_buf_text(b,
                    " and task time: fewer than three GPUs have both, too few for a correlation.");
        return;
    }
    if (isnan(r)) {
        gs_buf_text(
            b, " and task time: no correlation is defined, because one of the two is constant.");
        return;
    }
    gs_buf_format(b, " and task time: a %s %s correlation, r = %s (", strength_of(r),
                  r < 0 ? "negative" : "positive", gs_number_text(b, r, 3));
    if (!isnan(low))
        gs_buf_format(b, "%s %% interval %s to %s, ", gs_number_text(b, 100 * level, 0),
                      gs_number_text(b, low, 3), gs_number_text(b, high, 3));
    gs_buf_format(b, "n = %s)", gs_cell_text(b, f, row, GS_COL_N));
    if (low < 0 && high > 0)
        gs_buf_text(b, ". The interval holds 0, so this may be chance");
    const double rho = gs_cell_value(f, row, GS_COL_SPEARMAN_RHO);
    if (fabs(rho) < fabs(r) / 2)
        gs_buf_format(b, ". Their ranks correlate by %s only: a few GPUs cause it",
                      gs_number_text(b, rho, 2));
    const double explained = 100 * gs_cell_value(f, row, GS_COL_R_SQUARED);
    gs_buf_format(b, ". 1 %s more goes with %s s %s; the line explains %s %% of the variance.",
                  unit, gs_number_text(b, fabs(slope), 3), less_or_more(slope),
                  gs_number_text(b, explained, 0));
    write_within(b, f, row, r, unit);
}
