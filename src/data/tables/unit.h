/* unit.h - units of readings, and numbers with and without them. */
#pragma once

#include <stdint.h>

#include "base/core/text.h"
#include "base/num/decimal.h"
#include "data/tables/metric.h"

/* clang-format off */
enum gs_quantity {
    GS_Q_NONE, GS_Q_POWER, GS_Q_ENERGY, GS_Q_SHARE, GS_Q_MEMORY, GS_Q_TEMPERATURE, GS_Q_CLOCK, GS_Q_TIME, GS_Q_RATE,
};
/* clang-format on */

/* value * num / den is in W, J, %, MiB, C, MHz, ns, MiB/s. */
struct gs_unit {
    enum gs_quantity quantity;
    int64_t num, den;
    const char *shown;
};

#define GS_UNIT_NONE ((struct gs_unit){GS_Q_NONE, 1, 1, ""})

/* The unit of that text: "W", "mW", "watts", "%", "MiB" ...; quantity NONE for none that is known. */
struct gs_unit gs_unit_find(struct gs_str text);

/* The same of what a number counts in, perhaps several of the unit: "10ms" with *count 10. */
struct gs_unit gs_unit_counted(struct gs_str text, int64_t *count);

/* What a metric is measured in; quantity NONE for one without a unit that is known. */
enum gs_quantity gs_metric_quantity(const struct gs_metric *m);

/*
 * Reads a decimal and converts it: value * num / den in 10^-6, rounded to nearest, with all of its digits
 * (2.5e-05 kWh is 90 J). A unit of the same quantity behind the number wins over `unit`. Missing: the words of
 * gs_fixed_parse, and the numbers that DCGM writes for no value, 2147483632 and its like.
 */
/* The unit behind a number, "42.7 W"; its quantity is GS_Q_NONE where none is. */
struct gs_unit gs_reading_unit(struct gs_str reading);

enum gs_number gs_scaled_parse(struct gs_str text, struct gs_unit unit, int64_t *value,
                               bool *rounded);

/* May a comma stand for the point where this parts the columns? 86,5 W */
static inline bool gs_takes_commas(char separator)
{
    return separator == ';' || separator == '\t';
}

/* The same where it does. */
enum gs_number gs_scaled_parse_comma(struct gs_str text, struct gs_unit unit, int64_t *value,
                                     bool *rounded);
