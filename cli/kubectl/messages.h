#pragma once
/// Messages of the plugin on standard error. Names from the API server are untrusted, so visible() is applied to each
/// message.

#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze::kubectl {

/// Writes one line.
void say(std::string_view sentence);
void say_error(std::string_view sentence);

/// A status line on standard error: show() replaces its text, hide() erases it. Written only to a terminal.
class StatusText {
 public:
  StatusText();
  StatusText(const StatusText&) = delete;
  StatusText& operator=(const StatusText&) = delete;
  ~StatusText() { hide(); }
  void show(std::string_view text);
  void hide();

 private:
  bool active_, shown_ = false;
};

/// Lists the first eight names, separated by commas, and the number of further names.
std::string listed(const std::vector<std::string>& names);

}  // namespace nccl_analyze::kubectl
