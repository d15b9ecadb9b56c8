/* units.h - units of readings, and the meaning and unit that a column name implies. */
#pragma once

#include <stdint.h>

#include "base/num/decimal.h"
#include "base/core/text.h"
#include "data/tables/metric.h"

/* clang-format off */
enum gs_quantity {
    GS_Q_NONE, GS_Q_POWER, GS_Q_ENERGY, GS_Q_SHARE, GS_Q_MEMORY, GS_Q_TEMPERATURE, GS_Q_CLOCK, GS_Q_TIME, GS_Q_RATE,
};
/* clang-format on */

/* value * num / den is in W, J, %, MiB, C, MHz, ns, MiB/s. */
struct gs_unit {
    enum gs_quantity quantity;
    int64_t num, den;
    const char *shown;
};

#define GS_UNIT_NONE ((struct gs_unit){GS_Q_NONE, 1, 1, ""})

/* The unit of that text: "W", "mW", "watts", "%", "MiB" ...; quantity NONE for none that is known. */
struct gs_unit gs_unit_find(struct gs_str text);

/* The same of what a number counts in, perhaps several of the unit: "10ms" with *count 10. */
struct gs_unit gs_unit_counted(struct gs_str text, int64_t *count);

/* What a metric is measured in; quantity NONE for one without a unit that is known. */
enum gs_quantity gs_metric_quantity(const struct gs_metric *m);

/*
 * Reads a decimal and converts it: value * num / den in 10^-6, rounded to nearest, with all of its digits
 * (2.5e-05 kWh is 90 J). A unit of the same quantity behind the number wins over `unit`. Missing: the words of
 * gs_fixed_parse, and the numbers that DCGM writes for no value, 2147483632 and its like.
 */
/* The unit behind a number, "42.7 W"; its quantity is GS_Q_NONE where none is. */
struct gs_unit gs_reading_unit(struct gs_str reading);

enum gs_number gs_scaled_parse(struct gs_str text, struct gs_unit unit, int64_t *value,
                               bool *rounded);

/* May a comma stand for the point where this parts the columns? 86,5 W */
static inline bool gs_takes_commas(char separator)
{
    return separator == ';' || separator == '\t';
}

/* The same where it does. */
enum gs_number gs_scaled_parse_comma(struct gs_str text, struct gs_unit unit, int64_t *value,
                                     bool *rounded);

enum { GS_NAME_MAX = 120 };

/* A column's name taken apart. */
struct gs_name {
    char whole[GS_NAME_MAX]; /* letters and digits only, lower case                     */
    char stem[GS_NAME_MAX];  /* the same without the unit                               */
    struct gs_unit unit;     /* quantity NONE: the name has none                        */
    bool is_measured;        /* [hp] is a unit, though none that is known               */
};
void gs_name_split(struct gs_str column, struct gs_name *name);

/* What a column is for. */
/* clang-format off */
enum gs_meaning {
    GS_MEANS_NOTHING, GS_MEANS_TIME, GS_MEANS_HOST, GS_MEANS_UUID, GS_MEANS_SERIAL, GS_MEANS_INDEX, GS_MEANS_JOB,
    GS_MEANS_EVENT, GS_MEANS_PHASE, GS_MEANS_START, GS_MEANS_STOP, GS_MEANS_DURATION, GS_MEANS_TASK,
    GS_MEANS_CARD, /* the make of a GPU; a name that may mean something else means that */
    GS_N_MEANINGS,
};
/* clang-format on */

/* The meaning of a name, and how good the name is for it (smaller is better). */
enum gs_meaning gs_name_meaning(const struct gs_name *name, unsigned *rank);

/* The meaning of a column by its header. */
enum gs_meaning gs_column_meaning(struct gs_str header);

/* The names that mean this, folded, the best first, parted by blanks. */
const char *gs_meaning_names(enum gs_meaning means);

/* May a column of this name be for that? */
bool gs_name_fits(const struct gs_name *name, enum gs_meaning meaning, unsigned *rank);

/* The metric that a column of this name holds, whole names only; *needs_unit: the name alone does not say the unit. */
const struct gs_metric *gs_name_metric(const struct gs_name *name, bool *needs_unit);

/* What the words of a name are about: "CPU Package" is of something else than "GPU Power". */
enum gs_device_part { GS_PART_UNKNOWN, GS_PART_GPU, GS_PART_ALL, GS_PART_OTHER, GS_N_PARTS };
enum gs_device_part gs_words_part(struct gs_str text);

/*
 * The metric that the words of a column's name and its unit tell, where no name is known: "GPU Chip Power Draw [W]",
 * total_power, VDD_IN (mW). *rank: 0 of a GPU, 1 of a part of it, 2 of a board, 3 of all there is; what is of a processor
 * or a memory, or a limit, is nobody's. NULL: they tell none.
 */
const struct gs_metric *gs_words_metric(struct gs_str column, unsigned *rank);

/* Is one of a name's words in that list, parted by blanks? */
bool gs_words_have(struct gs_str column, const char *words);

/* Does a name say that it is a GPU's? */
bool gs_words_gpu(struct gs_str column);

/* Does a name say that it is of a meter at the wall, or of a processor, and not of a GPU? */
bool gs_words_meter(struct gs_str column);

/* GPU-0, gpu 1: names that are the word and a number tell one GPU from another. */
bool gs_is_numbered_gpu(struct gs_str cell);

/* "0-3", "gpu0-3", "gpu0-gpu3": several GPUs, of what stands before their numbers and of the first and last of these. */
bool gs_is_gpu_range(struct gs_str cell, struct gs_str *before, struct gs_str *low,
                     struct gs_str *high);

/* Average, highest, ...: what a name says of many readings. */
bool gs_words_summary(struct gs_str column);

/* total, sum, all, -1, mean, avg, min, max: no GPU and no host. */
bool gs_is_aggregate(struct gs_str name);

/* cpu, CPU0, dram, package-0, node, power_limit: what a log has in its column of devices beside the GPUs. */
bool gs_is_other_device(struct gs_str gpu);

/*
 * The part of a column's name in which those of several GPUs or hosts differ is no GPU's and no host's where one of its
 * words says so: the _total of gpu_total_power_w, the 0_max of gpu0_max_power_w, and wandb's process.0, which is the board
 * of GPU 0 once more.
 */
bool gs_names_no_one(struct gs_str part);
