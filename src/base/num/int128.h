/* int128.h - the 128-bit integers of gcc and clang under names that -Wpedantic accepts. */
#ifndef GPUSTAT_INT128_H
#define GPUSTAT_INT128_H

__extension__ typedef __int128 gs_i128;
__extension__ typedef unsigned __int128 gs_u128;

#endif
