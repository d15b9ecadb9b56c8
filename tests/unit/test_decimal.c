/* test_decimal.c - readings to and from text, against plain long-hand arithmetic and the C library. */
#include "fixture.h"

#include <math.h>

#include "base/num/decimal.h"

static enum gs_number fixed(const char *text, int64_t *value, bool *rounded)
{
    *rounded = false;
    *value = 42;
    return gs_fixed_parse(gs_str(text), value, rounded);
}

static void readings_are_exact_millionths(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
        bool rounded;
    } cases[] = {
        {"26.98", 26980000, false},
        {"0", 0, false},
        {"-3", -3000000, false},
        {"+3", 3000000, false},
        {".5", 500000, false},
        {"5.", 5000000, false},
        {"00000000000000000000012.5", 12500000, false},
        {" 12\t", 12000000, false},
        {"1.2e-3", 1200, false},
        {"12E2", 1200000000, false},
        {"0.000001", 1, false},
        {"0.0000004", 0, true},
        {"0.0000005", 1, true},
        {"-0.0000005", -1, true},
        {"1.0000014999999999999999999999", 1000001, true},
        {"1.0000015", 1000002, true},
        {"1.000001000000000000000000000000", 1000001, false},
        {"9000000000000", INT64_C(9000000000000000000), false},
        {"-9000000000000", INT64_C(-9000000000000000000), false},
        {"1e-300", 0, true},
        {"0e999999999", 0, false},
        {"123456789012.345678", INT64_C(123456789012345678), false},
        {"123456789012.3456785", INT64_C(123456789012345679), true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int64_t value;
        bool rounded;
        assert_int_equal(fixed(cases[i].text, &value, &rounded), GS_NUMBER_OK);
        assert_int_equal(value, cases[i].value);
        assert_int_equal(rounded, cases[i].rounded);
    }
}

/* Neither reader takes any of them, and both leave what was there. */
static void must_all_be(enum gs_number what, const char *const *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int64_t value;
        bool rounded;
        double real = 42;
        assert_int_equal(fixed(text[i], &value, &rounded), what);
        assert_int_equal(value, 42);
        assert_int_equal(gs_real_parse(gs_str(text[i]), &real), what);
        assert_true(real == 42);
    }
}

static void words_for_no_value_are_missing(void **state)
{
    (void)state;
    static const char *const words[] = {"",
                                        "  ",
                                        "N/A",
                                        "[N/A]",
                                        "[n/a]",
                                        "[Not Supported]",
                                        "[Unknown Error]",
                                        "[Not Found]",
                                        "[GPU requires reset]",
                                        "nan",
                                        "NaN",
                                        " N/A ",
                                        "NA",
                                        "null",
                                        "None",
                                        "-",
                                        " - ",
                                        "ERR!",
                                        "[Insufficient Permissions]",
                                        "[GPU is lost]",
                                        "Not Supported"};
    must_all_be(GS_NUMBER_MISSING, words, COUNT_OF(words));
}

static void what_is_not_a_number_is_said_to_be_none(void **state)
{
    (void)state;
    static const char *const bad[] = {"x",   "1x",  "1 2",  "--1",   "+-1",         ".",
                                      "- 1", "e5",  "1e",   "1e+",   "1..2",        "0x10",
                                      "inf", "1,5", "N/A?", "1e5.5", "\xef\xbc\x91"};
    must_all_be(GS_NUMBER_BAD, bad, COUNT_OF(bad));
}

static void what_is_too_large_is_out_of_range(void **state)
{
    (void)state;
    static const char *const large[] = {"9000000000000.000001", "1e13", "-1e300",
                                        "99999999999999999999999999", "1e99999"};
    for (size_t i = 0; i < COUNT_OF(large); i++) {
        int64_t value;
        bool rounded;
        assert_int_equal(fixed(large[i], &value, &rounded), GS_NUMBER_RANGE);
        assert_int_equal(value, 42);
    }
    double real;
    assert_int_equal(gs_real_parse(gs_str("1e999"), &real), GS_NUMBER_RANGE);
}

/* 27 digits count; the rest of the text is left for a unit; scaling is exact before it rounds. */
static void a_number_is_taken_off_a_text_and_scaled_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *text, *rest;
        int64_t num, den, value; /* in 10^-6 */
        bool rounded;
    } cases[] = {
        {"0.1 kW", " kW", 1000, 1, 100000000, false},
        {"-1.5e3J", "J", 1, 1, -1500000000, false},
        {"2e", "e", 1, 1, 2000000, false},
        {"7.5.1", ".1", 1, 1, 7500000, false},
        {"1", "", 1, 3, 333333, true},
        {"1.5", "", 1, 1000000, 2, true},
        {"1e-150", "", 1, 1000, 0, true},
        {"1.000000000000000000000000001", "", 1, 1, 1000000, true},
        {"0.99999949999999999999999999999", "", 1, 1, 999999, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct gs_str text = gs_str(cases[i].text);
        struct gs_decimal d;
        int64_t value = 42;
        bool rounded = false;
        assert_true(gs_decimal_take(&text, &d));
        assert_true(gs_str_eq(text, gs_str(cases[i].rest)));
        assert_true(gs_decimal_scale(&d, 6, cases[i].num, cases[i].den, &value, &rounded));
        assert_int_equal(value, cases[i].value);
        assert_int_equal(rounded, cases[i].rounded);
    }
    struct gs_str unit = gs_str("kW");
    struct gs_decimal d;
    assert_false(gs_decimal_take(&unit, &d));
}

static void random_readings_survive_the_way_through_text(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; i++) {
        const int64_t want =
            (int64_t)(random_bits() % (UINT64_C(9000000000000000001) >> random_below(60))) *
            (i % 2 == 0 ? 1 : -1);
        const uint64_t magnitude = want < 0 ? 0 - (uint64_t)want : (uint64_t)want;
        char text[64];
        int64_t value;
        bool rounded;
        (void)snprintf(text, sizeof text, "%s%llu.%06llu%s", want < 0 ? "-" : "",
                       (unsigned long long)(magnitude / 1000000),
                       (unsigned long long)(magnitude % 1000000), i % 3 == 0 ? "000" : "");
        assert_int_equal(fixed(text, &value, &rounded), GS_NUMBER_OK);
        assert_int_equal(value, want);
        assert_false(rounded);
    }
}

static void counts_know_their_bounds(void **state)
{
    (void)state;
    uint64_t n = 42;
    assert_int_equal(gs_count_parse(gs_str("0"), 0, &n), GS_NUMBER_OK);
    assert_int_equal(n, 0);
    assert_int_equal(gs_count_parse(gs_str("18446744073709551615"), UINT64_MAX, &n), GS_NUMBER_OK);
    assert_true(n == UINT64_MAX);
    assert_int_equal(gs_count_parse(gs_str("18446744073709551616"), UINT64_MAX, &n),
                     GS_NUMBER_RANGE);
    assert_int_equal(gs_count_parse(gs_str("99999999999999999999999"), UINT64_MAX, &n),
                     GS_NUMBER_RANGE);
    assert_int_equal(gs_count_parse(gs_str("8"), 7, &n), GS_NUMBER_RANGE);
    assert_int_equal(gs_count_parse(gs_str("-1"), 7, &n), GS_NUMBER_BAD);
    assert_int_equal(gs_count_parse(gs_str("1.0"), 7, &n), GS_NUMBER_BAD);
    assert_int_equal(gs_count_parse(gs_str(""), 7, &n), GS_NUMBER_MISSING);
    assert_true(n == UINT64_MAX);
}

static void integers_are_written_to_their_ends(void **state)
{
    (void)state;
    static const int64_t values[] = {0,   1,         -1,        9,         10,
                                     -10, 123456789, INT64_MAX, INT64_MIN, INT64_MIN + 1};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        char out[GS_REAL_TEXT_MAX], want[GS_REAL_TEXT_MAX];
        const int n = snprintf(want, sizeof want, "%lld", (long long)values[i]);
        assert_int_equal(gs_int_format(out, values[i]), n);
        assert_string_equal(out, want);
    }
}

static void doubles_are_written_as_people_expect(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "0"},
        {1, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {0.3, "0.3"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {2.0 / 3, "0.6666666666666666"},
        {1e16, "10000000000000000"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {99999999999999984.0, "99999999999999980"},
        {1e17, "1e+17"},
        {1e22, "1e+22"},
        {1e-5, "0.00001"},
        {0.000012345, "0.000012345"},
        {9.999e-6, "9.999e-06"},
        {1.5e-7, "1.5e-07"},
        {5e-324, "4.94065645841247e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {9007199254740993.0, "9007199254740992"},
        {4503599627370495.5, "4503599627370495.5"},
        {41214.82951241672, "41214.82951241672"},
        {0.00390625, "0.00390625"},
        {8.41, "8.41"},
        {100, "100"},
        {1e15, "1000000000000000"},
        {123456.789e3, "123456789"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char out[GS_REAL_TEXT_MAX];
        assert_int_equal(gs_real_format(out, cases[i].value), strlen(cases[i].text));
        assert_string_equal(out, cases[i].text);
    }
}

/* The digits of a number without its point, exponent and outer zeros. */
static void significant(const char *text, char *digits)
{
    size_t n = 0;
    for (; *text != '\0' && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (n > 0 || *text != '0'))
            digits[n++] = *text;
    while (n > 0 && digits[n - 1] == '0')
        n--;
    digits[n] = '\0';
}

static double draw_double(int kind)
{
    uint64_t bits = random_bits();
    double v;
    switch (kind) {
    case 0: /* any exponent that is written in plain notation */
        bits = (bits & (UINT64_MAX >> 12)) | (1006 + random_below(74)) << 52;
        memcpy(&v, &bits, sizeof v);
        return v;
    case 1:
        return (double)(bits >> 34) / (double)(1 + random_below(1000));
    case 2: /* powers of two, where the gaps on both sides differ, and their neighbours */
        v = ldexp(1, (int)random_below(74) - 17);
        return bits % 3 == 0 ? v : nextafter(v, bits % 3 == 1 ? 0 : 1e300);
    case 3: /* decimals */
        return (double)(bits >> (8 + random_below(50))) / pow(10, (double)random_below(12));
    default: /* anything finite */
        do
            bits = random_bits(), memcpy(&v, &bits, sizeof v);
        while (!isfinite(v));
        return v;
    }
}

static void random_doubles_are_written_shortest_and_read_back(void **state)
{
    (void)state;
    for (int i = 0; i < 400000; i++) {
        const double v = draw_double(i % 5) * (i % 2 == 0 ? 1 : -1);
        char out[GS_REAL_TEXT_MAX], printed[64], want[64], got[64];
        const int n = gs_real_format(out, v);
        assert_int_equal(strlen(out), n);
        assert_true(strtod(out, NULL) == v);
        /* The C library's digits at the least precision of 15 to 17 that reads back. */
        int precision = 14;
        do
            (void)snprintf(printed, sizeof printed, "%.*e", precision++, v);
        while (strtod(printed, NULL) != v);
        significant(printed, want);
        significant(out, got);
        assert_string_equal(got, want);
    }
}

static void reals_read_as_the_c_library_reads_them(void **state)
{
    (void)state;
    for (int i = 0; i < 50000; i++) {
        const double v = draw_double(i % 5);
        char text[64];
        double got;
        (void)snprintf(text, sizeof text, "%.*g", 1 + (int)random_below(20), v);
        assert_int_equal(gs_real_parse(gs_str(text), &got), GS_NUMBER_OK);
        assert_true(got == strtod(text, NULL));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(readings_are_exact_millionths),
        cmocka_unit_test(words_for_no_value_are_missing),
        cmocka_unit_test(what_is_not_a_number_is_said_to_be_none),
        cmocka_unit_test(what_is_too_large_is_out_of_range),
        cmocka_unit_test(a_number_is_taken_off_a_text_and_scaled_exactly),
        cmocka_unit_test(random_readings_survive_the_way_through_text),
        cmocka_unit_test(counts_know_their_bounds),
        cmocka_unit_test(integers_are_written_to_their_ends),
        cmocka_unit_test(doubles_are_written_as_people_expect),
        cmocka_unit_test(random_doubles_are_written_shortest_and_read_back),
        cmocka_unit_test(reals_read_as_the_c_library_reads_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
