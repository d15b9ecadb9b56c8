/* Lines of forms become rows for the scanner, each in its line; what only the form's own reader can judge is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "input/import/form_rows.h"
#include "input/formats/formats.h"
#include "input/schema/map.h"

static const char map_text[] =
    "{\"schema\":\"gpustat.map/"
    "1\",\"sources\":[{\"role\":\"samples\",\"files\":[\"a\"],\"form\":\"json\","
    "\"time\":{\"column\":\"ts\",\"unit\":\"s\"},\"host\":\"host\",\"metrics\":{\"power_w\":\"p\"}}"
    "]}";

static void source_of(struct gs_arena *arena, struct gs_source *source)
{
    struct gs_map m = {0};
    struct gs_err err = {0};
    if (gs_map_parse(gs_str(map_text), "m", arena, &m, &err) != GS_OK)
        fail_msg("%s", err.text);
    *source = m.source[0];
}

/* The lines come to these rows; NULL: they are refused. */
static void expect(const char *lines, bool at_end, const char *rows)
{
    enum { PADDING = 64 };
    GS_OWN struct gs_arena arena = {0};
    static const char first[] = "{\"ts\":1,\"host\":\"n\",\"p\":1}\n";
    const struct gs_str *field = NULL;
    struct gs_form_rows *r = NULL;
    struct gs_form_table t = {0};
    struct gs_source source;
    struct gs_err err = {0};
    size_t n = 9;
    source_of(&arena, &source);
    assert_true(gs_form_rows_fit(&source));
    assert_int_equal(gs_form_rows_header(&source, gs_str(first), 1, &arena, &field, &n, &err),
                     GS_OK);
    assert_int_equal(n, 3);
    assert_int_equal(gs_form_rows_open(&source, field, n, 1, &arena, &r, &err), GS_OK);
    const enum gs_status s = gs_form_rows_write(r, gs_str(lines), PADDING, at_end, &t, &err);
    if (rows == NULL) {
        assert_int_equal(s, GS_ERR_DATA);
        return;
    }
    assert_int_equal(s, GS_OK);
    assert_int_equal(t.text.len, strlen(rows));
    assert_memory_equal(t.text.ptr, rows, strlen(rows));
}

static void each_line_is_a_row_in_its_place(void **state)
{
    (void)state;
    expect("{\"ts\":1767225600,\"host\":\"alpha\",\"p\":100.5}\n"
           "\n"
           "{\"p\":-1,\"ts\":1767225601.25,\"host\":\"a long name, with a comma\"}\r\n"
           "{\"ts\":1767225602,\"host\":\"\\\"q\\\" and more\",\"p\":null}\n",
           true,
           "1767225600,\"alpha\",100.5\n"
           "\n"
           "1767225601.25,\"a long name, with a comma\",-1\n"
           "1767225602,\"\"\"q\"\" and more\",\n");
    expect("{\"ts\":1767225600,\"host\":\"n\303\266de\",\"p\":\"N/A\"}\n", false,
           "1767225600,\"n\303\266de\",\"N/A\"\n");
}

static void a_torn_line_is_left_out_at_the_end_of_the_file_alone(void **state)
{
    (void)state;
    static const char lines[] = "{\"ts\":1767225600,\"host\":\"a\",\"p\":1}\n{\"ts\":17672";
    expect(lines, true, "1767225600,\"a\",1\n");
    expect(lines, false, NULL);
}

static void what_the_mapper_has_to_judge_is_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "{\"ts\":1767225600123,\"host\":\"a\",\"p\":1}\n",  /* no seconds, by its size */
        "{\"ts\":1767225600,\"host\":\"a\\nb\",\"p\":1}\n", /* a line end in a cell */
        "{\"ts\":1767225600,\"host\":\"a\\rb\",\"p\":1}\n",
        "{\"ts\":1767225600,\"host\":\"a\377\",\"p\":1}\n",                         /* no UTF-8 */
        "{\"ts\":1767225600,\"host\":\"a\",\"p\":1} {\"ts\":1767225601,\"p\":2}\n", /* two in a line */
        "{\"ts\":1767225600,\"host\":\"a\",\n\"p\":1}\n",                           /* one in two */
        "{\"ts\":1767225600,\"host\":\"a\",\"p\":1\n",                              /* not JSON */
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        expect(lines[i], false, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_line_is_a_row_in_its_place),
        cmocka_unit_test(a_torn_line_is_left_out_at_the_end_of_the_file_alone),
        cmocka_unit_test(what_the_mapper_has_to_judge_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
