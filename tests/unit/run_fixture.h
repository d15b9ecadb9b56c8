/*
 * run_fixture.h - runs written as text and loaded: by hand, or drawn at random with everything that goes wrong.
 * memfd_create wants _GNU_SOURCE before the first include.
 */
#ifndef GPUSTAT_RUN_FIXTURE_H
#define GPUSTAT_RUN_FIXTURE_H

#include "bind_by_name.h"
#include "fixture.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/aggregate/fold.h"
#include "input/import/load.h"
#include "base/os/output.h"
#include "base/num/timestamp.h"

#define CHECKPOINT_HEADER "timestamp,hostname,eventName,eventType,jobId,taskId\n"
#define SAMPLE_HEADER                                                                              \
    "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n"
#define TASK_HEADER "taskId,jobId,x,y,level\n"

/* A run in memory: one text per table, NULL where it has none. */
struct run_texts {
    const char *text[GS_N_TABLES];
};

struct run_options {
    unsigned n_threads; /* 0: 1 */
    bool places, drop, strict;
    size_t chunk_bytes;
    uint64_t seed;
    struct gs_zone zone;
};

/* The frames of a fold, as gs_fold_frames makes them. */
static inline enum gs_status fold_frames(const struct gs_dataset *d, const struct gs_fold *fold,
                                         const void *options, unsigned n_threads,
                                         struct gs_arena *arena, struct gs_frames *out, void *also,
                                         struct gs_err *err)
{
    const struct gs_finish of = {
        .options = options, .n_threads = n_threads, .arena = arena, .also = also};
    return gs_fold_frames(d, fold, of, out, err);
}

/* Loads it; paths are those of files in memory, so messages say /proc/self/fd/N. */
static inline enum gs_status run_load(const struct run_texts *texts, const struct run_options *o,
                                      struct gs_arena *arena, struct gs_dataset *d,
                                      struct gs_notes *notes, struct gs_err *err)
{
    static const struct gs_input_form by_name = {.bind = bind_by_name};
    int fd[GS_N_TABLES];
    char name[GS_N_TABLES][64];
    struct gs_input input[GS_N_TABLES];
    struct gs_load_options load = {.n_threads = o->n_threads == 0 ? 1 : o->n_threads,
                                   .places = o->places,
                                   .strict_reader = o->strict,
                                   .chunk_bytes = o->chunk_bytes,
                                   .seed = o->seed,
                                   .zone = o->zone,
                                   .duplicates = o->drop ? GS_DUPLICATES_DROP : GS_DUPLICATES_KEEP};
    for (int k = 0; k < GS_N_TABLES; k++) {
        fd[k] = -1;
        if (texts->text[k] == NULL)
            continue;
        fd[k] = memfd_create("table", MFD_CLOEXEC);
        assert_true(fd[k] >= 0);
        assert_int_equal(
            gs_sink_write(gs_sink_fd(&fd[k]), texts->text[k], strlen(texts->text[k]), NULL), GS_OK);
        (void)snprintf(name[k], sizeof name[k], "/proc/self/fd/%d", fd[k]);
        const char *const kept = gs_arena_copy(arena, name[k], strlen(name[k]));
        input[load.n_inputs++] = (struct gs_input){
            .kind = (enum gs_table_kind)k, .path = kept, .name = kept, .form = &by_name};
        load.need[k] = true;
    }
    load.input = input;
    notes->arena = arena;
    const enum gs_status s = gs_load(&load, arena, d, notes, err);
    for (int k = 0; k < GS_N_TABLES; k++)
        if (fd[k] >= 0)
            (void)close(fd[k]);
    return s;
}

/* The rows of a random run, before they are text. */
enum { RUN_HOSTS = 4, RUN_GPUS = 3, RUN_EVENTS = 3, RUN_JOBS = 2, RUN_TASKS = 5, RUN_LEVELS = 3 };

struct run_sample {
    int64_t t_ms;
    int host, gpu;
    int64_t value[GS_FIXED_METRICS]; /* fixed-point, GS_MISSING */
};

struct run_checkpoint {
    int64_t t_ms;
    int host, event, job, task;
    bool is_stop;
};

struct random_run {
    struct run_sample sample[400];
    struct run_checkpoint checkpoint[300];
    size_t n_samples, n_checkpoints;
    int n_gpus[RUN_HOSTS];
    bool task_known[RUN_JOBS][RUN_TASKS];
    char *text[GS_N_TABLES]; /* to be freed */
};

static const char *const run_host[RUN_HOSTS] = {"h-b", "h-a", "h,c", "zz"};
static const char *const run_event[RUN_EVENTS] = {"TotalRender", "Render", "Saving, \"Config\""};
static const char *const run_job[RUN_JOBS] = {"job-2", "job-1"};
static const char *const run_task[RUN_TASKS] = {"t4", "t10", "T3", "t\xc3\xa4", "t1"};

static inline void run_level_of(int job, int task, int64_t *level, int64_t *x, int64_t *y)
{
    *level = 4 * (1 + (job + task) % RUN_LEVELS);
    *x = task;
    *y = job;
}

static inline void random_run_free(struct random_run *r)
{
    for (int k = 0; k < GS_N_TABLES; k++) {
        free(r->text[k]);
        r->text[k] = NULL;
    }
}

/* Times fall on a coarse grid, so that ties, midpoints and coincidences abound. Start from a zeroed one. */
static inline void random_run_draw(struct random_run *r)
{
    random_run_free(r);
    memset(r, 0, sizeof *r);
    for (int h = 0; h < RUN_HOSTS; h++)
        r->n_gpus[h] = random_below(3) == 0 ? (int)random_below(RUN_GPUS + 1) : 1;
    const size_t n_samples =
        random_below(8) == 0 ? random_below(4) : random_below(COUNT_OF(r->sample));
    const int64_t span = 1 + (int64_t)random_below(600);
    for (size_t i = 0; i < n_samples; i++) {
        struct run_sample s = {.t_ms = 50 * (int64_t)random_below((uint64_t)span),
                               .host = (int)random_below(RUN_HOSTS)};
        if (r->n_gpus[s.host] == 0)
            continue;
        s.gpu = (int)random_below((uint64_t)r->n_gpus[s.host]);
        s.value[GS_POWER] = (int64_t)random_below(30000) * 10000;
        s.value[GS_TEMP] = (int64_t)random_below(90) * GS_FIXED_ONE;
        s.value[GS_GPU_UTIL] = (int64_t)random_below(3) * 50 * GS_FIXED_ONE;
        s.value[GS_MEM_UTIL] = (int64_t)random_below(101) * GS_FIXED_ONE;
        for (int m = 0; m < GS_FIXED_METRICS; m++)
            if (random_below(15) == 0)
                s.value[m] = GS_MISSING;
        if (r->n_samples > 0 && random_below(10) == 0)
            s = r->sample[random_below(r->n_samples)];
        r->sample[r->n_samples++] = s;
    }
    const size_t n_checkpoints =
        random_below(8) == 0 ? random_below(3) : random_below(COUNT_OF(r->checkpoint));
    for (size_t i = 0; i < n_checkpoints; i++) {
        struct run_checkpoint c = {.t_ms =
                                       25 * (int64_t)random_below(2 * (uint64_t)span + 100) - 500,
                                   .host = (int)random_below(RUN_HOSTS),
                                   .event = (int)random_below(RUN_EVENTS),
                                   .job = (int)random_below(RUN_JOBS),
                                   .task = (int)random_below(RUN_TASKS),
                                   .is_stop = random_below(2) == 1};
        if (r->n_checkpoints > 0 &&
            random_below(3) == 0) { /* mostly pairs, then orphans and what is the wrong way round */
            c = r->checkpoint[random_below(r->n_checkpoints)];
            c.is_stop = random_below(8) != 0 ? !c.is_stop : c.is_stop;
            c.t_ms += random_below(4) == 0 ? 0
                      : c.is_stop          ? (int64_t)random_below(3000)
                                           : -(int64_t)random_below(3000);
        }
        r->checkpoint[r->n_checkpoints++] = c;
    }
    for (int j = 0; j < RUN_JOBS; j++)
        for (int t = 0; t < RUN_TASKS; t++)
            r->task_known[j][t] = random_below(5) != 0;
}

static inline void append_reading(struct gs_buf *b, int64_t v)
{
    if (v == GS_MISSING)
        gs_buf_text(b, ",[N/A]");
    else
        gs_buf_format(b, ",%lld.%02lld", (long long)(v / GS_FIXED_ONE),
                      (long long)(v % GS_FIXED_ONE / 10000));
}

static inline void append_time(struct gs_buf *b, int64_t t_ms)
{
    char text[GS_TIME_TEXT_MAX];
    (void)gs_time_format(text, INT64_C(1541662890000000000) + t_ms * GS_NS_PER_MS);
    gs_buf_text(b, text);
}

/* A field as CSV needs it: these texts hold commas and quotes. */
static inline void append_field(struct gs_buf *b, const char *text)
{
    gs_buf_text(b, ",\"");
    for (; *text != '\0'; text++) {
        if (*text == '"')
            gs_buf_char(b, '"');
        gs_buf_char(b, *text);
    }
    gs_buf_char(b, '"');
}

/* The rows as three texts, in an order of their own each time. */
static inline void random_run_write(struct random_run *r)
{
    struct gs_arena arena = {0};
    struct gs_buf b[GS_N_TABLES] = {{.arena = &arena}, {.arena = &arena}, {.arena = &arena}};
    for (size_t i = r->n_samples; i > 1; i--) {
        const size_t k = random_below(i);
        const struct run_sample s = r->sample[k];
        r->sample[k] = r->sample[i - 1];
        r->sample[i - 1] = s;
    }
    for (size_t i = r->n_checkpoints; i > 1; i--) {
        const size_t k = random_below(i);
        const struct run_checkpoint c = r->checkpoint[k];
        r->checkpoint[k] = r->checkpoint[i - 1];
        r->checkpoint[i - 1] = c;
    }
    gs_buf_text(&b[GS_TABLE_SAMPLES], SAMPLE_HEADER);
    for (size_t i = 0; i < r->n_samples; i++) {
        const struct run_sample *const s = &r->sample[i];
        struct gs_buf *const t = &b[GS_TABLE_SAMPLES];
        append_time(t, s->t_ms);
        append_field(t, run_host[s->host]);
        gs_buf_format(t, ",\"0%d%d\",\"GPU-%d-%d\"", s->host, 9 - s->gpu, s->host, s->gpu);
        for (int m = 0; m < GS_FIXED_METRICS; m++)
            append_reading(t, s->value[m]);
        gs_buf_char(t, '\n');
    }
    gs_buf_text(&b[GS_TABLE_CHECKPOINTS], CHECKPOINT_HEADER);
    for (size_t i = 0; i < r->n_checkpoints; i++) {
        const struct run_checkpoint *const c = &r->checkpoint[i];
        struct gs_buf *const t = &b[GS_TABLE_CHECKPOINTS];
        append_time(t, c->t_ms);
        append_field(t, run_host[c->host]);
        append_field(t, run_event[c->event]);
        append_field(t, c->is_stop ? "STOP" : "START");
        append_field(t, run_job[c->job]);
        append_field(t, run_task[c->task]);
        gs_buf_char(t, '\n');
    }
    gs_buf_text(&b[GS_TABLE_TASKS], TASK_HEADER);
    for (int j = 0; j < RUN_JOBS; j++)
        for (int t = 0; t < RUN_TASKS; t++) {
            int64_t level, x, y;
            run_level_of(j, t, &level, &x, &y);
            if (r->task_known[j][t])
                gs_buf_format(&b[GS_TABLE_TASKS], "%s,%s,%lld,%lld,%lld\n", run_task[t], run_job[j],
                              (long long)x, (long long)y, (long long)level);
        }
    for (int k = 0; k < GS_N_TABLES; k++) {
        assert_false(b[k].failed);
        free(r->text[k]);
        r->text[k] = strdup(b[k].ptr);
    }
    gs_arena_release(&arena);
}

static inline struct run_texts random_run_texts(const struct random_run *r)
{
    return (struct run_texts){{r->text[0], r->text[1], r->text[2]}};
}

#endif
