/* test_split.c - rows found and dealt out, whatever the threads, the room and the quoting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/core/shard.h"
#include "input/bytes/bytes.h"
#include "app/cluster/deal.h"
#include "input/scanner/row_find.h"

enum { FIELD = 1 };

static enum gs_row_end find(const char *text, bool at_end, struct gs_row_place *row)
{
    const struct gs_row_rules rules = gs_row_rules_of(',');
    return gs_row_find(text, text + strlen(text), at_end, &rules, FIELD, row);
}

static void a_row_ends_at_its_line_end_and_shows_its_field(void **state)
{
    (void)state;
    static const struct {
        const char *text, *field;
        size_t len;
        uint32_t n_fields, n_lines;
    } rows[] = {
        {"a,b,c\nd", "b", 6, 3, 1},       {"a,b\r\nd", "b", 5, 2, 1},
        {"a,b\rd", "b", 4, 2, 1},         {"a, b ,c\n", "b", 8, 3, 1},
        {"a, \"b\" ,c\n", "b", 10, 3, 1}, {"\"a,\n\"\"x\",\"b\nb\",c\nd", "b\nb", 17, 3, 3},
        {"a,,c\n", "", 5, 3, 1},          {"a,b", "b", 3, 2, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gs_row_place row;
        assert_int_equal(find(rows[i].text, true, &row), GS_ROW_FOUND);
        assert_int_equal(row.next - rows[i].text, rows[i].len);
        assert_int_equal(row.field.len, strlen(rows[i].field));
        assert_memory_equal(row.field.ptr, rows[i].field, row.field.len);
        assert_int_equal(row.n_fields, rows[i].n_fields);
        assert_int_equal(row.n_lines, rows[i].n_lines);
    }
}

static void a_row_that_is_not_whole_is_no_row(void **state)
{
    (void)state;
    struct gs_row_place row;
    assert_int_equal(find("a,b", false, &row), GS_ROW_GOES_ON);
    assert_int_equal(find("a,b\r", false, &row), GS_ROW_GOES_ON);
    assert_int_equal(find("a,\"b\n", true, &row), GS_ROW_GOES_ON);
    assert_int_equal(find("a,b\"c\n", true, &row), GS_ROW_QUOTE);
    assert_int_equal(find("a,\"b\"c\n", true, &row), GS_ROW_QUOTE);
    assert_int_equal(find("\n", true, &row), GS_ROW_BLANK);
    assert_int_equal(find("a\n", true, &row), GS_ROW_FOUND);
    assert_null(row.field.ptr);
}

static void shards_are_even_and_never_change(void **state)
{
    (void)state;
    uint32_t count[7] = {0};
    for (unsigned i = 0; i < 7000; i++) {
        char name[16];
        const int n = snprintf(name, sizeof name, "node%04u", i);
        count[gs_shard_of((struct gs_str){name, (size_t)n}, 7)]++;
    }
    for (unsigned k = 0; k < 7; k++)
        assert_in_range(count[k], 850, 1150);
    /* Computed by an independent implementation, tests/oracle/shard_of.py: states on disk depend on them. */
    assert_int_equal(gs_shard_of(gs_str("node0001"), 64), 15);
    assert_int_equal(gs_shard_of(gs_str(""), 16963), 5587);
    assert_int_equal(gs_shard_of(gs_str("a"), 1), 0);
}

/* A table of `n` rows whose fields hold everything that may stand in one. */
static char *make_table(unsigned n, uint32_t seed, size_t *len)
{
    static const char *const hosts[] = {"h1",       "\"h,2\"",    " h3 ",
                                        "\"h\n4\"", "\"h\"\"5\"", "node-6"};
    static const char *const fields[] = {"1", "\"\"", "\"a\"\"b,\n\"", "x y", "\"\r\n\""};
    char *const text = malloc((size_t)n * 40 + 1);
    size_t at = 0;
    for (unsigned i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        at += (size_t)sprintf(text + at, "%u,%s,%s%s", i, hosts[(seed >> 8) % 6],
                              fields[(seed >> 16) % 5],
                              i + 1 < n && (seed >> 24) % 5 == 0 ? "\r\n\n"
                              : i + 1 < n                        ? "\n"
                                                                 : "");
    }
    *len = at;
    return text;
}

/* What ends up in the parts, one after the other. */
static char *deal(const char *text, size_t len, unsigned n_threads, size_t room, size_t *n_out,
                  uint64_t *n_rows)
{
    enum { N_PARTS = 3, OUT_MAX = 1 << 20 };
    struct gs_arena arena = {0};
    struct gs_part part[N_PARTS] = {{0}};
    char path[N_PARTS][40];
    struct gs_err err = {0};
    struct gs_deal d = {.name = "t.csv",
                        .host_column = "host",
                        .host_field = FIELD,
                        .rules = gs_row_rules_of(','),
                        .n_parts = N_PARTS,
                        .n_threads = n_threads,
                        .line = 1};
    assert_int_equal(gs_deal_init(&d, &arena, &err), GS_OK);
    for (unsigned i = 0; i < N_PARTS; i++) {
        sprintf(path[i], "/tmp/gpustat-test-%d-%u.zst", (int)getpid(), i);
        part[i].path = part[i].shown = path[i];
        assert_int_equal(gs_part_open(&part[i], 15, &arena), GS_OK);
    }
    for (size_t at = 0, end = 0; at < len;) {
        const char *next;
        end = end + room < len ? end + room : len;
        assert_int_equal(gs_deal_rows(&d, text + at, text + end, end == len, part, &next, &err),
                         GS_OK);
        at = (size_t)(next - text);
    }
    char *const out = malloc(OUT_MAX);
    *n_out = 0;
    *n_rows = 0;
    for (unsigned i = 0; i < N_PARTS; i++) {
        struct gs_bytes *source;
        size_t n = 1;
        assert_int_equal(gs_part_settle(&part[i]), GS_OK);
        *n_rows += part[i].n_rows;
        gs_part_close(&part[i]);
        if (part[i].n_rows > 0) {
            assert_int_equal(gs_bytes_open(path[i], &arena, &source, &err), GS_OK);
            while (n > 0) {
                assert_int_equal(gs_bytes_read(source, out + *n_out, OUT_MAX - *n_out, &n, &err),
                                 GS_OK);
                *n_out += n;
            }
            gs_bytes_close(source);
        }
        out[(*n_out)++] = '|';
        (void)unlink(path[i]);
    }
    assert_int_equal(*n_rows, d.n_rows);
    gs_deal_release(&d);
    gs_arena_release(&arena);
    return out;
}

static void parts_are_the_same_for_any_threads_and_room(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        size_t len, n_once, n;
        uint64_t rows_once, rows;
        char *const text = make_table(200, seed, &len);
        char *const once = deal(text, len, 1, len, &n_once, &rows_once);
        assert_int_equal(rows_once, 200);
        for (unsigned t = 1; t <= 5; t += 2)
            for (size_t room = 61; room < len * 2; room = room * 2 + 7) {
                char *const parts = deal(text, len, t, room, &n, &rows);
                assert_int_equal(n, n_once);
                assert_memory_equal(parts, once, n);
                free(parts);
            }
        free(once);
        free(text);
    }
}

static void a_row_that_cannot_be_dealt_is_named_by_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"a,h\nb\n", "t.csv:8: host: is empty, expected the name of a host"},
        {"a,h\n\nb,\n", "t.csv:9: host: is empty, expected the name of a host"},
        {"\"a\nb\",h\nc,h\"x\n",
         "t.csv:9: a quote inside a field, expected it doubled or around the field"},
        {"a,h\nb,\"h\n\n", "t.csv:8: a quoted field that nothing closes"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (unsigned t = 1; t < 4; t++) {
            struct gs_arena arena = {0};
            struct gs_err err = {0};
            const char *next;
            struct gs_part part[2] = {{.fd = -1}, {.fd = -1}};
            struct gs_deal d = {.name = "t.csv",
                                .host_column = "host",
                                .host_field = FIELD,
                                .rules = gs_row_rules_of(','),
                                .n_parts = 2,
                                .n_threads = t,
                                .line = 7};
            assert_int_equal(gs_deal_init(&d, &arena, &err), GS_OK);
            assert_int_equal(gs_deal_rows(&d, bad[i].text, bad[i].text + strlen(bad[i].text), true,
                                          part, &next, &err),
                             GS_ERR_DATA);
            assert_string_equal(err.text, bad[i].message);
            gs_deal_release(&d);
            gs_arena_release(&arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_ends_at_its_line_end_and_shows_its_field),
        cmocka_unit_test(a_row_that_is_not_whole_is_no_row),
        cmocka_unit_test(shards_are_even_and_never_change),
        cmocka_unit_test(parts_are_the_same_for_any_threads_and_room),
        cmocka_unit_test(a_row_that_cannot_be_dealt_is_named_by_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
