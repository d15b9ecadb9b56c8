/* record_sink.c - records put together, and small helpers of the forms. */
#include "input/formats/record_sink.h"

#include <stdio.h>

#include "base/num/decimal.h"

void gs_record_sink_init(struct gs_record_sink *r, const char *name, uint64_t seed,
                         struct gs_arena *arena, gs_form_row_fn *take, void *context)
{
    *r = (struct gs_record_sink){.arena = arena,
                                 .name = name,
                                 .column = {.arena = arena, .seed = seed},
                                 .others = {.arena = arena},
                                 .base_ns = GS_MISSING,
                                 .take = take,
                                 .context = context,
                                 .line = 1};
}

void gs_record_sink_release(struct gs_record_sink *r)
{
    gs_arena_release(&r->kept);
}

/* Makes room for the columns up to this one; false without memory. */
static bool has_room(struct gs_record_sink *r, uint32_t id)
{
    for (; r->n_columns <= id; r->n_columns++) {
        const uint32_t n = r->n_columns;
        if (!GS_HAS_ROOM(r->arena, r->value, n) || !GS_HAS_ROOM(r->arena, r->put, n) ||
            !GS_HAS_ROOM(r->arena, r->met, n))
            return false;
        r->value[n] = GS_NO_STR;
        r->met[n] = false;
    }
    return true;
}

/*
 * Most records have the keys of the record before in the same order, so that column is tried before any hash is made.
 * GS_COLUMNS_MAX stops JSON whose keys are data (a host as a key) from making columns without
 * end.
 */
uint32_t gs_record_sink_column(struct gs_record_sink *r, struct gs_str name)
{
    uint32_t id = r->n_put < r->column.n ? r->put[r->n_put] : UINT32_MAX;
    if (id >= r->column.n || !gs_str_eq(r->column.text[id], name)) {
        id = r->column.n < GS_COLUMNS_MAX ? gs_intern_add(&r->column, name)
                                          : gs_intern_find(&r->column, name);
        if (id == GS_INTERN_NONE || !has_room(r, id)) {
            r->full = true;
            return GS_INTERN_NONE;
        }
    }
    r->met[id] |= r->reading;
    return id;
}

enum gs_status gs_record_sink_full(const struct gs_record_sink *r, struct gs_err *err)
{
    GS_TRY(gs_had_memory(r->column.n >= GS_COLUMNS_MAX, err));
    return gs_fail_at(err, r->name, r->line, "more than %d different columns", GS_COLUMNS_MAX);
}

/*
 * The first value of a column counts. `text` is not copied: it must stay until
 * gs_record_sink_end.
 */
void gs_record_sink_put(struct gs_record_sink *r, uint32_t column, struct gs_str text)
{
    if (column == GS_INTERN_NONE || r->value[column].ptr != NULL || text.ptr == NULL)
        return;
    r->value[column] = text;
    r->put[r->n_put++] = column;
}

void gs_record_sink_set(struct gs_record_sink *r, struct gs_str name, struct gs_str text)
{
    gs_record_sink_put(r, gs_record_sink_column(r, name), text);
}

void gs_record_sink_set_copy(struct gs_record_sink *r, struct gs_str name, struct gs_str text)
{
    r->full |= !gs_str_copy(&r->kept, text, &text);
    gs_record_sink_set(r, name, text);
}

/* Clears what was put and not all columns: a file may have thousands, a record few of them. */
void gs_record_sink_forget(struct gs_record_sink *r)
{
    for (uint32_t i = 0; i < r->n_put; i++)
        r->value[r->put[i]] = GS_NO_STR;
    r->n_put = 0;
    if (r->kept.head != NULL)
        gs_arena_rewind(&r->kept, (struct gs_arena_mark){0});
}

enum gs_status gs_record_sink_end(struct gs_record_sink *r, struct gs_err *err)
{
    const struct gs_form_row record = {r->value, r->column.n, r->line, NULL, r->raw};
    if (r->full)
        return gs_record_sink_full(r, err);
    const enum gs_status s = r->take(r->context, &record, err);
    gs_record_sink_forget(r);
    r->raw = GS_NO_STR;
    r->n_records++;
    return s;
}

enum gs_status gs_record_sink_next(struct gs_record_sink *r, const uint32_t column[2],
                                   const struct gs_str text[2], bool first, struct gs_err *err)
{
    const struct gs_form_row record = {r->value, r->column.n, r->line, first ? NULL : column,
                                       r->raw};
    for (int i = 0; i < 2; i++)
        r->value[column[i]] = text[i];
    const enum gs_status s = r->take(r->context, &record, err);
    for (int i = 0; i < 2; i++)
        r->value[column[i]] = GS_NO_STR;
    r->raw = GS_NO_STR;
    r->n_records++;
    return s;
}

enum gs_status gs_record_sink_reject(const struct gs_record_sink *r, uint64_t line,
                                     const char *reason, struct gs_str raw, struct gs_err *err)
{
    if (r->reject != NULL)
        return r->reject(r->context, line, reason, raw, err);
    return gs_fail_at(err, r->name, line, "%s", reason);
}

enum gs_status gs_record_sink_miscounted(const struct gs_record_sink *r, uint64_t line,
                                         const char *what, size_t n, size_t expected,
                                         struct gs_str raw, struct gs_err *err)
{
    char reason[80];
    (void)snprintf(reason, sizeof reason, "%zu %s%s, expected %zu", n, what, gs_plural(n, "", "s"),
                   expected);
    return gs_record_sink_reject(r, line, reason, raw, err);
}

struct gs_str gs_next_word(struct gs_str text, size_t *at)
{
    const size_t from = gs_str_skip(text, *at, " \t");
    *at = gs_str_until(text, from, " \t");
    return from == text.len ? GS_NO_STR : gs_str_part(text, from, *at);
}

size_t gs_cut_between(struct gs_str text, const char *between, struct gs_str *word, size_t most)
{
    size_t n = 0;
    for (size_t from, to = 0; n < most && (from = gs_str_skip(text, to, between)) < text.len;) {
        to = gs_str_until(text, from, between);
        word[n++] = gs_str_part(text, from, to);
    }
    return n;
}

size_t gs_cut_words(struct gs_str text, struct gs_str *word, size_t most)
{
    return gs_cut_between(text, " \t", word, most);
}

/* Z, +02:00 or +0200, or nothing. */
static bool is_offset(struct gs_str t)
{
    size_t digits = 0;
    if (t.len == 0 || (t.len == 1 && t.ptr[0] == 'Z'))
        return true;
    for (size_t i = 1; i < t.len; i++)
        digits += gs_is_digit(t.ptr[i]);
    return (t.ptr[0] == '+' || t.ptr[0] == '-') && digits == 4 &&
           (t.len == 5 || (t.len == 6 && t.ptr[3] == ':'));
}

/* 3, 6 or 9 digits only: "12:00:05,5" may well be a time and a reading of 5. */
bool gs_is_instant_cut(struct gs_str time, struct gs_str fraction)
{
    const size_t n = time.len, digits = gs_str_skip(fraction, 0, GS_ALL_DIGITS);
    if (n < 8 || time.ptr[n - 3] != ':' || time.ptr[n - 6] != ':' ||
        !gs_is_digit(time.ptr[n - 2]) || !gs_is_digit(time.ptr[n - 1]))
        return false;
    return (digits == 3 || digits == 6 || digits == 9) && is_offset(gs_str_after(fraction, digits));
}

size_t gs_cut_fields(struct gs_str line, char separator, struct gs_str *field, size_t most)
{
    size_t n = 0;
    for (size_t i = 0, from = 0; i <= line.len && n < most; i++)
        if (i == line.len || line.ptr[i] == separator) {
            field[n++] = gs_trimmed(gs_str_part(line, from, i));
            from = i + 1;
        }
    return n;
}

struct gs_str gs_head_line(struct gs_str *head)
{
    struct gs_str line = gs_str_take(head, '\n');
    line.len -= gs_str_ends(line, "\r");
    return line;
}

/* 400 lines, since tools print banners and warnings above what they measure. */
bool gs_head_has_line(struct gs_str head, bool (*is)(struct gs_str line))
{
    enum { LINES = 400 };
    for (size_t n = 0; head.len > 0 && n < LINES; n++)
        if (is(gs_head_line(&head)))
            return true;
    return false;
}
