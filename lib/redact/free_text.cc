#include "redact/free_text.h"

#include <algorithm>
#include <variant>

#include "messages/row.h"
#include "messages/row_syntax.h"
#include "redact/bytes.h"
#include "redact/free_parts.h"
#include "redact/scan.h"

namespace nccl_analyze::redact {

namespace {

/// Gatherer counts the names in these members in every line.
constexpr std::array<std::string_view, 4> members_with_names = {"host", "node", "address", "peer"};

FreeHoles holes_of_row(const Row& row) {
  // The name of a setting decides whether its value is masked.
  FreeHoles holes{.has_ranks = holds_list_of_ranks(row),
                  .is_whole = depends_on_line(row.wording) || row.kind->name == EnvSet::name};
  const ParsedRow parsed = parse_row(row.wording, row.kind->fields);
  for (const Op& op : parsed.steps()) {
    if (op.shape != Shape::word && op.shape != Shape::text) continue;
    const Field* const member = op.field == Op::no_field ? nullptr : &row.kind->fields[op.field];
    if (member == nullptr || member->type != FieldType::text)
      holes.is_in_members = false;
    else
      holes.members.push_back(member);
  }
  return holes;
}

/// Returns, for each kind of event, the holes of all its rows. A kind without rows has no message.
std::vector<FreeHoles> holes_of_kinds() {
  std::vector<FreeHoles> kinds(std::variant_size_v<Event>, {.is_in_members = false});
  std::vector<bool> is_seen(kinds.size());
  Event example;
  const EventKind* last = nullptr;
  for (const Family& family : all_families())
    for (const Row& row : family.rows) {
      if (row.kind != last) row.kind->emplace(example);
      last = row.kind;
      FreeHoles& all = kinds[example.index()];
      // Most rows belong to two kinds of event. Their first rows already show that not all free text is in members.
      if (is_seen[example.index()] && !all.is_in_members) continue;
      const FreeHoles holes = holes_of_row(row);
      all.has_ranks = all.has_ranks || holes.has_ranks;
      all.is_whole = all.is_whole || holes.is_whole;
      all.is_in_members = (all.is_in_members || !is_seen[example.index()]) && holes.is_in_members;
      for (const Field* const member : holes.members) {
        if (std::ranges::find(all.members, member) == all.members.end()) all.members.push_back(member);
        all.is_in_members = all.is_in_members && !is_among(members_with_names, member->name);
      }
      is_seen[example.index()] = true;
    }
  kinds[Event(FabricReported{}).index()].is_in_members = false;  // Its numbers are a UUID.
  return kinds;
}

/// Returns the end of the topology node that begins at `at`, such as `NIC/0-41000`; `at` itself if there is none.
std::size_t end_of_node(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 10> kinds = {"GPU", "PCI", "NVS", "CPU", "NIC",
                                                      "NET", "GIN", "RMA", "DEV", "CXB"};
  constexpr std::size_t most_digits_of_node = 6;
  if (at + 3 >= text.size() || text[at + 3] != '/' || !is_among(kinds, text.substr(at, 3))) return at;
  std::size_t end = at + 3;
  for (char sign = '/'; end < text.size() && text[end] == sign; sign = '-') {
    const std::size_t digits = end_of(text, end + 1, is_hex) - end - 1;
    if (digits == 0 || digits > most_digits_of_node) return at;
    end += 1 + digits;
  }
  return end > at + 3 ? end : at;
}

/// Returns the end of the length, speed and kind of a path that begin at `at`, such as `(2/360.000000/NVL)`; `at`
/// itself if there are none.
std::size_t end_of_path(std::string_view text, std::size_t at) {
  constexpr std::size_t longest_kind = 3;
  if (text[at] != '(') return at;
  std::size_t end = end_of(text, at + 1, is_digit);
  if (end == at + 1 || end == text.size() || text[end] != '/') return at;
  end = end_of(text, end + 1, [](char c) { return is_digit(c) || c == '.'; });
  if (end == text.size() || text[end] != '/') return at;
  const std::size_t kind = end + 1;
  end = end_of(text, kind, [](char c) { return is_upper(c) || is_digit(c); });
  return end - kind == longest_kind && end < text.size() && text[end] == ')' ? end + 1 : at;
}

/// Whether a text is the number of a rank or of a kind of processor, as a topology dump prints it after a node: `8` of
/// `GPU/0-101c0 (8)`, `1/2/-1` of `CPU/0-0 (1/2/-1)`. Longer numbers may be GUIDs.
bool is_detail_of_node(std::string_view text) {
  constexpr std::size_t longest = 7;
  return text.size() <= longest &&
         end_of(text, 0, [](char c) { return is_digit(c) || c == '/' || c == '-'; }) == text.size();
}

bool is_harmless(const FreeHoles& holes, std::string_view message) {
  return !holes.is_whole && !(holes.has_ranks && holds_more_than_ranks(message));
}

}  // namespace

bool depends_on_line(std::string_view text) {
  return holds_guid(text) || text.find("Exception ") != std::string_view::npos;
}

bool is_list_of_nodes(std::string_view text) {
  bool has_node = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == ':') {
      ++at;
      continue;
    }
    std::size_t end = end_of_node(text, at);
    has_node = has_node || end > at;
    if (end == at) end = end_of_path(text, at);
    if (end == at || (end < text.size() && is_name_byte(text[end]))) return false;
    at = end;
  }
  return has_node;
}

bool tells_topology(const Row& row, std::string_view text) {
  return is_list_of_nodes(text) || (row.kind->name == TopologyNodePrinted::name && is_detail_of_node(text));
}

const FreeHoles& FreeTextFinder::holes_of(const Row& row) {
  if (const auto found = rows_.find(&row); found != rows_.end()) return found->second;
  return rows_.emplace(&row, holes_of_row(row)).first->second;
}

bool FreeTextFinder::find(std::string_view message, bool is_decorated, FreeText& found) {
  found.count = 0;
  Matcher::FreeText free;
  const Row* row = hot_;
  const bool is_in_members = row != nullptr && holes_of(*row).is_in_members;
  if (!is_in_members) row = standard_matcher().find_free_text(message, free);
  if (row == nullptr) return false;
  const FreeHoles& holes = holes_of(*row);
  if (!is_harmless(holes, message)) return false;
  if (is_in_members)
    for (const Field* const member : holes.members)
      free.parts[free.count++] = member->in<std::string_view>(address_of(event_));
  constexpr std::uint64_t at_end = 1, decorated = 2, step = 4;
  for (std::size_t i = 0; i < free.count; ++i) {
    const std::string_view text = free.parts[i];
    if (text.empty()) continue;
    const bool ends_message = text.data() + text.size() == message.data() + message.size();
    const std::uint64_t hole = reinterpret_cast<std::uintptr_t>(row) + i;  // unique: a row has more bytes than holes
    found.parts[found.count++] = {text, hole * step + (ends_message ? at_end : 0) + (is_decorated ? decorated : 0),
                                  row};
  }
  return true;
}

bool FreeTextFinder::find(const Event& event, std::string_view message, FreeText& found) {
  static const std::vector<FreeHoles> kinds = holes_of_kinds();
  found.count = 0;
  const FreeHoles& holes = kinds[event.index()];
  if (!holes.is_in_members || !is_harmless(holes, message)) return false;
  for (const Field* const member : holes.members)
    found.parts[found.count++] = {member->in<std::string_view>(address_of(event))};
  return true;
}

}  // namespace nccl_analyze::redact
