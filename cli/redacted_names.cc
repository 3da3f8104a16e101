#include "cli/redacted_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

namespace nccl_analyze {
namespace {

using Path = std::vector<std::string>;

/// Splits a path such as `logs/run.tar.gz:worker-0/out.log` into folders and file name. An archive counts as a folder
/// of its members.
Path parts_of(std::string_view path) {
  Path parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of("/:"), path.size());
    const std::string_view part = path.substr(0, end);
    if (!part.empty() && part.find_first_not_of('.') != std::string_view::npos) parts.emplace_back(part);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  if (parts.empty()) parts.emplace_back("log");
  return parts;
}

std::size_t common_parts(const std::vector<Path>& paths) {
  std::size_t common = paths.empty() ? 0 : paths.front().size() - 1;
  for (const Path& path : paths) {
    const auto [end, other] = std::mismatch(path.begin(), path.end(), paths.front().begin(), paths.front().end());
    common = std::min({common, static_cast<std::size_t>(end - path.begin()), path.size() - 1});
  }
  return common;
}

std::string without_packed_ending(std::string name) {
  constexpr std::array<std::string_view, 5> endings = {".gz", ".zst", ".xz", ".bz2", ".lz4"};
  for (const std::string_view ending : endings)
    if (name.size() > ending.size() && name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  return name;
}

std::string joined_path(const Path& parts) {
  std::string path;
  for (const std::string& part : parts) path.append(path.empty() ? "" : "/").append(part);
  return path;
}

/// Prefixes each part of a path with its number among the parts in the same folder.
void number_parts(std::vector<Path>& paths, const std::vector<Path>& originals) {
  std::map<Path, std::size_t> numbers, count;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    Path folder;
    for (std::size_t part = 0; part < paths[i].size(); ++part) {
      Path whole = folder;
      whole.push_back(originals[i][part]);
      const bool is_file = part + 1 == paths[i].size();
      if (is_file) whole.push_back(std::to_string(i));  // A file and a folder may have the same name.
      const auto [number, is_new] = numbers.try_emplace(std::move(whole), 0);
      if (is_new) number->second = ++count[folder];
      std::string digits = std::to_string(number->second);
      digits.insert(0, 5 - std::min<std::size_t>(5, digits.size()), '0');
      paths[i][part].insert(0, digits + '-');
      folder.push_back(originals[i][part]);
    }
  }
}

}  // namespace

std::vector<std::string> redacted_names(const std::vector<std::string>& sources,
                                        const std::function<std::string(std::string_view part)>& rewrite) {
  std::vector<Path> originals, paths;
  for (const std::string& source : sources) originals.push_back(parts_of(source));
  const std::size_t common = common_parts(originals);
  for (Path& path : originals) {
    path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(common));
    Path& made = paths.emplace_back();
    for (const std::string& part : path) made.push_back(rewrite(part));
    made.back() = without_packed_ending(made.back());
  }
  std::vector<std::string> names(paths.size());
  std::ranges::transform(paths, names.begin(), joined_path);
  const bool is_in_order = std::ranges::adjacent_find(names, std::greater_equal<>{}) == names.end();
  if (!is_in_order) {
    number_parts(paths, originals);
    std::ranges::transform(paths, names.begin(), joined_path);
  }
  return names;
}

}  // namespace nccl_analyze
