#include "input/protected_inputs.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "input/descriptor.h"
#include "input/failure.h"

namespace nccl_analyze {
namespace {

constexpr bool is_anything(OwnOutput) { return true; }

std::optional<FileId> regular_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileId{status.st_dev, status.st_ino};
}

OwnOutput kind_of_file(const std::string& path) {
  std::array<char, std::size_t{16} << 10U> head;
  const Descriptor file(path);
  const ssize_t count = file.open() ? file.read(head.data(), head.size()) : 0;
  return own_output({head.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))}).kind;
}

/// Returns the path with symbolic links resolved; if the file does not exist, only the links in its existing folders
/// are resolved. Empty on a loop of links.
std::string resolved(const std::string& path) {
  std::error_code error;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error).string();
}

}  // namespace

void ProtectedInputs::add(const InputList& list, IsRead is_read) {
  for (const auto& [id, path] : list.files)
    files_.try_emplace(id, File{path == "-" ? "what standard input reads" : "the input " + path, is_read});
  for (const std::string& path : list.missing) add_coming(path, "the input " + path);
}

void ProtectedInputs::add(const std::string& path, const std::string& what) {
  if (const auto id = regular_file(path)) files_.try_emplace(*id, File{what, is_anything});
  add_coming(path, what);
}

void ProtectedInputs::add_coming(const std::string& path, const std::string& what) {
  if (const std::string place = resolved(path); !place.empty()) future_files_.try_emplace(place, what);
}

std::string ProtectedInputs::what_is_at(const std::string& path) const {
  const auto id = regular_file(path);
  const auto known = id ? files_.find(*id) : files_.end();
  if (known != files_.end()) return known->second.is_read(kind_of_file(path)) ? known->second.what : std::string();
  const auto coming = future_files_.find(resolved(path));
  return coming == future_files_.end() ? std::string() : coming->second;
}

void ProtectedInputs::protect_from(std::string_view option, const std::string& path) const {
  const std::string what = what_is_at(path);
  if (!what.empty())
    throw Failure(std::string(option) + ' ' + path + " is " + what +
                  ", which no output may replace; name another place");
}

}  // namespace nccl_analyze
