/* drawn_text.c - what is written in a picture: titles, names, values, labels of axes, what the mouse is told. */
#include <math.h>
#include <string.h>

#include "base/num/calendar.h"
#include "base/num/order.h"
#include "output/chart/figure.h"
#include "base/num/timestamp.h"
#include "output/text/cells.h"
#include "output/escape/escape.h"
#include "output/text/si.h"
#include "output/text/width.h"
#include "data/result/worker_name.h"

#define DATED_DAYS 2.5 /* from here on the tics of a time axis are dates */

static const char *unit_of(const struct gs_frame *f, int column)
{
    const char *const unit = f->columns[column].spec->unit;
    return gs_or_empty(unit);
}

/* "mean power (W)" of a column, in the unit of its axis; NULL: in its own. */
static void append_column_label(struct gs_buf *b, const struct gs_frame *f, int column,
                                const struct gs_axis *axis)
{
    if (column < 0)
        return;
    const struct gs_column_spec *const spec = f->columns[column].spec;
    const char *unit = unit_of(f, column);
    if (axis != NULL && gs_axis_is_scaled(axis))
        unit = axis->shown.unit;
    gs_buf_text(b, gs_column_title(spec));
    if (unit[0] != '\0')
        gs_buf_format(b, " (%s)", unit);
}

void gs_drawn_axis_label(const struct gs_drawn *d, struct gs_buf *b, const char *given, int column,
                         const struct gs_axis *axis)
{
    const char *unit = NULL;
    if (given != NULL)
        unit = strrchr(given, '(');
    if (axis->unit != NULL && column >= 0) { /* its tics have units */
        struct gs_str text = gs_str(gs_column_title(d->frame->columns[column].spec));
        if (given != NULL)
            text = gs_str(given);
        if (unit != NULL)
            text.len = (size_t)(unit - given);
        if (text.len > 0 && text.ptr[text.len - 1] == ' ')
            text.len--;
        gs_buf_bytes(b, text.ptr, text.len);
    } else if (given == NULL || column < 0) {
        append_column_label(b, d->frame, column, axis);
    } else if (gs_axis_is_scaled(axis) &&
               unit != NULL) { /* the figure's own label is for the unit itself */
        const char *const end = strchr(unit, ')');
        gs_buf_format(b, "%.*s(%s)", (int)(unit - given), given, axis->shown.unit);
        if (end != NULL)
            gs_buf_text(b, end + 1);
    } else {
        gs_buf_text(b, given);
    }
    const double dated_s = (double)(GS_TIME_DATED_NS / GS_NS_PER_S);
    if (given == NULL && axis->kind == GS_AXIS_TIME && axis->lo >= dated_s && axis->lo < 9e9) {
        const double days = (axis->hi - axis->lo) / 86400, edge = 0.02 * (axis->hi - axis->lo);
        const struct gs_zone zone = {.offset_s = axis->offset_s};
        char day[GS_LOCAL_TEXT_MAX];
        (void)gs_time_format_local(day, &zone, (int64_t)(axis->lo + edge) * GS_NS_PER_S,
                                   GS_LOCAL_FULL);
        const int year = gs_axis_year(axis);
        gs_buf_format(b, " (%s", gs_local_offset(day));
        if (days < DATED_DAYS)
            gs_buf_format(b, ", %.10s", day);
        else if (year != 0) /* its tics are days of it */
            gs_buf_format(b, ", %d", year);
        gs_buf_char(b, ')');
    }
}

/* A bare number does not say what it counts: "GPU 0", "level 8". */
void gs_drawn_name(const struct gs_drawn *d, int column, struct gs_str name, struct gs_buf *b)
{
    const struct gs_column_spec *const spec = d->frame->columns[column].spec;
    bool bare = name.len > 0;
    for (size_t i = 0; i < name.len && spec->type == GS_TYPE_TEXT; i++)
        bare &= gs_is_digit(name.ptr[i]);
    if (bare && spec->label != NULL && spec->label[0] != '\0') {
        append_column_label(b, d->frame, column, NULL);
        gs_buf_char(b, ' ');
    }
    gs_buf_bytes(b, name.ptr, name.len);
}

void gs_drawn_row_name(const struct gs_drawn *d, size_t row, struct gs_buf *b)
{
    struct gs_buf cell = {.arena = b->arena};
    if (d->frame->columns[d->x].spec->id == GS_COL_HOSTNAME)
        gs_buf_add(&cell, gs_worker_name(gs_frame_worker(d->frame, row), b->arena));
    else
        gs_cell_for_people(&cell, d->frame, row, (size_t)d->x);
    b->failed |= cell.failed;
    /* the axis says what they are */
    if (d->panel->x_label != NULL || d->frame->columns[d->x].spec->type != GS_TYPE_TEXT)
        gs_buf_bytes(b, cell.ptr, cell.len);
    else
        gs_drawn_name(d, d->x, gs_buf_str(&cell), b);
}

void gs_panel_title(struct gs_buf *b, const struct gs_drawn *d)
{
    if (d->panel->title != NULL)
        gs_buf_text(b, d->panel->title);
    if (d->facet.ptr != NULL) {
        gs_buf_text_if(b, b->len > 0, ": ");
        gs_drawn_name(d, gs_frame_column(d->frame, d->panel->facet), d->facet_title, b);
    }
    gs_drawn_note_thinned(d, b);
}

void gs_drawn_value_text(const struct gs_drawn *d, size_t row, struct gs_buf *b)
{
    if (d->ay.unit != NULL) { /* of an axis of many decades */
        gs_buf_si(b, gs_drawn_number(d, row, d->y), d->ay.unit,
                  d->frame->columns[d->y].spec->decimals);
        return;
    }
    gs_drawn_number_text(d, gs_drawn_number(d, row, d->y), b);
    if (gs_axis_is_scaled(&d->ay))
        gs_buf_format(b, " %s", d->ay.shown.unit);
}

void gs_drawn_number_text(const struct gs_drawn *d, double value, struct gs_buf *b)
{
    const struct gs_column_spec *const spec = d->frame->columns[d->y].spec;
    const double factor = gs_axis_factor(&d->ay);
    int decimals = spec->decimals;
    if (gs_unit_takes_four(spec->unit, factor))
        decimals = gs_decimals_of_four(d->ay.hi / factor);
    gs_real_for_people(b, value / factor, decimals);
}

void gs_drawn_label_text(const struct gs_drawn *d, size_t row, struct gs_buf *b)
{
    int label = -1;
    if (d->label >= 0)
        label = d->label;
    else if (gs_drawn_is_thin(d, row))
        label = d->count;
    if (label < 0)
        return;
    gs_buf_text(b, " (");
    if (label == d->count)
        gs_buf_text(b, "n = ");
    else if (d->frame->columns[label].spec->type != GS_TYPE_TEXT)
        gs_buf_format(b, "%s = ", d->frame->columns[label].spec->name);
    gs_cell_for_people(b, d->frame, row, (size_t)label);
    gs_buf_char(b, ')');
}

/* "power 95.42 W" of a cell. */
static void append_named(struct gs_buf *b, const struct gs_drawn *d, size_t row, int column)
{
    const struct gs_column_spec *const spec = d->frame->columns[column].spec;
    gs_buf_text_if(b, b->len > 0, ", ");
    gs_buf_format(b, "%s ", gs_column_title(spec));
    if (spec->type == GS_TYPE_REAL && !gs_frame_is_missing(d->frame, row, (size_t)column)) {
        gs_buf_si(b, d->frame->columns[column].real[row], spec->unit, spec->decimals);
        return;
    }
    gs_cell_for_people(b, d->frame, row, (size_t)column);
    if (unit_of(d->frame, column)[0] != '\0')
        gs_buf_format(b, " %s", spec->unit);
}

/* Escaped for XML here, because the text goes into the SVG as it is. */
void gs_drawn_hover(const struct gs_drawn *d, size_t row, struct gs_buf *b)
{
    struct gs_buf text = {.arena = b->arena};
    /* What the row is: its first column, which is its key, where the axes do not say it. */
    const int shown[] = {0,       d->x,          d->x_end, d->y,     d->low,
                         d->high, d->cumulative, d->group, d->label, d->count};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        bool again = shown[i] < 0;
        for (size_t k = 0; k < i; k++)
            again |= shown[k] == shown[i];
        if (!again)
            append_named(&text, d, row, shown[i]);
    }
    b->failed |= text.failed;
    gs_buf_html(b, gs_buf_str(&text));
}

/* Pixels that names side by side need of each other, aslant and upright. */
enum { ASLANT_PX = 22, UPRIGHT_PX = 13 };

enum gs_slant gs_drawn_slant(const struct gs_drawn *d)
{
    const double slot = 0.8 * d->px_width / (double)gs_max(1, d->x_names.n);
    if ((double)gs_names_longest(&d->x_names) * d->px_char <= slot)
        return GS_SLANT_NONE;
    return slot < ASLANT_PX ? GS_SLANT_UPRIGHT : GS_SLANT_ASLANT;
}

size_t gs_drawn_names_apart(const struct gs_drawn *d)
{
    const double slot = 0.8 * d->px_width / (double)gs_max(1, d->x_names.n);
    return (size_t)ceil(UPRIGHT_PX / fmin(fmax(slot, 0.01), UPRIGHT_PX));
}

/*
 * An estimate from the number of letters: gnuplot lays out the key itself and does not report
 * its size. One line too many costs a little room; one too few would cover the plot.
 */
size_t gs_drawn_key_lines(const struct gs_drawn *d)
{
    enum { SAMPLE_CHARS = 6 }; /* what stands before a name, and the gap behind it */
    size_t n = d->panel->identity, longest = 5;
    for (size_t g = 0; g < d->groups.n; g++) {
        GS_OWN struct gs_arena arena = {0};
        struct gs_buf name = {.arena = &arena};
        if (gs_drawn_has_group(d, g)) {
            gs_drawn_name(d, d->group, d->groups.name[g], &name);
            const size_t width = gs_text_width(gs_buf_str(&name));
            longest = gs_max(width, longest);
            n++;
        }
    }
    const double columns =
        floor(d->px_width / ((double)(longest + SAMPLE_CHARS) * d->px_char * 0.85));
    return gs_max((size_t)ceil((double)n / fmax(columns, 1)), 1);
}
