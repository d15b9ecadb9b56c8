/* test_zone.c - zones by name: files made here byte by byte, rules, hours that occur twice or never. */
#include "arena_fixture.h"

#include "base/num/timestamp.h"
#include "base/num/tzif.h"
#include "base/num/zone_rule.h"
#include "input/times/zone_file.h"

static char file[4096];
static size_t n_file;

static void put(int64_t value, unsigned n)
{
    for (unsigned i = n; i-- > 0;)
        file[n_file++] = (char)((uint64_t)value >> 8 * i);
}

struct made {
    size_t n_times, n_types;
    int64_t time[8];
    unsigned char type[8];
    int32_t offset[4];
    const char *rule;
};

static void put_block(const struct made *m, unsigned width)
{
    memcpy(file + n_file, "TZif2", 5);
    memset(file + n_file + 5, 0, 15);
    n_file += 20;
    put(0, 4), put(0, 4), put(0, 4);
    put((int64_t)m->n_times, 4), put((int64_t)m->n_types, 4), put(4, 4);
    for (size_t i = 0; i < m->n_times; i++)
        put(m->time[i], width);
    for (size_t i = 0; i < m->n_times; i++)
        put(m->type[i], 1);
    for (size_t i = 0; i < m->n_types; i++)
        put(m->offset[i], 4), put(0, 1), put(0, 1);
    put(0x41424300, 4);
}

static enum gs_status make(const struct made *m, struct gs_zone *z, struct gs_err *err)
{
    n_file = 0;
    put_block(m, 4);
    put_block(m, 8);
    file[n_file++] = '\n';
    memcpy(file + n_file, m->rule, strlen(m->rule));
    n_file += strlen(m->rule);
    file[n_file++] = '\n';
    return gs_zone_of_tzif(file, n_file, "Europe/Berlin", &arena, z, err);
}

/* Berlin as of 2023-10-29 01:00 UTC, and by its rule from then on. */
static const struct made berlin = {
    .n_times = 2,
    .n_types = 3,
    .time = {1679792400, 1698541200}, /* 2023-03-26 and 2023-10-29, 01:00 UTC */
    .type = {1, 2},
    .offset = {3208, 7200, 3600},
    .rule = "CET-1CEST,M3.5.0,M10.5.0/3"};

static bool reads(struct gs_time_reader *r, const char *text, const char *utc)
{
    int64_t t, expected;
    struct gs_time_reader plain = {0};
    assert_true(gs_time_parse(&plain, gs_str(utc), &expected));
    return gs_time_parse(r, gs_str(text), &t) && t == expected;
}

static void local_times_become_instants(void **state)
{
    (void)state;
    struct gs_time_reader r = {0};
    assert_int_equal(make(&berlin, &r.zone, NULL), GS_OK);
    assert_true(reads(&r, "1900-01-01 00:53:28",
                      "1900-01-01T00:00:00Z")); /* before all changes: mean time */
    assert_true(reads(&r, "2023-07-01 12:00:00.25", "2023-07-01T10:00:00.250Z"));
    assert_true(reads(&r, "2023-12-01 12:00:00", "2023-12-01T11:00:00Z"));
    assert_true(reads(&r, "2024-03-31 01:59:59", "2024-03-31T00:59:59Z"));
    assert_true(reads(&r, "2024-03-31 03:00:00", "2024-03-31T01:00:00Z"));
    assert_true(reads(&r, "2024-10-27 01:59:59.999", "2024-10-26T23:59:59.999Z"));
    assert_true(reads(&r, "2024-10-27 03:00:00", "2024-10-27T02:00:00Z"));
    assert_true(reads(&r, "2262-01-01 00:00:00", "2261-12-31T23:00:00Z"));
    assert_true(
        reads(&r, "2024-07-01T12:00:00+05:00", "2024-07-01T07:00:00Z")); /* its own zone counts */
    assert_true(reads(&r, "2024-07-01T12:00:00Z", "2024-07-01T12:00:00Z"));
    assert_true(r.zoneless);
}

static void an_hour_that_occurs_twice_or_never_is_refused(void **state)
{
    (void)state;
    struct gs_time_reader r = {0};
    char why[GS_ZONE_FAULT_MAX];
    int64_t t = 42;
    assert_int_equal(make(&berlin, &r.zone, NULL), GS_OK);
    assert_false(gs_time_parse(&r, gs_str("2024-10-27 02:00:00"), &t));
    assert_string_equal(
        gs_time_zone_fault(&r, true, why),
        "occurs twice in Europe/Berlin: write its offset (+02:00 or +01:00) behind it, "
        "or leave such rows out with --rejects FILE");
    assert_false(gs_time_parse(&r, gs_str("2024-10-27 02:59:59.999"), &t));
    assert_non_null(gs_time_zone_fault(&r, true, why));
    assert_false(gs_time_parse(&r, gs_str("2024-03-31 02:00:00"), &t));
    assert_string_equal(gs_time_zone_fault(&r, true, why),
                        "does not occur in Europe/Berlin, whose clock goes from +01:00 to +02:00 "
                        "there: --tz +01:00 or "
                        "--tz +02:00 chooses one of them");
    assert_false(gs_time_parse(&r, gs_str("nonsense"), &t));
    assert_null(gs_time_zone_fault(&r, true, why)); /* of the last text only */
    assert_true(t == 42);
    assert_true(gs_time_parse(&r, gs_str("2024-10-27 02:30:00+01:00"), &t));
}

static void offsets_at_instants_change_with_them(void **state)
{
    (void)state;
    struct gs_zone z;
    assert_int_equal(make(&berlin, &z, NULL), GS_OK);
    assert_int_equal(gs_zone_offset_at(&z, 0), 3208);
    assert_int_equal(gs_zone_offset_at(&z, 1679792399), 3208);
    assert_int_equal(gs_zone_offset_at(&z, 1679792400), 7200);
    assert_int_equal(gs_zone_offset_at(&z, 1698541199), 7200);
    assert_int_equal(gs_zone_offset_at(&z, 1698541200), 3600);
    assert_int_equal(gs_zone_offset_at(&z, 1711846799),
                     3600); /* 2024-03-31 00:59:59 UTC, by the rule */
    assert_int_equal(gs_zone_offset_at(&z, 1711846800), 7200);
}

static void rules_are_read_in_all_their_forms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t standard, summer;
        int64_t year, begin, end; /* UTC */
    } good[] = {
        {"CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200, 2025, 1743296400, 1761440400},
        {"EST5EDT,M3.2.0,M11.1.0", -18000, -14400, 2025, 1741503600, 1762063200},
        {"<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", -10800, -7200, 2025, 1743296400,
         1761440400}, /* as in Nuuk until 2023 */
        {"AEST-10AEDT,M10.1.0,M4.1.0/3", 36000, 39600, 2025, 1759593600, 1743868800},
    };
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        struct gs_zone_rule r;
        assert_true(gs_zone_rule_parse(gs_str(good[i].text), &r));
        assert_true(r.changes && r.standard_s == good[i].standard && r.summer_s == good[i].summer);
        assert_int_equal(gs_zone_date_at(&r.begin, good[i].year, r.standard_s), good[i].begin);
        assert_int_equal(gs_zone_date_at(&r.end, good[i].year, r.summer_s), good[i].end);
    }
    struct gs_zone_rule r;
    assert_true(gs_zone_rule_parse(gs_str("XXX0YYY,J60,59"), &r));
    assert_int_equal(gs_zone_date_at(&r.begin, 2024, 0),
                     1709258400); /* March 1st, leap year or not */
    assert_int_equal(gs_zone_date_at(&r.begin, 2023, 0), 1677636000);
    assert_int_equal(gs_zone_date_at(&r.end, 2024, 0),
                     1709172000); /* day 59 from 0: February 29th */
    assert_true(gs_zone_rule_parse(gs_str("<+0330>-3:30"), &r));
    assert_true(!r.changes && r.standard_s == 12600);
    static const char *const bad[] = {"",
                                      "CE-1",
                                      "CET",
                                      "CET-1CEST",
                                      "CET-25",
                                      "CET-1CEST,M3.5.0",
                                      "CET-1CEST,M13.5.0,M10.5.0",
                                      "CET-1CEST,M3.6.0,M10.5.0",
                                      "CET-1CEST,M3.5.7,M10.5.0",
                                      "CET-1CEST,J0,J1",
                                      "CET-1CEST,366,1",
                                      "CET-1CEST,M3.5.0,M10.5.0 ",
                                      "<CET-1",
                                      "CET-1CEST,M3.5.0/168,M10.5.0"};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        if (gs_zone_rule_parse(gs_str(bad[i]), &r))
            fail_msg("'%s' is no rule", bad[i]);
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    struct gs_zone z = {.offset_s = 77};
    struct gs_err err = {0};
    assert_int_equal(make(&berlin, &z, &err), GS_OK);
    char whole[sizeof file];
    const size_t n = n_file;
    memcpy(whole, file, n);
    z = (struct gs_zone){.offset_s = 77};
    for (size_t cut = 0; cut < n; cut++)
        assert_int_equal(gs_zone_of_tzif(whole, cut, "x", &arena, &z, &err), GS_ERR_DATA);
    for (size_t at = 0; at < n; at++) /* any one byte wrong: no crash, and a zone or an error */
        for (int bit = 0; bit < 8; bit++) {
            struct gs_zone other;
            whole[at] = (char)(whole[at] ^ 1 << bit);
            const enum gs_status s = gs_zone_of_tzif(whole, n, "x", &arena, &other, NULL);
            assert_true(s == GS_OK || s == GS_ERR_DATA);
            whole[at] = (char)(whole[at] ^ 1 << bit);
            gs_arena_release(&arena);
        }
    struct made m = berlin;
    m.n_types = 0;
    assert_int_equal(make(&m, &z, &err), GS_ERR_DATA);
    m = berlin;
    m.time[1] = m.time[0];
    assert_int_equal(make(&m, &z, &err), GS_ERR_DATA);
    assert_string_equal(err.text,
                        "not a time zone file of version 2 or later: its times are out of order");
    m = berlin;
    m.type[1] = 3;
    assert_int_equal(make(&m, &z, &err), GS_ERR_DATA);
    assert_int_equal(z.offset_s, 77);
}

static void names_lead_nowhere_else(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "/etc/passwd",
        "../x",
        "Europe/../x",
        "Europe//Berlin",
        "Europe/",
        ".",
        "a/.",
        "-x",
        "Europe/\nx",
        "a b",
        "right/a%x",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct gs_zone z;
        struct gs_err err = {0};
        assert_int_equal(gs_zone_named(gs_str(bad[i]), &arena, &z, &err), GS_ERR_USAGE);
        assert_non_null(strstr(err.text, "must be UTC, an offset"));
    }
    struct gs_zone z;
    struct gs_err err = {0};
    assert_int_equal(gs_zone_named(gs_str("No/Where"), &arena, &z, &err), GS_ERR_USAGE);
    assert_int_equal(gs_zone_named(gs_str("utc"), &arena, &z, &err), GS_OK);
    assert_true(gs_zone_is_utc(&z));
    assert_int_equal(gs_zone_named(gs_str("-03:30"), &arena, &z, &err), GS_OK);
    char text[GS_ZONE_TEXT_MAX];
    assert_string_equal(gs_zone_format(&z, text), "UTC-03:30");
}

static void a_zone_without_changes_is_its_offset(void **state)
{
    (void)state;
    static const struct made fixed = {.n_types = 1, .offset = {19800}, .rule = "IST-5:30"};
    struct gs_time_reader r = {0};
    assert_int_equal(make(&fixed, &r.zone, NULL), GS_OK);
    assert_int_equal(r.zone.n_shifts, 0);
    assert_true(reads(&r, "2024-07-01 12:00:00", "2024-07-01T06:30:00Z"));
}

static void failing_memory_is_an_error(void **state)
{
    (void)state;
    struct gs_zone z;
    assert_int_equal(make(&berlin, &z, NULL), GS_OK);
    gs_arena_release(&arena);
    gs_memory_fail_after(1);
    assert_int_equal(gs_zone_of_tzif(file, n_file, "x", &arena, &z, NULL), GS_ERR_MEMORY);
    gs_memory_fail_after(0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(local_times_become_instants, forget),
        cmocka_unit_test_teardown(an_hour_that_occurs_twice_or_never_is_refused, forget),
        cmocka_unit_test_teardown(offsets_at_instants_change_with_them, forget),
        cmocka_unit_test(rules_are_read_in_all_their_forms),
        cmocka_unit_test_teardown(damaged_files_are_refused, forget),
        cmocka_unit_test_teardown(names_lead_nowhere_else, forget),
        cmocka_unit_test_teardown(a_zone_without_changes_is_its_offset, forget),
        cmocka_unit_test_teardown(failing_memory_is_an_error, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
