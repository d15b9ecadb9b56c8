/* test_crosstalk.c - slowdown and equivalence: the study's figures, repeated runs, holes in the table. */
#include "study_fixture.h"

#include "studies/tables/crosstalk.h"
#include "input/studies/study_csv.h"

static const struct gs_frame *crosstalk(struct fixture *f)
{
    struct gs_crosstalk_table t;
    assert_int_equal(gs_crosstalk_read(f->path, &f->arena, &f->out.notes, &t, &f->err), GS_OK);
    assert_int_equal(gs_crosstalk_frame(&t, &f->arena, &f->out, &f->err), GS_OK);
    return f->out.first;
}

/* The study prints 2.0529 and 3.1747; equivalence by hand from its table. */
static void the_study_s_slowdowns_are_reproduced(void **state)
{
    (void)state;
    struct fixture *const f =
        fixture_open("kernel,victims,co_runners,time_ms\nhigh_core,1,0,13533.85666\n"
                     "high_core,3,0,41343.25709\nhigh_core,1,2,42966.27656\n"
                     "high_core,2,1,41838.73589\nhigh_core,1,1,27783.44553\n"
                     "high_core,2,0,27712.24946\n");
    const struct gs_frame *const r = crosstalk(f);
    assert_true(fabs(real_at(r, 1, "slowdown") - 2.0529) < 5e-5);
    assert_true(fabs(real_at(r, 2, "slowdown") - 3.1747) < 5e-5);
    assert_real_at(r, 1, "performance", 13533.85666 / 27783.44553);
    assert_real_at(r, 1, "equivalent_ms", 27712.24946);
    assert_real_at(r, 1, "equivalence_error_pct", 100 * (27783.44553 / 27712.24946 - 1));
    assert_real_at(r, 2, "equivalence_error_pct", 100 * (42966.27656 / 41343.25709 - 1));
    assert_real_at(r, 4, "equivalence_error_pct", 100 * (41838.73589 / 41343.25709 - 1));
    assert_real_at(r, 4, "diagonal_spread_pct", 100 * (42966.27656 / 41343.25709 - 1));
    assert_real_at(r, 0, "equivalent_ms", NAN);
    assert_real_at(r, 0, "diagonal_spread_pct", NAN); /* alone at k + p = 1 */
    fixture_close(f);
}

static void repeated_runs_are_averaged(void **state)
{
    (void)state;
    struct fixture *const f =
        fixture_open("kernel,victims,co_runners,time_ms\na,1,1,30\na,1,0,10\na,1,1,50\na,1,0,30\n");
    const struct gs_frame *const r = crosstalk(f);
    assert_int_equal(r->n_rows, 2);
    assert_int_equal(int_at(r, 1, "n"), 2);
    assert_real_at(r, 1, "time_mean_ms", 40);
    assert_real_at(r, 1, "slowdown", 2);
    fixture_close(f);
}

static void a_kernel_never_run_alone_has_no_slowdown(void **state)
{
    (void)state;
    struct fixture *const f = fixture_open(
        "kernel,victims,co_runners,time_ms\nb,2,1,30\nb,3,0,20\na,2,0,5\na,1,0,0\na,1,1,4\n");
    const struct gs_frame *const r = crosstalk(f);
    assert_text_at(r, 3, "kernel", "b");
    assert_real_at(r, 3, "slowdown", NAN);
    assert_real_at(r, 3, "performance", NAN);
    assert_real_at(r, 3, "equivalence_error_pct", 50);
    assert_real_at(r, 1, "slowdown", NAN); /* over a time of 0 */
    assert_real_at(r, 1, "equivalence_error_pct", -20);
    fixture_close(f);
}

static void the_matrix_has_a_column_for_each_number_of_co_runners(void **state)
{
    (void)state;
    struct fixture *const f = fixture_open(
        "kernel,victims,co_runners,time_ms\na,1,0,2\na,1,5,6\na,2,0,4\nb,1,0,1\nb,1,1,3\n");
    const struct gs_frame *const long_form = crosstalk(f);
    struct gs_frames out = {.notes = {.arena = &f->arena}};
    assert_int_equal(gs_crosstalk_matrix(long_form, &f->arena, &out, NULL), GS_OK);
    const struct gs_frame *const m = out.first;
    assert_int_equal(m->n_rows, 3);
    assert_int_equal(m->n_columns, 5);
    assert_real_at(m, 0, "slowdown_p0", 1);
    assert_real_at(m, 0, "slowdown_p1", NAN);
    assert_real_at(m, 0, "slowdown_p5", 3);
    assert_int_equal(int_at(m, 1, "victims"), 2);
    assert_text_at(m, 2, "kernel", "b");
    assert_real_at(m, 2, "slowdown_p1", 3);
    fixture_close(f);
}

static enum gs_status read_table(struct fixture *f)
{
    struct gs_crosstalk_table t;
    return gs_crosstalk_read(f->path, &f->arena, &f->out.notes, &t, &f->err);
}

static void bad_tables_are_named_by_line_and_column(void **state)
{
    (void)state;
    static const struct refusal cases[] = {
        {"kernel,victims,co_runners,time_ms\na,0,0,1\n",
         ":2: victims: '0' is out of bounds, expected 1 to 1000000"},
        {"kernel,victims,co_runners,time_ms\na,1,0.5,1\n",
         ":2: co_runners: '0.5' is not a whole number"},
        {"kernel,victims,co_runners,time_ms\na,1,0,-1\n",
         ":2: time_ms: '-1' is out of bounds, expected 0 to 1e+30"},
        {"kernel,victims,time_ms\na,1,0\n",
         ":1: no column 'co_runners'; found kernel, victims, time_ms"},
    };
    assert_refused(read_table, cases, COUNT_OF(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_study_s_slowdowns_are_reproduced),
        cmocka_unit_test(repeated_runs_are_averaged),
        cmocka_unit_test(a_kernel_never_run_alone_has_no_slowdown),
        cmocka_unit_test(the_matrix_has_a_column_for_each_number_of_co_runners),
        cmocka_unit_test(bad_tables_are_named_by_line_and_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
