/* Calls the library in ways that make no sense, the seed's way: none may crash, all must answer as the header says. */
#include <gpustat/gpustat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;
static int failed;

static size_t any(size_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % n;
}

static void check(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "%s\n", what);
        failed = 1;
    }
}

static int stop(void *context, const char *bytes, size_t length)
{
    size_t *const left = context;
    (void)bytes;
    *left -= length < *left ? length : *left;
    return *left == 0;
}

/* A place near the ends of 0..n, or far outside. */
static size_t place(size_t n)
{
    const size_t far[] = {0,         n - 1, n, n + 1, (size_t)-1, (size_t)INT32_MAX, SIZE_MAX / 8,
                          any(n + 2)};
    return far[any(sizeof far / sizeof *far)];
}

static void look(struct gpustat_result *result, const struct gpustat_table *table)
{
    const size_t column = place(gpustat_column_count(table)), row = place(gpustat_row_count(table));
    const int there = column < gpustat_column_count(table) && row < gpustat_row_count(table);
    size_t length = 1;
    struct gpustat_column data = {.length = 77};
    const char *const text = gpustat_text(table, row, column, any(2) ? &length : NULL);
    const double real = gpustat_real(table, row, column);
    const enum gpustat_type type = gpustat_column_type(table, column);
    check(gpustat_column_name(table, column) != NULL && gpustat_column_unit(table, column) != NULL,
          "a name is NULL");
    check(there || gpustat_is_missing(table, row, column),
          "a cell that is not there is not missing");
    check((there && type == GPUSTAT_TEXT) || text == NULL, "text of what is no text");
    check((there && type == GPUSTAT_REAL) || real != real, "a number of what is no number");
    check((there && (type == GPUSTAT_INTEGER || type == GPUSTAT_TIME)) ||
              gpustat_integer(table, row, column) == INT64_MIN,
          "an integer of what is none");
    const enum gpustat_status s =
        gpustat_column_data(any(8) ? result : NULL, table, column, any(8) ? &data : NULL);
    check(s == GPUSTAT_OK || data.length == 77, "a column was touched in spite of an error");
    check(s == GPUSTAT_USAGE || column < gpustat_column_count(table),
          "a column that is not there has data");
    if (s == GPUSTAT_OK && there)
        check((data.validity[row / 8] >> row % 8 & 1) == !gpustat_is_missing(table, row, column),
              "validity differs from the cell");
}

int main(int argc, char **argv)
{
    const char *const inputs[] = {argc > 1 ? argv[1] : "data/", NULL};
    static const char *const analyses[] = {"events",          "gpus",    "check", "nothing", "",
                                           "forest evaluate", "summary", NULL};
    static const char *const formats[] = {"csv", "json", "table", "nothing", "", NULL};
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct gpustat_run *const run = gpustat_run_open(inputs);
    const long rounds = argc > 3 ? atol(argv[3]) : 20;
    for (long i = 0; i < rounds; i++) {
        struct gpustat_result *result = NULL;
        const char *const options[] = {any(4) ? "--sort=n:desc" : "--no-such", NULL};
        const enum gpustat_status s =
            gpustat_analyse(any(8) ? run : NULL, analyses[any(8)], any(2) ? options : NULL,
                            any(8) ? &result : NULL);
        check(result != NULL || (s != GPUSTAT_OK && s != GPUSTAT_FINDINGS) || s == GPUSTAT_OK,
              "no result and no error");
        check(gpustat_error(any(2) ? run : NULL) != NULL, "no error text");
        for (int k = 0; k < 200; k++)
            look(result,
                 any(8) ? gpustat_table_at(result, place(gpustat_table_count(result))) : NULL);
        bool warns;
        check(gpustat_note(result, place(gpustat_note_count(result)), any(2) ? &warns : NULL) !=
                  NULL,
              "a note is NULL");
        size_t left = any(5000) + 1;
        (void)gpustat_render(result, formats[any(6)], any(8) ? stop : NULL, &left);
        gpustat_result_free(result);
    }
    gpustat_run_close(run);
    gpustat_run_close(NULL);
    return failed;
}
