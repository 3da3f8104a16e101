// Parses the lists of NCCL's topology dump (lists.h): nodes, paths, and the details in parentheses.

#include <algorithm>

#include "messages/list_cursor.h"
#include "messages/scan.h"

namespace nccl_analyze {

namespace {

void skip_blanks(std::string_view& rest) { rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size())); }

// Each read_…() parses one item at the start of `rest` and removes it; returns false if there is no such item.

bool read_hex(std::string_view& rest, Hex& value) {
  const char* const end = rest.data() + rest.size();
  const char* const after = detail::scan_hex(rest.data(), end, value.value);
  if (after == nullptr) return false;
  rest = {after, static_cast<std::size_t>(end - after)};
  return true;
}

/// Parses `TYPE/id` or `TYPE/system-id`.
bool read_node(std::string_view& rest, TopologyNode& node) {
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos || slash == 0 || rest.substr(0, slash).find(' ') != std::string_view::npos)
    return false;
  node.type = rest.substr(0, slash);
  rest.remove_prefix(slash + 1);
  if (!read_hex(rest, node.id)) return false;
  if (!rest.starts_with('-')) return true;
  rest.remove_prefix(1);
  node.system = node.id;
  return read_hex(rest, node.id);
}

}  // namespace

bool NodeList::next(TopologyNode& node) {
  std::string_view rest = rest_;
  skip_blanks(rest);
  TopologyNode read;
  if (!read_node(rest, read)) return false;
  node = read;
  rest_ = rest;
  return true;
}

bool PathList::next(TopologyPath& path) {
  std::string_view rest = rest_;
  skip_blanks(rest);
  TopologyPath read;
  if (!read_node(rest, read.to)) return false;
  skip_blanks(rest);
  if (!rest.starts_with('(')) return false;
  rest.remove_prefix(1);
  if (!detail::read_number(rest, read.hops, "/")) return false;
  const char* const end = rest.data() + rest.size();
  const char* const after = detail::scan_real(rest.data(), end, read.bandwidth);
  if (after == nullptr) return false;
  rest = {after, static_cast<std::size_t>(end - after)};
  const std::size_t close = rest.find(')');
  if (!rest.starts_with('/') || close == std::string_view::npos) return false;
  read.link = rest.substr(1, close - 1);
  rest.remove_prefix(close + 1);
  path = read;
  rest_ = rest;
  return true;
}

bool PartList::next(std::string_view& part) {
  if (rest_.empty()) return false;
  const std::size_t slash = std::min(rest_.find('/'), rest_.size());
  part = rest_.substr(0, slash);
  rest_.remove_prefix(std::min(slash + 1, rest_.size()));
  return true;
}

}  // namespace nccl_analyze
