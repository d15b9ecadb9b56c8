/* power_log_names.c - the names and units that logs give their columns. */
#include <string.h>

#include "read/power_log_rows.h"

/* A name with its blanks, points, dashes and underscores gone, in lower case: Power.Draw and powerDraw are
 * one. */
enum { SQUEEZED_MAX = 64 };

struct squeezed {
    char text[SQUEEZED_MAX];
    struct gs_str unit; /* between brackets at the end of the name; missing: none */
};

enum meaning { IS_TIME, IS_DATE, IS_HOST, IS_GPU, IS_CARD, IS_FIELD, IS_FIELD_VALUE, IS_SLOT, IS_IGNORED };

struct alias {
    const char *name;
    enum meaning meaning;
    int what; /* the slot, or how good a name of a GPU this is (0 is best) */
};

static const struct alias aliases[] = {
    {"timestamp", IS_TIME, 0},
    {"time", IS_TIME, 0},
    {"datetime", IS_TIME, 0},
    {"date", IS_DATE, 0},
    {"hostname", IS_HOST, 0},
    {"host", IS_HOST, 0},
    {"index", IS_GPU, 0},
    {"gpu", IS_GPU, 0},
    {"gpuid", IS_GPU, 0},
    {"gpuindex", IS_GPU, 0},
    {"gpuidx", IS_GPU, 0},
    {"entity", IS_GPU, 0},
    {"uuid", IS_GPU, 1},
    {"gpuuuid", IS_GPU, 1},
    {"pcibusid", IS_GPU, 2},
    {"gpubusid", IS_GPU, 2},
    {"busid", IS_GPU, 2},
    {"serial", IS_GPU, 3},
    {"gpuserial", IS_GPU, 3},
    {"name", IS_CARD, 0},
    {"gpuname", IS_CARD, 0},
    {"cardname", IS_CARD, 0},
    {"productname", IS_CARD, 0},
    {"modelname", IS_CARD, 0},
    {"field", IS_FIELD, 0},
    {"fieldid", IS_FIELD, 0},
    {"fieldname", IS_FIELD, 0},
    {"value", IS_FIELD_VALUE, 0},
    {"powerdraw", IS_SLOT, PL_POWER_DRAW},
    {"power", IS_SLOT, PL_POWER_DRAW},
    {"pwr", IS_SLOT, PL_POWER_DRAW},
    {"powerw", IS_SLOT, PL_POWER_DRAW},
    {"powerwatts", IS_SLOT, PL_POWER_DRAW},
    {"powerdraww", IS_SLOT, PL_POWER_DRAW},
    {"powerdrawwatt", IS_SLOT, PL_POWER_DRAW},
    {"powerusage", IS_SLOT, PL_POWER_DRAW},
    {"boardpowerdraw", IS_SLOT, PL_POWER_DRAW},
    {"powerdrawaverage", IS_SLOT, PL_POWER_AVERAGE},
    {"powerdrawinstant", IS_SLOT, PL_POWER_INSTANT},
    {"temperaturegpu", IS_SLOT, PL_TEMP},
    {"temperature", IS_SLOT, PL_TEMP},
    {"temp", IS_SLOT, PL_TEMP},
    {"gtemp", IS_SLOT, PL_TEMP},
    {"tmptr", IS_SLOT, PL_TEMP},
    {"gputempc", IS_SLOT, PL_TEMP},
    {"gputemperature", IS_SLOT, PL_TEMP},
    {"utilizationgpu", IS_SLOT, PL_GPU_UTIL},
    {"gpuutil", IS_SLOT, PL_GPU_UTIL},
    {"gpuutilperc", IS_SLOT, PL_GPU_UTIL},
    {"gpuutl", IS_SLOT, PL_GPU_UTIL},
    {"gputl", IS_SLOT, PL_GPU_UTIL},
    {"gpuload", IS_SLOT, PL_GPU_UTIL},
    {"sm", IS_SLOT, PL_GPU_UTIL},
    {"utilizationmemory", IS_SLOT, PL_MEM_UTIL},
    {"memutil", IS_SLOT, PL_MEM_UTIL},
    {"gpumemutilperc", IS_SLOT, PL_MEM_UTIL},
    {"mcutl", IS_SLOT, PL_MEM_UTIL},
    {"memorycontrollerload", IS_SLOT, PL_MEM_UTIL},
    {"mem", IS_SLOT, PL_MEM_UTIL},
    {"memoryused", IS_SLOT, PL_MEMORY_USED},
    {"memoryuseddedicated", IS_SLOT, PL_MEMORY_USED},
    {"fb", IS_SLOT, PL_MEMORY_USED},
    {"fbusd", IS_SLOT, PL_MEMORY_USED},
    {"memorytotal", IS_SLOT, PL_MEMORY_TOTAL},
    {"fbttl", IS_SLOT, PL_MEMORY_TOTAL},
    {"clockscurrentsm", IS_SLOT, PL_CLOCK},
    {"clockssm", IS_SLOT, PL_CLOCK},
    {"clock", IS_SLOT, PL_CLOCK},
    {"pclk", IS_SLOT, PL_CLOCK},
    {"smclk", IS_SLOT, PL_CLOCK},
    {"gpuclock", IS_SLOT, PL_CLOCK},
    {"energy", IS_SLOT, PL_ENERGY},
    {"energycounter", IS_SLOT, PL_ENERGY},
    {"energyconsumption", IS_SLOT, PL_ENERGY},
    {"totalenergy", IS_SLOT, PL_ENERGY},
    {"totalenergyconsumption", IS_SLOT, PL_ENERGY},
    {"totec", IS_SLOT, PL_ENERGY},
};

/* DCGM field identifiers. Source: dcgm_fields.h of NVIDIA DCGM. */
static const struct {
    const char *name, *number;
    enum pl_slot slot;
} fields[] = {
    {"powerusage", "155", PL_POWER_DRAW},
    {"dcgmfidevpowerusage", "155", PL_POWER_DRAW},
    {"power", "155", PL_POWER_DRAW},
    {"powerdraw", "155", PL_POWER_DRAW},
    {"dcgmfidevpowerusageinstant", "157", PL_POWER_INSTANT},
    {"powerusageinstant", "157", PL_POWER_INSTANT},
    {"dcgmfidevgputemp", "150", PL_TEMP},
    {"gputemp", "150", PL_TEMP},
    {"dcgmfidevgpuutil", "203", PL_GPU_UTIL},
    {"gpuutil", "203", PL_GPU_UTIL},
    {"gpuutilization", "203", PL_GPU_UTIL},
    {"dcgmfidevmemcopyutil", "204", PL_MEM_UTIL},
    {"memcopyutil", "204", PL_MEM_UTIL},
    {"memcopyutilization", "204", PL_MEM_UTIL},
    {"dcgmfidevfbused", "252", PL_MEMORY_USED},
    {"fbused", "252", PL_MEMORY_USED},
    {"dcgmfidevfbtotal", "250", PL_MEMORY_TOTAL},
    {"fbtotal", "250", PL_MEMORY_TOTAL},
    {"dcgmfidevtotalenergyconsumption", "156", PL_ENERGY},
    {"totalenergyconsumption", "156", PL_ENERGY},
    {"dcgmfidevsmclock", "100", PL_CLOCK},
    {"smclock", "100", PL_CLOCK},
};

enum quantity { POWER, TEMPERATURE, SHARE, MEMORY, FREQUENCY, ENERGY };

static const struct {
    const char *name;
    enum quantity quantity;
    struct pl_unit unit;
} units[] = {
    {"W", POWER, {1, 1}},          {"mW", POWER, {1, 1000}},   {"kW", POWER, {1000, 1}},
    {"Watt", POWER, {1, 1}},       {"C", TEMPERATURE, {1, 1}}, {"%", SHARE, {1, 1}},
    {"MiB", MEMORY, {1, 1}},       {"MB", MEMORY, {1, 1}},     {"GiB", MEMORY, {1024, 1}},
    {"GB", MEMORY, {1024, 1}},     {"KiB", MEMORY, {1, 1024}}, {"KB", MEMORY, {1, 1024}},
    {"B", MEMORY, {1, 1048576}},   {"MHz", FREQUENCY, {1, 1}}, {"GHz", FREQUENCY, {1000, 1}},
    {"kHz", FREQUENCY, {1, 1000}}, {"J", ENERGY, {1, 1}},      {"mJ", ENERGY, {1, 1000}},
    {"uJ", ENERGY, {1, 1000000}},  {"kJ", ENERGY, {1000, 1}},  {"Wh", ENERGY, {3600, 1}},
    {"kWh", ENERGY, {3600000, 1}},
};

static enum quantity quantity_of(enum pl_slot slot)
{
    switch (slot) {
    case PL_TEMP:
        return TEMPERATURE;
    case PL_GPU_UTIL:
    case PL_MEM_UTIL:
        return SHARE;
    case PL_MEMORY_USED:
    case PL_MEMORY_TOTAL:
        return MEMORY;
    case PL_CLOCK:
        return FREQUENCY;
    case PL_ENERGY:
        return ENERGY;
    default:
        return POWER;
    }
}

/* Units are plain ASCII but for the degree sign, which comes in UTF-8, in Latin-1 and broken: it is passed
 * over. */
static bool find_unit(enum quantity q, struct gs_str text, struct pl_unit *unit)
{
    while (text.len > 0 && ((unsigned char)text.ptr[0] >= 0x80 || text.ptr[0] == ' '))
        text.ptr++, text.len--;
    while (text.len > 0 && text.ptr[text.len - 1] == ' ')
        text.len--;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].quantity == q && gs_str_eq_nocase(text, gs_str(units[i].name)) &&
            ((q != POWER && q != ENERGY) || text.len != 2 || text.ptr[0] != 'M')) { /* MW is no mW */
            *unit = units[i].unit;
            return true;
        }
    return false;
}

static bool is_unit(struct gs_str text)
{
    struct pl_unit unit;
    for (int q = POWER; q <= ENERGY; q++)
        if (find_unit((enum quantity)q, text, &unit))
            return true;
    return false;
}

/* The unit behind a name, "[W]" or, where it is one, "(mW)": returns where the name ends. */
static size_t unit_behind(struct gs_str name, size_t end, struct gs_str *unit)
{
    const char close = end > 0 ? name.ptr[end - 1] : '\0';
    if (close != ']' && close != ')')
        return end;
    size_t open = end - 1;
    while (open > 0 && name.ptr[open] != (close == ']' ? '[' : '('))
        open--;
    const struct gs_str inside = {name.ptr + open + 1, end - open - 2};
    if (name.ptr[open] != (close == ']' ? '[' : '(') || (close == ')' && !is_unit(inside)))
        return end;
    *unit = inside;
    return open;
}

static struct squeezed squeeze(struct gs_str name)
{
    struct squeezed q = {.unit = {NULL, 0}};
    size_t end = name.len, n = 0;
    while (end > 0 && name.ptr[end - 1] == ' ')
        end--;
    end = unit_behind(name, end, &q.unit);
    for (size_t i = 0; i < end; i++) {
        const char c = name.ptr[i];
        const bool upper = c >= 'A' && c <= 'Z';
        if (!upper && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9'))
            continue;
        if (n + 1 == SQUEEZED_MAX)
            return (struct squeezed){.unit = {NULL, 0}}; /* no known name is so long */
        q.text[n++] = upper ? (char)(c - 'A' + 'a') : c;
    }
    return q;
}

static const struct alias *find_alias(const char *squeezed)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(aliases[i].name, squeezed) == 0)
            return &aliases[i];
    return NULL;
}

/* A unit as the last word of a name: power_mw, temperature_C, utilization.gpu.percent. */
static const struct {
    const char *word, *unit;
} endings[] = {
    {"w", "W"},     {"watt", "W"},  {"watts", "W"},   {"mw", "mW"},   {"milliwatt", "mW"},  {"milliwatts", "mW"},
    {"kw", "kW"},   {"c", "C"},     {"celsius", "C"}, {"pct", "%"},   {"perc", "%"},        {"percent", "%"},
    {"mib", "MiB"}, {"mb", "MB"},   {"gib", "GiB"},   {"gb", "GB"},   {"mhz", "MHz"},       {"ghz", "GHz"},
    {"j", "J"},     {"joule", "J"}, {"joules", "J"},  {"mj", "mJ"},   {"millijoule", "mJ"}, {"millijoules", "mJ"},
    {"uj", "uJ"},   {"kj", "kJ"},   {"wh", "Wh"},     {"kwh", "kWh"},
};

static bool ends_in_unit(struct gs_str name, size_t *rest, struct gs_str *unit)
{
    while (name.len > 0 && name.ptr[name.len - 1] == ' ')
        name.len--;
    size_t at = name.len;
    while (at > 0 && strchr("_-. ", name.ptr[at - 1]) == NULL)
        at--;
    const struct gs_str last = {name.ptr + at, name.len - at};
    for (size_t i = 0; at > 1 && i < sizeof endings / sizeof *endings; i++)
        if (gs_str_eq_nocase(last, gs_str(endings[i].word))) {
            *rest = at - 1;
            *unit = gs_str(endings[i].unit);
            return true;
        }
    return false;
}

/* A column's name: as it is, or without the unit at its end. `q` gets what is left, and the unit. */
static const struct alias *recognise(struct gs_str name, struct squeezed *q)
{
    *q = squeeze(name);
    const struct alias *a = find_alias(q->text);
    size_t rest;
    struct gs_str unit;
    if (a != NULL || q->unit.ptr != NULL || !ends_in_unit(name, &rest, &unit))
        return a;
    struct squeezed without = squeeze((struct gs_str){name.ptr, rest});
    a = find_alias(without.text);
    struct pl_unit known;
    if (a == NULL || a->meaning != IS_SLOT || !find_unit(quantity_of((enum pl_slot)a->what), unit, &known))
        return NULL;
    without.unit = unit;
    *q = without;
    return a;
}

bool pl_is_header(const struct pl_rows *p, const struct gs_str *cell, size_t n)
{
    int known = 0;
    for (size_t i = 0; i < n; i++) {
        struct squeezed q;
        known += recognise(cell[i], &q) != NULL ||
                 (p->options->power_column != NULL && gs_str_eq_nocase(cell[i], gs_str(p->options->power_column)));
    }
    return known >= 2 || (n == 1 && known == 1);
}

/* Is this the column that --power-column names: as in the header, without its unit, or by the short words? */
static bool is_named_power(const char *wanted, struct gs_str header, const struct squeezed *q)
{
    static const struct {
        const char *word, *name;
    } words[] = {{"draw", "powerdraw"}, {"average", "powerdrawaverage"}, {"instant", "powerdrawinstant"}};
    if (wanted == NULL)
        return false;
    if (gs_str_eq_nocase(header, gs_str(wanted)))
        return true;
    const struct squeezed w = squeeze(gs_str(wanted));
    if (w.text[0] == '\0')
        return false;
    if (strcmp(w.text, q->text) == 0)
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(w.text, words[i].word) == 0 && strcmp(q->text, words[i].name) == 0)
            return true;
    return false;
}

static void list_names(char *out, size_t size, const struct gs_str *cell, size_t n)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t c = 0; c < n; c++) {
        char one[80];
        const size_t len = strlen(gs_escape(one, sizeof one, cell[c]));
        if (used + len + 8 > size) {
            memcpy(out + used, ", ...", 6);
            return;
        }
        memcpy(out + used, ", ", c == 0 ? 0 : 2);
        used += c == 0 ? 0 : 2;
        memcpy(out + used, one, len + 1);
        used += len;
    }
}

static enum gs_status bind_slot(struct pl_rows *p, struct pl_binding *b, enum pl_slot slot, size_t column,
                                struct gs_str header, struct gs_str unit, uint64_t line, struct gs_err *err)
{
    if (b->slot[slot] != PL_NONE) /* the first of two that mean the same */
        return GS_OK;
    /* NVML and DCGM count in mJ; a counter of another kind must name its unit. */
    if (slot == PL_ENERGY && unit.len == 0) {
        const struct squeezed q = squeeze(header);
        if (strcmp(q.text, "totec") != 0 && strcmp(q.text, "totalenergyconsumption") != 0)
            return GS_OK;
        unit = gs_str("mJ");
    }
    b->slot[slot] = (int)column;
    if (unit.len > 0 && !find_unit(quantity_of(slot), unit, &b->unit[slot])) {
        char shown[128];
        return gs_fail(err, GS_ERR_DATA, "%s:%llu: '%s' is in a unit that is not known here", p->name,
                       (unsigned long long)line, gs_escape(shown, sizeof shown, header));
    }
    if (slot < PL_POWERS && p->power_name[slot].ptr == NULL) {
        const char *const copy = gs_arena_copy(p->arena, header.ptr, header.len);
        if (copy == NULL)
            return gs_fail_memory(err);
        p->power_name[slot] = (struct gs_str){copy, header.len};
    }
    return GS_OK;
}

/* The column of --power-column, in the unit that it or the end of its name gives. */
static enum gs_status bind_named(struct pl_rows *p, struct pl_binding *b, const struct alias *a, size_t column,
                                 struct gs_str header, struct gs_str unit, uint64_t line, struct gs_err *err)
{
    size_t rest;
    struct pl_unit known;
    struct gs_str end;
    if (unit.len == 0 && ends_in_unit(header, &rest, &end) && find_unit(POWER, end, &known))
        unit = end;
    p->named_column = a == NULL || a->meaning != IS_SLOT ? GS_COLUMN_DRAW
                      : a->what == PL_POWER_INSTANT      ? GS_COLUMN_INSTANT
                      : a->what == PL_POWER_AVERAGE      ? GS_COLUMN_AVERAGE
                                                         : GS_COLUMN_DRAW;
    return bind_slot(p, b, PL_POWER_NAMED, column, header, unit, line, err);
}

/* What was found must make a log: a power column, or a field and its value. */
static enum gs_status check_binding(const struct pl_rows *p, const struct pl_binding *b, const struct gs_str *cell,
                                    uint64_t line, bool names_by_user, struct gs_err *err)
{
    bool power = pl_is_long(b);
    for (int s = 0; s < PL_POWERS; s++)
        power |= b->slot[s] != PL_NONE && (p->options->power_column == NULL || s == PL_POWER_NAMED);
    if (power)
        return GS_OK;
    char found[512], wanted[80];
    list_names(found, sizeof found, cell, b->n_columns);
    if (names_by_user)
        return gs_fail(err, GS_ERR_USAGE, "--columns: no column is named power");
    if (p->options->power_column != NULL)
        return gs_fail(err, GS_ERR_DATA, "%s:%llu: no power column '%s'; found %s", p->name, (unsigned long long)line,
                       gs_escape(wanted, sizeof wanted, gs_str(p->options->power_column)), found);
    return gs_fail(err, GS_ERR_DATA, "%s:%llu: no power column (--power-column names it); found %s", p->name,
                   (unsigned long long)line, found);
}

static void place(struct pl_binding *b, const struct alias *a, size_t column)
{
    int *const at = a->meaning == IS_TIME          ? &b->time
                    : a->meaning == IS_DATE        ? &b->date
                    : a->meaning == IS_HOST        ? &b->host
                    : a->meaning == IS_CARD        ? &b->card
                    : a->meaning == IS_FIELD       ? &b->field
                    : a->meaning == IS_FIELD_VALUE ? &b->value
                                                   : NULL;
    if (at != NULL && *at == PL_NONE)
        *at = (int)column;
    if (a->meaning == IS_GPU && (b->gpu == PL_NONE || a->what < b->gpu_rank)) {
        b->gpu = (int)column;
        b->gpu_rank = a->what;
    }
}

enum gs_status pl_bind(struct pl_rows *p, const struct gs_str *cell, size_t n, uint64_t line, bool names_by_user,
                       struct gs_err *err)
{
    struct pl_binding b = {.n_columns = n,
                           .time = PL_NONE,
                           .date = PL_NONE,
                           .host = PL_NONE,
                           .gpu = PL_NONE,
                           .card = PL_NONE,
                           .field = PL_NONE,
                           .value = PL_NONE};
    for (int s = 0; s < PL_SLOTS; s++)
        b.slot[s] = PL_NONE;
    enum gs_status status = GS_OK;
    for (size_t c = 0; c < n && status == GS_OK; c++) {
        struct squeezed q;
        const struct alias *const a = recognise(cell[c], &q);
        char shown[80];
        if (is_named_power(p->options->power_column, cell[c], &q))
            status = bind_named(p, &b, a, c, cell[c], q.unit, line, err);
        else if (a != NULL && a->meaning == IS_SLOT)
            status = bind_slot(p, &b, (enum pl_slot)a->what, c, cell[c], q.unit, line, err);
        else if (a != NULL)
            place(&b, a, c);
        else if (names_by_user && !gs_str_eq(cell[c], gs_str("-")))
            status = gs_fail(err, GS_ERR_USAGE,
                             "--columns: no column can be named '%s'; names are timestamp, gpu, power, temp, gpu_util, "
                             "mem_util, memory_used, memory_total, clock, and - to ignore one",
                             gs_escape(shown, sizeof shown, cell[c]));
    }
    if (status == GS_OK)
        status = check_binding(p, &b, cell, line, names_by_user, err);
    if (status != GS_OK)
        return status;
    if (b.time == PL_NONE && b.date != PL_NONE) { /* GPU-Z calls the whole instant a date */
        b.time = b.date;
        b.date = PL_NONE;
    }
    p->no_gpu |= b.gpu == PL_NONE;
    p->has_times |= b.time != PL_NONE;
    p->bind = b;
    return GS_OK;
}

enum gs_number pl_value(struct pl_rows *p, enum pl_slot slot, struct pl_unit unit, struct gs_str text, int64_t *value)
{
    int64_t v;
    enum gs_number n = gs_fixed_parse(text, &v, &p->value_rounded);
    if (n == GS_NUMBER_BAD) {
        size_t end = text.len;
        while (end > 0 && !(text.ptr[end - 1] >= '0' && text.ptr[end - 1] <= '9') && text.ptr[end - 1] != '.')
            end--;
        if (end == 0 || end == text.len ||
            !find_unit(quantity_of(slot), (struct gs_str){text.ptr + end, text.len - end}, &unit))
            return GS_NUMBER_BAD;
        n = gs_fixed_parse((struct gs_str){text.ptr, end}, &v, &p->value_rounded);
    }
    if (n != GS_NUMBER_OK)
        return n;
    if (unit.num != 0 && unit.num != unit.den) {
        const gs_i128 scaled = (gs_i128)v * unit.num;
        const gs_i128 half = (scaled < 0 ? -(gs_i128)unit.den : (gs_i128)unit.den) / 2;
        const gs_i128 q = (scaled + half) / unit.den;
        const gs_i128 limit = (gs_i128)9000000000000 * GS_FIXED_ONE;
        if (q > limit || q < -limit)
            return GS_NUMBER_RANGE;
        v = (int64_t)q;
    }
    *value = v;
    return GS_NUMBER_OK;
}

enum pl_slot pl_field_slot(struct gs_str name, struct pl_unit *unit)
{
    const struct squeezed q = squeeze(name);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(q.text, fields[i].name) == 0 || strcmp(q.text, fields[i].number) == 0) {
            *unit = fields[i].slot == PL_ENERGY ? (struct pl_unit){1, 1000} : (struct pl_unit){0, 0};
            if (q.unit.len > 0)
                (void)find_unit(quantity_of(fields[i].slot), q.unit, unit);
            return fields[i].slot;
        }
    return PL_SLOTS;
}
