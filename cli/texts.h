#pragma once
/// Files of this project that the program prints as they are. The build puts them into it: cmake/embed_texts.cmake.

#include <string_view>

namespace nccl_analyze {

extern const std::string_view report_schema, diff_schema;
extern const std::string_view bash_completion, zsh_completion, fish_completion;

}  // namespace nccl_analyze
