#pragma once
/// Compilation stops here in a language mode older than C++20; the error names the compiler option that is missing.

#if !defined(_MSVC_LANG) && __cplusplus < 202002L
#include "nccl_analyze needs C++20: compile with -std=c++20 or later"
#endif
