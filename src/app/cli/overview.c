/* overview.c - commands chosen by the roles of files. */
#include "app/cli/overview.h"

#include <string.h>

#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "input/formats/record_sink.h"
#include "input/import/map_agree.h"

enum { SUGGESTED = 3 };

enum { SAMPLES = 1, EVENTS = 2, TASKS = 4, JOBS = 8 };

static unsigned roles_of(const struct gs_map *map)
{
    static const unsigned of_role[GS_N_ROLES] = {
        [GS_ROLE_SAMPLES] = SAMPLES, [GS_ROLE_EVENTS] = EVENTS, [GS_ROLE_TASKS] = TASKS};
    unsigned roles = 0;
    for (size_t i = 0; i < map->n_sources; i++) {
        roles |= of_role[map->source[i].role];
        roles |= gs_source_form(&map->source[i])->is_of_jobs ? JOBS : 0;
    }
    return roles;
}

/*
 * Of several lists of events a command takes one: the first that has the clock's times, else the first. *n: how many there
 * are; NULL: none.
 */
static const struct gs_source *one_list_of(const struct gs_map *map, size_t *n)
{
    const struct gs_source *list = NULL;
    *n = 0;
    for (size_t i = 0; i < map->n_sources; i++) {
        const struct gs_source *const s = &map->source[i];
        if (s->role != GS_ROLE_EVENTS ||
            (list != NULL && gs_str_eq(s->path.item[0], list->path.item[0])))
            continue; /* the steps and the marks of one log are read together */
        if ((*n)++ == 0 ||
            (list->found.from_ns < GS_TIME_DATED_NS && s->found.from_ns >= GS_TIME_DATED_NS))
            list = s;
    }
    return list;
}

/* The kind is that of the list which the commands take, or, with no events, a log. */
static void put_kind(struct gs_buf *b, const struct gs_map *map, const struct gs_kind_found *kind,
                     const struct gs_source *list)
{
    gs_buf_text(b, "\n");
    gs_kind_put(b, &kind[list == NULL ? 0 : (size_t)(list - map->source)]);
    gs_buf_text(b, "\n");
}

/* The samples in whose files two runs lie; NULL: one run. */
static const struct gs_source *two_runs_of(const struct gs_map *map)
{
    for (size_t i = 0; i < map->n_sources; i++)
        if (map->source[i].found.apart)
            return &map->source[i];
    return NULL;
}

/* The samples of several runs, each in a folder or file of its own, of which a command takes one: the first; NULL: one run. */
static const struct gs_source *runs_beside(const struct gs_map *map, struct gs_arena *arena)
{
    struct gs_map samples = {0};
    const struct gs_source *first = NULL;
    for (size_t i = 0; i < map->n_sources; i++) {
        struct gs_source *const s =
            map->source[i].role == GS_ROLE_SAMPLES ? gs_map_add(&samples, arena) : NULL;
        if (s == NULL)
            continue;
        *s = map->source[i];
        first = first == NULL ? &map->source[i] : first;
    }
    return first != NULL && gs_map_agree_roles(&samples, NULL) != GS_OK ? first : NULL;
}

/* Do the samples and the events that a command would take lie apart in time? It would be refused. */
static bool lie_apart(const struct gs_map *map, const struct gs_source *list)
{
    bool any = false;
    for (size_t i = 0; list != NULL && i < map->n_sources; i++) {
        const struct gs_source *const s = &map->source[i];
        if (s->role != GS_ROLE_SAMPLES)
            continue;
        any = true;
        if (s->found.from_ns < GS_TIME_DATED_NS || list->found.from_ns < GS_TIME_DATED_NS ||
            (s->found.from_ns <= list->found.to_ns && list->found.from_ns <= s->found.to_ns))
            return false;
    }
    return any;
}

/* Do events without a date last longer than the samples? They cannot be placed. */
static bool is_longer(const struct gs_map *map, const struct gs_source *list)
{
    int64_t samples_ns = INT64_MAX;
    for (size_t i = 0; i < map->n_sources; i++) {
        const struct gs_source *const s = &map->source[i];
        if (s->role == GS_ROLE_SAMPLES && s->found.from_ns >= GS_TIME_DATED_NS)
            samples_ns = gs_min(samples_ns, s->found.to_ns - s->found.from_ns);
    }
    return list != NULL && list->found.from_ns < GS_TIME_DATED_NS &&
           list->origin.kind == GS_VALUE_NONE &&
           (list->found.to_ns - list->found.from_ns) / 2 > samples_ns;
}

/* The files of a role, as operands. */
static void put_files(struct gs_buf *b, const struct gs_map *map, enum gs_role role)
{
    for (size_t i = 0; i < map->n_sources; i++)
        for (size_t k = 0; map->source[i].role == role && k < map->source[i].path.n; k++) {
            gs_buf_char(b, ' ');
            gs_buf_escaped(b, map->source[i].path.item[k], 0);
        }
}

/* Where a command would be refused for all files: the part that works, as operands, and its roles. False where all do. */
static bool take_part(struct gs_buf *b, const struct gs_map *map, const struct gs_source *list,
                      struct gs_buf *operands, unsigned *roles)
{
    const struct gs_source *const run = runs_beside(map, b->arena);
    const bool longer = run == NULL && is_longer(map, list);
    if (run != NULL) {
        const struct gs_str path = run->path.item[0];
        const size_t name = gs_str_until_back(path, path.len, "/");
        gs_buf_format(b, "\n%s holds one of several runs; take each alone.\n", GS_SHOWN(path, 96));
        *operands = (struct gs_buf){.arena = b->arena};
        gs_buf_escaped(operands, name > 1 ? gs_str_part(path, 0, name - 1) : path, 0);
        *roles &= name > 1 ? ~0U : (unsigned)SAMPLES;
        return true;
    }
    if (!longer && !lie_apart(map, list))
        return false;
    gs_buf_text(
        b, longer ? "\nThe events last longer than the samples: are their lengths in ms (--set "
                    "events.duration.unit=ms)?\n"
                  : "\nThe samples and the events do not overlap in time: a wrong zone "
                    "(--tz), or files of two runs.\n");
    *roles = SAMPLES;
    *operands = (struct gs_buf){.arena = b->arena};
    put_files(operands, map, GS_ROLE_SAMPLES);
    return true;
}

/* What a command is for stands beside it, above it where a line would be too long. */
static void propose(struct gs_buf *b, const struct gs_buf *line, const char *const *what, size_t n,
                    unsigned width)
{
    enum { MARGINS = 4 };
    size_t longest = 0, widest = 0;
    for (size_t i = 0; i < n; i++) {
        longest = gs_max(line[i].len, longest);
        widest = gs_max(strlen(what[i]), widest);
        b->failed |= line[i].failed;
    }
    gs_buf_text(b, "\nNext:\n");
    for (size_t i = 0; i < n && !b->failed; i++)
        if (longest + widest + MARGINS <= width)
            gs_buf_format(b, "  %-*s  %s\n", (int)longest, line[i].ptr, what[i]);
        else
            gs_buf_format(b, "  %s:\n    %s\n", what[i], line[i].ptr);
}

void gs_overview_commands(struct gs_buf *b, const struct gs_map *map,
                          const struct gs_kind_found *kind, const char *paths, unsigned width)
{
    /* In the order of preference; each needs these roles. */
    static const struct {
        unsigned needs, not_with;
        const char *command, *options, *what;
    } commands[] = {
        {SAMPLES | EVENTS | JOBS, 0, "jobs", " --by user",
         "energy and idle GPU-hours of each user"},
        {SAMPLES | EVENTS, JOBS, "events", "", "what each kind of event took and cost"},
        {SAMPLES, EVENTS, "power", "", "energy of each GPU with its interval"},
        {SAMPLES, 0, "gpus", "", "slow and hot GPUs, power and clock of each"},
        {EVENTS | JOBS, SAMPLES, "jobs", " --by user", "GPU-hours of each user"},
        {EVENTS, SAMPLES | JOBS, "events", "", "how long each kind of event took"},
        {EVENTS, SAMPLES, "timeline", "", "what ran over time"},
        {0, 0, "report", " -o report", "everything on one page, with figures"},
    };
    unsigned roles = roles_of(map);
    size_t n_lists;
    const struct gs_source *const runs = two_runs_of(map), *const list = one_list_of(map, &n_lists);
    struct gs_buf line[SUGGESTED + 1], one = {.arena = b->arena}, other = {.arena = b->arena};
    const char *what[SUGGESTED + 1];
    size_t n = 0;
    if ((roles & (SAMPLES | EVENTS)) != 0)
        put_kind(b, map, kind, list);
    if (runs != NULL) {
        gs_map_put_run(&one, runs, runs->found.pair[0], runs->found.pair[1]);
        gs_map_put_run(&other, runs, runs->found.pair[1], runs->found.pair[0]);
    } else {
        gs_buf_text(&one, paths);
    }
    const bool one_list = take_part(b, map, list, &one, &roles) || n_lists < 2 ||
                          gs_map_agree_roles(map, NULL) == GS_OK;
    paths = gs_or_empty(gs_buf_whole(&one));
    paths += *paths == ' ';
    for (size_t i = 0; i < sizeof commands / sizeof *commands && n < SUGGESTED; i++) {
        if ((roles & commands[i].needs) != commands[i].needs || (roles & commands[i].not_with) != 0)
            continue;
        line[n] = (struct gs_buf){.arena = b->arena};
        what[n] = commands[i].what;
        gs_buf_format(&line[n], "gpustat %s %s%s", commands[i].command, paths, commands[i].options);
        for (size_t k = 0; !one_list && k < list->path.n; k++) {
            gs_buf_text(&line[n], " --events ");
            gs_buf_escaped(&line[n], list->path.item[k], 0);
        }
        n++;
    }
    if (runs != NULL) {
        line[n] = (struct gs_buf){.arena = b->arena};
        what[n] = "what changed from the one to the other";
        gs_buf_format(&line[n++], "gpustat diff %s %s", paths, gs_or_empty(gs_buf_whole(&other)));
        gs_buf_text(b,
                    "\nThe samples do not overlap in time: several runs, or parts of one log.\n");
    }
    propose(b, line, what, n, width);
}
