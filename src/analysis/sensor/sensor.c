/* sensor.c - readings in the scale of a meter. */
#include "analysis/sensor/sensor.h"

#include <math.h>

#include "base/num/dd.h"
#include "base/num/timestamp.h"

gs_i128 gs_sensor_scale(const struct gs_sensor *s, gs_i128 energy, gs_i128 time_ns)
{
    if (!gs_sensor_scales(s))
        return energy;
    const struct gs_dd per_ns =
        gs_dd_of(s->offset_w * ((double)GS_ENERGY_PER_J / (double)GS_NS_PER_S));
    struct gs_dd e = gs_dd_sub(gs_dd_of_int(energy), gs_dd_mul(per_ns, gs_dd_of_int(time_ns)));
    e = gs_dd_div(e, gs_dd_of(s->gain));
    if (fabs(e.hi) >= 0x1p126)
        return energy;
    return (gs_i128)e.hi + (gs_i128)nearbyint(e.lo);
}
