/* sweep_mix.c - frequency and one column at a time, fitted to the logarithms of the times. */
#include "input/studies/sweep_mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num/order.h"
#include "stats/descriptive/moments.h"

enum { FIT_ROUNDS = 4 }; /* balanced data need one */

#define EXPLAINED 0.25 /* of the variance may be left */

struct item {
    struct gs_str group, value;
    double frequency, time, left; /* left: what is not explained of log(time) */
    size_t row;
};

struct mix {
    const struct gs_csv_table *t;
    struct item *item; /* [n], of the groups that vary */
    size_t n;
    size_t n_groups, n_varying;
    double cv_max;
};

/* The row breaks ties: sums of doubles depend on their order, and qsort is not stable. */
GS_COMPARES(by_frequency, struct item, GS_BY_TEXT(group) GS_BY(frequency) GS_BY(row));

GS_COMPARES(by_value, struct item, GS_BY_TEXT(group) GS_BY_TEXT(value) GS_BY(row));

static bool same_group(const struct item *a, const struct item *b)
{
    return gs_str_eq(a->group, b->group);
}

static bool same_cell(const struct item *a, const struct item *b, bool of_value)
{
    return same_group(a, b) &&
           (of_value ? gs_str_eq(a->value, b->value)
                     : !(a->frequency < b->frequency) && !(a->frequency > b->frequency));
}

/*
 * Takes the means of frequencies, or of values, out of what is left; the items stand in that
 * order. Returns how many. Equal cells must stand side by side: call sort() with the same
 * `of_value` first.
 */
static size_t parse_means(struct mix *m, bool of_value)
{
    size_t n_cells = 0;
    for (size_t lo = 0, hi; lo < m->n; lo = hi, n_cells++) {
        double sum = 0;
        for (hi = lo; hi < m->n && same_cell(&m->item[lo], &m->item[hi], of_value); hi++)
            sum += m->item[hi].left;
        for (size_t i = lo; i < hi; i++)
            m->item[i].left -= sum / (double)(hi - lo);
    }
    return n_cells;
}

static void sort(struct mix *m, bool of_value)
{
    if (m->n > 1)
        qsort(m->item, m->n, sizeof *m->item, of_value ? by_value : by_frequency);
}

/*
 * The variance that is left per degree of freedom with frequencies alone, or with a column too;
 * infinite: none is. Means are taken out in turn, which converges to the fit of both; one round
 * is exact if every frequency has every value equally often.
 */
static double variance_left(struct mix *m, int column)
{
    size_t n_frequencies = 0, n_values = 0, n_groups = 0;
    double squares = 0;
    for (size_t i = 0; i < m->n; i++) {
        m->item[i].left = log(m->item[i].time);
        if (column >= 0)
            m->item[i].value = gs_csv_cell(m->t, m->item[i].row, (size_t)column);
    }
    for (int round = 0; round < (column < 0 ? 1 : FIT_ROUNDS); round++) {
        sort(m, false);
        n_frequencies = parse_means(m, false);
        if (column < 0)
            break;
        sort(m, true);
        n_values = parse_means(m, true);
    }
    for (size_t i = 0; i < m->n; i++) {
        squares += m->item[i].left * m->item[i].left;
        n_groups += i == 0 || !same_group(&m->item[i - 1], &m->item[i]);
    }
    const size_t used = n_frequencies + (column < 0 ? 0 : n_values - n_groups);
    return m->n > used ? squares / (double)(m->n - used) : INFINITY;
}

/* Keeps the items of groups of which some frequency has runs that vary too much. */
static void store_varying(struct mix *m, double *time)
{
    size_t n_kept = 0;
    sort(m, false);
    for (size_t lo = 0, hi; lo < m->n; lo = hi, m->n_groups++) {
        double cv_max = 0;
        for (hi = lo; hi < m->n && same_group(&m->item[lo], &m->item[hi]);) {
            size_t n = 0;
            for (const size_t from = hi;
                 hi < m->n && same_cell(&m->item[from], &m->item[hi], false); hi++)
                time[n++] = m->item[hi].time;
            const struct gs_real_moments d = gs_real_describe(time, n);
            cv_max = n > 1 && d.ssd / d.mean > cv_max ? d.ssd / d.mean : cv_max;
        }
        m->cv_max = gs_max(cv_max, m->cv_max);
        if (!(cv_max > GS_SWEEP_CV_MAX))
            continue;
        m->n_varying++;
        memmove(m->item + n_kept, m->item + lo, (hi - lo) * sizeof *m->item);
        n_kept += hi - lo;
    }
    m->n = n_kept;
}

static enum gs_status note_text(const struct mix *m, int best, const struct gs_mix_columns *of,
                                struct gs_arena *scratch, struct gs_notes *notes,
                                struct gs_err *err)
{
    struct gs_buf b = {.arena = scratch};
    for (size_t i = 0; i < of->n_group; i++) {
        gs_buf_escaped(&b, m->t->header[of->group[i]], 0);
        gs_buf_char(&b, ',');
    }
    if (best >= 0)
        gs_buf_escaped(&b, m->t->header[best], 0);
    GS_TRY(gs_had_memory(!b.failed, err));
    if (best < 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%s: in %zu of %zu groups times at one frequency vary, sd up to %.1f of their mean "
                "(sd): no column says why; means over different work mislead",
                m->t->name, m->n_varying, m->n_groups, m->cv_max);
    else
        gs_note(notes, GS_NOTE_WARNING,
                "%s: in %zu of %zu groups times at one frequency vary, sd up to %.1f of their mean "
                "(sd), because '%s' varies: --group %s keeps its values apart",
                m->t->name, m->n_varying, m->n_groups, m->cv_max, GS_SHOWN(m->t->header[best], 80),
                b.ptr);
    return GS_OK;
}

enum gs_status gs_sweep_mix_note(const struct gs_csv_table *t, const struct gs_mix_columns *of,
                                 const struct gs_sweep_table *runs, const size_t *row,
                                 struct gs_arena *scratch, struct gs_notes *notes,
                                 struct gs_err *err)
{
    GS_REWINDS(scratch);
    struct mix m = {.t = t, .item = gs_arena_take_raw(scratch, runs->n, sizeof *m.item)};
    GS_NEW_RAW(double, time, runs->n, scratch, err);
    GS_TRY(gs_had_memory(m.item != NULL, err));
    for (size_t i = 0; i < runs->n; i++) {
        const struct gs_sweep_run *const run = &runs->run[i];
        if (run->time_s > 0)
            m.item[m.n++] =
                (struct item){run->group, GS_NO_STR, run->frequency_mhz, run->time_s, 0, row[i]};
    }
    store_varying(&m, time);
    if (m.n_varying > 0) {
        double least = EXPLAINED * variance_left(&m, -1);
        int best = -1;
        for (size_t c = 0; c < t->n_columns; c++) {
            const double left = of->used[c] ? INFINITY : variance_left(&m, (int)c);
            if (left < least) {
                least = left;
                best = (int)c;
            }
        }
        GS_TRY(note_text(&m, best, of, scratch, notes, err));
    }
    return GS_OK;
}
