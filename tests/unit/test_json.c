/* test_json.c - documents, mistakes told by their line, and memory told from mistakes. */
#include "fixture.h"

#include "input/bytes/json.h"
#include "input/bytes/json_cut.h"

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
    assert_null(parsed("{\n\"a\\u0000b\": 1}", GS_ERR_DATA, "f.json:2: not JSON: holds a NUL"));
}

/* Whichever allocation fails, it is memory that ran out and not the document that is wrong. */
static void memory_that_runs_out_is_no_mistake(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\": [1, 2, {\"b\": \"text\", \"c\": [true, null, 1e3]}], \"d\": {\"e\": \"f\"}}";
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

/* What was cut out, as PATH=TEXT@LINE; lines. */
static bool wants(void *context, const struct gs_str *key, unsigned n)
{
    (void)context;
    return n == 2 && (key[0].ptr == NULL || !gs_str_eq(key[0], gs_str("no")));
}

static enum gs_status take(void *context, const struct gs_json_item *item, struct gs_err *err)
{
    struct gs_buf *const b = context;
    (void)err;
    for (unsigned i = 0; i < item->n_keys; i++) {
        const struct gs_str key = item->key[i];
        gs_buf_char(b, '/');
        gs_buf_bytes(b, key.ptr == NULL ? "[]" : key.ptr, key.ptr == NULL ? 2 : key.len);
    }
    gs_buf_char(b, '=');
    gs_buf_bytes(b, item->text.ptr, item->text.len);
    gs_buf_format(b, "@%llu;", (unsigned long long)item->line);
    return GS_OK;
}

static enum gs_status cut(const char *text, size_t chunk, struct gs_buf *out, struct gs_err *err)
{
    struct gs_json_cut c = {
        .name = "f", .wants = wants, .take = take, .context = out, .item.arena = out->arena};
    const size_t n = strlen(text);
    out->len = 0;
    enum gs_status s = GS_OK;
    for (size_t at = 0; s == GS_OK && at < n; at += chunk)
        s = gs_json_cut_feed(&c, (struct gs_str){text + at, chunk < n - at ? chunk : n - at}, err);
    return s == GS_OK ? gs_json_cut_finish(&c, err) : s;
}

static void values_are_cut_out_of_a_stream_in_pieces_of_any_size(void **state)
{
    (void)state;
    static const struct {
        const char *text, *found;
    } cases[] = {
        {"{\"a\": {\"b\": 1, \"c\": [1, {\"x\": \"]}\"}]}}",
         "/a/b=1@1;/a/c=[1, {\"x\": \"]}\"}]@1;"},
        {"{\"a\":[\"t\\\"\\\\\",{},[],null]}",
         "/a/[]=\"t\\\"\\\\\"@1;/a/[]={}@1;/a/[]=[]@1;/a/[]=null@1;"},
        {"[[1,2]\n,\n{\"k\": -3.5e1}]", "/[]/[]=1@1;/[]/[]=2@1;/[]/k=-3.5e1@3;"},
        {"{\"no\":{\"b\":{\"a\":1}},\"s\":\"x\",\"a\":{\"b\":2}}\n{\"d\":{\"e\":true}}",
         "/a/b=2@1;/d/e=true@2;"},
        {"1 \"a\" {}", ""},
    };
    struct gs_arena arena = {0};
    struct gs_buf out = {.arena = &arena};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (size_t chunk = 1; chunk <= strlen(cases[i].text); chunk++) {
            assert_int_equal(cut(cases[i].text, chunk, &out, NULL), GS_OK);
            gs_buf_char(&out, '\0');
            assert_string_equal(gs_buf_str(&out).ptr, cases[i].found);
        }
    static const char *const wrong[][2] = {{"{\"a\":[1}", "f:1: not JSON"},
                                           {"]", "f:1: not JSON"},
                                           {"{\n\"a", "f:2: not JSON: it ends within a value"},
                                           {"[[1]", "f:1: not JSON: it ends within a value"}};
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        for (size_t chunk = 1; chunk <= strlen(wrong[i][0]); chunk++) {
            struct gs_err err = {0};
            assert_int_equal(cut(wrong[i][0], chunk, &out, &err), GS_ERR_DATA);
            assert_string_equal(err.text, wrong[i][1]);
        }
    char deep[200];
    struct gs_err err = {0};
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    assert_int_equal(cut(deep, 7, &out, &err), GS_ERR_DATA);
    assert_string_equal(err.text, "f:1: values nested too deep");
    gs_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_cut_out_of_a_stream_in_pieces_of_any_size),
        cmocka_unit_test(values_come_out_with_their_types),
        cmocka_unit_test(mistakes_are_named_with_their_line),
        cmocka_unit_test(memory_that_runs_out_is_no_mistake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
