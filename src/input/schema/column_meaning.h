/* column_meaning.h - the meaning and the unit that a column's name implies. */
#pragma once

#include "data/tables/unit.h"

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
