/* inputs.c - finds the study's tables in a directory by their names. */
#include "input/detect/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/os/dir.h"
#include "base/os/path.h"

static const struct {
    const char *option, *stem[2];
} tables[GS_N_TABLES] = {
    [GS_TABLE_CHECKPOINTS] = {"--checkpoints",
                              {"application-checkpoints", "application_checkpoints"}},
    [GS_TABLE_SAMPLES] = {"--gpu", {"gpu", "gpu"}},
    [GS_TABLE_TASKS] = {"--tasks", {"task-x-y", "task_x_y"}},
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

enum gs_table_kind gs_inputs_kind(const char *name)
{
    int k = 0;
    while (k < GS_N_TABLES && !is_table_file(gs_str(name), tables[k].stem[0]) &&
           !is_table_file(gs_str(name), tables[k].stem[1]))
        k++;
    return (enum gs_table_kind)k;
}

enum gs_role gs_role_of_table(enum gs_table_kind kind)
{
    static const enum gs_role roles[GS_N_TABLES] = {[GS_TABLE_CHECKPOINTS] = GS_ROLE_EVENTS,
                                                    [GS_TABLE_SAMPLES] = GS_ROLE_SAMPLES,
                                                    [GS_TABLE_TASKS] = GS_ROLE_TASKS};
    return roles[kind];
}

struct found {
    struct gs_arena *arena;
    struct gs_input *input;
    size_t n;
};

static enum gs_status add_input(struct found *f, enum gs_table_kind kind, struct gs_str path,
                                struct gs_err *err)
{
    const char *const name = gs_escaped(f->arena, gs_file_called(path), 512);
    char *const copy = gs_arena_copy(f->arena, path.ptr, path.len);
    GS_TRY(
        gs_had_memory(copy != NULL && name != NULL && GS_HAS_ROOM(f->arena, f->input, f->n), err));
    f->input[f->n++] = (struct gs_input){.kind = kind, .path = copy, .name = name};
    return GS_OK;
}

GS_COMPARES(by_kind_and_path, struct gs_input, GS_BY(kind) GS_DIFFER(strcmp(x->path, y->path)););

/* The path of a table without .parquet or .csv and what packs it. */
static struct gs_str stem_of(const char *path)
{
    const struct gs_str name = gs_path_unpacked(gs_str(path));
    const char *const ending = gs_str_ends(name, ".csv") ? ".csv" : ".parquet";
    return gs_str_part(name, 0, name.len - strlen(ending));
}

/* The same table twice, plain, packed or as Parquet, would count every row twice. */
static enum gs_status refuse_twins(const struct found *f, struct gs_err *err)
{
    for (size_t i = 1; i < f->n; i++)
        if (gs_str_eq(stem_of(f->input[i - 1].path), stem_of(f->input[i].path)))
            return gs_fail(err, GS_ERR_DATA,
                           "%s: stands beside %s, expected one of them; name it with %s",
                           f->input[i].name, f->input[i - 1].name, tables[f->input[i].kind].option);
    return GS_OK;
}

static enum gs_status search_directory(const struct gs_map_request *r,
                                       const struct gs_load_options *o, struct found *f,
                                       struct gs_err *err)
{
    char shown[512];
    const char *const dir = r->operand[0];
    (void)gs_escape(shown, sizeof shown, gs_str(dir));
    DIR *const d = opendir(dir);
    if (d == NULL && errno == ENOTDIR)
        return gs_fail(err, GS_ERR_NOINPUT,
                       "%s: is a file, expected a directory; name single files with --checkpoints, "
                       "--gpu and --tasks, each with its own",
                       shown);
    const bool scarce = errno == ENOMEM || errno == EMFILE;
    if (d == NULL)
        return gs_fail(err, scarce ? GS_ERR_MEMORY : GS_ERR_NOINPUT, "%s: %s", shown,
                       strerror(errno));
    enum gs_status s = GS_OK;
    for (const char *name; s == GS_OK;) {
        const int e = gs_dir_next(d, &name);
        if (e != 0)
            s = gs_fail(err, GS_ERR_IO, "%s: %s", shown, strerror(e));
        if (name == NULL)
            break;
        const enum gs_table_kind kind = gs_inputs_kind(name);
        if (kind == GS_N_TABLES || !o->need[kind] || r->n_paths[gs_role_of_table(kind)] > 0)
            continue;
        struct gs_buf path = {.arena = f->arena};
        gs_path_put(&path, dir, name);
        s = path.failed ? gs_fail_memory(err) : add_input(f, kind, gs_buf_str(&path), err);
    }
    (void)closedir(d);
    if (f->n > 1)
        qsort(f->input, f->n, sizeof *f->input, by_kind_and_path);
    GS_TRY(s);
    return refuse_twins(f, err);
}

/* The shards that a pattern names. */
static enum gs_status add_pattern(struct found *f, enum gs_table_kind kind, const char *pattern,
                                  struct gs_err *err)
{
    glob_t g;
    enum gs_status s = GS_OK;
    const int code = gs_path_match(pattern, &g);
    if (code == GLOB_NOSPACE)
        s = gs_fail_memory(err);
    else if (code != 0)
        s = gs_fail(err, GS_ERR_NOINPUT, "%s: no file has such a name",
                    GS_SHOWN(gs_str(pattern), 512));
    for (size_t i = 0; s == GS_OK && i < g.gl_pathc; i++)
        s = add_input(f, kind, gs_str(g.gl_pathv[i]), err);
    globfree(&g);
    return s;
}

/* A file of that name comes before a pattern: brackets and stars may stand in names. */
static bool is_pattern(const char *path)
{
    return strpbrk(path, "*?[") != NULL && access(path, F_OK) != 0;
}

enum gs_status gs_inputs_find(const struct gs_map_request *r, const struct gs_load_options *o,
                              struct gs_arena *arena, struct gs_input **input, size_t *n_inputs,
                              struct gs_err *err)
{
    const char *const dir = r->n_operands > 0 ? r->operand[0] : NULL;
    struct found f = {.arena = arena};
    /* Also where every table is named: an unquoted pattern leaves its second shard here, which must not go unread. */
    if (dir != NULL)
        GS_TRY(search_directory(r, o, &f, err));
    bool stdin_taken = false;
    for (int k = 0; k < GS_N_TABLES; k++) {
        const enum gs_role role = gs_role_of_table((enum gs_table_kind)k);
        for (size_t i = 0; o->need[k] && i < r->n_paths[role]; i++) {
            const char *const path = r->path[role][i];
            if (strcmp(path, "-") == 0) {
                if (stdin_taken)
                    return gs_fail(err, GS_ERR_USAGE, "standard input can be read once only");
                stdin_taken = true;
            }
            GS_TRY(is_pattern(path) ? add_pattern(&f, (enum gs_table_kind)k, path, err)
                                    : add_input(&f, (enum gs_table_kind)k, gs_str(path), err));
        }
    }
    for (int k = 0; k < GS_N_TABLES; k++) {
        bool present = !o->need[k] || (o->optional[k] && f.n > 0);
        for (size_t i = 0; i < f.n; i++)
            present |= f.input[i].kind == (enum gs_table_kind)k;
        if (!present && dir == NULL)
            return gs_fail(err, GS_ERR_USAGE,
                           "no %s.csv: name a directory (. is this one), or the file with %s",
                           tables[k].stem[0], tables[k].option);
        if (!present)
            return gs_fail(
                err, GS_ERR_NOINPUT,
                "%s: no %s.csv there (nor .csv.gz, .csv.zst, .csv.xz, .parquet); name it with %s",
                GS_SHOWN(gs_str(dir), 512), tables[k].stem[0], tables[k].option);
    }
    *input = f.input;
    *n_inputs = f.n;
    return GS_OK;
}
