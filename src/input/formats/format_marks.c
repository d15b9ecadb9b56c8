/*
 * format_marks.c - lines of somebody's log that mark when something began and ended: an instant in front or at the end, and
 * START or STOP, in one of their words, first or last of what is left. All other lines are passed over.
 */
#include "input/formats/formats.h"

#include <string.h>

enum { WORDS_MAX = 64, INSTANT_WORDS_MAX = 6 };

static struct gs_str bare(struct gs_str t)
{
    return gs_str_strip(t, " \t\r[](){}<>,;:|=-\"'.!@");
}

/* A comma or a semicolon parts words but for one between digits, as in 10:12:46,483. */
static bool is_between(struct gs_str line, size_t i)
{
    const char c = line.ptr[i];
    if (c == ' ' || c == '\t' || c == '\r')
        return true;
    return (c == ',' || c == ';') && !(i > 0 && i + 1 < line.len && gs_is_digit(line.ptr[i - 1]) &&
                                       gs_is_digit(line.ptr[i + 1]));
}

/* Where a word ends that begins at i. Blanks in the quotes that it opens are its own, and those around a sign: a = "b c". */
static size_t word_end(struct gs_str line, size_t i)
{
    for (size_t at = i; at < line.len;) {
        const char c = line.ptr[at];
        const bool opens = strchr("\"'", c) != NULL && (at == i || line.ptr[at - 1] == '=');
        const size_t close = opens ? gs_str_until(line, at + 1, (const char[]){c, '\0'}) : line.len,
                     sign = gs_str_skip(line, at, " ");
        if (sign > at && gs_is_alnum(line.ptr[at - 1]) &&
            gs_str_begins(gs_str_after(line, sign), "= "))
            at = gs_str_skip(line, sign + 1, " ");
        else if (is_between(line, at) ||
                 (at > i && gs_str_begins(gs_str_after(line, at - 1), "][")))
            return at;
        else
            at = close < line.len ? close + 1 : at + 1;
    }
    return line.len;
}

/* The words of a line; 0 where they are too many. */
static size_t words_of(struct gs_str line, struct gs_str word[WORDS_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < line.len;) {
        while (i < line.len && is_between(line, i))
            i++;
        const size_t from = i;
        i = word_end(line, from);
        if (i == from)
            break;
        if (n == WORDS_MAX)
            return 0;
        word[n++] = gs_str_part(line, from, i);
    }
    return n;
}

static struct gs_str span_of(const struct gs_str *word, size_t n)
{
    if (n == 0)
        return gs_str("");
    return bare(
        (struct gs_str){word[0].ptr, (size_t)(word[n - 1].ptr + word[n - 1].len - word[0].ptr)});
}

enum phase { NEITHER, START, STOP };
static const char *const phase_names[] = {[START] = "start", [STOP] = "stop"};

static enum phase phase_of(struct gs_str word)
{
    word = bare(word);
    if (gs_is_word_of(word, "start begin started starting begun enter"))
        return START;
    if (gs_is_word_of(word, "stop end stopped ended finish done finished complete completed exit "
                            "leave"))
        return STOP;
    return NEITHER;
}

/* load_start, start:load: the phase, and the event that is left. */
static enum phase phase_within(struct gs_str word, struct gs_str *event)
{
    word = bare(word);
    for (size_t i = 1; i + 1 < word.len; i++) {
        if (strchr("_-.:/", word.ptr[i]) == NULL)
            continue;
        const struct gs_str before = {word.ptr, i}, behind = {word.ptr + i + 1, word.len - i - 1};
        *event = before;
        if (phase_of(behind) != NEITHER)
            return phase_of(behind);
        *event = behind;
        if (phase_of(before) != NEITHER)
            return phase_of(before);
    }
    return NEITHER;
}

static bool names_level(struct gs_str word)
{
    word = bare(word);
    return GS_IS_ONE_OF(word, "DEBUG", "INFO", "NOTICE", "WARNING", "WARN", "ERROR", "CRITICAL",
                        "TRACE");
}

/* What loggers write between the time and the message. */
static bool is_level(struct gs_str word)
{
    return bare(word).len == 0 || names_level(word);
}

/*
 * An instant whose last word is its own: an event behind it would pass for the name of a zone. Several words are none without
 * a colon, which spares most prose a closer look.
 */
static bool is_instant(struct gs_str text)
{
    if (gs_str_holds(text, " ") && !gs_str_holds(text, ":"))
        return false;
    const struct gs_str last = gs_str_after(text, gs_str_until_back(text, text.len, " "));
    const bool own =
        (last.len > 0 && (gs_is_digit(last.ptr[last.len - 1]) || last.ptr[last.len - 1] == 'Z')) ||
        GS_IS_ONE_OF(last, "UTC", "GMT", "AM", "PM");
    return own && gs_is_instant_line(text);
}

/* What stands behind "[rank0]:" or "0: ", which launchers of several processes write in front of each line; no instant. */
static struct gs_str behind_process(struct gs_str line)
{
    enum { DIGITS = 6 };
    const struct gs_str word = gs_str_part(line, 0, gs_str_until(line, 0, " \t"));
    const size_t end = gs_str_find(word, "]:"), digits = gs_str_skip(word, 0, GS_ALL_DIGITS);
    if (gs_str_begins(word, "[") && end < word.len && !gs_is_digit(word.ptr[1]))
        return gs_str_after(line, end + 2);
    if (digits > 0 && digits <= DIGITS && gs_str_begins(gs_str_after(line, digits), ": "))
        return gs_str_after(line, digits + 2);
    return line;
}

/* "[titan]": the program. */
static bool is_process(struct gs_str word)
{
    return word.len > 2 && word.ptr[0] == '[' && !gs_is_digit(word.ptr[1]) &&
           strchr("]:", word.ptr[word.len - 1]) != NULL;
}

/* Takes the instant off the words: in front, perhaps behind a level or a process, or at the end. */
static bool parse_instant(struct gs_str *word, size_t *n, struct gs_str *time)
{
    const size_t before = *n > 0 && (is_level(word[0]) || is_process(word[0]));
    for (size_t k = INSTANT_WORDS_MAX; k > 0; k--) {
        if (k + before >= *n)
            continue;
        *time = span_of(word + before, k);
        if (is_instant(*time)) {
            *n -= k + before;
            memmove(word, word + before + k, *n * sizeof *word);
            return true;
        }
        *time = span_of(word + *n - k, k);
        if (is_instant(*time)) {
            *n -= k;
            return true;
        }
    }
    return false;
}

/* "train.py:12]", "[logging.py:96:log_dist]", "sshd[412]:": where a logger says a line is from; "gpu[0]:" and "[0:62C]" are readings'. */
static bool is_source(struct gs_str word)
{
    enum { FEWEST = 3 }; /* digits of a process */
    const size_t close = gs_str_until(word, 0, "]"), open = gs_str_until(word, 1, "[") + 1,
                 colon = gs_str_until(word, 0, ":"), dot = gs_str_until_back(word, colon, ".");
    if (close + 2 < word.len || close == word.len)
        return false;
    if (open < close)
        return close + 2 == word.len && open + FEWEST <= close &&
               gs_str_skip(word, open, GS_ALL_DIGITS) == close;
    return dot > 0 && dot < colon && colon + 1 < close && gs_is_digit(word.ptr[colon + 1]) &&
           gs_str_skip(word, dot, GS_ALL_LETTERS) == colon;
}

/* "[rank0]"; what else has a number in brackets may be a GPU or a host. */
static bool is_rank(struct gs_str word)
{
    return is_process(word) && (gs_str_begins(word, "[rank") || gs_str_begins(word, "[Rank"));
}

/* How many words in front of a message are the logger's: levels, processes, and up to where the line is from. */
static size_t source_words(const struct gs_str *word, size_t n)
{
    enum { FIRST = 4 };
    size_t from = 0;
    for (size_t i = 0; i + 1 < n && i < FIRST; i++)
        if (is_source(word[i]) || (i == from && (names_level(word[i]) || is_rank(word[i]))))
            from = i + 1;
    return from;
}

bool gs_line_instant(struct gs_str line, struct gs_str *time, struct gs_str *rest)
{
    struct gs_str word[WORDS_MAX];
    size_t n = words_of(behind_process(line), word);
    *time = span_of(word, n);
    *rest = gs_str_after(line, line.len);
    if (is_instant(*time))
        return true;
    if (n > 1 && parse_instant(word, &n, time)) {
        const size_t from = source_words(word, n);
        *rest = span_of(word + from, n - from);
        return true;
    }
    *time = line;
    *rest = gs_str_after(line, line.len);
    if (gs_is_instant_line(line))
        return true;
    *rest = line;
    return false;
}

/* "rep=1": a name, the sign and a value. */
static bool is_assignment(struct gs_str word)
{
    word = bare(word);
    const size_t equal = gs_str_find_byte(word, '=');
    return equal > 0 && equal + 1 < word.len && !gs_is_digit(word.ptr[0]);
}

/* What a logger writes in front of a message: up to its level, and its name where more than one word follows. */
static size_t prefix_of(const struct gs_str *word, size_t n)
{
    enum { FIRST = 4 };
    size_t from = source_words(word, n);
    for (size_t i = from; i < n && i < FIRST; i++)
        if (is_level(word[i]))
            from = i + 1;
    if (from == 0 || from + 2 >= n ||
        gs_str_skip(word[from], 0, GS_ALL_LETTERS "_.") + 1 != word[from].len ||
        word[from].ptr[word[from].len - 1] != ':')
        return from;
    return from + 1;
}

/*
 * Does what stands behind a word say of one time how it ran, not what: "in 12.3 s", "at step 300", ", loss 2.3" or ": loss 2.3"?
 */
static bool ends_before(const struct gs_str *word, size_t n, size_t i)
{
    const struct gs_str next = i + 2 < n ? bare(word[i + 2]) : gs_str("");
    if (i + 1 >= n)
        return true;
    if (GS_IS_ONE_OF(word[i + 1], "in", "at", "after", "for", "took"))
        return next.len > 0 &&
               (gs_is_digit(next.ptr[0]) || GS_IS_ONE_OF(next, "step", "iteration", "epoch"));
    const char *const end = word[i].ptr + word[i].len; /* of a row of a table no blank follows */
    return end[-1] == ':' || ((*end == ',' || *end == ';') && end[1] == ' ');
}

/* The phase and the event of a message. */
static enum phase read_message(const struct gs_str *word, size_t n, struct gs_str *event)
{
    size_t k = 1;
    if (n == 0)
        return NEITHER;
    const bool is_tag = /* "START: train", but "done: loss 2.3" */
        gs_str_skip(word[0], 0, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") + 1 == word[0].len;
    k += is_tag && n > 1;
    while (k < n && !ends_before(word, n, k - 1))
        k++;
    *event = span_of(word + 1, k - 1);
    if (phase_of(word[0]) != NEITHER && (k > 1 || n == 1))
        return phase_of(word[0]);
    for (k = n; k > 0; k--) {
        *event = span_of(word, k - 1);
        if (ends_before(word, n, k - 1) && phase_of(word[k - 1]) != NEITHER)
            return phase_of(word[k - 1]);
    }
    for (size_t i = 1; i < n; i++) /* a logger's name in front */
        if (strchr(":-]|)", word[i - 1].ptr[word[i - 1].len - 1]) != NULL &&
            phase_of(word[i]) != NEITHER) {
            *event = span_of(word + i + 1, n - i - 1);
            return phase_of(word[i]);
        }
    if (n != 1)
        return NEITHER;
    return phase_within(word[0], event);
}

/* What a training counts: each has its number. */
static bool is_unit(struct gs_str word)
{
    return GS_IS_ONE_OF(word, "step", "iteration", "iter", "epoch");
}

/* Puts "rep=1" into the column rep; name="..." is the event where no other word is. */
static void put_assignment(struct gs_record_sink *out, struct gs_str word, struct gs_str *event)
{
    word = bare(word);
    const size_t equal = gs_str_find_byte(word, '=');
    const struct gs_str name = gs_trimmed((struct gs_str){word.ptr, equal}),
                        value = gs_str_strip(gs_str_after(word, equal + 1), " \"'");
    if (GS_IS_ONE_OF(name, "name", "event") && event->len == 0)
        *event = value;
    else if (is_unit(name) && event->len == 0) {
        *event = name;
        gs_record_sink_set(out, gs_str("task"), value);
    } else if (!GS_IS_ONE_OF(name, "time", "event", "phase"))
        gs_record_sink_set(out, name, value);
}

/* Moves the assignments behind all other words, of which there is one at least; how many the others are. */
static size_t part_words(struct gs_str *word, size_t n)
{
    struct gs_str assigned[WORDS_MAX];
    size_t n_words = 0, n_assigned = 0;
    for (size_t i = 0; i < n; i++)
        if (is_assignment(word[i]) && (n_words > 0 || i + 1 < n))
            assigned[n_assigned++] = word[i];
        else
            word[n_words++] = word[i];
    memcpy(word + n_words, assigned, n_assigned * sizeof *word);
    return n_words;
}

/*
 * "step 7" is one event of many, and the number its task, as in lists of steps: those that overlap are paired by it. False
 * for other names, whose numbers tell different things apart.
 */
static bool part_number(struct gs_str *event, struct gs_str *number)
{
    size_t from = 0; /* "epoch 3 training": the third of what stands behind it */
    const struct gs_str first = gs_next_word(*event, &from), count = gs_next_word(*event, &from);
    if (is_unit(first) && count.ptr != NULL && from < event->len &&
        gs_str_skip(count, 0, GS_ALL_DIGITS) == count.len) {
        *number = count;
        *event = bare(gs_str_after(*event, from));
        return true;
    }
    const size_t at = gs_str_until_back(*event, event->len, " _#");
    const struct gs_str base = bare(gs_str_strip(gs_str_part(*event, 0, at), "_#")),
                        unit = gs_str_after(base, gs_str_until_back(base, base.len, " _")),
                        last = bare(gs_str_after(*event, at)); /* 7, [7], 7/100 */
    const size_t end = gs_str_skip(last, 0, GS_ALL_DIGITS);
    if (end == 0 || gs_str_skip(last, 0, GS_ALL_DIGITS "/") < last.len ||
        !(is_unit(unit) || GS_IS_ONE_OF(unit, "batch", "request", "trial")))
        return false;
    *event = base;
    *number = gs_str_part(last, 0, end);
    return true;
}

static enum gs_status mark_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct gs_str word[WORDS_MAX], time = GS_NO_STR, event = GS_NO_STR, number;
    size_t n = words_of(behind_process(line), word), n_words = 0;
    enum phase phase = NEITHER;
    if (n > 1 && parse_instant(word, &n, &time)) {
        n_words = part_words(word, n);
        const size_t from = prefix_of(word, n_words);
        phase = read_message(word + from, n_words - from, &event);
    }
    if (phase == NEITHER) {
        l->out->n_other++;
        return GS_OK;
    }
    if (part_number(&event, &number))
        gs_record_sink_set(l->out, gs_str("task"), number);
    for (size_t i = n_words; i < n; i++)
        put_assignment(l->out, word[i], &event);
    gs_record_sink_set(l->out, gs_str("time"), time);
    gs_record_sink_set(l->out, gs_str("event"), event.len == 0 ? gs_str("window") : event);
    gs_record_sink_set(l->out, gs_str("phase"), gs_str(phase_names[phase]));
    return gs_lines_end(l, line, err);
}

/* Never told by its beginning: it is tried where a file is nothing else. */
const struct gs_form gs_form_marks = {.name = "marks", .lines.line = mark_line};
