/* form_rows.c - runs a form's reader over lines in memory and writes what it hands out with commas between. */
#include "input/import/form_rows.h"

#include <string.h>

#include "base/core/text.h"
#include "base/num/order.h"
#include "input/import/gpu_names.h"

struct gs_form_rows {
    const struct gs_source *source;
    const struct gs_form *form;
    struct gs_record_sink records;
    struct gs_bound_where where;
    uint32_t n_fields;
    size_t digits_min, digits_max; /* of a plain number of time; 0: its size tells its unit */
    struct gs_arena *arena;
    struct gs_buf text;
    const char *begin, *end; /* of the lines */
    uint64_t n_written;      /* lines, with those that have no record */
    struct gs_form_table table;
};

/* A time's unit has to be the one that the scanner tells by its digits. */
static bool digits_of_unit(struct gs_str unit, size_t *min, size_t *max)
{
    static const struct {
        int64_t ns;
        size_t min, max;
    } sizes[] = {{GS_NS_PER_S, 1, 11}, {GS_NS_PER_MS, 12, 14}, {1000, 15, 17}, {1, 18, 19}};
    const struct gs_unit u = gs_unit_find(unit);
    for (size_t i = 0; u.quantity == GS_Q_TIME && i < sizeof sizes / sizeof *sizes; i++)
        if (u.num == sizes[i].ns && u.den == 1) {
            *min = sizes[i].min;
            *max = sizes[i].max;
            return true;
        }
    return false;
}

bool gs_form_rows_fit(const struct gs_source *s)
{
    size_t min, max;
    return gs_source_form(s)->is_of_lines && s->role == GS_ROLE_SAMPLES &&
           (s->time.unit.ptr == NULL || digits_of_unit(s->time.unit, &min, &max));
}

/* --- columns ------------------------------------------------------------------------------------------ */

static enum gs_status stop_at_first(void *context, const struct gs_form_row *record,
                                    struct gs_err *err)
{
    (void)context, (void)record, (void)err;
    return GS_ERR_RANGE;
}

static void add_column(struct gs_str *field, size_t *n, struct gs_str name)
{
    for (size_t i = 0; i < *n; i++)
        if (gs_str_eq(field[i], name))
            return;
    field[(*n)++] = name;
}

/* The time stands first. Texts are the map's, or copied. */
static enum gs_status list_columns(const struct gs_source *s, const struct gs_record_sink *records,
                                   struct gs_arena *arena, const struct gs_str **field, size_t *n,
                                   struct gs_err *err)
{
    uint32_t other[GS_OTHER_NAMES];
    size_t n_found = 0;
    GS_NEW(struct gs_str, found, s->metrics.n + 3 + GS_OTHER_NAMES, arena, err);
    const struct gs_map_value *const values[] = {&s->time, &s->host, &s->gpu};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i]->kind == GS_VALUE_COLUMN)
            add_column(found, &n_found, values[i]->column.item[0]);
    gs_gpu_other_names(s, records->column.text, records->met, records->column.n, other);
    for (int k = 0; k < GS_OTHER_NAMES; k++)
        if (other[k] != GS_INTERN_NONE) {
            struct gs_str name;
            GS_TRY(gs_had_memory(gs_str_copy(arena, records->column.text[other[k]], &name), err));
            add_column(found, &n_found, name);
        }
    for (size_t k = 0; k < s->metrics.n; k++)
        add_column(found, &n_found, s->metrics.item[k].value.column.item[0]);
    *field = found;
    *n = n_found;
    return GS_OK;
}

enum gs_status gs_form_rows_header(const struct gs_source *s, struct gs_str head, uint64_t seed,
                                   struct gs_arena *arena, const struct gs_str **field, size_t *n,
                                   struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_record_sink records;
    struct gs_text_in in;
    while (head.len > 0 && head.ptr[head.len - 1] != '\n')
        head.len--;
    *n = 0;
    gs_text_of(&in, head, "", &own);
    gs_record_sink_init(&records, "", seed, &own, stop_at_first, NULL);
    records.reading = true;
    enum gs_status status = gs_form_read(gs_source_form(s), &in, s, &records, err);
    if (status == GS_ERR_RANGE)
        status = list_columns(s, &records, arena, field, n, err);
    gs_record_sink_release(&records);
    return status;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static enum gs_status refuse(struct gs_err *err)
{
    return gs_fail(err, GS_ERR_DATA, "for the mapper");
}

/*
 * Room that was reserved: quoted, with its quotes doubled, a text has at most twice its bytes and two. NULL where it holds a
 * line end, by which the scanner would count a line more than the file has.
 */
static char *put_text(char *to, struct gs_str text)
{
    *to++ = '"';
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\n' || text.ptr[i] == '\r')
            return NULL;
        if (text.ptr[i] == '"')
            *to++ = '"';
        *to++ = text.ptr[i];
    }
    *to++ = '"';
    return to;
}

/* A text without quotes and control characters, eight bytes at a time; what it is not is written again. */
static inline char *put_cell(char *to, struct gs_str text)
{
    static const uint64_t ones = UINT64_C(0x0101010101010101);
    char *const from = to;
    uint64_t special = 0, v;
    size_t i = 0;
    *to++ = '"';
    for (; i + sizeof v <= text.len; i += sizeof v) {
        memcpy(&v, text.ptr + i, sizeof v);
        memcpy(to + i, &v, sizeof v);
        special |= (v - ones * ' ') & ~v & ones << 7;
        v ^= ones * '"';
        special |= (v - ones) & ~v & ones << 7;
    }
    for (; i < text.len; i++) {
        to[i] = text.ptr[i];
        special |= text.ptr[i] == '"' || (unsigned char)text.ptr[i] < ' ';
    }
    if (special != 0)
        return put_text(from, text);
    to += text.len;
    *to++ = '"';
    return to;
}

/* A number as it stands; anything else as a text. */
static inline char *put_number(char *to, struct gs_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.ptr[i];
        if (!gs_is_digit(c) && c != '.' && c != '-')
            return put_cell(to, text);
        to[i] = c;
    }
    return to + text.len;
}

/* Is the record a whole line, and the first of it? What the form says of its bytes tells. */
static bool is_line(const struct gs_form_rows *r, const struct gs_form_row *record)
{
    const struct gs_str raw = record->raw;
    if (raw.ptr == NULL || raw.ptr < r->begin || raw.ptr > r->end ||
        raw.len > (size_t)(r->end - raw.ptr))
        return false;
    const char *const behind = raw.ptr + raw.len;
    return record->line > r->n_written && (raw.ptr == r->begin || raw.ptr[-1] == '\n') &&
           (behind == r->end || *behind == '\n' || *behind == '\r');
}

/* A time that is no plain number of the map's unit is the mapper's. */
static bool is_of_unit(struct gs_form_rows *r, struct gs_str time)
{
    const size_t n = gs_str_skip(time, 0, GS_ALL_DIGITS);
    r->table.by_size |= r->digits_max == 0 && n >= 12;
    return r->digits_max == 0 || (n >= r->digits_min && n <= r->digits_max);
}

static enum gs_status write_row(void *context, const struct gs_form_row *record, struct gs_err *err)
{
    struct gs_form_rows *const r = context;
    if (!is_line(r, record))
        return refuse(err);
    if (!gs_where_matches(&r->where, record)) {
        r->table.n_ignored++;
        return GS_OK;
    }
    size_t most = record->line - r->n_written;
    for (uint32_t i = 0; i < r->n_fields; i++)
        most += record->value[i].len * 2 + 3;
    GS_TRY(gs_had_memory(gs_buf_reserve(&r->text, most), err));
    char *to = r->text.ptr + r->text.len;
    for (; r->n_written + 1 < record->line; r->n_written++)
        *to++ = '\n';
    for (uint32_t i = 0; i < r->n_fields; i++) {
        const struct gs_str cell = record->value[i];
        if (i == 0 && !is_of_unit(r, cell))
            return refuse(err);
        if (cell.len > 0 && (to = put_number(to, cell)) == NULL)
            return refuse(err);
        *to++ = ',';
    }
    to[-1] = '\n';
    r->text.len = (size_t)(to - r->text.ptr);
    r->n_written++;
    return GS_OK;
}

enum gs_status gs_form_rows_open(const struct gs_source *s, const struct gs_str *field, size_t n,
                                 uint64_t seed, struct gs_arena *arena, struct gs_form_rows **rows,
                                 struct gs_err *err)
{
    GS_NEW(struct gs_form_rows, r, 1, arena, err);
    *r = (struct gs_form_rows){.source = s,
                               .form = gs_source_form(s),
                               .n_fields = (uint32_t)n,
                               .arena = arena,
                               .text.arena = arena};
    gs_record_sink_init(&r->records, "", seed, arena, write_row, r);
    for (size_t i = 0; i < n; i++) /* their numbers are their places */
        if (gs_record_sink_column(&r->records, field[i]) != i)
            return gs_record_sink_full(&r->records, err);
    GS_TRY(gs_where_bind(&r->where, &s->where, &r->records, err));
    if (s->time.unit.ptr != NULL)
        (void)digits_of_unit(s->time.unit, &r->digits_min, &r->digits_max);
    r->records.reading = true;
    *rows = r;
    return GS_OK;
}

/*
 * No NUL, and if it is not ASCII it is UTF-8: other bytes mean something to the mapper. Counts the lines; in blocks, whose
 * sums fit a byte, so that the compiler makes vectors of it.
 */
static bool is_text(struct gs_str lines, uint64_t *n_lines)
{
    enum { BLOCK = 128 };
    unsigned char any = 0, nul = 0;
    unsigned c;
    for (size_t i = 0; i < lines.len; i += BLOCK) {
        const size_t n = gs_min((size_t)BLOCK, lines.len - i);
        unsigned char ends = 0;
        for (size_t k = 0; k < n; k++) {
            const unsigned char byte = (unsigned char)lines.ptr[i + k];
            any |= byte;
            nul |= byte == 0;
            ends = (unsigned char)(ends + (byte == '\n'));
        }
        *n_lines += ends;
    }
    for (size_t i = 0, n; (any & 0x80) != 0 && i < lines.len; i += n)
        if ((n = gs_utf8_next(gs_str_after(lines, i), &c)) == 0)
            return false;
    return nul == 0;
}

enum gs_status gs_form_rows_write(struct gs_form_rows *r, struct gs_str lines, size_t padding,
                                  bool at_end, struct gs_form_table *table, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_text_in in;
    r->table = (struct gs_form_table){0};
    r->n_written = 0;
    r->text.len = 0;
    r->begin = lines.ptr;
    r->end = lines.ptr + lines.len;
    r->records.n_torn = r->records.n_ignored = r->records.n_other = 0;
    if (!is_text(lines, &r->table.n_lines))
        return refuse(err);
    gs_text_of(&in, lines, "", &own);
    GS_TRY(gs_form_read(r->form, &in, r->source, &r->records, err));
    r->table.torn = r->records.n_torn > 0;
    if (r->records.n_torn > (at_end ? 1 : 0) || r->records.n_ignored + r->records.n_other > 0)
        return refuse(err);
    GS_TRY(gs_had_memory(gs_buf_reserve(&r->text, padding), err));
    memset(r->text.ptr + r->text.len, '\n', padding);
    r->table.text = gs_buf_str(&r->text);
    *table = r->table;
    return GS_OK;
}
