/* test_held_input.c - what can be read once only is read again. */
#define _GNU_SOURCE /* pipe2 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/bytes/bytes.h"
#include "base/os/replayable_input.h"
#include "base/os/output.h"

/* A pipe that has been filled and closed: its end for reading. */
static int full_pipe(const char *text)
{
    int end[2];
    assert_int_equal(pipe2(end, O_CLOEXEC), 0);
    assert_int_equal(gs_sink_write(gs_sink_fd(&end[1]), text, strlen(text), NULL), GS_OK);
    assert_int_equal(close(end[1]), 0);
    return end[0];
}

static void assert_reads(const char *path, const char *text)
{
    struct gs_arena arena = {0};
    struct gs_bytes *b = NULL;
    char room[256];
    size_t n = 0;
    assert_int_equal(gs_bytes_open(path, &arena, &b, NULL), GS_OK);
    assert_int_equal(gs_bytes_read(b, room, sizeof room, &n, NULL), GS_OK);
    gs_bytes_close(b);
    gs_arena_release(&arena);
    assert_int_equal(n, strlen(text));
    assert_memory_equal(room, text, n);
}

static void a_pipe_is_a_regular_file_from_then_on(void **state)
{
    (void)state;
    static const char *const dirs[] = {"/tmp", "/nonexistent"}; /* a file there, or memory */
    for (size_t i = 0; i < 2; i++) {
        struct gs_arena arena = {0};
        const int fd = full_pipe("a,b\n1,2\n");
        char name[64];
        const char *path = name;
        (void)snprintf(name, sizeof name, "/dev/fd/%d", fd);
        assert_false(gs_is_regular(path));
        assert_int_equal(gs_input_replayable(&path, dirs[i], &arena, NULL), GS_OK);
        assert_ptr_equal(path, name);
        assert_true(gs_is_regular(path));
        assert_reads(path, "a,b\n1,2\n");
        assert_reads(path, "a,b\n1,2\n");
        (void)close(fd);
        gs_arena_release(&arena);
    }
}

static void standard_input_is_held_from_where_it_stands(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    char file[] = "/tmp/gpustat-held-XXXXXX";
    const char *path = "-";
    const int before = dup(STDIN_FILENO), fd = mkstemp(file);
    assert_true(before >= 0 && fd >= 0);
    assert_int_equal(gs_sink_write(gs_sink_fd(&fd), "junk\nrest\n", 10, NULL), GS_OK);
    assert_int_equal(lseek(fd, 5, SEEK_SET), 5);
    assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(gs_input_replayable(&path, "/tmp", &arena, NULL), GS_OK);
    assert_reads(path, "rest\n");
    assert_reads(path, "rest\n");
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO); /* whole: nothing to hold */
    assert_int_equal(gs_input_replayable(&path, "/tmp", &arena, NULL), GS_OK);
    assert_reads(path, "junk\nrest\n");
    assert_reads(path, "junk\nrest\n");
    assert_int_equal(dup2(before, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(before) + close(fd) + unlink(file), 0);
    gs_arena_release(&arena);
}

static void files_and_what_is_not_there_stay_as_they_are(void **state)
{
    (void)state;
    static const char *const paths[] = {"/dev/null",     "/nonexistent", "/",
                                        "/dev/fd/99999", "/dev/fd/x",    "/dev/fd/"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct gs_arena arena = {0};
        const char *path = paths[i];
        assert_int_equal(gs_input_replayable(&path, "/tmp", &arena, NULL), GS_OK);
        assert_ptr_equal(path, paths[i]);
        gs_arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pipe_is_a_regular_file_from_then_on),
        cmocka_unit_test(standard_input_is_held_from_where_it_stands),
        cmocka_unit_test(files_and_what_is_not_there_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
