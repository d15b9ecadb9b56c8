/* main.c - the process around the program: looks at the outside world once and hands it on. */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/num/decimal.h"
#include "base/os/cleanup.h"
#include "app/cli/run.h"

/*
 * A closed standard stream would lend its number to the next file opened, and results would go into it.
 * The stand-in is opened the wrong way round, so that using it fails as using a closed one does.
 */
static void retain_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            _exit(71);
}

/*
 * The seed keeps hostile names from sharing hash slots. It never changes a result, so a weak
 * one where the system has no randomness yet is good enough.
 */
static uint64_t random_seed(void)
{
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) == (ssize_t)sizeof seed)
        return seed;
    struct timespec t = {0};
    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_nsec * 0x9e3779b97f4a7c15u ^ (uint64_t)t.tv_sec ^
           ((uint64_t)getpid() << 32);
}

/* A value that is no number counts as unset: a shell may export COLUMNS=unknown. */
static unsigned number_in(const char *variable)
{
    const char *const text = getenv(variable);
    uint64_t v = 0;
    if (gs_count_parse(gs_str(text), 10000, &v) != GS_NUMBER_OK)
        return 0;
    return (unsigned)v;
}

/*
 * A forked child inherits the handler but not the thread that waits; the number tells the two apart. Both are looked up
 * before, because neither look may happen in a handler.
 */
static pid_t own_pid;
static int end_signal;

/*
 * A broken pipe stops the thread that wrote, not the one that waits: it hands the signal over and lingers, but not for
 * ever, as it may hold what the other one waits for.
 */
static void hand_over(int which)
{
    /* NOLINTNEXTLINE(bugprone-signal-handler): a thread's own, which POSIX has saved so */
    const int e = errno;
    if (getpid() == own_pid && kill(own_pid, end_signal) == 0) {
        (void)poll(NULL, 0, 1000);
        errno = e; /* NOLINT(bugprone-signal-handler) */
        return;
    }
    (void)signal(which, SIG_DFL); /* of a child there is nobody who waits */
    (void)raise(which);
}

/*
 * A thread waits for the signals that end a program, so that what is to be removed can be
 * removed by ordinary code; then the signal does what it would have done. Ordinary code may
 * lock and allocate, which a signal handler must not. The process ends by the signal itself, so
 * the shell and the batch system see the true cause and not an exit code.
 */
static void *wait_for_the_end(void *arg)
{
    sigset_t *const endings = arg;
    int which = 0;
    (void)sigaddset(endings, SIGPIPE); /* what it has to say itself may find nobody */
    (void)pthread_sigmask(SIG_BLOCK, endings, NULL);
    while (sigwait(endings, &which) != 0) {
    }
    if (which == end_signal)
        which = SIGPIPE;
    gs_cleanup_run();
    (void)signal(which, SIG_DFL);
    (void)pthread_sigmask(SIG_UNBLOCK, endings, NULL);
    (void)raise(which);
    _exit(128 + which);
}

/*
 * Those that a parent had ignored (nohup) stay ignored. Too large a file is an error that
 * writing reports. Signals are blocked before any other thread starts, because threads inherit
 * the mask; only the waiting thread takes them then. If it cannot be started the signals keep
 * their defaults and temporary files may stay.
 */
static void heed_signals(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    static sigset_t endings;
    struct sigaction broken_pipe = {.sa_handler = hand_over, .sa_flags = SA_RESTART};
    pthread_attr_t small;
    pthread_t thread;
    own_pid = getpid();
    end_signal = SIGRTMIN;
    (void)sigemptyset(&endings);
    (void)sigaddset(&endings, end_signal);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction now;
        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            (void)sigaddset(&endings, ending[i]);
    }
    (void)signal(SIGXFSZ, SIG_IGN);
    if (pthread_attr_init(&small) != 0)
        return;
    (void)pthread_attr_setstacksize(&small, 64 << 10);
    (void)pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
    (void)pthread_sigmask(SIG_BLOCK, &endings, NULL);
    (void)sigfillset(&broken_pipe.sa_mask); /* lingering is not cut short */
    if (pthread_create(&thread, &small, wait_for_the_end, &endings) == 0)
        (void)sigaction(SIGPIPE, &broken_pipe, NULL);
    else
        (void)pthread_sigmask(SIG_UNBLOCK, &endings, NULL);
    (void)pthread_attr_destroy(&small);
}

/*
 * GPUSTAT_NO_PAGER and its like. The order is that of gs_default_names, and unset variables are
 * NULL.
 */
static const char **default_values(void)
{
    static const char *values[32];
    for (size_t i = 0; i < sizeof values / sizeof *values && gs_default_names[i] != NULL; i++) {
        char name[40] = "GPUSTAT_";
        size_t n = strlen(name);
        for (const char *p = gs_default_names[i]; *p != '\0' && n + 1 < sizeof name; p++)
            name[n++] = *p == '-' ? '_' : gs_upper(*p);
        name[n] = '\0';
        values[i] = getenv(name);
    }
    return values;
}

/* The user's own defaults; NULL where there is no home. */
static const char *user_file(char *room, size_t size)
{
    const char *const config = getenv("XDG_CONFIG_HOME"), *const home = getenv("HOME");
    int n = -1;
    if (config != NULL && config[0] == '/')
        n = snprintf(room, size, "%s/gpustat.ini", config);
    else if (home != NULL && home[0] == '/')
        n = snprintf(room, size, "%s/.config/gpustat.ini", home);
    return n > 0 && (size_t)n < size ? room : NULL;
}

/*
 * The only place that looks up variables of the environment and asks what the streams are.
 * Everything below gets the answers as arguments, and tests call gs_main with values of their
 * own. The streams come first, before any file can be opened.
 */
int main(int argc, char **argv)
{
    retain_standard_streams();
    /* a reader that leaves ends the run quietly, even where a parent ignored it */
    (void)signal(SIGPIPE, SIG_DFL);
    heed_signals();
    /*
     * Only the character set. LC_NUMERIC stays "C", or a comma would become the decimal point
     * of all numbers.
     */
    (void)setlocale(LC_CTYPE, "");
    gs_memory_limit(0); /* before anything is taken: how malloc keeps what is given back */
    const char *const no_color = getenv("NO_COLOR"), *const term = getenv("TERM"),
                      *const temp_dir = getenv("TMPDIR");
    const bool dumb = term != NULL && strcmp(term, "dumb") == 0;
    char user_path[4096];
    const char *pager = getenv("PAGER");
    if (pager == NULL)
        pager = "less -FRX";
    if (dumb || isatty(STDIN_FILENO) != 1) /* nobody could leave it */
        pager = NULL;
    struct winsize size = {0};
    struct gs_streams streams = {
        .out = stdout,
        .err = stderr,
        .out_terminal = isatty(STDOUT_FILENO) == 1,
        .err_terminal = isatty(STDERR_FILENO) == 1,
        .no_color = dumb || (no_color != NULL && no_color[0] != '\0'),
        .unicode = !dumb && strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
        .temp_dir = temp_dir != NULL && temp_dir[0] != '\0' ? temp_dir : "/tmp",
        .defaults = {default_values(), user_file(user_path, sizeof user_path)},
        .pager = pager,
        .seed = random_seed(),
    };
    const int terminal = streams.out_terminal ? STDOUT_FILENO : STDERR_FILENO;
    if ((streams.out_terminal || streams.err_terminal) && ioctl(terminal, TIOCGWINSZ, &size) == 0) {
        streams.width = size.ws_col;
        streams.lines = size.ws_row;
    }
    const unsigned columns = number_in("COLUMNS"), lines = number_in("LINES");
    if (columns != 0)
        streams.width = columns;
    if (lines != 0)
        streams.lines = lines;
    return gs_main(argc, (const char *const *)argv, &streams);
}
