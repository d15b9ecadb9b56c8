/* si.c - which multiple suits. */
#include "output/text/si.h"

#include <math.h>
#include <string.h>

#include "output/text/cells.h"

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

void gs_buf_four(struct gs_buf *b, double value)
{
    const double magnitude = fabs(value);
    const int leading = magnitude > 0 && isfinite(magnitude) ? (int)floor(log10(magnitude)) : 0;
    gs_real_for_people(b, value, leading >= 3 ? 0 : leading <= -3 ? 6 : 3 - leading);
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
