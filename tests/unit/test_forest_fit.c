/* Reading operations, training, predicting and cross-validating them. */
#include "arena_fixture.h"

#include <math.h>
#include <unistd.h>

#include "input/studies/forest_file.h"
#include "studies/forest/forest_fit.h"
#include "input/studies/operations_csv.h"

static const struct gs_operations_columns usual = {0};

static const struct gs_forest_options small = {.n_trees = 30,
                                               .depth_max = 24,
                                               .row_share = 0.8,
                                               .feature_share = 0.5,
                                               .derived = true,
                                               .seed = 1,
                                               .n_threads = 1};

/* Reads CSV text from a file that is gone afterwards; messages are shown without its name. */
static enum gs_status read_text(const char *text, const struct gs_operations_columns *columns,
                                bool measured, struct gs_operations *ops, struct gs_frames *out,
                                struct gs_err *err)
{
    char path[] = "/tmp/gpustat-test-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_true(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    assert_int_equal(close(fd), 0);
    const enum gs_status s =
        gs_operations_read(path, columns, measured, &arena, &out->notes, ops, err);
    (void)unlink(path);
    if (err != NULL && strncmp(err->text, path, strlen(path)) == 0)
        memmove(err->text, err->text + strlen(path), strlen(err->text + strlen(path)) + 1);
    return s;
}

static struct gs_operations read_good(const char *text, bool measured)
{
    struct gs_operations ops = {0};
    struct gs_frames out = {.notes.arena = &arena};
    struct gs_err err = {0};
    if (read_text(text, &usual, measured, &ops, &out, &err) != GS_OK)
        fail_msg("%s", err.text);
    return ops;
}

/* 40 operations of two kinds under the law time = 1e-6 + elements / 1e9, each measured `copies` times. */
static const char *law(int copies, bool backwards)
{
    struct gs_buf b = {.arena = &arena};
    gs_buf_text(&b, "op,input_size,time_s,power_mean_W\n");
    const int n = 40 * copies;
    for (int k = 0; k < n; k++) {
        const int i = (backwards ? n - 1 - k : k) % 40, elements = 1000 * (i / 2 + 1);
        gs_buf_format(&b, "%s,\"(%d, 10)\",%.9g,%d\n", i % 2 == 0 ? "ReLU()" : "Tanh(x=1)",
                      elements / 10, 1e-6 + elements * 1e-9, i % 2 == 0 ? 100 : 120);
    }
    return gs_buf_str(&b).ptr;
}

static struct gs_forest trained(const struct gs_operations *ops,
                                const struct gs_forest_options *options)
{
    struct gs_forest f = {0};
    struct gs_err err = {0};
    if (gs_forest_train(ops, options, &arena, &f, &err) != GS_OK)
        fail_msg("%s", err.text);
    return f;
}

static struct gs_str written(const struct gs_forest *f)
{
    struct gs_buf b = {.arena = &arena};
    assert_int_equal(gs_forest_write(f, &b, NULL), GS_OK);
    return gs_buf_str(&b);
}

static void rows_come_in_key_order_whatever_the_file_says(void **state)
{
    (void)state;
    const struct gs_operations ops =
        read_good("time_s,op,INPUT_SIZE,clock,power_mean_w,count,model\n"
                  "2,B(),\"(1,)\",10,5,3,m\n1,B(),\"(1,)\",10,5,1,m\n1,A(),\"(2,)\",,5,1,\n1,A(),"
                  "\"(1,)\",20,5,1,m\n",
                  true);
    assert_int_equal(ops.n, 4);
    assert_true(ops.has_clock && ops.has_power && ops.has_model && ops.has_count);
    assert_true(gs_str_eq(ops.row[0].op.canonical, gs_str("A()")) && ops.row[0].size.dim[0] == 1);
    assert_true(ops.row[1].size.dim[0] == 2 && isnan(ops.row[1].clock_mhz));
    assert_true(ops.row[2].time_s == 1.0 && ops.row[3].time_s == 2.0 && ops.row[3].count == 3.0);
    assert_int_equal(ops.row[2].line, 3);
}

static void rows_without_a_measurement_are_left_out_and_counted(void **state)
{
    (void)state;
    static const char text[] = "op,input_size,time_s,power_w\nA(),1,1,\nA(),2,[N/A],5\nA(),3,1,5\n";
    struct gs_operations ops;
    struct gs_frames out = {.notes.arena = &arena};
    assert_int_equal(read_text(text, &usual, true, &ops, &out, NULL), GS_OK);
    assert_int_equal(ops.n, 1);
    assert_non_null(out.notes.first);
    assert_non_null(
        strstr(out.notes.first->text, "2 of 3 operations left out: time or power is missing"));
    /* To predict, nothing need be measured. */
    out = (struct gs_frames){.notes.arena = &arena};
    assert_int_equal(read_text(text, &usual, false, &ops, &out, NULL), GS_OK);
    assert_int_equal(ops.n, 3);
    assert_null(out.notes.first);
}

static void bad_rows_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        struct gs_operations_columns columns;
    } bad[] = {
        {"op,input_size,time_s\nReLU(,1,1\n", ":2: op: 'ReLU(': a value expected at the end", {0}},
        {"op,input_size,time_s\nReLU(),0,1\n",
         ":2: input_size: '0': dimension 1 is not an integer from 1 to 1000000000",
         {0}},
        {"op,input_size,time_s\nReLU(),1,0\n", ":2: time_s: '0' is not above 0", {0}},
        {"op,input_size,time_s\nReLU(),1,-1e-9\n", ":2: time_s: '-1e-9' is not above 0", {0}},
        {"op,input_size,time_s\nReLU(),1,fast\n", ":2: time_s: 'fast' is not a number", {0}},
        {"op,input_size,time_s,count\nReLU(),1,1,\n", ":2: the count is missing", {0}},
        {"op,input_size,time_s\n", ": no operations", {0}},
        {"op,input_size,time_s\nReLU(),1,\n", ": no operations", {0}},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct gs_operations ops = {.n = 42};
        struct gs_frames out = {.notes.arena = &arena};
        struct gs_err err = {0};
        assert_int_equal(read_text(bad[i].text, &bad[i].columns, true, &ops, &out, &err),
                         GS_ERR_DATA);
        assert_string_equal(err.text, bad[i].message);
        assert_int_equal(ops.n, 42);
    }
    struct gs_operations ops;
    struct gs_frames out = {.notes.arena = &arena};
    struct gs_err err = {0};
    const struct gs_operations_columns named = {.clock = "sm_clock"};
    assert_int_equal(
        read_text("op,input_size,time_s\nReLU(),1,1\n", &named, true, &ops, &out, &err),
        GS_ERR_DATA);
    assert_non_null(strstr(err.text, "sm_clock"));
    assert_int_equal(read_text("op,input_size\nReLU(),1\n", &usual, true, &ops, &out, &err),
                     GS_ERR_DATA);
    assert_non_null(strstr(err.text, "time_s"));
}

static void a_forest_learns_a_law(void **state)
{
    (void)state;
    const struct gs_operations ops = read_good(law(1, false), true);
    const struct gs_forest f = trained(&ops, &small);
    assert_int_equal(f.n_rows, 40);
    assert_int_equal(f.n_operations, 40);
    struct gs_forest_answer a[40];
    assert_int_equal(gs_forest_predict(&f, &ops, &arena, a, NULL), GS_OK);
    for (size_t i = 0; i < ops.n; i++) {
        /* The roofline carries the law in time; power is one of two levels. */
        assert_true(fabs(a[i].time_s / ops.row[i].time_s - 1.0) < 0.15);
        assert_true(fabs(a[i].power_w / ops.row[i].power_w - 1.0) < 0.02);
    }
}

static void a_constant_is_predicted_as_it_is(void **state)
{
    (void)state;
    const struct gs_operations ops =
        read_good("op,input_size,time_s,power_w\nA(),1,0.25,7\nA(),2,0.25,7\nA(),3,0.25,7\n", true);
    struct gs_forest_options plain = small;
    plain.derived = false;
    const struct gs_forest f = trained(&ops, &plain);
    struct gs_forest_answer a[3];
    assert_int_equal(gs_forest_predict(&f, &ops, &arena, a, NULL), GS_OK);
    for (int i = 0; i < 3; i++)
        assert_true(a[i].time_s == 0.25 && a[i].power_w == 7.0);
}

static void a_forest_is_the_same_for_any_threads_and_row_order(void **state)
{
    (void)state;
    const struct gs_operations ops = read_good(law(2, false), true),
                               backwards = read_good(law(2, true), true);
    struct gs_forest_options o = small;
    o.n_trees = 60; /* three batches, the last one short */
    const struct gs_forest one = trained(&ops, &o);
    const struct gs_str bytes = written(&one);
    assert_int_equal(one.n_operations, 40);
    for (unsigned threads = 2; threads <= 7; threads += 5) {
        o.n_threads = threads;
        const struct gs_forest f = trained(&ops, &o);
        assert_true(gs_str_eq(written(&f), bytes));
    }
    const struct gs_forest turned = trained(&backwards, &o);
    assert_true(gs_str_eq(written(&turned), bytes));
    o.seed = 2;
    const struct gs_forest other = trained(&ops, &o);
    assert_false(gs_str_eq(written(&other), bytes));
}

static void a_forest_from_its_file_predicts_the_same_bits(void **state)
{
    (void)state;
    const struct gs_operations ops = read_good(law(1, false), true);
    const struct gs_forest f = trained(&ops, &small);
    struct gs_forest again;
    struct gs_err err = {0};
    if (gs_forest_parse(written(&f), "m.json", &arena, &again, &err) != GS_OK)
        fail_msg("%s", err.text);
    struct gs_forest_answer a[40], b[40];
    assert_int_equal(gs_forest_predict(&f, &ops, &arena, a, NULL), GS_OK);
    assert_int_equal(gs_forest_predict(&again, &ops, &arena, b, NULL), GS_OK);
    assert_memory_equal(a, b, sizeof a);
}

static double cell(const struct gs_frame *f, size_t row, const char *column)
{
    const int c = gs_frame_find(f, column);
    assert_true(c >= 0);
    return f->columns[c].spec->type == GS_TYPE_REAL ? f->columns[c].real[row]
                                                    : (double)f->columns[c].integer[row];
}

static void models_add_up_and_an_unknown_operator_leaves_them_missing(void **state)
{
    (void)state;
    const struct gs_operations ops = read_good(law(1, false), true);
    const struct gs_forest f = trained(&ops, &small);
    const struct gs_operations wanted =
        read_good("model,op,input_size,count\nb,ReLU(),\"(100, 10)\",2\n"
                  "a,ReLU(),\"(100, 10)\",3\na,Tanh(x=1),\"(200, 10)\",1\n"
                  "b,Gelu(),\"(100, 10)\",1\n",
                  false);
    struct gs_frames out = {.notes.arena = &arena};
    assert_int_equal(gs_forest_predict_frames(&f, &wanted, &arena, &out, NULL), GS_OK);
    const struct gs_frame *const o = out.first, *const m = out.last;
    assert_string_equal(o->name, "forest-operations");
    assert_string_equal(m->name, "forest-models");
    assert_int_equal(o->n_rows, 4);
    assert_int_equal(m->n_rows, 2);
    const double t = 3.0 * cell(o, 0, "time_s") + cell(o, 1, "time_s");
    const double e = 3.0 * cell(o, 0, "energy_j") + cell(o, 1, "energy_j");
    assert_true(cell(o, 0, "energy_j") == cell(o, 0, "time_s") * cell(o, 0, "power_w"));
    assert_true(cell(m, 0, "time_s") == t && cell(m, 0, "energy_j") == e &&
                cell(m, 0, "count") == 4.0);
    assert_true(cell(m, 0, "unknown") == 0.0 && cell(m, 1, "unknown") == 1.0);
    assert_true(isnan(cell(m, 1, "time_s")) && isnan(cell(m, 1, "energy_j")) &&
                isnan(cell(m, 1, "power_w")));
    assert_non_null(out.notes.first);
    assert_non_null(strstr(
        out.notes.first->text,
        "1 of 4 operations are not predicted: the forest was not taught their operator (Gelu)"));
}

static void a_forest_taught_with_a_clock_refuses_data_without(void **state)
{
    (void)state;
    const struct gs_operations ops = read_good(
        "op,input_size,time_s,clock_mhz\nA(),1,1,900\nA(),2,2,900\nA(),1,0.5,1800\nA(),2,1,1800\n",
        true);
    const struct gs_forest f = trained(&ops, &small);
    assert_true(f.encoding.clock);
    const struct gs_operations clockless = read_good("op,input_size\nA(),1\n", false);
    struct gs_frames out = {.notes.arena = &arena};
    struct gs_err err = {0};
    assert_int_equal(gs_forest_predict_frames(&f, &clockless, &arena, &out, &err), GS_ERR_DATA);
    assert_non_null(
        strstr(err.text, ": no clock column, but the forest was trained with the GPU clock"));
    assert_null(out.first);
}

static void an_operation_that_contradicts_its_input_is_placed(void **state)
{
    (void)state;
    const struct gs_operations ops = read_good("op,input_size,time_s\nReLU(),1,1\n\"Linear(in_"
                                               "features=4, out_features=2)\",\"(8, 5)\",1\n",
                                               true);
    struct gs_forest f;
    struct gs_err err = {0};
    struct gs_operations named = ops;
    named.name = "x.csv";
    assert_int_equal(gs_forest_train(&named, &small, &arena, &f, &err), GS_ERR_DATA);
    assert_string_equal(
        err.text,
        "x.csv:3: Linear(in_features=4, out_features=2) with input (8, 5): Linear takes 4 "
        "features, the input has 5");
}

static struct gs_frame *evaluated(const struct gs_operations *ops, size_t n_folds, bool points)
{
    struct gs_frames out = {.notes.arena = &arena};
    struct gs_err err = {0};
    if (gs_forest_evaluate(ops, n_folds, points, &small, &arena, &out, &err) != GS_OK)
        fail_msg("%s", err.text);
    return out.first;
}

static void a_repeated_operation_is_in_one_fold_and_folds_are_even(void **state)
{
    (void)state;
    const struct gs_operations ops = read_good(law(3, false), true),
                               backwards = read_good(law(3, true), true);
    const struct gs_frame *const f = evaluated(&ops, 3, true), *const g =
                                                                   evaluated(&backwards, 3, true);
    assert_int_equal(f->n_rows, 120);
    size_t in_fold[4] = {0};
    const int op = gs_frame_find(f, "op"), size = gs_frame_find(f, "input_size");
    for (size_t i = 0; i < 120; i++) {
        const double fold = cell(f, i, "fold");
        assert_true(fold >= 1.0 && fold <= 3.0);
        assert_true(fold == cell(g, i, "fold"));
        assert_true(cell(f, i, "time_predicted_s") == cell(g, i, "time_predicted_s"));
        in_fold[(int)fold]++;
        for (size_t k = 0; k < i; k++)
            if (gs_str_eq(f->columns[op].text[i], f->columns[op].text[k]) &&
                gs_str_eq(f->columns[size].text[i], f->columns[size].text[k]))
                assert_true(cell(f, k, "fold") == fold);
    }
    /* 40 different ones: 14, 13 and 13, three rows each. */
    assert_int_equal(in_fold[1] + in_fold[2] + in_fold[3], 120);
    for (int k = 1; k <= 3; k++)
        assert_true(in_fold[k] == 42 || in_fold[k] == 39);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The errors again, from the points and their bare definitions. */
static void the_errors_follow_from_the_points(void **state)
{
    (void)state;
    const struct gs_operations ops = read_good(law(1, false), true);
    const struct gs_frame *const e = evaluated(&ops, 5, false), *const p = evaluated(&ops, 5, true);
    static const char *const columns[][2] = {{"time_s", "time_predicted_s"},
                                             {"power_w", "power_predicted_w"},
                                             {"energy_j", "energy_predicted_j"}};
    assert_int_equal(e->n_rows, 3);
    for (size_t t = 0; t < 3; t++) {
        double ape[40], sum = 0.0, mean = 0.0, residual = 0.0, total = 0.0;
        for (size_t i = 0; i < 40; i++) {
            const double m = cell(p, i, columns[t][0]), q = cell(p, i, columns[t][1]);
            ape[i] = fabs(q - m) / m * 100.0;
            sum += ape[i];
            mean += m / 40.0;
        }
        for (size_t i = 0; i < 40; i++) {
            const double m = cell(p, i, columns[t][0]), q = cell(p, i, columns[t][1]);
            residual += (m - q) * (m - q);
            total += (m - mean) * (m - mean);
        }
        qsort(ape, 40, sizeof *ape, compare_doubles);
        assert_true(fabs(cell(e, t, "median_ape_pct") - (ape[19] + ape[20]) / 2.0) < 1e-9);
        assert_true(fabs(cell(e, t, "p90_ape_pct") - (ape[35] + 0.1 * (ape[36] - ape[35]))) < 1e-9);
        assert_true(fabs(cell(e, t, "mean_ape_pct") - sum / 40.0) < 1e-9);
        assert_true(fabs(cell(e, t, "r_squared") - (1.0 - residual / total)) < 1e-9);
        assert_true(cell(e, t, "different") == 40.0 && cell(e, t, "folds") == 5.0 &&
                    cell(e, t, "unknown") == 0.0);
    }
    assert_true(cell(e, 0, "median_ape_pct") < 20.0 && cell(e, 1, "median_ape_pct") < 5.0);
}

static void an_operator_of_one_fold_only_is_not_predicted(void **state)
{
    (void)state;
    struct gs_buf b = {.arena = &arena};
    gs_buf_text(&b, law(1, false));
    gs_buf_text(&b, "Odd(),\"(1, 10)\",1e-6,100\n");
    const struct gs_operations ops = read_good(gs_buf_str(&b).ptr, true);
    const struct gs_frame *const e = evaluated(&ops, 5, false);
    assert_true(cell(e, 0, "operations") == 41.0 && cell(e, 0, "unknown") == 1.0);
    assert_true(!isnan(cell(e, 0, "median_ape_pct")) && !isnan(cell(e, 0, "r_squared")));
}

static void too_few_operations_for_the_folds_is_an_error(void **state)
{
    (void)state;
    const struct gs_operations ops =
        read_good("op,input_size,time_s\nA(),1,1\nA(),1,2\nA(),2,1\n", true);
    struct gs_frames out = {.notes.arena = &arena};
    struct gs_err err = {0};
    assert_int_equal(gs_forest_evaluate(&ops, 3, false, &small, &arena, &out, &err), GS_ERR_DATA);
    assert_non_null(strstr(err.text, ": 2 different operations are too few for 3 folds"));
}

static void without_power_only_time_is_learnt(void **state)
{
    (void)state;
    const struct gs_operations ops =
        read_good("op,input_size,time_s\nA(),1,1\nA(),2,2\nA(),3,3\nA(),4,4\n", true);
    assert_int_equal(evaluated(&ops, 2, false)->n_rows, 1);
    const struct gs_forest f = trained(&ops, &small);
    assert_int_equal(f.target[GS_FOREST_POWER].n_trees, 0);
    struct gs_frames out = {.notes.arena = &arena};
    assert_int_equal(gs_forest_describe(&f, &arena, &out, NULL), GS_OK);
    assert_int_equal(out.first->n_rows, 1);
    assert_int_equal(gs_forest_features(&f, &arena, &out, NULL), GS_OK);
    double sum = 0.0;
    for (size_t i = 0; i < out.last->n_rows; i++) {
        sum += cell(out.last, i, "time_splits_pct");
        assert_true(isnan(cell(out.last, i, "power_splits_pct")));
    }
    assert_true(fabs(sum - 100.0) < 1e-9);
}

/* Of 19 scores the greatest is the 95 % one of 20, of 18 none is; scores are off / (floor + spread). */
static void the_error_is_that_of_operations_never_seen(void **state)
{
    (void)state;
    struct gs_operation row[39] = {0};
    struct gs_forest_answer a[39] = {0};
    struct gs_operations ops = {.row = row};
    for (size_t i = 0; i < 39; i++) {
        row[i].time_s = exp(i == 7 ? -0.6 : 0.1 * (double)(i % 3)); /* measured */
        row[i].power_w = NAN;
        a[i].time_s = 1;
        a[i].time_spread = i < 10 ? 0.1 : 0.3;
        a[i].power_w = a[i].power_spread = NAN;
    }
    static const struct {
        size_t n;
        double factor, floor;
    } cases[] = {{18, 0, 0},
                 {19, 0.6 / 0.2, 0.1},
                 {39, 0.2 / 0.4, 0.3}}; /* of 39 the second greatest: 0.2 at spread 0.1 */
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        struct gs_forest_error e = {0};
        ops.n = cases[k].n;
        assert_int_equal(gs_forest_error_of(&ops, a, GS_FOREST_OF_TIME, &arena, &e, NULL), GS_OK);
        assert_true(fabs(e.factor - cases[k].factor) < 1e-12 &&
                    fabs(e.floor - cases[k].floor) < 1e-12);
        e = (struct gs_forest_error){0};
        assert_int_equal(gs_forest_error_of(&ops, a, GS_FOREST_OF_POWER, &arena, &e, NULL), GS_OK);
        assert_true(!(e.factor > 0)); /* nothing was measured */
    }
    const struct gs_forest f = {.error = {[GS_FOREST_OF_TIME] = {2, 0.1}}};
    const struct gs_forest_interval v = gs_forest_interval(&f, GS_FOREST_OF_TIME, &a[0]);
    assert_true(fabs(v.low - exp(-0.4)) < 1e-15 && fabs(v.high - exp(0.4)) < 1e-15);
    assert_true(isnan(gs_forest_interval(&f, GS_FOREST_OF_ENERGY, &a[0]).low));
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    const struct gs_operations ops = read_good(law(1, false), true);
    struct gs_forest_options o = small;
    o.n_trees = 3;
    enum gs_status s = GS_ERR_MEMORY;
    unsigned n = 0;
    while (s != GS_OK) {
        struct gs_arena own = {0};
        struct gs_frames out = {.notes.arena = &own};
        gs_memory_fail_after(++n);
        s = gs_forest_evaluate(&ops, 2, false, &o, &own, &out, NULL);
        gs_memory_fail_after(0);
        assert_true(s == GS_OK || s == GS_ERR_MEMORY);
        gs_arena_release(&own);
        assert_true(n < 500);
    }
    assert_true(n > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(rows_come_in_key_order_whatever_the_file_says, forget),
        cmocka_unit_test_teardown(rows_without_a_measurement_are_left_out_and_counted, forget),
        cmocka_unit_test_teardown(bad_rows_are_named, forget),
        cmocka_unit_test_teardown(a_forest_learns_a_law, forget),
        cmocka_unit_test_teardown(a_constant_is_predicted_as_it_is, forget),
        cmocka_unit_test_teardown(a_forest_is_the_same_for_any_threads_and_row_order, forget),
        cmocka_unit_test_teardown(a_forest_from_its_file_predicts_the_same_bits, forget),
        cmocka_unit_test_teardown(models_add_up_and_an_unknown_operator_leaves_them_missing,
                                  forget),
        cmocka_unit_test_teardown(a_forest_taught_with_a_clock_refuses_data_without, forget),
        cmocka_unit_test_teardown(an_operation_that_contradicts_its_input_is_placed, forget),
        cmocka_unit_test_teardown(a_repeated_operation_is_in_one_fold_and_folds_are_even, forget),
        cmocka_unit_test_teardown(the_errors_follow_from_the_points, forget),
        cmocka_unit_test_teardown(an_operator_of_one_fold_only_is_not_predicted, forget),
        cmocka_unit_test_teardown(too_few_operations_for_the_folds_is_an_error, forget),
        cmocka_unit_test_teardown(without_power_only_time_is_learnt, forget),
        cmocka_unit_test_teardown(the_error_is_that_of_operations_never_seen, forget),
        cmocka_unit_test_teardown(any_allocation_may_fail, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
