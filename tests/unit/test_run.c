/* The whole program in-process: what reaches which stream, and the exit code. */
#define _GNU_SOURCE /* memfd_create */
#include "fixture.h"

#include <sys/mman.h>
#include <unistd.h>

#include "app/cli/commands.h"
#include "base/core/arena.h"
#include "app/cli/help.h"
#include "app/cli/progress.h"
#include "base/os/input_meter.h"
#include "app/cli/run.h"

static char *out, *errors;
static size_t out_len, errors_len;

static void forget(void)
{
    free(out);
    free(errors);
    out = errors = NULL;
}

/* Runs with its two streams in memory. */
static int run_with(struct gs_streams streams, const char *const *argv)
{
    int argc = 0;
    while (argv[argc] != NULL)
        argc++;
    forget();
    streams.out = open_memstream(&out, &out_len);
    streams.err = open_memstream(&errors, &errors_len);
    assert_non_null(streams.out);
    assert_non_null(streams.err);
    const int code = gs_main(argc, argv, &streams);
    (void)fclose(streams.out);
    (void)fclose(streams.err);
    return code;
}

#define RUN(...)                                                                                   \
    run_with((struct gs_streams){0}, (const char *const[]){"gpustat", __VA_ARGS__, NULL})

static void help_goes_to_standard_output(void **state)
{
    (void)state;
    assert_int_equal(RUN("help"), 0);
    assert_non_null(strstr(out, "Usage: gpustat COMMAND"));
    assert_int_equal(errors_len, 0);
    char *const help = strdup(out);
    assert_int_equal(RUN("--help"), 0);
    assert_string_equal(out, help);
    assert_int_equal(RUN("-h"), 0);
    assert_string_equal(out, help);
    free(help);
}

static void no_arguments_are_a_usage_error(void **state)
{
    (void)state;
    assert_int_equal(run_with((struct gs_streams){0}, (const char *const[]){"gpustat", NULL}), 2);
    assert_int_equal(out_len, 0);
    assert_non_null(strstr(errors, "gpustat help COMMAND"));
}

static void an_empty_command_is_unknown(void **state)
{
    (void)state;
    assert_int_equal(RUN(""), 2);
    assert_string_equal(errors, "gpustat: unknown command ''\nsee 'gpustat help'\n");
}

static void every_command_shows_its_help_and_its_page(void **state)
{
    (void)state;
    for (size_t i = 0; gs_commands[i] != NULL; i++) {
        assert_int_equal(RUN(gs_commands[i]->name, "--help"), 0);
        assert_memory_equal(out, "Usage: gpustat ", 15);
        assert_memory_equal(out + 15, gs_commands[i]->name, strlen(gs_commands[i]->name));
        assert_int_equal(RUN("man", gs_commands[i]->name), 0);
        assert_non_null(strstr(out, ".SH SYNOPSIS"));
        assert_int_equal(errors_len, 0);
    }
}

static void every_command_refuses_an_unknown_option(void **state)
{
    (void)state;
    for (size_t i = 0; gs_commands[i] != NULL; i++) {
        assert_int_equal(RUN(gs_commands[i]->name, "--foramt=csv"), 2);
        assert_int_equal(out_len, 0);
        assert_non_null(strstr(errors, "did you mean '--format'?"));
    }
}

static void errors_are_coloured_only_on_a_terminal_that_wants_it(void **state)
{
    (void)state;
    const char *const argv[] = {"gpustat", "nope", NULL};
    assert_int_equal(run_with((struct gs_streams){.err_terminal = true}, argv), 2);
    assert_non_null(strstr(errors, "\033["));
    assert_int_equal(run_with((struct gs_streams){.err_terminal = true, .no_color = true}, argv),
                     2);
    assert_null(strstr(errors, "\033["));
    assert_int_equal(run_with((struct gs_streams){.out_terminal = true}, argv), 2);
    assert_null(strstr(errors, "\033["));
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        longest = strcspn(line, "\n") > longest ? strcspn(line, "\n") : longest;
    return longest;
}

static void messages_are_wrapped_on_a_terminal_only(void **state)
{
    (void)state;
    static const char *const argv[] = {"gpustat", "events",         "data/own",
                                       "--show",  "no_such_column", NULL};
    const struct gs_streams s = {.err_terminal = true, .no_color = true, .width = 60};
    assert_int_equal(run_with(s, argv), 2);
    assert_in_range(longest_line(errors), 48, 60);
    assert_int_equal(run_with((struct gs_streams){0}, argv), 2);
    assert_true(longest_line(errors) > 100);
}

static void help_is_wrapped_at_the_terminals_width(void **state)
{
    (void)state;
    static const unsigned widths[] = {60, 80, 100};
    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        const struct gs_streams s = {.out_terminal = true, .width = widths[i]};
        assert_int_equal(run_with(s, (const char *const[]){"gpustat", "help", NULL}), 0);
        assert_in_range(longest_line(out), widths[i] - 12, widths[i]);
    }
}

static void wrapping_breaks_at_blanks_only(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    assert_int_equal(gs_wrap(&b, "one two\nthree  unbreakable-word-of-great-length x", 0, 2, 12),
                     3);
    assert_string_equal(b.ptr, "one two\n  three\n  unbreakable-word-of-great-length\n  x");
    gs_arena_release(&arena);
}

static void failing_any_allocation_is_reported(void **state)
{
    (void)state;
    static const char *const lines[][4] = {{"gpustat", "help", NULL},
                                           {"gpustat", "man", NULL},
                                           {"gpustat", "completion", "bash", NULL},
                                           {"gpustat", "completion", "zsh", NULL},
                                           {"gpustat", "completion", "fish", NULL},
                                           {"gpustat", "help", "events", NULL}};
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        int code = 71;
        uint64_t n = 1;
        for (; code == 71 && n < 1000; n++) {
            gs_memory_fail_after(n);
            code = run_with((struct gs_streams){0}, lines[i]);
            gs_memory_fail_after(0);
            if (code == 71) {
                assert_int_equal(out_len, 0);
                assert_string_equal(errors, "gpustat: out of memory\n");
            }
        }
        assert_true(n > 2); /* at least one did fail */
        assert_true(code == 0 || code == 2);
    }
}

/* Checkpoints in memory, of an event whose name would clear the screen and turn the text around. */
static const char *hostile_file(void)
{
    static char path[64];
    const int fd = memfd_create("hostile", MFD_CLOEXEC);
    static const char text[] = "timestamp,hostname,eventName,eventType,jobId,taskId\n"
                               "2020-01-01T00:00:00Z,h,\033[2J\xc2\x9b\xe2\x80\xae,START,j,t\n"
                               "2020-01-01T00:00:01Z,h,\033[2J\xc2\x9b\xe2\x80\xae,STOP,j,t\n";
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

static const char *samples_file(void)
{
    static const char text[] =
        "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n"
        "2020-01-01T00:00:00Z,h,1,u,10,20,30,40\n"
        "2020-01-01T00:00:01Z,h,1,u,10,20,30,40\n";
    static char path[64];
    const int fd = memfd_create("samples", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

/* Programs get the bytes as they are; a terminal must not act on them, whatever the format. */
static void nothing_in_a_result_acts_on_a_terminal(void **state)
{
    (void)state;
    static const char *const formats[] = {"table", "csv",      "tsv", "json",
                                          "jsonl", "markdown", "html"};
    const char *const checkpoints = hostile_file(), *const samples = samples_file();
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        const char *const argv[] = {"gpustat",  "events", "--checkpoints", checkpoints, "--gpu",
                                    samples,    "-q",     "--color",       "never",     "-f",
                                    formats[i], NULL};
        assert_int_equal(run_with((struct gs_streams){.out_terminal = true}, argv), 0);
        assert_null(memchr(out, '\033', out_len));
        assert_null(strstr(out, "\xc2\x9b"));
        assert_null(strstr(out, "\xe2\x80\xae"));
    }
    const char *const argv[] = {"gpustat", "events", "--checkpoints", checkpoints, "--gpu", samples,
                                "-q",      "-f",     "csv",           NULL};
    assert_int_equal(run_with((struct gs_streams){0}, argv), 0);
    assert_non_null(strstr(out, "\n\033[2J\xc2\x9b\xe2\x80\xae,1,"));
}

/* Not even a heading: rendering runs out of memory before anything is written. */
static void a_command_without_memory_prints_nothing(void **state)
{
    (void)state;
    const char *const checkpoints = hostile_file(), *const samples = samples_file();
    for (size_t i = 0; i < 2; i++) {
        const char *const argv[] = {
            "gpustat", "events", "--checkpoints",         checkpoints, "--gpu", samples,
            "-q",      "-f",     i == 0 ? "csv" : "html", NULL};
        int code = 71;
        uint64_t n = 1;
        for (; code == 71 && n < 1000; n++) {
            gs_memory_fail_after(n);
            code = run_with((struct gs_streams){0}, argv);
            gs_memory_fail_after(0);
            assert_true(code == 0 || out_len == 0);
        }
        assert_int_equal(code, 0);
        assert_true(n > 10);
    }
}

static void a_stream_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    FILE *const full = fopen("/dev/full", "w");
    if (full == NULL)
        skip();
    forget();
    const struct gs_streams s = {.out = full, .err = open_memstream(&errors, &errors_len)};
    const int code = gs_main(2, (const char *const[]){"gpustat", "help", NULL}, &s);
    (void)fclose(s.err);
    (void)fclose(full);
    assert_int_equal(code, 74);
    assert_string_equal(errors, "gpustat: standard output: No space left on device\n");
}

static void progress_shows_only_when_it_takes_long(void **state)
{
    (void)state;
    forget();
    FILE *const terminal = open_memstream(&errors, &errors_len);
    struct gs_progress quick = {.err = terminal, .what = "events", .period_ms = 60000};
    gs_progress_start(&quick);
    assert_true(quick.running);
    gs_progress_stop(&quick);
    gs_progress_stop(&quick);
    (void)fflush(terminal);
    assert_int_equal(errors_len, 0);
    gs_input_meter_begin(200000000);
    gs_input_meter_add(50000000);
    struct gs_progress slow = {
        .err = terminal, .what = "events", .period_ms = 1, .quiet_ms = 2, .detail = "half"};
    gs_progress_start(&slow);
    for (bool shown = false; !shown;) {
        (void)pthread_mutex_lock(&slow.lock);
        shown = slow.shown;
        (void)pthread_mutex_unlock(&slow.lock);
    }
    gs_progress_stop(&slow);
    (void)fclose(terminal);
    gs_input_meter_begin(0);
    static const char line[] = "\rgpustat: events: 0 s, 50.0 of 200.0 MB (25 %), 0 s left, half";
    assert_memory_equal(errors, line, sizeof line - 1);
    assert_string_equal(errors + errors_len - 4, "\r\033[K");
}

static int release(void **state)
{
    (void)state;
    forget();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_goes_to_standard_output),
        cmocka_unit_test(no_arguments_are_a_usage_error),
        cmocka_unit_test(an_empty_command_is_unknown),
        cmocka_unit_test(every_command_shows_its_help_and_its_page),
        cmocka_unit_test(every_command_refuses_an_unknown_option),
        cmocka_unit_test(errors_are_coloured_only_on_a_terminal_that_wants_it),
        cmocka_unit_test(messages_are_wrapped_on_a_terminal_only),
        cmocka_unit_test(help_is_wrapped_at_the_terminals_width),
        cmocka_unit_test(wrapping_breaks_at_blanks_only),
        cmocka_unit_test(failing_any_allocation_is_reported),
        cmocka_unit_test(nothing_in_a_result_acts_on_a_terminal),
        cmocka_unit_test(a_command_without_memory_prints_nothing),
        cmocka_unit_test(a_stream_that_cannot_be_written_is_an_error),
        cmocka_unit_test(progress_shows_only_when_it_takes_long),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
