/* preview.c - the beginning of a file: its form, its separator, its first records. */
#include "input/detect/preview.h"

#include "input/schema/clock.h"

#include <string.h>

static const char *const several = "two separators would fit; say which with --set ROLE.separator=";

/* Is the comma at a place that before the fraction of an instant, 10:12:46,483? */
static bool is_in_instant(struct gs_str line, size_t at)
{
    size_t end = at + 1;
    while (end < line.len && line.ptr[end] != ',')
        end++;
    return gs_is_instant_cut((struct gs_str){line.ptr, at},
                             (struct gs_str){line.ptr + at + 1, end - at - 1});
}

/* The number of fields that a separator cuts a line into; quotes hold it together, and `joins` instants. */
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

static size_t words_of(struct gs_str line)
{
    size_t n = 0, at = 0;
    while (gs_next_word(line, &at).ptr != NULL)
        n++;
    return n;
}

enum evenness { UNEVEN, MOSTLY_EVEN, EVEN };

/*
 * Does a separator ('\0': blanks) cut the lines into equally many fields, two or more, as many as there are columns where
 * these are named (n_columns; else 0)? The last line may be cut off; with more than half of the lines like the first, some
 * row is broken, which the reading will say.
 */
static enum evenness cuts_evenly(struct gs_str head, char separator, bool cut, size_t n_columns)
{
    enum { LINES = 60 };
    size_t expected = n_columns, lines = 0, other = 0;
    for (size_t i = 0; i < head.len && lines < LINES;) {
        const char *const end = memchr(head.ptr + i, '\n', head.len - i);
        size_t len = end == NULL ? head.len - i : (size_t)(end - head.ptr) - i;
        const size_t next = i + len + 1;
        len -= len > 0 && head.ptr[i + len - 1] == '\r';
        const struct gs_str line = {head.ptr + i, len};
        i = next;
        if (gs_trimmed(line).len == 0)
            continue;
        size_t n = separator == '\0' ? words_of(line) : fields_of(line, separator, false);
        if (expected > 0 && separator != '\0' && n == expected + 1)
            n = fields_of(line, separator, true);
        lines++;
        if (expected == 0)
            expected = n;
        else if (n != expected && !(end == NULL && (cut || n < expected)))
            other++;
    }
    return expected < 2                             ? UNEVEN
           : other == 0                             ? EVEN
           : separator != '\0' && other * 2 < lines ? MOSTLY_EVEN
                                                    : UNEVEN;
}

/* One word on every line: a column of instants. */
static bool is_one_column(struct gs_str head)
{
    for (size_t i = 0; i < head.len; i++)
        if (head.ptr[i] == ' ' || head.ptr[i] == '\t' || head.ptr[i] == ';' || head.ptr[i] == '|' ||
            head.ptr[i] == ',')
            return false;
    return head.len > 0;
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
    for (size_t i = 0; i < head.len && lines < LINES;) {
        const char *const end = memchr(head.ptr + i, '\n', head.len - i);
        const struct gs_str line = {head.ptr + i,
                                    end == NULL ? head.len - i : (size_t)(end - head.ptr) - i};
        i += line.len + 1;
        if (end == NULL || gs_trimmed(line).len == 0)
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
    struct gs_buf b = {.arena = h->arena};
    gs_buf_format(&b,
                  "its header has %zu fields and each row %zu: decimal commas between commas, or "
                  "columns without a name; "
                  "part the fields with another separator, or name the columns by place with --set "
                  "samples.header=0 --set "
                  "samples.skip=1 --set samples.columns=NAME,NAME,...",
                  n_names, n_fields);
    h->why = b.ptr;
    return b.failed ? gs_fail_memory(err) : GS_OK;
}

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
        h->why = "prose: no separator cuts its lines into equally many fields";
        return GS_OK;
    }
    const char *const copy = found == '\0' ? "blanks" : gs_arena_copy(h->arena, &found, 1);
    h->table.separator = gs_str(copy);
    return copy == NULL ? gs_fail_memory(err) : GS_OK;
}

/* Lines of '#' above a table, and what follows them. */
static int64_t comments_of(struct gs_str *head)
{
    int64_t n = 0;
    for (const char *end;
         head->len > 0 && head->ptr[0] == '#' && (end = memchr(head->ptr, '\n', head->len)) != NULL;
         n++) {
        head->len -= (size_t)(end + 1 - head->ptr);
        head->ptr = end + 1;
    }
    return n;
}

/* Takes a line off a head; false where none is left behind it. */
static bool parse_line(struct gs_str *head)
{
    const char *const end = memchr(head->ptr, '\n', head->len);
    if (end == NULL || end + 1 == head->ptr + head->len)
        return false;
    head->len -= (size_t)(end + 1 - head->ptr);
    head->ptr = end + 1;
    return true;
}

/* The lines above a table of Flux say of what type its columns are; they have as many fields as the table. */
static bool is_annotated(struct gs_str head)
{
    return gs_str_begins(head, "#group,") || gs_str_begins(head, "#datatype,") ||
           gs_str_begins(head, "#default,");
}

/*
 * The separator of a table; where comments stand above it, of what is below them, and where a title, a date or an empty
 * line does, of what is below that: rows that a real separator cuts evenly, with a header and a row at least. Where the
 * columns are named by place, no header shows where they begin.
 */
static enum gs_status cut_table(struct gs_str head, bool cut, const struct gs_source *hint,
                                struct gs_preview *h, struct gs_err *err)
{
    enum { TITLES = 8 };
    for (int64_t i = 0; i < hint->skip && parse_line(&head); i++)
        ;
    if (gs_str_begins(head, "sep=") && hint->skip < 0 &&
        parse_line(&head)) /* a spreadsheet's: its separator shows */
        h->table.skip = 1;
    if (hint->skip < 0 && is_annotated(head))
        h->table.skip = comments_of(&head);
    size_t n_names, n_fields;
    enum gs_status s = find_separator(head, cut, h, err);
    const bool doubtful = h->why != NULL || gs_str_eq(h->table.separator, gs_str("blanks"));
    if (s == GS_OK && doubtful && hint->skip < 0 && hint->columns.n == 0 &&
        rows_have_more(head, ',', &n_names, &n_fields))
        return note_more_fields(h, n_names, n_fields, err);
    if (s != GS_OK || h->why == NULL || hint->skip >= 0 || hint->columns.n > 0)
        return s;
    const char *const why = h->why;
    const int64_t comments = comments_of(&head);
    int64_t n = comments;
    for (int k = 0; s == GS_OK && k <= TITLES; k++, n++) {
        h->why = NULL;
        h->table.separator = (struct gs_str){NULL, 0};
        h->table.skip = n;
        struct gs_str rest = head;
        if (n > 0 && parse_line(&rest) && (s = find_separator(head, cut, h, err)) == GS_OK &&
            h->why == NULL &&
            (k == 0 ||
             (!gs_str_eq(h->table.separator, gs_str("blanks")) && !is_one_column(head)))) {
            h->titled = n > comments ? why : NULL;
            return GS_OK;
        }
        if (!parse_line(&head))
            break;
    }
    h->why = why;
    h->table.skip = hint->skip;
    h->table.separator = (struct gs_str){NULL, 0};
    return s;
}

struct collector {
    struct gs_preview *h;
    const char *name;    /* of the file */
    const char *reason;  /* why the first row that is none is none */
    struct gs_buf cells; /* of struct { row, column, text } */
};

struct seen_cell {
    size_t row;
    uint32_t column;
    struct gs_str text;
};

static enum gs_status collect(void *context, const struct gs_form_row *r, struct gs_err *err)
{
    struct collector *const c = context;
    if (c->h->n_rows >= GS_GLIMPSE_ROWS)
        return GS_OK;
    for (uint32_t i = 0; i < r->n_columns; i++) {
        if (r->value[i].ptr == NULL)
            continue;
        const char *const copy = gs_arena_copy(c->h->arena, r->value[i].ptr, r->value[i].len);
        const struct seen_cell one = {c->h->n_rows, i, {copy, r->value[i].len}};
        if (copy == NULL)
            return gs_fail_memory(err);
        gs_buf_bytes(&c->cells, (const char *)&one, sizeof one);
    }
    c->h->n_rows++;
    return c->cells.failed ? gs_fail_memory(err) : GS_OK;
}

/* Rows that are none say why where there are no others: else the reading itself will say it. */
static enum gs_status pass_over(void *context, uint64_t line, const char *reason, struct gs_str raw,
                                struct gs_err *err)
{
    struct collector *const c = context;
    (void)raw;
    if (c->reason != NULL)
        return GS_OK;
    struct gs_buf b = {.arena = c->h->arena};
    gs_buf_format(&b, "%s:%llu: %s", c->name, (unsigned long long)line, reason);
    c->reason = b.ptr;
    return b.failed ? gs_fail_memory(err) : GS_OK;
}

/* Does a row hold an instant, or a date with the time of day behind it? Then it is no header. */
static bool contains_instant(const struct gs_preview *h)
{
    struct gs_buf b = {.arena = h->arena};
    for (uint32_t i = 0; i < h->n_columns; i++) {
        b.len = 0;
        gs_buf_bytes(&b, h->column[i].ptr, h->column[i].len);
        if (gs_preview_is_instant(gs_buf_str(&b)))
            return true;
        gs_buf_char(&b, ' ');
        if (i + 1 < h->n_columns)
            gs_buf_bytes(&b, h->column[i + 1].ptr, h->column[i + 1].len);
        if (memchr(h->column[i].ptr, ':', h->column[i].len) == NULL &&
            gs_preview_is_instant(gs_buf_str(&b)))
            return true;
    }
    return false;
}

/* Numbers and nothing else name nothing. */
static bool contains_numbers(const struct gs_preview *h)
{
    for (uint32_t i = 0; i < h->n_columns; i++) {
        int64_t v;
        bool rounded = false;
        if (gs_fixed_parse(gs_trimmed(h->column[i]), &v, &rounded) != GS_NUMBER_OK)
            return false;
    }
    return h->n_columns > 0;
}

/* The rows as a table, in h's arena; the names come from the reader's. */
static enum gs_status store_records(struct gs_preview *h, const struct gs_record_sink *records,
                                    const struct gs_buf *cells, struct gs_err *err)
{
    const uint32_t n = records->column.n;
    struct gs_str *const column = gs_arena_take(h->arena, n, sizeof *column);
    struct gs_str *const cell = gs_arena_take(h->arena, h->n_rows * n, sizeof *cell);
    if (column == NULL || cell == NULL)
        return gs_fail_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        const struct gs_str name = records->column.text[i];
        const char *const copy = gs_arena_copy(h->arena, name.ptr, name.len);
        if (copy == NULL)
            return gs_fail_memory(err);
        column[i] = (struct gs_str){copy, name.len};
    }
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

/* `own`: of what reading takes and nobody keeps. */
static enum gs_status parse_records(struct gs_text_in *in, uint64_t seed, struct gs_arena *own,
                                    struct gs_preview *h, struct gs_err *err)
{
    struct gs_record_sink records;
    struct collector c = {.h = h, .cells = {.arena = own}, .name = in->name};
    struct gs_err fault = {GS_OK, ""};
    h->n_rows = 0;
    enum gs_status s = gs_record_sink_init(&records, in->name, seed, own, collect, &c, err);
    records.reading = true;
    records.cut = true;
    records.reject = pass_over;
    if (s != GS_OK)
        return s;
    s = h->form->read(in, &h->table, &records, &fault);
    if (s == GS_ERR_DATA && h->n_rows == 0) {
        const char *const why = gs_arena_copy(h->arena, fault.text, strlen(fault.text));
        h->why = why;
        s = why == NULL ? gs_fail_memory(err) : GS_OK;
    } else if (s == GS_ERR_DATA) {
        s = GS_OK; /* further down: the reading itself will say it */
    } else if (s != GS_OK && err != NULL) {
        *err = fault;
    }
    if (h->n_rows == 0 && h->why == NULL)
        h->why = c.reason;
    return s == GS_OK ? store_records(h, &records, &c.cells, err) : s;
}

static enum gs_status read_records(const char *path, uint64_t limit, uint64_t seed,
                                   struct gs_preview *h, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct gs_text_in in = {0};
    enum gs_status s = gs_text_open(&in, path, limit, &own, err);
    if (s == GS_OK)
        s = parse_records(&in, seed, &own, h, err);
    gs_text_close(&in);
    gs_arena_release(&own);
    return s;
}

/* A frame of gpustat itself, or a table of the study's analysis. */
static bool is_own_frame(const struct gs_preview *h)
{
    static const char *const signs[][3] = {{"event", "n", "duration_mean_ms"},
                                           {"hostname", "gpu_serial", "samples"},
                                           {"frame", "column", "how"},
                                           {"metric", "n", "pearson_r"}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t n = 0;
        for (size_t k = 0; k < 3; k++)
            n += gs_preview_find(h, signs[i][k]) != UINT32_MAX;
        if (n == 3)
            return true;
    }
    return false;
}

uint32_t gs_preview_find(const struct gs_preview *h, const char *name)
{
    for (uint32_t i = 0; i < h->n_columns; i++)
        if (gs_str_eq(h->column[i], gs_str(name)))
            return i;
    return UINT32_MAX;
}

static enum gs_status read_study_log(const char *path, uint64_t seed, struct gs_preview *h,
                                     struct gs_err *err)
{
    static const char *const names[] = {"timestamp", "gpu_util_pct", "power_w", "mem_used_mib",
                                        "mem_total_mib"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!gs_texts_add(&h->table.columns, gs_str(names[i]), h->arena))
            return gs_fail_memory(err);
    h->table.columns_guessed = true;
    h->why = NULL;
    return read_records(path, GS_GLIMPSE_BYTES, seed, h, err);
}

static bool is_blank(struct gs_str text)
{
    size_t n = 0;
    while (n < text.len && memchr(" \t\r\n", text.ptr[n], 4) != NULL)
        n++;
    return n == text.len;
}

/* Which form a text has that begins so, and where it is a table, how that is cut. */
static enum gs_status register_form(struct gs_str text, bool cut, const struct gs_source *hint,
                                    struct gs_preview *h, struct gs_err *err)
{
    if (hint->form.ptr != NULL)
        h->form = gs_form_find(hint->form);
    for (size_t i = 0; h->form == NULL && hint->form.ptr == NULL && gs_forms[i] != NULL; i++)
        if (text.len > 0 && gs_forms[i]->recognise != NULL && gs_forms[i]->recognise(text))
            h->form = gs_forms[i];
    if (text.len == 0)
        h->why = "is empty";
    else if (is_blank(text))
        h->why = "begins with nothing but blanks";
    else if (memchr(text.ptr, '\0', text.len) != NULL && (h->form == NULL || !h->form->binary))
        h->why = "holds NUL bytes: no text";
    else if (h->form == NULL && hint->form.ptr != NULL)
        h->why = "no such form";
    if (h->why != NULL || h->form != NULL)
        return GS_OK;
    h->form = gs_form_find(gs_str("table"));
    return hint->separator.ptr == NULL ? cut_table(text, cut, hint, h, err) : GS_OK;
}

/* The same of a file; *cut: it is longer than what was looked at. */
static enum gs_status inspect_head(const char *path, const struct gs_source *hint,
                                   struct gs_preview *h, bool *cut, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct gs_text_in in = {0};
    struct gs_str text = {NULL, 0};
    enum gs_status s = gs_text_open(&in, path, GS_GLIMPSE_BYTES, &own, err);
    if (s == GS_OK)
        s = gs_text_peek(&in, &text, err);
    *cut = !in.ended;
    if (s == GS_OK)
        s = register_form(text, *cut, hint, h, err);
    gs_text_close(&in);
    gs_arena_release(&own);
    return s;
}

enum gs_status gs_preview_read(const char *path, const struct gs_source *hint, uint64_t seed,
                               struct gs_arena *arena, struct gs_preview *head, struct gs_err *err)
{
    struct gs_preview h = {.arena = arena, .table = *hint};
    bool cut;
    enum gs_status s = inspect_head(path, hint, &h, &cut, err);
    if (s != GS_OK)
        return s;
    if (h.why == NULL)
        s = read_records(path, GS_GLIMPSE_BYTES, seed, &h, err);
    /* One long series, or one object, that the beginning does not hold: all of it. */
    if (s == GS_OK && h.why == NULL && h.n_rows == 0 && cut && strcmp(h.form->name, "table") != 0)
        s = read_records(path, 0, seed, &h, err);
    if (s == GS_OK && h.why == NULL && strcmp(h.form->name, "table") == 0 &&
        h.table.columns.n == 0 && contains_instant(&h))
        h.why = "has no header: its first row holds an instant; name its columns with --set "
                "samples.columns=NAME,NAME,... or --set events.columns=NAME,NAME,...";
    else if (s == GS_OK && h.why == NULL && strcmp(h.form->name, "table") == 0 &&
             h.table.columns.n == 0 && contains_numbers(&h))
        h.why = "has no header: its first row holds numbers; name its columns with --set "
                "samples.columns=NAME,NAME,...";
    if (s == GS_OK && h.why != NULL && h.table.columns.n == 0 && h.n_rows > 0 &&
        gs_preview_is_study_log(&h))
        s = read_study_log(path, seed, &h, err);
    if (s == GS_OK && h.why == NULL && strcmp(h.form->name, "dmon") == 0 &&
        gs_preview_find(&h, "pid") != UINT32_MAX)
        h.why = "nvidia-smi pmon lists processes, not GPUs; for GPUs use nvidia-smi "
                "dmon -o DT";
    if (s == GS_OK && h.why == NULL && is_own_frame(&h))
        h.why = "a result of gpustat";
    *head = h;
    return s;
}
