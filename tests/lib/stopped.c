/* Stops an analysis at every call of its progress function, and asks again: the answer must be the one of a run left alone. */
#include <gpustat/gpustat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct watch {
    size_t n, stop_at; /* the call that stops it, counted from 1; 0: none does */
    uint64_t most, total;
};

static int watch(void *context, uint64_t bytes_read, uint64_t bytes_total)
{
    struct watch *const w = context;
    w->n++;
    w->total = bytes_total;
    if (bytes_read > w->most)
        w->most = bytes_read;
    return w->n == w->stop_at;
}

static int keep(void *context, const char *bytes, size_t length)
{
    char **const text = context;
    const size_t old = *text == NULL ? 0 : strlen(*text);
    char *const longer = realloc(*text, old + length + 1);
    if (longer == NULL)
        return 1;
    memcpy(longer + old, bytes, length);
    longer[old + length] = '\0';
    *text = longer;
    return 0;
}

/* The events of a run as CSV, to be freed; NULL and *status where there is none. */
static char *events(struct gpustat_run *run, enum gpustat_status *status)
{
    const char *const options[] = {"-j", "2", NULL};
    struct gpustat_result *result = NULL;
    char *text = NULL;
    *status = gpustat_analyse(run, "events", options, &result);
    if (*status == GPUSTAT_OK)
        *status = gpustat_render(result, "csv", keep, &text);
    gpustat_result_free(result);
    return text;
}

static int fails(const char *what, size_t at)
{
    fprintf(stderr, "call %zu: %s\n", at, what);
    return 1;
}

/* Returns 0 where the analysis did as it was told. `n` is the number of calls of a run left alone, SIZE_MAX before. */
static int try_at(const char *input, size_t stop_at, const char *wanted, size_t *n)
{
    const char *const inputs[] = {input, NULL};
    struct gpustat_run *const run = gpustat_run_open(inputs);
    struct watch w = {.stop_at = stop_at};
    enum gpustat_status status;
    gpustat_run_progress(run, watch, &w);
    char *text = events(run, &status);
    int failed = 0;
    if (stop_at > 0 && w.n >= stop_at) {
        if (status != GPUSTAT_STOPPED || text != NULL ||
            strcmp(gpustat_error(run), "stopped by the caller") != 0)
            failed = fails(gpustat_error(run), stop_at);
        text = events(run, &status);
        if (status != GPUSTAT_STOPPED)
            failed = fails("it went on without being asked to", stop_at);
        gpustat_run_progress(run, NULL, NULL);
        text = events(run, &status);
    } else if (w.most == 0 || w.most != w.total) {
        failed = fails("not all bytes were told", stop_at);
    }
    if (text == NULL || (wanted != NULL && strcmp(text, wanted) != 0))
        failed = fails("the answer is another one", stop_at);
    *n = w.n;
    gpustat_run_close(run);
    free(text);
    return failed;
}

int main(int argc, char **argv)
{
    const char *const inputs[] = {argc > 1 ? argv[1] : "data/", NULL};
    struct gpustat_run *const alone = gpustat_run_open(inputs);
    enum gpustat_status status;
    char *const wanted = events(alone, &status);
    size_t n = 0, n_stopped = 0;
    int failed = wanted == NULL || try_at(inputs[0], 0, wanted, &n) != 0;
    for (size_t at = 1; at <= n; at++) {
        size_t called;
        failed |= try_at(inputs[0], at, wanted, &called);
        n_stopped += called == at;
    }
    gpustat_run_close(alone);
    free(wanted);
    if (n_stopped < 10)
        failed = fails("hardly a call stopped it", n_stopped);
    return failed;
}
