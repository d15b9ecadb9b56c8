/* canvas.c - the pieces of a panel that several kinds share. */
#include "output/chart/canvas.h"

#include <math.h>
#include <string.h>

#include "base/num/order.h"
#include "output/escape/escape.h"
#include "output/text/width.h"

/* The end of every datablock. Its lines hold numbers and blanks only, so none can equal it. */
#define TAG "END_OF_NUMBERS"

void gs_canvas_number(struct gs_buf *b, double value)
{
    gs_buf_number(b, value);
    gs_buf_char(b, ' ');
}

void gs_canvas_numbers(const struct gs_canvas *c, const double *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        gs_canvas_number(c->data, value[i]);
    gs_buf_char(c->data, '\n');
}

void gs_canvas_label(const struct gs_canvas *c, const struct gs_buf *text, double x, double y)
{
    gs_buf_text(c->body, "set label ");
    gs_buf_gnuplot(c->body, gs_buf_str(text));
    gs_buf_text(c->body, " at first ");
    gs_buf_number(c->body, x);
    gs_buf_text(c->body, ", first ");
    gs_buf_number(c->body, y);
}

void gs_canvas_open_block(const struct gs_canvas *c, size_t series)
{
    gs_buf_format(c->data, "$gs%d_%zu << " TAG "\n", c->number, series);
}

void gs_canvas_close_block(const struct gs_canvas *c)
{
    gs_buf_text(c->data, TAG "\n");
}

void gs_canvas_range(struct gs_buf *b, char axis, const struct gs_axis *a)
{
    gs_buf_format(b, "set %crange [", axis);
    gs_buf_number(b, a->lo);
    gs_buf_char(b, ':');
    gs_buf_number(b, a->hi);
    gs_buf_text(b, "] noextend\n");
    if (a->kind == GS_AXIS_LOG)
        gs_buf_format(b, "set logscale %c\n", axis);
}

void gs_canvas_tics(const struct gs_canvas *c, const char *axis, const struct gs_axis *a,
                    double room_px, double px_per_tic)
{
    const int n = gs_max(3, gs_min(10, (int)(room_px / px_per_tic)));
    /* Labels up an axis are a line apart, along it they share its length. */
    struct gs_tics tics;
    if (axis[0] == 'x')
        tics = gs_tics_apart(a, n, room_px, c->d->px_char);
    else
        tics = gs_tics_of(a, n);
    gs_buf_format(c->body, "set %stics ", axis);
    gs_buf_tics(c->body, &tics);
    gs_buf_text(c->body, "\n");
}

struct gs_str gs_canvas_short(const struct gs_canvas *c, struct gs_str name, size_t columns)
{
    if (gs_text_width(name) <= columns)
        return name;
    const size_t end = (columns - 1) / 2;
    const struct gs_str head = gs_text_start(name, columns - 1 - end),
                        tail = gs_text_end(name, end);
    struct gs_buf b = {.arena = c->body->arena};
    gs_buf_bytes(&b, head.ptr, head.len);
    gs_buf_text(&b, "\xE2\x80\xA6"); /* an ellipsis */
    gs_buf_bytes(&b, tail.ptr, tail.len);
    c->body->failed |= b.failed;
    return gs_buf_str(&b);
}

size_t gs_canvas_room(const struct gs_canvas *c, double share)
{
    enum { LEAST = 10 };
    const double columns = share * c->d->px_width / c->d->px_char;
    return (size_t)fmax(LEAST, columns);
}

size_t gs_canvas_alike(const struct gs_str *name, size_t n, size_t columns)
{
    enum {
        LEAST = 8,
        KEPT = 5
    }; /* of the beginning, to be worth it; of what is alike, to be known by */
    if (n < 2)
        return 0;
    size_t alike = name[0].len, longest = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t width = gs_text_width(name[i]);
        longest = gs_max(width, longest);
        alike = gs_min(name[i].len, alike);
        while (alike > 0 && memcmp(name[0].ptr, name[i].ptr, alike) != 0)
            alike--;
    }
    if (longest <= columns || alike < LEAST)
        return 0;
    alike -= KEPT;
    while (alike > 0 && ((unsigned char)name[0].ptr[alike] & 0xC0) == 0x80)
        alike--;
    return alike;
}

struct gs_str gs_canvas_name(const struct gs_canvas *c, struct gs_str name, size_t alike,
                             size_t columns)
{
    if (alike == 0)
        return gs_canvas_short(c, name, columns);
    struct gs_buf b = {.arena = c->body->arena};
    gs_buf_text(&b, "\xE2\x80\xA6");
    while (alike < name.len && name.ptr[alike] == ' ')
        alike++;
    gs_buf_bytes(&b, name.ptr + alike, name.len - alike);
    return gs_canvas_short(c, gs_buf_str(&b), columns);
}

/* Names along an axis at 0, 1, 2 ..., or only every so manieth. */
static void append_names(const struct gs_canvas *c, const char *axis, const struct gs_names *names,
                         size_t columns, const char *rotate, size_t every)
{
    const size_t alike = gs_canvas_alike(names->name, names->n, columns);
    gs_buf_format(c->body, "set %stics %s(", axis, rotate);
    for (size_t i = 0; i < names->n; i += every) {
        gs_buf_text_if(c->body, i > 0, ", ");
        gs_buf_gnuplot_tic(c->body, gs_canvas_name(c, names->name[i], alike, columns));
        gs_buf_format(c->body, " %zu", i);
    }
    gs_buf_text(c->body, ")\n");
}

void gs_canvas_name_tics(const struct gs_canvas *c, const char *axis, const struct gs_names *names,
                         size_t columns, const char *rotate)
{
    append_names(c, axis, names, columns, rotate, 1);
}

void gs_canvas_names_under(const struct gs_canvas *c, const char *scale)
{
    static const char *const rotate[] = {[GS_SLANT_NONE] = "",
                                         [GS_SLANT_ASLANT] = "rotate by -35 left ",
                                         [GS_SLANT_UPRIGHT] = "rotate by 90 right "};
    struct gs_buf how = {.arena = c->body->arena};
    gs_buf_format(&how, "%s%s", rotate[gs_drawn_slant(c->d)], scale);
    c->body->failed |= how.failed;
    if (!how.failed)
        append_names(c, "x", &c->d->x_names, gs_canvas_room(c, GS_STEEP_SHARE), how.ptr,
                     gs_drawn_names_apart(c->d));
}

void gs_canvas_axis_label(const struct gs_canvas *c, const char *command, const char *given,
                          int column, const struct gs_axis *axis)
{
    struct gs_buf text = {.arena = c->body->arena};
    gs_drawn_axis_label(c->d, &text, given, column, axis);
    gs_buf_format(c->body, "set %s ", command);
    gs_buf_gnuplot(c->body, gs_buf_str(&text));
    gs_buf_char(c->body, '\n');
}

#define NAME_LETTER 7.2 /* pixels of a letter of a name, on average */

/* Are names that are cut to so many columns still all different? */
static bool are_told_apart(const struct gs_canvas *c, const struct gs_str *name, size_t n,
                           size_t columns)
{
    const size_t alike = gs_canvas_alike(name, n, columns);
    struct gs_str *const cut = gs_arena_take_raw(c->body->arena, n, sizeof *cut);
    for (size_t i = 0; cut != NULL && i < n; i++) {
        cut[i] = gs_canvas_name(c, name[i], alike, columns);
        for (size_t k = 0; k < i; k++)
            if (gs_str_eq(cut[i], cut[k]) && !gs_str_eq(name[i], name[k]))
                return false;
    }
    return cut != NULL;
}

size_t gs_canvas_names_room(const struct gs_canvas *c, const struct gs_str *name, size_t n)
{
    enum {
        SHORT = 24,
        COMPARED = 120
    }; /* names up to here are shown whole where they leave the panel its half */
    const double as_digits = c->d->px_char / NAME_LETTER; /* which a room counts in */
    const size_t usual = gs_canvas_room(c, GS_NAMES_SHARE),
                 most = gs_canvas_room(c, 0.45 * as_digits);
    const size_t short_room = gs_min(most, SHORT);
    size_t longest = 0, room = usual;
    for (size_t i = 0; i < n; i++) {
        const size_t width = gs_text_width(name[i]);
        longest = gs_max(width, longest);
    }
    if (usual >= short_room || n > COMPARED)
        return usual;
    while (room < short_room && (longest <= short_room || !are_told_apart(c, name, n, room)))
        room++; /* what is cut anyway takes no more than tells it from the others */
    return room;
}

double gs_canvas_names_px(const struct gs_canvas *c, const struct gs_names *names)
{
    const size_t room = gs_canvas_names_room(c, names->name, names->n),
                 alike = gs_canvas_alike(names->name, names->n, room);
    size_t longest = 0;
    for (size_t i = 0; i < names->n; i++) {
        const size_t width = gs_text_width(gs_canvas_name(c, names->name[i], alike, room));
        longest = gs_max(width, longest);
    }
    return ((double)longest + 2) * c->d->px_char;
}

/* Both axes of a panel whose x and y are as they are; pads, ranges, tics, labels. */
void gs_canvas_axes(const struct gs_canvas *c, struct gs_axis *ax, struct gs_axis *ay)
{
    const struct gs_drawn *const d = c->d;
    const bool grounded = d->panel->from_zero && ay->kind == GS_AXIS_LINEAR;
    const bool above = !grounded || !(ay->lo >= 0), below = !grounded || !(ay->hi <= 0);
    const double beside = d->panel->kind == GS_PLOT_LINES ? 0 : 0.03;
    if (d->x_names.n > 0)
        *ax = (struct gs_axis){.lo = -0.5, .hi = (double)d->x_names.n - 0.5};
    else
        gs_axis_pad(ax, beside, beside);
    if (d->y_names.n > 0)
        *ay = (struct gs_axis){.lo = -0.6, .hi = (double)d->y_names.n - 0.4};
    else
        gs_axis_pad(ay, above ? 0.05 : 0, below ? 0.07 : 0);
    gs_canvas_range(c->body, 'x', ax);
    gs_canvas_range(c->body, 'y', ay);
    if (d->x_names.n > 0) {
        gs_canvas_names_under(c, "");
    } else {
        double room = 0.8 * d->px_width;
        if (d->y_names.n > 0)
            room = d->px_width - gs_canvas_names_px(c, &d->y_names);
        gs_canvas_tics(c, "x", ax, room, 65);
    }
    if (d->y_names.n > 0)
        gs_canvas_name_tics(c, "y", &d->y_names,
                            gs_canvas_names_room(c, d->y_names.name, d->y_names.n), "scale 0 ");
    else
        gs_canvas_tics(c, "y", ay, d->px_height, 45);
    gs_canvas_axis_label(c, "xlabel", d->panel->x_label, d->x, ax);
    if (d->y_names.n == 0)
        gs_canvas_axis_label(c, "ylabel", d->panel->y_label, d->y, ay);
}

static bool mark_applies(const struct gs_drawn *d, const struct gs_mark *m)
{
    const struct gs_axis *const a = m->kind == GS_MARK_Y ? &d->ay : &d->ax;
    return isfinite(m->at) && (!m->loose || (m->at >= a->lo && m->at <= a->hi)) &&
           (m->facet == NULL || gs_str_eq(gs_str(m->facet), d->facet));
}

static void append_band(const struct gs_canvas *c, const struct gs_mark *m)
{
    gs_buf_text(c->body, "set object rectangle from first ");
    gs_buf_number(c->body, m->at);
    gs_buf_text(c->body, ", graph 0 to first ");
    gs_buf_number(c->body, m->to);
    gs_buf_text(c->body, ", graph 1 behind fillcolor rgb gs_band fillstyle solid 1 noborder\n");
}

/* Where the text of a horizontal line stands: by default over its right end. */
struct place {
    double at;         /* share of the line's length */
    const char *align; /* what of the text is there  */
    bool below;
};

/* In shares of the axes, y from the line on. */
struct box {
    double x0, x1, y0, y1;
};

/* Cuts the part of 0 to 1 in which from + part * by lies between both ends. False where nothing is left. */
static bool clip(double from, double by, double low, double high, double *begin, double *end)
{
    if (!(fabs(by) > 0)) /* it runs along */
        return from >= low && from <= high;
    const double a = (low - from) / by, b = (high - from) / by;
    *begin = fmax(*begin, fmin(a, b));
    *end = fmin(*end, fmax(a, b));
    return *begin <= *end;
}

static bool touches(const struct box *box, double x0, double y0, double x1, double y1)
{
    double begin = 0, end = 1;
    return clip(x0, x1 - x0, box->x0, box->x1, &begin, &end) &&
           clip(y0, y1 - y0, box->y0, box->y1, &begin, &end);
}

/* Where along a line least is drawn under a text of so many columns: points, and what joins them. */
static struct place quietest(const struct gs_drawn *d, double at, size_t columns)
{
    static const struct place places[] = {{0.99, "right", false}, {0.99, "right", true},
                                          {0.01, "left", false},  {0.01, "left", true},
                                          {0.5, "center", false}, {0.5, "center", true}};
    enum { PLACES = sizeof places / sizeof *places };
    const double width = (double)columns * d->px_char / fmax(0.8 * d->px_width, 1),
                 height = 16 / fmax(d->px_height, 1);
    const double line = gs_axis_share(&d->ay, at);
    size_t hit[PLACES] = {0}, least = 0;
    for (size_t s = 0; s < gs_drawn_n_series(d); s++) {
        double last_x = (double)NAN, last_y = (double)NAN;
        for (size_t i = gs_drawn_series_start(d, s); i < d->series_end[s]; i++) {
            const double x = gs_axis_share(&d->ax, gs_drawn_x(d, d->rows[i])),
                         y = gs_axis_share(&d->ay, gs_drawn_y(d, d->rows[i])) - line;
            double from_x = x, from_y = y; /* of a point alone */
            if (d->panel->kind == GS_PLOT_LINES && isfinite(last_y)) {
                from_x = last_x;
                from_y = last_y;
            }
            for (size_t k = 0; k < PLACES && isfinite(y); k++) {
                double begin;
                if (places[k].at > 0.9)
                    begin = 1 - width;
                else if (places[k].at < 0.1)
                    begin = 0;
                else
                    begin = 0.5 - width / 2;
                const double low = places[k].below ? -height : 0;
                const struct box box = {begin, begin + width, low, low + height};
                hit[k] += touches(&box, from_x, from_y, x, y);
            }
            last_x = x;
            last_y = y;
        }
    }
    for (size_t k = 1; k < PLACES; k++)
        if (hit[k] < hit[least])
            least = k;
    return places[least];
}

/* Lines across the panel with their texts. `swapped`: y runs to the right, as for bars. */
void gs_canvas_marks(const struct gs_canvas *c, bool swapped)
{
    const struct gs_panel *const p = c->d->panel;
    for (size_t i = 0; i < p->n_marks; i++) {
        const struct gs_mark *const m = &p->marks[i];
        if (!mark_applies(c->d, m))
            continue;
        if (m->kind == GS_MARK_BAND) {
            append_band(c, m);
            continue;
        }
        const bool vertical = (m->kind == GS_MARK_X) != swapped;
        struct gs_buf at = {.arena = c->body->arena};
        gs_buf_number(&at, m->at);
        if (at.failed) {
            c->body->failed = true;
            return;
        }
        if (vertical)
            gs_buf_format(c->body, "set arrow from first %s, graph 0 to first %s, graph 1", at.ptr,
                          at.ptr);
        else
            gs_buf_format(c->body, "set arrow from graph 0, first %s to graph 1, first %s", at.ptr,
                          at.ptr);
        gs_buf_text(c->body, " nohead front dt 2 lw 1.2 lc rgb gs_dim\n");
        if (m->text == NULL)
            continue;
        gs_buf_text(c->body, "set label ");
        gs_buf_gnuplot(c->body, gs_str(m->text));
        /* Text stands on that side of a line where there is more room; over bars of time above them. */
        const struct gs_axis *const along = swapped ? &c->d->ay : &c->d->ax;
        const bool late = gs_axis_share(along, m->at) > 0.7,
                   over = c->d->panel->kind == GS_PLOT_SPANS;
        if (vertical && over) {
            gs_buf_format(c->body, " at first %s, graph 1.0 center offset 0,char 0.6", at.ptr);
        } else if (vertical) {
            const char *const beside = late ? "right offset char -0.6,0" : "left offset char 0.6,0";
            gs_buf_format(c->body, " at first %s, graph 0.96 %s", at.ptr, beside);
        } else {
            struct place to = {0.99, "right", false};
            if (!swapped)
                to = quietest(c->d, m->at, strlen(m->text) + 1);
            gs_buf_text(c->body, " at graph ");
            gs_buf_number(c->body, to.at);
            gs_buf_format(c->body, ", first %s %s offset 0,char %s0.6", at.ptr, to.align,
                          to.below ? "-" : "");
        }
        gs_buf_text(c->body, " front noenhanced textcolor rgb gs_fg font gs_small\n");
    }
}

/* Where a line of `most` bytes ends: before a remark in brackets that has room in the next, else at the last blank. */
static size_t line_end(struct gs_str text, size_t most, size_t columns)
{
    size_t end = most, remark = most;
    while (end > 0 && text.ptr[end] != ' ')
        end--;
    while (remark > 0 &&
           (remark + 1 >= text.len || text.ptr[remark] != ' ' || text.ptr[remark + 1] != '('))
        remark--;
    if (remark > 0 && gs_text_width(gs_str_after(text, remark + 1)) <= columns)
        return remark;
    return end;
}

int gs_buf_gnuplot_lines(struct gs_buf *b, struct gs_str text, size_t columns)
{
    int n = 0;
    while (text.len > 0) {
        struct gs_str line = gs_text_start(text, columns);
        if (line.len < text.len) {
            const size_t end = line_end(text, line.len, columns);
            if (end > 0)
                line.len = end;
            else if (line.len == 0)
                line.len = text.len;
        }
        gs_buf_text_if(b, n++ > 0, ".\"\\n\".");
        gs_buf_gnuplot(b, line);
        const size_t skip = line.len + (line.len < text.len && text.ptr[line.len] == ' ');
        text = (struct gs_str){text.ptr + skip, text.len - skip};
    }
    return n;
}

void gs_canvas_cbrange(struct gs_buf *b, double lo, double hi)
{
    if (!(lo < hi)) {
        lo = isfinite(lo) ? lo - 1 : 0;
        hi = lo + 2; /* a scale has a length, even of one value or none */
    }
    gs_buf_text(b, "set cbrange [");
    gs_buf_number(b, lo);
    gs_buf_char(b, ':');
    gs_buf_number(b, hi);
    gs_buf_text(b, "]\n");
}

/* The key under the panel. */
void gs_canvas_key(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    const bool keyed = d->groups.n > 0 && d->groups.n <= GS_MAX_GROUPS_KEYED;
    if (!keyed && !d->panel->identity)
        return;
    gs_buf_format(c->body,
                  "set key bmargin center horizontal Left reverse spacing 1.4 maxrows %zu\n",
                  gs_drawn_key_lines(d));
}

/* The key's line for a group, with a sample that can be seen however small the points are. */
void gs_canvas_key_entry(const struct gs_canvas *c, size_t group, const char *sample)
{
    const struct gs_drawn *const d = c->d;
    if (d->groups.n == 0 || d->groups.n > GS_MAX_GROUPS_KEYED)
        return;
    gs_buf_format(c->body, ", \\\n     keyentry with %s lt %zu title ", sample, group + 1);
    gs_buf_char(c->hover, '\f');
    struct gs_buf name = {.arena = c->body->arena};
    gs_drawn_name(d, d->group, d->groups.name[group], &name);
    /* Side by side the names of a key share the width. */
    size_t n = d->panel->identity;
    for (size_t g = 0; g < d->groups.n; g++)
        n += gs_drawn_has_group(d, g);
    const size_t lines = gs_drawn_key_lines(d), columns = gs_max((n + lines - 1) / lines, 1);
    gs_buf_gnuplot(
        c->body, gs_canvas_short(c, gs_buf_str(&name), gs_canvas_room(c, 0.95 / (double)columns)));
}

void gs_canvas_separator(const struct gs_canvas *c, bool *first)
{
    gs_buf_text(c->body, *first ? "plot " : ", \\\n     ");
    gs_buf_char(c->hover, '\f');
    *first = false;
}

void gs_canvas_plot(const struct gs_canvas *c, bool *first, size_t block, const char *how, ...)
{
    va_list ap;
    gs_canvas_separator(c, first);
    gs_buf_format(c->body, "$gs%d_%zu using ", c->number, block);
    va_start(ap, how);
    gs_buf_format_list(c->body, how, ap);
    va_end(ap);
}

void gs_canvas_hover(const struct gs_canvas *c, size_t row)
{
    gs_drawn_hover(c->d, row, c->hover);
    gs_buf_char(c->hover, '\n');
}
