/*
 * names_parts.h - internal to input/detect: what the parts of detection by names share. Nothing here looks whether there
 * was memory: what does not fit is left out, and gs_names_apply asks the arena once at the end.
 */
#pragma once

#include "input/times/clock.h"
#include "input/detect/preview.h"

/* What the columns of a head were taken for. */
struct inference {
    const struct gs_preview *h;
    struct gs_arena *arena;
    struct gs_name *name;          /* [n_columns] */
    uint32_t means[GS_N_MEANINGS]; /* column, UINT32_MAX: none */
    const char **why;
    struct gs_missing_units *missing_units;
    const char *path; /* of the file */
    bool alone;       /* see gs_map_alone */
};

/* Of how many bytes at its beginning and its end the first has as many in common with the other, at most as many as before. */
void gs_infer_share(struct gs_str first, struct gs_str other, size_t *head, size_t *tail);

/* Makes a value a column of that name. */
void gs_infer_column(struct gs_map_value *v, struct gs_str column, struct gs_arena *arena);

/* The same by its number; nothing where it is none (UINT32_MAX). */
void gs_infer_take(const struct inference *g, struct gs_map_value *v, uint32_t column);

/* Adds a metric or attribute, finds one (NULL: there is none). */
void gs_infer_add(struct gs_map_fields *f, const char *name, struct gs_map_value value,
                  struct gs_arena *arena);
struct gs_map_field *gs_infer_find(const struct gs_map_fields *f, const char *name);

/* Adds one that is a column. */
void gs_infer_add_column(struct gs_map_fields *f, const char *name, struct gs_str column,
                         const char *unit, struct gs_arena *arena);

/* Adds a metric of the rows of a long table whose column of names fits a pattern. */
void gs_infer_add_where(struct gs_map_fields *f, const char *metric, const char *name_column,
                        const char *value_column, const char *unit, struct gs_str pattern,
                        struct gs_arena *arena);

/* Only the rows of a source count whose column fits one of the patterns. */
void gs_infer_keep_rows(const struct inference *g, struct gs_str column, struct gs_texts texts,
                        struct gs_source *s);

/* Adds to the notes of a source what was inferred, or to its warnings where the answer would be another without it. */
void gs_infer_note(const struct inference *g, struct gs_texts *notes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The next cell of a column with a value, from row *i on, which is moved behind it; false: there is none. */
bool gs_infer_next(const struct gs_preview *h, uint32_t column, size_t *i, struct gs_str *cell);

/* A number, perhaps with a unit of the quantity behind it; *has_unit where it has. */
bool gs_infer_reading(struct gs_str text, enum gs_quantity quantity, bool *has_unit);

/* The number of a cell in that unit, with a comma for the point where the table has it so. */
enum gs_number gs_infer_number(const struct inference *g, struct gs_str cell, struct gs_unit unit,
                               int64_t *value);

/* The unit behind a length of time such as "20.2 ms", without blanks; empty: it is none. */
struct gs_str gs_duration_unit(struct gs_str cell);

/* gpu_utilization.txt: the metric that the name of a file is, whose readings have no name of their own; NULL: it is none. */
const struct gs_metric *gs_infer_file_metric(const char *path);

/* Has a column any value? Its first one, ptr == NULL for none. */
bool gs_infer_has_values(const struct gs_preview *h, uint32_t column);

/* Are all values of a column words that schedulers have for the state of a job? The status of a request is none. */
bool gs_infer_holds_states(const struct gs_preview *h, uint32_t column);
struct gs_str gs_infer_first(const struct gs_preview *h, uint32_t column);

/* Has a row a value of one of the metrics? */
bool gs_infer_row_measures(const struct gs_preview *h, size_t row,
                           const struct gs_map_fields *metrics);

/* "1359.18 ms": the pattern that leaves the number of such cells, and its unit. */
void gs_infer_cell_unit(const struct inference *g, struct gs_str cell, struct gs_map_value *v);

/*
 * The column of times, or the only one of times of day whose name says nothing, where the column of times has dates alone or
 * there is none but another has: Datum and Uhrzeit, fecha and hora.
 */
uint32_t gs_infer_clock_times(const struct inference *g);

/* Makes a value the instants of a column, with the dates of another in front where it holds times of day. */
void gs_infer_time(const struct inference *g, struct gs_source *s, struct gs_str column,
                   struct gs_map_value *v);

/* Is the first time of a source an instant from 2000 to 2100? Else it may be anything: a length of time, into *t_ns (or NULL). */
enum gs_time_fault gs_infer_first_time(const struct gs_preview *h, const struct gs_source *s,
                                       int64_t *t_ns);

/* Does a column number steps, epochs or the like: 0, 1, 2? */
bool gs_infer_is_count(const struct inference *g, uint32_t column);

/* The only column that lists hosts, or GPUs: nodes, exec_host, gpu_ids, and not how many; UINT32_MAX: none does, or several. */
uint32_t gs_infer_list_of(const struct inference *g, bool hosts);

/* The attribute that a column is by its name in a table of jobs or steps; NULL: none. */
const char *gs_infer_attribute(const struct inference *g, uint32_t column);

/*
 * May a column number what the marks of a source start? A step counts up by one and is started once; a batch of 32 is a size, an
 * epoch that several rows start in is an attribute. Other names than those of counters always may.
 */
bool gs_infer_numbers_starts(const struct inference *g, uint32_t column, const struct gs_source *s);

/*
 * step,time_s,loss: makes the source one span for each row, the number of the step its task; false where it is no such
 * list. A column of instants is when the steps ended, or began, whichever their distances fit; without one they follow
 * one another (gs_source_is_chain).
 */
bool gs_infer_steps(const struct inference *g, struct gs_source *s);

/* Gives lengths of steps the unit that the instants in a column imply, where they have none: a note, if it is not the second. */
void gs_infer_step_unit(const struct inference *g, struct gs_source *s, uint32_t step,
                        uint32_t length, uint32_t time);

/* Does a column of numbers fall too often for a clock, in rows that words name? Then it is how long each of these took. */
bool gs_infer_is_of_lengths(const struct inference *g, uint32_t column);

/* Do a column's first texts come again, as names do? Messages, call chains and measured numbers hardly ever do. */
bool gs_infer_comes_again(const struct gs_preview *h, uint32_t column);

/* Are the values of a column words and nothing else, no numbers or instants? Are they not all one? */
bool gs_infer_contains_words(const struct gs_preview *h, uint32_t column);
bool gs_infer_differs(const struct gs_preview *h, uint32_t column);

/* Do the words of a column say what ran, not what measured it? */
bool gs_infer_is_of_work(const struct inference *g, uint32_t column);

/*
 * Where rows of one time, host and GPU have other readings of one metric: makes what tells them apart a part of the GPU's
 * name, or the host's where it is called so; what names neither, as a pod, makes the source ambiguous.
 */
void gs_infer_apart(const struct inference *g, struct gs_source *s);

/* Has one row in so many a value? What one line in a hundred tells is of that line alone. */
bool gs_infer_is_filled(const struct gs_preview *h, uint32_t column, size_t one_in);

/*
 * The column of words that names the events: the one that is best called so, else, unless `called`, the only one that is
 * nothing else and not what came of them; UINT32_MAX: none, or several.
 */
uint32_t gs_infer_words(const struct inference *g, bool called);

/*
 * Where each event has a name of its own, as render_frame_0001 has: those that differ in their numbers alone become one event,
 * the name its task; of many without numbers in a column of tasks all do.
 */
void gs_infer_numbered(const struct inference *g, struct gs_source *s);

/* Makes what spans or steps handled, whose they were, and every other column that comes again attributes of these. */
void gs_infer_attributes(const struct inference *g, struct gs_source *s);

/* Are a column's lengths those of requests, by its name: a latency, a response time? */
bool gs_infer_is_of_requests(const struct inference *g, uint32_t length);

/*
 * Gives the lengths of a column beside the instants of another the unit that their sizes tell where nothing else does, which is
 * said; notes what cannot be.
 */
void gs_infer_length_unit(const struct inference *g, uint32_t length, uint32_t time,
                          struct gs_source *s);

/*
 * Notes that the lengths of spans have no unit beside instants whose unit only their size tells, where seconds would make
 * one of them longer than a day.
 */
void gs_infer_unclear(const struct inference *g, struct gs_source *s);

/*
 * Why the samples cannot be told apart: a column of times, hosts, GPUs or power is there twice, with other values; NULL
 * where all is well. Another reading that is there twice is taken out, which is said.
 */
const char *gs_infer_doubled(const struct inference *g, struct gs_source *s);

/* Why the decimals of a metric's readings cannot be known, which have points and commas; else NULL. */
const char *gs_infer_mixed(const struct inference *g, const struct gs_source *s);

/*
 * Columns that mean the same in several tables of one file become one. Takes out the metrics for which there are two
 * candidates, columns of one GPU with other values: both and the options that choose are noted.
 */
void gs_infer_settle(const struct inference *g, struct gs_source *s);

/* The rows of a long table that a name is in. */
struct gs_rows_of {
    uint32_t names; /* column */
    struct gs_str name;
};

/*
 * The one unit in which most values of a power or clock, of a column (in these rows alone; NULL: all) or of those that a pattern
 * names, are a GPU's; NULL: several fit, or none.
 */
const char *gs_infer_fitting_unit(const struct inference *g, struct gs_str column,
                                  const struct gs_metric *m, bool wide,
                                  const struct gs_rows_of *rows);

/* Is any of the first values a reading? Else the name is a coincidence, unless it has a unit. */
bool gs_infer_has_readings(const struct gs_preview *h, uint32_t column, enum gs_quantity quantity,
                           bool *has_unit);

/* Is a column that is called "gpu" what the GPU is busy, beside one called "cpu"? It has parts of one, which no index has. */
bool gs_infer_is_load(const struct inference *g, uint32_t column);

/* The metric of a GPU that a column holds; NULL: none, or another's. pass: 0 of columns with values, else 1. */
const struct gs_metric *gs_infer_metric_of(const struct inference *g, uint32_t column, int pass,
                                           bool *needs_unit, bool *has_unit);

/* Are most values of a column a GPU's in the metric's own unit? */
bool gs_infer_are_usual(const struct inference *g, uint32_t column, const struct gs_metric *m);

/* That unit, where it is taken without being said; NULL: none, or kW, as small numbers may be kW, or no power at all. */
const char *gs_infer_assumed_unit(const struct inference *g, struct gs_str column,
                                  const struct gs_metric *m, bool wide,
                                  const struct gs_rows_of *rows);
/* A note: that column has no unit and is read in the only one that its values fit. */
void gs_infer_note_assumed_unit(const struct inference *g, struct gs_str column, const char *unit,
                                struct gs_source *s);

/*
 * Keeps how to say what the unit of a metric is, which stands nowhere: of a column, or of the columns that a pattern names;
 * the other, of a name in a long table.
 */
void gs_infer_note_unit(const struct inference *g, struct gs_str column, const struct gs_metric *m,
                        bool wide);
void gs_infer_note_long_unit(const struct inference *g, struct gs_str text,
                             const struct gs_metric *m, const char *name_column,
                             const char *value_column, const char *fits);

/* The metrics that words of a name may tell, power first; they end in NULL. */
extern const char *const gs_infer_by_words[];

/* Keeps why a metric is not read: why nothing is found, and what the source misses where it has no other. */
void gs_infer_missing(const struct inference *g, const struct gs_buf *why, struct gs_str column,
                      const struct gs_metric *m);

/*
 * What a column whose name has a GPU's number measures, and the pattern that the columns of all GPUs fit; *unknown where its
 * unit stands nowhere. NULL: it is no such column.
 */
const struct gs_metric *gs_infer_wide_name(struct gs_str text, struct gs_str value,
                                           char pattern[GS_NAME_MAX], bool *unknown);
const struct gs_metric *gs_infer_wide_column(const struct inference *g, uint32_t column,
                                             char pattern[GS_NAME_MAX], bool *unknown);

/* gpu0_power_w, gpu1_power_w: columns that differ in a GPU's number are a metric. */
void gs_infer_wide(const struct inference *g, struct gs_source *s);

/* How well a column or label is called for a host, or for a GPU, 0 best; UINT_MAX: it is called for something else. */
unsigned gs_infer_owner_rank(struct gs_str name, bool of_host);

/* Is a column called for how many GPUs a job has? */
bool gs_infer_counts_gpus(struct gs_str column);

/* Does a name say who works on a GPU, or who reads it? It may be another for one GPU, and names none. */
bool gs_infer_names_no_gpu(struct gs_str name);

/* power{gpu="0"}, power{gpu="1"}: columns that are series of one name are a metric. */
void gs_infer_series(const struct inference *g, struct gs_map_fields *f);

/* Series, Time, Value: the same in rows. */
void gs_infer_series_rows(const struct inference *g, struct gs_source *s);

/* metric, value: each name of the first column that is a metric's is one. */
void gs_infer_long(const struct inference *g, const char *name_column, const char *value_column,
                   struct gs_source *s);
