/* test_json.c - documents, mistakes told by their line, and memory told from mistakes. */
#include "fixture.h"

#include "csv/json.h"

static struct gs_json *parsed(const char *text, enum gs_status want, const char *message)
{
    struct gs_json *document = NULL;
    struct gs_err err = {0};
    assert_int_equal(gs_json_parse(gs_str(text), "f.json", &document, &err), want);
    assert_string_equal(err.text, message);
    return document;
}

static void values_come_out_with_their_types(void **state)
{
    (void)state;
    struct gs_json *const d = parsed("{\"a\": [1, \"t\", true, null], \"b\": -2.5}\n", GS_OK, "");
    const struct gs_json *v = gs_json_first(gs_json_member(d, "a"));
    double number = 0;
    bool yes = false;
    struct gs_str text = {0};
    assert_true(gs_json_number(v, &number) && number == 1);
    assert_true(gs_json_text(gs_json_next(v), &text) && gs_str_eq(text, gs_str("t")));
    assert_true(gs_json_bool(gs_json_next(gs_json_next(v)), &yes) && yes);
    assert_true(gs_json_is_null(gs_json_next(gs_json_next(gs_json_next(v)))));
    assert_true(gs_json_number(gs_json_member(d, "b"), &number) && number == -2.5);
    assert_null(gs_json_member(d, "c"));
    gs_json_free(d);
}

static void mistakes_are_named_with_their_line(void **state)
{
    (void)state;
    assert_null(parsed("", GS_ERR_DATA, "f.json:1: not JSON"));
    assert_null(parsed("{\n\"a\": 1,\n}", GS_ERR_DATA, "f.json:3: not JSON"));
    assert_null(parsed("{} x", GS_ERR_DATA, "f.json:1: not JSON"));
}

/* Whichever allocation fails, it is memory that ran out and not the document that is wrong. */
static void memory_that_runs_out_is_no_mistake(void **state)
{
    (void)state;
    static const char text[] = "{\"a\": [1, 2, {\"b\": \"text\", \"c\": [true, null, 1e3]}], \"d\": {\"e\": \"f\"}}";
    enum gs_status s = GS_ERR_MEMORY;
    uint64_t n = 1;
    for (; s == GS_ERR_MEMORY && n < 200; n++) {
        struct gs_json *document = NULL;
        struct gs_err err = {0};
        gs_memory_fail_after(n);
        s = gs_json_parse(gs_str(text), "f.json", &document, &err);
        gs_memory_fail_after(0);
        assert_string_equal(err.text, s == GS_OK ? "" : "out of memory");
        gs_json_free(document);
    }
    assert_int_equal(s, GS_OK);
    assert_true(n > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_out_with_their_types),
        cmocka_unit_test(mistakes_are_named_with_their_line),
        cmocka_unit_test(memory_that_runs_out_is_no_mistake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
