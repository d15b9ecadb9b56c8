/* bias.c - two joins of the same pairs, side by side. */
#include "analysis/events/bias.h"

#include <math.h>
#include <string.h>

#include "analysis/timeline/counts.h"
#include "base/num/dd.h"
#include "stats/descriptive/ratio.h"
#include "data/result/number_text.h"

enum { N_OWN = 4, COL_METRIC = N_OWN, PER_METRIC = 3 };

static const struct gs_column_spec own_columns[N_OWN] = {GS_COL(EVENT), GS_COL(N),
                                                         GS_COL(N_SAMPLED), GS_COL(NO_SAMPLE_PCT)};

/* What is shown of every metric but counters. */
static const struct {
    const char *word, *label, *before, *behind; /* around its name */
} shown[PER_METRIC] = {
    {"nearest", "at ends", "mean over the events of ",
     " by the nearest join: of the samples nearest to the ends"},
    {"window", "inside", "mean over the events of ",
     " by the window join: of all samples with START <= t <= STOP"},
    {"bias", "bias of events with both",
     "mean of nearest minus window, over the events that have a ", " by both"},
};

/* The columns of a run's metrics, which are in their order but for counters, and which metrics they are. */
struct layout {
    struct gs_column_spec *spec;
    uint32_t *metric; /* [n] */
    size_t n;
};

static bool make_spec(struct gs_column_spec *spec, const struct gs_metric *m, int which,
                      struct gs_arena *arena)
{
    *spec = (struct gs_column_spec){
        .name = gs_metric_column(m, shown[which].word, arena),
        .label = gs_format(arena, "%s %s", m->label, shown[which].label),
        .unit = m->unit,
        .type = GS_TYPE_REAL,
        .decimals = m->mean_decimals,
        .how = gs_format(arena, "%s%s%s", shown[which].before, m->words, shown[which].behind)};
    return spec->name != NULL && spec->label != NULL && spec->how != NULL;
}

static enum gs_status lay_out(const struct gs_facts *facts, struct gs_arena *arena,
                              struct layout *l, struct gs_err *err)
{
    GS_TAKE(l->spec, N_OWN + PER_METRIC * (size_t)facts->n_metrics, arena, err);
    GS_TAKE(l->metric, facts->n_metrics, arena, err);
    l->n = 0;
    memcpy(l->spec, own_columns, sizeof own_columns);
    for (uint32_t m = 0; m < facts->n_metrics; m++) {
        if (!gs_metric_has_mean(facts->metric[m]))
            continue;
        for (int k = 0; k < PER_METRIC; k++)
            if (!make_spec(&l->spec[COL_METRIC + PER_METRIC * l->n + (size_t)k], facts->metric[m],
                           k, arena))
                return gs_fail_memory(err);
        l->metric[l->n++] = m;
    }
    return GS_OK;
}

static const struct gs_column_spec by_join_columns[] = {
    GS_COL(EVENT),        GS_COL(JOIN),
    GS_COL(POWER_MEAN_W), GS_COL(GPU_UTIL_MEAN_PCT, .label = "mean GPU utilisation"),
    GS_COL(SAMPLED),      GS_COL(N, .label = "events"),
};

/* One event, and each metric of it: sums of the pairs' means by either join and of their difference. */
struct event {
    uint64_t n, n_sampled;
    gs_i128 time_ns;
};
struct event_metric {
    uint64_t n_both;
    struct gs_ratio_sum nearest, window, difference;
};

static const struct gs_field event_fields[] = {
    {GS_FIELD_COUNT, offsetof(struct event, n)},
    {GS_FIELD_COUNT, offsetof(struct event, n_sampled)},
    {GS_FIELD_SUM, offsetof(struct event, time_ns)},
};
static const struct gs_field metric_fields[] = {
    {GS_FIELD_COUNT, offsetof(struct event_metric, n_both)},
    {GS_FIELD_RATIO, offsetof(struct event_metric, nearest)},
    {GS_FIELD_RATIO, offsetof(struct event_metric, window)},
    {GS_FIELD_RATIO, offsetof(struct event_metric, difference)},
};
static const struct gs_records_spec event_spec = {
    GS_RECORDS("bias", "t", struct event, event_fields),
    GS_RECORDS_TAIL(struct event_metric, metric_fields),
};

static enum gs_status make_plan(const void *options, const struct gs_dataset *d,
                                struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    (void)options;
    union gs_key *const key = gs_keys_of_texts(&d->event, arena);
    GS_TRY(gs_had_memory(key != NULL, err));
    return gs_records_plan(&state->table[0], key, d->event.n, arena, err);
}

/*
 * The difference takes only pairs that both joins have. The two means may be over different
 * pairs, and their difference is not this bias.
 */
static enum gs_status add_metric(struct event_metric *m, const struct gs_reading *nearest,
                                 const struct gs_reading *window, struct gs_arena *arena,
                                 struct gs_err *err)
{
    enum gs_status s = GS_OK;
    if (nearest->den != 0)
        s = gs_ratio_add(&m->nearest, nearest->num, nearest->den, arena, err);
    if (s == GS_OK && window->den != 0)
        s = gs_ratio_add(&m->window, window->num, window->den, arena, err);
    if (s != GS_OK || nearest->den == 0 || window->den == 0)
        return s;
    m->n_both++;
    s = gs_ratio_add(&m->difference, nearest->num, nearest->den, arena, err);
    GS_THEN(s, gs_ratio_add(&m->difference, -window->num, window->den, arena, err));
    return s;
}

/* Energy plays no part; with the gap of the options the window join may be one that others have asked for. */
static enum gs_status add_host(const void *options, struct gs_state *state,
                               struct gs_fold_host *host, struct gs_err *err)
{
    struct gs_join_options nearest = *(const struct gs_join_options *)options, window = nearest;
    const struct gs_host_view *const h = host->view;
    const struct gs_joined *by_ends, *inside;
    nearest.join = GS_JOIN_NEAREST;
    window.join = GS_JOIN_WINDOW;
    GS_TRY(gs_fold_joined(host, &nearest, &by_ends, err));
    GS_TRY(gs_fold_joined(host, &window, &inside, err));
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        struct event *const e = gs_records_at(&state->table[0], h->pair[p].event);
        struct event_metric *const metric = gs_records_tail(&state->table[0], h->pair[p].event);
        e->n++;
        e->n_sampled += inside[p].n_samples > 0;
        e->time_ns += gs_pair_ns(&h->pair[p]);
        for (unsigned m = 0; m < h->n_metrics; m++)
            GS_TRY(add_metric(&metric[m], &by_ends[p].metric[m], &inside[p].metric[m], host->arena,
                              err));
    }
    return GS_OK;
}

/* A mean, NaN where there is none; false when memory ran out. */
static bool mean_of(const struct gs_ratio_sum *r, struct gs_arena *scratch, double *mean)
{
    *mean = NAN;
    const enum gs_status s = gs_ratio_mean(r, GS_FIXED_ONE, scratch, mean, NULL);
    return s == GS_OK || s == GS_ERR_RANGE;
}

static enum gs_status fill_row(struct gs_bias_frames *f, const struct layout *l, size_t row,
                               const struct gs_records *events, uint32_t which,
                               struct gs_arena *scratch, struct gs_err *err)
{
    const struct gs_str name = gs_records_key(events, which, 1)->text;
    const struct event *const e = gs_records_at(events, which);
    const struct event_metric *const metrics = gs_records_tail(events, which);
    GS_PUT(f->bias, row, GS_TEXT(EVENT, name), GS_INT(N, (int64_t)e->n),
           GS_INT(N_SAMPLED, (int64_t)e->n_sampled),
           GS_REAL(NO_SAMPLE_PCT, gs_ratio(100 * (gs_i128)(e->n - e->n_sampled), (gs_i128)e->n)));
    for (size_t k = 0; k < l->n; k++) {
        const size_t at = COL_METRIC + PER_METRIC * k;
        const struct event_metric *const metric = &metrics[l->metric[k]];
        double nearest, window, difference = NAN;
        if (!mean_of(&metric->nearest, scratch, &nearest) ||
            !mean_of(&metric->window, scratch, &window))
            return gs_fail_memory(err);
        /* Both joins went into the sum, so its own count is twice that of the pairs. */
        if (metric->n_both > 0 &&
            gs_ratio_mean(&metric->difference, GS_FIXED_ONE, scratch, &difference, err) != GS_OK)
            return gs_fail_memory(err);
        gs_frame_set_real(f->bias, row, at, nearest);
        gs_frame_set_real(f->bias, row, at + 1, window);
        gs_frame_set_real(f->bias, row, at + 2, 2 * difference);
    }
    static const struct gs_str join[] = {{"nearest", 7}, {"window", 6}};
    for (size_t k = 0; k < 2; k++) {
        GS_PUT(
            f->by_join, 2 * row + k, GS_TEXT(EVENT, name), GS_TEXT(JOIN, join[k]),
            GS_REAL(POWER_MEAN_W, f->bias->columns[COL_METRIC + k].real[row]),
            GS_REAL(GPU_UTIL_MEAN_PCT,
                    f->bias->columns[COL_METRIC + (size_t)PER_METRIC * GS_GPU_UTIL + k].real[row]));
        const struct gs_ratio_sum *const power =
            k == 0 ? &metrics[GS_POWER].nearest : &metrics[GS_POWER].window;
        GS_PUT(f->by_join, 2 * row + k, GS_INT(SAMPLED, (int64_t)power->n),
               GS_INT(N, (int64_t)e->n));
    }
    return GS_OK;
}

static double cell(const struct gs_frame *f, unsigned metric, size_t which, size_t row)
{
    return f->columns[COL_METRIC + (size_t)PER_METRIC * metric + which].real[row];
}

/* "39.09 W and 0.03 % GPU utilisation", the latter where it is known. */
static void note_reading(struct gs_buf *b, const struct gs_frame *f, size_t which, size_t row)
{
    const double util = cell(f, GS_GPU_UTIL, which, row);
    gs_buf_format(b, "%s W", gs_real_text(b, cell(f, GS_POWER, which, row), 1));
    if (!isnan(util))
        gs_buf_format(b, " at %s %% utilisation", gs_real_text(b, util, 1));
}

/*
 * What the nearest join hides, of the event where it weighs most. The first of equal weights
 * wins; rows are in the order of names, so the sentence is reproducible.
 */
static const char *sentence(const struct gs_frame *f, const double *weight, struct gs_arena *arena)
{
    size_t most = f->n_rows;
    for (size_t r = 0; r < f->n_rows; r++)
        if (!isnan(weight[r]) && (most == f->n_rows || weight[r] > weight[most]))
            most = r;
    if (most == f->n_rows)
        return "Nearest against window join: no event has samples by both";
    struct gs_buf b = {.arena = arena};
    const double nearest = cell(f, GS_POWER, 0, most), window = cell(f, GS_POWER, 1, most);
    gs_buf_text(&b, "At the two ends of ");
    gs_buf_escaped(&b, gs_frame_cells(f, GS_COL_EVENT)->text[most], 80);
    gs_buf_text(&b, " the GPUs draw ");
    note_reading(&b, f, 0, most);
    gs_buf_text(&b, ". Inside it is ");
    note_reading(&b, f, 1, most);
    const char *const by = gs_real_text(&b, 100 * fabs(window - nearest) / window, 0);
    if (window > 0 && nearest < window)
        gs_buf_format(&b, ": the nearest join hides %s %% of the power", by);
    else if (window > 0)
        gs_buf_format(&b, ": the nearest join overstates by %s %%", by);
    return gs_buf_whole(&b);
}

/*
 * The weight is the bias in watts times the event's time: the energy by which the nearest join
 * is wrong.
 */
static enum gs_status to_frames(const struct gs_records *events, const struct gs_facts *facts,
                                struct gs_arena *own, struct gs_arena *arena, struct gs_frames *out,
                                struct gs_bias_frames *frames, struct gs_err *err)
{
    size_t n_rows = 0, row = 0;
    struct gs_bias_frames f;
    for (uint32_t e = 0; e < events->n; e++)
        n_rows += ((const struct event *)gs_records_at(events, e))->n > 0;
    GS_NEW(double, weight, n_rows, own, err);
    struct layout l;
    GS_TRY(lay_out(facts, arena, &l, err));
    GS_TRY(gs_frame_new(
        arena,
        GS_HEAD("bias", "Nearest against window join", l.spec, COL_METRIC + PER_METRIC * l.n),
        n_rows, out, &f.bias, err));
    GS_TRY(gs_frame_new(
        arena, GS_HEAD("bias-by-join", "Nearest against window join", GS_COLUMNS(by_join_columns)),
        2 * n_rows, NULL, &f.by_join, err));
    for (uint32_t e = 0; e < events->n; e++) {
        const struct event *const event = gs_records_at(events, e);
        if (event->n == 0)
            continue;
        GS_TRY(fill_row(&f, &l, row, events, e, own, err));
        weight[row] = fabs(cell(f.bias, GS_POWER, 2, row)) * (double)event->time_ns;
        row++;
    }
    if ((f.bias->title = sentence(f.bias, weight, arena)) == NULL)
        GS_TRY(gs_fail_memory(err));
    gs_note(&out->notes, GS_NOTE_INFO, "%s", f.bias->title);
    if (frames != NULL)
        *frames = f;
    return GS_OK;
}

static enum gs_status finish(const struct gs_finish *of, struct gs_frames *out, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    GS_TRY(to_frames(&of->state->table[0], of->facts, &own, of->arena, out, of->also, err));
    gs_view_notes(&of->facts->totals, of->facts->duplicates, &out->notes);
    return GS_OK;
}

static const struct gs_records_spec *const tables[] = {&event_spec};

/* clang-format off */
const struct gs_fold gs_bias_fold = {
    .name = "bias", .views = GS_VIEW_JOINS | GS_VIEW_PAIRS, .table = tables, .n_tables = 1,
    .plan = make_plan, .add = add_host, .finish = finish,
};
/* clang-format on */
