/* test_output.c - files appear whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os/output.h"

static char dir[] = "/tmp/gpustat-output-XXXXXX";

static const char *in_dir(const char *name)
{
    static char path[4][512];
    static int next;
    next = (next + 1) % 4;
    (void)snprintf(path[next], sizeof path[next], "%s/%s", dir, name);
    return path[next];
}

static int entries(void)
{
    int n = 0;
    DIR *const d = opendir(dir);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    assert_int_equal(closedir(d), 0);
    return n;
}

static void assert_holds(const char *path, const char *text)
{
    char room[256];
    FILE *const f = fopen(path, "rb");
    assert_non_null(f);
    const size_t n = fread(room, 1, sizeof room - 1, f);
    room[n] = '\0';
    assert_int_equal(fclose(f), 0);
    assert_string_equal(room, text);
}

static int make_dir(void **state)
{
    (void)state;
    (void)strcpy(dir, "/tmp/gpustat-output-XXXXXX");
    return mkdtemp(dir) == NULL ? -1 : 0;
}

static int drop_dir(void **state)
{
    (void)state;
    DIR *const d = opendir(dir);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.' || strlen(e->d_name) > 2)
            (void)unlink(in_dir(e->d_name));
    if (d != NULL)
        (void)closedir(d);
    return rmdir(dir);
}

static void a_new_file_takes_the_umask(void **state)
{
    (void)state;
    struct stat st;
    const mode_t old = umask(027);
    assert_int_equal(gs_output_file(in_dir("a"), gs_str("hello\n"), NULL), GS_OK);
    (void)umask(old);
    assert_holds(in_dir("a"), "hello\n");
    assert_int_equal(stat(in_dir("a"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_int_equal(entries(), 1);
}

static void a_replaced_file_keeps_its_permissions(void **state)
{
    (void)state;
    struct stat st;
    assert_int_equal(gs_output_file(in_dir("a"), gs_str("old"), NULL), GS_OK);
    assert_int_equal(chmod(in_dir("a"), 0606), 0);
    assert_int_equal(gs_output_file(in_dir("a"), gs_str("new"), NULL), GS_OK);
    assert_holds(in_dir("a"), "new");
    assert_int_equal(stat(in_dir("a"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0606);
}

static void the_target_is_untouched_until_commit(void **state)
{
    (void)state;
    struct gs_output o = {0};
    assert_int_equal(gs_output_file(in_dir("a"), gs_str("old"), NULL), GS_OK);
    assert_int_equal(gs_output_open(&o, in_dir("a"), NULL), GS_OK);
    assert_int_equal(gs_output_write(&o, "half", 4, NULL), GS_OK);
    assert_holds(in_dir("a"), "old");
    assert_int_equal(entries(), 2);
    gs_output_abandon(&o);
    assert_holds(in_dir("a"), "old");
    assert_int_equal(entries(), 1);
    gs_output_abandon(&o); /* twice is allowed */
}

static void a_symbolic_link_stays_a_link(void **state)
{
    (void)state;
    struct stat st;
    assert_int_equal(gs_output_file(in_dir("target"), gs_str("old"), NULL), GS_OK);
    assert_int_equal(symlink("target", in_dir("link")), 0);
    assert_int_equal(gs_output_file(in_dir("link"), gs_str("new"), NULL), GS_OK);
    assert_int_equal(lstat(in_dir("link"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_holds(in_dir("target"), "new");
}

static void a_name_of_255_bytes_can_be_written(void **state)
{
    (void)state;
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    assert_int_equal(gs_output_file(in_dir(name), gs_str("x"), NULL), GS_OK);
    assert_holds(in_dir(name), "x");
}

static void a_leftover_temporary_file_is_not_in_the_way(void **state)
{
    (void)state;
    char name[64];
    (void)snprintf(name, sizeof name, ".gpustat-%ld-0.tmp", (long)getpid());
    assert_int_equal(gs_output_file(in_dir("a"), gs_str("x"), NULL), GS_OK);
    assert_int_equal(rename(in_dir("a"), in_dir(name)), 0);
    assert_int_equal(gs_output_file(in_dir("a"), gs_str("y"), NULL), GS_OK);
    assert_holds(in_dir(name), "x");
    assert_holds(in_dir("a"), "y");
}

static void a_directory_and_a_missing_directory_are_refused(void **state)
{
    (void)state;
    struct gs_err err = {0};
    assert_int_equal(gs_output_file(dir, gs_str("x"), &err), GS_ERR_CANTCREATE);
    assert_non_null(strstr(err.text, ": cannot be created: Is a directory"));
    assert_int_equal(gs_output_file(in_dir("no/such/place"), gs_str("x"), &err), GS_ERR_CANTCREATE);
    assert_non_null(strstr(err.text, ": cannot be created: No such file or directory"));
    assert_int_equal(gs_output_file("", gs_str("x"), &err), GS_ERR_CANTCREATE);
    assert_int_equal(gs_output_file(in_dir("a\nb/c"), gs_str("x"), &err), GS_ERR_CANTCREATE);
    assert_non_null(strstr(err.text, "a\\nb/c: cannot be created"));
    assert_int_equal(entries(), 0);
}

static void a_device_is_written_directly(void **state)
{
    (void)state;
    struct gs_err err = {0};
    struct stat st;
    assert_int_equal(gs_output_file("/dev/null", gs_str("x"), &err), GS_OK);
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_int_equal(gs_output_file("/dev/full", gs_str("x"), &err), GS_ERR_IO);
    assert_string_equal(err.text, "/dev/full: writing failed: No space left on device");
}

static void a_sink_of_a_full_disk_reports_it(void **state)
{
    (void)state;
    struct gs_err err = {0};
    const int fd = open("/dev/full", O_WRONLY);
    assert_true(fd >= 0);
    assert_int_equal(gs_sink_write(gs_sink_fd(&fd), "x", 1, &err), GS_ERR_IO);
    assert_string_equal(err.text, "writing failed: No space left on device");
    assert_int_equal(gs_sink_write(gs_sink_fd(&fd), "", 0, &err), GS_OK);
    assert_int_equal(close(fd), 0);
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 8; n++) {
        struct gs_err err = {0};
        gs_memory_fail_after(n);
        const enum gs_status s = gs_output_file(in_dir("a"), gs_str("x"), &err);
        gs_memory_fail_after(0);
        if (s == GS_OK)
            break;
        assert_int_equal(s, GS_ERR_MEMORY);
        assert_int_equal(entries(), 0);
    }
    assert_int_equal(gs_output_file(in_dir("a"), gs_str("x"), NULL), GS_OK);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_dir, drop_dir)
    const struct CMUnitTest tests[] = {
        TEST(a_new_file_takes_the_umask),
        TEST(a_replaced_file_keeps_its_permissions),
        TEST(the_target_is_untouched_until_commit),
        TEST(a_symbolic_link_stays_a_link),
        TEST(a_name_of_255_bytes_can_be_written),
        TEST(a_leftover_temporary_file_is_not_in_the_way),
        TEST(a_directory_and_a_missing_directory_are_refused),
        TEST(a_device_is_written_directly),
        TEST(a_sink_of_a_full_disk_reports_it),
        TEST(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
