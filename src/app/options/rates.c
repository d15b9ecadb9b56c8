/* rates.c - amounts per kWh in the units that people write. */
#include "app/options/rates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* A number with a point, or with a comma that three digits do not follow: 0,30 is one, 1,234 may be two. */
static bool parse_amount(const char *text, size_t len, double *value)
{
    char number[32];
    if (len == 0 || len >= sizeof number)
        return false;
    memcpy(number, text, len);
    number[len] = '\0';
    char *const comma = strchr(number, ',');
    if (comma != NULL && (strlen(comma + 1) == 3 && strtoul(number, NULL, 10) > 0))
        return false;
    if (comma != NULL)
        *comma = '.';
    return gs_real_parse(gs_str(number), value) == GS_NUMBER_OK;
}

/* How long the currency is that stands at `text`, a sign or letters. */
static size_t currency_length(const char *text)
{
    return strcspn(text, "/ 0123456789.,;=\"'<>+-");
}

/*
 * "0.30EUR/kWh": the number, then letters or a sign as the currency (NULL: there is none), which may stand before it,
 * then the unit, per kWh where there is a currency alone.
 */
static bool parse_rate(const char *text, const struct rate_unit *unit, char *currency,
                       size_t currency_size, double *value)
{
    const char *sign = text, *at = text;
    size_t len = 0;
    if (currency != NULL)
        len = currency_length(text);
    at += len + strspn(at + len, " ");
    const size_t digits = strspn(at, "0123456789.,");
    if (!parse_amount(at, digits, value))
        return false;
    at += digits + strspn(at + digits, " ");
    if (currency != NULL && len == 0) {
        sign = at;
        len = currency_length(at);
        at += len + strspn(at + len, " ");
    }
    if (len >= currency_size + (currency == NULL) || !is_printable((struct gs_str){sign, len}))
        return false;
    if (len > 0)
        (void)snprintf(currency, currency_size, "%.*s", (int)len, sign);
    if (len > 0 && *at == '\0')
        return true;
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
