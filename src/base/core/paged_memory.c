/*
 * paged_memory.c - one shared mapping of a sparse file, taken from front to back.
 *
 * Hazards, for who inherits this:
 * - The bound is kept by looking often, not by refusing. Between two looks a thread may bring in what the margin allows for;
 *   a touch brings in all that the system's page cache holds in one piece, up to 2 MiB. So walk large arrays from end to
 *   end. What touches hundreds of far places within a millisecond passes the bound for as long.
 * - A disk that does not keep its promise of room (some file systems copy what is written again, some volumes are thin)
 *   ends the process by SIGBUS when it is full.
 * - The system writes the file to the disk at its leisure, though it is gone with the process.
 * - A child that is forked shares the pages and has no thread that gives them back: it must run another program at once.
 */
#include "base/core/paged_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/num/order.h"

#define MIB ((size_t)1 << 20)

enum {
    MOST_BITS = 40, /* of an address in the mapping: fewer where the system has not so many */
    LEAST_BITS = 28,
    AHEAD_MIB = 32,   /* the file grows by so much at a time */
    TRIM_NS = 500000, /* in which a thread touches some MiB                                       */
    STACK = 64 << 10,
    MARGIN_MIB = 32 /* ... and what several may touch until then                                */
};

static struct {
    char *base;
    size_t size, resident, page, end; /* end: bytes that the disk has promised */
    atomic_size_t used;
    int fd, statm, error;
    atomic_bool on;
    pthread_mutex_t lock;
} paged = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Bytes of the process in memory; SIZE_MAX where the system does not tell. */
static size_t resident_now(void)
{
    char text[64];
    const ssize_t n = pread(paged.statm, text, sizeof text, 0);
    const char *at = n < 1 ? NULL : memchr(text, ' ', (size_t)n);
    size_t pages = 0;
    if (at == NULL)
        return SIZE_MAX;
    for (at++; at < text + n && *at >= '0' && *at <= '9'; at++)
        pages = pages * 10 + (size_t)(*at - '0');
    return pages * paged.page;
}

/* What was written stays in the file, and the next touch brings it back: so this may come between any two instructions. */
static void trim(void)
{
    if (resident_now() > paged.resident - gs_min(paged.resident / 2, MARGIN_MIB * MIB))
        (void)madvise(paged.base, atomic_load(&paged.used), MADV_DONTNEED);
}

static void *keep_trimming(void *none)
{
    static const struct timespec pause = {0, TRIM_NS};
    for (;; (void)nanosleep(&pause, NULL))
        trim();
    return none;
}

/* Little to do and often: a thread of its own. It is never joined, as the memory is for as long as the process. */
static bool begin_trimming(void)
{
    pthread_t thread;
    pthread_attr_t small;
    paged.statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (pthread_attr_init(&small) != 0)
        return false;
    (void)pthread_attr_setstacksize(&small, STACK);
    (void)pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
    errno = pthread_create(&thread, &small, keep_trimming, NULL);
    const bool began = errno == 0;
    (void)pthread_attr_destroy(&small);
    return began;
}

bool gs_paged_memory_begin(int fd, size_t resident)
{
    void *base = MAP_FAILED;
    for (unsigned bits = MOST_BITS; base == MAP_FAILED && bits >= LEAST_BITS; bits--) {
        paged.size = (size_t)1 << bits;
        base = mmap(NULL, paged.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    if (base == MAP_FAILED)
        return false;
    (void)madvise(base, paged.size, MADV_NOHUGEPAGE);
    paged.base = base;
    paged.fd = fd;
    paged.resident = resident;
    paged.page = (size_t)sysconf(_SC_PAGESIZE);
    if (!begin_trimming())
        return false;
    atomic_store(&paged.on, true);
    return true;
}

bool gs_paged_memory_is_on(void)
{
    return atomic_load_explicit(&paged.on, memory_order_acquire);
}

int gs_paged_memory_error(void)
{
    return paged.error;
}

static size_t in_pages(size_t n_bytes)
{
    return (n_bytes + paged.page - 1) / paged.page * paged.page;
}

/*
 * The disk promises the bytes before they are touched: a page that it then had no room for would end the process by
 * SIGBUS. No address is given out twice, so that pages are zero without being cleared.
 */
void *gs_paged_memory_take(size_t n_bytes)
{
    if (!gs_paged_memory_is_on())
        return NULL;
    const size_t n = in_pages(n_bytes);
    void *bytes = NULL;
    if (n < n_bytes)
        return NULL;
    trim();
    (void)pthread_mutex_lock(&paged.lock);
    const size_t used = atomic_load(&paged.used);
    if (paged.size - used >= n) {
        const size_t want = used + n;
        int e = 0;
        if (want > paged.end) {
            const size_t end = gs_min(want + AHEAD_MIB * MIB, paged.size);
            e = posix_fallocate(paged.fd, (off_t)paged.end, (off_t)(end - paged.end));
            if (e == 0)
                paged.end = end;
        }
        if (e == 0) {
            bytes = paged.base + used;
            atomic_store(&paged.used, want);
        }
        paged.error = e != 0 ? e : paged.error;
    }
    (void)pthread_mutex_unlock(&paged.lock);
    return bytes;
}

bool gs_paged_memory_give(void *bytes, size_t n_bytes)
{
    const uintptr_t at = (uintptr_t)bytes, base = (uintptr_t)paged.base;
    if (!gs_paged_memory_is_on() || at < base || at - base >= paged.size)
        return false;
    /* A file system that cannot punch holes keeps the room until the process ends. */
    (void)madvise(bytes, in_pages(n_bytes), MADV_REMOVE);
    return true;
}
