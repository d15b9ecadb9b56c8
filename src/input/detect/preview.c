/* preview.c - reads the beginning of a file: its format, separator and first records. */
#include "input/detect/preview.h"

#include "base/num/order.h"
#include "input/schema/column_meaning.h"
#include "input/times/clock.h"

#include <string.h>

static const char *const several = "two separators would fit; choose with --set ROLE.separator=";

/*
 * Is the comma at a place that before the fraction of an instant, 10:12:46,483? Python's logging
 * writes "10:12:46,483": this comma is a decimal point in a table cut at commas.
 */
static bool is_in_instant(struct gs_str line, size_t at)
{
    struct gs_str rest = gs_str_after(line, at + 1);
    return gs_is_instant_cut(gs_str_part(line, 0, at), gs_str_take(&rest, ','));
}

/*
 * The number of fields that a separator cuts a line into; quotes hold it together, and `joins`
 * instants. With bars quotes are text: tools that part with bars do not quote.
 */
static size_t fields_of(struct gs_str line, char separator, bool joins)
{
    size_t n = 1;
    bool quoted = false;
    for (size_t i = 0; i < line.len; i++) {
        if (line.ptr[i] == '"' && separator != '|')
            quoted = !quoted;
        else if (line.ptr[i] == separator && !quoted &&
                 !(joins && separator == ',' && is_in_instant(line, i)))
            n++;
    }
    return n;
}

/* Words that blanks part; the mark of "# time power" is none. */
static size_t words_of(struct gs_str line)
{
    size_t n = 0, at = 0;
    while (gs_next_word(line, &at).ptr != NULL)
        n++;
    return n - (n > 1 && gs_str_begins(line, "# "));
}

/* The next row of a head, without its end: what a quote opens may go over lines, to where it closes. */
static struct gs_str take_row(struct gs_str *head)
{
    enum { LONGEST = 64 << 10 };
    const size_t end = gs_min(head->len, LONGEST);
    bool quoted = false;
    size_t i = 0;
    for (; i < end && (quoted || head->ptr[i] != '\n'); i++)
        if (head->ptr[i] == '"' &&
            (quoted || i == 0 || memchr(",;\t\"", head->ptr[i - 1], 4) != NULL))
            quoted = !quoted;
    if (quoted || i == LONGEST)
        return gs_head_line(head);
    const struct gs_str row = gs_str_part(*head, 0, i);
    *head = gs_str_after(*head, gs_min(i + 1, head->len));
    return gs_str_part(row, 0, row.len - gs_str_ends(row, "\r"));
}

enum evenness { UNEVEN, MOSTLY_EVEN, EVEN };

/*
 * Does a separator ('\0': blanks) cut the lines into equally many fields, two or more, as many as
 * there are columns where these are named (n_columns; else 0)? The last line may be cut off; with
 * more than half of the lines like the first, some row is broken, which the reading will say. 60
 * lines are enough to tell. Blanks must fit every line, since any prose has words.
 */
static enum evenness cuts_evenly(struct gs_str head, char separator, bool cut, size_t n_columns)
{
    enum { LINES = 60 };
    size_t expected = n_columns, lines = 0, other = 0;
    const bool ended = head.len > 0 && head.ptr[head.len - 1] == '\n';
    while (head.len > 0 && lines < LINES) {
        const struct gs_str line = take_row(&head);
        if (gs_trimmed(line).len == 0)
            continue;
        size_t n = separator == '\0' ? words_of(line) : fields_of(line, separator, false);
        if (expected > 0 && separator != '\0' && n == expected + 1)
            n = fields_of(line, separator, true);
        lines++;
        if (expected == 0)
            expected = n;
        else if (n != expected && (ended || head.len > 0 || (!cut && n > expected)))
            other++;
    }
    if (expected >= 2 && other == 0)
        return EVEN;
    if (expected >= 2 && separator != '\0' && other * 2 < lines)
        return MOSTLY_EVEN;
    return UNEVEN;
}

/* One word on every line: a column of instants. */
static bool is_one_column(struct gs_str head)
{
    return head.len > 0 && gs_str_until(head, 0, " \t;|,") == head.len;
}

/*
 * Does a separator cut every row into more fields than the header, all into as many? Then it also stands within them: a
 * comma before the tenths. What stands above another header is a title.
 */
static bool rows_have_more(struct gs_str head, char separator, size_t *n_names, size_t *n_fields)
{
    enum { LINES = 60 };
    size_t lines = 0;
    *n_names = *n_fields = 0;
    while (lines < LINES && gs_str_find_byte(head, '\n') < head.len) {
        const struct gs_str line = take_row(&head);
        if (gs_trimmed(line).len == 0)
            continue;
        const size_t n = fields_of(line, separator, false);
        if (lines++ == 0)
            *n_names = n;
        else if (lines == 2 && !gs_is_digit(line.ptr[0]))
            return false;
        else if (*n_fields == 0)
            *n_fields = n;
        else if (n != *n_fields)
            return false;
    }
    return lines > 2 && *n_names > 1 && *n_fields > *n_names;
}

static enum gs_status note_more_fields(struct gs_preview *h, size_t n_names, size_t n_fields,
                                       struct gs_err *err)
{
    h->why = gs_format(h->arena,
                       "its header has %zu fields and each row %zu: decimal commas, or columns "
                       "without a name; name them by place: --set samples.header=0 --set "
                       "samples.skip=1 --set samples.columns=NAME,NAME,...",
                       n_names, n_fields);
    return gs_had_memory(h->why != NULL, err);
}

/* '\0': blanks. */
static enum gs_status set_separator(struct gs_preview *h, char separator, struct gs_err *err)
{
    const char *const copy = separator == '\0' ? "blanks" : gs_arena_copy(h->arena, &separator, 1);
    h->table.separator = gs_str(copy);
    return gs_had_memory(copy != NULL, err);
}

/*
 * If two separators fit equally well, the user decides: with decimal commas a wrong choice still
 * gives numbers, but wrong ones.
 */
static enum gs_status find_separator(struct gs_str head, bool cut, struct gs_preview *h,
                                     struct gs_err *err)
{
    const size_t n_columns = h->table.columns.n;
    static const char separators[] = ",;\t|";
    char found = '\0';
    enum evenness best = UNEVEN;
    for (const char *p = separators; *p != '\0'; p++) {
        const enum evenness e = cuts_evenly(head, *p, cut, n_columns);
        if (e == UNEVEN || e < best)
            continue;
        if (e == best) {
            h->why = several;
            return GS_OK;
        }
        found = *p;
        best = e;
    }
    if (found == ',' || (found == '\0' && is_one_column(head)))
        return GS_OK;
    if (found == '\0' && cuts_evenly(head, '\0', cut, n_columns) != EVEN) {
        h->why = "no table: its lines have unequal numbers of fields";
        return GS_OK;
    }
    return set_separator(h, found, err);
}

/* Lines of '#' above a table, and what follows them. */
static int64_t comments_of(struct gs_str *head)
{
    int64_t n = 0;
    for (; gs_str_begins(*head, "#") && gs_str_find_byte(*head, '\n') < head->len; n++)
        (void)gs_str_take(head, '\n');
    return n;
}

/* Takes a line off a head; false where none is left behind it. */
static bool parse_line(struct gs_str *head)
{
    const size_t end = gs_str_find_byte(*head, '\n');
    if (end + 1 >= head->len)
        return false;
    *head = gs_str_after(*head, end + 1);
    return true;
}

/* The lines above a table of Flux say of what type its columns are; they have as many fields as the table. */
static bool is_annotated(struct gs_str head)
{
    return gs_str_begins(head, "#group,") || gs_str_begins(head, "#datatype,") ||
           gs_str_begins(head, "#default,");
}

/* The next line of a head that is not blank, without its end; ptr == NULL: no more. *n counts all lines. */
static struct gs_str next_line(struct gs_str *head, size_t *n)
{
    while (head->len > 0) {
        const struct gs_str row = take_row(head), line = gs_trimmed(row);
        for (size_t i = 0; i < row.len; i++)
            *n += row.ptr[i] == '\n';
        ++*n;
        if (line.len > 0)
            return line;
    }
    return GS_NO_STR;
}

/* "$ nvidia-smi --query-gpu=timestamp,index,power.draw --format=csv": the command, which may have as many commas. */
static bool is_echo(struct gs_str line)
{
    return gs_str_holds(line, " --");
}

/* Is there a field that begins as a number does? Else the line may be a header. */
static bool has_number(struct gs_str line, char separator)
{
    bool begins = true;
    for (size_t i = 0; i < line.len; i++) {
        if (begins && gs_is_digit(line.ptr[i]))
            return true;
        begins = line.ptr[i] == separator || (begins && line.ptr[i] == ' ');
    }
    return false;
}

/*
 * "12:00:05,150,5": the instant 12:00:05.150 and 5, or 150.5? What begins with 0, or is followed by anything but one or two
 * digits in some row, is the fraction of an instant.
 * Returns true only if no row decides it; then the caller must not guess.
 */
static bool may_be_decimals(struct gs_str head)
{
    size_t n = 0, rows = 0;
    struct gs_str line = next_line(&head, &n);
    const size_t n_names = fields_of(line, ',', false);
    while ((line = next_line(&head, &n)).ptr != NULL && head.len > 0) {
        size_t at = 0;
        while (at < line.len && !(line.ptr[at] == ',' && is_in_instant(line, at)))
            at++;
        if (at + 5 >= line.len || fields_of(line, ',', false) != n_names + 1 ||
            line.ptr[at + 1] == '0' || line.ptr[at + 4] != ',')
            return false;
        const struct gs_str next = gs_str_after(line, at + 5);
        const size_t digits = gs_str_skip(next, 0, GS_ALL_DIGITS);
        if (digits == 0 || digits > 2 || (digits < next.len && next.ptr[digits] != ','))
            return false;
        rows++;
    }
    return rows > 0;
}

/* The rows of a table among other lines. */
struct block {
    size_t n_fields, n_lines; /* n_lines of n_fields each                          */
    size_t skip;              /* lines above the first                             */
    struct gs_str above;      /* the line before it; ptr == NULL: it is the first  */
    size_t n_broken;          /* lines behind it that begin as rows do but are cut otherwise */
};

/* Does a row of numbers with as many fields follow? */
static bool heads_row(struct gs_str rest, char separator, size_t fields)
{
    size_t n = 0;
    const struct gs_str row = next_line(&rest, &n);
    return fields > 2 && row.ptr != NULL && has_number(row, separator) &&
           fields_of(row, separator, false) == fields;
}

enum { BLOCK_LINES = 2000 };

/* Into how many fields a separator cuts most lines, and how many they are. */
static struct block most_alike(struct gs_str rest, char separator)
{
    enum { FIELDS = 512 };
    size_t lines[FIELDS] = {0}, n = 0;
    struct block b = {.n_lines = 0};
    struct gs_str line;
    while (n < BLOCK_LINES && (line = next_line(&rest, &n)).ptr != NULL) {
        const size_t fields = is_echo(line) ? 0 : fields_of(line, separator, false);
        if (fields > 1 && fields < FIELDS && ++lines[fields] > b.n_lines) {
            b.n_fields = fields;
            b.n_lines = lines[fields];
        }
    }
    return b;
}

/* The lines that a separator cuts into as many fields as most: title, echo, summary and comments are not among them. */
static struct block find_block(struct gs_str head, char separator)
{
    struct block b = most_alike(head, separator);
    struct gs_str rest, line, before = {NULL, 0};
    size_t n;
    bool begun = false;
    size_t now = b.n_fields; /* of the table that the line is in */
    for (rest = head, n = 0; n < BLOCK_LINES && (line = next_line(&rest, &n)).ptr != NULL;
         before = line) {
        const size_t fields = is_echo(line) ? 0 : fields_of(line, separator, false);
        const bool number = has_number(line, separator),
                   row = fields == b.n_fields || (!number && heads_row(rest, separator, fields));
        if ((begun || row) && fields > 1 && !number)
            now = fields;
        if (row && !begun) {
            b.skip = n - 1;
            b.above = before;
        }
        begun |= row;
        b.n_broken += begun && !row && fields != now && number;
    }
    return b;
}

/* A row that ends before its header does: names by place in place of the header's. */
static bool name_by_header(struct gs_preview *h, struct gs_str header, char separator, size_t n)
{
    struct gs_buf said = {.arena = h->arena};
    size_t k = 0;
    header.len -= header.len > 0 && header.ptr[header.len - 1] == '\r';
    gs_buf_text(&said, "its rows are shorter than the header: nothing is there for ");
    for (size_t from = 0, i = 0; i <= header.len; i++) {
        if (i < header.len && header.ptr[i] != separator)
            continue;
        const struct gs_str name = gs_trimmed(gs_str_part(header, from, i));
        from = i + 1;
        if (k < n && !gs_texts_add(&h->table.columns, name, h->arena))
            return false;
        if (k++ >= n) {
            gs_buf_text_if(&said, k > n + 1, ", ");
            gs_buf_escaped(&said, name, 40);
        }
    }
    return !said.failed && (k <= n || gs_texts_add(&h->table.notes, gs_buf_str(&said), h->arena));
}

/*
 * A table that other lines stand around: of the separators the one that cuts most lines alike, a header and a row at least.
 * Two fields may be prose: then most lines are cut so.
 */
static enum gs_status cut_block(struct gs_str head, struct gs_preview *h, const char *why,
                                struct gs_err *err)
{
    static const char separators[] = ",;\t|";
    struct block best = {.n_lines = 1};
    char found = '\0';
    size_t all = 0, n = 0;
    for (struct gs_str rest = head; next_line(&rest, &n).ptr != NULL;)
        all++;
    for (const char *p = separators; *p != '\0'; p++) {
        const struct block b = find_block(head, *p);
        const bool fits = b.n_broken * 2 <= b.n_lines && (b.n_fields > 2 || b.n_lines * 2 > all);
        if (fits && b.n_lines > best.n_lines) {
            best = b;
            found = *p;
        }
    }
    h->why = why;
    if (found == '\0')
        return GS_OK;
    h->why = NULL;
    if (found != ',')
        GS_TRY(set_separator(h, found, err));
    h->table.skip = (int64_t)best.skip;
    h->titled = best.skip > 0 ? why : NULL;
    const size_t above = best.above.ptr == NULL ? 0 : fields_of(best.above, found, false);
    if (above <= best.n_fields || is_echo(best.above) || has_number(best.above, found))
        return GS_OK;
    return gs_had_memory(name_by_header(h, best.above, found, best.n_fields), err);
}

/* A table whose rows have more fields than their header; *has_more: it is one. */
static enum gs_status cut_wider(struct gs_str head, struct gs_preview *h, bool *has_more,
                                struct gs_err *err)
{
    size_t n_names, n_fields;
    const bool doubtful = h->why != NULL || gs_str_eq(h->table.separator, gs_str("blanks"));
    *has_more =
        (doubtful || may_be_decimals(head)) && rows_have_more(head, ',', &n_names, &n_fields);
    for (const char *p = ";\t|"; doubtful && !*has_more && *p != '\0'; p++)
        *has_more = rows_have_more(head, *p, &n_names, &n_fields);
    return *has_more ? note_more_fields(h, n_names, n_fields, err) : GS_OK;
}

/* Is the comment that a head begins with a header, such as "# time[s] power[W]"? */
static bool names_columns(struct gs_str head)
{
    const struct gs_str line = gs_head_line(&head);
    return !has_number(line, ' ') && gs_words_have(line, "time timestamp datetime date epoch t ts");
}

/* No separator cuts all lines: perhaps those below comments, or those that are alike. */
static enum gs_status cut_part(struct gs_str whole, struct gs_str head, bool cut, int64_t skip,
                               struct gs_preview *h, struct gs_err *err)
{
    const char *const why = h->why;
    struct gs_str below = head;
    const int64_t comments = comments_of(&below);
    for (int64_t k = 1; k <= comments; k++) { /* the last comment may be the header */
        (void)gs_str_take(&head, '\n');
        if (k < comments && (k + 1 < comments || !names_columns(head)))
            continue;
        h->why = NULL;
        h->table.separator = GS_NO_STR;
        h->table.skip = k;
        const enum gs_status s = find_separator(head, cut, h, err);
        if (s != GS_OK || h->why == NULL)
            return s;
    }
    h->table.skip = skip;
    h->table.separator = GS_NO_STR;
    h->why = why;
    if (why == several)
        return GS_OK;
    return cut_block(whole, h, why, err);
}

/*
 * The separator of a table; where comments stand above it, of what is below them; where other lines stand around it, of
 * those that are alike. Where the columns are named by place, no header shows where they begin.
 */
static enum gs_status cut_table(struct gs_str head, bool cut, const struct gs_source *hint,
                                struct gs_preview *h, struct gs_err *err)
{
    for (int64_t i = 0; i < hint->skip && parse_line(&head); i++)
        ;
    const struct gs_str whole = head;
    struct gs_str first = head;
    if (hint->skip < 0 && is_echo(next_line(&first, &(size_t){0})))
        return cut_block(whole, h, several, err);
    if (gs_str_begins(head, "sep=") && hint->skip < 0 &&
        parse_line(&head)) /* a spreadsheet's: its separator shows */
        h->table.skip = 1;
    if (hint->skip < 0 && is_annotated(head))
        h->table.skip = comments_of(&head);
    const enum gs_status s = find_separator(head, cut, h, err);
    if (s != GS_OK || hint->skip >= 0 || hint->columns.n > 0)
        return s;
    bool has_more;
    GS_TRY(cut_wider(head, h, &has_more, err));
    if (has_more)
        return GS_OK;
    if (h->why == NULL)
        return GS_OK;
    return cut_part(whole, head, cut, hint->skip, h, err);
}

struct collector {
    struct gs_preview *h;
    const struct gs_record_sink *records;
    struct gs_intern series; /* names of those that were met, where rows of each are counted */
    size_t *n_rows;          /* [series.n] of each                                           */
    bool left_out;           /* some rows were: there are enough of their kind               */
    const char *name;        /* of the file */
    const char *reason;      /* why the first row that is none is none */
    struct gs_buf cells;     /* of struct { row, column, text } */
};

struct seen_cell {
    size_t row;
    uint32_t column;
    struct gs_str text;
};

/* The rows of one metric would fill the preview: are there enough of this one's? */
static enum gs_status count_series(struct collector *c, const struct gs_form_row *r, bool *enough,
                                   struct gs_err *err)
{
    enum { ROWS = GS_PREVIEW_ROWS / 16 };
    const struct gs_str key = gs_str(c->h->form->series);
    uint32_t column = 0;
    *enough = false;
    while (column < r->n_columns && !gs_str_eq(c->records->column.text[column], key))
        column++;
    const struct gs_str name = gs_str_or(gs_form_cell(r, column), gs_str(""));
    const uint32_t n = c->series.n, id = gs_intern_add(&c->series, name);
    GS_TRY(gs_had_memory(id != GS_INTERN_NONE, err));
    if (id == n) {
        size_t *const grown = gs_arena_one_more(c->series.arena, c->n_rows, n, sizeof *grown);
        GS_TRY(gs_had_memory(grown != NULL, err));
        c->n_rows = grown;
        c->n_rows[n] = 0;
    }
    *enough = ++c->n_rows[id] > ROWS;
    return GS_OK;
}

static enum gs_status collect(void *context, const struct gs_form_row *r, struct gs_err *err)
{
    struct collector *const c = context;
    bool enough = c->h->n_rows >= GS_PREVIEW_ROWS;
    if (!enough && c->records->of_series > 0)
        GS_TRY(count_series(c, r, &enough, err));
    c->left_out |= enough;
    if (enough)
        return GS_OK;
    for (uint32_t i = 0; i < r->n_columns; i++) {
        if (r->value[i].ptr == NULL)
            continue;
        struct seen_cell one = {.row = c->h->n_rows, .column = i};
        GS_TRY(gs_had_memory(gs_str_copy(c->h->arena, r->value[i], &one.text), err));
        gs_buf_bytes(&c->cells, (const char *)&one, sizeof one);
    }
    c->h->n_rows++;
    return gs_had_memory(!c->cells.failed, err);
}

/* Rows that are none say why where there are no others: else the reading itself will say it. */
static enum gs_status pass_over(void *context, uint64_t line, const char *reason, struct gs_str raw,
                                struct gs_err *err)
{
    struct collector *const c = context;
    (void)raw;
    if (c->reason != NULL)
        return GS_OK;
    c->reason = gs_format(c->h->arena, "%s:%llu: %s", c->name, (unsigned long long)line, reason);
    return gs_had_memory(c->reason != NULL, err);
}

/* The rows as a table, in h's arena; the names come from the reader's. */
static enum gs_status store_records(struct gs_preview *h, const struct gs_record_sink *records,
                                    const struct gs_buf *cells, struct gs_err *err)
{
    const uint32_t n = records->column.n;
    GS_NEW(struct gs_str, column, n, h->arena, err);
    GS_NEW(struct gs_str, cell, h->n_rows * n, h->arena, err);
    for (uint32_t i = 0; i < n; i++)
        GS_TRY(gs_had_memory(gs_str_copy(h->arena, records->column.text[i], &column[i]), err));
    for (size_t i = 0; i + sizeof(struct seen_cell) <= cells->len; i += sizeof(struct seen_cell)) {
        struct seen_cell one;
        memcpy(&one, cells->ptr + i, sizeof one);
        cell[one.row * n + one.column] = one.text;
    }
    h->n_columns = n;
    h->column = column;
    h->cell = cell;
    return GS_OK;
}

/* Do records of one instant stand alone among many other lines, as what a training prints of nvidia-smi when it begins? */
static bool is_one_look(const struct gs_preview *h, const struct gs_record_sink *records)
{
    enum { OTHERS = 20 };
    const uint32_t time = gs_preview_find(h, "time");
    if (h->form->delimited || time == UINT32_MAX ||
        records->n_ignored + records->n_other <= OTHERS * (h->n_rows + 1))
        return false;
    for (size_t i = 1; i < h->n_rows; i++)
        if (!gs_str_eq(gs_preview_cell(h, i, time), gs_preview_cell(h, 0, time)))
            return false;
    return h->n_rows > 0;
}

/* `own`: of what reading takes and nobody keeps. */
static enum gs_status parse_records(struct gs_text_in *in, uint64_t seed, struct gs_arena *own,
                                    struct gs_preview *h, struct gs_err *err)
{
    struct gs_record_sink records;
    struct collector c = {.h = h,
                          .records = &records,
                          .series = {.arena = own, .seed = seed},
                          .cells = {.arena = own},
                          .name = in->name};
    struct gs_err fault = {GS_OK, ""};
    h->n_rows = 0;
    gs_record_sink_init(&records, in->name, seed, own, collect, &c);
    records.reading = true;
    records.cut = true;
    if (in->limit == 0 && h->by_metric)
        records.of_series = 16;
    records.reject = pass_over;
    enum gs_status s = gs_form_read(h->form, in, &h->table, &records, &fault);
    gs_record_sink_release(&records);
    h->is_broken = s == GS_ERR_DATA;
    if (s == GS_ERR_DATA && h->n_rows == 0) {
        const char *const why = gs_arena_copy(h->arena, fault.text, strlen(fault.text));
        h->why = why;
        s = gs_had_memory(why != NULL, err);
    } else if (s == GS_ERR_DATA) {
        s = GS_OK; /* further down: the reading itself will say it */
    } else if (s != GS_OK && err != NULL) {
        *err = fault;
    }
    h->table.cut_cells = records.n_cut > 0;
    h->is_whole = in->ended && !in->cut && !c.left_out;
    if (h->n_rows == 0 && h->why == NULL)
        h->why = c.reason;
    GS_THEN(s, store_records(h, &records, &c.cells, err));
    if (s == GS_OK && h->why == NULL && is_one_look(h, &records))
        h->why = "shows one instant of its GPUs among other lines";
    return s;
}

static enum gs_status read_records(const char *path, uint64_t limit, uint64_t seed,
                                   struct gs_preview *h, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    GS_CLOSES_TEXT struct gs_text_in in = {0};
    GS_TRY(gs_text_open(&in, path, limit, &own, err));
    return parse_records(&in, seed, &own, h, err);
}

/* A frame of gpustat itself, or a table of the study's analysis. */
static bool is_own_frame(const struct gs_preview *h)
{
    static const char *const signs[][3] = {
        {"event", "n", "duration_mean_ms"}, {"hostname", "gpu_serial", "samples"},
        {"frame", "column", "how"},         {"metric", "n", "pearson_r"},
        {"energy_low_j", "energy_high_j"},  {"active_tasks", "fleet_power_w"},
        {"gpu_verdict", "siblings"}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t k = 0;
        while (k < 3 && signs[i][k] != NULL && gs_preview_find(h, signs[i][k]) != UINT32_MAX)
            k++;
        if (k == 3 || signs[i][k] == NULL)
            return true;
    }
    return false;
}

uint32_t gs_preview_plain_column(const struct gs_preview *h, const struct gs_map_value *v)
{
    if (v->kind != GS_VALUE_COLUMN)
        return UINT32_MAX;
    return gs_preview_find(h, v->column.item[0].ptr);
}

uint32_t gs_preview_find(const struct gs_preview *h, const char *name)
{
    for (uint32_t i = 0; i < h->n_columns; i++)
        if (gs_str_eq(h->column[i], gs_str(name)))
            return i;
    return UINT32_MAX;
}

/* What a file that begins so is, where that is known and no table; NULL: nothing speaks against one. */
static const char *other_than_table(struct gs_str text)
{
    enum { HEAD = 512 };
    const struct gs_str head = gs_str_part(text, 0, gs_min(text.len, HEAD));
    if (gs_str_begins(text, "PK\3\4") || gs_str_holds(head, "ustar"))
        return "is an archive of files: unpack it (tar -xf, unzip) and name what was in it";
    if (gs_str_holds(head, "\"gpustat.map/") || gs_str_holds(head, "\"gpustat.split/") ||
        gs_str_holds(head, "\"gpustat.forest/"))
        return "a map, a list of parts or a model of gpustat";
    return NULL;
}

/* Which form a text has that begins so, and where it is a table, how that is cut. */
static enum gs_status register_form(struct gs_str text, bool cut, const struct gs_source *hint,
                                    struct gs_preview *h, struct gs_err *err)
{
    if (hint->form.ptr != NULL)
        h->form = gs_form_find(hint->form);
    const bool tells = h->limit == GS_PREVIEW_HEAD; /* a header that is known to be a table's */
    for (size_t i = 0; h->form == NULL && hint->form.ptr == NULL && !tells && gs_forms[i] != NULL;
         i++)
        if (gs_form_fits(gs_forms[i], text))
            h->form = gs_forms[i];
    h->why = other_than_table(text);
    if (text.len == 0)
        h->why = "is empty";
    else if (gs_str_skip(text, 0, " \t\r\n") == text.len)
        h->why = "begins with nothing but blanks";
    else if (h->why == NULL && memchr(text.ptr, '\0', text.len) != NULL &&
             (h->form == NULL || h->form->container != GS_CONTAINER_BINARY))
        h->why = "holds NUL bytes: no text";
    else if (h->why == NULL && h->form == NULL && hint->form.ptr != NULL)
        h->why = "no such form";
    if (h->why != NULL || h->form != NULL)
        return GS_OK;
    h->form = &gs_form_table;
    if (hint->separator.ptr != NULL || tells)
        return GS_OK;
    return cut_table(text, cut, hint, h, err);
}

/* Is a line a header of the study's own names alone? They say all; rows need not tell what they are. */
static bool is_study_header(struct gs_str text)
{
    struct gs_str line = gs_str_part(text, 0, gs_str_until(text, 0, "\r\n"));
    bool own = line.len > 0 && line.len < text.len;
    if (gs_str_begins(line, "\xef\xbb\xbf"))
        line = gs_str_after(line, 3);
    while (own && line.len > 0) {
        struct gs_str name = gs_str_take(&line, ',');
        if (name.len > 2 && name.ptr[0] == '"' && name.ptr[name.len - 1] == '"')
            name = gs_str_part(name, 1, name.len - 1);
        own = GS_IS_ONE_OF(name, "timestamp", "hostname", "eventName", "eventType", "jobId",
                           "taskId", "gpuSerial", "gpuUUID", "powerDrawWatt", "gpuTempC",
                           "gpuUtilPerc", "gpuMemUtilPerc", "x", "y", "level");
    }
    return own;
}

/* How much of a file is to be looked at. */
static enum gs_status choose_limit(const char *path, struct gs_preview *h, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    GS_CLOSES_TEXT struct gs_text_in in = {0};
    struct gs_str text = {NULL, 0};
    GS_TRY(gs_text_open(&in, path, GS_PREVIEW_HEAD, &own, err));
    GS_TRY(gs_text_peek(&in, &text, err));
    h->limit = is_study_header(text) ? GS_PREVIEW_HEAD : GS_PREVIEW_BYTES;
    return GS_OK;
}

/* The same of a file; *cut: it is longer than what was looked at. */
static enum gs_status inspect_head(const char *path, const struct gs_source *hint,
                                   struct gs_preview *h, bool *cut, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    GS_CLOSES_TEXT struct gs_text_in in = {0};
    struct gs_str text = {NULL, 0};
    GS_TRY(choose_limit(path, h, err));
    GS_TRY(gs_text_open(&in, path, h->limit, &own, err));
    GS_TRY(gs_text_peek(&in, &text, err));
    *cut = !in.ended;
    GS_TRY(register_form(text, *cut, hint, h, err));
    h->by_metric = h->form != NULL && h->form->by_metric && gs_first_byte(text) == '{';
    return GS_OK;
}

/* The columns of a table under instants that has no header, as one whose first row stands for it; n_columns == 0: it has one. */
static struct gs_preview headless_view(const struct gs_preview *h)
{
    enum { OWN = 2 }; /* the instant and the place */
    struct gs_preview v = *h;
    v.n_columns = 0;
    if (h->n_rows < 2 || h->n_columns <= OWN ||
        !gs_str_eq(h->column[OWN], gs_str(GS_UNNAMED_COLUMN "1")))
        return v;
    const uint32_t n = h->n_columns - OWN;
    struct gs_str *const cell = gs_arena_take(h->arena, h->n_rows * n, sizeof *cell);
    for (size_t i = 0; cell != NULL && i < h->n_rows * n; i++) {
        const struct gs_str from = gs_preview_cell(h, i / n, (uint32_t)(OWN + i % n));
        cell[i] = from.ptr == NULL ? gs_str("") : from;
    }
    if (cell == NULL)
        return v;
    v.n_columns = n;
    v.n_rows--;
    v.column = cell;
    v.cell = cell + n;
    return v;
}

/* Does one long object not end in the beginning of a file, or a metric begin behind it? Then all of it is read. */
static bool hides_rows(const struct gs_preview *h)
{
    return h->why == NULL && !h->form->delimited && (h->n_rows == 0 || h->by_metric);
}

/*
 * Do words stand below the header where the row below these has numbers? They are the units of its columns, or the names of
 * what LibreHardwareMonitor gives the paths of.
 */
static bool has_second_header(const struct gs_preview *h)
{
    size_t n_numbers = 0, n_words = 0;
    for (uint32_t i = 0; h->form->delimited && h->n_rows > 1 && i < h->n_columns; i++) {
        const struct gs_str below = gs_preview_cell(h, 0, i), value = gs_preview_cell(h, 1, i);
        if (value.len == 0 || !gs_is_digit(value.ptr[0]))
            continue;
        n_numbers++;
        const size_t sign = gs_str_skip(below, 0, "+-.");
        if (below.len > 0 && (gs_is_no_value(below) || has_number(below, ',') ||
                              gs_str_skip(below, sign, GS_ALL_DIGITS) > sign))
            return false; /* a time or a number, be it out of range */
        n_words += below.len > 0;
    }
    return n_words > 0 && n_words * 2 >= n_numbers;
}

/* The rows, read again where the first of them show that they are to be read otherwise. */
static enum gs_status read_rows(const char *path, bool cut, bool alone, uint64_t seed,
                                struct gs_preview *h, struct gs_err *err)
{
    enum gs_status s = read_records(path, h->limit, seed, h, err);
    if (s == GS_OK && cut && hides_rows(h))
        s = read_records(path, 0, seed, h, err);
    if (s == GS_OK && h->why == NULL && h->table.header < 0 && has_second_header(h)) {
        h->table.header = 2;
        s = read_records(path, h->limit, seed, h, err);
    }
    if (s != GS_OK || h->why != NULL || h->table.columns.n > 0)
        return s;
    struct gs_preview rows = *h;
    if (!h->form->delimited)
        rows = headless_view(h);
    if (rows.n_columns == 0 || !gs_preview_is_headless(&rows))
        return s;
    GS_TRY(gs_had_memory(gs_preview_name_columns(&rows, path, alone), err));
    h->table = rows.table;
    h->why = rows.why;
    if (!h->table.columns_inferred)
        return GS_OK;
    return read_records(path, h->limit, seed, h, err);
}

/* Why the rows are nothing that is read here; NULL: they are. */
static const char *why_none(const struct gs_preview *h)
{
    if (h->form->not_of_gpus != NULL && gs_preview_find(h, h->form->not_of_gpus) != UINT32_MAX)
        return h->form->not_of_gpus_why;
    if (is_own_frame(h))
        return "a result of gpustat";
    return NULL;
}

enum gs_status gs_preview_read(const char *path, const struct gs_source *hint, bool alone,
                               uint64_t seed, struct gs_arena *arena, struct gs_preview *head,
                               struct gs_err *err)
{
    struct gs_preview h = {.arena = arena, .table = *hint};
    bool cut;
    GS_TRY(inspect_head(path, hint, &h, &cut, err));
    if (h.why == NULL)
        GS_TRY(read_rows(path, cut, alone, seed, &h, err));
    if (h.why == NULL)
        h.why = why_none(&h);
    *head = h;
    return GS_OK;
}
