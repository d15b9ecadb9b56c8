/* rates.h - what a kWh costs and emits: --price, --carbon and --pue of every command. */
#pragma once

#include "app/options/options.h"

/* As given. */
struct gs_rate_opts {
    const char *price, *carbon; /* NULL: not given */
    double pue;                 /* 1 by default    */
};

/* As numbers. */
struct gs_rates {
    double price_per_kwh, carbon_g_per_kwh; /* NaN: not given                                 */
    double pue;                             /* what the building takes per kWh of the GPUs    */
    char currency[16];                      /* "EUR", "" where the price was given without one */
    struct gs_rate_opts given;
};

/* Errors: GS_ERR_USAGE with what was expected. */
enum gs_status gs_rates_get(const struct gs_rate_opts *o, struct gs_rates *rates,
                            struct gs_err *err);
