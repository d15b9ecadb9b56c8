/* columns.c - names of columns and their units. */
#include "read/columns.h"

#include <string.h>

enum quantity { NO_QUANTITY, POWER, ENERGY, TEMPERATURE, SHARE, FREQUENCY, MEMORY, RATE };

/*
 * Units as they are folded. What tools print as MB is MiB where it is memory (nvidia-smi, GPU-Z), and is not where it
 * is a rate (dmon).
 */
static const struct {
    const char *name;
    enum quantity quantity;
    struct gs_scale scale;
} units[] = {
    {"w", POWER, {1, 1}},
    {"watt", POWER, {1, 1}},
    {"watts", POWER, {1, 1}},
    {"mw", POWER, {1, 1000}},
    {"milliwatt", POWER, {1, 1000}},
    {"milliwatts", POWER, {1, 1000}},
    {"uw", POWER, {1, 1000000}},
    {"microwatt", POWER, {1, 1000000}},
    {"microwatts", POWER, {1, 1000000}},
    {"kw", POWER, {1000, 1}},
    {"kilowatt", POWER, {1000, 1}},
    {"kilowatts", POWER, {1000, 1}},
    {"j", ENERGY, {1, 1}},
    {"joule", ENERGY, {1, 1}},
    {"joules", ENERGY, {1, 1}},
    {"mj", ENERGY, {1, 1000}},
    {"millijoule", ENERGY, {1, 1000}},
    {"millijoules", ENERGY, {1, 1000}},
    {"uj", ENERGY, {1, 1000000}},
    {"microjoule", ENERGY, {1, 1000000}},
    {"microjoules", ENERGY, {1, 1000000}},
    {"kj", ENERGY, {1000, 1}},
    {"mwh", ENERGY, {18, 5}},
    {"wh", ENERGY, {3600, 1}},
    {"kwh", ENERGY, {3600000, 1}},
    {"c", TEMPERATURE, {1, 1}},
    {"degc", TEMPERATURE, {1, 1}},
    {"degreesc", TEMPERATURE, {1, 1}},
    {"celsius", TEMPERATURE, {1, 1}},
    {"%", SHARE, {1, 1}},
    {"pct", SHARE, {1, 1}},
    {"perc", SHARE, {1, 1}},
    {"percent", SHARE, {1, 1}},
    {"percentage", SHARE, {1, 1}},
    {"share", SHARE, {100, 1}},
    {"ratio", SHARE, {100, 1}},
    {"fraction", SHARE, {100, 1}},
    {"mhz", FREQUENCY, {1, 1}},
    {"ghz", FREQUENCY, {1000, 1}},
    {"khz", FREQUENCY, {1, 1000}},
    {"hz", FREQUENCY, {1, 1000000}},
    {"mib", MEMORY, {1, 1}},
    {"mb", MEMORY, {1, 1}},
    {"gib", MEMORY, {1024, 1}},
    {"gb", MEMORY, {1024, 1}},
    {"kib", MEMORY, {1, 1024}},
    {"kb", MEMORY, {1, 1024}},
    {"b", MEMORY, {1, 1048576}},
    {"bytes", MEMORY, {1, 1048576}},
    {"mibs", RATE, {1, 1}},
    {"mibps", RATE, {1, 1}},
    {"mbs", RATE, {15625, 16384}},
    {"mbps", RATE, {15625, 16384}},
    {"gibs", RATE, {1024, 1}},
    {"gbs", RATE, {1953125, 2048}},
    {"gbps", RATE, {1953125, 2048}},
    {"kibs", RATE, {1, 1024}},
    {"kbs", RATE, {125, 131072}},
    {"bs", RATE, {1, 1048576}},
};

enum { N_UNITS = sizeof units / sizeof *units };

static size_t fold(struct gs_str text, char *out, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.ptr[i];
        const bool upper = c >= 'A' && c <= 'Z';
        if (!upper && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '%')
            continue;
        if (n + 1 == size) {
            n = 0;
            break;
        }
        out[n++] = upper ? (char)(c - 'A' + 'a') : c;
    }
    out[n] = '\0';
    return n;
}

/* Where the brackets at the end of a name open; its length where there are none. */
static size_t bracket(struct gs_str name)
{
    const char close = name.len == 0 ? '\0' : name.ptr[name.len - 1];
    const char open = close == ']' ? '[' : close == ')' ? '(' : '\0';
    for (size_t i = name.len; open != '\0' && i-- > 1;)
        if (name.ptr[i] == open)
            return i;
    return name.len;
}

void gs_column_fold(struct gs_str header, struct gs_column_name *c)
{
    while (header.len > 0 && (header.ptr[header.len - 1] == ' ' || header.ptr[header.len - 1] == '\t'))
        header.len--;
    const size_t at = bracket(header);
    (void)fold((struct gs_str){header.ptr, at}, c->folded, sizeof c->folded);
    (void)fold((struct gs_str){header.ptr + at, header.len - at}, c->unit, sizeof c->unit);
    /* A megawatt is no milliwatt; nothing draws one. */
    if (strcmp(c->unit, "mw") == 0 && header.ptr[at + 1] == 'M')
        memcpy(c->unit, "?", 2);
}

static enum quantity quantity_of(const struct gs_metric *m)
{
    if (strcmp(m->unit, "MiB/s") == 0)
        return RATE;
    char folded[16];
    (void)fold(gs_str(m->unit), folded, sizeof folded);
    for (size_t u = 0; u < N_UNITS; u++)
        if (strcmp(units[u].name, folded) == 0)
            return units[u].quantity;
    return NO_QUANTITY;
}

static bool scale_of(const struct gs_metric *m, const char *folded, struct gs_scale *scale)
{
    const enum quantity q = quantity_of(m);
    for (size_t u = 0; u < N_UNITS; u++)
        if (units[u].quantity == q && strcmp(units[u].name, folded) == 0) {
            *scale = units[u].scale;
            return true;
        }
    return false;
}

bool gs_unit_scale(const struct gs_metric *m, struct gs_str unit, struct gs_scale *scale)
{
    char folded[16];
    return fold(unit, folded, sizeof folded) > 0 && scale_of(m, folded, scale);
}

/* Is a name one of the metric's? `with_unit`: a unit stands with it. */
static bool is_name_of(const struct gs_metric *m, const char *name, size_t len, bool with_unit)
{
    char stem[GS_FOLDED_MAX];
    if (with_unit && fold(gs_str(m->stem), stem, sizeof stem) == len && memcmp(stem, name, len) == 0)
        return true;
    for (const char *a = m->aliases; *a != '\0';) {
        const bool wants_unit = *a == '?';
        a += wants_unit;
        const size_t n = strcspn(a, " ");
        if (n == len && memcmp(a, name, n) == 0)
            return with_unit || !wants_unit;
        a += n + (a[n] == ' ');
    }
    return false;
}

/* The metric of this name, with a unit that is written after it, in brackets or not. */
static const struct gs_metric *metric_with_unit(const char *name, size_t len, const char *unit, struct gs_scale *scale)
{
    for (uint32_t k = 0; k < gs_n_known_metrics; k++)
        if (is_name_of(&gs_known_metrics[k], name, len, true) && scale_of(&gs_known_metrics[k], unit, scale))
            return &gs_known_metrics[k];
    return NULL;
}

const struct gs_metric *gs_column_metric(struct gs_str header, struct gs_scale *scale)
{
    struct gs_column_name c;
    gs_column_fold(header, &c);
    const size_t len = strlen(c.folded);
    *scale = (struct gs_scale){1, 1};
    if (len == 0)
        return NULL;
    if (c.unit[0] != '\0')
        return metric_with_unit(c.folded, len, c.unit, scale);
    for (uint32_t k = 0; k < gs_n_known_metrics; k++)
        if (is_name_of(&gs_known_metrics[k], c.folded, len, gs_known_metrics[k].unit[0] == '\0'))
            return &gs_known_metrics[k];
    const struct gs_metric *m = NULL;
    for (size_t u = 0; u < N_UNITS && m == NULL; u++) {
        const size_t n = strlen(units[u].name);
        if (len > n && memcmp(c.folded + len - n, units[u].name, n) == 0)
            m = metric_with_unit(c.folded, len - n, units[u].name, scale);
    }
    return m;
}
