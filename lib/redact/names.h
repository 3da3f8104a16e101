#pragma once
// Holds the names in the inputs and their stand-ins.

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "redact/addresses.h"
#include "redact/letters.h"

namespace nccl_analyze::redact {

enum class NameKind : std::uint8_t { host, pod, container, name_space, user, bucket, file };
inline constexpr std::size_t name_kinds = 7;
std::string_view to_string(NameKind kind);
/// Returns the kind for which to_string() returns this word; nullopt if there is none.
std::optional<NameKind> kind_of_name(std::string_view word);

/// Whether a name tells nothing about its owner, because many systems have it or it is masked already: `localhost`,
/// `user`, `xxx`.
bool tells_nothing(std::string_view name);

/// Holds the names of hosts, pods, users and so on. A stand-in keeps the form of its name: letters become letters,
/// separators and the numbers of a series stay (name_units.h), so that `worker-0` to `worker-15` are a series again,
/// and `worker-0` and `worker-0.example.org` begin alike. Four numbers in a row, as in `ip-10-0-4-51`, are an address.
/// Words by which rules recognise a pod or an EC2 host stay: `-worker-`, `ip-`.
class NameTable {
 public:
  explicit NameTable(AddressTable& addresses) : addresses_(addresses) {}

  /// Notes `times` more occurrences of a name. Addresses and names that tell nothing (`localhost`) are left out. A text
  /// with bytes that no name has (`/`, `=`) is split at these into several names. An address within a name is noted,
  /// too.
  void add(NameKind kind, std::string_view name, std::uint64_t times = 1);
  /// Notes the words of a name that is replaced only in its own place, such as the name of a file.
  void add_words(std::string_view name);
  /// Notes which stand-in a name had in an earlier run.
  void preset(NameKind kind, std::string_view name, std::string_view stand_in);
  /// Assigns the stand-ins. Must be called after the last add().
  void choose();

  /// Whether a text is a name, and where.
  enum class Known : std::uint8_t {
    no,
    where_named,  ///< The text is also a common word, or very short. It is a name only where names stand.
    everywhere
  };
  Known find(std::string_view text) const;
  /// Whether some name could be mistaken for a piece of a time: `16`, `2025-12-28t16`.
  bool may_be_in_times() const;
  /// Whether some name is this text with a number after it. Lists of hosts leave the number out: `worker-[0-3]`.
  bool is_stem(std::string_view text) const { return stems_.contains(text); }
  /// Whether some name begins with the text and is longer.
  bool begins_name(std::string_view text) const;
  /// Whether some name begins with the first two bytes of `text`; true for shorter texts.
  bool may_begin(std::string_view text) const { return text.size() < 2 || firsts_[first_two(text)]; }

  /// Writes the stand-in over a name.
  void overwrite(char* begin, std::size_t size) const;
  /// Writes stand-ins over the addresses and other identifying numbers in a word of several parts, except over the
  /// bytes that `is_known` marks.
  void overwrite_numbers(char* begin, std::size_t size, std::string_view is_known) const;

  struct Entry {
    NameKind kind = NameKind::host;  ///< The kind of the name. If it was seen as several kinds, the last of them in
                                     ///< NameKind, except `file`.
    std::uint64_t times = 0;
    Known known = Known::no;
  };
  /// Returns all names by their spelling in lower case.
  const std::map<std::string, Entry, std::less<>>& all() const { return names_; }

 private:
  static std::size_t first_two(std::string_view text);
  /// Notes the words and identifying numbers of a name. In the name of a user, all numbers are identifying.
  void note_words(std::string_view name, std::uint64_t times, bool is_user);
  void add_stems(std::string_view name);
  void keep_roles(std::string_view name);
  void choose_container_ids();
  void overwrite_word(char* begin, std::size_t size) const;
  void overwrite_digits(char* begin, std::size_t size) const;

  AddressTable& addresses_;
  std::map<std::string, Entry, std::less<>> names_;
  std::set<std::string, std::less<>> stems_, beginnings_;
  LetterTable letters_;
  std::map<std::string, std::string, std::less<>> numbers_;  ///< The stand-ins of identifying numbers.
  std::bitset<std::size_t{1} << 16U> firsts_;
};

}  // namespace nccl_analyze::redact
