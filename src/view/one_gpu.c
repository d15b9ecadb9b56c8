/* one_gpu.c - samples that name no GPU are of one, unless they look like those of several. */
#include "view/host_view.h"

#include <stdio.h>

#include "base/int128.h"
#include "num/timestamp.h"

static bool is_named(const struct gs_gpu *gpu)
{
    return !gs_is_missing_word(gpu->uuid) || !gs_is_missing_word(gpu->serial) || !gs_is_missing_word(gpu->index);
}

static bool same_readings(const struct gs_gpu_view *g, uint32_t n_metrics, uint32_t a, uint32_t b)
{
    for (uint32_t m = 0; m < n_metrics; m++)
        if (g->value[m][a] != g->value[m][b])
            return false;
    return true;
}

/*
 * How many samples come at a time, where nine tenths of the groups have as many, 2 to 16; else 1. What lies closer than a
 * twentieth of the mean step to the sample before is of its group: bursts of one GPU's logger are longer, or differ.
 */
static uint32_t group_size(const struct gs_gpu_view *g)
{
    enum { LARGEST = 16, GROUPS_MIN = 4 };
    uint32_t of_size[LARGEST + 1] = {0}, n_groups = 0, n = 1, most = 1;
    if (g->n < 2 * GROUPS_MIN)
        return 1;
    const gs_i128 span_ns = (gs_i128)g->t_ns[g->n - 1] - g->t_ns[0];
    for (uint32_t i = 1; i <= g->n; i++) {
        if (i < g->n && ((gs_i128)g->t_ns[i] - g->t_ns[i - 1]) * 20 * (g->n - 1) <= span_ns) {
            n++;
            continue;
        }
        n_groups++;
        of_size[n <= LARGEST ? n : 0]++;
        n = 1;
    }
    for (uint32_t k = 2; k <= LARGEST; k++)
        most = of_size[k] > of_size[most] ? k : most;
    return n_groups >= GROUPS_MIN && (uint64_t)of_size[most] * 10 >= (uint64_t)n_groups * 9 ? most : 1;
}

static enum gs_status refuse(const char *what, const char *host, struct gs_err *err)
{
    return gs_fail(
        err, GS_ERR_DATA,
        "the samples of host %s %s and nothing that says of which GPU each is; expected a column that names it "
        "(gpuUUID, gpuSerial), or --set samples.gpu=COLUMN; --set samples.gpu.text=0 where there is one GPU",
        host, what);
}

enum gs_status gs_gpu_check_alone(const struct gs_dataset *d, const struct gs_gpu_view *g, struct gs_err *err)
{
    const struct gs_gpu *const gpu = &d->gpu[g->gpu];
    char host[96], what[120], when[GS_TIME_TEXT_MAX];
    if (is_named(gpu) || d->trusts_one_gpu)
        return GS_OK;
    (void)gs_escape(host, sizeof host, d->host.text[gpu->host]);
    for (uint32_t i = 1; i < g->n; i++) {
        if (g->t_ns[i] != g->t_ns[i - 1] || same_readings(g, d->n_metrics, i - 1, i))
            continue;
        (void)gs_time_format(when, g->t_ns[i]);
        (void)snprintf(what, sizeof what, "have different readings at %s", when);
        return refuse(what, host, err);
    }
    const uint32_t n = group_size(g);
    if (n == 1)
        return GS_OK;
    (void)snprintf(what, sizeof what, "come %u at a time, as those of %u GPUs do,", n, n);
    return refuse(what, host, err);
}
