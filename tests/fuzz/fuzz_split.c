/* split.json of any bytes beside a part: refused with a reason, or written back the same. */
#include "target.h"
#include <fcntl.h>
#include <stdbool.h>

#include "input/detect/manifest.h"

static char dir[] = "/tmp/gpustat-fuzz-XXXXXX";

static const char *in_dir(const char *name)
{
    static char path[64];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void leave(void)
{
    (void)unlink(in_dir(GS_MANIFEST_NAME));
    (void)unlink(in_dir("gpu.1.csv"));
    (void)rmdir(dir);
}

static void put(const char *name, const void *bytes, size_t size)
{
    const int fd = open(in_dir(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    MUST(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && close(fd) == 0);
}

static void must_say_why(enum gs_status s, const struct gs_err *err)
{
    MUST(s == GS_OK || ((s == GS_ERR_DATA || s == GS_ERR_NOINPUT) && err->text[0] != '\0'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char part[] = "timestamp,power_w\n";
    static bool made; /* its name may hold an X, as the template does */
    if (!made) {
        made = true;
        MUST(mkdtemp(dir) != NULL && atexit(leave) == 0);
        put("gpu.1.csv", part, sizeof part - 1);
    }
    put(GS_MANIFEST_NAME, data, size);
    struct gs_arena arena = {0};
    struct gs_manifest m = {0}, again = {0};
    struct gs_err err = {0};
    enum gs_status s = gs_manifest_check(dir, 1, &err);
    must_say_why(s, &err);
    err = (struct gs_err){0};
    s = gs_manifest_read(dir, &arena, &m, &err);
    must_say_why(s, &err);
    if (s == GS_OK && gs_manifest_write(dir, &m, &err) == GS_OK) {
        MUST(gs_manifest_read(dir, &arena, &again, &err) == GS_OK);
        MUST(again.n_parts == m.n_parts && again.n_shards == m.n_shards);
        MUST(again.complete == m.complete && again.offset == m.offset && again.n_rows == m.n_rows);
        for (size_t i = 0; i < m.n_parts; i++)
            MUST(strcmp(again.part[i].name, m.part[i].name) == 0 &&
                 again.part[i].n_bytes == m.part[i].n_bytes &&
                 again.part[i].shard == m.part[i].shard);
    }
    gs_arena_release(&arena);
    return 0;
}
