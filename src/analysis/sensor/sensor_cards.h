/* sensor_cards.h - the table of cards: what others measured about their power sensors. */
#pragma once

#include "analysis/sensor/sensor.h"

/*
 * One measurement: reading = gain x meter + offset in steady state, for one card, driver and power column.
 * Source: JimZeyuYang/GPU_Power_Benchmark, plotting/data (commit 4b5c944), MIT licence, (c) Zeyu Yang;
 * described in Part-time Power Measurements, SC'24.
 */
struct gs_sensor_card {
    const char *name, *driver;
    enum gs_power_column column;
    double period_ms, rise_ms, window_ms; /* NaN: not measured */
    double gain, offset_w, r_squared;
};

extern const struct gs_sensor_card gs_sensor_cards[];
extern const size_t gs_n_sensor_cards;

/*
 * One model: reading = gain x meter + offset, the mean over the table's rows of a name. The A5000 is two, as its draw and
 * its instant readings differ by 3 %; the Quadro K620, a card of 45 W, is left out.
 */
struct gs_sensor_model {
    double gain, offset_w;
};

extern const struct gs_sensor_model gs_sensor_models[];
extern const size_t gs_n_sensor_models;

/* An instrument, no sensor of a board: GS_POWER_ANALYSER. */
bool gs_sensor_is_meter(struct gs_str name);

/* Does the table have a card of exactly this name? A blank and an underscore are one. Or is it an analyser? */
bool gs_sensor_card_known(struct gs_str name);

/* A row's window: as measured; 1 s where none could be and the reading took 0.8 s and more to rise; else NaN.
 */
double gs_sensor_card_window_ms(const struct gs_sensor_card *row);

/* Is this row about that card? */
bool gs_sensor_card_is(const struct gs_sensor_card *row, struct gs_str name);
