/* spool.c - a little in memory, the rest in a file without name. */
#include "base/os/spool.h"

#include "base/num/order.h"

/*
 * Makes the file and moves what is in memory there; where none can be made all stays in memory.
 * A file that cannot be created is no error, because the answer fits in memory in most runs. A
 * file that was created and cannot be filled is one: the bytes are needed.
 */
static enum gs_status begin_file(struct gs_spool *s, struct gs_err *err)
{
    uint64_t at;
    if (gs_scratch_file_open(&s->file, s->dir, NULL) != GS_OK) {
        s->dir = NULL;
        return GS_OK;
    }
    const enum gs_status status =
        gs_scratch_file_put(&s->file, s->memory.ptr, s->memory.len, &at, err);
    gs_arena_release(&s->arena);
    s->memory = (struct gs_buf){0};
    return status;
}

static enum gs_status store(void *context, const char *bytes, size_t len, struct gs_err *err)
{
    struct gs_spool *const s = context;
    uint64_t at;
    const size_t most = s->most > 0 ? s->most : GS_SPOOL_MEMORY;
    s->memory.arena = &s->arena;
    if (!s->file.open && s->dir != NULL && s->memory.len + len > most)
        GS_TRY(begin_file(s, err));
    if (s->file.open)
        return gs_scratch_file_put(&s->file, bytes, len, &at, err);
    gs_buf_bytes(&s->memory, bytes, len);
    return gs_had_memory(!s->memory.failed, err);
}

struct gs_sink gs_spool_sink(struct gs_spool *s)
{
    return (struct gs_sink){store, s};
}

/*
 * May be called again: nothing is consumed. The room on the stack keeps sending free of
 * allocation.
 */
enum gs_status gs_spool_send(struct gs_spool *s, struct gs_sink to, struct gs_err *err)
{
    char room[1 << 14];
    if (!s->file.open)
        return gs_sink_write(to, s->memory.ptr, s->memory.len, err);
    const uint64_t end = atomic_load(&s->file.end);
    for (uint64_t at = 0; at < end;) {
        const size_t n = gs_min(end - at, sizeof room);
        GS_TRY(gs_scratch_file_get(&s->file, at, room, n, err));
        GS_TRY(gs_sink_write(to, room, n, err));
        at += n;
    }
    return GS_OK;
}

void gs_spool_release(struct gs_spool *s)
{
    gs_scratch_file_close(&s->file);
    gs_arena_release(&s->arena);
    *s = (struct gs_spool){0};
}
