/* memory_bound.c - a limit and the room that it leaves. */
#include "app/passes/memory_bound.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/core/arena.h"
#include "base/core/paged_memory.h"
#include "base/num/order.h"
#include "base/os/scratch_file.h"

#define MIB (UINT64_C(1) << 20)

/* What the program itself takes beside what gs_memory_reserve counts: its code, stacks, small change of libraries. */
#define OWN_MEMORY (4 * MIB)

/* What a thread more is worth: its buffers, and what the C library keeps for it. */
#define ROOM_PER_THREAD (12 * MIB)

int gs_memory_file(const char *dir)
{
    const int fd = dir == NULL ? -1 : gs_nameless_file(dir);
    if (fd < 0 || !gs_is_in_memory(fd))
        return fd;
    (void)close(fd);
    return -1;
}

bool gs_memory_in_file(const char *dir, uint64_t max_memory)
{
    const int fd = max_memory < GS_MEMORY_IN_FILE_FROM ? -1 : gs_memory_file(dir);
    if (fd < 0)
        return false;
    if (gs_paged_memory_begin(fd, (size_t)gs_memory_room(max_memory)))
        return true;
    const int e = errno;
    (void)close(fd);
    errno = e;
    return false;
}

enum gs_status gs_memory_in_file_failed(struct gs_err *err)
{
    const int e = gs_paged_memory_error();
    if (e == 0)
        return gs_fail_memory(err);
    return gs_fail(err, GS_ERR_IO, "temporary file: %s", strerror(e));
}

/* Of a small limit half is left. */
uint64_t gs_memory_room(uint64_t max_memory)
{
    return max_memory > 2 * OWN_MEMORY ? max_memory - OWN_MEMORY : max_memory / 2;
}

static uint64_t limit_for(uint64_t room)
{
    const uint64_t least = room > OWN_MEMORY ? room + OWN_MEMORY : 2 * room;
    return least / MIB * MIB + MIB;
}

unsigned gs_memory_threads(uint64_t max_memory, unsigned n_wanted)
{
    const uint64_t n = gs_memory_room(max_memory) / ROOM_PER_THREAD + 1;
    return (unsigned)gs_min(n, n_wanted);
}

/*
 * The advice is rounded up by an eighth: threads take memory in an order that differs from run
 * to run, and a user who follows the advice should not fail again.
 */
enum gs_status gs_memory_bound_refuse(uint64_t room, struct gs_err *err)
{
    const uint64_t limit = gs_max(limit_for(room + room / 8), GS_MEMORY_IN_FILE_FROM);
    return gs_fail(err, GS_ERR_USAGE, "--max-memory: this run takes about %lluM",
                   (unsigned long long)(limit / MIB));
}

enum gs_status gs_memory_bound_check(const struct gs_memory_bound *bound, struct gs_err *err)
{
    const uint64_t most = gs_memory_most();
    return bound == NULL || bound->max == 0 || most <= gs_memory_room(bound->max)
               ? GS_OK
               : gs_memory_bound_refuse(most, err);
}
