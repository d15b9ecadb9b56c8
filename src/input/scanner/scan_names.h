/* scan_names.h - names of a row and their numbers: those seen lately are compared, not hashed; part of scan.c. */
#pragma once

#include "input/scanner/scan.h"
#include "input/scanner/byte_words.h"

/*
 * A name as libcsv would give it: a tab that parts fields is in none. Blanks inside quotes belong
 * to the name; around a bare field they do not, as in libcsv.
 */
GS_INLINE struct gs_str name_at(const char *row, const struct gs_layout *l, size_t i)
{
    struct gs_str v = {row + l->at[i], l->len[i]};
    if (l->bare[i]) {
        while (v.len > 0 && (v.ptr[0] == ' ' || v.ptr[0] == '\t'))
            v.ptr++, v.len--;
        while (v.len > 0 && (v.ptr[v.len - 1] == ' ' || v.ptr[v.len - 1] == '\t'))
            v.len--;
    }
    return v;
}

/* Have all names that must not be empty a byte? */
GS_INLINE bool names_exist(const struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    bool stand = true;
    for (size_t k = 0; k < s->n_needed; k++) {
        const size_t i = s->needed[k];
        stand = stand && l->len[i] > 0 && (!l->bare[i] || name_at(row, l, i).len > 0);
    }
    return stand;
}

/*
 * A place for a text among `n` recent ones, from its ends: where names differ. Readable 8 beyond
 * the text. Host names and serials differ in their last bytes and often share their first. A
 * collision costs a look-up in the pool and is never wrong, since the text is compared.
 */
GS_INLINE size_t recent_slot(struct gs_str v, size_t n)
{
    const uint64_t k = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t h;
    if (v.len >= 8)
        h = gs_load64(v.ptr) * k ^ gs_load64(v.ptr + v.len - 8);
    else
        h = v.len == 0 ? 0 : gs_load64(v.ptr) << (64 - 8 * v.len);
    h = (h ^ h >> 29 ^ v.len) * k;
    return (size_t)(h >> 40) & (n - 1);
}

GS_INLINE bool same_text(struct gs_str a, struct gs_str b)
{
    return a.len == b.len && a.ptr != NULL && same_bytes(a.ptr, b.ptr, a.len);
}

/*
 * The recent names point into the pool's own copy, not into the row: the row's buffer is filled
 * again.
 */
GS_INLINE uint32_t scan_name_number(struct gs_scanner *s, unsigned pool, struct gs_str v)
{
    struct gs_recent_name *const last = &s->last[pool];
    if (same_text(last->text, v))
        return last->id;
    struct gs_recent_name *const recent = &s->name[pool][recent_slot(v, GS_RECENT_NAMES)];
    if (same_text(recent->text, v)) {
        *last = *recent;
        return recent->id;
    }
    struct gs_intern *const in = &s->reader->pool[pool];
    const uint32_t id = gs_intern_add(in, v);
    if (id != GS_INTERN_NONE)
        *last = *recent = (struct gs_recent_name){in->text[id], id, 0};
    return id;
}

/*
 * The GPU that the names of a row stand for. A word for "no value" leaves its part of the key
 * unset, so a GPU is the same one whether a file writes "N/A" for its serial or has no such
 * column. The host keeps such a word: there it is a name like any other.
 */
static uint32_t gpu_of_names(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    struct gs_gpu_key key = s->reader->key;
    if (s->n_key == 0 && s->only_gpu != GS_INTERN_NONE)
        return s->only_gpu;
    for (size_t k = 0; k < s->n_key; k++) {
        const struct gs_bound *const b = &s->binding->bound[s->key[k]];
        const struct gs_str name = name_at(row, l, s->key[k]);
        const uint32_t id =
            name.len == 0 && !b->may_be_empty ? GS_INTERN_NONE : scan_name_number(s, b->pool, name);
        if (id == GS_INTERN_NONE)
            return GS_INTERN_NONE;
        if (b->pool == GS_POOL_HOST || gs_is_gpu_name(name))
            *gs_gpu_key_part(&key, b->pool) = id;
    }
    const uint32_t gpu = gs_reader_gpu(s->reader, key);
    if (s->n_key == 0)
        s->only_gpu = gpu;
    return gpu;
}

/*
 * Where a span seen lately is, of the two places that are for it; GS_RECENT_SPANS: in neither.
 * Two slots per hash let two GPUs with the same hash alternate without evicting each other.
 * `ends` is part of the identity: the same bytes between quotes and without them can be different
 * names.
 */
GS_INLINE size_t find_span_slot(const struct gs_scanner *s, struct gs_str v, uint32_t ends,
                                size_t slot)
{
    if (s->span[slot].ends == ends && same_text(s->span[slot].text, v))
        return slot;
    return s->span[slot ^ 1].ends == ends && same_text(s->span[slot ^ 1].text, v) ? slot ^ 1
                                                                                  : GS_RECENT_SPANS;
}

/* Its number; GS_INTERN_NONE: it was not. */
GS_INLINE uint32_t find_span(const struct gs_scanner *s, struct gs_str v, uint32_t ends)
{
    const size_t slot = find_span_slot(s, v, ends, recent_slot(v, GS_RECENT_SPANS));
    return slot == GS_RECENT_SPANS ? GS_INTERN_NONE : s->span[slot].id;
}

GS_INLINE uint32_t ends_of_span(const struct gs_scanner *s, const struct gs_layout *l)
{
    return (uint32_t)l->bare[s->span_first] | (uint32_t)l->bare[s->span_last] << 1;
}

enum {
    JOINED_MAX = 400, /* bytes of names in one text                             */
    JOINED_END = 8    /* and of zeros behind them: each name is readable 8 beyond */
};

/* The names of a row in one text, and where that is to be found among those seen lately. */
struct joined_names {
    char text[JOINED_MAX + JOINED_END];
    struct gs_str v;
    size_t slot;
};

/*
 * The names of a row in one text that no other names make, in whatever file: the host of the file, then what each
 * is, whether it is quoted, and its bytes as they stand. False where it is too long.
 * The lengths in the text make it unambiguous: "a" and "bc" differ from "ab" and "c". The copies
 * of 8 bytes write up to 7 behind a name, which the next name or JOINED_END overwrites.
 */
static bool join_names(const struct gs_scanner *s, const char *row, const struct gs_key_place *key,
                       struct joined_names *j)
{
    size_t n = sizeof s->reader->key.host;
    memcpy(j->text, &s->reader->key.host, n);
    for (size_t k = 0; k < s->n_key; k++) {
        const size_t len = key[k].len;
        if (n + len + 2 > JOINED_MAX)
            return false;
        j->text[n++] = (char)(2 * s->binding->bound[s->key[k]].pool + key[k].bare);
        j->text[n++] = (char)key[k].len;
        for (size_t at = 0; at < len; at += 8)
            memcpy(j->text + n + at, row + key[k].at + at, 8); /* both are readable 8 beyond */
        n += len;
    }
    memset(j->text + n, 0, JOINED_END);
    j->v = (struct gs_str){j->text, n + JOINED_END};
    j->slot = gs_hash(j->text, n, s->reader->pool[GS_POOL_SPAN].seed) &
              (GS_RECENT_SPANS - 1); /* ends may be alike */
    return true;
}

/*
 * Is that the text that join_names would make of the row's names? Compares without building the
 * text first: in a log whose GPUs take turns this is all that a row needs to find its GPU.
 */
GS_INLINE bool is_joined(const struct gs_scanner *s, const char *row,
                         const struct gs_key_place *key, struct gs_str text)
{
    const char *p = text.ptr;
    if (p == NULL || text.len < sizeof s->reader->key.host ||
        memcmp(p, &s->reader->key.host, sizeof s->reader->key.host) != 0)
        return false;
    p += sizeof s->reader->key.host;
    for (size_t k = 0; k < s->n_key; k++) {
        const size_t len = key[k].len;
        if ((size_t)(text.ptr + text.len - p) < 2 + len + JOINED_END)
            return false;
        if ((p[0] & 1) != key[k].bare || (unsigned char)p[1] != len ||
            !same_bytes(p + 2, row + key[k].at, len))
            return false;
        p += 2 + len;
    }
    return true;
}

/*
 * The GPU of names that were not met lately, by the text that they make; remembered at `slot`.
 * The pool of spans is complete and the recent ones are only its cache: a GPU that was evicted
 * here is found again by one look-up, without its names being parsed anew.
 */
static uint32_t learn_gpu(struct gs_scanner *s, const char *row, const struct gs_layout *l,
                          struct gs_str v, uint32_t ends, size_t slot)
{
    struct gs_reader *const g = s->reader;
    struct gs_intern *const spans = &g->pool[GS_POOL_SPAN];
    const uint32_t span = gs_intern_add(spans, v);
    if (span == GS_INTERN_NONE)
        return GS_INTERN_NONE;
    uint32_t gpu = span < g->n_span_gpus ? g->span_gpu[span] : GS_INTERN_NONE;
    if (gpu == GS_INTERN_NONE) {
        gpu = gpu_of_names(s, row, l);
        if (gpu == GS_INTERN_NONE || !gs_reader_span(g, span, gpu))
            return GS_INTERN_NONE;
    }
    s->span[slot ^ 1] = s->span[slot];
    s->span[slot] = (struct gs_recent_name){spans->text[span], gpu, ends};
    return gpu;
}

/* The GPU of a row came after that of the row before, and will be expected there. */
GS_INLINE void expect_span(struct gs_scanner *s, size_t slot)
{
    s->span_after[s->span_now] = (uint16_t)slot;
    s->span_now = (uint16_t)slot;
}

/*
 * The GPU that came next the last time, if it is the row's; else GS_INTERN_NONE. Loggers write
 * the GPUs of a host in a fixed order, so the successor of the last row's GPU is right nearly
 * always. A wrong guess costs one comparison.
 */
GS_INLINE uint32_t gpu_in_turn(struct gs_scanner *s, const char *row,
                               const struct gs_key_place *key)
{
    const size_t expected = s->span_after[s->span_now];
    if (!is_joined(s, row, key, s->span[expected].text))
        return GS_INTERN_NONE;
    s->span_now = (uint16_t)expected;
    return s->span[expected].id;
}

/* The GPU of a row whose names are not the study's, if it was met lately; GS_INTERN_NONE: it was not. */
static uint32_t gpu_met(struct gs_scanner *s, const char *row, const struct gs_key_place *key)
{
    struct joined_names j;
    if (!join_names(s, row, key, &j))
        return GS_INTERN_NONE;
    const size_t slot = find_span_slot(s, j.v, 0, j.slot);
    if (slot == GS_RECENT_SPANS)
        return GS_INTERN_NONE;
    expect_span(s, slot);
    return s->span[slot].id;
}

/* The GPU of a row whose names are not the study's: that which came next the last time, else by all names in one text. */
GS_INLINE uint32_t gpu_of_joined(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    struct joined_names j;
    uint32_t gpu = gpu_in_turn(s, row, l->key);
    if (gpu == GS_INTERN_NONE)
        gpu = gpu_met(s, row, l->key);
    if (gpu != GS_INTERN_NONE)
        return gpu;
    if (!join_names(s, row, l->key, &j))
        return gpu_of_names(s, row, l);
    gpu = learn_gpu(s, row, l, j.v, 0, j.slot);
    expect_span(s, j.slot);
    return gpu;
}

/* The GPU that a row names, through the raw text of its names: as it stands where they are the study's, else joined. */
GS_INLINE uint32_t gpu_at(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    if (s->n_key == 0)
        return gpu_of_names(s, row, l);
    if (!s->spans)
        return gpu_of_joined(s, row, l);
    const struct gs_str v = {row + l->at[s->span_first], l->at[s->span_last] +
                                                             (size_t)l->len[s->span_last] -
                                                             l->at[s->span_first]};
    const uint32_t ends = ends_of_span(s, l), gpu = find_span(s, v, ends);
    return gpu != GS_INTERN_NONE ? gpu
                                 : learn_gpu(s, row, l, v, ends, recent_slot(v, GS_RECENT_SPANS));
}

/* Where rows are dropped: what is known of the owner, who has one here. False without memory. */
GS_INLINE bool sees(struct gs_scanner *s, enum gs_table_kind kind, uint32_t owner,
                    const struct gs_seen **seen)
{
    *seen = s->reader->drops ? gs_reader_count(s->reader, kind, owner) : NULL;
    return *seen != NULL || !s->reader->drops;
}
