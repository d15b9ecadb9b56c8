/* shape.c - learns how records are written. */
#include "input/formats/shape.h"

void gs_shape_begin(struct gs_shapes *s, struct gs_record_sink *out, struct gs_str text)
{
    s->open.between.arena = out->arena;
    s->open.between.len = 0;
    s->open.n = 0;
    s->behind = text.ptr;
}

/* A record of too many values has no shape: `behind` is gone then. */
void gs_shape_value(struct gs_shapes *s, struct gs_str as_it_stands, uint32_t column, bool mark)
{
    if (s->behind == NULL)
        return;
    const size_t n = (size_t)(as_it_stands.ptr - s->behind);
    if (s->open.n == GS_SHAPE_VALUES_MAX || n > UINT32_MAX) {
        s->behind = NULL;
        return;
    }
    s->open.value[s->open.n].len = (uint32_t)n;
    s->open.value[s->open.n].column = column;
    s->open.value[s->open.n++].mark = mark;
    gs_buf_bytes(&s->open.between, s->behind, n);
    s->behind = as_it_stands.ptr + as_it_stands.len;
}

/* A value that its reader refuses leads here with a shape that is known. */
void gs_shape_end(struct gs_shapes *s, struct gs_str text)
{
    const char *const behind = s->behind;
    s->behind = NULL;
    if (behind == NULL)
        return;
    gs_buf_bytes(&s->open.between, behind, (size_t)(text.ptr + text.len - behind));
    if (s->open.between.failed || s->open.n == 0)
        return;
    for (unsigned k = 0; k < GS_SHAPES; k++)
        if (s->shape[k].n == s->open.n &&
            gs_str_eq(gs_buf_str(&s->shape[k].between), gs_buf_str(&s->open.between)))
            return;
    const struct gs_shape forgotten = s->shape[s->next];
    s->shape[s->next] = s->open;
    s->open = forgotten; /* for its room */
    s->next = (s->next + 1) % GS_SHAPES;
}
