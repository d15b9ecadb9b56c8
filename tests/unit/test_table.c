/* test_table.c - whatever is written into packed segments comes out again. */
#include "fixture.h"

#include "data/tables/packed_rows.h"
#include "data/tables/row_stream.h"
#include "data/tables/table_writer.h"

enum { N_COLUMNS = 6 };

static const uint8_t decimals_max[N_COLUMNS] = {9, 6, 6, 0, 0, 6};
static const int64_t pow10_of[] = {1,      10,      100,      1000,      10000,
                                   100000, 1000000, 10000000, 100000000, 1000000000};

enum { N_OWNERS = 5, MOST_ROWS = 13000 };

/* What was written: values in units of 10^-decimals_max, by owner. */
struct expected {
    struct {
        int64_t (*value)[N_COLUMNS];
        size_t n;
    } of[N_OWNERS];
};

/* Draws one value below 2^bits with at most `decimals` places, as a mantissa that may end in zeros or not. */
static void put_random(struct gs_table_writer *w, unsigned column, unsigned bits, unsigned decimals,
                       int64_t *want)
{
    const uint64_t magnitude = bits == 0 ? 0 : random_bits() >> (64 - bits);
    int64_t mantissa = (int64_t)(magnitude / (uint64_t)pow10_of[decimals_max[column] - decimals]);
    if (random_below(2) == 1 && column != 4)
        mantissa = -mantissa;
    gs_table_put(w, column, mantissa, decimals);
    *want = mantissa * pow10_of[decimals_max[column] - decimals];
}

/* A table that one writer fills. */
struct one_writer {
    struct gs_arena arena;
    struct gs_encodings shared;
    struct gs_table_writer w;
};

static void one_writer_begin(struct one_writer *one, unsigned n_columns, const uint8_t *decimals)
{
    *one = (struct one_writer){.arena = {0}};
    assert_int_equal(
        gs_table_writer_init(&one->w, &one->arena, &one->shared, n_columns, decimals, NULL), GS_OK);
}

static void one_writer_join(struct one_writer *one, uint32_t n_owners, struct gs_table *t)
{
    struct gs_table_writer *const writers[] = {&one->w};
    const uint32_t *const none[] = {NULL};
    assert_int_equal(gs_table_join(&(struct gs_table_parts){writers, none, NULL, 1}, n_owners,
                                   &one->arena, t, NULL),
                     GS_OK);
}

/* Each stretch of rows has its own widths, decimals and share of missing, so encodings change. */
static void write_random(struct gs_table_writer *w, size_t n, unsigned bits_max, struct expected *e)
{
    unsigned bits[N_COLUMNS] = {0}, missing = 0;
    for (size_t r = 0; r < n; r++) {
        if (r % 1000 == 0) {
            for (unsigned c = 0; c < N_COLUMNS; c++)
                bits[c] = (unsigned)random_below(c == 4 ? 10 : bits_max);
            missing = random_below(3) == 0 ? (unsigned)random_below(4) + 1 : 0;
        }
        const uint32_t owner = (uint32_t)random_below(random_below(2) == 0 ? N_OWNERS : 2);
        bool small = true;
        for (unsigned c = 0; c < N_COLUMNS; c++) {
            int64_t *const want = &e->of[owner].value[e->of[owner].n][c];
            const unsigned decimals =
                decimals_max[c] == 0
                    ? 0
                    : (unsigned)random_below(random_below(50) == 0 ? decimals_max[c] + 1u : 3);
            if (missing > 0 && c != 4 && random_below(missing * 2) == 0) {
                gs_table_put_missing(w, c);
                *want = GS_MISSING;
            } else {
                put_random(w, c, bits[c], decimals, want);
                small = small && *want < INT64_C(1) << 62 && *want > -(INT64_C(1) << 62);
            }
        }
        e->of[owner].n++;
        assert_int_equal(small ? gs_table_end_small_row(w, owner, NULL)
                               : gs_table_end_row(w, owner, NULL),
                         GS_OK);
    }
}

static void expected_init(struct expected *e)
{
    for (size_t o = 0; o < N_OWNERS; o++) {
        e->of[o].n = 0;
        e->of[o].value = calloc(MOST_ROWS + 1, sizeof *e->of[o].value);
        assert_non_null(e->of[o].value);
    }
}

static void expected_free(struct expected *e)
{
    for (size_t o = 0; o < N_OWNERS; o++)
        free(e->of[o].value);
}

static void must_be(int64_t found, int64_t want, uint32_t owner, size_t row, unsigned column)
{
    if (found != want)
        fail_msg("owner %u, row %zu, column %u: %lld, expected %lld", owner, row, column,
                 (long long)found, (long long)want);
}

static void random_rows_come_out_as_they_went_in(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 511, 512, 513, MOST_ROWS};
    for (size_t k = 0; k < 3 * COUNT_OF(sizes); k++) {
        const size_t n = sizes[k % COUNT_OF(sizes)];
        struct one_writer one;
        struct gs_table t;
        struct expected e;
        expected_init(&e);
        one_writer_begin(&one, N_COLUMNS, decimals_max);
        write_random(&one.w, n, k < COUNT_OF(sizes) ? 63 : 14, &e);
        one_writer_join(&one, N_OWNERS, &t);
        assert_int_equal(t.n_rows, n);
        assert_int_equal(t.n_columns, N_COLUMNS);
        for (uint32_t o = 0; o < N_OWNERS; o++) {
            size_t r = 0;
            assert_int_equal(gs_table_rows_of(&t, o), e.of[o].n);
            for (uint32_t s = t.first[o]; s < t.first[o + 1]; s++)
                for (uint32_t i = 0; i < t.segment[s].n_rows; i++, r++)
                    for (unsigned c = 0; c < N_COLUMNS; c++) {
                        must_be(gs_segment_value(&t.segment[s], i, c), e.of[o].value[r][c], o, r,
                                c);
                        must_be(gs_table_value(&t, s << GS_SEGMENT_BITS | i, c),
                                e.of[o].value[r][c], o, r, c);
                    }
            assert_int_equal(r, e.of[o].n);
        }
        assert_int_equal(gs_table_rows_of(&t, N_OWNERS), 0);
        expected_free(&e);
        gs_arena_release(&one.arena);
    }
}

static int by_values(const int64_t *a, const int64_t *b)
{
    for (unsigned c = 0; c < N_COLUMNS; c++)
        if (a[c] != b[c])
            return a[c] < b[c] ? -1 : 1;
    return 0;
}

static int by_words(const uint64_t *a, const uint64_t *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Two writers of one encoding, which widen it for each other. */
struct two_writers {
    struct gs_encodings shared;
    struct gs_table_writer w[2];
};

static void two_begin(struct two_writers *both, struct gs_arena *own)
{
    both->shared = (struct gs_encodings){NULL};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(
            gs_table_writer_init(&both->w[i], own, &both->shared, N_COLUMNS, decimals_max, NULL),
            GS_OK);
}

static void two_join(struct two_writers *both, uint32_t n_owners, struct gs_arena *own,
                     struct gs_table *t)
{
    struct gs_table_writer *const writers[] = {&both->w[0], &both->w[1]};
    const uint32_t *const none[] = {NULL, NULL};
    const struct gs_table_parts parts = {writers, none, NULL, 2};
    assert_int_equal(gs_table_join(&parts, n_owners, own, t, NULL), GS_OK);
}

/* Two writers that widen the encoding for each other: copied out, all rows are stored alike and compare as values do. */
static void copied_rows_share_an_encoding_and_are_ordered_as_their_values(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 12; round++) {
        struct gs_arena arena = {0};
        struct two_writers both;
        struct gs_table_writer *const w = both.w;
        struct gs_table t;
        two_begin(&both, &arena);
        struct expected e[2];
        for (size_t i = 0; i < 2; i++)
            expected_init(&e[i]);
        for (unsigned turn = 0; turn < 6; turn++)
            write_random(&w[turn % 2], 1000,
                         round % 3 == 0   ? 62
                         : round % 3 == 1 ? 20
                                          : 9,
                         &e[turn % 2]);
        two_join(&both, N_OWNERS, &arena, &t);
        for (uint32_t o = 0; o < N_OWNERS; o++) {
            const size_t n = e[0].of[o].n + e[1].of[o].n;
            const uint32_t n_words = t.encoding->n_words;
            uint64_t *const rows = calloc(n + 1, n_words * sizeof *rows);
            assert_non_null(rows);
            assert_int_equal(gs_table_rows_of(&t, o), n);
            gs_table_copy_rows(&t, o, rows);
            for (size_t r = 0; r < n; r++) {
                const size_t i = r >= e[0].of[o].n, at = i == 0 ? r : r - e[0].of[o].n;
                const int64_t *const want = e[i].of[o].value[at];
                for (unsigned c = 0; c < N_COLUMNS; c++)
                    must_be(gs_encoded_value(t.encoding, rows + r * n_words, c), want[c], o, r, c);
                if (r > 0) {
                    const size_t j = r - 1 >= e[0].of[o].n,
                                 before = j == 0 ? r - 1 : r - 1 - e[0].of[o].n;
                    assert_int_equal(
                        by_words(rows + (r - 1) * n_words, rows + r * n_words, n_words),
                        by_values(e[j].of[o].value[before], want));
                }
            }
            free(rows);
        }
        for (size_t i = 0; i < 2; i++)
            expected_free(&e[i]);
        gs_arena_release(&arena);
    }
}

static void the_ends_of_int64_fit_beside_missing(void **state)
{
    (void)state;
    static const int64_t values[] = {INT64_MAX, INT64_MIN + 1, 0, -1, 1, GS_MISSING};
    struct one_writer one;
    struct gs_table t;
    static const uint8_t decimals[2] = {0, 0};
    one_writer_begin(&one, 2, decimals);
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        if (values[i] == GS_MISSING)
            gs_table_put_missing(&one.w, 0);
        else
            gs_table_put(&one.w, 0, values[i], 0);
        gs_table_put(&one.w, 1, values[i] == GS_MISSING ? 7 : values[i],
                     0); /* the same without a missing one */
        assert_int_equal(gs_table_end_row(&one.w, 0, NULL), GS_OK);
    }
    one_writer_join(&one, 1, &t);
    for (uint32_t i = 0; i < COUNT_OF(values); i++) {
        assert_true(gs_table_value(&t, i, 0) == values[i]);
        assert_true(gs_table_value(&t, i, 1) == (values[i] == GS_MISSING ? 7 : values[i]));
    }
    gs_arena_release(&one.arena);
}

static void a_constant_column_costs_nothing(void **state)
{
    (void)state;
    struct one_writer one;
    struct gs_table t;
    static const uint8_t decimals[2] = {6, 0};
    one_writer_begin(&one, 2, decimals);
    for (int i = 0; i < 8; i++) {
        gs_table_put(&one.w, 0, 3675, 2);
        gs_table_put(&one.w, 1, i, 0);
        assert_int_equal(gs_table_end_row(&one.w, 0, NULL), GS_OK);
    }
    one_writer_join(&one, 1, &t);
    assert_int_equal(t.encoding->n_words, 1);
    assert_int_equal(t.encoding->column[0].mask, 0);
    assert_int_equal(gs_table_value(&t, 7, 0), 36750000);
    assert_int_equal(gs_table_value(&t, 7, 1), 7);
    gs_arena_release(&one.arena);
}

/* Every owner has an open segment; a column that grows again and again must not cost each of them its rest. */
static void room_that_a_change_of_encoding_leaves_is_used(void **state)
{
    (void)state;
    enum { OWNERS = 2000, ROUNDS = 24 };
    struct one_writer one;
    struct gs_table t;
    static const uint8_t decimals[1] = {0};
    one_writer_begin(&one, 1, decimals);
    for (int64_t round = 0; round < ROUNDS; round++)
        for (uint32_t o = 0; o < OWNERS; o++) {
            gs_table_put_whole(&one.w, 0, o == 77 ? INT64_C(1) << 2 * round : 1);
            assert_int_equal(gs_table_end_small_row(&one.w, o, NULL), GS_OK);
        }
    one_writer_join(&one, OWNERS, &t);
    for (uint32_t o = 0; o < OWNERS; o++)
        assert_int_equal(gs_table_rows_of(&t, o), ROUNDS);
    for (uint32_t round = 0, k = t.first[77], i = 0; round < ROUNDS; round++, i++) {
        for (; i == t.segment[k].n_rows; i = 0)
            k++;
        assert_int_equal(gs_segment_value(&t.segment[k], i, 0), INT64_C(1) << 2 * round);
    }
    assert_true(one.arena.n_bytes <
                (size_t)OWNERS * ROUNDS *
                    80); /* 8 for a row, 32 for each of few segments, doubled blocks */
    gs_arena_release(&one.arena);
}

/*
 * Closing a segment asks for another one for the room that it leaves; where there is no memory for that the writer still
 * knows its own segments, and the next row, which finds none either, is refused.
 */
static void a_writer_survives_a_change_of_encoding_without_memory(void **state)
{
    (void)state;
    enum { ROUNDS = 6 };
    struct one_writer one;
    struct gs_table t;
    static const uint8_t decimals[1] = {0};
    one_writer_begin(&one, 1, decimals);
    for (uint32_t i = 0; i < ROUNDS * GS_TABLE_PART;
         i++) { /* all segments that there is room for are open */
        gs_table_put_whole(&one.w, 0, 1);
        assert_int_equal(gs_table_end_small_row(&one.w, i % GS_TABLE_PART, NULL), GS_OK);
    }
    gs_memory_fail_after(1);
    while (gs_arena_take_raw(&one.arena, GS_TABLE_PART / 2, sizeof(struct gs_segment)) != NULL)
        continue; /* no room for as many segments again, but for an encoding */
    gs_table_put_whole(&one.w, 0, -(INT64_C(1) << 62)); /* which only another encoding holds */
    assert_int_equal(gs_table_end_small_row(&one.w, 0, NULL), GS_ERR_MEMORY);
    gs_table_put_whole(&one.w, 0, 1);
    assert_int_equal(gs_table_end_small_row(&one.w, 1, NULL), GS_ERR_MEMORY);
    gs_memory_fail_after(0);
    gs_table_put_whole(&one.w, 0, 7);
    assert_int_equal(gs_table_end_small_row(&one.w, 1, NULL), GS_OK);
    one_writer_join(&one, GS_TABLE_PART, &t);
    assert_int_equal(gs_table_rows_of(&t, 0), ROUNDS);
    assert_int_equal(gs_table_rows_of(&t, 1), ROUNDS + 1);
    gs_arena_release(&one.arena);
}

/* Rows wait until their encoding is known; whoever is refused one of them for want of memory puts it again. */
static void rows_that_wait_survive_a_failed_allocation(void **state)
{
    (void)state;
    enum { OWNERS = 40, ROWS = 100 };
    static const uint8_t decimals[1] = {0};
    unsigned n_refused = 0;
    for (uint64_t fails = 1; fails < 12; fails++) {
        struct one_writer one;
        struct gs_table t;
        uint64_t n_rows = 0;
        one_writer_begin(&one, 1, decimals);
        for (size_t size = 1 << 16; size >= 8;
             size /= 2) { /* little is left: rows need room of their own */
            gs_memory_fail_after(1);
            while (gs_arena_take_raw(&one.arena, size, 1) != NULL)
                continue;
        }
        gs_memory_fail_after(fails);
        for (uint32_t i = 0; i < ROWS; i++) {
            gs_table_put_whole(&one.w, 0, (int64_t)i << (i / 2));
            if (gs_table_end_row(&one.w, i % OWNERS, NULL) == GS_OK)
                continue;
            n_refused++;
            gs_memory_fail_after(0);
            gs_table_put_whole(&one.w, 0, (int64_t)i << (i / 2));
            assert_int_equal(gs_table_end_row(&one.w, i % OWNERS, NULL), GS_OK);
        }
        gs_memory_fail_after(0);
        one_writer_join(&one, OWNERS, &t);
        for (uint32_t owner = 0; owner < OWNERS; owner++)
            n_rows += gs_table_rows_of(&t, owner);
        assert_int_equal(n_rows, ROWS);
        assert_int_equal(t.n_rows, ROWS);
        gs_arena_release(&one.arena);
    }
    assert_true(n_refused > 1);
}

static void tables_of_several_threads_are_joined_through_their_maps(void **state)
{
    (void)state;
    enum { N_WRITERS = 3, N_OWN = 7 };
    struct gs_arena arena = {0}, own[N_WRITERS] = {{0}};
    struct gs_encodings shared = {NULL};
    struct gs_table_writer w[N_WRITERS];
    struct gs_table_writer *writers[N_WRITERS];
    const uint32_t *maps[N_WRITERS][2], *owner_maps[N_WRITERS];
    const uint32_t *const *rows[N_WRITERS];
    uint32_t map[N_WRITERS][50], owner_map[N_WRITERS][N_OWN];
    struct gs_table t;
    static const uint8_t none[2] = {0, 0};
    for (size_t i = 0; i < N_WRITERS; i++) {
        writers[i] = &w[i];
        assert_int_equal(gs_table_writer_init(&w[i], &own[i], &shared, 2, none, NULL), GS_OK);
        for (uint32_t k = 0; k < 50; k++)
            map[i][k] = (uint32_t)(1000 * i) + 49 - k;
        for (uint32_t k = 0; k < N_OWN; k++)
            owner_map[i][k] = (k + (uint32_t)i) % N_OWN;
        for (int r = 0; i != 1 && r < 5000; r++) { /* the second wrote nothing */
            gs_table_put(&w[i], 0, r % 50, 0);
            gs_table_put(&w[i], 1, r, 0);
            assert_int_equal(gs_table_end_row(&w[i], (uint32_t)r % N_OWN, NULL), GS_OK);
        }
        maps[i][0] = map[i];
        maps[i][1] = NULL;
        rows[i] = maps[i];
        owner_maps[i] = owner_map[i];
    }
    assert_int_equal(gs_table_join(&(struct gs_table_parts){writers, owner_maps, rows, N_WRITERS},
                                   N_OWN, &arena, &t, NULL),
                     GS_OK);
    assert_int_equal(t.n_rows, 10000);
    size_t seen[2] = {0};
    for (uint32_t k = 0; k < t.n_segments; k++)
        for (uint32_t i = 0; i < t.segment[k].n_rows; i++) {
            const int64_t id = gs_segment_value(&t.segment[k], i, 0),
                          r = gs_segment_value(&t.segment[k], i, 1);
            const bool last = id >= 1000;
            assert_int_equal(id, (last ? 2000 : 0) + 49 - r % 50);
            assert_int_equal(t.segment[k].owner, (r + (last ? 2 : 0)) % N_OWN);
            assert_true(t.first[t.segment[k].owner] <= k && k < t.first[t.segment[k].owner + 1]);
            seen[last]++;
        }
    assert_int_equal(seen[0], 5000);
    assert_int_equal(seen[1], 5000);
    for (size_t i = 0; i < N_WRITERS; i++)
        gs_arena_release(&own[i]);
    gs_arena_release(&arena);
}

/* A day of a log: times that grow, readings that do so a little after they were first seen, a metric that is never there. */
static void a_log_of_few_metrics_keeps_to_one_word(void **state)
{
    (void)state;
    enum { TIME, POWER, UTIL, TEMP, NEVER, COLUMNS };
    static const uint8_t decimals[COLUMNS] = {9, 6, 6, 6, 6};
    struct one_writer one;
    struct gs_table t;
    one_writer_begin(&one, COLUMNS, decimals);
    for (int64_t i = 0; i < 86400; i++) {
        const bool busy = i % 5000 > 3000;
        gs_table_put(&one.w, TIME, INT64_C(1704067200000) + i * 1000 + i % 7, 3);
        gs_table_put(&one.w, POWER, busy ? 62015 + i % 900 : 7037 + i % 40, 2);
        gs_table_put(&one.w, UTIL, busy ? 60 + i % 41 : 0, 0);
        gs_table_put(&one.w, TEMP, busy ? 31 + i % 37 : 30, 0);
        gs_table_put_missing(&one.w, NEVER);
        assert_int_equal(gs_table_end_small_row(&one.w, (uint32_t)(i % 8), NULL), GS_OK);
    }
    one_writer_join(&one, 8, &t);
    assert_int_equal(t.n_rows, 86400);
    assert_int_equal(t.encoding->n_words, 1);
    gs_arena_release(&one.arena);
}

enum { WORDS_MAX = 3 };
static size_t row_bytes;

static int by_row(const void *a, const void *b)
{
    const uint64_t *const x = a, *const y = b;
    for (size_t w = 0; w < row_bytes / sizeof *x; w++)
        if (x[w] != y[w])
            return x[w] < y[w] ? -1 : 1;
    return 0;
}

/* Rows of several owners in the order of their first column but for some, while encodings change. */
static void a_segment_whose_rows_ascend_says_so(void **state)
{
    (void)state;
    enum { OWNERS = 3, ROWS = 4000 };
    static const uint8_t decimals[2] = {0, 0};
    for (uint64_t odd = 0; odd < 3; odd++) {
        struct one_writer one;
        struct gs_table t;
        int64_t least[OWNERS], greatest[OWNERS];
        size_t n_ascending = 0, n_other = 0;
        one_writer_begin(&one, 2, decimals);
        for (uint32_t o = 0; o < OWNERS; o++) {
            least[o] = INT64_MAX;
            greatest[o] = INT64_MIN;
        }
        for (int64_t r = 0; r < ROWS; r++) {
            const uint32_t o = (uint32_t)random_below(OWNERS);
            const int64_t back = odd > 0 && random_below(50) == 0
                                     ? 3 * (int64_t)random_below(odd == 1 ? 9 : 2000) + 1
                                     : 0;
            gs_table_put_whole(&one.w, 0, 3 * r - back); /* back to between the others */
            gs_table_put_whole(&one.w, 1, (int64_t)(random_bits() >> (63 - 60 * r / ROWS)));
            assert_int_equal(gs_table_end_small_row(&one.w, o, NULL), GS_OK);
            least[o] = 3 * r - back < least[o] ? 3 * r - back : least[o];
            greatest[o] = 3 * r - back > greatest[o] ? 3 * r - back : greatest[o];
        }
        one_writer_join(&one, OWNERS, &t);
        for (uint32_t k = 0; k < t.n_segments; k++) {
            const struct gs_segment *const s = &t.segment[k];
            bool ascends = true;
            for (uint32_t i = 1; i < s->n_rows; i++)
                ascends = ascends && gs_segment_value(s, i - 1, 0) < gs_segment_value(s, i, 0);
            assert_true(s->ascends == ascends); /* hardly any two rows have the same first value */
            n_ascending += ascends;
            n_other += !ascends;
        }
        assert_true(n_ascending > 0 && (n_other > 0) == (odd > 0));
        for (uint32_t o = 0; o < OWNERS; o++) {
            int64_t from = INT64_MAX, to = INT64_MIN;
            gs_table_widen_range_of(&t, o, 0, &from, &to);
            assert_true(from == least[o] && to == greatest[o]);
        }
        gs_arena_release(&one.arena);
    }
}

/* A table of one owner, whose rows are in segments of any lengths. */
static struct gs_table table_of(const uint64_t *word, uint32_t n, const struct gs_encoding *e,
                                struct gs_arena *arena)
{
    struct gs_table t = {.n_rows = n, .n_columns = 1, .n_owners = 1, .encoding = e};
    t.segment = gs_arena_take(arena, 2 * (size_t)n + 1, sizeof *t.segment);
    t.first = gs_arena_take(arena, 2, sizeof *t.first);
    for (uint32_t at = 0, some; at < n; at += some) {
        const uint32_t most = n - at < GS_SEGMENT_ROWS ? n - at : GS_SEGMENT_ROWS;
        some = t.n_segments % 2 == 0 ? 1 + (uint32_t)random_below(most)
                                     : (uint32_t)random_below(2) * most; /* or none */
        bool ascends = random_below(2) == 0; /* that it does may be known or not */
        for (uint32_t i = 1; i < some; i++)
            ascends = ascends &&
                      word[(size_t)(at + i - 1) * e->n_words] < word[(size_t)(at + i) * e->n_words];
        t.segment[t.n_segments++] = (struct gs_segment){.rows = word + (size_t)at * e->n_words,
                                                        .encoding = e,
                                                        .n_rows = (uint16_t)some,
                                                        .ascends = ascends};
    }
    t.first[1] = t.n_segments;
    return t;
}

/* As threads leave the rows of a log: some stretches in order, of any lengths; and so many that it is no order. */
static void rows_in_runs_come_in_order(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 600; round++) {
        const uint32_t n_words = 1 + round % WORDS_MAX,
                       n = (uint32_t)random_below(round % 7 == 0 ? 3 : 2000);
        const unsigned n_runs = 1 + (unsigned)random_below(20);
        struct gs_arena arena = {0};
        struct gs_encoding *const e = gs_arena_take(&arena, 1, sizeof *e + sizeof *e->column);
        uint64_t *const word = gs_arena_take(&arena, (size_t)n * n_words, sizeof *word);
        uint64_t *const want = gs_arena_take(&arena, (size_t)n * n_words, sizeof *want);
        uint64_t *const got = gs_arena_take(&arena, (size_t)n * n_words, sizeof *got);
        row_bytes = n_words * sizeof *word;
        e->n_words = n_words;
        e->column[0] = (struct gs_encoded_column){.unit = 1, .mask = UINT32_MAX, .shift = 32};
        for (size_t i = 0; i < (size_t)n * n_words; i++)
            word[i] = random_below(round % 3 == 0 ? 90 : 1 << 30) << 32 | random_below(2);
        for (uint32_t from = 0, to, k = 0; k < n_runs; k++, from = to) {
            to = k + 1 == n_runs ? n : from + (uint32_t)random_below(n - from + 1);
            qsort(word + (size_t)from * n_words, to - from, row_bytes, by_row);
        }
        memcpy(want, word, n * row_bytes);
        qsort(want, n, row_bytes, by_row);
        const struct gs_table t = table_of(word, n, e, &arena);
        struct gs_row_stream stream;
        struct gs_rows_at rows;
        uint32_t n_got = 0;
        assert_true(gs_row_stream_begin(&stream, &t, 0, &arena));
        while (gs_row_stream_next(&stream, &rows)) {
            assert_true(rows.n > 0 && rows.n <= n - n_got && rows.encoding == e);
            memcpy(got + (size_t)n_got * n_words, rows.word, rows.n * row_bytes);
            n_got += rows.n;
        }
        assert_int_equal(n_got, n);
        assert_memory_equal(got, want, n * row_bytes);
        gs_arena_release(&arena);
    }
}

static int by_expected(const void *a, const void *b)
{
    return by_values(a, b);
}

/* Runs in encodings that widened while they were written, as those of a time that goes on: their order is that of values. */
static void rows_of_several_encodings_come_in_order(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 60; round++) {
        struct gs_arena arena = {0};
        struct two_writers both;
        struct gs_table_writer *const w = both.w;
        struct gs_table t;
        two_begin(&both, &arena);
        enum { ROWS = 1500 };
        static int64_t want[2 * ROWS][N_COLUMNS];
        size_t n = 0, sums[N_COLUMNS] = {0};
        gs_i128 sum[N_COLUMNS] = {0};
        int64_t time[2] = {-50, -40};
        for (unsigned turn = 0; turn < 2 * ROWS; turn++) {
            const size_t i = round % 2 == 0 ? turn / 100 % 2 : random_below(2);
            time[i] += (int64_t)(round % 3 == 0 ? random_below(2) : 1 + random_below(40));
            for (unsigned c = 0; c < N_COLUMNS; c++) {
                const bool missing = c > 0 && random_below(9) == 0;
                const int64_t v = c == 0 ? time[i] : (int64_t)random_below(1 + turn) - 500;
                if (missing)
                    gs_table_put_missing(&w[i], c);
                else
                    gs_table_put(&w[i], c, v, decimals_max[c]);
                want[n][c] = missing ? GS_MISSING : v;
                sum[c] += missing ? 0 : v;
                sums[c] += !missing;
            }
            n++;
            assert_int_equal(gs_table_end_row(&w[i], 0, NULL), GS_OK);
        }
        qsort(want, n, sizeof *want, by_expected);
        two_join(&both, 1, &arena, &t);
        struct gs_row_stream stream;
        struct gs_rows_at rows;
        size_t at = 0;
        gs_i128 total[N_COLUMNS] = {0};
        uint64_t there[N_COLUMNS] = {0};
        assert_true(gs_row_stream_begin(&stream, &t, 0, &arena));
        for (; gs_row_stream_next(&stream, &rows); at += rows.n)
            for (unsigned c = 0; c < N_COLUMNS; c++) {
                int64_t *const value = gs_arena_take_raw(&arena, rows.n, sizeof *value);
                gs_rows_column(&rows, c, value);
                gs_rows_sum(&rows, c, &total[c], &there[c]);
                for (uint32_t r = 0; r < rows.n; r++)
                    must_be(value[r], want[at + r][c], 0, at + r, c);
            }
        if (round % 3 != 0) /* as they are there: nothing is sorted */
            assert_int_equal(stream.n_runs, 2);
        assert_int_equal(at, n);
        for (unsigned c = 0; c < N_COLUMNS; c++) {
            assert_true(total[c] == sum[c]);
            assert_int_equal(there[c], sums[c]);
        }
        gs_arena_release(&arena);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_segment_whose_rows_ascend_says_so),
        cmocka_unit_test(rows_in_runs_come_in_order),
        cmocka_unit_test(rows_of_several_encodings_come_in_order),
        cmocka_unit_test(a_log_of_few_metrics_keeps_to_one_word),
        cmocka_unit_test(random_rows_come_out_as_they_went_in),
        cmocka_unit_test(copied_rows_share_an_encoding_and_are_ordered_as_their_values),
        cmocka_unit_test(the_ends_of_int64_fit_beside_missing),
        cmocka_unit_test(a_constant_column_costs_nothing),
        cmocka_unit_test(room_that_a_change_of_encoding_leaves_is_used),
        cmocka_unit_test(a_writer_survives_a_change_of_encoding_without_memory),
        cmocka_unit_test(rows_that_wait_survive_a_failed_allocation),
        cmocka_unit_test(tables_of_several_threads_are_joined_through_their_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
