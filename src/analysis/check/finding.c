/* finding.c - the ids. */
#include "analysis/check/finding.h"

static const char *const ids[GS_N_FINDINGS] = {
    [GS_FINDING_MALFORMED_ROWS] = "malformed-rows",
    [GS_FINDING_ZONELESS_TIMES] = "zoneless-times",
    [GS_FINDING_IMPOSSIBLE_READINGS] = "impossible-readings",
    [GS_FINDING_MISSING_READINGS] = "missing-readings",
    [GS_FINDING_UNKNOWN_GPU] = "unknown-gpu",
    [GS_FINDING_DUPLICATE_CHECKPOINTS] = "duplicate-checkpoints",
    [GS_FINDING_DUPLICATE_SAMPLES] = "duplicate-samples",
    [GS_FINDING_SAMPLES_AT_ONCE] = "samples-at-once",
    [GS_FINDING_START_WITHOUT_STOP] = "start-without-stop",
    [GS_FINDING_STOP_WITHOUT_START] = "stop-without-start",
    [GS_FINDING_HOSTS_WITHOUT_SAMPLES] = "hosts-without-samples",
    [GS_FINDING_HOSTS_WITHOUT_CHECKPOINTS] = "hosts-without-checkpoints",
    [GS_FINDING_OUTSIDE_SAMPLED_TIME] = "outside-sampled-time",
    [GS_FINDING_SEVERAL_GPUS] = "several-gpus",
    [GS_FINDING_STUCK_SENSORS] = "stuck-sensors",
    [GS_FINDING_SAMPLE_GAPS] = "sample-gaps",
    [GS_FINDING_SAMPLING_INTERVALS] = "sampling-intervals",
    [GS_FINDING_TASKS_ON_SEVERAL_HOSTS] = "tasks-on-several-hosts",
    [GS_FINDING_UNLISTED_TASKS] = "unlisted-tasks",
    [GS_FINDING_TASKS_WITH_SEVERAL_TILES] = "tasks-with-several-tiles",
    [GS_FINDING_DUPLICATE_TASKS] = "duplicate-tasks",
    [GS_FINDING_IDLE_TASKS] = "idle-tasks",
    [GS_FINDING_COMPLETE_TILES] = "complete-tiles",
    [GS_FINDING_MISSING_TILES] = "missing-tiles",
    [GS_FINDING_SHARED_TILES] = "shared-tiles",
    [GS_FINDING_UUID_ON_SEVERAL_HOSTS] = "uuid-on-several-hosts",
    [GS_FINDING_ZERO_LENGTH_EVENTS] = "zero-length-events",
    [GS_FINDING_EVENTS_AT_ONCE] = "events-at-once",
    [GS_FINDING_CLOCKS_DISAGREE] = "clocks-disagree",
    [GS_FINDING_ISOLATED_READINGS] = "isolated-readings",
    [GS_FINDING_SKIPPED_ROWS] = "skipped-rows",
    [GS_FINDING_LINES_AROUND] = "lines-around",
    [GS_FINDING_PARTLY_SAMPLED] = "partly-sampled",
    [GS_FINDING_CUT_JOBS] = "cut-jobs",
};

const char *gs_finding_id(enum gs_finding f)
{
    return ids[f];
}

bool gs_finding_of_id(struct gs_str id, enum gs_finding *f)
{
    for (int i = 0; i < GS_N_FINDINGS; i++)
        if (gs_str_eq(id, gs_str(ids[i]))) {
            *f = (enum gs_finding)i;
            return true;
        }
    return false;
}
