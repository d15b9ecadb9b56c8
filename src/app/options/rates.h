/* rates.h - what a kWh costs and emits: options of the commands that tell of a whole log or of jobs. */
#ifndef GPUSTAT_RATES_H
#define GPUSTAT_RATES_H

#include "app/options/options.h"

struct gs_rate_opts {
    const char *price, *carbon; /* NULL: not given */
    double pue;                 /* 1 by default    */
};

/* clang-format off */
#define GS_OPTS_RATES(type, field)                                                                                    \
    {0, "price", GS_OPT_TEXT, offsetof(type, field.price), .arg = "AMOUNT/kWh",                                       \
     .help = "adds the cost of the energy: 0.30/kWh"},                                                                \
    {0, "carbon", GS_OPT_TEXT, offsetof(type, field.carbon), .arg = "MASS/kWh",                                       \
     .help = "adds its CO2: 380g/kWh, 0.38kg/kWh"},                                                                   \
    {0, "pue", GS_OPT_REAL, offsetof(type, field.pue), .arg = "X", .real_min = 1, .real_max = 100,                    \
     .help = "what the building takes per kWh of the GPUs, for cost and CO2"}
/* clang-format on */

/* An amount and g per kWh, NaN where not given. Errors: GS_ERR_USAGE with what was expected. */
enum gs_status gs_rate_opts_get(const struct gs_rate_opts *o, double *price, double *carbon,
                                struct gs_err *err);

#endif
