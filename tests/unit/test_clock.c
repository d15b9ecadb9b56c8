/* Times in every form, units, and what a column's name says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "input/times/clock.h"
#include "input/schema/column_meaning.h"

static const struct gs_unit none = {GS_Q_NONE, 1, 1, ""};

static void expect(const char *text, const char *unit, const char *shown)
{
    struct gs_clock c = {.origin_ns = GS_MISSING, .last_of_day_ns = -1};
    char out[GS_TIME_TEXT_MAX] = "none";
    int64_t t;
    if (gs_clock_read(&c, gs_str(text), gs_str(unit), none, &t) == GS_TIME_OK)
        (void)gs_time_format(out, t);
    assert_string_equal(out, shown);
}

static void every_form_of_time_is_read(void **state)
{
    (void)state;
    expect("2024-05-17T00:15:31.527Z", NULL, "2024-05-17T00:15:31.527Z");
    expect("2024-05-17 00:15:31.123456789+02:00", NULL, "2024-05-16T22:15:31.123456789Z");
    expect("2023/07/08 19:28:27.236", NULL, "2023-07-08T19:28:27.236Z");
    expect(" 2023/07/08 19:28:27,236 ", NULL, "2023-07-08T19:28:27.236Z");
    expect("1715904931", NULL, "2024-05-17T00:15:31.000Z");
    expect("1715904931.527", NULL, "2024-05-17T00:15:31.527Z");
    expect("1.715904931527e9", NULL, "2024-05-17T00:15:31.527Z");
    expect("1715904931527", NULL, "2024-05-17T00:15:31.527Z");
    expect("1715904931527.25", NULL, "2024-05-17T00:15:31.527250Z");
    expect("1715904931527250", NULL, "2024-05-17T00:15:31.527250Z");
    expect("1715904931527250001", NULL, "2024-05-17T00:15:31.527250001Z");
    expect("1715904931527", "ms", "2024-05-17T00:15:31.527Z");
    expect("1715904931527000", "us", "2024-05-17T00:15:31.527Z");
    expect("07-30-2022 04:40:27.326", "MM-DD-YYYY hh:mm:ss", "2022-07-30T04:40:27.326Z");
    expect("30.07.2022 04:40", "DD.MM.YYYY hh:mm", "2022-07-30T04:40:00.000Z");
    expect("Tue Jul  4 04:40:27 2023", "* Mon DD hh:mm:ss YYYY", "2023-07-04T04:40:27.000Z");
    expect("7/4/2023 12:40:27 AM", "MM/DD/YYYY hh:mm:ss AM", "2023-07-04T00:40:27.000Z");
    expect("07/04/2023 12:40:27.5 pm", "MM/DD/YYYY hh:mm:ss AM", "2023-07-04T12:40:27.500Z");
    expect("07/04/2023 13:40:27 PM", "MM/DD/YYYY hh:mm:ss AM", "none");
    expect("07/04/2023 0:40:27 AM", "MM/DD/YYYY hh:mm:ss AM", "none");
    expect("07/04/2023 1:40:27 XM", "MM/DD/YYYY hh:mm:ss AM", "none");
    expect("2023-07-04 02:00:00 GMT", "YYYY-MM-DD hh:mm:ss UTC", "2023-07-04T02:00:00.000Z");
}

/* Those that mean one thing everywhere need not be said. */
static void forms_that_cannot_be_misread_are_known(void **state)
{
    (void)state;
    expect("30.07.2022 04:40:27,5", NULL, "2022-07-30T04:40:27.500Z");
    expect("Tue Jul  4 04:40:27 2023", NULL, "2023-07-04T04:40:27.000Z");
    expect("Tue Jul  4 04:40:27 UTC 2023", NULL, "2023-07-04T04:40:27.000Z");
    expect("Tue Jul  4 04:40:27 PM UTC 2023", NULL, "2023-07-04T16:40:27.000Z");
    expect("Tue 04 Jul 2023 12:40:27 AM UTC", NULL, "2023-07-04T00:40:27.000Z");
    expect("Tue, 04 Jul 2023 12:40:27 GMT", NULL, "2023-07-04T12:40:27.000Z");
    expect("Jul 4 2023 04:40:27.25", NULL, "2023-07-04T04:40:27.250Z");
    expect("04-Jul-2023 04:40:27", NULL, "2023-07-04T04:40:27.000Z");
    expect("2023-07-04 04:40:27 PM", NULL, "2023-07-04T16:40:27.000Z");
    expect("30.07.2022 4:40:27:035", NULL, "2022-07-30T04:40:27.035Z");
    expect("30.07.2022 4:40:27:03", NULL, "none");
    expect("Tue Jul 34 04:40:27 2023", NULL, "none");
    expect("Tue Jul  4 04:40 2023", NULL, "none");
}

static void what_says_utc_has_a_zone(void **state)
{
    (void)state;
    static const char *const zoned[] = {"Tue Jul  4 04:40:27 UTC 2023", "2023-07-04T04:40:27Z",
                                        "1688445627"};
    static const char *const zoneless[] = {"Tue Jul  4 04:40:27 2023", "04.07.2023 04:40:27",
                                           "2023-07-04 04:40:27 AM"};
    for (size_t i = 0; i < 3; i++) {
        struct gs_clock a = {.origin_ns = GS_MISSING, .last_of_day_ns = -1}, b = a;
        int64_t t;
        assert_int_equal(gs_clock_read(&a, gs_str(zoned[i]), gs_str(NULL), none, &t), GS_TIME_OK);
        assert_true(a.zoned && !a.reader.zoneless);
        assert_int_equal(gs_clock_read(&b, gs_str(zoneless[i]), gs_str(NULL), none, &t),
                         GS_TIME_OK);
        assert_true(b.reader.zoneless && !b.zoned);
    }
}

static void what_is_no_time_says_what_it_looks_like(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum gs_time_fault fault;
    } cases[] = {
        {"", GS_TIME_MISSING},
        {"N/A", GS_TIME_MISSING},
        {"Unknown", GS_TIME_MISSING},
        {"hello", GS_TIME_BAD},
        {"10:12:46.483", GS_TIME_OF_DAY},
        {"7:12:46:483", GS_TIME_OF_DAY},
        {"Dec 31 23:59:00", GS_TIME_OF_YEAR},
        {"I1231 23:59:00.123456", GS_TIME_OF_YEAR},
        {"05-06-2024 10:00:00", GS_TIME_DAY_MONTH},
        {"05/06/2024 10:00:00", GS_TIME_DAY_MONTH},
        {"5/6/2024 1:00:00 PM", GS_TIME_DAY_MONTH},
        {"Tue Jul  4 04:40:27 CEST 2023", GS_TIME_ZONE_WORD},
        {"26940649047", GS_TIME_OUTSIDE},
        {"12.5", GS_TIME_OUTSIDE},
        {"4203669604595", GS_TIME_OUTSIDE},
        {"2017-10-03 00:00:00 PDT", GS_TIME_ZONE_WORD},
        {"1999-12-31T23:59:59Z", GS_TIME_OUTSIDE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gs_clock c = {.origin_ns = GS_MISSING, .last_of_day_ns = -1};
        int64_t t;
        assert_int_equal(gs_clock_read(&c, gs_str(cases[i].text), gs_str(NULL), none, &t),
                         cases[i].fault);
    }
}

static void a_date_without_a_year_is_of_the_nearest_one(void **state)
{
    static const struct {
        const char *origin, *text, *shown;
    } cases[] = {
        {"2024-12-31T23:00:00Z", "Jan  1 00:10:00", "2025-01-01T00:10:00.000Z"},
        {"2025-01-01T00:00:00Z", "Dec 31 23:59:00", "2024-12-31T23:59:00.000Z"},
        {"2024-12-31T23:00:00Z", "W0703 01:02:03.25", "2024-07-03T01:02:03.250Z"},
        {"2024-02-20T12:00:00Z", "02-29 12:00:00", "2024-02-29T12:00:00.000Z"},
        {"2025-06-10T12:00:00Z", "Jun 10 08:01", "2025-06-10T08:01:00.000Z"},
        {"2025-06-10T12:00:00Z", "Jun 10 08:01:02 L", "2025-06-10T08:01:02.000Z"},
        {"2025-06-10T12:00:00Z", "Jun 10 08:01:02 2019", "2019-06-10T08:01:02.000Z"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gs_clock c = gs_clock_of(gs_str(NULL));
        char out[GS_TIME_TEXT_MAX];
        int64_t t;
        assert_int_equal(gs_clock_read(&c, gs_str(cases[i].origin), gs_str(NULL), none, &t),
                         GS_TIME_OK);
        c.origin_ns = t;
        assert_int_equal(gs_clock_read(&c, gs_str(cases[i].text), gs_str(NULL), none, &t),
                         GS_TIME_OK);
        (void)gs_time_format(out, t);
        assert_string_equal(out, cases[i].shown);
    }
}

static void an_origin_makes_a_clock_of_its_own_one_of_the_world(void **state)
{
    (void)state;
    const struct gs_unit ns = gs_unit_find(gs_str("ns"));
    struct gs_clock c = {.origin_ns = INT64_C(1714564800) * GS_NS_PER_S, .last_of_day_ns = -1};
    int64_t t;
    assert_int_equal(gs_clock_read(&c, gs_str("26940649047"), gs_str(NULL), ns, &t), GS_TIME_OK);
    assert_true(t == INT64_C(1714564826940649047));
    /* times of day begin again at midnight */
    assert_int_equal(gs_clock_read(&c, gs_str("23:59:59.5"), gs_str(NULL), none, &t), GS_TIME_OK);
    assert_true(t == INT64_C(1714607999500000000));
    assert_int_equal(gs_clock_read(&c, gs_str("00:00:01"), gs_str(NULL), none, &t), GS_TIME_OK);
    assert_true(t == INT64_C(1714608001000000000));
}

static void lengths_of_time_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *text, *unit;
        int64_t ns;
    } cases[] = {
        {"2", "", INT64_C(2000000000)},
        {"0.5", "", 500000000},
        {"500", "ms", 500000000},
        {"29.5s", "", INT64_C(29500000000)},
        {"2.345678901s", "", INT64_C(2345678901)},
        {"1m 3s", "", INT64_C(63000000000)},
        {"500ms", "s", 500000000},
        {"01:02:03", "", INT64_C(3723000000000)},
        {"1-02:03:04", "", INT64_C(93784000000000)},
        {"02:03", "", INT64_C(123000000000)},
        {"8.25e-05", "s", 82500},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ns = -1;
        assert_true(
            gs_duration_read(gs_str(cases[i].text), gs_unit_find(gs_str(cases[i].unit)), &ns));
        assert_true(ns == cases[i].ns);
    }
    int64_t ns;
    assert_false(gs_duration_read(gs_str("soon"), none, &ns));
    assert_false(gs_duration_read(gs_str("-3"), none, &ns));
    assert_false(gs_duration_read(gs_str("1:2:3:4"), none, &ns));
}

static void readings_are_converted_with_all_their_digits(void **state)
{
    (void)state;
    static const struct {
        const char *text, *unit;
        int64_t fixed;
    } cases[] = {
        {"22.19 W", "W", 22190000},
        {"22190 mW", "W", 22190000},
        {"5860", "mW", 5860000},
        {"1.5", "kW", 1500000000},
        {"2.5e-05", "kWh", 90000000},
        {"8.236909446627563e-05", "kWh", 296528740},
        {"1", "B", 1},
        {"17809408", "B", 16984375},
        {"0.75", "share", 75000000},
        {"-40", "C", -40000000},
        {"0", "mW", 0},
        {"55 %", "%", 55000000},
        {"1980000", "kHz", 1980000000},
        {"59W / 400W", "W", 59000000},
        {"59 / 400 W", "W", 59000000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t v = -1;
        bool rounded = false;
        assert_int_equal(gs_scaled_parse(gs_str(cases[i].text), gs_unit_find(gs_str(cases[i].unit)),
                                         &v, &rounded),
                         GS_NUMBER_OK);
        assert_true(v == cases[i].fixed);
    }
    int64_t v;
    bool rounded = false;
    assert_int_equal(gs_scaled_parse(gs_str("22 C"), gs_unit_find(gs_str("W")), &v, &rounded),
                     GS_NUMBER_BAD);
    assert_int_equal(gs_scaled_parse(gs_str("59 W / N"), gs_unit_find(gs_str("W")), &v, &rounded),
                     GS_NUMBER_BAD);
    assert_int_equal(gs_scaled_parse(gs_str("x"), gs_unit_find(gs_str("mW")), &v, &rounded),
                     GS_NUMBER_BAD);
    assert_int_equal(gs_scaled_parse(gs_str("[N/A]"), gs_unit_find(gs_str("mW")), &v, &rounded),
                     GS_NUMBER_MISSING);
    assert_int_equal(gs_scaled_parse(gs_str("1e300"), gs_unit_find(gs_str("kW")), &v, &rounded),
                     GS_NUMBER_RANGE);
}

static void a_name_means_a_metric_as_a_whole_or_not_at_all(void **state)
{
    (void)state;
    static const struct {
        const char *column, *metric, *unit;
    } cases[] = {
        {"power.draw [W]", "power_w", "W"},
        {"powerDrawWatt", "power_w", "W"},
        {"GPU Power (W)", "power_w", "W"},
        {"power_mw", "power_w", "mW"},
        {"Power (mW)", "power_w", "mW"},
        {"nvidia_gpu_power_usage_milliwatts", "power_w", "mW"},
        {"rocm_average_socket_power_watts", "power_w", "W"},
        {"Watts", "power_w", "W"},
        {"gpuTempC", "temp_c", "C"},
        {"temperature.gpu", "temp_c", ""},
        {"utilization.gpu [%]", "gpu_util_pct", "%"},
        {"gpuMemUtilPerc", "mem_util_pct", "%"},
        {"power.draw.instant [W]", "power_instant_w", "W"},
        {"power_w", "power_w", "W"},
        {"cpu_power", NULL, ""},
        {"ram_power", NULL, ""},
        {"mem_power", NULL, ""},
        {"Max Graphics Package Power (W)", NULL, "W"},
        {"power_cap_reached", NULL, ""},
        {"total_power_w", NULL, "W"},
        {"power_mW", "power_w", "mW"},
        {"Power.Draw.mW", "power_w", "mW"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gs_name n;
        bool needs_unit;
        gs_name_split(gs_str(cases[i].column), &n);
        const struct gs_metric *const m = gs_name_metric(&n, &needs_unit);
        if ((m == NULL) != (cases[i].metric == NULL))
            print_message("%s\n", cases[i].column);
        assert_int_equal(m == NULL, cases[i].metric == NULL);
        if (m != NULL)
            assert_string_equal(m->name, cases[i].metric);
        assert_string_equal(n.unit.shown, cases[i].unit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_time_is_read),
        cmocka_unit_test(forms_that_cannot_be_misread_are_known),
        cmocka_unit_test(what_says_utc_has_a_zone),
        cmocka_unit_test(what_is_no_time_says_what_it_looks_like),
        cmocka_unit_test(a_date_without_a_year_is_of_the_nearest_one),
        cmocka_unit_test(an_origin_makes_a_clock_of_its_own_one_of_the_world),
        cmocka_unit_test(lengths_of_time_have_units),
        cmocka_unit_test(readings_are_converted_with_all_their_digits),
        cmocka_unit_test(a_name_means_a_metric_as_a_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
