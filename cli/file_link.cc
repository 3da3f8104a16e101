// Recognises terminals that support hyperlinks and makes file URLs for them.

#include "cli/file_link.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace nccl_analyze {
namespace {

/// An environment variable that a terminal with hyperlinks sets, and the beginning of its value.
struct TerminalMark {
  const char* variable;
  std::string_view value;
};
constexpr std::array<TerminalMark, 12> signs{{{"VTE_VERSION", ""},
                                              {"KITTY_WINDOW_ID", ""},
                                              {"KONSOLE_VERSION", ""},
                                              {"WT_SESSION", ""},
                                              {"WEZTERM_PANE", ""},
                                              {"TERM_PROGRAM", "iTerm.app"},
                                              {"TERM_PROGRAM", "vscode"},
                                              {"TERM_PROGRAM", "ghostty"},
                                              {"TERM_PROGRAM", "WezTerm"},
                                              {"TERM", "alacritty"},
                                              {"TERM", "foot"},
                                              {"TERM", "xterm-kitty"}}};

bool is_plain(char c) {
  constexpr std::string_view others = "/-._~";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         others.find(c) != std::string_view::npos;
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_plain(c)) {
      out += c;
      continue;
    }
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    out.append("%").append(1, digits[byte / 16]).append(1, digits[byte % 16]);
  }
  return out;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string{name.data()} : std::string{};
}

}  // namespace

bool supports_hyperlinks(const Environment& environment) {
  return std::any_of(signs.begin(), signs.end(), [&](const TerminalMark& sign) {
    const char* const value = environment(sign.variable);
    return value != nullptr && *value != '\0' && std::string_view{value}.starts_with(sign.value);
  });
}

std::string file_link(const Source& source) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(source.name, error)) return {};
  const std::filesystem::path path = std::filesystem::canonical(source.name, error);
  return error ? std::string{} : "file://" + percent_encoded(host_name()) + percent_encoded(path.native());
}

}  // namespace nccl_analyze
