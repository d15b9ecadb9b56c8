/* gnuplot_draw.c - the door to the gnuplot program: started without a shell, spoken to through sockets. */
#define _GNU_SOURCE /* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "figure.h"
#include "gpustat/escape.h"

extern char **environ;

enum {
    MAX_COMPLAINT = 400, /* bytes of gnuplot's own words that are shown */
    MAX_ENVIRONMENT = 4096,
};

/* A running gnuplot: its standard input is a socket, because writing to one can be told not to raise SIGPIPE.
 */
struct child {
    pid_t pid;
    int in, out, complaints; /* our ends; -1 when closed */
};

static void close_one(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/*
 * The environment is handed on, for PATH, fonts and temporary files, without what would change the picture:
 * the user's gnuplot settings and the locale. A figure must not depend on who draws it.
 */
static void choose_environment(char *chosen[MAX_ENVIRONMENT])
{
    static char utf8[] = "LC_ALL=C.UTF-8", epoch[] = "SOURCE_DATE_EPOCH=0";
    static const char *const left_out[] = {"GNUPLOT", "GNUTERM",    "GNUHELP",    "LC_",
                                           "LANG",    "GDFONTPATH", "SOURCE_DATE"};
    size_t n = 0;
    for (char **e = environ; e != NULL && *e != NULL && n + 3 < MAX_ENVIRONMENT; e++) {
        bool keep = true;
        for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
            keep = keep && !starts_with(*e, left_out[i]);
        if (keep)
            chosen[n++] = *e;
    }
    chosen[n++] = utf8;
    chosen[n++] = epoch;
    chosen[n] = NULL;
}

static enum gs_status spawn_failed(const char *program, int e, struct gs_err *err)
{
    char shown[200];
    (void)gs_escape(shown, sizeof shown, gs_str(program));
    if (e == ENOENT || e == EACCES)
        return gs_fail(
            err, GS_ERR_NOINPUT,
            "%s: not found; install gnuplot (Debian: gnuplot-nox) or keep the script with --format gnuplot",
            shown);
    return gs_fail(err, e == ENOMEM || e == EAGAIN ? GS_ERR_MEMORY : GS_ERR_NOINPUT,
                   "%s: cannot be started: %s", shown, strerror(e));
}

/* Starts gnuplot with the far ends of three channels as its standard streams. -d: no start-up files. */
static int spawn(struct child *c, const char *program, const int far[3])
{
    char name[] = "gnuplot", no_startup[] = "-d", from_stdin[] = "-";
    char *const argv[] = {name, no_startup, from_stdin, NULL};
    char *environment[MAX_ENVIRONMENT];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    int e = posix_spawn_file_actions_init(&actions);
    if (e != 0)
        return e;
    e = posix_spawnattr_init(&attributes);
    if (e == 0) {
        choose_environment(environment);
        (void)sigemptyset(&none);
        (void)sigemptyset(&defaults);
        (void)sigaddset(&defaults, SIGPIPE);
        (void)posix_spawnattr_setsigmask(&attributes, &none);
        (void)posix_spawnattr_setsigdefault(&attributes, &defaults);
        (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        for (int i = 0; i < 3 && e == 0; i++)
            e = posix_spawn_file_actions_adddup2(&actions, far[i], i);
        if (e == 0)
            e = posix_spawnp(&c->pid, program, &actions, &attributes, argv, environment);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return e;
}

static enum gs_status start(struct child *c, const char *program, struct gs_err *err)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, complaints[2] = {-1, -1}, e = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0 || pipe2(out, O_CLOEXEC) != 0 ||
        pipe2(complaints, O_CLOEXEC) != 0) {
        e = errno;
    } else {
        /* A far end that already is 0, 1 or 2 would lose its close-on-exec only through luck: move it up. */
        int far[3] = {in[1], out[1], complaints[1]};
        for (int i = 0; i < 3 && e == 0; i++)
            if (far[i] < 3 && (far[i] = fcntl(far[i], F_DUPFD_CLOEXEC, 3)) < 0)
                e = errno;
        if (e == 0)
            e = spawn(c, program, far);
        for (int i = 0; i < 3; i++)
            if (far[i] != in[1] && far[i] != out[1] && far[i] != complaints[1])
                close_one(&far[i]);
    }
    close_one(&in[1]);
    close_one(&out[1]);
    close_one(&complaints[1]);
    if (e != 0) {
        close_one(&in[0]);
        close_one(&out[0]);
        close_one(&complaints[0]);
        return spawn_failed(program, e, err);
    }
    c->in = in[0];
    c->out = out[0];
    c->complaints = complaints[0];
    (void)fcntl(c->in, F_SETFL, O_NONBLOCK);
    return GS_OK;
}

/* Sends what the socket takes; closes it after the last byte, or when gnuplot will read no more. */
static void feed(struct child *c, struct gs_str *script)
{
    const ssize_t n = send(c->in, script->ptr, script->len, MSG_NOSIGNAL);
    if (n > 0) {
        script->ptr += n;
        script->len -= (size_t)n;
    }
    const bool gone = n < 0 && errno != EAGAIN && errno != EINTR;
    if (script->len == 0 || gone)
        close_one(&c->in);
}

static void drain(int *fd, struct gs_buf *into)
{
    char room[65536];
    const ssize_t n = read(*fd, room, sizeof room);
    if (n > 0)
        gs_buf_bytes(into, room, (size_t)n);
    else if (n == 0 || errno != EINTR)
        close_one(fd);
}

/* Feeds the script and gathers both outputs until gnuplot closes them, all at once: no pipe may fill up. */
static void converse(struct child *c, struct gs_str script, struct gs_buf *picture, struct gs_buf *complaints)
{
    while (c->in >= 0 || c->out >= 0 || c->complaints >= 0) {
        struct pollfd p[3] = {{c->in, POLLOUT, 0}, {c->out, POLLIN, 0}, {c->complaints, POLLIN, 0}};
        if (poll(p, 3, -1) < 0) {
            if (errno == EINTR)
                continue;
            break;
        }
        if (p[0].revents != 0)
            feed(c, &script);
        if (p[1].revents != 0)
            drain(&c->out, picture);
        if (p[2].revents != 0)
            drain(&c->complaints, complaints);
    }
    close_one(&c->in);
    close_one(&c->out);
    close_one(&c->complaints);
}

static enum gs_status finish(const struct child *c, const struct gs_buf *picture,
                             const struct gs_buf *complaints, struct gs_err *err)
{
    int status = 0;
    while (waitpid(c->pid, &status, 0) < 0)
        if (errno != EINTR)
            return gs_fail(err, GS_ERR_IO, "gnuplot: waiting for it failed: %s", strerror(errno));
    if (picture->failed || complaints->failed)
        return gs_fail_memory(err);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && picture->len > 0)
        return GS_OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return spawn_failed("gnuplot", ENOENT, err);
    char words[MAX_COMPLAINT];
    (void)gs_escape(words, sizeof words, gs_buf_str(complaints));
    return gs_fail(err, GS_ERR_INTERNAL, "gnuplot did not draw the figure: %s",
                   words[0] == '\0' ? "no picture came back" : words);
}

/* The name that keeps the ids of several pictures in one page apart; gnuplot allows letters, digits and _. */
static void append_id(struct gs_buf *b, const char *name)
{
    for (; *name != '\0'; name++) {
        const bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                           (*name >= '0' && *name <= '9');
        gs_buf_char(b, plain ? *name : '_');
    }
}

/* The terminal and the theme, before the script that leaves both open. */
static void append_terminal(struct gs_buf *b, enum gs_picture picture, const struct gs_draw_options *o,
                            const struct gs_plot *plot, const struct gs_figure_size *size)
{
    const int width = size->width_px, height = size->height_px;
    const char *const background = o->theme == GS_THEME_DARK ? "#14171c" : "#ffffff";
    switch (picture) {
    case GS_PICTURE_SVG:
        gs_buf_format(b, "set terminal svg size %d,%d dynamic noenhanced font 'sans-serif,12' name '", width,
                      height);
        append_id(b, plot->name != NULL ? plot->name : "figure");
        gs_buf_char(b, '\'');
        if (!o->transparent)
            gs_buf_format(b, " background '%s'", background);
        break;
    case GS_PICTURE_PNG:
        /* Two dots for each pixel of the layout: sharp on today's screens and on paper. */
        gs_buf_format(b,
                      "set terminal pngcairo size %d,%d noenhanced font 'sans-serif,12' fontscale 2 "
                      "linewidth 2 pointscale 2 background '%s'",
                      2 * width, 2 * height, background);
        break;
    case GS_PICTURE_PDF:
        gs_buf_format(
            b, "set terminal pdfcairo size %d/96.0,%d/96.0 noenhanced font 'sans-serif,9' background '%s'",
            width, height, background);
        break;
    case GS_PICTURE_SIXEL:
        gs_buf_format(b,
                      "set terminal sixelgd size %d,%d truecolor noenhanced font 'sans,10' background '%s'",
                      width, height, background);
        break;
    case GS_PICTURE_DUMB:
        gs_buf_format(b, "set terminal dumb size %d,%d noenhanced", o->columns,
                      size->rows * (o->lines > 0 ? o->lines : 24));
        break;
    }
    gs_buf_char(b, '\n');
}

/*
 * A PDF states when it was made. The date is the only thing that differs between two drawings, so it is set
 * to the epoch, in its own length: offsets inside the file stay right.
 */
static void forget_date(struct gs_buf *pdf)
{
    static const char key[] = "/CreationDate (D:";
    for (size_t i = 0; i + sizeof key - 1 < pdf->len; i++) {
        if (memcmp(pdf->ptr + i, key, sizeof key - 1) != 0)
            continue;
        static const char epoch[] = "19700101000000";
        char *const digits = pdf->ptr + i + sizeof key - 1;
        const size_t left = pdf->len - i - (sizeof key - 1);
        for (size_t k = 0; k < left && k < 14 && digits[k] >= '0' && digits[k] <= '9'; k++)
            digits[k] = epoch[k];
        return;
    }
}

enum gs_status gs_plot_draw(const struct gs_frame *f, const struct gs_plot *plot, enum gs_picture picture,
                            const struct gs_draw_options *options, struct gs_sink sink, struct gs_err *err)
{
    struct gs_arena arena = {0}, picture_arena = {0};
    struct gs_buf figure = {.arena = &arena}, script = {.arena = &arena}, complaints = {.arena = &arena};
    struct gs_buf drawn = {.arena = &picture_arena};
    struct gs_draw_options layout = *options;
    struct gs_figure_size size = {0};
    if (picture != GS_PICTURE_DUMB)
        layout.columns = 0;
    else if (layout.columns == 0)
        layout.columns = 79;
    enum gs_status s = gs_figure_script(f, plot, &layout, 1, &size, &figure, err);
    if (s == GS_OK) {
        gs_buf_text(&script, "set encoding utf8\n");
        append_terminal(&script, picture, &layout, plot, &size);
        gs_buf_bytes(&script, figure.ptr, figure.len);
        if (script.failed)
            s = gs_fail_memory(err);
    }
    struct child c = {.in = -1, .out = -1, .complaints = -1};
    if (s == GS_OK)
        s = start(&c, options->program != NULL ? options->program : "gnuplot", err);
    if (s == GS_OK) {
        converse(&c, gs_buf_str(&script), &drawn, &complaints);
        s = finish(&c, &drawn, &complaints, err);
    }
    if (s == GS_OK && picture == GS_PICTURE_PDF)
        forget_date(&drawn);
    if (s == GS_OK)
        s = gs_sink_write(sink, drawn.ptr, drawn.len, err);
    gs_arena_release(&picture_arena);
    gs_arena_release(&arena);
    return s;
}

enum gs_status gs_picture_of(const char *path, enum gs_picture *picture, struct gs_err *err)
{
    static const struct {
        const char *suffix;
        enum gs_picture picture;
    } known[] = {{".svg", GS_PICTURE_SVG}, {".png", GS_PICTURE_PNG}, {".pdf", GS_PICTURE_PDF}};
    const size_t len = strlen(path);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (len > 4 && gs_str_eq_nocase((struct gs_str){path + len - 4, 4}, gs_str(known[i].suffix))) {
            *picture = known[i].picture;
            return GS_OK;
        }
    }
    char shown[200];
    (void)gs_escape(shown, sizeof shown, gs_str(path));
    return gs_fail(err, GS_ERR_USAGE, "%s: a picture's name must end in .svg, .png or .pdf", shown);
}

enum gs_status gs_plot_draw_file(const struct gs_frame *f, const struct gs_plot *plot, const char *path,
                                 const struct gs_draw_options *options, struct gs_err *err)
{
    enum gs_picture picture;
    struct gs_output o = {0};
    enum gs_status s = gs_picture_of(path, &picture, err);
    if (s == GS_OK)
        s = gs_output_open(&o, path, err);
    if (s != GS_OK)
        return s;
    s = gs_plot_draw(f, plot, picture, options, gs_output_sink(&o), err);
    if (s == GS_OK)
        s = gs_output_commit(&o, err);
    gs_output_abandon(&o);
    return s;
}
