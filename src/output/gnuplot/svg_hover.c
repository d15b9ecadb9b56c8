/* svg_hover.c - what a mark says under the mouse: a <title> inside it, no script. */
#define _GNU_SOURCE /* memmem */
#include <string.h>

#include "output/chart/figure.h"
#include "base/num/decimal.h"

static bool starts(struct gs_str s, const char *with)
{
    const size_t n = strlen(with);
    return s.len >= n && memcmp(s.ptr, with, n) == 0;
}

static struct gs_str after(struct gs_str s, size_t n)
{
    return (struct gs_str){s.ptr + n, s.len - n};
}

/* Takes what lies before `end`, and `end`, off the front of `s`. All of it where that is not there. */
static struct gs_str collect(struct gs_str *s, char end)
{
    const char *const at = s->len == 0 ? NULL : memchr(s->ptr, end, s->len);
    const size_t n = at == NULL ? s->len : (size_t)(at - s->ptr);
    const struct gs_str taken = {s->ptr, n};
    *s = after(*s, at == NULL ? n : n + 1);
    return taken;
}

/* "<g id="figure_plot_3" >", in which gnuplot draws one element of the plot command. */
static bool begins_element(struct gs_str tag)
{
    static const char plot[] = "_plot_";
    if (!starts(tag, "<g id=\""))
        return false;
    for (size_t i = 0; i + sizeof plot - 1 < tag.len && tag.ptr[i] != '>'; i++)
        if (starts(after(tag, i), plot))
            return true;
    return false;
}

static bool is_mark(struct gs_str tag)
{
    return (starts(tag, "<polygon ") || starts(tag, "<use ")) && tag.len > 2 &&
           tag.ptr[tag.len - 2] == '/';
}

static unsigned sixth_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (unsigned)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 26;
    if (gs_is_digit(c))
        return (unsigned)(c - '0') + 52;
    return c == '+' ? 62 : 63;
}

/* The number after ` name='` in a tag; 0 where there is none. */
static double number_after(struct gs_str tag, const char *name)
{
    char digits[32] = "";
    const size_t n = strlen(name);
    for (size_t i = 0; i + n < tag.len; i++) {
        if (memcmp(tag.ptr + i, name, n) != 0)
            continue;
        for (size_t k = 0;
             k + 1 < sizeof digits && i + n + k < tag.len && tag.ptr[i + n + k] != '\''; k++)
            digits[k] = tag.ptr[i + n + k];
        break;
    }
    double value = 0;
    return gs_real_parse(gs_str(digits), &value) == GS_NUMBER_OK ? value : 0;
}

/*
 * Are the cells of gnuplot's image larger than the pixels that it covers? Its PNG begins with a signature and the
 * header, of which width and height are bytes 16 to 23: in base64 the 32 letters after "base64,".
 */
static bool is_coarse(struct gs_str tag)
{
    static const char begin[] = "base64,";
    const char *const at = memmem(tag.ptr, tag.len, begin, sizeof begin - 1);
    const double width = number_after(tag, " width='"), height = number_after(tag, " height='");
    if (at == NULL || (size_t)(tag.ptr + tag.len - at) < sizeof begin - 1 + 32)
        return false;
    const char *const letter =
        at + sizeof begin - 1 + 24; /* bytes 18 to 23: no map is 65,536 cells wide */
    uint64_t bits = 0;
    for (size_t i = 0; i < 8; i++)
        bits = bits << 6 | sixth_of(letter[i]);
    const double across = (double)(bits >> 32 & 0xFFFF), down = (double)(bits & 0xFFFFFFFF);
    return across <= width && down <= height && (2 * across <= width || 2 * down <= height);
}

/*
 * The k-th line of an element belongs to its k-th mark: gnuplot draws marks in the order of its
 * data. If it draws fewer or more, the rest of the lines is dropped or the marks stay without
 * words, and the picture is whole either way. The lines must be escaped already.
 */
void gs_svg_hover(struct gs_buf *b, struct gs_str svg, struct gs_str hover)
{
    static const char title[] = "<title>", title_end[] = "</title>";
    struct gs_str left = hover, lines = {"", 0};
    (void)collect(&left, '\f');
    while (svg.len > 0) {
        const char *const tag_at = memchr(svg.ptr, '<', svg.len);
        const size_t n = tag_at == NULL ? svg.len : (size_t)(tag_at - svg.ptr);
        gs_buf_bytes(b, svg.ptr, n);
        svg = after(svg, n);
        if (starts(svg, title)) { /* gnuplot's own: "figure_plot_1" */
            const char *const end = memmem(svg.ptr, svg.len, title_end, sizeof title_end - 1);
            svg =
                after(svg, end == NULL ? svg.len : (size_t)(end - svg.ptr) + sizeof title_end - 1);
            continue;
        }
        const char *const close = svg.len == 0 ? NULL : memchr(svg.ptr, '>', svg.len);
        const struct gs_str tag = {svg.ptr,
                                   close == NULL ? svg.len : (size_t)(close - svg.ptr) + 1};
        if (begins_element(tag))
            lines = collect(&left, '\f');
        const struct gs_str words = is_mark(tag) ? collect(&lines, '\n') : (struct gs_str){"", 0};
        if (starts(tag, "<image ") &&
            is_coarse(tag)) { /* viewers would blend neighbouring cells into one another */
            gs_buf_text(b, "<image style='image-rendering:pixelated' ");
            gs_buf_bytes(b, tag.ptr + 7, tag.len - 7);
        } else if (words.len == 0) {
            gs_buf_bytes(b, tag.ptr, tag.len);
        } else {
            gs_buf_bytes(b, tag.ptr, tag.len - 2);
            gs_buf_text(b, "><title>");
            gs_buf_bytes(b, words.ptr, words.len);
            gs_buf_text(b, tag.ptr[1] == 'p' ? "</title></polygon>" : "</title></use>");
        }
        svg = after(svg, tag.len);
    }
}
