/* progress.h - a line on the terminal that says that a long run is alive. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

/* Start from `{.err = stream, .what = "events", .period_ms = 1000}`; not to be moved while it runs. */
struct gs_progress {
    FILE *err;          /* a terminal                                          */
    const char *what;   /* shown: "gpustat: events: 3 s"                        */
    unsigned period_ms; /* between changes of the line                         */
    unsigned quiet_ms;  /* until it appears: most runs are shorter             */
    bool running, stop, shown;
    char detail[80]; /* shown behind it: "3 of 8 shards done"               */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
};

/* Begins to watch; where no thread can be had there is no line, and that is all. */
void gs_progress_start(struct gs_progress *p);

/* Sets the detail; `line` is a struct gs_progress. Nothing to do where it was not started. */
void gs_progress_print(void *line, const char *text);

/* Ends it and wipes the line. Nothing to do, and allowed, where it was not started. */
void gs_progress_stop(struct gs_progress *p);
