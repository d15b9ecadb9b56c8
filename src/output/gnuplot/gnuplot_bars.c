/* gnuplot_bars.c - one bar for each row. */
#include <math.h>

#include "base/num/order.h"
#include "output/chart/colours.h"
#include "output/chart/canvas.h"
#include "output/escape/escape.h"
#include "output/text/width.h"

enum { MAX_NAMED_BARS = 120 }; /* beyond, names and values could not be read */

/* "39.09" or "39.09 (n = 66,040)"; where little is behind a bar it says how much. */
static void append_bar_text(struct gs_buf *b, const struct gs_drawn *d, size_t row)
{
    gs_drawn_value_text(d, row, b);
    gs_drawn_label_text(d, row, b);
}

/* Bars that have names and values beside them: all of them, or none of so many. */
static size_t n_named(const struct gs_drawn *d)
{
    return d->n <= MAX_NAMED_BARS ? d->n : 0;
}

/* Makes room on the value axis for what stands beyond each bar. */
static void widen_for_text(const struct gs_drawn *d, struct gs_axis *a, size_t name_chars)
{
    struct gs_axis_text text[MAX_NAMED_BARS] = {{0, 0, false}};
    const size_t n = n_named(d);
    const double left = ((double)name_chars + 2) * d->px_char;
    const double plot = gs_max(d->px_width - left, 60);
    double longest = 0;
    for (size_t i = 0; i < n; i++) {
        GS_OWN struct gs_arena arena = {0};
        struct gs_buf b = {.arena = &arena};
        append_bar_text(&b, d, d->rows[i]);
        text[i] = (struct gs_axis_text){gs_drawn_end(d, d->rows[i]),
                                        ((double)gs_text_width(gs_buf_str(&b)) + 2) * d->px_char,
                                        gs_drawn_number(d, d->rows[i], d->y) < 0};
        longest = fmax(longest, text[i].px);
    }
    if (a->kind == GS_AXIS_LOG) {
        const double share = fmin(longest / plot, 0.6);
        a->last = a->hi;
        gs_axis_pad(a, 0.12, share / (1 - share));
        return;
    }
    const double least = 2 * d->px_char / plot; /* room at an end that has no text */
    const bool down = a->lo<0, up = a->hi> 0;
    gs_axis_pad(a, down * least, up * least);
    gs_axis_room(a, text, n, plot, down && up ? 0.35 : 0.6);
}

size_t gs_canvas_row_names(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    struct gs_buf *const b = c->body;
    struct gs_str name[MAX_NAMED_BARS] = {{NULL, 0}};
    const size_t n = n_named(d);
    size_t longest = 0;
    for (size_t i = 0; i < n; i++) {
        struct gs_buf text = {.arena = b->arena};
        gs_drawn_row_name(d, d->rows[i], &text);
        name[i] = gs_buf_str(&text);
    }
    const size_t room = gs_canvas_names_room(c, name, n), alike = gs_canvas_alike(name, n, room);
    gs_buf_text(b, "set ytics scale 0 (");
    for (size_t i = 0; i < n; i++) {
        const struct gs_str shown = gs_canvas_name(c, name[i], alike, room);
        const size_t width = gs_text_width(shown);
        longest = gs_max(width, longest);
        gs_buf_text_if(b, i > 0, ", ");
        gs_buf_gnuplot_tic(b, shown);
        gs_buf_format(b, " %zu", i);
    }
    gs_buf_text(b, ")\n");
    return longest;
}

/* Names mostly speak for themselves: only a label that was given is shown beside them. */
void gs_canvas_value_axis(const struct gs_canvas *c, struct gs_axis *value, size_t name_chars)
{
    const struct gs_drawn *const d = c->d;
    gs_canvas_range(c->body, 'x', value);
    gs_buf_format(c->body, "set yrange [%zu.5:-0.5] noextend\n", gs_max(d->n, 1) - 1);
    gs_canvas_tics(c, "x", value, d->px_width - (double)name_chars * d->px_char, 60);
    gs_canvas_axis_label(c, "xlabel", d->panel->y_label, d->y, value);
    if (d->panel->x_label != NULL)
        gs_canvas_axis_label(c, "ylabel", d->panel->x_label, d->x, &(struct gs_axis){0});
    if (value->lo < 0 && value->kind == GS_AXIS_LINEAR)
        gs_buf_text(
            c->body,
            "set arrow from first 0, graph 0 to first 0, graph 1 nohead front lw 1 lc rgb gs_fg\n");
}

/* Beside the bar, or beside its interval where that reaches further. */
static void append_bar_values(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    for (size_t i = 0; i < n_named(d); i++) {
        struct gs_buf text = {.arena = c->body->arena};
        append_bar_text(&text, d, d->rows[i]);
        gs_canvas_label(c, &text, gs_drawn_end(d, d->rows[i]), (double)i);
        if (gs_drawn_number(d, d->rows[i], d->y) < 0)
            gs_buf_text(c->body, " right offset char -0.6,0");
        else
            gs_buf_text(c->body, " left offset char 0.6,0");
        gs_buf_text(c->body, " noenhanced front textcolor rgb gs_fg\n");
    }
}

/* Place, begin, end and colour of each bar with much, or with little, behind it. Answers how many. */
static size_t append_bar_block(const struct gs_canvas *c, bool thin, double base)
{
    const struct gs_drawn *const d = c->d;
    size_t n = 0;
    gs_canvas_open_block(c, thin);
    for (size_t i = 0; i < d->n; i++) {
        if (gs_drawn_is_thin(d, d->rows[i]) != thin)
            continue;
        gs_buf_format(c->data, "%zu ", i);
        gs_canvas_number(c->data, base);
        gs_canvas_number(c->data, gs_drawn_number(d, d->rows[i], d->y));
        size_t colour = GS_GREY;
        if (!d->panel->plain)
            colour = gs_drawn_group(d, d->rows[i]) + 1;
        gs_buf_format(c->data, "%zu\n", colour);
        n++;
    }
    gs_canvas_close_block(c);
    return n;
}

static void append_interval_block(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    gs_canvas_open_block(c, 2);
    for (size_t i = 0; i < d->n; i++) {
        const double low = gs_drawn_number(d, d->rows[i], d->low),
                     high = gs_drawn_number(d, d->rows[i], d->high);
        if (!isfinite(low) || !isfinite(high))
            continue;
        GS_CANVAS_LINE(c, gs_drawn_number(d, d->rows[i], d->y), (double)i, low, high);
    }
    gs_canvas_close_block(c);
}

static void append_bar_plot(const struct gs_canvas *c, double base)
{
    const struct gs_drawn *const d = c->d;
    bool first = true;
    for (int thin = 0; thin < 2; thin++) {
        if (append_bar_block(c, thin != 0, base) == 0)
            continue;
        gs_canvas_plot(
            c, &first, (size_t)thin,
            "3:1:2:3:($1-0.36):($1+0.36):4 with boxxyerror lc variable dt 1 fill %s notitle",
            gs_canvas_fill(thin != 0));
        for (size_t i = 0; i < d->n && i < GS_HOVER_MAX; i++)
            if (gs_drawn_is_thin(d, d->rows[i]) == (thin != 0))
                gs_canvas_hover(c, d->rows[i]);
    }
    if (d->low >= 0 && d->high >= 0) {
        append_interval_block(c);
        /* On a ground of its own, to be seen on light and on dark bars. */
        gs_canvas_plot(c, &first, 2, "1:2:3:4 with xerrorbars pt 0 dt 1 lw 4 lc rgb gs_bg notitle");
        gs_canvas_plot(c, &first, 2,
                       "1:2:3:4 with xerrorbars pt 0 dt 1 lw 1.5 lc rgb gs_fg notitle");
    }
    for (size_t g = 0; gs_drawn_bars_are_keyed(d) && g < d->groups.n; g++)
        if (gs_drawn_has_group(d, g))
            gs_canvas_key_entry(c, g, "boxes fill solid 1 noborder");
    gs_buf_char(c->body, '\n');
}

void gs_canvas_bars(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    struct gs_axis value = d->ay;
    const size_t name_chars = gs_canvas_row_names(c);
    const size_t label_chars = d->panel->x_label != NULL ? 3 : 0;
    widen_for_text(d, &value, name_chars + label_chars);
    gs_canvas_value_axis(c, &value, name_chars);
    append_bar_values(c);
    gs_canvas_marks(c, true);
    gs_buf_text(c->body, "set grid noytics xtics\n");
    if (gs_drawn_bars_are_keyed(d))
        gs_canvas_key(c);
    double base = 0;
    if (value.kind == GS_AXIS_LOG)
        base = value.lo;
    append_bar_plot(c, base);
}
