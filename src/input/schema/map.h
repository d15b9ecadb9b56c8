/* map.h - the map (schema) of a run: which files are read, in which role, and what their columns mean. */
#pragma once

#include "base/core/arena.h"
#include "base/core/status.h"
#include "base/core/text.h"
#include "input/schema/missing_unit.h"

/* Begins the name of a column that nobody names: "-" of --columns. */
#define GS_UNNAMED_COLUMN "unnamed "

enum gs_role { GS_ROLE_SAMPLES, GS_ROLE_EVENTS, GS_ROLE_TASKS, GS_N_ROLES };

/* Texts, in order. */
struct gs_texts {
    struct gs_str *item;
    size_t n;
};

/* A condition: the column's text matches one of the patterns. */
struct gs_map_where {
    struct gs_str column;
    struct gs_texts pattern;
};

struct gs_map_wheres {
    struct gs_map_where *item;
    size_t n;
};

enum gs_value_kind {
    GS_VALUE_NONE,    /* not given                                                        */
    GS_VALUE_COLUMN,  /* column[0]                                                        */
    GS_VALUE_JOINED,  /* column[], joined by a blank                                      */
    GS_VALUE_COLUMNS, /* text: a pattern on the columns' names, with {gpu} or {host}      */
    GS_VALUE_FILE,    /* text: a pattern on the file's path                               */
    GS_VALUE_TEXT,    /* text: the same for every row                                     */
    GS_VALUE_COUNT,   /* the k-th of its event, by time                                   */
    GS_VALUE_EVERY,   /* text: the time from row to row, in a table without times         */
    GS_VALUE_TURNS,   /* text: so many GPUs whose rows come in turn, called 0, 1, 2 ...   */
};

struct gs_map_name {
    struct gs_str from, to;
};

/* Where a value comes from and how its text is converted. Valid when zeroed: none. */
struct gs_map_value {
    enum gs_value_kind kind;
    struct gs_texts column;
    struct gs_str text;
    struct gs_str unit, like; /* ptr == NULL: not given */
    bool many;
    struct gs_map_name *names;
    size_t n_names;
    struct gs_map_wheres where;
};

/* A value with a name of its own: a metric, an attribute. */
struct gs_map_field {
    struct gs_str name;
    struct gs_map_value value;
};

struct gs_map_fields {
    struct gs_map_field *item;
    size_t n;
};

/* How rows with one instant each become events. */
enum gs_phase_kind {
    GS_PHASE_NONE,
    GS_PHASE_PAIRS,  /* each row is marked as a START or a STOP            */
    GS_PHASE_POINTS, /* an event lasts from its row to the next            */
    GS_PHASE_ENDS,   /* an event lasts from the row before it to its own   */
    GS_PHASE_TURNS,  /* rows are START and STOP in turn, without a mark    */
    GS_N_PHASE_KINDS
};

/* How START and STOP marks are told apart. */
struct gs_map_phase {
    enum gs_phase_kind kind;
    struct gs_str column;      /* ptr == NULL: the event's own                     */
    struct gs_str start, stop; /* PAIRS: patterns, where {} is the event's name    */
};

/* Counts and medians of a source that was read: printed with the map, ignored when a map is parsed. */
struct gs_map_found {
    bool known;
    bool zoneless; /* a time named no zone */
    bool apart;    /* two of its files, `pair`, have no instant in common: see gs_map_find_apart */
    size_t pair[2];
    uint64_t n_rows, n_set_aside, n_ignored;
    uint32_t n_hosts, n_gpus;
    int64_t from_ns, to_ns; /* GS_MISSING: no instant */
    double *median;         /* [metrics.n] NaN: no reading */
};

#define GS_FORM_DEFAULT "table" /* of a source that names none */

struct gs_source {
    enum gs_role role;
    struct gs_texts files; /* as in the map: from its folder                       */
    struct gs_str form;
    struct gs_str separator;    /* one byte or "blanks"; ptr == NULL: a comma           */
    int64_t skip, header;       /* lines; -1: not given                                 */
    struct gs_texts columns;    /* names by place; n == 0: from the header              */
    struct gs_str zone;         /* ptr == NULL: that of --tz                            */
    struct gs_map_value origin; /* TEXT or FILE; NONE: times are instants               */
    struct gs_str shift;        /* a duration, perhaps with a sign                      */
    struct gs_map_wheres where;
    struct gs_texts ignored;
    struct gs_map_value time, start, stop, duration;
    struct gs_map_value host, gpu, job, task, event;
    struct gs_map_phase phase;
    struct gs_map_fields metrics, attributes;
    struct gs_map_found found;
    struct gs_texts path;  /* the files to read, found from `files`; never printed */
    bool detected;         /* by content: nobody said so, not even the file's name */
    bool host_inferred;    /* from what differs between the files' paths           */
    bool columns_inferred; /* by what stands in them: there is no header           */
    bool cut_cells;        /* some of several lines, which the scanner does not take */
    bool own_clock;        /* its first time is no instant: it begins near 0, or is a time of day */
    bool time_of_day;      /* ... a time of day, whose date stands nowhere in it   */
    bool time_of_year;     /* ... whose year stands nowhere in it                  */
    bool unnamed;          /* nothing tells its events apart                       */
    struct gs_missing_units missing_units; /* of detected samples */
    struct gs_texts unread;   /* columns of readings that detection has no use for; --set may */
    struct gs_texts notes;    /* notes on what was inferred for detected samples */
    struct gs_texts warnings; /* the same where a wrong inference would change the answer */
    const char *
        ambiguity; /* of detected spans, not NULL: why nothing says how long they are; a unit of duration does; of samples, whose they are: `where` does */
    bool host_settles; /* ... or their host */
    bool time_settles; /* ... or their time alone */
};

struct gs_unused_file {
    struct gs_str path;
    const char *why;
    bool reported;   /* that it cannot be looked at, when it was found */
    bool same_steps; /* as another file, which is used */
    bool replaced;   /* by files that were named for its part */
};

/* What a map keeps of the command that made it beside what its files mean: options of these names, without dashes. */
enum { GS_MAP_OPTIONS = 5 };
extern const char *const gs_map_options[GS_MAP_OPTIONS];

struct gs_map {
    struct gs_str option[GS_MAP_OPTIONS]; /* ptr == NULL: not given */
    struct gs_source *source;
    size_t n_sources;
    struct gs_unused_file *unused;
    size_t n_unused;
};

enum { GS_MAP_SOURCES_MAX = 4096 };

/* The words of a map for kinds without further fields, NULL for the others; find: GS_PHASE_NONE for an unknown word. */
extern const char *const gs_phase_words[GS_N_PHASE_KINDS];
enum gs_phase_kind gs_phase_find_word(struct gs_str word);

/* Is a column the value, or one of those that its pattern names? */
bool gs_map_value_takes(const struct gs_map_value *v, struct gs_str column);

/* Are a column's readings what the source takes, or asks for a unit for? */
bool gs_source_reads(const struct gs_source *s, struct gs_str column);

/* Appends a zeroed source to a map; NULL without memory. Pointers to other sources become invalid. */
struct gs_source *gs_map_add(struct gs_map *map, struct gs_arena *arena);

/* Makes each a source of its role of which nothing else is known. */
void gs_sources_init(struct gs_source of[GS_N_ROLES]);

/* Lists a file that plays no part; what does not fit sets arena->failed. */
void gs_map_add_unused(struct gs_map *map, struct gs_unused_file file, struct gs_arena *arena);

/* Takes files off that list that are a source's after all, as --set may make them; of the sources from one on. */
void gs_map_drop_used(struct gs_map *map, size_t from);

/* Appends how many files play no part and the names of the first three; nothing where each plays one. */
void gs_map_put_unused(struct gs_buf *b, const struct gs_map *map);

/*
 * Parses a map and checks its grammar and types.
 * Errors: GS_ERR_DATA "NAME: sources[0].metrics.power_w: ..." for an unknown or doubled field, a type that does
 *         not fit, a role that is none, a pattern that is none; GS_ERR_MEMORY.
 * Memory: lives in `arena`.
 */
enum gs_status gs_map_parse(struct gs_str json, const char *name, struct gs_arena *arena,
                            struct gs_map *map, struct gs_err *err);

/* Do its events follow one another without a gap from the origin on? Then only their lengths are known. */
static inline bool gs_source_is_chain(const struct gs_source *s)
{
    return s->role == GS_ROLE_EVENTS && s->duration.kind != GS_VALUE_NONE &&
           s->start.kind == GS_VALUE_NONE && s->stop.kind == GS_VALUE_NONE &&
           s->time.kind == GS_VALUE_NONE;
}

/* Do its events count from a start that nothing tells: one after the other, or by ends since then? */
static inline bool gs_source_has_no_start(const struct gs_source *s)
{
    return gs_source_is_chain(s) || (s->role == GS_ROLE_EVENTS && s->own_clock && !s->time_of_day &&
                                     !s->time_of_year && s->phase.kind == GS_PHASE_ENDS);
}

/* Checks that a source has times and all that its role needs. Errors: GS_ERR_DATA names what is missing. */
enum gs_status gs_map_check(const struct gs_source *s, const char *name, struct gs_err *err);

/* Prints a map as `gpustat.map/1`; what it prints reads back as the same map. */
void gs_map_print(const struct gs_map *map, struct gs_buf *out);

/*
 * Applies one --set option to a map: ROLE[GLOB].PATH=VALUE.
 * Errors: GS_ERR_USAGE for bad syntax, a role without a source, an unknown path.
 */
enum gs_status gs_map_set(struct gs_map *map, struct gs_str assignment, struct gs_arena *arena,
                          struct gs_err *err);

/* "samples", "events", "tasks". */
extern const char *const gs_role_names[GS_N_ROLES];

/* Appends to a list; false without memory. */
bool gs_texts_add(struct gs_texts *list, struct gs_str text, struct gs_arena *arena);
bool gs_texts_contain(const struct gs_texts *list, struct gs_str text);
