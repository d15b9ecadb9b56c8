/* test_timestamp.c - instants to and from text, against the C library's calendar. */
#include "fixture.h"

#include <time.h>

#include "base/num/timestamp.h"

static void every_accepted_notation_is_one_instant(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t t_ns;
        bool zoneless;
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0, false},
        {"2018-11-08T07:41:30.957Z", INT64_C(1541662890957000000), false},
        {"2018-11-08t07:41:30.957z", INT64_C(1541662890957000000), false},
        {"2018-11-08 07:41:30.957Z", INT64_C(1541662890957000000), false},
        {" 2018-11-08T07:41:30,957Z ", INT64_C(1541662890957000000), false},
        {"2018/11/08 07:41:30.957", INT64_C(1541662890957000000), true},
        {"2018-11-08T07:41:30.957", INT64_C(1541662890957000000), true},
        {"2018-11-08T09:11:30.957+01:30", INT64_C(1541662890957000000), false},
        {"2018-11-08T09:11:30.957+0130", INT64_C(1541662890957000000), false},
        {"2018-11-07T23:41:30.957-08", INT64_C(1541662890957000000), false},
        {"2018-11-07T23:41:30.957 -08:00", INT64_C(1541662890957000000), false},
        {"2018-11-08T07:41:30.957123456Z", INT64_C(1541662890957123456), false},
        {"1541662890.957", INT64_C(1541662890957000000), false},
        {"1541662890", INT64_C(1541662890000000000), false},
        {"-1.5", INT64_C(-1500000000), false},
        {"1541662890957", INT64_C(1541662890957000000), false},
        {"1541662890957123", INT64_C(1541662890957123000), false},
        {"1541662890957123456", INT64_C(1541662890957123456), false},
        {"2016-12-31T23:59:60Z", INT64_C(1483228800000000000), false}, /* a leap second */
        {"2000-02-29T00:00:00Z", INT64_C(951782400000000000), false},
        {"1677-09-21T00:12:43.145224193Z", INT64_MIN + 1, false},
        {"2262-04-11T23:47:16.854775807Z", INT64_MAX, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct gs_time_reader r = {0};
        int64_t t = 42;
        assert_true(gs_time_parse(&r, gs_str(cases[i].text), &t));
        assert_int_equal(t, cases[i].t_ns);
        assert_int_equal(r.zoneless, cases[i].zoneless);
        assert_false(r.rounded);
    }
}

static void what_is_not_a_time_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        " ",
        "x",
        "2018-11-08",
        "2018-11-08T",
        "2018-11-08T07:41",
        "2018-11-08T07:41:30.Z",
        "2018-13-08T07:41:30Z",
        "2018-00-08T07:41:30Z",
        "2018-11-31T07:41:30Z",
        "2018-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2018-11-00T07:41:30Z",
        "2018-11-08T24:00:00Z",
        "2018-11-08T07:60:30Z",
        "2018-11-08T07:41:61Z",
        "2018-11/08T07:41:30Z",
        "2018-11-08T07:41:30ZZ",
        "2018-11-08T07:41:30+24:00",
        "2018-11-08T07:41:30+01:60",
        "2018-11-08T07:41:30+1",
        "18-11-08T07:41:30Z",
        "2018-11-08X07:41:30Z",
        "1500-01-01T00:00:00Z",
        "2263-01-01T00:00:00Z",
        "12e3",
        "1.",
        "99999999999999999999",
        "99999999999",
        "--1",
        "2018-11-08T07:41:30.957 Z Z",
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct gs_time_reader r = {0};
        int64_t t = 42;
        if (gs_time_parse(&r, gs_str(bad[i]), &t))
            fail_msg("'%s' was taken as %lld", bad[i], (long long)t);
        assert_int_equal(t, 42);
        assert_false(r.zoneless);
    }
}

static void digits_beyond_the_nanosecond_round_once(void **state)
{
    (void)state;
    struct gs_time_reader r = {0};
    int64_t t;
    assert_true(gs_time_parse(&r, gs_str("1970-01-01T00:00:00.0000000014Z"), &t));
    assert_int_equal(t, 1);
    assert_true(r.rounded);
    r.rounded = false;
    assert_true(gs_time_parse(&r, gs_str("1970-01-01T00:00:00.9999999995Z"), &t));
    assert_int_equal(t, GS_NS_PER_S);
    assert_true(r.rounded);
    r.rounded = false;
    assert_true(gs_time_parse(&r, gs_str("1970-01-01T00:00:00.1000000000000Z"), &t));
    assert_int_equal(t, 100000000);
    assert_false(r.rounded);
}

static void a_zone_given_applies_to_times_that_name_none(void **state)
{
    (void)state;
    struct gs_time_reader r = {.zone = {.offset_s = 5 * 3600 + 45 * 60}};
    int64_t t;
    assert_true(gs_time_parse(&r, gs_str("1970-01-01T05:45:00"), &t));
    assert_int_equal(t, 0);
    assert_true(gs_time_parse(&r, gs_str("1970-01-01T05:45:00Z"), &t));
    assert_int_equal(t, INT64_C(20700) * GS_NS_PER_S);
    assert_true(gs_time_parse(&r, gs_str("0"), &t)); /* an epoch has no zone */
    assert_int_equal(t, 0);
}

static void random_instants_agree_with_the_c_library(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) {
        const int64_t s = (int64_t)random_below(UINT64_C(18000000000)) - INT64_C(9000000000);
        const int digits = 3 * (1 + (int)random_below(3));
        const int64_t unit = digits == 3 ? 1000000 : digits == 6 ? 1000 : 1;
        const int64_t fraction = (int64_t)random_below(1000000000) / unit;
        const time_t clock = (time_t)s;
        struct tm tm;
        char date[40], want[64], out[GS_TIME_TEXT_MAX];
        assert_non_null(gmtime_r(&clock, &tm));
        assert_true(strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &tm) > 0);
        (void)snprintf(want, sizeof want, "%s.%0*lldZ", date, digits, (long long)fraction);
        struct gs_time_reader r = {0};
        int64_t t;
        assert_true(gs_time_parse(&r, gs_str(want), &t));
        assert_int_equal(t, s * GS_NS_PER_S + fraction * unit);
        /* Written with the fewest of 3, 6, 9 digits, it reads back the same. */
        const int n = gs_time_format(out, t);
        assert_int_equal(strlen(out), n);
        assert_int_equal(strncmp(out, date, strlen(date)), 0);
        int64_t again;
        assert_true(gs_time_parse(&r, gs_str(out), &again));
        assert_int_equal(again, t);
        if (fraction % 1000 != 0)
            assert_string_equal(out, want);
    }
}

static void the_ends_of_time_are_written(void **state)
{
    (void)state;
    char out[GS_TIME_TEXT_MAX];
    gs_time_format(out, INT64_MAX);
    assert_string_equal(out, "2262-04-11T23:47:16.854775807Z");
    gs_time_format(out, INT64_MIN + 1);
    assert_string_equal(out, "1677-09-21T00:12:43.145224193Z");
    gs_time_format(out, -1);
    assert_string_equal(out, "1969-12-31T23:59:59.999999999Z");
    gs_time_format(out, 0);
    assert_string_equal(out, "1970-01-01T00:00:00.000Z");
}

static void zones_are_offsets_only(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t offset_s;
    } good[] = {{"UTC", 0},        {"utc", 0},     {"Z", 0},     {"+01:00", 3600},
                {"-0330", -12600}, {"+05", 18000}, {"-00:00", 0}};
    static const char *const bad[] = {"",       "CET",    "01:00",   "+1",
                                      "+24:00", "+01:60", "+01:00x", "UTC+1"};
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        int32_t s = 42;
        assert_true(gs_zone_parse(gs_str(good[i].text), &s));
        assert_int_equal(s, good[i].offset_s);
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        int32_t s = 42;
        assert_false(gs_zone_parse(gs_str(bad[i]), &s));
        assert_int_equal(s, 42);
    }
}

static void durations_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ns;
    } good[] = {{"0", 0},
                {"1", GS_NS_PER_S},
                {"1.5s", 1500000000},
                {"20ms", 20000000},
                {"3 us", 3000},
                {"7ns", 7},
                {"2m", 120 * GS_NS_PER_S},
                {"2min", 120 * GS_NS_PER_S},
                {"1h", 3600 * GS_NS_PER_S},
                {"1d", 86400 * GS_NS_PER_S},
                {"0.001ms", 1000},
                {"100000d", INT64_C(100000) * 86400 * GS_NS_PER_S},
                {"9000000000001ns", INT64_C(9000000000001)},
                {"9223372036854775807ns", INT64_MAX},
                {"9223372036s", INT64_C(9223372036) * GS_NS_PER_S}};
    static const char *const bad[] = {
        "",           "s",       "-1",         "1w",    "1.5.5",
        "1e3",        "200000d", "0.0000001s", "1 s s", "9223372036854775808ns",
        "9223372037s"};
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        int64_t ns = 42;
        assert_true(gs_duration_parse(gs_str(good[i].text), &ns));
        assert_int_equal(ns, good[i].ns);
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        int64_t ns = 42;
        if (gs_duration_parse(gs_str(bad[i]), &ns))
            fail_msg("'%s' was taken as %lld", bad[i], (long long)ns);
        assert_int_equal(ns, 42);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_accepted_notation_is_one_instant),
        cmocka_unit_test(what_is_not_a_time_is_refused),
        cmocka_unit_test(digits_beyond_the_nanosecond_round_once),
        cmocka_unit_test(a_zone_given_applies_to_times_that_name_none),
        cmocka_unit_test(random_instants_agree_with_the_c_library),
        cmocka_unit_test(the_ends_of_time_are_written),
        cmocka_unit_test(zones_are_offsets_only),
        cmocka_unit_test(durations_have_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
