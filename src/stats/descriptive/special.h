/* special.h - distribution functions. Pure: no global state (signgam), any thread. */
#pragma once

/*
 * The regularised incomplete beta function I_x(a, b), for a, b > 0 and x in [0, 1]; NaN outside.
 * `y` is 1 - x; the smaller of the two is taken as exact and the other derived from it.
 * Rounds:  to the nearest double but for ties too close to call, for a, b up to 1e6 (below 2^-1022, where a
 *          double has fewer digits, to the last or the last but one of these).
 * Cost:    O(sqrt(max(a, b))) at worst, some 10 to 40 us where a or b is 1/2.
 * Source:  continued fraction NIST DLMF 8.17.22, by W. J. Lentz's method, in double-double.
 */
double gs_beta_inc(double a, double b, double x, double y);

/* Standard normal: P(Z <= z), P(Z > z), and the z with P(Z <= z) = p (infinite at 0 and 1, NaN outside). */
double gs_normal_cdf(double z);
double gs_normal_tail(double z);
double gs_normal_quantile(double p);

/* The two-sided P(|T| >= |t|) of Student's t with a finite df > 0 degrees of freedom (NaN outside). */
double gs_student_p(double t, double df);

/*
 * The t >= 0 that |T| exceeds with probability p: gs_student_p(t, df) = p; 0 at p = 1, infinite at 0, NaN outside.
 * Rounds: to a relative error below 1e-12, where t is below 1e100.
 */
double gs_student_quantile(double p, double df);

/* The same from 1 - r^2 = hi + lo of a correlation with df = n - 2: I_{1 - r^2}(df/2, 1/2). */
double gs_student_p_of_r(double r, double one_minus_r2_hi, double one_minus_r2_lo, double df);
