/* text_in.h - reads a file of any encoding as UTF-8, in pieces or line by line. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/status.h"
#include "base/core/text.h"

struct gs_bytes;

enum { GS_LINE_BYTES_MAX = 16 << 20 };

/*
 * An open file. UTF-16 is known by its byte-order mark; a mark of UTF-8 is passed over; bytes that are not
 * UTF-8 are read as Latin-1. NULs in a text (a log after a power cut) are left out.
 */
struct gs_text_in {
    struct gs_arena *arena;
    const char *name; /* escaped, for messages                        */
    const char *path; /* NULL: standard input                         */
    struct gs_bytes *source;
    bool owns_source;
    uint64_t limit;   /* bytes of text to hand out; 0: all            */
    uint64_t n_bytes; /* handed out                                   */
    bool cut;         /* more is there than the limit let through     */
    bool latin1;      /* some bytes were not UTF-8                    */
    bool has_nuls;    /* NULs were left out                           */
    char escape;      /* that an escape sequence which goes on began with, or its bracket; else 0 */
    bool begun, ended, peeked;
    int encoding;         /* 0: UTF-8, 1: UTF-16LE, 2: UTF-16BE           */
    char *raw;            /* bytes as they are in the file                */
    size_t raw_len, room; /* of raw */
    unsigned high;        /* of a surrogate pair                          */
    struct gs_buf piece;  /* the same as UTF-8                            */
    size_t piece_at;      /* of the lines handed out                      */
    struct gs_buf line;
    uint64_t line_number; /* of the last line, from 1                     */
    bool line_ended;      /* it has a line end                            */
};

/*
 * Opens a file ("-": standard input), plain or compressed; `limit` 0 for all of it.
 * Errors: those of gs_bytes_open. Memory: lives in `arena`; close it after success.
 */
enum gs_status gs_text_open(struct gs_text_in *in, const char *path, uint64_t limit,
                            struct gs_arena *arena, struct gs_err *err);

/* The same from a source that is open and not read from yet; it stays the caller's. `path` NULL: standard input. */
enum gs_status gs_text_open_bytes(struct gs_text_in *in, struct gs_bytes *source, const char *path,
                                  struct gs_arena *arena, struct gs_err *err);
void gs_text_close(struct gs_text_in *in); /* zeroed allowed */

/* In front of an open file of a function's own: it is closed on every way out. */
#define GS_CLOSES_TEXT __attribute__((cleanup(gs_text_close)))

/* All of a file, of which `more` says what is wrong where it has more than `most` bytes. Lives in `arena`. */
enum gs_status gs_text_all(const char *path, size_t most, const char *more, struct gs_arena *arena,
                           struct gs_str *text, struct gs_err *err);
/* The same from UTF-8 in memory, which is not written to. Nothing is to be closed. */
void gs_text_of(struct gs_text_in *in, struct gs_str text, const char *name,
                struct gs_arena *arena);

/* The next piece of text, of any length; one of length 0 is the end. It stays until the next call. */
enum gs_status gs_text_piece(struct gs_text_in *in, struct gs_str *piece, struct gs_err *err);

/* The first piece, which the next call hands out again. Only before anything was read. */
enum gs_status gs_text_peek(struct gs_text_in *in, struct gs_str *piece, struct gs_err *err);

/*
 * The next line without its end (LF or CRLF); ptr == NULL is the end. Not together with gs_text_piece.
 * Errors: GS_ERR_DATA for a NUL or a line of more than GS_LINE_BYTES_MAX bytes.
 */
enum gs_status gs_text_line(struct gs_text_in *in, struct gs_str *line, struct gs_err *err);

/* Is there another line? One that the limit cut off is none. At the end, and where reading failed, *s says which. */
static inline bool gs_text_next(struct gs_text_in *in, struct gs_str *line, enum gs_status *s,
                                struct gs_err *err)
{
    *s = gs_text_line(in, line, err);
    return *s == GS_OK && line->ptr != NULL && !(in->cut && !in->line_ended);
}
