/* split.c - table after table through a fixed room, settled now and then so that a later run can go on. */
#include "split/split.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "num/decimal.h"
#include "os/output.h"
#include "os/parallel.h"
#include "base/sha256.h"
#include "csv/bytes.h"
#include "csv/json.h"
#include "gather/bind.h"
#include "split/deal.h"
#include "split/split_frame.h"
#include "recognise/inputs.h"
#include "scan/row_split.h"

enum {
    ROOM_PER_THREAD = 4 << 20,
    ROOM_BYTES_MIN = 8 << 20,
    HEADER_BYTES_MAX = GS_SPLIT_ROW_BYTES_MAX,
};
#define SETTLE_BYTES (UINT64_C(1) << 30)
#define STATE_NAME   "split.json"

/* Files of one table under one header. */
struct set {
    enum gs_table_kind kind;
    uint32_t n_parts;           /* 1 where rows name no host                  */
    uint32_t number;            /* sets of the same table before this one     */
    char digest[GS_SHA256_HEX]; /* of the header                         */
    struct gs_part *part;       /* [n_parts]                                  */
    char **name;                /* [n_parts] file names in OUT when all is done */
};

/* How far a split is: what split.json holds. */
struct progress {
    char inputs[GS_SHA256_HEX]; /* digest of the inputs' names, sizes and times, and of the number of parts */
    bool complete;
    size_t input;                  /* the input being dealt                              */
    uint64_t offset, line, n_rows; /* of its plain bytes that are dealt and settled   */
};

struct split {
    const struct gs_split_options *o;
    struct gs_arena *arena;
    struct gs_input *input;
    size_t n_inputs;
    struct progress at;
    struct set *set; /* [n_inputs] at most */
    size_t n_sets;
    size_t n_known; /* parts whose sizes an earlier run left, in the order of the sets */
    uint64_t *known_bytes, *known_rows;
    char *room;
    size_t room_bytes;
    uint64_t n_rows_in;
};

static const struct {
    const char *stem;
    bool has_host;
} tables[GS_N_TABLES] = {[GS_TABLE_CHECKPOINTS] = {"application-checkpoints", true},
                         [GS_TABLE_SAMPLES] = {"gpu", true},
                         [GS_TABLE_TASKS] = {"task-x-y", false}};

static const char *path_in(const struct split *s, const char *name, const char *ending)
{
    struct gs_buf b = {.arena = s->arena};
    gs_buf_text(&b, s->o->out);
    gs_buf_char(&b, '/');
    gs_buf_text(&b, name);
    gs_buf_text(&b, ending);
    return b.failed ? NULL : b.ptr;
}

static const char *shown(const struct split *s, const char *path)
{
    struct gs_buf b = {.arena = s->arena};
    gs_buf_escaped(&b, gs_str(path), 512);
    return b.failed ? "?" : b.ptr;
}

/* --- what an earlier run left ------------------------------------------------------------------------------- */

/* Names, sizes and times of the inputs, and what was asked: a split goes on only where all are the same. */
static enum gs_status digest_inputs(struct split *s, struct gs_err *err)
{
    struct gs_sha256 sum;
    gs_sha256_begin(&sum);
    for (size_t i = 0; i < s->n_inputs; i++) {
        struct stat is;
        char text[128];
        const char *const path = s->input[i].path;
        if (strcmp(path, "-") == 0 || stat(path, &is) != 0 || !S_ISREG(is.st_mode))
            return gs_fail(err, GS_ERR_NOINPUT, "%s: is not a file that can be read again, which split needs",
                           s->input[i].name);
        if (access(path, R_OK) != 0)
            return gs_fail(err, GS_ERR_NOINPUT, "%s: %s", s->input[i].name, strerror(errno));
        gs_sha256_add(&sum, path, strlen(path) + 1);
        const int n = snprintf(text, sizeof text, "%d %lld %lld.%09ld", (int)s->input[i].kind, (long long)is.st_size,
                               (long long)is.st_mtim.tv_sec, is.st_mtim.tv_nsec);
        gs_sha256_add(&sum, text, (size_t)n);
    }
    gs_sha256_add(&sum, &s->o->n_parts, sizeof s->o->n_parts);
    gs_sha256_end(&sum, s->at.inputs);
    return GS_OK;
}

static bool whole_number(const struct gs_json *v, uint64_t *out)
{
    double d;
    if (!gs_json_number(v, &d) || !(d >= 0) || d > 9007199254740992.0 || d != (double)(uint64_t)d)
        return false;
    *out = (uint64_t)d;
    return true;
}

static bool take_parts(struct split *s, const struct gs_json *parts)
{
    size_t n = 0;
    s->n_known = gs_json_length(parts);
    s->known_bytes = gs_arena_take(s->arena, s->n_known, sizeof *s->known_bytes);
    s->known_rows = gs_arena_take(s->arena, s->n_known, sizeof *s->known_rows);
    if (s->known_bytes == NULL || s->known_rows == NULL)
        return false;
    for (const struct gs_json *v = gs_json_first(parts); v != NULL; v = gs_json_next(v), n++)
        if (!whole_number(gs_json_member(v, "bytes"), &s->known_bytes[n]) ||
            !whole_number(gs_json_member(v, "rows"), &s->known_rows[n]))
            return false;
    return true;
}

/* What split.json says; false where it is no such file. */
static bool take_state(struct split *s, const struct gs_json *doc, struct gs_str *inputs)
{
    struct gs_str schema;
    uint64_t input;
    return gs_json_text(gs_json_member(doc, "schema"), &schema) && gs_str_eq(schema, gs_str("gpustat.split/1")) &&
           gs_json_text(gs_json_member(doc, "inputs"), inputs) &&
           gs_json_bool(gs_json_member(doc, "complete"), &s->at.complete) &&
           whole_number(gs_json_member(doc, "input"), &input) && (s->at.input = (size_t)input) <= s->n_inputs &&
           whole_number(gs_json_member(doc, "offset"), &s->at.offset) &&
           whole_number(gs_json_member(doc, "line"), &s->at.line) &&
           whole_number(gs_json_member(doc, "rows"), &s->at.n_rows) && take_parts(s, gs_json_member(doc, "parts"));
}

static enum gs_status read_whole(struct split *s, const char *path, struct gs_buf *text, struct gs_err *err)
{
    struct gs_bytes *source;
    enum gs_status status = gs_bytes_open(path, s->arena, &source, err);
    size_t n = 1;
    while (status == GS_OK && n > 0) {
        status = gs_bytes_read(source, s->room, s->room_bytes, &n, err);
        if (status == GS_OK)
            gs_buf_bytes(text, s->room, n);
        if (text->len > (16u << 20))
            n = 0;
    }
    if (status != GS_ERR_NOINPUT)
        gs_bytes_close(source);
    return status == GS_OK && text->failed ? gs_fail_memory(err) : status;
}

/* An empty directory is made ours; one that holds something must hold a split of the same inputs. */
static enum gs_status look_at_out(struct split *s, struct gs_err *err)
{
    const char *const path = path_in(s, STATE_NAME, "");
    struct gs_buf text = {.arena = s->arena};
    struct gs_json *doc = NULL;
    struct gs_str inputs = {0};
    if (path == NULL)
        return gs_fail_memory(err);
    if (mkdir(s->o->out, 0777) == 0)
        return GS_OK;
    if (errno != EEXIST)
        return gs_fail(err, GS_ERR_CANTCREATE, "%s: cannot be made: %s", shown(s, s->o->out), strerror(errno));
    DIR *const d = opendir(s->o->out);
    if (d == NULL)
        return gs_fail(err, GS_ERR_CANTCREATE, "%s: %s", shown(s, s->o->out), strerror(errno));
    bool empty = true;
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        empty = empty && (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0);
    (void)closedir(d);
    if (empty)
        return GS_OK;
    if (access(path, F_OK) != 0)
        return gs_fail(err, GS_ERR_CANTCREATE, "%s: holds something else than a split; name a directory that is new",
                       shown(s, s->o->out));
    enum gs_status status = read_whole(s, path, &text, err);
    if (status == GS_OK)
        status = gs_json_parse(gs_buf_str(&text), shown(s, path), &doc, err);
    if (status == GS_OK && !take_state(s, doc, &inputs))
        status = gs_fail(err, GS_ERR_DATA, "%s: is not the state of a split; remove the directory", shown(s, path));
    if (status == GS_OK && !gs_str_eq(inputs, gs_str(s->at.inputs)))
        status = gs_fail(err, GS_ERR_CANTCREATE,
                         "%s: holds a split of other inputs, or into another number of parts; name a directory that is "
                         "new",
                         shown(s, s->o->out));
    gs_json_free(doc);
    return status;
}

static enum gs_status write_state(struct split *s, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct gs_buf b = {.arena = &own};
    const char *const path = path_in(s, STATE_NAME, "");
    gs_buf_format(&b,
                  "{\"schema\": \"gpustat.split/1\", \"by\": \"host\", \"shards\": %u, \"complete\": %s, \"inputs\": "
                  "\"%s\",\n \"input\": %zu, \"offset\": %llu, \"line\": %llu, \"rows\": %llu, \"parts\": [",
                  (unsigned)s->o->n_parts, s->at.complete ? "true" : "false", s->at.inputs, s->at.input,
                  (unsigned long long)s->at.offset, (unsigned long long)s->at.line, (unsigned long long)s->at.n_rows);
    for (size_t k = 0, any = 0; k < s->n_sets; k++)
        for (uint32_t i = 0; i < s->set[k].n_parts; i++, any = 1)
            gs_buf_format(&b, "%s\n  {\"name\": \"%s\", \"rows\": %llu, \"bytes\": %llu}", any ? "," : "",
                          s->set[k].name[i], (unsigned long long)s->set[k].part[i].n_rows,
                          (unsigned long long)s->set[k].part[i].n_bytes);
    gs_buf_text(&b, "]}\n");
    const enum gs_status status =
        b.failed || path == NULL ? gs_fail_memory(err) : gs_output_file(path, gs_buf_str(&b), err);
    gs_arena_release(&own);
    return status;
}

/* --- the files ---------------------------------------------------------------------------------------------- */

/* About 3 << log bytes for each of the parts: a hundred MiB for all of them at most. */
static unsigned window_log(uint32_t n_parts)
{
    return n_parts <= 32 ? 19 : n_parts <= 128 ? 17 : 15;
}

static enum gs_status name_part(struct split *s, struct set *set, uint32_t i)
{
    struct gs_buf b = {.arena = s->arena};
    gs_buf_text(&b, tables[set->kind].stem);
    if (tables[set->kind].has_host)
        gs_buf_format(&b, "-%04u", (unsigned)(set->number * set->n_parts + i + 1));
    else if (set->number > 0)
        gs_buf_format(&b, "-%u", (unsigned)set->number);
    gs_buf_text(&b, ".csv.zst");
    struct gs_part *const p = &set->part[i];
    set->name[i] = b.ptr;
    p->fd = -1;
    p->path = b.failed ? NULL : path_in(s, b.ptr, s->at.complete ? "" : ".partial");
    p->shown = p->path == NULL ? NULL : shown(s, p->path);
    return p->path == NULL ? GS_ERR_MEMORY : GS_OK;
}

/* The set of an input: that of an earlier input of the same table and header, or a new one. */
static enum gs_status add_set(struct split *s, enum gs_table_kind kind, const char *digest, struct set **found,
                              struct gs_err *err)
{
    uint32_t number = 0;
    size_t first = 0;
    for (size_t k = 0; k < s->n_sets; k++) {
        if (s->set[k].kind == kind && strcmp(s->set[k].digest, digest) == 0) {
            *found = &s->set[k];
            return GS_OK;
        }
        number += s->set[k].kind == kind;
        first += s->set[k].n_parts;
    }
    struct set *const set = &s->set[s->n_sets];
    set->kind = kind;
    set->number = number;
    set->n_parts = tables[kind].has_host ? s->o->n_parts : 1;
    memcpy(set->digest, digest, GS_SHA256_HEX);
    set->part = gs_arena_take(s->arena, set->n_parts, sizeof *set->part);
    set->name = gs_arena_take(s->arena, set->n_parts, sizeof *set->name);
    if (set->part == NULL || set->name == NULL)
        return gs_fail_memory(err);
    for (uint32_t i = 0; i < set->n_parts; i++) {
        if (name_part(s, set, i) != GS_OK)
            return gs_fail_memory(err);
        if (first + i < s->n_known) {
            set->part[i].n_bytes = s->known_bytes[first + i];
            set->part[i].n_rows = s->known_rows[first + i];
        }
    }
    s->n_sets++;
    *found = set;
    return GS_OK;
}

static enum gs_status part_failure(const struct gs_part *p, struct gs_err *err)
{
    if (err != NULL)
        *err = p->err;
    return p->err.status;
}

/* Opens the parts of a set; new ones begin with the header. Buffers are the arena's until it is rewound. */
static enum gs_status open_set(struct set *set, struct gs_str header, struct gs_arena *own, struct gs_err *err)
{
    for (uint32_t i = 0; i < set->n_parts; i++) {
        struct gs_part *const p = &set->part[i];
        const bool is_new = p->n_bytes == 0;
        enum gs_status s = gs_part_open(p, window_log(set->n_parts), own);
        if (s == GS_OK && is_new)
            s = gs_part_add(p, header.ptr, header.len);
        if (s == GS_OK && is_new)
            s = gs_part_add(p, "\n", 1);
        if (s != GS_OK)
            return part_failure(p, err);
    }
    return GS_OK;
}

static void close_set(struct set *set)
{
    for (uint32_t i = 0; i < set->n_parts; i++)
        gs_part_close(&set->part[i]);
}

static int settle_one(void *context, size_t i, unsigned thread)
{
    struct set *const set = context;
    (void)thread;
    return (int)gs_part_settle(&set->part[i]);
}

/* Everything dealt so far is on disk, and split.json says so. */
static enum gs_status settle(struct split *s, struct set *set, const struct gs_deal *d, uint64_t offset,
                             struct gs_err *err)
{
    (void)gs_parallel_for(s->o->inputs.n_threads, set->n_parts, settle_one, set);
    for (uint32_t i = 0; i < set->n_parts; i++)
        if (set->part[i].err.status != GS_OK)
            return part_failure(&set->part[i], err);
    s->at.offset = offset;
    s->at.line = d->line;
    s->at.n_rows = d->n_rows;
    return write_state(s, err);
}

/* --- an input ----------------------------------------------------------------------------------------------- */

struct source {
    struct gs_bytes *bytes;
    size_t n, at;    /* bytes in the room, and those of them that are dealt */
    uint64_t offset; /* plain bytes dealt                                   */
    bool at_end;
};

static enum gs_status fill(struct split *s, struct source *f, struct gs_err *err)
{
    memmove(s->room, s->room + f->at, f->n - f->at);
    f->n -= f->at;
    f->at = 0;
    while (f->n < s->room_bytes && !f->at_end) {
        size_t got;
        const enum gs_status status = gs_bytes_read(f->bytes, s->room + f->n, s->room_bytes - f->n, &got, err);
        if (status != GS_OK)
            return status;
        f->n += got;
        f->at_end = got == 0;
    }
    return GS_OK;
}

/* The header's bytes without line end or BOM, and where the host stands; the room holds the file's first bytes. */
static enum gs_status find_header(struct split *s, const struct gs_input *in, struct source *f, struct gs_deal *d,
                                  struct gs_str *header, struct gs_arena *own, struct gs_err *err)
{
    struct gs_split_row *const row = gs_arena_take(own, 1, sizeof *row);
    struct gs_binding *const binding = gs_arena_take(own, 1, sizeof *binding);
    const char *p = s->room, *const end = s->room + f->n;
    enum gs_split e = GS_SPLIT_BLANK;
    if (row == NULL || binding == NULL)
        return gs_fail_memory(err);
    if (f->n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    d->line = 1;
    while (e == GS_SPLIT_BLANK && p < end) {
        e = gs_row_split(p, end, f->at_end, ',', row);
        if (e == GS_SPLIT_BLANK) {
            d->line += row->n_lines;
            p = row->next;
        }
    }
    if (p == end)
        return gs_fail(err, GS_ERR_DATA, "%s: is empty, expected a header line", in->name);
    if (e != GS_SPLIT_ROW)
        return gs_fail(err, GS_ERR_DATA, "%s:%llu: is not a row of CSV, expected a header line of at most %d bytes",
                       in->name, (unsigned long long)d->line, (int)HEADER_BYTES_MAX);
    if (memchr(p, '\0', (size_t)(row->next - p)) != NULL)
        return gs_fail(err, GS_ERR_DATA, "%s:%llu: a NUL byte, expected text", in->name, (unsigned long long)d->line);
    const enum gs_status status = gs_bind_header(in->kind, in->name, row->field, row->n_fields, s->arena, binding, err);
    if (status != GS_OK)
        return status;
    for (size_t i = 0; i < binding->n_bound && tables[in->kind].has_host; i++)
        if (binding->bound[i].kind == GS_BIND_NAME && binding->bound[i].pool == GS_POOL_HOST) {
            d->host_field = binding->bound[i].field;
            d->host_column = binding->bound[i].name;
        }
    const char *behind = row->next;
    while (behind > p && (behind[-1] == '\n' || behind[-1] == '\r'))
        behind--;
    header->len = (size_t)(behind - p);
    header->ptr = gs_arena_copy(s->arena, p, header->len);
    d->line += row->n_lines;
    f->at = (size_t)(row->next - s->room);
    f->offset = f->at;
    return header->ptr == NULL ? gs_fail_memory(err) : GS_OK;
}

/* Goes on to where an earlier run settled. */
static enum gs_status skip(struct split *s, struct source *f, const struct gs_input *in, uint64_t offset,
                           struct gs_err *err)
{
    while (f->offset < offset) {
        const uint64_t left = offset - f->offset, have = f->n - f->at;
        const size_t step = (size_t)(left < have ? left : have);
        f->at += step;
        f->offset += step;
        if (f->offset == offset)
            break;
        const enum gs_status status = fill(s, f, err);
        if (status != GS_OK)
            return status;
        if (f->n == 0)
            return gs_fail(err, GS_ERR_DATA, "%s: is shorter than when the split began", in->name);
    }
    return GS_OK;
}

static enum gs_status deal_on(struct split *s, const struct gs_input *in, struct source *f, struct gs_deal *d,
                              struct set *set, struct gs_err *err)
{
    uint64_t settled = f->offset;
    enum gs_status status = GS_OK;
    while (status == GS_OK) {
        const char *next;
        status = fill(s, f, err);
        if (status != GS_OK || f->n == 0)
            break;
        status = gs_deal_rows(d, s->room, s->room + f->n, f->at_end, set->part, &next, err);
        if (status != GS_OK)
            break;
        f->at = (size_t)(next - s->room);
        f->offset += f->at;
        if (f->at == 0)
            status = gs_fail(err, GS_ERR_DATA, "%s:%llu: a row of more than %zu bytes", in->name,
                             (unsigned long long)d->line, s->room_bytes);
        else if (f->offset - settled >= SETTLE_BYTES && !f->at_end) {
            settled = f->offset;
            status = settle(s, set, d, f->offset, err);
        }
    }
    return status;
}

/* Deals one input from where s->at says; leaves s->at at the next one's begin. */
static enum gs_status deal_input(struct split *s, size_t i, bool done, struct gs_err *err)
{
    const struct gs_input *const in = &s->input[i];
    struct gs_arena own = {0};
    struct gs_deal d = {.name = in->name, .rules = gs_row_rules_of(','), .n_threads = s->o->inputs.n_threads};
    struct source f = {0};
    struct gs_str header = {0};
    struct set *set = NULL;
    struct gs_sha256 sum;
    char digest[GS_SHA256_HEX];
    enum gs_status status = gs_bytes_open(in->path, &own, &f.bytes, err);
    if (status == GS_OK)
        status = fill(s, &f, err);
    if (status == GS_OK)
        status = find_header(s, in, &f, &d, &header, &own, err);
    if (status == GS_OK) {
        gs_sha256_begin(&sum);
        gs_sha256_add(&sum, header.ptr, header.len);
        gs_sha256_end(&sum, digest);
        status = add_set(s, in->kind, digest, &set, err);
    }
    if (status == GS_OK && !done) {
        d.n_parts = set->n_parts;
        status = gs_deal_init(&d, &own, err);
        if (status == GS_OK)
            status = open_set(set, header, &own, err);
        if (status == GS_OK && s->at.offset > f.offset) {
            status = skip(s, &f, in, s->at.offset, err);
            d.line = s->at.line;
            d.n_rows = s->at.n_rows;
        }
        if (status == GS_OK)
            status = deal_on(s, in, &f, &d, set, err);
        s->n_rows_in += d.n_rows;
        if (status == GS_OK) {
            d.line = d.n_rows = 0; /* of the next input */
            s->at.input = i + 1;
            status = settle(s, set, &d, 0, err);
        }
        close_set(set);
        gs_deal_release(&d);
    }
    gs_bytes_close(f.bytes);
    gs_arena_release(&own);
    return status;
}

/* All is written: the files get their names, then split.json says so. */
static enum gs_status complete(struct split *s, struct gs_err *err)
{
    for (size_t k = 0; k < s->n_sets; k++)
        for (uint32_t i = 0; i < s->set[k].n_parts; i++) {
            const struct gs_part *const p = &s->set[k].part[i];
            const char *const name = path_in(s, s->set[k].name[i], "");
            struct stat is;
            if (name == NULL)
                return gs_fail_memory(err);
            if (stat(p->path, &is) == 0 && (uint64_t)is.st_size != p->n_bytes)
                return gs_fail(err, GS_ERR_DATA,
                               "%s: is not as the split left it; remove the directory and split again", p->shown);
            if (rename(p->path, name) != 0 && !(errno == ENOENT && access(name, F_OK) == 0))
                return gs_fail(err, GS_ERR_IO, "%s: cannot get its name: %s", p->shown, strerror(errno));
        }
    s->at.complete = true;
    return write_state(s, err);
}

static enum gs_status make_frame(const struct split *s, struct gs_frames *out, struct gs_err *err)
{
    size_t n = 0, row = 0;
    for (size_t k = 0; k < s->n_sets; k++)
        n += s->set[k].n_parts;
    struct gs_split_file *const file = gs_arena_take(s->arena, n, sizeof *file);
    if (file == NULL)
        return gs_fail_memory(err);
    for (size_t k = 0; k < s->n_sets; k++)
        for (uint32_t i = 0; i < s->set[k].n_parts; i++, row++)
            file[row] =
                (struct gs_split_file){s->set[k].name[i], tables[s->set[k].kind].has_host ? (int64_t)i + 1 : GS_MISSING,
                                       s->set[k].part[i].n_rows, s->set[k].part[i].n_bytes};
    return gs_split_frame(file, n, s->arena, out, err);
}

enum gs_status gs_split(const struct gs_split_options *o, struct gs_arena *arena, struct gs_frames *out,
                        struct gs_err *err)
{
    struct gs_arena own = {0};
    struct split s = {.o = o, .arena = arena};
    uint64_t n_rows = 0;
    s.room_bytes = (size_t)o->inputs.n_threads * ROOM_PER_THREAD;
    if (s.room_bytes < ROOM_BYTES_MIN)
        s.room_bytes = ROOM_BYTES_MIN;
    enum gs_status status = gs_inputs_find(&o->inputs, arena, &s.input, &s.n_inputs, err);
    s.room = gs_arena_take_raw(&own, s.room_bytes, 1);
    s.set = gs_arena_take(arena, s.n_inputs, sizeof *s.set);
    if (status == GS_OK && (s.room == NULL || s.set == NULL))
        status = gs_fail_memory(err);
    if (status == GS_OK)
        status = digest_inputs(&s, err);
    if (status == GS_OK)
        status = look_at_out(&s, err);
    const bool goes_on = s.at.input > 0 || s.at.offset > 0;
    if (goes_on && !s.at.complete)
        gs_note(&out->notes, GS_NOTE_INFO, "goes on where an earlier split stopped");
    if (status == GS_OK && !goes_on)
        status = write_state(&s, err); /* says whose the directory is */
    const size_t n_done = s.at.input;
    for (size_t i = 0; status == GS_OK && i < s.n_inputs; i++)
        status = deal_input(&s, i, i < n_done, err);
    if (status == GS_OK && !s.at.complete)
        status = complete(&s, err);
    if (status == GS_OK)
        status = make_frame(&s, out, err);
    for (size_t k = 0; k < s.n_sets; k++)
        for (uint32_t i = 0; i < s.set[k].n_parts; i++)
            n_rows += s.set[k].part[i].n_rows;
    if (status == GS_OK && !goes_on && n_rows != s.n_rows_in)
        status = gs_fail(err, GS_ERR_INTERNAL, "%llu rows were read and %llu written", (unsigned long long)s.n_rows_in,
                         (unsigned long long)n_rows);
    gs_arena_release(&own);
    return status;
}
