/* inputs.h - tells the study's tables by their names. */
#pragma once

#include "input/detect/detect.h"

/*
 * The role of a file of the study by its name, GS_N_ROLES for none: stem.csv, stem-N.csv, each also packed or as Parquet.
 */
enum gs_role gs_study_role(const char *name);

/*
 * Of a list in the order of paths: the same table twice, plain, packed or as Parquet, would count every row twice.
 * Errors: GS_ERR_DATA.
 */
enum gs_status gs_study_refuse_twins(const struct gs_candidates *list, struct gs_err *err);
