/* test_columns.c - the registry of columns. */
#include "fixture.h"

#include <ctype.h>
#include <string.h>

#include "data/result/columns.h"
#include "data/tables/metric.h"

static const char *const symbols[GS_N_COLUMNS] = {
#define GS_COLUMN(id, ...)      [GS_COL_##id] = #id,
#define GS_METRIC_COLUMN(id, n) [GS_COL_##id] = #id,
#include "data/result/columns.def"
#undef GS_METRIC_COLUMN
#undef GS_COLUMN
};

static void every_column_is_named_once_and_in_order(void **state)
{
    (void)state;
    for (int id = GS_COL_NONE + 1; id < GS_N_COLUMNS; id++) {
        const char *const name = gs_column((enum gs_column_id)id)->name;
        if (id > GS_COL_NONE + 1)
            assert_true(strcmp(gs_column((enum gs_column_id)(id - 1))->name, name) < 0);
        assert_int_equal(gs_column_find(name), id);
        assert_int_equal(strlen(symbols[id]), strlen(name));
        for (size_t i = 0; name[i] != '\0'; i++)
            assert_int_equal(symbols[id][i], toupper((unsigned char)name[i]));
    }
    assert_int_equal(gs_column_find("no_such_column"), GS_COL_NONE);
}

/* The report refers to these: under another name they would be missing there without a word. */
static void metric_columns_have_the_names_of_metrics(void **state)
{
    (void)state;
    static const char *const words[] = {"nearest", "window", "bias"};
    struct gs_arena arena = {0};
    for (int id = GS_COL_NONE + 1; id < GS_N_COLUMNS; id++) {
        bool found = gs_column((enum gs_column_id)id)->label != NULL;
        for (size_t m = 0; m < GS_FIXED_METRICS && !found; m++)
            for (size_t w = 0; w < COUNT_OF(words) && !found; w++)
                found = strcmp(gs_metric_column(&gs_known_metrics[m], words[w], &arena),
                               gs_column((enum gs_column_id)id)->name) == 0;
        assert_true(found);
    }
    gs_arena_release(&arena);
}

static void a_frame_says_only_what_differs(void **state)
{
    (void)state;
    static const struct gs_column_spec same = GS_COL(ENERGY_J);
    static const struct gs_column_spec other =
        GS_COL(ENERGY_J, .label = "work", .unit = "kJ", .digits = GS_DIGITS(0), .how = "by hand");
    static const struct gs_column_spec shortest = GS_COL(ENERGY_J, .digits = GS_DIGITS(-1));
    const struct gs_column_spec *const defined = gs_column(GS_COL_ENERGY_J);
    const struct gs_column_spec a = gs_column_resolve(&same, 0), b = gs_column_resolve(&other, 0);
    assert_string_equal(a.name, defined->name);
    assert_string_equal(a.how, defined->how);
    assert_int_equal(a.decimals, defined->decimals);
    assert_int_equal(a.id, GS_COL_ENERGY_J);
    assert_string_equal(b.name, "energy_j");
    assert_string_equal(b.label, "work");
    assert_string_equal(b.unit, "kJ");
    assert_string_equal(b.how, "by hand");
    assert_int_equal(b.decimals, 0);
    assert_int_equal(b.type, GS_TYPE_REAL);
    assert_int_equal(gs_column_resolve(&shortest, 0).decimals, -1);
}

static void a_column_named_at_run_time_is_found_by_id(void **state)
{
    (void)state;
    static const struct gs_column_spec known = {.name = "power_mean_w", .label = "P"};
    static const struct gs_column_spec unknown = {.name = "rack"};
    assert_int_equal(gs_column_resolve(&known, 0).id, GS_COL_POWER_MEAN_W);
    assert_string_equal(gs_column_resolve(&known, 0).label, "P");
    assert_int_equal(gs_column_resolve(&unknown, 3).id, GS_COL_AT(3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_column_is_named_once_and_in_order),
        cmocka_unit_test(metric_columns_have_the_names_of_metrics),
        cmocka_unit_test(a_frame_says_only_what_differs),
        cmocka_unit_test(a_column_named_at_run_time_is_found_by_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
