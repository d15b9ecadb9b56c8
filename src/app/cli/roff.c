/* roff.c - text as man(7) wants it. */
#include "app/cli/roff.h"

#include <string.h>

#include "base/num/order.h"
#include "data/result/number_text.h"

/* Text without line ends; `line_start` where it begins an input line, at which roff reads requests. */
void gs_roff(struct gs_buf *b, struct gs_str text, enum gs_roff_kind kind, bool line_start)
{
    char before = ' ';
    for (size_t i = 0; i < text.len;) {
        const char c = text.ptr[i];
        unsigned code_point;
        const size_t n = gs_utf8_next((struct gs_str){text.ptr + i, text.len - i}, &code_point);
        if (i == 0 && line_start && strchr(".' ", c) != NULL) /* a blank would be a break */
            gs_buf_text(b, "\\&");
        if (n > 1)
            gs_buf_format(b, "\\[u%04X]", code_point);
        else if (c == '\\')
            gs_buf_text(b, "\\e");
        else if (c == '-' && (kind == GS_ROFF_LITERAL || strchr(" -('", before) != NULL))
            gs_buf_text(b, "\\-");
        else if (c == '\'' && kind == GS_ROFF_LITERAL)
            gs_buf_text(b, "\\(aq");
        else if (c == '`')
            gs_buf_text(b, "\\(ga");
        else if (c == '^')
            gs_buf_text(b, "\\(ha");
        else if (c == '~')
            gs_buf_text(b, "\\(ti");
        else
            gs_buf_char(b, c);
        before = c;
        i += gs_max(n, 1);
    }
}

void gs_roff_prose(struct gs_buf *b, const char *text)
{
    gs_roff(b, gs_str(text), GS_ROFF_PROSE, true);
    gs_buf_char(b, '\n');
}

/* A subsection; headings stand in the tables in small letters. */
void gs_roff_subsection(struct gs_buf *b, const char *text)
{
    gs_buf_text(b, ".SS ");
    gs_buf_char(b, gs_upper(text[0]));
    gs_roff_prose(b, text + 1);
}

const char *gs_roff_literal(struct gs_buf *b, const char *text)
{
    struct gs_buf literal = {.arena = b->arena};
    gs_roff(&literal, gs_str(text), GS_ROFF_LITERAL, false);
    return gs_buf_piece(b, &literal);
}

void gs_roff_preformatted(struct gs_buf *b, struct gs_str text)
{
    gs_buf_text(b, ".EX\n");
    while (text.len > 0) {
        gs_roff(b, gs_str_take(&text, '\n'), GS_ROFF_LITERAL, true);
        gs_buf_char(b, '\n');
    }
    gs_buf_text(b, ".EE\n");
}

/* Paragraphs as help.h describes them; a line end within one is a blank. */
void gs_roff_paragraphs(struct gs_buf *b, const char *text)
{
    for (const char *p = text; *p != '\0';) {
        const char *const gap = strstr(p, "\n\n");
        const size_t len = gap == NULL ? strlen(p) : (size_t)(gap - p);
        if (p != text)
            gs_buf_text(b, ".PP\n");
        if (*p == ' ') {
            gs_roff_preformatted(b, (struct gs_str){p, len});
        } else {
            char *const copy = gs_arena_copy(b->arena, p, len);
            for (size_t i = 0; copy != NULL && i < len; i++)
                if (copy[i] == '\n')
                    copy[i] = ' ';
            if (copy == NULL)
                b->failed = true;
            else
                gs_roff_prose(b, copy);
        }
        p += len + strspn(p + len, "\n");
    }
}
