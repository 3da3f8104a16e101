#pragma once
// Recognises text of programs: source code and Markdown documents, which may be in the folder of the logs and contain
// text like that of a log, and versions that a program prints.

#include <cstddef>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Whether a source begins as source code or a document does: with `#!`, an import, a definition, a comment, or a
/// Markdown title before an empty line. `beginning`: the first TextBeginning::size bytes of the source, or all of it.
bool begins_as_program_text(std::string_view beginning);

/// Whether files with this name contain source code or documents: `train.py`, `logs.tar.gz:README.md`.
bool is_name_of_program_text(std::string_view name);

/// Whether a program prints NCCL's version in words of its own, so that the line is not one of NCCL.
constexpr bool is_version_of_program(std::string_view text) { return text.starts_with("nccl=="); }

/// Keeps the beginning of a source.
class TextBeginning {
 public:
  static constexpr std::size_t size = 512;
  void take(std::string_view bytes) {
    if (kept_.size() < size) kept_.append(bytes.substr(0, size - kept_.size()));
  }
  std::string_view text() const { return kept_; }

 private:
  std::string kept_;
};

}  // namespace nccl_analyze
