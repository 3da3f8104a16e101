// Knows the colour of each label, for the text report, for lists of rules and for the live view.

#include "report/text/colors.h"

#include <algorithm>
#include <array>
#include <utility>

namespace nccl_analyze {

std::string colored(const TextOptions& options, std::string_view color, std::string_view text) {
  if (!options.color || color.empty()) return std::string{text};
  return std::string{color}.append(text).append("\x1b[0m");
}

std::string_view label_color(std::string_view label) {
  using LabelColor = std::pair<std::string_view, std::string_view>;
  static constexpr std::array marks{LabelColor{"ERROR", "\x1b[1;31m"}, LabelColor{"WARNING", "\x1b[1;33m"},
                                    LabelColor{"INFO", "\x1b[1;36m"}, LabelColor{"OK", "\x1b[1;32m"},
                                    LabelColor{"UNKNOWN", "\x1b[1;35m"}};
  const auto* const mark = std::ranges::find(marks, label, &LabelColor::first);
  return mark == marks.end() ? std::string_view{} : mark->second;
}

}  // namespace nccl_analyze
