/* test_sweep.c - sweeps under anybody's column names; numbers worked out by hand, loess and knee by their
 * oracle. */
#include "study_fixture.h"

#include "input/studies/study_csv.h"
#include "studies/tables/sweep.h"

static const struct gs_sweep_options usual = {{0.75, 2}};

static void sweep(struct fixture *f, const struct gs_sweep_columns *c,
                  struct gs_sweep_frames *frames)
{
    static const struct gs_sweep_columns none;
    struct gs_sweep_table t;
    assert_int_equal(
        gs_sweep_read(f->path, c == NULL ? &none : c, &f->arena, &f->out.notes, &t, &f->err),
        GS_OK);
    assert_int_equal(gs_sweep_evaluate(&t, &usual, &f->arena, &f->out.notes, frames, &f->err),
                     GS_OK);
}

static void each_frequency_has_means_deviations_and_relative_time(void **state)
{
    (void)state;
    struct fixture *const f =
        fixture_open("app,freq,time_s,power_w\nb,500,8,50\nb,1000,4,100\nb,500,12,60\n"
                     "b,1000,6,110\na,700,1,9\nb,1500,4,180\n");
    struct gs_sweep_frames s;
    sweep(f, NULL, &s);
    assert_int_equal(s.groups->n_rows, 2);
    assert_int_equal(s.points->n_rows, 4);
    assert_text_at(s.points, 1, "group", "b");
    assert_real_at(s.points, 1, "frequency_mhz", 500);
    assert_int_equal(int_at(s.points, 1, "n"), 2);
    assert_real_at(s.points, 1, "time_mean_s", 10);
    assert_real_at(s.points, 1, "time_sd_s", sqrt(8));
    assert_real_at(s.points, 1, "time_cv", sqrt(8) / 10);
    assert_real_at(s.points, 1, "power_mean_w", 55);
    assert_real_at(s.points, 1, "relative_time", 2.5);
    assert_real_at(s.points, 1, "energy_j", 550);
    assert_real_at(s.points, 3, "time_sd_s", NAN); /* a single run */
    assert_int_equal(int_at(s.groups, 1, "runs"), 5);
    assert_int_equal(int_at(s.groups, 1, "frequencies"), 3);
    assert_real_at(s.groups, 1, "time_cv_max", sqrt(8) / 10);
    assert_real_at(s.groups, 1, "power_cv_max", sqrt(50) / 55);
    assert_real_at(s.groups, 1, "relative_time_max", 2.5);
    assert_real_at(s.groups, 0, "r_power_time", NAN); /* one run */
    assert_real_at(s.groups, 0, "knee_mhz", NAN);
    assert_true(has_note(f, "2 of 2 groups have no knee"));
    fixture_close(f);
}

/* A row that lacks any of the three is none, and says so; times are in the unit of their column, or as told. */
static void rows_that_lack_a_number_are_left_out_and_counted(void **state)
{
    (void)state;
    struct fixture *const f =
        fixture_open("app,freq,time_ms,power_w\nb,500,8000,50\nb,,4000,100\nb,700,,60\n"
                     "b,900,6000,\nb,,,\nb,1000,2000,110\n");
    static const struct gs_sweep_columns none;
    struct gs_sweep_table t;
    assert_int_equal(gs_sweep_read(f->path, &none, &f->arena, &f->out.notes, &t, &f->err), GS_OK);
    assert_int_equal(t.n, 2);
    assert_true(t.run[0].frequency_mhz == 500 && t.run[0].time_s == 8 && t.run[0].power_w == 50);
    assert_true(t.run[1].frequency_mhz == 1000 && t.run[1].time_s == 2 && t.run[1].power_w == 110);
    assert_true(has_note(f, "4 rows lack frequency, time or power and are left out"));
    const struct gs_sweep_columns us = {.time_units_per_s = 1e6};
    assert_int_equal(gs_sweep_read(f->path, &us, &f->arena, &f->out.notes, &t, &f->err), GS_OK);
    assert_true(t.run[0].time_s == 0.008);
    fixture_close(f);
}

static void the_best_clock_is_that_of_least_energy_against_the_highest(void **state)
{
    (void)state;
    /* Energies 600, 400, 400, 500: of the two least the higher clock. */
    struct fixture *const f = fixture_open(
        "app,freq,time_s,power_w\na,500,10,60\na,700,8,50\na,900,5,80\na,1100,4,125\n");
    struct gs_sweep_frames s;
    sweep(f, NULL, &s);
    assert_real_at(s.groups, 0, "best_frequency_mhz", 900);
    assert_real_at(s.groups, 0, "energy_saved_pct", 20);
    assert_real_at(s.groups, 0, "time_lost_pct", 25);
    fixture_close(f);
}

static void the_knee_is_where_power_begins_to_rise_more_steeply(void **state)
{
    (void)state;
    struct gs_buf steep = {0}, flat = {0};
    struct gs_arena arena = {0};
    steep.arena = flat.arena = &arena;
    gs_buf_text(&steep, "app,freq,time_s,power_w\n");
    gs_buf_text(&flat, "app,freq,time_s,power_w\n");
    for (int i = 400; i <= 1600; i += 100) {
        gs_buf_format(&steep, "a,%d,1,%d\n", i, i < 1200 ? i / 10 : 120 + (i - 1200) / 2);
        gs_buf_format(&flat, "a,%d,1,%d\n", i, i < 1200 ? i / 10 : 120 + (i - 1200) / 50);
    }
    struct fixture *f = fixture_open(steep.ptr);
    struct gs_sweep_frames s;
    sweep(f, NULL, &s);
    assert_real_at(s.groups, 0, "knee_mhz", 1200);
    fixture_close(f);
    f = fixture_open(flat.ptr);
    sweep(f, NULL, &s);
    assert_real_at(s.groups, 0, "knee_mhz", NAN); /* a bend the other way is none */
    fixture_close(f);
    gs_arena_release(&arena);
}

static void correlations_are_over_the_runs(void **state)
{
    (void)state;
    struct fixture *const f =
        fixture_open("app,freq,time_s,power_w\na,1,3,2\na,2,2,4\na,3,1,6\nb,1,1,5\nb,2,1,6\n");
    struct gs_sweep_frames s;
    sweep(f, NULL, &s);
    assert_real_at(s.groups, 0, "r_power_time", -1);
    assert_real_at(s.groups, 0, "r_power_frequency", 1);
    assert_real_at(s.groups, 0, "r_time_frequency", -1);
    assert_real_at(s.groups, 1, "r_power_time", NAN); /* time is constant */
    assert_real_at(s.groups, 1, "r_power_frequency", 1);
    assert_int_equal(s.correlations->n_rows, 6);
    assert_text_at(s.correlations, 4, "pair", "power, frequency");
    assert_real_at(s.correlations, 4, "r", 1);
    assert_real_at(s.correlations, 3, "r", NAN);
    fixture_close(f);
}

static void a_parabola_is_its_own_loess(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    gs_buf_text(&b, "app,freq,time_s,power_w\n");
    for (int i = 0; i <= 10; i++)
        gs_buf_format(&b, "a,%d,%d,1\n", 100 * i, 10 + (i - 10) * (i - 10));
    struct fixture *const f = fixture_open(b.ptr);
    struct gs_sweep_frames s;
    sweep(f, NULL, &s);
    for (size_t i = 0; i <= 10; i++) {
        const double x = (double)i;
        assert_true(fabs(real_at(s.points, i, "loess") - (10 + (x - 10) * (x - 10)) / 10) < 1e-9);
    }
    fixture_close(f);
    gs_arena_release(&arena);
}

static void columns_are_found_by_usual_names_or_as_told(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        struct gs_sweep_columns columns;
        double time_s;
    } cases[] = {
        {"appName,coreF,time/ms,power/W", {0}, 0.1},
        {"benchmark,core_frequency,time,average_power", {0}, 100},
        {"network,frequency_mhz,time_us,max_power_w", {0}, 0.0001},
        {"a,b,c,d",
         {.group = "a", .frequency = "b", .time = "c", .power = "d", .time_units_per_s = 1e3},
         0.1},
        {"Network,FREQUENCY,Time (ms),Power", {.time = "Time (ms)"}, 0.1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "%s\nx,500,100,7\n", cases[i].header);
        struct fixture *const f = fixture_open(text);
        struct gs_sweep_table t;
        assert_int_equal(
            gs_sweep_read(f->path, &cases[i].columns, &f->arena, &f->out.notes, &t, &f->err),
            GS_OK);
        assert_int_equal(t.n, 1);
        assert_true(t.run[0].time_s == cases[i].time_s);
        assert_true(t.run[0].frequency_mhz == 500 && t.run[0].power_w == 7);
        assert_int_equal(has_note(f, "names no unit and was read as seconds"), i == 1);
        fixture_close(f);
    }
}

static void a_memory_clock_that_varies_parts_the_groups(void **state)
{
    (void)state;
    static const char text[] =
        "app,coreF,memF,time_s,power\na,1,5000,1,1\na,1,6000,2,2\na,2,5000,3,3\n";
    struct gs_sweep_frames s;
    struct fixture *f = fixture_open(text);
    sweep(f, NULL, &s);
    assert_int_equal(s.groups->n_rows, 2);
    assert_text_at(s.groups, 0, "group", "a, memF 5000");
    assert_true(has_note(f, "the memory clock varies"));
    fixture_close(f);
    f = fixture_open(text);
    sweep(f, &(struct gs_sweep_columns){.group = "app"}, &s); /* asked for alone */
    assert_int_equal(s.groups->n_rows, 1);
    fixture_close(f);
    f = fixture_open(text);
    static const char *const where[] = {"memF=5000.0"};
    sweep(f, &(struct gs_sweep_columns){.where = where, .n_where = 1}, &s);
    assert_int_equal(s.groups->n_rows, 1);
    assert_text_at(s.groups, 0, "group", "a");
    assert_int_equal(int_at(s.groups, 0, "runs"), 2);
    fixture_close(f);
}

static void bad_requests_are_named(void **state)
{
    (void)state;
    static const char *const no_value[] = {"app"}, *const nowhere[] = {"app=z"},
                             *const no_column[] = {"x=1"};
    static const struct {
        struct gs_sweep_columns columns;
        enum gs_status status;
        const char *error;
    } cases[] = {
        {{.where = no_value, .n_where = 1},
         GS_ERR_USAGE,
         "--where: 'app' must be COLUMN=VALUE, at most 16 of them"},
        {{.where = nowhere, .n_where = 1},
         GS_ERR_DATA,
         ": no row with frequency, time and power for which --where holds"},
        {{.where = no_column, .n_where = 1},
         GS_ERR_DATA,
         ":1: no column 'x'; found app, freq, time_s, power"},
        {{.group = "app,y"}, GS_ERR_DATA, ":1: no column 'y'; found app, freq, time_s, power"},
        {{.power = "watts"}, GS_ERR_DATA, ":1: no column 'watts'; found app, freq, time_s, power"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture *const f = fixture_open("app,freq,time_s,power\na,1,1,1\n");
        struct gs_sweep_table t;
        assert_int_equal(
            gs_sweep_read(f->path, &cases[i].columns, &f->arena, &f->out.notes, &t, &f->err),
            cases[i].status);
        assert_string_equal(fixture_error(f), cases[i].error);
        fixture_close(f);
    }
}

static void the_order_of_rows_changes_no_bit(void **state)
{
    (void)state;
    struct gs_sweep_frames s[2];
    struct fixture *f[2];
    for (int order = 0; order < 2; order++) {
        struct gs_arena arena = {0};
        struct gs_buf b = {.arena = &arena};
        gs_buf_text(&b, "app,freq,time_s,power\n");
        for (int i = 0; i < 80; i++) {
            const int k = order == 0 ? i : (i * 13 + 5) % 80;
            gs_buf_format(&b, "a,%d,0.%d7,%d.%d\n", 400 + k % 8 * 100, 100 + k * k % 97,
                          50 + k % 8 * 9, k * k % 10);
        }
        f[order] = fixture_open(b.ptr);
        sweep(f[order], NULL, &s[order]);
        gs_arena_release(&arena);
    }
    for (size_t c = 1; c < s[0].points->n_columns; c++)
        if (s[0].points->columns[c].spec->type == GS_TYPE_REAL)
            assert_memory_equal(s[0].points->columns[c].real, s[1].points->columns[c].real,
                                8 * sizeof(double));
    assert_true(real_at(s[0].groups, 0, "r_power_time") == real_at(s[1].groups, 0, "r_power_time"));
    fixture_close(f[0]);
    fixture_close(f[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_frequency_has_means_deviations_and_relative_time),
        cmocka_unit_test(rows_that_lack_a_number_are_left_out_and_counted),
        cmocka_unit_test(the_best_clock_is_that_of_least_energy_against_the_highest),
        cmocka_unit_test(the_knee_is_where_power_begins_to_rise_more_steeply),
        cmocka_unit_test(correlations_are_over_the_runs),
        cmocka_unit_test(a_parabola_is_its_own_loess),
        cmocka_unit_test(columns_are_found_by_usual_names_or_as_told),
        cmocka_unit_test(a_memory_clock_that_varies_parts_the_groups),
        cmocka_unit_test(bad_requests_are_named),
        cmocka_unit_test(the_order_of_rows_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
