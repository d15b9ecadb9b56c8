/* names_unit.c - a power or an energy whose unit stands nowhere: what to type for it. */
#include <string.h>

#include "recognise/names_parts.h"

void gs_guess_put_set(struct gs_buf *b, const char *metric, const char *field, struct gs_str value)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:/+,%@";
    bool quoted = false;
    for (size_t i = 0; i < value.len; i++)
        quoted |= memchr(plain, value.ptr[i], sizeof plain - 1) == NULL;
    gs_buf_format(b, quoted ? " --set 'samples.metrics.%s.%s=" : " --set samples.metrics.%s.%s=", metric, field);
    for (size_t i = 0, from = 0; i <= value.len; i++) {
        if (i < value.len && value.ptr[i] != '\'')
            continue;
        gs_buf_escaped(b, (struct gs_str){value.ptr + from, i - from}, 120);
        gs_buf_text(b, i < value.len ? "'\\''" : "");
        from = i + 1;
    }
    gs_buf_text(b, quoted ? "'" : "");
}

/* Ends what is said, and keeps it: why nothing is found, and of a power what the source lacks where it has no other. */
static bool keep(const struct guess *g, struct gs_buf *b, struct gs_str column, const char *metric)
{
    static const char *const powers[] = {"power_w", "power_instant_w", "power_average_w"};
    gs_buf_format(b, " --set samples.metrics.%s.unit=%s", metric,
                  strcmp(metric, "energy_j") == 0 ? "J (mJ, kWh, ...)" : "W (mW, J, ...)");
    if (b->failed)
        return false;
    if (*g->why == NULL)
        *g->why = gs_buf_str(b).ptr;
    for (size_t i = 0; i < sizeof powers / sizeof *powers && g->lack->why == NULL; i++)
        if (strcmp(metric, powers[i]) == 0)
            *g->lack = (struct gs_lack){column, gs_buf_str(b).ptr};
    return true;
}

bool gs_guess_note_unit(const struct guess *g, struct gs_str column, const char *metric, bool wide)
{
    struct gs_buf b = {.arena = g->arena};
    gs_buf_text(&b, "column '");
    gs_buf_escaped(&b, column, 80);
    gs_buf_text(&b, "' has no unit; say");
    gs_guess_put_set(&b, metric, wide ? "columns" : "column", column);
    return keep(g, &b, column, metric);
}

bool gs_guess_note_long_unit(const struct guess *g, struct gs_str text, const char *metric, const char *name_column,
                             const char *value_column)
{
    struct gs_buf b = {.arena = g->arena}, where = {.arena = g->arena};
    gs_buf_format(&where, "where.%s", name_column);
    gs_buf_char(&where, '\0');
    gs_buf_text(&b, "metric '");
    gs_buf_escaped(&b, text, 80);
    gs_buf_text(&b, "' has no unit; say");
    gs_guess_put_set(&b, metric, "column", gs_str(value_column));
    if (where.failed)
        return false;
    gs_guess_put_set(&b, metric, where.ptr, text);
    return keep(g, &b, gs_str(value_column), metric);
}
