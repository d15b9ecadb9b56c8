/* rates.c - amounts per kWh in the units that people write. */
#include "app/options/rates.h"

#include <math.h>
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

/* "0.30/kWh", "380g/kWh"; the words of the unit as they are written. */
static enum gs_status parse_rate(const char *option, const char *text, const struct rate_unit *unit,
                                 double *value, struct gs_err *err)
{
    const struct gs_str all = gs_str(text);
    size_t end = 0;
    while (end < all.len && strchr("0123456789.", all.ptr[end]) != NULL)
        end++;
    size_t at = end;
    while (at < all.len && all.ptr[at] == ' ')
        at++;
    double v;
    if (end > 0 && gs_real_parse((struct gs_str){all.ptr, end}, &v) == GS_NUMBER_OK)
        for (; unit->word != NULL; unit++)
            if (strcmp(all.ptr + at, unit->word) == 0) {
                *value = v * unit->times;
                return GS_OK;
            }
    char shown[80];
    return gs_fail(
        err, GS_ERR_USAGE, "%s: '%s' must be %s", option, gs_escape(shown, sizeof shown, all),
        strcmp(option, "--price") == 0 ? "an amount per kWh or MWh such as 0.30/kWh"
                                       : "a mass per kWh or MWh such as 380g/kWh or 0.38kg/kWh");
}

enum gs_status gs_rate_opts_get(const struct gs_rate_opts *o, double *price, double *carbon,
                                struct gs_err *err)
{
    enum gs_status s = GS_OK;
    *price = *carbon = (double)NAN;
    if (o->price != NULL)
        s = parse_rate("--price", o->price, price_units, price, err);
    if (s == GS_OK && o->carbon != NULL)
        s = parse_rate("--carbon", o->carbon, carbon_units, carbon, err);
    return s;
}
