/* detect.h - detects which files of a run are samples, events or tasks, by their content. */
#pragma once

#include "input/schema/map.h"

/* A file to be looked at. */
struct gs_candidate {
    struct gs_str path;  /* to open                                             */
    struct gs_str shown; /* as it stands in the map                             */
    unsigned roles;      /* bits of enum gs_role that it may play               */
    bool named;          /* by an option: it must play one of them              */
    bool only;           /* no other file is beside it, or its name tells its role */
    bool alone;          /* see gs_map_alone                                    */
    const char *why;     /* not NULL: it cannot be looked at                    */
    bool no_loss;        /* what counts of it is read under another path        */
};

/* The origin of clocks of their own where any will do. */
extern const struct gs_map_value gs_map_epoch;

struct gs_candidates {
    struct gs_candidate *item;
    size_t n;
    unsigned
        told; /* roles that --set speaks of: an operand that fits nothing by itself plays that one */
};

/*
 * Adds the files under directories to a list of named ones: subfolders too, hidden ones, reports and maps not; in the order
 * of their bytes. Of one directory without named files, names begin below it. A file is listed once, however often it is met.
 * What is no file for all that is known, and folders more than 12 deep, are listed with the reason; so are folders that
 * were searched already and files that a link leads to once more, by device and inode: a link counts after what is none.
 * Errors: GS_ERR_NOINPUT; GS_ERR_IO; GS_ERR_DATA above GS_INPUTS_MAX files. Memory: lives in `arena`.
 */
enum gs_status gs_candidates_find(const char *const *dir, size_t n_dirs, struct gs_arena *arena,
                                  struct gs_candidates *list, struct gs_err *err);

/* The map that a directory may hold; a file of that name that speaks of no sources is somebody else's, data as any other. */
#define GS_MAP_NAME "gpustat.json"
enum gs_status gs_is_map_file(const char *path, bool *is, struct gs_err *err);

/* The list of a report's files, and its first line: by it a folder is known as one. */
#define GS_REPORT_FILES        "files.csv"
#define GS_REPORT_FILES_HEADER "file,kind,bytes,sha256\n"

/*
 * Adds to `map` a source for each role that a candidate plays; files of one role, form and header are one source. What
 * plays none is listed in map->unused with the reason. `hint` [GS_N_ROLES] says how tables are to be cut (form, separator,
 * skip, header, columns), as --set has it: those of a file named for the role, and those of any that fits nothing as it is.
 * Errors: GS_ERR_DATA for a named file that is not understood, for two separators or profiles; GS_ERR_IO; GS_ERR_MEMORY.
 */
enum gs_status gs_map_detect(const struct gs_candidates *list, const struct gs_source *hint,
                             uint64_t seed, struct gs_arena *arena, struct gs_map *map,
                             struct gs_err *err);
