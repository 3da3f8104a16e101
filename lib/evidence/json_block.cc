// Reads a JSON document of several lines among the lines of a log, such as the output of `kubectl get pods -o json` at
// the end of a log.

#include <string>

#include "evidence/formats.h"
#include "evidence/json_extent.h"
#include "text/blanks.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_block = std::size_t{1} << 24;  // in bytes; longer documents are usually separate files

class JsonBlock : public Document {
 public:
  bool read(std::string_view text, Facts& facts) override {
    if (text_.empty()) begin(text);
    const std::size_t taken = add(text);
    if (extent_.state() == JsonExtent::State::complete)
      end(text.substr(taken), facts);
    else
      add("\n");
    return true;
  }
  bool ended() const override { return ended_ || is_rejected(); }
  bool is_rejected() const override {
    return is_void_ || extent_.state() == JsonExtent::State::broken || text_.size() > max_block;
  }
  bool is_one_block() const override { return true; }
  bool may_be_rejected() const override { return true; }
  std::size_t max_foreign_lines() const override { return 0; }
  void finish(Facts&) override { is_void_ = !ended_; }

 private:
  /// Begins the document. Adds the opening brace if it is not in the first line; it was then on the line before, which
  /// was not read.
  void begin(std::string_view text) {
    lines_before_ = here().line - 1;
    if (trimmed(text).starts_with('{')) return;
    add("{\n");
    --lines_before_;
  }

  std::size_t add(std::string_view text) {
    const std::size_t taken = extent_.take(text);
    text_ += text.substr(0, taken);
    return taken;
  }

  /// `rest`: the text after the document in its last line.
  void end(std::string_view rest, Facts& facts) {
    rest = trimmed(rest);
    // A comma follows the document if it is an element of a list whose head is missing.
    ended_ = (rest.empty() || rest == ",") && read_json(text_, lines_before_, facts);
    is_void_ = !ended_;
  }

  std::string text_;
  JsonExtent extent_;
  std::uint64_t lines_before_ = 0;
  bool ended_ = false, is_void_ = false;
};

}  // namespace

std::unique_ptr<Document> begin_json_block(std::string_view line) {
  return begins_json(trimmed(line)) ? std::make_unique<JsonBlock>() : nullptr;
}

std::size_t start_of_json_block(std::string_view line, std::size_t sign) {
  std::string_view before = trimmed_end(line.substr(0, sign));
  if (before.ends_with('{')) before.remove_suffix(1);
  return trimmed_end(before).size();
}

}  // namespace nccl_analyze::evidence
