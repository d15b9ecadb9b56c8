/* diff_words.c - the sentence that is read first, and what the table cannot know. */
#include <math.h>

#include "analysis/diff/diff_parts.h"
#include "data/result/number_text.h"

/* What sums of logarithms may be off by: a change without any spread has an interval of no width. */
static const double rounding = 1e-9;

static bool is_by(const struct gs_diff_told *t, const char *key)
{
    return t->o->by.n_keys == 1 && gs_str_eq(t->o->by.key[0], gs_str(key));
}

/*
 * The group with the most of its measure: of a task and its parts the task. Of a log whose pieces are phases the last:
 * all; of one by GPU or host the middle one.
 */
static const struct gs_diff_row *main_row(const struct gs_diff_told *t, enum gs_diff_kind kind)
{
    const bool last = kind == DIFF_POWER && is_by(t, "event"), middle = kind == DIFF_POWER && !last;
    const struct gs_diff_row *most = NULL;
    for (size_t i = 0; i < t->n; i++) {
        size_t less = 0, more = 0;
        for (size_t k = 0; middle && k < t->n; k++) {
            const bool compared = t->row[k].measure->kind == kind;
            less += compared && t->row[k].change.change < t->row[i].change.change;
            more += compared && t->row[k].change.change > t->row[i].change.change;
        }
        if (t->row[i].measure->kind == kind && less <= more + 1 && more <= less + 1 &&
            (most == NULL || last || t->row[i].a_total > most->a_total))
            most = &t->row[i];
    }
    return most;
}

/* Of a log whose change is unsure the phases of which it is known, the most of them. */
static const struct gs_diff_row *surer(const struct gs_diff_told *t, const struct gs_diff_row *all)
{
    const struct gs_diff_row *most = NULL;
    for (size_t i = 0; i < t->n && all->verdict == GS_CHANGE_UNSURE && is_by(t, "event"); i++) {
        const struct gs_diff_row *const r = &t->row[i];
        if (r->measure == all->measure &&
            (r->verdict == GS_CHANGE_MORE || r->verdict == GS_CHANGE_LESS ||
             r->verdict == GS_CHANGE_SAME) &&
            (most == NULL || r->a_total > most->a_total))
            most = r;
    }
    return most == NULL ? all : most;
}

static const struct gs_diff_row *beside(const struct gs_diff_told *t, const struct gs_diff_row *row,
                                        enum gs_diff_kind kind)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->row[i].measure->kind == kind && gs_str_eq(t->row[i].group, row->group))
            return &t->row[i];
    return NULL;
}

/* Parts of a key end in a byte that no name has. */
static bool has_name(const struct gs_diff_row *row)
{
    for (size_t i = 1; i < row->group.len; i++)
        if (row->group.ptr[i] != 0x1f)
            return true;
    return false;
}

/* "step", "GPU 5": a key that is no event's name is named with what it is. */
static void put_group(struct gs_buf *b, const struct gs_diff_told *t, const struct gs_diff_row *row)
{
    size_t start = b->len;
    if (is_by(t, "event") && row->group.ptr[0] == OF_LOG)
        gs_buf_text(b, "the ");
    else if (has_name(row) && is_by(t, "gpu"))
        gs_buf_text(b, "GPU ");
    else if (has_name(row) && t->o->by.n_keys == 1 && !is_by(t, "event"))
        gs_buf_format(b, "%.*s ", (int)t->o->by.key[0].len, t->o->by.key[0].ptr);
    for (size_t i = 1; i < row->group.len; i++)
        if (row->group.ptr[i] != 0x1f)
            gs_buf_escaped(b, (struct gs_str){row->group.ptr + i, 1}, 8);
        else if (i + 1 < row->group.len)
            gs_buf_text(b, ", ");
    if (b->len == start)
        gs_buf_text(b, "span");
}

/* A row's group for the template of a sentence. */
static const char *group_text(struct gs_buf *b, const struct gs_diff_told *t,
                              const struct gs_diff_row *row)
{
    struct gs_buf text = {.arena = b->arena};
    put_group(&text, t, row);
    return gs_buf_piece(b, &text);
}

static const char *pct_text(struct gs_buf *b, double log_change)
{
    return gs_real_text(b, fabs(gs_change_pct(log_change)), 1);
}

static const char *sign_of(double log_change)
{
    return gs_change_pct(log_change) < 0 ? "-" : "+";
}

/* " (2.4 to 3.8 %)" */
static void put_interval(struct gs_buf *b, const struct gs_change *c, double sign)
{
    const double from = sign > 0 ? c->low : c->high, to = sign > 0 ? c->high : c->low;
    if (!isnan(c->low))
        gs_buf_format(b, " (%s to %s %%)", gs_real_text(b, sign * gs_change_pct(from), 1),
                      gs_real_text(b, sign * gs_change_pct(to), 1));
}

static void put_change(struct gs_buf *b, const struct gs_diff_told *t,
                       const struct gs_diff_row *row, const char *more, const char *less,
                       const char *as, const char *whether)
{
    const struct gs_change *const c = &row->change;
    switch (row->verdict) {
    case GS_CHANGE_MORE:
    case GS_CHANGE_LESS:
        gs_buf_format(b, "%s%s%s", pct_text(b, c->change),
                      row->verdict == GS_CHANGE_MORE ? more : less, group_text(b, t, row));
        put_interval(b, c, row->verdict == GS_CHANGE_MORE ? 1.0 : -1.0);
        break;
    case GS_CHANGE_SAME:
        gs_buf_format(b, "%s%s", as, group_text(b, t, row));
        put_interval(b, c, 1.0);
        break;
    case GS_CHANGE_UNSURE:
        gs_buf_format(b, "%s%s: change %s%s %%", whether, group_text(b, t, row), sign_of(c->change),
                      pct_text(b, c->change));
        put_interval(b, c, 1.0);
        break;
    case GS_CHANGE_ONLY_A:
        gs_buf_format(b, "does not have %s", group_text(b, t, row));
        break;
    case GS_CHANGE_ONLY_B:
        gs_buf_format(b, "alone has %s", group_text(b, t, row));
        break;
    }
}

static void put_energy(struct gs_buf *b, const struct gs_diff_row *e)
{
    if (e == NULL)
        return;
    if (e->verdict == GS_CHANGE_MORE || e->verdict == GS_CHANGE_LESS)
        gs_buf_format(b, ", at %s %% %s energy", pct_text(b, e->change.change),
                      e->verdict == GS_CHANGE_MORE ? "more" : "less");
    else if (e->verdict == GS_CHANGE_SAME)
        gs_buf_text(b, ", at the same energy");
    else if (e->verdict == GS_CHANGE_UNSURE)
        gs_buf_text(b, "; whether its energy changed is unsure");
}

static void put_time(struct gs_buf *b, const struct gs_diff_told *t, const struct gs_diff_row *row)
{
    gs_buf_text_if(b, row->verdict < GS_CHANGE_UNSURE, "B ");
    if (row->verdict == GS_CHANGE_MORE || row->verdict == GS_CHANGE_LESS)
        gs_buf_text(b, "B takes ");
    put_change(b, t, row, " % longer per ", " % less time per ", "B takes as long as A per ",
               "Whether B is slower or faster than A is unsure per ");
}

/* The mean power is of each GPU; per hour it is an energy. */
static void put_power(struct gs_buf *b, const struct gs_diff_told *t, const struct gs_diff_row *row)
{
    gs_buf_text_if(b, row->verdict < GS_CHANGE_UNSURE, "B ");
    if (row->verdict == GS_CHANGE_MORE || row->verdict == GS_CHANGE_LESS)
        gs_buf_text(b, "B draws ");
    put_change(b, t, row, " % more power in ", " % less power in ",
               "B draws as much power as A in ",
               "Whether B draws more or less power than A is unsure in ");
    if (row->verdict < GS_CHANGE_UNSURE)
        return;
    const double a_w = row->change.typical[0], b_w = row->change.typical[1];
    gs_buf_format(b, ": %s W instead of %s W per GPU. In an hour a GPU takes %s instead of %s kWh",
                  gs_real_text(b, b_w, 1), gs_real_text(b, a_w, 1), gs_real_text(b, b_w * 0.001, 3),
                  gs_real_text(b, a_w * 0.001, 3));
}

/* Did the mean change otherwise than the typical span? */
static bool has_tail(const struct gs_diff_row *row)
{
    const struct gs_change *const c = &row->change;
    return c->n[0] > 0 && c->n[1] > 0 &&
           (c->total < c->low - rounding || c->total > c->high + rounding);
}

/* A few long spans change what a run takes in all: ". In the mean, with the few long ones, it takes 27.8 % longer". */
static void put_total(struct gs_buf *b, const struct gs_diff_told *t,
                      const struct gs_diff_row *time)
{
    const struct gs_diff_row *const energy = beside(t, time, DIFF_ENERGY);
    const double total = time->change.total;
    if (!has_tail(time) || fabs(total - time->change.change) < t->o->margin)
        return;
    gs_buf_format(b, ". In the mean, with its few long ones, a %s takes %s %% %s",
                  group_text(b, t, time), pct_text(b, total), total > 0 ? "longer" : "less time");
    if (energy != NULL && has_tail(energy))
        gs_buf_format(b, ", and %s %% %s energy", pct_text(b, energy->change.total),
                      energy->change.total > 0 ? "more" : "less");
}

/* How many rows changed, and the worst beside the first by name: a clock that rises costs nothing. */
static void put_rest(struct gs_buf *b, const struct gs_diff_told *t, const struct gs_diff_row *said)
{
    const struct gs_diff_row *worst = NULL;
    size_t n[6] = {0};
    for (size_t i = 0; i < t->n; i++) {
        const struct gs_diff_row *const r = &t->row[i];
        n[r->verdict]++;
        if (r != said && r->verdict == GS_CHANGE_MORE && r->measure->kind <= DIFF_POWER &&
            (worst == NULL || r->change.change > worst->change.change))
            worst = r;
    }
    const size_t n_changed = n[GS_CHANGE_MORE] + n[GS_CHANGE_LESS], n_unsure = n[GS_CHANGE_UNSURE];
    if (n_changed == t->n && t->n <= 2) { /* the sentence before has both */
        gs_buf_char(b, '.');
        return;
    }
    if (n[GS_CHANGE_ONLY_A] + n[GS_CHANGE_ONLY_B] == t->n) {
        gs_buf_text(b, ". Nothing is in both A and B, so nothing is compared.");
        return;
    }
    if (n_changed == t->n)
        gs_buf_format(b, ". All %zu rows changed", t->n);
    else if (n_changed == 0)
        gs_buf_text(b, ". No row changed");
    else
        gs_buf_format(b, ". Of %zu rows %zu changed", t->n, n_changed);
    if (n_unsure > 0)
        gs_buf_format(b, ", %zu %s unsure", n_unsure, gs_plural(n_unsure, "is", "are"));
    if (n[GS_CHANGE_ONLY_A] + n[GS_CHANGE_ONLY_B] > 0)
        gs_buf_format(b, ", %zu only in A, %zu only in B", n[GS_CHANGE_ONLY_A],
                      n[GS_CHANGE_ONLY_B]);
    if (worst != NULL) {
        gs_buf_format(b, "; largest rise: %s, ", group_text(b, t, worst));
        gs_buf_escaped(b, worst->measure->name, 60);
        gs_buf_format(b, " +%s %%", pct_text(b, worst->change.change));
    }
    gs_buf_char(b, '.');
}

/* A GPU, host or group that changed otherwise than the rest, and the measure in which that is most. */
struct odd {
    const struct gs_diff_row *row;
    double change, others;
};

static void keep_odd(struct odd *most, struct odd one)
{
    if (most->row == NULL || fabs(one.change - one.others) > fabs(most->change - most->others))
        *most = one;
}

/* Rows are by GPU or host: one of a measure is compared with the others of it. */
static bool find_odd_row(const struct gs_diff_told *t, const struct gs_diff_measure *m,
                         struct gs_arena *scratch, struct odd *most)
{
    double *const d = gs_arena_take_raw(scratch, t->n, sizeof *d), others;
    const struct gs_diff_row **const of = gs_arena_take(scratch, t->n, sizeof *of);
    size_t n = 0, which;
    for (size_t i = 0; d != NULL && of != NULL && i < t->n; i++) {
        if (t->row[i].measure != m || isnan(t->row[i].change.change))
            continue;
        of[n] = &t->row[i];
        d[n++] = t->row[i].change.change;
    }
    if (d == NULL || of == NULL || gs_change_odd(d, n, scratch, &which, &others, NULL) != GS_OK)
        return false;
    if (which < n)
        keep_odd(most, (struct odd){of[which], d[which], others});
    return true;
}

/* " GPU 5 changed most unlike the others: sm_clock_mhz +29.5 % in the active phases (the others: +0.0 %)." */
static bool put_odd(struct gs_buf *b, const struct gs_diff_told *t)
{
    const bool by_worker = is_by(t, "gpu") || is_by(t, "host");
    struct odd most = {0};
    for (size_t i = 0; i < t->n; i++) {
        const struct gs_diff_row *const row = &t->row[i];
        const struct odd one = {row, row->change.odd, row->change.others};
        const bool first = i == 0 || t->row[i - 1].measure != row->measure;
        if (row->odd_worker.ptr != NULL)
            keep_odd(&most, one);
        if (by_worker && first && !find_odd_row(t, row->measure, b->arena, &most))
            return false;
    }
    if (most.row == NULL || fabs(most.change - most.others) <= t->o->margin)
        return true;
    const struct gs_str name = most.row->odd_worker;
    gs_buf_char(b, ' ');
    if (by_worker) {
        put_group(b, t, most.row);
    } else {
        const size_t blank = name.len > 1 && name.ptr[1] == ' ';
        gs_buf_text(b, name.ptr[0] == GPU_WORKER ? "GPU " : "Host ");
        gs_buf_escaped(b, (struct gs_str){name.ptr + 1 + blank, name.len - 1 - blank}, 80);
    }
    gs_buf_text(b, " changed most unlike the others: ");
    gs_buf_escaped(b, most.row->measure->name, 60);
    gs_buf_format(b, " %s%s %%", sign_of(most.change), pct_text(b, most.change));
    if (!by_worker)
        gs_buf_format(b, " %s %s", most.row->group.ptr[0] == OF_LOG ? "in" : "per",
                      group_text(b, t, most.row));
    gs_buf_format(b, " (the others: %s%s %%).", sign_of(most.others), pct_text(b, most.others));
    return true;
}

/*
 * Runs a side that find a change of the margin in 19 of 20 tries where runs differ by 1 %: the normal approximation
 * 2 (1.96 + 1.64)^2 (sd / change)^2, and two more for Student's t with few of them.
 */
static unsigned runs_needed(double margin)
{
    const double n = 2.0 * 12.96 * (0.01 / margin) * (0.01 / margin) + 2.0;
    return n < 1000.0 ? (unsigned)ceil(n) : 1000;
}

static void put_runs(struct gs_buf *b, const struct gs_diff_told *t)
{
    bool by_run = false;
    for (size_t i = 0; i < t->n; i++)
        by_run |= t->row[i].change.unit == GS_CHANGE_RUN;
    if (by_run)
        return;
    gs_buf_format(
        b, "- Differences from run to run are not in these intervals: there %s of A and %u of B.",
        gs_plural(t->n_base, "is 1 run", "are 2 runs"), (unsigned)t->n_new);
    if (t->o->margin > 0.0)
        gs_buf_format(
            b, " Where runs differ by 1 %%, finding %s %% takes about %u runs of each (--base).",
            gs_real_text(b, 100.0 * t->o->margin, 1), runs_needed(t->o->margin));
    gs_buf_char(b, '\n');
}

/* Rows whose total lies outside the interval of the typical span. */
static void put_tails(struct gs_buf *b, const struct gs_diff_told *t)
{
    size_t n = 0;
    const struct gs_diff_row *first = NULL;
    for (size_t i = 0; i < t->n; i++)
        if (has_tail(&t->row[i]))
            first = n++ == 0 ? &t->row[i] : first;
    if (n == 0)
        return;
    gs_buf_format(b,
                  "- Rows whose total changed otherwise than the typical span, by a few long ones "
                  "or a warm-up: %zu (first ",
                  n);
    put_group(b, t, first);
    gs_buf_text(b, "). --skip N leaves the first N of each GPU out; --fail-if 'total_duration>+5%' "
                   "looks at the total.\n");
}

static void put_limits(struct gs_buf *b, const struct gs_diff_told *t)
{
    size_t few = 0, clock = 0, width = 0, power = 0, named = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct gs_change *const c = &t->row[i].change;
        few += c->n[0] > 0 && c->n[1] > 0 && isnan(c->low);
        clock += t->row[i].verdict == GS_CHANGE_UNSURE && c->clock_decides;
        width += t->row[i].verdict == GS_CHANGE_UNSURE && c->width_decides;
        named += has_name(&t->row[i]);
        power += t->row[i].measure->kind == DIFF_ENERGY || t->row[i].measure->kind == DIFF_POWER;
    }
    if (power > 0)
        gs_buf_text(
            b, t->same_cards
                   ? "- Energy and power: gain, offset and lag are assumed to be the same, since "
                     "cards and power columns of A and B have the same names.\n"
                   : "- Energy and power: A and B have different sensors (cards or power "
                     "columns); their gain and offset widen the intervals.\n");
    const double gpus[2] = {t->gpus[0] / t->n_base, t->gpus[1] / t->n_new};
    if (gpus[0] != gpus[1] && gpus[0] > 0 && gpus[1] > 0)
        gs_buf_format(b, "- A run of A has %.6g GPU%s with samples, one of B %.6g.\n", gpus[0],
                      gpus[0] == 1 ? "" : "s", gpus[1]);
    if (few > 0)
        gs_buf_format(b, "- Rows with too few units for an interval (4, or 3 runs): %zu.\n", few);
    if (clock > 0)
        gs_buf_format(b, "- Rows that are unsure because of the resolution of the clock: %zu.\n",
                      clock);
    if (width > 0)
        gs_buf_format(b, "- Rows that are unsure because samples are too far apart%s: %zu.\n",
                      t->same_cards ? " or A and B rest differently between events"
                                    : " or sensors differ",
                      width);
    if (is_by(t, "gpu") && named == 0 && t->n > 0)
        gs_buf_text(b, "- No event names its GPU, so a row holds all GPUs. The logs of the GPUs "
                       "alone are compared by GPU.\n");
    put_tails(b, t);
}

bool gs_diff_say(const struct gs_diff_told *t, struct gs_arena *arena, const char **lead,
                 const char **below)
{
    struct gs_buf b = {.arena = arena}, limits = {.arena = arena};
    const struct gs_diff_row *said = main_row(t, DIFF_DURATION);
    if (said != NULL) {
        put_time(&b, t, said);
        put_energy(&b, beside(t, said, DIFF_ENERGY));
        if (t->o->by.per.len > 0)
            gs_buf_format(&b, ", for each of its %s", GS_SHOWN(t->o->by.per, 60));
        put_total(&b, t, said);
    } else if ((said = main_row(t, DIFF_POWER)) != NULL) {
        said = surer(t, said);
        put_power(&b, t, said);
    } else if (t->n > 0) {
        said = &t->row[0];
        gs_buf_text(&b, "B against A");
    } else {
        gs_buf_text(&b, "Nothing to compare");
    }
    put_rest(&b, t, said);
    if (!put_odd(&b, t))
        return false;
    put_runs(&limits, t);
    put_limits(&limits, t);
    if (b.failed || limits.failed)
        return false;
    *lead = b.ptr;
    *below = limits.len == 0 ? NULL : limits.ptr;
    return true;
}
