/* figure.c - from a panel's description to rows, names and axes. */
#include "output/chart/figure.h"

#include <math.h>
#include <string.h>

#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "output/chart/colours.h"
#include "output/text/si.h"
#include "base/num/whole.h"

static double number_at(const struct gs_frame *f, size_t row, int column)
{
    const struct gs_column *const c = &f->columns[column];
    if (gs_frame_is_missing(f, row, (size_t)column))
        return (double)NAN;
    switch (c->spec->type) {
    case GS_TYPE_REAL:
        return c->real[row];
    case GS_TYPE_INT:
        return (double)c->integer[row];
    case GS_TYPE_TIME:
        return (double)c->integer[row] / 1e9;
    case GS_TYPE_TEXT:
        break;
    }
    return (double)NAN;
}

double gs_drawn_number(const struct gs_drawn *d, size_t row, int column)
{
    if (column < 0)
        return (double)NAN;
    return number_at(d->frame, row, column);
}

/* A cell by the number of its name, where it has names. */
static double place_at(const struct gs_drawn *d, size_t row, int column,
                       const struct gs_names *names)
{
    if (names->n == 0)
        return gs_drawn_number(d, row, column);
    const uint32_t name = names->of_row[row];
    return name == GS_NO_NAME ? (double)NAN : (double)name;
}

double gs_drawn_x(const struct gs_drawn *d, size_t row)
{
    return place_at(d, row, d->x, &d->x_names);
}

double gs_drawn_y(const struct gs_drawn *d, size_t row)
{
    return place_at(d, row, d->y, &d->y_names);
}

double gs_drawn_value(const struct gs_drawn *d, size_t row)
{
    return place_at(d, row, d->value, &d->values);
}

double gs_drawn_end(const struct gs_drawn *d, size_t row)
{
    const double y = gs_drawn_number(d, row, d->y),
                 end = gs_drawn_number(d, row, y < 0 ? d->low : d->high);
    if (!isfinite(end))
        return y;
    return y < 0 ? fmin(y, end) : fmax(y, end);
}

bool gs_drawn_bars_are_keyed(const struct gs_drawn *d)
{
    return d->panel->kind == GS_PLOT_BARS && d->group != d->x && d->groups.n > 1;
}

/* Cells of time may be shorter than a second. */
static double step_of_times(const struct gs_drawn *d, int column)
{
    const int64_t *const t = d->frame->columns[column].integer;
    uint64_t step = 0;
    for (size_t i = 1; i < d->n; i++) {
        const int64_t a = t[d->rows[i - 1]], b = t[d->rows[i]];
        step = gs_gcd(step, (uint64_t)gs_max(a, b) - (uint64_t)gs_min(a, b));
    }
    return step == 0 ? 1 : (double)step / 1e9;
}

static const struct gs_axis *axis_of(const struct gs_drawn *d, bool x)
{
    return x ? &d->ax : &d->ay;
}

double gs_drawn_step(const struct gs_drawn *d, bool x)
{
    const struct gs_axis *const a = axis_of(d, x);
    if (a->kind == GS_AXIS_TIME)
        return step_of_times(d, x ? d->x : d->y);
    const double span = a->hi - a->lo;
    if (!(span >= 1) || span > 1e9)
        return 1;
    uint64_t step = 0;
    for (size_t i = 0; i < d->n; i++) {
        const double at = x ? gs_drawn_x(d, d->rows[i]) : gs_drawn_y(d, d->rows[i]);
        step = gs_gcd(step, (uint64_t)(at - a->lo + 0.5));
    }
    return (double)gs_max(step, 1);
}

double gs_drawn_cells(const struct gs_drawn *d, bool x)
{
    const struct gs_axis *const a = axis_of(d, x);
    if (isnan(a->lo))
        return 1;
    return (a->hi - a->lo) / gs_drawn_step(d, x) + 1;
}

size_t gs_drawn_group(const struct gs_drawn *d, size_t row)
{
    /* Bars are named beside them; of more names than colours, equal ones would mean nothing. */
    const bool repeats = d->panel->kind == GS_PLOT_BARS && d->group == d->x && d->n > GS_GREY;
    if (repeats || d->groups.n == 0 || d->groups.of_row[row] == GS_NO_NAME)
        return 0;
    return d->groups.of_row[row];
}

bool gs_drawn_has_group(const struct gs_drawn *d, size_t group)
{
    for (size_t i = 0; i < d->n; i++) {
        const size_t row = d->rows[i];
        const bool seen = d->panel->kind != GS_PLOT_SPANS ||
                          gs_drawn_number(d, row, d->x_end) > gs_drawn_x(d, row);
        if (seen && gs_drawn_group(d, row) == group)
            return true;
    }
    return false;
}

bool gs_drawn_is_empty(const struct gs_drawn *d)
{
    bool any = false;
    for (size_t i = 0; i < d->n && !any; i++)
        any = isfinite(gs_drawn_y(d, d->rows[i]));
    return !any || isnan(d->ay.lo);
}

size_t gs_drawn_n_series(const struct gs_drawn *d)
{
    return gs_max(d->groups.n, 1);
}

size_t gs_drawn_series_start(const struct gs_drawn *d, size_t series)
{
    return series == 0 ? 0 : d->series_end[series - 1];
}

bool gs_drawn_has_fit(const struct gs_drawn *d)
{
    const struct gs_fit *const fit = d->panel->fit;
    return d->panel->line && fit != NULL && isfinite(fit->slope) && isfinite(fit->intercept);
}

bool gs_drawn_is_thin(const struct gs_drawn *d, size_t row)
{
    const double n = gs_drawn_number(d, row, d->count), of = gs_drawn_number(d, row, d->of);
    return n < GS_BAR_FEW || n < 0.05 * of; /* false where either is not known */
}

static bool is_text(const struct gs_frame *f, int column)
{
    return column >= 0 && f->columns[column].spec->type == GS_TYPE_TEXT;
}

/* A number that names something: shades between two of them would mean nothing. */
static bool is_code(const struct gs_frame *f, int column)
{
    return column >= 0 && f->columns[column].spec->type == GS_TYPE_INT &&
           f->columns[column].spec->is_id;
}

static enum gs_status find(const struct gs_frame *f, enum gs_column_id id, int *column,
                           struct gs_err *err)
{
    *column = gs_frame_column(f, id);
    if (id != GS_COL_NONE && *column < 0)
        return gs_fail(err, GS_ERR_INTERNAL, "frame %s has no column '%s' to draw", f->name,
                       id < GS_N_COLUMNS ? gs_column(id)->name : "of another frame");
    return GS_OK;
}

static enum gs_status find_columns(struct gs_drawn *d, struct gs_err *err)
{
    const struct gs_panel *const p = d->panel;
    const struct {
        enum gs_column_id id;
        int *column;
    } wanted[] = {
        {p->x, &d->x},
        {p->y, &d->y},
        {p->value, &d->value},
        {p->group, &d->group},
        {p->label, &d->label},
        {p->smooth, &d->smooth},
        {p->x_error, &d->x_error},
        {p->y_error, &d->y_error},
        {p->low, &d->low},
        {p->high, &d->high},
        {p->count, &d->count},
        {p->of, &d->of},
        {p->x_end, &d->x_end},
        {p->cumulative, &d->cumulative},
        {p->box[0], &d->box[0]},
        {p->box[1], &d->box[1]},
        {p->box[2], &d->box[2]},
        {p->box[3], &d->box[3]},
        {p->box[4], &d->box[4]},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        GS_TRY(find(d->frame, wanted[i].id, wanted[i].column, err));
    if (d->x < 0 || d->y < 0 || (p->kind == GS_PLOT_HEAT && d->value < 0))
        return gs_fail(err, GS_ERR_INTERNAL, "frame %s: a panel lacks its x, y or value",
                       d->frame->name);
    return GS_OK;
}

static bool cell_is(const struct gs_frame *f, size_t row, enum gs_column_id column,
                    struct gs_str value)
{
    const int c = gs_frame_column(f, column);
    if (c < 0 || gs_frame_is_missing(f, row, (size_t)c))
        return false;
    if (f->columns[c].spec->type == GS_TYPE_TEXT)
        return gs_str_eq(f->columns[c].text[row], value);
    char room[GS_REAL_TEXT_MAX];
    return gs_str_eq(gs_frame_cell(f, row, (size_t)c, room), value);
}

/* Is the row left to other panels of the figure? */
static bool is_of_others(const struct gs_drawn *d, size_t row)
{
    const struct gs_panel *const p = d->panel;
    return p->only_column != GS_COL_NONE &&
           !cell_is(d->frame, row, p->only_column, gs_str(p->only_value));
}

/* Colours that do not depend on what row is first. */
static enum gs_status order_groups(struct gs_drawn *d, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_frame *const f = d->frame;
    if (d->panel->order != NULL)
        return gs_names_begin_with(&d->groups, f->n_rows, d->panel->order, arena, err);
    if (!d->panel->by_name)
        return GS_OK;
    GS_NEW(bool, here, d->groups.n, arena, err);
    for (size_t r = 0; r < f->n_rows; r++)
        if (d->groups.of_row[r] != GS_NO_NAME && !is_of_others(d, r))
            here[d->groups.of_row[r]] = true;
    return gs_names_by_text(&d->groups, f->n_rows, here, arena, err);
}

/* What the colours of a map stand for, where they are not numbers. */
static enum gs_status name_values(struct gs_drawn *d, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_frame *const f = d->frame;
    const bool text = is_text(f, d->value), code = is_code(f, d->value);
    if (text || code)
        GS_TRY(gs_names_of(&d->values, f, (size_t)d->value, arena, err));
    const bool many = d->values.n > GS_HEAT_MAX_COLOURS;
    if (many && text)
        return gs_names_store(&d->values, f->n_rows, &d->has_others, arena, err);
    if (code && !many)
        return gs_names_order(&d->values, f, (size_t)d->value, arena, err);
    if (code) /* too many to be told apart: shades in their order */
        d->values = (struct gs_names){0};
    return GS_OK;
}

static enum gs_status find_names(struct gs_drawn *d, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_frame *const f = d->frame;
    const enum gs_plot_kind kind = d->panel->kind;
    /* each by its own cell */
    const bool rows_are_named = kind == GS_PLOT_BARS || kind == GS_PLOT_BOX;
    if ((is_text(f, d->x) && !rows_are_named) || kind == GS_PLOT_HISTOGRAM_GROUPED)
        GS_TRY(gs_names_of(&d->x_names, f, (size_t)d->x, arena, err));
    if (is_text(f, d->y))
        GS_TRY(gs_names_of(&d->y_names, f, (size_t)d->y, arena, err));
    if (d->group >= 0)
        GS_TRY(gs_names_of(&d->groups, f, (size_t)d->group, arena, err));
    if (d->group >= 0 && f->columns[d->group].spec->type == GS_TYPE_INT)
        GS_TRY(gs_names_order(&d->groups, f, (size_t)d->group, arena, err));
    if (is_text(f, d->group))
        GS_TRY(order_groups(d, arena, err));
    if (kind == GS_PLOT_HEAT)
        GS_TRY(name_values(d, arena, err));
    return GS_OK;
}

static bool is_drawn(const struct gs_drawn *d, const struct gs_facet *facet, size_t row)
{
    const struct gs_panel *const p = d->panel;
    if (is_of_others(d, row))
        return false;
    if (facet != NULL && facet->names->of_row[row] != facet->which)
        return false;
    /* Bars are named by any cell; all else needs a place on both axes. A line is broken where y is missing.
     */
    const bool named = p->kind == GS_PLOT_BARS || p->kind == GS_PLOT_BOX;
    const double x = gs_drawn_x(d, row), y = gs_drawn_y(d, row);
    if (!named && (!isfinite(x) || (d->ax.kind == GS_AXIS_LOG && x <= 0)))
        return false;
    return p->kind == GS_PLOT_LINES || (isfinite(y) && (d->ay.kind != GS_AXIS_LOG || y > 0));
}

/* Stable, so that equal bars keep the frame's order. Bottom-up merge: C11 has no sort with a context. */
static void sort_by_y(const struct gs_drawn *d, size_t *rows, size_t *spare)
{
    for (size_t width = 1; width < d->n; width *= 2) {
        for (size_t lo = 0; lo < d->n; lo += 2 * width) {
            const size_t mid = gs_min(lo + width, d->n), hi = gs_min(mid + width, d->n);
            size_t i = lo, j = mid;
            for (size_t k = lo; k < hi; k++)
                if (j >= hi || (i < mid && gs_drawn_number(d, rows[i], d->y) >=
                                               gs_drawn_number(d, rows[j], d->y)))
                    spare[k] = rows[i++];
                else
                    spare[k] = rows[j++];
        }
        memcpy(rows, spare, d->n * sizeof *rows);
    }
}

/* Counting sort by group, so that each series is found without looking at the others. Bars have none. */
static enum gs_status gather_series(struct gs_drawn *d, size_t *spare, struct gs_arena *arena,
                                    struct gs_err *err)
{
    const size_t n_series = gs_drawn_n_series(d);
    GS_TAKE(d->series_end, n_series, arena, err);
    if (d->groups.n == 0 || d->panel->kind == GS_PLOT_BARS) {
        d->series_end[n_series - 1] = d->n;
        return GS_OK;
    }
    for (size_t i = 0; i < d->n; i++)
        d->series_end[gs_drawn_group(d, d->rows[i])]++;
    for (size_t s = 1; s < n_series; s++)
        d->series_end[s] += d->series_end[s - 1];
    for (size_t i = d->n; i-- > 0;)
        spare[--d->series_end[gs_drawn_group(d, d->rows[i])]] = d->rows[i];
    memcpy(d->rows, spare, d->n * sizeof *spare);
    /* Each entry now holds its series' start, which is the end of the one before. */
    for (size_t s = 0; s + 1 < n_series; s++)
        d->series_end[s] = d->series_end[s + 1];
    d->series_end[n_series - 1] = d->n;
    return GS_OK;
}

static enum gs_status choose_rows(struct gs_drawn *d, const struct gs_facet *facet,
                                  struct gs_arena *arena, struct gs_err *err)
{
    GS_NEW_RAW(size_t, spare, d->frame->n_rows, arena, err);
    GS_TAKE_RAW(d->rows, d->frame->n_rows, arena, err);
    for (size_t r = 0; r < d->frame->n_rows; r++)
        if (is_drawn(d, facet, r))
            d->rows[d->n++] = r;
    if (d->panel->largest_first)
        sort_by_y(d, d->rows, spare);
    return gather_series(d, spare, arena, err);
}

static void measure(struct gs_drawn *d)
{
    const struct gs_panel *const p = d->panel;
    for (size_t i = 0; i < d->n; i++) {
        const size_t row = d->rows[i];
        const double x = gs_drawn_x(d, row), y = gs_drawn_y(d, row);
        if (p->far_column != GS_COL_NONE &&
            cell_is(d->frame, row, p->far_column, gs_str(p->far_value))) {
            gs_axis_see(&d->ax, x);
            continue;
        }
        const double dx = gs_drawn_number(d, row, d->x_error),
                     dy = gs_drawn_number(d, row, d->y_error);
        gs_axis_see(&d->ax, x);
        gs_axis_see(&d->ay, y);
        gs_axis_see(&d->ax, x - dx);
        gs_axis_see(&d->ax, x + dx);
        gs_axis_see(&d->ay, y - dy);
        gs_axis_see(&d->ay, y + dy);
        gs_axis_see(&d->ay, gs_drawn_number(d, row, d->smooth));
        gs_axis_see(&d->ay, gs_drawn_number(d, row, d->low));
        gs_axis_see(&d->ay, gs_drawn_number(d, row, d->high));
        gs_axis_see(&d->ax, gs_drawn_number(d, row, d->x_end));
        for (size_t k = 0; k < GS_BOX_COLUMNS; k++)
            gs_axis_see(&d->ay, gs_drawn_number(d, row, d->box[k]));
    }
    const bool bars = p->kind == GS_PLOT_BARS || p->kind == GS_PLOT_HISTOGRAM_GROUPED ||
                      p->kind == GS_PLOT_HISTOGRAM;
    if ((p->from_zero || bars) && d->ay.kind == GS_AXIS_LINEAR)
        gs_axis_see(&d->ay, 0);
    /* all are 0: upwards, not around it */
    if (bars && d->ay.kind == GS_AXIS_LINEAR && !(d->ay.hi - d->ay.lo > 0))
        gs_axis_see(&d->ay, 1);
    for (size_t i = 0; i < p->n_marks; i++)
        if (!p->marks[i].loose && p->marks[i].kind != GS_MARK_BAND &&
            (p->marks[i].facet == NULL || gs_str_eq(gs_str(p->marks[i].facet), d->facet)))
            gs_axis_see(p->marks[i].kind == GS_MARK_X ? &d->ax : &d->ay, p->marks[i].at);
}

void gs_drawn_factor(const struct gs_drawn *d, struct gs_axis *a, int column)
{
    if (a->kind != GS_AXIS_TIME && !isnan(a->lo))
        a->shown = gs_si_of(d->frame->columns[column].spec->unit, fmax(fabs(a->lo), fabs(a->hi)));
}

/* Over many decades no one multiple of the unit suits: each tic has its own. */
static void label_decades(const struct gs_drawn *d, struct gs_axis *a, int column)
{
    const double many = 1e3, huge = 1e15;
    const char *const unit = d->frame->columns[column].spec->unit;
    if (a->kind == GS_AXIS_LOG && a->hi / a->lo >= many && gs_si_of_decade(unit, huge).factor > 1)
        a->unit = unit;
}

static enum gs_axis_kind kind_of_axis(const struct gs_frame *f, int column, bool logarithmic)
{
    if (f->columns[column].spec->type == GS_TYPE_TIME)
        return GS_AXIS_TIME;
    return logarithmic ? GS_AXIS_LOG : GS_AXIS_LINEAR;
}

enum gs_status gs_drawn_open(struct gs_drawn *d, const struct gs_frame *f,
                             const struct gs_panel *panel, const struct gs_facet *facet,
                             const struct gs_draw_options *options, struct gs_arena *arena,
                             struct gs_err *err)
{
    *d = (struct gs_drawn){.frame = f, .panel = panel};
    if (facet != NULL) {
        d->facet = facet->names->name[facet->which];
        d->facet_title = facet->names->name[facet->which];
    }
    GS_TRY(find_columns(d, err));
    GS_TRY(find_names(d, arena, err));
    const bool log_y = panel->log_y || (panel->may_log && options->log_scale);
    d->ax = gs_axis_empty(kind_of_axis(f, d->x, panel->log_x && d->x_names.n == 0));
    d->ay = gs_axis_empty(kind_of_axis(f, d->y, log_y && panel->kind != GS_PLOT_HEAT));
    d->ax.whole = f->columns[d->x].spec->type == GS_TYPE_INT;
    d->ay.whole = f->columns[d->y].spec->type == GS_TYPE_INT;
    GS_TRY(choose_rows(d, facet, arena, err));
    measure(d);
    if (isnan(d->ay.lo)) /* all of them are far */
        for (size_t i = 0; i < d->n; i++)
            gs_axis_see(&d->ay, gs_drawn_y(d, d->rows[i]));
    if (d->ax.kind == GS_AXIS_TIME && options->zone != NULL &&
        d->ax.lo >= (double)(GS_TIME_DATED_NS / GS_NS_PER_S) && d->ax.lo < 9e9)
        d->ax.offset_s = gs_zone_offset_at(options->zone, (int64_t)d->ax.lo);
    gs_drawn_factor(d, &d->ax, d->x);
    gs_drawn_factor(d, &d->ay, d->y);
    label_decades(d, &d->ax, d->x);
    label_decades(d, &d->ay, d->y);
    return GS_OK;
}
