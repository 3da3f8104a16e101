#pragma once
// The values that a pickle makes, and their text as JSON.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nccl_analyze::evidence {

/// The position of a value in the list of all values. Several lists and dictionaries may hold the same value.
using PickledRef = std::uint32_t;

/// A list or a tuple.
struct PickledList {
  std::vector<PickledRef> items;
};
/// A dictionary.
struct PickledObject {
  std::vector<PickledRef> items;  ///< A key and its value in turn.
};

/// The first alternative is Python's None. Texts point into the bytes of the pickle.
using PickledValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string_view, PickledList, PickledObject>;

/// Appends the dictionary at `root` to `out` as JSON. Numbers that are not finite become null. Returns why that is not
/// possible; empty if it is. Sets `is_too_large` if the reason is a limit on the size.
std::string write_pickled(const std::vector<PickledValue>& values, PickledRef root, std::string& out,
                          bool& is_too_large);

}  // namespace nccl_analyze::evidence
