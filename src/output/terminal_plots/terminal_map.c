/* terminal_map.c - maps in characters. */
#include <math.h>

#include "base/num/order.h"
#include "output/terminal_plots/terminal_parts.h"
#include "output/text/si.h"

/* Shades from little to much, and of the 256 colours those of cividis. */
static const char shades[] = ".,:-=+*#%@"; /* the least is not the blank of what is not known */
static const char *const blocks[] = {"\xC2\xB7", "\xE2\x96\x91", "\xE2\x96\x92", "\xE2\x96\x93",
                                     "\xE2\x96\x88"};
/* seen on black and on white */
static const int cividis[] = {19, 24, 60, 243, 101, 137, 143, 179, 185, 221};

static void append_shade(const struct gs_page *p, double share)
{
    const int k = (int)fmin(share * 10, 9);
    if (p->to->colour)
        gs_buf_format(p->b, p->sign->cell, cividis[k]);
    else if (p->to->unicode)
        gs_buf_text(p->b, blocks[k / 2]);
    else
        gs_buf_char(p->b, shades[k]);
}

enum { HEIGHT_MAX = 32 };

/* Means of what falls into each character; of names the one seen last. */
struct cells {
    size_t width, height;
    size_t repeat; /* characters of a cell, side by side */
    size_t margin; /* columns of the names or numbers before them */
    double *sum;
    uint32_t *n;
};

/* The one of n cells in which a share of an axis lies. */
static size_t cell_of(double share, size_t n)
{
    if (!isfinite(share))
        return 0;
    return gs_min((size_t)(share * (double)n), n - 1);
}

static void fill(const struct gs_drawn *d, struct cells *c)
{
    for (size_t i = 0; i < d->n; i++) {
        const size_t row = d->rows[i];
        const double x = gs_axis_share(&d->ax, gs_drawn_x(d, row)),
                     y = gs_axis_share(&d->ay, gs_drawn_y(d, row));
        const double v = gs_drawn_value(d, row);
        if (!isfinite(v))
            continue;
        size_t i_y = cell_of(y, c->height);
        if (!d->panel->down)
            i_y = c->height - 1 - i_y;
        const size_t at = i_y * c->width + cell_of(x, c->width);
        if (d->values.n > 0)
            c->sum[at] = c->n[at] = 0;
        c->sum[at] += v;
        c->n[at]++;
    }
}

/* A cell of its own for each of the map's where they fit. A character is twice as high as wide. */
static void choose_size(const struct gs_page *p, struct cells *c)
{
    const struct gs_drawn *const d = p->d;
    const double wide = gs_drawn_cells(d, true), high = gs_drawn_cells(d, false);
    enum { NAME_MAX = 24 };
    const size_t name = gs_names_longest(&d->y_names), most = gs_min(p->columns / 3, NAME_MAX);
    c->margin = GS_PAGE_MARGIN;
    if (name + 1 > c->margin && (double)d->y_names.n <= HEIGHT_MAX)
        c->margin = gs_min(name, most) + 1;
    const double room = (double)(p->columns - c->margin - 1);
    c->width = (size_t)fmin(room, fmax(wide, 1));
    c->height = (size_t)fmin(HEIGHT_MAX, fmax(high, 1));
    c->repeat = 1;
    if (d->ax.kind != GS_AXIS_TIME && d->x_names.n == 0) {
        c->width = (size_t)fmin((double)c->width,
                                fmax(fmin(room / 2, (double)c->height * wide / high), 1));
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
        const size_t other = c->height - 1 - line; /* of an axis that goes the other way */
        if (d->y_names.n == c->height) {
            gs_page_name(p, d->y_names.name[d->panel->down ? line : other], c->margin - 1, true);
            gs_buf_text(p->b, p->sign->vertical);
        } else {
            gs_page_margin(p, &tics, &ay, d->panel->down ? other : line, c->height);
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
    GS_OWN struct gs_arena arena = {0};
    struct gs_buf low = {.arena = &arena}, high = {.arena = &arena};
    gs_buf_si(&low, range->lo, spec->unit, spec->decimals);
    gs_buf_si(&high, range->hi, spec->unit, spec->decimals);
    gs_buf_format(&high, "  %s", gs_column_title(spec));
    const size_t begin = gs_max(low.len + 2, GS_PAGE_MARGIN),
                 left = p->columns - begin - SHADES - 1;
    const size_t width = gs_page_width(gs_buf_str(&high));
    gs_page_name(p, gs_buf_str(&low), begin - 1, true);
    gs_buf_char(p->b, ' ');
    for (int i = 0; i < SHADES; i++)
        append_shade(p, i / (double)SHADES);
    gs_buf_char(p->b, ' ');
    gs_page_name(p, gs_buf_str(&high), gs_min(width, left), false);
    gs_buf_char(p->b, '\n');
    p->b->failed |= low.failed || high.failed;
}

void gs_page_map(const struct gs_page *p)
{
    const struct gs_drawn *const d = p->d;
    GS_OWN struct gs_arena arena = {0};
    struct cells c;
    choose_size(p, &c);
    c.sum = gs_arena_take(&arena, c.width * c.height, sizeof *c.sum);
    c.n = gs_arena_take(&arena, c.width * c.height, sizeof *c.n);
    if (c.sum == NULL || c.n == NULL) {
        p->b->failed = true;
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
    gs_page_axis(p, &ax, c.margin, c.width * c.repeat, d->panel->x_label, d->x);
    if (d->values.n > 0)
        gs_page_key(p, &d->values);
    else if (isfinite(shown.lo))
        append_scale(p, &shown);
}
