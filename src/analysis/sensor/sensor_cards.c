/* sensor_cards.c - the table of cards, one row per measurement, in the order of its source. */
#include "analysis/sensor/sensor_cards.h"

#include <math.h>

#include "data/tables/metric.h"

#define NONE (double)NAN

#define DRAW    GS_COLUMN_DRAW
#define AVERAGE GS_COLUMN_AVERAGE
#define INSTANT GS_COLUMN_INSTANT

/* clang-format off */
const struct gs_sensor_card gs_sensor_cards[] = {
    /* name, driver, column, period ms, rise ms, window ms, gain, offset W, r^2 */
    {"NVIDIA GeForce RTX 3090", "535.54.03", DRAW, 100, 912.12, NONE, 0.943953, 4.5768, 0.9999},
    {"NVIDIA GeForce RTX 3090", "535.54.03", AVERAGE, 100, 912.12, NONE, 0.943953, 4.5768, 0.9999},
    {"NVIDIA GeForce RTX 3090", "535.54.03", INSTANT, 100, 249.22, 99.63, 0.948275, 1.4006, 1},
    {"NVIDIA GeForce RTX 3090", "530.30.02", DRAW, 100, 264.78, 100.01, 0.942979, 6.0364, 0.9999},
    {"NVIDIA GeForce RTX 3090", "525.89.02", DRAW, 100, 924.34, NONE, 0.943956, 2.9687, 0.9999},
    {"NVIDIA GeForce RTX 3070 Ti", "535.54.03", DRAW, 100, 905.84, NONE, 1.0013, -4.2105, 0.9999},
    {"NVIDIA GeForce RTX 3070 Ti", "535.54.03", AVERAGE, 100, 905.84, NONE, 1.0013, -4.2105, 0.9999},
    {"NVIDIA GeForce RTX 3070 Ti", "535.54.03", INSTANT, 100, 257.12, 100.37, 1.00148, -4.2388, 0.9999},
    {"NVIDIA GeForce RTX 3070 Ti", "530.30.02", DRAW, 100, 252.06, 100, 1.00499, -5.6205, 0.9999},
    {"NVIDIA GeForce RTX 3070 Ti", "525.89.02", DRAW, 100, 878.16, NONE, 1.00535, -4.5454, 0.9998},
    {"NVIDIA GeForce RTX 2080 Ti", "535.54.03", DRAW, 101, 288.56, 101.91, 0.966424, -5.6783, 0.9999},
    {"NVIDIA GeForce RTX 2080 Ti", "535.54.03", INSTANT, 101, 288.56, 101.91, 0.966424, -5.6783, 0.9999},
    {"NVIDIA GeForce RTX 2080 Ti", "530.30.02", DRAW, 101, 278.88, 102.07, 0.971408, -6.5537, 0.9999},
    {"NVIDIA GeForce RTX 2080 Ti", "525.89.02", DRAW, 101, 275.75, 102.15, 0.961884, -5.1539, 0.9999},
    {"NVIDIA GeForce RTX 2060 SUPER", "535.54.03", DRAW, 101, 222.81, 105.65, 0.967865, 15.9907, 0.9704},
    {"NVIDIA GeForce RTX 2060 SUPER", "535.54.03", INSTANT, 101, 222.81, 105.65, 0.967865, 15.9907, 0.9704},
    {"NVIDIA GeForce RTX 2060 SUPER", "530.30.02", DRAW, 101, 288.03, 105.71, 0.972531, 14.9618, 0.9716},
    {"NVIDIA GeForce RTX 2060 SUPER", "525.89.02", DRAW, 101, 291.38, 106.35, 1.0205, 10.593, 0.9703},
    {"NVIDIA GeForce RTX 1080 Ti", "535.54.03", DRAW, 20, 38.69, 10.29, 0.999198, -0.345, 1},
    {"NVIDIA GeForce RTX 1080 Ti", "535.54.03", INSTANT, 20, 38.69, 10.29, 0.999198, -0.345, 1},
    {"NVIDIA GeForce RTX 1080 Ti", "530.30.02", DRAW, 20, 42.16, 8.08, 0.998329, -0.297, 1},
    {"NVIDIA GeForce RTX 1080 Ti", "525.89.02", DRAW, 20, 40.96, 8.42, 0.998812, -0.3608, 1},
    {"NVIDIA GeForce RTX 1080", "535.54.03", DRAW, 20, 44.62, 10.78, 1.06381, -5.411, 1},
    {"NVIDIA GeForce RTX 1080", "535.54.03", INSTANT, 20, 44.62, 10.78, 1.06381, -5.411, 1},
    {"NVIDIA GeForce RTX 1080", "530.30.02", DRAW, 20, 43.91, 9.1, 1.0648, -5.2229, 1},
    {"NVIDIA GeForce RTX 1080", "525.89.02", DRAW, 20, 39.22, 9.2, 1.06228, -4.8321, 1},
    {"NVIDIA GeForce GTX TITAN X", "535.54.03", DRAW, 101, 349.34, NONE, 1.00951, 1.308, 1},
    {"NVIDIA GeForce GTX TITAN X", "535.54.03", INSTANT, 101, 340.59, NONE, 1.00951, 1.308, 1},
    {"NVIDIA GeForce GTX TITAN X", "530.30.02", DRAW, 101, 340.59, NONE, 1.01195, 0.9477, 1},
    {"NVIDIA GeForce GTX TITAN X", "525.89.02", DRAW, 100, 344.38, NONE, 1.01027, 1.4364, 0.9999},
    {"Tesla M40", "535.54.03", DRAW, 31, 46.78, 13.76, 0.972228, 1.2943, 1},
    {"Tesla M40", "535.54.03", INSTANT, 31, 46.78, 13.76, 0.972228, 1.2943, 1},
    {"Tesla M40", "530.30.02", DRAW, 31, 56.09, 14.64, 0.969003, 1.8363, 1},
    {"Tesla M40", "525.89.02", DRAW, 31, 37.78, 14.45, 0.972544, 1.2185, 1},
    {"Quadro K620", "535.54.03", DRAW, 96, 73.56, NONE, 1.15004, -9.4214, 0.9991},
    {"Quadro K620", "535.54.03", INSTANT, 96, 73.56, NONE, 1.15004, -9.4214, 0.9991},
    {"Quadro K620", "530.30.02", DRAW, 98, 69.31, NONE, 1.15803, -9.4951, 0.9959},
    {"Quadro K620", "525.89.02", DRAW, 95, 39.31, NONE, 1.18147, -9.9584, 0.9975},
    {"Tesla K40m", "535.54.03", DRAW, 15, 89.62, NONE, 1.02411, 0.8057, 0.9999},
    {"Tesla K80", "535.54.03", DRAW, 100, 488.19, NONE, 0.963693, -6.2932, 0.9999},
    {"Tesla K80", "535.54.03", DRAW, 101, 479.12, NONE, 0.963693, -6.2932, 0.9999},
    {"NVIDIA A100-PCIE-40GB", "535.54.03", DRAW, 104, 53.34, 23.59, 0.953951, -1.1766, 1},
    {"NVIDIA A100-PCIE-40GB", "535.54.03", INSTANT, 104, 53.34, 23.59, 0.953951, -1.1766, 1},
    {"NVIDIA A100-PCIE-40GB", "530.30.02", DRAW, 102, 78.94, 24.37, 0.954581, -1.2624, 1},
    {"NVIDIA A100-PCIE-40GB", "525.89.02", DRAW, 102, 15.31, 24.78, 0.953991, -1.192, 1},
    {"Tesla P100-PCIE-16GB", "535.54.03", DRAW, 21, 44.91, 11.11, 0.99226, 0.87, 1},
    {"Tesla P100-PCIE-16GB", "535.54.03", INSTANT, 21, 44.91, 11.11, 0.99226, 0.87, 1},
    {"Tesla P100-PCIE-16GB", "530.30.02", DRAW, 20, 45.66, 9.88, 0.993174, 0.9955, 1},
    {"Tesla P100-PCIE-16GB", "525.89.02", DRAW, 20, 39.47, 9.84, 0.992902, 0.784, 1},
    {"NVIDIA RTX A5000", "535.54.03", DRAW, 100, 908.78, NONE, 0.873151, 15.6785, 0.9696},
    {"NVIDIA RTX A5000", "535.54.03", AVERAGE, 100, 908.78, NONE, 0.873151, 15.6785, 0.9696},
    {"NVIDIA RTX A5000", "535.54.03", INSTANT, 100, 306.31, 80.04, 0.908246, 6.3016, 0.9944},
    {"NVIDIA RTX A5000", "530.30.02", DRAW, 100, 270.62, 80.41, 0.913105, 5.2139, 0.9974},
    {"NVIDIA RTX A5000", "525.89.02", DRAW, 100, 926.16, NONE, 0.893658, 14.7765, 0.9621},
    {"NVIDIA GeForce RTX 4090", "535.54.03", DRAW, 100, 910.09, NONE, 1.04458, -22.5996, 0.9997},
    {"NVIDIA GeForce RTX 4090", "535.54.03", AVERAGE, 100, 910.09, NONE, 1.04458, -22.5996, 0.9997},
    {"NVIDIA GeForce RTX 4090", "535.54.03", INSTANT, 100, 251.69, 108.73, 1.04439, -22.565, 0.9997},
    {"NVIDIA GeForce RTX 4090", "530.30.02", DRAW, 100, 245.72, 110.78, 1.04454, -21.8974, 0.9996},
    {"NVIDIA GeForce RTX 4090", "525.89.02", DRAW, 100, 897.25, NONE, 1.05317, -23.9855, 0.9999},
    {"NVIDIA TITAN X Pascal", "535.54.03", DRAW, 20, 10.85, 11.9, 1.02538, -2.5911, 1},
    {"Alienware NVIDIA GeForce RTX 3090", "535.54.03", DRAW, 100, 909.69, NONE, 0.994449, -0.8402, 0.9965},
    {"Alienware NVIDIA GeForce RTX 3090", "535.54.03", AVERAGE, 100, 909.69, NONE, 0.994449, -0.8402, 0.9965},
    {"Alienware NVIDIA GeForce RTX 3090", "535.54.03", INSTANT, 100, 209.56, 79.99, 0.993536, -1.6615, 0.9984},
    {"Alienware NVIDIA GeForce RTX 3090", "535.54.03", DRAW, 100, 934.92, NONE, 0.98228, 3.9206, 0.9972},
    {"Alienware NVIDIA GeForce RTX 3090", "535.54.03", AVERAGE, 100, 934.92, NONE, 0.98228, 3.9206, 0.9972},
    {"Alienware NVIDIA GeForce RTX 3090", "535.54.03", INSTANT, 100, 261.88, 78.12, 0.980326, 3.0361, 0.9991},
    {"Alienware NVIDIA GeForce RTX 3090", "535.54.03", DRAW, 100, 933.92, NONE, 1.01476, -5.0714, 0.9935},
    {"Alienware NVIDIA GeForce RTX 3090", "535.54.03", AVERAGE, 100, 933.92, NONE, 1.01476, -5.0714, 0.9935},
    {"Alienware NVIDIA GeForce RTX 3090", "535.54.03", INSTANT, 100, 256.83, 78.16, 1.00186, -4.3219, 0.9984},
    {"Alienware NVIDIA GeForce RTX 3090", "535.54.03", DRAW, 100, 909, NONE, 1.01725, -8.5376, 0.9959},
    {"Alienware NVIDIA GeForce RTX 3090", "535.54.03", AVERAGE, 100, 909, NONE, 1.01725, -8.5376, 0.9959},
    {"Alienware NVIDIA GeForce RTX 3090", "535.54.03", INSTANT, 100, 223.52, 78.86, 1.00849, -8.5068, 0.9989},
};
/* clang-format on */

const size_t gs_n_sensor_cards = sizeof gs_sensor_cards / sizeof *gs_sensor_cards;

/* The unit test computes them from the rows. */
const struct gs_sensor_model gs_sensor_models[] = {
    {0.944623, 3.91186},   /* RTX 3090           */
    {1.002884, -4.56514},  /* RTX 3070 Ti        */
    {0.966535, -5.76605},  /* RTX 2080 Ti        */
    {0.982190, 14.38405},  /* RTX 2060 SUPER     */
    {0.998884, -0.33695},  /* GTX 1080 Ti        */
    {1.063675, -5.21925},  /* GTX 1080           */
    {1.010310, 1.25003},   /* GTX TITAN X        */
    {0.971501, 1.41085},   /* M40                */
    {1.024110, 0.80570},   /* K40m               */
    {0.963693, -6.29320},  /* K80                */
    {0.954119, -1.20190},  /* A100-PCIE-40GB     */
    {0.992649, 0.87988},   /* P100-PCIE-16GB     */
    {0.910676, 5.75775},   /* A5000, instant     */
    {0.883405, 15.22750},  /* A5000, draw        */
    {1.046252, -22.72942}, /* RTX 4090           */
    {1.025380, -2.59110},  /* TITAN X Pascal     */
    {1.000141, -2.70928},  /* Alienware RTX 3090 */
};

const size_t gs_n_sensor_models = sizeof gs_sensor_models / sizeof *gs_sensor_models;

/* A reading that takes so long to rise from 10 to 90 % is a running mean of 1 s. */
static const double rise_of_a_second_ms = 800.0;

/*
 * '_' in the name equals a blank, for places in which a name cannot hold blanks. Nothing else is
 * lenient: a prefix would match other cards.
 */
bool gs_sensor_card_is(const struct gs_sensor_card *row, struct gs_str name)
{
    size_t i = 0;
    for (; i < name.len && row->name[i] != '\0'; i++)
        if (row->name[i] != (name.ptr[i] == '_' ? ' ' : name.ptr[i]))
            return false;
    return name.len > 0 && i == name.len && row->name[i] == '\0';
}

bool gs_sensor_is_meter(struct gs_str name)
{
    return gs_str_eq(name, gs_str(GS_POWER_ANALYSER));
}

bool gs_sensor_card_known(struct gs_str name)
{
    if (gs_sensor_is_meter(name))
        return true;
    for (size_t i = 0; i < gs_n_sensor_cards; i++)
        if (gs_sensor_card_is(&gs_sensor_cards[i], name))
            return true;
    return false;
}

/*
 * A rise of 10 to 90 % takes 0.8 of a running mean's window, which is what a slow rise without a
 * fitted window shows.
 */
double gs_sensor_card_window_ms(const struct gs_sensor_card *row)
{
    if (isnan(row->window_ms) && row->rise_ms >= rise_of_a_second_ms)
        return 1000.0;
    return row->window_ms;
}
