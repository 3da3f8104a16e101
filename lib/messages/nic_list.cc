// Parses the lists of NICs and network interfaces in events (lists.h).

#include <algorithm>

#include "messages/list_cursor.h"
#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

namespace {

// Each read_…() parses one item at the start of `rest` and removes it; returns false if there is no such item.

void skip(std::string_view& rest, std::string_view bytes) {
  rest.remove_prefix(std::min(rest.find_first_not_of(bytes), rest.size()));
}

/// Parses `[12]`.
bool read_index(std::string_view& rest, int& index) {
  if (!rest.starts_with('[')) return false;
  rest.remove_prefix(1);
  return detail::read_number(rest, index, "]");
}

/// Parses a name without blanks, and the separator after it.
bool read_name(std::string_view& rest, std::string_view& name, char separator) {
  const std::size_t end = rest.find(separator);
  if (end == std::string_view::npos || end == 0) return false;
  name = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return name.find(' ') == std::string_view::npos;
}

/// Parses `:1`. If `rest` does not start with a colon, leaves `value` unchanged and returns true.
bool read_optional(std::string_view& rest, int& value) {
  if (!rest.starts_with(':')) return true;
  rest.remove_prefix(1);
  return detail::read_number(rest, value, "");
}

}  // namespace

bool NicList::next(Nic& nic) {
  std::string_view rest = rest_;
  int merged = merged_;
  skip(rest, " ,");
  if (rest.starts_with('}')) {
    merged = -1;
    skip(rest, "} ");
  }
  Nic read;
  if (!read_index(rest, read.index)) return false;
  if (rest.starts_with("={")) {
    merged = read.index;
    rest.remove_prefix(2);
    if (!read_index(rest, read.index)) return false;
  }
  if (merged >= 0) read.index = merged;
  skip(rest, " ");
  if (!read_name(rest, read.device, ':') || !detail::read_number(rest, read.port, "") ||
      !read_optional(rest, read.rail) || !read_optional(rest, read.plane) || !rest.starts_with('/'))
    return false;
  rest.remove_prefix(1);
  read.link = rest.substr(0, rest.find_first_of(" ,}"));
  if (read.link.empty()) return false;
  rest.remove_prefix(read.link.size());
  nic = read;
  rest_ = rest;
  merged_ = merged;
  return true;
}

namespace detail {

void move_interface_alias(std::string_view& interface, std::string_view& address) {
  const std::size_t colon = address.substr(0, address.find('<')).rfind(':');
  if (interface.empty() || colon == std::string_view::npos || colon == 0 || address.find("::") < colon) return;
  const std::string_view left = address.substr(colon + 1);
  const std::string_view groups = left.substr(0, left.find_first_not_of("0123456789.xX*"));
  if (std::count(groups.begin(), groups.end(), '.') != 3) return;
  interface = {interface.data(), interface.size() + 1 + colon};
  address = left;
}

}  // namespace detail

bool InterfaceList::next(NetworkInterface& interface) {
  std::string_view rest = rest_;
  skip(rest, " ");
  NetworkInterface read;
  if (!read_index(rest, read.index) || !read_name(rest, read.name, ':')) return false;
  read.address = rest.substr(0, rest.find(' '));
  if (!read.address.ends_with('>')) return false;
  rest.remove_prefix(read.address.size());
  detail::move_interface_alias(read.name, read.address);
  interface = read;
  rest_ = rest;
  return true;
}

}  // namespace nccl_analyze
