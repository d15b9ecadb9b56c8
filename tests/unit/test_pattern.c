/* The patterns of a map: what matches, what is kept, and that no text takes long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/pattern.h"

static void expect(const char *pattern, const char *text, const char *part)
{
    struct gs_kept k = {{0}, {0}, {0}};
    const bool matches = gs_pattern_match(gs_str(pattern), gs_str(text), &k);
    if (matches != (part != NULL))
        print_message("%s on %s\n", pattern, text);
    assert_int_equal(matches, part != NULL);
    if (part != NULL && part[0] == '\0')
        assert_null(k.part.ptr);
    else if (part != NULL)
        assert_true(gs_str_eq(k.part, gs_str(part)));
}

static void a_pattern_matches_the_whole_text_or_nothing(void **state)
{
    (void)state;
    expect("", "", "");
    expect("", "a", NULL);
    expect("abc", "abc", "");
    expect("abc", "abcd", NULL);
    expect("abcd", "abc", NULL);
    expect("*", "", "");
    expect("*", "anything", "");
    expect("a*c", "ac", "");
    expect("a*c", "abcbc", "");
    expect("a*c", "abcb", NULL);
    expect("*b*", "abc", "");
    expect("INTERVAL_*", "INTERVAL_START", "");
}

static void the_kept_part_is_the_shortest_and_never_empty(void **state)
{
    (void)state;
    expect("{}", "", NULL);
    expect("{}", "x", "x");
    expect("{}_start", "run_start", "run");
    expect("{}_start", "_start", NULL);
    expect("{}_*", "a_b_c", "a");
    expect("*_{}.csv", "a_b_c.csv", "b_c");
    expect("{} *", "burst 12", "burst");
    expect("{} *", "burst", NULL);
    expect("{}.*", "node01.cluster.org:9400", "node01");
    expect("*{}", "ab", "ab");
    expect("{}*", "ab", "a");
    expect("power_{}_*.csv", "power_jetson_2025-03-28_015632.827713.csv", "jetson");
}

static void a_number_is_all_the_digits_that_stand_there(void **state)
{
    (void)state;
    expect("{}_{number}", "frame_0012", "frame");
    expect("{}_{number}", "scene_1_frame_0012", "scene_1_frame");
    expect("{}_{number}", "frame_12a", NULL);
    expect("{}_{number}", "frame_", NULL);
    expect("{}{number}.v2.mp4", "file0012.v2.mp4", "file");
    expect("{}{number}", "12", NULL);
    expect("{number}_{}", "12_frame", "frame");
    expect("{number}", "12", "");
    expect("*{number}", "a12", "");
}

static void of_several_patterns_the_first_that_fits_counts(void **state)
{
    (void)state;
    expect("{}_{number}|{}", "frame_12", "frame");
    expect("{}_{number}|{}", "warm-up", "warm-up");
    expect("{}_start|{}_end", "load_end", "load");
    expect("{}_start|{}_end", "load", NULL);
    expect("a\\|b", "a|b", "");
    expect("a\\|b", "b", NULL);
    assert_true(gs_pattern_valid(gs_str("{}_a|{}_b")));
    assert_false(gs_pattern_valid(gs_str("{}_a|{}{}")));
}

static void a_backslash_takes_the_meaning_of_what_follows(void **state)
{
    (void)state;
    expect("a\\*c", "a*c", "");
    expect("a\\*c", "abc", NULL);
    expect("\\{\\}", "{}", "");
    expect("\\\\", "\\", "");
    assert_false(gs_pattern_valid(gs_str("a\\")));
    assert_false(gs_pattern_valid(gs_str("{name}")));
    assert_false(gs_pattern_valid(gs_str("{}{}")));
    assert_true(gs_pattern_valid(gs_str("gpu{gpu}_on_{host}*")));
}

static void gpu_and_host_are_kept_by_name(void **state)
{
    (void)state;
    struct gs_kept k;
    assert_true(
        gs_pattern_match(gs_str("{host}:gpu{gpu}_power_w"), gs_str("n7:gpu12_power_w"), &k));
    assert_true(gs_str_eq(k.host, gs_str("n7")));
    assert_true(gs_str_eq(k.gpu, gs_str("12")));
    assert_null(k.part.ptr);
}

static void a_file_pattern_sees_the_last_components_only(void **state)
{
    (void)state;
    struct gs_kept k;
    assert_true(
        gs_pattern_match_path(gs_str("power/{}.txt"), gs_str("/data/run/power/node_1.txt.xz"), &k));
    assert_true(gs_str_eq(k.part, gs_str("node_1")));
    assert_true(gs_pattern_match_path(gs_str("{}.csv"), gs_str("a.csv"), &k));
    assert_true(gs_pattern_match_path(gs_str("{}/gpu.csv"), gs_str("runs/node01/gpu.csv.gz"), &k));
    assert_true(gs_str_eq(k.part, gs_str("node01")));
    assert_false(gs_pattern_match_path(gs_str("power/{}.txt"), gs_str("node_1.txt"), NULL));
    assert_false(gs_pattern_match_path(gs_str("po*1.txt"), gs_str("power/node_1.txt"), NULL));
}

static void a_hostile_pattern_ends_soon(void **state)
{
    (void)state;
    static char pattern[2001], text[100001];
    for (size_t i = 0; i < 2000; i += 2)
        memcpy(pattern + i, "*a", 2);
    pattern[1999] = 'b';
    memset(text, 'a', 100000);
    assert_false(gs_pattern_match(gs_str(pattern), gs_str(text), NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pattern_matches_the_whole_text_or_nothing),
        cmocka_unit_test(the_kept_part_is_the_shortest_and_never_empty),
        cmocka_unit_test(a_number_is_all_the_digits_that_stand_there),
        cmocka_unit_test(of_several_patterns_the_first_that_fits_counts),
        cmocka_unit_test(a_backslash_takes_the_meaning_of_what_follows),
        cmocka_unit_test(gpu_and_host_are_kept_by_name),
        cmocka_unit_test(a_file_pattern_sees_the_last_components_only),
        cmocka_unit_test(a_hostile_pattern_ends_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
