/* svg_hover.c - what a mark says under the mouse: a <title> inside it, no script. */
#include <string.h>

#include "output/chart/figure.h"
#include "base/num/decimal.h"
#include "base/num/order.h"

/* "<g id="figure_plot_3" >", in which gnuplot draws one element of the plot command. */
static bool begins_element(struct gs_str tag)
{
    return gs_str_begins(tag, "<g id=\"") && gs_str_find(tag, "_plot_") < tag.len;
}

static bool is_mark(struct gs_str tag)
{
    return (gs_str_begins(tag, "<polygon ") || gs_str_begins(tag, "<use ")) && tag.len > 2 &&
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
    const size_t at = gs_str_find(tag, name);
    struct gs_str rest = gs_str_after(tag, gs_min(at + strlen(name), tag.len));
    double value = 0;
    return gs_real_parse(gs_str_take(&rest, '\''), &value) == GS_NUMBER_OK ? value : 0;
}

/*
 * Are the cells of gnuplot's image larger than the pixels that it covers? Its PNG begins with a signature and the
 * header, of which width and height are bytes 16 to 23: in base64 the 32 letters after "base64,".
 */
static bool is_coarse(struct gs_str tag)
{
    static const char begin[] = "base64,";
    const size_t at = gs_str_find(tag, begin) + sizeof begin - 1;
    const double width = number_after(tag, " width='"), height = number_after(tag, " height='");
    if (at + 32 > tag.len)
        return false;
    const char *const letter = tag.ptr + at + 24; /* bytes 18 to 23: no map is 65,536 cells wide */
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
    (void)gs_str_take(&left, '\f');
    while (svg.len > 0) {
        const size_t n = gs_str_find(svg, "<");
        gs_buf_bytes(b, svg.ptr, n);
        svg = gs_str_after(svg, n);
        if (gs_str_begins(svg, title)) { /* gnuplot's own: "figure_plot_1" */
            const size_t end = gs_str_find(svg, title_end);
            svg = gs_str_after(svg, gs_min(end + sizeof title_end - 1, svg.len));
            continue;
        }
        const size_t close = gs_str_find(svg, ">");
        const struct gs_str tag = {svg.ptr, gs_min(close + 1, svg.len)};
        if (begins_element(tag))
            lines = gs_str_take(&left, '\f');
        struct gs_str words = {"", 0};
        if (is_mark(tag))
            words = gs_str_take(&lines, '\n');
        /* viewers would blend neighbouring cells into one another */
        if (gs_str_begins(tag, "<image ") && is_coarse(tag)) {
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
        svg = gs_str_after(svg, tag.len);
    }
}
