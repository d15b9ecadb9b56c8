/* validate.c - sums of operations against whole models, with propagated errors. */
#include "studies/tables/validate.h"

#include <math.h>

#include "base/num/dd.h"
#include "base/num/order.h"
#include "stats/descriptive/quantile.h"
#include "studies/tables/quotient.h"

static const struct gs_column_spec columns[] = {
    GS_COL(MODEL, .how = "name of the model"),
    GS_COL(OPERATIONS, .how = "rows of the model that are summed"),
    GS_COL(MEASURED_TIME_S),
    GS_COL(SUMMED_TIME_S),
    GS_COL(TIME_RATIO),
    GS_COL(TIME_Z),
    GS_COL(MEASURED_ENERGY_J),
    GS_COL(SUMMED_ENERGY_J),
    GS_COL(ENERGY_RATIO),
    GS_COL(ENERGY_Z),
    GS_COL(MEASURED_TIME_SD_S),
    GS_COL(SUMMED_TIME_SD_S),
    GS_COL(MEASURED_ENERGY_SD_J),
    GS_COL(SUMMED_ENERGY_SD_J),
};

/* Time or energy of a model: the whole, and the sum with its deviation squared. */
struct side {
    double whole, whole_sd;
    struct gs_dd sum, variance;
};

struct model {
    struct gs_str name;
    const struct gs_cost *whole;
    uint64_t operations; /* summed                                   */
    bool summed, known;  /* any operation; how many is known of all */
    struct side time, energy;
};

/* NaN first: an order of all doubles. */
static int compare_reals(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(b) - isnan(a);
    return gs_cmp(a, b);
}

static int compare_costs(const void *a, const void *b)
{
    const struct gs_cost *const x = *(const struct gs_cost *const *)a,
                                *const y = *(const struct gs_cost *const *)b;
    const double numbers[][2] = {{x->count, y->count},
                                 {x->time_s, y->time_s},
                                 {x->time_sd_s, y->time_sd_s},
                                 {x->energy_j, y->energy_j},
                                 {x->energy_sd_j, y->energy_sd_j}};
    int order = gs_str_compare(x->model, y->model);
    if (order == 0)
        order = gs_str_compare(x->operation, y->operation);
    /* The rest so that sums do not depend on the order of rows. */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && order == 0; i++)
        order = compare_reals(numbers[i][0], numbers[i][1]);
    if (order == 0)
        order = gs_cmp(x->line, y->line);
    return order;
}

/*
 * Deviations of repeated operations add up linearly and those of different operations in
 * squares: n runs of one operation share its measuring error.
 */
static void add(struct side *s, double count, double value, double sd)
{
    const struct gs_dd part = gs_dd_two_product(count, value),
                       part_sd = gs_dd_two_product(count, sd);
    s->sum = gs_dd_add(s->sum, part);
    s->variance = gs_dd_add(s->variance, gs_dd_mul(part_sd, part_sd));
}

/* The columns of a side. */
struct places {
    enum gs_column_id whole, sum, ratio, z, whole_sd, sum_sd;
};

static void set_side(struct gs_frame *f, size_t row, const struct side *s, bool summed,
                     const struct places *at)
{
    const double nan = (double)NAN;
    const double total = summed ? gs_dd_to_double(s->sum) : nan;
    const double variance = summed ? gs_dd_to_double(s->variance) : nan;
    const double total_sd = isnan(variance) ? nan : gs_dd_to_double(gs_dd_sqrt(s->variance));
    gs_frame_put_real(f, row, at->whole, s->whole);
    gs_frame_put_real(f, row, at->sum, total);
    gs_frame_put_real(f, row, at->whole_sd, s->whole_sd);
    gs_frame_put_real(f, row, at->sum_sd, total_sd);
    gs_frame_put_real(f, row, at->ratio, gs_quotient(total, s->whole));
    gs_frame_put_real(f, row, at->z, gs_quotient(total - s->whole, hypot(total_sd, s->whole_sd)));
}

/*
 * The costs must be sorted by model. A second measurement of the whole is refused, because it
 * is not known which of the two is meant.
 */
static enum gs_status gather(const struct gs_cost_table *t, const struct gs_cost *const *sorted,
                             struct model *model, size_t *n_models, struct gs_err *err)
{
    const double nan = (double)NAN;
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct gs_cost *const c = sorted[i];
        if (n == 0 || !gs_str_eq(model[n - 1].name, c->model))
            model[n++] = (struct model){.name = c->model,
                                        .known = true,
                                        .time = {.whole = nan, .whole_sd = nan},
                                        .energy = {.whole = nan, .whole_sd = nan}};
        struct model *const m = &model[n - 1];
        if (c->is_whole && m->whole != NULL)
            return gs_fail_at(err, t->name, gs_max(c->line, m->whole->line),
                              "'%s' is measured as a whole a second time, first at line %llu",
                              GS_SHOWN(c->model, 128),
                              (unsigned long long)(gs_min(m->whole->line, c->line)));
        if (c->is_whole) {
            m->whole = c;
            m->time.whole = c->count * c->time_s;
            m->time.whole_sd = c->count * c->time_sd_s;
            m->energy.whole = c->count * c->energy_j;
            m->energy.whole_sd = c->count * c->energy_sd_j;
        } else {
            m->operations += c->operations;
            m->known &= c->operations > 0;
            m->summed = true;
            add(&m->time, c->count, c->time_s, c->time_sd_s);
            add(&m->energy, c->count, c->energy_j, c->energy_sd_j);
        }
    }
    *n_models = n;
    return GS_OK;
}

static double median_of(const struct gs_frame *f, enum gs_column_id id, struct gs_arena *scratch)
{
    double median = (double)NAN;
    (void)gs_real_quantiles(gs_frame_cells(f, id)->real, f->n_rows, &GS_PROB_MEDIAN, 1, scratch,
                            &median, NULL);
    return median;
}

/* What the table shows, in one line: over- or underestimation in the middle. */
static const char *title_of(const struct gs_frame *f, struct gs_arena *arena)
{
    const double time = median_of(f, GS_COL_TIME_RATIO, arena),
                 energy = median_of(f, GS_COL_ENERGY_RATIO, arena);
    struct gs_buf b = {.arena = arena};
    gs_buf_text(&b, "Summed operations against whole models");
    if (!isnan(time))
        gs_buf_format(&b, "; median ratio %.3f in time", time);
    if (!isnan(energy))
        gs_buf_format(&b, "%s%.3f in energy", isnan(time) ? "; median ratio " : ", ", energy);
    return b.failed ? "Summed operations against whole models" : b.ptr;
}

enum gs_status gs_validate_frame(const struct gs_cost_table *table, struct gs_arena *arena,
                                 struct gs_frames *out, struct gs_err *err)
{
    static const struct places of_time = {GS_COL_MEASURED_TIME_S,    GS_COL_SUMMED_TIME_S,
                                          GS_COL_TIME_RATIO,         GS_COL_TIME_Z,
                                          GS_COL_MEASURED_TIME_SD_S, GS_COL_SUMMED_TIME_SD_S},
                               of_energy = {GS_COL_MEASURED_ENERGY_J,    GS_COL_SUMMED_ENERGY_J,
                                            GS_COL_ENERGY_RATIO,         GS_COL_ENERGY_Z,
                                            GS_COL_MEASURED_ENERGY_SD_J, GS_COL_SUMMED_ENERGY_SD_J};
    GS_NEW(const struct gs_cost *, sorted, table->n, arena, err);
    GS_NEW(struct model, model, table->n, arena, err);
    for (size_t i = 0; i < table->n; i++)
        sorted[i] = &table->cost[i];
    GS_SORT(sorted, table->n, compare_costs);
    size_t n = 0, n_bare = 0;
    struct gs_frame *f;
    GS_TRY(gather(table, sorted, model, &n, err));
    GS_TRY(gs_frame_new(
        arena, GS_HEAD("validate", "Summed operations against whole models", GS_COLUMNS(columns)),
        n, out, &f, err));
    for (size_t i = 0; i < n; i++) {
        const struct model *const m = &model[i];
        GS_PUT(f, i, GS_TEXT(MODEL, m->name));
        if (m->known)
            GS_PUT(f, i, GS_INT(OPERATIONS, (int64_t)m->operations));
        set_side(f, i, &m->time, m->summed, &of_time);
        set_side(f, i, &m->energy, m->summed, &of_energy);
        n_bare += !m->summed || m->whole == NULL;
    }
    if (n_bare > 0)
        gs_note(&out->notes, GS_NOTE_WARNING,
                "%zu of %zu models lack either the whole ('*') or its operations", n_bare, n);
    f->title = title_of(f, arena);
    return GS_OK;
}
