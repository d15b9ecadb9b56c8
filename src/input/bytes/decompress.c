/* decompress.c - wrapper around zlib, zstd, liblzma and libsnappy, the only file that includes them. */
#include "input/bytes/decompress.h"

#include <dlfcn.h>
#include <lzma.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/num/order.h"

/* A .xz or .zst may ask for a large window; beyond this it is refused rather than obeyed. */
#define WINDOW_MAX (UINT64_C(1) << GS_CODEC_WINDOW_MAX_LOG)

/* So many bytes were taken and put. */
static void advance(struct gs_unpack_buffers *b, size_t n_in, size_t n_out)
{
    b->in += n_in;
    b->in_left -= n_in;
    b->out += n_out;
    b->out_left -= n_out;
}

/*
 * 15 is the largest window that gzip has; 16 asks for gzip's header, so zlib and raw streams are
 * refused.
 */
static void *gzip_open(void)
{
    z_stream *const z = calloc(1, sizeof *z);
    if (z != NULL && inflateInit2(z, 15 + 16) != Z_OK) {
        free(z);
        return NULL;
    }
    return z;
}

/*
 * zlib counts in 32 bits, so larger buffers are passed in parts; the caller calls again.
 * Z_BUF_ERROR only says that there was no progress: more input or room is needed.
 */
static enum gs_unpack gzip_step(void *state, struct gs_unpack_buffers *b)
{
    z_stream *const z = state;
    const size_t in = gs_min(b->in_left, 1u << 30);
    const size_t out = gs_min(b->out_left, 1u << 30);
    z->next_in = (z_const Bytef *)(size_t)b->in;
    z->avail_in = (uInt)in;
    z->next_out = (Bytef *)b->out;
    z->avail_out = (uInt)out;
    const int r = inflate(z, Z_NO_FLUSH);
    advance(b, in - z->avail_in, out - z->avail_out);
    if (r == Z_STREAM_END)
        return GS_UNPACK_END;
    if (r == Z_MEM_ERROR)
        return GS_UNPACK_MEMORY;
    if (r == Z_OK || r == Z_BUF_ERROR)
        return GS_UNPACK_MORE;
    return GS_UNPACK_DAMAGED;
}

static bool gzip_restart(void *state)
{
    return inflateReset(state) == Z_OK;
}

static void gzip_close(void *state)
{
    (void)inflateEnd(state);
    free(state);
}

/*
 * The limit bounds the memory that the header of a hostile file can ask for (512 MiB). `zstd
 * --long` up to 29 is within it.
 */
static void *zstd_open(void)
{
    ZSTD_DStream *const z = ZSTD_createDStream();
    if (z != NULL)
        (void)ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, GS_CODEC_WINDOW_MAX_LOG);
    return z;
}

/* zstd verifies a frame's checksum itself, where the frame has one. */
static enum gs_unpack zstd_step(void *state, struct gs_unpack_buffers *b)
{
    ZSTD_inBuffer in = {b->in, b->in_left, 0};
    ZSTD_outBuffer out = {b->out, b->out_left, 0};
    const size_t r = ZSTD_decompressStream(state, &out, &in);
    advance(b, in.pos, out.pos);
    switch (ZSTD_getErrorCode(r)) {
    case ZSTD_error_no_error:
        break;
    case ZSTD_error_memory_allocation:
        return GS_UNPACK_MEMORY;
    case ZSTD_error_frameParameter_windowTooLarge:
        return GS_UNPACK_WINDOW;
    default:
        return GS_UNPACK_DAMAGED;
    }
    if (r == 0)
        return GS_UNPACK_END;
    return GS_UNPACK_MORE;
}

static bool zstd_restart(void *state)
{
    return !ZSTD_isError(ZSTD_DCtx_reset(state, ZSTD_reset_session_only));
}

static void zstd_close(void *state)
{
    (void)ZSTD_freeDStream(state);
}

/* liblzma's limit is on memory, of which the dictionary is the most. */
static void *xz_open(void)
{
    lzma_stream *const z = calloc(1, sizeof *z);
    if (z == NULL)
        return NULL;
    *z = (lzma_stream)LZMA_STREAM_INIT;
    if (lzma_stream_decoder(z, WINDOW_MAX, 0) != LZMA_OK) {
        free(z);
        return NULL;
    }
    return z;
}

static enum gs_unpack xz_step(void *state, struct gs_unpack_buffers *b)
{
    lzma_stream *const z = state;
    z->next_in = (const uint8_t *)b->in;
    z->avail_in = b->in_left;
    z->next_out = (uint8_t *)b->out;
    z->avail_out = b->out_left;
    const lzma_ret r = lzma_code(z, LZMA_RUN);
    advance(b, b->in_left - z->avail_in, b->out_left - z->avail_out);
    if (r == LZMA_STREAM_END)
        return GS_UNPACK_END;
    if (r == LZMA_MEM_ERROR)
        return GS_UNPACK_MEMORY;
    if (r == LZMA_MEMLIMIT_ERROR)
        return GS_UNPACK_WINDOW;
    if (r == LZMA_OK || r == LZMA_BUF_ERROR)
        return GS_UNPACK_MORE;
    return GS_UNPACK_DAMAGED;
}

static bool xz_restart(void *state)
{
    return lzma_stream_decoder(state, WINDOW_MAX, 0) == LZMA_OK;
}

static void xz_close(void *state)
{
    lzma_end(state);
    free(state);
}

/* clang-format off */
static const struct gs_codec codecs[] = {
    {"gzip", "\x1f\x8b", 2, gzip_open, gzip_step, gzip_restart, gzip_close},
    {"zstd", "\x28\xb5\x2f\xfd", 4, zstd_open, zstd_step, zstd_restart, zstd_close},
    {"xz", "\xfd" "7zXZ\0", 6, xz_open, xz_step, xz_restart, xz_close},
};
/* clang-format on */

const struct gs_codec *gs_codec_find(const char *bytes, size_t len)
{
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
        if (len >= codecs[i].magic_len && memcmp(bytes, codecs[i].magic, codecs[i].magic_len) == 0)
            return &codecs[i];
    return NULL;
}

/* snappy-c.h: 0 is success. Never closed: threads may be in it. */
static int (*snappy_uncompress)(const char *from, size_t len, char *to, size_t *size);
static pthread_once_t snappy_once = PTHREAD_ONCE_INIT;

/*
 * Loaded at run time, as only Parquet files with Snappy pages need it: gpustat runs without the
 * library. memcpy because ISO C has no conversion from an object's pointer to a function's.
 */
static void load_snappy(void)
{
    void *const handle = dlopen("libsnappy.so.1", RTLD_NOW | RTLD_LOCAL);
    void *const symbol = handle == NULL ? NULL : dlsym(handle, "snappy_uncompress");
    memcpy(&snappy_uncompress, &symbol, sizeof symbol);
}

bool gs_snappy_is_there(void)
{
    (void)pthread_once(&snappy_once, load_snappy);
    return snappy_uncompress != NULL;
}

/* `n` goes in as the room at `to`: a block that promises more is refused before it is unpacked. */
enum gs_unpack gs_snappy_unpack(struct gs_str packed, char *to, size_t size)
{
    size_t n = size; /* the block's own length, which is looked at before anything is written */
    if (!gs_snappy_is_there() || snappy_uncompress(packed.ptr, packed.len, to, &n) != 0 ||
        n != size)
        return GS_UNPACK_DAMAGED;
    return GS_UNPACK_END;
}

/* The structure is zstd's own. */
struct gs_packer *gs_packer_open(int level, unsigned window_log)
{
    ZSTD_CCtx *const z = ZSTD_createCCtx();
    if (z == NULL)
        return NULL;
    (void)ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, level);
    (void)ZSTD_CCtx_setParameter(z, ZSTD_c_windowLog, (int)window_log);
    (void)ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
    return (struct gs_packer *)z;
}

void gs_packer_close(struct gs_packer *p)
{
    (void)ZSTD_freeCCtx((ZSTD_CCtx *)p);
}

enum gs_unpack gs_packer_step(struct gs_packer *p, struct gs_unpack_buffers *b, bool end)
{
    ZSTD_inBuffer in = {b->in, b->in_left, 0};
    ZSTD_outBuffer out = {b->out, b->out_left, 0};
    const size_t r =
        ZSTD_compressStream2((ZSTD_CCtx *)p, &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
    advance(b, in.pos, out.pos);
    if (ZSTD_isError(r))
        return GS_UNPACK_MEMORY; /* nothing else can be wrong with valid parameters */
    if (end && r == 0)
        return GS_UNPACK_END;
    return GS_UNPACK_MORE;
}
