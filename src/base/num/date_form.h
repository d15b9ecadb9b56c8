/* date_form.h - parses dates by a format string such as DD.MM.YYYY hh:mm:ss. */
#pragma once

#include "base/core/text.h"

/* A date and a time of day as a calendar has them. */
struct gs_civil {
    unsigned year, month, day, hour, minute, second;
    unsigned half; /* odd: before noon, even: after, of twelve hours each; 0: of a whole day */
    int64_t ns;
    bool has_date;
    bool
        of_hour; /* its form has no hours: minutes, of which there may be any number, and seconds */
    bool utc;    /* said so, by its letter or name, or how far it is from that */
    int32_t offset_s;
};

/*
 * Reads a text by a form. A fraction may follow the seconds; a leading blank in place of a zero ("Jul  4") and single digits
 * are taken, and years of two behind a slash or a point; '*' is a word that does not count; AM is AM or PM, UTC is UTC, GMT, Z, or an offset at the end. False where it does not fit.
 */
bool gs_date_by_form(struct gs_str text, struct gs_str form, struct gs_civil *c);

/* Is this a date form? Errors are said by the caller. */
bool gs_date_form_valid(struct gs_str form);
