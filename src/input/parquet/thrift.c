/* thrift.c - Thrift's compact protocol (thrift-compact-protocol.md in the specification of Thrift). */
#include "input/parquet/thrift.h"

/* Wire types; of a field that is a boolean the type is the value. */
enum { STOP, TRUE_, FALSE_, I8, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT };

/* Metadata nest five deep; a bomb of nested structures must not use up the stack. */
enum { DEPTH_MAX = 16 };

/*
 * Moves to the end, so that all later reads fail as well: callers check `bad` once, at the end,
 * and loops over items stop.
 */
static uint64_t fail(struct gs_thrift *t)
{
    t->bad = true;
    t->at = t->end;
    return 0;
}

static unsigned byte_of(struct gs_thrift *t)
{
    return t->at < t->end ? *t->at++ : (unsigned)fail(t);
}

/*
 * Ten bytes at most; a longer one is damage, and without the limit it could be as long as the
 * file.
 */
uint64_t gs_thrift_varint(struct gs_thrift *t)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const unsigned b = byte_of(t);
        v |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80)
            return v;
    }
    return fail(t);
}

int64_t gs_thrift_int(struct gs_thrift *t, unsigned type)
{
    if (type == I8)
        return (signed char)byte_of(t);
    return type >= I16 && type <= I64 ? gs_zigzag(gs_thrift_varint(t)) : (int64_t)fail(t);
}

bool gs_thrift_bool(struct gs_thrift *t, unsigned type)
{
    return type == TRUE_ || (type != FALSE_ && fail(t) != 0);
}

/*
 * Points into the bytes, which must outlive it. The length is compared with what is left before
 * it is used.
 */
struct gs_str gs_thrift_text(struct gs_thrift *t, unsigned type)
{
    const uint64_t n = type == BINARY ? gs_thrift_varint(t) : fail(t);
    if (n > (uint64_t)(t->end - t->at))
        (void)fail(t);
    const struct gs_str text = {(const char *)t->at, t->bad ? 0 : (size_t)n};
    t->at += text.len;
    return text;
}

/*
 * The element type stands in the low half of a byte, the number in the high half, 15: behind it.
 * Every item takes at least a byte, so a list cannot have more items than there are bytes.
 * Callers allocate by this number.
 */
static size_t list_of(struct gs_thrift *t, unsigned *element)
{
    const unsigned head = byte_of(t);
    const uint64_t n = head >> 4 < 15 ? head >> 4 : gs_thrift_varint(t);
    *element = head & 15;
    return n > (uint64_t)(t->end - t->at) ? (size_t)fail(t) : (size_t)n;
}

size_t gs_thrift_list(struct gs_thrift *t, unsigned type)
{
    unsigned element;
    const size_t n = type == LIST ? list_of(t, &element) : (size_t)fail(t);
    return n > 0 && element != STRUCT ? (size_t)fail(t) : n;
}

/* `field` must consume the field, or skip it: the next header is read from where it stops. */
void gs_thrift_struct(struct gs_thrift *t, gs_thrift_field_fn *field, void *context)
{
    int id = 0;
    if (t->depth >= DEPTH_MAX)
        (void)fail(t);
    t->depth++;
    while (!t->bad) {
        const unsigned head = byte_of(t), type = head & 15;
        if (type == STOP)
            break;
        id = head >> 4 != 0 ? id + (int)(head >> 4) : (int)gs_thrift_int(t, I16);
        if (id > INT16_MAX || id <= 0)
            (void)fail(t);
        if (!t->bad)
            field(t, context, id, type);
    }
    t->depth--;
}

void gs_thrift_nested(struct gs_thrift *t, unsigned type, gs_thrift_field_fn *field, void *context)
{
    if (type == STRUCT)
        gs_thrift_struct(t, field, context);
    else
        (void)fail(t);
}

static void skip_field(struct gs_thrift *t, void *context, int id, unsigned type)
{
    (void)context, (void)id;
    gs_thrift_skip(t, type);
}

/* The depth counts lists, too: a list of lists nests without any structure. */
static void skip_items(struct gs_thrift *t, size_t n, unsigned key, unsigned value)
{
    if (t->depth >= DEPTH_MAX)
        (void)fail(t);
    t->depth++;
    for (size_t i = 0; i < n && !t->bad; i++) {
        const unsigned types[] = {key, value};
        for (int k = 0; k < 2; k++) /* a boolean of a list is a byte of its own */
            if (types[k] == TRUE_ || types[k] == FALSE_)
                (void)byte_of(t);
            else if (types[k] != STOP)
                gs_thrift_skip(t, types[k]);
    }
    t->depth--;
}

void gs_thrift_skip(struct gs_thrift *t, unsigned type)
{
    unsigned element = 0;
    size_t n;
    switch (type) {
    case TRUE_:
    case FALSE_:
        return;
    case I8:
    case I16:
    case I32:
    case I64:
        (void)gs_thrift_int(t, type);
        return;
    case DOUBLE:
        for (int i = 0; i < 8; i++)
            (void)byte_of(t);
        return;
    case BINARY:
        (void)gs_thrift_text(t, type);
        return;
    case LIST:
    case SET:
        n = list_of(t, &element);
        skip_items(t, n, STOP, element);
        return;
    case MAP: /* an empty one has no byte for its types */
        n = (size_t)gs_thrift_varint(t);
        if (n > (size_t)(t->end - t->at))
            (void)fail(t);
        element = n > 0 ? byte_of(t) : 0;
        skip_items(t, n, element >> 4, element & 15);
        return;
    case STRUCT:
        gs_thrift_struct(t, skip_field, NULL);
        return;
    default:
        (void)fail(t);
    }
}
