/* test_validate.c - sums of operations against wholes; numbers worked out by hand. */
#include "study_fixture.h"

#include "input/studies/study_csv.h"
#include "studies/tables/validate.h"

static const struct gs_frame *validate(struct fixture *f)
{
    struct gs_cost_table t;
    assert_int_equal(gs_costs_read(f->path, &f->arena, &f->out.notes, &t, &f->err), GS_OK);
    assert_int_equal(gs_validate_frame(&t, &f->arena, &f->out, &f->err), GS_OK);
    return f->out.first;
}

/* Sum 2 * 3 + 4 = 10, sd sqrt((2 * 1.5)^2 + 4^2) = 5; against 8 with sd 12: (10 - 8) / 13. */
static void values_add_up_and_deviations_add_in_squares(void **state)
{
    (void)state;
    struct fixture *const f =
        fixture_open("model,operation,count,time_s,time_sd_s,energy_j,energy_sd_j\n"
                     "m,b,1,4,4,40,3\nm,*,1,8,12,100,0\nm,a,2,3,1.5,30,2\n");
    const struct gs_frame *const r = validate(f);
    assert_int_equal(r->n_rows, 1);
    assert_int_equal(int_at(r, 0, "operations"), 2);
    assert_real_at(r, 0, "measured_time_s", 8);
    assert_real_at(r, 0, "summed_time_s", 10);
    assert_real_at(r, 0, "summed_time_sd_s", 5);
    assert_real_at(r, 0, "time_ratio", 1.25);
    assert_real_at(r, 0, "time_z", 2.0 / 13.0);
    assert_real_at(r, 0, "summed_energy_j", 100);
    assert_real_at(r, 0, "energy_ratio", 1);
    assert_real_at(r, 0, "summed_energy_sd_j", 5);
    assert_real_at(r, 0, "energy_z", 0);
    assert_string_equal(
        r->title,
        "Summed operations against whole models; median ratio 1.250 in time, 1.000 in energy");
    fixture_close(f);
}

static void what_is_not_known_stays_missing(void **state)
{
    (void)state;
    struct fixture *const f = fixture_open(
        "model,operation,count,time_s,time_sd_s,energy_j\n"
        "whole,*,1,5,1,7\nparts,a,1,5,1,7\nsome,*,1,5,1,7\nsome,a,1,5,,7\nsome,b,2,1,1,\n");
    const struct gs_frame *const r = validate(f);
    assert_text_at(r, 0, "model", "parts");
    assert_real_at(r, 0, "summed_time_s", 5);
    assert_real_at(r, 0, "measured_time_s", NAN);
    assert_real_at(r, 0, "time_ratio", NAN);
    assert_text_at(r, 1, "model", "some");
    assert_real_at(r, 1, "time_ratio", 1.4);
    assert_real_at(r, 1, "summed_time_sd_s", NAN); /* one deviation is missing, so the sum's is */
    assert_real_at(r, 1, "time_z", NAN);
    assert_real_at(r, 1, "summed_energy_j", NAN);
    assert_text_at(r, 2, "model", "whole");
    assert_int_equal(int_at(r, 2, "operations"), 0);
    assert_real_at(r, 2, "summed_time_s", NAN);
    assert_true(has_note(f, "2 of 3 models lack either the whole ('*') or its operations"));
    fixture_close(f);
}

static void a_configuration_parts_a_model(void **state)
{
    (void)state;
    struct fixture *const f =
        fixture_open("model,gpu,operation,time_s\nm,A30,*,2\nm,A30,a,1\nm,A100,*,1\nm,A100,a,2\n");
    const struct gs_frame *const r = validate(f);
    assert_int_equal(r->n_rows, 2);
    assert_text_at(r, 0, "model", "m on A100");
    assert_real_at(r, 0, "time_ratio", 2);
    assert_real_at(r, 1, "time_ratio", 0.5);
    fixture_close(f);
}

static void a_table_of_sums_gives_its_ratios(void **state)
{
    (void)state;
    struct fixture *const f =
        fixture_open("model_input,measured_ms,measured_mJ,measured_err_mJ,summed_ms,summed_mJ\n"
                     "\"b (1, 2)\",10,1000,5,12.5,900\na,4,8,1,2,16\n");
    const struct gs_frame *const r = validate(f);
    assert_text_at(r, 1, "model", "b (1, 2)");
    assert_real_at(r, 1, "time_ratio", 1.25);
    assert_real_at(r, 1, "energy_ratio", 0.9);
    assert_real_at(r, 1, "measured_energy_j", 1);
    assert_real_at(r, 1, "measured_energy_sd_j", 0.005);
    assert_real_at(r, 1, "energy_z", NAN); /* the sum's deviation is not known */
    assert_true(int_at(r, 1, "operations") == GS_MISSING);
    assert_real_at(r, 0, "energy_ratio", 2);
    fixture_close(f);
}

static void a_model_measured_twice_is_refused(void **state)
{
    (void)state;
    struct fixture *const f = fixture_open("model,operation,time_s\nm,*,2\nm,a,1\nm,*,1\n");
    struct gs_cost_table t;
    assert_int_equal(gs_costs_read(f->path, &f->arena, &f->out.notes, &t, &f->err), GS_OK);
    assert_int_equal(gs_validate_frame(&t, &f->arena, &f->out, &f->err), GS_ERR_DATA);
    assert_string_equal(fixture_error(f),
                        ":4: 'm' is measured as a whole a second time, first at line 2");
    assert_null(f->out.first);
    fixture_close(f);
}

static void the_order_of_rows_changes_no_bit(void **state)
{
    (void)state;
    static const char head[] = "model,operation,count,time_s,time_sd_s,energy_j\n";
    char text[2][4096];
    for (int order = 0; order < 2; order++) {
        size_t n = (size_t)snprintf(text[order], sizeof text[order], "%sm,*,1,3,1,2\n", head);
        for (int i = 0; i < 60; i++) {
            const int k = order == 0 ? i : (i * 7 + 3) % 60;
            n +=
                (size_t)snprintf(text[order] + n, sizeof text[order] - n, "m,%s,%d,0.%d1,%s,1.%d\n",
                                 k % 2 ? "x" : "y", 1 + k % 3, k * k, k == 5 ? "" : "0.001", k);
        }
    }
    struct fixture *const a = fixture_open(text[0]), *const b = fixture_open(text[1]);
    const struct gs_frame *const x = validate(a), *const y = validate(b);
    assert_true(real_at(x, 0, "summed_time_s") == real_at(y, 0, "summed_time_s"));
    assert_true(real_at(x, 0, "summed_energy_j") == real_at(y, 0, "summed_energy_j"));
    fixture_close(a);
    fixture_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_add_up_and_deviations_add_in_squares),
        cmocka_unit_test(what_is_not_known_stays_missing),
        cmocka_unit_test(a_configuration_parts_a_model),
        cmocka_unit_test(a_table_of_sums_gives_its_ratios),
        cmocka_unit_test(a_model_measured_twice_is_refused),
        cmocka_unit_test(the_order_of_rows_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
