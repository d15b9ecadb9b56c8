/* state_file.c - the frame around states: magic, whose they are, checksum. */
#include "analysis/partial/state_file.h"

#include <string.h>

#include "base/core/shard.h"

static const char magic[] = "gpustat state 3\n";

enum { MAGIC_BYTES = sizeof magic - 1 };

/*
 * The checksum is against damage and cut files, not against forgery. Whoever loads a state still
 * checks every value.
 */
static void digest(const void *bytes, size_t n, unsigned char out[GS_SHA256_BYTES])
{
    struct gs_sha256 sum;
    gs_sha256_begin(&sum);
    gs_sha256_add(&sum, bytes, n);
    gs_sha256_end_bytes(&sum, out);
}

/* --- writing ------------------------------------------------------------------------------------------ */

static void pack_head(const struct gs_state_head *h, struct gs_buf *b)
{
    gs_buf_bytes(b, magic, MAGIC_BYTES);
    gs_pack_text(b, h->version);
    gs_pack_text(b, h->command);
    gs_pack_text(b, h->layout);
    gs_pack_count(b, h->n_arguments);
    for (size_t i = 0; i < h->n_arguments; i++)
        gs_pack_text(b, h->argument[i]);
    gs_pack_count(b, h->is_parts);
    gs_pack_count(b, h->n_shards);
    gs_pack_count(b, h->n);
    for (uint32_t i = 0; i < h->n; i++)
        gs_pack_count(b, h->shard[i]);
}

static enum gs_status write_on(void *context, const char *bytes, size_t len, struct gs_err *err)
{
    struct gs_state_writer *const w = context;
    gs_sha256_add(&w->sum, bytes, len);
    return gs_output_write(&w->file, bytes, len, err);
}

struct gs_sink gs_state_sink(struct gs_state_writer *w)
{
    return (struct gs_sink){write_on, w};
}

enum gs_status gs_state_begin(struct gs_state_writer *w, const char *path,
                              const struct gs_state_head *head, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf b = {.arena = &own};
    pack_head(head, &b);
    gs_sha256_begin(&w->sum);
    GS_TRY(gs_had_memory(!b.failed, err));
    GS_TRY(gs_output_open(&w->file, path, err));
    return gs_sink_write(gs_state_sink(w), b.ptr, b.len, err);
}

/*
 * The file gets its name only here. A run that is killed before leaves no state that looks
 * complete.
 */
enum gs_status gs_state_end(struct gs_state_writer *w, struct gs_err *err)
{
    unsigned char sum[GS_SHA256_BYTES];
    gs_sha256_end_bytes(&w->sum, sum);
    GS_TRY(gs_output_write(&w->file, (const char *)sum, sizeof sum, err));
    return gs_output_commit(&w->file, err);
}

void gs_state_abandon(struct gs_state_writer *w)
{
    gs_output_abandon(&w->file);
}

/* --- reading ------------------------------------------------------------------------------------------ */

static enum gs_status collect_shards(struct gs_state_head *h, struct gs_unpacker *u,
                                     struct gs_arena *arena)
{
    h->is_parts = gs_unpack_flag(u);
    const uint64_t n_shards = gs_unpack_count(u);
    const size_t n = gs_unpack_length(u, 1);
    if (u->status == GS_OK && (n_shards == 0 || n_shards > GS_SHARDS_MAX || n == 0 || n > n_shards))
        return gs_unpack_fail(u, "found a number of shards that cannot be");
    h->shard = gs_arena_take(arena, n, sizeof *h->shard);
    if (u->status == GS_OK && h->shard == NULL)
        return u->status = gs_fail_memory(u->err);
    h->n_shards = (uint32_t)n_shards;
    for (; h->n < n && u->status == GS_OK; h->n++) {
        const uint64_t one = gs_unpack_count(u);
        if (u->status == GS_OK &&
            (one == 0 || one > n_shards || (h->n > 0 && one <= h->shard[h->n - 1])))
            return gs_unpack_fail(u, "found a shard that cannot be");
        h->shard[h->n] = (uint32_t)one;
    }
    return u->status;
}

enum gs_status gs_state_check(const char *name, struct gs_str bytes, struct gs_err *err)
{
    return bytes.len >= MAGIC_BYTES + GS_SHA256_BYTES && memcmp(bytes.ptr, magic, MAGIC_BYTES) == 0
               ? GS_OK
               : gs_fail(err, GS_ERR_DATA, "%s: is no partial result that this gpustat wrote",
                         name);
}

enum gs_status gs_state_open(const char *name, struct gs_str bytes, const char *version,
                             struct gs_arena *arena, struct gs_state_reader *reader,
                             struct gs_err *err)
{
    struct gs_state_head h = {0};
    unsigned char sum[GS_SHA256_BYTES];
    GS_TRY(gs_state_check(name, bytes, err));
    const struct gs_str whole = {bytes.ptr, bytes.len - GS_SHA256_BYTES};
    digest(whole.ptr, whole.len, sum);
    /*
     * Before anything is parsed: damage then has one message, and later errors mean another
     * version or a wrong state.
     */
    if (memcmp(sum, whole.ptr + whole.len, GS_SHA256_BYTES) != 0)
        return gs_fail(err, GS_ERR_DATA, "%s: is damaged or cut: its checksum is another", name);
    struct gs_unpacker u = gs_unpack(name, whole, err);
    u.at += MAGIC_BYTES;
    h.version = gs_unpack_text(&u);
    if (u.status == GS_OK && !gs_str_eq(h.version, gs_str(version))) {
        return gs_fail(err, GS_ERR_DATA,
                       "%s: was written by gpustat %s, expected %s; compute it again", name,
                       GS_SHOWN(h.version, 64), version);
    }
    h.command = gs_unpack_text(&u);
    h.layout = gs_unpack_text(&u);
    h.n_arguments = gs_unpack_length(&u, 1);
    h.argument = gs_arena_take(arena, h.n_arguments, sizeof *h.argument);
    if (u.status == GS_OK && h.argument == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < h.n_arguments && u.status == GS_OK; i++)
        h.argument[i] = gs_unpack_text(&u);
    if (u.status == GS_OK)
        (void)collect_shards(&h, &u, arena);
    if (u.status == GS_OK)
        *reader = (struct gs_state_reader){h, u};
    return u.status;
}
