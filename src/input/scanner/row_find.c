/* row_find.c - one pass over the bytes of a row that obeys quotes and stores nothing. */
#include "input/scanner/row_find.h"

#include <string.h>

/*
 * A table of 256 flags instead of four comparisons per byte: this loop sees every byte of a
 * split.
 */
struct gs_row_rules gs_row_rules_of(char separator)
{
    struct gs_row_rules r = {.separator = separator};
    r.ends[(unsigned char)separator] = r.ends['\n'] = r.ends['\r'] = r.ends['"'] = true;
    return r;
}

static const char *skip_blanks(const char *p, const char *end, char separator)
{
    while (p < end && (*p == ' ' || *p == '\t') && *p != separator)
        p++;
    return p;
}

/*
 * The quote that closes the field whose inside begins at `p`; NULL where it lies beyond `end`. A
 * quote at `end` may be the first of a doubled pair whose second has not been read. The caller
 * then takes it for the closing one and finds the row's end missing, so it asks for more bytes.
 */
static const char *closing_quote(const char *p, const char *end, struct gs_row_place *row,
                                 bool *doubled)
{
    const char *const begin = p;
    while ((p = memchr(p, '"', (size_t)(end - p))) != NULL && p + 1 < end && p[1] == '"') {
        *doubled = true;
        p += 2;
    }
    const char *const stop = p == NULL ? end : p;
    for (const char *n = begin; (n = memchr(n, '\n', (size_t)(stop - n))) != NULL; n++)
        row->n_lines++;
    return p;
}

static const char *trim(const char *begin, const char *end)
{
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return end;
}

/* Reads the field at *at and leaves *at on what ends it: the separator, a line end, or `end`. */
static enum gs_row_end one_field(const char **at, const char *end, const struct gs_row_rules *rules,
                                 struct gs_row_place *row, struct gs_str *field, bool *doubled)
{
    const char separator = rules->separator;
    const char *p = skip_blanks(*at, end, separator), *const begin = p;
    *doubled = false;
    if (p < end && *p == '"') {
        const char *const close = closing_quote(p + 1, end, row, doubled);
        if (close == NULL)
            return GS_ROW_GOES_ON;
        *field = (struct gs_str){begin + 1, (size_t)(close - begin - 1)};
        p = skip_blanks(close + 1, end, separator);
        *at = p;
        return p == end || *p == separator || *p == '\n' || *p == '\r' ? GS_ROW_FOUND
                                                                       : GS_ROW_QUOTE;
    }
    while (p < end && !rules->ends[(unsigned char)*p])
        p++;
    *field = (struct gs_str){begin, (size_t)(trim(begin, p) - begin)};
    *at = p;
    return p < end && *p == '"' ? GS_ROW_QUOTE : GS_ROW_FOUND;
}

/*
 * A carriage return as the last byte may be half of a CRLF. Without knowing, the line feed would
 * count as a blank line of its own.
 */
enum gs_row_end gs_row_find(const char *p, const char *end, bool at_end,
                            const struct gs_row_rules *rules, size_t field,
                            struct gs_row_place *row)
{
    *row = (struct gs_row_place){0};
    for (;;) {
        struct gs_str value;
        bool doubled;
        const enum gs_row_end e = one_field(&p, end, rules, row, &value, &doubled);
        if (e != GS_ROW_FOUND)
            return e;
        if (row->n_fields++ == field) {
            row->field = value;
            row->doubled = doubled;
        }
        if (p < end && *p == rules->separator) {
            p++;
            continue;
        }
        const bool ends = p < end;
        p += ends && *p == '\r'; /* alone or before a line feed */
        if (p == end && !at_end)
            return GS_ROW_GOES_ON;
        p += p < end && *p == '\n';
        row->n_lines += ends;
        row->next = p;
        return row->n_fields == 1 && value.len == 0 && !doubled ? GS_ROW_BLANK : GS_ROW_FOUND;
    }
}
