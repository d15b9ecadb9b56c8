/* report_answer_parts.c - see report_answer.h: what all sentences are made with. */
#include "app/report/report_answer.h"

#include <math.h>
#include <string.h>

#include "output/text/cells.h"
#include "output/text/si.h"

/* A table of a section by its stem; NULL where it is not there. */
const struct gs_frame *gs_answer_table(const struct gs_report *r, enum gs_report_part part,
                                       const char *stem)
{
    for (const struct gs_report_table *t = r->section[part].tables; t != NULL; t = t->next)
        if (strcmp(t->stem, stem) == 0 && t->frame->n_rows > 0)
            return t->frame;
    return NULL;
}

bool gs_answer_text_is(const struct gs_frame *f, size_t row, enum gs_column_id column,
                       const char *text)
{
    const int c = gs_frame_column(f, column);
    return c >= 0 && f->columns[c].spec->type == GS_TYPE_TEXT &&
           gs_str_eq(f->columns[c].text[row], gs_str(text));
}

/* The row whose texts in two columns are these; n_rows where there is none. */
size_t gs_answer_row(const struct gs_frame *f, enum gs_column_id column, const char *text,
                     enum gs_column_id other, const char *also)
{
    if (f == NULL)
        return 0;
    for (size_t i = 0; i < f->n_rows; i++)
        if (gs_answer_text_is(f, i, column, text) &&
            (other == GS_COL_NONE || gs_answer_text_is(f, i, other, also)))
            return i;
    return f->n_rows;
}

double gs_answer_of_task(const struct gs_report *r, enum gs_report_part part, const char *stem,
                         enum gs_column_id column)
{
    const struct gs_frame *const f = gs_answer_table(r, part, stem);
    const size_t row = gs_answer_row(f, GS_COL_EVENT, r->opts->run.event, GS_COL_NONE, NULL);
    return gs_cell_value(f, row, column);
}

void gs_answer_store(struct gs_report_sentence *a, const struct gs_report_number *number, size_t n)
{
    for (size_t i = 0; i < n && a->n_values < GS_SENTENCE_NUMBERS; i++)
        if (isfinite(number[i].value))
            a->value[a->n_values++] = number[i];
}

void gs_answer_name(struct gs_buf *b, const struct gs_frame *f, size_t row,
                    enum gs_column_id column)
{
    const int at = gs_frame_column(f, column);
    if (at < 0)
        return;
    const struct gs_str name = f->columns[at].text[row];
    gs_buf_bytes(b, name.ptr, name.len);
}

void gs_answer_price(struct gs_buf *b, const struct gs_report *r, double cost)
{
    const struct gs_rates *const rates = &r->context->rates;
    gs_write_number(b, cost, 2);
    gs_buf_text_if(b, rates->currency[0] != '\0', " ");
    gs_buf_text(b, rates->currency);
    if (rates->pue > 1)
        gs_buf_format(b, " (PUE %s)", gs_number_text(b, rates->pue, 2));
}

void gs_answer_interval(struct gs_buf *b, struct gs_report_sentence *a, double joules, double low,
                        double high)
{
    if (!isfinite(low) || !isfinite(high))
        return;
    const struct gs_si unit = gs_si_of("J", joules);
    gs_buf_text(b, " (95 % interval ");
    if (low > 0)
        gs_buf_four(b, low / unit.factor);
    else
        gs_buf_char(b, '0');
    gs_buf_text(b, " to ");
    gs_buf_four(b, high / unit.factor);
    gs_buf_format(b, " %s)", unit.unit);
    GS_ANSWER_STORE(a, {"energy_low_j", low}, {"energy_high_j", high});
}

/* Of energy, where its price and CO2 were given. */
void gs_answer_cost(struct gs_buf *b, struct gs_report_sentence *a, const struct gs_report *r,
                    double joules)
{
    const struct gs_rates *const rates = &r->context->rates;
    const double kwh = joules / 3.6e6 * rates->pue, cost = kwh * rates->price_per_kwh,
                 co2_g = kwh * rates->carbon_g_per_kwh;
    if (isfinite(cost)) {
        gs_buf_text(b, ", at a cost of ");
        gs_answer_price(b, r, cost);
        GS_ANSWER_STORE(a, {"cost", cost});
    }
    if (isfinite(co2_g)) {
        gs_buf_format(b, ", with %s kg of CO2",
                      gs_number_text(b, co2_g / 1000, co2_g < 1e5 ? 2 : 0));
        GS_ANSWER_STORE(a, {"co2_g", co2_g});
    }
}
