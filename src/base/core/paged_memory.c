/*
 * paged_memory.c - one shared mapping of a sparse file, taken from front to back.
 *
 * Hazards, for who inherits this:
 * - The bound is kept by looking often, not by refusing. Between two looks a thread may bring in what the margin allows for.
 *   A touch brings in 64 KiB, and would bring in 2 MiB without MADV_RANDOM, which keeps the system from caching the file in
 *   large pieces; it also ends reading ahead, so what the system wrote to the disk and forgot comes back page by page.
 * - From the beginning on a signal may come into every system call of every thread that is watched. Calls begin again of
 *   themselves (SA_RESTART); those that never do, as poll and nanosleep, must be ready for EINTR.
 * - A thread that is not watched brings in what it touches, and nobody looks: start threads by gs_parallel_for.
 * - A disk that does not keep its promise of room (some file systems copy what is written again, some volumes are thin)
 *   ends the process by SIGBUS when it is full.
 * - The system writes the file to the disk at its leisure, though it is gone with the process.
 *
 * One thread that looks after all others was tried, with neither signals nor timers. Where the machine is busy and the
 * program of low priority that thread waits for its turn: 259 MB where 40 were asked.
 */
#include "base/core/paged_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/num/order.h"

#define MIB ((size_t)1 << 20)

#ifndef sigev_notify_thread_id /* which older C libraries do not name */
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum {
    MOST_BITS = 40, /* of an address in the mapping: fewer where the system has not so many */
    LEAST_BITS = 28,
    AHEAD_MIB = 32,   /* the file grows by so much at a time */
    TRIM_NS = 500000, /* in which a thread touches some MiB                                       */
    MARGIN_MIB = 32   /* ... and what several may touch until then                                */
};

static struct {
    char *base;
    size_t size, resident, page, end; /* end: bytes that the disk has promised */
    atomic_size_t used;
    int fd, statm, error;
    atomic_bool on;
    pthread_mutex_t lock;
} paged = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Bytes of the process in memory; SIZE_MAX where the system does not tell. Calls nothing that a signal must not. */
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

/*
 * Dropping the pages of a shared mapping loses nothing: what was written stays in the file, and the next touch brings it
 * back. So this may come between any two instructions of any thread. It is a signal to the thread that touches the pages,
 * because one that only looks after them would wait for its turn on a busy machine.
 */
static void trim(int signal)
{
    const int before = errno;
    (void)signal;
    if (resident_now() > paged.resident - gs_min(paged.resident / 2, MARGIN_MIB * MIB))
        (void)madvise(paged.base, atomic_load(&paged.used), MADV_DONTNEED);
    errno = before;
}

static bool watch(timer_t *timer)
{
    const struct itimerspec every = {{0, TRIM_NS}, {0, TRIM_NS}};
    struct sigevent to_this = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
    to_this.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_MONOTONIC, &to_this, timer) != 0)
        return false;
    if (timer_settime(*timer, 0, &every, NULL) == 0)
        return true;
    (void)timer_delete(*timer);
    return false;
}

bool gs_paged_memory_watch(timer_t *timer)
{
    return gs_paged_memory_is_on() && watch(timer);
}

static bool begin_trimming(void)
{
    const struct sigaction act = {.sa_handler = trim, .sa_flags = SA_RESTART};
    timer_t timer;
    paged.statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    return sigaction(SIGPROF, &act, NULL) == 0 && watch(&timer);
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
    (void)madvise(base, paged.size, MADV_RANDOM); /* or one touch maps 2 MiB */
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

/* The disk promises the bytes up to `want`. No signal meanwhile: an interrupted call would look like a full disk. */
static int have_room(size_t want)
{
    const size_t end = gs_min(want + AHEAD_MIB * MIB, paged.size);
    sigset_t trimming, before;
    if (want <= paged.end)
        return 0;
    (void)sigemptyset(&trimming);
    (void)sigaddset(&trimming, SIGPROF);
    (void)pthread_sigmask(SIG_BLOCK, &trimming, &before);
    const int e = posix_fallocate(paged.fd, (off_t)paged.end, (off_t)(end - paged.end));
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (e == 0)
        paged.end = end;
    return e;
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
    (void)pthread_mutex_lock(&paged.lock);
    const size_t used = atomic_load(&paged.used);
    if (paged.size - used >= n) {
        const int e = have_room(used + n);
        if (e == 0) {
            bytes = paged.base + used;
            atomic_store(&paged.used, used + n);
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
