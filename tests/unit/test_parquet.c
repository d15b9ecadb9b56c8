/*
 * test_parquet.c - Parquet of four writers against what an independent reader finds in it (see tests/parquet/README.md),
 * the typed way against the text, and files of which any byte may be wrong.
 */
#define _GNU_SOURCE
#include "fixture.h"

#include <dirent.h>
#include <fcntl.h>

#include "input/bytes/bytes.h"
#include "input/bytes/decompress.h"
#include "two_readers.h"

#define FOLDER "tests/parquet/"

static char *bytes_of(const char *path, size_t *n)
{
    FILE *const f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *n = (size_t)ftell(f);
    rewind(f);
    char *const bytes = malloc(*n + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *n, f), *n);
    (void)fclose(f);
    return bytes;
}

/* All of a file as gs_bytes hands it out, `step` bytes at a time; the text lives in `arena`. */
static enum gs_status text_of(const char *path, size_t step, struct gs_arena *arena,
                              struct gs_str *text, struct gs_err *err)
{
    struct gs_buf b = {.arena = arena};
    struct gs_bytes *source = NULL;
    size_t n = 1;
    enum gs_status s = gs_bytes_open(path, arena, &source, err);
    while (s == GS_OK && n > 0) {
        assert_true(gs_buf_reserve(&b, step));
        s = gs_bytes_read(source, b.ptr + b.len, step, &n, err);
        b.len += s == GS_OK ? n : 0;
    }
    gs_bytes_close(source);
    *text = gs_buf_str(&b);
    return s;
}

typedef void file_fn(const char *name, const char *path);

static size_t each_file(const char *begin, file_fn *take)
{
    DIR *const d = opendir(FOLDER);
    char path[512];
    size_t n = 0;
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        const size_t len = strlen(e->d_name);
        if (len < 8 || strcmp(e->d_name + len - 8, ".parquet") != 0 ||
            strncmp(e->d_name, begin, strlen(begin)) != 0)
            continue;
        if (!gs_snappy_is_there() && (strstr(e->d_name, "snappy") != NULL)) /* has its own test */
            continue;
        (void)snprintf(path, sizeof path, FOLDER "%s", e->d_name);
        take(e->d_name, path);
        n++;
    }
    (void)closedir(d);
    return n;
}

/* NAME.csv, else WRITER.csv. */
static void holds_what_the_other_reader_finds(const char *name, const char *path)
{
    static const size_t steps[] = {1 << 16, 7};
    char other[512];
    (void)snprintf(other, sizeof other, FOLDER "%.*s.csv", (int)strcspn(name, "."), name);
    if (access(other, R_OK) != 0)
        (void)snprintf(other, sizeof other, FOLDER "%.*s.csv", (int)strcspn(name, "-."), name);
    size_t n;
    char *const want = bytes_of(other, &n);
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        struct gs_arena arena = {0};
        struct gs_str text;
        struct gs_err err = {0};
        const enum gs_status s = text_of(path, steps[i], &arena, &text, &err);
        if (s != GS_OK || text.len != n || memcmp(text.ptr, want, n) != 0)
            fail_msg("%s: %d %s: %zu bytes, expected %zu as in %s", name, (int)s, err.text,
                     text.len, n, other);
        gs_arena_release(&arena);
    }
    free(want);
}

static void every_writer_is_read_as_an_independent_reader_does(void **state)
{
    (void)state;
    size_t n = 0;
    static const char *const writers[] = {"duckdb-", "polars-", "wasm-", "hyparquet-"};
    for (size_t i = 0; i < COUNT_OF(writers); i++)
        n += each_file(writers[i], holds_what_the_other_reader_finds);
    assert_true(n >= (gs_snappy_is_there() ? 15U : 10U));
}

static void what_is_not_read_is_refused_by_name(void **state)
{
    (void)state;
    static const char *const files[][2] = {
        {"refused-lz4", "column 't': is packed with LZ4, which is not read; expected none, snappy, "
                        "gzip or zstd"},
        {"refused-brotli", "column 't': is packed with brotli, which is not read; expected none, "
                           "snappy, gzip or zstd"},
        {"refused-encrypted", "is encrypted Parquet, which is not read"},
        {"refused-list", "column 'list.list.element' is a list or map; expected columns of single "
                         "values"},
    };
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        struct gs_arena arena = {0};
        struct gs_str text;
        struct gs_err err = {0};
        char path[200];
        (void)snprintf(path, sizeof path, FOLDER "%s.parquet", files[i][0]);
        assert_int_equal(text_of(path, 4096, &arena, &text, &err), GS_ERR_DATA);
        assert_non_null(strstr(err.text, files[i][1]));
        gs_arena_release(&arena);
    }
}

/* The typed way and libcsv over the text: every row, name, missing value and reject. */
static void typed_values_are_what_their_text_is(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum gs_table_kind kind;
    } files[] = {{"samples-typed", GS_TABLE_SAMPLES},
                 {"samples-texts", GS_TABLE_SAMPLES},
                 {"samples-many", GS_TABLE_SAMPLES},
                 {"events", GS_TABLE_CHECKPOINTS},
                 {"tasks", GS_TABLE_TASKS}};
    if (!gs_snappy_is_there())
        skip();
    for (size_t i = 0; i < COUNT_OF(files); i++)
        for (unsigned way = 0; way < 4; way++) {
            char path[200];
            size_t n;
            (void)snprintf(path, sizeof path, FOLDER "%s.parquet", files[i].name);
            char *const bytes = bytes_of(path, &n);
            const struct reading_way w = {
                .n_threads = 1 + way % 2, .rejects = way / 2 > 0, .no_places = way == 3};
            assert_true(readers_agree(&w, files[i].kind, bytes, n));
            free(bytes);
        }
}

/* Reads what may be any bytes: to an end, with a reason where it is refused, in bounded memory. */
static void survive(const char *bytes, size_t n)
{
    struct memory_file file;
    struct gs_arena arena = {0};
    struct gs_bytes *source = NULL;
    struct gs_err err = {0};
    static char room[1 << 16];
    size_t got = 1, total = 0;
    assert_true(memory_file_open(&file, bytes, n));
    enum gs_status s = gs_bytes_open(file.path, &arena, &source, &err);
    while (s == GS_OK && got > 0 && total < 4 << 20) {
        s = gs_bytes_read(source, room, sizeof room, &got, &err);
        total += got;
    }
    assert_true(s == GS_OK || (err.text[0] != '\0' && (s == GS_ERR_DATA || s == GS_ERR_MEMORY ||
                                                       s == GS_ERR_UNAVAILABLE)));
    gs_bytes_close(source);
    gs_arena_release(&arena);
    (void)close(file.fd);
}

static void survives_any_byte(const char *name, const char *path)
{
    size_t n;
    char *const bytes = bytes_of(path, &n);
    (void)name;
    for (size_t i = 4; i < n; i += 1 + n / 2000) {
        static const unsigned char flips[] = {0x01, 0x80, 0xff};
        const char was = bytes[i];
        for (size_t k = 0; k < COUNT_OF(flips); k++) {
            bytes[i] = (char)(was ^ flips[k]);
            survive(bytes, n);
        }
        bytes[i] = was;
    }
    for (size_t cut = 0; cut < n; cut += 1 + n / 300)
        survive(bytes, cut);
    free(bytes);
}

static void damaged_files_are_refused_or_read_in_bounded_memory(void **state)
{
    (void)state;
    gs_memory_limit((size_t)600 << 20); /* a page and what it is packed in */
    assert_true(each_file("wasm-", survives_any_byte) > 0);
    assert_true(each_file("hyparquet-", survives_any_byte) > 0);
    assert_true(each_file("duckdb-v2", survives_any_byte) > 0);
    assert_true(each_file("polars-zstd", survives_any_byte) > 0);
    gs_memory_limit(0);
}

/* The typed way on damaged tables ends as well. */
static void damaged_tables_end(void **state)
{
    (void)state;
    size_t n;
    char *const bytes = bytes_of(FOLDER "samples-typed.parquet", &n);
    for (size_t i = 4; i < n; i += 1 + n / 400) {
        struct outcome o = {0};
        const struct reading_way w = {.n_threads = 2, .rejects = i % 2 == 0};
        bytes[i] = (char)(bytes[i] ^ 0x41);
        read_one_way(&w, GS_TABLE_SAMPLES, bytes, n, &o);
        assert_true(o.n_lines > 0);
        bytes[i] = (char)(bytes[i] ^ 0x41);
        gs_arena_release(&o.arena);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_writer_is_read_as_an_independent_reader_does),
        cmocka_unit_test(what_is_not_read_is_refused_by_name),
        cmocka_unit_test(typed_values_are_what_their_text_is),
        cmocka_unit_test(damaged_files_are_refused_or_read_in_bounded_memory),
        cmocka_unit_test(damaged_tables_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
