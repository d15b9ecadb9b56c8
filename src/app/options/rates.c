/* rates.c - amounts per kWh in the units that people write. */
#include "app/options/rates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num/decimal.h"

/* What an amount per kWh may be in: its word, and what it is in the result's unit. */
struct rate_unit {
    const char *word;
    double times;
};

static const struct rate_unit price_units[] = {{"/kWh", 1}, {"/MWh", 1e-3}, {NULL, 0}};
static const struct rate_unit carbon_units[] = {
    {"g/kWh", 1}, {"kg/kWh", 1e3}, {"kg/MWh", 1}, {"t/MWh", 1e3}, {NULL, 0}};

/* What stands in a table's head may not move a terminal's cursor: the escaper leaves it as it is. */
static bool is_printable(struct gs_str text)
{
    return gs_str_eq(gs_str(GS_SHOWN(text, 80)), text);
}

/* "0.30EUR/kWh": the number, then letters or a sign as the currency (NULL: there is none), then the unit. */
static bool parse_rate(const char *text, const struct rate_unit *unit, char *currency,
                       size_t currency_size, double *value)
{
    const size_t end = strspn(text, "0123456789.");
    const char *at = text + end + strspn(text + end, " ");
    size_t len = 0;
    if (currency != NULL)
        len = strcspn(at, "/ 0123456789.,;=\"'<>");
    if (end == 0 || gs_real_parse((struct gs_str){text, end}, value) != GS_NUMBER_OK ||
        len >= currency_size + (currency == NULL) || !is_printable((struct gs_str){at, len}))
        return false;
    if (len > 0)
        (void)snprintf(currency, currency_size, "%.*s", (int)len, at);
    at += len;
    while (unit->word != NULL && strcmp(at, unit->word) != 0)
        unit++;
    *value *= unit->times;
    return unit->word != NULL;
}

enum gs_status gs_rates_get(const struct gs_rate_opts *o, struct gs_rates *rates,
                            struct gs_err *err)
{
    *rates = (struct gs_rates){(double)NAN, (double)NAN, o->pue, "", *o};
    if (o->price != NULL && !parse_rate(o->price, price_units, rates->currency,
                                        sizeof rates->currency, &rates->price_per_kwh))
        return gs_fail(err, GS_ERR_USAGE,
                       "--price: '%s' must be an amount per kWh or MWh such as 0.30EUR/kWh",
                       GS_SHOWN(gs_str(o->price), 80));
    if (o->carbon != NULL &&
        !parse_rate(o->carbon, carbon_units, NULL, 0, &rates->carbon_g_per_kwh))
        return gs_fail(err, GS_ERR_USAGE,
                       "--carbon: '%s' must be a mass per kWh or MWh such as 380g/kWh or "
                       "0.38kg/kWh",
                       GS_SHOWN(gs_str(o->carbon), 80));
    return GS_OK;
}
