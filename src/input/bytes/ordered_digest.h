/* ordered_digest.h - SHA-256 of a file whose chunks several threads read; chunks are hashed in file order. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "base/core/sha256.h"

struct gs_ordered_digest {
    pthread_mutex_t lock;
    pthread_cond_t turn;
    struct gs_sha256 digest;
    size_t next; /* the part that is added next */
    bool stopped;
};

/* Begins one whose part 0 follows `head`. To be ended in any case. */
void gs_ordered_digest_begin(struct gs_ordered_digest *o, const void *head, size_t n);

/* Were parts 0 .. part - 1 added? Adding this one then waits for nobody. */
bool gs_ordered_digest_is_turn(struct gs_ordered_digest *o, size_t part);

/*
 * Waits until parts 0 .. part - 1 were added and adds this one; false where the digest was stopped meanwhile.
 * Parts must be begun in their order, else threads wait for what nobody reads.
 */
bool gs_ordered_digest_add(struct gs_ordered_digest *o, size_t part, const void *bytes, size_t n);

/* Some part will not come: nobody waits any longer. */
void gs_ordered_digest_stop(struct gs_ordered_digest *o);

/* The digest of head and parts; returns how many bytes they were. */
uint64_t gs_ordered_digest_end(struct gs_ordered_digest *o, char hex[GS_SHA256_HEX]);
