/* ddsum.h - short forms of common double-double operations. */
#pragma once

#include <stddef.h>

#include "base/num/dd.h"

/* a + b * c, with b and c exact or double-double. */
static inline struct gs_dd gs_dd_add_product(struct gs_dd a, struct gs_dd b, struct gs_dd c)
{
    return gs_dd_add(a, gs_dd_mul(b, c));
}

static inline struct gs_dd gs_dd_of_size(size_t n)
{
    return gs_dd_of_int((gs_i128)n);
}
