/* scan_names.h - names of a row and their numbers: those seen lately are compared, not hashed; part of scan.c. */
#ifndef GPUSTAT_SCAN_NAMES_H
#define GPUSTAT_SCAN_NAMES_H

#include "scan/scan.h"
#include "scan/byte_words.h"

/* A name as libcsv would give it: a tab that parts fields is in none. */
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

/* A place for a text among `n` recent ones, from its ends: where names differ. Readable 8 beyond the text. */
GS_INLINE size_t recent_slot(struct gs_str v, size_t n)
{
    const uint64_t k = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t h;
    if (v.len >= 8)
        h = load64(v.ptr) * k ^ load64(v.ptr + v.len - 8);
    else
        h = v.len == 0 ? 0 : load64(v.ptr) << (64 - 8 * v.len);
    h = (h ^ h >> 29 ^ v.len) * k;
    return (size_t)(h >> 40) & (n - 1);
}

GS_INLINE bool same_text(struct gs_str a, struct gs_str b)
{
    return a.len == b.len && a.ptr != NULL && same_bytes(a.ptr, b.ptr, a.len);
}

GS_INLINE uint32_t number_of(struct gs_scanner *s, unsigned pool, struct gs_str v)
{
    struct gs_recent_name *const last = &s->last[pool];
    if (same_text(last->text, v))
        return last->id;
    struct gs_recent_name *const recent = &s->name[pool][recent_slot(v, GS_RECENT_NAMES)];
    if (same_text(recent->text, v)) {
        *last = *recent;
        return recent->id;
    }
    struct gs_intern *const in = &s->gather->pool[pool];
    const uint32_t id = gs_intern_add(in, v);
    if (id != GS_INTERN_NONE)
        *last = *recent = (struct gs_recent_name){in->text[id], id, 0};
    return id;
}

/* The GPU that the names of a row stand for. */
static uint32_t gpu_of_names(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    struct gs_gpu_key key = s->gather->key;
    if (s->n_key == 0 && s->only_gpu != GS_INTERN_NONE)
        return s->only_gpu;
    for (size_t i = 0; s->n_key > 0 && i < s->binding->n_bound; i++) {
        const struct gs_bound *const b = &s->binding->bound[i];
        if (b->kind != GS_BIND_NAME)
            continue;
        const struct gs_str name = name_at(row, l, i);
        const uint32_t id = name.len == 0 && !b->may_be_empty ? GS_INTERN_NONE : number_of(s, b->pool, name);
        if (id == GS_INTERN_NONE)
            return GS_INTERN_NONE;
        if (b->pool == GS_POOL_HOST || gs_is_gpu_name(name))
            *gs_gpu_key_part(&key, b->pool) = id;
    }
    const uint32_t gpu = gs_gather_gpu(s->gather, key);
    if (s->n_key == 0)
        s->only_gpu = gpu;
    return gpu;
}

/* The number of a span seen lately, which has two places to be; GS_INTERN_NONE: it is in neither. */
GS_INLINE uint32_t find_span(const struct gs_scanner *s, struct gs_str v, uint32_t ends)
{
    const struct gs_recent_name *r = &s->span[recent_slot(v, GS_RECENT_SPANS)];
    if (r->ends == ends && same_text(r->text, v))
        return r->id;
    r = &s->span[recent_slot(v, GS_RECENT_SPANS) ^ 1];
    return r->ends == ends && same_text(r->text, v) ? r->id : GS_INTERN_NONE;
}

GS_INLINE uint32_t ends_of_span(const struct gs_scanner *s, const struct gs_layout *l)
{
    return (uint32_t)l->bare[s->span_first] | (uint32_t)l->bare[s->span_last] << 1;
}

/* The GPU that a row names, through the raw text of its names where they stand side by side. */
GS_INLINE uint32_t gpu_at(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    if (!s->spans)
        return gpu_of_names(s, row, l);
    const size_t from = l->at[s->span_first], to = l->at[s->span_last] + (size_t)l->len[s->span_last];
    const struct gs_str v = {row + from, to - from};
    uint32_t gpu = find_span(s, v, ends_of_span(s, l));
    if (gpu != GS_INTERN_NONE)
        return gpu;
    struct gs_gather *const g = s->gather;
    struct gs_intern *const spans = &g->pool[GS_POOL_SPAN];
    const uint32_t span = gs_intern_add(spans, v);
    if (span == GS_INTERN_NONE)
        return GS_INTERN_NONE;
    gpu = span < g->n_span_gpus ? g->span_gpu[span] : GS_INTERN_NONE;
    if (gpu == GS_INTERN_NONE) {
        gpu = gpu_of_names(s, row, l);
        if (gpu == GS_INTERN_NONE || !gs_gather_span(g, span, gpu))
            return GS_INTERN_NONE;
    }
    const size_t slot = recent_slot(v, GS_RECENT_SPANS);
    s->span[slot ^ 1] = s->span[slot];
    s->span[slot] = (struct gs_recent_name){spans->text[span], gpu, ends_of_span(s, l)};
    return gpu;
}

#endif
