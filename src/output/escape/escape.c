/* escape.c - text from data in the languages of the output formats. */
#include "output/escape/escape.h"

#include "base/num/order.h"

#include <stdint.h>
#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

/* Is any of 8 bytes `c`, and is any below `limit` (at most 128)? From Hacker's Delight, 6-1. */
#define ONES           UINT64_C(0x0101010101010101)
#define HIGHS          UINT64_C(0x8080808080808080)
#define HAS_ZERO(v)    (((v)-ONES) & ~(v)&HIGHS)
#define HAS(v, c)      HAS_ZERO((v) ^ (ONES * (unsigned char)(c)))
#define HAS_LESS(v, n) (((v)-ONES * (n)) & ~(v)&HIGHS)

static uint64_t load8(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/*
 * The empty text is quoted, because a bare empty field means missing. Blanks at the ends are
 * quoted, because many readers trim bare fields.
 */
static bool csv_needs_quotes(struct gs_str t)
{
    if (t.len == 0 || t.ptr[0] == ' ' || t.ptr[0] == '\t' || t.ptr[t.len - 1] == ' ' ||
        t.ptr[t.len - 1] == '\t')
        return true;
    size_t i = 0;
    for (; i + 8 <= t.len; i += 8) {
        const uint64_t v = load8(t.ptr + i);
        if ((HAS(v, ',') | HAS(v, '"') | HAS(v, '\n') | HAS(v, '\r')) != 0)
            return true;
    }
    for (; i < t.len; i++)
        if (t.ptr[i] == ',' || t.ptr[i] == '"' || t.ptr[i] == '\n' || t.ptr[i] == '\r')
            return true;
    return false;
}

void gs_buf_csv(struct gs_buf *b, struct gs_str text)
{
    if (!csv_needs_quotes(text)) {
        gs_buf_bytes(b, text.ptr, text.len);
        return;
    }
    gs_buf_char(b, '"');
    gs_buf_doubled(b, text, '"');
    gs_buf_char(b, '"');
}

void gs_buf_sh(struct gs_buf *b, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\'')
            gs_buf_text(b, "'\\''");
        else
            gs_buf_char(b, *text);
}

/* TSV has no quotes. Backslash escapes keep one row on one line whatever a name holds. */
void gs_buf_tsv(struct gs_buf *b, struct gs_str text)
{
    size_t start = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.ptr[i];
        const char *as = NULL;
        if (c == '\t')
            as = "\\t";
        else if (c == '\n')
            as = "\\n";
        else if (c == '\r')
            as = "\\r";
        else if (c == '\\')
            as = "\\\\";
        if (as == NULL)
            continue;
        gs_buf_bytes(b, text.ptr + start, i - start);
        gs_buf_bytes(b, as, 2);
        start = i + 1;
    }
    gs_buf_bytes(b, text.ptr + start, text.len - start);
}

/*
 * How many bytes at the start of `t` are ASCII that JSON takes as it is. The word test may stop
 * early on a byte that would have passed; the loop behind it decides. It never passes a byte
 * that needs escaping.
 */
static size_t json_plain(struct gs_str t)
{
    size_t i = 0;
    for (; i + 8 <= t.len; i += 8) {
        const uint64_t v = load8(t.ptr + i);
        if (((v & HIGHS) | HAS(v, '"') | HAS(v, '\\') | HAS_LESS(v, 0x20)) != 0)
            break;
    }
    while (i < t.len && (unsigned char)t.ptr[i] >= 0x20 && (unsigned char)t.ptr[i] < 0x80 &&
           t.ptr[i] != '"' && t.ptr[i] != '\\')
        i++;
    return i;
}

/*
 * JSON must be valid UTF-8, and names from logs may not be. A malformed byte becomes U+FFFD
 * instead of a file that no parser reads.
 */
void gs_buf_json(struct gs_buf *b, struct gs_str text)
{
    gs_buf_char(b, '"');
    while (text.len > 0) {
        size_t n = json_plain(text);
        gs_buf_bytes(b, text.ptr, n);
        text.ptr += n;
        text.len -= n;
        if (text.len == 0)
            break;
        const char c = text.ptr[0];
        unsigned code;
        n = gs_utf8_next(text, &code);
        if (n == 0)
            gs_buf_text(b, replacement), n = 1;
        else if (c == '"' || c == '\\')
            gs_buf_char(b, '\\'), gs_buf_char(b, c);
        else if (c == '\n')
            gs_buf_text(b, "\\n");
        else if (c == '\t')
            gs_buf_text(b, "\\t");
        else if (c == '\r')
            gs_buf_text(b, "\\r");
        else if (code < 0x20)
            gs_buf_format(b, "\\u%04x", code);
        else
            gs_buf_bytes(b, text.ptr, n);
        text.ptr += n;
        text.len -= n;
    }
    gs_buf_char(b, '"');
}

/* Code points that hide text, reorder it, or are not characters at all. */
static bool is_deceptive(unsigned c)
{
    return (c >= 0x80 && c <= 0x9f) || c == 0x061c ||
           (c >= 0x200b && c <= 0x200f && c != 0x200c && c != 0x200d) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xfff9 && c <= 0xfffb) || (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef) ||
           (c >= 0xe0000 && c <= 0xe007f);
}

/*
 * Appends the next character in HTML and returns its bytes. `also` names further ASCII characters that the
 * caller's language gives a meaning; they are written as numbers.
 */
static size_t append_html_character(struct gs_buf *b, struct gs_str text, const char *also)
{
    unsigned c = 0;
    const size_t n = gs_utf8_next(text, &c);
    if (n == 0 || is_deceptive(c))
        gs_buf_text(b, replacement);
    else if (c < 0x20)
        gs_buf_format(b, "\xE2\x90%c", (char)(0x80 + c)); /* U+2400 + c */
    else if (c == 0x7f)
        gs_buf_text(b, "\xE2\x90\xA1");
    else if (c == '&')
        gs_buf_text(b, "&amp;");
    else if (c == '<')
        gs_buf_text(b, "&lt;");
    else if (c == '>')
        gs_buf_text(b, "&gt;");
    else if (c == '"')
        gs_buf_text(b, "&quot;");
    else if (c == '\'' || (c < 0x80 && strchr(also, (int)c) != NULL))
        gs_buf_format(b, "&#%u;", c);
    else
        gs_buf_bytes(b, text.ptr, n);
    return gs_max(n, 1);
}

void gs_buf_html(struct gs_buf *b, struct gs_str text)
{
    while (text.len > 0) {
        size_t plain = 0;
        while (plain < text.len) {
            const char c = text.ptr[plain];
            const bool word = gs_is_alnum(c) || c == ' ';
            if (!word)
                break;
            plain++;
        }
        gs_buf_bytes(b, text.ptr, plain);
        text.ptr += plain;
        text.len -= plain;
        if (text.len > 0) {
            const size_t n = append_html_character(b, text, "");
            text.ptr += n;
            text.len -= n;
        }
    }
}

/* Has this character a meaning in this place? A line inside a word has none, a plus sign only at the beginning. */
static bool has_meaning(struct gs_str text, size_t at)
{
    const char c = text.ptr[at];
    if (c == '_')
        return at == 0 || at + 1 == text.len || !gs_is_alnum(text.ptr[at - 1]) ||
               !gs_is_alnum(text.ptr[at + 1]);
    if (c == '+' || c == '-')
        return at == 0 && at + 1 < text.len && text.ptr[1] == ' ';
    return c != '\0' && strchr("\\`*[]#|~$", c) != NULL;
}

/* GitHub links a bare address or a name whatever stands before it: there the mark is a number. */
static bool makes_link(struct gs_str text, size_t at)
{
    return text.ptr[at] == '@' || (text.ptr[at] == ':' && at + 2 < text.len &&
                                   text.ptr[at + 1] == '/' && text.ptr[at + 2] == '/');
}

/* Markdown renderers pass HTML through, so text is escaped for both languages. */
void gs_buf_markdown(struct gs_buf *b, struct gs_str text)
{
    for (size_t at = 0; at < text.len;) {
        if (text.ptr[at] == '"' || text.ptr[at] == '\'') {
            gs_buf_char(b, text.ptr[at++]);
        } else if (has_meaning(text, at)) {
            gs_buf_char(b, '\\');
            gs_buf_char(b, text.ptr[at++]);
        } else {
            const char *const also = makes_link(text, at) ? "@:" : "";
            at += append_html_character(b, gs_str_after(text, at), also);
        }
    }
}

/*
 * gnuplot 5.4 takes a doubled quote for one only after another character: at the start of a string, or after
 * a doubled quote, it would end the string there. In those places a typographic apostrophe stands for it.
 * Its SVG writes > as it is, and XML forbids that after ]]: there a full-width one stands for it.
 */
static void append_gnuplot(struct gs_buf *b, struct gs_str text, bool tic)
{
    bool quote_may_be_doubled = false;
    size_t n_brackets = 0;
    gs_buf_char(b, '\'');
    while (text.len > 0) {
        unsigned c = 0;
        const size_t n = gs_utf8_next(text, &c);
        if (n == 0 || is_deceptive(c) || c == 0x7f)
            gs_buf_text(b, replacement);
        else if (c < 0x20)
            gs_buf_char(b, ' ');
        else if (c == '\'' && quote_may_be_doubled)
            gs_buf_text(b, "''");
        else if (c == '\'')
            gs_buf_text(b, "\xE2\x80\x99");
        else if (c == '>' && n_brackets >= 2)
            gs_buf_text(b, "\xEF\xBC\x9E");
        else
            gs_buf_bytes(b, text.ptr, n);
        if (c == '%' && tic)
            gs_buf_char(b, '%');
        n_brackets = c == ']' ? n_brackets + 1 : 0;
        quote_may_be_doubled = c != '\'' || !quote_may_be_doubled;
        text = gs_str_after(text, gs_max(n, 1));
    }
    gs_buf_char(b, '\'');
}

void gs_buf_gnuplot(struct gs_buf *b, struct gs_str text)
{
    append_gnuplot(b, text, false);
}

void gs_buf_gnuplot_tic(struct gs_buf *b, struct gs_str text)
{
    append_gnuplot(b, text, true);
}
