/* si.c - which multiple suits. */
#include "output/text/si.h"

#include <math.h>
#include <string.h>

#include "output/text/cells.h"

#define MICROSECONDS                                                                               \
    "\xc2\xb5"                                                                                     \
    "s"

/* In ascending order within a unit: the last that fits wins. */
static const struct {
    const char *unit;
    double from; /* the least of the column's own unit that is shown in this one */
    struct gs_si shown;
} known[] = {
    {"ms", 1e-9, {1e-3, MICROSECONDS}},
    {"ms", 1, {1, "ms"}},
    {"ms", 1e3, {1e3, "s"}},
    {"ms", 6e5, {6e4, "min"}},
    {"ms", 1.08e7, {3.6e6, "h"}},
    {"s", 1e-9, {1e-3, "ms"}},
    {"s", 1, {1, "s"}},
    {"s", 600, {60, "min"}},
    {"s", 10800, {3600, "h"}},
    {"h", 1e-9, {1.0 / 3600, "s"}},
    {"h", 0.1, {1.0 / 60, "min"}},
    {"h", 1, {1, "h"}},
    {"W", 1e4, {1e3, "kW"}},
    {"W", 1e7, {1e6, "MW"}},
    {"J", 360, {3.6e3, "Wh"}},
    {"J", 3.6e6, {3.6e6, "kWh"}},
    {"J", 3.6e10, {3.6e9, "MWh"}},
    {"Wh", 1e3, {1e3, "kWh"}},
    {"Wh", 1e7, {1e6, "MWh"}},
};

struct gs_si gs_si_of(const char *unit, double largest)
{
    struct gs_si found = {1, gs_or_empty(unit)};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (unit != NULL && strcmp(unit, known[i].unit) == 0 && fabs(largest) >= known[i].from)
            found = known[i].shown;
    return found;
}

struct gs_si gs_si_of_decade(const char *unit, double at)
{
    struct gs_si found = {1, gs_or_empty(unit)};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (unit != NULL && strcmp(unit, known[i].unit) == 0 &&
            fabs(at) >= known[i].shown.factor * (1 - 1e-9) &&
            fmod(log10(known[i].shown.factor), 1) == 0)
            found = known[i].shown;
    return found;
}

bool gs_unit_takes_four(const char *unit, double factor)
{
    return factor != 1 || (unit != NULL && strcmp(unit, "ms") == 0);
}

int gs_decimals_of_four(double largest)
{
    const int leading = gs_leading_decade(largest);
    if (leading >= 3)
        return 0;
    if (leading < -1) /* the smallest unit: three digits that count */
        return 2 - leading;
    if (leading <= 0)
        return 3;
    return 3 - leading;
}

void gs_buf_si(struct gs_buf *b, double value, const char *unit, int decimals)
{
    const struct gs_si si = gs_si_of(unit, value);
    const double shown = value / si.factor;
    if (gs_unit_takes_four(unit, si.factor))
        decimals = gs_decimals_of_four(shown);
    gs_real_for_people(b, shown, decimals);
    if (si.unit[0] != '\0')
        gs_buf_char(b, ' ');
    gs_buf_text(b, si.unit);
}
