/* holm.c - the step-down method. */
#include "stats/descriptive/holm.h"
#include "base/num/order.h"

#include <math.h>
#include <stdlib.h>

struct ranked {
    double p;
    size_t at;
};

GS_COMPARES(by_p, struct ranked, GS_BY(p) GS_BY(at));

bool gs_holm(const double *p, size_t n, struct gs_arena *scratch, double *adjusted)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    struct ranked *const r = gs_arena_take_raw(scratch, n, sizeof *r);
    size_t n_tests = 0;
    if (r == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        /* A missing p stays missing and is no test: it does not make the others stricter. */
        adjusted[i] = p[i];
        if (!isnan(p[i]))
            r[n_tests++] = (struct ranked){p[i], i};
    }
    if (n_tests > 1)
        qsort(r, n_tests, sizeof *r, by_p);
    /* Never below a smaller one's: the adjusted values keep the order of the p-values. */
    double least = 0.0;
    for (size_t i = 0; i < n_tests; i++) {
        least = fmax(least, fmin(1.0, r[i].p * (double)(n_tests - i)));
        adjusted[r[i].at] = least;
    }
    gs_arena_rewind(scratch, mark);
    return true;
}
