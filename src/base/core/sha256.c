/* sha256.c - SHA-256 by Nettle, which uses the processor's own instructions where it has them. */
#include "base/core/sha256.h"

#include <nettle/sha2.h>

_Static_assert(sizeof(struct sha256_ctx) <= sizeof((struct gs_sha256){0}).state, "Nettle's state");

/* Nothing but Nettle looks at the words. */
static struct sha256_ctx *state_of(struct gs_sha256 *s)
{
    return (void *)s->state;
}

void gs_sha256_begin(struct gs_sha256 *s)
{
    s->n_bytes = 0;
    sha256_init(state_of(s));
}

void gs_sha256_add(struct gs_sha256 *s, const void *bytes, size_t n)
{
    s->n_bytes += n;
    sha256_update(state_of(s), n, bytes);
}

void gs_sha256_end_bytes(struct gs_sha256 *s, unsigned char bytes[GS_SHA256_BYTES])
{
    sha256_digest(state_of(s), GS_SHA256_BYTES, bytes);
}

void gs_sha256_end(struct gs_sha256 *s, char hex[GS_SHA256_HEX])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[GS_SHA256_BYTES];
    gs_sha256_end_bytes(s, bytes);
    for (unsigned i = 0; i < GS_SHA256_BYTES; i++) {
        hex[2 * i] = digits[bytes[i] >> 4];
        hex[2 * i + 1] = digits[bytes[i] & 15];
    }
    hex[GS_SHA256_HEX - 1] = '\0';
}
