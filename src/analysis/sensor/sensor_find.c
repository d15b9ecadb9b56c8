/* sensor_find.c - what a log, a card's name and the command line tell about a sensor. */
#include <math.h>

#include "base/core/key_sort.h"
#include "base/num/timestamp.h"
#include "stats/descriptive/quantile.h"
#include "analysis/sensor/sensor.h"
#include "analysis/sensor/sensor_cards.h"
#include "base/num/order.h"
#include "base/num/whole.h"

/* Relative standard error of the scale in ppm, standard error of the zero in micro W. */
enum { CARD_PPM = 25000, OWN_PPM = 10000, METER_PPM = 5000 };
enum { CARD_UW = 4000000, OWN_UW = 2000000 };

/* What a period needs to be one: changes and different values, see section F. */
enum { LEAST_CHANGES = 10, LEAST_VALUES = 8 };
enum { LEAST_STEPS = 5 };
static const int64_t longest_period_ns = 2 * GS_NS_PER_S, unseen_period_ns = 100 * GS_NS_PER_MS;

static const int64_t assumed_window_ns = GS_NS_PER_S;

/* Readings that differ by less, of the largest, tell nothing of the window: it may be the sensor's own noise. */
static const double little_change = 0.2;

/* More than a GPU draws; a row of several GPUs may, but not of four times what it reads. */
static const double most_w = 2000.0;

/* A log slower than this repeats readings because they are rounded, not because the sensor rests. */
static const int64_t fast_log_ns = 50 * GS_NS_PER_MS;

/* The times between changes of the readings; says how many. */
static size_t list_rests(const struct gs_power_series *s, int64_t *rest)
{
    size_t n = 0;
    int64_t renewed = GS_MISSING;
    for (size_t i = 1; i < s->n; i++) {
        if (s->power[i] == s->power[i - 1])
            continue;
        if (renewed != GS_MISSING)
            rest[n++] = gs_difference(s->t_ns[i], renewed);
        renewed = s->t_ns[i];
    }
    return n;
}

/* How often readings repeat and whether that is a sensor. */
static enum gs_status judge_rests(const struct gs_power_series *s, const int64_t *rest,
                                  size_t n_rests, int64_t period, struct gs_arena *scratch,
                                  struct gs_sensor *out, struct gs_err *err)
{
    const int64_t quarter = period / 4, near = gs_max(out->interval_ns, quarter);
    GS_NEW_RAW(uint64_t, value, s->n, scratch, err);
    GS_NEW_RAW(uint64_t, spare, s->n, scratch, err);
    size_t n = 0, n_near = 0, n_values = 0, n_once = 0;
    for (size_t i = 1; i < s->n; i++)
        if (s->power[i] != s->power[i - 1])
            value[n++] = (uint64_t)s->power[i]; /* any order brings equal ones together */
    for (size_t i = 0; i < n_rests; i++) /* A hundredth more: a poll may come that much late. */
        n_near += fabs((double)rest[i] - (double)period) <= 1.01 * (double)near;
    /*
     * Chance changes of a noisy or rounded log are irregular; a sensor's are periodic. Three
     * quarters leave room for renewals that repeat the same value.
     */
    if (4 * n_near < 3 * n_rests)
        return GS_OK;
    gs_key_sort(value, spare, (uint32_t)n); /* qsort would take memory that nobody counts */
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && value[end] == value[i]; end++)
            continue;
        n_values++;
        n_once += end == i + 1;
    }
    if (n_values >= LEAST_VALUES && period <= longest_period_ns)
        out->rhythm = GS_RHYTHM_RENEWED;
    /*
     * No known sensor renews its reading less often than every 2 s, so a slower rhythm comes from
     * an exporter. Distinct values tell its point readings from a load that alternates between a
     * few levels.
     */
    else if (period > longest_period_ns && 2 * n_once >= n)
        out->rhythm = GS_RHYTHM_HELD;
    return GS_OK;
}

/* Interval, rhythm and period, which is 0 where nothing shows. */
static enum gs_status period_of(const struct gs_power_series *s, struct gs_arena *scratch,
                                struct gs_sensor *out, int64_t *period_ns, struct gs_err *err)
{
    GS_NEW_RAW(int64_t, room, s->n, scratch, err);
    const int64_t interval = gs_median_step(s->t_ns, s->n, room);
    size_t n_next = 0; /* renewals at the sample after one */
    bool just = false;
    *period_ns = 0;
    if (out->interval_ns <= 0)
        out->interval_ns = interval;
    for (size_t i = 1; i < s->n; i++) {
        const bool renewal = s->power[i] != s->power[i - 1];
        out->n_renewals += renewal;
        n_next += renewal && just;
        just = renewal;
    }
    /* Where most samples differ from the one before, the log is slower than the sensor and no period can show. */
    if (out->n_renewals < LEAST_CHANGES || 2 * n_next >= out->n_renewals)
        return GS_OK;
    const size_t n_rests = list_rests(s, room);
    const int64_t period = gs_median(room, n_rests);
    if ((double)period > 1.5 * (double)out->interval_ns)
        GS_TRY(judge_rests(s, room, n_rests, period, scratch, out, err));
    if (out->rhythm != GS_RHYTHM_PLAIN)
        *period_ns = period;
    return GS_OK;
}

enum gs_status gs_power_instants(struct gs_power_series *s, struct gs_arena *arena,
                                 struct gs_err *err)
{
    size_t i = 0, n = 0;
    for (int64_t before = GS_MISSING; i < s->n && s->power[i] != GS_MISSING && s->t_ns[i] != before;
         i++)
        before = s->t_ns[i];
    if (i == s->n)
        return GS_OK;
    GS_NEW_RAW(int64_t, t, s->n, arena, err);
    GS_NEW_RAW(int64_t, power, s->n, arena, err);
    for (size_t end = i = 0; i < s->n; i = end) {
        gs_i128 sum = 0;
        int64_t there = 0;
        for (end = i; end < s->n && s->t_ns[end] == s->t_ns[i]; end++) {
            sum += gs_or_zero(s->power[end]);
            there += s->power[end] != GS_MISSING;
        }
        if (there == 0)
            continue;
        t[n] = s->t_ns[i];
        power[n++] = (int64_t)gs_div_nearest(sum, there);
    }
    *s = (struct gs_power_series){n, t, power, s->range};
    return GS_OK;
}

/* Were the times cut to seconds? One alone tells nothing. */
static bool are_whole_seconds(const struct gs_power_series *s)
{
    size_t i = 0;
    while (i < s->n && s->t_ns[i] % GS_NS_PER_S == 0)
        i++;
    return i == s->n && s->n > 1 && s->t_ns[0] != s->t_ns[s->n - 1];
}

static double range_w(const struct gs_power_series *s)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (size_t i = 0; i < s->n; i++) {
        least = gs_min(s->power[i], least);
        most = gs_max(s->power[i], most);
    }
    return most < least ? 0.0 : ((double)most - (double)least) / (double)GS_FIXED_ONE;
}

/*
 * Does the reading move by half of the log's range within some time? A mean over 1 s cannot within
 * two periods of 100 ms. A reading that does so has a short window, whatever its column is called.
 */
static bool moves_at_once(const struct gs_power_series *s, int64_t within_ns)
{
    const double range = range_w(s) * (double)GS_FIXED_ONE;
    size_t j = 0;
    double best = 0;
    for (size_t i = 0; i < s->n; i++) {
        while (j + 1 < s->n && gs_difference(s->t_ns[j + 1], s->t_ns[i]) <= within_ns)
            j++;
        if (j > i)
            best = fmax(best, fabs((double)s->power[j] - (double)s->power[i]));
    }
    return range > 0.0 && best / range >= 0.5;
}

static double watts(int64_t power)
{
    return (double)power / (double)GS_FIXED_ONE;
}

/* The reading at an instant, straight between two of them; *i is where the last one was found, and only ascends. */
static bool reading_at(const struct gs_power_series *s, size_t *i, int64_t t, double *w)
{
    while (*i + 1 < s->n && s->t_ns[*i + 1] < t)
        (*i)++;
    if (*i + 1 >= s->n)
        return false;
    const double share =
        (double)gs_difference(t, s->t_ns[*i]) / (double)gs_difference(s->t_ns[*i + 1], s->t_ns[*i]);
    const double before = watts(s->power[*i]);
    *w = before + share * (watts(s->power[*i + 1]) - before);
    return true;
}

/*
 * Does the log show that its readings are no means over that window? Such a mean follows a step of the load as a ramp, so
 * within a part of the window it moves by no more than that part of the range. It moves at once only if a burst shorter
 * than that part comes in, and this it gives back a window later, when the burst goes out. So steps are looked for that are
 * nearer to the whole range than to the ramp's part of it, that last (no reading alone makes one), and that are not given
 * back: of at least LEAST_STEPS most. A load that is on for just a window gives back all; it tells something only where the
 * burst in its place would be one that no GPU draws.
 */
static bool refutes_mean(const struct gs_power_series *s, int64_t window_ns)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        least = fmin(least, watts(s->power[i]));
        most = fmax(most, watts(s->power[i]));
    }
    const double range = most - least, burst_w = fmax(most_w, 4.0 * most);
    size_t n = 0, n_back = 0, i = 1, before = 0, behind = 0;
    if (range < little_change * most)
        return false;
    for (size_t j = 2; j + 1 < s->n; j++) {
        while (i + 1 < j && gs_difference(s->t_ns[j], s->t_ns[i]) > window_ns / 8)
            i++;
        const double part = (double)gs_difference(s->t_ns[j], s->t_ns[i]) / (double)window_ns;
        const double step = watts(s->power[j]) - watts(s->power[i]), size = fabs(step);
        double was, is;
        if (part > 0.5 || size < range * (1.0 + part) / 2.0 ||
            2.0 * fabs(watts(s->power[i]) - watts(s->power[i - 1])) > size ||
            2.0 * fabs(watts(s->power[j + 1]) - watts(s->power[j])) > size)
            continue;
        if (!reading_at(s, &before, gs_time_moved(s->t_ns[i], window_ns), &was) ||
            !reading_at(s, &behind, gs_time_moved(s->t_ns[j], window_ns), &is))
            break;
        n++;
        n_back += (is - was) * copysign(1.0, step) <= -size / 4.0 && size <= burst_w * part;
        i = j;
    }
    return n >= LEAST_STEPS && 2 * n_back < n;
}

/* What the table says about a card and column. */
struct known {
    bool any;
    double period_ms, window_ms; /* NaN: not known, or the rows differ and the log does not tell */
    double gain, offset_w;       /* NaN: no row is good enough */
    uint32_t n_scale;
};

static bool is_long(double window_ms)
{
    return window_ms >= 500.0;
}

/* What the table has of one card, read through one column: of any column where none fits. */
struct choice {
    struct gs_str card;
    enum gs_power_column column;
    bool column_there, differ; /* differ: short and long windows are among them */
};

static bool is_chosen(const struct choice *w, const struct gs_sensor_card *c)
{
    return gs_sensor_card_is(c, w->card) && (!w->column_there || c->column == w->column);
}

static struct choice choose_cards(struct gs_str card, enum gs_power_column column)
{
    /*
     * An unknown column of a known card falls back to all rows of the card, rather than to an
     * unknown scale.
     */
    struct choice w = {.card = card, .column = column};
    bool shorts = false, longs = false;
    for (size_t i = 0; i < gs_n_sensor_cards; i++)
        w.column_there |=
            gs_sensor_card_is(&gs_sensor_cards[i], card) && gs_sensor_cards[i].column == column;
    for (size_t i = 0; i < gs_n_sensor_cards; i++) {
        const double ms = gs_sensor_card_window_ms(&gs_sensor_cards[i]);
        if (!is_chosen(&w, &gs_sensor_cards[i]) || isnan(ms))
            continue;
        shorts |= !is_long(ms);
        longs |= is_long(ms);
    }
    w.differ = shorts && longs;
    return w;
}

/* The means of what is known of a card. `shown`: 1 where the log shows a short window, 2 a long one, 0 nothing. */
static struct known lookup(struct gs_str card, enum gs_power_column column, int shown)
{
    struct known k = {false, (double)NAN, (double)NAN, (double)NAN, (double)NAN, 0};
    if (card.ptr == NULL)
        return k;
    const struct choice choice = choose_cards(card, column);
    double period = 0, window = 0, gain = 0, offset = 0;
    uint32_t n = 0, n_window = 0;
    for (size_t i = 0; i < gs_n_sensor_cards; i++) {
        const struct gs_sensor_card *const c = &gs_sensor_cards[i];
        const double w = gs_sensor_card_window_ms(c);
        const bool other = choice.differ && shown != 0 && !isnan(w) && is_long(w) != (shown == 2);
        if (other || !is_chosen(&choice, c))
            continue;
        n++;
        period += c->period_ms;
        if (!isnan(w)) {
            window += w;
            n_window++;
        }
        /*
         * A row whose line does not fit (r2 below 0.999) says nothing precise of gain and offset.
         * Its timing is still used.
         */
        if (c->r_squared >= 0.999) {
            gain += c->gain;
            offset += c->offset_w;
            k.n_scale++;
        }
    }
    k.any = n > 0;
    if (n > 0)
        k.period_ms = period / n;
    /*
     * Drivers of one card average over 100 ms or over 1 s. Where the log shows neither, the mean
     * of both would be a window that no driver has.
     */
    if (n_window > 0 && !(choice.differ && shown == 0))
        k.window_ms = window / n_window;
    if (k.n_scale > 0) {
        k.gain = gain / k.n_scale;
        k.offset_w = offset / k.n_scale;
    }
    return k;
}

static int64_t ns_of_ms(double ms)
{
    return (int64_t)nearbyint(ms * (double)GS_NS_PER_MS);
}

static void set_scale(struct gs_sensor *s, const struct gs_sensor_spec *said,
                      const struct known *card, const struct gs_power_series *series)
{
    s->gain = 1.0;
    if (!isnan(said->gain) || !isnan(said->offset_w)) {
        const double missed = isnan(said->r_squared) ? 0.0 : 1.0 - said->r_squared;
        s->gain = isnan(said->gain) ? 1.0 : said->gain;
        s->offset_w = isnan(said->offset_w) ? 0.0 : said->offset_w;
        s->scale_from = GS_SENSOR_GIVEN;
        s->gain_ppm = OWN_PPM;
        s->offset_uw = OWN_UW;
        /*
         * An imperfect calibration line leaves (1 - r2) of the variance unexplained. It is charged
         * to the zero, at the size of the log's own half range, and limited so that the cast is
         * defined.
         */
        if (missed > 0.0) {
            const double spread = range_w(series) / (2.0 * s->gain),
                         own = (double)OWN_UW / (double)GS_FIXED_ONE;
            s->offset_uw =
                (int64_t)nearbyint(1e6 * fmin(sqrt(own * own + missed * spread * spread), 1e6));
        }
    } else if (card->n_scale > 0) {
        s->gain = card->gain;
        s->offset_w = card->offset_w;
        s->scale_from = GS_SENSOR_CARD;
        s->card_rows = card->n_scale;
        s->gain_ppm = CARD_PPM;
        s->offset_uw = CARD_UW;
    }
}

bool gs_sensor_window_known(const struct gs_sensor *s)
{
    return s->window_from == GS_SENSOR_CARD || s->window_from == GS_SENSOR_GIVEN ||
           s->window_from == GS_SENSOR_METER;
}

bool gs_sensor_in_sight(const struct gs_sensor *s)
{
    return s->period_from != GS_SENSOR_UNKNOWN ||
           (s->interval_ns > 0 && s->interval_ns < fast_log_ns);
}

bool gs_sensor_looks_aside(const struct gs_sensor *s)
{
    return gs_sensor_is_cut(s) || (s->rhythm != GS_RHYTHM_COUNTED &&
                                   (gs_sensor_in_sight(s) || s->interval_ns <= s->reach_ns));
}

void gs_sensor_set_window(struct gs_sensor *s, int64_t window_ns, int64_t delay_ns,
                          enum gs_sensor_source from)
{
    const bool shows = s->rhythm == GS_RHYTHM_RENEWED, given = s->period_from == GS_SENSOR_GIVEN;
    int64_t period = unseen_period_ns;
    if (from == GS_SENSOR_METER)
        period = 0;
    else if (shows || given)
        period = s->period_ns;
    /* A sample stands for a period where that shows, else for as long as sensors usually take. */
    int64_t sees = unseen_period_ns;
    if (from == GS_SENSOR_METER)
        sees = 0;
    else if (shows)
        sees = s->interval_ns;
    s->window_ns = window_ns;
    s->window_from = from;
    s->delay_ns = delay_ns;
    /*
     * A reading lags by half its window, and it is on average half a period old when it is logged.
     */
    s->shift_ns = delay_ns + (period + window_ns) / 2;
    s->reach_ns = period + window_ns;
    s->unseen_ns = from != GS_SENSOR_UNKNOWN && window_ns > sees ? window_ns - sees : 0;
    if (from == GS_SENSOR_UNKNOWN) /* between none and a mean over a second */
        s->shift_ns = delay_ns + (window_ns < assumed_window_ns ? 100 : 300) * GS_NS_PER_MS;
    else if (from == GS_SENSOR_LOG && !shows) /* the log tells the most that it may be */
        s->shift_ns -= window_ns / 4;
    if (s->rhythm == GS_RHYTHM_COUNTED) { /* no mean: it lags by half of what renews it */
        s->shift_ns = delay_ns + unseen_period_ns / 2;
        s->reach_ns = unseen_period_ns;
    }
    if (s->rhythm == GS_RHYTHM_HELD) { /* seen up to an interval late */
        s->shift_ns += s->interval_ns / 2;
        s->reach_ns += s->interval_ns;
    }
    if (s->log_cut_ns > 0) {
        /*
         * Times cut to seconds are 0.5 s early on average, so the log is looked at that much
         * earlier. The edge is uncertain by the second itself and half of one more.
         */
        s->shift_ns -= GS_NS_PER_S / 2;
        s->reach_ns += GS_NS_PER_S + GS_NS_PER_S / 2;
    }
}

/* The window and where it is known from. */
static int64_t find_window(const struct gs_sensor *s, const struct gs_sensor_spec *said,
                           const struct gs_sensor_hint *hint, const struct known *card,
                           bool at_once, enum gs_sensor_source *from)
{
    const bool instant = hint->column == GS_COLUMN_INSTANT;
    /*
     * The order is that of trust: what the user states, an instrument, the table of cards, the
     * log, an assumption.
     */
    *from = GS_SENSOR_GIVEN;
    if (said->window_ns >= 0)
        return said->window_ns;
    *from = GS_SENSOR_METER;
    if (gs_sensor_is_meter(hint->card))
        return s->interval_ns;
    *from = GS_SENSOR_CARD;
    if (!isnan(card->window_ms))
        return ns_of_ms(card->window_ms);
    *from = GS_SENSOR_LOG;
    if (s->rhythm == GS_RHYTHM_RENEWED)
        return instant || at_once ? s->period_ns : assumed_window_ns;
    if (at_once)
        return unseen_period_ns;
    *from = GS_SENSOR_UNKNOWN;
    return instant ? unseen_period_ns : assumed_window_ns;
}

/* Is the window short, as the steps of the log show? The period where that shows, else 100 ms at most. */
static bool has_short_window(const struct gs_power_series *series,
                             const struct gs_sensor_hint *hint, const struct gs_sensor *s,
                             int64_t seen)
{
    /* Of a window that was told, and of an instant column, nothing is asked. */
    if (s->rhythm != GS_RHYTHM_PLAIN || s->interval_ns > assumed_window_ns / 2 ||
        hint->column == GS_COLUMN_INSTANT || (hint->spec != NULL && hint->spec->window_ns >= 0))
        return seen > 0 && moves_at_once(series, 2 * seen);
    return refutes_mean(series, assumed_window_ns);
}

/* What was said or seen goes before what is known of the card, which says nothing of a held reading. */
static void set_period(struct gs_sensor *s, const struct gs_sensor_spec *said, int64_t seen,
                       const struct known *card)
{
    if (seen > 0) {
        s->period_from = said->period_ns > 0 ? GS_SENSOR_GIVEN : GS_SENSOR_LOG;
        s->period_ns = seen;
    } else if (!isnan(card->window_ms) && s->rhythm == GS_RHYTHM_PLAIN) {
        s->period_from = GS_SENSOR_CARD;
        s->period_ns = ns_of_ms(card->period_ms);
    }
}

/* What the log shows of the window, as lookup takes it. */
static int shown_window(bool at_once, enum gs_power_column column, int64_t seen)
{
    if (at_once || (seen != 0 && column == GS_COLUMN_INSTANT))
        return 1;
    return seen != 0 ? 2 : 0;
}

enum gs_status gs_sensor_find(const struct gs_power_series *series,
                              const struct gs_sensor_hint *hint, struct gs_arena *scratch,
                              struct gs_sensor *sensor, struct gs_err *err)
{
    static const struct gs_sensor_spec unsaid = GS_SENSOR_UNSAID;
    const struct gs_sensor_spec *const said = hint->spec != NULL ? hint->spec : &unsaid;
    struct gs_sensor s = {.interval_ns = hint->interval_ns, .gain = 1.0};
    const bool counted = hint->column == GS_COLUMN_COUNTER;
    int64_t shows;
    GS_REWINDS(scratch);
    GS_TRY(period_of(series, scratch, &s, &shows, err));
    /*
     * A stated period changes what repeated readings mean, unless an exporter holds them: the log
     * is then slower than any sensor.
     */
    if (said->period_ns > 0 && s.rhythm != GS_RHYTHM_HELD)
        s.rhythm = (double)said->period_ns > 1.5 * (double)s.interval_ns ? GS_RHYTHM_RENEWED
                                                                         : GS_RHYTHM_PLAIN;
    int64_t seen = 0;
    if (counted)
        s.rhythm = GS_RHYTHM_COUNTED;
    else if (said->period_ns > 0)
        seen = said->period_ns;
    else if (s.rhythm == GS_RHYTHM_RENEWED)
        seen = shows;
    const bool at_once = has_short_window(series, hint, &s, seen);
    /* The table's cards were measured by their power, whose scale a counter need not have. */
    const struct known card = lookup(counted ? (struct gs_str){NULL, 0} : hint->card, hint->column,
                                     shown_window(at_once, hint->column, seen));
    s.counted_step = hint->counted_step;
    s.log_cut_ns = are_whole_seconds(series) ? GS_NS_PER_S : 0;
    s.period_ns = s.rhythm == GS_RHYTHM_HELD ? shows : s.interval_ns;
    set_period(&s, said, seen, &card);
    if (said->delay_ns >= 0)
        s.delay_from = GS_SENSOR_GIVEN;
    enum gs_sensor_source from;
    const int64_t window = find_window(&s, said, hint, &card, at_once, &from);
    gs_sensor_set_window(&s, window, gs_max(said->delay_ns, 0), from);
    set_scale(&s, said, &card, series);
    /* A stated gain wins over the instrument's accuracy: the user may have calibrated it. */
    if (s.scale_from == GS_SENSOR_UNKNOWN && gs_sensor_is_meter(hint->card)) {
        s.scale_from = GS_SENSOR_METER;
        s.gain_ppm = METER_PPM;
        s.offset_uw = 0;
    }
    s.unlisted = s.scale_from == GS_SENSOR_UNKNOWN && hint->card.len > 0 && !card.any;
    *sensor = s;
    return GS_OK;
}
