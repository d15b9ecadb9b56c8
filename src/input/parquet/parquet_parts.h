/* parquet_parts.h - internal to input/parquet: column metadata and encodings. */
#pragma once

#include "input/parquet/parquet.h"
#include "input/parquet/thrift.h"

/* Type, Encoding and CompressionCodec of parquet.thrift. */
enum { BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY };
/* clang-format off */
enum {
    PLAIN = 0, PLAIN_DICTIONARY = 2, RLE = 3, DELTA_BINARY_PACKED = 5, DELTA_LENGTH_BYTE_ARRAY = 6,
    DELTA_BYTE_ARRAY = 7, RLE_DICTIONARY = 8, BYTE_STREAM_SPLIT = 9,
};
/* clang-format on */
enum { UNCOMPRESSED, SNAPPY, GZIP, LZO, BROTLI, LZ4, ZSTD, LZ4_RAW };

/* A column of a row group: where its pages lie. */
struct gs_parquet_chunk {
    uint64_t begin, size;
    int64_t n_values;
    int codec;
};

struct gs_parquet_group {
    uint64_t n_rows;
    size_t n_chunks;                /* = n_leaves */
    struct gs_parquet_chunk *chunk; /* [n_chunks] */
};

/* Reads [at, at + n) of the file. */
enum gs_status gs_parquet_read(const struct gs_parquet *p, uint64_t at, size_t n, char *to,
                               struct gs_err *err);

/* Runs of equal numbers and numbers packed in bits, at most 32 of them each (Encodings.md, RLE). */
struct gs_rle {
    struct gs_thrift in;
    unsigned width;
    uint64_t n_run; /* left of the run                 */
    bool packed;    /* ... of packed numbers           */
    uint32_t value; /* ... of one number               */
    uint64_t bit;   /* of the next byte: the next packed number */
};
/* False where the bytes do not hold n numbers. */
bool gs_rle_next(struct gs_rle *r, size_t n, uint32_t *to);

/* Differences in blocks (Encodings.md, DELTA_BINARY_PACKED). */
struct gs_delta {
    struct gs_thrift in;
    uint64_t n_left; /* values not yet handed out                          */
    uint64_t n_mini, per_mini;
    uint64_t mini, left; /* number of the open miniblock; values left of it    */
    const unsigned char *widths;
    uint64_t value, least;   /* the last value; the block's least difference       */
    const unsigned char *at; /* packed bits of the open miniblock                 */
    unsigned width;
    uint64_t bit;
    bool first;
};
bool gs_delta_begin(struct gs_delta *d, const unsigned char *at, const unsigned char *end);
bool gs_delta_next(struct gs_delta *d, size_t n, int64_t *to);
/* Where the bytes behind all values begin; NULL: they do not hold them. */
const unsigned char *gs_delta_end(const struct gs_delta *d);
