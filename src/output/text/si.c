/* si.c - which multiple suits. */
#include "output/text/si.h"

#include <math.h>
#include <string.h>

#include "output/text/cells.h"
#include "base/num/order.h"

#define LEAST 1e4 /* below, four digits still tell the number */

struct gs_si gs_si_of(const char *unit, double largest)
{
    static const struct {
        const char *unit;
        struct gs_si multiple[4];
    } known[] = {
        {"W", {{1e3, "kW"}, {1e6, "MW"}, {1e9, "GW"}}},
        {"J", {{1e3, "kJ"}, {1e6, "MJ"}, {1e9, "GJ"}, {1e12, "TJ"}}},
        {"ms", {{1e3, "s"}}},
    };
    struct gs_si found = {1, unit == NULL ? "" : unit};
    const double magnitude = fabs(largest);
    if (!(magnitude >= LEAST))
        return found;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (unit == NULL || strcmp(unit, known[i].unit) != 0)
            continue;
        for (size_t k = 0; k < 4 && known[i].multiple[k].unit != NULL; k++)
            if (magnitude >= known[i].multiple[k].factor)
                found = known[i].multiple[k];
    }
    return found;
}

/*
 * The last entry that fits wins, so the entries of one unit must ascend. One unit is chosen for
 * a whole column by its largest value: a column of mixed units cannot be compared by eye.
 */
struct gs_si gs_unit_for_people(const char *unit, double largest)
{
    static const struct {
        const char *unit;
        double from; /* the least of the column's own unit that is shown in this one */
        struct gs_si shown;
    } known[] = {
        {"ms", 1e3, {1e3, "s"}},       {"ms", 6e5, {6e4, "min"}},   {"ms", 1.08e7, {3.6e6, "h"}},
        {"s", 600, {60, "min"}},       {"s", 10800, {3600, "h"}},   {"W", 1e4, {1e3, "kW"}},
        {"W", 1e7, {1e6, "MW"}},       {"J", 3.6e3, {3.6e3, "Wh"}}, {"J", 3.6e6, {3.6e6, "kWh"}},
        {"J", 3.6e10, {3.6e9, "MWh"}}, {"Wh", 1e3, {1e3, "kWh"}},   {"Wh", 1e7, {1e6, "MWh"}},
    };
    struct gs_si found = {1, unit == NULL ? "" : unit};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (unit != NULL && strcmp(unit, known[i].unit) == 0 && fabs(largest) >= known[i].from)
            found = known[i].shown;
    return found;
}

int gs_decimals_of_four(double largest)
{
    const double magnitude = fabs(largest);
    const int leading = magnitude > 0 && isfinite(magnitude) ? (int)floor(log10(magnitude)) : 0;
    if (leading >= 3)
        return 0;
    if (leading <= 0)
        return 3;
    return 3 - leading;
}

void gs_buf_four(struct gs_buf *b, double value)
{
    const double magnitude = fabs(value);
    const int leading = magnitude > 0 && isfinite(magnitude) ? (int)floor(log10(magnitude)) : 0;
    gs_real_for_people(b, value, gs_max(0, gs_min(6, 3 - leading)));
}

void gs_buf_si(struct gs_buf *b, double value, const char *unit, int decimals)
{
    const struct gs_si si = gs_si_of(unit, value);
    if (si.factor > 1)
        gs_buf_four(b, value / si.factor);
    else
        gs_real_for_people(b, value, decimals);
    if (si.unit[0] != '\0')
        gs_buf_char(b, ' ');
    gs_buf_text(b, si.unit);
}
