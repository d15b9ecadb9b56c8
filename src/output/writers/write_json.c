/* write_json.c - JSON documents and JSON lines, written directly: a tree of 330,000 rows helps nobody. */
#include <math.h>

#include "output/text/cells.h"
#include "output/escape/escape.h"
#include "output/writers/writer.h"

/* What every row needs, worked out once per frame. */
struct json_frame {
    const struct gs_str *key; /* [n_columns] "name":, quoted and escaped      */
    struct gs_str opening;    /* of each object, with the frame's name or not */
    bool lines;               /* one object per line, no commas between       */
};

/* JSON has no NaN and no infinity; both become null. */
static bool prints_null(const struct gs_frame *f, size_t row, size_t column)
{
    const struct gs_column *const c = &f->columns[column];
    if (c->spec->type == GS_TYPE_REAL)
        return !isfinite(c->real[row]);
    return gs_frame_is_missing(f, row, column);
}

static void append_row(struct gs_buf *b, const struct gs_frame *f, size_t row,
                       const struct json_frame *j)
{
    gs_buf_bytes(b, j->opening.ptr, j->opening.len);
    for (size_t c = 0; c < f->n_columns; c++) {
        if (c > 0)
            gs_buf_bytes(b, ", ", 2);
        gs_buf_bytes(b, j->key[c].ptr, j->key[c].len);
        const enum gs_type type = f->columns[c].spec->type;
        if (prints_null(f, row, c)) {
            gs_buf_bytes(b, "null", 4);
        } else if (type == GS_TYPE_TEXT) {
            gs_buf_json(b, f->columns[c].text[row]);
        } else {
            if (type == GS_TYPE_TIME)
                gs_buf_char(b, '"');
            gs_buf_bare(b, f, row, c);
            if (type == GS_TYPE_TIME)
                gs_buf_char(b, '"');
        }
    }
    gs_buf_char(b, '}');
}

static void json_rows(struct gs_buf *b, const struct gs_frame *part, const void *context)
{
    const struct json_frame *const j = context;
    for (size_t r = 0; r < part->n_rows; r++) {
        gs_buf_text_if(b, !j->lines && part->first_row + r > 0, ",");
        gs_buf_text_if(b, !j->lines, "\n  ");
        append_row(b, part, r, j);
        if (j->lines)
            gs_buf_char(b, '\n');
    }
}

/*
 * Keys are escaped once per frame instead of once per cell. Names of columns can come from a
 * user's metrics, so they are escaped at all.
 */
static enum gs_status prepare(struct gs_writer *w, const struct gs_frame *f, struct json_frame *j,
                              struct gs_err *err)
{
    GS_NEW(struct gs_str, key, f->n_columns, w->arena, err);
    for (size_t c = 0; c < f->n_columns; c++) {
        struct gs_buf b = {.arena = w->arena};
        gs_buf_json(&b, gs_str(f->columns[c].spec->name));
        gs_buf_text(&b, ": ");
        GS_TRY(gs_had_memory(!b.failed, err));
        key[c] = gs_buf_str(&b);
    }
    struct gs_buf opening = {.arena = w->arena};
    gs_buf_char(&opening, '{');
    if (j->lines && w->several) {
        gs_buf_text(&opening, "\"frame\": ");
        gs_buf_json(&opening, gs_str(f->name));
        if (f->n_columns > 0)
            gs_buf_text(&opening, ", ");
    }
    GS_TRY(gs_had_memory(!opening.failed, err));
    j->key = key;
    j->opening = gs_buf_str(&opening);
    return GS_OK;
}

static void append_head(struct gs_buf *b, const struct gs_frame *f, struct gs_arena *arena)
{
    struct gs_buf schema = {.arena = arena};
    gs_buf_format(&schema, "gpustat.%s/1", f->name);
    gs_buf_text(b, "{\"schema\": ");
    gs_buf_json(b, gs_buf_str(&schema));
    if (f->lead != NULL) {
        gs_buf_text(b, ",\n \"sentence\": ");
        gs_buf_json(b, gs_str(f->lead));
    }
    if (f->below != NULL) {
        gs_buf_text(b, ",\n \"limits\": ");
        gs_buf_json(b, gs_str(f->below));
    }
    gs_buf_text(b, ",\n \"columns\": [");
    for (size_t c = 0; c < f->n_columns; c++) {
        const struct gs_column_spec *const spec = f->columns[c].spec;
        gs_buf_text_if(b, c > 0, ",");
        gs_buf_text(b, "\n  {\"name\": ");
        gs_buf_json(b, gs_str(spec->name));
        gs_buf_text(b, ", \"unit\": ");
        gs_buf_json(b, gs_str(gs_or_empty(spec->unit)));
        gs_buf_char(b, '}');
    }
    gs_buf_text(b, "],\n \"rows\": [");
}

/*
 * One frame is an object, several or none an array: a reader of one command need not unwrap
 * anything.
 */
static bool is_array(const struct gs_writer *w)
{
    return w->several || w->first == NULL;
}

enum gs_status gs_open_json(struct gs_writer *w, struct gs_err *err)
{
    if (!is_array(w))
        return GS_OK;
    return gs_sink_write(w->sink, "[", 1, err);
}

enum gs_status gs_close_json(struct gs_writer *w, struct gs_err *err)
{
    if (is_array(w))
        return gs_sink_write(w->sink, "]\n", 2, err);
    return gs_sink_write(w->sink, "\n", 1, err);
}

enum gs_status gs_write_json(struct gs_writer *w, const struct gs_frame *f, size_t index,
                             struct gs_err *err)
{
    struct json_frame j = {.lines = false};
    struct gs_buf b = {.arena = w->arena};
    GS_TRY(prepare(w, f, &j, err));
    if (index > 0)
        gs_buf_text(&b, ",\n");
    append_head(&b, f, w->arena);
    GS_TRY(gs_writer_flush(w, &b, err));
    GS_TRY(gs_writer_rows(w, f, json_rows, &j, err));
    return gs_sink_write(w->sink, "]}", 2, err);
}

enum gs_status gs_write_jsonl(struct gs_writer *w, const struct gs_frame *f, size_t index,
                              struct gs_err *err)
{
    (void)index;
    struct json_frame j = {.lines = true};
    GS_TRY(prepare(w, f, &j, err));
    return gs_writer_rows(w, f, json_rows, &j, err);
}
