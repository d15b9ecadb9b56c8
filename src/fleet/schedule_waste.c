/* schedule_waste.c - what GPUs drew while their worker had no task. */
#include "fleet/schedule_sums.h"
#include "view/pair_energy.h"
#include "view/pair_train.h"

struct gs_waste_gpu {
    struct gs_sensor sensor;
    struct gs_pair_trains trains;
};

enum gs_status gs_waste_prepare(const struct gs_host_view *h, struct gs_arena *scratch, struct gs_waste_gpu **gpus,
                                struct gs_err *err)
{
    struct gs_waste_gpu *const made = gs_arena_take(scratch, h->n_gpus, sizeof *made);
    enum gs_status s = made == NULL ? gs_fail_memory(err) : gs_energy_check(h, err);
    for (uint32_t g = 0; s == GS_OK && g < h->n_gpus; g++)
        if (h->gpu[g].n > 0)
            s = gs_pair_trains_find(h, g, scratch, &made[g].sensor, &made[g].trains, err);
    *gpus = made;
    return s;
}

static enum gs_status add_gpu(const struct gs_gpu_view *g, const struct gs_waste_gpu *w, const int64_t *t, size_t n,
                              struct gs_arena *scratch, struct gs_waste *waste, struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    struct gs_energy_point *const at = gs_arena_take_raw(scratch, 2 * n, sizeof *at);
    const enum gs_status s =
        at == NULL ? gs_fail_memory(err) : gs_energy_points(g, &w->sensor, -1, t, (uint32_t)(2 * n), scratch, at, err);
    for (size_t i = 0; s == GS_OK && i < 2 * n; i += 2) {
        const struct gs_energy *const from = &at[i].used, *const to = &at[i + 1].used;
        const gs_i128 energy = to->energy - from->energy;
        if (to->covered_ns == from->covered_ns)
            continue;
        waste->energy += energy;
        waste->covered_ns += to->covered_ns - from->covered_ns;
        gs_energy_error_add(&waste->error, &w->sensor, energy, (int64_t)(to->covered_ns - from->covered_ns),
                            &at[i].edge, &at[i + 1].edge);
        waste->error.n_refused += gs_pair_trains_refused(&w->trains, t[i], t[i + 1]);
    }
    gs_arena_rewind(scratch, mark);
    return s;
}

enum gs_status gs_waste_add(const struct gs_host_view *h, const struct gs_waste_gpu *gpus, uint32_t worker,
                            const int64_t *t, size_t n, struct gs_arena *scratch, struct gs_waste *waste,
                            struct gs_err *err)
{
    enum gs_status s = GS_OK;
    for (uint32_t g = 0; s == GS_OK && n > 0 && g < h->n_gpus; g++)
        if (h->gpu[g].n > 0 && (worker == GS_NONE || worker == g))
            s = add_gpu(&h->gpu[g], &gpus[g], t, n, scratch, waste, err);
    return s;
}

void gs_waste_merge(struct gs_waste *w, const struct gs_waste *other)
{
    w->energy += other->energy;
    w->covered_ns += other->covered_ns;
    gs_energy_error_merge(&w->error, &other->error);
}
