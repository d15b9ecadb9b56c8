/* test_dir.c - the entries of a directory. */
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/os/dir.h"

static void the_end_is_no_error(void **state)
{
    (void)state;
    char path[] = "/tmp/gpustat-dir-XXXXXX", file[64];
    assert_non_null(mkdtemp(path));
    (void)snprintf(file, sizeof file, "%s/.a", path);
    const int fd = open(file, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    DIR *const d = opendir(path);
    const char *name = NULL;
    assert_non_null(d);
    errno = ENOTTY;
    assert_int_equal(gs_dir_next(d, &name), 0);
    assert_string_equal(name, ".a");
    assert_int_equal(gs_dir_next(d, &name), 0);
    assert_null(name);
    assert_int_equal(closedir(d), 0);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(path), 0);
}

static void an_error_is_no_end(void **state)
{
    (void)state;
    DIR *const d = opendir("/");
    const char *name = "";
    assert_non_null(d);
    assert_int_equal(close(dirfd(d)), 0);
    assert_int_equal(gs_dir_next(d, &name), EBADF);
    assert_null(name);
    (void)closedir(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_is_no_error),
        cmocka_unit_test(an_error_is_no_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
