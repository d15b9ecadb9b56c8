/* process.c - posix_spawn, two pipes, poll. */
#define _GNU_SOURCE /* pipe2 */
#include "base/os/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct running {
    pid_t pid;
    int end[2][2]; /* pipes of standard output and standard error */
};

static enum gs_status fail_errno(const char *program, int e, struct gs_err *err)
{
    char shown[200];
    (void)gs_escape(shown, sizeof shown, gs_str(program));
    if (e == ENOENT || e == EACCES)
        return gs_fail(err, GS_ERR_UNAVAILABLE, "%s: not found", shown);
    const bool scarce = e == ENOMEM || e == EAGAIN || e == EMFILE || e == ENFILE;
    return gs_fail(err, scarce ? GS_ERR_MEMORY : GS_ERR_IO, "%s: %s", shown, strerror(e));
}

void gs_descriptor_close(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

/*
 * Default signals for the child: what this program ignores or blocks is its own business. A group
 * of its own: Ctrl-C is for this program, which may have to finish what the child does.
 * Standard input is /dev/null, so the child cannot take the user's typing or the data that is
 * piped into this program.
 */
static int spawn(struct running *r, const char *const *argv)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    int e = posix_spawn_file_actions_init(&actions);
    if (e != 0)
        return e;
    e = posix_spawnattr_init(&attributes);
    if (e == 0) {
        (void)sigemptyset(&none);
        (void)sigemptyset(&defaults);
        (void)sigaddset(&defaults, SIGPIPE);
        (void)posix_spawnattr_setsigmask(&attributes, &none);
        (void)posix_spawnattr_setsigdefault(&attributes, &defaults);
        (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                        POSIX_SPAWN_SETPGROUP);
        e = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        for (int fd = 1; fd <= 2 && e == 0; fd++)
            e = posix_spawn_file_actions_adddup2(&actions, r->end[fd - 1][1], fd);
        if (e == 0)
            e = posix_spawnp(&r->pid, argv[0], &actions, &attributes, (char *const *)(size_t)argv,
                             environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return e;
}

/*
 * Both pipes are watched together. Reading one to its end first would deadlock with a child
 * that has filled the other. Output beyond the bound is read all the same, or the child would
 * wait for ever.
 */
int gs_pipes_drain(int pipes[2], struct gs_buf *const to[2], size_t most)
{
    char room[16 << 10];
    int e = 0;
    while (e == 0 && (pipes[0] >= 0 || pipes[1] >= 0)) {
        struct pollfd fds[2] = {{pipes[0], POLLIN, 0}, {pipes[1], POLLIN, 0}};
        if (poll(fds, 2, -1) < 0) {
            if (errno != EINTR)
                e = errno;
            continue;
        }
        for (int k = 0; k < 2 && e == 0; k++) {
            if (pipes[k] < 0 || fds[k].revents == 0)
                continue;
            const ssize_t n = read(pipes[k], room, sizeof room);
            if (n < 0 && errno != EINTR)
                e = errno;
            if (n == 0)
                gs_descriptor_close(&pipes[k]);
            if (n > 0 && (size_t)n <= most - to[k]->len)
                gs_buf_bytes(to[k], room, (size_t)n);
        }
    }
    gs_descriptor_close(&pipes[0]);
    gs_descriptor_close(&pipes[1]);
    return e;
}

enum gs_status gs_process_run(const char *const *argv, struct gs_process *p, struct gs_err *err)
{
    struct running r = {.end = {{-1, -1}, {-1, -1}}};
    int e = 0;
    if (pipe2(r.end[0], O_CLOEXEC) != 0 || pipe2(r.end[1], O_CLOEXEC) != 0)
        e = errno;
    else
        e = spawn(&r, argv);
    /*
     * The writing ends must close here before anything is read: while this process holds them,
     * the end of the output never comes.
     */
    gs_descriptor_close(&r.end[0][1]);
    gs_descriptor_close(&r.end[1][1]);
    const bool started = e == 0;
    int pipes[2] = {r.end[0][0], r.end[1][0]};
    /*
     * Closed before the wait: after a failure here a child that still writes gets SIGPIPE and
     * ends.
     */
    if (started)
        e = gs_pipes_drain(pipes, (struct gs_buf *const[]){&p->out, &p->complaints},
                           GS_PROCESS_BYTES_MAX);
    gs_descriptor_close(&pipes[0]);
    gs_descriptor_close(&pipes[1]);
    int status = 0;
    while (started && waitpid(r.pid, &status, 0) < 0)
        if (errno != EINTR) {
            e = errno;
            break;
        }
    if (e != 0)
        return fail_errno(argv[0], e, err);
    p->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return gs_had_memory(!p->out.failed && !p->complaints.failed, err);
}
