/* csv_fields.c - counts rows and fields of CSV files with libcsv, strictly: what correct splitting alone
 * costs. */
#include <csv.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

struct counts {
    uint64_t rows, fields;
};

static void on_field(void *text, size_t len, void *context)
{
    (void)text;
    (void)len;
    ((struct counts *)context)->fields++;
}

static void on_row(int end, void *context)
{
    (void)end;
    ((struct counts *)context)->rows++;
}

static int count(const char *path, struct counts *c)
{
    static char block[1 << 20];
    struct csv_parser p;
    const int fd = open(path, O_RDONLY);
    if (fd < 0 || csv_init(&p, CSV_STRICT | CSV_STRICT_FINI) != 0)
        return -1;
    ssize_t n;
    int status = 0;
    while (status == 0 && (n = read(fd, block, sizeof block)) > 0)
        if (csv_parse(&p, block, (size_t)n, on_field, on_row, c) != (size_t)n)
            status = -1;
    if (status == 0 && (n < 0 || csv_fini(&p, on_field, on_row, c) != 0))
        status = -1;
    csv_free(&p);
    (void)close(fd);
    return status;
}

int main(int argc, char **argv)
{
    struct counts c = {0};
    for (int i = 1; i < argc; i++)
        if (count(argv[i], &c) != 0) {
            (void)fprintf(stderr, "%s: cannot be read as CSV\n", argv[i]);
            return 65;
        }
    (void)printf("rows,fields\n%llu,%llu\n", (unsigned long long)c.rows,
                 (unsigned long long)c.fields);
    return 0;
}
