#pragma once
/// Ends the compiler's work with one line where it is not told to read C++20, in place of the errors that follow.

#if !defined(_MSVC_LANG) && __cplusplus < 202002L
#include "nccl_analyze needs C++20: compile with -std=c++20 or later"
#endif
