/* writer.c - what the formats share: rows written in parallel blocks, bare numbers, headings. */
#include "output/writers/writer.h"

#include "base/num/order.h"
#include "base/os/parallel.h"

/* Of one round, at whose end the threads meet; together they hold a few MiB of text, whatever the threads are. */
enum { ROWS_PER_BLOCK = 256, BLOCKS_PER_THREAD = 8, MAX_BLOCKS = 32, BYTES_PER_CELL = 32 };

/*
 * Only the length is reset, so the buffer's room serves the next block. A failed buffer is
 * reported here, once for all appends before.
 */
enum gs_status gs_writer_flush(struct gs_writer *w, struct gs_buf *b, struct gs_err *err)
{
    GS_TRY(gs_had_memory(!b->failed, err));
    const enum gs_status s = gs_sink_write(w->sink, b->ptr, b->len, err);
    b->len = 0;
    return s;
}

struct block {
    struct gs_arena arena, rows; /* its own: arenas are not shared between threads */
    struct gs_buf text;
    struct gs_err err;
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
    const size_t first = r->first_row + item * ROWS_PER_BLOCK, left = r->frame->n_rows - first;
    struct block *const b = &r->blocks[item];
    GS_REWINDS(&b->rows);
    struct gs_frame part;
    b->text.len = 0;
    const enum gs_status s =
        gs_frame_part(r->frame, first, gs_min(left, ROWS_PER_BLOCK), &b->rows, &part, &b->err);
    /* at once: a buffer that grows leaves its old bytes */
    (void)gs_buf_reserve(&b->text, ROWS_PER_BLOCK * r->frame->n_columns * BYTES_PER_CELL);
    if (s == GS_OK)
        r->rows(&b->text, &part, r->context);
    return s != GS_OK;
}

/*
 * Blocks are formatted in parallel and sent in order by the calling thread: the bytes do not
 * depend on the number of threads, and memory does not on the number of rows.
 */
enum gs_status gs_writer_rows(struct gs_writer *w, const struct gs_frame *f, gs_rows_fn *rows,
                              const void *context, struct gs_err *err)
{
    const unsigned n_threads = gs_max(1, w->options->n_threads);
    size_t n_slots = n_threads == 1 ? 1 : (size_t)n_threads * BLOCKS_PER_THREAD;
    if (n_slots > MAX_BLOCKS)
        n_slots = MAX_BLOCKS;
    GS_NEW(struct block, blocks, n_slots, w->arena, err);
    for (size_t i = 0; i < n_slots; i++)
        blocks[i].text.arena = &blocks[i].arena;
    struct round r = {.frame = f, .rows = rows, .context = context, .blocks = blocks};
    enum gs_status s = GS_OK;
    while (r.first_row < f->n_rows && s == GS_OK) {
        const size_t left = (f->n_rows - r.first_row + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK;
        const size_t n = gs_min(left, n_slots);
        (void)gs_parallel_for(n_threads, n, format_block, &r);
        for (size_t i = 0; i < n && s == GS_OK; i++) {
            s = blocks[i].err.status;
            if (s != GS_OK && err != NULL)
                *err = blocks[i].err;
            GS_THEN(s, gs_writer_flush(w, &blocks[i].text, err));
        }
        r.first_row += n * ROWS_PER_BLOCK;
    }
    for (size_t i = 0; i < n_slots; i++) {
        gs_arena_release(&blocks[i].arena);
        gs_arena_release(&blocks[i].rows);
    }
    return s;
}

const char *gs_frame_heading(const struct gs_frame *f)
{
    return f->title != NULL && f->title[0] != '\0' ? f->title : f->name;
}
