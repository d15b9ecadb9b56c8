/*
 * Calls of the library over a run of any bytes: an analysis with options, all cells of its tables and some beyond, a
 * rendering. Each byte of the head chooses one thing; behind it are the samples, and events behind an empty line. They have
 * the study's file names, so that short tables with its columns reach the analyses without detection, which has a target.
 */
#include "target.h"
#include <fcntl.h>
#include <gpustat/gpustat.h>

static char dir[] = "/tmp/gpustat-fuzz-XXXXXX";
static char samples[64], events[64];

static void leave(void)
{
    (void)unlink(samples);
    (void)unlink(events);
    (void)rmdir(dir);
}

static void begin(void)
{
    MUST(mkdtemp(dir) != NULL && atexit(leave) == 0);
    (void)snprintf(samples, sizeof samples, "%s/gpu.csv", dir);
    (void)snprintf(events, sizeof events, "%s/application-checkpoints.csv", dir);
}

static void put(const char *path, const uint8_t *bytes, size_t size)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    MUST(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && close(fd) == 0);
}

static int stop_after(void *context, const char *bytes, size_t length)
{
    size_t *const left = context;
    (void)bytes;
    if (length > *left)
        return 1;
    *left -= length;
    return 0;
}

static int watch(void *context, uint64_t bytes_read, uint64_t bytes_total)
{
    int *const calls = context;
    MUST(bytes_total == 0 || bytes_read <= bytes_total);
    return --*calls == 0;
}

static void look(struct gpustat_result *result)
{
    for (size_t t = 0; t <= gpustat_table_count(result); t++) {
        const struct gpustat_table *const table = gpustat_table_at(result, t);
        for (size_t c = 0; c <= gpustat_column_count(table); c++) {
            struct gpustat_column column;
            const enum gpustat_status s = gpustat_column_data(result, table, c, &column);
            MUST((s == GPUSTAT_OK) == (c < gpustat_column_count(table)));
            size_t n_missing = 0;
            for (size_t r = 0; r <= gpustat_row_count(table); r++) {
                size_t length;
                n_missing += gpustat_is_missing(table, r, c) && r < gpustat_row_count(table);
                (void)gpustat_integer(table, r, c);
                (void)gpustat_real(table, r, c);
                (void)gpustat_text(table, r, c, &length);
            }
            MUST(s != GPUSTAT_OK ||
                 (column.n_missing == n_missing && column.length == gpustat_row_count(table)));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const analysis[] = {
        "gpus", "timeline", "check",     "power", "events",     "balance",  "summary", "clusters",
        "step", "diff",     "correlate", "jobs",  "stragglers", "schedule", "bias",    "join"};
    static const char *const option[] = {
        "-j2",      "--by=gpu",   "--tz=+01:00",     "--max-gap=2s", "--set=power_w=b",
        "--sort=x", "--show=all", "--price=0.3/kWh", "--kind=log",   "--strict",
        "-j1",      "--skip=1"};
    static const char *const format[] = {"csv", "json", "table", "html", "gnuplot", "nonsense"};
    enum { HEAD = 4 };
    if (size < HEAD)
        return 0;
    if (samples[0] == '\0')
        begin();
    const uint8_t *const end = data + size,
                         *const blank = memmem(data + HEAD, size - HEAD, "\n\n", 2),
                         *const second = blank == NULL ? end : blank + 2;
    put(samples, data + HEAD, (size_t)((blank == NULL ? end : blank + 1) - (data + HEAD)));
    (void)unlink(events);
    if (second < end)
        put(events, second, (size_t)(end - second));
    const char *const inputs[] = {dir, NULL};
    const char *const options[] = {option[data[1] % (sizeof option / sizeof *option)], NULL};
    const char *const name = analysis[data[0] % (sizeof analysis / sizeof *analysis)];
    struct gpustat_run *const run = gpustat_run_open(inputs);
    struct gpustat_result *result = NULL;
    int calls = data[3];
    gpustat_run_progress(run, watch, &calls);
    enum gpustat_status s = gpustat_analyse(run, name, data[1] < 128 ? options : NULL, &result);
    MUST((result != NULL) == (s == GPUSTAT_OK || s == GPUSTAT_FINDINGS));
    MUST(result != NULL || gpustat_error(run)[0] != '\0');
    MUST(s != GPUSTAT_INTERNAL && s != GPUSTAT_MEMORY);
    if (result != NULL) {
        size_t left = data[2] < 240 ? SIZE_MAX : data[2];
        look(result);
        (void)gpustat_render(result, format[data[2] % (sizeof format / sizeof *format)], stop_after,
                             &left);
    }
    gpustat_run_close(run);
    gpustat_result_free(result);
    return 0;
}
