/* int128.h - the 128-bit integers of gcc and clang under names that -Wpedantic accepts. */
#pragma once

#ifndef __SIZEOF_INT128__
#error "gpustat needs a 64-bit processor: its sums are exact in __int128"
#endif

__extension__ typedef __int128 gs_i128;
__extension__ typedef unsigned __int128 gs_u128;
