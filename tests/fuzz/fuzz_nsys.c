/* Databases of any bytes as reports of Nsight Systems: refused with a reason, or read, every record counted once. */
#include "target.h"

#include "input/import/mapper.h"

static uint64_t n_events;

static enum gs_status take_event(void *context, const struct gs_mapped_event *row,
                                 struct gs_err *err)
{
    (void)context, (void)err;
    MUST(row->event.ptr != NULL && row->start_ns <= row->stop_ns);
    n_events++;
    return GS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char text[] =
        "{\"schema\":\"gpustat.map/1\",\"sources\":[{\"role\":\"events\",\"files\":[\"f\"],"
        "\"form\":\"nsys\",\"event\":\"name\",\"start\":\"start_ns\",\"stop\":\"end_ns\","
        "\"host\":\"host\",\"gpu\":\"gpu_uuid\"}]}";
    char path[] =
        "/tmp/fuzz-nsys-XXXXXX"; /* SQLite opens by path: a file without a name will not do */
    struct gs_arena arena = {0};
    struct gs_map m = {0};
    struct gs_err err = {GS_OK, ""};
    const int fd = mkstemp(path);
    MUST(fd >= 0 && (size == 0 || write(fd, data, size) == (ssize_t)size) && close(fd) == 0);
    MUST(gs_map_parse(gs_str(text), "m", &arena, &m, NULL) == GS_OK);
    const struct gs_mapper_options o = {.seed = 1, .sink = {.event = take_event}};
    struct gs_mapped_source of;
    MUST(gs_texts_add(&m.source[0].path, gs_str(path), &arena) &&
         gs_mapped_source_init(&of, &m.source[0], 1, &arena));
    n_events = 0;
    const enum gs_status s = gs_map_file(&of, 0, NULL, &o, &err);
    MUST(s == GS_OK
             ? n_events == of.file->n_rows - of.file->n_set_aside - of.file->n_ignored
             : (s == GS_ERR_DATA || s == GS_ERR_IO || s == GS_ERR_MEMORY) && err.text[0] != '\0');
    MUST(unlink(path) == 0);
    gs_arena_release(&arena);
    return 0;
}
