/* metadata.c - the footer of a Parquet file: its schema, and where the pages of each column lie. */
#include "input/parquet/parquet_parts.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/os/input_meter.h"

enum {
    MAGIC = 4,
    TAIL = 8,
    FOOTER_MAX = 256 << 20,
    WIDTH_MAX = 1 << 20,
    DEPTH_MAX = 12,
    NAME_MAX_BYTES = 1024
};

/* PARE is an encrypted footer: it is detected, so that the error can say why it is not read. */
bool gs_is_parquet(const char *head, size_t len)
{
    return len >= MAGIC && (memcmp(head, "PAR1", MAGIC) == 0 || memcmp(head, "PARE", MAGIC) == 0);
}

/*
 * All offsets come from the file; this is the one place that checks them against its size. pread,
 * as several threads read row groups through one descriptor.
 */
enum gs_status gs_parquet_read(const struct gs_parquet *p, uint64_t at, size_t n, char *to,
                               struct gs_err *err)
{
    if (at > p->size || n > p->size - at)
        return gs_fail(err, GS_ERR_DATA, "%s: is damaged: parts of it would lie behind its end",
                       p->name);
    while (n > 0) {
        const ssize_t got = pread(p->fd, to, n, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return gs_fail(err, GS_ERR_IO, "%s: %s", p->name,
                           got < 0 ? strerror(errno) : "was cut short while it was read");
        to += got;
        gs_input_meter_add(p->is_metered ? (uint64_t)got : 0);
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return gs_input_meter_check(err);
}

/* LogicalType of parquet.thrift, by its fields; INTERVAL has none any more. */
enum { DECIMAL = 5, DATE, TIME, TIMESTAMP, INTEGER = 10, UUID = 14, FLOAT16, INTERVAL };

/* An element of the schema: a group or a column. */
struct element {
    int64_t type, width, repetition, n_children, converted, scale;
    struct gs_str name;
    int logical; /* field of LogicalType; 0: none */
    bool utc, is_signed;
    int64_t unit; /* field of TimeUnit             */
};

struct footer {
    struct gs_parquet *p;
    struct gs_arena *arena;
    struct gs_err *err;
    enum gs_status status;
    struct element *element;
    size_t n_elements;
    struct gs_parquet_group *group; /* being read */
    struct gs_parquet_chunk *chunk;
    bool encrypted, elsewhere;
    char repeated[80]; /* a column that is left out, for a message */
};

static void no_memory(struct footer *f, struct gs_thrift *t)
{
    f->status = gs_fail_memory(f->err);
    t->bad = true;
}

static void take_time_unit(struct gs_thrift *t, void *context, int id, unsigned type)
{
    ((struct element *)context)->unit = id;
    gs_thrift_skip(t, type);
}

/* Fields 1 and 2 of TimestampType, TimeType, IntType and DecimalType. */
static void take_logical_details(struct gs_thrift *t, void *context, int id, unsigned type)
{
    struct element *const e = context;
    const bool time = e->logical == TIME || e->logical == TIMESTAMP;
    if (time && id == 1)
        e->utc = gs_thrift_bool(t, type);
    else if (time && id == 2)
        gs_thrift_nested(t, type, take_time_unit, e);
    else if (e->logical == INTEGER && id == 2)
        e->is_signed = gs_thrift_bool(t, type);
    else if (e->logical == DECIMAL && id == 1)
        e->scale = gs_thrift_int(t, type);
    else
        gs_thrift_skip(t, type);
}

static void take_logical(struct gs_thrift *t, void *context, int id, unsigned type)
{
    ((struct element *)context)->logical = id;
    gs_thrift_nested(t, type, take_logical_details, context);
}

static void take_element(struct gs_thrift *t, void *context, int id, unsigned type)
{
    struct element *const e = context;
    int64_t *const number[] = {NULL, &e->type,       &e->width,     &e->repetition,
                               NULL, &e->n_children, &e->converted, &e->scale};
    if (id < 8 && number[id] != NULL)
        *number[id] = gs_thrift_int(t, type);
    else if (id == 4)
        e->name = gs_thrift_text(t, type);
    else if (id == 10)
        gs_thrift_nested(t, type, take_logical, e);
    else
        gs_thrift_skip(t, type);
}

/* Some writers set the dictionary's offset to 0 where there is none, so 0 does not count. */
static void take_chunk_data(struct gs_thrift *t, void *context, int id, unsigned type)
{
    struct gs_parquet_chunk *const c = context;
    if (id == 4)
        c->codec = (int)gs_thrift_int(t, type);
    else if (id == 5)
        c->n_values = gs_thrift_int(t, type);
    else if (id == 7)
        c->size = (uint64_t)gs_thrift_int(t, type);
    else if (id == 9 || id == 11) { /* the dictionary, where there is one, lies before the data */
        const uint64_t at = (uint64_t)gs_thrift_int(t, type);
        if (at > 0 && (c->begin == 0 || at < c->begin))
            c->begin = at;
    } else
        gs_thrift_skip(t, type);
}

static void take_chunk(struct gs_thrift *t, void *context, int id, unsigned type)
{
    struct footer *const f = context;
    f->elsewhere |= id == 1;
    f->encrypted |= id == 8 || id == 9;
    if (id == 3)
        gs_thrift_nested(t, type, take_chunk_data, f->chunk);
    else
        gs_thrift_skip(t, type);
}

/*
 * The number of chunks is at most the number of bytes left, so a footer cannot ask for much
 * memory.
 */
static void take_group(struct gs_thrift *t, void *context, int id, unsigned type)
{
    struct footer *const f = context;
    if (id == 3) {
        f->group->n_rows = (uint64_t)gs_thrift_int(t, type);
    } else if (id == 1) {
        f->group->n_chunks = gs_thrift_list(t, type);
        f->group->chunk = gs_arena_take(f->arena, f->group->n_chunks, sizeof *f->group->chunk);
        if (f->group->chunk == NULL)
            no_memory(f, t);
        for (size_t i = 0; i < f->group->n_chunks && !t->bad; i++) {
            f->chunk = &f->group->chunk[i];
            gs_thrift_struct(t, take_chunk, f);
        }
    } else {
        gs_thrift_skip(t, type);
    }
}

/*
 * Once all is read: fields may stand in any order. Readers rely on it: every group has a chunk
 * per leaf, and every chunk lies within the file.
 */
static bool are_groups_sound(const struct gs_parquet *p)
{
    for (size_t g = 0; g < p->n_groups; g++) {
        const struct gs_parquet_group *const group = &p->group[g];
        if (group->n_chunks != p->n_leaves || group->n_rows > UINT32_MAX)
            return false;
        for (size_t i = 0; i < group->n_chunks; i++)
            if (group->chunk[i].begin < MAGIC || group->chunk[i].begin > p->size ||
                group->chunk[i].size > p->size - group->chunk[i].begin ||
                group->chunk[i].n_values < 0)
                return false;
    }
    return true;
}

static void take_footer(struct gs_thrift *t, void *context, int id, unsigned type)
{
    struct footer *const f = context;
    struct gs_parquet *const p = f->p;
    if (id == 2 && f->element == NULL) {
        f->n_elements = gs_thrift_list(t, type);
        f->element = gs_arena_take(f->arena, f->n_elements, sizeof *f->element);
        if (f->element == NULL)
            no_memory(f, t);
        for (size_t i = 0; i < f->n_elements && !t->bad; i++) {
            f->element[i].type = f->element[i].converted = -1;
            f->element[i].is_signed = true;
            gs_thrift_struct(t, take_element, &f->element[i]);
            p->n_leaves += i > 0 && f->element[i].n_children == 0;
        }
    } else if (id == 4 && p->group == NULL) {
        p->n_groups = gs_thrift_list(t, type);
        p->group = gs_arena_take(f->arena, p->n_groups, sizeof *p->group);
        if (p->group == NULL)
            no_memory(f, t);
        for (size_t i = 0; i < p->n_groups && !t->bad; i++) {
            f->group = &p->group[i];
            gs_thrift_struct(t, take_group, f);
        }
    } else {
        f->encrypted |= id == 8;
        gs_thrift_skip(t, type);
    }
}

/* The older converted types as the logical ones that they stand for (LogicalTypes.md, compatibility). */
static void modernise(struct element *e)
{
    enum { MILLIS = 1, MICROS };
    static const struct {
        unsigned char logical, unit;
        bool is_unsigned;
    } of[] = {[5] = {DECIMAL, 0, false},        [6] = {DATE, 0, false},
              [7] = {TIME, MILLIS, false},      [8] = {TIME, MICROS, false},
              [9] = {TIMESTAMP, MILLIS, false}, [10] = {TIMESTAMP, MICROS, false},
              [11] = {INTEGER, 0, true},        [12] = {INTEGER, 0, true},
              [13] = {INTEGER, 0, true},        [14] = {INTEGER, 0, true},
              [21] = {INTERVAL, 0, false}};
    if (e->logical != 0 || e->converted < 0 || e->converted >= (int64_t)(sizeof of / sizeof *of))
        return;
    e->logical = of[e->converted].logical;
    e->unit = of[e->converted].unit;
    e->is_signed = !of[e->converted].is_unsigned;
    e->utc = true; /* all instants of that time were */
}

static enum gs_parquet_kind integer_kind(const struct element *e, struct gs_parquet_column *c)
{
    static const int64_t units[] = {0, 1000000, 1000, 1}; /* of TimeUnit, in ns */
    c->unit_ns = e->unit >= 1 && e->unit <= 3 ? units[e->unit] : 0;
    c->utc = e->utc;
    enum gs_parquet_kind kind = GS_PARQUET_INTEGER;
    bool fits = true;
    switch (e->logical) {
    case TIMESTAMP:
        kind = GS_PARQUET_INSTANT;
        fits = c->unit_ns > 0;
        break;
    case TIME:
        kind = GS_PARQUET_TIME_OF_DAY;
        fits = c->unit_ns > 0;
        break;
    case DATE:
        kind = GS_PARQUET_DATE;
        break;
    case DECIMAL:
        c->scale = (int32_t)e->scale;
        fits = e->scale >= 0 && e->scale <= 18;
        break;
    default:
        if (!e->is_signed)
            kind = GS_PARQUET_UNSIGNED;
    }
    if (!fits)
        return GS_PARQUET_REFUSED;
    return kind;
}

static enum gs_parquet_kind kind_of(const struct element *e, struct gs_parquet_column *c)
{
    const bool packed = e->logical == DECIMAL || e->logical == FLOAT16 || e->logical == INTERVAL;
    switch (e->type) {
    case BOOLEAN:
        return GS_PARQUET_BOOLEAN;
    case INT32:
    case INT64:
        return integer_kind(e, c);
    case INT96: /* Hive's and Impala's instants, of which the file does not have the zone */
        c->unit_ns = 1;
        return GS_PARQUET_INSTANT;
    case FLOAT:
        return GS_PARQUET_FLOAT;
    case DOUBLE:
        return GS_PARQUET_DOUBLE;
    case BYTE_ARRAY:
        return packed ? GS_PARQUET_REFUSED : GS_PARQUET_TEXT;
    case FIXED_LEN_BYTE_ARRAY:
        c->width = (int32_t)e->width;
        if (e->width <= 0 || e->width > WIDTH_MAX || packed)
            return GS_PARQUET_REFUSED;
        if (e->logical != UUID)
            return GS_PARQUET_TEXT;
        return e->width == 16 ? GS_PARQUET_UUID : GS_PARQUET_REFUSED;
    default:
        return GS_PARQUET_REFUSED;
    }
}

/* A group that is open while the schema, a tree with its branches before its leaves, is walked. */
struct branch {
    int64_t left;
    size_t name_len;
    unsigned max_def;
    bool repeats;
};

/* A leaf of the schema is a column; one that repeats is left out, and its name kept for a message. */
static bool add_column(struct footer *f, struct element *e, const struct branch *own,
                       struct gs_str path, size_t leaf)
{
    struct gs_parquet *const p = f->p;
    struct gs_parquet_column c = {.physical = (int)e->type, .max_def = own->max_def, .leaf = leaf};
    modernise(e);
    c.kind = kind_of(e, &c);
    const bool copied = gs_str_copy(f->arena, path, &c.name);
    if (own->repeats)
        (void)gs_escape(f->repeated, sizeof f->repeated, path);
    else
        p->column[p->n_columns++] = c;
    return copied;
}

/* Lists the columns. False: no tree, or one too deep. */
static bool list_columns(struct footer *f)
{
    enum { REQUIRED, OPTIONAL, REPEATED };
    struct gs_parquet *const p = f->p;
    struct branch open[DEPTH_MAX + 1] = {0};
    struct gs_buf path = {.arena = f->arena};
    size_t depth = 0, leaf = 0;
    bool ok = f->n_elements > 0;
    open[0].left = ok ? f->element[0].n_children : 0;
    /* The name of a group stands in those of all its columns: their number bounds what that comes to. */
    p->column = gs_arena_take(f->arena, p->n_leaves, sizeof *p->column);
    for (size_t i = 1; ok && i < f->n_elements; i++) {
        struct element *const e = &f->element[i];
        while (depth > 0 && open[depth].left == 0)
            depth--;
        struct branch *const in = &open[depth];
        if (p->column == NULL || in->left-- <= 0 || e->n_children < 0 ||
            in->name_len + e->name.len > NAME_MAX_BYTES)
            return false;
        path.len = in->name_len;
        gs_buf_text_if(&path, path.len > 0, ".");
        gs_buf_add(&path, e->name);
        const struct branch own = {e->n_children, path.len,
                                   in->max_def + (e->repetition != REQUIRED),
                                   in->repeats || e->repetition == REPEATED};
        if (e->n_children == 0)
            ok = !path.failed && add_column(f, e, &own, gs_buf_str(&path), leaf++);
        else if ((ok = depth < DEPTH_MAX))
            open[++depth] = own;
    }
    while (depth > 0 && open[depth].left == 0)
        depth--;
    return ok && depth == 0 && open[0].left == 0;
}

static enum gs_status parse_footer(struct footer *f, const char *bytes, size_t n,
                                   struct gs_err *err)
{
    struct gs_parquet *const p = f->p;
    struct gs_thrift t = {.at = (const unsigned char *)bytes,
                          .end = (const unsigned char *)bytes + n};
    gs_thrift_struct(&t, take_footer, f);
    if (f->status != GS_OK)
        return f->status;
    if (f->encrypted)
        return gs_fail(err, GS_ERR_DATA, "%s: is encrypted Parquet, which is not read", p->name);
    if (f->elsewhere)
        return gs_fail(err, GS_ERR_DATA, "%s: has columns in other files, which are not read",
                       p->name);
    if (p->n_leaves > UINT16_MAX)
        return gs_fail(err, GS_ERR_DATA, "%s: has more than %d columns", p->name, UINT16_MAX);
    if (t.bad || !are_groups_sound(p) || !list_columns(f))
        return gs_fail(err, GS_ERR_DATA, "%s: is damaged: its metadata are no Parquet", p->name);
    if (p->n_columns == 0)
        return gs_fail(err, GS_ERR_DATA,
                       p->n_leaves > 0
                           ? "%s: column '%s' is a list or map; expected columns of single values"
                           : "%s: has no columns%.0s",
                       p->name, f->repeated);
    return GS_OK;
}

enum gs_status gs_parquet_open(struct gs_parquet *p, int fd, uint64_t size, const char *name,
                               struct gs_arena *arena, struct gs_err *err)
{
    struct gs_parquet own = {.name = name, .fd = fd, .size = size};
    struct footer f = {.p = &own, .arena = arena, .err = err};
    GS_OWN struct gs_arena scratch = {0};
    unsigned char tail[TAIL] = {0};
    if (size >= MAGIC + TAIL)
        GS_TRY(gs_parquet_read(&own, size - TAIL, TAIL, (char *)tail, err));
    if (memcmp(tail + 4, "PARE", MAGIC) == 0)
        return gs_fail(err, GS_ERR_DATA, "%s: is encrypted Parquet, which is not read", name);
    const uint64_t n = (uint64_t)tail[0] | (uint64_t)tail[1] << 8 | (uint64_t)tail[2] << 16 |
                       (uint64_t)tail[3] << 24;
    if (memcmp(tail + 4, "PAR1", MAGIC) != 0 || n > size - MAGIC - TAIL || n > FOOTER_MAX)
        return gs_fail(err, GS_ERR_DATA,
                       "%s: is damaged or cut off: begins as Parquet, and does not end so", name);
    GS_NEW_RAW(char, bytes, (size_t)n + 1, &scratch, err);
    GS_TRY(gs_parquet_read(&own, size - TAIL - n, (size_t)n, bytes, err));
    GS_TRY(parse_footer(&f, bytes, (size_t)n, err));
    *p = own;
    return GS_OK;
}

uint64_t gs_parquet_group_rows(const struct gs_parquet *p, size_t group)
{
    return p->group[group].n_rows;
}
