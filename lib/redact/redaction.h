#pragma once
// Redacts logs in two passes over their bytes: the first gathers names and addresses, the second replaces them.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze::redact {

/// A line of the table: `gxxxxx-0`, `host`, `worker-0`.
struct StandIn {
  std::string text;
  std::string_view kind;
  std::string original;
};

struct LineCounts {
  std::uint64_t kept = 0, dropped = 0;
};

/// What takes the place of a line of another program, with the number behind it if the line reports a step of training.
/// It is neither blank nor a word, so that the parser reads the lines around it as before.
inline constexpr std::string_view dropped_line = "#";

/// The caller feeds all sources twice, in the same order. Promised: no word stays but NCCL's own text, words of a fixed
/// vocabulary (vocabulary.h) where no name can stand (name_places.h, word_context.h, paths.h), and forms that tell
/// nothing (forms.h); all else has a stand-in, whatever stands around it. Not promised: that a name stays hidden that
/// is such a word, or a number of up to eight digits, where nothing says whose it is. The analysis of the output is
/// that of the input with stand-ins. Memory: the names and addresses, a million other words, one bit for each line, and
/// what a Parser needs.
class Redaction {
 public:
  /// `keep_other`: whether lines of other programs are kept, masked like all others.
  explicit Redaction(bool keep_other);
  Redaction(Redaction&&) noexcept;
  Redaction& operator=(Redaction&&) noexcept;
  ~Redaction();

  /// First pass: begins a source, of the name that rewritten_name() replaces.
  void begin(std::string_view name);
  void survey(std::string_view bytes);
  void end();
  /// Notes a row of the table of an earlier run, before choose(): the same names get the same stand-ins again.
  void fix(const StandIn& row);
  /// Chooses the stand-ins, between the passes.
  void choose();

  using Out = std::function<void(std::string_view bytes)>;
  /// Second pass: begins the next source.
  void begin_rewriting();
  void rewrite(std::string_view bytes, const Out& out);
  void end_rewriting(const Out& out);
  const LineCounts& counts() const;

  /// The name of a source without names, as long as the name.
  std::string rewritten_name(std::string_view name) const;
  /// Replaces names and addresses in any text of one line, such as that of a report.
  std::string rewritten_text(std::string_view text) const;
  /// The table, sorted by kind and original.
  std::vector<StandIn> stand_ins() const;
  /// The words that the second pass kept because they belong to the fixed vocabulary, or have a form such as `eth0`,
  /// in lines of other programs and in what NCCL's messages hold beside their own text.
  std::vector<std::string> kept_words() const;
  /// Names that are common words too, which are replaced only where such names stand.
  std::vector<std::string> common_words() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze::redact
