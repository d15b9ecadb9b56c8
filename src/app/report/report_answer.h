/* report_answer.h - what the sentences of the answer are made with. Private to the report. */
#pragma once

#include "app/report/report.h"

/* A table of a section by its stem; NULL where it is not there or has no row. */
const struct gs_frame *gs_answer_table(const struct gs_report *r, enum gs_report_part part,
                                       const char *stem);

/* Does the cell hold this text? */
bool gs_answer_text_is(const struct gs_frame *f, size_t row, enum gs_column_id column,
                       const char *text);

/* Is a finding of the checks what the answer begins with, that there are no samples? */
bool gs_answer_told_so(const struct gs_report *r, size_t finding);

/* The row whose texts in two columns are these (the second may be NULL); n_rows where there is none, 0 of no frame. */
size_t gs_answer_row(const struct gs_frame *f, enum gs_column_id column, const char *text,
                     enum gs_column_id other, const char *also);

/* A number of a section's table for the event that is a task; NaN where there is no such table, row or number. */
double gs_answer_of_task(const struct gs_report *r, enum gs_report_part part, const char *stem,
                         enum gs_column_id column);

/* The name in a cell. */
void gs_answer_name(struct gs_buf *b, const struct gs_frame *f, size_t row,
                    enum gs_column_id column);

/* The host of a row, and its GPU where the host has others, of at most so many characters each. */
void gs_answer_subject(struct gs_buf *b, const struct gs_frame *f, size_t row, size_t most);

/* Numbers that a sentence rests on; none where one is NaN. */
void gs_answer_store(struct gs_report_sentence *a, const struct gs_report_number *number, size_t n);
#define GS_ANSWER_STORE(a, ...)                                                                    \
    gs_answer_store(a, (const struct gs_report_number[]){__VA_ARGS__},                             \
                    sizeof((const struct gs_report_number[]){__VA_ARGS__}) /                       \
                        sizeof(struct gs_report_number))

/* Writes the text of a sentence, nothing where there is nothing to say, and stores its numbers. */
typedef void gs_answer_fn(struct gs_report *r, struct gs_report_sentence *a, struct gs_buf *b);

/* On the data and how they were read; of some kinds of run; on the GPUs. */
gs_answer_fn gs_answer_missing, gs_answer_against, gs_answer_data, gs_answer_method;
gs_answer_fn gs_answer_steps, gs_answer_events, gs_answer_jobs, gs_answer_trace, gs_answer_waste,
    gs_answer_waste_job;
gs_answer_fn gs_answer_gpu, gs_answer_phases, gs_answer_populations, gs_answer_relation,
    gs_answer_stragglers;

/* " (95 % interval 57.25 to 93.72 kWh)", in the unit of the energy; nothing where it is not known. */
void gs_answer_interval(struct gs_buf *b, struct gs_report_sentence *a, double joules, double low,
                        double high);

/* "22.65 EUR (PUE 1.30)": an amount of money in the currency of --price, with the --pue that is in it. */
void gs_answer_price(struct gs_buf *b, const struct gs_report *r, double cost);

/* ", at a cost of 22.65": where a price was given. */
void gs_answer_cost(struct gs_buf *b, struct gs_report_sentence *a, const struct gs_report *r,
                    double joules);

/* Of the table of jobs: what no job held, in per cent of the GPU time and of the energy. */
void gs_answer_free(const struct gs_report *r, double *time_pct, double *energy_pct);
