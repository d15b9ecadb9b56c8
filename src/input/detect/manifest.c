/* manifest.c - reads, writes and checks split.json. */
#include "input/detect/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/intern.h"
#include "base/core/shard.h"
#include "base/os/path.h"
#include "input/bytes/bytes.h"
#include "input/bytes/json.h"
#include "base/os/dir.h"
#include "input/detect/inputs.h"
#include "input/import/map_needed.h"
#include "input/import/pass_plan.h"
#include "base/num/whole.h"
#include "base/os/output.h"

enum { MANIFEST_BYTES_MAX = 16 << 20, HOST_BYTES_MAX = 4096 };

static const char *path_of(const char *dir, size_t len, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    gs_buf_bytes(&b, dir, len);
    gs_buf_text(&b, len > 0 && dir[len - 1] == '/' ? GS_MANIFEST_NAME : "/" GS_MANIFEST_NAME);
    return gs_buf_whole(&b);
}

/* --- reading ------------------------------------------------------------------------------------------------ */

/*
 * JSON's numbers are doubles: beyond 2^53 they are not exact, and a count that is wrong by one
 * would go unnoticed.
 */
static bool whole_number(const struct gs_json *v, uint64_t *out)
{
    double d;
    if (!gs_json_number(v, &d) || !(d >= 0) || d > 9007199254740992.0 || d != (double)(uint64_t)d)
        return false;
    *out = (uint64_t)d;
    return true;
}

/* A host's bytes from their digits: JSON is UTF-8, and a name need not be. */
static enum gs_status parse_host(struct gs_str hex, struct gs_arena *arena, struct gs_str *host)
{
    char *const bytes = gs_arena_take(arena, hex.len / 2 + 1, 1);
    if (bytes == NULL)
        return GS_ERR_MEMORY;
    if (hex.len % 2 != 0 || hex.len / 2 > HOST_BYTES_MAX)
        return GS_ERR_DATA;
    for (size_t i = 0; i < hex.len; i += 2) {
        const int high = gs_hex_digit(hex.ptr[i]), low = gs_hex_digit(hex.ptr[i + 1]);
        if (high < 0 || low < 0)
            return GS_ERR_DATA;
        bytes[i / 2] = (char)(unsigned char)(high << 4 | low);
    }
    *host = (struct gs_str){bytes, hex.len / 2};
    return GS_OK;
}

/* A part's shard; a split of version 0.2.0 did not write it: such a file is of all. */
static bool parse_shard(const struct gs_json *v, uint32_t n_shards, uint32_t *shard)
{
    uint64_t one = 0;
    if (v != NULL && !gs_json_is_null(v) && (!whole_number(v, &one) || one == 0 || one > n_shards))
        return false;
    *shard = (uint32_t)one;
    return true;
}

/* A split of version 0.2.0 did not write it. */
static bool parse_digest(const struct gs_json *v, char sha256[GS_SHA256_HEX])
{
    struct gs_str hex;
    if (v == NULL)
        return true;
    if (!gs_json_text(v, &hex) || hex.len != GS_SHA256_HEX - 1)
        return false;
    memcpy(sha256, hex.ptr, hex.len);
    return true;
}

static enum gs_status parse_parts(const struct gs_json *parts, struct gs_manifest *m,
                                  struct gs_arena *arena)
{
    m->part = gs_arena_take(arena, gs_json_length(parts), sizeof *m->part);
    if (m->part == NULL)
        return GS_ERR_MEMORY;
    for (const struct gs_json *v = gs_json_first(parts); v != NULL; v = gs_json_next(v)) {
        struct gs_manifest_part *const p = &m->part[m->n_parts++];
        struct gs_str name;
        if (!gs_json_text(gs_json_member(v, "name"), &name) ||
            !whole_number(gs_json_member(v, "rows"), &p->n_rows) ||
            !whole_number(gs_json_member(v, "bytes"), &p->n_bytes) ||
            !parse_shard(gs_json_member(v, "shard"), m->n_shards, &p->shard) ||
            !parse_digest(gs_json_member(v, "sha256"), p->sha256))
            return GS_ERR_DATA;
        p->name = gs_arena_copy(arena, name.ptr, name.len);
        if (p->name == NULL)
            return GS_ERR_MEMORY;
    }
    return GS_OK;
}

static enum gs_status parse(const struct gs_json *doc, struct gs_manifest *m,
                            struct gs_arena *arena)
{
    struct gs_str schema, inputs, host;
    uint64_t n_shards;
    if (!gs_json_text(gs_json_member(doc, "schema"), &schema) ||
        !gs_str_eq(schema, gs_str("gpustat.split/1")) ||
        !gs_json_text(gs_json_member(doc, "inputs"), &inputs) || inputs.len != GS_SHA256_HEX - 1 ||
        !gs_json_bool(gs_json_member(doc, "complete"), &m->complete) ||
        !whole_number(gs_json_member(doc, "shards"), &n_shards) || n_shards == 0 ||
        n_shards > GS_SHARDS_MAX || !whole_number(gs_json_member(doc, "input"), &m->input) ||
        !whole_number(gs_json_member(doc, "offset"), &m->offset) ||
        !whole_number(gs_json_member(doc, "line"), &m->line) ||
        !whole_number(gs_json_member(doc, "rows"), &m->n_rows))
        return GS_ERR_DATA;
    memcpy(m->inputs, inputs.ptr, inputs.len);
    m->n_shards = (uint32_t)n_shards;
    if (gs_json_text(gs_json_member(doc, "first_host"), &host)) {
        GS_TRY(parse_host(host, arena, &m->first_host));
        if (!gs_json_bool(gs_json_member(doc, "first_is_of_samples"), &m->first_is_of_samples))
            return GS_ERR_DATA;
    }
    return parse_parts(gs_json_member(doc, "parts"), m, arena);
}

/* Bounded to 16 MiB: a file of that name may be anything. */
static enum gs_status read_manifest(const char *path, struct gs_arena *arena, struct gs_manifest *m,
                                    struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_manifest made = {0};
    GS_FREES_JSON struct gs_json *doc = NULL;
    struct gs_str text;
    char shown[512];
    (void)gs_escape(shown, sizeof shown, gs_str(path));
    struct stat is;
    if (stat(path, &is) == 0 && !S_ISREG(is.st_mode)) /* a FIFO would wait for who writes */
        return gs_fail(err, GS_ERR_DATA, "%s: is no regular file", shown);
    GS_TRY(gs_bytes_all(path, MANIFEST_BYTES_MAX, "more than 16777216 bytes", &own, &text, err));
    GS_TRY(gs_json_parse(text, shown, &doc, err));
    const enum gs_status s = parse(doc, &made, arena);
    GS_TRY(gs_had_memory(s != GS_ERR_MEMORY, err));
    if (s != GS_OK)
        return gs_fail(err, s, "%s: is not the state of a split; remove the directory", shown);
    *m = made;
    return GS_OK;
}

enum gs_status gs_manifest_read(const char *dir, struct gs_arena *arena, struct gs_manifest *m,
                                struct gs_err *err)
{
    const char *const path = path_of(dir, strlen(dir), arena);
    GS_TRY(gs_had_memory(path != NULL, err));
    return read_manifest(path, arena, m, err);
}

/* --- writing ------------------------------------------------------------------------------------------------ */

/*
 * Names of parts are gpustat's own and need no escaping; hosts are written as hexadecimal digits.
 */
enum gs_status gs_manifest_write(const char *dir, const struct gs_manifest *m, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf b = {.arena = &own};
    const char *const path = path_of(dir, strlen(dir), &own);
    gs_buf_format(&b,
                  "{\"schema\": \"gpustat.split/1\", \"by\": \"host\", \"shards\": %u, "
                  "\"complete\": %s, \"inputs\": "
                  "\"%s\",\n \"input\": %llu, \"offset\": %llu, \"line\": %llu, \"rows\": %llu,",
                  (unsigned)m->n_shards, m->complete ? "true" : "false", m->inputs,
                  (unsigned long long)m->input, (unsigned long long)m->offset,
                  (unsigned long long)m->line, (unsigned long long)m->n_rows);
    if (m->first_host.ptr != NULL) {
        gs_buf_text(&b, " \"first_host\": \"");
        for (size_t i = 0; i < m->first_host.len; i++)
            gs_buf_format(&b, "%02x", (unsigned)(unsigned char)m->first_host.ptr[i]);
        gs_buf_format(&b, "\", \"first_is_of_samples\": %s,",
                      m->first_is_of_samples ? "true" : "false");
    }
    gs_buf_text(&b, " \"parts\": [");
    for (size_t i = 0; i < m->n_parts; i++) {
        const struct gs_manifest_part *const p = &m->part[i];
        gs_buf_text_if(&b, i > 0, ",");
        gs_buf_format(&b, "\n  {\"name\": \"%s\", ", p->name);
        if (p->shard > 0)
            gs_buf_format(&b, "\"shard\": %u, ", (unsigned)p->shard);
        gs_buf_format(&b, "\"rows\": %llu, \"bytes\": %llu", (unsigned long long)p->n_rows,
                      (unsigned long long)p->n_bytes);
        if (p->sha256[0] != '\0')
            gs_buf_format(&b, ", \"sha256\": \"%s\"", p->sha256);
        gs_buf_char(&b, '}');
    }
    gs_buf_text(&b, "]}\n");
    GS_TRY(gs_had_memory(!b.failed && path != NULL, err));
    return gs_output_file(path, gs_buf_str(&b), err);
}

/* --- what a shard need not read, and what nobody may miss ------------------------------------------------------ */

/* The split of the directory that was looked at last: inputs come one directory after the other. */
struct looked {
    struct gs_str dir; /* with its slash; missing: none was */
    struct gs_manifest manifest;
    struct gs_intern name; /* of its parts, by their numbers; empty where it is no split */
    bool checked;          /* all of them are there */
};

/*
 * Does the file end as the parts of a split do? O_NONBLOCK, or opening a FIFO of that name would
 * wait for a writer.
 */
static bool has_mark(const char *path)
{
    char end[GS_MANIFEST_MARK_BYTES];
    const size_t len = strlen(path);
    if (len < 4 || strcmp(path + len - 4, ".zst") != 0)
        return false;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    const off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
    const bool has = size >= (off_t)sizeof end &&
                     pread(fd, end, sizeof end, size - (off_t)sizeof end) == (ssize_t)sizeof end &&
                     memcmp(end, GS_MANIFEST_MARK, sizeof end) == 0;
    if (fd >= 0)
        (void)close(fd);
    return has;
}

/* A split that was interrupted is no input: a part of it may hold half of its rows. */
static enum gs_status inspect_at(struct looked *l, struct gs_str dir, uint64_t seed,
                                 struct gs_arena *arena, struct gs_err *err)
{
    const char *const path =
        path_of(dir.len == 0 ? "." : dir.ptr, dir.len == 0 ? 1 : dir.len, arena);
    struct stat is;
    *l = (struct looked){.dir = dir, .name = {.arena = arena, .seed = seed}};
    GS_TRY(gs_had_memory(path != NULL, err));
    if (stat(path, &is) != 0 && errno != EIO)
        return GS_OK;
    struct gs_err fault = {GS_OK, ""};
    const enum gs_status s = read_manifest(path, arena, &l->manifest, &fault);
    GS_TRY(gs_fail_of_system(err, s, &fault));
    if (s == GS_OK && !l->manifest.complete)
        return gs_fail(err, GS_ERR_DATA, "%s: the split is unfinished; split again",
                       GS_SHOWN(gs_str(path), 512));
    for (size_t i = 0; s == GS_OK && i < l->manifest.n_parts; i++)
        if (gs_intern_add(&l->name, gs_str(l->manifest.part[i].name)) == GS_INTERN_NONE)
            return gs_fail_memory(err);
    return GS_OK; /* a file of that name that is something else says nothing, unless parts are there */
}

/* Names that stand twice have one number: such a list is not one that a split wrote, and leaves nothing out. */
static const struct gs_manifest_part *part_of(const struct looked *l, struct gs_str name)
{
    const uint32_t k = gs_intern_find(&l->name, name);
    if (k == GS_INTERN_NONE || l->name.n != l->manifest.n_parts)
        return NULL;
    return &l->manifest.part[k];
}

/* The size is checked here, as it costs nothing; the digest once the part has been read. */
static enum gs_status check_part(const char *path, const char *shown,
                                 const struct gs_manifest_part *p, struct gs_err *err)
{
    struct stat is;
    const bool there = stat(path, &is) == 0;
    if (!there && errno == EIO)
        return gs_fail(err, GS_ERR_IO, "%s: %s", shown, strerror(errno));
    if (!there)
        return gs_fail(err, GS_ERR_DATA, "%s: a part of the split is missing: %s; split again",
                       shown, strerror(errno));
    if ((uint64_t)is.st_size == p->n_bytes)
        return GS_OK;
    return gs_fail(err, GS_ERR_DATA,
                   "%s: is not as the split left it, which was %llu bytes; split again", shown,
                   (unsigned long long)p->n_bytes);
}

/* All of a split's parts, those that nobody asked for, too: a lost one's hosts would be missing in every result. */
static enum gs_status check_parts(const struct looked *l, const char *between, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    for (size_t i = 0; i < l->manifest.n_parts; i++) {
        const char *const file = gs_format(&own, "%.*s%s%s", (int)l->dir.len, l->dir.ptr, between,
                                           l->manifest.part[i].name);
        const char *const shown = gs_escaped(&own, gs_str(file), 512);
        GS_TRY(gs_had_memory(file != NULL && shown != NULL, err));
        GS_TRY(check_part(file, shown, &l->manifest.part[i], err));
    }
    return GS_OK;
}

/* Has the split a table of that kind? Another file of it would count rows twice, or hosts that no shard is of. */
static bool has_table(const struct looked *l, enum gs_table_kind kind)
{
    for (size_t i = 0; i < l->manifest.n_parts; i++) {
        const enum gs_role role = gs_study_role(l->manifest.part[i].name);
        if (role != GS_N_ROLES && gs_table_of_role(role) == kind)
            return true;
    }
    return false;
}

static enum gs_status refuse_other(const char *shown, struct gs_err *err)
{
    return gs_fail(err, GS_ERR_DATA,
                   "%s: is no part of the split beside it (" GS_MANIFEST_NAME
                   "), which has this table; move it, or split again",
                   shown);
}

/* Tables of the study's names in the directory of a split, which is read by its map. */
static enum gs_status check_others(const struct looked *l, const char *dir, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    enum gs_status s = GS_OK;
    DIR *const d = l->manifest.n_parts == 0 ? NULL : opendir(dir);
    for (const char *name; s == GS_OK && d != NULL && gs_dir_next(d, &name) == 0 && name != NULL;) {
        const enum gs_role role = gs_study_role(name);
        struct gs_buf path = {.arena = &own};
        if (role == GS_N_ROLES || part_of(l, gs_str(name)) != NULL ||
            !has_table(l, gs_table_of_role(role)))
            continue;
        gs_path_put(&path, dir, name);
        s = path.failed ? gs_fail_memory(err) : refuse_other(GS_SHOWN(gs_buf_str(&path), 512), err);
    }
    if (d != NULL)
        (void)closedir(d);
    return s;
}

enum gs_status gs_manifest_check(const char *dir, uint64_t seed, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct looked l = {0};
    GS_TRY(inspect_at(&l, gs_str(dir), seed, &own, err));
    GS_TRY(check_parts(&l, "/", err));
    return check_others(&l, dir, err);
}

/*
 * A part without its manifest is an error and not an input: its rows are a share of the hosts,
 * and the result would look like that of the whole run.
 */
enum gs_status gs_manifest_leave_out(struct gs_input *input, size_t n,
                                     const struct gs_load_options *o, struct gs_arena *arena,
                                     struct gs_manifest *whole, struct gs_err *err)
{
    const struct gs_pass_plan_shard of = gs_pass_plan_shard(o);
    struct looked l = {0};
    for (size_t i = 0; i < n; i++) {
        const struct gs_str dir = {input[i].path, gs_path_dir_len(input[i].path)};
        if (l.dir.ptr == NULL || !gs_str_eq(dir, l.dir))
            GS_TRY(inspect_at(&l, dir, o->seed, arena, err));
        const struct gs_manifest_part *const p = part_of(&l, gs_str(input[i].path + dir.len));
        if (p == NULL && has_mark(input[i].path))
            return gs_fail(err, GS_ERR_DATA,
                           "%s: is part of a split whose " GS_MANIFEST_NAME
                           " is missing, damaged, unfinished or another's; split again",
                           input[i].name);
        if (p == NULL && has_table(&l, input[i].kind))
            return refuse_other(input[i].name, err);
        if (p == NULL)
            continue;
        if (!l.checked)
            GS_TRY(check_parts(&l, "", err));
        l.checked = true;
        input[i].split_sha256 = p->sha256[0] == '\0' ? NULL : p->sha256;
        input[i].split_rows = p->n_rows;
        if (of.n_shards <= 1)
            continue;
        *whole = l.manifest;
        /* A host's hash leaves one rest by the parts and another by the shards: they agree in what both share. */
        const uint32_t common = (uint32_t)gs_gcd(l.manifest.n_shards, of.n_shards);
        input[i].left_out = p->shard > 0 && (p->shard - 1) % common != of.shard % common;
        if (input[i].left_out)
            input[i].sha256 = input[i].split_sha256;
    }
    return GS_OK;
}
