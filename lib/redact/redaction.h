#pragma once
// Redacts logs in two passes over their bytes: the first gathers names and addresses, the second replaces them.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze::redact {

/// A row of the table of stand-ins: `gxxxxx-0`, `host`, `worker-0`.
struct StandIn {
  std::string text;
  std::string_view kind;
  std::string original;
};

struct LineCounts {
  std::uint64_t kept = 0, dropped = 0;
};

/// The caller feeds all sources twice, in the same order. Guaranteed: only NCCL's own text, words of a fixed vocabulary
/// (vocabulary.h) where no name can stand (name_places.h, word_context.h, paths.h), and words whose form tells nothing
/// (forms.h) stay. All other words get stand-ins, whatever stands around them. Not guaranteed: that a name is masked if
/// it is a word of the vocabulary or a number of up to eight digits, and nothing around it shows that it is a name. The
/// analysis of the output equals that of the input, with stand-ins. Memory: the names and addresses, up to a million
/// other words, two bits for each line, and a Parser.
class Redaction {
 public:
  /// `keep_other`: whether lines of other programs are masked and kept instead of dropped.
  explicit Redaction(bool keep_other);
  Redaction(Redaction&&) noexcept;
  Redaction& operator=(Redaction&&) noexcept;
  ~Redaction();

  /// Begins a source of this name in the first pass.
  void begin(std::string_view name);
  void survey(std::string_view bytes);
  void end();
  /// Notes a row of the table of an earlier run, before choose(), so that the same names get the same stand-ins.
  void preset(const StandIn& row);
  /// Chooses the stand-ins, between the passes.
  void choose();

  using Out = std::function<void(std::string_view bytes)>;
  /// Begins the next source in the second pass.
  void begin_rewriting();
  void rewrite(std::string_view bytes, const Out& out);
  void end_rewriting(const Out& out);
  const LineCounts& counts() const;

  /// Returns the name of a source with stand-ins for names. Its length stays the same.
  std::string rewritten_name(std::string_view name) const;
  /// Returns the table of stand-ins, sorted by kind and original.
  std::vector<StandIn> stand_ins() const;
  /// Returns the words that the second pass kept beside NCCL's own text and numbers, because they belong to the fixed
  /// vocabulary or have a form such as `eth0`.
  std::vector<std::string> kept_words() const;
  /// Returns the names that are common words too, and are replaced only where such names stand.
  std::vector<std::string> common_words() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze::redact
