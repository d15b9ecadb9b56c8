/* mapper_reject.c - hands malformed rows to the caller unchanged (--rejects). */
#include <string.h>

#include "input/import/mapper_parts.h"

/* The row's bytes; of a form that does not have them its cells, as in a table of commas. */
static struct gs_str bytes_of(const struct gs_mapper *m, const struct gs_form_row *r,
                              struct gs_buf *cells)
{
    if (r->raw.ptr != NULL)
        return r->raw;
    for (uint32_t i = 0; i < r->n_columns; i++) {
        if (!m->records.met[i])
            continue;
        gs_buf_text_if(cells, cells->len > 0, ",");
        gs_buf_add(cells, r->value[i]);
    }
    return gs_buf_str(cells);
}

/*
 * The reason is given without its place, which the caller adds: a rejects file has a line column.
 */
enum gs_status gs_mapper_reject(struct gs_mapper *m, const struct gs_form_row *r,
                                const struct gs_err *fault, struct gs_err *err)
{
    struct gs_buf cells = {.arena = &m->scratch}, place = {.arena = &m->scratch};
    const struct gs_str row = bytes_of(m, r, &cells);
    gs_buf_format(&place, "%s:%llu: ", m->records.name, (unsigned long long)r->line);
    GS_TRY(gs_had_memory(!cells.failed && !place.failed, err));
    const bool named = strncmp(fault->text, place.ptr, place.len) == 0;
    m->file->n_set_aside++;
    m->file->n_rejected++;
    return m->sink->reject(m->sink->context, r->line, fault->text + (named ? place.len : 0), row,
                           err);
}

enum gs_status gs_mapper_reject_row(void *mapper, uint64_t line, const char *reason,
                                    struct gs_str raw, struct gs_err *err)
{
    struct gs_mapper *const m = mapper;
    m->file->n_rows++;
    m->file->n_set_aside++;
    m->file->n_rejected++;
    return m->sink->reject(m->sink->context, line, reason, raw, err);
}
