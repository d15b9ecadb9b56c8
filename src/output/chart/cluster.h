/* cluster.h - how much room clusters of bars, their values and their names take. */
#pragma once

#include "output/chart/figure.h"

/* How values are written over the bars of a cluster panel. */
enum gs_cluster_values { GS_CLUSTER_NONE, GS_CLUSTER_FLAT, GS_CLUSTER_UPRIGHT };

enum gs_cluster_values gs_cluster_values_of(const struct gs_drawn *d);

/* Appends what stands over a bar: "36.63 (n = 124)". */
void gs_cluster_value(struct gs_buf *b, const struct gs_drawn *d, size_t row);

/* Lengthens a linear axis so that upright values stay inside, above bars that go up and below those that go down. */
void gs_cluster_room(const struct gs_drawn *d, struct gs_axis *a);

/* Height of a panel in which bars, values, names and key have their room. */
double gs_cluster_height(const struct gs_drawn *d);
