/* The command line against tables of options. */
#include "arena_fixture.h"

#include <math.h>

#include "base/num/timestamp.h"
#include "app/options/options.h"
#include "base/core/suggest.h"

enum join { NEAREST, BACKWARD, FORWARD, WINDOW };

struct all_kinds {
    struct gs_list operands, given, tables, names;
    bool flag, features;
    const char *text, *file;
    uint64_t count, positive, free_count, size;
    double real, open, above, free_real;
    int64_t duration, bounded, shift, found;
    enum join join;
    struct gs_zone zone;
};

struct shared {
    uint64_t threads;
    bool quiet;
};

static const char *const found_words[] = {"auto", NULL};
static const char *const joins[] = {"nearest", "backward", "forward", "window", NULL};

static const struct gs_opt own[] = {
    {0, NULL, GS_OPT_GROUP, 0, .help = "Reading"},
    {'x', "flag", GS_OPT_FLAG, offsetof(struct all_kinds, flag), .help = "a flag"},
    {0, "no-features", GS_OPT_CLEAR, offsetof(struct all_kinds, features), .help = "none of them"},
    {'t', "text", GS_OPT_TEXT, offsetof(struct all_kinds, text), .help = "a text"},
    {0, "file", GS_OPT_FILE, offsetof(struct all_kinds, file), .help = "a file"},
    {0, "table", GS_OPT_FILES, offsetof(struct all_kinds, tables), .help = "tables"},
    {'e', "event", GS_OPT_LIST, offsetof(struct all_kinds, names), .help = "events"},
    {'n', "count", GS_OPT_COUNT, offsetof(struct all_kinds, count), .help = "a count", .min = 2,
     .max = 9},
    {0, "positive", GS_OPT_COUNT, offsetof(struct all_kinds, positive), .help = "a count",
     .min = 1},
    {0, "free-count", GS_OPT_COUNT, offsetof(struct all_kinds, free_count), .help = "a count"},
    {0, "real", GS_OPT_REAL, offsetof(struct all_kinds, real), .help = "a number", .real_min = -1,
     .real_max = 2.5},
    {0, "open", GS_OPT_REAL, offsetof(struct all_kinds, open), .help = "a share", .real_max = 1,
     .above_min = true, .below_max = true},
    {0, "above", GS_OPT_REAL, offsetof(struct all_kinds, above), .help = "above zero",
     .above_min = true},
    {0, "free-real", GS_OPT_REAL, offsetof(struct all_kinds, free_real), .help = "any"},
    {0, "duration", GS_OPT_DURATION, offsetof(struct all_kinds, duration), .help = "a time"},
    {0, "every", GS_OPT_DURATION, offsetof(struct all_kinds, bounded), .help = "a time",
     .min = 1000000, .max = UINT64_C(3600000000000)},
    {0, "shift", GS_OPT_SHIFT, offsetof(struct all_kinds, shift), .help = "a shift"},
    {0, "found", GS_OPT_SHIFT, offsetof(struct all_kinds, found), .choices = found_words,
     .help = "a shift or a word"},
    {0, "join", GS_OPT_CHOICE, offsetof(struct all_kinds, join), .help = "a join",
     .choices = joins},
    {0, "tz", GS_OPT_ZONE, offsetof(struct all_kinds, zone), .help = "a zone"},
    {0, "size", GS_OPT_SIZE, offsetof(struct all_kinds, size), .help = "a size", .min = 1 << 20,
     .apart = true},
    {0},
};

static const struct gs_opt common[] = {
    {'j', "threads", GS_OPT_COUNT, offsetof(struct shared, threads), .arg = "N", .help = "threads",
     .min = 1, .max = 256},
    {'q', "quiet", GS_OPT_FLAG, offsetof(struct shared, quiet), .help = "quiet"},
    {0},
};

static struct all_kinds got;
static struct shared got_shared;
static struct gs_err err;

static enum gs_status parse_n(const char *const *args, size_t n)
{
    gs_arena_release(&arena);
    got = (struct all_kinds){.features = true, .text = "default", .count = 5, .join = BACKWARD};
    got_shared = (struct shared){0};
    err = (struct gs_err){0};
    const struct gs_opt_set sets[] = {{own, &got, &got.given, false, NULL},
                                      {common, &got_shared, NULL, false, NULL}};
    return gs_options_parse(sets, 2, args, n, &got.operands, &arena, &err);
}

#define PARSE(...)                                                                                 \
    parse_n((const char *const[]){__VA_ARGS__}, COUNT_OF(((const char *const[]){__VA_ARGS__})))

#define REFUSES(expected, ...)                                                                     \
    do {                                                                                           \
        assert_int_equal(PARSE(__VA_ARGS__), GS_ERR_USAGE);                                        \
        assert_string_equal(err.text, expected);                                                   \
    } while (0)

static void no_arguments_leave_the_defaults(void **state)
{
    (void)state;
    assert_int_equal(parse_n(NULL, 0), GS_OK);
    assert_string_equal(got.text, "default");
    assert_true(got.features && !got.flag);
    assert_int_equal(got.count, 5);
    assert_int_equal(got.join, BACKWARD);
    assert_int_equal(got.operands.n, 0);
}

static void short_values_stand_attached_or_apart(void **state)
{
    (void)state;
    assert_int_equal(PARSE("-j7"), GS_OK);
    assert_int_equal(got_shared.threads, 7);
    assert_int_equal(PARSE("-j", "8"), GS_OK);
    assert_int_equal(got_shared.threads, 8);
    assert_int_equal(PARSE("-xqj9", "dir"), GS_OK);
    assert_true(got.flag && got_shared.quiet);
    assert_int_equal(got_shared.threads, 9);
    assert_int_equal(got.operands.n, 1);
    assert_int_equal(PARSE("-xj", "3", "-tq"), GS_OK);
    assert_int_equal(got_shared.threads, 3);
    assert_string_equal(got.text, "q");
    assert_false(got_shared.quiet);
}

static void long_values_stand_after_an_equals_sign_or_apart(void **state)
{
    (void)state;
    assert_int_equal(PARSE("--text=a=b", "--file", "f.csv", "--no-features"), GS_OK);
    assert_string_equal(got.text, "a=b");
    assert_string_equal(got.file, "f.csv");
    assert_false(got.features);
    assert_int_equal(PARSE("--text=", "--file", "--flag"), GS_OK);
    assert_string_equal(got.text, "");
    assert_string_equal(got.file, "--flag");
    assert_false(got.flag);
}

static void long_names_are_never_abbreviated(void **state)
{
    (void)state;
    REFUSES("unknown option '--thread'; did you mean '--threads'?", "--thread", "3");
    REFUSES("unknown option '--dur'; did you mean '--duration'?", "--dur=1s");
}

static void options_and_operands_mix_until_two_dashes(void **state)
{
    (void)state;
    assert_int_equal(PARSE("a", "-x", "b", "-", "--", "-q", "--", "--text=c"), GS_OK);
    static const char *const expected[] = {"a", "b", "-", "-q", "--", "--text=c"};
    assert_int_equal(got.operands.n, COUNT_OF(expected));
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_string_equal(got.operands.item[i], expected[i]);
    assert_true(got.flag);
    assert_false(got_shared.quiet);
    assert_string_equal(got.text, "default");
}

static void the_last_scalar_counts_and_lists_append(void **state)
{
    (void)state;
    assert_int_equal(PARSE("-n3", "--count=4", "-ea", "-e", "b", "--event=c", "--event", "d", "-ee",
                           "--table=t"),
                     GS_OK);
    assert_int_equal(got.count, 4);
    assert_int_equal(got.names.n, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(got.names.item[i][0], "abcde"[i]);
    assert_int_equal(got.tables.n, 1);
}

static void a_list_of_a_thousand_keeps_its_order(void **state)
{
    (void)state;
    static char text[1000][8];
    const char *args[1000];
    for (int i = 0; i < 1000; i++) {
        (void)snprintf(text[i], sizeof text[i], "f%d", i);
        args[i] = text[i];
    }
    assert_int_equal(parse_n(args, 1000), GS_OK);
    assert_int_equal(got.operands.n, 1000);
    for (int i = 0; i < 1000; i++)
        assert_ptr_equal(got.operands.item[i], text[i]);
}

static void counts_keep_their_bounds(void **state)
{
    (void)state;
    REFUSES("-j: '0' must be a whole number from 1 to 256", "-j0");
    REFUSES("--threads: '257' must be a whole number from 1 to 256", "--threads=257");
    REFUSES("--threads: '2.5' must be a whole number from 1 to 256", "--threads=2.5");
    REFUSES("-n: '1' must be a whole number from 2 to 9", "-n", "1");
    REFUSES("-n: '-3' must be a whole number from 2 to 9", "-n", "-3");
    REFUSES("-n: '' must be a whole number from 2 to 9", "-n", "");
    REFUSES("--positive: '0' must be a whole number of at least 1", "--positive=0");
    REFUSES("--free-count: '18446744073709551616' must be a whole number",
            "--free-count=18446744073709551616");
    assert_int_equal(PARSE("--free-count=18446744073709551615", "-n9"), GS_OK);
    assert_true(got.free_count == UINT64_MAX);
    assert_int_equal(got.count, 9);
}

static void numbers_keep_their_bounds(void **state)
{
    (void)state;
    assert_int_equal(PARSE("--real=-1", "--open=0.05", "--above=1e-3", "--free-real", "-7.5"),
                     GS_OK);
    assert_true(got.real == -1 && got.open == 0.05 && got.above == 1e-3 && got.free_real == -7.5);
    REFUSES("--real: '2.6' must be a number from -1 to 2.5", "--real=2.6");
    REFUSES("--open: '0' must be a number above 0 and below 1", "--open=0");
    REFUSES("--open: '1' must be a number above 0 and below 1", "--open=1");
    REFUSES("--above: '0' must be a number above 0", "--above=0");
    REFUSES("--real: 'one' must be a number", "--real=one");
    REFUSES("--free-real: 'nan' must be a number", "--free-real=nan");
    REFUSES("--free-real: '1e999' must be a number", "--free-real=1e999");
}

static void lengths_of_time_take_units_and_bounds(void **state)
{
    (void)state;
    assert_int_equal(PARSE("--duration=1.5s", "--every", "250ms", "--shift=-3s"), GS_OK);
    assert_int_equal(got.duration, 1500000000);
    assert_int_equal(got.bounded, 250000000);
    assert_int_equal(got.shift, -3000000000);
    assert_int_equal(PARSE("--shift", "+2ms"), GS_OK);
    assert_int_equal(got.shift, 2000000);
    REFUSES("--duration: '-1s' must be a length of time such as 500ms, 2s or 5min",
            "--duration=-1s");
    REFUSES("--duration: '3 weeks' must be a length of time such as 500ms, 2s or 5min",
            "--duration", "3 weeks");
    REFUSES("--every: '0' must be from 1ms to 1h", "--every=0");
    REFUSES("--every: '2h' must be from 1ms to 1h", "--every=2h");
    assert_int_equal(PARSE("--found", "auto"), GS_OK);
    assert_true(got.found == GS_SHIFT_WORD);
    assert_int_equal(PARSE("--found=-1h"), GS_OK);
    assert_int_equal(got.found, INT64_C(-3600000000000));
    REFUSES("--found: 'AUTO' must be auto or a length of time such as -250ms or 1.5s",
            "--found=AUTO");
    REFUSES("--shift: 'auto' must be a length of time such as -250ms or 1.5s", "--shift=auto");
    REFUSES("--shift: '--3s' must be a length of time such as -250ms or 1.5s", "--shift=--3s");
}

static void choices_are_words_of_a_list(void **state)
{
    (void)state;
    assert_int_equal(PARSE("--join=window"), GS_OK);
    assert_int_equal(got.join, WINDOW);
    REFUSES("--join: 'windwo' must be nearest, backward, forward or window; did you mean 'window'?",
            "--join", "windwo");
    REFUSES("--join: 'inner' must be nearest, backward, forward or window", "--join=inner");
    REFUSES("--join: 'Window' must be nearest, backward, forward or window; did you mean 'window'?",
            "--join=Window");
}

static void sizes_take_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } sizes[] = {{"1048576", 1 << 20},
                 {"200M", UINT64_C(200) << 20},
                 {"2g", UINT64_C(2) << 30},
                 {"2048KB", 2 << 20},
                 {"1T", UINT64_C(1) << 40}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        assert_int_equal(PARSE("--size", sizes[i].text), GS_OK);
        assert_int_equal(got.size, sizes[i].bytes);
    }
    REFUSES("--size: '1.5G' must be a size such as 200M or 2G", "--size=1.5G");
    REFUSES("--size: 'M' must be a size such as 200M or 2G", "--size", "M");
    REFUSES("--size: '99999999999999G' must be a size such as 200M or 2G", "--size",
            "99999999999999G");
    REFUSES("--size: '100K' must be at least 1M", "--size=100K");
}

static void what_was_given_is_told_in_one_spelling(void **state)
{
    (void)state;
    assert_int_equal(PARSE("-n", "3", "-j7", "-e", "a", "DIR", "-xn4", "--size=2M", "--event=b",
                           "--no-features"),
                     GS_OK);
    static const char *const given[] = {"--count=4", "--event=a", "--flag", "--event=b",
                                        "--no-features"};
    assert_int_equal(got.given.n, COUNT_OF(given));
    for (size_t i = 0; i < COUNT_OF(given); i++)
        assert_string_equal(got.given.item[i], given[i]);
}

static void zones_are_utc_an_offset_or_a_name(void **state)
{
    (void)state;
    assert_int_equal(PARSE("--tz=+05:30"), GS_OK);
    assert_int_equal(got.zone.offset_s, 19800);
    REFUSES("--tz: 'Mars' is no zone of this system (/usr/share/zoneinfo/); an offset such as "
            "+01:00 needs none",
            "--tz=Mars");
    REFUSES("--tz: '../x' must be UTC, an offset such as +01:00, or a zone's name such as "
            "Europe/Berlin",
            "--tz=../x");
}

/* A shell makes --files *.csv into one value and further arguments; those that are files belong to the option. */
static void files_after_a_value_are_shards_where_the_command_takes_none(void **state)
{
    (void)state;
    static const struct gs_opt files[] = {{.name = "files", .kind = GS_OPT_FILES}, {0}};
    for (int shards = 0; shards < 2; shards++) {
        struct gs_list list = {0}, operands = {0};
        const struct gs_opt_set set = {files, &list, NULL, shards != 0, NULL};
        const char *const args[] = {"--files",   "a.csv",         "/dev/null", "/",
                                    "/dev/zero", "--files=b.csv", "/dev/null"};
        gs_arena_release(&arena);
        assert_int_equal(gs_options_parse(&set, 1, args, COUNT_OF(args), &operands, &arena, &err),
                         GS_OK);
        assert_int_equal(list.n, shards != 0 ? 3 : 2);
        assert_int_equal(operands.n, shards != 0 ? 3 : 4);
        assert_string_equal(operands.item[operands.n - 3],
                            "/"); /* a directory is none, nor what follows it */
        assert_string_equal(list.item[list.n - 1], "b.csv");
    }
    struct gs_list list = {0}, operands = {0};
    const struct gs_opt_set set = {files, &list, NULL, true, NULL};
    assert_int_equal(
        gs_options_parse(&set, 1, (const char *const[]){"--files", ""}, 2, &operands, &arena, &err),
        GS_ERR_USAGE);
    assert_string_equal(err.text, "--files: the file name is empty");
}

static void misuse_is_named(void **state)
{
    (void)state;
    REFUSES("--quiet: takes no value", "--quiet=yes");
    REFUSES("--threads: needs a value: N", "--threads");
    REFUSES("-t: needs a value", "a", "-t");
    REFUSES("unknown option '-z'", "-xz");
    REFUSES("unknown option '-c'; did you mean '--count'?", "-count=3");
    REFUSES("unknown option '--'", "--=3");
    REFUSES("unknown option '--frobnicate'", "--frobnicate");
    REFUSES("--file: the file name is empty", "--file=");
}

static void hostile_text_is_shown_escaped(void **state)
{
    (void)state;
    REFUSES("unknown option '--\\x1B[31m\\xFF'", "--\033[31m\377");
    REFUSES("unknown option '-\\xC3'", "-\303");
    REFUSES("--join: 'a\\nb' must be nearest, backward, forward or window", "--join=a\nb");
    char longest[5000];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(PARSE("--tz", longest), GS_ERR_USAGE);
    assert_true(strlen(err.text) < 400);
}

static void running_out_of_memory_is_a_status(void **state)
{
    (void)state;
    gs_arena_release(&arena);
    gs_memory_fail_after(1);
    const struct gs_opt_set sets[] = {{own, &got, NULL, false, NULL}};
    struct gs_list operands = {0};
    const char *const args[] = {"operand"};
    const enum gs_status s = gs_options_parse(sets, 1, args, 1, &operands, &arena, &err);
    gs_memory_fail_after(0);
    assert_int_equal(s, GS_ERR_MEMORY);
    assert_int_equal(operands.n, 0);
}

static const struct gs_opt *named(const char *name)
{
    for (const struct gs_opt *o = own; o->kind != GS_OPT_END; o++)
        if (o->name != NULL && strcmp(o->name, name) == 0)
            return o;
    fail_msg("no option %s", name);
    return NULL;
}

static void defaults_are_shown_unless_they_mean_not_given(void **state)
{
    (void)state;
    gs_arena_release(&arena);
    const struct all_kinds given = {.text = "t",
                                    .count = 5,
                                    .real = 0.5,
                                    .duration = 5000000000,
                                    .bounded = 90000000000,
                                    .shift = -2000000,
                                    .join = FORWARD};
    const struct all_kinds none = {.count = 1,
                                   .positive = 0,
                                   .real = 7,
                                   .open = (double)NAN,
                                   .duration = -1,
                                   .bounded = 0,
                                   .join = (enum join)9};
    static const struct {
        const char *name, *expected;
    } shown[] = {{"text", "t"},    {"count", "5"},    {"real", "0.5"},     {"duration", "5s"},
                 {"every", "90s"}, {"shift", "-2ms"}, {"join", "forward"}, {"tz", "UTC"}};
    static const char *const silent[] = {"text", "file",     "count",      "positive", "real",
                                         "open", "duration", "every",      "shift",    "join",
                                         "flag", "event",    "no-features"};
    for (size_t i = 0; i < COUNT_OF(shown); i++) {
        struct gs_buf b = {.arena = &arena};
        assert_true(gs_opt_show_default(&b, named(shown[i].name), &given));
        assert_string_equal(b.ptr, shown[i].expected);
    }
    for (size_t i = 0; i < COUNT_OF(silent); i++) {
        struct gs_buf b = {.arena = &arena};
        assert_false(gs_opt_show_default(&b, named(silent[i]), &none));
        assert_int_equal(b.len, 0);
    }
}

static void the_edit_distance_counts_slips(void **state)
{
    (void)state;
    /* by hand: the shortest list of edits is written behind each */
    static const struct {
        const char *a, *b;
        unsigned distance;
    } cases[] = {
        {"", "", 0},          {"", "abc", 3},          {"abc", "abc", 0},        {"ABC", "abc", 0},
        {"abc", "acb", 1},    {"evnets", "events", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3},
        {"sorrt", "sort", 1}, {"srot", "sort", 1},     {"gpus", "gpu", 1},       {"a", "b", 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(gs_edit_distance(gs_str(cases[i].a), gs_str(cases[i].b)),
                         cases[i].distance);
        assert_int_equal(gs_edit_distance(gs_str(cases[i].b), gs_str(cases[i].a)),
                         cases[i].distance);
    }
    static const char longest[] = "0123456789012345678901234567890123456789012345678";
    assert_int_equal(strlen(longest), GS_SUGGEST_MAX + 1);
    assert_int_equal(gs_edit_distance(gs_str(longest), gs_str(longest)), GS_SUGGEST_MAX);
}

static void only_near_words_are_suggested(void **state)
{
    (void)state;
    struct gs_suggestion s = {.word = {"corrlate", 8}};
    gs_suggestion_try(&s, "summary");
    assert_null(s.best);
    gs_suggestion_try(&s, "correlate");
    gs_suggestion_try(&s, "corral");
    assert_string_equal(s.best, "correlate");
    struct gs_suggestion prefix = {.word = {"st", 2}};
    gs_suggestion_try(&prefix, "stragglers");
    assert_string_equal(prefix.best, "stragglers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_arguments_leave_the_defaults),
        cmocka_unit_test(short_values_stand_attached_or_apart),
        cmocka_unit_test(long_values_stand_after_an_equals_sign_or_apart),
        cmocka_unit_test(long_names_are_never_abbreviated),
        cmocka_unit_test(options_and_operands_mix_until_two_dashes),
        cmocka_unit_test(the_last_scalar_counts_and_lists_append),
        cmocka_unit_test(a_list_of_a_thousand_keeps_its_order),
        cmocka_unit_test(counts_keep_their_bounds),
        cmocka_unit_test(numbers_keep_their_bounds),
        cmocka_unit_test(lengths_of_time_take_units_and_bounds),
        cmocka_unit_test(choices_are_words_of_a_list),
        cmocka_unit_test(sizes_take_units),
        cmocka_unit_test(what_was_given_is_told_in_one_spelling),
        cmocka_unit_test(zones_are_utc_an_offset_or_a_name),
        cmocka_unit_test(files_after_a_value_are_shards_where_the_command_takes_none),
        cmocka_unit_test(misuse_is_named),
        cmocka_unit_test(hostile_text_is_shown_escaped),
        cmocka_unit_test(running_out_of_memory_is_a_status),
        cmocka_unit_test(defaults_are_shown_unless_they_mean_not_given),
        cmocka_unit_test(the_edit_distance_counts_slips),
        cmocka_unit_test(only_near_words_are_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
