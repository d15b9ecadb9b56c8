/* overview.c - commands chosen by the roles of files. */
#include "app/cli/overview.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "input/formats/record_sink.h"

enum { SUGGESTED = 3 };

enum { SAMPLES = 1, EVENTS = 2, TASKS = 4, JOBS = 8 };

static unsigned roles_of(const struct gs_frame *map)
{
    static const char *const names[] = {"samples", "events", "tasks"};
    const int column = gs_frame_find(map, "role");
    unsigned roles = 0;
    for (size_t r = 0; column >= 0 && r < map->n_rows; r++)
        for (unsigned k = 0; k < 3; k++)
            if (gs_str_eq(map->columns[column].text[r], gs_str(names[k])))
                roles |= 1U << k;
    const int form = gs_frame_find(map, "form");
    for (size_t r = 0; form >= 0 && r < map->n_rows; r++) {
        const struct gs_form *const f = gs_form_find(map->columns[form].text[r]);
        if (f != NULL && f->is_of_jobs)
            roles |= JOBS;
    }
    return roles;
}

/* Of several lists of events a command takes one: the first that has the clock's times, else the first. */
static struct gs_str one_list_of(const struct gs_frame *map)
{
    const int role = gs_frame_find(map, "role"), files = gs_frame_find(map, "files"),
              from = gs_frame_find(map, "from");
    struct gs_str list = {0};
    size_t n = 0;
    bool timed = false;
    for (size_t r = 0; role >= 0 && files >= 0 && from >= 0 && r < map->n_rows; r++) {
        if (!gs_str_eq(map->columns[role].text[r], gs_str("events")))
            continue;
        const bool clock = map->columns[from].integer[r] >= GS_TIME_DATED_NS;
        if (n++ == 0 || (clock && !timed))
            list = map->columns[files].text[r];
        timed |= clock;
    }
    return n > 1 ? list : GS_NO_STR;
}

void gs_overview_commands(struct gs_buf *b, const struct gs_frame *map, const char *paths)
{
    /* In the order of preference; each needs these roles. */
    static const struct {
        unsigned needs, not_with;
        const char *command, *options, *what;
    } commands[] = {
        {SAMPLES | EVENTS | JOBS, 0, "jobs", " --by user",
         "energy and idle GPU-hours of each user"},
        {SAMPLES | EVENTS, JOBS, "events", "", "what each kind of event took and cost"},
        {SAMPLES, EVENTS, "power", "", "energy of each GPU, with its uncertainty"},
        {SAMPLES, 0, "gpus", "", "which GPU is slow or hot; power and clock of each"},
        {EVENTS, SAMPLES, "events", "", "how long each kind of event took"},
        {EVENTS, SAMPLES, "timeline", "", "what ran over time"},
        {0, 0, "report", " -o report", "everything on one page, with figures"},
    };
    const unsigned roles = roles_of(map);
    const struct gs_str list = one_list_of(map);
    struct gs_buf line[SUGGESTED];
    const char *what[SUGGESTED];
    size_t n = 0, longest = 0;
    for (size_t i = 0; i < sizeof commands / sizeof *commands && n < SUGGESTED; i++) {
        if ((roles & commands[i].needs) != commands[i].needs || (roles & commands[i].not_with) != 0)
            continue;
        line[n] = (struct gs_buf){.arena = b->arena};
        what[n] = commands[i].what;
        gs_buf_format(&line[n], "gpustat %s %s%s", commands[i].command, paths, commands[i].options);
        if (list.len > 0) {
            gs_buf_format(&line[n], " --events %s/", paths);
            gs_buf_escaped(&line[n], list, 0);
        }
        longest = gs_max(line[n].len, longest);
        b->failed |= line[n++].failed;
    }
    gs_buf_text(b, "\nNext:\n");
    for (size_t i = 0; i < n && !b->failed; i++)
        gs_buf_format(b, "  %-*s  %s\n", (int)longest, line[i].ptr, what[i]);
}

size_t gs_overview_unused(struct gs_frame *map)
{
    const int column = gs_frame_find(map, "role");
    size_t n = 0;
    while (column >= 0 && n < map->n_rows &&
           gs_str_eq(map->columns[column].text[map->n_rows - 1 - n], gs_str("unused")))
        n++;
    if (n == map->n_rows)
        return 0;
    map->n_rows -= n;
    return n;
}
