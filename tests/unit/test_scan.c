/* The scanner is held to libcsv: same rows, same lines, same errors, whatever the bytes and the cuts. */
#define _GNU_SOURCE /* memfd_create */
#include "fixture.h"

#include "input/scanner/masks.h"
#include "input/scanner/row_split.h"
#include "two_readers.h"

static const char sample_header[] =
    "\"timestamp\",\"hostname\",\"gpuSerial\",\"gpuUUID\",\"powerDrawWatt\","
    "\"gpuTempC\",\"gpuUtilPerc\",\"gpuMemUtilPerc\"\n";
static const char checkpoint_header[] =
    "\"timestamp\",\"hostname\",\"eventName\",\"eventType\",\"jobId\",\"taskId\"\n";
static const char task_header[] = "taskId,jobId,x,y,level\n";

static unsigned below(uint64_t n)
{
    return (unsigned)random_below(n);
}

/* Readings of six decimals make a row of two words. */
static bool fine_readings;

static void append_sample(struct gs_buf *b)
{
    static const char *const power[] = {"36.75", "103.2", "97", "0", "131.72", "7.5", "26.999999"};
    gs_buf_format(b,
                  "\"2018-11-08T08:%02u:%02u.%03uZ\",\"host%04u\",\"0323617042%03u\",\"GPU-"
                  "33e33027-870c-20c9-%04x\",%"
                  "s,%u,%u,%u\n",
                  below(60), below(60), below(1000), below(20), below(5), below(20),
                  power[below(COUNT_OF(power) - !fine_readings)], 20 + below(90), below(101),
                  below(60));
}

static void append_checkpoint(struct gs_buf *b)
{
    static const char *const events[] = {"TotalRender", "Render", "Saving Config", "Tiling",
                                         "Uploading"};
    static unsigned host, task; /* rows of a task mostly stand together */
    host = below(6) == 0 ? below(20) : host;
    task = below(4) == 0 ? below(50) : task;
    gs_buf_format(b,
                  "\"2018-11-08T07:%02u:%02u.%03uZ\",\"host%04u\",\"%s\",\"%s\",\"1024-lvl12-"
                  "7e026be3\",\"b47f0263-ba1c-%04x\"\n",
                  below(60), below(60), below(1000), host, events[below(COUNT_OF(events))],
                  below(2) ? "START" : "STOP", task);
}

static void append_task(struct gs_buf *b)
{
    gs_buf_format(b, "\"b47f0263-ba1c-%04x\",\"1024-lvl12-7e026be3\",%u,%u,%u\n", below(900),
                  below(256), below(256), 4 + 4 * below(3));
}

static void append_rows(struct gs_buf *b, enum gs_table_kind kind, unsigned n)
{
    static const char *const headers[] = {checkpoint_header, sample_header, task_header};
    gs_buf_text(b, headers[kind]);
    while (n-- > 0)
        (kind == GS_TABLE_SAMPLES ? append_sample
         : kind == GS_TABLE_TASKS ? append_task
                                  : append_checkpoint)(b);
}

/* Every way of cutting and every path of the scanner. */
static char delimiter;
static void must_agree(enum gs_table_kind kind, const char *bytes, size_t len)
{
    static const struct reading_way ways[] = {
        {.chunk_bytes = 64, .n_threads = 1},
        {.chunk_bytes = 97, .n_threads = 3},
        {.chunk_bytes = 4096, .n_threads = 2},
        {.chunk_bytes = 0, .n_threads = 7},
        {.chunk_bytes = 0, .n_threads = 2, .rejects = true},
        {.chunk_bytes = 0, .n_threads = 1, .no_places = true},
        {.chunk_bytes = 2000, .n_threads = 3, .no_places = true}};
    for (enum gs_scan_path path = GS_SCAN_PLAIN; path < GS_N_SCAN_PATHS; path++) {
        if (!gs_scan_use(path))
            continue;
        for (size_t w = 0; w < COUNT_OF(ways); w++) {
            struct reading_way way = ways[w];
            way.delimiter = delimiter;
            assert_true(readers_agree(&way, kind, bytes, len));
        }
    }
    assert_true(gs_scan_use(GS_SCAN_BEST));
}

static void must_agree_text(enum gs_table_kind kind, const char *text)
{
    must_agree(kind, text, strlen(text));
}

static void plain_rows_are_read_alike(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * GS_N_TABLES; k++) {
        struct gs_arena arena = {0};
        struct gs_buf b = {.arena = &arena};
        const enum gs_table_kind kind = (enum gs_table_kind)(k % GS_N_TABLES);
        fine_readings = k < GS_N_TABLES;
        append_rows(&b, kind, 700);
        must_agree(kind, b.ptr, b.len);
        gs_arena_release(&arena);
    }
}

/* A few bytes changed: structure, digits, blanks, bytes that are not text. */
static void mutate(struct gs_buf *b)
{
    static const char spice[] = "\",\n\r \t.0-9eEZT:+\\\x7f\xff\0;'x";
    for (unsigned n = below(4); n > 0; n--) {
        const size_t at = below(b->len);
        const char c = spice[below(sizeof spice - 1)];
        switch (below(3)) {
        case 0:
            b->ptr[at] = c;
            break;
        case 1: /* one byte less */
            memmove(b->ptr + at, b->ptr + at + 1, b->len - at - 1);
            b->len--;
            break;
        default: /* one byte more */
            gs_buf_char(b, '\n');
            memmove(b->ptr + at + 1, b->ptr + at, b->len - at - 1);
            b->ptr[at] = c;
        }
    }
    if (below(4) == 0)
        b->len = below(b->len + 1);
}

static void mutated_must_agree(enum gs_table_kind kind, const struct gs_buf *b, int round)
{
    static const struct reading_way ways[] = {{.chunk_bytes = 64, .n_threads = 2},
                                              {.chunk_bytes = 300, .n_threads = 1},
                                              {.chunk_bytes = 0, .n_threads = 1, .no_places = true},
                                              {.chunk_bytes = 0, .n_threads = 1, .rejects = true}};
    for (size_t w = 0; w < COUNT_OF(ways); w++)
        if (!readers_agree(&ways[w], kind, b->ptr, b->len)) {
            (void)fprintf(stderr, "round %d:\n%.*s\n", round, (int)b->len, b->ptr);
            fail();
        }
}

/* Real-looking rows with a few bytes changed. */
static void mutated_rows_are_read_alike(void **state)
{
    (void)state;
    for (int round = 0; round < 600; round++) {
        struct gs_arena arena = {0};
        struct gs_buf b = {.arena = &arena};
        const enum gs_table_kind kind = (enum gs_table_kind)(round % GS_N_TABLES);
        fine_readings = round % 5 == 0;
        append_rows(&b, kind, 1 + below(round % 2 == 0 ? 40 : 120));
        mutate(&b);
        mutated_must_agree(kind, &b, round);
        gs_arena_release(&arena);
    }
}

/* Rows enough for the scanner to know what is usual, of so many hours and of readings that need some bits. */
static void append_usual(struct gs_buf *b, enum gs_table_kind kind, unsigned n_hours)
{
    gs_buf_text(b, kind == GS_TABLE_SAMPLES ? sample_header : checkpoint_header);
    for (unsigned i = 0; i < 80; i++) {
        gs_buf_format(b, "\"2018-11-08T%02u:%02u:59.%03uZ\",\"host\",", i % n_hours, i * 7 % 60, i);
        if (kind == GS_TABLE_SAMPLES)
            gs_buf_format(b, "\"123456789012\",\"GPU-1\",%u.%02u,%u,%u,%u\n", i * 3, i, 20 + i, i,
                          79 - i);
        else
            gs_buf_format(b, "\"%s\",\"%s\",\"job\",\"task\"\n", i % 3 == 0 ? "Tiling" : "Render",
                          i % 2 == 0 ? "START" : "STOP");
    }
}

/* The one row that is changed stands behind and before rows that make it a usual one. */
static void must_agree_among_usual(enum gs_table_kind kind, const char *before, const char *row,
                                   size_t len, const char *behind)
{
    static const struct reading_way way = {.chunk_bytes = 0, .n_threads = 1, .no_places = true};
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    gs_buf_text(&b, before);
    gs_buf_bytes(&b, row, len);
    gs_buf_text(&b, behind);
    if (!readers_agree(&way, kind, b.ptr, b.len)) {
        (void)fprintf(stderr, "%.*s\n", (int)len, row);
        fail();
    }
    gs_arena_release(&arena);
}

/* Every byte of a usual row is taken away, doubled, and made each of many others. */
static void every_byte_of_a_usual_row_counts(void **state)
{
    (void)state;
    static const char spice[] = "\",\n\r \t.09/:AZT-\x80\0";
    static const char *const row[GS_N_TABLES] = {
        [GS_TABLE_CHECKPOINTS] =
            "\"2018-11-08T07:41:55.921Z\",\"host\",\"Render\",\"START\",\"job\",\"task\"\n",
        [GS_TABLE_SAMPLES] =
            "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,100,7\n"};
    for (int kind = 0; kind < GS_TABLE_TASKS; kind++) {
        struct gs_arena arena = {0};
        struct gs_buf before = {.arena = &arena}, behind = {.arena = &arena};
        const size_t len = strlen(row[kind]);
        append_usual(&before, (enum gs_table_kind)kind, 24);
        for (unsigned i = 0; i < 5; i++)
            gs_buf_text(i == 0 ? &before : &behind, row[kind]);
        for (size_t at = 0; at < len; at++) {
            char changed[128];
            memcpy(changed, row[kind], len);
            for (size_t k = 0; k < sizeof spice - 1; k++) {
                changed[at] = spice[k];
                must_agree_among_usual((enum gs_table_kind)kind, before.ptr, changed, len,
                                       behind.ptr);
            }
            memcpy(changed + at, row[kind] + at + 1, len - at - 1);
            must_agree_among_usual((enum gs_table_kind)kind, before.ptr, changed, len - 1,
                                   behind.ptr);
            memcpy(changed + at + 1, row[kind] + at, len - at);
            changed[at] = row[kind][at];
            must_agree_among_usual((enum gs_table_kind)kind, before.ptr, changed, len + 1,
                                   behind.ptr);
        }
        gs_arena_release(&arena);
    }
}

/* Values that what is usual does not hold, and other ways to write what it does. */
static void unusual_rows_among_usual_ones_are_read_alike(void **state)
{
    (void)state;
    static const char *const odd[] = {
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",99999.99,37,100,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,-37,100,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.755,37,100,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36,37,100,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37.5,100,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,123456789,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,12345678,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,100,7,\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,100,7,8\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,100\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.7.5,37,100,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",.75,37,100,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.,37,100,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,[N/A],7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,100,7\r\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",\"36.75\",37,100,7\n",
        "2018-11-08T07:41:55.921Z,host,123456789012,GPU-1,36.75,37,100,7\n",
        "\"2018-11-08T07:41:55.921Z\",host,\"123456789012\",\"GPU-1\",36.75,37,100,7\n",
        "\"2017-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,100,7\n",
        "\"2019-01-01T00:00:00.000Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,100,7\n",
        "\"9999-01-01T00:00:00.000Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,100,7\n",
        "\"2262-04-11T23:59:59.999Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,100,7\n",
        "\"1677-09-22T00:00:00.000Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,100,7\n",
        "\"2018-11-08T23:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,100,7\n",
        "\"2018-11-08T24:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,100,7\n",
        "\"2018-11-08T07:41:55.9215Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,100,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"another\",\"1\",\"GPU-1\",36.75,37,100,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"1\",\"\",36.75,37,100,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",36.75,37,10x,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",3 .75,37,10,7\n",
        "\"2018-11-08T07:41:55.921Z\",\"host\",\"123456789012\",\"GPU-1\",3.6.75,37,10,7\n",
        "\n",
    };
    struct gs_arena arena = {0};
    struct gs_buf before = {.arena = &arena};
    append_usual(&before, GS_TABLE_SAMPLES, 1);
    for (size_t k = 0; k < COUNT_OF(odd); k++)
        for (size_t again = 0; again < 2;
             again++) /* two in a row, the second as the first has taught */
            must_agree_among_usual(GS_TABLE_SAMPLES, before.ptr, odd[k], strlen(odd[k]),
                                   again ? odd[k] : strchr(before.ptr, '\n') + 1);
    gs_arena_release(&arena);
}

/* A field that is bare in the usual rows and quoted in another, or the other way round, is another field. */
static void quotes_that_usual_rows_do_not_have_count(void **state)
{
    (void)state;
    static const struct {
        enum gs_table_kind kind;
        const char *usual, *odd;
    } cases[] = {
        {GS_TABLE_CHECKPOINTS, "\"2018-11-08T07:00:%02u.000Z\",\"h\",\"R\",\"STOP\",j,t\n",
         "\"2018-11-08T07:00:50.000Z\",\"h\",\"R\",\"STOP\",\"j,t\n\",\"t2\"\n"},
        {GS_TABLE_CHECKPOINTS,
         "\"2018-11-08T07:00:%02u.000Z\",\"h\",Renderingendering,\"START\",\"j\",\"t\"\n",
         "\"2018-11-08T07:00:50.000Z\",\"h\",Renderingendering\",\"START\",\"j\",\"t\"\n"},
        {GS_TABLE_CHECKPOINTS, "\"2018-11-08T07:00:%02u.000Z\",h,\"R\",\"STOP\",\"j\",t\n",
         "\"2018-11-08T07:00:50.000Z\",\"h\",\"R\",\"STOP\",\"j\",t\n"},
        {GS_TABLE_CHECKPOINTS, "\"2018-11-08T07:00:%02u.000Z\",\"h\",\"R\",STOP,\"j\",\"t\"\n",
         "\"2018-11-08T07:00:50.000Z\",\"h\",\"R\",\"STOP\",\"j\",\"t\"\n"},
        {GS_TABLE_SAMPLES, "2018-11-08T07:00:%02u.000Z,host,ser,uuid,\"101\",41,97,57\n",
         "2018-11-08T07:00:50.000Z,host,ser,uuid,\"101,41,97,57\n"},
        {GS_TABLE_SAMPLES, "2018-11-08T07:00:%02u.000Z,host,ser,uuid,101,41,\"97\",57\n",
         "2018-11-08T07:00:50.000Z,host,ser,uuid,101,41,\"97,57\n"},
        {GS_TABLE_SAMPLES,
         "2018-11-08T07:00:%02u.000Z,host,ser,uuid,101,41,97,57\n2018-11-08T07:00:01.000Z,\"hXst\","
         "\"s\",\"uX\",5,41,"
         "97,57\n",
         "2018-11-08T07:00:50.000Z,\"host,ser,uuid\",101,41,97,57\n"},
        {GS_TABLE_SAMPLES, "\"2018-11-08T07:00:%02u.000Z\",\"host\",\"ser\",uuid,101,41,97,57\n",
         "\"2018-11-08T07:00:50.000Z\",\"host\",\"ser\",uuid\",101,41,97,57\n"},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        struct gs_arena arena = {0};
        struct gs_buf before = {.arena = &arena}, behind = {.arena = &arena};
        gs_buf_text(&before, cases[k].kind == GS_TABLE_SAMPLES ? sample_header : checkpoint_header);
        for (unsigned i = 0; i < 100; i++) {
            struct gs_buf *const b = i < 80 ? &before : &behind;
            const char *const row = cases[k].usual, *const seconds = strstr(row, "%02u");
            gs_buf_bytes(b, row, (size_t)(seconds - row));
            gs_buf_format(b, "%02u", i % 60);
            gs_buf_text(b, seconds + 4);
        }
        must_agree_among_usual(cases[k].kind, before.ptr, cases[k].odd, strlen(cases[k].odd),
                               behind.ptr);
        gs_arena_release(&arena);
    }
}

/* Where rows are as long as each other and chunks hold them evenly, a row of the last chunk stood where one stands now. */
static void what_a_chunk_taught_about_places_ends_with_it(void **state)
{
    (void)state;
    enum { ROW_BYTES = 71, ROWS = 10 };
    static const struct reading_way way = {
        .chunk_bytes = ROWS * ROW_BYTES, .n_threads = 1, .no_places = true};
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    gs_buf_text(&b, checkpoint_header);
    const size_t header = b.len;
    for (unsigned i = 0; i < 30 * ROWS; i++)
        gs_buf_format(&b,
                      "\"2018-11-08T07:41:%02u.921Z\",\"host%02u\",\"Render\",\"START\",\"job\","
                      "\"task-%04u\"\n",
                      i % 60, i / ROWS % 5, i / ROWS);
    assert_int_equal(b.len - header, 30 * ROWS * ROW_BYTES);
    assert_true(readers_agree(&way, GS_TABLE_CHECKPOINTS, b.ptr, b.len));
    gs_arena_release(&arena);
}

static void odd_forms_are_read_alike(void **state)
{
    (void)state;
    static const char *const tasks[] = {
        "",
        "\n\n",
        "taskId,jobId,x,y,level",
        "taskId,jobId,x,y,level\n",
        "\xef\xbb\xbftaskId,jobId,x,y,level\na,b,1,2,3\n",
        "taskId,jobId,x,y,level\r\na,b,1,2,3\r\nc,d,4,5,6\r\n",
        "taskId,jobId,x,y,level\ra,b,1,2,3\rc,d,4,5,6\r",
        "taskId,jobId,x,y,level\na,b,1,2,3",
        "taskId,jobId,x,y,level\n\n\na,b,1,2,3\n\n  \n c , d ,4, 5 ,6\n\n",
        "taskId,jobId,x,y,level\n\n\n\n\r\n\r\n\n\r\n\r\ra,b,1,2,3\n\n\r\n\r\n\nc,d,4,5,"
        "6\r\n\r\n\r\ne,f,7,8,9\n\n\n\n"
        "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
        "\n\n\n\n\n\n\n\n\n\n"
        "\n\n"
        "\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r"
        "\n\r\ng,h,1,1,1",
        "level,extra,y,x,jobId,taskId\n3,\"e, \"\"e\"\"\ne\",2,1,b,a\n",
        "taskId,jobId,x,y,level\n\"a\nb\",\"c\r\nd\",1,2,3\ne,f,1,2,x\n",
        "taskId,jobId,x,y,level\n\"a\"\"b\",\"\"\"\",1,2,3\n",
        "taskId,jobId,x,y,level\n\"a\" ,\"b\"\t,1,2,3\n",
        "taskId,jobId,x,y,level\na\"b,c,1,2,3\n",
        "taskId,jobId,x,y,level\n\"a\"b,c,1,2,3\n",
        "taskId,jobId,x,y,level\n\"a,c,1,2,3\n",
        "taskId,jobId,x,y,level\na,b,1,2\n",
        "taskId,jobId,x,y,level\na,b,1,2,3,4\n",
        "taskId,jobId,x,y,level\na,b,,2,3\n",
        "taskId,jobId,x,y,level\na,b,1.0,2e0,+3\n",
        "taskId,jobId,x,y,level\na,b,-1,2.5,3\n",
        "taskId,jobId,x,y,level\n,,1,2,3\n",
        "taskId,jobId,x,y,level\n\"a\",\"b\",\"1\",\"2\",\"3\"\n",
        "taskId,jobId,x,y,level\na,b,12345678,123456789,99999999999999999999\n",
        "taskId,jobId,x,y\na,b,1,2\n",
        "taskId,jobId,x,y,level,level\na,b,1,2,3,4\n",
        "TASKID,JobId,X,Y,LEVEL\na,b,1,2,3\n",
    };
    for (size_t i = 0; i < COUNT_OF(tasks); i++)
        must_agree_text(GS_TABLE_TASKS, tasks[i]);
    static const char *const samples[] = {
        "timestamp,hostname,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n2018-11-08 "
        "08:00:00,h,1,2,3,4\n h "
        ",h,1,2,3,4\n",
        ("timestamp,hostname,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n2018-11-08T08:00:"
         "00.123Z,\" "
         "h\",1,2,3,4\n"
         "2018-11-08T08:00:00.123Z, h,1,2,3,4\n"),
        "timestamp,hostname,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n1541664000.5,h,[N/"
        "A],,N/A,4\n",
        "timestamp,hostname,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n2018-11-08T08:00:00."
        "123+01:00,h,1.,.5,-"
        "3,1e1\n",
        "timestamp,hostname,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n2018-11-08T24:00:00."
        "000Z,h,1,2,3,4\n",
        "timestamp,hostname,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n2018-02-29T08:00:00."
        "000Z,h,1,2,3,4\n",
        "timestamp,hostname,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n2018-11-08T08:00:60."
        "000Z,h,1,2,3,4\n",
        "timestamp,hostname,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n2018/11/"
        "08T08:00:00.000Z,h,1.23456789,2,3,4\n",
        "timestamp,hostname,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n2018-11-08T08:00:00."
        "000Z,,1,2,3,4\n",
        "timestamp,hostname,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n2018-11-08T08:00:00."
        "000Z,h,1..2,2,3,4\n",
        ("hostname,x,gpuUUID,timestamp,gpuSerial,powerDrawWatt,gpuTempC,gpuUtilPerc,"
         "gpuMemUtilPerc\n"
         "h,,u,2018-11-08T08:00:00.000Z,s,1,2,3,4\nh,,,2018-11-08T08:00:00.000Z,s,1,2,3,4\n"),
    };
    for (size_t i = 0; i < COUNT_OF(samples); i++)
        must_agree_text(GS_TABLE_SAMPLES, samples[i]);
    static const char *const checkpoints[] = {
        ("timestamp,hostname,eventName,eventType,jobId,taskId,gpuSerial\n2018-11-08T08:00:00.000Z,"
         "h,e,START,j,t,007\n"
         "2018-11-08T08:00:00.000Z,h,e,STOP,,,\n"),
        "timestamp,hostname,eventName,eventType,jobId,taskId\n2018-11-08T08:00:00.000Z,h,e,start,j,"
        "t\n",
        "timestamp,hostname,eventName,eventType,jobId,taskId\n2018-11-08T08:00:00.000Z,h,,START,j,"
        "t\n",
        "timestamp,hostname,eventName,eventType,jobId\n2018-11-08T08:00:00.000Z,h,e,START,j\n",
    };
    for (size_t i = 0; i < COUNT_OF(checkpoints); i++)
        must_agree_text(GS_TABLE_CHECKPOINTS, checkpoints[i]);
}

static void a_nul_byte_is_refused_at_its_line(void **state)
{
    (void)state;
    static const char text[] = "taskId,jobId,x,y,level\na,b,1,2,3\nc\0c,d,1,2,3\n";
    must_agree(GS_TABLE_TASKS, text, sizeof text - 1);
    static const char in_place_of_cr[] = "taskId,jobId,x,y,level\r\na,b,1,2,3\r\nc,d,1,2,3\0\n";
    must_agree(GS_TABLE_TASKS, in_place_of_cr, sizeof in_place_of_cr - 1);
}

/* Quoted line feeds, so that cuts fall inside fields. */
static void rows_over_several_lines_are_read_alike(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    gs_buf_text(&b, task_header);
    for (unsigned i = 0; i < 400; i++)
        gs_buf_format(&b, "\"task\n%u,,\n\"\"%u\"\"\",\"job\r\n\",%u,%u,12\n", i, i % 7, i, i);
    must_agree(GS_TABLE_TASKS, b.ptr, b.len);
    gs_arena_release(&arena);
}

/* Names of every length: each row has a layout of its own, and some are too long for one. */
static void rows_of_every_length_are_read_alike(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    gs_buf_text(&b, task_header);
    for (unsigned i = 0; i < 600; i++) {
        gs_buf_char(&b, '"');
        for (unsigned k = 0; k < i; k++)
            gs_buf_char(&b, (char)('a' + k % 26));
        gs_buf_format(&b, "\",job%u,%u,%u,8\n", i % 5, i, i * i);
    }
    must_agree(GS_TABLE_TASKS, b.ptr, b.len);
    gs_arena_release(&arena);
}

static void a_row_larger_than_the_splitter_goes_to_libcsv(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    append_rows(&b, GS_TABLE_TASKS, 50);
    gs_buf_char(&b, '"');
    for (unsigned k = 0; k < 200000; k++)
        gs_buf_char(&b, k % 50 == 49 ? '\n' : 'x');
    gs_buf_text(&b, "\",job,1,2,3\n");
    append_task(&b);
    const struct reading_way ways[] = {{.chunk_bytes = 0, .n_threads = 2},
                                       {.chunk_bytes = 1000, .n_threads = 2}};
    for (size_t w = 0; w < COUNT_OF(ways); w++)
        assert_true(readers_agree(&ways[w], GS_TABLE_TASKS, b.ptr, b.len));
    gs_arena_release(&arena);
}

/* A table of samples with these columns of metrics, in a random order, values of all sorts among them. */
static void append_metrics(struct gs_buf *b, const char *const *column, size_t n, unsigned n_rows)
{
    static const char *const odd[] = {"[N/A]", "",          "1234567890.123456", "-1",
                                      "1e3",   "0.0000004", "99999999"};
    const size_t shift = below(n + 1);
    gs_buf_text(b, "timestamp,hostname,gpuUUID");
    for (size_t k = 0; k < n; k++)
        gs_buf_format(b, ",%s", column[(k + shift) % n]);
    gs_buf_text(b, ",pstate\n");
    for (unsigned i = 0; i < n_rows; i++) {
        gs_buf_format(b, "2018-11-08T08:%02u:%02u.%03uZ,h%u,GPU-%u", below(60), below(60),
                      below(1000), below(3), below(3));
        for (size_t k = 0; k < n; k++)
            if (below(200) == 0)
                gs_buf_format(b, ",%s", odd[below(COUNT_OF(odd))]);
            else
                gs_buf_format(b, ",%u.%02u", below(900), below(100));
        gs_buf_text(b, ",P0\n");
    }
}

static void any_number_of_metrics_is_read_alike(void **state)
{
    (void)state;
    static const char *const column[] = {
        "power.draw [mW]",        "temperature.gpu",         "utilization.gpu [%]",
        "utilization.memory [%]", "memory.used [MiB]",       "clocks.sm [MHz]",
        "clocks.mem [GHz]",       "fan.speed [%]",           "total_energy_wh",
        "power.draw.instant [W]", "power.draw.average",      "power.limit [kW]",
        "memory.total [GiB]",     "memory_free_kib",         "temperature.memory",
        "hotspot_temp_c",         "clocks.gr [MHz]",         "clocks.video [MHz]",
        "encoder_util",           "utilization.decoder [%]", "utilization.jpeg [%]",
        "utilization.ofa [%]",    "sm_active_ratio",         "sm_occupancy_pct",
        "tensor_active_pct",      "dram_active_pct",         "pcie_tx [MB/s]",
        "pcie_rx_mibps",          "pcie.link.gen.current",   "pcie.link.width.current",
    };
    static const size_t n[] = {1, 2, 3, 4, 5, 8, 9, 30};
    for (size_t i = 0; i < COUNT_OF(n); i++) {
        struct gs_arena arena = {0};
        struct gs_buf b = {.arena = &arena};
        append_metrics(&b, column + (i % 2 == 0 ? 0 : COUNT_OF(column) - n[i]), n[i], 300);
        must_agree(GS_TABLE_SAMPLES, b.ptr, b.len);
        gs_arena_release(&arena);
    }
    must_agree_text(GS_TABLE_SAMPLES, "timestamp,hostname,power.draw [mW]\n1,h,9000000000001\n");
    must_agree_text(GS_TABLE_SAMPLES,
                    "timestamp,hostname,power.draw [kW]\n1,h,9000000000\n2,h,9000000001\n");
    must_agree_text(GS_TABLE_SAMPLES,
                    "timestamp,hostname,power.draw [kW]\n1,h,-9000000000\n2,h,-9000000001\n");
    must_agree_text(
        GS_TABLE_SAMPLES,
        "timestamp,hostname,power.draw [mW]\n1,h,0.0005\n2,h,-0.0005\n3,h,0.0004\n4,h,0.0015\n");
    must_agree_text(GS_TABLE_SAMPLES, "timestamp,hostname,nothing\n1,h,1\n");
    must_agree_text(GS_TABLE_SAMPLES, "timestamp,hostname,power_w,powerDrawWatt\n1,h,1,1\n");
}

/* A log as nvidia-smi writes it, with `by` between its fields: units behind values, no zone, words for no value. */
static void append_log(struct gs_buf *b, char by, unsigned n_rows)
{
    static const char *const odd[] = {"[N/A]", "ERR!",    "[Insufficient Permissions]",
                                      "-",     "None",    "[GPU is lost]",
                                      "NA",    "0.25 kW", "12000 mW",
                                      "5W",    "1e2 W",   "[Not Supported]"};
    gs_buf_format(b,
                  "timestamp%c index%c uuid%c power.draw [W]%c utilization.gpu [%%]%c memory.used "
                  "[MiB]%c temperature.gpu\n",
                  by, by, by, by, by, by);
    for (unsigned i = 0; i < n_rows; i++) {
        gs_buf_format(
            b, below(9) == 0 ? "2026-04-0%uT10:31:%02u.%03uZ" : "2026/04/0%u 10:31:%02u.%03u",
            1 + below(3), below(60), below(1000));
        gs_buf_format(b, "%c %u%c \"GPU-%u\"%c ", by, i % 4, by, i % 4, by);
        if (below(20) == 0)
            gs_buf_text(b, odd[below(COUNT_OF(odd))]);
        else
            gs_buf_format(b, "%u.%02u W", below(400), below(100));
        gs_buf_format(b, "%c %u %%%c %u MiB%c %u\n", by, below(101), by, below(90000), by,
                      below(90));
    }
}

static void logs_are_read_alike_whatever_parts_their_fields(void **state)
{
    (void)state;
    static const char by[] = {',', ';', '\t', '|'};
    for (size_t i = 0; i < COUNT_OF(by); i++) {
        struct gs_arena arena = {0};
        struct gs_buf b = {.arena = &arena};
        delimiter = by[i];
        append_log(&b, by[i], 500);
        must_agree(GS_TABLE_SAMPLES, b.ptr, b.len);
        must_agree(GS_TABLE_SAMPLES, b.ptr, b.len - 3); /* a last line without its end */
        gs_arena_release(&arena);
    }
    must_agree_text(GS_TABLE_CHECKPOINTS,
                    "time|event|type\n1|a,b|Start\n2|\"a|b\"|END\n3| c |begin\n");
    delimiter = '\t';
    must_agree_text(GS_TABLE_CHECKPOINTS,
                    "time\tevent\ttype\ttask\n1\t\tStart\t1\n2\ta\tEND\t\n3\t c \tBegin\t\"\t\"\n");
    delimiter = 0;
    must_agree_text(GS_TABLE_CHECKPOINTS,
                    "timestamp,host,event,phase\n1,h,e,START\n2,h,e,STOP\n3,h,e,stop\n");
    must_agree_text(GS_TABLE_SAMPLES, "timestamp,gpu_power\n1,5\n");
    must_agree_text(GS_TABLE_SAMPLES, "timestamp,gpu_power_w,serial\n1,5,[N/A]\n2,6,\n3,7,N/A\n");
}

/* A log of a machine with several GPUs that take turns, all readings in their plainest form; `columns` metrics. */
static void append_turns(struct gs_buf *b, size_t columns, bool units, unsigned n_rows)
{
    static const struct {
        const char *name, *unit;
        unsigned most, decimals;
    } metric[] = {
        {"power.draw [W]", " W", 700, 2},         {"temperature.gpu", "", 90, 0},
        {"utilization.gpu [%]", " %", 101, 0},    {"utilization.memory [%]", " %", 101, 0},
        {"clocks.sm [MHz]", " MHz", 2000, 0},     {"memory.used [MiB]", " MiB", 81559, 0},
        {"fan.speed [%]", " %", 101, 0},          {"temperature.memory", "", 100, 0},
        {"clocks.mem [MHz]", " MHz", 2700, 0},    {"power.limit [W]", " W", 701, 3},
        {"memory.total [MiB]", " MiB", 99999, 0}, {"pcie_tx [MB/s]", " MB/s", 30000, 1},
        {"clocks.video [MHz]", " MHz", 2000, 0},
    };
    gs_buf_text(b, "timestamp, index, name, uuid");
    for (size_t k = 0; k < columns; k++)
        gs_buf_format(b, ", %s", metric[k].name);
    gs_buf_char(b, '\n');
    for (unsigned i = 0; i < n_rows; i++) {
        gs_buf_format(
            b, "2024/03/05 10:%02u:%02u.%03u, %u, NVIDIA H100 80GB HBM3, GPU-52e6b438-f2a7-%04u",
            i / 600 % 60, i / 10 % 60, i % 10 * 100 + below(3), i % 8, i % 8);
        for (size_t k = 0; k < columns; k++) {
            const bool odd = below(400) == 0;
            gs_buf_format(b, ", %u", odd ? 123456789u : below(metric[k].most));
            if (metric[k].decimals > 0)
                gs_buf_format(b, ".%0*u", (int)metric[k].decimals,
                              below(metric[k].decimals == 1   ? 10
                                    : metric[k].decimals == 2 ? 100
                                                              : 1000));
            gs_buf_text(b, units && below(300) > 0 ? metric[k].unit : "");
        }
        gs_buf_char(b, '\n');
    }
}

static void logs_of_any_number_of_metrics_are_read_alike(void **state)
{
    (void)state;
    static const size_t n[] = {1, 2, 3, 4, 5, 6, 9, 13};
    for (size_t i = 0; i < COUNT_OF(n); i++)
        for (int units = 0; units < 2; units++) {
            struct gs_arena arena = {0};
            struct gs_buf b = {.arena = &arena};
            append_turns(&b, n[i], units != 0, 700);
            must_agree(GS_TABLE_SAMPLES, b.ptr, b.len);
            gs_arena_release(&arena);
        }
}

static void mutated_logs_are_read_alike(void **state)
{
    (void)state;
    for (int round = 0; round < 300; round++) {
        struct gs_arena arena = {0};
        struct gs_buf b = {.arena = &arena};
        append_turns(&b, 1 + below(13), round % 3 != 0, 40 + below(80));
        mutate(&b);
        mutated_must_agree(GS_TABLE_SAMPLES, &b, round);
        gs_arena_release(&arena);
    }
}

static void columns_of_two_metrics_are_read_alike(void **state)
{
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct gs_arena arena = {0};
        struct gs_buf b = {.arena = &arena};
        const bool log = round % 2 == 0;
        if (log)
            append_turns(&b, 1 + below(13), round % 4 != 0, 300);
        else
            append_rows(&b, GS_TABLE_SAMPLES, 300);
        if (round > 8)
            mutate(&b);
        for (enum gs_scan_path path = GS_SCAN_PLAIN; path < GS_N_SCAN_PATHS; path++) {
            const struct reading_way way = {
                .chunk_bytes = 4096, .n_threads = 1, .no_places = round % 3 == 0, .twice = true};
            if (gs_scan_use(path))
                assert_true(readers_agree(&way, GS_TABLE_SAMPLES, b.ptr, b.len));
        }
        gs_arena_release(&arena);
    }
    /* as many columns are bound as there are, and yet two are none */
    const struct reading_way way = {.n_threads = 1, .twice = true};
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    gs_buf_text(&b, "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,note,other\n");
    for (unsigned i = 0; i < 300; i++)
        gs_buf_format(&b, "2018-11-08T08:00:%02u.%03uZ,h,1,u,%u.25,%u,1,2\n", i / 10 % 60,
                      i % 10 * 100, 30 + i % 60, i % 90);
    assert_true(gs_scan_use(GS_SCAN_BEST));
    assert_true(readers_agree(&way, GS_TABLE_SAMPLES, b.ptr, b.len));
    gs_arena_release(&arena);
}

/* Every byte that may stand in place of each byte of a reading, its blank, its unit and the time, among plain rows. */
static void every_byte_of_a_row_of_a_log_counts(void **state)
{
    (void)state;
    static const char row[] =
        "2024/03/05 10:00:09.123, 3, NVIDIA H100, GPU-3, 82.85 W, 39 %, 1980 MHz\n";
    static const char others[] = "!\"#$%&'()*+,-./09:;<=>?@AZ[az{|}~\t\n\r \x80\xff";
    struct gs_arena arena = {0};
    struct gs_buf before = {.arena = &arena};
    gs_buf_text(
        &before,
        "timestamp, index, name, uuid, power.draw [W], utilization.gpu [%], clocks.sm [MHz]\n");
    for (unsigned i = 0; i < 60; i++)
        gs_buf_format(
            &before,
            "2024/03/05 10:00:0%u.123, %u, NVIDIA H100, GPU-%u, 8%u.85 W, 3%u %%, 198%u MHz\n",
            i / 8, i % 8, i % 8, i % 10, i % 10, i % 10);
    for (size_t at = 0; at + 1 < sizeof row; at++)
        for (size_t k = 0; k + 1 < sizeof others; k++) {
            const size_t n = before.len;
            gs_buf_bytes(&before, row, sizeof row - 1);
            before.ptr[n + at] = others[k];
            for (unsigned i = 0; i < 5;
                 i++) /* so much that the row is not the last to be looked at by its shape */
                gs_buf_bytes(&before, row, sizeof row - 1);
            const struct reading_way way = {
                .chunk_bytes = 0, .n_threads = 1, .no_places = (at + k) % 2 == 0};
            assert_true(readers_agree(&way, GS_TABLE_SAMPLES, before.ptr, before.len));
            before.len = n;
        }
    gs_arena_release(&arena);
}

/* Rows whose fields have so many widths that few have the shape of another, and columns without values, which may have one. */
static void logs_of_many_shapes_are_read_alike(void **state)
{
    (void)state;
    static const char *const none[] = {"[N/A]", "N/A", "[Not Supported]", "", "ERR!"};
    for (unsigned widths = 1; widths <= 9; widths += 4) {
        struct gs_arena arena = {0};
        struct gs_buf b = {.arena = &arena};
        gs_buf_text(&b, "timestamp, index, fan.speed [%], power.draw [W], clocks.sm [MHz], pstate, "
                        "memory.used [MiB], "
                        "temperature.memory\n");
        for (unsigned i = 0; i < 2500; i++) {
            gs_buf_format(&b, "2024/03/05 10:%02u:%02u.%03u, %u, %s, ", i / 600 % 60, i / 10 % 60,
                          i % 10 * 100, i % 3,
                          below(700) == 0 ? none[below(COUNT_OF(none))] : "[N/A]");
            for (unsigned k = 0; k < 3; k++)
                gs_buf_format(&b, "%.*s%s%.*s%s", (int)(1 + below(widths)), "123456789",
                              k == 0 ? "." : "",
                              k == 0 ? (int)(1 + below(widths < 5 ? widths : 5)) : 0, "25173",
                              k == 0   ? " W, "
                              : k == 1 ? " MHz, P0, "
                                       : " MiB, ");
            gs_buf_format(&b, "%s\n", below(500) == 0 ? "41" : "N/A");
        }
        for (size_t bytes = 0; bytes <= 8192; bytes += 4096) {
            const struct reading_way way = {.chunk_bytes = bytes,
                                            .n_threads = 1 + (unsigned)bytes / 4096,
                                            .no_places = bytes == 0};
            assert_true(readers_agree(&way, GS_TABLE_SAMPLES, b.ptr, b.len));
        }
        gs_arena_release(&arena);
    }
}

/* Rows that end before, at and behind each multiple of what is looked at at a time, and longer ones than have a shape. */
static void logs_of_every_width_are_read_alike(void **state)
{
    (void)state;
    static char blanks[320];
    memset(blanks, 'x', sizeof blanks - 1);
    for (unsigned width = 0; width<300; width += width % 32> 27 || width % 32 < 3 ? 1 : 5) {
        struct gs_arena arena = {0};
        struct gs_buf b = {.arena = &arena};
        gs_buf_text(&b, "timestamp, uuid, remark, power.draw [W]\r\n");
        for (unsigned i = 0; i < 60; i++)
            gs_buf_format(&b, "2024/03/05 10:00:%02u.000, GPU-%u, %.*s, %u.5 W\r\n", i, i % 2,
                          (int)(i % 7 == 6 ? width / 2 : width), blanks, i + 50);
        const struct reading_way way = {
            .chunk_bytes = 0, .n_threads = 1, .no_places = width % 2 == 0};
        assert_true(readers_agree(&way, GS_TABLE_SAMPLES, b.ptr, b.len));
        gs_arena_release(&arena);
    }
}

static void times_of_every_form_are_read_alike(void **state)
{
    (void)state;
    static const char *const form[] = {
        "2018-11-08T07:41:%02u.921Z",
        "2018/11/08 07:41:%02u.921",
        "2018-11-08 07:41:%02u",
        "2018-11-08T07:41:%02uZ",
        "2018-11-08 07:41:%02u.921044",
        "2018-11-08T07:41:%02u.921044+01:00",
        "2018-11-08T07:41:%02u,5",
        "2018-11-08T07:41:%02u.1234567890Z",
        "2018-11-08T07:41:%02u.Z",
        "2018-11-08T07:41:%02u -0730",
        " 2018-11-08T07:41:%02u.5Z ",
        "1541662915%02u",
        "15416629%02u",
        "15416629%02u.123456",
        "15416629%02u.",
        "1541662915%02u000",
        "1541662915%02u123456",
        "1541662915%02u123456789",
        "154166291512345678%02u",
        "-15416629%02u.5",
        "15416629%02u.1234567890",
        "2018-11-08T07:41:%02u.9210440",
        "2018-11-08T07:41:%02u.921044+01:00 ",
        "9541662915%02u12345678",
        "1677-09-21T00:12:%02u.5Z",
        "2262-04-11T23:47:%02u.854775807Z",
        "2018-11-08T07:41:%02u.921044x",
    };
    for (unsigned seconds = 0; seconds < 70; seconds += 23)
        for (size_t f = 0; f < COUNT_OF(form); f++)
            for (unsigned k = 0; k < 3; k++) {
                struct gs_arena arena = {0};
                struct gs_buf b = {.arena = &arena};
                gs_buf_text(&b, "timestamp,gpuUUID,power.draw [W]\n");
                for (unsigned i = 0; i < 50; i++) {
                    gs_buf_format(&b, k == 0 || i % 7 != k ? form[f] : form[below(COUNT_OF(form))],
                                  k == 2 && i > 30 ? seconds : (i + seconds) % 60);
                    gs_buf_format(&b, ",GPU-%u,%u.5\n", i % 2, i);
                }
                const struct reading_way way = {
                    .n_threads = 1, .rejects = k > 0, .no_places = f % 2 == 0};
                assert_true(readers_agree(&way, GS_TABLE_SAMPLES, b.ptr, b.len));
                gs_arena_release(&arena);
            }
}

/* Malformed rows, among them what only looks like one: the inside of a quoted field over several lines. */
static void faults_are_named_alike_wherever_chunks_are_cut(void **state)
{
    (void)state;
    static const char *const odd[] = {"x,a,1,G,1,1,1,1\n",
                                      "1,a,1,G,1,1,1\n",
                                      "1,a,1,G,1,1,1,1,1\n",
                                      "1,,1,G,1,1,1,1\n",
                                      "1,a,1,G,?,1,1,1\r\n",
                                      "\n",
                                      "1,\"a\nx,a,1,G,1,1,1,1\ny\",1,G,1,1,1,1\n",
                                      "\"1\",\"a\nb\",1,G,1,1,z,1\n",
                                      " 1 ,a , 1,G,1,1,1, q\n"};
    for (unsigned round = 0; round < 30; round++) {
        struct gs_arena arena = {0};
        struct gs_buf b = {.arena = &arena};
        gs_buf_text(&b, "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,"
                        "gpuMemUtilPerc\n");
        for (unsigned i = 0, n = 40 + below(200); i < n; i++)
            if (below(round < 10 ? 300 : 30) == 0)
                gs_buf_text(&b, odd[below(COUNT_OF(odd))]);
            else
                gs_buf_format(&b, "%u,h%u,1,G,%u,1,1,1\n", i, i % 3, i);
        must_agree(GS_TABLE_SAMPLES, b.ptr, b.len - below(2));
        gs_arena_release(&arena);
    }
}

/* Byte by byte, as the definition says. */
static void masks_of_every_path_are_the_definition(void **state)
{
    (void)state;
    static const char bytes[] = "\",\r\n\0 \x8a\xa2\x2d\x0b\x23";
    for (int round = 0; round < 2000; round++) {
        char block[64];
        struct gs_masks expected = {0};
        for (unsigned i = 0; i < 64; i++) {
            block[i] = below(3) != 0 ? (char)below(256) : bytes[below(sizeof bytes - 1)];
            const bool odd = block[i] == '\r' || block[i] == '\0';
            expected.quote |= (uint64_t)(block[i] == '"' || odd) << i;
            expected.comma |= (uint64_t)(block[i] == ',' || odd) << i;
            expected.lf |= (uint64_t)(block[i] == '\n') << i;
        }
        const struct gs_masks plain = gs_masks_plain(block, ',');
        assert_memory_equal(&plain, &expected, sizeof expected);
        uint64_t words[8]; /* as processors without SSE2 do */
        gs_words_of(block, words);
        assert_true(gs_bits_plain(words, '\n') == expected.lf);
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx2")) {
            const struct gs_masks avx2 = gs_masks_avx2(block, ',');
            assert_memory_equal(&avx2, &expected, sizeof expected);
        }
#endif
    }
}

static void a_cut_at_any_byte_asks_for_more_or_refuses(void **state)
{
    (void)state;
    static const char row[] = "\"a\"\"b\",\"c\r\nd\" , e ,\"\"\r\nnext";
    static struct gs_split_row whole, part;
    assert_int_equal(gs_row_split(row, row + sizeof row - 1, false, ',', &whole), GS_SPLIT_ROW);
    assert_int_equal(whole.n_fields, 4);
    assert_int_equal(whole.n_lines, 2);
    assert_string_equal(whole.next, "next");
    assert_true(gs_str_eq(whole.field[0], gs_str("a\"b")));
    assert_true(gs_str_eq(whole.field[2], gs_str("e")));
    for (const char *end = row; end < whole.next; end++)
        assert_int_equal(gs_row_split(row, end, false, ',', &part), GS_SPLIT_MORE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_rows_are_read_alike),
        cmocka_unit_test(mutated_rows_are_read_alike),
        cmocka_unit_test(every_byte_of_a_usual_row_counts),
        cmocka_unit_test(unusual_rows_among_usual_ones_are_read_alike),
        cmocka_unit_test(quotes_that_usual_rows_do_not_have_count),
        cmocka_unit_test(what_a_chunk_taught_about_places_ends_with_it),
        cmocka_unit_test(odd_forms_are_read_alike),
        cmocka_unit_test(a_nul_byte_is_refused_at_its_line),
        cmocka_unit_test(rows_over_several_lines_are_read_alike),
        cmocka_unit_test(rows_of_every_length_are_read_alike),
        cmocka_unit_test(a_row_larger_than_the_splitter_goes_to_libcsv),
        cmocka_unit_test(faults_are_named_alike_wherever_chunks_are_cut),
        cmocka_unit_test(any_number_of_metrics_is_read_alike),
        cmocka_unit_test(logs_are_read_alike_whatever_parts_their_fields),
        cmocka_unit_test(logs_of_any_number_of_metrics_are_read_alike),
        cmocka_unit_test(mutated_logs_are_read_alike),
        cmocka_unit_test(columns_of_two_metrics_are_read_alike),
        cmocka_unit_test(every_byte_of_a_row_of_a_log_counts),
        cmocka_unit_test(logs_of_many_shapes_are_read_alike),
        cmocka_unit_test(logs_of_every_width_are_read_alike),
        cmocka_unit_test(times_of_every_form_are_read_alike),
        cmocka_unit_test(masks_of_every_path_are_the_definition),
        cmocka_unit_test(a_cut_at_any_byte_asks_for_more_or_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
