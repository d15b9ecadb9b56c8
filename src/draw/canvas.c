/* canvas.c - the pieces of a panel that several kinds share. */
#include "draw/canvas.h"

#include <math.h>

#include "show/escape.h"
#include "num/timestamp.h"
#include "show/width.h"

/* The end of every datablock. Its lines hold numbers and blanks only, so none can equal it. */
#define TAG "END_OF_NUMBERS"

void gs_canvas_number(struct gs_buf *b, double value)
{
    gs_buf_number(b, value);
    gs_buf_char(b, ' ');
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

void gs_canvas_tics(const struct gs_canvas *c, const char *axis, const struct gs_axis *a, double room_px,
                    double px_per_tic)
{
    const int about = (int)(room_px / px_per_tic), n = about < 3 ? 3 : about > 10 ? 10 : about;
    /* Labels up an axis are a line apart, along it they share its length. */
    const struct gs_tics tics = axis[0] == 'x' ? gs_tics_apart(a, n, room_px, c->d->px_char) : gs_tics_of(a, n);
    gs_buf_format(c->body, "set %stics ", axis);
    gs_buf_tics(c->body, &tics);
    gs_buf_text(c->body, "\n");
}

struct gs_str gs_canvas_short(const struct gs_canvas *c, struct gs_str name, size_t columns)
{
    if (gs_text_width(name) <= columns)
        return name;
    const size_t end = (columns - 1) / 2;
    const struct gs_str head = gs_text_start(name, columns - 1 - end), tail = gs_text_end(name, end);
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
    return columns < LEAST ? LEAST : (size_t)columns;
}

/* Names along an axis at 0, 1, 2 ... */
void gs_canvas_name_tics(const struct gs_canvas *c, const char *axis, const struct gs_names *names, size_t columns,
                         const char *rotate)
{
    gs_buf_format(c->body, "set %stics %s(", axis, rotate);
    for (size_t i = 0; i < names->n; i++) {
        gs_buf_text(c->body, i == 0 ? "" : ", ");
        gs_buf_gnuplot_tic(c->body, gs_canvas_short(c, names->name[i], columns));
        gs_buf_format(c->body, " %zu", i);
    }
    gs_buf_text(c->body, ")\n");
}

void gs_canvas_axis_label(const struct gs_canvas *c, const char *command, const char *given, int column,
                          const struct gs_axis *axis)
{
    struct gs_buf text = {.arena = c->body->arena};
    /* A label of the figure's own is for the unit itself. */
    if (given != NULL && !(axis->factor > 1))
        gs_buf_text(&text, given);
    else
        gs_buf_axis_label(&text, c->d->frame, column, axis->factor);
    /* Tics show times of day; the day is said once. */
    if (given == NULL && axis->kind == GS_AXIS_TIME && fabs(axis->lo) < 9e9) {
        char day[GS_TIME_TEXT_MAX];
        (void)gs_time_format(day, (int64_t)axis->lo * GS_NS_PER_S);
        gs_buf_format(&text, " (UTC, %.10s)", day);
    }
    gs_buf_format(c->body, "set %s ", command);
    gs_buf_gnuplot(c->body, gs_buf_str(&text));
    gs_buf_char(c->body, '\n');
}

/* Both axes of a panel whose x and y are as they are; pads, ranges, tics, labels. */
void gs_canvas_axes(const struct gs_canvas *c, struct gs_axis *ax, struct gs_axis *ay)
{
    const struct gs_drawn *const d = c->d;
    const bool grounded = d->panel->from_zero && ay->kind == GS_AXIS_LINEAR;
    const bool above = !grounded || !(ay->lo >= 0), below = !grounded || !(ay->hi <= 0);
    if (d->x_names.n > 0)
        *ax = (struct gs_axis){.lo = -0.5, .hi = (double)d->x_names.n - 0.5};
    else
        gs_axis_pad(ax, d->panel->kind == GS_PLOT_LINES ? 0 : 0.03, d->panel->kind == GS_PLOT_LINES ? 0 : 0.03);
    if (d->y_names.n > 0)
        *ay = (struct gs_axis){.lo = -0.6, .hi = (double)d->y_names.n - 0.4};
    else
        gs_axis_pad(ay, above ? 0.05 : 0, below ? 0.07 : 0);
    gs_canvas_range(c->body, 'x', ax);
    gs_canvas_range(c->body, 'y', ay);
    if (d->x_names.n > 0) {
        const bool steep =
            (double)gs_names_longest(&d->x_names) * d->px_char * (double)d->x_names.n > 0.8 * d->px_width;
        gs_canvas_name_tics(c, "x", &d->x_names, gs_canvas_room(c, GS_STEEP_SHARE), steep ? "rotate by -35 left " : "");
    } else {
        gs_canvas_tics(c, "x", ax, 0.85 * d->px_width, ax->kind == GS_AXIS_LINEAR || ax->kind == GS_AXIS_LOG ? 65 : 95);
    }
    if (d->y_names.n > 0)
        gs_canvas_name_tics(c, "y", &d->y_names, gs_canvas_room(c, GS_STEEP_SHARE), "scale 0 ");
    else
        gs_canvas_tics(c, "y", ay, d->px_height, 45);
    gs_canvas_axis_label(c, "xlabel", d->panel->x_label, d->x, ax);
    if (d->y_names.n == 0)
        gs_canvas_axis_label(c, "ylabel", d->panel->y_label, d->y, ay);
}

static bool mark_applies(const struct gs_drawn *d, const struct gs_mark *m)
{
    const struct gs_axis *const a = m->kind == GS_MARK_X ? &d->ax : &d->ay;
    return isfinite(m->at) && (!m->loose || (m->at >= a->lo && m->at <= a->hi)) &&
           (m->facet == NULL || gs_str_eq(gs_str(m->facet), d->facet));
}

/* Lines across the panel with their texts. `swapped`: y runs to the right, as for bars. */
void gs_canvas_marks(const struct gs_canvas *c, bool swapped)
{
    const struct gs_panel *const p = c->d->panel;
    for (size_t i = 0; i < p->n_marks; i++) {
        const struct gs_mark *const m = &p->marks[i];
        if (!mark_applies(c->d, m))
            continue;
        const bool vertical = (m->kind == GS_MARK_X) != swapped;
        struct gs_buf at = {.arena = c->body->arena};
        gs_buf_number(&at, m->at);
        if (at.failed)
            c->body->failed = true;
        if (at.failed)
            return;
        gs_buf_format(c->body,
                      vertical ? "set arrow from first %s, graph 0 to first %s, graph 1"
                               : "set arrow from graph 0, first %s to graph 1, first %s",
                      at.ptr, at.ptr);
        gs_buf_text(c->body, " nohead front dt 2 lw 1.2 lc rgb gs_dim\n");
        if (m->text == NULL)
            continue;
        gs_buf_text(c->body, "set label ");
        gs_buf_gnuplot(c->body, gs_str(m->text));
        gs_buf_format(c->body,
                      vertical ? " at first %s, graph 0.96 left offset char 0.6,0"
                               : " at graph 0.99, first %s right offset 0,char 0.6",
                      at.ptr);
        gs_buf_text(c->body, " front noenhanced textcolor rgb gs_fg font gs_small\n");
    }
}

void gs_canvas_cbrange(struct gs_buf *b, double lo, double hi)
{
    if (!(lo < hi)) {
        lo = isfinite(lo) ? lo - 1 : 0;
        hi = lo + 2;
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
    gs_buf_text(c->body, "set key bmargin center horizontal Left reverse spacing 1.4\n");
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
    if (d->frame->columns[d->group].spec->type != GS_TYPE_TEXT) {
        /* A bare number does not say what it counts. */
        gs_buf_axis_label(&name, d->frame, d->group, 0);
        gs_buf_char(&name, ' ');
    }
    gs_buf_bytes(&name, d->groups.name[group].ptr, d->groups.name[group].len);
    /* Side by side the names of a key share the width. */
    const double share = 0.8 / (double)(d->groups.n < 3 ? d->groups.n : 3);
    gs_buf_gnuplot(c->body, gs_canvas_short(c, gs_buf_str(&name), gs_canvas_room(c, share)));
}

void gs_canvas_separator(const struct gs_canvas *c, bool *first)
{
    gs_buf_text(c->body, *first ? "plot " : ", \\\n     ");
    gs_buf_char(c->hover, '\f');
    *first = false;
}

void gs_canvas_hover(const struct gs_canvas *c, size_t row)
{
    gs_drawn_hover(c->d, row, c->hover);
    gs_buf_char(c->hover, '\n');
}
