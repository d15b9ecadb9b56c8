/* Runs a fuzz target over files instead of random bytes: every find stays found, without libFuzzer. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes in a block of exactly their size, so that a read past the end is seen by sanitizers. */
static int replay(const char *path)
{
    FILE *const f = fopen(path, "rb");
    if (f == NULL) {
        perror(path);
        return -1;
    }
    uint8_t *bytes = NULL;
    int status = -1;
    if (fseek(f, 0, SEEK_END) == 0) {
        const long size = ftell(f);
        bytes = size < 0 ? NULL : malloc(size > 0 ? (size_t)size : 1);
        rewind(f);
        if (bytes != NULL && fread(bytes, 1, (size_t)size, f) == (size_t)size) {
            (void)LLVMFuzzerTestOneInput(bytes, (size_t)size);
            status = 0;
        }
    }
    if (status != 0)
        (void)fprintf(stderr, "%s: cannot be read\n", path);
    free(bytes);
    (void)fclose(f);
    return status;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed += replay(argv[i]) != 0;
    (void)printf("%d inputs\n", argc - 1 - failed);
    return failed != 0;
}
