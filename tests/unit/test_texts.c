/* Help, manual pages, completions and --explain made from a command whose texts try everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/num/timestamp.h"
#include "app/options/explain.h"
#include "app/cli/help.h"

struct odd_opts {
    struct gs_list shards, names;
    bool flag, features;
    struct gs_zone zone;
    const char *text;
    uint64_t count;
};

static const struct gs_opt opts[] = {
    {0, NULL, GS_OPT_GROUP, 0, .help = "input"},
    {'S', "shard", GS_OPT_FILES, offsetof(struct odd_opts, shards),
     .help = "a shard, may be given again"},
    {'x', "flag", GS_OPT_FLAG, offsetof(struct odd_opts, flag),
     .help = "it's [odd]: a\\b `c` ~ ^ \302\265s"},
    {0, "no-features", GS_OPT_CLEAR, offsetof(struct odd_opts, features),
     .help = ".starts like a request"},
    {0, "tz", GS_OPT_ZONE, offsetof(struct odd_opts, zone), .help = "'quoted at the start"},
    {0, "text", GS_OPT_TEXT, offsetof(struct odd_opts, text), .help = "a text"},
    {0, "name", GS_OPT_LIST, offsetof(struct odd_opts, names), .help = "names"},
    {0, "count", GS_OPT_COUNT, offsetof(struct odd_opts, count), .help = "a count", .min = 1},
    {0},
};

static const struct odd_opts defaults = {.features = true};

static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    (void)parsed, (void)context, (void)out, (void)err;
    return GS_OK;
}

static const struct gs_example examples[] = {{"gpustat odd 'a b' --text=-", "an odd one"}, {0}};

static const struct gs_command odd = {
    .name = "odd",
    .summary = "what no table holds",
    .description = "First paragraph with --an-option in it\nand a line end.\n\n"
                   "    .preformatted 'as it' stands\n    second\\line\n\n"
                   ".Last paragraph.",
    .operands = "FILE...",
    .operands_max = SIZE_MAX,
    .opts = opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .run = run,
    .examples = examples,
};

static struct gs_arena arena;
static struct gs_buf text;

static int fresh(void **state)
{
    (void)state;
    gs_arena_release(&arena);
    text = (struct gs_buf){.arena = &arena};
    return 0;
}

#define HAS(part) assert_non_null(strstr(text.ptr, part))

static void the_help_keeps_preformatted_lines(void **state)
{
    (void)state;
    gs_help_command(&text, &odd, 80);
    assert_false(text.failed);
    HAS("Usage: gpustat odd [OPTION]... FILE...\n");
    HAS("First paragraph with --an-option in it and a line end.\n\n    .preformatted 'as it' "
        "stands\n    "
        "second\\line\n\n.Last");
    HAS("\nInput:\n  -S, --shard FILE ");
    HAS("  gpustat odd 'a b' --text=-\n      an odd one\n");
}

static void the_manual_page_escapes_what_roff_reads(void **state)
{
    (void)state;
    gs_man_page(&text, &odd, "x.y");
    assert_false(text.failed);
    HAS(".TH X.Y-ODD 1 ");
    HAS("First paragraph with \\-\\-an-option in it and a line end.\n");
    HAS(".EX\n\\&    .preformatted \\(aqas it\\(aq stands\n\\&    second\\eline\n.EE\n");
    HAS("\n\\&.Last paragraph.\n");
    HAS("\n\\&.starts like a request\n");
    HAS("\n\\&'quoted at the start");
    HAS("it's [odd]: a\\eb \\(gac\\(ga \\(ti \\(ha \\[u00B5]s\n");
    HAS("\\fBgpustat odd \\(aqa b\\(aq \\-\\-text=\\-\\fR\n");
    for (const char *line = text.ptr, *end = line; end != NULL;
         line = end == NULL ? line : end + 1) {
        end = strchr(line, '\n');
        static const char *const requests[] = {".TH ", ".SH ",  ".SS ",  ".TP\n", ".B ",
                                               ".BR ", ".PP\n", ".EX\n", ".EE\n", ".\\\""};
        bool known = *line != '.';
        for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
            known |= strncmp(line, requests[i], strlen(requests[i])) == 0;
        if (!known)
            fail_msg("read as a request: %.40s", line);
    }
}

static struct gs_str value_of(const struct gs_frame *f, const char *option)
{
    for (size_t r = 0; r < f->n_rows; r++)
        if (gs_str_eq(f->columns[0].text[r], gs_str(option)))
            return f->columns[1].text[r];
    fail_msg("no row for %s", option);
    return (struct gs_str){0};
}

static void explain_shows_every_option_in_force(void **state)
{
    (void)state;
    const char *shards[] = {"a.csv", "b.csv"};
    const struct odd_opts given = {
        .shards = {shards, 2}, .flag = true, .zone = {.offset_s = -12600}, .text = "t"};
    static const struct gs_column_spec specs[] = {{.name = "power_mean_w",
                                                   .label = "mean power",
                                                   .unit = "W",
                                                   .type = GS_TYPE_REAL,
                                                   .how = "mean of power"}};
    struct gs_frames result = {.notes = {.arena = &arena}}, out = {.notes = {.arena = &arena}};
    struct gs_frame *f;
    assert_int_equal(
        gs_frame_new(&arena, &(struct gs_frame_head){"odd", "odd", specs, 1}, 3, &result, &f, NULL),
        GS_OK);
    const struct gs_context context = {
        .arena = &arena, .command = &odd, .rates = {.given = {"0.30EUR/kWh", NULL, 1.3}}};
    assert_int_equal(gs_explain(&result, &given, &context, &out, NULL), GS_OK);
    assert_int_equal(out.first->n_rows, 1);
    assert_memory_equal(out.first->columns[3].text[0].ptr, "mean of power", 13);
    const struct gs_frame *const o = out.last;
    static const char *const expected[][2] = {{"--shard", "a.csv b.csv"},
                                              {"--flag", "yes"},
                                              {"--no-features", "yes"},
                                              {"--tz", "-03:30"},
                                              {"--text", "t"},
                                              {"--name", NULL},
                                              {"--count", NULL},
                                              {"--price", "0.30EUR/kWh"},
                                              {"--pue", "1.3"}};
    assert_int_equal(o->n_rows, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < o->n_rows; i++)
        assert_true(gs_str_eq(value_of(o, expected[i][0]), gs_str(expected[i][1])));
}

static void running_out_of_memory_is_seen_in_every_text(void **state)
{
    (void)state;
    const struct gs_context context = {.arena = &arena, .command = &odd};
    for (int what = 0; what < 3; what++) {
        bool failed = true;
        uint64_t n = 1;
        for (; failed && n < 1000; n++) {
            struct gs_frames result = {.notes = {.arena = &arena}},
                             out = {.notes = {.arena = &arena}};
            (void)fresh(NULL);
            gs_memory_fail_after(n);
            if (what == 0)
                gs_help_command(&text, &odd, 80);
            else if (what == 1)
                gs_man_page(&text, &odd, "gpustat");
            else
                text.failed = gs_explain(&result, &defaults, &context, &out, NULL) == GS_ERR_MEMORY;
            failed = text.failed;
            gs_memory_fail_after(0);
        }
        assert_false(failed);
        assert_true(n > 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_help_keeps_preformatted_lines, fresh, fresh),
        cmocka_unit_test_setup_teardown(the_manual_page_escapes_what_roff_reads, fresh, fresh),
        cmocka_unit_test_setup_teardown(explain_shows_every_option_in_force, fresh, fresh),
        cmocka_unit_test_setup_teardown(running_out_of_memory_is_seen_in_every_text, fresh, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
