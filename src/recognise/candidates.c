/* candidates.c - the files of a directory that may be part of a run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csv/text_in.h"
#include "form/intake.h"
#include "model/dataset.h"
#include "os/dir.h"
#include "recognise/recognise.h"

enum { DEPTH_MAX = 12 };

struct finder {
    struct gs_arena *arena;
    struct gs_candidates *list;
    size_t root_len;
    struct gs_err *err;
};

static bool has_ending(const char *name, const char *ending)
{
    const size_t n = strlen(name), m = strlen(ending);
    return n >= m && strcmp(name + n - m, ending) == 0;
}

/* What a run's directory holds beside its telemetry, told by name alone. */
static bool is_foreign(const char *name)
{
    static const char *const endings[] = {".md",    ".png", ".svg",  ".pdf",      ".gp",     ".html", ".py", ".sh",
                                          ".ipynb", ".jpg", ".zip",  ".tar",      ".npz",    ".npy",  ".pt", ".pkl",
                                          ".yaml",  ".yml", ".toml", ".bin",      ".so",     ".o",    ".c",  ".h",
                                          ".cpp",   ".cu",  ".tgz",  ".nsys-rep", ".parquet"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (has_ending(name, endings[i]))
            return true;
    return false;
}

bool gs_is_map_file(const char *path)
{
    enum { HEAD = 64 << 10 };
    struct gs_arena own = {0};
    struct gs_text_in in = {0};
    struct gs_str head = {NULL, 0};
    if (access(path, F_OK) != 0)
        return false;
    bool is = true;
    if (gs_text_open(&in, path, HEAD, &own, NULL) == GS_OK) {
        is = gs_text_peek(&in, &head, NULL) != GS_OK || head.len == 0 || gs_str_find(head, "\"sources\"") < head.len ||
             gs_str_find(head, "gpustat.map") < head.len;
        gs_text_close(&in);
    }
    gs_arena_release(&own);
    return is;
}

static enum gs_status add_file(struct finder *f, const char *path, const char *why)
{
    struct gs_candidates *const l = f->list;
    if (l->n == GS_INPUTS_MAX)
        return gs_fail(f->err, GS_ERR_DATA, "more than %d files; name those that count with --samples and --events",
                       GS_INPUTS_MAX);
    struct gs_candidate *const item = gs_arena_one_more(f->arena, l->item, l->n, sizeof *item);
    const char *const copy = gs_arena_copy(f->arena, path, strlen(path));
    if (item == NULL || copy == NULL)
        return gs_fail_memory(f->err);
    l->item = item;
    l->item[l->n++] =
        (struct gs_candidate){.path = gs_str(copy), .shown = gs_str(copy + f->root_len), .roles = 7, .why = why};
    return GS_OK;
}

static enum gs_status search(struct finder *f, const char *dir, unsigned depth);

/* Why a path cannot be looked at. */
static const char *fault_of(const struct finder *f, int e)
{
    struct gs_buf b = {.arena = f->arena};
    gs_buf_format(&b, "cannot be looked at: %s", strerror(e));
    return b.failed ? NULL : b.ptr;
}

static enum gs_status take_entry(struct finder *f, const char *dir, const char *name, unsigned depth)
{
    struct gs_buf path = {.arena = f->arena};
    struct stat st;
    gs_buf_text(&path, dir);
    if (path.len > 0 && path.ptr[path.len - 1] != '/')
        gs_buf_char(&path, '/');
    gs_buf_text(&path, name);
    if (path.failed)
        return gs_fail_memory(f->err);
    if (stat(path.ptr, &st) != 0) {
        const char *const why = fault_of(f, errno);
        return why == NULL ? gs_fail_memory(f->err) : add_file(f, path.ptr, why);
    }
    if (strcmp(name, GS_MAP_NAME) == 0 && gs_is_map_file(path.ptr))
        return GS_OK;
    if (S_ISDIR(st.st_mode))
        return depth < DEPTH_MAX ? search(f, path.ptr, depth + 1)
                                 : add_file(f, path.ptr, "lies too deep below the directory that is searched");
    return S_ISREG(st.st_mode) ? add_file(f, path.ptr, NULL) : GS_OK;
}

static enum gs_status search(struct finder *f, const char *dir, unsigned depth)
{
    char shown[512];
    DIR *const d = opendir(dir);
    int e = d == NULL ? errno : 0;
    enum gs_status s = GS_OK;
    for (const char *name; s == GS_OK && d != NULL && (e = gs_dir_next(d, &name)) == 0 && name != NULL;)
        if (name[0] != '.' && !is_foreign(name))
            s = take_entry(f, dir, name, depth);
    if (d != NULL)
        (void)closedir(d);
    if (s == GS_OK && e != 0)
        s = gs_fail(f->err,
                    e == ENOMEM || e == EMFILE ? GS_ERR_MEMORY
                    : d == NULL                ? GS_ERR_NOINPUT
                                               : GS_ERR_IO,
                    "%s: %s", gs_escape(shown, sizeof shown, gs_str(dir)), strerror(e));
    return s;
}

static int by_path(const void *a, const void *b)
{
    const struct gs_candidate *const x = a, *const y = b;
    return strcmp(x->path.ptr, y->path.ptr);
}

enum gs_status gs_candidates_find(const char *dir, struct gs_arena *arena, struct gs_candidates *list,
                                  struct gs_err *err)
{
    const size_t n = strlen(dir);
    struct finder f = {arena, list, n + (n > 0 && dir[n - 1] != '/'), err};
    const enum gs_status s = search(&f, dir, 0);
    if (s == GS_OK && list->n > 1)
        qsort(list->item, list->n, sizeof *list->item, by_path);
    return s;
}
