/* terminal_plane.c - clouds, lines and histograms in characters. */
#include <math.h>

#include "output/terminal_plots/terminal_parts.h"
#include "output/text/width.h"
#include "base/num/order.h"
#include "base/num/whole.h"

enum { HEIGHT = 16, DOTS_X = 2, DOTS_Y = 4, CELLS_A_POINT = 10 };

/* A plane of cells, each with its dots and whose they are; where there are none what lies under them shows. */
struct plane {
    size_t width, height; /* in characters */
    unsigned char *dots;
    unsigned char *groups; /* a bit for each colour that has a dot in the cell */
    /* a character: of a mark's line or text, of an interval, of the line of equals */
    struct gs_str *under;
    bool sparse; /* points so few that a dot would be lost: each fills its character */
};

/* Bits of the braille pattern, by column and row of the dot. */
static const unsigned char bit[DOTS_X][DOTS_Y] = {{0x01, 0x02, 0x04, 0x40},
                                                  {0x08, 0x10, 0x20, 0x80}};

static void set(struct plane *q, double x, double y, size_t group)
{
    if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
        return;
    const size_t i = (size_t)lround(x * (double)(q->width * DOTS_X - 1)),
                 k = (size_t)lround((1 - y) * (double)(q->height * DOTS_Y - 1));
    const size_t at = k / DOTS_Y * q->width + i / DOTS_X;
    q->dots[at] |= bit[i % DOTS_X][k % DOTS_Y];
    q->groups[at] |= (unsigned char)(1U << group % GS_TERMINAL_COLOURS);
}

/*
 * The group that a cell with dots is shown in: those that share it take turns from cell to cell, so that none hides
 * another.
 */
static size_t shown_group(unsigned groups, size_t turn)
{
    size_t of[GS_TERMINAL_COLOURS], n = 0;
    for (size_t g = 0; g < GS_TERMINAL_COLOURS; g++)
        if ((groups >> g & 1U) != 0)
            of[n++] = g;
    return of[turn % n];
}

static void join(struct plane *q, double x0, double y0, double x1, double y1, size_t group)
{
    const double steps = fmax(fabs(x1 - x0) * (double)(q->width * DOTS_X),
                              fabs(y1 - y0) * (double)(q->height * DOTS_Y));
    const int n = (int)fmin(steps, 3999) + 1;
    for (int i = 0; i <= n; i++)
        set(q, x0 + (x1 - x0) * i / n, y0 + (y1 - y0) * i / n, group);
}

static void append_cell(const struct gs_page *p, unsigned char dots, size_t group, bool sparse)
{
    const size_t n_groups = gs_drawn_n_series(p->d);
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
    GS_OWN struct gs_arena arena = {0};
    bool any = false;
    char *const marked = gs_arena_take(&arena, width, 1);
    p->b->failed |= marked == NULL;
    for (size_t i = 0; marked != NULL && i < panel->n_marks; i++) {
        const struct gs_mark *const m = &panel->marks[i];
        if (m->kind != GS_MARK_BAND ||
            (m->facet != NULL && !gs_str_eq(gs_str(m->facet), p->d->facet)))
            continue;
        const double from = gs_axis_share(ax, m->at) * (double)width,
                     to = gs_axis_share(ax, m->to) * (double)width;
        for (size_t k = (size_t)fmax(from, 0); k < width && (double)k < to; k++)
            marked[k] = 1;
        any = true;
    }
    if (any && marked != NULL) {
        gs_page_name(p, gs_str("shaded"), GS_PAGE_MARGIN - 1, true);
        gs_buf_char(p->b, ' ');
        for (size_t k = 0; k < width; k++)
            gs_buf_text(p->b, marked[k] ? p->sign->band : " ");
        gs_buf_char(p->b, '\n');
    }
}

static void append_plane(const struct gs_page *p, const struct plane *q, const struct gs_axis *ax,
                         const struct gs_axis *ay)
{
    const struct gs_drawn *const d = p->d;
    enum { LINES_A_TIC = 4 }; /* at least, so that tics look as far apart as they are */
    const struct gs_tics tics = gs_tics_of(ay, (int)q->height / LINES_A_TIC);
    struct gs_buf label = {.arena = p->b->arena};
    gs_drawn_axis_label(d, &label, d->panel->y_label, d->y, ay);
    gs_buf_bytes(p->b, label.ptr, label.len);
    gs_buf_char(p->b, '\n');
    for (size_t line = 0; line < q->height; line++) {
        gs_page_margin(p, &tics, ay, line, q->height);
        for (size_t i = 0; i < q->width; i++) {
            const size_t at = line * q->width + i;
            if (q->dots[at] != 0)
                append_cell(p, q->dots[at], shown_group(q->groups[at], line + i), q->sparse);
            else if (q->under[at].len > 0)
                gs_buf_bytes(p->b, q->under[at].ptr, q->under[at].len);
            else
                gs_buf_char(p->b, ' ');
        }
        gs_buf_char(p->b, '\n');
    }
    append_bands(p, ax, q->width);
    gs_page_axis(p, ax, GS_PAGE_MARGIN, q->width, d->panel->x_label, d->x);
}

static bool collect_plane(const struct gs_page *p, struct plane *q, struct gs_arena *arena)
{
    q->width = p->columns - GS_PAGE_MARGIN - 1;
    q->height = HEIGHT;
    q->sparse = false;
    q->dots = gs_arena_take(arena, q->width * q->height, 1);
    q->groups = gs_arena_take(arena, q->width * q->height, 1);
    q->under = gs_arena_take(arena, q->width * q->height, sizeof *q->under);
    p->b->failed |= q->dots == NULL || q->groups == NULL || q->under == NULL;
    return q->dots != NULL && q->groups != NULL && q->under != NULL;
}

/* The cell at shares of both axes; NULL outside. */
static struct gs_str *under(const struct plane *q, double x, double y)
{
    if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
        return NULL;
    const size_t i = (size_t)lround(x * (double)(q->width - 1)),
                 k = (size_t)lround((1 - y) * (double)(q->height - 1));
    return &q->under[k * q->width + i];
}

/* A line from one place to another, of the same character everywhere. */
static void rule(const struct plane *q, double x0, double y0, double x1, double y1,
                 const char *character)
{
    const size_t n = 2 * (q->width + q->height);
    for (size_t i = 0; i <= n && isfinite(x1 - x0) && isfinite(y1 - y0); i++) {
        const double share = (double)i / (double)n;
        struct gs_str *const cell = under(q, x0 + (x1 - x0) * share, y0 + (y1 - y0) * share);
        if (cell != NULL)
            *cell = gs_str(character);
    }
}

/* Text that ends, or begins, at a place, over whatever line is there. */
static void write_under(const struct plane *q, double x, double y, struct gs_str text, bool ends)
{
    const size_t width = gs_text_width(text);
    struct gs_str *const at = under(q, x, y);
    if (at == NULL || width >= q->width)
        return;
    const size_t cell = (size_t)(at - q->under), column = cell % q->width;
    size_t begin = gs_min(column, q->width - width);
    if (ends)
        begin = gs_excess(column + 1, width);
    for (size_t i = 0; i < width && text.len > 0; i++) {
        const struct gs_str letter = gs_text_start(text, 1);
        if (letter.len == 0 || gs_text_width(letter) != 1)
            return; /* a wide one would push the line out of its column */
        q->under[cell - column + begin + i] = letter;
        text = (struct gs_str){text.ptr + letter.len, text.len - letter.len};
    }
}

/* Lines of marks with their texts. */
static void append_marks(const struct gs_page *p, const struct plane *q, const struct gs_axis *ax,
                         const struct gs_axis *ay, struct gs_arena *arena)
{
    const struct gs_panel *const panel = p->d->panel;
    for (size_t i = 0; i < panel->n_marks; i++) {
        const struct gs_mark *const m = &panel->marks[i];
        if (m->kind == GS_MARK_BAND || !isfinite(m->at) ||
            (m->facet != NULL && !gs_str_eq(gs_str(m->facet), p->d->facet)))
            continue;
        struct gs_buf text = {.arena = arena};
        gs_buf_escaped(&text, gs_str(gs_or_empty(m->text)), 0);
        p->b->failed |= text.failed;

        if (m->kind == GS_MARK_Y) {
            const double y = gs_axis_share(ay, m->at);
            rule(q, 0, y, 1, y, p->sign->rule_across);
            write_under(q, 1, y, gs_buf_str(&text), true);
        } else {
            const double x = gs_axis_share(ax, m->at);
            rule(q, x, 0, x, 1, p->sign->rule_up);
            write_under(q, x, 1, gs_buf_str(&text), x > 0.5);
        }
    }
}

/* The interval of a point, or its error, up and down. */
static void append_interval(const struct gs_page *p, const struct plane *q,
                            const struct gs_axis *ax, const struct gs_axis *ay, size_t row)
{
    const struct gs_drawn *const d = p->d;
    const double at = gs_drawn_y(d, row), error = gs_drawn_number(d, row, d->y_error);
    double low = at - error, high = at + error;
    if (d->low >= 0)
        low = gs_drawn_number(d, row, d->low);
    if (d->high >= 0)
        high = gs_drawn_number(d, row, d->high);
    const double x = gs_axis_share(ax, gs_drawn_x(d, row));
    if (d->panel->kind == GS_PLOT_POINTS_ERROR && isfinite(low) && isfinite(high))
        rule(q, x, gs_axis_share(ay, low), x, gs_axis_share(ay, high), p->sign->vertical);
}

void gs_page_points(const struct gs_page *p)
{
    const struct gs_drawn *const d = p->d;
    GS_OWN struct gs_arena arena = {0};
    struct plane q;
    struct gs_axis ax = d->ax, ay = d->ay;
    if (d->x_names.n > 0)
        ax = (struct gs_axis){.lo = -0.5, .hi = (double)d->x_names.n - 0.5, .whole = true};
    gs_axis_pad(&ax, 0, 0);
    gs_axis_pad(&ay, 0, 0);
    if (!collect_plane(p, &q, &arena))
        return;
    q.sparse = d->panel->kind != GS_PLOT_LINES && d->n <= q.width * q.height / CELLS_A_POINT;
    if (d->panel->identity) {
        const double lo = fmax(ax.lo, ay.lo), hi = fmin(ax.hi, ay.hi);
        rule(&q, gs_axis_share(&ax, lo), gs_axis_share(&ay, lo), gs_axis_share(&ax, hi),
             gs_axis_share(&ay, hi), p->sign->dot);
    }
    append_marks(p, &q, &ax, &ay, &arena);
    for (size_t s = 0; s < gs_drawn_n_series(d); s++) {
        double last_x = (double)NAN, last_y = (double)NAN;
        for (size_t i = gs_drawn_series_start(d, s); i < d->series_end[s]; i++) {
            const double x = gs_axis_share(&ax, gs_drawn_x(d, d->rows[i])),
                         y = gs_axis_share(&ay, gs_drawn_y(d, d->rows[i]));
            append_interval(p, &q, &ax, &ay, d->rows[i]);
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
    if (d->panel->identity)
        gs_buf_format(p->b, "%s equal\n", p->sign->dot);
}

void gs_page_histogram(const struct gs_page *p)
{
    const struct gs_drawn *const d = p->d;
    GS_OWN struct gs_arena arena = {0};
    struct plane q;
    struct gs_axis ax = d->ax, ay = d->ay;
    gs_axis_pad(&ax, 0, 0);
    gs_axis_pad(&ay, 0, 0);
    if (!collect_plane(p, &q, &arena))
        return;
    q.height = HEIGHT / 2;
    for (size_t i = 0; i < d->n; i++) {
        const double from = gs_axis_share(&ax, gs_drawn_x(d, d->rows[i])),
                     to = gs_axis_share(&ax, gs_drawn_number(d, d->rows[i], d->x_end)),
                     top = gs_axis_share(&ay, gs_drawn_y(d, d->rows[i]));
        const double step_x = 1 / (double)(q.width * DOTS_X - 1),
                     step_y = 1 / (double)(q.height * DOTS_Y - 1);
        for (double x = from; x < to || x == from; x += step_x)
            for (double y = 0; y <= top && top > 0; y += step_y)
                set(&q, x, y, 0);
    }
    append_plane(p, &q, &ax, &ay);
}
