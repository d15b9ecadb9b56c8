/* totals.c - totals of hosts added up, saved and told. */
#include "analysis/timeline/totals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num/timestamp.h"
#include "analysis/aggregate/records.h"
#include "analysis/energy/counter.h"
#include "base/num/order.h"
#include "data/result/number_text.h"

/*
 * What is merged, saved and loaded, in the order of the bytes, which is part of the format of a partial result: a new
 * entry needs FACTS_LAYOUT counted up. Names are beside it, see names_at.
 */
/* clang-format off */
#define COUNT(at)      {GS_FIELD_COUNT, offsetof(struct gs_view_totals, at)}
#define LEAST(at)      {GS_FIELD_LEAST, offsetof(struct gs_view_totals, at)}
#define GREATEST(at)   {GS_FIELD_GREATEST, offsetof(struct gs_view_totals, at)}
#define REPEATS(at)    COUNT(at.n), COUNT(at.n_hosts), LEAST(at.first_ns), GREATEST(at.last_ns), LEAST(at.first_place)
#define SENSOR_PART(p) \
    COUNT(sensors.from[p][0]), COUNT(sensors.from[p][1]), COUNT(sensors.from[p][2]), COUNT(sensors.from[p][3]), \
    COUNT(sensors.from[p][4]), COUNT(sensors.from[p][5]), LEAST(sensors.least[p]), GREATEST(sensors.most[p])
static const struct gs_field fields[] = {
    COUNT(n_hosts), REPEATS(checkpoints), REPEATS(samples), REPEATS(at_once),
    COUNT(n_orphan_starts), COUNT(n_orphan_stops), COUNT(n_range_cut), COUNT(n_unknown_gpu), COUNT(n_hosts_shared),
    COUNT(n_counter_resets), COUNT(n_gpus_reset), COUNT(n_counter_back), COUNT(n_gpus_back), COUNT(n_of_intervals),
    COUNT(n_doubted[0]), COUNT(n_doubted[1]), COUNT(n_doubted[2]), COUNT(n_doubted[3]), COUNT(n_doubted[4]),
    LEAST(ratio_least), GREATEST(ratio_greatest), COUNT(n_instant), COUNT(n_counted),
    LEAST(period_least_ns), GREATEST(period_greatest_ns),
    COUNT(sensors.n), COUNT(sensors.n_unlisted), SENSOR_PART(0), SENSOR_PART(1), SENSOR_PART(2), SENSOR_PART(3), SENSOR_PART(4),
};
/* clang-format on */
enum { N_FIELDS = sizeof fields / sizeof *fields };
_Static_assert(GS_N_COUNTER_DOUBTS == 5 && GS_SENSOR_PARTS == 5 && GS_SENSOR_SOURCES == 6,
               "each has its field");

static struct gs_least_names *names_at(struct gs_view_totals *t, size_t i)
{
    struct gs_least_names *const names[] = {&t->checkpoints.host, &t->samples.host,
                                            &t->at_once.host, &t->unknown_gpu, NULL};
    return names[i];
}

void gs_view_totals_init(struct gs_view_totals *t)
{
    *t = (struct gs_view_totals){0};
    gs_fields_begin(fields, N_FIELDS, t);
}

/*
 * The least names by text are kept, not the first seen: the first seen would depend on the
 * threads. The last place only shows that there are more.
 */
void gs_least_names_add(struct gs_least_names *names, struct gs_str text)
{
    uint32_t at = 0;
    while (at < names->n && gs_str_compare(names->text[at], text) < 0)
        at++;
    if (at == GS_LEAST_NAMES_KEPT || (at < names->n && gs_str_eq(names->text[at], text)))
        return;
    if (names->n < GS_LEAST_NAMES_KEPT)
        names->n++;
    for (uint32_t k = names->n - 1; k > at; k--)
        names->text[k] = names->text[k - 1];
    names->text[at] = text;
}

/* Keeps the least; GS_MISSING is none. */
static void store_least(int64_t *least, int64_t v)
{
    if (v != GS_MISSING && (*least == GS_MISSING || v < *least))
        *least = v;
}

void gs_repeats_add(struct gs_repeats *r, int64_t t_ns, int64_t place)
{
    r->n++;
    store_least(&r->first_ns, t_ns);
    r->last_ns = gs_max(t_ns, r->last_ns); /* GS_MISSING is below all */
    store_least(&r->first_place, place);
}

void gs_repeats_host(struct gs_repeats *r, uint64_t n_before, struct gs_str host)
{
    if (r->n == n_before)
        return;
    r->n_hosts++;
    gs_least_names_add(&r->host, host);
}

void gs_view_totals_sensor(struct gs_view_totals *t, const struct gs_sensor *sensor)
{
    const int64_t period_ns = sensor->period_from == GS_SENSOR_LOG ? sensor->period_ns : GS_MISSING;
    gs_sensor_tally_add(&t->sensors, sensor);
    store_least(&t->period_least_ns, period_ns);
    t->period_greatest_ns = gs_max(period_ns, t->period_greatest_ns);
}

static void widen_ratio(struct gs_view_totals *t, int64_t least, int64_t greatest)
{
    store_least(&t->ratio_least, least);
    t->ratio_greatest = gs_max(greatest, t->ratio_greatest);
}

void gs_view_totals_counter(struct gs_view_totals *t, const struct gs_counter *c)
{
    const double ratio = c->ratio * (double)GS_FIXED_ONE;
    /*
     * The falls of a column that is no counter are not resets; naming them so would send the user
     * after the wrong problem.
     */
    if (c->doubt != GS_COUNTER_FALLS) {
        t->n_counter_resets += c->n_resets;
        t->n_gpus_reset += c->n_resets > 0;
    }
    t->n_of_intervals += c->of_intervals;
    t->n_counter_back += c->n_back;
    t->n_gpus_back += c->n_back > 0;
    t->n_doubted[c->doubt] += c->n > 1;
    /*
     * The bound keeps the cast to int64 defined. Minimum and maximum merge in any order; a mean of
     * ratios would not be exact.
     */
    if ((c->doubt == GS_COUNTER_UNIT || c->doubt == GS_COUNTER_DIFFERS) && fabs(ratio) < 1e18)
        widen_ratio(t, (int64_t)ratio, (int64_t)ratio);
}

void gs_least_names_unite(struct gs_least_names *names, const struct gs_least_names *other)
{
    for (uint32_t k = 0; k < other->n; k++)
        gs_least_names_add(names, other->text[k]);
}

void gs_view_totals_add(struct gs_view_totals *sum, const struct gs_view_totals *t)
{
    struct gs_view_totals other = *t;
    /* Counts and bounds take no memory. */
    (void)gs_fields_merge(fields, N_FIELDS, sum, &other, NULL, NULL);
    for (size_t i = 0; names_at(sum, i) != NULL; i++)
        gs_least_names_unite(names_at(sum, i), names_at(&other, i));
}

/* --- bytes -------------------------------------------------------------------------------------------- */

void gs_view_totals_save(const struct gs_view_totals *totals, struct gs_buf *b)
{
    struct gs_view_totals t = *totals;
    gs_fields_save(fields, N_FIELDS, &t, b, NULL);
    for (size_t i = 0; names_at(&t, i) != NULL; i++)
        gs_least_names_save(names_at(&t, i), b);
}

void gs_least_names_save(const struct gs_least_names *names, struct gs_buf *b)
{
    gs_pack_count(b, names->n);
    for (uint32_t k = 0; k < names->n; k++)
        gs_pack_text(b, names->text[k]);
}

void gs_least_names_load(struct gs_least_names *names, struct gs_unpacker *u,
                         struct gs_arena *arena)
{
    const size_t n = gs_unpack_length(u, 1);
    /*
     * The bytes come from a file that may be damaged. The limit is checked before anything is
     * stored; texts are copied because the file's buffer does not stay.
     */
    if (n > GS_LEAST_NAMES_KEPT)
        (void)gs_unpack_fail(u, "found more names than are kept");
    for (size_t k = 0; k < n && u->status == GS_OK; k++) {
        const struct gs_str text = gs_unpack_text(u);
        const char *const copy = gs_arena_copy(arena, gs_or_empty(text.ptr), text.len);
        if (copy == NULL)
            u->status = gs_fail_memory(u->err);
        else
            gs_least_names_add(names, (struct gs_str){copy, text.len});
    }
}

void gs_view_totals_load(struct gs_view_totals *t, struct gs_unpacker *u, struct gs_arena *arena)
{
    gs_view_totals_init(t);
    gs_fields_load(fields, N_FIELDS, t, u, arena);
    for (size_t i = 0; names_at(t, i) != NULL; i++)
        gs_least_names_load(names_at(t, i), u, arena);
}

/* --- notes -------------------------------------------------------------------------------------------- */

const char *gs_least_names_list(char out[GS_LEAST_NAMES_TEXT_MAX],
                                const struct gs_least_names *names)
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t k = 0; k < names->n; k++)
        used +=
            (size_t)snprintf(out + used, GS_LEAST_NAMES_TEXT_MAX - used, "%s%s", k > 0 ? ", " : "",
                             k + 1 == GS_LEAST_NAMES_KEPT ? "..." : GS_SHOWN(names->text[k], 64));
    return out;
}

/* "30 duplicate event rows and 4 duplicate sample rows"; `check` names the hosts and the first place. */
static void note_repeats(const struct gs_view_totals *t, enum gs_duplicates duplicates,
                         struct gs_notes *notes)
{
    const struct {
        uint64_t n;
        const char *what;
    } repeats[] = {{t->checkpoints.n, "duplicate event row"},
                   {t->samples.n, "duplicate sample row"}};
    /* Readings of one instant are averaged: only equal events change an energy, and so tell two commands apart. */
    static const char *const became[2][2] = {
        {"kept (--duplicates drop removes them)", "dropped (--duplicates keep counts them)"},
        {"kept: equal events count again, unlike in balance (--duplicates drop)",
         "dropped: equal events count once, unlike in events (--duplicates keep)"}};
    const bool dropped = duplicates == GS_DUPLICATES_DROP;
    GS_OWN struct gs_arena own = {0};
    struct gs_buf b = {.arena = &own};
    for (size_t k = 0; k < sizeof repeats / sizeof *repeats; k++)
        if (repeats[k].n > 0)
            gs_buf_format(&b, "%s%s", b.len > 0 ? " and " : "",
                          gs_counted_text(&b, repeats[k].n, repeats[k].what));
    if (b.len > 0)
        gs_note(notes, dropped ? GS_NOTE_INFO : GS_NOTE_FINDING, "%s %s", gs_buf_whole(&b),
                became[t->checkpoints.n > 0][dropped]);
}

static void note_breaks(struct gs_notes *notes, uint64_t n_gpus, uint64_t n, const char *what,
                        const char *so)
{
    if (n > 0)
        gs_note(notes, GS_NOTE_WARNING, "the energy counters of %llu GPU%s %s %llu time%s: %s",
                (unsigned long long)n_gpus, gs_plural(n_gpus, "", "s"), what, (unsigned long long)n,
                gs_plural(n, "", "s"), so);
}

/* Only where a sensor shows does it change an energy. */
static void note_sensors(const struct gs_view_totals *t, struct gs_notes *notes)
{
    if (t->n_instant > 0)
        gs_note(notes, GS_NOTE_INFO,
                "energies of %llu of %llu GPUs are taken from power_instant_w, not power_w, which "
                "may be a mean over a second",
                (unsigned long long)t->n_instant, (unsigned long long)t->sensors.n);
    if (t->n_counted > 0)
        gs_note(notes, GS_NOTE_INFO,
                "%llu GPU%s no power: energies are what the energy counters rose by, and power is "
                "that over time",
                (unsigned long long)t->n_counted, gs_plural(t->n_counted, " logs", "s log"));
    const double least = (double)t->period_least_ns / 1e6,
                 greatest = (double)t->period_greatest_ns / 1e6;
    char to[40] = "";
    const uint64_t n_seen = t->sensors.from[GS_SENSOR_PERIOD][GS_SENSOR_LOG];
    if (n_seen == 0)
        return;
    if (greatest > least)
        (void)snprintf(to, sizeof to, " to %.4g", greatest);
    gs_note(notes, GS_NOTE_INFO,
            "the power sensor of %llu of %llu GPUs shows in the samples, renewed every %.4g%s ms: "
            "energies are taken from the samples later by what it lags",
            (unsigned long long)n_seen, (unsigned long long)t->sensors.n, least, to);
}

void gs_counter_notes(const struct gs_view_totals *t, struct gs_notes *notes)
{
    static const char *const what[GS_N_COUNTER_DOUBTS] = {
        [GS_COUNTER_UNIT] = "is their unit right? (--set samples.metrics.energy_j.unit=mJ)",
        [GS_COUNTER_STANDS] = "they stand still while power flows",
        [GS_COUNTER_FALLS] =
            "they fall to nothing in more than a tenth of their steps, as no counter does",
        [GS_COUNTER_DIFFERS] = "they differ by more than its uncertainty"};
    char ratio[112] = "";
    uint64_t n = 0;
    for (int k = 0; k < GS_N_COUNTER_DOUBTS; k++)
        n += t->n_doubted[k];
    if (t->ratio_least != GS_MISSING) {
        char least[32], greatest[32];
        (void)snprintf(least, sizeof least, "%.4g", (double)t->ratio_least / (double)GS_FIXED_ONE);
        (void)snprintf(greatest, sizeof greatest, "%.4g",
                       (double)t->ratio_greatest / (double)GS_FIXED_ONE);
        const bool one = strcmp(least, greatest) == 0;
        (void)snprintf(ratio, sizeof ratio, " (%s%s%s times the integrated power)", least,
                       gs_text_if(!one, " to "), gs_text_if(!one, greatest));
    }
    for (int k = 1; k < GS_N_COUNTER_DOUBTS; k++)
        if (t->n_doubted[k] > 0)
            gs_note(notes, GS_NOTE_WARNING, "energy counters of %llu of %llu GPUs look wrong%s: %s",
                    (unsigned long long)t->n_doubted[k], (unsigned long long)n,
                    k == GS_COUNTER_UNIT || k == GS_COUNTER_DIFFERS ? ratio : "", what[k]);
    if (t->n_of_intervals > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "the energies of %llu GPU%s fall about as often as they rise, as no counter does: "
                "each is taken for what was used since the row before",
                (unsigned long long)t->n_of_intervals, gs_plural(t->n_of_intervals, "", "s"));
    note_breaks(notes, t->n_gpus_back, t->n_counter_back, "stepped back",
                "counted with their sign, not as resets");
    note_breaks(notes, t->n_gpus_reset, t->n_counter_resets, "began anew",
                "there the integrated power stands for what they had counted");
}

void gs_view_notes(const struct gs_view_totals *t, enum gs_duplicates duplicates,
                   struct gs_notes *notes)
{
    char names[GS_LEAST_NAMES_TEXT_MAX];
    note_repeats(t, duplicates, notes);
    note_sensors(t, notes);
    gs_counter_notes(t, notes);
    if (t->n_range_cut > 0)
        gs_note(
            notes, GS_NOTE_WARNING,
            "%llu event%s beyond --from or --to: only what lies inside counts, also of durations",
            (unsigned long long)t->n_range_cut, gs_plural(t->n_range_cut, " reaches", "s reach"));
    if (t->n_orphan_starts + t->n_orphan_stops > 0)
        gs_note(notes, GS_NOTE_FINDING,
                "%llu START and %llu STOP rows have no partner and are left out (see check)",
                (unsigned long long)t->n_orphan_starts, (unsigned long long)t->n_orphan_stops);
    if (t->n_unknown_gpu > 0 && t->sensors.n > 0) /* without samples all are missing */
        gs_note(
            notes, GS_NOTE_WARNING,
            "%llu %s a GPU that is not among the samples of %s host (%s): %s readings are missing",
            (unsigned long long)t->n_unknown_gpu,
            gs_plural(t->n_unknown_gpu, "event names", "events name"),
            gs_plural(t->n_unknown_gpu, "its", "their"),
            gs_least_names_list(names, &t->unknown_gpu),
            gs_plural(t->n_unknown_gpu, "its", "their"));
    if (t->n_hosts_shared > 0)
        gs_note(notes, GS_NOTE_INFO,
                "%llu %s several GPUs and events that name none: power and other readings are "
                "means over the host's GPUs, energy is their sum",
                (unsigned long long)t->n_hosts_shared,
                gs_plural(t->n_hosts_shared, "host has", "hosts have"));
}
