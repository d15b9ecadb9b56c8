/* Costs, feature vectors and forests as files. Expected counts are worked out by hand from the layers'
 * shapes. */
#include "arena_fixture.h"

#include "input/studies/forest_file.h"
#include "studies/forest/op_features.h"

static struct gs_operation operation(const char *op, const char *size)
{
    struct gs_operation o = {.clock_mhz = 1500.0, .count = 1.0, .line = 7};
    assert_int_equal(gs_op_parse(gs_str(op), &arena, &o.op, NULL), GS_OK);
    assert_int_equal(gs_op_size_parse(gs_str(size), &arena, &o.size, NULL), GS_OK);
    return o;
}

static void work_and_traffic_follow_from_the_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *op, *size;
        double flop, n_out, n_params, m, n, k, spatial, kernel, groups;
    } cases[] = {
        /* (224 + 6 - 7) / 2 + 1 = 112; 2 * 32*64*112*112 * 3*49 */
        {"Conv2d(3, 64, kernel_size=(7, 7), stride=(2, 2), padding=(3, 3), bias=False)",
         "(32, 3, 224, 224)", 7552892928.0, 25690112.0, 9408.0, 401408.0, 64.0, 147.0, 12544.0,
         49.0, 1.0},
        /* depthwise: one input channel per output; bias by default */
        {"Conv2d(8, 8, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), groups=8)",
         "(2, 8, 10, 10)", 28800.0, 1600.0, 80.0, 200.0, 1.0, 9.0, 100.0, 9.0, 8.0},
        {"Conv2d(4, 6, kernel_size=3, padding=same, dilation=2, bias=False)", "(4, 9, 9)", 34992.0,
         486.0, 216.0, 81.0, 6.0, 36.0, 81.0, 9.0, 1.0},
        {"Conv1d(2, 3, kernel_size=(5,), stride=(2,), bias=True)", "(1, 2, 11)", 240.0, 12.0, 33.0,
         4.0, 3.0, 10.0, 4.0, 5.0, 1.0},
        /* (4 - 1) * 2 + 1 * (2 - 1) + 1 = 8 each way; each of 32 inputs meets 12 weights */
        {"ConvTranspose2d(2, 3, kernel_size=(2, 2), stride=(2, 2), bias=False)", "(1, 2, 4, 4)",
         768.0, 192.0, 24.0, 16.0, 12.0, 2.0, 64.0, 4.0, 1.0},
        {"Linear(in_features=128, out_features=512, bias=True)", "(32, 96, 96, 128)", 38654705664.0,
         150994944.0, 66048.0, 294912.0, 512.0, 128.0, 9216.0, 1.0, 1.0},
        {"BatchNorm2d(64, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)",
         "(32, 64, 28, 28)", 3211264.0, 1605632.0, 128.0, 0.0, 0.0, 0.0, 784.0, 1.0, 1.0},
        {"GroupNorm(4, 8, eps=1e-05, affine=False)", "(2, 8, 5)", 160.0, 80.0, 0.0, 0.0, 0.0, 0.0,
         5.0, 1.0, 1.0},
        {"LayerNorm((6,), eps=1e-06, elementwise_affine=True)", "(2, 4, 6)", 240.0, 48.0, 12.0, 0.0,
         0.0, 0.0, 6.0, 1.0, 1.0},
        {"ReLU(inplace=True)", "(2, 3, 4, 4)", 96.0, 96.0, 0.0, 0.0, 0.0, 0.0, 16.0, 1.0, 1.0},
        {"AvgPool2d(kernel_size=2, stride=2, padding=0)", "(1, 3, 7, 7)", 108.0, 27.0, 0.0, 0.0,
         0.0, 0.0, 9.0, 4.0, 1.0},
        {"MaxPool2d(kernel_size=2, ceil_mode=True)", "(1, 3, 7, 7)", 192.0, 48.0, 0.0, 0.0, 0.0,
         0.0, 16.0, 4.0, 1.0},
        {"AdaptiveAvgPool2d(output_size=(1, 1))", "(2, 5, 7, 7)", 490.0, 10.0, 0.0, 0.0, 0.0, 0.0,
         1.0, 49.0, 1.0},
        {"AdaptiveAvgPool2d(output_size=1)", "(2, 5, 7, 7)", 490.0, 10.0, 0.0, 0.0, 0.0, 0.0, 1.0,
         49.0, 1.0},
        {"AdaptiveAvgPool2d(output_size=(None, 1))", "(2, 5, 7, 7)", 490.0, 70.0, 0.0, 0.0, 0.0,
         0.0, 7.0, 7.0, 1.0},
        {"StochasticDepth(p=0.0, mode=row)", "(4, 5)", 0.0, 20.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0,
         1.0},
        {"StochasticDepth(p=0.1, mode=row)", "(4, 5)", 20.0, 20.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0,
         1.0},
        {"NeverSeenBefore(3)", "(4, 5)", 20.0, 20.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct gs_operation o = operation(cases[i].op, cases[i].size);
        struct gs_op_cost c;
        struct gs_err err = {0};
        if (gs_op_cost(&o.op, &o.size, &c, &err) != GS_OK)
            fail_msg("%s: %s", cases[i].op, err.text);
        const double want[] = {cases[i].flop,    cases[i].n_out,  cases[i].n_params,
                               cases[i].m,       cases[i].n,      cases[i].k,
                               cases[i].spatial, cases[i].kernel, cases[i].groups};
        const double got[] = {c.flop,   c.n_out,   c.n_params, c.gemm_m, c.gemm_n,
                              c.gemm_k, c.spatial, c.kernel,   c.groups};
        for (size_t k = 0; k < COUNT_OF(want); k++)
            if (want[k] != got[k])
                fail_msg("%s: number %zu is %.17g, expected %.17g", cases[i].op, k, got[k],
                         want[k]);
        assert_true(c.bytes == 4.0 * (c.n_in + c.n_out + c.n_params));
    }
}

static void contradictions_are_errors(void **state)
{
    (void)state;
    static const char *const bad[][3] = {
        {"Conv2d(3, 64, kernel_size=(7, 7))", "(32, 64, 56, 56)",
         "Conv2d takes 3 channels, the input has 64"},
        {"Conv2d(3, 64, kernel_size=(7, 7))", "(32, 3)",
         "Conv2d takes an input of 3 or 4 dimensions, not 2"},
        {"Conv2d(3, 64, kernel_size=(7, 7))", "(1, 3, 5, 5)",
         "Conv2d: the kernel is larger than the padded input"},
        {"Conv2d(3, 64)", "(1, 3, 5, 5)", "Conv2d: kernel_size is missing or out of range"},
        {"Conv2d(3, 64, kernel_size=0)", "(1, 3, 5, 5)",
         "Conv2d: kernel_size is missing or out of range"},
        {"Conv2d(3, 64, kernel_size=(3,3), stride=0)", "(1, 3, 5, 5)",
         "Conv2d: stride is missing or out of range"},
        {"Conv2d(3, 64, kernel_size=1.5)", "(1, 3, 5, 5)",
         "Conv2d: kernel_size is missing or out of range"},
        {"Conv2d(3, 64, kernel_size=1, groups=2)", "(1, 3, 5, 5)",
         "Conv2d: groups is missing or out of range"},
        {"Conv2d(3, kernel_size=1)", "(1, 3, 5, 5)",
         "Conv2d: out_channels is missing or out of range"},
        {"Linear(in_features=4, out_features=2)", "(8, 5)",
         "Linear takes 4 features, the input has 5"},
        {"BatchNorm2d(64)", "(2, 32, 4, 4)", "BatchNorm2d takes 64 channels, the input has 32"},
        {"LayerNorm(eps=1)", "(2, 32)", "LayerNorm: normalized_shape is missing or out of range"},
        {"AvgPool2d(kernel_size=2, padding=-1)", "(1, 3, 7, 7)",
         "AvgPool2d: padding is missing or out of range"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        const struct gs_operation o = operation(bad[i][0], bad[i][1]);
        struct gs_op_cost c = {.flop = 42.0};
        struct gs_err err = {0};
        assert_int_equal(gs_op_cost(&o.op, &o.size, &c, &err), GS_ERR_DATA);
        assert_string_equal(err.text, bad[i][2]);
        assert_true(c.flop == 42.0);
    }
}

/* Encodes with a vocabulary learnt from `n` operations and compares with `want`. */
static void expect_vector(const struct gs_operation *ops, size_t n, const struct gs_operation *o,
                          bool clock, const float *want, size_t n_want)
{
    struct gs_op_encoding e;
    float x[64];
    assert_int_equal(gs_op_encoding_learn(ops, n, clock, false, &arena, &e, NULL), GS_OK);
    assert_int_equal(gs_op_encoding_n_features(&e), n_want);
    assert_int_equal(gs_op_encode(&e, o, NULL, &arena, x, NULL), GS_OK);
    for (size_t i = 0; i < n_want; i++)
        if (x[i] != want[i])
            fail_msg("number %zu is %g, expected %g", i, (double)x[i], (double)want[i]);
}

/* The examples of the thesis: sizes with flags, -1 and 0 where a dimension does not apply. */
static void sizes_are_encoded_as_in_the_study(void **state)
{
    (void)state;
    const struct gs_operation ops[] = {operation("Conv2d()", "(32, 16, 256, 256)"),
                                       operation("Linear()", "(32, 128)")};
    static const float conv[] = {1, 0, 32, 1, 16, 1, 256, 1, 256, 1},
                       linear[] = {0, 1, 32, 1, 128, 1, -1, 0, -1, 0};
    expect_vector(ops, 2, &ops[0], false, conv, COUNT_OF(conv));
    expect_vector(ops, 2, &ops[1], false, linear, COUNT_OF(linear));
}

static void attributes_are_numbers_with_flags_and_words_are_flags(void **state)
{
    (void)state;
    const struct gs_operation ops[] = {operation("A(3, k=(7, 5), b=False, n=None)", "(2,)"),
                                       operation("B(k=2, mode=row)", "(2,)")};
    /* kinds A B; dim; arg0, b, k, k.1, mode=row; clock */
    static const float a[] = {1, 0, 2, 1, 3, 1, 0, 1, 7, 1, 5, 1, 0, 1500};
    static const float b[] = {0, 1, 2, 1, -1, 0, -1, 0, 2, 1, -1, 0, 1, 1500};
    expect_vector(ops, 2, &ops[0], true, a, COUNT_OF(a));
    expect_vector(ops, 2, &ops[1], true, b, COUNT_OF(b));
    /* What was not learnt is left out: an operator, an attribute, a word, a dimension. */
    const struct gs_operation other = operation("C(k=1, new=9, mode=batch)", "(4, 6)");
    static const float c[] = {0, 0, 4, 1, -1, 0, -1, 0, 1, 1, -1, 0, 0, 1500};
    expect_vector(ops, 2, &other, true, c, COUNT_OF(c));
}

static void nested_tuples_have_names_of_their_own(void **state)
{
    (void)state;
    const struct gs_operation o = operation("A(p=((1, 2), (3, 4)), q=(5, (6,)))", "(2,)");
    struct gs_op_encoding e;
    assert_int_equal(gs_op_encoding_learn(&o, 1, false, true, &arena, &e, NULL), GS_OK);
    static const char *const want[] = {"p.0.0", "p.0.1", "p.1.0", "p.1.1", "q", "q.1.0"};
    assert_int_equal(e.n_attributes, COUNT_OF(want));
    for (size_t i = 0; i < COUNT_OF(want); i++)
        assert_true(gs_str_eq(e.attribute[i], gs_str(want[i])));
    static const char *const features[] = {"kind=A", "dim0", "dim0?", "p.0.0", "p.0.0?"};
    for (size_t i = 0; i < COUNT_OF(features); i++) {
        struct gs_buf name = {.arena = &arena};
        gs_op_encoding_feature_name(&e, i, &name);
        assert_string_equal(name.ptr, features[i]);
    }
    struct gs_buf last = {.arena = &arena};
    gs_op_encoding_feature_name(&e, gs_op_encoding_n_features(&e) - 1, &last);
    assert_string_equal(last.ptr, "ln groups");
}

/* A forest of one stump and one leaf over a clock: below 1000 MHz 1, else 3, plus 0.5. */
static const char forest_text[] =
    "{\"schema\": \"gpustat.forest/1\", \"trained\": {\"operations\": 2, \"different\": 2, "
    "\"seed\": 1},\n"
    "\"encoding\": {\"dimensions\": 1, \"clock\": true, \"derived\": false, \"kinds\": [\"A\"], "
    "\"attributes\": []},\n"
    "\"time\": {\"log\": false, \"roofline\": null, \"offset\": 0, \"scale\": 1, \"trees\": [\n"
    "{\"feature\": [3,-1,-1], \"value\": [1000,1,3], \"right\": [2,0,0]},\n"
    "{\"feature\": [-1], \"value\": [0.5], \"right\": [0]}]},\n"
    "\"power\": null}\n";

static void a_written_forest_reads_back_the_same(void **state)
{
    (void)state;
    struct gs_forest f, again;
    struct gs_err err = {0};
    if (gs_forest_parse(gs_str(forest_text), "m.json", &arena, &f, &err) != GS_OK)
        fail_msg("%s", err.text);
    assert_true(f.encoding.clock && f.encoding.n_kinds == 1 &&
                f.target[GS_FOREST_POWER].n_trees == 0);
    const float slow[] = {1, 2, 1, 999}, fast[] = {1, 2, 1, 1000};
    assert_true(gs_tree_walk(&f.target[GS_FOREST_TIME].tree[0], slow) == 1.0f);
    assert_true(gs_tree_walk(&f.target[GS_FOREST_TIME].tree[0], fast) == 3.0f);
    /* Awkward singles survive: the least, the largest, one third, one that needs nine digits. */
    static const float awkward[] = {1e-45f, 3.4028235e38f, 1.0f / 3.0f, 16777217.0f * 1.1f, -0.1f};
    for (size_t i = 0; i < COUNT_OF(awkward); i++) {
        const int32_t leaf = -1;
        const uint32_t none = 0;
        const struct gs_tree tree = {1, &leaf, &awkward[i], &none};
        struct gs_forest g = f;
        g.target[GS_FOREST_TIME].tree = &tree;
        g.target[GS_FOREST_TIME].n_trees = 1;
        g.target[GS_FOREST_POWER] = g.target[GS_FOREST_TIME];
        g.target[GS_FOREST_POWER].roofline = true;
        g.target[GS_FOREST_POWER].bytes_per_s = 1.0 / 3.0;
        g.target[GS_FOREST_POWER].flop_per_s = 1e300;
        struct gs_buf text = {.arena = &arena};
        assert_int_equal(gs_forest_write(&g, &text, NULL), GS_OK);
        if (gs_forest_parse(gs_buf_str(&text), "m.json", &arena, &again, &err) != GS_OK)
            fail_msg("%s", err.text);
        assert_true(again.target[GS_FOREST_TIME].tree[0].value[0] == awkward[i]);
        assert_true(again.target[GS_FOREST_POWER].bytes_per_s == 1.0 / 3.0);
        struct gs_buf twice = {.arena = &arena};
        assert_int_equal(gs_forest_write(&again, &twice, NULL), GS_OK);
        assert_true(gs_str_eq(gs_buf_str(&text), gs_buf_str(&twice)));
    }
}

/* The text with its first `from` replaced by `to`. */
static struct gs_str with(const char *from, const char *to)
{
    const char *const at = strstr(forest_text, from);
    assert_non_null(at);
    struct gs_buf b = {.arena = &arena};
    gs_buf_bytes(&b, forest_text, (size_t)(at - forest_text));
    gs_buf_text(&b, to);
    gs_buf_text(&b, at + strlen(from));
    return gs_buf_str(&b);
}

static void hostile_files_are_refused_with_their_reason(void **state)
{
    (void)state;
    static const char *const bad[][3] = {
        {"gpustat.forest/1", "gpustat.forest/2",
         "m.json: schema: 'gpustat.forest/2', expected \"gpustat.forest/1\""},
        {"\"schema\"", "\"scheme\"",
         "m.json: schema: missing: this is no forest, expected \"gpustat.forest/1\""},
        {"\"power\": null}", "\"power\": null", "m.json:6: not JSON"},
        {"\"power\": null}", "\"power\": null} x", "m.json:6: not JSON"},
        {"\"operations\": 2", "\"operations\": -2",
         "m.json: operations: a whole number from 0 to 9007199254740992 was expected"},
        {"\"dimensions\": 1", "\"dimensions\": 65",
         "m.json: dimensions: a whole number from 0 to 64 was expected"},
        {"\"dimensions\": 1", "\"dimensions\": 0",
         "m.json: a forest needs kinds, dimensions and trees for time"},
        {"\"clock\": true", "\"clock\": 1", "m.json: clock: true or false was expected"},
        {"[\"A\"]", "[\"B\", \"A\"]", "m.json: kinds: number 1 is not in order"},
        {"[\"A\"]", "[\"A\", \"A\"]", "m.json: kinds: number 1 is not in order"},
        {"[\"A\"]", "[\"\\u001b[2J\"]", "m.json: kinds: number 0 is not a name"},
        {"[\"A\"]", "[\"\"]", "m.json: kinds: number 0 is not a name"},
        {"[\"A\"]", "[\"a\\\"b\"]", "m.json: kinds: number 0 is not a name"},
        {"[\"A\"]", "[\"a\\\\b\"]", "m.json: kinds: number 0 is not a name"},
        {"[\"A\"]", "[\"a\\u007f\"]", "m.json: kinds: number 0 is not a name"},
        {"[\"A\"]", "[\"\\u001f\"]", "m.json: kinds: number 0 is not a name"},
        {"[\"A\"]", "[\"\xc3\xa4\"]", "m.json: kinds: number 0 is not a name"},
        {"[\"A\"]", "[7]", "m.json: kinds: an array of texts was expected"},
        {"[\"A\"]", "\"A\"", "m.json: kinds: an array was expected"},
        {"\"offset\": 0", "\"offset\": 1e999", "m.json: offset: a finite number was expected"},
        {"\"offset\": 0", "\"offset\": \"0\"", "m.json: offset: a finite number was expected"},
        {"\"roofline\": null",
         "\"roofline\": {\"bytes_per_s\": 0, \"flop_per_s\": 1, \"overhead_s\": 0}",
         "m.json: time: the roofline's rates must be finite and above 0"},
        {"\"roofline\": null", "\"roofline\": 7",
         "m.json: bytes_per_s: a finite number was expected"},
        {"[3,-1,-1]", "[4,-1,-1]",
         "m.json: time: tree 0: node 0: its feature is beyond the last one"},
        {"[3,-1,-1]", "[-2,-1,-1]", "m.json: trees: a number of node 0 is out of range"},
        {"[3,-1,-1]", "[1e300,-1,-1]", "m.json: trees: a number of node 0 is out of range"},
        {"[3,-1,-1]", "[3,-1]",
         "m.json: trees: feature, value and right must be arrays of one length, at least 1"},
        {"[1000,1,3]", "[1000,1]",
         "m.json: trees: feature, value and right must be arrays of one length, at least 1"},
        {"[1000,1,3]", "[1000,1,3,4]",
         "m.json: trees: feature, value and right must be arrays of one length, at least 1"},
        {"[2,0,0]", "[2,0]",
         "m.json: trees: feature, value and right must be arrays of one length, at least 1"},
        {"[2,0,0]", "[2,0,0,0]",
         "m.json: trees: feature, value and right must be arrays of one length, at least 1"},
        {"{\"feature\": [-1], \"value\": [0.5], \"right\": [0]}",
         "{\"feature\": [], \"value\": [], \"right\": []}",
         "m.json: trees: feature, value and right must be arrays of one length, at least 1"},
        {"[3,-1,-1]", "[3,-1,3]",
         "m.json: time: tree 0: node 2: its right child is not a later node"},
        {"[3,-1,-1]", "[3,-1,null]", "m.json: trees: arrays of numbers were expected"},
        {"[1000,1,3]", "[1e39,1,3]", "m.json: trees: a number of node 0 is out of range"},
        {"[2,0,0]", "[1,0,0]", "m.json: time: tree 0: node 0: its right child is not a later node"},
        {"[2,0,0]", "[0,0,0]", "m.json: time: tree 0: node 0: its right child is not a later node"},
        {"[2,0,0]", "[3,0,0]", "m.json: time: tree 0: node 0: its right child is not a later node"},
        {"[2,0,0]", "[4294967296,0,0]", "m.json: trees: a number of node 0 is out of range"},
        {"\"trees\": [\n", "\"tree\": [\n", "m.json: trees: an array of 1 to 10000 was expected"},
        {"\"time\"", "\"tome\"", "m.json: log: true or false was expected"},
        {"\"power\": null", "\"power\": {}", "m.json: log: true or false was expected"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct gs_forest f = {.n_rows = 42};
        struct gs_err err = {0};
        assert_int_equal(gs_forest_parse(with(bad[i][0], bad[i][1]), "m.json", &arena, &f, &err),
                         GS_ERR_DATA);
        assert_string_equal(err.text, bad[i][2]);
        assert_int_equal(f.n_rows, 42);
    }
}

/* The whole range that a name may be made of, first to last. */
static void every_printable_name_is_taken(void **state)
{
    (void)state;
    struct gs_forest f;
    struct gs_err err = {0};
    if (gs_forest_parse(with("[\"A\"]", "[\" !#~\", \"~\"]"), "m.json", &arena, &f, &err) != GS_OK)
        fail_msg("%s", err.text);
    assert_int_equal(f.encoding.n_kinds, 2);
}

static void a_forest_cut_anywhere_is_refused(void **state)
{
    (void)state;
    struct gs_forest f;
    for (size_t n = 0; n < strlen(forest_text) - strlen("}\n"); n++)
        assert_int_equal(
            gs_forest_parse((struct gs_str){forest_text, n}, "m.json", &arena, &f, NULL),
            GS_ERR_DATA);
}

static void a_deep_document_is_refused(void **state)
{
    (void)state;
    struct gs_buf b = {.arena = &arena};
    for (int i = 0; i < 100000; i++)
        gs_buf_char(&b, '[');
    struct gs_forest f;
    struct gs_err err = {0};
    assert_int_equal(gs_forest_parse(gs_buf_str(&b), "m.json", &arena, &f, &err), GS_ERR_DATA);
    assert_string_equal(err.text, "m.json:1: not JSON");
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    struct gs_arena small = {0};
    struct gs_forest f;
    gs_memory_fail_after(1);
    assert_int_equal(gs_forest_parse(gs_str(forest_text), "m.json", &small, &f, NULL),
                     GS_ERR_MEMORY);
    gs_memory_fail_after(0);
    assert_int_equal(gs_forest_parse(gs_str(forest_text), "m.json", &small, &f, NULL), GS_OK);
    gs_arena_release(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(work_and_traffic_follow_from_the_shapes, forget),
        cmocka_unit_test_teardown(contradictions_are_errors, forget),
        cmocka_unit_test_teardown(sizes_are_encoded_as_in_the_study, forget),
        cmocka_unit_test_teardown(attributes_are_numbers_with_flags_and_words_are_flags, forget),
        cmocka_unit_test_teardown(nested_tuples_have_names_of_their_own, forget),
        cmocka_unit_test_teardown(a_written_forest_reads_back_the_same, forget),
        cmocka_unit_test_teardown(every_printable_name_is_taken, forget),
        cmocka_unit_test_teardown(hostile_files_are_refused_with_their_reason, forget),
        cmocka_unit_test_teardown(a_forest_cut_anywhere_is_refused, forget),
        cmocka_unit_test_teardown(a_deep_document_is_refused, forget),
        cmocka_unit_test_teardown(memory_that_runs_out_is_a_status, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
