#pragma once
/// A compiler that reads an older language than C++20 stops here with one error, which names the option that it needs.

#if !defined(_MSVC_LANG) && __cplusplus < 202002L
#include "nccl_analyze needs C++20: compile with -std=c++20 or later"
#endif
