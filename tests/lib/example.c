/* What each kind of event of a run drew, and what is to be known beside it. */
#include <gpustat/gpustat.h>
#include <stdio.h>

static int print(void *context, const char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, context) == length ? 0 : -1;
}

int main(int argc, char **argv)
{
    const char *const inputs[] = {argc > 1 ? argv[1] : "data/", NULL};
    const char *const options[] = {"--join=window", "--sort=energy_sum_j:desc", NULL};
    struct gpustat_run *const run = gpustat_run_open(inputs);
    struct gpustat_result *result = NULL;
    if (run == NULL)
        return GPUSTAT_MEMORY;
    enum gpustat_status status = gpustat_analyse(run, "events", options, &result);
    if (status != GPUSTAT_OK) {
        fprintf(stderr, "%s\n", gpustat_error(run));
        gpustat_run_close(run);
        return status;
    }
    const struct gpustat_table *const events = gpustat_table_at(result, 0);
    const int name = gpustat_column_find(events, "event");
    const int power = gpustat_column_find(events, "power_mean_w");
    for (size_t row = 0; row < gpustat_row_count(events); row++) {
        size_t length;
        const char *const text = gpustat_text(events, row, (size_t)name, &length);
        printf("%.*s: ", (int)length, text);
        if (gpustat_is_missing(events, row, (size_t)power))
            printf("no reading\n");
        else
            printf("%.2f W\n", gpustat_real(events, row, (size_t)power));
    }
    for (size_t i = 0; i < gpustat_note_count(result); i++)
        fprintf(stderr, "%s\n", gpustat_note(result, i, NULL));
    status = gpustat_render(result, "csv", print, stdout);
    gpustat_result_free(result);
    gpustat_run_close(run);
    return status;
}
