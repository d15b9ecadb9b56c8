/* gpu_names.h - what the columns of a source of samples call GPUs, for whoever reads its files. */
#pragma once

#include "input/import/bind.h"
#include "input/schema/map.h"
#include "data/tables/dataset.h"

/* What the GPUs of a source are named by: GS_POOL_UUID, GS_POOL_SERIAL, or GS_POOL_INDEX, also for no column. */
enum gs_pool gs_gpu_pool(const struct gs_source *s);

/* clang-format off */
/* Beside the name that counts; user and account of the job that samples name. */
enum { GS_OTHER_SERIAL, GS_OTHER_INDEX, GS_OTHER_CARD, GS_OTHER_USER, GS_OTHER_ACCOUNT, GS_OTHER_NAMES };
/* clang-format on */

/*
 * Finds the columns that stand beside the GPU's own: a table that tells GPUs apart by UUID may have their serials and
 * indices too, and the events may name those. And their make, which says what the sensor is like.
 *
 * Shapes:  column[n], met[n]: those that the file has, NULL for all; GS_INTERN_NONE in `other` for none.
 */
void gs_gpu_other_names(const struct gs_source *s, const struct gs_str *column, const bool *met,
                        size_t n, uint32_t other[GS_OTHER_NAMES]);

/*
 * Is it one that the mapper leaves out, or puts to another host: named as a sum over GPUs or hosts is, or of a host named
 * by a word for "no value"? `host`: ptr == NULL where the files name none.
 */
bool gs_is_no_gpu(const struct gs_gpu *gpu, struct gs_str host);
