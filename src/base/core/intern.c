/* intern.c - open addressing over seeded hashes; the text is compared only where 32 hash bits agree. */
#include "base/core/intern.h"

#include <string.h>

#include "base/num/int128.h"
#include "base/num/whole.h"
#include "base/num/order.h"

struct gs_intern_slot {
    uint32_t tag;         /* upper hash bits: place and check */
    uint32_t id_plus_one; /* 0 for an empty slot              */
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    const gs_u128 m = (gs_u128)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/*
 * Hashes are seeded by the process. They order nothing that is printed and enter no file; gs_shard_of
 * is the hash that does.
 */
uint64_t gs_hash(const char *bytes, size_t len, uint64_t seed)
{
    static const uint64_t k0 = 0x9e3779b97f4a7c15u, k1 = 0xc2b2ae3d27d4eb4fu;
    uint64_t h = seed ^ mix(len + k0, k1);
    size_t i = 0;
    for (; i + 16 <= len; i += 16)
        h = mix(gs_load64(bytes + i) ^ h ^ k0, gs_load64(bytes + i + 8) ^ k1 ^ seed);
    uint64_t a = 0, b = 0;
    const size_t rest = len - i;
    if (rest >= 8) {
        a = gs_load64(bytes + i);
        b = gs_load64(bytes + len - 8);
    } else if (rest > 0 && len >= 8) {
        a = gs_load64(bytes + len - 8);
    } else if (rest > 0) {
        memcpy(&a, bytes + i, rest);
    }
    return mix(mix(a ^ h ^ k1, b ^ k0 ^ seed), k0);
}

/*
 * Slots move by their tags: no text is read again. The old table stays in the arena as garbage.
 * Tables double, so all old ones together are smaller than the newest.
 */
static int grow_table(struct gs_intern *in)
{
    const uint32_t n_slots = in->n_slots > 0 ? in->n_slots * 2 : 64;
    if (n_slots == 0)
        return -1;
    struct gs_intern_slot *const slot = gs_arena_take(in->arena, n_slots, sizeof *slot);
    if (slot == NULL)
        return -1;
    for (uint32_t k = 0; k < in->n_slots; k++) {
        if (in->slot[k].id_plus_one == 0)
            continue;
        uint32_t i = in->slot[k].tag & (n_slots - 1);
        while (slot[i].id_plus_one != 0)
            i = (i + 1) & (n_slots - 1);
        slot[i] = in->slot[k];
    }
    in->slot = slot;
    in->n_slots = n_slots;
    return 0;
}

/*
 * The slot that holds `text`, or the empty one where it belongs. Ends because reserve() keeps
 * empty slots. The caller must have a table of at least one slot. The length is compared before
 * memcmp, so a tag that agrees by chance costs no read beyond a text's end.
 */
static struct gs_intern_slot *find_slot(const struct gs_intern *in, struct gs_str text,
                                        uint64_t hash)
{
    const uint32_t mask = in->n_slots - 1;
    for (uint32_t i = (uint32_t)(hash >> 32) & mask;; i = (i + 1) & mask) {
        struct gs_intern_slot *const s = &in->slot[i];
        if (s->id_plus_one == 0)
            return s;
        const struct gs_str t = in->text[s->id_plus_one - 1];
        if (s->tag == (uint32_t)(hash >> 32) && t.len == text.len &&
            (text.len == 0 || memcmp(t.ptr, text.ptr, text.len) == 0))
            return s;
    }
}

/* Makes room for one more text and slot. */
static bool reserve(struct gs_intern *in)
{
    /*
     * Identifiers are stored plus one, and GS_INTERN_NONE is the largest value: neither may be
     * given to a text.
     */
    if (in->n == UINT32_MAX - 1)
        return false;
    /* Nine slots in sixteen are taken at most: a little above a half, for counts just above a power of two. */
    if ((uint64_t)in->n * 16 >= (uint64_t)in->n_slots * 9 && grow_table(in) != 0)
        return false;
    if (in->n < in->text_capacity)
        return true;
    uint32_t capacity;
    if (in->n < 64)
        capacity = 64;
    else if (in->n > UINT32_MAX / 2)
        capacity = UINT32_MAX;
    else
        capacity = in->n * 2;
    struct gs_str *const t = gs_arena_grow(in->arena, in->text, in->n, capacity, sizeof *t);
    if (t == NULL)
        return false;
    in->text = t;
    in->text_capacity = capacity;
    return true;
}

uint32_t gs_intern_add(struct gs_intern *in, struct gs_str text)
{
    if (!reserve(in))
        return GS_INTERN_NONE;
    const uint64_t hash = gs_hash(text.ptr, text.len, in->seed);
    struct gs_intern_slot *const s = find_slot(in, text, hash);
    if (s->id_plus_one != 0)
        return s->id_plus_one - 1;
    /*
     * The slot is filled only after the copy succeeded. A failed add leaves the table as it
     * was.
     */
    char *const copy = gs_arena_copy(in->arena, text.ptr, text.len);
    if (copy == NULL)
        return GS_INTERN_NONE;
    in->text[in->n] = (struct gs_str){copy, text.len};
    *s = (struct gs_intern_slot){(uint32_t)(hash >> 32), in->n + 1};
    return in->n++;
}

uint32_t gs_intern_add_buf(struct gs_intern *in, const struct gs_buf *b)
{
    if (b->failed)
        return GS_INTERN_NONE;
    return gs_intern_add(in, gs_buf_str(b));
}

void gs_intern_prefetch(const struct gs_intern *in, uint64_t hash, unsigned step)
{
    if (in->n_slots == 0)
        return;
    const struct gs_intern_slot *const s = &in->slot[(uint32_t)(hash >> 32) & (in->n_slots - 1)];
    if (step == 0)
        __builtin_prefetch(s);
    else if (s->id_plus_one == 0 || s->tag != (uint32_t)(hash >> 32))
        return;
    else if (step == 1)
        __builtin_prefetch(&in->text[s->id_plus_one - 1]);
    else
        __builtin_prefetch(in->text[s->id_plus_one - 1].ptr);
}

/*
 * Both tables must have the same seed, because the tags of `from` are used without hashing
 * again. The texts are shared, not copied: the arena of `from` must live as long as `in`. New
 * identifiers follow the slots of `from`, not its order of arrival, so nothing that is printed
 * may depend on them.
 */
bool gs_intern_unite(struct gs_intern *in, const struct gs_intern *from, uint32_t *map)
{
    enum { AHEAD = 16 };
    for (uint32_t k = 0; k < from->n_slots; k++) {
        if (k + AHEAD < from->n_slots && from->slot[k + AHEAD].id_plus_one != 0 && in->n_slots > 0)
            __builtin_prefetch(&in->slot[from->slot[k + AHEAD].tag & (in->n_slots - 1)]);
        const struct gs_intern_slot old = from->slot[k];
        if (old.id_plus_one == 0)
            continue;
        if (!reserve(in))
            return false;
        const struct gs_str text = from->text[old.id_plus_one - 1];
        struct gs_intern_slot *const s = find_slot(in, text, (uint64_t)old.tag << 32);
        if (s->id_plus_one == 0) {
            in->text[in->n] = text;
            *s = (struct gs_intern_slot){old.tag, ++in->n};
        }
        map[old.id_plus_one - 1] = s->id_plus_one - 1;
    }
    return true;
}

uint32_t gs_intern_find(const struct gs_intern *in, struct gs_str text)
{
    if (in->n_slots == 0)
        return GS_INTERN_NONE;
    const struct gs_intern_slot *const s =
        find_slot(in, text, gs_hash(text.ptr, text.len, in->seed));
    return s->id_plus_one - 1; /* of an empty slot GS_INTERN_NONE */
}

struct ranked {
    struct gs_str text;
    uint32_t id;
};

GS_COMPARES(compare_ranked, struct ranked, GS_BY_TEXT(text));

/*
 * Texts are distinct, so qsort needs no stability and the order is the same in every run. The
 * sort array is the largest of the three and is given back at once instead of staying in the
 * arena.
 */
int gs_intern_rank(const struct gs_intern *in, struct gs_arena *arena, uint32_t **rank,
                   uint32_t **by_rank)
{
    uint32_t *const r = gs_arena_take_raw(arena, in->n, sizeof *r);
    uint32_t *const inverse = gs_arena_take_raw(arena, in->n, sizeof *inverse);
    const size_t n_bytes = (in->n + (size_t)1) * sizeof(struct ranked);
    struct ranked *const order = gs_memory_reserve(n_bytes);
    if (r == NULL || inverse == NULL || order == NULL) {
        gs_memory_give(order, n_bytes);
        return -1;
    }
    for (uint32_t i = 0; i < in->n; i++)
        order[i] = (struct ranked){in->text[i], i};
    GS_SORT(order, in->n, compare_ranked);
    for (uint32_t i = 0; i < in->n; i++) {
        r[order[i].id] = i;
        inverse[i] = order[i].id;
    }
    gs_memory_give(order, n_bytes);
    if (rank != NULL)
        *rank = r;
    if (by_rank != NULL)
        *by_rank = inverse;
    return 0;
}
