/* candidates.c - lists the files of a directory that may belong to a run. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/intern.h"
#include "base/num/order.h"
#include "base/os/path.h"
#include "input/bytes/text_in.h"
#include "input/formats/record_sink.h"
#include "data/tables/dataset.h"
#include "base/os/dir.h"
#include "input/detect/detect.h"

enum { DEPTH_MAX = 12 };

/* A link is followed when all that is no link is known, so that what is reached twice has its own path. */
struct link {
    const char *path;
    unsigned depth;
};

struct finder {
    struct gs_arena *arena;
    struct gs_candidates *list;
    size_t root_len;
    struct gs_err *err;
    struct gs_intern met; /* devices and inodes of what was met */
    const char **met_as;  /* [met.n] their paths                */
    struct link *link;    /* [n_links] not followed yet         */
    size_t n_links;
};

static bool ends_in_one_of(const char *name, const char *const *endings, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (gs_str_ends(gs_str(name), endings[i]))
            return true;
    return false;
}

/*
 * What a run's directory holds beside its telemetry, told by name alone. Saves opening thousands
 * of files of a source tree beside a log. A file that the user names is read whatever its ending.
 */
static bool is_foreign(const char *name)
{
    static const char *const endings[] = {
        ".md",  ".png", ".svg", ".pdf", ".gp",  ".html", ".py",   ".sh",      ".ipynb", ".jpg",
        ".zip", ".tar", ".npz", ".npy", ".pt",  ".pkl",  ".yaml", ".yml",     ".toml",  ".bin",
        ".so",  ".o",   ".c",   ".h",   ".cpp", ".cu",   ".tgz",  ".nsys-rep"};
    return ends_in_one_of(name, endings, sizeof endings / sizeof *endings);
}

/* What editors, tools and downloads leave beside a log: its samples would count twice, for a host of that name. */
static bool is_left_over(const char *name)
{
    static const char *const endings[] = {"~",        ".bak", ".orig",      ".part",
                                          ".partial", ".tmp", ".crdownload"};
    return ends_in_one_of(name, endings, sizeof endings / sizeof *endings);
}

/*
 * The beginning of a file, empty where it is no text: 64 KiB only, because a file of a name that
 * gpustat gives may be a large log. *there: it may be one; a failing disk is an error.
 */
static enum gs_status read_head(const char *path, struct gs_arena *arena, bool *there,
                                struct gs_str *head, struct gs_err *err)
{
    enum { HEAD = 64 << 10 };
    GS_CLOSES_TEXT struct gs_text_in in = {0};
    struct stat st;
    *head = (struct gs_str){"", 0};
    const bool seen = stat(path, &st) == 0;
    *there = seen && S_ISREG(st.st_mode); /* a FIFO would wait for who writes */
    if (!*there && (seen || (errno != EIO && errno != ENOMEM)))
        return GS_OK;
    struct gs_err fault = {GS_OK, ""};
    struct gs_str text = {NULL, 0};
    enum gs_status s = gs_text_open(&in, path, HEAD, arena, &fault);
    GS_THEN(s, gs_text_peek(&in, &text, &fault));
    GS_THEN(s, gs_had_memory(gs_str_copy(arena, text, head), &fault));
    return gs_fail_of_system(err, s, &fault);
}

enum gs_status gs_is_map_file(const char *path, bool *is, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_str head;
    GS_TRY(read_head(path, &own, is, &head, err));
    *is = *is &&
          (head.len == 0 || gs_str_holds(head, "\"sources\"") || gs_str_holds(head, "gpustat.map"));
    return GS_OK;
}

/* The limit is that of gs_load; here it stops the walk through a directory that is no run. */
static enum gs_status add_file(struct finder *f, const char *path, const char *why)
{
    struct gs_candidates *const l = f->list;
    if (l->n == GS_INPUTS_MAX)
        return gs_fail(f->err, GS_ERR_DATA,
                       "more than %d files; name those that count with --samples and --events",
                       GS_INPUTS_MAX);
    const char *const copy = gs_arena_copy(f->arena, path, strlen(path));
    GS_TRY(gs_had_memory(copy != NULL && GS_HAS_ROOM(f->arena, l->item, l->n), f->err));
    l->item[l->n++] = (struct gs_candidate){
        .path = gs_str(copy), .shown = gs_str(copy + f->root_len), .roles = 7, .why = why};
    return GS_OK;
}

static enum gs_status search(struct finder *f, const char *dir, unsigned depth);

/*
 * A path that cannot be looked at: listed with the reason, unless it is the disk that fails. One
 * directory without permission must not stop the others; a failing disk must.
 */
static enum gs_status add_fault(struct finder *f, const char *path, int e)
{
    char shown[512];
    (void)gs_escape(shown, sizeof shown, gs_str(path));
    if (e == EIO)
        return gs_fail(f->err, GS_ERR_IO, "%s: %s", shown, strerror(e));
    if (e == ENOMEM)
        return gs_fail(f->err, GS_ERR_MEMORY, "%s: %s", shown, strerror(e));
    const char *const why = gs_format(f->arena, "cannot be looked at: %s", strerror(e));
    GS_TRY(gs_had_memory(why != NULL, f->err));
    return add_file(f, path, why);
}

/*
 * Notes that a file or directory was met; *before is the path as which it was met before, NULL:
 * it was not. Device and inode identify a file under all its names: samples that are read twice
 * would count twice, and a loop of links would never end.
 */
static enum gs_status meet(struct finder *f, const struct stat *st, const char *path,
                           const char **before)
{
    const uint64_t key[] = {(uint64_t)st->st_dev, (uint64_t)st->st_ino};
    const uint32_t n = f->met.n,
                   id = gs_intern_add(&f->met, (struct gs_str){(const char *)key, sizeof key});
    const bool had = id < n || (id == n && GS_HAS_ROOM(f->arena, f->met_as, n));
    GS_TRY(gs_had_memory(had, f->err));
    if (id == n)
        f->met_as[n] = path;
    *before = id == n ? NULL : f->met_as[id];
    return GS_OK;
}

/* Puts a link off; of a directory what lies below it is looked at from there. */
static enum gs_status put_off(struct finder *f, const char *path, unsigned depth)
{
    GS_TRY(gs_had_memory(GS_HAS_ROOM(f->arena, f->link, f->n_links), f->err));
    f->link[f->n_links++] = (struct link){path, depth};
    return GS_OK;
}

/* A path of which all that counts is read elsewhere. */
static enum gs_status add_no_loss(struct finder *f, const char *path, const char *why)
{
    GS_TRY(add_file(f, path, why));
    f->list->item[f->list->n - 1].no_loss = true;
    return GS_OK;
}

/* A path that leads where another has led. */
static enum gs_status add_again(struct finder *f, const char *path, const char *before)
{
    struct gs_buf why = {.arena = f->arena};
    gs_buf_text(&why, "is ");
    if (strlen(before) > f->root_len)
        gs_buf_escaped(&why, gs_str(before + f->root_len), 120);
    else
        gs_buf_text(&why, "the directory that is searched");
    gs_buf_text(&why, ", once more");
    GS_TRY(gs_had_memory(!why.failed, f->err));
    return add_no_loss(f, path, gs_buf_str(&why).ptr);
}

/* Is it a report? Its tables and figures would be taken for a second log. */
static enum gs_status is_report(const char *dir, bool *is, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_str head;
    const char *const path = gs_format(&own, "%s/" GS_REPORT_FILES, dir);
    GS_TRY(gs_had_memory(path != NULL, err));
    GS_TRY(read_head(path, &own, is, &head, err));
    *is = gs_str_begins(head, GS_REPORT_FILES_HEADER);
    return GS_OK;
}

/* What a path leads to: a file, a directory that is searched, or what was met before. */
static enum gs_status parse_path(struct finder *f, const char *path, const struct stat *st,
                                 unsigned depth, bool is_link)
{
    const char *before = NULL;
    if (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode))
        return GS_OK;
    GS_TRY(meet(f, st, path, &before));
    /* A file that has no other name was met through a link, and is here again in the folder that another leads to. */
    if (before != NULL && (is_link || S_ISDIR(st->st_mode) || st->st_nlink == 1))
        return add_again(f, path, before);
    if (S_ISREG(st->st_mode))
        return add_file(f, path, NULL);
    bool is = false;
    GS_TRY(is_report(path, &is, f->err));
    if (is)
        return add_no_loss(f, path, "a report of gpustat");
    if (depth < DEPTH_MAX)
        return search(f, path, depth + 1);
    return add_file(f, path, "lies too deep below the directory that is searched");
}

static enum gs_status parse_entry(struct finder *f, const char *dir, const char *name,
                                  unsigned depth)
{
    struct gs_buf path = {.arena = f->arena};
    struct stat st;
    gs_path_put(&path, dir, name);
    GS_TRY(gs_had_memory(!path.failed, f->err));
    if (lstat(path.ptr, &st) != 0)
        return add_fault(f, path.ptr, errno);
    bool is_map = false;
    if (strcmp(name, GS_MAP_NAME) == 0)
        GS_TRY(gs_is_map_file(path.ptr, &is_map, f->err));
    if (is_map)
        return GS_OK;
    if (is_left_over(name) && !S_ISDIR(st.st_mode))
        return add_file(f, path.ptr, "a backup or an unfinished copy, by its name");
    if (S_ISLNK(st.st_mode))
        return put_off(f, path.ptr, depth);
    return parse_path(f, path.ptr, &st, depth, false);
}

static enum gs_status search(struct finder *f, const char *dir, unsigned depth)
{
    DIR *const d = opendir(dir);
    int e = d == NULL ? errno : 0;
    enum gs_status s = GS_OK;
    for (const char *name;
         s == GS_OK && d != NULL && (e = gs_dir_next(d, &name)) == 0 && name != NULL;)
        if (name[0] != '.' && !is_foreign(name))
            s = parse_entry(f, dir, name, depth);
    if (d != NULL)
        (void)closedir(d);
    if (s != GS_OK || e == 0)
        return s;
    s = d == NULL ? GS_ERR_NOINPUT : GS_ERR_IO;
    if (e == ENOMEM || e == EMFILE)
        s = GS_ERR_MEMORY;
    return gs_fail(f->err, s, "%s: %s", GS_SHOWN(gs_str(dir), 512), strerror(e));
}

GS_COMPARES(by_path, struct gs_candidate, GS_BY_TEXT(path));
GS_COMPARES(by_link, struct link, GS_DIFFER(strcmp(x->path, y->path)););

/* Follows the links, those that are met on the way after them, each time in the order of their paths. */
static enum gs_status follow_links(struct finder *f)
{
    while (f->n_links > 0) {
        struct link *const link = f->link;
        const size_t n = f->n_links;
        f->link = NULL;
        f->n_links = 0;
        GS_SORT(link, n, by_link);
        for (size_t i = 0; i < n; i++) {
            struct stat st;
            GS_TRY(stat(link[i].path, &st) == 0
                       ? parse_path(f, link[i].path, &st, link[i].depth, true)
                       : add_fault(f, link[i].path, errno));
        }
    }
    return GS_OK;
}

/* *again: it was met before, under this or another name. */
static enum gs_status meet_path(struct finder *f, const char *path, bool *again)
{
    struct stat st;
    const char *before = NULL, *const copy = gs_arena_copy(f->arena, path, strlen(path));
    GS_TRY(gs_had_memory(copy != NULL, f->err));
    if (stat(path, &st) == 0)
        GS_TRY(meet(f, &st, copy, &before));
    *again = before != NULL;
    return GS_OK;
}

enum gs_status gs_candidates_find(const char *const *dir, size_t n_dirs, struct gs_arena *arena,
                                  struct gs_candidates *list, struct gs_err *err)
{
    struct finder f = {.arena = arena, .list = list, .err = err, .met = {.arena = arena}};
    const size_t n_named = list->n;
    bool again;
    list->n = 0;
    for (size_t i = 0; i < n_named; i++) {
        const struct gs_candidate named = list->item[i];
        GS_TRY(meet_path(&f, named.path.ptr, &again));
        if (!again)
            list->item[list->n++] = named;
    }
    const size_t first = list->n;
    /* One directory alone is the run: its files are called as they are from there. */
    if (n_dirs == 1 && n_named == 0)
        f.root_len = strlen(dir[0]) + (dir[0][0] != '\0' && dir[0][strlen(dir[0]) - 1] != '/');
    for (size_t i = 0; i < n_dirs; i++) {
        GS_TRY(meet_path(&f, dir[i], &again));
        if (!again) /* else it is below another one, or named twice */
            GS_TRY(search(&f, dir[i], 0));
    }
    GS_TRY(follow_links(&f));
    if (list->n > first) /* an empty list may be nowhere */
        GS_SORT(list->item + first, list->n - first, by_path);
    return GS_OK;
}
