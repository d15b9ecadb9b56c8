/* test_table.c - whatever is written into packed segments comes out again. */
#include "fixture.h"

#include "gpustat/table.h"

enum { N_COLUMNS = 6 };

static const uint8_t decimals_max[N_COLUMNS] = {9, 6, 6, 0, 0, 6};
static const int64_t pow10_of[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};

/* What was written: values in units of 10^-decimals_max. */
struct expected {
    int64_t (*value)[N_COLUMNS];
    size_t n;
};

/* Draws one value below 2^bits with at most `decimals` places, as a mantissa that may end in zeros or not. */
static void put_random(struct gs_table_writer *w, unsigned column, unsigned bits, unsigned decimals, int64_t *want)
{
    const uint64_t magnitude = bits == 0 ? 0 : random_bits() >> (64 - bits);
    int64_t mantissa = (int64_t)(magnitude / (uint64_t)pow10_of[decimals_max[column] - decimals]);
    if (random_below(2) == 1 && column != 4)
        mantissa = -mantissa;
    gs_table_put(w, column, mantissa, decimals);
    *want = mantissa * pow10_of[decimals_max[column] - decimals];
}

/* Each stretch of rows has its own widths, decimals and share of missing, so segments are stored differently. */
static void write_random(struct gs_table_writer *w, size_t n, struct expected *e)
{
    unsigned bits[N_COLUMNS] = {0}, missing = 0;
    for (size_t r = 0; r < n; r++) {
        if (r % 1000 == 0) {
            for (unsigned c = 0; c < N_COLUMNS; c++)
                bits[c] = (unsigned)random_below(c == 4 ? 10 : 63);
            missing = random_below(3) == 0 ? (unsigned)random_below(4) + 1 : 0;
        }
        for (unsigned c = 0; c < N_COLUMNS; c++) {
            int64_t *const want = &e->value[e->n][c];
            const unsigned decimals = decimals_max[c] == 0 ? 0 : (unsigned)random_below(random_below(50) == 0 ? decimals_max[c] + 1u : 3);
            if (missing > 0 && c != 4 && random_below(missing * 2) == 0) {
                gs_table_put_missing(w, c);
                *want = GS_MISSING;
            } else {
                put_random(w, c, bits[c], decimals, want);
            }
        }
        e->n++;
        assert_int_equal(gs_table_end_row(w, NULL), GS_OK);
    }
}

static void random_rows_come_out_as_they_went_in(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 4095, 4096, 4097, 13000};
    for (size_t k = 0; k < COUNT_OF(sizes); k++) {
        struct gs_arena arena = {0};
        struct gs_table_writer w;
        struct gs_table_writer *const writers[] = {&w};
        struct gs_table t;
        struct expected e = {calloc(sizes[k] + 1, sizeof *e.value), 0};
        assert_non_null(e.value);
        assert_int_equal(gs_table_writer_init(&w, &arena, N_COLUMNS, decimals_max, NULL), GS_OK);
        write_random(&w, sizes[k], &e);
        assert_int_equal(gs_table_join(writers, NULL, 1, &arena, &t, NULL), GS_OK);
        assert_int_equal(t.n_rows, sizes[k]);
        assert_int_equal(t.n_columns, N_COLUMNS);
        assert_int_equal(t.n_segments, (sizes[k] + GS_SEGMENT_ROWS - 1) / GS_SEGMENT_ROWS);
        for (uint32_t r = 0; r < sizes[k]; r++)
            for (unsigned c = 0; c < N_COLUMNS; c++)
                if (gs_table_value(&t, r, c) != e.value[r][c])
                    fail_msg("row %u, column %u: %lld, expected %lld", r, c, (long long)gs_table_value(&t, r, c),
                             (long long)e.value[r][c]);
        free(e.value);
        gs_arena_release(&arena);
    }
}

static void the_ends_of_int64_fit_beside_missing(void **state)
{
    (void)state;
    static const int64_t values[] = {INT64_MAX, INT64_MIN + 1, 0, -1, 1, GS_MISSING};
    struct gs_arena arena = {0};
    struct gs_table_writer w;
    struct gs_table_writer *const writers[] = {&w};
    struct gs_table t;
    static const uint8_t none[2] = {0, 0};
    assert_int_equal(gs_table_writer_init(&w, &arena, 2, none, NULL), GS_OK);
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        if (values[i] == GS_MISSING)
            gs_table_put_missing(&w, 0);
        else
            gs_table_put(&w, 0, values[i], 0);
        gs_table_put(&w, 1, values[i] == GS_MISSING ? 7 : values[i], 0); /* the same without a missing one */
        assert_int_equal(gs_table_end_row(&w, NULL), GS_OK);
    }
    assert_int_equal(gs_table_join(writers, NULL, 1, &arena, &t, NULL), GS_OK);
    for (uint32_t i = 0; i < COUNT_OF(values); i++) {
        assert_true(gs_table_value(&t, i, 0) == values[i]);
        assert_true(gs_table_value(&t, i, 1) == (values[i] == GS_MISSING ? 7 : values[i]));
    }
    gs_arena_release(&arena);
}

static void a_constant_column_costs_nothing(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_table_writer w;
    struct gs_table_writer *const writers[] = {&w};
    struct gs_table t;
    static const uint8_t decimals[2] = {6, 0};
    assert_int_equal(gs_table_writer_init(&w, &arena, 2, decimals, NULL), GS_OK);
    for (int i = 0; i < 100; i++) {
        gs_table_put(&w, 0, 3675, 2);
        gs_table_put(&w, 1, i, 0);
        assert_int_equal(gs_table_end_row(&w, NULL), GS_OK);
    }
    assert_int_equal(gs_table_join(writers, NULL, 1, &arena, &t, NULL), GS_OK);
    assert_int_equal(t.segment[0].encoding->stride, 1);
    assert_int_equal(gs_table_value(&t, 99, 0), 36750000);
    assert_int_equal(gs_table_value(&t, 99, 1), 99);
    gs_arena_release(&arena);
}

static void tables_of_several_threads_are_joined_through_their_maps(void **state)
{
    (void)state;
    enum { N_WRITERS = 3 };
    struct gs_arena arena = {0}, own[N_WRITERS] = {{0}};
    struct gs_table_writer w[N_WRITERS];
    struct gs_table_writer *writers[N_WRITERS];
    const uint32_t *maps[N_WRITERS][2];
    const uint32_t *const *rows[N_WRITERS];
    uint32_t map[N_WRITERS][50];
    struct gs_table t;
    static const uint8_t none[2] = {0, 0};
    for (size_t i = 0; i < N_WRITERS; i++) {
        writers[i] = &w[i];
        assert_int_equal(gs_table_writer_init(&w[i], &own[i], 2, none, NULL), GS_OK);
        for (uint32_t k = 0; k < 50; k++)
            map[i][k] = (uint32_t)(1000 * i) + 49 - k;
        for (int r = 0; i != 1 && r < 5000; r++) { /* the second wrote nothing */
            gs_table_put(&w[i], 0, r % 50, 0);
            gs_table_put(&w[i], 1, r, 0);
            assert_int_equal(gs_table_end_row(&w[i], NULL), GS_OK);
        }
        maps[i][0] = map[i];
        maps[i][1] = NULL;
        rows[i] = maps[i];
    }
    assert_int_equal(gs_table_join(writers, rows, N_WRITERS, &arena, &t, NULL), GS_OK);
    assert_int_equal(t.n_rows, 10000);
    size_t seen[2] = {0};
    for (uint32_t k = 0; k < t.n_segments; k++)
        for (uint32_t i = 0; i < t.segment[k].n_rows; i++) {
            const int64_t id = gs_segment_value(&t.segment[k], i, 0), r = gs_segment_value(&t.segment[k], i, 1);
            const bool last = id >= 1000;
            assert_int_equal(id, (last ? 2000 : 0) + 49 - r % 50);
            seen[last]++;
        }
    assert_int_equal(seen[0], 5000);
    assert_int_equal(seen[1], 5000);
    for (size_t i = 0; i < N_WRITERS; i++)
        gs_arena_release(&own[i]);
    gs_arena_release(&arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_rows_come_out_as_they_went_in),
        cmocka_unit_test(the_ends_of_int64_fit_beside_missing),
        cmocka_unit_test(a_constant_column_costs_nothing),
        cmocka_unit_test(tables_of_several_threads_are_joined_through_their_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
