/* sensor_width.h - how wide the intervals of a table's energies are, and what would make them narrower. */
#ifndef GPUSTAT_SENSOR_WIDTH_H
#define GPUSTAT_SENSOR_WIDTH_H

#include "analysis/sensor/sensor_tally.h"

/* Rows of a table: valid when zeroed. */
struct gs_energy_width {
    double energy_j, half_j;                        /* of the rows with an interval */
    double scale_j2, zero_j2, edges_j2, smeared_j2; /* their parts, squared            */
};

/* One row; nothing where it has no interval, or an energy that is not above 0. */
void gs_energy_width_add(struct gs_energy_width *width, const struct gs_energy_error *error,
                         gs_i128 energy);

/*
 * Where the rows' half widths are more than a tenth of their energies, together, and an option would narrow them, says so
 * once: how wide, mostly because of what, and the option in the form in which it is typed. `sensors` are those that the
 * energies are of. A sensor that was given or calibrated is not complained about.
 */
void gs_energy_width_note(const struct gs_energy_width *width,
                          const struct gs_sensor_tally *sensors, struct gs_notes *notes);

#endif
