/* format_table.c - delimited tables: quoted ones through libcsv, others cut at their separator. */
#include <string.h>

#include "base/num/order.h"
#include "input/bytes/csv.h"
#include "input/formats/formats.h"
#include "input/schema/column_meaning.h"

enum { FIELDS_MAX = GS_CSV_FIELDS_MAX };

enum title { TITLE_NONE, TITLE_ANY, TITLE_PROCESSOR };

struct table {
    const struct gs_source *source;
    struct gs_record_sink *out;
    struct gs_text_in *in;
    uint64_t skip;
    uint64_t header_rows, n_headers;
    struct gs_str *header; /* [n_columns] as the file has it */
    uint32_t *column;      /* [n_columns] numbers of them    */
    unsigned repeat;       /* the next number of a name that comes again */
    size_t n_columns;
    bool numbers;            /* a row before had a number */
    bool has_rows, summed;   /* what stands below rows and a ruler is their summary */
    bool any, last_is_short; /* the row before had too few fields: torn if it was the last */
    uint64_t short_line;
    size_t short_fields;
    struct gs_buf short_raw;
    struct gs_str *joined; /* [FIELDS_MAX] a row whose instant a comma has cut in two */
    struct gs_buf instant;
    bool foreign;         /* the rows are another table's, of which nothing is read */
    bool unread;          /* ... by its header                                      */
    enum title title;     /* what the line above says of a table                    */
    size_t n_named;       /* names in the line before, which may head another table  */
    struct gs_buf naming; /* these, each with a 0 behind it                          */
};

/*
 * Names a column twice where the header does: "Watts", then "Watts (2)". Two columns of one name
 * must stay apart, or the second would silently be dropped.
 */
static enum gs_status name_column(struct table *t, size_t i, struct gs_str name, struct gs_err *err)
{
    struct gs_buf b = {.arena = t->out->arena};
    const bool again = i > 0 && gs_str_eq(name, t->header[i - 1]); /* all lower numbers are taken */
    gs_buf_add(&b, name);
    if (again)
        gs_buf_format(&b, " (%u)", t->repeat);
    for (t->repeat = again ? t->repeat + 1 : 2;; t->repeat++) {
        const uint32_t id = gs_record_sink_column(t->out, gs_buf_str(&b));
        if (id == GS_INTERN_NONE || b.failed)
            return gs_record_sink_full(t->out, err);
        size_t j = 0;
        while (j < i && t->column[j] != id)
            j++;
        if (j == i) {
            t->column[i] = id;
            return GS_OK;
        }
        b.len = name.len;
        gs_buf_format(&b, " (%u)", t->repeat);
    }
}

/* Does a column say of which processor or socket its rows are? */
static bool names_processor(struct gs_str column)
{
    return gs_words_meter(column) || GS_IS_ONE_OF(column, "socket", "processor", "core");
}

/* Does a header have something that is read beside the time, and is it not a processor's, without the GPUs that others name? */
static bool reads_header(const struct table *t)
{
    const struct gs_source *const s = t->source;
    bool reads = false, gpu = s->gpu.kind != GS_VALUE_COLUMN, processor = false;
    if (s->role != GS_ROLE_SAMPLES || s->metrics.n == 0)
        return true;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct gs_str name = gs_trimmed(t->header[i]);
        reads |= gs_source_reads(s, name) && !gs_map_value_takes(&s->time, name);
        gpu |= gs_map_value_takes(&s->gpu, name);
        processor |= names_processor(name);
    }
    return reads && (gpu || !processor);
}

/* Rows follow a header: of a table that is read, or of another, which is named. */
static void begin_rows(struct table *t)
{
    t->foreign = t->unread || (t->title == TITLE_PROCESSOR && t->source->role == GS_ROLE_SAMPLES);
    t->title = TITLE_NONE;
    if (!t->foreign || t->out->others.len > 0)
        return;
    for (size_t i = 0; i < t->n_columns; i++) {
        gs_buf_text_if(&t->out->others, i > 0, ", ");
        gs_buf_add(&t->out->others, gs_trimmed(t->header[i]));
    }
}

/*
 * Header rows that stand above one another are joined with a slash, as pandas writes several
 * levels.
 */
static enum gs_status parse_header(struct table *t, const struct gs_str *field, size_t n,
                                   struct gs_err *err)
{
    struct gs_arena *const arena = t->out->arena;
    if (t->n_headers == 0) {
        t->header = gs_arena_take(arena, n, sizeof *t->header);
        t->column = gs_arena_take(arena, n, sizeof *t->column);
        t->n_columns = n;
    }
    GS_TRY(gs_had_memory(t->header != NULL && t->column != NULL, err));
    for (size_t i = 0; i < n && i < t->n_columns; i++) {
        struct gs_buf b = {.arena = arena};
        gs_buf_add(&b, t->header[i]);
        if (b.len > 0 && field[i].len > 0)
            gs_buf_char(&b, '/');
        gs_buf_add(&b, field[i]);
        GS_TRY(gs_had_memory(!b.failed, err));
        t->header[i] = gs_buf_str(&b);
    }
    if (++t->n_headers < t->header_rows)
        return GS_OK;
    for (size_t i = 0; i < t->n_columns; i++)
        GS_TRY(name_column(t, i, t->header[i], err));
    t->unread = !reads_header(t);
    begin_rows(t);
    return GS_OK;
}

/* Names of the map in place of the header's. */
static enum gs_status parse_names(struct table *t, struct gs_err *err)
{
    const struct gs_texts *const names = &t->source->columns;
    t->n_columns = names->n;
    t->header = names->item;
    GS_TAKE(t->column, names->n, t->out->arena, err);
    for (size_t i = 0; i < names->n; i++)
        GS_TRY(name_column(t, i, names->item[i], err));
    return GS_OK;
}

/* "13:18:58,369" is one field, though a comma parts the others. */
static enum gs_status join_instant(struct table *t, const struct gs_str **field, size_t *n,
                                   struct gs_err *err)
{
    const struct gs_str *const f = *field;
    size_t at = 0;
    while (at + 1 < *n && !gs_is_instant_cut(f[at], f[at + 1]))
        at++;
    if (at + 1 == *n)
        return GS_OK;
    if (t->joined == NULL)
        t->joined = gs_arena_take(t->out->arena, FIELDS_MAX, sizeof *t->joined);
    t->instant.arena = t->out->arena;
    t->instant.len = 0;
    gs_buf_add(&t->instant, f[at]);
    gs_buf_char(&t->instant, '.');
    gs_buf_bytes(&t->instant, f[at + 1].ptr, f[at + 1].len);
    GS_TRY(gs_had_memory(t->joined != NULL && !t->instant.failed, err));
    for (size_t i = 0; i + 1 < *n; i++)
        t->joined[i] = f[i + (i > at)];
    t->joined[at] = gs_buf_str(&t->instant);
    *field = t->joined;
    --*n;
    return GS_OK;
}

/* Not a digit in a row: it names things. */
static bool is_all_words(const struct gs_str *field, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < field[i].len; k++)
            if (gs_is_digit(field[i].ptr[k]))
                return false;
    return n > 1;
}

static bool all_empty(const struct gs_str *field, size_t n)
{
    size_t i = 0;
    while (i < n && gs_trimmed(field[i]).len == 0)
        i++;
    return i == n;
}

/* Does a cell begin as a number or an instant does? */
static bool begins_number(struct gs_str cell)
{
    cell = gs_trimmed(cell);
    return cell.len > 0 && memchr("0123456789+-.", cell.ptr[0], 13) != NULL;
}

/* A header of other columns, or in another order: it has names of the one before, one where it is of another length. */
static bool is_header_changed(const struct table *t, const struct gs_str *field, size_t n)
{
    size_t same = 0;
    for (size_t i = 0; i < n; i++) {
        const struct gs_str cell = gs_trimmed(field[i]);
        if (begins_number(cell))
            return false; /* a row like any other */
        for (size_t k = 0; k < t->n_columns; k++)
            if (cell.len > 0 && gs_str_eq(cell, gs_trimmed(t->header[k]))) {
                same++;
                break;
            }
    }
    return same > 1 || (same == 1 && n > 1 && (n != t->n_columns || t->numbers));
}

/*
 * Names alone below rows of numbers: the header of another table, where the row below is cut as it is. Two words may be prose
 * between rows that go on with their times.
 */
static void keep_naming(struct table *t, const struct gs_str *field, size_t n)
{
    bool names = t->numbers && t->source->columns.n == 0 && t->header_rows == 1 && n > 1;
    t->naming.len = 0;
    for (size_t i = 0; i < n && names; i++) {
        const struct gs_str cell = gs_trimmed(field[i]);
        names = gs_str_skip(cell, 0, GS_ALL_LETTERS) > 0 && !gs_is_missing_word(cell);
        gs_buf_add(&t->naming, cell);
        gs_buf_char(&t->naming, '\0');
    }
    t->n_named = names ? n : 0;
    t->out->full |= t->naming.failed;
}

static enum gs_status take_naming(struct table *t, const struct gs_str *field, size_t n,
                                  struct gs_err *err)
{
    const bool heads = t->n_named == n && (n > 2 || !gs_is_instant_line(field[0]));
    t->n_named = 0;
    if (!heads || t->naming.failed)
        return GS_OK;
    GS_NEW(struct gs_str, name, n, t->out->arena, err);
    const char *p = t->naming.ptr;
    for (size_t i = 0; i < n; p += name[i++].len + 1)
        name[i] = gs_str(p);
    t->n_headers = 0;
    return parse_header(t, name, n, err);
}

/*
 * A line of people's or of a tool's around a table: a comment, or one of which no field begins as a number does, where the
 * table has others or other rows have numbers. What begins so is a row that is broken.
 * Careful in one direction: a broken row must be reported, so a line with any number is not
 * prose.
 */
static bool is_prose(struct table *t, const struct gs_str *field, size_t n)
{
    const struct gs_str first = gs_trimmed(field[0]), own = gs_trimmed(t->header[0]);
    if (first.len > 0 && first.ptr[0] == '#' && (own.len == 0 || own.ptr[0] != '#'))
        return true;
    /* What `time` printed between two tables; where rows begin with their time it is a torn row. */
    if (n == 1 && t->n_columns > 2 && gs_is_instant_line(first) &&
        gs_column_meaning(own) == GS_MEANS_NOTHING)
        return true;
    bool number = (n == 1 && first.len == 0) || t->n_columns < 3;
    for (size_t i = 0; i < n && !number; i++)
        number = begins_number(field[i]);
    if (number || (n == t->n_columns && !t->numbers)) {
        t->numbers |= number && n == t->n_columns;
        return false;
    }
    return true;
}

/* "|---|---:|", "-------- ------": a line between a header and its rows, or between rows and their summary. */
static bool is_ruler(const struct gs_str *field, size_t n)
{
    bool dashes = false;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < field[i].len; k++)
            if (memchr("-=:+ \t\r", field[i].ptr[k], 7) == NULL)
                return false;
        dashes |= gs_str_holds(field[i], "--");
    }
    return dashes;
}

/* A header again, as nvidia-smi prints it every so often and as files put end to end have it. */
static bool is_header_again(const struct table *t, const struct gs_str *field, size_t n)
{
    if (n != t->n_columns)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!gs_str_eq(gs_trimmed(field[i]), gs_trimmed(t->header[i])))
            return false;
    return true;
}

static enum gs_status wrong_fields(const struct table *t, uint64_t line, size_t n,
                                   struct gs_str raw, struct gs_err *err)
{
    return gs_record_sink_miscounted(t->out, line, "field", n, t->n_columns, raw, err);
}

/* A reading that a tool's caller took with the line below it: "26.11 LF 0" is of the first line. */
static struct gs_str first_line(struct table *t, struct gs_str cell)
{
    const size_t end = gs_str_find_byte(cell, '\n');
    if (end == cell.len || !begins_number(cell))
        return cell;
    t->out->n_cut++;
    return (struct gs_str){cell.ptr, end};
}

/* Takes a header, or passes over one that is there again; *is: the row is one. */
static enum gs_status pass_header(struct table *t, const struct gs_str *field, size_t n, bool *is,
                                  struct gs_err *err)
{
    const bool named = t->source->columns.n > 0, repeats = !named && t->header_rows == 1;
    *is = true;
    if (t->n_headers < t->header_rows) {
        /* Rows of the header that the map names columns for are passed over. */
        if (!named)
            return parse_header(t, field, n, err);
        t->n_headers++;
        return GS_OK;
    }
    /* Where the columns have names, a header is none of its rows. */
    if ((repeats && is_header_again(t, field, n)) ||
        (named && t->header_rows == 0 && is_all_words(field, n))) {
        t->out->n_ignored++;
        if (t->title != TITLE_NONE)
            begin_rows(t);
        return GS_OK;
    }
    *is = repeats && is_header_changed(t, field, n);
    if (!*is)
        return GS_OK;
    t->out->n_ignored++;
    t->n_headers = 0;
    return parse_header(t, field, n, err);
}

/* What a line above a table may call it; `around`: it is no row. */
static enum title title_of(bool around, const struct gs_str *field, size_t n)
{
    if (!around)
        return TITLE_NONE;
    return n == 1 && gs_words_meter(field[0]) ? TITLE_PROCESSOR : TITLE_ANY;
}

/* Passes over a line that is no row of the table: a ruler, what stands below it, prose, or a row of another table. */
static enum gs_status pass_other(struct table *t, const struct gs_str *field, size_t n,
                                 bool *passed, struct gs_err *err)
{
    const bool ruler = is_ruler(field, n);
    if (!ruler && !t->summed)
        GS_TRY(take_naming(t, field, n, err));
    const bool around = ruler || t->summed || is_prose(t, field, n);
    *passed = around || t->foreign;
    t->summed |= ruler && t->has_rows;
    t->out->n_other += around;
    t->out->n_foreign += !around && t->foreign;
    if (around)
        keep_naming(t, field, n);
    if (!ruler)
        t->title = title_of(around, field, n);
    return GS_OK;
}

/*
 * A short row is held back by one row: only at the end of the file is it a write that was cut
 * off.
 */
static enum gs_status parse_row(struct table *t, const struct gs_str *field, size_t n,
                                uint64_t line, struct gs_str raw, struct gs_err *err)
{
    t->out->line = line;
    if (t->last_is_short) {
        GS_TRY(wrong_fields(t, t->short_line, t->short_fields, gs_buf_str(&t->short_raw), err));
        t->last_is_short = false;
    }
    t->any = true;
    bool is_header;
    const enum gs_status status = pass_header(t, field, n, &is_header, err);
    if (is_header) {
        t->summed = false;
        return status;
    }
    if (n == t->n_columns && field[0].len > 0 && gs_is_digit(field[0].ptr[0]))
        t->summed = false; /* a row like those above the ruler, and no word for a sum */
    bool passed;
    GS_TRY(pass_other(t, field, n, &passed, err));
    if (passed)
        return GS_OK;
    t->has_rows = true;
    /* One more, empty: a separator at the end of each line. */
    if (n == t->n_columns + 1 && field[n - 1].len == 0)
        n--;
    if (n == t->n_columns + 1 && t->n_columns > 1)
        GS_TRY(join_instant(t, &field, &n, err));
    if (n < t->n_columns && n > 1 && all_empty(field + 1, n - 1)) { /* a time alone */
        t->out->n_other++;
        return GS_OK;
    }
    if (n < t->n_columns) { /* an error, but at the end of a file that broke off */
        t->last_is_short = true;
        t->short_line = line;
        t->short_fields = n;
        t->short_raw.len = 0;
        gs_buf_add(&t->short_raw, raw);
        return gs_had_memory(!t->short_raw.failed, err);
    }
    if (n > t->n_columns)
        return wrong_fields(t, line, n, raw, err);
    t->out->raw = raw;
    for (size_t i = 0; i < n; i++)
        gs_record_sink_put(t->out, t->column[i], first_line(t, field[i]));
    return gs_record_sink_end(t->out, err);
}

static enum gs_status parse_csv_row(void *context, const struct gs_csv_row *row, struct gs_err *err)
{
    return parse_row(context, row->field, row->n_fields, row->line, row->raw, err);
}

static enum gs_status read_quoted(struct table *t, char separator, struct gs_err *err)
{
    struct gs_csv_parser *parser = NULL;
    struct gs_str piece = {NULL, 0};
    for (uint64_t i = 0; i < t->skip; i++) {
        const enum gs_status s = gs_text_line(t->in, &piece, err);
        if (s != GS_OK || piece.ptr == NULL)
            return s;
    }
    const struct gs_csv_options options = {.name = t->in->name,
                                           .name_is_escaped = true,
                                           .keep_raw = t->out->reject != NULL,
                                           .delimiter = separator,
                                           .first_line = t->skip + 1};
    enum gs_status s = gs_csv_open(&options, parse_csv_row, t, t->out->arena, &parser, err);
    /* What the lines that were skipped left of the piece. */
    if (s == GS_OK && t->skip > 0)
        s = gs_csv_feed(parser, t->in->piece.ptr + t->in->piece_at,
                        t->in->piece.len - t->in->piece_at, err);
    while (s == GS_OK && (s = gs_text_piece(t->in, &piece, err)) == GS_OK && piece.len > 0)
        s = gs_csv_feed(parser, piece.ptr, piece.len, err);
    if (s == GS_OK && !t->in->cut)
        s = gs_csv_finish(parser, err);
    gs_csv_close(parser);
    return s;
}

/*
 * Bars and blanks come from tools that print for people and do not quote; there a quote is text.
 */
static enum gs_status read_plain(struct table *t, char separator, bool blanks, struct gs_err *err)
{
    GS_NEW(struct gs_str, field, FIELDS_MAX, t->out->arena, err);
    struct gs_str line;
    enum gs_status s;
    while (gs_text_next(t->in, &line, &s, err)) {
        if (t->in->line_number <= t->skip || gs_trimmed(line).len == 0)
            continue;
        const size_t n = blanks ? gs_cut_words(line, field, FIELDS_MAX)
                                : gs_cut_fields(line, separator, field, FIELDS_MAX);
        /* "# time power": gnuplot's way to head a table */
        const bool marked = t->n_headers == 0 && n > 1 && gs_str_eq(field[0], gs_str("#"));
        GS_TRY(parse_row(t, field + marked, n - marked, t->in->line_number, line, err));
    }
    return s;
}

enum gs_status gs_table_read(struct gs_text_in *in, struct gs_record_sink *out, struct gs_err *err)
{
    const struct gs_source *const source = out->source;
    struct table t = {.source = source,
                      .out = out,
                      .in = in,
                      .short_raw.arena = in->arena,
                      .naming.arena = in->arena};
    const bool blanks = gs_str_eq(source->separator, gs_str("blanks"));
    const char separator = source->separator.ptr == NULL || blanks ? ',' : source->separator.ptr[0];
    t.skip = (uint64_t)gs_max(source->skip, 0);
    t.header_rows = source->columns.n == 0;
    if (source->header >= 0)
        t.header_rows = (uint64_t)source->header;
    if (t.header_rows == 0 && source->columns.n == 0)
        return gs_fail(err, GS_ERR_DATA, "%s: has no header; name its columns with columns",
                       in->name);
    out->fixed = true;
    enum gs_status s = source->columns.n > 0 ? parse_names(&t, err) : GS_OK;
    GS_THEN(s, blanks || separator == '|' ? read_plain(&t, separator, blanks, err)
                                          : read_quoted(&t, separator, err));
    out->n_torn += s == GS_OK && t.last_is_short && !in->cut;
    if (s == GS_OK && !t.any)
        s = gs_fail(err, GS_ERR_DATA, "%s: is empty, expected a header line", in->name);
    return s;
}
