/* test_report.c - pictures as parts of a page, directories that appear whole, and what happens without memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/report/report.h"
#include "app/cli/run.h"

static struct gs_arena arena;
static char scratch[64];

static int enter(void **state)
{
    (void)state;
    (void)strcpy(scratch, "/tmp/gpustat-report-XXXXXX");
    return mkdtemp(scratch) == NULL ? -1 : 0;
}

static int leave(void **state)
{
    (void)state;
    char command[128];
    gs_arena_release(&arena);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    return system(command);
}

static const char *path_of(const char *name)
{
    struct gs_buf b = {.arena = &arena};
    gs_buf_format(&b, "%s/%s", scratch, name);
    return b.ptr;
}

static size_t count_entries(const char *path)
{
    size_t n = 0;
    DIR *const d = opendir(path);
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    (void)closedir(d);
    return n;
}

static const char *inlined(const char *svg)
{
    struct gs_buf b = {.arena = &arena};
    gs_svg_inline(&b, gs_str(svg), "p-", gs_str("a \"label\" <b>"), false);
    return b.ptr;
}

static const char picture[] =
    "<?xml version=\"1.0\"?>\n<svg \n viewBox=\"0 0 480 260\"\n "
    "xmlns=\"http://www.w3.org/2000/svg\">\n"
    "<title>Gnuplot</title><desc>Produced by GNUPLOT</desc><!-- a > b --><defs><circle id='gpDot' "
    "r='1'/></defs>"
    "<g id=\"c\"><title>gnuplot_plot_1</title><use xlink:href='#gpDot' fill=\"url(#x)\"/>"
    "<text> id='gpDot' href='#y' &lt;svg> url(#z)</text></g></svg>\n";

/* Symbols are defined once for all pictures of a page, so that their names stay. */
static void a_picture_becomes_an_element_of_the_page(void **state)
{
    (void)state;
    assert_string_equal(
        inlined(picture),
        "<svg role=\"img\" aria-label=\"a &quot;label&quot; &lt;b&gt;\" viewBox=\"0 0 480 260\">"
        "<g id=\"p-c\"><use xlink:href='#gpDot' fill=\"url(#p-x)\"/>"
        "<text> id='gpDot' href='#y' &lt;svg> url(#z)</text></g></svg>");
}

static void marks_alike_are_written_once(void **state)
{
    (void)state;
    static const char
        point[] = "<use xlink:href='#gpPt6' transform='translate(9.00,18.00) scale(4.50)' "
                  "color='rgb(  0, 114, 178)'>",
        box[] = "<polygon fill = 'rgb(0,114,178)' points = '1.00,5.00 3.00,5.00 3.00,2.00 "
                "1.00,2.00 '>",
        words[] = "<title>n1</title>";
    char svg[1000];
    (void)snprintf(svg, sizeof svg, "<svg>%s%s</use>%s%s</use>%s%s</polygon>%s%s</polygon></svg>",
                   point, words, point, words, box, words, box, words);
    const char *const bare = strchr(inlined(svg), '>') + 1;
    assert_string_equal(
        bare, "<defs><use id=p-a href=#gpPt6 class=k5 /></defs><g transform='scale(4.50)'>"
              "<use href=#p-a x=2.0 y=4.0 /><use href=#p-a x=2.0 y=4.0 />"
              "<path fill='var(--g5)' d='M1,5H3V2H1zM1,5H3V2H1z'/></g></svg>");
    struct gs_buf b = {.arena = &arena};
    gs_svg_inline(&b, gs_str(svg), "p-", gs_str(""), true);
    const char *const told = gs_buf_whole(&b);
    assert_non_null(strstr(told, "<use href=#p-a x=2.0 y=4.0><title>n1</title></use><use"));
    assert_non_null(strstr(told, "d='M1,5H3V2H1z'><title>n1</title></path><path"));
}

static void colours_of_series_stay_where_an_image_shows_them(void **state)
{
    (void)state;
    assert_non_null(strstr(inlined("<svg><path stroke='#0072b2' fill='#ffffff'/></svg>"),
                           "stroke='var(--g5)' fill='var(--g3)'"));
    assert_non_null(strstr(inlined("<svg><path stroke='#0072b2' fill='#ffffff'/><image/></svg>"),
                           "stroke='#0072b2' fill='var(--g3)'"));
}

/* For the sanitizers: nothing beyond the end is read, wherever that is. */
static void a_picture_cut_anywhere_is_taken_as_far_as_it_goes(void **state)
{
    (void)state;
    for (size_t len = 0; len < sizeof picture; len++) {
        char *const copy = malloc(len + 1);
        assert_non_null(copy);
        memcpy(copy, picture, len);
        struct gs_buf b = {.arena = &arena};
        gs_svg_inline(&b, (struct gs_str){copy, len}, "p-", gs_str("label"), true);
        assert_false(b.failed);
        free(copy);
    }
}

static void a_directory_appears_at_commit_and_not_before(void **state)
{
    (void)state;
    struct gs_report_dir d;
    struct stat st;
    assert_int_equal(gs_report_dir_open(&d, path_of("out/"), &arena, NULL), GS_OK);
    assert_int_equal(gs_report_dir_write(&d, "a.csv", gs_str("1\n"), NULL), GS_OK);
    assert_int_equal(gs_report_dir_write(&d, "files.csv",
                                         gs_str("file,kind,bytes,sha256\na.csv,table,2,x\n"), NULL),
                     GS_OK);
    assert_int_not_equal(stat(path_of("out"), &st), 0);
    assert_int_equal(gs_report_dir_commit(&d, NULL), GS_OK);
    gs_report_dir_abandon(&d);
    assert_int_equal(stat(path_of("out/a.csv"), &st), 0);
    assert_int_equal(count_entries(scratch), 1);
}

static void a_directory_abandoned_leaves_nothing(void **state)
{
    (void)state;
    struct gs_report_dir d;
    assert_int_equal(gs_report_dir_open(&d, path_of("out"), &arena, NULL), GS_OK);
    assert_int_equal(gs_report_dir_write(&d, "a.csv", gs_str("1\n"), NULL), GS_OK);
    gs_report_dir_abandon(&d);
    gs_report_dir_abandon(&d);
    assert_int_equal(count_entries(scratch), 0);
}

/* What comes between the look and the swap is seen at the swap. */
static void a_file_put_there_meanwhile_is_not_lost(void **state)
{
    (void)state;
    struct gs_report_dir d;
    struct gs_err err = {0};
    assert_int_equal(gs_report_dir_open(&d, path_of("out"), &arena, NULL), GS_OK);
    assert_int_equal(gs_report_dir_write(&d, "files.csv", gs_str("file,kind,bytes,sha256\n"), NULL),
                     GS_OK);
    assert_int_equal(mkdir(path_of("out"), 0700), 0);
    FILE *const f = fopen(path_of("out/precious"), "w");
    assert_non_null(f);
    (void)fclose(f);
    assert_int_equal(gs_report_dir_commit(&d, &err), GS_ERR_CANTCREATE);
    assert_non_null(strstr(err.text, "no report wrote 'precious' in it"));
    gs_report_dir_abandon(&d);
    assert_int_equal(count_entries(scratch), 1);
    assert_int_equal(count_entries(path_of("out")), 1);
}

static void a_file_is_written_once(void **state)
{
    (void)state;
    struct gs_report_dir d;
    struct gs_err err = {0};
    assert_int_equal(gs_report_dir_open(&d, path_of("out"), &arena, NULL), GS_OK);
    assert_int_equal(gs_report_dir_write(&d, "a.csv", gs_str("1\n"), NULL), GS_OK);
    assert_int_equal(gs_report_dir_write(&d, "a.csv", gs_str("2\n"), &err), GS_ERR_CANTCREATE);
    gs_report_dir_abandon(&d);
}

/* The n-th allocation fails, for more and more n, until there are enough. */
static void without_memory_there_is_a_whole_report_or_none(void **state)
{
    (void)state;
    const char *const out_path = path_of("out");
    const char *const argv[] = {"gpustat", "report", "data/",  "-q", "-j",
                                "2",       "-o",     out_path, NULL};
    int code = -1;
    unsigned n_failed = 0;
    if (access("data/gpu.csv", R_OK) != 0 || system("gnuplot --version > /dev/null 2>&1") != 0)
        skip();
    for (uint64_t n = 1; code != 0; n += 1 + n / 3) {
        char *out = NULL, *errors = NULL;
        size_t out_len = 0, errors_len = 0;
        const struct gs_streams s = {.out = open_memstream(&out, &out_len),
                                     .err = open_memstream(&errors, &errors_len)};
        assert_true(n < 1000000);
        gs_memory_fail_after(n);
        code = gs_main(8, argv, &s);
        gs_memory_fail_after(0);
        (void)fclose(s.out);
        (void)fclose(s.err);
        if (code != 0) {
            assert_int_equal(code, 71);
            /* Memory may end after the report is whole, while its list of files is printed. */
            if (count_entries(scratch) > 0) {
                assert_int_equal(count_entries(scratch), 1);
                assert_int_equal(access(path_of("out/files.csv"), R_OK), 0);
            } else {
                assert_int_equal(out_len, 0);
                n_failed++;
            }
        }
        free(out);
        free(errors);
    }
    assert_true(n_failed > 5);
    assert_int_equal(count_entries(scratch), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_picture_becomes_an_element_of_the_page, enter, leave),
        cmocka_unit_test_setup_teardown(marks_alike_are_written_once, enter, leave),
        cmocka_unit_test_setup_teardown(colours_of_series_stay_where_an_image_shows_them, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(a_picture_cut_anywhere_is_taken_as_far_as_it_goes, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(a_directory_appears_at_commit_and_not_before, enter, leave),
        cmocka_unit_test_setup_teardown(a_directory_abandoned_leaves_nothing, enter, leave),
        cmocka_unit_test_setup_teardown(a_file_put_there_meanwhile_is_not_lost, enter, leave),
        cmocka_unit_test_setup_teardown(a_file_is_written_once, enter, leave),
        cmocka_unit_test_setup_teardown(without_memory_there_is_a_whole_report_or_none, enter,
                                        leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
