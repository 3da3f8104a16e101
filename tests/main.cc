// Defines main() of the test program for Catch2 version 2; later versions provide it.

#if __has_include(<catch2/catch.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
