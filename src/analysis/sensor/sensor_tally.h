/* sensor_tally.h - the sensors of many GPUs in a few numbers: what they are like, and where that is known from. */
#pragma once

#include "base/core/notes.h"
#include "base/core/pack.h"
#include "analysis/sensor/sensor.h"

/* clang-format off */
enum { GS_SENSOR_PERIOD, GS_SENSOR_WINDOW, GS_SENSOR_DELAY, GS_SENSOR_GAIN, GS_SENSOR_OFFSET, GS_SENSOR_PARTS,
       GS_SENSOR_SOURCES = GS_SENSOR_METER + 1 };
/* clang-format on */

/* Times in ns, the gain in 10^-6, the offset in micro W. Valid when zeroed. */
struct gs_sensor_tally {
    uint64_t n;          /* sensors                              */
    uint64_t n_unlisted; /* of cards that the table of cards lacks, so that --card is no help */
    uint64_t from[GS_SENSOR_PARTS]
                 [GS_SENSOR_SOURCES]; /* how many of them, by enum gs_sensor_source */
    int64_t least[GS_SENSOR_PARTS],
        most[GS_SENSOR_PARTS]; /* nothing where n is 0                 */
};

/* The options that tell what is not known of the sensors: a card that is in no table has none of its own. */
const char *gs_sensor_tally_options(const struct gs_sensor_tally *t);

void gs_sensor_tally_add(struct gs_sensor_tally *t, const struct gs_sensor *sensor);

/* Appends "period 100 ms (from the log), window 100 to 1000 ms (3 from the table of cards, 1 assumed), ...". */
void gs_sensor_tally_describe(const struct gs_sensor_tally *t, struct gs_buf *b);

/*
 * Says, where gains and offsets of the table of cards are taken out of the readings, which they are and of how many GPUs,
 * with the option that leaves them in.
 */
void gs_sensor_tally_note(const struct gs_sensor_tally *t, struct gs_notes *notes);
