/* map_build.c - operands and options to sources with files. */
#include "input/detect/map_build.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/bytes/text_in.h"
#include "base/os/path.h"
#include "input/detect/inputs.h"
#include "input/detect/detect.h"

enum { MAP_TEXT_MAX = 16 << 20 };

struct builder {
    const struct gs_map_request *r;
    struct gs_arena *arena;
    struct gs_err *err;
    const char *dir;    /* the operand that is a directory, or NULL */
    const char *folder; /* of the map file, with its slash; ""     */
};

static enum gs_status read_text(struct builder *b, const char *path, struct gs_str *text)
{
    struct gs_text_in in = {0};
    struct gs_buf all = {.arena = b->arena};
    struct gs_str piece;
    enum gs_status s = gs_text_open(&in, path, 0, b->arena, b->err);
    if (s != GS_OK)
        return s;
    while (s == GS_OK && (s = gs_text_piece(&in, &piece, b->err)) == GS_OK && piece.len > 0) {
        gs_buf_bytes(&all, piece.ptr, piece.len);
        if (all.len > MAP_TEXT_MAX)
            s = gs_fail(b->err, GS_ERR_DATA, "%s: more than 16 MiB, expected a map", in.name);
    }
    gs_text_close(&in);
    *text = gs_buf_str(&all);
    return s == GS_OK && all.failed ? gs_fail_memory(b->err) : s;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool add_path(struct gs_source *s, const char *path, size_t prefix, struct gs_arena *arena,
                     struct gs_texts *files)
{
    return gs_texts_add(&s->path, gs_str(path), arena) &&
           gs_texts_add(files, gs_str(path + prefix), arena);
}

/* The files that one text of a map names below a folder; *found says whether there is one. */
static enum gs_status resolve(struct builder *b, struct gs_source *s, const char *folder,
                              struct gs_str name, bool *found, struct gs_texts *files)
{
    struct gs_buf path = {.arena = b->arena};
    const bool absolute = name.len > 0 && name.ptr[0] == '/';
    gs_buf_text(&path, absolute ? "" : folder);
    const size_t prefix = path.len;
    gs_buf_bytes(&path, name.ptr, name.len);
    if (path.failed)
        return gs_fail_memory(b->err);
    const char *const whole = gs_buf_str(&path).ptr;
    *found = access(whole, F_OK) == 0 || gs_str_eq(name, gs_str("-"));
    if (gs_str_eq(name, gs_str("-")))
        return add_path(s, "-", 0, b->arena, files) ? GS_OK : gs_fail_memory(b->err);
    if (*found)
        return add_path(s, whole, prefix, b->arena, files) ? GS_OK : gs_fail_memory(b->err);
    if (strpbrk(whole, "*?[") == NULL)
        return GS_OK;
    glob_t g = {0};
    const int code = glob(whole, GLOB_NOSORT, NULL, &g);
    enum gs_status status = code == GLOB_NOSPACE ? gs_fail_memory(b->err) : GS_OK;
    if (code == 0)
        qsort(g.gl_pathv, g.gl_pathc, sizeof *g.gl_pathv, by_bytes);
    for (size_t i = 0; code == 0 && status == GS_OK && i < g.gl_pathc; i++) {
        *found = true;
        if (!add_path(s, g.gl_pathv[i], prefix, b->arena, files))
            status = gs_fail_memory(b->err);
    }
    globfree(&g);
    return status;
}

static enum gs_status resolve_source(struct builder *b, struct gs_source *s)
{
    struct gs_buf dir = {.arena = b->arena};
    char shown[200];
    if (b->dir != NULL) {
        gs_buf_text(&dir, b->dir);
        if (dir.len > 0 && dir.ptr[dir.len - 1] != '/')
            gs_buf_char(&dir, '/');
    }
    const char *const folders[] = {b->dir == NULL ? NULL : gs_buf_str(&dir).ptr, b->folder};
    struct gs_texts files = {0};
    for (size_t i = 0; i < s->files.n; i++) {
        bool found = false;
        for (size_t k = 0; !found && k < 2; k++) {
            const enum gs_status status =
                folders[k] == NULL ? GS_OK
                                   : resolve(b, s, folders[k], s->files.item[i], &found, &files);
            if (status != GS_OK)
                return status;
        }
        if (!found)
            return gs_fail(
                b->err, GS_ERR_NOINPUT, "%s: no file has such a name (in the map, for %s)",
                gs_escape(shown, sizeof shown, s->files.item[i]), gs_role_names[s->role]);
    }
    s->files = files;
    return GS_OK;
}

/*
 * A map that was made for other files may fit them badly: those written after it are said. Files that were copied
 * together with it, or checked out, are not.
 */
static void note_newer(const struct builder *b, const char *map_path, const struct gs_map *map)
{
    enum { TOGETHER_S = 60 };
    struct stat of_map, of_file;
    const char *first = NULL;
    size_t n = 0;
    char file[200], shown[200], more[40] = "";
    if (b->r->notes == NULL || stat(map_path, &of_map) != 0)
        return;
    for (size_t i = 0; i < map->n_sources; i++)
        for (size_t k = 0; k < map->source[i].path.n; k++) {
            const char *const path = map->source[i].path.item[k].ptr;
            if (stat(path, &of_file) != 0 || !S_ISREG(of_file.st_mode) ||
                of_file.st_mtim.tv_sec - of_map.st_mtim.tv_sec <= TOGETHER_S)
                continue;
            first = first == NULL ? path : first;
            n++;
        }
    if (n > 1)
        (void)snprintf(more, sizeof more, " and %zu more", n - 1);
    if (n > 0)
        gs_note(b->r->notes, GS_NOTE_WARNING, "%s%s: newer than the map %s: does it still fit?",
                gs_escape(file, sizeof file, gs_str(first)), more,
                gs_escape(shown, sizeof shown, gs_str(map_path)));
}

static enum gs_status read_map(struct builder *b, const char *path, struct gs_map *map)
{
    struct gs_str text;
    char shown[512];
    const char *const slash = strrchr(path, '/');
    b->folder = slash == NULL ? "" : gs_arena_copy(b->arena, path, (size_t)(slash - path) + 1);
    if (b->folder == NULL)
        return gs_fail_memory(b->err);
    enum gs_status s = read_text(b, path, &text);
    if (s == GS_OK)
        s = gs_map_parse(text, gs_escape(shown, sizeof shown, gs_str(path)), b->arena, map, b->err);
    for (size_t i = 0; s == GS_OK && i < map->n_sources; i++)
        s = resolve_source(b, &map->source[i]);
    if (s == GS_OK)
        note_newer(b, path, map);
    return s;
}

static enum gs_status add_candidate(struct builder *b, struct gs_candidates *l, const char *path,
                                    unsigned roles)
{
    struct gs_candidate *const item = gs_arena_one_more(b->arena, l->item, l->n, sizeof *item);
    if (item == NULL)
        return gs_fail_memory(b->err);
    l->item = item;
    l->item[l->n++] = (struct gs_candidate){.path = gs_str(path),
                                            .shown = gs_str(path),
                                            .roles = roles,
                                            .named = true,
                                            .alone = b->r->alone != NULL};
    return GS_OK;
}

/* Files named by option, and patterns in quotes. */
static enum gs_status add_named(struct builder *b, struct gs_candidates *l, const char *path,
                                unsigned roles)
{
    struct gs_source s = {0};
    struct gs_texts files = {0};
    bool found = false;
    char shown[512];
    enum gs_status status = resolve(b, &s, "", gs_str(path), &found, &files);
    if (status == GS_OK && !found)
        return gs_fail(b->err, GS_ERR_NOINPUT, "%s: %s",
                       gs_escape(shown, sizeof shown, gs_str(path)),
                       strpbrk(path, "*?[") != NULL ? "no file has such a name" : strerror(ENOENT));
    for (size_t i = 0; status == GS_OK && i < s.path.n; i++)
        status = add_candidate(b, l, s.path.item[i].ptr, roles);
    return status;
}

/* How tables are to be cut, as --set says it of a role. */
static enum gs_status parse_hints(struct builder *b, struct gs_source *hint)
{
    static const char *const fields[] = {
        ".form=", ".separator=", ".skip=", ".header=", ".columns="};
    for (int k = 0; k < GS_N_ROLES; k++)
        hint[k] = (struct gs_source){.role = (enum gs_role)k, .skip = -1, .header = -1};
    for (size_t i = 0; i < b->r->n_sets; i++)
        for (int k = 0; k < GS_N_ROLES; k++)
            for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
                const char *const text = b->r->set[i];
                const size_t n = strlen(gs_role_names[k]);
                if (strncmp(text, gs_role_names[k], n) != 0 ||
                    strncmp(text + n, fields[f], strlen(fields[f])) != 0)
                    continue;
                struct gs_map one = {.source = &hint[k], .n_sources = 1};
                const enum gs_status s = gs_map_set(&one, gs_str(text), b->arena, b->err);
                if (s != GS_OK)
                    return s;
            }
    return GS_OK;
}

/* The roles that --set speaks of. */
static unsigned told_roles(const struct builder *b)
{
    unsigned told = 0;
    for (size_t i = 0; i < b->r->n_sets; i++)
        for (int k = 0; k < GS_N_ROLES; k++) {
            const size_t n = strlen(gs_role_names[k]);
            if (strncmp(b->r->set[i], gs_role_names[k], n) == 0 &&
                strchr(".[", b->r->set[i][n]) != NULL)
                told |= 1u << k;
        }
    return told;
}

/* The role of a file of the study by its name, GS_N_ROLES for none: only beside, not below. */
static int study_role(struct gs_str shown)
{
    static const int roles[] = {[GS_TABLE_CHECKPOINTS] = GS_ROLE_EVENTS,
                                [GS_TABLE_SAMPLES] = GS_ROLE_SAMPLES,
                                [GS_TABLE_TASKS] = GS_ROLE_TASKS,
                                [GS_N_TABLES] = GS_N_ROLES};
    return memchr(shown.ptr, '/', shown.len) != NULL ? GS_N_ROLES
                                                     : roles[gs_inputs_kind(shown.ptr)];
}

/* Where the study's own file of a role is there, no other plays it. */
static void give_roles(struct gs_candidates *list, unsigned open)
{
    unsigned taken = 0;
    for (size_t i = 0; i < list->n; i++)
        taken |= 1u << study_role(list->item[i].shown);
    for (size_t i = 0; i < list->n; i++) {
        const unsigned own = 1u << study_role(list->item[i].shown);
        list->item[i].roles = open & (own < 1u << GS_N_ROLES ? own : ~taken);
    }
}

/* What was passed over unseen may be what somebody looks for. */
static void note_unseen(const struct builder *b, const struct gs_candidates *list)
{
    char shown[200];
    for (size_t i = 0; b->r->notes != NULL && i < list->n; i++)
        if (list->item[i].why != NULL && !list->item[i].again)
            gs_note(b->r->notes, GS_NOTE_WARNING, "%s: %s: nothing of it is read",
                    gs_escape(shown, sizeof shown, list->item[i].path), list->item[i].why);
}

static enum gs_status detect_sources(struct builder *b, bool dir_too, struct gs_map *map)
{
    struct gs_source hint[GS_N_ROLES];
    struct gs_candidates list = {.told = told_roles(b)};
    enum gs_status s = parse_hints(b, hint);
    unsigned open = 7;
    for (int k = 0; k < GS_N_ROLES; k++)
        open &= b->r->n_paths[k] > 0 ? ~(1u << k) : 7u;
    if (s == GS_OK && dir_too && b->dir != NULL)
        s = gs_candidates_find(b->dir, b->arena, &list, b->err);
    give_roles(&list, open);
    note_unseen(b, &list);
    for (size_t i = 0; s == GS_OK && dir_too && b->dir == NULL && i < b->r->n_operands; i++)
        s = add_named(b, &list, b->r->operand[i],
                      b->r->alone != NULL
                          ? 1u << GS_ROLE_SAMPLES
                          : 7); /* also a shard that a pattern without quotes left here */
    for (int k = 0; k < GS_N_ROLES; k++)
        for (size_t i = 0; s == GS_OK && i < b->r->n_paths[k]; i++)
            s = add_named(b, &list, b->r->path[k][i], 1u << k);
    return s == GS_OK ? gs_map_detect(&list, hint, b->r->seed, b->arena, map, b->err) : s;
}

/* The sources of roles that an option names files for give way to those files. */
static void drop_named_roles(const struct builder *b, struct gs_map *map)
{
    size_t n = 0;
    for (size_t i = 0; i < map->n_sources; i++)
        if (b->r->n_paths[map->source[i].role] == 0)
            map->source[n++] = map->source[i];
    map->n_sources = n;
}

/* Samples without times or GPUs of their own are counted; false without memory. */
static bool count_rows(struct builder *b, struct gs_map *map)
{
    for (size_t i = 0; i < map->n_sources; i++) {
        struct gs_source *const s = &map->source[i];
        if (s->role == GS_ROLE_SAMPLES && s->gpu.kind == GS_VALUE_NONE && b->r->alone->n_gpus > 1) {
            struct gs_buf n = {.arena = b->arena};
            gs_buf_format(&n, "%llu", (unsigned long long)b->r->alone->n_gpus);
            s->gpu = (struct gs_map_value){.kind = GS_VALUE_TURNS, .text = gs_buf_str(&n)};
            if (n.failed)
                return false;
        }
        if (s->role != GS_ROLE_SAMPLES || s->time.kind != GS_VALUE_NONE || s->metrics.n == 0)
            continue;
        struct gs_buf every = {.arena = b->arena};
        gs_buf_format(&every, "%lldns", (long long)b->r->alone->every_ns);
        s->time = (struct gs_map_value){.kind = GS_VALUE_EVERY, .text = gs_buf_str(&every)};
        s->origin = gs_map_epoch;
        if (every.failed)
            return false;
    }
    return true;
}

static bool has_metric(const struct gs_source *s, const char *name)
{
    bool has = false;
    for (size_t i = 0; i < s->metrics.n && !has; i++)
        has = gs_str_eq(s->metrics.item[i].name, gs_str(name));
    return has;
}

bool gs_source_missing_unit(const struct gs_source *s, const struct gs_missing_unit *lack)
{
    return !gs_texts_contain(&s->ignored, lack->column) && !has_metric(s, lack->metric->name);
}

/* The only power of a source of samples, or its only energy where it has no power, that lacks its unit; NULL: none. */
static const struct gs_missing_unit *misses_measure(const struct gs_source *s)
{
    for (size_t i = 0; i < s->lacks.n && !has_metric(s, "power_w"); i++) {
        const struct gs_missing_unit *const l = &s->lacks.item[i];
        const bool energy = gs_metric_quantity(l->metric) == GS_Q_ENERGY;
        if (gs_is_measure(l->metric) && gs_source_missing_unit(s, l) &&
            !(energy && has_metric(s, "energy_j")))
            return l;
    }
    return NULL;
}

enum gs_status gs_map_build(const struct gs_map_request *r, struct gs_arena *arena,
                            struct gs_map *map, struct gs_err *err)
{
    struct builder b = {.r = r, .arena = arena, .err = err, .folder = ""};
    struct gs_map m = {0}, named = {0};
    enum gs_status s = GS_OK;
    char shown[512];
    if (r->n_operands == 1 && gs_is_directory(r->operand[0]))
        b.dir = r->operand[0];
    for (size_t i = 0; b.dir == NULL && i < r->n_operands; i++)
        if (r->n_operands > 1 && gs_is_directory(r->operand[i]))
            return gs_fail(err, GS_ERR_USAGE, "%s: is a directory, expected one directory or files",
                           gs_escape(shown, sizeof shown, gs_str(r->operand[i])));
    struct gs_buf own = {.arena = arena};
    if (b.dir != NULL) {
        gs_buf_text(&own, b.dir);
        gs_buf_text(&own,
                    own.len > 0 && own.ptr[own.len - 1] == '/' ? GS_MAP_NAME : "/" GS_MAP_NAME);
    }
    const char *const map_file = r->map_file != NULL                      ? r->map_file
                                 : own.len > 0 && gs_is_map_file(own.ptr) ? own.ptr
                                                                          : NULL;
    if (map_file != NULL) {
        s = read_map(&b, map_file, &m);
        drop_named_roles(&b, &m);
        if (s == GS_OK)
            s = detect_sources(&b, false, &named);
        for (size_t i = 0; s == GS_OK && i < named.n_sources; i++) {
            struct gs_source *const to = gs_map_add(&m, arena);
            if (to == NULL)
                return gs_fail_memory(err);
            *to = named.source[i];
        }
    } else {
        s = detect_sources(&b, true, &m);
    }
    for (size_t i = 0; s == GS_OK && i < r->n_sets; i++)
        s = gs_map_set(&m, gs_str(r->set[i]), arena, err);
    if (s == GS_OK && r->alone != NULL && !count_rows(&b, &m))
        s = gs_fail_memory(err);
    for (size_t i = 0; s == GS_OK && i < m.n_sources; i++) {
        const char *why = NULL;
        for (size_t k = 0; k < m.n_unused; k++)
            why = gs_str_eq(m.unused[k].path, m.source[i].files.item[0]) ? m.unused[k].why : why;
        const char *const name =
            m.source[i].files.n > 0
                ? gs_escape(shown, sizeof shown, gs_file_called(m.source[i].files.item[0]))
                : "the map";
        struct gs_err fault = {GS_OK, ""};
        s = gs_map_check(&m.source[i], name, &fault);
        if (s == GS_OK && m.source[i].unclear != NULL && m.source[i].duration.unit.ptr == NULL &&
            m.source[i].duration.kind == GS_VALUE_COLUMN)
            return gs_fail(err, GS_ERR_DATA, "%s: %s", name, m.source[i].unclear);
        const struct gs_missing_unit *const lack = s == GS_OK ? misses_measure(&m.source[i]) : NULL;
        if (lack != NULL)
            return gs_fail(err, GS_ERR_DATA, "%s: %s", name, gs_missing_unit_advice(lack, arena));
        if (s != GS_OK)
            return why == NULL ? gs_fail(err, s, "%s", fault.text)
                   : (told_roles(&b) >> m.source[i].role & 1) != 0
                       ? gs_fail(err, s, "%s; %s", fault.text, why)
                       : gs_fail(err, s, "%s: %s", name, why);
    }
    size_t n = 0; /* named files that --set completed are used after all */
    for (size_t k = 0; k < m.n_unused; k++) {
        bool used = false;
        for (size_t i = 0; i < m.n_sources; i++)
            used |= gs_texts_contain(&m.source[i].files, m.unused[k].path);
        if (!used)
            m.unused[n++] = m.unused[k];
    }
    m.n_unused = n;
    if (s == GS_OK)
        *map = m;
    return s;
}
