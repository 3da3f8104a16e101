#pragma once
// UTF-16 in, UTF-8 out: PowerShell's `>` writes UTF-16. Everything else passes as it is, without a copy.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Appends the UTF-8 of `code`; halves of surrogate pairs and what is beyond Unicode are left out.
void append_utf8(std::string& out, std::uint32_t code);

class Decoder {
 public:
  /// Calls out(text) with what can be decoded so far; the text lives during the call.
  template <class Out>
  void feed(std::string_view chunk, Out&& out) {
    if (encoding_ == Encoding::plain) {
      out(chunk);
      return;
    }
    if (encoding_ == Encoding::unknown) {
      const std::size_t taken = chunk.substr(0, head_size - head_.size()).size();
      head_.append(chunk.substr(0, taken));
      chunk.remove_prefix(taken);
      if (head_.size() < head_size) return;
      end_of_head(out);
      feed(chunk, out);
      return;
    }
    decoded_.clear();
    for (const char byte : chunk) add_byte(static_cast<unsigned char>(byte));
    out(std::string_view{decoded_});
  }

  /// Whether everything that comes passes as it is.
  bool is_plain() const { return encoding_ == Encoding::plain; }

  /// Ends the source.
  template <class Out>
  void finish(Out&& out) {
    if (encoding_ == Encoding::unknown) end_of_head(out);
    encoding_ = Encoding::unknown;
    half_ = no_half;
    high_ = 0;
  }

 private:
  enum class Encoding : std::uint8_t { unknown, plain, utf16_little, utf16_big };
  static constexpr std::size_t head_size = 4;
  static constexpr int no_half = -1;

  template <class Out>
  void end_of_head(Out&& out) {
    std::string_view head = head_;
    encoding_ = encoding_of(head);
    if (!head.empty()) feed(head, out);
    head_.clear();
  }

  /// What the first bytes say; a byte order mark is taken off.
  static Encoding encoding_of(std::string_view& head);
  void add_byte(unsigned char byte);

  Encoding encoding_ = Encoding::unknown;
  std::string head_;        ///< The first bytes, until there are enough to tell.
  int half_ = no_half;      ///< First byte of a unit.
  std::uint32_t high_ = 0;  ///< First unit of a surrogate pair.
  std::string decoded_;
};

}  // namespace nccl_analyze
