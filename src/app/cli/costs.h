/* costs.h - what the energies of a result cost and emit, as columns behind its own. */
#pragma once

#include "app/options/rates.h"
#include "data/result/frame.h"

/*
 * Adds facility_kwh, cost and co2_g, and the ends of their intervals where the energy has one, to every frame with an
 * energy: energy_sensor_j, else energy_sum_j, else energy_j; of a schedule gap_cost and tail_cost and so on. Only what was asked for is added; a missing energy costs
 * nothing known, so its cells are missing too. Rows of a source stay where they are. A result without any energy gets
 * a note.
 * Memory: lives in `arena`, as long as the frames do. Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_costs_add(struct gs_frames *frames, const struct gs_rates *rates,
                            struct gs_arena *arena, struct gs_err *err);
