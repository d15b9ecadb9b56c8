/*
 * Files of any bytes as Parquet: refused with a reason or read to an end, the same however much is read at a time; and
 * where all of a file can be read, its typed values come to the rows that its text comes to.
 */
#include "target.h"

#include "../unit/two_readers.h"
#include "input/bytes/bytes.h"

enum { TEXT_MAX = 1 << 20 }; /* of what a few bytes may come to */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t steps[] = {1 << 16, 61};
    static char room[1 << 16];
    struct memory_file file;
    enum gs_status s[2] = {GS_OK, GS_OK};
    size_t n[2] = {0, 0};
    bool ended = false;
    MUST(memory_file_open(&file, (const char *)data, size));
    for (int i = 0; i < 2; i++) {
        struct gs_arena arena = {0};
        struct gs_bytes *b = NULL;
        struct gs_err err = {0};
        size_t got = 1;
        s[i] = gs_bytes_open(file.path, &arena, &b, &err);
        while (s[i] == GS_OK && got > 0 && n[i] < TEXT_MAX) {
            s[i] = gs_bytes_read(b, room, steps[i], &got, &err);
            n[i] += s[i] == GS_OK ? got : 0;
        }
        MUST(s[i] == GS_OK || err.text[0] != '\0');
        ended = s[i] == GS_OK && got == 0;
        gs_bytes_close(b);
        gs_arena_release(&arena);
    }
    MUST(s[0] == s[1] || n[0] >= TEXT_MAX || n[1] >= TEXT_MAX);
    (void)close(file.fd);
    const struct reading_way way = {.n_threads = 2, .rejects = true};
    if (ended && size >= 12)
        MUST(readers_agree(&way, size % 2 == 0 ? GS_TABLE_SAMPLES : GS_TABLE_CHECKPOINTS,
                           (const char *)data, size));
    return 0;
}
