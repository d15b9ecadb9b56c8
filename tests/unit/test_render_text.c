/* test_render_text.c - tables, csv, tsv, markdown: the exact bytes, and what may never be among them. */
#define _XOPEN_SOURCE 700 /* wcwidth */

#include "arena_fixture.h"
#include "render_fixture.h"

#include <ctype.h>

#include <locale.h>
#include <wchar.h>

#include "output/text/width.h"
#include "output/escape/escape.h"
#include "output/text/cells.h"

/* Two rows that the exact bytes below were written for by hand. */
static struct gs_frame *small(const char *name, const char *title, struct gs_frames *out)
{
    struct gs_frame *f;
    assert_int_equal(
        gs_frame_new(&arena,
                     &(struct gs_frame_head){name, title, fixture_specs, COUNT_OF(fixture_specs)},
                     2, out, &f, NULL),
        GS_OK);
    gs_frame_set_text(f, 0, 0, gs_str("Saving Config"));
    gs_frame_set_int(f, 0, 1, 66040);
    gs_frame_set_real(f, 0, 2, 36.666);
    gs_frame_set_time(f, 0, 3, INT64_C(1541660000000000000));
    gs_frame_set_int(f, 0, 4, 1234567);
    gs_frame_set_text(f, 1, 0, gs_str("a|b"));
    gs_frame_set_int(f, 1, 1, -1234567);
    gs_frame_set_real(f, 1, 2, 12345.678);
    return f;
}

static void a_table_aligns_and_marks_what_is_missing(void **state)
{
    (void)state;
    assert_string_equal(
        rendered(&arena, small("events", "Events", NULL), GS_FORMAT_TABLE, NULL).ptr,
        "                                mean\n"
        "event              events  power (W)  start                         job\n"
        "-------------  ----------  ---------  ------------------------  -------\n"
        "Saving Config      66,040      36.67  2018-11-08 06:53:20.000Z  1234567\n"
        "a|b            -1,234,567  12,345.68  -                               -\n");
}

static void several_frames_are_titled_and_apart(void **state)
{
    (void)state;
    struct gs_frames out = {.notes.arena = &arena};
    struct gs_frame *f = small("one", "First", &out);
    f->n_columns = 2;
    f = small("two", NULL, &out);
    f->n_columns = 2;
    f->n_rows = 0;
    assert_string_equal(rendered(&arena, out.first, GS_FORMAT_TABLE, NULL).ptr,
                        "First\n"
                        "event              events\n"
                        "-------------  ----------\n"
                        "Saving Config      66,040\n"
                        "a|b            -1,234,567\n"
                        "\n"
                        "two\n"
                        "(no rows)\n");
    assert_string_equal(rendered(&arena, out.first, GS_FORMAT_CSV, NULL).ptr,
                        "event,n\nSaving Config,66040\na|b,-1234567\n\nevent,n\n");
    assert_string_equal(rendered(&arena, out.first, GS_FORMAT_JSONL, NULL).ptr,
                        "{\"frame\": \"one\", \"event\": \"Saving Config\", \"n\": 66040}\n"
                        "{\"frame\": \"one\", \"event\": \"a|b\", \"n\": -1234567}\n");
}

static void csv_is_bare_and_exact(void **state)
{
    (void)state;
    assert_string_equal(rendered(&arena, small("events", "Events", NULL), GS_FORMAT_CSV, NULL).ptr,
                        "event,n,power_mean_w,start,job\n"
                        "Saving Config,66040,36.666,2018-11-08T06:53:20.000Z,1234567\n"
                        "a|b,-1234567,12345.678,,\n");
}

static void csv_tells_empty_from_missing(void **state)
{
    (void)state;
    struct gs_frame *f;
    assert_int_equal(gs_frame_new(&arena, &(struct gs_frame_head){"x", "x", fixture_specs, 2}, 2,
                                  NULL, &f, NULL),
                     GS_OK);
    gs_frame_set_text(f, 0, 0, gs_str(""));
    assert_string_equal(rendered(&arena, f, GS_FORMAT_CSV, NULL).ptr, "event,n\n\"\",\n,\n");
    f->n_columns = 1; /* a missing cell alone in its row must not make a blank line */
    assert_string_equal(rendered(&arena, f, GS_FORMAT_CSV, NULL).ptr, "event\n\"\"\n\"\"\n");
}

static void markdown_is_a_github_table(void **state)
{
    (void)state;
    assert_string_equal(
        rendered(&arena, small("events", "Events", NULL), GS_FORMAT_MARKDOWN, NULL).ptr,
        "| event | events | mean power (W) | start | job |\n"
        "| :--- | ---: | ---: | :--- | ---: |\n"
        "| Saving Config | 66,040 | 36.67 | 2018-11-08 06:53:20.000Z | 1234567 |\n"
        "| a\\|b | -1,234,567 | 12,345.68 | - | - |\n");
}

static void no_control_byte_reaches_a_table_or_markdown(void **state)
{
    (void)state;
    struct gs_frame *const f = hostile_frame(&arena, NULL);
    const enum gs_format formats[] = {GS_FORMAT_TABLE, GS_FORMAT_MARKDOWN, GS_FORMAT_HTML};
    for (size_t k = 0; k < COUNT_OF(formats); k++) {
        const struct gs_str text = rendered(&arena, f, formats[k], NULL);
        for (size_t i = 0; i < text.len;) {
            unsigned c = 0;
            const size_t n = gs_utf8_next((struct gs_str){text.ptr + i, text.len - i}, &c);
            assert_true(n > 0); /* valid UTF-8 throughout */
            assert_true(c == '\n' || (c >= 0x20 && c != 0x7f && !(c >= 0x80 && c < 0xa0)));
            assert_true(c != 0x202e && c != 0x2066);
            i += n;
        }
    }
}

static size_t count_lines(struct gs_str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == '\n';
    return n;
}

static void every_row_is_one_line(void **state)
{
    (void)state;
    struct gs_frame *const f = hostile_frame(&arena, NULL);
    assert_int_equal(count_lines(rendered(&arena, f, GS_FORMAT_TSV, NULL)), f->n_rows + 1);
    assert_int_equal(count_lines(rendered(&arena, f, GS_FORMAT_MARKDOWN, NULL)), f->n_rows + 2);
    assert_int_equal(count_lines(rendered(&arena, f, GS_FORMAT_JSONL, NULL)), f->n_rows);
    f->n_columns = 3;
    /* "mean", "power", "(W)" and the rule stand above the rows. */
    assert_int_equal(count_lines(rendered(&arena, f, GS_FORMAT_TABLE, NULL)), f->n_rows + 4);
}

static void markdown_gives_no_character_of_data_a_meaning(void **state)
{
    (void)state;
    const struct gs_str text =
        rendered(&arena, hostile_frame(&arena, NULL), GS_FORMAT_MARKDOWN, NULL);
    const char *const body = strchr(strchr(text.ptr, '\n') + 1, '\n');
    for (const char *p = body; *p != '\0'; p++) {
        if (*p == '\\') { /* every mark of the data stands behind one */
            p++;
            assert_non_null(strchr("\\`*_[]#|~$+-", *p));
            continue;
        }
        /* Cells are closed by " |"; a line inside a word is a letter. */
        if (*p == '|')
            assert_true(p[1] == ' ' || p[1] == '\n' || p[1] == '\0');
        if (*p == '_')
            assert_true(isalnum((unsigned char)p[-1]) && isalnum((unsigned char)p[1]));
        assert_null(strchr("`*[]<>~$@", *p));
        assert_true(strncmp(p, "://", 3) != 0);
    }
}

/* No line is wider than the terminal, from the 44 columns that the shortest key and the longest time take. */
static void a_table_fits_the_terminal(void **state)
{
    (void)state;
    struct gs_frame *const f = hostile_frame(&arena, NULL);
    for (int width = 44; width <= 200; width++) {
        for (int unicode = 0; unicode < 2; unicode++) {
            const struct gs_render_options o = {.width = width, .unicode = unicode != 0};
            const struct gs_str text = rendered(&arena, f, GS_FORMAT_TABLE, &o);
            const char *line = text.ptr;
            for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
                assert_true(gs_text_width((struct gs_str){line, (size_t)(end - line)}) <=
                            (size_t)width);
                assert_true(end == line || end[-1] != ' ');
            }
        }
    }
}

static void blocks_repeat_the_key_and_lose_no_column(void **state)
{
    (void)state;
    const struct gs_render_options o = {.width = 40};
    const struct gs_str text =
        rendered(&arena, small("events", "Events", NULL), GS_FORMAT_TABLE, &o);
    assert_string_equal(text.ptr, "                                mean\n"
                                  "event              events  power (W)\n"
                                  "-------------  ----------  ---------\n"
                                  "Saving Config      66,040      36.67\n"
                                  "a|b            -1,234,567  12,345.68\n"
                                  "\n"
                                  "event          start\n"
                                  "-------------  ------------------------\n"
                                  "Saving Config  2018-11-08 06:53:20.000Z\n"
                                  "a|b            -\n"
                                  "\n"
                                  "event              job\n"
                                  "-------------  -------\n"
                                  "Saving Config  1234567\n"
                                  "a|b                  -\n");
}

/* Two of three rows have the same text: the count beside it is what tells them apart. */
static void blocks_repeat_as_many_columns_as_tell_the_rows_apart(void **state)
{
    (void)state;
    struct gs_frame *f;
    assert_int_equal(
        gs_frame_new(&arena,
                     &(struct gs_frame_head){"x", "x", fixture_specs, COUNT_OF(fixture_specs)}, 3,
                     NULL, &f, NULL),
        GS_OK);
    for (size_t r = 0; r < 3; r++) {
        gs_frame_set_text(f, r, 0, gs_str(r < 2 ? "Render" : "Tiling"));
        gs_frame_set_int(f, r, 1, (int64_t)r);
        gs_frame_set_int(f, r, 4, 7);
    }
    const struct gs_render_options wide = {.width = 45}, half = {.width = 32},
                                   narrow = {.width = 26};
    assert_string_equal(rendered(&arena, f, GS_FORMAT_TABLE, &wide).ptr,
                        "                 mean\n"
                        "                power\n"
                        "event   events    (W)  start  job\n"
                        "------  ------  -----  -----  ---\n"
                        "Render       0      -  -        7\n"
                        "Render       1      -  -        7\n"
                        "Tiling       2      -  -        7\n");
    assert_string_equal(rendered(&arena, f, GS_FORMAT_TABLE, &half).ptr,
                        "                 mean\n"
                        "                power\n"
                        "event   events    (W)  start\n"
                        "------  ------  -----  -----\n"
                        "Render       0      -  -\n"
                        "Render       1      -  -\n"
                        "Tiling       2      -  -\n"
                        "\n"
                        "event   events  job\n"
                        "------  ------  ---\n"
                        "Render       0    7\n"
                        "Render       1    7\n"
                        "Tiling       2    7\n");
    /* Where they would leave too little of the line, the first alone. */
    assert_non_null(
        strstr(rendered(&arena, f, GS_FORMAT_TABLE, &narrow).ptr, "\nevent   start  job\n"));
}

static void words_of_a_long_text_go_on_several_lines(void **state)
{
    (void)state;
    struct gs_frame *f;
    assert_int_equal(gs_frame_new(&arena, &(struct gs_frame_head){"x", "x", fixture_specs, 2}, 2,
                                  NULL, &f, NULL),
                     GS_OK);
    gs_frame_set_text(f, 0, 0, gs_str("counted twice; --duplicates drop removes them"));
    gs_frame_set_int(f, 0, 1, 30);
    gs_frame_set_text(f, 1, 0, gs_str("fine"));
    gs_frame_set_int(f, 1, 1, 7);
    const struct gs_render_options o = {.width = 24};
    assert_string_equal(rendered(&arena, f, GS_FORMAT_TABLE, &o).ptr, "event             events\n"
                                                                      "----------------  ------\n"
                                                                      "counted twice;        30\n"
                                                                      "--duplicates\n"
                                                                      "drop removes\n"
                                                                      "them\n"
                                                                      "fine                   7\n");
}

static void long_text_is_shortened_in_the_middle(void **state)
{
    (void)state;
    struct gs_frame *f;
    assert_int_equal(gs_frame_new(&arena, &(struct gs_frame_head){"x", "x", fixture_specs, 2}, 1,
                                  NULL, &f, NULL),
                     GS_OK);
    gs_frame_set_text(f, 0, 0, gs_str("04dc4e9647154250beeee51b866b0715000001"));
    gs_frame_set_int(f, 0, 1, 7);
    const struct gs_render_options o = {.width = 28, .unicode = true};
    const char *const text = rendered(&arena, f, GS_FORMAT_TABLE, &o).ptr;
    assert_non_null(strstr(text, "\n04dc4e9647\xe2\x80\xa6"
                                 "715000001       7\n"));
}

static void colour_adds_nothing_but_escapes(void **state)
{
    (void)state;
    const struct gs_render_options o = {.colour = true};
    const struct gs_str with = rendered(&arena, small("e", "E", NULL), GS_FORMAT_TABLE, &o);
    const struct gs_str without = rendered(&arena, small("e", "E", NULL), GS_FORMAT_TABLE, NULL);
    struct gs_buf stripped = {.arena = &arena};
    for (size_t i = 0; i < with.len; i++) {
        if (with.ptr[i] == '\033')
            i += strcspn(with.ptr + i, "m");
        else
            gs_buf_char(&stripped, with.ptr[i]);
    }
    assert_true(with.len > without.len);
    assert_string_equal(stripped.ptr, without.ptr);
}

static void numbers_for_people(void **state)
{
    (void)state;
    static const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = {
        {0, 2, "0.00"},          {-0.0, 2, "0.00"},      {1234567.891, 1, "1,234,567.9"},
        {-999.5, 0, "-1,000"},   {999, 0, "999"},        {0.0026, 2, "0.0026"},
        {3.2e-41, 4, "3.2e-41"}, {-0.004, 2, "-0.0040"}, {0.005000001, 2, "0.01"},
        {1e300, 2, "1e+300"},    {12.5, -1, "12.5"},     {100000, -1, "100,000"},
        {0.49, 0, "0.49"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct gs_buf b = {.arena = &arena};
        gs_real_for_people(&b, cases[i].value, cases[i].decimals);
        assert_string_equal(b.ptr, cases[i].text);
    }
}

/* The C library's own table, of another Unicode version, must agree where both are old and settled. */
static void a_small_p_is_below_a_bound_and_exact_in_csv(void **state)
{
    (void)state;
    static const struct gs_column_spec specs[] = {
        {.name = "p_value",
         .label = "p",
         .unit = "",
         .type = GS_TYPE_REAL,
         .decimals = 4,
         .how = ""},
        {.name = "r", .label = "r", .unit = "", .type = GS_TYPE_REAL, .decimals = 4, .how = ""}};
    struct gs_arena own = {0};
    struct gs_frame *f;
    assert_int_equal(gs_frame_new(&own, &(struct gs_frame_head){"f", "", specs, COUNT_OF(specs)}, 4,
                                  NULL, &f, NULL),
                     GS_OK);
    static const double p[] = {0, 2.5e-26, 0.00011, 1};
    for (size_t i = 0; i < COUNT_OF(p); i++) {
        gs_frame_set_real(f, i, 0, p[i]);
        gs_frame_set_real(f, i, 1, p[i]);
    }
    assert_string_equal(rendered(&own, f, GS_FORMAT_CSV, NULL).ptr,
                        "p_value,r\n0,0\n2.5e-26,2.5e-26\n0.00011,0.00011\n1,1\n");
    static const char *const shown[] = {"<0.0001", "<0.0001", "0.0001", "1.0000"};
    for (size_t i = 0; i < COUNT_OF(shown); i++) {
        struct gs_buf b = {.arena = &own};
        gs_cell_for_people(&b, f, i, 0);
        gs_buf_char(&b, '\0');
        assert_string_equal(b.ptr, shown[i]);
    }
    struct gs_buf r = {.arena = &own};
    gs_cell_for_people(&r, f, 1, 1);
    gs_buf_char(&r, '\0');
    assert_string_equal(r.ptr, "2.5e-26");
    gs_arena_release(&own);
}

static void widths_agree_with_the_c_library(void **state)
{
    (void)state;
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
        skip();
    static const unsigned ranges[][2] = {
        {0x20, 0x7e},     {0xa1, 0xac},     {0xae, 0x2ff},      {0x300, 0x36f},    {0x370, 0x377},
        {0x400, 0x52f},   {0x5d0, 0x5ea},   {0x1100, 0x115f},   {0x1e00, 0x1eff},  {0x2010, 0x2027},
        {0x2200, 0x22ff}, {0x3041, 0x3096}, {0x30a0, 0x30ff},   {0x4e00, 0x9fa5},  {0xac00, 0xd7a3},
        {0xff01, 0xff60}, {0xff61, 0xff9f}, {0x1f600, 0x1f640}, {0x20000, 0x2a6d6}};
    for (size_t i = 0; i < COUNT_OF(ranges); i++)
        for (unsigned c = ranges[i][0]; c <= ranges[i][1]; c++)
            assert_int_equal(gs_code_width(c), wcwidth((wchar_t)c));
    (void)setlocale(LC_CTYPE, "C");
}

static void wide_and_combining_text_lines_up(void **state)
{
    (void)state;
    struct gs_frame *f;
    assert_int_equal(gs_frame_new(&arena, &(struct gs_frame_head){"x", "x", fixture_specs, 2}, 3,
                                  NULL, &f, NULL),
                     GS_OK);
    gs_frame_set_text(f, 0, 0, gs_str("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"));
    gs_frame_set_text(f, 1, 0, gs_str("cafe\xcc\x81"));
    gs_frame_set_text(f, 2, 0, gs_str("abcdef"));
    assert_string_equal(rendered(&arena, f, GS_FORMAT_TABLE, NULL).ptr,
                        "event   events\n"
                        "------  ------\n"
                        "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e       -\n"
                        "cafe\xcc\x81         -\n"
                        "abcdef       -\n");
}

static void text_is_cut_between_whole_characters(void **state)
{
    (void)state;
    const struct gs_str text = gs_str("a\xe6\x97\xa5"
                                      "e\xcc\x81z"); /* widths 1 2 1 0 1 */
    static const size_t start[] = {0, 1, 1, 4, 7, 8}, end[] = {0, 1, 4, 4, 7, 8};
    for (size_t columns = 0; columns <= 5; columns++) {
        assert_int_equal(gs_text_start(text, columns).len, start[columns]);
        assert_int_equal(gs_text_end(text, columns).len, end[columns]);
    }
}

/* Any value with any number of decimals is rounded as printf does: exactly, of two equally near the even one. */
static void reals_for_people_are_rounded_as_printf_does(void **state)
{
    (void)state;
    static const double fixed[] = {0.5,
                                   1.5,
                                   2.5,
                                   0.125,
                                   0.375,
                                   2.675,
                                   1.005,
                                   8.345,
                                   1e15 - 0.5,
                                   4503599627370495.5 / 4096,
                                   999999.5,
                                   999.9999999999999,
                                   2251799813685247.75,
                                   0.1,
                                   1.0 / 3,
                                   65536.0 / 10};
    for (uint64_t i = 0; i < 200000; i++) {
        const int places = (int)random_below(13);
        double value = i < COUNT_OF(fixed) * 13 ? fixed[i / 13]
                                                : (double)(random_bits() >> 11) /
                                                      (double)(UINT64_C(1) << random_below(54));
        if (i >= COUNT_OF(fixed) * 13 && random_below(3) == 0) /* halves of the last place */
            value = (double)random_below(1u << 20) / (double)(1u << random_below(12));
        value = random_below(2) == 0 ? -value : value;
        char want[64], found[64], half[64];
        (void)snprintf(want, sizeof want, "%.*f", places, value);
        (void)snprintf(half, sizeof half, "%.*f", places, 0.0);
        if (!(fabs(value) < 1e15) || strcmp(want + (want[0] == '-'), half) == 0)
            continue; /* shown otherwise: in full, or with more decimals */
        struct gs_buf b = {.arena = &arena};
        const struct gs_arena_mark mark = gs_arena_mark(&arena);
        gs_real_for_people(&b, value, places);
        size_t n = 0;
        for (size_t k = 0; k < b.len; k++)
            if (b.ptr[k] != ',')
                found[n++] = b.ptr[k];
        found[n] = '\0';
        gs_arena_rewind(&arena, mark);
        if (strcmp(found, want) != 0)
            fail_msg("%.17g with %d decimals: %s, expected %s", value, places, found, want);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, forget)
    const struct CMUnitTest tests[] = {
        TEST(reals_for_people_are_rounded_as_printf_does),
        TEST(a_table_aligns_and_marks_what_is_missing),
        TEST(several_frames_are_titled_and_apart),
        TEST(csv_is_bare_and_exact),
        TEST(csv_tells_empty_from_missing),
        TEST(markdown_is_a_github_table),
        TEST(no_control_byte_reaches_a_table_or_markdown),
        TEST(every_row_is_one_line),
        TEST(markdown_gives_no_character_of_data_a_meaning),
        TEST(a_table_fits_the_terminal),
        TEST(blocks_repeat_the_key_and_lose_no_column),
        TEST(blocks_repeat_as_many_columns_as_tell_the_rows_apart),
        TEST(words_of_a_long_text_go_on_several_lines),
        TEST(long_text_is_shortened_in_the_middle),
        TEST(colour_adds_nothing_but_escapes),
        TEST(numbers_for_people),
        TEST(a_small_p_is_below_a_bound_and_exact_in_csv),
        TEST(widths_agree_with_the_c_library),
        TEST(wide_and_combining_text_lines_up),
        TEST(text_is_cut_between_whole_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
