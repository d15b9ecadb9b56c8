/* split.c - table after table through a fixed room, settled now and then so that a later run can go on. */
#include "app/cluster/split.h"

#include <string.h>

#include "base/core/sha256.h"
#include "input/bytes/bytes.h"
#include "input/bytes/csv.h"
#include "input/detect/run_map.h"
#include "input/import/map_needed.h"
#include "input/scanner/row_split.h"
#include "app/cluster/deal.h"
#include "app/cluster/split_out.h"
#include "base/num/order.h"

enum {
    ROOM_PER_THREAD = 4 << 20,
    ROOM_BYTES_MIN = 8 << 20,
    HEADER_BYTES_MAX = GS_SPLIT_ROW_BYTES_MAX,
};
#define SETTLE_BYTES (UINT64_C(1) << 30)

/* Files of one table under one header. */
struct set {
    enum gs_table_kind kind;
    const struct gs_source *source;
    uint32_t n_parts;           /* 1 where rows name no host              */
    uint32_t number;            /* sets of the same table before this one */
    char digest[GS_SHA256_HEX]; /* of the header                          */
    struct gs_part *part;       /* [n_parts]                              */
    size_t first;               /* of them among all that are written     */
};

/* A file of a source. */
struct input {
    const struct gs_source *source;
    enum gs_table_kind kind;
    const char *path, *name; /* name: escaped */
};

struct split {
    const struct gs_split_options *o;
    struct gs_arena *arena;
    struct input *input;
    size_t n_inputs;
    struct gs_split_out out;
    struct set *set; /* [n_inputs] at most */
    size_t n_sets;
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

/* --- the files ---------------------------------------------------------------------------------------------- */

static enum gs_status add_part(struct split *s, struct set *set, uint32_t i, struct gs_err *err)
{
    struct gs_buf b = {.arena = s->arena};
    const bool by_host = tables[set->kind].has_host;
    gs_buf_text(&b, tables[set->kind].stem);
    if (by_host)
        gs_buf_format(&b, "-%04u", (unsigned)(set->number * set->n_parts + i + 1));
    else if (set->number > 0)
        gs_buf_format(&b, "-%u", (unsigned)set->number);
    gs_buf_text(&b, ".csv.zst");
    GS_TRY(gs_had_memory(!b.failed, err));
    return gs_split_out_add(&s->out, b.ptr, by_host ? i + 1 : 0, &set->part[i], err);
}

/* The set of an input: that of an earlier input of the same table and header, or a new one. */
static enum gs_status add_set(struct split *s, const struct input *in, const char *digest,
                              struct set **found, struct gs_err *err)
{
    const enum gs_table_kind kind = in->kind;
    uint32_t number = 0;
    for (size_t k = 0; k < s->n_sets; k++) {
        if (s->set[k].source == in->source && strcmp(s->set[k].digest, digest) == 0) {
            *found = &s->set[k];
            return GS_OK;
        }
        number += s->set[k].kind == kind;
    }
    struct set *const set = &s->set[s->n_sets];
    set->kind = kind;
    set->source = in->source;
    set->number = number;
    set->n_parts = tables[kind].has_host ? s->o->n_parts : 1;
    memcpy(set->digest, digest, GS_SHA256_HEX);
    set->first = s->out.at.n_parts;
    GS_TAKE(set->part, set->n_parts, s->arena, err);
    for (uint32_t i = 0; i < set->n_parts; i++)
        GS_TRY(add_part(s, set, i, err));
    s->n_sets++;
    *found = set;
    return GS_OK;
}

/* Everything dealt so far is on disk, and split.json says so. */
static enum gs_status settle(struct split *s, struct set *set, const struct gs_deal *d,
                             uint64_t offset, struct gs_err *err)
{
    GS_TRY(gs_parts_settle(set->part, set->n_parts, s->o->inputs.n_threads, err));
    s->out.at.offset = offset;
    s->out.at.line = d->line;
    s->out.at.n_rows = d->n_rows;
    return gs_split_out_write(&s->out, err);
}

/* --- an input ----------------------------------------------------------------------------------------------- */

struct source {
    struct gs_bytes *bytes;
    size_t n, at;    /* bytes in the room, and those of them that are dealt */
    uint64_t offset; /* plain bytes dealt                                   */
    bool at_end;
};

/*
 * A row that was cut off by the end of the room moves to its front. The room is therefore also
 * the longest row there can be.
 */
static enum gs_status fill(struct split *s, struct source *f, struct gs_err *err)
{
    memmove(s->room, s->room + f->at, f->n - f->at);
    f->n -= f->at;
    f->at = 0;
    while (f->n < s->room_bytes && !f->at_end) {
        size_t got;
        GS_TRY(gs_bytes_read(f->bytes, s->room + f->n, s->room_bytes - f->n, &got, err));
        f->n += got;
        f->at_end = got == 0;
    }
    return GS_OK;
}

/* The header's bytes without line end or BOM, and where the host stands; the room holds the file's first bytes. */
static enum gs_status find_header(struct split *s, const struct input *in, struct source *f,
                                  struct gs_deal *d, struct gs_str *header, struct gs_arena *own,
                                  struct gs_err *err)
{
    GS_NEW(struct gs_split_row, row, 1, own, err);
    const char *p = s->room, *const end = s->room + f->n;
    enum gs_split e = GS_SPLIT_BLANK;
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
        return gs_fail_at(err, in->name, d->line,
                          "is not a row of CSV, expected a header line of at most %d bytes",
                          (int)HEADER_BYTES_MAX);
    if (memchr(p, '\0', (size_t)(row->next - p)) != NULL)
        return gs_fail_at(err, in->name, d->line, "a NUL byte, expected text");
    if (tables[in->kind].has_host) {
        size_t n_found;
        const struct gs_str host = in->source->host.column.item[0];
        d->host_column = gs_escaped(s->arena, host, 128);
        GS_TRY(gs_had_memory(d->host_column != NULL, err));
        d->host_field = gs_csv_find(row->field, row->n_fields, host.ptr, &n_found);
        if (n_found != 1)
            return gs_fail(err, GS_ERR_DATA, "%s:1: column '%s' is there %zu times, expected once",
                           in->name, d->host_column, n_found);
    }
    const char *behind = row->next;
    while (behind > p && (behind[-1] == '\n' || behind[-1] == '\r'))
        behind--;
    header->len = (size_t)(behind - p);
    header->ptr = gs_arena_copy(s->arena, p, header->len);
    d->line += row->n_lines;
    f->at = (size_t)(row->next - s->room);
    f->offset = f->at;
    return gs_had_memory(header->ptr != NULL, err);
}

/* Goes on to where an earlier run settled. */
static enum gs_status skip(struct split *s, struct source *f, const struct input *in,
                           uint64_t offset, struct gs_err *err)
{
    while (f->offset < offset) {
        const uint64_t left = offset - f->offset, have = f->n - f->at;
        const size_t step = (size_t)gs_min(left, have);
        f->at += step;
        f->offset += step;
        if (f->offset == offset)
            break;
        GS_TRY(fill(s, f, err));
        if (f->n == 0)
            return gs_fail(err, GS_ERR_DATA, "%s: is shorter than when the split began", in->name);
    }
    return GS_OK;
}

/*
 * A step without progress means that one row fills the whole room; it is an error, or the loop
 * would not end.
 */
static enum gs_status deal_on(struct split *s, const struct input *in, struct source *f,
                              struct gs_deal *d, struct set *set, struct gs_err *err)
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
            status =
                gs_fail_at(err, in->name, d->line, "a row of more than %zu bytes", s->room_bytes);
        else if (f->offset - settled >= SETTLE_BYTES && !f->at_end) {
            settled = f->offset;
            status = settle(s, set, d, f->offset, err);
        }
    }
    return status;
}

/*
 * Deals one input from where s->out.at says; leaves that at the next one's begin. A finished
 * input is still opened for its header: the files of its set must get the same numbers as in
 * the first run.
 */
static enum gs_status deal_input(struct split *s, size_t i, bool done, struct gs_err *err)
{
    const struct input *const in = &s->input[i];
    GS_OWN struct gs_arena own = {0};
    struct gs_deal d = {
        .name = in->name, .rules = gs_row_rules_of(','), .n_threads = s->o->inputs.n_threads};
    struct source f = {0};
    struct gs_str header = {0};
    struct set *set = NULL;
    struct gs_sha256 sum;
    char digest[GS_SHA256_HEX];
    enum gs_status status = gs_bytes_open(in->path, &own, &f.bytes, err);
    GS_THEN(status, fill(s, &f, err));
    GS_THEN(status, find_header(s, in, &f, &d, &header, &own, err));
    if (status == GS_OK) {
        gs_sha256_begin(&sum);
        gs_sha256_add(&sum, header.ptr, header.len);
        gs_sha256_end(&sum, digest);
        status = add_set(s, in, digest, &set, err);
    }
    if (status == GS_OK && !done) {
        d.n_parts = set->n_parts;
        status = gs_deal_init(&d, &own, err);
        GS_THEN(status, gs_parts_open(set->part, set->n_parts, header, &own, err));
        if (status == GS_OK && s->out.at.offset > f.offset) {
            status = skip(s, &f, in, s->out.at.offset, err);
            d.line = s->out.at.line;
            d.n_rows = s->out.at.n_rows;
        }
        GS_THEN(status, deal_on(s, in, &f, &d, set, err));
        s->n_rows_in += d.n_rows;
        if (status == GS_OK) {
            d.line = d.n_rows = 0; /* of the next input */
            s->out.at.input = i + 1;
            status = settle(s, set, &d, 0, err);
        }
        gs_parts_close(set->part, set->n_parts);
        gs_deal_release(&d);
    }
    gs_bytes_close(f.bytes);
    return status;
}

static enum gs_status open_out(struct split *s, struct gs_err *err)
{
    GS_NEW(struct gs_split_input, input, s->n_inputs, s->arena, err);
    for (size_t i = 0; i < s->n_inputs; i++)
        input[i] =
            (struct gs_split_input){s->input[i].path, s->input[i].name, (int)s->input[i].kind};
    return gs_split_out_open(&s->out, s->o, input, s->n_inputs, gs_str(""), s->arena, err);
}

/* The map of what was written: that of the run, of the parts. */
static enum gs_status write_map(const struct split *s, const struct gs_map *map, struct gs_err *err)
{
    struct gs_map own = {0};
    for (size_t i = 0; i < map->n_sources; i++) {
        struct gs_source *const to = gs_map_add(&own, s->arena);
        GS_TRY(gs_had_memory(to != NULL, err));
        *to = map->source[i];
        to->files = to->path = (struct gs_texts){0};
        for (size_t k = 0; k < s->n_sets; k++)
            for (uint32_t p = 0; s->set[k].source == &map->source[i] && p < s->set[k].n_parts;
                 p++) {
                const struct gs_manifest_part *const part = &s->out.at.part[s->set[k].first + p];
                GS_TRY(gs_had_memory(gs_texts_add(&to->files, gs_str(part->name), s->arena), err));
            }
    }
    return gs_split_out_map(&s->out, &own, err);
}

bool gs_split_keeps_rows(const struct gs_map *map)
{
    bool keeps = gs_map_is_study(map);
    for (size_t i = 0; i < map->n_sources; i++) {
        const struct gs_source *const s = &map->source[i];
        keeps &= gs_source_form(s)->delimited && s->skip <= 0 && s->header <= 1 &&
                 s->columns.n == 0 && !s->cut_cells &&
                 (s->separator.ptr == NULL || gs_str_eq(s->separator, gs_str(","))) &&
                 s->host.like.ptr == NULL && s->host.n_names == 0 && s->host.where.n == 0;
    }
    return keeps;
}

static enum gs_status list_inputs(struct split *s, const struct gs_map *map, struct gs_err *err)
{
    for (size_t i = 0; i < map->n_sources; i++)
        s->n_inputs += map->source[i].path.n;
    GS_TAKE(s->input, s->n_inputs, s->arena, err);
    for (size_t i = 0, at = 0; i < map->n_sources; i++)
        for (size_t k = 0; k < map->source[i].path.n; k++, at++) {
            const struct gs_str path = map->source[i].path.item[k];
            const char *const name = gs_escaped(s->arena, gs_file_called(path), 512);
            GS_TRY(gs_had_memory(name != NULL, err));
            s->input[at] = (struct input){&map->source[i], gs_table_of_role(map->source[i].role),
                                          path.ptr, name};
        }
    return GS_OK;
}

/*
 * Rows read and rows written are compared at the end. Only a run from the beginning has counted
 * all of them.
 */
enum gs_status gs_split(const struct gs_map *map, const struct gs_split_options *o,
                        struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct split s = {.o = o, .arena = arena, .out = {.held = -1}};
    uint64_t n_rows = 0;
    s.room_bytes = (size_t)o->inputs.n_threads * ROOM_PER_THREAD;
    if (s.room_bytes < ROOM_BYTES_MIN)
        s.room_bytes = ROOM_BYTES_MIN;
    enum gs_status status = list_inputs(&s, map, err);
    s.room = gs_arena_take_raw(&own, s.room_bytes, 1);
    s.set = gs_arena_take(arena, s.n_inputs, sizeof *s.set);
    GS_THEN(status, gs_had_memory(s.room != NULL && s.set != NULL, err));
    GS_THEN(status, open_out(&s, err));
    if (status == GS_OK && s.out.goes_on && !s.out.at.complete)
        gs_note(&out->notes, GS_NOTE_INFO, "goes on where an earlier split stopped");
    const uint64_t n_done = s.out.at.input;
    for (size_t i = 0; status == GS_OK && i < s.n_inputs; i++)
        status = deal_input(&s, i, i < n_done, err);
    if (status == GS_OK && !s.out.at.complete)
        status = write_map(&s, map, err);
    if (status == GS_OK && !s.out.at.complete)
        status = gs_split_out_complete(&s.out, err);
    gs_split_out_close(&s.out);
    GS_THEN(status, gs_split_out_frame(&s.out, out, err));
    for (size_t k = 0; k < s.out.at.n_parts; k++)
        n_rows += s.out.part[k]->n_rows;
    if (status == GS_OK && !s.out.goes_on && n_rows != s.n_rows_in)
        status = gs_fail(err, GS_ERR_INTERNAL, "%llu rows were read and %llu written",
                         (unsigned long long)s.n_rows_in, (unsigned long long)n_rows);
    return status;
}
