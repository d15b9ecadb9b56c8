/* si.h - numbers in the multiple of their unit that suits them: 72.15 kWh, 103.0 kW, 42.61 s. */
#pragma once

#include "base/core/text.h"

/* A multiple of a unit: a number in it is the number in the unit itself over `factor`. */
struct gs_si {
    double factor;
    const char *unit;
};

/*
 * The multiple for numbers up to `largest` in size: µs, ms, s, min, h (of a column in h from 1 on); W below 10 kW, kW, MW; J below 3.6 kJ, Wh below
 * 1 kWh, kWh below 10 MWh, MWh. Smaller than the number's own only for times; NULL gives "". One unit is chosen for a
 * whole column or axis by its largest value: mixed units cannot be compared by eye.
 */
struct gs_si gs_si_of(const char *unit, double largest);

/* The same for a power of ten on a logarithmic axis: only multiples that are powers of ten, so µs, ms and s. */
struct gs_si gs_si_of_decade(const char *unit, double at);

/* Are four digits shown? In every multiple, and of ms, which go from a kernel to a step. */
bool gs_unit_takes_four(const char *unit, double factor);

/* Digits after the point with which a column whose largest number is `largest` shows four of them. */
int gs_decimals_of_four(double largest);

/* Appends "72.15 kWh"; with `decimals` and the unit itself where no multiple suits better. Not for NaN. */
void gs_buf_si(struct gs_buf *b, double value, const char *unit, int decimals);
