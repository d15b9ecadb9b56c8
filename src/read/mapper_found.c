/* mapper_found.c - what a source came to: hosts, GPUs, rows, medians. */
#include "read/mapper_parts.h"

#include <stdlib.h>
#include <string.h>

enum gs_status gs_found_add(struct gs_mapped_found *f, struct gs_str host, struct gs_str gpu, struct gs_err *err)
{
    char key[600];
    if (host.ptr != NULL && gs_intern_add(&f->host, host) == GS_INTERN_NONE)
        return gs_fail_memory(err);
    if (gpu.ptr == NULL || host.len + gpu.len + 1 > sizeof key)
        return GS_OK;
    memcpy(key, host.ptr == NULL ? "" : host.ptr, host.len);
    key[host.len] = '\0';
    memcpy(key + host.len + 1, gpu.ptr, gpu.len);
    return gs_intern_add(&f->gpu, (struct gs_str){key, host.len + 1 + gpu.len}) == GS_INTERN_NONE ? gs_fail_memory(err) : GS_OK;
}

enum gs_status gs_value_count(struct gs_value_counts *c, int64_t value, struct gs_err *err)
{
    const uint32_t id = gs_intern_add(&c->value, (struct gs_str){(const char *)&value, sizeof value});
    if (id == GS_INTERN_NONE)
        return gs_fail_memory(err);
    if (id >= c->capacity) {
        const uint32_t room = c->capacity == 0 ? 64 : c->capacity * 2;
        uint64_t *const grown = gs_arena_grow(c->value.arena, c->n, c->capacity, room, sizeof *grown);
        if (grown == NULL)
            return gs_fail_memory(err);
        memset(grown + c->capacity, 0, (room - c->capacity) * sizeof *grown);
        c->n = grown;
        c->capacity = room;
    }
    c->n[id]++;
    return GS_OK;
}

bool gs_mapped_count(struct gs_mapped_found *found, size_t n_metrics, struct gs_arena *arena, uint64_t seed)
{
    found->counts = gs_arena_take(arena, n_metrics, sizeof *found->counts);
    for (size_t k = 0; found->counts != NULL && k < n_metrics; k++)
        found->counts[k].value = (struct gs_intern){.arena = arena, .seed = seed};
    return found->counts != NULL;
}

struct counted {
    int64_t value;
    uint64_t n;
};

static int by_value(const void *a, const void *b)
{
    const struct counted *const x = a, *const y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* The k-th value in order, from 0. */
static int64_t kth(const struct counted *c, uint64_t k)
{
    while (k >= c->n)
        k -= c++->n;
    return c->value;
}

static enum gs_status median_of(const struct gs_value_counts *c, int64_t *median, struct gs_err *err)
{
    uint64_t n = 0;
    *median = GS_MISSING;
    if (c->value.n == 0)
        return GS_OK;
    struct gs_arena scratch = {0};
    struct counted *const list = gs_arena_take(&scratch, c->value.n, sizeof *list);
    if (list == NULL)
        return gs_fail_memory(err);
    for (uint32_t i = 0; i < c->value.n; i++) {
        memcpy(&list[i].value, c->value.text[i].ptr, sizeof list[i].value);
        list[i].n = c->n[i];
        n += c->n[i];
    }
    qsort(list, c->value.n, sizeof *list, by_value);
    const int64_t low = kth(list, (n - 1) / 2), high = kth(list, n / 2);
    *median = low + (high - low) / 2;
    gs_arena_release(&scratch);
    return GS_OK;
}

enum gs_status gs_mapped_sum(struct gs_source *source, const struct gs_mapped_found *found,
                             const struct gs_mapped_file *file, size_t n_files, struct gs_arena *arena, struct gs_err *err)
{
    struct gs_map_found f = {.known = true, .n_hosts = found->host.n, .n_gpus = found->gpu.n, .from_ns = GS_MISSING,
                             .to_ns = GS_MISSING};
    for (size_t i = 0; i < n_files; i++) {
        f.n_set_aside += file[i].n_set_aside;
        f.n_ignored += file[i].n_ignored;
        f.n_rows += file[i].n_rows - file[i].n_set_aside - file[i].n_ignored;
        if (file[i].from_ns == GS_MISSING)
            continue;
        f.from_ns = f.from_ns == GS_MISSING || file[i].from_ns < f.from_ns ? file[i].from_ns : f.from_ns;
        f.to_ns = f.to_ns == GS_MISSING || file[i].to_ns > f.to_ns ? file[i].to_ns : f.to_ns;
    }
    enum gs_status s = GS_OK;
    if (found->counts != NULL) {
        f.median = gs_arena_take(arena, source->metrics.n, sizeof *f.median);
        s = f.median == NULL ? gs_fail_memory(err) : GS_OK;
        for (size_t k = 0; s == GS_OK && k < source->metrics.n; k++)
            s = median_of(&found->counts[k], &f.median[k], err);
    }
    if (s == GS_OK)
        source->found = f;
    return s;
}

static void widen(struct gs_mapped_file *f, int64_t t_ns)
{
    f->from_ns = f->from_ns == GS_MISSING || t_ns < f->from_ns ? t_ns : f->from_ns;
    f->to_ns = f->to_ns == GS_MISSING || t_ns > f->to_ns ? t_ns : f->to_ns;
}

enum gs_status gs_mapper_give_sample(struct gs_mapper *m, struct gs_mapped_sample *row, struct gs_err *err)
{
    widen(m->file, row->t_ns);
    m->file->n_without_host += row->host.ptr == NULL;
    m->file->n_without_gpu += row->gpu.ptr == NULL;
    enum gs_status s = gs_found_add(m->found, row->host, row->gpu, err);
    for (size_t k = 0; s == GS_OK && m->found->counts != NULL && k < m->source->metrics.n; k++)
        if (row->value[k] != GS_MISSING)
            s = gs_value_count(&m->found->counts[k], row->value[k], err);
    return s == GS_OK && m->sink->sample != NULL ? m->sink->sample(m->sink->context, row, err) : s;
}

enum gs_status gs_mapper_give_event(struct gs_mapper *m, struct gs_mapped_event *row, struct gs_err *err)
{
    widen(m->file, row->start_ns);
    if (row->stop_ns != GS_MISSING)
        widen(m->file, row->stop_ns);
    m->file->n_without_host += row->n_hosts == 0;
    m->file->n_without_gpu += row->n_gpus == 0;
    enum gs_status s = GS_OK;
    for (size_t i = 0; s == GS_OK && i < row->n_hosts; i++)
        s = gs_found_add(m->found, row->host[i], row->n_gpus > 0 ? row->gpu[0] : (struct gs_str){NULL, 0}, err);
    return s == GS_OK && m->sink->event != NULL ? m->sink->event(m->sink->context, row, err) : s;
}
