/* metric_columns.h - the columns that show a run's metrics, made from their rows of the table. */
#pragma once

#include "data/result/frame.h"
#include "data/tables/metric.h"
#include "analysis/energy/counter.h"

/*
 * A frame's columns: some of its own, the fixed metrics, more of its own, the further metrics of the run, and what came
 * to be its own later.
 */
struct gs_metric_columns {
    const struct gs_column_spec *spec;
    size_t n;
    size_t n_shown;         /* metrics                                                  */
    const uint32_t *metric; /* [n_shown] number in the run                              */
    const size_t *column;   /* [n_shown] the column that shows it                       */
    size_t counter; /* the first of the two columns of what energy counters say; 0: not shown */
    size_t last;    /* the first of the frame's own last columns                            */
};

/* What a frame shows of metrics. */
struct gs_metric_shown {
    /* the frame's own columns around the fixed metrics */
    const struct gs_column_spec *before, *behind;
    size_t n_before, n_behind;
    const struct gs_column_spec *last; /* behind everything else: younger than the metrics */
    size_t n_last;
    const char *what;  /* "mean" for sm_clock_mean_mhz; NULL for sm_clock_mhz */
    const char *where; /* behind each label, " at ends"; NULL: nothing */
    bool counted;      /* energy counters, too */
    /* a sentence on how it is computed, one %s in it for the metric: "mean of %s over all samples" */
    const char *how;
};

/*
 * Makes the columns of a run with these metrics. A counter has no mean: energy_counter_j and counter_difference_pct come
 * last where shown->counted and the run has energy counters.
 * Memory: lives in `arena`.
 */
enum gs_status gs_metric_columns(const struct gs_metric_shown *shown,
                                 const struct gs_metric *const *metric, uint32_t n_metrics,
                                 struct gs_arena *arena, struct gs_metric_columns *columns,
                                 struct gs_err *err);

/* The two columns of what energy counters say: the energy, and what it differs by from that of the samples. */
enum { GS_COUNTER_COLUMNS = 2 };
extern const struct gs_column_spec gs_counter_columns[GS_COUNTER_COLUMNS];

/* Do the metrics of a run have an energy counter among them? */
bool gs_metrics_count(const struct gs_metric *const *metric, uint32_t n_metrics);

/* Fills both cells, from `column` on; nothing where that is 0. */
void gs_counter_cells(struct gs_frame *f, size_t row, size_t column,
                      const struct gs_counted *counted);
