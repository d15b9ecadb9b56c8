/* terminal_plane.c - clouds, lines, histograms and maps in characters. */
#include <math.h>

#include "terminal/terminal_parts.h"
#include "show/si.h"

enum { HEIGHT = 16, DOTS_X = 2, DOTS_Y = 4, MARGIN = 9, CELLS_A_POINT = 10 };

static const char *const blocks[] = {" ", "\xE2\x96\x91", "\xE2\x96\x92", "\xE2\x96\x93", "\xE2\x96\x88"};

/* A plane of cells, each with its dots and the group drawn last. */
struct plane {
    size_t width, height; /* in characters */
    unsigned char *dots, *group;
    bool sparse; /* points so few that a dot would be lost: each fills its character */
};

/* Bits of the braille pattern, by column and row of the dot. */
static const unsigned char bit[DOTS_X][DOTS_Y] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

static void set(struct plane *q, double x, double y, size_t group)
{
    if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
        return;
    const size_t i = (size_t)lround(x * (double)(q->width * DOTS_X - 1)),
                 k = (size_t)lround((1 - y) * (double)(q->height * DOTS_Y - 1));
    const size_t at = k / DOTS_Y * q->width + i / DOTS_X;
    q->dots[at] |= bit[i % DOTS_X][k % DOTS_Y];
    q->group[at] = (unsigned char)(group % GS_TERMINAL_COLOURS);
}

static void join(struct plane *q, double x0, double y0, double x1, double y1, size_t group)
{
    const double steps =
        fmax(fabs(x1 - x0) * (double)(q->width * DOTS_X), fabs(y1 - y0) * (double)(q->height * DOTS_Y));
    const int n = steps > 4000 ? 4000 : (int)steps + 1;
    for (int i = 0; i <= n; i++)
        set(q, x0 + (x1 - x0) * i / n, y0 + (y1 - y0) * i / n, group);
}

/* The number of a tic in this line of the plane, right-aligned; blanks where there is none. */
static void append_margin(const struct gs_page *p, const struct gs_tics *tics, const struct gs_axis *a, size_t line,
                          size_t height)
{
    struct gs_str label = {"", 0};
    for (int i = 0; i < tics->n; i++)
        if ((size_t)lround((1 - gs_axis_share(a, tics->at[i])) * (double)(height - 1)) == line)
            label = gs_str(tics->label[i]);
    gs_page_name(p, label, MARGIN - 1, true);
    gs_buf_text(p->b, p->to->unicode ? (label.len > 0 ? "\xE2\x94\xA4" : "\xE2\x94\x82") : label.len > 0 ? "+" : "|");
}

static void append_cell(const struct gs_page *p, unsigned char dots, unsigned char group, bool sparse)
{
    const size_t n_groups = gs_drawn_n_series(p->d);
    if (dots == 0) {
        gs_buf_char(p->b, ' ');
        return;
    }
    gs_page_paint(p, group);
    if (p->to->unicode && (p->to->colour || n_groups < 2) && sparse) {
        gs_buf_text(p->b, "\xE2\x97\x8F");
    } else if (p->to->unicode && (p->to->colour || n_groups < 2)) {
        const char utf8[] = {(char)0xE2, (char)(0xA0 | dots >> 6), (char)(0x80 | (dots & 0x3F))};
        gs_buf_bytes(p->b, utf8, sizeof utf8);
    } else {
        gs_buf_char(p->b, gs_page_letter(group));
    }
    gs_page_plain(p);
}

/* A line that is marked where the panel has a band. */
static void append_bands(const struct gs_page *p, const struct gs_axis *ax, size_t width)
{
    const struct gs_panel *const panel = p->d->panel;
    struct gs_arena arena = {0};
    bool any = false;
    char *const marked = gs_arena_take(&arena, width, 1);
    p->b->failed |= marked == NULL;
    for (size_t i = 0; marked != NULL && i < panel->n_marks; i++) {
        const struct gs_mark *const m = &panel->marks[i];
        if (m->kind != GS_MARK_BAND || (m->facet != NULL && !gs_str_eq(gs_str(m->facet), p->d->facet)))
            continue;
        const double from = gs_axis_share(ax, m->at) * (double)width, to = gs_axis_share(ax, m->to) * (double)width;
        for (size_t k = from > 0 ? (size_t)from : 0; k < width && (double)k < to; k++)
            marked[k] = 1;
        any = true;
    }
    if (any && marked != NULL) {
        gs_page_name(p, gs_str("shaded"), MARGIN - 1, true);
        gs_buf_char(p->b, ' ');
        for (size_t k = 0; k < width; k++)
            gs_buf_text(p->b, !marked[k] ? " " : p->to->unicode ? blocks[1] : "=");
        gs_buf_char(p->b, '\n');
    }
    gs_arena_release(&arena);
}

static void append_plane(const struct gs_page *p, const struct plane *q, const struct gs_axis *ax,
                         const struct gs_axis *ay)
{
    const struct gs_drawn *const d = p->d;
    const struct gs_tics tics = gs_tics_of(ay, 4);
    struct gs_buf label = {.arena = p->b->arena};
    gs_drawn_axis_label(d, &label, d->panel->y_label, d->y, ay);
    gs_buf_bytes(p->b, label.ptr, label.len);
    gs_buf_char(p->b, '\n');
    for (size_t line = 0; line < q->height; line++) {
        append_margin(p, &tics, ay, line, q->height);
        for (size_t i = 0; i < q->width; i++)
            append_cell(p, q->dots[line * q->width + i], q->group[line * q->width + i], q->sparse);
        gs_buf_char(p->b, '\n');
    }
    append_bands(p, ax, q->width);
    gs_page_axis(p, ax, MARGIN, q->width, d->panel->x_label, d->x);
}

static bool take_plane(const struct gs_page *p, struct plane *q, struct gs_arena *arena)
{
    q->width = p->columns - MARGIN - 1;
    q->height = HEIGHT;
    q->sparse = false;
    q->dots = gs_arena_take(arena, q->width * q->height, 1);
    q->group = gs_arena_take(arena, q->width * q->height, 1);
    p->b->failed |= q->dots == NULL || q->group == NULL;
    return q->dots != NULL && q->group != NULL;
}

void gs_page_points(const struct gs_page *p)
{
    const struct gs_drawn *const d = p->d;
    struct gs_arena arena = {0};
    struct plane q;
    struct gs_axis ax = d->ax, ay = d->ay;
    if (d->x_names.n > 0)
        ax = (struct gs_axis){.lo = -0.5, .hi = (double)d->x_names.n - 0.5, .whole = true};
    gs_axis_pad(&ax, 0, 0);
    gs_axis_pad(&ay, 0, 0);
    if (!take_plane(p, &q, &arena))
        return;
    q.sparse = d->panel->kind != GS_PLOT_LINES && d->n <= q.width * q.height / CELLS_A_POINT;
    for (size_t s = 0; s < gs_drawn_n_series(d); s++) {
        double last_x = (double)NAN, last_y = (double)NAN;
        for (size_t i = gs_drawn_series_start(d, s); i < d->series_end[s]; i++) {
            const double x = gs_axis_share(&ax, gs_drawn_x(d, d->rows[i])),
                         y = gs_axis_share(&ay, gs_drawn_y(d, d->rows[i]));
            if (d->panel->kind == GS_PLOT_LINES && isfinite(last_y) && isfinite(y))
                join(&q, last_x, last_y, x, y, s);
            else
                set(&q, x, y, s);
            last_x = x;
            last_y = y;
        }
    }
    append_plane(p, &q, &ax, &ay);
    gs_page_key(p, &d->groups);
    gs_arena_release(&arena);
}

void gs_page_histogram(const struct gs_page *p)
{
    const struct gs_drawn *const d = p->d;
    struct gs_arena arena = {0};
    struct plane q;
    struct gs_axis ax = d->ax, ay = d->ay;
    gs_axis_pad(&ax, 0, 0);
    gs_axis_pad(&ay, 0, 0);
    if (!take_plane(p, &q, &arena))
        return;
    q.height = HEIGHT / 2;
    for (size_t i = 0; i < d->n; i++) {
        const double from = gs_axis_share(&ax, gs_drawn_x(d, d->rows[i])),
                     to = gs_axis_share(&ax, gs_drawn_number(d, d->rows[i], d->x_end)),
                     top = gs_axis_share(&ay, gs_drawn_y(d, d->rows[i]));
        const double step_x = 1 / (double)(q.width * DOTS_X - 1), step_y = 1 / (double)(q.height * DOTS_Y - 1);
        for (double x = from; x < to || x == from; x += step_x)
            for (double y = 0; y <= top && top > 0; y += step_y)
                set(&q, x, y, 0);
    }
    append_plane(p, &q, &ax, &ay);
    gs_arena_release(&arena);
}

/* Shades from little to much, and of the 256 colours those of cividis. */
static const char shades[] = " .:-=+*#%@";
static const int cividis[] = {17, 18, 60, 59, 241, 244, 101, 143, 179, 221};

static void append_shade(const struct gs_page *p, double share)
{
    const int k = share >= 1 ? 9 : (int)(share * 10);
    if (p->to->colour) {
        gs_buf_format(p->b, p->to->unicode ? "\033[38;5;%dm\xE2\x96\x88\033[0m" : "\033[48;5;%dm \033[0m", cividis[k]);
        return;
    }
    if (p->to->unicode)
        gs_buf_text(p->b, blocks[k / 2]);
    else
        gs_buf_char(p->b, shades[k]);
}

/* Means of what falls into each character; of names the one seen last. */
struct cells {
    size_t width, height;
    size_t repeat; /* characters of a cell, side by side */
    double *sum;
    uint32_t *n;
};

static void fill(const struct gs_drawn *d, struct cells *c)
{
    for (size_t i = 0; i < d->n; i++) {
        const size_t row = d->rows[i];
        const double x = gs_axis_share(&d->ax, gs_drawn_x(d, row)), y = gs_axis_share(&d->ay, gs_drawn_y(d, row));
        const double v = d->values.n > 0 ? (double)d->values.of_row[row] : gs_drawn_number(d, row, d->value);
        if (!isfinite(v) || (d->values.n > 0 && d->values.of_row[row] == GS_NO_NAME))
            continue;
        size_t i_x = isfinite(x) ? (size_t)(x * (double)c->width) : 0,
               i_y = isfinite(y) ? (size_t)(y * (double)c->height) : 0;
        i_x = i_x >= c->width ? c->width - 1 : i_x;
        i_y = i_y >= c->height ? c->height - 1 : i_y;
        if (!d->panel->down)
            i_y = c->height - 1 - i_y;
        const size_t at = i_y * c->width + i_x;
        c->sum[at] = d->values.n > 0 ? v : c->sum[at] + v;
        c->n[at] = d->values.n > 0 ? 1 : c->n[at] + 1;
    }
}

/* A cell of its own for each of the map's where they fit. A character is twice as high as wide. */
static void choose_size(const struct gs_page *p, struct cells *c)
{
    const struct gs_drawn *const d = p->d;
    const double step_x = gs_drawn_step(d, true), step_y = gs_drawn_step(d, false);
    const double wide = (d->ax.hi - d->ax.lo) / step_x + 1, high = (d->ay.hi - d->ay.lo) / step_y + 1;
    const double room = (double)(p->columns - MARGIN - 1);
    c->width = (size_t)fmin(room, fmax(wide, 1));
    c->height = (size_t)fmin(32, fmax(high, 1));
    c->repeat = 1;
    if (d->ax.kind != GS_AXIS_TIME && d->x_names.n == 0) {
        c->width = (size_t)fmin((double)c->width, fmax(fmin(room / 2, (double)c->height * wide / high), 1));
        c->repeat = 2;
    }
}

static void append_rows(const struct gs_page *p, const struct cells *c, const struct gs_axis *range)
{
    const struct gs_drawn *const d = p->d;
    struct gs_axis ay = d->ay;
    gs_axis_pad(&ay, 0, 0);
    const struct gs_tics tics = gs_tics_of(&ay, c->height < 8 ? 3 : 5);
    for (size_t line = 0; line < c->height; line++) {
        if (d->y_names.n == c->height) {
            gs_page_name(p, d->y_names.name[d->panel->down ? line : c->height - 1 - line], MARGIN - 1, true);
            gs_buf_text(p->b, p->to->unicode ? "\xE2\x94\x82" : "|");
        } else {
            append_margin(p, &tics, &ay, d->panel->down ? c->height - 1 - line : line, c->height);
        }
        for (size_t i = 0; i < c->width * c->repeat; i++) {
            const size_t at = line * c->width + i / c->repeat;
            if (c->n[at] == 0) {
                gs_buf_char(p->b, ' ');
            } else if (d->values.n > 0) {
                gs_page_paint(p, (size_t)c->sum[at]);
                if (p->to->unicode && p->to->colour)
                    gs_buf_text(p->b, blocks[4]);
                else
                    gs_buf_char(p->b, gs_page_letter((size_t)c->sum[at]));
                gs_page_plain(p);
            } else {
                append_shade(p, gs_axis_share(range, c->sum[at] / (double)c->n[at]));
            }
        }
        gs_buf_char(p->b, '\n');
    }
}

/* "38.6 W [shades] 47.0 W  power" */
static void append_scale(const struct gs_page *p, const struct gs_axis *range)
{
    enum { SHADES = 10 };
    const struct gs_column_spec *const spec = p->d->frame->columns[p->d->value].spec;
    struct gs_arena arena = {0};
    struct gs_buf low = {.arena = &arena}, high = {.arena = &arena};
    gs_buf_si(&low, range->lo, spec->unit, spec->decimals);
    gs_buf_si(&high, range->hi, spec->unit, spec->decimals);
    gs_buf_format(&high, "  %s", spec->label != NULL ? spec->label : spec->name);
    const size_t begin = low.len + 2 > MARGIN ? low.len + 2 : MARGIN, left = p->columns - begin - SHADES - 1;
    const size_t width = gs_page_width(gs_buf_str(&high));
    gs_page_name(p, gs_buf_str(&low), begin - 1, true);
    gs_buf_char(p->b, ' ');
    for (int i = 0; i < SHADES; i++)
        append_shade(p, i / (double)SHADES);
    gs_buf_char(p->b, ' ');
    gs_page_name(p, gs_buf_str(&high), width < left ? width : left, false);
    gs_buf_char(p->b, '\n');
    p->b->failed |= low.failed || high.failed;
    gs_arena_release(&arena);
}

void gs_page_map(const struct gs_page *p)
{
    const struct gs_drawn *const d = p->d;
    struct gs_arena arena = {0};
    struct cells c;
    choose_size(p, &c);
    c.sum = gs_arena_take(&arena, c.width * c.height, sizeof *c.sum);
    c.n = gs_arena_take(&arena, c.width * c.height, sizeof *c.n);
    if (c.sum == NULL || c.n == NULL) {
        p->b->failed = true;
        gs_arena_release(&arena);
        return;
    }
    struct gs_axis range = gs_axis_empty(GS_AXIS_LINEAR), ax = d->ax;
    fill(d, &c);
    for (size_t i = 0; i < c.width * c.height; i++)
        if (c.n[i] > 0)
            gs_axis_see(&range, c.sum[i] / (double)c.n[i]);
    const struct gs_axis shown = range;
    gs_axis_pad(&range, 0, 0);
    gs_axis_pad(&ax, 0, 0);
    append_rows(p, &c, &range);
    gs_page_axis(p, &ax, MARGIN, c.width * c.repeat, d->panel->x_label, d->x);
    if (d->values.n > 0)
        gs_page_key(p, &d->values);
    else if (isfinite(shown.lo))
        append_scale(p, &shown);
    gs_arena_release(&arena);
}
