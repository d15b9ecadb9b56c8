/* ddmath.h - elementary functions of double-doubles. */
#pragma once

#include "base/num/dd.h"

/*
 * exp(x) is the result times 2^*exponent: neither over- nor underflows. The result is between 0.7 and 1.5.
 * Rounds:  relative error below 1e-30 for |x| < 1; elsewhere below that times |x|. For |x| > 1e9 the exponent
 * is out of a double's reach and the result is 1.
 */
struct gs_dd gs_dd_exp(struct gs_dd x, int *exponent);

/* The natural logarithm of x > 0, to an absolute or relative error below 1e-31, whichever is greater. */
struct gs_dd gs_dd_log(struct gs_dd x);

/* The hyperbolic tangent, to a relative error below 1e-28. */
struct gs_dd gs_dd_tanh(struct gs_dd x);

/* log(gamma(x)) of x > 0, to an absolute or relative error below 1e-29, whichever is greater. */
struct gs_dd gs_dd_log_gamma(struct gs_dd x);
