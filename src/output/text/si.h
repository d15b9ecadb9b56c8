/* si.h - numbers in the multiple of their unit that suits them: 259.7 MJ, 103.0 kW, 42.61 s. */
#ifndef GPUSTAT_SI_H
#define GPUSTAT_SI_H

#include "base/core/text.h"

/* A multiple of a unit: a number in it is the number in the unit itself over `factor`. */
struct gs_si {
    double factor;
    const char *unit;
};

/*
 * The multiple for numbers up to `largest` in size: of W and J from 10,000 on, of ms likewise (s). The unit itself,
 * with factor 1, for what is smaller and for every other unit (NULL gives "").
 */
struct gs_si gs_si_of(const char *unit, double largest);

/*
 * The multiple for the columns of a table, whose largest number is `largest`: ms, s, min, h; W, kW, MW; J below
 * 3.6 kJ, Wh below 1 kWh, kWh below 10 MWh, MWh. Never a smaller unit than the column's own.
 */
struct gs_si gs_unit_for_people(const char *unit, double largest);

/* Digits after the point with which a column whose largest number is `largest` shows four of them. */
int gs_decimals_of_four(double largest);

/* Appends a number with four significant digits, thousands separated. */
void gs_buf_four(struct gs_buf *b, double value);

/* Appends "259.7 MJ"; with `decimals` and the unit itself where no multiple suits better. Not for NaN. */
void gs_buf_si(struct gs_buf *b, double value, const char *unit, int decimals);

#endif
