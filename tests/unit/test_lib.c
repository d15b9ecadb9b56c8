/* test_lib.c - the public library: what it answers, what it refuses, and that nothing reaches standard output. */
#define _GNU_SOURCE
#include "fixture.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include <gpustat/gpustat.h>

#include "base/core/text.h"

static const char *file_of(const char *text, char path[64])
{
    const int fd = memfd_create("table", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    (void)snprintf(path, 64, "/proc/self/fd/%d", fd);
    return path;
}

static const char checkpoints[] = "timestamp,hostname,eventName,eventType,jobId,taskId\n"
                                  "2020-01-01T00:00:00Z,h,Draw,START,j,t\n"
                                  "2020-01-01T00:00:02Z,h,Draw,STOP,j,t\n"
                                  "2020-01-01T01:00:00Z,other,Idle,START,j,u\n"
                                  "2020-01-01T01:00:01Z,other,Idle,STOP,j,u\n";
static const char samples[] =
    "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n"
    "2020-01-01T00:00:00Z,h,1,u,10,20,30,40\n"
    "2020-01-01T00:00:02Z,h,1,u,30,20,30,40\n"
    "2020-01-01T00:00:02Z,h,1,u,30,20,30,40\n";

/* A run of two tables in memory; "--checkpoints" and its file are two texts, "--gpu=" and its file one. */
static struct gpustat_run *open_run(void)
{
    char path[64], gpu[80] = "--gpu=";
    char checkpoint_path[64];
    (void)strcat(gpu, file_of(samples, path));
    const char *const inputs[] = {"--checkpoints", file_of(checkpoints, checkpoint_path), gpu,
                                  NULL};
    struct gpustat_run *const run = gpustat_run_open(inputs);
    assert_non_null(run);
    assert_string_equal(gpustat_error(run), "");
    return run;
}

static void a_run_is_analysed_and_walked(void **state)
{
    (void)state;
    struct gpustat_run *const run = open_run();
    struct gpustat_result *result = NULL;
    const char *const options[] = {"--sort", "n,event:desc", NULL};
    assert_int_equal(gpustat_analyse(run, "events", options, &result), GPUSTAT_OK);
    gpustat_run_close(run); /* the result stays */
    assert_int_equal(gpustat_table_count(result), 1);
    const struct gpustat_table *const t = gpustat_table_at(result, 0);
    assert_string_equal(gpustat_table_name(t), "events");
    assert_int_equal(gpustat_row_count(t), 2);
    const int event = gpustat_column_find(t, "event"), n = gpustat_column_find(t, "n"),
              mean = gpustat_column_find(t, "duration_mean_ms"),
              power = gpustat_column_find(t, "power_mean_w");
    assert_true(event == 0 && n == 1 && mean == 2);
    assert_int_equal(gpustat_column_find(t, "nothing"), -1);
    assert_int_equal(gpustat_column_type(t, 0), GPUSTAT_TEXT);
    assert_int_equal(gpustat_column_type(t, 1), GPUSTAT_INTEGER);
    assert_int_equal(gpustat_column_type(t, 2), GPUSTAT_REAL);
    assert_string_equal(gpustat_column_unit(t, (size_t)power), "W");
    assert_string_equal(gpustat_column_name(t, (size_t)power), "power_mean_w");
    size_t length = 0;
    assert_memory_equal(gpustat_text(t, 0, 0, &length), "Idle", 4);
    assert_int_equal(length, 4);
    assert_memory_equal(gpustat_text(t, 1, 0, &length), "Draw", 4);
    assert_int_equal(gpustat_integer(t, 1, 1), 1);
    assert_true(gpustat_real(t, 1, 2) == 2000.0 && gpustat_real(t, 1, (size_t)power) == 20.0);
    assert_true(gpustat_is_missing(t, 0, (size_t)power) &&
                isnan(gpustat_real(t, 0, (size_t)power)));
    bool warning = false;
    assert_true(gpustat_note_count(result) > 0);
    assert_non_null(strstr(gpustat_note(result, 0, &warning), "duplicate"));
    assert_true(warning);
    gpustat_result_free(result);
}

static int append(void *context, const char *bytes, size_t length)
{
    gs_buf_bytes(context, bytes, length);
    return 0;
}

static int stop(void *context, const char *bytes, size_t length)
{
    (void)context, (void)bytes, (void)length;
    return 1;
}

static void a_result_is_rendered_in_every_format(void **state)
{
    (void)state;
    static const char *const formats[] = {"table", "csv",      "tsv",  "json",
                                          "jsonl", "markdown", "html", "gnuplot"};
    struct gs_arena arena = {0};
    struct gpustat_run *const run = open_run();
    struct gpustat_result *result = NULL;
    assert_int_equal(gpustat_analyse(run, "events", NULL, &result), GPUSTAT_OK);
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        struct gs_buf b = {.arena = &arena};
        assert_int_equal(gpustat_render(result, formats[i], append, &b), GPUSTAT_OK);
        assert_non_null(strstr(b.ptr, "Draw"));
        assert_int_equal(gpustat_render(result, formats[i], stop, NULL), GPUSTAT_IO);
    }
    assert_int_equal(gpustat_render(result, "xml", stop, NULL), GPUSTAT_USAGE);
    gpustat_result_free(result);
    gpustat_run_close(run);
    gs_arena_release(&arena);
}

static void findings_come_with_a_result(void **state)
{
    (void)state;
    struct gpustat_run *const run = open_run();
    struct gpustat_result *result = NULL;
    assert_int_equal(gpustat_analyse(run, "check", NULL, &result), GPUSTAT_FINDINGS);
    assert_true(gpustat_row_count(gpustat_table_at(result, 0)) > 0);
    gpustat_result_free(result);
    gpustat_run_close(run);
}

/* The files are emptied after the first analysis: what the others answer was in memory. */
static void a_run_is_loaded_once_for_many_analyses(void **state)
{
    (void)state;
    static const char *const analyses[] = {"balance", "schedule", "timeline", "balance"};
    char samples_path[64], checkpoint_path[64], gpu[80] = "--gpu=";
    struct gs_arena arena = {0};
    struct gs_buf alone[4], together[4];
    struct gpustat_result *result[4];
    (void)strcat(gpu, file_of(samples, samples_path));
    const char *const inputs[] = {"--checkpoints", file_of(checkpoints, checkpoint_path), gpu,
                                  NULL};
    for (size_t i = 0; i < COUNT_OF(analyses); i++) {
        struct gpustat_run *const own = gpustat_run_open(inputs);
        alone[i] = (struct gs_buf){.arena = &arena};
        assert_int_equal(gpustat_analyse(own, analyses[i], NULL, &result[0]), GPUSTAT_OK);
        gpustat_run_close(own);
        assert_int_equal(gpustat_render(result[0], "csv", append, &alone[i]), GPUSTAT_OK);
        gpustat_result_free(result[0]);
    }
    struct gpustat_run *const run = gpustat_run_open(inputs);
    for (size_t i = 0; i < COUNT_OF(analyses); i++) {
        assert_int_equal(gpustat_analyse(run, analyses[i], NULL, &result[i]), GPUSTAT_OK);
        assert_int_equal(truncate(samples_path, 0) | truncate(checkpoint_path, 0), 0);
    }
    /* Another question is another reading, which finds the files as they are. */
    struct gpustat_result *none;
    assert_int_equal(
        gpustat_analyse(run, "balance", (const char *const[]){"--tz=+01:00", NULL}, &none),
        GPUSTAT_BAD_DATA);
    gpustat_run_close(run); /* the results stay */
    for (size_t i = 0; i < COUNT_OF(analyses); i++) {
        together[i] = (struct gs_buf){.arena = &arena};
        assert_int_equal(gpustat_render(result[i], "csv", append, &together[i]), GPUSTAT_OK);
        assert_int_equal(together[i].len, alone[i].len);
        assert_memory_equal(together[i].ptr, alone[i].ptr, alone[i].len);
        gpustat_result_free(result[i]);
    }
    gs_arena_release(&arena);
}

static void what_makes_no_sense_is_refused_with_its_reason(void **state)
{
    (void)state;
    static const struct {
        const char *analysis, *option, *reason;
        int status;
    } bad[] = {
        {"", NULL, "no analysis is named", GPUSTAT_USAGE},
        {"evnets", NULL, "unknown command 'evnets'; did you mean 'events'?", GPUSTAT_USAGE},
        {"events", "--nothing", "unknown option '--nothing'", GPUSTAT_USAGE},
        {"events", "--format=csv", "--format is an option of the program alone", GPUSTAT_USAGE},
        {"events", "--output=x", "--output is an option of the program alone", GPUSTAT_USAGE},
        {"events", "--plot=x.svg", "--plot is an option of the program alone", GPUSTAT_USAGE},
        {"events", "--explain", "--explain is an option of the program alone", GPUSTAT_USAGE},
        {"events", "--max-memory=64M", "--max-memory is an option of the program alone",
         GPUSTAT_USAGE},
        {"events", "--help", "--help is an option of the program alone", GPUSTAT_USAGE},
        {"events", "--sort=duratoin_mean_ms",
         "--sort: no column 'duratoin_mean_ms'; did you mean 'duration_mean_ms'?", GPUSTAT_USAGE},
        {"events", "/nowhere", "/nowhere: No such file or directory", GPUSTAT_NO_INPUT},
        {"forest evalute", NULL, "forest: no action 'evalute'; did you mean 'evaluate'?",
         GPUSTAT_USAGE},
    };
    struct gpustat_run *const run = open_run();
    struct gpustat_run *const nothing = gpustat_run_open((const char *const[]){"x", NULL});
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct gpustat_run *const r = strncmp(bad[i].analysis, "forest", 6) == 0 ? nothing : run;
        struct gpustat_result *result = (struct gpustat_result *)(void *)&bad;
        const char *const options[] = {bad[i].option, NULL};
        assert_int_equal(gpustat_analyse(r, bad[i].analysis, options, &result), bad[i].status);
        assert_string_equal(gpustat_error(r), bad[i].reason);
        assert_ptr_equal(result, &bad); /* untouched */
    }
    gpustat_run_close(run);
    gpustat_run_close(nothing);
    gpustat_run_close(NULL);
    gpustat_result_free(NULL);
    assert_string_equal(gpustat_version(), GPUSTAT_VERSION);
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    struct gpustat_run *const run = open_run();
    enum gpustat_status status = GPUSTAT_MEMORY;
    uint64_t n = 1;
    for (; status == GPUSTAT_MEMORY && n < 1000; n++) {
        struct gpustat_result *result = NULL;
        gs_memory_fail_after(n);
        status = gpustat_analyse(run, "events", NULL, &result);
        gs_memory_fail_after(0);
        gpustat_result_free(result);
    }
    assert_int_equal(status, GPUSTAT_OK);
    assert_true(n > 5);
    gs_memory_fail_after(1);
    assert_null(gpustat_run_open((const char *const[]){"x", NULL}));
    gs_memory_fail_after(0);
    gpustat_run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_analysed_and_walked),
        cmocka_unit_test(a_result_is_rendered_in_every_format),
        cmocka_unit_test(findings_come_with_a_result),
        cmocka_unit_test(a_run_is_loaded_once_for_many_analyses),
        cmocka_unit_test(what_makes_no_sense_is_refused_with_its_reason),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
