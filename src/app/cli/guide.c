/* guide.c - the little Markdown of the guides: headings, paragraphs, lists, blocks of code, tables. */
#include "app/cli/guide.h"

#include <string.h>

#include "app/cli/help.h"
#include "app/cli/roff.h"
#include "base/num/order.h"
#include "output/text/width.h"

enum { INDENT = 4, TABLE_COLUMNS_MAX = 12, GAP = 2 };

const struct gs_guide *gs_guide_find(const char *name)
{
    for (const struct gs_guide *g = gs_guides; g->name != NULL; g++)
        if (strcmp(g->name, name) == 0)
            return g;
    return NULL;
}

/* Lines that belong together: what is open until a line of another kind comes. */
enum block { NOTHING, PARAGRAPH, CODE, TABLE };

struct page {
    struct gs_buf *b;
    struct gs_buf words; /* of the open paragraph */
    enum block open;
    bool item; /* the paragraph is one of a list */
    unsigned width;
    bool roff;
    bool begun;              /* something stands between the last heading and here */
    const char *const *rows; /* the first of the open table */
    size_t n_rows;
};

/* Without the marks that only Markdown shows: ` and * around words, * not within `. Tables and paragraphs alike. */
static void append_plain(struct gs_buf *b, const char *text)
{
    bool literal = false;
    for (const char *p = text; *p != '\0'; p++)
        if (*p == '`')
            literal = !literal;
        else if (*p != '*' || literal)
            gs_buf_char(b, *p);
}

/* The next cell of a row, from behind a bar to before the next, without marks; false at the end of the row. */
static bool next_cell(const char **at, struct gs_buf *cell)
{
    const char *const start = *at + 1, *const end = strchr(start, '|');
    cell->len = 0;
    if (end == NULL)
        return false;
    const struct gs_str text = gs_trimmed((struct gs_str){start, (size_t)(end - start)});
    const char *const copy = gs_arena_copy(cell->arena, text.ptr, text.len);
    cell->failed |= copy == NULL;
    append_plain(cell, gs_or_empty(copy));
    *at = end;
    return !cell->failed;
}

static void take_verbatim(struct page *p, const char *line)
{
    if (p->roff) {
        gs_roff(p->b, gs_str(line), GS_ROFF_LITERAL, true);
        gs_buf_char(p->b, '\n');
    } else {
        const int indent = line[0] == '\0' ? 0 : INDENT;
        gs_buf_format(p->b, "%*s%s\n", indent, "", line);
    }
}

/* Cells one under the other; the row of dashes under the headings stays away. */
static void end_table(struct page *p)
{
    size_t width[TABLE_COLUMNS_MAX] = {0};
    struct gs_buf cell = {.arena = p->b->arena}, line = {.arena = p->b->arena};
    for (int printing = 0; printing < 2; printing++)
        for (size_t r = 0; r < p->n_rows; r++) {
            const char *at = p->rows[r];
            if (strncmp(at, "| --", 4) == 0)
                continue;
            line.len = 0;
            for (size_t c = 0, end = 0; c < TABLE_COLUMNS_MAX && next_cell(&at, &cell); c++) {
                const size_t n = gs_text_width(gs_buf_str(&cell));
                width[c] = gs_max(n, width[c]);
                while (gs_text_width(gs_buf_str(&line)) < end && !line.failed)
                    gs_buf_char(&line, ' ');
                gs_buf_bytes(&line, cell.ptr, cell.len);
                end += width[c] + GAP;
            }
            if (printing)
                take_verbatim(p, gs_buf_str(&line).ptr);
        }
    p->n_rows = 0;
    p->b->failed |= cell.failed || line.failed;
}

static void end_block(struct page *p)
{
    struct gs_buf *const b = p->b;
    if (p->open == TABLE)
        end_table(p);
    if (p->open == PARAGRAPH && p->roff) {
        if (p->item)
            gs_buf_text(b, ".IP \\(bu 2\n");
        else if (p->begun)
            gs_buf_text(b, ".PP\n");
        p->begun = true;
        gs_roff_prose(b, gs_buf_str(&p->words).ptr);
    } else if (p->open == PARAGRAPH) {
        const unsigned indent = p->item ? 2 : 0;
        gs_buf_text_if(b, p->item, "- ");
        (void)gs_wrap(b, gs_buf_str(&p->words).ptr, indent, indent, p->width);
        gs_buf_char(b, '\n');
    } else if (p->open != NOTHING && p->roff) {
        gs_buf_text(b, ".EE\n");
    }
    b->failed |= p->words.failed;
    p->words.len = 0;
    p->open = NOTHING;
}

static void begin_block(struct page *p, enum block kind)
{
    if (p->open == kind)
        return;
    end_block(p);
    p->open = kind;
    p->item = false;
    if (kind != PARAGRAPH && p->roff) {
        gs_buf_text_if(p->b, p->begun, ".PP\n");
        gs_buf_text(p->b, ".EX\n");
        p->begun = true;
    }
}

static void take_heading(struct page *p, const char *text)
{
    struct gs_buf *const b = p->b;
    end_block(p);
    if (!p->roff) {
        gs_buf_format(b, "%s\n", text);
        return;
    }
    p->begun = false;
    gs_buf_text(b, ".SH ");
    for (const char *c = text; *c != '\0'; c++) {
        const char upper = gs_upper(*c);
        gs_roff(b, (struct gs_str){&upper, 1}, GS_ROFF_LITERAL, false);
    }
    gs_buf_char(b, '\n');
}

static void take_words(struct page *p, const char *line)
{
    const bool item = strncmp(line, "- ", 2) == 0;
    if (item && p->open == PARAGRAPH)
        end_block(p);
    begin_block(p, PARAGRAPH);
    p->item |= item;
    if (p->words.len > 0)
        gs_buf_char(&p->words, ' ');
    if (item)
        line += strlen("- ");
    append_plain(&p->words, line + strspn(line, " "));
}

/* Everything below the title. */
static void take_lines(struct page *p, const struct gs_guide *g)
{
    bool code = false;
    for (const char *const *line = g->lines + 1; *line != NULL; line++) {
        const char *const text = *line;
        if (strncmp(text, "```", 3) == 0) {
            code = !code;
            if (code)
                begin_block(p, CODE);
            else
                end_block(p);
        } else if (code) {
            take_verbatim(p, text);
        } else if (strncmp(text, "## ", 3) == 0) {
            take_heading(p, text + 3);
        } else if (text[0] == '|') {
            if (p->open != TABLE)
                p->rows = line;
            begin_block(p, TABLE);
            p->n_rows++;
        } else if (text[0] == '\0' || strncmp(text, "<!--", 4) == 0) {
            end_block(p);
            if (!p->roff && text[0] == '\0')
                gs_buf_char(p->b, '\n');
        } else {
            take_words(p, text);
        }
    }
    end_block(p);
}

void gs_guide_text(struct gs_buf *b, const struct gs_guide *g, unsigned width)
{
    struct page p = {.b = b, .words.arena = b->arena, .width = width};
    gs_buf_format(b, "gpustat %s\n", g->lines[0] + strspn(g->lines[0], "# "));
    take_lines(&p, g);
}

void gs_guide_man(struct gs_buf *b, const struct gs_guide *g, const char *program)
{
    struct page p = {.b = b, .words.arena = b->arena, .roff = true};
    const char *const what = strchr(g->lines[0], ':');
    gs_buf_text(b, ".TH ");
    gs_buf_upper(b, program);
    gs_buf_text(b, "\\-");
    gs_buf_upper(b, g->name);
    gs_buf_text(b,
                " 7 " GPUSTAT_RELEASED " \"gpustat " GPUSTAT_VERSION "\" \"Guides\"\n.SH NAME\n");
    gs_buf_format(b, "%s\\-%s \\- ", gs_roff_literal(b, program), g->name);
    gs_roff_prose(b, what == NULL ? "" : what + 2);
    take_lines(&p, g);
    gs_buf_format(b, ".SH SEE ALSO\n.BR %s (1)\n", gs_roff_literal(b, program));
}
