/* burst.h - repeated bursts: whether the sensor sees them whole, and what one of them takes. */
#pragma once

#include "stats/models/boxcar.h"
#include "analysis/energy/energy.h"

/* A stretch in which the load was on. */
struct gs_burst {
    int64_t start_ns, stop_ns;
};

/*
 * Bursts of like length that do not overlap and start in a rhythm: at least 5 with each step within 5 % of
 * the mean so far, or at least 8 within 20 %; like: each within half of the first. Chance makes no train of
 * windows put anywhere.
 */
struct gs_burst_train {
    size_t first, n;   /* in the list of bursts                       */
    int64_t period_ns; /* mean time from start to start               */
    double share;      /* of a period in which the load is on         */
};

/*
 * Finds the trains among bursts in order of start; each burst belongs to one at most.
 * Memory: *train lives in `arena`.
 */
enum gs_status gs_burst_trains_find(const struct gs_burst *burst, size_t n, struct gs_arena *arena,
                                    struct gs_burst_train **train, size_t *n_trains,
                                    struct gs_err *err);

/* Bursts in order of start, and what a sensor read of them. */
struct gs_bursts_seen {
    const struct gs_power_series *series;
    const struct gs_sensor *sensor;
    const struct gs_burst *burst;
    size_t n;
};

/* What the sensor makes of a train. */
struct gs_burst_train_view {
    /*
     * A burst, or a rest of more than 2 % of it, is shorter than the sensor's period, or
     * than the sampling interval. Steps that follow each other without a pause are such a
     * train by the letter of the rule; what could be hidden there is the power of the rest,
     * 2 % of the energy: as much as the interval of one's own calibration holds, and no
     * reason to refuse
     */
    bool judged;
    bool refused;    /* the sensor sees only part of the load: nothing can be said of it */
    const char *why; /* of refused: "its window ... is known to be shorter than its period", ... */
    bool fitted;
    /* of the readings as they are; on and off are not in the meter's scale */
    struct gs_boxcar_fit fit;
};

/*
 * Looks at one train of a series: fits a boxcar to the readings at their renewals, from the train and the
 * idle time around it (2 s and a period, no further than the next burst). `fit_anyway`: also where nothing is
 * to be judged, for the energy of a burst.
 *
 * Refused: where it is judged, and the window is known to be at most 3/4 of
 * it, or the best fit with such a window beats the best with one of at least a period, or R^2 < 0.8, or
 * nothing fits. A period that is not known is judged only where the train's is below twice the sampling
 * interval.
 */
enum gs_status gs_burst_train_inspect(const struct gs_bursts_seen *seen,
                                      const struct gs_burst_train *train, bool fit_anyway,
                                      struct gs_arena *scratch, struct gs_burst_train_view *view,
                                      struct gs_err *err);

/* Is a fit of the train wanted: does the sensor's reach hide some of it, or could it tell the window? */
bool gs_burst_train_wants_fit(const struct gs_burst_train *train, const struct gs_sensor *sensor);

/*
 * Adds the energy of one burst of a fitted train: its length at the level "on", with the doubt about scale and zero, the
 * fit's, and 3.5 % for the shape of a burst, which is no square, of one of 50 ms at least: the same mistake in all of them;
 * the fit's is independent between bursts. Its time is covered.
 */
void gs_burst_train_burst(const struct gs_burst_train_view *view, const struct gs_sensor *sensor,
                          int64_t length_ns, struct gs_energy_sum *sum);

/*
 * The same fit to bursts that come in no rhythm, of which there are at least 5, none overlapping, whose mean distance is
 * such that a window shows; view->fitted: it was made. Only what gs_burst_train_determines makes of it is meant: chance puts no
 * bursts anywhere that explain the readings. Of many the first 256 are looked at.
 */
enum gs_status gs_bursts_inspect(const struct gs_bursts_seen *seen, struct gs_arena *scratch,
                                 struct gs_burst_train_view *view, struct gs_err *err);

/*
 * Does a fitted train tell the sensor's window and delay? Where they are only read from the log, the log is fast, and
 * the fit explains the readings, R^2 >= 0.95: they are then view->fit's.
 */
bool gs_burst_train_determines(const struct gs_burst_train_view *view,
                               const struct gs_sensor *sensor);

/*
 * What a window that cuts the train may miss, J: half of what a burst has less than it took, (on - off) D (1 - D) P, less
 * what the sensor's window still lets through. 0 where no fit was made.
 */
double gs_burst_train_ripple_j(const struct gs_burst_train *train,
                               const struct gs_burst_train_view *view,
                               const struct gs_sensor *sensor);
