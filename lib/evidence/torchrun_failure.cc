// Reads the first failure in the summary of torchrun (PyTorch 1.10 and later,
// torch/distributed/elastic/multiprocessing/errors/__init__.py). The other failures, which stand above it, follow from
// it as a rule: torchrun ends the other workers when one has failed.

#include <algorithm>
#include <string>
#include <utility>

#include "evidence/formats.h"
#include "evidence/wording.h"
#include "text/blanks.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t most_between = 8;  // lines of programs that share the stream
constexpr std::string_view torchrun_head = "Root Cause (first observed failure):";

/// Reads the first number of a value and the one in its parentheses: `11 (local_rank: 3)`, `-9 (pid: 4711)`.
template <class Number>
bool read_pair(std::string_view value, std::string_view name, int& first, Number& second) {
  const std::size_t blank = std::min(value.find(' '), value.size());
  const std::string head = std::string("(").append(name).append(": ");
  const std::string_view rest = trimmed(value.substr(blank));
  return read_number(value.substr(0, blank), first) && rest.starts_with(head) && rest.ends_with(')') &&
         read_number(rest.substr(head.size(), rest.size() - head.size() - 1), second);
}

class TorchrunFailure : public Document {
 public:
  bool read(std::string_view line, Facts& facts) override {
    const std::string_view text = trimmed(line);
    if (text == torchrun_head) return begin_summary();
    if (text == "[0]:") return true;
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || text.size() == trimmed_end(line).size()) return false;
    const std::string_view key = trimmed_end(text.substr(0, colon)), value = trimmed(text.substr(colon + 1));
    if (key == "time") return true;
    if (is_given(key)) return ended_ = true;
    if (!read_value(key, value)) return false;
    show();
    if (key != "exitcode") return true;
    ended_ = true;
    failed_.host = host_;
    facts.emplace_back(failed_, shown_);
    return true;
  }
  bool ended() const override { return ended_; }
  std::size_t max_foreign_lines() const override { return most_between; }

 private:
  /// Ends the document without a fact if it has a head: the summaries of two nodes are mixed, as where is_given().
  bool begin_summary() {
    ended_ = has_head_;
    return has_head_ = true;
  }
  bool is_given(std::string_view key) const {
    return key == "host" ? !host_.empty() : key == "rank" && failed_.rank >= 0;
  }
  bool read_value(std::string_view key, std::string_view value) {
    if (key == "rank") return read_pair(value, "local_rank", failed_.rank, failed_.local_rank);
    if (key == "exitcode") return read_pair(value, "pid", failed_.code, failed_.pid);
    if (key == "host") host_ = value;
    return key == "host";
  }
  void show() {
    if (shown_.line == 0)
      shown_ = here();
    else
      add_piece(shown_, here());
  }

  ProcessEnded failed_;
  std::string host_;
  SourceQuote shown_;
  bool has_head_ = false, ended_ = false;
};

}  // namespace

std::unique_ptr<Document> begin_torchrun_failure(std::string_view line) {
  return trimmed(line) == torchrun_head ? std::make_unique<TorchrunFailure>() : nullptr;
}

}  // namespace nccl_analyze::evidence
