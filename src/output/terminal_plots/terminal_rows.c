/* terminal_rows.c - bars, boxes and spans in characters: a line for each. */
#include <math.h>

#include "output/terminal_plots/terminal_parts.h"
#include "base/num/order.h"
#include "base/num/whole.h"

enum { LEAST_BAR = 12 };

/* Eighths of a block, from one to eight. */
static const char *const eighth[] = {"\xE2\x96\x8F", "\xE2\x96\x8E", "\xE2\x96\x8D",
                                     "\xE2\x96\x8C", "\xE2\x96\x8B", "\xE2\x96\x8A",
                                     "\xE2\x96\x89", "\xE2\x96\x88"};

/*
 * A bar from column `a` to column `b`; what lies before it is blank. Every bar has at least one
 * character: a small value must differ from a missing one.
 */
static void append_bar(const struct gs_page *p, double a, double b, bool hollow, size_t group)
{
    /* which letters say then */
    const bool lettered = gs_drawn_bars_are_keyed(p->d) && !p->to->colour;
    const char letter[] = {gs_page_letter(group), '\0'};
    const size_t begin = (size_t)floor(a);
    gs_page_blanks(p, begin);
    gs_page_paint(p, group);
    if (!p->to->unicode || hollow || lettered) {
        const char *sign = lettered ? letter : "#";
        if (hollow)
            sign = p->sign->hollow;
        const size_t end = (size_t)fmax(round(b), (double)begin + 1);
        for (size_t n = begin; n < end; n++)
            gs_buf_text(p->b, sign);
    } else {
        const size_t eighths = gs_max((size_t)lround((b - (double)begin) * 8), 1);
        for (size_t n = 0; n < eighths / 8; n++)
            gs_buf_text(p->b, eighth[7]);
        if (eighths % 8 > 0)
            gs_buf_text(p->b, eighth[eighths % 8 - 1]);
    }
    gs_page_plain(p);
}

/* " [0.26, 0.38]", as an axis would have it. */
static void append_interval(struct gs_buf *b, const struct gs_drawn *d, size_t row)
{
    const double low = gs_drawn_number(d, row, d->low), high = gs_drawn_number(d, row, d->high);
    if (!isfinite(low) || !isfinite(high))
        return;
    gs_buf_text(b, " [");
    gs_drawn_number_text(d, low, b);
    gs_buf_text(b, ", ");
    gs_drawn_number_text(d, high, b);
    gs_buf_char(b, ']');
}

static void append_value(struct gs_buf *b, const struct gs_drawn *d, size_t row)
{
    const struct gs_column_spec *const spec = d->frame->columns[d->y].spec;
    gs_drawn_value_text(d, row, b);
    if (!gs_axis_is_scaled(&d->ay) && spec->unit != NULL && spec->unit[0] != '\0')
        gs_buf_format(b, " %s", spec->unit);
    append_interval(b, d, row);
    gs_drawn_label_text(d, row, b);
}

/* "Render" of a bar, "Render, window" in a cluster. */
static struct gs_str name_of(const struct gs_drawn *d, size_t row, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    gs_drawn_row_name(d, row, &b);
    if (d->panel->kind == GS_PLOT_HISTOGRAM_GROUPED && d->group >= 0) {
        gs_buf_text(&b, ", ");
        gs_drawn_name(d, d->group, d->groups.name[gs_drawn_group(d, row)], &b);
    }
    return gs_buf_str(&b);
}

/*
 * The widest name and value. Names and values give way so that LEAST_BAR columns stay for the
 * bars; gs_page_name shortens what is longer.
 */
static void measure(const struct gs_page *p, bool values, size_t *name, size_t *value)
{
    for (size_t i = 0; i < p->d->n; i++) {
        GS_OWN struct gs_arena arena = {0};
        struct gs_buf text = {.arena = &arena};
        if (values)
            append_value(&text, p->d, p->d->rows[i]);
        const size_t n = gs_page_width(name_of(p->d, p->d->rows[i], &arena)),
                     v = gs_page_width(gs_buf_str(&text));
        *name = gs_max(n, *name);
        *value = gs_max(v, *value);
    }
    const size_t most = p->columns * 45 / 100, left = p->columns - 3 - LEAST_BAR;
    *value = gs_min(left - 4, *value);
    *name = gs_min(most, *name);
    *name = gs_min(left - *value, *name);
}

/* How bars are laid out: their axis, where 0 lies on it, columns of names, bars and values. */
struct scale {
    const struct gs_axis *axis;
    double zero;
    size_t name, room, value;
};

static void append_bar_line(const struct gs_page *p, const struct scale *s, size_t row)
{
    const struct gs_drawn *const d = p->d;
    GS_OWN struct gs_arena arena = {0};
    struct gs_buf text = {.arena = &arena};
    const double at = gs_axis_share(s->axis, gs_drawn_number(d, row, d->y)), room = (double)s->room;
    const bool right =
        d->panel->kind == GS_PLOT_BARS && d->frame->columns[d->x].spec->type != GS_TYPE_TEXT;
    size_t group = 0; /* where its name says which it is */
    if (d->group != d->x)
        group = gs_drawn_group(d, row);
    gs_page_name(p, name_of(d, row, &arena), s->name, right);
    gs_buf_char(p->b, ' ');
    append_bar(p, fmin(s->zero, at) * room, fmax(s->zero, at) * room, gs_drawn_is_thin(d, row),
               group);
    gs_buf_char(p->b, ' ');
    append_value(&text, d, row);
    const size_t width = gs_page_width(gs_buf_str(&text));
    gs_page_name(p, gs_buf_str(&text), gs_min(width, s->value), false);
    gs_buf_char(p->b, '\n');
    p->b->failed |= text.failed;
}

void gs_page_bars(const struct gs_page *p)
{
    enum { CLUSTERS_MAX = 1000 };
    const struct gs_drawn *const d = p->d;
    size_t name = 0, value = 0;
    measure(p, true, &name, &value);
    const size_t room = gs_max(gs_excess(p->columns, name + value + 3), LEAST_BAR);
    struct gs_axis a = d->ay;
    gs_axis_pad(&a, a.kind == GS_AXIS_LOG ? 0.05 : 0, 0);
    double zero = 0;
    if (a.kind != GS_AXIS_LOG && a.lo <= 0)
        zero = gs_axis_share(&a, gs_min(a.hi, 0));
    const struct scale scale = {&a, zero, name, room, value};
    if (d->panel->kind == GS_PLOT_BARS || d->x_names.n > CLUSTERS_MAX) {
        for (size_t i = 0; i < d->n; i++)
            append_bar_line(p, &scale, d->rows[i]);
        if (gs_drawn_bars_are_keyed(d))
            gs_page_key(p, &d->groups);
        return;
    }
    for (size_t k = 0; k < d->x_names.n; k++) /* the bars of a cluster one under the other */
        for (size_t i = 0; i < d->n; i++)
            if (d->x_names.of_row[d->rows[i]] == k)
                append_bar_line(p, &scale, d->rows[i]);
}

/* One line: whisker, box, the mark of its middle, box, whisker. */
static void append_box(const struct gs_page *p, const struct gs_axis *a, size_t row, size_t room)
{
    const struct gs_drawn *const d = p->d;
    size_t at[GS_BOX_COLUMNS];
    for (size_t k = 0; k < GS_BOX_COLUMNS; k++)
        at[k] =
            (size_t)lround(fmin(fmax(gs_axis_share(a, gs_drawn_number(d, row, d->box[k])), 0), 1) *
                           (double)(room - 1));
    gs_page_blanks(p, at[0]);
    gs_page_paint(p, gs_drawn_group(d, row));
    for (size_t i = at[0]; i <= at[4]; i++) {
        if (i == at[2])
            gs_buf_text(p->b, p->sign->vertical);
        else if (i >= at[1] && i <= at[3])
            gs_buf_text(p->b, p->sign->box);
        else
            gs_buf_text(p->b, p->sign->horizontal);
    }
    gs_page_plain(p);
    gs_buf_char(p->b, '\n');
}

void gs_page_boxes(const struct gs_page *p)
{
    const struct gs_drawn *const d = p->d;
    size_t name = 0, value = 0;
    struct gs_axis a = d->ay;
    measure(p, false, &name, &value);
    const size_t room = p->columns - name - 2;
    gs_axis_pad(&a, 0.02, 0.02);
    for (size_t i = 0; i < d->n; i++) {
        GS_OWN struct gs_arena arena = {0};
        gs_page_name(p, name_of(d, d->rows[i], &arena), name, false);
        gs_buf_char(p->b, ' ');
        append_box(p, &a, d->rows[i], room);
    }
    gs_page_axis(p, &a, name + 1, room, d->panel->y_label, d->y);
}

/*
 * Drawn into cells first: spans overlap and come in any order, and the later one covers the
 * earlier.
 */
void gs_page_spans(const struct gs_page *p)
{
    enum { LINES = 60 };
    const struct gs_drawn *const d = p->d;
    size_t name = 0;
    for (size_t i = 0; i < d->y_names.n; i++)
        name = gs_max(gs_page_width(d->y_names.name[i]), name);
    name = gs_min(p->columns * 35 / 100, name);
    const size_t room = p->columns - name - 2;
    const size_t n_lines = gs_min(LINES, d->y_names.n);
    GS_OWN struct gs_arena arena = {0};
    unsigned char *const cell = gs_arena_take(&arena, n_lines * room, 1);
    struct gs_axis a = d->ax;
    gs_axis_pad(&a, 0, 0);
    if (cell == NULL) {
        p->b->failed = true;
        return;
    }
    for (size_t i = 0; i < d->n; i++) {
        const size_t row = d->rows[i], line = (size_t)gs_drawn_y(d, row) * n_lines / d->y_names.n;
        const double from = gs_axis_share(&a, gs_drawn_x(d, row)),
                     to = gs_axis_share(&a, gs_drawn_number(d, row, d->x_end));
        for (size_t k = (size_t)(from * (double)room); k < room && (double)k < to * (double)room;
             k++)
            cell[line * room + k] =
                (unsigned char)(1 + gs_drawn_group(d, row) % GS_TERMINAL_COLOURS);
    }
    for (size_t line = 0; line < n_lines; line++) {
        gs_page_name(p, d->y_names.name[line * d->y_names.n / n_lines], name, false);
        gs_buf_char(p->b, ' ');
        for (size_t k = 0; k < room; k++) {
            const unsigned char g = cell[line * room + k];
            const bool changes = k == 0 || g != cell[line * room + k - 1];
            if (changes && g > 0)
                gs_page_paint(p, g - 1U);
            if (changes && g == 0 && k > 0)
                gs_page_plain(p);
            if (g == 0)
                gs_buf_char(p->b, ' ');
            else if (p->to->unicode && (p->to->colour || d->groups.n < 2))
                gs_buf_text(p->b, eighth[7]);
            else if (d->groups.n < 2)
                gs_buf_char(p->b, '#');
            else
                gs_buf_char(p->b, gs_page_letter(g - 1U));
        }
        gs_page_plain(p);
        gs_buf_char(p->b, '\n');
    }
    gs_page_axis(p, &a, name + 1, room, d->panel->x_label, d->x);
    gs_page_key(p, &d->groups);
}
