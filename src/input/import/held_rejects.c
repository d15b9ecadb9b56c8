/* held_rejects.c - which malformed rows are so in the mapper's eyes, too. */
#include "input/import/held_rejects.h"

#include <string.h>

#include "input/formats/record_sink.h"
#include "input/schema/column_meaning.h"

/*
 * Does a cell begin as numbers do? Those of a header that names other columns do not. A row
 * without any number may be a new header, which the mapper understands and the scanner does not.
 */
static bool has_number(struct gs_str raw, char separator)
{
    bool begins = true;
    for (size_t i = 0; i < raw.len; i++) {
        if (begins && memchr("0123456789+-.", raw.ptr[i], 13) != NULL)
            return true;
        begins = raw.ptr[i] == separator || (begins && (raw.ptr[i] == ' ' || raw.ptr[i] == '"'));
    }
    return false;
}

/*
 * May a field be there only because a separator ends the line, or because a comma stands in an
 * instant? The mapper accepts these two forms of one field too many, so the scanner must not
 * reject them.
 */
static bool may_be_one_less(struct gs_str raw, char separator)
{
    size_t end = raw.len;
    while (end > 0 && strchr(" \t\r\"", raw.ptr[end - 1]) != NULL && raw.ptr[end - 1] != separator)
        end--;
    if (end == 0 || raw.ptr[end - 1] == separator)
        return true;
    for (size_t i = 0, next; i < raw.len; i = next) {
        next = gs_str_skip(raw, i + 1, GS_ALL_DIGITS);
        if (raw.ptr[i] == separator &&
            gs_is_instant_cut(gs_str_part(raw, 0, i), gs_str_part(raw, i + 1, next)))
            return true;
    }
    return false;
}

/*
 * Would the mapper set the row aside, too, for the same reason? If there is any doubt the whole
 * file is read by the mapper: the rejects must not depend on which of the two ways was taken.
 */
static bool is_certain(const struct gs_source *s, const struct gs_reject *row)
{
    const char separator = s->separator.ptr == NULL ? ',' : s->separator.ptr[0];
    const size_t first = gs_str_find_byte(row->raw, separator);
    if (!has_number(row->raw, separator))
        return false;
    switch (row->kind) {
    case GS_FAULT_FIELDS:
        /* a time alone is passed over by the mapper */
        return gs_str_skip(row->raw, first, (const char[]){separator, ' ', '\t', '\r', '\0'}) <
               row->raw.len;
    case GS_FAULT_ONE_FIELD_MORE:
        return !may_be_one_less(row->raw, separator);
    case GS_FAULT_VALUE:
        return !gs_takes_commas(separator); /* between semicolons 86,5 is a number to the mapper */
    case GS_FAULT_OTHER:
        break;
    }
    return false;
}

/* Reason and row are copied: both are in buffers of the reader. */
enum gs_status gs_reject_defer(void *context, const struct gs_reject *row, struct gs_err *err)
{
    struct gs_held_rejects *const h = context;
    if (!is_certain(h->source, row))
        return gs_fail_at(err, row->name, row->line, "%s", row->reason);
    GS_NEW(struct gs_held_reject, r, 1, h->arena, err);
    r->row = *row;
    r->row.reason = gs_arena_copy(h->arena, row->reason, strlen(row->reason));
    GS_TRY(
        gs_had_memory(r->row.reason != NULL && gs_str_copy(h->arena, row->raw, &r->row.raw), err));
    if (h->last == NULL)
        h->first = r;
    else
        h->last->next = r;
    h->last = r;
    return GS_OK;
}

enum gs_status gs_rejects_hand_on(const struct gs_held_rejects *held,
                                  const struct gs_load_options *to, struct gs_err *err)
{
    for (const struct gs_held_reject *r = held->first; r != NULL; r = r->next)
        GS_TRY(to->reject(to->reject_context, &r->row, err));
    return GS_OK;
}
