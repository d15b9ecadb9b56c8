/* gnuplot_draw.c - the door to the gnuplot program: started without a shell, reading a file in memory. */
#define _GNU_SOURCE /* pipe2, memfd_create */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "draw/figure.h"
#include "render/escape.h"

extern char **environ;

enum {
    MAX_COMPLAINT = 400, /* bytes of gnuplot's own words that are shown */
    MAX_ENVIRONMENT = 4096,
};

/* A running gnuplot. */
struct child {
    pid_t pid;
    int out, complaints; /* our ends; -1 when closed */
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

enum { N_FAR = 4, SCRIPT_FD = 3 };

/* Starts gnuplot with these as its standard streams and, fourth, the script. -d: no start-up files. */
static int spawn(struct child *c, const char *program, const int far[N_FAR])
{
    char name[] = "gnuplot", no_startup[] = "-d", script[] = "/dev/fd/3";
    char *const argv[] = {name, no_startup, script, NULL};
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
        for (int i = 0; i < N_FAR && e == 0; i++)
            e = posix_spawn_file_actions_adddup2(&actions, far[i], i);
        if (e == 0)
            e = posix_spawnp(&c->pid, program, &actions, &attributes, argv, environment);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return e;
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

/* The script as a file without a name. From its standard input gnuplot would read it byte by byte, a call each. */
static int script_file(int *fd, struct gs_str script)
{
    *fd = memfd_create("gpustat", MFD_CLOEXEC);
    while (*fd >= 0 && script.len > 0) {
        const ssize_t n = write(*fd, script.ptr, script.len);
        if (n < 0 && errno != EINTR)
            return errno;
        script.ptr += n > 0 ? n : 0;
        script.len -= n > 0 ? (size_t)n : 0;
    }
    return *fd < 0 || lseek(*fd, 0, SEEK_SET) != 0 ? errno : 0;
}

static enum gs_status start(struct child *c, const char *program, struct gs_str script, struct gs_err *err)
{
    int out[2] = {-1, -1}, complaints[2] = {-1, -1}, far[N_FAR] = {-1, -1, -1, -1}, e = 0;
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
        e = spawn(c, program, far);
    for (int i = 0; i < N_FAR; i++)
        close_one(&far[i]);
    if (e != 0) {
        close_one(&out[0]);
        close_one(&complaints[0]);
        return spawn_failed(program, e, err);
    }
    c->out = out[0];
    c->complaints = complaints[0];
    return GS_OK;
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

/* Gathers both outputs until gnuplot closes them, side by side: no pipe may fill up. */
static void gather(struct child *c, struct gs_buf *picture, struct gs_buf *complaints)
{
    while (c->out >= 0 || c->complaints >= 0) {
        struct pollfd p[2] = {{c->out, POLLIN, 0}, {c->complaints, POLLIN, 0}};
        if (poll(p, 2, -1) < 0) {
            if (errno == EINTR)
                continue;
            break;
        }
        if (p[0].revents != 0)
            drain(&c->out, picture);
        if (p[1].revents != 0)
            drain(&c->complaints, complaints);
    }
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

/* Runs gnuplot on a script and gathers what it draws. */
static enum gs_status run(const char *program, const struct gs_buf *script, struct gs_buf *drawn,
                          struct gs_arena *arena, struct gs_err *err)
{
    struct gs_buf complaints = {.arena = arena};
    struct child c = {.out = -1, .complaints = -1};
    if (script->failed)
        return gs_fail_memory(err);
    const enum gs_status s = start(&c, program != NULL ? program : "gnuplot", gs_buf_str(script), err);
    if (s != GS_OK)
        return s;
    gather(&c, drawn, &complaints);
    return finish(&c, drawn, &complaints, err);
}

enum gs_status gs_plot_draw(const struct gs_frame *f, const struct gs_plot *plot, enum gs_picture picture,
                            const struct gs_draw_options *options, struct gs_sink sink, struct gs_err *err)
{
    struct gs_arena arena = {0}, picture_arena = {0};
    struct gs_buf figure = {.arena = &arena}, script = {.arena = &arena};
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
        s = run(options->program, &script, &drawn, &arena, err);
    }
    if (s == GS_OK && picture == GS_PICTURE_PDF)
        forget_date(&drawn);
    if (s == GS_OK)
        s = gs_sink_write(sink, drawn.ptr, drawn.len, err);
    gs_arena_release(&picture_arena);
    gs_arena_release(&arena);
    return s;
}

/* Finds each picture in what gnuplot wrote. Text inside one never holds a bare "<", so none can begin early. */
static enum gs_status split_svgs(struct gs_str drawn, struct gs_svg_request *request, size_t n, struct gs_err *err)
{
    static const char prolog[] = "<?xml";
    size_t found = 0, begin = 0;
    for (size_t i = 0; i + sizeof prolog - 1 <= drawn.len; i++) {
        if (drawn.ptr[i] != '<' || memcmp(drawn.ptr + i, prolog, sizeof prolog - 1) != 0)
            continue;
        if (found > 0 && found <= n)
            request[found - 1].svg = (struct gs_str){drawn.ptr + begin, i - begin};
        begin = i;
        found++;
    }
    if (found != n)
        return gs_fail(err, GS_ERR_INTERNAL, "gnuplot drew %zu of %zu pictures", found, n);
    if (n > 0)
        request[n - 1].svg = (struct gs_str){drawn.ptr + begin, drawn.len - begin};
    return GS_OK;
}

enum gs_status gs_plot_draw_svgs(const struct gs_frame *f, struct gs_svg_request *request, size_t n,
                                 const char *program, struct gs_arena *arena, struct gs_err *err)
{
    struct gs_arena scratch = {0};
    struct gs_buf script = {.arena = &scratch}, drawn = {.arena = arena};
    enum gs_status s = GS_OK;
    gs_buf_text(&script, "set encoding utf8\n");
    for (size_t i = 0; i < n && s == GS_OK; i++) {
        const struct gs_draw_options o = {.theme = request[i].theme, .log_scale = request[i].log_scale};
        struct gs_buf figure = {.arena = &scratch};
        struct gs_figure_size size = {0};
        s = gs_figure_script(f, request[i].plot, &o, 1, &size, &figure, err);
        gs_buf_text(&script, "reset\nundefine theme\n");
        append_terminal(&script, GS_PICTURE_SVG, &o, request[i].plot, &size);
        gs_buf_bytes(&script, figure.ptr, figure.len);
        gs_buf_text(&script, "set output\n");
    }
    if (s == GS_OK)
        s = run(program, &script, &drawn, &scratch, err);
    if (s == GS_OK)
        s = split_svgs(gs_buf_str(&drawn), request, n, err);
    gs_arena_release(&scratch);
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
