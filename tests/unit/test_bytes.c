/* test_bytes.c - sources of bytes: compressed or not, their digests, and files that change under the reader. */
#define _GNU_SOURCE
#include "arena_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <lzma.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "input/bytes/bytes.h"
#include "input/bytes/ordered_digest.h"
#include "base/os/output.h"
#include "base/os/parallel.h"

/* A file in memory; its path is in `path`. */
static int file_of(const void *bytes, size_t n, char path[64])
{
    const int fd = memfd_create("bytes", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(gs_sink_write(gs_sink_fd(&fd), bytes, n, NULL), GS_OK);
    (void)snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

static struct gs_bytes *opened(const char *path)
{
    struct gs_bytes *b = NULL;
    assert_int_equal(gs_bytes_open(path, &arena, &b, NULL), GS_OK);
    return b;
}

/* Everything that comes out, in reads of `step` bytes. */
static struct gs_buf read_all(struct gs_bytes *b, size_t step)
{
    struct gs_buf all = {.arena = &arena};
    char *const room = gs_arena_take_raw(&arena, step, 1);
    size_t n = 1;
    while (n > 0) {
        assert_int_equal(gs_bytes_read(b, room, step, &n, NULL), GS_OK);
        gs_buf_bytes(&all, room, n);
    }
    assert_false(all.failed);
    return all;
}

static const char *digest_of(const void *bytes, size_t n)
{
    static char hex[GS_SHA256_HEX];
    struct gs_sha256 s;
    gs_sha256_begin(&s);
    gs_sha256_add(&s, bytes, n);
    gs_sha256_end(&s, hex);
    return hex;
}

enum { PLAIN = 700000, PACKED_MAX = 2 * PLAIN };

/* Bytes that no compressor makes shorter: what is packed is several times the room that bytes.c reads into. */
static const char *plain_bytes(void)
{
    static char bytes[PLAIN];
    for (size_t i = 0; i < PLAIN; i++)
        bytes[i] = (char)(random_bits() >> 24);
    return bytes;
}

static size_t gzip(const char *bytes, size_t n, char *out)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (z_const Bytef *)(size_t)bytes;
    z.avail_in = (uInt)n;
    z.next_out = (Bytef *)out;
    z.avail_out = PACKED_MAX;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    (void)deflateEnd(&z);
    return z.total_out;
}

static size_t zstd(const char *bytes, size_t n, char *out)
{
    const size_t len = ZSTD_compress(out, PACKED_MAX, bytes, n, 1);
    assert_false(ZSTD_isError(len));
    return len;
}

static size_t xz(const char *bytes, size_t n, char *out)
{
    size_t len = 0;
    assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, (const uint8_t *)bytes, n,
                                             (uint8_t *)out, &len, PACKED_MAX),
                     LZMA_OK);
    return len;
}

static size_t (*const packers[])(const char *, size_t, char *) = {gzip, zstd, xz};

static void large_compressed_files_come_out_as_they_went_in(void **state)
{
    (void)state;
    static char packed[PACKED_MAX];
    const char *const bytes = plain_bytes();
    static const size_t steps[] = {1000, 131072, 1 << 20};
    for (size_t k = 0; k < COUNT_OF(packers); k++) {
        size_t n = packers[k](bytes, PLAIN - 1000, packed);
        assert_true(n > 4 * (128 << 10));
        n += packers[k](bytes + PLAIN - 1000, 1000, packed + n); /* a second member */
        for (size_t i = 0; i < COUNT_OF(steps); i++) {
            char path[64];
            const int fd = file_of(packed, n, path);
            struct gs_bytes *const b = opened(path);
            uint64_t size;
            assert_int_equal(gs_bytes_plain_fd(b, &size), -1);
            assert_int_equal(gs_bytes_digest(b, &arena, NULL), GS_OK);
            const struct gs_buf all = read_all(b, steps[i]);
            assert_int_equal(all.len, PLAIN);
            assert_memory_equal(all.ptr, bytes, PLAIN);
            char hex[GS_SHA256_HEX];
            assert_int_equal(gs_bytes_digest_end(b, hex), n);
            assert_string_equal(hex, digest_of(packed, n));
            gs_bytes_close(b);
            (void)close(fd);
        }
    }
}

static void a_cut_compressed_file_is_cut_off(void **state)
{
    (void)state;
    static char packed[PACKED_MAX];
    for (size_t k = 0; k < COUNT_OF(packers); k++) {
        const size_t n = packers[k](plain_bytes(), PLAIN, packed);
        char path[64], room[4096];
        const int fd = file_of(packed, n - 20000, path);
        struct gs_bytes *const b = opened(path);
        struct gs_err err = {0};
        size_t got = 1;
        enum gs_status s = GS_OK;
        while (s == GS_OK && got > 0)
            s = gs_bytes_read(b, room, sizeof room, &got, &err);
        assert_int_equal(s, GS_ERR_DATA);
        assert_non_null(strstr(err.text, "stream is cut off"));
        gs_bytes_close(b);
        (void)close(fd);
    }
}

/* The end of a file that was longer when it was opened is no end. */
static void a_file_that_shrinks_while_it_is_read_is_an_error(void **state)
{
    (void)state;
    char path[64];
    const int fd = file_of(plain_bytes(), PLAIN, path);
    struct gs_bytes *const b = opened(path);
    char *const room = gs_arena_take_raw(&arena, PLAIN, 1);
    struct gs_err err = {0};
    size_t n = 0;
    assert_int_equal(gs_bytes_read(b, room, 300000, &n, &err), GS_OK);
    assert_int_equal(ftruncate(fd, 400000), 0);
    enum gs_status s = GS_OK;
    while (s == GS_OK && n > 0)
        s = gs_bytes_read(b, room, PLAIN, &n, &err);
    assert_int_equal(s, GS_ERR_IO);
    assert_non_null(strstr(
        err.text, "was cut short while it was read: it had 700000 bytes, 300000 are missing"));
    gs_bytes_close(b);
    (void)close(fd);
}

static void a_file_that_is_written_over_while_it_is_read_is_an_error(void **state)
{
    (void)state;
    struct gs_bytes *source;
    struct gs_err err = {0};
    char path[] = "/tmp/gpustat-bytes-XXXXXX", room[64];
    const struct timespec old[] = {{1000, 0}, {1000, 0}};
    size_t n = 1;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "0123456789", 10), 10);
    assert_int_equal(futimens(fd, old), 0);
    assert_int_equal(gs_bytes_open(path, &arena, &source, NULL), GS_OK);
    assert_int_equal(gs_bytes_read(source, room, 4, &n, NULL), GS_OK);
    assert_int_equal(pwrite(fd, "98", 2, 8), 2);
    enum gs_status s = GS_OK;
    while (s == GS_OK && n > 0)
        s = gs_bytes_read(source, room, sizeof room, &n, &err);
    assert_int_equal(s, GS_ERR_IO);
    assert_non_null(strstr(err.text, "was changed while it was read"));
    gs_bytes_close(source);
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink(path), 0);
}

static void a_file_that_grows_is_read_to_its_new_end(void **state)
{
    (void)state;
    char path[64];
    const int fd = file_of("one\n", 4, path);
    struct gs_bytes *const b = opened(path);
    assert_int_equal(write(fd, "two\n", 4), 4);
    const struct gs_buf all = read_all(b, 3);
    assert_string_equal(all.ptr, "one\ntwo\n");
    gs_bytes_close(b);
    (void)close(fd);
}

static void a_pipe_has_the_digest_of_what_came_through_it(void **state)
{
    (void)state;
    int p[2];
    char path[64], hex[GS_SHA256_HEX];
    assert_int_equal(pipe2(p, O_CLOEXEC), 0);
    assert_int_equal(write(p[1], "a,b\n1,2\n", 8), 8);
    (void)close(p[1]);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", p[0]);
    struct gs_bytes *const b = opened(path);
    assert_int_equal(gs_bytes_digest(b, &arena, NULL), GS_OK);
    (void)read_all(b, 5);
    assert_int_equal(gs_bytes_digest_end(b, hex), 8);
    assert_string_equal(hex, digest_of("a,b\n1,2\n", 8));
    gs_bytes_close(b);
    (void)close(p[0]);
}

enum { PARTS = 300, PART_BYTES = PLAIN / PARTS };

struct parts {
    struct gs_ordered_digest digest;
    const char *bytes;
};

static int add_part(void *context, size_t item, unsigned thread)
{
    struct parts *const p = context;
    (void)thread;
    return gs_ordered_digest_add(&p->digest, item, p->bytes + item * PART_BYTES, PART_BYTES) ? 0
                                                                                             : 1;
}

static void parts_that_threads_add_are_digested_in_their_order(void **state)
{
    (void)state;
    static struct parts p;
    char hex[GS_SHA256_HEX];
    p.bytes = plain_bytes();
    for (unsigned n_threads = 1; n_threads <= 7; n_threads += 3) {
        gs_ordered_digest_begin(&p.digest, "head", 4);
        assert_int_equal(gs_parallel_for(n_threads, PARTS, add_part, &p), 0);
        assert_int_equal(gs_ordered_digest_end(&p.digest, hex), 4 + PARTS * PART_BYTES);
        struct gs_sha256 whole;
        char want[GS_SHA256_HEX];
        gs_sha256_begin(&whole);
        gs_sha256_add(&whole, "head", 4);
        gs_sha256_add(&whole, p.bytes, PARTS * PART_BYTES);
        gs_sha256_end(&whole, want);
        assert_string_equal(hex, want);
    }
}

static int stop_at_ten(void *context, size_t item, unsigned thread)
{
    struct parts *const p = context;
    if (item != 10)
        return add_part(p, item, thread);
    gs_ordered_digest_stop(&p->digest);
    return 1;
}

static void nobody_waits_for_a_part_that_will_not_come(void **state)
{
    (void)state;
    static struct parts p;
    char hex[GS_SHA256_HEX];
    p.bytes = plain_bytes();
    gs_ordered_digest_begin(&p.digest, NULL, 0);
    assert_int_equal(gs_parallel_for(4, PARTS, stop_at_ten, &p), 1);
    assert_false(gs_ordered_digest_add(&p.digest, 12, p.bytes, 1));
    (void)gs_ordered_digest_end(&p.digest, hex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(large_compressed_files_come_out_as_they_went_in, forget),
        cmocka_unit_test_teardown(a_cut_compressed_file_is_cut_off, forget),
        cmocka_unit_test_teardown(a_file_that_shrinks_while_it_is_read_is_an_error, forget),
        cmocka_unit_test(a_file_that_is_written_over_while_it_is_read_is_an_error),
        cmocka_unit_test_teardown(a_file_that_grows_is_read_to_its_new_end, forget),
        cmocka_unit_test_teardown(a_pipe_has_the_digest_of_what_came_through_it, forget),
        cmocka_unit_test(parts_that_threads_add_are_digested_in_their_order),
        cmocka_unit_test(nobody_waits_for_a_part_that_will_not_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
