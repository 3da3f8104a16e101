#pragma once
/// Files of this project that the program prints unchanged. cmake/embed_texts.cmake embeds them in the program.

#include <string_view>

namespace nccl_analyze {

extern const std::string_view report_schema, diff_schema;
extern const std::string_view
    picture_style;  ///< Colours of pictures in dark mode, for an element of the class `drawing`.
extern const std::string_view bash_completion, zsh_completion, fish_completion;

}  // namespace nccl_analyze
