/* pager.c - less, or what PAGER names, started without a shell. */
#define _GNU_SOURCE /* pipe2 */
#include "app/cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 16, COMMAND_MAX = 512 };

extern char **environ;

/* What has gone to a file is longer than a screen for certain and is not counted. */
bool gs_pager_wanted(const struct gs_spool *spool, unsigned lines)
{
    size_t n = 0;
    for (size_t i = 0; i < spool->memory.len && !spool->file.open; i++)
        n += spool->memory.ptr[i] == '\n';
    return lines > 0 && (spool->file.open || n >= lines);
}

/* The program waits for signals in a thread of its own and blocks them; a pager needs them. */
static bool spawn(pid_t *pid, char **words, int input)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    (void)sigemptyset(&none);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    bool ok = posix_spawnattr_init(&attributes) == 0;
    if (ok) {
        ok = posix_spawnattr_setsigmask(&attributes, &none) == 0 &&
             posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK) == 0 &&
             posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) == 0 &&
             posix_spawnp(pid, words[0], &actions, &attributes, words, environ) == 0;
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return ok;
}

/*
 * PAGER is split at blanks and never given to a shell, so nothing in it is expanded. Quotes in
 * it are not understood.
 */
bool gs_pager_start(struct gs_pager *p, const char *command)
{
    char copy[COMMAND_MAX], *words[WORDS_MAX + 1] = {NULL}, *rest = NULL;
    size_t n = 0;
    int ends[2];
    if (command == NULL || strlen(command) >= sizeof copy)
        return false;
    memcpy(copy, command, strlen(command) + 1);
    for (char *w = strtok_r(copy, " ", &rest); w != NULL && n < WORDS_MAX;
         w = strtok_r(NULL, " ", &rest))
        words[n++] = w;
    if (n == 0 || strcmp(words[0], "cat") == 0 || pipe2(ends, O_CLOEXEC) != 0)
        return false;
    const bool started = spawn(&p->pid, words, ends[0]);
    (void)close(ends[0]);
    p->to = NULL;
    if (started)
        p->to = fdopen(ends[1], "w");
    if (p->to == NULL)
        (void)close(ends[1]);
    return p->to != NULL;
}

/* The stream is closed first: the pager waits for its end, and this process for the pager. */
void gs_pager_finish(struct gs_pager *p)
{
    (void)fclose(p->to);
    while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR) {
    }
}
