/* progress.c - a thread that sleeps for the whole of a short run. */
#include "app/cli/progress.h"

#include <errno.h>
#include <time.h>

#include "base/os/input_meter.h"

static void add_ms(struct timespec *t, unsigned ms)
{
    t->tv_sec += (time_t)(ms / 1000);
    t->tv_nsec += (long)(ms % 1000) * 1000000;
    if (t->tv_nsec >= 1000000000) {
        t->tv_nsec -= 1000000000;
        t->tv_sec++;
    }
}

/* ", 1.2 of 3.4 GB (35 %), 22 s left" while inputs are read; they take most of a long run. */
static void put_share(FILE *to, unsigned long long elapsed_ms)
{
    uint64_t total;
    const uint64_t done = gs_input_meter_read(&total);
    const bool large = total >= UINT64_C(10000000000);
    const double unit = large ? 1e9 : 1e6;
    if (total == 0 || done == total)
        return;
    (void)fprintf(to, ", %.1f of %.1f %s (%.0f %%)", (double)done / unit, (double)total / unit,
                  large ? "GB" : "MB", 100.0 * (double)done / (double)total);
    if (done * 100 >= total) /* before, it would be a guess */
        (void)fprintf(to, ", %.0f s left",
                      (double)elapsed_ms / 1000.0 * (double)(total - done) / (double)done);
}

/*
 * The deadline is absolute and moves by the period: a wake-up for another reason neither
 * shortens nor lengthens the interval. The lock is held except while waiting, so `detail`
 * cannot change under fprintf.
 */
static void *watch(void *arg)
{
    struct gs_progress *const p = arg;
    struct timespec next;
    unsigned long long elapsed_ms = 0;
    (void)clock_gettime(CLOCK_MONOTONIC, &next);
    (void)pthread_mutex_lock(&p->lock);
    add_ms(&next, p->period_ms);
    while (!p->stop) {
        if (pthread_cond_timedwait(&p->wake, &p->lock, &next) != ETIMEDOUT)
            continue;
        elapsed_ms += p->period_ms;
        add_ms(&next, p->period_ms);
        if (elapsed_ms < p->quiet_ms)
            continue;
        p->shown = true;
        (void)fprintf(p->err, "\rgpustat: %s: %llu s", p->what, elapsed_ms / 1000);
        put_share(p->err, elapsed_ms);
        if (p->detail[0] != '\0')
            (void)fprintf(p->err, ", %s", p->detail);
        (void)fputs("\033[K", p->err);
        (void)fflush(p->err);
    }
    (void)pthread_mutex_unlock(&p->lock);
    return NULL;
}

/*
 * Every failure leaves `running` false and the run silent. A progress line is never worth
 * failing for.
 */
void gs_progress_start(struct gs_progress *p)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return;
    /* A clock that is set back must not freeze the line. */
    if (pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
        pthread_mutex_init(&p->lock, NULL) == 0) {
        if (pthread_cond_init(&p->wake, &attributes) == 0) {
            p->running = pthread_create(&p->thread, NULL, watch, p) == 0;
            if (!p->running)
                (void)pthread_cond_destroy(&p->wake);
        }
        if (!p->running)
            (void)pthread_mutex_destroy(&p->lock);
    }
    (void)pthread_condattr_destroy(&attributes);
}

void gs_progress_print(void *line, const char *text)
{
    struct gs_progress *const p = line;
    if (!p->running)
        return;
    (void)pthread_mutex_lock(&p->lock);
    (void)snprintf(p->detail, sizeof p->detail, "%s", text);
    (void)pthread_mutex_unlock(&p->lock);
}

/*
 * Joins the thread before it clears the line; nothing can be drawn afterwards. Safe without a
 * start.
 */
void gs_progress_stop(struct gs_progress *p)
{
    if (!p->running)
        return;
    (void)pthread_mutex_lock(&p->lock);
    p->stop = true;
    (void)pthread_cond_signal(&p->wake);
    (void)pthread_mutex_unlock(&p->lock);
    (void)pthread_join(p->thread, NULL);
    if (p->shown)
        (void)fputs("\r\033[K", p->err);
    (void)pthread_cond_destroy(&p->wake);
    (void)pthread_mutex_destroy(&p->lock);
    p->running = false;
}
