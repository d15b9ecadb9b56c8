/* names_unit.c - a column or a name of a long table whose unit stands nowhere. */
#include <string.h>

#include "recognise/names_parts.h"

bool gs_guess_note(const struct guess *g, const struct gs_buf *b, struct gs_str column, const struct gs_metric *m)
{
    if (b->failed)
        return false;
    if (*g->why == NULL && gs_is_measure(m))
        *g->why = gs_buf_str(b).ptr;
    return gs_lacks_add(g->lacks, (struct gs_lack){column, m, gs_buf_str(b).ptr}, g->arena);
}

bool gs_guess_note_unit(const struct guess *g, struct gs_str column, const struct gs_metric *m, bool wide)
{
    struct gs_buf b = {.arena = g->arena};
    gs_put_lack(&b, column, m, wide ? "columns" : "column");
    return gs_guess_note(g, &b, column, m);
}

bool gs_guess_note_long_unit(const struct guess *g, struct gs_str text, const struct gs_metric *m,
                             const char *name_column, const char *value_column)
{
    struct gs_buf b = {.arena = g->arena}, where = {.arena = g->arena};
    gs_buf_format(&where, "where.%s", name_column);
    gs_buf_char(&where, '\0');
    gs_buf_text(&b, "metric '");
    gs_buf_escaped(&b, text, 80);
    gs_buf_text(&b, "' has no unit; say");
    gs_put_set(&b, m->name, "column", gs_str(value_column));
    if (where.failed)
        return false;
    gs_put_set(&b, m->name, where.ptr, text);
    gs_put_unit(&b, m);
    return gs_guess_note(g, &b, text, m);
}
