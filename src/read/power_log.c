/* power_log.c - one log from bytes to a table: which form it has, CSV rows, dmon's lines. */
#include "read/power_log.h"

#include <assert.h>
#include <string.h>

#include "csv/bytes.h"
#include "csv/csv.h"
#include "read/power_log_rows.h"

enum { LINE_BYTES_MAX = 64 << 10, FEED_BYTES = 64 << 10 };

enum form { FORM_UNKNOWN, FORM_CSV, FORM_TEXT };

struct gs_power_log_parser {
    struct pl_rows rows;
    enum form form;
    struct gs_csv_parser *csv;
    struct gs_csv_options csv_options;
    struct gs_str named[GS_CSV_FIELDS_MAX]; /* --columns */
    size_t n_named;
    struct gs_buf head; /* bytes seen before the form was known: a byte-order mark, blanks, line ends */
    struct gs_buf line; /* of FORM_TEXT */
    uint64_t line_number;
    bool last_was_cr;
};

static enum gs_status split_names(struct gs_power_log_parser *p, struct gs_err *err)
{
    const char *at = p->rows.options->columns;
    while (at != NULL) {
        const size_t len = strcspn(at, ",");
        struct gs_str name = {at, len};
        while (name.len > 0 && name.ptr[0] == ' ')
            name.ptr++, name.len--;
        while (name.len > 0 && name.ptr[name.len - 1] == ' ')
            name.len--;
        if (p->n_named == GS_CSV_FIELDS_MAX)
            return gs_fail(err, GS_ERR_USAGE, "--columns: more than %d names", GS_CSV_FIELDS_MAX);
        p->named[p->n_named++] = name;
        at = at[len] == ',' ? at + len + 1 : NULL;
    }
    return p->n_named == 0 ? GS_OK : pl_bind(&p->rows, p->named, p->n_named, 0, true, err);
}

enum gs_status gs_power_log_open(const char *name, const struct gs_power_log_options *options, struct gs_arena *arena,
                                 struct gs_notes *notes, struct gs_power_log_parser **parser, struct gs_err *err)
{
    struct gs_power_log_parser *const p = gs_arena_take(arena, 1, sizeof *p);
    struct gs_buf shown = {.arena = arena};
    gs_buf_escaped(&shown, gs_str(name), 512);
    const char *const slash = strrchr(name, '/');
    const char *const stem = slash == NULL || slash[1] == '\0' ? name : slash + 1;
    char *const copy = gs_arena_copy(arena, stem, strlen(stem));
    if (p == NULL || shown.failed || copy == NULL)
        return gs_fail_memory(err);
    p->rows = (struct pl_rows){
        .arena = arena,
        .notes = notes,
        .options = options,
        .name = gs_buf_str(&shown).ptr,
        .stem = {copy, strlen(copy)},
        .time = {.zone = options->zone},
        .gpus = {.arena = arena},
        .cards = {.arena = arena},
        .label = {.arena = arena},
    };
    p->csv_options.name = name;
    p->head.arena = p->line.arena = arena;
    p->line_number = 1;
    const enum gs_status s = split_names(p, err);
    if (s == GS_OK)
        *parser = p;
    return s;
}

/* The study's own form: 2024/10/10 13:18:58.369, 81, 145.99, 4396, 11264. */
static bool is_study_form(const struct gs_csv_row *row)
{
    struct gs_time_reader r = {0};
    int64_t t, v;
    bool rounded = false;
    if (row->n_fields != 5 || !gs_time_parse(&r, row->field[0], &t))
        return false;
    for (size_t i = 1; i < 5; i++)
        if (gs_fixed_parse(row->field[i], &v, &rounded) == GS_NUMBER_BAD)
            return false;
    return true;
}

/* A first row without any number or time can only be meant as a header. */
static bool is_all_words(const struct gs_csv_row *row)
{
    struct gs_time_reader r = {0};
    int64_t v;
    bool rounded = false;
    for (size_t i = 0; i < row->n_fields; i++)
        if (gs_fixed_parse(row->field[i], &v, &rounded) == GS_NUMBER_OK || gs_time_parse(&r, row->field[i], &v))
            return false;
    return true;
}

static enum gs_status take_csv_row(void *context, const struct gs_csv_row *row, struct gs_err *err)
{
    static const char *const study[] = {"timestamp", "gpu_util", "power", "memory_used", "memory_total"};
    struct gs_power_log_parser *const p = context;
    struct pl_rows *const rows = &p->rows;
    if (pl_is_header(rows, row->field, row->n_fields) || (rows->bind.n_columns == 0 && is_all_words(row))) {
        rows->n_headers++;
        return p->n_named > 0 ? GS_OK : pl_bind(rows, row->field, row->n_fields, row->line, false, err);
    }
    if (rows->bind.n_columns == 0) {
        if (!is_study_form(row))
            return gs_fail(err, GS_ERR_DATA,
                           "%s:%llu: no header that names columns of a power log; for a log without one use --columns "
                           "timestamp,gpu,power,...",
                           rows->name, (unsigned long long)row->line);
        struct gs_str names[5];
        for (size_t i = 0; i < 5; i++)
            names[i] = gs_str(study[i]);
        const enum gs_status s = pl_bind(rows, names, 5, row->line, false, err);
        if (s != GS_OK)
            return s;
        gs_note(rows->notes, GS_NOTE_INFO,
                "%s: has no header; its five columns were read as timestamp, gpu_util, power, memory_used, "
                "memory_total "
                "(--columns)",
                rows->name);
    }
    return pl_row(rows, row->field, row->n_fields, row->line, err);
}

/* "ID   W   mJ   C" under dcgmi's names: it counts as a header. */
static bool is_unit_line(const struct gs_str *word, size_t n)
{
    int64_t v;
    bool rounded = false;
    if (!gs_str_eq_nocase(word[0], gs_str("ID")))
        return false;
    for (size_t i = 1; i < n; i++)
        if (gs_fixed_parse(word[i], &v, &rounded) == GS_NUMBER_OK)
            return false;
    return true;
}

/* A line of dmon: names and units after '#', else a row. "GPU 0" of dcgmi is one word here. */
static enum gs_status take_text_line(struct gs_power_log_parser *p, struct gs_err *err)
{
    struct gs_str word[256];
    size_t n = 0;
    const struct gs_str line = gs_buf_str(&p->line);
    size_t i = 0;
    while (i < line.len) {
        const size_t start = i;
        while (i < line.len && strchr(" \t,#\r", line.ptr[i]) == NULL)
            i++;
        if (i > start) {
            const struct gs_str one = {line.ptr + start, i - start};
            if (n == sizeof word / sizeof *word)
                return gs_fail(err, GS_ERR_DATA, "%s:%llu: more than %zu words in a line of dmon", p->rows.name,
                               (unsigned long long)p->line_number, n);
            if (n == 1 && gs_str_eq(word[0], gs_str("GPU")) && line.ptr[0] != '#')
                word[0] = one;
            else
                word[n++] = one;
        } else {
            i++;
        }
    }
    if (n == 0)
        return GS_OK;
    if (line.ptr[0] == '#') {
        p->rows.n_headers++;
        return p->n_named == 0 && pl_is_header(&p->rows, word, n)
                   ? pl_bind(&p->rows, word, n, p->line_number, false, err)
                   : GS_OK;
    }
    if (is_unit_line(word, n)) {
        p->rows.n_headers++;
        return GS_OK;
    }
    if (p->rows.bind.n_columns == 0)
        return gs_fail(err, GS_ERR_DATA, "%s:%llu: a row before any line of '#' that names the columns", p->rows.name,
                       (unsigned long long)p->line_number);
    return pl_row(&p->rows, word, n, p->line_number, err);
}

static enum gs_status feed_text(struct gs_power_log_parser *p, const char *bytes, size_t len, struct gs_err *err)
{
    size_t i = 0;
    while (i < len) {
        if (bytes[i] == '\n' && p->last_was_cr) {
            p->last_was_cr = false;
            i++;
            continue;
        }
        size_t n = 0;
        while (i + n < len && bytes[i + n] != '\n' && bytes[i + n] != '\r')
            n++;
        if (memchr(bytes + i, '\0', n) != NULL)
            return gs_fail(err, GS_ERR_DATA, "%s:%llu: a NUL byte, expected text", p->rows.name,
                           (unsigned long long)p->line_number);
        gs_buf_bytes(&p->line, bytes + i, n);
        if (p->line.failed)
            return gs_fail_memory(err);
        if (p->line.len > LINE_BYTES_MAX)
            return gs_fail(err, GS_ERR_DATA, "%s:%llu: a line of more than %d bytes", p->rows.name,
                           (unsigned long long)p->line_number, LINE_BYTES_MAX);
        i += n;
        p->last_was_cr = false;
        if (i < len) {
            p->last_was_cr = bytes[i] == '\r';
            const enum gs_status s = take_text_line(p, err);
            if (s != GS_OK)
                return s;
            p->line.len = 0;
            p->line_number++;
            i++;
        }
    }
    return GS_OK;
}

static enum gs_status feed_form(struct gs_power_log_parser *p, const char *bytes, size_t len, struct gs_err *err)
{
    return p->form == FORM_TEXT ? feed_text(p, bytes, len, err) : gs_csv_feed(p->csv, bytes, len, err);
}

/* The first byte that says something tells the form: '#' begins dmon's names. */
static enum gs_status decide_form(struct gs_power_log_parser *p, char first, struct gs_err *err)
{
    struct gs_str head = gs_buf_str(&p->head);
    p->form = first == '#' ? FORM_TEXT : FORM_CSV;
    if (p->form == FORM_CSV) {
        const enum gs_status s = gs_csv_open(&p->csv_options, take_csv_row, p, p->rows.arena, &p->csv, err);
        if (s != GS_OK)
            return s;
    } else if (head.len >= 3 && memcmp(head.ptr, "\xef\xbb\xbf", 3) == 0) {
        head.ptr += 3;
        head.len -= 3;
    }
    return feed_form(p, head.ptr, head.len, err);
}

enum gs_status gs_power_log_feed(struct gs_power_log_parser *p, const char *bytes, size_t len, struct gs_err *err)
{
    size_t i = 0;
    assert(p != NULL);
    while (p->form == FORM_UNKNOWN && i < len) {
        const bool bom = p->head.len < 3 && bytes[i] == "\xef\xbb\xbf"[p->head.len];
        if (bom || (p->head.len < LINE_BYTES_MAX && memchr(" \t\r\n", bytes[i], 4) != NULL)) {
            gs_buf_char(&p->head, bytes[i++]);
            if (p->head.failed)
                return gs_fail_memory(err);
        } else {
            const enum gs_status s = decide_form(p, bytes[i], err);
            if (s != GS_OK)
                return s;
        }
    }
    return i < len ? feed_form(p, bytes + i, len - i, err) : GS_OK;
}

enum gs_status gs_power_log_finish(struct gs_power_log_parser *p, struct gs_log_table *table, struct gs_err *err)
{
    assert(p != NULL);
    enum gs_status s = p->form == FORM_UNKNOWN ? decide_form(p, '\0', err) : GS_OK;
    if (s == GS_OK && p->form == FORM_CSV)
        s = gs_csv_finish(p->csv, err);
    else if (s == GS_OK)
        s = take_text_line(p, err);
    return s == GS_OK ? pl_finish(&p->rows, table, err) : s;
}

void gs_power_log_close(struct gs_power_log_parser *p)
{
    if (p != NULL)
        gs_csv_close(p->csv);
}

enum gs_status gs_power_log_read(const char *path, const struct gs_power_log_options *options, struct gs_arena *arena,
                                 struct gs_notes *notes, struct gs_log_table *table, struct gs_err *err)
{
    struct gs_power_log_parser *p = NULL;
    struct gs_bytes *source = NULL;
    char *const room = gs_arena_take_raw(arena, FEED_BYTES, 1);
    enum gs_status s = room == NULL ? gs_fail_memory(err) : gs_bytes_open(path, arena, &source, err);
    if (s == GS_OK)
        s = gs_power_log_open(strcmp(path, "-") == 0 ? "standard input" : path, options, arena, notes, &p, err);
    for (size_t n = 1; s == GS_OK && n > 0;) {
        s = gs_bytes_read(source, room, FEED_BYTES, &n, err);
        if (s == GS_OK)
            s = n > 0 ? gs_power_log_feed(p, room, n, err) : gs_power_log_finish(p, table, err);
    }
    gs_power_log_close(p);
    gs_bytes_close(source);
    return s;
}
