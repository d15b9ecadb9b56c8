/* missing_unit.c - lists columns without a unit and the option that gives it. */
#include "input/schema/missing_unit.h"

#include <string.h>

#include "input/schema/column_meaning.h"

bool gs_is_measure(const struct gs_metric *m)
{
    const enum gs_quantity q = gs_metric_quantity(m);
    return q == GS_Q_POWER || q == GS_Q_ENERGY;
}

bool gs_missing_units_add(struct gs_missing_units *l, struct gs_missing_unit lack,
                          struct gs_arena *arena)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->item[i].metric == lack.metric)
            return true;
    lack.why = gs_arena_copy(arena, lack.why, strlen(lack.why));
    if (lack.why == NULL || !gs_str_copy(arena, lack.column, &lack.column) ||
        !GS_HAS_ROOM(arena, l->item, l->n))
        return false;
    l->item[l->n++] = lack;
    return true;
}

/*
 * The line is meant for a shell, and column names come from files: quoting keeps a name such as
 * `$(rm)` a name.
 */
void gs_put_set(struct gs_buf *b, const char *metric, const char *field, struct gs_str value)
{
    static const char plain[] = GS_ALL_LETTERS GS_ALL_DIGITS "._-:/+,%@";
    const bool quoted = gs_str_skip(value, 0, plain) < value.len;
    gs_buf_format(b, quoted ? " --set 'samples.metrics.%s.%s=" : " --set samples.metrics.%s.%s=",
                  metric, field);
    for (size_t i = 0, from = 0; i <= value.len; i++) {
        if (i < value.len && value.ptr[i] != '\'' && value.ptr[i] != '\\')
            continue;
        gs_buf_escaped(b, gs_str_part(value, from, i), 0); /* whole: it is to be typed */
        if (i < value.len) /* a quote, or a pattern's own backslash */
            gs_buf_text(b, value.ptr[i] == '\'' ? "'\\''" : "\\");
        from = i + 1;
    }
    gs_buf_text_if(b, quoted, "'");
}

void gs_put_unit(struct gs_buf *b, const struct gs_metric *m, const char *fits)
{
    static const char *const others[GS_Q_RATE + 1] = {
        [GS_Q_POWER] = " (mW, J, ...)", [GS_Q_ENERGY] = " (mJ, kWh, ...)"};
    const char *const other = others[gs_metric_quantity(m)];
    gs_buf_format(b, " --set samples.metrics.%s.unit=%s", m->name, fits != NULL ? fits : m->unit);
    if (fits != NULL)
        gs_buf_text(b, " (the only unit its values fit)");
    else if (other != NULL)
        gs_buf_text(b, other);
}

void gs_put_missing_unit(struct gs_buf *b, struct gs_str column, const struct gs_metric *m,
                         const char *field, const char *fits)
{
    gs_buf_text(b, "column '");
    gs_buf_escaped(b, column, 80);
    gs_buf_text(b, "' has no unit: type");
    gs_put_set(b, m->name, field, column);
    gs_put_unit(b, m, fits);
}

const char *gs_missing_unit_advice(const struct gs_missing_unit *lack, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    bool typed = lack->column.len > 0; /* commas part lists, and quotes end the word */
    for (size_t i = 0; i < lack->column.len; i++)
        typed &= strchr(",'\\", lack->column.ptr[i]) == NULL;
    gs_buf_text(&b, lack->why);
    if (typed) {
        gs_buf_text(&b, "; or ignore it: --set 'samples.ignored=");
        gs_buf_escaped(&b, lack->column, 0);
        gs_buf_char(&b, '\'');
    }
    if (b.failed)
        return lack->why;
    return gs_buf_str(&b).ptr;
}

void gs_missing_unit_note(const struct gs_missing_unit *lack, const char *shown_file,
                          struct gs_notes *notes)
{
    GS_OWN struct gs_arena own = {0};
    gs_note(notes, gs_is_measure(lack->metric) ? GS_NOTE_WARNING : GS_NOTE_INFO, "%s: not read: %s",
            shown_file, gs_missing_unit_advice(lack, &own));
}
