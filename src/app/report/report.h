/* report.h - private to the report: its sections, what they are drawn from, and how they become files. */
#pragma once

#include "analysis/run_kind/kind.h"
#include "app/options/dataset_opts.h"
#include "base/os/cleanup.h"
#include "data/result/number_text.h"
#include "data/result/plot.h"

struct gs_report_opts {
    struct gs_run_opts run;
    const char *against; /* another run, NULL: none         */
    const char *note;    /* shown at the top, NULL: nothing   */
    int kind;            /* enum gs_kind; negative: found by the events */
    bool png;            /* each figure as .png, too          */
    bool all;            /* every row of every table          */
};

/* A paragraph under a figure or section: plain text that may hold names from the data, escaped by each writer. */
struct gs_paragraph {
    struct gs_paragraph *next;
    struct gs_str text;
    /* y of the panel that it is about; none: the figure; GS_N_COLUMNS: no panel */
    enum gs_column_id column;
    bool warning; /* a finding of `check` */
};

struct gs_text {
    struct gs_paragraph *first, *last;
};

/* A figure: stem.svg, stem.gp, stem.csv and, where asked for, stem.png. */
struct gs_report_figure {
    struct gs_report_figure *next;
    const struct gs_plot *plot;
    const struct gs_frame *frame; /* that it draws                          */
    bool log_scale, folded;       /* folded: behind a click on the page */
    struct gs_text text;
    struct gs_str svg, png, script; /* set by gs_report_draw, and             */
    struct gs_str *panel;           /* [plot->n_panels] alone, so that they can wrap: SVG, light */
};

/* A table: stem.csv. */
struct gs_report_table {
    struct gs_report_table *next;
    const char *stem;
    struct gs_frame *frame;
    bool folded;
};

struct gs_report_section {
    const char *id, *title;
    struct gs_text text;
    struct gs_report_figure *figures;
    struct gs_report_table *tables;
    const char *missing; /* why there is nothing; NULL: there is something */
    bool lacks; /* a table that the run has not: the documents name such sections together */
};

/* clang-format off */
enum gs_report_part {
    GS_PART_EVENTS, GS_PART_ZOOM, GS_PART_GPUS, GS_PART_CHECK, GS_PART_BIAS, GS_PART_BALANCE, GS_PART_TIMELINE,
    GS_PART_SCHEDULE, GS_PART_TILES, GS_PART_CLUSTERS, GS_PART_STRAGGLERS, GS_PART_JOBS, GS_PART_AGAINST, GS_N_PARTS,
};
/* clang-format on */

/* One sentence of the answer, and the numbers in it for report.json. */
struct gs_report_number {
    const char *name; /* with its unit, as columns have it */
    double value;
};

enum { GS_SENTENCE_NUMBERS = 12, GS_REPORT_HOT_C = 80 };

struct gs_report_sentence {
    const char *id, *section; /* a lasting name; the section that it comes from */
    const char *table;        /* that has a row on it, NULL: none; the row counts from 1 */
    size_t row;
    struct gs_str text;
    struct gs_report_number value[GS_SENTENCE_NUMBERS];
    size_t n_values;
};

/* A large figure at the top of the page: what it is, its value, what goes with it. */
struct gs_report_card {
    const char *section, *label;
    struct gs_str value, more;
};

struct gs_report;
typedef enum gs_status gs_report_fill_fn(struct gs_report *r, struct gs_report_section *s,
                                         struct gs_err *err);

struct gs_report {
    const struct gs_report_opts *opts;
    const struct gs_context *context;
    struct gs_dataset data;
    struct gs_join_options join;
    struct gs_kind_found kind_found;
    enum gs_kind kind;     /* which sections and sentences mean something        */
    const char *kind_why;  /* a sentence: what kind of run it is, and why it is read as one */
    int64_t interval_ns;   /* median between samples, GS_MISSING: not known */
    struct gs_frames *out; /* all that was computed; its notes are not all printed      */
    struct gs_report_visit *visit; /* what was gathered from the hosts, report_folds.h      */
    struct gs_frame *summary, *check;
    struct gs_str summary_words;     /* the same for people */
    size_t n_warnings;               /* of how the data were read, beside the findings of `check` */
    const struct gs_frame *energy;   /* of the parts of the run; NULL: not known */
    const struct gs_frame *verdicts; /* on the GPUs, slow or not; NULL: not known */
    const char *against;             /* a sentence on the other run; NULL: there is none */
    const struct gs_frame *allocations; /* each job where `jobs` are users; NULL: none */
    const struct gs_frame *jobs;        /* by user, or each; NULL: there are none    */
    struct gs_report_section section[GS_N_PARTS];
    struct gs_frame *inputs, *options, *columns; /* provenance: files, options, definitions */
    const char *title; /* the run's name: --title, else its directory's               */
    struct gs_report_sentence *answer; /* [n_answers], of one writer each */
    size_t n_answers;
    struct gs_str verdict;       /* the answer in one line */
    struct gs_report_card worst; /* the GPU or user to look at first; section NULL: not known */
    struct gs_str worst_words;   /* the same as a sentence of the verdict                     */
    struct gs_str compared;      /* what an event takes each time: of several, or of a token  */
    /* memory ran out while figures or answers were written: looked at once, behind them */
    bool failed;
    struct gs_report_figure lost; /* one for which there was no memory */
};

/* --- report_sections.c, report_run.c: what is in it --- */

/*
 * Computes every section from one loaded data set. An analysis that the data do not allow (too few GPUs, no such
 * event) leaves its section with the reason; only what makes any report wrong is an error.
 */
enum gs_status gs_report_compute(struct gs_report *r, struct gs_err *err);

/* The answer, from the sections that are there: sentences of numbers that are in their tables. */
enum gs_status gs_report_answer(struct gs_report *r, struct gs_err *err);

/* What is known of slow GPUs: a paragraph for each that is not ok, and the worst for the head. */
enum gs_status gs_report_slow(struct gs_report *r, struct gs_report_section *s, struct gs_err *err);

/* What draws the power, in the singular: "GPU", or "metered node" where all readings are a power analyser's. */
const char *gs_report_device(const struct gs_report *r);

/* Says under the energies what their sensors are like, and where that is known from. */
enum gs_status gs_report_sensors(struct gs_report *r, struct gs_err *err);

/* --- report_without.c: runs that are not whole --- */

/* Are there events, samples, a table of tasks? */
/* Jobs of a scheduler, with or without other events inside. */
bool gs_report_is_of_jobs(const struct gs_report *r);

/* Steps of a training, or requests, which may overlap. */
bool gs_report_is_of_steps(const struct gs_report *r);

bool gs_report_has(const struct gs_report *r, enum gs_table_kind kind);

/* Why a section has nothing to say of such a run; NULL: it has. */
const char *gs_report_missing(const struct gs_report *r, enum gs_report_part part);

/* Is this the first of the sections that are not there for one reason? */
bool gs_report_missing_first(const struct gs_report *r, int part);

/* Without events: each GPU's power and energy, the phases in which it worked and waited. */
gs_report_fill_fn gs_report_power;

/* A count or length of the summary; NaN where it is not there. */
double gs_report_quantity(const struct gs_report *r, const char *name);

/* One section each: frames, figures and text. */
gs_report_fill_fn gs_report_bias, gs_report_balance, gs_report_timeline, gs_report_schedule,
    gs_report_tiles, gs_report_clusters, gs_report_stragglers, gs_report_jobs, gs_report_against;

/*
 * Puts a figure of `f` (or of what the plot draws instead) into the section, with a paragraph of these words, of the
 * plot's caption where they are NULL. Never NULL: without memory, which r->failed says, it is one that nobody sees.
 */
struct gs_report_figure *gs_report_add_figure(struct gs_report *r, struct gs_report_section *s,
                                              const struct gs_plot *plot, const struct gs_frame *f,
                                              const struct gs_buf *words);

/* Leaves out panels of which no row has a value, and figures without any other. */
enum gs_status gs_report_drop_empty(struct gs_report *r, struct gs_err *err);
enum gs_status gs_report_add_table(struct gs_report *r, struct gs_report_section *s,
                                   const char *stem, struct gs_frame *f, struct gs_err *err);

/* The last figure and the last table of the section fold away. */
void gs_report_fold_last(struct gs_report_section *s);

/* A copy of the first figure of `plot` that draws `of` and has this name. */
struct gs_plot *gs_report_plot(struct gs_report *r, const struct gs_plot *plot,
                               const struct gs_frame *of, const char *name, const char *title);

/* --- report_text.c: words and numbers --- */

/* Starts a paragraph; what is appended to `b` until gs_paragraph_end belongs to it. An empty one is dropped. */
enum gs_status gs_paragraph_end(struct gs_text *t, const struct gs_buf *b, bool warning,
                                struct gs_err *err);

/* A name that takes at most so many columns, its middle left out where it is longer. */
void gs_write_brief(struct gs_buf *b, struct gs_str name, size_t columns);

/* "44.03 W": a cell as people read it with its unit. */
void gs_write_cell(struct gs_buf *b, const struct gs_frame *f, size_t row, enum gs_column_id id);
void gs_write_number(struct gs_buf *b, double value, int decimals);

/*
 * Numbers and cells as text for the template of a sentence, gs_buf_format(b, "%s of %s are idle.", ...): in b's arena,
 * "" where memory ran out, which b->failed says.
 */
const char *gs_number_text(struct gs_buf *b, double value, int decimals);
const char *gs_joules_text(struct gs_buf *b, double joules); /* "73.5 kWh" */
const char *gs_cell_text(struct gs_buf *b, const struct gs_frame *f, size_t row,
                         enum gs_column_id id);
/* "memory utilisation" of mem_util_pct; its own name where it is not known. Answers its unit. */
const char *gs_write_metric(struct gs_buf *b, struct gs_str name, bool begins_sentence);

/* Has the frame this column, and the row something in it? */
bool gs_cell_is_there(const struct gs_frame *f, size_t row, enum gs_column_id id);

/* The number in a cell; NaN where there is none, no such column or no frame. */
double gs_cell_value(const struct gs_frame *f, size_t row, enum gs_column_id id);

/* The rows with the least and the greatest number of a column; false where fewer than one row has one. */
bool gs_cell_extremes(const struct gs_frame *f, enum gs_column_id id, size_t *least,
                      size_t *greatest);

/* "x draws most, 44.03 W; y draws least, 36.63 W, 20.2 % less."; of one row "x draws 44.03 W." */
struct gs_range_words {
    const char *only, *most, *least; /* "draws", "draws most", "draws least" */
};
void gs_write_range(struct gs_buf *b, const struct gs_frame *f, enum gs_column_id name,
                    enum gs_column_id id, struct gs_range_words words);

/* "2,470 duplicate event rows", "1 duplicate event row". */
void gs_write_finding(struct gs_buf *b, uint64_t count, struct gs_str finding);

/* Of a finding's hint "...; on 4 of 1024 hosts: a, b" the " on 4 of 1,024 hosts". */
void gs_write_hosts(struct gs_buf *b, struct gs_str hint);

/* Text of the study's figures. */
void gs_write_events(struct gs_buf *b, const struct gs_report *r, const struct gs_frame *f);
void gs_write_durations(struct gs_buf *b, const struct gs_frame *f);
void gs_write_levels(struct gs_buf *b, const struct gs_frame *f);
void gs_write_level_durations(struct gs_buf *b, const struct gs_frame *f, const char *event);
void gs_write_correlation(struct gs_buf *b, const struct gs_frame *correlate, size_t row,
                          double level);

/* --- report_draw.c: pictures --- */

enum gs_status gs_report_draw(struct gs_report *r, struct gs_err *err);

/* --- report_page.c, report_markdown.c, report_svg.c: the documents --- */

enum {
    GS_REPORT_ROWS_SHOWN = 10,
    GS_REPORT_ROWS_MAX = 50
}; /* of a longer table; with those folded */

/* Has the page that row of a table, counted from 1? */
bool gs_report_row_is_shown(const struct gs_report *r, const char *table, size_t row);

/* The order of the sections on the page, and whether one is of the study's own, which fold away. */
extern const enum gs_report_part gs_report_order[GS_N_PARTS];
bool gs_report_in_appendix(const struct gs_report *r, enum gs_report_part part);

/* Is its horizontal axis time? Such panels stand one under the other. */
bool gs_report_is_over_time(const struct gs_panel *p);

enum { GS_REPORT_CARDS = 6 };
size_t gs_report_cards(const struct gs_report *r, struct gs_report_card card[GS_REPORT_CARDS],
                       struct gs_arena *arena);

/* Sets r->verdict from the answers. */
enum gs_status gs_report_verdict(struct gs_report *r, struct gs_err *err);

void gs_report_page(const struct gs_report *r, struct gs_buf *b, struct gs_err *err);
void gs_report_markdown(const struct gs_report *r, struct gs_buf *b, struct gs_err *err);

/* report.json, schema gpustat.report/1: the answer with its numbers, the sections' words, what the files are. */
void gs_report_json(const struct gs_report *r, struct gs_buf *b);

/* "1,024 GPUs on 1,024 hosts, ..." and "2018-11-08 07:41:30 to 08:30:16 UTC, 48.8 min" for the head of a document. */
void gs_report_when(struct gs_buf *b, const struct gs_report *r);
void gs_report_headline(struct gs_buf *b, const struct gs_report *r);

/*
 * The worst rows of a table, all of them with --all, as a fragment of HTML or as Markdown, then what is shown of it:
 * the beginning of a paragraph that the caller ends with the file that has the rest. report_tables.c.
 */
void gs_report_table_rows(const struct gs_report *r, const struct gs_report_table *t,
                          struct gs_buf *b, bool html, struct gs_err *err);

/*
 * Appends gnuplot's light SVG as an element of a page: no prolog, ids under `prefix`, a label in place of gnuplot's
 * own titles, colours as the custom properties of gs_svg_style, nothing that SVG assumes anyway. Without `hover` marks
 * do not say their values.
 */
void gs_svg_inline(struct gs_buf *b, struct gs_str svg, const char *prefix, struct gs_str label,
                   bool hover);

/* The symbols of points that all of gnuplot's pictures define alike, once for the page. */
void gs_svg_symbols(struct gs_buf *b, struct gs_str svg);

/* The rules that give those properties their colours: light, and dark on a screen that wants it. */
void gs_svg_style(struct gs_buf *b);

/* --- report_dir.c: a directory that appears whole or not at all --- */

struct gs_report_dir {
    struct gs_arena *arena;
    /* the target; the directory being filled beside it; for messages */
    const char *path, *temp, *shown;
    bool replaces; /* an earlier report is at path                                    */
    struct gs_cleanup leftover; /* of temp, in case a signal ends the process */
};

/*
 * Makes a directory beside `path`. An existing `path` must be an empty directory or an earlier report: one whose
 * files.csv names everything in it, with its digest.
 * Errors: GS_ERR_CANTCREATE.
 */
enum gs_status gs_report_dir_open(struct gs_report_dir *d, const char *path, struct gs_arena *arena,
                                  struct gs_err *err);

/* Several files may be written at once. */
enum gs_status gs_report_dir_write(const struct gs_report_dir *d, const char *name,
                                   struct gs_str bytes, struct gs_err *err);

/* Puts the directory in the place of an earlier report, in one step where the file system can, and removes that. */
enum gs_status gs_report_dir_commit(struct gs_report_dir *d, struct gs_err *err);

/* Removes what was written. Nothing to do after commit. */
void gs_report_dir_abandon(struct gs_report_dir *d);
