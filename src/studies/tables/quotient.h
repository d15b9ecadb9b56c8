/* quotient.h - a quotient that is missing where it means nothing. */
#pragma once

#include <math.h>

/* a / b; NaN where b is not above 0, where either is missing, and beyond what a double holds. */
static inline double gs_quotient(double a, double b)
{
    return b > 0 && isfinite(a / b) ? a / b : (double)NAN;
}
