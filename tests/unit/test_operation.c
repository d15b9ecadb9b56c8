/* The text of operations: what is accepted, how it is taken apart, and what is refused with which words. */
#include "arena_fixture.h"

#include "data/tables/operation.h"

static struct gs_op parsed(const char *text)
{
    struct gs_op op = {0};
    struct gs_err err = {0};
    if (gs_op_parse(gs_str(text), &arena, &op, &err) != GS_OK)
        fail_msg("%s: %s", text, err.text);
    return op;
}

static void a_convolution_is_taken_apart(void **state)
{
    (void)state;
    const struct gs_op op =
        parsed("Conv2d(3, 64, kernel_size=(7, 7), stride=(2, 2), padding=(3, 3), bias=False)");
    assert_true(gs_str_eq(op.kind, gs_str("Conv2d")));
    assert_int_equal(op.n_args, 6);
    assert_int_equal(op.n_positional, 2);
    assert_int_equal(op.arg[0].value.kind, GS_OP_NUMBER);
    assert_true(op.arg[0].value.number == 3.0 && op.arg[1].value.number == 64.0);
    const struct gs_op_value *const kernel = gs_op_find(&op, "kernel_size", -1);
    assert_non_null(kernel);
    assert_int_equal(kernel->kind, GS_OP_TUPLE);
    assert_int_equal(kernel->n_items, 2);
    assert_true(kernel->item[0].number == 7.0 && kernel->item[1].number == 7.0);
    const struct gs_op_value *const bias = gs_op_find(&op, "bias", 7);
    assert_int_equal(bias->kind, GS_OP_BOOL);
    assert_true(bias->number == 0.0);
    assert_null(gs_op_find(&op, "dilation", 5));
    assert_ptr_equal(gs_op_find(&op, "in_channels", 0), &op.arg[0].value);
}

static void every_kind_of_value_is_read(void **state)
{
    (void)state;
    const struct gs_op op =
        parsed("F(-1.5e-3, None, True, row, 'a b', \"c\", (), (1,), [2, (3, x)], k=.5)");
    static const enum gs_op_value_kind kinds[] = {
        GS_OP_NUMBER, GS_OP_NONE,  GS_OP_BOOL,  GS_OP_TEXT,  GS_OP_TEXT,
        GS_OP_TEXT,   GS_OP_TUPLE, GS_OP_TUPLE, GS_OP_TUPLE, GS_OP_NUMBER};
    assert_int_equal(op.n_args, COUNT_OF(kinds));
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        assert_int_equal(op.arg[i].value.kind, kinds[i]);
    assert_true(op.arg[0].value.number == -0.0015);
    assert_true(op.arg[2].value.number == 1.0);
    assert_true(gs_str_eq(op.arg[3].value.text, gs_str("row")));
    assert_true(gs_str_eq(op.arg[4].value.text, gs_str("a b")));
    assert_int_equal(op.arg[6].value.n_items, 0);
    assert_int_equal(op.arg[7].value.n_items, 1);
    const struct gs_op_value *const nested = &op.arg[8].value.item[1];
    assert_int_equal(nested->kind, GS_OP_TUPLE);
    assert_true(gs_str_eq(nested->item[1].text, gs_str("x")));
}

static void spellings_of_one_operation_have_one_canonical_text(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"ReLU(inplace=True)", "  ReLU ( inplace = True ) "},
        {"Conv2d(3, 64, kernel_size=(7, 7))", "torch.nn.Conv2d(3,64,kernel_size=[7.0,7])"},
        {"Identity()", "Identity"},
        {"A(x='s', y=(1,))", "A(x=\"s\",y=(1))"},
        {"B(eps=0.00001)", "B(eps=1e-05)"},
    };
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        assert_true(gs_str_eq(parsed(same[i][0]).canonical, gs_str(same[i][0])));
        assert_true(gs_str_eq(parsed(same[i][1]).canonical, gs_str(same[i][0])));
    }
    assert_false(gs_str_eq(parsed("A(x=1)").canonical, parsed("A(x=2)").canonical));
}

static void mistakes_are_named_with_their_place(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "empty"},
        {"   ", "the name of an operation expected at the end"},
        {"7(3)", "the name of an operation expected at character 1, found '7'"},
        {"Conv2d(3, 64", "',' or ')' expected at the end"},
        {"Conv2d(3 64)", "',' or ')' expected at character 10, found '6'"},
        {"Conv2d(,)", "a value expected at character 8, found ','"},
        {"Conv2d(k=)", "a value expected at character 10, found ')'"},
        {"Conv2d(3))", "nothing more expected at character 10, found ')'"},
        {"Conv2d(3x)", "'3x' at character 8 is not a number"},
        {"Conv2d(1e999)", "'1e999' at character 8 is not a number"},
        {"Conv2d((1, 2)", "',' or ')' expected at the end"},
        {"Conv2d([1, 2))", "',' or ']' expected at character 13, found ')'"},
        {"Conv2d(a=1, 2)", "a positional argument follows a named one at character 13"},
        {"Conv2d(a=1, a=2)", "'a' is given twice"},
        {"Conv2d('a)", "a closing quote expected at the end"},
        {"Conv2d('\xc3\xa9')",
         "a printable ASCII character other than a quote or backslash expected at character 9, "
         "found '\\xC3'"},
        {"Conv2d('a\\')",
         "a printable ASCII character other than a quote or backslash expected at character 10, "
         "found '\\\\'"},
        {"torch.", "a name expected behind the last point of the operation's name"},
        {"torch.3()", "a name expected behind the last point of the operation's name"},
        {"A((((((((((1))))))))))", "tuples nested deeper than 8 at character 11"},
        {"A(\x1b)", "a value expected at character 3, found '\\x1B'"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct gs_op op = {.n_args = 42};
        struct gs_err err = {0};
        assert_int_equal(gs_op_parse(gs_str(bad[i][0]), &arena, &op, &err), GS_ERR_DATA);
        assert_string_equal(err.text, bad[i][1]);
        assert_int_equal(op.n_args, 42);
    }
    struct gs_err err = {0};
    struct gs_op op;
    assert_int_equal(gs_op_parse((struct gs_str){"A(\0)", 4}, &arena, &op, &err), GS_ERR_DATA);
    assert_string_equal(err.text, "holds a NUL byte");
    assert_int_equal(gs_op_parse((struct gs_str){NULL, 0}, &arena, &op, &err), GS_ERR_DATA);
    assert_string_equal(err.text, "empty");
}

/* `n` times `item` between an opening and a closing text. */
static const char *repeated(const char *open, const char *item, size_t n, const char *close)
{
    struct gs_buf b = {.arena = &arena};
    gs_buf_text(&b, open);
    for (size_t i = 0; i < n; i++)
        gs_buf_text(&b, item);
    gs_buf_text(&b, close);
    return gs_buf_str(&b).ptr;
}

static void length_and_width_are_bounded(void **state)
{
    (void)state;
    struct gs_op op;
    struct gs_err err = {0};
    assert_int_equal(parsed(repeated("A(", "1,", GS_OP_ARGS_MAX, ")")).n_args, GS_OP_ARGS_MAX);
    assert_int_equal(
        gs_op_parse(gs_str(repeated("A(", "1,", GS_OP_ARGS_MAX + 1, ")")), &arena, &op, &err),
        GS_ERR_DATA);
    assert_string_equal(err.text, "more than 64 arguments");
    assert_int_equal(
        gs_op_parse(gs_str(repeated("A((", "1,", GS_OP_ARGS_MAX + 1, "))")), &arena, &op, &err),
        GS_ERR_DATA);
    assert_string_equal(err.text, "a tuple of more than 64 items");
    assert_int_equal(parsed(repeated("", "A", GS_OP_TEXT_MAX, "")).kind.len, GS_OP_TEXT_MAX);
    assert_int_equal(
        gs_op_parse(gs_str(repeated("", "A", GS_OP_TEXT_MAX + 1, "")), &arena, &op, &err),
        GS_ERR_DATA);
    assert_string_equal(err.text, "longer than 4096 bytes");
}

static void every_prefix_of_an_operation_is_refused_or_whole(void **state)
{
    (void)state;
    static const char text[] = "Conv2d(3, pad=(1, None), mode='zeros', bias=False)";
    for (size_t n = 0; n < strlen(text); n++) {
        struct gs_op op;
        const enum gs_status s = gs_op_parse((struct gs_str){text, n}, &arena, &op, NULL);
        /* A bare name is an operation; anything cut inside the parentheses is not. */
        assert_int_equal(s, n >= 1 && n <= strlen("Conv2d") ? GS_OK : GS_ERR_DATA);
    }
}

static void input_sizes_are_tuples_of_positive_integers(void **state)
{
    (void)state;
    struct gs_op_size size = {0};
    assert_int_equal(gs_op_size_parse(gs_str("(32,3, 56,56)"), &arena, &size, NULL), GS_OK);
    assert_int_equal(size.n, 4);
    assert_true(size.dim[0] == 32 && size.dim[1] == 3 && size.dim[3] == 56);
    assert_true(gs_str_eq(size.canonical, gs_str("(32, 3, 56, 56)")));
    assert_int_equal(gs_op_size_parse(gs_str("512"), &arena, &size, NULL), GS_OK);
    assert_true(size.n == 1 && size.dim[0] == 512);
    assert_true(gs_str_eq(size.canonical, gs_str("(512,)")));
    static const char *const bad[][2] = {
        {"()", "0 dimensions, expected 1 to 8"},
        {"(1,1,1,1,1,1,1,1,1)", "9 dimensions, expected 1 to 8"},
        {"(32, 0)", "dimension 2 is not an integer from 1 to 1000000000"},
        {"(-1, 3)", "dimension 1 is not an integer from 1 to 1000000000"},
        {"(2.5,)", "dimension 1 is not an integer from 1 to 1000000000"},
        {"(1000000001,)", "dimension 1 is not an integer from 1 to 1000000000"},
        {"((1, 2), 3)", "dimension 1 is not an integer from 1 to 1000000000"},
        {"(True,)", "dimension 1 is not an integer from 1 to 1000000000"},
        {"(1, 2) 3", "nothing more expected at character 8, found '3'"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct gs_err err = {0};
        assert_int_equal(gs_op_size_parse(gs_str(bad[i][0]), &arena, &size, &err), GS_ERR_DATA);
        assert_string_equal(err.text, bad[i][1]);
        assert_int_equal(size.n, 1); /* untouched */
    }
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    const struct gs_str text = gs_str("Conv2d(3, 'a', kernel_size=(7, 7), mode=row)");
    struct gs_arena small = {0};
    struct gs_op op;
    gs_memory_fail_after(1);
    assert_int_equal(gs_op_parse(text, &small, &op, NULL), GS_ERR_MEMORY);
    gs_memory_fail_after(0);
    assert_int_equal(gs_op_parse(text, &small, &op, NULL), GS_OK);
    gs_arena_release(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_convolution_is_taken_apart, forget),
        cmocka_unit_test_teardown(every_kind_of_value_is_read, forget),
        cmocka_unit_test_teardown(spellings_of_one_operation_have_one_canonical_text, forget),
        cmocka_unit_test_teardown(mistakes_are_named_with_their_place, forget),
        cmocka_unit_test_teardown(length_and_width_are_bounded, forget),
        cmocka_unit_test_teardown(every_prefix_of_an_operation_is_refused_or_whole, forget),
        cmocka_unit_test_teardown(input_sizes_are_tuples_of_positive_integers, forget),
        cmocka_unit_test_teardown(memory_that_runs_out_is_a_status, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
