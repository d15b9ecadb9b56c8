/* frame_rows.c - reads the rows of a frame, whether they are in memory or come from a source. */
#include <string.h>

#include "data/result/frame.h"
#include "base/num/order.h"

enum { READ_AT_ONCE = 4096 };

/* 16 or 8 bytes a cell. */
static size_t cell_size(const struct gs_column *c)
{
    return c->spec->type == GS_TYPE_TEXT ? sizeof *c->text : sizeof *c->integer;
}

void gs_frame_copy_cells(struct gs_column *to, size_t at, const struct gs_column *from,
                         size_t first, size_t n)
{
    const size_t size = cell_size(to);
    memcpy((char *)to->text + at * size, (const char *)from->text + first * size, n * size);
}

/* Rows in the order of a sort stand anywhere in the source: one by one, texts out of what is read for each. */
static enum gs_status read_in_order(const struct gs_frame *f, struct gs_frame *part,
                                    struct gs_arena *arena, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    GS_NEW_RAW(struct gs_column, one, f->n_columns, arena, err);
    for (size_t c = 0; c < f->n_columns; c++) {
        part->columns[c].text =
            gs_arena_take_raw(arena, part->n_rows, cell_size(&part->columns[c]));
        GS_TRY(gs_had_memory(part->columns[c].text != NULL, err));
    }
    for (size_t r = 0; r < part->n_rows; r++) {
        GS_REWINDS(&own);
        memcpy(one, part->columns, f->n_columns * sizeof *one);
        GS_TRY(f->source.read(f->source.rows, f->row_order[part->first_row + r], 1, one,
                              f->n_columns, &own, err));
        for (size_t c = 0; c < f->n_columns; c++) {
            struct gs_column *const to = &part->columns[c];
            gs_frame_copy_cells(to, r, &one[c], 0, 1);
            if (to->spec->type != GS_TYPE_TEXT || to->text[r].ptr == NULL)
                continue;
            to->text[r].ptr = gs_arena_copy(arena, to->text[r].ptr, to->text[r].len);
            GS_TRY(gs_had_memory(to->text[r].ptr != NULL, err));
        }
    }
    return GS_OK;
}

/*
 * A part of held rows shares their cells and must not be written to. A part of far rows owns
 * its cells in `arena`.
 */
enum gs_status gs_frame_part(const struct gs_frame *f, size_t first, size_t n,
                             struct gs_arena *arena, struct gs_frame *part, struct gs_err *err)
{
    GS_NEW_RAW(struct gs_column, columns, f->n_columns, arena, err);
    struct gs_frame made = *f;
    made.columns = columns;
    made.first_row = first;
    made.n_rows = n;
    made.source = (struct gs_row_source){0};
    made.row_order = NULL;
    memcpy(columns, f->columns, f->n_columns * sizeof *columns);
    if (f->source.read == NULL) {
        for (size_t c = 0; c < f->n_columns; c++)
            columns[c].text =
                (struct gs_str *)(void *)((char *)columns[c].text + first * cell_size(&columns[c]));
    } else if (f->row_order != NULL)
        GS_TRY(read_in_order(f, &made, arena, err));
    else
        GS_TRY(f->source.read(f->source.rows, first, n, columns, f->n_columns, arena, err));
    *part = made;
    return GS_OK;
}

/*
 * The memory of a part goes before the next is read. Writers of files can so print more rows
 * than fit in memory; whoever keeps a text must copy it.
 */
enum gs_status gs_frame_parts(const struct gs_frame *f, gs_frame_part_fn *take, void *context,
                              struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    for (size_t first = 0; first < f->n_rows; first += READ_AT_ONCE) {
        GS_REWINDS(&own);
        const size_t left = f->n_rows - first;
        struct gs_frame part = {0};
        GS_TRY(gs_frame_part(f, first, gs_min(left, READ_AT_ONCE), &own, &part, err));
        GS_TRY(take(context, &part, err));
    }
    return GS_OK;
}

/* A text like the one before it, which many are, is not copied again. */
static bool store_texts(struct gs_str *text, size_t n, struct gs_str *last, struct gs_arena *arena)
{
    for (size_t r = 0; r < n; r++) {
        if (text[r].ptr == NULL)
            continue;
        if (last->ptr == NULL || !gs_str_eq(*last, text[r]))
            *last = (struct gs_str){gs_arena_copy(arena, text[r].ptr, text[r].len), text[r].len};
        if (last->ptr == NULL)
            return false;
        text[r] = *last;
    }
    return true;
}

/* What is held of a frame. */
struct holding {
    const bool *wanted; /* [n_columns]; NULL: all */
    struct gs_column *columns;
    struct gs_str *last;
    struct gs_arena *arena;
};

static enum gs_status retain_part(void *context, const struct gs_frame *part, struct gs_err *err)
{
    const struct holding *const h = context;
    for (size_t c = 0; c < part->n_columns; c++) {
        if (h->wanted != NULL && !h->wanted[c])
            continue;
        struct gs_column *const to = &h->columns[c];
        gs_frame_copy_cells(to, part->first_row, &part->columns[c], 0, part->n_rows);
        if (to->spec->type == GS_TYPE_TEXT &&
            !store_texts(to->text + part->first_row, part->n_rows, &h->last[c], h->arena))
            return gs_fail_memory(err);
    }
    return GS_OK;
}

/* `columns` holds all columns afterwards, but only wanted ones have cells that may be read. */
enum gs_status gs_frame_load_columns(const struct gs_frame *f, const bool *wanted,
                                     struct gs_arena *arena, struct gs_column *columns,
                                     struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct holding h = {wanted, columns, gs_arena_take(&own, f->n_columns, sizeof *h.last), arena};
    GS_TRY(gs_had_memory(h.last != NULL, err));
    for (size_t c = 0; c < f->n_columns; c++) {
        columns[c] = f->columns[c];
        if (wanted != NULL && !wanted[c])
            continue;
        columns[c].text = gs_arena_take_raw(arena, f->n_rows, cell_size(&columns[c]));
        GS_TRY(gs_had_memory(columns[c].text != NULL, err));
    }
    return gs_frame_parts(f, retain_part, &h, err);
}

enum gs_status gs_frame_load(struct gs_frame *f, struct gs_arena *arena, struct gs_err *err)
{
    if (f->source.read == NULL)
        return GS_OK;
    GS_NEW(struct gs_column, columns, f->n_columns, arena, err);
    GS_TRY(gs_frame_load_columns(f, NULL, arena, columns, err));
    f->columns = columns;
    f->source = (struct gs_row_source){0};
    f->row_order = NULL;
    return GS_OK;
}
