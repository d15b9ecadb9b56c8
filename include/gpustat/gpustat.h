/*
 * gpustat.h - the analyses of gpustat as a library: name a run, analyse it, walk the tables, render them.
 *
 * Everything is by the names and texts of the command line, which never change or go: an analysis is a command, its
 * options are that command's, its columns those of the command's CSV. New ones come last. See gpustat(3).
 *
 * Every argument is checked: NULL, a place that is not there or a column of another type gives the value that says so
 * (0, "", NULL, -1, INT64_MIN, NaN, missing, GPUSTAT_NO_TYPE, GPUSTAT_USAGE), never a crash. Only pointers to what was
 * freed are not noticed.
 *
 * A run and its results belong to one thread at a time; different runs may be used at once. Nothing is printed, and
 * no signal, locale or environment is touched.
 */
#ifndef GPUSTAT_GPUSTAT_H
#define GPUSTAT_GPUSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The exit statuses of the program. */
/* clang-format off */
enum gpustat_status {
    GPUSTAT_OK = 0,
    GPUSTAT_FINDINGS = 1,     /* done, and the answer is that something is wrong: there is a result */
    GPUSTAT_USAGE = 2,        /* an analysis, an option or an operand makes no sense               */
    GPUSTAT_BAD_DATA = 65,    /* "FILE:LINE: COLUMN: ..."                                          */
    GPUSTAT_NO_INPUT = 66,
    GPUSTAT_UNAVAILABLE = 69, /* gnuplot or libxgboost is needed and not there                     */
    GPUSTAT_INTERNAL = 70,    /* a bug                                                             */
    GPUSTAT_MEMORY = 71,
    GPUSTAT_CANT_CREATE = 73,
    GPUSTAT_IO = 74,
    GPUSTAT_STOPPED = 75,     /* by gpustat_progress_fn                                            */
};
/* clang-format on */

/* For #if; gpustat_version() is that of the library that is linked. */
#define GPUSTAT_VERSION_MAJOR  0
#define GPUSTAT_VERSION_MINOR  2
#define GPUSTAT_VERSION_NUMBER (GPUSTAT_VERSION_MAJOR * 1000 + GPUSTAT_VERSION_MINOR)

enum gpustat_type {
    GPUSTAT_TEXT,
    GPUSTAT_INTEGER,
    GPUSTAT_REAL,
    GPUSTAT_TIME,    /* an integer: ns since 1970 UTC */
    GPUSTAT_NO_TYPE, /* there is no such column */
};

struct gpustat_run;    /* what is analysed                             */
struct gpustat_result; /* what one analysis came to: tables and notes  */
struct gpustat_table;  /* rows of typed columns; dies with its result  */

/* "0.2.0" */
const char *gpustat_version(void);

/*
 * A run by its inputs, as they stand on the command line: {"data/", NULL}, {"--gpu=a.csv", "--checkpoints=b.csv",
 * "--tz=+01:00", NULL}, {"power.csv", NULL}. They are copied. NULL without memory.
 *
 * Files are read when an analysis first needs their tables, and the tables stay in memory for the analyses that follow
 * until the run is closed and its results are freed: open another run to see what changed in the files. They are read
 * again for what makes other tables of them: options of reading (--tz, --set, --map, --duplicates ...), the commands
 * that keep duplicate rows beside those that do not, a command that needs one more file, and power logs.
 */
struct gpustat_run *gpustat_run_open(const char *const *inputs);

/*
 * Is told that `bytes_read` of `bytes_total` bytes of the inputs were read; the total is 0 until it is known. Answers 0,
 * or anything else to stop: gpustat_analyse then returns GPUSTAT_STOPPED, and every later one, too, until
 * gpustat_run_progress is called again. It is called while inputs are read and before each host is analysed, by the
 * threads that do so, one at a time: it must be quick, and must not call the library on the same run.
 */
typedef int gpustat_progress_fn(void *context, uint64_t bytes_read, uint64_t bytes_total);

/* Who is told how far the analyses of a run are; NULL: nobody. */
void gpustat_run_progress(struct gpustat_run *run, gpustat_progress_fn *progress, void *context);

/* Closes it; its results stay. NULL allowed. */
void gpustat_run_close(struct gpustat_run *run);

/*
 * Does the analysis that the command of that name does ("events", "check", "forest evaluate"), with options as on the
 * command line ({"--join=window", "--sort=energy_sum_j:desc", NULL}, NULL: none). Options of printing (-f, -o, --plot
 * and their like) are for gpustat_render; -o is allowed where the command writes a directory (report). --max-memory is
 * for the program alone, too: it bounds a whole process, in which other runs may be at work.
 *
 * Returns GPUSTAT_OK or GPUSTAT_FINDINGS and a result, to be freed; else the reason is gpustat_error(run).
 */
enum gpustat_status gpustat_analyse(struct gpustat_run *run, const char *analysis,
                                    const char *const *options, struct gpustat_result **result);

/* One line on the last failure with this run, "" before any: complete, safe to print on a terminal. */
const char *gpustat_error(const struct gpustat_run *run);

void gpustat_result_free(struct gpustat_result *result); /* NULL allowed */

/* What is to be known beside the numbers: duplicates, gaps, guesses. Complete sentences without a full stop. */
size_t gpustat_note_count(const struct gpustat_result *result);
const char *gpustat_note(const struct gpustat_result *result, size_t i,
                         bool *is_warning); /* is_warning may be NULL */

/* The tables, in the order in which the command prints them. */
size_t gpustat_table_count(const struct gpustat_result *result);
const struct gpustat_table *gpustat_table_at(const struct gpustat_result *result, size_t i);
const char *gpustat_table_name(const struct gpustat_table *table);  /* "events" */
const char *gpustat_table_title(const struct gpustat_table *table); /* one line for people */

size_t gpustat_row_count(const struct gpustat_table *table);
size_t gpustat_column_count(const struct gpustat_table *table);
const char *gpustat_column_name(const struct gpustat_table *table,
                                size_t column); /* "power_mean_w" */
const char *gpustat_column_unit(const struct gpustat_table *table, size_t column); /* "W", "" */
enum gpustat_type gpustat_column_type(const struct gpustat_table *table, size_t column);

/* The column of that name, or -1. */
int gpustat_column_find(const struct gpustat_table *table, const char *name);

/*
 * A whole column in Arrow's layout, so that a wrapper need not copy it: int64_t or double at 64-byte boundaries, or offsets
 * and bytes of text, and a bitmap of what is there, least significant bit first. It lives as long as the result.
 */
struct gpustat_column {
    enum gpustat_type type;
    size_t length, n_missing;
    const void *values; /* int64_t[length] (INTEGER, TIME), double[length] (REAL), text bytes   */
    const int64_t
        *offsets; /* TEXT: [length + 1], text i is bytes offsets[i] to offsets[i + 1]     */
    const uint8_t
        *validity; /* [(length + 7) / 8], bit i set: value i is there                      */
};

/* Fills *column. GPUSTAT_USAGE where there is no such column, GPUSTAT_MEMORY; *column is then as it was. */
enum gpustat_status gpustat_column_data(struct gpustat_result *result,
                                        const struct gpustat_table *table, size_t column,
                                        struct gpustat_column *data);

/* Missing is not zero: ask first. */
bool gpustat_is_missing(const struct gpustat_table *table, size_t row, size_t column);
int64_t gpustat_integer(const struct gpustat_table *table, size_t row,
                        size_t column); /* INTEGER, TIME; INT64_MIN: missing */
double gpustat_real(const struct gpustat_table *table, size_t row,
                    size_t column); /* REAL; NaN: missing              */

/* Counted, not NUL-terminated, as it stands in the data: escape it before it is shown. NULL: missing. */
const char *gpustat_text(const struct gpustat_table *table, size_t row, size_t column,
                         size_t *length);

/* Takes `length` bytes; answers 0, or anything else to stop: gpustat_render then returns GPUSTAT_IO. */
typedef int gpustat_write_fn(void *context, const char *bytes, size_t length);

/*
 * Writes all tables in a format of the command line: "table", "csv", "tsv", "json", "jsonl", "markdown", "html",
 * "gnuplot". The same bytes as the command prints where standard output is no terminal.
 * Returns GPUSTAT_USAGE for an unknown format, GPUSTAT_MEMORY, GPUSTAT_IO.
 */
enum gpustat_status gpustat_render(const struct gpustat_result *result, const char *format,
                                   gpustat_write_fn *write, void *context);

#ifdef __cplusplus
}
#endif

#endif
