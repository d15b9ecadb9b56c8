/* pair_burst.h - the trains of short events among a host's pairs, as the sensor of one GPU sees them. */
#pragma once

#include "analysis/timeline/host_view.h"
#include "analysis/timeline/burst.h"

struct gs_pair_burst {
    struct gs_burst_train train; /* .first is not used         */
    struct gs_burst_train_view view;
    const uint32_t *pair; /* [train.n] in order of start */
    struct gs_burst all;  /* from the first start to the last stop */
};

struct gs_pair_bursts {
    size_t n;
    struct gs_pair_burst *train;
    /* of the event in no rhythm that explains the samples best, where it tells the window */
    struct gs_burst_train_view loose;
    struct gs_energy_beside *beside; /* [h's pairs], see gs_sensor_looks_aside; else NULL */
    size_t n_refused;
    int64_t *refused_from,
        *refused_to; /* [n_refused] each ascending: first starts and last stops of those that the
                                           sensor sees only in part                                                */
};

/*
 * The trains of each event on GPU k of a host where its sensor is in sight, else none. A window that is only read from the
 * samples becomes that of the train which explains them best, else of the event in no rhythm, see
 * gs_burst_train_determines: it is put into *sensor.
 * Events of whole seconds are no trains: what is fitted to times that are up to a second off is not their load.
 * Memory: they live in `arena`. Cost: a fit for each train that is shorter than the sensor's reach, or while the window
 * is not known.
 */
enum gs_status gs_pair_bursts_find(const struct gs_host_view *host, uint32_t k,
                                   const struct gs_gpu_view *gpu, struct gs_arena *arena,
                                   struct gs_sensor *sensor, struct gs_pair_bursts *trains,
                                   struct gs_err *err);

/* How many of the refused trains reach into a stretch of time. Cost: O(log n). */
uint64_t gs_pair_bursts_refused(const struct gs_pair_bursts *trains, int64_t from_ns,
                                int64_t to_ns);
