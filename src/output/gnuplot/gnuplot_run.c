/* gnuplot_run.c - the door to the gnuplot program: started without a shell, reading a file in memory. */
#define _GNU_SOURCE /* pipe2, memfd_create, execvpe */
#include "output/gnuplot/gnuplot_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/num/order.h"
#include "base/os/cleanup.h"
#include "base/os/process.h"

extern char **environ;

/* clang-format off */
enum {
    MAX_COMPLAINT = 400, /* bytes of gnuplot's own words that are shown */
    N_FAR = 4, SCRIPT_FD = 3,
};
/* clang-format on */

/* A running gnuplot. */
struct child {
    struct gs_cleanup alive;
    int pipes[2]; /* our ends of its standard output and standard error; -1 when closed */
};

/*
 * The environment is handed on, for PATH, fonts and temporary files, without what would change the picture:
 * the user's gnuplot settings and the locale. A figure must not depend on who draws it. NULL without memory.
 */
static char **choose_environment(struct gs_arena *arena)
{
    static char utf8[] = "LC_ALL=C.UTF-8", epoch[] = "SOURCE_DATE_EPOCH=0";
    static const char *const left_out[] = {"GNUPLOT", "GNUTERM",    "GNUHELP",    "LC_",
                                           "LANG",    "GDFONTPATH", "SOURCE_DATE"};
    size_t n = 0;
    for (char **e = environ; e != NULL && *e != NULL; e++)
        n++;
    char **const chosen = gs_arena_take(arena, n + 3, sizeof *chosen);
    if (chosen == NULL)
        return NULL;
    n = 0;
    for (char **e = environ; e != NULL && *e != NULL; e++) {
        bool keep = true;
        for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
            keep = keep && !gs_str_begins(gs_str(*e), left_out[i]);
        if (keep)
            chosen[n++] = *e;
    }
    chosen[n++] = utf8;
    chosen[n] = epoch;
    return chosen;
}

/*
 * A missing program is told apart from a missing resource: the remedy for one is an
 * installation, for the other a second try.
 */
static enum gs_status cannot_start(const char *program, int e, struct gs_err *err)
{
    const char *const shown = GS_SHOWN(gs_str(program), 200);
    if (e == ENOENT || e == EACCES || e == ENOTDIR)
        return gs_fail(err, GS_ERR_UNAVAILABLE,
                       "%s: not found; install gnuplot (Debian: gnuplot-nox) or keep the script "
                       "with --format gnuplot",
                       shown);
    if (e == EFBIG || e == ENOSPC)
        return gs_fail(err, GS_ERR_IO, "%s: its script cannot be written: %s", shown, strerror(e));
    const bool scarce = e == ENOMEM || e == EAGAIN || e == EMFILE || e == ENFILE;
    return gs_fail(err, scarce ? GS_ERR_MEMORY : GS_ERR_UNAVAILABLE, "%s: cannot be started: %s",
                   shown, strerror(e));
}

/* Moves a descriptor up, where the child's own numbers cannot overwrite it before it is used. */
static int move_up(int *fd)
{
    if (*fd > SCRIPT_FD)
        return 0;
    const int up = fcntl(*fd, F_DUPFD_CLOEXEC, SCRIPT_FD + 1);
    if (up < 0)
        return errno;
    (void)close(*fd);
    *fd = up;
    return 0;
}

/*
 * Between vfork, which copies no table of pages, and exec: in the memory of the parent, whose other threads go on.
 * Nothing may be called but the system. -d: no start-up files.
 */
static _Noreturn void become_gnuplot(const char *program, const int far[N_FAR], int failure,
                                     pid_t parent, char *const *environment)
{
    char name[] = "gnuplot", no_startup[] = "-d", script[] = "/dev/fd/3";
    char *const argv[] = {name, no_startup, script, NULL};
    sigset_t none;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before it could be asked */
        _exit(127);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_DFL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    bool ready = true;
    for (int i = 0; i < N_FAR && ready; i++)
        ready = dup2(far[i], i) >= 0;
    if (ready)
        (void)execvpe(program, argv, environment);
    const int e = errno;
    ssize_t told = write(failure, &e, sizeof e);
    (void)told;
    _exit(127);
}

/*
 * Starts gnuplot with these as its standard streams and, fourth, the script. Returns 0 or an
 * errno. The child is on the cleanup list before a signal can end this process, so no gnuplot
 * outlives it. The pipe reports the errno of a failed exec: exec closes it, and an empty read
 * means success.
 */
static int spawn(struct child *c, const char *program, const int far[N_FAR],
                 char *const *environment)
{
    int failure[2], e = 0;
    if (pipe2(failure, O_CLOEXEC) != 0)
        return errno;
    const pid_t parent = getpid();
    e = move_up(&failure[1]);
    gs_cleanup_block();
    const pid_t pid = e == 0 ? vfork() : -1;
    if (pid == 0)
        become_gnuplot(program, far, failure[1], parent, environment);
    if (pid > 0) {
        c->alive.pid = pid;
        gs_cleanup_add(&c->alive);
    } else if (e == 0) {
        e = errno;
    }
    gs_cleanup_unblock();
    gs_descriptor_close(&failure[1]);
    ssize_t n = 0;
    if (e == 0)
        do /* closed by exec, or an errno */
            n = read(failure[0], &e, sizeof e);
        while (n < 0 && errno == EINTR);
    gs_descriptor_close(&failure[0]);
    if (n > 0) {
        gs_cleanup_drop(&c->alive);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    return e;
}

static int write_text(int fd, struct gs_str text)
{
    while (text.len > 0) {
        const ssize_t n = write(fd, text.ptr, text.len);
        if (n < 0 && errno != EINTR)
            return errno;
        text = gs_str_after(text, (size_t)gs_max(n, 0));
    }
    return 0;
}

/*
 * The script as a file without a name. From its standard input gnuplot would read it byte by byte, a call each; and to
 * what it calls its standard output it writes line by line, to a file, even the same one, by buffers.
 */
static int script_file(int *fd, struct gs_str script)
{
    *fd = memfd_create("gpustat", MFD_CLOEXEC);
    if (*fd < 0)
        return errno;
    int e = write_text(*fd, gs_str("set output '/dev/fd/1'\n"));
    if (e == 0)
        e = write_text(*fd, script);
    if (e == 0 && lseek(*fd, 0, SEEK_SET) != 0)
        e = errno;
    return e;
}

static enum gs_status start(struct child *c, const char *program, struct gs_str script,
                            struct gs_arena *scratch, struct gs_err *err)
{
    int out[2] = {-1, -1}, complaints[2] = {-1, -1}, far[N_FAR] = {-1, -1, -1, -1}, e = 0;
    char **const environment = choose_environment(scratch);
    GS_TRY(gs_had_memory(environment != NULL, err));
    if (pipe2(out, O_CLOEXEC) != 0 || pipe2(complaints, O_CLOEXEC) != 0 ||
        (far[0] = open("/dev/null", O_RDONLY | O_CLOEXEC)) < 0)
        e = errno;
    if (e == 0)
        e = script_file(&far[SCRIPT_FD], script);
    far[1] = out[1];
    far[2] = complaints[1];
    for (int i = 0; i < N_FAR && e == 0; i++)
        e = move_up(&far[i]);
    if (e == 0)
        e = spawn(c, program, far, environment);
    for (int i = 0; i < N_FAR; i++)
        gs_descriptor_close(&far[i]);
    if (e != 0) {
        gs_descriptor_close(&out[0]);
        gs_descriptor_close(&complaints[0]);
        return cannot_start(program, e, err);
    }
    c->pipes[0] = out[0];
    c->pipes[1] = complaints[0];
    return GS_OK;
}

/*
 * A picture that cannot be read must not leave gnuplot waiting at a full pipe: it is killed
 * before the wait. Exit status 0 without bytes is a failure too, because the caller expects a
 * picture.
 */
enum gs_status gs_gnuplot_run(const char *program, const struct gs_buf *script,
                              struct gs_buf *drawn, struct gs_arena *scratch, struct gs_err *err)
{
    struct gs_buf complaints = {.arena = scratch};
    struct child c = {.pipes = {-1, -1}};
    int status = 0;
    GS_TRY(gs_had_memory(!script->failed, err));
    GS_TRY(start(&c, program != NULL ? program : "gnuplot", gs_buf_str(script), scratch, err));
    const int unread =
        gs_pipes_drain(c.pipes, (struct gs_buf *const[]){drawn, &complaints}, SIZE_MAX);
    if (unread != 0)
        (void)kill(c.alive.pid, SIGKILL);
    const int lost = gs_cleanup_wait(&c.alive, &status);
    if (unread != 0)
        return gs_fail(err, GS_ERR_IO, "gnuplot: its picture cannot be read: %s", strerror(unread));
    if (lost != 0)
        return gs_fail(err, GS_ERR_IO, "gnuplot: waiting for it failed: %s", strerror(lost));
    GS_TRY(gs_had_memory(!drawn->failed && !complaints.failed, err));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && drawn->len > 0)
        return GS_OK;
    const char *const words = GS_SHOWN(gs_buf_str(&complaints), MAX_COMPLAINT);
    const bool silent = words[0] == '\0';
    if (WIFSIGNALED(status))
        return gs_fail(err, GS_ERR_INTERNAL,
                       "gnuplot did not draw the figure: signal %d ended it%s%s", WTERMSIG(status),
                       silent ? "" : ": ", words);
    return gs_fail(err, GS_ERR_INTERNAL, "gnuplot did not draw the figure: %s",
                   silent ? "no picture came back" : words);
}

/*
 * A full disk in gnuplot's temporary directory may cut a picture without a failing status. Each
 * format ends in a mark of its own.
 */
bool gs_picture_is_whole(enum gs_picture picture, struct gs_str bytes)
{
    static const char png[] = "\0\0\0\0IEND\xae\x42\x60\x82";
    const size_t n_png = sizeof png - 1;
    struct gs_str text = bytes; /* may end in blank lines */
    while (text.len > 0 && strchr("\n\r \t\f", text.ptr[text.len - 1]) != NULL &&
           text.ptr[text.len - 1] != '\0')
        text.len--;
    if (picture == GS_PICTURE_PNG)
        return bytes.len >= n_png && memcmp(bytes.ptr + bytes.len - n_png, png, n_png) == 0;
    return gs_str_ends(text, picture == GS_PICTURE_SVG ? "</svg>" : "%%EOF");
}
