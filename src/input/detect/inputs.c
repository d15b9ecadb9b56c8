/* inputs.c - tells the study's tables by their names. */
#include "input/detect/inputs.h"

#include <string.h>

#include "base/os/path.h"

static const struct {
    const char *option, *stem[2];
} tables[GS_N_ROLES] = {
    [GS_ROLE_EVENTS] = {"--checkpoints", {"application-checkpoints", "application_checkpoints"}},
    [GS_ROLE_SAMPLES] = {"--gpu", {"gpu", "gpu"}},
    [GS_ROLE_TASKS] = {"--tasks", {"task-x-y", "task_x_y"}},
};

/* stem, then nothing or a separator and digits, then .parquet, or .csv and nothing or a suffix of compression. */
static bool is_table_file(struct gs_str name, const char *stem)
{
    if (!gs_str_begins(name, stem))
        return false;
    struct gs_str rest = gs_str_after(name, strlen(stem));
    const bool parted = rest.len > 1 && strchr("-_.", rest.ptr[0]) != NULL;
    const size_t n = parted ? gs_str_skip(rest, 1, GS_ALL_DIGITS) : 0;
    if (n > 1)
        rest = gs_str_after(rest, n);
    return gs_str_eq(rest, gs_str(".parquet")) || gs_str_eq(gs_path_unpacked(rest), gs_str(".csv"));
}

enum gs_role gs_study_role(const char *name)
{
    int k = 0;
    while (k < GS_N_ROLES && !is_table_file(gs_str(name), tables[k].stem[0]) &&
           !is_table_file(gs_str(name), tables[k].stem[1]))
        k++;
    return (enum gs_role)k;
}

/* The path of a table without .parquet or .csv and what packs it. */
static struct gs_str stem_of(struct gs_str path)
{
    const struct gs_str name = gs_path_unpacked(path);
    const char *const ending = gs_str_ends(name, ".csv") ? ".csv" : ".parquet";
    return gs_str_part(name, 0, name.len - strlen(ending));
}

enum gs_status gs_study_refuse_twins(const struct gs_candidates *list, struct gs_err *err)
{
    const struct gs_candidate *before = NULL;
    for (size_t i = 0; i < list->n; i++) {
        const struct gs_candidate *const c = &list->item[i];
        const enum gs_role role = gs_study_role(gs_path_last(c->path.ptr));
        if (c->why != NULL || role == GS_N_ROLES)
            continue;
        if (before != NULL && gs_str_eq(stem_of(before->path), stem_of(c->path)))
            return gs_fail(err, GS_ERR_DATA,
                           "%s: stands beside %s, expected one of them; name it with %s",
                           GS_SHOWN(gs_file_called(c->path), 512),
                           GS_SHOWN(gs_file_called(before->path), 512), tables[role].option);
        before = c;
    }
    return GS_OK;
}
