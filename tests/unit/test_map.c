/* Maps: what is printed reads back the same, what is wrong is named with its place, --set changes one thing. */
#include "arena_fixture.h"

#include "input/schema/map.h"

static const char *print(const struct gs_map *m)
{
    struct gs_buf b = {.arena = &arena};
    gs_map_print(m, &b);
    assert_false(b.failed);
    return b.ptr;
}

static struct gs_map parse(const char *json)
{
    struct gs_map m = {0};
    struct gs_err err = {0};
    if (gs_map_parse(gs_str(json), "m", &arena, &m, &err) != GS_OK)
        print_message("%s\n", err.text);
    assert_int_equal(err.status, GS_OK);
    return m;
}

#define ONE(fields) "{\"schema\":\"gpustat.map/1\",\"sources\":[{" fields "}]}"

static void what_is_printed_reads_back_as_the_same_map(void **state)
{
    (void)state;
    static const char *const maps[] = {
        "{\"schema\":\"gpustat.map/1\",\"sources\":[]}",
        ONE("\"role\":\"samples\",\"form\":\"table\",\"files\":[\"a.csv\",\"b*.csv\"],"
            "\"separator\":\"\\t\",\"skip\":2,"
            "\"header\":2,"
            "\"zone\":\"+01:00\",\"shift\":\"-2s\",\"ignored\":[\"a\",\"b=c\"],\"time\":"
            "\"timestamp\",\"host\":{"
            "\"file\":\"{}/gpu.csv\"},"
            "\"gpu\":[\"bus\",\"slot\"],\"metrics\":{\"power_w\":{\"columns\":\"gpu{gpu}_power\","
            "\"unit\":\"mW\"},"
            "\"my.own\":{\"column\":\"value\",\"where\":{\"name\":[\"x\",\"y*\"],\"z\":\"\"}}}"),
        ONE("\"role\":\"events\",\"files\":\"e.csv\",\"columns\":[\"time\",\"event\"],\"header\":0,"
            "\"origin\":\"2024-"
            "05-01T12:00:00Z\","
            "\"event\":{\"column\":\"event\",\"like\":\"{} "
            "*\",\"names\":{\"a\\\"\\\\\":\"b\\u0007\"}},\"time\":{\"column\":\"t\",\"unit\":"
            "\"ms\"},"
            "\"phase\":{\"column\":\"type\",\"start\":\"{}_on\",\"stop\":\"{}_off\"},\"host\":{"
            "\"column\":\"nodes\","
            "\"many\":true},"
            "\"task\":{\"count\":true},\"attributes\":{\"lr\":\"lr\"}"),
        ONE("\"role\":\"events\",\"files\":[\"p\"],\"origin\":{\"file\":\"run_{}.csv\"},\"event\":{"
            "\"text\":\"window\"}"
            ",\"time\":\"t\",\"phase\":\"turns\""),
        ONE("\"role\":\"samples\",\"files\":[\"p\"],\"time\":{\"every\":\"100ms\"},\"metrics\":{"
            "\"power_w\":\"p\"}"),
        ONE("\"role\":\"tasks\",\"files\":[\"t\"],\"task\":\"id\",\"job\":\"job\",\"attributes\":{"
            "\"level\":{"
            "\"column\":\"l\",\"many\":false}}"),
    };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        const struct gs_map first = parse(maps[i]);
        const char *const once = print(&first);
        const struct gs_map second = parse(once);
        assert_string_equal(print(&second), once);
    }
}

static void what_was_found_is_printed_and_never_read(void **state)
{
    (void)state;
    struct gs_map m = parse(ONE(
        "\"role\":\"tasks\",\"files\":[\"t\"],\"task\":\"id\",\"found\":{\"rows\":\"anything\"}"));
    assert_false(m.source[0].found.known);
    m.source[0].found.known = true;
    m.source[0].found.n_rows = 7;
    assert_non_null(strstr(print(&m), "\"found\": {\"rows\": 7"));
    const struct gs_map again = parse(print(&m));
    assert_false(again.source[0].found.known);
}

static void a_mistake_is_named_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *json, *says;
    } bad[] = {
        {"", "m:1: not JSON"},
        {"{\"a\":", "m:1: not JSON"},
        {"[]", "m: the map: is not an object"},
        {"{\"sources\":[]}", "m: the map: has no \"schema\": \"gpustat.map/1\""},
        {"{\"schema\":\"gpustat.map/2\",\"sources\":[]}",
         "m: schema: 'gpustat.map/2' is not known, expected 'gpustat.map/1'"},
        {"{\"schema\":\"gpustat.map/1\"}", "m: sources: is not a list of at most 4096 sources"},
        {"{\"schema\":\"gpustat.map/1\",\"sources\":[],\"more\":1}",
         "m: more: is no field of a map"},
        {"{\"schema\":\"gpustat.map/1\",\"sources\":[],\"sources\":[]}",
         "m: the map: 'sources' stands twice"},
        {"{\"schema\":\"gpustat.map/1\",\"sources\":[3]}", "m: sources[0]: is not an object"},
        {ONE(""), "m: sources[0]: has no role: samples, events or tasks"},
        {ONE("\"role\":\"sample\""),
         "m: sources[0]: 'sample' is no role: samples, events or tasks"},
        {ONE("\"role\":\"samples\",\"event\":\"x\""),
         "m: sources[0].event: is no field of such a source"},
        {ONE("\"role\":\"samples\",\"files\":3"), "m: sources[0].files: is not a text"},
        {ONE("\"role\":\"samples\",\"files\":[\"a\",3]"), "m: sources[0].files[1]: is not a text"},
        {ONE("\"role\":\"samples\",\"skip\":-1"),
         "m: sources[0].skip: is not a whole number from 0 to 1000000"},
        {ONE("\"role\":\"samples\",\"time\":{}"),
         "m: sources[0].time: has none of column, columns, file, text, count, every, turns"},
        {ONE("\"role\":\"samples\",\"time\":{\"column\":\"a\",\"text\":\"b\"}"),
         "m: sources[0].time.text: has more than one of column, columns, file, text, count, every, "
         "turns"},
        {ONE("\"role\":\"samples\",\"time\":{\"column\":\"a\",\"units\":\"b\"}"),
         "m: sources[0].time.units: is no part of a value"},
        {ONE("\"role\":\"samples\",\"metrics\":{\"power_w\":{\"columns\":\"{x}\"}}"),
         "m: sources[0].metrics.power_w.columns: '{x}' is no pattern: * is any text, {} the part "
         "kept, \\ escapes"},
        {ONE("\"role\":\"samples\",\"metrics\":{\"a\":\"b\",\"a\":\"c\"}"),
         "m: sources[0].metrics: 'a' stands twice"},
        {ONE("\"role\":\"samples\",\"host\":[]"), "m: sources[0].host: names no column"},
        {ONE("\"role\":\"events\",\"phase\":\"never\""),
         "m: sources[0].phase: 'never' is none of points, ends and turns"},
        {ONE("\"role\":\"events\",\"phase\":{\"start\":\"a\"}"),
         "m: sources[0].phase: needs start and stop"},
        {ONE("\"role\":\"events\",\"task\":{\"count\":false}"),
         "m: sources[0].task.count: is not true"},
        {ONE("\"role\":\"events\",\"where\":{\"a\":3}"), "m: sources[0].where.a: is not a text"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gs_map m = {0};
        struct gs_err err = {0};
        assert_int_equal(gs_map_parse(gs_str(bad[i].json), "m", &arena, &m, &err), GS_ERR_DATA);
        assert_string_equal(err.text, bad[i].says);
        assert_int_equal(m.n_sources, 0);
    }
}

static void a_source_without_what_its_role_needs_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *says;
    } bad[] = {
        {ONE("\"role\":\"samples\",\"time\":\"t\",\"metrics\":{\"power_w\":\"p\"}"),
         "s: a source of samples without files"},
        {ONE("\"role\":\"samples\",\"files\":[\"a\"],\"time\":\"t\""),
         "s: a source of samples without metrics"},
        {ONE("\"role\":\"events\",\"files\":[\"a\"],\"event\":\"e\",\"start\":\"t\""),
         "s: a source of events without stop or duration"},
        {ONE("\"role\":\"events\",\"files\":[\"a\"],\"event\":\"e\",\"time\":\"t\""),
         "s: a source of events without time and phase, or two of start, stop and duration"},
        {ONE("\"role\":\"tasks\",\"files\":[\"a\"]"), "s: a source of tasks without task"},
        {ONE("\"role\":\"samples\",\"files\":[\"a\"],\"time\":\"t\",\"metrics\":{\"power_w\":\"p\"}"
             ",\"zone\":\"PDT\""),
         "s: zone: 'PDT' is no zone of this system (/usr/share/zoneinfo/); an offset such as "
         "+01:00 needs none"},
        {ONE("\"role\":\"samples\",\"files\":[\"a\"],\"time\":\"t\",\"metrics\":{\"power_w\":\"p\"}"
             ",\"shift\":"
             "\"soon\""),
         "s: shift: 'soon' is not a length of time such as 2s or -500ms"},
        {ONE("\"role\":\"samples\",\"files\":[\"a\"],\"time\":\"t\",\"metrics\":{\"power_w\":\"p\"}"
             ",\"separator\":\"||"
             "\""),
         "s: separator: '||' is neither one byte nor blanks"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct gs_map m = parse(bad[i].json);
        struct gs_err err = {0};
        assert_int_equal(gs_map_check(&m.source[0], "s", &err), GS_ERR_DATA);
        assert_string_equal(err.text, bad[i].says);
    }
}

static struct gs_map two_sources(void)
{
    return parse("{\"schema\":\"gpustat.map/1\",\"sources\":["
                 "{\"role\":\"samples\",\"files\":[\"a_1.csv\",\"b_1.csv\",\"b_2.csv\"],\"time\":"
                 "\"t\",\"metrics\":{"
                 "\"power_w\":\"p\"}},"
                 "{\"role\":\"events\",\"files\":[\"e.csv\"],\"event\":\"name\",\"start\":\"s\","
                 "\"stop\":\"e\"}]}");
}

static void set_changes_one_thing(void **state)
{
    (void)state;
    static const struct {
        const char *set, *then;
    } cases[] = {
        {"samples.zone=+01:00", "\"zone\": \"+01:00\""},
        {"events.event.like={} *", "\"event\": {\"column\": \"name\", \"like\": \"{} *\"}"},
        {"samples.metrics.power_w.unit=mW", "\"power_w\": {\"column\": \"p\", \"unit\": \"mW\"}"},
        {"samples.metrics.power_w.columns=GPU{gpu}", "\"power_w\": {\"columns\": \"GPU{gpu}\"}"},
        {"samples.metrics.temp_c=Temp, in C", "\"temp_c\": [\"Temp\", \" in C\"]"},
        {"samples.metrics.power_w=a=b", "\"metrics\": {\"power_w\": \"a=b\"}"},
        {"samples.host.file={}_*.csv", "\"host\": {\"file\": \"{}_*.csv\"}"},
        {"samples.origin=2024-05-01T12:00:00Z", "\"origin\": \"2024-05-01T12:00:00Z\""},
        {"samples.origin.file=run_{}.csv", "\"origin\": {\"file\": \"run_{}.csv\"}"},
        {"samples.where.a.b.c=x,y", "\"where\": {\"a.b.c\": [\"x\", \"y\"]}"},
        {"events.event.names.a.b=c",
         "\"event\": {\"column\": \"name\", \"names\": {\"a.b\": \"c\"}}"},
        {"events.phase.start={}_on", "\"phase\": {\"start\": \"{}_on\", \"stop\": \"\"}"},
        {"events.task.count=true", "\"task\": {\"count\": true}"},
        {"events.host.column=nodes", "\"host\": \"nodes\""},
        {"samples.columns=t,p", "\"columns\": [\"t\", \"p\"]"},
        {"samples.skip=3", "\"skip\": 3"},
        {"samples.time.every=100ms", "\"time\": {\"every\": \"100ms\"}"},
        {"samples.gpu.turns=4", "\"gpu\": {\"turns\": \"4\"}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gs_map m = two_sources();
        struct gs_err err = {0};
        assert_int_equal(gs_map_set(&m, gs_str(cases[i].set), &arena, &err), GS_OK);
        if (strstr(print(&m), cases[i].then) == NULL)
            print_message("%s:\n%s", cases[i].set, print(&m));
        assert_non_null(strstr(print(&m), cases[i].then));
    }
}

static void an_empty_value_removes(void **state)
{
    (void)state;
    struct gs_map m = two_sources();
    const char *const before = print(&m);
    static const char *const sets[] = {"samples.host.file={}.csv", "samples.host=",
                                       "samples.zone=UTC",         "samples.zone=",
                                       "samples.where.a=x",        "samples.where.a=",
                                       "samples.metrics.temp_c=t", "samples.metrics.temp_c=",
                                       "events.event.like={}",     "events.event.like=",
                                       "samples.columns=a",        "samples.columns=",
                                       "samples.skip=1",           "samples.skip="};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        assert_int_equal(gs_map_set(&m, gs_str(sets[i]), &arena, NULL), GS_OK);
    assert_string_equal(print(&m), before);
}

static void a_pattern_splits_files_off_into_a_source_of_their_own(void **state)
{
    (void)state;
    struct gs_map m = two_sources();
    assert_int_equal(gs_map_set(&m, gs_str("samples[b_*].metrics.power_w.unit=W"), &arena, NULL),
                     GS_OK);
    assert_int_equal(m.n_sources, 3);
    assert_int_equal(m.source[0].files.n, 1);
    assert_null(m.source[0].metrics.item[0].value.unit.ptr);
    assert_int_equal(m.source[2].files.n, 2);
    assert_true(gs_str_eq(m.source[2].metrics.item[0].value.unit, gs_str("W")));
    assert_int_equal(gs_map_set(&m, gs_str("samples[b_*].zone=+02:00"), &arena, NULL), GS_OK);
    assert_int_equal(m.n_sources, 3); /* all of its files: nothing to split */
}

static void a_set_that_is_none_is_a_usage_error(void **state)
{
    (void)state;
    static const struct {
        const char *set, *says;
    } bad[] = {
        {"", "--set: '' is not ROLE.PATH=VALUE, such as samples.zone=+01:00"},
        {"samples", "--set: 'samples' is not ROLE.PATH=VALUE, such as samples.zone=+01:00"},
        {"samples.zone", "--set: 'samples.zone' has no '=', expected ROLE.PATH=VALUE"},
        {"sample.zone=x", "--set: 'sample.zone=x' begins with no role: samples, events or tasks"},
        {"tasks.task=x",
         "--set: 'tasks.task=x' names a role that no file has; name its file with --samples, "
         "--events or --tasks"},
        {"samples[x].zone=UTC",
         "--set: 'samples[x].zone=UTC' names no file that is read in that role"},
        {"samples.event=x", "--set: 'samples.event=x' names no field of such a source; `gpustat "
                            "map` prints those that are set"},
        {"samples.zone.x=1", "--set: 'samples.zone.x=1' goes on where the path ends"},
        {"samples.time.colum=x",
         "--set: 'samples.time.colum=x' names no part of a value: column, columns, file, text, "
         "count, every, turns, unit, like, many, names, where"},
        {"samples.host.file={a}", "--set: 'samples.host.file={a}' holds what is no pattern: * is "
                                  "any text, {} the part kept, \\\\ escapes"},
        {"samples.skip=many", "--set: 'samples.skip=many' is not a whole number from 0 to 1000000"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gs_map m = two_sources();
        struct gs_err err = {0};
        assert_int_equal(gs_map_set(&m, gs_str(bad[i].set), &arena, &err), GS_ERR_USAGE);
        if (strcmp(err.text, bad[i].says) != 0 && strstr(bad[i].says, "pattern") == NULL)
            assert_string_equal(err.text, bad[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_is_printed_reads_back_as_the_same_map, forget),
        cmocka_unit_test_teardown(what_was_found_is_printed_and_never_read, forget),
        cmocka_unit_test_teardown(a_mistake_is_named_with_its_place, forget),
        cmocka_unit_test_teardown(a_source_without_what_its_role_needs_is_refused, forget),
        cmocka_unit_test_teardown(set_changes_one_thing, forget),
        cmocka_unit_test_teardown(an_empty_value_removes, forget),
        cmocka_unit_test_teardown(a_pattern_splits_files_off_into_a_source_of_their_own, forget),
        cmocka_unit_test_teardown(a_set_that_is_none_is_a_usage_error, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
