/* sensor_find.c - what a log, a card's name and the command line tell about a sensor. */
#include <math.h>
#include <string.h>

#include "num/timestamp.h"
#include "stats/quantile.h"
#include "sensor/sensor.h"
#include "sensor/sensor_cards.h"

/* Relative standard error of the scale in ppm, standard error of the zero in micro W. */
enum { UNKNOWN_PPM = 45000, CARD_PPM = 25000, OWN_PPM = 10000, METER_PPM = 5000 };
enum { UNKNOWN_UW = 10000000, CARD_UW = 4000000, OWN_UW = 2000000 };

static const int64_t assumed_window_ns = GS_NS_PER_S;
static const double nearly_all = 0.9;

/* A log slower than this repeats readings because they are rounded, not because the sensor rests. */
static const int64_t fast_log_ns = 50 * GS_NS_PER_MS;

static int64_t difference(int64_t from, int64_t to)
{
    int64_t d;
    return __builtin_sub_overflow(to, from, &d) ? INT64_MAX : d;
}

/*
 * Most steps of a log are the same few: the middle of some of them is mostly that of all, which one look at
 * all of them proves.
 */
static bool guess_median(const int64_t *v, size_t n, int64_t *median)
{
    enum { SOME = 15 };
    int64_t some[SOME];
    size_t less = 0, same = 0;
    if (n < 4 * SOME)
        return false;
    for (size_t i = 0; i < SOME; i++) {
        const int64_t x = v[i * (n / SOME)];
        size_t k = i;
        for (; k > 0 && some[k - 1] > x; k--)
            some[k] = some[k - 1];
        some[k] = x;
    }
    const int64_t guess = some[SOME / 2];
    for (size_t i = 0; i < n; i++) {
        less += v[i] < guess;
        same += v[i] == guess;
    }
    *median = guess;
    return less <= (n - 1) / 2 && n / 2 < less + same;
}

static int64_t median_of(int64_t *v, size_t n)
{
    double m;
    int64_t guess;
    if (guess_median(v, n, &guess))
        return guess;
    if (n == 0 || gs_quantiles(v, n, &GS_PROB_MEDIAN, 1, 1, &m, NULL) != GS_OK)
        return 0;
    return m < 9e18 ? (int64_t)m : INT64_MAX;
}

struct rhythm {
    size_t n_steps, n_renewals, n_next; /* n_next: renewals at the sample after a renewal */
    int64_t *step, *between;
};

static void listen(const struct gs_power_series *s, struct rhythm *r)
{
    int64_t last_t = 0, last_p = GS_MISSING, renewed = GS_MISSING;
    bool just = false;
    for (size_t i = 0; i < s->n; i++) {
        const int64_t t = s->t_ns[i], p = s->power[i];
        if (p == GS_MISSING || (last_p != GS_MISSING && t == last_t))
            continue;
        if (last_p != GS_MISSING) {
            const bool now = p != last_p;
            r->step[r->n_steps++] = difference(last_t, t);
            if (now && renewed != GS_MISSING) {
                r->between[r->n_renewals - 1] = difference(renewed, t);
                r->n_next += just;
            }
            r->n_renewals += now;
            renewed = now ? t : renewed;
            just = now;
        }
        last_t = t;
        last_p = p;
    }
}

/* Steps and rests of the readings; the period where it shows, else 0. */
static enum gs_status period_of(const struct gs_power_series *s, struct gs_arena *scratch, struct gs_sensor *out,
                                int64_t *period_ns, struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    struct rhythm r = {0};
    r.step = gs_arena_take_raw(scratch, s->n, sizeof *r.step);
    r.between = gs_arena_take_raw(scratch, s->n, sizeof *r.between);
    *period_ns = 0;
    if (r.step == NULL || r.between == NULL) {
        gs_arena_rewind(scratch, mark);
        return gs_fail_memory(err);
    }
    listen(s, &r);
    if (out->interval_ns <= 0)
        out->interval_ns = median_of(r.step, r.n_steps);
    out->n_renewals = r.n_renewals;
    const size_t n = r.n_renewals < 2 ? 0 : r.n_renewals - 1;
    if (n >= 5 && 2 * r.n_next <= n && (out->interval_ns < fast_log_ns || 10 * r.n_next <= n)) {
        const int64_t period = median_of(r.between, n);
        *period_ns = (double)period >= 1.5 * (double)out->interval_ns ? period : 0;
    }
    gs_arena_rewind(scratch, mark);
    return GS_OK;
}

enum gs_status gs_sensor_rhythm(const struct gs_power_series *series, struct gs_arena *scratch, int64_t *interval_ns,
                                int64_t *period_ns, struct gs_err *err)
{
    struct gs_sensor sensor = {0};
    const enum gs_status s = period_of(series, scratch, &sensor, period_ns, err);
    *interval_ns = sensor.interval_ns;
    return s;
}

static double range_w(const struct gs_power_series *s)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (size_t i = 0; i < s->n; i++)
        if (s->power[i] != GS_MISSING) {
            least = s->power[i] < least ? s->power[i] : least;
            most = s->power[i] > most ? s->power[i] : most;
        }
    return most < least ? 0.0 : ((double)most - (double)least) / (double)GS_FIXED_ONE;
}

/* The most by which the reading moves within some time, as a share of the log's range. */
static double moves_within(const struct gs_power_series *s, int64_t within_ns, double range)
{
    size_t j = 0;
    double best = 0;
    for (size_t i = 0; i < s->n; i++) {
        while (j + 1 < s->n && difference(s->t_ns[i], s->t_ns[j + 1]) <= within_ns)
            j++;
        if (j > i && s->power[i] != GS_MISSING && s->power[j] != GS_MISSING)
            best = fmax(best, fabs((double)s->power[j] - (double)s->power[i]));
    }
    return best / range;
}

/*
 * The longest window that a log does not exclude whose readings rise by half of their range within two periods. What
 * raises a mean leaves it a window later, not before, and alone leaves it then: where every rise lasts longer than a
 * second nothing but a short window shows it, and where one lasts less no window is longer than that.
 * 0: not longer than the two periods.
 */
static int64_t longest_window(const struct gs_power_series *s, int64_t period_ns)
{
    const int64_t *const t = s->t_ns, *const p = s->power;
    const double half = range_w(s) * (double)GS_FIXED_ONE / 2.0;
    if (period_ns > INT64_MAX / 16)
        return 0;
    const int64_t over = assumed_window_ns + period_ns;
    int64_t least = INT64_MAX;
    for (size_t i = 0, j = 0; i < s->n; i++) {
        while (j + 1 < s->n && difference(t[i], t[j + 1]) <= 2 * period_ns)
            j++;
        if (j <= i || p[i] == GS_MISSING || p[j] == GS_MISSING || p[j] <= p[i] || (double)difference(p[i], p[j]) < half)
            continue;
        const int64_t middle = p[i] + difference(p[i], p[j]) / 2;
        size_t up = i + 1, end;
        while (p[up] == GS_MISSING || p[up] < middle)
            up++;
        for (end = j + 1; end < s->n && (p[end] == GS_MISSING || p[end] >= middle); end++)
            if (difference(t[up], t[end]) > over)
                break;
        if (end < s->n && difference(t[up], t[end]) < least)
            least = difference(t[up], t[end]);
        i = up;
    }
    return least <= 2 * period_ns || least > over ? 0 : least;
}

/*
 * The window that a step of the load shows: a reading that is the mean over w moves by T / w of the step at every
 * renewal. Half of the log's range within two periods: the window is one. Else, where k periods take half of the range
 * and twice as many nearly all of it, the reading went up or down straight, and w lies between 2 (k - 1) T and 2 k T.
 * 0: no step shows.
 */
static int64_t window_of_a_step(const struct gs_power_series *s, int64_t period_ns)
{
    const double range = range_w(s) * (double)GS_FIXED_ONE;
    int64_t low = 2, high = assumed_window_ns / period_ns;
    if (!(range > 0.0) || period_ns > INT64_MAX / 2)
        return 0;
    if (moves_within(s, 2 * period_ns, range) >= 0.5)
        return period_ns;
    if (high <= low || moves_within(s, high * period_ns, range) < 0.5)
        return 0;
    while (high - low > 1) {
        const int64_t k = low + (high - low) / 2;
        if (moves_within(s, k * period_ns, range) >= 0.5)
            high = k;
        else
            low = k;
    }
    if (moves_within(s, 2 * high * period_ns, range) < nearly_all)
        return 0;
    const int64_t window = (2 * high - 1) * period_ns;
    return window + 3 * period_ns >= assumed_window_ns ? assumed_window_ns : window;
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

/* `shown`: 1 where the log shows a short window, 2 a long one, 0 nothing. */
static struct known look_up(struct gs_str card, enum gs_power_column column, int shown)
{
    struct known k = {false, (double)NAN, (double)NAN, (double)NAN, (double)NAN, 0};
    bool column_there = false, shorts = false, longs = false;
    if (card.ptr == NULL)
        return k;
    for (size_t i = 0; i < gs_n_sensor_cards; i++) {
        const struct gs_sensor_card *const c = &gs_sensor_cards[i];
        column_there |= gs_sensor_card_is(c, card) && c->column == column;
    }
    for (size_t i = 0; i < gs_n_sensor_cards; i++) {
        const struct gs_sensor_card *const c = &gs_sensor_cards[i];
        if (!gs_sensor_card_is(c, card) || (column_there && c->column != column))
            continue;
        const double w = gs_sensor_card_window_ms(c);
        shorts |= !isnan(w) && !is_long(w);
        longs |= !isnan(w) && is_long(w);
    }
    const bool differ = shorts && longs;
    double period = 0, window = 0, gain = 0, offset = 0;
    uint32_t n = 0, n_window = 0;
    for (size_t i = 0; i < gs_n_sensor_cards; i++) {
        const struct gs_sensor_card *const c = &gs_sensor_cards[i];
        const double w = gs_sensor_card_window_ms(c);
        if (!gs_sensor_card_is(c, card) || (column_there && c->column != column) ||
            (differ && shown != 0 && !isnan(w) && is_long(w) != (shown == 2)))
            continue;
        k.any = true;
        n++;
        period += c->period_ms;
        if (!isnan(w)) {
            window += w;
            n_window++;
        }
        if (c->r_squared >= 0.999) {
            gain += c->gain;
            offset += c->offset_w;
            k.n_scale++;
        }
    }
    if (n > 0)
        k.period_ms = period / n;
    if (n_window > 0 && !(differ && shown == 0))
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

static void set_scale(struct gs_sensor *s, const struct gs_sensor_spec *said, const struct known *card,
                      const struct gs_power_series *series)
{
    s->gain = 1.0;
    s->gain_ppm = UNKNOWN_PPM;
    s->offset_uw = UNKNOWN_UW;
    if (!isnan(said->gain) || !isnan(said->offset_w)) {
        const double missed = isnan(said->r_squared) ? 0.0 : 1.0 - said->r_squared;
        s->gain = isnan(said->gain) ? 1.0 : said->gain;
        s->offset_w = isnan(said->offset_w) ? 0.0 : said->offset_w;
        s->scale_from = GS_SENSOR_GIVEN;
        s->gain_ppm = OWN_PPM;
        s->offset_uw = OWN_UW;
        if (missed > 0.0) {
            const double spread = range_w(series) / (2.0 * s->gain), own = (double)OWN_UW / (double)GS_FIXED_ONE;
            s->offset_uw = (int64_t)nearbyint(1e6 * fmin(sqrt(own * own + missed * spread * spread), 1e6));
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
    return s->window_from == GS_SENSOR_CARD || s->window_from == GS_SENSOR_GIVEN || s->window_from == GS_SENSOR_METER;
}

bool gs_sensor_in_sight(const struct gs_sensor *s)
{
    return s->period_from != GS_SENSOR_UNKNOWN || (s->interval_ns > 0 && s->interval_ns < fast_log_ns);
}

void gs_sensor_set_window(struct gs_sensor *s, int64_t window_ns, int64_t delay_ns, enum gs_sensor_source from)
{
    const int64_t longer = s->period_ns > s->interval_ns ? s->period_ns : s->interval_ns;
    s->window_ns = window_ns;
    s->longest_ns = 0;
    s->window_from = from;
    s->delay_ns = delay_ns;
    s->shift_ns = delay_ns;
    if (s->period_from != GS_SENSOR_UNKNOWN)
        s->shift_ns += s->period_ns / 2 + window_ns / 2;
    else if (from != GS_SENSOR_UNKNOWN)
        s->shift_ns += window_ns / 2;
    if (__builtin_add_overflow(longer, window_ns, &s->reach_ns))
        s->reach_ns = INT64_MAX;
}

enum gs_status gs_sensor_find(const struct gs_power_series *series, const struct gs_sensor_hint *hint,
                              struct gs_arena *scratch, struct gs_sensor *sensor, struct gs_err *err)
{
    static const struct gs_sensor_spec unsaid = GS_SENSOR_UNSAID;
    const struct gs_sensor_spec *const said = hint->spec != NULL ? hint->spec : &unsaid;
    const bool instant = hint->column == GS_COLUMN_INSTANT;
    struct gs_sensor s = {.interval_ns = hint->interval_ns, .gain = 1.0};
    int64_t shows;
    const enum gs_status status = period_of(series, scratch, &s, &shows, err);
    if (status != GS_OK)
        return status;
    const int64_t seen = said->period_ns > 0 ? said->period_ns : shows;
    const int64_t rest = seen > 0 ? seen : s.interval_ns;
    const int64_t shown = rest > 0 && (seen > 0 || instant) ? window_of_a_step(series, rest) : 0;
    const bool at_once = shown == rest && seen > 0;
    const struct known card = look_up(hint->card, hint->column, seen == 0 ? 0 : at_once || instant ? 1 : 2);
    s.period_from = said->period_ns > 0      ? GS_SENSOR_GIVEN
                    : shows > 0              ? GS_SENSOR_LOG
                    : !isnan(card.window_ms) ? GS_SENSOR_CARD
                                             : GS_SENSOR_UNKNOWN;
    s.period_ns = seen > 0 ? seen : s.period_from == GS_SENSOR_CARD ? ns_of_ms(card.period_ms) : s.interval_ns;
    int64_t longest = 0;
    s.window_from = GS_SENSOR_LOG;
    if (said->window_ns >= 0) {
        s.window_ns = said->window_ns;
        s.window_from = GS_SENSOR_GIVEN;
    } else if (gs_sensor_is_meter(hint->card)) {
        s.window_ns = s.interval_ns;
        s.window_from = GS_SENSOR_METER;
    } else if (!isnan(card.window_ms)) {
        s.window_ns = ns_of_ms(card.window_ms);
        s.window_from = GS_SENSOR_CARD;
    } else if (instant && shown > rest) {
        s.window_ns = shown;
    } else if (s.period_from == GS_SENSOR_UNKNOWN) {
        s.window_ns = instant ? 0 : assumed_window_ns;
        s.window_from = GS_SENSOR_UNKNOWN;
        longest = instant ? s.interval_ns : 0; /* a mean since the reading before at most, or the period would show */
    } else {
        s.window_ns = instant || at_once ? s.period_ns : assumed_window_ns;
        longest = at_once && !instant ? longest_window(series, rest) : 0;
    }
    if (said->delay_ns >= 0)
        s.delay_from = GS_SENSOR_GIVEN;
    gs_sensor_set_window(&s, s.window_ns, said->delay_ns > 0 ? said->delay_ns : 0, s.window_from);
    if (longest > s.window_ns) {
        s.longest_ns = longest;
        s.reach_ns += longest - s.window_ns;
    }
    set_scale(&s, said, &card, series);
    if (s.scale_from == GS_SENSOR_UNKNOWN && gs_sensor_is_meter(hint->card)) {
        s.scale_from = GS_SENSOR_METER;
        s.gain_ppm = METER_PPM;
        s.offset_uw = 0;
    }
    *sensor = s;
    return GS_OK;
}
