/*
 * format_labelled.c - what people print for people: "Power: 42.7W, temp=50 C", "iter 10: loss 4.2, time 132ms", perhaps
 * behind a time. Labels are columns.
 * A record ends where a label comes again or a line has a time of its own, so that its readings may stand on several lines.
 */
#include "input/formats/formats.h"

#include <string.h>

#include "base/num/order.h"
#include "input/schema/column_meaning.h"

/* Which instants are the times: those of no label, else those of a label above the readings or below them. */
enum clock { CLOCK_NONE, CLOCK_PLAIN, CLOCK_ABOVE, CLOCK_BELOW };

struct labelled {
    struct gs_lines *lines; /* its time is that of the line above or this one */
    uint32_t n_readings;    /* of the open record            */
    bool counts;            /* steps or the like, in some line before */
    enum clock clock;
};

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* "7,000", "42,7": what is right of such a comma belongs to the number, whatever it means. */
static bool is_comma_within(struct gs_str text, size_t i)
{
    return text.ptr[i] == ',' && i > 0 && i + 1 < text.len && gs_is_digit(text.ptr[i - 1]) &&
           gs_is_digit(text.ptr[i + 1]);
}

/* Takes the number in front of a text, and the unit behind it unless that is the next label. */
static struct gs_str parse_reading(struct gs_str *text)
{
    static const char in_number[] = "0123456789.eE+-";
    size_t n = 0;
    while (n < text->len &&
           (memchr(in_number, text->ptr[n], sizeof in_number - 1) != NULL ||
            is_comma_within(*text, n)) &&
           (n == 0 || (text->ptr[n] | 0x20) != 'e' || gs_is_digit(text->ptr[n - 1])))
        n++;
    const size_t from = gs_str_skip(*text, n, " "), to = gs_str_until(*text, from, " \t/|,;:=()[]");
    const struct gs_str unit = gs_str_part(*text, from, to);
    const bool is_label = to < text->len && strchr(":=", text->ptr[to]) != NULL;
    const bool known = !is_label && gs_unit_find(unit).quantity != GS_Q_NONE;
    const struct gs_str value = {text->ptr, known ? to : n};
    *text = gs_str_after(*text, value.len);
    return value;
}

/* The words of a label that end it and begin with letters: a logger's level and dashes may stand before them. */
static struct gs_str name_of(struct gs_str label)
{
    label = gs_str_strip(label, " \t'\"{}"); /* {'loss': 2.1} */
    size_t from = label.len;
    for (size_t at = label.len; at > 0;) {
        const size_t word = gs_str_until_back(label, at, " ");
        const bool in_brackets = label.ptr[word] == '(' && word + 1 < at;
        if (!is_letter(label.ptr[word + in_brackets]))
            break;
        from = word;
        at = gs_str_skip_back(label, word, " ");
    }
    return gs_str_after(label, from);
}

/* "[GPU 0] power", "gpu1_temp", "cuda 2": takes the number out of *label, as text; ptr == NULL: there is none. */
static struct gs_str parse_gpu(struct gs_str *label)
{
    for (size_t i = 0; i + 3 < label->len; i++) {
        const bool cuda = i + 4 < label->len &&
                          gs_str_eq_nocase((struct gs_str){label->ptr + i, 4}, gs_str("cuda"));
        if (!cuda && !gs_str_eq_nocase((struct gs_str){label->ptr + i, 3}, gs_str("gpu")))
            continue;
        const size_t from = gs_str_skip(*label, i + 3 + cuda, " #:_-["),
                     to = gs_str_skip(*label, from, GS_ALL_DIGITS);
        if (to == from)
            continue;
        const struct gs_str gpu = gs_str_part(*label, from, to);
        *label = gs_str_after(*label, gs_str_skip(*label, to, " _-:])|."));
        return gpu;
    }
    return GS_NO_STR;
}

static enum gs_status end_record(struct labelled *l, struct gs_err *err)
{
    const bool reads = l->n_readings > 0;
    l->n_readings = 0;
    if (reads) {
        gs_lines_put_time(l->lines, "timestamp");
        return gs_record_sink_end(l->lines->out, err);
    }
    gs_record_sink_forget(l->lines->out);
    return GS_OK;
}

static bool counts_steps(struct gs_str label)
{
    struct gs_name name;
    unsigned rank;
    gs_name_split(label, &name);
    return gs_name_fits(&name, GS_MEANS_TASK, &rank);
}

/* Puts a value into the open record, or into the next one where this has it already. */
static enum gs_status put(struct labelled *l, struct gs_str name, struct gs_str value,
                          bool is_reading, struct gs_err *err)
{
    const uint32_t column = gs_record_sink_column(l->lines->out, name);
    if (column != GS_INTERN_NONE && l->lines->out->value[column].ptr != NULL)
        GS_TRY(end_record(l, err));
    gs_record_sink_set_copy(l->lines->out, name, value);
    l->n_readings += is_reading;
    l->counts = l->counts || (is_reading && counts_steps(name));
    return GS_OK;
}

/* Is a line of what a training does between its steps? */
static bool tells_of_pause(struct gs_str line)
{
    static const char *const words[] = {"eval", "valid", "test",   "checkpoint", "ckpt",
                                        "sav",  "resum", "restor", "restart",    "load"};
    size_t at = 0;
    for (struct gs_str word; (word = gs_next_word(line, &at)).ptr != NULL;) {
        word = gs_str_strip(word, "[]()=|:'\"");
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            const size_t n = strlen(words[i]);
            if (word.len >= n && gs_str_eq_nocase(gs_str_part(word, 0, n), gs_str(words[i])))
                return true;
        }
    }
    return false;
}

/* Another GPU than that of the open record begins the next. */
static enum gs_status put_gpu(struct labelled *l, struct gs_str gpu, struct gs_err *err)
{
    const uint32_t column = gs_record_sink_column(l->lines->out, gs_str("gpu"));
    if (column != GS_INTERN_NONE && l->lines->out->value[column].ptr != NULL &&
        gs_str_eq(l->lines->out->value[column], gpu))
        return GS_OK;
    return put(l, gs_str("gpu"), gpu, false, err);
}

/* A number; "118 120 119" is a list, of which GPU each is nobody says. */
static bool begins_reading(struct gs_str text)
{
    const size_t sign = text.len > 0 && text.ptr[0] == '-';
    const size_t n = gs_str_skip(text, sign, GS_ALL_DIGITS ".");
    const bool list = n + 1 < text.len && text.ptr[n] == ' ' && gs_is_digit(text.ptr[n + 1]);
    return n > sign && gs_is_digit(text.ptr[sign]) && !list;
}

/* A reading that no label names is what its unit measures; shares and sizes may be of anything but where a GPU is named. */
static struct gs_str name_by_unit(struct gs_str value, bool of_gpu)
{
    switch (gs_reading_unit(value).quantity) {
    case GS_Q_POWER:
        return gs_str("power_w");
    case GS_Q_TEMPERATURE:
        return gs_str("temp_c");
    case GS_Q_SHARE:
        return of_gpu ? gs_str("gpu_util_pct") : GS_NO_STR;
    case GS_Q_MEMORY:
        return of_gpu ? gs_str("mem_used_mib") : GS_NO_STR;
    default:
        return GS_NO_STR;
    }
}

/* "20480MiB/81559MiB", "1.2/79.6 GB": the first is what is used of the second, in its unit. */
static struct gs_str parse_used(struct labelled *l, struct gs_str *text)
{
    struct gs_str used = parse_reading(text), rest = gs_str_after(*text, 1);
    if (!gs_str_begins(*text, "/") || !begins_reading(rest))
        return used;
    const struct gs_str total = parse_reading(&rest);
    const struct gs_unit unit = gs_reading_unit(total);
    if (unit.quantity != GS_Q_MEMORY)
        return used;
    *text = rest;
    if (gs_reading_unit(used).quantity == GS_Q_NONE) {
        struct gs_buf b = {.arena = l->lines->time.arena};
        gs_buf_bytes(&b, used.ptr, used.len);
        gs_buf_text(&b, unit.shown);
        used = gs_buf_str(&b);
    }
    return used;
}

/* What stands before the next label ends. */
static struct gs_str up_to_label(struct gs_str text)
{
    return gs_str_part(text, 0, gs_str_until(text, 0, ":="));
}

/* Text that is no number: what is in quotes, a word where another label follows, else all, as names of GPUs have blanks; a label is none. */
static struct gs_str parse_text(struct gs_str *text)
{
    if (gs_str_begins(*text, "\"")) {
        const struct gs_str quoted = gs_str_part(*text, 1, gs_str_until(*text, 1, "\""));
        *text = gs_str_after(*text, gs_min(quoted.len + 2, text->len));
        return quoted;
    }
    const size_t word = gs_str_until(*text, 0, " :=");
    size_t n = text->len;
    if (word < text->len && text->ptr[word] == '=') /* "Collected power: core=0.1W" */
        return gs_str("");
    if (word + up_to_label(gs_str_after(*text, word)).len < n)
        n = word;
    const struct gs_str value = {text->ptr, n};
    *text = gs_str_after(*text, n);
    return value;
}

/* Takes "/step" from behind a length of time: it is that of one. */
static bool take_per_step(struct gs_str value, struct gs_str *text)
{
    static const char *const steps[] = {"/step", "/iteration", "/iter", "/it", "/batch"};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const struct gs_str rest = gs_str_after(*text, strlen(steps[i]));
        if (!gs_str_begins(*text, steps[i]) || (rest.len > 0 && is_letter(rest.ptr[0])))
            continue;
        *text = rest;
        return gs_reading_unit(value).quantity == GS_Q_TIME;
    }
    return false;
}

static const struct gs_str batch = {"batch", 5};

struct word_pair {
    struct gs_str name, value; /* ptr == NULL: a number alone; only words are left */
    size_t n_words;            /* in front of the number                           */
};

/* "| 225 ms |" */
static bool is_between_bars(const struct word_pair *pair, struct gs_str behind)
{
    return pair->n_words == 1 && gs_str_eq(pair->name, gs_str("|")) &&
           gs_str_begins(gs_trimmed(behind), "|") &&
           gs_reading_unit(pair->value).quantity == GS_Q_TIME;
}

/*
 * Takes the next number and the word in front of it: "iter 10", "time 132.41ms", "iteration 5/ 60", "epoch [1][50/7330]". One word
 * is its name, several are prose. A number that is per step is its time, one in brackets and of a number that of the batch.
 */
static struct word_pair next_pair(struct gs_str *text)
{
    struct word_pair pair = {.n_words = 0};
    bool in_brackets = false;
    for (; text->len > 0; pair.n_words++) {
        for (; text->len > 0 && strchr(" []()-/", text->ptr[0]) != NULL && !begins_reading(*text);
             *text = gs_str_after(*text, 1)) {
            in_brackets = text->ptr[0] == '[' || (in_brackets && text->ptr[0] == ' ');
            if (gs_str_begins(*text, "- ")) /* what stands before it is the logger's: "INFO - " */
                pair.n_words = 0;
        }
        if (text->len == 0 || begins_reading(*text))
            break;
        const size_t n = gs_str_until(*text, 0, " [");
        pair.name = (struct gs_str){text->ptr, n};
        *text = gs_str_after(*text, n);
    }
    if (text->len == 0)
        return pair;
    pair.value = parse_reading(text);
    if (take_per_step(pair.value, text) || is_between_bars(&pair, *text))
        pair.name = gs_str("time per step");
    else if (pair.n_words == 0 && in_brackets && gs_str_begins(*text, "/"))
        pair.name = batch;
    else if (gs_str_eq(pair.name, gs_str("in")) &&
             gs_reading_unit(pair.value).quantity == GS_Q_TIME)
        pair.name = gs_str("took"); /* "epoch 3 finished in 10.3 seconds" */
    else if (pair.n_words != 1 || !is_letter(pair.name.ptr[0]))
        pair.name = GS_NO_STR;
    return pair;
}

/* How many words with a number behind them a text is, and nothing else; 0: it is prose. */
static size_t count_pairs(struct gs_str text)
{
    size_t n = 0;
    while (text.len > 0) {
        const struct word_pair pair = next_pair(&text);
        if (pair.value.ptr == NULL && pair.n_words > 0)
            return 0;
        n += pair.name.ptr != NULL;
    }
    return n;
}

/* Puts the pairs of a text, or only a batch's number, where other words may stand around it. */
static enum gs_status put_pairs(struct labelled *l, struct gs_str text, struct gs_err *err)
{
    const bool all = count_pairs(text) > 0;
    while (text.len > 0) {
        const struct word_pair pair = next_pair(&text);
        if (pair.name.ptr != NULL && (all || pair.name.ptr == batch.ptr))
            GS_TRY(put(l, pair.name, pair.value, true, err));
    }
    return GS_OK;
}

/* "[3]" is 3, and so is a number in quotes; "[118, 120]" is a list. */
static void unwrap_count(struct gs_str *text)
{
    if (text->ptr[0] == '"' && begins_reading(gs_str_after(*text, 1)))
        *text = gs_str_strip(*text, "\"} ");
    const size_t n = gs_str_skip(*text, 1, GS_ALL_DIGITS);
    if (n > 1 && n < text->len && text->ptr[0] == '[' && text->ptr[n] == ']')
        *text = gs_str_after(*text, 1);
}

static enum gs_status put_pair(struct labelled *l, struct gs_str label, struct gs_str *text,
                               struct gs_err *err)
{
    if (gs_is_instant_line(*text)) { /* a time amid the readings of a line is theirs */
        const struct gs_str time = *text;
        text->len = 0;
        if (l->clock != CLOCK_PLAIN)
            gs_lines_set_time(l->lines, time);
        return GS_OK;
    }
    unwrap_count(text);
    const bool is_reading = begins_reading(*text);
    const struct gs_str gpu = parse_gpu(&label);
    label = gs_trimmed(label);
    struct gs_str name = name_of(label), value = gs_str("");
    if (is_reading)
        value = parse_used(l, text);
    else if (name.len > 0 &&
             count_pairs(up_to_label(*text)) < 2) /* "GPU 0: power=...": its readings follow */
        value = parse_text(text);
    if (name.len == 0 && is_reading)
        name = name_by_unit(value, gpu.ptr != NULL);
    if (is_reading && gs_str_eq_nocase(name, gs_str("cuda")))
        return put_gpu(l, value, err);
    if (gpu.ptr != NULL)
        GS_TRY(put_gpu(l, gpu, err));
    else
        GS_TRY(put_pairs(l, (struct gs_str){label.ptr, label.len - name_of(label).len}, err));
    if (name.len > 0 && value.len > 0 && value.ptr[0] != '{') /* of a program that is in its log */
        GS_TRY(put(l, name, value, is_reading, err));
    return GS_OK;
}

/* "62C" between two commas behind "GPU 0: 95%" is a reading; else there are words and numbers. */
static enum gs_status put_bare(struct labelled *l, struct gs_str text, struct gs_err *err)
{
    const uint32_t gpu = gs_record_sink_column(l->lines->out, gs_str("gpu"));
    const bool of_gpu = gpu != GS_INTERN_NONE && l->lines->out->value[gpu].ptr != NULL;
    struct gs_str rest = text, name = GS_NO_STR;
    const struct gs_str value = parse_used(l, &rest);
    if (of_gpu)
        name = name_by_unit(value, true);
    else if (l->counts && gs_reading_unit(value).quantity == GS_Q_TIME) /* llm.c: | 512.30 ms | */
        name = gs_str("time per step");
    return name.len > 0 && rest.len == 0 ? put(l, name, value, true, err) : put_pairs(l, text, err);
}

/* "| eval |": of which loop a line is. */
static bool is_loop(struct gs_str part)
{
    return GS_IS_ONE_OF(part, "train", "training", "eval", "evaluation", "val", "valid",
                        "validation", "test");
}

/* "Power: 42.7W temp=50 C": what stands between two of | , ; and tabs, or "GPU 0" alone. */
static enum gs_status parse_part(struct labelled *l, struct gs_str part, struct gs_err *err)
{
    if (is_loop(part))
        return put(l, gs_str("phase"), part, false, err);
    if (begins_reading(part) && up_to_label(part).len == part.len)
        return put_bare(l, part, err);
    while (part.len > 0) {
        if (part.ptr[0] == '/') /* epoch=0/step=10 */
            part = gs_str_after(part, 1);
        struct gs_str label = up_to_label(part);
        part = gs_str_after(part, gs_str_skip(part, label.len, ":= "));
        if (part.len > 0) {
            GS_TRY(put_pair(l, label, &part, err));
            continue;
        }
        const struct gs_str gpu = parse_gpu(&label);
        if (gpu.ptr != NULL)
            GS_TRY(put_gpu(l, gpu, err));
        GS_TRY(put_pairs(l, label, err));
    }
    return GS_OK;
}

/* The readings of a line: between each two of | , ; and tabs. */
static enum gs_status parse_parts(struct labelled *l, struct gs_str line, struct gs_err *err)
{
    for (size_t from = 0, i = 0; i <= line.len; i++)
        if (i == line.len || (strchr("|,;\t", line.ptr[i]) != NULL && !is_comma_within(line, i))) {
            GS_TRY(parse_part(l, gs_trimmed(gs_str_part(line, from, i)), err));
            from = i + 1;
        }
    return GS_OK;
}

/* Is the instant of a line the time, and not the value of a label beside another clock? `rest` is a part of the line. */
static bool takes_instant(struct labelled *l, struct gs_str line, struct gs_str rest)
{
    const struct gs_str behind =
        gs_trimmed(gs_str_after(line, (size_t)(rest.ptr - line.ptr) + rest.len));
    const bool labelled = rest.len > 0 && behind.len > 0 && strchr(":=", behind.ptr[0]) != NULL;
    if (!labelled)
        l->clock = CLOCK_PLAIN;
    else if (l->clock == CLOCK_NONE)
        l->clock = l->n_readings > 0 ? CLOCK_BELOW : CLOCK_ABOVE;
    return !labelled || l->clock != CLOCK_PLAIN;
}

/* "ts=2024-05-01T10:00:00Z level=info": what a line of logfmt begins with is its time, perhaps in quotes. */
static struct gs_str behind_time_label(struct gs_str line)
{
    const struct gs_str label = gs_str_part(line, 0, gs_str_until(line, 0, " =:,"));
    struct gs_str value = gs_str_after(line, label.len);
    if (!gs_str_begins(value, "=") || gs_column_meaning(label) != GS_MEANS_TIME)
        return line;
    value = gs_str_after(value, 1 + (size_t)gs_str_begins(value, "=\""));
    return gs_str_until(value, 0, ":-") < gs_str_until(value, 0, " ") ? value : line;
}

/* A last line that breaks off before the time that lines end with is torn. */
static enum gs_status labelled_line(struct gs_lines *lines, struct gs_str line, struct gs_err *err)
{
    struct labelled *const l = lines->own;
    struct gs_str time, rest = line;
    const bool has_instant = gs_line_instant(behind_time_label(line), &time, &rest);
    l->lines = lines;
    if (l->n_readings == 0)
        lines->out->line = lines->in->line_number;
    if (!has_instant && !lines->in->line_ended && l->clock != CLOCK_NONE && l->n_readings > 0) {
        lines->out->n_torn++;
        return GS_OK;
    }
    const bool timed = has_instant && takes_instant(l, line, rest), below = l->clock == CLOCK_BELOW;
    if (timed && !below)
        GS_TRY(end_record(l, err));
    if (timed)
        gs_lines_set_time(lines, time);
    if (timed && below)
        GS_TRY(end_record(l, err));
    GS_TRY(parse_parts(l, rest, err));
    if (timed && !below && l->counts && l->n_readings == 0 && tells_of_pause(rest))
        l->n_readings = 1; /* of its time */
    return GS_OK;
}

static enum gs_status end_labelled(struct gs_lines *lines, struct gs_err *err)
{
    struct labelled *const l = lines->own;
    if (l->clock == CLOCK_BELOW) /* what follows the last time is of no record */
        l->n_readings = 0;
    return l->lines == NULL ? GS_OK : end_record(l, err); /* NULL: the file has no line */
}

/* Never detected by its first bytes: it is tried where a named file is nothing else. */
const struct gs_form gs_form_labelled = {
    .name = "labelled", .lines = {sizeof(struct labelled), NULL, labelled_line, end_labelled}};
