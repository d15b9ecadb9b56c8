/* map_build.c - builds the map of a command from its operands and options. */
#include "input/detect/map_build.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/bytes/text_in.h"
#include "base/os/path.h"
#include "input/detect/inputs.h"
#include "input/detect/names_parts.h"
#include "input/detect/detect.h"

enum { MAP_TEXT_MAX = 16 << 20 };

struct builder {
    const struct gs_map_request *r;
    struct gs_arena *arena;
    struct gs_err *err;
    const char *dir;                 /* the only operand, if it is a directory; or NULL */
    const char *folder;              /* of the map file, with its slash; ""     */
    const struct gs_map *given;      /* of --map or DIR/gpustat.json, NULL: neither is there */
    struct gs_map near;              /* of gpustat.json beside the named file that was last */
    const char *near_of;             /* its folder, with its slash; NULL: none was looked at */
    const char *no_map;              /* where one would lie and none does; NULL: not seen    */
    struct gs_map told;              /* what maps say of files that are named on the command line */
    const struct gs_source **origin; /* [told.n_sources] */
};

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
    gs_buf_text_if(&path, !absolute, folder);
    const size_t prefix = path.len;
    gs_buf_add(&path, name);
    GS_TRY(gs_had_memory(!path.failed, b->err));
    const char *const whole = gs_buf_str(&path).ptr;
    *found = access(whole, F_OK) == 0 || gs_str_eq(name, gs_str("-"));
    if (gs_str_eq(name, gs_str("-")))
        return gs_had_memory(add_path(s, "-", 0, b->arena, files), b->err);
    if (*found)
        return gs_had_memory(add_path(s, whole, prefix, b->arena, files), b->err);
    if (strpbrk(whole, "*?[") == NULL)
        return GS_OK;
    glob_t g;
    const int code = gs_path_match(whole, &g);
    enum gs_status status = gs_had_memory(code != GLOB_NOSPACE, b->err);
    *found = g.gl_pathc > 0;
    for (size_t i = 0; status == GS_OK && i < g.gl_pathc; i++)
        status = gs_had_memory(add_path(s, g.gl_pathv[i], prefix, b->arena, files), b->err);
    globfree(&g);
    return status;
}

static enum gs_status resolve_source(struct builder *b, struct gs_source *s)
{
    struct gs_buf dir = {.arena = b->arena};
    if (b->dir != NULL && b->r->map_file != NULL)
        gs_path_put(&dir, b->dir, "");
    /* A map that was printed on a terminal calls files as they are called from where that was. */
    const char *const folders[] = {dir.len == 0 ? NULL : gs_buf_str(&dir).ptr, b->folder, ""};
    struct gs_texts files = {0};
    for (size_t i = 0; i < s->files.n; i++) {
        bool found = false;
        for (size_t k = 0; !found && k < 3; k++) {
            struct gs_str name = s->files.item[i];
            while (k == 0 && name.len > 3 && strncmp(name.ptr, "../", 3) == 0)
                name = gs_str_after(name, 3);
            while (folders[k] != NULL && !found && name.len > 0) {
                GS_TRY(resolve(b, s, folders[k], name, &found, &files));
                /* A map that lies elsewhere leads to its own run; in a directory that was named, only the rest counts. */
                if (k == 0)
                    (void)gs_str_take(&name, '/');
                else
                    name.len = 0;
            }
        }
        if (!found)
            return gs_fail(b->err, GS_ERR_NOINPUT,
                           "%s: no file has such a name (in the map, for %s)",
                           GS_SHOWN(s->files.item[i], 200), gs_role_names[s->role]);
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
            if (first == NULL)
                first = path;
            n++;
        }
    if (n > 1)
        (void)snprintf(more, sizeof more, " and %zu more", n - 1);
    if (n > 0)
        gs_note(b->r->notes, GS_NOTE_WARNING, "%s%s: newer than the map %s: does it still fit?",
                gs_escape(file, sizeof file, gs_str(first)), more,
                gs_escape(shown, sizeof shown, gs_str(map_path)));
}

/* The part of a path before its last component, slash and all; NULL without memory. */
static const char *folder_of(struct builder *b, const char *path)
{
    return gs_arena_copy(b->arena, path, gs_path_dir_len(path));
}

static enum gs_status parse_map(struct builder *b, const char *path, struct gs_map *map)
{
    struct gs_str text;
    if (b->r != NULL)
        GS_TRY(gs_path_claim(b->r->claims, GS_CLAIM_READ, NULL, path, b->err));
    GS_TRY(gs_text_all(path, MAP_TEXT_MAX, "more than 16 MiB, expected a map", b->arena, &text,
                       b->err));
    return gs_map_parse(text, GS_SHOWN(gs_str(path), 512), b->arena, map, b->err);
}

/*
 * Does a text of a map name this file? Only as many of the path's last components are held against it as it has itself
 * behind its ../ and ./, so a map holds for a copy of its folder, too.
 */
static bool names_file(struct gs_str name, const char *path)
{
    size_t n = 1;
    while (name.len > 0 && (strncmp(name.ptr, "./", 2) == 0 || strncmp(name.ptr, "../", 3) == 0)) {
        const size_t step = name.ptr[1] == '/' ? 2 : 3;
        name.ptr += step;
        name.len -= step;
    }
    for (size_t i = 0; i < name.len; i++)
        n += name.ptr[i] == '/';
    const char *at = path + strlen(path);
    while (at > path && n > 0)
        n -= *--at == '/';
    return n <= 1 && fnmatch(name.ptr, *at == '/' && name.ptr[0] != '/' ? at + 1 : at,
                             FNM_PATHNAME | FNM_PERIOD) == 0;
}

/* The sources of a map that name a file of these roles take it; *taken says whether one does. */
static enum gs_status take_named(struct builder *b, const struct gs_map *map, const char *path,
                                 unsigned roles, bool any, bool *taken)
{
    for (size_t i = 0; i < map->n_sources; i++) {
        const struct gs_source *const from = &map->source[i];
        bool named = (roles >> from->role & 1) != 0;
        size_t k = 0, t = 0;
        while (named && !any && k < from->files.n && !names_file(from->files.item[k], path))
            k++;
        if (!named || (!any && k == from->files.n))
            continue;
        while (t < b->told.n_sources && b->origin[t] != from)
            t++;
        if (t == b->told.n_sources) {
            struct gs_source *const to = gs_map_add(&b->told, b->arena);
            GS_TRY(gs_had_memory(to != NULL && GS_HAS_ROOM(b->arena, b->origin, t), b->err));
            *to = *from;
            to->files = to->path = (struct gs_texts){0};
            b->origin[t] = from;
        }
        *taken = true;
        if (!add_path(&b->told.source[t], path, 0, b->arena, &b->told.source[t].files))
            return gs_fail_memory(b->err);
    }
    return GS_OK;
}

/* What the gpustat.json beside a file says of it. */
static enum gs_status take_near(struct builder *b, const char *path, unsigned roles, bool *taken)
{
    const char *const folder = folder_of(b, path);
    GS_TRY(gs_had_memory(folder != NULL, b->err));
    if (b->near_of == NULL || strcmp(folder, b->near_of) != 0) {
        b->near_of = folder;
        b->near = (struct gs_map){0};
        const char *const file = gs_format(b->arena, "%s" GS_MAP_NAME, folder);
        bool is_map;
        GS_TRY(gs_had_memory(file != NULL, b->err));
        GS_TRY(gs_is_map_file(file, &is_map, b->err));
        if (is_map)
            GS_TRY(parse_map(b, file, &b->near));
        else
            b->no_map = file;
    }
    return take_named(b, &b->near, path, roles, false, taken);
}

/* *taken: a map describes the file: --map, else the gpustat.json beside it. */
static enum gs_status find_in_maps(struct builder *b, const struct gs_candidate *c, bool *taken)
{
    if (b->given == NULL)
        return take_near(b, c->path.ptr, c->roles, taken);
    GS_TRY(take_named(b, b->given, c->path.ptr, c->roles, false, taken));
    if (*taken || b->given->n_sources != 1 || !c->named)
        return GS_OK;
    return take_named(b, b->given, c->path.ptr, c->roles, true, taken); /* another of its kind */
}

/* Files named by option, and patterns in quotes. */
static enum gs_status add_named(struct builder *b, struct gs_candidates *l, const char *path,
                                unsigned roles)
{
    struct gs_source s = {0};
    struct gs_texts files = {0};
    bool found = false;
    char shown[512];
    GS_TRY(resolve(b, &s, "", gs_str(path), &found, &files));
    if (!found)
        return gs_fail(b->err, GS_ERR_NOINPUT, "%s: %s",
                       gs_escape(shown, sizeof shown, gs_str(path)),
                       strpbrk(path, "*?[") != NULL ? "no file has such a name" : strerror(ENOENT));
    for (size_t i = 0; i < s.path.n; i++) {
        const struct gs_candidate c = {.path = s.path.item[i],
                                       .shown = s.path.item[i],
                                       .roles = roles,
                                       .named = true,
                                       .alone = b->r->alone != NULL};
        bool taken = false;
        if (strcmp(gs_path_last(c.path.ptr), GS_MAP_NAME) == 0) /* gpu* names it, too */
            GS_TRY(gs_is_map_file(c.path.ptr, &taken, b->err));
        if (!taken)
            GS_TRY(find_in_maps(b, &c, &taken));
        if (taken)
            continue;
        GS_TRY(gs_had_memory(GS_HAS_ROOM(b->arena, l->item, l->n), b->err));
        l->item[l->n++] = c;
    }
    return GS_OK;
}

/* What --columns calls things, and what the common reader does. */
static const struct {
    const char *word, *name;
} column_words[] = {{"timestamp", "timestamp"},
                    {"host", "hostname"},
                    {"gpu", "gpu"},
                    {"power", "power_w"},
                    {"temp", "temp_c"},
                    {"gpu_util", "gpu_util_pct"},
                    {"mem_util", "mem_util_pct"},
                    {"memory_used", "mem_used_mib"},
                    {"memory_total", "mem_total_mib"},
                    {"clock", "sm_clock_mhz"},
                    {"-", "-"}};

/* "timestamp,-,power" as --set has it; each - is a column of its own that nothing knows. */
static enum gs_status name_columns(const char *columns, struct gs_arena *arena, const char **set,
                                   struct gs_err *err)
{
    struct gs_buf b = {.arena = arena};
    unsigned n = 0;
    gs_buf_text(&b, "samples.columns=");
    for (const char *at = columns; at != NULL; n++) {
        const size_t len = strcspn(at, ",");
        const struct gs_str word = gs_trimmed((struct gs_str){at, len});
        size_t k = 0;
        while (k < sizeof column_words / sizeof *column_words &&
               !gs_str_eq_nocase(word, gs_str(column_words[k].word)))
            k++;
        const bool known = k < sizeof column_words / sizeof *column_words;
        struct gs_name name; /* power_mw, too */
        bool needs_unit;
        gs_name_split(word, &name);
        if (!known && gs_name_metric(&name, &needs_unit) == NULL &&
            gs_column_meaning(word) == GS_MEANS_NOTHING)
            return gs_fail(err, GS_ERR_USAGE,
                           "--columns: no column can be named '%s'; names are timestamp, host, "
                           "gpu, power, temp, gpu_util, mem_util, memory_used, memory_total, "
                           "clock, metrics, and - to ignore one",
                           GS_SHOWN(word, 80));
        gs_buf_text_if(&b, n > 0, ",");
        if (!known)
            gs_buf_add(&b, word);
        else if (strcmp(column_words[k].word, "-") == 0)
            gs_buf_format(&b, GS_UNNAMED_COLUMN "%u", n + 1);
        else
            gs_buf_text(&b, column_words[k].name);
        at = at[len] == ',' ? at + len + 1 : NULL;
    }
    *set = gs_buf_str(&b).ptr;
    return gs_had_memory(!b.failed, err);
}

/* How tables are to be cut, as --set says it of a role. */
static enum gs_status parse_hints(struct builder *b, struct gs_source *hint)
{
    static const char *const fields[] = {
        ".form=", ".separator=", ".skip=", ".header=", ".columns="};
    const char *columns = NULL;
    gs_sources_init(hint);
    if (b->r->columns != NULL) {
        struct gs_map one = {.source = &hint[GS_ROLE_SAMPLES], .n_sources = 1};
        GS_TRY(name_columns(b->r->columns, b->arena, &columns, b->err));
        GS_TRY(gs_map_set(&one, gs_str(columns), b->arena, b->err));
    }
    for (size_t i = 0; i < b->r->n_sets; i++)
        for (int k = 0; k < GS_N_ROLES; k++)
            for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
                const char *const text = b->r->set[i];
                const size_t n = strlen(gs_role_names[k]);
                if (strncmp(text, gs_role_names[k], n) != 0 ||
                    strncmp(text + n, fields[f], strlen(fields[f])) != 0)
                    continue;
                struct gs_map one = {.source = &hint[k], .n_sources = 1};
                GS_TRY(gs_map_set(&one, gs_str(text), b->arena, b->err));
            }
    return GS_OK;
}

/* The roles that --set speaks of. */
static unsigned told_roles(const struct builder *b)
{
    const bool of_samples = b->r->columns != NULL || b->r->power_column != NULL;
    unsigned told = (unsigned)of_samples << GS_ROLE_SAMPLES;
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
static enum gs_role study_role(struct gs_str shown)
{
    return memchr(shown.ptr, '/', shown.len) != NULL ? GS_N_ROLES : gs_study_role(shown.ptr);
}

/* Where the study's own file of a role is there, no other plays it. */
static void give_roles(const struct gs_candidates *list, unsigned open)
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
    for (size_t i = 0; b->r->notes != NULL && i < list->n; i++)
        if (list->item[i].why != NULL && !list->item[i].no_loss)
            gs_note(b->r->notes, GS_NOTE_WARNING, "%s: %s: nothing of it is read",
                    GS_SHOWN(list->item[i].path, 200), list->item[i].why);
}

/* The files of the directories among the operands, which come after the files named there. */
static enum gs_status add_directories(struct builder *b, unsigned open, struct gs_candidates *list)
{
    GS_NEW(const char *, dir, b->r->n_operands, b->arena, b->err);
    size_t n = 0;
    for (size_t i = 0; i < b->r->n_operands; i++)
        if (gs_is_directory(b->r->operand[i]))
            dir[n++] = b->r->operand[i];
    GS_TRY(gs_candidates_find(dir, n, b->arena, list, b->err));
    size_t n_named = 0;
    while (n_named < list->n && list->item[n_named].named)
        n_named++;
    const struct gs_candidates below = {.item = list->n > 0 ? list->item + n_named : NULL,
                                        .n = list->n - n_named};
    GS_TRY(gs_study_refuse_twins(&below, b->err));
    give_roles(&below, open);
    note_unseen(b, &below);
    list->n = n_named;
    for (size_t i = 0; i < below.n; i++) {
        bool taken = false;
        if (b->dir == NULL) /* else the directory's own map was looked at before */
            GS_TRY(find_in_maps(b, &below.item[i], &taken));
        if (!taken)
            list->item[list->n++] = below.item[i];
    }
    return GS_OK;
}

/* Files whose part others play are not missed; of the rest people learn beside the answer. */
static void note_unused(const struct builder *b, const struct gs_map *map)
{
    struct gs_buf text = {.arena = b->arena};
    struct gs_map missed = {.source = map->source,
                            .n_sources = map->n_sources,
                            .unused =
                                gs_arena_take(b->arena, map->n_unused, sizeof *missed.unused)};
    for (size_t i = 0; missed.unused != NULL && i < map->n_unused; i++)
        if (map->unused[i].same_steps)
            gs_note(b->r->notes, GS_NOTE_INFO, "%s %s",
                    GS_SHOWN(gs_file_called(map->unused[i].path), 200), map->unused[i].why);
        else if (!map->unused[i].replaced && !map->unused[i].reported)
            missed.unused[missed.n_unused++] = map->unused[i];
    gs_map_drop_used(&missed, 0); /* options may have told what detection did not know */
    gs_map_put_unused(&text, &missed);
    if (text.len > 0 && !text.failed)
        gs_note(b->r->notes, GS_NOTE_UNUSED, "%s", gs_or_empty(gs_buf_whole(&text)));
}

/* Warns of a file at `path`, where the map of a run would lie, that is none and is not among the files that `map` reads. */
static void note_foreign(struct gs_notes *notes, const char *path, const struct gs_map *map)
{
    bool is_data = false;
    for (size_t i = 0; i < map->n_sources; i++)
        for (size_t k = 0; k < map->source[i].path.n; k++)
            is_data |= strcmp(map->source[i].path.item[k].ptr, path) == 0;
    if (!is_data && access(path, F_OK) == 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%s: is no map, it has no \"sources\": nothing of it is read",
                GS_SHOWN(gs_str(path), 200));
}

/* Are two paths of one file? */
static bool are_one_file(struct gs_str a, struct gs_str b)
{
    struct stat x, y;
    return gs_str_eq(gs_file_called(a), gs_file_called(b)) && stat(a.ptr, &x) == 0 &&
           stat(b.ptr, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Takes out the files of directories that are named beside them, from `first` on: they are read once. */
static void drop_named(struct gs_candidates *list, size_t first)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        bool named = false;
        for (size_t k = first; i < first && !list->item[i].named && !named && k < list->n; k++)
            named = are_one_file(list->item[i].path, list->item[k].path);
        if (!named)
            list->item[n++] = list->item[i];
    }
    list->n = n;
}

static enum gs_status detect_sources(struct builder *b, bool dir_too, struct gs_map *map)
{
    struct gs_source hint[GS_N_ROLES];
    struct gs_candidates list = {.told = told_roles(b)};
    unsigned open = 7;
    GS_TRY(parse_hints(b, hint));
    for (int k = 0; k < GS_N_ROLES; k++)
        if (b->r->n_paths[k] > 0)
            open &= ~(1u << k);
    /* A file may also be a shard that a pattern without quotes left here. */
    const unsigned any = b->r->alone != NULL ? 1u << GS_ROLE_SAMPLES : 7;
    for (size_t i = 0; dir_too && i < b->r->n_operands; i++)
        if (!gs_is_directory(b->r->operand[i]))
            GS_TRY(add_named(b, &list, b->r->operand[i], any));
    if (dir_too)
        GS_TRY(add_directories(b, open, &list));
    const size_t first_named = list.n;
    size_t n_stdin = 0;
    for (int k = 0; k < GS_N_ROLES; k++)
        for (size_t i = 0; i < b->r->n_paths[k]; i++) {
            n_stdin += strcmp(b->r->path[k][i], "-") == 0;
            if (n_stdin > 1)
                return gs_fail(b->err, GS_ERR_USAGE, "standard input can be read once only");
            GS_TRY(add_named(b, &list, b->r->path[k][i], 1u << k));
        }
    drop_named(&list, first_named);
    GS_TRY(gs_map_detect(&list, hint, b->r->seed, b->arena, map, b->err));
    note_unused(b, map);
    return GS_OK;
}

/*
 * A map's own sources, but those of roles that files named on the command line play, and their files. What the map says
 * of such files comes behind, then what was detected.
 */
static enum gs_status add_sources(struct builder *b, const struct gs_map *named, const char *path,
                                  struct gs_map *map)
{
    const struct gs_map *const lists[] = {&b->told, named};
    unsigned played = 0;
    size_t n = 0;
    for (int k = 0; k < GS_N_ROLES; k++)
        played |= (unsigned)(b->r->n_paths[k] > 0) << k;
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l]->n_sources; i++)
            played |= 1u << lists[l]->source[i].role;
    for (size_t i = 0; i < map->n_sources; i++)
        if ((played >> map->source[i].role & 1) == 0) {
            map->source[n] = map->source[i];
            GS_TRY(resolve_source(b, &map->source[n++]));
        }
    map->n_sources = n;
    if (path != NULL)
        note_newer(b, path, map);
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l]->n_sources; i++) {
            struct gs_source *const to = gs_map_add(map, b->arena);
            GS_TRY(gs_had_memory(to != NULL, b->err));
            *to = lists[l]->source[i];
        }
    map->unused = named->unused;
    map->n_unused = named->n_unused;
    return GS_OK;
}

/* Samples that no column names the GPU of are of so many in turn, where that is said. */
static void count_gpus(struct builder *b, struct gs_map *map)
{
    const char *const n = gs_format(b->arena, "%llu", (unsigned long long)b->r->n_gpus);
    for (size_t i = 0; b->r->n_gpus > 1 && i < map->n_sources; i++) {
        struct gs_source *const s = &map->source[i];
        if (s->role == GS_ROLE_SAMPLES && s->gpu.kind == GS_VALUE_NONE) {
            s->gpu = (struct gs_map_value){.kind = GS_VALUE_TURNS, .text = gs_str(n)};
            s->ambiguity = NULL;
        }
    }
}

/* Samples without times of their own are counted. */
static void count_rows(struct builder *b, struct gs_map *map)
{
    for (size_t i = 0; i < map->n_sources; i++) {
        struct gs_source *const s = &map->source[i];
        if (s->role != GS_ROLE_SAMPLES || s->time.kind != GS_VALUE_NONE || s->metrics.n == 0)
            continue;
        const char *const every = gs_format(b->arena, "%lldns", (long long)b->r->alone->every_ns);
        s->time = (struct gs_map_value){.kind = GS_VALUE_EVERY, .text = gs_str(every)};
        s->origin = gs_map_epoch;
    }
}

/*
 * Rows without times: means over them need none, energies do. Where nothing is to meet and there
 * is no power either, each counts as a second where they have temperatures or name the GPU; a column of
 * shares or sizes alone may be of anything.
 */
static void count_seconds(struct gs_map *map, struct gs_arena *arena)
{
    bool alone = true;
    for (size_t i = 0; i < map->n_sources; i++)
        alone &= map->source[i].role == GS_ROLE_SAMPLES;
    for (size_t i = 0; alone && i < map->n_sources; i++) {
        struct gs_source *const s = &map->source[i];
        bool measures = s->metrics.n == 0 || s->missing_units.n > 0, of_gpus = false;
        for (size_t k = 0; k < s->metrics.n; k++) {
            const struct gs_metric *const m = gs_metric_find(s->metrics.item[k].name);
            measures |= m == NULL || gs_is_measure(m);
            const struct gs_map_value *const v = &s->metrics.item[k].value;
            of_gpus |= (m != NULL && gs_metric_quantity(m) == GS_Q_TEMPERATURE) ||
                       (v->column.n > 0 && gs_words_gpu(v->column.item[0]));
        }
        if (measures || !of_gpus || s->time.kind != GS_VALUE_NONE)
            continue;
        s->time = (struct gs_map_value){.kind = GS_VALUE_EVERY, .text = {"1s", 2}};
        s->origin = gs_map_epoch;
        (void)gs_texts_add(&s->warnings,
                           gs_str("has no times: each row counts as a second "
                                  "(--set samples.time.every=1s)"),
                           arena);
    }
}

/*
 * Where nothing is to meet, times that are no instants, or none, count from 1970: relative time. Dates need a year to be near to.
 */
static void begin_clocks(struct gs_map *map)
{
    bool role[GS_N_ROLES] = {false};
    for (size_t i = 0; i < map->n_sources; i++) {
        role[map->source[i].role] = true;
        map->source[i].own_clock |= map->source[i].time.kind == GS_VALUE_EVERY;
    }
    for (size_t i = 0; i < map->n_sources && !(role[GS_ROLE_SAMPLES] && role[GS_ROLE_EVENTS]); i++)
        if (map->source[i].own_clock && !map->source[i].time_of_year &&
            map->source[i].origin.kind == GS_VALUE_NONE)
            map->source[i].origin = gs_map_epoch;
}

static bool has_metric(const struct gs_source *s, const char *name)
{
    return gs_infer_find(&s->metrics, name) != NULL;
}

/* The words of --power-column, and whose metric each means. */
static const struct {
    const char *word, *metric;
} power_words[] = {
    {"draw", "power_w"}, {"average", "power_average_w"}, {"instant", "power_instant_w"}};

static const struct gs_map_field *field_of(const struct gs_source *s, struct gs_str name,
                                           bool by_stem)
{
    struct gs_name asked, own;
    gs_name_split(name, &asked);
    for (size_t i = 0; i < s->metrics.n; i++) {
        const struct gs_map_field *const f = &s->metrics.item[i];
        if (f->value.kind != GS_VALUE_COLUMN)
            continue;
        gs_name_split(f->value.column.item[0], &own);
        if (by_stem ? asked.unit.quantity == GS_Q_NONE && strcmp(asked.stem, own.stem) == 0
                    : gs_str_eq(f->value.column.item[0], name))
            return f;
    }
    return NULL;
}

/* The metric of a source that a word means, where it is a column of its own; NULL: there is none. */
static const struct gs_map_field *field_of_word(const struct gs_source *s, const char *metric)
{
    const struct gs_map_field *const found = gs_infer_find(&s->metrics, metric);
    for (size_t i = 0; found != NULL && i < s->metrics.n; i++) {
        const struct gs_map_field *const f = &s->metrics.item[i];
        if (f != found && f->value.kind == GS_VALUE_COLUMN &&
            found->value.kind == GS_VALUE_COLUMN && strcmp(metric, "power_w") == 0 &&
            gs_str_eq(f->value.column.item[0], found->value.column.item[0]))
            return NULL; /* power_w is but what stands in for it */
    }
    return found;
}

static enum gs_status name_power(struct builder *b, struct gs_source *s)
{
    const char *const name = b->r->power_column, *metric = NULL;
    for (size_t i = 0; i < sizeof power_words / sizeof *power_words; i++)
        if (gs_str_eq_nocase(gs_str(name), gs_str(power_words[i].word)))
            metric = power_words[i].metric;
    const struct gs_map_field *f =
        metric != NULL ? field_of_word(s, metric) : field_of(s, gs_str(name), false);
    if (metric == NULL && f == NULL)
        f = field_of(s, gs_str(name), true);
    if (f != NULL) {
        const struct gs_map_value value = f->value;
        struct gs_map_field *const power = gs_infer_find(&s->metrics, "power_w");
        if (power != NULL)
            power->value = value;
        else
            gs_infer_add(&s->metrics, "power_w", value, b->arena);
        return gs_had_memory(!b->arena->failed, b->err);
    }
    if (metric != NULL)
        return gs_fail(b->err, GS_ERR_DATA,
                       "%s: no column is %s, which --power-column %s asks for; name the column",
                       GS_SHOWN(gs_file_called(s->files.item[0]), 160), metric, name);
    struct gs_name split;
    struct gs_buf column = {.arena = b->arena};
    struct gs_map one = {.source = s, .n_sources = 1};
    gs_name_split(gs_str(name), &split);
    gs_buf_format(&column, "samples.metrics.power_w.column=%s", name);
    GS_TRY(gs_had_memory(!column.failed, b->err));
    GS_TRY(gs_map_set(&one, gs_buf_str(&column), b->arena, b->err));
    if (split.unit.quantity == GS_Q_NONE)
        GS_TRY(gs_map_set(&one, gs_str("samples.metrics.power_w.unit=W"), b->arena, b->err));
    return GS_OK;
}

bool gs_source_missing_unit(const struct gs_source *s, const struct gs_missing_unit *lack)
{
    return !gs_texts_contain(&s->ignored, lack->column) && !has_metric(s, lack->metric->name);
}

/* The only power of a source of samples, or its only energy where it has no power, that lacks its unit; NULL: none. */
static const struct gs_missing_unit *misses_measure(const struct gs_source *s)
{
    for (size_t i = 0; i < s->missing_units.n && !has_metric(s, "power_w"); i++) {
        const struct gs_missing_unit *const l = &s->missing_units.item[i];
        const bool energy = gs_metric_quantity(l->metric) == GS_Q_ENERGY;
        if (gs_is_measure(l->metric) && gs_source_missing_unit(s, l) &&
            !(energy && has_metric(s, "energy_j")))
            return l;
    }
    return NULL;
}

/* The directory that is asked for, if it is one, and the map: the one given, else the directory's own; NULL: none. */
static enum gs_status find_map_file(struct builder *b, const char **map_file)
{
    const struct gs_map_request *const r = b->r;
    struct gs_buf own = {.arena = b->arena};
    bool is_map = false;
    *map_file = r->map_file;
    if (r->n_operands == 1 && gs_is_directory(r->operand[0]))
        b->dir = r->operand[0];
    if (b->dir == NULL || *map_file != NULL)
        return GS_OK;
    gs_path_put(&own, b->dir, GS_MAP_NAME);
    GS_TRY(gs_had_memory(!own.failed, b->err));
    const enum gs_status s = gs_is_map_file(own.ptr, &is_map, b->err);
    *(is_map ? map_file : &b->no_map) = own.ptr;
    return s;
}

/* Is it unclear how long the spans of a source are, or which of its rows are whose, and did nobody say? */
static bool is_ambiguous(const struct gs_source *s)
{
    return s->ambiguity != NULL &&
           (s->role == GS_ROLE_SAMPLES ||
            (s->duration.unit.ptr == NULL && s->duration.kind == GS_VALUE_COLUMN));
}

/* Is a source complete? A file that detection gave up on tells why, too. */
static enum gs_status check_source(const struct builder *b, const struct gs_map *m,
                                   const struct gs_source *source)
{
    const char *why = NULL, *name = "the map";
    struct gs_err fault = {GS_OK, ""};
    char shown[512];
    for (size_t k = 0; source->files.n > 0 && k < m->n_unused; k++)
        if (gs_str_eq(m->unused[k].path, source->files.item[0]))
            why = m->unused[k].why;
    if (source->files.n > 0)
        name = gs_escape(shown, sizeof shown, gs_file_called(source->files.item[0]));
    const enum gs_status s = gs_map_check(source, name, &fault);
    if (s != GS_OK && why == NULL)
        return gs_fail(b->err, s, "%s", fault.text);
    if (s != GS_OK && (told_roles(b) >> source->role & 1) != 0)
        return gs_fail(b->err, s, "%s; %s", fault.text, why);
    if (s != GS_OK)
        return gs_fail(b->err, s, "%s: %s", name, why);
    if (is_ambiguous(source))
        return gs_fail(b->err, GS_ERR_DATA, "%s: %s", name, source->ambiguity);
    const struct gs_missing_unit *const lack = misses_measure(source);
    if (lack != NULL)
        return gs_fail(b->err, GS_ERR_DATA, "%s: %s", name, gs_missing_unit_advice(lack, b->arena));
    return GS_OK;
}

enum gs_status gs_map_read(const char *path, struct gs_arena *arena, struct gs_map *map,
                           struct gs_err *err)
{
    struct builder b = {.arena = arena, .err = err, .folder = ""};
    return parse_map(&b, path, map);
}

const char *gs_map_path(const char *run, struct gs_arena *arena)
{
    if (gs_is_directory(run))
        return gs_format(arena, "%s/" GS_MAP_NAME, run);
    return gs_format(arena, "%.*s" GS_MAP_NAME, (int)gs_path_dir_len(run), run);
}

enum gs_status gs_map_build(const struct gs_map_request *r, struct gs_arena *arena,
                            struct gs_map *map, struct gs_err *err)
{
    struct builder b = {.r = r, .arena = arena, .err = err, .folder = ""};
    struct gs_map m = {0}, named = {0}, given;
    const char *map_file;
    GS_TRY(find_map_file(&b, &map_file));
    if (map_file != NULL) {
        b.folder = folder_of(&b, map_file);
        GS_TRY(gs_had_memory(b.folder != NULL, err));
        GS_TRY(parse_map(&b, map_file, &m));
        given = m;
        b.given = &given;
    }
    GS_TRY(detect_sources(&b, map_file == NULL || b.dir == NULL, &named));
    GS_TRY(add_sources(&b, &named, map_file, &m));
    for (size_t i = 0; r->power_column != NULL && i < m.n_sources; i++)
        if (m.source[i].role == GS_ROLE_SAMPLES)
            GS_TRY(name_power(&b, &m.source[i]));
    for (size_t i = 0; i < r->n_sets; i++)
        GS_TRY(gs_map_set(&m, gs_str(r->set[i]), arena, err));
    count_gpus(&b, &m);
    begin_clocks(&m);
    if (r->alone == NULL)
        count_seconds(&m, arena);
    else
        count_rows(&b, &m);
    GS_TRY(gs_had_memory(!arena->failed, err));
    for (size_t i = 0; i < m.n_sources; i++)
        GS_TRY(check_source(&b, &m, &m.source[i]));
    gs_map_drop_used(&m, 0);
    if (b.no_map != NULL)
        note_foreign(r->notes, b.no_map, &m);
    *map = m;
    return GS_OK;
}
