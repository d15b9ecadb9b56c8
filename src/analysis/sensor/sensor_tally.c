/* sensor_tally.c - sensors counted by part and source. */
#include "analysis/sensor/sensor_tally.h"

#include <math.h>

#include "base/num/timestamp.h"

void gs_sensor_tally_add(struct gs_sensor_tally *t, const struct gs_sensor *s)
{
    /*
     * Gain and offset are kept in millionths: minima and maxima of integers merge in any
     * order, and a partial result stores the same bytes on every machine.
     */
    const int64_t value[GS_SENSOR_PARTS] = {s->period_ns, s->window_ns, s->delay_ns,
                                            (int64_t)nearbyint(s->gain * 1e6),
                                            (int64_t)nearbyint(s->offset_w * 1e6)};
    const enum gs_sensor_source from[GS_SENSOR_PARTS] = {
        s->period_from, s->window_from, s->delay_from, s->scale_from, s->scale_from};
    for (int p = 0; p < GS_SENSOR_PARTS; p++) {
        /* An empty tally has no least value, so n decides, not what is in least[]. */
        if (t->n == 0 || value[p] < t->least[p])
            t->least[p] = value[p];
        if (t->n == 0 || value[p] > t->most[p])
            t->most[p] = value[p];
        t->from[p][from[p]]++;
    }
    t->n++;
    t->n_unlisted += s->unlisted;
}

const char *gs_sensor_tally_options(const struct gs_sensor_tally *t)
{
    return t->n_unlisted < t->n ? "--card, --sensor" : "--sensor";
}

static const char *words_of(int part, int source)
{
    static const char *const known[GS_SENSOR_SOURCES] = {[GS_SENSOR_LOG] = "from the log",
                                                         [GS_SENSOR_CARD] =
                                                             "from the table of cards",
                                                         [GS_SENSOR_GIVEN] = "given",
                                                         [GS_SENSOR_FIT] = "fitted to the events",
                                                         [GS_SENSOR_METER] = "a power analyser's"};
    if (source != GS_SENSOR_UNKNOWN)
        return known[source];
    if (part == GS_SENSOR_PERIOD)
        return "as sampled";
    if (part < GS_SENSOR_GAIN)
        return "assumed";
    return "unknown";
}

void gs_sensor_tally_describe(const struct gs_sensor_tally *t, struct gs_buf *b)
{
    static const struct {
        const char *name, *unit;
        double per;
    } part[GS_SENSOR_PARTS] = {{"period", " ms", GS_NS_PER_MS},
                               {"window", " ms", GS_NS_PER_MS},
                               {"delay", " ms", GS_NS_PER_MS},
                               {"gain", "", 1e6},
                               {"offset", " W", 1e6}};
    for (int p = 0; p < GS_SENSOR_PARTS; p++) {
        int n_sources = 0;
        gs_buf_format(b, "%s%s %.5g", gs_text_if(p > 0, ", "), part[p].name,
                      (double)t->least[p] / part[p].per);
        if (t->most[p] > t->least[p])
            gs_buf_format(b, " to %.5g", (double)t->most[p] / part[p].per);
        gs_buf_text(b, part[p].unit);
        for (int k = 0; k < GS_SENSOR_SOURCES; k++)
            n_sources += t->from[p][k] > 0;
        for (int k = 0, said = 0; k < GS_SENSOR_SOURCES; k++) {
            if (t->from[p][k] == 0)
                continue;
            gs_buf_text(b, said++ == 0 ? " (" : ", ");
            if (n_sources > 1)
                gs_buf_format(b, "%llu ", (unsigned long long)t->from[p][k]);
            gs_buf_text(b, words_of(p, k));
        }
        gs_buf_text_if(b, n_sources > 0, ")");
    }
}

/* "0.9436", or "0.91 to 0.9436". */
static void put_range(const struct gs_sensor_tally *t, int part, struct gs_buf *b)
{
    gs_buf_format(b, "%.6g", (double)t->least[part] / 1e6);
    if (t->most[part] > t->least[part])
        gs_buf_format(b, " to %.6g", (double)t->most[part] / 1e6);
}

void gs_sensor_tally_note(const struct gs_sensor_tally *t, struct gs_notes *notes)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf b = {.arena = &own};
    const uint64_t n = t->from[GS_SENSOR_GAIN][GS_SENSOR_CARD];
    if (n == 0)
        return;
    if (n < t->n) {
        gs_buf_format(&b, "energies of %llu of %llu GPUs: gain and offset", (unsigned long long)n,
                      (unsigned long long)t->n);
    } else {
        gs_buf_format(&b, "energies of %llu GPU%s: reading = ", (unsigned long long)n,
                      gs_plural(n, "", "s"));
        put_range(t, GS_SENSOR_GAIN, &b);
        gs_buf_text(&b, " x power + ");
        put_range(t, GS_SENSOR_OFFSET, &b);
        gs_buf_text(&b, " W");
    }
    gs_buf_text(&b, " (from the table of cards)");
    if (!b.failed)
        gs_note(notes, GS_NOTE_INFO, "%s; --sensor gain=1,offset=0 takes readings for the power",
                gs_buf_str(&b).ptr);
}
