/* bytes.h - reads a file, standard input or a compressed stream as bytes in order. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/sha256.h"
#include "base/core/status.h"
#include "base/core/text.h"

struct gs_bytes; /* an open source */

/*
 * Opens `path` ("-" is standard input). gzip, zstd and xz are known by their first bytes and unpacked on
 * the way; several members in one file are one stream. Of Parquet, a regular file's, come the rows as a table of text.
 * Errors: GS_ERR_NOINPUT when it cannot be opened, is a directory or an endless device; GS_ERR_MEMORY.
 * Memory: lives in `arena`, buffers until gs_bytes_close, which must be called on success.
 */
enum gs_status gs_bytes_open(const char *path, struct gs_arena *arena, struct gs_bytes **source,
                             struct gs_err *err);

/*
 * Reads up to `size` bytes; 0 in *n_read is the end.
 * Errors: GS_ERR_IO, also for a regular file that has become shorter or was written over since; GS_ERR_DATA for a
 *         damaged or cut compressed stream.
 */
enum gs_status gs_bytes_read(struct gs_bytes *b, char *room, size_t size, size_t *n_read,
                             struct gs_err *err);

/* How many bytes gs_bytes_read has handed out: unpacked, where they lie compressed. */
uint64_t gs_bytes_given(const struct gs_bytes *b);

/*
 * Makes the digest of the bytes as they lie on disk (compressed, where they are) while they are read. To be asked
 * for before the first gs_bytes_read. Memory: the digest lives in `arena`.
 */
enum gs_status gs_bytes_digest(struct gs_bytes *b, struct gs_arena *arena, struct gs_err *err);

/* The digest of all that was read, and how many bytes that were: the file, where gs_bytes_read came to its end. */
uint64_t gs_bytes_digest_end(struct gs_bytes *b, char hex[GS_SHA256_HEX]);

/* What a file was like: another one where it was replaced, cut, or written over; not where it has only grown. */
struct gs_file_stamp {
    uint64_t device, inode, size;
    int64_t mtime_s, mtime_ns;
};

bool gs_stamp_of(int fd, struct gs_file_stamp *stamp); /* false: not a regular file */
bool gs_stamp_is_other(const struct gs_file_stamp *before, const struct gs_file_stamp *now);

/* The source as it was when it was opened; has the file, if it is a regular one, been written over since? */
struct gs_file_stamp gs_bytes_stamp(const struct gs_bytes *b);
bool gs_bytes_changed(const struct gs_bytes *b);

/* The message for that, with the file's name. */
#define GS_BYTES_CHANGED "%s: was changed while it was read; run again when nobody writes it"

void gs_bytes_close(struct gs_bytes *b); /* NULL allowed */

/* In front of an open source of a function's own: it is closed on every way out. */
#define GS_CLOSES_BYTES __attribute__((cleanup(gs_bytes_close_at)))
static inline void gs_bytes_close_at(struct gs_bytes *const *b)
{
    gs_bytes_close(*b);
}

/*
 * All bytes of a source, which live in `arena`. Errors: those of gs_bytes_open and gs_bytes_read; GS_ERR_DATA with what
 * `more` says for more than `most`.
 */
enum gs_status gs_bytes_all(const char *path, size_t most, const char *more, struct gs_arena *arena,
                            struct gs_str *bytes, struct gs_err *err);

/* The name for messages, escaped: the path, or "standard input". */
const char *gs_bytes_name(const struct gs_bytes *b);

/*
 * For readers that cut a file into pieces: the descriptor and size of a plain regular file that is not
 * compressed, or -1. Reading it with pread does not move gs_bytes_read.
 */
int gs_bytes_plain_fd(const struct gs_bytes *b, uint64_t *size);

/* Is it Parquet, which is handed out as a table with commas? */
bool gs_bytes_is_parquet(const struct gs_bytes *b);

/* Is it a regular file, read from its start, which opened again gives the same bytes? */
bool gs_bytes_repeats(const struct gs_bytes *b);
