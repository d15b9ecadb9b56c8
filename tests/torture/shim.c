/*
 * shim.c - preloaded before the C library: at the N-th call of a kind something goes wrong.
 *
 * TORTURE="KIND N ACTION [PATH]": KIND is mem (allocations) or sys (calls that ask the system); ACTION is
 *   once     call N fails
 *   on       call N and all that follow fail, but those that remove something
 *   short    call N, where it reads or writes, does half of what was asked
 *   signal-S signal S arrives before call N
 *   change   PATH is overwritten in place by the bytes of PATH.other before call N
 * TORTURE_LOG names a file that gets, at the end, "mem M sys S" and the name of the call that was hit. Programs that
 * the program starts are left alone.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { MEM, SYS };
static enum { NONE, ONCE, ON, SHORT, SIGNAL, CHANGE } action;
static enum kind kind;
static long at;
static int signal_number;
static const char *changed, *log_path, *_Atomic hit_name;
static atomic_long calls[2];
static atomic_bool ready;
static pid_t program; /* a child of it, before it becomes another program, is spared signals */

/* Allocations that looking a function up makes itself must not count, nor come back here without end. */
static _Thread_local int inside;

__attribute__((constructor)) static void begin(void)
{
    static char text[4096];
    const char *const wish = getenv("TORTURE");
    log_path = getenv("TORTURE_LOG");
    unsetenv("LD_PRELOAD");
    if (wish == NULL || strlen(wish) >= sizeof text)
        return;
    strcpy(text, wish);
    char *rest = NULL;
    const char *const what = strtok_r(text, " ", &rest), *const n = strtok_r(NULL, " ", &rest),
                      *const how = strtok_r(NULL, " ", &rest);
    if (what == NULL || n == NULL || how == NULL)
        abort();
    kind = strcmp(what, "mem") == 0 ? MEM : SYS;
    at = atol(n);
    changed = rest;
    if (strncmp(how, "signal-", 7) == 0) {
        action = SIGNAL;
        signal_number = atoi(how + 7);
    } else {
        static const char *const names[] = {"none", "once", "on", "short", "", "change"};
        while (action <= CHANGE && strcmp(how, names[action]) != 0)
            action++;
    }
    program = getpid();
    ready = true;
}

__attribute__((destructor)) static void end(void)
{
    char line[256];
    ready = false;
    if (log_path == NULL)
        return;
    const char *const name = hit_name;
    const int n = snprintf(line, sizeof line, "mem %ld sys %ld %s\n", (long)calls[MEM],
                           (long)calls[SYS], name != NULL ? name : "-");
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    (void)!syscall(SYS_write, fd, line, (size_t)n);
    (void)syscall(SYS_close, fd);
}

static void overwrite(void)
{
    char other[4096], bytes[4096];
    long n = 0;
    snprintf(other, sizeof other, "%s.other", changed);
    const int from = (int)syscall(SYS_openat, AT_FDCWD, other, O_RDONLY, 0),
              to = (int)syscall(SYS_openat, AT_FDCWD, changed, O_WRONLY, 0);
    if (from < 0 || to < 0)
        abort();
    while ((n = syscall(SYS_read, from, bytes, sizeof bytes)) > 0)
        (void)!syscall(SYS_write, to, bytes, (size_t)n);
    (void)syscall(SYS_close, from);
    (void)syscall(SYS_close, to);
}

/* Counts a call. Is it to fail? *halve: where it can be done by half, do so. */
static bool hit(enum kind what, const char *name, bool *halve)
{
    if (!ready || inside > 0)
        return false;
    const long now = atomic_fetch_add(&calls[what], 1) + 1;
    if (what != kind || (action == ON ? now < at : now != at) || at == 0)
        return false;
    if (now == at)
        hit_name = name;
    if (action == SIGNAL && getpid() == program)
        (void)kill(program, signal_number);
    else if (action == CHANGE)
        overwrite();
    else if (action == SHORT && halve != NULL)
        *halve = true;
    return action == ONCE || action == ON;
}

/* The C library's own function of that name. */
#define REAL(result, name, ...)                                                                    \
    static result (*real)(__VA_ARGS__);                                                            \
    if (real == NULL) {                                                                            \
        inside++;                                                                                  \
        real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name);                                    \
        inside--;                                                                                  \
    }
#define PASS(result, name, wrong, error, types, ...)                                               \
    {                                                                                              \
        REAL(result, name, types)                                                                  \
        if (hit(SYS, #name, NULL)) {                                                               \
            errno = error;                                                                         \
            return wrong;                                                                          \
        }                                                                                          \
        return real(__VA_ARGS__);                                                                  \
    }
#define LIST(...) __VA_ARGS__
/* Where everything fails, removing does not: a full disk and a full table of descriptors allow it. */
#define REMOVE(name, types, ...)                                                                   \
    {                                                                                              \
        REAL(int, name, types)                                                                     \
        if (hit(SYS, #name, NULL) && action == ONCE) {                                             \
            errno = EIO;                                                                           \
            return -1;                                                                             \
        }                                                                                          \
        return real(__VA_ARGS__);                                                                  \
    }

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

#define MEMORY(name, wrong, call)                                                                  \
    {                                                                                              \
        if (hit(MEM, name, NULL)) {                                                                \
            errno = ENOMEM;                                                                        \
            return wrong;                                                                          \
        }                                                                                          \
        return call;                                                                               \
    }
void *malloc(size_t n) MEMORY("malloc", NULL, __libc_malloc(n)) void *calloc(size_t n, size_t size)
    MEMORY("calloc", NULL, __libc_calloc(n, size)) void *realloc(void *p, size_t n)
        MEMORY("realloc", NULL, __libc_realloc(p, n)) void *aligned_alloc(size_t to, size_t n)
            MEMORY("aligned_alloc", NULL,
                   __libc_memalign(to, n)) int posix_memalign(void **p, size_t to, size_t n)
{
    if (hit(MEM, "posix_memalign", NULL) || (*p = __libc_memalign(to, n)) == NULL)
        return ENOMEM;
    return 0;
}
void *mmap(void *to, size_t n, int rights, int flags, int fd, off_t from)
    MEMORY("mmap", MAP_FAILED,
           (void *)syscall(SYS_mmap, to, n, rights, flags, fd,
                           from)) void *mmap64(void *to, size_t n, int rights, int flags, int fd,
                                               off_t from)
{
    return mmap(to, n, rights, flags, fd, from);
}

/* A disk that fails when it is read, and is full when it is written. */
#define BYTES(name, number, error, type, ...)                                                      \
    {                                                                                              \
        bool halve = false;                                                                        \
        if (hit(SYS, name, &halve)) {                                                              \
            errno = error;                                                                         \
            return -1;                                                                             \
        }                                                                                          \
        if (halve && n > 64)                                                                       \
            n /= 2;                                                                                \
        return (ssize_t)syscall(number, fd, bytes, n __VA_ARGS__);                                 \
    }
ssize_t read(int fd, void *bytes, size_t n) BYTES("read", SYS_read, EIO, void *) ssize_t
    write(int fd, const void *bytes, size_t n) BYTES("write", SYS_write, ENOSPC, void *) ssize_t
    pread(int fd, void *bytes, size_t n, off_t from)
        BYTES("pread", SYS_pread64, EIO, void *, , from) ssize_t
    pread64(int fd, void *bytes, size_t n, off_t from)
        BYTES("pread", SYS_pread64, EIO, void *, , from) ssize_t
    pwrite(int fd, const void *bytes, size_t n, off_t to)
        BYTES("pwrite", SYS_pwrite64, ENOSPC, void *, , to) ssize_t
    pwrite64(int fd, const void *bytes, size_t n, off_t to)
        BYTES("pwrite", SYS_pwrite64, ENOSPC, void *, , to)

            static int opened(const char *path, int flags, mode_t mode)
{
    if (hit(SYS, "open", NULL)) {
        errno = EMFILE;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        const mode_t mode = va_arg(rest, mode_t);                                                  \
        va_end(rest);                                                                              \
        return opened(path, flags, mode);                                                          \
    }
OPEN(open)
OPEN(open64)

/* What is closed is closed, whatever close says. */
int close(int fd)
{
    const bool wrong = hit(SYS, "close", NULL);
    const int result = (int)syscall(SYS_close, fd);
    if (wrong)
        errno = EIO;
    return wrong ? -1 : result;
}

int fcntl(int fd, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    const long value = va_arg(rest, long);
    va_end(rest);
    if (hit(SYS, "fcntl", NULL)) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_fcntl, fd, command, value);
}

FILE *fopen(const char *path, const char *mode)
    PASS(FILE *, fopen, NULL, EMFILE, LIST(const char *, const char *), path,
         mode) FILE *fdopen(int fd, const char *mode)
        PASS(FILE *, fdopen, NULL, ENOMEM, LIST(int, const char *), fd, mode) size_t
    fwrite(const void *bytes, size_t size, size_t n, FILE *to)
        PASS(size_t, fwrite, 0, ENOSPC, LIST(const void *, size_t, size_t, FILE *), bytes, size, n,
             to) size_t
    fread(void *bytes, size_t size, size_t n, FILE *from)
        PASS(size_t, fread, 0, EIO, LIST(void *, size_t, size_t, FILE *), bytes, size, n,
             from) int fflush(FILE *f)
            PASS(int, fflush, EOF, ENOSPC, FILE *, f) int rename(const char *from, const char *to)
                PASS(int, rename, -1, EIO, LIST(const char *, const char *), from,
                     to) int renameat2(int d, const char *from, int e, const char *to, unsigned how)
                    PASS(int, renameat2, -1, EINVAL,
                         LIST(int, const char *, int, const char *, unsigned), d, from, e, to,
                         how) int fsync(int fd)
                        PASS(int, fsync, -1, EIO, int, fd) int fdatasync(int fd)
                            PASS(int, fdatasync, -1, EIO, int, fd) int ftruncate(int fd, off_t n)
                                PASS(int, ftruncate, -1, EIO, LIST(int, off_t), fd,
                                     n) int fstat(int fd, struct stat *is)
                                    PASS(int, fstat, -1, EIO, LIST(int, struct stat *), fd,
                                         is) int stat(const char *path, struct stat *is)
                                        PASS(int, stat, -1, EIO, LIST(const char *, struct stat *),
                                             path, is) int lstat(const char *path, struct stat *is)
                                            PASS(int, lstat, -1, EIO,
                                                 LIST(const char *, struct stat *), path, is) off_t
    lseek(int fd, off_t to, int how) PASS(off_t, lseek, -1, EIO, LIST(int, off_t, int), fd, to,
                                          how) int mkdir(const char *path, mode_t mode)
        PASS(int, mkdir, -1, ENOSPC, LIST(const char *, mode_t), path,
             mode) DIR *opendir(const char *path) PASS(DIR *, opendir, NULL, EMFILE, const char *,
                                                       path) struct dirent *readdir(DIR *d)
            PASS(struct dirent *, readdir, NULL, EIO, DIR *,
                 d) int glob(const char *pattern, int flags, int (*wrong)(const char *, int),
                             glob_t *found)
                PASS(int, glob, GLOB_ABORTED, EIO,
                     LIST(const char *, int, int (*)(const char *, int), glob_t *), pattern, flags,
                     wrong, found) int unlink(const char *path)
                    REMOVE(unlink, const char *, path) int unlinkat(int d, const char *path,
                                                                    int how)
                        REMOVE(unlinkat, LIST(int, const char *, int), d, path,
                               how) int rmdir(const char *path)
                            REMOVE(rmdir, const char *,
                                   path) int posix_spawnp(pid_t *p, const char *file,
                                                          const posix_spawn_file_actions_t *a,
                                                          const posix_spawnattr_t *t,
                                                          char *const v[], char *const e[])
                                PASS(int, posix_spawnp, EAGAIN, EAGAIN,
                                     LIST(pid_t *, const char *, const posix_spawn_file_actions_t *,
                                          const posix_spawnattr_t *, char *const *, char *const *),
                                     p, file, a, t, v, e) int pipe2(int ends[2], int how)
                                    PASS(int, pipe2, -1, EMFILE, LIST(int *, int), ends,
                                         how) int memfd_create(const char *name, unsigned how)
                                        PASS(int, memfd_create, -1, EMFILE,
                                             LIST(const char *, unsigned), name,
                                             how) int poll(struct pollfd *p, nfds_t n, int ms)
                                            PASS(int, poll, -1, ENOMEM,
                                                 LIST(struct pollfd *, nfds_t, int), p, n, ms) pid_t
    waitpid(pid_t p, int *is, int how)
        PASS(pid_t, waitpid, -1, ECHILD, LIST(pid_t, int *, int), p, is,
             how) int waitid(idtype_t t, id_t p, siginfo_t *is, int how)
            PASS(int, waitid, -1, ECHILD, LIST(idtype_t, id_t, siginfo_t *, int), t, p, is,
                 how) char *realpath(const char *path, char *room)
                PASS(char *, realpath, NULL, EIO, LIST(const char *, char *), path, room) ssize_t
    readlink(const char *path, char *room, size_t n)
        PASS(ssize_t, readlink, -1, EIO, LIST(const char *, char *, size_t), path, room,
             n) int access(const char *path, int how)
            PASS(int, access, -1, EIO, LIST(const char *, int), path, how) int fchmod(int fd,
                                                                                      mode_t mode)
                PASS(int, fchmod, -1, EPERM, LIST(int, mode_t), fd,
                     mode) int chmod(const char *path, mode_t mode)
                    PASS(int, chmod, -1, EPERM, LIST(const char *, mode_t), path,
                         mode) int madvise(void *p, size_t n, int how)
                        PASS(int, madvise, -1, EAGAIN, LIST(void *, size_t, int), p, n,
                             how) int dup(int fd)
                            PASS(int, dup, -1, EMFILE, int, fd) int dup2(int fd, int to)
                                PASS(int, dup2, -1, EMFILE, LIST(int, int), fd,
                                     to) int flock(int fd, int how)
                                    PASS(int, flock, -1, ENOLCK, LIST(int, int), fd, how) pid_t
    fork(void) PASS(pid_t, fork, -1, EAGAIN, void, ) ssize_t
    getrandom(void *bytes, size_t n, unsigned how)
        PASS(ssize_t, getrandom, -1, EAGAIN, LIST(void *, size_t, unsigned), bytes, n,
             how) void *dlopen(const char *path, int how)
            PASS(void *, dlopen, NULL, EMFILE, LIST(const char *, int), path, how)

                int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*work)(void *),
                                   void *with)
{
    REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)
    if (hit(SYS, "pthread_create", NULL))
        return EAGAIN;
    inside++; /* the stack is not the program's to check */
    const int result = real(t, a, work, with);
    inside--;
    return result;
}
