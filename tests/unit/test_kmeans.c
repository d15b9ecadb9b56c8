/* test_kmeans.c - clusters and silhouettes against R with many random starts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats/descriptive/moments.h"
#include "stats/models/kmeans.h"
#include "stats/models/silhouette.h"

#include "../oracle/draw.h"
#include "../oracle/stats_r.h"

enum { N = 90, D = 3 };

static void rows(double x[N * D])
{
    for (int i = 0; i < N; i++) {
        x[i * D] = (i % 3) * 6 + ((7 * i * i) % 11) / 4.0;
        x[i * D + 1] = (i % 3 == 1 ? 1000 : 0) + (29 * i) % 300;
        x[i * D + 2] = 5;
    }
}

/* Over all columns that vary, each standardised. */
static double silhouette_of(const double *x, const struct gs_kmeans *c, struct gs_arena *scratch)
{
    const size_t n = c->n, d = c->n_columns;
    double *const z = gs_arena_take(scratch, n * d, sizeof *z), *const column = gs_arena_take(
                                                                    scratch, n, sizeof *column);
    assert_true(z != NULL && column != NULL);
    for (size_t j = 0; j < d; j++) {
        for (size_t i = 0; i < n; i++)
            column[i] = x[i * d + j];
        const struct gs_real_moments m = gs_real_describe(column, n);
        for (size_t i = 0; m.ssd > 0 && i < n; i++)
            z[i * d + j] = (column[i] - m.mean) / m.ssd;
    }
    struct gs_partition part = {.k = c->k, .label = c->label, .silhouette = NAN};
    assert_int_equal(gs_silhouettes(z, n, d, &part, 1, scratch, NULL), GS_OK);
    return part.silhouette;
}

static void every_k_is_as_good_as_two_hundred_random_starts(void **state)
{
    (void)state;
    struct gs_arena arena = {0}, scratch = {0};
    double x[N * D];
    rows(x);
    for (size_t k = 2; k <= 6; k++) {
        struct gs_kmeans c;
        assert_int_equal(
            gs_kmeans_fit(&(struct gs_kmeans_rows){x, N, D}, k, &arena, &scratch, &c, NULL), GS_OK);
        assert_true(c.k == k && c.n == N);
        /* Exactly the optimum where groups are apart; a little above it is allowed where k cuts through them.
         */
        assert_true(c.inertia >= r_kmeans_inertia[k - 2] * (1.0 - 1e-12));
        assert_true(c.inertia <= r_kmeans_inertia[k - 2] * (k <= 3 ? 1.0 + 1e-12 : 1.25));
        if (k <= 3)
            assert_close(silhouette_of(x, &c, &scratch), r_kmeans_silhouette[k - 2], 1e-12);
    }
    gs_arena_release(&arena);
    gs_arena_release(&scratch);
}

/* The least inertia of all ways to give n values k labels, over the variance with divisor n - 1. */
static double least_inertia(const double *x, size_t n, size_t k)
{
    double best = INFINITY, mean = 0, variance = 0;
    size_t n_ways = 1;
    for (size_t i = 0; i < n; i++) {
        mean += x[i] / (double)n;
        n_ways *= k;
    }
    for (size_t i = 0; i < n; i++)
        variance += (x[i] - mean) * (x[i] - mean) / (double)(n - 1);
    for (size_t way = 0; way < n_ways; way++) {
        double sum[8] = {0}, squares[8] = {0}, count[8] = {0}, inertia = 0;
        size_t rest = way;
        for (size_t i = 0; i < n; i++, rest /= k) {
            sum[rest % k] += x[i];
            squares[rest % k] += x[i] * x[i];
            count[rest % k]++;
        }
        for (size_t c = 0; c < k; c++)
            inertia += count[c] == 0 ? INFINITY : squares[c] - sum[c] * sum[c] / count[c];
        best = inertia < best ? inertia : best;
    }
    return best / variance;
}

/* Few values, where the start that splits finds what the start that goes far does not, if its centres are true. */
static void small_sets_have_the_best_partition_of_all(void **state)
{
    (void)state;
    static const double sets[][8] = {{37, 33, 38, 39, 7, 6, 33, 13},
                                     {1, 11, 18, 9, 15, 19, 18, 22},
                                     {2, 11, 4, 35, 13, 3, 21, 24}};
    for (size_t i = 0; i < COUNT_OF(sets); i++) {
        struct gs_arena arena = {0}, scratch = {0};
        struct gs_kmeans c;
        assert_int_equal(
            gs_kmeans_fit(&(struct gs_kmeans_rows){sets[i], 8, 1}, 3, &arena, &scratch, &c, NULL),
            GS_OK);
        assert_close(c.inertia, least_inertia(sets[i], 8, 3), 1e-9);
        gs_arena_release(&arena);
        gs_arena_release(&scratch);
    }
}

static void groups_are_numbered_by_the_first_column(void **state)
{
    (void)state;
    struct gs_arena arena = {0}, scratch = {0};
    double x[N * D];
    struct gs_kmeans c;
    rows(x);
    assert_int_equal(
        gs_kmeans_fit(&(struct gs_kmeans_rows){x, N, D}, 3, &arena, &scratch, &c, NULL), GS_OK);
    assert_true(c.k == 3);
    assert_close(silhouette_of(x, &c, &scratch), r_kmeans_silhouette[1], 1e-12);
    for (size_t i = 0; i < 9; i++)
        assert_close(c.centre[i], r_kmeans_centres[i], 1e-14);
    for (uint32_t i = 0; i < N; i++)
        assert_true(c.label[i] == i % 3);
    assert_true(c.size[0] == 30 && c.size[1] == 30 && c.size[2] == 30);
    gs_arena_release(&arena);
    gs_arena_release(&scratch);
}

/* The definition, without sharing anything with the implementation but the standardised rows' geometry. */
static void silhouettes_follow_their_definition(void **state)
{
    (void)state;
    struct gs_arena arena = {0}, scratch = {0};
    int64_t draw[40];
    double x[40];
    draw_ints(17, draw, 40, 10);
    for (int i = 0; i < 40; i++)
        x[i] = (double)draw[i];
    struct gs_kmeans c;
    assert_int_equal(
        gs_kmeans_fit(&(struct gs_kmeans_rows){x, 40, 1}, 4, &arena, &scratch, &c, NULL), GS_OK);
    double sum = 0.0;
    for (int i = 0; i < 40; i++) {
        double total[4] = {0};
        for (int j = 0; j < 40; j++)
            total[c.label[j]] += fabs(x[i] - x[j]);
        double inside = 0.0, outside = INFINITY;
        for (uint32_t k = 0; k < 4; k++) {
            if (k == c.label[i])
                inside = c.size[k] > 1 ? total[k] / (double)(c.size[k] - 1) : NAN;
            else
                outside = fmin(outside, total[k] / (double)c.size[k]);
        }
        sum += isnan(inside) ? 0.0 : (outside - inside) / fmax(inside, outside);
    }
    assert_close(silhouette_of(x, &c, &scratch), sum / 40, 1e-13);
    gs_arena_release(&arena);
    gs_arena_release(&scratch);
}

static void every_row_is_with_its_nearest_centre(void **state)
{
    (void)state;
    struct gs_arena arena = {0}, scratch = {0};
    uint64_t seed = 12;
    for (int round = 0; round < 60; round++) {
        double x[120];
        const size_t n = 3 + draw_bits(&seed) % 117, k = 1 + draw_bits(&seed) % 7;
        for (size_t i = 0; i < n; i++)
            x[i] = (double)(draw_bits(&seed) % (round % 2 == 0 ? 8 : 100000));
        struct gs_kmeans c;
        const enum gs_status s =
            gs_kmeans_fit(&(struct gs_kmeans_rows){x, n, 1}, k, &arena, &scratch, &c, NULL);
        size_t n_distinct = 0;
        for (size_t i = 0; i < n; i++) {
            size_t j = 0;
            while (x[j] < x[i] || x[j] > x[i])
                j++;
            n_distinct += j == i ? 1 : 0;
        }
        assert_int_equal(s, n_distinct < k ? GS_ERR_RANGE : GS_OK);
        if (s != GS_OK)
            continue;
        uint64_t total = 0;
        for (size_t j = 0; j < k; j++) {
            assert_true(c.size[j] >= 1 && (j == 0 || c.centre[j - 1] < c.centre[j]));
            total += c.size[j];
        }
        assert_true(total == n);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < k; j++)
                assert_true(fabs(x[i] - c.centre[c.label[i]]) <=
                            fabs(x[i] - c.centre[j]) * (1.0 + 1e-12));
        }
    }
    gs_arena_release(&arena);
    gs_arena_release(&scratch);
}

/* Lloyd's iteration takes the last row from a cluster here; it must get another. */
static void a_cluster_that_runs_empty_is_filled_again(void **state)
{
    (void)state;
    static const double x[] = {0, 2, 1, 0, 3, 1, 3, 1, 3, 0, 3, 3, 0, 3, 0, 0};
    struct gs_arena arena = {0}, scratch = {0};
    struct gs_kmeans c;
    assert_int_equal(
        gs_kmeans_fit(&(struct gs_kmeans_rows){x, 8, 2}, 5, &arena, &scratch, &c, NULL), GS_OK);
    uint64_t size[5] = {0};
    for (int i = 0; i < 8; i++)
        size[c.label[i]]++;
    for (int k = 0; k < 5; k++)
        assert_true(size[k] >= 1 && size[k] == c.size[k]);
    assert_true(c.label[2] == c.label[3]); /* equal rows stay together */
    gs_arena_release(&arena);
    gs_arena_release(&scratch);
}

/* In key order two kinds may stand in turn: a sample in even steps would meet only one of 10,000 such. */
static void many_rows_are_sampled_whatever_their_order(void **state)
{
    (void)state;
    static const int many[] = {10000, 12000, 20000};
    for (size_t k = 0; k < COUNT_OF(many); k++) {
        struct gs_arena arena = {0}, scratch = {0};
        const size_t n = (size_t)many[k];
        double *const x = malloc(n * sizeof *x);
        assert_non_null(x);
        for (size_t i = 0; i < n; i++)
            x[i] = (i % 2 == 0 ? 0 : 1000) + (double)((i * 7) % 50);
        struct gs_kmeans c;
        assert_int_equal(
            gs_kmeans_fit(&(struct gs_kmeans_rows){x, n, 1}, 2, &arena, &scratch, &c, NULL), GS_OK);
        assert_true(c.k == 2 && c.size[0] == n / 2);
        assert_close(silhouette_of(x, &c, &scratch), 0.985, 0.005); /* 1 - (50 / 3) / 1000 */
        free(x);
        gs_arena_release(&arena);
        gs_arena_release(&scratch);
    }
}

static void each_part_of_many_rows_is_sampled_once(void **state)
{
    (void)state;
    for (size_t k = 0; k < 5000; k++) {
        const size_t row = gs_silhouette_row(k, 5000, 10000);
        assert_true(row == 2 * k || row == 2 * k + 1);
        assert_true(gs_silhouette_row(k, 5000, 5000) == k);
        assert_in_range(gs_silhouette_row(k, 5000, 5001), k, k + 1);
    }
}

static void too_few_distinct_rows_are_refused(void **state)
{
    (void)state;
    struct gs_arena arena = {0}, scratch = {0};
    static const double x[] = {1, 1, 2, 2, 1}, same[] = {3, 3, 3};
    struct gs_err err = {0};
    struct gs_kmeans c = {.k = 42};
    assert_int_equal(
        gs_kmeans_fit(&(struct gs_kmeans_rows){x, 5, 1}, 3, &arena, &scratch, &c, &err),
        GS_ERR_RANGE);
    assert_string_equal(err.text, "clusters undefined: fewer than 3 distinct rows");
    assert_int_equal(
        gs_kmeans_fit(&(struct gs_kmeans_rows){same, 3, 1}, 2, &arena, &scratch, &c, &err),
        GS_ERR_RANGE);
    assert_true(c.k == 42);
    assert_int_equal(
        gs_kmeans_fit(&(struct gs_kmeans_rows){x, 5, 1}, 2, &arena, &scratch, &c, &err), GS_OK);
    assert_true(c.k == 2 && c.inertia == 0.0 && silhouette_of(x, &c, &scratch) == 1.0 &&
                c.centre[0] == 1.0 && c.centre[1] == 2.0);
    assert_int_equal(
        gs_kmeans_fit(&(struct gs_kmeans_rows){x, 5, 1}, 1, &arena, &scratch, &c, &err), GS_OK);
    assert_true(c.k == 1 && c.centre[0] == 1.4 && isnan(silhouette_of(x, &c, &scratch)));
    gs_arena_release(&arena);
    gs_arena_release(&scratch);
}

static void running_out_of_memory_is_a_status(void **state)
{
    (void)state;
    struct gs_arena arena = {0}, scratch = {0};
    double x[N * D];
    struct gs_kmeans c;
    rows(x);
    gs_memory_fail_after(1);
    assert_int_equal(
        gs_kmeans_fit(&(struct gs_kmeans_rows){x, N, D}, 4, &arena, &scratch, &c, NULL),
        GS_ERR_MEMORY);
    gs_memory_fail_after(0);
    gs_arena_release(&arena);
    gs_arena_release(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_k_is_as_good_as_two_hundred_random_starts),
        cmocka_unit_test(small_sets_have_the_best_partition_of_all),
        cmocka_unit_test(groups_are_numbered_by_the_first_column),
        cmocka_unit_test(silhouettes_follow_their_definition),
        cmocka_unit_test(every_row_is_with_its_nearest_centre),
        cmocka_unit_test(a_cluster_that_runs_empty_is_filled_again),
        cmocka_unit_test(many_rows_are_sampled_whatever_their_order),
        cmocka_unit_test(each_part_of_many_rows_is_sampled_once),
        cmocka_unit_test(too_few_distinct_rows_are_refused),
        cmocka_unit_test(running_out_of_memory_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
