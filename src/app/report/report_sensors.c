/* report_sensors.c - under the energies, what is known of the power sensors that they come from. */
#include "data/result/number_text.h"
#include "app/report/report_folds.h"

const char *gs_report_device(const struct gs_report *r)
{
    const struct gs_sensor_tally *const t = &r->visit->once.facts.totals.sensors;
    if (t->n > 0 && t->from[GS_SENSOR_WINDOW][GS_SENSOR_METER] == t->n)
        return "metered node";
    return "GPU";
}

/* "14 GPUs", "3 of 14 GPUs" */
static void write_gpus(struct gs_buf *b, const struct gs_report *r, uint64_t n, uint64_t of)
{
    if (n < of)
        gs_buf_format(b, "%s of ", gs_count_text(b, n));
    gs_words_counted(b, of, gs_report_device(r));
}

static void write_power(struct gs_buf *b, const struct gs_report *r, const struct gs_view_totals *t)
{
    const struct gs_metric *const power = r->data.metric[r->data.power_metric];
    if (t->n_instant == t->sensors.n) {
        gs_buf_text(b, "Energies are integrals of instant power (power_instant_w) of ");
        write_gpus(b, r, t->n_instant, t->sensors.n);
        gs_buf_text(b, ", which the samples have beside power_w. ");
        return;
    }
    gs_buf_format(b, "Energies are integrals of %s (%s)", power->words, power->name);
    if (t->n_instant > 0) {
        gs_buf_text(b, ", of ");
        write_gpus(b, r, t->n_instant, t->sensors.n);
        gs_buf_text(b, " of instant power (power_instant_w)");
    }
    gs_buf_text(b, ". ");
}

enum gs_status gs_report_sensors(struct gs_report *r, struct gs_err *err)
{
    const struct gs_view_totals *const t = &r->visit->once.facts.totals;
    const uint64_t *const scale = t->sensors.from[GS_SENSOR_GAIN];
    struct gs_report_section *const s = &r->section[GS_PART_BALANCE];
    struct gs_buf b = {.arena = r->context->arena};
    if (s->missing != NULL || t->sensors.n + t->n_counted == 0)
        return GS_OK;
    if (t->n_counted > 0)
        gs_buf_format(&b, "%s %s no power: the energy is what the energy counter of each rose by. ",
                      gs_counted_text(&b, t->n_counted, "GPU"),
                      gs_plural(t->n_counted, "logs", "log"));
    if (t->sensors.n == 0)
        return gs_paragraph_end(&s->text, &b, false, err);
    write_power(&b, r, t);
    gs_buf_format(
        &b, "The power sensors of %s: ", gs_counted_text(&b, t->sensors.n, gs_report_device(r)));
    gs_sensor_tally_describe(&t->sensors, &b);
    gs_buf_text(&b, ". The 95 % intervals include this");
    if (scale[GS_SENSOR_UNKNOWN] == t->sensors.n)
        gs_buf_format(&b, ": most of their width is the unknown gain and offset (narrowed by %s)",
                      gs_sensor_tally_options(&t->sensors));
    gs_buf_char(&b, '.');
    return gs_paragraph_end(&s->text, &b, false, err);
}
