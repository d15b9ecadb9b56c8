/* mapper_found.c - counts what a source contains: hosts, GPUs, rows, medians. */
#include "input/import/mapper_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/num/int128.h"
#include "base/num/order.h"
#include "base/num/whole.h"

/* A NUL parts the names: the readers of text refuse it in a file. */
uint32_t gs_mapper_number_gpu(struct gs_mapper *m, struct gs_intern *in, struct gs_str host,
                              struct gs_str gpu)
{
    m->gpu_key.len = 0;
    gs_buf_bytes(&m->gpu_key, host.ptr, host.len);
    gs_buf_char(&m->gpu_key, '\0');
    gs_buf_bytes(&m->gpu_key, gpu.ptr, gpu.len);
    return gs_intern_add_buf(in, &m->gpu_key);
}

static unsigned last_letters(struct gs_str t)
{
    unsigned sum = 0;
    for (size_t n = 1; n <= 3 && n <= t.len; n++)
        sum = sum * 5 + (unsigned char)t.ptr[t.len - n];
    return sum;
}

/* Another place of these letters takes its room; one of long names is known for this record alone. */
struct known_place *gs_mapper_place(struct gs_mapper *m, struct gs_str host, struct gs_str gpu)
{
    const unsigned slot = (last_letters(host) * 3 + last_letters(gpu)) % N_KNOWN_PLACES;
    struct known_place *p = &m->place[slot];
    if (gs_str_eq(p->host, host) && gs_str_eq(p->gpu, gpu))
        return p;
    const bool fits = host.len + gpu.len <= sizeof p->text;
    if (!fits) {
        p = &m->place[N_KNOWN_PLACES];
        *p = (struct known_place){.found = false}; /* its names are asked for by nobody */
        return p;
    }
    p->judged = p->no_gpu = p->found = false;
    p->host = host.ptr == NULL ? host : (struct gs_str){p->text, host.len};
    p->gpu = gpu.ptr == NULL ? gpu : (struct gs_str){p->text + host.len, gpu.len};
    if (host.len > 0)
        memcpy(p->text, host.ptr, host.len);
    if (gpu.len > 0)
        memcpy(p->text + host.len, gpu.ptr, gpu.len);
    return p;
}

static enum gs_status found_add(struct gs_mapper *m, struct gs_str host, struct gs_str gpu,
                                struct gs_err *err)
{
    struct known_place *const p = gs_mapper_place(m, host, gpu);
    if (p->found)
        return GS_OK;
    p->found =
        (host.ptr == NULL || gs_intern_add(&m->found->host, host) != GS_INTERN_NONE) &&
        (gpu.ptr == NULL || gs_mapper_number_gpu(m, &m->found->gpu, host, gpu) != GS_INTERN_NONE);
    return gs_had_memory(p->found, err);
}

/*
 * Sensors repeat few different values, so counting them takes far less memory than keeping
 * readings.
 */
static enum gs_status value_count(struct gs_value_counts *c, int64_t value, struct gs_err *err)
{
    const uint32_t id =
        gs_intern_add(&c->value, (struct gs_str){(const char *)&value, sizeof value});
    GS_TRY(gs_had_memory(id != GS_INTERN_NONE, err));
    if (id >= c->capacity) {
        const uint32_t room = gs_max(c->capacity * 2, 64);
        uint64_t *const grown =
            gs_arena_grow(c->value.arena, c->n, c->capacity, room, sizeof *grown);
        GS_TRY(gs_had_memory(grown != NULL, err));
        memset(grown + c->capacity, 0, (room - c->capacity) * sizeof *grown);
        c->n = grown;
        c->capacity = room;
    }
    c->n[id]++;
    return GS_OK;
}

/* Sums up the rows of each host's GPUs; a single series without either name is like no other. */
static enum gs_status series_count(struct gs_mapper *m, const struct gs_mapped_sample *row,
                                   size_t n_metrics, struct gs_err *err)
{
    struct gs_mapped_found *const f = m->found;
    if (row->host.len + row->gpu.len == 0)
        return GS_OK;
    const uint32_t id = gs_mapper_number_gpu(m, &f->series, row->host, row->gpu);
    GS_TRY(gs_had_memory(id != GS_INTERN_NONE, err));
    if (id >= f->print_capacity) {
        const uint32_t room = gs_max(id, 16) * 2;
        struct gs_series_print *const grown =
            gs_arena_grow(f->series.arena, f->print, f->print_capacity, room, sizeof *grown);
        GS_TRY(gs_had_memory(grown != NULL, err));
        memset(grown + f->print_capacity, 0, (room - f->print_capacity) * sizeof *grown);
        f->print = grown;
        f->print_capacity = room;
    }
    gs_series_add(&f->print[id], row->t_ns, row->value, n_metrics);
    return GS_OK;
}

bool gs_mapped_source_init(struct gs_mapped_source *m, const struct gs_source *source,
                           uint64_t seed, struct gs_arena *arena)
{
    *m = (struct gs_mapped_source){
        .source = source,
        .found = {.host = {.arena = arena, .seed = seed}, .gpu = {.arena = arena, .seed = seed}},
        .file = gs_arena_take(arena, source->path.n, sizeof *m->file)};
    return m->file != NULL;
}

bool gs_mapped_count(struct gs_mapped_source *m, struct gs_arena *arena, uint64_t seed)
{
    const size_t n = m->source->metrics.n;
    struct gs_mapped_found *const found = &m->found;
    found->counts = gs_arena_take(arena, n, sizeof *found->counts);
    for (size_t k = 0; found->counts != NULL && k < n; k++)
        found->counts[k].value = (struct gs_intern){.arena = arena, .seed = seed};
    found->series = (struct gs_intern){.arena = arena, .seed = seed};
    return found->counts != NULL;
}

struct counted {
    int64_t value;
    uint64_t n;
};

static int by_value(const void *a, const void *b)
{
    const struct counted *const x = a, *const y = b;
    return gs_cmp(x->value, y->value);
}

/* The k-th value in order, from 0. */
static int64_t kth(const struct counted *c, uint64_t k)
{
    while (k >= c->n)
        k -= c++->n;
    return c->value;
}

/* 128 bits for the difference: two readings may lie further apart than 64 bits hold. */
static enum gs_status median_of(const struct gs_value_counts *c, int64_t *median,
                                struct gs_err *err)
{
    uint64_t n = 0;
    *median = GS_MISSING;
    if (c->value.n == 0)
        return GS_OK;
    GS_OWN struct gs_arena scratch = {0};
    struct counted *const list = gs_arena_take(&scratch, c->value.n, sizeof *list);
    GS_TRY(gs_had_memory(list != NULL, err));
    for (uint32_t i = 0; i < c->value.n; i++) {
        memcpy(&list[i].value, c->value.text[i].ptr, sizeof list[i].value);
        list[i].n = c->n[i];
        n += c->n[i];
    }
    qsort(list, c->value.n, sizeof *list, by_value);
    const int64_t low = kth(list, (n - 1) / 2), high = kth(list, n / 2);
    *median = (int64_t)(low + ((gs_i128)high - low) / 2);
    return GS_OK;
}

enum gs_status gs_mapped_sum(const struct gs_mapped_source *m, struct gs_source *to,
                             struct gs_arena *arena, struct gs_err *err)
{
    struct gs_map_found f = {.known = true,
                             .n_hosts = m->found.host.n,
                             .n_gpus = m->found.gpu.n,
                             .from_ns = GS_MISSING,
                             .to_ns = GS_MISSING};
    for (size_t i = 0; i < to->path.n; i++) {
        const struct gs_mapped_file *const file = &m->file[i];
        f.n_set_aside += file->n_set_aside;
        f.n_ignored += file->n_ignored;
        f.n_rows += file->n_rows - file->n_set_aside - file->n_ignored;
        f.zoneless |= file->zoneless;
        gs_time_widen(&f.from_ns, &f.to_ns, file->from_ns);
        gs_time_widen(&f.from_ns, &f.to_ns, file->to_ns);
    }
    if (m->found.counts != NULL) {
        f.median = gs_arena_take(arena, to->metrics.n, sizeof *f.median);
        GS_TRY(gs_had_memory(f.median != NULL, err));
        for (size_t k = 0; k < to->metrics.n; k++)
            GS_TRY(median_of(&m->found.counts[k], &f.median[k], err));
    }
    to->found = f;
    return GS_OK;
}

/*
 * All samples of the mapper pass here, so what `gpustat map` reports and what is loaded cannot
 * differ. Without a sink rows are only counted.
 */
enum gs_status gs_mapper_give_sample(struct gs_mapper *m, struct gs_mapped_sample *row,
                                     struct gs_err *err)
{
    gs_time_widen(&m->file->from_ns, &m->file->to_ns, row->t_ns);
    m->file->n_without_host += row->host.ptr == NULL;
    m->file->n_without_gpu += row->gpu.ptr == NULL;
    if (!row->same_names)
        GS_TRY(found_add(m, row->host, row->gpu, err));
    for (size_t k = 0; m->found->counts != NULL && k < m->source->metrics.n; k++)
        if (row->value[k] != GS_MISSING)
            GS_TRY(value_count(&m->found->counts[k], row->value[k], err));
    if (m->found->counts != NULL)
        GS_TRY(series_count(m, row, m->source->metrics.n, err));
    if (m->sink->sample != NULL)
        GS_TRY(m->sink->sample(m->sink->context, row, err));
    return GS_OK;
}

/*
 * Rows that a tool writes again and again of one span, each longer, would count it many times: of one event, job and place, where
 * the row before started at the same time (or nearly, where the start is only the stop less a duration).
 */
static enum gs_status count_start(struct gs_mapper *m, const struct gs_mapped_event *row,
                                  struct gs_err *err)
{
    struct gs_buf key = {.arena = &m->scratch};
    const struct gs_str host = row->n_hosts > 0 ? row->host[0] : GS_NO_STR;
    const struct gs_str parts[] = {row->event, row->job, host, row->task,
                                   row->n_gpus > 0 ? row->gpu[0] : GS_NO_STR};
    uint64_t near_ns = 0;
    if (row->stop_ns == GS_MISSING)
        return GS_OK;
    if (m->source->start.kind == GS_VALUE_NONE)
        near_ns = GS_NS_PER_S;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        gs_buf_bytes(&key, (const char *)&parts[i].len, sizeof parts[i].len);
        gs_buf_bytes(&key, parts[i].ptr, parts[i].len);
    }
    const uint32_t n = m->starts.n;
    const uint32_t id = gs_intern_add_buf(&m->starts, &key);
    GS_TRY(gs_had_memory(id != GS_INTERN_NONE, err));
    if (id == n) {
        int64_t *const grown = gs_arena_one_more(m->arena, m->start_stop, n, 2 * sizeof *grown);
        GS_TRY(gs_had_memory(grown != NULL, err));
        m->start_stop = grown;
    }
    int64_t *const last = m->start_stop + 2 * (size_t)id;
    if (id < n && gs_distance(last[0], row->start_ns) <= near_ns &&
        !(last[1] == row->stop_ns && (near_ns == 0 || last[0] == row->start_ns)))
        m->file->n_same_start++;
    last[0] = row->start_ns;
    last[1] = row->stop_ns;
    return GS_OK;
}

enum gs_status gs_mapper_give_event(struct gs_mapper *m, struct gs_mapped_event *row,
                                    struct gs_err *err)
{
    gs_time_widen(&m->file->from_ns, &m->file->to_ns, row->start_ns);
    gs_time_widen(&m->file->from_ns, &m->file->to_ns, row->stop_ns);
    m->file->n_without_host += row->n_hosts == 0;
    m->file->n_without_gpu += row->n_gpus == 0;
    GS_TRY(count_start(m, row, err));
    for (size_t i = 0; i < row->n_hosts; i++)
        GS_TRY(found_add(m, row->host[i], GS_NO_STR, err));
    for (size_t i = 0; i < row->n_gpus; i++)
        GS_TRY(found_add(m, row->n_hosts > 0 ? row->host[0] : GS_NO_STR, row->gpu[i], err));
    if (m->sink->event != NULL)
        GS_TRY(m->sink->event(m->sink->context, row, err));
    return GS_OK;
}
