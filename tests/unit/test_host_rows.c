/* test_host_rows.c - rows of hosts come back as they were added, whatever holds them and in whatever order they came. */
#include "arena_fixture.h"

#include "analysis/aggregate/host_rows.h"

enum { HOSTS = 12, ROWS_MAX = 2500, STATES = 3 };

static const struct gs_column_spec specs[] = {
    {.name = "hostname", .label = "host", .unit = "", .type = GS_TYPE_TEXT, .how = ""},
    {.name = "number", .label = "number", .unit = "", .type = GS_TYPE_INT, .how = ""},
    {.name = "event", .label = "event", .unit = "", .type = GS_TYPE_TEXT, .how = ""},
    {.name = "power_w",
     .label = "power",
     .unit = "W",
     .type = GS_TYPE_REAL,
     .decimals = 2,
     .how = ""},
    {.name = "start", .label = "start", .unit = "", .type = GS_TYPE_TIME, .how = ""},
};

static char names[HOSTS][16];

static struct gs_frame *frame_of(size_t n_rows)
{
    return new_frame(specs, COUNT_OF(specs), n_rows);
}

/* One host's rows; texts that come again, empty and missing ones among them. */
static void fill(struct gs_frame *f, size_t first, size_t n, const char *host)
{
    static const char *const events[] = {"Render", "", NULL, "Tiling"};
    for (size_t r = first; r < first + n; r++) {
        gs_frame_set_text(f, r, 0, gs_str(host));
        gs_frame_set_int(f, r, 1, (int64_t)random_bits());
        gs_frame_set_text(f, r, 2, gs_str(events[random_below(4)]));
        if (random_below(5) > 0)
            gs_frame_set_real(f, r, 3, (double)random_below(7));
        gs_frame_set_time(f, r, 4, (int64_t)random_below(UINT64_C(1) << 60));
    }
}

static void assert_same_rows(const struct gs_frame *got, const struct gs_frame *want, size_t first)
{
    char one[GS_REAL_TEXT_MAX], other[GS_REAL_TEXT_MAX];
    for (size_t r = 0; r < got->n_rows; r++)
        for (size_t c = 0; c < want->n_columns; c++) {
            assert_int_equal(gs_frame_is_missing(got, r, c),
                             gs_frame_is_missing(want, first + r, c));
            assert_true(
                gs_str_eq(gs_frame_cell(got, r, c, one), gs_frame_cell(want, first + r, c, other)));
        }
}

static void assert_reads(const struct gs_frame *f, const struct gs_frame *want)
{
    assert_int_equal(f->n_rows, want->n_rows);
    for (int k = 0; k < 30 && want->n_rows > 0; k++) {
        struct gs_arena own = {0};
        struct gs_frame part;
        const size_t first = random_below(want->n_rows), n = random_below(want->n_rows - first + 1);
        assert_int_equal(gs_frame_part(f, first, n, &own, &part, NULL), GS_OK);
        assert_int_equal(part.n_rows, n);
        assert_int_equal(part.first_row, first);
        assert_same_rows(&part, want, first);
        gs_arena_release(&own);
    }
}

/* A run of hosts in their order, and its rows dealt out to states in another. */
static struct gs_frame *deal(struct gs_host_rows *states)
{
    size_t n_of[HOSTS], n_rows = 0, end = 0;
    for (size_t h = 0; h < HOSTS; h++) {
        (void)snprintf(names[h], sizeof names[h], "node%02zu", h);
        n_of[h] = random_below(3) == 0 ? random_below(ROWS_MAX) : random_below(9);
        n_rows += n_of[h];
    }
    struct gs_frame *const whole = frame_of(n_rows);
    size_t first_of[HOSTS], order[HOSTS];
    for (size_t h = 0; h < HOSTS; end += n_of[h++]) {
        fill(whole, end, n_of[h], names[h]);
        first_of[h] = end;
        order[h] = h;
    }
    for (size_t k = HOSTS; k > 0; k--) {
        const size_t pick = random_below(k), h = order[pick];
        struct gs_host_rows *const to = &states[random_below(STATES)];
        struct gs_frame part;
        order[pick] = order[k - 1];
        assert_int_equal(gs_frame_part(whole, first_of[h], n_of[h], &arena, &part, NULL), GS_OK);
        to->types = gs_row_types(whole, &arena);
        assert_int_equal(
            gs_host_rows_add(to, gs_str(names[h]), part.columns, n_of[h], &arena, NULL), GS_OK);
    }
    return whole;
}

static void rows_come_back_by_host(void **state)
{
    (void)state;
    for (int round = 0; round < 40; round++) {
        struct gs_scratch_file file = {0};
        struct gs_host_rows states[STATES] = {{0}}, loaded = {0};
        const bool far = round % 2 == 1;
        if (far)
            assert_int_equal(gs_scratch_file_open(&file, "/tmp", NULL), GS_OK);
        for (size_t k = 0; k < STATES; k++)
            states[k].file = far ? &file : NULL;
        const struct gs_frame *const whole = deal(states);
        for (size_t k = 1; k < STATES; k++)
            assert_int_equal(gs_host_rows_merge(&states[0], &states[k], &arena, NULL), GS_OK);
        struct gs_frame *const f = frame_of(0), *const again = frame_of(0);
        assert_int_equal(gs_host_rows_frame(&states[0], f, &arena, NULL), GS_OK);
        assert_int_equal(f->source.far, far);
        assert_reads(f, whole);
        struct gs_buf b = {.arena = &arena};
        assert_int_equal(gs_host_rows_save(&states[0], false, gs_sink_buf(&b), NULL), GS_OK);
        struct gs_unpacker u = gs_unpack("rows", gs_buf_str(&b), NULL);
        assert_int_equal(gs_host_rows_load(&loaded, NULL, &u, &arena), GS_OK);
        assert_true(u.at == u.end);
        assert_int_equal(gs_host_rows_frame(&loaded, again, &arena, NULL), GS_OK);
        assert_reads(again, whole);
        assert_int_equal(gs_frame_load(again, &arena, NULL), GS_OK);
        assert_same_rows(again, whole, 0);
        const size_t n_bytes = b.len;
        b.len = 0;
        assert_int_equal(gs_host_rows_save(&states[0], true, gs_sink_buf(&b), NULL), GS_OK);
        assert_true(far ? b.len < n_bytes || whole->n_rows == 0 : b.len == n_bytes);
        u = gs_unpack("rows", gs_buf_str(&b), NULL);
        assert_int_equal(gs_host_rows_load(&loaded, states[0].file, &u, &arena), GS_OK);
        assert_true(u.at == u.end && loaded.file == states[0].file);
        struct gs_frame *const there = frame_of(0);
        assert_int_equal(gs_host_rows_frame(&loaded, there, &arena, NULL), GS_OK);
        assert_reads(there, whole);
        gs_scratch_file_close(&file);
        gs_arena_release(&arena);
    }
}

static void far_rows_are_sorted_where_they_are(void **state)
{
    (void)state;
    static const char *const orders[] = {"event", "power_w:desc,start", "hostname:desc,power_w"};
    struct gs_scratch_file file = {0};
    struct gs_host_rows states[STATES] = {{0}};
    assert_int_equal(gs_scratch_file_open(&file, "/tmp", NULL), GS_OK);
    for (size_t k = 0; k < STATES; k++)
        states[k].file = &file;
    struct gs_frame *const whole = deal(states);
    for (size_t k = 1; k < STATES; k++)
        assert_int_equal(gs_host_rows_merge(&states[0], &states[k], &arena, NULL), GS_OK);
    struct gs_frame *const f = frame_of(0);
    assert_int_equal(gs_host_rows_frame(&states[0], f, &arena, NULL), GS_OK);
    for (size_t k = 0; k < COUNT_OF(orders); k++) { /* one after the other: stable */
        assert_int_equal(gs_frame_sort(whole, orders[k], &arena, NULL), GS_OK);
        assert_int_equal(gs_frame_sort(f, orders[k], &arena, NULL), GS_OK);
        assert_true(f->source.far);
        assert_reads(f, whole);
    }
    gs_frame_top(f, 5);
    gs_frame_top(whole, 5);
    assert_reads(f, whole);
    gs_scratch_file_close(&file);
    gs_arena_release(&arena);
}

/* Bytes that something has changed are refused, or are rows that can be read. */
static void damaged_rows_are_found_or_harmless(void **state)
{
    (void)state;
    struct gs_host_rows states[STATES] = {{0}};
    (void)deal(states);
    struct gs_buf b = {.arena = &arena};
    assert_int_equal(gs_host_rows_save(&states[0], false, gs_sink_buf(&b), NULL), GS_OK);
    for (int round = 0; round < 3000 && b.len > 0; round++) {
        struct gs_arena own = {0};
        struct gs_err err = {0};
        struct gs_host_rows loaded = {0};
        char *const bytes = malloc(b.len); /* its own, so that a sanitizer sees its end */
        assert_non_null(bytes);
        memcpy(bytes, b.ptr, b.len);
        const size_t len = random_below(4) == 0 ? random_below(b.len) : b.len;
        bytes[random_below(random_below(2) == 0 ? b.len
                           : 64 < b.len         ? 64
                                                : b.len)] ^= (char)(1 + random_below(255));
        struct gs_unpacker u = gs_unpack("rows", (struct gs_str){bytes, len}, &err);
        if (gs_host_rows_load(&loaded, NULL, &u, &own) == GS_OK) {
            struct gs_frame *const f = frame_of(0);
            if (gs_host_rows_frame(&loaded, f, &own, &err) == GS_OK)
                assert_int_equal(gs_frame_load(f, &own, &err), GS_OK);
        }
        free(bytes);
        gs_arena_release(&own);
    }
    gs_arena_release(&arena);
}

static void rows_of_other_columns_are_refused(void **state)
{
    (void)state;
    struct gs_host_rows one = {.types = "tiT"}, other = {.types = "tir"};
    struct gs_err err = {0};
    assert_int_equal(gs_host_rows_merge(&one, &other, &arena, &err), GS_ERR_DATA);
    assert_string_equal(err.text, "states have rows of other columns");
    assert_int_equal(gs_host_rows_frame(&one, frame_of(0), &arena, &err), GS_ERR_DATA);
    gs_arena_release(&arena);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    struct gs_scratch_file file = {0};
    struct gs_err err = {0};
    uint64_t at;
    assert_int_equal(gs_scratch_file_open(&file, "/nowhere", &err), GS_ERR_IO);
    assert_string_equal(err.text, "temporary file in /nowhere: No such file or directory");
    FILE *const full = fopen("/dev/full", "r+");
    if (full == NULL)
        skip();
    file.fd = fileno(full);
    assert_int_equal(gs_scratch_file_put(&file, "bytes", 5, &at, &err), GS_ERR_IO);
    assert_string_equal(err.text, "temporary file: No space left on device");
    (void)fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back_by_host),
        cmocka_unit_test(far_rows_are_sorted_where_they_are),
        cmocka_unit_test(damaged_rows_are_found_or_harmless),
        cmocka_unit_test(rows_of_other_columns_are_refused),
        cmocka_unit_test(a_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
