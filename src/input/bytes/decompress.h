/* decompress.h - decompresses gzip, zstd and xz streams; compresses zstd. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/core/text.h"

/* What one step of unpacking came to. */
/* clang-format off */
enum gs_unpack {
    GS_UNPACK_MORE,     /* fine; feed or drain again                              */
    GS_UNPACK_END,      /* a member ended here; another may follow in the input   */
    GS_UNPACK_DAMAGED,  /* the bytes are not what the format promises             */
    GS_UNPACK_MEMORY,
    GS_UNPACK_WINDOW,   /* the stream asks for more memory than is granted        */
};
/* clang-format on */

/* Input consumed and output produced by a step; the codec moves both. */
struct gs_unpack_buffers {
    const char *in;
    size_t in_left;
    char *out;
    size_t out_left;
};

struct gs_codec {
    const char *name; /* "gzip"                                          */
    const char *magic;
    size_t magic_len;
    void *(*open)(void); /* NULL: no memory                                 */
    enum gs_unpack (*step)(void *state, struct gs_unpack_buffers *b);
    bool (*restart)(void *state); /* before a further member; false: no memory       */
    void (*close)(void *state);
};

enum {
    GS_CODEC_MAGIC_MAX = 6,
    GS_CODEC_WINDOW_MAX_LOG = 29 /* of 2: what a stream may ask for, in bytes */
};

/* The codec whose magic starts `bytes`, or NULL. */
const struct gs_codec *gs_codec_find(const char *bytes, size_t len);

/*
 * Snappy's blocks, as Parquet has them, through Debian's libsnappy, which is loaded when it is first asked for; false: it
 * is not there. Unpacks one that comes to exactly `size` bytes: GS_UNPACK_END, else GS_UNPACK_DAMAGED.
 */
bool gs_snappy_is_there(void);
enum gs_unpack gs_snappy_unpack(struct gs_str packed, char *to, size_t size);

/* Packs bytes as zstd. NULL where there is no memory; `window_log` bounds it: about 3 << window_log bytes. */
struct gs_packer;
struct gs_packer *gs_packer_open(int level, unsigned window_log);
void gs_packer_close(struct gs_packer *p); /* NULL allowed */

/*
 * Packs what there is room for. With `end` the frame is ended: call until GS_UNPACK_END, then a new frame may
 * begin. GS_UNPACK_MEMORY where there is none.
 */
enum gs_unpack gs_packer_step(struct gs_packer *p, struct gs_unpack_buffers *b, bool end);
