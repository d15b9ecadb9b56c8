/* ordered_digest.c - chunks wait for their turn: a digest has an order, threads have none. */
#include "input/bytes/ordered_digest.h"

void gs_ordered_digest_begin(struct gs_ordered_digest *o, const void *head, size_t n)
{
    *o = (struct gs_ordered_digest){.next = 0};
    (void)pthread_mutex_init(&o->lock, NULL);
    (void)pthread_cond_init(&o->turn, NULL);
    gs_sha256_begin(&o->digest);
    gs_sha256_add(&o->digest, head, n);
}

/* True stays true until this part is added, since only its own thread adds it. */
bool gs_ordered_digest_is_turn(struct gs_ordered_digest *o, size_t part)
{
    (void)pthread_mutex_lock(&o->lock);
    const bool is_turn = o->next == part;
    (void)pthread_mutex_unlock(&o->lock);
    return is_turn;
}

/*
 * Cannot deadlock: parts are handed out in order, so the part whose turn it is is always in some
 * thread's hands. Hashing happens without the lock, as only one part has its turn.
 */
bool gs_ordered_digest_add(struct gs_ordered_digest *o, size_t part, const void *bytes, size_t n)
{
    (void)pthread_mutex_lock(&o->lock);
    while (o->next != part && !o->stopped)
        (void)pthread_cond_wait(&o->turn, &o->lock);
    const bool go_on = !o->stopped;
    (void)pthread_mutex_unlock(&o->lock);
    if (!go_on)
        return false;
    gs_sha256_add(&o->digest, bytes, n); /* nobody else's turn: no lock */
    (void)pthread_mutex_lock(&o->lock);
    o->next++;
    (void)pthread_cond_broadcast(&o->turn);
    (void)pthread_mutex_unlock(&o->lock);
    return true;
}

void gs_ordered_digest_stop(struct gs_ordered_digest *o)
{
    (void)pthread_mutex_lock(&o->lock);
    o->stopped = true;
    (void)pthread_cond_broadcast(&o->turn);
    (void)pthread_mutex_unlock(&o->lock);
}

uint64_t gs_ordered_digest_end(struct gs_ordered_digest *o, char hex[GS_SHA256_HEX])
{
    const uint64_t n = o->digest.n_bytes;
    gs_sha256_end(&o->digest, hex);
    (void)pthread_cond_destroy(&o->turn);
    (void)pthread_mutex_destroy(&o->lock);
    return n;
}
