// Finds the frames, and compares who printed them.

#include "parser/telling_frame.h"

#include <cstddef>

#include "text/blanks.h"
#include "text/digits.h"
#include "text/line_scan.h"
#include "text/words.h"
#include "text/wrapper.h"

namespace nccl_analyze {

namespace {

constexpr std::uint64_t most_between = 10;  // lines between the frame and the exception
constexpr std::size_t most_text = 256;      // bytes

/// Files of frameworks, and calls, that share memory between GPUs without NCCL's transports or register it with NCCL.
constexpr WordSet frames = {{"symm_mem", "symm"},
                            {"_SymmetricMemory.", "_Sym"},
                            {"custom_all_reduce", "ll_r"},
                            {"register_comm_window", "comm"},
                            {"ncclCommWindowRegister", "indo"}};

/// Returns the tag with which a launcher or server names the process at the start of a line: `(Worker_TP2 pid=418)`.
/// Empty if there is none; time stamps are no tags.
std::string_view tag_of(std::string_view line) {
  if (line.size() < 2 || (line.front() != '(' && line.front() != '[') || is_digit(line[1])) return {};
  const std::size_t end = line.find(line.front() == '(' ? ')' : ']');
  return end == std::string_view::npos ? std::string_view{} : line.substr(0, end);
}

/// Whether the line is one of a traceback: a place in a file, or code with a call.
bool is_of_traceback(std::string_view line) {
  return line.find("File \"") != std::string_view::npos || line.find('(') != std::string_view::npos;
}

}  // namespace

void TellingFrame::look(std::string_view line, std::uint64_t number) {
  line = line.substr(0, most_text);
  const FoundWord word = line_scans().front()->find(frames, line, 0);
  if (!word || !is_of_traceback(line)) return;
  const std::string_view own = without_decoration(line);
  text_ = trimmed(own.data() <= line.data() + frames.begin_of(word) ? own : line);
  speaker_ = tag_of(line);
  line_ = number;
}

std::string_view TellingFrame::above(std::string_view line, std::uint64_t number) const {
  const bool is_near = !text_.empty() && line_ < number && number - line_ <= most_between;
  return is_near && tag_of(line) == speaker_ ? std::string_view(text_) : std::string_view{};
}

}  // namespace nccl_analyze
