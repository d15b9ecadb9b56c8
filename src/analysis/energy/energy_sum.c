/* energy_sum.c - sums of energies: merged, told as an interval, and in words. */
#include <math.h>
#include <stdio.h>

#include "analysis/sensor/sensor_cards.h"
#include "analysis/energy/energy.h"
#include "base/num/dd.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"

static const double wide = 0.1, few_pct = 1.0;

void gs_energy_sum_merge(struct gs_energy_sum *sum, const struct gs_energy_sum *o)
{
    /*
     * Every field is an integer sum, so merging is associative and commutative: the bytes of a
     * result do not depend on threads or shards. A new field must be added here, in
     * gs_energy_sum_portion and in the code that saves a state.
     */
    sum->energy += o->energy;
    sum->bridged += o->bridged;
    sum->time_ns += o->time_ns;
    sum->covered_ns += o->covered_ns;
    sum->scale += o->scale;
    sum->zero += o->zero;
    sum->unknown += o->unknown;
    sum->unknown_ns += o->unknown_ns;
    sum->own_uj2 += o->own_uj2;
    sum->sampling_uj2 += o->sampling_uj2;
    sum->edges_uj2 += o->edges_uj2;
    sum->edges += o->edges;
    sum->blind += o->blind;
    sum->n += o->n;
    sum->n_cut += o->n_cut;
    sum->n_whole += o->n_whole;
    sum->n_refused += o->n_refused;
}

struct gs_energy_sum gs_energy_sum_portion(const struct gs_energy_sum *window, uint32_t k,
                                           uint32_t i)
{
    struct gs_energy_sum s = *window;
    /*
     * Energies and signed errors divide by k. Variances divide by k squared: the parts of one
     * window carry one error, they are not k independent ones.
     */
    gs_i128 *const linear[] = {&s.energy, &s.bridged, &s.time_ns,    &s.covered_ns, &s.scale,
                               &s.zero,   &s.unknown, &s.unknown_ns, &s.edges,      &s.blind};
    gs_i128 *const squares[] = {&s.own_uj2, &s.sampling_uj2, &s.edges_uj2};
    for (size_t f = 0; f < sizeof linear / sizeof *linear; f++)
        *linear[f] = gs_energy_portion(*linear[f], k, i);
    for (size_t f = 0; f < sizeof squares / sizeof *squares; f++)
        *squares[f] /= (gs_i128)k * k;
    return s;
}

/*
 * As gs_ratio rounds, in fewer steps: GS_ENERGY_PER_J is 2^16 5^15, so that up to 10^15 J a quotient lies no nearer to the
 * middle of two doubles than 2^-52 of their distance.
 */
double gs_energy_j(gs_i128 energy)
{
    const double den = (double)GS_ENERGY_PER_J;
    const struct gs_dd num = gs_dd_of_int(energy);
    const double q = num.hi / den;
    return q + (fma(-q, den, num.hi) + num.lo) / den;
}

double gs_energy_coverage_pct(const struct gs_energy_sum *sum, gs_i128 window_ns)
{
    /* At the border of a range an event whose time was cut may have half a second more than its window. */
    return gs_ratio(100 * gs_min(sum->covered_ns, window_ns), window_ns);
}

double gs_energy_power_w(const struct gs_energy_sum *sum)
{
    if (sum->time_ns <= 0)
        return (double)NAN;
    return gs_dd_to_double(gs_dd_div(gs_dd_ratio(sum->energy, GS_ENERGY_PER_J),
                                     gs_dd_ratio(sum->time_ns, GS_NS_PER_S)));
}

/*
 * A 17th card lies inside the largest error of 16 with a probability of 16 in 17. The maximum is
 * taken of the whole fleet's energy at once. Cards of an unknown model are assumed to be one
 * model, whose gain and offset err alike on all of them.
 */
static double largest_error_j(double energy_j, double time_s)
{
    double most = 0.0;
    for (size_t m = 0; m < gs_n_sensor_models; m++) {
        const struct gs_sensor_model *const x = &gs_sensor_models[m];
        most = fmax(most, fabs(energy_j - (energy_j - x->offset_w * time_s) / x->gain));
    }
    return most;
}

static struct gs_energy_halves halves_of(const struct gs_energy_sum *s)
{
    const double scale = gs_energy_j(s->scale), zero = gs_energy_j(s->zero);
    const double edges = gs_energy_j(s->edges), blind = gs_energy_j(s->blind);
    const double unknown =
        largest_error_j(gs_energy_j(s->unknown), gs_ratio(s->unknown_ns, GS_NS_PER_S));
    /*
     * The factor 4 is 2 standard errors, squared. `unknown` and `blind` are bounds, not standard
     * errors, and have no such factor.
     */
    return (struct gs_energy_halves){
        .card_j2 = unknown * unknown + 4.0 * (double)s->own_uj2 * 1e-12 +
                   4.0 * (scale * scale + zero * zero),
        .sampling_j2 = 4.0 * (double)s->sampling_uj2 * 1e-12,
        /* Edges have nothing to do with each other, or, as events begin when the load does, all err alike. */
        .edges_j2 = 4.0 * fmax((double)s->edges_uj2 * 1e-12, edges * edges),
        .blind_j2 = blind * blind,
    };
}

static double half_of(const struct gs_energy_sum *s)
{
    const struct gs_energy_halves h = halves_of(s);
    double half_j2 = h.card_j2 + h.sampling_j2 + h.edges_j2 + h.blind_j2;
    /* Of events that are shorter than a second that was cut off, all of the load may be theirs, and they may be longer. */
    if (s->n_whole > 0)
        half_j2 += 2.0 * sqrt(h.edges_j2 * h.blind_j2);
    return sqrt(half_j2);
}

bool gs_energy_is_refused(const struct gs_energy_sum *s)
{
    /*
     * One refused window is enough, because the hidden part of a repeated event has no bound. A
     * cut window misses only its own outside part, so fewer than one in a hundred are tolerated.
     */
    return s->n_refused > 0 || (s->n_cut > 0 && 100 * s->n_cut >= s->n);
}

void gs_energy_interval(const struct gs_energy_sum *s, double *low_j, double *high_j)
{
    *low_j = *high_j = (double)NAN;
    if (s->time_ns == 0 || gs_energy_is_refused(s))
        return;
    const double value = gs_energy_j(s->energy), half = half_of(s);
    /*
     * A GPU gives no energy back, so a positive energy has no negative lower end. A negative one
     * comes from negative readings and is shown as it is.
     */
    *low_j = value - half;
    if (value >= 0.0)
        *low_j = gs_max(0.0, *low_j);
    *high_j = value + half;
}

void gs_energy_interval_between(const struct gs_energy_sum *s, gs_i128 least, gs_i128 most,
                                double *low_j, double *high_j)
{
    const double value = gs_energy_j(s->energy);
    double low, high;
    gs_energy_interval(s, &low, &high);
    *low_j = gs_energy_j(least) - (value - low);
    if (value >= 0.0)
        *low_j = gs_max(0.0, *low_j);
    *high_j = gs_energy_j(most) + (high - value);
}

double gs_energy_half_between(const struct gs_energy_sum *a, const struct gs_energy_sum *b)
{
    if (a->energy > b->energy)
        return gs_energy_half_between(b, a);
    if (a->energy <= 0)
        return 0.0;
    /* The greater is taken down to the other: a shared mistake is left by what its shares differ, others add up. */
    const double r = gs_energy_j(a->energy) / gs_energy_j(b->energy);
    struct gs_energy_sum apart = {.n_whole = a->n_whole + b->n_whole};
    apart.scale = a->scale - (gs_i128)((double)b->scale * r);
    apart.zero = a->zero - (gs_i128)((double)b->zero * r);
    apart.unknown = a->unknown - (gs_i128)((double)b->unknown * r);
    apart.unknown_ns = a->unknown_ns - (gs_i128)((double)b->unknown_ns * r);
    apart.edges = a->edges - (gs_i128)((double)b->edges * r);
    apart.sampling_uj2 = a->sampling_uj2 + (gs_i128)((double)b->sampling_uj2 * r * r);
    apart.edges_uj2 = a->edges_uj2 + (gs_i128)((double)b->edges_uj2 * r * r);
    apart.blind = (gs_i128)hypot((double)a->blind, (double)b->blind * r);
    return half_of(&apart) / gs_energy_j(a->energy);
}

void gs_energy_refused_note(size_t n, size_t n_rows, struct gs_notes *notes)
{
    if (n > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%zu of %zu rows have no energy interval: an event reaches beyond the log, or the "
                "sensor sees only part of events that repeat",
                n, n_rows);
}

void gs_energy_gaps_note(const struct gs_energy_sum *s, gs_i128 span_ns, struct gs_notes *notes)
{
    if (s->time_ns > 0 && 100 * s->time_ns < 99 * span_ns)
        gs_note(notes, GS_NOTE_WARNING,
                "the energy is of %.1f %% of the samples' time: the rest has no readings, or "
                "--max-gap leaves it out (without it gaps are bridged)",
                gs_min(98.9, 100.0 * (double)s->time_ns / (double)span_ns));
    const gs_i128 gaps_ns = s->time_ns - s->covered_ns;
    const double energy = gs_energy_j(s->energy);
    if (s->time_ns <= 0 || 100.0 * (double)gaps_ns <= few_pct * (double)s->time_ns)
        return;
    gs_note(
        notes, GS_NOTE_WARNING,
        "gaps in the samples%s are bridged by straight lines: %.1f %% of the time, %.1f %% of the "
        "energy (--max-gap leaves them out)",
        span_ns > 0 ? "" : " inside events", 100.0 * (double)gaps_ns / (double)s->time_ns,
        energy > 0 ? 100.0 * gs_energy_j(s->bridged) / energy : 0.0);
}

void gs_energy_width_note(const struct gs_energy_sum *s, const struct gs_sensor_tally *t,
                          struct gs_notes *notes)
{
    const struct gs_energy_halves h = halves_of(s);
    const double half = half_of(s), energy = gs_energy_j(s->energy);
    const uint64_t *const scale = t->from[GS_SENSOR_GAIN], *const window =
                                                               t->from[GS_SENSOR_WINDOW];
    const char *why = NULL, *what = NULL;
    char assumed[80];
    if (t->n == 0 || gs_energy_is_refused(s) || !(energy > 0.0) || !(half > wide * energy))
        return;
    if (h.card_j2 >= h.sampling_j2 + h.edges_j2 + h.blind_j2) {
        why = "cards of a name differ";
        what = "--sensor";
        if (scale[GS_SENSOR_UNKNOWN] > 0) {
            why = "sensor calibration unknown";
            what = gs_sensor_tally_options(t);
        }
        if (scale[GS_SENSOR_UNKNOWN] + scale[GS_SENSOR_CARD] == 0)
            return;
    } else if (h.edges_j2 >= h.sampling_j2 + h.blind_j2 && 2 * s->n_whole > s->n) {
        why = "times are whole seconds";
        what = "log fractions";
    } else if (h.edges_j2 >= h.sampling_j2 + h.blind_j2) {
        if (window[GS_SENSOR_UNKNOWN] + window[GS_SENSOR_LOG] == 0)
            return;
        why = "the sensor smears short events";
        (void)snprintf(assumed, sizeof assumed, "%s; assumed: window=%.6gms",
                       gs_sensor_tally_options(t),
                       (double)t->most[GS_SENSOR_WINDOW] / (double)GS_NS_PER_MS);
        what = assumed;
    } else {
        why = "power changes between the samples";
        what = "sample faster";
    }
    gs_note(notes, GS_NOTE_UNCERTAINTY, "energy is uncertain by \xc2\xb1%.0f %%: %s (%s)",
            100.0 * half / energy, why, what);
}
