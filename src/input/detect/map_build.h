/* map_build.h - builds the map of a command: from a map file or by detection, corrected by the command line. */
#pragma once

#include "base/core/notes.h"
#include "base/os/path_conflicts.h"
#include "input/import/mapper.h"

/*
 * Operands that are files of samples which nothing is joined with: any clock will do, one of its own counts from 1970,
 * and none at all; power without a unit is in W.
 */
struct gs_map_alone {
    int64_t every_ns; /* rows without times lie so far apart */
};

struct gs_map_request {
    const char *const *operand; /* a directory, or files                     */
    size_t n_operands;
    const char *const *path[GS_N_ROLES]; /* files named by option                     */
    size_t n_paths[GS_N_ROLES];
    const char *map_file;   /* --map; NULL: none                         */
    const char *const *set; /* --set, in order                           */
    size_t n_sets;
    const char *columns;      /* --columns: names of a headerless table's columns; NULL: none */
    const char *power_column; /* --power-column: which column is power_w; NULL: not said      */
    uint64_t n_gpus;          /* whose rows come in turn where nothing names GPUs; 0: not said */
    uint64_t seed;
    const struct gs_map_alone *alone; /* NULL: samples are joined with what else there is */
    struct gs_path_conflicts *claims; /* held against the maps that are read; NULL: none      */
    struct gs_notes *notes;           /* files newer than the map are said here; NULL: nowhere */
};

/*
 * Makes the map: of --map, else of DIR/gpustat.json, else by recognition; files named by option take the place of their
 * role's sources; --set is applied last. Files of a map are looked for in the directory that is the operand, else in the
 * map's own folder.
 * Errors: GS_ERR_NOINPUT for a file that is not there; those of gs_map_parse, gs_map_set, gs_map_detect, gs_map_check.
 */
enum gs_status gs_map_build(const struct gs_map_request *r, struct gs_arena *arena,
                            struct gs_map *map, struct gs_err *err);

/* The map that lies at a path, as it stands there: its files are not looked for. */
enum gs_status gs_map_read(const char *path, struct gs_arena *arena, struct gs_map *map,
                           struct gs_err *err);

/* Where the map of a run would lie: in the directory, or beside the file. NULL without memory. */
const char *gs_map_path(const char *run, struct gs_arena *arena);

/* Called with the tables of each source, which are gone afterwards. */
struct gs_map_seen {
    enum gs_status (*fn)(void *context, size_t source, const struct gs_dataset *d,
                         struct gs_err *err);
    void *context;
};

/* Reads the files of a map, one source after the other, for what they come to: fills found of every source. `seen` may be NULL. */
struct gs_load_options;
enum gs_status gs_map_inspect(struct gs_map *map, const struct gs_load_options *o,
                              const struct gs_map_seen *seen, struct gs_arena *arena,
                              struct gs_notes *notes, struct gs_err *err);

/* Does a column of a source still lack its unit, after what --set said? */
bool gs_source_missing_unit(const struct gs_source *s, const struct gs_missing_unit *lack);

/* What was noticed in the files of a source, for people. */
void gs_mapped_notes(const struct gs_mapped_source *m, const struct gs_zone *zone,
                     struct gs_notes *notes);
