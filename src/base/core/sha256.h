/* sha256.h - SHA-256 of bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { GS_SHA256_BYTES = 32, GS_SHA256_HEX = 65 }; /* 64 digits and a NUL */

/* A digest being made. Holds no pointers: copy it to go on in two directions. */
struct gs_sha256 {
    uint64_t n_bytes; /* added so far */
    uint64_t state[16];
};

/* Source: FIPS 180-4. Fewer than 2^61 bytes. */
void gs_sha256_begin(struct gs_sha256 *s);
void gs_sha256_add(struct gs_sha256 *s, const void *bytes, size_t n);

/* Ends the digest, as digits or bytes; `s` must be begun again before the next. */
void gs_sha256_end(struct gs_sha256 *s, char hex[GS_SHA256_HEX]);
void gs_sha256_end_bytes(struct gs_sha256 *s, unsigned char bytes[GS_SHA256_BYTES]);
