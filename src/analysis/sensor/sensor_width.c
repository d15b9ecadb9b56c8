/* sensor_width.c - why intervals are wide, in one sentence. */
#include "analysis/sensor/sensor_width.h"

#include <math.h>

static const double wide = 0.1;

static double squared_j(gs_i128 energy)
{
    const double joule = (double)energy / (double)GS_ENERGY_PER_J;
    return joule * joule;
}

void gs_energy_width_add(struct gs_energy_width *w, const struct gs_energy_error *e, gs_i128 energy)
{
    double low, high;
    gs_energy_interval(e, energy, &low, &high);
    if (isnan(high) || energy <= 0)
        return;
    const double value = (double)energy / (double)GS_ENERGY_PER_J;
    w->energy_j += value;
    w->half_j += high - value; /* the lower end may have stopped at 0 */
    w->scale_j2 += squared_j(e->scale);
    w->zero_j2 += squared_j(e->zero);
    w->edges_j2 += (double)e->apart_uj2 * 1e-12;
    w->smeared_j2 += squared_j(e->misplaced);
}

/* What is not known of scale and zero, and what tells it; false: nothing more would. */
static bool why_scale(const struct gs_sensor_tally *t, const char **why, const char **what)
{
    const uint64_t *const from = t->from[GS_SENSOR_GAIN];
    *why =
        "how the sensors' readings differ from the power is not known (4.5 % and 10 W are taken)";
    *what = "--card 'NAME' says which card of the table it is, --sensor gain=G,offset=W what "
            "`gpustat power LOG "
            "--calibrate "
            "METER.csv` finds of one's own";
    if (from[GS_SENSOR_UNKNOWN] > 0)
        return true;
    *why = "others of that name differ (2.5 % and 4 W)";
    *what = "--sensor gain=G,offset=W says what `gpustat power LOG --calibrate METER.csv` finds of "
            "one's own";
    return from[GS_SENSOR_CARD] > 0;
}

/* The same of what a reading is a mean of. */
static bool why_edges(const struct gs_sensor_tally *t, const char **why, const char **what)
{
    const uint64_t *const period = t->from[GS_SENSOR_PERIOD], *const window =
                                                                  t->from[GS_SENSOR_WINDOW];
    *why = "what the readings around the begin and end of a row are means of is not known";
    *what = "--sensor period=TIME,window=TIME says it, or --card 'NAME' which card of the table it "
            "is, or samples faster "
            "than the sensor show it";
    if (period[GS_SENSOR_UNKNOWN] > 0)
        return true;
    *why = "the window over which a reading is a mean is only read from the samples";
    *what = "--sensor window=TIME says it, or --card 'NAME' which card of the table it is";
    return window[GS_SENSOR_UNKNOWN] + window[GS_SENSOR_LOG] > 0;
}

void gs_energy_width_note(const struct gs_energy_width *w, const struct gs_sensor_tally *t,
                          struct gs_notes *notes)
{
    const char *why, *what;
    if (!(w->half_j > wide * w->energy_j) || t->n == 0)
        return;
    const bool scale = w->scale_j2 + w->zero_j2 >= w->edges_j2 + w->smeared_j2;
    if (scale ? !why_scale(t, &why, &what) : !why_edges(t, &why, &what))
        return;
    gs_note(notes, GS_NOTE_INFO,
            "the intervals of the energies are -+ %.0f %%, mostly because %s: %s",
            100.0 * w->half_j / w->energy_j, why, what);
}
