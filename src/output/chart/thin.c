/* thin.c - what a picture cannot show is left out: points on points, bars beyond a page. */
#include <math.h>
#include <string.h>

#include "output/chart/figure.h"
#include "output/text/cells.h"
#include "output/text/si.h"
#include "base/num/order.h"

enum {
    /* beyond, one point for each place of the grid and each group: a page holds dozens of panels */
    POINTS_MAX = 4000,
    GRID_X = 180,
    GRID_Y = 120,
    COLUMNS = 360, /* of a line */
    GROUPS_MAX = 16,
    LINE_MAX = 4096, /* of a series; beyond, the extremes in each column of the grid */
    BARS_MAX = 40,
};

/* The test is written so that NaN falls into place 0 and never becomes an index. */
static size_t place_of(const struct gs_axis *a, double value, size_t n)
{
    const double share = gs_axis_share(a, value);
    if (!(share > 0))
        return 0;
    if (share >= 1)
        return n - 1;
    return (size_t)(share * (double)n);
}

/*
 * The first point of each place stays, in its order. One grid for each group, so that a point
 * of one group does not hide one of another. Beyond GROUPS_MAX groups share grids, which bounds
 * the memory.
 */
static enum gs_status thin_points(struct gs_drawn *d, struct gs_arena *scratch, struct gs_err *err)
{
    const size_t n_places = (size_t)GRID_X * GRID_Y, n_series = gs_drawn_n_series(d);
    GS_NEW(unsigned char, seen, n_places *GROUPS_MAX, scratch, err);
    size_t kept = 0, begin = 0;
    for (size_t s = 0; s < n_series; s++) {
        const size_t end = d->series_end[s];
        for (size_t i = begin; i < end; i++) {
            const size_t row = d->rows[i];
            const size_t at =
                (s % GROUPS_MAX * GRID_Y + place_of(&d->ay, gs_drawn_y(d, row), GRID_Y)) * GRID_X +
                place_of(&d->ax, gs_drawn_x(d, row), GRID_X);
            if (seen[at] == 0)
                d->rows[kept++] = row;
            seen[at] = 1;
        }
        begin = end;
        d->series_end[s] = kept;
    }
    d->n = kept;
    return GS_OK;
}

/*
 * Of a run of rows in one column the first, the least, the greatest and the last stay, in their
 * order. `out` may be the same array as `rows`, because at most as many rows are written as
 * were read. The extremes keep every peak visible, and the ends keep the line connected to its
 * neighbours.
 */
static size_t store_extremes(const struct gs_drawn *d, const size_t *rows, size_t n, size_t *out)
{
    size_t least = 0, greatest = 0, k = 0;
    for (size_t i = 1; i < n; i++) {
        const double y = gs_drawn_y(d, rows[i]);
        if (y < gs_drawn_y(d, rows[least]))
            least = i;
        if (y > gs_drawn_y(d, rows[greatest]))
            greatest = i;
    }
    for (size_t i = 0; i < n; i++)
        if (i == 0 || i == least || i == greatest || i == n - 1)
            out[k++] = rows[i];
    return k;
}

/* Rows of a line are in the order of x, mostly: a column ends where the next row lies in another. */
static void thin_lines(struct gs_drawn *d)
{
    size_t kept = 0, begin = 0;
    for (size_t s = 0; s < gs_drawn_n_series(d); s++) {
        const size_t end = d->series_end[s];
        for (size_t i = begin, next; i < end; i = next) {
            const size_t column = place_of(&d->ax, gs_drawn_x(d, d->rows[i]), COLUMNS);
            const bool many = end - begin > LINE_MAX;
            for (next = i + 1; many && next < end; next++)
                if (place_of(&d->ax, gs_drawn_x(d, d->rows[next]), COLUMNS) != column)
                    break;
            kept += store_extremes(d, &d->rows[i], next - i, &d->rows[kept]);
        }
        begin = end;
        d->series_end[s] = kept;
    }
    d->n = kept;
}

GS_COMPARES(compare_down, double, GS_DIFFER(gs_cmp(*y, *x)););

/* The size from which on at most `most` of n values are; what equals it fills up, first come. */
static enum gs_status threshold_of(const double *value, size_t n, size_t most,
                                   struct gs_arena *scratch, double *threshold, size_t *equal,
                                   struct gs_err *err)
{
    GS_NEW_RAW(double, sorted, n, scratch, err);
    memcpy(sorted, value, n * sizeof *sorted);
    GS_SORT(sorted, n, compare_down);
    *threshold = sorted[most - 1];
    for (*equal = 0; *equal < most && sorted[most - 1 - *equal] <= *threshold; ++*equal)
        ;
    return GS_OK;
}

/*
 * Few rows, the largest first; equal ones keep their order. Insertion is enough: there are at
 * most BARS_MAX rows.
 */
static void sort_down(const struct gs_drawn *d, size_t *rows, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const size_t row = rows[i];
        size_t k = i;
        for (; k > 0 && gs_drawn_y(d, rows[k - 1]) < gs_drawn_y(d, row); k--)
            rows[k] = rows[k - 1];
        rows[k] = row;
    }
}

/* What is left out for its size leaves the rest in the order of size: any other would look like one. */
static enum gs_status cut_bars(struct gs_drawn *d, struct gs_arena *scratch, struct gs_err *err)
{
    double *const size = gs_arena_take_raw(scratch, d->n, sizeof *size), threshold = 0;
    size_t equal = 0, kept = 0;
    GS_TRY(gs_had_memory(size != NULL, err));
    for (size_t i = 0; i < d->n; i++)
        size[i] = fabs(gs_drawn_y(d, d->rows[i]));
    GS_TRY(threshold_of(size, d->n, BARS_MAX, scratch, &threshold, &equal, err));
    for (size_t i = 0; i < d->n; i++)
        if (size[i] > threshold || (size[i] >= threshold && equal > 0 && equal-- > 0))
            d->rows[kept++] = d->rows[i];
    if (!d->panel->largest_first)
        sort_down(d, d->rows, kept);
    d->n = kept;
    d->series_end[gs_drawn_n_series(d) - 1] = kept;
    return GS_OK;
}

/* Of clusters those stay that have the largest bar; their names are numbered anew, in the order of its size. */
static enum gs_status cut_clusters(struct gs_drawn *d, struct gs_arena *scratch,
                                   struct gs_arena *arena, struct gs_err *err)
{
    const size_t n = d->x_names.n;
    double *const size = gs_arena_take(scratch, n, sizeof *size), threshold = 0;
    GS_NEW_RAW(uint32_t, number, n, scratch, err);
    GS_NEW(struct gs_str, name, BARS_MAX, arena, err);
    size_t equal = 0, kept = 0, begin = 0;
    GS_TRY(gs_had_memory(size != NULL, err));
    for (size_t i = 0; i < d->n; i++) {
        double *const of = &size[d->x_names.of_row[d->rows[i]]];
        *of = fmax(*of, fabs(gs_drawn_y(d, d->rows[i])));
    }
    GS_TRY(threshold_of(size, n, BARS_MAX, scratch, &threshold, &equal, err));
    size_t stays[BARS_MAX] = {0};
    for (size_t k = 0; k < n; k++) {
        number[k] = GS_NO_NAME;
        if (!(size[k] > threshold) && !(size[k] >= threshold && equal > 0 && equal-- > 0))
            continue;
        size_t at = kept++;
        for (; at > 0 && size[stays[at - 1]] < size[k]; at--)
            stays[at] = stays[at - 1];
        stays[at] = k;
    }
    for (size_t i = 0; i < kept; i++) {
        name[i] = d->x_names.name[stays[i]];
        number[stays[i]] = (uint32_t)i;
    }
    d->x_names.name = name;
    d->x_names.n = kept;
    kept = 0;
    for (size_t k = 0; k < gs_drawn_n_series(d); k++) {
        const size_t end = d->series_end[k];
        for (size_t i = begin; i < end; i++) {
            uint32_t *const of_row = &d->x_names.of_row[d->rows[i]];
            *of_row = number[*of_row];
            if (*of_row != GS_NO_NAME)
                d->rows[kept++] = d->rows[i];
        }
        begin = end;
        d->series_end[k] = kept;
    }
    d->n = kept;
    return GS_OK;
}

enum gs_status gs_drawn_thin(struct gs_drawn *d, struct gs_arena *arena, struct gs_err *err)
{
    struct gs_arena scratch = {0};
    enum gs_status s = GS_OK;
    d->n_all = d->n;
    switch (d->panel->kind) {
    case GS_PLOT_SCATTER:
    case GS_PLOT_POINTS_ERROR:
        if (d->n > POINTS_MAX)
            s = thin_points(d, &scratch, err);
        break;
    case GS_PLOT_LINES:
        if (d->n > LINE_MAX)
            thin_lines(d);
        break;
    case GS_PLOT_BARS:
    case GS_PLOT_BOX:
        if (d->n > BARS_MAX)
            s = cut_bars(d, &scratch, err);
        break;
    case GS_PLOT_HISTOGRAM_GROUPED:
        if (d->x_names.n > BARS_MAX)
            s = cut_clusters(d, &scratch, arena, err);
        break;
    case GS_PLOT_HEAT:
    case GS_PLOT_HISTOGRAM:
    case GS_PLOT_SPANS:
        break;
    }
    gs_arena_release(&scratch);
    return s;
}

/* " (1 reading beyond, up to 612 W)" */
static void write_far(const struct gs_drawn *d, struct gs_buf *b)
{
    size_t n = 0;
    double most = 0;
    for (size_t i = 0; i < d->n && d->panel->far_column != GS_COL_NONE; i++) {
        const double y = gs_drawn_y(d, d->rows[i]);
        n += y > d->ay.hi || y < d->ay.lo;
        most = fmax(most, y);
    }
    if (n == 0)
        return;
    gs_buf_text_if(b, b->len > 0, " ");
    gs_buf_char(b, '(');
    gs_real_for_people(b, (double)n, 0);
    gs_buf_text(b, " beyond");
    if (most > d->ay.hi) {
        const struct gs_column_spec *const spec = d->frame->columns[d->y].spec;
        gs_buf_text(b, ", up to ");
        gs_buf_si(b, most, spec->unit, 0);
    }
    gs_buf_char(b, ')');
}

void gs_drawn_note_thinned(const struct gs_drawn *d, struct gs_buf *b)
{
    const enum gs_plot_kind kind = d->panel->kind;
    write_far(d, b);
    if (d->n == d->n_all || kind == GS_PLOT_LINES) /* a line loses nothing that could be seen */
        return;
    gs_buf_text_if(b, b->len > 0, " ");
    gs_buf_char(b, '(');
    if (kind == GS_PLOT_SCATTER || kind == GS_PLOT_POINTS_ERROR) {
        gs_real_for_people(b, (double)d->n_all, 0);
        gs_buf_text(b, " points, one shown for each place");
    } else {
        gs_buf_text(b, "the ");
        gs_real_for_people(b, (double)d->n, 0);
        gs_buf_text(b, " largest of ");
        gs_real_for_people(b, (double)d->n_all, 0);
    }
    gs_buf_char(b, ')');
}
