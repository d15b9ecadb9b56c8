/* cleanup.c - the list of temporary files and child processes; global, as only the process knows when it ends. */
#define _GNU_SOURCE /* struct dirent64 */
#include "base/os/cleanup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of the process, as signals are. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t ending = PTHREAD_MUTEX_INITIALIZER; /* taken before `lock` */
static struct gs_cleanup *first;

void gs_cleanup_block(void)
{
    (void)pthread_mutex_lock(&lock);
}

void gs_cleanup_unblock(void)
{
    (void)pthread_mutex_unlock(&lock);
}

void gs_cleanup_delay(void)
{
    (void)pthread_mutex_lock(&ending);
}

void gs_cleanup_allow(void)
{
    (void)pthread_mutex_unlock(&ending);
}

void gs_cleanup_add(struct gs_cleanup *l)
{
    l->next = first;
    l->link = &first;
    if (first != NULL)
        first->link = &l->next;
    first = l;
}

void gs_cleanup_drop(struct gs_cleanup *l)
{
    gs_cleanup_block(); /* first: a neighbour that is dropped meanwhile moves l->link */
    if (l->link != NULL) {
        *l->link = l->next;
        if (l->next != NULL)
            l->next->link = l->link;
        l->link = NULL;
    }
    gs_cleanup_unblock();
}

/*
 * The child is taken off the list while it is still a zombie, and reaped only then. In between
 * its number cannot belong to another process, so a signal never kills a stranger.
 */
int gs_cleanup_wait(struct gs_cleanup *l, int *status)
{
    siginfo_t info;
    while (waitid(P_PID, (id_t)l->pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    gs_cleanup_drop(l);
    while (waitpid(l->pid, status, 0) < 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

/*
 * Another thread may be putting files there until the process ends: what came in between goes in
 * the next round, and so does what failed once.
 */
void gs_remove_dir(const char *path)
{
    enum { ROUNDS = 1000 };
    for (int round = 0; round < ROUNDS; round++) {
        char room[4096] __attribute__((aligned(16)));
        const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        /* Not opendir, which takes memory: there may be none left. */
        for (long n; fd >= 0 && (n = syscall(SYS_getdents64, fd, room, sizeof room)) > 0;)
            for (const char *p = room; p < room + n;) {
                const struct dirent64 *const e = (const void *)p;
                (void)unlinkat(fd, e->d_name, 0); /* . and .. are no files */
                p += e->d_reclen;
            }
        if (fd >= 0)
            (void)close(fd);
        if (rmdir(path) == 0 || errno == ENOENT)
            return;
    }
}

/*
 * The locks are not given back: any thread that is about to create a file stops until the process
 * ends. Nothing here may allocate, because memory may be why the run ends.
 */
void gs_cleanup_run(void)
{
    gs_cleanup_delay();
    gs_cleanup_block();
    for (const struct gs_cleanup *l = first; l != NULL; l = l->next) {
        if (l->words.ptr != NULL && write(STDERR_FILENO, l->words.ptr, l->words.len) < 0)
            continue;
        if (l->pid > 0)
            (void)kill(l->pid, SIGKILL);
        if (l->path != NULL && l->is_dir)
            gs_remove_dir(l->path);
        else if (l->path != NULL)
            (void)unlink(l->path);
    }
}
