/* zone_file.h - looks up time zones of the system by name. */
#pragma once

#include "base/core/arena.h"
#include "base/core/status.h"
#include "base/num/timestamp.h"

/*
 * Reads a zone as --tz takes it: UTC, Z, an offset such as +01:00, or a name of the system's zones such as
 * Europe/Berlin.
 * Errors: GS_ERR_USAGE, "'NAME' is not ...", with the nearest name; GS_ERR_DATA for a damaged file; GS_ERR_MEMORY.
 * Memory: lives in `arena`.
 * Source: the files below /usr/share/zoneinfo.
 */
enum gs_status gs_zone_named(struct gs_str name, struct gs_arena *arena, struct gs_zone *zone,
                             struct gs_err *err);
