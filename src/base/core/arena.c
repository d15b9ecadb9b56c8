/* arena.c - bump allocation in blocks that grow; the only caller of the system allocator for arenas. */
#include "base/core/arena.h"
#include "base/core/paged_memory.h"
#include "base/num/order.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* clang-format off */
enum {
    ARENA_ALIGN = 16,
    ARENA_FIRST = 4 << 10,   /* many arenas hold a few words                                       */
    ARENA_LARGEST = 1 << 20, /* blocks double up to this; a larger request gets a block of its own: huge pages are for
                                what is filled, because the first touch clears all of one                         */
    HUGE_PAGE = 2 << 20,
    HEAP_MOST = 128 << 10,   /* under a limit: the most that malloc takes from its heap            */
    MAP_FROM = 1 << 20,      /* from here on pages are mapped, so that untouched ones cost nothing */
    PAGED_FROM = 64 << 10    /* ... and from here on are in the file, where there is one           */
};
/* clang-format on */

struct gs_arena_block {
    struct gs_arena_block *older;
    size_t size, used; /* of the bytes that follow the header                      */
    size_t touched;    /* of those, what was ever handed out: the rest is still zero */
    size_t n_mapped;   /* bytes that are left of a block whose pages went back; 0: it is whole */
};

#define HEADER ((sizeof(struct gs_arena_block) + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN)

static atomic_uint_least64_t fail_countdown;
static atomic_size_t n_limit, n_held, n_most; /* bytes of gs_memory_reserve */
static atomic_size_t n_refused; /* what would have been held, had the limit not refused it */
static atomic_uint_least64_t n_failed;

void gs_memory_limit(size_t n_bytes)
{
#ifdef __GLIBC__
    /*
     * Its threshold would grow with what is freed, and blocks that are given back lie about between others, counted
     * nowhere. Without a limit pages of a column that are unpacked one after the other would be mapped for each.
     */
    (void)mallopt(M_MMAP_THRESHOLD, n_bytes > 0 ? HEAP_MOST : MAP_FROM);
#endif
    atomic_store(&n_limit, n_bytes);
    atomic_store(&n_refused, 0);
    atomic_store(&n_most, atomic_load(&n_held));
}

size_t gs_memory_held(void)
{
    return atomic_load(&n_held);
}

size_t gs_memory_most(void)
{
    return atomic_load(&n_most);
}

size_t gs_memory_refused_at(void)
{
    return atomic_load(&n_refused);
}

uint64_t gs_memory_n_failed(void)
{
    return atomic_load(&n_failed);
}

/*
 * Relaxed order is enough for these counters: they bound a total and order nothing else. A
 * reader on another thread may see a value that is a moment old.
 */
static void count_given(size_t n_bytes)
{
    (void)atomic_fetch_sub_explicit(&n_held, n_bytes, memory_order_relaxed);
}

/*
 * Several threads may raise a high-water mark at once. A plain store could lower it again, so the
 * exchange is repeated until this value or a larger one is there.
 */
static void raise_mark(atomic_size_t *mark, size_t to)
{
    size_t seen = atomic_load_explicit(mark, memory_order_relaxed);
    while (to > seen && !atomic_compare_exchange_weak_explicit(
                            mark, &seen, to, memory_order_relaxed, memory_order_relaxed))
        continue;
}

/* Counts bytes that are about to be taken; false where they would be too many. */
static bool count_taken(size_t n_bytes)
{
    const size_t now = atomic_fetch_add_explicit(&n_held, n_bytes, memory_order_relaxed) + n_bytes;
    const size_t at_most = atomic_load_explicit(&n_limit, memory_order_relaxed);
    if (at_most != 0 && now > at_most) {
        count_given(n_bytes);
        raise_mark(&n_refused, now);
        return false;
    }
    raise_mark(&n_most, now);
    return true;
}

void gs_memory_fail_after(uint64_t n)
{
    atomic_store(&fail_countdown, n);
}

/* 1 means "fail, and go on failing"; larger values count down to it. */
static int must_fail(void)
{
    const uint64_t left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);
    if (left == 0)
        return 0;
    if (left == 1)
        return 1;
    return atomic_fetch_sub(&fail_countdown, 1) == 1;
}

bool gs_memory_refused(void)
{
    return must_fail() != 0;
}

/* Pages that begin on a huge page's boundary, so that the kernel can use huge ones; NULL: none to be had. */
static void *map_pages(size_t n_bytes)
{
    const size_t slack = n_bytes >= HUGE_PAGE && n_bytes <= SIZE_MAX - HUGE_PAGE ? HUGE_PAGE : 0;
    char *const p = mmap(NULL, n_bytes + slack, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (slack == 0)
        return p;
    const size_t before = (HUGE_PAGE - (size_t)((uintptr_t)p % HUGE_PAGE)) % HUGE_PAGE;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t held = (n_bytes + page - 1) / page * page;
    if (before > 0)
        (void)munmap(p, before);
    if (before + held < n_bytes + slack)
        (void)munmap(p + before + held, n_bytes + slack - before - held);
#ifdef MADV_HUGEPAGE
    /* a wish; refusal changes nothing */
    (void)madvise(p + before, n_bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
    return p + before;
}

/*
 * The bytes are counted before they are taken, so that two threads cannot both pass the limit
 * with the same room. What the system refuses is counted back. The size decides between heap
 * and mapped pages here and again in gs_memory_give, which must be given the same size.
 */
void *gs_memory_reserve(size_t n_bytes)
{
    if (must_fail())
        return NULL;
    void *const in_file = n_bytes < PAGED_FROM ? NULL : gs_paged_memory_take(n_bytes);
    if (in_file != NULL)
        return in_file;
    if (!count_taken(n_bytes))
        return NULL;
    void *const p = n_bytes < MAP_FROM ? calloc(1, gs_max(n_bytes, 1)) : map_pages(n_bytes);
    if (p == NULL) {
        count_given(n_bytes);
        (void)atomic_fetch_add(&n_failed, 1);
    }
    return p;
}

/* Mapped pages go back to the system, or to the file that they lie in. */
static void give_pages(void *pages, size_t n_bytes)
{
    if (gs_paged_memory_give(pages, n_bytes))
        return;
    count_given(n_bytes);
    (void)munmap(pages, n_bytes);
}

void gs_memory_give(void *bytes, size_t n_bytes)
{
    if (bytes == NULL)
        return;
    if (n_bytes >= MAP_FROM) {
        give_pages(bytes, n_bytes);
    } else if (!gs_paged_memory_give(bytes, n_bytes)) {
        count_given(n_bytes);
        free(bytes);
    }
}

static char *block_bytes(struct gs_arena_block *b)
{
    return (char *)b + HEADER;
}

/* A block that an earlier rewind left, large enough; taken out of the list. */
static struct gs_arena_block *reuse_block(struct gs_arena *a, size_t need)
{
    for (struct gs_arena_block **link = &a->spare; *link != NULL; link = &(*link)->older) {
        struct gs_arena_block *const b = *link;
        if (b->size >= need) {
            *link = b->older;
            return b;
        }
    }
    return NULL;
}

static void put_first(struct gs_arena *a, struct gs_arena_block *b)
{
    if (a->head == NULL)
        a->oldest = b;
    b->older = a->head;
    b->used = 0;
    a->head = b;
}

static struct gs_arena_block *add_block(struct gs_arena *a, size_t need)
{
    struct gs_arena_block *const old = reuse_block(a, need);
    if (old != NULL) {
        put_first(a, old);
        return old;
    }
    /*
     * The cap leaves room for the header: a block of the largest usual size then fills exactly
     * ARENA_LARGEST bytes and no page is taken for a few bytes beyond.
     */
    size_t size = ARENA_FIRST;
    if (a->head != NULL)
        size = gs_min(a->head->size * 2, ARENA_LARGEST - HEADER);
    size = gs_max(need, size) + HEADER;
    /* The sum with the header has wrapped around. */
    if (size < need)
        return NULL;
    struct gs_arena_block *const b = gs_memory_reserve(size);
    if (b == NULL)
        return NULL;
    b->size = size - HEADER;
    b->touched = b->n_mapped = 0;
    put_first(a, b);
    a->n_bytes += size;
    return b;
}

/*
 * What grew out of a block of mapped pages that held nothing else leaves all but its first page to the system. The
 * block stays in its place, because marks may name it.
 */
static void give_pages_back(struct gs_arena *a, struct gs_arena_block *b)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = b->size + HEADER;
    if (size < MAP_FROM || b->n_mapped > 0)
        return;
    give_pages((char *)b + page, size - page);
    a->n_bytes -= size - page;
    b->n_mapped = page;
    b->size = b->used = b->touched = page - HEADER;
}

/* The block that holds `old`, of so many bytes, and nothing else; not the newest. NULL: there is none. */
static struct gs_arena_block *block_of_its_own(struct gs_arena *a, const void *old, size_t held)
{
    if (a->head == NULL)
        return NULL;
    for (struct gs_arena_block *b = a->head->older; b != NULL; b = b->older)
        if (block_bytes(b) == old && b->used == held)
            return b;
    return NULL;
}

/* Takes room; *n_stale of its first bytes may be other than zero. */
static void *take(struct gs_arena *a, size_t count, size_t size, size_t *n_stale)
{
    size_t need = 0;
    struct gs_arena_block *b = NULL;
    if (!__builtin_mul_overflow(count, size, &need) && need <= SIZE_MAX / 2) {
        need = (need + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
        b = a->head;
        if (b == NULL || b->size - b->used < need)
            b = add_block(a, need);
    }
    if (b == NULL) {
        a->failed = true;
        return NULL;
    }
    char *const p = block_bytes(b) + b->used;
    *n_stale = gs_min(gs_max(b->touched, b->used) - b->used, need);
    b->used += need;
    b->touched = gs_max(b->touched, b->used);
    return p;
}

void *gs_arena_take_raw(struct gs_arena *a, size_t count, size_t size)
{
    size_t n_stale;
    return take(a, count, size, &n_stale);
}

/*
 * Fresh blocks are zero already. Only the bytes that an earlier use of the block has touched
 * are cleared, so a large array costs no page before it is written.
 */
void *gs_arena_take(struct gs_arena *a, size_t count, size_t size)
{
    size_t n_stale;
    void *const p = take(a, count, size, &n_stale);
    if (p != NULL)
        memset(p, 0, n_stale);
    return p;
}

/*
 * In place only where the array is the newest allocation of the newest block. Otherwise the old
 * bytes stay as garbage until a rewind: two arrays that grow in turns in one arena cost a copy
 * at each step.
 */
void *gs_arena_grow(struct gs_arena *a, void *old, size_t count, size_t new_count, size_t size)
{
    if (new_count <= count && old != NULL)
        return old;
    struct gs_arena_block *const b = a->head;
    if (old != NULL && b != NULL) {
        const size_t held = (count * size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
        size_t need;
        if ((char *)old + held == block_bytes(b) + b->used &&
            !__builtin_mul_overflow(new_count, size, &need) && need <= SIZE_MAX / 2) {
            need = (need + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
            if (b->size - b->used + held >= need) {
                b->used += need - held;
                b->touched = gs_max(b->touched, b->used);
                return old;
            }
        }
    }
    void *const p = gs_arena_take_raw(a, new_count, size);
    if (p == NULL || old == NULL)
        return p;
    if (count > 0)
        memcpy(p, old, count * size);
    if (count * size >= MAP_FROM) {
        struct gs_arena_block *const left =
            block_of_its_own(a, old, (count * size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN);
        if (left != NULL)
            give_pages_back(a, left);
    }
    return p;
}

char *gs_arena_copy(struct gs_arena *a, const char *bytes, size_t len)
{
    if (len == SIZE_MAX)
        return NULL;
    char *const p = gs_arena_take_raw(a, len + 1, 1);
    if (p == NULL)
        return NULL;
    if (len > 0)
        memcpy(p, bytes, len);
    p[len] = '\0';
    return p;
}

struct gs_arena_mark gs_arena_mark(const struct gs_arena *a)
{
    return (struct gs_arena_mark){a->head, a->head == NULL ? 0 : a->head->used};
}

/*
 * A mark must be of this arena and not older than the last rewind below it: a block that is not
 * in the list any more would walk the loop off its end. The block of the mark may have given
 * pages back meanwhile, so `used` is cut to what is left of it.
 */
void gs_arena_rewind(struct gs_arena *a, struct gs_arena_mark mark)
{
    while (a->head != mark.block) {
        struct gs_arena_block *const b = a->head;
        a->head = b->older;
        b->older = a->spare;
        a->spare = b;
    }
    if (a->head != NULL)
        a->head->used = gs_min(mark.used, a->head->size);
}

/* Below the newest block, which goes on being filled, so that marks of `a` taken before stay valid only
 * where they lie above: a caller adopts into an arena that it does not rewind. */
void gs_arena_adopt(struct gs_arena *a, struct gs_arena *from)
{
    if (a->head == NULL) {
        a->head = from->head;
        a->oldest = from->oldest;
    } else if (from->head != NULL) {
        from->oldest->older = a->head->older;
        if (a->oldest == a->head)
            a->oldest = from->oldest;
        a->head->older = from->head;
    }
    while (from->spare != NULL) {
        struct gs_arena_block *const b = from->spare;
        from->spare = b->older;
        b->older = a->spare;
        a->spare = b;
    }
    a->n_bytes += from->n_bytes;
    a->failed |= from->failed;
    *from = (struct gs_arena){0};
}

/*
 * A block that gave its pages back is one mapped page, whatever its size was: it goes back by
 * munmap and not by gs_memory_give, which would take a page for heap.
 */
static void give_blocks(struct gs_arena *a, struct gs_arena_block **first)
{
    while (*first != NULL) {
        struct gs_arena_block *const b = *first;
        *first = b->older;
        const size_t page = b->n_mapped;
        a->n_bytes -= b->size + HEADER;
        if (page == 0)
            gs_memory_give(b, b->size + HEADER);
        else
            give_pages(b, page);
    }
}

/* Each block is touched once, as it goes: a file's pages would all come into memory by a look at their list. */
void gs_arena_release(struct gs_arena *a)
{
    give_blocks(a, &a->head);
    give_blocks(a, &a->spare);
}
