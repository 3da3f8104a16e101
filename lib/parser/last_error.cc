#include "parser/last_error.h"

#include <algorithm>

#include "text/wrapper.h"

namespace nccl_analyze {

namespace {

constexpr std::string_view announcement = "Last error:";
constexpr std::size_t max_before = 256;

std::string_view trimmed(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace

std::string_view LastError::inside(std::string_view line) {
  const std::size_t at = line.find(announcement);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = trimmed(line.substr(at + announcement.size()));
  return rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
}

std::string_view LastError::read(std::string_view line) {
  line = trimmed(line);
  if (announced_) {
    announced_ = false;
    lines_left_ = 0;
    const std::string_view rest = continued(line, before_);
    return rest.substr(std::min(rest.find_first_not_of(" \t"), rest.size()));
  }
  --lines_left_;
  announced_ = line.ends_with(announcement) && line.size() - announcement.size() <= max_before;
  if (announced_) {
    before_ = line.substr(0, line.size() - announcement.size());
    lines_left_ = 1;
  }
  return {};
}

}  // namespace nccl_analyze
