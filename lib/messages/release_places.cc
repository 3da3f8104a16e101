#include "messages/release_places.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace nccl_analyze {

namespace {

/// Removes the part of `text` up to and including the first `end`. Returns that part without `end`.
std::string_view take(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

/// A row of the table: lines of one file that print a warning or an error trace in some releases.
struct PlaceRow {
  enum Column : std::uint8_t { project, file, kind, releases, lines, columns };
  std::array<std::string_view, columns> cells;

  explicit PlaceRow(std::string_view line) {
    for (std::string_view& cell : cells) cell = take(line, '\t');
  }
  bool is_trace() const { return cells[kind] == "T"; }
};

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Returns the file name without its ending, because RCCL's build renames `.cc` and `.cu` to `.cpp`.
std::string_view stem(std::string_view path) {
  const std::string_view name = base_name(path);
  return name.substr(0, name.find('.'));
}

bool ends_with_path(std::string_view path, std::string_view end) {
  return path.ends_with(end) && (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

/// Whether `printed` is the path of the file `file` of the table, with more or fewer leading folders.
bool is_path_of(std::string_view printed, std::string_view file) {
  constexpr std::string_view renamed = ".cpp";
  if (printed.ends_with(renamed) && (file.ends_with(".cc") || file.ends_with(".cu"))) {
    printed.remove_suffix(renamed.size());
    file.remove_suffix(3);
  }
  return ends_with_path(printed, file) || ends_with_path(file, printed);
}

/// Decodes the line numbers of a row. Each number is stored as the difference from the one before.
std::vector<std::uint64_t> lines_of(std::string_view digits) {
  constexpr std::string_view values = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
  constexpr std::size_t base = 32;
  std::vector<std::uint64_t> lines;
  std::uint64_t line = 0, gap = 0;
  for (const char digit : digits) {
    const std::size_t value = values.find(digit);
    gap = gap * base + value % base;
    if (value >= base) continue;  // more digits follow
    lines.push_back(line += gap);
    gap = 0;
  }
  return lines;
}

/// Indices of the places, by the stem of their file.
using AskedFiles = std::multimap<std::string_view, std::size_t>;

AskedFiles by_stem(std::span<const CodePlace> places) {
  AskedFiles asked;
  for (std::size_t i = 0; i < places.size(); ++i) asked.emplace(stem(places[i].file), i);
  return asked;
}

}  // namespace

ReleasePlaces::ReleasePlaces(std::string_view table) : rows_(table) {
  constexpr std::string_view head = "release\t";
  while (rows_.starts_with(head)) {
    std::string_view row = take(rows_, '\n').substr(head.size());
    Release release;
    release.project = take(row, '\t');
    release.name = take(row, '\t');
    release.version = take(row, '\t');
    if (releases_.size() < Set{}.size()) releases_.push_back(release);
  }
}

ReleasePlaces::Set ReleasePlaces::set_of(std::string_view project, std::string_view names) const {
  Set set;
  while (!names.empty()) {
    std::string_view last = take(names, ',');
    const std::string_view first = take(last, '-');
    bool inside = false;
    for (std::size_t i = 0; i < releases_.size(); ++i) {
      if (releases_[i].project != project) continue;
      inside = inside || releases_[i].name == first;
      if (inside) set.set(i);
      if (releases_[i].name == (last.empty() ? first : last)) break;
    }
  }
  return set;
}

std::vector<ReleasePlaces::Found> ReleasePlaces::find(std::span<const CodePlace> places) const {
  std::vector<Found> found(places.size());
  const AskedFiles asked = by_stem(places);
  std::string_view rest = rows_;
  while (!rest.empty()) {
    const PlaceRow row(take(rest, '\n'));
    const auto [first, last] = asked.equal_range(stem(row.cells[PlaceRow::file]));
    if (first == last) continue;
    const std::vector<std::uint64_t> lines = lines_of(row.cells[PlaceRow::lines]);
    const Set releases = set_of(row.cells[PlaceRow::project], row.cells[PlaceRow::releases]);
    for (auto one = first; one != last; ++one) {
      const CodePlace& place = places[one->second];
      if (!is_path_of(place.file, row.cells[PlaceRow::file])) continue;
      Found& answer = found[one->second];
      answer.is_known = true;
      if (place.line > 0 && place.is_trace == row.is_trace() &&
          std::ranges::binary_search(lines, static_cast<std::uint64_t>(place.line)))
        answer.releases |= releases;
    }
  }
  return found;
}

}  // namespace nccl_analyze
