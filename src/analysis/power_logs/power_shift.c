/* power_shift.c - the offset between the clock of a log and that of stretches of time, found by correlation.
 */
#include <math.h>

#include "base/num/timestamp.h"
#include "analysis/power_logs/power_gpus.h"
#include "base/num/order.h"
#include "stats/descriptive/quantile.h"

struct reading {
    int64_t t_ns, value;
};

struct search {
    struct gs_arena scratch;
    int64_t *t, *before; /* [n], [n + 1]: times in order, and sums of the values before each */
    size_t n;
    gs_i128 sum, squares;
    struct gs_span *span; /* overlaps joined */
    size_t n_spans;
};

/* The best of a stretch of shifts, and how far its equally good neighbours reach. */
struct best {
    double r;
    int64_t first, last;
};

GS_COMPARES(compare_readings, struct reading, GS_BY(t_ns) GS_BY(value));

/*
 * The readings of one field over all GPUs, in hundredths: utilisation has none, power two decimals, and sums
 * then stay far inside 64 bits. False: out of memory.
 */
static bool gather(struct search *s, const struct gs_power_gpus *gpus, enum gs_log_field field)
{
    size_t n = 0;
    for (size_t k = 0; k < gpus->n; k++)
        n += gpus->gpu[k].log->n;
    struct reading *const all = gs_arena_take_raw(&s->scratch, n, sizeof *all);
    s->t = gs_arena_take_raw(&s->scratch, n, sizeof *s->t);
    s->before = gs_arena_take_raw(&s->scratch, n + 1, sizeof *s->before);
    if (all == NULL || s->t == NULL || s->before == NULL)
        return false;
    const int64_t unit = GS_FIXED_ONE / 100, most = INT64_C(1000000000);
    s->n = 0;
    for (size_t k = 0; k < gpus->n; k++) {
        const struct gs_log *const log = gpus->gpu[k].log;
        for (size_t i = 0; log->t_ns != NULL && log->value[field] != NULL && i < log->n; i++) {
            const int64_t v = log->value[field][i];
            if (v != GS_MISSING && v / unit <= most && v / unit >= -most)
                all[s->n++] = (struct reading){log->t_ns[i], v / unit};
        }
    }
    GS_SORT(all, s->n, compare_readings);
    s->sum = s->squares = 0;
    s->before[0] = 0;
    for (size_t i = 0; i < s->n; i++) {
        s->t[i] = all[i].t_ns;
        s->before[i + 1] = s->before[i] + all[i].value;
        s->sum += all[i].value;
        s->squares += (gs_i128)all[i].value * all[i].value;
    }
    return true;
}

static double spread(const struct search *s)
{
    return (double)((gs_i128)s->n * s->squares - s->sum * s->sum);
}

/*
 * Pearson's r of "in a span" with the values, from integers; -2 where all readings are in, or
 * none. Prefix sums make one shift cost two binary searches per span, not a pass over the
 * readings: the search tries thousands of shifts.
 */
static double correlation(const struct search *s, int64_t shift)
{
    gs_i128 inside_sum = 0;
    size_t inside = 0;
    for (size_t k = 0; k < s->n_spans; k++) {
        const size_t lo = gs_count_below(s->t, s->n, gs_time_moved(s->span[k].start_ns, shift));
        if (lo == s->n)
            break; /* spans are in order */
        const int64_t stop = gs_time_moved(s->span[k].stop_ns, shift);
        const size_t hi = stop == INT64_MAX ? s->n : gs_count_below(s->t, s->n, stop + 1);
        inside += hi - lo;
        inside_sum += s->before[hi] - s->before[lo];
    }
    if (inside == 0 || inside == s->n)
        return -2.0;
    /*
     * The difference cancels, so it is taken in integers; shifts with the same readings inside
     * give the same r to the last bit, which scan() relies on when it widens a plateau.
     */
    const double joint = (double)((gs_i128)s->n * inside_sum - s->sum * (gs_i128)inside);
    return joint / (sqrt(spread(s)) * sqrt((double)inside * (double)(s->n - inside)));
}

/* Looks at from, from + step ... to. */
static struct best scan(const struct search *s, int64_t from, int64_t to, int64_t step)
{
    struct best b = {.r = -3.0};
    bool reaching = false;
    for (int64_t at = from;; at += step) {
        const double r = correlation(s, at);
        if (r > b.r)
            b = (struct best){r, at, at};
        else if (r == b.r && reaching)
            b.last = at;
        reaching = r == b.r;
        /* Compared before adding, because at + step may pass INT64_MAX. */
        if (at > to - step)
            return b;
    }
}

/* A finer look at both ends of what is best so far; the middle of a wide stretch is known to be no worse. */
static struct best refine(const struct search *s, struct best b, int64_t around, int64_t step)
{
    if (b.last - b.first <= 2 * around)
        return scan(s, b.first - around, b.last + around, step);
    const struct best left = scan(s, b.first - around, b.first + around, step);
    const struct best right = scan(s, b.last - around, b.last + around, step);
    if (left.r > b.r || right.r > b.r)
        return left.r >= right.r ? left : right;
    if (left.r == b.r)
        b.first = left.first;
    if (right.r == b.r)
        b.last = right.last;
    return b;
}

/*
 * Overlapping spans would count their readings twice. The list comes ordered by start, which is
 * all that joining needs.
 */
static bool join_spans(struct search *s, const struct gs_span_list *spans)
{
    s->span = gs_arena_take_raw(&s->scratch, spans->n, sizeof *s->span);
    if (s->span == NULL)
        return false;
    for (size_t i = 0; i < spans->n; i++) {
        struct gs_span *const last = s->n_spans == 0 ? NULL : &s->span[s->n_spans - 1];
        if (last != NULL && spans->span[i].start_ns <= last->stop_ns) {
            if (spans->span[i].stop_ns > last->stop_ns)
                last->stop_ns = spans->span[i].stop_ns;
        } else {
            s->span[s->n_spans++] = spans->span[i];
        }
    }
    return true;
}

static enum gs_status search(struct search *s, struct best *found, struct gs_err *err)
{
    const double room = 4e18; /* ns: sums of such distances stay inside int64 */
    const int64_t first = s->t[0], last = s->t[s->n - 1];
    const int64_t begin = s->span[0].start_ns, end = s->span[s->n_spans - 1].stop_ns;
    const double log_span = (double)last - (double)first, span_span = (double)end - (double)begin;
    const double low = (double)first - (double)begin, high = (double)last - (double)end;
    if (fabs(low) > room || fabs(high) > room || log_span > room || span_span > room)
        return gs_fail(err, GS_ERR_RANGE,
                       "no shift found: windows and log are more than a century apart");
    const int64_t half = (int64_t)((gs_min(log_span, span_span)) / 2.0);
    /*
     * At least half of the shorter one must overlap: a shift that leaves only a few readings
     * inside can have a high r by chance.
     */
    const int64_t from = first + half - end, to = last - half - begin;
    GS_NEW_RAW(int64_t, steps, s->n, &s->scratch, err);
    const int64_t interval = gs_max(GS_NS_PER_MS, gs_median_step(s->t, s->n, steps));
    int64_t step = interval;
    const double most = fmin(20000.0, fmax(200.0, 2e7 / (double)s->n_spans));
    if ((double)(to - from) / (double)step > most)
        step = (int64_t)((double)(to - from) / most);
    struct best b = scan(s, from, to, step);
    while (step > interval / 16 && step > GS_NS_PER_MS / 8) {
        const int64_t around = step;
        step = gs_max(1, step / 8);
        b = refine(s, b, around, step);
    }
    if (b.r < -1.5)
        return gs_fail(err, GS_ERR_RANGE,
                       "no shift found: every reading lies inside the windows, or none does");
    *found = b;
    return GS_OK;
}

/* The middle of the equally good shifts, to the millisecond: logs know no better. */
static struct gs_power_shift middle(const struct search *s, struct best b, enum gs_log_field field)
{
    const int64_t at = b.first + (b.last - b.first) / 2;
    const int64_t half = at < 0 ? -GS_NS_PER_MS / 2 : GS_NS_PER_MS / 2;
    const int64_t rounded = (at + half) / GS_NS_PER_MS * GS_NS_PER_MS;
    return (struct gs_power_shift){rounded, correlation(s, rounded), field};
}

enum gs_status gs_power_find_shift(const struct gs_power_gpus *gpus,
                                   const struct gs_span_list *spans, struct gs_power_shift *shift,
                                   struct gs_err *err)
{
    static const enum gs_log_field tried[] = {GS_LOG_GPU_UTIL, GS_LOG_POWER};
    struct search s = {0};
    struct best b = {0};
    enum gs_status status = gs_had_memory(join_spans(&s, spans), err);
    bool found = false;
    for (size_t k = 0; k < 2 && status == GS_OK && !found; k++) {
        if (!gather(&s, gpus, tried[k])) {
            status = gs_fail_memory(err);
        } else if (s.n >= 3 && s.n_spans > 0 && spread(&s) > 0) {
            found = true;
            status = search(&s, &b, err);
            if (status == GS_OK)
                *shift = middle(&s, b, tried[k]);
        }
    }
    if (status == GS_OK && !found)
        status = gs_fail(err, GS_ERR_RANGE,
                         "no shift found: neither utilisation nor power varies over time");
    gs_arena_release(&s.scratch);
    return status;
}
