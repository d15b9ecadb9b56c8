/* test_frame.c - typed columns, missing values, stable sorting, cells as text. */
#include "arena_fixture.h"

#include <math.h>

#include "data/result/frame.h"

static const struct gs_column_spec specs[] = {
    {.name = "name", .label = "name", .unit = "", .type = GS_TYPE_TEXT, .how = "a text"},
    {.name = "count", .label = "count", .unit = "", .type = GS_TYPE_INT, .how = "a count"},
    {.name = "power_w",
     .label = "power",
     .unit = "W",
     .type = GS_TYPE_REAL,
     .decimals = 2,
     .how = "a real"},
    {.name = "start", .label = "start", .unit = "", .type = GS_TYPE_TIME, .how = "a time"},
};

static struct gs_frame *frame_of(size_t n_rows)
{
    return new_frame(specs, COUNT_OF(specs), n_rows);
}

static void a_new_frame_is_all_missing(void **state)
{
    (void)state;
    const struct gs_frame *const f = frame_of(3);
    char room[GS_REAL_TEXT_MAX];
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < COUNT_OF(specs); c++) {
            assert_true(gs_frame_is_missing(f, r, c));
            assert_int_equal(gs_frame_cell(f, r, c, room).len, 0);
        }
}

static void cells_are_bare_text(void **state)
{
    (void)state;
    struct gs_frame *const f = frame_of(2);
    char room[GS_REAL_TEXT_MAX];
    gs_frame_set_text(f, 0, 0, gs_str("a,\"b\""));
    gs_frame_set_int(f, 0, 1, -1234567);
    gs_frame_set_real(f, 0, 2, 1.0 / 3);
    gs_frame_set_time(f, 0, 3, INT64_C(1541662890957000000));
    gs_frame_set_text(f, 1, 0, gs_str(""));
    static const char *const want[] = {"a,\"b\"", "-1234567", "0.3333333333333333",
                                       "2018-11-08T07:41:30.957Z"};
    for (size_t c = 0; c < COUNT_OF(want); c++) {
        assert_false(gs_frame_is_missing(f, 0, c));
        assert_true(gs_str_eq(gs_frame_cell(f, 0, c, room), gs_str(want[c])));
    }
    assert_false(gs_frame_is_missing(f, 1, 0)); /* empty text is a text */
    assert_int_equal(gs_frame_find(f, "power_w"), 2);
    assert_int_equal(gs_frame_find(f, "power"), -1);
}

static void frames_are_kept_in_order(void **state)
{
    (void)state;
    struct gs_frames out = {0};
    struct gs_frame *a, *b;
    assert_int_equal(
        gs_frame_new(&arena, &(struct gs_frame_head){"a", "", specs, 1}, 0, &out, &a, NULL), GS_OK);
    assert_int_equal(
        gs_frame_new(&arena, &(struct gs_frame_head){"b", "", specs, 1}, 0, &out, &b, NULL), GS_OK);
    assert_ptr_equal(out.first, a);
    assert_ptr_equal(a->next, b);
    assert_ptr_equal(out.last, b);
    assert_null(b->next);
}

/* Rows numbered in `count`, values from few, so that there are ties and missing ones. */
static struct gs_frame *random_frame(size_t n)
{
    static const char *const names[] = {"a", "b", "ab", ""};
    struct gs_frame *const f = frame_of(n);
    for (size_t r = 0; r < n; r++) {
        const uint64_t k = random_below(6);
        gs_frame_set_int(f, r, 1, (int64_t)r);
        if (k < 4)
            gs_frame_set_text(f, r, 0, gs_str(names[k]));
        if (random_below(4) > 0)
            gs_frame_set_real(f, r, 2, (double)random_below(3) - 1);
        if (random_below(4) > 0)
            gs_frame_set_time(f, r, 3, (int64_t)random_below(5) - 2);
    }
    return f;
}

static int compare(const struct gs_frame *f, size_t column, size_t a, size_t b)
{
    const struct gs_column *const c = &f->columns[column];
    if (column == 0)
        return gs_str_compare(c->text[a], c->text[b]);
    if (column == 2)
        return (c->real[a] > c->real[b]) - (c->real[a] < c->real[b]);
    return (c->integer[a] > c->integer[b]) - (c->integer[a] < c->integer[b]);
}

static void sorting_is_stable_with_missing_last_either_way(void **state)
{
    (void)state;
    static const struct {
        const char *order;
        size_t column;
        int sign;
    } orders[] = {{"name", 0, 1},
                  {"name:desc", 0, -1},
                  {"power_w:asc", 2, 1},
                  {"power_w:desc", 2, -1},
                  {"start:desc", 3, -1}};
    for (size_t n = 0; n < 200; n += n < 10 ? 1 : 17)
        for (size_t k = 0; k < COUNT_OF(orders); k++) {
            struct gs_frame *const f = random_frame(n);
            assert_int_equal(gs_frame_sort(f, orders[k].order, &arena, NULL), GS_OK);
            uint64_t sum = 0;
            for (size_t r = 0; r < n; r++) {
                sum += (uint64_t)f->columns[1].integer[r];
                if (r == 0)
                    continue;
                const bool missing = gs_frame_is_missing(f, r, orders[k].column);
                const bool before = gs_frame_is_missing(f, r - 1, orders[k].column);
                assert_true(missing || !before);
                const int order = missing || before
                                      ? missing - before
                                      : orders[k].sign * compare(f, orders[k].column, r - 1, r);
                assert_true(order <= 0 || missing);
                if (missing == before && order == 0)
                    assert_true(f->columns[1].integer[r - 1] < f->columns[1].integer[r]);
            }
            assert_int_equal(sum, n * (n - (n > 0)) / 2);
        }
}

static void several_columns_sort_one_within_the_other(void **state)
{
    (void)state;
    struct gs_frame *const one = random_frame(300);
    assert_int_equal(gs_frame_sort(one, "name:desc,power_w,start:desc", &arena, NULL), GS_OK);
    for (size_t r = 1; r < 300; r++) {
        /* Sorting is stable, so sorting by the last key first gives the same. */
        if (gs_frame_is_missing(one, r, 0) || gs_frame_is_missing(one, r - 1, 0))
            continue;
        const int by_name = -compare(one, 0, r - 1, r);
        assert_true(by_name <= 0);
        if (by_name == 0 && !gs_frame_is_missing(one, r, 2) && !gs_frame_is_missing(one, r - 1, 2))
            assert_true(compare(one, 2, r - 1, r) <= 0);
    }
}

static void an_unknown_column_is_named_with_those_there_are(void **state)
{
    (void)state;
    struct gs_frame *const f = random_frame(5);
    struct gs_err err = {0};
    assert_int_equal(gs_frame_sort(f, "pwer\033", &arena, &err), GS_ERR_USAGE);
    assert_string_equal(
        err.text,
        "--sort: 'pwer\\x1B' must be COLUMN, COLUMN:asc or COLUMN:desc, at most 16 of them");
    assert_int_equal(gs_frame_sort(f, "name:up", &arena, &err), GS_ERR_USAGE);
    assert_non_null(strstr(err.text, "'name:up' must be COLUMN, COLUMN:asc or COLUMN:desc"));
    for (size_t r = 0; r < 5; r++)
        assert_int_equal(f->columns[1].integer[r], r);
    gs_frame_top(f, 9);
    assert_int_equal(f->n_rows, 5);
    gs_frame_top(f, 2);
    assert_int_equal(f->n_rows, 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_new_frame_is_all_missing, forget),
        cmocka_unit_test_teardown(cells_are_bare_text, forget),
        cmocka_unit_test_teardown(frames_are_kept_in_order, forget),
        cmocka_unit_test_teardown(sorting_is_stable_with_missing_last_either_way, forget),
        cmocka_unit_test_teardown(several_columns_sort_one_within_the_other, forget),
        cmocka_unit_test_teardown(an_unknown_column_is_named_with_those_there_are, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
