#include "cli/rereadable_input.h"

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "input/descriptor.h"
#include "input/failure.h"
#include "input/input_wait.h"

namespace nccl_analyze {
namespace {

bool is_regular(const std::string& path) {
  struct stat status {};
  return path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

RereadableInput::RereadableInput(const Input& input, Log& log)
    : input_(input), name_(input.path == "-" ? "<stdin>" : input.path) {
  if (!is_regular(input.path)) copy(log);
}

RereadableInput::RereadableInput(RereadableInput&& other) noexcept
    : input_(std::move(other.input_)), name_(std::move(other.name_)), file_(std::move(other.file_)) {}

void RereadableInput::copy(Log& log) {
  const Descriptor from(input_.path);
  if (!from.open()) throw Failure(describe("cannot open", name_));
  const std::string folder = TemporaryFile::folder();
  const std::string remedy = "; set TMPDIR to a folder with room for the log, or name the log as a file";
  if (!file_.create()) throw Failure(describe("cannot write to", folder) + remedy);
  std::array<char, std::size_t{64} << 10U> block;
  InputWait input_wait(true, log);
  while (input_wait.wait(from.number())) {
    const ssize_t count = from.read(block.data(), block.size());
    if (count == 0) break;
    if (count < 0 && errno == EAGAIN) continue;
    if (count < 0) throw Failure(describe("cannot read", name_));
    if (!file_.append({block.data(), static_cast<std::size_t>(count)}))
      throw Failure(describe("cannot write to", folder) + remedy);
  }
  input_.path = "/proc/self/fd/" + std::to_string(file_.descriptor());
}

}  // namespace nccl_analyze
