/*
 * format_nsys.c - reports of Nsight Systems as SQLite (nsys export -t sqlite), the only file that knows sqlite3.h. The
 * database may be anybody's: it is opened read only, nothing of its schema but plain tables is touched, and no file
 * beside it is made or looked at.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "input/bytes/bytes.h"
#include "base/num/order.h"
#include "input/formats/formats.h"

enum { PREVIEW_ROWS = 500, TEXT_BYTES_MAX = 16 << 20, SQL_MAX = 3000 };

struct nsys {
    sqlite3 *db;
    struct gs_text_in *in;
    struct gs_record_sink *out;
    char host[256];
    int fault;     /* what SQLite said of the file while tables were looked for */
    char base[32]; /* the session's start, to be added to its times; "0" where it is not there */
};

/* What SQLite says, as a status; its texts may hold names from the file. A damaged schema can be "out of memory" to it. */
static enum gs_status fail_sqlite(const struct nsys *n, int rc, struct gs_err *err)
{
    const char *text = sqlite3_errstr(rc);
    if (n->db != NULL && sqlite3_extended_errcode(n->db) == rc)
        text = sqlite3_errmsg(n->db);
    const int primary = rc & 0xff;
    enum gs_status s = GS_ERR_DATA;
    if (primary == SQLITE_NOMEM)
        s = GS_ERR_MEMORY;
    else if (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN)
        s = GS_ERR_IO;
    return gs_fail(err, s, "%s: SQLite: %s", n->in->name, GS_SHOWN(gs_str(text), 200));
}

/* Only reading, and only the functions that are used here. */
static int authorize(void *context, int action, const char *a, const char *b, const char *c,
                     const char *d)
{
    static const char *const functions[] = {"coalesce", "length", "like"};
    (void)context, (void)a, (void)c, (void)d;
    bool ours = action == SQLITE_SELECT || action == SQLITE_READ;
    for (size_t i = 0;
         action == SQLITE_FUNCTION && b != NULL && i < sizeof functions / sizeof *functions; i++)
        ours |= sqlite3_stricmp(b, functions[i]) == 0;
    if (ours)
        return SQLITE_OK;
    return SQLITE_DENY;
}

/* file:PATH with everything that a URI gives a meaning as %XX. immutable: no lock, no journal, no -wal beside it. */
static bool uri_of(const char *path, struct gs_buf *uri)
{
    gs_buf_text(uri, path[0] == '/' ? "file://" : "file:");
    for (const char *p = path; *p != '\0'; p++)
        if (strchr("%?#", *p) != NULL)
            gs_buf_format(uri, "%%%02x", (unsigned)(unsigned char)*p);
        else
            gs_buf_char(uri, *p);
    gs_buf_text(uri, "?mode=ro&immutable=1");
    return !uri->failed;
}

static enum gs_status open_database(struct nsys *n, struct gs_err *err)
{
    static const struct {
        int id, value;
    } limits[] = {{SQLITE_LIMIT_LENGTH, TEXT_BYTES_MAX},
                  {SQLITE_LIMIT_SQL_LENGTH, 1 << 16},
                  {SQLITE_LIMIT_COLUMN, 200},
                  {SQLITE_LIMIT_EXPR_DEPTH, 50},
                  {SQLITE_LIMIT_COMPOUND_SELECT, 2},
                  {SQLITE_LIMIT_VDBE_OP, 25000},
                  {SQLITE_LIMIT_FUNCTION_ARG, 8},
                  {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50},
                  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                  {SQLITE_LIMIT_WORKER_THREADS, 0}};
    static const struct {
        int option, value;
    } settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                    {SQLITE_DBCONFIG_ENABLE_VIEW, 0}};
    struct gs_buf uri = {.arena = n->in->arena};
    uint64_t size;
    if (n->in->path == NULL || gs_bytes_plain_fd(n->in->source, &size) < 0)
        return gs_fail(
            err, GS_ERR_DATA,
            "%s: a database of SQLite is read in place; expected a file that is not compressed",
            n->in->name);
    GS_TRY(gs_had_memory(uri_of(n->in->path, &uri), err));
    int rc = sqlite3_open_v2(gs_buf_str(&uri).ptr, &n->db,
                             SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_PRIVATECACHE |
                                 SQLITE_OPEN_NOMUTEX,
                             NULL);
    if (rc != SQLITE_OK)
        return fail_sqlite(n, rc, err);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        (void)sqlite3_limit(n->db, limits[i].id, limits[i].value);
    for (size_t i = 0; rc == SQLITE_OK && i < sizeof settings / sizeof *settings; i++)
        rc = sqlite3_db_config(n->db, settings[i].option, settings[i].value, (int *)NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(n->db,
                          "PRAGMA cell_size_check = 1; PRAGMA mmap_size = 0; PRAGMA temp_store = 1",
                          NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_set_authorizer(n->db, authorize, NULL);
    if (rc == SQLITE_OK)
        return GS_OK;
    return fail_sqlite(n, rc, err);
}

/* Remembers what is the file's fault: a table that is not there is none. */
static void note_fault(struct nsys *n, int rc)
{
    if (n->fault == SQLITE_OK && rc != SQLITE_OK && rc != SQLITE_ROW && rc != SQLITE_DONE &&
        (rc & 0xff) != SQLITE_ERROR)
        n->fault = rc;
}

/* Is there a plain table of that name which has the column? A table that SQLite cannot make sense of has none. */
static bool has_column(struct nsys *n, const char *table, const char *column)
{
    char sql[200];
    sqlite3_stmt *s = NULL;
    (void)snprintf(sql, sizeof sql,
                   "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = '%s'",
                   table);
    int rc = sqlite3_prepare_v2(n->db, sql, -1, &s, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(s);
    bool there = rc == SQLITE_ROW &&
                 sqlite3_column_int64(s, 0) > 0; /* a virtual table has no page of its own */
    note_fault(n, rc);
    (void)sqlite3_finalize(s);
    (void)snprintf(sql, sizeof sql, "SELECT t.\"%s\" FROM \"%s\" AS t", column, table);
    s = NULL; /* t."x": not a text in double quotes, as "x" alone might be */
    if (there) {
        rc = sqlite3_prepare_v2(n->db, sql, -1, &s, NULL);
        note_fault(n, rc);
        there = rc == SQLITE_OK;
    }
    (void)sqlite3_finalize(s);
    return there;
}

/* The text of the first row, where there is one. */
static void first_text(const struct nsys *n, const char *sql, char *text, size_t size)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(n->db, sql, -1, &s, NULL) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL) {
        const char *const found = (const char *)sqlite3_column_text(s, 0);
        if (found != NULL && strlen(found) < size)
            (void)snprintf(text, size, "%s", found);
    }
    (void)sqlite3_finalize(s);
}

static enum gs_status put_row(const struct nsys *n, sqlite3_stmt *q, const uint32_t *column,
                              int n_columns, struct gs_err *err)
{
    for (int i = 0; i < n_columns; i++) {
        if (sqlite3_column_type(q, i) == SQLITE_NULL)
            continue;
        const char *const text = (const char *)sqlite3_column_text(q, i);
        GS_TRY(gs_had_memory(text != NULL, err));
        gs_record_sink_put(n->out, column[i],
                           (struct gs_str){text, (size_t)sqlite3_column_bytes(q, i)});
    }
    return gs_record_sink_end(n->out, err);
}

/* Each row of a query is a record, its columns named as the query names them. */
static enum gs_status parse_rows(struct nsys *n, const char *sql, struct gs_err *err)
{
    enum { COLUMNS = 16 };
    sqlite3_stmt *q = NULL;
    uint32_t column[COLUMNS];
    enum gs_status s = GS_OK;
    int rc = sqlite3_prepare_v2(n->db, sql, -1, &q, NULL);
    const int n_columns = gs_min(sqlite3_column_count(q), COLUMNS); /* of no statement 0 */
    for (int i = 0; i < n_columns; i++)
        column[i] = gs_record_sink_column(n->out, gs_str(sqlite3_column_name(q, i)));
    if (rc == SQLITE_OK && n->host[0] != '\0' && sqlite3_bind_parameter_count(q) > 0)
        rc = sqlite3_bind_text(q, 1, n->host, -1, SQLITE_STATIC);
    for (uint64_t k = 0; s == GS_OK && rc == SQLITE_OK && !(n->out->cut && k >= PREVIEW_ROWS);
         k++) {
        rc = sqlite3_step(q);
        if (rc != SQLITE_ROW)
            break;
        rc = SQLITE_OK;
        n->out->line = n->out->n_records + 1;
        s = put_row(n, q, column, n_columns, err);
    }
    if (s == GS_OK && rc != SQLITE_OK && rc != SQLITE_DONE)
        s = fail_sqlite(n, rc, err);
    (void)sqlite3_finalize(q);
    return s;
}

/* The process of a row, out of a global identifier: its bits 24 to 47. */
#define PID_OF(column) "((t." column " >> 24) & 16777215)"

#define UUID "CASE length(g.uuid) WHEN 36 THEN 'GPU-' || g.uuid ELSE g.uuid END"

/*
 * The UUID of the GPU that a process calls device N, as nvidia-smi writes it. CUDA numbers only what the process may see: the
 * number alone says little.
 */
static void put_uuid(struct nsys *n, const char *device, const char *pid, char *sql, size_t size)
{
    const bool maps = has_column(n, "TARGET_INFO_CUDA_DEVICE", "gpuId") &&
                      has_column(n, "TARGET_INFO_CUDA_DEVICE", "cudaId") &&
                      has_column(n, "TARGET_INFO_CUDA_DEVICE", "pid");
    if (!has_column(n, "TARGET_INFO_GPU", "uuid") || !has_column(n, "TARGET_INFO_GPU", "id"))
        (void)snprintf(sql, size, "NULL");
    else if (pid != NULL && !maps)
        (void)snprintf(sql, size, "NULL");
    else if (pid == NULL)
        (void)snprintf(sql, size,
                       "(SELECT " UUID " FROM TARGET_INFO_GPU AS g WHERE g.id = %s LIMIT 1)",
                       device);
    else
        (void)snprintf(sql, size,
                       "(SELECT " UUID
                       " FROM TARGET_INFO_CUDA_DEVICE AS d, TARGET_INFO_GPU AS g WHERE d.cudaId = "
                       "%s AND d.pid = %s AND g.id = d.gpuId LIMIT 1)",
                       device, pid);
}

/* Ranges; what has no end (marks) or is no range (names of domains, threads) is nvtx-other. */
static enum gs_status parse_nvtx(struct nsys *n, struct gs_err *err)
{
    char sql[SQL_MAX];
    const bool ids = has_column(n, "NVTX_EVENTS", "textId") && has_column(n, "StringIds", "value");
    const bool text = has_column(n, "NVTX_EVENTS", "text"),
               types = has_column(n, "NVTX_EVENTS", "eventType");
    const bool tids = has_column(n, "NVTX_EVENTS", "globalTid");
    if (!has_column(n, "NVTX_EVENTS", "start") || !has_column(n, "NVTX_EVENTS", "end") ||
        (!ids && !text))
        return GS_OK;
    const char *const joined = text ? "coalesce(t.text, s.value)" : "s.value";
    (void)snprintf(sql, sizeof sql,
                   "SELECT %s AS kind, %s AS name, t.start + %s AS start_ns, t.\"end\" + %s AS "
                   "end_ns, %s AS pid, ?1 AS host FROM NVTX_EVENTS AS t %s",
                   types ? "CASE WHEN t.eventType IN (59, 60) THEN 'nvtx' ELSE 'nvtx-other' END"
                         : "CASE WHEN t.\"end\" IS NULL THEN 'nvtx-other' ELSE 'nvtx' END",
                   ids ? joined : "t.text", n->base, n->base, tids ? PID_OF("globalTid") : "NULL",
                   ids ? "LEFT JOIN StringIds AS s ON s.id = t.textId" : "");
    return parse_rows(n, sql, err);
}

static enum gs_status parse_kernels(struct nsys *n, struct gs_err *err)
{
    static const char *const table = "CUPTI_ACTIVITY_KIND_KERNEL";
    char sql[SQL_MAX], uuid[400];
    const bool pids = has_column(n, table, "globalPid"),
               names = has_column(n, "StringIds", "value");
    const char *const name = has_column(n, table, "demangledName") ? "demangledName" : "shortName";
    if (!has_column(n, table, "start") || !has_column(n, table, "end") ||
        !has_column(n, table, "deviceId") || !has_column(n, table, name))
        return GS_OK;
    put_uuid(n, "t.deviceId", pids ? PID_OF("globalPid") : NULL, uuid, sizeof uuid);
    const bool both = names && has_column(n, table, "shortName");
    (void)snprintf(sql, sizeof sql,
                   "SELECT 'kernel' AS kind, %s%s%s AS name, t.start + %s AS start_ns, t.\"end\" + "
                   "%s AS end_ns, %s AS pid, t.deviceId AS device, %s AS gpu_uuid, %s AS "
                   "short_name, ?1 AS host FROM CUPTI_ACTIVITY_KIND_KERNEL AS t %s%s%s",
                   names ? "coalesce(s.value, t." : "t.", name, names ? ")" : "", n->base, n->base,
                   pids ? PID_OF("globalPid") : "NULL", uuid, both ? "s2.value" : "NULL",
                   names ? "LEFT JOIN StringIds AS s ON s.id = t." : "", names ? name : "",
                   both ? " LEFT JOIN StringIds AS s2 ON s2.id = t.shortName" : "");
    return parse_rows(n, sql, err);
}

/* Copies and fills, named as `nsys stats` names them. */
static enum gs_status parse_transfers(struct nsys *n, const char *table, const char *kind,
                                      const char *name, struct gs_err *err)
{
    char sql[SQL_MAX], uuid[400];
    const bool pids = has_column(n, table, "globalPid");
    if (!has_column(n, table, "start") || !has_column(n, table, "end") ||
        !has_column(n, table, "deviceId"))
        return GS_OK;
    put_uuid(n, "t.deviceId", pids ? PID_OF("globalPid") : NULL, uuid, sizeof uuid);
    (void)snprintf(
        sql, sizeof sql,
        "SELECT '%s' AS kind, %s AS name, t.start + %s AS start_ns, t.\"end\" + %s AS end_ns, %s "
        "AS pid, t.deviceId AS device, %s AS gpu_uuid, ?1 AS host FROM \"%s\" AS t",
        kind, name, n->base, n->base, pids ? PID_OF("globalPid") : "NULL", uuid, table);
    return parse_rows(n, sql, err);
}

/* Sampled metrics, where power is among them; most reports have only counters of the SMs, by the million. */
static enum gs_status parse_metrics(struct nsys *n, struct gs_err *err)
{
    char sql[SQL_MAX], uuid[400], power[8] = "";
    if (!has_column(n, "GPU_METRICS", "timestamp") || !has_column(n, "GPU_METRICS", "typeId") ||
        !has_column(n, "GPU_METRICS", "metricId") || !has_column(n, "GPU_METRICS", "value") ||
        !has_column(n, "TARGET_INFO_GPU_METRICS", "metricName") ||
        !has_column(n, "TARGET_INFO_GPU_METRICS", "typeId") ||
        !has_column(n, "TARGET_INFO_GPU_METRICS", "metricId"))
        return GS_OK;
    first_text(n,
               "SELECT 'yes' FROM TARGET_INFO_GPU_METRICS AS i WHERE i.metricName LIKE '%power "
               "[W]' LIMIT 1",
               power, sizeof power);
    if (power[0] == '\0')
        return GS_OK;
    put_uuid(n, "(t.typeId & 255)", NULL, uuid,
             sizeof uuid); /* the low bits are the number in TARGET_INFO_GPU */
    (void)snprintf(
        sql, sizeof sql,
        "SELECT 'metric' AS kind, t.timestamp + %s AS time_ns, i.metricName AS metric, t.value AS "
        "value, (t.typeId & 255) AS device, %s AS gpu_uuid, ?1 AS host FROM GPU_METRICS AS t, "
        "TARGET_INFO_GPU_METRICS AS i WHERE i.typeId = t.typeId AND i.metricId = t.metricId",
        n->base, uuid);
    return parse_rows(n, sql, err);
}

/* Reads what SQLite did not: whoever asked for a digest of the file gets that of all its bytes. */
static enum gs_status read_rest(struct gs_text_in *in, struct gs_err *err)
{
    enum { PIECE = 64 << 10 };
    char *const room = gs_arena_take_raw(in->arena, PIECE, 1);
    size_t got = 1;
    GS_TRY(gs_had_memory(room != NULL, err));
    while (got > 0)
        GS_TRY(gs_bytes_read(in->source, room, PIECE, &got, err));
    return GS_OK;
}

static bool is_sqlite(struct gs_str head)
{
    static const char magic[16] = "SQLite format 3";
    return head.len >= sizeof magic && memcmp(head.ptr, magic, sizeof magic) == 0;
}

static enum gs_status read_tables(struct nsys *n, struct gs_err *err)
{
    static const char *const copies =
        "'[CUDA memcpy ' || CASE t.copyKind WHEN 1 THEN 'Host-to-Device' WHEN 2 THEN "
        "'Device-to-Host' WHEN 8 THEN 'Device-to-Device' WHEN 10 THEN 'Peer-to-Peer' ELSE "
        "t.copyKind END || ']'";
    char number[24] = "";
    if (has_column(n, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs"))
        first_text(n, "SELECT t.utcEpochNs + 0 FROM TARGET_INFO_SESSION_START_TIME AS t", number,
                   sizeof number);
    (void)snprintf(n->base, sizeof n->base, "%s",
                   number[0] == '\0' || strspn(number, "0123456789") != strlen(number) ? "0"
                                                                                       : number);
    if (has_column(n, "TARGET_INFO_SYSTEM_ENV", "value") &&
        has_column(n, "TARGET_INFO_SYSTEM_ENV", "name"))
        first_text(n, "SELECT t.value FROM TARGET_INFO_SYSTEM_ENV AS t WHERE t.name = 'Hostname'",
                   n->host, sizeof n->host);
    GS_TRY(parse_nvtx(n, err));
    GS_TRY(parse_kernels(n, err));
    GS_TRY(parse_transfers(
        n, "CUPTI_ACTIVITY_KIND_MEMCPY", "memcpy",
        has_column(n, "CUPTI_ACTIVITY_KIND_MEMCPY", "copyKind") ? copies : "'[CUDA memcpy]'", err));
    GS_TRY(parse_transfers(n, "CUPTI_ACTIVITY_KIND_MEMSET", "memset", "'[CUDA memset]'", err));
    GS_TRY(parse_metrics(n, err));
    if (n->fault != SQLITE_OK)
        GS_TRY(fail_sqlite(n, n->fault, err));
    if (n->out->n_records == 0)
        return gs_fail(err, GS_ERR_DATA,
                       "%s: a database of SQLite without NVTX_EVENTS, CUPTI_ACTIVITY_KIND_KERNEL "
                       "or other rows of Nsight Systems",
                       n->in->name);
    return GS_OK;
}

static enum gs_status read_nsys(struct gs_text_in *in, struct gs_record_sink *out,
                                struct gs_err *err)
{
    struct nsys n = {.in = in, .out = out};
    enum gs_status s = open_database(&n, err);
    GS_THEN(s, read_tables(&n, err));
    (void)sqlite3_close(n.db);
    return s == GS_OK && !out->cut ? read_rest(in, err) : s;
}

const struct gs_form gs_form_nsys = {.name = "nsys",
                                     .container = GS_CONTAINER_BINARY,
                                     .device = "device",
                                     .uuid = "gpu_uuid",
                                     .matches = is_sqlite,
                                     .read = read_nsys};
