/* quotient.h - a quotient that is missing where it means nothing. */
#ifndef GPUSTAT_QUOTIENT_H
#define GPUSTAT_QUOTIENT_H

#include <math.h>

/* a / b; NaN where b is not above 0, where either is missing, and beyond what a double holds. */
static inline double gs_quotient(double a, double b)
{
    return b > 0 && isfinite(a / b) ? a / b : (double)NAN;
}

#endif
