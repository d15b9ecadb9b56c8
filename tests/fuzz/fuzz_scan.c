/* Tables of any bytes: the scanner and libcsv give the same rows, lines and errors. */
#include "target.h"

#include "../unit/two_readers.h"

static const char *const headers[GS_N_TABLES] = {
    [GS_TABLE_CHECKPOINTS] = "timestamp,hostname,eventName,eventType,jobId,taskId\n",
    [GS_TABLE_SAMPLES] =
        "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n",
    [GS_TABLE_TASKS] = "taskId,jobId,x,y,level\n",
};

/* Rows in front, enough for the scanner to know what is usual. */
/* clang-format off */
static const char *const usual[2][GS_N_TABLES] = {{
    [GS_TABLE_CHECKPOINTS] = "\"2018-11-08T07:41:55.%03uZ\",\"host\",\"Render\",\"START\",\"job\",\"task\"\n",
    [GS_TABLE_SAMPLES] = "\"2018-11-08T08:25:43.%03uZ\",\"host\",\"1\",\"GPU-1\",36.75,37,90,1\n",
    [GS_TABLE_TASKS] = "task-%u,job,1,2,4\n",
}, {
    [GS_TABLE_CHECKPOINTS] = "\"2018-11-08T07:41:55.%03uZ\",host,\"Render\",\"START\",\"job\",task\n",
    [GS_TABLE_SAMPLES] = "2018-11-08T08:25:43.%03uZ,host,1,GPU-1,36.75,37,90,1\n",
    [GS_TABLE_TASKS] = "task-%u,job,1,2,4\n",
}};
/* clang-format on */

/* A log, as nvidia-smi writes it. */
static const char log_header[] =
    "timestamp, index, name, power.draw [W], utilization.gpu [%], fan.speed [%], clocks.sm [MHz]\n";
static const char log_row[] =
    "2024/03/05 10:00:00.%03u, %u, NVIDIA H100, %u.85 W, %u %%, [N/A], 1980 MHz\n";

/*
 * The first byte says which table, how large the chunks, how many threads, and whether a header goes in
 * front, with usual rows behind it or not; samples whose second byte is % are a log.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t chunks[] = {64, 100, 1 << 10, 0};
    if (size == 0)
        return 0;
    const unsigned how = data[0];
    const enum gs_table_kind kind = (enum gs_table_kind)(how % GS_N_TABLES);
    const struct reading_way way = {.chunk_bytes = chunks[how / 3 % 4],
                                    .n_threads = 1 + how / 12 % 3,
                                    .rejects = how / 36 % 4 == 3,
                                    .no_places = how / 72 % 2 == 0};
    struct gs_arena arena = {0};
    struct gs_buf text = {.arena = &arena};
    const bool log = kind == GS_TABLE_SAMPLES && size > 1 && data[1] == '%';
    if (how / 36 % 2 == 0)
        gs_buf_text(&text, log ? log_header : headers[kind]);
    for (unsigned i = 0; how / 72 % 2 == 0 && i < 80; i++)
        if (log)
            gs_buf_format(&text, log_row, i, i % 4, 70 + i, i);
        else
            gs_buf_format(&text, usual[how / 144][kind], i);
    gs_buf_bytes(&text, (const char *)data + 1 + log, size - 1 - log);
    (void)gs_scan_use((enum gs_scan_path)(how / 12 % GS_N_SCAN_PATHS));
    if (!readers_agree(&way, kind, gs_buf_str(&text).ptr, text.len))
        abort();
    gs_arena_release(&arena);
    return 0;
}
