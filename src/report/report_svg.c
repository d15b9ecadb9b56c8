/* report_svg.c - gnuplot's pictures as elements of a page. */
#include <string.h>

#include "render/escape.h"
#include "report/report.h"

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
    for (size_t i = 0; i < s.len; i++)
        if (starts(after(s, i), what))
            return i + strlen(what);
    return s.len;
}

/* Copies a tag. Ids and references to them get the prefix: a page has one name space for all its pictures. */
static void append_tag(struct gs_buf *b, struct gs_str tag, const char *prefix)
{
    static const char *const before_name[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    while (tag.len > 0) {
        size_t n = 0;
        for (size_t i = 0; i < sizeof before_name / sizeof *before_name && n == 0; i++)
            if (starts(tag, before_name[i]))
                n = strlen(before_name[i]);
        gs_buf_bytes(b, tag.ptr, n > 0 ? n : 1);
        if (n > 0)
            gs_buf_text(b, prefix);
        tag = after(tag, n > 0 ? n : 1);
    }
}

/* gnuplot's own start tag has a size and a name space declaration that HTML does not need. */
static void append_start(struct gs_buf *b, struct gs_str tag, const char *label, const char *class_name)
{
    gs_buf_text(b, "<svg class=\"");
    gs_buf_text(b, class_name);
    gs_buf_text(b, "\" role=\"img\" aria-label=\"");
    gs_buf_html(b, gs_str(label));
    gs_buf_text(b, "\" ");
    const struct gs_str box = after(tag, through(tag, "viewBox=\""));
    if (box.len > 0) {
        gs_buf_text(b, "viewBox=\"");
        gs_buf_bytes(b, box.ptr, through(box, "\""));
    }
    gs_buf_char(b, '>');
}

void gs_svg_inline(struct gs_buf *b, struct gs_str svg, const char *prefix, const char *label, const char *class_name)
{
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
                append_start(b, (struct gs_str){svg.ptr, n}, label, class_name);
            else
                append_tag(b, (struct gs_str){svg.ptr, n}, prefix);
        }
        svg = after(svg, n);
    }
}
