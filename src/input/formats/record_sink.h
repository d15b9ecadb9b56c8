/* record_sink.h - what every form of file comes to: records of named texts, one after the other. */
#pragma once

#include "base/core/intern.h"
#include "input/bytes/text_in.h"
#include "input/schema/map.h"

/* One record: by number of its column the text, ptr == NULL where it has none. Valid during the call. */
struct gs_form_row {
    const struct gs_str *value;
    uint32_t n_columns;
    uint64_t line;
    const uint32_t *own; /* [2] all other columns are those of the record before; NULL: not so */
    struct gs_str
        raw; /* its bytes as they were, where the form has them and they are kept; else ptr == NULL */
};

/* The text of a column; missing where the record does not have it. */
static inline struct gs_str gs_form_cell(const struct gs_form_row *r, uint32_t column)
{
    return column < r->n_columns ? r->value[column] : GS_NO_STR;
}

typedef enum gs_status gs_form_row_fn(void *context, const struct gs_form_row *record,
                                      struct gs_err *err);

/* Takes a row that is none: too few fields or too many. `reason` has no place in front. */
typedef enum gs_status gs_form_reject_fn(void *context, uint64_t line, const char *reason,
                                         struct gs_str raw, struct gs_err *err);

/* A form's reader puts texts by column, then ends the record. */
struct gs_record_sink {
    struct gs_arena *arena;
    const struct gs_source *source; /* what the map says of the file, from gs_form_read */
    const char *name;               /* of the file, for messages                             */
    struct gs_intern column;        /* names of the columns, numbered as they are met        */
    struct gs_str *value;
    bool *met;          /* columns that the file has, not only the map               */
    bool reading;       /* columns that are asked for now are the file's             */
    bool fixed;         /* the form knows all columns before the first record        */
    uint32_t n_columns; /* that there is room for                            */
    uint32_t *put;      /* columns of the open record                            */
    uint32_t n_put;
    uint64_t line; /* of the open record                                    */
    uint64_t n_records;
    uint64_t n_torn;      /* set aside by the form: a line cut off by a crash      */
    uint64_t n_ignored;   /* passed over by the form: repeated headers             */
    uint64_t n_other;     /* lines that belong to something else: prose            */
    uint64_t n_foreign;   /* rows of other tables in the file, passed over           */
    struct gs_buf others; /* the columns of the first of them                        */
    uint64_t n_cut;       /* cells of several lines, of which the first counts     */
    uint64_t n_unequal;   /* lists left out: not as long as that of the times */
    int64_t base_ns;      /* added to plain numbers of time; GS_MISSING: none      */
    struct gs_str raw;    /* of the open record: set by forms that have it, taken with the record */
    gs_form_row_fn *take;
    gs_form_reject_fn *reject; /* NULL: such a row is an error; else raw is wanted */
    void *context;
    bool cut;             /* only the beginning is read: the last row may be torn  */
    uint32_t of_series;   /* records of each series that are wanted; 0: all */
    bool full;            /* something of the open record could not be put: ending it says so */
    struct gs_arena kept; /* copies of texts of the open record            */
};

enum { GS_COLUMNS_MAX = 1 << 16 };

void gs_record_sink_init(struct gs_record_sink *r, const char *name, uint64_t seed,
                         struct gs_arena *arena, gs_form_row_fn *take, void *context);

void gs_record_sink_release(struct gs_record_sink *r);

/* The number of a column; GS_INTERN_NONE without memory or above GS_COLUMNS_MAX, which sets `full`. */
uint32_t gs_record_sink_column(struct gs_record_sink *r, struct gs_str name);

/* Puts a text into the open record; of one column the first counts, and none of GS_INTERN_NONE. */
void gs_record_sink_put(struct gs_record_sink *r, uint32_t column, struct gs_str text);

/* The same by name; `text` stays where it is until the record ends, or is copied. */
void gs_record_sink_set(struct gs_record_sink *r, struct gs_str name, struct gs_str text);
void gs_record_sink_set_copy(struct gs_record_sink *r, struct gs_str name, struct gs_str text);

/* Takes back what was put into the open record. */
void gs_record_sink_forget(struct gs_record_sink *r);

/*
 * Ends the record: hands it out and begins the next.
 * Errors: those of the taker; GS_ERR_MEMORY, or GS_ERR_DATA for too many columns, where something could not be put.
 */
enum gs_status gs_record_sink_end(struct gs_record_sink *r, struct gs_err *err);

/*
 * Ends a record of a series: of what was put, and of texts of its own in two columns that nothing
 * was put into. What was put stays for the next until gs_record_sink_forget. `first`: of the series.
 */
enum gs_status gs_record_sink_next(struct gs_record_sink *r, const uint32_t column[2],
                                   const struct gs_str text[2], bool first, struct gs_err *err);

/* A row that is none: handed to `reject`, or else an error. */
enum gs_status gs_record_sink_reject(const struct gs_record_sink *r, uint64_t line,
                                     const char *reason, struct gs_str raw, struct gs_err *err);

/* The same of a row that has n of what should be others in number: `what` is "field", or the like. */
enum gs_status gs_record_sink_miscounted(const struct gs_record_sink *r, uint64_t line,
                                         const char *what, size_t n, size_t expected,
                                         struct gs_str raw, struct gs_err *err);

/* What is to be said where `full` is set. */
enum gs_status gs_record_sink_full(const struct gs_record_sink *r, struct gs_err *err);

/* How a form is read line by line: what it keeps from one to the next, and what becomes of each. See gs_read_lines. */
struct gs_lines;
struct gs_line_reader {
    size_t own_bytes;                                                /* of gs_lines.own */
    enum gs_status (*begin)(struct gs_lines *l, struct gs_err *err); /* NULL: nothing */
    enum gs_status (*line)(struct gs_lines *l, struct gs_str line, struct gs_err *err);
    enum gs_status (*end)(struct gs_lines *l, struct gs_err *err); /* NULL: nothing */
};

/* What a file is before anything is known of its form. */
enum gs_container { GS_CONTAINER_ANY, GS_CONTAINER_JSON, GS_CONTAINER_BINARY };

/* A form of files. What else is to be known of it stands here, so that nobody asks for its name. */
struct gs_form {
    const char *name;
    enum gs_container
        container; /* JSON: begins with a bracket; BINARY: holds NUL bytes               */
    const char *sign
        [3]; /* texts of which its beginning holds one, so that most files need no closer look */
    bool delimited;        /* is cut by the separator, skip, header and columns of its source    */
    bool is_of_lines;      /* each line is a record for itself: a file may be cut at any line end */
    bool is_of_jobs;       /* Slurm's: all columns tell of the job, whose ends may lie anywhere  */
    bool is_of_one_gpu;    /* but where the names of its readings number them                    */
    bool is_archive;       /* of jobs: each has files and a clock of its own */
    bool skips_lists;      /* lists of values make no records */
    bool names_fields;     /* columns may be called by the numbers of DCGM's fields */
    bool is_trace;         /* of one process, perhaps empty                                      */
    bool has_measurements; /* of many tools in one file: those of GPUs are to be chosen          */
    const char *device,
        *uuid;           /* a process's own numbers of GPUs, and the UUIDs that it may know    */
    const char *series;  /* the column that names a row's metric; `value` has the reading      */
    bool by_metric;      /* its JSON: the series of one metric may stand before those of the next */
    const char *time[2]; /* columns, of which the first that is there counts                   */
    const char *time_unit, *time_absent; /* its own unit; what it means that there is no time    */
    const char *not_of_gpus,
        *not_of_gpus_why; /* a column that tells rows of something else           */
    /* Is this the beginning of such a file, and is one of its first lines such? Both NULL: its signs tell, without them
     * its content never does. */
    bool (*matches)(struct gs_str head);
    bool (*has_line)(struct gs_str line);
    struct gs_line_reader lines;
    /* Reads a file to its end. NULL: `lines` do. */
    enum gs_status (*read)(struct gs_text_in *in, struct gs_record_sink *out, struct gs_err *err);
};

extern const struct gs_form gs_form_table, gs_form_clustercockpit;

/* All forms, in the order in which they are tried; ends in NULL. */
extern const struct gs_form *const gs_forms[];

/* The form of that name, or NULL. */
const struct gs_form *gs_form_find(struct gs_str name);

/* The form of a source; one without a name and any capability where a map names none that is. */
const struct gs_form *gs_source_form(const struct gs_source *s);

/* Reads a file of the form to its end. Errors: those of its reader, and gs_record_sink_full. */
enum gs_status gs_form_read(const struct gs_form *form, struct gs_text_in *in,
                            const struct gs_source *source, struct gs_record_sink *out,
                            struct gs_err *err);

/* Does more than its signs tell the form by a file's beginning? */
bool gs_form_is_told(const struct gs_form *form);

/* May a file that begins so be of the form? */
bool gs_form_fits(const struct gs_form *form, struct gs_str head);

/* The next of the words of a text that blanks part, from *at on; ptr == NULL: no more. */
struct gs_str gs_next_word(struct gs_str text, size_t *at);

/* What lies between the bytes of a set, at most `most`; the words of a text, between blanks. */
size_t gs_cut_between(struct gs_str text, const char *between, struct gs_str *word, size_t most);
size_t gs_cut_words(struct gs_str text, struct gs_str *word, size_t most);

/* Cuts a line that nothing quotes, into at most `most` fields without blanks around them. */
size_t gs_cut_fields(struct gs_str line, char separator, struct gs_str *field, size_t most);

/* The first line of a head, without its end, and what is behind it. */
struct gs_str gs_head_line(struct gs_str *head);

/* Does one of the first lines of a head satisfy `is`? */
bool gs_head_has_line(struct gs_str head, bool (*is)(struct gs_str line));

/* "2024-10-10 13:18:58" and "369" or "369+02:00": an instant that the comma before its fraction has cut in two? */
bool gs_is_instant_cut(struct gs_str time, struct gs_str fraction);

/* A line that is an instant and nothing else, whatever zone it names; a number has ten digits or more. */
bool gs_is_instant_line(struct gs_str line);

/* The instant that a line is, perhaps behind a word for it and between signs, "=== Time: 12:00:05 ==="; ptr == NULL: none. */
struct gs_str gs_instant_of_line(struct gs_str line);
