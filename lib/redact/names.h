#pragma once
// The names in the inputs and their stand-ins.

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
/// The kind of this word; none if there is no such kind.
std::optional<NameKind> kind_of_name(std::string_view word);

/// Whether many systems have this name, or it is masked already: `localhost`, `user`, `xxx`.
bool names_nothing(std::string_view name);

/// The names of hosts, pods, users and so on. A stand-in keeps the form of its name: letters become letters, separators
/// and the numbers of a series stay (name_units.h), so that `worker-0` to `worker-15` are a series again, and
/// `worker-0` and `worker-0.example.org` begin alike. Four numbers such as those in `ip-10-0-4-51` are an address. What
/// rules know a pod or a host in EC2 by stays too: `-worker-`, `ip-`.
class NameTable {
 public:
  explicit NameTable(AddressTable& addresses) : addresses_(addresses) {}

  /// Notes a name that occurs `times` more often. Addresses and names that name nothing (`localhost`) are left out.
  /// Text with bytes that no name has (`/`, `=`) is split at these into several names. An address within a name is
  /// noted too.
  void add(NameKind kind, std::string_view name, std::uint64_t times = 1);
  /// Notes the words of a name that is replaced only where it stands, such as the name of a file.
  void add_words(std::string_view name);
  /// Notes a name with its stand-in of an earlier run.
  void fix(NameKind kind, std::string_view name, std::string_view stand_in);
  /// Assigns the stand-ins, after the last add().
  void choose();

  /// Whether, and where, a text is a name.
  enum class Known : std::uint8_t {
    no,
    where_named,  ///< A name that is also a common word, or very short: a name only where names stand.
    everywhere
  };
  Known find(std::string_view text) const;
  /// Whether some name has only bytes that times have: `16`, `2025-12-28t16`.
  bool may_be_in_times() const;
  /// Whether a name without its number at the end is this text, as in the list `worker-[0-3]`.
  bool is_stem(std::string_view text) const { return stems_.contains(text); }
  /// Whether the text is a proper beginning of a name.
  bool begins_name(std::string_view text) const;
  /// Whether some name begins with these two bytes.
  bool may_begin(std::string_view text) const { return text.size() < 2 || firsts_[first_two(text)]; }

  /// Overwrites a name with its stand-in.
  void overwrite(char* begin, std::size_t size) const;
  /// Overwrites the addresses and other telling numbers in a word of several parts, but for those that `is_known`
  /// marks.
  void overwrite_numbers(char* begin, std::size_t size, std::string_view is_known) const;

  struct Entry {
    NameKind kind = NameKind::host;  ///< The last one of the kinds as which the name was seen, but for `file`.
    std::uint64_t times = 0;
    Known known = Known::no;
  };
  /// All names by their spelling in lower case.
  const std::map<std::string, Entry, std::less<>>& all() const { return names_; }

 private:
  static std::size_t first_two(std::string_view text);
  /// Of a user, all numbers tell something.
  void note_words(std::string_view name, std::uint64_t times, bool is_user);
  void add_stems(std::string_view name);
  void keep_roles(std::string_view name);
  void overwrite_word(char* begin, std::size_t size) const;
  void overwrite_digits(char* begin, std::size_t size) const;

  AddressTable& addresses_;
  std::map<std::string, Entry, std::less<>> names_;
  std::set<std::string, std::less<>> stems_, beginnings_;
  LetterTable letters_;
  std::map<std::string, std::string, std::less<>> numbers_;  ///< Stand-ins of long numbers.
  std::bitset<std::size_t{1} << 16U> firsts_;
};

}  // namespace nccl_analyze::redact
