/*
 * Maps of any bytes: refused with a reason, or printed so that they read back the same. Files of any bytes: refused, or
 * recognised and read by their form, every row counted once. The first byte chooses; it names the role of a file.
 */
#include "target.h"

#include "input/detect/map_build.h"
#include "input/import/load_options.h"

static struct gs_str print(const struct gs_map *m, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    gs_map_print(m, &b);
    MUST(!b.failed);
    return gs_buf_str(&b);
}

/* What is printed of a map is one, and prints the same. Texts that are not UTF-8 cannot stand in JSON. */
static void must_read_back(const struct gs_map *m, struct gs_arena *arena)
{
    struct gs_map again = {0};
    const struct gs_str once = print(m, arena);
    struct gs_err err = {0};
    if (gs_map_parse(once, "m", arena, &again, &err) != GS_OK) {
        MUST(err.text[0] != '\0'); /* a pattern that lost its bytes */
        return;
    }
    struct gs_map third = {0};
    const struct gs_str twice = print(&again, arena);
    MUST(gs_map_parse(twice, "m", arena, &third, NULL) == GS_OK);
    const struct gs_str thrice = print(&third, arena);
    MUST(gs_str_eq(twice, thrice));
}

static void take_map(const uint8_t *data, size_t size, struct gs_arena *arena)
{
    struct gs_map m = {0};
    struct gs_err err = {0};
    const enum gs_status s =
        gs_map_parse((struct gs_str){(const char *)data, size}, "m", arena, &m, &err);
    MUST(s == GS_OK || (s == GS_ERR_DATA && err.text[0] != '\0'));
    for (size_t i = 0; s == GS_OK && i < m.n_sources; i++)
        (void)gs_map_check(&m.source[i], "m", &err);
    if (s == GS_OK)
        must_read_back(&m, arena);
}

/* Lines of --set against a small map. */
static void take_sets(const uint8_t *data, size_t size, struct gs_arena *arena)
{
    static const char start[] =
        "{\"schema\":\"gpustat.map/"
        "1\",\"sources\":[{\"role\":\"samples\",\"files\":[\"a\",\"b\"],\"time\":\"t\","
        "\"metrics\":{\"power_w\":\"p\"}},{\"role\":\"events\",\"files\":[\"e\"],\"event\":\"n\","
        "\"start\":\"s\","
        "\"stop\":\"e\"}]}";
    struct gs_map m = {0};
    MUST(gs_map_parse(gs_str(start), "m", arena, &m, NULL) == GS_OK);
    for (size_t i = 0, from = 0; i <= size; i++)
        if (i == size || data[i] == '\n') {
            struct gs_err err = {0};
            const enum gs_status s =
                gs_map_set(&m, (struct gs_str){(const char *)data + from, i - from}, arena, &err);
            MUST(s == GS_OK || (s == GS_ERR_USAGE && err.text[0] != '\0'));
            from = i + 1;
        }
    (void)print(&m, arena);
}

static void take_file(const uint8_t *data, size_t size, unsigned role, struct gs_arena *arena)
{
    char path[MEMORY_PATH_MAX];
    const int fd = bytes_as_file(data, size, path);
    const char *const named = path;
    struct gs_map_request r = {.seed = 1};
    struct gs_map m = {0};
    struct gs_err err = {0};
    struct gs_notes notes = {.arena = arena};
    r.path[role % GS_N_ROLES] = &named;
    r.n_paths[role % GS_N_ROLES] = 1;
    enum gs_status s = gs_map_build(&r, arena, &m, &err);
    if (s == GS_OK) {
        const struct gs_load_options o = {.n_threads = 1, .seed = 1};
        s = gs_map_inspect(&m, &o, NULL, arena, &notes, &err);
        if (s == GS_OK)
            must_read_back(&m, arena);
    }
    MUST(s == GS_OK ||
         ((s == GS_ERR_DATA || s == GS_ERR_IO || s == GS_ERR_NOINPUT) && err.text[0] != '\0'));
    MUST(close(fd) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gs_arena arena = {0};
    if (size == 0)
        return 0;
    if (data[0] == 'm')
        take_map(data + 1, size - 1, &arena);
    else if (data[0] == '-')
        take_sets(data + 1, size - 1, &arena);
    else
        take_file(data + 1, size - 1, data[0], &arena);
    gs_arena_release(&arena);
    return 0;
}
