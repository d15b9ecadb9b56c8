/* report_svg.c - gnuplot's pictures as elements of a page. */
#define _GNU_SOURCE /* memmem */
#include <string.h>

#include "output/gnuplot/gnuplot.h"
#include "output/text/escape.h"
#include "app/report/report.h"
#include "base/num/order.h"

static bool starts(struct gs_str s, const char *with)
{
    const size_t n = strlen(with);
    return s.len >= n && memcmp(s.ptr, with, n) == 0;
}

static struct gs_str after(struct gs_str s, size_t n)
{
    return (struct gs_str){s.ptr + n, s.len - n};
}

/* The number of bytes up to and including `what`; all of them where it is not there. */
static size_t through(struct gs_str s, const char *what)
{
    const size_t n = strlen(what);
    const char *const at = s.len == 0 ? NULL : memmem(s.ptr, s.len, what, n);
    return at == NULL ? s.len : (size_t)(at - s.ptr) + n;
}

static int hex_of(char c)
{
    if (gs_is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

/* "rgb(  0, 114, 178)" or "#0072b2" at the start of `s`: its length and its bytes; 0 where there is none. */
static size_t read_colour(struct gs_str s, int rgb[3])
{
    if (starts(s, "#") && s.len >= 7) {
        for (size_t k = 0; k < 3; k++) {
            const int high = hex_of(s.ptr[1 + 2 * k]), low = hex_of(s.ptr[2 + 2 * k]);
            rgb[k] = high < 0 || low < 0 ? -1 : 16 * high + low;
        }
        return rgb[0] < 0 || rgb[1] < 0 || rgb[2] < 0 ? 0 : 7;
    }
    if (!starts(s, "rgb("))
        return 0;
    size_t i = 4;
    for (size_t k = 0; k < 3; k++) {
        while (i < s.len && s.ptr[i] == ' ')
            i++;
        for (rgb[k] = 0; i < s.len && gs_is_digit(s.ptr[i]) && rgb[k] < 256; i++)
            rgb[k] = 10 * rgb[k] + s.ptr[i] - '0';
        if (i >= s.len || s.ptr[i++] != (k < 2 ? ',' : ')'))
            return 0;
    }
    return i;
}

/*
 * Appends the property of a colour of ours; answers how much of `s` it stands for, 0 where it is none. Those of series
 * stay as they are where an image shows them: it is not drawn anew in the dark.
 */
static size_t append_colour(struct gs_buf *b, struct gs_str s, bool has_image)
{
    int rgb[3], own[3];
    const size_t n = read_colour(s, rgb);
    for (size_t i = 0; n > 0 && i < GS_N_COLOURS; i++) {
        if (has_image && strncmp(gs_colours[i].name, "gs_colour", strlen("gs_colour")) == 0)
            continue;
        (void)read_colour(gs_str(gs_colours[i].light), own);
        if (memcmp(rgb, own, sizeof rgb) != 0)
            continue;
        gs_buf_format(b, "var(--g%zu)", i);
        return n;
    }
    return 0;
}

void gs_svg_style(struct gs_buf *b)
{
    for (int dark = 0; dark < 2; dark++) {
        gs_buf_text(b, dark ? "@media screen and (prefers-color-scheme: dark) { :root {"
                            : "<style>\n:root {");
        for (size_t i = 0; i < GS_N_COLOURS; i++)
            gs_buf_format(b, " --g%zu: %s;", i, dark ? gs_colours[i].dark : gs_colours[i].light);
        gs_buf_text(b, dark ? " } }\n</style>\n" : " }\n");
    }
}

/* Copies a tag. Ids and references to them get the prefix: a page has one name space for all its pictures. */
static void append_tag(struct gs_buf *b, struct gs_str tag, const char *prefix, bool has_image)
{
    static const char *const before_name[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    while (tag.len > 0) {
        size_t n = 0, plain = 0;
        while (plain < tag.len &&
               memchr(" hu#r", tag.ptr[plain], 5) == NULL) /* what a name or a colour begins with */
            plain++;
        gs_buf_bytes(b, tag.ptr, plain);
        tag = after(tag, plain);
        if (tag.len == 0)
            return;
        for (size_t i = 0; i < sizeof before_name / sizeof *before_name && n == 0; i++)
            if (starts(tag, before_name[i]))
                n = strlen(before_name[i]);
        const size_t colour = n > 0 ? 0 : append_colour(b, tag, has_image);
        gs_buf_bytes(b, tag.ptr, n > 0 ? n : colour == 0);
        if (n > 0)
            gs_buf_text(b, prefix);
        tag = after(tag, n > 0 ? n : gs_max(colour, 1));
    }
}

/* gnuplot's own start tag has a size and a name space declaration that HTML does not need. */
static void append_start(struct gs_buf *b, struct gs_str tag, struct gs_str label)
{
    gs_buf_text(b, "<svg role=\"img\" aria-label=\"");
    gs_buf_html(b, label);
    gs_buf_text(b, "\" ");
    const struct gs_str box = after(tag, through(tag, "viewBox=\""));
    if (box.len > 0) {
        gs_buf_text(b, "viewBox=\"");
        gs_buf_bytes(b, box.ptr, through(box, "\""));
    }
    gs_buf_char(b, '>');
}

void gs_svg_inline(struct gs_buf *b, struct gs_str svg, const char *prefix, struct gs_str label)
{
    const bool has_image = through(svg, "<image") < svg.len;
    while (svg.len > 0) {
        size_t n;
        if (svg.ptr[0] != '<') {
            const char *const tag = memchr(svg.ptr, '<', svg.len);
            n = tag == NULL ? svg.len : (size_t)(tag - svg.ptr);
            gs_buf_bytes(b, svg.ptr, n);
        } else if (starts(svg, "<?") || starts(svg, "<!--")) {
            n = through(svg, starts(svg, "<?") ? "?>" : "-->");
        } else if (starts(svg, "<desc>")) {
            n = through(svg, "</desc>");
        } else {
            n = through(svg, ">");
            if (starts(svg, "<svg"))
                append_start(b, (struct gs_str){svg.ptr, n}, label);
            else
                append_tag(b, (struct gs_str){svg.ptr, n}, prefix, has_image);
        }
        svg = after(svg, n);
    }
}
