/*
 * launch.c - runs a command and says what it cost.
 *   launch REPORT STDOUT STDERR COMMAND [ARGUMENT]...
 * REPORT gets one line: wall ns, user us, system us, peak resident KiB, wait status; the last four are
 * wait4's, of the command and all that it waited for. A program of its own, because a child of a large
 * process starts with that process' peak memory on its account.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static long long us(struct timeval t)
{
    return (long long)t.tv_sec * 1000000 + (long long)t.tv_usec;
}

static void redirect(const char *path, int to)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || dup2(fd, to) < 0) {
        perror(path);
        _exit(127);
    }
    (void)close(fd);
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        (void)fprintf(stderr, "usage: launch REPORT STDOUT STDERR COMMAND [ARGUMENT]...\n");
        return 2;
    }
    const int64_t start = now_ns();
    const pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return 71;
    }
    if (child == 0) {
        redirect(argv[2], STDOUT_FILENO);
        redirect(argv[3], STDERR_FILENO);
        (void)execvp(argv[4], argv + 4);
        perror(argv[4]);
        _exit(127);
    }
    int status = 0;
    struct rusage use;
    if (wait4(child, &status, 0, &use) != child) {
        perror("wait4");
        return 71;
    }
    const int64_t wall = now_ns() - start;
    FILE *const f = fopen(argv[1], "w");
    if (f == NULL ||
        fprintf(f, "%lld %lld %lld %ld %d\n", (long long)wall, us(use.ru_utime), us(use.ru_stime),
                use.ru_maxrss, status) < 0 ||
        fclose(f) != 0) {
        perror(argv[1]);
        return 74;
    }
    return 0;
}
