/* gnuplot_panels.c - one function per kind of panel. */
#include <math.h>

#include "figure.h"
#include "gpustat/escape.h"
#include "gpustat/render.h"
#include "gpustat/timestamp.h"
#include "width.h"

/* The end of every datablock. Its lines hold numbers and blanks only, so none can equal it. */
#define TAG "END_OF_NUMBERS"

enum {
    MAX_NAMED_BARS = 120,   /* beyond, names and values could not be read        */
    MAX_VALUED_BARS = 24,   /* of a cluster panel                                 */
    MAX_VALUED_CELLS = 100, /* of a heat map                                      */
    MAX_GROUPS_KEYED = 16,  /* lines of a key                                     */
    MAX_HEAT_SIDE = 4096,   /* cells of a heat map's side                         */
};

/* Three parts of a panel being written. */
struct canvas {
    const struct gs_drawn *d;
    int number;
    struct gs_buf *data, *body;
};

static void number(struct gs_buf *b, double value)
{
    gs_buf_number(b, value);
    gs_buf_char(b, ' ');
}

static void open_block(const struct canvas *c, size_t series)
{
    gs_buf_format(c->data, "$gs%d_%zu << " TAG "\n", c->number, series);
}

static void close_block(const struct canvas *c)
{
    gs_buf_text(c->data, TAG "\n");
}

static void append_range(struct gs_buf *b, char axis, const struct gs_axis *a)
{
    gs_buf_format(b, "set %crange [", axis);
    gs_buf_number(b, a->lo);
    gs_buf_char(b, ':');
    gs_buf_number(b, a->hi);
    gs_buf_text(b, "] noextend\n");
    if (a->kind == GS_AXIS_LOG)
        gs_buf_format(b, "set logscale %c\n", axis);
}

static void append_tics(struct gs_buf *b, const char *axis, const struct gs_axis *a, double room_px,
                        double px_per_tic)
{
    const int n = (int)(room_px / px_per_tic);
    gs_buf_format(b, "set %stics ", axis);
    gs_buf_tics(b, a, n < 3 ? 3 : n > 10 ? 10 : n);
    gs_buf_text(b, "\n");
}

/* Names along an axis at 0, 1, 2 ... */
static void append_name_tics(struct gs_buf *b, const char *axis, const struct gs_names *names,
                             const char *rotate)
{
    gs_buf_format(b, "set %stics %s(", axis, rotate);
    for (size_t i = 0; i < names->n; i++) {
        gs_buf_text(b, i == 0 ? "" : ", ");
        gs_buf_gnuplot_tic(b, names->name[i]);
        gs_buf_format(b, " %zu", i);
    }
    gs_buf_text(b, ")\n");
}

static void append_axis_label(const struct canvas *c, const char *command, const char *given, int column,
                              const struct gs_axis *axis)
{
    struct gs_buf text = {.arena = c->body->arena};
    if (given != NULL)
        gs_buf_text(&text, given);
    else
        gs_buf_axis_label(&text, c->d->frame, column);
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

static size_t longest_name(const struct gs_names *names)
{
    size_t longest = 0;
    for (size_t i = 0; i < names->n; i++) {
        const size_t width = gs_text_width(names->name[i]);
        longest = width > longest ? width : longest;
    }
    return longest;
}

/* Both axes of a panel whose x and y are as they are; pads, ranges, tics, labels. */
static void append_axes(const struct canvas *c, struct gs_axis *ax, struct gs_axis *ay)
{
    const struct gs_drawn *const d = c->d;
    const bool grounded = d->panel->from_zero && ay->kind == GS_AXIS_LINEAR;
    const bool above = !grounded || !(ay->lo >= 0), below = !grounded || !(ay->hi <= 0);
    if (d->x_names.n > 0)
        *ax = (struct gs_axis){.lo = -0.5, .hi = (double)d->x_names.n - 0.5};
    else
        gs_axis_pad(ax, d->panel->kind == GS_PLOT_LINES ? 0 : 0.03,
                    d->panel->kind == GS_PLOT_LINES ? 0 : 0.03);
    gs_axis_pad(ay, above ? 0.05 : 0, below ? 0.07 : 0);
    append_range(c->body, 'x', ax);
    append_range(c->body, 'y', ay);
    if (d->x_names.n > 0) {
        const bool steep =
            (double)longest_name(&d->x_names) * d->px_char * (double)d->x_names.n > 0.8 * d->px_width;
        append_name_tics(c->body, "x", &d->x_names, steep ? "rotate by -35 left " : "");
    } else {
        append_tics(c->body, "x", ax, d->px_width,
                    ax->kind == GS_AXIS_LINEAR || ax->kind == GS_AXIS_LOG ? 65 : 95);
    }
    append_tics(c->body, "y", ay, d->px_height, 45);
    append_axis_label(c, "xlabel", d->panel->x_label, d->x, ax);
    append_axis_label(c, "ylabel", d->panel->y_label, d->y, ay);
}

static bool mark_applies(const struct gs_drawn *d, const struct gs_mark *m)
{
    return isfinite(m->at) && (m->facet == NULL || gs_str_eq(gs_str(m->facet), d->facet));
}

/* Lines across the panel with their texts. `swapped`: y runs to the right, as for bars. */
static void append_marks(const struct canvas *c, bool swapped)
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

static void append_bar_names(const struct canvas *c, size_t *longest)
{
    const struct gs_drawn *const d = c->d;
    struct gs_buf *const b = c->body;
    gs_buf_text(b, "set ytics scale 0 (");
    for (size_t i = 0; i < d->n && d->n <= MAX_NAMED_BARS; i++) {
        struct gs_buf name = {.arena = b->arena};
        gs_cell_for_people(&name, d->frame, d->rows[i], (size_t)d->x);
        const size_t width = gs_text_width(gs_buf_str(&name));
        *longest = width > *longest ? width : *longest;
        gs_buf_text(b, i == 0 ? "" : ", ");
        gs_buf_gnuplot_tic(b, gs_buf_str(&name));
        gs_buf_format(b, " %zu", i);
    }
    gs_buf_text(b, ")\n");
}

static void append_palette_range(struct gs_buf *b, double lo, double hi)
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

static void append_bar_values(const struct canvas *c)
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

static void append_bars(const struct canvas *c)
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
    widen_for_text(d, &value, name_chars, text_chars);
    const double base = value.kind == GS_AXIS_LOG ? value.lo : 0;
    open_block(c, 0);
    for (size_t i = 0; i < d->n; i++) {
        const double y = gs_drawn_number(d, d->rows[i], d->y), s = gs_drawn_number(d, d->rows[i], d->shade);
        gs_buf_format(c->data, "%zu ", i);
        number(c->data, base);
        number(c->data, y);
        number(c->data, value.kind == GS_AXIS_LOG && isfinite(s) && s > 0 ? log10(s) : s);
        gs_buf_char(c->data, '\n');
        gs_axis_see(&shade, value.kind == GS_AXIS_LOG && s > 0 ? log10(s) : s);
    }
    close_block(c);
    append_range(c->body, 'x', &value);
    gs_buf_format(c->body, "set yrange [%zu.5:-0.5] noextend\n", d->n == 0 ? 0 : d->n - 1);
    append_tics(c->body, "x", &value, d->px_width - (double)name_chars * d->px_char, 85);
    append_axis_label(c, "xlabel", d->panel->y_label, d->y, &value);
    if (value.lo < 0 && value.kind == GS_AXIS_LINEAR)
        gs_buf_text(c->body,
                    "set arrow from first 0, graph 0 to first 0, graph 1 nohead front lw 1 lc rgb gs_fg\n");
    append_bar_values(c);
    append_marks(c, true);
    if (!d->characters)
        gs_buf_text(c->body, "set grid noytics xtics\n");
    if (d->shade >= 0) {
        gs_buf_text(c->body, "set palette defined (0 gs_shade0, 1 gs_shade1)\n");
        append_palette_range(c->body, shade.lo, shade.hi);
    }
    gs_buf_format(
        c->body,
        "plot $gs%d_0 using 3:1:2:3:($1-0.36):($1+0.36)%s with boxxyerror fill solid 1 noborder %s notitle\n",
        c->number, d->shade >= 0 ? ":4" : "", d->shade >= 0 ? "lc palette" : "lt 1");
}

/* The key under the panel. */
static void append_key(const struct canvas *c)
{
    const struct gs_drawn *const d = c->d;
    const bool keyed = d->groups.n > 0 && d->groups.n <= MAX_GROUPS_KEYED;
    if (!keyed && !d->panel->identity)
        return;
    gs_buf_format(c->body, "set key %s center horizontal Left reverse spacing 1.4\n",
                  d->characters ? "tmargin" : "bmargin");
}

/* The key's line for a group, with a sample that can be seen however small the points are. */
static void append_key_entry(const struct canvas *c, size_t group, const char *sample)
{
    const struct gs_drawn *const d = c->d;
    if (d->groups.n == 0 || d->groups.n > MAX_GROUPS_KEYED)
        return;
    gs_buf_format(c->body, ", \\\n     keyentry with %s lt %zu title ", sample, group + 1);
    struct gs_buf name = {.arena = c->body->arena};
    if (d->frame->columns[d->group].spec->type != GS_TYPE_TEXT) {
        /* A bare number does not say what it counts. */
        gs_buf_axis_label(&name, d->frame, d->group);
        gs_buf_text(&name, " = ");
    }
    gs_buf_bytes(&name, d->groups.name[group].ptr, d->groups.name[group].len);
    gs_buf_gnuplot(c->body, gs_buf_str(&name));
}

static size_t n_series(const struct gs_drawn *d)
{
    return d->groups.n == 0 ? 1 : d->groups.n;
}

static bool series_has_rows(const struct gs_drawn *d, size_t series)
{
    for (size_t i = 0; i < d->n; i++)
        if (gs_drawn_group(d, d->rows[i]) == series)
            return true;
    return false;
}

/* Two points of the fitted line, at the ends of the axis and inside the panel's height. */
static void append_fit(const struct canvas *c, size_t series, const struct gs_axis *ax)
{
    const struct gs_fit *const fit = c->d->panel->fit;
    open_block(c, series);
    for (int i = 0; i < 2; i++) {
        const double x = i == 0 ? ax->lo : ax->hi;
        number(c->data, x);
        number(c->data, fit->intercept + fit->slope * x);
        gs_buf_char(c->data, '\n');
    }
    close_block(c);
}

static bool has_fit(const struct gs_drawn *d)
{
    const struct gs_fit *const fit = d->panel->fit;
    return d->panel->line && fit != NULL && isfinite(fit->slope) && isfinite(fit->intercept);
}

static void append_separator(const struct canvas *c, bool *first)
{
    gs_buf_text(c->body, *first ? "plot " : ", \\\n     ");
    *first = false;
}

/* The lines that lie over points and curves: fit, smooth, identity. Blocks are numbered from `series`. */
static void append_overlays(const struct canvas *c, size_t series, const struct gs_axis *ax,
                            const struct gs_axis *ay, bool *first)
{
    const struct gs_drawn *const d = c->d;
    if (d->smooth >= 0) {
        open_block(c, series);
        for (size_t i = 0; i < d->n; i++) {
            number(c->data, gs_drawn_x(d, d->rows[i]));
            number(c->data, gs_drawn_number(d, d->rows[i], d->smooth));
            gs_buf_char(c->data, '\n');
        }
        close_block(c);
        append_separator(c, first);
        gs_buf_format(c->body,
                      "$gs%d_%zu using 1:2 smooth unique with lines dt 1 lw 2.5 lc rgb gs_second notitle",
                      c->number, series++);
    }
    if (has_fit(d) && ax->kind != GS_AXIS_LOG && ay->kind != GS_AXIS_LOG) {
        append_fit(c, series, ax);
        append_separator(c, first);
        gs_buf_format(c->body, "$gs%d_%zu using 1:2 with lines dt 1 lw 2 lc rgb gs_fg notitle", c->number,
                      series++);
    }
    if (d->panel->identity) {
        open_block(c, series);
        const double lo = fmax(ax->lo, ay->lo), hi = fmin(ax->hi, ay->hi);
        gs_buf_number(c->data, lo);
        gs_buf_char(c->data, ' ');
        number(c->data, lo);
        gs_buf_char(c->data, '\n');
        number(c->data, hi);
        number(c->data, hi);
        gs_buf_char(c->data, '\n');
        close_block(c);
        append_separator(c, first);
        gs_buf_format(c->body, "$gs%d_%zu using 1:2 with lines dt 2 lw 1.5 lc rgb gs_dim title 'equal'",
                      c->number, series++);
    }
}

static double or_zero(double v)
{
    return isfinite(v) ? v : 0;
}

static void append_points_block(const struct canvas *c, size_t series)
{
    const struct gs_drawn *const d = c->d;
    open_block(c, series);
    for (size_t i = 0; i < d->n; i++) {
        const size_t row = d->rows[i];
        if (gs_drawn_group(d, row) != series)
            continue;
        const double y = gs_drawn_number(d, row, d->y);
        if (isfinite(y)) {
            number(c->data, gs_drawn_x(d, row));
            number(c->data, y);
            if (d->x_error >= 0)
                number(c->data, or_zero(gs_drawn_number(d, row, d->x_error)));
            if (d->y_error >= 0)
                number(c->data, or_zero(gs_drawn_number(d, row, d->y_error)));
        }
        gs_buf_char(c->data, '\n'); /* alone, where y is missing, it breaks the line */
    }
    close_block(c);
}

static const char *style_of(const struct gs_drawn *d, size_t n)
{
    if (d->panel->kind == GS_PLOT_LINES)
        return "using 1:2 with lines lw 2";
    const bool dx = d->x_error >= 0, dy = d->y_error >= 0;
    if (d->panel->kind == GS_PLOT_POINTS_ERROR && (dx || dy))
        return dx && dy ? "using 1:2:3:4 with xyerrorbars dt 1 lw 1.2 ps 0.8"
               : dx     ? "using 1:2:3 with xerrorbars dt 1 lw 1.2 ps 0.8"
                        : "using 1:2:3 with yerrorbars dt 1 lw 1.2 ps 0.8";
    return n > 2000  ? "using 1:2 with points ps 0.25"
           : n > 200 ? "using 1:2 with points ps 0.4"
                     : "using 1:2 with points ps 0.8";
}

/* Scatter, lines and points with errors differ only in their style. */
static void append_points(const struct canvas *c)
{
    const struct gs_drawn *const d = c->d;
    struct gs_axis ax = d->ax, ay = d->ay;
    append_axes(c, &ax, &ay);
    append_marks(c, false);
    append_key(c);
    bool first = true;
    for (size_t s = 0; s < n_series(d); s++) {
        if (!series_has_rows(d, s))
            continue;
        append_points_block(c, s);
        append_separator(c, &first);
        /* gs_lt cycles through the palette, points and dashes: colour is never alone. */
        gs_buf_format(c->body, "$gs%d_%zu %s lt %zu notitle", c->number, s, style_of(d, d->n), s + 1);
        append_key_entry(c, s, d->panel->kind == GS_PLOT_LINES ? "lines lw 2.5" : "points ps 1");
    }
    append_overlays(c, n_series(d), &ax, &ay, &first);
    gs_buf_char(c->body, '\n');
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
    const double bar = d->px_width / (double)d->x_names.n * 0.8 / (double)n_series(d);
    if ((double)longest * d->px_char * 0.85 < bar)
        return VALUES_FLAT;
    return bar > 10 && !d->characters ? VALUES_UPRIGHT : VALUES_NONE;
}

static void append_cluster_values(const struct canvas *c, double width, enum values how)
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

static void append_clusters(const struct canvas *c)
{
    const struct gs_drawn *const d = c->d;
    struct gs_axis ax, ay = d->ay;
    const double width = 0.8 / (double)n_series(d);
    const enum values values = cluster_values(d);
    const double room = values == VALUES_UPRIGHT ? 0.28 : 0.1;
    gs_axis_pad(&ay, ay.kind == GS_AXIS_LOG || ay.lo < 0 ? room : 0,
                ay.kind == GS_AXIS_LOG || ay.hi > 0 ? room : 0);
    ax = (struct gs_axis){.lo = -0.6, .hi = (double)d->x_names.n - 0.4};
    append_range(c->body, 'x', &ax);
    append_range(c->body, 'y', &ay);
    const bool steep =
        (double)longest_name(&d->x_names) * d->px_char * (double)d->x_names.n > 0.8 * d->px_width;
    append_name_tics(c->body, "x", &d->x_names, steep ? "rotate by -35 left scale 0 " : "scale 0 ");
    append_tics(c->body, "y", &ay, d->px_height, 45);
    append_axis_label(c, "xlabel", d->panel->x_label, d->x, &ax);
    append_axis_label(c, "ylabel", d->panel->y_label, d->y, &ay);
    append_cluster_values(c, width, values);
    append_marks(c, false);
    append_key(c);
    bool first = true;
    for (size_t s = 0; s < n_series(d); s++) {
        if (!series_has_rows(d, s))
            continue;
        open_block(c, s);
        for (size_t i = 0; i < d->n; i++) {
            if (gs_drawn_group(d, d->rows[i]) != s)
                continue;
            number(c->data, gs_drawn_x(d, d->rows[i]) - 0.4 + ((double)s + 0.5) * width);
            number(c->data, gs_drawn_number(d, d->rows[i], d->y));
            number(c->data, width * 0.92);
            gs_buf_char(c->data, '\n');
        }
        close_block(c);
        append_separator(c, &first);
        gs_buf_format(c->body, "$gs%d_%zu using 1:2:3 with boxes fill solid 1 noborder lt %zu notitle",
                      c->number, s, s + 1);
        append_key_entry(c, s, "boxes fill solid 1 noborder");
    }
    gs_buf_char(c->body, '\n');
}

/* The cells of a heat map: a grid from (x0, y0) in steps. */
struct grid {
    double x0, y0, step_x, step_y;
    size_t n_x, n_y;
};

/* The smallest distance between two values that occur, by marking; 1 where there is one value. */
static double step_of(const struct gs_drawn *d, bool x, double lo, double hi)
{
    const double span = hi - lo;
    if (!(span >= 1) || span > 1e9)
        return 1;
    uint64_t step = 0;
    for (size_t i = 0; i < d->n; i++) {
        const double at = x ? gs_drawn_x(d, d->rows[i]) : gs_drawn_number(d, d->rows[i], d->y);
        uint64_t a = (uint64_t)(at - lo + 0.5);
        while (a != 0) { /* greatest common divisor of all distances from lo */
            const uint64_t t = step % a;
            step = a;
            a = t;
        }
    }
    return step == 0 ? 1 : (double)step;
}

static struct grid grid_of(const struct gs_drawn *d)
{
    struct grid g = {.x0 = d->ax.lo, .y0 = d->ay.lo};
    g.step_x = step_of(d, true, d->ax.lo, d->ax.hi);
    g.step_y = step_of(d, false, d->ay.lo, d->ay.hi);
    /* Too fine a grid for its extent is drawn with several rows of data to a cell. */
    while ((d->ax.hi - d->ax.lo) / g.step_x >= MAX_HEAT_SIDE)
        g.step_x *= 2;
    while ((d->ay.hi - d->ay.lo) / g.step_y >= MAX_HEAT_SIDE)
        g.step_y *= 2;
    g.n_x = (size_t)((d->ax.hi - d->ax.lo) / g.step_x + 0.5) + 1;
    g.n_y = (size_t)((d->ay.hi - d->ay.lo) / g.step_y + 0.5) + 1;
    return g;
}

static double cell_value(const struct gs_drawn *d, size_t row)
{
    if (d->values.n == 0)
        return gs_drawn_number(d, row, d->value);
    const uint32_t name = d->values.of_row[row];
    return name == GS_NO_NAME ? (double)NAN : (double)name;
}

/* Values printed in the cells, dark on light and light on dark. */
static void append_cell_values(const struct canvas *c, const struct gs_axis *range)
{
    const struct gs_drawn *const d = c->d;
    for (size_t i = 0; i < d->n && d->n <= MAX_VALUED_CELLS; i++) {
        const size_t row = d->rows[i];
        const double v = cell_value(d, row);
        if (!isfinite(v))
            continue;
        struct gs_buf text = {.arena = c->body->arena};
        gs_cell_for_people(&text, d->frame, row, (size_t)d->value);
        gs_buf_text(c->body, "set label ");
        gs_buf_gnuplot(c->body, gs_buf_str(&text));
        gs_buf_text(c->body, " at first ");
        gs_buf_number(c->body, gs_drawn_x(d, row));
        gs_buf_text(c->body, ", first ");
        gs_buf_number(c->body, gs_drawn_number(d, row, d->y));
        const bool bright = v > range->lo + 0.55 * (range->hi - range->lo);
        gs_buf_format(c->body, " center noenhanced front textcolor rgb '%s'\n",
                      bright ? "#000000" : "#ffffff");
    }
}

static void append_heat_palette(const struct canvas *c, const struct gs_axis *range)
{
    const struct gs_drawn *const d = c->d;
    enum { MAX_NAMED_COLOURS = 8 };
    /* gnuplot leaves no room for the label beside the tics. */
    struct gs_buf longest = {.arena = c->body->arena};
    gs_real_for_people(&longest, range->hi, range->hi - range->lo < 20 ? 1 : 0);
    const size_t tic_chars = d->values.n > 0 ? longest_name(&d->values) : longest.len;
    gs_buf_format(c->body, "set colorbox\nset rmargin %zu\n", (tic_chars > 20 ? 20 : tic_chars) + 5);
    if (d->values.n > 0 && d->values.n <= MAX_NAMED_COLOURS) {
        gs_buf_text(c->body, "set palette defined (");
        for (size_t i = 0; i < d->values.n; i++)
            gs_buf_format(c->body, "%s%zu gs_colour[%zu], %zu gs_colour[%zu]", i == 0 ? "" : ", ", i, i + 1,
                          i + 1, i + 1);
        gs_buf_format(c->body, ")\nset cbrange [-0.5:%zu.5]\n", d->values.n - 1);
        append_name_tics(c->body, "cb", &d->values, "");
        return;
    }
    /* cividis: read the same by every eye, and in grey. Source: Nuñez, Anderton, Renslow, PLOS ONE 2018. */
    gs_buf_text(c->body,
                "set palette defined (0 '#00224e', 1 '#123570', 2 '#3b496c', 3 '#575d6d', 4 '#707173', "
                "5 '#8a8678', 6 '#a59c74', 7 '#c3b369', 8 '#e1cc55', 9 '#fee838')\n");
    append_palette_range(c->body, range->lo, range->hi);
    struct gs_axis tics = *range;
    gs_axis_pad(&tics, 0, 0);
    append_tics(c->body, "cb", &tics, d->px_height, 50);
}

static enum gs_status fill_grid(const struct canvas *c, const struct grid *g, struct gs_axis *range)
{
    const struct gs_drawn *const d = c->d;
    struct gs_arena arena = {0};
    double *const cell = gs_arena_take_raw(&arena, g->n_x * g->n_y, sizeof *cell);
    if (cell == NULL)
        return GS_ERR_MEMORY;
    for (size_t i = 0; i < g->n_x * g->n_y; i++)
        cell[i] = (double)NAN;
    for (size_t i = 0; i < d->n; i++) {
        const size_t row = d->rows[i];
        const size_t x = (size_t)((gs_drawn_x(d, row) - g->x0) / g->step_x + 0.5);
        const size_t y = (size_t)((gs_drawn_number(d, row, d->y) - g->y0) / g->step_y + 0.5);
        cell[y * g->n_x + x] = cell_value(d, row);
        gs_axis_see(range, cell_value(d, row));
    }
    open_block(c, 0);
    for (size_t y = 0; y < g->n_y; y++) {
        for (size_t x = 0; x < g->n_x; x++)
            number(c->data, cell[y * g->n_x + x]);
        gs_buf_char(c->data, '\n');
    }
    close_block(c);
    gs_arena_release(&arena);
    return GS_OK;
}

static void append_heat(const struct canvas *c)
{
    const struct gs_drawn *const d = c->d;
    const struct grid g = grid_of(d);
    struct gs_axis range = gs_axis_empty(GS_AXIS_LINEAR);
    if (fill_grid(c, &g, &range) != GS_OK) {
        c->body->failed = true;
        return;
    }
    struct gs_axis ax = {
        .lo = g.x0 - g.step_x / 2, .hi = g.x0 + ((double)g.n_x - 0.5) * g.step_x, .whole = true};
    struct gs_axis ay = {
        .lo = g.y0 - g.step_y / 2, .hi = g.y0 + ((double)g.n_y - 0.5) * g.step_y, .whole = true};
    append_heat_palette(c, &range);
    append_range(c->body, 'x', &ax);
    append_range(c->body, 'y', &ay);
    if (d->panel->down)
        gs_buf_text(c->body, "set yrange [] reverse\n");
    if (g.n_x > 8 && g.n_y > 8)
        gs_buf_text(c->body, "set size ratio -1\n");
    if (d->x_names.n > 0)
        append_name_tics(c->body, "x", &d->x_names, "scale 0 ");
    else
        append_tics(c->body, "x", &ax, g.n_x < 6 ? (double)g.n_x * 80 : d->px_width, 80);
    append_tics(c->body, "y", &ay, g.n_y < 6 ? (double)g.n_y * 45 : d->px_height, 45);
    append_axis_label(c, "xlabel", d->panel->x_label, d->x, &ax);
    append_axis_label(c, "ylabel", d->panel->y_label, d->y, &ay);
    append_axis_label(c, "cblabel", NULL, d->value, &range);
    append_cell_values(c, &range);
    if (d->characters && d->n > MAX_VALUED_CELLS)
        gs_buf_text(c->body,
                    "set label 'a map this fine needs a picture' at graph 0.5, graph 0.5 center front\n");
    gs_buf_text(c->body, "unset grid\n");
    gs_buf_format(c->body, "plot $gs%d_0 matrix using (", c->number);
    number(c->body, g.x0);
    gs_buf_text(c->body, "+ $1 * ");
    number(c->body, g.step_x);
    gs_buf_text(c->body, "):(");
    number(c->body, g.y0);
    gs_buf_text(c->body, "+ $2 * ");
    number(c->body, g.step_y);
    gs_buf_text(c->body, "):3 with image notitle\n");
}

/* " s/W" */
static void append_slope_unit(struct gs_buf *b, const struct gs_drawn *d)
{
    const char *const x = d->frame->columns[d->x].spec->unit, *const y = d->frame->columns[d->y].spec->unit;
    if (x != NULL && y != NULL && x[0] != '\0' && y[0] != '\0')
        gs_buf_format(b, " %s/%s", y, x);
}

/* Title, and beneath it what the fit says. */
static void append_title(const struct canvas *c)
{
    const struct gs_drawn *const d = c->d;
    const struct gs_panel *const p = d->panel;
    struct gs_buf title = {.arena = c->body->arena}, fit = {.arena = c->body->arena};
    if (p->title != NULL)
        gs_buf_text(&title, p->title);
    if (d->facet.ptr != NULL) {
        gs_buf_text(&title, title.len > 0 ? ": " : "");
        gs_buf_bytes(&title, d->facet.ptr, d->facet.len);
    }
    if (has_fit(d)) {
        gs_buf_text(&fit, "r = ");
        gs_real_for_people(&fit, p->fit->r, 3);
        if (isfinite(p->fit->r_low) && isfinite(p->fit->r_high)) {
            gs_buf_text(&fit, " [");
            gs_real_for_people(&fit, p->fit->r_low, 3);
            gs_buf_text(&fit, ", ");
            gs_real_for_people(&fit, p->fit->r_high, 3);
            gs_buf_char(&fit, ']');
        }
        gs_buf_text(&fit, ", slope ");
        gs_real_for_people(&fit, p->fit->slope, 4);
        append_slope_unit(&fit, d);
        struct gs_buf n = {.arena = c->body->arena};
        gs_buf_text(&n, ", n = ");
        gs_real_for_people(&n, (double)p->fit->n, 0);
        /* The title's font is a little smaller than the tics'. */
        if ((double)(gs_text_width(gs_buf_str(&fit)) + n.len) * d->px_char * 0.92 < d->px_width)
            gs_buf_bytes(&fit, n.ptr, n.len);
    }
    if (title.len == 0 && fit.len == 0)
        return;
    gs_buf_text(c->body, "set title ");
    gs_buf_gnuplot(c->body, gs_buf_str(&title));
    if (fit.len > 0) {
        gs_buf_text(c->body, title.len > 0 ? ".\"\\n\"." : ".");
        gs_buf_gnuplot(c->body, gs_buf_str(&fit));
    }
    gs_buf_char(c->body, '\n');
}

static void append_no_data(const struct canvas *c)
{
    gs_buf_text(c->body, "set xrange [0:1]\nset yrange [0:1]\nunset xtics\nunset ytics\n"
                         "set label 'no data' at graph 0.5, graph 0.5 center textcolor rgb gs_dim\n"
                         "plot NaN notitle\n");
}

void gs_panel_append(const struct gs_drawn *d, int n, struct gs_buf *data, struct gs_buf *body)
{
    const struct canvas c = {d, n, data, body};
    if (d->characters)
        gs_buf_text(body, "unset grid\n"); /* dots all over, among characters */
    append_title(&c);
    if (d->n == 0 || isnan(d->ay.lo)) {
        append_no_data(&c);
        return;
    }
    switch (d->panel->kind) {
    case GS_PLOT_BARS:
        append_bars(&c);
        return;
    case GS_PLOT_SCATTER:
    case GS_PLOT_LINES:
    case GS_PLOT_POINTS_ERROR:
        append_points(&c);
        return;
    case GS_PLOT_HISTOGRAM_GROUPED:
        append_clusters(&c);
        return;
    case GS_PLOT_HEAT:
        append_heat(&c);
        return;
    }
}
