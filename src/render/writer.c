/* writer.c - what the formats share: rows written in parallel blocks, bare numbers, headings. */
#include "render/writer.h"

#include "num/decimal.h"
#include "os/parallel.h"
#include "num/timestamp.h"

enum {
    ROWS_PER_BLOCK = 1024,
    BLOCKS_PER_THREAD = 8, /* of one round: the threads meet at its end, so a few each even out the work */
    MAX_BLOCKS = 512,
};

enum gs_status gs_writer_flush(struct gs_writer *w, struct gs_buf *b, struct gs_err *err)
{
    if (b->failed)
        return gs_fail_memory(err);
    const enum gs_status s = gs_sink_write(w->sink, b->ptr, b->len, err);
    b->len = 0;
    return s;
}

struct block {
    struct gs_arena arena; /* its own: arenas are not shared between threads */
    struct gs_buf text;
};

struct round {
    const struct gs_frame *frame;
    gs_rows_fn *rows;
    const void *context;
    struct block *blocks;
    size_t first_row;
};

static int format_block(void *context, size_t item, unsigned thread)
{
    (void)thread;
    const struct round *const r = context;
    const size_t begin = r->first_row + item * ROWS_PER_BLOCK;
    const size_t left = r->frame->n_rows - begin;
    struct gs_buf *const text = &r->blocks[item].text;
    text->len = 0;
    r->rows(text, r->frame, begin, begin + (left < ROWS_PER_BLOCK ? left : ROWS_PER_BLOCK), r->context);
    return 0;
}

enum gs_status gs_writer_rows(struct gs_writer *w, const struct gs_frame *f, gs_rows_fn *rows, const void *context,
                              struct gs_err *err)
{
    const unsigned n_threads = w->options->n_threads < 1 ? 1 : w->options->n_threads;
    size_t n_slots = n_threads == 1 ? 1 : (size_t)n_threads * BLOCKS_PER_THREAD;
    if (n_slots > MAX_BLOCKS)
        n_slots = MAX_BLOCKS;
    struct block *const blocks = gs_arena_take(w->arena, n_slots, sizeof *blocks);
    if (blocks == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < n_slots; i++)
        blocks[i].text.arena = &blocks[i].arena;
    struct round r = {.frame = f, .rows = rows, .context = context, .blocks = blocks};
    enum gs_status s = GS_OK;
    while (r.first_row < f->n_rows && s == GS_OK) {
        const size_t left = (f->n_rows - r.first_row + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK;
        const size_t n = left < n_slots ? left : n_slots;
        (void)gs_parallel_for(n_threads, n, format_block, &r);
        for (size_t i = 0; i < n && s == GS_OK; i++)
            s = gs_writer_flush(w, &blocks[i].text, err);
        r.first_row += n * ROWS_PER_BLOCK;
    }
    for (size_t i = 0; i < n_slots; i++)
        gs_arena_release(&blocks[i].arena);
    return s;
}

const char *gs_frame_heading(const struct gs_frame *f)
{
    return f->title != NULL && f->title[0] != '\0' ? f->title : f->name;
}
