// Walks folders and reads descriptors in blocks; what starts like an archive goes on to unpack.cc.

#include "inputs.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "failure.h"
#include "unpack.h"

namespace nccl_analyze {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t block_size = std::size_t{256} << 10U;

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ > STDIN_FILENO) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

void add_folder(const fs::path& folder, InputList& list) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    entries.push_back(entry->path());
  if (error) list.failures.push_back(describe("cannot list", folder.string(), error.value()));
  std::ranges::sort(entries);
  for (const fs::path& path : entries) {
    std::error_code ignored;
    if (fs::symlink_status(path, ignored).type() == fs::file_type::directory)
      add_folder(path, list);
    else if (fs::status(path, ignored).type() == fs::file_type::regular)
      list.inputs.push_back({path.string()});
  }
}

void add_path(const std::string& path, InputList& list) {
  std::error_code error;
  const bool folder = path != "-" && fs::status(path, error).type() == fs::file_type::directory;
  if (error)
    list.failures.push_back(describe("cannot read", path, error.value()));
  else if (folder)
    add_folder(path, list);
  else
    list.inputs.push_back({path});
}

/// One read(2), retried when a signal interrupts it; negative on an error.
ssize_t read_some(int descriptor, char* buffer, std::size_t size) {
  ssize_t count = 0;
  do {
    count = ::read(descriptor, buffer, size);
  } while (count < 0 && errno == EINTR);
  return count;
}

}  // namespace

InputList list_inputs(const std::vector<std::string>& paths) {
  InputList list;
  for (const std::string& path : paths) add_path(path, list);
  if (paths.empty()) list.inputs.push_back({"-"});
  return list;
}

std::string read_input(const Input& input, const SourceSink& sink) {
  const std::string name = input.path == "-" ? "<stdin>" : input.path;
  const Descriptor file(input.path);
  if (file.number() < 0) return describe("cannot open", name);

  std::vector<char> buffer(block_size);
  int error = 0;
  const auto read_block = [&](std::size_t filled) {
    const ssize_t count = read_some(file.number(), buffer.data() + filled, buffer.size() - filled);
    if (count < 0) error = errno;
    return count < 0 ? std::size_t{0} : static_cast<std::size_t>(count);
  };

  std::size_t filled = 0;
  for (std::size_t count = 1; count != 0 && filled < packed_magic_size; filled += count) count = read_block(filled);
  const std::string_view head(buffer.data(), filled);
  if (looks_packed(head)) {
    const std::string fault = unpack(
        name, head, [&] { return std::string_view(buffer.data(), read_block(0)); }, sink);
    return error != 0 ? describe("cannot read", name, error) : fault;
  }

  if (filled == 0 && error != 0) return describe("cannot read", name, error);
  sink.begin(name);
  for (std::size_t count = filled; count != 0; count = read_block(0))
    if (!sink.bytes({buffer.data(), count})) break;
  sink.end();
  return error != 0 ? describe("cannot read", name, error) : std::string();
}

}  // namespace nccl_analyze
