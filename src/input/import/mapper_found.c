/* mapper_found.c - counts what a source contains: hosts, GPUs, rows, medians. */
#include "input/import/mapper_parts.h"

#include <string.h>

#include "base/num/whole.h"

/* A NUL parts the names: the readers of text refuse it in a file. */
uint32_t gs_mapper_number_gpu(struct gs_mapper *m, struct gs_intern *in, struct gs_str host,
                              struct gs_str gpu)
{
    m->gpu_key.len = 0;
    gs_buf_add(&m->gpu_key, host);
    gs_buf_char(&m->gpu_key, '\0');
    gs_buf_add(&m->gpu_key, gpu);
    return gs_intern_add_buf(in, &m->gpu_key);
}

/* Is this what gs_mapper_number_gpu makes of the two? */
static bool is_key_of(struct gs_str key, struct gs_str host, struct gs_str gpu)
{
    return key.len == host.len + 1 + gpu.len &&
           (host.len == 0 || memcmp(key.ptr, host.ptr, host.len) == 0) &&
           (gpu.len == 0 || memcmp(key.ptr + host.len + 1, gpu.ptr, gpu.len) == 0);
}

/* Most often it is the place that was asked for last. */
struct known_place *gs_mapper_place(struct gs_mapper *m, struct gs_str host, struct gs_str gpu)
{
    const uint32_t n = m->place_name.n;
    uint32_t *const last = &m->last_place;
    if (*last >= n || !is_key_of(m->place_name.text[*last], host, gpu))
        *last = gs_mapper_number_gpu(m, &m->place_name, host, gpu);
    if (*last == n) {
        if (!GS_HAS_ROOM(m->arena, m->place, n))
            return NULL;
        m->place[n] = (struct known_place){.found = false};
    }
    return *last == GS_INTERN_NONE ? NULL : &m->place[*last];
}

static enum gs_status found_add(struct gs_mapper *m, struct gs_str host, struct gs_str gpu,
                                struct gs_err *err)
{
    struct known_place *const p = gs_mapper_place(m, host, gpu);
    GS_TRY(gs_had_memory(p != NULL, err));
    if (p->found)
        return GS_OK;
    p->found =
        (host.ptr == NULL || gs_intern_add(&m->found->host, host) != GS_INTERN_NONE) &&
        (gpu.ptr == NULL || gs_mapper_number_gpu(m, &m->found->gpu, host, gpu) != GS_INTERN_NONE);
    return gs_had_memory(p->found, err);
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

void gs_mapped_sum(const struct gs_mapped_source *m, struct gs_source *to)
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
    to->found = f;
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
    if (row->stop_ns == GS_MISSING || row->runs) /* another row may say when it ended */
        return GS_OK;
    if (m->source->start.kind == GS_VALUE_NONE)
        near_ns = row->stop_ns % GS_NS_PER_S == 0 ? GS_NS_PER_S : GS_NS_PER_S / 10;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        gs_buf_bytes(&key, (const char *)&parts[i].len, sizeof parts[i].len);
        gs_buf_add(&key, parts[i]);
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
        (near_ns == 0 || row->start_ns < last[1]) && /* not behind it */
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
