#pragma once
// Decodes UTF-16 to UTF-8, because PowerShell's `>` writes UTF-16. Other bytes pass through without a copy.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Appends the UTF-8 of `code`. Surrogates and values beyond U+10FFFF append nothing.
void append_utf8(std::string& out, std::uint32_t code);

/// Decodes the bytes of one source, which may be fed in chunks of any size.
class Decoder {
 public:
  /// Calls out(text) with the text decoded from this chunk; `text` is valid only during the call.
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
      feed_head(out);
      feed(chunk, out);
      return;
    }
    decoded_.clear();
    for (const char byte : chunk) add_byte(static_cast<unsigned char>(byte));
    out(std::string_view{decoded_});
  }

  /// Ends the source and calls out() with bytes that feed() has held back, if any. The next feed() begins a new source.
  template <class Out>
  void finish(Out&& out) {
    if (encoding_ == Encoding::unknown) feed_head(out);
    encoding_ = Encoding::unknown;
    first_byte_ = no_byte;
    high_surrogate_ = 0;
  }

 private:
  enum class Encoding : std::uint8_t { unknown, plain, utf16_little, utf16_big };
  static constexpr std::size_t head_size = 4;
  static constexpr int no_byte = -1;

  /// Detects the encoding from the first bytes, then decodes them.
  template <class Out>
  void feed_head(Out&& out) {
    std::string_view head = head_;
    encoding_ = encoding_of(head);
    if (!head.empty()) feed(head, out);
    head_.clear();
  }

  /// Detects the encoding of a source from its first bytes, `head`, and removes a byte order mark from `head`.
  static Encoding encoding_of(std::string_view& head);
  void add_byte(unsigned char byte);

  Encoding encoding_ = Encoding::unknown;
  std::string head_;          ///< The first bytes of the source, until head_size bytes have arrived.
  int first_byte_ = no_byte;  ///< First byte of a UTF-16 unit whose second byte has not arrived yet, or no_byte.
  std::uint32_t high_surrogate_ = 0;  ///< First unit of a surrogate pair whose second unit has not arrived yet; else 0.
  std::string decoded_;
};

}  // namespace nccl_analyze
