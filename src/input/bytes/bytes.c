/* bytes.c - byte sources; a compressed stream that ends early or is damaged is an error. */
#include "input/bytes/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/num/order.h"
#include "input/bytes/decompress.h"
#include "base/core/text.h"
#include "base/os/input_meter.h"
#include "input/parquet/parquet.h"

enum { IN_BYTES = 128 << 10 };

struct gs_bytes {
    const char *name;
    int fd;
    bool owns_fd;
    const struct gs_codec *codec;
    void *state;
    char magic[GS_CODEC_MAGIC_MAX];
    char *in;       /* [in_size] bytes read and not yet handed out: the magic, or packed input */
    size_t in_size; /* of a plain regular file no more than the magic: many may be open        */
    size_t in_pos, in_len;
    bool end, between_members;
    bool plain; /* a regular file, not compressed, from its start */
    bool regular, from_start;
    uint64_t size;              /* regular: at opening                            */
    struct gs_file_stamp stamp; /* likewise                                     */
    uint64_t left;              /* of it, behind what was read                    */
    uint64_t n_given;           /* handed out                                     */
    struct gs_sha256 *digest;   /* NULL: not asked for                 */
    bool parquet;               /* handed out as a table with commas */
    struct gs_parquet_table *table;
    struct gs_str rows; /* of it, not yet handed out */
};

static struct gs_file_stamp stamp_of(const struct stat *st)
{
    return (struct gs_file_stamp){(uint64_t)st->st_dev, (uint64_t)st->st_ino, (uint64_t)st->st_size,
                                  (int64_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec};
}

/*
 * A log may grow: what is appended while it is read is for the next run. An equal size with
 * another time is a file that was written over in place.
 */
bool gs_stamp_is_other(const struct gs_file_stamp *before, const struct gs_file_stamp *now)
{
    const bool same_file = before->device == now->device && before->inode == now->inode;
    const bool same_time = before->mtime_s == now->mtime_s && before->mtime_ns == now->mtime_ns;
    return !same_file || now->size < before->size || (now->size == before->size && !same_time);
}

bool gs_stamp_of(int fd, struct gs_file_stamp *stamp)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    *stamp = stamp_of(&st);
    return true;
}

/*
 * A file that cannot be examined any more counts as unchanged: its descriptor still gives the
 * bytes.
 */
bool gs_bytes_changed(const struct gs_bytes *b)
{
    struct gs_file_stamp now;
    return b->regular && gs_stamp_of(b->fd, &now) && gs_stamp_is_other(&b->stamp, &now);
}

struct gs_file_stamp gs_bytes_stamp(const struct gs_bytes *b)
{
    return b->stamp;
}

/*
 * The only place that reads a descriptor in order, so the digest, the meter and the check of the
 * size see every byte exactly once. An end before the size at opening is an error: a result of
 * half a file would look like one of all of it.
 */
static enum gs_status read_some(struct gs_bytes *b, char *room, size_t size, size_t *n_read,
                                struct gs_err *err)
{
    for (;;) {
        const ssize_t n = read(b->fd, room, size);
        if (n == 0 && b->regular && b->left > 0)
            return gs_fail(
                err, GS_ERR_IO,
                "%s: was cut short while it was read: it had %llu bytes, %llu are missing", b->name,
                (unsigned long long)b->size, (unsigned long long)b->left);
        if (n == 0 && b->regular && gs_bytes_changed(b))
            return gs_fail(err, GS_ERR_IO, GS_BYTES_CHANGED, b->name);
        if (n >= 0) {
            gs_input_meter_add((uint64_t)n);
            b->left -= gs_min(b->left, (uint64_t)n);
            if (b->digest != NULL)
                gs_sha256_add(b->digest, room, (size_t)n);
            *n_read = (size_t)n;
            return gs_input_meter_check(err);
        }
        if (errno == EISDIR)
            return gs_fail(err, GS_ERR_NOINPUT, "%s: is a directory, expected a file", b->name);
        if (errno != EINTR)
            return gs_fail(err, GS_ERR_IO, "%s: %s", b->name, strerror(errno));
    }
}

/*
 * A buffer behind the magic, for what is packed or no file. A plain file needs no buffer of its
 * own. A run may have hundreds of files open at once, and 128 KiB for each would add up.
 */
static bool make_room(struct gs_bytes *b)
{
    char *const room = gs_memory_reserve(IN_BYTES);
    if (room == NULL)
        return false;
    memcpy(room, b->in, b->in_len);
    b->in = room;
    b->in_size = IN_BYTES;
    return true;
}

/*
 * Reads until the magic is decided: pipes may hand out single bytes. Decided by content and not
 * by name: logs are renamed, and `-` has no name. A file shorter than the longest magic is plain
 * unless what it has is a whole magic.
 */
static enum gs_status read_magic(struct gs_bytes *b, struct gs_err *err)
{
    if (!b->regular && !make_room(b))
        return gs_fail_memory(err);
    while (b->in_len < GS_CODEC_MAGIC_MAX) {
        size_t n = 0;
        GS_TRY(read_some(b, b->in + b->in_len, b->in_size - b->in_len, &n, err));
        if (n == 0)
            break;
        b->in_len += n;
    }
    b->codec = gs_codec_find(b->in, b->in_len);
    b->parquet = b->regular && b->from_start && gs_is_parquet(b->in, b->in_len);
    b->plain &= !b->parquet;
    if (b->codec == NULL)
        return GS_OK;
    if (b->regular && !make_room(b))
        return gs_fail_memory(err);
    b->plain = false;
    b->state = b->codec->open();
    return gs_had_memory(b->state != NULL, err);
}

/*
 * A regular file there that was not read from is opened anew, so that it can be read more than
 * once. `gpustat < file` can then be read in parallel and more than once, like `gpustat file`. If
 * another program has read part of it, the offset is not 0 and it stays a stream.
 */
static int open_stdin(bool *owns)
{
    struct stat st;
    const bool whole = fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode) &&
                       lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
    const int own = whole ? open("/dev/fd/0", O_RDONLY | O_CLOEXEC | O_NOCTTY) : -1;
    *owns = own >= 0;
    if (!*owns)
        return STDIN_FILENO;
    return own;
}

/*
 * O_NOCTTY: a path may be a terminal, which must not become the controlling one. Devices such as
 * /dev/zero have no end; /dev/null (1, 3) and terminals have one and are allowed.
 */
enum gs_status gs_bytes_open(const char *path, struct gs_arena *arena, struct gs_bytes **source,
                             struct gs_err *err)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    const char *const name = gs_escaped(arena, gs_file_called(gs_str(path)), 512);
    GS_NEW(struct gs_bytes, b, 1, arena, err);
    GS_TRY(gs_had_memory(name != NULL, err));
    *b = (struct gs_bytes){.name = name, .in_size = sizeof b->magic, .owns_fd = !is_stdin};
    b->in = b->magic;
    b->fd = is_stdin ? open_stdin(&b->owns_fd) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (b->fd < 0)
        return gs_fail(err,
                       errno == ENOMEM || errno == EMFILE || errno == ENFILE ? GS_ERR_MEMORY
                                                                             : GS_ERR_NOINPUT,
                       "%s: %s", b->name, strerror(errno));
    struct stat st;
    enum gs_status s = GS_OK;
    if (fstat(b->fd, &st) != 0)
        s = gs_fail(err, GS_ERR_IO, "%s: %s", b->name, strerror(errno));
    else if (S_ISDIR(st.st_mode))
        s = gs_fail(err, GS_ERR_NOINPUT, "%s: is a directory, expected a file", b->name);
    else if (S_ISCHR(st.st_mode) && st.st_rdev != makedev(1, 3) && isatty(b->fd) == 0)
        s = gs_fail(err, GS_ERR_NOINPUT, "%s: is a device, which may have no end; expected a file",
                    b->name);
    b->stamp = stamp_of(&st);
    if (s == GS_OK && S_ISREG(st.st_mode)) {
        const off_t at = lseek(b->fd, 0, SEEK_CUR);
        b->regular = true;
        b->plain = b->from_start = at == 0;
        b->size = (uint64_t)st.st_size;
        b->left = at < 0 || at > st.st_size ? 0 : (uint64_t)(st.st_size - at);
    }
    GS_THEN(s, read_magic(b, err));
    if (s != GS_OK) {
        gs_bytes_close(b);
        return s;
    }
    *source = b;
    return GS_OK;
}

/* The magic was read before the digest could be asked for; it is still in the buffer. */
enum gs_status gs_bytes_digest(struct gs_bytes *b, struct gs_arena *arena, struct gs_err *err)
{
    if (b->digest != NULL)
        return GS_OK;
    GS_TAKE(b->digest, 1, arena, err);
    gs_sha256_begin(b->digest);
    gs_sha256_add(b->digest, b->in, b->in_len);
    return GS_OK;
}

uint64_t gs_bytes_digest_end(struct gs_bytes *b, char hex[GS_SHA256_HEX])
{
    const uint64_t n = b->digest->n_bytes;
    gs_sha256_end(b->digest, hex);
    b->digest = NULL;
    return n;
}

/*
 * The output is bounded by the caller's room, so a small file that unpacks to terabytes costs
 * time and no memory. Members are joined as `cat a.gz b.gz` and pigz produce them. An end inside
 * a member is an error, since a log that was cut off must not pass for a whole one.
 */
static enum gs_status read_packed(struct gs_bytes *b, char *room, size_t size, size_t *n_read,
                                  struct gs_err *err)
{
    struct gs_unpack_buffers u = {.out = room, .out_left = size};
    while (u.out_left == size && !b->end) {
        if (b->in_pos == b->in_len) {
            b->in_pos = 0;
            GS_TRY(read_some(b, b->in, b->in_size, &b->in_len, err));
            if (b->in_len == 0) {
                if (!b->between_members)
                    return gs_fail(err, GS_ERR_DATA, "%s: the %s stream is cut off", b->name,
                                   b->codec->name);
                b->end = true;
                break;
            }
        }
        if (b->between_members) {
            if (b->in[b->in_pos] ==
                '\0') { /* padding after the last member, as tape tools and xz write it */
                b->in_pos++;
                continue;
            }
            GS_TRY(gs_had_memory(b->codec->restart(b->state), err));
            b->between_members = false;
        }
        u.in = b->in + b->in_pos;
        u.in_left = b->in_len - b->in_pos;
        const enum gs_unpack r = b->codec->step(b->state, &u);
        b->in_pos = b->in_len - u.in_left;
        if (r == GS_UNPACK_DAMAGED)
            return gs_fail(err, GS_ERR_DATA, "%s: the %s stream is damaged", b->name,
                           b->codec->name);
        if (r == GS_UNPACK_MEMORY)
            return gs_fail(err, GS_ERR_MEMORY, "%s: the %s stream needs more memory than there is",
                           b->name, b->codec->name);
        if (r == GS_UNPACK_WINDOW)
            return gs_fail(err, GS_ERR_DATA,
                           "%s: the %s stream was made with a window of more than %d MiB; pack it "
                           "again without --long or --ultra, or unpack it first",
                           b->name, b->codec->name, 1 << (GS_CODEC_WINDOW_MAX_LOG - 20));
        b->between_members = r == GS_UNPACK_END;
    }
    *n_read = size - u.out_left;
    return GS_OK;
}

/*
 * Rows of Parquet; behind the last, the file is read as it lies there by whoever wants its
 * digest. The digest is that of the file, while the rows come from anywhere in it; so the file is
 * read once more from front to end, through the caller's room.
 */
static enum gs_status read_parquet(struct gs_bytes *b, char *room, size_t size, size_t *n_read,
                                   struct gs_err *err)
{
    size_t n = 1;
    if (b->table == NULL)
        GS_TRY(gs_parquet_table_open(b->fd, b->size, b->name, &b->table, err));
    if (b->rows.len == 0)
        GS_TRY(gs_parquet_table_next(b->table, 0, &b->rows, err));
    while (b->rows.len == 0 && b->digest != NULL && n > 0)
        GS_TRY(read_some(b, room, size, &n, err));
    if (b->rows.len == 0 && gs_bytes_changed(b))
        return gs_fail(err, GS_ERR_IO, GS_BYTES_CHANGED, b->name);
    *n_read = gs_min(b->rows.len, size);
    memcpy(room, gs_or_empty(b->rows.ptr), *n_read);
    b->rows.ptr += *n_read;
    b->rows.len -= *n_read;
    return GS_OK;
}

static enum gs_status give(struct gs_bytes *b, char *room, size_t size, size_t *n_read,
                           struct gs_err *err)
{
    if (b->codec != NULL)
        return read_packed(b, room, size, n_read, err);
    if (b->parquet)
        return read_parquet(b, room, size, n_read, err);
    if (b->in_pos < b->in_len) {
        const size_t n = gs_min(b->in_len - b->in_pos, size);
        memcpy(room, b->in + b->in_pos, n);
        b->in_pos += n;
        *n_read = n;
        if (!b->regular || n == size)
            return GS_OK;
        /* A file's beginning comes in one piece. */
        const enum gs_status s = read_some(b, room + n, gs_min(size, IN_BYTES) - n, n_read, err);
        if (s == GS_OK)
            *n_read += n;
        return s;
    }
    return read_some(b, room, size, n_read, err);
}

enum gs_status gs_bytes_read(struct gs_bytes *b, char *room, size_t size, size_t *n_read,
                             struct gs_err *err)
{
    *n_read = 0;
    if (size > 0)
        GS_TRY(give(b, room, size, n_read, err));
    b->n_given += *n_read;
    return GS_OK;
}

uint64_t gs_bytes_given(const struct gs_bytes *b)
{
    return b->n_given;
}

void gs_bytes_close(struct gs_bytes *b)
{
    if (b == NULL)
        return;
    if (b->state != NULL)
        b->codec->close(b->state);
    b->state = NULL;
    gs_parquet_table_close(b->table);
    b->table = NULL;
    if (b->in != b->magic)
        gs_memory_give(b->in, IN_BYTES);
    b->in = b->magic;
    b->in_pos = b->in_len = 0;
    b->in_size = sizeof b->magic;
    if (b->owns_fd && b->fd >= 0)
        (void)close(b->fd);
    b->fd = -1;
}

/* `most` is checked after each piece: a small file that unpacks to terabytes is refused early. */
enum gs_status gs_bytes_all(const char *path, size_t most, const char *more, struct gs_arena *arena,
                            struct gs_str *bytes, struct gs_err *err)
{
    enum { ROOM = 64 << 10 };
    struct gs_buf b = {.arena = arena};
    GS_CLOSES_BYTES struct gs_bytes *source = NULL;
    GS_TRY(gs_bytes_open(path, arena, &source, err));
    for (size_t n = 1; n > 0; b.len += n) {
        GS_TRY(gs_had_memory(gs_buf_reserve(&b, gs_max(ROOM, b.len)), err));
        GS_TRY(gs_bytes_read(source, b.ptr + b.len, gs_max(ROOM, b.len), &n, err));
        if (b.len + n > most)
            return gs_fail(err, GS_ERR_DATA, "%s: %s", source->name, more);
    }
    *bytes = gs_buf_str(&b);
    return GS_OK;
}

const char *gs_bytes_name(const struct gs_bytes *b)
{
    return b->name;
}

/*
 * Not for a file whose offset was not 0 at opening: pieces are cut from the file's first byte on.
 */
int gs_bytes_plain_fd(const struct gs_bytes *b, uint64_t *size)
{
    if (!b->plain)
        return -1;
    *size = b->size;
    return b->fd;
}

bool gs_bytes_is_parquet(const struct gs_bytes *b)
{
    return b->parquet;
}

bool gs_bytes_repeats(const struct gs_bytes *b)
{
    return b->regular && b->from_start && b->owns_fd;
}
