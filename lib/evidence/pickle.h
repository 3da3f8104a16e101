#pragma once
// Reads Python's pickles as data and writes their content as JSON, for the dumps of PyTorch's flight recorder.

#include <cstddef>
#include <string>
#include <string_view>

namespace nccl_analyze::evidence {

/// Number of leading bytes that is_flight_recorder_pickle() looks at.
inline constexpr std::size_t pickle_head_size = std::size_t{1} << 14;
/// Bytes of the largest pickle that is read, and of the longest JSON that is written.
inline constexpr std::size_t max_pickle_size = std::size_t{1} << 26;

/// Whether bytes begin as a pickle of the protocols 2 to 5 does: with the byte 0x80 and the number of the protocol, or
/// with a part of that.
bool may_be_pickle(std::string_view head);

/// Whether the bytes begin as a pickle of a flight recorder does. Pickles of other content are not.
bool is_flight_recorder_pickle(std::string_view head);

/// The content of a pickle.
struct PickledJson {
  /// The content as JSON, in ASCII and UTF-8. Each member of the outermost object begins a line, and so does each
  /// element of a list that is such a member. Members that no reader reads (unread_members()), such as the frames of
  /// stacks, are left out. Empty if the pickle cannot be read.
  std::string json;
  std::size_t size = 0;       ///< Bytes up to the end of the pickle. What follows them is no part of it.
  std::string wrong;          ///< Why it cannot be read: `it is cut off`. Empty if it can.
  bool is_too_large = false;  ///< Whether the reason is a limit, which a shorter recording would not reach.
};

/// Reads a pickle that holds nothing but numbers, texts, lists, tuples and dictionaries. No code of Python is named or
/// called: an opcode that would do so, or that such content does not need, is an error. Takes time and memory linear in
/// the sizes of the pickle and of the JSON, of which both are limited.
PickledJson json_of_pickle(std::string_view bytes);

}  // namespace nccl_analyze::evidence
