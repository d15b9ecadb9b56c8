/* finding.h - what gpustat check can find: one lasting id each. */
#pragma once

#include <stdbool.h>

#include "base/core/text.h"

/* A new kind gets a row in finding.c; ids are interface: none changes or goes. */
enum gs_finding {
    GS_FINDING_MALFORMED_ROWS,
    GS_FINDING_ZONELESS_TIMES,
    GS_FINDING_IMPOSSIBLE_READINGS,
    GS_FINDING_MISSING_READINGS,
    GS_FINDING_UNKNOWN_GPU,
    GS_FINDING_DUPLICATE_CHECKPOINTS,
    GS_FINDING_DUPLICATE_SAMPLES,
    GS_FINDING_SAMPLES_AT_ONCE,
    GS_FINDING_START_WITHOUT_STOP,
    GS_FINDING_STOP_WITHOUT_START,
    GS_FINDING_HOSTS_WITHOUT_SAMPLES,
    GS_FINDING_HOSTS_WITHOUT_CHECKPOINTS,
    GS_FINDING_OUTSIDE_SAMPLED_TIME,
    GS_FINDING_SEVERAL_GPUS,
    GS_FINDING_STUCK_SENSORS,
    GS_FINDING_SAMPLE_GAPS,
    GS_FINDING_SAMPLING_INTERVALS,
    GS_FINDING_TASKS_ON_SEVERAL_HOSTS,
    GS_FINDING_UNLISTED_TASKS,
    GS_FINDING_TASKS_WITH_SEVERAL_TILES,
    GS_FINDING_DUPLICATE_TASKS,
    GS_FINDING_IDLE_TASKS,
    GS_FINDING_COMPLETE_TILES,
    GS_FINDING_MISSING_TILES,
    GS_FINDING_SHARED_TILES,
    GS_FINDING_UUID_ON_SEVERAL_HOSTS,
    GS_FINDING_ZERO_LENGTH_EVENTS,
    GS_FINDING_EVENTS_AT_ONCE,
    GS_FINDING_CLOCKS_DISAGREE,
    GS_FINDING_ISOLATED_READINGS,
    GS_FINDING_SKIPPED_ROWS,
    GS_FINDING_LINES_AROUND,
    GS_FINDING_PARTLY_SAMPLED,
    GS_FINDING_CUT_JOBS,
    GS_N_FINDINGS
};

/* "missing-tiles". */
const char *gs_finding_id(enum gs_finding f);

/* Finds the kind of an id; false, and nothing is stored, where there is none. */
bool gs_finding_of_id(struct gs_str id, enum gs_finding *f);

/* The kinds that are known and no reason to complain. Valid when zeroed: none. */
struct gs_accepted {
    bool kind[GS_N_FINDINGS];
};
