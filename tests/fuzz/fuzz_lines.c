/*
 * Samples of any text form: read in chunks by several threads, and packed, which is read in one go and, of a form of lines,
 * by the form's own reader, they are the same.
 */
#include "target.h"

#include "../unit/two_readers.h"
#include "input/detect/map_build.h"
#include "input/import/run_load.h"

#include <zlib.h>

static int packed(const uint8_t *data, size_t size, char path[MEMORY_PATH_MAX])
{
    uint8_t *const room = malloc(size + size / 1000 + 100);
    z_stream z = {.next_in = (Bytef *)data, .avail_in = (uInt)size, .next_out = room};
    MUST(room != NULL && deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.avail_out = (uInt)(size + size / 1000 + 100);
    MUST(deflate(&z, Z_FINISH) == Z_STREAM_END);
    const int fd = bytes_as_file(room, z.total_out, path);
    MUST(deflateEnd(&z) == Z_OK);
    free(room);
    return fd;
}

static void read_run(const struct gs_load_options *o, const char *path, struct outcome *out)
{
    struct gs_arena arena = {0};
    struct gs_dataset d = {0};
    struct gs_err err = {0};
    struct gs_notes notes = {.arena = &arena};
    struct gs_map_request r = {.seed = 1, .path[GS_ROLE_SAMPLES] = &path};
    r.n_paths[GS_ROLE_SAMPLES] = 1;
    const enum gs_status s = gs_run_load(&r, o, false, &arena, &d, &notes, &err);
    const struct gs_table *const t = &d.table[GS_TABLE_SAMPLES];
    struct gs_buf b = {.arena = &out->arena};
    for (uint32_t k = 0; s == GS_OK && k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++)
            outcome_row(out, &d, GS_TABLE_SAMPLES, k << GS_SEGMENT_BITS | i);
    gs_buf_format(&b, "~ status %d %s", (int)s, s == GS_OK ? "" : err.text);
    for (uint32_t m = 0; s == GS_OK && m < d.n_metrics; m++)
        gs_buf_format(&b, " %s", d.metric[m]->name);
    outcome_add(out, gs_buf_str(&b).ptr);
    for (const struct gs_note *n = notes.first; s == GS_OK && n != NULL; n = n->next)
        if (strstr(n->text, "no line end") == NULL) /* what is packed ends otherwise */
            outcome_add(out, n->text);
    qsort(out->line, out->n_lines, sizeof *out->line, compare_lines);
    gs_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct outcome in_chunks = {0}, in_one_go = {0};
    char path[MEMORY_PATH_MAX];
    if (size == 0)
        return 0;
    struct gs_load_options o = {.n_threads = 1 + data[0] % 3,
                                .chunk_bytes = (size_t)64 << data[0] / 3 % 4,
                                .places = data[0] / 12 % 2,
                                .bad_is_missing = data[0] / 24 % 2,
                                .need[GS_TABLE_SAMPLES] = true,
                                .seed = 1};
    const int plain = bytes_as_file(data + 1, size - 1, path);
    read_run(&o, path, &in_chunks);
    MUST(close(plain) == 0);
    const int other =
        packed(data + 1, size - 1, path); /* of the same number, and so of the same name */
    MUST(other == plain);
    read_run(&o, path, &in_one_go);
    MUST(close(other) == 0);
    for (size_t k = 0; k < in_chunks.n_lines || k < in_one_go.n_lines; k++) {
        const char *const a = k < in_chunks.n_lines ? in_chunks.line[k] : "(end)";
        const char *const b = k < in_one_go.n_lines ? in_one_go.line[k] : "(end)";
        if (strcmp(a, b) != 0) {
            (void)fprintf(stderr, "in chunks:  %s\nin one go:  %s\n", a, b);
            abort();
        }
    }
    gs_arena_release(&in_chunks.arena);
    gs_arena_release(&in_one_go.arena);
    return 0;
}
