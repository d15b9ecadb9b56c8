/* change_fixture.h - for tests of changes: the order that their values must be in. */
#ifndef GPUSTAT_CHANGE_FIXTURE_H
#define GPUSTAT_CHANGE_FIXTURE_H

#include "fixture.h"

#include "analysis/diff/change.h"

static inline int in_order(const void *a, const void *b)
{
    const struct gs_change_value *const x = a, *const y = b;
    if (x->worker != y->worker)
        return x->worker < y->worker ? -1 : 1;
    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

#endif
