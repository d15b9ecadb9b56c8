/*
 * Files of any bytes, compressed or damaged or neither: the same bytes and the same end however much is read at a
 * time, and the digest of the file as it lies there.
 */
#include "target.h"

#include "input/bytes/bytes.h"
#include "base/core/text.h"

enum { PLAIN_MAX = 4 << 20 }; /* of what a few bytes may unpack to */

/* Reads up to PLAIN_MAX bytes and digests them. */
static enum gs_status read_all(const char *path, size_t step, char plain[GS_SHA256_HEX],
                               char disk[GS_SHA256_HEX], uint64_t *n_disk, bool *at_end)
{
    static char room[1 << 16];
    struct gs_arena arena = {0};
    struct gs_bytes *b = NULL;
    struct gs_sha256 s;
    struct gs_err err = {0};
    size_t n = 1, n_plain = 0;
    enum gs_status status = gs_bytes_open(path, &arena, &b, &err);
    MUST(status == GS_OK && gs_bytes_digest(b, &arena, NULL) == GS_OK);
    gs_sha256_begin(&s);
    while (status == GS_OK && n > 0 && n_plain < PLAIN_MAX) {
        status = gs_bytes_read(b, room, step, &n, &err);
        if (status == GS_OK)
            gs_sha256_add(&s, room, n);
        n_plain += n;
    }
    MUST(status == GS_OK ||
         ((status == GS_ERR_DATA || status == GS_ERR_MEMORY) && err.text[0] != '\0'));
    *at_end = status == GS_OK && n == 0;
    gs_sha256_end(&s, plain);
    *n_disk = gs_bytes_digest_end(b, disk);
    gs_bytes_close(b);
    gs_arena_release(&arena);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t steps[] = {1 << 16, 7, 4096};
    char path[MEMORY_PATH_MAX], plain[3][GS_SHA256_HEX], disk[3][GS_SHA256_HEX],
        want[GS_SHA256_HEX];
    struct gs_sha256 s;
    const int fd = bytes_as_file(data, size, path);
    gs_sha256_begin(&s);
    gs_sha256_add(&s, data, size);
    gs_sha256_end(&s, want);
    enum gs_status first = GS_OK;
    bool first_end = false;
    for (int i = 0; i < 3; i++) {
        uint64_t n_disk = 0;
        bool at_end = false;
        const enum gs_status status = read_all(path, steps[i], plain[i], disk[i], &n_disk, &at_end);
        if (i == 0) {
            first = status;
            first_end = at_end;
        }
        MUST(status == first && at_end == first_end);
        if (at_end)
            MUST(strcmp(plain[i], plain[0]) == 0 && strcmp(disk[i], want) == 0 && n_disk == size);
    }
    MUST(close(fd) == 0);
    return 0;
}
