/* report_svg.c - gnuplot's pictures as elements of a page. */
#include <string.h>

#include "output/chart/colours.h"
#include "base/num/decimal.h"
#include "base/num/order.h"
#include "output/escape/escape.h"
#include "app/report/report.h"

/* The number of bytes up to and including `what`; all of them where it is not there. */
static size_t through(struct gs_str s, const char *what)
{
    const size_t end = gs_str_find(s, what) + strlen(what);
    return gs_min(end, s.len);
}

/* "rgb(  0, 114, 178)" or "#0072b2" at the start of `s`: its length and its bytes; 0 where there is none. */
static size_t read_colour(struct gs_str s, int rgb[3])
{
    if (gs_str_begins(s, "#") && s.len >= 7) {
        for (size_t k = 0; k < 3; k++) {
            const int high = gs_hex_digit(s.ptr[1 + 2 * k]), low = gs_hex_digit(s.ptr[2 + 2 * k]);
            if (high < 0 || low < 0)
                return 0;
            rgb[k] = 16 * high + low;
        }
        return 7;
    }
    if (!gs_str_begins(s, "rgb("))
        return 0;
    size_t i = 4;
    for (size_t k = 0; k < 3; k++) {
        while (i < s.len && s.ptr[i] == ' ')
            i++;
        for (rgb[k] = 0; i < s.len && gs_is_digit(s.ptr[i]) && rgb[k] < 256; i++)
            rgb[k] = 10 * rgb[k] + s.ptr[i] - '0';
        if (i >= s.len || s.ptr[i++] != ",,)"[k])
            return 0;
    }
    return i;
}

/* The place of a colour of ours at the start of `s`, with the bytes that it takes there; GS_N_COLOURS: it is none. */
static size_t colour_of(struct gs_str s, size_t *n)
{
    int rgb[3], own[3];
    *n = read_colour(s, rgb);
    for (size_t i = 0; *n > 0 && i < GS_N_COLOURS; i++) {
        (void)read_colour(gs_str(gs_colours[i].light), own);
        if (memcmp(rgb, own, sizeof rgb) == 0)
            return i;
    }
    return GS_N_COLOURS;
}

/*
 * Appends the property of a colour of ours; answers how much of `s` it stands for, 0 where it is none. Those of series
 * stay as they are where an image shows them: it is not drawn anew in the dark.
 */
static size_t append_colour(struct gs_buf *b, struct gs_str s, bool has_image)
{
    size_t n;
    const size_t i = colour_of(s, &n);
    if (i == GS_N_COLOURS || (has_image && gs_str_begins(gs_str(gs_colours[i].name), "gs_colour")))
        return 0;
    gs_buf_format(b, "var(--g%zu)", i);
    return n;
}

void gs_svg_style(struct gs_buf *b)
{
    gs_buf_text(b, "<style>\n:root {");
    for (size_t i = 0; i < GS_N_COLOURS; i++)
        gs_buf_format(b, " --g%zu: %s;", i, gs_colours[i].light);
    gs_buf_text(b, " }\n@media screen and (prefers-color-scheme: dark) { :root {");
    for (size_t i = 0; i < GS_N_COLOURS; i++)
        gs_buf_format(b, " --g%zu: %s;", i, gs_colours[i].dark);
    gs_buf_text(b, " } }\n");
    for (size_t i = 0; i < GS_N_COLOURS; i++)
        gs_buf_format(b, ".k%zu { color: var(--g%zu); }\n", i, i);
    gs_buf_text(b, ".d { fill: none; color: black; stroke: currentColor; }\n"
                   ".l { stroke: none; fill: var(--g0); font-size: 12px; }\n</style>\n");
}

/* Names of symbols, which all pictures of a page share; other ids are a picture's own. */
static bool is_shared(struct gs_str name)
{
    return gs_str_begins(name, "gpPt") || gs_str_begins(name, "gpDot") ||
           gs_str_begins(name, "textbox") || gs_str_begins(name, "greybox");
}

/* A number of a coordinate with the digits that show on a screen. Answers how much of `s` it stands for, 0: as it is. */
static size_t append_coordinate(struct gs_buf *b, struct gs_str s)
{
    size_t n = 0, point = 0;
    while (n < s.len && (gs_is_digit(s.ptr[n]) || (s.ptr[n] == '.' && point == 0))) {
        if (s.ptr[n] == '.')
            point = n;
        n++;
    }
    if (point == 0 || n < point + 2)
        return 0;
    size_t kept = n;
    if (point >= 2) /* tenths of what is 10 or more */
        kept = gs_min(n, point + 2);
    while (s.ptr[kept - 1] == '0')
        kept--;
    kept -= s.ptr[kept - 1] == '.';
    gs_buf_bytes(b, s.ptr, kept);
    return n;
}

/* The length of what SVG or the page's style assume anyway, in whose place a class may stand; else 0. */
static size_t append_assumed(struct gs_buf *b, struct gs_str tag)
{
    static const char *const assumed[][2] = {
        {" fill=\"none\" color=\"black\" stroke=\"currentColor\"", " class=\"d\""},
        {" stroke=\"none\" fill=\"rgb(27,31,36)\" font-family=\"sans-serif\" font-size=\"12.00\" ",
         " class=\"l\""},
        {" stroke-width=\"1.00\"", ""},
        {" stroke-linecap=\"butt\"", ""},
        {" stroke-linejoin=\"miter\"", ""},
        {" font-family=\"sans-serif\"", ""},
        {" class=\"gridline\"", ""},
    };
    for (size_t i = 0; i < sizeof assumed / sizeof *assumed && tag.ptr[0] == ' '; i++)
        if (gs_str_begins(tag, assumed[i][0])) {
            gs_buf_text(b, assumed[i][1]);
            return strlen(assumed[i][0]);
        }
    return 0;
}

/* The length of what stands before a name that must be the figure's own on the page; else 0. */
static size_t length_before_name(struct gs_str tag)
{
    static const char *const before_name[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    for (size_t i = 0; i < sizeof before_name / sizeof *before_name; i++)
        if (gs_str_begins(tag, before_name[i]))
            return strlen(before_name[i]);
    return 0;
}

/* Copies a tag. */
static void append_tag(struct gs_buf *b, struct gs_str tag, const char *prefix, bool has_image)
{
    bool inside_number = false;
    while (tag.len > 0) {
        size_t skipped = append_assumed(b, tag), n = length_before_name(tag);
        if (n > 0) {
            gs_buf_bytes(b, tag.ptr, n);
            gs_buf_text_if(b, !is_shared(gs_str_after(tag, n)), prefix);
        } else if (skipped == 0 && strchr("#r", tag.ptr[0]) != NULL) {
            skipped = append_colour(b, tag, has_image);
        } else if (skipped == 0 && !inside_number && gs_is_digit(tag.ptr[0])) {
            skipped = append_coordinate(b, tag);
        }
        n += skipped;
        if (n == 0) {
            const bool blank = strchr(" \n\t", tag.ptr[0]) != NULL;
            if (!blank || tag.len < 2 || strchr(" \n\t", tag.ptr[1]) == NULL)
                gs_buf_char(b, blank ? ' ' : tag.ptr[0]);
            inside_number = gs_is_digit(tag.ptr[0]) || tag.ptr[0] == '.';
            n = 1;
        }
        tag = gs_str_after(tag, n);
    }
}

/* gnuplot's own start tag has a size and a name space declaration that HTML does not need. */
static void append_start(struct gs_buf *b, struct gs_str tag, struct gs_str label)
{
    gs_buf_text(b, "<svg role=\"img\" aria-label=\"");
    gs_buf_html(b, label);
    gs_buf_text(b, "\" ");
    const struct gs_str box = gs_str_after(tag, through(tag, "viewBox=\""));
    if (box.len > 0) {
        gs_buf_text(b, "viewBox=\"");
        gs_buf_bytes(b, box.ptr, through(box, "\""));
    }
    gs_buf_char(b, '>');
}

/* What lies between two bytes of a tag that begin and end a value; missing where it is not there. */
static struct gs_str value_of(struct gs_str tag, const char *before, char end)
{
    struct gs_str rest = gs_str_after(tag, through(tag, before));
    const size_t left = rest.len;
    const struct gs_str value = gs_str_take(&rest, end);
    if (value.len == left)
        return GS_NO_STR;
    return value;
}

enum { KINDS_MAX = 8 };

/* Marks that are being drawn: points of one size are a group, boxes of one colour a path. */
struct cloud {
    const char *prefix; /* of the names of the figure */
    bool hover;         /* marks have words           */
    struct gs_str scale;
    bool open, box;  /* box: the mark that is open is a polygon which became a path */
    bool closed;     /* its end was written already: it has no words        */
    bool boxes;      /* the path of boxes is open ... */
    size_t of_boxes; /* ... of this colour            */
    size_t n_kinds;
    struct {
        struct gs_str name;
        size_t colour;
    } kind[KINDS_MAX];
};

static void close_boxes(struct gs_buf *b, struct cloud *c)
{
    gs_buf_text_if(b, c->boxes, "'/>");
    c->boxes = false;
}

static void close_cloud(struct gs_buf *b, struct cloud *c)
{
    gs_buf_text_if(b, c->open, "</g>");
    c->open = false;
}

/* Has the mark words inside? If not it is closed, and an end tag that follows is left out. */
static bool has_words(struct cloud *c, struct gs_str tag)
{
    const bool has_end = tag.ptr[tag.len - 2] != '/';
    c->closed = has_end && !c->hover;
    return has_end && c->hover;
}

/* The place of a shape and colour among those of the figure, defined where they come first; KINDS_MAX: there are too many. */
static size_t kind_of(struct gs_buf *b, struct cloud *c, struct gs_str name, size_t colour)
{
    size_t k = 0;
    while (k < c->n_kinds && (c->kind[k].colour != colour || !gs_str_eq(c->kind[k].name, name)))
        k++;
    if (k < c->n_kinds || k == KINDS_MAX)
        return k;
    c->kind[c->n_kinds].name = name;
    c->kind[c->n_kinds++].colour = colour;
    gs_buf_format(b, "<defs><use id=%s%c href=#%.*s class=k%zu /></defs>", c->prefix,
                  (char)('a' + k), (int)name.len, name.ptr, colour);
    return k;
}

struct point {
    struct gs_str name, scale;
    size_t colour;
    double at[2]; /* in units of its scale */
};

static bool read_point(struct gs_str tag, struct point *p)
{
    const struct gs_str x = value_of(tag, "translate(", ','),
                        place = value_of(tag, "translate(", ')'),
                        colour = value_of(tag, " color='", '\'');
    double by = 0;
    size_t n;
    p->name = value_of(tag, "href='#", '\'');
    p->scale = value_of(tag, "scale(", ')');
    if (p->name.ptr == NULL || x.ptr == NULL || place.ptr == NULL || p->scale.ptr == NULL ||
        colour.ptr == NULL || gs_real_parse(x, &p->at[0]) != GS_NUMBER_OK ||
        gs_real_parse(gs_str_after(place, x.len + 1), &p->at[1]) != GS_NUMBER_OK ||
        gs_real_parse(p->scale, &by) != GS_NUMBER_OK || !(by > 0))
        return false;
    p->colour = colour_of(colour, &n);
    p->at[0] /= by;
    p->at[1] /= by;
    return p->colour != GS_N_COLOURS;
}

static bool append_point(struct gs_buf *b, struct cloud *c, struct gs_str tag)
{
    struct point p;
    if (!read_point(tag, &p))
        return false;
    const size_t kind = kind_of(b, c, p.name, p.colour);
    if (kind == KINDS_MAX)
        return false;
    if (!c->open || !gs_str_eq(c->scale, p.scale)) {
        close_cloud(b, c);
        gs_buf_format(b, "<g transform='scale(%.*s)'>", (int)p.scale.len, p.scale.ptr);
        c->scale = p.scale;
        c->open = true;
    }
    gs_buf_format(b, "<use href=#%s%c x=%.1f y=%.1f%s>", c->prefix, (char)('a' + kind), p.at[0],
                  p.at[1], has_words(c, tag) ? "" : " /");
    return true;
}

/* The eight numbers of "118.74,261.40 125.61,261.40 125.61,202.34 118.74,202.34 ", which are an upright box. */
static bool read_box(struct gs_str points, struct gs_str at[8])
{
    size_t k = 0;
    while (k < 8 && points.len > 0) {
        at[k] = (struct gs_str){points.ptr, 0};
        while (at[k].len < points.len && strchr(", ", points.ptr[at[k].len]) == NULL)
            at[k].len++;
        points = gs_str_after(points, at[k].len + (at[k].len < points.len));
        k++;
    }
    return k == 8 && points.len == 0 && gs_str_eq(at[1], at[3]) && gs_str_eq(at[2], at[4]) &&
           gs_str_eq(at[5], at[7]) && gs_str_eq(at[0], at[6]);
}

/* A bar in a path, a third as long. */
static bool append_box(struct gs_buf *b, struct cloud *c, struct gs_str tag)
{
    static const struct {
        char command;
        size_t at;
    } path[] = {{'M', 0}, {',', 1}, {'H', 2}, {'V', 5}, {'H', 6}};
    const struct gs_str fill = value_of(tag, "fill = '", '\'');
    struct gs_str at[8];
    size_t n;
    const size_t colour = colour_of(fill, &n);
    if (!read_box(value_of(tag, "points = '", '\''), at) || through(tag, "opacity") < tag.len ||
        colour == GS_N_COLOURS || n != fill.len)
        return false;
    c->box = has_words(c, tag);
    if (c->box || c->of_boxes != colour)
        close_boxes(b, c);
    if (!c->boxes)
        gs_buf_format(b, "<path fill='var(--g%zu)' d='", colour);
    for (size_t k = 0; k < sizeof path / sizeof *path; k++) {
        gs_buf_char(b, path[k].command);
        if (append_coordinate(b, at[path[k].at]) == 0)
            gs_buf_add(b, at[path[k].at]);
    }
    gs_buf_text(b, c->box ? "z'>" : "z");
    c->boxes = !c->box;
    c->of_boxes = colour;
    return true;
}

static bool is_blank(const char *from, size_t n)
{
    while (n > 0 && (from[n - 1] == ' ' || from[n - 1] == '\n' || from[n - 1] == '\t'))
        n--;
    return n == 0;
}

/* The bytes of a group without anything in it, after its start tag; 0: it has something. */
static size_t empty_group(struct gs_str rest)
{
    const size_t n = gs_str_find(rest, "<");
    if (!is_blank(rest.ptr, n) || !gs_str_begins(gs_str_after(rest, n), "</g>"))
        return 0;
    return n + strlen("</g>");
}

static bool of_point(struct gs_str tag)
{
    return gs_str_begins(tag, "<title") || gs_str_begins(tag, "</title") ||
           gs_str_begins(tag, "</use");
}

/* The length of an element that a page needs none of: what it says of itself, gnuplot's shapes of points; else 0. */
static size_t length_left_out(struct gs_str svg, bool hover)
{
    static const char *const elements[][2] = {{"<?", "?>"}, {"<!--", "-->"}, {"<desc>", "</desc>"}};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (gs_str_begins(svg, elements[i][0]))
            return through(svg, elements[i][1]);
    if (gs_str_begins(svg, "<title>") && !hover)
        return through(svg, "</title>");
    if (!gs_str_begins(svg, "<defs>"))
        return 0;
    const size_t defs = through(svg, "</defs>");
    return through((struct gs_str){svg.ptr, defs}, "gpDot") < defs ? defs : 0;
}

/* A tag that is no box; answers how much of the picture was read. */
static size_t append_element(struct gs_buf *b, struct gs_str svg, struct gs_str tag,
                             struct cloud *c, struct gs_str label, bool has_image)
{
    const size_t empty = gs_str_begins(tag, "<g ") ? empty_group(gs_str_after(svg, tag.len)) : 0;
    close_boxes(b, c);
    if (gs_str_begins(tag, "<svg")) {
        append_start(b, tag, label);
    } else if (gs_str_begins(tag, "</polygon") && c->box) {
        gs_buf_text(b, "</path>");
        c->box = false;
    } else if (empty == 0 && !(gs_str_begins(tag, "<use ") && append_point(b, c, tag))) {
        if (!of_point(tag))
            close_cloud(b, c);
        append_tag(b, tag, c->prefix, has_image);
    }
    return tag.len + empty;
}

void gs_svg_inline(struct gs_buf *b, struct gs_str svg, const char *prefix, struct gs_str label,
                   bool hover)
{
    const bool has_image = through(svg, "<image") < svg.len;
    struct cloud cloud = {.prefix = prefix, .hover = hover};
    while (svg.len > 0) {
        const bool is_text = svg.ptr[0] != '<';
        const struct gs_str tag = {svg.ptr, is_text ? gs_str_find(svg, "<") : through(svg, ">")};
        const bool ends_mark = gs_str_begins(tag, "</polygon") || gs_str_begins(tag, "</use");
        size_t n = length_left_out(svg, hover);
        if (n == 0 && is_text && !is_blank(tag.ptr, tag.len)) {
            close_boxes(b, &cloud);
            gs_buf_bytes(b, tag.ptr, tag.len);
        } else if (n == 0 && ends_mark && cloud.closed) {
            cloud.closed = false;
        } else if (n == 0 && !is_text &&
                   (has_image || !gs_str_begins(tag, "<polygon ") || !append_box(b, &cloud, tag))) {
            n = append_element(b, svg, tag, &cloud, label, has_image);
        }
        svg = gs_str_after(svg, n > 0 ? n : tag.len);
    }
    close_boxes(b, &cloud);
}

void gs_svg_symbols(struct gs_buf *b, struct gs_str svg)
{
    const struct gs_str defs = gs_str_after(svg, through(svg, "<defs>"));
    gs_buf_text(b, "<svg class=\"symbols\" aria-hidden=\"true\"><defs>");
    append_tag(b, (struct gs_str){defs.ptr, through(defs, "</defs>")}, "", false);
    gs_buf_text(b, "</svg>\n");
}
