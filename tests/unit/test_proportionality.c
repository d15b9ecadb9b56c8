/* test_proportionality.c - the line through the long runs; numbers by fractions in Python. */
#include "study_fixture.h"

#include "studies/tables/proportionality.h"
#include "input/studies/study_csv.h"

/* 12 long runs on a line of 0.1 s, off it by 10 ms in turn, and two short ones; not in order. */
static const char runs[] =
    "runtime_s,iterations,other\n"
    "0.5,1,x\n0.2,2,x\n11.99,120,x\n1.01,10,x\n1.99,20,x\n3.01,30,x\n3.99,40,x\n5.01,50,x\n"
    "5.99,60,x\n7.01,70,x\n7.99,80,x\n9.01,90,x\n9.99,100,x\n11.01,110,x\n";

static void evaluate(struct fixture *f, struct gs_proportionality *a, struct gs_frame **points)
{
    struct gs_iteration_table t;
    assert_int_equal(gs_iterations_read(f->path, &f->arena, &f->out.notes, &t, &f->err), GS_OK);
    assert_int_equal(gs_proportionality_frames(&t, &f->arena, &f->out, points, a, NULL), GS_OK);
}

static void the_line_goes_through_the_longer_six_sevenths(void **state)
{
    (void)state;
    struct fixture *const f = fixture_open(runs);
    struct gs_proportionality a;
    struct gs_frame *points;
    evaluate(f, &a, &points);
    const struct gs_frame *const r = f->out.first;
    assert_int_equal(int_at(r, 0, "n"), 14);
    assert_int_equal(int_at(r, 0, "n_fit"), 12);
    assert_real_at(r, 0, "slope_s", 0.09995804195804196);
    assert_real_at(r, 0, "intercept_s", 0.0027272727272727275);
    assert_real_at(r, 0, "residual_sd_s", 0.010334519273796456);
    assert_int_equal(int_at(r, 0, "outliers"), 1);
    assert_real_at(r, 0, "threshold_s", 0.5);
    assert_text_at(points, 0, "part", "outlier");
    assert_text_at(points, 1, "part", "short");
    assert_text_at(points, 2, "part", "fitted");
    assert_real_at(points, 13, "iterations", 120);
    assert_real_at(points, 0, "residual_s", 0.5 - 0.0027272727272727275 - 0.09995804195804196);
    assert_int_equal(a.n_outliers_fit, 0);
    fixture_close(f);
}

static void six_sevenths_round_up(void **state)
{
    (void)state;
    static const size_t wanted[][2] = {{1, 1},   {6, 6},   {7, 6},    {8, 7},
                                       {13, 12}, {14, 12}, {128, 110}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct gs_iteration_run run[128];
        for (size_t k = 0; k < wanted[i][0]; k++)
            run[k] = (struct gs_iteration_run){(double)k, (double)k};
        struct fixture *const f = fixture_open("");
        struct gs_proportionality a;
        struct gs_frame *points;
        const struct gs_iteration_table t = {"x", run, wanted[i][0]};
        assert_int_equal(gs_proportionality_frames(&t, &f->arena, &f->out, &points, &a, NULL),
                         GS_OK);
        assert_int_equal(a.n_fit, wanted[i][1]);
        assert_int_equal(a.n_outliers, 0);
        assert_true(isnan(a.threshold_s));
        fixture_close(f);
    }
}

static void runs_of_one_length_have_no_line(void **state)
{
    (void)state;
    struct fixture *const f = fixture_open("iterations,runtime_s\n5,1\n5,2\n5,3\n");
    struct gs_proportionality a;
    struct gs_frame *points;
    evaluate(f, &a, &points);
    assert_true(isnan(a.slope_s) && isnan(a.residual_sd_s) && isnan(a.threshold_s));
    assert_int_equal(a.n_outliers, 0);
    assert_real_at(points, 2, "runtime_s", 3);
    assert_real_at(points, 2, "line_s", NAN);
    fixture_close(f);
}

static enum gs_status read_table(struct fixture *f)
{
    struct gs_iteration_table t;
    return gs_iterations_read(f->path, &f->arena, &f->out.notes, &t, &f->err);
}

static void bad_tables_are_named_by_line_and_column(void **state)
{
    (void)state;
    static const struct refusal cases[] = {
        {"iterations,runtime_s\n1,0.1\n2,fast\n", ":3: runtime_s: 'fast' is not a number"},
        {"iterations,runtime_s\n-1,0.1\n",
         ":2: iterations: '-1' is out of bounds, expected 0 to 1e+30"},
        {"iterations,time_ms\n1,0.1\n", ":1: no column 'runtime_s'; found iterations, time_ms"},
        {"iterations,runtime_s\n1,\n", ": no row with all the numbers that are needed"},
    };
    assert_refused(read_table, cases, COUNT_OF(cases));
}

static void rows_without_a_number_are_left_out_and_noted(void **state)
{
    (void)state;
    struct fixture *const f = fixture_open("iterations,runtime_s\n1,1\n2,\n3,N/A\n4,4\n");
    struct gs_iteration_table t;
    assert_int_equal(gs_iterations_read(f->path, &f->arena, &f->out.notes, &t, &f->err), GS_OK);
    assert_int_equal(t.n, 2);
    assert_true(has_note(f, "2 of 4 rows lack a number that is needed and are left out"));
    fixture_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_goes_through_the_longer_six_sevenths),
        cmocka_unit_test(six_sevenths_round_up),
        cmocka_unit_test(runs_of_one_length_have_no_line),
        cmocka_unit_test(bad_tables_are_named_by_line_and_column),
        cmocka_unit_test(rows_without_a_number_are_left_out_and_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
