/* write_table.c - aligned tables for people, fitted to the terminal. */
#include <math.h>
#include <string.h>

#include "base/num/order.h"
#include "base/num/whole.h"
#include "base/os/parallel.h"
#include "output/text/width.h"
#include "output/writers/writer.h"
#include "output/text/cells.h"

enum {
    GAP = 2,           /* columns between table columns                                     */
    TEXT_MIN = 12,     /* text is never shortened below this                                */
    TEXT_BLOCKED = 24, /* and above this where the table must be split into blocks anyway  */
    COLUMNS_MIN = 3,   /* so many stay where columns may go                                  */
    NAME_LINES = 4,    /* of the name of a row, such as a kernel with all its templates */
    HEADING_LINES = 3, /* of a heading, where there is room to make its column wider     */
    NAME_PIPED = 100,  /* that name without a terminal                                        */
    WRAPPED_MAX = 24,  /* lines that the words of one cell may take; more of them are cut   */
};

struct table_column {
    size_t column;
    size_t widest;       /* of its cells                      */
    size_t heading;      /* longest word of its heading       */
    size_t low;          /* width of a heading of a few lines */
    size_t width;        /* as printed                        */
    bool text;           /* left-aligned                      */
    bool cut;            /* may be shortened                  */
    struct gs_str words; /* label and unit               */
};

/* One block: the key columns and some of the others, side by side. */
struct table {
    const struct gs_frame *frame;
    const struct gs_render_options *options;
    const struct table_column *columns;
    const size_t *shown; /* [n_shown] places in `columns` */
    size_t n_shown;
};

/* Text that is printed as it stands: most is, and then costs no copy. */
static bool is_plain(struct gs_str t)
{
    for (size_t i = 0; i < t.len; i++)
        if (t.ptr[i] < 0x20 || t.ptr[i] > 0x7e || t.ptr[i] == '\\')
            return false;
    return true;
}

/* A cell as printed but for shortening. The result is in `room` or in the frame. */
static struct gs_str cell_text(struct gs_buf *room, const struct gs_frame *f, size_t row,
                               size_t column)
{
    const struct gs_column *const c = &f->columns[column];
    room->len = 0;
    const bool named = c->spec->type == GS_TYPE_TEXT && c->text[row].len > 0;
    if (named && is_plain(c->text[row]))
        return c->text[row];
    if (named)
        gs_buf_escaped(room, c->text[row], 0);
    else
        gs_cell_for_people(room, f, row, column);
    return gs_buf_str(room);
}

enum { MEASURED_AT_ONCE = 2048 }; /* rows */

struct measuring {
    const struct gs_frame *frame;
    size_t *widest;     /* [n_threads][n_columns] */
    struct gs_err *err; /* [n_threads] */
};

/*
 * Every row is measured, not a sample of them: a table that is piped to a file must be aligned
 * to its end.
 */
static int measure_rows(void *context, size_t item, unsigned thread)
{
    const struct measuring *const m = context;
    const size_t n_columns = m->frame->n_columns, first = item * MEASURED_AT_ONCE,
                 left = m->frame->n_rows - first;
    size_t *const widest = m->widest + thread * n_columns;
    GS_OWN struct gs_arena arena = {0};
    struct gs_buf room = {.arena = &arena};
    struct gs_frame part;
    enum gs_status s = gs_frame_part(m->frame, first, gs_min(left, MEASURED_AT_ONCE), &arena, &part,
                                     &m->err[thread]);
    for (size_t r = 0; s == GS_OK && r < part.n_rows; r++)
        for (size_t c = 0; c < n_columns; c++) {
            const size_t width = gs_text_width(cell_text(&room, &part, r, c));
            widest[c] = gs_max(width, widest[c]);
        }
    if (s == GS_OK && room.failed)
        s = gs_fail_memory(&m->err[thread]);
    return s != GS_OK;
}

/*
 * The widest cell of every column, over all threads in the first n_columns of m->widest. A
 * maximum does not depend on the order, so each thread keeps its own and they are combined at
 * the end.
 */
static enum gs_status measure(struct gs_writer *w, struct measuring *m, struct gs_err *err)
{
    const unsigned n_threads = gs_max(1, w->options->n_threads);
    const size_t n_columns = m->frame->n_columns,
                 n_items = (m->frame->n_rows + MEASURED_AT_ONCE - 1) / MEASURED_AT_ONCE;
    GS_TAKE(m->widest, n_threads * n_columns, w->arena, err);
    GS_TAKE(m->err, n_threads, w->arena, err);
    (void)gs_parallel_for(n_threads, n_items, measure_rows, m);
    for (unsigned t = 0; t < n_threads; t++) {
        if (m->err[t].status != GS_OK && err != NULL)
            *err = m->err[t];
        if (m->err[t].status != GS_OK)
            return m->err[t].status;
        for (size_t c = 0; c < n_columns; c++)
            if (m->widest[t * n_columns + c] > m->widest[c])
                m->widest[c] = m->widest[t * n_columns + c];
    }
    return GS_OK;
}

/* Takes the next word off the front of `rest`. A bracket this short is a unit and stays whole: "(GPU h)". */
static struct gs_str next_word(struct gs_str *rest)
{
    enum { UNIT_MAX = 8 };
    const char *const from = rest->ptr, *const close =
                                            memchr(from, ')', gs_min(rest->len, UNIT_MAX));
    if (close != NULL && from[0] == '(')
        *rest = gs_str_after(*rest, (size_t)(close - from));
    const struct gs_str end = gs_str_take(rest, ' ');
    return (struct gs_str){from, (size_t)(end.ptr + end.len - from)};
}

/* Takes as many words as fit `width`: one line of the heading. */
static struct gs_str next_line(struct gs_str *rest, size_t width)
{
    struct gs_str line = {rest->ptr, 0};
    while (rest->len > 0) {
        struct gs_str after = *rest;
        const struct gs_str word = next_word(&after);
        const struct gs_str longer = {line.ptr, (size_t)(word.ptr + word.len - line.ptr)};
        if (line.len > 0 && gs_text_width(longer) > width)
            break;
        line = longer;
        *rest = after;
    }
    return line;
}

static size_t lines_at(struct gs_str words, size_t width)
{
    size_t n = 0;
    for (; words.len > 0; n++)
        (void)next_line(&words, width);
    return n;
}

static enum gs_status describe_columns(struct gs_writer *w, const struct gs_frame *f,
                                       struct table_column *columns, struct gs_err *err)
{
    struct measuring m = {.frame = f};
    GS_TRY(measure(w, &m, err));
    for (size_t c = 0; c < f->n_columns; c++) {
        const size_t from = gs_frame_shown(f, c);
        columns[c].widest = gs_max(m.widest[from], 1);
        const struct gs_column_spec *const spec = f->columns[from].spec;
        struct gs_buf words = {.arena = w->arena};
        gs_buf_text(&words, gs_column_title(spec));
        if (spec->unit != NULL && spec->unit[0] != '\0')
            gs_buf_format(&words, " (%s)", spec->unit);
        GS_TRY(gs_had_memory(!words.failed, err));
        columns[c].column = from;
        columns[c].cut = spec->type == GS_TYPE_TEXT;
        columns[c].text = columns[c].cut || spec->type == GS_TYPE_TIME;
        if (columns[c].cut && spec->unit != NULL && spec->unit[0] != '\0')
            columns[c].cut = columns[c].text = false; /* a number with its interval */
        columns[c].words = gs_buf_str(&words);
        for (struct gs_str rest = columns[c].words; rest.len > 0;) {
            const size_t width = gs_text_width(next_word(&rest));
            columns[c].heading = gs_max(width, columns[c].heading);
        }
        columns[c].low = columns[c].heading;
        while (lines_at(columns[c].words, columns[c].low) > HEADING_LINES)
            columns[c].low++;
    }
    return GS_OK;
}

/* Blanks between a column and the one before it. */
static size_t gap_before(size_t column)
{
    return column > 0 ? GAP : 0;
}

/*
 * Sets every width with text cut at `limit`; returns the whole line's. Numbers are never cut: a
 * shortened number is a wrong one. Only text takes part in `limit`. `low`: with headings of few lines.
 */
static size_t set_widths(struct table_column *columns, size_t n, size_t limit, bool low)
{
    size_t total = 0;
    for (size_t c = 0; c < n; c++) {
        size_t width = columns[c].widest;
        if (columns[c].cut && width > limit)
            width = limit;
        columns[c].width = gs_max(width, low ? columns[c].low : columns[c].heading);
        total += columns[c].width + gap_before(c);
    }
    return total;
}

/* Chooses the widths; returns whether one block is enough. */
static bool fit(struct table_column *columns, const struct gs_frame *f, size_t terminal)
{
    size_t longest = TEXT_MIN;
    for (size_t c = 0; c < f->n_columns; c++)
        longest = gs_max(columns[c].widest, longest);
    if (set_widths(columns, f->n_columns, longest, true) <= terminal)
        return true;
    if (terminal == 0) {
        if (columns[0].cut)
            columns[0].width = gs_min(columns[0].width, NAME_PIPED);
        return true;
    }
    if (set_widths(columns, f->n_columns, longest, false) <= terminal)
        return true;
    for (size_t limit = gs_min(longest, terminal); limit >= TEXT_MIN; limit--)
        if (set_widths(columns, f->n_columns, limit, false) <= terminal)
            return true;
    /* Blocks it is. The key must leave room for the widest of what cannot be shortened. */
    size_t stiff = 0, limit = TEXT_BLOCKED;
    for (size_t c = 1; c < f->n_columns; c++) {
        const size_t width = columns[c].cut ? TEXT_MIN : columns[c].widest;
        const size_t needed = gs_max(width, columns[c].heading);
        stiff = gs_max(needed, stiff);
    }
    while (limit > TEXT_MIN && limit + GAP + stiff > terminal)
        limit--;
    (void)set_widths(columns, f->n_columns, limit, false);
    return false;
}

static bool same_cell(const struct gs_column *c, size_t a, size_t b)
{
    switch (c->spec->type) {
    case GS_TYPE_TEXT:
        return (c->text[a].ptr == NULL) == (c->text[b].ptr == NULL) &&
               gs_str_eq(c->text[a], c->text[b]);
    case GS_TYPE_REAL:
        return c->real[a] == c->real[b] || (isnan(c->real[a]) && isnan(c->real[b]));
    case GS_TYPE_INT:
    case GS_TYPE_TIME:
        break;
    }
    return c->integer[a] == c->integer[b];
}

/*
 * Is there a row whose first n cells are those of the row before it? Parts overlap by one row,
 * so that the last of a part is compared with the first of the next.
 */
static enum gs_status find_twins(const struct gs_frame *f, size_t n, bool *twins,
                                 struct gs_err *err)
{
    GS_OWN struct gs_arena arena = {0};
    *twins = false;
    for (size_t first = 0; first + 1 < f->n_rows && !*twins; first += MEASURED_AT_ONCE - 1) {
        GS_REWINDS(&arena);
        const size_t left = f->n_rows - first;
        struct gs_frame part;
        GS_TRY(gs_frame_part(f, first, gs_min(left, MEASURED_AT_ONCE), &arena, &part, err));
        for (size_t r = 1; r < part.n_rows && !*twins; r++) {
            size_t c = 0;
            while (c < n && same_cell(&part.columns[c], r - 1, r))
                c++;
            *twins = c == n;
        }
    }
    return GS_OK;
}

/*
 * How many columns every block repeats on its left: as many as tell each row from the next, for a row of a
 * later block must be found again; the first alone where those would take more than half of the line or leave
 * no room.
 */
static enum gs_status count_keys(const struct table_column *columns, const struct gs_frame *f,
                                 size_t terminal, size_t *n_keys, struct gs_err *err)
{
    size_t n = 0, used = 0;
    bool twins = f->n_rows > 0;
    *n_keys = 1;
    while (twins && n < f->n_columns) {
        used += columns[n].width + gap_before(n);
        n++;
        size_t widest = 0;
        for (size_t c = n; c < f->n_columns; c++)
            widest = gs_max(columns[c].width, widest);
        if (used > terminal / 2 || used + GAP + widest > terminal)
            return GS_OK;
        GS_TRY(find_twins(f, n, &twins, err));
    }
    if (!twins && n > 0)
        *n_keys = n;
    return GS_OK;
}

static void append_blanks(struct gs_buf *b, size_t n)
{
    static const char blanks[] = "                                                                ";
    for (; n > 0; n -= gs_min(n, sizeof blanks - 1))
        gs_buf_bytes(b, blanks, gs_min(n, sizeof blanks - 1));
}

/* Lines broken between words at `width` (0: never); what follows "- " is indented. */
static void append_prose(struct gs_buf *b, const char *text, size_t width)
{
    while (*text != '\0') {
        struct gs_str line = {text, strcspn(text, "\n")};
        const size_t indent = gs_str_begins(line, "- ") ? 2 : 0;
        text += line.len;
        for (size_t room = width; room > indent && gs_text_width(line) > room;
             room = width - indent) {
            gs_buf_add(b, next_line(&line, room));
            gs_buf_char(b, '\n');
            append_blanks(b, indent);
        }
        gs_buf_add(b, line);
        if (*text == '\n')
            gs_buf_char(b, *text++);
    }
}

/* Appends text that takes `width` columns into a cell; the last cell of a line gets no blanks after it. */
static void append_aligned(struct gs_buf *b, struct gs_str text, const struct table_column *c,
                           bool last, const char *style)
{
    const size_t width = gs_text_width(text);
    const size_t pad = gs_excess(c->width, width);
    if (!c->text)
        append_blanks(b, pad);
    if (style != NULL && text.len > 0)
        gs_buf_text(b, style);
    gs_buf_bytes(b, text.ptr, text.len);
    if (style != NULL && text.len > 0)
        gs_buf_text(b, "\033[0m");
    if (c->text && !last)
        append_blanks(b, pad);
}

/*
 * Drops the blanks that an empty cell left at the end of a line. Lines without blanks at their
 * ends compare well and survive editors that strip them.
 */
static void end_line(struct gs_buf *b)
{
    while (b->len > 0 && !b->failed && b->ptr[b->len - 1] == ' ')
        b->len--;
    gs_buf_char(b, '\n');
}

/* Headings stand at the bottom of their lines, next to the numbers they name. */
static void append_heading(struct gs_buf *b, const struct table *t)
{
    size_t n_lines = 0;
    for (size_t i = 0; i < t->n_shown; i++) {
        const struct table_column *const c = &t->columns[t->shown[i]];
        const size_t n = lines_at(c->words, c->width);
        n_lines = gs_max(n, n_lines);
    }
    const char *const bold = t->options->colour ? "\033[1m" : NULL;
    for (size_t line = 0; line < n_lines; line++) {
        for (size_t i = 0; i < t->n_shown; i++) {
            const struct table_column *const c = &t->columns[t->shown[i]];
            const size_t first = n_lines - lines_at(c->words, c->width);
            struct gs_str rest = c->words, text = {"", 0};
            for (size_t k = first; k <= line; k++)
                text = next_line(&rest, c->width);
            if (i > 0)
                append_blanks(b, GAP);
            append_aligned(b, text, c, i + 1 == t->n_shown, bold);
        }
        end_line(b);
    }
    for (size_t i = 0; i < t->n_shown; i++) {
        if (i > 0)
            append_blanks(b, GAP);
        for (size_t k = 0; k < t->columns[t->shown[i]].width; k++)
            gs_buf_text(b, t->options->unicode ? "\xE2\x94\x80" : "-");
    }
    gs_buf_char(b, '\n');
}

/* Appends a text too wide for its column: its start, an ellipsis and its end, where names differ. */
static void append_shortened(struct gs_buf *b, struct gs_str text, const struct table *t,
                             size_t width)
{
    const struct gs_str cut = gs_str(t->options->unicode ? "\xE2\x80\xA6" : "..");
    const size_t keep = width - gs_text_width(cut);
    const struct gs_str start = gs_text_start(text, keep - keep / 2),
                        end = gs_text_end(text, keep / 2);
    gs_buf_bytes(b, start.ptr, start.len);
    gs_buf_bytes(b, cut.ptr, cut.len);
    gs_buf_bytes(b, end.ptr, end.len);
}

/* Whether the name of a row, too wide for its column, can be put on a few lines, word by word. */
static bool can_wrap(struct gs_str name, size_t width)
{
    size_t n_lines = 0;
    while (name.len > 0 && n_lines++ < NAME_LINES)
        if (gs_text_width(next_line(&name, width)) > width)
            return false;
    return name.len == 0;
}

/* What stands on one line of a row, the first being 0, in a cell: most have nothing on the others. */
static struct gs_str text_of_line(struct gs_buf *shorter, struct gs_str text, const struct table *t,
                                  const struct table_column *c, size_t line, bool *more)
{
    const size_t width = c->width;
    struct gs_str part = {"", 0};
    if (gs_text_width(text) <= width)
        return line == 0 ? text : part;
    const bool wraps =
        c == t->columns ? can_wrap(text, width) : lines_at(text, width) <= WRAPPED_MAX;
    if (wraps) {
        for (size_t k = 0; k <= line; k++)
            part = next_line(&text, width);
        *more |= text.len > 0;
    } else if (line == 0) {
        part = text;
    }
    if (gs_text_width(part) <= width)
        return part;
    shorter->len = 0;
    append_shortened(shorter, part, t, width);
    return gs_buf_str(shorter);
}

/* Appends one line of a row; returns whether there is another. */
static bool row_line(struct gs_buf *b, const struct table *t, size_t row, size_t line,
                     struct gs_buf *room, struct gs_buf *shorter)
{
    bool more = false;
    for (size_t i = 0; i < t->n_shown; i++) {
        const struct table_column *const c = &t->columns[t->shown[i]];
        const struct gs_str cell = cell_text(room, t->frame, row, c->column);
        const struct gs_str text = text_of_line(shorter, cell, t, c, line, &more);
        if (i > 0)
            append_blanks(b, GAP);
        const bool dim = t->options->colour && gs_frame_is_missing(t->frame, row, c->column);
        append_aligned(b, text, c, i + 1 == t->n_shown, dim ? "\033[2m" : NULL);
    }
    end_line(b);
    return more;
}

static void table_rows(struct gs_buf *b, const struct gs_frame *part, const void *context)
{
    struct table of_part = *(const struct table *)context;
    const struct table *const t = &of_part;
    GS_OWN struct gs_arena arena = {0};
    struct gs_buf room = {.arena = &arena}, shorter = {.arena = &arena};
    of_part.frame = part;
    for (size_t r = 0; r < part->n_rows; r++)
        for (size_t line = 0;
             row_line(b, t, r, line, &room, &shorter) && !room.failed && !shorter.failed;)
            line++;
    b->failed |= room.failed || shorter.failed;
}

static enum gs_status write_block(struct gs_writer *w, struct table *t, bool first,
                                  struct gs_err *err)
{
    struct gs_buf b = {.arena = w->arena};
    if (!first)
        gs_buf_char(&b, '\n');
    append_heading(&b, t);
    GS_TRY(gs_writer_flush(w, &b, err));
    return gs_writer_rows(w, t->frame, table_rows, t, err);
}

/*
 * Splits the columns after the keys into runs that fit beside them, and writes one block for
 * each. Every block takes at least one column beside the keys, even if it is too wide; the loop
 * would not end otherwise.
 */
static enum gs_status write_blocks(struct gs_writer *w, const struct gs_frame *f,
                                   const struct table_column *columns, bool one_block,
                                   struct gs_err *err)
{
    GS_NEW(size_t, shown, f->n_columns, w->arena, err);
    struct table t = {.frame = f, .options = w->options, .columns = columns, .shown = shown};
    size_t n_keys = 1;
    if (!one_block)
        GS_TRY(count_keys(columns, f, (size_t)w->options->width, &n_keys, err));
    size_t next = n_keys, key_width = 0;
    for (size_t c = 0; c < n_keys; c++) {
        key_width += columns[c].width + gap_before(c);
        shown[c] = c;
    }
    do {
        size_t used = key_width;
        t.n_shown = n_keys;
        while (next < f->n_columns) {
            used += GAP + columns[next].width;
            if (!one_block && t.n_shown > n_keys && used > (size_t)w->options->width)
                break;
            shown[t.n_shown++] = next++;
        }
        GS_TRY(write_block(w, &t, next == t.n_shown, err));
    } while (next < f->n_columns);
    return GS_OK;
}

/*
 * Columns are dropped from the right only in a view that may leave some out, and the number
 * dropped is reported. Otherwise the table is split into blocks and nothing is lost.
 */
enum gs_status gs_write_table(struct gs_writer *w, const struct gs_frame *f, size_t index,
                              struct gs_err *err)
{
    struct gs_buf b = {.arena = w->arena};
    if (index > 0)
        gs_buf_char(&b, '\n');
    const bool none = f->n_rows == 0 && f->n_columns > 0; /* then the title is the answer */
    const bool bold = w->options->colour;
    if (w->several || w->options->titles || none)
        gs_buf_format(&b, "%s%s%s\n", bold ? "\033[1m" : "", gs_frame_heading(f),
                      bold ? "\033[0m" : "");
    if (f->lead != NULL) {
        append_prose(&b, f->lead, (size_t)gs_max(0, w->options->width));
        gs_buf_text(&b, "\n\n");
    }
    gs_buf_text_if(&b, none, "(no rows)\n");
    enum gs_status s = gs_writer_flush(w, &b, err);
    if (s != GS_OK || f->n_columns == 0 || none)
        return s;
    GS_NEW(struct table_column, columns, f->n_columns, w->arena, err);
    GS_TRY(describe_columns(w, f, columns, err));
    struct gs_frame shown = *f;
    const size_t width = (size_t)gs_max(0, w->options->width);
    bool one_block = fit(columns, &shown, width);
    while (!one_block && w->options->n_left_out != NULL && shown.n_columns > COLUMNS_MIN) {
        shown.n_columns--;
        ++*w->options->n_left_out;
        one_block = fit(columns, &shown, width);
    }
    s = write_blocks(w, &shown, columns, one_block, err);
    if (s != GS_OK || f->below == NULL)
        return s;
    gs_buf_char(&b, '\n');
    append_prose(&b, f->below, width);
    return gs_writer_flush(w, &b, err);
}
