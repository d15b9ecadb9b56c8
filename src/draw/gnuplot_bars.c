/* gnuplot_bars.c - one bar for each row, and clusters of bars. */
#include <math.h>

#include "draw/canvas.h"
#include "render/escape.h"
#include "render/render.h"
#include "render/width.h"

enum {
    MAX_NAMED_BARS = 120, /* beyond, names and values could not be read */
    MAX_VALUED_BARS = 24, /* of a cluster panel                         */
};

/* "39.09" or "39.09 (n = 66,040)". */
static void append_bar_text(struct gs_buf *b, const struct gs_drawn *d, size_t row)
{
    gs_cell_for_people(b, d->frame, row, (size_t)d->y);
    if (d->label < 0)
        return;
    gs_buf_text(b, " (");
    if (d->frame->columns[d->label].spec->type != GS_TYPE_TEXT)
        gs_buf_format(b, "%s = ", d->frame->columns[d->label].spec->name);
    gs_cell_for_people(b, d->frame, row, (size_t)d->label);
    gs_buf_char(b, ')');
}

/* Makes room at the end of the value axis for text of `chars` characters beyond the longest bar. */
static void widen_for_text(const struct gs_drawn *d, struct gs_axis *a, size_t name_chars, size_t chars)
{
    const double left = ((double)name_chars + 2) * d->px_char;
    const double plot = d->px_width - left > 60 ? d->px_width - left : 60;
    double share = ((double)chars + 2) * d->px_char / plot;
    const bool log_axis = a->kind == GS_AXIS_LOG, both = !log_axis && a->lo < 0 && a->hi > 0;
    share = share > (both ? 0.35 : 0.6) ? (both ? 0.35 : 0.6) : share;
    const double more = share / (1 - (both ? 2 : 1) * share);
    gs_axis_pad(a, log_axis ? 0.12 : a->lo < 0 ? more : 0, log_axis || a->hi > 0 ? more : 0);
}

static void append_bar_names(const struct gs_canvas *c, size_t *longest)
{
    const struct gs_drawn *const d = c->d;
    struct gs_buf *const b = c->body;
    gs_buf_text(b, "set ytics scale 0 (");
    for (size_t i = 0; i < d->n && d->n <= MAX_NAMED_BARS; i++) {
        struct gs_buf name = {.arena = b->arena};
        gs_cell_for_people(&name, d->frame, d->rows[i], (size_t)d->x);
        const struct gs_str shown = gs_canvas_short(c, gs_buf_str(&name), gs_canvas_room(c, 0.45));
        const size_t width = gs_text_width(shown);
        *longest = width > *longest ? width : *longest;
        gs_buf_text(b, i == 0 ? "" : ", ");
        gs_buf_gnuplot_tic(b, shown);
        gs_buf_format(b, " %zu", i);
    }
    gs_buf_text(b, ")\n");
}

static void append_bar_values(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    for (size_t i = 0; i < d->n && d->n <= MAX_NAMED_BARS; i++) {
        struct gs_buf text = {.arena = c->body->arena};
        append_bar_text(&text, d, d->rows[i]);
        const double y = gs_drawn_number(d, d->rows[i], d->y);
        gs_buf_text(c->body, "set label ");
        gs_buf_gnuplot(c->body, gs_buf_str(&text));
        gs_buf_text(c->body, " at first ");
        gs_buf_number(c->body, y);
        gs_buf_format(c->body, ", first %zu %s noenhanced front textcolor rgb gs_fg\n", i,
                      y < 0 ? "right offset char -0.6,0" : "left offset char 0.6,0");
    }
}

/* Where a bar's shade lies between light and dark: on the scale of the bars, in a few digits. */
static double shade_of(const struct gs_drawn *d, size_t row, enum gs_axis_kind kind)
{
    const double v = gs_drawn_number(d, row, d->shade);
    return kind == GS_AXIS_LOG && v > 0 ? round(log10(v) * 1e6) / 1e6 : v;
}

void gs_canvas_bars(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    struct gs_axis value = d->ay, shade = gs_axis_empty(GS_AXIS_LINEAR);
    size_t name_chars = 0, text_chars = 0;
    append_bar_names(c, &name_chars);
    for (size_t i = 0; i < d->n && d->n <= MAX_NAMED_BARS; i++) {
        struct gs_buf text = {.arena = c->body->arena};
        append_bar_text(&text, d, d->rows[i]);
        const size_t width = gs_text_width(gs_buf_str(&text));
        text_chars = width > text_chars ? width : text_chars;
    }
    widen_for_text(d, &value, name_chars + (d->panel->x_label != NULL ? 3 : 0), text_chars);
    const double base = value.kind == GS_AXIS_LOG ? value.lo : 0;
    gs_canvas_open_block(c, 0);
    for (size_t i = 0; i < d->n; i++) {
        const double y = gs_drawn_number(d, d->rows[i], d->y), s = shade_of(d, d->rows[i], value.kind);
        gs_buf_format(c->data, "%zu ", i);
        gs_canvas_number(c->data, base);
        gs_canvas_number(c->data, y);
        gs_canvas_number(c->data, s);
        gs_buf_char(c->data, '\n');
        gs_axis_see(&shade, s);
    }
    gs_canvas_close_block(c);
    gs_canvas_range(c->body, 'x', &value);
    gs_buf_format(c->body, "set yrange [%zu.5:-0.5] noextend\n", d->n == 0 ? 0 : d->n - 1);
    gs_canvas_tics(c->body, "x", &value, d->px_width - (double)name_chars * d->px_char, 85);
    gs_canvas_axis_label(c, "xlabel", d->panel->y_label, d->y, &value);
    if (d->panel->x_label != NULL) /* names mostly speak for themselves */
        gs_canvas_axis_label(c, "ylabel", d->panel->x_label, d->x, &value);
    if (value.lo < 0 && value.kind == GS_AXIS_LINEAR)
        gs_buf_text(c->body,
                    "set arrow from first 0, graph 0 to first 0, graph 1 nohead front lw 1 lc rgb gs_fg\n");
    append_bar_values(c);
    gs_canvas_marks(c, true);
    if (!d->characters)
        gs_buf_text(c->body, "set grid noytics xtics\n");
    if (d->shade >= 0) {
        gs_buf_text(c->body, "set palette defined (0 gs_shade0, 1 gs_shade1)\n");
        gs_canvas_cbrange(c->body, shade.lo, shade.hi);
    }
    gs_buf_format(
        c->body,
        "plot $gs%d_0 using 3:1:2:3:($1-0.36):($1+0.36)%s with boxxyerror fill solid 1 noborder %s notitle\n",
        c->number, d->shade >= 0 ? ":4" : "", d->shade >= 0 ? "lc palette" : "lt 1");
}

/* How values are written over the bars of a cluster panel. */
enum values { VALUES_NONE, VALUES_FLAT, VALUES_UPRIGHT };

static enum values cluster_values(const struct gs_drawn *d)
{
    size_t longest = 0;
    if (d->n > MAX_VALUED_BARS)
        return VALUES_NONE;
    for (size_t i = 0; i < d->n; i++) {
        struct gs_arena arena = {0};
        struct gs_buf text = {.arena = &arena};
        gs_cell_for_people(&text, d->frame, d->rows[i], (size_t)d->y);
        longest = text.len > longest ? text.len : longest;
        gs_arena_release(&arena);
    }
    const double bar = d->px_width / (double)d->x_names.n * 0.8 / (double)gs_drawn_n_series(d);
    if ((double)longest * d->px_char * 0.85 < bar)
        return VALUES_FLAT;
    return bar > 10 && !d->characters ? VALUES_UPRIGHT : VALUES_NONE;
}

static void append_cluster_values(const struct gs_canvas *c, double width, enum values how)
{
    const struct gs_drawn *const d = c->d;
    for (size_t i = 0; i < d->n && how != VALUES_NONE; i++) {
        const size_t row = d->rows[i];
        const double y = gs_drawn_number(d, row, d->y);
        struct gs_buf text = {.arena = c->body->arena};
        gs_cell_for_people(&text, d->frame, row, (size_t)d->y);
        gs_buf_text(c->body, "set label ");
        gs_buf_gnuplot(c->body, gs_buf_str(&text));
        gs_buf_text(c->body, " at first ");
        gs_buf_number(c->body, gs_drawn_x(d, row) - 0.4 + ((double)gs_drawn_group(d, row) + 0.5) * width);
        gs_buf_text(c->body, ", first ");
        gs_buf_number(c->body, y);
        gs_buf_text(c->body, how == VALUES_FLAT
                                 ? (y < 0 ? " center offset 0,char -0.6" : " center offset 0,char 0.6")
                             : y < 0 ? " rotate by 90 right offset 0,char -0.4"
                                     : " rotate by 90 left offset 0,char 0.4");
        gs_buf_text(c->body, " noenhanced front textcolor rgb gs_fg font gs_small\n");
    }
}

void gs_canvas_clusters(const struct gs_canvas *c)
{
    const struct gs_drawn *const d = c->d;
    struct gs_axis ax, ay = d->ay;
    const double width = 0.8 / (double)gs_drawn_n_series(d);
    const enum values values = cluster_values(d);
    const double room = values == VALUES_UPRIGHT ? 0.28 : 0.1;
    gs_axis_pad(&ay, ay.kind == GS_AXIS_LOG || ay.lo < 0 ? room : 0,
                ay.kind == GS_AXIS_LOG || ay.hi > 0 ? room : 0);
    ax = (struct gs_axis){.lo = -0.6, .hi = (double)d->x_names.n - 0.4};
    gs_canvas_range(c->body, 'x', &ax);
    gs_canvas_range(c->body, 'y', &ay);
    const bool steep =
        (double)gs_names_longest(&d->x_names) * d->px_char * (double)d->x_names.n > 0.8 * d->px_width;
    gs_canvas_name_tics(c, "x", &d->x_names, gs_canvas_room(c, GS_STEEP_SHARE),
                        steep ? "rotate by -35 left scale 0 " : "scale 0 ");
    gs_canvas_tics(c->body, "y", &ay, d->px_height, 45);
    gs_canvas_axis_label(c, "xlabel", d->panel->x_label, d->x, &ax);
    gs_canvas_axis_label(c, "ylabel", d->panel->y_label, d->y, &ay);
    append_cluster_values(c, width, values);
    gs_canvas_marks(c, false);
    gs_canvas_key(c);
    bool first = true;
    for (size_t s = 0; s < gs_drawn_n_series(d); s++) {
        if (gs_drawn_series_start(d, s) == d->series_end[s])
            continue;
        gs_canvas_open_block(c, s);
        for (size_t i = gs_drawn_series_start(d, s); i < d->series_end[s]; i++) {
            gs_canvas_number(c->data, gs_drawn_x(d, d->rows[i]) - 0.4 + ((double)s + 0.5) * width);
            gs_canvas_number(c->data, gs_drawn_number(d, d->rows[i], d->y));
            gs_canvas_number(c->data, width * 0.92);
            gs_buf_char(c->data, '\n');
        }
        gs_canvas_close_block(c);
        gs_canvas_separator(c, &first);
        gs_buf_format(c->body, "$gs%d_%zu using 1:2:3 with boxes fill solid 1 noborder lt %zu notitle",
                      c->number, s, s + 1);
        gs_canvas_key_entry(c, s, "boxes fill solid 1 noborder");
    }
    gs_buf_char(c->body, '\n');
}
